"""One table of a file with a change made to it, by the library of its format: bytes in and bytes out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from disclosure_core.data.rewriters._change import Change, Rewritten, UnalignedError
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions

FORMATS = {
    "CSV": ("_text", "text"),
    "Parquet": ("_tables", "parquet"),
    "Arrow": ("_tables", "arrow"),
    "Excel": ("_tables", "excel"),
    "OpenDocument": ("_sheets", "ods"),
    "SPSS": ("_statistical", "spss"),
    "SPSS portable": ("_statistical", "spss"),
    "Stata": ("_stata", "stata"),
    "SAS": ("_statistical", "sas"),
    "SAS transport": ("_statistical", "sas"),
    "R": ("_r", "r"),
}
"""By format as `Reading.format` names it: the room and function that rewrite it, loaded when used."""


def remade(
    data: bytes,
    path: str,
    part: int,
    format_: str,
    options: ReadOptions,
    change: Change,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten | None:
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
    module, name = FORMATS[format_]
    told = {"waiting": waiting} if module == "_text" else {}
    try:
        rewritten: Rewritten = getattr(import_module(f"{__package__}.{module}"), name)(
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
