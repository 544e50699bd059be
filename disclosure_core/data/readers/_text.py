"""Text files: encoding, delimiter, quote and decimal mark found out, the type of a column from its distinct values.

A column of text becomes numbers only where no two of its texts become one number: 1.1 and 1.10 may be two codes.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._arrow import coded_of, frame_of
from disclosure_core.data.readers._reading import Limits, Lines, Part, ReadOptions, too_much, too_wide
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

DELIMITERS = (",", ";", "\t", "|", "~")
SAMPLE = 65_536
"""Bytes of a text file that are looked at to tell its encoding and delimiter."""

_NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_INTEGER = r"^[+-]?\d+$"
_PADDED = r"^[+-]?0\d"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_MOMENT = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?"
_ZONE = r"(Z|[+-]\d{2}:?\d{2})$"
_LOGICAL = r"^(?i:true|false)$"
_SEPARATOR = re.compile(rb'"?sep=([\x00-\x7f]|[\xc2-\xf4][\x80-\xbf]+)"?\r?\n', re.IGNORECASE)
"""A first line by which Excel tells the delimiter."""

_SINGLE_QUOTED = re.compile(rb"'[^'\r\n]*'(?:[,;\t|~]'[^'\r\n]*')+\r?\n")
"""A header of which every name stands in single quotes."""

_LEADING = re.compile(rb"[\r\n]*")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_PIECE = 1 << 20
"""Bytes that are decoded at a time."""

_ABOVE = 300
"""Lines above the names of the columns, other than plain comments, that are looked at."""

_SWALLOWED = 3
"""Whole lines in a cell, all of them cut as records are, from which on a quote is taken to be missing."""

_CELLS = 10_000
"""Cells with line ends that are looked into, and lines of each."""

_COST_CELL = 5
"""Bytes of memory that Arrow takes for a cell of text beside its letters, at least."""

_EXACT = 18
"""Digits that a whole number may have and still be kept exactly."""

_MOST = 0.9
"""Share of a column's distinct texts that must look alike for a sentence on them."""

_SIGN = r"[+\-−(]?\s?"
_MONEY = r"(€|\$|£|¥|zł|Kč|kr\.?|Fr\.?|(?i:eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf))"
_GAP = r"[,.'’ \x{a0}\x{202f}]"
_AMOUNT = r"\d[\d.,'’ \x{a0}\x{202f}]*\)?"
_DAY_FIRST = r"^(1[3-9]|2\d|3[01])[./-]\d{1,2}[./-]"
_MONTH_FIRST = r"^\d{1,2}[./-](1[3-9]|2\d|3[01])[./-]"
_EITHER_FIRST = r"^(0?[1-9]|1[0-2])[./-](0?[1-9]|1[0-2])[./-]"

_ENOUGH = 100_000
"""Distinct texts that are looked at for such a sentence."""


def text(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a delimited text file; its time grows with its size alone, whatever it holds."""
    encoding = options.encoding or _encoding(data)
    if b"\x00" in data and not encoding.startswith(("utf-16", "utf-32")):
        raise _no_text(name, encoding)
    needed = _needed(data, encoding)
    if needed > limits.memory * 1_000_000:
        raise too_much(name, needed)
    body = _utf8(data, encoding, name)
    if body is not data and b"\x00" in body:
        raise _no_text(name, encoding)
    notes = [] if options.encoding else _encoding_notes(data, encoding, name)
    if b"\n" not in body:
        body = body.replace(b"\r", b"\n")  # as old Macs ended lines
    begins = _LEADING.match(body).end()  # type: ignore[union-attr]  # it matches nothing at all, too
    if not body[begins : begins + SAMPLE].strip() and not body.strip():
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    separator_line = _SEPARATOR.match(body, begins)
    if separator_line:
        begins = separator_line.end()
    single = not options.quote and _SINGLE_QUOTED.match(body, begins)
    if single:
        notes.append("Names and cells stand in single quotes: read so.")
    quote = _sign(options.quote or ("'" if single else '"'), "a quote", name)
    given = options.delimiter or (separator_line and separator_line.group(1).decode())
    delimiter = _sign(given or _delimiter(body, begins, quote), "a delimiter", name)
    if delimiter == quote:
        raise DisclosureError(
            f"{name} cannot be read with {quote!r} as delimiter and as quote; choose another of them."
        )
    begins, above = _below_lines_above(body, begins, delimiter, quote, name)
    names, table, quoted, file_notes = _rows(body, begins, delimiter, quote, name, limits)
    notes += above + file_notes
    columns: dict[str, CodedColumn] = {}
    decimals = set()
    hints, last_row = list[str](), list[str]()
    rows, texts = len(table), list[pa.ChunkedArray]()  # of each column that stays text, the first
    for i, column in enumerate(names):
        plain, table = table[0], table.remove_column(0)  # its texts are not held beside its values
        coded_column, cells, sentences, decimal = _held(plain, options.decimal, delimiter)
        if i == 0 and len(names) > 1 and tidying.is_row_numbers(column, coded_column.series()):
            notes.append(tidying.row_numbers_note(column))
            continue
        columns[column] = coded_column
        decimals |= {decimal} - {None}
        hints += [f"{column!r} {sentence}" for sentence in sentences]
        if cells is not None:
            texts.append(cells)
            last_row = last_row or tidying.last_row_notes(pd.DataFrame({column: coded_column.series()}))
    if len(texts) == len(columns):
        hints += _second_header_notes(list(columns), texts, options.decimal, delimiter)
    decimal_mark = "," if "," in decimals else "."
    used = ReadOptions(delimiter=delimiter, quote=quote, encoding=encoding, decimal=options.decimal or decimal_mark)
    held = CodedTable(pd.Index(columns, dtype="str"), pd.RangeIndex(rows), list(columns.values()))
    lines = Lines(body.count(b"\n") + (not body.endswith(b"\n")), quoted)
    yield Part(held, options=used, notes=(*notes, *hints, *last_row), lines=lines)


def _held(
    plain: pa.ChunkedArray, decimal: str | None, delimiter: str
) -> tuple[CodedColumn, pa.ChunkedArray | None, list[str], str | None]:
    """Return a column as it is held, its first texts where it stays text, what is to be said, and its decimal mark."""
    cells = plain.dictionary_encode()
    values, sentences, mark = typed(cells, decimal, delimiter)
    if values is not cells:
        del cells, plain
        return coded_of(values, text=True), None, sentences, mark
    first = plain.slice(0, _ENOUGH)
    if plain.num_chunks and 2 * len(cells.chunk(0).dictionary) >= len(plain):
        return CodedColumn(as_series(plain)), first, sentences, mark  # nearly all distinct: codes would only cost
    return coded_of(cells, text=True), first, sentences, mark


def _needed(data: bytes, encoding: str) -> int:
    """Return the bytes of memory that a text takes while it is read, at least: no more can be told before.

    It takes twice to four times this, by how many cells differ: the process that reads it has a bound (`_child`).
    """
    cells = data.count(b"\n") + max(data.count(delimiter.encode()) for delimiter in DELIMITERS)
    again = 0 if encoding.startswith("utf-8") else len(data)
    return again + len(data) + _COST_CELL * cells


def _sign(sign: str, what: str, name: str) -> str:
    """Return a delimiter or quote; say so where it is none: saved reviews and a line `sep=` may give any."""
    if len(sign) != 1 or not sign.isascii() or sign in "\r\n\0":
        raise DisclosureError(f"{name} cannot be read with {sign!r} as {what}; choose one sign of ASCII.")
    return sign


def _no_text(name: str, encoding: str) -> DisclosureError:
    return DisclosureError(f"{name} is not a text file, or not {encoding}; give it the ending of its format.")


def _encoding(data: bytes) -> str:
    """Return the encoding of a text file: by its mark, else UTF-8 where it is valid, else Windows-1252."""
    marks = (
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    )
    for mark, encoding in marks:
        if data.startswith(mark):
            return encoding
    head = data[:SAMPLE]
    if b"\x00" in head and len(data) % 2 == 0:  # UTF-16 without its mark: every other byte of plain letters is zero
        for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[start::2].count(0) > 0.7 * len(head[start::2]) and not head[1 - start :: 2].count(0):
                return encoding
    return "utf-8" if _first_not_utf8(data) is None else "cp1252"


def _pieces(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Give bytes piece by piece, each with whether it is the last."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE], at + _PIECE >= len(data)


def _first_not_utf8(data: bytes) -> int | None:
    """Return where bytes stop to be UTF-8; in pieces, since a whole copy of the text is not needed."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    for piece, last in _pieces(data):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, last)
        except UnicodeDecodeError as error:
            return done - held + error.start
        done += len(piece)
    return None


def _utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return a text as UTF-8 without the marks it may begin with: its own bytes where it is UTF-8 already."""
    try:
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
            body = data
            wrong = _first_not_utf8(data) is not None or (encoding.startswith("a") and not data.isascii())
        else:
            wrong = False
            with suppress(UnicodeError):
                b"a".decode(encoding)  # what decodes to no text is no encoding
            decoder, written = codecs.getincrementaldecoder(encoding)(), io.BytesIO()
            for piece, last in _pieces(data):
                written.write(decoder.decode(piece, last).encode())
            body = written.getvalue()
    except (ValueError, LookupError):  # not its bytes, or no such encoding; a name with a NUL is a ValueError, too
        wrong, body = True, b""
    if wrong:
        raise DisclosureError(f"{name} cannot be read as {encoding!r}; choose another encoding.")
    marks = 0
    while body.startswith(codecs.BOM_UTF8, marks):  # a program may have put a second before its predecessor's
        marks += len(codecs.BOM_UTF8)
    return body[marks:] if marks else body


def _encoding_notes(data: bytes, encoding: str, name: str) -> list[str]:
    """Return what is to be said where the encoding was guessed.

    Raises
    ------
    DisclosureError
        When most lines with letters beyond ASCII are UTF-8 and some are not: whatever is chosen, some would be wrong.
    """
    if encoding != "cp1252":
        return []
    beyond = wrong = at = 0
    while beyond < _ENOUGH and (found := _BEYOND_ASCII.search(data, at)):
        ends = data.find(b"\n", found.start())
        ends = len(data) if ends < 0 else ends
        beyond += 1
        # What stands before it in its line is ASCII.
        wrong += _first_not_utf8(data[found.start() : ends]) is not None
        at = ends + 1
    if wrong <= beyond / 2:
        line = data.count(b"\n", 0, _first_not_utf8(data)) + 1
        raise DisclosureError(
            f"Line {line} of {name} is not UTF-8, as the other lines are; save the file in one encoding, or choose one."
        )
    sample = data[:1_000_000].decode("cp1252", "replace")
    odd = re.search("[a-zA-Z][³¹¿]|[³¹¿][a-zA-Z]", sample)
    hint = ", unless letters look wrong"
    if odd:
        before = re.split(r"\W", sample[max(0, odd.start() - 30) : odd.start()])[-1]
        after = re.split(r"\W", sample[odd.end() : odd.end() + 30], maxsplit=1)[0]
        hint = f": {before + odd.group() + after!r} looks like cp1250, Central European"
    return [f"The file is not UTF-8 and is read as {encoding}, Western European{hint}; the encoding can be chosen."]


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


def _cells(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    """Give the rows of a text as lists; line ends within quotes belong to the cell."""
    return csv.reader(lines, delimiter=delimiter, quotechar=quote)


def _sample(body: bytes, at: int) -> str:
    """Return the text that begins somewhere, as far as it is looked at before it is read."""
    return body[at : at + SAMPLE].decode("utf-8", "ignore")  # a letter may be cut at its end


def _delimiter(body: bytes, at: int, quote: str) -> str:
    """Return the delimiter that cuts every row of the sample into the same number of cells, the most of them.

    The header may have one cell less, as R's `write.table` writes it, or no delimiter at the end where rows have one.
    """
    while body.startswith(b"#", at) and (end := body.find(b"\n", at)) >= 0:
        at = end + 1  # a comment, or a header that the rows below speak for
    sample = _sample(body, at)
    is_complete = at + SAMPLE >= len(body)
    best, best_count, candidate, below = ",", 1, ",", (False, 1)
    # Names in quotes with blanks between them, as R's write.table writes them.
    blanks = (" ",) if re.match(r'"[^"\r\n]*"(?: "[^"\r\n]*")+\r?\n', sample) else ()
    for delimiter in (*DELIMITERS, *blanks):
        try:
            sizes = [len(row) for row in _cells(io.StringIO(sample, newline=""), delimiter, quote) if row]
        except csv.Error:
            continue
        if not is_complete:
            sizes = sizes[:-1] or sizes
        widths = set(sizes[1:]) or set(sizes)
        if len(widths) != 1:  # none where there is nothing below a comment
            continue
        (width,) = widths
        if width > best_count and sizes[0] == width:
            best, best_count = delimiter, width
        # A header of one cell less, or a title of one cell above the table, only where nothing else fits.
        elif best_count == 1 and sizes[0] in (1, width - 1) and (sizes[0] > 1, width) > below:
            candidate, below = delimiter, (sizes[0] > 1, width)
    if best_count == 1 < below[1]:
        best = candidate
    elif best_count == 1:  # ragged rows: what the header itself is cut by
        best = max(DELIMITERS, key=re.split(r"[\r\n]", sample, maxsplit=1)[0].count)
    return best


def _below_lines_above(body: bytes, at: int, delimiter: str, quote: str, name: str) -> tuple[int, list[str]]:
    """Return where the header begins, and what is to be said of comments and titles above it.

    A comment begins with # and is cut otherwise than the row below; a title is the only cell of its row, above a row
    in which every cell is a name.
    """
    blank = re.compile(rb"[ \t\r%b]*\n" % re.escape(delimiter.encode()))
    above, n, tried = "", 0, 0
    while True:
        plain = _plain_comments(body, at, delimiter, quote)
        tried += not plain
        if tried > _ABOVE:
            raise DisclosureError(f"{name} has more than {_ABOVE} lines above the names of its columns; delete them.")
        if not plain:
            first, second = _first_rows(_sample(body, at), delimiter, quote)
            if not second:
                break
            alike = len(first) == len(second)
            comment = first[0].startswith("#") and not (alike and (len(first) > 1 or not second[0].startswith("#")))
            filled = [cell for cell in first if cell.strip()]
            names = len(second) > 2 and all(cell.strip() and not re.match(_NUMBER, cell) for cell in second)
            if not (comment or (len(filled) == 1 and names and (alike or len(first) == 1))):
                break
        ends = body.find(b"\n", at) + 1 or len(body)
        above = above or body[at : min(ends, at + 1_000)].decode("utf-8", "ignore").strip("\r\n" + delimiter + quote)
        n += max(1, plain)
        at = ends
        for _ in range(1, plain):
            at = body.find(b"\n", at) + 1
        while empty := blank.match(body, at):
            at = empty.end()
    if not n:
        return at, []
    dropped = f"{above[:60]!r}" + (f" and {n - 1:,} more" if n > 1 else "")
    return at, [f"Above the names of the columns stands {dropped}: ignored."]


def _plain_comments(body: bytes, at: int, delimiter: str, quote: str) -> int:
    """Return how many lines of one cell that begin with # stand here, each above another such line."""
    n = 0
    while body.startswith(b"#", at):
        ends = body.find(b"\n", at) + 1
        if not ends or delimiter.encode() in (line := body[at:ends]) or quote.encode() in line or b"\r" in line[:-2]:
            break
        n, at = n + 1, ends
    return max(0, n - 1)


def _first_rows(sample: str, delimiter: str, quote: str) -> tuple[list[str], list[str]]:
    """Return the first two rows that are not blank lines."""
    try:
        lines = io.StringIO(sample, newline="")
        rows = (row for row in _cells(lines, delimiter, quote) if any(cell.strip() for cell in row))
        return next(rows, []), next(rows, [])
    except csv.Error:
        return [], []


def _rows(
    body: bytes, begins: int, delimiter: str, quote: str, name: str, limits: Limits
) -> tuple[list[str], pa.Table, int, list[str]]:
    """Return the columns' names, every cell as text with empty ones missing, lines in quotes, and what was ignored."""
    lines = _Lines(body, begins)
    reader = _cells(lines, delimiter, quote)
    try:
        names = next(reader, [])
        below = lines.at
    except csv.Error:
        raise _unreadable(name) from None
    try:
        first = next((row for row in reader if row), [])
    except csv.Error:  # a cell longer than Python's reader takes, Arrow's does
        first = names
    # Both here and not only for every format: reading too many columns takes long.
    if len(names) > limits.columns:
        raise too_wide(name, len(names), limits)
    twice = next((n for n, times in Counter(filter(str.strip, names)).items() if times > 1), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them.")
    if not first:
        raise DisclosureError(f"{name} has no records; choose a file with a header and at least one row.")
    wider = len(first) == len(names) + 1  # R's row names without a name, or a delimiter at the end of each row
    table = _table(body, begins, below, len(names) + wider, delimiter, quote, name)
    quoted, notes = _quoted_lines(body, table, names, delimiter, quote, name)
    quoted += sum(cell.count("\n") for cell in names)
    if wider and table[-1].null_count == len(table):
        table = table.remove_column(len(names))
        notes.append("Every row ends with a delimiter, the names do not: the empty column after it was ignored.")
    elif wider:
        blanks = any(column.startswith(" ") for column in names[1:])  # a quote behind one is a letter, and cuts rows
        if blanks or not tidying.is_row_numbers("", as_series(typed(table[0], None, delimiter)[0])):
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
        raise DisclosureError(f"Column {nameless + 1} of {name} has no name; give it one.")
    return names, table, quoted, notes + empty


def _quoted_lines(
    body: bytes, table: pa.Table, names: Sequence[str], delimiter: str, quote: str, name: str
) -> tuple[int, list[str]]:
    """Return how many lines stand inside quotes, and a warning of cells that may have swallowed records.

    Raises
    ------
    DisclosureError
        When a quote is open at the end of the file; when all lines of a cell have as many cells as a record.
    """
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
        return len(next(_cells([line.rstrip("\r")], delimiter, quote), [])) == width
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
        raise too_much(name, _needed(body, "utf-8")) from None
    except pa.ArrowException as error:
        if re.search(r"Expected (\d+) columns, got (\d+)", str(error)):
            raise _ragged_error(body, begins, delimiter, quote, name) from None
        raise _ragged_error(body, begins, delimiter, quote, name) from None


def _ragged_error(body: bytes, begins: int, delimiter: str, quote: str, name: str) -> DisclosureError:
    """Return the error for the first row with more or fewer cells than the header, counted from the header as row 1."""
    rows = _cells(_Lines(body, begins), delimiter, quote)
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


def _second_header_notes(
    names: Sequence[str], texts: Sequence[pa.ChunkedArray], decimal: str | None, delimiter: str
) -> list[str]:
    """Return a warning where nothing is a number because a second row of names stands above the records."""
    if not texts or len(texts[0]) < 4:
        return []
    for n in (1, 2):
        numeric = []
        for column, cells in zip(names, texts, strict=True):
            above = [cells[j].as_py() for j in range(n)]
            if any(v is None or tidying.NO_ANSWER.fullmatch(v) or re.match(_NUMBER, v) for v in above):
                continue
            kind = typed(cells.slice(n), decimal, delimiter)[0].type
            if pa.types.is_integer(kind) or pa.types.is_floating(kind):
                numeric.append(column)
        if numeric:
            return tidying.second_header_notes([cells[0].as_py() for cells in texts], numeric, n)
    return []


def as_series(values: Any) -> pd.Series[Any]:
    """Return Arrow values as pandas holds them; whole numbers beside empty cells stay whole."""
    return frame_of(pa.table({"values": values}))["values"]


def typed(column: pa.ChunkedArray, decimal: str | None, delimiter: str) -> tuple[Any, list[str], str | None]:
    """Return a column of text as what all of its values are, what is to be said of it, and its decimal mark.

    It may come as a dictionary, and does so back where it stays text.
    """
    coded = (column if pa.types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.chunk(0) if coded.num_chunks else pa.array([], coded.type)
    levels = coded.dictionary
    if not len(levels):
        return column, ["has no value in any row."] if len(column) else [], None

    def every(pattern: str, values: pa.Array = levels) -> bool:
        return bool(pc.all(pc.match_substring_regex(values, pattern)).as_py())

    def some(pattern: str, values: pa.Array = levels) -> bool:
        return bool(pc.any(pc.match_substring_regex(values, pattern)).as_py())

    def as_type(values: pa.Array, kind: pa.DataType) -> pa.Array:
        return pc.cast(values, kind).take(coded.indices)

    if every(_INTEGER):
        if some(_PADDED):
            return column, ["has numbers that begin with 0, such as a postcode: kept as text."], None
        if pc.max(pc.utf8_length(levels)).as_py() <= _EXACT:
            numbers = pc.cast(pc.utf8_ltrim(levels, "+"), pa.int64())
            if number_note := _one_number(levels, numbers):
                return column, [number_note], None
            return numbers.take(coded.indices), [], None
        return column, [f"has whole numbers of more than {_EXACT} digits: kept as text."], None
    marked = levels
    mark = decimal or ("," if delimiter != "," and some(",") else ".")
    if mark == ",":
        marked = pc.replace_substring(levels, ",", ".")
        if some(r"\.", levels):
            marked = levels  # 1.234,5 is not read as a number without being told
    if every(_NUMBER, marked):
        if some(_PADDED, marked):
            return column, ["has numbers that begin with 0, such as a postcode: kept as text."], None
        numbers = pc.cast(pc.utf8_ltrim(marked, "+"), pa.float64())
        if number_note := _one_number(levels, numbers) or ("" if decimal else _thousands(levels)):
            return column, [number_note], None
        return numbers.take(coded.indices), [], mark
    if every(_LOGICAL):
        return as_type(pc.utf8_lower(levels), pa.bool_()), [], None
    if every(_DATE):
        try:
            return as_type(levels, pa.timestamp("s")), [], None
        except pa.ArrowInvalid:
            return column, ["looks like dates, but some are not in the calendar: kept as text."], None
    if every(_MOMENT + "$") or every(_MOMENT + _ZONE):
        kind = pa.timestamp("ns" if some(r"\.\d{7}") else "us", None if every(_MOMENT + "$") else "UTC")
        try:
            return as_type(levels, kind), [], None
        except pa.ArrowInvalid:
            return column, ["looks like moments, but some are not in the calendar: kept as text."], None
    return column, _looks(levels), None


def _one_number(levels: pa.Array, numbers: pa.Array) -> str:
    """Return what is to be said where two texts are one number; -0 and 0 are one, as rounding writes them."""
    rising = np.sort(numbers.to_numpy(zero_copy_only=False))  # Arrow's count of distinct values takes 185 bytes each
    if (rising[1:] != rising[:-1]).all():
        return ""
    texts = pd.Series(levels.to_pandas())
    values = pd.Series(numbers.to_numpy(zero_copy_only=False)) + 0.0 * (not pa.types.is_integer(numbers.type))
    texts = texts.where(values != 0, texts.str.removeprefix("-"))
    pairs = pd.DataFrame({"text": texts, "value": values}).drop_duplicates()
    alike = pairs[pairs["value"].duplicated(keep=False)].sort_values("value", kind="stable")["text"]
    if alike.empty:
        return ""
    return (
        f"has {alike.iloc[0]!r} and {alike.iloc[1]!r}, one number written in two ways: kept as text, since they may be "
        "codes; read it as numbers if they are amounts."
    )


def _thousands(levels: pa.Array) -> str:
    """Return what is to be said where each point or comma looks as if it parted thousands: 950, 1.137, 12.500."""
    parted = pc.match_substring_regex(levels, r"^[+-]?[1-9]\d{0,2}[.,]\d{3}$")
    plain = pc.match_substring_regex(levels, r"^[+-]?\d{1,3}$")
    n = pc.sum(parted).as_py()
    if n == len(levels) > 1:
        return (
            f"has three digits after the mark in every value, such as {levels[0].as_py()!r}, which may be thousands or "
            "fractions: kept as text; choose the decimal mark if they are fractions."
        )
    if n < 5 or not pc.all(pc.or_(parted, plain)).as_py():
        return ""
    example = levels.filter(parted)[0].as_py()
    return (
        f"has numbers whose thousands are parted, such as {example!r}: kept as text; choose the decimal mark if they "
        "are fractions."
    )


def _such(what: str) -> Callable[[pa.Array], str]:
    """Return what says this of texts, and gives the first of them."""
    return lambda texts: f"{what}, such as {texts[0].as_py()!r}: kept as text."


def _dates(texts: pa.Array) -> str:
    """Return what is to be said of dates not written as 2020-01-31: a 13 or more tells where the day stands."""
    day, month, either = (
        texts.filter(pc.match_substring_regex(texts, looks)) for looks in (_DAY_FIRST, _MONTH_FIRST, _EITHER_FIRST)
    )
    if bool(len(day)) == bool(len(month)):
        example = (either if len(either) else texts)[0].as_py()
        return f"has dates whose day and month cannot be told apart for certain, such as {example!r}: kept as text."
    first, example = ("day", day[0].as_py()) if len(day) else ("month", month[0].as_py())
    return f"has dates with the {first} first, such as {example!r}, not written as 2020-01-31: kept as text."


_LOOKS = (
    (rf"^{_SIGN}({_MONEY}\s?{_SIGN}{_AMOUNT}|{_AMOUNT}\s?{_MONEY})\)?$", _MONEY, _such("has amounts of money")),
    (rf"^{_SIGN}\d+([.,]\d+)?\s?%$", "%", _such("has percentages")),
    (rf"^[+-]?\d+(e[+-]?\d+|[.,]\d+)?$|^[+-]?\d{{1,3}}({_GAP}\d{{3}})+([.,]\d+)?$", rf"\d{_GAP}\d{{3}}",
     _such("has numbers whose thousands are parted")),
    (r"^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*$", r"^\s|\s$", _such("has numbers with spaces around them")),
    (r"^(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2})( \d.*)?$", r"^\d{1,2}[./-]",
     _dates),
)  # fmt: skip
"""What nearly every text of a column looks like, what at least one must hold, and what says it of those that do."""


def _looks(levels: pa.Array) -> list[str]:
    """Return what is to be said of texts that are numbers or dates to a person."""
    sample = levels.slice(0, _ENOUGH)
    for every_value, must, said in _LOOKS:
        alike = pc.match_substring_regex(sample, every_value)
        if pc.sum(alike).as_py() < _MOST * len(sample):
            continue
        matching = sample.filter(pc.and_(alike, pc.match_substring_regex(sample, must)))
        if len(matching):
            return [said(matching)]
    return []
