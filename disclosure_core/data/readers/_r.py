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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from disclosure_core.data.readers._archives import at_most
from disclosure_core.data.readers._calendar import outside_calendar, outside_notes
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged
from disclosure_core.data.values import zone_name
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

_OPENERS = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open))


_FARTHEST = 9e12
"""Seconds since 1970 that microseconds of 64 bits hold."""

_DEPTH = 20_000
"""Calls within each other that R's objects may take; Python's own take no room of the machine's stack."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """A data frame of a file as R's object: its name there, what the names of columns are, and synthpop's codes."""

    name: str
    frame: Any
    cont_na: Any = None


def r(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read an .rds or .RData file: a data frame, the data frames of a list, or those of an object of class synds."""
    tree = parsed(unpacked(data, name, limits), name, limits)
    frames = tables(tree.object)
    if not frames:
        raise DisclosureError(f"{name} holds no data frame; save a data frame, a list of them, or a synds object.")
    encoding = tree.extra.encoding
    listed = ", ".join(repr(table.name) for table in frames)
    aside = _left_aside(tree.object)
    for i, table in enumerate(frames):
        part = _frame(table.frame, f"{name} / {table.name}" if table.name else name, encoding)
        codes, notes = dict(part.missing_codes), list(part.notes)
        if table.cont_na is not None:
            codes |= {c: v for c, v in _codes(table.cont_na).items() if c in part.frame.columns}
            notes = ["An object saved by synthpop.", *notes]
        if len(frames) > 1:
            notes.append(
                f"{table.name!r} is one of {len(frames)} tables in {name} ({listed}); each is taken as one of its own."
            )
        notes = [*(aside if i == 0 else []), *notes]
        yield replace(part, name=table.name, missing_codes=codes, notes=tuple(notes))


def parsed(plain: bytes, name: str, limits: Limits) -> Any:
    """Return R's objects in a file that is unpacked, as rdata's `RData`.

    Raises
    ------
    DisclosureError
        When it is damaged, or holds what no table can.
    """
    from rdata.parser._parser import DEFAULT_ALTREP_MAP

    from disclosure_core.data.readers._r_parser import parse_data

    def bounded(make: Any) -> Any:
        def sequence(state: Any) -> Any:
            if int(state.value[0]) > limits.rows:
                raise DisclosureError(f"{name} holds a sequence of more numbers than rows are allowed; remove it.")
            return make(state)

        return sequence

    constructors = dict(DEFAULT_ALTREP_MAP)
    constructors |= {kind: bounded(constructors[kind]) for kind in (b"compact_intseq", b"compact_realseq")}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with _room():
                return parse_data(plain, constructors)
    except DisclosureError:
        raise
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


def kind_of(node: Any) -> str:
    """Return R's type of an object: "REAL", "STR", "VEC" …; references are followed."""
    return str(node.info.type.name)


def attributes(node: Any) -> dict[str, Any]:
    """Return an object's attributes by name."""
    return dict(_pairs(node.attributes)) if node.attributes is not None else {}


def _pairs(node: Any) -> Iterator[tuple[str, Any]]:
    """Give names and values of R's pairlist."""
    while node is not None and kind_of(node) == "LIST":
        tag = node.tag
        while tag is not None and kind_of(tag) == "REF":
            tag = tag.referenced_object
        if tag is not None:
            yield text(tag.value), node.value[0]
        node = node.value[1]


def text(node: Any, encoding: str | None = None) -> Any:
    """Return one of R's texts; None for NA."""
    raw = node.value
    if raw is None:
        return None
    if node.info.gp & 4:  # marked as Latin 1
        return raw.decode("cp1252", "replace")
    if node.info.gp & (8 | 64):  # UTF-8, ASCII
        return raw.decode("utf-8", "replace")
    for guess in (encoding, "utf-8"):
        try:
            return raw.decode(guess or "utf-8")
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("cp1252", "replace")


def texts(node: Any, encoding: str | None = None) -> list[Any]:
    """Return R's character vector as a list; None for NA."""
    if node is None or kind_of(node) != "STR":
        return []
    decoded: dict[tuple[Any, int], Any] = {}
    values = []
    for element in node.value:
        key = (element.value, element.info.gp)
        if key not in decoded:
            decoded[key] = text(element, encoding)
        values.append(decoded[key])
    return values


def classes(node: Any) -> list[str]:
    """Return an object's classes."""
    return texts(attributes(node).get("class"))


def _named(node: Any) -> list[tuple[str, Any]]:
    """Return what a list or an image holds, by name; an unnamed list's by number."""
    if kind_of(node) == "LIST":
        return list(_pairs(node))
    if kind_of(node) != "VEC":
        return []
    names = texts(attributes(node).get("names"))
    return [(names[i] if i < len(names) and names[i] else str(i + 1), element) for i, element in enumerate(node.value)]


_OF_DATA = {"mids", "amelia", "imputationList", "list"}
"""Classes of lists that hold data sets, although some say by which call they were made."""


def _is_model(node: Any, by_name: dict[str, Any]) -> bool:
    """Whether a list is a fitted model, which holds the call that made it, and often the data that it saw."""
    return kind_of(node) == "VEC" and "call" in by_name and bool(classes(node)) and not _OF_DATA & set(classes(node))


def tables(node: Any, name: str = "", depth: int = 0) -> list[Table]:
    """Return the data frames of a file, in order."""
    if "data.frame" in classes(node):
        return [Table(name, node)]
    inside = _named(node)
    by_name = dict(inside)
    if "syn" in by_name and "cont.na" in by_name:
        return [Table(t.name, t.frame, by_name["cont.na"]) for t in tables(by_name["syn"], "syn", depth + 1)]
    if depth > 3 or _is_model(node, by_name):
        return []
    unnamed = kind_of(node) == "VEC" and "names" not in attributes(node)
    return [
        Table(f"{name} {table.name}".strip() if unnamed and name else table.name, table.frame, table.cont_na)
        for key, element in inside
        for table in tables(element, key, depth + 1)
    ]


def _left_aside(node: Any) -> list[str]:
    """Say which objects of an image hold no table."""
    if kind_of(node) != "LIST":
        return []
    names = [repr(name) for name, element in _pairs(node) if not tables(element, name, 1)]
    if not names:
        return []
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
    return [f"Left aside, being no table{'s' * (len(names) > 1)}: {listed}."]


def _codes(cont_na: Any) -> dict[str, tuple[float, ...]]:
    """Return synthpop's missing codes: each column's values other than NA."""
    codes = {}
    for column, node in _named(cont_na):
        if kind_of(node) not in ("REAL", "INT", "LGL"):
            continue
        numbers = np.ma.masked_array(node.value, dtype=float).filled(np.nan)
        if (~np.isnan(numbers)).any():
            codes[column] = tuple(float(n) for n in numbers[~np.isnan(numbers)])
    return codes


def _frame(node: Any, name: str, encoding: str | None) -> Part:
    """Return a data frame of R as a table without a name."""
    from disclosure_core.data.readers._statistical import declared

    attrs = attributes(node)
    names = [n if n is not None else "" for n in texts(attrs.get("names"), encoding)]
    if len(names) != len(node.value):
        raise damaged(name, "R")
    columns: list[pd.Series[Any]] = []
    codes: dict[str, tuple[float, ...]] = {}
    missing_levels: dict[str, tuple[str, ...]] = {}
    labels: dict[str, str] = {}
    value_labels: dict[str, dict[Any, str]] = {}
    notes = []
    for column, element in zip(names, node.value, strict=True):
        try:
            values, missing_codes, sentences = _column(element, column, name, encoding)
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
        notes += [f"{column!r} {sentence}" for sentence in sentences]
    rows = attrs.get("row.names")
    if rows is not None and kind_of(rows) == "STR" and texts(rows) != [str(i + 1) for i in range(len(rows.value))]:
        notes.append("The names of the rows are ignored; make them a column where they matter.")
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame()
    frame = frame.set_axis(names, axis=1) if columns else frame
    return Part(
        frame, missing_codes=codes, notes=tuple(notes), missing_levels=missing_levels, labels=labels,
        value_labels=value_labels,
    )  # fmt: skip


def _column(
    node: Any, column: str, name: str, encoding: str | None
) -> tuple[pd.Series[Any], tuple[float | str, ...], list[str]]:
    """Return one column, its missing codes, and what is to be said of it."""
    attrs, kind, classes_of_node = attributes(node), kind_of(node), classes(node)
    if "POSIXlt" in classes_of_node:
        moments, sentences = _moments(_broken_down(node))
        return pd.Series(moments), (), sentences
    if "dim" in attrs and len(attrs["dim"].value) > 1 and attrs["dim"].value[1] != 1:  # scale() gives one column
        raise DisclosureError(f"Column {column!r} of {name} is a matrix; make a column of each of its columns.")
    if kind == "VEC":
        contents = "a table" if "data.frame" in classes_of_node else "a list"
        raise DisclosureError(f"Column {column!r} of {name} holds {contents} in its cells; remove it.")
    if kind == "RAW":
        raise DisclosureError(f"Column {column!r} of {name} holds raw bytes, which are no answers; remove it.")
    if kind == "CPLX":
        raise DisclosureError(f"Column {column!r} of {name} holds complex numbers; remove it.")
    if kind not in ("LGL", "INT", "REAL", "STR"):
        raise DisclosureError(f"Column {column!r} of {name} is of a kind that no table here can hold; remove it.")
    if "factor" in classes_of_node:
        return _factor(node, attrs, encoding, ordered="ordered" in classes_of_node), (), []
    if "integer64" in classes_of_node:
        integers = np.ascontiguousarray(node.value).view(np.int64)
        missing = (integers == np.iinfo(np.int64).min) | (integers == 0x7FF00000000007A2)  # bit64's NA, and R's own
        return _whole(integers, missing), (), []
    if kind == "STR":
        values = pd.Series(texts(node, encoding), dtype=object)
        if "labels" in attrs:
            return _with_labels(values, node, attrs, encoding)
        return values.astype("str"), (), []
    if kind == "LGL":
        masked = np.ma.masked_array(node.value)
        missing = np.ma.getmaskarray(masked)
        if missing.any():
            return pd.Series(pd.arrays.BooleanArray(np.ma.getdata(masked).astype(bool), missing)), (), []
        return pd.Series(np.ma.getdata(masked).astype(bool)), (), []
    numbers = np.ma.masked_array(node.value, dtype=float).filled(np.nan)
    numbers = np.where(np.isnan(numbers), np.nan, numbers)  # R's NA is a NaN of its own, at which numpy warns
    if "Date" in classes_of_node:
        moments, sentences = _moments(np.floor(numbers) * 86_400)
        return pd.Series(moments), (), sentences
    if "POSIXct" in classes_of_node:
        return _instants(numbers, attrs)
    if beside := [a for a in attrs if a not in _OF_ALL and _is_as_long(attrs[a], node)]:
        class_name = next((c for c in classes_of_node if c != "AsIs"), "numeric")
        raise DisclosureError(
            f"Column {column!r} of {name} is of R's class {class_name!r}, whose {beside[0]!r} is not read here; "
            "make it text, or remove it."
        )
    if "labels" in attrs or (kind == "REAL" and tagged(node.value)):
        return _with_labels(pd.Series(numbers), node, attrs, encoding)
    sentences = []
    if "difftime" in classes_of_node:
        sentences.append(
            f"is a length of time, in {(texts(attrs.get('units')) or ['its own unit'])[0]}: read as numbers."
        )
    elif classes_of_node and not set(classes_of_node) & {"AsIs", "numeric", "integer"}:
        sentences.append(
            f"is of R's class {classes_of_node[0]!r}, which is not known here: read as the numbers it is made of."
        )
    if kind == "INT":
        masked = np.ma.masked_array(node.value)
        return _whole(np.ma.getdata(masked).astype(np.int64), np.ma.getmaskarray(masked)), (), sentences
    return pd.Series(numbers), (), sentences


_OF_ALL = {"names", "levels", "class", "dim", "dimnames", "label", "labels", "na_values", "na_range", "tzone", "units"}
"""Attributes that are no parts of a column's values."""


def _is_as_long(attribute: Any, node: Any) -> bool:
    """Whether an attribute holds a value for each record, and more than one."""
    return kind_of(attribute) in ("REAL", "INT", "STR") and len(node.value) == len(attribute.value) > 1


def _whole(values: Any, missing: Any) -> pd.Series[Any]:
    if missing.any():
        return pd.Series(pd.arrays.IntegerArray(np.where(missing, 0, values).astype(np.int64), missing))
    return pd.Series(values.astype(np.int64))


def _factor(node: Any, attrs: dict[str, Any], encoding: str | None, *, ordered: bool) -> pd.Series[Any]:
    """Return a factor; a level that is NA, as addNA makes it, is missing."""
    levels = texts(attrs.get("levels"), encoding)
    masked = np.ma.masked_array(node.value)
    raw = np.where(np.ma.getmaskarray(masked), 0, np.ma.getdata(masked)).astype(np.int64)
    places = np.array([-1, *np.where([v is None for v in levels], -1, np.cumsum([v is not None for v in levels]) - 1)])
    known_levels = [v for v in levels if v is not None]
    return pd.Series(
        pd.Categorical.from_codes(places[raw], categories=pd.Index(known_levels, dtype="str"), ordered=ordered)
    )


def _moments(seconds: Any, zone: str | None = None) -> tuple[pd.DatetimeIndex, list[str]]:
    """Return moments from seconds since 1970, by the second where they are whole, and what is to be said of them."""
    beyond = np.abs(np.nan_to_num(seconds, nan=0.0, posinf=np.inf, neginf=-np.inf)) > _FARTHEST
    there = np.isfinite(seconds) & ~beyond
    whole = (seconds[there] == np.floor(seconds[there])).all()
    scale, unit = (1, "s") if whole else (1_000_000, "us")
    ticks = np.rint(np.where(there, seconds, 0) * scale)
    moments = ticks.astype(np.int64).astype(f"M8[{unit}]")
    moments[~there] = np.array("NaT", dtype=moments.dtype)
    notes = outside_notes(outside_calendar(moments, zone))
    if beyond.any():
        notes.append(f"has {beyond.sum():,} infinite date{'s' * int(beyond.sum() > 1)}: read as missing.")
    return pd.DatetimeIndex(moments), notes


def _instants(seconds: Any, attrs: dict[str, Any]) -> tuple[pd.Series[Any], tuple[float | str, ...], list[str]]:
    """Return R's POSIXct: in the zone that it names; without one R shows each user another hour."""
    zone = next((z for z in texts(attrs.get("tzone")) if z), "")
    known = zone_name(zone) if zone else None
    moments, lost = _moments(seconds, known)
    if not zone:
        return pd.Series(moments), (), ["has moments without a time zone: read as UTC.", *lost]
    if zone in ("UTC", "GMT"):
        return pd.Series(moments), (), lost
    try:
        local = moments.tz_localize("UTC").tz_convert(zone)
    except (KeyError, ValueError, OSError):
        return pd.Series(moments), (), [f"is in the time zone {zone!r}, which is not known here: read as UTC.", *lost]
    return pd.Series(local), (), [f"has moments in the time of {zone}.", *lost]


def _broken_down(node: Any) -> Any:
    """Return R's POSIXlt, a list of years, months, days …, as seconds since 1970 of what the clock showed."""
    parts = {
        n: np.ma.masked_array(v.value, dtype=float).filled(np.nan)
        for n, v in _named(node)
        if kind_of(v) in ("INT", "REAL")
    }
    parts = {n: np.where(np.isnan(v), np.nan, v) for n, v in parts.items()}  # no NaN at which numpy warns
    n = max(map(len, parts.values()))
    year, month, day, hour, minute, second = (
        np.resize(parts[k], n) for k in ("year", "mon", "mday", "hour", "min", "sec")
    )
    gone = np.isnan(year + month + day)
    months = (
        np.where(gone, 0, (year - 70) * 12 + month).astype(np.int64).astype("M8[M]").astype("M8[s]").astype(np.int64)
    )
    seconds = months + (np.where(gone, 1, day) - 1) * 86_400 + np.nan_to_num(hour * 3600 + minute * 60 + second)
    return np.where(gone, np.nan, seconds)


def _with_labels(
    values: pd.Series[Any], node: Any, attrs: dict[str, Any], encoding: str | None
) -> tuple[pd.Series[Any], tuple[float | str, ...], list[str]]:
    """Return a column of haven's or labelled's: value labels and declared missing values as in an SPSS file."""
    from disclosure_core.data.readers._statistical import labelled

    if kind_of(node) == "REAL":
        tags = tagged(node.value)
        if tags:
            values = values.astype(object)
            for i, letter in tags.items():
                values.iloc[i] = letter
    labels, ranges = labels_of(attrs, encoding)
    return labelled(values, labels, ranges, numeric=kind_of(node) != "STR")


def labels_of(attrs: dict[str, Any], encoding: str | None) -> tuple[dict[Any, str], list[Any]]:
    """Return the value labels among a column's attributes, and its ranges of missing values, as pyreadstat has them."""
    labels_node = attrs.get("labels")
    if labels_node is None:
        return {}, []
    names = texts(attributes(labels_node).get("names"), encoding)
    if kind_of(labels_node) == "STR":
        codes: list[Any] = texts(labels_node, encoding)
    else:
        codes = np.ma.masked_array(labels_node.value, dtype=float).filled(np.nan).tolist()
        if kind_of(labels_node) == "REAL":
            for i, letter in tagged(labels_node.value).items():
                codes[i] = letter
    labels = {c: n or "" for c, n in zip(codes, names, strict=False) if c is not None and c == c}
    ranges: list[Any] = []
    if "na_values" in attrs:
        na_node = attrs["na_values"]
        na_values = (
            texts(na_node, encoding)
            if kind_of(na_node) == "STR"
            else np.ma.masked_array(na_node.value, dtype=float).tolist()
        )
        ranges += [{"lo": v, "hi": v} for v in na_values]
    if "na_range" in attrs and kind_of(attrs["na_range"]) in ("REAL", "INT"):
        low, high = np.ma.masked_array(attrs["na_range"].value, dtype=float).tolist()
        ranges.append({"lo": low, "hi": high})
    return labels, ranges


def tagged(values: Any) -> dict[int, str]:
    """Return haven's tagged missing values, .a to .z, by position: R's NA with a letter in its fifth byte."""
    numbers = np.ascontiguousarray(np.ma.getdata(values), dtype=np.float64)
    at = np.flatnonzero(np.isnan(numbers))
    bits = numbers.view(np.uint64)[at]
    letters = ((bits >> np.uint64(32)) & np.uint64(0xFF)).astype(int)
    is_na = (bits & np.uint64(0xFFFFFFFF)) == 1954
    return {
        int(i): chr(c).lower()
        for i, c, na in zip(at, letters, is_na, strict=True)
        if na and chr(c).isalpha() and c < 128
    }
