"""Spreadsheets: one sheet of a workbook of Excel or OpenDocument, of which cells are the table, and what else it holds.

What a sheet declares of its size is checked before a cell is made: one space far from the table makes millions.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from disclosure_core.data.readers._archives import BROKEN
from disclosure_core.data.readers._cells import Cells, check_cells
from disclosure_core.data.readers._ods import OpenDocument, without_indents
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, too_long, too_much
from disclosure_core.data.readers._xls import as_unicode, old_errors, old_hidden, with_plain_formats
from disclosure_core.data.readers._xlsx import check_extent, left_behind, sheet_xml
from disclosure_core.errors import DisclosureError

_OLD = b"\xd0\xcf\x11\xe0"
"""With which an old workbook begins, and a new one that is locked."""

_ERRORS = ("a cell with an error", "cells with an error")


def excel(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read one sheet of a workbook: the one asked for, else the first that is not hidden."""
    import python_calamine

    _check_unpacked(data, name, limits)
    open_document = OpenDocument.of(data)
    for title, (rows, columns) in (open_document.corners if open_document else {}).items():
        check_cells(rows, columns, len(data), title, name, limits)
    with _or_refused(data, name, limits):
        readable = without_indents(data) if open_document and open_document.indented else data
        readable = as_unicode(with_plain_formats(data)) if data.startswith(_OLD) else readable
        book = python_calamine.load_workbook(io.BytesIO(readable))
        sheets = tuple(book.sheet_names)
        tables = [s for s in book.sheets_metadata if s.typ == python_calamine.SheetTypeEnum.WorkSheet]
        visible = [s.name for s in tables if s.visible == python_calamine.SheetVisibleEnum.Visible]
    if not sheets:
        raise DisclosureError(f"{name} has no sheet; save it again with one.")
    sheet = options.sheet or next(iter(visible), sheets[0])
    if sheet not in sheets:
        raise DisclosureError(f"{name} has no sheet {sheet!r}; choose one of {', '.join(map(repr, sheets))}.")
    xml = None if open_document else sheet_xml(data, sheet)
    check_extent(data, xml, sheet, name, limits)
    with _or_refused(data, name, limits):
        sheet_table = book.get_sheet_by_name(sheet)
        if sheet_table.total_height and sheet_table.total_height > limits.rows:
            raise too_long(name, sheet_table.total_height, limits)
        cells = Cells(sheet_table, sheet, name)
    hidden = [s.name for s in tables if s.name not in visible]
    notes = []
    if len(sheets) > 1:
        aside = f" {', '.join(map(repr, hidden[:4]))} {'is' if len(hidden) == 1 else 'are'} hidden." if hidden else ""
        notes.append(f"{len(sheets)} sheets; {sheet!r} was read.{aside}")
    frame, sheet_notes = cells.table(options.header)
    if open_document:
        cells.merged += open_document.merged[sheet]
        sheet_notes += [*cells.merged_cell_notes(), *cells.lost_cell_notes(open_document.errors[sheet], *_ERRORS)]
        sheet_notes += cells.hidden_notes(open_document.hidden_rows[sheet], open_document.hidden_columns[sheet])
    elif data.startswith(_OLD):
        sheet_notes += [*cells.merged_cell_notes(), *cells.lost_cell_notes(old_errors(data, len(sheets)), *_ERRORS)]
        sheet_notes += cells.hidden_notes(*old_hidden(data, len(sheets)))
    else:
        sheet_notes += left_behind(data, xml, cells)
    used = ReadOptions(sheet=sheet, header=options.header)
    yield Part(frame, options=used, choices=sheets, notes=tuple(notes + sheet_notes), warnings=cells.warnings)


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
        if data.startswith(_OLD) and "EncryptedPackage".encode("utf-16-le") in data:
            raise _locked(name) from None
        raise damaged(name, "Excel or OpenDocument") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # Rust's, which is no Exception and has no module to import
            raise
        raise damaged(name, "Excel or OpenDocument") from error


def _check_unpacked(data: bytes, name: str, limits: Limits) -> None:
    """Refuse a workbook whose parts unpack to more than is allowed, by what it declares."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            needed = sum(entry.file_size for entry in archive.infolist())
    except BROKEN:
        return  # an old .xls, or damaged, which its reader says
    if needed > limits.memory * 1_000_000:
        raise too_much(name, needed)


def _locked(name: str) -> DisclosureError:
    return DisclosureError(f"{name} is locked with a password; save it without one.")
