"""What an engine's records with the same keys have, for near misses: smallest and largest code of their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting.near_misses import Ranges, Said, ranges
from disclosure_core.engines.merged import MergedCounted

if TYPE_CHECKING:
    import pandas as pd
    from ibis.expr import types as ir

    from disclosure_core.counting.cells import Mask
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.engines.query import TargetCells

_SIDES = ("d", "s")


@ranges.register(MergedCounted)
def _(counted: MergedCounted, is_number: Mask) -> Ranges:
    cells = counted.cells
    others = np.flatnonzero(~is_number).tolist()
    rows = cells.source.once(
        (cells.out, tuple(others)), lambda: _asked(cells.source, cells.out, others, is_number.size)
    )
    rows = rows[rows["i"] == cells.i]
    original, synthetic = (_said(rows, side) for side in _SIDES)
    return Ranges(rows["t"].to_numpy(np.int64), rows["records"].to_numpy(np.int64), synthetic, original)


def _asked(source: TargetCells, exclusions: Exclusions, others: list[int], n_codes: int) -> pd.DataFrame:
    """Return a row a kind of counted cell: i, t, records, and of each side low, high, level and other."""
    cells = source.with_keys(exclusions)
    number = cells.t.notin(others)
    of_sides: dict[str, ir.Value] = {}
    for side in _SIDES:
        held = cells[side] > 0
        of_sides |= {
            f"{side}_low": (held & number).ifelse(cells.t, n_codes).min(),
            f"{side}_high": (held & number).ifelse(cells.t, -1).max(),
            f"{side}_level": (held & ~number).ifelse(cells.t, -1).max(),
            f"{side}_other": (held & ~number).ifelse(1, 0).sum(),
        }
    by_q = cells.group_by(["i", *source.q]).agg(**of_sides)
    counted = cells.filter((cells.d > 0) & (cells.kind == 0)).select("i", *source.q, "t", "d")
    joined = counted.join(by_q, ["i", *source.q])
    merged = joined.group_by(["i", "t", *of_sides]).agg(records=joined.d.sum())
    return source.study.fetch(f"the ranges of {source.what}", merged)


def _said(rows: pd.DataFrame, side: str) -> Said:
    low, high, level, other = (rows[f"{side}_{name}"].to_numpy(np.int64) for name in ("low", "high", "level", "other"))
    numbers = (high >= 0) & (other == 0)
    return Said(np.where(numbers, low, -1), np.where(numbers, high, -1), np.where((other == 1) & (high < 0), level, -1))
