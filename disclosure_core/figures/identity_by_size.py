"""repU against UiOiS by the number of records released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.figures.palette import Side

LINES: tuple[tuple[str, Side, str], ...] = (("UiOiS", "second", "solid"), ("repU", "synthetic", "dash"))


def describe(bands: pd.DataFrame, whole: Assessment) -> CurvePlot:
    """Return repU and UiOiS by the records released, from `release_size.identity_bands`, under UiO."""
    of = {measure: bands[bands["measure"] == measure] for measure, *_ in LINES}
    at = tuple(of["repU"]["n_synthetic"].tolist())
    uio = float(whole.identity["UiO"].mean())
    curves = [Curve("UiO", "original", (uio,) * len(at))]
    for name, side, dash in LINES:
        mean, low, high = (tuple(of[name][column].tolist()) for column in ("mean", "low", "high"))
        curves.append(Curve(name, side, mean, low, high, dash))
    return CurvePlot(
        "repU and UiOiS by the number of records released",
        "synthetic records released",
        f"% of {whole.n_original:,} original records",
        at,
        (Panel("", tuple(curves)),),
        "5 to 95 % of draws",
        steps=True,
        caption="Of the people who are unique on the keys in the original (UiO), those whose keys occur in what is "
        "released (UiOiS), and those who are unique there too (repU); means over random draws.",
    )
