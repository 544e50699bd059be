"""Parquet, Arrow and workbooks: the table of the file with its schema, or its sheet with its number formats."""

from __future__ import annotations

import io
import json
import math
import warnings
from decimal import Decimal, InvalidOperation
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.data.rewriters._change import (
    Cells,
    Change,
    Rewritten,
    UnalignedError,
    aligned,
    below,
    headed,
    plain,
    unused_note,
)

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions


def parquet(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a Parquet file with the compression that it has."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    table, notes = _changed(file.read(), change)
    packed = file.metadata.row_group(0).column(0).compression  # a table that was read has a column and a record
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="NONE" if packed == "UNCOMPRESSED" else packed)
    return Rewritten(".parquet", sink.getvalue(), notes)


def arrow(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a Feather or Arrow file."""
    import pyarrow.feather as feather

    sink = io.BytesIO()
    if data.startswith((b"ARROW1", b"FEA1")):
        table, notes = _changed(feather.read_table(pa.BufferReader(data)), change)
        feather.write_feather(table, sink)
    else:
        with pa.ipc.open_stream(pa.BufferReader(data)) as stream:
            table, notes = _changed(stream.read_all(), change)
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    return Rewritten(path.suffix, sink.getvalue(), notes)


_VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
_LONGEST = 100
"""Bytes of a note on a table or a column that is kept; what is longer may list levels, as R's and codebooks do."""


def _changed(table: pa.Table, change: Change) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table with what changed, and what is said of it."""
    aligned(table.num_rows, change)
    metadata = dict(table.schema.metadata or {})
    notes = json.loads(metadata[b"pandas"]) if b"pandas" in metadata else None
    views = [field for field in table.schema if _plain_type(field.type) != field.type]
    for field in views:  # a view points into a buffer with the texts of all records, and cannot be taken
        table = _as_type(table, field.name, _plain_type(field.type))
    table = table.take(pa.array(change.rows))
    for name, cells in change.columns.items():
        if table.column_names.count(name) != 1:
            raise UnalignedError
        at = table.column_names.index(name)
        old = table.column(at)
        new = _texts(old, cells) if cells.is_text else _numbers(old, cells)
        field = table.schema.field(at).with_type(new.type)
        table = table.set_column(at, field, new)
        if notes is not None and new.type != old.type:
            stored = json.loads(pa.table({name: new}).to_pandas().pipe(pa.Table.from_pandas).schema.metadata[b"pandas"])
            kind = stored["columns"][0]
            notes["columns"] = [kind if c.get("field_name") == name else c for c in notes["columns"]]
    for name, text in change.labels.items():
        label = pa.table({name: pa.array([text] * len(change.rows), pa.string())})
        table = table.append_column(name, label.column(0))
        if notes is not None:
            stored = json.loads(pa.Table.from_pandas(label.to_pandas()).schema.metadata[b"pandas"])
            notes["columns"].append(stored["columns"][0])
    table, unused = _only_used(table)
    for field in views:
        if table.schema.field(field.name).type == _plain_type(field.type):
            table = _as_type(table, field.name, field.type)
    said = unused_note(unused)
    if notes is not None:
        if notes.get("attributes"):  # pandas writes here whatever somebody kept beside the table
            notes["attributes"] = {}
        for described in notes["columns"]:
            if isinstance(described.get("metadata"), dict) and "num_categories" in described["metadata"]:
                column = table.column(described["field_name"])
                described["metadata"]["num_categories"] = len(column.combine_chunks().dictionary)
        counted = {"kind": "range", "name": None, "start": 0, "stop": len(change.rows), "step": 1}
        notes["index_columns"] = [
            counted | {"name": c.get("name")} if isinstance(c, dict) else c for c in notes["index_columns"]
        ]
    kept, lost = _short(metadata)
    if notes is not None:
        kept[b"pandas"] = json.dumps(notes).encode()
    fields = []
    for field in table.schema:
        of_field, long = _short(dict(field.metadata or {}))
        lost |= long
        fields.append(field.with_metadata(of_field) if field.metadata else field)
    lost.discard("pandas")
    if lost:
        listed = ", ".join(map(repr, sorted(lost)))
        said.append(f"The notes {listed} of the file may list values that no record has, and are not kept.")
    return table.cast(pa.schema(fields)).replace_schema_metadata(kept or None), tuple(said)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """Return a type without views; a dictionary's values may be views, too, as Polars writes categories."""
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _VIEWS.get(kind.value_type, kind.value_type), ordered=kind.ordered)
    return _VIEWS.get(kind, kind)


def _as_type(table: pa.Table, name: str, kind: pa.DataType) -> pa.Table:
    """Return a table with a column's texts, or those of its dictionary, in another type of text."""
    at = table.column_names.index(name)
    column = table.column(at)
    if pa.types.is_dictionary(kind):
        chunks = [
            pa.DictionaryArray.from_arrays(c.indices, c.dictionary.cast(kind.value_type), ordered=kind.ordered)
            for c in column.chunks
        ]
        return table.set_column(at, table.schema.field(at).with_type(kind), pa.chunked_array(chunks, kind))
    return table.set_column(at, table.schema.field(at).with_type(kind), column.cast(kind))


def _short(metadata: dict[bytes, bytes]) -> tuple[dict[bytes, bytes], set[str]]:
    """Return the notes of a file that are too short to list levels, and the names of the others."""
    lost = {name.decode(errors="replace") for name, text in metadata.items() if len(text) > _LONGEST}
    return {name: text for name, text in metadata.items() if len(text) <= _LONGEST}, lost


def _only_used(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return a table whose dictionaries hold only values that a record has, and the columns that lost some."""
    lost = []
    for at, field in enumerate(table.schema):
        column = table.column(at)
        if pa.types.is_dictionary(field.type):
            whole = column.unify_dictionaries().combine_chunks()
            used = whole.indices.unique().drop_null().sort()
            if len(used) < len(whole.dictionary):
                codes = pc.index_in(whole.indices, used).cast(field.type.index_type)
                levels = whole.dictionary.take(used)
                pruned = pa.DictionaryArray.from_arrays(codes, levels, ordered=field.type.ordered)
                table = table.set_column(at, field, pruned)
                lost.append(field.name)
    return table, lost


def _numbers(old: pa.ChunkedArray, cells: Cells) -> pa.Array:
    """Return a column of numbers in the type that it has, or as 64-bit floats where the new numbers do not fit."""
    present = cells.touched & cells.values.notna().to_numpy()
    values = [v if hit else None for v, hit in zip(cells.values.tolist(), present.tolist(), strict=True)]
    kind = old.type
    try:
        if pa.types.is_decimal(kind):
            new = pa.array([None if v is None else Decimal(plain(v)) for v in values], kind)
        else:
            new = pa.array(values, from_pandas=False).cast(kind) if not pa.types.is_dictionary(kind) else None
    except (pa.ArrowException, InvalidOperation):
        new = None
    if new is None:
        decoded = old.cast(kind.value_type) if pa.types.is_dictionary(kind) else old
        old, new = decoded.cast(pa.float64(), safe=False), pa.array(map(_float, values), pa.float64())
    return pc.if_else(pa.array(cells.touched), new, old.combine_chunks())


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _texts(old: pa.ChunkedArray, cells: Cells) -> pa.Array:
    """Return a column of levels: texts stay in the type they have; what was none becomes a dictionary of levels."""
    kind = old.type
    listed = pa.types.is_dictionary(kind)
    inner = kind.value_type if listed else kind
    if not (pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_string_view(inner)):
        return pa.array(cells.values.cat.remove_unused_categories())
    new = pa.array(cells.texts(), pa.string())
    changed = pc.if_else(pa.array(cells.touched), new, old.cast(pa.string()).combine_chunks())
    if not listed:
        return changed.cast(kind)
    present = set(changed.unique().to_pylist()) - {None}
    order = list(dict.fromkeys([str(c) for c in cells.values.cat.categories] + sorted(present)))
    levels = pa.array([level for level in order if level in present], pa.string())
    codes = pc.index_in(changed, levels).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, levels.cast(inner), ordered=kind.ordered)


def excel(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite the sheet that was read, with its name, number formats and widths; a formula comes back as its value."""
    import openpyxl
    import xlsxwriter

    if not data.startswith(b"PK") or path.suffix.lower() == ".ods" or options.header is False:
        raise UnalignedError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles that it lacks, as Gnumeric writes it
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    sheet = book[options.sheet] if options.sheet else book.worksheets[0]
    rows = list(sheet.iter_rows())
    header, body = below(
        rows, [all(not str("" if c.value is None else c.value).strip() for c in row) for row in rows], change
    )
    names = ["" if cell.value is None else str(cell.value) for cell in header]
    headed(names, change)
    anew: dict[tuple[int, int], Any] = {}
    for name, cells in change.columns.items():
        if names.count(name) != 1:
            raise UnalignedError
        values = cells.plain()
        anew |= {(i, names.index(name)): values[i] for i in cells.touched.nonzero()[0].tolist()}
    sink = io.BytesIO()
    quiet = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(sink, quiet | {"date_1904": book.epoch.year == 1904}) as workbook:
        page = workbook.add_worksheet(sheet.title)
        formats: dict[int, Any] = {}
        wide = 1 + max(j for row in (header, *body) for j, cell in enumerate(row) if cell.value is not None)
        for i, row in enumerate([header, *(body[k] for k in change.rows.tolist())]):
            for j, cell in enumerate(row):
                value = anew.get((i - 1, j), cell.value)
                look = cell.style_id  # asking each cell for its font takes ten times as long
                if look not in formats:
                    bold = bool(cell.font and cell.font.bold)
                    formats[look] = workbook.add_format({"num_format": cell.number_format, "bold": bold})
                _write(page, i, j, value, formats[look], error=cell.data_type == "e" and value == cell.value)
            for j, (name, text) in enumerate(change.labels.items(), wide):
                look = None if i else formats[header[wide - 1].style_id]
                page.write_string(i, j, text if i else name, look)
        for letter, width in sheet.column_dimensions.items():
            if width.width and width.min:
                page.set_column(f"{letter}:{letter}", width.width, None, {"hidden": bool(width.hidden)})
        if sheet.freeze_panes:
            frozen = sheet[sheet.freeze_panes]
            page.freeze_panes(max(0, frozen.row - header[0].row), frozen.column - 1)
    notes = []
    if len(book.sheetnames) > 1:
        other_sheets = ", ".join(repr(n) for n in book.sheetnames if n != sheet.title)
        notes.append(f"The sheets {other_sheets} were not assessed, and are not kept.")
    notes.append("Formulas, colours, comments and charts of the sheet are not kept; a formula's value is kept.")
    return Rewritten(".xlsx", sink.getvalue(), tuple(notes))


def _write(page: Any, i: int, j: int, value: Any, look: Any, *, error: bool) -> None:
    """Write one cell as what it is: a text is never run, a date keeps its format."""
    import datetime as dt

    if value is None:
        page.write_blank(i, j, None, look)
    elif isinstance(value, bool):
        page.write_boolean(i, j, value, look)
    elif isinstance(value, float) and not math.isfinite(value):  # Gnumeric writes such a number, and no other reads it
        page.write_string(i, j, str(value), look)
    elif isinstance(value, int | float):
        page.write_number(i, j, value, look)
    elif isinstance(value, dt.datetime | dt.date | dt.time | dt.timedelta):
        page.write_datetime(i, j, value, look)
    elif error:
        page.write_formula(i, j, f"={value}", look, str(value))
    else:
        page.write_string(i, j, str(value), look)
