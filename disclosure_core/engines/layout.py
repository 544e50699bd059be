"""Cells as an engine hands them over: codes of several keys are packed into one number, and sides are aligned here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Array, Counts, Indices, Ints
from disclosure_core.counting.count import cells_of
from disclosure_core.counting.key_table import KeyTable
from disclosure_core.data.values import rising
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells, Tables
    from disclosure_core.engines.column import EngineColumn


MOST_CELLS = 2**26
"""Cells of a target and side that are fetched; more are refused."""
CHANGED = "The data changed while they were read, so nothing is reported; ask again when nobody writes to them."
_LOOKED_UP = 2**23  # codes below this are looked up in an array, not searched
_MOST = 2**62  # codes of several keys are packed into one whole number below this


@dataclass(frozen=True, slots=True)
class Place:
    """Where the code of a key is: the number of the packed column, its stride there, and its radix."""

    column: int
    stride: int
    radix: int


@dataclass(frozen=True, slots=True)
class SideCells:
    """The cells of a side that hold a record, shape (n,): packed codes of the keys, of the target, and records."""

    packed: list[Ints]
    t: Ints
    n: Ints


class Layout:
    """How codes of keys are packed, and what becomes of counted cells.

    Parameters
    ----------
    keys, targets
        Columns of a study, grouped where that is asked for; there may be no target.
    """

    def __init__(self, keys: Sequence[EngineColumn], targets: Sequence[EngineColumn] = ()) -> None:
        self.keys, self.targets = tuple(keys), tuple(targets)
        self.places = _packed([key.n_codes for key in keys])
        self.n_packed = self.places[-1].column + 1 if self.places else 0
        self.n_q = int(np.prod([float(key.n_codes) for key in keys]))
        self.radix = [target.n_codes for target in targets] or [1]

    def packed(self, levels: Sequence[Array]) -> list[Ints]:
        """Return codes of each key, shape (n,), packed."""
        packed = [np.zeros(len(levels[0]), dtype=np.int64) for _ in range(self.n_packed)]
        for place, of_key in zip(self.places, levels, strict=True):
            packed[place.column] += of_key.astype(np.int64) * place.stride
        return packed

    def before(self, known: Tables) -> Callable[[int], Iterator[SideCells]]:
        """Return what yields the cells of a target, by its number, of each side that was counted."""
        packed = self.packed(known.keys.levels)

        def of_target(j: int) -> Iterator[SideCells]:
            cells = known.targets[self.targets[j].name]
            for each, n in ((cells[0], cells[0].d), *((each, each.s) for each in cells)):
                at = np.flatnonzero(n)
                yield SideCells([codes[each.q[at]] for codes in packed], each.target[at].astype(np.int64), n[at])

        return of_target

    def tabled(self, sides: Iterable[Sequence[SideCells]]) -> tuple[KeyTable, list[tuple[Cells, ...]]]:
        """Return keys and cells from the cells of each side that hold a record, a target after the other."""
        ranks: Ranks | None = None
        keys, cells = None, []
        for j, by_side in enumerate(sides):
            radix = self.radix[j]
            if ranks is None:
                ranks = Ranks([side.packed for side in by_side])
            of_side = [ranks.of(side.packed) for side in by_side]
            if keys is None:
                counts = [
                    np.bincount(q, side.n, ranks.n).astype(np.int64) for q, side in zip(of_side, by_side, strict=True)
                ]
                keys = self.counted_keys(ranks.codes, counts)
            if self.targets:
                codes = [q * radix + side.t for q, side in zip(of_side, by_side, strict=True)]
                every, counts = aligned(codes, [side.n for side in by_side])
                cells.append(cells_of(keys, self.targets[j], counts, every))
        assert keys is not None
        return keys, cells

    def paired(self, sides: Sequence[SideCells]) -> list[Counts]:
        """Return, a side, the records of each cell of one key and one target that holds a record on any side."""
        (key,), (target,) = self.keys, self.targets
        radix = target.n_codes
        codes, counts = aligned([side.packed[0] * radix + side.t for side in sides], [side.n for side in sides])
        _same(key, [np.bincount(codes // radix, n, key.n_codes) for n in counts])
        _same(target, [np.bincount(codes % radix, n, radix) for n in counts])
        return counts

    def counted_keys(self, packed: Sequence[Ints], counts: Sequence[Counts]) -> KeyTable:
        """Return combinations by their packed codes, and the records of each side."""
        levels = []
        for key, place in zip(self.keys, self.places, strict=True):
            level = packed[place.column] // place.stride % place.radix
            levels.append(level.astype(np.min_scalar_type(key.n_codes - 1)))
        return KeyTable.of(self.keys, levels, counts)


def aligned(codes: Sequence[Ints], records: Sequence[Counts]) -> tuple[Ints, list[Counts]]:
    """Return the codes that stand on any side, rising, and the records of each side with each.

    Several values of a table may have one code.
    """
    n_codes = 1 + max(int(code.max(initial=0)) for code in codes)
    if n_codes <= _LOOKED_UP:
        there = np.zeros(n_codes, dtype=bool)
        for code in codes:
            there[code] = True
        every = np.flatnonzero(there)
        return every, [
            np.bincount(code, n, n_codes).astype(np.int64)[every] for code, n in zip(codes, records, strict=True)
        ]
    every = rising(np.concatenate(codes))
    return every, [
        np.bincount(np.searchsorted(every, code), n, every.size).astype(np.int64)
        for code, n in zip(codes, records, strict=True)
    ]


def checked(keys: KeyTable, cells: list[tuple[Cells, ...]], layout: Layout) -> tuple[KeyTable, list[tuple[Cells, ...]]]:
    """Return these, made sure that each level has as many records as when the values were read."""
    sides = (keys.d_q, *keys.s_q)
    for key, levels in zip(layout.keys, keys.levels, strict=True):
        _same(key, [np.bincount(levels, side, key.n_codes) for side in sides])
    for target, of_target in zip(layout.targets, cells, strict=True):
        d = np.bincount(of_target[0].target, of_target[0].d, target.n_codes)
        _same(target, [d, *(np.bincount(each.target, each.s, target.n_codes) for each in of_target)])
    return keys, cells


def _same(column: EngineColumn, counts: Sequence[Array]) -> None:
    if not np.array_equal(np.stack(counts), column.counts):
        raise DisclosureError(CHANGED)


def check_few(n_cells: int, target: EngineColumn | None) -> None:
    """Refuse more than `MOST_CELLS` cells of a target, or of the keys alone."""
    if n_cells > MOST_CELLS:
        what = "the keys" if target is None else repr(target.name)
        raise DisclosureError(
            f"These keys make more than {MOST_CELLS:,} cells with {what}; choose fewer keys, or group one."
        )


def check_names(names: Sequence[str], side: str) -> None:
    """Refuse names that an engine takes for one: it reads the first where the second is asked for."""
    for _, alike in groupby(sorted(names, key=str.casefold), key=str.casefold):
        first, *others = alike
        if others:
            raise DisclosureError(
                f"{side} has columns whose names differ by capitals alone, {first!r} and {others[0]!r}, which an "
                "engine takes for one; rename one of them."
            )


class Ranks:
    """Combinations of packed codes, numbered as they rise, the same for every target."""

    def __init__(self, sides: Sequence[Sequence[Ints]]) -> None:
        columns = [np.concatenate([side[k] for side in sides]) for k in range(len(sides[0]))]
        self._tables: list[tuple[Any, Any]] = []
        rank: Any = None
        for column in columns:
            values = rising(column)
            code = np.searchsorted(values, column)
            pairs, both = None, code
            if rank is not None:  # both are below the number of cells, so that a product of two fits
                joined = rank * len(values) + code
                pairs = rising(joined)
                both = np.searchsorted(pairs, joined)
            self._tables.append((values, pairs))
            rank = both
        self.n = int(rank.max()) + 1
        place = np.empty(self.n, dtype=np.intp)
        place[rank] = np.arange(rank.size)
        self.codes = [column[place].astype(np.int64) for column in columns]

    def of(self, side: Sequence[Ints]) -> Ints:
        """Return, shape (n,), the number of each combination."""
        rank: Any = None
        for (values, pairs), column in zip(self._tables, side, strict=True):
            code = _places(values, column)
            rank = code if rank is None else _places(pairs, rank * len(values) + code)
        return np.asarray(rank, dtype=np.int64)


def _places(values: Array, wanted: Array) -> Indices:
    at = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    if not np.array_equal(values[at], wanted):
        raise DisclosureError(CHANGED)
    return at


def _packed(radices: Sequence[int]) -> list[Place]:
    """Return where the code of each key is: the first key's varies slowest."""
    groups: list[list[int]] = [[]]
    size = 1
    for radix in radices:
        if groups[-1] and size * radix > _MOST:
            groups.append([])
            size = 1
        groups[-1].append(radix)
        size *= radix
    places: list[Place] = []
    for column, group in enumerate(groups):
        stride = 1
        of_group = []
        for radix in reversed(group):
            of_group.append(Place(column, stride, radix))
            stride *= radix
        places += reversed(of_group)
    return places
