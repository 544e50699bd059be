"""A column whose records Ibis reads: what the engine groups by, and the codes of what comes back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.arrays import Ints
from disclosure_core.engines.column import EngineColumn, with_empty
from disclosure_core.engines.layout import CHANGED
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir


_TOLD = 5_000
"""Values of a column that are told apart one by one in the engine."""

_FEWER = 4
"""A number is grouped by intervals in the engine where these are so many times fewer than its values."""


class Read:
    """How records of one side of a column are read: their values, or the codes of the intervals that a number is in.

    Parameters
    ----------
    column
        A column of a study.
    i
        The number of the side.
    """

    def __init__(self, column: EngineColumn, i: int) -> None:
        self._column, self._i, self._side = column, i, column.sides[i]
        self._steps = column.starts_of(i) if column.is_wide else _intervals(column, i)

    def of(self, table: ir.Table) -> ir.Value:
        """Return what records of a table are grouped by: the value, or of a number the code of its interval."""
        value = raw_value(table[self._column.name], self._side.kind)
        steps = self._steps
        if steps is None:
            return value
        missing = value.isnull() | value.isnan() if self._side.kind.is_floating() else value.isnull()
        rules: list[tuple[Any, Any]] = [(missing, self._column.n_levels)]
        rules += [
            (value < _begin(start, self._side.kind), code)
            for (start, _), (_, code) in zip(steps[1:], steps, strict=False)
        ]
        return ibis.cases(*rules, else_=steps[-1][1]).cast("int64")

    def codes(self, read: pa.ChunkedArray) -> Ints:
        """Return, shape (n,), the codes of what `of` gave."""
        if self._steps is not None:
            return read.to_numpy().astype(np.int64)
        raw, codes = self._side.raw, self._codes
        empty = read.is_null().to_numpy()
        at = np.asarray(pc.index_in(_alike(read), value_set=_alike(raw)).fill_null(-1).to_numpy(), dtype=np.int64)
        if (at[~empty] < 0).any():
            raise DisclosureError(CHANGED)
        found = np.full(len(read), self._column.empty_code(self._i), dtype=np.int64)
        found[~empty] = codes[at[~empty]]
        return found

    def values(self) -> tuple[pa.Array, Ints]:
        """Return what `of` may give, NULL among it, and the code of each."""
        if self._steps is not None:
            codes = np.unique([*(code for _, code in self._steps), self._column.n_levels])
            return pa.array(codes, pa.int64()), codes
        return with_empty(self._side.raw), np.append(self._codes, self._column.empty_code(self._i))

    @property
    def _codes(self) -> Ints:
        return self._column.coded.sides[self._i][: len(self._side.raw)].astype(np.int64)


def told_apart(column: EngineColumn, table: ir.Table, i: int) -> ir.Value:
    """Return what is equal in records of side `i`, the first or the last, and of the other where their codes are."""
    side = column.sides[i]
    value = raw_value(table[column.name], side.kind)
    if column.is_wide or _are_alike(column):
        return value.nullif(np.nan) if side.kind.is_floating() else value
    if len(side.raw) > _TOLD:
        raise DisclosureError(
            f"{column.name!r} has more than {_TOLD:,} values, of other types in the original and the holdout; give "
            "it one type in both."
        )
    codes = column.coded.sides[i][: len(side.raw)].tolist()
    known = zip(side.raw.to_pylist(), codes, strict=True)
    rules = [(value == ibis.literal(raw, side.kind), code) for raw, code in known if code != column.n_levels]
    return (ibis.cases(*rules) if rules else ibis.null()).cast("int64")


def _are_alike(column: EngineColumn) -> bool:
    """Return whether values of the first and the last side are equal where their codes are, and only there."""
    first, last = column.sides[0], column.sides[-1]
    if first.kind != last.kind:
        return False
    known, further = (column.coded.sides[i][: len(side.raw)].astype(np.int64) for i, side in ((0, first), (-1, last)))
    held = known[known != column.n_levels]
    if len(np.unique(held)) < len(held):
        return False
    at = np.asarray(pc.index_in(_alike(last.raw), value_set=_alike(first.raw)).fill_null(-1).to_numpy(), np.int64)
    met = np.where(at >= 0, known[at] if known.size else 0, -1)
    return bool((further[at >= 0] == met[at >= 0]).all() and not np.isin(further[at < 0], held).any())


def _intervals(column: EngineColumn, i: int) -> list[tuple[Any, int]] | None:
    """Return where each interval of distinct values with one code begins, rising, and its code.

    None where they are no numbers, or hardly fewer.
    """
    side = column.sides[i]
    if not side.kind.is_numeric() or side.kind.is_boolean() or not len(side.raw):
        return None
    values = side.raw.to_numpy(zero_copy_only=False)
    codes = column.coded.sides[i][: len(side.raw)].astype(np.int64)
    numbers = codes != column.n_levels  # NaN
    order = np.argsort(values[numbers], kind="stable")
    values, codes = values[numbers][order], codes[numbers][order]
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    if first.size * _FEWER > values.size or not first.size:
        return None
    return list(zip(values[first].tolist(), codes[first].tolist(), strict=True))


def stored_type(name: str, dtype: dt.DataType) -> dt.DataType:
    """Return the type in which an engine's values are told apart: their own, except of what has a text only."""
    if dtype.is_binary():
        raise DisclosureError(f"{name!r} holds bytes, which nobody can read as an answer; make them text first.")
    if dtype.is_nested() or dtype.is_interval() or dtype.is_json() or dtype.is_geospatial():
        raise DisclosureError(f"{name!r} holds values that are no single answer; make them text in the engine first.")
    plain = dtype.is_numeric() or dtype.is_boolean() or dtype.is_date() or dtype.is_timestamp() or dtype.is_time()
    return dtype.copy(nullable=True) if plain else ibis.dtype("string")


def raw_value(column: ir.Value, dtype: dt.DataType) -> ir.Value:
    """Return a column in the type that `stored_type` gave."""
    return column if column.type().copy(nullable=True) == dtype else column.cast(dtype)


def _alike(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return values as one array in which 0.0 and -0.0 are one, as they are to an engine."""
    one = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    one = pa.concat_arrays(one.chunks) if isinstance(one, pa.ChunkedArray) else one
    return pc.add(one, pa.scalar(0.0, one.type)) if pa.types.is_floating(one.type) else one


def _begin(start: Any, kind: Any) -> ir.Scalar:
    """Return where an interval begins, as values of a type are held against it: of whole numbers 18.5 is 19."""
    if not kind.is_integer() or not isinstance(start, float):
        return ibis.literal(start, kind)
    return ibis.literal(math.ceil(start) if abs(start) < 2**62 else start)
