"""The answer of page 1 as a table and as JSON: every figure with its limits, and where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.counting.registry import CLAIMS
from disclosure_core.report.rows import Figures, called

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.report.answer import Answer

_COMPARED = ("members", "outside", "difference", "low", "high")

_TEXTS = ["figure", "commonest", "owner", "intruder", "left_out", "verdict", "result", "why"]


def table_of(answer: Answer) -> pd.DataFrame:
    """Return every figure with its limits and where it stands.

    Returns
    -------
    DataFrame
        figure; members, outside, difference, low and high (%, percentage points; of membership nothing); F_rel (of membership
        alone); original; members_before, with nothing excluded; commonest and commonest_share, %; absolute and
        relative, the limits; released, members of the released synthesis, the largest of several, %; owner; intruder; left_out; verdict; result; why.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = [
        {
            "figure": called(r),
            "members": r.judged.members,
            "outside": r.judged.outside,
            "difference": r.judged.difference,
            "low": r.judged.low,
            "high": r.judged.high,
            "F_rel": None,
            "original": r.judged.original,
            "members_before": (r.before or r.judged).members,
            "commonest": r.commonest,
            "commonest_share": r.majority,
            "absolute": r.limit.absolute,
            "relative": r.limit.relative,
            "released": max((f.members for _, f in r.released), default=None),
            "owner": r.limit.owner,
            "intruder": r.intruder,
            "left_out": "; ".join(f"{what} ({why})" for what, why in r.left_out),
            "verdict": "" if r.verdict is None else r.verdict.verdict,
            "result": str(r.outcome),
            "why": r.why,
        }
        for r in answer.rows
    ]
    m = answer.membership
    rows.append(
        {
            "figure": "membership",
            "F_rel": m.f_rel,
            "relative": m.limit.relative,
            "owner": m.limit.owner,
            "commonest": "",
            "intruder": m.intruder,
            "left_out": "",
            "verdict": "",
            "result": str(m.outcome),
            "why": m.why,
        }
    )
    frame = pd.DataFrame(rows)
    return frame.astype(dict.fromkeys(frame.columns.difference(_TEXTS), "float64"))


def plain_of(answer: Answer) -> dict[str, Any]:
    """Return the answer as what JSON holds: outcome, sentences, rows, membership, screening and what is open."""
    m = answer.membership
    return {
        "outcome": str(answer.outcome),
        "headline": answer.headline,
        "sentences": list(answer.sentences),
        "members": answer.n_members,
        "outside": answer.n_outside,
        "doubts": list(answer.doubts),
        "rows": [
            {
                "measure": r.measure,
                "target": r.target,
                "intruder": r.intruder,
                "result": str(r.outcome),
                "why": r.why,
                **_plain(r.judged),
                "before": None if r.before is None else {"result": str(r.outcome_before), **_plain(r.before)},
                "commonest": r.commonest,
                "commonest_share": _or_nan(r.majority),
                "beside_a_guess": {name: _or_nan(getattr(r.beyond, name, float("nan"))) for name in CLAIMS},
                "limit": {"absolute": r.limit.absolute, "relative": r.limit.relative, "owner": r.limit.owner},
                "left_out": [{"what": what, "reason": reason} for what, reason in r.left_out],
                "verdict": None if r.verdict is None else r.verdict.verdict,
                "confirm": r.confirm,
                "contradicted": r.contradicted,
                "released": [{"synthesis": i, **_plain(f)} for i, f in r.released],
            }
            for r in answer.rows
        ],
        "membership": {
            "intruder": m.intruder,
            "keys": list(m.keys),
            "beta": m.beta,
            "F_naive": m.f_naive,
            "F": m.f,
            "F_rel": m.f_rel,
            "released": m.released,
            "limit": m.limit.relative,
            "owner": m.limit.owner,
            "result": str(m.outcome),
            "why": m.why,
        },
        "repU": {name: getattr(answer.screening, name) for name in _COMPARED},
        "without_reason": list(answer.without_reason),
        "notes": [{"about": about, "what": what} for about, what in answer.notes],
    }


def _or_nan(figure: float) -> float | str:
    """Return a figure as JSON holds it: what is not given (several levels are the commonest) is "NaN"."""
    return figure if figure == figure else "NaN"


def _plain(figures: Figures) -> dict[str, Any]:
    return {name: getattr(figures, name) if figures.evaluated else None for name in ("original", *_COMPARED)}
