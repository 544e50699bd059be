"""How identity disclosure grows as the keys are added one at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import AT_MOST
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class GrowthPlot:
    """How identity disclosure grows as keys are added one at a time.

    Attributes
    ----------
    steps
        Names of the keys, in the order they are added.
    lines
        Name and values, %, one a step.
    n_original
        N_d, the records that 100 % stands for.
    more
        What stands in place of keys that are not drawn.
    reach
        How far the axis goes at least, %: parts of one figure have one axis.
    begun
        How many keys are added before the first that is drawn.
    at_most
        Whether every figure is a bound, at or above the true one; the axis says so.
    """

    steps: tuple[str, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    n_original: int
    more: str = ""
    reach: float = 0.0
    begun: int = 0
    at_most: bool = False

    @property
    def unit_words(self) -> str:
        """What stands at the axis."""
        return f"{self.unit}{AT_MOST * self.at_most}"

    @property
    def n_parts(self) -> int:
        """How many keys there are."""
        return len(self.steps)

    def part(self, start: int, stop: int) -> GrowthPlot:
        """Return some of the keys, on the axis of all."""
        lines = tuple((name, values[start:stop]) for name, values in self.lines)
        return replace(
            self, steps=self.steps[start:stop], lines=lines, reach=self.furthest, begun=self.begun + start, more=""
        )

    def first(self, n: int) -> GrowthPlot:
        """Return the first n keys, and say how many more there are."""
        return replace(self.part(0, n), more=f"and {len(self.steps) - n:,} more") if len(self.steps) > n else self

    @property
    def furthest(self) -> float:
        """The largest figure shown, %, and 1 at least."""
        return max([1.0, self.reach, *(v for _, values in self.lines for v in values)])

    @property
    def named(self) -> tuple[str, ...]:
        """The keys as the figure names them: "+ age" for each but the first of all."""
        return tuple(name if i + self.begun == 0 else f"+ {name}" for i, name in enumerate(self.steps))

    @property
    def title(self) -> str:
        """What the figure shows."""
        return "Identity disclosure as keys are added"

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        return f"UiO and repU as the keys are added one at a time, in the order shown, {self.unit}."

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.n_original:,} original records"

    @property
    def sentence(self) -> str:
        """The figure in words."""
        more = f"; {self.more}" if self.more else ""
        ends = ", ".join(f"{name} from {fixed(v[0])} to {fixed(v[-1])}" for name, v in self.lines)
        if len(self.steps) == 1 and not self.begun:
            alone = ", ".join(f"{name} {fixed(v[0])}" for name, v in self.lines)
            return f"{self.steps[0]} is the only key: {alone}, {self.unit}."
        return f"As {len(self.steps)} keys are added one at a time, {ends}, {self.unit}{more}."


def describe(frame: pd.DataFrame, n_original: int) -> GrowthPlot:
    """Return the plot of what `identity_by_keys` computed: UiO and repU, means over the syntheses."""
    lines = tuple((name, tuple(frame[name].tolist())) for name in ("UiO", "repU"))
    return GrowthPlot(tuple(frame["key"]), lines, n_original)
