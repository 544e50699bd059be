"""One half of some people, drawn at random several times, as how many of each cell are in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from disclosure_core.counting.codes import places
from disclosure_core.counting.draws import drawn
from disclosure_core.data.column import with_records

if TYPE_CHECKING:
    import numpy.typing as npt

    from disclosure_core.counting.codes import Counts
    from disclosure_core.data.column import Variable

    Indices = npt.NDArray[np.signedinteger[Any]]


class Halves(Protocol):
    """One half of some people, drawn R times.

    Attributes
    ----------
    n
        The people.
    n_half
        Shape (R,): how many are in the half.
    """

    n: int
    n_half: Counts

    def by_combination(self, kind: type[Any]) -> npt.NDArray[Any]:
        """Return, shape (n_q, R), how many of the half have each combination of keys."""

    def by_cell(self, q: Indices, t: Indices, n: Any, column: Variable, kind: type[Any]) -> npt.NDArray[Any]:
        """Return, shape (n_cells, R), how many of the half are in each cell of `n` people, keys `q` and level `t`."""


def halved(
    records: Indices, counts: Counts, rng: np.random.Generator, times: int, half: npt.NDArray[np.bool_] | None = None
) -> Halves:
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

    def __init__(self, records: Indices, n_q: int, half: npt.NDArray[np.bool_]) -> None:
        self._records, self._n_q, self._half = records, n_q, half
        self.n, self.n_half = records.size, half.sum(axis=1)

    def by_combination(self, kind: type[Any]) -> npt.NDArray[Any]:
        return self._counted(self._records, self._n_q, kind)

    def by_cell(self, q: Indices, t: Indices, n: Any, column: Variable, kind: type[Any]) -> npt.NDArray[Any]:  # noqa: ARG002
        codes = q * column.n_codes + t
        of_records = self._records.astype(np.int64) * column.n_codes + with_records(column).original
        return self._counted(places(codes, of_records), codes.size, kind)

    def _counted(self, cell: Indices, n: int, kind: type[Any]) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = np.empty((n, len(self._half)), dtype=kind)
        for r, chosen in enumerate(self._half):
            found[:, r] = np.bincount(cell[chosen], minlength=n)
        return found


class _OfCells:
    """Halves of people of whom it is known how many have which keys: drawn with the same distribution."""

    def __init__(self, counts: Counts, rng: np.random.Generator, times: int) -> None:
        self.n = int(counts.sum())
        self.n_half = np.full(times, (self.n + 1) // 2, dtype=np.int64)
        self._rng, self._half = rng, [drawn(counts, n, rng) for n in self.n_half.tolist()]

    def by_combination(self, kind: type[Any]) -> npt.NDArray[Any]:
        return np.stack(self._half, axis=1).astype(kind)

    def by_cell(self, q: Indices, t: Indices, n: Any, column: Variable, kind: type[Any]) -> npt.NDArray[Any]:  # noqa: ARG002
        found: npt.NDArray[Any] = np.empty((q.size, len(self._half)), dtype=kind)
        for r, half in enumerate(self._half):
            found[:, r] = shared(half, q, np.asarray(n, dtype=np.int64), self._rng)
        return found


def shared(part: Counts, q: Indices, n: Counts, rng: np.random.Generator) -> Counts:
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
