"""Replicated uniques in the population: a table of it by the keys, or its size alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from disclosure_core.asking import Parameters
from disclosure_core.data.typeset import Column
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.threat_model import ThreatModel
from disclosure_core.parameters import declared
from disclosure_core.results.declared import OfReview, Result
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.review import population as of_review
from disclosure_core.review.inputs import Inputs
from disclosure_core.sensitivity.anonymity import profile
from disclosure_core.verify import released

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.value import Review
    from disclosure_core.sensitivity.population import InPopulation


def _with_size(review: Review, size: int | None) -> Review:
    return replace(review, threat_model=replace(review.threat_model, population_size=size))


SIZE = OfReview(lambda review: review.threat_model.population_size, _with_size, every_command=True)


class Asked(Parameters):
    """What the population is asked with."""

    population: Annotated[int | None, SIZE] = declared(ThreatModel, "population_size")


def _again(counter: Counter, rows: Sequence[Row]) -> Counted:  # noqa: ARG001 (all rows, a synthesis each)
    people = counter.population()
    if people is None:
        return {}
    if isinstance(people, int):
        return released.by_size(counter.data, counter.keys, counter.missing_keys, people)
    return released.by_people(counter.data, counter.keys, counter.missing_keys, *people)


TABLE = Table(
    "in_population",
    "Replicated uniques, and what they mean in the population",
    {
        "synthesis": Column("Synthesis", kind="whole"),
        "replicated": Column("replicated uniques", kind="whole"),
        "unique": Column("unique in the population", "records", says="Where the population was counted by the keys."),
        "right": Column("matches with the right person to be expected", "records"),
    },
    ("synthesis",),
    "right",
    printed=lambda frame: frame if frame["unique"].notna().any() else frame.drop(columns="unique"),
    again=_again,
)


class Population(Result[Asked]):
    """What replicated uniques, and records unique in the original, mean in the population.

    Attributes
    ----------
    found
        Of the replicated uniques.
    unique
        A sentence on the original's unique records; empty where the population's size is not given.
    file
        The name of the table of the population; empty without one.
    source
        Where its size is from, as somebody wrote it.
    """

    short: ClassVar = "population"
    about: ClassVar = "The people"
    question: ClassVar = "Are replicated uniques unique in the population?"
    title: ClassVar = "Replicated uniques in the population"
    purpose: ClassVar = "Count or estimate whom a replicated unique leads to."
    reads: ClassVar = (
        "A replicated unique endangers somebody only as far as the person is unique in the population, too. A table of "
        "the population by the keys tells how many are; with its size alone it is estimated."
    )
    formula: ClassVar = (
        "With a table, N[q] people have the keys q: counted are the replicated uniques with N[q] = 1, and the sum "
        "of 1/N[q] over all of them. That is how many matches with the right person are to be expected of an "
        "intruder who picks at random among the people with the same keys. With the size N alone, each replicated "
        "unique counts (π / (1 − π)) · ln(1/π), where π = n/N is the share of the population in the original. "
        "Means over the syntheses. *Source:* Benedetti and Franconi (1998); the screening is that of paper 003; "
        "`measures.md` 14."
    )
    example: ClassVar = "--population 40000000"
    asks: ClassVar = Asked
    tables: ClassVar = (TABLE,)

    def __init__(self, asked: Asked, found: InPopulation, unique: str, file: str, source: str) -> None:
        self.asked, self.found, self.unique, self.file, self.source = asked, found, unique, file, source

    @classmethod
    def lacking(cls, data: Inputs, asked: Asked) -> NotEvaluated | None:  # noqa: ARG003 (the review has its size)
        """Return what has to be given, or why a table cannot be used."""
        return data.through(of_review.lacking, Inputs.population, Inputs.adopted, Inputs.study)

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> Population:  # noqa: ARG003 (quick)
        """Return what follows from the table, or from the size."""
        table, result = data.population, data.assessment
        found = data.through(of_review.in_population, Inputs.study, Inputs.columns, Inputs.settings)
        assert not isinstance(found, NotEvaluated)
        unique = profile(result.tables.study, result.settings, result.keys).population(asked.population)
        said = "" if isinstance(unique, NotEvaluated) else str(unique)
        source = data.threat_model.source if asked.population is not None else ""
        return cls(asked, found, said, "" if table is None else table.name, source)

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return a row a synthesis."""
        return {TABLE.name: self.found.figures}

    def sentences(self) -> list[str]:
        """Say how many matches can be expected to be right, and what that assumes."""
        table = f"Population table: {self.file}." if self.file else ""
        source = f"The population's size is from: {self.source}." if self.source else ""
        return [said for said in (str(self.found), table, self.found.assumed, self.unique, source) if said]
