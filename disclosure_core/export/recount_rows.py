"""Data in an engine, asked for the second counter: one plain GROUP BY of the columns as they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.study import EngineStudy
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.protection.in_engine import ProtectedThere
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from disclosure_core.review.opened import Opened

MOST = 2**20
"""Combinations of values that are counted again of a table: each is a text and a number in Python."""


class EngineRows(ABC):
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
        self.every: EngineStudy[Any] = every
        adopted = opened.adopted(opened.first_set) if opened.review.ancestry(opened.first_set)[1] else None
        self.safer = adopted if isinstance(adopted, ProtectedThere) else None

    def is_outside(self, side: int) -> bool:
        """Return whether a table is that of people outside."""
        return side > self.study.n_syntheses

    @abstractmethod
    def grouped(self, side: int, names: Sequence[str], most: int) -> pa.Table:
        """Return each combination of values of a table, and last how many records have it; at most `most` rows."""

    def as_read(self, side: int, names: Sequence[str], found: pa.Table) -> pa.Table:  # noqa: ARG002 (of texts)
        """Return combinations as their values are read."""
        return found

    def __call__(self, side: int, names: Sequence[str]) -> pa.Table | None:
        """Return each combination of values that a record of a table has, and how many have it; None: no such column.

        Raises
        ------
        UnreadError
            When there are more than `MOST`.
        DisclosureError
            When the engine cannot answer, or the data changed.
        """
        relations = self.every.relations
        if side >= len(relations) or any(name not in relations[side].columns for name in names):
            return None
        found = self.grouped(side, names, MOST + 1)
        if len(found) > MOST:
            raise UnreadError(f"more than {MOST:,} combinations of {', '.join(names)}")
        if pc.sum(found.column(len(names))).as_py() != self.every.sizes[side]:
            raise DisclosureError(CHANGED)
        return self.as_read(side, names, found)
