"""What page 1 answers: each figure against the office's limits, and all of them together.

One value for page, PDF, HTML, JSON and command line. What is computed is *within*, *above* or *not evaluated*; a verdict
is the officer's own word, and is held against it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from disclosure_core.conclusions.difference import Saying, Sentence, sentences
from disclosure_core.conclusions.guess import sentence
from disclosure_core.conclusions.standing import progress
from disclosure_core.counting.assessment import BESIDE_A_GUESS
from disclosure_core.counting.measures import guess
from disclosure_core.counting.settings import Exclusions
from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.holdout.baseline import MEAN
from disclosure_core.holdout.decision import LIMITED, Limit, Outcome, decide, decide_membership, overall
from disclosure_core.holdout.membership import refusal
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.saved import to_json
from disclosure_core.rounding import above, beside, fixed, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.claims import BeyondGuess
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import KeySet, Verdict

    Outside = dict[tuple[str, str], tuple[float, ...]]

ORIGINAL = {"DiSCO": "Dorig", "DCAP": "CAPd"}
"""What the original itself discloses, beside each measure of the synthetic data."""

_COUNTED = {"DiSCO": "DiSCO", "DCAP": "DCAPd"}
_HARMLESS = ("acceptable", "common knowledge")
"""Verdicts that a figure above its limits contradicts."""

_RANK = {Outcome.WITHIN: 0, Outcome.NOT_EVALUATED: 1, Outcome.ABOVE: 2}

NOT_SEARCHED = "The questions before it are answered, but the search over subsets of the keys was not run."
"""Why membership is not evaluated where nothing stands in its way."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A measure of one target under one set of exclusions, means over the syntheses.

    Attributes
    ----------
    original
        The same in the original itself, % of its records.
    members
        % of the people in the data; NaN, as `original`, where a figure of the target differs by two paths.
    outside, difference, low, high
        % of people outside; percentage points, with the 95 % interval. None without a holdout.
    """

    original: float
    members: float
    outside: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def evaluated(self) -> bool:
        """Whether there is a figure of members: not where one differs by two paths."""
        return not isnan(self.members)


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of one target, for the key set that stands worst: by `order`.

    Attributes
    ----------
    measure, target, intruder
        What was measured; the intruder is the key set that decides.
    conclusions
        What may be said of members beside people outside; nothing without a holdout that can serve.
    judged
        With what is left out for a reason; this is what the limit judges.
    before
        With nothing excluded; None where that is the same.
    released
        Each synthesis that is released, by its number, with its own figures; empty where nobody said which.
    limit, outcome, why
        The office's limits, where the figure stands, and why it is not evaluated.
    outcome_before
        Where it would stand with nothing excluded.
    commonest, majority
        The target's commonest level, and % of the people in the data that have it.
    beyond
        What the claims that DiSCO counts are worth beside a guess.
    left_out
        What is left out of it for a reason, and the reason.
    verdict
        What the officer says of it; None where nothing was said.
    confirm
        What is to be said of a verdict that no longer fits what it judged; empty where it does.
    flag
        What the checks say of it after exclusions: "", "1-way", "2-way" or "1- and 2-way".
    """

    measure: str
    target: str
    intruder: str
    conclusions: tuple[Sentence, ...]
    judged: Figures
    before: Figures | None
    limit: Limit
    outcome: Outcome
    outcome_before: Outcome
    why: str
    commonest: str
    majority: float
    beyond: BeyondGuess
    left_out: tuple[tuple[str, str], ...]
    verdict: Verdict | None
    confirm: str
    flag: str
    released: tuple[tuple[int, Figures], ...] = ()

    @property
    def by_release(self) -> bool:
        """Whether a released synthesis is above the limits, and the mean is not."""
        mean = decide(self.judged.members, self.judged.difference, self.limit)
        return self.outcome is Outcome.ABOVE and mean is not Outcome.ABOVE

    def says(self, saying: Saying) -> bool:
        """Return whether something may be said of it."""
        return any(s.saying is saying for s in self.conclusions)

    @property
    def contradicted(self) -> bool:
        """Whether the officer called harmless what is above its limits, in a verdict that still fits."""
        given = None if self.confirm else self.verdict
        return self.outcome is Outcome.ABOVE and given is not None and given.verdict in _HARMLESS

    @property
    def order(self) -> tuple[float, ...]:
        """What is worse comes first: above, not evaluated, within; now, and before; then the difference and the figure."""
        standing = (_RANK[self.outcome], _RANK[self.outcome_before])
        return (*standing, self.judged.difference or 0.0, self.judged.members if self.judged.evaluated else -1.0)


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """Whether members can be told from others, for the key set where it is easiest.

    Attributes
    ----------
    intruder, keys
        The key set, and its subset with the largest F_rel.
    beta, f_naive, f, f_rel
        The β that counts, F of guessing, F and F_rel of that subset; None where not evaluated.
    limit, outcome, why
        As of `Row`.
    released
        F_rel of all keys of the synthesis that is released, the largest of several; None where nobody said which.
    """

    intruder: str
    keys: tuple[str, ...]
    beta: float | None
    f_naive: float | None
    f: float | None
    f_rel: float | None
    limit: Limit
    outcome: Outcome
    why: str
    released: float | None = None


@dataclass(frozen=True, slots=True)
class Screening:
    """repU of members and of people outside, for the intruder that figures speak of: no limit judges it."""

    members: float
    outside: float | None
    difference: float | None
    low: float | None
    high: float | None


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
    reasons_to_confirm
        A sentence for each reason that was given when its exclusion took another number of records.
    questions
        What has to be asked of the limits, by measure.
    why_no_membership
        Why there is no figure of membership for the intruder that figures speak of; empty where there is one.
    released
        Numbers of the syntheses that are released; empty where nobody said which.
    not_answered, not_so
        Assumptions that were not answered, and what follows from those that do not hold.
    doubts
        What puts in doubt that the people outside are outside the data.
    holdout_given
        Whether there is a holdout, also one that is not evaluated.
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
    reasons_to_confirm: tuple[str, ...]
    questions: dict[str, str]
    why_no_membership: str
    not_answered: tuple[str, ...]
    not_so: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    released: tuple[int, ...] = ()
    holdout_given: bool = False

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Where each figure stands, by what it is called."""
        return {called(r): r.outcome for r in self.rows} | {"membership": self.membership.outcome}

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
            return (self._together,)
        leaking = [r for r in disco if r.says(Saying.OWN_ANSWER)]
        most = max(disco, key=lambda r: r.judged.members)
        first = max(leaking, key=lambda r: r.judged.difference or 0) if leaking else most
        return (self._read_off(first), self._known(most, first), self._together, *self.doubts)

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

    def _known(self, most: Row, first: Row) -> str:
        of = most.judged
        guessed = f"Guessing {most.commonest} is right for {tenth(most.majority)} % of people. {sentence(most.beyond)}"
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
            return f"All {n} figures are within the office's limits."
        not_all = f"{number(len(missing))} of {n} {'are' if len(missing) > 1 else 'is'} not evaluated ({few(missing)})"
        if len(missing) == n:
            return f"No figure was judged: all {n} are not evaluated ({few(missing)}); not evaluated is not a pass."
        if not high:
            return f"No figure is above the office's limits, but {not_all}; not evaluated is not a pass."
        said = f"{number(len(high)).capitalize()} of {n} figures {'are' if len(high) > 1 else 'is'} above the office's limits ({few(high)})"
        said += f", and {not_all}" if missing else ""
        return f"{said}; all must be within them."

    @property
    def open(self) -> tuple[tuple[str, str], ...]:
        """What is open: about what, and a sentence."""
        found = [
            (
                called(r),
                f"“{r.verdict.verdict}” for {r.intruder}, yet the figure is above its limits: one of the two has to go.",
            )
            for r in self.contradictions
            if r.verdict is not None
        ]
        found += [
            (r.target, f"the verdict “{r.verdict.verdict}” for {r.intruder} was {r.confirm}.")
            for r in self.to_confirm
            if r.verdict is not None
        ]
        found += [("exclusions", said) for said in self.reasons_to_confirm]
        for intruder, (how_far, without) in self.judging.items():
            if without:
                whom = f" for {intruder}" if len(self.judging) > 1 else ""
                found.append(("verdicts", f"{how_far}{whom}; no verdict on {few(without)}."))
        found += [("limits", question) for question in self.questions.values()]
        if self.n_syntheses > 1 and not self.released:
            found.append(
                (
                    "release",
                    f"Nobody said which of the {self.n_syntheses} syntheses is released; their mean alone is judged.",
                )
            )
        if len(self.released) > 1:
            found.append(
                (
                    "release",
                    f"{len(self.released)} syntheses are released together; each is judged, their union is not.",
                )
            )
        found += [
            (called(r), f"Above the limits by a synthesis that is released ({_of_releases(r)} %); the mean is not.")
            for r in self.rows
            if r.by_release
        ]
        if self.without_reason:
            n = len(self.without_reason)
            found.append((
                "exclusions",
                f"{n} {'exclusions have' if n > 1 else 'exclusion has'} no reason and {'are' if n > 1 else 'is'} counted in "
                f"here: {few(self.without_reason)}.",
            ))  # fmt: skip
        alike: dict[str, list[str]] = {}
        for r in self.rows:
            for said in _open_of(r):
                alike.setdefault(said, []).append(called(r))
        found += [(listed(names), said) for said, names in alike.items()]
        missing: dict[str, list[str]] = {}
        for r in self.rows:
            if r.outcome is Outcome.NOT_EVALUATED and (self.has_limits or r.judged.outside is None):
                missing.setdefault(r.why, []).append(called(r))
        if not self.has_limits:
            found.append(("limits", "None are set: say which figures would be too much, and whose limits these are."))
        found += [(few(names), why) for why, names in missing.items()]
        if self.membership.outcome is Outcome.NOT_EVALUATED:
            found.append(("membership", self.membership.why))
        found += [("assumptions", why) for why in self.not_so]
        if self.not_answered:
            found.append(("assumptions", f"Not answered: {' '.join(self.not_answered)}"))
        return tuple(found)

    def table(self) -> pd.DataFrame:
        """Return every figure with its limits and where it stands.

        Returns
        -------
        DataFrame
            figure; members, outside, difference, low and high (%, percentage points; of membership nothing); F_rel (of membership
            alone); original; members_before, with nothing excluded; commonest and commonest_share, %; absolute and
            relative, the limits; released, members of the released synthesis, the largest of several, %; owner; intruder; left_out; verdict; result; why.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = [
            {
                "figure": called(r), "members": r.judged.members, "outside": r.judged.outside,
                "difference": r.judged.difference, "low": r.judged.low, "high": r.judged.high, "F_rel": None,
                "original": r.judged.original, "members_before": (r.before or r.judged).members, "commonest": r.commonest,
                "commonest_share": r.majority, "absolute": r.limit.absolute, "relative": r.limit.relative,
                "released": max((f.members for _, f in r.released), default=None),
                "owner": r.limit.owner, "intruder": r.intruder,
                "left_out": "; ".join(f"{what} ({why})" for what, why in r.left_out),
                "verdict": "" if r.verdict is None else r.verdict.verdict, "result": str(r.outcome), "why": r.why,
            }
            for r in self.rows
        ]  # fmt: skip
        m = self.membership
        rows.append({
            "figure": "membership", "F_rel": m.f_rel, "relative": m.limit.relative, "owner": m.limit.owner, "commonest": "",
            "intruder": m.intruder, "left_out": "", "verdict": "", "result": str(m.outcome), "why": m.why,
        })  # fmt: skip
        numbers = ["members", "outside", "difference", "low", "high", "F_rel", "original", "members_before",
                   "commonest_share", "absolute", "relative", "released"]  # fmt: skip
        frame = pd.DataFrame(rows)
        return frame.astype(dict.fromkeys(numbers, "float64"))

    def to_plain(self) -> dict[str, Any]:
        """Return the answer as what JSON holds: outcome, sentences, rows, membership, screening and what is open."""
        m = self.membership
        return {
            "outcome": str(self.outcome),
            "headline": self.headline,
            "sentences": list(self.sentences),
            "members": self.n_members,
            "outside": self.n_outside,
            "doubts": list(self.doubts),
            "rows": [
                {
                    "measure": r.measure,
                    "target": r.target,
                    "intruder": r.intruder,
                    "result": str(r.outcome),
                    "why": r.why,
                    **_plain(r.judged),
                    "before": None if r.before is None else {"result": str(r.outcome_before), **_plain(r.before)},
                    "commonest": r.commonest,
                    "commonest_share": r.majority,
                    "beside_a_guess": {name: _or_nan(getattr(r.beyond, name)) for name in BESIDE_A_GUESS},
                    "limit": {"absolute": r.limit.absolute, "relative": r.limit.relative, "owner": r.limit.owner},
                    "left_out": [{"what": what, "reason": reason} for what, reason in r.left_out],
                    "verdict": None if r.verdict is None else r.verdict.verdict,
                    "confirm": r.confirm,
                    "contradicted": r.contradicted,
                    "released": [{"synthesis": i, **_plain(f)} for i, f in r.released],
                }
                for r in self.rows
            ],
            "membership": {
                "intruder": m.intruder, "keys": list(m.keys), "beta": m.beta, "F_naive": m.f_naive, "F": m.f,
                "F_rel": m.f_rel, "released": m.released, "limit": m.limit.relative, "owner": m.limit.owner, "result": str(m.outcome), "why": m.why,
            },
            "repU": {name: getattr(self.screening, name) for name in ("members", "outside", "difference", "low", "high")},
            "without_reason": list(self.without_reason),
            "open": [{"about": about, "what": what} for about, what in self.open],
        }  # fmt: skip


def _of_releases(row: Row) -> str:
    return listed([f"{tenth(f.members)} in synthesis {i}" for i, f in row.released])


def _or_nan(figure: float) -> float | str:
    """Return a figure as JSON holds it: what is not given (several levels are the commonest) is "NaN"."""
    return figure if figure == figure else "NaN"


def _plain(figures: Figures) -> dict[str, Any]:
    if not figures.evaluated:
        return dict.fromkeys(("original", "members", "outside", "difference", "low", "high"))
    return {name: getattr(figures, name) for name in ("original", "members", "outside", "difference", "low", "high")}


def _open_of(r: Row) -> Iterable[str]:
    """Yield what is open of one row that was evaluated."""
    over, d = r.limit.relative, r.judged
    if over is None or d.high is None or d.difference is None or d.low is None:
        return
    if r.outcome is Outcome.WITHIN and above(d.members, r.limit.absolute or 0) and above(d.high, over):
        yield (
            f"Within the limits on the mean of {beside(d.difference, over, 1)} points, yet its interval reaches "
            f"{beside(d.high, over, 1)}, above the limit of {plain(over)}."
        )
    if r.outcome is Outcome.ABOVE and not above(d.low, 0):
        yield f"Above the limits, yet its interval ({tenth(d.low)} to {tenth(d.high)}) holds 0: no difference can be shown."
    if r.outcome is Outcome.ABOVE and r.flag:
        yield f"A check flags it ({r.flag}): is a part of it common knowledge?"


def called(row: Row) -> str:
    """Return what a row is called in a sentence."""
    return f"{row.measure} of {row.target}"


def tenth(value: float) -> str:
    """Return a figure as page 1 writes it."""
    return fixed(value, 1)


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence: a, b and c."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def few(names: Sequence[str], most: int = 4) -> str:
    """Return names in a sentence, many of them counted."""
    return listed(names) if len(names) <= most else f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"


def number(n: int) -> str:
    """Return a small number as a word."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    return words[n] if n < len(words) else f"{n:,}"


# ---- how it is computed ----------------------------------------------------------------------------------------------


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
        every += _rows(opened, intruder, synthesis_set)
    worst: dict[tuple[str, str], Row] = {}
    for row in every:
        known = worst.get((row.measure, row.target))
        if known is None or row.order > known.order:
            worst[row.measure, row.target] = row
    of_members = [_membership(opened, k, synthesis_set) for k in intruders]
    study, outside = opened.study(synthesis_set), _outside(opened, synthesis_set)
    left_out = [replace(review, intruder=k.name).settings.left_out for k in intruders]
    return Answer(
        rows=tuple(sorted(worst.values(), key=lambda r: (LIMITED.index(r.measure), *(-x for x in r.order)))),
        membership=max(of_members, key=lambda m: (_RANK[m.outcome], m.f_rel or 0)),
        screening=_screening(opened.judged, synthesis_set),
        keys={k.name: k.keys for k in intruders},
        n_members=study.n_original,
        n_outside=None if outside is None else outside.n_holdout,
        n_syntheses=len(study.n_synthetic),
        without_reason=tuple(
            dict.fromkeys(n for out in left_out for n in of_reasons.without_reason(out, review.reasons))
        ),
        contradictions=tuple(r for r in every if r.contradicted),
        judging=_judging(every),
        to_confirm=tuple(r for r in every if r.confirm and r.measure == "DiSCO"),
        reasons_to_confirm=tuple(
            f"The reason for “{name}”{f' for {k.name}' if len(intruders) > 1 else ''} was {said}."
            for k in intruders
            for name, said in of_reasons.to_confirm(opened, synthesis_set, k.name).items()
        ),
        questions=review.limits.questions(),
        why_no_membership=next((m.why for m in of_members if m.intruder == review.intruder), ""),
        not_answered=tuple(q.text for q in QUESTIONS if not review.assumptions.get(q.name)),
        not_so=tuple(q.if_no for q in QUESTIONS if review.assumptions.get(q.name) == "no"),
        doubts=() if outside is None else outside.doubts,
        holdout_given=opened.data.holdout is not None,
        released=tuple(i for i in review.released.get(synthesis_set, ()) if i <= len(study.n_synthetic)),
    )


def _outside(opened: Opened, synthesis_set: str) -> Partition | None:
    try:
        found = opened.partition(synthesis_set)
    except DisclosureError:
        return None
    return None if isinstance(found, NotEvaluated) else found


def _rows(opened: Opened, intruder: KeySet, synthesis_set: str) -> list[Row]:
    review = opened.review
    kept = opened.judged.review.exclusions
    now, first = (opened.of_intruder(intruder.name, out, synthesis_set) for out in (kept, Exclusions()))
    if not now.can_learn(synthesis_set):
        return []
    found, before = now.assessment(None, synthesis_set), first.assessment(None, synthesis_set)
    faults = now.unreconciled(synthesis_set)
    baseline = evaluated(lambda: now.attribute_baseline(synthesis_set))
    outside_now, outside_first = _beside(baseline), _beside(evaluated(lambda: first.attribute_baseline(synthesis_set)))
    reasons = of_reasons.told(opened, synthesis_set, intruder.name)
    flags = dict(zip(*(found.summary()[c] for c in ("target", "flag")), strict=True))
    verdicts = {g.verdict.target: g for g in opened.verdicts(synthesis_set) if g.verdict.intruder == intruder.name}
    rows = []
    for target, risk in found.targets.items():
        known, given = guess(risk.counted[0].cells), verdicts.get(target)
        moved = found.left_out.of(target) != Exclusions()
        for measure, original in ORIGINAL.items():
            limit = review.limits.of(measure)

            def of(
                a: Assessment, outside: Outside, target: str = target, measure: str = measure, o: str = original
            ) -> Figures:
                figures = [float(a.targets[target].figures(m).mean()) for m in (o, _COUNTED[measure])]
                return Figures(*figures, *outside.get((measure, target), ()))

            fault = faults.get(target, "")
            judged = Figures(nan, nan) if fault else of(found, outside_now)
            was = of(before, outside_first) if moved and not fault else None
            own = (
                ()
                if fault
                else _released(found, baseline, target, measure, original, review.released.get(synthesis_set, ()))
            )
            each = [decide(f.members, f.difference, limit) for f in (judged, *(f for _, f in own))]
            outcome = max(each, key=_RANK.__getitem__)
            rows.append(
                Row(
                    measure, target, intruder.name, _concluded(baseline, measure, target), judged, was, limit, outcome,
                    outcome if was is None else decide(was.members, was.difference, limit),
                    fault or (_why(baseline, judged, limit, measure, target) if outcome is Outcome.NOT_EVALUATED else ""),
                    known.level, known.pct, risk.beyond_guess,
                    of_reasons.left_out(found.left_out, reasons, target),
                    None if given is None else given.verdict, "" if given is None else given.sentence, flags[target], own,
                )
            )  # fmt: skip
    return rows


def _released(
    found: Assessment,
    baseline: AttributeBaseline | NotEvaluated,
    target: str,
    measure: str,
    original: str,
    numbers: Sequence[int],
) -> tuple[tuple[int, Figures], ...]:
    """Return the figures of each synthesis that is released, by its number."""
    risk, made = found.targets[target], []
    for i in (i for i in numbers if i <= len(found.n_synthetic)):
        outside = _beside(baseline, i).get((measure, target), ())
        own = (float(risk.figures(m)[i - 1]) for m in (original, _COUNTED[measure]))
        made.append((i, Figures(*own, *outside)))
    return tuple(made)


def _judging(rows: Iterable[Row]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return, by key set, how far the verdicts are, and the targets that have none."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    of: dict[str, list[Row]] = {}
    for row in rows:
        if row.measure == "DiSCO":
            of.setdefault(row.intruder, []).append(row)
    for intruder, mine in of.items():
        judged = sum(r.verdict is not None and not r.confirm for r in mine)
        said = progress(len(mine), judged, sum(bool(r.confirm) for r in mine))
        found[intruder] = (said, tuple(r.target for r in mine if r.verdict is None))
    return found


def _beside(
    baseline: AttributeBaseline | NotEvaluated, synthesis: int = MEAN
) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return people outside, difference, low and high, by measure and target; nothing where there is no holdout."""
    if isinstance(baseline, NotEvaluated):
        return {}
    rows = baseline.figures[baseline.figures["synthesis"] == synthesis]
    columns = [rows[c].astype(float) for c in ("non_members", "difference", "low", "high")]
    return dict(zip(zip(rows["measure"], rows["target"], strict=True), zip(*columns, strict=True), strict=True))


def _concluded(baseline: AttributeBaseline | NotEvaluated, measure: str, target: str) -> tuple[Sentence, ...]:
    """Return what may be said of a target; nothing where the holdout cannot serve in it."""
    if isinstance(baseline, NotEvaluated) or target not in set(baseline.context["target"]):
        return ()
    return sentences(baseline, target, measure)


def _why(baseline: AttributeBaseline | NotEvaluated, judged: Figures, limit: Limit, measure: str, target: str) -> str:
    if isinstance(baseline, NotEvaluated):
        return f"{baseline.why} {baseline.needs}".strip()
    if judged.outside is None:
        return baseline.lacking.get(target, f"The holdout has no column {target!r}.")
    absent = [what for what, v in (("absolute", limit.absolute), ("relative", limit.relative)) if v is None]
    return f"The office set no {' and no '.join(absent)} limit of {measure}."


def _membership(opened: Opened, intruder: KeySet, synthesis_set: str) -> MembershipRow:
    asked = opened.of_intruder(intruder.name, Exclusions(), synthesis_set)
    limit = opened.review.limits.membership
    try:
        refused = refusal(asked.partition(synthesis_set), asked.review.threat_model)
        found = None if refused else asked.finished_membership(synthesis_set)
    except DisclosureError as error:
        refused, found = NotEvaluated(str(error), ""), None
    if found is None:
        why = NOT_SEARCHED if refused is None else f"{refused.why} {refused.needs}".strip()
        return MembershipRow(intruder.name, (), None, None, None, None, limit, Outcome.NOT_EVALUATED, why)
    row: Any = found.decisive()
    f_rel = float(row["worst_F_rel"])
    numbers = opened.review.released.get(synthesis_set, ())
    each = found.all_keys((float(row["beta"]),))
    own = [float(v) for v in each.loc[each["synthesis"].isin([int(n) for n in numbers]), "F_rel"]]
    outcome = max((decide_membership(f, limit) for f in (f_rel, *own)), key=_RANK.__getitem__)
    return MembershipRow(
        intruder.name, tuple(row["worst_keys"]), float(row["beta"]), float(row["F_naive"]), float(row["worst_F"]), f_rel,
        limit, outcome, "The office set no limit of F_rel." if outcome is Outcome.NOT_EVALUATED else "", max(own, default=None),
    )  # fmt: skip


def _screening(opened: Opened, synthesis_set: str) -> Screening:
    members = float(opened.assessment(None, synthesis_set).identity["repU"].mean())
    try:
        found = opened.identity_baseline(synthesis_set)
    except DisclosureError:
        return Screening(members, None, None, None, None)
    if isinstance(found, NotEvaluated):
        return Screening(members, None, None, None, None)
    row = found.summary().iloc[0]
    return Screening(members, *(float(row[c]) for c in ("non_members", "difference", "low", "high")))
