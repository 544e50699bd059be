"""A further table read against a finished study: its types, levels, intervals and codes are the study's, and stay so.

A value that the further table alone has is an unmatched level, once it was generalised as every value is: then it
meets nobody, and changes nothing (measures.md 2, 10, 13).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from disclosure_core.arrays import Indices, Ints, Mask, Signed
from disclosure_core.data.column import Codes, Column, Variable, readonly, smallest
from disclosure_core.data.harmonise import NOT_EVERYWHERE, AnyTable, checked, file_of, renamed
from disclosure_core.data.joint_column import UNMATCHED, JointColumn, WideColumn, with_codes
from disclosure_core.data.study import Study, StudyOf, V_co
from disclosure_core.data.suggestions import MISSING_TEXTS
from disclosure_core.data.values import Kind, Note, Placed, Side, against, value_text
from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    from disclosure_core.data.grouping import Groups


ENOUGH = 50
"""With fewer records in the holdout, no column of it is left out for how few of its values meet the others'."""

_DOUBTED, _UNUSABLE = 0.05, 0.5
"""Shares of records whose value no other file has, beyond what is usual, from which a column is doubted, and left out.

Usual is the share of the original's records whose value no other original record has.
"""


class JoinedStudy(StudyOf[V_co]):
    """A finished study, with a further table beside it as the last of the syntheses, wherever their records are.

    Attributes
    ----------
    finished
        The study.
    columns
        Those of the study that the further table has, and can serve in.
    unusable
        By column of the study that it cannot serve in, a sentence that says why.
    unlike
        Those of them most of whose values no other file has: known less exactly they may serve.
    outside
        What is to be said of the further table.
    """

    finished: StudyOf[Variable]
    unusable: Mapping[str, str]
    unlike: Mapping[str, V_co]
    outside: tuple[Note, ...]

    def column(self, name: str, role: str = "Column") -> V_co:
        """Return one column by name, as `Study.column`; an error says what is wrong with it in the further table."""
        if name in self.unusable and name not in self.columns:
            raise DisclosureError(self.unusable[name])
        if name not in self.columns:
            raise not_found(role, name, "in the training data, the holdout and the synthetic data alike", self.columns)
        return self.columns[name]

    def with_unmatched(self, names: Iterable[str]) -> Self:
        """Return the same with a code of its own for each value that the further table alone has in these columns.

        Known less exactly such a value may meet others; as it is it meets nobody. Columns that are `unlike` are there.
        """
        raise NotImplementedError

    def saying(self, notes: Iterable[Note]) -> Self:
        """Return the same with more to be said of the further table."""
        found = copy(self)
        found.outside = (*self.outside, *notes)
        return found


class JointStudy(JoinedStudy[JointColumn], Study):
    """The same where the records are here. Made by `beside`.

    Every record of the study has the very codes that it has there; `grouped` asks the study for its intervals.
    """

    finished: Study
    columns: dict[str, JointColumn]

    def __init__(
        self,
        finished: Study,
        columns: dict[str, JointColumn],
        n: int,
        unusable: dict[str, str],
        outside: tuple[Note, ...],
        unlike: Mapping[str, JointColumn] | None = None,
    ) -> None:
        self.finished, self.columns, self.unusable, self.outside = finished, columns, unusable, outside
        self.unlike = dict(unlike or {})
        self.n_original, self.n_synthetic = finished.n_original, (*finished.n_synthetic, n)
        self.missing_codes = {name: c for name, c in finished.missing_codes.items() if name in columns}
        self.notes = self._notes_on_files = ()

    def with_unmatched(self, names: Iterable[str]) -> Self:
        """Return the same with a code of its own for each value that the further table alone has in these columns.

        Known less exactly such a value may meet others; as it is it meets nobody.
        """
        names = tuple(names)
        wide = self.with_unlike(names)
        wide.columns |= {name: with_codes(wide.columns[name]) for name in names if name in wide.columns}
        return wide

    def with_unlike(self, names: Iterable[str]) -> Self:
        """Return the same with these columns there, too, where they are `unlike`."""
        found = copy(self)
        found.columns = self.columns | {name: self.unlike[name] for name in names if name in self.unlike}
        found.missing_codes = {name: c for name, c in self.finished.missing_codes.items() if name in found.columns}
        return found

    def grouped(self, name: str, n: Groups) -> tuple[JointColumn, tuple[Note, ...]]:
        """Return column `name` in the study's own intervals; a further number outside all of them meets nobody."""
        column = self.column(name)
        found, notes = self.finished.grouping(name, n)
        if found is None:
            return column, notes
        levels, codes = self.finished.regrouped(name, found)
        first = len(levels) - len(found.labels)
        interval = found.within(column.unmatched)
        further = np.where(interval >= 0, first + interval, len(levels) + 1)
        own = further if isinstance(column, WideColumn) else further[:0]
        every = np.concatenate([codes, [len(levels) + 1], own]).astype(np.int64)
        grouped = column.recoded(levels, every, ordered=True, kind=Kind.CATEGORY)
        if not column.unmatched.size:
            return grouped, notes
        outside = np.where(
            column.unmatched_codes >= 0, np.append(further, 0)[column.unmatched_codes], grouped.synthetic[-1]
        ).astype(grouped.synthetic[-1].dtype)
        return replace(grouped, synthetic=(*grouped.synthetic[:-1], readonly(outside))), notes


def here(joint: JoinedStudy[Any]) -> JointStudy:
    """Return a study with people outside whose records are here.

    Raises
    ------
    DisclosureError
        When they stay in an engine.
    """
    if not isinstance(joint, JointStudy):
        raise DisclosureError("This needs single records, which stay in the engine; bring a sample as files.")
    return joint


def read_against(finished: Study, tables: Sequence[AnyTable], further: AnyTable) -> JointStudy:
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
    notes = list(only_in_one(finished, tuple(file.columns)))
    columns: dict[str, JointColumn] = {}
    unusable: dict[str, str] = {}
    unlike: dict[str, JointColumn] = {}
    for name, column in finished.columns.items():
        if name not in file.columns:
            unusable[name] = f"The holdout has no column {name!r}."
            continue
        part = file.side(name)
        levels, placed = against(name, [each.distinct(name) for each in files], part)
        if not np.array_equal(levels.values, column.values):  # else a member's figure would not be the assessment's
            unusable[name] = f"Column {name!r} is not as it was when the original and the syntheses were compared."
            continue
        joint = joined_column(column, placed, part.codes)
        said = said_of(joint, placed, part, column.counts[0])
        if said.wrong:
            unusable[name] = said.wrong
            unlike |= {name: joint} if said.is_unlike else {}
        else:
            columns[name] = joint
        notes += said.notes
    return JointStudy(finished, columns, file.n, unusable, tuple(notes), unlike)


def keyed(
    finished: Study, tables: Sequence[AnyTable], further: AnyTable, names: Sequence[str], called: str
) -> JointStudy:
    """Return some columns of a finished study with a further table read against them; none is refused, nothing is said.

    Parameters
    ----------
    finished, tables, further
        As of `beside`.
    names
        The columns.
    called
        What an error calls the further table, as a sentence begins.

    Raises
    ------
    DisclosureError
        When the further table has no such column, no rows, or two columns of one name.
    """
    files, file = checked(tables[0], tables[1:]), file_of(further, called)
    columns = {}
    for name in names:
        column = finished.column(name)
        if name not in file.columns:
            raise not_found(f"{called}: column", name, "there", file.columns)
        part = file.side(name)
        _, placed = against(name, [each.distinct(name) for each in files], part)
        columns[name] = joined_column(column, placed, part.codes)
    return JointStudy(finished, columns, file.n, {}, ())


def joined_column(column: Column, placed: Placed, codes: Signed) -> JointColumn:
    """Return a column of the study with a further table's records; `codes` are those of its part."""
    missing, unmatched = column.n_levels, column.n_levels + 1
    levels = np.append(np.where(placed.levels < 0, unmatched, placed.levels), missing)
    side: Codes = levels.astype(smallest(column.n_levels + 2))[codes]
    own = np.append(placed.unmatched_codes, -1).astype(np.min_scalar_type(-1 - len(placed.unmatched)))[codes]
    return JointColumn.of(column, side, placed.unmatched, own)


def only_in_one(finished: StudyOf[Variable], names: Sequence[str]) -> list[Note]:
    """Say which columns one of the two has alone."""
    lacking = tuple(n for n in finished.columns if n not in names)
    extra = tuple(n for n in names if n not in finished.columns)
    notes = []
    for who, what, which in (
        ("The original and the syntheses have", "which the holdout has not", lacking),
        ("The holdout has", "", extra),
    ):
        if which:
            listed = ", ".join(map(repr, which[:8])) + (f" and {len(which) - 8} more" if len(which) > 8 else "")
            ending = f", {what}: not evaluated for people outside." if what else NOT_EVERYWHERE
            notes.append(Note(f"{who} {listed}{ending}", warning=True))
    return notes + [Note(said, warning=True) for said in renamed([lacking, extra])]


class Said(NamedTuple):
    """What is to be said of a column of the further table.

    Attributes
    ----------
    wrong
        Why nothing can be evaluated with it as it is; empty where it can.
    is_unlike
        Whether that is because most of its values are in no other file.
    notes
        What is to be said.
    """

    wrong: str
    is_unlike: bool
    notes: list[Note]


def said_of(joint: JointColumn, placed: Placed, part: Side, original: Ints, *, in_rows: bool = True) -> Said:
    """Return why nothing can be evaluated with a column, and what is to be said of it.

    Parameters
    ----------
    joint, placed, part
        The column, where the further table's values stand in it, and its records' values.
    original
        Shape (n_codes,): the original's records with each code.
    in_rows
        Whether the records of `part` are in the order of its file, so that a row can be named.
    """
    seen = _Seen(joint, placed, part, original, in_rows)
    wrong, is_unlike = seen.unusable()
    if wrong:
        said = f"{wrong} Nothing is evaluated for people outside with it{' as it is' if is_unlike else ''}."
        return Said(wrong, is_unlike, [Note(said, joint.name, warning=True)])
    return Said("", False, seen.notes())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Seen:
    """A column of the further table, as it is looked at for what is wrong with it; see `said_of`."""

    joint: JointColumn
    placed: Placed
    part: Side
    original: Ints
    in_rows: bool

    @property
    def usual(self) -> float:
        """The share of the original's records whose value no other of its records has."""
        return float(np.count_nonzero(self.original[:-1] == 1) / self.original.sum())

    @property
    def unmatched(self) -> Indices:
        """The records whose value no other file has; a number within the others' range is usual."""
        joint = self.joint
        records: Mask = joint.synthetic[-1] == joint.n_levels + 1
        if joint.kind is Kind.NUMBER and joint.unmatched.size and joint.n_levels:
            within = (joint.unmatched >= joint.values[0]) & (joint.unmatched <= joint.values[-1])
            records = records & ~np.append(within.astype(bool), False)[joint.unmatched_codes]
        return np.flatnonzero(records)

    def example(self, rows: Indices, *, one: bool) -> str:
        """Return the first of some records, as words for brackets."""
        text = value_text(self.part, int(self.part.codes[rows[0]]))
        first = f"“{text}”"
        if not self.in_rows:
            return first if one else f"such as {first}"
        # As a spreadsheet counts rows: the names of the columns are row 1.
        place = f"{'' if one else 'first in '}row {rows[0] + 2:,}"
        return place if text == UNMATCHED else f"{place}: {first}"  # what a safeguard left unmatched has no value

    def odd(self) -> tuple[int, str, str]:
        """Return how many cells are of another type, the first of them, and a sentence on them."""
        rows = np.flatnonzero(np.append(self.placed.odd, False)[self.part.codes])
        if not rows.size:
            return 0, "", ""
        cells = f"{rows.size:,} cell{'s' * (rows.size > 1)}"
        return (
            rows.size,
            value_text(self.part, int(self.part.codes[rows[0]])),
            (
                f"Column {self.joint.name!r} of the holdout holds {self.placed.has_type} in {cells} "
                f"({self.example(rows, one=rows.size == 1)}), the other files hold {self.placed.is_type}."
            ),
        )

    def unusable(self) -> tuple[str, bool]:
        """Return why nothing is evaluated with a column, empty where it can be, and whether it is `unlike`."""
        n, usual = len(self.part.codes), self.usual
        if n < ENOUGH:
            return "", False
        empty = int(np.count_nonzero(self.part.codes < 0))
        if empty / n > _UNUSABLE + self.original[-1] / self.original.sum():
            return f"Column {self.joint.name!r} of the holdout is empty in {empty:,} of {n:,} cells.", False
        rows = self.unmatched
        if rows.size / n <= _UNUSABLE + usual:
            return "", False
        n_odd, _, clause = self.odd()
        is_odd = n_odd / n > _UNUSABLE
        return clause if is_odd else self.strangers(rows), not is_odd

    def strangers(self, rows: Indices) -> str:
        """Return a sentence on records whose value no other file has."""
        return (
            f"Column {self.joint.name!r} of the holdout: {rows.size:,} of {len(self.part.codes):,} records "
            f"{'has' if rows.size == 1 else 'have'} a value that no other file has ({self.example(rows, one=False)})."
        )

    def notes(self) -> list[Note]:
        """Say what in a column is of another type, or unlike the other files, and what to do."""
        name, placed = self.joint.name, self.placed
        notes = list(placed.notes)
        n_odd, first, clause = self.odd()
        if n_odd:
            it, them = ("It matches", "the cell") if n_odd == 1 else ("They match", "the cells")
            absent = f", or treat “{first}” as missing" if first.strip().lower() in MISSING_TEXTS else ""
            notes.append(Note(f"{clause} {it} nobody: correct {them}{absent}.", name, warning=True))
        rows = self.unmatched
        rows = rows[~np.append(placed.odd, False)[self.part.codes[rows]]]
        if rows.size / len(self.part.codes) > _DOUBTED + self.usual:
            advice = "As they are they match nobody: give the column the values of the other files."
            notes.append(Note(f"{self.strangers(rows)} {advice}", name, warning=True))
        if placed.from_text and placed.is_type:
            notes.append(Note(f"Column {name!r} of the holdout holds {placed.is_type} as text: read so.", name))
        return notes
