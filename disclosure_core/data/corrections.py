"""The mends that bring the sides of a column together: the fewest that do it, each tried on the distinct values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats, Ints
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.column import Variable, with_records
from disclosure_core.data.mending import KINDS, steps
from disclosure_core.data.sides import Side, shares
from disclosure_core.data.study import Kind, Study
from disclosure_core.errors import DisclosureError

RISES = 5.0
"""A mend is worth a warning if it raises a share by this, percentage points (issue 12, section 1)."""

BY_CHANCE = 0.01
"""How likely, at most, a perfect synthesis would raise any warning of a missed level: 1 %."""

_IDLE = 1.0
"""A kind of mend that adds less than this to the others, percentage points, is not offered."""

_LEAST_PLAIN = ("letters", "encoding")
"""A space that does not break is a space, and not a letter."""

_CONVERTED = 90.0
"""So much meets in another unit, %, where nothing but that says that there is one."""

_ZONED = re.compile(r"\d\s*(Z|UTC|[+-]\d{2}:?\d{2})$")


def sides_of(column: Variable, frames: Sequence[pd.DataFrame] | Sequence[CodedTable] | None) -> list[Side]:
    """Return the distinct values of each side with their records, as their file holds them where the files are here."""
    sides = []
    for i, counts in enumerate(column.counts):
        present = np.flatnonzero(counts)
        if frames is None:
            levels: pd.Series[Any] = pd.Series([*column.values.tolist(), None], dtype="object")
            values = levels.iloc[present].infer_objects()
        else:
            records = with_records(column)
            codes = records.original if i == 0 else records.synthetic[i - 1]
            first_record = np.zeros(column.n_codes, dtype=np.int64)
            first_record[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
            values = _values_at(frames[i], column.name, first_record[present])
        sides.append(Side(values.reset_index(drop=True), counts[present]))
    return sides


def _values_at(table: Any, name: str, records: Ints) -> pd.Series[Any]:
    """Return some values of a column of a frame, or of a coded or an Arrow table, by its name as text."""
    if isinstance(table, CodedTable):
        return table.column(next(c for c in table.columns if str(c) == name)).at(records)
    if isinstance(table, pd.DataFrame):
        return table.iloc[records, [str(c) for c in table.columns].index(name)]
    return table.column(name).to_pandas().iloc[records]


def _shares_after(
    sides: list[Side], before: Floats, kinds: Iterable[str], labels: Mapping[str, str]
) -> tuple[tuple[str, ...], Floats]:
    """Return which mends change anything, and the shares after all of them."""
    changes, mended = steps(sides, kinds, labels)
    try:
        return tuple(kind for kind, _ in changes), shares(mended)
    except DisclosureError:  # what it makes of the values cannot be compared
        return (), before


def correction(
    sides: list[Side], before: Floats, labels: Mapping[str, str], asked: tuple[str, ...]
) -> tuple[tuple[str, ...], Floats]:
    """Return the fewest of the mends of a verdict that do what all of them do, and the shares after them."""
    ways = [asked, tuple("zone" if kind == "dates" else kind for kind in asked)]
    tried = [_shares_after(sides, before, way, labels) for way in dict.fromkeys(ways)]
    kinds, best = max(tried, key=lambda found: found[1].sum())
    if not kinds or (best - before).max() <= 0:
        return (), before
    return _fewest(sides, before, labels, kinds, best)


def _fewest(
    sides: list[Side],
    before: Floats,
    labels: Mapping[str, str],
    kinds: tuple[str, ...],
    best: Floats,
) -> tuple[tuple[str, ...], Floats]:
    """Leave out what adds next to nothing; of two kinds that do the same, the plainer one stays."""
    idle = min(_IDLE, 0.05 * float((best - before).max()))
    for kind in () if len(kinds) == 1 else sorted(kinds, key=lambda k: (k not in _LEAST_PLAIN, -KINDS.index(k))):
        fewer, without = _shares_after(sides, before, (k for k in kinds if k != kind), labels)
        if (best - without).max() < idle:
            kinds, best = fewer, without
    return kinds, best


def helpful_mends(
    column: Variable,
    frames: Sequence[pd.DataFrame] | Sequence[CodedTable] | None,
    before: Floats,
    labels: Mapping[str, str],
) -> tuple[tuple[str, ...], Floats]:
    """Return mends of decimal digits, units and time zones that raise a share by much; none where chance may do so."""
    first = column.label(0) if column.n_levels else ""
    if column.kind is not Kind.NUMBER and not ("T" in first if column.kind is Kind.DATE else _ZONED.search(first)):
        return (), before
    sides = sides_of(column, frames)
    kinds, best = _shares_after(
        sides, before, ("units", "decimals") if column.kind is Kind.NUMBER else ("zone",), labels
    )
    if not kinds or (best - before).max() < RISES or ("units" in kinds and best.max() < _CONVERTED):
        return (), before
    kinds, best = _fewest(sides, before, labels, kinds, best)
    if _may_be_chance(sides, steps(sides, kinds, labels)[1], best - before):
        return (), before
    return kinds, best


def _may_be_chance(sides: list[Side], mended: list[Side], gain: Floats) -> bool:
    """Whether the values that a mend lets meet may stand on one side only by chance.

    It may, where a side itself uses both spellings, so that they may be two answers, and only few records have the
    one: the chance is that of `agreement`. Where no side uses both, they are one answer however few the records.
    """
    merges = any(_n_values(after) < _n_values(before) for before, after in zip(sides, mended, strict=True))
    if not merges:
        return False
    row, i = np.unravel_index(int(np.argmax(gain)), gain.shape)
    n_affected, n_other = sides[0].records.sum(), sides[1 + i].records.sum()
    n_affected, n_other = (n_affected, n_other) if row == 0 else (n_other, n_affected)
    return bool(gain.max() / 100 * n_affected * math.log1p(n_other / n_affected) < -math.log(BY_CHANCE))


def _n_values(side: Side) -> int:
    """Return how many different values a side has, missing being one."""
    frame = side.values.to_frame("x")
    return int(np.count_nonzero(Study(frame, [frame]).columns["x"].counts[0]))
