"""What is disclosed by how sure a claim must be, τ: one target, or every target in a frame of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.sensitivity.threshold import TAUS
from disclosure_core.sensitivity.threshold import curve as curve_of

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment


def describe(assessment: Assessment, target: str | None = None, chosen: float | None = None) -> CurvePlot:
    """Return what is disclosed with claims at least so sure, from DCAPd (τ = 0) to DiSCO (τ = 1).

    Parameters
    ----------
    assessment
        What is shown.
    target
        One target; all of them, a frame each, the largest DiSCO first, where none is named.
    chosen
        The τ that is in use, shown as a line.

    Source
    ------
    measures.md 5, "The threshold τ".
    """
    names = assessment.summary()["target"].tolist()[::-1] if target is None else [target]
    several = len(assessment.n_synthetic) > 1
    panels = []
    for name in names:
        rows = curve_of(assessment.targets[name])
        original, mean, low, high = (tuple(rows[column].tolist()) for column in ("original", "synthetic", "min", "max"))
        whole = all(of_synthesis.everything for of_synthesis in assessment.targets[name].counted)
        first = ("CAPd ", "DCAPd ") if whole else ("", "")  # with exclusions the left ends are neither
        curves = (
            Curve(f"original, {first[0]}to Dorig", "original", original),
            Curve(f"synthetic, {first[1]}to DiSCO", "synthetic", mean, *((low, high) if several else ())),
        )
        panels.append(Panel(name if target is None else "", curves))
    return CurvePlot(
        f"What claims at least τ sure tell of {target}"
        if target
        else "What claims at least τ sure tell of each target",
        "how sure a claim must be, τ",
        f"% of {assessment.n_original:,} original records" + (f", target {target}" if target else ""),
        TAUS,
        tuple(panels),
        "smallest to largest synthesis" if several else "",
        limit=None if chosen is None else (chosen, f"τ = {chosen:g}"),
    )
