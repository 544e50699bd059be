"""Counts of target by keys: the one table that every measure is read from, and the only counting.

No table of key combinations by target levels is made: what is counted is one integer code a record, in arrays no
longer than a few times the records, and only cells that hold a record are kept.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, singledispatch
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.exclusions import Exclusion, beyond, rules
from disclosure_core.data.column import with_records
from disclosure_core.data.study import Study
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.column import Codes, Column, Variable
    from disclosure_core.data.study import AnyStudy, StudyOf, V_co
    from disclosure_core.data.values import Note

Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Item = TypeVar("Item")
Result = TypeVar("Result")

DENSE = 4
"""Codes are counted in an array of their whole range where that is no longer than this many times the records."""
SHARED = 200_000
"""Records of both sides from which the targets are counted on two cores."""

_MOST = 2**62
"""Combined codes stay below this; beyond it they are ranked on the way."""


@dataclass(frozen=True, eq=False, repr=False)
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


@dataclass(frozen=True, eq=False, repr=False)
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

    keys: tuple[Variable, ...]
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

    @cached_property
    def first_level(self) -> npt.NDArray[np.int64]:
        """Shape (n_keys,): where each key's levels begin when the levels of all keys are numbered through."""
        return np.cumsum([0, *(key.n_codes for key in self.keys[:-1])])

    @cached_property
    def original_in_level(self) -> Counts:
        """Original records with each level of each key, the levels of all keys numbered through."""
        levels = zip(self.keys, self.levels, strict=True)
        counts = [np.bincount(codes, weights=self.d_q, minlength=key.n_codes) for key, codes in levels]
        return np.concatenate(counts).astype(np.int64)

    def levels_of(self, q: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """Return, shape (n_keys, n), the levels of key combinations, the levels of all keys numbered through."""
        return np.stack([first + codes[q] for first, codes in zip(self.first_level, self.levels, strict=True)])

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
                out |= np.isin(levels, key.missing)
        return out


@dataclass(frozen=True, eq=False, repr=False)
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
        Shape (n_cells,): key combination and target code of each cell, in the smallest type that holds them.
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
    column: Variable
    keys: KeyTable
    q: npt.NDArray[np.signedinteger[Any]]
    target: npt.NDArray[np.signedinteger[Any]]
    d: Counts
    s: Counts
    d_q: Counts
    s_q: Counts
    n: Counts | None = None
    n_q: Counts | None = None
    _pairs_in_original: list[tuple[npt.NDArray[np.int64], Pairs]] = field(default_factory=list, repr=False)
    """At most one entry, of the original alone: the cells of all syntheses of a target share it."""

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
    def said(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Shape (n_q,): the code of the one target level that the synthetic data give for these keys, −1 for none."""
        said = np.full(self.s_q.shape, -1, dtype=self.target.dtype)
        said[self.q[self.disclosive_synthetic]] = self.target[self.disclosive_synthetic]
        return said

    @property
    def one_answer(self) -> Mask:
        """Shape (n_cells,): D(q), the synthetic data give one target level for these keys, right or wrong."""
        return (self.said >= 0)[self.q]

    @cached_property
    def truths(self) -> npt.NDArray[np.int8]:
        """Shape (n_cells,): what is true of each cell, as bits: 1 pd = 1, 2 ps = 1, 4 D(q), 8 s[q] > 0."""
        masks = (self.disclosive_original, self.disclosive_synthetic, self.one_answer, self.in_synthetic)
        pd_1, ps_1, one_answer, in_synthetic = (mask.view(np.int8) for mask in masks)
        return pd_1 + 2 * ps_1 + 4 * one_answer + 8 * in_synthetic

    def pair_codes(self, where: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """Return, shape (n_keys × n,), a code for (level of a key, target level) of some cells, key after key."""
        return (self.keys.levels_of(self.q[where]) * self.column.n_codes + self.target[where]).ravel()

    @property
    def pairs_in_original(self) -> tuple[npt.NDArray[np.int64], Pairs]:
        """All pairs of a key level and a target level that an original record has: their codes, rising, and they."""
        if not self._pairs_in_original:
            held = np.flatnonzero(self.d)
            size = sum(key.n_codes for key in self.keys.keys) * self.column.n_codes
            codes, counts = summed(self.pair_codes(held), np.tile(self.d[held], len(self.keys.keys)), size)
            level, target = np.divmod(codes, self.column.n_codes)
            key = np.searchsorted(self.keys.first_level, level, side="right") - 1
            level_of_key, in_level = level - self.keys.first_level[key], self.keys.original_in_level[level]
            self._pairs_in_original.append((codes, Pairs(key, level_of_key, target, counts, counts, in_level)))
        return self._pairs_in_original[0]

    @cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        """Shape (n_cells,), in no order: a whole number a cell that means the same (q, t) beside every synthesis."""
        codes = self.q.astype(np.int64)
        codes *= self.column.n_codes
        codes += self.target
        return codes

    def at(self, codes: npt.NDArray[np.int64], values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return `values`, one for each of these cells, at the cells called `codes`; 0 where there is no such cell."""
        order = np.argsort(self.codes)
        nearest = order[np.minimum(np.searchsorted(self.codes, codes, sorter=order), order.size - 1)]
        return np.where(self.codes[nearest] == codes, values[nearest], 0.0)

    @cached_property
    def full(self) -> Counted:
        """The cells with nothing excluded."""
        return Counted(self, None)

    def counted(self, exclusions: Exclusions) -> Counted:
        """Return the cells with what `exclusions` leave of them; nothing is counted again.

        Raises
        ------
        DisclosureError
            When a level, or the key of a pair, is not in the data.
        """
        excluded_by = self._excluded_by(exclusions)
        limit = exclusions.denominator_limit
        return self.full if excluded_by is None and limit is None else Counted(self, excluded_by, limit)

    def _excluded_by(self, out: Exclusions) -> npt.NDArray[np.int8] | None:
        """Return, shape (n_cells,), the kind from 1 to 4 that leaves each cell out; None where no kind is asked for."""
        applied = rules(out, self.column, self.keys.keys)
        if not applied:
            return None
        excluded_by = np.zeros(self.q.shape, dtype=np.int8)
        for rule in reversed(applied):  # an earlier kind overwrites a later one
            excluded_by[rule.leaves_out(self.keys.levels, self.q, self.target)] = rule.kind
        return excluded_by


@dataclass(frozen=True, eq=False, repr=False)
class Counted:
    """Cells and what the exclusions leave of them: all that a measure is read from.

    Attributes
    ----------
    cells
        The full tables, on which disclosiveness is decided.
    excluded_by
        Shape (n_cells,): the kind from 1 to 4 that leaves each cell out, 0 where none does. None: none asked for.
    limit
        Denominator limit, records; it acts on each table by that table's own counts. None: no limit.
    """

    cells: Cells
    excluded_by: npt.NDArray[np.int8] | None
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
    def disclosed(self) -> npt.NDArray[np.intp]:
        """Shape (n,): the cells that DiSCO counts, ps = 1 and an original record left."""
        return np.flatnonzero(self.cells.disclosive_synthetic & (self.d > 0))

    @cached_property
    def profile(self) -> Profile:
        """The records counted of each key combination."""
        return Profile(self.d_q, self.s_q, self.cells.s_q > 0, self.cells.n_q)

    def pairs(self, fewest: float) -> Pairs:
        """Return the pairs of a key level and a target level among DiSCO cells over `fewest` records."""
        cells = self.cells
        big = self.disclosed[self.d[self.disclosed] > fewest]
        if not big.size:
            return NO_PAIRS
        codes, pairs = cells.pairs_in_original
        at = np.searchsorted(codes, cells.pair_codes(big))
        npairs = np.bincount(at, weights=np.tile(self.d[big], len(cells.keys.keys)), minlength=codes.size)
        return replace(pairs, npairs=npairs.astype(np.int64)).where(npairs > 0)

    @property
    def everything(self) -> bool:
        """Whether nothing is excluded."""
        return self.excluded_by is None and self.limit is None

    def kinds(self, counts: Counts) -> npt.NDArray[np.int8]:
        """Return, shape (n_cells,), the kind from 0 to 5 for the table `counts`: 0 counted, 1 to 5 why not."""
        kinds = np.zeros(counts.shape, dtype=np.int8) if self.excluded_by is None else self.excluded_by
        if self.limit is None:
            return kinds
        over = (kinds == Exclusion.COUNTED) & beyond(counts, self.limit)
        return np.where(over, np.int8(Exclusion.DENOMINATOR), kinds)

    def _counted(self, counts: Counts) -> Counts:
        return counts if self.everything else counts * (self.kinds(counts) == Exclusion.COUNTED)

    def _by_keys(self, counts: Counts, full: Counts) -> Counts:
        if self.everything:
            return full
        # Float sums are exact below 2^53 records.
        return np.bincount(self.cells.q, weights=counts, minlength=full.size).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pairs:
    """Pairs of a level of a key with a target level, in no order.

    Attributes
    ----------
    key, level, target
        Shape (n_pairs,): number of the key, codes of its level and of the target level.
    npairs
        Shape (n_pairs,): records counted in the cells asked for.
    n_both, n_level
        Shape (n_pairs,): original records, nothing excluded, with both levels and with the key level.
    """

    key: npt.NDArray[np.int64]
    level: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    npairs: Counts
    n_both: Counts
    n_level: Counts

    def where(self, some: npt.NDArray[Any]) -> Pairs:
        """Return some of these pairs, by a mask or their places."""
        return Pairs(*(getattr(self, f.name)[some] for f in fields(self)))


NO_PAIRS = Pairs(*[np.zeros(0, dtype=np.int64)] * 6)


@dataclass(frozen=True, eq=False, repr=False)
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

    study: AnyStudy
    counting: str
    keys: KeyTable
    targets: dict[str, tuple[Cells, ...]]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        """Return one line: what was counted; never data."""
        return f"Tables of {self.keys.n_original:,} original records: {len(self.targets):,} targets"


@singledispatch
def count(study: AnyStudy, settings: Settings) -> Tables:  # noqa: ARG001 (of what is registered)
    """Count the cells of every target and synthesis; `engines` adds how a `TableStudy` does it.

    Raises
    ------
    DisclosureError
        When a key or target is not in the data, none is chosen, or it is no study.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, assess
    >>> study, settings = Study(original, [original]), Settings(keys=["age"])
    >>> tables = count(study, settings)
    >>> assess(study, settings, tables).tables is tables
    True
    """
    raise DisclosureError(f"Give a Study to count, which a {type(study).__name__} is not.")


@count.register(Study)
def _(study: Study, settings: Settings) -> Tables:
    keys, targets = chosen(study, settings)
    notes: list[Note] = []
    columns = {}
    for name in (*keys, *targets):
        columns[name], of_grouping = study.grouped(name, settings.group(name))
        notes += of_grouping
    table = combine([columns[name] for name in keys])
    n_records = study.n_original + sum(study.n_synthetic)
    cells = _each(lambda name: _cells(table, columns[name]), targets, n_records)
    return Tables(study, settings.counting(), table, dict(zip(targets, cells, strict=True)), tuple(notes))


def _each(work: Callable[[Item], Result], items: Iterable[Item], n_records: int) -> list[Result]:
    """Return `work(item)` of each item, on two cores where there are many records: numpy counts in threads at once."""
    if n_records < SHARED:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2) as cores:
        return list(cores.map(work, items))


def chosen(study: AnyStudy, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
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


def count_keys(study: AnyStudy, settings: Settings) -> KeyTable:
    """Count the key combinations alone, where no target is needed.

    Raises
    ------
    DisclosureError
        When a key is not in the data, none is chosen, or the records stay in an engine.
    """
    return combine(
        [with_records(study.grouped(name, settings.group(name))[0]) for name in chosen_keys(study, settings)]
    )


def chosen_keys(study: AnyStudy, settings: Settings) -> tuple[str, ...]:
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
def growing_keys(study: AnyStudy, settings: Settings, order: Sequence[str]) -> Iterator[KeyTable]:  # noqa: ARG001 (as `count`)
    """Yield the combinations of the first key of `order`, of the first two, and so on.

    `engines` adds how a `TableStudy` does it.

    Raises
    ------
    DisclosureError
        When a key is not in the data.
    """
    raise TypeError(f"No function counts the keys of a {type(study).__name__}.")


@growing_keys.register(Study)
def _(study: Study, settings: Settings, order: Sequence[str]) -> Iterator[KeyTable]:
    columns = [column for column, _ in key_columns(study, settings, order)]
    for n in range(1, len(columns) + 1):
        yield combine(columns[:n])


def key_columns(
    study: StudyOf[V_co], settings: Settings, order: Sequence[str] = ()
) -> list[tuple[V_co, tuple[Note, ...]]]:
    """Return the keys, grouped where that is asked for, and what is to be said of each: as ordered, or as in the data.

    Raises
    ------
    DisclosureError
        When a key is not in the data.
    """
    for name in settings.keys:
        study.column(name, "Key")
    return [study.grouped(name, settings.group(name)) for name in order or study.in_data_order(settings.keys)]


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
    present = np.flatnonzero(seen)
    small = seen.size < 2**31
    rank: Any = np.cumsum(seen, dtype=np.int32 if small else np.int64) - 1
    ranks = []
    while combined:
        ranks.append(rank[combined.pop(0)])
    return ranks, [c[present] for c in counts], present


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


def summed(codes: npt.NDArray[np.int64], weights: Counts, size: int) -> tuple[npt.NDArray[np.int64], Counts]:
    """Return the distinct `codes`, all below `size`, rising, and the sum of the `weights` of each, none of them 0."""
    if size <= DENSE * codes.size:
        sums = np.bincount(codes, weights=weights, minlength=size)
        present = np.flatnonzero(sums > 0)
        return present, sums[present].astype(np.int64)
    at, values = pd.factorize(codes, sort=True)
    return np.asarray(values), np.bincount(at, weights=weights).astype(np.int64)


def _cells(keys: KeyTable, column: Column) -> tuple[Cells, ...]:
    """Return the cells of target `column` in the original and each synthesis."""
    radix, n_original = column.n_codes, keys.n_original
    files = zip((keys.original, *keys.synthetic), (column.original, *column.synthetic), strict=True)
    coded: Iterable[npt.NDArray[np.int64]] = (_with_target(q, target, radix) for q, target in files)
    size = keys.d_q.size * radix
    code_of_rank = None
    if size > DENSE * 2 * n_original:
        coded, code_of_rank = _by_rank(list(coded))
        size = code_of_rank.size
    counts = (np.bincount(codes, minlength=size) for codes in coded)  # one synthesis at a time is held
    in_original = next(counts)
    held = in_original > 0
    shared: list[tuple[npt.NDArray[np.int64], Pairs]] = []
    cells = []
    for n_synthetic, s_q, in_synthetic in zip(keys.n_synthetic, keys.s_q, counts, strict=True):
        at = np.flatnonzero(held | (in_synthetic > 0))
        codes = at if code_of_rank is None else code_of_rank[at]
        q, target = _narrow(codes // radix, keys.d_q.size), _narrow(codes % radix, radix)
        d, s = in_original[at], in_synthetic[at]
        cells.append(
            Cells(n_original, n_synthetic, column, keys, q, target, d, s, keys.d_q, s_q, _pairs_in_original=shared)
        )
    return tuple(cells)


def _narrow(indices: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.signedinteger[Any]]:
    """Return indices below `size` in the smallest signed type that holds them."""
    return indices.astype(np.min_scalar_type(-max(size, 1)))


def _by_rank(files: Sequence[npt.NDArray[np.int64]]) -> tuple[list[npt.NDArray[np.intp]], npt.NDArray[np.int64]]:
    """Return each file's codes as ranks among those that occur in any, and the code of each rank."""
    ranks, codes = pd.factorize(np.concatenate(files))
    return np.split(ranks, np.cumsum([file.size for file in files])[:-1]), np.asarray(codes)


def _with_target(q: npt.NDArray[Any], target: Codes, radix: int) -> npt.NDArray[np.int64]:
    """Return each record's code of key combination and target level."""
    codes = np.multiply(q, radix, dtype=np.int64)
    codes += target
    return codes
