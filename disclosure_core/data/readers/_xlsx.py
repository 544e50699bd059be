"""What of a sheet of .xlsx its reader does not tell: how far it reaches, hidden rows and columns, and lost values."""

from __future__ import annotations

import html
import io
import re
import zipfile

from disclosure_core.data.readers._archives import BROKEN
from disclosure_core.data.readers._cells import WIDEST, Cells, check_cells
from disclosure_core.data.readers._reading import Limits, damaged


def _numbers(letters: str, digits: str) -> tuple[int, int]:
    """Return row and column from 0 of a cell's name, as A and 1."""
    return int(digits) - 1, sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(letters))) - 1


def sheet_xml(data: bytes, sheet: str) -> str | None:
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


def check_extent(data: bytes, xml: str | None, sheet: str, name: str, limits: Limits) -> None:
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
    places = [_numbers(*corner) for corner in corners]
    check_cells(max(r for r, _ in places) + 1, max(c for _, c in places) + 1, size, sheet, name, limits)


_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])[^>]*\br=[\"'](\d{1,7})[\"']")
_HIDDEN_COLUMNS = re.compile(rb"<(?:\w+:)?col\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])([^>]*)>")


def _hidden(sheet: bytes) -> tuple[set[int], set[int]]:
    """Return rows and columns that are hidden in a sheet of .xlsx, from 0."""
    if b"hidden=" not in sheet:
        return set(), set()
    columns: set[int] = set()
    for found in _HIDDEN_COLUMNS.finditer(sheet):
        ends = [re.search(rf"\b{name}=[\"'](\d{{1,5}})[\"']".encode(), found.group(1)) for name in ("min", "max")]
        if all(ends):
            first, last = (int(end.group(1)) for end in ends if end)
            columns |= set(range(first - 1, min(last, WIDEST)))
    return {int(found.group(1)) - 1 for found in _HIDDEN_ROW.finditer(sheet)}, columns


_ERROR = re.compile(
    rb"<(?:\w+:)?c\s([^>]*?\bt=[\"']e[\"'][^>]*)>(?:(?!</(?:\w+:)?c>).)*?<(?:\w+:)?v>([^<]*)<", re.DOTALL
)
_UNCOUNTED = re.compile(
    rb"<(?:\w+:)?c\s([^>]*)>\s*<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_REFERENCE = re.compile(rb"\br=[\"']([A-Z]{1,3})(\d{1,7})[\"']")


def left_behind(data: bytes, xml: str | None, cells: Cells) -> list[str]:
    """Say which cells are empty only to the reader: merged ones, errors, formulas whose result was never stored."""
    notes = cells.merged_cell_notes()
    if xml is None:
        return notes
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sheet = archive.read(xml)
    except BROKEN:
        raise damaged(cells.name, "Excel or OpenDocument") from None
    notes += cells.hidden_notes(*_hidden(sheet))
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
                row, column = _numbers(place.group(1).decode(), place.group(2).decode())
                lost.append((row, column, match.group(2).decode("utf-8", "replace") if pattern is _ERROR else ""))
        notes += cells.lost_cell_notes(lost, singular, plural)
    return notes
