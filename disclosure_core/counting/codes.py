"""Integer codes: ranked, combined, counted, in arrays no longer than a few times the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.arrays import Counts, Indices, Ints, Signed

if TYPE_CHECKING:
    from disclosure_core.data.column import Codes


DENSE = 4
"""Codes are counted in an array of their whole range where that is no longer than this many times the records."""

_MOST = 2**62
"""Combined codes stay below this; beyond it they are ranked on the way."""


def ranked_codes(sides: Sequence[Codes], radix: Sequence[int]) -> tuple[Indices, int]:
    """Return each record's rank among the combinations that occur, and how many there are.

    `sides` holds an array of codes a variable, shape (n,) each, every code below its `radix`.
    """
    codes, size = sides[0].astype(np.int64), radix[0]
    for side, r in zip(sides[1:], radix[1:], strict=True):
        if size > _MOST // r:
            codes, size = distinct(codes, size)
        codes = codes * r + side
        size *= r
    return distinct(codes, size)


def distinct(codes: Ints, size: int, dense: int = DENSE) -> tuple[Indices, int]:
    """Return a number of each of `codes`, all below `size`, among those that occur, and how many do.

    Up to a size of `dense` times the codes it is their rank.
    """
    if size <= dense * codes.size:
        seen = np.zeros(size, dtype=bool)
        seen[codes] = True
        rank = np.cumsum(seen, dtype=np.int32 if size < 2**31 else np.intp)
        return rank[codes].astype(np.intp) - 1, int(rank[-1])
    ranks, values = pd.factorize(codes)
    return ranks, len(values)


def summed(codes: Ints, weights: Counts, size: int, dense: int = DENSE) -> tuple[Ints, Counts]:
    """Return the distinct `codes`, all below `size`, rising, and the sum of the `weights` of each, none of them 0."""
    if size <= dense * codes.size:
        sums = np.bincount(codes, weights=weights, minlength=size)
        present = np.flatnonzero(sums > 0)
        return present, sums[present].astype(np.int64)
    at, values = pd.factorize(codes, sort=True)
    return np.asarray(values), np.bincount(at, weights=weights).astype(np.int64)


def places(codes: Ints, wanted: Ints) -> Indices:
    """Return where each of the `wanted` stands among different `codes`, in no order; some place where it does not."""
    order = np.argsort(codes)
    return order[np.minimum(np.searchsorted(codes, wanted, sorter=order), codes.size - 1)]


def narrow(indices: npt.NDArray[np.integer[Any]], size: int) -> Signed:
    """Return indices below `size` in the smallest signed type that holds them and −2."""
    return indices.astype(np.min_scalar_type(-max(size, 2)))
