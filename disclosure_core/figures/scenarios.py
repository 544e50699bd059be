"""What is disclosed of one target in each scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Bar, BarPlot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.counting.assessment import Assessment


def describe(found: Sequence[tuple[str, Assessment]], target: str) -> BarPlot:
    """Return what is disclosed of one target in each scenario, % of the original records."""
    bars = tuple(
        Bar(name, float(a.targets[target].figures("DiSCO").mean()), float(a.targets[target].figures("Dorig").mean()))
        for name, a in found
    )
    n = found[0][1].n_original
    unit = f"% of {n:,} original records, target {target}"
    title = f"DiSCO of {target} in each scenario"
    return BarPlot(title, unit, bars, "DiSCO", "Dorig", what="scenario", side="original")
