"""Counts of target by keys: the one table that every measure is read from, and the only counting.

No table of key combinations by target levels is made: what is counted is one integer code a record, in arrays no
longer than a few times the records, and only cells that hold a record are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Array, Counts, Floats, Indices, Ints, Mask, Signed
from disclosure_core.counting.answers import NOBODY, answers
from disclosure_core.counting.codes import places, summed
from disclosure_core.counting.exclusions import Exclusion, beyond, rules
from disclosure_core.counting.key_table import KeyTable, Profile

if TYPE_CHECKING:
    import numpy.typing as npt

    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.values import Note


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
    q: Signed
    target: Signed
    d: Counts
    s: Counts
    d_q: Counts
    s_q: Counts
    _pairs_in_original: list[tuple[Ints, Pairs]] = field(default_factory=list, repr=False)
    """At most one entry, of the original alone: the cells of all syntheses of a target share it."""

    @cached_property
    def claim(self) -> Signed:
        """Shape (n_cells,): what the synthetic records with the keys of each cell answer."""
        return self.answers.take(self.q)

    @cached_property
    def answers(self) -> Signed:
        """Shape (n_q,): what the synthetic records with these keys answer, as `answers.answers`."""
        return self._answers(self.s)

    def _answers(self, counts: Counts) -> Signed:
        held = np.flatnonzero(counts > 0)  # of a mask: faster than of numbers
        return answers(self.q.take(held), self.target.take(held), self.d_q.size)

    @cached_property
    def disclosive_original(self) -> Mask:
        """Shape (n_cells,): pd = 1, every original record with these keys has this target level."""
        return self._answers(self.d).take(self.q) == self.target

    @cached_property
    def disclosive_synthetic(self) -> Mask:
        """Shape (n_cells,): ps = 1, every synthetic record with these keys has this target level."""
        return self.claim == self.target

    @property
    def one_answer(self) -> Mask:
        """Shape (n_cells,): D(q), the synthetic data give one target level for these keys, right or wrong."""
        return self.claim >= 0

    @cached_property
    def truths(self) -> npt.NDArray[np.int8]:
        """Shape (n_cells,): what is true of each cell, as bits: 1 pd = 1, 2 ps = 1, 4 D(q), 8 s[q] > 0."""
        masks = (self.disclosive_original, self.disclosive_synthetic, self.one_answer, self.claim != NOBODY)
        pd_1, ps_1, one_answer, in_synthetic = (mask.view(np.int8) for mask in masks)
        return pd_1 + 2 * ps_1 + 4 * one_answer + 8 * in_synthetic

    def pair_codes(self, where: Indices) -> Ints:
        """Return, shape (n_keys × n,), a code for (level of a key, target level) of some cells, key after key."""
        return (self.keys.levels_of(self.q[where]) * self.column.n_codes + self.target[where]).ravel()

    @property
    def pairs_in_original(self) -> tuple[Ints, Pairs]:
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
    def codes(self) -> Ints:
        """Shape (n_cells,), in no order: a whole number a cell that means the same (q, t) beside every synthesis."""
        codes = self.q.astype(np.int64)
        codes *= self.column.n_codes
        codes += self.target
        return codes

    def at(self, codes: Ints, values: Array) -> Floats:
        """Return `values`, one for each of these cells, at the cells called `codes`; 0 where there is no such cell."""
        nearest = places(self.codes, codes)
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
    def disclosed(self) -> Indices:
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

    def leaves(self, others: Counts | int = 0) -> Mask:
        """Return, shape (n_cells,), where people are counted beside the original's: so many `others` in each cell.

        A member counts themselves in d already; somebody outside the data is one more.
        """
        return self.kinds(self.cells.d + others) == Exclusion.COUNTED

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

    key: Ints
    level: Ints
    target: Ints
    npairs: Counts
    n_both: Counts
    n_level: Counts

    def where(self, some: Array) -> Pairs:
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
