"""Numeric values to intervals: quantile groups as R's `synthpop` makes them, from levels and their counts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from disclosure_core.errors import DisclosureError

FEWEST = 3
"""Quantiles that leave fewer levels than this in the original give way to equal widths (measures.md 2.3)."""

_FUZZ = 4 * np.finfo(float).eps
"""R's `quantile` type 7 lets a position this close below a whole number count as that number."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """How the values of one column fall into intervals.

    Attributes
    ----------
    labels
        Text of each interval, lowest first: "[400,800)", the last closed on both sides.
    group
        Shape (n_values,): the interval of each value.
    equal_width
        True where quantiles left too few groups and equal widths were used.
    """

    labels: tuple[str, ...]
    group: npt.NDArray[np.int64]
    equal_width: bool


def group_values(
    values: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
    in_original: npt.NDArray[np.bool_],
    n: int,
    n_other: int = 0,
) -> Grouping:
    """Return the grouping of the distinct `values` of a column into about `n` intervals.

    Parameters
    ----------
    values
        Shape (n_values,): distinct, rising; neither missing values nor missing codes among them.
    counts
        Shape (n_values,): records with each value in the original and all syntheses together.
    in_original
        Shape (n_values,): whether the original holds the value.
    n
        Groups asked for, 2 or more.
    n_other
        Levels of the original that stay as they are (its missing codes), counted when "fewer than 3" is judged.

    Raises
    ------
    DisclosureError
        When a value is infinite, so that no interval can hold it.

    Source
    ------
    measures.md 2.3: quantiles by linear interpolation (R's type 7), closed on the left; equal widths as fallback.
    """
    if values.size == 0:
        return Grouping((), np.zeros(0, dtype=np.int64), False)
    if not np.isfinite(values).all():
        raise DisclosureError(
            "A column with infinite values cannot be grouped; make them missing or leave it ungrouped."
        )
    breaks = np.unique(_quantiles(values, counts, n))
    group = interval_of(values, breaks)
    equal_width = too_few(group[in_original], n_other)
    if equal_width:
        breaks = equal_widths(values[0], values[-1], n)
        group = interval_of(values, breaks)
    return Grouping(labels_of(breaks), group, equal_width)


def too_few(groups_of_original: npt.NDArray[np.int64], n_other: int) -> bool:
    """Return whether quantiles leave the original with so few levels that equal widths are used."""
    return np.unique(groups_of_original).size + n_other < FEWEST


def equal_widths(low: float, high: float, n: int) -> npt.NDArray[np.float64]:
    """Return the breaks of `n` intervals of equal width; one distinct value stays one closed interval."""
    return np.unique(np.linspace(low, high, n + 1))


def _quantiles(values: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.float64]:
    """Return the quantiles at 0, 1/n … 1 of `values` repeated `counts` times, without repeating them."""
    upto = np.cumsum(counts)
    position = (upto[-1] - 1) * (np.arange(n + 1) / n)
    below = np.floor(position + _FUZZ).astype(np.int64)
    above = np.minimum(below + 1, upto[-1] - 1)
    low = values[np.searchsorted(upto, below, side="right")]
    high = values[np.searchsorted(upto, above, side="right")]
    share = np.maximum(position - below, 0.0)
    # Where both ends are equal, interpolation could miss the value by a rounding error.
    return np.where(low == high, low, (1 - share) * low + share * high)


def interval_of(values: npt.NDArray[np.float64], breaks: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the interval of each value: closed on the left, the last one on both sides."""
    last = max(breaks.size - 2, 0)
    return np.clip(np.searchsorted(breaks, values, side="right") - 1, 0, last).astype(np.int64)


def labels_of(breaks: npt.NDArray[np.float64]) -> tuple[str, ...]:
    """Return interval labels with as few digits (8 or more) as keep the breaks apart."""
    for digits in range(8, 18):
        texts = [_plain(f"{b:.{digits}g}") for b in breaks.tolist()]
        if len(set(texts)) == len(texts):
            break
    if len(texts) == 1:
        return (f"[{texts[0]},{texts[0]}]",)
    intervals = [f"[{a},{b})" for a, b in pairwise(texts)]
    return (*intervals[:-1], f"[{texts[-2]},{texts[-1]}]")


def _plain(text: str) -> str:
    """Return a number's text without an exponent."""
    return np.format_float_positional(float(text), trim="-") if "e" in text else text
