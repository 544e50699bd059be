"""The 1-way and 2-way checks, which tell a leak from common knowledge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.measures import percent

if TYPE_CHECKING:
    from disclosure_core.cells import Cells, Counted, Counts
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
    n_codes, original = cells.column.n_codes, cells.times(c.d)
    disclosive = np.bincount(cells.target, weights=original * cells.disclosive_synthetic, minlength=n_codes)
    total = disclosive.sum()
    fewest, share = thresholds.one_way
    # Compared as a product: 90 % of 10 records is 9 exactly.
    passing = np.flatnonzero((disclosive > fewest) & (100 * disclosive > share * total))
    if not passing.size:
        return None
    level = np.bincount(cells.target, weights=original, minlength=n_codes)
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
        top.level,
        top.n_level,
        top.pct_level,
        top.n_disclosive,
        top.n_disclosive_level,
        top.pct_disclosive,
        tuple(found[1:]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TwoWayPairs:
    """The pairs of a key level and a target level that the 2-way check finds, as codes, in no order.

    Attributes
    ----------
    key, key_level, target
        Shape (n_pairs,): number of the key, its level, and the target level.
    npairs, n_both, n_key_level
        Shape (n_pairs,): records, as in the columns of `two_way_frame`.
    """

    key: npt.NDArray[np.intp]
    key_level: npt.NDArray[np.intp]
    target: npt.NDArray[np.intp]
    npairs: Counts
    n_both: Counts
    n_key_level: Counts


def two_way(c: Counted, thresholds: Thresholds) -> TwoWayPairs:
    """Return the 2-way findings of one target and synthesis.

    Source
    ------
    measures.md 7: among DiSCO cells over the first threshold, the pairs of a key level and the target level that more
    than the second threshold, in %, of all original records with that key level have.
    """
    fewest, share = thresholds.two_way
    parts = []
    for i, p in enumerate(c.pairs(fewest)):
        keep = 100 * p.n_both > share * p.n_level
        found = (p.level, p.target, p.npairs, p.n_both, p.n_level)
        parts.append((np.full(np.count_nonzero(keep), i), *(a[keep] for a in found)))
    return TwoWayPairs(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def two_way_frame(cells: Cells, pairs: TwoWayPairs) -> pd.DataFrame:
    """Return the 2-way findings as a table, most records first; ties in the order of the keys, then by pair.

    Returns
    -------
    DataFrame
        Columns as `TWO_WAY`: npairs the DiSCO records in the pair's cells over the threshold; n_both and n_key_level
        the original records (nothing left out) with both levels and with the key level; pct the share of the former.
    """
    if not pairs.key.size:
        return _NO_PAIRS.copy()
    keys = cells.keys.keys
    names = np.array([key.name for key in keys], dtype=object)[pairs.key]
    targets = np.array(cells.column.labels, dtype=object)[pairs.target]
    offset = np.cumsum([0, *(key.n_codes for key in keys[:-1])])
    labels = np.array([label for key in keys for label in key.labels], dtype=object)
    levels = labels[offset[pairs.key] + pairs.key_level]
    order = np.lexsort((levels.astype(str), targets.astype(str), pairs.key, -pairs.npairs))
    frame = pd.DataFrame(
        {
            "target_level": pd.Series(targets[order], dtype="str"),
            "key": pd.Series(names[order], dtype="str"),
            "key_level": pd.Series(levels[order], dtype="str"),
            "npairs": pairs.npairs[order],
            "n_both": pairs.n_both[order],
            "n_key_level": pairs.n_key_level[order],
        }
    )
    return frame.assign(pct=100 * frame["n_both"] / frame["n_key_level"])


_NO_PAIRS = pd.DataFrame(
    {
        name: pd.Series(dtype="str" if name in TWO_WAY[:3] else "float64" if name == "pct" else "int64")
        for name in TWO_WAY
    }
)
