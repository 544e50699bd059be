"""Safeguards adopted: a set of its own with the figures that were tried, the same wherever it is opened again."""

# Inside: an adoption says more than the review that `Opened.adopt` returns, and is given up.

from dataclasses import replace
from functools import cache

import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Cap,
    Coarsen,
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    MergeLevels,
    Pair,
    RemoveReplicated,
    RoundTo,
    Scenario,
    Settings,
    assess,
    demonstration_holdout,
    open_review,
    protect,
    start_demonstration,
    start_tables,
)
from disclosure_core.conclusions.standing import Standing
from disclosure_core.export.scripts import python, r_of
from disclosure_core.holdout.decision import with_limit
from disclosure_core.review.adoption import adoption, given_up
from disclosure_core.review.parts import SYNTHETIC, VERDICTS, Origin, SynthesisSet
from disclosure_core.review.verdicts import confirmable, judged
from disclosure_core.review.verdicts import table as table_of_verdicts
from tests.saved import carry_over, from_json, to_json
from tests.written import fixed, of_review, percent, safer_files

PHASES = (Phase.explicit, Phase.generate)
STEPS = (RemoveReplicated(), MergeLevels("region", 500), Coarsen("income", 10))


@cache
def tried():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    return opened.with_review(opened.review.with_steps(STEPS, "coarser"))


@pytest.mark.slow
def test_an_adopted_set_has_the_figures_that_were_tried_everywhere():
    before, adopted = tried(), tried().adopt("safer")
    assert adopted.first_set == "safer"
    assert adopted.assessment().summary().equals(before.after_safeguards().summary())
    assert adopted.assessment().identity.equals(before.after_safeguards().identity)
    assert adopted.usefulness().mean == before.usefulness_after_safeguards().mean
    mine = before.with_review(replace(before.review, chain="coarser")).comparison()["coarser"]
    table = adopted.comparison()
    assert table["safer"].figures.keys() == mine.figures.keys()
    assert all((table["safer"].figures[k] == mine.figures[k]).all() for k in mine.figures)
    assert all((table["safer"].above[k] == mine.above[k]).all() for k in mine.above)
    assert table["safer"].synthesis_set == SYNTHETIC
    again = open_review(from_json(to_json(adopted.review)))
    of_page, of_file = of_review(adopted), of_review(again)
    assert of_page.keys() == of_file.keys()
    assert all(of_page[name].equals(of_file[name]) for name in of_page)
    assert safer_files(adopted) == safer_files(before) == safer_files(again)
    assert any("safeguards that were adopted" in said for said in adopted.which_syntheses)
    assert "safeguards that were adopted" in r_of(adopted)
    assert "RemoveReplicated" in python(adopted)


@pytest.mark.slow
def test_an_adopted_set_is_counted_again_by_the_second_counter():
    found = tried().adopt("safer").verify()
    assert found.n > 1000
    assert not found.differ


def table(draw, n: int) -> pd.DataFrame:
    ages = st.lists(st.integers(20, 29), min_size=n, max_size=n)
    levels = st.lists(st.sampled_from(["a", "b", "c"]), min_size=n, max_size=n)
    return pd.DataFrame({"age": draw(ages), "area": draw(levels), "job": draw(levels), "ill": draw(levels)})


steps = st.lists(
    st.sampled_from([RemoveReplicated(), MergeLevels("area", 4), RoundTo("age", 5.0), Cap("age", 22, None), Coarsen("age", 3)]),
    min_size=1, max_size=3, unique_by=lambda step: type(step),
)  # fmt: skip


@st.composite
def reviews(draw):
    opened = start_tables(table(draw, 14), [table(draw, 14), table(draw, 14)])
    review = replace(
        opened.review, intruders=(KeySet("near", ("age", "area")), KeySet("far", ("area",))), intruder="near"
    )
    opened = opened.with_review(review.with_steps(tuple(draw(steps)), "chain"))
    try:
        opened.protected()
    except DisclosureError:  # nothing left, or the step does not fit: nothing to adopt
        return None
    return opened


@pytest.mark.slow
@settings(max_examples=15, deadline=None, phases=PHASES)
@given(
    reviews(),
    st.lists(st.tuples(st.sampled_from(["job", "ill", "age"]), st.sampled_from(VERDICTS)), unique_by=lambda g: g[0]),
)
def test_a_verdict_is_carried_where_its_figure_does_not_rise_and_is_stamped_with_both(opened, said):
    if opened is None:
        return
    for intruder in ("near", "far"):
        opened = opened.with_review(replace(opened.review, intruder=intruder))
        for target, verdict in said:
            if target in opened.assessment().targets:
                opened = opened.with_review(judged(opened, [target], verdict, "known", "2026-01-01"))
    found = adoption(opened)
    adopted = opened.with_review(found.review)
    carried, again, made = set(), set(), opened.protected()
    for given_before, given_now in zip(opened.verdicts(), adopted.verdicts(), strict=True):
        intruder, target = given_before.verdict.intruder, given_before.verdict.target
        keys = next(k.keys for k in opened.review.intruders if k.name == intruder)
        after = assess(made.study, Settings(keys=keys)).targets[target].figures("DiSCO").mean()
        before = given_before.verdict.stamp.figure
        stands = after < before + 1e-9 and given_before.verdict.verdict not in ("needs a safeguard", "leak")
        assert (given_now.standing is Standing.STANDS) == stands
        stamp = given_now.verdict.stamp
        assert stamp.when == "2026-01-01"
        assert stamp.figure == pytest.approx(after if stands else before)
        assert (stamp.given_at or stamp.figure) == pytest.approx(before)
        (carried if stands else again).add((intruder, target))
    assert {(each.intruder, each.target) for each in found.carried} == carried
    assert {(each.intruder, each.target) for each in found.asked_again} == again
    assert all(f"now {percent(fixed(each.now))}" in each.sentence for each in (*found.carried, *found.asked_again))
    assert verdict_table(from_json(to_json(adopted.review)), adopted) == verdict_table(adopted.review, adopted)
    # The set as it came keeps its own.
    assert [
        v for v in found.review.verdicts if v.synthesis_set == SYNTHETIC or v.synthesis_set == opened.first_set
    ] == [*opened.review.verdicts]


def verdict_table(review, opened):
    return table_of_verdicts(opened.with_review(review)).to_csv()


def one_step(step, verdict="acceptable", **more):
    """Return an adoption of the survey with one step, where every target has the verdict."""
    opened = replace_review(tried(), chain="", **more)
    opened = opened.with_review(judged(opened, list(opened.assessment().targets), verdict, "known", "2026-01-01"))
    return opened.with_review(opened.review.with_steps((step,), "one"))


def replace_review(opened, **change):
    return opened.with_review(replace(opened.review, **change))


@pytest.mark.parametrize(
    ("step", "more", "again"),
    [
        (RoundTo("age", 5.0), {}, {}),
        (Coarsen("income", 10), {}, {"income": "the figure rises"}),
        (RoundTo("age", 2.0), {}, {"income": "members’ own answers are newly shown"}),
        (RoundTo("age", 2.0), {"holdout": False}, {}),
        (RoundTo("age", 5.0), {"verdict": "needs a safeguard"}, "“needs a safeguard” is always asked again"),
        (RoundTo("age", 5.0), {"verdict": "leak"}, "“leak” is always asked again"),
    ],
)  # fmt: skip
def test_which_verdicts_adopting_asks_again(step, more, again):
    opened = one_step(step, more.get("verdict", "acceptable"))
    if "holdout" in more:
        opened = opened.with_holdout(None, None)
    found = adoption(opened)
    if isinstance(again, str):
        again = dict.fromkeys(opened.assessment().targets, again)
    assert {each.target: each.why for each in found.asked_again} == again
    assert len(found.carried) + len(found.asked_again) == 10
    adopted = opened.with_review(found.review)
    assert set(adopted.queue().to_confirm) == set(again)
    assert not confirmable(adopted)


@pytest.mark.parametrize(
    ("measure", "limit", "column", "why"),
    [
        ("DiSCO", Limit(relative=5.0), "difference", "DiSCO less that of people outside rises"),
        ("DCAP", Limit(absolute=50.0), "members", "DCAPd rises"),
    ],
)
def test_a_figure_that_the_limits_judge_asks_again_where_it_rises(measure, limit, column, why):
    opened = one_step(Cap("age", 30, 60))
    before = {each.target for each in adoption(opened).asked_again}
    opened = replace_review(opened, limits=with_limit(opened.review.limits, measure, limit))
    found = adoption(opened)
    adopted = opened.with_review(found.review)
    was, now = (o.attribute_baseline().summary(measure).set_index("target")[column] for o in (opened, adopted))
    rising = {target for target in was.index if now[target] > was[target] + 1e-9}
    assert rising
    assert {each.target for each in found.asked_again} == before | rising
    assert {each.target for each in found.asked_again if each.why == why} == rising


def test_an_exclusion_that_does_not_fit_asks_its_target_again():
    region = demo_level("region")
    out = Exclusions(pairs={"abroad": (Pair("region", region, "No"),)})
    opened = one_step(MergeLevels("region", 500), exclusions=out, reasons={f"region = {region}, abroad = No": "known"})
    found = adoption(opened)
    assert found.gone == (f"region = {region}, abroad = No",)
    assert [each.why for each in found.asked_again if each.target == "abroad"] == [
        "an exclusion of it does not fit the safer data"
    ]


def test_a_verdict_carried_twice_keeps_the_figure_it_was_given_at():
    first = one_step(RoundTo("age", 5.0)).adopt("first")
    second = first.with_review(first.review.with_steps((RemoveReplicated(),), "more")).adopt("second")
    given_at = {g.verdict.target: g.verdict.stamp for g in second.verdicts("second")}
    first_figures = first.verdicts("synthetic data")
    assert {t: s.given_at for t, s in given_at.items()} == {g.verdict.target: g.now.figure for g in first_figures}
    assert given_at["marital"].carried.startswith("given at 27.57\xa0%, carried to ")
    # Given again, it is of one figure.
    again = second.with_review(judged(second, ["marital"], "common knowledge"))
    assert again.review.verdict_on("marital", "second").stamp.given_at is None


@pytest.mark.slow
@settings(max_examples=15, deadline=None, phases=PHASES)
@given(reviews(), steps)
def test_adopting_twice_is_protecting_twice_each_with_its_own_keys(opened, more):
    if opened is None:
        return
    first = opened.adopt("first")
    later = first.with_review(replace(first.review, intruder="far").with_steps(tuple(more), "more"))
    original, *synthetic = opened.frames()
    once = protect(original, synthetic, opened.review.steps, Settings(keys=("age", "area")))
    try:
        twice = protect(once.original.frame(), [t.frame() for t in once.tables], more, Settings(keys=("area",)))
    except DisclosureError as error:
        with pytest.raises(DisclosureError, match=str(error)[:20].replace("(", ".")):
            later.adopt("second")
        return
    second = later.adopt("second")
    for mine, theirs in zip(second.frames()[1:], twice.tables, strict=True):
        pd.testing.assert_frame_equal(mine, theirs.frame())
    # Another intruder looked at changes no record of what was adopted.
    other = second.with_review(replace(second.review, intruder="near"))
    assert [len(f) for f in other.frames()] == [len(f) for f in second.frames()]


@pytest.mark.slow
def test_exclusions_that_do_not_fit_are_named_before():
    small = demo_level("region")
    out = Exclusions(
        target_levels={"region": (small,), "abroad": ("No",)}, pairs={"abroad": (Pair("region", small, "No"),)}
    )
    opened = tried()
    review = replace(opened.review, exclusions=out, scenarios=(Scenario("one", out),), intruders=(
        *opened.review.intruders, KeySet("other", ("sex", "age")),
    ))  # fmt: skip
    opened = opened.with_review(review)
    found = adoption(opened, "safer")
    assert sorted(found.gone) == [f"region = {small}", f"region = {small}, abroad = No"]
    assert found.review.exclusions == Exclusions(target_levels={"abroad": ("No",)})
    assert opened.review.exclusions == out
    adopted = opened.with_review(found.review)
    adopted.assessment()
    adopted.scenarios()
    assert adopted.comparison().names[-2:] == ("coarse", "safer")
    assert not adopted.comparison().left_out
    # An exclusion that only the adopted set has does not stop the others.
    with_other = replace(found.review, exclusions=found.review.exclusions.with_levels("region", {"Other"}))
    assert opened.with_review(with_other).comparison().names[0] == SYNTHETIC


def demo_level(column: str) -> str:
    found = start_demonstration().study().columns[column]
    return found.levels[int(found.counts[0, :-1].argmin())]


def test_a_set_given_up_takes_along_what_was_said_of_it():
    opened = tried()
    opened = opened.with_review(judged(opened, ["abroad"], "leak"))
    adopted = opened.adopt("safer")
    again = adopted.with_review(adopted.review.with_steps((RoundTo("bmi", 5.0),), "more")).adopt("safest")
    back = given_up(again.review, "safer")
    assert back == replace(opened.review, chains=back.chains, chain="", synthesis_set=SYNTHETIC)
    assert {(c.name, c.steps) for c in back.chains} == {("coarser", STEPS), ("more", (RoundTo("bmi", 5.0),))}
    with pytest.raises(DisclosureError, match="There is no adopted set 'coarse'; name one that came from safeguards"):
        given_up(again.review, "coarse")


def test_an_adopted_set_is_taken_up_where_its_files_are_open():
    saved = tried().adopt("safer").review
    review, _ = carry_over(saved, start_demonstration())
    assert review.synthesis_set == "safer"
    assert start_demonstration().with_review(review).assessment().summary().equals(tried().after_safeguards().summary())


@pytest.mark.parametrize(
    ("change", "name", "sentence"),
    [
        ({"chain": ""}, "", "No safeguard is taken, so that none can be adopted; try one first"),
        ({}, "coarse", "There is a set called 'coarse' already; give the adopted set another name"),
        ({}, "x" * 61, "Give the adopted set a name of 1 to 60 letters"),
    ],
)
def test_what_cannot_be_adopted_is_a_sentence(change, name, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        adoption(tried().with_review(replace(tried().review, **change)), name)


def test_a_set_of_an_unknown_origin_is_refused():
    origin = Origin("none", "chain", STEPS)
    with pytest.raises(DisclosureError, match="which is not before it in the review"):
        replace(start_demonstration().review, sets=(SynthesisSet("safer", (), origin),))
