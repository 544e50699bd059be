"""The original records that DiSCO counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.data.column import with_records
from disclosure_core.errors import not_found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.counting.cells import Counted
    from disclosure_core.data.column import Codes, Variable
from disclosure_core.records.listing import RECORD, Rows, labelled, unique_names

EVIDENCE = ("same answer, original", "same answer, synthetic", "also disclosive in the original")
"""What a list of records at risk says of each, beside its keys and the answer."""


@dataclass(frozen=True, eq=False, repr=False)
class AtRisk:
    """The original records that DiSCO counts, for one target and one synthesis; a view, made without a table.

    Attributes
    ----------
    counted
        The cells and what is left of them.
    record
        Shape (n,): the original's records, counted from 0, in the order of the list.
    cell
        Shape (n,): the cell of each.
    """

    counted: Counted
    record: Rows
    cell: Rows

    def __len__(self) -> int:
        return int(self.record.size)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `frame`, all of which `ordered` takes: record, the keys, the target, and `EVIDENCE`."""
        cells = self.counted.cells
        return unique_names([RECORD, *(key.name for key in cells.keys.keys), cells.column.name, *EVIDENCE])

    def where(self, levels: Mapping[str, str]) -> AtRisk:
        """Return the records that have these levels, by the name of a key or of the target.

        Raises
        ------
        DisclosureError
            When a column is neither a key nor the target, or has no such level.
        """
        matches = np.ones(len(self), dtype=bool)
        for name, level in levels.items():
            column, codes = self._coded(name)
            matches &= codes == column.code_of(level)
        return replace(self, record=self.record[matches], cell=self.cell[matches])

    def ordered(self, column: str, *, descending: bool = False) -> AtRisk:
        """Return the records in the order of one of `columns`; a key or target in the order of its levels.

        Raises
        ------
        DisclosureError
            When there is no such column.
        """
        if column not in self.columns:
            raise not_found("Column", column, "of this list", self.columns)
        place = self.columns.index(column)
        values = self.values(place)
        order = np.argsort(-values.astype(np.int64) if descending else values, kind="stable")
        return replace(self, record=self.record[order], cell=self.cell[order])

    def frame(self, start: int = 0, n_rows: int | None = None) -> pd.DataFrame:
        """Return `most` rows from row `first`, a row a record, columns as `columns`.

        Returns
        -------
        DataFrame
            The record's number, counted from 1 as in the file; its keys; the target's level that the synthetic data
            give, which is the true one; original and synthetic records with these keys and this answer, in the full
            tables; whether the keys disclose it in the original as well.
        """
        stop = None if n_rows is None else start + n_rows
        part = replace(self, record=self.record[start:stop], cell=self.cell[start:stop])
        cells = self.counted.cells
        columns = (*cells.keys.keys, cells.column)
        values: list[object] = [part.record + 1]
        values += [labelled(column, part.values(i)) for i, column in enumerate(columns, 1)]
        values += [part.values(i) for i in range(len(columns) + 1, len(self.columns))]
        return pd.DataFrame(dict(zip(self.columns, values, strict=True)))

    def values(self, place: int) -> npt.NDArray[np.generic]:
        """Return one of `columns`, by its place: codes of keys and target, numbers of the rest."""
        cells = self.counted.cells
        n_keys = len(cells.keys.keys)
        if place == 0:
            return self.record
        if place <= n_keys:
            return cells.keys.levels[place - 1][cells.q[self.cell]]
        return (cells.target, cells.d, cells.s, cells.disclosive_original)[place - n_keys - 1][self.cell]

    def _coded(self, name: str) -> tuple[Variable, Codes]:
        cells = self.counted.cells
        columns = (*cells.keys.keys, cells.column)
        names = [column.name for column in columns]
        if name not in names:
            raise not_found("Column", name, "a key or the target", names)
        place = names.index(name)
        return columns[place], self.values(place + 1)  # type: ignore[return-value]


def at_risk(counted: Counted) -> AtRisk:
    """Return the original records that DiSCO counts, in the order of the file.

    Source
    ------
    measures.md 4 and 6: d' of the cells in which the synthetic data give one answer, and it is right.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, assess
    >>> found = assess(Study(frame, [frame]), Settings(keys=["age"]))
    >>> at_risk(found.targets["job"].counted[0]).frame()["record"].tolist()
    [1, 2]
    """
    cells, keys = counted.cells, counted.cells.keys
    keys.need_records()
    answer_cell = np.full(keys.d_q.size, -1, dtype=np.intp)  # at most one cell of a key combination gives an answer
    answer_cell[cells.q[counted.disclosed]] = counted.disclosed
    cell = answer_cell[keys.original]
    right = (cell >= 0) & (cells.target[cell] == with_records(cells.column).original)
    return AtRisk(counted, np.flatnonzero(right), cell[right])
