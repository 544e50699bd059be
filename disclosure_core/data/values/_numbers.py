"""Numbers: which decimal a float stands for, exact ones of any length, and how each is written."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Array, Floats, Indices
from disclosure_core.data.values._coding import object_array
from disclosure_core.rounding import in_full

DIGITS = 15
"""Significant digits of a 64-bit float that count, as in R and every text file that R writes."""

LARGEST = 2**53
"""Up to here a 64-bit float holds every whole number."""


def plain_numbers(listed: Sequence[Any]) -> Array:
    """Return numbers that Python holds, of types that may differ, in the plainest form that holds them all."""
    if all(isinstance(v, int | np.integer) for v in listed):
        return whole_numbers([int(v) for v in listed])
    if all(isinstance(v, float) for v in listed):  # of 64 bits, numpy's too
        return plain_floats(np.array(listed, dtype=np.float64))
    if not all(is_finite(v) for v in listed):
        return plain_floats(np.array([float(v) for v in listed]))
    return plainest([as_decimal(v) for v in listed])


def is_finite(value: Any) -> bool:
    """Whether a number is neither infinite nor NaN."""
    return bool(value.is_finite() if isinstance(value, Decimal) else np.isfinite(float(value)))


def as_decimal(value: Any) -> Decimal:
    """Return a finite number as the decimal it stands for."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int | np.integer):
        return Decimal(int(value))
    if isinstance(value, Fraction):
        value = float(value)
    single = plain_floats(np.array([value], dtype=value.dtype if isinstance(value, np.floating) else np.float64))
    return Decimal(texts(single)[0])


def plainest(exact: Sequence[Decimal]) -> Array:
    """Return decimals as whole numbers if all are; as floats if all have so few digits that those tell them apart."""
    if all(v == v.to_integral_value() for v in exact):
        return whole_numbers([int(v) for v in exact])
    if all(_fits_float(v) for v in exact):
        return plain_floats(np.array([float(v) for v in exact]))
    return object_array(plain_number(v) for v in exact)


def _fits_float(value: Decimal) -> bool:
    """Whether a float holds all digits of a decimal, zeros at its ends not counted."""
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    return len(digits) <= DIGITS and (not digits or abs(value.adjusted()) < 280)


def plain_number(value: Decimal) -> int | float | Decimal:
    """Return a number of an exact column: whole, a float where that has all its digits, else a decimal."""
    if value == value.to_integral_value():
        return int(value)
    return float(value) if _fits_float(value) else value


def whole_numbers(listed: list[int]) -> Array:
    """Return whole numbers in the narrowest of 64 bits, 64 bits without a sign, and Python's own."""
    low, high = min(listed, default=0), max(listed, default=0)
    if low >= -(2**63) and high < 2**63:
        return np.array(listed, dtype=np.int64)
    return np.array(listed, dtype=np.uint64) if low >= 0 and high < 2**64 else object_array(listed)


def as_signed(values: Array) -> Array:
    """Return whole numbers as signed ones of 64 bits where they fit."""
    if values.dtype == np.uint64 and values.size and int(values.max()) >= 2**63:
        return values
    return values.astype(np.int64)


def plain_floats(values: npt.NDArray[np.floating[Any]]) -> Floats:
    """Return each float as the 64-bit float of the decimal that it stands for (see `data.values`)."""
    if values.dtype == np.float32:
        values = _shortest(values, (6, 7, 8, 9))
    elif values.dtype == np.float16:
        values = _shortest(values, (3, 4, 5))
    wide = values.astype(np.float64)
    return wide + 0.0 if are_whole(wide) else _rounded(wide)  # -0.0 and 0.0 are one level


def are_whole(values: npt.NDArray[np.floating[Any]]) -> bool:
    """Whether all are whole numbers, or infinite."""
    return bool((values == np.rint(values)).all())


def _shortest(values: npt.NDArray[np.floating[Any]], digits: Sequence[int]) -> Floats:
    """Return the shortest decimal that reads back as each narrow float; every decimal of `digits[0]` digits does."""
    narrow = values.dtype.type
    wide = values.astype(np.float64)
    pending = np.isfinite(values) & (values != 0)
    # Next to a power of two, and in the smallest numbers, neighbours stand unevenly; large ones are not rounded to 15
    # digits afterwards. numpy finds these one by one.
    size = np.abs(wide)
    odd = pending & ((np.abs(np.frexp(wide)[0]) == 0.5) | (size < float(np.finfo(narrow).tiny)) | (size >= 1e15))
    result = wide.copy()
    for i in np.flatnonzero(odd):
        result[i] = float(np.format_float_scientific(values[i]))
    pending &= ~odd
    for n in digits:
        places = np.flatnonzero(pending)
        if not places.size:
            break
        tried = _rounded(wide[places], n)
        with np.errstate(over="ignore"):
            reads_back = tried.astype(narrow) == values[places]
        result[places[reads_back]] = tried[reads_back]
        pending[places[reads_back]] = False
    return result


def _rounded(values: Floats, digits: int = DIGITS) -> Floats:
    """Return values rounded to significant digits; zero, infinities and extremes stay as they are.

    With all digits of a 64-bit float, whole numbers stay as they are.
    """
    size = np.abs(values)
    plain = (size > 1e-280) & (size < (1e15 if digits == DIGITS else 1e280))
    with np.errstate(all="ignore"):
        positive = np.where(plain, size, 1.0)
        exponent = np.floor(np.log10(positive))
        exponent -= 10.0**exponent > positive  # just below a power of ten the logarithm is rounded up to it
        scale = 10.0 ** (digits - 1 - exponent)
        # Above that the scale is a fraction that binary cannot hold: divide by its whole inverse instead.
        inverse = np.rint(1 / scale)
        rounded = np.where(scale >= 1, np.rint(values * scale) / scale, np.rint(values / inverse) * inverse)
    beyond_range = np.rint(values) if digits == DIGITS else values
    return np.where(plain, rounded, np.where(size >= 1e15, beyond_range, values)) + 0.0  # -0.0 and 0.0 are one level


def texts(values: Array) -> tuple[str, ...]:
    """Return each level as a person sees it: numbers plain, whole ones without a decimal point."""
    if values.dtype.kind in "iu":
        return tuple(map(str, values.tolist()))
    if values.dtype.kind == "f":
        written = np.char.mod("%.15g", values + 0.0).tolist()  # no "-0"
        return tuple(
            _large(v) if abs(v) >= 1e15 else np.format_float_positional(float(t), trim="-") if "e" in t else t
            for v, t in zip(values.tolist(), written, strict=True)
        )
    return tuple(map(_text, values.tolist()))


def _large(value: float) -> str:
    """Return a float without digits after the point: itself as far as whole numbers of 64 bits go, else its decimal."""
    if not np.isfinite(value):
        return f"{value}"
    return str(int(value)) if abs(value) < 2**64 else str(int(Decimal(repr(value))))


def _text(value: Any) -> str:
    if isinstance(value, float):
        return texts(np.array([value]))[0]
    return in_full(value) if isinstance(value, Decimal) else str(value)


def same_number(values: Array, text: float | str) -> Indices:
    """Return where among the levels of a number column the number `text` stands."""
    number = float(text)
    if values.dtype.kind == "f" and abs(number) < LARGEST:
        return np.flatnonzero(values == plain_floats(np.array([number]))[0])
    if not np.isfinite(number):
        return np.flatnonzero(np.array([v == number for v in values.tolist()], dtype=bool))
    exact = Decimal(text.strip()) if isinstance(text, str) else as_decimal(text)
    if values.dtype.kind in "iu":
        info = np.iinfo(values.dtype)
        representable = exact == exact.to_integral_value() and info.min <= exact <= info.max
        return np.flatnonzero(values == int(exact)) if representable else np.zeros(0, dtype=np.intp)
    return np.flatnonzero([is_finite(v) and exact_decimal(v) == exact for v in values.tolist()])


def exact_decimal(value: float | Decimal) -> Decimal:
    """Return one level of a number column as the decimal that it shows."""
    if isinstance(value, Decimal):
        return value
    return Decimal(value) if isinstance(value, int) else Decimal(texts(np.array([value]))[0])


def in_units(values: Array) -> tuple[Array, int]:
    """Return finite numbers of a column in multiples of a power of ten: [1.5, 2] as [15, 20] and 1.

    Returns
    -------
    tuple
        Whole numbers, of 64 bits where four times the largest fits, else Python's own; and the decimal places.
    """
    if values.dtype.kind in "iu":
        return roomy(values), 0
    if values.dtype.kind == "f":
        size = float(np.abs(values).max(initial=0.0))
        for places in range(DIGITS + 1):
            scale = 10.0**places
            if size * scale >= 10.0**DIGITS:
                break  # so few digits are those of the decimal that the float stands for
            whole = np.rint(values * scale)
            if np.array_equal(whole / scale, values):
                return roomy(whole.astype(np.int64)), places
    exact = [exact_decimal(v) for v in values.tolist()]
    places = max((-int(v.normalize().as_tuple().exponent) for v in exact if v), default=0)
    return roomy(object_array(int(v.scaleb(max(places, 0))) for v in exact)), max(places, 0)


def roomy(whole: Array) -> Array:
    """Return whole numbers in 64 bits where four times the largest fits; else as Python's own."""
    largest = max((abs(int(end)) for end in (whole.min(), whole.max())), default=0) if whole.size else 0
    return whole.astype(np.int64 if largest < 2**61 else object)
