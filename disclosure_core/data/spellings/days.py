"""Readings as dates: the order of day and month, what numbers mean, and the level to which moments are known."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.data.spellings.dates import COUNTS, DIGITS, LEVELS, counted, floored, moment, read_moment
from disclosure_core.data.spellings.levels import COARSE, FINE, LEFT, Spelling
from disclosure_core.data.spellings.texts import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from disclosure_core.data.spellings.dates import Moment
    from disclosure_core.data.spellings.levels import Fold, Ints, Levels

OWN = 0.9
"""A side is coarse where so many of its records share one remainder, such as noon."""

_SAMPLE = 500
"""Numbers that are looked at to see what they mean."""

_MEANT, _DATED = 0.97, 0.25
"""So many of them must mean something; and so many records of a side must be dates."""

Way = tuple[str | None, str | None]


class _Read:
    """All levels as moments: seconds since 1970, the level to which each is known, and how it is written."""

    def __init__(self, levels: Levels, order: str, way: str | None) -> None:
        found: list[Moment | None] = [read_moment(t, order, way) for t in levels.texts]
        self.is_read = np.array([m is not None for m in found], dtype=bool)
        self.known = np.array([LEVELS.index(m[1]) if m else 0 for m in found], dtype=np.int64)
        self.form = np.array([levels.form(m[2]) if m else LEFT for m in found], dtype=np.int64)
        stamps = [m[0] if m else None for m in found]
        self.at = np.array(stamps, dtype="M8[s]").astype(np.int64)

    def floor(self, level: str) -> Ints:
        """Return the start of each moment's day, month, quarter or year, in seconds since 1970."""
        stamps = self.at.astype("M8[s]")
        if level == "second":
            return self.at
        if level == "day":
            return self.at - self.at % 86_400
        if level == "quarter":
            months = stamps.astype("M8[M]").astype(np.int64)
            return (months - months % 3).astype("M8[M]").astype("M8[s]").astype(np.int64)
        return stamps.astype("M8[M]" if level == "month" else "M8[Y]").astype("M8[s]").astype(np.int64)

    def remainder(self, level: str, floor: Ints) -> Ints:
        """Return what is lost by it, alike in months and years of any length."""
        if level == "day":
            return self.at - floor
        stamps = self.at.astype("M8[s]")
        month = stamps.astype("M8[M]")
        in_month = self.at - month.astype("M8[s]").astype(np.int64)
        n_months = month.astype(np.int64) - floor.astype("M8[s]").astype("M8[M]").astype(np.int64)
        return in_month + n_months * 40 * 86_400


def dates(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give readings as dates: each order of day and month, what numbers mean, and each level."""
    sides = levels.sides(i)
    totals = [max(int(side.sum()), 1) for side in sides]
    is_number = levels.fold("is a number", lambda t: (t, "number") if NUMBER.fullmatch(t) else None)[1] != LEFT
    valid = {way: [_means(levels, side, is_number, way) for side in sides] for way in (*DIGITS, *COUNTS)}
    for order in ("dmy", "mdy"):
        texts = _read(levels, order, None)
        if order == "mdy" and not _has_order(levels, texts):
            continue
        dated = [float(side[texts.is_read].sum()) / total for side, total in zip(sides, totals, strict=True)]
        ways: list[Way]
        if max(dated) >= _DATED:
            ways = [(None, None), *((way, way) for way in valid if any(valid[way]))]
        elif order == "dmy" and not any(dated) and any(valid["ymd"]):
            first = valid["ymd"].index(True)
            ways = [
                ("ymd", way) if first == 0 else (way, "ymd") for way in (*COUNTS, "ym", "y") if valid[way][1 - first]
            ]
        else:
            continue
        for way in ways:
            yield from _to_levels(levels, i, order, way)


def _read(levels: Levels, order: str, way: str | None) -> _Read:
    cache = levels._folds  # noqa: SLF001
    if ("moments", order, way) not in cache:
        cache["moments", order, way] = _Read(levels, order, way)  # type: ignore[assignment]
    return cache["moments", order, way]  # type: ignore[return-value]


def _means(levels: Levels, side: Ints, is_number: npt.NDArray[np.bool_], way: str) -> bool:
    some = np.flatnonzero((side > 0) & is_number)[:_SAMPLE]
    return bool(len(some)) and sum(counted(levels.texts[k], way) is not None for k in some) >= _MEANT * len(some)


def _has_order(levels: Levels, texts: _Read) -> bool:
    return any(levels.form(f"{tag}{width}") in texts.form for tag in ("mdy-", "mdy/", "mdy.") for width in (2, 4))


def _to_levels(levels: Levels, i: int, order: str, ways: Way) -> Iterator[Spelling]:
    sides = levels.sides(i)
    totals = [max(int(side.sum()), 1) for side in sides]
    reads = [_read(levels, order, way) for way in ways]
    changes = _reader(order, ways)
    for rank, level in enumerate(LEVELS):
        folds: list[Fold] = []
        forms, all_coarse = [], []
        for side, total, read in zip(sides, totals, reads, strict=True):
            mine = read.is_read & (read.known <= max(rank, 1))
            floor = read.floor(level)
            rest = read.remainder(level, floor) if rank else np.zeros_like(floor)
            here = mine & (side > 0)
            whole, usual = False, 0
            if rank and here.any():
                values, places = np.unique(rest[here], return_inverse=True)
                by_rest = np.bincount(places, weights=side[here])
                usual, most = int(values[by_rest.argmax()]), float(by_rest.max())
                whole = bool(np.count_nonzero(here) > (2 if level == "day" else 5) and most >= OWN * total)
            coarse = mine & ((read.known >= rank) | (whole & (rest == usual)))
            all_coarse.append(bool(here.any()) and bool(coarse[here].all()))
            forms.append((mine, coarse, read.form, rest))
            folds.append((_keys(levels, floor, mine, level), np.zeros(levels.n, dtype=np.int64)))
        lossless = rank == 0 or all(all_coarse)
        for (_, target), (mine, coarse, written, rest) in zip(folds, forms, strict=True):
            if lossless:
                target[mine] = _numbered(levels, written[mine], rest[mine])
            else:
                target[mine] = np.where(coarse[mine], COARSE, FINE)
        yield Spelling(("dates",) if rank == 0 else (level,), changes[level], folds[0], folds[1], not lossless)
        if rank > 1 and all(all_coarse):
            break


def _numbered(levels: Levels, written: Ints, rest: Ints) -> Ints:
    pairs, places = np.unique(np.stack([written, rest]), axis=1, return_inverse=True)
    return np.array([levels.form(f"{a} {b}") for a, b in pairs.T.tolist()], dtype=np.int64)[places.ravel()]


def _keys(levels: Levels, floor: Ints, mine: npt.NDArray[np.bool_], level: str) -> Ints:
    keys = np.arange(levels.n)
    starts, places = np.unique(floor[mine], return_inverse=True)
    stamps = starts.astype("M8[s]").tolist()
    numbers = np.array([levels.key(floored(at, level)) for at in stamps], dtype=np.int64)
    if len(starts):
        keys[mine] = numbers[places.ravel()]
    return keys


@lru_cache(256)
def _reader(order: str, ways: Way) -> dict[str, Reader]:
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
        if found is None or LEVELS.index(found[1]) > max(LEVELS.index(self.level), 1):
            return None
        return floored(found[0], self.level), found[2]
