"""A table as codes into distinct values: what is held of a file for as long as its visitor stays.

Five million texts take 100 MB or more, their codes 5 MB. Every value comes back exactly as it was, and in its own type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.arrays import Indices, Ints
from disclosure_core.data.column import Codes, smallest
from disclosure_core.data.values import distinct


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodedColumn:
    """One column of a table. Made by `coded`.

    Attributes
    ----------
    values
        Shape (n_values,): the values that occur, a missing one among them; without `codes`, the value of each record.
    codes
        Shape (n_records,): each record's value as an index into `values`. None where the values take no more room.
    """

    values: pd.Series[Any]
    codes: Codes | None = None

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.values if self.codes is None else self.codes)

    @property
    def records(self) -> Ints:
        """Shape (n_values,): how many records have each of `values`."""
        if self.codes is None:
            return np.ones(len(self.values), dtype=np.int64)
        return np.bincount(self.codes, minlength=len(self.values))

    @property
    def unfolded(self) -> float:
        """About the bytes that its texts take once each record has its own: one text may stand for millions."""
        if self.codes is None or not isinstance(self.values.dtype, pd.StringDtype):
            return 0.0
        return float(self.values.str.len().to_numpy(dtype=float, na_value=0.0) @ self.records)

    def at(self, records: Indices) -> pd.Series[Any]:
        """Return the values of some records."""
        return self.values.iloc[records if self.codes is None else self.codes[records]].reset_index(drop=True)

    def series(self) -> pd.Series[Any]:
        """Return the value of every record."""
        if self.codes is None:
            return self.values
        return pd.Series(self.values.array.take(self.codes), dtype=self.values.dtype, copy=False)


class CodedTable:
    """A table of coded columns, which can be asked for its columns as a frame can.

    Attributes
    ----------
    columns, index
        As of the frame.
    """

    def __init__(self, columns: pd.Index[Any], index: pd.Index[Any], held: Sequence[CodedColumn]) -> None:
        self.columns, self.index, self._held = columns, index, tuple(held)
        self._places: dict[Any, int] = {}

    @classmethod
    def of(cls, frame: pd.DataFrame | CodedTable) -> CodedTable:
        """Return a frame as codes; a table that is coded, as it is."""
        if isinstance(frame, CodedTable):
            return frame
        return cls(frame.columns, frame.index, [coded(frame.iloc[:, i]) for i in range(frame.shape[1])])

    def __repr__(self) -> str:
        """Return its size, never data."""
        return f"<CodedTable of {len(self):,} records, {len(self.columns):,} columns>"

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.index)

    def __getitem__(self, name: Any) -> pd.Series[Any]:
        """Return every record's value of a column; the first of several that are called so."""
        return self.column(name).series().set_axis(self.index).rename(name)

    def column(self, name: Any) -> CodedColumn:
        """Return one column as it is held.

        Raises
        ------
        ValueError
            When there is none of that name.
        """
        if not self._places:  # from the last, so that the first of several stays
            self._places = {n: i for i, n in reversed(list(enumerate(self.columns)))}
        if name not in self._places:
            raise ValueError(f"{name!r} is not in the table")
        return self._held[self._places[name]]

    def held(self) -> Iterable[tuple[Any, CodedColumn]]:
        """Give each column's name, and the column as it is held."""
        return zip(self.columns, self._held, strict=True)

    def assign(self, **changed: pd.Series[Any]) -> CodedTable:
        """Return the table with other values in some of its columns."""
        held = [coded(changed[name]) if name in changed else column for name, column in self.held()]
        return CodedTable(self.columns, self.index, held)

    def frame(self) -> pd.DataFrame:
        """Return the table as a frame, made anew at every call."""
        columns = {i: column.series().set_axis(self.index) for i, column in enumerate(self._held)}
        frame = pd.DataFrame(columns, self.index, copy=False)
        frame.columns = self.columns
        return frame


def coded(values: pd.Series[Any]) -> CodedColumn:
    """Return a column as codes, where that takes less room and no value changes.

    Numbers and moments are told apart by their bits, so that 0.0 and -0.0 stay two values. Python's objects, and what
    takes one byte, stay as they are.
    """
    index = values.index
    usual = isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1)
    whole = CodedColumn(values if usual else values.reset_index(drop=True))
    dtype: Any = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes, found = distinct(np.asarray(values.cat.codes))
        uniques = pd.Series(pd.Categorical.from_codes(found, dtype=dtype))
        return CodedColumn(uniques, codes.astype(smallest(len(uniques))))
    if isinstance(dtype, np.dtype) and dtype.kind in "iufmM" and dtype.itemsize in (2, 4, 8):
        bits = values.to_numpy()
        codes, found = distinct(np.ascontiguousarray(bits).view(f"i{dtype.itemsize}"))
        uniques = pd.Series(found.view(bits.dtype))
    elif isinstance(dtype, pd.StringDtype | pd.DatetimeTZDtype) or isinstance(values.array, pd.arrays.IntegerArray):
        codes, array = pd.factorize(values.array, use_na_sentinel=False)
        uniques = pd.Series(array)
    else:
        return whole
    narrow = codes.astype(smallest(len(uniques)))
    return CodedColumn(uniques, narrow) if uniques.nbytes + narrow.nbytes < values.nbytes else whole


def coded_texts(codes: npt.NDArray[np.integer[Any]], values: pd.Series[Any]) -> CodedColumn:
    """Return a column that came as codes into texts, in any order and some of them perhaps in no record."""
    first = np.full(len(values), len(codes))
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    used = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
    place = np.zeros(len(values), dtype=smallest(len(used)))
    place[used] = np.arange(len(used))
    column = CodedColumn(values.iloc[used].reset_index(drop=True), place[codes])
    return column if 2 * len(used) < len(codes) else CodedColumn(column.series())
