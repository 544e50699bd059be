"""Data in an engine that Ibis speaks to, asked for the second counter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.engines.table_study import TableStudy
from disclosure_core.export.recount_rows import EngineRows
from disclosure_core.protection.seen_there import SeenThrough
from disclosure_core.protection.table_written import Brought, safer_values, seen_values, with_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from disclosure_core.review.opened import Opened


class TableRows(EngineRows):
    """The rows of a review's tables in an engine, grouped by their values."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        assert isinstance(self.every, TableStudy)
        self._there = self.every
        self._brought = Brought(self.every)

    def grouped(self, side: int, names: Sequence[str], most: int) -> pa.Table:
        """As of `EngineRows`."""
        columns = list(names)
        if self.is_outside(side) and isinstance(self.every, SeenThrough):
            table = seen_values(self.every, self._brought, columns)
        elif self.is_outside(side) or self.safer is None:
            table = with_values(self._there.relations[side].table, columns, [None] * len(columns))
        else:
            table = safer_values(self.safer, self._brought, side, columns)
        values = [f"v{k}" for k in range(len(columns))]
        counted = (table.group_by(values) if columns else table).aggregate(n=table.count())
        return self._there.fetch_arrow("the rows", counted.limit(most)).select([*values, "n"])
