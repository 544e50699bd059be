"""Data that DuckDB reads where they are: coded and counted in one pass a side, and no record kept.

Records stream by as codes, a side on a cursor and thread of its own, and are counted in chunks (`duckdb_cells`).
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa

from disclosure_core.engines import study
from disclosure_core.engines.column import Values
from disclosure_core.engines.duckdb_cells import counted_tables
from disclosure_core.engines.duckdb_column import DuckDBColumn, value_sql
from disclosure_core.engines.duckdb_connection import Connection, quoted
from disclosure_core.engines.duckdb_pairs import counted_pairs
from disclosure_core.engines.duckdb_tables import related_files, related_tables
from disclosure_core.engines.duckdb_values import count_records, distinct_values, side_of_values
from disclosure_core.engines.study import EngineStudy
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from disclosure_core.counting.cells import Cells, Counts, Tables
    from disclosure_core.counting.count import PairCounts
    from disclosure_core.counting.counted_keys import CountedKeys
    from disclosure_core.data.values import Note, Side
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_tables import Place, Relation


class DuckDBStudy(EngineStudy[DuckDBColumn]):
    """Original and synthetic data that DuckDB reads; see `EngineStudy`. Made by `of_files` or `of_tables`.

    Parameters
    ----------
    connection
        The DuckDB that reads them, which many threads may ask.
    relations, missing_codes
        As of `EngineStudy`.

    Raises
    ------
    DisclosureError
        As `EngineStudy`.
    """

    column_type = DuckDBColumn

    def __init__(
        self,
        connection: Connection,
        relations: Sequence[Relation],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    ) -> None:
        self.connection = connection
        super().__init__(relations, missing_codes)

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
    def may_list_records(self) -> bool:
        """DuckDB can show single records."""
        return True

    @property
    def lists_records(self) -> bool:
        """Whether DuckDB may show single records, a few at a time."""
        return self.connection.shows_records

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

    def borrow(self, study: DuckDBStudy) -> None:
        """As of `EngineStudy`."""
        self.connection = study.connection

    def count_records(self, relations: Sequence[Relation]) -> list[int]:
        """Return how many records each of these tables has."""
        ask = [partial(count_records, sql=relation.sql) for relation in relations]
        return self.connection.ask_each(["records"] * len(ask), ask)

    def ask_each(self, what: Sequence[str], questions: Sequence[Callable[[Cursor], Any]]) -> list[Any]:
        """Return what each of `questions` returns, two at a time, each with a cursor of its own."""
        return self.connection.ask_each(what, questions)

    def distinct(
        self, cursor: Cursor, relation: Relation, name: str, size: int, *, in_order: bool = False
    ) -> tuple[Values, Counts] | None:
        """As of `EngineStudy`."""
        return distinct_values(cursor, relation, name, size, study.MOST_VALUES, in_order=in_order)

    def nothing_of(self, name: str, relation: Relation) -> Values:
        """As of `EngineStudy`."""
        return Values(*value_sql(name, relation.columns[name]), pa.array([], pa.float64()))

    def side_of(self, name: str, relation: Relation, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:
        """As of `EngineStudy`."""
        return side_of_values(name, relation, values, empty=empty)

    def all_numbers(self, name: str) -> bool:
        """As of `EngineStudy`."""
        return not any(relation.text for relation in self.relations) and all(
            _is_number(relation.columns[name]) for relation in self.relations
        )

    def ranked(self, cursor: Cursor, name: str, n: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """As of `EngineStudy`."""
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
        rows = cursor.execute(ranked).to_arrow_table()
        return rows["x"].to_numpy(), rows["upto"].to_numpy().astype(np.int64)

    def counted_codes(self, cursor: Cursor, column: DuckDBColumn, i: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """As of `EngineStudy`."""
        code = column.code(i, lambda *_: "")[0]
        sql = f"select {code} as code, count(*)::bigint as n from {self.relations[i].sql} group by 1"
        rows = cursor.execute(sql).to_arrow_table()
        return rows["code"].to_numpy(), rows["n"].to_numpy()

    def counted_tables(
        self, keys: Sequence[DuckDBColumn], targets: Sequence[DuckDBColumn], known: Tables | None = None
    ) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """As of `EngineStudy`: in one pass a side."""
        return counted_tables(self, keys, targets, known)

    def counted_pairs(self, columns: Sequence[DuckDBColumn]) -> Iterator[PairCounts]:
        """As of `EngineStudy`: in few passes a side."""
        return counted_pairs(self, columns)


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
