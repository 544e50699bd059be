"""One measure of one target against the share of a synthesis that is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.measures import beside_TCAPi
from disclosure_core.counting.registry import BY_NAME
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    import pandas as pd


def describe(bands: pd.DataFrame, target: str, measure: str, denominator_limit: int | None = None) -> CurvePlot:
    """Return one measure of one target against the share of a synthesis released, from `release_size.bands`."""
    rows = bands[(bands["target"] == target) & (bands["measure"] == measure)]
    x, y, low, high = (tuple(rows[name].tolist()) for name in ("share", "mean", "low", "high"))
    panel = Panel("", (Curve(measure, "synthetic", y, low, high),))
    unit = f"{measure}, % of the {BY_NAME[measure].of}, target {target}"
    beside = beside_TCAPi(denominator_limit) if measure == "TCAPi" else ""
    across = "% of a synthesis released"
    return CurvePlot(
        f"{measure} of {target}",
        across,
        unit,
        x,
        (panel,),
        "5 to 95 % of draws",
        steps=True,
        caption=beside,
        target=target,
    )
