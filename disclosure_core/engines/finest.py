"""Cells that came back one by one: what coarser cells are made of, without asking the engine for each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.counting.cells import Cells, KeyTable, Tables
from disclosure_core.data.column import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    import pandas as pd

    from disclosure_core.counting.cells import Counts
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.values import Note
    from disclosure_core.engines.query import TargetCells
    from disclosure_core.engines.table_study import TableStudy


def finest(study: TableStudy, settings: Settings, sources: Sequence[TargetCells], notes: tuple[Note, ...]) -> Tables:
    """Return the tables of these targets, a cell a row.

    No record comes back: those of a cell are alike, and stand for themselves one after the other.
    """
    rows = [source.every() for source in sources]
    keys = _keys(sources[0], rows[0])
    targets = {}
    for source, cells in zip(sources, rows, strict=True):
        assert source.target is not None
        targets[source.target.name] = _cells(source, cells, keys)
    return Tables(study, settings.counting(), keys, targets, notes)


def with_records_alike(tables: Tables) -> Tables:
    """Return tables whose cells came one by one with records: those of a cell are alike, one after the other."""
    keys = tables.keys
    sides = (keys.d_q, *keys.s_q)
    original, *synthetic = (np.repeat(np.arange(keys.d_q.size, dtype=np.int32), side) for side in sides)
    table = KeyTable(keys.keys, keys.levels, original, tuple(synthetic), keys.d_q, keys.s_q)
    targets = {}
    for name, cells in tables.targets.items():
        first, of = cells[0], cells[0].column
        column = Column(
            of.name, of.kind, of.values, of.ordered, np.repeat(first.target, first.d),
            tuple(np.repeat(each.target, each.s) for each in cells),
        )  # fmt: skip
        targets[name] = tuple(replace(each, column=column, keys=table) for each in cells)
    return replace(tables, keys=table, targets=targets)


def _keys(source: TargetCells, cells: pd.DataFrame) -> KeyTable:
    q = _combination(source, cells)
    first = np.flatnonzero(np.diff(q, prepend=-1))
    levels = tuple(cells[name].to_numpy(np.int64)[first] // stride % radix for name, stride, radix in source.places)
    sides = [np.bincount(q, cells[name]).astype(np.int64) for name in source.counts]
    records = [np.repeat(np.arange(first.size), side) for side in sides]
    return KeyTable(tuple(source.keys), levels, records[0], tuple(records[1:]), sides[0], tuple(sides[1:]))


def _cells(source: TargetCells, cells: pd.DataFrame, keys: KeyTable) -> tuple[Cells, ...]:
    target = source.target
    assert target is not None
    q, t = _combination(source, cells), cells["t"].to_numpy(np.int64)
    d, *others = (_counts(cells, name) for name in source.counts)
    column = Column(
        target.name, target.kind, target.values, target.ordered, np.repeat(t, d),
        tuple(np.repeat(t, s) for s in others),
    )  # fmt: skip
    found = []
    for i, s in enumerate(others):
        at = (d > 0) | (s > 0)
        found.append(
            Cells(keys.n_original, keys.n_synthetic[i], column, keys, q[at], t[at], d[at], s[at], keys.d_q, keys.s_q[i])
        )
    return tuple(found)


def _combination(source: TargetCells, cells: pd.DataFrame) -> npt.NDArray[np.intp]:
    """Return, shape (n_cells,), the number of each cell's key combination, the same for every target."""
    found: Any = cells.groupby(source.q, sort=True).ngroup().to_numpy(dtype=np.intp)
    return np.asarray(found, dtype=np.intp)


def _counts(rows: pd.DataFrame, name: str) -> Counts:
    return rows[name].to_numpy(dtype=np.int64)
