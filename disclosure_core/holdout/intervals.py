"""95 % intervals of shares and of their differences."""

from __future__ import annotations

from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Floats

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""The normal quantile of the confidence."""


def wilson(p: npt.ArrayLike, n: npt.ArrayLike, z: npt.ArrayLike = Z) -> tuple[Floats, Floats]:
    """Return Wilson's score interval of shares `p` (0 to 1) of `n` records; 95 % where no other quantile `z` is given.

    Source
    ------
    Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.
    """
    p, n, z = np.asarray(p, dtype=float), np.asarray(n, dtype=float), np.asarray(z, dtype=float)
    centre = p + z**2 / (2 * n)
    half_width = z * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
    scale = 1 + z**2 / n
    return np.clip((centre - half_width) / scale, 0, p), np.clip((centre + half_width) / scale, p, 1)


def difference_interval(
    p: npt.ArrayLike, n_p: npt.ArrayLike, r: npt.ArrayLike, n_r: npt.ArrayLike, z: npt.ArrayLike = Z
) -> tuple[Floats, Floats]:
    """Return the 95 % interval of the difference p − r of two independent shares (0 to 1).

    Parameters
    ----------
    p, n_p, r, n_r
        Shares and the records they are shares of, of one shape.
    z
        The normal quantile of another confidence.

    Source
    ------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    p, r = np.asarray(p, dtype=float), np.asarray(r, dtype=float)
    (p_low, p_high), (r_low, r_high) = wilson(p, n_p, z), wilson(r, n_r, z)
    return p - r - np.hypot(p - p_low, r_high - r), p - r + np.hypot(p_high - p, r - r_low)


def beyond_zero(p: npt.ArrayLike, n_p: npt.ArrayLike, r: npt.ArrayLike, n_r: npt.ArrayLike) -> Floats:
    """Return the one-sided probability at which the interval of p − r would just reach 0, on the side of p − r.

    Below 2.5 % where the 95 % interval holds no 0; with it several differences are judged together (Holm).

    Parameters
    ----------
    p, n_p, r, n_r
        As of `difference_interval`.

    Source
    ------
    The interval of Newcombe (1998), method 10, inverted: it widens with its quantile, which is halved for.
    """
    p, r = np.asarray(p, dtype=float), np.asarray(r, dtype=float)
    below, above = np.zeros(np.broadcast(p, r).shape), np.full(np.broadcast(p, r).shape, 40.0)
    for _ in range(60):
        z = (below + above) / 2
        low, high = difference_interval(p, n_p, r, n_r, z)
        holds = (low <= 0) & (high >= 0)
        below, above = np.where(holds, below, z), np.where(holds, z, above)
    return np.array([0.5 * erfc(float(at) / sqrt(2)) for at in below.ravel()]).reshape(below.shape)
