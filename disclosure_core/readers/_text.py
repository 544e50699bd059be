"""Text files: encoding, delimiter, quote and decimal mark found out, the type of a column from its distinct values."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from disclosure_core.errors import DisclosureError
from disclosure_core.readers._reading import Limits, Part, ReadOptions, too_wide
from disclosure_core.readers._tables import too_much

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 65_536
"""Bytes of a text file that are looked at to tell its encoding and delimiter."""

_NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_INTEGER = r"^[+-]?\d+$"
_PADDED = r"^[+-]?0\d"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_LOGICAL = r"^(?i:true|false)$"
_COST = 4
"""Bytes of memory that a byte of a text file takes while it is read, measured."""

_EXACT = 18
"""Digits that a whole number may have and still be kept exactly."""


def text(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a delimited text file."""
    if _COST * len(data) > limits.memory * 1_000_000:
        raise too_much(name, _COST * len(data))
    encoding = options.encoding or _encoding(data)
    if b"\x00" in data and not encoding.startswith("utf-16"):
        raise DisclosureError(f"{name} is not a text file, or not {encoding}; give it the ending of its format.")
    decoded = _decoded(data, encoding, name)
    if "\x00" in decoded:
        raise DisclosureError(f"{name} is not a text file, or not {encoding}; give it the ending of its format.")
    decoded = decoded.lstrip("\r\n")
    if not decoded.strip():
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    quote = options.quote or '"'
    delimiter = options.delimiter or _delimiter(decoded[:SAMPLE], quote)
    table = _rows(decoded, delimiter, quote, name, limits)
    notes = []
    columns: dict[str, Any] = {}
    decimals = set()
    for column in table.column_names:
        values, said, decimal = typed(table[column], options.decimal, delimiter)
        columns[column] = values
        decimals |= {decimal} - {None}
        notes += [f"{column!r} {sentence}" for sentence in said]
    found = "," if "," in decimals else "."
    used = ReadOptions(delimiter=delimiter, quote=quote, encoding=encoding, decimal=options.decimal or found)
    yield Part(pa.table(columns).to_pandas(), options=used, notes=tuple(notes))


def _encoding(data: bytes) -> str:
    """Return the encoding of a text file: by its mark, else UTF-8 where it is valid, else Windows-1252."""
    marks = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
    for mark, encoding in marks:
        if data.startswith(mark):
            return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise DisclosureError(f"{name} cannot be read as {encoding}; choose another encoding.") from None


def _delimiter(sample: str, quote: str) -> str:
    """Return the delimiter that cuts every line of the sample into the same number of cells, the most of them."""
    lines = sample.splitlines()
    if len(sample) >= SAMPLE:
        lines = lines[:-1] or lines
    best, most = ",", 1
    for delimiter in DELIMITERS:
        try:
            widths = {len(row) for row in csv.reader(lines, delimiter=delimiter, quotechar=quote) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and (width := widths.pop()) > most:
            best, most = delimiter, width
    if most == 1:  # ragged rows: what the header itself is cut by
        best = max(DELIMITERS, key=lines[0].count)
    return best


def _rows(decoded: str, delimiter: str, quote: str, name: str, limits: Limits) -> pa.Table:
    """Return every cell as text, empty ones missing."""
    try:
        names = next(csv.reader([decoded.partition("\n")[0].rstrip("\r")], delimiter=delimiter, quotechar=quote), [])
    except csv.Error:
        raise _unreadable(name) from None
    # Both here and not only for every format: reading too many columns takes long, and Arrow would give two columns of
    # one name the type of the first.
    if len(names) > limits.columns:
        raise too_wide(name, len(names), limits)
    twice = next((n for n, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them.")
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(decoded.encode()),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=quote, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )
    except (pa.ArrowException, UnicodeEncodeError) as error:
        found = re.search(r"Expected (\d+) columns, got (\d+)", str(error))
        if found:
            where = _ragged(decoded, delimiter, quote)
            raise DisclosureError(
                f"{where} of {name} has {found.group(2)} cells, the header {found.group(1)}; mend the row, or choose "
                "another delimiter."
            ) from None
        raise _unreadable(name) from None


def _ragged(decoded: str, delimiter: str, quote: str) -> str:
    """Return which row is the first with more or fewer cells than the header, counted from the header as row 1."""
    rows = csv.reader(io.StringIO(decoded), delimiter=delimiter, quotechar=quote)
    try:
        width = len(next(rows, []))
        return next((f"Row {i}" for i, row in enumerate(rows, 2) if row and len(row) != width), "A row")
    except csv.Error:
        return "A row"


def _unreadable(name: str) -> DisclosureError:
    return DisclosureError(f"{name} cannot be read as a table; check its delimiter and quotes.")


def typed(column: pa.ChunkedArray, decimal: str | None, delimiter: str) -> tuple[Any, list[str], str | None]:
    """Return a column of text as what all of its values are, what is to be said of it, and its decimal mark."""
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    levels = coded.dictionary
    if not len(levels):
        return column, [], None

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
            return as_type(pc.utf8_ltrim(levels, "+"), pa.int64()), [], None
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
        return as_type(pc.utf8_ltrim(marked, "+"), pa.float64()), [], mark
    if every(_LOGICAL):
        return as_type(pc.utf8_lower(levels), pa.bool_()), [], None
    if every(_DATE):
        try:
            return as_type(levels, pa.timestamp("s")), [], None
        except pa.ArrowInvalid:
            return column, ["looks like dates, but some are not in the calendar: kept as text."], None
    return column, [], None
