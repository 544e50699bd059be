"""From a review and what was read to results: the only way, for page, command line, scripts and the report.

A result is made when it is asked for, and kept under the part of the review that it depends on: a target that changes
does not throw a membership search away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core.above import above
from disclosure_core.errors import NothingEvaluatedError
from disclosure_core.review import (
    adoption,
    figures_of_set,
    intruders,
    least,
    meeting,
    searches,
    side_by_side,
    strongest,
    tables_of_set,
)
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.parts import SYNTHETIC, Holdout
from disclosure_core.review.queue import queue_of
from disclosure_core.review.reasons import with_reason, without_reason
from disclosure_core.review.remarks import remarks_of
from disclosure_core.review.results import OF_HOLDOUT, OF_INTRUDER, OF_SET, OF_TRIED, Results
from disclosure_core.review.verdicts import all_given
from disclosure_core.rounding import visible
from disclosure_core.shown import Place, Shown

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.data import Data
    from disclosure_core.review.value import Review
    from disclosure_core.review.verified import Verified


class Opened(Shown):
    """A review with its data, and the results that follow from the two. `opening` makes them.

    Attributes
    ----------
    review
        What is asked.
    data
        What was read.
    differences
        A sentence for each way in which the data are not those that the review was saved with.
    results
        What was made of them so far (`once`).

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
        self, review: Review, data: Data, differences: tuple[str, ...] = (), results: Results | None = None
    ) -> None:
        self.review: Review = review
        self.data: Data = data
        self.differences: tuple[str, ...] = differences
        self.results: Results = Results() if results is None else results

    def __repr__(self) -> str:
        """Return three words, never data."""
        return f"<Opened review of {visible(self.review.name or self.review.source)}>"

    def _repr_html_(self) -> str:
        """Return the judged figures as a small table, for a notebook; one line where there are no keys."""
        if not self.review.keys:
            return f"<p>{escape(visible(repr(self)))}</p>"
        if stopped := self.judged.stopped():
            return f"<p>{escape(visible(f'No figure is evaluated. {stopped.why} {stopped.needs}'))}</p>"
        notes = "".join(f"<p>{escape(visible(note))}</p>" for note in self.not_judged)
        return self.printed.assessment()._repr_html_() + notes

    def plot(
        self, path: Place | None = None, *, name: str = "dorig-disco", target: str | None = None, **look: Any
    ) -> Any:
        """Return a figure of the catalogue (`results.catalogue.CATALOGUE`) for the screen, or write it.

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
        written: Path = above().report_of(self, path, look)
        return written

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
        found: Verified = above().verified_of(self)
        return found

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

    @property
    def by_lot(self) -> bool:
        """Whether the holdout is known to be a random part of the original."""
        return self.review.holdout is not None and bool(self.review.holdout.by_lot)

    @property
    def differing(self) -> frozenset[str]:
        """The columns that do not meet in the set that figures speak of, and were answered to differ really."""
        return meeting.differing(self)

    def result(self, name: str, **asked: Any) -> Any:
        """Return a further result by its name (`results.RESULTS`), or why it is not evaluated.

        Parameters
        ----------
        name
            "near-misses", "anonymity" …
        asked
            Parameters in the place of the review's.

        Raises
        ------
        DisclosureError
            When there is no such result, or a parameter does not fit.

        Examples
        --------
        >>> import pandas as pd
        >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
        >>> from disclosure_core import Review
        >>> Review.of(["age"]).open(original, [original]).result("anonymity", k=3).under["records"].tolist()
        [4, 4]
        """
        return above().result_of(self, name, asked)

    def with_review(self, review: Review) -> Opened:
        """Return the same data under another review of them; results that do not depend on the change are kept."""
        if _split(review) != _split(self.review):
            return Opened(review, self.data.with_holdout(review.holdout), self.differences)
        return Opened(review, self.data, self.differences, self.results)

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
        return Opened(self.review, self.data, (*self.differences, *more), self.results)

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
        """What may leave the page: the judged figures.

        Raises
        ------
        NothingEvaluatedError
            When a key does not meet, or no target does.
        """
        judged = self.judged
        if stopped := judged.stopped():
            raise NothingEvaluatedError(stopped)
        return judged

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
        results = self.results.without(OF_HOLDOUT) if whole is self.data else Results()
        new = Opened(review, replace(whole, holdout=holdout), self.differences, results)
        new.partition()
        return new

    def with_data(self, review: Review, data: Data) -> Opened:
        """Return a review of these data with another table beside them; results that no such table moves are kept."""
        return Opened(review, data, self.differences, self.results)

    def adopt(self, name: str = "") -> Opened:
        """Return the review with the safeguards that are taken adopted: a new set of syntheses, which figures speak of.

        Parameters
        ----------
        name
            Of the new set; empty for the chain's.

        Raises
        ------
        DisclosureError
            When no safeguard is taken, one cannot be done, or the name is too long or that of another set.

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

    @property
    def compares_several(self) -> bool:
        """Whether there is anything to compare: several sets, a chain of safeguards, or the original itself."""
        return len(side_by_side.to_compare(self, True)) + len(side_by_side.of_original(self)) > 1

    def kept(self, kind: str, *made_of: Any) -> Any:
        """Return the result of a kind that was made of these parts of the review; None where none is there."""
        return self.results.get(kind, *made_of)

    def once(self, kind: str, *made_of: Any, make: Callable[[], Any], each: int = 1) -> Any:
        """Return the result of a kind that is made of these parts of the review, made where there is none.

        `each` as many are kept of a kind that has several results at a time.
        """
        intruders, sets = len(self.review.intruders), len(self.set_names)
        times = max(intruders if kind in OF_INTRUDER else sets if kind in OF_SET else 1, 1)
        tried = 2 if self.review.chains and kind in OF_TRIED else 1
        return self.results.once(kind, *made_of, make=make, times=times * tried * each)

    def put(self, kind: str, *made_of: Any, result: Any) -> None:
        """Keep a result of a kind in the place of one that was made of the same parts of the review."""
        self.results.put(kind, *made_of, result=result)

    # What is computed is in the files named here; each function takes the opened review first.

    set_key = tables_of_set.set_key
    readings = tables_of_set.readings
    tables = tables_of_set.tables
    frames = tables_of_set.frames
    outside_table = tables_of_set.outside_table
    study = tables_of_set.study
    labels = tables_of_set.labels
    protected = tables_of_set.protected
    safeguarded = tables_of_set.safeguarded
    adopted = tables_of_set.adopted
    as_adopted = tables_of_set.as_adopted
    judged_by = tables_of_set.judged_by

    agreement = meeting.agreement
    unmet = meeting.unmet
    not_met = meeting.not_met
    stopping = meeting.stopping
    stopped = meeting.stopped
    met = meeting.met
    can_learn = meeting.can_learn

    assessment = figures_of_set.assessment
    before = figures_of_set.before
    is_counted = figures_of_set.is_counted
    introduced = figures_of_set.introduced
    scenarios = figures_of_set.scenarios
    growth = figures_of_set.growth
    without_each = figures_of_set.without_each
    copies = figures_of_set.copies
    after_safeguards = figures_of_set.after_safeguards
    usefulness = figures_of_set.usefulness
    usefulness_is_kept = figures_of_set.usefulness_is_kept
    usefulness_after_safeguards = figures_of_set.usefulness_after_safeguards
    partition = figures_of_set.partition
    attribute_baseline = figures_of_set.attribute_baseline
    identity_baseline = figures_of_set.identity_baseline

    remarks = remarks_of
    queue = queue_of
    verdicts = all_given
    reasons_to_confirm = of_reasons.kept_to_confirm
    comparison = side_by_side.compared
    is_compared = side_by_side.is_compared

    membership = searches.membership
    finished_membership = searches.finished_membership
    subsets = searches.subsets
    finished_subsets = searches.finished_subsets
    strongest_intruder = strongest.searched
    finished_strongest = strongest.finished
    least_safeguard = least.least_of
    finished_least = least.finished
    is_kept = searches.is_kept
    as_searched = searches.as_searched


def _split(review: Review) -> tuple[float | None, int | None]:
    """Return share and seed where the holdout is a split of the original."""
    return (None, None) if review.holdout is None else (review.holdout.share, review.holdout.seed)
