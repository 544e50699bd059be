"""Replicated uniques: original records that are unique on the keys and match exactly one synthetic record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Mask
from disclosure_core.counting.measures import percent
from disclosure_core.errors import not_found
from disclosure_core.records.listing import RECORD, Rows, frame_of, labelled, records_of

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells, Tables
    from disclosure_core.engines.study import EngineStudy


@dataclass(frozen=True, eq=False, repr=False)
class Replicated:
    """The replicated uniques of one synthesis: original records, unique on the keys, that match one synthetic record.

    Attributes
    ----------
    tables
        What was counted.
    synthesis
        Its number, counted from 0.
    q
        Shape (n,): the key combination of each, in no order.
    study
        What reads records that stay in DuckDB, a few rows at a time; None where they are here.
    """

    tables: Tables
    synthesis: int
    q: Rows
    study: EngineStudy | None = None

    @classmethod
    def of(
        cls, tables: Tables, i: int, missing_keys: frozenset[str] = frozenset(), study: EngineStudy | None = None
    ) -> Replicated:
        """Return those of synthesis `i`; as `replicated_uniques`."""
        return cls(tables, i, np.flatnonzero(tables.keys.profile(i, missing_keys).replicated), study)

    def __len__(self) -> int:
        return int(self.q.size)

    @property
    def original(self) -> Rows:
        """Shape (n,): each one's record in the original, counted from 0, rising; of data that are here."""
        return self._records()[0]

    @property
    def synthetic(self) -> Rows:
        """Shape (n,): the record that each matches, counted from 0; of data that are here."""
        return self._records()[1]

    def frame(self, target: str | None = None, start: int = 0, n_rows: int | None = None) -> pd.DataFrame:
        """Return rows, from `start` on, a row a replicated unique: its number in both files, from 1, and its keys.

        With a target: also what the synthetic record says of it, and whether that is right.

        Raises
        ------
        DisclosureError
            When the target was not counted.
        """
        keys = self.tables.keys
        original, synthetic, q = self._records(start, n_rows)
        pairs: list[tuple[str, object]] = [(RECORD, original + 1), ("synthetic record", synthetic + 1)]
        pairs += [(key.name, labelled(key, levels[q])) for key, levels in zip(keys.keys, keys.levels, strict=True)]
        if target is not None:
            cells = self._cells(target)
            answers = np.empty(keys.d_q.size, dtype=np.int64)
            answers[cells.q[cells.s > 0]] = cells.target[cells.s > 0]
            pairs += [(target, labelled(cells.column, answers[q])), ("right", self._right(target)[q])]
        return frame_of(pairs)

    def by_target(self) -> pd.DataFrame:
        """Return a row a target: target; right, the replicated uniques that disclose it; pct, % of all of them.

        The most telling target stands first.
        """
        right = [(name, int(self._right(name)[self.q].sum())) for name in self.tables.targets]
        frame = pd.DataFrame(right, columns=["target", "right"])
        frame["pct"] = [percent(found, len(self)) for found in frame["right"].tolist()]
        return frame.sort_values("right", ascending=False, kind="stable", ignore_index=True)

    def _records(self, start: int = 0, n_rows: int | None = None) -> tuple[Rows, Rows, Rows]:
        """Return some rows: each one's record in both files, and its key combination."""
        keys, one = self.tables.keys, np.ones(self.q.size, dtype=np.int64)
        original, at = records_of(self.study, keys, 0, self.q, one, start=start, n_rows=n_rows)
        q = self.q[at]
        number, of = records_of(self.study, keys, 1 + self.synthesis, q, one[at], n_rows=q.size)
        synthetic = np.empty(q.size, dtype=np.intp)
        synthetic[of] = number
        return original, synthetic, q

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


def replicated_uniques(tables: Tables, i: int, missing_keys: frozenset[str] = frozenset()) -> Replicated:
    """Return the replicated uniques of synthesis `i`, counted from 0: as many as repU counts.

    Parameters
    ----------
    tables
        What was counted.
    i
        The synthesis.
    missing_keys
        Keys whose missing values are excluded, as in the headline identity figures.

    Source
    ------
    measures.md 3; the screening of paper 003: a unique of the real sample that meets a unique of the synthetic one.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, count
    >>> tables = count(Study(frame, [frame]), Settings(keys=["job"]))
    >>> len(replicated_uniques(tables, 0))
    2
    """
    tables.keys.need_records()
    return Replicated.of(tables, i, missing_keys)
