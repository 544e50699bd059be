"""Records of cells that were counted by their number: what draws people one by one takes them as alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting.cells import KeyTable
from disclosure_core.data.column import Column

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables


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
