"""Parquet, Arrow and spreadsheets.

What a file declares of its size is checked before anything is decoded: 55 kB of Parquet may hold 100 GB.
"""

from __future__ import annotations

import datetime as dt
import html
import io
import json
import re
import struct
import zipfile
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.data.coded import CodedColumn, CodedTable, coded, coded_texts
from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._archives import BROKEN
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, too_long
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


_WHOLE = {pa.type_for_alias(name.lower()): pd.array([], name).dtype for name in (
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"
)}  # fmt: skip
"""By Arrow's type of whole numbers: pandas' type that holds them beside empty cells."""

_CELL = 40
"""Bytes that a cell of a sheet takes while it is read, empty ones between the table and a stray cell included."""

_NEAR = tuple(int(pd.Timestamp(year, 1, 1).timestamp()) * 1_000_000 for year in (1678, 2262))
"""Microseconds since 1970 between which moments are held in nanoseconds."""

_WIDTH = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}
"""Bytes of a value by Parquet's physical type; the others are texts."""


_RAISED = (pa.ArrowException, OverflowError, EOFError, LookupError, OSError, TypeError, ValueError, struct.error)
"""What Arrow, and who looks at the parts of its files, raises of one that is damaged."""


def parquet(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a Parquet file."""
    import pyarrow.parquet as pq

    _knowing_pandas()
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        if file.metadata.num_rows > limits.rows:
            raise too_long(name, file.metadata.num_rows, limits)
        _flat(file.schema_arrow, name)
        needed = _decoded_parquet(file, data, limits.memory * 1_000_000)
        if needed > limits.memory * 1_000_000:
            raise too_much(name, needed)
        index = {name for stored in _stored_index(file.schema_arrow) for name in stored}
        texts = {f.name for f in file.schema_arrow if _is_text(f.type) and f.name not in index}
        table = pq.ParquetFile(pa.BufferReader(data), read_dictionary=list(texts)).read()
        if any(file.metadata.schema.column(i).physical_type == "INT96" for i in range(file.metadata.num_columns)):
            table = _far_moments(table, data)
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise too_much(name, limits.memory * 1_000_000) from None
    except _RAISED as error:
        raise damaged(name, "Parquet") from error
    yield _part(table, name, "Parquet", limits, texts)


def _decoded_parquet(file: Any, data: bytes, limit: int) -> int:
    """Return the bytes that a file's values take when they are decoded, or a number beyond `limit`.

    Texts are read as dictionaries, a row group at a time: a dictionary of one long text may stand for millions.
    """
    import pyarrow.parquet as pq

    meta = file.metadata
    kinds = {meta.schema.column(i).path: meta.schema.column(i).physical_type for i in range(meta.num_columns)}
    texts = [path for path, kind in kinds.items() if kind == "BYTE_ARRAY"]
    total = meta.num_rows * sum(_WIDTH.get(kind, 16) for kind in kinds.values() if kind != "BYTE_ARRAY")
    total = max(total, sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)))
    packed = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    for group in range(meta.num_row_groups if total <= limit else 0):
        for path in texts:
            for chunk in packed.read_row_group(group, columns=[path]).column(0).chunks:
                if pa.types.is_dictionary(chunk.type) and not pa.types.is_dictionary(
                    file.schema_arrow.field(path).type
                ):
                    lengths = pc.cast(pc.binary_length(chunk.dictionary), pa.int64()).take(chunk.indices)
                    total += (pc.sum(lengths).as_py() or 0) + 8 * len(chunk)
                else:
                    total += chunk.nbytes
            if total > limit:
                return int(total)
    return int(total)


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
        needed = _decoded_arrow(data)
        if needed > limits.memory * 1_000_000:
            raise too_much(name, needed)
        table = _opened(data)
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise too_much(name, limits.memory * 1_000_000) from None
    except _RAISED as error:
        raise damaged(name, "Arrow") from error
    yield _part(table, name, "Arrow", limits)


def _opened(data: bytes) -> pa.Table:
    if data.startswith(b"ARROW1"):
        return pa.ipc.open_file(pa.BufferReader(data)).read_all()
    if data.startswith(b"FEA1"):  # Feather before version 2
        import pyarrow.feather as feather

        return feather.read_table(pa.BufferReader(data))
    return pa.ipc.open_stream(pa.BufferReader(data)).read_all()


def _decoded_arrow(data: bytes) -> int:
    """Return the bytes that the buffers of an Arrow file unpack to.

    A packed buffer begins with its decoded length, -1 where it is stored as it is.
    Source: https://arrow.apache.org/docs/format/Columnar.html#compression
    """
    if data.startswith(b"FEA1"):
        return len(data)
    total = 0
    for message in _messages(pa.py_buffer(data)):
        if message.type not in ("record batch", "dictionary"):
            continue
        meta, body = message.metadata.to_pybytes(), message.body
        batch = _to(meta, _field(meta, _to(meta, 0), 2))
        if message.type == "dictionary":
            batch = _to(meta, _field(meta, batch, 1))
        packed = _field(meta, batch, 3)
        at = _to(meta, _field(meta, batch, 2))
        for i in range(struct.unpack_from("<I", meta, at)[0]):
            begins, length = struct.unpack_from("<qq", meta, at + 4 + 16 * i)
            declared = struct.unpack("<q", body[begins : begins + 8].to_pybytes())[0] if packed and length >= 8 else -1
            total += length if declared == -1 else declared
    return total


def _messages(data: pa.Buffer) -> Iterator[Any]:
    """Give the messages of a stream, or those that a file's footer lists, as its reader finds them."""
    if data[:6].to_pybytes() != b"ARROW1":
        yield from pa.ipc.MessageReader.open_stream(data)
        return
    (length,) = struct.unpack("<i", data[-10:-6].to_pybytes())
    footer = data[len(data) - 10 - length : len(data) - 10].to_pybytes()
    for i in (2, 3):  # dictionaries, record batches
        listed = _field(footer, _to(footer, 0), i)
        if listed:
            at = _to(footer, listed)
            for block in range(struct.unpack_from("<I", footer, at)[0]):
                begins, meta, body = struct.unpack_from("<qi4xq", footer, at + 4 + 24 * block)
                yield pa.ipc.read_message(data[begins : begins + meta + body])


def _field(table: bytes, at: int, i: int) -> int:
    """Return where field `i` of a flatbuffer's table lies, 0 if it is not there."""
    vtable = at - struct.unpack_from("<i", table, at)[0]
    if 4 + 2 * i >= struct.unpack_from("<H", table, vtable)[0]:
        return 0
    offset = struct.unpack_from("<H", table, vtable + 4 + 2 * i)[0]
    return at + offset if offset else 0


def _to(table: bytes, at: int) -> int:
    """Return where a flatbuffer's offset leads."""
    return int(at + struct.unpack_from("<I", table, at)[0])


def too_much(name: str, needed: int) -> DisclosureError:
    """Return the error for a table that would not fit in memory."""
    return DisclosureError(
        f"{name} needs about {needed // 1_000_000:,} MB of memory, more than is allowed; remove columns that are "
        "neither key nor target."
    )


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
    names = table.column_names
    twice = next((column for i, column in enumerate(names) if column in names[:i]), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them.")
    try:
        plain, notes = _without_index(table)
        columns, column_notes = {}, []
        for column in plain.column_names:
            values, sentences = _plain(plain[column], name, column)
            columns[column] = _coded(values, text=column in texts)
            column_notes += [f"{column!r} {sentence}" for sentence in sentences]
    except MemoryError:
        raise too_much(name, table.nbytes) from None
    except (pa.ArrowException, ValueError, TypeError):
        raise damaged(name, format_) from None
    first = next(iter(columns), None)
    if first is not None and len(columns) > 1 and tidying.is_row_numbers(first, columns[first].series()):
        del columns[first]
        notes = [*notes, tidying.row_numbers_note(first)]
    coded_table = CodedTable(pd.Index(columns, dtype="str"), pd.RangeIndex(len(table)), list(columns.values()))
    return Part(coded_table, notes=(*notes, *column_notes))


def _coded(values: pa.ChunkedArray, *, text: bool) -> CodedColumn:
    """Return a column as codes; a dictionary that is `text` holds the texts that it was read into."""
    if not (text and pa.types.is_dictionary(values.type)) and not _is_text(values.type):
        return coded(_series(values))
    whole = values if text else values.dictionary_encode()
    whole = whole.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], whole.type)
    texts = whole.dictionary.cast(pa.large_string())
    missing = len(texts)
    codes = whole.indices.fill_null(missing).to_numpy(zero_copy_only=False)
    return coded_texts(codes, _series(pa.chunked_array([texts, pa.nulls(1, texts.type)])))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _series(values: pa.ChunkedArray) -> pd.Series[Any]:
    return frame_of(pa.table({"values": values}))["values"]


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Return a table's columns as pandas holds them; whole numbers beside empty cells stay whole numbers."""
    gaps = any(column.null_count and pa.types.is_integer(column.type) for column in table.columns)
    frame: pd.DataFrame = table.to_pandas(types_mapper=_WHOLE.get if gaps else None, ignore_metadata=True)
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
        return _dictionary(values), []
    binary = pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type)
    if binary or pa.types.is_fixed_size_binary(values.type) or pa.types.is_binary_view(values.type):
        try:
            return values.cast(pa.binary()).cast(pa.string()), ["is stored as bytes: read as text."]
        except pa.ArrowInvalid:
            raise DisclosureError(f"Column {column!r} of {name} holds bytes that are no text; remove it.") from None
    return values, []


def _dictionary(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a dictionary whose values are distinct and not missing, in their order: Arrow forbids neither."""
    combined = values.unify_dictionaries().combine_chunks() if values.num_chunks > 1 else values.combine_chunks()
    if isinstance(combined, pa.ChunkedArray):
        combined = combined.chunk(0) if combined.num_chunks else pa.array([], values.type)
    levels = combined.dictionary
    if pa.types.is_binary(levels.type) or pa.types.is_large_binary(levels.type):
        levels = levels.cast(pa.string())
    if pa.types.is_floating(levels.type):
        levels = pc.if_else(pc.is_nan(levels), pa.scalar(None, levels.type), levels)
    distinct = pc.unique(levels).drop_null()
    if len(distinct) < len(levels):
        table = pc.index_in(levels, distinct)  # null where the value is
        indices = table.take(combined.indices)
    else:
        indices = combined.indices
    dictionary = pa.DictionaryArray.from_arrays(indices, distinct, ordered=values.type.ordered)
    return pa.chunked_array([dictionary])


def excel(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read one sheet of a workbook: the one asked for, else the first that is not hidden."""
    import python_calamine

    _check_unpacked(data, name, limits)
    open_document = _OpenDocument.of(data)
    for title, (rows, columns) in (open_document.corners if open_document else {}).items():
        _check_cells(rows, columns, len(data), title, name, limits)
    with _or_refused(data, name, limits):
        book = python_calamine.load_workbook(io.BytesIO(data))
        sheets = tuple(book.sheet_names)
        tables = [s for s in book.sheets_metadata if s.typ == python_calamine.SheetTypeEnum.WorkSheet]
        visible = [s.name for s in tables if s.visible == python_calamine.SheetVisibleEnum.Visible]
    if not sheets:
        raise DisclosureError(f"{name} has no sheet; save it again with one.")
    sheet = options.sheet or next(iter(visible), sheets[0])
    if sheet not in sheets:
        raise DisclosureError(f"{name} has no sheet {sheet!r}; choose one of {', '.join(map(repr, sheets))}.")
    xml = None if open_document else _sheet_xml(data, sheet)
    _check_extent(data, xml, sheet, name, limits)
    with _or_refused(data, name, limits):
        sheet_table = book.get_sheet_by_name(sheet)
        if sheet_table.total_height and sheet_table.total_height > limits.rows:
            raise too_long(name, sheet_table.total_height, limits)
        cells = _Cells(sheet_table, sheet, name)
    hidden = [s.name for s in tables if s.name not in visible]
    notes = []
    if len(sheets) > 1:
        aside = f" {', '.join(map(repr, hidden[:4]))} {'is' if len(hidden) == 1 else 'are'} hidden." if hidden else ""
        notes.append(f"{len(sheets)} sheets; {sheet!r} was read.{aside}")
    frame, sheet_notes = cells.table()
    if open_document:
        cells.merged += open_document.merged[sheet]
        sheet_notes += [*cells.merged_cell_notes(), *cells.lost_cell_notes(open_document.errors[sheet], *_ERRORS)]
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        sheet_notes += [*cells.merged_cell_notes(), *cells.lost_cell_notes(_old_errors(data, len(sheets)), *_ERRORS)]
    else:
        sheet_notes += _left_behind(data, xml, cells)
    yield Part(frame, options=ReadOptions(sheet=sheet), choices=sheets, notes=tuple(notes + sheet_notes))


@contextmanager
def _or_refused(data: bytes, name: str, limits: Limits) -> Iterator[None]:
    """Make a sentence of what a workbook's reader raises."""
    import python_calamine

    try:
        yield
    except MemoryError:
        raise too_much(name, limits.memory * 1_000_000) from None
    except python_calamine.PasswordError:
        raise _locked(name) from None
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        # An encrypted .xlsx is an old OLE container with an encrypted package inside.
        if data.startswith(b"\xd0\xcf\x11\xe0") and "EncryptedPackage".encode("utf-16-le") in data:
            raise _locked(name) from None
        raise damaged(name, "Excel or OpenDocument") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # Rust's, which is no Exception and has no module to import
            raise
        raise damaged(name, "Excel or OpenDocument") from error


class _Cells:
    """The cells of a sheet: which of them are the table, and what is to be said of the others.

    `rows` are the rows that hold anything but spaces, with their numbers from 0; `shift` is the sheet's first column.
    """

    def __init__(self, sheet: Any, title: str, name: str) -> None:
        self.title, self.name = title, name
        self.shift = sheet.start[1] if sheet.start else 0
        self.merged: list[tuple[tuple[int, int], tuple[int, int]]] = list(sheet.merged_cell_ranges or [])
        self.rows: list[tuple[int, list[Any]]] = []
        self.spaces: list[str] = []
        for i, row in enumerate(sheet.iter_rows()):
            if row.count("") == len(row):
                continue
            if any(not _blank(value) for value in row):
                self.rows.append((i, row))
            else:
                self.spaces += [_place(i, j + self.shift) for j, value in enumerate(row) if value != ""]
        self.header: list[str] = []
        self.places: list[int] = []
        self.above = 0

    def table(self) -> tuple[pd.DataFrame, list[str]]:
        """Return the table, and what is to be said of what was ignored."""
        if not self.rows:
            raise DisclosureError(
                f"Sheet {self.title!r} of {self.name} is empty; choose a sheet with a header and at least one row."
            )
        notes = self._without_lines_above() + self._without_lines_below()
        self.above, names = self.rows[0]
        body = self.rows[1:]
        self.header = ["" if _blank(value) else _named(value) for value in names]
        notes += self._columns(body)
        if self.above or self.shift or (self.places and self.places[0] and not any("first column" in s for s in notes)):
            notes.append(f"The table begins at cell {_place(self.above, self.shift + self.places[0])}.")
        if self.spaces:
            notes.append(f"Outside the table, cells hold nothing but spaces ({_few(self.spaces)}): ignored.")
        between = body[-1][0] - self.above - len(body) if body else 0
        notes += tidying.empty_row_notes(0, between)
        columns = {}
        for j in self.places:
            values: list[Any] = [None] * (len(body) + between)
            for i, row in body:
                values[i - self.above - 1] = None if row[j] == "" else row[j]
            columns[j], more = _column(values)
            notes += [f"{self.header[j]!r} {sentence}" for sentence in more]
        frame = pd.DataFrame(columns).set_axis([self.header[j] for j in self.places], axis=1)
        first = frame.columns[0] if len(frame.columns) else ""
        if len(self.places) > 1 and tidying.is_row_numbers(first, frame.iloc[:, 0]):
            frame, self.places = frame.iloc[:, 1:], self.places[1:]
            notes.append(tidying.row_numbers_note(first))
        if len(body) > 3 and all(_blank(v) or isinstance(v, str) for v in body[0][1]):
            below = {j: _kinds(row[j] for _, row in body[1:] if not _blank(row[j])) for j in self.places}
            numeric = [self.header[j] for j in self.places if below[j] == {"numbers"} and not _blank(body[0][1][j])]
            notes += tidying.second_header_notes([body[0][1][j] for j in self.places], numeric) if numeric else []
        return frame, notes + tidying.last_row_notes(frame)

    def _without_lines_above(self) -> list[str]:
        """Leave out titles: a row of one cell above a row in which every cell is a name."""
        filled = [[value for value in row if not _blank(value)] for _, row in self.rows[:7]]
        names = next((i for i, filled_cells in enumerate(filled) if len(filled_cells) > 1), 0)
        if len(filled[names]) < 3 or not all(isinstance(value, str) for value in filled[names]):
            return []
        above = [filled_cells[0] for filled_cells in filled[:names]]
        self.rows = self.rows[names:]
        if not above:
            return []
        more = f" and {len(above) - 1} more" if len(above) > 1 else ""
        return [f"Above the names of the columns stands {str(above[0])[:60]!r}{more}: ignored."]

    def _without_lines_below(self) -> list[str]:
        """Leave out remarks: rows of one cell, below an empty row at the end of a table of at least three columns."""
        begins = len(self.rows)
        while begins > 2 and sum(not _blank(value) for value in self.rows[begins - 1][1]) == 1:
            begins -= 1
            if self.rows[begins][0] - self.rows[begins - 1][0] > 1 and sum(not _blank(v) for v in self.rows[0][1]) > 2:
                i, row = self.rows[begins]
                j = next(j for j, value in enumerate(row) if not _blank(value))
                n = len(self.rows) - begins
                self.rows = self.rows[:begins]
                more = f" and {n - 1} more below" if n > 1 else ""
                return [
                    f"Below the table, {_place(i, j + self.shift)} says {str(row[j])[:60]!r}{more}: ignored.",
                    *self._without_lines_below(),
                ]
        return []

    def _columns(self, body: Sequence[tuple[int, list[Any]]]) -> list[str]:
        """Find the table's columns; what is to be said of those without a name."""
        filled = {
            j: [i for i, row in body if not _blank(row[j])] for j in range(len(self.header)) if not self.header[j]
        }
        gaps = [j for j, rows in filled.items() if not rows]
        last = max((j for j, title in enumerate(self.header) if title), default=-1)
        stray = [j for j, rows in filled.items() if rows and j > last and any(last < gap < j for gap in gaps)]
        self.places = [j for j in range(len(self.header)) if j not in gaps and j not in stray]
        notes = []
        if stray:
            cells = [_place(i, j + self.shift) for j in stray for i in filled[j]]
            notes.append(f"Right of the table, cells without a name above them ({_few(cells)}) were ignored.")
        self.spaces += [_place(i, j + self.shift) for j in gaps for i, row in body if row[j] != ""]
        inside = [j + self.shift + 1 for j in gaps if j < last]
        notes += tidying.empty_column_notes(inside)
        names = [j for j, (begin, end) in enumerate(self._header_merges()) if begin != end]
        nameless = next(
            (j for j in self.places if not self.header[j] and (j != self.places[0] or len(self.places) == 1)), None
        )
        if nameless is not None:
            reason = ", for names are in merged cells" if names else ""
            raise DisclosureError(f"Column {nameless + 1} of {self.name} has no name{reason}; give it one.")
        twice = next((t for t in self.header if t and self.header.count(t) > 1), None)
        if twice is not None:
            raise DisclosureError(f"{self.name} has two columns called {twice!r}; rename one of them.")
        return notes

    def _header_merges(self) -> list[tuple[int, int]]:
        """Return first and last column of the merged cells in the row of names."""
        return [(b[1], e[1]) for b, e in self.merged if b[0] <= self.above <= e[0]]

    def lost_cell_notes(self, lost: Sequence[tuple[int, int, str]], singular: str, plural: str) -> list[str]:
        """Say which cells below the names are empty only to the reader, given by row, column and what they show."""
        notes = []
        for j in self.places:
            places = [
                f"{_place(i, c)} {content}".strip() for i, c, content in lost if c == j + self.shift and i > self.above
            ]
            if places:
                counted = singular if len(places) == 1 else f"{len(places):,} {plural}"
                notes.append(f"{self.header[j]!r} holds {counted} ({_few(places)}): read as missing.")
        return notes

    def merged_cell_notes(self) -> list[str]:
        """Say which records have no value because their cells are merged with another's."""
        notes = []
        for j in self.places:
            column = j + self.shift
            lost = [(b, e) for b, e in self.merged if b[1] <= column <= e[1] and e[0] > self.above]
            n = sum(e[0] - max(b[0], self.above) + (column > b[1]) - (b[0] <= self.above) for b, e in lost)
            if n > 0:
                ranges = [f"{_place(*b)}:{_place(*e)}" for b, e in lost]
                notes.append(
                    f"{self.header[j]!r} has merged cells ({_few(ranges)}): only the first of them holds the value, "
                    f"{n:,} record{'' if n == 1 else 's'} read as missing."
                )
        return notes


def _blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _named(value: Any) -> str:
    """Return a name that may have been typed as a number or a date."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _place(row: int, column: int) -> str:
    """Return a cell's name: row and column from 0 to A1."""
    letters = ""
    column += 1
    while column:
        column, remainder = divmod(column - 1, 26)
        letters = chr(65 + remainder) + letters
    return f"{letters}{row + 1}"


def _few(places: Sequence[str]) -> str:
    return ", ".join(places[:4]) + (f" and {len(places) - 4:,} more" if len(places) > 4 else "")


_KINDS = (
    (bool, "truth values"),
    ((int, float), "numbers"),
    (str, "texts"),
    (dt.date, "dates"),
    (dt.time, "times"),
    (dt.timedelta, "durations"),
)
"""What a cell can hold, the first that fits."""


def _kinds(values: Iterator[Any]) -> set[str]:
    types = {type(value) for value in values}
    return {next(kind_name for kind, kind_name in _KINDS if issubclass(value_type, kind)) for value_type in types}


def _column(values: list[Any]) -> tuple[Any, list[str]]:
    """Return a column of cells as what all of them are, and what is to be said of it."""
    present = [value for value in values if value is not None]
    kinds = _kinds(iter(present))
    if not kinds:
        return pd.Series(values, dtype=object), ["has no value in any row."] if values else []
    if kinds == {"numbers"}:
        notes = []
        if all(float(value).is_integer() for value in present) and max(map(abs, present)) < 2**63:
            integers = pd.array([None if v is None else int(v) for v in values], "Int64")
            if max(map(abs, present)) >= 10**15:
                notes = [
                    "has numbers of more than 15 digits, which a spreadsheet cuts: two identifiers may have become one."
                ]
            return integers if len(present) < len(values) else integers.astype("int64"), notes
        return pd.Series([float("nan") if v is None else float(v) for v in values]), notes
    if kinds == {"dates"}:
        return pd.to_datetime(pd.Series(values, dtype=object)), []
    if kinds == {"texts"}:
        return pd.Series(values, dtype="str"), []
    if kinds == {"durations"}:
        return pd.Series(pd.to_timedelta(pd.Series(values, dtype=object))), []
    if len(kinds) == 1:
        return pd.Series(values, dtype=object).infer_objects(), []
    mixed = [int(v) if isinstance(v, float) and v.is_integer() else v for v in values]
    odd = next((repr(v) for v in present if isinstance(v, str)), str(present[0]))
    listed = " and ".join(sorted(kinds))
    return pd.Series(mixed, dtype=object), [f"holds {listed}, such as {odd}: kept as they are, compared as text."]


def _check_unpacked(data: bytes, name: str, limits: Limits) -> None:
    """Refuse a workbook whose parts unpack to more than is allowed, by what it declares."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            needed = sum(entry.file_size for entry in archive.infolist())
    except BROKEN:
        return  # an old .xls, or damaged, which its reader says
    if needed > limits.memory * 1_000_000:
        raise too_much(name, needed)


def _sheet_xml(data: bytes, sheet: str) -> str | None:
    """Return where in an .xlsx the cells of a sheet lie; None where that cannot be told."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            book, links = (_start(archive, f"xl/{path}") for path in ("workbook.xml", "_rels/workbook.xml.rels"))
            for tag in re.findall(r"<(?:\w+:)?sheet\s[^>]*>", book):
                if html.unescape(_attribute(tag, "name")) == sheet:
                    relation = _attribute(tag, r"\w+:id")
                    for link in re.findall(r"<(?:\w+:)?Relationship\s[^>]*>", links):
                        if _attribute(link, "Id") == relation:
                            target = _attribute(link, "Target")
                            path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
                            return path if path in archive.namelist() else None
    except BROKEN:
        pass
    return None


def _start(archive: zipfile.ZipFile, path: str, most: int = 1 << 22) -> str:
    with archive.open(path) as packed:
        return packed.read(most).decode("utf-8", "replace")


def _attribute(tag: str, name: str) -> str:
    match = re.search(rf"\s{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", tag)
    return (match.group(1) or match.group(2) or "") if match else ""


def _check_extent(data: bytes, xml: str | None, sheet: str, name: str, limits: Limits) -> None:
    """Refuse a sheet whose declared size would take too much memory: every cell up to the last is made.

    What a sheet declares may be a lie; the memory limit of the child process stands behind.
    """
    if xml is None:
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = archive.getinfo(xml).file_size
            declared = re.search(r"<(?:\w+:)?dimension\s[^>]*>", _start(archive, xml, 1 << 16))
    except BROKEN:
        raise damaged(name, "Excel or OpenDocument") from None
    corners = re.findall(r"([A-Z]{1,3})(\d{1,7})", _attribute(declared.group(0), "ref")) if declared else []
    if not corners:
        return
    columns, rows = [], []
    for letters, digits in corners:
        columns.append(sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(letters))))
        rows.append(int(digits))
    _check_cells(max(rows), max(columns), size, sheet, name, limits)


def _check_cells(rows: int, columns: int, size: int, sheet: str, name: str, limits: Limits) -> None:
    """Refuse a sheet that reaches so far; `size` are the bytes of its XML."""
    cells = rows * columns
    # A cell that holds something takes more than 20 bytes of XML; below one a cell, the sheet is nearly empty.
    if _CELL * cells > limits.memory * 1_000_000 or (_CELL * cells > 1_000_000_000 and size < cells):
        raise DisclosureError(
            f"Sheet {sheet!r} of {name} reaches to cell {_place(rows - 1, columns - 1)}, {cells:,} cells in all, more "
            "than can be read; delete what stands far from the table, even a space, and save it again."
        )


_ERRORS = ("a cell with an error", "cells with an error")
_FAR = re.compile(rb"number-(?:rows|columns)-repeated=[\"']\d{4,}")
_MARKED = re.compile(rb"value-type=[\"']error|-spanned=[\"'](?!1[\"'])")


def _times(attributes: dict[str, str], name: str) -> int:
    """Return how often a cell or row stands there, or how far it reaches: once where that is no number."""
    said = attributes.get(name, "")
    return int(said) if re.fullmatch(r"[0-9]{1,9}", said) else 1


class _OpenDocument:
    """What of OpenDocument sheets their reader does not tell: how far each reaches, merged cells, errors.

    The XML is read through only where it holds something of the kind. All sheets are told of, since the reader makes
    the cells of all when it opens the file.
    """

    def __init__(self) -> None:
        self.corners: dict[str, tuple[int, int]] = {}
        self.merged: dict[str, list[tuple[tuple[int, int], tuple[int, int]]]] = defaultdict(list)
        self.errors: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        self._sheet: str | None = None
        self._row = self._column = 0
        self._repeated = 1

    @classmethod
    def of(cls, data: bytes) -> _OpenDocument | None:
        """Return what is to be known of the sheets, None if the file is no OpenDocument."""
        from xml.parsers import expat

        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                xml = archive.read("content.xml")
        except BROKEN:
            return None
        document = cls()
        far = any(
            -1 < xml.find(b"office:value", m.end()) < xml.find(b"</table:table>", m.end()) for m in _FAR.finditer(xml)
        )
        if far or _MARKED.search(xml):
            parser = expat.ParserCreate()
            parser.StartElementHandler, parser.EndElementHandler = document._start, document._end
            try:
                parser.Parse(xml, True)
            except expat.ExpatError:
                return None  # its reader says so
        return document

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            self._sheet = attributes.get("table:name", "")
            self._row = 0
        elif self._sheet is None:
            return
        elif tag == "table:table-row":
            self._column = 0
            self._repeated = _times(attributes, "table:number-rows-repeated")
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            times = _times(attributes, "table:number-columns-repeated")
            if "office:value-type" in attributes:
                rows, columns = self._row + self._repeated, self._column + times
                corner = self.corners.get(self._sheet, (0, 0))
                self.corners[self._sheet] = (max(corner[0], rows), max(corner[1], columns))
                if attributes.get("calcext:value-type") == "error":
                    self.errors[self._sheet] += [(self._row, self._column + i, "") for i in range(min(times, 100))]
                down = _times(attributes, "table:number-rows-spanned")
                right = _times(attributes, "table:number-columns-spanned")
                if down > 1 or right > 1:
                    end = (self._row + down - 1, self._column + right - 1)
                    self.merged[self._sheet].append(((self._row, self._column), end))
            self._column += times

    def _end(self, tag: str) -> None:
        if tag == "table:table-row":
            self._row += self._repeated
        elif tag == "table:table":
            self._sheet = None


def _old_errors(data: bytes, sheets: int) -> list[tuple[int, int, str]]:
    """Return the cells of an old workbook with an error; with several sheets it is not known whose they are.

    Records BOOLERR and FORMULA of BIFF8. Source: [MS-XLS] 2.4.24 and 2.4.127.
    """
    if sheets > 1:
        return []
    names = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
    typed = re.findall(rb"\x05\x02\x08\x00(..)(..)..([\x00\x07\x0f\x17\x1d\x24\x2a])\x01", data, re.DOTALL)
    computed = re.findall(
        rb"\x06\x00[\x16-\xff].(..)(..)..\x02.([\x00\x07\x0f\x17\x1d\x24\x2a])...\xff\xff", data, re.DOTALL
    )
    return [(int.from_bytes(r, "little"), int.from_bytes(c, "little"), names[e[0]]) for r, c, e in typed + computed]


_ERROR = re.compile(
    rb"<(?:\w+:)?c\s([^>]*?\bt=[\"']e[\"'][^>]*)>(?:(?!</(?:\w+:)?c>).)*?<(?:\w+:)?v>([^<]*)<", re.DOTALL
)
_UNCOUNTED = re.compile(
    rb"<(?:\w+:)?c\s([^>]*)>\s*<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_REFERENCE = re.compile(rb"\br=[\"']([A-Z]{1,3})(\d{1,7})[\"']")


def _left_behind(data: bytes, xml: str | None, cells: _Cells) -> list[str]:
    """Say which cells are empty only to the reader: merged ones, errors, formulas whose result was never stored."""
    notes = cells.merged_cell_notes()
    if xml is None:
        return notes
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sheet = archive.read(xml)
    except BROKEN:
        raise damaged(cells.name, "Excel or OpenDocument") from None
    for pattern, marks, singular, plural in (
        (_ERROR, (b't="e"', b"t='e'"), "a cell with an error", "cells with an error"),
        (
            _UNCOUNTED,
            (b"<f", b":f"),
            "a formula without a stored result",
            "formulas without a stored result",
        ),
    ):
        if not any(mark in sheet for mark in marks):
            continue
        lost = []
        for match in pattern.finditer(sheet):
            place = _REFERENCE.search(match.group(1))
            if place is not None:
                letters, row = place.group(1).decode(), int(place.group(2)) - 1
                column = sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(letters))) - 1
                lost.append((row, column, match.group(2).decode("utf-8", "replace") if pattern is _ERROR else ""))
        notes += cells.lost_cell_notes(lost, singular, plural)
    return notes


def _locked(name: str) -> DisclosureError:
    return DisclosureError(f"{name} is locked with a password; save it without one.")
