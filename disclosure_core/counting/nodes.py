"""What an intruder learns at one node: each key known to one of its levels. Counted from the finest cells.

Records are counted once. At a node the finest cells only change their number; no record is read again. A bound says
what no coarser node can exceed (`Node.cap`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from disclosure_core.arrays import Floats, Indices, Ints, Mask, Signed
from disclosure_core.counting.codes import distinct
from disclosure_core.counting.key_table import KeyTable, Profile
from disclosure_core.data.coarsenings import Coarsening, known_or_not

Node = tuple[int, ...]

Levels = Signed
"""Codes of a target, in 16 bits where four times as many fit."""

Side = tuple[Indices, Levels, Ints]

SPARSE = 16
"""A node's numbers are an array of their whole range where that is no longer than this many times the finest cells."""
_MOST = 2**62
_KEPT = 200_000
"""Combinations up to which the codes of every level are kept."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The finest key combinations at one node.

    Attributes
    ----------
    node
        The level of each key.
    q
        Shape (n_q,): for each finest combination its number here.
    n
        Numbers there are, some of them of no combination.
    """

    node: Node
    q: Indices
    n: int


class KeyNodes:
    """Key combinations, and what the keys alone give away at a node.

    Parameters
    ----------
    keys
        The finest combinations; the sides after the first `m` syntheses are people outside the data.
    levels
        Of each key, finest first.
    m
        Syntheses.
    """

    def __init__(self, keys: KeyTable, levels: Sequence[Sequence[Coarsening]], m: int) -> None:
        self.keys, self.levels, self.m = keys, tuple(tuple(each) for each in levels), m
        self.outside = keys.s_q[m] if len(keys.s_q) > m else None
        self._at = [codes.astype(np.intp) for codes in keys.levels]
        self.counts = [side.astype(float) for side in (keys.d_q, *keys.s_q[:m])]
        self._known: dict[tuple[int, int], Indices] = {}
        self._sizes = [[int(level.codes.max()) + 1 for level in each] for each in self.levels]
        self._order = sorted(range(len(self.levels)), key=lambda k: -self._sizes[k][0])
        self._begun: list[tuple[int, Indices | None, int]] = []
        """The last node key by key: its level, the combinations of the keys so far, and their range."""
        self._finest: tuple[KeyNodes, Indices] | None = None

    @classmethod
    def of_subsets(cls, keys: KeyTable, m: int) -> KeyNodes:
        """Return the nodes at which each key is known as it is, or not at all."""
        return cls(keys, [known_or_not(key) for key in keys.keys], m)

    def with_synthetic(self, s_q: Sequence[Ints]) -> KeyNodes:
        """Return the same with other numbers of synthetic records by combination; they merge alike."""
        other = copy(self)
        other.keys = replace(self.keys, s_q=tuple(s_q))
        other.counts = [self.counts[0], *(side.astype(float) for side in s_q[: self.m])]
        return other

    def path_of(self, node: Node) -> Node:
        """Return the levels of a node in the order in which keys are merged: what two share first is merged once."""
        return tuple(node[k] for k in self._order)

    def merged(self, node: Node) -> Merged:
        """Return the combinations at a node, numbered by the levels' codes, or ranked where these leave large gaps."""
        n_q, done = self.keys.d_q.size, 0
        for k, (at, *_) in zip(self._order, self._begun, strict=False):
            if node[k] != at:
                break
            done += 1
        del self._begun[done:]  # a search goes from node to node: most keys are known as they were
        q, size = self._begun[-1][1:] if done else (None, 1)
        for k in self._order[done:]:
            radix = self._sizes[k][node[k]]
            if radix > 1:
                if size > _MOST // radix and q is not None:
                    q, size = distinct(q, size)
                q = self._codes(k, node[k]) if q is None else q * radix + self._codes(k, node[k])
                size *= radix
            self._begun.append((node[k], q, size))
        if q is None:
            return Merged(node, np.zeros(n_q, dtype=np.intp), 1)
        if size > SPARSE * n_q:
            q, size = distinct(q, size)
        return Merged(node, q, size)

    def _codes(self, k: int, level: int) -> Indices:
        """Return, shape (n_q,), the codes of a key at a level; kept where they are few."""
        found = self._known.get((k, level))
        if found is None:
            found = self.levels[k][level].codes[self._at[k]]
            if found.size <= _KEPT:
                self._known[k, level] = found
        return found

    def coarsened(self, node: Node) -> tuple[KeyNodes, Indices]:
        """Return the same from the combinations at a node, for it and all that is coarser; and where each one went."""
        at = self.merged(node)
        q, n = distinct(at.q, at.n, SPARSE)
        one = np.empty(n, dtype=np.intp)
        one[q] = np.arange(q.size)  # of the combinations that go to each, any one
        levels = []
        for each, sizes, level in zip(self.levels, self._sizes, node, strict=True):
            now = each[level]
            coarser = [np.zeros(sizes[level], dtype=np.intp) for _ in each[level:]]
            for found, step in zip(coarser, each[level:], strict=True):
                found[now.codes] = step.codes
            steps = zip(coarser, each[level:], strict=True)
            levels.append((*each[:level], *(replace(step, codes=codes) for codes, step in steps)))
        keys = replace(
            self.keys,
            levels=tuple(
                self._codes(k, level)[one].astype(was.dtype)
                for k, (level, was) in enumerate(zip(node, self.keys.levels, strict=True))
            ),
            d_q=np.bincount(q, self.keys.d_q, n).astype(np.int64),
            s_q=tuple(np.bincount(q, side, n).astype(np.int64) for side in self.keys.s_q),
        )
        other = KeyNodes(keys, levels, self.m)
        whole, here = self._finest or (self, np.arange(q.size))
        other._finest = whole, here[one]
        return other, q

    def profiles(self, at: Merged, missing: Mask | None = None) -> list[Profile]:
        """Return the records counted of each combination at a node, a synthesis each; `missing` as of `uniques`."""
        every = [np.bincount(at.q, side, at.n) for side in self.counts]  # float sums are exact below 2^53
        left = every if missing is None else [np.bincount(at.q, side * ~missing, at.n) for side in self.counts]
        return [Profile(left[0], counted, full > 0) for counted, full in zip(left[1:], every[1:], strict=True)]

    def uniques(self, at: Merged, missing: Mask | None = None) -> Uniques:
        """Return the replicated uniques at a node.

        Parameters
        ----------
        at
            The node.
        missing
            Shape (n_q,): the combinations that are not counted.
        """
        d_q, *s_q = (side if missing is None else side * ~missing for side in self.counts)
        d = np.bincount(at.q, d_q, at.n)
        in_original = d == 1
        n_unique = int(in_original.sum())
        replicated, cap = [], 0
        for side in s_q:
            one = np.bincount(at.q, side, at.n) == 1
            cap += min(n_unique, int(one.sum()))
            replicated.append(one & in_original)
        return Uniques(float(sum(mask.sum() for mask in replicated)), float(cap), replicated, at.q, d_q > 0)

    def found(self, at: Merged) -> Mask:
        """Return, shape (m, n_q), whether the combination at the node occurs in each synthesis."""
        return np.stack([(np.bincount(at.q, side, at.n) > 0)[at.q] for side in self.keys.s_q[: self.m]])

    def missing(self, names: Iterable[str], node: Node) -> Mask | None:
        """Return the combinations in which a key of `names`, known at the node, is missing; None where none is."""
        known = frozenset(
            key.name
            for key, levels, level in zip(self.keys.keys, self.levels, node, strict=True)
            if level < len(levels) - 1
        )
        names = frozenset(names) & known
        if not names or self._finest is None:
            return self.keys.missing(names) if names else None
        whole, first = self._finest  # Missing stays a level of its own until unknown
        return whole.keys.missing(names)[first]


@dataclass(frozen=True, eq=False, repr=False)
class Uniques:
    """Replicated uniques at a node, over the syntheses.

    Attributes
    ----------
    n
        How many there are.
    cap
        What no coarser node can exceed.
    """

    n: float
    cap: float
    _replicated: Sequence[Mask]
    _q: Indices
    _there: Mask

    def row(self) -> Floats:
        """Return, shape (n_q,), in how many syntheses the one original record there is a replicated unique."""
        found = np.zeros(self._q.size)
        for mask in self._replicated:
            found += mask[self._q] & self._there
        return found
