"""What flows through the readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.coded import CodedTable


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user can correct about a file; None lets the reader find out.

    Attributes
    ----------
    delimiter, quote, decimal
        Of a text file.
    encoding
        Of texts in a file that does not declare itself how they are encoded.
    sheet
        Of a workbook.
    header
        Of a text file or a sheet: whether its first row holds the names of the columns. None: it does, and is asked of
        where it looks like a record.

    Examples
    --------
    >>> ReadOptions(delimiter=";", decimal=",").decimal
    ','
    """

    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    header: bool | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most; an operator may set other limits.

    Attributes
    ----------
    megabytes
        Size of a file, and of what a compressed file unpacks to.
    memory
        Megabytes that a table may need while it is read; about what the machine can spare.
    rows, columns, tables
        Rows and columns of a table, and tables in a file.
    seconds
        Seconds that a file may take to be parsed, where it is parsed in a process of its own.
    """

    megabytes: int = 2_000
    memory: int = 8_000
    rows: int = 20_000_000
    columns: int = 5_000
    tables: int = 100
    seconds: int = 120


@dataclass(frozen=True, slots=True)
class Lines:
    """What of a text file was counted before it was cut into cells: a receipt beside its records.

    Attributes
    ----------
    lines
        Lines of the file, as its line ends part them; header, blank and ignored ones among them.
    quoted
        How many of them begin inside quotes, and so are part of a cell and no record.
    """

    lines: int
    quoted: int

    def __str__(self) -> str:
        """Return it as a person reads it: 5,001, or 5,003, 2 inside quotes."""
        return f"{self.lines:,}" + (f", {self.quoted:,} inside quotes" if self.quoted else "")

    @property
    def words(self) -> str:
        """The same in a sentence: 5,001 lines, or 5,003 lines, 2 of them inside quotes."""
        return quantity(self.lines, "line") + (f", {self.quoted:,} of them inside quotes" if self.quoted else "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part:
    """One table of a file, as a format's reader hands it over; `name` tells it from the others, or is empty."""

    frame: pd.DataFrame | CodedTable
    name: str = ""
    options: ReadOptions = ReadOptions()
    choices: tuple[str, ...] = ()
    missing_codes: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    value_labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    missing_levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    lines: Lines | None = None
    warnings: tuple[str, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kept:
    """A file's bytes, held for as long as its visitor stays: by Zstandard where that saves a tenth. See `kept`."""

    held: bytes
    size: int
    packed: bool

    @property
    def data(self) -> bytes:
        """The bytes as they came, made anew each time where they are packed."""
        import pyarrow as pa

        return pa.decompress(self.held, self.size, "zstd", asbytes=True) if self.packed else self.held


NO_NAMES = "choose “Row of names: none” (--header no)."
"""How a warning of a first row that looks like a record ends: what to do about it."""

NOTHING = Kept(b"", 0, packed=False)


def held_bytes(data: bytes) -> Kept:
    """Return a file's bytes to be held. Text takes a third to a tenth of its room; what came compressed stays so."""
    import pyarrow as pa

    packed = pa.Codec("zstd", 1).compress(data, asbytes=True)
    worth = len(packed) < 0.9 * len(data)
    return Kept(packed if worth else data, len(data), worth)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Source:
    """The file that a table was read from, as it came, so that a safer one can be made of it.

    Attributes
    ----------
    file
        The file's bytes; the tables of one file share them.
    name
        The file's name, whose ending says the format.
    path
        The file in it that holds the table, where it is an archive; else its name, unpacked.
    part
        Which of that file's tables this is, counted from 0.
    """

    file: Kept
    name: str
    path: str
    part: int

    @property
    def data(self) -> bytes:
        """The file's bytes, made anew each time."""
        return self.file.data


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """One table, and how it was read.

    Attributes
    ----------
    table
        The table, as codes; only empty cells are missing.
    name
        The file's name as shown to people, and the table's where the file holds several.
    sha256
        Fingerprint of the table's file, hexadecimal: in a zip, that of its member.
    format
        "CSV", "Parquet", "SPSS" …
    options
        What was found out, or given, about the file; None where it does not apply.
    choices
        The sheets there are to choose from.
    missing_codes
        Values that the file itself declares to stand for "no answer", by numeric column.
    notes
        One sentence each on how the file was read.
    source
        The file itself; None where it is not kept.
    value_labels
        By column, the label that the file itself declares for each code.
    missing_levels
        By column, the levels, as a person reads them, that the file declares to stand for "no answer"; R's `cont.na`,
        which R does not count as missing either, are none of them.
    labels
        By column, what the file says that it holds: "Monthly income, net".
    lines
        The lines of a text file; None for other formats.
    file_sha256
        Fingerprint of the file that came in: of the zip, where `sha256` is of its member.
    warnings
        One sentence each on what may have been read wrongly, and has to be looked at.
    formats
        By column, the SAS format that shows its values, in capitals and without its width: a catalogue labels formats.
    """

    table: CodedTable
    name: str
    sha256: str
    format: str
    options: ReadOptions
    choices: tuple[str, ...]
    missing_codes: Mapping[str, tuple[float, ...]]
    notes: tuple[str, ...]
    source: Source | None = None
    value_labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    missing_levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    lines: Lines | None = None
    file_sha256: str = ""
    warnings: tuple[str, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)

    @property
    def asks_of_names(self) -> bool:
        """Whether its first row was read as names and looks like a record, so that it is asked which it is."""
        return any(text.endswith(NO_NAMES) for text in self.warnings)

    @property
    def frame(self) -> pd.DataFrame:
        """The table as a frame, made anew each time."""
        return self.table.frame()


def of_columns(said: Iterable[tuple[str, str]]) -> list[str]:
    """Return what is said of columns, each sentence once."""
    columns: dict[str, list[str]] = {}
    for column, sentence in said:
        columns.setdefault(sentence, []).append(repr(column))
    return [
        " ".join([first, sentence, *([f"The same holds for {', '.join(others)}."] if others else [])])
        for sentence, (first, *others) in columns.items()
    ]


def too_wide(name: str, n: int, limits: Limits) -> DisclosureError:
    """Return the error for a table of `n` columns."""
    return DisclosureError(f"{name} has {n:,} columns, more than the {limits.columns:,} allowed; remove some.")


def too_long(name: str, rows: int, limits: Limits) -> DisclosureError:
    """Return the error for a table with more rows than are read."""
    return DisclosureError(
        f"{name} has {rows:,} rows, more than the {limits.rows:,} allowed; ask the operator for a higher limit, or let "
        "the data stay in an engine."
    )


def too_much(name: str, needed: int) -> DisclosureError:
    """Return the error for a table that would not fit in memory."""
    return DisclosureError(
        f"{name} needs about {needed // 1_000_000:,} MB of memory, more than is allowed; remove columns that are "
        "neither key nor target."
    )


def damaged(name: str, format_: str) -> DisclosureError:
    """Return the error for a file that is not what its ending says, or not whole."""
    return DisclosureError(f"{name} is not a sound {format_} file; save it again, or give it the ending of its format.")
