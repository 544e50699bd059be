"""How a text is cut: its delimiter, and where its header begins, below comments and titles."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from disclosure_core.data.readers._encoding import SAMPLE
from disclosure_core.data.readers._types import NUMBER
from disclosure_core.errors import DisclosureError

DELIMITERS = (",", ";", "\t", "|", "~")

_ABOVE = 300
"""Lines above the names of the columns, other than plain comments, that are looked at."""


def one_sign(sign: str, what: str, name: str) -> str:
    """Return a delimiter or quote; say so where it is none: saved reviews and a line `sep=` may give any."""
    if len(sign) != 1 or not sign.isascii() or sign in "\r\n\0":
        raise DisclosureError(f"{name} cannot be read with {sign!r} as {what}; choose one sign of ASCII.")
    return sign


def cells_of(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    """Give the rows of a text as lists; line ends within quotes belong to the cell."""
    return csv.reader(lines, delimiter=delimiter, quotechar=quote)


def _sample(body: bytes, at: int) -> str:
    """Return the text that begins somewhere, as far as it is looked at before it is read."""
    return body[at : at + SAMPLE].decode("utf-8", "ignore")  # a letter may be cut at its end


def delimiter_of(body: bytes, at: int, quote: str) -> str:
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
            sizes = [len(row) for row in cells_of(io.StringIO(sample, newline=""), delimiter, quote) if row]
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
    elif best_count == 1 and _parted_by_blanks(sample, quote, is_complete):
        best = " "
    elif best_count == 1:  # ragged rows: what the header itself is cut by
        best = max(DELIMITERS, key=re.split(r"[\r\n]", sample, maxsplit=1)[0].count)
    return best


def _parted_by_blanks(sample: str, quote: str, is_complete: bool) -> bool:
    """Whether single blanks cut every row into as many cells, three or more, that names and numbers stand in."""
    try:
        rows = [row for row in cells_of(io.StringIO(sample, newline=""), " ", quote) if row]
    except csv.Error:
        return False
    names, *body = (rows if is_complete else rows[:-1]) or [[]]
    return (
        len(names) > 2
        and len(body) > 1
        and all(len(row) == len(names) and all(row) for row in (names, *body))
        and not any(re.match(NUMBER, name) for name in names)
        and any(all(re.match(NUMBER, row[i]) for row in body) for i in range(len(names)))
    )


def below_lines_above(body: bytes, at: int, delimiter: str, quote: str, name: str) -> tuple[int, list[str]]:
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
            names = len(second) > 2 and all(cell.strip() and not re.match(NUMBER, cell) for cell in second)
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
        rows = (row for row in cells_of(lines, delimiter, quote) if any(cell.strip() for cell in row))
        return next(rows, []), next(rows, [])
    except csv.Error:
        return [], []
