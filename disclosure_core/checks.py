"""The 1-way and 2-way checks: is an apparent disclosure only common knowledge?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.cells import Cells, Counted, pair_codes
from disclosure_core.measures import percent

if TYPE_CHECKING:
    from disclosure_core.settings import Thresholds

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
    also
        Other levels that pass both thresholds, most records first; only possible with a share below 50 %.
    """

    level: str
    n_level: int
    pct_level: float
    n_disclosive: int
    n_disclosive_level: int
    pct_disclosive: float
    also: tuple[OneWayCheck, ...] = ()


def one_way(c: Counted, thresholds: Thresholds) -> OneWayCheck | None:
    """Return the 1-way finding of one target and synthesis, None where there is none.

    Source
    ------
    measures.md 7: the level with most DiSCO records, flagged above both thresholds (strictly).
    """
    cells = c.cells
    n_codes = cells.column.n_codes
    disclosive = np.bincount(cells.target, weights=c.d * cells.disclosive_synthetic, minlength=n_codes)
    total = disclosive.sum()
    fewest, share = thresholds.one_way
    # Compared as a product: 90 % of 10 records is 9 exactly.
    passing = np.flatnonzero((disclosive > fewest) & (100 * disclosive > share * total))
    if not passing.size:
        return None
    level = np.bincount(cells.target, weights=c.d, minlength=n_codes)
    labels = cells.column.labels
    found = [
        OneWayCheck(
            labels[t],
            int(level[t]),
            percent(level[t], level.sum()),
            int(total),
            int(disclosive[t]),
            percent(disclosive[t], total),
        )
        for t in passing[np.argsort(-disclosive[passing], kind="stable")].tolist()
    ]
    top = found[0]
    return OneWayCheck(
        top.level, top.n_level, top.pct_level, top.n_disclosive, top.n_disclosive_level, top.pct_disclosive,
        tuple(found[1:]),
    )


def two_way(c: Counted, thresholds: Thresholds) -> pd.DataFrame:
    """Return the 2-way findings of one target and synthesis, most records first.

    Returns
    -------
    DataFrame
        Columns as `TWO_WAY`: npairs the DiSCO records in the pair's cells over the threshold; n_both and n_key_level
        the original records (nothing left out) with both levels and with the key level; pct the share of the former.

    Source
    ------
    measures.md 7.
    """
    fewest, share = thresholds.two_way
    big = np.flatnonzero(c.cells.disclosive_synthetic & (c.d > fewest))
    if not big.size:
        return _two_way_frame([], [], [], [], [], [])
    keys = c.cells.keys.keys
    parts = [_pairs_of_key(c, i, big, share) for i in range(len(keys))]
    key, level, target, npairs, n_both, n_level = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    target_text = np.array(c.cells.column.labels, dtype=object)[target]
    level_text = np.concatenate([np.array(k.labels, dtype=object)[p[1]] for k, p in zip(keys, parts, strict=True)])
    # Most records first; ties: keys in the order of the data, then the pair's name.
    order = np.lexsort((level_text, target_text, key, -npairs))
    names = np.array([k.name for k in keys], dtype=object)[key]
    return _two_way_frame(*(a[order] for a in (target_text, names, level_text, npairs, n_both, n_level)))


def _two_way_frame(target, key, level, npairs, n_both, n_level) -> pd.DataFrame:
    columns = dict(zip(TWO_WAY, (target, key, level, npairs, n_both, n_level), strict=False))
    types = dict.fromkeys(TWO_WAY[:3], "str") | dict.fromkeys(TWO_WAY[3:], "int64")
    frame = pd.DataFrame({name: pd.Series(values, dtype=types[name]) for name, values in columns.items()})
    return frame.assign(pct=100 * frame["n_both"] / frame["n_key_level"])


def _pairs_of_key(c: Counted, i: int, big: np.ndarray, share: float) -> tuple[np.ndarray, ...]:
    """Return the pairs of key number `i` whose key level predicts the target level in over `share` % of records.

    Returns
    -------
    tuple of arrays
        Shape (n_pairs,) each: `i`, key level, target level, npairs, n_both, n_key_level.
    """
    cells = c.cells
    pairs, at = np.unique(pair_codes(cells, i, big), return_inverse=True)
    levels, targets = np.divmod(pairs, cells.column.n_codes)
    n_both = _in_pairs(cells, i, pairs)
    n_level = np.bincount(cells.keys.levels[i], weights=cells.d_q)[levels]
    found = (np.full(pairs.shape, i), levels, targets, np.bincount(at, weights=c.d[big]), n_both, n_level)
    keep = 100 * n_both > share * n_level
    return tuple(array[keep] for array in found)


def _in_pairs(cells: Cells, i: int, pairs: np.ndarray) -> np.ndarray:
    """Return the original records, nothing left out, in each of the sorted `pairs` of key number `i`."""
    codes = pair_codes(cells, i, np.arange(cells.q.size))
    at = np.minimum(np.searchsorted(pairs, codes), pairs.size - 1)
    hit = pairs[at] == codes
    return np.bincount(at[hit], weights=cells.d[hit], minlength=pairs.size)
