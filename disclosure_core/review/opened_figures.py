"""Of a review and what was read: the figures of a set, before and after safeguards, and of people outside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.assessment import Assessment, assess, identity_by_keys
from disclosure_core.counting.copies import copies
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data.naming import introduced
from disclosure_core.data.study import Study
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.baseline import attribute_baseline, identity_baseline, moved_members
from disclosure_core.holdout.partition import NO_HOLDOUT, OTHERS, Partition, partition
from disclosure_core.protection.safeguards import Protected
from disclosure_core.protection.seen_through import seen_through
from disclosure_core.protection.usefulness import usefulness, usefulness_after
from disclosure_core.review.data import counted, decided, decided_holdout
from disclosure_core.review.opened_agreement import OpenedAgreement
from disclosure_core.review.opened_tables import asked_of_steps
from disclosure_core.review.scenarios import assessed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.copies import Copies
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.naming import Introduced
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.holdout.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.steps import Step
    from disclosure_core.protection.usefulness import Usefulness


class OpenedFigures(OpenedAgreement):
    """The part of `Opened` that speaks of figures; see there."""

    def introduced(self, synthesis_set: str | None = None) -> tuple[Introduced, ...]:
        """Return the keys and targets of the printed figures that have a label, or levels that count as missing."""
        result = self.assessment(None, synthesis_set)
        return introduced(self.study(synthesis_set), self.labels(synthesis_set), self.review.keys, result.targets)

    def assessment(self, exclusions: Exclusions | None = None, synthesis_set: str | None = None) -> Assessment:
        """Return what the synthetic data disclose, under the review's exclusions or others.

        A target that does not meet is not among them (`not_met`).

        Raises
        ------
        NothingEvaluatedError
            When a key does not meet, or no target does.
        DisclosureError
            As `assess`.
        """
        name = synthesis_set or self.first_set
        study, settings = self.study(name), self.met(self.review.settings, name)
        if exclusions is not None:
            settings = replace(settings, exclusions=exclusions)
        if any(s.origin is not None for s in self.review.sets):  # a merged level is in one set and not in another
            settings, _ = restrict_to_study(study, settings)
        tables = self.once(
            "tables", self.set_key(name), self.review.columns, settings.counting(),
            make=lambda: counted(self.review, study, settings),
        )  # fmt: skip
        earlier = [each for each in self._results.latest("assessment") if each.tables is tables]
        return self.once(
            "assessment", self.set_key(name), self.review.columns, settings.to_json(),
            make=lambda: assess(study, settings, tables, earlier[0] if earlier else None),
        )  # fmt: skip

    def before(self, synthesis_set: str | None = None) -> Assessment:
        """Return the assessment with nothing excluded, to compare with."""
        return self.assessment(Exclusions(), synthesis_set)

    def is_counted(self, synthesis_set: str | None = None) -> bool:
        """Return whether the tables of what is asked are there already, so that its assessment takes no time."""
        name = synthesis_set or self.first_set
        asked = self.set_key(name), self.review.columns, self.review.settings.counting()
        return self.kept("tables", *asked) is not None

    def scenarios(self, synthesis_set: str | None = None) -> tuple[tuple[str, Assessment], ...]:
        """Return each scenario's name and assessment; nothing is counted again."""
        return assessed(self.study(synthesis_set), self.assessment(None, synthesis_set), self.review.scenarios)

    def growth(self, synthesis_set: str | None = None) -> pd.DataFrame:
        """Return how identity disclosure grows as the keys are added; see `identity_by_keys`."""
        name = synthesis_set or self.first_set
        settings = self.met(self.review.settings, name)
        return self.once(
            "growth", self.set_key(name), self.review.columns, self._of_keys(),
            make=lambda: identity_by_keys(self.study(name), settings, self.review.keys),
        )  # fmt: skip

    def after_safeguards(self, synthesis_set: str | None = None) -> Assessment:
        """Return the assessment of the safer syntheses; what these no longer have is dropped from what is asked."""
        made = self.safeguarded(synthesis_set)
        settings, _ = restrict_to_study(made.study, self.met(self.review.settings, synthesis_set))
        return self.once(
            "after_safeguards", self.review.ancestry(synthesis_set or self.first_set)[0], self.review.columns,
            asked_of_steps(self._all_steps(synthesis_set or self.first_set)), settings.to_json(),
            make=lambda: assess(made.study, settings),
        )  # fmt: skip

    def usefulness(self, synthesis_set: str | None = None, progress: Progress | None = None) -> Usefulness:
        """Return how near the tables of one set are to the original's; what `progress` raises ends it."""
        name = synthesis_set or self.first_set
        if self.review.ancestry(name)[1]:
            return self._usefulness_after(name, self._adopted_steps(name), progress)
        return self.once(
            "usefulness", name, self.review.columns, make=lambda: usefulness(self.study(name), progress=progress)
        )  # fmt: skip

    def usefulness_is_kept(self) -> bool:
        """Return whether `usefulness()` is there for the set that figures speak of, so that nothing is counted."""
        name = self.first_set
        base, origins = self.review.ancestry(name)
        if origins:
            return (
                self.kept("usefulness_after", base, self.review.columns, asked_of_steps(self._adopted_steps(name)))
                is not None
            )
        return self.kept("usefulness", name, self.review.columns) is not None

    def usefulness_after_safeguards(
        self, synthesis_set: str | None = None, progress: Progress | None = None
    ) -> Usefulness:
        """Return the same of the safer syntheses, against the original as it is.

        Raises
        ------
        DisclosureError
            As `protect`.
        """
        name = synthesis_set or self.first_set
        return self._usefulness_after(name, self._all_steps(name), progress)

    def _usefulness_after(self, name: str, steps: list[tuple[Step, Settings]], progress: Progress | None) -> Usefulness:
        base = self.review.ancestry(name)[0]
        return self.once(
            "usefulness_after", base, self.review.columns, asked_of_steps(steps),
            make=lambda: _usefulness_of(self.study(base), self._made(name, steps), progress),
        )  # fmt: skip

    def partition(self, synthesis_set: str | None = None) -> Partition | NotEvaluated:
        """Return original, holdout and syntheses coded together, or why there is no baseline."""
        name, review, data = synthesis_set or self.first_set, self.review, self.data
        base, origins = review.ancestry(name)

        def make() -> Partition | NotEvaluated:
            if data.outside_engine is not None and origins:
                return self._seen_there(base, self._adopted_steps(name))
            if data.outside_engine is not None:
                elsewhere = Partition(data.outside_engine(self.study(name)), random=True)
                return elsewhere.refusal or elsewhere
            if data.holdout is None:
                return NO_HOLDOUT
            if twin := data.twin_of_holdout(base):
                return NotEvaluated(f"The holdout is the file {twin} itself.", OTHERS)
            if origins:
                joined, _ = seen_through(*self._through(name, self._adopted_steps(name)))
                return joined if isinstance(joined, NotEvaluated) else replace(joined, random=True)
            (original, *synthetic), mends = decided(review, data, name)
            outside = decided_holdout(review, data, mends, name)
            return partition(original, outside, synthetic, finished=self._with_records(name), random=True)

        return self.once("partition", self.set_key(name), review.columns, make=make)

    def partition_after_safeguards(self, synthesis_set: str | None = None) -> Partition | NotEvaluated:
        """Return the same of the safer syntheses: members and people outside seen through the same rules.

        Raises
        ------
        DisclosureError
            As `seen_through`.
        """
        name = synthesis_set or self.first_set
        base, steps = self.review.ancestry(name)[0], self._all_steps(name)

        def make() -> Partition | NotEvaluated:
            if self.data.outside_engine is not None:
                return self._seen_there(base, steps)
            if self.data.holdout is None:
                return NO_HOLDOUT
            if isinstance(before := self.partition(base), NotEvaluated):
                return before
            return seen_through(*self._through(name, steps))[0]

        return self.once("partition_after", base, self.review.columns, asked_of_steps(steps), make=make)

    def _seen_there(self, base: str, steps: list[tuple[Step, Settings]]) -> Partition | NotEvaluated:
        """Return the same of a set after safeguards, where the records stay in an engine."""
        before, made = self.partition(base), self._made(base, steps)
        if isinstance(before, NotEvaluated) or isinstance(made, Protected):
            return before
        from disclosure_core.engines.outside import EngineJoined
        from disclosure_core.protection.seen_there import seen_there

        assert isinstance(before.joint, EngineJoined)
        joined = Partition(seen_there(before.joint, made), random=True)
        return joined.refusal or joined

    def copies(self, synthesis_set: str | None = None) -> Copies | NotEvaluated:
        """Return whole records, and values of identifiers, that the syntheses have from the original.

        Examples
        --------
        >>> import pandas as pd
        >>> from disclosure_core import Review
        >>> original = pd.DataFrame({"age": [30, 30, 41, 44], "job": ["nurse", "nurse", "cook", "baker"]})
        >>> synthetic = pd.DataFrame({"age": [44, 30, 41, 41], "job": ["baker", "cook", "cook", "nurse"]})
        >>> Review.of(["age"]).open(original, [synthetic]).copies().records["copies"].tolist()
        [2]
        """
        study = self.study(synthesis_set)
        if not isinstance(study, Study):
            return NotEvaluated(
                "Whole records are not counted of data that stay in an engine.", "Open the files themselves."
            )
        return self.once(
            "copies", self.set_key(synthesis_set), self.review.columns, make=lambda: copies(study)
        )  # fmt: skip

    def attribute_baseline(self, synthesis_set: str | None = None) -> AttributeBaseline | NotEvaluated:
        """Return DiSCO and DCAP of members and of people outside, or why they are not evaluated.

        Of a target that the holdout lacks nothing is said; without a key nothing is evaluated.
        """
        if stopped := self.stopped(synthesis_set):
            return stopped
        settings = self.met(self.review.settings, synthesis_set)

        def make() -> AttributeBaseline | NotEvaluated:
            joined = self.partition(synthesis_set)
            asked = settings
            if not isinstance(joined, NotEvaluated) and set(settings.keys) <= set(joined.joint.columns):
                here, _ = restrict_to_study(joined.joint, settings)
                asked = settings if here.targets == () else here
            found = attribute_baseline(joined, asked)
            if isinstance(found, NotEvaluated) or isinstance(joined, NotEvaluated):
                return found
            moved = moved_members(found, self.assessment(None, synthesis_set))
            return moved or replace(found, lacking=joined.joint.unusable)

        found: AttributeBaseline | NotEvaluated = self.once(
            "attribute_baseline", self.set_key(synthesis_set), self.review.columns, settings.to_json(), make=make
        )
        return found if isinstance(found, NotEvaluated) or self.by_lot else found.not_by_lot()

    @property
    def by_lot(self) -> bool:
        """Whether the holdout is known to be a random part of the original."""
        return self.review.holdout is not None and bool(self.review.holdout.by_lot)

    def identity_baseline(self, synthesis_set: str | None = None) -> IdentityBaseline | NotEvaluated:
        """Return replicated uniques of members and of people outside, or why they are not evaluated."""
        settings = self.review.settings
        if stopped := self.stopped(synthesis_set):
            return stopped
        return self.once(
            "identity_baseline", self.set_key(synthesis_set), self.review.columns, self._of_keys(),
            make=lambda: identity_baseline(self.partition(synthesis_set), settings),
        )  # fmt: skip


def _usefulness_of(study: AnyStudy, made: Protected | ProtectedThere, progress: Progress | None) -> Usefulness:
    """Return the usefulness of safer syntheses, wherever their records are."""
    if isinstance(made, Protected):
        assert isinstance(study, Study)
        return usefulness_after(study, made, progress)
    from disclosure_core.protection.usefulness_there import usefulness_there

    return usefulness_there(made, progress)
