"""Members beside non-members: paper 001's Table 3, the plain counter, and what must hold."""

# Inside: what the comparison with people outside says of a target, and how a joined column calls a stranger.

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Holdout,
    Limit,
    NotEvaluated,
    Settings,
    Study,
    assess,
    attribute_baseline,
    demo,
    demonstration_holdout,
    identity_baseline,
    partition,
    split,
    start_demonstration,
)
from disclosure_core.conclusions.difference import table as conclusions
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.joint_column import UNMATCHED
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.fscores import relative_gain
from disclosure_core.holdout.intervals import difference_interval, wilson
from disclosure_core.holdout.partition import NO_HOLDOUT, SMALL_HOLDOUT
from disclosure_core.report.exhibits import members
from disclosure_core.results.catalogue import every
from tests.core.test_every_figure import COLUMNS, TARGETS, asked, exclusions_of, frame, tables
from tests.reference import plainly
from tests.reference.plainly import outside
from tests.reports import answer

# ---- against the plain counter ----------------------------------------------------------------------------------------


@st.composite
def with_holdout(draw):
    """Training records, syntheses, a holdout, and settings that may exclude."""
    original, synthetic = draw(tables())
    holdout = draw(st.lists(st.sampled_from([*original, *synthetic[0]]), min_size=1, max_size=15))
    return original, synthetic, holdout, draw(asked(original, [*synthetic, holdout]))


@pytest.mark.slow
@examples(max_examples=40)
@given(with_holdout())
def test_against_the_plain_counter(case):
    training, synthetic, holdout, (settings, out, *_) = case
    keys = [name for name in COLUMNS if name in settings.keys]
    of = partition(frame(training), frame(holdout), [frame(side) for side in synthetic], random=True)
    found = attribute_baseline(of, settings)
    figures, told = found.figures, conclusions(found).set_index(["target", "measure"])
    assert figures.columns[:5].tolist() == ["target", "measure", "synthesis", "members", "non_members"]
    figures = figures.set_index(["target", "measure", "synthesis"])
    data = plainly.data(training, synthetic, holdout)
    for name in TARGETS:
        rows, wide = outside.beside_outside(plainly.target(data, keys, name, exclusions_of(out, name)))
        for (measure,), expected in wide.items():
            row = told.loc[(name, measure)]
            expected = {column: value for column, value in expected.items() if column in row.index}
            assert row[list(expected)].astype(float).to_dict() == pytest.approx(expected, abs=1e-9, nan_ok=True)
        for (measure, i), expected in rows.items():
            row = figures.loc[(name, measure, i or MEAN)]
            assert row[list(expected)].to_dict() == pytest.approx(expected, abs=1e-9, nan_ok=True)
    figures = identity_baseline(of, settings).figures.set_index("synthesis")
    for (i,), expected in outside.outside_by_keys(data, keys, out["missing_keys"]).items():
        row = figures.loc[i or MEAN]
        assert row[list(expected)].to_dict() == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_a_denominator_limit_counts_a_non_member_as_one_more():
    """With d ≤ L on both sides, non-members stood at 14.83 % beside 9.60 % of members: a leak looked like protection."""
    of = partition(demo.original(), demo.holdout(), demo.syntheses())
    keys = ("sex", "age", "region", "employment")
    settings = Settings(keys=keys, targets=("abroad",), exclusions=Exclusions(denominator_limit=1))
    row = attribute_baseline(of, settings).summary("DiSCO").iloc[0]
    assert [row["members"], row["non_members"]] == pytest.approx([9.596, 5.712])


def test_intervals_are_those_of_training_data_and_syntheses():
    """Holdout values outside all intervals belong to none, those between breaks fall where they belong."""
    rng = np.random.default_rng(1)
    training = pd.DataFrame({"k": rng.integers(0, 50, 300), "t": rng.integers(0, 2, 300)})
    synthetic = pd.DataFrame({"k": rng.integers(0, 50, 300), "t": rng.integers(0, 2, 300)})
    holdout = pd.DataFrame({"k": [-1000, 1000, 25.5, 10], "t": [0, 1, 0, 1]})
    of = partition(training, holdout, [synthetic])
    column, _ = of.joint.grouped("k", 5)
    alone, _ = Study(training, [synthetic]).grouped("k", 5)
    assert column.levels == alone.levels
    assert column.original.tolist() == alone.original.tolist()
    breaks = [float(label.strip("[])").split(",")[0]) for label in alone.levels]
    codes = column.synthetic[1].tolist()
    assert [column.label(code) for code in codes[:2]] == [UNMATCHED, UNMATCHED]
    assert codes[2:] == [sum(b <= x for b in breaks) - 1 for x in (25.5, 10)]


def test_a_holdout_does_not_widen_intervals_of_equal_width():
    training = pd.DataFrame({"k": [0] * 50 + [1, 2, 5, 10], "t": ["a", "b"] * 27})
    of = partition(training, pd.DataFrame({"k": [-90, 90, 6], "t": list("aab")}), [training])
    column, _ = of.joint.grouped("k", 4)
    assert column.levels == Study(training, [training]).grouped("k", 4)[0].levels
    assert column.levels == ("[0,2.5)", "[2.5,5)", "[5,7.5)", "[7.5,10]")
    assert column.synthetic[-1].tolist() == [5, 5, 2]  # levels, missing, and what meets nobody


def test_where_only_the_holdout_holds_numbers_there_are_no_intervals():
    training = pd.DataFrame({"k": [-8.0, -8.0, None], "t": ["a", "b", "a"]})
    of = partition(training, pd.DataFrame({"k": [1.0, 2.0, -8.0, None], "t": list("abab")}), [training], {"k": [-8]})
    column, _ = of.joint.grouped("k", 2)
    assert column.levels == ("-8",)
    assert [column.label(code) for code in column.synthetic[-1].tolist()] == [UNMATCHED, UNMATCHED, "-8", "Missing"]


# ---- what must hold --------------------------------------------------------------------------------------------------


def people(rng, n):
    """Draw people of one population: three keys and a target that depends on them by half."""
    keys = rng.integers(0, 6, (n, 3))
    target = np.where(rng.random(n) < 0.5, keys.sum(axis=1) % 4, rng.integers(0, 4, n))
    return pd.DataFrame(keys, columns=["k1", "k2", "k3"]).assign(t=target)


def test_a_fresh_draw_of_the_population_knows_members_no_better():
    rng = np.random.default_rng(4)
    of = partition(people(rng, 4000), people(rng, 1000), [people(rng, 4000) for _ in range(20)])
    settings = Settings(keys=("k1", "k2", "k3"))
    for rows in (attribute_baseline(of, settings).summary("DCAP"), identity_baseline(of, settings).summary()):
        row = rows.iloc[0]
        assert row["low"] < 0 < row["high"]


def test_for_large_files_the_interval_of_DCAP_is_that_of_two_means():
    """Welch's interval from each person's share, counted apart."""
    rng = np.random.default_rng(3)
    sides, synthetic = (people(rng, 4000), people(rng, 2000)), people(rng, 3000)
    figures = attribute_baseline(partition(*sides, [synthetic]), Settings(keys=("k1", "k2", "k3"))).figures
    row = figures[(figures["measure"] == "DCAP") & (figures["synthesis"] == 1)].iloc[0]
    by_cell = synthetic.value_counts(["k1", "k2", "k3", "t"]) / synthetic.value_counts(["k1", "k2", "k3"])
    scores = [by_cell.reindex(pd.MultiIndex.from_frame(side)).fillna(0).to_numpy() for side in sides]
    half = 196 * np.sqrt(sum(x.var() / x.size for x in scores))
    assert row["members"] == pytest.approx(100 * scores[0].mean())
    assert row["high"] - row["difference"] == pytest.approx(half, rel=0.02)
    assert row["difference"] - row["low"] == pytest.approx(half, rel=0.02)
    # Shares vary less than truths do: an interval for truths would be wider by far.
    assert half < 80 * 1.96 * np.sqrt(sum(x.mean() * (1 - x.mean()) / x.size for x in scores))


def test_the_majority_and_the_guess_stand_beside():
    training = pd.DataFrame({"k": ["a", "b", "c", "d"], "t": ["x", "x", "x", None]})
    found = attribute_baseline(partition(training, training, [training]), Settings(keys=("k",)))
    guess = assess(Study(training, [training]), Settings(keys=("k",))).targets["t"].guess
    assert (guess.level, guess.n, guess.pct, guess.base_cap) == ("x", 3, 75.0, 62.5)
    # Nothing that is left out moves what people know without the data.
    out = Exclusions(target_levels={"t": ["x"]}, missing_keys={"k"})
    assert assess(Study(training, [training]), Settings(keys=("k",), exclusions=out)).targets["t"].guess == guess
    (row,) = found.context.to_dict("records")
    assert {name: row[name] for name in ("target", "commonest", "majority", "baseCAPd")} == {
        "target": "t", "commonest": "x", "majority": 75.0, "baseCAPd": 62.5,
    }  # fmt: skip


# ---- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "n", "b", "m", "low", "high"),
    [  # Newcombe (1998), Table II, method 10
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (0, 10, 0, 10, -0.2775, 0.2775),
        (10, 10, 0, 20, 0.6791, 1.0),
        (10, 10, 0, 10, 0.6075, 1.0),
    ],
)
def test_newcombes_examples(a, n, b, m, low, high):
    found = difference_interval(a / n, n, b / m, m)
    assert [round(float(x), 4) for x in found] == [low, high]


def test_wilsons_ends_solve_his_equation():
    p, n, z = 0.3, 40, 1.959964
    for end in wilson(p, n):
        assert abs(p - end) == pytest.approx(z * np.sqrt(end * (1 - end) / n), rel=1e-5)


@pytest.mark.parametrize(
    ("members", "others", "R"),
    [(0.9, 0.5, 0.8), (0.95, 0.9, 0.5), (0.5, 0.5, 0), (0.9, 0.9, 0), (0.5, 0.1, 0.4444), (0.92, 0.9, 0.2)],
)
def test_anonymeters_relative_gain(members, others, R):
    assert float(relative_gain(members, others)) == pytest.approx(R, abs=5e-5)


def test_the_ratio_over_a_full_baseline_is_no_number():
    assert np.isnan(relative_gain(1.0, 1.0))


# ---- split and partition ---------------------------------------------------------------------------------------------


def test_a_split_is_whole_and_the_same_again():
    frame = demo.original()
    one, again, other = split(frame, 0.8, 6), split(frame, 0.8, 6), split(frame, 0.8, 7)
    assert (len(one.training), len(one.holdout)) == (4000, 1000)
    assert sorted([*one.training.index, *one.holdout.index]) == list(frame.index)
    pd.testing.assert_frame_equal(one.holdout, again.holdout)
    assert list(one.holdout.index) != list(other.holdout.index)
    # Every record has the same chance: the mean position of the held out is near the middle.
    assert abs(one.holdout.index.to_numpy().mean() - 2499.5) < 4 * 5000 / np.sqrt(12 * 1000)


def test_a_seed_means_the_same_split_on_every_machine():
    assert split(pd.DataFrame({"x": range(10)}), 0.8, 1).holdout["x"].tolist() == [1, 3]


@pytest.mark.parametrize("share", [0, 1, -1, 2, 0.01, float("nan")])
def test_a_split_leaves_records_on_both_sides(share):
    with pytest.raises(DisclosureError, match="Choose a share that puts records on both sides"):
        split(pd.DataFrame({"x": range(10)}), share)


SMALL = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})


@pytest.mark.parametrize(
    ("holdout", "syntheses", "said"),
    [
        (SMALL, SMALL, "as a list"),
        (SMALL, [], "no synthetic data set"),
        (SMALL.iloc[:0], [SMALL], "The holdout has no records"),
        (SMALL.set_axis(["k", "k"], axis=1), [SMALL], "The holdout has two columns called 'k'"),
    ],
)
def test_what_a_partition_refuses(holdout, syntheses, said):
    with pytest.raises(DisclosureError, match=said):
        partition(SMALL, holdout, syntheses)


def test_without_a_holdout_nothing_is_made_up():
    settings = Settings(keys=("k",))
    for found in (f(partition(SMALL, None, [SMALL]), settings) for f in (attribute_baseline, identity_baseline)):
        assert found is NO_HOLDOUT
        assert isinstance(found, NotEvaluated)


def test_what_is_not_in_the_holdout_is_said():
    of = partition(SMALL.assign(z=1), SMALL, [SMALL.assign(z=1)])
    with pytest.raises(DisclosureError, match="The holdout has no column 'z'."):
        attribute_baseline(of, Settings(keys=("k",), targets=("z",)))
    with pytest.raises(DisclosureError, match="no baseline of 'repU'"):
        attribute_baseline(of, Settings(keys=("k",))).summary("repU")


def test_whoever_changes_a_summary_changes_their_own():
    """It is summed up once a measure, whatever the limit, and the limit of one call is none of the next."""
    found = attribute_baseline(partition(SMALL, SMALL.assign(k=["c", "d"]), [SMALL]), Settings(keys=("k",)))
    for measure in ("DiSCO", "DCAP"):
        before = found.summary(measure)
        judged = found.summary(measure, Limit(0, 0))
        assert (before["result"] != judged["result"]).all()
        judged.loc[:, "members"] = -1.0
        judged["more"] = 1
        judged.columns = [name.upper() for name in judged.columns]
        pd.testing.assert_frame_equal(found.summary(measure), before)


@pytest.mark.slow
def test_a_target_that_the_holdout_lacks_leaves_the_others_as_they_are():
    """Even where it has missing codes, is grouped, is named, and something of it is left out."""
    opened = start_demonstration()
    out = Exclusions(target_levels={"abroad": ("No",)}, missing_targets=frozenset({"income"}))
    settings = replace(opened.review.settings, targets=("abroad", "income", "marital"), exclusions=out)
    opened = opened.with_review(opened.review.with_settings(settings))
    whole = opened.with_holdout(demonstration_holdout(), Holdout("demonstration")).attribute_baseline().summary("DiSCO")
    reading = demonstration_holdout()
    fewer = CodedTable.of(reading.frame.drop(columns=["abroad", "income"]))
    lacking = opened.with_holdout(replace(reading, table=fewer), Holdout("demonstration"))
    found = lacking.attribute_baseline().summary("DiSCO")
    pd.testing.assert_frame_equal(found, whole[whole["target"] == "marital"].reset_index(drop=True))
    why = {row.target: row.why for row in answer(lacking).rows if row.measure == "DiSCO"}
    assert why["abroad"] == "The holdout has no column 'abroad'."
    assert why["income"] == "The holdout has no column 'income'."
    assert "limit" in why["marital"]
    assert "members-outside-dcap" in {name for name, _, _ in every(lacking)}
    assert members(lacking)["target"].tolist() == ["marital"]


def test_a_holdout_that_was_synthesised_too_or_is_small_is_warned_of():
    frame = demo.original()
    inside = partition(frame, frame.iloc[:500], demo.syntheses()[:1])
    assert isinstance(inside, NotEvaluated)
    assert inside.why.startswith(
        f"100.0 % of the holdout's records are in the training data with the same values in all {frame.shape[1]} columns"
    )
    again = split(frame, 0.8, 1)
    syntheses = [demo.syntheses()[0].iloc[:4000], *demo.syntheses()[1:3]]  # the first as many as the training data
    texts = [note.text for note in partition(again.training, again.holdout, syntheses).notes]
    asked = [text.split(" has ")[0] for text in texts if "was it made from the training data alone?" in text]
    assert asked == ["Synthesis 2", "Synthesis 3"]
    for n, warned in ((SMALL_HOLDOUT - 1, True), (SMALL_HOLDOUT, False)):
        some = partition(frame, demo.holdout().iloc[:n], demo.syntheses()[:1])
        assert any("the intervals are wide" in note.text for note in some.notes) is warned
    small = partition(frame, demo.holdout().iloc[:100].assign(extra=1), demo.syntheses()[:3])
    texts = [note.text for note in small.notes]
    assert any("The holdout has 100 records" in text for text in texts)
    assert any(text.startswith("The holdout has 'extra'") for text in texts)
    without = [frame.drop(columns="bmi") for frame in demo.syntheses()[:3]]
    texts = [n.text for n in partition(demo.original(), demo.holdout(), without).notes if "'bmi'" in n.text]
    assert texts == ["The holdout has 'bmi', which not every file has: ignored."]


@pytest.mark.parametrize(("twins", "shared", "warned"), [(0, 5, False), (0, 6, True), (9, 10, False), (9, 12, True)])
def test_a_holdout_is_doubted_that_is_found_inside_five_points_and_chance_beyond_twins(twins, shared, warned):
    training = pd.DataFrame({"k": [0] * twins + [*range(1, 201 - twins)], "t": ["x"] * 200})
    holdout = pd.DataFrame({"k": [*range(1, shared + 1), *range(1000, 1100 - shared)], "t": ["x"] * 100})
    notes = partition(training, holdout, [training]).notes
    told = [note.text.split(" Were ")[0] for note in notes if "Were these people synthesised as well?" in note.text]
    # Of 200 records as many twins are half the share.
    assert (
        told
        == [
            f"{shared}.0 % of the holdout's records are in the training data with the same values in all 2 columns "
            f"compared; of the training records themselves {twins / 2:.1f} % have a twin there."
        ]
        * warned
    )
