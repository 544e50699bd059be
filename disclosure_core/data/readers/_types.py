"""The type of a column of text, from its distinct values.

A column of text becomes numbers only where no two of its texts become one number: 1.1 and 1.10 may be two codes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_INTEGER = r"^[+-]?\d+$"
_PADDED = r"^[+-]?0\d"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_MOMENT = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?"
_ZONE = r"(Z|[+-]\d{2}:?\d{2})$"
_LOGICAL = r"^(?i:true|false)$"

_EXACT = 18
"""Digits that a whole number may have and still be kept exactly."""

_MOST = 0.9
"""Share of a column's distinct texts that must look alike for a sentence on them."""

ENOUGH = 100_000
"""Distinct texts that are looked at for such a sentence."""

_SIGN = r"[+\-−(]?\s?"
_MONEY = r"(€|\$|£|¥|zł|Kč|kr\.?|Fr\.?|(?i:eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf))"
_GAP = r"[,.'’ \x{a0}\x{202f}]"
_PARTED = rf"\d{_GAP}\d{{3}}(\D|$)"
_AMOUNT = r"\d[\d.,'’ \x{a0}\x{202f}]*\)?"
_DAY_FIRST = r"^(1[3-9]|2\d|3[01])[./-]\d{1,2}[./-]"
_MONTH_FIRST = r"^\d{1,2}[./-](1[3-9]|2\d|3[01])[./-]"
_EITHER_FIRST = r"^(0?[1-9]|1[0-2])[./-](0?[1-9]|1[0-2])[./-]"


def typed(column: pa.ChunkedArray, decimal: str | None, delimiter: str) -> tuple[Any, list[str], str | None]:
    """Return a column of text as what all of its values are, what is to be said of it, and its decimal mark.

    It may come as a dictionary, and does so back where it stays text.
    """
    coded = (column if pa.types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.chunk(0) if coded.num_chunks else pa.array([], coded.type)
    levels = coded.dictionary
    if not len(levels):
        return column, ["has no value in any row."] if len(column) else [], None

    def every(pattern: str, values: pa.Array = levels) -> bool:
        return bool(pc.all(pc.match_substring_regex(values, pattern)).as_py())

    def some(pattern: str, values: pa.Array = levels) -> bool:
        return bool(pc.any(pc.match_substring_regex(values, pattern)).as_py())

    def as_type(values: pa.Array, kind: pa.DataType) -> pa.Array:
        return pc.cast(values, kind).take(coded.indices)

    if not some(r"\d"):  # neither a number nor a date, nor what looks like one
        return (as_type(pc.utf8_lower(levels), pa.bool_()) if every(_LOGICAL) else column), [], None
    if every(_INTEGER):
        if some(_PADDED):
            return column, ["has numbers that begin with 0, such as a postcode: kept as text."], None
        if pc.max(pc.utf8_length(levels)).as_py() <= _EXACT:
            numbers = pc.cast(pc.utf8_ltrim(levels, "+"), pa.int64())
            if number_note := _one_number(levels, numbers):
                return column, [number_note], None
            return numbers.take(coded.indices), [], None
        return column, [f"has whole numbers of more than {_EXACT} digits: kept as text."], None
    marked = levels
    mark = decimal or ("," if delimiter != "," and some(",") else ".")
    if mark == ",":
        marked = pc.replace_substring(levels, ",", ".")
        if some(r"\.", levels):
            marked = levels  # 1.234,5 is not read as a number without being told
    if every(NUMBER, marked):
        if some(_PADDED, marked):
            return column, ["has numbers that begin with 0, such as a postcode: kept as text."], None
        numbers = pc.cast(pc.utf8_ltrim(marked, "+"), pa.float64())
        if number_note := _one_number(levels, numbers) or ("" if decimal else _thousands(levels)):
            return column, [number_note], None
        return numbers.take(coded.indices), [], mark
    if every(_DATE):
        try:
            return as_type(levels, pa.timestamp("s")), [], None
        except pa.ArrowInvalid:
            return column, ["looks like dates, but some are not in the calendar: kept as text."], None
    if every(_MOMENT + "$") or every(_MOMENT + _ZONE):
        kind = pa.timestamp("ns" if some(r"\.\d{7}") else "us", None if every(_MOMENT + "$") else "UTC")
        try:
            return as_type(levels, kind), [], None
        except pa.ArrowInvalid:
            return column, ["looks like moments, but some are not in the calendar: kept as text."], None
    return column, _looks(levels), None


def _one_number(levels: pa.Array, numbers: pa.Array) -> str:
    """Return what is to be said where two texts are one number; -0 and 0 are one, as rounding writes them."""
    rising = np.sort(numbers.to_numpy(zero_copy_only=False))  # Arrow's count of distinct values takes 185 bytes each
    if (rising[1:] != rising[:-1]).all():
        return ""
    texts = pd.Series(levels.to_pandas())
    values = pd.Series(numbers.to_numpy(zero_copy_only=False)) + 0.0 * (not pa.types.is_integer(numbers.type))
    texts = texts.where(values != 0, texts.str.removeprefix("-"))
    pairs = pd.DataFrame({"text": texts, "value": values}).drop_duplicates()
    alike = pairs[pairs["value"].duplicated(keep=False)].sort_values("value", kind="stable")["text"]
    if alike.empty:
        return ""
    return (
        f"has {alike.iloc[0]!r} and {alike.iloc[1]!r}, one number written in two ways: kept as text, since they may be "
        "codes; read it as numbers if they are amounts."
    )


def _thousands(levels: pa.Array) -> str:
    """Return what is to be said where each point or comma looks as if it parted thousands: 950, 1.137, 12.500."""
    parted = pc.match_substring_regex(levels, r"^[+-]?[1-9]\d{0,2}[.,]\d{3}$")
    plain = pc.match_substring_regex(levels, r"^[+-]?\d{1,3}$")
    n = pc.sum(parted).as_py()
    if n == len(levels) > 1:
        return (
            f"has three digits after the mark in every value, such as {levels[0].as_py()!r}, which may be thousands or "
            "fractions: kept as text; choose the decimal mark if they are fractions."
        )
    if n < 5 or not pc.all(pc.or_(parted, plain)).as_py():
        return ""
    example = levels.filter(parted)[0].as_py()
    return (
        f"has numbers whose thousands are parted, such as {example!r}: kept as text; choose the decimal mark if they "
        "are fractions."
    )


def _such(what: str) -> Callable[[pa.Array], str]:
    """Return what says this of texts, and gives the first of them."""
    return lambda texts: f"{what}, such as {texts[0].as_py()!r}: kept as text."


def _dates(texts: pa.Array) -> str:
    """Return what is to be said of dates not written as 2020-01-31: a 13 or more tells where the day stands."""
    day, month, either = (
        texts.filter(pc.match_substring_regex(texts, looks)) for looks in (_DAY_FIRST, _MONTH_FIRST, _EITHER_FIRST)
    )
    if bool(len(day)) == bool(len(month)):
        example = (either if len(either) else texts)[0].as_py()
        return f"has dates whose day and month cannot be told apart for certain, such as {example!r}: kept as text."
    first, example = ("day", day[0].as_py()) if len(day) else ("month", month[0].as_py())
    return f"has dates with the {first} first, such as {example!r}, not written as 2020-01-31: kept as text."


_LOOKS = (
    (rf"^{_SIGN}({_MONEY}\s?{_SIGN}{_AMOUNT}|{_AMOUNT}\s?{_MONEY})\)?$", _MONEY, _such("has amounts of money")),
    (rf"^{_SIGN}\d+([.,]\d+)?\s?%$", "%", _such("has percentages")),
    (
        rf"^[+-]?\d+(e[+-]?\d+|[.,]\d+)?$|^[+-]?\d{{1,3}}({_GAP}\d{{3}})+([.,]\d+)?$",
        _PARTED,
        _such("has numbers whose thousands are parted"),
    ),
    (r"^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*$", r"^\s|\s$", _such("has numbers with spaces around them")),
    (r"^(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2})( \d.*)?$", r"^\d{1,2}[./-]", _dates),
)
"""What nearly every text of a column looks like, what at least one must hold, and what says it of those that do."""


def _looks(levels: pa.Array) -> list[str]:
    """Return what is to be said of texts that are numbers or dates to a person."""
    sample = levels.slice(0, ENOUGH)
    for every_value, must, said in _LOOKS:
        alike = pc.match_substring_regex(sample, every_value)
        if pc.sum(alike).as_py() < _MOST * len(sample):
            continue
        matching = sample.filter(pc.and_(alike, pc.match_substring_regex(sample, must)))
        if must == _PARTED:
            matching = _thousands_among(matching, sample)
        if len(matching):
            return [said(matching)]
    return []


def _thousands_among(matching: pa.Array, sample: pa.Array) -> pa.Array:
    """Return the texts whose thousands are parted: by no mark that in another text parts a fraction, as in 9.81250."""
    for mark in ".,":
        if pc.any(pc.match_substring_regex(sample, rf"^[+-]?\d+[{mark}](\d{{1,2}}|\d{{4,}})(e[+-]?\d+)?$")).as_py():
            matching = matching.filter(
                pc.invert(pc.match_substring_regex(matching, rf"^[+-]?\d+[{mark}]\d+(e[+-]?\d+)?$"))
            )
    return matching
