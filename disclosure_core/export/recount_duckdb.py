"""Data in DuckDB, asked for the second counter: one plain GROUP BY of the columns as they are.

Nothing of the first count is used: neither codes nor cells nor its SQL. Where safeguards were adopted, the rows are
those of the tables that DuckDB would write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.data.readers._types import typed
from disclosure_core.data.study import Kind
from disclosure_core.engines.duckdb_cells import Kept
from disclosure_core.engines.duckdb_connection import quoted
from disclosure_core.engines.duckdb_study import DuckDBStudy
from disclosure_core.export.recount_rows import EngineRows
from disclosure_core.protection.duckdb_written import seen_value, value_of
from disclosure_core.protection.seen_there import SeenThrough

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.review.opened import Opened


class Rows(EngineRows):
    """The rows of a review's tables in DuckDB, grouped by their values."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        assert isinstance(self.every, DuckDBStudy)
        self._connection = self.every.connection
        self._typed: dict[tuple[int, str], tuple[pa.Array, pa.Array]] = {}

    def grouped(self, side: int, names: Sequence[str], most: int) -> pa.Table:
        """As of `EngineRows`."""
        with self.every.unchanged():
            return self._connection.ask("the rows", lambda cursor: self._grouped(cursor, side, names, most))

    def as_read(self, side: int, names: Sequence[str], found: pa.Table) -> pa.Table:
        """As of `EngineRows`: texts of a delimited file are what all of their column are."""
        if not self.every.relations[side].text:
            return found
        columns = [self._as_typed(side, name, found.column(k)) for k, name in enumerate(names)]
        return pa.Table.from_arrays([*columns, found.column(len(names))], [*map(str, range(len(names) + 1))])

    def _grouped(self, cursor: Cursor, side: int, names: Sequence[str], most: int) -> pa.Table:
        kept = Kept()
        try:
            values = [self._value(kept, cursor, side, name) for name in names]
            columns = "".join(f"{value} as v{k}, " for k, (value, _) in enumerate(values))
            joins = " ".join(join for _, join in values)
            found: Any = cursor.execute(
                f"select {columns}count(*)::bigint as n from {self.every.relations[side].sql} as {kept.mark} {joins} "
                f"{'group by all' if names else ''} limit {most}"
            ).to_arrow_table()
        finally:
            kept.drop(cursor)
        return found

    def _value(self, kept: Kept, cursor: Cursor, side: int, name: str) -> tuple[str, str]:
        if self.is_outside(side):
            seen = self.every
            return seen_value(seen, kept, cursor, name) if isinstance(seen, SeenThrough) else (quoted(name), "")
        return (quoted(name), "") if self.safer is None else value_of(self.safer, kept, cursor, side, name)

    def _as_typed(self, side: int, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return texts of a delimited file as what all of the column are, as the reading of files has it."""
        if self.safer is not None and self.safer.changes(name):
            people = self.is_outside(side)
            if people or self.study.columns[name].kind is not Kind.NUMBER:
                return column
        if (side, name) not in self._typed:
            values = column.unique()
            read = typed(pa.chunked_array([values]), None, self.every.relations[side].text)[0]
            self._typed[side, name] = values, _one(read)
        texts, read = self._typed[side, name]
        return pa.chunked_array([read.take(pc.index_in(_one(column), value_set=texts))])


def _one(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return one array."""
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
