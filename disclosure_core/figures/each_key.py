"""What remains without each key, beside what all keys disclose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Bar, BarPlot
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.sensitivity.key_subsets import SubsetSearch


def describe(search: SubsetSearch, n_original: int, target: str | None = None) -> BarPlot:
    """Return what remains without each key, beside what all keys disclose; the key that adds most on top.

    Parameters
    ----------
    search
        The subsets searched.
    n_original
        N_d, the records that 100 % stands for.
    target
        DiSCO of this target; repU of the keys where none is named.
    """
    measure = "DiSCO" if target else "repU"
    bars = tuple(
        Bar(
            f"without {row['key']}",
            row["without"],
            row["all"],
            f"with {row['key']} alone {fixed(row['alone'])} %; it adds {fixed(row['adds'], sign=True)} "
            "percentage points to the others",
            digits=2,
            around=("without ", ""),
        )
        for row in search.each_key(measure, target).to_dict("records")
    )
    return BarPlot(
        f"DiSCO of {target} without each key" if target else "repU without each key",
        f"% of {n_original:,} original records" + (f", target {target}" if target else ""),
        bars,
        f"{measure} without the key",
        f"{measure} with all keys",
        what="keys known",
        target=target or "",
    )
