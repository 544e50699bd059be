"""Near misses of members beside people outside: whose number is near what the synthetic data say of their keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting.count import count
from disclosure_core.counting.near_misses import (
    LIMITED,
    Numbers,
    claims,
    numbers_by_keys,
    numbers_of,
    special_codes,
    with_further,
)
from disclosure_core.counting.tolerance import LISTED, Tolerance
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.differences import COMPARED, mean_and_size, side_by_side
from disclosure_core.shown import with_units

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.holdout.partition import Partition


def near_misses(
    joined: Partition | NotEvaluated, settings: Settings, target: str, tolerances: Iterable[Tolerance] = LISTED
) -> pd.DataFrame | NotEvaluated:
    """Return, by tolerance, DiSCO of members and the same of people outside.

    Parameters
    ----------
    joined
        What `partition` returned.
    settings
        Keys, groups and exclusions, which apply to members and people outside alike.
    target
        A numeric target without groups.
    tolerances
        How far a number may be from the truth.

    Returns
    -------
    DataFrame
        A row a tolerance: tolerance, as text; members and non_members, means over the syntheses in % of the training
        and of the holdout records; difference, low and high, percentage points with the 95 % interval; R, a ratio.

    Raises
    ------
    DisclosureError
        When a key or the target is not in the data.

    Source
    ------
    measures.md 12; intervals as of `differences.INTERVAL`. A number that the holdout alone has is a number, too.
    """
    if isinstance(joined, NotEvaluated):
        return joined
    out = settings.exclusions.of(target)
    if out.denominator_limit is not None:
        return LIMITED
    # In the cells each number that people outside alone have is a code of its own, after those of the finished study.
    tables = count(joined.joint.with_unmatched([target]), replace(settings, targets=(target,)))
    cells = tables.targets[target]
    reference = cells[-1]  # training records in d, holdout records in s
    column: Any = joined.joint.column(target)
    known, further = with_further(numbers_of(column, special_codes(joined.joint, target)), column.unmatched)
    is_number = np.concatenate([known.is_number, further.is_number])
    numbers = Numbers(is_number, np.concatenate([known.units, further.units]), known.places)
    says = [numbers_by_keys(c, c.s, numbers.is_number) for c in cells[:-1]]
    counted = reference.counted(out).leaves()
    right = [claims(s.at(reference.q), numbers, reference.target, numbers.units[reference.target])[1] for s in says]
    rows = []
    for tolerance in tolerances:
        holds = np.array([each.holds(tolerance) for each in right], dtype=float)
        compared = side_by_side(
            mean_and_size(holds, reference.d * counted, joined.n_training),
            mean_and_size(holds, reference.s * counted, joined.n_holdout),
        )
        rows.append({"tolerance": tolerance.text} | compared.iloc[-1][list(COMPARED)].to_dict())
    return with_units(
        pd.DataFrame(rows),
        {
            "members": "% of the training records",
            "non_members": "% of the holdout records",
            **dict.fromkeys(("difference", "low", "high"), "percentage points"),
            "R": "ratio",
        },
    )
