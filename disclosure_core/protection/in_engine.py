"""Safeguards on data in an engine: columns are recoded by their levels here, records are removed and written there.

A step on a column changes what its distinct values are called, and asks the engine nothing. Records to be removed, or
to be blanked, are named by the combinations of their keys, and the engine leaves them out of what it reads. Safer
tables are written from its own rows: no record comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from disclosure_core.arrays import Ints
from disclosure_core.counting.count import chosen_keys, count_keys, key_columns
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.data.study import Kind
from disclosure_core.engines.column import ColumnsThere, EngineColumn, Values
from disclosure_core.engines.study import MOST_VALUES, EngineStudy
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.columns import own_levels, relevelled, renumbered
from disclosure_core.protection.detail import lost_of, retained_of
from disclosure_core.protection.released_codes import code_after
from disclosure_core.protection.safeguards import Chained, StepEffect, check_label, effect_on
from disclosure_core.protection.stepped import check_target, none_left, of_each, unique_combinations
from disclosure_core.protection.steps import (
    AddLabel,
    BlankClaims,
    Cap,
    OnColumn,
    Removal,
    RemoveClaims,
    RemoveReplicated,
    RoundTo,
)

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.protection.steps import Step


class MarkedRecords:
    """The records of each synthesis that have some combinations of keys, which a step judges by."""

    def __init__(self, study: EngineStudy, keys: KeyTable, chosen: Sequence[Ints]) -> None:
        levels = [[of_key[at] for of_key in keys.levels] for at in chosen]
        self.sizes = tuple(int(s_q[at].sum()) for s_q, at in zip(keys.s_q, chosen, strict=True))
        with study.unchanged():
            self.there = study.engine.marked(study.relations, cast("tuple[EngineColumn, ...]", keys.keys), levels)
        self._study = study

    def counted(self, column: EngineColumn) -> Ints:
        """Return, shape (m, n_codes), how many of these records have each code of a column, of each synthesis."""
        sides = {i: self.there.only(i) for i in range(1, len(self.sizes) + 1)}
        return np.stack(self._study.records_of_codes(column, sides, self.sizes))


class SaferStudy(EngineStudy):
    """What a step left of a study: other columns, or fewer records; made of the study when it is asked for.

    Parameters
    ----------
    before
        The study before the step.
    made
        Gives a column after the step, and, shape (n_codes before,), the code that each of its codes became.
    relations, n_synthetic
        Where records went, or were blanked: how they are read now, and how many there are of each synthesis.
    missing_codes
        As of `Study`.
    marked
        The records that went, or were blanked in the column `blanked`.
    """

    def __init__(
        self,
        before: EngineStudy,
        made: Callable[[str], tuple[EngineColumn, Ints]],
        *,
        relations: Sequence[Any] | None = None,
        n_synthetic: tuple[int, ...] | None = None,
        missing_codes: Mapping[str, tuple[float, ...]] | None = None,
        marked: MarkedRecords | None = None,
        blanked: str = "",
    ) -> None:
        self.marked, self.blanked = marked, blanked
        self.before = before
        self.engine = before.engine
        self.relations = before.relations if relations is None else tuple(relations)
        self.n_original = before.n_original
        self.n_synthetic = before.n_synthetic if n_synthetic is None else n_synthetic
        self.missing_codes = before.missing_codes if missing_codes is None else missing_codes
        self.notes = self._notes_on_files = before.notes
        self._made = made
        self._codes: dict[str, Ints] = {}
        self.columns = ColumnsThere(before.columns, self._one)

    def prepare(self, names: Iterable[str]) -> None:
        """Read these columns now."""
        names = list(names)
        self.before.prepare(names)
        for name in names:
            _ = self.columns[name]

    def _one(self, name: str) -> EngineColumn:
        column, self._codes[name] = self._made(name)
        return column

    def codes_after(self, name: str) -> Ints:
        """Return, shape (n_codes,), what each code of a column as it came has become; −1 where no record has it."""
        _ = self.columns[name]
        codes = self._codes[name]
        if not isinstance(self.before, SaferStudy):
            return codes
        earlier = self.before.codes_after(name)
        return np.where(earlier < 0, -1, codes[earlier])

    def changed(self, column: EngineColumn) -> Ints:
        """Return, shape (m, n_codes), how many records with each code of a column as it came went, or are blank now."""
        if isinstance(self.before, SaferStudy):
            found = self.before.changed(column)
        else:
            found = np.zeros((self.n_syntheses, column.n_codes), dtype=np.int64)
        if self.marked is not None and self.blanked in ("", column.name):
            found += self.marked.counted(column)
        return found


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedThere(Chained):
    """Syntheses after a chain of steps that stay in an engine, and the study that measures them.

    Attributes
    ----------
    study, done, before, detail
        As of `Chained`.
    first
        The study before any step.
    steps
        The chain.
    """

    study: EngineStudy
    first: EngineStudy
    steps: tuple[Step, ...]

    def changes(self, name: str) -> bool:
        """Return whether a step changes the values of a column: what no step touches is as it came."""
        return any(isinstance(step, OnColumn) and step.column == name for step in self.steps)


def protect_there(study: EngineStudy, steps: Iterable[Step], settings: Settings | Sequence[Settings]) -> ProtectedThere:
    """Return the syntheses after `steps`, and what each step did; as `protect` does of files.

    Raises
    ------
    DisclosureError
        As `protect`; when the engine cannot answer; when a number has too many values for another step than groups.
    """
    first, chain = study, tuple(steps)
    done: list[StepEffect] = []
    labels: list[str] = []
    blanked: dict[str, list[float]] = {}
    for step, judged in zip(chain, of_each(chain, settings), strict=True):
        if isinstance(step, AddLabel):
            check_label(step, [*(name for relation in first.relations for name in relation.columns), *labels])
            labels.append(step.column)
            none = (0,) * study.n_syntheses
            done.append(StepEffect(step.sentence, none, none, step.column))
            continue
        if isinstance(step, Removal):
            if blanked:  # which of the removed records were blanked would not be known
                raise DisclosureError(f"{step.sentence} In an engine this comes before values are blanked; move it.")
            after, effect = _without(study, step, judged)
        elif isinstance(step, BlankClaims):
            after, effect = _blanked(study, step, judged)
            there = [_values_by_synthesis(each.column(step.column)) for each in (study, after)]
            shares = blanked.setdefault(step.column, [1.0] * study.n_syntheses)
            shares[:] = [s * (b / a if a else 1.0) for s, a, b in zip(shares, *there, strict=True)]
        else:
            after, effect = _on_column(study, step)
        study = after
        done.append(effect)
    touched = {step.column for step in chain if not isinstance(step, Removal | AddLabel)}
    kept = [now / was for now, was in zip(study.n_synthetic, first.n_synthetic, strict=True)]
    detail = lost_of(tuple(first.columns), [_retained(first, study, n, touched) for n in first.columns], kept, blanked)
    return ProtectedThere(study, tuple(done), first.n_synthetic, detail, first, chain)


def _values_by_synthesis(column: EngineColumn) -> list[int]:
    """Return how many values each synthesis has of a column."""
    return [int(n) for n in column.counts[1:, : column.n_levels].sum(axis=1)]


def _retained(first: EngineStudy, study: EngineStudy, name: str, touched: set[str]) -> float:
    """Return the share of a column's detail that the original keeps; what no step touched is not read for it."""
    if name not in touched or not isinstance(study, SaferStudy):
        return 1.0
    column = first.column(name)
    return retained_of(column, np.maximum(study.codes_after(name), 0), first.missing_codes.get(name, ()))


# ---- a step on a column: its levels alone ----


def _on_column(study: EngineStudy, step: OnColumn) -> tuple[SaferStudy, StepEffect]:
    """Return the study after a step on one column, and what it did."""
    old = study.column(step.column)
    if old.is_wide:
        raise DisclosureError(
            f"{old.name!r} has more than {MOST_VALUES:,} distinct values, which no safeguard makes coarser here; round "
            "it in the data first."
        )
    new = _renumbered(study, step, old) if isinstance(step, Cap | RoundTo) else relevelled(step, study)
    codes = code_after(old.coded, new.coded)
    moved = [(np.arange(old.n_codes), codes, n) for n in old.counts]
    effect = effect_on(step, old, new, moved)
    codes_left = dict(study.missing_codes)
    if new is not old and not isinstance(step, Cap | RoundTo):
        codes_left.pop(step.column, None)

    def made(name: str) -> tuple[EngineColumn, Ints]:
        column = new if name == step.column else study.columns[name]
        return column, codes if name == step.column else np.arange(column.n_codes)

    return SaferStudy(study, made, missing_codes=codes_left), effect


def _renumbered(study: EngineStudy, step: Cap | RoundTo, column: EngineColumn) -> EngineColumn:
    own = own_levels(study, column) if column.kind is Kind.NUMBER else np.zeros(column.n_levels, dtype=bool)
    numbers = renumbered(step, column, column.values, own)
    values, place = np.unique(numbers, return_inverse=True)
    codes = np.append(place, len(values)).astype(np.int64)
    return column.recoded(values, codes, ordered=column.ordered, kind=Kind.NUMBER)


# ---- records removed or blanked: named by their keys, left out by the engine ----


def _without(study: EngineStudy, step: Removal, judged: Settings) -> tuple[SaferStudy, StepEffect]:
    """Return the study without the records that a step removes, and what it did."""
    if isinstance(step, RemoveClaims):
        _, keys, gone = _claims(study, step, judged)
    else:
        keys = count_keys(study, restrict_to_study(study, judged)[0])
        gone = [*map(np.flatnonzero, unique_combinations(keys, replicated=isinstance(step, RemoveReplicated)))]
    removed = tuple(int(s_q[at].sum()) for s_q, at in zip(keys.s_q, gone, strict=True))
    left = tuple(n - r for n, r in zip(study.n_synthetic, removed, strict=True))
    if not all(left):
        raise none_left(step)
    marked = MarkedRecords(study, keys, gone)
    relations = [study.relations[0], *(marked.there.without(i) for i in range(1, len(study.relations)))]

    def made(name: str) -> tuple[EngineColumn, Ints]:
        column = study.columns[name]
        if column.is_wide:
            return _of_size(column, (study.n_original, *left)), np.arange(column.n_codes)
        counts = column.counts.copy()
        counts[1:] -= marked.counted(column)
        return _held(column, counts)

    after = SaferStudy(study, made, relations=relations, n_synthetic=left, marked=marked)
    return after, StepEffect(step.sentence, removed, (0,) * study.n_syntheses)


def _blanked(study: EngineStudy, step: BlankClaims, judged: Settings) -> tuple[SaferStudy, StepEffect]:
    """Return the study with a target empty where there are claims of it, and what that did."""
    target, keys, claimed = _claims(study, step, judged)
    marked = MarkedRecords(study, keys, claimed)
    relations = [study.relations[0], *(marked.there.blanked(i, step.column) for i in range(1, len(study.relations)))]
    counts = target.counts.copy()
    found = marked.counted(target)
    found[:, target.n_levels :] = 0
    counts[1:] -= found
    counts[1:, target.n_levels] += found.sum(axis=1)
    new, codes = _held(target, counts)
    moved = [(np.arange(target.n_codes), np.maximum(codes, 0), target.counts[0])]
    for i, side in enumerate(found):
        stay = target.counts[1 + i] - side
        was = np.tile(np.arange(target.n_codes), 2)
        now = np.append(np.maximum(codes, 0), np.full(target.n_codes, new.n_levels))
        moved.append((was, now, np.append(stay, side)))

    def made(name: str) -> tuple[EngineColumn, Ints]:
        column = study.columns[name]
        return (new, codes) if name == step.column else (column, np.arange(column.n_codes))

    after = SaferStudy(study, made, relations=relations, marked=marked, blanked=step.column)
    return after, effect_on(step, target, new, moved)


def _claims(
    study: EngineStudy, step: BlankClaims | RemoveClaims, judged: Settings
) -> tuple[EngineColumn, KeyTable, list[Ints]]:
    """Return a target, the combinations of keys, and of each synthesis those whose records have one level of it."""
    target = check_target(study, judged, step.column)
    if target.is_wide:
        raise DisclosureError(f"{target.name!r} has more than {MOST_VALUES:,} distinct values; group it or remove it.")
    n = dict(judged.groups).get(step.column)
    grouped = study.grouped(step.column, n)[0] if n is not None and target.kind is Kind.NUMBER else target
    settings = restrict_to_study(study, judged)[0]
    columns = [column for column, _ in key_columns(study, settings)]
    if not columns:
        chosen_keys(study, settings)  # says so
    keys, (cells,) = study.counted_tables(columns, [grouped])
    to_blank = isinstance(step, BlankClaims)  # nothing is left to blank where Missing is claimed
    claimed = ((c.answers >= 0) & ~(to_blank & (c.answers == grouped.n_levels)) for c in cells)
    return target, keys, [np.flatnonzero(mask) for mask in claimed]


def _of_size(column: EngineColumn, sizes: Sequence[int]) -> EngineColumn:
    """Return a number with too many values to be fetched, of other numbers of records."""
    return EngineColumn(column.coded, column.sides, np.array(sizes)[:, None], column.notes, starts=column.starts)


def _held(column: EngineColumn, counts: Ints) -> tuple[EngineColumn, Ints]:
    """Return a column with other counts and without the levels that no record has any more, and where codes went."""
    n = column.n_levels
    held = counts.sum(axis=0) > 0
    codes = np.append(np.where(held[:n], np.cumsum(held[:n]) - 1, -1), np.full(column.n_codes - n, held[:n].sum()))
    if held[:n].all():
        return EngineColumn(column.coded, column.sides, counts, column.notes), np.arange(column.n_codes)
    sides, entries = [], []
    for side, of_side in zip(column.sides, column.coded.sides, strict=True):
        there = codes[of_side] >= 0
        sides.append(Values(side.sql, side.kind, side.raw.filter(pa.array(there[: len(side.raw)]))))
        entries.append(codes[of_side[there]])
    coded = replace(
        column.coded,
        values=column.values[held[:n]],
        original=entries[0],
        synthetic=tuple(entries[1:]),
        missing_levels=tuple(int(codes[i]) for i in column.missing_levels if codes[i] >= 0),
    )
    kept = np.append(counts[:, :n][:, held[:n]], counts[:, n:], axis=1)
    return EngineColumn(coded, sides, kept, column.notes), codes.astype(np.int64)
