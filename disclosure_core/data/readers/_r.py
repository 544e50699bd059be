"""R's own files: data frames, lists of them, and synthpop's synds. Nothing in them is evaluated.

rdata parses a file into R's objects; what they mean is said here, since its own conversion gives up on a level that is
NA, on a grouped tibble and on `integer64`, and forgets time zones.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import warnings
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from disclosure_core.data.readers._archives import at_most
from disclosure_core.data.readers._r_columns import column_of, labels_of
from disclosure_core.data.readers._r_objects import attributes, classes, kind_of, named, pairs, texts
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, of_columns
from disclosure_core.data.readers._statistical import declared
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from typing import IO

_OPENERS = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open))


_DEPTH = 20_000
"""Calls within each other that R's objects may take; Python's own take no room of the machine's stack."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """A data frame of a file as R's object: its name there, its columns' names, and the codes of a synds object."""

    name: str
    frame: Any
    codes: Mapping[str, tuple[float, ...]] | None = None


def r(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read an .rds or .RData file: a data frame, the data frames of a list, or those of an object of class synds."""
    tree = parsed(unpacked(data, name, limits), name)
    frames = tables(tree.object)
    if not frames:
        raise DisclosureError(f"{name} holds no data frame; save a data frame, a list of them, or a synds object.")
    encoding = tree.extra.encoding
    listed = ", ".join(repr(table.name) for table in frames)
    aside = _left_aside(tree.object)
    for i, table in enumerate(frames):
        part = _frame(table.frame, f"{name} / {table.name}" if table.name else name, encoding)
        codes, notes = dict(part.missing_codes), list(part.notes)
        if table.codes is not None:
            codes |= {c: v for c, v in table.codes.items() if c in part.frame.columns}
            notes = ["An object saved by synthpop.", *notes]
        if len(frames) > 1:
            notes.append(
                f"{table.name!r} is one of {len(frames)} tables in {name} ({listed}); each is taken as one of its own."
            )
        notes = [*(aside if i == 0 else []), *notes]
        yield replace(part, name=table.name, missing_codes=codes, notes=tuple(notes))


def parsed(plain: bytes, name: str) -> Any:
    """Return R's objects in a file that is unpacked, as rdata's `RData`."""
    from disclosure_core.data.readers._r_parser import parse_data

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with _room():
                return parse_data(plain)
    except MemoryError:
        raise
    except RecursionError:
        raise damaged(name, "R") from None
    except Exception as error:  # the parser of a hostile file may fail in any way
        raise damaged(name, "R") from error


@contextmanager
def _room() -> Iterator[None]:
    """Let functions call each other deeper than usual: an image of many objects is a list in a list in a list."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def unpacked(data: bytes, name: str, limits: Limits) -> bytes:
    """Return what R compressed, never more than the limit, by pieces: asking for all at once would reserve it."""
    limit = limits.megabytes * 1_000_000
    opener = next((o for mark, o in _OPENERS if data.startswith(mark)), None)
    if opener is None:
        return data
    try:
        with opener(io.BytesIO(data)) as packed:
            plain = at_most(cast("IO[bytes]", packed), limit)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise damaged(name, "R") from None
    if plain is None:
        raise DisclosureError(f"{name} unpacks to more than is allowed; save the data as Parquet.")
    return plain


_OF_DATA = {"mids", "amelia", "imputationList", "list"}
"""Classes of lists that hold data sets, although some say by which call they were made."""


def _is_model(node: Any, by_name: dict[str, Any]) -> bool:
    """Whether a list is a fitted model, which holds the call that made it, and often the data that it saw."""
    return kind_of(node) == "VEC" and "call" in by_name and bool(classes(node)) and not _OF_DATA & set(classes(node))


def tables(node: Any, name: str = "", depth: int = 0) -> list[Table]:
    """Return the data frames of a file, in order."""
    if "data.frame" in classes(node):
        return [Table(name, node)]
    inside = named(node)
    by_name = dict(inside)
    if "syn" in by_name and ("cont.na" in by_name or "synds" in classes(node)):
        codes = _codes(by_name["cont.na"]) if "cont.na" in by_name else {}
        return [Table(t.name, t.frame, codes) for t in tables(by_name["syn"], "syn", depth + 1)]
    if depth > 3 or _is_model(node, by_name):
        return []
    unnamed = kind_of(node) == "VEC" and "names" not in attributes(node)
    return [
        Table(f"{name} {table.name}".strip() if unnamed and name else table.name, table.frame, table.codes)
        for key, element in inside
        for table in tables(element, key, depth + 1)
    ]


def _left_aside(node: Any) -> list[str]:
    """Say which objects of an image hold no table."""
    if kind_of(node) != "LIST":
        return []
    names = [repr(name) for name, element in pairs(node) if not tables(element, name, 1)]
    if not names:
        return []
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
    return [f"Left aside, being no table{'s' * (len(names) > 1)}: {listed}."]


def _codes(cont_na: Any) -> dict[str, tuple[float, ...]]:
    """Return synthpop's missing codes: each column's values other than NA."""
    codes = {}
    for column, node in named(cont_na):
        if kind_of(node) not in ("REAL", "INT", "LGL"):
            continue
        numbers = np.ma.masked_array(node.value, dtype=float).filled(np.nan)
        if (~np.isnan(numbers)).any():
            codes[column] = tuple(float(n) for n in numbers[~np.isnan(numbers)])
    return codes


def _frame(node: Any, name: str, encoding: str | None) -> Part:
    """Return a data frame of R as a table without a name."""
    attrs = attributes(node)
    names = [n if n is not None else "" for n in texts(attrs.get("names"), encoding)]
    if len(names) != len(node.value):
        raise damaged(name, "R")
    columns: list[pd.Series[Any]] = []
    codes: dict[str, tuple[float, ...]] = {}
    missing_levels: dict[str, tuple[str, ...]] = {}
    labels: dict[str, str] = {}
    value_labels: dict[str, dict[Any, str]] = {}
    said = []
    for column, element in zip(names, node.value, strict=True):
        try:
            values, missing_codes, sentences = column_of(element, column, name, encoding)
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
            raise damaged(name, "R") from error
        if columns and len(values) != len(columns[0]):
            raise damaged(name, "R")
        columns.append(values.rename(column))
        if pd.api.types.is_numeric_dtype(values.dtype) and "labels" in (of := attributes(element)):
            value_labels[column] = labels_of(of, encoding)[0]
        declared(column, missing_codes, codes, missing_levels)
        label = (texts(attributes(element).get("label"), encoding) or [None])[0] if hasattr(element, "value") else None
        if label and label.strip():
            labels[column] = label.strip()
        said += [(column, sentence) for sentence in sentences]
    notes = of_columns(said)
    rows = attrs.get("row.names")
    if rows is not None and kind_of(rows) == "STR" and texts(rows) != [str(i + 1) for i in range(len(rows.value))]:
        notes.append("The names of the rows are ignored; make them a column where they matter.")
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame()
    frame = frame.set_axis(names, axis=1) if columns else frame
    return Part(
        frame,
        missing_codes=codes,
        notes=tuple(notes),
        missing_levels=missing_levels,
        labels=labels,
        value_labels=value_labels,
    )
