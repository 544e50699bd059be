"""An engine that Ibis speaks to: the same questions as expressions, which serve each of them; see `Engine`.

Records become cells in one question a target; a cell comes back once, as its values and how many records of each side
have them, and is coded here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from disclosure_core.arrays import Array, Counts, Ints
from disclosure_core.data.values import Note, Side, side_of
from disclosure_core.engines import layout as shared
from disclosure_core.engines.column import EngineColumn, Values
from disclosure_core.engines.engine import Became, Engine, Marked
from disclosure_core.engines.layout import CHANGED, Layout, SideCells, check_few
from disclosure_core.engines.line import Line
from disclosure_core.engines.table_column import Read, raw_value, stored_type, told_apart
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from ibis.backends import BaseBackend
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir


@dataclass(frozen=True, slots=True)
class Stored:
    """A table of an engine, and the types of its columns by name."""

    table: ir.Table
    columns: Mapping[str, dt.DataType]
    holder: object = None
    """What lives as long as somebody reads the table."""
    text = ""
    """As of DuckDB's relations: none is delimited text."""

    @classmethod
    def of(cls, table: ir.Table, holder: object = None) -> Stored:
        """Return an Ibis table so."""
        return cls(table, dict(table.schema().items()), holder)


class Ibis(Engine):
    """A connection of Ibis, which many threads may ask.

    Parameters
    ----------
    backend
        The connection.
    private
        Whether errors keep silent about what the engine said, which may name hosts or hold credentials.
    check
        As of `Line`: what ends a question that nobody waits for any more, by raising.

    Attributes
    ----------
    line
        The way to ask the connection.
    returned
        What each query was for and how many rows came back, in the order they were asked.
    """

    def __init__(
        self, backend: BaseBackend, *, private: bool = False, check: Callable[[], object] | None = None
    ) -> None:
        self.line = Line(backend, check)
        self.private = private
        self.returned: list[tuple[str, int]] = []
        self._brought: WeakKeyDictionary[Became, ir.Table] = WeakKeyDictionary()

    def ask(self, subject: str, question: Callable[[], Any]) -> Any:
        """Return what `question` does, alone; what the engine says in an error stays out of the sentence."""
        failure = None
        try:
            return self.line.ask(question)
        except DisclosureError:
            raise
        except Exception as error:
            failure = error
        sentence = f"The engine could not answer about {subject}; see that it runs and holds these tables."
        # Outside of the `except`, so that a private error does not carry the engine's as its context.
        raise DisclosureError(sentence) from (None if self.private else failure)

    def fetch(self, subject: str, expression: ir.Table) -> pa.Table:
        """Return the rows of `expression` as the engine gives them, and count them in `returned`."""
        table: pa.Table = self.ask(subject, expression.to_pyarrow)
        self.returned.append((subject, len(table)))
        return table

    def bring(self, table: pa.Table, owner: object) -> ir.Table:
        """Return a table in Python's memory as one of the engine, for as long as `owner` lives."""
        brought: ir.Table = self.ask("a table of values", lambda: self.line.bring(table, owner))
        return brought

    def check(self, relations: Sequence[Stored]) -> None:
        """As of `Engine`: an engine does not tell; what was counted is compared with the values read before."""

    def count(self, relations: Sequence[Stored]) -> list[int]:
        """As of `Engine`."""
        counted = [r.table.agg(n=r.table.count()).mutate(side=i) for i, r in enumerate(relations)]
        rows = self.fetch("records", ibis.union(*counted)).to_pydict()
        n_of = dict(zip(rows["side"], rows["n"], strict=True))
        return [int(n_of[i]) for i in range(len(relations))]

    def distinct(
        self,
        names: Sequence[str],
        relations: Sequence[Stored],
        sizes: Sequence[int],
        most: int,
        *,
        in_order: bool = False,
    ) -> list[list[tuple[Values, Counts] | None]]:
        """As of `Engine`: tables that store a column alike are asked at once."""
        return [self._distinct(name, relations, sizes, most, in_order=in_order) for name in names]

    def _distinct(
        self, name: str, relations: Sequence[Stored], sizes: Sequence[int], most: int, *, in_order: bool
    ) -> list[tuple[Values, Counts] | None]:
        of_types: dict[Any, list[int]] = {}
        for i, relation in enumerate(relations):
            of_types.setdefault(stored_type(name, relation.columns[name]), []).append(i)
        found: dict[int, tuple[Values, Counts] | None] = {}
        for dtype, sides in of_types.items():
            table = ibis.union(*(_raw(relations[i], name, dtype).mutate(side=ibis.literal(i)) for i in sides))
            present = table.filter(table.raw.notnull())
            counted = present.group_by(["side", "raw"]).agg(n=present.count()).limit(most * len(sides) + 1)
            rows = self.fetch(f"the values of {name!r}", counted.order_by("raw") if in_order else counted)
            side = rows["side"].to_numpy()
            if len(side) and np.bincount(side).max() > most:
                found |= dict.fromkeys(sides)
                continue
            for i in sides:
                of_side = rows.filter(pa.array(side == i))
                n = of_side["n"].to_numpy().astype(np.int64)
                empty = sizes[i] - int(n.sum())
                if empty < 0:
                    raise DisclosureError(CHANGED)
                values = Values(name, dtype, of_side["raw"].combine_chunks())
                found[i] = values, np.append(n, np.full(int(empty > 0), empty))
        return [found[i] for i in range(len(relations))]

    def nothing_of(self, name: str, relation: Stored) -> Values:
        """As of `Engine`."""
        stored_type(name, relation.columns[name])
        return Values(name, ibis.dtype("float64"), pa.array([], pa.float64()))

    def side_of(self, name: str, relation: Stored, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:  # noqa: ARG002 (no text is read as numbers)
        """As of `Engine`."""
        part = side_of(name, values.raw)
        codes = np.append(part.codes, [-1] * empty).astype(np.int64)
        # An engine tells moments in the zone of its session.
        return replace(part, codes=codes, zone=part.zone and "UTC"), []

    def all_numbers(self, name: str, relations: Sequence[Stored]) -> bool:
        """As of `Engine`."""
        dtypes = [relation.columns[name] for relation in relations]
        return all(dtype.is_numeric() and not dtype.is_boolean() for dtype in dtypes)

    def quantiles(self, name: str, relations: Sequence[Stored], n: int) -> tuple[Array, Ints]:
        """As of `Engine`."""
        what = f"the quantiles of {name!r}"
        x = ibis.union(*(r.table[name].cast("float64").name("x").as_table() for r in relations))
        x = x.filter(x.x.notnull() & ~x.x.isnan())
        counted = x.group_by("x").agg(n=x.count())
        running = counted.mutate(upto=counted.n.sum().over(ibis.cumulative_window(order_by=counted.x)))
        total = int(self.fetch(what, x.agg(n=x.count()))["n"][0].as_py())
        places = {
            min(place, total - 1) for i in range(n + 1) for place in ((total - 1) * i // n, (total - 1) * i // n + 1)
        }
        holds = [(running.upto - running.n <= place) & (place < running.upto) for place in sorted(places)]
        rows = self.fetch(what, running.filter(ibis.or_(*holds)).select("x", "upto").order_by("x"))
        return rows["x"].to_numpy(), rows["upto"].to_numpy().astype(np.int64)

    def grouped(
        self, relations: Mapping[int, Stored], sizes: Sequence[int], layouts: Sequence[Layout]
    ) -> Iterator[list[SideCells]]:
        """As of `Engine`: one question a table of cells, and two where a column is stored in two ways."""
        for layout in layouts:
            for target in layout.targets or (None,):
                yield self._cells(relations, sizes, layout, target)

    def _cells(
        self, relations: Mapping[int, Stored], sizes: Sequence[int], layout: Layout, target: EngineColumn | None
    ) -> list[SideCells]:
        columns = [*layout.keys, *([] if target is None else [target])]
        names = [f"c{k}" for k in range(len(columns))]
        what = "the keys" if target is None else repr(target.name)
        reads = {i: [Read(column, i) for column in columns] for i in relations}
        of_types: dict[tuple[Any, ...], list[tuple[int, ir.Table]]] = {}
        for i, relation in relations.items():
            values = {name: read.of(relation.table) for name, read in zip(names, reads[i], strict=True)}
            table = relation.table.select(**values, side=ibis.literal(i))
            of_types.setdefault(tuple(table.schema().types), []).append((i, table))
        found: dict[int, SideCells] = {}
        for tables in of_types.values():
            every = ibis.union(*(table for _, table in tables))
            counted = every.group_by([*names, "side"]).agg(n=every.count()).limit(shared.MOST_CELLS + 1)
            rows = self.fetch(f"the cells of {what}", counted)
            check_few(len(rows), target)
            side = rows["side"].to_numpy()
            for i, _ in tables:
                of_side = rows.filter(pa.array(side == i))
                codes = [read.codes(of_side[name]) for name, read in zip(names, reads[i], strict=True)]
                t = np.zeros(len(of_side), dtype=np.int64) if target is None else codes.pop()
                found[i] = SideCells(layout.packed(codes), t, of_side["n"].to_numpy().astype(np.int64))
        if [int(found[i].n.sum()) for i in relations] != list(sizes):
            raise DisclosureError(CHANGED)
        return [found[i] for i in relations]

    def whole_records(
        self,
        columns: Sequence[EngineColumn],
        relations: Mapping[int, Stored],
        sizes: Sequence[int],  # noqa: ARG002 (as of DuckDB)
    ) -> list[int]:
        """As of `Engine`: by the codes of their values, and no record comes here."""
        names = [f"c{k}" for k in range(len(columns))]
        sides = []
        for (i, relation), inside in zip(relations.items(), (1, 0), strict=True):
            values = {name: told_apart(column, relation.table, i) for name, column in zip(names, columns, strict=True)}
            sides.append(relation.table.select(**values, d=ibis.literal(inside), h=ibis.literal(1 - inside)))
        every = ibis.union(*sides)
        held = every.group_by(names).agg(d=every.d.sum(), h=every.h.sum())
        found = held.agg(
            inside=held.h.sum(where=held.d > 0),
            twins=held.d.sum(where=held.d > 1),
            twins_inside=held.h.sum(where=(held.h > 1) & (held.d > 0)),
            apart=(held.d != held.h).sum(),
            different=held.count(),
            n_original=held.d.sum(),
            n_outside=held.h.sum(),
        )
        (row,) = self.fetch("the whole records", found).to_pylist()
        return [int(n or 0) for n in row.values()]

    def marked(
        self,
        relations: Sequence[Stored],
        keys: Sequence[EngineColumn],
        chosen: Sequence[Sequence[Array]],
    ) -> Marked:
        """As of `Engine`: the combinations are brought there, and joined when the records are read."""
        return _Marked(self, relations, keys, chosen)

    def recoded(self, relation: Stored, names: Sequence[str], became: Mapping[str, Became]) -> Stored:
        """As of `Engine`: a join a column; what its values are to be is brought there once."""
        if not became:
            return relation
        table = relation.table
        # Columns may be called as anything: they have names of ours while they are joined.
        found = table.select(one=ibis.literal(1), **{f"v{k}": table[name] for k, name in enumerate(names)})
        for k, name in enumerate(names):
            if name not in became:
                continue
            of = became[name]
            if of not in self._brought:
                self._brought[of] = self.bring(pa.table({"raw": of.raw, "value": of.value}), of)
            values = self._brought[of].rename({f"w{k}_raw": "raw", f"w{k}_value": "value"})
            joined = found.left_join(values, found[f"v{k}"].identical_to(values[f"w{k}_raw"]))
            value = joined[f"w{k}_value"]
            value = ibis.coalesce(value, joined[f"v{k}"].cast(value.type())) if of.others_stay else value
            found = joined.mutate(**{f"v{k}": value}).drop(f"w{k}_raw", f"w{k}_value")
        return Stored.of(found.select(**{name: found[f"v{k}"] for k, name in enumerate(names)}), (relation, became))

    def rows(self, relation: Stored, names: Sequence[str], most: int) -> pa.Table:
        """As of `Engine`."""
        table = relation.table.select(one=ibis.literal(1), **{f"v{k}": relation.table[n] for k, n in enumerate(names)})
        values = [f"v{k}" for k in range(len(names))]
        counted = (table.group_by(values) if names else table).aggregate(n=table.count())
        return self.fetch("the rows", counted.limit(most)).select([*values, "n"])

    def write(self, relation: Stored, labels: Mapping[str, str], place: Path) -> int:
        """As of `Engine`: Parquet, of which Spark writes a folder of files."""
        table = relation.table.mutate(**{name: ibis.literal(text) for name, text in labels.items()})
        self.ask("the safer table", partial(table.to_parquet, place))
        files = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
        return sum(pq.read_metadata(file).num_rows for file in files)


class _Marked(Marked):
    """As of `Engine.marked`."""

    def __init__(
        self,
        engine: Ibis,
        relations: Sequence[Stored],
        keys: Sequence[EngineColumn],
        chosen: Sequence[Sequence[Array]],
    ) -> None:
        self._relations, self._keys = relations, keys
        self._mark = f"marked_{uuid4().hex[:12]}"
        self._names = [f"{self._mark}_{k}" for k in range(len(keys))]
        self._sides = [
            engine.bring(self._combinations(i, [of_key.astype(np.int64) for of_key in levels]), self)
            for i, levels in enumerate(chosen, 1)
        ]

    def _combinations(self, i: int, levels: list[Ints]) -> pa.Table:
        """Return combinations of codes as the values of side `i` that have them: one code may be several values."""
        rows = np.arange(len(levels[0]))
        columns: list[tuple[pa.Array, Ints]] = []
        for key, of_key in zip(self._keys, levels, strict=True):
            values, codes = Read(key, i).values()
            order = np.argsort(codes, kind="stable")
            first, last = (np.searchsorted(codes[order], of_key[rows], side=side) for side in ("left", "right"))
            n = last - first
            within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
            place = order[np.repeat(first, n) + within]
            columns = [(known, at[np.repeat(np.arange(rows.size), n)]) for known, at in columns]
            columns.append((values, place))
            rows = np.repeat(rows, n)
        arrays = [values.take(pa.array(at)) for values, at in columns]
        return pa.table([*arrays, pa.array(np.ones(rows.size, dtype=np.int64))], names=[*self._names, self._mark])

    def _joined(self, i: int, how: str) -> ir.Table:
        """Return side `i` joined with its combinations."""
        table = self._relations[i].table
        own = {f"{name}_own": Read(key, i).of(table) for name, key in zip(self._names, self._keys, strict=True)}
        records, marked = table.mutate(**own), self._sides[i - 1]
        on = [records[f"{name}_own"].identical_to(marked[name]) for name in self._names]
        return records.join(marked, on, how=how)

    def _stored(self, i: int, table: ir.Table) -> Stored:
        """Return a table of records read through these; it keeps them alive."""
        relation = self._relations[i]
        return Stored(table.select(*relation.columns), relation.columns, (self, relation))

    def without(self, i: int) -> Stored:
        """As of `Marked`."""
        return self._stored(i, self._joined(i, "anti"))

    def blanked(self, i: int, name: str) -> Stored:
        """As of `Marked`."""
        joined = self._joined(i, "left")
        blank = joined[self._mark].isnull().ifelse(joined[name], ibis.null(self._relations[i].columns[name]))
        return self._stored(i, joined.mutate(**{name: blank}))

    def only(self, i: int) -> Stored:
        """As of `Marked`."""
        return self._stored(i, self._joined(i, "semi"))


def _raw(relation: Stored, name: str, dtype: dt.DataType) -> ir.Table:
    return raw_value(relation.table[name], dtype).name("raw").as_table()
