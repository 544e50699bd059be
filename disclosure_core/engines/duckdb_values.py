"""The distinct values of a column and the records that have each, as DuckDB tells them; read by the rules of files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from disclosure_core.data.readers._types import typed
from disclosure_core.data.values import Note, side_of
from disclosure_core.engines.column import Values
from disclosure_core.engines.duckdb_column import value_sql
from disclosure_core.engines.duckdb_connection import quoted
from disclosure_core.engines.layout import CHANGED
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Counts
    from disclosure_core.data.values import Side
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_tables import Relation


def distinct_values(
    cursor: Cursor, relation: Relation, name: str, size: int, most: int, *, in_order: bool = False
) -> tuple[Values, Counts] | None:
    """Return the distinct values of a column, and the records that have each, then those that have none if any are.

    None where there are more than `most`.

    Raises
    ------
    DisclosureError
        When there are more records than `size`, as the data changed meanwhile; when values are no single answer.
    """
    sql, kind = value_sql(name, relation.columns[name])
    rows = cursor.execute(
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


def side_of_values(name: str, relation: Relation, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:
    """Return distinct values as a side of a column with a record each, then one that has none; and what is to be said.

    A float may be NaN, which is missing as well.
    """
    read: pa.Array | pa.ChunkedArray = values.raw
    notes = []
    if relation.text:
        read, said, _ = typed(pa.chunked_array([values.raw]), None, relation.text)
        notes = [Note(f"{name!r} {sentence}", name) for sentence in said]
    part = side_of(name, read)
    codes = np.append(part.codes, [-1] * empty).astype(np.int64)
    return replace(part, codes=codes, zone=part.zone and "UTC"), notes


def count_records(cursor: Cursor, sql: str) -> int:
    """Return how many records there are."""
    found: Any = cursor.execute(f"select count(*) from {sql}").fetchone()
    return int(found[0])


def _array(column: pa.ChunkedArray) -> pa.Array:
    """Return one array; DuckDB's enumerations are cast to text before."""
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else pa.concat_arrays(combined.chunks)
