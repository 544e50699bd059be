"""A column whose records stay in an engine: its distinct values are known here, and how many records have each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from disclosure_core.arrays import Array, Counts, Ints
from disclosure_core.data.column import Column, Variable
from disclosure_core.data.joint_column import JointColumn, WideColumn

if TYPE_CHECKING:
    import pyarrow as pa

    from disclosure_core.data.values import Kind, Note


@dataclass(frozen=True, eq=False, repr=False)
class Values:
    """The distinct values of one side of a column.

    Attributes
    ----------
    sql
        The value of a record, as SQL reads it; where Ibis writes the SQL, the name of the column.
    kind
        The engine's name of its type, or Ibis' type.
    raw
        Shape (n,): the distinct values as the engine gives them, NaN among them, NULL not.
    """

    sql: str
    kind: Any
    raw: pa.Array


def with_empty(raw: pa.Array) -> pa.Array:
    """Return distinct values, and NULL after them."""
    import pyarrow as pa

    return pa.concat_arrays([raw, pa.nulls(1, raw.type)])


class EngineColumn(Variable):
    """A column whose records stay in an engine; its distinct values are known here.

    Parameters
    ----------
    coded
        The column as `Study` codes it, with a record for each distinct value of each side, and then one for those that
        have none where there are any.
    sides
        Each side's distinct values.
    counts
        Shape (1 + m, n_codes): records with each code.
    notes
        What was changed to make the sides comparable.
    starts, end
        A number of too many values to be fetched, in intervals: where each begins, rising, and its code; and where the
        last ends. Else None.
    further_starts
        The same for people outside, whose numbers may lie outside all intervals: what begins there is their code.
    """

    def __init__(
        self,
        coded: Column,
        sides: Sequence[Values],
        counts: Counts,
        notes: Sequence[Note] = (),
        *,
        starts: Sequence[tuple[float, int]] | None = None,
        end: float | None = None,
        further_starts: Sequence[tuple[float, int]] | None = None,
    ) -> None:
        self.name, self.kind, self.values, self.ordered = coded.name, coded.kind, coded.values, coded.ordered
        self.missing_levels = coded.missing_levels
        self.coded, self.sides, self._counts, self.notes, self.starts = (
            coded,
            tuple(sides),
            counts,
            tuple(notes),
            starts,
        )
        self.end, self._further_starts = end, further_starts

    def starts_of(self, i: int) -> list[tuple[float, int]] | None:
        """Return where each interval of side `i` begins, and its code; None where values are known one by one."""
        outside = self._further_starts if i == len(self.sides) - 1 else None
        found = self.starts if outside is None else outside
        return None if found is None else list(found)

    def empty_code(self, i: int) -> int:
        """Return the code of empty cells of side `i`: that of missing, unless a safeguard made a level of them."""
        coded, n = self.coded.sides[i], len(self.sides[i].raw)
        return int(coded[n]) if len(coded) > n else self.n_levels

    @property
    def counts(self) -> Counts:
        """Shape (1 + m, n_codes): records with each code in the original, then in each synthesis."""
        return self._counts

    @property
    def n_codes(self) -> int:
        """As of the coded column: beside people outside there are more than levels and missing."""
        return self.coded.n_codes

    @property
    def labels(self) -> tuple[str, ...]:
        """Each code as a person sees it."""
        return self.coded.labels

    def label(self, code: int) -> str:
        """Return one code's label, without writing out the others."""
        return self.coded.label(code)

    @property
    def unmatched(self) -> Array:
        """Of a column beside people outside: the values that these alone have."""
        return self.coded.unmatched if isinstance(self.coded, JointColumn) else self.coded.values[:0]

    @property
    def further(self) -> list[Any]:
        """Of a column beside people outside: the values that these alone have, where each has a code of its own."""
        return self.coded.further if isinstance(self.coded, WideColumn) else []

    @property
    def is_wide(self) -> bool:
        """Whether the values are too many to be fetched."""
        return self.starts is not None

    def recoded(self, values: Array, codes: Ints, *, ordered: bool, kind: Kind) -> Self:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        coded = self.coded.recoded(values, codes, ordered=ordered, kind=kind)
        counts = np.zeros((len(self._counts), coded.n_codes), dtype=np.int64)
        for new, old in zip(counts, self._counts, strict=True):
            np.add.at(new, codes, old)
        starts, further = (
            None if each is None else [(start, int(codes[code])) for start, code in each]
            for each in (self.starts, self._further_starts)
        )
        return type(self)(coded, self.sides, counts, starts=starts, end=self.end, further_starts=further)


class ColumnsThere(Mapping[str, EngineColumn]):
    """Columns by name, each made when it is first asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], EngineColumn]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self.made: dict[str, EngineColumn] = {}

    def __getitem__(self, name: str) -> EngineColumn:
        if name not in self._names:
            raise KeyError(name)
        if name not in self.made:
            self.made[name] = self._make(name)
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names
