"""Whole records of two sides held against each other in DuckDB, each as the numbers of its codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Array
from disclosure_core.engines.duckdb_cells import Coder, read_coded
from disclosure_core.engines.duckdb_connection import Connection, Cursor, quoted
from disclosure_core.engines.layout import Layout

if TYPE_CHECKING:
    from disclosure_core.engines.column import EngineColumn
    from disclosure_core.engines.duckdb_tables import Relation


GROUPED_AT_ONCE, SORTED_AT_ONCE = 2**24, 2**27
"""Records held against each other at once, by DuckDB and here; of more, a part each time, chosen by what they hold."""


def whole_records(
    connection: Connection, columns: Sequence[EngineColumn], relations: Mapping[int, Relation], sizes: Sequence[int]
) -> list[int]:
    """Return how the records of two sides meet; as `Engine.whole_records`."""
    narrow = Layout([column for column in columns if not column.is_wide])
    wide = {f"w{i}": column for i, column in enumerate(columns) if column.is_wide}
    coder = Coder()

    def coded(cursor: Cursor, more: Sequence[str] = ()) -> list[str]:
        packs = {"q": narrow} if narrow.keys else {}
        return [coder.coded(cursor, relation, i, packs, more) for i, relation in relations.items()]

    try:
        if not wide and narrow.n_packed == 1:  # one number a record
            return _sorted(connection, connection.ask("the codes", coded), sizes)
        more = [f"nullif({quoted(column.name)}::double, 'nan') as {name}" for name, column in wide.items()]
        sides = connection.ask("the codes", partial(coded, more=more))
        return _grouped(connection, sides, [*(f"q{i}" for i in range(narrow.n_packed)), *wide], sum(sizes))
    finally:
        connection.ask("the codes", coder.drop)


def _grouped(connection: Connection, sides: Sequence[str], names: Sequence[str], n_records: int) -> list[int]:
    """Return the same where a record is several numbers: DuckDB groups them."""
    every, parts = ", ".join(names), _parts(n_records, GROUPED_AT_ONCE)

    def held(cursor: Cursor) -> list[int]:
        total = np.zeros(7, dtype=np.int64)
        for part in range(parts):
            some = f"where hash({every}) % {parts} = {part}" if parts > 1 else ""
            inside, outside = (f"select {every}, {{}} as inside from ({side}) {some}" for side in sides)
            row: Any = cursor.execute(
                f"with every as ({inside.format('true')} union all {outside.format('false')}), "
                f"held as (select {every}, count(*) filter (inside) as d, count(*) filter (not inside) as h from every "
                "group by all) "
                "select sum(h) filter (d > 0), sum(d) filter (d > 1), sum(h) filter (h > 1 and d > 0), "
                "count(*) filter (d <> h), count(*), sum(d), sum(h) from held"
            ).fetchall()[0]
            total += [int(n or 0) for n in row]
        return [int(n) for n in total]

    return connection.ask("the whole records", held)


def _sorted(connection: Connection, sides: Sequence[str], sizes: Sequence[int]) -> list[int]:
    """Return the same where a record is one number: these stream by, and are sorted here."""
    parts = _parts(sum(sizes), SORTED_AT_ONCE)

    def numbers(cursor: Cursor, sql: str, size: int, part: int) -> Array:
        some = f"where hash(q0) % {parts} = {part}" if parts > 1 else ""
        found = np.empty(size if parts == 1 else SORTED_AT_ONCE, dtype=np.uint64)
        n = 0
        for batch in read_coded(cursor, f"select q0 from ({sql}) {some}"):
            if n + len(batch) > found.size:
                found = np.append(found[:n], np.empty(max(found.size, len(batch)), dtype=np.uint64))
            found[n : n + len(batch)] = batch["q0"].to_numpy()
            n += len(batch)
        found = found[:n]
        found.sort()
        return found

    total = np.zeros(7, dtype=np.int64)
    for part in range(parts):
        questions = [partial(numbers, sql=sql, size=size, part=part) for sql, size in zip(sides, sizes, strict=True)]
        inside, outside = connection.ask_each(["the whole records"] * 2, questions)
        total += counted_matches(inside, outside)
    return [int(n) for n in total]


def _parts(n_records: int, most: int) -> int:
    """Return in how many parts the records of both are held against each other."""
    return 1 + n_records // most


def counted_matches(inside: Array, outside: Array, at_once: int = 2**20) -> Array:
    """Return how records of two sides meet, each a number, rising: shape (7,), in the order of `Engine.whole_records`.

    Records outside that stand inside, records inside that have a twin there, records outside that stand inside and have
    a twin outside, different records that do not stand in both as often, different records, and the records of each.
    """
    total = np.array([0, 0, 0, 0, 0, inside.size, outside.size], dtype=np.int64)
    cuts = np.unique(np.concatenate([inside[::at_once], outside[::at_once]]))
    ends = [np.append(np.searchsorted(side, cuts), side.size) for side in (inside, outside)]
    for k in range(cuts.size):
        (d_at, d), (h_at, h) = (
            _runs(side[end[k] : end[k + 1]]) for side, end in zip((inside, outside), ends, strict=True)
        )
        met, of_d, of_h = np.intersect1d(d_at, h_at, assume_unique=True, return_indices=True)
        twice = h[of_h] > 1
        apart = d_at.size + h_at.size - 2 * met.size + np.count_nonzero(d[of_d] != h[of_h])
        total[:5] += [h[of_h].sum(), d[d > 1].sum(), h[of_h][twice].sum(), apart, d_at.size + h_at.size - met.size]
    return total


def _runs(rising: Array) -> tuple[Array, Array]:
    """Return different numbers of those that rise, and how often each stands."""
    first = np.flatnonzero(np.diff(rising, prepend=rising[:1] + 1)) if rising.size else np.zeros(0, dtype=np.intp)
    return rising[first], np.diff(first, append=rising.size)
