"""F_β of telling members from non-members, and of guessing: the formulas, and drawing as a check of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from disclosure_core.errors import DisclosureError
from disclosure_core.intervals import CONFIDENCE, Floats, wilson

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


def f_beta(tp: npt.ArrayLike, fp: npt.ArrayLike, fn: npt.ArrayLike, beta: float = 1.0) -> Floats:
    """Return F_β from true positives, false positives and false negatives; 0 where there is no true positive.

    Source
    ------
    consensus.md 2.4, equation (12), with precision and recall written out.
    """
    tp, fp, fn = (np.asarray(x, dtype=float) for x in (tp, fp, fn))
    return _over((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)


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


def f_rel(f: npt.ArrayLike, naive: npt.ArrayLike) -> Floats:
    """Return (F − F_naive) / (1 − F_naive): 0 as good as guessing, 1 perfect; NaN where everyone is a member.

    Source
    ------
    consensus.md 2.4, equations (11) and (14); both F with the same β.
    """
    f, naive = np.asarray(f, dtype=float), np.asarray(naive, dtype=float)
    return np.divide(f - naive, 1 - naive, out=np.full(np.broadcast(f, naive).shape, np.nan), where=naive < 1)


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


@dataclass(frozen=True, slots=True)
class Sampled:
    """F_β averaged over attack sets drawn at the prevalence.

    Attributes
    ----------
    f, sd
        Mean, and its spread over the draws.
    size
        Records of an attack set.
    members
        Members among them.
    draws
        Attack sets drawn.
    """

    f: float
    sd: float
    size: int
    members: int
    draws: int


def f_sampled(
    n_match_training: int,
    n_training: int,
    n_match_holdout: int,
    n_holdout: int,
    t: float,
    beta: float = 1.0,
    draws: int = 500,
    seed: int = 1,
    size: int | None = None,
) -> Sampled:
    """Return F_β as the framework pictures it: attack sets of members and non-members drawn without replacement.

    Parameters
    ----------
    n_match_training, n_training, n_match_holdout, n_holdout
        Records that match, and records, of members and non-members.
    t
        Prevalence, above 0 and below 1.
    draws, seed
        How often, and from where.
    size
        Records of an attack set; None: the largest that both sides can fill.

    Raises
    ------
    DisclosureError
        When no attack set of that size and prevalence can be drawn.

    Source
    ------
    consensus.md 2.2 and 2.6 A.
    """
    most = int(min(n_training / t, n_holdout / (1 - t)) + 1e-9) if 0 < t < 1 else 0
    size = most if size is None else size
    members = round(size * t)
    if not 0 < members < size or members > n_training or size - members > n_holdout:
        raise DisclosureError(
            "No attack set can be drawn at this prevalence: bring more holdout records, or read the closed form."
        )
    rng = np.random.default_rng(seed)
    tp = rng.hypergeometric(n_match_training, n_training - n_match_training, members, draws)
    fp = rng.hypergeometric(n_match_holdout, n_holdout - n_match_holdout, size - members, draws)
    f = f_beta(tp, fp, members - tp, beta)
    return Sampled(float(f.mean()), float(f.std(ddof=1)) if draws > 1 else float("nan"), size, members, draws)


def _over(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)
