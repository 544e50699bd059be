"""What records with the same keys answer: whom DiSCO counts is decided here alone.

DiSCO counts whoever has the one level that the synthetic records with their keys have. The people are an argument:
members or people outside, at all keys, at some, or at coarser ones, beside one synthesis or several put together.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Signed

Level = TypeVar("Level", bound=np.signedinteger[Any])

NOBODY, SEVERAL = -1, -2
"""What stands for the level where no record has the keys, and where the records that have them have several."""


def answers(q: Signed, t: npt.NDArray[Level], n_q: int) -> npt.NDArray[Level]:
    """Return, shape (n_q,), the code of the one level that all records with these keys have, `NOBODY` or `SEVERAL`.

    Parameters
    ----------
    q, t
        Shape (n,): key combination and target code of the records, or of the cells that hold one.
    n_q
        Key combinations.

    Source
    ------
    measures.md 1: pd = 1 and ps = 1 where the level is the cell's own, D(q) where it is any.
    """
    found = np.full(n_q, NOBODY, dtype=t.dtype)
    found[q] = t
    found[q.take(np.flatnonzero(found.take(q) != t))] = SEVERAL
    return found
