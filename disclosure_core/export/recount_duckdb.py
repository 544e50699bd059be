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
from disclosure_core.engines.layout import CHANGED
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.protection.duckdb_written import is_changed, seen_value, value_of
from disclosure_core.protection.in_engine import ProtectedThere
from disclosure_core.protection.seen_there import SeenThrough
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.review.opened import Opened

MOST = 2**20
"""Combinations of values that are counted again of a table: each is a text and a number in Python."""


class Rows:
    """The rows of a review's tables in DuckDB, grouped by their values.

    Parameters
    ----------
    opened
        The review; of the set that figures speak of.
    """

    def __init__(self, opened: Opened) -> None:
        study = opened.study()
        assert isinstance(study, DuckDBStudy)
        self.study = self.every = study
        """What figures are of, and the same with people outside where there are some."""
        adopted = opened.adopted(opened.first_set) if opened.review.ancestry(opened.first_set)[1] else None
        self.safer = adopted if isinstance(adopted, ProtectedThere) else None
        joined = opened.partition()
        self.seen = joined.joint if not isinstance(joined, NotEvaluated) else None
        self.relations, self.sizes = list(study.relations), list(study.sizes)
        if not isinstance(joined, NotEvaluated):
            assert isinstance(joined.joint, DuckDBStudy)
            self.every = joined.joint
            self.relations.append(joined.joint.relations[-1])
            self.sizes.append(joined.joint.sizes[-1])
        self._typed: dict[tuple[int, str], tuple[pa.Array, pa.Array]] = {}

    def __call__(self, side: int, names: Sequence[str]) -> pa.Table | None:
        """Return each combination of values that a record of a table has, and how many have it; None: no such column.

        Raises
        ------
        UnreadError
            When there are more than `MOST`.
        DisclosureError
            When DuckDB cannot answer, or the data changed.
        """
        if side >= len(self.relations) or any(name not in self.relations[side].columns for name in names):
            return None
        with self.every.unchanged():
            found = self.study.connection.ask("the rows", lambda cursor: self._grouped(cursor, side, names))
        if len(found) > MOST:
            raise UnreadError(f"more than {MOST:,} combinations of {', '.join(names)}")
        if pc.sum(found.column(len(names))).as_py() != self.sizes[side]:
            raise DisclosureError(CHANGED)
        if not self.relations[side].text:
            return found
        columns = [self._as_typed(side, name, found.column(k)) for k, name in enumerate(names)]
        return pa.Table.from_arrays([*columns, found.column(len(names))], [*map(str, range(len(names) + 1))])

    def _grouped(self, cursor: Cursor, side: int, names: Sequence[str]) -> pa.Table:
        kept = Kept()
        try:
            values = [self._value(kept, cursor, side, name) for name in names]
            columns = "".join(f"{value} as v{k}, " for k, (value, _) in enumerate(values))
            joins = " ".join(join for _, join in values)
            found: Any = cursor.execute(
                f"select {columns}count(*)::bigint as n from {self.relations[side].sql} as {kept.mark} {joins} "
                f"{'group by all' if names else ''} limit {MOST + 1}"
            ).to_arrow_table()
        finally:
            kept.drop(cursor)
        return found

    def _value(self, kept: Kept, cursor: Cursor, side: int, name: str) -> tuple[str, str]:
        if side == len(self.study.relations):
            return (
                (quoted(name), "")
                if not isinstance(self.seen, SeenThrough)
                else seen_value(self.seen, kept, cursor, name)
            )
        return (quoted(name), "") if self.safer is None else value_of(self.safer, kept, cursor, side, name)

    def _as_typed(self, side: int, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return texts of a delimited file as what all of the column are, as the reading of files has it."""
        if self.safer is not None and is_changed(self.safer, name):
            people = side == len(self.study.relations)
            if people or self.study.columns[name].kind is not Kind.NUMBER:
                return column
        if (side, name) not in self._typed:
            values = column.unique()
            read = typed(pa.chunked_array([values]), None, self.relations[side].text)[0]
            self._typed[side, name] = values, _one(read)
        texts, read = self._typed[side, name]
        return pa.chunked_array([read.take(pc.index_in(_one(column), value_set=texts))])


def _one(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return one array."""
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
