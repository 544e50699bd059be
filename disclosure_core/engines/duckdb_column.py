"""How DuckDB's SQL reads a column: its values, and the code of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from disclosure_core.arrays import Ints
from disclosure_core.engines.duckdb_connection import literal, quoted
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.engines.column import EngineColumn, Values

    Dictionary = Callable[[pa.Array, Ints], str]

_PLAIN = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "HUGEINT",
    "FLOAT",
    "DOUBLE",
    "BOOLEAN",
    "DATE",
    "VARCHAR",
)
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")

_LISTED = 32
"""Texts whose codes are a constant list: DuckDB looks each up once a dictionary entry of Parquet; more are joined."""
_SPAN = 1024
"""Whole numbers that lie within so many are looked up by their place in a constant list."""


def code_of(column: EngineColumn, i: int, dictionary: Dictionary) -> tuple[str, str]:
    """Return the SQL of the code of a record of side `i`, and the join that it needs.

    The code of a value that was not there when the values were read is NULL, or its record is lost.

    Parameters
    ----------
    dictionary
        Keeps values, NULL after them, with their codes as a table, and returns its name; its columns are the name
        with _raw and _code, which no column of the data is called.
    """
    side, missing, starts = column.sides[i], column.empty_code(i), column.starts_of(i)
    if starts is not None:
        x = f"{side.sql}::double"
        return f"case when {side.sql} is null or isnan({x}) then {column.n_levels} else {_halved(x, starts)} end", ""
    codes = column.coded.sides[i][: len(side.raw)].astype(np.int64)
    if not len(side.raw):
        return f"case when {side.sql} is null then {missing} end", ""
    found = None
    if side.kind in _WHOLE:
        found = _by_place(side, codes)
    elif side.kind == "VARCHAR" and len(side.raw) <= _LISTED:
        found = _by_list(side, codes)
    if found is not None:
        return f"case when {side.sql} is null then {missing} else {found} end", ""
    name = dictionary(side.raw, np.append(codes, missing))
    return f"{name}_code", f"join {name} on {side.sql} is not distinct from {name}_raw"


def value_sql(name: str, kind: str) -> tuple[str, str]:
    """Return how SQL reads the values of a column of type `kind` as its own, and the type that they then have."""
    if kind in ("BLOB", "BIT"):
        raise DisclosureError(f"{name!r} holds bytes, which nobody can read as an answer; make them text first.")
    if kind in ("INTERVAL", "JSON", "NULL") or kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        raise DisclosureError(f"{name!r} holds values that are no single answer; make them text in the engine first.")
    if kind in _PLAIN or kind.startswith(("DECIMAL", "TIMESTAMP")) or kind == "TIME":
        return quoted(name), kind
    return f"{quoted(name)}::varchar", "VARCHAR"


def _by_place(side: Values, codes: Ints) -> str | None:
    """Return the code of a whole number where numbers lie close: their distance, or a place in a constant list."""
    values = side.raw.cast(pa.int64()).to_numpy()
    low, high = int(values.min()), int(values.max())
    place = codes - (values - low)
    if high - low + 1 == len(values) and (place == place[0]).all():
        return f"{side.sql}::bigint - ({low - int(place[0])})"
    if high - low >= _SPAN:
        return None
    table = np.full(high - low + 1, -1)
    table[values - low] = codes
    listed = ", ".join("null" if code < 0 else str(code) for code in table.tolist())
    # A place beyond the list is NULL, but a negative one counts from its end.
    return f"case when {side.sql} >= {low} then ([{listed}]::integer[])[{side.sql}::bigint - ({low}) + 1] end"


def _by_list(side: Values, codes: Ints) -> str | None:
    """Return the code of a text as its place in a constant list, where no two texts have one code."""
    if len(np.unique(codes)) < len(codes) or codes.max() >= _LISTED:
        return None
    texts: list[str | None] = [None] * (int(codes.max()) + 1)
    for text, code in zip(side.raw.to_pylist(), codes.tolist(), strict=True):
        texts[code] = text
    listed = ", ".join("null" if text is None else literal(text) for text in texts)
    return f"list_position([{listed}], {side.sql}) - 1"


def _halved(x: str, starts: list[tuple[float, int]]) -> str:
    """Return the code of the last interval that begins at or below `x`, the first for what is below all."""
    if len(starts) == 1:
        return str(starts[0][1])
    middle = len(starts) // 2
    below, above = _halved(x, starts[:middle]), _halved(x, starts[middle:])
    return f"case when {x} < {starts[middle][0]!r} then {below} else {above} end"
