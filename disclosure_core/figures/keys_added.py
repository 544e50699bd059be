"""How identity disclosure grows as the keys are added one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """

    steps: tuple[str, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    n_original: int

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
        ends = ", ".join(f"{name} from {fixed(v[0])} to {fixed(v[-1])}" for name, v in self.lines)
        if len(self.steps) == 1:
            alone = ", ".join(f"{name} {fixed(v[0])}" for name, v in self.lines)
            return f"{self.steps[0]} is the only key: {alone}, {self.unit}."
        return f"As {len(self.steps)} keys are added one at a time, {ends}, {self.unit}."


def describe(frame: pd.DataFrame, n_original: int) -> GrowthPlot:
    """Return the plot of what `identity_by_keys` computed: UiO and repU, means over the syntheses."""
    lines = tuple((name, tuple(frame[name].tolist())) for name in ("UiO", "repU"))
    return GrowthPlot(tuple(frame["key"]), lines, n_original)
