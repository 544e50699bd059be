"""SPSS, Stata and SAS: value labels as levels in their order, user-missing values as missing codes."""

from __future__ import annotations

import io
import re
import string
import struct
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.data.readers._calendar import shown, with_moments
from disclosure_core.data.readers._encoding import western
from disclosure_core.data.readers._reading import Limits, Part, ReadOptions, damaged, of_columns
from disclosure_core.data.readers._sav import weighted_by
from disclosure_core.errors import DisclosureError

LETTERS = {"_": -1_000_000, **{letter: -1_000_001 - i for i, letter in enumerate(string.ascii_lowercase)}}
"""Stata's and SAS's extended missing values .a to .z and ._ in a numeric column, as numbers that no survey uses."""


_PERIODS = re.compile(r"%-?t|(WKYR|MOYR|QYR|WKDAY|MONTH)\d")
"""Formats of Stata and SPSS that show numbers as weeks, months, names of days, or as days in a way not known here."""

_EXACT = 2**53
"""Whole numbers up to this size are told apart by a float."""


def spss(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .sav or .zsav file."""
    part = _read("read_sav", "SPSS", data, name, options)
    weight = weighted_by(data)
    if weight is not None:
        title = weight[1]
        note = f"The file is weighted by {title!r}: weights are not used, every record counts once."
        part = replace(part, notes=(*part.notes, note))
    yield part


def por(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .por file; it knows no user-missing values of its own."""
    part = _read("read_por", "SPSS portable", data, name, options, user_missing=None)
    note = "What SPSS declares as missing in a portable file is read as empty cells; save it as .sav to keep it."
    yield replace(part, notes=(*part.notes, note))


def stata(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .dta file; texts that R's `write.dta` left in UTF-8, in a format that knows no encoding, as such."""
    newer = re.match(rb"<stata_dta><header><release>(12\d)", data)
    if newer:
        raise DisclosureError(
            f"{name} is of Stata's format {newer[1].decode()}, which is not read; save it by saveold."
        )
    part = _read("read_dta", "Stata", data, name, options)
    knows_encoding = re.match(rb"<stata_dta><header><release>11[89]", data)  # Stata 14 and newer write UTF-8
    if not knows_encoding and not options.encoding and _is_utf8(_texts(part)):
        part = _read("read_dta", "Stata", data, name, replace(options, encoding="utf-8"))
        note = "Its texts are UTF-8 and are read so, though this format of Stata knows Western European letters only."
        part = replace(part, notes=(*part.notes, note))
    yield part


def _texts(part: Part) -> list[str]:
    """Return the texts of a table as read: names, labels and values."""
    frame: Any = part.frame
    texts = [str(name) for name in frame.columns]
    for name in frame.columns:
        values = frame[name]
        if isinstance(values.dtype, pd.CategoricalDtype):
            texts += map(str, values.cat.categories)
        elif holds_text(values):
            texts += map(str, values.dropna().unique())
    return texts


def _is_utf8(texts: list[str]) -> bool:
    """Whether texts read as Western European have letters beyond ASCII, and all of them are those of UTF-8."""
    beyond = [text for text in texts if not text.isascii()]
    try:
        return bool(beyond) and all(text.encode("cp1252").decode("utf-8") for text in beyond)
    except UnicodeError:
        return False


def sas(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .sas7bdat file."""
    yield _read("read_sas7bdat", "SAS", data, name, options)


def xport(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a .xpt file; it does not say how its texts are encoded: SAS on Windows writes Western European ones."""
    format_ = "SAS transport"
    try:
        part = _read("read_xport", format_, data, name, options, user_missing=None)
    except DisclosureError as error:
        if options.encoding or not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        part = _read("read_xport", format_, data, name, replace(options, encoding="cp1252"), user_missing=None)
        part = replace(part, notes=(*part.notes, western()))
    yield part


def catalogue(data: bytes, name: str) -> dict[str, dict[str, str]]:
    """Return, by SAS format, the label of each code that a catalogue (.sas7bcat) gives it.

    .A to .Z and ._ are called as `LETTERS` calls them in a column. pyreadstat gives of a range its upper end alone.
    """
    import pyreadstat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, meta = pyreadstat.read_sas7bcat(io.BytesIO(data))
        found = {
            format_name(title): {_code(value, numeric=not title.startswith("$")): label for value, label in of.items()}
            for title, of in (meta.value_labels or {}).items()
        }
    except MemoryError:
        raise
    except Exception as error:  # the parser of a hostile file may fail in any way
        raise damaged(name, "SAS catalogue") from error
    return {title: of for title, of in found.items() if title and of}


def _code(value: Any, *, numeric: bool) -> str:
    """Return a code of a catalogue as a column has it."""
    if isinstance(value, str):
        return f"{LETTERS[value.lower()]}" if numeric and value.lower() in LETTERS else value.strip()
    return f"{value:.15g}"


def format_name(text: str | None) -> str:
    """Return a SAS format's name in capitals, without width and decimals: no name of one ends in a digit."""
    return re.sub(r"\d*\.?\d*$", "", (text or "").strip()).upper()


def _read(
    reader: str, format_: str, data: bytes, name: str, options: ReadOptions, user_missing: bool | None = True
) -> Part:
    import pyreadstat

    arguments: dict[str, Any] = {} if user_missing is None else {"user_missing": user_missing}
    if options.encoding:
        arguments["encoding"] = options.encoding
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = partial(getattr(pyreadstat, reader), disable_datetime_conversion=True)
            frame, meta = read(io.BytesIO(data), **arguments)
            lettered = [c for c in meta.missing_user_values or () if meta.readstat_variable_types[c].startswith("int")]
            if lettered:  # pyreadstat gives any number for a cell without one that stands below a letter
                empty = read(io.BytesIO(data), usecols=lettered, **arguments | {"user_missing": False})[0].isna()
                for column in lettered:
                    letters = frame[column].map(lambda value: isinstance(value, str))
                    frame[column] = frame[column].mask(empty[column] & ~letters)
            if reader == "read_xport":
                _with_letters(frame, data)
    except MemoryError:
        raise
    except Exception as error:  # the parser of a hostile file may fail in any way
        raise damaged(name, format_) from error
    if not all(isinstance(column, str) for column in frame.columns):
        raise damaged(name, format_)
    labels: dict[str, dict[Any, str]] = meta.variable_value_labels or {}
    ranges: dict[str, list[Any]] = getattr(meta, "missing_ranges", None) or {}
    types: dict[str, str] = meta.readstat_variable_types
    formats: dict[str, str] = meta.original_variable_types
    codes: dict[str, tuple[float, ...]] = {}
    missing_levels: dict[str, tuple[str, ...]] = {}
    said = []
    columns = {}
    dated = with_moments(frame, formats, {c for c, kind in types.items() if kind != "string"}, ranges, format_)
    for column in frame.columns:
        named = re.sub(r"_duplicated\d+$", "", column)
        if named != column and column.encode() not in data:  # pyreadstat's own name for a second one
            raise DisclosureError(f"{name} has two columns called {named!r}; rename one of them.")
        values = frame[column].where(frame[column] != "") if holds_text(frame[column]) else frame[column]
        if column in dated:
            columns[column] = values
            said += [(column, sentence) for sentence in dated[column]]
            continue
        new_values, missing_codes, sentences = labelled(
            values, labels.get(column, {}), ranges.get(column, []), numeric=types.get(column) != "string"
        )
        if types.get(column) == "float" and new_values.dtype == "float64":
            new_values = new_values.astype(
                "float32"
            )  # 1.1 is another number in 32 bits than in 64: its width tells which it was
        columns[column] = new_values
        format_of_column = formats.get(column) or ""
        dated_so = _PERIODS.match(format_of_column) or shown(format_of_column, format_)
        if dated_so and pd.api.types.is_numeric_dtype(new_values.dtype):
            sentences = [
                *sentences,
                f"is shown as {format_of_column} by {format_}: read as the numbers that the file holds.",
            ]
        declared(column, missing_codes, codes, missing_levels)
        said += [(column, sentence) for sentence in sentences]
    return Part(
        pd.DataFrame(columns),
        options=ReadOptions(encoding=options.encoding),
        missing_codes=codes,
        notes=tuple(of_columns(said)),
        value_labels=labels,
        missing_levels=missing_levels,
        labels={n: text.strip() for n, text in (meta.column_names_to_labels or {}).items() if (text or "").strip()},
        formats={n: f for n, text in formats.items() if (f := format_name(text))} if format_.startswith("SAS") else {},
    )


def declared(
    column: str, found: tuple[float | str, ...], codes: dict[str, tuple[float, ...]], levels: dict[str, tuple[str, ...]]
) -> None:
    """Put what a file declares as missing in a column among the codes, where it is numbers, and among the levels."""
    numbers = tuple(v for v in found if not isinstance(v, str))
    if numbers:
        codes[column] = numbers
    if found:
        levels[column] = tuple(v if isinstance(v, str) else f"{v:.15g}" for v in found)


def _with_letters(frame: pd.DataFrame, data: bytes) -> None:
    """Put the letters of special missing values into the numbers of a SAS transport file, in place.

    pyreadstat reads .A to .Z and ._ there as empty cells. A missing value is its sign and zeros.

    Source
    ------
    SAS, "Record layout of a SAS version 5 or 6 data set in SAS transport (XPORT) format" (TS-140); version 8 alike.
    """
    found = re.search(rb"HEADER RECORD\*{7}NAM(?:ESTR|STV8) *HEADER RECORD", data)
    begins = re.search(rb"HEADER RECORD\*{7}OBS(?:V8)? *HEADER RECORD", data)
    if found is None or begins is None or not len(frame):
        return
    width, places = 0, []
    if len(data) < found.start() + 80 + 140 * frame.shape[1]:
        return
    for i in range(frame.shape[1]):
        at = found.start() + 80 + 140 * i
        kind, _, length = struct.unpack(">hhh", data[at : at + 6])
        (position,) = struct.unpack(">i", data[at + 84 : at + 88])
        width += length
        places.append((kind, position, length))
    rows = data[begins.start() + 80 :][: width * len(frame)]
    if len(rows) < width * len(frame):
        return
    cells = np.frombuffer(rows, dtype=np.uint8).reshape(len(frame), width)
    for name, (kind, position, length) in zip(frame.columns, places, strict=True):
        if (
            kind != 1
            or not 0 <= position <= width - length
            or length < 2
            or not pd.api.types.is_numeric_dtype(frame[name].dtype)
        ):
            continue
        own = cells[:, position : position + length]
        signs = own[:, 0]
        letters = ((signs >= 65) & (signs <= 90)) | (signs == 95)
        letters &= ~own[:, 1:].any(axis=1)
        if letters.any() and frame[name].isna()[letters].all():
            told = pd.Series([chr(sign) for sign in signs.tolist()], index=frame.index, dtype=object)
            frame[name] = frame[name].astype(object).mask(letters, told)


def labelled(
    values: pd.Series[Any], labels: dict[Any, str], ranges: list[Any], *, numeric: bool
) -> tuple[pd.Series[Any], tuple[float | str, ...], list[str]]:
    """Return a column as its labels where most of its values have one, what is declared missing, what is to be said.

    Declared are the codes of a column of numbers, and the labels of one that is read as its labels.

    `numeric` tells a column of numbers, whose letters are extended missing values, from one of texts.
    """
    distinct = list(pd.unique(values.dropna()))
    declared = [v for v in distinct if in_ranges(v, ranges) or (numeric and _is_letter(v))]
    answers = [v for v in distinct if v not in declared]
    labelled = sum(v in labels for v in answers)
    if labels and labelled and labelled >= len(answers) / 2:
        return _labelled(values, distinct, labels, declared)
    letters = [v for v in declared if isinstance(v, str)]
    sentences = []
    if letters and all(not isinstance(v, str) for v in answers):
        values = pd.to_numeric(values.replace({letter: LETTERS[letter.lower()] for letter in letters}))
        sentences = [
            f"has .{v}{_named(v, labels)}, shown as {LETTERS[v.lower()]} and taken as a missing code." for v in letters
        ]
        declared = [LETTERS[v.lower()] if isinstance(v, str) else v for v in declared]
    codes = tuple(sorted(float(v) for v in declared if not isinstance(v, str)))
    if codes and not letters:
        listed = ", ".join(f"{v:.15g}{_named(v, labels)}" for v in codes)
        sentences.append(f"declares {listed} as missing: taken as missing codes.")
    texts = [v for v in declared if isinstance(v, str)]
    if texts:
        sentences.append(f"declares {', '.join(texts)} as missing: they count as missing, each as a level.")
    if labelled:
        sentences.append(f"has labels for {labelled:,} of its {len(answers):,} values only: read as its values.")
    if pd.api.types.is_float_dtype(values.dtype) and _are_whole(values):
        values = values.astype("Int64")
    return values, (*codes, *texts), sentences


def _labelled(
    values: pd.Series[Any], distinct: list[Any], labels: dict[Any, str], declared: list[Any]
) -> tuple[pd.Series[Any], tuple[float | str, ...], list[str]]:
    """Return the column as its labels, in the order of the values that carry them."""
    order = [*labels, *sorted((v for v in distinct if v not in labels), key=str)]
    texts = {v: labels.get(v, f"{v:.15g}" if not isinstance(v, str) else v) for v in order}
    if len(set(texts.values())) < len(texts):  # two values with one label stay two levels
        twice = pd.Series(texts).duplicated(keep=False)
        texts = {v: f"{text} ({v:.15g})" if twice[v] and not isinstance(v, str) else text for v, text in texts.items()}
    levels = list(dict.fromkeys(texts.values()))
    categories = pd.Series(pd.Categorical(values.map(texts), categories=levels, ordered=True), index=values.index)
    sentences = (
        [f"declares {', '.join(texts[v] for v in declared)} as missing: they count as missing, each as a level."]
        if declared
        else []
    )
    return categories, tuple(texts[v] for v in declared), sentences


def _are_whole(values: pd.Series[Any]) -> bool:
    """Whether all numbers are whole and held exactly, so that nothing is lost when they become integers."""
    present = values.dropna()
    return bool((present % 1 == 0).all() and (present.abs() <= _EXACT).all())


def holds_text(values: pd.Series[Any]) -> bool:
    """Whether a column of pyreadstat's frame holds texts."""
    return values.dtype == object or pd.api.types.is_string_dtype(values.dtype)


def in_ranges(value: Any, ranges: list[Any]) -> bool:
    """Whether a value lies in one of a file's ranges of declared missing values, as pyreadstat has them."""
    for value_range in ranges:
        low, high = (
            (value_range["lo"], value_range["hi"]) if isinstance(value_range, dict) else (value_range, value_range)
        )
        if isinstance(value, str) == isinstance(low, str) and low <= value <= high:
            return True
    return False


def _is_letter(value: Any) -> bool:
    """Whether a value of a column of numbers is an extended missing value."""
    return isinstance(value, str) and value.lower() in LETTERS


def _named(value: Any, labels: dict[Any, str]) -> str:
    return f" ({labels[value]})" if value in labels else ""
