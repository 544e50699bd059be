"""Tables of two columns from few passes a side: records stream by as codes, and every pair is counted of a chunk."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.engines.duckdb_cells import DENSE, Counter, batches, counted_tables
from disclosure_core.engines.layout import CHANGED
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from disclosure_core.counting.cells import Counts
    from disclosure_core.counting.count import PairCounts
    from disclosure_core.engines.duckdb_column import DuckDBColumn
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_study import DuckDBStudy

    Pair = tuple[int, int]

IN_ONE_PASS = 2**25
"""Cells of all pairs and sides that are counted at once."""


def counted_pairs(study: DuckDBStudy, columns: Sequence[DuckDBColumn]) -> Iterator[PairCounts]:
    """Yield every table of two of these columns of a study.

    Raises
    ------
    DisclosureError
        As `counted_tables`.
    """
    for pairs in _passes(columns, len(study.relations)):
        a, b = (columns[i] for i in pairs[0])
        if a.n_codes * b.n_codes > DENSE:
            _, (cells,) = counted_tables(study, [a], [b])
            yield a.name, b.name, [(each.d, each.s) for each in cells]
            continue
        with study.unchanged():
            sides = _counted(study, columns, pairs)
        for k, (i, j) in enumerate(pairs):
            d, *synthetic = (side[k] for side in sides)
            yield columns[i].name, columns[j].name, [(d, s) for s in synthetic]


def _passes(columns: Sequence[DuckDBColumn], n_sides: int) -> Iterator[list[Pair]]:
    """Yield all pairs in order, as many at a time as one pass counts; one of very many cells stands alone."""
    passed: list[Pair] = []
    size = 0
    for i, j in combinations(range(len(columns)), 2):
        cells = columns[i].n_codes * columns[j].n_codes * n_sides
        if passed and size + cells > IN_ONE_PASS:
            yield passed
            passed, size = [], 0
        passed.append((i, j))
        size += cells
        if cells > DENSE * n_sides:
            if len(passed) > 1:
                yield passed[:-1]
            yield passed[-1:]
            passed, size = [], 0
    if passed:
        yield passed


def _counted(study: DuckDBStudy, columns: Sequence[DuckDBColumn], pairs: Sequence[Pair]) -> list[list[Counts]]:
    """Return, a side and pair, the records with each code, first × n_codes + second."""
    used = sorted({i for pair in pairs for i in pair})
    of = {i: columns[i] for i in used}
    counter = Counter(study, [of[used[0]]], [of[i] for i in used])

    def streamed(cursor: Cursor, i: int, sql: str) -> list[Counts]:
        counts = [np.zeros(of[a].n_codes * of[b].n_codes, dtype=np.int64) for a, b in pairs]
        for batch in batches(cursor, sql, study.sizes[i]):
            codes = {at: batch[f"t{k}"].to_numpy().astype(np.int64) for k, at in enumerate(used)}
            for (a, b), of_pair in zip(pairs, counts, strict=True):
                found = np.bincount(codes[a] * of[b].n_codes + codes[b], minlength=of_pair.size)
                if found.size > of_pair.size:
                    raise DisclosureError(CHANGED)
                of_pair += found
        return counts

    sides = counter.ask(range(len(used)), streamed)
    for i, side in enumerate(sides):
        for (a, b), counts in zip(pairs, side, strict=True):
            table = counts.reshape(of[a].n_codes, of[b].n_codes)
            ends = (of[a].counts[i], of[b].counts[i])
            if not all(np.array_equal(table.sum(axis=1 - axis), end) for axis, end in enumerate(ends)):
                raise DisclosureError(CHANGED)
    return sides
