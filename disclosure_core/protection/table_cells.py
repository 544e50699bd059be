"""The cells of one- and two-way tables: how many records of the original and of each synthesis they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Counts, Ints
from disclosure_core.counting.codes import DENSE
from disclosure_core.counting.count import count
from disclosure_core.counting.settings import Settings
from disclosure_core.data.column import Column, Variable, with_records
from disclosure_core.data.study import AnyStudy, Kind
from disclosure_core.errors import DisclosureError

GROUPS = 5
"""Groups into which numbers are put."""


def cells_of(study: AnyStudy, first: str, second: str = "", synthesis: int = 0) -> pd.DataFrame:
    """Return one table cell by cell, its largest difference first.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    first, second
        The columns; `second` empty for a table of one.
    synthesis
        1 … m; 0 takes all syntheses together.

    Returns
    -------
    DataFrame
        A row a cell that holds a record: first, and second where there is one, the levels; original and synthetic, in
        % of the records of each side; difference, percentage points; records_original and records_synthetic, counts
        (all syntheses together for 0).

    Raises
    ------
    DisclosureError
        When a column is not there, or the synthesis is not.
    """
    if not 0 <= synthesis <= study.n_syntheses:
        raise DisclosureError(f"There is no synthesis {synthesis}; choose 1 to {study.n_syntheses}, or 0 for all.")
    chosen = [study.grouped(name, GROUPS)[0] for name in ((first, second) if second else (first,))]
    sides = range(1, study.n_syntheses + 1) if synthesis == 0 else [synthesis]
    if len(chosen) == 1:
        counts = chosen[0].counts
        d, s = counts[0], counts[list(sides)].sum(axis=0)
        at: tuple[Array, ...] = (np.arange(d.size),)
    elif not study.holds_records:
        groups = {column.name: GROUPS for column in chosen if study.columns[column.name].kind is Kind.NUMBER}
        cells = count(study, Settings(keys=(first,), targets=(second,), groups=groups)).targets[second]
        size = chosen[0].n_codes * chosen[1].n_codes
        d, s = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        for i in sides:
            each = cells[i - 1]
            codes = each.keys.levels[0][each.q].astype(np.int64) * chosen[1].n_codes + each.target
            d[codes] = each.d
            s[codes] += each.s
        at = np.divmod(np.arange(size), chosen[1].n_codes)
    else:
        a, b = (with_records(column) for column in chosen)
        coded = [x.astype(np.int64) * b.n_codes + y for x, y in zip(a.sides, b.sides, strict=True)]
        d, s, codes = _tallied(coded[0], [coded[i] for i in sides], a.n_codes * b.n_codes)
        s, at = s.sum(axis=0), np.divmod(codes, b.n_codes)
    held = (d + s) > 0
    n_s = sum(study.n_synthetic[i - 1] for i in sides)
    original, synthetic = 100 * d[held] / study.n_original, 100 * s[held] / n_s
    named = ("first", "second")[: len(chosen)]
    levels = {
        name: [column.label(int(code)) for code in codes[held]]
        for name, column, codes in zip(named, chosen, at, strict=True)
    }
    frame = pd.DataFrame(
        {
            **levels,
            "original": original,
            "synthetic": synthetic,
            "difference": synthetic - original,
            "records_original": d[held],
            "records_synthetic": s[held],
        }
    )
    return frame.sort_values("difference", key=np.abs, ascending=False, kind="stable", ignore_index=True)


Table = tuple[str, str, Iterable[tuple[Counts, Counts]]]
"""A table's columns and, a synthesis, its counts: original, synthetic."""


def tables_of_one(columns: Iterable[Variable]) -> Iterator[Table]:
    """Yield each column's table."""
    for column in columns:
        yield column.name, "", [(column.counts[0], side) for side in column.counts[1:]]


def tables_of_two(columns: Sequence[Column]) -> Iterator[Table]:
    """Yield each table of two columns."""
    wide: list[Ints] = []
    for i, j in combinations(range(len(columns)), 2):
        a, b = columns[i], columns[j]
        if j == i + 1:  # the first pair of a column: its codes are widened once for all
            wide = [side.astype(np.int64) for side in a.sides]
        coded = [x * b.n_codes for x in wide]
        for codes, y in zip(coded, b.sides, strict=True):
            codes += y
        d, s, _ = _tallied(coded[0], coded[1:], a.n_codes * b.n_codes)
        yield a.name, b.name, [(d, each) for each in s]


def _tallied(original: Counts, synthetic: Sequence[Counts], size: int) -> tuple[Counts, Counts, Counts]:
    """Return the original's records, and shape (m, n_cells) the syntheses', of each cell, and the cells' codes."""
    n_records = original.size + sum(side.size for side in synthetic)
    if size <= DENSE * n_records:
        d = np.bincount(original, minlength=size)
        return d, np.stack([np.bincount(side, minlength=size) for side in synthetic]), np.arange(size)
    ranks, codes = pd.factorize(np.concatenate([original, *synthetic]))
    first, *others = np.split(ranks, np.cumsum([original.size, *(side.size for side in synthetic)])[:-1])
    n = len(codes)
    return (
        np.bincount(first, minlength=n),
        np.stack([np.bincount(side, minlength=n) for side in others]),
        np.asarray(codes),
    )
