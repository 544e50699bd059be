"""What DiSCO is made of: how many records its claims rest on, and which levels carry it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk

BINS = (1, 2, 3, 6, 11)
"""Where each class of a histogram begins; the last is open."""


def bin_labels() -> tuple[str, ...]:
    """Return what the classes of `BINS` are called: "1", "2", "3–5" and so on."""
    ends = [str(a) if b == a + 1 else f"{a}–{b - 1}" for a, b in pairwise(BINS)]
    return (*ends, f"> {BINS[-1] - 1}")


def by_size(risk: TargetRisk, side: str) -> pd.DataFrame:
    """Return how large the cells are that DiSCO counts.

    Parameters
    ----------
    risk
        One target.
    side
        "original": by denominators, the original records in the cell. "synthetic": by claims, the synthetic records
        that say the same.

    Returns
    -------
    DataFrame
        A row a class of `BINS`: size; cells and records, means over the syntheses, that the exclusions leave. The
        records of all classes sum to what DiSCO counts.

    Source
    ------
    measures.md 4, max_denom and max_claim, as distributions.
    """
    cells, records = np.zeros(len(BINS)), np.zeros(len(BINS))
    for c in risk.counted:
        disclosed = c.disclosed
        bins = np.digitize((c.cells.d if side == "original" else c.cells.s)[disclosed], BINS) - 1
        cells += np.bincount(bins, weights=np.ones(c.d.shape, dtype=np.int64)[disclosed], minlength=len(BINS))
        records += np.bincount(bins, weights=c.d[disclosed], minlength=len(BINS))
    m = len(risk.counted)
    return pd.DataFrame({"size": bin_labels(), "cells": cells / m, "records": records / m})


def by_level(risk: TargetRisk, most: int | None = None) -> pd.DataFrame:
    """Return which levels carry DiSCO: of the target, and of each key.

    Parameters
    ----------
    risk
        One target.
    most
        Rows returned, the largest; None: all.

    Returns
    -------
    DataFrame
        Columns column and level; records, those of DiSCO with that level, mean over the syntheses; pct, of all that
        DiSCO counts; pct_of_level, of the original records counted with that level. Most records first; the records
        of one column's levels sum to what DiSCO counts.
    """
    first = risk.counted[0].cells
    columns = (first.column, *first.keys.keys)
    parts = []
    for number, column in enumerate(columns):
        disclosed, counted = np.zeros(column.n_codes), np.zeros(column.n_codes)
        for c in risk.counted:
            level = c.cells.keys.levels[number - 1][c.cells.q] if number else c.cells.target
            disclosed += np.bincount(level[c.disclosed], weights=c.d[c.disclosed], minlength=column.n_codes)
            counted += np.bincount(level, weights=c.d, minlength=column.n_codes)
        present = np.flatnonzero(disclosed)
        parts.append((np.full(present.size, number), present, disclosed[present], counted[present]))
    numbers, codes, disclosed, counted = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.lexsort((codes, numbers, -disclosed))[:most]
    total = disclosed[numbers == 0].sum()
    return pd.DataFrame(
        {
            "column": [columns[i].name for i in numbers[order].tolist()],
            "level": [columns[i].label(c) for i, c in zip(numbers[order].tolist(), codes[order].tolist(), strict=True)],
            "records": disclosed[order] / len(risk.counted),
            "pct": 100 * disclosed[order] / total,
            "pct_of_level": 100 * disclosed[order] / counted[order],
        }
    ).astype({"column": "str", "level": "str"})
