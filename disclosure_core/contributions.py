"""What DiSCO is made of: how many records its claims rest on, and which levels carry it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

if TYPE_CHECKING:
    from disclosure_core.assessment import TargetRisk
    from disclosure_core.cells import Counted

BINS = (1, 2, 3, 6, 11)
"""Where each class of a histogram begins; the last is open."""


def bin_labels() -> tuple[str, ...]:
    """Return what the classes of `BINS` are called: "1", "2", "3–5" and so on."""
    ends = [str(a) if b == a + 1 else f"{a}–{b - 1}" for a, b in pairwise(BINS)]
    return (*ends, f"> {BINS[-1] - 1}")


def by_size(risk: TargetRisk, of: str) -> pd.DataFrame:
    """Return how large the cells are that DiSCO counts.

    Parameters
    ----------
    risk
        One target.
    of
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
        found = _found(c)
        at = np.digitize((c.cells.d if of == "original" else c.cells.s)[found], BINS) - 1
        cells += np.bincount(at, weights=c.cells.times(np.ones(c.d.shape, dtype=np.int64))[found], minlength=len(BINS))
        records += np.bincount(at, weights=c.cells.times(c.d)[found], minlength=len(BINS))
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
    first.keys.need_records()
    columns = (first.column, *first.keys.keys)
    parts = []
    for number, column in enumerate(columns):
        found, whole = np.zeros(column.n_codes), np.zeros(column.n_codes)
        for c in risk.counted:
            level = c.cells.keys.levels[number - 1][c.cells.q] if number else c.cells.target
            found += np.bincount(level, weights=c.d * c.cells.disclosive_synthetic, minlength=column.n_codes)
            whole += np.bincount(level, weights=c.d, minlength=column.n_codes)
        held = np.flatnonzero(found)
        parts.append((np.full(held.size, number), held, found[held], whole[held]))
    numbers, codes, found, whole = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.lexsort((codes, numbers, -found))[:most]
    total = found[numbers == 0].sum()
    return pd.DataFrame(
        {
            "column": [columns[i].name for i in numbers[order].tolist()],
            "level": [columns[i].label(c) for i, c in zip(numbers[order].tolist(), codes[order].tolist(), strict=True)],
            "records": found[order] / len(risk.counted),
            "pct": 100 * found[order] / total,
            "pct_of_level": 100 * found[order] / whole[order],
        }
    ).astype({"column": "str", "level": "str"})


def _found(c: Counted) -> npt.NDArray[np.intp]:
    """Return the cells that DiSCO counts."""
    return np.flatnonzero(c.cells.disclosive_synthetic & (c.d > 0))
