"""The 1-way and 2-way checks, which tell a leak from common knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Ints
from disclosure_core.counting.cells import Cells, Counted, Pairs
from disclosure_core.counting.measures import percent
from disclosure_core.counting.settings import Pair, Thresholds
from disclosure_core.rounding import above, exceeds

if TYPE_CHECKING:
    import numpy.typing as npt


TWO_WAY = ("target_level", "key", "key_level", "npairs", "n_both", "n_key_level", "pct")


@dataclass(frozen=True, slots=True)
class OneWayCheck:
    """A target level that carries nearly all of the disclosive records (measures.md 7).

    Attributes
    ----------
    level
        The target level.
    n_level, pct_level
        Original records counted with this level, and as % of all original records counted.
    n_disclosive
        Records that DiSCO counts, of every level.
    n_disclosive_level, pct_disclosive
        Those with this level, and as % of `n_disclosive`.
    n_of_all, pct_of_all
        Original records with this level, nothing excluded, and as % of all original records.
    also
        Other levels that pass both thresholds, most records first; only possible with a share below 50 %.
    """

    level: str
    n_level: int
    pct_level: float
    n_disclosive: int
    n_disclosive_level: int
    pct_disclosive: float
    n_of_all: int
    pct_of_all: float
    also: tuple[OneWayCheck, ...] = ()

    @property
    def guessable(self) -> bool:
        """Whether most people have this level, so that guessing it without the synthetic data is mostly right."""
        return above(self.pct_of_all, 50)


def one_way(c: Counted, thresholds: Thresholds) -> OneWayCheck | None:
    """Return the 1-way finding of one target and synthesis, None where there is none.

    Source
    ------
    measures.md 7: the level with most DiSCO records, flagged above both thresholds (strictly).
    """
    cells = c.cells
    n_codes, original = cells.column.n_codes, c.d
    disclosive = np.bincount(cells.target[c.disclosed], weights=original[c.disclosed], minlength=n_codes)
    total = disclosive.sum()
    fewest, share = thresholds.one_way
    passing = np.flatnonzero((disclosive > fewest) & exceeds(disclosive, np.array([total]), share))
    findings = []
    for t in passing[np.argsort(-disclosive[passing], kind="stable")].tolist():
        of_level = cells.target == t
        n_level, n_of_all = original @ of_level, cells.d @ of_level
        findings.append(
            OneWayCheck(
                cells.column.label(t),
                int(n_level),
                percent(n_level, original.sum()),
                int(total),
                int(disclosive[t]),
                percent(disclosive[t], total),
                int(n_of_all),
                percent(n_of_all, cells.n_original),
            )
        )
    return replace(findings[0], also=tuple(findings[1:])) if findings else None


def by_level(checks: Sequence[OneWayCheck | None]) -> dict[str, dict[int, OneWayCheck]]:
    """Return the 1-way findings of the syntheses by level: for each, the synthesis, from 1, and what was found there.

    Levels stand in the order in which they are first found.
    """
    levels: dict[str, dict[int, OneWayCheck]] = {}
    for i, check in enumerate(checks, start=1):
        for each in () if check is None else (check, *check.also):
            levels.setdefault(each.level, {})[i] = each
    return levels


def two_way(c: Counted, thresholds: Thresholds) -> Pairs:
    """Return the 2-way findings of one target and synthesis.

    Source
    ------
    measures.md 7: among DiSCO cells over the first threshold, the pairs of a key level and the target level that more
    than the second threshold, in %, of all original records with that key level have.
    """
    fewest, share = thresholds.two_way
    pairs = c.pairs(fewest)
    return pairs.where(exceeds(pairs.n_both, pairs.n_level, share))


def n_distinct(pairs: Sequence[Pairs]) -> int:
    """Return how many pairs several syntheses list together, each counted once."""
    rows = [np.column_stack((each.key, each.level, each.target)) for each in pairs if each.key.size]
    return len(np.unique(np.concatenate(rows), axis=0)) if rows else 0


def two_way_frames(cells: Cells, pairs: Sequence[Pairs]) -> tuple[pd.DataFrame, ...]:
    """Return the 2-way findings as tables, most records first; ties in the order of the keys, then by pair.

    Parameters
    ----------
    cells
        Of the target, beside any synthesis.
    pairs
        What `two_way` returned, one a synthesis.

    Returns
    -------
    tuple of DataFrame
        One a synthesis. Columns as `TWO_WAY`: npairs the DiSCO records in the pair's cells over the threshold; n_both
        and n_key_level the original records (nothing excluded) with both levels and with the key level; pct the share
        of the former.
    """
    sizes = [each.key.size for each in pairs]
    if not sum(sizes):
        return tuple(_NO_PAIRS.copy(deep=False) for _ in pairs)
    # One table for all syntheses, cut at the end: texts are made once.
    side, every = _together(pairs)
    names, levels, targets = _texts(cells, every)
    order = np.lexsort((levels.astype(str), targets.astype(str), every.key, -every.npairs, side))
    frame = pd.DataFrame(
        {
            "target_level": pd.array(targets[order], dtype="str"),
            "key": pd.array(names[order], dtype="str"),
            "key_level": pd.array(levels[order], dtype="str"),
            "npairs": every.npairs[order],
            "n_both": every.n_both[order],
            "n_key_level": every.n_level[order],
            "pct": 100 * every.n_both[order] / every.n_level[order],
        },
        copy=False,
    )
    frames = tuple(frame.iloc[a:b] for a, b in pairwise(np.cumsum([0, *sizes]).tolist()))
    for each in frames:
        each.index = pd.RangeIndex(len(each))
    return frames


@dataclass(frozen=True, slots=True)
class ListedPair:
    """A pair that the 2-way check flags, and what excluding it takes.

    Attributes
    ----------
    records
        DiSCO records with both levels that the exclusions leave, in cells of any size, mean over the syntheses: what
        excluding the pair takes. (npairs of the published check counts cells over its threshold alone.)
    n_both, n_key_level
        Original records, nothing excluded, with both levels, and with the key level.
    n_target_level, n_original
        Original records with the target level, and all.
    syntheses
        How many flag it.
    """

    records: float
    n_both: int
    n_key_level: int
    n_target_level: int
    n_original: int
    syntheses: int

    @property
    def pct(self) -> float:
        """Share of the original records with the key level that have the target level, %."""
        return percent(self.n_both, self.n_key_level)

    @property
    def pct_of_all(self) -> float:
        """Share of all original records that have the target level, %."""
        return percent(self.n_target_level, self.n_original)

    @property
    def lift(self) -> float:
        """How many times as frequent the target level is with the key level as among all: `pct` / `pct_of_all`."""
        return self.n_both * self.n_original / (self.n_key_level * self.n_target_level)

    @property
    def together(self) -> bool:
        """Whether the lift is above 1: the two levels belong together; else the target level is merely common."""
        return self.n_both * self.n_original > self.n_key_level * self.n_target_level


def pairs_listed(pairs: Sequence[Pairs], counted: Sequence[Counted]) -> dict[Pair, ListedPair]:
    """Return the 2-way findings of all syntheses, each pair once, most records first; ties as in `two_way_frames`.

    Parameters
    ----------
    pairs
        What `two_way` returned, one a synthesis.
    counted
        The cells and what is left of them, one a synthesis: what `ListedPair.records` is of.
    """
    if not any(each.key.size for each in pairs):
        return {}
    cells = counted[0].cells
    every = _together(pairs)[1]
    at = np.column_stack((every.key, every.level, every.target))
    _, first, flagging = np.unique(at, axis=0, return_index=True, return_counts=True)
    every = every.where(first)
    place = {pair: i for i, pair in enumerate(map(tuple, at[first].tolist()))}
    records = np.zeros(first.size, dtype=np.int64)
    for each in counted:
        left = each.pairs(0)
        for pair, n in zip(
            zip(*(a.tolist() for a in (left.key, left.level, left.target)), strict=True),
            left.npairs.tolist(),
            strict=True,
        ):
            if pair in place:
                records[place[pair]] += n
    in_target = np.bincount(cells.target, weights=cells.d, minlength=cells.column.n_codes)
    names, levels, targets = _texts(cells, every)
    order = np.lexsort((levels.astype(str), targets.astype(str), every.key, -records))
    return {
        Pair(names[i], levels[i], targets[i]): ListedPair(
            int(records[i]) / len(counted),
            int(every.n_both[i]),
            int(every.n_level[i]),
            int(in_target[every.target[i]]),
            cells.n_original,
            int(flagging[i]),
        )
        for i in order.tolist()
    }


def _together(pairs: Sequence[Pairs]) -> tuple[Ints, Pairs]:
    """Return the pairs of all syntheses under one another, with the number of the synthesis, from 0."""
    side = np.repeat(np.arange(len(pairs)), [each.key.size for each in pairs])
    return side, Pairs(*(np.concatenate([getattr(each, f.name) for each in pairs]) for f in fields(Pairs)))


def _texts(cells: Cells, pairs: Pairs) -> tuple[npt.NDArray[np.object_], ...]:
    """Return the names of keys, and the texts of their levels and of target levels, a pair each."""
    keys = cells.keys.keys
    names = np.array([key.name for key in keys], dtype=object)[pairs.key]
    labels = np.array([label for key in keys for label in key.labels], dtype=object)
    targets = np.array(cells.column.labels, dtype=object)[pairs.target]
    return names, labels[cells.keys.first_level[pairs.key] + pairs.level], targets


_NO_PAIRS = pd.DataFrame(
    {
        name: pd.Series(dtype="str" if name in TWO_WAY[:3] else "float64" if name == "pct" else "int64")
        for name in TWO_WAY
    }
)
