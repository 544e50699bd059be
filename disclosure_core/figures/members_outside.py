"""Members beside people outside: what is disclosed of both, and the difference with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.decision import Limit
    from disclosure_core.holdout.identity_baseline import IdentityBaseline


@dataclass(frozen=True, slots=True)
class OutsideRow:
    """One target: means over the syntheses.

    Attributes
    ----------
    target
        Name of the column.
    members, outside
        The figure of members and of people outside, % of each.
    difference
        Members less people outside, percentage points, from unrounded figures.
    low, high
        Ends of its 95 % interval.
    decision
        "within", "above" or "not evaluated"; empty where no limit judges the figure.
    shown
        Whether a difference is shown when all targets are judged together (Holm); never by its interval alone.
    same
        M and its 95 % interval: members less people outside with the same keys, percentage points; or None.
    own
        Whether members' own answers are shown, all targets judged together; None where that is not evaluated.
    """

    target: str
    members: float
    outside: float
    difference: float
    low: float
    high: float
    decision: str
    shown: bool = False
    same: tuple[float, float, float] | None = None
    own: bool | None = None

    @property
    def conclusion(self) -> str:
        """What is concluded of members' own answers, as it stands in the row."""
        if self.same is None or self.own is None:
            return "not evaluated"
        points, _, high = self.same
        if self.own:
            return f"own answers shown: {fixed(points, 1, sign=True)}"
        return f"not shown: at most {fixed(max(high, 0.0), 1)} points"


@dataclass(frozen=True, slots=True)
class OutsidePlot:
    """Members against people outside, a row a target; or one row, the keys.

    Targets of which own answers are shown come first, the largest of M first, then the largest figure of members.

    Attributes
    ----------
    measure
        "DiSCO" or "DCAP", of targets; "repU", of the keys.
    n_members, n_outside
        Records that 100 % stand for.
    rows
        Top to bottom.
    absolute, relative
        The office's thresholds, of the members' figure, %, and of the difference, percentage points; or None.
    more
        What stands in place of targets that are not drawn.
    reach, reach_of_difference, reach_of_same
        How far the three axes go at least: parts of one figure have one axis. The last two have two ends.
    random
        Whether the people outside are a random part of the original, so that a difference is the effect of taking part.
    compared
        % of the members whom M compares; None where there is no M.
    """

    measure: str
    n_members: int
    n_outside: int
    rows: tuple[OutsideRow, ...]
    absolute: float | None = None
    relative: float | None = None
    more: str = ""
    reach: float = 0.0
    reach_of_difference: tuple[float, float] = (0.0, 0.0)
    reach_of_same: tuple[float, float] = (0.0, 0.0)
    random: bool = False
    compared: float | None = None

    @property
    def n_parts(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def part(self, start: int, stop: int) -> OutsidePlot:
        """Return some of the rows, on the axes of all."""
        rows = self.rows[start:stop]
        reach = {"reach": self.furthest, "reach_of_difference": self.differences, "reach_of_same": self.same_keys}
        return replace(self, rows=rows, more="", **reach)  # type: ignore[arg-type]

    def first(self, n: int) -> OutsidePlot:
        """Return the first n rows, with a sentence on the rest."""
        rest = self.rows[n:]
        above = ceil(10 * max((row.members for row in rest), default=0.0) - 1e-9) / 10
        more = f"and {len(rest):,} more, members at most {fixed(above, 1)} %"
        return replace(self, rows=self.rows[:n], more=more) if rest else self

    @property
    def furthest(self) -> float:
        """The largest figure shown, or the threshold, %, and 1 at least."""
        figures = (max(row.members, row.outside) for row in self.rows)
        return max([1.0, self.reach, self.absolute or 0.0, *figures])

    @property
    def differences(self) -> tuple[float, float]:
        """The smallest and the largest end of an interval, 0 and the threshold among them, percentage points."""
        ends = [*self.reach_of_difference, self.relative or 0.0, *(v for row in self.rows for v in (row.low, row.high))]
        return min(0.0, *ends), max(0.0, *ends)

    @property
    def same_keys(self) -> tuple[float, float]:
        """The smallest and the largest end of an interval of M, 0 among them, percentage points."""
        ends = [*self.reach_of_same, *(v for row in self.rows for v in row.same or ())]
        return min(0.0, *ends), max(0.0, *ends)

    @property
    def own_first(self) -> int:
        """How many rows come first because own answers are shown."""
        return sum(bool(row.own) for row in self.rows)

    @property
    def effect(self) -> str:
        """What the difference is called."""
        return "Effect of taking part" if self.random else "Difference"

    @property
    def marks(self) -> str:
        """What lines and marks mean."""
        together = " for all targets judged together (Holm)" if self.by else ""
        return (
            f"Lines: 95 % intervals, percentage points. Filled: shown{together}; hollow: not shown. Differences are of "
            "unrounded figures."
        )

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"{self.measure} of members and of people outside{self.by}"

    @property
    def by(self) -> str:
        """What the rows are; nothing where there is one, of the keys."""
        return "" if self.measure == "repU" else ", by target"

    @property
    def unit(self) -> str:
        """What the axis of the figures counts."""
        return f"% of {self.n_members:,} members, of {self.n_outside:,} people outside"

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        sentences = [
            f"{self.measure} of members (diamond) and of people outside (upright bar){self.by}, {self.unit}; "
            f"{self.effect.lower()}: members less people outside, percentage points."
        ]
        if self.compared is not None:
            sentences.append(
                f"Own answers: the same among people with the same keys ({fixed(self.compared, 0)} % of members)."
            )
        sentences.append(self.marks)
        if self.absolute is not None or self.relative is not None:
            sentences.append("Dashed: the office's limit.")
        return " ".join(sentences)

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        listed = "; ".join(
            f"{row.target}: members {fixed(row.members)}, people outside {fixed(row.outside)}, difference "
            f"{fixed(row.difference, sign=True)} ({fixed(row.low, sign=True)} to {fixed(row.high, sign=True)})"
            f"{', ' * bool(row.decision)}{row.decision}{_own(row)}"
            for row in self.rows
        )
        more = f"; {self.more}" if self.more else ""
        return f"{self.title}, {self.unit}, with 95 % intervals of the difference in percentage points. {listed}{more}."


def _own(row: OutsideRow) -> str:
    """Return M and what it shows in words, as they stand in the sentence."""
    if row.same is None:
        return ""
    points, low, high = (fixed(x, sign=True) for x in row.same)
    return f", same keys {points} ({low} to {high}), {row.conclusion}"


def describe(baseline: AttributeBaseline, measure: str, limit: Limit) -> OutsidePlot:
    """Return the plot of `AttributeBaseline.summary(measure, limit)`, with what is shown of own answers by DiSCO.

    Raises
    ------
    DisclosureError
        When there is no such measure.

    Source
    ------
    consensus.md 3.2; measures.md 10.
    """
    shown = baseline.effect[baseline.effect["measure"] == measure].set_index("target")["shown"].to_dict()
    evaluated = baseline.same_keys[baseline.same_keys["why"] == ""] if measure == "DiSCO" else baseline.same_keys[:0]
    same = {r["target"]: r for r in evaluated.to_dict("records")}
    rows = []
    for r in baseline.summary(measure, limit).iloc[::-1].to_dict("records"):
        of_same = same.get(r["target"])
        row = OutsideRow(
            r["target"],
            r["members"],
            r["non_members"],
            r["difference"],
            r["low"],
            r["high"],
            r["result"],
            bool(shown[r["target"]]),
        )
        if of_same is not None:
            m = (of_same["points"], of_same["low"], of_same["high"])
            row = replace(row, same=m, own=bool(of_same["leaked"]))
        rows.append(row)
    rows.sort(key=lambda row: -row.same[0] if row.own and row.same else float("inf"))
    compared = float(evaluated["compared"].iloc[0]) if len(evaluated) else None
    return OutsidePlot(
        measure,
        baseline.n_training,
        baseline.n_holdout,
        tuple(rows),
        limit.absolute,
        limit.relative,
        random=baseline.by_lot is None,
        compared=compared,
    )


def describe_keys(baseline: IdentityBaseline) -> OutsidePlot:
    """Return the same of replicated uniques: one row, which no limit judges.

    Source
    ------
    consensus.md 4.2.
    """
    (r,) = baseline.summary().to_dict("records")
    row = OutsideRow("all keys", r["members"], r["non_members"], r["difference"], r["low"], r["high"], "")
    row = replace(row, shown=not row.low <= 0 <= row.high)  # judged with no other
    return OutsidePlot("repU", baseline.n_training, baseline.n_holdout, (row,))
