"""Days, moments and times: what no calendar holds, and what SPSS, Stata and SAS hold as numbers since a day."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Mask
from disclosure_core.data.values import SECOND, clock_times

_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""Seconds since 1970 of the years 1 to 9999: what is written as a date, and what other programs hold as one."""

_DAY = 86_400


def outside_calendar(moments: Array, zone: str | None = None) -> Mask:
    """Return which moments lie outside the years 1 to 9999, as slips and sentinels such as "infinity" do.

    With a time zone, its clock may show a year of the calendar where UTC's does not.
    """
    seconds = moments.astype("M8[s]").astype(np.int64)
    outside: Mask = ((seconds < _FIRST) | (seconds > _LAST)) & ~np.isnat(moments)
    if zone is not None and outside.any():
        local = clock_times(seconds[outside].astype(object) * SECOND, zone) // SECOND
        outside[outside] = (local < _FIRST) | (local > _LAST)
    return outside


def outside_notes(outside: Mask) -> list[str]:
    """Return what is said of a column's dates that no calendar holds, by which of its records have one."""
    records = np.flatnonzero(outside)
    if not records.size:
        return []
    if records.size == 1:
        return [f"has a date outside the years 1 to 9999, in record {records[0] + 1:,}: kept as it is."]
    first = f"the first in record {records[0] + 1:,}"
    return [f"has {records.size:,} dates outside the years 1 to 9999, {first}: kept as they are."]


_BEGAN = {"SPSS": dt.datetime(1582, 10, 14), "SPSS portable": dt.datetime(1582, 10, 14)}
"""Days from which a program counts; the others begin in 1960."""

_SPSS = {
    "days": r"(DATE|[AEJS]DATE)[\d.]*",
    "moments": r"(DATETIME|YMDHMS)[\d.]*",
    "times": r"D?TIME[\d.]*",
}
_STATA = {
    "days": r"%td|%d|%tdD_m_Y|%tdCCYY-NN-DD",
    "moments": r"%t[cC]",
    "times": r"%tcHH:MM(:SS)?",
}
_SAS = {
    "days": r"(WEEKDAT[EX]|(MMDD|DDMM)YY[BCDNPS]?|YYMMDD[BDNPS]?|(DT)?DATE|(IS|E|B)8601DA)[\d.]*",
    "moments": r"(DATETIME|(IS|E|B)8601DT|B8601DN|DATEAMPM|MDYAMPM)[\d.]*",
    "times": r"(TIME|HHMM|TOD|TIMEAMPM|(IS|E|B)8601TM)[\d.]*",
}
"""Formats of days, moments and times of day, as pyreadstat knows them."""


def shown(format_: str, program: str) -> str:
    """Return what a program's format shows a number as: "days", "moments", "times", or nothing of these."""
    looks = _SPSS if program.startswith("SPSS") else _STATA if program == "Stata" else _SAS
    return next((kind for kind, pattern in looks.items() if re.fullmatch(pattern, format_)), "")


def of_numbers(values: pd.Series[Any], shows: str, program: str) -> tuple[pd.Series[Any], list[str]] | None:
    """Return what a column of numbers shows, and what is to be said of it; None where no such type can hold it.

    Letters among the numbers, of extended missing values, are empty cells. SPSS counts seconds since 1582 in a float,
    some two microseconds apart today: the shortest decimal that is the same float is what was written.
    """
    lettered = values.map(lambda value: isinstance(value, str)).any() if values.dtype == object else False
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    notes = ["has days that are .a to .z: read as empty cells."] if lettered else []
    there = np.isfinite(numbers)
    began = (_BEGAN.get(program, dt.datetime(1960, 1, 1)) - dt.datetime(1970, 1, 1)).total_seconds()
    if shows == "days":
        days = np.floor(numbers / _DAY) if program.startswith("SPSS") else np.trunc(numbers)
        seconds = days * _DAY + (np.floor(numbers % _DAY) if program.startswith("SPSS") else 0)
    else:
        seconds = numbers / 1000 if program == "Stata" else numbers
    if (np.abs(seconds[there]) > 9e12).any():  # microseconds of 64 bits
        return None
    whole = bool((seconds[there] == np.floor(seconds[there])).all())
    scale, unit = (1, "s") if whole else (1_000_000, "us")
    ticks = np.zeros(len(numbers), dtype=np.int64)
    if whole:
        ticks[there] = seconds[there].astype(np.int64)
    elif program.startswith("SPSS") and shows == "moments":
        exact = {v: int(Decimal(repr(v)) * scale) for v in np.unique(seconds[there]).tolist()}
        ticks[there] = [exact[v] for v in seconds[there].tolist()]
    elif program == "Stata":
        ticks[there] = np.floor(numbers[there] * 1000).astype(np.int64)
    else:
        ticks[there] = np.floor(seconds[there]).astype(np.int64) * scale
        ticks[there] += np.rint(seconds[there] % 1 * scale).astype(np.int64)
    if shows == "times":
        lengths = ticks.astype(f"m8[{unit}]")
        lengths[~there] = np.timedelta64("NaT", "s")
        within = (ticks >= 0) & (ticks < _DAY * scale)
        if within.all():
            return pd.Series(_clock(lengths), index=values.index, dtype=object), notes
        n = int((~within & there).sum())
        return pd.Series(lengths, index=values.index), [
            *notes,
            f"has {n:,} time{'s' * (n > 1)} beyond 24 hours: its times are read as durations.",
        ]
    moments = (ticks + int(began) * scale).astype(f"M8[{unit}]")
    moments[~there] = np.datetime64("NaT", "s")
    return pd.Series(moments, index=values.index), [*notes, *outside_notes(outside_calendar(moments))]


def _clock(lengths: Array) -> list[dt.time | None]:
    """Return times of day from lengths since midnight, None where there is none."""
    codes, distinct = pd.factorize(lengths, use_na_sentinel=True)
    held = [(dt.datetime(1970, 1, 1) + length).time() for length in distinct.astype("m8[us]").tolist()]
    return [held[code] if code >= 0 else None for code in codes.tolist()]


def with_moments(
    frame: pd.DataFrame, formats: Mapping[str, str | None], numeric: set[str], ranges: Mapping[str, Any], program: str
) -> dict[str, list[str]]:
    """Put days, moments and times in the place of the numbers that hold them; return what is said, by such a column.

    Values that the file declares as missing there, which are often in no calendar, are empty cells.
    """
    found: dict[str, list[str]] = {}
    for name in frame.columns:
        shows = shown(formats.get(name) or "", program) if name in numeric else ""
        if not shows:
            continue
        values, notes = frame[name], list[str]()
        for declared in ranges.get(name, []):
            low, high = (declared["lo"], declared["hi"]) if isinstance(declared, dict) else (declared, declared)
            gone = values.between(low, high) if values.dtype != object else pd.Series(False, index=values.index)
            if gone.any():
                values = values.astype(float).mask(gone)
                notes = ["has dates or times that the file declares as missing: read as empty cells."]
        if made := of_numbers(values, shows, program):
            frame[name], more = made
            found[name] = [*notes, *more]
    return found
