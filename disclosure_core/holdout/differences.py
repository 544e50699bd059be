"""Two sides' scores and their difference with its interval, a row a synthesis and one for the mean over them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Floats
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.holdout.fscores import relative_gain
from disclosure_core.holdout.intervals import difference_interval
from disclosure_core.rounding import difference

MEAN = 0
"""The number under which the mean over the syntheses stands beside syntheses 1 … m."""

INTERVAL = (
    "Differences are of unrounded figures. Their 95 % interval is by square-and-add: Wilson's score interval of each "
    "share, combined as Newcombe's hybrid score (1998, method 10). DCAP is a mean of shares between 0 and 1, so its "
    "Wilson intervals use the number of records times p(1−p) over the variance observed; for large files this is "
    "Welch's interval. It covers the chance of drawing these people; the syntheses are taken as fixed."
)
"""How the intervals are made, to be printed beside them."""

COMPARED = ("members", "non_members", "difference", "low", "high", "R")


def side_by_side(members: tuple[Floats, Floats], non_members: tuple[Floats, Floats]) -> pd.DataFrame:
    """Return the columns of `COMPARED`, a row a synthesis and one for the mean, of what `mean_and_size` returned."""
    (t, t_size), (h, h_size) = members, non_members
    low, high = difference_interval(t, t_size, h, h_size)
    columns = dict(
        zip(
            COMPARED,
            (100 * t, 100 * h, difference(100 * t, 100 * h), 100 * low, 100 * high, relative_gain(t, h)),
            strict=True,
        )
    )
    return pd.DataFrame({"synthesis": np.append(np.arange(1, len(t)), MEAN)} | columns)


def mean_and_size(scores: Floats, weights: Array, n: int) -> tuple[Floats, Floats]:
    """Return means of scores over `n` records, a row a synthesis and one for the mean, and the size each is worth.

    `scores` are from 0 to 1, shape (m, n_cells), `weights`, shape (n_cells,), the records with each score.
    A mean of shares varies no more than a proportion does: it is worth n · p(1 − p) / variance records, n at least.
    """
    # A person's score in the mean row is the mean over the syntheses.
    rows = np.vstack([scores, scores.mean(axis=0)])
    p = np.clip(rows @ weights / n, 0, 1)
    variance = (rows**2 @ weights / n - p**2) * n / max(n - 1, 1)
    plain = variance < 1e-12  # all alike: nothing is known of the spread, so no gain is taken
    return p, np.where(plain, n, n * np.maximum(p * (1 - p) / np.where(plain, 1, variance), 1))


def with_spread(figures: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rows of `figures` with sd, min and max of the difference over the syntheses."""
    mean = figures[figures["synthesis"] == MEAN].drop(columns="synthesis").reset_index(drop=True)
    differences = figures.loc[figures["synthesis"] != MEAN, "difference"].to_numpy().reshape(len(mean), -1)
    spread = over_syntheses(differences, axis=1)
    return mean.assign(**{name: spread[name] for name in ("sd", "min", "max")})
