"""A safer file made of the file that came in: what no safeguard touched comes back as it was.

The file is read again by its own library with all that it says of its columns; records that were removed are not kept,
and only the cells that a step changed are replaced. Nothing is computed here, and nothing is written to disk. `remade`
takes bytes and gives bytes, and runs where files are parsed: in a process of its own (`_in_child`).
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from disclosure_core.data.readers import Limits, needs_child, unpacked
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, UnalignedError, written_whole
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.data.readers import Reading, ReadOptions

__all__ = ["Cells", "Change", "Rewritten", "rewrite", "rewrite_in_process", "written_whole"]

_MODULES = {
    "CSV": ("_text", "text"), "Parquet": ("_tables", "parquet"), "Arrow": ("_tables", "arrow"),
    "Excel": ("_tables", "excel"), "OpenDocument": ("_sheets", "ods"), "SPSS": ("_statistical", "spss"),
    "SPSS portable": ("_statistical", "spss"), "Stata": ("_stata", "stata"), "SAS": ("_statistical", "sas"),
    "SAS transport": ("_statistical", "sas"), "R": ("_r", "r"),
}  # fmt: skip
"""By format as `Reading.format` names it: the room and function that rewrite it, loaded when used."""


def rewrite(
    reading: Reading,
    change: Change,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten | None:
    """Return a table's file with a change made to it; None where it cannot be made of the file that came in.

    In a process of its own, as it is read; in this one where it is plain text and no limits are given.

    Parameters
    ----------
    reading, change
        The table as it was read, and what was done to it.
    limits, waiting
        As for `readers.read`.

    Raises
    ------
    DisclosureError
        When a new level does not fit into the file's format; or the process broke off, or took more time or memory
        than is allowed.
    """
    if reading.source is None or reading.format not in _MODULES:
        return None
    if not needs_child(reading.source.name, limits):
        return rewrite_in_process(reading, change, waiting)
    from disclosure_core.data.rewriters._in_child import remade_in_child

    return remade_in_child(reading.source, reading, _named(reading, change), limits or Limits(), waiting)


def rewrite_in_process(
    reading: Reading, change: Change, waiting: Callable[[bool], object] | None = None
) -> Rewritten | None:
    """Return what `rewrite` returns, made in this process whatever the format: for files that one has made oneself.

    A damaged file may end this process, and no limit on time or memory holds.
    """
    source = reading.source
    if source is None or reading.format not in _MODULES:
        return None
    named = _named(reading, change)
    return remade(unpacked(source), source.path, source.part, reading.format, reading.options, named, waiting)


def _named(reading: Reading, change: Change) -> Change:
    """Return a change that says which columns the table has."""
    return replace(change, names=tuple(map(str, reading.table.columns)))


def remade(
    data: bytes, path: str, part: int, format_: str, options: ReadOptions, change: Change,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten | None:  # fmt: skip
    """Return the bytes of a file with a change made to one of its tables; None where its rows are not the table's.

    Parameters
    ----------
    data
        The file, out of its archive.
    path, part, format_, options
        As the table's `Reading` has them.
    change
        The records that stay, and the cells that are others.
    waiting
        As for `readers.read`; only a text is rewritten where somebody can be told.
    """
    module, name = _MODULES[format_]
    told = {"waiting": waiting} if module == "_text" else {}
    try:
        rewritten: Rewritten = getattr(import_module(f"{__name__}.{module}"), name)(
            data, PurePosixPath(path), part, options, change, **told
        )
    except UnalignedError:
        return None
    except (DisclosureError, MemoryError):
        raise
    except Exception as error:  # a library's own complaint about a name, a type or an encoding
        raise DisclosureError(
            f"The safer table cannot be written as {format_}: a name or a text in it does not fit; give the merged "
            "level, or the label, another one."
        ) from error
    return rewritten
