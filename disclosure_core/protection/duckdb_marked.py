"""Records of syntheses that are named by the combinations of their keys: DuckDB leaves them out, or blanks a column."""

from __future__ import annotations

import weakref
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from disclosure_core.engines.duckdb_cells import Counter
from disclosure_core.engines.duckdb_connection import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from disclosure_core.counting.cells import KeyTable
    from disclosure_core.engines.duckdb_column import DuckDBColumn
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_study import DuckDBStudy
    from disclosure_core.engines.duckdb_tables import Relation

    Ints = npt.NDArray[np.int64]


class Marked:
    """The records of syntheses that have some combinations of keys, kept in DuckDB as long as somebody reads them.

    Parameters
    ----------
    keys
        The combinations that a step judges by, of which every key is a column of the study.
    chosen
        A synthesis: which of them.
    """

    def __init__(self, study: DuckDBStudy, keys: KeyTable, chosen: Sequence[npt.NDArray[Any]]) -> None:
        self.study = study
        self._counter = counter = Counter(study, cast("tuple[DuckDBColumn, ...]", keys.keys), [])
        self._q = [f"{counter.mark}_q{j}" for j in range(counter.n_packed)]
        weakref.finalize(self, study.connection.left.extend, counter.dictionaries)

        def marked(cursor: Cursor) -> list[tuple[str, str]]:
            made = []
            for i, at in enumerate(chosen, 1):
                packed = [np.zeros(at.size, dtype=np.uint64) for _ in self._q]
                for place, levels in zip(counter.places, keys.levels, strict=True):
                    packed[place.column] += levels[at].astype(np.uint64) * np.uint64(place.stride)
                table = counter.keep(cursor, {f"q{j}": q for j, q in enumerate(packed)})
                every = [f"{counter.mark}.*"]
                made.append((counter.coded(cursor, i, (), every, f"{counter.mark}_"), table))
            return made

        self._sides = study.connection.ask("the codes", marked)
        names = ", ".join(map(quoted, study.columns))
        kept = [f"{counter.mark}_r{i}" for i in range(len(self._sides))]
        counter.dictionaries += kept
        self._records = [f"{name}_rows" for name in kept]  # as `forget` knows them
        questions = [
            partial(_run, sql=f"create table {name} as select {names} from {self._joined(i, 'semi')}")
            for i, name in enumerate(self._records)
        ]
        with study.unchanged():
            study.connection.ask_each(["the records to be changed"] * len(questions), questions)

    def _joined(self, i: int, how: str) -> str:
        """Return the coded records of a synthesis joined with its combinations."""
        sql, table = self._sides[i]
        on = " and ".join(f"{q} = {table}_q{j}" for j, q in enumerate(self._q))
        return f"({sql}) {how} join {table} on {on}"

    def _relation(self, i: int, sql: str) -> Relation:
        """Return a table of records read through these; it keeps them alive."""
        return replace(self.study.relations[i], sql=sql, holder=self)

    def without(self, i: int) -> Relation:
        """Return side `i` without these records."""
        return self._relation(i, f"(select * exclude ({', '.join(self._q)}) from {self._joined(i - 1, 'anti')})")

    def blanking(self, i: int, name: str) -> Relation:
        """Return side `i` with a column empty in these records."""
        table = self._sides[i - 1][1]
        hidden = [*self._q, *(f"{table}_q{j}" for j in range(len(self._q)))]
        value = f"case when {table}_q0 is null then {quoted(name)} end as {quoted(name)}"
        joined = self._joined(i - 1, "left")
        return self._relation(i, f"(select * exclude ({', '.join(hidden)}) replace ({value}) from {joined})")

    def counted(self, column: DuckDBColumn) -> Ints:
        """Return, shape (m, n_codes), how many of these records have each code of a column, of each synthesis."""
        records = copy(self.study)
        sides = zip(self.study.relations[1:], self._records, strict=True)
        records.relations = (self.study.relations[0], *(replace(side, sql=table) for side, table in sides))
        counter = Counter(records, [column], [])

        def found(cursor: Cursor) -> Ints:
            counts = np.zeros((len(self._records), column.n_codes), dtype=np.int64)
            for i in range(len(self._records)):
                sql = counter.coded(cursor, i + 1, ())
                rows = cursor.execute(f"select q0, count(*)::bigint as n from ({sql}) group by q0").to_arrow_table()
                counts[i, rows["q0"].to_numpy()] = rows["n"].to_numpy()
            return counts

        try:
            return self.study.connection.ask(f"the values of {column.name!r}", found)
        finally:
            self.study.connection.ask("the codes", counter.drop)


def _run(cursor: Cursor, sql: str) -> None:
    cursor.execute(sql)
