"""The key combinations that occur, and the records of both sides that have each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Counts, Indices, Ints, Mask, Signed
from disclosure_core.counting.codes import ranked_codes
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.column import Codes, Variable


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """The records of key combinations on both sides: all that identity disclosure is read from.

    Attributes
    ----------
    d_q, s_q
        Shape (n_q,): original and synthetic records counted of each combination.
    in_synthetic
        Shape (n_q,): whether the combination occurs in the full synthetic data.
    """

    d_q: Counts
    s_q: Counts
    in_synthetic: Mask

    @property
    def unique(self) -> Mask:
        """Shape (n_q,): combinations that one original record has."""
        return self.d_q == 1

    @property
    def replicated(self) -> Mask:
        """Shape (n_q,): those of them that one synthetic record has: the replicated uniques."""
        return self.unique & (self.s_q == 1)


@dataclass(frozen=True, eq=False, repr=False)
class KeyTable:
    """The combinations of key levels that occur in the original or in any synthesis.

    Attributes
    ----------
    keys
        The key columns, grouped where that was asked for, in the order of the data.
    levels
        For each key, shape (n_q,): its code in each combination.
    original, synthetic
        Shape (N_d,), and (N_s,) a synthesis: each record's combination; of no record where they are in an engine.
    d_q
        Shape (n_q,): original records with each combination.
    s_q
        The same for each synthesis.
    sizes
        N_d, then N_s of each synthesis, records.
    """

    keys: tuple[Variable, ...]
    levels: tuple[Codes, ...]
    original: Signed
    synthetic: tuple[Signed, ...]
    d_q: Counts
    s_q: tuple[Counts, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(
        cls,
        keys: Sequence[Variable],
        levels: Sequence[Codes],
        counts: Sequence[Counts],
        records: Sequence[Signed] = (),
    ) -> KeyTable:
        """Return combinations by each key's level and the records of each side, the original first.

        `records` are, a side, each record's combination; none where they are in an engine.
        """
        d_q, *s_q = counts
        original, *synthetic = records or [np.zeros(0, dtype=np.int64)] * len(counts)
        sizes = tuple(int(side.sum()) for side in counts)
        return cls(tuple(keys), tuple(levels), original, tuple(synthetic), d_q, tuple(s_q), sizes)

    @property
    def n_original(self) -> int:
        """N_d, original records."""
        return self.sizes[0]

    @property
    def n_synthetic(self) -> tuple[int, ...]:
        """N_s, records of each synthesis."""
        return self.sizes[1:]

    def only(self, names: Sequence[str]) -> KeyTable:
        """Return the combinations of some of the keys, in this order, without records."""
        by_name = {key.name: (key, levels) for key, levels in zip(self.keys, self.levels, strict=True)}
        keys, levels = zip(*(by_name[name] for name in names), strict=True)
        ranks, size = ranked_codes(levels, [key.n_codes for key in keys])
        place = np.empty(size, dtype=np.intp)
        place[ranks] = np.arange(ranks.size)  # any of them shows the levels that they share
        counts = [np.bincount(ranks, side, size).astype(np.int64) for side in (self.d_q, *self.s_q)]
        return KeyTable.of(keys, [of_key[place] for of_key in levels], counts)

    def profile(self, i: int, missing_keys: frozenset[str] = frozenset()) -> Profile:
        """Return the records of each key combination in the original and synthesis `i`, without `missing_keys`."""
        d_q, s_q = self.d_q, self.s_q[i]
        in_synthetic = s_q > 0
        if missing_keys:
            keep = ~self.missing(missing_keys)
            d_q, s_q = d_q * keep, s_q * keep
        return Profile(d_q, s_q, in_synthetic)

    def class_sizes(self, file: int) -> tuple[Counts, Counts]:
        """Return the sizes of a file's key combinations, rising, and how many have each; 0 is the original."""
        counts = (self.d_q, *self.s_q)[file]
        sizes, classes = np.unique(counts[counts > 0], return_counts=True)
        return sizes, classes

    @cached_property
    def first_level(self) -> Ints:
        """Shape (n_keys,): where each key's levels begin when the levels of all keys are numbered through."""
        return np.cumsum([0, *(key.n_codes for key in self.keys[:-1])])

    @cached_property
    def original_in_level(self) -> Counts:
        """Original records with each level of each key, the levels of all keys numbered through."""
        levels = zip(self.keys, self.levels, strict=True)
        counts = [np.bincount(codes, weights=self.d_q, minlength=key.n_codes) for key, codes in levels]
        return np.concatenate(counts).astype(np.int64)

    def levels_of(self, q: Indices) -> Ints:
        """Return, shape (n_keys, n), the levels of key combinations, the levels of all keys numbered through."""
        return np.stack([first + codes[q] for first, codes in zip(self.first_level, self.levels, strict=True)])

    def need_records(self) -> None:
        """Make sure that the records are here.

        Raises
        ------
        DisclosureError
            When they stay in an engine, which counts them and hands out none.
        """
        if self.original.size != self.n_original:
            raise DisclosureError(
                "This needs single records, and these data stay in their engine: bring them as files, or choose "
                "another figure."
            )

    def missing(self, names: frozenset[str]) -> Mask:
        """Return, shape (n_q,), the combinations in which a key of `names` is missing."""
        out = np.zeros(self.d_q.shape, dtype=bool)
        for key, levels in zip(self.keys, self.levels, strict=True):
            if key.name in names:
                out |= np.isin(levels, key.missing)
        return out
