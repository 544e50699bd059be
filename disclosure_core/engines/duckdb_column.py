"""A column whose records DuckDB reads: its distinct values are known here, and how their codes are told in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from disclosure_core.data.column import Column, Variable
from disclosure_core.data.outsiders import JointColumn, WideColumn
from disclosure_core.engines.duckdb_connection import literal, quoted
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from disclosure_core.counting.cells import Counts
    from disclosure_core.data.values import Kind, Note

    Ints = npt.NDArray[np.int64]
    Dictionary = Callable[[pa.Array, Ints], str]

_PLAIN = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT",
          "FLOAT", "DOUBLE", "BOOLEAN", "DATE", "VARCHAR")  # fmt: skip
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")

_LISTED = 32
"""Texts whose codes are a constant list: DuckDB looks each up once a dictionary entry of Parquet; more are joined."""
_SPAN = 1024
"""Whole numbers that lie within so many are looked up by their place in a constant list."""


@dataclass(frozen=True, eq=False, repr=False)
class Values:
    """The distinct values of one side of a column.

    Attributes
    ----------
    sql
        The value of a record, as SQL reads it.
    kind
        DuckDB's name of its type.
    raw
        Shape (n,): the distinct values as DuckDB gives them, NaN among them, NULL not.
    """

    sql: str
    kind: str
    raw: pa.Array


class DuckDBColumn(Variable):
    """A column whose records stay in their files or tables; its distinct values are known here.

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
    starts
        A number of too many values to be fetched, in intervals: where each begins, rising, and its code; else None.
    """

    def __init__(
        self,
        coded: Column,
        sides: Sequence[Values],
        counts: Counts,
        notes: Sequence[Note] = (),
        *,
        starts: Sequence[tuple[float, int]] | None = None,
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
    def numbers(self) -> npt.NDArray[Any]:
        """Of a column beside people outside: the numbers that these alone have."""
        return self.coded.numbers if isinstance(self.coded, JointColumn) else self.coded.values[:0]

    @property
    def further(self) -> list[Any]:
        """Of a column beside people outside: the numbers that these alone have, where each has a code of its own."""
        return self.coded.further if isinstance(self.coded, WideColumn) else []

    @property
    def is_wide(self) -> bool:
        """Whether the values are too many to be fetched."""
        return self.starts is not None

    def recoded(
        self, values: npt.NDArray[Any], codes: npt.NDArray[np.int64], *, ordered: bool, kind: Kind
    ) -> DuckDBColumn:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        coded = self.coded.recoded(values, codes, ordered=ordered, kind=kind)
        counts = np.zeros((len(self._counts), coded.n_codes), dtype=np.int64)
        for new, old in zip(counts, self._counts, strict=True):
            np.add.at(new, codes, old)
        starts = None if self.starts is None else [(start, int(codes[code])) for start, code in self.starts]
        return DuckDBColumn(coded, self.sides, counts, starts=starts)

    def code(self, i: int, dictionary: Dictionary) -> tuple[str, str]:
        """Return the SQL of the code of a record of side `i`, and the join that it needs.

        The code of a value that was not there when the values were read is NULL, or its record is lost.

        Parameters
        ----------
        dictionary
            Keeps values, NULL after them, with their codes as a table, and returns its name; its columns are the name
            with _raw and _code, which no column of the data is called.
        """
        side, missing = self.sides[i], self.n_levels
        if self.starts is not None:
            return self._interval(side), ""
        codes = self.coded.sides[i][: len(side.raw)].astype(np.int64)
        if not len(side.raw):
            return f"case when {side.sql} is null then {missing} end", ""
        found = None
        if side.kind in _WHOLE:
            found = _by_place(side, codes)
        elif side.kind == "VARCHAR" and len(side.raw) <= _LISTED:
            found = _by_list(side, codes)
        if found is not None:
            return f"case when {side.sql} is null then {missing} else {found} end", ""
        name = dictionary(side.raw, np.append(codes, missing))
        return f"{name}_code", f"join {name} on {side.sql} is not distinct from {name}_raw"

    def _interval(self, side: Values) -> str:
        """Return the SQL of the code of a number with too many values to know each."""
        assert self.starts is not None
        x = f"{side.sql}::double"
        missing = f"{side.sql} is null or isnan({x})"
        return f"case when {missing} then {self.n_levels} else {_halved(x, list(self.starts))} end"


def value_sql(name: str, kind: str) -> tuple[str, str]:
    """Return how SQL reads the values of a column of type `kind` as its own, and the type that they then have.

    Raises
    ------
    DisclosureError
        When the values are no single answer.
    """
    if kind in ("BLOB", "BIT"):
        raise DisclosureError(f"{name!r} holds bytes, which nobody can read as an answer; make them text first.")
    if kind in ("INTERVAL", "JSON", "NULL") or kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        raise DisclosureError(f"{name!r} holds values that are no single answer; make them text in the engine first.")
    if kind in _PLAIN or kind.startswith(("DECIMAL", "TIMESTAMP")) or kind == "TIME":
        return quoted(name), kind
    return f"{quoted(name)}::varchar", "VARCHAR"


def _by_place(side: Values, codes: Ints) -> str | None:
    """Return the code of a whole number where numbers lie close: their distance, or a place in a constant list."""
    values = side.raw.cast(pa.int64()).to_numpy()
    low, high = int(values.min()), int(values.max())
    place = codes - (values - low)
    if high - low + 1 == len(values) and (place == place[0]).all():
        return f"{side.sql}::bigint - ({low - int(place[0])})"
    if high - low >= _SPAN:
        return None
    table = np.full(high - low + 1, -1)
    table[values - low] = codes
    listed = ", ".join("null" if code < 0 else str(code) for code in table.tolist())
    # A place beyond the list is NULL, but a negative one counts from its end.
    return f"case when {side.sql} >= {low} then ([{listed}]::integer[])[{side.sql}::bigint - ({low}) + 1] end"


def _by_list(side: Values, codes: Ints) -> str | None:
    """Return the code of a text as its place in a constant list, where no two texts have one code."""
    if len(np.unique(codes)) < len(codes) or codes.max() >= _LISTED:
        return None
    texts: list[str | None] = [None] * (int(codes.max()) + 1)
    for text, code in zip(side.raw.to_pylist(), codes.tolist(), strict=True):
        texts[code] = text
    listed = ", ".join("null" if text is None else literal(text) for text in texts)
    return f"list_position([{listed}], {side.sql}) - 1"


def _halved(x: str, starts: list[tuple[float, int]]) -> str:
    """Return the code of the last interval that begins at or below `x`, the first for what is below all."""
    if len(starts) == 1:
        return str(starts[0][1])
    middle = len(starts) // 2
    below, above = _halved(x, starts[:middle]), _halved(x, starts[middle:])
    return f"case when {x} < {starts[middle][0]!r} then {below} else {above} end"
