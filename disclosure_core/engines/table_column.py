"""A column whose records stay in the engine: how its codes are read there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data.column import Column, Variable
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    import numpy.typing as npt
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir

    from disclosure_core.counting.cells import Counts
    from disclosure_core.data.values import Kind, Note
    from disclosure_core.engines.line import Bring


class TableColumn(Variable):
    """A column whose records stay in the engine; its distinct values are known here.

    Parameters
    ----------
    coded
        The column as `Study` codes it, with a record for each distinct value of each side.
    dtypes
        A side: the type in which its values are told apart in the engine.
    raws
        A side: its distinct values, missing not among them.
    counts
        Shape (1 + m, n_codes): records with each code.
    steps
        A number in intervals: a side, each interval's smallest value and its code, rising. Values before it are in
        `special`. None where it is not in intervals.
    special
        A number in intervals: each missing code and its code.
    notes
        What was changed to make the sides comparable.
    wide
        Whether the values are too many to be fetched, and only the missing codes are here.
    """

    def __init__(
        self,
        coded: Column,
        dtypes: tuple[dt.DataType, ...],
        raws: tuple[pa.ChunkedArray, ...],
        counts: Counts,
        *,
        steps: tuple[tuple[tuple[Any, int], ...], ...] | None = None,
        special: tuple[tuple[float, int], ...] = (),
        notes: tuple[Note, ...] = (),
        wide: bool = False,
    ) -> None:
        self.name, self.kind, self.values, self.ordered = coded.name, coded.kind, coded.values, coded.ordered
        self.coded, self.dtypes, self.raws, self._counts = coded, dtypes, raws, counts
        self.steps, self.special, self.notes, self.wide = steps, special, notes, wide

    @property
    def counts(self) -> Counts:
        """Shape (1 + m, n_codes): records with each code in the original, then in each synthesis."""
        return self._counts

    def recoded(
        self, values: npt.NDArray[Any], codes: npt.NDArray[np.int64], *, ordered: bool, kind: Kind
    ) -> TableColumn:
        """Return this column of numbers in intervals: `codes`, shape (n_codes,), maps each old code to its new one."""
        coded = self.coded.recoded(values, codes, ordered=ordered, kind=kind)
        counts = np.stack([records_by_code(codes, side, len(values) + 1) for side in self.counts])
        steps = []
        for raw, side in zip(self.raws, coded.sides, strict=True):
            value, code = raw.to_pandas().to_numpy(), side[: len(raw)].astype(np.int64)
            order = np.argsort(value, kind="stable")
            value, code = value[order], code[order]
            starts = np.flatnonzero(np.diff(code, prepend=-1))
            steps.append(tuple(zip(value[starts].tolist(), code[starts].tolist(), strict=True)))
        return TableColumn(coded, self.dtypes, self.raws, counts, steps=tuple(steps))

    def read_from(self, table: ir.Table, side: int) -> ir.Value:
        """Return this column of a side's `table`: the code where it follows from intervals, else the value."""
        dtype = self.dtypes[side]
        value = raw_value(table[self.name], dtype)
        if self.steps is None:
            return value
        steps = self.steps[side]
        if not steps:
            return ibis.literal(self.n_levels, "int64")
        missing = value.isnull() | value.isnan() if dtype.is_floating() else value.isnull()
        rules: list[tuple[Any, Any]] = [(missing, self.n_levels)]
        rules += [(value == number, code) for number, code in self.special]
        rules += [
            (value < ibis.literal(start, dtype), code) for (start, _), (_, code) in zip(steps[1:], steps, strict=False)
        ]
        return ibis.cases(*rules, else_=steps[-1][1]).cast("int64")

    @cached_property
    def is_alike(self) -> bool:
        """Whether a value has one type and one code on all sides, so that they are coded together."""
        if self.steps is not None:
            return True
        if len(set(self.dtypes)) > 1:
            return False
        raw = pd.concat([raw.to_pandas() for raw in self.raws], ignore_index=True)
        code = np.concatenate([s[: len(r)] for r, s in zip(self.raws, self.coded.sides, strict=True)])
        pairs = pd.DataFrame({"raw": raw, "code": code}).drop_duplicates()
        return bool(not pairs["raw"].duplicated().any())

    def coded_in(self, table: ir.Table, name: str, bring: Bring, side: int | None = None) -> ir.Table:
        """Return `table`, of one side or of all, with codes in the column `name` that `read_from` made."""
        if self.steps is not None:
            return table
        known = self._codes(side, bring).rename({f"{name}raw_value": "raw", f"{name}_code": "code"})
        joined = table.left_join(known, table[name] == known[f"{name}raw_value"])
        joined = joined.mutate(**{name: joined[f"{name}_code"].fill_null(self.n_levels)})
        return joined.drop(f"{name}raw_value", f"{name}_code")

    def _codes(self, side: int | None, bring: Bring) -> ir.Table:
        """Return the code of each distinct value of one side, or of all."""
        at = range(len(self.raws)) if side is None else [side]
        raw = pa.chunked_array(
            [chunk for i in at for chunk in self.raws[i].chunks], self.raws[0 if side is None else side].type
        )
        code = np.concatenate([self.coded.sides[i][: len(self.raws[i])] for i in at]).astype(np.int64)
        first = np.flatnonzero(~raw.to_pandas().duplicated().to_numpy())  # 0.0 and -0.0 are one value to an engine
        frame = pa.table({"raw": raw.take(pa.array(first)), "code": code[first]})
        return bring(frame, ibis.schema({"raw": self.dtypes[at[0]], "code": "int64"}))


def stored_type(name: str, dtype: dt.DataType) -> dt.DataType:
    """Return the type in which an engine's values are told apart: their own, except of what has a text only.

    Raises
    ------
    DisclosureError
        When the values are no single answer.
    """
    if dtype.is_binary():
        raise DisclosureError(f"{name!r} holds bytes, which nobody can read as an answer; make them text first.")
    if dtype.is_nested() or dtype.is_interval() or dtype.is_json() or dtype.is_geospatial():
        raise DisclosureError(f"{name!r} holds values that are no single answer; make them text in the engine first.")
    plain = dtype.is_numeric() or dtype.is_boolean() or dtype.is_date() or dtype.is_timestamp() or dtype.is_time()
    return dtype.copy(nullable=True) if plain else ibis.dtype("string")


def raw_value(column: ir.Value, dtype: dt.DataType) -> ir.Value:
    """Return a column in the type that `stored_type` gave."""
    return column if column.type().copy(nullable=True) == dtype else column.cast(dtype)


def records_by_code(at: npt.NDArray[Any], n: Counts, size: int) -> Counts:
    """Return, shape (size,), the records with each code."""
    return np.bincount(at, weights=n, minlength=size).astype(np.int64)
