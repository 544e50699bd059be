"""The interval of the difference of two means over syntheses."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Floats
from disclosure_core.rounding import compare

if TYPE_CHECKING:
    import numpy.typing as npt

CONFIDENCE = 0.95

BASIS = (
    "95 % interval of the difference of means over the syntheses, by Welch's t: how far another draw of as many "
    "syntheses by the same two methods could lead; safeguards are compared synthesis by synthesis with what they began "
    "as. People, keys and tables are taken as they are. Where no synthesis differs from another there is no interval, "
    "and two are not told apart. Each interval is for itself: of many that are looked at, about "
    "one in twenty misses by chance."
)
"""What the interval says, to be printed beside it."""


def difference_over_syntheses(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[float, float, float]:
    """Return mean(a) − mean(b) and its 95 % interval, low and high; NaN where nothing tells how far chance moves them.

    So it is where a side has one synthesis, and where no synthesis of either side differs from another: counts that
    are equal by chance make no interval of width zero.

    Parameters
    ----------
    a, b
        Shape (m_a,) and (m_b,): a figure a synthesis, of two methods.

    Source
    ------
    Welch (1947), Biometrika 34, 28-35; degrees of freedom by Satterthwaite, rounded down.
    """
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    difference = float(x.mean() - y.mean())
    if min(x.size, y.size) < 2 or (_are_equal(x) and _are_equal(y)):
        return difference, math.nan, math.nan
    v, w = x.var(ddof=1) / x.size, y.var(ddof=1) / y.size
    if v + w == 0:  # smaller than a float
        return difference, math.nan, math.nan
    share = v / (v + w)  # a share of the variance, not its square, is never too small for a float
    freedom = 1 / (share**2 / (x.size - 1) + (1 - share) ** 2 / (y.size - 1))
    half = t_quantile(max(int(freedom + 1e-9), 1)) * math.sqrt(v + w)
    return difference, difference - half, difference + half


def paired_difference(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[float, float, float]:
    """Return the same where a and b, shape (m,), are figures of the same syntheses: before and after safeguards."""
    apart = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    difference = float(apart.mean())
    if apart.size < 2 or _are_equal(apart):
        return difference, math.nan, math.nan
    half = t_quantile(apart.size - 1) * float(apart.std(ddof=1)) / math.sqrt(apart.size)
    return difference, difference - half, difference + half


def _are_equal(figures: Floats) -> bool:
    """Return whether no figure differs from another."""
    return compare(float(figures.max()), float(figures.min())) == 0


@lru_cache(maxsize=256)
def t_quantile(freedom: int) -> float:
    """Return what Student's t of whole degrees of freedom exceeds, either way, with 5 % probability.

    Source
    ------
    Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
    """
    low, high = 0.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """Return the probability that Student's t lies within ±t."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    if freedom % 2:
        term, total = math.cos(angle), 0.0
        for k in range(3, freedom + 1, 2):
            total += term
            term *= square * (k - 1) / k
        return 2 / math.pi * (angle + math.sin(angle) * total)
    term, total = 1.0, 0.0
    for k in range(2, freedom + 1, 2):
        total += term
        term *= square * (k - 1) / k
    return math.sin(angle) * total
