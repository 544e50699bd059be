"""From a review and what was read to results: the only way, for page, command line, scripts and the report.

A result is made when it is asked for, and kept under the part of the review that it depends on: a target that changes
does not throw a membership search away.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.assessment import Assessment, assess, identity_by_keys
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Exclusions, Settings, Thresholds
from disclosure_core.data.naming import introduced
from disclosure_core.data.study import Note, Study
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.baseline import attribute_baseline, identity_baseline, moved_members
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.holdout.membership import membership
from disclosure_core.holdout.partition import NO_HOLDOUT, OTHERS, partition
from disclosure_core.protection.safeguards import protect, seen_through
from disclosure_core.protection.usefulness import usefulness, usefulness_after
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import side_by_side
from disclosure_core.review import verdicts as of_verdicts
from disclosure_core.review.codebooks import unlisted
from disclosure_core.review.data import (
    coded,
    column_labels,
    counted,
    decided,
    decided_holdout,
    missing_levels,
    missing_values,
    with_missing,
)
from disclosure_core.review.queue import queue
from disclosure_core.review.reasons import with_reason, without_reason
from disclosure_core.review.reconciled import unreconciled
from disclosure_core.review.remarks import Remarks, remarks
from disclosure_core.review.results import Results
from disclosure_core.review.scenarios import assessed
from disclosure_core.review.value import SYNTHETIC, Holdout, Review
from disclosure_core.sensitivity.key_subsets import search_subsets
from disclosure_core.sensitivity.release_size import over_draws, sizes
from disclosure_core.shown import Reported

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from disclosure_core.comparison.candidates import Comparison
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.naming import Introduced
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.holdout.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.holdout.membership import Membership
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.protection.safeguards import Protected
    from disclosure_core.protection.usefulness import Usefulness
    from disclosure_core.review.data import Data
    from disclosure_core.review.queue import Queue
    from disclosure_core.review.verdicts import Given
    from disclosure_core.sensitivity.key_subsets import SubsetSearch
    from disclosure_core.sensitivity.release_size import Sizes, Step
    from disclosure_core.shown import Place

_OF_HOLDOUT = (
    *("partition", "partition_after", "attribute_baseline", "identity_baseline", "membership", "answer"),
    *("candidate", "decided", "unreconciled"),
)
_BY_INTRUDER, _BY_SET = ("tables", "assessment"), ("coded", "study")
"""Kinds that have so much room for each intruder, and for each set of syntheses."""


class Opened(Reported):
    """A review with its data, and the results that follow from the two. `opening` makes them.

    Attributes
    ----------
    review
        What is asked.
    data
        What was read.
    differences
        A sentence for each way in which the data are not those that the review was saved with.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Review
    >>> opened = Review.of(["age"]).open(original, [original])
    >>> opened
    <Opened review of tables>
    >>> opened.assessment().identity["UiO"].tolist()
    [0.0]
    """

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

    def __repr__(self) -> str:
        """Return three words, never data."""
        return f"<Opened review of {self.review.name or self.review.source}>"

    def _repr_html_(self) -> str:
        """Return the judged figures as a small table, for a notebook; one line where there are no keys."""
        if not self.review.keys:
            return f"<p>{escape(repr(self))}</p>"
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.not_judged)
        return self.printed.assessment()._repr_html_() + notes

    def plot(
        self, path: Place | None = None, *, name: str = "dorig-disco", target: str | None = None, **look: Any
    ) -> Any:
        """Return a figure of the catalogue (`figures.catalogue.CATALOGUE`) for the screen, or write it.

        `look` is that of `figures.look.Look`, such as size.
        """
        return self._plotted(path, look, name, target)

    def report(self, path: Place, **look: Any) -> Path:
        """Write the report, .pdf or .html, and return where; `look` is that of `report.assembled.Look`, such as title.

        Raises
        ------
        DisclosureError
            When the ending is another, or nothing can be printed.
        """
        return self._reported(path, look)

    def with_review(self, review: Review) -> Opened:
        """Return the same data under another review of them; results that do not depend on the change are kept."""
        if _split(review) != _split(self.review):
            return Opened(review, self.data.with_holdout(review.holdout), self.differences)
        return Opened(review, self.data, self.differences, self._results)

    def of_intruder(self, name: str, exclusions: Exclusions | None = None, synthesis_set: str | None = None) -> Opened:
        """Return the same for one of the review's key sets; what is left out for keys that it lacks does not act.

        Parameters
        ----------
        name
            Of the key set.
        exclusions
            In place of the review's.
        """
        asked = replace(
            self.review, intruder=name, exclusions=self.review.exclusions if exclusions is None else exclusions
        )
        settings, _ = restrict_to_study(self.study(synthesis_set), asked.settings)
        return self.with_review(asked.with_settings(settings))

    @property
    def judged(self) -> Opened:
        """The same under the exclusions that have a reason: the figures that limits judge, and that leave the page."""
        kept = with_reason(self.review.exclusions, self.review.reasons)
        if kept == self.review.exclusions:
            return self
        return self.with_review(replace(self.review, exclusions=kept))

    @property
    def printed(self) -> Opened:
        """What may leave the page: the judged figures, without targets whose figures differ by two paths.

        Raises
        ------
        DisclosureError
            When no target is left.
        """
        judged = self.judged
        return judged.without_targets(judged.unreconciled())

    def unreconciled(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return, by target, why its figures are not evaluated: one of them differs by two paths."""
        name = synthesis_set or self.first_set
        if not self.can_learn(name):
            return {}
        return self.once(
            "unreconciled", name, self.review.columns, self.review.settings.to_json(), self.data.holdout is not None,
            make=lambda: unreconciled(self, name),
        )  # fmt: skip

    def without_targets(self, faults: Mapping[str, str]) -> Opened:
        """Return the same without the targets that `faults` name, each with a sentence on why.

        Raises
        ------
        DisclosureError
            When no target is left.
        """
        if not faults:
            return self
        left = tuple(name for name in self.assessment().targets if name not in faults)
        if not left:
            raise DisclosureError(f"Nothing can be printed. {next(iter(faults.values()))}")
        return self.with_review(replace(self.review, targets=left))

    @property
    def not_judged(self) -> tuple[str, ...]:
        """A sentence on the exclusions that have no reason, and act on no judged figure; none where each has one."""
        n = len(without_reason(self.review.settings.left_out, self.review.reasons))
        if not n:
            return ()
        have, them = ("exclusions have", "them") if n > 1 else ("exclusion has", "it")
        return (
            f"{n} {have} no reason: the judged figures do without {them}; “with all that is excluded” stands beside.",
        )

    def can_learn(self, synthesis_set: str | None = None) -> bool:
        """Return whether the intruder has a key that is in the data, and a target that is none of the keys."""
        asked, columns = self.review.settings, self.study(synthesis_set).columns.keys()
        known = set(asked.keys) & columns
        targets = set(columns if asked.targets is None else asked.targets)
        return bool(known) and bool(targets - known)

    def with_holdout(self, holdout: Reading | None, source: Holdout | None) -> Opened:
        """Return the same with other people who were not synthesised, or with none.

        Raises
        ------
        DisclosureError
            When the table does not fit the data.
        """
        whole = self.data.with_holdout(None)  # another holdout than a split leaves the original whole
        review = replace(self.review, holdout=source)
        if holdout is None:
            review = replace(review, searched=review.searched - {"membership"})
        results = self._results.without(_OF_HOLDOUT) if whole is self.data else Results()
        new = Opened(review, replace(whole, holdout=holdout), self.differences, results)
        new.partition()
        return new

    # ---- data ----

    @property
    def first_set(self) -> str:
        """The name of the set that figures speak of unless another is named: the one chosen, or the first."""
        return self.review.synthesis_set or next(iter(self.data.sets or self.data.engine), SYNTHETIC)

    @property
    def which_set(self) -> str:
        """A sentence on the set that figures speak of; empty where there is one only."""
        n = len(self.data.set_names)
        return f"The figures are of {self.first_set!r}, one of {n} sets of syntheses." if n > 1 else ""

    @property
    def which_syntheses(self) -> tuple[str, ...]:
        """Sentences on the syntheses that figures speak of: of which set, and that safeguards are not in them."""
        steps, chain = self.review.steps, self.review.chain
        before = f"The safeguards of {chain!r} are in no figure, unless it is said to be after them." if steps else ""
        return tuple(said for said in (self.which_set, before) if said)

    def readings(self, synthesis_set: str | None = None) -> tuple[Reading, ...]:
        """Return the tables of one set as read, the original first; empty where records stay in an engine."""
        return self.data.readings(synthesis_set or self.first_set)

    def frames(self, synthesis_set: str | None = None) -> list[pd.DataFrame]:
        """Return the tables of one set as a study reads them, the original first.

        Raises
        ------
        DisclosureError
            When the data stay in an engine, or a column cannot be read so.
        """
        return [table.frame() for table in decided(self.review, self.data, synthesis_set or self.first_set)[0]]

    def study(self, synthesis_set: str | None = None) -> AnyStudy:
        """Return original and syntheses of one set made comparable.

        Raises
        ------
        DisclosureError
            As `Study`.
        """
        name, review, data = synthesis_set or self.first_set, self.review, self.data
        before = replace(review.columns, missing_codes={})
        study = self.once("coded", name, before, make=lambda: coded(review, data, name))
        return self.once("study", name, review.columns, make=lambda: with_missing(review, data, name, study))

    def labels(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return what codebook and files say that columns hold; the original's word counts before other files'."""
        return column_labels(self.review, self.data, synthesis_set or self.first_set)

    def introduced(self, synthesis_set: str | None = None) -> tuple[Introduced, ...]:
        """Return the keys and targets of the printed figures that have a label, or levels that count as missing."""
        result = self.assessment(None, synthesis_set)
        return introduced(self.study(synthesis_set), self.labels(synthesis_set), self.review.keys, result.targets)

    def _with_records(self, synthesis_set: str | None) -> Study:
        """Return the study of one set, where its records are here.

        Raises
        ------
        DisclosureError
            When they stay in an engine.
        """
        study = self.study(synthesis_set)
        if not isinstance(study, Study):
            raise DisclosureError("These data stay in their engine, and a search would ask it for every subset.")
        return study

    def remarks(self, synthesis_set: str | None = None) -> Remarks:
        """Return all that is to be said beside the figures, for page, command line and report alike."""
        name, review = synthesis_set or self.first_set, self.review
        study = self.study(name)

        def make() -> Remarks:
            tables = decided(review, self.data, name)[0] if study.holds_records else None
            read = self.readings(name) if review.source == "files" else ()
            return remarks(
                study, read, frames=tables, mends=review.columns.mends, codebook=review.columns.codebook,
                unlisted=unlisted(self),
            )  # fmt: skip

        found: Remarks = self.once("remarks", name, review.columns, make=make)
        # Of a key that is not there the assessment says so.
        keys = tuple(key for key in review.keys if key in study.columns)
        known = Settings(keys=keys, groups=review.groups)
        found = found.with_settings(study, known, review.columns.mends, review.assumptions)
        outside = self.partition(name)
        if not isinstance(outside, NotEvaluated):
            return replace(found, outside=outside.notes)
        refused = Note(f"The holdout is not evaluated: {outside.why} {outside.needs}", warning=True)
        return found if self.data.holdout is None else replace(found, outside=(refused,))

    # ---- results ----

    def assessment(self, exclusions: Exclusions | None = None, synthesis_set: str | None = None) -> Assessment:
        """Return what the synthetic data disclose, under the review's exclusions or others.

        Raises
        ------
        DisclosureError
            As `assess`.
        """
        name = synthesis_set or self.first_set
        study, settings = self.study(name), self.review.settings
        if exclusions is not None:
            settings = replace(settings, exclusions=exclusions)
        tables = self.once(
            "tables", name, self.review.columns, settings.counting(),
            make=lambda: counted(self.review, study, settings),
        )  # fmt: skip
        earlier = [each for each in self._results.latest("assessment") if each.tables is tables]
        return self.once(
            "assessment", name, self.review.columns, settings.to_json(),
            make=lambda: assess(study, settings, tables, earlier[0] if earlier else None),
        )  # fmt: skip

    def before(self, synthesis_set: str | None = None) -> Assessment:
        """Return the assessment with nothing excluded, to compare with."""
        return self.assessment(Exclusions(), synthesis_set)

    def queue(
        self, measure: str = "DiSCO", tau: float | None = None, synthesis_set: str | None = None, order: str = "gain"
    ) -> Queue:
        """Return all targets in the order of work, with verdicts, and with what other intruders learn of them.

        Raises
        ------
        DisclosureError
            As `assess` and `queue`.
        """
        name = synthesis_set or self.first_set
        others = {}
        for other in self.review.intruders:
            asked = self.of_intruder(other.name, synthesis_set=name)
            if other.name != self.review.intruder and asked.can_learn(name):
                others[other.name] = asked.assessment(None, name)
        limit = self.review.limits.of(measure).absolute if tau is None and measure in LIMITED else None
        return queue(
            self.before(name), self.assessment(None, name), self.verdicts(name), self.review.intruder, others, measure,
            tau, limit, order,
        )  # fmt: skip

    def reasons_to_confirm(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return, by name, what is to be said of each reason that was given for another number of records."""
        name, review = synthesis_set or self.first_set, self.review
        return self.once(
            "reasons", name, review.columns, review.settings.to_json(), repr(review.reason_stamps),
            dict(review.reasons), make=lambda: of_reasons.to_confirm(self, name),
        )  # fmt: skip

    def verdicts(self, synthesis_set: str | None = None) -> tuple[Given, ...]:
        """Return every verdict on one set, of every intruder, with what it would judge now."""
        return of_verdicts.given(self, synthesis_set)

    def is_counted(self, synthesis_set: str | None = None) -> bool:
        """Return whether the tables of what is asked are there already, so that its assessment takes no time."""
        name = synthesis_set or self.first_set
        return self.kept("tables", name, self.review.columns, self.review.settings.counting()) is not None

    def scenarios(self, synthesis_set: str | None = None) -> tuple[tuple[str, Assessment], ...]:
        """Return each scenario's name and assessment; nothing is counted again."""
        return assessed(self.study(synthesis_set), self.assessment(None, synthesis_set), self.review.scenarios)

    def growth(self, synthesis_set: str | None = None) -> pd.DataFrame:
        """Return how identity disclosure grows as the keys are added; see `identity_by_keys`."""
        settings, name = self.review.settings, synthesis_set or self.first_set
        return self.once(
            "growth", name, self.review.columns, self._of_keys(),
            make=lambda: identity_by_keys(self.study(name), settings, self.review.keys),
        )  # fmt: skip

    def protected(self, synthesis_set: str | None = None) -> Protected:
        """Return the syntheses after the safeguards that are taken, and the study that measures them.

        Raises
        ------
        DisclosureError
            As `protect`.
        """
        name, review = synthesis_set or self.first_set, self.review
        judged = Settings(keys=review.keys, groups=review.groups)

        def make() -> Protected:
            original, *synthetic = self.frames(name)
            codes = self.study(name).missing_codes
            absent = missing_levels(review, self.data, name, self.study(name))
            return protect(original, synthetic, review.steps, judged, codes, missing_values(self.data, name), absent)

        return self.once("protected", name, review.columns, judged.to_json(), repr(review.steps), make=make)

    def after_safeguards(self, synthesis_set: str | None = None) -> Assessment:
        """Return the assessment of the safer syntheses; what these no longer have is dropped from what is asked."""
        made = self.protected(synthesis_set)
        settings, _ = restrict_to_study(made.study, self.review.settings)
        return self.once(
            "after_safeguards", synthesis_set or self.first_set, self.review.columns, repr(self.review.steps),
            self.review.settings.to_json(), make=lambda: assess(made.study, settings),
        )  # fmt: skip

    def usefulness(
        self, synthesis_set: str | None = None, progress: Progress | None = None, named: Sequence[str] | None = None
    ) -> Usefulness:
        """Return how near the tables of one set are to the original's; what `progress` raises ends it."""
        name, asked = synthesis_set or self.first_set, None if named is None else list(named)
        return self.once(
            "usefulness", name, self.review.columns, asked,
            make=lambda: usefulness(self.study(name), named=asked, progress=progress),
        )  # fmt: skip

    def usefulness_is_kept(self) -> bool:
        """Return whether `usefulness()` is there for the set that figures speak of, so that nothing is counted."""
        return self.kept("usefulness", self.first_set, self.review.columns, None) is not None

    def usefulness_after_safeguards(
        self, synthesis_set: str | None = None, progress: Progress | None = None
    ) -> Usefulness:
        """Return the same of the safer syntheses, against the original as it is.

        Raises
        ------
        DisclosureError
            As `protect`; and when the data stay in an engine.
        """
        name, review = synthesis_set or self.first_set, self.review
        judged = Settings(keys=review.keys, groups=review.groups)
        return self.once(
            "usefulness_after", name, review.columns, judged.to_json(), repr(review.steps),
            make=lambda: usefulness_after(self._with_records(name), self.protected(name), progress),
        )  # fmt: skip

    def comparison(
        self, progress: Progress | None = None, *, safeguards: bool = True, outside: bool = True
    ) -> Comparison:
        """Return every set side by side, and the set that figures speak of after each chain of safeguards.

        Parameters
        ----------
        progress
            Called with how far it is and when it is done; what it raises ends it, and the sets done are kept.
        safeguards, outside
            Whether the chains are among them; whether people outside the data are looked at, where there are some.

        Raises
        ------
        DisclosureError
            As `assess`, for a set of which no figure can be had.
        """
        return side_by_side.compared(self, progress, safeguards=safeguards, outside=outside)

    def is_compared(self) -> bool:
        """Return whether `comparison()` is there for what is asked now, so that nothing is counted for it."""
        return side_by_side.is_compared(self)

    @property
    def compares_several(self) -> bool:
        """Whether there is anything to compare: several sets, or a chain of safeguards."""
        return len(side_by_side.to_compare(self, True)) > 1

    def partition(self, synthesis_set: str | None = None) -> Partition | NotEvaluated:
        """Return original, holdout and syntheses coded together, or why there is no baseline."""
        name, review, data = synthesis_set or self.first_set, self.review, self.data

        def make() -> Partition | NotEvaluated:
            if data.holdout is None:
                return NO_HOLDOUT
            if twin := data.twin_of_holdout(name):
                return NotEvaluated(f"The holdout is the file {twin} itself.", OTHERS)
            (original, *synthetic), mends = decided(review, data, name)
            outside = decided_holdout(review, data, mends, name)
            return partition(original, outside, synthetic, finished=self._with_records(name), random=True)

        return self.once("partition", name, review.columns, make=make)

    def partition_after_safeguards(self, synthesis_set: str | None = None) -> Partition | NotEvaluated:
        """Return the same of the safer syntheses: members and people outside seen through the same rules.

        Raises
        ------
        DisclosureError
            As `seen_through`.
        """
        name, review = synthesis_set or self.first_set, self.review
        judged = Settings(keys=review.keys, groups=review.groups)

        def make() -> Partition | NotEvaluated:
            if self.data.holdout is None:
                return NO_HOLDOUT
            if isinstance(before := self.partition(name), NotEvaluated):
                return before
            (original, *synthetic), mends = decided(review, self.data, name)
            outside = decided_holdout(review, self.data, mends, name).frame()
            codes = self.study(name).missing_codes
            frames = [table.frame() for table in synthetic]
            absent = missing_levels(review, self.data, name, self.study(name))
            declared = missing_values(self.data, name)
            return seen_through(original.frame(), outside, frames, review.steps, judged, codes, declared, absent)

        return self.once("partition_after", name, review.columns, judged.to_json(), repr(review.steps), make=make)

    def attribute_baseline(self, synthesis_set: str | None = None) -> AttributeBaseline | NotEvaluated:
        """Return DiSCO and DCAP of members and of people outside, or why they are not evaluated.

        Of a target that the holdout lacks nothing is said; a key that it lacks is an error.
        """
        settings = self.review.settings

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
            "attribute_baseline", synthesis_set or self.first_set, self.review.columns, settings.to_json(), make=make
        )
        return found if isinstance(found, NotEvaluated) or self.by_lot else found.not_by_lot()

    @property
    def by_lot(self) -> bool:
        """Whether the holdout is known to be a random part of the original."""
        return self.review.holdout is not None and bool(self.review.holdout.by_lot)

    def identity_baseline(self, synthesis_set: str | None = None) -> IdentityBaseline | NotEvaluated:
        """Return replicated uniques of members and of people outside, or why they are not evaluated."""
        settings = self.review.settings
        return self.once(
            "identity_baseline", synthesis_set or self.first_set, self.review.columns, self._of_keys(),
            make=lambda: identity_baseline(self.partition(synthesis_set), settings),
        )  # fmt: skip

    def finished_membership(
        self, synthesis_set: str | None = None, progress: Progress | None = None
    ) -> Membership | None:
        """Return the search for membership for what is asked now; None where it was not searched, or is refused.

        One that an opened review has made is made again, which `progress` can end.
        """
        searched = self.kept("membership", *self._membership_asked(synthesis_set))
        if searched is None and "membership" in self.review.searched:
            searched = self.membership(progress, synthesis_set)
        return None if isinstance(searched, NotEvaluated) else searched

    def membership(
        self, progress: Progress | None = None, synthesis_set: str | None = None
    ) -> Membership | NotEvaluated:
        """Return how well members can be told from others; what `progress` raises ends it, and nothing is kept."""
        settings = Settings(keys=self.review.keys, groups=self.review.groups)
        return self.once(
            "membership",
            *self._membership_asked(synthesis_set),
            make=lambda: membership(
                self.partition(synthesis_set), settings, self.review.threat_model, progress=progress
            ),
        )

    def draws(self, target: str, seed: int) -> list[Step]:
        """Return the list that a drawing of parts of the syntheses fills, step by step; empty where none was made."""
        return self._drawn(target).setdefault(seed, [])

    def finished_draws(self, target: str) -> Sizes | None:
        """Return what the latest drawing of one target found for what is asked now; None where none was made."""
        steps = next((steps for steps in reversed(self._drawn(target).values()) if steps), None)
        return None if steps is None else over_draws(steps)

    def sizes(self, progress: Progress | None = None) -> Sizes:
        """Return the measures of every target and of the keys by the number of records released.

        What `progress` raises ends the drawing, and nothing is kept.

        Raises
        ------
        DisclosureError
            When the data stay in an engine, which hands out no record.
        """
        return self.once("sizes", *self._sizes_asked(), make=lambda: sizes(self.assessment(), progress=progress))

    def finished_sizes(self) -> Sizes | None:
        """Return the same where it was made for what is asked now; else None."""
        return self.kept("sizes", *self._sizes_asked())

    def _sizes_asked(self) -> tuple[Any, ...]:
        return self.first_set, self.review.columns, self.review.settings.to_json()

    def _drawn(self, target: str) -> dict[int, list[Step]]:
        drawn: dict[int, list[Step]] = self.once(
            "draws", self.first_set, self.review.columns, self.review.settings.to_json(), target, make=dict
        )
        return drawn

    def is_kept(self, what: str) -> bool:
        """Return whether the result of a search, "membership" or "subsets", is there for what is asked now.

        A comparison is made again without being asked for again: it takes seconds.
        """
        if what == "comparison":
            return True
        asked = {"membership": self._membership_asked(None), "subsets": self._subsets_asked(None, attributes=True)}
        return self.kept(what, *asked[what]) is not None

    def _membership_asked(self, synthesis_set: str | None) -> tuple[Any, ...]:
        keys = Settings(keys=self.review.keys, groups=self.review.groups).to_json()
        return synthesis_set or self.first_set, self.review.columns, repr(self.review.threat_model), keys

    def finished_subsets(
        self, synthesis_set: str | None = None, *, attributes: bool = True, progress: Progress | None = None
    ) -> SubsetSearch | None:
        """Return the search over subsets of the keys for what is asked now; None where none was made.

        Without `attributes`, one of the keys alone is enough. One that an opened review has made is made again, which
        `progress` can end.
        """
        search: SubsetSearch | None = self.kept("subsets", *self._subsets_asked(synthesis_set, attributes=True))
        if search is None and not attributes:
            search = self.kept("subsets", *self._subsets_asked(synthesis_set, attributes=False))
        if search is None and "subsets" in self.review.searched:
            search = self.once(
                "subsets",
                *self._subsets_asked(synthesis_set, attributes=True),
                make=lambda: search_subsets(self._with_records(synthesis_set), self.review.settings, progress=progress),
            )
        return search

    def subsets(
        self, progress: Progress | None = None, synthesis_set: str | None = None, *, attributes: bool = True
    ) -> SubsetSearch:
        """Return the same, made where there is none; what `progress` raises ends it, and nothing is kept.

        Raises
        ------
        DisclosureError
            As `search_subsets`.
        """
        search = self.finished_subsets(synthesis_set, attributes=attributes, progress=progress)
        if search is None:
            study, settings = self._with_records(synthesis_set), self.review.settings
            search = self.once(
                "subsets",
                *self._subsets_asked(synthesis_set, attributes=attributes),
                make=lambda: search_subsets(study, settings, progress=progress, attributes=attributes),
            )
        return search

    def _subsets_asked(self, synthesis_set: str | None, *, attributes: bool) -> tuple[Any, ...]:
        settings = self.review.settings
        what = replace(settings, thresholds=Thresholds()).to_json() if attributes else self._of_keys()
        return synthesis_set or self.first_set, self.review.columns, attributes, what

    def _of_keys(self) -> list[Any]:
        """Return the part of the settings that the figures of the keys alone depend on."""
        review = self.review
        out = Exclusions(missing_keys=review.exclusions.missing_keys)
        return [list(review.keys), dict(review.groups), out.to_plain()]

    def kept(self, kind: str, *depends_on: Any) -> Any:
        """Return the result of a kind that depends on these parts of the review; None where none is there."""
        return self._results.get(kind, *depends_on)

    def once(self, kind: str, *depends_on: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a kind that depends on these parts of the review, made where there is none."""
        intruders, sets = len(self.review.intruders), len(self.data.set_names)
        times = intruders if kind in _BY_INTRUDER else sets if kind in _BY_SET else 1
        return self._results.once(kind, *depends_on, make=make, times=max(times, 1))


def _split(review: Review) -> tuple[float | None, int | None]:
    """Return share and seed where the holdout is a split of the original."""
    return (None, None) if review.holdout is None else (review.holdout.share, review.holdout.seed)
