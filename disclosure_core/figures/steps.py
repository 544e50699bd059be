"""The steps of an intruder for one target, from all people to those of whom something right is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting import registry
from disclosure_core.counting.measures import EXCLUSION_ROWS
from disclosure_core.figures.shapes import Bar, BarPlot, mean_of
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk


STEPS = (
    ("original", "All people in the original"),
    *((name, f"{name}: {registry.BY_NAME[name].plain.removeprefix('… ')}") for name in registry.STEPS),
    ("Dorig", "Dorig, to compare: the original itself"),
)
"""The steps an intruder takes, by the row of `EXCLUSION_ROWS` that counts them."""


def describe(risk: TargetRisk) -> BarPlot:
    """Return the steps of an intruder for one target, records, means over the syntheses.

    Source
    ------
    measures.md 4; paper 000, section 3.
    """
    rows = [EXCLUSION_ROWS.index(row) for row, _ in STEPS]
    tables = np.array(risk.excluded_records)[:, rows]
    left, whole = tables[:, :, -1].mean(axis=0), tables.sum(axis=2).mean(axis=0)
    something = bool((left != whole).any())
    n = risk.counted[0].cells.n_original
    bars = tuple(
        Bar(
            label,
            float(a),
            float(b) if something else None,
            f"{fixed(100 * a / n)} % of all {n:,} original records",
            side="original" if row in ("original", "Dorig") else "synthetic",
        )
        for (row, label), a, b in zip(STEPS, left, whole, strict=True)
    )
    return BarPlot(
        f"The steps of an intruder who looks for {risk.target}",
        f"{mean_of(len(tables))}records of {n:,} in the original, target {risk.target}",
        bars,
        "still counted" if something else "records",
        "nothing excluded" if something else "",
        what="step",
        target=risk.target,
    )
