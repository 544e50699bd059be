"""What is disclosed of one target in each scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Bar, BarPlot

if TYPE_CHECKING:
    import pandas as pd


def describe(rows: pd.DataFrame, target: str, n_original: int) -> BarPlot:
    """Return what is disclosed of one target in each scenario, % of the original records."""
    of = rows[rows["target"] == target]
    bars = tuple(Bar(*row) for row in of[["scenario", "DiSCO", "Dorig"]].itertuples(index=False, name=None))
    unit = f"% of {n_original:,} original records, target {target}"
    title = f"DiSCO of {target} in each scenario"
    return BarPlot(title, unit, bars, "DiSCO", "Dorig", what="scenario", side="original", target=target)
