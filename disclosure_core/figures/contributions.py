"""The levels of target and keys that carry DiSCO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Bar, BarPlot, mean_of
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.contributions import by_level

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk


def describe(risk: TargetRisk, most: int = 12) -> BarPlot:
    """Return the levels of target and keys that carry DiSCO, the largest on top."""
    rows = by_level(risk, most + 1).to_dict("records")
    title = f"Levels that carry the disclosure of {risk.target}"
    if len(rows) > most:
        title = f"The {most} levels that carry most of the disclosure of {risk.target}"
    bars = tuple(
        Bar(
            f"{r['column']} = {r['level']}",
            r["records"],
            told=f"{fixed(r['pct'], 1)} % of DiSCO; {fixed(r['pct_of_level'], 1)} % of the people with this level",
            about=(r["column"], r["level"]),
            around=("", f" = {r['level']}"),
        )
        for r in rows[:most]
    )
    n = risk.counted[0].cells.n_original
    unit = f"{mean_of(len(risk.counted))}records that DiSCO counts, of {n:,}, target {risk.target}"
    return BarPlot(title, unit, bars, "DiSCO records", what="level", target=risk.target)
