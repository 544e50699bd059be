"""OpenDocument: the sheet's own XML, of which rows are dropped and single cells replaced."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from disclosure_core.data.rewriters._change import Change, Rewritten, UnalignedError, below, headed, plain

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions

_OFFICE, _TABLE, _TEXT = (
    "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}",
    "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}",
    "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}",
)
_MANIFEST = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}"
_KEPT = ("mimetype", "META-INF/manifest.xml", "content.xml", "styles.xml", "settings.xml")
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_COLUMNS = tuple(
    f"{_TABLE}{name}"
    for name in ("table-column", "table-columns", "table-header-columns", "table-column-group", "title", "desc")
)
_CONDITION = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}map"
_GROUPS = tuple(f"{_TABLE}{name}" for name in ("table-header-rows", "table-row-group", "table-rows"))


def ods(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite the sheet that was read, with its name, formats and widths; a formula comes back as its value."""
    if options.header is False:  # its first row would be taken for names, and given back
        raise UnalignedError
    archive = zipfile.ZipFile(io.BytesIO(data))
    root = _parsed(archive.read("content.xml"))
    book = root.find(f".//{_OFFICE}spreadsheet")
    if book is None:
        raise UnalignedError
    sheets = book.findall(f"{_TABLE}table")
    names = [sheet.get(f"{_TABLE}name") or "" for sheet in sheets]
    sheet = sheets[names.index(options.sheet) if options.sheet in names else 0]
    # Ranges, pivots and the like speak of sheets and rows that may be gone.
    for element in [
        element for element in book if element is not sheet and element.tag != f"{_TABLE}calculation-settings"
    ]:
        book.remove(element)
    rows = list(_rows(sheet, change.n + 2))
    header, body = below(rows, [not any(_has_content(cell) for cell, _ in _cells(row)) for row in rows], change)
    titles = ["".join(cell.itertext()) for cell, times in _cells(header) for _ in range(min(times, 20_000))]
    headed(titles, change)
    kept_rows = [deepcopy(body[i]) for i in change.rows.tolist()]
    for name, cells in change.columns.items():
        if titles.count(name) != 1:
            raise UnalignedError
        values = cells.plain()
        for i in cells.touched.nonzero()[0].tolist():
            _put(kept_rows[i], titles.index(name), values[i])
    wide = max(_width(row) for row in (header, *body)) if change.labels else 0
    for j, (name, text) in enumerate(change.labels.items(), wide):
        _put(header, j, name)
        for row in kept_rows:
            _put(row, j, text)
    for element in [e for e in sheet if e.tag not in _COLUMNS]:  # rows, and forms and conditions that speak of values
        sheet.remove(element)
    for parent in [e for e in root.iter() if any(child.tag == _CONDITION for child in e)]:
        for condition in parent.findall(_CONDITION):
            parent.remove(condition)
    sheet.extend([header, *kept_rows])
    for cell in [element for element in sheet.iter() if element.tag in _CELLS]:
        cell.attrib.pop(f"{_TABLE}formula", None)
        for note in cell.findall(f"{_OFFICE}annotation"):
            cell.remove(note)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as new_archive:
        for entry in [name for name in _KEPT if name in archive.namelist()]:
            content = archive.read(entry)
            if entry == "content.xml":
                content = ET.tostring(root, encoding="utf-8", xml_declaration=True)
            elif entry == "META-INF/manifest.xml":
                content = _listed(content)
            new_archive.writestr(entry, content, zipfile.ZIP_STORED if entry == "mimetype" else zipfile.ZIP_DEFLATED)
    notes = []
    if len(names) > 1:
        other_sheets = ", ".join(repr(n) for n, element in zip(names, sheets, strict=True) if element is not sheet)
        notes.append(f"The sheets {other_sheets} were not assessed, and are not kept.")
    notes.append("Formulas, comments, pictures and charts of the sheet are not kept; a formula's value is kept.")
    return Rewritten(".ods", sink.getvalue(), tuple(notes))


def _parsed(content: bytes) -> ET.Element:
    """Return a document whose names keep their prefixes."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:  # no program writes them here, and they could expand
        raise UnalignedError
    for _, (prefix, address) in ET.iterparse(io.BytesIO(content), events=("start-ns",)):  # noqa: S314
        if not prefix.startswith("ns"):
            ET.register_namespace(prefix, address)
    return ET.fromstring(content)  # noqa: S314


def _rows(within: ET.Element, limit: int) -> Iterator[ET.Element]:
    """Give the rows of a sheet, each once for every time that it is repeated; endless empty ones only as often."""
    for child in within:
        if child.tag in _GROUPS:
            yield from _rows(child, limit)
        elif child.tag == f"{_TABLE}table-row":
            times = int(child.attrib.pop(f"{_TABLE}number-rows-repeated", "1"))
            for _ in range(min(times, limit)):
                yield child


def _cells(row: ET.Element) -> Iterator[tuple[ET.Element, int]]:
    """Give the cells of a row, and how often each is repeated."""
    for cell in row:
        if cell.tag in _CELLS:
            yield cell, int(cell.get(f"{_TABLE}number-columns-repeated", "1"))


def _has_content(cell: ET.Element) -> bool:
    return cell.get(f"{_OFFICE}value-type") not in (None, "string") or bool("".join(cell.itertext()).strip())


def _width(row: ET.Element) -> int:
    """Return how many cells a row has up to its last that holds something."""
    width = column = 0
    for cell, times in _cells(row):
        column += times
        width = column if _has_content(cell) else width
    return width


def _put(row: ET.Element, at: int, value: Any) -> None:
    """Put a value in the place of one cell, which may be one of several that the file writes once; or after them."""
    column = sum(times for _, times in _cells(row))
    if column <= at:
        if column < at:
            empty = {f"{_TABLE}number-columns-repeated": str(at - column)}
            ET.SubElement(row, f"{_TABLE}table-cell", empty)
        row.append(_cell(ET.Element(f"{_TABLE}table-cell"), value))
        return
    column = 0
    for cell, times in list(_cells(row)):
        if column <= at < column + times:
            place = list(row).index(cell)
            row.remove(cell)
            parts = [(at - column, cell), (1, _cell(cell, value)), (column + times - at - 1, cell)]
            for n, part in reversed(parts):
                if n:
                    copy = deepcopy(part)
                    copy.attrib.pop(f"{_TABLE}number-columns-repeated", None)
                    if n > 1:
                        copy.set(f"{_TABLE}number-columns-repeated", str(n))
                    row.insert(place, copy)
            return
        column += times
    raise UnalignedError


def _cell(was: ET.Element, value: Any) -> ET.Element:
    """Return a cell with another value, or an empty one, and the look that it had."""
    cell = ET.Element(was.tag, {k: v for k, v in was.attrib.items() if k == f"{_TABLE}style-name"})
    if value is None:
        return cell
    text = isinstance(value, str)
    cell.set(f"{_OFFICE}value-type", "string" if text else "float")
    if not text:
        cell.set(f"{_OFFICE}value", plain(value))
    ET.SubElement(cell, f"{_TEXT}p").text = plain(value)
    return cell


def _listed(content: bytes) -> bytes:
    """Return the archive's own list without the files that are not kept."""
    root = _parsed(content)
    for entry in list(root):
        if entry.get(f"{_MANIFEST}full-path") not in ("/", *_KEPT):
            root.remove(entry)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)
