"""Lists of single records that stay in DuckDB, read a few rows at a time: the lists of the same data as files.

Which records a list holds, and what it shows of each, is known from the cells, which are here. Of a page DuckDB is
asked the numbers of its records alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.engines.duckdb_records import InOrder, records_in
from disclosure_core.engines.sources import MOST_ROWS
from disclosure_core.errors import not_found
from disclosure_core.records.at_risk import AtRisk
from disclosure_core.records.listing import RECORD, labelled, unique_names
from disclosure_core.records.look_up import with_levels
from disclosure_core.records.replicated_uniques import telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from disclosure_core.counting.cells import Cells, Counted, Tables
    from disclosure_core.counting.codes import Mask
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.engines.study import EngineStudy
    from disclosure_core.records.listing import Rows


@dataclass(frozen=True, eq=False, repr=False)
class AtRiskThere:
    """The original records that DiSCO counts, as `AtRisk`, of data in DuckDB.

    Attributes
    ----------
    study
        What reads the records.
    cells
        A row a cell that DiSCO counts, in place of its records.
    rank
        Shape (n,): cells of a lower rank are listed first; within one, records by their number.
    descending
        Whether the largest number is listed first.
    """

    study: EngineStudy
    cells: AtRisk
    rank: npt.NDArray[np.int64]
    descending: bool = False

    @classmethod
    def of(cls, study: EngineStudy, counted: Counted) -> AtRiskThere:
        """Return the records in the order of the table."""
        cells = counted.disclosed
        return cls(study, AtRisk(counted, np.arange(cells.size), cells), np.zeros(cells.size, dtype=np.int64))

    def __len__(self) -> int:
        return int(self._n.sum())

    @property
    def counted(self) -> Counted:
        """The cells and what is left of them."""
        return self.cells.counted

    @property
    def columns(self) -> tuple[str, ...]:
        """As of `AtRisk`."""
        return self.cells.columns

    def where(self, levels: Mapping[str, str]) -> AtRiskThere:
        """Return the records that have these levels; as `AtRisk.where`.

        Raises
        ------
        DisclosureError
            When a column is neither a key nor the target, or has no such level.
        """
        some = self.cells.where(levels)
        rank = self.rank[some.record]
        return replace(self, cells=replace(some, record=np.arange(len(some))), rank=rank)

    def ordered(self, column: str, *, descending: bool = False) -> AtRiskThere:
        """Return the records in the order of one of `columns`; as `AtRisk.ordered`.

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
        values = self.cells.values(place).astype(np.int64)
        both = np.stack([-values if descending else values, self.rank])
        return replace(self, rank=np.unique(both, axis=1, return_inverse=True)[1].reshape(-1))

    def frame(self, start: int = 0, n_rows: int = MOST_ROWS) -> pd.DataFrame:
        """Return some rows, at most `MOST_ROWS`, as `AtRisk.frame` has them.

        Raises
        ------
        DisclosureError
            As `records_in`.
        """
        cells, chosen = self.counted.cells, self.cells.cell
        levels = (*(codes[cells.q[chosen]] for codes in cells.keys.levels), cells.target[chosen])
        wanted = InOrder(levels, self._n, self.rank, self.descending)
        number, at = records_in(self.study, cells.keys, cells.column, 0, wanted, start, n_rows)
        return AtRisk(self.counted, number, chosen[at]).frame()

    @property
    def _n(self) -> npt.NDArray[np.int64]:
        return self.counted.cells.d[self.cells.cell]


@dataclass(frozen=True, eq=False, repr=False)
class MatchingThere:
    """The records of a synthesis that have some levels of keys, of data in DuckDB.

    Attributes
    ----------
    study
        What reads the records.
    cells
        Those of a target and the synthesis.
    synthesis
        Its number, counted from 0.
    chosen
        Shape (n,): the cells that have these levels and a synthetic record.
    """

    study: EngineStudy
    cells: Cells
    synthesis: int
    chosen: Rows

    @classmethod
    def of(cls, study: EngineStudy, cells: Cells, synthesis: int, known: Mapping[str, str]) -> MatchingThere:
        """Return the records that have these levels.

        Raises
        ------
        DisclosureError
            When a column is not a key, or has no such level.
        """
        matches = with_levels(cells.keys, known)[cells.q]
        return cls(study, cells, synthesis, np.flatnonzero(matches & (cells.s > 0)))

    def __len__(self) -> int:
        return int(self.cells.s[self.chosen].sum())

    def frame(self, start: int = 0, n_rows: int = MOST_ROWS) -> pd.DataFrame:
        """Return some rows, at most `MOST_ROWS`: each record's number, counted from 1, its keys and the target.

        Raises
        ------
        DisclosureError
            As `records_in`.
        """
        cells, keys = self.cells, self.cells.keys
        levels = (*(codes[cells.q[self.chosen]] for codes in keys.levels), cells.target[self.chosen])
        wanted = InOrder(levels, cells.s[self.chosen], np.zeros(self.chosen.size, dtype=np.int64))
        number, at = records_in(self.study, keys, cells.column, 1 + self.synthesis, wanted, start, n_rows)
        columns = (*keys.keys, cells.column)
        values = [number + 1, *(labelled(c, codes[at]) for c, codes in zip(columns, levels, strict=True))]
        return pd.DataFrame(dict(zip(unique_names([RECORD, *(c.name for c in columns)]), values, strict=True)))


@dataclass(frozen=True, eq=False, repr=False)
class ReplicatedThere:
    """The replicated uniques of one synthesis, as `Replicated`, of data in DuckDB.

    Attributes
    ----------
    study
        What reads the records.
    tables
        What was counted.
    synthesis
        Its number, counted from 0.
    q
        Shape (n,): the key combination of each.
    """

    study: EngineStudy
    tables: Tables
    synthesis: int
    q: Rows

    @classmethod
    def of(cls, study: EngineStudy, tables: Tables, i: int, missing_keys: frozenset[str]) -> ReplicatedThere:
        """Return those of synthesis `i`; as `replicated_uniques`."""
        return cls(study, tables, i, np.flatnonzero(tables.keys.profile(i, missing_keys).replicated))

    def __len__(self) -> int:
        return int(self.q.size)

    def frame(self, target: str | None = None, start: int = 0, n_rows: int = MOST_ROWS) -> pd.DataFrame:
        """Return some rows, at most `MOST_ROWS`, as `Replicated.frame` has them.

        Raises
        ------
        DisclosureError
            When the target was not counted; as `records_in`.
        """
        keys = self.tables.keys
        original, at = self._numbers(keys, 0, self.q, start, n_rows)
        q = self.q[at]
        number, of = self._numbers(keys, 1 + self.synthesis, q, 0, q.size)
        synthetic = np.empty(q.size, dtype=np.intp)
        synthetic[of] = number
        pairs: list[tuple[str, object]] = [(RECORD, original + 1), ("synthetic record", synthetic + 1)]
        pairs += [(key.name, labelled(key, levels[q])) for key, levels in zip(keys.keys, keys.levels, strict=True)]
        if target is not None:
            cells = self._cells(target)
            answers = np.full(keys.d_q.size, cells.column.n_codes - 1, dtype=np.int64)
            answers[cells.q[cells.s > 0]] = cells.target[cells.s > 0]
            pairs += [(target, labelled(cells.column, answers[q])), ("right", self._right(target)[q])]
        return pd.DataFrame(dict(zip(unique_names([name for name, _ in pairs]), (v for _, v in pairs), strict=True)))

    def by_target(self) -> pd.DataFrame:
        """Return a row a target; as `Replicated.by_target`."""
        return telling({name: int(self._right(name)[self.q].sum()) for name in self.tables.targets}, len(self))

    def _numbers(self, keys: KeyTable, side: int, q: Rows, start: int, n_rows: int) -> tuple[Rows, Rows]:
        levels = tuple(codes[q] for codes in keys.levels)
        wanted = InOrder(levels, np.ones(q.size, dtype=np.int64), np.zeros(q.size, dtype=np.int64))
        return records_in(self.study, keys, None, side, wanted, start, n_rows)

    def _right(self, target: str) -> Mask:
        """Return, shape (n_q,), where one record of each side has one level: of a replicated unique, both have it."""
        cells = self._cells(target)
        right = np.zeros(self.tables.keys.d_q.size, dtype=bool)
        right[cells.q[(cells.d > 0) & (cells.s > 0)]] = True
        return right

    def _cells(self, name: str) -> Cells:
        if name not in self.tables.targets:
            raise not_found("Target", name, "among those assessed", self.tables.targets)
        return self.tables.targets[name][self.synthesis]
