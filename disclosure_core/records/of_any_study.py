"""Lists of single records of any study that shows them: here, or a few rows at a time from DuckDB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from disclosure_core.records.at_risk import AtRisk, at_risk
from disclosure_core.records.listing import RECORD, Rows, frame_of, labelled, records_of
from disclosure_core.records.look_up import with_levels
from disclosure_core.records.replicated_uniques import Replicated, replicated_uniques

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.cells import Cells, Counted, Tables
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.study import EngineStudy


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

    def __len__(self) -> int:
        return int(self.cells.s[self.chosen].sum())

    def frame(self, start: int = 0, n_rows: int | None = None) -> pd.DataFrame:
        """Return some rows, at most `MOST_ROWS`: each record's number, counted from 1, its keys and the target."""
        keys, column = self.cells.keys, self.cells.column
        q, target, n = (of[self.chosen] for of in (self.cells.q, self.cells.target, self.cells.s))
        side = 1 + self.synthesis
        number, at = records_of(self.study, keys, side, q, n, (column, target), start=start, n_rows=n_rows)
        codes = zip((*keys.keys, column), (*(of_key[q] for of_key in keys.levels), target), strict=True)
        return frame_of([(RECORD, number + 1), *((of.name, labelled(of, levels[at])) for of, levels in codes)])


def at_risk_of(study: AnyStudy, counted: Counted) -> AtRisk:
    """Return the original records that DiSCO counts, in the order of the file or table.

    Raises
    ------
    DisclosureError
        When single records of these data are not shown.
    """
    there = _listed_by_duckdb(study)
    return at_risk(counted) if there is None else AtRisk.of(counted, there)


def replicated_of(tables: Tables, i: int, missing_keys: frozenset[str] = frozenset()) -> Replicated:
    """Return the replicated uniques of synthesis `i`, counted from 0; as `replicated_uniques`."""
    there = _listed_by_duckdb(tables.study)
    if there is None:
        return replicated_uniques(tables, i, missing_keys)
    return Replicated.of(tables, i, missing_keys, there)


def matching_in_engine(tables: Tables, target: str, i: int, known: Mapping[str, str]) -> MatchingThere:
    """Return the records of synthesis `i`, counted from 0, that have these levels of keys, of data in DuckDB."""
    cells, there = tables.targets[target][i], _listed_by_duckdb(tables.study)
    assert there is not None
    return MatchingThere(there, cells, i, np.flatnonzero(with_levels(cells.keys, known)[cells.q] & (cells.s > 0)))


def _listed_by_duckdb(study: AnyStudy) -> EngineStudy | None:
    """Return a study whose records DuckDB reads and shows; None where they are here, or in another engine."""
    if study.holds_records or not study.may_list_records:
        return None
    from disclosure_core.engines.duckdb_records import need_shown

    need_shown(cast("EngineStudy", study))
    return cast("EngineStudy", study)
