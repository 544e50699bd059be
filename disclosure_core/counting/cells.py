"""Counts of target by keys: the one table that every measure is read from, and the only counting.

No table of key combinations by target levels is made: what is counted is one integer code a record, in arrays no
longer than a few times the records, and only cells that hold a record are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from disclosure_core.counting.codes import summed
from disclosure_core.counting.exclusions import Exclusion, beyond, rules
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.data.column import Codes, Variable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.values import Note

Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """The records of key combinations on both sides: all that identity disclosure is read from.

    Attributes
    ----------
    d_q, s_q
        Shape (n_q,): original and synthetic records counted of each combination.
    in_synthetic
        Shape (n_q,): whether the combination occurs in the full synthetic data.
    """

    d_q: Counts
    s_q: Counts
    in_synthetic: Mask

    def combinations(self, where: Mask) -> int:
        """Return how many key combinations the rows of `where` stand for."""
        return int(np.count_nonzero(where))


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

    def class_sizes(self, file: int) -> tuple[Counts, Counts]:
        """Return the sizes of a file's key combinations, rising, and how many have each; 0 is the original."""
        counts = (self.d_q, *self.s_q)[file]
        sizes, classes = np.unique(counts[counts > 0], return_counts=True)
        return sizes, classes

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
    _pairs_in_original: list[tuple[npt.NDArray[np.int64], Pairs]] = field(default_factory=list, repr=False)
    """At most one entry, of the original alone: the cells of all syntheses of a target share it."""

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

    def levels_in_classes(self, *, original: bool) -> tuple[Counts, Counts, Counts]:
        """Return numbers of target levels that key combinations of a side hold, rising; how many do; their records."""
        counts, records_q = (self.d, self.d_q) if original else (self.s, self.s_q)
        levels = np.bincount(self.q, weights=counts > 0, minlength=records_q.size).astype(np.int64)
        classes = np.bincount(levels[records_q > 0])
        records = np.bincount(levels, weights=records_q).astype(np.int64)
        n_levels = np.flatnonzero(classes)
        return n_levels, classes[n_levels], records[n_levels]

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
        return Profile(self.d_q, self.s_q, self.cells.s_q > 0)

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
