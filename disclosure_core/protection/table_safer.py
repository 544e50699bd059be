"""What safeguards make of data in an engine that Ibis speaks to; how records are named there by their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import ibis
import numpy as np
import pyarrow as pa

from disclosure_core.engines.table_column import TableColumn
from disclosure_core.engines.table_outside import TableJoined
from disclosure_core.engines.table_study import Stored, TableStudy
from disclosure_core.protection.in_engine import SaferStudy
from disclosure_core.protection.seen_there import SeenThrough
from disclosure_core.protection.table_written import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from ibis.expr import types as ir

    from disclosure_core.counting.cells import KeyTable

    Ints = npt.NDArray[np.int64]


__all__ = ["Marked", "Safer", "Seen", "written"]


class Safer(SaferStudy[TableColumn], TableStudy):
    """What a step left of a study in an engine."""


class Seen(SeenThrough[TableColumn], TableJoined):
    """People outside beside it, seen through the same step."""


class Marked:
    """The records of syntheses that have some combinations of keys: these are brought there, and joined.

    Parameters as of DuckDB's `Marked`.
    """

    def __init__(self, study: TableStudy, keys: KeyTable, chosen: Sequence[npt.NDArray[Any]]) -> None:
        self.study, self._keys = study, cast("tuple[TableColumn, ...]", keys.keys)
        self._mark = f"marked_{uuid4().hex[:12]}"
        self._sides = []
        for i, at in enumerate(chosen, 1):
            levels = [of_key[at].astype(np.int64) for of_key in keys.levels]
            self._sides.append(study.bring(self._combinations(i, levels), self))

    def _names(self) -> list[str]:
        return [f"{self._mark}_{k}" for k in range(len(self._keys))]

    def _combinations(self, i: int, levels: list[Ints]) -> pa.Table:
        """Return combinations of codes as the values of side `i` that have them: one code may be several values."""
        rows = np.arange(len(levels[0]))
        columns: list[tuple[pa.Array, Ints]] = []
        for key, of_key in zip(self._keys, levels, strict=True):
            values, codes = key.values_read(i)
            order = np.argsort(codes, kind="stable")
            first, last = (np.searchsorted(codes[order], of_key[rows], side=side) for side in ("left", "right"))
            n = last - first
            within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
            place = order[np.repeat(first, n) + within]
            columns = [(known, at[np.repeat(np.arange(rows.size), n)]) for known, at in columns]
            columns.append((values, place))
            rows = np.repeat(rows, n)
        arrays = [values.take(pa.array(at)) for values, at in columns]
        return pa.table([*arrays, pa.array(np.ones(rows.size, dtype=np.int64))], names=[*self._names(), self._mark])

    def _joined(self, i: int, how: str) -> ir.Table:
        """Return side `i` joined with its combinations."""
        table = self.study.relations[i].table
        own = {f"{name}_own": key.read_from(table, i) for name, key in zip(self._names(), self._keys, strict=True)}
        records, marked = table.mutate(**own), self._sides[i - 1]
        on = [records[f"{name}_own"].identical_to(marked[name]) for name in self._names()]
        return records.join(marked, on, how=how)

    def without(self, i: int) -> Stored:
        """Return side `i` without these records."""
        relation = self.study.relations[i]
        return Stored(self._joined(i, "anti").select(*relation.columns), relation.columns, self)

    def blanking(self, i: int, name: str) -> Stored:
        """Return side `i` with a column empty in these records."""
        relation = self.study.relations[i]
        joined = self._joined(i, "left")
        blank = joined[self._mark].isnull().ifelse(joined[name], ibis.null(relation.columns[name]))
        return Stored(joined.mutate(**{name: blank}).select(*relation.columns), relation.columns, self)

    def counted(self, column: TableColumn) -> Ints:
        """Return, shape (m, n_codes), how many of these records have each code of a column, of each synthesis."""
        counts = np.zeros((len(self._sides), column.n_codes), dtype=np.int64)
        for i in range(1, len(self._sides) + 1):
            table = self._joined(i, "semi")
            read = column.read_from(table, i).name("read").as_table()
            rows = self.study.fetch_arrow(f"the values of {column.name!r}", read.group_by("read").agg(n=read.count()))
            np.add.at(counts[i - 1], column.codes_of(rows["read"], i), rows["n"].to_numpy())
        return counts
