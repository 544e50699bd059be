"""Lists of single records: their numbers, and codes as the texts that a person sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.arrays import Counts, Indices
from disclosure_core.data.column import Variable, with_records

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.study import EngineStudy


Rows = Indices


RECORD = "record"
"""The column of a list that numbers the records of a file, from 1."""


def listed_records(study: AnyStudy, i: int | None, rows: Rows) -> pd.DataFrame:
    """Return records of synthesis `i`, counted from 0, or of the original (None): their number from 1, every column."""
    columns = [with_records(column) for column in study.columns.values()]
    side = [c.original if i is None else c.synthetic[i] for c in columns]
    values = [rows + 1, *(labelled(c, s[rows]) for c, s in zip(columns, side, strict=True))]
    return frame_of(list(zip([RECORD, *study.columns], values, strict=True)))


def records_of(
    study: EngineStudy | None,
    keys: KeyTable,
    side: int,
    q: Rows,
    n: Counts,
    target: tuple[Variable, npt.NDArray[np.integer]] | None = None,
    rank: Counts | None = None,
    *,
    descending: bool = False,
    start: int = 0,
    n_rows: int | None = None,
) -> tuple[Rows, Rows]:
    """Return the records of a side that are in some cells: their numbers, counted from 0, and which cell each is in.

    Parameters
    ----------
    study
        What reads the records, at most `MOST_ROWS`; None where they are here, of cells with different keys.
    side
        0 is the original.
    q, n, target
        Shape (n_cells,): each cell's key combination, its records of this side, and the code of the target, if any.
    rank, descending
        Shape (n_cells,): cells of a lower rank come first; within one, records by their number.
    start, n_rows
        Which rows of the list.
    """
    rank = np.zeros(q.size, dtype=np.int64) if rank is None else rank
    if study is not None:
        from disclosure_core.engines.duckdb_records import InOrder, records_in
        from disclosure_core.engines.sources import MOST_ROWS

        column, codes = target or (None, None)
        levels = (*(of_key[q] for of_key in keys.levels), *([] if codes is None else [codes]))
        asked = InOrder(levels, n, rank, descending)
        return records_in(study, keys, column, side, asked, start, MOST_ROWS if n_rows is None else n_rows)
    cell_of = np.full(keys.d_q.size, -1, dtype=np.intp)
    cell_of[q] = np.arange(q.size)
    cell = cell_of[(keys.original, *keys.synthetic)[side]]
    number = np.flatnonzero(cell >= 0)
    if target is not None:
        number = number[target[1][cell[number]] == with_records(target[0]).sides[side][number]]
    cell = cell[number]
    order = np.lexsort((-number if descending else number, rank[cell]))
    some = order[start : None if n_rows is None else start + n_rows]
    return number[some], cell[some]


def labelled(column: Variable, codes: npt.NDArray[np.generic]) -> pd.Categorical:
    """Return codes as the texts a person sees, without writing one text a record."""
    return pd.Categorical.from_codes(codes.astype(np.int64), categories=pd.Index(column.labels, dtype="str"))


def frame_of(columns: Sequence[tuple[str, object]]) -> pd.DataFrame:
    """Return columns by name as a frame; of one name that stands twice, the later has another."""
    names = unique_names([name for name, _ in columns])
    return pd.DataFrame(dict(zip(names, (values for _, values in columns), strict=True)))


def unique_names(names: list[str]) -> tuple[str, ...]:
    """Return the names of a list's columns, each once: a column of the data may be called "record"."""
    unique: list[str] = []
    for name in names:
        while name in unique:
            name = f"{name} (data)"
        unique.append(name)
    return tuple(unique)
