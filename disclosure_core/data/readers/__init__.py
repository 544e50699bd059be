"""Files to frames: what was read, and how it was read.

Only an empty cell is missing. `NA`, `None`, `nan` or `.` are text like any other; whether they mean "no answer" is for
the user to say (`suggestions`). Nothing in a file is ever evaluated, and nothing is written to disk.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path, PurePosixPath

from disclosure_core.data.readers._encoding import declares_encoding, lost_letters
from disclosure_core.data.readers._places import READER
from disclosure_core.data.readers._reading import (
    NOTHING,
    Kept,
    Limits,
    Lines,
    Part,
    Reading,
    ReadOptions,
    Source,
    held_bytes,
    too_long,
    too_wide,
)
from disclosure_core.errors import DisclosureError, not_installed

__all__ = [
    "EXTENSIONS",
    "READER",
    "Kept",
    "Limits",
    "Lines",
    "ReadOptions",
    "Reading",
    "Source",
    "folder_file",
    "folder_files",
    "needs_child",
    "parse",
    "prepare",
    "read",
    "read_in_process",
    "unpacked",
    "whole",
]

_FORMATS = {
    ".csv": ("CSV", "_text", "text"),
    ".tsv": ("CSV", "_text", "text"),
    ".tab": ("CSV", "_text", "text"),
    ".txt": ("CSV", "_text", "text"),
    ".parquet": ("Parquet", "_arrow", "parquet"),
    ".arrow": ("Arrow", "_arrow", "arrow"),
    ".feather": ("Arrow", "_arrow", "arrow"),
    ".xlsx": ("Excel", "_sheets", "excel"),
    ".xls": ("Excel", "_sheets", "excel"),
    ".ods": ("OpenDocument", "_sheets", "excel"),
    ".sav": ("SPSS", "_statistical", "spss"),
    ".zsav": ("SPSS", "_statistical", "spss"),
    ".por": ("SPSS portable", "_statistical", "por"),
    ".dta": ("Stata", "_statistical", "stata"),
    ".sas7bdat": ("SAS", "_statistical", "sas"),
    ".xpt": ("SAS transport", "_statistical", "xport"),
    ".rds": ("R", "_r", "r"),
    ".rdata": ("R", "_r", "r"),
    ".rda": ("R", "_r", "r"),
}
"""By ending: the format's name, and the room and function that read it, loaded when used."""

EXTENSIONS = (*_FORMATS, ".gz", ".zip")
"""Endings of the files that can be read."""


_TEXT = (".csv", ".tsv", ".tab", ".txt")
"""Endings of plain text, which whoever reads files of their own may parse in this process."""


def read(
    source: bytes | Path,
    name: str,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
) -> tuple[Reading, ...]:
    """Return the tables of a file: one, or several from a zip, a list in R or an object of class synds.

    It is parsed in a process of its own (`_parent`), which a damaged file ends, and where limits hold. Only plain text
    for which none are given is parsed in this process: one's own file, in a time that grows with its size alone.

    Parameters
    ----------
    source
        The file's bytes, or where it lies.
    name
        Its name; the ending says the format.
    options
        What the user corrected.
    limits
        What is read at most. A server gives them for every file.
    waiting
        Called some ten times a second while another process reads, with whether the file still waits for its turn.
        What it raises ends the reading.

    Raises
    ------
    DisclosureError
        When the format is not known, or the file is damaged, empty, encrypted or too large, or takes more time or
        memory than is allowed.

    Examples
    --------
    >>> (reading,) = read(b"age;job", "people.csv", ReadOptions(header=False))
    >>> reading.frame.iloc[0].tolist()
    ['age', 'job']
    """
    here = not needs_child(name, limits)
    options, limits = options or ReadOptions(), limits or Limits()
    data = _held(source, name, limits)
    if here:
        return read_in_process(data, name, options, limits)
    from disclosure_core.data.readers._parent import parse_in_child

    return _with_source(parse_in_child(data, name, options, limits, waiting), data, name)


def read_in_process(
    source: bytes | Path, name: str, options: ReadOptions | None = None, limits: Limits | None = None
) -> tuple[Reading, ...]:
    """Return what `read` returns, parsed in this process whatever the format: for files that one has made oneself.

    A damaged file may end this process, and no limit on time or memory holds.
    """
    options, limits = options or ReadOptions(), limits or Limits()
    data = _held(source, name, limits)
    return _with_source(tuple(parse(data, name, options, limits)), data, name)


def whole(path: Path, name: str, limits: Limits | None = None) -> bytes:
    """Return the bytes of a file on the disk, read once: whoever writes to it must not have it read in two states.

    Raises
    ------
    DisclosureError
        When it is too large, cannot be opened, or changed while it was read.
    """
    limits = limits or Limits()
    try:
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            if before.st_size > limits.megabytes * 1_000_000:
                raise too_large(name, limits)
            data = file.read(before.st_size + 1)
            after = os.fstat(file.fileno())
    except OSError:
        raise DisclosureError(
            f"{name} could not be opened: it is not there any more, or may not be read; see that it is there, and try "
            "again."
        ) from None
    if (len(data), before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise DisclosureError(f"{name} was changed while it was read; try again when it is no longer written to.")
    return data


def _with_source(readings: tuple[Reading, ...], data: bytes, name: str) -> tuple[Reading, ...]:
    """Return readings with the bytes that they were read from, and of a file of several tables say which they are."""
    file = held_bytes(data)
    readings = tuple(replace(r, source=replace(r.source, file=file)) if r.source else r for r in readings)
    if len(readings) < 2:
        return readings
    tables = ", ".join(repr(r.name.removeprefix(f"{name} / ")) for r in readings[:6]) + " …" * (len(readings) > 6)
    note = f"{name} holds {len(readings)} tables, each of which is read as a data set of its own: {tables}."
    return (replace(readings[0], notes=(note, *readings[0].notes)), *readings[1:])


def prepare(*names: str, limits: Limits | None) -> None:
    """Have processes load what the files of these names need, ahead of reading them so; returns at once."""
    if n := sum(limits is not None or PurePosixPath(name).suffix.lower() not in _TEXT for name in names):
        from disclosure_core.data.readers._parent import prepare

        prepare(n)


def parse(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Reading]:
    """Give the tables of a file one by one, parsed in this process; parameters and errors are those of `read`.

    Their `source` names the place in the file; whoever has the file's bytes adds them.
    """
    from disclosure_core.data.coded import CodedTable  # with pandas, which whoever reads apart need not load

    of_file = hashlib.sha256(data).hexdigest()
    zipped, n = name.lower().endswith(".zip"), 0
    for path, plain in _unpacked(data, name, limits):
        fingerprint = hashlib.sha256(plain).hexdigest() if zipped else of_file
        format_, module, reader = _format(path)
        parser: Callable[[bytes, str, ReadOptions, Limits], Iterable[Part]]
        parser = getattr(import_module(f"{__name__}.{module}"), reader)
        file_label = name if path in (name, name.removesuffix(".gz")) else f"{name} / {PurePosixPath(path).name}"
        declared = options.encoding is not None and declares_encoding(plain, PurePosixPath(path).suffix.lower())
        how = replace(options, encoding=None) if declared else options
        said = (f"It says itself how its texts are encoded: {options.encoding} is not used.",) if declared else ()
        for i, part in enumerate(_installed(parser(plain, file_label, how, limits))):
            table_label = f"{file_label} / {part.name}" if part.name else file_label
            _check(part, table_label, limits)
            n += 1
            if n > limits.tables:
                raise DisclosureError(f"{name} holds more than {limits.tables} tables; bring fewer.")
            table = CodedTable.of(part.frame)
            warnings = (*part.warnings, *lost_letters(table))
            yield Reading(
                table,
                table_label,
                fingerprint,
                format_,
                part.options,
                part.choices,
                part.missing_codes,
                (*part.notes, *said),
                Source(NOTHING, name, path, i),
                part.value_labels,
                part.missing_levels,
                part.labels,
                part.lines,
                of_file,
                warnings,
                part.formats,
            )


def _installed(parts: Iterable[Part]) -> Iterator[Part]:
    """Give what a format's reader gives; a library that is not installed is a sentence."""
    try:
        yield from parts
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


def _held(source: bytes | Path, name: str, limits: Limits) -> bytes:
    """Return a file's bytes, neither none nor too many."""
    data = whole(source, name, limits) if isinstance(source, Path) else source
    if len(data) > limits.megabytes * 1_000_000:
        raise too_large(name, limits)
    if not data:
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    return data


def needs_child(name: str, limits: Limits | None = None) -> bool:
    """Whether a file is parsed in a process of its own: every one that limits are given for, and what is no plain text.

    Raises
    ------
    DisclosureError
        When its format is not one that is read.
    """
    ending = Path(name).suffix.lower()
    if ending not in (".gz", ".zip"):
        _format(name)
    return limits is not None or ending not in _TEXT


def unpacked(source: Source) -> bytes:
    """Return the bytes of the file that holds a table, out of its archive; its limits were kept when it was read."""
    limits = Limits(megabytes=1_000_000)
    return next(plain for path, plain in _unpacked(source.data, source.name, limits) if path == source.path)


def too_large(name: str, limits: Limits) -> DisclosureError:
    """Return the error for a file over the limit, with the ways out."""
    return DisclosureError(
        f"{name} is larger than the {limits.megabytes:,} MB allowed; save it as Parquet, or ask the operator to put it "
        "into the server's folder."
    )


def _unpacked(data: bytes, name: str, limits: Limits) -> Iterable[tuple[str, bytes]]:
    ending = Path(name).suffix.lower()
    if ending not in (".gz", ".zip"):
        return [(name, data)]
    from disclosure_core.data.readers import _archives

    if ending == ".gz":
        return [(name[:-3], _archives.gunzip(data, name, limits))]
    return _archives.unzip(data, name, limits, tuple(_FORMATS))


def _format(path: str) -> tuple[str, str, str]:
    ending = PurePosixPath(path).suffix.lower()
    if ending in (".pkl", ".pickle"):
        raise DisclosureError(f"{path} is a pickle, which can run code when it is opened; save the data as Parquet.")
    if ending == ".sas7bcat":
        raise DisclosureError(
            f"{path} is a catalogue of SAS formats, which has labels and no records: give it as the codebook of the "
            "data (--codebook, or A codebook on the Data page)."
        )
    if ending not in _FORMATS:
        raise DisclosureError(f"{path} is of a format that is not read here; bring one of {', '.join(EXTENSIONS)}.")
    return _FORMATS[ending]


def _check(part: Part, name: str, limits: Limits) -> None:
    """Say what of a table cannot be used, whatever the format."""
    frame = part.frame
    frame.columns = frame.columns.map(str)
    if len(frame.columns) > limits.columns:
        raise too_wide(name, len(frame.columns), limits)
    if len(frame) > limits.rows:
        raise too_long(name, len(frame), limits)
    blank = next((i for i, c in enumerate(frame.columns, 1) if not c.strip()), None)
    if blank is not None:
        raise DisclosureError(f"Column {blank} of {name} has no name; give it one.")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise DisclosureError(f"{name} has two columns called {twice[0]!r}; rename one of them.")
    if not len(frame.columns) or not len(frame):
        raise DisclosureError(f"{name} has no records; choose a file with a header and at least one row.")


def folder_files(folder: Path) -> tuple[str, ...]:
    """Return the names of the data files that lie in the operator's folder itself; links are not followed."""
    try:
        names = [p.name for p in folder.iterdir() if p.suffix.lower() in EXTENSIONS and _plain(p)]
    except OSError:
        raise DisclosureError("The server's folder cannot be read; ask the operator.") from None
    return tuple(sorted(names))


def folder_file(folder: Path, name: str) -> Path:
    """Return one file of the operator's folder by its name.

    Raises
    ------
    DisclosureError
        When the name is not among those that `folder_files` gives: no path leads out of the folder.
    """
    if name not in folder_files(folder):
        raise DisclosureError(f"{name!r} is not in the server's folder any more; choose another file.")
    return folder / name


def _plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
