"""Records as codes in DuckDB's SQL, and the cells that they make: counted here as they stream by, or grouped there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np
import pyarrow as pa

from disclosure_core.arrays import Counts, Ints
from disclosure_core.engines.duckdb_column import code_of
from disclosure_core.engines.duckdb_connection import Connection, Cursor, forget
from disclosure_core.engines.layout import CHANGED, Layout, SideCells, check_few
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.engines.column import EngineColumn
    from disclosure_core.engines.duckdb_tables import Relation

    _Names = tuple[str, str | None]

CHUNK = 1_000_000
"""Records that are counted at once: memory follows these, and not the records."""
DENSE = 2**23
"""Cells of a target up to which they are counted in an array of all that could be; beyond it DuckDB groups them."""
IN_ONE_PASS = 2**25
"""Cells of all sides that are counted in such arrays at once."""


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


class Coder(Kept):
    """How records become codes; what that needs is kept in DuckDB."""

    def coded(
        self,
        cursor: Cursor,
        relation: Relation,
        i: int,
        packs: Mapping[str, Layout],
        more: Sequence[str] = (),
    ) -> str:
        """Return the SQL of the coded records of a relation, read as side `i`, with more columns as SQL has them.

        The keys of each of `packs` are packed codes, called by its name and numbers from 0. The records themselves are
        called `mark`. Joins stand last, as they cost what comes after them.
        """
        joins: list[str] = []
        known: dict[int, str] = {}

        def keep(raw: pa.Array, codes: Ints) -> str:
            return self.keep(cursor, {"raw": pa.chunked_array([raw, pa.nulls(1, raw.type)]), "code": codes})

        def code(column: EngineColumn) -> str:
            if id(column) not in known:
                known[id(column)], join = code_of(column, i, keep)
                if join:
                    joins.append(join)
            return known[id(column)]

        columns = []
        for name, layout in packs.items():
            packed = [""] * layout.n_packed
            for key, place in zip(layout.keys, layout.places, strict=True):
                of_key = f"({code(key)})::ubigint * {place.stride}" if len(layout.keys) > 1 else f"({code(key)})"
                packed[place.column] += f" + {of_key}" if packed[place.column] else of_key
            kind = _smallest(layout.n_q) if layout.n_packed == 1 else "ubigint"
            columns += [f"({sql})::{kind} as {name}{j}" for j, sql in enumerate(packed)]
        return f"select {', '.join([*columns, *more])} from {relation.sql} as {self.mark} {' '.join(joins)}"


def grouped(
    connection: Connection,
    relations: Mapping[int, Relation],
    sizes: Sequence[int],
    layouts: Sequence[Layout],
) -> Iterator[list[SideCells]]:
    """Yield the cells of each side, a layout and target after the other; as `Engine.grouped`.

    As many at once as one pass a side counts in arrays of all cells that could be. One of very many cells stands alone,
    and DuckDB groups its records, and spills where it must.
    """
    every = [_Cells(layout, j) for layout in layouts for j in range(len(layout.radix))]
    for some in _passes(every, len(relations)):
        by_side = _counted(connection, relations, sizes, some)
        for k in range(len(some)):
            yield [side[k]() for side in by_side]


class _Cells:
    """One table of cells: the packed codes of the keys, and of a target of the same layout if there is one."""

    def __init__(self, layout: Layout, j: int) -> None:
        self.keys, self.radix = layout, layout.radix[j]
        self.target = Layout([layout.targets[j]]) if layout.targets else None
        self.n = layout.n_q * self.radix if layout.n_packed == 1 else math.inf
        """Cells that there could be."""


def is_dense(n_cells: float, n_sides: int = 1) -> bool:
    """Return whether an array holds every cell that could be, of each side."""
    return n_cells <= DENSE and n_cells * n_sides <= IN_ONE_PASS


def _passes(every: Sequence[_Cells], n_sides: int) -> Iterator[list[_Cells]]:
    """Yield all of these in order, as many at a time as one pass counts."""
    some: list[_Cells] = []
    for cells in every:
        alone = not is_dense(cells.n, n_sides)
        if some and (alone or sum(each.n for each in (*some, cells)) * n_sides > IN_ONE_PASS):
            yield some
            some = []
        some.append(cells)
        if alone:
            yield some
            some = []
    if some:
        yield some


def _counted(
    connection: Connection, relations: Mapping[int, Relation], sizes: Sequence[int], some: Sequence[_Cells]
) -> list[list[Callable[[], SideCells]]]:
    """Return, a side and table, what gives its cells."""
    packs: dict[tuple[int, ...], tuple[str, Layout]] = {}  # what is packed alike is coded once

    def named(layout: Layout) -> str:
        return packs.setdefault(tuple(map(id, layout.keys)), (f"c{len(packs)}_", layout))[0]

    names = [(named(cells.keys), None if cells.target is None else named(cells.target)) for cells in some]
    coder, count = Coder(), _streamed if is_dense(some[0].n, len(relations)) else _listed

    def coded(cursor: Cursor) -> list[str]:
        return [coder.coded(cursor, relation, i, dict(packs.values())) for i, relation in relations.items()]

    try:
        questions = [
            partial(count, sql=sql, size=size, some=some, names=names)
            for sql, size in zip(connection.ask("the codes", coded), sizes, strict=True)
        ]
        return connection.ask_each(["the cells"] * len(questions), questions, at_once=len(questions))
    finally:
        connection.ask("the codes", coder.drop)


def _streamed(
    cursor: Cursor, sql: str, size: int, some: Sequence[_Cells], names: Sequence[_Names]
) -> list[Callable[[], SideCells]]:
    """Count the records of a side in arrays of all cells that could be."""
    counts = [np.zeros(int(cells.n), dtype=np.int64) for cells in some]
    for batch in batches(cursor, sql, size):
        codes = {name: batch[f"{name}0"].to_numpy().astype(np.int64) for name in dict.fromkeys(key for key, _ in names)}
        for cells, (key, target), of_cells in zip(some, names, counts, strict=True):
            code = codes[key]
            if target is not None:
                code = code * cells.radix + batch[f"{target}0"].to_numpy()
            found = np.bincount(code, minlength=of_cells.size)
            if found.size > of_cells.size:
                raise DisclosureError(CHANGED)
            of_cells += found
    return [partial(_held_cells, of_cells, cells.radix) for of_cells, cells in zip(counts, some, strict=True)]


def _held_cells(counts: Counts, radix: int) -> SideCells:
    """Return the cells that hold a record, of how many stand with each code, q × radix + t."""
    code = np.flatnonzero(counts)
    return SideCells([code // radix], code % radix, counts[code])


def _listed(
    cursor: Cursor, sql: str, size: int, some: Sequence[_Cells], names: Sequence[_Names]
) -> list[Callable[[], SideCells]]:
    """Have DuckDB group the records of a side."""
    ((cells,), ((key, target),)) = some, names
    keys = [f"{key}{k}" for k in range(cells.keys.n_packed)]
    t = "0" if target is None else f"{target}0"
    found, n_cells, n_records = [], 0, 0
    for batch in read_coded(
        cursor, f"select {', '.join(keys)}, {t} as t, count(*)::bigint as n from ({sql}) group by all"
    ):
        found.append(batch)
        n_cells += len(batch)
        check_few(n_cells, None if cells.target is None else cells.target.keys[0])
        n_records += int(batch["n"].to_numpy().sum())
    if n_records != size:
        raise DisclosureError(CHANGED)
    none = np.zeros(0, dtype=np.int64)
    *packed, t_of, n = (
        np.concatenate([none, *(batch[name].to_numpy().astype(np.int64) for batch in found)])
        for name in (*keys, "t", "n")
    )
    side = SideCells(packed, t_of, n)
    return [lambda: side]


def read_coded(cursor: Cursor, sql: str) -> Iterator[pa.RecordBatch]:
    """Yield chunks of coded records, none of which has a value that was not there before."""
    for batch in cursor.sql(sql).to_arrow_reader(CHUNK):
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


def _smallest(radix: float) -> str:
    """Return DuckDB's smallest type that holds so many codes."""
    bits = next(bits for bits in (8, 16, 32, 64) if radix <= 2**bits)
    return {8: "utinyint", 16: "usmallint", 32: "uinteger", 64: "ubigint"}[bits]
