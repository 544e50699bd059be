"""What page 1 answers: each figure against the office's limits, and all of them together.

One value for page, PDF, HTML, JSON and command line. What is computed is *within*, *above* or *not evaluated*; a verdict
is the officer's own word, and is held against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.conclusions.difference import Saying
from disclosure_core.conclusions.guess import sentence
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.decision import LIMITED, Outcome, overall
from disclosure_core.report import answer_tables
from disclosure_core.report.measured import judging, membership_of, people_outside, rows_of, screening_of
from disclosure_core.report.rows import (
    RANK,
    MembershipRow,
    Row,
    Screening,
    called,
    number,
    tenth,
)
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.combined import stated
from disclosure_core.review.saved import to_json
from disclosure_core.review.scope import DCAP, MEMBERSHIP, is_asked
from disclosure_core.rounding import above, beside_limit, few, listed, plain

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


@dataclass(frozen=True, slots=True)
class Answer:
    """What page 1 says.

    Attributes
    ----------
    rows
        A row a measure and target, DiSCO first, what is above its limits first.
    membership, screening
        Membership; replicated uniques.
    keys
        By the name of a key set, its keys, in the order chosen.
    n_members, n_outside
        Records; None without a holdout.
    n_syntheses
        m.
    without_reason
        Exclusions that have no reason, by name: what stands here counts them in.
    contradictions
        Every row, of any key set, whose verdict the figure contradicts.
    judging
        By the name of a key set, how many targets have a verdict that fits, and which have none.
    to_confirm
        Every row of DiSCO, of any key set, whose verdict no longer fits what it judged.
    questions
        What has to be asked of the limits, by measure.
    why_no_membership
        Why there is no figure of membership for the intruder that figures speak of; empty where there is one.
    released
        Numbers of the syntheses that are released; empty where nobody said which.
    not_so
        What follows from assumptions that do not hold.
    doubts
        What puts in doubt that the people outside are outside the data.
    holdout_given
        Whether there is a holdout, also one that is not evaluated.
    not_asked
        Of DCAP and membership, what is not asked of this release: the office set no limit of it, or says so.
    stopped
        Why no figure of the intruder that figures speak of is evaluated: values do not meet; empty where one is.
    """

    rows: tuple[Row, ...]
    membership: MembershipRow
    screening: Screening
    keys: dict[str, tuple[str, ...]]
    n_members: int
    n_outside: int | None
    n_syntheses: int
    without_reason: tuple[str, ...]
    contradictions: tuple[Row, ...]
    judging: dict[str, tuple[str, tuple[str, ...]]]
    to_confirm: tuple[Row, ...]
    questions: dict[str, str]
    why_no_membership: str
    not_so: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    released: tuple[int, ...] = ()
    holdout_given: bool = False
    not_asked: tuple[str, ...] = ()
    stopped: str = ""

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Where each figure stands that is asked of this release, by what it is called."""
        every = {called(r): r.outcome for r in self.rows if r.measure not in self.not_asked}
        return every | ({} if MEMBERSHIP in self.not_asked else {MEMBERSHIP: self.membership.outcome})

    @property
    def outcome(self) -> Outcome:
        """Where all stand together: all must be within, and what was not evaluated is not a pass."""
        return overall(self.outcomes.values())

    @property
    def has_limits(self) -> bool:
        """Whether the office set any limit: without one, figures are measured, and none is judged."""
        limits = [*(r.limit for r in self.rows), self.membership.limit]
        return any(v is not None for limit in limits for v in (limit.absolute, limit.relative))

    @property
    def headline(self) -> str:
        """The answer in a few words."""
        if self.stopped and not any(r.judged.evaluated for r in self.rows):
            return "Nothing was evaluated"
        if not self.has_limits:
            return "Measured, not judged"
        return {
            Outcome.ABOVE: "Above the office's limits",
            Outcome.NOT_EVALUATED: "Not everything was evaluated",
            Outcome.WITHIN: "Within the office's limits",
        }[self.outcome]

    def of(self, outcome: Outcome) -> list[str]:
        """Return what the figures are called that stand so."""
        return [name for name, found in self.outcomes.items() if found is outcome]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Without jargon: what is disclosed, beside people outside; what a guess tells; and where all stand together."""
        disco = [r for r in self.rows if r.measure == "DiSCO" and r.judged.evaluated]
        if not disco:
            return (self.stopped or self._together,)
        held_back = [r.target for r in self.rows if r.measure == "DiSCO" and r.beyond is None]
        values = f"Not evaluated, because values do not meet: {few(held_back)}." if held_back else ""
        leaking = [r for r in disco if r.says(Saying.OWN_ANSWER)]
        most = max(disco, key=lambda r: r.judged.members)
        first = max(leaking, key=lambda r: r.judged.difference or 0) if leaking else most
        own, known = self._own(disco, leaking), self._known(most, first)
        return tuple(filter(None, (self._read_off(first), own, known, values, self._together, *self.doubts)))

    def _read_off(self, row: Row) -> str:
        figures = row.judged
        said = (
            f"Someone who knows {listed(self.keys[row.intruder])} would infer “{row.target}” correctly for "
            f"{tenth(figures.members)} % of people in the data."
        )
        if figures.outside is None:
            none = "People outside the data were not evaluated" if self.holdout_given else "No holdout was given"
            return f"{said} {none}, so this cannot be compared with people outside the data."
        kept = (Saying.KEYS_MORE_OFTEN, Saying.RIGHT_MORE_OFTEN, Saying.RIGHT_LESS_OFTEN, Saying.NO_PARTS)
        more = " ".join(s.text for s in row.conclusions if s.saying not in kept)
        return f"{said[:-1]} (people outside: {tenth(figures.outside)} %). {more}"

    def _own(self, disco: list[Row], leaking: list[Row]) -> str:
        """Return of how many targets own answers are shown, where it is of more than the one that is spoken of."""
        if len(leaking) < 2:
            return ""
        of = f"all {len(disco)}" if len(leaking) == len(disco) else f"{len(leaking)} of {len(disco)}"
        return f"Members’ own answers are shown to be in the synthetic data for {of} targets."

    def _known(self, most: Row, first: Row) -> str:
        of = most.judged
        guessed = f"Guessing “{most.commonest}” is right for {tenth(most.majority)} % of people."
        guessed += f" {sentence(most.beyond)}" if most.beyond else ""
        if most is first:
            return guessed
        outside = "" if of.outside is None else f" and {tenth(of.outside)} % of people outside"
        return f"Most disclosed: “{most.target}”, for {tenth(of.members)} % of people in the data{outside}. {guessed}"

    @property
    def _together(self) -> str:
        if not self.has_limits:
            return "No limits are set, so no figure is above or within them. A verdict is the officer's own, and no result."
        n = len(self.outcomes)
        high, missing = self.of(Outcome.ABOVE), self.of(Outcome.NOT_EVALUATED)
        if not high and not missing:
            not_asked = f"; {listed(self.not_asked)} {'were' if len(self.not_asked) > 1 else 'was'} not asked"
            every = "The one figure is" if n == 1 else f"All {n} figures are"
            return f"{every} within the office's limits{not_asked * bool(self.not_asked)}."
        not_all = f"{number(len(missing))} of {n} {'are' if len(missing) > 1 else 'is'} not evaluated ({few(missing)})"
        if len(missing) == n:
            every = "the one is" if n == 1 else f"all {n} are"
            return f"No figure was judged: {every} not evaluated ({few(missing)}); not evaluated is not a pass."
        if not high:
            return f"No figure is above the office's limits, but {not_all}; not evaluated is not a pass."
        some = (
            "The one figure is"
            if n == 1
            else f"{number(len(high)).capitalize()} of {n} figures {'are' if len(high) > 1 else 'is'}"
        )
        said = f"{some} above the office's limits ({few(high)})"
        said += f", and {not_all}" if missing else ""
        return f"{said}; all must be within them."

    @property
    def notes(self) -> tuple[tuple[str, str], ...]:
        """What a panel has to know and nobody can answer: what figures leave open, or assumptions that do not hold."""
        missing = [] if self.n_outside is None and not self.has_limits else self._missing()
        of_assumptions = [("assumptions", why) for why in self.not_so]
        return (*self._of_releases(), *self._of_rows(), *missing, *of_assumptions)

    def _of_releases(self) -> list[tuple[str, str]]:
        found = []
        if len(self.released) > 1:
            said = f"{len(self.released)} syntheses are released together; each is judged, their union is not."
            found.append(("release", said))
        return found + [
            (called(r), f"Above the limits by a synthesis that is released ({_of_releases(r)} %); the mean is not.")
            for r in self.rows
            if r.by_release
        ]

    def _of_rows(self) -> list[tuple[str, str]]:
        alike: dict[str, list[str]] = {}
        for r in self.rows:
            for said in _open_of(r):
                alike.setdefault(said, []).append(called(r))
        return [(listed(names), said) for said, names in alike.items()]

    def _missing(self) -> list[tuple[str, str]]:
        missing: dict[str, list[str]] = {}
        for r in self.rows:
            if r.outcome is Outcome.NOT_EVALUATED and (self.has_limits or r.judged.outside is None):
                missing.setdefault(r.why, []).append(called(r))
        return [(few(names), why) for why, names in missing.items()]

    table = answer_tables.table_of
    to_plain = answer_tables.plain_of


def _of_releases(row: Row) -> str:
    return listed([f"{tenth(f.members)} in synthesis {i}" for i, f in row.released])


def _open_of(r: Row) -> Iterable[str]:
    """Yield what is open of one row that was evaluated."""
    over, d = r.limit.relative, r.judged
    if over is None or d.high is None or d.difference is None or d.low is None:
        return
    if r.outcome is Outcome.WITHIN and above(d.members, r.limit.absolute or 0) and above(d.high, over):
        yield (
            f"Within the limits on the mean of {beside_limit(d.difference, over, 1)} points, yet its interval reaches "
            f"{beside_limit(d.high, over, 1)}, above the limit of {plain(over)}."
        )
    if r.outcome is Outcome.ABOVE and not above(d.low, 0):
        yield f"Above the limits, yet its interval ({tenth(d.low)} to {tenth(d.high)}) holds 0: no difference can be shown."
    if r.outcome is Outcome.ABOVE and r.flag:
        yield f"A check flags it ({r.flag}): is a part of it common knowledge?"


def answer(opened: Opened, synthesis_set: str | None = None) -> Answer:
    """Return what page 1 says of one set of syntheses.

    Limits judge the figure after exclusions *for a reason*; the worst of the key sets decides.

    Raises
    ------
    DisclosureError
        As `Opened.assessment`; when no key set has keys.

    Source
    ------
    consensus.md 1 and 3.2: all applicable measures must pass, and what was not evaluated is not a pass.
    """
    name = synthesis_set or opened.first_set
    review = replace(opened.review, about={})
    searched = "membership" in review.searched or opened.is_kept("membership")
    return opened.once("answer", name, to_json(review), searched, make=lambda: _answer(opened, name))


def _answer(opened: Opened, synthesis_set: str) -> Answer:
    review = opened.review
    intruders = [k for k in review.intruders if k.keys]
    if not intruders:
        raise DisclosureError("Choose keys first: without them nothing can be looked up.")
    every: list[Row] = []
    for intruder in intruders:
        every += rows_of(opened, intruder, synthesis_set)
    worst: dict[tuple[str, str], Row] = {}
    for row in every:
        known = worst.get((row.measure, row.target))
        if known is None or row.order > known.order:
            worst[row.measure, row.target] = row
    of_members = [membership_of(opened, k, synthesis_set) for k in intruders]
    study, outside = opened.study(synthesis_set), people_outside(opened, synthesis_set)
    stopped = opened.stopped(synthesis_set)
    left_out = [replace(review, intruder=k.name).settings.left_out for k in intruders]
    return Answer(
        rows=tuple(sorted(worst.values(), key=lambda r: (LIMITED.index(r.measure), *(-x for x in r.order)))),
        membership=max(of_members, key=lambda m: (RANK[m.outcome], m.f_rel or 0)),
        screening=screening_of(opened.judged, synthesis_set),
        keys={k.name: k.keys for k in intruders},
        n_members=study.n_original,
        n_outside=None if outside is None else outside.n_holdout,
        n_syntheses=len(study.n_synthetic),
        without_reason=tuple(
            dict.fromkeys(n for out in left_out for n in of_reasons.without_reason(out, review.reasons))
        ),
        contradictions=tuple(r for r in every if r.contradicted),
        judging=judging(every),
        to_confirm=tuple(r for r in every if r.confirm and r.measure == "DiSCO"),
        questions=review.limits.questions(),
        why_no_membership=next((m.why for m in of_members if m.intruder == review.intruder), ""),
        not_so=tuple(q.if_no for q in QUESTIONS if review.assumptions.get(q.name) == "no"),
        doubts=() if outside is None else outside.doubts,
        holdout_given=opened.data.has_holdout,
        not_asked=tuple(each for each in (DCAP, MEMBERSHIP) if not is_asked(review, each)),
        stopped="" if stopped is None else f"{stopped.why} {stopped.needs}",
        released=stated(opened, synthesis_set),
    )
