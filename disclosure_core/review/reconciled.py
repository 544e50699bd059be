"""Figures of a review that are counted in two places, held against each other before anything is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.conclusions.reconciliation import Found, faults
from disclosure_core.counting.registry import OUTSIDE
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.baseline import MEAN
from disclosure_core.sensitivity import contributions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from disclosure_core.counting.assessment import Assessment, TargetRisk
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.review.opened import Opened

NOTHING_EXCLUDED = "with nothing excluded"


def unreconciled(opened: Opened, synthesis_set: str | None = None) -> dict[str, str]:
    """Return, by target, why its figures are not evaluated: one reaches two places by two paths, and they differ.

    Of the exclusions as they stand in the review; the judged ones are those of `Opened.judged`.
    """
    found, before = opened.assessment(None, synthesis_set), opened.before(synthesis_set)
    paths = [*_of_targets(found), *_before(found, before)]
    if opened.data.has_holdout:
        paths += _outside(opened, synthesis_set)
    return faults(paths)


def _of_targets(found: Assessment) -> Iterable[Found]:
    """Yield DiSCO by the assessment, by the sizes of the cells behind it, and by its claims."""
    for target, risk in found.targets.items():
        records = float(contributions.by_size(risk, "original")["records"].sum())
        claims = risk.beyond_guess.counted
        yield Found(target, "DiSCO", "the assessment", float(risk.figures("DiSCO").mean()))
        yield Found(target, "DiSCO", "its cells", 100 * records / found.n_original)
        right, people = float(claims.right.sum()), claims.n * len(risk.counted)
        yield Found(target, "DiSCO", "its claims that are right", 100 * right / people)


def _taken(risk: TargetRisk) -> pd.Series[float]:
    """Return the records of DiSCO that each kind of exclusion took, and those that remain: means over the syntheses."""
    return pd.DataFrame([frame.loc["DiSCO"] for frame in risk.excluded]).mean()


def _before(found: Assessment, before: Assessment) -> Iterable[Found]:
    """Yield DiSCO with nothing excluded: as it is, and as what is left with all that the exclusions took."""
    for target, risk in found.targets.items():
        if target not in before.targets:
            continue
        what = f"DiSCO {NOTHING_EXCLUDED}"
        yield Found(target, what, "the assessment", float(before.targets[target].figures("DiSCO").mean()))
        yield Found(target, what, "its exclusions added up", 100 * float(_taken(risk).sum()) / found.n_original)


def _outside(opened: Opened, synthesis_set: str | None) -> Iterable[Found]:
    try:
        baseline = opened.attribute_baseline(synthesis_set)
    except DisclosureError:
        return ()
    found = opened.assessment(None, synthesis_set)
    return () if isinstance(baseline, NotEvaluated) else of_baseline(found, baseline)


def of_baseline(found: Assessment, baseline: AttributeBaseline) -> Iterable[Found]:
    """Yield members' figures beside the assessment, and each difference beside its parts and its interval."""
    rows = baseline.figures[baseline.figures["synthesis"] == MEAN]
    for r in rows.to_dict("records"):
        target, measure = str(r["target"]), str(r["measure"])
        if target not in found.targets:
            continue
        yield Found(target, measure, "the assessment", float(found.targets[target].figures(OUTSIDE[measure]).mean()))
        yield Found(target, measure, "the members beside the holdout", float(r["members"]))
        what = f"The difference in {measure}"
        yield Found(target, what, "the baseline", float(r["difference"]))
        yield _within(target, what, r["difference"], r)
        parts = baseline.parts[(baseline.parts["target"] == target) & (baseline.parts["measure"] == measure)]
        if len(parts):
            yield Found(target, what, "its parts added up", float(parts["points"].sum()))
        for part in parts.to_dict("records"):
            called = f"The part “{part['part']}” of the difference in {measure}"
            yield Found(target, called, "the baseline", float(part["points"]))
            yield _within(target, called, part["points"], part)
    for context in baseline.context.to_dict("records"):
        if (target := str(context["target"])) in found.targets:
            gain = found.targets[target].beyond_guess.gain
            yield Found(target, "The gain over chance", "the assessment", gain)
            yield Found(target, "The gain over chance", "the members beside the holdout", float(context["gain"]))
    for same in baseline.same_keys.to_dict("records"):
        target = str(same["target"])
        if same["why"] or target not in found.targets:
            continue
        called = "The difference among people with the same keys"
        yield Found(target, called, "the baseline", float(same["points"]))
        yield _within(target, called, same["points"], same)


def _within(target: str, what: str, point: float, interval: Any) -> Found:
    """Return a figure as its interval allows it: itself where it lies within, else the nearer end."""
    low, high = float(interval["low"]), float(interval["high"])
    return Found(target, what, "its interval", min(max(float(point), low), high))
