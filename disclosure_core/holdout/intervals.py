"""95 % intervals of shares and of their differences."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""The normal quantile of the confidence."""


def wilson(p: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return Wilson's 95 % score interval of shares `p` (0 to 1) of `n` records.

    Source
    ------
    Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.
    """
    p, n = np.asarray(p, dtype=float), np.asarray(n, dtype=float)
    centre = p + Z**2 / (2 * n)
    half_width = Z * np.sqrt(p * (1 - p) / n + (Z / (2 * n)) ** 2)
    scale = 1 + Z**2 / n
    return np.clip((centre - half_width) / scale, 0, p), np.clip((centre + half_width) / scale, p, 1)


def difference_interval(
    p: npt.ArrayLike, n_p: npt.ArrayLike, r: npt.ArrayLike, n_r: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Return the 95 % interval of the difference p − r of two independent shares (0 to 1).

    Parameters
    ----------
    p, n_p, r, n_r
        Shares and the records they are shares of, of one shape.

    Source
    ------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    p, r = np.asarray(p, dtype=float), np.asarray(r, dtype=float)
    (p_low, p_high), (r_low, r_high) = wilson(p, n_p), wilson(r, n_r)
    return p - r - np.hypot(p - p_low, r_high - r), p - r + np.hypot(p_high - p, r - r_low)
