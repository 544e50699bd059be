"""A safer file made of the file that came in: what no safeguard touched comes back as it was.

The file is read again by its own library with all that it says of its columns; records that were removed are not kept,
and only the cells that a step changed are replaced. Nothing is computed here, and nothing is written to disk. It is
made where files are parsed: in a process of its own (`_in_child`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from disclosure_core.data.readers import Limits, Reading, needs_child, unpacked
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, written_whole
from disclosure_core.data.rewriters._remade import FORMATS, remade

__all__ = ["Cells", "Change", "Rewritten", "rewrite", "rewrite_in_process", "written_whole"]


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
    if reading.source is None or reading.format not in FORMATS:
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
    if source is None or reading.format not in FORMATS:
        return None
    named = _named(reading, change)
    return remade(unpacked(source), source.path, source.part, reading.format, reading.options, named, waiting)


def _named(reading: Reading, change: Change) -> Change:
    """Return a change that says which columns the table has."""
    return replace(change, names=tuple(map(str, reading.table.columns)))
