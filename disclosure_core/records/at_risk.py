"""The original records that DiSCO counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.arrays import Counts
from disclosure_core.errors import not_found
from disclosure_core.records.listing import RECORD, Rows, labelled, records_of, unique_names

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Counted
    from disclosure_core.data.column import Variable
    from disclosure_core.engines.study import EngineStudy

EVIDENCE = ("same answer, original", "same answer, synthetic", "also disclosive in the original")
"""What a list of records at risk says of each, beside its keys and the answer."""


@dataclass(frozen=True, eq=False, repr=False)
class AtRisk:
    """The original records that DiSCO counts, for one target and one synthesis; a view, made without a table.

    Attributes
    ----------
    counted
        The cells and what is left of them.
    cells
        Shape (n_cells,): those whose records are listed.
    rank
        Shape (n_cells,): cells of a lower rank are listed first; within one, records by their number.
    descending
        Whether the largest number is listed first.
    study
        What reads records that stay in DuckDB, a few rows at a time; None where they are here.
    """

    counted: Counted
    cells: Rows
    rank: Counts
    descending: bool = False
    study: EngineStudy | None = None

    @classmethod
    def of(cls, counted: Counted, study: EngineStudy | None = None) -> AtRisk:
        """Return the records in the order of the file or table."""
        cells = counted.disclosed  # at most one of a key combination
        return cls(counted, cells, np.zeros(cells.size, dtype=np.int64), study=study)

    def __len__(self) -> int:
        return int(self.counted.cells.d[self.cells].sum())

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `frame`, all of which `ordered` takes: record, the keys, the target, and `EVIDENCE`."""
        return unique_names([RECORD, *(column.name for column in self._coded), *EVIDENCE])

    def where(self, levels: Mapping[str, str]) -> AtRisk:
        """Return the records that have these levels, by the name of a key or of the target.

        Raises
        ------
        DisclosureError
            When a column is neither a key nor the target, or has no such level.
        """
        matches = np.ones(self.cells.size, dtype=bool)
        names = [column.name for column in self._coded]
        for name, level in levels.items():
            if name not in names:
                raise not_found("Column", name, "a key or the target", names)
            place = names.index(name)
            matches &= self._values(place + 1, self.cells) == self._coded[place].code_of(level)
        return replace(self, cells=self.cells[matches], rank=self.rank[matches])

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
        if not place:
            return replace(self, rank=np.zeros_like(self.rank), descending=descending)
        values = self._values(place, self.cells).astype(np.int64)
        order = np.lexsort((self.rank, -values if descending else values))
        both = np.stack([values, self.rank])[:, order]
        rank = np.empty_like(self.rank)
        rank[order] = np.cumsum(np.any(np.diff(both, prepend=both[:, :1]) != 0, axis=0))
        return replace(self, rank=rank)

    def frame(self, start: int = 0, n_rows: int | None = None) -> pd.DataFrame:
        """Return `n_rows` rows from row `start`, a row a record, columns as `columns`.

        Returns
        -------
        DataFrame
            The record's number, counted from 1 as in the file; its keys; the target's level that the synthetic data
            give, which is the true one; original and synthetic records with these keys and this answer, in the full
            tables; whether the keys disclose it in the original as well.
        """
        of, listed = self.counted.cells, self.cells
        record, at = records_of(
            self.study,
            of.keys,
            0,
            of.q[listed],
            of.d[listed],
            (of.column, of.target[listed]),
            self.rank,
            descending=self.descending,
            start=start,
            n_rows=n_rows,
        )
        values: list[object] = [record + 1]
        values += [labelled(column, self._values(i, listed[at])) for i, column in enumerate(self._coded, 1)]
        values += [self._values(i, listed[at]) for i in range(len(values), len(self.columns))]
        return pd.DataFrame(dict(zip(self.columns, values, strict=True)))

    @property
    def _coded(self) -> tuple[Variable, ...]:
        """The keys, and the target."""
        return (*self.counted.cells.keys.keys, self.counted.cells.column)

    def _values(self, place: int, at: Rows) -> npt.NDArray[np.generic]:
        """Return one of `columns` but the first for some cells: codes of keys and target, numbers of the rest."""
        cells = self.counted.cells
        n_keys = len(cells.keys.keys)
        if place <= n_keys:
            return cells.keys.levels[place - 1][cells.q[at]]
        return (cells.target, cells.d, cells.s, cells.disclosive_original)[place - n_keys - 1][at]


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
    counted.cells.keys.need_records()
    return AtRisk.of(counted)
