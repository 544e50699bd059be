"""Columns of which nearly every record has a value of its own: identifiers, and days such as dates of birth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats, Mask
from disclosure_core.data import certain
from disclosure_core.data.study import AnyStudy, Kind, Note, Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.data.column import Variable

_CLEARLY = 2.0
"""Real values of an identifier are said where they are more than so many times what chance gives."""

NEARLY = 0.9
"""A column with more levels than this share of its records is nearly unique."""


def own_values(study: Study) -> list[Note]:
    """Return a warning for each column of which nearly every record has a level of its own."""
    return [
        Note(f"{_own(study, name, levels)}{_real(study.columns[name], levels)}", name, warning=True)
        for name, levels in nearly_unique(study).items()
    ]


def _own(study: Study, name: str, levels: int) -> str:
    if is_amounts(study.columns[name]):
        return (
            f"{name!r} has {levels:,} levels in {study.n_original:,} records, amounts that are read as text: read it "
            "as numbers."
        )
    if is_days(study.columns[name]):
        return (
            f"{name!r} has {levels:,} days in {study.n_original:,} records. A date that others know, such as a date of "
            "birth, is a key: cut it to years, so that people share it."
        )
    return (
        f"{name!r} has {levels:,} levels in {study.n_original:,} records and looks like an identifier: it should not "
        "be released, and is no key."
    )


def identifiers(study: AnyStudy) -> dict[str, int]:
    """Return the columns that look like identifiers, with their levels: days and amounts are none, they name nobody."""
    found = ((name, n, study.columns[name]) for name, n in nearly_unique(study).items())
    return {name: n for name, n, column in found if not is_days(column) and not is_amounts(column)}


def is_days(column: Variable) -> bool:
    """Whether a column holds days, as dates of birth are, and no moments, which number what happened."""
    if column.kind is Kind.CATEGORY:
        return _has_one(column, certain.date_orders)
    return column.kind is Kind.DATE and not any("T" in str(level) for level in column.levels)


def is_amounts(column: Variable) -> bool:
    """Whether a column holds amounts that are written as no file's numbers are, as 1.137,50 is."""
    return column.kind is Kind.CATEGORY and _has_one(column, certain.decimal_marks)


def _has_one(column: Variable, ways: Callable[[list[str]], list[str]]) -> bool:
    """Whether all levels are written in exactly one of some ways; the first tells most columns apart at once."""
    levels = column.levels
    return bool(ways([str(level) for level in levels[:1]])) and len(ways([str(level) for level in levels])) == 1


def nearly_unique(study: AnyStudy) -> dict[str, int]:
    """Return the columns of which nearly every record has a level of its own, with their levels; of amounts none."""
    levels = {name: held(column) for name, column in study.columns.items()}
    return {
        name: n
        for name, n in levels.items()
        if study.n_original >= 20 and n > NEARLY * study.n_original and not _measured(study.columns[name])
    }


def which(n: int) -> str:
    """Return what is said of `n` columns that are nearly unique: identifiers, and days such as dates of birth."""
    return f"which {'is' if n == 1 else 'are'} nearly unique"


def _real(column: Variable, levels: int) -> str:
    """Return how many of the original's values of an identifier are released; nothing where chance gives as many."""
    real, *others = column.counts[:, :-1] > 0
    there = np.any(others, axis=0)
    released = int((real & there).sum())
    if released <= _CLEARLY * _by_chance(column, real, there):
        return ""
    stand, where = "stand" if released > 1 else "stands", "the synthetic data" if len(others) == 1 else "a synthesis"
    return f" {released:,} of the original's {levels:,} values {stand} in {where}."


def _by_chance(column: Variable, real: Mask, there: Mask) -> float:
    """Return how many of the original's numbers, days and the like others meet by chance; of texts with letters none.

    As many as others of the same range do, or as the original's own repeats tell.
    """
    if column.kind is Kind.CATEGORY and any(map(str.isalpha, "".join(map(str, column.values)))):
        return 0.0
    counts = column.counts[:, :-1]
    repeats = float((counts[0] * (counts[0] - 1)).sum()) / 2
    by_repeats = 2 * (repeats + 2 * repeats**0.5) * counts[1:].sum() / max(counts[0].sum() - 1, 1)
    if column.kind is Kind.CATEGORY:
        return float(by_repeats)
    places = _places(column)
    mine, others = places[real], places[there]
    low, high = mine.min(), mine.max()
    return max(by_repeats, float(((low <= others) & (others <= high)).sum() * mine.size / (high - low + 1)))


def _places(column: Variable) -> Floats:
    """Return numbers as they are, days one after the other, and moments by the second."""
    if column.kind is Kind.NUMBER:
        return column.values.astype(float)
    moments = pd.to_datetime(pd.Series(column.levels), format="ISO8601", utc=True, errors="coerce")
    seconds = np.asarray((moments - pd.Timestamp(0, tz="UTC")).dt.total_seconds(), dtype=np.float64)
    return seconds if (seconds % 86_400).any() else seconds / 86_400


def held(column: Variable) -> int:
    """Return how many levels the original holds, missing not counted."""
    return int(np.count_nonzero(column.counts[0, :-1]))


def _measured(column: Variable) -> bool:
    """Whether a column holds measurements, whose values differ by nature."""
    if column.kind is not Kind.NUMBER:
        return False
    values = column.values.astype(float)
    return bool((values[np.isfinite(values)] % 1 != 0).any())
