"""The sides of a column, one of each table under comparison, and how far they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Floats, Ints
from disclosure_core.data.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class Side:
    """One side of a column: `values`, distinct or not, and how many `records` have each; None for missing."""

    values: pd.Series[Any]
    records: Ints


def side_of(values: pd.Series[Any]) -> Side:
    """Return the distinct values of a series, and the records that have each."""
    codes, first_record = _codes(values)
    return Side(values.iloc[first_record], np.bincount(codes))


def _codes(values: pd.Series[Any]) -> tuple[Ints, Ints]:
    """Return codes 0 … of a series' values, missing one of them, and where each stands first."""
    column = Study(values.to_frame("x"), [values.iloc[:1].to_frame("x")]).columns["x"]
    _, first_record, codes = np.unique(column.original, return_index=True, return_inverse=True)
    return codes.astype(np.int64), first_record


def shares(sides: Sequence[Side]) -> Floats:
    """Return how far the sides of a column meet, missing values being a value.

    Returns
    -------
    array of shape (2, m)
        In %: of the original's records those whose value also occurs in each synthesis; and of each synthesis'
        records those whose value also occurs in the original.
    """
    if all(_plain_texts(side.values) for side in sides):  # as a study does it, without putting texts in order
        codes = pd.factorize(pd.concat([side.values for side in sides], ignore_index=True), use_na_sentinel=False)[0]
        parts = np.split(codes, np.cumsum([len(side.values) for side in sides])[:-1])
        n = int(codes.max()) + 1
        pairs = zip(parts, sides, strict=True)
        return shares_of(
            np.stack([np.bincount(side_codes, weights=side.records, minlength=n) for side_codes, side in pairs])
        )
    column = Study(sides[0].values.to_frame("x"), [side.values.to_frame("x") for side in sides[1:]]).columns["x"]
    counts = np.stack(
        [
            np.bincount(codes, weights=side.records, minlength=column.n_codes)
            for codes, side in zip(column.sides, sides, strict=True)
        ]
    )
    return shares_of(counts)


def _plain_texts(values: pd.Series[Any]) -> bool:
    return bool(values.dtype == "str") and not isinstance(values.dtype, pd.CategoricalDtype)


def shares_of(counts: Array) -> Floats:
    """Return the same from records by file and value, shape (1 + m, n_codes)."""
    original, synthetic = counts[0], counts[1:]
    of_original = np.where(synthetic > 0, original, 0).sum(axis=1) / original.sum()
    of_synthetic = np.where(original > 0, synthetic, 0).sum(axis=1) / synthetic.sum(axis=1)
    return 100 * np.stack([of_original, of_synthetic])
