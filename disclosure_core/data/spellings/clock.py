"""Readings of times of day: 10:30 AM beside 10:30, 10.30 Uhr, 10h30, 103000."""

from __future__ import annotations

import re

import numpy as np

from disclosure_core.arrays import Ints
from disclosure_core.data.spellings.levels import LEFT, Levels, Spelling
from disclosure_core.data.spellings.texts import NUMBER

_HALF = r"\s*(?P<half>[ap]\.?m\.?)?"
_COLON = re.compile(
    r"(?:0 days |T)?(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2})(?:[.,]0+)?)?(?:h| Uhr)?" + _HALF,
    re.I,
)
_OTHER = re.compile(
    r"(?P<h>\d{1,2})(?:[.]|\s?h\s?)(?P<m>\d{2})(?:[.](?P<s>\d{2}))?(?:min)?(?: Uhr)?|"
    r"PT(?P<hh>\d{1,2})H(?P<mm>\d{1,2})M",
    re.I,
)

_TOLD = 0.25
"""So many records of a side are times of day with a colon, or nothing is."""


def _read(text: str, looks: re.Pattern[str]) -> tuple[str, str] | None:
    found = looks.fullmatch(text) if len(text) <= 30 else None
    if found is None:
        return None
    parts = found.groupdict()
    hour, minute = int(parts["h"] or parts.get("hh") or 0), int(parts["m"] or parts["mm"])
    if half := parts.get("half"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half[0] in "pP")
    if hour > 24 or minute > 59:
        return None
    second = int(parts["s"] or 0)
    return f"{hour:02d}:{minute:02d}:{second:02d}", re.sub(r"\d", "0", text).casefold().replace("pm", "am")


def _digits(text: str) -> tuple[str, str] | None:
    """Read 1030 and 103000, and of a column of whole numbers 930 and 5, for 00:05."""
    plain = text.removesuffix(".0")
    if not plain.isdecimal() or not plain.isascii() or len(plain) > 6:
        return None
    padded = plain.zfill(4 if len(plain) <= 4 else 6)
    hour, minute, second = int(padded[:2]), int(padded[2:4]), int(padded[4:] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return f"{hour:02d}:{minute:02d}:{second:02d}", re.sub(r"\d", "0", text)


def clock_or_seconds(text: str) -> tuple[str, str] | None:
    """Read a time of day, also where it is a number of seconds since midnight: 37800."""
    plain = text.removesuffix(".0")
    if not plain.isdecimal() or not plain.isascii() or len(plain) > 5 or int(plain) > 86_400:
        return clock(text)
    minutes, second = divmod(int(plain), 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}", "seconds"


def clock(text: str) -> tuple[str, str] | None:
    """Read a time of day, however it is written, but for numbers."""
    return _read(text, _COLON) or (None if NUMBER.fullmatch(text) else _read(text, _OTHER))


def clock_or_number(text: str) -> tuple[str, str] | None:
    """Read a time of day, also where it is a number: 1030, 10.30."""
    return _read(text, _COLON) or _read(text, _OTHER) or _digits(text)


def _colon(text: str) -> tuple[str, str] | None:
    return _read(text, _COLON)


def times(levels: Levels, i: int) -> Spelling | None:
    """Return the reading as times of day; None where hardly a record of any side is one.

    Numbers are times where all of them can be, and some have a digit of the hour: 10.75 is none, nor are 0 to 24. Where
    some can be no digits, such as 37800, they may be seconds.
    """
    told = levels.fold("with a colon", _colon)[1] != LEFT
    sides: tuple[Ints, Ints] = levels.sides(i)
    if max(float(side[told].sum()) / max(float(side.sum()), 1) for side in sides) < _TOLD:
        return None
    numbers = [t for t in levels.texts if NUMBER.fullmatch(t)]
    read = clock
    if all(clock_or_number(t) for t in numbers) and any(len(t.partition(".")[0]) > 2 or "." in t for t in numbers):
        read = clock_or_number
    elif any(float(t) > 2_400 for t in numbers) and all(clock_or_seconds(t) for t in numbers):
        read = clock_or_seconds
    fold = levels.fold(read.__name__, read)
    return Spelling(("dates",), read, fold, fold, name="clock") if np.any(fold[1] != LEFT) else None
