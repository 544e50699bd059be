"""Data that stay in an engine: coded by their distinct values and counted there, and no record kept.

Distinct values are fetched once a column and coded by the rules that serve files. What comes back of the records are
cells: every figure is read from these by the code that serves data counted here, and a changed exclusion asks the
engine nothing. How an engine is asked is said in `DuckDBStudy` and `TableStudy`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from disclosure_core.counting.cells import Tables
from disclosure_core.counting.count import (
    chosen,
    chosen_keys,
    count,
    count_keys,
    count_pairs,
    growing_keys,
    key_columns,
)
from disclosure_core.data.column import Column
from disclosure_core.data.grouping import equal_widths, labels_of, notes_on_breaks, own_labels, quantiles, too_few
from disclosure_core.data.harmonise import harmonised, not_common, side_name
from disclosure_core.data.study import StudyOf, codes_by_column
from disclosure_core.data.values import Kind, Note
from disclosure_core.engines.column import C, ColumnsThere
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from disclosure_core.counting.cells import Cells, Counts, KeyTable
    from disclosure_core.counting.count import PairCounts
    from disclosure_core.counting.counted_keys import CountedKeys
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.values import Side
    from disclosure_core.engines.column import Values

MOST_VALUES = 1_000_000
"""Distinct values of a column that are fetched. Beyond it a number is grouped there, other columns are refused."""


class EngineStudy(StudyOf[C], ABC):
    """Original and synthetic data in an engine, made comparable as a `Study` does it, a column when first used.

    Parameters
    ----------
    relations
        The tables, the original first; `columns` of each is a mapping of its names to the engine's types.
    missing_codes
        As of `Study`.

    Raises
    ------
    DisclosureError
        As `Study` does; and when the engine cannot answer.
    """

    holds_records = False
    column_type: ClassVar[type[Any]]
    latest: Tables | None = None
    """The cells that were counted last: a search begins with those of the figures."""
    groups: Mapping[str, Groups] = MappingProxyType({})
    """How each of their columns was cut, 0 for not at all."""

    def __init__(
        self,
        relations: Sequence[Any],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    ) -> None:
        if len(relations) < 2:
            raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
        self.relations: tuple[Any, ...] = tuple(relations)
        names = [n for n in relations[0].columns if all(n in r.columns for r in relations)]
        if not names:
            raise DisclosureError("The tables have no column name in common; give them the same columns.")
        self._notes_on_files = tuple(not_common(list(relations), names))
        self.n_original, *others = self.count_records(relations)
        self.n_synthetic = tuple(others)
        for i, n in enumerate((self.n_original, *others)):
            if not n:
                raise DisclosureError(f"{side_name(i, len(others))} has no records; bring a table with at least one.")
        self.columns = self._read = ColumnsThere(names, self._one)
        self._set_missing_codes(missing_codes or {})

    # ---- how an engine is asked ----

    @abstractmethod
    def borrow(self, study: Any) -> None:
        """Ask the engine that another study of the same kind asks, as it does."""

    @abstractmethod
    def count_records(self, relations: Sequence[Any]) -> list[int]:
        """Return how many records each of these tables has."""

    @abstractmethod
    def ask_each(self, what: Sequence[str], questions: Sequence[Callable[[Any], Any]]) -> list[Any]:
        """Return what each of `questions` returns, which is handed what the engine is asked with."""

    @abstractmethod
    def distinct(
        self, cursor: Any, relation: Any, name: str, size: int, *, in_order: bool = False
    ) -> tuple[Values, Counts] | None:
        """Return the distinct values of a column of a table of `size` records, and the records that have each.

        After these, those that have none, if any are. None where there are more than `MOST_VALUES`.
        """

    def distinct_each(self, cursor: Any, name: str) -> list[tuple[Values, Counts] | None]:
        """Return the same of each table; of the one that has too many, and those after it, None."""
        found: list[tuple[Values, Counts] | None] = []
        for relation, size in zip(self.relations, self.sizes, strict=True):
            passed = bool(found) and found[-1] is None
            found.append(None if passed else self.distinct(cursor, relation, name, size))
        return found

    @abstractmethod
    def nothing_of(self, name: str, relation: Any) -> Values:
        """Return how values of a column of a table are read, and none of them; an error where they are no answers."""

    @abstractmethod
    def side_of(self, name: str, relation: Any, values: Values, *, empty: bool) -> tuple[Side, list[Note]]:
        """Return distinct values as a side of a column with a record each, then one that has none; and what is said."""

    @abstractmethod
    def ranked(self, cursor: Any, name: str, n: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return the numbers of a column where its `n` groups may end, rising, and the records up to each, all sides'.

        NaN and NULL are no numbers.
        """

    @abstractmethod
    def counted_codes(self, cursor: Any, column: C, i: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the codes that side `i` has of a number in intervals, and how many records have each."""

    @abstractmethod
    def counted_tables(
        self, keys: Sequence[C], targets: Sequence[C], known: Tables | None = None
    ) -> tuple[CountedKeys, list[tuple[Cells, ...]]]:
        """Return the key combinations, and the cells of each target.

        Parameters
        ----------
        keys, targets
            Columns of the study, grouped where that is asked for; there may be no target.
        known
            Of people outside beside a study: what was counted of the study, by the same keys and levels.

        Raises
        ------
        DisclosureError
            When the engine cannot answer, there are too many cells, or the data changed since the values were read.
        """

    @abstractmethod
    def counted_pairs(self, columns: Sequence[C]) -> Iterator[PairCounts]:
        """Yield every table of two of these columns."""

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Make sure that nothing changes meanwhile, where that can be seen."""
        yield

    def check(self) -> None:
        """Make sure that nothing has changed, where that can be seen."""

    # ---- what is the same in every engine ----

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
            what = [f"the values of {name!r}" for name in names]
            columns = self.ask_each(what, [partial(self._column, name=name) for name in names])
        self._read.made.update(zip(names, columns, strict=True))

    def _one(self, name: str) -> C:
        self.prepare([name])
        return self._read.made[name]

    def _column(self, cursor: Any, name: str) -> C:
        sides, parts, records, notes = [], [], [], []
        for relation, found in zip(self.relations, self.distinct_each(cursor, name), strict=True):
            if found is None:
                return self._wide(name)
            values, n = found
            part, said = self.side_of(name, relation, values, empty=len(n) > len(values.raw))
            sides.append(values)
            parts.append(part)
            records.append(n)
            notes += said
        coded, said_of = harmonised(name, parts, in_rows=False)
        counts = np.stack(
            [np.bincount(at, weights=n, minlength=coded.n_codes) for at, n in zip(coded.sides, records, strict=True)]
        ).astype(np.int64)
        made: C = self.column_type(coded, sides, counts, tuple(dict.fromkeys([*notes, *said_of])))
        return made

    @abstractmethod
    def all_numbers(self, name: str) -> bool:
        """Return whether a column is a number on every side, as it is stored."""

    def _wide(self, name: str) -> C:
        """Return a number with too many values to be fetched, of which nothing is known here but its name."""
        if not self.all_numbers(name):
            raise DisclosureError(f"{name!r} has more than {MOST_VALUES:,} distinct values; remove it.")
        sides = [self.nothing_of(name, relation) for relation in self.relations]
        none = np.zeros(0, dtype=np.uint8)
        coded = Column(name, Kind.NUMBER, np.zeros(0), True, none, (none,) * len(self.n_synthetic))
        counts = np.array(self.sizes)[:, None]  # nothing can be told of them as they are
        made: C = self.column_type(coded, sides, counts, starts=())
        return made

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

    def grouped(self, name: str, n: Groups) -> tuple[C, tuple[Note, ...]]:
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

    def _grouped_there(self, column: C, n: int) -> tuple[C, tuple[Note, ...]]:
        """Return a number with many values in intervals between its quantiles, which the engine finds exactly."""
        name = column.name
        with self.unchanged():
            ((x, upto),) = self.ask_each([f"the quantiles of {name!r}"], [partial(self.ranked, name=name, n=n)])
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

    def _in_intervals(self, column: C, labels: Sequence[str], starts: list[tuple[float, int]], end: float | None) -> C:
        """Return a number with many values in intervals, whose records the engine counts."""
        name, none = column.name, np.zeros(0, dtype=np.uint8)
        coded = Column(name, Kind.CATEGORY, np.array(labels, dtype=object), True, none, (none,) * len(self.n_synthetic))
        counts = np.zeros((len(self.relations), coded.n_codes), dtype=np.int64)
        grouped: C = self.column_type(coded, column.sides, counts, starts=starts, end=end)
        questions = [partial(self.counted_codes, column=grouped, i=i) for i in range(len(self.relations))]
        with self.unchanged():
            of_sides = self.ask_each([f"the groups of {name!r}"] * len(questions), questions)
        for of_code, (code, records) in zip(counts, of_sides, strict=True):
            of_code[code] = records
        return grouped


@count.register(EngineStudy)
def _(study: EngineStudy[Any], settings: Settings) -> Tables:
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
def _(study: EngineStudy[Any], settings: Settings) -> KeyTable:
    """Count the combinations of the keys."""
    names = chosen_keys(study, settings)
    groups = {name: settings.group(name) for name in names}
    if study.has_counted(names, groups):
        study.check()
        assert study.latest is not None
        return study.latest.keys
    study.prepare(names)
    return study.counted_tables([study.grouped(name, settings.group(name))[0] for name in names], [])[0]


@count_pairs.register(EngineStudy)
def _(study: EngineStudy[Any], names: Sequence[str], n_groups: int) -> Iterator[PairCounts]:
    """Count every table of two columns."""
    study.prepare(names)
    return study.counted_pairs([study.grouped(name, n_groups)[0] for name in names])


@growing_keys.register(EngineStudy)
def _(study: EngineStudy[Any], settings: Settings, order: Sequence[str]) -> Iterator[KeyTable]:
    """Count the combinations of all keys once, and of fewer from those."""
    columns = [column for column, _ in key_columns(study, settings, order)]
    table, _ = study.counted_tables(columns, [])
    for n in range(1, len(columns) + 1):
        yield table.first(n)
