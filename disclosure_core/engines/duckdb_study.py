"""Data that DuckDB reads where they are: coded and counted in one pass a side, and no record kept.

Distinct values are fetched once a column and coded by the rules that serve files. Records then stream by as codes, a
side on a cursor and thread of its own, and are counted in chunks (`duckdb_cells`). What stays here are cells: every
figure is read from these by the code that serves data counted here, and a changed exclusion asks DuckDB nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import numpy as np
import pyarrow as pa

from disclosure_core.counting.cells import Tables
from disclosure_core.counting.count import (
    chosen,
    chosen_keys,
    count,
    count_finest,
    count_keys,
    count_pairs,
    growing_keys,
    key_columns,
)
from disclosure_core.data.column import Column
from disclosure_core.data.grouping import equal_widths, labels_of, quantiles, too_few
from disclosure_core.data.harmonise import harmonised, not_common, side_name
from disclosure_core.data.study import StudyOf, codes_by_column
from disclosure_core.data.values import Kind, Note
from disclosure_core.engines.duckdb_cells import counted_tables
from disclosure_core.engines.duckdb_column import DuckDBColumn, Values, value_sql
from disclosure_core.engines.duckdb_connection import Connection, quoted
from disclosure_core.engines.duckdb_pairs import counted_pairs
from disclosure_core.engines.duckdb_tables import related_files, related_tables
from disclosure_core.engines.duckdb_values import count_records, distinct_values, side_of_values
from disclosure_core.engines.finest import with_records_alike
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from disclosure_core.counting.cells import KeyTable
    from disclosure_core.counting.count import PairCounts
    from disclosure_core.counting.settings import Settings
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_tables import Place, Relation

MOST_VALUES = 1_000_000
"""Distinct values of a column that are fetched. Beyond it a number is grouped by DuckDB, other columns are refused."""


class DuckDBStudy(StudyOf[DuckDBColumn]):
    """Original and synthetic data that DuckDB reads, made comparable as a `Study` does it, a column when first used.

    Made by `of_files` or `of_tables`.

    Parameters
    ----------
    connection
        The DuckDB that reads them, which many threads may ask.
    relations
        The tables, the original first.
    missing_codes
        As of `Study`.

    Raises
    ------
    DisclosureError
        As `Study` does; and when DuckDB cannot answer.
    """

    holds_records = False
    latest: Tables | None = None
    """The cells that were counted last: a search begins with those of the figures."""
    groups: Mapping[str, int] = MappingProxyType({})
    """Into how many groups each of their columns was put, 0 for none."""

    def __init__(
        self,
        connection: Connection,
        relations: Sequence[Relation],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    ) -> None:
        if len(relations) < 2:
            raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
        self.connection, self.relations = connection, tuple(relations)
        names = [n for n in relations[0].columns if all(n in r.columns for r in relations)]
        if not names:
            raise DisclosureError("The tables have no column name in common; give them the same columns.")
        self._notes_on_files = tuple(not_common(list(relations), names))
        ask = [partial(count_records, sql=relation.sql) for relation in relations]
        self.n_original, *others = connection.ask_each(["records"] * len(ask), ask)
        self.n_synthetic = tuple(others)
        for i, n in enumerate((self.n_original, *others)):
            if not n:
                raise DisclosureError(f"{side_name(i, len(others))} has no records; bring a table with at least one.")
        self.columns = self._read = _Columns(self, names)
        self._set_missing_codes(missing_codes or {})

    @classmethod
    def of_files(
        cls,
        original: Place,
        synthetic: Sequence[Place],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        memory_limit: str | None = None,
        spill: str | Path | None = None,
        check: Callable[[], object] | None = None,
        private: bool = False,
    ) -> Self:
        """Return a study of Parquet or CSV files read where they are.

        Parameters
        ----------
        original, synthetic
            A file, a folder, a pattern, or a list of files that are one table; of the syntheses one such each. Files
            are listed now: one that is added later is not read, and one that changes ends the question.
        missing_codes
            As of `Study`.
        memory_limit, spill, check, private
            As of `Connection`.

        Raises
        ------
        DisclosureError
            When there is no such file, or one cannot be read.

        Examples
        --------
        >>> study = DuckDBStudy.of_files("big/original", ["big/synthetic"])  # doctest: +SKIP
        """
        connection = Connection(memory_limit, spill, check, private=private)
        return cls(connection, related_files(connection, [original, *synthetic]), missing_codes)

    @classmethod
    def of_tables(
        cls,
        database: str | Path,
        original: str,
        synthetic: Sequence[str],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        memory_limit: str | None = None,
        spill: str | Path | None = None,
        check: Callable[[], object] | None = None,
        private: bool = False,
    ) -> Self:
        """Return a study of tables of a DuckDB database, opened for reading alone.

        Parameters
        ----------
        database
            Where it lies.
        original, synthetic
            Tables there, as `table` or `schema.table`.
        missing_codes, memory_limit, spill, check, private
            As of `of_files`.

        Raises
        ------
        DisclosureError
            When there is no such database or table.
        """
        connection = Connection(memory_limit, spill, check, private=private)
        return cls(connection, related_tables(connection, database, [original, *synthetic]), missing_codes)

    @property
    def lists_records(self) -> bool:
        """Whether DuckDB may show single records, a few at a time."""
        return self.connection.shows_records

    @property
    def sizes(self) -> tuple[int, ...]:
        """Records of each side, the original first."""
        return (self.n_original, *self.n_synthetic)

    def check(self) -> None:
        """Make sure that the files are those that were found at first.

        Raises
        ------
        DisclosureError
            When one has changed.
        """
        for relation in self.relations:
            relation.check()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Make sure that no file changes meanwhile, which is also what most often makes a question fail."""
        try:
            yield
        except DisclosureError:
            self.check()
            raise
        self.check()

    def has_counted(self, keys: Sequence[str], groups: Mapping[str, int]) -> bool:
        """Return whether the cells that were counted last are of these keys, and of all columns in these groups."""
        if self.latest is None or tuple(key.name for key in self.latest.keys.keys) != tuple(keys):
            return False
        return all(name in self.groups and self.groups[name] == n for name, n in groups.items())

    def known(self, keys: Sequence[str], targets: Sequence[str], groups: Mapping[str, int]) -> Tables | None:  # noqa: ARG002 (of people outside)
        """Return what is known of all sides but the last; only beside people outside there is something."""
        return None

    def prepare(self, names: Iterable[str]) -> None:
        """Read these columns now, two at a time."""
        names = [name for name in names if name not in self._read.read]
        with self.unchanged():
            what = [f"the values of {name!r}" for name in names]
            columns = self.connection.ask_each(what, [partial(self._column, name=name) for name in names])
        self._read.read.update(zip(names, columns, strict=True))

    def _column(self, cursor: Cursor, name: str) -> DuckDBColumn:
        sides, parts, records, notes = [], [], [], []
        for relation, size in zip(self.relations, self.sizes, strict=True):
            found = distinct_values(cursor, relation, name, size, MOST_VALUES)
            if found is None:
                return self._wide(name)
            values, n = found
            part, said = side_of_values(name, relation, values, empty=len(n) > len(values.raw))
            sides.append(values)
            parts.append(part)
            records.append(n)
            notes += said
        coded, said_of = harmonised(name, parts, in_rows=False)
        counts = np.stack(
            [np.bincount(at, weights=n, minlength=coded.n_codes) for at, n in zip(coded.sides, records, strict=True)]
        ).astype(np.int64)
        return DuckDBColumn(coded, sides, counts, tuple(dict.fromkeys([*notes, *said_of])))

    def _wide(self, name: str) -> DuckDBColumn:
        """Return a number with too many values to be fetched, of which nothing is known here but its name."""
        if any(relation.text for relation in self.relations) or not all(
            _is_number(relation.columns[name]) for relation in self.relations
        ):
            raise DisclosureError(f"{name!r} has more than {MOST_VALUES:,} distinct values; remove it.")
        sides = [
            Values(*value_sql(name, relation.columns[name]), pa.array([], pa.float64())) for relation in self.relations
        ]
        none = np.zeros(0, dtype=np.uint8)
        coded = Column(name, Kind.NUMBER, np.zeros(0), True, none, (none,) * len(self.n_synthetic))
        counts = np.array(self.sizes)[:, None]  # nothing can be told of them as they are
        return DuckDBColumn(coded, sides, counts, starts=())

    def _set_missing_codes(self, missing_codes: Mapping[str, float | str | Iterable[float | str]]) -> None:
        wide = next(
            (n for n, codes in codes_by_column(missing_codes).items() if codes and self.column(n).is_wide), None
        )
        if wide is not None:
            raise DisclosureError(
                f"{wide!r} has more than {MOST_VALUES:,} distinct values, too many to look for missing codes; make "
                "these empty in the data."
            )
        super()._set_missing_codes(missing_codes)
        self.latest = None

    def grouped(self, name: str, n: int) -> tuple[DuckDBColumn, tuple[Note, ...]]:
        """Return column `name`, in about `n` intervals if it is a number, and what is to be said of it.

        A number with more than `MOST_VALUES` distinct values is grouped by DuckDB, by exact quantiles of its values as
        they are stored.

        Raises
        ------
        DisclosureError
            When the column holds infinite values, or too many values to stay ungrouped.
        """
        column = self.column(name)
        if not column.is_wide:
            grouped, notes = super().grouped(name, n)
            return grouped, (*column.notes, *notes)
        if not n:
            raise DisclosureError(f"{name!r} has more than {MOST_VALUES:,} distinct values; group it or remove it.")
        return self._grouped_there(column, n)

    def _grouped_there(self, column: DuckDBColumn, n: int) -> tuple[DuckDBColumn, tuple[Note, ...]]:
        """Return a number with many values in intervals between its quantiles, which DuckDB finds exactly."""
        name = column.name
        values = " union all ".join(
            f"select {quoted(name)}::double as x from {relation.sql} where {quoted(name)} is not null"
            for relation in self.relations
        )
        # Records below each value; of these only the values where a quantile stands come here.
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
        with self.unchanged():
            rows = self.connection.ask(f"the quantiles of {name!r}", partial(_table, sql=ranked))
        x, upto = rows["x"].to_numpy(), rows["upto"].to_numpy().astype(np.int64)
        if not np.isfinite(x).all():
            raise DisclosureError(f"{name!r} holds infinite values and cannot be grouped; make them missing.")
        # Records between two of these values count with the later one: every place asked for stays where it is.
        breaks = quantiles(x, np.diff(upto, prepend=0), n)
        equal_width = too_few(breaks, 0)
        if equal_width:
            breaks = equal_widths(x[0], x[-1], n)
        labels = labels_of(breaks)
        starts = [(float(b), i) for i, b in enumerate(breaks[: len(labels)])]
        none = np.zeros(0, dtype=np.uint8)
        coded = Column(name, Kind.CATEGORY, np.array(labels, dtype=object), True, none, (none,) * len(self.n_synthetic))
        counts = np.zeros((len(self.relations), coded.n_codes), dtype=np.int64)
        grouped = DuckDBColumn(coded, column.sides, counts, starts=starts)
        codes = [grouped.code(i, lambda *_: "")[0] for i in range(len(self.relations))]
        questions = [
            partial(_table, sql=f"select {code} as code, count(*)::bigint as n from {relation.sql} group by 1")
            for code, relation in zip(codes, self.relations, strict=True)
        ]
        with self.unchanged():
            of_sides = self.connection.ask_each([f"the groups of {name!r}"] * len(questions), questions)
        for of_code, side in zip(counts, of_sides, strict=True):
            of_code[side["code"].to_numpy()] = side["n"].to_numpy()
        widths = "of equal width" if equal_width else "by exact quantiles"
        note = f"{name!r}: {len(labels)} intervals {widths} of more than {MOST_VALUES:,} values, as they are stored."
        return grouped, (Note(note, name),)


class _Columns(Mapping[str, DuckDBColumn]):
    """The common columns by name, each read when first asked for."""

    def __init__(self, study: DuckDBStudy, names: Sequence[str]) -> None:
        self._study, self._names = study, tuple(names)
        self.read: dict[str, DuckDBColumn] = {}

    def __getitem__(self, name: str) -> DuckDBColumn:
        if name not in self._names:
            raise KeyError(name)
        if name not in self.read:
            self._study.prepare([name])
        return self.read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


def _table(cursor: Cursor, sql: str) -> pa.Table:
    return cursor.execute(sql).to_arrow_table()


def _is_number(kind: str) -> bool:
    return (
        kind in ("FLOAT", "DOUBLE", "HUGEINT")
        or kind.startswith("DECIMAL")
        or kind.endswith("INT")
        or kind in ("INTEGER", "UINTEGER")
    )


def sets_of_files(
    connection: Connection, original: Place, sets: Mapping[str, Sequence[Place]]
) -> dict[str, DuckDBStudy]:
    """Return a study of each set of syntheses of one original, read where they are over one connection.

    Raises
    ------
    DisclosureError
        As `DuckDBStudy.of_files`.
    """
    every = [original, *(place for of_set in sets.values() for place in of_set)]
    return sets_of(connection, related_files(connection, every), sets)


def sets_of(
    connection: Connection,
    relations: Sequence[Relation],
    sets: Mapping[str, Sequence[Place]],
    missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
) -> dict[str, DuckDBStudy]:
    """Return a study of each set of syntheses, of tables of one connection: the original, then those of each set.

    Raises
    ------
    DisclosureError
        As `DuckDBStudy`.
    """
    first, *others = relations
    found = {}
    for name, of_set in sets.items():
        found[name] = DuckDBStudy(connection, [first, *others[: len(of_set)]], missing_codes)
        others = others[len(of_set) :]
    return found


@count.register(DuckDBStudy)
def _(study: DuckDBStudy, settings: Settings) -> Tables:
    """Count the cells of every target in one pass a side; what was counted last is not counted again."""
    study.check()
    if study.latest is not None and study.latest.counting == settings.counting():
        return study.latest
    names, targets = chosen(study, settings)
    study.prepare((*names, *targets))
    grouped = {name: study.grouped(name, settings.group(name)) for name in (*names, *targets)}
    keys = [grouped[name][0] for name in names]
    groups = {name: settings.group(name) for name in (*names, *targets)}
    known = study.known(names, targets, groups)
    table, cells = counted_tables(study, keys, [grouped[name][0] for name in targets], known)
    notes = tuple(note for _, of_column in grouped.values() for note in of_column)
    study.latest = Tables(study, settings.counting(), table, dict(zip(targets, cells, strict=True)), notes)
    study.groups = groups
    return study.latest


@count_finest.register(DuckDBStudy)
def _(study: DuckDBStudy, settings: Settings) -> Tables:
    """Count the same; halves of the people are drawn of the records of the cells."""
    return with_records_alike(count(study, settings))


@count_keys.register(DuckDBStudy)
def _(study: DuckDBStudy, settings: Settings) -> KeyTable:
    """Count the combinations of the keys in one pass a side."""
    names = chosen_keys(study, settings)
    groups = {name: settings.group(name) for name in names}
    if study.has_counted(names, groups):
        study.check()
        assert study.latest is not None
        return study.latest.keys
    study.prepare(names)
    return counted_tables(study, [study.grouped(name, settings.group(name))[0] for name in names], [])[0]


@count_pairs.register(DuckDBStudy)
def _(study: DuckDBStudy, names: Sequence[str], n_groups: int) -> Iterator[PairCounts]:
    """Count every table of two columns in few passes a side."""
    study.prepare(names)
    return counted_pairs(study, [study.grouped(name, n_groups)[0] for name in names])


@growing_keys.register(DuckDBStudy)
def _(study: DuckDBStudy, settings: Settings, order: Sequence[str]) -> Iterator[KeyTable]:
    """Count the combinations of all keys once, and of fewer from those."""
    columns = [column for column, _ in key_columns(study, settings, order)]
    table, _ = counted_tables(study, columns, [])
    for n in range(1, len(columns) + 1):
        yield table.first(n)
