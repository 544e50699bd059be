"""Sets of syntheses side by side, a row a target: DiSCO of each, what the original has, and what lies above outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.comparison.candidates import Candidate, Risk
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.comparison.comparison import Comparison


@dataclass(frozen=True, slots=True)
class SetsRow:
    """One target.

    Attributes
    ----------
    target
        Name of the column.
    values
        DiSCO of each set, % of the original records, mean over its syntheses.
    told
        Whether each is told apart from the first set, by the interval over syntheses; else it is hollow.
    original
        Dorig, as the first set sees the original, %.
    above, above_told
        The same of members less people outside, percentage points; empty without people outside.
    """

    target: str
    values: tuple[float, ...]
    told: tuple[bool, ...]
    original: float
    above: tuple[float, ...] = ()
    above_told: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class SetsPlot:
    """Every target by set, the largest DiSCO of the first set first.

    Attributes
    ----------
    sets
        Names, the one that the others are compared with first.
    n_original
        N_d, the records that 100 % stands for.
    rows
        Top to bottom.
    more
        What stands in place of targets that are not drawn.
    reach, reach_above
        How far the axes go at least: parts of one figure have one axis. The second has two ends.
    """

    sets: tuple[str, ...]
    n_original: int
    rows: tuple[SetsRow, ...]
    more: str = ""
    reach: float = 0.0
    reach_above: tuple[float, float] = (0.0, 0.0)

    @property
    def n_parts(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def part(self, start: int, stop: int) -> SetsPlot:
        """Return some of the rows, on the axes of all."""
        rows = self.rows[start:stop]
        return replace(self, rows=rows, reach=self.furthest, reach_above=self.differences, more="")

    def first(self, n: int) -> SetsPlot:
        """Return the first n rows, and say how many more there are."""
        rest = len(self.rows) - n
        return replace(self, rows=self.rows[:n], more=f"and {rest:,} more") if rest > 0 else self

    @property
    def furthest(self) -> float:
        """The largest figure shown, %, and 1 at least."""
        return max([1.0, self.reach, *(v for row in self.rows for v in (*row.values, row.original))])

    @property
    def differences(self) -> tuple[float, float]:
        """The smallest and the largest difference from people outside, 0 among them, percentage points."""
        ends = [*self.reach_above, *(v for row in self.rows for v in row.above)]
        return min(0.0, *ends), max(0.0, *ends)

    @property
    def outside(self) -> bool:
        """Whether people outside are compared."""
        return any(row.above for row in self.rows)

    @property
    def title(self) -> str:
        """What the figure shows."""
        return "DiSCO of each set, by target"

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.n_original:,} original records"

    @property
    def note(self) -> str:
        """What a hollow mark means; empty where there is none."""
        hollow = any(not told for row in self.rows for told in (*row.told, *row.above_told))
        return f"Hollow: not told apart from {self.sets[0]} by the 95 % interval over syntheses." if hollow else ""

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        right = "; at the right, members less people outside, percentage points" if self.outside else ""
        bar = "upright bar: Dorig of the original"
        words = f"DiSCO of each set by target, mean over its syntheses, {self.unit}; {bar}{right}."
        return f"{words} {self.note}".strip()

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        listed = "; ".join(
            f"{row.target}: {', '.join(map(_of_set, self.sets, row.values, row.told))}, Dorig {fixed(row.original)}"
            + (f", above people outside {', '.join(fixed(v, sign=True) for v in row.above)}" if row.above else "")
            for row in self.rows
        )
        return f"{self.title}, {self.unit}. {listed}{f'; {self.more}' if self.more else ''}."


def _of_set(name: str, value: float, told: bool) -> str:
    return f"{name} {fixed(value)}{'' if told else ' (not told apart)'}"


def heads(places: Sequence[float], widths: Sequence[float], left: float, right: float) -> list[tuple[float, int]]:
    """Return the middle and the line of each name above its mark: names that would meet stand in further lines.

    Parameters
    ----------
    places, widths
        Of each mark, and how wide its name is, in one unit.
    left, right
        Between which names stand.
    """
    ends: list[float] = []
    found: dict[int, tuple[float, int]] = {}
    for i in sorted(range(len(places)), key=lambda i: places[i]):
        half = widths[i] / 2
        middle = max(min(places[i], right - half), left + half)
        line = next((k for k, end in enumerate(ends) if end <= middle - half), len(ends))
        ends[line : line + 1] = [middle + half]
        found[i] = (middle, line)
    return [found[i] for i in range(len(places))]


def describe(compared: Comparison) -> SetsPlot:
    """Return every target by set; nothing that weighs disclosure against usefulness.

    Source
    ------
    measures.md 11.
    """
    first = compared.candidates[0]
    outside = all(each.above for each in compared.candidates)
    rows = []
    for target in sorted(compared.targets, key=lambda t: -_mean(first, Risk("DiSCO", t))):
        risk, above = Risk("DiSCO", target), Risk("DiSCO", target, above=True)
        values, told = _side_by_side(compared, risk)
        rows.append(
            SetsRow(
                target,
                values,
                told,
                float(first.figures["Dorig", target].mean()),
                *(_side_by_side(compared, above) if outside else ()),
            )
        )
    return SetsPlot(compared.names, first.n_original, tuple(rows))


def _side_by_side(compared: Comparison, risk: Risk) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """Return the means of every set, and whether each is told apart from the first."""
    first = compared.names[0]
    values = tuple(_mean(each, risk) for each in compared.candidates)
    return values, tuple(compared.told_apart(name, first, risk) for name in compared.names)


def _mean(each: Candidate, risk: Risk) -> float:
    figures = each.of(risk)
    return float("nan") if figures is None else float(figures.mean())
