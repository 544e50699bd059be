"""SPSS, Stata and SAS: value labels as levels in their order, user-missing values as missing codes."""

from __future__ import annotations

import io
import string
import warnings
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.errors import DisclosureError
from disclosure_core.readers._reading import Limits, Part, ReadOptions, damaged

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = {letter: -1_000_001 - i for i, letter in enumerate(string.ascii_lowercase)}
"""Stata's and SAS's extended missing values .a to .z in a numeric column, as numbers that no survey uses."""


def spss(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .sav or .zsav file."""
    yield _read("read_sav", "SPSS", data, name, options)


def por(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .por file; it knows no user-missing values of its own."""
    yield _read("read_por", "SPSS portable", data, name, options, user_missing=None)


def stata(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .dta file."""
    yield _read("read_dta", "Stata", data, name, options)


def sas(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .sas7bdat file."""
    yield _read("read_sas7bdat", "SAS", data, name, options)


def xport(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .xpt file."""
    yield _read("read_xport", "SAS transport", data, name, options, user_missing=None)


def _read(
    reader: str, format_: str, data: bytes, name: str, options: ReadOptions, user_missing: bool | None = True
) -> Part:
    import pyreadstat

    asked: dict[str, Any] = {} if user_missing is None else {"user_missing": user_missing}
    if options.encoding:
        asked["encoding"] = options.encoding
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame, meta = getattr(pyreadstat, reader)(io.BytesIO(data), dates_as_pandas_datetime=True, **asked)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError, OverflowError, UnicodeError):
        raise damaged(name, format_) from None
    labels: dict[str, dict[Any, str]] = meta.variable_value_labels or {}
    ranges: dict[str, list[Any]] = getattr(meta, "missing_ranges", None) or {}
    codes: dict[str, tuple[float, ...]] = {}
    notes = []
    columns = {}
    for column in frame.columns:
        if (frame.columns == column).sum() > 1:
            raise DisclosureError(f"{name} has two columns called {column!r}; rename one of them.")
        values = frame[column].where(frame[column] != "") if _holds_text(frame[column]) else frame[column]
        made, found, said = _column(values, labels.get(column, {}), ranges.get(column, []))
        columns[column] = made
        if found:
            codes[column] = found
        notes += [f"{column!r} {sentence}" for sentence in said]
    return Part(
        pd.DataFrame(columns), options=ReadOptions(encoding=options.encoding), missing_codes=codes, notes=tuple(notes)
    )


def _column(
    values: pd.Series[Any], labels: dict[Any, str], ranges: list[Any]
) -> tuple[pd.Series[Any], tuple[float, ...], list[str]]:
    """Return a column as its labels where most of its values have one, its missing codes, and what is to be said."""
    held = list(pd.unique(values.dropna()))
    declared = [v for v in held if _is_missing(v, ranges) or _is_letter(v, held)]
    answers = [v for v in held if v not in declared]
    labelled = sum(v in labels for v in answers)
    if labels and labelled and labelled >= len(answers) / 2:
        return _labelled(values, held, labels, declared)
    letters = [v for v in declared if isinstance(v, str)]
    said = []
    if letters and all(not isinstance(v, str) for v in answers):
        values = pd.to_numeric(values.replace({letter: LETTERS[letter.lower()] for letter in letters}))
        said = [
            f"has .{v}{_named(v, labels)}, shown as {LETTERS[v.lower()]} and taken as a missing code." for v in letters
        ]
        declared = [LETTERS[v.lower()] if isinstance(v, str) else v for v in declared]
    codes = tuple(sorted(float(v) for v in declared if not isinstance(v, str)))
    if codes and not letters:
        listed = ", ".join(f"{v:.15g}{_named(v, labels)}" for v in codes)
        said.append(f"declares {listed} as missing: taken as missing codes.")
    if pd.api.types.is_float_dtype(values.dtype) and (values.dropna() % 1 == 0).all():
        values = values.astype("Int64")
    return values, codes, said


def _labelled(
    values: pd.Series[Any], held: list[Any], labels: dict[Any, str], declared: list[Any]
) -> tuple[pd.Series[Any], tuple[float, ...], list[str]]:
    """Return the column as its labels, in the order of the values that carry them."""
    order = [*labels, *sorted((v for v in held if v not in labels), key=str)]
    texts = {v: labels.get(v, f"{v:.15g}" if not isinstance(v, str) else v) for v in order}
    if len(set(texts.values())) < len(texts):  # two values with one label stay two levels
        twice = pd.Series(texts).duplicated(keep=False)
        texts = {v: f"{text} ({v:.15g})" if twice[v] and not isinstance(v, str) else text for v, text in texts.items()}
    levels = list(dict.fromkeys(texts.values()))
    made = pd.Series(pd.Categorical(values.map(texts), categories=levels, ordered=True), index=values.index)
    said = [f"declares {', '.join(texts[v] for v in declared)} as missing: kept as levels."] if declared else []
    return made, (), said


def _holds_text(values: pd.Series[Any]) -> bool:
    return values.dtype == object or pd.api.types.is_string_dtype(values.dtype)


def _is_missing(value: Any, ranges: list[Any]) -> bool:
    """Whether a value lies in one of the file's ranges of user-missing values."""
    for each in ranges:
        low, high = (each["lo"], each["hi"]) if isinstance(each, dict) else (each, each)
        if isinstance(value, str) == isinstance(low, str) and low <= value <= high:
            return True
    return False


def _is_letter(value: Any, held: list[Any]) -> bool:
    """Whether a value is an extended missing value: a letter among numbers."""
    return isinstance(value, str) and value.lower() in LETTERS and any(not isinstance(v, str) for v in held)


def _named(value: Any, labels: dict[Any, str]) -> str:
    return f" ({labels[value]})" if value in labels else ""
