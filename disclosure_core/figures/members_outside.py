"""Members beside people outside: what is disclosed of both, and the difference with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from disclosure_core.rounding import fixed

PARTS: dict[str, Side] = {"keys found": "second", "claim made": "fourth", "claim right": "third"}
"""By part of a difference, whose colour its segment has."""

STRIPES = {"keys found": "filled", "claim made": "hollow", "claim right": "striped"}
"""By part of a difference, the pattern of its segment in greys."""

if TYPE_CHECKING:
    from disclosure_core.figures.palette import Side
    from disclosure_core.holdout.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.holdout.decision import Limit


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
    parts
        What the difference is made of, by name, percentage points; nothing where that is not evaluated.
    same
        M and its 95 % interval: members less people outside with the same keys, percentage points; or None.
    """

    target: str
    members: float
    outside: float
    difference: float
    low: float
    high: float
    decision: str
    parts: tuple[tuple[str, float], ...] = ()
    same: tuple[float, float, float] | None = None

    @property
    def segments(self) -> tuple[tuple[str, float, float], ...]:
        """Each part and where its segment begins and ends: what adds lies right of 0, what takes left of it."""
        ends, found = {True: 0.0, False: 0.0}, []
        for name, points in self.parts:
            begin = ends[points > 0]
            ends[points > 0] = begin + points
            found.append((name, begin, begin + points))
        return tuple(found)

    @property
    def ends(self) -> tuple[float, ...]:
        """How far everything beside the difference reaches, percentage points."""
        return (self.low, self.high, *(x for _, a, b in self.segments for x in (a, b)), *(self.same or ()))

    @property
    def shown(self) -> bool:
        """Whether the interval shows a difference: it does not hold 0."""
        return not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class OutsidePlot:
    """Members against people outside, a row a target, the largest figure of members first; or one row, the keys.

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
    reach, reach_of_difference
        How far the two axes go at least: parts of one figure have one axis. The second has two ends.
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

    @property
    def n_parts(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def part(self, start: int, stop: int) -> OutsidePlot:
        """Return some of the rows, on the axes of all."""
        rows = self.rows[start:stop]
        return replace(self, rows=rows, reach=self.furthest, reach_of_difference=self.differences, more="")

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
        ends = [*self.reach_of_difference, self.relative or 0.0, *(v for row in self.rows for v in row.ends)]
        return min(0.0, *ends), max(0.0, *ends)

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
            f"{self.measure} of members (diamond) and of people outside (upright bar){self.by}, {self.unit}; and "
            "their difference, percentage points, with its 95 % interval. Grey, hollow: the interval holds 0, so "
            "that no difference can be shown."
        ]
        if any(row.parts for row in self.rows):
            sentences.append(
                "Above each interval that is drawn: the parts of the difference, from 0 outwards (keys found green, "
                "claim made brown, claim right violet); they compare different people."
            )
        if any(row.same for row in self.rows):
            sentences.append(
                "Beneath it, hollow: members less people outside with the same keys, with its interval; it alone can "
                "show that answers leaked."
            )
        if self.absolute is not None or self.relative is not None:
            sentences.append("Dashed: the office's limit.")
        return " ".join(sentences)

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        listed = "; ".join(
            f"{row.target}: members {fixed(row.members)}, people outside {fixed(row.outside)}, difference "
            f"{fixed(row.difference, sign=True)} ({fixed(row.low, sign=True)} to {fixed(row.high, sign=True)})"
            f"{', ' * bool(row.decision)}{row.decision}{_made_of(row)}"
            for row in self.rows
        )
        more = f"; {self.more}" if self.more else ""
        return f"{self.title}, {self.unit}, with 95 % intervals of the difference in percentage points. {listed}{more}."


def _made_of(row: OutsideRow) -> str:
    """Return the parts and M in words, as they stand in the sentence."""
    parts = "".join(f", {name} {fixed(points, sign=True)}" for name, points in row.parts)
    if row.same is None:
        return parts
    points, low, high = (fixed(x, sign=True) for x in row.same)
    return f"{parts}, same keys {points} ({low} to {high})"


def describe(baseline: AttributeBaseline, measure: str, limit: Limit) -> OutsidePlot:
    """Return the plot of `AttributeBaseline.summary(measure, limit)`, the largest figure of members first.

    Raises
    ------
    DisclosureError
        When there is no such measure.

    Source
    ------
    consensus.md 3.2.
    """
    parts: dict[str, list[tuple[str, float]]] = {}
    for part in baseline.parts[baseline.parts["measure"] == measure].to_dict("records"):
        parts.setdefault(part["target"], []).append((part["part"], part["points"]))
    evaluated = baseline.same_keys[baseline.same_keys["why"] == ""] if measure == "DiSCO" else baseline.same_keys[:0]
    same = {r["target"]: (r["points"], r["low"], r["high"]) for r in evaluated.to_dict("records")}
    rows = tuple(
        OutsideRow(
            r["target"], r["members"], r["non_members"], r["difference"], r["low"], r["high"], r["result"],
            tuple(parts.get(r["target"], ())), same.get(r["target"]),
        )
        for r in baseline.summary(measure, limit).iloc[::-1].to_dict("records")
    )  # fmt: skip
    return OutsidePlot(measure, baseline.n_training, baseline.n_holdout, rows, limit.absolute, limit.relative)


def describe_keys(baseline: IdentityBaseline) -> OutsidePlot:
    """Return the same of replicated uniques: one row, which no limit judges.

    Source
    ------
    consensus.md 4.2.
    """
    (r,) = baseline.summary().to_dict("records")
    row = OutsideRow("all keys", r["members"], r["non_members"], r["difference"], r["low"], r["high"], "")
    return OutsidePlot("repU", baseline.n_training, baseline.n_holdout, (row,))
