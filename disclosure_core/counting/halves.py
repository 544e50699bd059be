"""Random parts of some people, drawn one by one, or as how many of each cell are in them; halves several times."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from disclosure_core.arrays import Array, Counts, Mask, Signed
from disclosure_core.counting.codes import places
from disclosure_core.data.column import Variable, with_records
from disclosure_core.errors import DisclosureError

MOST = 10**9
"""Records below which numpy draws how many are of each cell."""


def drawn(counts: Counts, n: int, rng: np.random.Generator) -> Counts:
    """Return how many of `n` records drawn without replacement are of each cell (multivariate hypergeometric).

    Parameters
    ----------
    counts
        Shape (n_cells,): the records of each.
    """
    held = np.flatnonzero(counts)
    of_held = counts[held].astype(np.int64)
    if of_held.sum() >= MOST:
        raise DisclosureError(f"Random parts are drawn of fewer than {MOST:,} records; bring a sample of these.")
    part = np.zeros(counts.size, dtype=np.int64)
    part[held] = rng.multivariate_hypergeometric(of_held, n, method="marginals")
    return part


def halved(records: Signed, counts: Counts, rng: np.random.Generator, times: int, half: Mask | None = None) -> Halves:
    """Return one half of people, drawn `times` times.

    Parameters
    ----------
    records
        Shape (N,): each person's combination of keys; none where records are in an engine.
    counts
        Shape (n_q,): people with each combination.
    half
        Shape (R, N): who is in the half, where that is known.
    """
    if records.size != counts.sum():
        return _OfCells(counts, rng, times)
    if half is None:
        half = np.stack([rng.permutation(records.size) < records.size / 2 for _ in range(times)])
    return _OfRecords(records, counts.size, half)


class _OfRecords:
    """Halves of people who are here one by one."""

    def __init__(self, records: Signed, n_q: int, half: Mask) -> None:
        self._records, self._n_q, self._half = records, n_q, half
        self.n, self.n_half = records.size, half.sum(axis=1)

    def by_combination(self, kind: type[Any]) -> Array:
        return self._counted(self._records, self._n_q, kind)

    def by_cell(self, q: Signed, t: Signed, n: Any, column: Variable, kind: type[Any]) -> Array:  # noqa: ARG002
        codes = q * column.n_codes + t
        of_records = self._records.astype(np.int64) * column.n_codes + with_records(column).original
        return self._counted(places(codes, of_records), codes.size, kind)

    def _counted(self, cell: Signed, n: int, kind: type[Any]) -> Array:
        found: Array = np.empty((n, len(self._half)), dtype=kind)
        for r, chosen in enumerate(self._half):
            found[:, r] = np.bincount(cell[chosen], minlength=n)
        return found


class _OfCells:
    """Halves of people of whom it is known how many have which keys: drawn with the same distribution."""

    def __init__(self, counts: Counts, rng: np.random.Generator, times: int) -> None:
        self.n = int(counts.sum())
        self.n_half = np.full(times, (self.n + 1) // 2, dtype=np.int64)
        self._rng, self._half = rng, [drawn(counts, n, rng) for n in self.n_half.tolist()]

    def by_combination(self, kind: type[Any]) -> Array:
        return np.stack(self._half, axis=1).astype(kind)

    def by_cell(self, q: Signed, t: Signed, n: Any, column: Variable, kind: type[Any]) -> Array:  # noqa: ARG002
        found: Array = np.empty((q.size, len(self._half)), dtype=kind)
        for r, half in enumerate(self._half):
            found[:, r] = shared(half, q, np.asarray(n, dtype=np.int64), self._rng)
        return found


def shared(part: Counts, q: Signed, n: Counts, rng: np.random.Generator) -> Counts:
    """Return how many of the people drawn of each combination of keys are of each of its cells.

    Parameters
    ----------
    part
        Shape (n_q,): how many were drawn of each combination.
    q, n
        Shape (n_cells,): each cell's combination, and its people.
    """
    order = np.argsort(q, kind="stable")
    first = np.flatnonzero(np.diff(q[order], prepend=-1))
    place = np.arange(q.size) - np.repeat(first, np.diff(first, append=q.size))  # of a cell within its combination
    by_place = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place)) if q.size else np.zeros(0, dtype=np.int64)
    found = np.zeros(q.size, dtype=np.int64)
    left, rest = part.astype(np.int64), np.bincount(q, n, part.size).astype(np.int64)
    for at in np.split(order[by_place], ends[:-1]):
        of = q[at]
        found[at] = rng.hypergeometric(n[at], rest[of] - n[at], left[of])
        left[of] -= found[at]
        rest[of] -= n[at]
    return found


Halves: TypeAlias = _OfRecords | _OfCells
"""One half of `n` people, drawn R times; `n_half`, shape (R,), are in it, by combination of keys or by cell."""
