"""What detail safeguards cost: for each column, how much of what told records apart is gone.

S_pMSE alone rewards merging levels and removing records, because fewer and larger cells differ less by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.data.values import Kind, same_number
from disclosure_core.rounding import fixed, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from disclosure_core.data.study import Column, Study

    Floats = npt.NDArray[np.float64]

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


def detail_lost(before: Study, after: Study, kept: Sequence[float]) -> DetailLost:
    """Return what safeguards cost.

    Parameters
    ----------
    before, after
        Original and syntheses as they came, and seen through the safeguards; the original has the same records in both.
    kept
        For each synthesis, the share of its records that stay.

    Source
    ------
    measures.md 11: 100 · (1 − records kept · values kept · r), where no step blanks a value, so that all values of the
    records kept are kept; r by `_retained` from the ungrouped original.
    """
    names = tuple(before.columns)
    retained = np.array(
        [_retained(before.columns[n], after.columns[n], before.missing_codes.get(n, ())) for n in names]
    )
    return DetailLost(names, 100 * (1 - np.outer(np.asarray(kept, dtype=float), retained)))


def _retained(was: Column, now: Column, special: Sequence[float]) -> float:
    """Return the share of a column's detail that the original keeps seen through the safeguards, 0 to 1.

    Source
    ------
    Categories: H(g(X)) / H(X), entropies (de Waal and Willenborg 1999). Numbers: 1 − Σ|x − median of its band| /
    Σ|x − median| (after IL1 of Mateo-Sanz and others 2004), without missing values, codes and infinities, which no
    step changes.
    """
    if was.kind is not Kind.NUMBER:
        whole = _entropy(was.original)
        return _entropy(now.original) / whole if whole > 0 else 1.0
    codes = [code for value in special for code in same_number(was.values, value)]
    there = (was.original != was.n_levels) & ~np.isin(was.original, codes)
    there &= np.isfinite(np.append(was.values.astype(float), np.nan))[was.original]
    values, bands = was.values.astype(float)[was.original[there]], now.original[there]
    spread = _around_medians(values, np.zeros(values.size, dtype=np.int64))
    return 1 - _around_medians(values, bands) / spread if spread > 0 else 1.0


def _entropy(codes: npt.NDArray[np.integer[Any]]) -> float:
    counts = np.bincount(codes)
    shares = counts[counts > 0] / codes.size
    return float(-(shares * np.log(shares)).sum())


def _around_medians(values: Floats, bands: npt.NDArray[np.integer[Any]]) -> float:
    """Return the sum of absolute distances of values from the median of their band."""
    if not values.size:
        return 0.0
    order = np.lexsort((values, bands))
    values, bands = values[order], bands[order].astype(np.int64)
    edges = np.flatnonzero(np.diff(bands, prepend=bands[0] - 1, append=bands[-1] + 1))
    first, n = edges[:-1], np.diff(edges)
    medians = (values[first + (n - 1) // 2] + values[first + n // 2]) / 2
    return float(np.abs(values - np.repeat(medians, n)).sum())
