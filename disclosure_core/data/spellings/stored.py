"""What stored numbers and dates may hold that another reading brings together, before any value is made text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Array, Floats, Ints
from disclosure_core.data.spellings.dates import since_month
from disclosure_core.data.spellings.levels import RECORDS, stand_for_empty
from disclosure_core.data.suggested_codes import shaped_as_codes

if TYPE_CHECKING:
    from collections.abc import Sequence


FACTORS = (60, 3600, 24, 7, 12, 10, 100, 1000, 1e4, 1e6, 2.54, 1440, 86400, 52, 365)
"""How many of one unit another is."""

_QUANTILES = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
_NEAR = float(np.log(1.6))
"""Quantiles that are no further apart once the unit is the same."""

_MEETS, _FEW = 0.25, 3
"""So many records that meet, of those in the range of both sides, with so many values, are no chance."""

_MOST, _HARDLY, _SOME = 0.9, 0.05, 0.1
"""A side is coarse where most records share one remainder; or where hardly any is fine, and some of the other are."""


_TELLING, _HIT, _MANY = 4, 0.6, 20_000
"""Digits of a number that tell; so many records meet with the point elsewhere; and more values are not looked at."""


def factors(values: Array, sides: Sequence[Ints]) -> list[float]:
    """Return by what the second side's numbers would have about the first side's quantiles; none where half meet."""
    first, second = sides
    numbers = values.astype(float)
    if second[first == 0].sum() <= 0.5 * second.sum() or _meet_as_they_are(numbers, first, second):
        return []
    order = np.argsort(numbers, kind="stable")
    quantiles = []
    for side in sides:
        upto = np.cumsum(side[order])
        places = np.searchsorted(upto, _QUANTILES * upto[-1])
        quantiles.append(numbers[order][np.minimum(places, len(numbers) - 1)])
    known = (quantiles[0] != 0) & (quantiles[1] != 0)
    with np.errstate(all="ignore"):
        ratios = quantiles[0][known] / quantiles[1][known]
    if known.sum() < 3 or not (ratios > 0).all():
        return []
    return [f for f in (*FACTORS, *(1 / f for f in FACTORS)) if np.abs(np.log(ratios / f)).max() < _NEAR]


def _meet_as_they_are(numbers: Floats, first: Ints, second: Ints) -> bool:
    """Whether of either side many records meet where both have any: amounts to a digit or two are as many times ten."""
    met = (first > 0) & (second > 0)
    if np.count_nonzero(met) < _FEW:
        return False
    low, high = (np.array([pick(numbers[side > 0]) for side in (first, second)]) for pick in (np.min, np.max))
    shared = (low.max() <= numbers) & (numbers <= high.min())
    return all(side[met].sum() > _MEETS * side[shared].sum() for side in (first, second))


def fewest_digits(values: Array, sides: Sequence[Ints]) -> int | None:
    """Return the digits of the side whose whole numbers have fewer, where nearly all of each side have as many."""
    numbers = values.astype(float)
    with np.errstate(all="ignore"):
        digits = np.where(numbers >= 1, np.floor(np.log10(np.maximum(numbers, 1) + 0.5)) + 1, 1).astype(np.int64)
        whole = (numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2**53)
    usual = []
    for side in sides:
        by_digits = np.bincount(digits[whole], weights=side[whole], minlength=1)
        if by_digits.max() < 0.98 * side.sum() or np.count_nonzero(side) <= 3:
            return None
        usual.append(int(by_digits.argmax()))
    least, most = min(usual), max(usual)
    return least if least < most and (least > 1 or most > 2) else None


def tenfold(values: Array, sides: Sequence[Ints]) -> bool:
    """Whether most numbers that a side has alone are the other's with the point elsewhere, more than by chance."""
    numbers = values.astype(float)
    if len(numbers) > _MANY:
        return False
    with np.errstate(all="ignore"):
        digits = np.round(numbers / 10.0 ** np.floor(np.log10(np.abs(numbers))) * 1e9)
    digits = np.where(np.isfinite(digits), digits, 0).astype(np.int64)
    n_digits = 10 - sum((digits % 10**k == 0).astype(np.int64) for k in range(1, 10))
    for mine, other in (sides, sides[::-1]):
        alone = (mine > 0) & (other == 0)
        usual = int(np.bincount(n_digits[alone], weights=mine[alone], minlength=1).argmax())
        there = np.unique(digits[(other > 0) & (n_digits <= usual)])
        met = alone & (n_digits >= _TELLING) & np.isin(digits, digits[other > 0])
        by_chance = len(there) / (9 * 10.0 ** (usual - 1))
        if mine[met].sum() >= max(RECORDS, _HIT * mine[alone].sum()) and by_chance <= _SOME:
            return True
    return False


def may_hold_days(values: Array, sides: Sequence[Ints]) -> bool:
    """Whether nearly all numbers of a side may be days such as 20240131."""
    numbers = values.astype(float)
    like = (numbers >= 18_000_101) & (numbers <= 21_501_231) & (numbers == np.floor(numbers))
    return any((side > 0).any() and like[side > 0].mean() >= _MOST for side in sides)


def codes_for_empty(values: Array, sides: Sequence[Ints], missing: Sequence[int]) -> Floats:
    """Return the numbers of one side that stand for its empty cells: codes for "no answer" that the other has not."""
    if max(missing) < RECORDS:
        return np.zeros(0)
    numbers = values.astype(float)
    totals = [int(side.sum()) + empty for side, empty in zip(sides, missing, strict=True)]
    for a, b in ((0, 1), (1, 0)):
        mine, other = sides[a], sides[b]
        codes = shaped_as_codes(np.sort(numbers[mine > 0]))
        alone = np.isin(numbers, codes) & (other == 0)
        if stand_for_empty(int(mine[alone].sum()), (missing[a], missing[b]), (totals[a], totals[b])):
            return numbers[alone]
    return np.zeros(0)


def may_be_coarse(values: Array, sides: Sequence[Ints]) -> bool:
    """Whether dates of one side may be known to another level than those of the other."""
    try:
        at = values.astype("M8[s]")
    except ValueError:
        return True
    days = at.astype("M8[D]")
    time_of_day = at - days.astype("M8[s]")
    in_week = (days.astype(np.int64) + 3) % 7
    in_month = since_month(at)
    fine = [float(side[time_of_day.astype(np.int64) != 0].sum()) / max(float(side.sum()), 1) for side in sides]
    if min(fine) <= _HARDLY and max(fine) >= _SOME:
        return True
    in_day = time_of_day.astype(np.int64)
    for rest in (in_day % 60, in_day % 3_600, in_day, in_week, in_month):
        _, places = np.unique(rest, return_inverse=True)
        shared = [np.bincount(places, weights=side).max() >= _MOST * side.sum() for side in sides]
        if shared[0] != shared[1] or (rest is in_month and any(shared)):
            return True
    return False
