"""All targets as a queue of work: what each disclosed before exclusions, what it does now, what is next.

Order and axis are those of before exclusions, so that an exclusion moves the marks of its target and
nothing else. What a target discloses beyond chance comes first, unless another order is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import Standing, progress
from disclosure_core.counting.registry import COMPARED
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.review.parts import VERDICTS, Verdict
from disclosure_core.rounding import above, fixed, quantity
from disclosure_core.sensitivity import threshold

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.claims import BeyondGuess
    from disclosure_core.counting.target_risk import TargetRisk
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.verdicts import Given

UNFLAGGED = "no 1-way or 2-way flag"
"""What the checks say of a target where they raise no flag: neither that it is safe, nor that it is not."""

ORDERS = ("gain", "figure", "beyond", "data")
"""By gain over chance, by the synthetic figure that is shown, by *beyond the commonest answer*, each the largest first;
in the order of the data."""

HEADROOM = 1.08
"""The axis ends beyond the largest figure, in its multiples."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What raises the checks' flags for one target.

    Attributes
    ----------
    levels
        The levels of the 1-way check, each with the number of syntheses that raise it.
    n_pairs
        Pairs of the 2-way check, each counted once however many syntheses raise it.
    with_pairs
        Syntheses that raise any pair.
    n_syntheses
        m.
    """

    levels: tuple[tuple[str, int], ...] = ()
    n_pairs: int = 0
    with_pairs: int = 0
    n_syntheses: int = 1

    def __bool__(self) -> bool:
        """Whether any check raises its flag."""
        return bool(self.levels or self.n_pairs)

    @property
    def one_way(self) -> str:
        """The levels, with the number of syntheses where it is not all: "“No” (3 of 5)"; empty where there is none."""
        return ", ".join(f"“{level}”{self._of(n)}" for level, n in self.levels)

    @property
    def two_way(self) -> str:
        """How many pairs: "26 pairs (3 of 5)"; empty where there is none."""
        if not self.n_pairs:
            return ""
        return f"{quantity(self.n_pairs, 'pair')}{self._of(self.with_pairs)}"

    @property
    def words(self) -> str:
        """Both in a line; empty where no flag is raised."""
        return ", ".join(part for part in (self.one_way, self.two_way) if part)

    def _of(self, n: int) -> str:
        return "" if n == self.n_syntheses else f" ({n} of {self.n_syntheses})"


def flags_of(risk: TargetRisk) -> Flags:
    """Return what raises the flags of one target."""
    levels: dict[str, int] = {}
    for check in risk.one_way:
        for each in () if check is None else (check, *check.also):
            levels[each.level] = levels.get(each.level, 0) + 1
    return Flags(tuple(levels.items()), risk.n_pairs, risk.flags[1], len(risk.counted))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What another intruder learns of the same target.

    Attributes
    ----------
    intruder
        Whose key set it is.
    synthetic
        The measure after exclusions, mean over the syntheses, %.
    """

    intruder: str
    synthetic: float


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One target in the queue; figures are means over the syntheses in % of the original records.

    Attributes
    ----------
    target
        Name of the column.
    original_before, synthetic_before
        With nothing excluded.
    original, synthetic
        With what is excluded for a reason: the judged figures.
    each
        Shape (m,): the synthetic measure of each synthesis, after exclusions.
    flags_before, flags
        What raises the flags, with nothing excluded and after exclusions.
    given
        What the officer says of it for the intruder that figures speak of, and whether that still fits; None: nothing.
    beyond_before, beyond
        How far claims are better than a guess, with nothing excluded and after exclusions: gain over chance, κ …
    worst
        The intruder who learns most of it, where that is another one; None else.
    gravest
        The gravest verdict over all intruders; None where there is none.
    above
        Whether the synthetic measure is above the office's first limit; False where none is set.
    preview
        The synthetic measure with all that is excluded, also without a reason; None where that is the same.
    """

    target: str
    original_before: float
    synthetic_before: float
    original: float
    synthetic: float
    each: tuple[float, ...]
    flags_before: Flags
    flags: Flags
    beyond_before: BeyondGuess
    beyond: BeyondGuess
    given: Given | None = None
    worst: Elsewhere | None = None
    gravest: Given | None = None
    above: bool = False
    preview: float | None = None

    @property
    def flagged(self) -> bool:
        """Whether a check raises a flag before anything is excluded: a part of it may be common knowledge."""
        return bool(self.flags_before)

    @property
    def verdict(self) -> Verdict | None:
        """What the officer says of it, whether that still fits or not; None: nothing yet."""
        return None if self.given is None else self.given.verdict

    @property
    def judged(self) -> bool:
        """Whether it has a verdict that fits what it judged."""
        return self.given is not None and self.given.stands

    @property
    def moved(self) -> bool:
        """Whether what is excluded changes a figure of this target."""
        return (self.original, self.synthetic) != (self.original_before, self.synthetic_before)

    @property
    def words(self) -> str:
        """The target as a list of choices shows it: name, figure and verdict."""
        return f"{self.target} · {fixed(self.synthetic)} % · {self.given.words if self.given else 'no verdict'}"


@dataclass(frozen=True, slots=True)
class Queue:
    """All targets, in the order of before exclusions.

    Attributes
    ----------
    original, synthetic
        Names of the two measures: "Dorig", "DiSCO" …
    intruder
        Whose keys these are.
    n_original, n_syntheses
        N_d, the records that 100 % stands for; m.
    rows
        Top to bottom.
    end
        Where the axis ends, which begins at 0, %; no exclusion moves a mark of the two measures beyond it.
    limit
        The office's first limit of the measure, %; None where none is set.
    """

    original: str
    synthetic: str
    intruder: str
    n_original: int
    n_syntheses: int
    rows: tuple[QueueRow, ...]
    end: float
    limit: float | None = None

    def row(self, target: str) -> QueueRow:
        """Return the row of one target."""
        return next(row for row in self.rows if row.target == target)

    @property
    def to_confirm(self) -> tuple[str, ...]:
        """The targets whose verdict no longer fits what it judged, in order."""
        return tuple(row.target for row in self.rows if row.given is not None and not row.judged)

    @property
    def to_review(self) -> tuple[str, ...]:
        """The targets without a verdict, or with one to be confirmed, in order: flagged or not."""
        return tuple(row.target for row in self.rows if not row.judged)

    @property
    def progress(self) -> str:
        """How far the review is: "3 of 10 judged, 2 to confirm"."""
        n = len(self.rows)
        return progress(n, n - len(self.to_review), len(self.to_confirm))

    def next_open(self, target: str | None) -> str | None:
        """Return the next target after `target` that waits for a verdict, from the top again after the last.

        None where no other is left.
        """
        names = [row.target for row in self.rows]
        at = names.index(target) if target in names else -1
        waiting = set(self.to_review) - {target}
        return next((name for name in (*names[at + 1 :], *names[: at + 1]) if name in waiting), None)


def queue(
    before: Assessment,
    now: Assessment,
    verdicts: Sequence[Given] = (),
    intruder: str = "an intruder",
    others: Mapping[str, Assessment] | None = None,
    measure: str = "DiSCO",
    tau: float | None = None,
    limit: float | None = None,
    order: str = "gain",
    preview: Assessment | None = None,
) -> Queue:
    """Return the queue of all targets.

    Parameters
    ----------
    before, now
        The same tables with nothing excluded, and after exclusions that have a reason: the judged figures.
    verdicts
        Of one set of syntheses, of every intruder, with what they would judge now.
    intruder
        Whose keys `before` and `now` know.
    others
        By name, what the other intruders learn after exclusions.
    measure
        A comparison of `COMPARED`; without meaning where a τ is given.
    tau
        Counts claims at least so sure, instead of a published measure.
    limit
        The office's first limit of the measure, % of the members; None where none is set.
    order
        One of `ORDERS`; equal targets stand by the synthetic figure, and what has no answer stands last.
    preview
        The same with all that is excluded, where something has no reason.

    Raises
    ------
    DisclosureError
        When there is no such measure, or τ is not between 0 and 1.
    """
    was, is_now = (_summary(a, measure, tau) for a in (before, now))
    beside = {} if preview is None else _summary(preview, measure, tau)
    elsewhere = {name: _summary(a, measure, tau) for name, a in (others or {}).items()}
    names = COMPARED[measure] if tau is None else threshold.names(tau)
    by_target: dict[str, list[Given]] = {}
    for given in verdicts:
        if given.standing is not Standing.NOT_APPLYING:
            by_target.setdefault(given.verdict.target, []).append(given)
    rows = []
    for target in reversed(list(was)):
        (original_before, each_before), (original, each) = was[target], is_now[target]
        synthetic = _mean(each)
        more = [Elsewhere(name, _mean(table[target][1])) for name, table in elsewhere.items() if target in table]
        largest = max(more, key=lambda other: other.synthetic, default=None)
        of_target = by_target.get(target, [])
        rows.append(
            QueueRow(
                target,
                original_before,
                _mean(each_before),
                original,
                synthetic,
                each,
                flags_of(before.targets[target]),
                flags_of(now.targets[target]),
                before.targets[target].beyond_guess,
                now.targets[target].beyond_guess,
                next((g for g in of_target if g.verdict.intruder == intruder), None),
                largest if largest is not None and largest.synthetic > synthetic else None,
                max(of_target, key=lambda g: VERDICTS.index(g.verdict.verdict), default=None),
                limit is not None and above(synthetic, limit),
                None if each == (all_out := beside.get(target, (0.0, each))[1]) else _mean(all_out),
            )
        )
    rows = _ordered(rows, list(before.targets), order)
    published = tau is None and measure != "DCAP"
    largest_figure = max([1.0, *(x for original, each in was.values() for x in (original, *each))])
    # Exclusions only ever take from a published count; shares of what is left can rise, to 100 % at most.
    end = min(HEADROOM * largest_figure, 103.0) if published else 103.0
    return Queue(*names, intruder, now.n_original, len(now.n_synthetic), tuple(rows), end, limit)


def queue_of(
    opened: Opened,
    measure: str = "DiSCO",
    tau: float | None = None,
    synthesis_set: str | None = None,
    order: str = "gain",
) -> Queue:
    """Return all targets in the order of work, with verdicts, and with what other intruders learn of them.

    Raises
    ------
    DisclosureError
        As `assess` and `queue`.
    """
    name, judged = synthesis_set or opened.first_set, opened.judged
    others = {}
    for other in opened.review.intruders:
        asked = judged.of_intruder(other.name, synthesis_set=name)
        if other.name != opened.review.intruder and asked.can_learn(name):
            others[other.name] = asked.assessment(None, name)
    limit = opened.review.limits.of(measure).absolute if tau is None and measure in LIMITED else None
    return queue(
        opened.before(name),
        judged.assessment(None, name),
        opened.verdicts(name),
        opened.review.intruder,
        others,
        measure,
        tau,
        limit,
        order,
        None if judged is opened else opened.assessment(None, name),
    )


def _ordered(rows: Sequence[QueueRow], in_data: Sequence[str], order: str) -> list[QueueRow]:
    """Return rows, the largest synthetic figure first, in one of `ORDERS`, by what was before exclusions."""
    if order == "data":
        return sorted(rows, key=lambda row: in_data.index(row.target))
    if order == "figure":
        return list(rows)
    figures = [getattr(row.beyond_before, order) for row in rows]
    largest = sorted(range(len(rows)), key=lambda i: -figures[i] if figures[i] == figures[i] else float("inf"))
    return [rows[i] for i in largest]


def _summary(assessment: Assessment, measure: str, tau: float | None) -> dict[str, tuple[float, tuple[float, ...]]]:
    """Return by target, the smallest synthetic measure first: the original's mean, and each synthesis' figure, %."""
    rows = assessment.compared(measure) if tau is None else threshold.compared(assessment, tau)
    return {target: (float(original.mean()), tuple(synthetic.tolist())) for target, original, synthetic in rows}


def _mean(figures: Sequence[float]) -> float:
    return sum(figures) / len(figures)
