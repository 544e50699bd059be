"""An original in two: a training part and a holdout, and how many members such a holdout reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.measures import percent
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import fixed


@dataclass(frozen=True, eq=False, repr=False)
class Split:
    """An original in two: what is handed out to be synthesised, and what is kept to measure with.

    Attributes
    ----------
    training, holdout
        Their records, each in the order of the original.
    share, seed
        As asked; with the same original they give the same split.
    """

    training: pd.DataFrame
    holdout: pd.DataFrame
    share: float
    seed: int


def split(frame: pd.DataFrame, share: float = 0.8, seed: int = 1) -> Split:
    """Return `frame` split at random into training and holdout.

    Parameters
    ----------
    frame
        The original, a record a row.
    share
        Of the records that go into training, above 0 and below 1.
    seed
        A whole number to note down.

    Raises
    ------
    DisclosureError
        When the share leaves no record on one side.

    Source
    ------
    consensus.md 2.2: without replacement; 80:20 is the framework's precedent, no ratio is prescribed.

    Examples
    --------
    >>> import pandas as pd
    >>> made = split(pd.DataFrame({"age": range(20, 30)}), share=0.8)
    >>> len(made.training), len(made.holdout)
    (8, 2)
    """
    n = len(frame)
    n_training = round(n * share) if 0 < share < 1 else 0
    if not 0 < n_training < n:
        raise DisclosureError("Choose a share that puts records on both sides, such as 80 % for training.")
    # Uniform numbers and a stable sort: numpy keeps these the same from version to version.
    order = np.argsort(np.random.default_rng(seed).random(n), kind="stable")
    training = np.zeros(n, dtype=bool)
    training[order[:n_training]] = True
    return Split(frame[training], frame[~training], share, seed)


def reach(frame: pd.DataFrame, keys: Sequence[str], share: float = 0.8, seed: int = 1) -> tuple[float, float | None]:
    """Return how many members a split lets be compared with people outside who have the same keys.

    Parameters
    ----------
    frame, share, seed
        As of `split`.
    keys
        Columns of `frame`, as they stand there.

    Returns
    -------
    tuple
        % of the members who share all keys with somebody outside, and of the members with unique keys (None where no
        member has).

    Raises
    ------
    DisclosureError
        As `split`, and when a key is not there.
    """
    for name in keys:
        if name not in frame.columns:
            raise not_found("Key", name, "in the original", frame.columns)
    q = frame.reset_index(drop=True).groupby(list(keys), dropna=False, sort=False, observed=True).ngroup().to_numpy()
    return reach_of(q, share, seed)


def reach_of(q: npt.NDArray[np.integer[Any]], share: float, seed: int) -> tuple[float, float | None]:
    """Return `reach` of records whose combination of keys is known: `q`, one a record, shape (n,)."""
    made = split(pd.DataFrame({"q": q}), share, seed)
    n = int(q.max()) + 1
    d, h = (np.bincount(part["q"].to_numpy(), minlength=n) for part in (made.training, made.holdout))
    unique = d == 1
    return percent(d[h > 0].sum(), d.sum()), percent((unique & (h > 0)).sum(), unique.sum()) if unique.any() else None


def reach_in_words(keys: Sequence[str], members: float, unique: float | None) -> str:
    """Return `reach` as a sentence."""
    more = "" if unique is None else f" ({fixed(unique, 1)} % of those with unique keys)"
    return (
        f"{fixed(members, 1)} % of the members{more} will share {', '.join(keys)} with somebody outside: of these "
        "alone a comparison can tell whether their own answers are in the synthetic data."
    )
