"""Measures by the number of records released: DiSCO against TCAPs target by target, or all of one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.figures.palette import Side

LINES: tuple[tuple[str, str, Side, str], ...] = (
    ("DiSCO", "N_d", "synthetic", "solid"),
    ("TCAPs", "N_s", "second", "solid"),
    ("TCAPb", "N_b", "third", "solid"),
    ("TCAP", "N_bp", "fourth", "solid"),
    ("DCAPd", "N_d", "synthetic", "dot"),
    ("DCAPs", "N_s", "second", "dot"),
    ("DCAPb", "N_b", "third", "dot"),
)
"""Measure, denominator, and how its line looks: the mark tells the denominator, the line the numerator."""

PAIR = LINES[:2]
"""The two that are the same where as many records are released as there are original ones."""

_ACROSS = "synthetic records released"


def describe(bands: pd.DataFrame, *targets: str) -> CurvePlot:
    """Return the measures of paper 000's Table 1, a frame a target, from `release_size.bands`; means over the draws.

    Source
    ------
    Paper 000, Figure 2, which has three frames and one legend.
    """
    frames = {name: bands[bands["target"] == name] for name in targets}
    panels = tuple(
        Panel(
            name if len(targets) > 1 else "",
            tuple(_curve(rows, measure, side, dash, f" (of {over})") for measure, over, side, dash in LINES),
        )
        for name, rows in frames.items()
    )
    of = f"target {targets[0]}" if len(targets) == 1 else "a frame a target"
    return CurvePlot(
        f"DiSCO, TCAP and DCAP of {', '.join(targets)} by the number of records released",
        _ACROSS,
        f"% of what stands in brackets, {of}",
        _at(frames[targets[0]]),
        panels,
        steps=True,
        caption="Means over random draws. Solid lines count people of whom the right answer is claimed with certainty, "
        "dotted ones add up the probabilities of the right answer. N_d: original records; N_s: synthetic records "
        "released; N_b: those of them with known keys; N_bp: those of these that claim one answer. Only figures over "
        "N_d fall as fewer are released.",
        target=targets[0] if len(targets) == 1 else "",
    )


def describe_pair(bands: pd.DataFrame, targets: tuple[str, ...]) -> CurvePlot:
    """Return DiSCO against TCAPs by the records released, a frame a target on one scale, with bands of the draws.

    Source
    ------
    Paper 000, section 3.3.2: the pair that diverges below N_d records.
    """
    frames = dict(iter(bands.groupby("target", sort=False)))
    panels = tuple(
        Panel(name, tuple(_curve(frames[name], m, side, dash, band=True) for m, _, side, dash in PAIR))
        for name in targets
    )
    return CurvePlot(
        "DiSCO and TCAPs by the number of records released",
        _ACROSS,
        "% of the original records (DiSCO), of the synthetic records released (TCAPs)",
        _at(frames[targets[0]]),
        panels,
        "5 to 95 % of draws",
        steps=True,
        caption="Both count the same people; TCAPs divides by the records released, and so rises as they become fewer.",
    )


def _curve(rows: pd.DataFrame, measure: str, side: Side, dash: str, over: str = "", *, band: bool = False) -> Curve:
    mine = rows[rows["measure"] == measure]
    low, high = (tuple(mine[name].tolist()) if band else () for name in ("low", "high"))
    return Curve(f"{measure}{over}", side, tuple(mine["mean"].tolist()), low, high, dash)


def _at(rows: pd.DataFrame) -> tuple[float, ...]:
    return tuple(rows[rows["measure"] == "DiSCO"]["n_synthetic"].tolist())
