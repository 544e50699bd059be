"""The cells of one target as expressions of the engine, and what is fetched of them."""

from __future__ import annotations

from functools import cached_property, reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import ibis

from disclosure_core.counting.exclusions import beyond, rules

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from ibis.expr import types as ir

    from disclosure_core.counting.exclusions import Rule
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.engines.line import Bring
    from disclosure_core.engines.table_column import TableColumn
    from disclosure_core.engines.table_study import TableStudy

_MOST = 2**52
"""Codes of several keys are packed into one integer below this: engines divide integers as floats."""

_KEPT = 6
"""Answers that a target keeps, so that all syntheses share one, and going back asks nothing."""


class TargetCells:
    """The cells of one target in the engine: columns q0 … (packed key codes), t, d, s1 … sm, a row a cell.

    They are kept there, so that a change of the exclusions reads them again and never the records.
    """

    def __init__(self, study: TableStudy, keys: list[TableColumn], target: TableColumn | None) -> None:
        self.study, self.keys, self.target = study, keys, target
        self.places = _packed([key.n_codes for key in keys])
        self.q = sorted({place[0] for place in self.places})
        self.what = "the keys" if target is None else f"{target.name!r}"
        self.cells = study.ask(self.what, self._kept)
        self._known: dict[object, pd.DataFrame] = {}

    def _kept(self) -> ir.Table:
        with self.study.line.bringing() as bring:
            return self.study.line.keep(self._counted(bring), self)

    def _counted(self, bring: Bring) -> ir.Table:
        columns = [*self.keys, *([] if self.target is None else [self.target])]
        names = [f"c{j}" for j in range(len(columns))]
        sides = []
        for i, table in self.study.sides:
            records = table.select(**{n: c.read_from(table, i) for n, c in zip(names, columns, strict=True)})
            counted = records.group_by(names).agg(n=records.count())
            for column, name in zip(columns, names, strict=True):
                counted = counted if column.is_alike else column.coded_in(counted, name, bring, i)
            counts_of_side = {
                name: counted.n if i == j else ibis.literal(0, "int64") for j, name in enumerate(self.counts)
            }
            sides.append(counted.mutate(**counts_of_side).drop("n"))
        table = ibis.union(*sides)
        for name, column in zip(names, columns, strict=True):
            table = column.coded_in(table, name, bring) if column.is_alike else table
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

    def every(self) -> pd.DataFrame:
        """Return every cell: its packed keys, t, d and s1 … sm, by rising keys and t."""
        found = self.study.fetch(f"the cells of {self.what}", self.cells)
        return found.sort_values([*self.q, "t"], ignore_index=True)

    def keys_profile(self, n_keys: int) -> pd.DataFrame:
        """Return the combinations of the `first` keys merged: i, d_q, s_q, a bit for each missing key, and n."""
        levels = {f"k{j}": self.level(self.cells, j) for j in range(n_keys)}
        table = self.cells.select(**levels, **{name: self.cells[name] for name in self.counts})
        table = table.group_by(list(levels)).agg(**{name: table[name].sum() for name in self.counts})
        missing = ibis.literal(0, "int64")
        for j, key in enumerate(self.keys[:n_keys]):
            if key.counts[:, -1].any():
                missing = missing + (table[f"k{j}"] == key.n_levels).ifelse(1 << j, 0)
        table = table.mutate(missing=missing)
        sides = [
            table.select("d", "missing", s=table[name], i=ibis.literal(i)) for i, name in enumerate(self.counts[1:])
        ]
        combinations = ibis.union(*sides)
        combinations = combinations.filter((combinations.d > 0) | (combinations.s > 0))
        merged = combinations.group_by(["i", "d", "s", "missing"]).agg(n=combinations.count())
        return self.study.fetch("the key combinations", merged)

    def levels_in_classes(self) -> pd.DataFrame:
        """Return key combinations by the target levels they hold: file, 0 the original; levels, classes, records."""
        return self.once("levels in classes", self._levels_in_classes)

    def _levels_in_classes(self) -> pd.DataFrame:
        files = [
            self.cells.select(*self.q, n=self.cells[name], file=ibis.literal(i)) for i, name in enumerate(self.counts)
        ]
        cells = ibis.union(*files)
        cells = cells.filter(cells.n > 0)
        classes = cells.group_by(["file", *self.q]).agg(levels=cells.count(), records=cells.n.sum())
        by_levels = classes.group_by(["file", "levels"]).agg(classes=classes.count(), records=classes.records.sum())
        return self.study.fetch(f"the levels of {self.what} in the key combinations", by_levels)

    def merged(self, exclusions: Exclusions) -> pd.DataFrame:
        """Return identical cells merged, of all syntheses, a row a kind of cell.

        Returns
        -------
        DataFrame
            Columns i, the synthesis from 0; t; d, s; kind, 0 or the kind from 1 to 4 that takes the cell; d_q, s_q;
            said, the level claimed for these keys, −1 for none; left_d and left_s, the records of the key combination
            that the exclusions leave; n, the identical cells; n_q, how many of them are the first of their key
            combination.
        """
        return self.once(exclusions, lambda: self._merged(exclusions))

    def once(self, question: object, query: Callable[[], pd.DataFrame]) -> pd.DataFrame:
        """Return what `ask()` returns, which serves all syntheses, and keep the last few."""
        if question not in self._known:
            self._known = dict([*self._known.items(), (question, query())][-_KEPT:])
        return self._known[question]

    def _merged(self, exclusions: Exclusions) -> pd.DataFrame:
        cells = self.with_keys(exclusions)
        columns = ["i", "t", "d", "s", "kind", "d_q", "s_q", "said", "left_d", "left_s"]
        merged = cells.group_by(columns).agg(n=cells.count(), n_q=(cells.t == cells.first).ifelse(1, 0).sum())
        return self.study.fetch(f"the cells of {self.what}", merged)

    def with_keys(self, exclusions: Exclusions) -> ir.Table:
        """Return the cells of every synthesis with what is true of their key combination."""
        sides = [
            self.cells.select(*self.q, "t", "d", s=self.cells[name], i=ibis.literal(i))
            for i, name in enumerate(self.counts[1:])
        ]
        cells = ibis.union(*sides)
        cells = cells.filter((cells.d > 0) | (cells.s > 0))
        cells = cells.mutate(kind=self._kind(cells, exclusions))
        counted = {name: self._counted_records(cells, name, exclusions) for name in ("d", "s")}
        by_q = cells.group_by(["i", *self.q]).agg(
            d_q=cells.d.sum(),
            s_q=cells.s.sum(),
            most=cells.s.max(),
            level=(cells.s > 0).ifelse(cells.t, -1).max(),
            left_d=counted["d"].sum(),
            left_s=counted["s"].sum(),
            first=cells.t.min(),
        )
        by_q = by_q.mutate(said=((by_q.most == by_q.s_q) & (by_q.s_q > 0)).ifelse(by_q.level, -1)).drop("most", "level")
        return cells.join(by_q, ["i", *self.q])

    def _counted_records(self, cells: ir.Table, name: str, exclusions: Exclusions) -> ir.Value:
        """Return the counts that the exclusions leave."""
        counted = cells.kind == 0
        if exclusions.denominator_limit is not None:
            counted &= ~beyond(cells[name], exclusions.denominator_limit)
        return counted.ifelse(cells[name], 0)

    def _kind(self, cells: ir.Table, exclusions: Exclusions) -> ir.Value:
        """Return the kind from 1 to 4 that takes a cell, 0 where none does: the first that applies."""
        assert self.target is not None
        cases = [(self._excluded(cells, rule), int(rule.kind)) for rule in rules(exclusions, self.target, self.keys)]
        return (ibis.cases(*cases, else_=0) if cases else ibis.literal(0)).cast("int64")

    def _excluded(self, cells: ir.Table, rule: Rule) -> ir.Value:
        """Return the cells that one rule takes."""
        parts = [cells.t.isin(rule.targets)] if rule.targets else []
        if rule.key is not None:
            parts.append(self.level(cells, rule.key) == rule.key_level)
        return reduce(and_, parts)

    def pairs(self, exclusions: Exclusions, fewest: float) -> pd.DataFrame:
        """Return the pairs of key levels with target levels among DiSCO cells over `fewest` records.

        Returns
        -------
        DataFrame
            Columns i, the synthesis from 0; key, its number; level, t; npairs, n_both, n_level as in `Pairs`.
        """
        return self.once((exclusions, fewest), lambda: self._pairs(exclusions, fewest))

    def _pairs(self, exclusions: Exclusions, fewest: float) -> pd.DataFrame:
        cells = self.with_keys(exclusions)
        counted = self._counted_records(cells, "d", exclusions)
        disclosive = cells.filter((cells.s > 0) & (cells.s == cells.s_q) & (counted > fewest)).mutate(npairs=counted)
        pair_tables, level_tables = [], []
        for j in range(len(self.keys)):
            by_level = disclosive.select("i", "t", "npairs", key=ibis.literal(j), level=self.level(disclosive, j))
            pair_tables.append(by_level.group_by(["i", "key", "level", "t"]).agg(npairs=by_level.npairs.sum()))
            records = self.cells.select("t", "d", key=ibis.literal(j), level=self.level(self.cells, j))
            level_tables.append(records.group_by(["key", "level", "t"]).agg(n_both=records.d.sum()))
        by_level_and_target = ibis.union(*level_tables)
        in_level = by_level_and_target.group_by(["key", "level"]).agg(n_level=by_level_and_target.n_both.sum())
        pairs = (
            ibis.union(*pair_tables).join(by_level_and_target, ["key", "level", "t"]).join(in_level, ["key", "level"])
        )
        return self.study.fetch(f"the pairs of {self.what}", pairs)


def _packed(radices: list[int]) -> list[tuple[str, int, int]]:
    """Return, for each key, the column its codes are packed into, its stride there, and its radix."""
    places, column, stride = [], 0, 1
    for radix in radices:
        if stride * radix > _MOST:
            column, stride = column + 1, 1
        places.append((f"q{column}", stride, radix))
        stride *= radix
    return places
