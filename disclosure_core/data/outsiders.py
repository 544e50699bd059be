"""A further table read against a finished study: its types, levels, intervals and codes are the study's, and stay so.

A value that the further table alone has is an unmatched level: it meets nobody, and changes nothing (measures.md 10).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from disclosure_core.data.column import Codes, Column, readonly, smallest
from disclosure_core.data.grouping import interval_of
from disclosure_core.data.harmonise import NOT_EVERYWHERE, checked, file_of, renamed
from disclosure_core.data.study import Study
from disclosure_core.data.suggestions import MISSING_TEXTS
from disclosure_core.data.values import Kind, Note, Placed, Side, against, value_text
from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.data.harmonise import AnyTable

UNMATCHED = "(in no other file)"
"""How the level is called that stands for every value which no other file has."""

ENOUGH = 50
"""With fewer records in the holdout, no column of it is left out for how few of its values meet the others'."""

_DOUBTED, _UNUSABLE = 0.05, 0.5
"""Shares of records whose value no other file has, beyond what is usual, from which a column is doubted, and left out.

Usual is the share of the original's records whose value no other original record has.
"""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JointColumn(Column):
    """A column of a finished study, with the records of a further table as the last of `synthetic`.

    After the levels and missing stands one more code, for a value that no file of the study has.

    Attributes
    ----------
    numbers
        Of a number column, rising: the numbers of the further table that no level is.
    number
        Shape (n_records,), of the further table: the index of each record's value in `numbers`, -1 for other records.
    """

    numbers: npt.NDArray[Any]
    number: npt.NDArray[np.signedinteger[Any]]

    @property
    def n_codes(self) -> int:
        """Levels, missing, and what no file of the study has."""
        return self.n_levels + 2

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each code as a person sees it."""
        return (*self.levels, self.missing_label, UNMATCHED)

    def label(self, code: int) -> str:
        """Return one code's label, without writing out the others."""
        return UNMATCHED if code == self.n_levels + 1 else super().label(code)

    def recoded(
        self, values: npt.NDArray[Any], codes: npt.NDArray[np.int64], *, ordered: bool, kind: Kind
    ) -> JointColumn:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        table = codes.astype(smallest(len(values) + 2))
        sides = tuple(readonly(table[side]) for side in self.synthetic)
        none = np.full(len(sides[-1]), -1, dtype=np.int8)
        return JointColumn(
            self.name, kind, values, ordered, readonly(table[self.original]), sides, self.missing_recoded(codes),
            numbers=self.numbers[:0], number=none,
        )  # fmt: skip


class JointStudy(Study):
    """A finished study, with a further table beside it as the last of the syntheses. Made by `beside`.

    Every record of the study has the very codes that it has there; `grouped` asks the study for its intervals.

    Attributes
    ----------
    finished
        The study.
    columns
        Those of the study that the further table has, and can serve in.
    unusable
        By column of the study that it cannot serve in, a sentence that says why.
    outside
        What is to be said of the further table.
    """

    columns: dict[str, JointColumn]

    def __init__(
        self,
        finished: Study,
        columns: dict[str, JointColumn],
        n: int,
        unusable: dict[str, str],
        outside: tuple[Note, ...],
    ) -> None:
        self.finished, self.columns, self.unusable, self.outside = finished, columns, unusable, outside
        self.n_original, self.n_synthetic = finished.n_original, (*finished.n_synthetic, n)
        self.missing_codes = {name: c for name, c in finished.missing_codes.items() if name in columns}
        self.notes = self._notes_on_files = ()

    def column(self, name: str, role: str = "Column") -> JointColumn:
        """Return one column by name, as `Study.column`; an error says what is wrong with it in the further table."""
        if name in self.unusable and name not in self.columns:
            raise DisclosureError(self.unusable[name])
        if name not in self.columns:
            raise not_found(role, name, "in the training data, the holdout and the synthetic data alike", self.columns)
        return self.columns[name]

    def grouped(self, name: str, n: int) -> tuple[JointColumn, tuple[Note, ...]]:
        """Return column `name` in the study's own intervals; a further number beyond them falls into the nearest."""
        column = self.column(name)
        found, notes = self.finished.grouping(name, n)
        if found is None:
            return column, notes
        levels, codes = self.finished.regrouped(name, found)
        grouped = column.recoded(levels, np.append(codes, len(levels) + 1), ordered=True, kind=Kind.CATEGORY)
        if not column.numbers.size:
            return grouped, notes
        first = len(levels) - len(found.labels)
        interval = np.append(first + interval_of(column.numbers, found.breaks), 0)[column.number]
        outside = np.where(column.number >= 0, interval, grouped.synthetic[-1]).astype(grouped.synthetic[-1].dtype)
        return replace(grouped, synthetic=(*grouped.synthetic[:-1], readonly(outside))), notes


def beside(finished: Study, tables: Sequence[AnyTable], further: AnyTable) -> JointStudy:
    """Return a finished study with a further table read against it.

    Parameters
    ----------
    finished
        Original and syntheses made comparable.
    tables
        Those that it was made of, the original first.
    further
        The holdout: a record a row.

    Raises
    ------
    DisclosureError
        When the further table has no records, two columns of one name, or values that are no single answer.
    """
    files = checked(tables[0], tables[1:])
    file = file_of(further, "The holdout")
    notes = list(_not_common(finished, tuple(file.columns)))
    columns, unusable = {}, {}
    for name, column in finished.columns.items():
        if name not in file.columns:
            unusable[name] = f"The holdout has no column {name!r}."
            continue
        part = file.side(name)
        levels, placed = against(name, [each.distinct(name) for each in files], part)
        if not np.array_equal(levels.values, column.values):  # else a member's figure would not be the assessment's
            unusable[name] = f"Column {name!r} is not as it was when the original and the syntheses were compared."
            continue
        joint = _joint(column, placed, part.codes)
        found = _notes(joint, placed, part, column.counts[0])
        wrong = _unusable(joint, placed, part, column.counts[0])
        if wrong:
            unusable[name] = wrong
            found = [Note(f"{wrong} Nothing is evaluated for people outside with it.", name, warning=True)]
        else:
            columns[name] = joint
        notes += found
    return JointStudy(finished, columns, file.n, unusable, tuple(notes))


def _joint(column: Column, placed: Placed, codes: npt.NDArray[np.signedinteger[Any]]) -> JointColumn:
    """Return a column of the study with a further table's records; `codes` are those of its part."""
    missing, unmatched = column.n_levels, column.n_levels + 1
    levels = np.append(np.where(placed.levels < 0, unmatched, placed.levels), missing)
    side: Codes = levels.astype(smallest(column.n_levels + 2))[codes]
    number = np.append(placed.number, -1).astype(np.min_scalar_type(-1 - len(placed.numbers)))[codes]
    sides = (*column.synthetic, readonly(side))
    return JointColumn(
        column.name, column.kind, column.values, column.ordered, column.original, sides, column.missing_levels,
        numbers=placed.numbers, number=number,
    )  # fmt: skip


def _not_common(finished: Study, names: Sequence[str]) -> list[Note]:
    """Say which columns one of the two has alone."""
    lacking = tuple(n for n in finished.columns if n not in names)
    extra = tuple(n for n in names if n not in finished.columns)
    notes = []
    for who, what, which in (("The original and the syntheses have", "which the holdout has not", lacking),
                             ("The holdout has", "", extra)):  # fmt: skip
        if which:
            listed = ", ".join(map(repr, which[:8])) + (f" and {len(which) - 8} more" if len(which) > 8 else "")
            ending = f", {what}: not evaluated for people outside." if what else NOT_EVERYWHERE
            notes.append(Note(f"{who} {listed}{ending}", warning=True))
    return notes + [Note(said, warning=True) for said in renamed([lacking, extra])]


def _cells(n: int) -> str:
    return f"{n:,} cell{'s' * (n > 1)}"


def _odd(joint: JointColumn, placed: Placed, part: Side) -> tuple[int, str, str]:
    """Return how many cells are of another type, the first of them, and a sentence on them."""
    rows = np.flatnonzero(np.append(placed.odd, False)[part.codes])
    if not rows.size:
        return 0, "", ""
    first = value_text(part, int(part.codes[rows[0]]))
    # As a spreadsheet counts rows: the names of the columns are row 1.
    where = f"{'' if rows.size == 1 else 'first in '}row {rows[0] + 2:,}: “{first}”"
    return (
        rows.size,
        first,
        (
            f"Column {joint.name!r} of the holdout holds {placed.has_type} in {_cells(rows.size)} ({where}), the other "
            f"files hold {placed.is_type}."
        ),
    )


def _usual(original: npt.NDArray[np.int64]) -> float:
    """Return the share of the original's records whose value no other of its records has."""
    return float(np.count_nonzero(original[:-1] == 1) / original.sum())


def _unmatched(joint: JointColumn) -> npt.NDArray[np.intp]:
    """Return the further table's records whose value no other file has; a number within the others' range is usual."""
    records: npt.NDArray[np.bool_] = joint.synthetic[-1] == joint.n_levels + 1
    if joint.kind is Kind.NUMBER and joint.numbers.size and joint.n_levels:
        within = (joint.numbers >= joint.values[0]) & (joint.numbers <= joint.values[-1])
        records = records & ~np.append(within.astype(bool), False)[joint.number]
    return np.flatnonzero(records)


def _unusable(joint: JointColumn, placed: Placed, part: Side, original: npt.NDArray[np.int64]) -> str:
    """Return why nothing is evaluated with a column: most of it cannot be compared; empty where it can."""
    n = len(part.codes)
    if n < ENOUGH:
        return ""
    empty = int(np.count_nonzero(part.codes < 0))
    if empty / n > _UNUSABLE + original[-1] / original.sum():
        return f"Column {joint.name!r} of the holdout is empty in {empty:,} of {n:,} cells."
    rows = _unmatched(joint)
    if rows.size / n <= _UNUSABLE + _usual(original):
        return ""
    n_odd, _, clause = _odd(joint, placed, part)
    return clause if n_odd / n > _UNUSABLE else _strangers(joint, part, rows)


def _strangers(joint: JointColumn, part: Side, rows: npt.NDArray[np.intp]) -> str:
    first = value_text(part, int(part.codes[rows[0]]))
    return (
        f"Column {joint.name!r} of the holdout: {rows.size:,} of {len(part.codes):,} records have a value that no "
        f"other file has (first in row {rows[0] + 2:,}: “{first}”)."
    )


def _notes(joint: JointColumn, placed: Placed, part: Side, original: npt.NDArray[np.int64]) -> list[Note]:
    """Say what in a column is of another type, or unlike the other files, and what to do."""
    notes = list(placed.notes)
    n_odd, first, clause = _odd(joint, placed, part)
    if n_odd:
        it, them = ("It matches", "the cell") if n_odd == 1 else ("They match", "the cells")
        absent = f", or treat “{first}” as missing" if first.strip().lower() in MISSING_TEXTS else ""
        notes.append(Note(f"{clause} {it} nobody: correct {them}{absent}.", joint.name, warning=True))
    rows = _unmatched(joint)
    rows = rows[~np.append(placed.odd, False)[part.codes[rows]]]
    if rows.size / len(part.codes) > _DOUBTED + _usual(original):
        said = f"{_strangers(joint, part, rows)} They match nobody: give the column the values of the other files."
        notes.append(Note(said, joint.name, warning=True))
    if placed.from_text and placed.is_type:
        notes.append(Note(f"Column {joint.name!r} of the holdout holds {placed.is_type} as text: read so.", joint.name))
    return notes
