"""Cells of all targets from one pass a side: DuckDB reads and codes, records stream by in chunks and are counted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from disclosure_core.counting.count import cells_of
from disclosure_core.engines.duckdb_connection import forget
from disclosure_core.engines.layout import CHANGED, MOST_CELLS, Layout, SideCells, checked
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from disclosure_core.counting.cells import Cells, Counts, Tables
    from disclosure_core.counting.counted_keys import CountedKeys
    from disclosure_core.engines.duckdb_column import DuckDBColumn
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_study import DuckDBStudy

    Ints = npt.NDArray[np.int64]

CHUNK = 1_000_000
"""Records that are counted at once: memory follows these, and not the records."""
DENSE = 2**23
"""Cells of a target up to which they are counted in an array of all that could be; beyond it DuckDB groups them."""
_DENSE_IN_ALL = 2**25


class Kept:
    """Tables of values that are kept in DuckDB for a question, until `drop`."""

    def __init__(self) -> None:
        self.mark = f"codes_{uuid4().hex}"
        """What the names of all that is kept begin with: nothing of the data is called so."""
        self.dictionaries: list[str] = []

    def keep(self, cursor: Cursor, columns: Mapping[str, pa.Array | pa.ChunkedArray | Ints]) -> str:
        """Keep a table in DuckDB, and return its name; each column's name begins with it."""
        name = f"{self.mark}_{len(self.dictionaries)}"
        self.dictionaries.append(name)
        cursor.register(f"{name}_given", pa.table({f"{name}_{column}": values for column, values in columns.items()}))
        try:
            cursor.execute(f"create table {name}_rows as select * from {name}_given")
            cursor.execute(f"create view {name} as select * from {name}_rows")  # it has no rowid
        finally:
            cursor.unregister(f"{name}_given")
        return name

    def drop(self, cursor: Cursor) -> None:
        """Take away what was kept."""
        for name in self.dictionaries:
            forget(cursor, name)


class Counter(Kept, Layout):
    """One count: how the records of each side become packed codes of the keys (q0 …) and of each target (t0 …)."""

    keys: tuple[DuckDBColumn, ...]
    targets: tuple[DuckDBColumn, ...]

    def __init__(self, study: DuckDBStudy, keys: Sequence[DuckDBColumn], targets: Sequence[DuckDBColumn]) -> None:
        Kept.__init__(self)
        Layout.__init__(self, keys, targets)
        self.study = study

    @property
    def is_dense(self) -> bool:
        """Whether an array holds every cell that could be."""
        sides = len(self.study.relations)
        return self.n_q * max(self.radix) <= DENSE and self.n_q * sum(self.radix) * sides <= _DENSE_IN_ALL

    def coded(self, cursor: Cursor, i: int, targets: Sequence[int], more: Sequence[str] = (), prefix: str = "") -> str:
        """Return the SQL of the coded records of side `i`, with more columns as SQL has them.

        The records themselves are called `mark`. Joins stand last, as they cost what comes after them.
        """
        joins: list[str] = []

        def keep(raw: pa.Array, codes: Ints) -> str:
            return self.keep(cursor, {"raw": pa.chunked_array([raw, pa.nulls(1, raw.type)]), "code": codes})

        def code(column: DuckDBColumn) -> str:
            sql, join = column.code(i, keep)
            if join:
                joins.append(join)
            return sql

        packed = [""] * self.n_packed
        for key, place in zip(self.keys, self.places, strict=True):
            of_key = f"({code(key)})::ubigint * {place.stride}"
            packed[place.column] += f" + {of_key}" if packed[place.column] else of_key
        kind = "uinteger" if self.n_packed == 1 and self.n_q < 2**32 else "ubigint"
        columns = [f"({sql})::{kind} as {prefix}q{j}" for j, sql in enumerate(packed)]
        columns += [f"({code(self.targets[j])})::{_smallest(self.radix[j])} as {prefix}t{j}" for j in targets]
        records = f"{self.study.relations[i].sql} as {self.mark}"
        return f"select {', '.join([*columns, *more])} from {records} {' '.join(joins)}"

    # Few cells could be: an array a target.

    def streamed(self, cursor: Cursor, i: int, sql: str) -> list[Counts]:
        """Return, a target, the records of side `i` with each code, q × n_codes + target level."""
        counts = [np.zeros(self.n_q * radix, dtype=np.int64) for radix in self.radix]
        for batch in batches(cursor, sql, self.study.sizes[i]):
            q = batch["q0"].to_numpy().astype(np.int64)
            for j, (radix, of_target) in enumerate(zip(self.radix, counts, strict=True)):
                codes = q * radix + batch[f"t{j}"].to_numpy() if self.targets else q
                found = np.bincount(codes, minlength=of_target.size)
                if found.size > of_target.size:
                    raise DisclosureError(CHANGED)
                of_target += found
        return counts

    def dense(self) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """Return keys and cells, counted in arrays of all cells that could be."""
        by_side = self.ask(range(len(self.targets)), self.streamed)
        of_q = [side[0].reshape(self.n_q, self.radix[0]).sum(axis=1) for side in by_side]
        seen = np.any([side > 0 for side in of_q], axis=0)
        present, rank = np.flatnonzero(seen), np.cumsum(seen) - 1
        keys = self.counted_keys([present], [side[present] for side in of_q])
        cells = []
        for j, target in enumerate(self.targets):
            sides = [side[j] for side in by_side]
            at = np.flatnonzero(np.any([side > 0 for side in sides], axis=0))
            codes = rank[at // target.n_codes] * target.n_codes + at % target.n_codes
            cells.append(cells_of(keys, target, [side[at] for side in sides], codes))
        return keys, cells

    # Many cells could be: DuckDB groups the records, and spills where it must.

    def listed(self, cursor: Cursor, i: int, sql: str, *, j: int) -> pa.Table:
        """Return the cells of side `i` that hold a record: packed keys, t and n."""
        t = f"t{j}" if self.targets else "0"
        packed = [f"q{k}" for k in range(self.n_packed)]
        grouped = f"select {', '.join(packed)}, {t} as t, count(*)::bigint as n from ({sql}) group by all"
        batches, n_cells, n_records = [], 0, 0
        for batch in read_coded(cursor, grouped):
            batches.append(batch)
            n_cells += len(batch)
            if n_cells > MOST_CELLS:
                what = self.targets[j].name if self.targets else "the keys"
                raise DisclosureError(
                    f"These keys make more than {MOST_CELLS:,} cells with {what!r}; choose fewer keys, or group one."
                )
            n_records += int(batch["n"].to_numpy().sum())
        if n_records != self.study.sizes[i]:
            raise DisclosureError(CHANGED)
        return pa.Table.from_batches(batches)

    def sparse(self) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """Return keys and cells as DuckDB groups them, a target at a time."""
        return self.tabled(lambda j: [self._of_side(side) for side in self.ask(self._of(j), partial(self.listed, j=j))])

    def beside(self, known: Tables) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """Return keys and cells where those of all sides but the last are known: the last alone is counted."""
        last = [len(self.study.relations) - 1]
        if self.is_dense:
            (counts,) = self.ask(range(len(self.targets)), self.streamed, last)

        def further(j: int) -> SideCells:
            if not self.is_dense:
                return self._of_side(self.ask(self._of(j), partial(self.listed, j=j), last)[0])
            at = np.flatnonzero(counts[j])
            return SideCells([at // self.radix[j]], at % self.radix[j], counts[j][at])

        before = self.before(known)
        return self.tabled(lambda j: [*before(j), further(j)])

    def _of(self, j: int) -> list[int]:
        return [j] if self.targets else []

    def _of_side(self, table: pa.Table) -> SideCells:
        packed = [table[f"q{k}"].to_numpy().astype(np.int64) for k in range(self.n_packed)]
        return SideCells(packed, table["t"].to_numpy().astype(np.int64), table["n"].to_numpy())

    def ask(
        self, targets: Sequence[int], count: Callable[[Cursor, int, str], Any], only: Sequence[int] | None = None
    ) -> list[Any]:
        """Return what `count` makes of each side, or of some, given a cursor, its number and the SQL of its codes."""
        connection, sides = self.study.connection, range(len(self.study.relations)) if only is None else only
        try:
            sql = connection.ask("the codes", lambda cursor: {i: self.coded(cursor, i, targets) for i in sides})
            questions = [lambda cursor, i=i: count(cursor, i, sql[i]) for i in sides]
            return connection.ask_each(["the cells"] * len(questions), questions, at_once=len(questions))
        finally:
            connection.ask("the codes", self.drop)


def counted_tables(
    study: DuckDBStudy, keys: Sequence[DuckDBColumn], targets: Sequence[DuckDBColumn], known: Tables | None = None
) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
    """Return the key combinations, and the cells of each target, from one pass a side; as `EngineStudy` has it."""
    counter = Counter(study, keys, targets)
    with study.unchanged():
        if known is not None:
            table, cells = counter.beside(known)
        else:
            table, cells = counter.dense() if counter.is_dense else counter.sparse()
    return checked(table, cells, counter)


def read_coded(cursor: Cursor, sql: str) -> Iterator[pa.RecordBatch]:
    """Yield chunks of coded records, none of which has a value that was not there before."""
    for batch in cursor.execute(sql).to_arrow_reader(CHUNK):
        if any(column.null_count for column in batch.columns):  # a value that was not there before
            raise DisclosureError(CHANGED)
        yield batch


def batches(cursor: Cursor, sql: str, size: int) -> Iterator[pa.RecordBatch]:
    """Yield chunks of coded records, and make sure that there are as many as there were."""
    seen = 0
    for batch in read_coded(cursor, sql):
        seen += len(batch)
        yield batch
    if seen != size:
        raise DisclosureError(CHANGED)


def _smallest(radix: int) -> str:
    return "utinyint" if radix <= 2**8 else "usmallint" if radix <= 2**16 else "uinteger"
