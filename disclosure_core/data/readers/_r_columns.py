"""A column of R's data frames: its values, its missing codes, and what is to be said of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.data.readers._calendar import outside_calendar, outside_notes
from disclosure_core.data.readers._r_objects import attributes, classes, kind_of, named, texts
from disclosure_core.data.readers._statistical import labelled
from disclosure_core.data.values import zone_name
from disclosure_core.errors import DisclosureError

_FARTHEST = 9e12
"""Seconds since 1970 that microseconds of 64 bits hold."""


def column_of(
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
        for n, v in named(node)
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
