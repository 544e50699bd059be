"""What decides most between sets: a row a set, and how each stands beside the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.comparison.candidates import LARGEST, USEFUL, Candidate
from disclosure_core.conclusions.headline import SetBesideFirst

if TYPE_CHECKING:
    from disclosure_core.comparison.comparison import Comparison


def beside_first(found: Comparison) -> tuple[SetBesideFirst, ...]:
    """Return how each further set stands beside the first one, for the headline; nothing of the original itself."""
    first = found.candidates[0].name
    made = []
    for each in found.candidates[1:]:
        if each.reference:
            continue
        rows = found.differences(each.name, first)
        targets = rows[(rows["measure"] == "DiSCO") & ~rows["above"]]
        clear = targets[targets["clear"]]
        useful = rows[(rows["measure"] == USEFUL) & rows["clear"]]["lower"].tolist()
        made.append(
            SetBesideFirst(
                each.name,
                more=int((clear["lower"] == first).sum()),
                less=int((clear["lower"] == each.name).sum()),
                n=len(targets),
                useful=0 if not useful else 1 if useful == [each.name] else -1,
                intervals=bool(rows["low"].notna().any()),
            )
        )
    return tuple(made)


def overview(found: Comparison) -> pd.DataFrame:
    """Return a row a set with what decides most.

    Returns
    -------
    DataFrame
        set; DiSCO, the largest of its targets, %, and of_disco, which; above, the most above people outside, percentage
        points, and of_above, which, NaN and "" without; repU, %; mean and worst, S_pMSE; own_answers, the targets of
        which they are shown, "all 10", "none shown", or "not evaluated".
    """
    rows = []
    for each in found.candidates:
        disco = {t: _mean(each, "DiSCO", t) for t in found.targets}
        above = {t: each.above_interval["DiSCO", t][0] for t in found.targets if ("DiSCO", t) in each.above_interval}
        top, most = (max(of, key=of.__getitem__, default="") for of in (disco, above))
        rows.append(
            {
                "set": each.name,
                "DiSCO": disco.get(top, float("nan")),
                "of_disco": top,
                "above": above.get(most, float("nan")),
                "of_above": most,
                "repU": _mean(each, "repU"),
                "mean": _mean(each, USEFUL),
                "worst": _mean(each, LARGEST),
                "own_answers": _own_answers(each),
            }
        )
    return pd.DataFrame(rows)


def merging_rewarded(found: Comparison) -> bool:
    """Return whether S_pMSE calls some set more useful after safeguards than the set they were applied to."""
    means = {each.name: _mean(each, USEFUL) for each in found.candidates}
    return any(
        means[each.name] < means.get(each.synthesis_set, float("-inf")) for each in found.candidates if each.safer
    )


def _own_answers(each: Candidate) -> str:
    if each.own_answers is None:
        return "not evaluated"
    if len(each.own_answers) == len(each.targets) > 1:
        return f"all {len(each.targets)}"
    return ", ".join(each.own_answers) or "none shown"


def _mean(each: Candidate, measure: str, target: str = "") -> float:
    return float(each.figures[measure, target].mean())
