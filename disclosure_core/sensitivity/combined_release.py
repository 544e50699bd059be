"""Several syntheses released together: what all of them disclose, beside what each discloses alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting.answers import answers
from disclosure_core.counting.measures import over_syntheses, percent
from disclosure_core.errors import DisclosureError, NotEvaluated

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.target_risk import TargetRisk

ONE_SYNTHESIS = NotEvaluated(
    "There is one synthesis, so nothing is released together.",
    "All the syntheses that are to be released, each as a file of its own.",
)


def combined_attributes(assessment: Assessment, syntheses: Sequence[int] = ()) -> pd.DataFrame | NotEvaluated:
    """Return what several syntheses together disclose of each target.

    A record is disclosed by *any* where at least one synthesis names its level with certainty and is right: nobody
    outside can tell which of them is right, so this is the most there is to learn. It is disclosed by the *pooled*
    syntheses where, in addition, none of the others contradicts: this is what somebody learns who puts them into one
    file. So pooled never exceeds any.

    Parameters
    ----------
    syntheses
        Numbers of those that are released together, from 1; all where none is given.

    Returns
    -------
    DataFrame
        A row a target, the smallest `any` first: target; Dorig; alone, alone_min and alone_max, the DiSCO of one
        synthesis (mean, smallest and largest); every, records that each synthesis discloses; pooled; any; and of how
        many records something was said with certainty, right or wrong: alone_claimed (the mean DiS), pooled_claimed,
        any_claimed. All in % of the original records, after the exclusions of the settings.

    Raises
    ------
    DisclosureError
        When there is no synthesis of such a number.

    Source
    ------
    Issue 4, 7; the papers give no figure for this. With one synthesis each would be DiSCO, and DiS.
    """
    if len(which := _which(assessment, syntheses)) < 2:
        return ONE_SYNTHESIS
    rows = [{"target": name} | _combined(risk, which) for name, risk in assessment.targets.items()]
    return pd.DataFrame(rows).sort_values("any", kind="stable", ignore_index=True)


def combined_identity(assessment: Assessment, syntheses: Sequence[int] = ()) -> dict[str, float] | NotEvaluated:
    """Return what several syntheses together disclose of the keys alone; `syntheses` as of `combined_attributes`.

    Returns
    -------
    dict
        UiO; alone, alone_min and alone_max, the repU of one synthesis (mean, smallest and largest); every, unique
        original records that are unique in each synthesis; pooled, unique in all syntheses put into one file; any,
        unique in at least one. In % of the original records, moved by missing keys only.
    """
    if len(which := _which(assessment, syntheses)) < 2:
        return ONE_SYNTHESIS
    keys, n = assessment.keys, assessment.n_original
    unique = keys.profile(0, assessment.settings.exclusions.missing_keys).unique
    s_q = np.stack([keys.s_q[i] for i in which])
    repU = over_syntheses(assessment.identity["repU"].to_numpy()[which])
    return {
        "UiO": percent(np.count_nonzero(unique), n),
        "alone": float(repU["mean"]),
        "alone_min": float(repU["min"]),
        "alone_max": float(repU["max"]),
        "every": percent(np.count_nonzero(unique & (s_q == 1).all(axis=0)), n),
        "pooled": percent(np.count_nonzero(unique & (s_q.sum(axis=0) == 1)), n),
        "any": percent(np.count_nonzero(unique & (s_q == 1).any(axis=0)), n),
    }


def _which(assessment: Assessment, syntheses: Sequence[int]) -> list[int]:
    """Return where the syntheses stand among all, from 0, each once."""
    m = len(assessment.n_synthetic)
    if any(not 1 <= i <= m for i in syntheses):
        raise DisclosureError(f"There are syntheses 1 to {m}; name those that are released together.")
    return sorted({i - 1 for i in syntheses}) or list(range(m))


def _combined(risk: TargetRisk, which: Sequence[int]) -> dict[str, float]:
    counted = [risk.counted[i] for i in which]
    first = counted[0]
    held = np.flatnonzero(first.cells.d)  # cells with original records stand beside every synthesis
    q, own, d = first.cells.q[held], first.cells.target[held], first.d[held]
    claim = np.stack([c.cells.answers[q] for c in counted])
    right = claim == own
    theirs = [(c.cells, np.flatnonzero(c.cells.s)) for c in counted]
    of_all_q = np.concatenate([cells.q[at] for cells, at in theirs])
    of_all_t = np.concatenate([cells.target[at] for cells, at in theirs])
    pooled = answers(of_all_q, of_all_t, first.cells.d_q.size)[q]
    n = first.cells.n_original

    def share(mask: Any) -> float:
        return percent(d[mask].sum(), n)

    DiSCO = over_syntheses(risk.figures("DiSCO")[list(which)])
    return {
        "Dorig": float(risk.figures("Dorig")[list(which)].mean()),
        "alone": float(DiSCO["mean"]),
        "alone_min": float(DiSCO["min"]),
        "alone_max": float(DiSCO["max"]),
        "every": share(right.all(axis=0)),
        "pooled": share(pooled == own),
        "any": share(right.any(axis=0)),
        "alone_claimed": float(risk.figures("DiS")[list(which)].mean()),
        "pooled_claimed": share(pooled >= 0),
        "any_claimed": share((claim >= 0).any(axis=0)),
    }
