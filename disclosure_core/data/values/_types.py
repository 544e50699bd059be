"""What the values of a column are, on one side and on all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from disclosure_core.arrays import Array, Ints, Signed

TRUE, FALSE = "True", "False"

LONG_FORMS = {"true": TRUE, "false": FALSE}

SHORT_FORMS = {"T": TRUE, "t": TRUE, "F": FALSE, "f": FALSE}


class Kind(StrEnum):
    """What the values of a column are."""

    NUMBER = "number"
    CATEGORY = "category"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence on how the data were read or made comparable; `warning` where it may change what figures mean.

    `of_syntheses` where it speaks of these alone, and tells nothing of the original.
    """

    text: str
    column: str | None = None
    warning: bool = False
    of_syntheses: bool = False


class Sort(Enum):
    """What the distinct values of one side are, before the sides are put together."""

    NUMBER = auto()
    LOGICAL = auto()
    MOMENT = auto()
    TIME = auto()
    SPAN = auto()
    TEXT = auto()

    @property
    def kind(self) -> Kind:
        """The kind of a column whose sides are all of this sort."""
        return {Sort.NUMBER: Kind.NUMBER, Sort.MOMENT: Kind.DATE}.get(self, Kind.CATEGORY)

    @property
    def words(self) -> str:
        """What a file holds of it, in words."""
        return {
            Sort.NUMBER: "numbers",
            Sort.LOGICAL: "true or false",
            Sort.MOMENT: "dates",
            Sort.TIME: "times of day",
            Sort.SPAN: "durations",
            Sort.TEXT: "text",
        }[self]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Side:
    """One side of a column.

    Attributes
    ----------
    sort
        What its values are; None where every value is missing.
    codes
        Shape (n_records,): each record's value as an index into `values`, -1 for missing.
    values
        Shape (n,): the values that occur, by `sort`: int64, uint64, float64, or objects (whole numbers of any size,
        decimals); booleans; nanoseconds (int64, or Python's integers beyond them) since 1970 in UTC, since midnight, or
        of length; texts. One may stand twice.
    listed, ordered
        Whether the file itself lists the values in an order, and says that the order means something.
    zone
        The time zone of moments, where they have one.
    """

    sort: Sort | None
    codes: Signed
    values: Array
    listed: bool = False
    ordered: bool = False
    zone: str | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Levels:
    """The levels of all sides of a column together.

    Attributes
    ----------
    kind, values, ordered
        As of `study.Column`.
    maps
        A side: for each of its `values`, the index of its level.
    notes
        What was changed to make the sides comparable.
    """

    kind: Kind
    values: Array
    ordered: bool
    maps: list[Ints]
    notes: list[Note]
