"""How near tables of one and two columns are to the original's, counted a second time over dictionaries.

As `counter.py`, this file imports nothing of the program but that.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isnan, log2, nan
from typing import TYPE_CHECKING

from disclosure_core.verify.counter import mean

if TYPE_CHECKING:
    from disclosure_core.verify.counter import Row
    from disclosure_core.verify.levels import Data


def table(data: Data, names: Sequence[str]) -> Row:
    """Return the measures of one table: means over the syntheses that have an answer, and the spread of S_pMSE."""
    each = [_measures(data, names, i) for i in range(1, data.m + 1)]
    scores = [row["S_pMSE"] for row in each if not isnan(row["S_pMSE"])]
    found = {measure: mean([row[measure] for row in each]) for measure in each[0]}
    ends = {"min": min(scores), "max": max(scores)} if scores else {"min": nan, "max": nan}
    return found | {"S_pMSE": mean(scores) if scores else nan} | ends


def _measures(data: Data, names: Sequence[str], i: int) -> Row:
    d, s = data.by(names, 0), data.by(names, i)
    n_d, n_s = data.n[0], data.n[i]
    cells, share = {*d, *s}, n_s / (n_d + n_s)
    apart = {q: s[q] - d[q] * n_s / n_d for q in cells}
    vw = fsum(apart[q] ** 2 / (share * (d[q] + s[q])) for q in cells)
    right = sum(s[q] if s[q] * n_d > d[q] * n_s else d[q] for q in cells)
    halves = [(d[q] / n_d, s[q] / n_s) for q in cells]
    bits = [x * log2(2 * x / (a + b)) for a, b in halves for x in (a, b) if x]
    return {
        "cells": len(cells),
        "S_pMSE": vw / (len(cells) - 1) if len(cells) > 1 else nan,
        "pMSE": vw * share * (1 - share) ** 2 / (n_d + n_s),
        "PO50": 100 * right / (n_d + n_s) - 50,
        "MabsDD": fsum(map(abs, apart.values())) / n_s,
        "JSD": fsum(bits) / 2,
    }
