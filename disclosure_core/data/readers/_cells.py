"""The cells of a sheet, whatever its format: which of them are the table, and what is to be said of the others."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._header import (
    OR_NO_NAMES,
    looks_like_record,
    plain_names,
    record_question,
    rows_to_look_at,
    unnamed_note,
)
from disclosure_core.data.readers._reading import of_columns
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers._reading import Limits

WIDEST, TALLEST = 16_384, 1_048_576
"""Columns and rows of a sheet, as many as there can be."""

_CELL = 40
"""Bytes that a cell of a sheet takes while it is read, empty ones between the table and a stray cell included."""


class Cells:
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
        self.above, self.below = 0, TALLEST
        self.warnings: tuple[str, ...] = ()

    def table(self, header: bool | None = None) -> tuple[pd.DataFrame, list[str]]:
        """Return the table, and what is to be said of what was ignored; without a `header`, names are made up."""
        if not self.rows:
            raise DisclosureError(
                f"Sheet {self.title!r} of {self.name} is empty; choose a sheet with a header and at least one row."
            )
        notes = ([] if header is False else self._without_lines_above()) + self._without_lines_below()
        body = self._headed() if header is not False else self._unheaded()
        if header is None and looks_like_record(self.header, _as_texts(body, len(self.header))):
            self.warnings = (record_question(self.header),)
        notes += self._columns(body)
        if header is False:
            notes.append(unnamed_note(len(self.places)))
        elif (
            self.above or self.shift or (self.places and self.places[0] and not any("first column" in s for s in notes))
        ):
            notes.append(f"The table begins at cell {_place(self.above, self.shift + self.places[0])}.")
        if self.spaces:
            notes.append(f"Outside the table, cells hold nothing but spaces ({_few(self.spaces)}): ignored.")
        between = body[-1][0] - self.above - len(body) if body else 0
        notes += tidying.empty_row_notes(0, between)
        columns, said = {}, []
        for j in self.places:
            values: list[Any] = [None] * (len(body) + between)
            for i, row in body:
                values[i - self.above - 1] = None if row[j] == "" else row[j]
            columns[j], more = _column(values)
            said += [(self.header[j], sentence) for sentence in more]
        notes += of_columns(said)
        frame = pd.DataFrame(columns).set_axis([self.header[j] for j in self.places], axis=1)
        first = frame.columns[0] if len(frame.columns) else ""
        if len(self.places) > 1 and tidying.is_row_numbers(first, frame.iloc[:, 0]):
            frame, self.places = frame.iloc[:, 1:], self.places[1:]
            notes.append(tidying.row_numbers_note(first))
        if header is not False and len(body) > 3 and all(_blank(v) or isinstance(v, str) for v in body[0][1]):
            below = {j: _kinds(row[j] for _, row in body[1:] if not _blank(row[j])) for j in self.places}
            numeric = [self.header[j] for j in self.places if below[j] == {"numbers"} and not _blank(body[0][1][j])]
            notes += tidying.second_header_notes([body[0][1][j] for j in self.places], numeric) if numeric else []
        return frame, notes + tidying.last_row_notes(frame)

    def _headed(self) -> list[tuple[int, list[Any]]]:
        """Take the names from the first row; return those below."""
        self.above, names = self.rows[0]
        self.header = ["" if _blank(value) else _named(value) for value in names]
        return self.rows[1:]

    def _unheaded(self) -> list[tuple[int, list[Any]]]:
        """Make up names of the columns that hold anything; return all rows."""
        self.above = self.rows[0][0] - 1
        width = max(len(row) for _, row in self.rows)
        filled = [j for j in range(width) if any(j < len(row) and not _blank(row[j]) for _, row in self.rows)]
        named = dict(zip(filled, plain_names(len(filled)), strict=True))
        self.header = [named.get(j, "") for j in range(width)]
        return self.rows

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
                self.rows, self.below = self.rows[:begins], i
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
        notes, hint = list[str](), OR_NO_NAMES * bool(self.warnings)
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
            raise DisclosureError(f"Column {nameless + 1} of {self.name} has no name{reason}; give it one{hint}.")
        twice = next((t for t, times in Counter(filter(None, self.header)).items() if times > 1), None)
        if twice is not None:
            raise DisclosureError(f"{self.name} has two columns called {twice!r}; rename one of them{hint}.")
        return notes

    def _header_merges(self) -> list[tuple[int, int]]:
        """Return first and last column of the merged cells in the row of names."""
        return [(b[1], e[1]) for b, e in self.merged if b[0] <= self.above <= e[0]]

    def lost_cell_notes(self, lost: Sequence[tuple[int, int, str]], singular: str, plural: str) -> list[str]:
        """Say which cells below the names are empty only to the reader, given by row, column and what they show."""
        notes = []
        for j in self.places:
            places = [
                f"{_place(i, c)} {content}".strip()
                for i, c, content in lost
                if c == j + self.shift and self.above < i < self.below
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
            lost = [
                (b, e) for b, e in self.merged if b[1] <= column <= e[1] and e[0] > self.above and b[0] < self.below
            ]
            n = sum(
                min(e[0], self.below - 1) - max(b[0], self.above) + (column > b[1]) - (b[0] <= self.above)
                for b, e in lost
            )
            if n > 0:
                ranges = [f"{_place(*b)}:{_place(*e)}" for b, e in lost]
                notes.append(
                    f"{self.header[j]!r} has merged cells ({_few(ranges)}): only the first of them holds the value, "
                    f"{n:,} record{'' if n == 1 else 's'} read as missing."
                )
        return notes


def _as_texts(body: Sequence[tuple[int, list[Any]]], width: int) -> list[list[str]]:
    """Return the first rows as texts, whole numbers without a point."""
    return [["" if _blank(v) else _named(v) for v in row] for _, row in body[: rows_to_look_at(width)]]


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


def check_cells(rows: int, columns: int, size: int, sheet: str, name: str, limits: Limits) -> None:
    """Refuse a sheet that reaches so far; `size` are the bytes of its XML."""
    cells = rows * columns
    # A cell that holds something takes more than 20 bytes of XML; below one a cell, the sheet is nearly empty.
    if _CELL * cells > limits.memory * 1_000_000 or (_CELL * cells > 1_000_000_000 and size < cells):
        raise DisclosureError(
            f"Sheet {sheet!r} of {name} reaches to cell {_place(rows - 1, columns - 1)}, {cells:,} cells in all, more "
            "than can be read; delete what stands far from the table, even a space, and save it again."
        )
