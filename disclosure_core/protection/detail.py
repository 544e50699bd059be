"""What detail safeguards cost: for each column, how much of what told records apart is gone.

S_pMSE alone rewards merging levels and removing records, because fewer and larger cells differ less by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Array, Floats, Ints
from disclosure_core.data.values import Kind, same_number
from disclosure_core.rounding import fixed, percent

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import Column, Study


FAILINGS = (
    "Detail lost looks at one column at a time. Each removed record counts against every column. A mean hides a ruined "
    "column, so the largest stands beside it; columns of no use dilute the mean."
)
"""What the figure cannot say."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DetailLost:
    """Detail lost, %, 0 where nothing is lost and 100 where all is.

    Attributes
    ----------
    columns
        Names, in the order of the data.
    figures
        Shape (m, n_columns): a row a synthesis.
    """

    columns: tuple[str, ...]
    figures: Floats

    @property
    def means(self) -> Floats:
        """Shape (m,): mean over all columns of each synthesis."""
        return np.asarray(self.figures.mean(axis=1))

    @property
    def largest(self) -> Floats:
        """Shape (m,): the column that lost most, of each synthesis."""
        return np.asarray(self.figures.max(axis=1))

    @property
    def worst(self) -> str:
        """The column that lost most, by the mean over the syntheses; the first of equals."""
        return self.columns[int(self.figures.mean(axis=0).argmax())]

    @property
    def sentence(self) -> str:
        """Both in words, means over the syntheses."""
        mean, most = (
            percent(fixed(float(values.mean()), 1))
            for values in (self.means, self.figures.mean(axis=0).max(keepdims=True))
        )
        return f"Detail lost: {mean} over all {len(self.columns):,} columns; most in {self.worst!r}, {most}."


def detail_lost(
    before: Study, after: Study, kept: Sequence[float], values_kept: Mapping[str, Sequence[float]] | None = None
) -> DetailLost:
    """Return what safeguards cost.

    Parameters
    ----------
    before, after
        Original and syntheses as they came, and seen through the safeguards; the original has the same records in both.
    kept
        For each synthesis, the share of its records that stay.
    values_kept
        By column in which a step blanked values, for each synthesis, the share of the values there, in the records
        that stay, that were not blanked.

    Source
    ------
    measures.md 11: 100 · (1 − records kept · values kept · r); r by `retained` from the ungrouped original.
    """
    names = tuple(before.columns)
    return lost_of(
        names,
        [retained(before.columns[n], after.columns[n], before.missing_codes.get(n, ())) for n in names],
        kept,
        values_kept,
    )


def lost_of(
    names: Sequence[str],
    by_column: Sequence[float],
    kept: Sequence[float],
    values_kept: Mapping[str, Sequence[float]] | None = None,
) -> DetailLost:
    """Return the same from the share of its detail that the original keeps of each column, 0 to 1."""
    values = np.ones((len(kept), len(names)))
    for name, shares in (values_kept or {}).items():
        values[:, names.index(name)] = shares
    kept_twice = np.outer(np.asarray(kept, dtype=float), np.asarray(by_column, dtype=float))
    return DetailLost(tuple(names), 100 * (1 - kept_twice * values))


def retained(was: Column, now: Column, special: Sequence[float]) -> float:
    """Return the share of a column's detail that the original keeps seen through the safeguards, 0 to 1."""
    codes = np.zeros(was.n_codes, dtype=np.int64)
    codes[was.original] = now.original
    return retained_of(was, codes, special)


def retained_of(was: Variable, codes: Ints, special: Sequence[float]) -> float:
    """Return the same from `codes`, shape (n_codes,): what each level of the original has become.

    Source
    ------
    Categories: H(g(X)) / H(X), entropies (de Waal and Willenborg 1999). Numbers: 1 − Σ|x − median of its band| /
    Σ|x − median| (after IL1 of Mateo-Sanz and others 2004), without missing values, codes and infinities, which no
    step changes.
    """
    n = was.counts[0]
    if was.kind is not Kind.NUMBER:
        whole = _entropy(n)
        return _entropy(np.bincount(codes, weights=n)) / whole if whole > 0 else 1.0
    values = was.values.astype(float)
    there = np.isfinite(values) & (n[: was.n_levels] > 0)
    there[[code for value in special for code in same_number(was.values, value)]] = False
    at = np.flatnonzero(there)
    spread = _around_medians(values[at], np.zeros(at.size, dtype=np.int64), n[at])
    return 1 - _around_medians(values[at], codes[at], n[at]) / spread if spread > 0 else 1.0


def _entropy(counts: Array) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _around_medians(values: Floats, bands: Ints, n: Ints) -> float:
    """Return the sum of absolute distances of values, each standing `n` times, from the median of their band."""
    if not values.size:
        return 0.0
    order = np.lexsort((values, bands))
    values, bands, n = values[order], bands[order], n[order]
    first = np.flatnonzero(np.diff(bands, prepend=bands[0] - 1))
    upto = np.cumsum(n)
    before = np.append(0, upto)[first]
    size = np.diff(np.append(before, upto[-1]))
    low, high = (values[np.searchsorted(upto, before + place, side="right")] for place in ((size - 1) // 2, size // 2))
    medians = (low + high) / 2
    return float((n * np.abs(values - medians[np.cumsum(np.diff(bands, prepend=bands[0] - 1) != 0) - 1])).sum())
