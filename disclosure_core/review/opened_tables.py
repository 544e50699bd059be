"""Of a review and what was read: the tables of a set, the study they make, and the same after safeguards.

What is made is kept under the part of the review that it depends on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.study import Study
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.safeguards import Protected, protect
from disclosure_core.protection.seen_through import seen_through
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
from disclosure_core.review.parts import SYNTHETIC
from disclosure_core.review.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from disclosure_core.data.readers import Reading
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.data import Data
    from disclosure_core.review.value import Review

_BY_INTRUDER, _BY_SET = ("tables", "assessment"), ("coded", "study", "agreement")
"""Kinds that have so much room for each intruder, and for each set of syntheses."""


class OpenedTables:
    """The part of `Opened` that speaks of tables; see there."""

    def __init__(
        self,
        review: Review,
        data: Data,
        differences: tuple[str, ...] = (),
        results: Results | None = None,
    ) -> None:
        self.review: Review = review
        self.data: Data = data
        self.differences: tuple[str, ...] = differences
        self._results = Results() if results is None else results

    @property
    def first_set(self) -> str:
        """The name of the set that figures speak of unless another is named: the one chosen, or the first."""
        return self.review.synthesis_set or next(iter(self.data.sets or self.data.engine), SYNTHETIC)

    @property
    def set_names(self) -> tuple[str, ...]:
        """The names of the sets of syntheses, those with files first, then those that were adopted."""
        return (*self.data.set_names, *(s.name for s in self.review.sets if s.origin is not None))

    @property
    def which_set(self) -> str:
        """A sentence on the set that figures speak of; empty where there is one only."""
        n = len(self.set_names)
        return f"The figures are of {self.first_set!r}, one of {n} sets of syntheses." if n > 1 else ""

    @property
    def which_adopted(self) -> str:
        """A sentence on what the set that figures speak of was adopted from; empty where it came as files."""
        if not self.safeguards_adopted:
            return ""
        return (
            f"{self.first_set!r} is {self.review.ancestry(self.first_set)[0]!r} after safeguards that were adopted; "
            f"the original is seen through the same rules: {' '.join(self.safeguards_adopted)}"
        )

    @property
    def safeguards_adopted(self) -> tuple[str, ...]:
        """A sentence for each safeguard that is in the set that figures speak of; none where it came as files."""
        return tuple(step.sentence for origin in self.review.ancestry(self.first_set)[1] for step in origin.steps)

    @property
    def which_syntheses(self) -> tuple[str, ...]:
        """Sentences on the syntheses that figures speak of: of which set, and which safeguards are in them or not."""
        steps, chain = self.review.steps, self.review.chain
        before = f"The safeguards of {chain!r} are in no figure, unless it is said to be after them." if steps else ""
        return tuple(said for said in (self.which_set, self.which_adopted, before) if said)

    def readings(self, synthesis_set: str | None = None) -> tuple[Reading, ...]:
        """Return the tables of one set as read, the original first; empty where records stay in an engine.

        Those of an adopted set are the tables that it began as.
        """
        return self.data.readings(self.review.ancestry(synthesis_set or self.first_set)[0])

    def tables(self, synthesis_set: str | None = None) -> list[CodedTable]:
        """Return the tables of one set as a study reads them, the original first; of an adopted set the safer ones.

        Raises
        ------
        DisclosureError
            When the data stay in an engine, or a column cannot be read so.
        """
        name = synthesis_set or self.first_set
        if self.review.ancestry(name)[1]:
            made = self._made_here(name, self._adopted_steps(name))
            return [made.original, *made.tables]
        return decided(self.review, self.data, name)[0]

    def outside_table(self, synthesis_set: str | None = None) -> CodedTable:
        """Return people outside as a study reads them, where there are some; of an adopted set by the same rules.

        Raises
        ------
        DisclosureError
            As `tables`.
        """
        name = synthesis_set or self.first_set
        if self.review.ancestry(name)[1]:
            return CodedTable.of(seen_through(*self._through(name, self._adopted_steps(name)))[1])
        return decided_holdout(self.review, self.data, decided(self.review, self.data, name)[1], name)

    def frames(self, synthesis_set: str | None = None) -> list[pd.DataFrame]:
        """Return the tables of one set as frames; as `tables`."""
        return [table.frame() for table in self.tables(synthesis_set)]

    def study(self, synthesis_set: str | None = None) -> AnyStudy:
        """Return original and syntheses of one set made comparable.

        Raises
        ------
        DisclosureError
            As `Study`.
        """
        name, review, data = synthesis_set or self.first_set, self.review, self.data
        if review.ancestry(name)[1]:
            return self.adopted(name).study

        def make() -> AnyStudy:
            before = replace(review.columns, missing_codes={}, numbers={})
            return with_missing(
                review, data, name, self.once("coded", name, before, make=lambda: coded(review, data, name))
            )

        return self.once("study", name, review.columns, make=make)

    def labels(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return what codebook and files say that columns hold; the original's word counts before other files'."""
        return column_labels(self.review, self.data, synthesis_set or self.first_set)

    def _with_records(self, synthesis_set: str | None) -> Study:
        """Return the study of one set, where its records are here.

        Raises
        ------
        DisclosureError
            When they stay in an engine.
        """
        study = self.study(synthesis_set)
        if not isinstance(study, Study):
            raise DisclosureError("These data stay in their engine, and this needs their records: bring them as files.")
        return study

    def protected(self, synthesis_set: str | None = None) -> Protected:
        """Return the syntheses after the safeguards that are taken, and the study that measures them.

        Of an adopted set: after those that were adopted, and then these.

        Raises
        ------
        DisclosureError
            As `protect`; when the data stay in an engine.
        """
        name = synthesis_set or self.first_set
        return self._made_here(name, self._all_steps(name))

    def safeguarded(self, synthesis_set: str | None = None) -> Protected | ProtectedThere:
        """Return the same wherever the records are; where they stay in an engine, so do the safer ones.

        Raises
        ------
        DisclosureError
            As `protect`.
        """
        name = synthesis_set or self.first_set
        return self._made(name, self._all_steps(name))

    def adopted(self, name: str) -> Protected | ProtectedThere:
        """Return what an adopted set is: the syntheses that it began as, after what was adopted."""
        return self._made(name, self._adopted_steps(name))

    def _adopted_steps(self, name: str) -> list[tuple[Step, Settings]]:
        """Return the safeguards that were adopted for a set, each with the keys that it judges a record by."""
        return [(step, origin.judged) for origin in self.review.ancestry(name)[1] for step in origin.steps]

    def judged_by(self, synthesis_set: str | None = None) -> list[Settings]:
        """Return, for each step of `protected`, the keys and groups that it judges a record by."""
        return [settings for _, settings in self._all_steps(synthesis_set or self.first_set)]

    def _all_steps(self, name: str) -> list[tuple[Step, Settings]]:
        """Return the same, and then the safeguards that are taken."""
        now = Settings(keys=self.review.keys, groups=self.review.grouping)
        return [*self._adopted_steps(name), *((step, now) for step in self.review.steps)]

    def set_key(self, synthesis_set: str | None = None) -> str:
        """Return what results of a set are kept under: an adopted set's name alone does not say what it holds."""
        name = synthesis_set or self.first_set
        base, origins = self.review.ancestry(name)
        return f"{base} after {asked_of_steps(self._adopted_steps(name))}" if origins else name

    def _made_here(self, name: str, steps: list[tuple[Step, Settings]]) -> Protected:
        """Return the same where the safer tables are here.

        Raises
        ------
        DisclosureError
            When they stay in an engine.
        """
        made = self._made(name, steps)
        if not isinstance(made, Protected):
            raise DisclosureError(
                "These data stay in their engine, which writes their safer tables: `disclosure protect` has it do so."
            )
        return made

    def _made(self, name: str, steps: list[tuple[Step, Settings]]) -> Protected | ProtectedThere:
        base = self.review.ancestry(name)[0]
        taken, judged = [step for step, _ in steps], [settings for _, settings in steps]

        def make() -> Protected | ProtectedThere:
            study = self.study(base)
            known = partial(answers_of, self.review, self.data, base)
            if not study.holds_records:
                there = _made_there(study, taken, judged)
                return replace(there, study=known(there.study))
            original, *synthetic = self.frames(base)
            absent = missing_levels(self.review, self.data, base, study)
            declared = missing_values(self.data, base)
            here = protect(original, synthetic, taken, judged, study.missing_codes, declared, absent)
            return replace(here, study=known(here.study))

        return self.once("protected", base, self.review.columns, asked_of_steps(steps), make=make)

    def _through(self, name: str, steps: list[tuple[Step, Settings]]) -> tuple[Any, ...]:
        """Return what `seen_through` asks for."""
        base = self.review.ancestry(name)[0]
        (original, *synthetic), mends = decided(self.review, self.data, base)
        outside = decided_holdout(self.review, self.data, mends, base).frame()
        study, frames = self.study(base), [table.frame() for table in synthetic]
        absent = missing_levels(self.review, self.data, base, study)
        taken, judged = [step for step, _ in steps], [settings for _, settings in steps]
        declared = missing_values(self.data, base)
        return original.frame(), outside, frames, taken, judged, study.missing_codes, declared, absent

    def _of_keys(self) -> list[Any]:
        """Return the part of the settings that the figures of the keys alone depend on."""
        review = self.review
        out = Exclusions(missing_keys=review.exclusions.missing_keys)
        return [list(review.keys), dict(review.grouping), out.to_plain()]

    def kept(self, kind: str, *depends_on: Any) -> Any:
        """Return the result of a kind that depends on these parts of the review; None where none is there."""
        return self._results.get(kind, *depends_on)

    def once(self, kind: str, *depends_on: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a kind that depends on these parts of the review, made where there is none."""
        intruders, sets = len(self.review.intruders), len(self.set_names)
        times = intruders if kind in _BY_INTRUDER else sets if kind in _BY_SET else 1
        return self._results.once(kind, *depends_on, make=make, times=max(times, 1))

    def put(self, kind: str, *depends_on: Any, result: Any) -> None:
        """Keep a result of a kind in the place of one that depends on the same parts of the review."""
        self._results.put(kind, *depends_on, result=result)


def _made_there(study: AnyStudy, steps: list[Step], judged: list[Settings]) -> ProtectedThere:
    """Return what safeguards make of data in an engine."""
    from disclosure_core.engines.study import EngineStudy
    from disclosure_core.protection.in_engine import protect_there

    assert isinstance(study, EngineStudy)
    return protect_there(study, steps, judged)


def asked_of_steps(steps: list[tuple[Step, Settings]]) -> str:
    """Return safeguards as text that is equal where they are; empty for none."""
    return "; ".join(f"{step!r} by {settings.to_json()}" for step, settings in steps)
