"""Where a synthesis is poor: S_pMSE of every table of two columns, each once, and of each column alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from disclosure_core.protection.usefulness import POOR, Usefulness
from disclosure_core.rounding import fixed

WRITTEN = 15
"""Columns up to which each figure is written in its square."""


@dataclass(frozen=True, slots=True)
class HeatPlot:
    """Columns by columns, each table once: a triangle.

    Attributes
    ----------
    name
        What the set of syntheses is called.
    columns
        Their names, the one whose tables are poorest in the mean first.
    values
        Shape (n, n): a figure a table; NaN where there is none. Those left of and on the diagonal are drawn.
    n_syntheses
        How many syntheses the figures are means over.
    most
        The figure from which on a square is as dark as it gets.
    rows
        The rows that are drawn, from and up to; all where it is empty.
    more
        What stands in place of rows that are not drawn.
    """

    name: str
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    n_syntheses: int
    most: float = POOR
    rows: tuple[int, ...] = ()
    more: str = ""

    @property
    def drawn(self) -> range:
        """The rows that are drawn."""
        return range(*self.rows) if self.rows else range(len(self.columns))

    @property
    def n_parts(self) -> int:
        """How many rows there are."""
        return len(self.drawn)

    def part(self, start: int, stop: int) -> HeatPlot:
        """Return some of the rows, with all columns."""
        begin = self.drawn.start
        return replace(self, rows=(begin + start, min(begin + stop, self.drawn.stop)), more="")

    def first(self, n: int) -> HeatPlot:
        """Return the first n rows, and say how many more there are."""
        return replace(self.part(0, n), more=f"and {self.n_parts - n:,} more") if self.n_parts > n else self

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"Usefulness of every table of two columns: {self.name}"

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        mean = ", mean over the syntheses" * (self.n_syntheses > 1)
        return (
            f"S_pMSE of each table of two columns, and of each column alone on the diagonal{mean}; 1 is what a correct "
            f"synthesis gives on average. Squares are darkest from {self.most:.0f} on; an empty one has no answer. "
            "The poorest column first."
        )

    @property
    def squares(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each square that is drawn."""
        return tuple((i, j) for i in self.drawn for j in range(i + 1))

    def written(self, i: int, j: int) -> str:
        """Return what stands in a square, where there is room: its figure, with one digit below 10."""
        value = self.values[i][j]
        if len(self.columns) > WRITTEN or math.isnan(value):
            return ""
        one = fixed(value, 1)
        return one if len(one) < 4 else fixed(value, 0)

    def shade(self, i: int, j: int) -> float:
        """Return how dark a square is, 0 to 1."""
        value = self.values[i][j]
        return 0.0 if math.isnan(value) else min(max(value, 0.0) / self.most, 1.0)

    @property
    def sentence(self) -> str:
        """The figure in words: its worst tables."""
        squares = [
            (value, self.columns[i], self.columns[j])
            for i, row in enumerate(self.values)
            for j, value in enumerate(row[: i + 1])
            if not math.isnan(value)
        ]
        worst = sorted(squares, key=lambda square: -square[0])[:5]
        listed = "; ".join(f"{a if a == b else f'{b} by {a}'} {fixed(value)}" for value, a, b in worst)
        return f"{self.title}: S_pMSE of {len(squares):,} tables. The largest: {listed or 'none'}."


def describe(found: Usefulness, name: str) -> HeatPlot:
    """Return the triangle of one set of syntheses, the poorest column first."""
    matrix = found.matrix()
    poor = matrix.mean(axis=1, skipna=True).fillna(-math.inf)
    order = poor.sort_values(ascending=False, kind="stable").index
    values = matrix.loc[order, order].to_numpy().tolist()
    return HeatPlot(name, tuple(map(str, order)), tuple(tuple(row) for row in values), found.n_syntheses)
