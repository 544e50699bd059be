"""Near misses of a review's numeric targets, and beside them people outside: for page, command line and report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting import near_misses as counting
from disclosure_core.counting.near_misses import LISTED, Tolerance
from disclosure_core.errors import NotEvaluated, evaluated, not_found
from disclosure_core.holdout import near_misses as holdout

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from disclosure_core.review.opened import Opened


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NearMisses:
    """Near misses of one target.

    Attributes
    ----------
    target
        Its name.
    figures
        A row a tolerance, as `TargetRisk.near_misses`.
    outside
        A row a tolerance, as `holdout.near_misses.near_misses`; or why people outside are not evaluated.
    """

    target: str
    figures: pd.DataFrame
    outside: pd.DataFrame | NotEvaluated


def numeric_targets(opened: Opened) -> tuple[str, ...]:
    """Return the targets that have near misses, in the order of the data."""
    return tuple(name for name, risk in opened.assessment().targets.items() if counting.lacking(risk) is None)


def near_misses(opened: Opened, target: str, tolerances: Sequence[Tolerance] = LISTED) -> NearMisses | NotEvaluated:
    """Return near misses of one target, or why there are none.

    Parameters
    ----------
    opened
        A review with its data; of `opened.printed` for what leaves the page.
    target
        One of its targets.
    tolerances
        How far a number may be from the truth.

    Raises
    ------
    DisclosureError
        When there is no such target.
    """
    targets = opened.assessment().targets
    if target not in targets:
        raise not_found("Target", target, "among those assessed", targets)
    why = counting.lacking(targets[target])
    if why is not None:
        return why

    def make() -> NearMisses:
        figures = targets[target].near_misses(tolerances)
        return NearMisses(target, figures, _outside(opened, target, tolerances, figures))

    found: NearMisses = opened.once(
        "near_misses", opened.set_key(), opened.review.columns, opened.review.settings.to_json(), target,
        [each.text for each in tolerances], opened.data.has_holdout, make=make,
    )  # fmt: skip
    return found


def _outside(
    opened: Opened, target: str, tolerances: Sequence[Tolerance], figures: pd.DataFrame
) -> pd.DataFrame | NotEvaluated:
    """Return members beside people outside, where the baseline of the target is evaluated."""
    found = evaluated(opened.attribute_baseline)
    if isinstance(found, NotEvaluated):
        return found
    if target in found.lacking:
        return NotEvaluated(found.lacking[target], "")
    outside = holdout.near_misses(opened.partition(), opened.met(opened.review.settings), target, tolerances)
    if isinstance(outside, NotEvaluated) or np.allclose(outside["members"], figures["DiSCO"], rtol=0, atol=1e-9):
        return outside
    return NotEvaluated(
        f"Members' DiSCO of {target!r} beside the holdout is not that of the assessment.",
        f"Give column {target!r} and the keys of the holdout the types and values of the other files.",
    )
