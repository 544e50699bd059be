"""UiO and repU by the number of keys: means over the subsets of each size, and their range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    from disclosure_core.sensitivity.key_subsets import SubsetSearch


def describe(search: SubsetSearch, n_original: int) -> CurvePlot:
    """Return UiO and repU by the number of keys: the mean and the range over the subsets of each size.

    Source
    ------
    consensus.md 2.5: the curve by number of keys.
    """
    curves = []
    sides: tuple[tuple[str, Literal["original", "synthetic"]], ...] = (("UiO", "original"), ("repU", "synthetic"))
    for measure, side in sides:
        rows = search.by_size(measure)
        mean, low, high = (tuple(rows[column].tolist()) for column in ("mean", "min", "max"))
        curves.append(Curve(measure, side, mean, low, high))
    searched = "" if search.complete else " that were searched"
    return CurvePlot(
        f"UiO and repU by the number of keys, means over the subsets of that size{searched}",
        "number of keys",
        f"% of {n_original:,} original records",
        tuple(float(n) for n in search.by_size("UiO")["n_keys"]),
        (Panel("", tuple(curves)),),
        "smallest to largest subset",
        steps=True,
    )
