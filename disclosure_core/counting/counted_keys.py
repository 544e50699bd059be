"""Key combinations whose records are elsewhere: how many have each is known, and not who."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting.cells import KeyTable
from disclosure_core.counting.codes import ranked_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.counting.cells import Counts
    from disclosure_core.data.column import Codes, Variable


@dataclass(frozen=True, eq=False, repr=False)
class CountedKeys(KeyTable):
    """A `KeyTable` without records, which are in an engine: how many have each combination is known. Made by `of`.

    Attributes
    ----------
    sizes
        N_d, then N_s of each synthesis.
    """

    sizes: tuple[int, ...]

    @property
    def n_original(self) -> int:
        """N_d, original records."""
        return self.sizes[0]

    @property
    def n_synthetic(self) -> tuple[int, ...]:
        """N_s, records of each synthesis."""
        return self.sizes[1:]

    @classmethod
    def of(cls, keys: Sequence[Variable], levels: Sequence[Codes], counts: Sequence[Counts]) -> CountedKeys:
        """Return combinations, shape (n_q,), by each key's level and the records of each side, the original first."""
        nothing = np.zeros(0, dtype=np.int64)
        d_q, *s_q = counts
        sizes = tuple(int(side.sum()) for side in counts)
        return cls(tuple(keys), tuple(levels), nothing, tuple(nothing for _ in s_q), d_q, tuple(s_q), sizes)

    def first(self, n: int) -> CountedKeys:
        """Return the combinations of the first `n` keys."""
        ranks, size = ranked_codes(self.levels[:n], [key.n_codes for key in self.keys[:n]])
        place = np.empty(size, dtype=np.intp)
        place[ranks] = np.arange(ranks.size)  # any of them shows the levels that they share
        counts = [np.bincount(ranks, side, size).astype(np.int64) for side in (self.d_q, *self.s_q)]
        return CountedKeys.of(self.keys[:n], [levels[place] for levels in self.levels[:n]], counts)
