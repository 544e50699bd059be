"""Readings as dates: the order of day and month, what numbers mean, and the level to which moments are known."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Ints, Mask
from disclosure_core.data.spellings.dates import (
    COUNTS,
    DAY,
    DIGITS,
    LEVELS,
    OF_YEAR,
    counted,
    floored,
    moment,
    read_moment,
    since_month,
)
from disclosure_core.data.spellings.levels import COARSE, FINE, LEFT, Spelling
from disclosure_core.data.spellings.texts import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from disclosure_core.data.spellings.dates import Moment
    from disclosure_core.data.spellings.levels import Levels

OWN = 0.9
"""A side is coarse where so many of its records share one remainder, such as noon."""

_SAMPLE = 500
"""Numbers that are looked at to see what they mean."""

_MEANT, _DATED = 0.97, 0.25
"""So many of them must mean something; and so many records of a side must be dates."""

_SECONDS = {"minute": 60, "hour": 3_600, "day": 86_400}
"""The seconds of the levels that are alike long."""

Way = tuple[str | None, str | None]


class _Read:
    """All levels as moments: seconds since 1970, to which level each is known, and how it is written."""

    def __init__(self, levels: Levels, order: str, way: str | None) -> None:
        found: list[Moment | None] = [read_moment(t, order, way) for t in levels.texts]
        self.is_read = np.array([m is not None for m in found], dtype=bool)
        self.known = np.array([LEVELS.index(m[1]) if m else 0 for m in found], dtype=np.int64)
        self.form = np.array([levels.form(m[2]) if m else LEFT for m in found], dtype=np.int64)
        self.has_order = any(m is not None and m[2].startswith(order) for m in found)
        stamps = [m[0] if m else None for m in found]
        self.at = np.array(stamps, dtype="M8[s]").astype(np.int64)
        self._floors: dict[str, tuple[Mask, Ints, Ints, Ints]] = {}

    def to(self, levels: Levels, level: str) -> tuple[Mask, Ints, Ints, Ints]:
        """Return which moments are known to a level, their keys, what is lost, and the number of what is lost."""
        if level not in self._floors:
            mine = self.is_read & (self.known <= max(LEVELS.index(level), DAY))
            floor = self._floor(level)
            keys = np.arange(levels.n)
            starts, places = np.unique(floor[mine], return_inverse=True)
            names = [levels.key(floored(at, level)) for at in starts.astype("M8[s]").tolist()]
            keys[mine] = np.array(names, dtype=np.int64)[places.ravel()] if names else 0
            rest = np.zeros_like(floor) if level == "second" else self._remainder(level, floor)
            rests, places = np.unique(rest, return_inverse=True)
            self._floors[level] = mine, keys, rests, places.ravel()
        return self._floors[level]

    def _floor(self, level: str) -> Ints:
        """Return the start of each moment's day, month, quarter or year, in seconds since 1970."""
        stamps = self.at.astype("M8[s]")
        if level == "second":
            return self.at
        if level in _SECONDS:
            return self.at - self.at % _SECONDS[level]
        if level == "week":
            days = self.at // 86_400
            return (days - (days + 3) % 7) * 86_400
        if level == "quarter":
            months = stamps.astype("M8[M]").astype(np.int64)
            return (months - months % 3).astype("M8[M]").astype("M8[s]").astype(np.int64)
        return stamps.astype("M8[M]" if level == "month" else "M8[Y]").astype("M8[s]").astype(np.int64)

    def _remainder(self, level: str, floor: Ints) -> Ints:
        """Return what is lost by it, alike in months and years of any length."""
        if level == "week" or level in _SECONDS:
            return self.at - floor
        stamps = self.at.astype("M8[s]")
        month = stamps.astype("M8[M]")
        n_months = month.astype(np.int64) - floor.astype("M8[s]").astype("M8[M]").astype(np.int64)
        return since_month(stamps) + n_months * 40 * 86_400


def dates(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give readings as dates: each order of day and month, what numbers mean, and each level."""
    sides = levels.sides(i)
    totals = [max(int(side.sum()), 1) for side in sides]
    is_number = levels.fold("is a number", lambda t: (t, "number") if NUMBER.fullmatch(t) else None)[1] != LEFT
    of_year = levels.fold("of a year", lambda t: (t, "of a year") if OF_YEAR.fullmatch(t) else None)[1] != LEFT
    valid = {
        way: [_means(levels, k, of_year if way == "yj" else is_number, way) for k in (0, i)]
        for way in (*DIGITS, *COUNTS)
    }
    for order in ("dmy", "mdy"):
        texts = _read(levels, order, None)
        if order == "mdy" and not texts.has_order:
            continue
        dated = [float(side[texts.is_read].sum()) / total for side, total in zip(sides, totals, strict=True)]
        ways: list[Way]
        if max(dated) >= _DATED:
            ways = [(None, None), *((way, way) for way in valid if any(valid[way]))]
        elif order == "dmy" and not any(dated) and any(valid["ymd"]):
            first = valid["ymd"].index(True)
            ways = [
                ("ymd", way) if first == 0 else (way, "ymd")
                for way in (*COUNTS, "yj", "yyj", "ym", "y")
                if valid[way][1 - first]
            ]
        else:
            continue
        for way in ways:
            yield from _to_levels(levels, i, order, way)


def _read(levels: Levels, order: str, way: str | None) -> _Read:
    if (order, way) not in levels.noted:
        levels.noted[order, way] = _Read(levels, order, way)
    found: _Read = levels.noted[order, way]
    return found


def _means(levels: Levels, side: int, is_number: Mask, way: str) -> bool:
    """Whether nearly all numbers of a side mean a date; the first that do not are enough to say no."""
    if (side, way) not in levels.noted:
        some = np.flatnonzero((levels.counts[side] > 0) & is_number)[:_SAMPLE].tolist()
        may_fail = len(some) - math.ceil(_MEANT * len(some))
        failed = (k for k in some if counted(levels.texts[k], way) is None)
        levels.noted[side, way] = bool(some) and sum(1 for _ in islice(failed, may_fail + 1)) <= may_fail
    return bool(levels.noted[side, way])


def _to_levels(levels: Levels, i: int, order: str, ways: Way) -> Iterator[Spelling]:
    sides = levels.sides(i)
    totals = [max(int(side.sum()), 1) for side in sides]
    reads = [_read(levels, order, way) for way in ways]
    readers = _readers(order, ways)
    for rank, level in enumerate(LEVELS):
        keys, coarse, everything_coarse = [], [], []
        for side, total, read in zip(sides, totals, reads, strict=True):
            mine, key, rests, rest = read.to(levels, level)
            is_coarse = mine & (read.known >= rank)
            if rank:
                by_rest = np.bincount(rest[mine], weights=side[mine], minlength=len(rests))
                n_values = np.count_nonzero(side[mine])
                if n_values > (2 if level in _SECONDS else 5) and by_rest.max() >= OWN * total:
                    is_coarse |= mine & (rest == by_rest.argmax())
            keys.append(key)
            coarse.append(is_coarse)
            here = mine & (side > 0)
            everything_coarse.append(bool(here.any()) and bool(is_coarse[here].all()))
        lossless = rank == 0 or all(everything_coarse)
        forms = []
        for read, is_coarse in zip(reads, coarse, strict=True):
            mine, _, rests, rest = read.to(levels, level)
            written = levels.form_of_pairs(read.form, rests[rest]) if lossless else np.where(is_coarse, COARSE, FINE)
            forms.append(np.where(mine, written, LEFT))
        folds = [(key, form) for key, form in zip(keys, forms, strict=True)]
        yield Spelling(("dates",) if rank == 0 else (level,), readers[level], folds[0], folds[1], not lossless)
        if rank > LEVELS.index("week") and all(everything_coarse):
            break


@lru_cache(256)
def _readers(order: str, ways: Way) -> dict[str, Reader]:
    return {level: Reader(order, tuple(dict.fromkeys(w for w in ways if w)), level) for level in LEVELS}


class Reader:
    """A reading of texts, and numbers, as dates to a level.

    Attributes
    ----------
    order, ways, level
        What 03/04/2020 means, what numbers may mean, and to which level.
    """

    def __init__(self, order: str, ways: tuple[str, ...], level: str) -> None:
        """Keep how to read."""
        self.order, self.ways, self.level = order, ways, level

    def __call__(self, text: str) -> tuple[str, str] | None:
        """Return the key and form of a text."""
        found = moment(text, self.order)
        for way in self.ways if found is None else ():
            found = found or counted(text, way)
        if found is None or LEVELS.index(found[1]) > max(LEVELS.index(self.level), DAY):
            return None
        return floored(found[0], self.level), found[2]
