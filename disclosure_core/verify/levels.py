"""Arrow tables as lists of texts, read a second time for the second counter (measures.md 2); None is a missing value.

This file imports nothing of the program: what a value is, and in which interval it lies, is decided here anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from math import isfinite
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

if TYPE_CHECKING:
    Cell = tuple[tuple[str | None, ...], str | None]


class UnreadError(Exception):
    """A column that this file does not read; the message says why."""


# ---- columns as texts (2.1, 2.2, 10) ----


def kind_of(type_: pa.DataType) -> str:
    """Return what a column holds: number, logical, moment, text, or nothing."""
    t = pa.types
    if t.is_dictionary(type_):
        return kind_of(type_.value_type)
    if t.is_null(type_):
        return ""
    if t.is_integer(type_) or t.is_floating(type_) or t.is_decimal(type_):
        return "number"
    if t.is_boolean(type_):
        return "logical"
    if t.is_date(type_) or (t.is_timestamp(type_) and type_.tz is None):
        return "moment"
    if t.is_string(type_) or t.is_large_string(type_):
        return "text"
    raise UnreadError(f"values of type {type_}")


def number(v: float | Decimal, bits: int = 64) -> Decimal:
    """Return the decimal that a number stands for: 15 digits of a float, the fewest that read back of a short one."""
    if not isinstance(v, float):
        return Decimal(v)
    if not isfinite(v) or abs(v) >= 1e15:
        return Decimal(v)
    if bits == 32:
        return Decimal(next(s for d in range(6, 10) if unpack("f", pack("f", float(s := f"{v:.{d}g}")))[0] == v))
    return Decimal(f"{v:.15g}")


def plain(v: Decimal) -> str:
    """Return a number as a person writes it: 17, 2.5, -8."""
    if not v.is_finite():
        return str(float(v))
    text = f"{v:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def column(sides: Sequence[pa.ChunkedArray]) -> tuple[list[list[str | None]], dict[str, Decimal] | None]:
    """Return one column of every table as texts; and of a numeric column the number that each text is."""
    kinds = [kind_of(s.type) for s in sides]
    values = [[None if v is None or v != v else v for v in s.to_pylist()] for s in sides]
    kinds = [kind if any(v is not None for v in side) else "" for kind, side in zip(kinds, values, strict=True)]
    held = set(kinds) - {""}
    if held <= {"number"}:
        bits = [32 if _is_short(s.type) or _holds_short(side) else 64 for s, side in zip(sides, values, strict=True)]
        read = [{v: number(v, b) for v in set(side) if v is not None} for side, b in zip(values, bits, strict=True)]
        texts = [[None if v is None else plain(of[v]) for v in side] for side, of in zip(values, read, strict=True)]
        return texts, {plain(v): v for of in read for v in of.values()}
    texts = []
    for kind, side in zip(kinds, values, strict=True):
        beside = values if held == {"moment"} else [side]
        whole_days = kind == "moment" and all(_is_day(v) for each in beside for v in each if v)
        texts.append([None if v is None else _text(v, kind, whole_days) for v in side])
    if held - {"moment"} and (spelt := _truths(kinds, texts)):
        texts = [[spelt.get(v, v) if v else v for v in side] for side in texts]
    return texts, None


def _is_short(type_: pa.DataType) -> bool:
    return bool(pa.types.is_float32(type_))


def _holds_short(side: Sequence[Any]) -> bool:
    """Return whether floats of 64 bits all hold what 32 bits hold, such as 1.10000002384."""
    floats = {v for v in side if isinstance(v, float)}
    if not floats or any(abs(v) > 1e38 or unpack("f", pack("f", v))[0] != v for v in floats):
        return False
    return any(number(v, 32) != number(v) for v in floats if v != int(v))


def _is_day(v: Any) -> bool:
    return not hasattr(v, "hour") or (v.hour, v.minute, v.second, v.microsecond) == (0, 0, 0, 0)


def _text(v: Any, kind: str, whole_days: bool) -> str:
    if kind == "number":
        return plain(number(v))
    if kind == "moment":
        return str(v)[:10] if whole_days else v.isoformat() if hasattr(v, "hour") else f"{v}T00:00:00"
    return str(v)


def _truths(kinds: Sequence[str], texts: Sequence[Sequence[str | None]]) -> dict[str, str]:
    """Return the spellings of true and false that are one level here: TRUE, True, and T beside these alone."""
    long, short = {"true": "True", "false": "False"}, {"T": "True", "t": "True", "F": "False", "f": "False"}
    sides = [({v for v in side if v is not None}, kind) for side, kind in zip(texts, kinds, strict=True)]
    words = [{v.lower() for v in side} for side, kind in sides if kind == "text"]
    if "logical" not in kinds and not any(w & set(long) and w <= {*long, "t", "f"} for w in words):
        return {}
    every = set().union(*(side for side, kind in sides if kind == "text"))
    alone = all(v in short or v.lower() in long or v == "NA" for v in every) and set(kinds) <= {"logical", "text"}
    return {v: long[v.lower()] for v in every if v.lower() in long} | (short if alone else {})


# ---- groups of a number (2.3) ----

Groups: TypeAlias = int | tuple[float, ...]
"""How many groups, 0 for none, or the breaks of one's own where groups begin."""


def grouped(numbers: Mapping[str, Decimal], count: Mapping[str, int], n: Groups, codes: set[Decimal]) -> dict[str, str]:
    """Return the interval of each text of a numeric column; a missing code stays itself. `n` groups, or own breaks.

    `count` has the records of original and syntheses; a text without any, of people outside, stays itself where it lies
    outside all intervals, and so meets nobody.
    """
    if not isinstance(n, int):
        return {text: at_breaks(v, [number(b) for b in n]) for text, v in numbers.items() if v not in codes}
    free = {text: Fraction(v) for text, v in numbers.items() if v not in codes}
    present = sorted((v, count[text]) for text, v in free.items() if count.get(text))
    if n >= len(present):
        return {}
    ranked, total = [], 0
    for v, records in present:
        total += records
        ranked.append((total, v))

    def at(place: int) -> Fraction:
        return next(v for upto, v in ranked if place < upto)

    breaks: list[Fraction] = []
    for i in range(n + 1):
        below, share = divmod((total - 1) * i, n)
        low = at(below)
        breaks.append(low + Fraction(share, n) * (at(min(below + 1, total - 1)) - low))
    if max(len(set(breaks)) - 1, 1) + len(codes) < 3:
        low, high = present[0][0], present[-1][0]
        breaks = [low + Fraction(i, n) * (high - low) for i in range(n + 1)]
    breaks = sorted(set(breaks))
    digits = 8
    while len(set(ends := [_rounded(b, digits) for b in breaks])) < len(breaks):
        digits += 1
    last = max(len(breaks) - 2, 0)
    names = [f"[{ends[i]},{ends[min(i + 1, len(ends) - 1)]}{']' if i == last else ')'}" for i in range(last + 1)]
    within = {text: v for text, v in free.items() if breaks[0] <= v <= breaks[-1]}
    return {text: names[min(bisect_right(breaks, v) - 1, last)] for text, v in within.items()}


def at_breaks(v: Decimal, breaks: Sequence[Decimal]) -> str:
    """Return the interval of a number at own breaks, of which the first and the last are open."""
    begun = [b for b in breaks if b <= v]
    if not begun:
        return f"<{plain(breaks[0])}"
    return (
        f">={plain(breaks[-1])}" if len(begun) == len(breaks) else f"[{plain(begun[-1])},{plain(breaks[len(begun)])})"
    )


def _rounded(b: Fraction, digits: int) -> str:
    ends = Context(prec=digits, rounding=ROUND_HALF_UP).divide(Decimal(b.numerator), Decimal(b.denominator))
    return plain(ends)


# ---- what was asked of which tables ----


class Data:
    """Original (table 0), syntheses, and perhaps people outside (the last), a list of texts a column and table.

    `codes` are the missing codes of numeric columns, `absent` the levels that count as missing (6, kinds 2 and 3).
    """

    def __init__(
        self,
        tables: Sequence[pa.Table],
        outside: pa.Table | None,
        groups: Mapping[str, Groups],
        codes: Mapping[str, Iterable[float]],
        absent: Mapping[str, Iterable[str]],
    ) -> None:
        every = [*tables, *([] if outside is None else [outside])]
        self._begin([table.num_rows for table in every], len(tables) - 1)
        for name in [c for c in tables[0].column_names if all(c in t.column_names for t in tables)]:
            sides = [t.column(name) if name in t.column_names else None for t in every]
            self._take(name, sides, groups.get(name, 0), codes.get(name, ()), absent.get(name, ()))

    def _begin(self, n: list[int], m: int) -> None:
        self.n, self.m, self.outside = n, m, m + 1 if len(n) > m + 1 else None
        self.columns: dict[str, list[list[str | None]]] = {}
        self.absent: dict[str, set[str | None]] = {}
        self.unread: dict[str, str] = {}
        self.unread_outside: dict[str, str] = {}

    def _take(
        self,
        name: str,
        sides: Sequence[pa.ChunkedArray | None],
        n: Groups,
        codes: Iterable[float],
        absent: Iterable[str],
    ) -> None:
        """Read a column of every table, in groups `n` (0: as it is); none of people outside where they lack it."""
        try:
            self._read(name, sides, n, {number(c) for c in codes})
        except UnreadError as why:
            self.unread[name] = str(why)
        except OverflowError:  # what Python's dates do not hold, such as infinity
            self.unread[name] = "moments before the year 1 or after 9999"
        self.absent[name] = {None, *absent}

    def _read(self, name: str, every: Sequence[pa.ChunkedArray | None], n: Groups, codes: set[Decimal]) -> None:
        sides = [s for s in every[: self.m + 1] if s is not None]
        kinds = {kind_of(s.type) for s in sides if s.null_count < len(s)}
        if self.outside is not None:
            there = every[-1]
            if there is not None and (there.null_count == len(there) or {kind_of(there.type)} == kinds):
                sides.append(there)
            else:
                self.unread_outside[name] = "it is stored otherwise than in the original, or is not there"
        texts, numbers = column(sides)
        if n and numbers is not None:
            of = grouped(numbers, self._records(name, texts[: self.m + 1]), n, codes)
            texts = [[of.get(t, t) if t else t for t in side] for side in texts]
        self.columns[name] = texts

    def _records(self, name: str, texts: Sequence[Sequence[str | None]]) -> Counter[str]:  # noqa: ARG002 (of an engine)
        """Return the records of original and syntheses with each text."""
        return Counter(t for side in texts for t in side if t is not None)

    def label(self, name: str, level: str | None) -> str:
        """Return a level as tables show it: a missing value is Missing, unless that is a level of the data."""
        text = "Missing"
        while level is None and any(text in side for side in self.columns[name][: self.m + 1]):
            text += " (empty)"
        return text if level is None else level

    def level(self, name: str, label: str) -> str | None:
        """Return the level that is shown so."""
        return None if label == self.label(name, None) else label

    def by(self, names: Sequence[str], side: int) -> Counter[tuple[str | None, ...]]:
        """Return the records of a table with each combination of levels; of no columns everybody's is ()."""
        if not names:
            return Counter({(): self.n[side]})
        return Counter(zip(*(self.columns[name][side] for name in names), strict=True))

    def by_level(self, name: str) -> Counter[str | None]:
        """Return the original's records with each level of a column."""
        return Counter({t: n for (t,), n in self.by([name], 0).items()})

    def cells(self, keys: Sequence[str], target: str, side: int) -> Counter[Cell]:
        """Return the records of every cell of a table."""
        return Counter({(levels[:-1], levels[-1]): n for levels, n in self.by([*keys, target], side).items()})
