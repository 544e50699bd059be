"""Parquet and Arrow.

55 kB of either may hold 100 GB: the process that reads them has a bound (`_child`), and what came of it is looked at
before it is unfolded (`_parent`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.data.coded import CodedColumn, CodedTable, coded, coded_texts
from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._calendar import outside_calendar, outside_notes
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, of_columns, too_long, too_much
from disclosure_core.errors import DisclosureError

_WHOLE = {
    pa.type_for_alias(name.lower()): pd.array([], name).dtype
    for name in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
}
"""By Arrow's type of whole numbers: pandas' type that holds them beside empty cells."""

_TEXT: Any = pd.StringDtype("pyarrow", na_value=np.nan)
"""How pandas holds texts."""

_NEAR = tuple(int(pd.Timestamp(year, 1, 1).timestamp()) * 1_000_000 for year in (1678, 2262))
"""Microseconds since 1970 between which moments are held in nanoseconds."""

_SECONDS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""How many of each unit of time are a second."""

_RAISED = (pa.ArrowException, OverflowError, EOFError, LookupError, OSError, TypeError, ValueError)
"""What Arrow raises of a file that is damaged."""


def parquet(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a Parquet file."""
    import pyarrow.parquet as pq

    _knowing_pandas()
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        if file.metadata.num_rows > limits.rows:
            raise too_long(name, file.metadata.num_rows, limits)
        _flat(file.schema_arrow, name)
        index = {name for stored in _stored_index(file.schema_arrow) for name in stored}
        texts = {f.name for f in file.schema_arrow if _is_text(f.type) and f.name not in index} - _in_deltas(file)
        table = pq.ParquetFile(pa.BufferReader(data), read_dictionary=list(texts)).read()
        if any(file.metadata.schema.column(i).physical_type == "INT96" for i in range(file.metadata.num_columns)):
            table = _far_moments(table, data)
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise too_much(name, limits.memory * 1_000_000) from None
    except _RAISED as error:
        raise damaged(name, "Parquet") from error
    yield _part(table, name, "Parquet", limits, texts)


def _in_deltas(file: Any) -> set[str]:
    """Return the columns of which a part is stored as differences of texts, which Arrow reads as no dictionary."""
    meta = file.metadata
    chunks = (meta.row_group(i).column(j) for i in range(meta.num_row_groups) for j in range(meta.num_columns))
    return {chunk.path_in_schema for chunk in chunks if any(e.startswith("DELTA_") for e in chunk.encodings)}


def _far_moments(table: pa.Table, data: bytes) -> pa.Table:
    """Return the table with moments of type INT96 as they are: in nanoseconds the year 9999 would be another year."""
    import pyarrow.parquet as pq

    coarse = pq.ParquetFile(pa.BufferReader(data), coerce_int96_timestamp_unit="us").read()
    for i, column in enumerate(coarse.columns):
        if pa.types.is_timestamp(column.type) and column.type != table.column(i).type:
            ends = pc.min_max(column.cast(pa.int64())).as_py()  # as numbers: Python knows no year beyond 9999
            if ends["min"] is not None and not (_NEAR[0] <= ends["min"] and ends["max"] < _NEAR[1]):
                table = table.set_column(i, coarse.schema.field(i), column)
    return table


def arrow(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a Feather or Arrow file, or an Arrow stream."""
    _knowing_pandas()
    try:
        table = _opened(data)
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise too_much(name, limits.memory * 1_000_000) from None
    except _RAISED as error:
        raise damaged(name, "Arrow") from error
    yield _part(table, name, "Arrow", limits)


def from_table(table: pa.Table, name: str) -> CodedTable:
    """Return a table that was handed over in Python as a file of it would be read; errors are those of `arrow`."""
    _knowing_pandas()
    return CodedTable.of(_part(table, name, "Arrow", Limits()).frame)


def _opened(data: bytes) -> pa.Table:
    if data.startswith(b"ARROW1"):
        return pa.ipc.open_file(pa.BufferReader(data)).read_all()
    if data.startswith(b"FEA1"):  # Feather before version 2
        import pyarrow.feather as feather

        return feather.read_table(pa.BufferReader(data))
    return pa.ipc.open_stream(pa.BufferReader(data)).read_all()


def _flat(schema: pa.Schema, name: str) -> None:
    for field in schema:
        inner = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if _is_pandas(inner):
            continue
        if pa.types.is_nested(inner) and not pa.types.is_run_end_encoded(inner):
            raise DisclosureError(f"Column {field.name!r} of {name} holds lists or records in its cells; remove it.")


def _is_pandas(kind: pa.DataType) -> bool:
    """Return whether a type is one of pandas' own, which lie in Arrow as numbers or records."""
    return isinstance(kind, pa.BaseExtensionType) and kind.extension_name.startswith("pandas.")


def _knowing_pandas() -> None:
    """Let Arrow know pandas' own types: pandas tells it only when it first makes one of them."""
    pa.array(pd.PeriodIndex(["2020"], freq="Y"))


def _part(table: pa.Table, name: str, format_: str, limits: Limits, texts: Collection[str] = ()) -> Part:
    """Return an Arrow table as pandas holds it: an index that pandas stored is a column, if it has a name.

    The columns of `texts` came as dictionaries only because that is quicker: they are no categories.
    """
    _flat(table.schema, name)
    if len(table) > limits.rows:  # before anything is decoded: a repeated value takes no room
        raise too_long(name, len(table), limits)
    twice = next((column for column, times in Counter(table.column_names).items() if times > 1), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them.")
    try:
        plain, notes = _without_index(table)
        columns, said = {}, []
        for column in plain.column_names:
            values, sentences = _plain(plain[column], name, column)
            columns[column] = coded_of(values, text=column in texts)
            said += [(column, sentence) for sentence in sentences]
    except MemoryError:
        raise too_much(name, table.nbytes) from None
    except (pa.ArrowException, ValueError, TypeError):
        raise damaged(name, format_) from None
    first = next(iter(columns), None)
    if first is not None and len(columns) > 1 and tidying.is_row_numbers(first, columns[first].series()):
        del columns[first]
        notes = [*notes, tidying.row_numbers_note(first)]
    coded_table = CodedTable(pd.Index(columns, dtype="str"), pd.RangeIndex(len(table)), list(columns.values()))
    return Part(coded_table, notes=(*notes, *of_columns(said)))


def coded_of(values: pa.ChunkedArray, *, text: bool) -> CodedColumn:
    """Return a column as codes; a dictionary that is `text` holds the texts that it was read into."""
    if not (text and pa.types.is_dictionary(values.type)) and not _is_text(values.type):
        return coded(series_of(values))
    whole = values if text else values.dictionary_encode()
    whole = whole.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], whole.type)
    texts = whole.dictionary.cast(pa.large_string())
    missing = len(texts)
    codes = whole.indices.fill_null(missing).to_numpy(zero_copy_only=False)
    return coded_texts(codes, series_of(pa.chunked_array([texts, pa.nulls(1, texts.type)])))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def series_of(values: Any) -> pd.Series[Any]:
    """Return Arrow values as pandas holds them, as `frame_of` does: for a column alone a table takes long to make."""
    if not values.null_count and (pa.types.is_integer(values.type) or pa.types.is_float64(values.type)):
        return pd.Series(values.to_numpy(zero_copy_only=False))
    if _is_text(values.type):
        texts = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
        return pd.Series(_TEXT.__from_arrow__(texts), copy=False)
    return frame_of(pa.table({"values": values}))["values"]


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Return a table's columns as pandas holds them; whole numbers beside empty cells stay whole numbers."""
    gaps = any(column.null_count and pa.types.is_integer(column.type) for column in table.columns)
    frame: pd.DataFrame = table.to_pandas(
        types_mapper=_WHOLE.get if gaps else None, ignore_metadata=True, use_threads=False
    )
    return frame


def _without_index(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the table with the index that pandas stored as an ordinary column, if it has a name.

    An index is no order of the records and aligns nothing: each value stays in its row.
    """
    names = table.column_names
    stored = {place: column for place, column in _stored_index(table.schema) if place in names}
    notes = []
    for place, column in stored.items():
        if column is None:
            notes.append("The index that pandas stored has no name: ignored.")
            table = table.drop_columns([place])
        elif column != place:
            if column not in table.column_names:
                table = table.rename_columns([column if c == place else c for c in table.column_names])
            elif table[place].equals(table[column]):
                table = table.drop_columns([place])
            else:
                renamed = f"{column} (index)"
                while renamed in table.column_names:
                    renamed += " "
                table = table.rename_columns([renamed if c == place else c for c in table.column_names])
                notes.append(f"The index and a column are both called {column!r}: the index is read as {renamed!r}.")
    return table, notes


def _stored_index(schema: pa.Schema) -> Iterator[tuple[str, str | None]]:
    """Give the columns in which pandas stored its index, and the index's own name."""
    try:
        stored = json.loads((schema.metadata or {})[b"pandas"])
        called = {column["field_name"]: column["name"] for column in stored["columns"]}
        places = [place for place in stored["index_columns"] if isinstance(place, str)]
    except (KeyError, TypeError, ValueError):
        return
    for place in places:
        name = called.get(place)
        yield place, None if name is None else str(name)


def _plain(values: pa.ChunkedArray, name: str, column: str) -> tuple[pa.ChunkedArray, list[str]]:
    """Return values as pandas can hold them, and what is to be said of them."""
    if pa.types.is_run_end_encoded(values.type):
        values = pa.chunked_array([pc.run_end_decode(c) for c in values.chunks], values.type.value_type)
    if _is_pandas(values.type):  # a period or an interval, as pandas shows it
        series = values.to_pandas()
        return pa.chunked_array([pa.array(series.astype(str).where(series.notna(), None), pa.string())]), []
    if isinstance(values.type, pa.BaseExtensionType):
        values = pa.chunked_array([c.storage for c in values.chunks], values.type.storage_type)
    if pa.types.is_dictionary(values.type):
        return _dictionary(values)
    if pa.types.is_temporal(values.type):
        return in_calendar(values)
    binary = pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type)
    if binary or pa.types.is_fixed_size_binary(values.type) or pa.types.is_binary_view(values.type):
        try:
            return values.cast(pa.binary()).cast(pa.string()), ["is stored as bytes: read as text."]
        except pa.ArrowInvalid:
            raise DisclosureError(f"Column {column!r} of {name} holds bytes that are no text; remove it.") from None
    return values, []


def in_calendar(values: Any) -> tuple[Any, list[str]]:
    """Return days, moments or times that Python can hold, and what is said of those that no calendar has.

    A time of a day to the nanosecond, or beyond 24 hours, is held as a duration.
    """
    kind = values.type
    if pa.types.is_duration(kind) or pa.types.is_interval(kind) or values.null_count == len(values):
        return values, []
    whole = values.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).cast(pa.int64())
    numbers = whole.fill_null(0).to_numpy(zero_copy_only=False)
    if pa.types.is_time(kind):
        beyond = numbers.min() < 0 or numbers.max() >= 86_400 * _SECONDS[kind.unit]
        if not beyond and (kind.unit != "ns" or not (numbers % 1_000).any()):
            return values, []
        notes = ["has times beyond 24 hours: its times are read as durations."] if beyond else []
        return whole.cast(pa.duration(kind.unit)), notes
    unit = "D" if pa.types.is_date32(kind) else "ms" if pa.types.is_date64(kind) else kind.unit
    zone = getattr(kind, "tz", None)
    ends = np.array([numbers.min(), numbers.max()]).astype(f"M8[{unit}]")
    if not outside_calendar(ends, zone).any():
        return values, []
    outside = outside_calendar(numbers.astype(f"M8[{unit}]"), zone)
    held = kind if pa.types.is_timestamp(kind) else pa.timestamp("ms" if unit == "ms" else "s")
    return values.cast(held), outside_notes(outside)  # Python's own days end with the year 9999


def _dictionary(values: pa.ChunkedArray) -> tuple[pa.ChunkedArray, list[str]]:
    """Return a dictionary whose values are distinct and not missing, in their order: Arrow forbids neither."""
    combined = values.unify_dictionaries().combine_chunks() if values.num_chunks > 1 else values.combine_chunks()
    if isinstance(combined, pa.ChunkedArray):
        combined = combined.chunk(0) if combined.num_chunks else pa.array([], values.type)
    levels = combined.dictionary
    if pa.types.is_binary(levels.type) or pa.types.is_large_binary(levels.type):
        levels = levels.cast(pa.string())
    notes = list[str]()
    if pa.types.is_temporal(levels.type):
        levels, notes = in_calendar(levels)
    if pa.types.is_floating(levels.type):
        levels = pc.if_else(pc.is_nan(levels), pa.scalar(None, levels.type), levels)
    distinct = pc.unique(levels).drop_null()
    if len(distinct) < len(levels):
        table = pc.index_in(levels, distinct)  # null where the value is
        indices = table.take(combined.indices)
    else:
        indices = combined.indices
    dictionary = pa.DictionaryArray.from_arrays(indices, distinct, ordered=values.type.ordered)
    return pa.chunked_array([dictionary]), notes
