"""How many records of each cell a random part has, where the records themselves are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.codes import Counts

MOST = 10**9
"""Records below which numpy draws how many are of each cell."""


def drawn(counts: Counts, n: int, rng: np.random.Generator) -> Counts:
    """Return how many of `n` records drawn without replacement are of each cell (multivariate hypergeometric).

    Parameters
    ----------
    counts
        Shape (n_cells,): the records of each.

    Raises
    ------
    DisclosureError
        When there are too many records.
    """
    held = np.flatnonzero(counts)
    of_held = counts[held].astype(np.int64)
    if of_held.sum() >= MOST:
        raise DisclosureError(f"Random parts are drawn of fewer than {MOST:,} records; bring a sample of these.")
    part = np.zeros(counts.size, dtype=np.int64)
    part[held] = rng.multivariate_hypergeometric(of_held, n, method="marginals")
    return part
