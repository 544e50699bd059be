"""Counts of target by keys: the one table that every measure is read from, and the only counting.

No table of key combinations by target levels is made: what is counted is one integer code a record, in arrays no
longer than a few times the records, and only cells that hold a record are kept.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, singledispatch
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from disclosure_core.settings import Exclusions, Settings
    from disclosure_core.study import Codes, Column, Note, Study

Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Asked = TypeVar("Asked")
Found = TypeVar("Found")

DENSE = 4
"""Codes are counted in an array of their whole range where that is no longer than this many times the records."""

SHARED = 200_000
"""Records of both sides from which the targets are counted on two cores."""

_MOST = 2**62
"""Combined codes stay below this; beyond it they are ranked on the way."""


class Exclusion(IntEnum):
    """Why a cell is not counted, in the order the kinds apply (measures.md 6)."""

    COUNTED = 0
    TARGET_LEVEL = 1
    MISSING_TARGET = 2
    MISSING_KEY = 3
    PAIR = 4
    DENOMINATOR = 5


@dataclass(frozen=True, eq=False)
class Profile:
    """The records of key combinations on both sides: all that identity disclosure is read from.

    Attributes
    ----------
    d_q, s_q
        Shape (n_q,): original and synthetic records counted of each combination.
    in_synthetic
        Shape (n_q,): whether the combination occurs in the full synthetic data.
    n
        Shape (n_q,): how many identical combinations each row stands for. None: one each.
    """

    d_q: Counts
    s_q: Counts
    in_synthetic: Mask
    n: Counts | None = None

    def combinations(self, where: Mask) -> int:
        """Return how many key combinations the rows of `where` stand for."""
        return int(np.count_nonzero(where) if self.n is None else self.n[where].sum())


@dataclass(frozen=True, eq=False)
class KeyTable:
    """The combinations of key levels that occur in the original or in any synthesis.

    Attributes
    ----------
    keys
        The key columns, grouped where that was asked for, in the order of the data.
    levels
        For each key, shape (n_q,): its code in each combination.
    original, synthetic
        Shape (N_d,), and (N_s,) a synthesis: each record's combination.
    d_q
        Shape (n_q,): original records with each combination.
    s_q
        The same for each synthesis.
    """

    keys: tuple[Column, ...]
    levels: tuple[Codes, ...]
    original: npt.NDArray[np.signedinteger[Any]]
    synthetic: tuple[npt.NDArray[np.signedinteger[Any]], ...]
    d_q: Counts
    s_q: tuple[Counts, ...]

    @property
    def n_original(self) -> int:
        """N_d, original records."""
        return self.original.size

    @property
    def n_synthetic(self) -> tuple[int, ...]:
        """N_s, records of each synthesis."""
        return tuple(side.size for side in self.synthetic)

    def profile(self, i: int, missing_keys: frozenset[str] = frozenset()) -> Profile:
        """Return the records of each key combination in the original and synthesis `i`, without `missing_keys`."""
        d_q, s_q = self.d_q, self.s_q[i]
        in_synthetic = s_q > 0
        if missing_keys:
            keep = ~self.missing(missing_keys)
            d_q, s_q = d_q * keep, s_q * keep
        return Profile(d_q, s_q, in_synthetic)

    def need_records(self) -> None:
        """Make sure that the records are here.

        Raises
        ------
        DisclosureError
            When they stay in an engine, which counts them and hands out none.
        """
        if self.original.size != self.n_original:
            raise DisclosureError(
                "This needs single records, and these data stay in their engine: bring them as files, or choose "
                "another figure."
            )

    def missing(self, names: frozenset[str]) -> Mask:
        """Return, shape (n_q,), the combinations in which a key of `names` is missing."""
        out = np.zeros(self.d_q.shape, dtype=bool)
        for key, levels in zip(self.keys, self.levels, strict=True):
            if key.name in names:
                out |= levels == key.n_levels
        return out


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells (q, t) of one target and one synthesis that hold a record of either file.

    Attributes
    ----------
    n_original, n_synthetic
        N_d and N_s, records.
    column
        The target, grouped where that was asked for.
    keys
        The key combinations that `q` points into.
    q, target
        Shape (n_cells,): key combination and target code of each cell.
    d, s
        Shape (n_cells,): original and synthetic records in each cell.
    d_q, s_q
        Shape (n_q,): original and synthetic records of each key combination.
    n, n_q
        Shape (n_cells,) and (n_q,): how many identical cells, and key combinations, each row stands for, where an
        engine merged them. None: one each.
    """

    n_original: int
    n_synthetic: int
    column: Column
    keys: KeyTable
    q: npt.NDArray[np.intp]
    target: npt.NDArray[np.intp]
    d: Counts
    s: Counts
    d_q: Counts
    s_q: Counts
    n: Counts | None = None
    n_q: Counts | None = None
    _in_key: dict[int, Counts] = field(default_factory=dict, init=False, repr=False)
    _in_pairs: dict[int, tuple[npt.NDArray[np.int64], Counts]] = field(default_factory=dict, init=False, repr=False)

    def times(self, counts: Counts) -> Counts:
        """Return `counts`, shape (n_cells,), of all the identical cells that each row stands for."""
        return counts if self.n is None else counts * self.n

    def times_q(self, counts: Counts) -> Counts:
        """Return `counts`, shape (n_q,), of all the identical key combinations that each row stands for."""
        return counts if self.n_q is None else counts * self.n_q

    @cached_property
    def disclosive_original(self) -> Mask:
        """Shape (n_cells,): pd = 1, every original record with these keys has this target level."""
        return (self.d > 0) & (self.d == self.d_q[self.q])

    @cached_property
    def disclosive_synthetic(self) -> Mask:
        """Shape (n_cells,): ps = 1, every synthetic record with these keys has this target level."""
        return (self.s > 0) & (self.s == self.s_q[self.q])

    @cached_property
    def in_synthetic(self) -> Mask:
        """Shape (n_cells,): s[q] > 0, the keys occur in the synthetic data."""
        return (self.s_q > 0)[self.q]

    @cached_property
    def one_answer(self) -> Mask:
        """Shape (n_cells,): D(q), the synthetic data give one target level for these keys, right or wrong."""
        found = np.zeros(self.s_q.shape, dtype=bool)
        found[self.q[self.disclosive_synthetic]] = True
        return found[self.q]

    @cached_property
    def truths(self) -> npt.NDArray[np.int64]:
        """Shape (n_cells,): what is true of each cell, as bits: 1 pd = 1, 2 ps = 1, 4 D(q), 8 s[q] > 0."""
        masks = (self.disclosive_original, self.disclosive_synthetic, self.one_answer, self.in_synthetic)
        return np.sum([mask.astype(np.int64) << bit for bit, mask in enumerate(masks)], axis=0)

    def original_in_key(self, key: int) -> Counts:
        """Return, shape (key's n_codes,), the original records with each level of key number `key`."""
        if key not in self._in_key:
            levels = self.keys.levels[key]
            in_key = np.bincount(levels, weights=self.d_q, minlength=self.keys.keys[key].n_codes)
            self._in_key[key] = in_key.astype(np.int64)
        return self._in_key[key]

    def original_in_pairs(self, key: int, pairs: npt.NDArray[np.int64]) -> Counts:
        """Return the original records in each of `pairs`, codes as `pair_codes` makes them for key number `key`."""
        if key not in self._in_pairs:
            held = self.d > 0
            at, codes = pd.factorize(pair_codes(self, key, held), sort=True)
            self._in_pairs[key] = np.asarray(codes), np.bincount(at, weights=self.d[held]).astype(np.int64)
        codes, counts = self._in_pairs[key]
        return counts[np.searchsorted(codes, pairs)]

    @cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        """Shape (n_cells,), in no order: a whole number a cell that means the same (q, t) beside every synthesis."""
        return self.q * self.column.n_codes + self.target

    def at(self, codes: npt.NDArray[np.int64], values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return `values`, one for each of these cells, at the cells called `codes`; 0 where there is no such cell."""
        order = np.argsort(self.codes)
        found = order[np.minimum(np.searchsorted(self.codes, codes, sorter=order), order.size - 1)]
        return np.where(self.codes[found] == codes, values[found], 0.0)

    @cached_property
    def full(self) -> Counted:
        """The cells with nothing left out."""
        return Counted(self, None)

    def counted(self, exclusions: Exclusions) -> Counted:
        """Return the cells with what `exclusions` leave of them; nothing is counted again.

        Raises
        ------
        DisclosureError
            When a level, or the key of a pair, is not in the data.
        """
        taken = self._taken(exclusions.of(self.column.name))
        limit = exclusions.denominator_limit
        return self.full if taken is None and limit is None else Counted(self, taken, limit)

    def _taken(self, out: Exclusions) -> npt.NDArray[np.int8] | None:
        """Return, shape (n_cells,), the kind from 1 to 4 that takes each cell; None where no kind is asked for."""
        name, column, by_name = self.column.name, self.column, {k.name: i for i, k in enumerate(self.keys.keys)}
        levels, pairs = out.levels_of(name), out.pairs_of(name)
        missing_keys = out.missing_keys & by_name.keys()
        if not (levels or pairs or missing_keys or out.missing_targets):
            return None
        taken = np.zeros(self.q.shape, dtype=np.int8)
        # The last kind first: an earlier kind overwrites it.
        for pair in pairs:
            if pair.key not in by_name:
                raise DisclosureError(f"The excluded pair names {pair.key!r}, which is not a key; take the pair away.")
            i = by_name[pair.key]
            same_key = self.keys.levels[i] == self.keys.keys[i].code_of(pair.key_level, "Key level")
            same_target = self.target == column.code_of(pair.target_level, "Target level")
            taken[same_key[self.q] & same_target] = Exclusion.PAIR
        if missing_keys:
            taken[self.keys.missing(missing_keys)[self.q]] = Exclusion.MISSING_KEY
        if out.missing_targets:
            taken[self.target == column.n_levels] = Exclusion.MISSING_TARGET
        if levels:
            by_level = np.zeros(column.n_codes, dtype=bool)
            by_level[[column.code_of(level, "Target level") for level in levels]] = True
            taken[by_level[self.target]] = Exclusion.TARGET_LEVEL
        return taken


@dataclass(frozen=True, eq=False)
class Counted:
    """Cells and what the exclusions leave of them: all that a measure is read from.

    Attributes
    ----------
    cells
        The full tables, on which disclosiveness is decided.
    taken
        Shape (n_cells,): the kind from 1 to 4 that takes each cell, 0 where none does. None: nothing taken.
    limit
        Denominator limit, records; it acts on each table by that table's own counts. None: no limit.
    """

    cells: Cells
    taken: npt.NDArray[np.int8] | None
    limit: int | None = None

    @cached_property
    def d(self) -> Counts:
        """Shape (n_cells,): original records counted, d'."""
        return self._counted(self.cells.d)

    @cached_property
    def s(self) -> Counts:
        """Shape (n_cells,): synthetic records counted, s'."""
        return self._counted(self.cells.s)

    @cached_property
    def d_q(self) -> Counts:
        """Shape (n_q,): original records counted of each key combination, d'[q]."""
        return self._by_keys(self.d, self.cells.d_q)

    @cached_property
    def s_q(self) -> Counts:
        """Shape (n_q,): synthetic records counted of each key combination, s'[q]."""
        return self._by_keys(self.s, self.cells.s_q)

    @cached_property
    def profile(self) -> Profile:
        """The records counted of each key combination."""
        return Profile(self.d_q, self.s_q, self.cells.s_q > 0, self.cells.n_q)

    def pairs(self, fewest: float) -> tuple[Pairs, ...]:
        """Return, for each key, the pairs of its levels with target levels among DiSCO cells over `fewest` records."""
        big = np.flatnonzero(self.cells.disclosive_synthetic & (self.d > fewest))
        if not big.size:
            return (NO_PAIRS,) * len(self.cells.keys.keys)
        return tuple(self._pairs_of_key(i, big) for i in range(len(self.cells.keys.keys)))

    def _pairs_of_key(self, i: int, big: npt.NDArray[np.intp]) -> Pairs:
        cells = self.cells
        pairs, at = np.unique(pair_codes(cells, i, big), return_inverse=True)
        level, target = np.divmod(pairs, cells.column.n_codes)
        npairs = np.bincount(at, weights=self.d[big]).astype(np.int64)
        return Pairs(level, target, npairs, cells.original_in_pairs(i, pairs), cells.original_in_key(i)[level])

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self.taken is None and self.limit is None

    def kinds(self, counts: Counts) -> npt.NDArray[np.int8]:
        """Return, shape (n_cells,), the kind from 0 to 5 for the table `counts`: 0 counted, 1 to 5 why not."""
        kinds = np.zeros(counts.shape, dtype=np.int8) if self.taken is None else self.taken
        if self.limit is None:
            return kinds
        over = (kinds == Exclusion.COUNTED) & (counts > self.limit)
        return np.where(over, np.int8(Exclusion.DENOMINATOR), kinds)

    def _counted(self, counts: Counts) -> Counts:
        if self.everything:
            return counts
        keep = np.ones(counts.shape, dtype=bool) if self.taken is None else self.taken == Exclusion.COUNTED
        if self.limit is not None:
            keep &= counts <= self.limit
        return counts * keep

    def _by_keys(self, counts: Counts, full: Counts) -> Counts:
        if self.everything:
            return full
        # Float sums are exact below 2^53 records.
        return np.bincount(self.cells.q, weights=counts, minlength=full.size).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of a level of one key with a target level.

    Attributes
    ----------
    level, target
        Shape (n_pairs,): codes of the key level and of the target level.
    npairs
        Shape (n_pairs,): records counted in the cells asked for.
    n_both, n_level
        Shape (n_pairs,): original records, nothing left out, with both levels and with the key level.
    """

    level: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    npairs: Counts
    n_both: Counts
    n_level: Counts


NO_PAIRS = Pairs(*[np.zeros(0, dtype=np.int64)] * 5)


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything that was counted for one `settings.counting()`.

    Attributes
    ----------
    study
        What was counted.
    counting
        The canonical JSON of the keys, targets and groups that were counted.
    keys
        The key combinations.
    targets
        By target, in the order of the data: its cells, one a synthesis.
    notes
        What is to be said of the groupings.
    """

    study: Study
    counting: str
    keys: KeyTable
    targets: dict[str, tuple[Cells, ...]]
    notes: tuple[Note, ...]


@singledispatch
def count(study: Study, settings: Settings) -> Tables:
    """Count the cells of every target and synthesis; `engines` adds how a `TableStudy` does it.

    Raises
    ------
    DisclosureError
        When a key or target is not in the data, or none is chosen.
    """
    keys, targets = chosen(study, settings)
    notes: list[Note] = []
    columns = {}
    for name in (*keys, *targets):
        columns[name], said = study.grouped(name, settings.group(name))
        notes += said
    table = combine([columns[name] for name in keys])
    asked = [(name, i) for name in targets for i in range(study.n_syntheses)]
    n_records = study.n_original + sum(study.n_synthetic)
    cells = iter(_each(lambda of: _cells(table, columns[of[0]], of[1]), asked, n_records))
    counted = {name: tuple(islice(cells, study.n_syntheses)) for name in targets}
    return Tables(study, settings.counting(), table, counted, tuple(notes))


def _each(work: Callable[[Asked], Found], items: Iterable[Asked], n_records: int) -> list[Found]:
    """Return `work(item)` of each item, on two cores where there are many records: numpy counts in threads at once."""
    if n_records < SHARED:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2) as cores:
        return list(cores.map(work, items))


def chosen(study: Study, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys and the targets in the order of the data; no targets named means all that are not keys.

    Raises
    ------
    DisclosureError
        When a key, a target, or another column that the settings name is not in the data, or none is chosen.
    """
    keys = chosen_keys(study, settings)
    out = settings.exclusions
    excluded = {*dict(out.target_levels), *out.missing_targets, *out.missing_keys, *dict(out.pairs)}
    named = {
        "Target": settings.targets or (),
        "Grouped column": dict(settings.groups),
        "Excluded column": sorted(excluded),
    }
    for role, names in named.items():
        for name in names:
            study.column(name, role)
    rest = tuple(name for name in study.columns if name not in settings.keys)
    targets = rest if settings.targets is None else study.in_data_order(settings.targets)
    if not targets:
        raise DisclosureError("Choose at least one target: a column that is not a key.")
    return keys, targets


def count_keys(study: Study, settings: Settings) -> KeyTable:
    """Count the key combinations alone, where no target is needed.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.
    """
    return combine([study.grouped(name, settings.group(name))[0] for name in chosen_keys(study, settings)])


def chosen_keys(study: Study, settings: Settings) -> tuple[str, ...]:
    """Return the keys in the order of the data.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.
    """
    if not settings.keys:
        raise DisclosureError("Choose at least one key: a column that an outsider could know.")
    for name in settings.keys:
        study.column(name, "Key")
    return study.in_data_order(settings.keys)


@singledispatch
def growing_keys(study: Study, settings: Settings) -> Iterator[KeyTable]:
    """Yield the combinations of the first key, of the first two, and so on; `engines` adds how a `TableStudy` does it.

    Raises
    ------
    DisclosureError
        When a key is not in the data.
    """
    columns = [column for column, _ in key_columns(study, settings)]
    for n in range(1, len(columns) + 1):
        yield combine(columns[:n])


def key_columns(study: Study, settings: Settings) -> list[tuple[Column, tuple[Note, ...]]]:
    """Return the keys in the order of the data, grouped where that is asked for, and what is to be said of each.

    Raises
    ------
    DisclosureError
        When a key is not in the data.
    """
    for name in settings.keys:
        study.column(name, "Key")
    return [study.grouped(name, settings.group(name)) for name in study.in_data_order(settings.keys)]


def combine(keys: Sequence[Column]) -> KeyTable:
    """Return the combinations of the levels of `keys`, coded and counted once for all targets."""
    radix = [key.n_codes for key in keys]
    files = [tuple(key.original for key in keys), *zip(*(key.synthetic for key in keys), strict=True)]
    n_records = sum(sides[0].size for sides in files)
    if prod(radix) <= DENSE * n_records:
        (original, *synthetic), counts, codes = _ranked(files, radix)
        levels = np.unravel_index(codes, radix)
        d_q, *s_q = counts
        tables = tuple(level.astype(key.original.dtype) for key, level in zip(keys, levels, strict=True))
        return KeyTable(tuple(keys), tables, original, tuple(synthetic), d_q, tuple(s_q))
    sides = [np.concatenate(columns) for columns in zip(*files, strict=True)]
    ranks, n = _rank(sides, radix)
    original, *synthetic = np.split(ranks, np.cumsum([file[0].size for file in files])[:-1])
    first = np.empty(n, dtype=np.intp)
    first[ranks] = np.arange(ranks.size)  # any record shows the levels of its combination
    return KeyTable(
        tuple(keys),
        tuple(side[first] for side in sides),
        original,
        tuple(synthetic),
        np.bincount(original, minlength=n),
        tuple(np.bincount(side, minlength=n) for side in synthetic),
    )


def _ranked(
    files: Sequence[Sequence[Codes]], radix: Sequence[int]
) -> tuple[list[npt.NDArray[np.signedinteger[Any]]], list[Counts], npt.NDArray[np.intp]]:
    """Return, a file, each record's rank among the combinations that occur and the records of each; and their codes.

    The files' codes stay apart, and each step writes over the last: ten million records are not copied for nothing.
    """
    combined, counts = [], []
    for sides in files:
        codes = sides[0].astype(np.int64)
        for side, r in zip(sides[1:], radix[1:], strict=True):
            codes *= r
            codes += side
        combined.append(codes)
        counts.append(np.bincount(codes, minlength=prod(radix)))
    seen = np.any([c > 0 for c in counts], axis=0)
    found = np.flatnonzero(seen)
    small = seen.size < 2**31
    rank: Any = np.cumsum(seen, dtype=np.int32 if small else np.int64) - 1
    ranks = []
    while combined:
        ranks.append(rank[combined.pop(0)])
    return ranks, [c[found] for c in counts], found


def _rank(sides: Sequence[Codes], radix: Sequence[int]) -> tuple[npt.NDArray[np.intp], int]:
    """Return each record's rank among the combinations that occur, and how many there are.

    `sides` holds an array of codes a variable, shape (n,) each, every code below its `radix`.
    """
    codes, size = sides[0].astype(np.int64), radix[0]
    for side, r in zip(sides[1:], radix[1:], strict=True):
        if size > _MOST // r:
            codes, size = distinct(codes, size)
        codes = codes * r + side
        size *= r
    return distinct(codes, size)


def distinct(codes: npt.NDArray[np.int64], size: int) -> tuple[npt.NDArray[np.intp], int]:
    """Return the rank of each of `codes`, all below `size`, among those that occur, and how many do."""
    if size <= DENSE * codes.size:
        seen = np.zeros(size, dtype=bool)
        seen[codes] = True
        rank = np.cumsum(seen) - 1
        return rank[codes], int(rank[-1]) + 1
    ranks, values = pd.factorize(codes)
    return ranks, len(values)


def _cells(keys: KeyTable, column: Column, i: int) -> Cells:
    """Return the cells of target `column` in the original and synthesis number `i`, counted from 0."""
    radix = column.n_codes
    size = keys.d_q.size * radix
    sides = (keys.original, column.original), (keys.synthetic[i], column.synthetic[i])
    n_original, n_synthetic = keys.original.size, keys.synthetic[i].size
    if size <= DENSE * (n_original + n_synthetic):
        d, s = (np.bincount(_with_target(*side, radix), minlength=size) for side in sides)
        codes = np.flatnonzero(d + s)
        d, s = d[codes], s[codes]
    else:
        ranks, codes = pd.factorize(np.concatenate([_with_target(*side, radix) for side in sides]))
        codes = np.asarray(codes)
        d = np.bincount(ranks[:n_original], minlength=codes.size)
        s = np.bincount(ranks[n_original:], minlength=codes.size)
    q, target = np.divmod(codes, radix)
    return Cells(n_original, n_synthetic, column, keys, q, target, d, s, keys.d_q, keys.s_q[i])


def _with_target(q: npt.NDArray[Any], target: Codes, radix: int) -> npt.NDArray[np.int64]:
    """Return each record's code of key combination and target level."""
    codes = np.multiply(q, radix, dtype=np.int64)
    codes += target
    return codes


def pair_codes(cells: Cells, key: int, where: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return, for the cells at `where`, a code for (level of key number `key`, target level)."""
    levels = cells.keys.levels[key][cells.q[where]].astype(np.int64)
    return levels * cells.column.n_codes + cells.target[where]
