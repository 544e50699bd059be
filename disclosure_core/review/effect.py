"""What the exclusions do to one target: its figures with nothing excluded and after exclusions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting.measures import EXCLUSION_COLUMNS, EXCLUSION_ROWS, percent
from disclosure_core.counting.registry import ATTRIBUTE, CAPS, IDENTITY, IN_RECORDS, MEASURES

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk

MEANINGS = {
    m.name: m.plain[:1].upper() + m.plain[1:]
    for m in MEASURES
    if m.plain and (not m.of_keys or m.name in ("UiO", "repU"))
}
"""The figures that stand beside a target, and what each says."""


def figures(risk: TargetRisk, measure: str) -> Floats:
    """Return any measure of a target, shape (m,): a figure a synthesis."""
    return risk.identity[measure].to_numpy() if measure in IDENTITY else risk.figures(measure)


def counted_records(risk: TargetRisk) -> float:
    """Return the original records still counted, mean over the syntheses."""
    return float(np.mean([records[EXCLUSION_ROWS.index("original"), -1] for records in risk.excluded_records]))


def before_and_after(before: TargetRisk, after: TargetRisk) -> pd.DataFrame:
    """Return figures that stand beside a target with nothing excluded and after exclusions.

    Returns
    -------
    DataFrame
        A row a measure of `MEANINGS`: measure and meaning; before and after in % of all original records, means over
        the syntheses; min and max of after over the syntheses; counted, as after, in % of the original records still
        counted (NaN where none is).
    """
    n, counted = after.counted[0].cells.n_original, counted_records(after)
    rows = []
    for name in MEANINGS:
        was, now = figures(before, name), figures(after, name)
        rows.append(
            {
                "measure": name,
                "meaning": MEANINGS[name],
                "before": was.mean(),
                "after": now.mean(),
                "min": now.min(),
                "max": now.max(),
                "counted": percent(now.mean() * n / 100, counted),
            }
        )
    return pd.DataFrame(rows)


def every_measure(before: TargetRisk, after: TargetRisk) -> pd.DataFrame:
    """Return every measure of a target: measure, unit ("%" or "records"), before and after, means over syntheses."""
    names = [*IDENTITY, *(m for m in ATTRIBUTE if m not in IN_RECORDS), *CAPS, *IN_RECORDS]
    return pd.DataFrame(
        {
            "measure": names,
            "unit": ["records" if m in IN_RECORDS else "%" for m in names],
            "before": [figures(before, m).mean() for m in names],
            "after": [figures(after, m).mean() for m in names],
        }
    )


def by_synthesis(before: TargetRisk, after: TargetRisk) -> pd.DataFrame:
    """Return Dorig and DiSCO of each synthesis: synthesis, from 1, then for each measure "… before" and "…", %."""
    columns: dict[str, object] = {"synthesis": range(1, len(after.counted) + 1)}
    for name in ("Dorig", "DiSCO"):
        columns |= {f"{name} before": figures(before, name), name: figures(after, name)}
    return pd.DataFrame(columns)


def excluded_records(risk: TargetRisk) -> pd.DataFrame | None:
    """Return the records that each kind of exclusion takes, by measure, means over the syntheses; None: none taken."""
    frame = pd.concat(risk.excluded).groupby(level=0, sort=False).mean()
    return frame if frame[list(EXCLUSION_COLUMNS[:-1])].to_numpy().any() else None
