"""Data that stay where they are: an engine groups records by Ibis expressions, and cells come back.

One set of expressions serves every engine that Ibis speaks to. Records become cells in one question a target; a cell
comes back once, as its values and how many records of each side have them, and is coded here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from disclosure_core.data.harmonise import side_name
from disclosure_core.data.values import side_of
from disclosure_core.engines import study as studies
from disclosure_core.engines.column import Values
from disclosure_core.engines.layout import CHANGED, MOST_CELLS, Layout, SideCells, check_names, checked
from disclosure_core.engines.line import Line
from disclosure_core.engines.study import EngineStudy
from disclosure_core.engines.table_column import TableColumn, raw_value, stored_type
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt
    import pandas as pd
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir

    from disclosure_core.counting.cells import Cells, Counts, Tables
    from disclosure_core.counting.count import PairCounts
    from disclosure_core.counting.counted_keys import CountedKeys
    from disclosure_core.data.values import Note, Side


@dataclass(frozen=True, slots=True)
class Stored:
    """A table of an engine, and the types of its columns by name."""

    table: ir.Table
    columns: Mapping[str, dt.DataType]
    holder: object = None
    """What lives as long as somebody reads the table."""

    @classmethod
    def of(cls, table: ir.Table) -> Stored:
        """Return an Ibis table so."""
        return cls(table, dict(table.schema().items()))


class TableStudy(EngineStudy[TableColumn]):
    """Original and synthetic data in an engine that Ibis speaks to; see `EngineStudy`.

    Parameters
    ----------
    original, synthetic
        Ibis tables of one connection, a record a row.
    missing_codes
        As of `Study`.
    private
        Whether errors keep silent about what the engine said, which may name hosts or hold credentials.
    check
        As of `Line`: what ends a question that nobody waits for any more, by raising.

    Attributes
    ----------
    line
        The way to ask the tables' connection, which many threads may go.
    returned
        What each query was for and how many rows came back, in the order they were asked.

    Raises
    ------
    DisclosureError
        As `Study` does; and when the tables do not share a connection, or the engine cannot answer.
    """

    column_type = TableColumn

    def __init__(
        self,
        original: ir.Table,
        synthetic: Sequence[ir.Table],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        private: bool = False,
        check: Callable[[], object] | None = None,
    ) -> None:
        tables = _checked(original, synthetic)
        self.line = Line(original.get_backend(), check)
        self.private = private
        self.returned: list[tuple[str, int]] = []
        for i, table in enumerate(tables):
            check_names(table.columns, side_name(i, len(tables) - 1))
        super().__init__([Stored.of(table) for table in tables], missing_codes)

    def fetch(self, subject: str, expression: ir.Table) -> pd.DataFrame:
        """Return the rows of `expression`, and count them in `returned`.

        Raises
        ------
        DisclosureError
            When the engine cannot answer.
        """
        frame: pd.DataFrame = self.fetch_arrow(subject, expression).to_pandas()
        return frame

    def fetch_arrow(self, subject: str, expression: ir.Table) -> pa.Table:
        """Return the rows of `expression` as the engine gives them, and count them in `returned`.

        Raises
        ------
        DisclosureError
            When the engine cannot answer.
        """
        table: pa.Table = self.ask(subject, expression.to_pyarrow)
        self.returned.append((subject, len(table)))
        return table

    def ask(self, subject: str, question: Callable[[], Any]) -> Any:
        """Return what `question` does, alone; what the engine says in an error stays out of the sentence.

        Raises
        ------
        DisclosureError
            When the engine cannot answer.
        """
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

    def borrow(self, study: TableStudy) -> None:
        """As of `EngineStudy`."""
        self.line, self.private, self.returned = study.line, study.private, study.returned

    def bring(self, table: pa.Table, owner: object) -> ir.Table:
        """Return a table in Python's memory as one of the engine, for as long as `owner` lives.

        Raises
        ------
        DisclosureError
            When the engine cannot take it.
        """
        brought: ir.Table = self.ask("a table of values", lambda: self.line.bring(table, owner))
        return brought

    def count_records(self, relations: Sequence[Stored]) -> list[int]:
        """As of `EngineStudy`."""
        counted = [r.table.agg(n=r.table.count()).mutate(side=i) for i, r in enumerate(relations)]
        return [int(n) for n in self.fetch("records", ibis.union(*counted)).sort_values("side")["n"]]

    def ask_each(self, what: Sequence[str], questions: Sequence[Callable[[str], Any]]) -> list[Any]:
        """Return what each of `questions` returns, one after the other; each is handed what it is about."""
        return [question(subject) for subject, question in zip(what, questions, strict=True)]

    def distinct(
        self, cursor: str, relation: Stored, name: str, size: int, *, in_order: bool = False
    ) -> tuple[Values, Counts] | None:
        """As of `EngineStudy`."""
        (found,) = self._distinct(cursor, name, [(relation, size)], in_order=in_order)
        return found

    def distinct_each(self, cursor: str, name: str) -> list[tuple[Values, Counts] | None]:
        """As of `EngineStudy`: tables that store a column alike are asked at once."""
        of_types: dict[Any, list[int]] = {}
        for i, relation in enumerate(self.relations):
            of_types.setdefault(stored_type(name, relation.columns[name]), []).append(i)
        found: dict[int, tuple[Values, Counts] | None] = {}
        for sides in of_types.values():
            tables = [(self.relations[i], self.sizes[i]) for i in sides]
            found |= zip(sides, self._distinct(cursor, name, tables), strict=True)
        return [found[i] for i in range(len(self.relations))]

    def _distinct(
        self, what: str, name: str, tables: Sequence[tuple[Stored, int]], *, in_order: bool = False
    ) -> list[tuple[Values, Counts] | None]:
        """Return the distinct values of a column of tables that store it alike; None where they are too many."""
        dtype = stored_type(name, tables[0][0].columns[name])
        of_sides = [
            raw_value(relation.table[name], dtype).name("raw").as_table().mutate(side=ibis.literal(i))
            for i, (relation, _) in enumerate(tables)
        ]
        table = ibis.union(*of_sides)
        present = table.filter(table.raw.notnull())
        counted = present.group_by(["side", "raw"]).agg(n=present.count())
        counted = counted.limit(studies.MOST_VALUES * len(tables) + 1)
        rows = self.fetch_arrow(what, counted.order_by("raw") if in_order else counted)
        side = rows["side"].to_numpy()
        if len(side) and np.bincount(side).max() > studies.MOST_VALUES:
            return [None] * len(tables)
        found: list[tuple[Values, Counts] | None] = []
        for i, (_, size) in enumerate(tables):
            of_side = rows.filter(pa.array(side == i))
            n = of_side["n"].to_numpy().astype(np.int64)
            empty = size - int(n.sum())
            if empty < 0:
                raise DisclosureError(CHANGED)
            raw = of_side["raw"].combine_chunks()
            found.append((Values(name, dtype, raw), np.append(n, np.full(int(empty > 0), empty))))
        return found

    def nothing_of(self, name: str, relation: Stored) -> Values:
        """As of `EngineStudy`."""
        stored_type(name, relation.columns[name])
        return Values(name, ibis.dtype("float64"), pa.array([], pa.float64()))

    def side_of(self, name: str, relation: Stored, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:  # noqa: ARG002 (no text is read as numbers)
        """As of `EngineStudy`."""
        part = side_of(name, values.raw)
        codes = np.append(part.codes, [-1] * empty).astype(np.int64)  # a float may be NaN
        # An engine tells moments in the zone of its session.
        return replace(part, codes=codes, zone=part.zone and "UTC"), []

    def all_numbers(self, name: str) -> bool:
        """As of `EngineStudy`."""
        dtypes = [relation.columns[name] for relation in self.relations]
        return all(dtype.is_numeric() and not dtype.is_boolean() for dtype in dtypes)

    def ranked(self, cursor: str, name: str, n: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """As of `EngineStudy`."""
        x = ibis.union(*(r.table[name].cast("float64").name("x").as_table() for r in self.relations))
        x = x.filter(x.x.notnull() & ~x.x.isnan())
        counted = x.group_by("x").agg(n=x.count())
        running = counted.mutate(upto=counted.n.sum().over(ibis.cumulative_window(order_by=counted.x)))
        total = int(self.fetch(cursor, x.agg(n=x.count()))["n"].iloc[0])
        places = {
            min(place, total - 1) for i in range(n + 1) for place in ((total - 1) * i // n, (total - 1) * i // n + 1)
        }
        holds = [(running.upto - running.n <= place) & (place < running.upto) for place in sorted(places)]
        rows = self.fetch(cursor, running.filter(ibis.or_(*holds)).select("x", "upto").order_by("x"))
        return rows["x"].to_numpy(), rows["upto"].to_numpy().astype(np.int64)

    def counted_codes(self, cursor: str, column: TableColumn, i: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """As of `EngineStudy`."""
        table = column.read_from(self.relations[i].table, i).name("code").as_table()
        rows = self.fetch(cursor, table.group_by("code").agg(n=table.count()))
        return rows["code"].to_numpy(), rows["n"].to_numpy()

    def counted_tables(
        self, keys: Sequence[TableColumn], targets: Sequence[TableColumn], known: Tables | None = None
    ) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """As of `EngineStudy`: one question a target."""
        layout = Layout(keys, targets)
        if known is None:
            table, cells = layout.tabled(lambda j: self._cells(layout, j, range(len(self.relations))))
        else:
            last, before = [len(self.relations) - 1], layout.before(known)
            table, cells = layout.tabled(lambda j: [*before(j), *self._cells(layout, j, last)])
        return checked(table, cells, layout)

    def counted_pairs(self, columns: Sequence[TableColumn]) -> Iterator[PairCounts]:
        """As of `EngineStudy`: one question a pair."""
        for i, first in enumerate(columns):
            for second in columns[i + 1 :]:
                _, (cells,) = self.counted_tables([first], [second])
                yield first.name, second.name, [(each.d, each.s) for each in cells]

    def _cells(self, layout: Layout, j: int, sides: Sequence[int]) -> list[SideCells]:
        """Return the cells of target number `j` of each of these sides; of the keys where there is no target."""
        columns: list[Any] = [*layout.keys, *layout.targets[j : j + 1]]
        names = [f"c{k}" for k in range(len(columns))]
        what = repr(layout.targets[j].name) if layout.targets else "the keys"
        found: dict[int, SideCells] = {}
        of_types: dict[tuple[Any, ...], list[tuple[int, ir.Table]]] = {}
        for i in sides:
            table = self.relations[i].table
            read = table.select(
                **{n: c.read_from(table, i) for n, c in zip(names, columns, strict=True)}, side=ibis.literal(i)
            )
            of_types.setdefault(tuple(read.schema().types), []).append((i, read))
        for tables in of_types.values():
            every = ibis.union(*(table for _, table in tables))
            counted = every.group_by([*names, "side"]).agg(n=every.count()).limit(MOST_CELLS + 1)
            rows = self.fetch_arrow(f"the cells of {what}", counted)
            if len(rows) > MOST_CELLS:
                raise DisclosureError(
                    f"These keys make more than {MOST_CELLS:,} cells with {what}; choose fewer keys, or group one."
                )
            side = rows["side"].to_numpy()
            for i, _ in tables:
                of_side = rows.filter(pa.array(side == i))
                codes = [c.codes_of(of_side[n], i) for n, c in zip(names, columns, strict=True)]
                n_keys = len(layout.keys)
                t = codes[n_keys] if layout.targets else np.zeros(len(of_side), dtype=np.int64)
                n = of_side["n"].to_numpy().astype(np.int64)
                if n.sum() != self.sizes[i]:
                    raise DisclosureError(CHANGED)
                found[i] = SideCells(layout.packed(codes[:n_keys]), t, n)
        return [found[i] for i in sides]


def _checked(original: ir.Table, synthetic: Sequence[ir.Table]) -> tuple[ir.Table, ...]:
    if isinstance(synthetic, ibis.expr.types.Table):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(synthetic):
        raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
    tables = (original, *synthetic)
    for i, table in enumerate(tables):
        if not isinstance(table, ibis.expr.types.Table):
            raise DisclosureError(f"{side_name(i, len(synthetic))} is not an Ibis table; get it from a connection.")
    if len({id(table.get_backend()) for table in tables}) > 1:
        raise DisclosureError("The tables are of different connections; bring all from one.")
    return tables
