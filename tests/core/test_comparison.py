"""Sets side by side: the figures are those of each set alone, and no sentence claims more than they do."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from disclosure_core import (
    Chain,
    Coarsen,
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    MergeLevels,
    RemoveReplicated,
    Scenario,
    Settings,
    Study,
    ThreatModel,
    Verdict,
    assess,
    attribute_baseline,
    compare,
    demo,
    demonstration_holdout,
    open_review,
    partition,
    start_demonstration,
    start_tables,
)
from disclosure_core.comparison import overview
from disclosure_core.comparison.candidates import ABOVE, DETAIL, LARGEST, MOST_DETAIL, USEFUL, Risk
from disclosure_core.comparison.comparison import comparison
from disclosure_core.comparison.intervals import difference_over_syntheses, paired_difference, t_quantile
from disclosure_core.comparison.sentences import ONE_SYNTHESIS, reading, sentences
from disclosure_core.figures import paper, risk_utility, screen, sets_by_target
from disclosure_core.figures.look import Look
from disclosure_core.figures.palette import of_set
from disclosure_core.holdout.differences import MEAN
from disclosure_core.review.parts import SYNTHETIC
from tests import saved
from tests.stamped import stamped
from tests.written import fixed

CHAINS = (Chain("no replicated uniques", (RemoveReplicated(),)), Chain("fewer conditions", (MergeLevels("condition", 200),)))  # fmt: skip


@cache
def opened():
    whole = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    return whole.with_review(replace(whole.review, chains=CHAINS))


@pytest.mark.slow
def test_each_set_has_the_figures_that_it_has_alone():
    found = opened().comparison()
    assert found.names == (SYNTHETIC, "overfitted", "coarse", "no replicated uniques", "fewer conditions")
    frames = {SYNTHETIC: demo.syntheses(), **demo.other_sets()}
    settings = Settings(keys=demo.KEYS, groups=demo.GROUPS)
    for name, syntheses in frames.items():
        alone = assess(Study(demo.original(), syntheses, demo.MISSING_CODES), settings)
        table = found.table().set_index(["measure", "target"])[name]
        for row in alone.summary().itertuples():
            assert table["DiSCO", row.target] == pytest.approx(row.synthetic)
            assert table["flags raised", row.target] == row.one_way + row.two_way
        assert table["repU", ""] == pytest.approx(alone.identity["repU"].mean())
        of_set = opened().attribute_baseline(name).summary().set_index("target")["difference"]
        assert table["DiSCO above people outside", "abroad"] == pytest.approx(of_set["abroad"])
        alike = opened().identity_baseline(name).figures.set_index("synthesis")["difference"]
        assert table["repU above people outside", ""] == pytest.approx(alike[MEAN])
        assert table[USEFUL, ""] == pytest.approx(opened().usefulness(name).mean)
    tried = opened().with_review(replace(opened().review, chain="no replicated uniques"))
    after = tried.after_safeguards().summary().set_index("target")["synthetic"]
    table = found.table().set_index(["measure", "target"])["no replicated uniques"]
    assert table["DiSCO", "income"] == pytest.approx(after["income"])
    assert table["repU", ""] == 0
    of_coarse = tried.with_review(replace(tried.review, synthesis_set="coarse")).after_safeguards().summary()
    assert tried.after_safeguards("coarse").summary().equals(of_coarse)
    assert not of_coarse.equals(tried.after_safeguards().summary())


@pytest.mark.slow
def test_the_map_holds_a_point_a_synthesis_and_one_a_set():
    found = opened().comparison()
    assert found.worst_target == "abroad"
    assert found.risks[0] == Risk("DiSCO", "abroad")
    others = [target for target in found.targets if target != "abroad"]
    up = [Risk("DiSCO", "abroad"), *(Risk("DiSCO", target) for target in others), Risk("repU")]
    assert list(found.risks) == [*up, *(replace(risk, above=True) for risk in up)]
    points = found.points(Risk("DiSCO", "abroad"))
    assert points.groupby("name", sort=False).size().tolist() == [6, 4, 4, 6, 6]
    for _, rows in points.groupby("name"):
        assert rows.iloc[0][["usefulness", "risk"]].tolist() == pytest.approx(
            rows.iloc[1:][["usefulness", "risk"]].mean().tolist()
        )
    assert found.originals(Risk("DiSCO", "abroad")) == ("Dorig", dict.fromkeys(found.names, pytest.approx(66.4)))
    assert found.originals(Risk("repU")) == ("UiO", dict.fromkeys(found.names, pytest.approx(25.06)))
    assert found.originals(Risk("DiSCO", "abroad", above=True)) is None
    plot = risk_utility.describe(found, Risk("DiSCO", "abroad"))
    assert plot.x_unit == "mean S_pMSE over all two-way tables (lower is more useful)"
    assert replace(plot, ways=1).x_unit == "mean S_pMSE over all one-way tables (lower is more useful)"
    outside = found.points(Risk("DiSCO", "abroad", above=True)).set_index(["name", "synthesis"])["risk"]
    assert outside["overfitted", 0] > outside[SYNTHETIC, 0] > outside["coarse", 0]


@pytest.mark.slow
def test_each_mark_of_the_map_has_the_original_seen_through_its_own_rules():
    """One line at the mean over sets and variants, one with grouped age, said 3.72 where Review says 4.65."""
    whole = opened().with_review(
        replace(opened().review, chains=(Chain("age in 3", (Coarsen("age", 3),)),), chain="age in 3")
    )
    here = whole.assessment().targets["marital"].figures("Dorig").mean()
    grouped = whole.after_safeguards().targets["marital"].figures("Dorig").mean()
    assert here - grouped > 1
    plot = risk_utility.describe(whole.comparison(), Risk("DiSCO", "marital"))
    assert {p.label: p.original for p in plot.points if p.label in (SYNTHETIC, "age in 3")} == {
        SYNTHETIC: pytest.approx(here), "age in 3": pytest.approx(grouped)
    }  # fmt: skip
    drawn = next(t for t in screen.draw(plot).data if t.name == "Dorig (original)")
    otherwise = [p for p in plot.points if p.original != pytest.approx(here)]
    assert [p.label for p in otherwise] == ["age in 3"]
    assert list(zip(drawn.x, drawn.y, strict=True)) == [(p.x, p.original) for p in otherwise]
    assert plot.line == pytest.approx(here)  # of all others one line
    assert [shape.y0 for shape in screen.draw(plot).layout.shapes if shape.y0 == shape.y1] == [plot.line]
    assert plot.corner == (plot.points[0].x, plot.points[0].y)
    assert f"age in 3: S_pMSE {fixed(whole.comparison()['age in 3'].usefulness.mean)}" in plot.sentence
    assert f"original Dorig {fixed(here)}" in plot.sentence
    assert f"original Dorig {fixed(grouped)}" in plot.sentence


def test_grouping_costs_detail_where_S_pMSE_calls_it_an_improvement():
    table = opened().comparison().table().set_index(["measure", "target"])
    assert table.loc[(DETAIL, ""), [SYNTHETIC, "overfitted", "coarse"]].tolist() == [0, 0, 0]
    removed, merged = table.loc[(DETAIL, ""), ["no replicated uniques", "fewer conditions"]]
    made = opened().with_review(replace(opened().review, chain="no replicated uniques")).protected()
    share = np.mean([n / before for n, before in zip(made.n_removed, made.before, strict=True)])
    assert removed == pytest.approx(100 * share)  # each column loses what its records held
    assert table.loc[(MOST_DETAIL, ""), "fewer conditions"] == pytest.approx(merged * len(made.detail.columns))


@pytest.mark.slow
def test_people_outside_are_seen_through_the_same_rules():
    """After safeguards members are those that are measured without a holdout; people outside, merged by hand."""
    found = opened().comparison()
    for chain in CHAINS:
        mine = opened().with_review(replace(opened().review, chain=chain.name))
        joined = mine.as_adopted().partition()
        baseline = attribute_baseline(joined, mine.review.settings).summary().set_index("target")
        alone = mine.after_safeguards().summary().set_index("target")["synthetic"]
        assert baseline["members"].to_dict() == pytest.approx(alone.to_dict())
        assert joined.n_holdout == demonstration_holdout().frame.shape[0]  # nobody outside is removed
        points = found.points(Risk("DiSCO", "condition", above=True)).set_index(["name", "synthesis"])
        row = points.loc[chain.name, 0]
        assert row[["risk", "low", "high"]].tolist() == pytest.approx(
            baseline.loc["condition", ["difference", "low", "high"]].tolist()
        )
    assert found.points(Risk("DiSCO", "condition"))[["low", "high"]].isna().all(axis=None)
    frames = [demo.original(), *demo.syntheses(), demo.holdout()]
    counts = frames[0]["condition"].value_counts()
    frequent = set(counts.index[counts >= 200])
    assert 1 < len(frequent) < len(counts)
    by_hand = [
        f.assign(condition=[c if c in frequent or pd.isna(c) else "Other" for c in f["condition"].astype(object)])
        for f in frames
    ]
    joined = partition(by_hand[0], by_hand[-1], by_hand[1:-1], demo.MISSING_CODES)
    expected = attribute_baseline(joined, opened().review.settings).summary().set_index("target")["non_members"]
    assert baseline["non_members"].to_dict() == pytest.approx(expected.to_dict())


def test_people_outside_and_safeguards_are_looked_at_where_that_is_asked():
    found = opened().comparison(safeguards=False, outside=False)
    assert found.names == (SYNTHETIC, "overfitted", "coarse")
    assert not any(risk.above for risk in found.risks)
    assert any(risk.above for risk in opened().comparison().risks)


@pytest.mark.slow
def test_the_table_holds_what_the_review_holds_of_each_set():
    whole = start_demonstration()
    assert not any(name.startswith(("F_rel", "verdict", "DiSCO,")) for name in whole.comparison().table()["measure"])
    whole = whole.with_holdout(demonstration_holdout(), Holdout("demonstration"))
    asked = replace(
        whole.review,
        intruders=(KeySet("a neighbour", ("sex", "age")),),
        intruder="a neighbour",
        threat_model=ThreatModel(population_size=1_000_000, same_population=True, news=True),
        searched=frozenset({"membership"}),
        scenarios=(Scenario("no No", Exclusions(target_levels={"abroad": ("No",)})),),
        verdicts=(
            Verdict("coarse", "a neighbour", "abroad", "leak"),
            Verdict("coarse", "a neighbour", "marital", "leak"),
            Verdict("coarse", "somebody else", "income", "leak"),
            Verdict("overfitted", "a neighbour", "abroad", "acceptable"),
        ),
        chains=CHAINS[:1],
    )
    whole = stamped(whole.with_review(asked), *asked.verdicts)
    table = whole.comparison().table().set_index("measure")
    for name in (SYNTHETIC, "overfitted", "coarse"):
        assert table.loc["F_rel, all keys", name] == pytest.approx(whole.membership(None, name).decisive()["F_rel"])
        ((_, scenario),) = whole.scenarios(name)
        worst = whole.comparison().worst_target
        assert table.loc["DiSCO, scenario 'no No'", ["target", name]].tolist() == [
            worst, pytest.approx(scenario.targets[worst].figures("DiSCO").mean()),
        ]  # fmt: skip
    assert table.loc["verdict: leak", [SYNTHETIC, "overfitted", "coarse"]].tolist() == [0, 0, 2]
    assert table.loc["verdict: acceptable", [SYNTHETIC, "overfitted", "coarse"]].tolist() == [0, 1, 0]
    assert math.isnan(table.loc["verdict: leak", "no replicated uniques"])


def test_what_is_said_of_two_sets():
    found = opened().comparison()
    worse = " ".join(sentences(found, "overfitted", SYNTHETIC))
    assert "'synthetic data' discloses less than 'overfitted' for all 10 targets." in worse
    assert "so that they are not told apart" in worse  # their usefulness
    useful = " ".join(sentences(found, SYNTHETIC, "coarse"))
    assert "'synthetic data' is the more useful of the two" in useful
    assert "bmi are not told apart" in useful
    means = {
        name: f"{fixed(found[name].usefulness.mean)} ({said})"
        for name, said in ((SYNTHETIC, "good"), ("coarse", "between good and poor"))
    }
    for a, b in ((SYNTHETIC, "coarse"), ("coarse", SYNTHETIC)):
        told = " ".join(sentences(found, a, b))
        assert (
            f"mean S_pMSE over 91 two-way tables is {means[SYNTHETIC]}, against {means['coarse']} of 'coarse'" in told
        )
    assert "for the office to decide" in useful
    for a, b in (("overfitted", SYNTHETIC), (SYNTHETIC, "coarse")):
        told, rows = sentences(found, a, b), found.differences(a, b)
        # One sentence each: of the targets, of repU, of people outside, of own answers (two), of usefulness, and who weighs them.
        assert [text.split(" ")[0] for text in told[:3]] == ["By", "repU", "DiSCO"]
        assert len(told) == 7
        outside = rows[rows["above"] & (rows["measure"] == "DiSCO")]
        for name, column in ((a, "a"), (b, "b")):
            assert f"{name!r} has up to {fixed(outside[column].max(), sign=True)} percentage points" in told[2]
        lower = outside.loc[outside["clear"].astype(bool), "lower"].value_counts()
        for name in (a, b):
            said = f"{name!r} is lower on {lower.get(name, 0)} of {len(outside)} targets"
            assert (said in told[2]) == (lower.get(name, 0) > 0)
    with pytest.raises(DisclosureError, match="differs from itself"):
        sentences(found, "coarse", "-coarse"[1:])  # the same name, typed again
    with pytest.raises(DisclosureError, match="no set 'gan'"):
        sentences(found, "coarse", "gan")


@pytest.mark.parametrize(
    ("s_pmse", "said"),
    [(0, "good"), (2.99, "good"), (3, "between good and poor"), (10, "between good and poor"), (10.01, "poor"), (math.nan, "")],
)  # fmt: skip
def test_how_a_mean_is_read(s_pmse, said):
    assert reading(s_pmse) == said


def test_one_synthesis_gives_no_interval_and_no_verdict():
    one = start_tables(demo.original(), {"a": demo.syntheses()[:1], "b": demo.other_sets()["coarse"][:1]})
    one = one.with_review(one.review.with_settings(Settings(keys=demo.KEYS, targets=("income", "abroad"))))
    found = one.comparison()
    rows = found.differences("a", "b")
    assert rows["low"].isna().all()
    assert not rows["clear"].any()
    told = sentences(found, "a", "b")
    assert ONE_SYNTHESIS in told
    assert not any("more useful" in t or "interval" in t for t in told)


def test_syntheses_that_agree_by_chance_tell_nothing_apart():
    """Two syntheses a set, equal in every count: no interval, and no set that discloses less."""
    original = pd.DataFrame({"k": list("abcdabcd"), "t": list("wxyzwxyz")})
    low, high = (original.assign(t=t) for t in (list("wxwxyzyz"), list("wxyzwxyz")))
    one = start_tables(original, {"a": [low, low], "b": [high, high]})
    one = one.with_review(one.review.with_settings(Settings(keys=("k",))))
    found = one.comparison()
    rows = found.differences("a", "b")
    assert (rows["a"] < rows["b"]).any()
    assert rows[["low", "high"]].isna().all(axis=None)
    assert not rows["clear"].any()
    told = " ".join(sentences(found, "a", "b"))
    assert "By DiSCO: no synthesis differs from another for t, so that it is not told apart" in told
    assert "no synthesis differs from another, so that they are not told apart" in told
    assert "discloses less" not in told
    assert ONE_SYNTHESIS not in told


def test_safeguards_are_compared_synthesis_by_synthesis():
    rows = opened().comparison().differences(SYNTHETIC, "no replicated uniques").set_index(["measure", "target"])
    before, after = (opened().comparison()[n].figures[USEFUL, ""] for n in (SYNTHETIC, "no replicated uniques"))
    assert rows.loc[(USEFUL, ""), ["difference", "low", "high"]].tolist() == pytest.approx(paired_difference(before, after))  # fmt: skip
    assert rows.loc[(USEFUL, ""), "clear"]  # five pairs tell what five against five do not


@pytest.mark.slow
def test_the_set_chosen_is_the_one_that_every_figure_speaks_of():
    whole = opened()
    coarse = whole.with_review(replace(whole.review, synthesis_set="coarse"))
    assert coarse.first_set == "coarse"
    assert coarse.assessment().identity["repU"].mean() == pytest.approx(whole.assessment(None, "coarse").identity["repU"].mean())  # fmt: skip
    assert coarse.assessment().identity["repU"].mean() != whole.assessment().identity["repU"].mean()
    assert len(coarse.readings()) == 1 + demo.N_OTHER
    again = open_review(saved.from_json(saved.to_json(coarse.review)))
    assert again.review == coarse.review
    assert again.comparison().table().equals(coarse.comparison().table())
    with pytest.raises(DisclosureError, match="no set 'gan'"):
        replace(whole.review, synthesis_set="gan")


def test_a_chain_that_cannot_be_done_is_said_and_the_rest_stands():
    whole = opened()
    bad = Chain("odd", (MergeLevels("income", 10),))
    found = whole.with_review(replace(whole.review, chains=(*CHAINS, bad))).comparison()
    assert "odd" not in found.names
    assert "'odd' cannot be done on 'synthetic data': 'income' is numeric" in found.left_out[0]


def test_in_python():
    original, (first, *_), coarse = demo.original(), demo.syntheses(), demo.other_sets()["coarse"]
    settings = Settings(keys=demo.KEYS, targets=("abroad",))
    found = compare(Study(original, [first]), Study(original, coarse), settings=settings)
    assert found.names == ("A", "B")
    assert found["B"].n_syntheses == 3
    with pytest.raises(DisclosureError, match="'B' has another original than 'A'"):
        compare(Study(original, [first]), Study(original.head(4000), coarse), settings=settings)
    swapped = original.assign(sex=original["sex"].map({"Female": "Male", "Male": "Female"}))
    with pytest.raises(DisclosureError, match="another original"):
        compare(Study(original, [first]), Study(swapped, [first]), settings=settings)
    people = pd.DataFrame({"k": ["a"] * 9 + ["b"], "t": ["x", "y"] * 5})
    other = people.assign(k=["a"] * 9 + ["c"])  # one person is another
    with pytest.raises(DisclosureError, match="another original"):
        compare(Study(people, [people]), Study(other, [people]), settings=Settings(keys=("k",)))
    with pytest.raises(DisclosureError, match="name of its own"):
        compare(Study(original, [first]), Study(original, coarse), settings=settings, names=("x", "x"))


# ---- intervals ----

PRINTED = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 8: 2.306, 9: 2.262, 20: 2.086, 30: 2.042, 120: 1.980}


@pytest.mark.parametrize(("freedom", "quantile"), PRINTED.items())
def test_student_as_printed_in_every_table(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5.1e-4)


few = st.lists(st.floats(-100, 100), min_size=2, max_size=6)


@given(few, few)
@example([0.0, 0.0], [0.0, 5.6e-142])
def test_an_interval_holds_its_difference_and_turns_round(a, b):
    difference, low, high = difference_over_syntheses(a, b)
    if math.isnan(low):  # nothing tells how far chance moves them
        assert math.isnan(high)
        assert np.ptp(a) == pytest.approx(0, abs=1e-9)
        assert np.ptp(b) == pytest.approx(0, abs=1e-9)
        return
    assert low - 1e-9 <= difference <= high + 1e-9
    assert difference_over_syntheses(b, a) == pytest.approx((-difference, -high, -low))
    wide, narrow = t_quantile(min(len(a), len(b)) - 1), t_quantile(len(a) + len(b) - 2)
    error = math.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))
    assert narrow * error - 1e-9 <= high - difference <= wide * error + 1e-9


@pytest.mark.parametrize(
    ("after", "half"),
    [([1.0], math.nan), ([1.0, 3], 12.7062), ([1.0, 2, 3], 4.30265 / math.sqrt(3)), ([1.0, 1, 1, 1], math.nan)],
)
def test_an_interval_of_pairs_is_students(after, half):
    before = [5.0, 10, 20, 40][: len(after)]
    mean = sum(after) / len(after)
    found = paired_difference([b + a for a, b in zip(after, before, strict=True)], before)
    assert found == pytest.approx((mean, mean - half, mean + half), abs=1e-4, nan_ok=True)


def test_the_largest_table_is_the_worst_one():
    found = opened().comparison()["coarse"]
    assert found.figures[LARGEST, ""].mean() >= found.usefulness.worst(1)["S_pMSE"].iloc[0]
    assert set(found.usefulness.worst(1).iloc[0][["first", "second"]]) <= set(demo.original().columns)


@pytest.mark.slow
def test_every_target_by_set_is_the_table_and_hollow_where_not_told_apart():
    found = opened().comparison()
    plot = sets_by_target.describe(found)
    table = found.table().set_index(["measure", "target"])
    first = found.names[0]
    told = {name: found.differences(name, first) for name in found.names[1:]}
    largest = [row.values[0] for row in plot.rows]
    assert largest == sorted(largest, reverse=True)
    assert {row.target for row in plot.rows} == set(found.targets)
    for row in plot.rows:
        assert list(row.values) == pytest.approx([table.loc[("DiSCO", row.target), name] for name in plot.sets])
        assert row.original == pytest.approx(table.loc[("Dorig", row.target), first])
        above = [table.loc[(f"DiSCO {ABOVE}", row.target), name] for name in plot.sets]
        assert list(row.above) == pytest.approx(above)
        for outside, marks in ((False, row.told), (True, row.above_told)):
            clear = [
                rows[(rows["measure"] == "DiSCO") & (rows["target"] == row.target) & (rows["above"] == outside)]
                for rows in told.values()
            ]
            assert list(marks) == [True, *(each["clear"].item() for each in clear)]
    hollow = [(row.target, plot.sets[i]) for row in plot.rows for i, clear in enumerate(row.told) if not clear]
    assert ("abroad", "coarse") in hollow
    assert ("abroad", "overfitted") not in hollow
    drawn = {t.name: t for t in screen.draw(plot).data if t.name and t.xaxis != "x2"}
    for i, name in enumerate(plot.sets):
        assert list(drawn[name].x) == [row.values[i] for row in plot.rows]
        shown = [not symbol.endswith("-open") for symbol in drawn[name].marker.symbol]
        assert shown == [row.told[i] for row in plot.rows]
    words = [text.get_text() for text in paper._drawn(plot, Look()).axes.texts]
    assert {*plot.sets[:3], "Dorig", *(row.target for row in plot.rows)} <= set(words)
    assert len({of_set(i)[1] for i in range(8)}) == len({of_set(i)[2] for i in range(8)}) == 8  # in greys, too


@pytest.mark.slow
def test_a_row_a_set_is_the_table_and_sets_beside_the_first_are_their_differences():
    found = opened().comparison()
    table = found.table().set_index(["measure", "target"])
    rows = overview.overview(found).set_index("set")
    assert rows.index.tolist() == list(found.names)
    for name, row in rows.iterrows():
        disco = {t: table.loc[("DiSCO", t), name] for t in found.targets}
        above = {t: table.loc[(f"DiSCO {ABOVE}", t), name] for t in found.targets}
        assert (row["DiSCO"], row["of_disco"]) == (pytest.approx(max(disco.values())), max(disco, key=disco.get))
        assert (row["above"], row["of_above"]) == (pytest.approx(max(above.values())), max(above, key=above.get))
        assert row[["repU", "mean", "worst"]].tolist() == pytest.approx(
            [table.loc[(m, ""), name] for m in ("repU", "mean S_pMSE", "largest S_pMSE")]
        )
    assert rows.loc["overfitted", "own_answers"] == "all 10"
    assert rows.loc["coarse", "own_answers"] == "none shown"
    beside = {each.name: each for each in overview.beside_first(found)}
    assert (beside["overfitted"].more, beside["overfitted"].less, beside["overfitted"].useful) == (10, 0, 0)
    assert (beside["coarse"].more, beside["coarse"].less, beside["coarse"].useful) == (0, 5, -1)
    assert not overview.merging_rewarded(found)  # both cost usefulness here
    *others, tried = found.candidates
    better = replace(tried, figures={**tried.figures, (USEFUL, ""): found[SYNTHETIC].figures[USEFUL, ""] - 0.01})
    assert overview.merging_rewarded(comparison([*others, better]))
    alone = comparison(
        [
            replace(
                each,
                n_synthetic=each.n_synthetic[:1],
                figures={k: v[:1] for k, v in each.figures.items()},
                above={k: v[:1] for k, v in each.above.items()},
            )
            for each in found.candidates[:2]
        ]
    )
    assert [each.intervals for each in overview.beside_first(alone)] == [False]
    assert not any(row.told[1] for row in sets_by_target.describe(alone).rows)


def test_names_above_marks_never_meet():
    places, widths = [10.0, 11.0, 12.0, 60.0, 99.0], [8.0, 8.0, 8.0, 8.0, 8.0]
    found = sets_by_target.heads(places, widths, 0.0, 100.0)
    assert [line for _, line in found] == [0, 1, 2, 0, 0]
    assert found[-1][0] == 96.0  # it ends where names may
    for i, (x, line) in enumerate(found):
        assert all(abs(x - y) >= 8 for j, (y, other) in enumerate(found) if i != j and line == other)


def test_names_of_the_map_on_screen_stay_in_the_frame_and_below_what_is_explained():
    points = (
        risk_utility.MapPoint("synthetic data", 1.38, 41.7, ((1.38, 41.7),), original=66.4),
        risk_utility.MapPoint("tried", 1.47, 36.7, ((1.47, 36.7),), began=(1.38, 41.7), original=66.4),
    )
    drawn = screen.draw(risk_utility.MapPlot("DiSCO of abroad", "%", 2, points, "Dorig"))
    named = {t["customdata"][0][0]: t["textposition"][0] for t in drawn.to_dict()["data"] if "textposition" in t}
    assert {name: side.split()[1] for name, side in named.items()} == {"synthetic data": "left", "tried": "left"}
    low, top = drawn.layout.yaxis.range
    assert (top - 66.4) * 250 / (top - low) > 2 * 13  # two lines of words above the line of the original


def test_on_screen_no_line_of_the_map_crosses_words():
    points = (
        risk_utility.MapPoint("synthetic data", 1.46, 23.0, ((1.46, 23.0),), original=42.8),
        risk_utility.MapPoint("tried", 5.85, 6.1, ((5.85, 6.1),), began=(1.46, 23.0), original=42.8),
    )
    drawn = screen.draw(risk_utility.MapPlot("DiSCO of marital", "%", 2, points, "Dorig"))
    named = {t["customdata"][0][0]: t["textposition"][0] for t in drawn.to_dict()["data"] if "textposition" in t}
    assert named["tried"] != "top left"  # where its arrow comes from
    assert named["synthetic data"] != "bottom right"
    (dotted,) = [shape for shape in drawn.layout.shapes if shape.x0 == shape.x1 == 1]
    assert 250 * dotted.y0 > 16  # above the words of the corner
