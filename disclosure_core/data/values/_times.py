"""Moments, times of day and durations, in whole nanoseconds, and how each is written."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Ints
from disclosure_core.data.values._coding import object_array

SECOND = 1_000_000_000

DAY = 86_400 * SECOND

_DAY_SECONDS, _CYCLE = 86_400, 146_097 * 86_400
_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""Seconds since 1970 of the years 1 to 9999, which pandas and Python can show; in 400 years the calendar recurs."""

UNITS = {"D": DAY, "s": SECOND, "ms": 1_000_000, "us": 1_000, "ns": 1}
"""Nanoseconds in a unit of time."""


def in_nanoseconds(numbers: Ints, step: int) -> Array:
    """Return whole numbers of units of `step` nanoseconds in nanoseconds; as Python's integers beyond 64 bits."""
    size = max(abs(int(numbers.min())), abs(int(numbers.max()))) if numbers.size else 0
    return numbers * np.int64(step) if size * step < 2**63 else object_array(n * step for n in numbers.tolist())


def zone_name(zone: Any) -> str | None:
    """Return the name of a time zone; UTC where this machine does not know the zone, whose instants are known still."""
    if zone is None:
        return None
    name = str(getattr(zone, "key", None) or getattr(zone, "zone", None) or zone)
    try:
        pd.Timestamp(0, tz="UTC").tz_convert(name)
    except (KeyError, ValueError, TypeError):
        return "UTC"
    return name


def as_moment(value: Any) -> Any:
    """Return a date or moment as an object with `tzinfo`."""
    if isinstance(value, np.datetime64):
        return pd.Timestamp(value)
    return value if isinstance(value, dt.datetime) else dt.datetime.combine(value, dt.time())


def since_1970(value: Any) -> tuple[int, bool]:
    """Return nanoseconds since 1970 (in UTC where there is a zone), and whether there is a zone."""
    moment = as_moment(value)
    zoned = moment.tzinfo is not None and moment.utcoffset() is not None
    extra = getattr(moment, "nanosecond", 0)
    plain = moment.to_pydatetime(warn=False) if isinstance(moment, pd.Timestamp) else moment
    base = dt.datetime(1970, 1, 1, tzinfo=dt.UTC if zoned else None)
    since = plain - base if zoned else plain.replace(tzinfo=None) - base
    return length_of(since) + extra, zoned


def since_midnight(value: dt.time) -> int:
    """Return nanoseconds since midnight."""
    return ((value.hour * 60 + value.minute) * 60 + value.second) * SECOND + value.microsecond * 1000


def length_of(value: Any) -> int:
    """Return a duration in nanoseconds."""
    if isinstance(value, np.timedelta64):
        value = pd.Timedelta(value)
    extra = value.nanoseconds if isinstance(value, pd.Timedelta) else 0
    return (value.days * 86_400 + value.seconds) * SECOND + value.microseconds * 1000 + extra


def clock_times(instants: Array, zone: str | None) -> Array:
    """Return what the clock of a zone shows, in nanoseconds."""
    if zone is None or not instants.size:
        return instants
    seconds = (instants // SECOND).astype(np.int64)
    # pandas knows the clocks of the years 1 to 9999; the calendar, and what a zone's rule says, recurs in 400 years.
    known = np.clip(seconds, _FIRST + 2 * _DAY_SECONDS, _LAST - 2 * _DAY_SECONDS)
    near = seconds + -(-np.abs(known - seconds) // _CYCLE) * np.sign(known - seconds) * _CYCLE
    local = pd.DatetimeIndex(near.astype("M8[s]")).tz_localize("UTC").tz_convert(zone).tz_localize(None)
    shift = local.to_numpy().astype("M8[s]").astype(np.int64) - near
    shift[(seconds + shift < _FIRST) | (seconds + shift > _LAST)] = 0  # the year 10000 is shown as the last of 9999
    if instants.dtype == object or max(abs(int(instants.min())), abs(int(instants.max()))) > 2**63 - 2 * DAY:
        shift = shift.astype(object)
    return instants + shift * SECOND


def zone_offset(instant: int, clock: int) -> str:
    """Return the offset of a clock from UTC, as in +01:00; both in nanoseconds."""
    minutes = (clock - instant) // (60 * SECOND)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def moment_texts(clock: Array) -> list[str]:
    """Return moments as ISO texts, with the time of day unless every one is a whole day, to the last digit given."""
    seconds, fraction = (clock // SECOND).astype(np.int64), (clock % SECOND).astype(np.int64)
    if not fraction.any() and not (seconds % 86_400).any():
        return list(np.datetime_as_string(seconds.astype("M8[s]"), unit="D").tolist())
    plain = np.datetime_as_string(seconds.astype("M8[s]")).tolist()
    return [t + _fraction(n) for t, n in zip(plain, fraction.tolist(), strict=True)] if fraction.any() else list(plain)


def _fraction(nanoseconds: int) -> str:
    if not nanoseconds:
        return ""
    return f".{nanoseconds // 1000:06d}" if nanoseconds % 1000 == 0 else f".{nanoseconds:09d}"


def time_text(nanoseconds: int) -> str:
    """Return a time of day: 14:05:00, with a fraction where there is one; beyond it the clock runs on, 25:00:00."""
    if nanoseconds < 0:
        return f"-{time_text(-nanoseconds)}"
    seconds, fraction = divmod(nanoseconds, SECOND)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction(fraction)}"


def span_text(nanoseconds: int) -> str:
    """Return a duration as pandas writes it: 1 days 02:00:00."""
    days, remainder = divmod(nanoseconds, DAY)
    sign = "+" if days < 0 else ""
    return f"{days} days {sign}{time_text(remainder)}"
