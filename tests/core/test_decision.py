"""The two-condition rule: every case that consensus.md prints, and that what is not evaluated is not a pass."""

import re

import pytest

from disclosure_core import DisclosureError, Limit, Limits, NotEvaluated
from disclosure_core.holdout.decision import PRECEDENTS, Outcome, decide, decide_membership, overall, with_limit

WITHIN, ABOVE, NOT = Outcome.WITHIN, Outcome.ABOVE, Outcome.NOT_EVALUATED
NONE = NotEvaluated("No holdout.", "A holdout.")


@pytest.mark.parametrize(
    ("absolute", "relative", "limits", "expected"),
    [  # consensus.md 3.5 and invariant 10
        (0.4, 0.3, Limit(0.6, 0.15), WITHIN),
        (0.9, 0.3, Limit(0.6, 0.15), ABOVE),
        (0.95, 0.05, Limit(0.6, 0.15), WITHIN),
        (0.45, 0.25, Limit(0.6, 0.15), WITHIN),
        (0.85, 0.25, Limit(0.6, 0.15), ABOVE),
        (0.6, 0.3, Limit(0.6, 0.15), WITHIN),  # equal is acceptable
        (0.9, 0.15, Limit(0.6, 0.15), WITHIN),
        (49.3, 18.0, Limit(20, 5), ABOVE),
        (0, -3, Limit(0, 0), WITHIN),
        (100 * 0.9, 100 * (0.8 - 0.7), Limit(20, 10), WITHIN),  # 10.000000000000009 is 10
        (100 * 0.9, 100 * (0.8 - 0.7), Limit(20, 9.9999999), ABOVE),
        ((0.1 + 0.1 + 0.1) / 3, 5, Limit(0.1, 1), WITHIN),  # 0.10000000000000002 is 0.1
        (0.9, 0.3, Limit(), NOT),
        (0.9, 0.3, Limit(0.6), NOT),
        (0.9, NONE, Limit(0.6, 0.15), NOT),
        (NONE, 0.3, Limit(0.6, 0.15), NOT),
        (0.9, None, Limit(0.6, 0.15), NOT),
        (0.9, float("nan"), Limit(0.6, 0.15), NOT),
    ],
)
def test_both_conditions(absolute, relative, limits, expected):
    assert decide(absolute, relative, limits) is expected


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        ([WITHIN, WITHIN], WITHIN),
        ([WITHIN, ABOVE, NOT], ABOVE),
        ([WITHIN, NOT], NOT),
        ([], NOT),
    ],
)
def test_one_high_is_high_and_nothing_is_no_pass(decisions, expected):
    assert overall(decisions) is expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "5", True])
def test_a_threshold_is_a_number(value):
    with pytest.raises(DisclosureError, match="must be a number"):
        Limit(relative=value)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"disco": Limit(200, 3)}, "A limit of DiSCO is from 0 to 100 %; 200 is none"),
        ({"dcap": Limit(20, -1)}, "A limit of DCAP is from 0 to 100 percentage points; -1 is none"),
        ({"membership": Limit(relative=20)}, "F_rel is from 0 to 1, as the precedent 0.2; 20 is none"),
        ({"membership": Limit(0.5, 0.2)}, "Membership has one limit"),
    ],
)
def test_a_limit_that_nothing_could_pass_is_refused(parts, said):
    with pytest.raises(DisclosureError, match=re.escape(said)):
        Limits(**parts)


@pytest.mark.parametrize("end", [0, 1, 100])
def test_a_limit_may_be_an_end_of_what_there_is_and_1_is_no_share(end):
    """100 % lets pass whatever is found, 0 % nothing but 0; 1 % is not asked whether 100 % was meant."""
    for limits in (
        Limits(disco=Limit(end, end)),
        Limits(dcap=Limit(end, end)),
        Limits(membership=Limit(None, end / 100)),
    ):
        assert limits.questions() == {}


def test_each_measure_has_its_own_and_the_screening_figure_none():
    limits = with_limit(Limits(disco=Limit(20, 3)), "DCAP", Limit(0.6, 0.15, "us"))
    assert (limits.of("DiSCO"), limits.of("DCAP"), limits.of("F_rel")) == (
        Limit(20, 3),
        Limit(0.6, 0.15, "us"),
        Limit(),
    )
    with pytest.raises(DisclosureError, match="repU has no limits"):
        limits.of("repU")
    assert limits.questions() == {"DCAP": "The limits of DCAP are in %: is 0.6 % or 60 % and 0.15 % or 15 % meant?"}
    assert with_limit(limits, "DCAP", Limit(0.6, 0.15, as_written=True)).questions() == {}
    with pytest.raises(DisclosureError, match="no dimension 'fame'"):
        Limit(context={"fame": "much"})


@pytest.mark.parametrize(
    ("figure", "limit", "expected"),
    [(0.2, 0.2, WITHIN), (0.2000001, 0.2, ABOVE), (-9.0, 0.2, WITHIN), (NONE, 0.2, NOT), (0.1, None, NOT)],
)
def test_membership_has_one_condition(figure, limit, expected):
    assert decide_membership(figure, Limit(relative=limit)) is expected


def test_no_precedent_is_a_default_and_none_is_made_up_for_disco():
    assert (Limit().absolute, Limit().relative) == (None, None)
    by_measure = {p.measure: p for p in PRECEDENTS}
    assert (by_measure["AUROC"].absolute, by_measure["AUROC"].relative) == (0.6, 0.15)
    assert by_measure["F_rel"].relative == 0.2
    assert all(by_measure[m].absolute is None and by_measure[m].relative is None for m in ("DiSCO", "DCAP"))
