"""The population of a review: a table of it by the keys, or its size alone, and what replicated uniques mean there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.data.study import Study
from disclosure_core.errors import NotEvaluated
from disclosure_core.review.data import decided, decided_beside
from disclosure_core.sensitivity.population import InPopulation, with_size, with_table

if TYPE_CHECKING:
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import SourceFile

UNKNOWN = NotEvaluated(
    "A replicated unique need not be unique in the population, of which nothing is known.",
    "Give a table of the population by these keys, or the number of people in it.",
)
NOT_RANDOM = NotEvaluated(
    "The original is no simple random sample of the population, as was answered, so that its size alone tells nothing.",
    "Give a table of the population by these keys.",
)
ADOPTED = NotEvaluated(
    "The table of the population is not seen through the safeguards that were adopted.", "Choose the set as it came."
)
STAYS = NotEvaluated(
    "A table of the population is set against single records, and these stay in their engine.", "Bring files."
)


def with_population(opened: Opened, table: Reading | None, file: SourceFile | None) -> Opened:
    """Return a review with a table of the population, or with none.

    Raises
    ------
    DisclosureError
        As `sensitivity.population.with_table`, where keys are chosen.
    """
    review = replace(opened.review, population_table=file)
    new = opened.with_data(review, replace(opened.data, population=table))
    if table is not None and review.keys:
        in_population(new)
    return new


def lacking(opened: Opened) -> NotEvaluated | None:
    """Return why nothing is known of a review's population; None where something is."""
    if stopped := opened.stopped():
        return stopped
    if opened.data.population is None:
        asked = opened.review.threat_model
        return UNKNOWN if asked.population_size is None else NOT_RANDOM if asked.random_sample is False else None
    if opened.which_adopted:
        return ADOPTED
    return None if isinstance(opened.study(), Study) else STAYS


def in_population(opened: Opened, *, named: bool = True) -> InPopulation | NotEvaluated:
    """Return what the replicated uniques of a review mean in the population, or why that is not known.

    Parameters
    ----------
    opened
        A review with its data.
    named
        Whether an error may name a combination of key levels.

    Raises
    ------
    DisclosureError
        As `sensitivity.population`: the table, or N, does not fit the data.
    """
    why = lacking(opened)
    if why is not None:
        return why
    review, data, name, settings = opened.review, opened.data, opened.first_set, opened.review.settings
    table, size, study = data.population, review.threat_model.population_size, opened.study()
    if table is None:
        assert size is not None
        return with_size(opened.assessment().keys, size, settings.exclusions.missing_keys)
    assert isinstance(study, Study)
    tables, mends = decided(review, data, name)
    return with_table(study, tables, settings, decided_beside(review, data, mends, name, table), named=named)
