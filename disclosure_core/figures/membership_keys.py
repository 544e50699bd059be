"""How well members are told from others, by the number of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    import pandas as pd


def describe(curve: pd.DataFrame, measure: str) -> CurvePlot:
    """Return a figure against the number of keys: the mean over the subsets of each size, and their range."""
    x, y, low, high = (tuple(curve[name].astype(float).tolist()) for name in ("n_keys", "mean", "min", "max"))
    panel = Panel("", (Curve(measure, "synthetic", y, low, high),))
    return CurvePlot(
        f"{measure} by number of keys",
        "keys known",
        measure,
        x,
        (panel,),
        "subsets of that size that were searched",
        steps=True,
    )
