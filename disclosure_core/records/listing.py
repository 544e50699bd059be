"""Lists of single records: their numbers, and codes as the texts that a person sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.data.column import with_records

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy


Rows = npt.NDArray[np.intp]


RECORD = "record"
"""The column of a list that numbers the records of a file, from 1."""


def listed_records(study: AnyStudy, i: int | None, rows: Rows) -> pd.DataFrame:
    """Return records of synthesis `i`, counted from 0, or of the original (None): their number from 1, every column."""
    columns = [with_records(column) for column in study.columns.values()]
    side = [c.original if i is None else c.synthetic[i] for c in columns]
    values = [rows + 1, *(labelled(c, s[rows]) for c, s in zip(columns, side, strict=True))]
    return pd.DataFrame(dict(zip(unique_names([RECORD, *study.columns]), values, strict=True)))


def labelled(column: Variable, codes: npt.NDArray[np.generic]) -> pd.Categorical:
    """Return codes as the texts a person sees, without writing one text a record."""
    return pd.Categorical.from_codes(codes.astype(np.int64), categories=pd.Index(column.labels, dtype="str"))


def unique_names(names: list[str]) -> tuple[str, ...]:
    """Return the names of a list's columns, each once: a column of the data may be called "record"."""
    unique: list[str] = []
    for name in names:
        while name in unique:
            name = f"{name} (data)"
        unique.append(name)
    return tuple(unique)
