"""Data in another engine than DuckDB, asked for the second counter: one plain GROUP BY of the columns as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.table_study import TableStudy
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.export import recount_duckdb
from disclosure_core.protection.in_engine import ProtectedThere
from disclosure_core.protection.seen_there import SeenThrough
from disclosure_core.protection.table_written import Brought, safer_values, seen_values, with_values
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.review.opened import Opened


class TableRows:
    """The rows of a review's tables in an engine, grouped by their values.

    Parameters
    ----------
    opened
        The review; of the set that figures speak of.
    """

    def __init__(self, opened: Opened) -> None:
        study = opened.study()
        joined = opened.partition()
        every = study if isinstance(joined, NotEvaluated) else joined.joint
        assert isinstance(every, TableStudy)
        self._every = every
        adopted = opened.adopted(opened.first_set) if opened.review.ancestry(opened.first_set)[1] else None
        self._safer = adopted if isinstance(adopted, ProtectedThere) else None
        self._brought = Brought(every)
        self._n_of_study = study.n_syntheses + 1

    def __call__(self, side: int, names: Sequence[str]) -> pa.Table | None:
        """Return each combination of values that a record of a table has, and how many have it; None: no such column.

        Raises
        ------
        UnreadError
            When there are more than `MOST`.
        DisclosureError
            When the engine cannot answer, or the data changed.
        """
        if side >= len(self._every.relations):
            return None
        relation = self._every.relations[side]
        if any(name not in relation.columns for name in names):
            return None
        if self._safer is None:
            table = with_values(relation.table, list(names), [None] * len(names))
        elif side < self._n_of_study:
            table = safer_values(self._safer, self._brought, side, list(names))
        else:
            assert isinstance(self._every, SeenThrough)
            table = seen_values(self._every, self._brought, list(names))
        values = [f"v{k}" for k in range(len(names))]
        counted = (table.group_by(values) if names else table).aggregate(n=table.count())
        found = self._every.fetch_arrow("the rows", counted.limit(recount_duckdb.MOST + 1))
        if len(found) > recount_duckdb.MOST:
            raise UnreadError(f"more than {recount_duckdb.MOST:,} combinations of {', '.join(names)}")
        if pc.sum(found["n"]).as_py() != self._every.sizes[side]:
            raise DisclosureError(CHANGED)
        return found.select([*values, "n"])
