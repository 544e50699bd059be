"""What a mend would do: whether values meet, and the figures that rest on the column, before and after it."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.agreement import Mismatch
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

AT_ONCE = 2_000_000
"""Cells of all files up to which figures are counted for it: a second or so."""


def tried(opened: Opened, mismatch: Mismatch) -> pd.DataFrame:
    """Return what stands beside a mend; a right warning may offer a wrong correction.

    Returns
    -------
    DataFrame
        figure; before and after, %: how many records have a value that the other side has, too; repU, and DiSCO of each
        target that rests on it, where keys are chosen and the data are small. NaN: no figure.
    """
    made: pd.DataFrame = opened.once(
        "mend_tried",
        opened.set_key(),
        opened.review.columns,
        opened.review.settings.to_json(),
        mismatch.column,
        list(mismatch.kinds),
        make=lambda: _tried(opened, mismatch),
    )
    return made


def _tried(opened: Opened, mismatch: Mismatch) -> pd.DataFrame:
    import pandas as pd

    column, columns = mismatch.column, opened.review.columns
    side = "original" if mismatch.of_original else "synthetic"
    rows = [(f"records that meet, {side}", mismatch.before, mismatch.after)]
    study = opened.study()
    small = len(study.columns) * (study.n_original + sum(study.n_synthetic)) <= AT_ONCE
    if small and opened.review.ancestry(opened.first_set)[0] == opened.first_set:
        kinds = (*columns.mends.get(column, ()), *mismatch.kinds)
        mended = replace(opened.review, columns=replace(columns, mends={**columns.mends, column: kinds}))
        before, after = _figures(opened, opened.review, column), _figures(opened, mended, column)
        rows += [(name, before.get(name, nan), after.get(name, nan)) for name in {**before, **after}]
    return pd.DataFrame(rows, columns=["figure", "before", "after"])


def _figures(opened: Opened, review: Review, column: str) -> dict[str, float]:
    """Return the figures that rest on a column, whatever else does not meet; none where there are no keys."""
    try:
        asked = opened.with_review(review)
        asked = asked.with_review(replace(review, really_different={"": tuple(asked.study().columns)}))
        if not asked.can_learn():
            return {}
        found, is_key = asked.assessment(), column in review.keys
    except DisclosureError:
        return {}
    repu = {"repU": float(found.identity["repU"].mean())} if is_key else {}
    targets = [name for name in found.targets if is_key or name == column]
    return repu | {f"DiSCO of {name}": float(found.targets[name].figures("DiSCO").mean()) for name in targets[:MOST]}


MOST = 3
"""Targets of which a figure stands beside a mend."""
