"""The records behind the figures: those that DiSCO counts, replicated uniques, and what a look-up answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.errors import not_found
from disclosure_core.measures import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.cells import Cells, Counted, KeyTable, Mask, Tables
    from disclosure_core.study import Codes, Column, Study

Rows = npt.NDArray[np.intp]

RECORD = "record"
"""The column of a list that numbers the records of a file, from 1."""

EVIDENCE = ("same answer, original", "same answer, synthetic", "also disclosive in the original")
"""What a list of records at risk says of each, beside its keys and the answer."""


@dataclass(frozen=True, eq=False)
class AtRisk:
    """The original records that DiSCO counts, for one target and one synthesis; a view, made without a table.

    Attributes
    ----------
    counted
        The cells and what is left of them.
    record
        Shape (n,): the original's records, counted from 0, in the order of the list.
    cell
        Shape (n,): the cell of each.
    """

    counted: Counted
    record: Rows
    cell: Rows

    def __len__(self) -> int:
        return int(self.record.size)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `frame`, all of which `ordered` takes: record, the keys, the target, and `EVIDENCE`."""
        cells = self.counted.cells
        return _apart([RECORD, *(key.name for key in cells.keys.keys), cells.column.name, *EVIDENCE])

    def where(self, levels: Mapping[str, str]) -> AtRisk:
        """Return the records that have these levels, by the name of a key or of the target.

        Raises
        ------
        DisclosureError
            When a column is neither a key nor the target, or has no such level.
        """
        keep = np.ones(len(self), dtype=bool)
        for name, level in levels.items():
            column, codes = self._coded(name)
            keep &= codes == column.code_of(level)
        return replace(self, record=self.record[keep], cell=self.cell[keep])

    def ordered(self, by: str, *, descending: bool = False) -> AtRisk:
        """Return the records in the order of one of `columns`; a key or target in the order of its levels.

        Raises
        ------
        DisclosureError
            When there is no such column.
        """
        if by not in self.columns:
            raise not_found("Column", by, "of this list", self.columns)
        at = self.columns.index(by)
        values = self.values(at)
        order = np.argsort(-values.astype(np.int64) if descending else values, kind="stable")
        return replace(self, record=self.record[order], cell=self.cell[order])

    def frame(self, first: int = 0, most: int | None = None) -> pd.DataFrame:
        """Return `most` rows from row `first`, a row a record, columns as `columns`.

        Returns
        -------
        DataFrame
            The record's number, counted from 1 as in the file; its keys; the target's level that the synthetic data
            give, which is the true one; original and synthetic records with these keys and this answer, in the full
            tables; whether the keys give it away in the original as well.
        """
        end = None if most is None else first + most
        part = replace(self, record=self.record[first:end], cell=self.cell[first:end])
        cells = self.counted.cells
        columns = (*cells.keys.keys, cells.column)
        values: list[object] = [part.record + 1]
        values += [_labelled(column, part.values(i)) for i, column in enumerate(columns, 1)]
        values += [part.values(i) for i in range(len(columns) + 1, len(self.columns))]
        return pd.DataFrame(dict(zip(self.columns, values, strict=True)))

    def values(self, at: int) -> npt.NDArray[np.generic]:
        """Return one of `columns`, by its place: codes of keys and target, numbers of the rest."""
        cells = self.counted.cells
        n_keys = len(cells.keys.keys)
        if at == 0:
            return self.record
        if at <= n_keys:
            return cells.keys.levels[at - 1][cells.q[self.cell]]
        return (cells.target, cells.d, cells.s, cells.disclosive_original)[at - n_keys - 1][self.cell]

    def _coded(self, name: str) -> tuple[Column, Codes]:
        cells = self.counted.cells
        columns = (*cells.keys.keys, cells.column)
        names = [column.name for column in columns]
        if name not in names:
            raise not_found("Column", name, "a key or the target", names)
        at = names.index(name)
        return columns[at], self.values(at + 1)  # type: ignore[return-value]


def at_risk(counted: Counted) -> AtRisk:
    """Return the original records that DiSCO counts, in the order of the file.

    Source
    ------
    measures.md 4 and 6: d' of the cells in which the synthetic data give one answer, and it is right.
    """
    cells, keys = counted.cells, counted.cells.keys
    keys.need_records()
    found = np.flatnonzero(cells.disclosive_synthetic & (counted.d > 0))
    answer = np.full(keys.d_q.size, -1, dtype=np.intp)  # at most one cell of a key combination gives an answer
    answer[cells.q[found]] = found
    cell = answer[keys.original]
    right = (cell >= 0) & (cells.target[cell] == cells.column.original)
    return AtRisk(counted, np.flatnonzero(right), cell[right])


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a synthesis says of a target to somebody who knows some of a person's keys.

    Attributes
    ----------
    n_original, n_synthetic
        Records of each file with these keys.
    levels
        A row a target level that either file gives for them: level, original, synthetic (records), most synthetic
        records first.
    """

    n_original: int
    n_synthetic: int
    levels: pd.DataFrame

    @property
    def answer(self) -> str | None:
        """The one level that the synthetic data give; None where they give none or several."""
        given = self.levels.loc[self.levels["synthetic"] > 0, "level"]
        return str(given.iloc[0]) if len(given) == 1 else None

    @property
    def n_right(self) -> int:
        """Original records of which the answer is true."""
        return int(self.levels.loc[self.levels["level"] == self.answer, "original"].sum())


def look_up(cells: Cells, known: Mapping[str, str]) -> Answer:
    """Return what the synthetic data say of the target for these levels of keys; keys not named may have any level.

    Counted over all records: exclusions judge claims, they do not hide them from an intruder.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level.
    """
    here = _with_levels(cells.keys, known)[cells.q]
    n = cells.column.n_codes
    counts = [
        np.bincount(cells.target[here], weights=side[here], minlength=n).astype(np.int64) for side in (cells.d, cells.s)
    ]
    held = np.flatnonzero(counts[0] + counts[1])
    levels = pd.DataFrame(
        {
            "level": pd.Series([cells.column.label(code) for code in held.tolist()], dtype="str"),
            "original": counts[0][held],
            "synthetic": counts[1][held],
        }
    ).sort_values(["synthetic", "original"], ascending=False, kind="stable", ignore_index=True)
    return Answer(int(counts[0].sum()), int(counts[1].sum()), levels)


def matching(keys: KeyTable, i: int, known: Mapping[str, str]) -> Rows:
    """Return the records of synthesis `i`, both counted from 0, that have these levels of keys.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level.
    """
    return np.flatnonzero(_with_levels(keys, known)[keys.synthetic[i]])


def shown(study: Study, i: int | None, rows: Rows) -> pd.DataFrame:
    """Return records of synthesis `i`, counted from 0, or of the original (None): their number from 1, every column."""
    side = [c.original if i is None else c.synthetic[i] for c in study.columns.values()]
    values = [rows + 1, *(_labelled(c, s[rows]) for c, s in zip(study.columns.values(), side, strict=True))]
    return pd.DataFrame(dict(zip(_apart([RECORD, *study.columns]), values, strict=True)))


@dataclass(frozen=True, eq=False)
class Replicated:
    """The replicated uniques of one synthesis: people alone with their keys, met by exactly one synthetic record.

    Attributes
    ----------
    tables
        What was counted.
    synthesis
        Its number, counted from 0.
    original, synthetic
        Shape (n,): the record in each file, counted from 0, a pair a replicated unique, in the original's order.
    """

    tables: Tables
    synthesis: int
    original: Rows
    synthetic: Rows

    def __len__(self) -> int:
        return int(self.original.size)

    def frame(self, target: str | None = None) -> pd.DataFrame:
        """Return a row a replicated unique: its number in both files, from 1, and its keys.

        With a target: also what the synthetic record says of it, and whether that is right.

        Raises
        ------
        DisclosureError
            When the target was not counted.
        """
        keys = self.tables.keys
        q = keys.original[self.original]
        pairs: list[tuple[str, object]] = [(RECORD, self.original + 1), ("synthetic record", self.synthetic + 1)]
        pairs += [(key.name, _labelled(key, levels[q])) for key, levels in zip(keys.keys, keys.levels, strict=True)]
        if target is not None:
            column = self._target(target)
            said = column.synthetic[self.synthesis][self.synthetic]
            pairs += [(target, _labelled(column, said)), ("right", self.right(target))]
        return pd.DataFrame(dict(zip(_apart([name for name, _ in pairs]), (v for _, v in pairs), strict=True)))

    def right(self, target: str) -> Mask:
        """Return, shape (n,), where the synthetic record also has the person's level of `target`, missing included.

        Raises
        ------
        DisclosureError
            When the target was not counted.
        """
        column = self._target(target)
        return column.original[self.original] == column.synthetic[self.synthesis][self.synthetic]

    def by_target(self) -> pd.DataFrame:
        """Return a row a target: target; right, the replicated uniques that give it away; pct, % of all of them.

        The most telling target stands first.
        """
        rows = [(name, int(self.right(name).sum())) for name in self.tables.targets]
        frame = pd.DataFrame(rows, columns=["target", "right"])
        frame["pct"] = [percent(n, len(self)) for n in frame["right"].tolist()]
        return frame.sort_values("right", ascending=False, kind="stable", ignore_index=True)

    def _target(self, name: str) -> Column:
        if name not in self.tables.targets:
            raise not_found("Target", name, "among those assessed", self.tables.targets)
        return self.tables.targets[name][self.synthesis].column


def replicated_uniques(tables: Tables, i: int, missing_keys: frozenset[str] = frozenset()) -> Replicated:
    """Return the replicated uniques of synthesis `i`, counted from 0: as many as repU counts.

    Parameters
    ----------
    tables
        What was counted.
    i
        The synthesis.
    missing_keys
        Keys whose missing values are left out, as in the headline identity figures.

    Source
    ------
    measures.md 3; the screening of paper 003: a unique of the real sample that meets a unique of the synthetic one.
    """
    keys = tables.keys
    keys.need_records()
    pairs = (keys.d_q == 1) & (keys.s_q[i] == 1)
    if missing_keys:
        pairs &= ~keys.missing(missing_keys)
    original = np.flatnonzero(pairs[keys.original])
    partner = np.empty(keys.d_q.size, dtype=np.intp)
    partner[keys.synthetic[i]] = np.arange(keys.synthetic[i].size)
    return Replicated(tables, i, original, partner[keys.original[original]])


def _with_levels(keys: KeyTable, known: Mapping[str, str]) -> Mask:
    """Return, shape (n_q,), the key combinations that have these levels."""
    keys.need_records()
    names = [key.name for key in keys.keys]
    here = np.ones(keys.d_q.shape, dtype=bool)
    for name, level in known.items():
        if name not in names:
            raise not_found("Key", name, "among the keys", names)
        at = names.index(name)
        here &= keys.levels[at] == keys.keys[at].code_of(level, "Key level")
    return here


def _labelled(column: Column, codes: npt.NDArray[np.generic]) -> pd.Categorical:
    """Return codes as the texts a person sees, without writing one text a record."""
    return pd.Categorical.from_codes(codes.astype(np.int64), categories=pd.Index(column.labels, dtype="str"))


def _apart(names: list[str]) -> tuple[str, ...]:
    """Return the names of a list's columns, each once: a column of the data may be called "record"."""
    made: list[str] = []
    for name in names:
        while name in made:
            name = f"{name} (data)"
        made.append(name)
    return tuple(made)
