"""F_β of telling members from non-members, and of guessing; and what a figure says beyond what was known anyway."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Floats
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.intervals import CONFIDENCE, wilson

BETAS = (0.5, 1.0, 2.0)
"""Weights of recall against precision that are always computed."""

INTERVAL = (
    f"{CONFIDENCE:.0%} interval of F by square-and-add over Wilson's score intervals of a and b, which F rises and "
    "falls with; the prevalence is taken as known."
)


def prevalence(n: int, population_size: int) -> float:
    """Return t = n / N, the share of the population that is in the data.

    Raises
    ------
    DisclosureError
        When the population is smaller than the data.

    Source
    ------
    consensus.md 2.2; n is the records that will really be synthesised.
    """
    if population_size < n:
        raise DisclosureError(f"The population cannot be smaller than the {n:,} records of the data; correct its size.")
    return n / population_size


def f_naive(p: npt.ArrayLike, beta: float = 1.0) -> Floats:
    """Return F_β of calling everyone a member at prevalence p: (1 + β²) p / (β² p + 1).

    Source
    ------
    consensus.md 2.4, equations (10) and (13).
    """
    p = np.asarray(p, dtype=float)
    return (1 + beta**2) * p / (beta**2 * p + 1)


def f_closed(a: npt.ArrayLike, b: npt.ArrayLike, t: float, beta: float = 1.0) -> Floats:
    """Return F_β from every record, without drawing: (1 + β²) t a / (t a + (1 − t) b + β² t).

    Parameters
    ----------
    a, b
        Shares (0 to 1) of all members and of all non-members who match.
    t
        Prevalence of members among the targets.

    Source
    ------
    consensus.md 2.6 B.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return _over((1 + beta**2) * t * a, t * a + (1 - t) * b + beta**2 * t)


def precision(a: npt.ArrayLike, b: npt.ArrayLike, t: float) -> Floats:
    """Return the share of members among those who match, t a / (t a + (1 − t) b); 0 where nobody does."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return _over(t * a, t * a + (1 - t) * b)


def f_interval(
    a: npt.ArrayLike, n_training: int, b: npt.ArrayLike, n_holdout: int, t: float, beta: float = 1.0
) -> tuple[Floats, Floats]:
    """Return the interval of `f_closed`, as `INTERVAL` says."""
    (a_low, a_high), (b_low, b_high) = wilson(a, n_training), wilson(b, n_holdout)
    f = f_closed(a, b, t, beta)
    down = np.hypot(f - f_closed(a_low, b, t, beta), f - f_closed(a, b_high, t, beta))
    up = np.hypot(f_closed(a_high, b, t, beta) - f, f_closed(a, b_low, t, beta) - f)
    return np.clip(f - down, 0, 1), np.clip(f + up, 0, 1)


def relative_gain(figure: npt.ArrayLike, baseline: npt.ArrayLike) -> Floats:
    """Return (figure − baseline) / (1 − baseline): 0 no better than the baseline, 1 perfect; NaN where that is 1.

    Of F and F_naive of one β it is F_rel; of shares of members and non-members it is Anonymeter's R. Both figures are
    from 0 to 1. Near a high baseline it explodes (0.95 against 0.90 gives 0.5).

    Source
    ------
    consensus.md 2.4, equations (11) and (14), and 3.4, equation (22); paper 001, equation (1).
    """
    f, b = np.asarray(figure, dtype=float), np.asarray(baseline, dtype=float)
    return np.divide(f - b, 1 - b, out=np.full(np.broadcast(f, b).shape, np.nan), where=b < 1)


def _over(part: Floats, total: Floats) -> Floats:
    return np.divide(part, total, out=np.zeros(np.broadcast(part, total).shape), where=total > 0)
