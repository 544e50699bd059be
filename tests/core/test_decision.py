"""The two-condition rule: every case that consensus.md prints, and that what is not evaluated is no pass."""

import pytest

from disclosure_core import DisclosureError
from disclosure_core.decision import PRECEDENTS, Decision, Limits, NotEvaluated, decide, overall

ACCEPTABLE, HIGH, NOT = Decision.ACCEPTABLE, Decision.HIGH, Decision.NOT_EVALUATED
NONE = NotEvaluated("No holdout.", "A holdout.")


@pytest.mark.parametrize(
    ("absolute", "relative", "limits", "expected"),
    [  # consensus.md 3.5 and invariant 10
        (0.4, 0.3, Limits(0.6, 0.15), ACCEPTABLE),
        (0.9, 0.3, Limits(0.6, 0.15), HIGH),
        (0.95, 0.05, Limits(0.6, 0.15), ACCEPTABLE),
        (0.45, 0.25, Limits(0.6, 0.15), ACCEPTABLE),
        (0.85, 0.25, Limits(0.6, 0.15), HIGH),
        (0.6, 0.3, Limits(0.6, 0.15), ACCEPTABLE),  # equal is acceptable
        (0.9, 0.15, Limits(0.6, 0.15), ACCEPTABLE),
        (49.3, 18.0, Limits(20, 5), HIGH),
        (0, -3, Limits(0, 0), ACCEPTABLE),
        (0.9, 0.3, Limits(), NOT),
        (0.9, 0.3, Limits(0.6), NOT),
        (0.9, NONE, Limits(0.6, 0.15), NOT),
        (NONE, 0.3, Limits(0.6, 0.15), NOT),
        (0.9, None, Limits(0.6, 0.15), NOT),
        (0.9, float("nan"), Limits(0.6, 0.15), NOT),
    ],
)
def test_both_conditions(absolute, relative, limits, expected):
    assert decide(absolute, relative, limits) is expected


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        ([ACCEPTABLE, ACCEPTABLE], ACCEPTABLE),
        ([ACCEPTABLE, HIGH, NOT], HIGH),
        ([ACCEPTABLE, NOT], NOT),
        ([], NOT),
    ],
)
def test_one_high_is_high_and_nothing_is_no_pass(decisions, expected):
    assert overall(decisions) is expected


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_threshold_is_a_number(value):
    with pytest.raises(DisclosureError, match="must be a number"):
        Limits(relative=value)


def test_no_precedent_is_a_default_and_none_is_made_up_for_disco():
    assert (Limits().absolute, Limits().relative) == (None, None)
    by_measure = {p.measure: p for p in PRECEDENTS}
    assert (by_measure["AUROC"].absolute, by_measure["AUROC"].relative) == (0.6, 0.15)
    assert by_measure["F_rel"].relative == 0.2
    assert all(by_measure[m].absolute is None and by_measure[m].relative is None for m in ("DiSCO", "DCAP"))
