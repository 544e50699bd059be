"""What flows through the rewriters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Floats, Ints, Mask


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cells:
    """What became of one column.

    Attributes
    ----------
    values
        Shape (kept records,): the column as it shall be; a category where its values became levels, else numbers.
    touched
        Shape (kept records,): the cells that a step changed; all others stay as the file has them.
    """

    values: pd.Series[Any]
    touched: Mask

    @property
    def is_text(self) -> bool:
        """Whether changed values are levels, written as text or as codes with labels."""
        return isinstance(self.values.dtype, pd.CategoricalDtype)

    def texts(self) -> Array:
        """Return each value as text, shape (kept records,); None where missing."""
        written = np.empty(len(self.values), dtype=object)  # a Series would make NaN of None
        present = self.values.notna().to_numpy()
        values = self.values.to_numpy(dtype=object)
        written[present] = [plain(value) for value in values[present]]
        return written

    def plain(self) -> Array:
        """Return each value as a sheet holds it, shape (kept records,): a text or a number; None where missing."""
        if self.is_text:
            return self.texts()
        written = self.values.to_numpy(dtype=object)
        written[self.values.isna().to_numpy()] = None
        return written

    def numbers(self) -> Floats:
        """Return the changed values as floats, shape (changed,); NaN where a step took the value away."""
        return self.values.to_numpy(dtype=float, na_value=np.nan)[self.touched]

    def new_levels(self) -> list[str]:
        """Return the levels of changed cells, in their order."""
        levels = set(self.values[self.touched].dropna())
        return [str(level) for level in self.values.cat.categories if level in levels]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Change:
    """What was done to one table: which records stay, and which cells are others.

    Attributes
    ----------
    n
        Records of the table as it was read.
    rows
        Shape (kept records,): their positions in the table as it was read, rising.
    columns
        By name, the columns in which a step changed cells.
    names
        The columns of the table as it was read, all of which the file's own header must have; empty where not known.
    labels
        By name, the columns that are added at the end, and the text that each has in every record.
    """

    n: int
    rows: Ints
    columns: Mapping[str, Cells] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rewritten:
    """A file to hand out: its ending, its bytes, and what its format could not hold, a sentence each."""

    ending: str
    data: bytes
    notes: tuple[str, ...] = ()


def unused_note(names: Iterable[str]) -> list[str]:
    """Return what is said of columns that lost what no record has: a level of a removed record would name it."""
    listed = ", ".join(map(repr, sorted(names)))
    return [f"Levels, labels and declared missing values that no record has are not kept: {listed}."] if listed else []


class UnalignedError(Exception):
    """The file's rows are not those of the table that was read: it cannot be made anew from itself."""


def plain(value: Any) -> str:
    """Return a value as a text file has it: the shortest decimal of its own width, whole numbers without a point."""
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if abs(number) < 1e15 and number == int(number) else str(value)
    return str(value)


def below(rows: list[Any], empty: list[bool], change: Change) -> tuple[Any, list[Any]]:
    """Return a sheet's header, its first row with a cell in it, and the rows that are records.

    Those are all rows down to the last that is not empty, or the ones that are not empty: whichever were read.
    """
    filled = [i for i, nothing in enumerate(empty) if not nothing]
    if not filled:
        raise UnalignedError
    body = rows[filled[0] + 1 : filled[-1] + 1]
    if len(body) != change.n:
        body = [rows[i] for i in filled[1:]]
    aligned(len(body), change)
    return rows[filled[0]], body


def headed(titles: list[str], change: Change) -> None:
    """Raise where a file's first row is not the header of the table that was read from it."""
    if not set(change.names) <= set(titles):
        raise UnalignedError


def aligned(n: int, change: Change) -> None:
    """Raise where a file has another number of rows than the table that was read from it."""
    if n != change.n:
        raise UnalignedError


def written_whole(change: Change, names: Iterable[str]) -> Change:
    """Return a change in which columns of which a step changed any cell are written whole: no file has two units."""
    whole = {
        name: replace(cells, touched=cells.touched | cells.values.notna().to_numpy(dtype=bool))
        for name, cells in change.columns.items()
        if name in set(names)
    }
    return replace(change, columns={**change.columns, **whole}) if whole else change
