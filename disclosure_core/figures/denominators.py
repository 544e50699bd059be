"""How many records a disclosure rests on: original records of a cell, or synthetic records that claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.figures.shapes import Bar, BarPlot, mean_of
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.contributions import BINS, by_size

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk


def describe(full: TargetRisk, of: str, limit: int | None = None) -> BarPlot:
    """Return how many records stand in cells of each size, with nothing excluded.

    Parameters
    ----------
    full
        One target, with nothing excluded: a limit would otherwise hide what it cuts off.
    of
        "original": denominators. "synthetic": the records that a claim rests on.
    limit
        The denominator limit, shown as a line among the denominators.
    """
    frame = by_size(full, of)
    rows = zip(frame["size"], frame["cells"], frame["records"], strict=True)
    bars = tuple(Bar(size, records, told=f"in {fixed(cells, 1)} cells") for size, cells, records in rows)
    line = None
    if limit is not None and of == "original":
        line = _position_of_limit(limit), f"limit of {limit:,}"
    what = (
        "Denominators: original records in the same cell"
        if of == "original"
        else "Claims: synthetic records that say so"
    )
    n = full.counted[0].cells.n_original
    unit = f"{mean_of(len(full.counted))}records that DiSCO counts, of {n:,}, target {full.target}"
    across = "original records in the cell" if of == "original" else "synthetic records that claim it"
    title = f"{what}, {full.target}"
    return BarPlot(title, unit, bars, "DiSCO records", upright=True, limit=line, what=across, target=full.target)


def _position_of_limit(limit: int) -> float:
    """Return after how many classes of `BINS` a limit stands; within a class in proportion, in the last at its edge."""
    at = int(np.searchsorted(BINS, limit, side="right"))
    if at == len(BINS):
        return at - 0.05
    width = BINS[at] - BINS[at - 1]
    return at - 1 + (limit - BINS[at - 1] + 1) / width
