"""Spreadsheets: one sheet of a workbook of Excel or OpenDocument, of which cells are the table, and what else it holds.

What a sheet declares of its size is checked before a cell is made: one space far from the table makes millions.
"""

from __future__ import annotations

import datetime as dt
import html
import io
import re
import zipfile
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._archives import BROKEN
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, too_long, too_much
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CELL = 40
"""Bytes that a cell of a sheet takes while it is read, empty ones between the table and a stray cell included."""


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
        sheet_notes += cells.hidden_notes(open_document.hidden_rows[sheet], open_document.hidden_columns[sheet])
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        sheet_notes += [*cells.merged_cell_notes(), *cells.lost_cell_notes(_old_errors(data, len(sheets)), *_ERRORS)]
        sheet_notes += cells.hidden_notes(*_old_hidden(data, len(sheets)))
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

    def hidden_notes(self, rows: set[int], columns: set[int]) -> list[str]:
        """Say which rows and columns of the table are hidden, by their numbers from 0: they are read like others."""
        notes = []
        inside = [i + 1 for i, _ in self.rows[1:] if i in rows]
        if inside:
            listed = ", ".join(map(str, inside[:4])) + (f" and {len(inside) - 4:,} more" if len(inside) > 4 else "")
            counted = f"{len(inside):,} rows of the table are" if len(inside) > 1 else "1 row of the table is"
            notes.append(
                f"{counted} hidden in the sheet (row{'s' * (len(inside) > 1)} {listed}) and counted: delete them if "
                "they are no records."
            )
        named = [repr(self.header[j]) for j in self.places if j + self.shift in columns]
        if named:
            notes.append(f"{', '.join(named)} {'are' if len(named) > 1 else 'is'} hidden in the sheet and read.")
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


def _numbers(letters: str, digits: str) -> tuple[int, int]:
    """Return row and column from 0 of a cell's name, as A and 1."""
    return int(digits) - 1, sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(letters))) - 1


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
    places = [_numbers(*corner) for corner in corners]
    _check_cells(max(r for r, _ in places) + 1, max(c for _, c in places) + 1, size, sheet, name, limits)


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
_MARKED = re.compile(rb"value-type=[\"']error|-spanned=[\"'](?!1[\"'])|visibility=[\"'](?:collapse|filter)")


_HIDDEN = ("collapse", "filter")
_WIDEST, _TALLEST = 16_384, 1_048_576
"""Columns and rows of a sheet, as many as there can be."""


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
        self.hidden_rows: dict[str, set[int]] = defaultdict(set)
        self.hidden_columns: dict[str, set[int]] = defaultdict(set)
        self._sheet: str | None = None
        self._row = self._column = self._described = 0
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
            self._row = self._described = 0
        elif self._sheet is None:
            return
        elif tag == "table:table-column":
            times = _times(attributes, "table:number-columns-repeated")
            if attributes.get("table:visibility") in _HIDDEN:
                self.hidden_columns[self._sheet] |= set(range(self._described, self._described + min(times, _WIDEST)))
            self._described += times
        elif tag == "table:table-row":
            self._column = 0
            self._repeated = _times(attributes, "table:number-rows-repeated")
            if attributes.get("table:visibility") in _HIDDEN:
                self.hidden_rows[self._sheet] |= set(range(self._row, self._row + min(self._repeated, _TALLEST)))
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


def _old_hidden(data: bytes, sheets: int) -> tuple[set[int], set[int]]:
    """Return rows and columns that are hidden in an old workbook; with several sheets it is not known whose they are.

    Records ROW and COLINFO of BIFF8. Source: [MS-XLS] 2.4.221 and 2.4.53.
    """
    if sheets > 1:
        return set(), set()
    rows, columns = set(), set()
    for found in re.finditer(rb"\x08\x02\x10\x00(..).{10}(.)", data, re.DOTALL):
        if found.group(2)[0] & 0x20:
            rows.add(int.from_bytes(found.group(1), "little"))
    for found in re.finditer(rb"\x7d\x00\x0c\x00(..)(..).{4}(.)", data, re.DOTALL):
        first, last = (int.from_bytes(found.group(i), "little") for i in (1, 2))
        if found.group(3)[0] & 1 and first <= last < 256:
            columns |= set(range(first, last + 1))
    return rows, columns


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
            columns |= set(range(first - 1, min(last, _WIDEST)))
    return {int(found.group(1)) - 1 for found in _HIDDEN_ROW.finditer(sheet)}, columns


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


def _locked(name: str) -> DisclosureError:
    return DisclosureError(f"{name} is locked with a password; save it without one.")
