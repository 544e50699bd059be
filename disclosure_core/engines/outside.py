"""People outside beside a study in an engine: their values are read against it, and counted as its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from disclosure_core.arrays import Counts
from disclosure_core.data.joint_column import JointColumn
from disclosure_core.data.outsiders import JoinedStudy, JointStudy, Said, joined_column, only_in_one, said_of
from disclosure_core.data.values import Note, Side, against
from disclosure_core.engines import study
from disclosure_core.engines.column import EngineColumn, Values
from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.study import EngineStudy
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import DIFFERENT, Matches, whole_records

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.study import AnyStudy


class EngineJoined(JoinedStudy[EngineColumn], EngineStudy):
    """A finished study in an engine, with a further table beside it as the last of the syntheses.

    Attributes
    ----------
    further
        By column, the holdout's distinct values and the records that have each, then those that have none if any are.
    parts
        The same values as they are read, each with a record.
    """

    finished: EngineStudy

    def __init__(self, finished: EngineStudy, further: Any) -> None:
        self.finished = finished
        self.engine = finished.engine
        self.relations = (*finished.relations, further)
        self.n_original = finished.n_original
        (n,) = self.engine.count([further])
        if not n:
            raise DisclosureError("The holdout has no records; bring a table with at least one row.")
        self.n_synthetic = (*finished.n_synthetic, n)
        self.further: dict[str, tuple[Values, Counts]] = {}
        self.parts: dict[str, Side] = {}
        self._read_all()

    def _read_all(self) -> None:
        """Read every column of the further table against the study."""
        finished, further = self.finished, self.relations[-1]
        self._coded: dict[str, JointColumn] = {}
        columns, unusable, self.unlike = {}, {}, {}
        notes = list(only_in_one(finished, tuple(further.columns)))
        with suppress(DisclosureError):  # of a column that cannot be read; it is said of that column below
            finished.prepare(name for name in finished.columns if name in further.columns)
        for name in finished.columns:
            if name not in further.columns:
                unusable[name] = f"The holdout has no column {name!r}."
                continue
            try:
                column, said = self._read_against(name)
            except DisclosureError as error:
                unusable[name] = str(error)
                continue
            if said.wrong:
                unusable[name] = said.wrong
                self.unlike |= {name: column} if said.is_unlike else {}
            else:
                columns[name] = column
            notes += said.notes
        self.columns, self.unusable, self.outside = columns, unusable, tuple(notes)
        self.missing_codes = {name: codes for name, codes in finished.missing_codes.items() if name in columns}
        self.notes = self._notes_on_files = ()

    def _read_against(self, name: str) -> tuple[EngineColumn, Said]:
        """Return a column with the further table's values, and what is to be said of it."""
        column, further = self.finished.column(name), self.relations[-1]
        if name in self.parts:
            return self._placed(column)
        found = None
        if not column.is_wide:
            asked = [name], [further], self.n_synthetic[-1:], study.MOST_VALUES
            ((found,),) = self.engine.distinct(*asked, in_order=True)
        if found is None:
            values = self.engine.nothing_of(name, further)
            if column.is_wide:
                return replaced(column, values, self.n_synthetic[-1]), Said("", False, [])
            most = f"{study.MOST_VALUES:,}"
            wrong = f"Column {name!r} of the holdout has more than {most} distinct values, and the others fewer."
            return column, Said(wrong, False, [Note(wrong, name, warning=True)])
        values, n = found
        self.further[name] = found
        self.parts[name], _ = self.engine.side_of(name, further, values, empty=len(n) > len(values.raw))
        return self._placed(column)

    def _sides(self, column: EngineColumn) -> list[Side]:
        """Return the distinct values of a column of the study, a side each."""
        return [
            self.engine.side_of(column.name, relation, side, empty=False)[0]
            for relation, side in zip(self.finished.relations, column.sides, strict=True)
        ]

    def _placed(self, column: EngineColumn) -> tuple[EngineColumn, Said]:
        """Return a column with the further table's values where they stand among the study's; as `_read_against`."""
        name, sides = column.name, self._sides(column)
        part, (_, n) = self.parts[name], self.further[name]
        every = replace(part, codes=np.repeat(part.codes.astype(np.min_scalar_type(-1 - len(part.values))), n))
        levels, placed = against(name, sides, every)
        if not np.array_equal(levels.values, column.values):  # a safeguard put its levels in an order of its own
            place = {value: i for i, value in enumerate(column.values.tolist())}
            own = np.array([place.get(value, -1) for value in levels.values.tolist()] + [-1], dtype=np.int64)
            placed = replace(placed, levels=own[placed.levels])
        said = said_of(joined_column(column.coded, placed, every.codes), placed, every, column.counts[0], in_rows=False)
        self._coded[name] = joined_column(column.coded, placed, part.codes)
        return self._with_records(column, self._coded[name]), said

    def _with_records(self, finished: EngineColumn, coded: JointColumn) -> EngineColumn:
        """Return a column of the finished study as `coded` has it, with the further table's records."""
        values, n = self.further[coded.name]
        counts = np.zeros((len(self.relations), coded.n_codes), dtype=np.int64)
        counts[:-1, : finished.n_codes] = finished.counts
        counts[-1] = np.bincount(coded.synthetic[-1], weights=n, minlength=coded.n_codes)
        return EngineColumn(coded, (*finished.sides, values), counts)

    def known(self, keys: Sequence[str], targets: Sequence[str], groups: Mapping[str, Groups]) -> Tables | None:
        """Return what was counted of the study without people outside, where it is of these keys and levels."""
        there = self.finished.has_counted(keys, groups) and self.finished.latest is not None
        return self.finished.latest if there and targets else None

    def prepare(self, names: Iterable[str]) -> None:
        """Nothing: every column was read."""

    def with_unmatched(self, names: Iterable[str]) -> Self:
        """Return the same with a code of its own for each value that the further table alone has in these columns."""
        names = tuple(names)
        joint = self.by_values().with_unmatched(names)
        wide = copy(self)
        wide.latest = None
        wide._coded = dict(joint.columns)  # noqa: SLF001 (a copy of ourselves)
        wide.columns = {
            name: self._with_records(self.finished.column(name), joint.columns[name]) if name in joint.columns else of
            for name, of in {
                **self.columns,
                **{name: self.unlike[name] for name in names if name in self.unlike},
            }.items()
        }
        wide.missing_codes = {name: c for name, c in self.finished.missing_codes.items() if name in wide.columns}
        return wide

    def by_values(self) -> JointStudy:
        """Return the columns by their distinct values, as a study where the records are here has them."""
        coded, unlike = (
            {name: column for name, column in self._coded.items() if name in names}
            for names in (self.columns, self.unlike)
        )
        unusable = dict(self.unusable)
        return JointStudy(self.finished, coded, self.n_synthetic[-1], unusable, self.outside, unlike)  # type: ignore[arg-type]

    def grouped(self, name: str, n: Groups) -> tuple[EngineColumn, tuple[Note, ...]]:
        """Return column `name` in the study's own intervals; a further number outside all of them meets nobody."""
        column = self.column(name)
        finished, notes = self.finished.grouped(name, n)
        if column.is_wide:
            values = column.sides[-1]
            last = len(self.relations) - 1
            further = {last: self.relations[last]}
            (counts,) = self.records_of_codes(replaced(finished, values, 0), further, self.n_synthetic[-1:])
            return replaced(finished, values, counts), notes
        coded, _ = self.by_values().grouped(name, n)
        return (column if coded is column.coded else self._with_records(finished, coded)), notes


def reading_against(further: Any) -> Callable[[AnyStudy], EngineJoined]:
    """Return what reads a further table of an engine against a study there."""

    def joined(of: AnyStudy) -> EngineJoined:
        assert isinstance(of, EngineStudy)
        return EngineJoined(of, further)

    return joined


@whole_records.register(EngineJoined)
def _(joint: EngineJoined) -> Matches:
    """Hold whole records of people outside against those of the original, as the codes of their values."""
    if not joint.columns:
        return Matches(0, 0, 0, the_same=False)
    last = len(joint.relations) - 1
    sizes = joint.n_original, joint.n_synthetic[-1]
    with joint.unchanged():
        *found, n_original, n_outside = joint.engine.whole_records(
            list(joint.columns.values()), {i: joint.relations[i] for i in (0, last)}, sizes
        )
    if (n_original, n_outside) != sizes:
        raise DisclosureError(CHANGED)
    inside, twins, twins_inside, apart, different = found
    return Matches(inside, twins, twins_inside, the_same=not apart and different >= DIFFERENT)


def replaced(column: EngineColumn, values: Values, records: Any) -> EngineColumn:
    """Return a number with too many values to be fetched, with a further side that has so many records a code.

    A number of that side which lies outside all intervals has the code after missing: it meets nobody.
    """
    of, none = column.coded, np.zeros(0, dtype=np.int8)
    coded = JointColumn.of(of, of.original, of.values[:0], none)
    counts = np.zeros((len(column.counts) + 1, coded.n_codes), dtype=np.int64)
    counts[:-1, :-1] = column.counts
    counts[-1] = records if np.ndim(records) else [records] * column.n_codes + [0]
    starts, further = column.starts, None
    if starts and column.end is not None:
        outside, beyond = column.n_codes, math.nextafter(column.end, math.inf)
        further = [(-math.inf, outside), *starts, (beyond, outside)]
    return EngineColumn(coded, (*column.sides, values), counts, starts=starts, end=column.end, further_starts=further)
