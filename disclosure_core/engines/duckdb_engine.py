"""DuckDB as an engine: the same questions in SQL of our own; see `Engine`."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from disclosure_core.arrays import Array, Counts, Ints
from disclosure_core.data.readers._types import typed
from disclosure_core.data.values import Note, Side, side_of
from disclosure_core.engines.column import EngineColumn, Values
from disclosure_core.engines.duckdb_cells import Coder, Kept, grouped
from disclosure_core.engines.duckdb_column import value_sql
from disclosure_core.engines.duckdb_connection import Connection, Cursor, literal, quoted
from disclosure_core.engines.duckdb_matches import whole_records
from disclosure_core.engines.engine import Became, Engine, Marked
from disclosure_core.engines.layout import CHANGED, Layout, SideCells
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.engines.duckdb_tables import Relation


class DuckDB(Engine):
    """A DuckDB of one's own, which many threads may ask."""

    may_show_records = True

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @property
    def shows_records(self) -> bool:  # type: ignore[override]
        """Whether whoever opened it allows that single records are shown."""
        return self.connection.shows_records

    def check(self, relations: Sequence[Relation]) -> None:
        """As of `Engine`: that the files are those that were found at first."""
        for relation in relations:
            relation.check()

    def count(self, relations: Sequence[Relation]) -> list[int]:
        """As of `Engine`."""
        questions = [partial(_number, sql=f"select count(*) from {relation.sql}") for relation in relations]
        return self.connection.ask_each(["records"] * len(questions), questions)

    def distinct(
        self,
        names: Sequence[str],
        relations: Sequence[Relation],
        sizes: Sequence[int],
        most: int,
        *,
        in_order: bool = False,
    ) -> list[list[tuple[Values, Counts] | None]]:
        """As of `Engine`: two columns at a time."""

        def of_column(cursor: Cursor, name: str) -> list[tuple[Values, Counts] | None]:
            found: list[tuple[Values, Counts] | None] = []
            for relation, size in zip(relations, sizes, strict=True):
                passed = bool(found) and found[-1] is None
                found.append(None if passed else _distinct(cursor, relation, name, size, most, in_order=in_order))
            return found

        what = [f"the values of {name!r}" for name in names]
        return self.connection.ask_each(what, [partial(of_column, name=name) for name in names])

    def nothing_of(self, name: str, relation: Relation) -> Values:
        """As of `Engine`."""
        return Values(*value_sql(name, relation.columns[name]), pa.array([], pa.float64()))

    def side_of(self, name: str, relation: Relation, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:
        """As of `Engine`."""
        read: pa.Array | pa.ChunkedArray = values.raw
        notes = []
        if relation.text:
            read, said, _ = typed(pa.chunked_array([values.raw]), None, relation.text)
            notes = [Note(f"{name!r} {sentence}", name) for sentence in said]
        part = side_of(name, read)
        codes = np.append(part.codes, [-1] * empty).astype(np.int64)
        return replace(part, codes=codes, zone=part.zone and "UTC"), notes

    def all_numbers(self, name: str, relations: Sequence[Relation]) -> bool:
        """As of `Engine`."""
        return not any(relation.text for relation in relations) and all(
            _is_number(relation.columns[name]) for relation in relations
        )

    def quantiles(self, name: str, relations: Sequence[Relation], n: int) -> tuple[Array, Ints]:
        """As of `Engine`: only the numbers where a quantile stands come here."""
        values = " union all ".join(
            f"select {quoted(name)}::double as x from {relation.sql} where {quoted(name)} is not null"
            for relation in relations
        )
        ranked = (
            "with counted as materialized (select x, count(*) as n from ("
            + values
            + ") where not isnan(x) group by x), "
            "total as (select sum(n)::bigint as n from counted), "
            f"places as (select distinct unnest([((n - 1) * i // {n}), least((n - 1) * i // {n} + 1, n - 1)]) as place "
            f"from total, range({n + 1}) as r(i)), "
            "running as (select x, sum(n) over (order by x rows unbounded preceding)::bigint as upto, n from counted) "
            "select x, upto from running where exists "
            "(select 1 from places where place >= upto - n and place < upto) order by x"
        )
        rows = self._table(f"the quantiles of {name!r}", ranked)
        return rows["x"].to_numpy(), rows["upto"].to_numpy().astype(np.int64)

    def grouped(
        self, relations: Mapping[int, Relation], sizes: Sequence[int], layouts: Sequence[Layout]
    ) -> Iterator[list[SideCells]]:
        """As of `Engine`: one pass a side for as many tables as an array of all cells that could be holds."""
        return grouped(self.connection, relations, sizes, layouts)

    def whole_records(
        self, columns: Sequence[EngineColumn], relations: Mapping[int, Relation], sizes: Sequence[int]
    ) -> list[int]:
        """As of `Engine`."""
        return whole_records(self.connection, columns, relations, sizes)

    def marked(
        self,
        relations: Sequence[Relation],
        keys: Sequence[EngineColumn],
        chosen: Sequence[Sequence[Array]],
    ) -> Marked:
        """As of `Engine`: the records themselves are kept in DuckDB as well, since every column is counted of them."""
        return _Marked(self.connection, relations, Layout(keys), chosen)

    def recoded(self, relation: Relation, names: Sequence[str], became: Mapping[str, Became]) -> Relation:
        """As of `Engine`: a join a column."""
        kept = Kept()
        weakref.finalize(kept, self.connection.left.extend, kept.dictionaries)

        def joined(cursor: Cursor) -> str:
            columns, joins = [], []
            for name in names:
                if name not in became:
                    columns.append(f"{kept.mark}.{quoted(name)}")
                    continue
                of, (value, _) = became[name], value_sql(name, relation.columns[name])
                table = kept.keep(cursor, {"raw": of.raw, "value": of.value})
                now = f"coalesce({table}_value, {value})" if of.others_stay else f"{table}_value"
                columns.append(f"{now} as {quoted(name)}")
                joins.append(f"left join {table} on {value} is not distinct from {table}_raw")
            return f"(select {', '.join(columns)} from {relation.sql} as {kept.mark} {' '.join(joins)})"

        sql = self.connection.ask("the codes", joined) if became else relation.sql
        return replace(relation, sql=sql, holder=(kept, relation))

    def rows(self, relation: Relation, names: Sequence[str], most: int) -> pa.Table:
        """As of `Engine`."""
        columns = "".join(f"{quoted(name)} as v{k}, " for k, name in enumerate(names))
        grouped_by = "group by all" if names else ""
        sql = f"select {columns}count(*)::bigint as n from {relation.sql} {grouped_by} limit {most}"
        return self._table("the rows", sql)

    def write(self, relation: Relation, labels: Mapping[str, str], place: Path) -> int:
        """As of `Engine`: Parquet, or delimited text where it came as that."""
        form = "format parquet, compression zstd"
        if relation.text:
            form = f"format csv, header true, nullstr '', delimiter {literal(relation.text)}"
        columns = ["*", *(f"{literal(text)} as {quoted(name)}" for name, text in labels.items())]
        sql = f"copy (select {', '.join(columns)} from {relation.sql}) to {literal(str(place))} ({form})"
        return self.connection.ask("the safer table", partial(_number, sql=sql))

    def _table(self, what: str, sql: str) -> pa.Table:
        return self.connection.ask(what, lambda cursor: cursor.sql(sql).to_arrow_table())


class _Marked(Marked):
    """As of `Engine.marked`; kept in DuckDB until nobody reads them."""

    def __init__(
        self,
        connection: Connection,
        relations: Sequence[Relation],
        keys: Layout,
        chosen: Sequence[Sequence[Array]],
    ) -> None:
        self._relations = relations
        coder = Coder()
        weakref.finalize(self, connection.left.extend, coder.dictionaries)
        self._q = [f"{coder.mark}_q{j}" for j in range(keys.n_packed)]

        def marked(cursor: Cursor) -> list[tuple[str, str]]:
            made = []
            for i, levels in enumerate(chosen, 1):
                packed = {f"q{j}": q.astype(np.uint64) for j, q in enumerate(keys.packed(levels))}
                table = coder.keep(cursor, packed)
                every = [f"{coder.mark}.*"]
                made.append((coder.coded(cursor, relations[i], i, {f"{coder.mark}_q": keys}, every), table))
            return made

        self._sides = connection.ask("the codes", marked)
        kept = [f"{coder.mark}_r{i}" for i in range(len(self._sides))]
        coder.dictionaries += kept
        self._records = [f"{name}_rows" for name in kept]  # as `forget` knows them
        questions = [
            partial(
                _run,
                sql=f"create table {name} as select * exclude ({', '.join(self._q)}) from {self._joined(i, 'semi')}",
            )
            for i, name in enumerate(self._records)
        ]
        connection.ask_each(["the records to be changed"] * len(questions), questions)

    def _joined(self, i: int, how: str) -> str:
        """Return the coded records of a synthesis joined with its combinations."""
        sql, table = self._sides[i]
        on = " and ".join(f"{q} = {table}_q{j}" for j, q in enumerate(self._q))
        return f"({sql}) {how} join {table} on {on}"

    def _relation(self, i: int, sql: str) -> Relation:
        """Return a table of records read through these; it keeps them alive."""
        return replace(self._relations[i], sql=sql, holder=(self, self._relations[i]))

    def without(self, i: int) -> Relation:
        """As of `Marked`."""
        return self._relation(i, f"(select * exclude ({', '.join(self._q)}) from {self._joined(i - 1, 'anti')})")

    def blanked(self, i: int, name: str) -> Relation:
        """As of `Marked`."""
        table = self._sides[i - 1][1]
        hidden = [*self._q, *(f"{table}_q{j}" for j in range(len(self._q)))]
        value = f"case when {table}_q0 is null then {quoted(name)} end as {quoted(name)}"
        joined = self._joined(i - 1, "left")
        return self._relation(i, f"(select * exclude ({', '.join(hidden)}) replace ({value}) from {joined})")

    def only(self, i: int) -> Relation:
        """As of `Marked`."""
        return self._relation(i, self._records[i - 1])


def _distinct(
    cursor: Cursor, relation: Relation, name: str, size: int, most: int, *, in_order: bool
) -> tuple[Values, Counts] | None:
    """Return one column's distinct values, and the records that have each; None where there are more than `most`."""
    sql, kind = value_sql(name, relation.columns[name])
    rows = cursor.sql(
        f"select {sql} as raw, count(*)::bigint as n from {relation.sql} where {quoted(name)} is not null "
        f"group by 1 {'order by 1' if in_order else ''} limit {most + 1}"
    ).to_arrow_table()
    if len(rows) > most:
        return None
    n = rows["n"].to_numpy().astype(np.int64)
    empty = size - int(n.sum())
    if empty < 0:
        raise DisclosureError(CHANGED)
    return Values(sql, kind, _array(rows["raw"])), np.append(n, np.full(int(empty > 0), empty))


def _number(cursor: Cursor, sql: str) -> int:
    """Return the one number of an answer."""
    found: Any = cursor.execute(sql).fetchall()[0]
    return int(found[0])


def _run(cursor: Cursor, sql: str) -> None:
    cursor.execute(sql)


def _array(column: pa.ChunkedArray) -> pa.Array:
    """Return one array; DuckDB's enumerations are cast to text before."""
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else pa.concat_arrays(combined.chunks)


def _is_number(kind: str) -> bool:
    return (
        kind in ("FLOAT", "DOUBLE", "HUGEINT")
        or kind.startswith("DECIMAL")
        or kind.endswith("INT")
        or kind in ("INTEGER", "UINTEGER")
    )
