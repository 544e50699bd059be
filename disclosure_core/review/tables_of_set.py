"""Of a review and what was read: the tables of a set, the study they make, and the same after safeguards.

What is made is kept under the part of the review that it depends on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.study import AnyStudy, Study
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.protection.safeguards import Protected, protect
from disclosure_core.protection.seen_through import through_safeguards
from disclosure_core.review.data import (
    answers_of,
    coded,
    column_labels,
    decided,
    decided_holdout,
    missing_levels,
    missing_values,
    with_missing,
)
from disclosure_core.review.parts import Origin, SynthesisSet, free_name

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.readers import Reading
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

Steps: TypeAlias = "list[tuple[Step, Settings]]"
"""Safeguards, each with the keys and groups that it judges a record by."""


def readings(opened: Opened, synthesis_set: str | None = None) -> tuple[Reading, ...]:
    """Return the tables of one set as read, the original first; empty where records stay in an engine.

    Those of an adopted set are the tables that it began as.
    """
    return opened.data.readings(opened.review.ancestry(synthesis_set or opened.first_set)[0])


def tables(opened: Opened, synthesis_set: str | None = None) -> list[CodedTable]:
    """Return the tables of one set as a study reads them, the original first; of an adopted set the safer ones.

    Raises
    ------
    DisclosureError
        When the data stay in an engine, or a column cannot be read so.
    """
    name = synthesis_set or opened.first_set
    if opened.review.ancestry(name)[1]:
        safer = _made_here(opened, name, adopted_steps(opened, name))
        return [safer.original, *safer.tables]
    return decided(opened.review, opened.data, name)[0]


def tables_at_hand(opened: Opened, name: str) -> list[CodedTable] | None:
    """Return the same, or None where the data stay in an engine."""
    here = opened.study(name).holds_records and opened.data.original is not None
    return opened.tables(name) if here else None


def outside_table(opened: Opened, synthesis_set: str | None = None) -> CodedTable:
    """Return people outside as a study reads them, where there are some; of an adopted set by the same rules.

    Raises
    ------
    DisclosureError
        As `tables`.
    """
    name = synthesis_set or opened.first_set
    if opened.review.ancestry(name)[1]:
        return CodedTable.of(outside_through_safeguards(opened, name, adopted_steps(opened, name))[1])
    return decided_holdout(opened.review, opened.data, decided(opened.review, opened.data, name)[1], name)


def frames(opened: Opened, synthesis_set: str | None = None) -> list[pd.DataFrame]:
    """Return the tables of one set as frames; as `tables`."""
    return [table.frame() for table in opened.tables(synthesis_set)]


def study(opened: Opened, synthesis_set: str | None = None) -> AnyStudy:
    """Return original and syntheses of one set made comparable.

    Raises
    ------
    DisclosureError
        As `Study`.
    """
    name, review, data = synthesis_set or opened.first_set, opened.review, opened.data
    if review.ancestry(name)[1]:
        return opened.adopted(name).study

    def make() -> AnyStudy:
        before = replace(review.columns, missing_codes={}, numbers={})
        return with_missing(
            review, data, name, opened.once("coded", name, before, make=lambda: coded(review, data, name))
        )

    return opened.once("study", name, review.columns, make=make)


def labels(opened: Opened, synthesis_set: str | None = None) -> dict[str, str]:
    """Return what codebook and files say that columns hold; the original's word counts before other files'."""
    return column_labels(opened.review, opened.data, synthesis_set or opened.first_set)


def with_records(opened: Opened, synthesis_set: str | None) -> Study:
    """Return the study of one set, where its records are here."""
    study = opened.study(synthesis_set)
    if not isinstance(study, Study):
        raise DisclosureError("These data stay in their engine, and this needs their records: bring them as files.")
    return study


def protected(opened: Opened, synthesis_set: str | None = None) -> Protected:
    """Return the syntheses after the safeguards that are taken, and the study that measures them.

    Of an adopted set: after those that were adopted, and then these.

    Raises
    ------
    DisclosureError
        As `protect`; when the data stay in an engine.
    """
    name = synthesis_set or opened.first_set
    return _made_here(opened, name, all_steps(opened, name))


def safeguarded(opened: Opened, synthesis_set: str | None = None) -> Protected | ProtectedThere:
    """Return the same wherever the records are; where they stay in an engine, so do the safer ones.

    Raises
    ------
    DisclosureError
        As `protect`.
    """
    name = synthesis_set or opened.first_set
    return safeguarded_set(opened, name, all_steps(opened, name))


def adopted(opened: Opened, name: str) -> Protected | ProtectedThere:
    """Return what an adopted set is: the syntheses that it began as, after what was adopted."""
    return safeguarded_set(opened, name, adopted_steps(opened, name))


def as_adopted(opened: Opened, synthesis_set: str | None = None) -> Opened:
    """Return the review speaking of a set after the safeguards that are taken, as if they were adopted."""
    name, review = synthesis_set or opened.first_set, opened.review
    if not review.steps:
        return opened if name == opened.first_set else opened.with_review(_speaking_of(review, name))
    new = free_name(review.chain, {name, *opened.set_names})
    return opened.with_review(after_chain(review, name, new))


def after_chain(review: Review, of: str, name: str) -> Review:
    """Return the review with a set of its own, of which figures speak: another one after the chain that is taken."""
    origin = Origin(of, review.chain, review.steps, review.keys, dict(review.grouping))
    review = _speaking_of(review, of)
    return replace(review, sets=(*review.sets, SynthesisSet(name, (), origin)), synthesis_set=name, chain="")


def _speaking_of(review: Review, name: str) -> Review:
    """Return the review with figures of another set, which tables handed over need not have named."""
    named = name in {s.name for s in review.sets}
    return replace(review, sets=review.sets if named else (SynthesisSet(name, ()), *review.sets), synthesis_set=name)


def adopted_steps(opened: Opened, name: str) -> Steps:
    """Return the safeguards that were adopted for a set, each with the keys that it judges a record by."""
    return [(step, origin.judged) for origin in opened.review.ancestry(name)[1] for step in origin.steps]


def judged_by(opened: Opened, synthesis_set: str | None = None) -> list[Settings]:
    """Return, for each step of `protected`, the keys and groups that it judges a record by."""
    return [settings for _, settings in all_steps(opened, synthesis_set or opened.first_set)]


def all_steps(opened: Opened, name: str) -> Steps:
    """Return the same, and then the safeguards that are taken."""
    now = Settings(keys=opened.review.keys, groups=opened.review.grouping)
    return [*adopted_steps(opened, name), *((step, now) for step in opened.review.steps)]


def set_key(opened: Opened, synthesis_set: str | None = None) -> str:
    """Return what results of a set are kept under: an adopted set's name alone does not say what it holds."""
    name = synthesis_set or opened.first_set
    base, origins = opened.review.ancestry(name)
    return f"{base} after {asked_of_steps(adopted_steps(opened, name))}" if origins else name


def _made_here(opened: Opened, name: str, steps: Steps) -> Protected:
    """Return the same where the safer tables are here."""
    safer = safeguarded_set(opened, name, steps)
    if not isinstance(safer, Protected):
        raise DisclosureError(
            "These data stay in their engine, which writes their safer tables: `disclosure protect` has it do so."
        )
    return safer


def safeguarded_set(opened: Opened, name: str, steps: Steps) -> Protected | ProtectedThere:
    """Return what safeguards make of the set that one of this name began as."""
    base = opened.review.ancestry(name)[0]
    taken, judged = [step for step, _ in steps], [settings for _, settings in steps]

    def make() -> Protected | ProtectedThere:
        study = opened.study(base)
        known = partial(answers_of, opened.review, opened.data, base)
        if not study.holds_records:
            there = _made_there(study, taken, judged)
            return replace(there, study=known(there.study))
        original, *synthetic = opened.frames(base)
        absent = missing_levels(opened.review, opened.data, base, study)
        declared = missing_values(opened.data, base)
        here = protect(original, synthetic, taken, judged, study.missing_codes, declared, absent)
        return replace(here, study=known(here.study))

    return opened.once("protected", base, opened.review.columns, asked_of_steps(steps), make=make)


def outside_through_safeguards(
    opened: Opened, name: str, steps: Steps
) -> tuple[Partition | NotEvaluated, pd.DataFrame]:
    """Return members and people outside seen through safeguards, and the table of people outside."""
    base = opened.review.ancestry(name)[0]
    (original, *synthetic), mends = decided(opened.review, opened.data, base)
    outside = decided_holdout(opened.review, opened.data, mends, base).frame()
    study, frames = opened.study(base), [table.frame() for table in synthetic]
    absent = missing_levels(opened.review, opened.data, base, study)
    taken, judged = [step for step, _ in steps], [settings for _, settings in steps]
    declared = missing_values(opened.data, base)
    return through_safeguards(original.frame(), outside, frames, taken, judged, study.missing_codes, declared, absent)


def of_keys(opened: Opened) -> list[Any]:
    """Return the part of the settings that the figures of the keys alone depend on."""
    review = opened.review
    out = Exclusions(missing_keys=review.exclusions.missing_keys)
    return [list(review.keys), dict(review.grouping), out.to_plain()]


def _made_there(study: AnyStudy, steps: list[Step], judged: list[Settings]) -> ProtectedThere:
    """Return what safeguards make of data in an engine."""
    from disclosure_core.engines.study import EngineStudy
    from disclosure_core.protection.in_engine import protect_there

    assert isinstance(study, EngineStudy)
    return protect_there(study, steps, judged)


def asked_of_steps(steps: Steps) -> str:
    """Return safeguards as text that is equal where they are; empty for none."""
    return "; ".join(f"{step!r} by {settings.to_json()}" for step, settings in steps)
