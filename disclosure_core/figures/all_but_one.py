"""Which key matters: identity disclosure with all keys, and with all but one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Bar, BarPlot
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd


def describe(frame: pd.DataFrame, n_original: int) -> BarPlot:
    """Return the plot of what `identity_without_each` computed: all keys on top, then what is left without each.

    The key without which repU falls most comes first.
    """
    every, *rest = frame.to_dict("records")
    rows = sorted(rest, key=lambda row: row["repU"])
    bars = [Bar("all keys", every["repU"], every["UiO"], digits=2)]
    for row in rows:
        moved = row["repU"] - every["repU"]
        told = f"repU changes by {fixed(moved, sign=True)} percentage points"
        label = f"without {row['without']}"
        bars.append(Bar(label, row["repU"], row["UiO"], told, digits=2, around=("without ", "")))
    return BarPlot(
        "Identity disclosure with all keys, and without each",
        f"% of {n_original:,} original records",
        tuple(bars),
        "repU",
        "UiO",
        caption=f"repU, and in brackets UiO, with all keys and with all but one, % of {n_original:,} original records.",
        what="keys known",
        side="original",
    )


def finding(frame: pd.DataFrame) -> str:
    """Return which key makes most people stand out, as a headline."""
    (every, *rest) = frame.to_dict("records")
    if not every["repU"]:
        return "Nobody who is unique matches exactly one synthetic record"
    if not rest:
        return f"With this key alone, repU is {fixed(every['repU'])} %"
    least = min(rest, key=lambda row: row["repU"])
    if least["repU"] < every["repU"] and fixed(least["repU"]) != fixed(every["repU"]):
        return f"Without {least['without']}, repU falls from {fixed(every['repU'])} to {fixed(least['repU'])} %"
    return f"Without any one of the keys, repU stays at {fixed(every['repU'])} % or more"
