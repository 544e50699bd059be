"""The finding of a view: each sentence where the figures carry it, and where they do not, another one."""

# Inside: Holm's correction is held against a plain one.

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from disclosure_core import Holdout, demonstration_holdout, start_demonstration
from disclosure_core.conclusions import headline
from disclosure_core.conclusions.headline import SetBesideFirst
from disclosure_core.holdout.baseline import AttributeBaseline
from disclosure_core.holdout.intervals import beyond_zero, difference_interval
from disclosure_core.holdout.partition import NOT_BY_LOT
from disclosure_core.holdout.parts import holm

WHY = "Too few people outside have members' keys: whether answers leaked was not evaluated."


def baseline(*targets):
    """Return a baseline of (name, difference, shown, M, its upper end, own answers shown, why not)."""
    figures, same, effect = [], [], []
    for name, difference, shown, m, high, leaked, why in targets:
        for measure in ("DiSCO", "DCAP"):
            ends = {"low": difference - 1, "high": difference + 1, "R": 0.0}
            of = {"target": name, "measure": measure}
            row = of | {"members": 30 + difference, "non_members": 30.0, "difference": difference} | ends
            figures += [row | {"synthesis": synthesis} for synthesis in (0, 1)]
            effect.append(of | {"p": 0.0, "shown": shown})
        same.append(
            {"target": name, "points": m, "low": m - 1, "high": high, "leaked": leaked, "compared": 40.2, "why": why}
        )
    return AttributeBaseline(
        pd.DataFrame(figures), pd.DataFrame(), 100, 50, pd.DataFrame(), pd.DataFrame(same), pd.DataFrame(effect)
    )


A = ("a", 5.7, True, -0.1, 1.4, False, "")
B = ("b", 4.6, True, 2.4, 3.9, True, "")
C = ("c", -1.3, False, 1.8, 2.8, True, "")
D = ("d", 0.4, False, 0.4, 2.1, False, "")
NONE = ("e", 1.0, False, 0.0, 0.0, False, WHY)
FEWER = ("f", -3.0, True, -1.0, 0.4, False, "")

SAID = {
    "own answers of some": (
        (A, B, C),
        "Members’ own answers are in the synthetic data for 2 of 3 targets: b, c",
        "a has the largest effect of taking part (+5.7 percentage points), and own answers are not shown for it.",
    ),
    "the largest effect is of own answers": (
        (B, D),
        "Members’ own answers are in the synthetic data for 1 of 2 targets: b",
        "",
    ),
    "the largest effect is not shown itself": (
        (("x", 9.0, False, 0.0, 1.0, False, ""), B),
        "Members’ own answers are in the synthetic data for 1 of 2 targets: b",
        "",
    ),
    "the largest effect is not evaluated": (
        (("x", 9.0, True, 0.0, 1.0, False, WHY), B),
        "Members’ own answers are in the synthetic data for 1 target evaluated: b",
        "Not evaluated for 1 of 2 targets.",
    ),
    "own answers of all": ((B, C), "Members’ own answers are in the synthetic data for all 2 targets", ""),
    "of many the first": (
        (*((n, 1.0, False, 4.0 - i, 5.0, True, "") for i, n in enumerate("wxyz")), D),
        "Members’ own answers are in the synthetic data for 4 of 5 targets, w, x, y first",
        "",
    ),
    "none is shown of those evaluated": (
        (A, D, NONE),
        "Members’ own answers are not shown to be in the synthetic data for any of 2 targets evaluated",
        "At most 2.1 percentage points (d), among the 40 % of members compared. Not evaluated for 1 of 3 targets. "
        "Taking part made correct disclosure more frequent for 1 of 3 targets.",
    ),
    "none is shown": (
        (A, D),
        "Members’ own answers are not shown to be in the synthetic data for any of 2 targets",
        "At most 2.1 percentage points (d), among the 40 % of members compared. Taking part made correct disclosure "
        "more frequent for 1 of 2 targets.",
    ),
    "nothing at all is shown of one": (
        (D,),
        "Members’ own answers are not shown to be in the synthetic data for the one target",
        "At most 2.1 percentage points, among the 40 % of members compared. No target is shown to differ from people "
        "outside.",
    ),
    "none is evaluated": (
        (NONE,),
        "Whether members’ own answers are in the synthetic data is not evaluated",
        f"{WHY} No target is shown to differ from people outside.",
    ),
    "members less often": (
        (FEWER, D),
        "Members’ own answers are not shown to be in the synthetic data for any of 2 targets",
        "At most 2.1 percentage points (d), among the 40 % of members compared. Taking part made correct disclosure "
        "less frequent for 1 of 2 targets.",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_own_answers_are_said_where_all_targets_together_show_them(case):
    targets, text, beneath = SAID[case]
    assert headline.of_people_outside(baseline(*targets)) == headline.Headline(text, beneath)


def test_other_people_conclude_nothing_and_dcap_says_nothing_of_own_answers():
    found = baseline(A, B)
    by_other = replace(found, by_lot=NOT_BY_LOT, same_keys=found.same_keys.iloc[:0])
    said = headline.of_people_outside(by_other)
    assert said.text == "Nothing is concluded of members’ own answers"
    assert NOT_BY_LOT.why in said.beneath
    assert "taking part" not in f"{said}".lower()
    assert headline.of_people_outside(found, "DCAP").text == (
        "Taking part made correct disclosure more frequent for all 2 targets"
    )
    assert headline.of_people_outside(baseline(A, FEWER), "DCAP").text == (
        "Taking part made correct disclosure more frequent for 1 of 2 targets and less frequent for 1 of 2 targets"
    )


@cache
def survey():
    return start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))


def test_the_survey_is_said_as_its_figures_are():
    found = survey().attribute_baseline()
    said = headline.of_people_outside(found)
    own = found.same_keys[found.same_keys["leaked"]].sort_values("points", ascending=False)["target"]
    assert said.text.endswith(f"for {len(own)} of {len(found.same_keys)} targets: {', '.join(own)}")
    single = found.same_keys[found.same_keys["low"] > 0]
    assert set(single["target"]) - set(own) == {"wellbeing", "household"}  # shown by their own interval alone


def test_a_difference_is_shown_for_all_targets_together():
    """Seven intervals alone show a difference, all targets together five."""
    found = survey().attribute_baseline()
    rows = found.summary().merge(found.effect[found.effect["measure"] == "DiSCO"], on="target")
    alone = (rows["low"] > 0) | (rows["high"] < 0)
    assert (alone == (rows["p"] < 0.025)).all()
    assert rows["shown"].tolist() == holm(rows["p"].tolist())
    assert set(rows.loc[alone & ~rows["shown"], "target"]) == {"condition", "income"}
    assert not (rows["shown"] & ~alone).any()


def test_the_probability_is_where_the_interval_reaches_nought():
    random = np.random.default_rng(5)
    p, r = random.random(400), random.random(400)
    n, m = random.integers(5, 5000, 400), random.integers(5, 5000, 400)
    low, high = difference_interval(p, n, r, m)
    assert ((beyond_zero(p, n, r, m) < 0.025) == ((low > 0) | (high < 0))).all()
    assert beyond_zero(p, n, r, m) == pytest.approx(beyond_zero(r, m, p, n), rel=1e-6)
    assert beyond_zero(0.4, 100, 0.4, 50) == pytest.approx(0.5)
    assert beyond_zero(1.0, 10, 0.0, 10) < 1e-5
    assert beyond_zero(0.0, 10, 0.0, 10) == pytest.approx(0.5)
    for z, tail in ((1.0, 0.158655254), (2.5, 0.006209665), (3.2, 0.000687138)):
        n_p, n_r, r = 800, 300, 0.2
        shares = np.linspace(0.2, 1, 200_001)
        at = shares[difference_interval(shares, n_p, r, n_r, z)[0] <= 0].max()
        assert beyond_zero(at, n_p, r, n_r) == pytest.approx(tail, rel=1e-3)


METHODS = {
    "more and less": (
        (SetBesideFirst("b", 10, 0, 10), SetBesideFirst("c", 0, 5, 10, -1)),
        "Beside a: b discloses more of all 10 targets and is not shown to be more useful; c discloses less of 5 of 10 "
        "targets and is less useful",
        "",
    ),
    "both ways": (
        (SetBesideFirst("b", 2, 1, 3, 1),),
        "Beside a: b discloses more of 2 of 3 targets, discloses less of 1 of 3 targets and is more useful",
        "",
    ),
    "less at no cost that is shown": (
        (SetBesideFirst("b", 0, 1, 1),),
        "Beside a: b discloses less of 1 target and is not shown to be less useful",
        "",
    ),
    "usefulness alone": ((SetBesideFirst("b", 0, 0, 3, -1),), "Beside a: b is less useful", ""),
    "one is not told apart": (
        (SetBesideFirst("b", 0, 0, 3), SetBesideFirst("c", 0, 3, 3, -1)),
        "Beside a: c discloses less of all 3 targets and is less useful",
        "b is not told apart from a.",
    ),
    "none is told apart": (
        (SetBesideFirst("b", 0, 0, 3), SetBesideFirst("c", 0, 0, 3)),
        "b and c are not told apart from a",
        "",
    ),
    "one synthesis": (
        (SetBesideFirst("b", 3, 0, 3, 1, intervals=False),),
        "No interval tells b apart from a",
        "Whether b is different by more than chance cannot be told.",
    ),
    "one synthesis of one": (
        (SetBesideFirst("b", 3, 0, 3, 1, intervals=False), SetBesideFirst("c", 0, 0, 3)),
        "c is not told apart from a",
        "Whether b is different by more than chance cannot be told.",
    ),
}


@pytest.mark.parametrize("case", METHODS)
def test_sets_differ_only_where_intervals_tell_them_apart(case):
    others, text, beneath = METHODS[case]
    assert headline.of_methods("a", others) == headline.Headline(text, beneath)


@pytest.mark.parametrize(
    ("changes", "own", "text", "beneath"),
    [
        (
            [("a", 43.25, 27.72), ("b", 3.0, 2.0)], (("a", "b"), ("b",)),
            "DiSCO falls for all 2 targets; own answers are still shown for b", "a from 43.3 to 27.7 %, repU from 7.0 to 1.6 %.",
        ),
        (
            [("a", 43.25, 43.25), ("b", 3.0, 4.0)], (("a",), ("a", "b")),
            "DiSCO falls for no target and rises for b; own answers are still shown for a, newly shown for b",
            "a stays at 43.3 %, repU from 7.0 to 1.6 %.",
        ),
        (
            [("a", 2.0, 1.0), ("b", 1.0, 1.0)], ((), ("b",)),
            "DiSCO falls for 1 of 2 targets; own answers are newly shown for b", "a from 2.0 to 1.0 %, repU from 7.0 to 1.6 %.",
        ),
        (
            [("a", 2.0, 1.0)], (("a",), ()),
            "DiSCO falls for 1 target; own answers are not shown for any", "a from 2.0 to 1.0 %, repU from 7.0 to 1.6 %.",
        ),
        ([("a", 2.0, 1.0)], (None, None), "DiSCO falls for 1 target", "a from 2.0 to 1.0 %, repU from 7.0 to 1.6 %."),
        ([], (None, None), "No target is left to compare", ""),
    ],
)  # fmt: skip
def test_what_safeguards_do(changes, own, text, beneath):
    assert headline.of_safeguards(changes, (7.03, 1.64), own) == headline.Headline(text, beneath)
