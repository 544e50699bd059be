"""Files to frames: what was read, and how it was read.

Only an empty cell is missing. `NA`, `None`, `nan` or `.` are text like any other; whether they mean "no answer" is for
the user to say.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Mapping

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 65_536
"""Bytes of a text file that are looked at to tell its encoding and delimiter."""

_NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_INTEGER = r"^[+-]?\d+$"
_PADDED = r"^[+-]?0\d"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_LOGICAL = r"^(?i:true|false)$"
_EXACT = 18
"""Digits that a whole number may have and still be kept exactly."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user can correct about a text file; None lets the reader find out."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most; an operator may set other limits.

    Attributes
    ----------
    bytes
        Size of a file, and of what a compressed file unpacks to.
    columns
        Columns of a table.
    """

    bytes: int = 2_000_000_000
    columns: int = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One table, and how it was read.

    Attributes
    ----------
    frame
        The table; only empty cells are missing.
    name
        The file's name, as shown to people.
    sha256
        Fingerprint of the file's bytes, hexadecimal.
    format
        "CSV", "Parquet" …
    options
        What was found out, or given, about a text file.
    missing_codes
        Values that the file itself declares to stand for "no answer", by column.
    notes
        One sentence each on how the file was read.
    """

    frame: pd.DataFrame
    name: str
    sha256: str
    format: str
    options: ReadOptions = ReadOptions()
    missing_codes: Mapping[str, tuple[float | str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read(
    source: bytes | Path, name: str, options: ReadOptions | None = None, limits: Limits | None = None
) -> tuple[Reading, ...]:
    """Return the tables of a file.

    Parameters
    ----------
    source
        The file's bytes, or where it lies.
    name
        Its name; the ending says the format.
    options
        What the user corrected about a text file.
    limits
        What is read at most.

    Raises
    ------
    DisclosureError
        When the format is not known, or the file is damaged, empty or too large.
    """
    limits = limits or Limits()
    if isinstance(source, Path) and source.stat().st_size > limits.bytes:
        raise _too_large(name, limits)
    data = source.read_bytes() if isinstance(source, Path) else source
    if len(data) > limits.bytes:
        raise _too_large(name, limits)
    if not data:
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    ending = Path(name).suffix.lower()
    plain = data
    if ending == ".gz":
        plain, ending = _unpacked(data, name, limits), Path(Path(name).stem).suffix.lower()
    if ending not in _FORMATS:
        raise DisclosureError(f"{name} is of a format that is not read here; bring one of {', '.join(EXTENSIONS)}.")
    kind, reader = _FORMATS[ending]
    frame, used, notes = reader(plain, name, options or ReadOptions())
    if frame.shape[1] > limits.columns:
        raise DisclosureError(
            f"{name} has {frame.shape[1]:,} columns, more than the {limits.columns:,} allowed; leave some out."
        )
    return (Reading(frame, name, hashlib.sha256(data).hexdigest(), kind, used, {}, notes),)


def _too_large(name: str, limits: Limits) -> DisclosureError:
    return DisclosureError(
        f"{name} is larger than the {limits.bytes // 1_000_000:,} MB allowed; save it as Parquet, or ask the operator."
    )


def _unpacked(data: bytes, name: str, limits: Limits) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            plain = packed.read(limits.bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise DisclosureError(f"{name} is not a sound gzip file; save it again.") from None
    if len(plain) > limits.bytes:
        raise _too_large(name, limits)
    return plain


_Read = tuple[pd.DataFrame, ReadOptions, tuple[str, ...]]


def _parquet(data: bytes, name: str, options: ReadOptions) -> _Read:
    return _framed(name, lambda: pyarrow.parquet.read_table(pa.BufferReader(data))), options, ()


def _arrow(data: bytes, name: str, options: ReadOptions) -> _Read:
    return _framed(name, lambda: pyarrow.feather.read_table(pa.BufferReader(data))), options, ()


def _framed(name: str, read_table: Any) -> pd.DataFrame:
    """Return an Arrow table as a frame, or say what of it cannot be used."""
    try:
        table: pa.Table = read_table()
        nested = next((f.name for f in table.schema if pa.types.is_nested(f.type)), None)
        if nested is None:
            return table.to_pandas()
    except (pa.ArrowException, OSError, ValueError, TypeError):
        raise DisclosureError(f"{name} is damaged or is not what its ending says; save it again.") from None
    raise DisclosureError(f"Column {nested!r} of {name} holds lists or records in its cells; leave it out.")


def _text(data: bytes, name: str, options: ReadOptions) -> _Read:
    encoding = options.encoding or _encoding(data)
    text = _decoded(data, encoding, name)
    header, _, _ = text.lstrip("\r\n").partition("\n")
    if "\x00" in text[:SAMPLE]:
        raise DisclosureError(f"{name} is not a text file; give it the ending of its format.")
    delimiter = options.delimiter or _delimiter(text[:SAMPLE], name)
    table = _rows(text.encode(), delimiter, name, header)
    notes = []
    columns: dict[str, Any] = {}
    decimals = set()
    for column in table.column_names:
        values, said, decimal = _typed(table[column], options.decimal, delimiter)
        columns[column] = values
        decimals |= {decimal} - {None}
        notes += [f"{column!r} {sentence}" for sentence in said]
    used = replace(options, delimiter=delimiter, encoding=encoding, decimal="," if "," in decimals else ".")
    return pa.table(columns).to_pandas(), used, tuple(notes)


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


def _delimiter(sample: str, name: str) -> str:
    """Return the delimiter that cuts every line of the sample into the same number of cells, the most of them."""
    lines = sample.splitlines()
    if len(sample) >= SAMPLE:
        lines = lines[:-1]
    best, most = ",", 1
    for delimiter in DELIMITERS:
        try:
            widths = {len(row) for row in csv.reader(lines, delimiter=delimiter) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and (width := widths.pop()) > most:
            best, most = delimiter, width
    if not lines:
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    return best


def _rows(data: bytes, delimiter: str, name: str, header: str) -> pa.Table:
    """Return every cell as text, empty ones missing."""
    names = next(csv.reader([header.rstrip("\r")], delimiter=delimiter), [])
    twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
    if twice is not None:
        raise DisclosureError(f"{name} has two columns called {twice!r}; rename one of them.")
    if any(not n.strip() for n in names):
        raise DisclosureError(
            f"Column {next(i for i, n in enumerate(names, 1) if not n.strip())} of {name} has no name; give it one."
        )
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(data),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid as error:
        found = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", str(error))
        if found:
            row, wanted, got = found.groups()
            raise DisclosureError(
                f"Row {row} of {name} has {got} cells, the header {wanted}; mend the row, or choose another delimiter."
            ) from None
        raise DisclosureError(f"{name} cannot be read as a table; check its delimiter and quotes.") from None


def _typed(column: pa.ChunkedArray, decimal: str | None, delimiter: str) -> tuple[Any, list[str], str | None]:
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


_FORMATS = {
    ".csv": ("CSV", _text),
    ".tsv": ("CSV", _text),
    ".txt": ("CSV", _text),
    ".parquet": ("Parquet", _parquet),
    ".arrow": ("Arrow", _arrow),
    ".feather": ("Arrow", _arrow),
}
EXTENSIONS = (*_FORMATS, ".gz")
"""Endings of the files that can be read."""
