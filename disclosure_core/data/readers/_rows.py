"""The rows of a delimited text, every cell as text: what is wrong or odd of them, and what of them is ignored."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._arrow import series_of
from disclosure_core.data.readers._dialect import DELIMITERS, cells_of
from disclosure_core.data.readers._header import (
    OR_NO_NAMES,
    looks_like_record,
    plain_names,
    record_question,
    rows_to_look_at,
    unnamed_note,
)
from disclosure_core.data.readers._reading import Limits, too_much, too_wide
from disclosure_core.data.readers._types import typed
from disclosure_core.errors import DisclosureError

_SWALLOWED = 3
"""Whole lines in a cell, all of them cut as records are, from which on a quote is taken to be missing."""

_CELLS = 10_000
"""Cells with line ends that are looked into, and lines of each."""

_COST_CELL = 5
"""Bytes of memory that Arrow takes for a cell of text beside its letters, at least."""


def memory_for(data: bytes, encoding: str) -> int:
    """Return the bytes of memory that a text takes while it is read, at least: no more can be told before.

    It takes twice to four times this, by how many cells differ: the process that reads it has a bound (`_child`).
    """
    cells = data.count(b"\n") + max(data.count(delimiter.encode()) for delimiter in DELIMITERS)
    again = 0 if encoding.startswith("utf-8") else len(data)
    return again + len(data) + _COST_CELL * cells


class _Lines:
    """Gives the lines of a text to Python's reader of tables one by one, and knows at which byte it is."""

    def __init__(self, body: bytes, at: int = 0) -> None:
        held = io.BytesIO(body)  # which shares its bytes
        held.seek(at)
        self.at = at
        self._lines = io.TextIOWrapper(held, "utf-8", newline="")

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.at += len(line) if line.isascii() else len(line.encode())
        return line


class Rows(NamedTuple):
    """The rows of a text: the columns' names, every cell as text with empty ones missing, and what is said of them.

    `quoted` are the lines in quotes.
    """

    names: list[str]
    columns: list[pa.ChunkedArray]
    n: int
    quoted: int
    notes: list[str]
    warnings: tuple[str, ...]


def rows_of(
    body: bytes, begins: int, delimiter: str, quote: str, name: str, limits: Limits, header: bool | None = None
) -> Rows:
    """Return the rows of a text that begin at a byte; without a `header`, the columns' names are made up."""
    lines = _Lines(body, begins)
    reader = cells_of(lines, delimiter, quote)
    try:
        names = next(reader, [])
        below = lines.at
    except csv.Error:
        raise _unreadable(name) from None
    # Both here and not only for every format: reading too many columns takes long.
    if len(names) > limits.columns:
        raise too_wide(name, len(names), limits)
    warnings = list[str]()
    if header is False:
        names, below, first = plain_names(len(names)), begins, names
    else:
        looked_at = list[list[str]]()
        with suppress(csv.Error):  # at a cell longer than Python's reader takes, Arrow's does
            looked_at += islice((row for row in reader if row), rows_to_look_at(len(names)))
        first = looked_at[0] if looked_at else names if lines.at < len(body) else []
        is_record = header is None and looks_like_record(names, looked_at)
        _check_names(names, name, OR_NO_NAMES if is_record else "")
        warnings += [record_question(names)] if is_record else []
    if not first:
        raise DisclosureError(f"{name} has no records; choose a file with a header and at least one row.")
    wider = len(first) == len(names) + 1  # R's row names without a name, or a delimiter at the end of each row
    table = _table(body, begins, below, len(names) + wider, delimiter, quote, name)
    quoted, notes = _quoted_lines(body, table, names, delimiter, quote, name)
    quoted += sum(cell.count("\n") for cell in names)
    if header is False:
        notes.append(unnamed_note(len(names)))
    if wider and table[-1].null_count == len(table):
        table = table.remove_column(len(names))
        notes.append("Every row ends with a delimiter, the names do not: the empty column after it was ignored.")
    elif wider:
        blanks = any(column.startswith(" ") for column in names[1:])  # a quote behind one is a letter, and cuts rows
        if blanks or not tidying.is_row_numbers("", series_of(typed(table[0], None, delimiter)[0])):
            raise _ragged_error(body, begins, delimiter, quote, name)
        names = ["", *names]
    names, table, odd = _odd_rows(body, names, table, quote)
    notes += odd
    table, empty = _without_empty_rows(table)
    empty_columns = [i for i, column in enumerate(names) if not column.strip() and table[i].null_count == len(table)]
    if len(empty_columns) < len(names):
        table = table.select([i for i in range(len(names)) if i not in empty_columns])
        names = [column for i, column in enumerate(names) if i not in empty_columns]
        notes += tidying.empty_column_notes([i + 1 for i in empty_columns])
    nameless = next((i for i, column in enumerate(names) if i and not column.strip()), None)
    if nameless is not None:  # two of them would be one column of the frame
        raise DisclosureError(
            f"Column {nameless + 1} of {name} has no name; give it one{OR_NO_NAMES * bool(warnings)}."
        )
    return Rows(names, table.columns, len(table), quoted, notes + empty, tuple(warnings))


def _check_names(names: Sequence[str], name: str, hint: str) -> None:
    """Raise where two columns have one name; `hint` ends the sentence."""
    twice = next((n for n, times in Counter(filter(str.strip, names)).items() if times > 1), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them{hint}.")


def _quoted_lines(
    body: bytes, table: pa.Table, names: Sequence[str], delimiter: str, quote: str, name: str
) -> tuple[int, list[str]]:
    """Return how many lines stand inside quotes, and a warning of cells that may have swallowed records."""
    if quote.encode() not in body:
        return 0, []
    if len(table) and _is_open(body, table[-1][len(table) - 1].as_py() or "", delimiter, quote):
        raise _open_quote(len(table) + 1, name)
    quoted, notes = 0, list[str]()
    for i, column in enumerate(table.columns):
        ends = pc.count_substring(column, "\n")
        n = pc.sum(ends).as_py() or 0
        quoted += n
        if not n or len(table.columns) < 2:
            continue
        for row in np.flatnonzero(ends.fill_null(0).to_numpy())[:_CELLS].tolist():
            within = column[row].as_py().split("\n")[1:-1][:_CELLS]
            alike = sum(_has_cells(line, len(table.columns), delimiter, quote) for line in within)
            if alike == len(within) >= _SWALLOWED:
                raise DisclosureError(
                    f"Row {row + 2} of {name} has a cell of {len(within) + 2:,} lines, which are cut into "
                    f"{len(table.columns)} cells as records are: a quote is not closed; close it, or choose another "
                    "quote."
                )
            if alike and not notes:
                column_name = names[i] if i < len(names) else names[-1]
                notes = [
                    f"Row {row + 2} has a cell of {len(within) + 2:,} lines in {column_name!r}, some of which look "
                    "like records: see whether a quote is missing there."
                ]
    return quoted, notes


def _has_cells(line: str, width: int, delimiter: str, quote: str) -> bool:
    """Whether a line would be cut into so many cells."""
    try:
        return len(next(cells_of([line.rstrip("\r")], delimiter, quote), [])) == width
    except csv.Error:
        return False


def _is_open(body: bytes, last: str, delimiter: str, quote: str) -> bool:
    """Whether the quote before a text's last cell is not closed: nothing but the cell stands behind it."""
    cell = (quote + last.replace(quote, quote * 2)).encode()
    before = len(body) - len(cell) - 1
    return body.endswith(cell) and (before < 0 or body[before : before + 1] in (delimiter.encode(), b"\n", b"\r"))


def _open_quote(row: int, name: str) -> DisclosureError:
    return DisclosureError(
        f"Row {row} of {name} has a quote that is not closed before the file ends; close it, or choose another quote."
    )


def _table(body: bytes, begins: int, below: int, width: int, delimiter: str, quote: str, name: str) -> pa.Table:
    """Return the cells below the header, which stands between two bytes."""
    names = [str(i) for i in range(width)]  # not the file's own, of which two may be alike or none
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(pa.py_buffer(body).slice(below)),
            read_options=pyarrow.csv.ReadOptions(column_names=names),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=quote, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise too_much(name, memory_for(body, "utf-8")) from None
    except pa.ArrowException:
        raise _ragged_error(body, begins, delimiter, quote, name) from None


def _ragged_error(body: bytes, begins: int, delimiter: str, quote: str, name: str) -> DisclosureError:
    """Return the error for the first row with more or fewer cells than the header, counted from the header as row 1."""
    rows = cells_of(_Lines(body, begins), delimiter, quote)
    ragged, i = None, 1
    try:
        width = len(next(rows, []))
        for i, row in enumerate(rows, 2):  # it is told of the row that cannot be read
            if row and len(row) != width:
                if _is_open(body, row[-1], delimiter, quote):
                    return _open_quote(i, name)
                ragged = i, len(row)
                break
    except csv.Error:
        return DisclosureError(
            f"Row {i + 1} of {name} has a cell of more than {csv.field_size_limit():,} characters; see whether a quote "
            "is not closed in it, or choose another quote."
        )
    if ragged is None:
        return _unreadable(name)
    return DisclosureError(
        f"Row {ragged[0]} of {name} has {ragged[1]} cells, the header {width}; mend the row, or choose another "
        "delimiter."
    )


def _odd_rows(body: bytes, names: list[str], table: pa.Table, quote: str) -> tuple[list[str], pa.Table, list[str]]:
    """Return names and cells without blanks after delimiters and repeated headers, and what else looks odd of them."""
    notes = list[str]()
    escaped = body.count(b"\\" + quote.encode())
    if escaped:
        notes.append(
            f"A backslash stands before a quote {escaped:,} {'time' if escaped == 1 else 'times'}: it is read as a "
            "letter, and the quote as an end; write such a quote twice."
        )
    if len(names) == 1:
        if re.search(r"\S( {2,}|\t)\S", names[0]):
            notes.append(
                f"All is read as one column, {names[0][:60]!r}: if its parts stand at fixed places, save it with "
                "delimiters."
            )
        elif re.search(r"\S \S", names[0]):
            notes.append(
                f"All is read as one column, {names[0][:60]!r}: if blanks part columns, choose space as the delimiter."
            )
        return names, table, notes
    if all(column.startswith(" ") for column in names[1:]) and not any(
        pc.any(pc.match_substring_regex(column, f"^[^ ]|^ +{re.escape(quote)}")).as_py() for column in table.columns[1:]
    ):
        columns = [table[0], *(pc.replace_substring_regex(column, "^ +", "") for column in table.columns[1:])]
        columns[1:] = [pc.if_else(pc.equal(column, ""), None, column) for column in columns[1:]]
        table = pa.table(columns, names=table.column_names)
        names = [names[0], *(column.lstrip(" ") for column in names[1:])]
        notes.append("A blank stands after every delimiter: ignored.")
    elif any(column != column.strip() for column in names if column.strip()):
        spaced = next(column for column in names if column.strip() and column != column.strip())
        notes.append(f"The name {spaced!r} begins or ends with a blank, which is part of it.")
    if len(table) > 3 and len(names) > 2:
        filled = [[c[i].as_py() for c in table.columns if c[i].is_valid] for i in (-2, -1)]
        if len(filled[0]) > 2 and len(filled[1]) == 1:
            notes.append(f"The last row holds {filled[1][0][:60]!r} alone: delete it if it is no record.")
    repeated = pc.fill_null(pc.equal(table[0], names[0]), fill_value=False)
    if pc.any(repeated).as_py():
        for column, title in zip(table.columns[1:], names[1:], strict=True):
            same = pc.equal(column, title) if title else pc.is_null(column)
            repeated = pc.and_(repeated, pc.fill_null(same, fill_value=False))
        n = pc.sum(repeated).as_py() or 0
        if n:
            row = int(np.flatnonzero(repeated.to_numpy())[0]) + 2
            table = table.filter(pc.invert(repeated))
            again = "is" if n == 1 else f"and {n - 1:,} more are"
            notes.append(f"Row {row} {again} the names of the columns once more: ignored.")
    return names, table, notes


def _without_empty_rows(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the table without the rows at its end that hold no value, and what is to be said of them."""
    if not len(table) or not table.num_columns or any(not column.null_count for column in table.columns):
        return table, []
    empty = pc.is_null(table[0])
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    filled = np.flatnonzero(~empty.to_numpy())
    if not filled.size:
        return table, []  # nothing but empty rows is told as such
    last = int(filled[-1]) + 1
    return table.slice(0, last), tidying.empty_row_notes(len(table) - last, last - filled.size)


def _unreadable(name: str) -> DisclosureError:
    return DisclosureError(f"{name} cannot be read as a table; check its delimiter and quotes.")
