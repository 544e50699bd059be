"""Mends of numbers: decimal marks and digits, amounts of money, percentages, other units."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats, Ints
from disclosure_core.data.mends._series import Read, is_text, objects_of, texts_of
from disclosure_core.data.sides import Side, shares
from disclosure_core.data.spellings.stored import factors

MOST_OF = 0.95
"""The share of a side's records that must do with its decimal digits: a few odd values do not decide."""

PLAIN_MARKS: Mapping[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    "": (re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"), str),
    ",": (re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?"), lambda t: t.replace(",", ".")),
    ", in thousands": (re.compile(r"[+-]?\d{1,3}(,\d{3})*(\.\d*)?|[+-]?\d+(\.\d*)?"), lambda t: t.replace(",", "")),
    ". in thousands": (
        re.compile(r"[+-]?\d{1,3}([. \u00a0\u202f]\d{3})*(,\d*)?|[+-]?\d+(,\d*)?"),
        lambda t: re.sub("[. \u00a0\u202f]", "", t).replace(",", "."),
    ),
}
"""Ways to read a text as a number: what it must look like, and how Python writes it."""

_MONEY = r"(?:[\u20ac$\u00a3\u00a5]|z\u0142|K\u010d|kr\.?|Fr\.?|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF)"


def _amounts(mark: str) -> tuple[re.Pattern[str], Callable[[str], str]]:
    """Return how amounts of money are read whose numbers are written in one of the ways above."""
    looks, plain = PLAIN_MARKS[mark]
    number = rf"(?:{looks.pattern})"
    sign = re.compile(rf"\s*{_MONEY}\s*", re.IGNORECASE)
    found = re.compile(rf"[+-]?{_MONEY}\s?{number}|{number}\s?{_MONEY}", re.IGNORECASE)
    return found, lambda t: plain(sign.sub("", t))


def _percents(share: int) -> tuple[re.Pattern[str], Callable[[str], str]]:
    """Return how percentages are read: as their number, or as their share of one."""
    looks = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s?%")
    return looks, lambda t: str(Decimal(t.rstrip("% \u00a0").replace(",", ".")) / share)


_MARKS = {
    **PLAIN_MARKS,
    **{f"money {mark}": _amounts(mark) for mark in PLAIN_MARKS},
    "%": _percents(1),
    "% of 1": _percents(100),
}
"""The same, and amounts of money and percentages."""

_UNITS = (60, 3600, 24, 7, 12, 10, 100, 1000, 10_000)
"""How many of one unit another is: minutes, hours, days, months; millimetres, percent, thousands, basis points."""

_IN_ANOTHER_UNIT, _IN_THIS_UNIT = 0.5, 0.9
"""A file has another unit where of its records so few have a number of the original, and so many do once converted."""

_MERGED = 6
"""As many numbers, on average, may become one by it: shares of one are no levels 0 to 10 in sevenths."""

_USUAL = 5
"""Decimal digits that are tried before a number is written out."""

_SAMPLE = 5_000
"""Distinct numbers that are looked at for their decimal digits."""


def decimals(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Read texts as numbers in the way in which most values meet, and round to the digits of the coarsest side."""
    best: tuple[float, Any] | None = None
    for mark in _MARKS if any(is_text(side.values) for side in sides) else [""]:
        tried = [Side(as_numbers(side.values, mark), side.records) for side in sides]
        if any(is_text(side.values) for side in tried):
            continue
        digits = [_digits(side) for side in tried]
        change = _rounder(mark, min(digits))
        if all(side.values is before.values for side, before in zip(tried, sides, strict=True)) and (
            min(digits) == max(digits)
        ):
            continue
        met = float(shares([Side(change(side.values), side.records) for side in sides]).mean())
        if best is None or met > best[0]:
            best = met, change
    return None if best is None else best[1]


def _rounder(mark: str, digits: int) -> Any:
    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        numbers = as_numbers(values, mark)
        if not pd.api.types.is_float_dtype(numbers.dtype):
            return numbers
        rounded = _rounded(numbers.to_numpy(dtype=float, na_value=np.nan), digits)
        return pd.Series(rounded, index=numbers.index, name=numbers.name)

    looks, plain = _MARKS[mark]

    def some(distinct: Sequence[Any]) -> Mapping[Any, str]:
        fit = [v for v in distinct if isinstance(v, str) and looks.fullmatch(v) and abs(float(plain(v))) < 2**53]
        numbers = [v for v in distinct if isinstance(v, int | float)]
        made = [*change(pd.Series(fit, dtype="str")).tolist(), *change(pd.Series(numbers, dtype=float)).tolist()]
        return {v: str(number) for v, number in zip([*fit, *numbers], made, strict=True)}

    return Read(change, some)


def _rounded(values: Floats, digits: int) -> Floats:
    """Return numbers rounded as `_round` does; only those near a half, or very large, are looked at one by one."""
    power = 10.0 ** min(digits, 22)  # the largest that a double holds exactly
    with np.errstate(all="ignore"):
        scaled = np.abs(values) * power
        rounded = np.copysign(np.floor(scaled + 0.5) / power, values) + 0.0
        plain = (scaled < 2**40) & (np.abs(scaled - np.floor(scaled) - 0.5) > 1e-3) & (digits <= 22)
    hard = ~plain & ~np.isnan(values)
    rounded[hard] = [_round(value, digits) for value in values[hard].tolist()]
    return np.where(np.isnan(values), np.nan, rounded)


def _round(value: float, digits: int) -> float:
    """Return a number rounded as its shortest decimal is written, half away from zero."""
    if not np.isfinite(value):
        return value
    exact = Decimal(repr(value))
    scaled = (abs(exact).scaleb(digits) + Decimal("0.5")).to_integral_value("ROUND_FLOOR")
    return float((scaled if exact >= 0 else -scaled).scaleb(-digits)) + 0.0


def _digits(side: Side) -> int:
    """Return the decimal digits with which nearly all records of a side do."""
    if not pd.api.types.is_float_dtype(side.values.dtype):
        return 0
    present = side.values.notna().to_numpy()
    stride = max(1, len(present) // _SAMPLE)
    numbers, records = side.values[present].to_numpy()[::stride], side.records[present][::stride]
    if not len(numbers):
        return 0
    digits = np.array([_digits_of(v) for v in numbers.tolist()])
    order = np.argsort(digits, kind="stable")
    upto = np.cumsum(records[order])
    return int(digits[order][np.searchsorted(upto, MOST_OF * upto[-1])])


def _digits_of(number: float) -> int:
    for digits in range(_USUAL if abs(number) < 2**32 else 0):
        if round(number, digits) == number:
            return digits
    return max(0, -int(Decimal(str(number)).normalize().as_tuple().exponent)) if np.isfinite(number) else 0


def units(sides: Sequence[Side], _declared: Mapping[str, str], least: float = _IN_THIS_UNIT) -> Any:
    """Convert numbers into the original's unit, to its decimal digits; a file is converted as a whole, or stays.

    So much of a file must meet once it is converted: `least`.
    """
    if not all(_numeric(side.values) for side in sides):
        return None
    known = np.unique(sides[0].values.dropna().to_numpy(dtype=float))
    converted = partial(_converted, known=known, digits=_digits(sides[0]), least=least)
    if not len(known) or all(converted(side.values, side.records) is side.values for side in sides):
        return None
    return converted


def have_quantiles_of_another_unit(sides: Sequence[Side]) -> bool:
    """Whether the numbers of a side have about the original's quantiles once they are in another unit."""
    if not all(_numeric(side.values) for side in sides):
        return False
    numbers = [side.values.to_numpy(dtype=float, na_value=np.nan) for side in sides]
    weights = [np.where(np.isnan(v), 0, side.records) for v, side in zip(numbers, sides, strict=True)]
    for other, weight in zip(numbers[1:], weights[1:], strict=True):
        values, places = np.unique(np.concatenate([numbers[0], other]), return_inverse=True)
        first, second = np.split(places, [len(numbers[0])])
        both = (
            np.bincount(first, weights=weights[0], minlength=len(values)).astype(np.int64),
            np.bincount(second, weights=weight, minlength=len(values)).astype(np.int64),
        )
        if weights[0].any() and weight.any() and factors(values, both):
            return True
    return False


def _converted(
    values: pd.Series[Any],
    records: Ints | None = None,
    *,
    known: Floats,
    digits: int,
    least: float = _IN_THIS_UNIT,
) -> pd.Series[Any]:
    """Return numbers in the unit of the numbers known; as they are where they already meet, or no unit lets them.

    A number that is known only as it stands, such as a code for no answer, stays.
    """
    if not _numeric(values):
        return values
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    weights = np.where(np.isnan(numbers), 0, 1 if records is None else records)
    n, plain = weights.sum(), np.isin(numbers, known)
    if not n or (weights * plain).sum() > _IN_ANOTHER_UNIT * n:
        return values
    best, most = values, least * n
    for factor in _UNITS:
        for scaled in (numbers * factor, numbers / factor):
            rounded = _rounded(scaled, digits)
            meets = np.isin(rounded, known)
            met = (weights * (meets | plain)).sum()
            if met >= most and len(np.unique(rounded[meets])) * _MERGED >= len(np.unique(numbers[meets])):
                most = met
                best = pd.Series(np.where(plain & ~meets, numbers, rounded), index=values.index, name=values.name)
    return best


def _numeric(values: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype))


def some_number(sides: Sequence[Side]) -> bool:
    """Whether a side of the column is of numbers, so that texts which become numbers are to be numbers too."""
    return any(_numeric(side.values) for side in sides)


def all_numbers(values: pd.Series[Any]) -> bool:
    """Whether every text is a number, and no two texts the same one: codes such as 1.1 and 1.10 stay text."""
    texts = texts_of(values)
    numbers = [t for t in texts if _MARKS[""][0].fullmatch(t)]
    plain = {t: np.format_float_positional(float(t), trim="-") for t in numbers}
    return len(numbers) == len(texts) > 0 and all(plain[t].lstrip("+") == t for t in texts)


def as_numbers(values: pd.Series[Any], mark: str) -> pd.Series[Any]:
    """Return texts as numbers, read in one of the ways of `_MARKS`; the series itself where one is no number."""
    looks, plain = _MARKS[mark]
    if not is_text(values):
        return values
    distinct = list(dict.fromkeys(v for v in objects_of(values)))
    if not distinct or not all(isinstance(v, str) and looks.fullmatch(v) for v in distinct):
        return values
    table = {v: float(plain(v)) for v in distinct}
    if any(abs(v) >= 2**53 for v in table.values()):
        return values  # so long a number would lose digits
    numbers = values.astype(object).map(table, na_action="ignore").astype("float64")
    return numbers.astype("Int64") if all(v.is_integer() for v in table.values()) else numbers
