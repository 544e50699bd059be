"""One variable, its levels, and the records of both sides coded against them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Array, Ints
from disclosure_core.data.values import Kind
from disclosure_core.data.values import texts as _texts
from disclosure_core.errors import DisclosureError, not_found

MISSING = "Missing"
"""How a missing value is shown, unless the data hold that very text as a level."""

BLANK = "(blank)"
"""How a level is named that is a text without letters, which nobody could see or type, unless that is a level, too."""

Codes = npt.NDArray[np.unsignedinteger[Any]]


class Variable(ABC):
    """One variable with the same levels in the original and every synthesis, wherever its records are.

    Attributes
    ----------
    name, kind
        The column's name and what its values are.
    values
        Shape (n_levels,): the distinct values in their order; float or integer for a number, text otherwise.
    ordered
        Whether the order of the levels means something.
    missing_levels
        Codes of the levels that a file declares to be no answer (Refused, Don't know): they count as missing.
    """

    name: str
    kind: Kind
    values: Array
    ordered: bool
    missing_levels: tuple[int, ...] = ()

    @property
    @abstractmethod
    def counts(self) -> Ints:
        """Shape (1 + m, n_codes): records with each code in the original, then in each synthesis."""

    @property
    def n_levels(self) -> int:
        """Levels, missing not counted."""
        return len(self.values)

    @property
    def n_codes(self) -> int:
        """Levels and one more for missing, whether or not it occurs."""
        return len(self.values) + 1

    @property
    def missing(self) -> tuple[int, ...]:
        """The codes that count as missing: that of empty cells, and those of `missing_levels`."""
        return (self.n_levels, *self.missing_levels)

    @property
    def has_missing(self) -> bool:
        """Whether a record of any side counts as missing."""
        return bool(self.counts[:, list(self.missing)].any())

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """Each level as a person sees it, without missing."""
        return _texts(self.values)

    @cached_property
    def missing_label(self) -> str:
        """What missing values are called: "Missing", unless that is a level of the data."""
        label = MISSING
        while label in self._code_of:
            label = f"{label} (empty)"
        return label

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each code as a person sees it: the levels, then missing."""
        return (*self.levels, self.missing_label)

    def label(self, code: int) -> str:
        """Return one code's label, without writing out the others."""
        return self.missing_label if code == self.n_levels else _texts(self.values[code : code + 1])[0]

    @property
    def is_ordered_category(self) -> bool:
        """Whether this is a category whose levels have an order that means something."""
        return self.ordered and self.kind is Kind.CATEGORY

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {level: code for code, level in enumerate(self.levels)}

    def code_of(self, label: str, what: str = "Level") -> int:
        """Return the code of a level, or of missing, by its text.

        Raises
        ------
        DisclosureError
            When the column has no such level.
        """
        label = self.level_named(label)
        if label == self.missing_label:
            return self.n_levels
        if label not in self._code_of:
            raise not_found(what, label, f"of {self.name!r}", self.labels)
        return self._code_of[label]

    def level_named(self, label: str) -> str:
        """Return the level that is named so: itself, or the one blank text where `BLANK` is no level."""
        if label != BLANK or label in self._code_of:
            return label
        blank = [level for level in self.levels if not level.strip()]
        return blank[0] if len(blank) == 1 else label

    def missing_recoded(self, codes: Ints) -> tuple[int, ...]:
        """Return `missing_levels` after `recoded`: a level into which others went, too, is none of them."""
        if not self.missing_levels:
            return ()
        others = set(codes[[i for i in range(self.n_codes) if i not in self.missing_levels]].tolist())
        mine = codes[np.array(self.missing_levels, dtype=np.int64)].tolist()
        return tuple(dict.fromkeys(code for code in mine if code not in others))

    @abstractmethod
    def recoded(self, values: Array, codes: Ints, *, ordered: bool, kind: Kind) -> Variable:
        """Return this variable with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""


@dataclass(frozen=True, eq=False, repr=False)
class Column(Variable):
    """A variable and its records.

    Attributes
    ----------
    name, kind, values, ordered
        As of `Variable`.
    original
        Shape (N_d,): each record's level as an index into `values`; n_levels stands for missing.
    synthetic
        The same for each synthesis, shape (N_s,) each.
    """

    name: str
    kind: Kind
    values: Array
    ordered: bool
    original: Codes
    synthetic: tuple[Codes, ...]
    missing_levels: tuple[int, ...] = ()

    @property
    def sides(self) -> tuple[Codes, ...]:
        """The codes of the original, then of each synthesis."""
        return (self.original, *self.synthetic)

    @cached_property
    def counts(self) -> Ints:
        """Shape (1 + m, n_codes): records with each code in the original, then in each synthesis."""
        return np.stack([np.bincount(codes, minlength=self.n_codes) for codes in self.sides])

    def recoded(self, values: Array, codes: Ints, *, ordered: bool, kind: Kind) -> Self:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        table = codes.astype(smallest(len(values) + self.n_codes - self.n_levels))
        original, *synthetic = (readonly(table[side]) for side in self.sides)
        return replace(
            self,
            kind=kind,
            values=values,
            ordered=ordered,
            original=original,
            synthetic=tuple(synthetic),
            missing_levels=self.missing_recoded(codes),
        )


def with_records(variable: Variable) -> Column:
    """Return a variable whose records are here."""
    if not isinstance(variable, Column):
        raise DisclosureError(f"The records of {variable.name!r} stay in the engine; bring a sample to look at them.")
    return variable


def smallest(n: int) -> np.dtype[Any]:
    """Return the smallest type of whole numbers that holds `n` codes."""
    return np.min_scalar_type(max(n - 1, 0))


def readonly(array: Array) -> Array:
    """Return `array`, which nobody can write to any more."""
    array.setflags(write=False)
    return array
