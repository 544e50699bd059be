"""A further side of a column, read against the levels that the finished sides have: it changes none of them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from disclosure_core.arrays import Array, Indices, Ints, Mask
from disclosure_core.data.values._coding import object_array
from disclosure_core.data.values._levels import as_texts, joint_levels
from disclosure_core.data.values._numbers import is_finite, plain_numbers, plainest, texts, whole_numbers
from disclosure_core.data.values._times import since_1970
from disclosure_core.data.values._types import FALSE, LONG_FORMS, SHORT_FORMS, TRUE, Kind, Levels, Note, Side, Sort

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Placed:
    """Where the values of a further side stand among the levels of the finished ones.

    Attributes
    ----------
    levels
        Shape (n_values,), of the further side's values: the level of each; -1 where none is the same value.
    odd
        Shape (n_values,): whether a value is of another type than the column.
    unmatched
        The values of the column's type that no level is, rising where they are numbers; others as texts.
    unmatched_codes
        Shape (n_values,): the index of each value in `unmatched`, -1 where it is none of them.
    is_type, has_type
        What the column is in the finished files, and what the further side's odd values are, as a person says it.
    from_text
        Whether numbers, dates, or true and false were read from text.
    notes
        What is to be said of how the values were compared.
    """

    levels: Ints
    odd: Mask
    unmatched: Array
    unmatched_codes: Ints
    is_type: str
    has_type: str
    from_text: bool
    notes: tuple[Note, ...]


def against(name: str, sides: Sequence[Side], other: Side) -> tuple[Levels, Placed]:
    """Return the levels of the finished sides of column `name`, and where the values of a further side stand in them.

    A value meets a level where, put together with the finished sides, it would be the same as that level's values and
    no other's (`data.values`). Text is read as what the column is, cell by cell.
    """
    finished = joint_levels(name, sides)
    sort = _sort(sides, finished)
    read, kept, odd = _read_as(sort, finished, other)
    joint = joint_levels(name, [*sides, read])
    # Where the further side lets two levels meet, or parts one, the finished sides decide.
    level_of = np.full(len(joint.values), -1, dtype=np.int64)
    several = np.zeros(len(joint.values), dtype=bool)
    for there, here in zip(joint.maps[:-1], finished.maps, strict=True):
        several[there[(level_of[there] >= 0) & (level_of[there] != here)]] = True
        level_of[there] = here
        several[there[level_of[there] != here]] = True
    n = len(other.values)
    levels, unmatched_codes = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    mine = joint.maps[-1]
    found = level_of[mine]
    if several[mine].any():
        own = {text: i for i, text in enumerate(texts(finished.values))}
        written = as_texts(read.sort, read.values) if read.sort else []
        for i in np.flatnonzero(several[mine]).tolist():
            found[i] = own.get(str(written[i]), -1)
    levels[kept] = found
    alone = found < 0
    if finished.kind is Kind.NUMBER and joint.kind is Kind.NUMBER:
        alone &= _finite(joint.values[mine])
        odd[kept[(found < 0) & ~alone]] = True  # an infinite value has no interval
    places = np.unique(mine[alone])
    unmatched = joint.values[places]
    if finished.kind is not Kind.NUMBER:
        unmatched = object_array(_written_as(texts(finished.values), texts(unmatched)))
    unmatched_codes[kept[alone]] = np.searchsorted(places, mine[alone])
    said = {note.text for note in finished.notes}
    same_sort = read.sort in {p.sort for p in sides}
    notes = tuple(note for note in joint.notes if same_sort and note.warning and note.text not in said)
    is_type = "" if sort is None else sort.words
    has_type = "" if other.sort is None else other.sort.words
    from_text = other.sort is Sort.TEXT and read.sort not in (None, Sort.TEXT)
    if odd.any() and other.sort is sort:
        has_type = "infinite values"
    return finished, Placed(levels, odd, unmatched, unmatched_codes, is_type, has_type, from_text, notes)


_MIDNIGHT = "T00:00:00"


def _written_as(levels: Sequence[str], own: Sequence[str]) -> list[str]:
    """Return values as the levels are written: one moment more writes no day as a moment."""
    days = any(text.endswith(_MIDNIGHT) for text in own) and not any("T" in text for text in levels)
    return [text.removesuffix(_MIDNIGHT) for text in own] if days else list(own)


def odd_cells(side: Side) -> tuple[int, int, str] | None:
    """Return how many cells of text are no numbers, the first record that has one (from 0), and the first 40 letters.

    None where none is, or more than half are, which is text.
    """
    odd = np.array([_NUMBER.fullmatch(text.strip()) is None for text in side.values.tolist()], dtype=bool)
    rows = np.flatnonzero(np.append(odd, False)[side.codes])
    if not rows.size or 2 * rows.size > len(side.codes):
        return None
    return rows.size, int(rows[0]), value_text(side, int(side.codes[rows[0]]))[:40]


def value_text(side: Side, i: int) -> str:
    """Return one of the values of a side as a person sees it."""
    return "" if side.sort is None else str(as_texts(side.sort, side.values[i : i + 1])[0])


def _sort(sides: Sequence[Side], finished: Levels) -> Sort | None:
    """Return what every value of a column has to be; None where it may be any text."""
    sorts = {p.sort for p in sides if p.sort is not None}
    if sorts in ({Sort.NUMBER}, {Sort.MOMENT}, {Sort.TIME}, {Sort.SPAN}):
        return next(iter(sorts))
    if sorts == {Sort.TIME, Sort.SPAN}:
        return Sort.TIME
    logical = finished.kind is Kind.CATEGORY and len(finished.values) and set(finished.values) <= {TRUE, FALSE}
    return Sort.LOGICAL if logical else None


def _read_as(sort: Sort | None, finished: Levels, other: Side) -> tuple[Side, Ints, Mask]:
    """Return the values of `other` that are of `sort`, read from text where they are that; where they stand; the odd.

    The codes of the part returned are of no use.
    """
    n = len(other.values)
    every, none = np.arange(n), np.zeros(n, dtype=bool)
    lengths = (Sort.TIME, Sort.SPAN)
    if sort is None or other.sort in (None, sort) or (sort in lengths and other.sort in (*lengths, Sort.TEXT)):
        return other, every, none
    if other.sort is not Sort.TEXT:
        return Side(None, other.codes, other.values[:0]), every[:0], ~none
    listed = [str(text).strip() for text in other.values.tolist()]
    zone: str | None = None
    if sort is Sort.NUMBER:
        at, values = _numbers(listed, finished.values)
    elif sort is Sort.MOMENT:
        at, values, zone = _moments(listed, np.bincount(other.codes[other.codes >= 0], minlength=n))
    else:
        spelt = {**LONG_FORMS, **SHORT_FORMS}
        truths: list[Any] = [spelt.get(t.lower(), spelt.get(t)) for t in listed]
        at = [i for i, v in enumerate(truths) if v]
        values = np.array([truths[i] == TRUE for i in at], dtype=bool)
    kept = np.array(at, dtype=np.int64)
    odd = ~none
    odd[kept] = False
    return Side(sort if len(at) else None, other.codes, values, zone=zone), kept, odd


def _finite(values: Array) -> Mask:
    if values.dtype != object:
        return np.isfinite(values)
    return np.array([is_finite(v) for v in values.tolist()], dtype=bool)


def _numbers(listed: Sequence[str], levels: Array) -> tuple[list[int], Array]:
    """Return which texts are numbers, and the numbers; each text by itself, whatever stands in other cells."""
    exact = levels.dtype == object
    ends = Decimal(str(levels[0])), Decimal(str(levels[-1]))
    at, values = [], []
    for i, text in enumerate(listed):
        written = text if _NUMBER.fullmatch(text) else _with_comma(text, ends)
        if written is None:
            continue
        whole = written.lstrip("+-").isdigit()
        value: Any = int(written) if whole else Decimal(written) if exact else float(written)
        if is_finite(value):
            at.append(i)
            values.append(value)
    return at, (plainest([Decimal(v) for v in values]) if exact else plain_numbers(values))


def _with_comma(text: str, ends: tuple[Decimal, Decimal]) -> str | None:
    """Return a number with a comma as one with a point; where it may part thousands, as what is within the ends."""
    if not _WITH_COMMA.fullmatch(text):
        return None
    decimal, thousands = text.replace(",", "."), text.replace(",", "")
    if not _THOUSANDS.fullmatch(text) or text.lstrip("+-").startswith("0"):
        return decimal
    within = [t for t in (decimal, thousands) if ends[0] <= Decimal(t) <= ends[1]]
    return within[0] if len(within) == 1 else None


def _moments(listed: Sequence[str], records: Indices) -> tuple[list[int], Array, str | None]:
    """Return which texts are days or moments, and these; with a zone where most records have one."""
    found: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for i, text in enumerate(listed):
        if not _MOMENT.fullmatch(text):
            continue
        try:
            since, zoned = since_1970(dt.datetime.fromisoformat(text))
        except ValueError:  # no day of the calendar
            continue
        found[zoned].append((i, since))
    zoned = sum(records[i] for i, _ in found[True]) > sum(records[i] for i, _ in found[False])
    at, values = [i for i, _ in found[zoned]], [since for _, since in found[zoned]]
    return at, whole_numbers(values), "UTC" if zoned else None
