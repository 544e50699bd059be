"""What is asked of an engine, whichever it is: what a study, safeguards and the second counter know of one.

A relation is a table of the engine: `columns` is a mapping of its names to the engine's types. Five verbs read and
write relations: `distinct`, `grouped`, `without` and `blanked` (of `Marked`), `write`; `quantiles` is a sixth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core.arrays import Array, Counts, Ints

if TYPE_CHECKING:
    import pyarrow as pa

    from disclosure_core.data.values import Note, Side
    from disclosure_core.engines.column import EngineColumn, Values
    from disclosure_core.engines.layout import Layout, SideCells


@dataclass(frozen=True, eq=False, repr=False)
class Became:
    """What values of a column are to be.

    Attributes
    ----------
    raw
        Shape (n,): distinct values as the engine gives them; NULL may be one.
    value
        Shape (n,): what each is to be.
    others_stay
        Whether a value that is not among these stays as it is; otherwise it is empty.
    """

    raw: pa.Array
    value: pa.Array
    others_stay: bool


class Marked(ABC):
    """The records of syntheses that have some combinations of keys, as long as this is kept."""

    @abstractmethod
    def without(self, i: int) -> Any:
        """Return side `i` without these records."""

    @abstractmethod
    def blanked(self, i: int, name: str) -> Any:
        """Return side `i` with a column empty in these records."""

    @abstractmethod
    def only(self, i: int) -> Any:
        """Return these records of side `i`."""


class Engine(ABC):
    """An engine that reads relations: DuckDB, or one that Ibis speaks to."""

    may_show_records = False
    """Whether it can show single records where whoever opened it allows that."""
    shows_records = False
    """Whether it shows single records, a few at a time."""

    @abstractmethod
    def count(self, relations: Sequence[Any]) -> list[int]:
        """Return how many records each of these has."""

    @abstractmethod
    def distinct(
        self, names: Sequence[str], relations: Sequence[Any], sizes: Sequence[int], most: int, *, in_order: bool = False
    ) -> list[list[tuple[Values, Counts] | None]]:
        """Return, a column and relation of so many records, the distinct values and the records that have each.

        After these, those that have none, if any are. None where there are more than `most`, and after such a one.
        """

    @abstractmethod
    def nothing_of(self, name: str, relation: Any) -> Values:
        """Return how values of a column are read, and none of them; an error where they are no answers."""

    @abstractmethod
    def side_of(self, name: str, relation: Any, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:
        """Return distinct values as a side of a column with a record each, then one that has none; and what is said.

        A float may be NaN, which is missing as well.
        """

    @abstractmethod
    def all_numbers(self, name: str, relations: Sequence[Any]) -> bool:
        """Return whether a column is a number in all of these, as it is stored."""

    @abstractmethod
    def quantiles(self, name: str, relations: Sequence[Any], n: int) -> tuple[Array, Ints]:
        """Return the numbers of a column where its `n` groups may end, rising, and the records up to each, of all.

        NaN and NULL are no numbers.
        """

    @abstractmethod
    def grouped(
        self, relations: Mapping[int, Any], sizes: Sequence[int], layouts: Sequence[Layout]
    ) -> Iterator[list[SideCells]]:
        """Yield, a layout and each of its targets, the cells of each of these sides.

        Parameters
        ----------
        relations
            By the number of the side, as its columns know it.
        sizes
            Records of each of these.
        layouts
            Keys, and columns that are counted with these; of one without targets the keys alone.
        """

    @abstractmethod
    def whole_records(
        self, columns: Sequence[EngineColumn], relations: Mapping[int, Any], sizes: Sequence[int]
    ) -> list[int]:
        """Return how the records of two sides meet, seen as the codes of all columns: 7 numbers.

        Records of the second that stand in the first, records of the first that have a twin there, records of the
        second that stand in the first and have a twin, different records that do not stand in both as often, different
        records, and the records of each.
        """

    @abstractmethod
    def marked(
        self, relations: Sequence[Any], keys: Sequence[EngineColumn], chosen: Sequence[Sequence[Array]]
    ) -> Marked:
        """Return the records of each synthesis whose keys have one of some combinations.

        Parameters
        ----------
        relations
            The original first.
        chosen
            A synthesis and key, shape (n,): its code in each combination.
        """

    @abstractmethod
    def recoded(self, relation: Any, names: Sequence[str], became: Mapping[str, Became]) -> Any:
        """Return some columns of a relation, those of `became` with what their values are to be."""

    @abstractmethod
    def rows(self, relation: Any, names: Sequence[str], most: int) -> pa.Table:
        """Return each combination of values as they are stored, and last the records that have it; at most `most`."""

    @abstractmethod
    def write(self, relation: Any, labels: Mapping[str, str], place: Path) -> int:
        """Write a relation with further columns of one text each to a file, and return how many records it has."""

    @abstractmethod
    def check(self, relations: Sequence[Any]) -> None:
        """Make sure that nothing has changed, where that can be seen."""
