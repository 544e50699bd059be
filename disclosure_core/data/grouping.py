"""Numeric values to intervals: quantile groups as R's `synthpop` makes them, or intervals at breaks of one's own.

Breaks are exact fractions of the values as people write them (0.1 is one tenth), and a value is compared with a break
as fractions: no value that is exactly a quantile falls one interval too low.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from disclosure_core.arrays import Array, Ints, Mask
from disclosure_core.data.harmonise import side_within
from disclosure_core.data.values import Note, texts
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import exact, in_full, quantity
from disclosure_core.shown import listed

Groups: TypeAlias = int | tuple[int | float, ...]
"""How a number is cut: into about so many groups, 0 for none; or into intervals that begin at one's own breaks."""

MOST_GROUPS = 10_000
"""More groups than this are no grouping."""

FEWEST = 3
"""Quantiles that make fewer intervals and missing codes than this give way to equal widths (measures.md 2.3)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grouping:
    """How the values of one column fall into intervals.

    Attributes
    ----------
    labels
        Text of each interval, lowest first: "[400,800)", the last closed on both sides.
    group
        Shape (n_values,): the interval of each value.
    equal_width
        True where quantiles left too few groups and equal widths were used.
    breaks
        Where the intervals begin, and where the last one ends; of one's own breaks, where all but the first begin.
    """

    labels: tuple[str, ...]
    group: Ints
    equal_width: bool
    breaks: tuple[Fraction, ...]

    def within(self, values: Array) -> Ints:
        """Return the interval of rising values of another file; -1 of one outside all of them."""
        is_open = len(self.labels) > len(self.breaks)
        return interval_open(values, self.breaks) if is_open else interval_within(values, self.breaks)


def checked_groups(name: str, given: Any) -> Groups:
    """Return how column `name` is to be cut: a number of groups, or own breaks, to 15 digits.

    Raises
    ------
    DisclosureError
        When it is neither: a number of groups is 1, negative or beyond `MOST_GROUPS`, or breaks are no rising numbers.
    """
    if isinstance(given, list | tuple | np.ndarray):
        return checked_breaks(name, given)
    whole = isinstance(given, Real) and not isinstance(given, bool)
    number: Any = given if whole else math.nan
    if not (number == 0 or 2 <= number <= MOST_GROUPS) or number % 1:
        raise DisclosureError(
            f"Ask for 2 to {MOST_GROUPS:,} groups of {name!r}, or 0 for none; or give the breaks where groups begin, "
            "such as 18, 65."
        )
    return int(number)


def checked_breaks(name: str, given: Iterable[Any]) -> tuple[int | float, ...]:
    """Return own breaks of column `name`, to 15 digits; the same rule for groups and for the safeguard."""
    values = tuple(given)
    breaks = [number for value in values if (number := _break(value)) is not None]
    rising = len(breaks) == len(values) and all(a < b for a, b in pairwise(values))
    if not rising or not 1 <= len(breaks) <= MOST_GROUPS:
        raise DisclosureError(f"Give the breaks of {name!r} as rising numbers, such as 18, 30, 65.")
    if len(set(breaks)) < len(breaks):
        raise DisclosureError(f"Two breaks of {name!r} are written alike; give them 15 digits at most.")
    return tuple(breaks)


def _break(given: Any) -> int | float | None:
    """Return a break as the number of 15 digits that people read, None where it is no number."""
    if isinstance(given, bool | np.bool_) or not isinstance(given, Real):
        return None
    try:
        number = float(f"{float(given):.15g}")
    except OverflowError:
        return None
    return None if not math.isfinite(number) else int(number) if number.is_integer() else number


def read_groups(name: str, text: str) -> Groups:
    """Return how column `name` is to be cut, as a person writes it: "20", "0, 18, 65", "at 18"; or nothing."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if not text or text.lower() == "every value":
        return 0
    found = re.fullmatch(r"([0-9]{1,9})(?: *(?:equal )?groups?)?", text, re.IGNORECASE)
    if found is not None:
        return checked_groups(name, int(found[1]))
    parts = re.split(r" *[,;] *", re.sub(r"^(?:cut )?at ", "", text, flags=re.IGNORECASE).strip(" ,;"))
    try:
        breaks = [float(part) for part in parts]
    except ValueError:
        raise DisclosureError(
            f"{text!r} is no way to group {name!r}: write how many groups, such as 20, or the breaks where groups "
            "begin, such as 18, 30, 65."
        ) from None
    return checked_breaks(name, breaks)


def written(groups: Groups) -> str:
    """Return a grouping as `read_groups` reads it again: "20 groups", "at 0, 18, 65"; nothing for 0."""
    if isinstance(groups, tuple):
        return f"at {', '.join(map(end_of, groups))}"
    return f"{groups} groups" if groups else ""


def in_words(name: str, groups: Groups) -> str:
    """Return how a column is cut, for a sentence: "age in 5 groups", "age cut at 0, 18, 65"."""
    return f"{name} cut {written(groups)}" if isinstance(groups, tuple) else f"{name} in {groups:,} groups"


def spoken(breaks: Sequence[float]) -> str:
    """Return the intervals at own breaks as a person says them: "under 18, 18 to under 65, 65 and over"."""
    ends = list(map(end_of, breaks))
    return ", ".join((f"under {ends[0]}", *(f"{a} to under {b}" for a, b in pairwise(ends)), f"{ends[-1]} and over"))


def end_of(value: float) -> str:
    """Return a break of one's own as it is written everywhere: 15 digits, no exponent."""
    return _plain(exact(value), 15)


def own_labels(breaks: Sequence[float]) -> tuple[str, ...]:
    """Return the intervals at own breaks: the first and the last are open, "<18", "[18,65)", ">=65"."""
    ends = list(map(end_of, breaks))
    return (f"<{ends[0]}", *(f"[{a},{b})" for a, b in pairwise(ends)), f">={ends[-1]}")


def own_intervals(values: Array, breaks: Sequence[float]) -> Grouping:
    """Return the grouping of rising values at own breaks, which need no data: each value falls into an interval."""
    at = tuple(map(exact, breaks))
    return Grouping(own_labels(breaks), interval_open(values, at), False, at)


def notes_on_breaks(name: str, labels: Sequence[str], records: Array) -> tuple[Note, ...]:
    """Return what is to be said of intervals at own breaks that no record is in, original or synthetic."""
    empty = [label for label, n in zip(labels, records.tolist(), strict=True) if not n]
    if len(empty) == len(labels) - 1:
        text = f"{name!r}: all records are in one group, because every break is outside the data; give other breaks."
        return (Note(text, name, warning=True),)
    return (Note(f"{name!r}: no record is in {listed(empty)}; the breaks stay as they are.", name),) if empty else ()


def interval_open(values: Array, breaks: Sequence[Fraction]) -> Ints:
    """Return the interval of each of the rising `values`, infinite ones too: how many breaks are not above it."""
    plain = values.tolist()
    below, finite = sum(v == -math.inf for v in plain), [v for v in plain if not _infinite(v)]
    starts = [below + bisect_left(finite, b, key=exact) for b in breaks]
    return np.searchsorted(starts, np.arange(len(plain)), side="right").astype(np.int64)


def _infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


def holds_infinite(values: Array) -> bool:
    """Return whether one of some numbers is infinite, so that no interval can hold it."""
    exact_too = values.dtype == object  # floats beside exact numbers
    return any(map(_infinite, values.tolist())) if exact_too else bool(np.isinf(values).any())


def group_values(values: Array, counts: Ints, n: int, n_codes: int = 0) -> Grouping | None:
    """Return the grouping of the distinct `values` of a column into about `n` intervals.

    Parameters
    ----------
    values
        Shape (n_values,): distinct, rising, whole numbers of any size or floats; neither missing values nor missing
        codes among them.
    counts
        Shape (n_values,): records with each value.
    n
        Groups asked for, 2 or more.
    n_codes
        The column's missing codes, which stay levels of their own and count when "fewer than 3" is judged.

    Returns
    -------
    Grouping or None
        None where as many groups are asked for as there are distinct values: every value is a level of its own.

    Raises
    ------
    DisclosureError
        When a value is infinite, so that no interval can hold it.

    Source
    ------
    measures.md 2.3: quantiles by linear interpolation (R's type 7), closed on the left; equal widths as fallback.
    """
    present = np.flatnonzero(counts)
    if n >= present.size:
        return None
    if holds_infinite(values):
        raise DisclosureError(
            "A column with infinite values cannot be grouped; make them missing or leave it ungrouped."
        )
    breaks = quantiles(values[present], counts[present], n)
    equal_width = too_few(breaks, n_codes)
    if equal_width:
        breaks = equal_widths(values[present[0]], values[present[-1]], n)
    return Grouping(labels_of(breaks), interval_of(values, breaks), equal_width, breaks)


def quantiles(values: Array, counts: Ints, n: int) -> tuple[Fraction, ...]:
    """Return the distinct quantiles at 0, 1/n … 1 of `values` repeated `counts` times, without repeating them.

    The i-th stands at (N − 1)·i/n: so many records below it, in whole numbers, and a share of the way to the next.
    """
    upto = np.cumsum(counts)
    last_break = int(upto[-1]) - 1
    places = [divmod(last_break * i, n) for i in range(n + 1)]
    below = np.array([place for place, _ in places])
    low = values[np.searchsorted(upto, below, side="right")].tolist()
    high = values[np.searchsorted(upto, np.minimum(below + 1, last_break), side="right")].tolist()
    breaks = []
    for a, b, (_, part) in zip(low, high, places, strict=True):
        start = exact(a)
        breaks.append(start + Fraction(part, n) * (exact(b) - start) if part and a != b else start)
    return tuple(dict.fromkeys(breaks))  # they rise, so that equal ones are neighbours


def too_few(breaks: Sequence[object], n_codes: int) -> bool:
    """Return whether quantiles make so few intervals, occupied or not, that equal widths are used."""
    return max(len(breaks) - 1, 1) + n_codes < FEWEST


def equal_widths(low: float, high: float, n: int) -> tuple[Fraction, ...]:
    """Return the breaks of `n` intervals of equal width; one distinct value stays one closed interval."""
    start, end = exact(low), exact(high)
    return tuple(dict.fromkeys(start + Fraction(i, n) * (end - start) for i in range(n + 1)))


def interval_of(values: Array, breaks: Sequence[Fraction]) -> Ints:
    """Return the interval of each of the rising `values`: closed on the left, the last one on both sides."""
    near = np.searchsorted(values, np.array([_as(b, values.dtype) for b in breaks], dtype=values.dtype)).tolist()
    starts = []
    for b, interval in zip(breaks, near, strict=True):
        # The search compares rounded breaks: step to the first value that is not below the exact one.
        while interval > 0 and exact(values[interval - 1]) >= b:
            interval -= 1
        while interval < values.size and exact(values[interval]) < b:
            interval += 1
        starts.append(interval)
    last_interval = max(len(breaks) - 2, 0)
    return np.clip(np.searchsorted(starts, np.arange(values.size), side="right") - 1, 0, last_interval).astype(np.int64)


def interval_within(values: Array, breaks: Sequence[Fraction]) -> Ints:
    """Return the same of rising values that may lie outside all intervals: these belong to none, -1."""
    found = interval_of(values, breaks)
    found[: bisect_left(values, breaks[0], key=exact)] = -1
    found[bisect_right(values, breaks[-1], key=exact) :] = -1
    return found


def _as(b: Fraction, dtype: np.dtype[Any]) -> float:
    """Return a break as `dtype` holds it, rounded down where that is whole numbers."""
    return float(b) if dtype.kind == "f" else b.numerator // b.denominator


def labels_of(breaks: Iterable[Fraction]) -> tuple[str, ...]:
    """Return interval labels with as few digits (8 or more) as keep the breaks apart."""
    breaks = tuple(breaks)
    digits = 8
    while len(set(texts := [_plain(b, digits) for b in breaks])) < len(breaks):
        digits += 1
    if len(texts) == 1:
        return (f"[{texts[0]},{texts[0]}]",)
    intervals = [f"[{a},{b})" for a, b in pairwise(texts)]
    return (*intervals[:-1], f"[{texts[-2]},{texts[-1]}]")


def _plain(b: Fraction, digits: int) -> str:
    """Return a number to so many significant digits, half away from zero, without an exponent."""
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    return in_full(context.divide(Decimal(b.numerator), Decimal(b.denominator)))


def note_on_every_value(name: str, asked: int, n_values: int) -> Iterable[Note]:
    """Say that a column has no more values than groups are asked for."""
    if n_values:
        yield Note(
            f"{name!r} has {quantity(n_values, 'different value')}, no more than the {asked:,} groups asked for: each "
            "is a level.",
            name,
        )


def _ends(values: Array, there: Mask) -> str:
    """Say which file alone has the smallest or the largest number, by which equal widths are made; else nothing."""
    found = []
    present = np.flatnonzero(there.any(axis=0))
    for word, at in (("smallest", present[0]), ("largest", present[-1])):
        files = np.flatnonzero(there[:, at])
        if files.size == 1:
            who = side_within(int(files[0]), len(there) - 1)
            found.append(f"the {word}, {texts(values[[at]])[0]}, is in {who} alone")
    return f" They are made from all files: {', and '.join(found)}." if found else ""


def notes_on_intervals(name: str, asked: int, grouping: Grouping, values: Array, there: Mask) -> Iterable[Note]:
    """Say where other intervals are made than were asked for; `there` says which file has which of the values."""
    made = len(grouping.labels)
    if grouping.equal_width:
        yield Note(
            f"{name!r}: {asked} groups of equal size would leave fewer than 3 levels, so "
            f"{quantity(made, 'interval')} of equal width {'is' if made == 1 else 'are'} used.{_ends(values, there)}",
            name,
        )
    elif made != asked:
        yield Note(f"{name!r}: {asked} groups asked for, {made} made, because many records share a value.", name)
