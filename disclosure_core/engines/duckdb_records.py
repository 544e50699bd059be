"""Single records that DuckDB reads, a few at a time: their numbers, and the cells of keys and target that they are in.

What a list shows of a record is its cell, which is here, and its number, which is asked for: records pass through as
codes, in the order of their table, until the rows asked for have been seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from disclosure_core.arrays import Array, Indices, Ints
from disclosure_core.data.harmonise import side_name
from disclosure_core.engines.duckdb_cells import Coder, batches, is_dense
from disclosure_core.engines.duckdb_connection import Cursor, quoted
from disclosure_core.engines.duckdb_study import connection_of
from disclosure_core.engines.layout import CHANGED, Layout
from disclosure_core.engines.sources import MOST_ROWS
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    import pyarrow as pa

    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.data.column import Variable
    from disclosure_core.engines.column import EngineColumn
    from disclosure_core.engines.study import EngineStudy


NOT_SHOWN = (
    "These data stay in their engine, and single records of them are not shown; ask its operator to allow that for "
    "this source."
)


@dataclass(frozen=True, eq=False, repr=False)
class InOrder:
    """Cells whose records are listed, and in which order.

    Attributes
    ----------
    levels
        For each key, shape (n,): its code in each cell; then the target's, if there is one.
    n
        Shape (n,): records of the side in each cell.
    rank
        Shape (n,): cells of a lower rank come first; within one, records by their number.
    descending
        Whether the largest number comes first.
    """

    levels: tuple[Array, ...]
    n: Ints
    rank: Ints
    descending: bool = False

    def places(self, start: int, stop: int) -> tuple[Ints, dict[int, tuple[int, int]]]:
        """Return the cells that rows `start` to `stop` may be in, and by rank which of its records these are."""
        ranks, group = np.unique(self.rank, return_inverse=True)
        sizes = np.bincount(group, self.n, len(ranks)).astype(np.int64)
        before = np.cumsum(sizes) - sizes
        wanted = {}
        for i in np.flatnonzero((before < stop) & (before + sizes > start)).tolist():
            low, high = max(start - int(before[i]), 0), min(stop - int(before[i]), int(sizes[i]))
            wanted[int(ranks[i])] = (int(sizes[i]) - high, int(sizes[i]) - low) if self.descending else (low, high)
        return np.flatnonzero(np.isin(self.rank, list(wanted))), wanted


def records_in(
    study: EngineStudy, keys: KeyTable, target: Variable | None, side: int, cells: InOrder, start: int, n_rows: int
) -> tuple[Indices, Indices]:
    """Return some records of a side that are in `cells`: their numbers, counted from 0, and the cell of each.

    Parameters
    ----------
    keys, target
        What was counted of the study.
    side
        0 is the original.
    start, n_rows
        Which rows of the list, counted from 0; at most `MOST_ROWS`.
    """
    need_shown(study)
    if n_rows > MOST_ROWS:
        raise DisclosureError(f"An engine shows {MOST_ROWS} records at a time; ask for fewer.")
    relation = study.relations[side]
    if relation.holder is not None or not relation.in_order:
        what = "safer syntheses, which DuckDB makes when they are read," if relation.holder is not None else "a view"
        raise DisclosureError(
            f"{side_name(side, study.n_syntheses)}: records of {what} have no order to be listed in; see those of a "
            "table or file."
        )
    coder, layout = Coder(), Layout(cast("tuple[EngineColumn, ...]", keys.keys))
    packs = {"q": layout} | ({} if target is None else {"t": Layout([cast("EngineColumn", target)])})
    number = f"{coder.mark}_r"
    columns = (*keys.keys, *([] if target is None else [target]))
    names = ", ".join(dict.fromkeys(quoted(column.name) for column in columns))
    numbered = replace(relation, sql=f"(select {names}, row_number() over () as {number} from {relation.sql})")
    stop = min(start + n_rows, int(cells.n.sum()))

    def seen(cursor: Cursor) -> tuple[Ints, Ints]:
        coded = coder.coded(cursor, numbered, side, packs, [f"{number} as r"])
        page = _Page(packs, cells, start, stop)
        # A join keeps the order where the records are its longer side; where not, they are put in order.
        for order in ("", " order by r"):
            page.begin()
            for batch in batches(cursor, coded + order, study.sizes[side]):
                if not page.takes(batch):
                    break
                if page.is_full:
                    return page.found()
            else:
                break
        raise DisclosureError(CHANGED)

    if start >= stop:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    connection = connection_of(study)
    with study.unchanged():
        try:
            number_of, cell = connection.ask("the records", seen)
        finally:
            connection.ask("the codes", coder.drop)
    return number_of.astype(np.intp), cell.astype(np.intp)


def need_shown(study: EngineStudy) -> None:
    """Make sure that single records may be shown."""
    if not study.lists_records:
        raise DisclosureError(NOT_SHOWN)


class _Page:
    """The rows of a page, picked out of the records as they stream by in order."""

    def __init__(self, packs: Mapping[str, Layout], cells: InOrder, start: int, stop: int) -> None:
        self.cells, self.n_rows = cells, stop - start
        self.at, self.wanted = cells.places(start, stop)
        levels = [of_column[self.at] for of_column in cells.levels]
        codes: list[Ints] = []
        sizes: list[float] = []
        for layout in packs.values():
            codes += layout.packed(levels[: len(layout.keys)])
            sizes.append(layout.n_q if layout.n_packed == 1 else math.inf)
            levels = levels[len(layout.keys) :]
        self.columns = [f"{name}{j}" for name, layout in packs.items() for j in range(layout.n_packed)]
        self.places = _Places(codes, sizes)

    def begin(self) -> None:
        self.n_read = 0
        self.n_seen = dict.fromkeys(self.wanted, 0)
        self.rows: list[tuple[Ints, Ints]] = []

    def takes(self, batch: pa.RecordBatch) -> bool:
        """Take the next records; return whether they are the next, none between them and those before."""
        number = batch["r"].to_numpy()
        if not np.array_equal(number, np.arange(self.n_read + 1, self.n_read + 1 + len(number))):
            return False
        place = self.places.of([batch[name].to_numpy().astype(np.int64) for name in self.columns])
        hit = np.flatnonzero(place >= 0)
        cell = self.at[place[hit]]
        rank = self.cells.rank[cell]
        for of_rank, (low, high) in self.wanted.items():
            here = np.flatnonzero(rank == of_rank)
            some = here[max(low - self.n_seen[of_rank], 0) : max(high - self.n_seen[of_rank], 0)]
            self.n_seen[of_rank] += here.size
            self.rows.append((hit[some] + self.n_read, cell[some]))
        self.n_read += len(number)
        return True

    @property
    def is_full(self) -> bool:
        return sum(number.size for number, _ in self.rows) == self.n_rows

    def found(self) -> tuple[Ints, Ints]:
        number, cell = (np.concatenate(each) for each in zip(*self.rows, strict=True))
        order = np.lexsort((-number if self.cells.descending else number, self.cells.rank[cell]))
        return number[order], cell[order]


class _Places:
    """Where the codes of a record are among those of some cells."""

    def __init__(self, codes: list[Ints], sizes: list[float]) -> None:
        self.sizes = sizes
        self.steps: list[tuple[Ints, Ints]] = []
        self.by_code: Ints | None = None
        if is_dense(math.prod(sizes)):
            self.by_code = np.full(int(math.prod(sizes)), -1, dtype=np.int64)
            self.by_code[self._joined(codes)] = np.arange(codes[0].size)
            return
        rank = np.zeros(codes[0].size, dtype=np.int64)
        for column in codes:
            values, code = np.unique(column, return_inverse=True)
            pairs, joined = np.unique(rank * len(values) + code, return_inverse=True)
            self.steps.append((values, pairs))
            rank = joined.astype(np.int64)
        self.last = np.argsort(rank)

    def _joined(self, codes: list[Ints]) -> Ints:
        return codes[0] * int(self.sizes[1]) + codes[1] if len(codes) > 1 else codes[0]

    def of(self, codes: list[Ints]) -> Ints:
        """Return, shape (n,), the place of each record's cell, −1 where it is none of these."""
        if self.by_code is not None:
            joined = self._joined(codes)
            if joined.size and joined.max() >= self.by_code.size:
                raise DisclosureError(CHANGED)
            return self.by_code[joined]
        rank, there = np.zeros(codes[0].size, dtype=np.int64), np.ones(codes[0].size, dtype=bool)
        for column, (values, pairs) in zip(codes, self.steps, strict=True):
            code = _nearest(values, column)
            there &= values[code] == column
            joined = rank * len(values) + code
            rank = _nearest(pairs, joined)
            there &= pairs[rank] == joined
        return np.where(there, self.last[rank], -1)


def _nearest(values: Ints, wanted: Ints) -> Indices:
    return np.minimum(np.searchsorted(values, wanted), len(values) - 1)
