"""From a review and what was read to results: the only way, for page, command line, scripts and the report.

A result is made when it is asked for, and kept under the part of the review that it depends on: a target that changes
does not throw a membership search away.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data.agreement import agreement
from disclosure_core.data.study import Note
from disclosure_core.errors import DisclosureError, NotEvaluated, NothingEvaluatedError
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.holdout.partition import outside_groups
from disclosure_core.review import adoption, intruders, least, side_by_side, strongest
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import verdicts as of_verdicts
from disclosure_core.review.codebooks import labels_of, unlisted
from disclosure_core.review.opened_searches import OpenedSearches
from disclosure_core.review.queue import queue
from disclosure_core.review.reasons import with_reason, without_reason
from disclosure_core.review.reconciled import unreconciled
from disclosure_core.review.remarks import Remarks, remarks
from disclosure_core.review.results import Results
from disclosure_core.shown import Reported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from disclosure_core.comparison.aims import Aim, May
    from disclosure_core.comparison.candidates import Comparison
    from disclosure_core.comparison.frontier import LeastSafeguard
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.data import Data
    from disclosure_core.review.parts import Holdout
    from disclosure_core.review.queue import Queue
    from disclosure_core.review.value import Review, SearchKind
    from disclosure_core.review.verdicts import Given
    from disclosure_core.review.verified import Verified
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder
    from disclosure_core.shown import Place

_OF_HOLDOUT = (
    *("partition", "partition_after", "attribute_baseline", "identity_baseline", "membership", "answer"),
    *("candidate", "decided", "unreconciled", "near_misses", "strongest", "least", "verified"),
)

_SEARCHES: tuple[SearchKind, ...] = ("membership", "subsets", "strongest", "least")
"""What is searched for only where somebody asks, and stands in the report from then on."""


class Opened(OpenedSearches, Reported):
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

    def __repr__(self) -> str:
        """Return three words, never data."""
        return f"<Opened review of {self.review.name or self.review.source}>"

    def _repr_html_(self) -> str:
        """Return the judged figures as a small table, for a notebook; one line where there are no keys."""
        if not self.review.keys:
            return f"<p>{escape(repr(self))}</p>"
        if stopped := self.judged.stopped():
            return f"<p>{escape(f'No figure is evaluated. {stopped.why} {stopped.needs}')}</p>"
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
        """Write the report, .pdf or .html, and return where; `look` is that of `report.source.Look`, such as title.

        Raises
        ------
        DisclosureError
            When the ending is another, or nothing can be printed.
        """
        return self._reported(path, look)

    def verify(self) -> Verified:
        """Return what a second, plain counter finds of every figure; the report then says so.

        Raises
        ------
        DisclosureError
            As `assessment`.

        Examples
        --------
        >>> import pandas as pd
        >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
        >>> from disclosure_core import Review
        >>> Review.of(["age"]).open(original, [original]).verify()
        Verified: 191 figures, 0 differ
        """
        found: Verified = self._verified()
        return found

    def with_review(self, review: Review) -> Opened:
        """Return the same data under another review of them; results that do not depend on the change are kept."""
        if _split(review) != _split(self.review):
            return Opened(review, self.data.with_holdout(review.holdout), self.differences)
        return Opened(review, self.data, self.differences, self._results)

    def of_intruder(self, name: str, exclusions: Exclusions | None = None, synthesis_set: str | None = None) -> Opened:
        """Return the same for one of the review's key sets; what is excluded for keys that it lacks does not act.

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
        return self.with_review(intruders.restricted(asked, self.study(synthesis_set))[0])

    def with_differences(self, more: tuple[str, ...]) -> Opened:
        """Return the same with further sentences on what differs from when the review was saved."""
        return Opened(self.review, self.data, (*self.differences, *more), self._results)

    @property
    def judged(self) -> Opened:
        """The same under the exclusions that have a reason: the figures that limits judge, and that leave the page."""
        kept = with_reason(self.review.exclusions, self.review.reasons)
        if kept == self.review.exclusions:
            return self
        return self.with_review(replace(self.review, exclusions=kept))

    @property
    def all_excluded(self) -> Opened:
        """The same as if each exclusion had a reason: what stands beside the judged figures, and no limit judges."""
        lacking = without_reason(self.review.exclusions, self.review.reasons)
        reasons = {**self.review.reasons, **dict.fromkeys(lacking, "no reason was given")}
        return self.with_review(replace(self.review, reasons=reasons)) if lacking else self

    @property
    def printed(self) -> Opened:
        """What may leave the page: the judged figures, without targets whose figures differ by two paths.

        Raises
        ------
        NothingEvaluatedError
            When a key does not meet, or no target does.
        DisclosureError
            When no target is left.
        """
        judged = self.judged
        if stopped := judged.stopped():
            raise NothingEvaluatedError(stopped)
        return judged.without_targets(judged.unreconciled())

    def unreconciled(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return, by target, why its figures are not evaluated: one of them differs by two paths."""
        name = synthesis_set or self.first_set
        if not self.can_learn(name):
            return {}
        return self.once(
            "unreconciled", self.set_key(name), self.review.columns, self.met(self.review.settings, name).to_json(),
            self.data.has_holdout, make=lambda: unreconciled(self, name),
        )  # fmt: skip

    def not_evaluated(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return, by target, why its figures are not evaluated: values that do not meet, or two paths that differ."""
        return {**self.not_met(synthesis_set), **self.unreconciled(synthesis_set)}

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
        """Return whether the intruder has a key that is in the data, a target that is none of them, and both meet."""
        asked, columns = self.review.settings, self.study(synthesis_set).columns.keys()
        known = set(asked.keys) & columns
        targets = set(columns if asked.targets is None else asked.targets)
        return bool(known) and bool(targets - known) and self.stopped(synthesis_set) is None

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

    def with_data(self, review: Review, data: Data) -> Opened:
        """Return a review of these data with another table beside them; results that no such table moves are kept."""
        return Opened(review, data, self.differences, self._results.without(("in_population",)))

    def remarks(self, synthesis_set: str | None = None) -> Remarks:
        """Return all that is to be said beside the figures, for page, command line and report alike."""
        name, review = synthesis_set or self.first_set, self.review
        study = self.study(name)

        def make() -> Remarks:
            tables = self.tables(name) if study.holds_records else None
            read = self.readings(name) if review.source == "files" else ()
            copied = self.copies(name)
            # An adopted set is held against the original as its files were: safeguards never made it meet.
            agreed = self.agreement(name)
            if review.ancestry(name)[1]:
                own = agreement(study, tables, labels_of(read, review.columns.codebook))
                agreed = replace(own, mismatches=agreed.mismatches)
            return remarks(
                study, read, frames=tables, mends=review.columns.mends, codebook=review.columns.codebook,
                told={**review.columns.missing_texts, **dict.fromkeys(review.columns.types, ())},
                unlisted=unlisted(self), agreed=agreed,
                copied=() if isinstance(copied, NotEvaluated) else copied.notes(),
            )  # fmt: skip

        found: Remarks = self.once("remarks", self.set_key(name), review.columns, make=make)
        # Of a key that is not there the assessment says so.
        keys = tuple(key for key in review.keys if key in study.columns)
        known = Settings(keys=keys, groups=review.grouping)
        banded = [key for key in keys if (levels := review.hierarchies.get(key)) and levels.kind == "bands"]
        found = found.with_settings(study, known, review.columns.mends, review.assumptions, banded)
        found = replace(found, agreement=self._noted(found.agreement, name))
        outside = self.partition(name)
        if not isinstance(outside, NotEvaluated):
            beyond = self.once(
                "outside_groups", self.set_key(name), review.columns, known.groups,
                make=lambda: outside_groups(outside, dict(known.groups)),
            )  # fmt: skip
            return replace(found, outside=(*outside.notes, *beyond))
        refused = Note(f"The holdout is not evaluated: {outside.why} {outside.needs}", warning=True)
        return replace(found, outside=(refused,)) if self.data.has_holdout else found

    def queue(
        self, measure: str = "DiSCO", tau: float | None = None, synthesis_set: str | None = None, order: str = "gain"
    ) -> Queue:
        """Return all targets in the order of work, with verdicts, and with what other intruders learn of them.

        Raises
        ------
        DisclosureError
            As `assess` and `queue`.
        """
        name, judged = synthesis_set or self.first_set, self.judged
        others = {}
        for other in self.review.intruders:
            asked = judged.of_intruder(other.name, synthesis_set=name)
            if other.name != self.review.intruder and asked.can_learn(name):
                others[other.name] = asked.assessment(None, name)
        limit = self.review.limits.of(measure).absolute if tau is None and measure in LIMITED else None
        return queue(
            self.before(name), judged.assessment(None, name), self.verdicts(name), self.review.intruder, others,
            measure, tau, limit, order, None if judged is self else self.assessment(None, name),
        )  # fmt: skip

    def reasons_to_confirm(self, synthesis_set: str | None = None) -> dict[str, str]:
        """Return, by name, what is to be said of each reason that was given for another number of records."""
        name, review = synthesis_set or self.first_set, self.review
        return self.once(
            "reasons", self.set_key(name), name, review.columns, review.settings.to_json(), repr(review.reason_stamps),
            dict(review.reasons), dict(review.really_different), make=lambda: of_reasons.to_confirm(self, name),
        )  # fmt: skip

    def verdicts(self, synthesis_set: str | None = None) -> tuple[Given, ...]:
        """Return every verdict on one set, of every intruder, with what it would judge now."""
        return of_verdicts.given(self, synthesis_set)

    def adopt(self, name: str = "") -> Opened:
        """Return the review with the safeguards that are taken adopted: a new set of syntheses, which figures speak of.

        Parameters
        ----------
        name
            Of the new set; empty for the chain's.

        Raises
        ------
        DisclosureError
            As `adoption.adoption`.

        Examples
        --------
        >>> import pandas as pd
        >>> from disclosure_core import Review
        >>> from disclosure_core.protection.steps import RoundTo
        >>> original = pd.DataFrame({"age": [30, 31, 41, 44], "job": ["nurse", "nurse", "cook", "baker"]})
        >>> opened = Review.of(["age"]).open(original, [original])
        >>> rounded = opened.with_review(opened.review.with_steps((RoundTo("age", 10.0),)))
        >>> rounded.adopt("rounded").assessment().targets["job"].attribute["DiSCO"].tolist()
        [50.0]
        """
        return self.with_review(adoption.adoption(self, name).review)

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
        """Whether there is anything to compare: several sets, a chain of safeguards, or the original itself."""
        return len(side_by_side.to_compare(self, True)) + len(side_by_side.of_original(self)) > 1

    def is_kept(self, what: str) -> bool:
        """Return whether the result of a search, "membership" or "subsets", is there for what is asked now.

        A comparison is made again without being asked for again: it takes seconds.
        """
        if what == "comparison":
            return True
        if what in (strongest.KIND, least.KIND):
            return (strongest if what == strongest.KIND else least).is_kept(self)
        if self.stopped():
            return False
        asked = {"membership": self._membership_asked(None), "subsets": self._subsets_asked(None, attributes=True)}
        return not isinstance(self.kept(what, *asked[what]), NotEvaluated | None)

    def as_searched(self, before: Opened) -> Opened:
        """Return the same with the searches that stand for what is asked now, where `before` is what was asked before.

        One whose question has changed is asked for again, not run unasked; one that was made for this question, as of
        an intruder chosen before, stands again: the report has it, and so has the saved review.
        """
        was, now = before.review.searched, self.review.searched
        lost = {what for what in was & now if before.is_kept(what) and not self.is_kept(what)}
        there = {what for what in _SEARCHES if self.is_kept(what)}
        searched = now - lost | there
        return self if searched == now else self.with_review(replace(self.review, searched=searched))

    def least_safeguard(
        self,
        aims: Sequence[Aim | str] = (),
        may: May | None = None,
        *,
        seconds: float | None = None,
        resumed: LeastSafeguard | None = None,
        progress: Progress | None = None,
    ) -> LeastSafeguard:
        """Return the chains of safeguards that disclose least for what they lose, judged by the strongest intruder.

        Parameters
        ----------
        aims, may
            What no intruder shall exceed: "beyond(DiSCO)<5", "repU<=1"; and what may be touched. Without them, what the
            review seeks (`Review.sought`), which is kept and not searched again.
        seconds, resumed, progress
            As of `least_safeguard`.

        Raises
        ------
        DisclosureError
            As `least_safeguard`.
        """
        if may is None:
            return least.searched(self, progress)
        return least.of(self, aims, may, seconds, resumed, progress)

    def finished_least(self, progress: Progress | None = None) -> LeastSafeguard | None:
        """Return the same where it was searched for what is asked now, or an opened review says so; else None."""
        return least.finished(self, progress)

    def strongest_intruder(self, progress: Progress | None = None) -> StrongestIntruder:
        """Return the strongest intruder within the review's bounds; what `progress` raises ends it.

        Raises
        ------
        DisclosureError
            As `strongest_intruder`.

        Examples
        --------
        >>> from dataclasses import replace
        >>> from disclosure_core.data.hierarchies import Hierarchy
        >>> from disclosure_core.review.intruders import with_bounds
        >>> from disclosure_core.review.opening import start_demonstration
        >>> from disclosure_core.sensitivity.node_search import Bounds
        >>> opened = start_demonstration()
        >>> review = replace(opened.review, targets=("abroad",), hierarchies={"age": Hierarchy.bands(5, 10)})
        >>> bounded = with_bounds(review, Bounds(at_most=3, at_best={"age": "bands of 5"}))
        >>> found = opened.with_review(bounded).strongest_intruder()
        >>> found.of("DiSCO", "abroad")["knows"]
        'sex, age (bands of 5), region'
        """
        return strongest.searched(self, progress)

    def finished_strongest(self, progress: Progress | None = None) -> StrongestIntruder | None:
        """Return the same where it was searched for what is asked now, or an opened review says so; else None."""
        return strongest.finished(self, progress)


def _split(review: Review) -> tuple[float | None, int | None]:
    """Return share and seed where the holdout is a split of the original."""
    return (None, None) if review.holdout is None else (review.holdout.share, review.holdout.seed)
