"""Data that stay in an engine: coded by their distinct values and counted there, and no record kept.

Distinct values are fetched once a column and coded by the rules that serve files. What comes back of the records are
cells: every figure is read from these by the code that serves data counted here, and a changed exclusion asks the
engine nothing. What is asked of an engine is said in `Engine`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Counts, Ints
from disclosure_core.counting.cells import Cells, Tables
from disclosure_core.counting.count import (
    chosen,
    chosen_keys,
    count,
    count_keys,
)
from disclosure_core.data.column import Column
from disclosure_core.data.grouping import equal_widths, labels_of, notes_on_breaks, own_labels, quantiles, too_few
from disclosure_core.data.harmonise import harmonised, not_common, side_name
from disclosure_core.data.study import StudyOf
from disclosure_core.data.suggested_codes import codes_by_column
from disclosure_core.data.values import Kind, Note
from disclosure_core.engines.column import ColumnsThere, EngineColumn, Values
from disclosure_core.engines.layout import Layout, checked
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.grouping import Groups
    from disclosure_core.engines.engine import Engine


MOST_VALUES = 1_000_000
"""Distinct values of a column that are fetched. Beyond it a number is grouped there, other columns are refused."""


class EngineStudy(StudyOf[EngineColumn]):
    """Original and synthetic data in an engine, made comparable as a `Study` does it, a column when first used.

    Parameters
    ----------
    engine
        What is asked.
    relations
        Its tables, the original first; `columns` of each is a mapping of its names to the engine's types.
    missing_codes
        As of `Study`.

    Raises
    ------
    DisclosureError
        As `Study` does; and when the engine cannot answer.
    """

    holds_records = False
    latest: Tables | None = None
    """The cells that were counted last: a search begins with those of the figures."""
    groups: Mapping[str, Groups] = MappingProxyType({})
    """How each of their columns was cut, 0 for not at all."""

    def __init__(
        self,
        engine: Engine,
        relations: Sequence[Any],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    ) -> None:
        if len(relations) < 2:
            raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
        self.engine = engine
        self.relations: tuple[Any, ...] = tuple(relations)
        names = [n for n in relations[0].columns if all(n in r.columns for r in relations)]
        if not names:
            raise DisclosureError("The tables have no column name in common; give them the same columns.")
        self._notes_on_files = tuple(not_common(list(relations), names))
        self.n_original, *others = engine.count(relations)
        self.n_synthetic = tuple(others)
        for i, n in enumerate((self.n_original, *others)):
            if not n:
                raise DisclosureError(f"{side_name(i, len(others))} has no records; bring a table with at least one.")
        self.columns = self._read = ColumnsThere(names, self._one)
        self._set_missing_codes(missing_codes or {})

    @property
    def may_list_records(self) -> bool:
        """Whether the engine can show single records."""
        return self.engine.may_show_records

    @property
    def lists_records(self) -> bool:
        """Whether the engine may show single records, a few at a time."""
        return self.engine.shows_records

    def check(self) -> None:
        """Make sure that nothing has changed, where that can be seen.

        Raises
        ------
        DisclosureError
            When something has.
        """
        self.engine.check(self.relations)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Make sure that nothing changes meanwhile, which is also what most often makes a question fail."""
        try:
            yield
        except DisclosureError:
            self.check()
            raise
        self.check()

    def counted_tables(
        self, keys: Sequence[EngineColumn], targets: Sequence[EngineColumn], known: Tables | None = None
    ) -> tuple[KeyTable, list[tuple[Cells, ...]]]:
        """Return the key combinations, and the cells of each target.

        Parameters
        ----------
        keys, targets
            Columns of the study, grouped where that is asked for; there may be no target.
        known
            Of people outside beside a study: what was counted of the study, by the same keys and levels. These people
            alone are counted then.

        Raises
        ------
        DisclosureError
            When the engine cannot answer, there are too many cells, or the data changed since the values were read.
        """
        layout = Layout(keys, targets)
        relations = dict(enumerate(self.relations))
        with self.unchanged():
            if known is None:
                sides = self.engine.grouped(relations, self.sizes, [layout])
            else:
                last, before = len(relations) - 1, layout.before(known)
                alone = self.engine.grouped({last: relations[last]}, self.sizes[-1:], [layout])
                sides = ([*before(j), *further] for j, further in enumerate(alone))
            table, cells = layout.tabled(sides)
        return checked(table, cells, layout)

    def counted_pairs(self, columns: Sequence[EngineColumn]) -> Iterator[tuple[str, str, list[tuple[Counts, Counts]]]]:
        """Yield every table of two of these columns: their names and, a synthesis, original and synthetic records."""
        layouts = [Layout([first], [second]) for first, second in combinations(columns, 2)]
        with self.unchanged():
            found = self.engine.grouped(dict(enumerate(self.relations)), self.sizes, layouts)
            for layout, sides in zip(layouts, found, strict=True):
                d, *synthetic = layout.paired(sides)
                yield layout.keys[0].name, layout.targets[0].name, [(d, s) for s in synthetic]

    def records_of_codes(self, column: EngineColumn, relations: Mapping[int, Any], sizes: Sequence[int]) -> list[Ints]:
        """Return, a side of these, shape (n_codes,): its records with each code of a column."""
        if not relations:
            return []
        with self.unchanged():
            (sides,) = self.engine.grouped(relations, sizes, [Layout([column])])
        return [np.bincount(side.packed[0], side.n, column.n_codes).astype(np.int64) for side in sides]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Records of each side, the original first."""
        return (self.n_original, *self.n_synthetic)

    def has_counted(self, keys: Sequence[str], groups: Mapping[str, Groups]) -> bool:
        """Return whether the cells that were counted last are of these keys, and of all columns in these groups."""
        if self.latest is None or tuple(key.name for key in self.latest.keys.keys) != tuple(keys):
            return False
        return all(name in self.groups and self.groups[name] == n for name, n in groups.items())

    def known(self, keys: Sequence[str], targets: Sequence[str], groups: Mapping[str, Groups]) -> Tables | None:  # noqa: ARG002 (of people outside)
        """Return what is known of all sides but the last; only beside people outside there is something."""
        return None

    def prepare(self, names: Iterable[str]) -> None:
        """Read these columns now."""
        names = [name for name in names if name not in self._read.made]
        with self.unchanged():
            found = self.engine.distinct(names, self.relations, self.sizes, MOST_VALUES)
            columns = [self._column(name, of_name) for name, of_name in zip(names, found, strict=True)]
        self._read.made.update(zip(names, columns, strict=True))

    def _one(self, name: str) -> EngineColumn:
        self.prepare([name])
        return self._read.made[name]

    def _column(self, name: str, found: Sequence[tuple[Values, Counts] | None]) -> EngineColumn:
        sides, parts, records, notes = [], [], [], []
        for relation, of_side in zip(self.relations, found, strict=True):
            if of_side is None:
                return self._wide(name)
            values, n = of_side
            part, said = self.engine.side_of(name, relation, values, empty=len(n) > len(values.raw))
            sides.append(values)
            parts.append(part)
            records.append(n)
            notes += said
        coded, said_of = harmonised(name, parts, in_rows=False)
        counts = np.stack(
            [np.bincount(at, weights=n, minlength=coded.n_codes) for at, n in zip(coded.sides, records, strict=True)]
        ).astype(np.int64)
        return EngineColumn(coded, sides, counts, tuple(dict.fromkeys([*notes, *said_of])))

    def _wide(self, name: str) -> EngineColumn:
        """Return a number with too many values to be fetched, of which nothing is known here but its name."""
        if not self.engine.all_numbers(name, self.relations):
            raise DisclosureError(f"{name!r} has more than {MOST_VALUES:,} distinct values; remove it.")
        sides = [self.engine.nothing_of(name, relation) for relation in self.relations]
        none = np.zeros(0, dtype=np.uint8)
        coded = Column(name, Kind.NUMBER, np.zeros(0), True, none, (none,) * len(self.n_synthetic))
        counts = np.array(self.sizes)[:, None]  # nothing can be told of them as they are
        return EngineColumn(coded, sides, counts, starts=())

    def _set_missing_codes(self, missing_codes: Mapping[str, float | str | Iterable[float | str]]) -> None:
        wide = next(
            (n for n, codes in codes_by_column(missing_codes).items() if codes and self.column(n).is_wide), None
        )
        if wide is not None:
            raise DisclosureError(
                f"{wide!r} has more than {MOST_VALUES:,} distinct values, too many to look for missing codes; make "
                "these empty in the data."
            )
        super()._set_missing_codes(missing_codes)
        self.latest = None

    def grouped(self, name: str, n: Groups) -> tuple[EngineColumn, tuple[Note, ...]]:
        """Return column `name`, in `n` intervals or at own breaks if it is a number, and what is to be said of it.

        A number with more than `MOST_VALUES` distinct values is grouped there, by exact quantiles of its values as
        they are stored, or at own breaks.

        Raises
        ------
        DisclosureError
            When the column holds infinite values, or too many values to stay ungrouped.
        """
        column = self.column(name)
        if not column.is_wide:
            grouped, notes = super().grouped(name, n)
            return grouped, (*column.notes, *notes)
        if not n:
            raise DisclosureError(f"{name!r} has more than {MOST_VALUES:,} distinct values; group it or remove it.")
        if isinstance(n, tuple):
            labels, starts = own_labels(n), [(float(b), i) for i, b in enumerate((-math.inf, *n))]
            grouped = self._in_intervals(column, labels, starts, None)
            return grouped, notes_on_breaks(name, labels, grouped.counts[:, : len(labels)].sum(axis=0))
        return self._grouped_there(column, n)

    def _grouped_there(self, column: EngineColumn, n: int) -> tuple[EngineColumn, tuple[Note, ...]]:
        """Return a number with many values in intervals between its quantiles, which the engine finds exactly."""
        name = column.name
        with self.unchanged():
            x, upto = self.engine.quantiles(name, self.relations, n)
        if not np.isfinite(x).all():
            raise DisclosureError(f"{name!r} holds infinite values and cannot be grouped; make them missing.")
        # Records between two of these values count with the later one: every place asked for stays where it is.
        breaks = quantiles(x, np.diff(upto, prepend=0), n)
        equal_width = too_few(breaks, 0)
        if equal_width:
            breaks = equal_widths(x[0], x[-1], n)
        labels = labels_of(breaks)
        starts = [(float(b), i) for i, b in enumerate(breaks[: len(labels)])]
        grouped = self._in_intervals(column, labels, starts, float(breaks[-1]))
        widths = "of equal width" if equal_width else "by exact quantiles"
        note = f"{name!r}: {len(labels)} intervals {widths} of more than {MOST_VALUES:,} values, as they are stored."
        return grouped, (Note(note, name),)

    def _in_intervals(
        self, column: EngineColumn, labels: Sequence[str], starts: list[tuple[float, int]], end: float | None
    ) -> EngineColumn:
        """Return a number with many values in intervals, whose records the engine counts."""
        none = np.zeros(0, dtype=np.uint8)
        values = np.array(labels, dtype=object)
        coded = Column(column.name, Kind.CATEGORY, values, True, none, (none,) * len(self.n_synthetic))
        uncounted = np.zeros((len(self.relations), coded.n_codes), dtype=np.int64)
        grouped = EngineColumn(coded, column.sides, uncounted, starts=starts, end=end)
        counts = self.records_of_codes(grouped, dict(enumerate(self.relations)), self.sizes)
        return EngineColumn(coded, column.sides, np.stack(counts), starts=starts, end=end)


@count.register(EngineStudy)
def _(study: EngineStudy, settings: Settings) -> Tables:
    """Count the cells of every target; what was counted last is not counted again."""
    study.check()
    if study.latest is not None and study.latest.counting == settings.counting():
        return study.latest
    names, targets = chosen(study, settings)
    study.prepare((*names, *targets))
    grouped = {name: study.grouped(name, settings.group(name)) for name in (*names, *targets)}
    keys = [grouped[name][0] for name in names]
    groups = {name: settings.group(name) for name in (*names, *targets)}
    known = study.known(names, targets, groups)
    table, cells = study.counted_tables(keys, [grouped[name][0] for name in targets], known)
    notes = tuple(note for _, of_column in grouped.values() for note in of_column)
    study.latest = Tables(study, settings.counting(), table, dict(zip(targets, cells, strict=True)), notes)
    study.groups = groups
    return study.latest


@count_keys.register(EngineStudy)
def _(study: EngineStudy, settings: Settings) -> KeyTable:
    """Count the combinations of the keys."""
    names = chosen_keys(study, settings)
    groups = {name: settings.group(name) for name in names}
    if study.has_counted(names, groups):
        study.check()
        assert study.latest is not None
        return study.latest.keys
    study.prepare(names)
    return study.counted_tables([study.grouped(name, settings.group(name))[0] for name in names], [])[0]
