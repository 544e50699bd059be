"""Data in an engine, asked for the second counter: one plain GROUP BY of the columns as they are.

Nothing of the first count is used: neither codes nor cells nor its questions. Where safeguards were adopted, the rows
are those of the tables that the engine would write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.data.readers._types import typed
from disclosure_core.data.study import Kind
from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.study import EngineStudy
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.protection.in_engine import ProtectedThere
from disclosure_core.protection.seen_there import SeenThrough
from disclosure_core.protection.written import became
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from disclosure_core.engines.engine import Became
    from disclosure_core.review.opened import Opened

MOST = 2**20
"""Combinations of values that are counted again of a table: each is a text and a number in Python."""


class EngineRows:
    """The rows of a review's tables in an engine, grouped by their values.

    Parameters
    ----------
    opened
        The review; of the set that figures speak of.

    Attributes
    ----------
    study, every
        What figures are of, and the same with people outside where there are some.
    safer
        What was adopted; None where nothing was.
    """

    def __init__(self, opened: Opened) -> None:
        joined = opened.partition()
        self.study = opened.study()
        every = self.study if isinstance(joined, NotEvaluated) else joined.joint
        assert isinstance(every, EngineStudy)
        self.every: EngineStudy = every
        adopted = opened.adopted(opened.first_set) if opened.review.ancestry(opened.first_set)[1] else None
        self.safer = adopted if isinstance(adopted, ProtectedThere) else None
        self._became: dict[tuple[int, str], Became | None] = {}
        self._typed: dict[tuple[int, str], tuple[pa.Array, pa.Array]] = {}

    def is_outside(self, side: int) -> bool:
        """Return whether a table is that of people outside."""
        return side > self.study.n_syntheses

    def __call__(self, side: int, names: Sequence[str]) -> pa.Table | None:
        """Return each combination of values that records of a table have, with their number; None: no such column."""
        relations = self.every.relations
        if side >= len(relations) or any(name not in relations[side].columns for name in names):
            return None
        engine = self.every.engine
        with self.every.unchanged():
            found = engine.rows(engine.recoded(relations[side], names, self._changed(side, names)), names, MOST + 1)
        if len(found) > MOST:
            raise UnreadError(f"more than {MOST:,} combinations of {', '.join(names)}")
        if pc.sum(found.column(len(names))).as_py() != self.every.sizes[side]:
            raise DisclosureError(CHANGED)
        if not relations[side].text:
            return found
        columns = [self._as_typed(side, name, found.column(k)) for k, name in enumerate(names)]
        return pa.Table.from_arrays([*columns, found.column(len(names))], [*map(str, range(len(names) + 1))])

    def _changed(self, side: int, names: Sequence[str]) -> dict[str, Became]:
        """Return what safeguards made of the values of these columns."""
        for name in names:
            if (side, name) not in self._became:
                self._became[side, name] = self._became_of(side, name)
        return {name: of for name in names if (of := self._became[side, name]) is not None}

    def _became_of(self, side: int, name: str) -> Became | None:
        if self.is_outside(side):
            return self.every.became(name) if isinstance(self.every, SeenThrough) else None
        return None if self.safer is None else became(self.safer, side, [name]).get(name)

    def _as_typed(self, side: int, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return texts of a delimited file as what all of the column are, as the reading of files has it."""
        if self.safer is not None and self.safer.changes(name):
            people = self.is_outside(side)
            if people or self.study.columns[name].kind is not Kind.NUMBER:
                return column
        if (side, name) not in self._typed:
            values = column.unique()
            read = typed(pa.chunked_array([values]), None, self.every.relations[side].text)[0]
            self._typed[side, name] = values, _joined(read)
        texts, read = self._typed[side, name]
        return pa.chunked_array([read.take(pc.index_in(_joined(column), value_set=texts))])


def _joined(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return one array."""
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
