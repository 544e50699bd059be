"""A column of a study with the records of a further table, and the values that this table alone has."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from disclosure_core.arrays import Array, Ints, Signed
from disclosure_core.data.column import Codes, Column, readonly, smallest
from disclosure_core.data.values import Kind, texts

UNMATCHED = "(in no other file)"
"""How the level is called that stands for every value which no other file has."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JointColumn(Column):
    """A column of a finished study, with the records of a further table as the last of `synthetic`.

    After the levels and missing stands one more code, for a value that no file of the study has.

    Attributes
    ----------
    unmatched
        The values of the further table that no level is: numbers, rising, of a number column, else texts. A value of
        another type than the column is none of them.
    unmatched_codes
        Shape (n_records,), of the further table: the index of each record's value in `unmatched`, -1 for other records.
    """

    unmatched: Array
    unmatched_codes: Signed

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

    @classmethod
    def of(cls, column: Column, side: Codes, unmatched: Array, unmatched_codes: Array) -> Self:
        """Return a column with the codes of a further table's records, `side`; all else as of the class."""
        known = {f.name: getattr(column, f.name) for f in fields(Column)}
        sides = (*known.pop("synthetic"), readonly(side))
        return cls(**known, synthetic=sides, unmatched=unmatched, unmatched_codes=unmatched_codes)

    def recoded(self, values: Array, codes: Ints, *, ordered: bool, kind: Kind) -> Self:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        none = np.full(len(self.synthetic[-1]), -1, dtype=np.int8)
        found = super().recoded(values, codes, ordered=ordered, kind=kind)
        return replace(found, unmatched=self.unmatched[:0], unmatched_codes=none)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WideColumn(JointColumn):
    """A column in which each value that the further table alone has is a code of its own, the last ones."""

    @property
    def n_codes(self) -> int:
        """Levels, missing, what no file of the study has, and each value that the further table alone has."""
        return self.n_levels + 2 + len(self.unmatched)

    @property
    def further(self) -> list[Any]:
        """The values that the further table alone has."""
        return list(self.unmatched.tolist())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each code as a person sees it."""
        return (*super().labels, *texts(self.unmatched))


def with_codes(column: JointColumn) -> JointColumn:
    """Return a column with a code of its own for each value that the further table alone has; the same without any."""
    if not column.unmatched.size:
        return column
    first = column.n_levels + 2
    alone = first + column.unmatched_codes.astype(np.int64)
    side = np.where(column.unmatched_codes >= 0, alone, column.synthetic[-1])
    side = side.astype(smallest(first + column.unmatched.size))
    others = replace(column, synthetic=column.synthetic[:-1])
    return WideColumn.of(others, side, column.unmatched, column.unmatched_codes)
