"""Data that stay where they are: an engine counts cells from Ibis tables, and only merged cells come back.

One set of expressions serves every engine that Ibis speaks to. Records become cells in one query a target, kept in the
engine; what comes back are the cells with identical ones merged, so that its size depends on how many different cells
there are and not on the records. Everything after the cells is the code that serves data counted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.counting.cells import KeyTable, Tables
from disclosure_core.counting.count import chosen, count, count_finest, growing_keys, key_columns
from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.column import Column
from disclosure_core.data.grouping import equal_widths, labels_of, too_few
from disclosure_core.data.harmonise import harmonised, not_common, side_name
from disclosure_core.data.study import StudyOf, codes_by_column
from disclosure_core.data.values import Kind, Note, rising, side_of
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    import pandas as pd
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir

    from disclosure_core.counting.cells import Counts
    from disclosure_core.counting.settings import Settings
from disclosure_core.engines import ranges as _registered  # noqa: F401 (how an engine says them)
from disclosure_core.engines.finest import finest
from disclosure_core.engines.line import Line
from disclosure_core.engines.merged import merged_cells, merged_keys
from disclosure_core.engines.query import TargetCells
from disclosure_core.engines.table_column import TableColumn, raw_value, records_by_code, stored_type

MOST_LEVELS = 100_000
"""Distinct values of a column that are fetched. Beyond it a number is grouped by the engine, other columns refused."""


class TableStudy(StudyOf["TableColumn"]):
    """Original and synthetic data in an engine, made comparable as a `Study` does it, column by column when first used.

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

    holds_records = False
    holds_cells = False

    def __init__(
        self,
        original: ir.Table,
        synthetic: Sequence[ir.Table],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        private: bool = False,
        check: Callable[[], object] | None = None,
    ) -> None:
        self._tables = _checked(original, synthetic)
        self.line = Line(original.get_backend(), check)
        self._private = private
        self.returned: list[tuple[str, int]] = []
        names = [n for n in original.columns if all(n in t.columns for t in self._tables)]
        if not names:
            raise DisclosureError("The tables have no column name in common; give them the same columns.")
        self._notes_on_files = tuple(not_common(list(self._tables), names))
        sizes = self.fetch("records", ibis.union(*(t.agg(n=t.count()).mutate(side=i) for i, t in self.sides)))
        self.n_original, *others = (int(n) for n in sizes.sort_values("side")["n"])
        self.n_synthetic = tuple(others)
        for i, n in enumerate((self.n_original, *others)):
            if not n:
                raise DisclosureError(f"{side_name(i, len(others))} has no records; bring a table with at least one.")
        self._read: dict[str, TableColumn] = {}
        self._names = tuple(names)
        self._set_missing_codes(missing_codes or {})

    @property
    def sides(self) -> list[tuple[int, ir.Table]]:
        """The original as number 0, then the syntheses."""
        return list(enumerate(self._tables))

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

    def ask(self, subject: str, query: Callable[[], Any]) -> Any:
        """Return what `query()` does, alone; what the engine says in an error stays out of the sentence."""
        failure = None
        try:
            return self.line.ask(query)
        except DisclosureError:
            raise
        except Exception as error:
            failure = error
        sentence = f"The engine could not answer about {subject}; see that it runs and holds these tables."
        # Outside of the `except`, so that a private error does not carry the engine's as its context.
        raise DisclosureError(sentence) from (None if self._private else failure)

    def _set_missing_codes(self, missing_codes: Mapping[str, float | str | Iterable[float | str]]) -> None:
        by_column = codes_by_column(missing_codes)
        self.columns = _Columns(self, self._names, self._read, by_column)
        super()._set_missing_codes(by_column)

    def grouped(self, name: str, n: int) -> tuple[TableColumn, tuple[Note, ...]]:
        """Return column `name`, in about `n` intervals if it is a number, and what is to be said of it.

        A number with more than `MOST_LEVELS` distinct values is grouped by the engine's approximate quantiles.

        Raises
        ------
        DisclosureError
            When the column holds infinite values, or too many values to stay ungrouped.
        """
        column = self.column(name)
        if column.wide and not n:
            raise DisclosureError(f"{name!r} has more than {MOST_LEVELS:,} distinct values; group it or remove it.")
        if column.wide:
            return self._grouped_in_engine(column, n)
        grouped, notes = super().grouped(name, n)
        return grouped, (*column.notes, *notes)

    def _grouped_in_engine(self, column: TableColumn, n: int) -> tuple[TableColumn, tuple[Note, ...]]:
        """Return a number with many values in intervals whose breaks the engine finds."""
        name, special = column.name, column.values
        x = ibis.union(
            *(t.select(x=raw_value(t[name], dtype)) for t, dtype in zip(self._tables, column.dtypes, strict=True))
        )
        x = x.filter(x.x.notnull() & ~x.x.isnan())
        if len(special):
            x = x.filter(~x.x.isin(special.tolist()))
        shares = {f"q{i}": x.x.approx_quantile(i / n) for i in range(1, n)}
        quantiles = self.fetch(f"the quantiles of {name!r}", x.agg(lo=x.x.min(), hi=x.x.max(), **shares))
        low, high, *inner = (float(v) for v in quantiles.iloc[0])
        if not np.isfinite([low, high]).all():
            raise DisclosureError(f"{name!r} holds infinite values and cannot be grouped; make them missing.")
        breaks: Sequence[Fraction] = [exact(b) for b in rising(np.array([low, *inner, high])).tolist()]
        equal_width = too_few(breaks, len(special))
        if equal_width:
            breaks = equal_widths(low, high, n)
        grouped = self._in_intervals(column, breaks)
        n_intervals = grouped.n_levels - len(special)
        widths = "of equal width" if equal_width else "by the engine's approximate quantiles"
        return grouped, (
            *column.notes,
            Note(f"{name!r}: {n_intervals} intervals {widths}.", name, warning=not equal_width),
        )

    def _in_intervals(self, column: TableColumn, breaks: Sequence[Fraction]) -> TableColumn:
        """Return a number with many values in the intervals between `breaks`, counted there."""
        n_special = column.n_levels
        labels = labels_of(breaks)
        values = np.array([*column.levels, *labels], dtype=object)
        coded = Column(column.name, Kind.CATEGORY, values, True, np.zeros(0, dtype=np.uint8), ())
        steps = tuple((start, n_special + i) for i, start in enumerate(map(float, breaks[: len(labels)])))
        special = tuple((number, i) for i, number in enumerate(column.values.tolist()))
        counts = np.zeros((len(self._tables), len(values) + 1), dtype=np.int64)
        sides = (steps,) * len(self._tables)
        grouped = TableColumn(coded, column.dtypes, (), counts, steps=sides, special=special)
        table = ibis.union(*(t.select(code=grouped.read_from(t, i), side=ibis.literal(i)) for i, t in self.sides))
        counted = self.fetch(f"the groups of {column.name!r}", table.group_by(["side", "code"]).agg(n=table.count()))
        counts[counted["side"], counted["code"]] = counted["n"]
        return grouped

    def read(self, name: str, codes: Iterable[float | str]) -> TableColumn:
        """Return column `name`, its distinct values fetched and coded; `codes` alone where there are too many."""
        dtypes = tuple(stored_type(name, t[name].type()) for t in self._tables)
        columns = self._values(name, dtypes)
        wide = columns is None
        if columns is None:
            if not all(dtype.is_numeric() and not dtype.is_boolean() for dtype in dtypes):
                raise DisclosureError(f"{name!r} has more than {MOST_LEVELS:,} distinct values; remove it.")
            dtypes = (ibis.dtype("float64"),) * len(dtypes)
            columns = self._missing_codes_only(name, codes)
        parts, raws, records = [], [], []
        for (values, n), size in zip(columns, (self.n_original, *self.n_synthetic), strict=True):
            part = side_of(name, values)
            present = part.codes >= 0  # a float may be NaN
            raws.append(values.filter(pa.array(present)))
            records.append(np.append(n[present], size - n[present].sum()))
            # One record a value; and one that is missing, if there is any.
            part_codes = np.append(part.codes[present], [-1] * bool(records[-1][-1])).astype(np.int64)
            # An engine tells moments in the zone of its session.
            parts.append(replace(part, codes=part_codes, zone=part.zone and "UTC"))
        coded, notes = harmonised(name, parts, in_rows=False)
        size = coded.n_codes
        # The records without a value follow the distinct values; missing is the last code, whether or not one is there.
        ends = [np.append(side[: len(raw)], coded.n_levels) for side, raw in zip(coded.sides, raws, strict=True)]
        counts = np.stack([records_by_code(at, n, size) for at, n in zip(ends, records, strict=True)])
        return TableColumn(coded, dtypes, tuple(raws), counts, notes=tuple(notes), wide=wide)

    def _values(self, name: str, dtypes: tuple[dt.DataType, ...]) -> list[tuple[pa.ChunkedArray, Counts]] | None:
        """Return each side's distinct values and their records, sides of one type in one query; None if too many."""
        by_side: dict[int, tuple[pa.ChunkedArray, Counts]] = {}
        for dtype in dict.fromkeys(dtypes):
            sides = [(i, t) for i, t in self.sides if dtypes[i] == dtype]
            counted = _counted_values([raw_value(t[name], dtype) for _, t in sides], [i for i, _ in sides])
            rows = self.fetch_arrow(f"the values of {name!r}", counted.limit((MOST_LEVELS + 1) * len(sides)))
            if len(rows) > MOST_LEVELS * len(sides) or pc.count_distinct(rows["raw"]).as_py() > MOST_LEVELS:
                return None
            by_side |= _by_side(rows, [i for i, _ in sides])
        return [by_side[i] for i, _ in self.sides]

    def _missing_codes_only(self, name: str, codes: Iterable[float | str]) -> list[tuple[pa.ChunkedArray, Counts]]:
        """Return the missing codes among the values of each side, as floats, and their records."""
        numbers = sorted({float(c) for c in codes if _is_number(c)})
        sides = [i for i, _ in self.sides]
        counted = _counted_values([t[name].cast("float64") for t in self._tables], sides)
        rows = self.fetch_arrow(f"the missing codes of {name!r}", counted.filter(counted.raw.isin(numbers)))
        by_side = _by_side(rows, sides)
        return [by_side[i] for i in sides]


def _counted_values(columns: list[ir.Value], sides: list[int]) -> ir.Table:
    """Return the distinct values of columns of one type with their records: columns side, raw, n."""
    tables = [c.name("raw").as_table().mutate(side=ibis.literal(i)) for i, c in zip(sides, columns, strict=True)]
    table = ibis.union(*tables)
    present = table.filter(table.raw.notnull())
    return present.group_by(["side", "raw"]).agg(n=present.count())


def _by_side(rows: pa.Table, sides: list[int]) -> dict[int, tuple[pa.ChunkedArray, Counts]]:
    side_rows = {i: rows.filter(pc.equal(rows["side"], i)) for i in sides}
    return {i: (side["raw"], side["n"].to_numpy().astype(np.int64)) for i, side in side_rows.items()}


class _Columns(Mapping[str, "TableColumn"]):
    """The common columns by name, each read from the engine when first asked for."""

    def __init__(
        self,
        study: TableStudy,
        names: tuple[str, ...],
        read: dict[str, TableColumn],
        codes: Mapping[str, tuple[float | str, ...]],
    ) -> None:
        self._study, self._names, self._codes = study, names, codes
        # Of a column with too many values only its missing codes were read: read it again for others.
        self._read = {name: column for name, column in read.items() if not column.wide}
        study._read = self._read  # noqa: SLF001 (the study's own part)

    def __getitem__(self, name: str) -> TableColumn:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._study.read(name, self._codes.get(name, ()))
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


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


def _is_number(value: float | str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


@count.register(TableStudy)
def _(study: TableStudy, settings: Settings) -> Tables:
    """Let the engine count the cells of every target, and fetch them merged."""
    names, targets = chosen(study, settings)
    grouped = {name: study.grouped(name, settings.group(name)) for name in (*names, *targets)}
    columns = [grouped[name][0] for name in names]
    sources = {name: TargetCells(study, columns, grouped[name][0]) for name in targets}
    keys = merged_keys(sources[targets[0]], len(names))
    nothing = Exclusions()
    cells = {
        name: tuple(merged_cells(source, i, nothing, keys) for i in range(study.n_syntheses))
        for name, source in sources.items()
    }
    return Tables(
        study, settings.counting(), keys, dict(cells), tuple(note for _, notes in grouped.values() for note in notes)
    )


@count_finest.register(TableStudy)
def _(study: TableStudy, settings: Settings) -> Tables:
    """Let the engine count the cells of every target once, and fetch each with its numbers of records."""
    names, targets = chosen(study, settings)
    grouped = {name: study.grouped(name, settings.group(name)) for name in (*names, *targets)}
    sources = [TargetCells(study, [grouped[name][0] for name in names], grouped[name][0]) for name in targets]
    return finest(study, settings, sources, tuple(note for _, notes in grouped.values() for note in notes))


@growing_keys.register(TableStudy)
def _(study: TableStudy, settings: Settings, order: Sequence[str]) -> Iterator[KeyTable]:
    """Let the engine count the combinations of all keys once, and of fewer from those."""
    source = TargetCells(study, [column for column, _ in key_columns(study, settings, order)], None)
    for first in range(1, len(source.keys) + 1):
        yield merged_keys(source, first)
