"""Cells that came back merged: the same figures as `counting.cells` gives, from identical cells with their number."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.counting.cells import NO_PAIRS, Cells, Counted, KeyTable, Pairs, Profile
from disclosure_core.counting.counted_keys import KeysElsewhere
from disclosure_core.counting.settings import Exclusions

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

    from disclosure_core.counting.cells import Counts
    from disclosure_core.engines.query import TargetCells


@dataclass(frozen=True, eq=False, repr=False)
class MergedKeys(KeysElsewhere):
    """Key combinations of which only the merged profile is here: how many there are with the same counts."""

    merged: pd.DataFrame

    def profile(self, i: int, missing_keys: frozenset[str] = frozenset()) -> Profile:
        """Return the records of each kind of key combination, without `missing_keys`."""
        rows = self.merged[self.merged["i"] == i]
        left_out = sum(1 << j for j, key in enumerate(self.keys) if key.name in missing_keys)
        counted = (_counts(rows, "missing") & left_out) == 0
        d_q, s_q = _counts(rows, "d"), _counts(rows, "s")
        return Profile(d_q * counted, s_q * counted, s_q > 0, _counts(rows, "n"))

    def class_sizes(self, file: int) -> tuple[Counts, Counts]:
        """Return the sizes of a file's key combinations, rising, and how many have each; 0 is the original."""
        side = "s" if file else "d"
        rows = self.merged[(self.merged["i"] == max(file - 1, 0)) & (self.merged[side] > 0)]
        classes = rows.groupby(side)["n"].sum()
        return classes.index.to_numpy(dtype=np.int64), classes.to_numpy(dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class MergedCells(Cells):
    """Cells of one synthesis, identical ones merged; `q` tells kinds of key combinations apart."""

    source: TargetCells = field(kw_only=True)
    i: int = field(kw_only=True)
    out: Exclusions = field(kw_only=True)
    kind: npt.NDArray[np.int8] = field(kw_only=True)
    left_d: Counts = field(kw_only=True)
    left_s: Counts = field(kw_only=True)

    @cached_property
    def full(self) -> Counted:
        """The cells with nothing excluded."""
        return self.counted(Exclusions())

    def levels_in_classes(self, *, original: bool) -> tuple[Counts, Counts, Counts]:
        """Return numbers of target levels that key combinations of a side hold, rising; how many do; their records."""
        rows = self.source.levels_in_classes()
        rows = rows[rows["file"] == (0 if original else self.i + 1)].sort_values("levels")
        return _counts(rows, "levels"), _counts(rows, "classes"), _counts(rows, "records")

    def counted(self, exclusions: Exclusions) -> Counted:
        """Return the cells with what `exclusions` leave of them; the engine reads its cells again.

        Raises
        ------
        DisclosureError
            When a level, or the key of a pair, is not in the data, or the engine cannot answer.
        """
        of_target = exclusions.of(self.column.name)
        cells = self if of_target == self.out else merged_cells(self.source, self.i, of_target, self.keys)
        return MergedCounted(cells, cells.kind if cells.kind.any() else None, of_target.denominator_limit)


@dataclass(frozen=True, eq=False, repr=False)
class MergedCounted(Counted):
    """Merged cells and what the exclusions leave of them, as the engine says it."""

    cells: MergedCells

    @cached_property
    def d_q(self) -> Counts:
        """Shape (n_q,): original records counted of each kind of key combination, d'[q]."""
        return self.cells.left_d

    @cached_property
    def s_q(self) -> Counts:
        """Shape (n_q,): synthetic records counted of each kind of key combination, s'[q]."""
        return self.cells.left_s

    def pairs(self, fewest: float) -> Pairs:
        """Return the pairs of a key level and a target level among DiSCO cells over `fewest` records."""
        cells = self.cells
        if not (self.d[self.disclosed] > fewest).any():
            return NO_PAIRS
        pairs = cells.source.pairs(cells.out, fewest)
        pairs = pairs[pairs["i"] == cells.i]
        return Pairs(*(_counts(pairs, name) for name in ("key", "level", "t", "npairs", "n_both", "n_level")))


def merged_cells(source: TargetCells, i: int, exclusions: Exclusions, keys: KeyTable) -> MergedCells:
    """Return the cells of one synthesis, counted from 0, as the engine merged them under these exclusions."""
    rows = source.merged(exclusions)
    rows = rows[rows["i"] == i]
    kinds = rows.groupby(["d_q", "s_q", "said", "left_d", "left_s"], sort=False)
    q: Any = kinds.ngroup().to_numpy(dtype=np.intp)
    combinations = kinds["n_q"].sum().reset_index()
    assert source.target is not None
    return MergedCells(
        keys.n_original,
        keys.n_synthetic[i],
        source.target,
        keys,
        q,
        _counts(rows, "t"),
        _counts(rows, "d"),
        _counts(rows, "s"),
        _counts(combinations, "d_q"),
        _counts(combinations, "s_q"),
        _counts(rows, "n"),
        _counts(combinations, "n_q"),
        source=source,
        i=i,
        out=exclusions,
        kind=_counts(rows, "kind").astype(np.int8),
        left_d=_counts(combinations, "left_d"),
        left_s=_counts(combinations, "left_s"),
    )


def _counts(rows: pd.DataFrame, name: str) -> Counts:
    return rows[name].to_numpy(dtype=np.int64)


def merged_keys(source: TargetCells, n_keys: int) -> MergedKeys:
    """Return the combinations of the first `n_keys` keys, merged."""
    nothing = np.zeros(0, dtype=np.int64)
    sizes = (source.study.n_original, *source.study.n_synthetic)
    merged = source.keys_profile(n_keys)
    return MergedKeys(tuple(source.keys[:n_keys]), (), nothing, (), nothing, (), sizes, merged)
