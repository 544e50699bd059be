"""Numbers as people read them, and as they are held against a threshold: the same everywhere.

A figure is a ratio of whole counts that a computer holds to some 16 digits. Here it is taken for the number of 12
significant digits nearest to it, so that 100·(0.8 − 0.7) is 10, and the mean of three times 0.1 is 0.1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

SIGNIFICANT = 12
"""Digits of a figure that mean something (measures.md 10)."""

_PERCENT = "\N{NO-BREAK SPACE}%"
MINUS = "\N{MINUS SIGN}"
"""The sign that a person reads; CSV, JSON and workbooks hold numbers, not these texts."""

NOTHING = "–"
"""What stands where a figure has no answer."""

_MOST_DIGITS = 12
_ROOM = Context(prec=400, rounding=ROUND_HALF_UP)
"""Room for the largest float, 309 digits, and what stands after the point."""


def exact(value: float | Decimal | Fraction | np.number[Any]) -> Fraction:
    """Return a number as the fraction that its shortest decimal is: 0.1 is one tenth."""
    if isinstance(value, int | np.integer):
        return Fraction(int(value))
    return Fraction(value) if isinstance(value, Decimal | Fraction) else Fraction(repr(float(value)))


def _decimal(value: float | np.number[Any]) -> Decimal:
    """Return a whole number as it is, any other to `SIGNIFICANT` digits."""
    return Decimal(int(value)) if isinstance(value, int | np.integer) else Decimal(f"{value:.{SIGNIFICANT}g}")


def fixed(value: float | np.number[Any], digits: int = 2, *, sign: bool = False) -> str:
    """Return a number as a person reads it: `digits` after the point, half away from zero, commas between thousands.

    What is below zero has the sign −, no hyphen.

    Parameters
    ----------
    value
        NaN becomes a dash: no answer.
    digits
        Places after the point.
    sign
        Whether a number above zero gets a plus; zero never has a sign.
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    rounded = _decimal(value).quantize(Decimal(1).scaleb(-digits), context=_ROOM)
    if not rounded:
        return f"{abs(rounded):f}"  # never −0.00
    return f"{rounded:{'+' if sign else ''},f}".replace("-", MINUS)


def score(value: float | np.number[Any], least: int = 2) -> str:
    """Return a share as small as F: `least` digits after the point, more where two need them: 0.0018."""
    if not math.isfinite(value) or not value:
        return fixed(value, least)
    return fixed(value, min(max(1 - math.floor(math.log10(abs(float(value)))), least), 9))


def rounded(value: float | np.number[Any], digits: int = 2) -> float:
    """Return the number that `fixed` writes, for whoever writes it himself: a browser rounds 0.125 as it likes."""
    if not math.isfinite(value):
        return float(value)
    return float(_decimal(value).quantize(Decimal(1).scaleb(-digits), context=_ROOM)) + 0.0


def plain(value: float | Decimal | np.number[Any]) -> str:
    """Return a number that somebody set, every digit of it: 90.5, 2,000."""
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(str(value))
    return in_full(number, ",")


def in_full(number: Decimal, between: str = "") -> str:
    """Return a decimal in full, without zeros at its end; `between` thousands stands a comma, or nothing."""
    text = f"{number:{between}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def quantity(n: float, one: str, many: str = "") -> str:
    """Return a number with what it counts: "1 record", "1,204 records", "2 syntheses".

    Parameters
    ----------
    n
        A whole number, written with commas between thousands.
    one, many
        What is counted; many is `one` and an s unless it is given.
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence: a, b and c."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def few(names: Sequence[str], most: int = 4) -> str:
    """Return names in a sentence, many of them counted."""
    return listed(names) if len(names) <= most else f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"


def percent(number: str) -> str:
    """Return a written number with its %, from which no end of a line parts it."""
    return f"{number}{_PERCENT}"


def kept_together(text: str) -> str:
    """Return a text in which no end of a line parts a number from its %."""
    return re.sub(r"(?<=\d) %", _PERCENT, text)


def printable(text: str, kept: str = "") -> str:
    r"""Return text in which letters that are no characters stand as their code (\x1b); those `kept` stay."""
    return _PERCENT.join(
        "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in part)
        for part in text.split(_PERCENT)
    )


_JOINED = re.compile(r"(?<=[^\x00-\u02af\s])([\u200c\u200d])(?=[^\x00-\u02af\s])")
"""What joins or parts letters of scripts that know it, and pictures."""


def visible(text: str) -> str:
    r"""Return a name or text as a screen may show it: letters that nobody sees, or that turn others, as their code.

    Joiners between letters of scripts that know them, and between pictures, stay.

    Examples
    --------
    >>> visible("57\u202e0")
    '57\\u202e0'
    """
    return "".join(part if part in ("\u200c", "\u200d") else printable(part) for part in _JOINED.split(text))


def beside_limit(value: float, limit: float, digits: int = 2) -> str:
    """Return a number written so that it does not look like the `limit` that it passed or missed: 10.004 beside 10."""
    text = fixed(value, digits)
    while digits < _MOST_DIGITS and compare(value, limit) and _decimal(rounded(value, digits)) == _decimal(limit):
        digits += 1
        text = fixed(value, digits)
    return text


def compare(value: float | np.number[Any], limit: float | np.number[Any]) -> int:
    """Return 1, 0 or −1: whether a figure is above its threshold, equal to it or below, to `SIGNIFICANT` digits.

    Neither may be NaN.
    """
    a, b = _decimal(float(value)), _decimal(float(limit))
    return (a > b) - (a < b)


def above(value: float | np.number[Any], limit: float | np.number[Any]) -> bool:
    """Return whether a figure is above its threshold; one that equals it is not, and NaN never is."""
    return not math.isnan(value) and compare(value, limit) > 0


def difference(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return a − b of figures, each to `SIGNIFICANT` digits: 0.8 − 0.7 is 0.1, and equal ones differ by 0."""
    some, others = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    found = [
        float(_decimal(x) - _decimal(y)) for x, y in zip(some.ravel().tolist(), others.ravel().tolist(), strict=True)
    ]
    return np.array(found).reshape(some.shape) + 0.0


def exceeds(part: npt.NDArray[Any], whole: npt.NDArray[Any], percent: float) -> npt.NDArray[np.bool_]:
    """Return where whole counts are more than `percent` % of others, exactly.

    Parameters
    ----------
    part, whole
        Whole counts, of one shape.
    percent
        From 0 to 100, as somebody wrote it.
    """
    right, left = _share(percent)
    most = max(max(_largest(part), 1) * left, max(_largest(whole), 1) * right)  # where all counts are 0, too
    kind: Any = np.int64 if most < 2**62 else object
    found: npt.NDArray[np.bool_] = (part.astype(np.int64).astype(kind) * left) > (
        whole.astype(np.int64).astype(kind) * right
    )
    return found


@lru_cache(maxsize=64)
def _share(percent: float) -> tuple[int, int]:
    """Return numerator and denominator of a percentage as a share."""
    return (exact(percent) / 100).as_integer_ratio()


def _largest(counts: npt.NDArray[Any]) -> int:
    return int(counts.max()) if counts.size else 0
