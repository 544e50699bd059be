"""People outside in an engine, seen through the rules that safeguards set for members and syntheses; as of files.

A rule acts on the distinct values of these people, which are here. They set none: which levels are small and where an
interval ends follows from original and syntheses, and none of them is removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data.study import Kind
from disclosure_core.data.values import Note, Side, side_of
from disclosure_core.engines.column import EngineColumn, with_empty
from disclosure_core.engines.engine import Became
from disclosure_core.engines.outside import EngineJoined
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.columns import applied_outside
from disclosure_core.protection.in_engine import ProtectedThere, SaferStudy
from disclosure_core.protection.seen_through import left_unmatched
from disclosure_core.protection.steps import AddLabel, OnColumn, Step

if TYPE_CHECKING:
    from disclosure_core.data.outsiders import Said


class SeenThrough(EngineJoined):
    """A study after a step, with people outside beside it by the same rule.

    Attributes
    ----------
    seen
        By column that steps changed, what each distinct value of these people has become.
    """

    def __init__(self, before: EngineJoined, finished: SaferStudy, step: Step) -> None:
        self.finished = finished
        self.engine = finished.engine
        self.relations = (*finished.relations, before.relations[-1])
        self.n_original = finished.n_original
        self.n_synthetic = (*finished.n_synthetic, before.n_synthetic[-1])
        self.further, self.parts = before.further, dict(before.parts)
        self.seen: dict[str, pd.Series[Any]] = {}
        self.changed: frozenset[str] = frozenset()
        self.said: list[Note] = []
        if isinstance(before, SeenThrough):
            self.seen, self.changed, self.said = dict(before.seen), before.changed, list(before.said)
        self._unread = {name: said for name, said in before.unusable.items() if name not in before.parts}
        if isinstance(step, OnColumn):
            self.changed |= {step.column}
            self._through(step, before)
        self._read_all()
        self.outside = (*self.outside, *self.said)

    def _through(self, step: OnColumn, before: EngineJoined) -> None:
        """Have a step change what the distinct values of a column are; with one that cannot serve it does nothing."""
        if step.column not in self.parts:
            return
        values = pd.DataFrame({step.column: np.zeros(len(self.parts[step.column].codes))})
        joint = before.by_values()
        after = applied_outside(step, joint, values, ())
        if after is not values:
            self.said += left_unmatched(step, joint, after, self.further[step.column][1])
            self.seen[step.column] = after[step.column]
            self.parts[step.column] = side_of(step.column, after[step.column])

    def _read_against(self, name: str) -> tuple[EngineColumn, Said]:
        if name in self._unread:
            raise DisclosureError(self._unread[name])
        return super()._read_against(name)

    def _sides(self, column: EngineColumn) -> list[Side]:
        if column.name not in self.changed:
            return super()._sides(column)
        sides = []
        for side in column.coded.sides:
            codes = np.unique(side[side < column.n_levels])
            levels = column.values[codes] if column.kind is Kind.NUMBER else [column.label(c) for c in codes.tolist()]
            sides.append(side_of(column.name, pd.Series(levels, dtype=None if column.kind is Kind.NUMBER else "str")))
        return sides

    def became(self, name: str) -> Became | None:
        """Return what the values of these people in a column are after all steps; None where it is as it came."""
        if name not in self.seen:
            return None
        raw, after = self.further[name][0].raw, self.seen[name]
        if len(after) > len(raw):  # an empty cell stands last, and may have become a level
            raw = with_empty(raw)
        try:
            return Became(raw, pa.array(after, from_pandas=True), others_stay=False)
        except pa.ArrowException:  # numbers, and the text that stands for what no other file has
            texts = pa.array([None if each is pd.NA else str(each) for each in after], pa.string())
            return Became(raw, texts, others_stay=False)


def seen_there(joined: EngineJoined, protected: ProtectedThere) -> EngineJoined:
    """Return safer syntheses with people outside beside them, who are seen through the same rules."""
    studies = []
    study = protected.study
    while isinstance(study, SaferStudy):
        studies.append(study)
        study = study.before
    steps = [step for step in protected.steps if not isinstance(step, AddLabel)]
    for step, after in zip(steps, reversed(studies), strict=True):
        joined = SeenThrough(joined, after, step)
    return joined
