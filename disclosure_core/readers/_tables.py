"""Parquet, Arrow and spreadsheets."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa

from disclosure_core.errors import DisclosureError
from disclosure_core.readers._reading import Limits, Part, ReadOptions, damaged, too_long

if TYPE_CHECKING:
    from collections.abc import Iterator


_WHOLE = {pa.type_for_alias(name.lower()): pd.array([], name).dtype for name in (
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"
)}  # fmt: skip
"""By Arrow's type of whole numbers: pandas' type that holds them beside empty cells."""


def parquet(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a Parquet file."""
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        if file.metadata.num_rows > limits.rows:
            raise too_long(name, file.metadata.num_rows, limits)
        needed = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        if needed > limits.memory * 1_000_000:
            raise too_much(name, needed)
        _flat(file.schema_arrow, name)
        table = file.read()
    except (pa.ArrowException, OSError, ValueError):
        raise damaged(name, "Parquet") from None
    yield Part(_frame(table, name))


def arrow(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a Feather or Arrow file."""
    import pyarrow.feather as feather

    try:
        table = feather.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError, ValueError):
        raise damaged(name, "Arrow") from None
    _flat(table.schema, name)
    yield Part(_frame(table, name))


def too_much(name: str, needed: int) -> DisclosureError:
    """Return the error for a table that would not fit in memory."""
    return DisclosureError(
        f"{name} needs about {needed // 1_000_000:,} MB of memory, more than is allowed; leave out columns that are "
        "neither key nor target."
    )


def _flat(schema: pa.Schema, name: str) -> None:
    nested = next((field.name for field in schema if pa.types.is_nested(field.type)), None)
    if nested is not None:
        raise DisclosureError(f"Column {nested!r} of {name} holds lists or records in its cells; leave it out.")


def _frame(table: pa.Table, name: str) -> pd.DataFrame:
    try:
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=False)
    except (pa.ArrowException, ValueError, TypeError):
        raise damaged(name, "Arrow") from None
    for i, (column, called) in enumerate(zip(table.columns, table.column_names, strict=True)):
        # pandas would make floats of them, which merges whole numbers beyond 2^53.
        if pa.types.is_integer(column.type) and column.null_count and [*frame.columns[i : i + 1]] == [called]:
            frame.isetitem(i, column.to_pandas(types_mapper=_WHOLE.get))
    if frame.index.name is not None or not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(drop=frame.index.name is None)
    return frame


def excel(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read one sheet of a workbook: the one asked for, else the first."""
    import python_calamine

    try:
        sheets = tuple(python_calamine.load_workbook(io.BytesIO(data)).sheet_names)
    except python_calamine.PasswordError:
        raise _locked(name) from None
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        # An encrypted .xlsx is an old OLE container with an encrypted package inside.
        if data.startswith(b"\xd0\xcf\x11\xe0") and "EncryptedPackage".encode("utf-16-le") in data:
            raise _locked(name) from None
        raise damaged(name, "Excel or OpenDocument") from error
    if not sheets:
        raise DisclosureError(f"{name} has no sheet; save it again with one.")
    sheet = options.sheet or sheets[0]
    if sheet not in sheets:
        raise DisclosureError(f"{name} has no sheet {sheet!r}; choose one of {', '.join(map(repr, sheets))}.")
    try:
        rows = pd.read_excel(
            io.BytesIO(data), sheet_name=sheet, engine="calamine", header=None, keep_default_na=False, na_values=[""]
        )
    except (python_calamine.CalamineError, OSError, ValueError):
        raise damaged(name, "Excel or OpenDocument") from None
    if rows.empty:
        raise DisclosureError(f"Sheet {sheet!r} of {name} is empty; choose a sheet with a header and at least one row.")
    header = ["" if pd.isna(c) else str(c) for c in rows.iloc[0]]
    # Every column came as objects because of its header; now it is what its own cells are.
    body = rows.iloc[1:].reset_index(drop=True).set_axis(header, axis=1).infer_objects()
    whole = body.select_dtypes("float")
    for i, column in enumerate(header):
        if header.count(column) == 1 and column in whole and (whole[column].dropna() % 1 == 0).all():
            body.isetitem(i, whole[column].astype("Int64").array)
    notes = (f"{len(sheets)} sheets; {sheet!r} was read.",) if len(sheets) > 1 else ()
    yield Part(body, options=ReadOptions(sheet=sheet), choices=sheets, notes=notes)


def _locked(name: str) -> DisclosureError:
    return DisclosureError(f"{name} is locked with a password; save it without one.")
