"""F by drawing attack sets, as the framework pictures it: a second way to the closed form, which shares no code."""

from dataclasses import dataclass

import numpy as np


def f_beta(tp, fp, fn, beta=1.0):
    """Return F_β from true positives, false positives and false negatives; 0 where there is no true positive.

    Source
    ------
    consensus.md 2.4, equation (12), with precision and recall written out.
    """
    whole = (1 + beta**2) * tp + beta**2 * fn + fp
    return (1 + beta**2) * tp / np.where(whole > 0, whole, 1)


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
    ValueError
        When no attack set of that size and prevalence can be drawn.

    Source
    ------
    consensus.md 2.2 and 2.6 A.
    """
    most = int(min(n_training / t, n_holdout / (1 - t)) + 1e-9) if 0 < t < 1 else 0
    size = most if size is None else size
    members = round(size * t)
    if not 0 < members < size or members > n_training or size - members > n_holdout:
        raise ValueError("no attack set of that size and prevalence can be drawn")
    rng = np.random.default_rng(seed)
    tp = rng.hypergeometric(n_match_training, n_training - n_match_training, members, draws)
    fp = rng.hypergeometric(n_match_holdout, n_holdout - n_match_holdout, size - members, draws)
    f = f_beta(tp, fp, members - tp, beta)
    return Sampled(float(f.mean()), float(f.std(ddof=1)), size, members, draws)
