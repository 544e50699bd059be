"""Data that stay where they are: an engine counts cells from Ibis tables, and only merged cells come back.

One set of expressions serves every engine that Ibis speaks to. Records become cells in one query a target, kept in the
engine; what comes back are the cells with identical ones merged, so that its size depends on how many different cells
there are and not on the records. Everything after the cells is the code that serves data counted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import ibis
import numpy as np
import pandas as pd

from disclosure_core.cells import (
    NO_PAIRS,
    Cells,
    Counted,
    Exclusion,
    KeyTable,
    Pairs,
    Profile,
    Tables,
    chosen,
    count,
    growing_keys,
    key_columns,
)
from disclosure_core.errors import DisclosureError
from disclosure_core.grouping import equal_widths, labels_of, too_few
from disclosure_core.settings import Exclusions
from disclosure_core.study import Column, Kind, Note, Study, _dropped, _harmonised, _side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt
    from ibis.expr import datatypes as dt
    from ibis.expr import types as ir

    from disclosure_core.cells import Counts
    from disclosure_core.settings import Settings
    from disclosure_core.study import Codes

MOST_LEVELS = 100_000
"""Distinct values of a column that are fetched. Beyond it a number is grouped by the engine, other columns refused."""

_MOST = 2**52
"""Codes of several keys are packed into one integer below this: engines divide integers as floats."""

_KEPT = 6
"""Answers that a target keeps, so that all syntheses share one, and going back asks nothing."""


class TableStudy(Study):
    """Original and synthetic data in an engine, made comparable as a `Study` does it, column by column when first used.

    Parameters
    ----------
    original, synthetic
        Ibis tables of one connection, a record a row.
    missing_codes
        As of `Study`.
    private
        Whether errors keep silent about what the engine said, which may name hosts or hold credentials.

    Attributes
    ----------
    returned
        What each query was for and how many rows came back, in the order they were asked.

    Raises
    ------
    DisclosureError
        As `Study` does; and when the tables do not share a connection, or the engine cannot answer.
    """

    holds_records = False

    def __init__(
        self,
        original: ir.Table,
        synthetic: Sequence[ir.Table],
        missing_codes: Mapping[str, Iterable[float | str]] | None = None,
        *,
        private: bool = False,
    ) -> None:
        self._tables = _checked(original, synthetic)
        self._private = private
        self.returned: list[tuple[str, int]] = []
        names = [n for n in original.columns if all(n in t.columns for t in self._tables)]
        if not names:
            raise DisclosureError("The tables have no column name in common; give them the same columns.")
        self._made_comparable = tuple(_dropped(list(self._tables), names))
        sizes = self.fetch("records", ibis.union(*(t.agg(n=t.count()).mutate(side=i) for i, t in self.sides)))
        self.n_original, *others = (int(n) for n in sizes.sort_values("side")["n"])
        self.n_synthetic = tuple(others)
        for i, n in enumerate((self.n_original, *others)):
            if not n:
                raise DisclosureError(f"{_side(i, len(others))} has no records; bring a table with at least one.")
        self._read: dict[str, TableColumn] = {}
        self._names = tuple(names)
        self._set_missing_codes(missing_codes or {})

    @property
    def sides(self) -> list[tuple[int, ir.Table]]:
        """The original as number 0, then the syntheses."""
        return list(enumerate(self._tables))

    def fetch(self, what: str, expression: ir.Table) -> pd.DataFrame:
        """Return the rows of `expression`, and count them in `returned`.

        Raises
        ------
        DisclosureError
            When the engine cannot answer.
        """
        frame: pd.DataFrame = self.ask(what, lambda: expression.to_pyarrow().to_pandas())
        self.returned.append((what, len(frame)))
        return frame

    def ask(self, what: str, question: Callable[[], Any]) -> Any:
        """Return what `question()` does; what the engine says in an error stays out of the sentence."""
        failure = None
        try:
            return question()
        except DisclosureError:
            raise
        except Exception as error:
            failure = error
        sentence = f"The engine could not answer about {what}; see that it runs and holds these tables."
        # Outside of the `except`, so that a private error does not carry the engine's as its context.
        raise DisclosureError(sentence) from (None if self._private else failure)

    def _set_missing_codes(self, missing_codes: Mapping[str, Iterable[float | str]]) -> None:
        given = {name: tuple(codes) for name, codes in missing_codes.items()}
        self.columns = _Columns(self, self._names, self._read, given)
        super()._set_missing_codes(given)

    def grouped(self, name: str, n: int) -> tuple[Column, tuple[Note, ...]]:
        """Return column `name`, in about `n` intervals if it is a number, and what is to be said of it.

        A number with more than `MOST_LEVELS` distinct values is grouped by the engine's approximate quantiles.

        Raises
        ------
        DisclosureError
            When the column holds infinite values, or too many values to stay ungrouped.
        """
        column = self.column(name)
        assert isinstance(column, TableColumn)
        if column.wide and not n:
            raise DisclosureError(f"{name!r} has more than {MOST_LEVELS:,} distinct values; group it or leave it out.")
        if column.wide:
            return self._grouped_there(column, n)
        grouped, notes = super().grouped(name, n)
        return grouped, (*column.notes, *notes)

    def _grouped_there(self, column: TableColumn, n: int) -> tuple[Column, tuple[Note, ...]]:
        """Return a number with many values in intervals whose breaks the engine finds."""
        name, special = column.name, column.values
        x = ibis.union(*(t.select(x=_cleaned(t[name], column.dtype)) for t in self._tables))
        x = x.filter(x.x.notnull())
        if column.dtype.is_floating():
            x = x.filter(~x.x.isnan())
        if len(special):
            x = x.filter(~x.x.isin(special.tolist()))
        x = x.mutate(x=x.x.cast("float64"))
        shares = {f"q{i}": x.x.approx_quantile(i / n) for i in range(1, n)}
        found = self.fetch(f"the quantiles of {name!r}", x.agg(lo=x.x.min(), hi=x.x.max(), **shares))
        low, high, *inner = (float(v) for v in found.iloc[0])
        if not np.isfinite([low, high]).all():
            raise DisclosureError(f"{name!r} holds infinite values and cannot be grouped; make them missing.")
        grouped = self._in_intervals(column, np.unique([low, *inner, high]))
        equal_width = too_few(np.flatnonzero(grouped.counts[0, len(special) : -1]), len(special))
        if equal_width:
            grouped = self._in_intervals(column, equal_widths(low, high, n))
        made = grouped.n_levels - len(special)
        widths = "of equal width" if equal_width else "by the engine's approximate quantiles"
        return grouped, (*column.notes, Note(f"{name!r}: {made} intervals {widths}.", name, warning=not equal_width))

    def _in_intervals(self, column: TableColumn, breaks: npt.NDArray[np.float64]) -> TableColumn:
        """Return a number with many values in the intervals between `breaks`, counted there."""
        n_special = column.n_levels
        labels = labels_of(breaks)
        values = np.array([*column.levels, *labels], dtype=object)
        coded = Column(column.name, Kind.CATEGORY, values, True, np.zeros(0, dtype=np.uint8), ())
        steps = tuple((start, n_special + i) for i, start in enumerate(breaks[: len(labels)].tolist()))
        special = tuple((number, i) for i, number in enumerate(column.values.tolist()))
        counts = np.zeros((len(self._tables), len(values) + 1), dtype=np.int64)
        grouped = TableColumn(coded, column.dtype, (), counts, steps=steps, special=special)
        table = ibis.union(*(t.select(code=grouped.read_from(t), side=ibis.literal(i)) for i, t in self.sides))
        found = self.fetch(f"the groups of {column.name!r}", table.group_by(["side", "code"]).agg(n=table.count()))
        counts[found["side"], found["code"]] = found["n"]
        return grouped

    def read(self, name: str, codes: Iterable[float | str]) -> TableColumn:
        """Return column `name`, its distinct values fetched and coded; `codes` alone where there are too many."""
        dtype = _common_type(name, [t[name].type() for t in self._tables])
        sides = [_cleaned(t[name], dtype).name("raw").as_table().mutate(side=ibis.literal(i)) for i, t in self.sides]
        table = ibis.union(*sides)
        known = table.filter(table.raw.notnull())
        counted = known.group_by(["side", "raw"]).agg(n=known.count())
        found = self.fetch(f"the values of {name!r}", counted.limit((MOST_LEVELS + 1) * len(sides)))
        wide = len(found) > MOST_LEVELS * len(sides) or found["raw"].nunique() > MOST_LEVELS
        if wide and not dtype.is_numeric():
            raise DisclosureError(f"{name!r} has more than {MOST_LEVELS:,} distinct values; leave it out.")
        if wide:
            wanted = sorted({float(c) for c in codes if _is_number(c)})
            found = self.fetch(f"the missing codes of {name!r}", counted.filter(counted.raw.isin(wanted)))
        found = found[found["raw"].notna()]
        raws, records = [], []
        for i, size in enumerate((self.n_original, *self.n_synthetic)):
            side = found[found["side"] == i]
            raws.append(_nullable(side["raw"], dtype))
            n = side["n"].to_numpy(dtype=np.int64)
            records.append(np.append(n, size - n.sum()))
        if wide:
            raws = [raw.astype(float) for raw in raws]
        some = [_with_missing(raw, n[-1]) for raw, n in zip(raws, records, strict=True)]
        coded, notes = _harmonised(name, some)
        size = coded.n_codes
        # The records without a value follow the distinct values; missing is the last code, whether or not one is there.
        ends = [np.append(side[: len(raw)], coded.n_levels) for side, raw in zip(_sides_of(coded), raws, strict=True)]
        counts = np.stack([_sums(at, n, size) for at, n in zip(ends, records, strict=True)])
        return TableColumn(coded, dtype, tuple(raws), counts, notes=tuple(notes), wide=wide)


class _Columns(Mapping[str, Column]):
    """The common columns by name, each read from the engine when first asked for."""

    def __init__(
        self,
        study: TableStudy,
        names: tuple[str, ...],
        read: dict[str, TableColumn],
        codes: Mapping[str, tuple[float | str, ...]],
    ) -> None:
        self._study, self._names, self._codes = study, names, codes
        # Of a column with too many values only its missing codes were read: read it again for others.
        self._read = {name: column for name, column in read.items() if not column.wide}
        study._read = self._read  # noqa: SLF001 (the study's own part)

    def __getitem__(self, name: str) -> Column:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._study.read(name, self._codes.get(name, ()))
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


class TableColumn(Column):
    """A column whose records stay in the engine; its distinct values are known here.

    Parameters
    ----------
    coded
        The column as `Study` codes it, with a record for each distinct value of each side.
    dtype
        The type in which the engine compares the values of all sides.
    raws
        A side: its distinct values, missing not among them.
    counts
        Shape (1 + m, n_codes): records with each code.
    steps
        A number in intervals: each interval's smallest value and its code, rising. Values before it are in `special`.
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
        dtype: dt.DataType,
        raws: tuple[pd.Series[Any], ...],
        counts: Counts,
        *,
        steps: tuple[tuple[float, int], ...] = (),
        special: tuple[tuple[float, int], ...] = (),
        notes: tuple[Note, ...] = (),
        wide: bool = False,
    ) -> None:
        # Past the guard of a frozen class.
        self.__dict__.update(name=coded.name, kind=coded.kind, values=coded.values, ordered=coded.ordered)
        self.__dict__.update(coded=coded, dtype=dtype, raws=raws, counts=counts, wide=wide)
        self.__dict__.update(steps=steps, special=special, notes=notes)

    if TYPE_CHECKING:
        coded: Column
        dtype: dt.DataType
        raws: tuple[pd.Series[Any], ...]
        steps: tuple[tuple[float, int], ...]
        special: tuple[tuple[float, int], ...]
        notes: tuple[Note, ...]
        wide: bool
    else:

        @property
        def original(self) -> NoReturn:
            """The records are not here."""
            raise DisclosureError(f"The records of {self.name!r} stay in the engine; bring a sample to look at them.")

        synthetic = original

    def recoded(
        self, values: npt.NDArray[Any], codes: npt.NDArray[np.int64], *, ordered: bool, kind: Kind
    ) -> TableColumn:
        """Return this column of numbers in intervals: `codes`, shape (n_codes,), maps each old code to its new one."""
        coded = self.coded.recoded(values, codes, ordered=ordered, kind=kind)
        counts = np.stack([_sums(codes, side, len(values) + 1) for side in self.counts])
        raw, code = _known(self.raws, coded)
        order = np.argsort(raw, kind="stable")
        raw, code = raw[order], code[order]
        starts = np.flatnonzero(np.diff(code, prepend=-1))
        steps = tuple(zip(raw[starts].tolist(), code[starts].tolist(), strict=True))
        return TableColumn(coded, self.dtype, self.raws, counts, steps=steps)

    def read_from(self, table: ir.Table) -> ir.Value:
        """Return this column of `table`: the code where it follows from intervals, else the value."""
        value = _cleaned(table[self.name], self.dtype)
        if not self.steps:
            return value
        missing = value.isnull() | value.isnan() if self.dtype.is_floating() else value.isnull()
        rules: list[tuple[Any, Any]] = [(missing, self.n_levels)]
        rules += [(value == number, code) for number, code in self.special]
        rules += [(value < start, code) for (start, _), (_, code) in zip(self.steps[1:], self.steps, strict=False)]
        return ibis.cases(*rules, else_=self.steps[-1][1]).cast("int64")

    def coded_in(self, table: ir.Table, name: str) -> ir.Table:
        """Return `table` with codes in the column `name` that `read_from` made."""
        if self.steps:
            return table
        known = self._codes.rename({f"{name}_raw": "raw", f"{name}_code": "code"})
        joined = table.left_join(known, table[name] == known[f"{name}_raw"])
        joined = joined.mutate(**{name: joined[f"{name}_code"].fill_null(self.n_levels)})
        return joined.drop(f"{name}_raw", f"{name}_code")

    @cached_property
    def _codes(self) -> ir.Table:
        """The code of each distinct value."""
        raw, code = _known(self.raws, self.coded)
        frame = pd.DataFrame({"raw": raw, "code": code}).drop_duplicates("raw")
        return ibis.memtable(frame, schema={"raw": self.dtype, "code": "int64"})


def _sides_of(coded: Column) -> tuple[Codes, ...]:
    return (coded.original, *coded.synthetic)


def _known(raws: tuple[pd.Series[Any], ...], coded: Column) -> tuple[Any, npt.NDArray[np.int64]]:
    """Return every side's distinct values and their codes."""
    code = np.concatenate([codes[: len(raw)] for codes, raw in zip(_sides_of(coded), raws, strict=True)])
    return pd.concat(raws, ignore_index=True).array, code.astype(np.int64)


def _checked(original: ir.Table, synthetic: Sequence[ir.Table]) -> tuple[ir.Table, ...]:
    if isinstance(synthetic, ibis.expr.types.Table):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(synthetic):
        raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
    tables = (original, *synthetic)
    for i, table in enumerate(tables):
        if not isinstance(table, ibis.expr.types.Table):
            raise DisclosureError(f"{_side(i, len(synthetic))} is not an Ibis table; get it from a connection.")
    if len({id(table.get_backend()) for table in tables}) > 1:
        raise DisclosureError("The tables are of different connections; bring all from one.")
    return tables


def _common_type(name: str, types: Sequence[dt.DataType]) -> dt.DataType:
    """Return the type in which the values of all sides are compared."""
    if all(t.is_integer() for t in types):
        return ibis.dtype("float64" if any(t.is_uint64() for t in types) else "int64")
    if all(t.is_numeric() and not t.is_boolean() for t in types):
        return ibis.dtype("float64")
    if all(t.is_boolean() for t in types):
        return ibis.dtype("boolean")
    if all(t.is_date() for t in types):
        return ibis.dtype("date")
    if all(t.is_date() or t.is_timestamp() for t in types):
        return ibis.dtype("timestamp(6)")
    # Integers and days have one text in every engine; other numbers and times have not.
    if len(set(types)) > 1 and any(
        t.is_floating() or t.is_decimal() or (t.is_temporal() and not t.is_date()) for t in types
    ):
        raise DisclosureError(f"{name!r} is of different types in the tables; cast it to one type in the engine.")
    return ibis.dtype("string")


def _cleaned(column: ir.Value, dtype: dt.DataType) -> ir.Value:
    return column if column.type() == dtype else column.cast(dtype)


def _nullable(raw: pd.Series[Any], dtype: dt.DataType) -> pd.Series[Any]:
    """Return distinct values as pandas types that tell a whole number from a float."""
    if dtype.is_integer():
        return raw.astype("Int64").reset_index(drop=True)
    return (raw.astype("boolean") if dtype.is_boolean() else raw).reset_index(drop=True)


def _with_missing(raw: pd.Series[Any], n_missing: int) -> pd.Series[Any]:
    return raw if not n_missing else pd.concat([raw, pd.Series([None], dtype=raw.dtype)], ignore_index=True)


def _is_number(value: float | str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _sums(at: npt.NDArray[Any], n: Counts, size: int) -> Counts:
    return np.bincount(at, weights=n, minlength=size).astype(np.int64)


class _TargetCells:
    """The cells of one target in the engine: columns q0 … (packed key codes), t, d, s1 … sm, a row a cell.

    They are kept there, so that a change of the exclusions reads them again and never the records.
    """

    def __init__(self, study: TableStudy, keys: list[TableColumn], target: TableColumn | None) -> None:
        self.study, self.keys, self.target = study, keys, target
        self.places = _packed([key.n_codes for key in keys])
        self.q = sorted({place[0] for place in self.places})
        self.what = "the keys" if target is None else f"{target.name!r}"
        self.cells = study.ask(self.what, lambda: _kept(self._counted()))
        self._known: dict[object, pd.DataFrame] = {}

    def _counted(self) -> ir.Table:
        columns = [*self.keys, *([] if self.target is None else [self.target])]
        names = [f"c{j}" for j in range(len(columns))]
        sides = []
        for i, table in self.study.sides:
            records = table.select(**{n: c.read_from(table) for n, c in zip(names, columns, strict=True)})
            counted = records.group_by(names).agg(n=records.count())
            one = {name: counted.n if i == j else ibis.literal(0, "int64") for j, name in enumerate(self.counts)}
            sides.append(counted.mutate(**one).drop("n"))
        table = ibis.union(*sides)
        for name, column in zip(names, columns, strict=True):
            table = column.coded_in(table, name)
        packed: dict[str, Any] = {}
        for (q, stride, _), name in zip(self.places, names, strict=False):
            packed[q] = table[name] * stride + packed.get(q, 0)
        target = {} if self.target is None else {"t": table[names[-1]]}
        table = table.select(**packed, **target, **{name: table[name] for name in self.counts})
        return table.group_by([*packed, *target]).agg(**{name: table[name].sum() for name in self.counts})

    @cached_property
    def counts(self) -> list[str]:
        """The columns of counts: d, then an s a synthesis."""
        return ["d", *(f"s{i}" for i in range(1, self.study.n_syntheses + 1))]

    def level(self, table: ir.Table, key: int) -> ir.Value:
        """Return the code of key number `key`."""
        q, stride, radix = self.places[key]
        return (table[q] // stride) % radix

    def keys_profile(self, first: int) -> pd.DataFrame:
        """Return the combinations of the `first` keys merged: i, d_q, s_q, a bit for each missing key, and n."""
        by = {f"k{j}": self.level(self.cells, j) for j in range(first)}
        table = self.cells.select(**by, **{name: self.cells[name] for name in self.counts})
        table = table.group_by(list(by)).agg(**{name: table[name].sum() for name in self.counts})
        missing = ibis.literal(0, "int64")
        for j, key in enumerate(self.keys[:first]):
            if key.counts[:, -1].any():
                missing = missing + (table[f"k{j}"] == key.n_levels).ifelse(1 << j, 0)
        table = table.mutate(missing=missing)
        sides = [
            table.select("d", "missing", s=table[name], i=ibis.literal(i)) for i, name in enumerate(self.counts[1:])
        ]
        seen = ibis.union(*sides)
        seen = seen.filter((seen.d > 0) | (seen.s > 0))
        merged = seen.group_by(["i", "d", "s", "missing"]).agg(n=seen.count())
        return self.study.fetch("the key combinations", merged)

    def merged(self, out: Exclusions) -> pd.DataFrame:
        """Return identical cells merged, of all syntheses, a row a kind of cell.

        Returns
        -------
        DataFrame
            Columns i, the synthesis from 0; t; d, s; kind, 0 or the kind from 1 to 4 that takes the cell; d_q, s_q and
            one, D(q); left_d and left_s, the records of the key combination that the exclusions leave; n, the identical
            cells; n_q, how many of them are the first of their key combination.
        """
        return self._once(out, lambda: self._merged(out))

    def _once(self, asked: object, ask: Callable[[], pd.DataFrame]) -> pd.DataFrame:
        """Return what `ask()` returns, which serves all syntheses, and keep the last few."""
        if asked not in self._known:
            self._known = dict([*self._known.items(), (asked, ask())][-_KEPT:])
        return self._known[asked]

    def _merged(self, out: Exclusions) -> pd.DataFrame:
        cells = self._with_keys(out)
        by = ["i", "t", "d", "s", "kind", "d_q", "s_q", "one", "left_d", "left_s"]
        merged = cells.group_by(by).agg(n=cells.count(), n_q=(cells.t == cells.first).ifelse(1, 0).sum())
        return self.study.fetch(f"the cells of {self.what}", merged)

    def _with_keys(self, out: Exclusions) -> ir.Table:
        """Return the cells of every synthesis with what is true of their key combination."""
        sides = [
            self.cells.select(*self.q, "t", "d", s=self.cells[name], i=ibis.literal(i))
            for i, name in enumerate(self.counts[1:])
        ]
        cells = ibis.union(*sides)
        cells = cells.filter((cells.d > 0) | (cells.s > 0))
        cells = cells.mutate(kind=self._kind(cells, out))
        left = {name: self._left(cells, name, out) for name in ("d", "s")}
        by_q = cells.group_by(["i", *self.q]).agg(
            d_q=cells.d.sum(),
            s_q=cells.s.sum(),
            most=cells.s.max(),
            left_d=left["d"].sum(),
            left_s=left["s"].sum(),
            first=cells.t.min(),
        )
        by_q = by_q.mutate(one=((by_q.most == by_q.s_q) & (by_q.s_q > 0)).ifelse(1, 0)).drop("most")
        return cells.join(by_q, ["i", *self.q])

    def _left(self, cells: ir.Table, name: str, out: Exclusions) -> ir.Value:
        """Return the counts that the exclusions leave."""
        keep = cells.kind == 0
        if out.denominator_limit is not None:
            keep &= cells[name] <= out.denominator_limit
        return keep.ifelse(cells[name], 0)

    def _kind(self, cells: ir.Table, out: Exclusions) -> ir.Value:
        """Return the kind from 1 to 4 that takes a cell, 0 where none does: the first that applies."""
        assert self.target is not None
        by_name = {key.name: j for j, key in enumerate(self.keys)}
        target, rules = self.target, []
        levels = [target.code_of(level, "Target level") for level in out.levels_of(target.name)]
        if levels:
            rules.append((cells.t.isin(levels), int(Exclusion.TARGET_LEVEL)))
        if out.missing_targets:
            rules.append((cells.t == target.n_levels, int(Exclusion.MISSING_TARGET)))
        for name in sorted(out.missing_keys & by_name.keys()):
            j = by_name[name]
            rules.append((self.level(cells, j) == self.keys[j].n_levels, int(Exclusion.MISSING_KEY)))
        for pair in out.pairs_of(target.name):
            if pair.key not in by_name:
                raise DisclosureError(f"The excluded pair names {pair.key!r}, which is not a key; take the pair away.")
            j = by_name[pair.key]
            same_key = self.level(cells, j) == self.keys[j].code_of(pair.key_level, "Key level")
            same_target = cells.t == target.code_of(pair.target_level, "Target level")
            rules.append((same_key & same_target, int(Exclusion.PAIR)))
        return (ibis.cases(*rules, else_=0) if rules else ibis.literal(0)).cast("int64")

    def pairs(self, out: Exclusions, fewest: float) -> pd.DataFrame:
        """Return the pairs of key levels with target levels among DiSCO cells over `fewest` records.

        Returns
        -------
        DataFrame
            Columns i, the synthesis from 0; key, its number; level, t; npairs, n_both, n_level as in `Pairs`.
        """
        return self._once((out, fewest), lambda: self._pairs(out, fewest))

    def _pairs(self, out: Exclusions, fewest: float) -> pd.DataFrame:
        cells = self._with_keys(out)
        counted = self._left(cells, "d", out)
        found = cells.filter((cells.s > 0) & (cells.s == cells.s_q) & (counted > fewest)).mutate(npairs=counted)
        some, full = [], []
        for j in range(len(self.keys)):
            by_level = found.select("i", "t", "npairs", key=ibis.literal(j), level=self.level(found, j))
            some.append(by_level.group_by(["i", "key", "level", "t"]).agg(npairs=by_level.npairs.sum()))
            all_of = self.cells.select("t", "d", key=ibis.literal(j), level=self.level(self.cells, j))
            full.append(all_of.group_by(["key", "level", "t"]).agg(n_both=all_of.d.sum()))
        both = ibis.union(*full)
        in_level = both.group_by(["key", "level"]).agg(n_level=both.n_both.sum())
        pairs = ibis.union(*some).join(both, ["key", "level", "t"]).join(in_level, ["key", "level"])
        return self.study.fetch(f"the pairs of {self.what}", pairs)


def _kept(expression: ir.Table) -> ir.Table:
    """Return `expression` computed once and kept in the engine."""
    expression.limit(0).to_pyarrow()  # Spark's `cache` needs the tables of codes to be there already
    return expression.cache()


def _packed(radices: list[int]) -> list[tuple[str, int, int]]:
    """Return, for each key, the column its codes are packed into, its stride there, and its radix."""
    places, column, stride = [], 0, 1
    for radix in radices:
        if stride * radix > _MOST:
            column, stride = column + 1, 1
        places.append((f"q{column}", stride, radix))
        stride *= radix
    return places


@dataclass(frozen=True, eq=False)
class MergedKeys(KeyTable):
    """Key combinations of which only the merged profile is here: how many there are with the same counts."""

    sizes: tuple[int, ...]
    merged: pd.DataFrame

    @property
    def n_original(self) -> int:
        """N_d, original records."""
        return self.sizes[0]

    @property
    def n_synthetic(self) -> tuple[int, ...]:
        """N_s, records of each synthesis."""
        return self.sizes[1:]

    def profile(self, i: int, missing_keys: frozenset[str] = frozenset()) -> Profile:
        """Return the records of each kind of key combination, without `missing_keys`."""
        rows = self.merged[self.merged["i"] == i]
        out = sum(1 << j for j, key in enumerate(self.keys) if key.name in missing_keys)
        keep = (_counts(rows, "missing") & out) == 0
        d_q, s_q = _counts(rows, "d"), _counts(rows, "s")
        return Profile(d_q * keep, s_q * keep, s_q > 0, _counts(rows, "n"))


@dataclass(frozen=True, eq=False)
class MergedCells(Cells):
    """Cells of one synthesis, identical ones merged; `q` tells kinds of key combinations apart."""

    source: _TargetCells = field(kw_only=True)
    i: int = field(kw_only=True)
    out: Exclusions = field(kw_only=True)
    kind: npt.NDArray[np.int8] = field(kw_only=True)
    left_d: Counts = field(kw_only=True)
    left_s: Counts = field(kw_only=True)

    @cached_property
    def full(self) -> Counted:
        """The cells with nothing left out."""
        return self.counted(Exclusions())

    def counted(self, exclusions: Exclusions) -> Counted:
        """Return the cells with what `exclusions` leave of them; the engine reads its cells again.

        Raises
        ------
        DisclosureError
            When a level, or the key of a pair, is not in the data, or the engine cannot answer.
        """
        out = exclusions.of(self.column.name)
        cells = self if out == self.out else _merged_cells(self.source, self.i, out, self.keys)
        return MergedCounted(cells, cells.kind if cells.kind.any() else None, out.denominator_limit)


@dataclass(frozen=True, eq=False)
class MergedCounted(Counted):
    """Merged cells and what the exclusions leave of them, as the engine says it."""

    cells: MergedCells

    @cached_property
    def d_q(self) -> Counts:
        """Shape (n_q,): original records counted of each kind of key combination, d'[q]."""
        return self.cells.left_d

    @cached_property
    def s_q(self) -> Counts:
        """Shape (n_q,): synthetic records counted of each kind of key combination, s'[q]."""
        return self.cells.left_s

    def pairs(self, fewest: float) -> tuple[Pairs, ...]:
        """Return, for each key, the pairs of its levels with target levels among DiSCO cells over `fewest` records."""
        cells = self.cells
        if not (cells.disclosive_synthetic & (self.d > fewest)).any():
            return (NO_PAIRS,) * len(cells.keys.keys)
        found = cells.source.pairs(cells.out, fewest)
        found = found[found["i"] == cells.i]
        columns = ("level", "t", "npairs", "n_both", "n_level")
        by_key = (found[found["key"] == j] for j in range(len(cells.keys.keys)))
        return tuple(Pairs(*(_counts(rows, name) for name in columns)) for rows in by_key)


def _merged_cells(source: _TargetCells, i: int, out: Exclusions, keys: KeyTable) -> MergedCells:
    rows = source.merged(out)
    rows = rows[rows["i"] == i]
    kinds = rows.groupby(["d_q", "s_q", "one", "left_d", "left_s"], sort=False)
    q: Any = kinds.ngroup().to_numpy(dtype=np.intp)
    of_q = kinds["n_q"].sum().reset_index()
    assert source.target is not None
    return MergedCells(
        keys.n_original,
        keys.n_synthetic[i],
        source.target,
        keys,
        q,
        _counts(rows, "t"),
        _counts(rows, "d"),
        _counts(rows, "s"),
        _counts(of_q, "d_q"),
        _counts(of_q, "s_q"),
        _counts(rows, "n"),
        _counts(of_q, "n_q"),
        source=source,
        i=i,
        out=out,
        kind=_counts(rows, "kind").astype(np.int8),
        left_d=_counts(of_q, "left_d"),
        left_s=_counts(of_q, "left_s"),
    )


def _counts(rows: pd.DataFrame, name: str) -> Counts:
    return rows[name].to_numpy(dtype=np.int64)


def _merged_keys(source: _TargetCells, first: int) -> MergedKeys:
    nothing = np.zeros(0, dtype=np.int64)
    sizes = (source.study.n_original, *source.study.n_synthetic)
    merged = source.keys_profile(first)
    return MergedKeys(tuple(source.keys[:first]), (), nothing, (), nothing, (), sizes, merged)


def _table_columns(columns: Iterable[Column]) -> list[TableColumn]:
    return [column for column in columns if isinstance(column, TableColumn)]


@count.register(TableStudy)
def _(study: TableStudy, settings: Settings) -> Tables:
    """Let the engine count the cells of every target, and fetch them merged."""
    names, targets = chosen(study, settings)
    found = {name: study.grouped(name, settings.group(name)) for name in (*names, *targets)}
    columns = dict(zip(found, _table_columns(column for column, _ in found.values()), strict=True))
    sources = {name: _TargetCells(study, [columns[k] for k in names], columns[name]) for name in targets}
    keys = _merged_keys(sources[targets[0]], len(names))
    nothing = Exclusions()
    cells = {
        name: tuple(_merged_cells(source, i, nothing, keys) for i in range(study.n_syntheses))
        for name, source in sources.items()
    }
    return Tables(
        study, settings.counting(), keys, dict(cells), tuple(note for _, said in found.values() for note in said)
    )


@growing_keys.register(TableStudy)
def _(study: TableStudy, settings: Settings) -> Iterator[KeyTable]:
    """Let the engine count the combinations of all keys once, and of fewer from those."""
    source = _TargetCells(study, _table_columns(column for column, _ in key_columns(study, settings)), None)
    for first in range(1, len(source.keys) + 1):
        yield _merged_keys(source, first)
