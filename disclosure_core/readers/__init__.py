"""Files to frames: what was read, and how it was read.

Only an empty cell is missing. `NA`, `None`, `nan` or `.` are text like any other; whether they mean "no answer" is for
the user to say (`meaning`). Nothing in a file is ever evaluated, and nothing is written to disk.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError
from disclosure_core.readers._reading import Limits, Part, Reading, ReadOptions, too_long, too_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["EXTENSIONS", "Limits", "ReadOptions", "Reading", "folder_file", "folder_files", "read"]

_FORMATS = {
    ".csv": ("CSV", "_text", "text"),
    ".tsv": ("CSV", "_text", "text"),
    ".txt": ("CSV", "_text", "text"),
    ".parquet": ("Parquet", "_tables", "parquet"),
    ".arrow": ("Arrow", "_tables", "arrow"),
    ".feather": ("Arrow", "_tables", "arrow"),
    ".xlsx": ("Excel", "_tables", "excel"),
    ".xls": ("Excel", "_tables", "excel"),
    ".ods": ("OpenDocument", "_tables", "excel"),
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


def read(
    source: bytes | Path, name: str, options: ReadOptions | None = None, limits: Limits | None = None
) -> tuple[Reading, ...]:
    """Return the tables of a file: one, or several from a zip, a list in R or an object of class synds.

    Parameters
    ----------
    source
        The file's bytes, or where it lies.
    name
        Its name; the ending says the format.
    options
        What the user corrected.
    limits
        What is read at most.

    Raises
    ------
    DisclosureError
        When the format is not known, or the file is damaged, empty, encrypted or too large.
    """
    limits = limits or Limits()
    size = source.stat().st_size if isinstance(source, Path) else len(source)
    if size > limits.megabytes * 1_000_000:
        raise too_large(name, limits)
    data = source.read_bytes() if isinstance(source, Path) else source
    if not data:
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    fingerprint = hashlib.sha256(data).hexdigest()
    readings = []
    for path, plain in _unpacked(data, name, limits):
        format_, room, reader = _format(path)
        parse: Callable[[bytes, str, ReadOptions, Limits], Iterable[Part]]
        parse = getattr(import_module(f"{__name__}.{room}"), reader)
        shown = name if path in (name, name.removesuffix(".gz")) else f"{name} / {PurePosixPath(path).name}"
        for part in parse(plain, shown, options or ReadOptions(), limits):
            whole = f"{shown} / {part.name}" if part.name else shown
            _check(part, whole, limits)
            readings.append(
                Reading(
                    part.frame, whole, fingerprint, format_, part.options, part.choices, part.missing_codes, part.notes
                )
            )
            if len(readings) > limits.tables:
                raise DisclosureError(f"{name} holds more than {limits.tables} tables; bring fewer.")
    return tuple(readings)


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
    from disclosure_core.readers import _archives

    if ending == ".gz":
        return [(name[:-3], _archives.gunzip(data, name, limits))]
    return _archives.unzip(data, name, limits, tuple(_FORMATS))


def _format(path: str) -> tuple[str, str, str]:
    ending = PurePosixPath(path).suffix.lower()
    if ending in (".pkl", ".pickle"):
        raise DisclosureError(f"{path} is a pickle, which can run code when it is opened; save the data as Parquet.")
    if ending not in _FORMATS:
        raise DisclosureError(f"{path} is of a format that is not read here; bring one of {', '.join(EXTENSIONS)}.")
    return _FORMATS[ending]


def _check(part: Part, name: str, limits: Limits) -> None:
    """Say what of a table cannot be used, whatever the format."""
    frame = part.frame
    frame.columns = frame.columns.map(str)
    if frame.shape[1] > limits.columns:
        raise too_wide(name, frame.shape[1], limits)
    if len(frame) > limits.rows:
        raise too_long(name, len(frame), limits)
    blank = next((i for i, c in enumerate(frame.columns, 1) if not c.strip()), None)
    if blank is not None:
        raise DisclosureError(f"Column {blank} of {name} has no name; give it one.")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise DisclosureError(f"{name} has two columns called {twice[0]!r}; rename one of them.")
    if frame.shape[1] == 0 or not len(frame):
        raise DisclosureError(f"{name} has no records; choose a file with a header and at least one row.")


def folder_files(folder: Path) -> tuple[str, ...]:
    """Return the names of the data files that lie in the operator's folder itself; links are not followed."""
    try:
        found = [p.name for p in folder.iterdir() if p.suffix.lower() in EXTENSIONS and _plain(p)]
    except OSError:
        raise DisclosureError("The server's folder cannot be read; ask the operator.") from None
    return tuple(sorted(found))


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
