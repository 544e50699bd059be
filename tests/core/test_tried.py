"""What safeguards gain and cost, before they are adopted and after: the same figures as counted from the safer files."""

# Inside: safeguards tried are compared as the page Compare does.

from dataclasses import replace
from functools import cache

import pytest

from disclosure_core import (
    Holdout,
    RemoveReplicated,
    RoundTo,
    Settings,
    assess,
    demonstration_holdout,
    protect,
    start_demonstration,
)
from disclosure_core.figures import safeguards, screen
from disclosure_core.review.tried import before_and_after, mean_usefulness, variant

STEPS = (RoundTo("age", 5.0), RemoveReplicated())


@cache
def opened():
    found = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    return found.with_review(found.review.with_steps(STEPS, "both"))


def test_a_row_is_what_the_safer_files_say():
    original, *synthetic = opened().frames()
    made = protect(original, synthetic, STEPS, Settings(keys=opened().review.keys))
    found = assess(made.study, Settings(keys=opened().review.keys))
    row = variant(opened(), "both")
    assert row.largest == pytest.approx(found.summary()["synthetic"].max())
    assert row.of == found.summary()["target"].iloc[-1]
    assert row.repu == pytest.approx(found.identity["repU"].mean())
    assert row.removed == pytest.approx(100 * sum(made.n_removed) / sum(map(len, synthetic)))
    assert row.detail == pytest.approx(made.detail.means.mean())
    assert row.own == len(opened().comparison()["both"].own_answers)
    assert variant(opened(), "").own == 3
    assert (variant(opened(), "").detail, variant(opened(), "").removed) == (0, 0)
    assert mean_usefulness(opened(), "both") == opened().usefulness_after_safeguards().mean


def test_what_was_not_measured_is_not_measured_by_asking():
    fresh = start_demonstration()
    fresh = fresh.with_review(fresh.review.with_steps((RoundTo("bmi", 5.0),), "round"))
    assert variant(fresh, "round", kept=True) is None
    assert mean_usefulness(fresh, "round", kept=True) is None
    measured = variant(fresh, "round")
    assert variant(fresh, "round", kept=True) == measured
    assert measured.own is None


def test_adopted_the_effect_is_the_one_that_was_tried():
    tried, adopted = before_and_after(opened()), before_and_after(opened().adopt("safer"))
    assert safeguards.describe(*tried) == safeguards.describe(*adopted)
    assert tried[1].own == adopted[1].own == opened().comparison()["both"].own_answers
    assert before_and_after(opened().with_review(replace(opened().review, chain=""))) is None
    row = variant(opened().adopt("safer"), "")
    assert (row.removed, row.detail) == (variant(opened(), "both").removed, variant(opened(), "both").detail)


def drawn(of):
    return safeguards.describe(*before_and_after(of))


@pytest.mark.parametrize("holdout", [True, False])
def test_the_figure_has_a_row_a_target_the_largest_before_first(holdout):
    of = opened() if holdout else opened().with_holdout(None, None)
    plot = drawn(of)
    assert [row.target for row in plot.rows] == of.assessment().summary()["target"].tolist()[::-1]
    abroad = plot.rows[0]
    assert (abroad.before, abroad.after) == (
        of.assessment().targets["abroad"].figures("DiSCO").mean(),
        of.after_safeguards().targets["abroad"].figures("DiSCO").mean(),
    )
    assert abroad.change == pytest.approx(abroad.after - abroad.before)
    assert plot.with_outside == holdout
    settlement = next(row for row in plot.rows if row.target == "settlement")
    assert settlement.conclusion == ("+1.1, was +4.0" if holdout else "")
    figure = screen.draw(plot, "#222")
    words = [note.text for note in figure.layout.annotations]
    assert "<b>−16.8</b>" in words
    assert ("<b>Own answers after</b><br>filled: shown" in words) == holdout
    assert f"abroad: from {abroad.before:.2f} to {abroad.after:.2f}" in plot.sentence
