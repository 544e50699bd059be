"""How many records share their keys with few others: the original, and the syntheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.sensitivity.anonymity import Profile


def describe(profile: Profile) -> CurvePlot:
    """Return the records in classes of so many records or fewer: the original, and the syntheses' mean."""
    x = np.unique(profile.sizes["size"].to_numpy())
    original, *each = (_upto(profile.sizes[profile.sizes["file"] == file], x) for file in sorted(profile.n_records))
    several = len(each) > 1
    low, mean, high = (tuple(found.tolist()) for found in (np.min(each, 0), np.mean(each, 0), np.max(each, 0)))
    curves = (
        Curve("original", "original", tuple(original.tolist())),
        Curve("synthetic, mean" if several else "synthetic", "synthetic", mean, *((low, high) if several else ())),
    )
    return CurvePlot(
        "Records that share their keys with few others",
        "at most so many records with the same keys",
        "% of the records of each file",
        tuple(x.astype(float).tolist()),
        (Panel("", curves),),
        "smallest to largest synthesis" if several else "",
        log=True,
    )


def _upto(part: pd.DataFrame, sizes: np.ndarray) -> np.ndarray:
    """Return, shape of `sizes`, the % of a file's records in classes of at most so many records."""
    at = np.searchsorted(part["size"].to_numpy(), sizes, side="right")
    return np.concatenate([[0.0], part["upto"].to_numpy()])[at]
