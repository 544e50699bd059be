"""Fewer records released: every step against the plain counter, of the records it kept."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study, assess, demo
from disclosure_core.sensitivity.release_size import (
    BAND,
    IDENTITY,
    MEASURES,
    READING,
    bands,
    by_size,
    identity_bands,
)
from tests.core.test_every_figure import KEYS, cases, exclusions_of, frame
from tests.reference import plainly


@pytest.mark.slow
@given(cases(), st.integers(0, 3))
def test_against_the_plain_counter(case, seed):
    original, synthetic, (settings, out, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    keys = [name for name in KEYS if name in settings.keys]
    shares = (40,)
    steps = list(by_size(found, shares=shares, repeats=2, seed=seed))
    assert [(step.done, step.of) for step in steps] == [(i + 1, 2 * len(synthetic)) for i in range(2 * len(synthetic))]
    for step in steps[-len(synthetic) :]:
        for row in step.rows.to_dict("records"):
            kept = drawn(synthetic, row, seed)
            assert row["n_synthetic"] == len(kept)
            data = plainly.data(original, [*synthetic, kept])
            target = plainly.target(data, keys, row["target"], exclusions_of(out, row["target"]))
            expected = plainly.measures(target, data.m)
            for measure in MEASURES:
                assert plainly.same(row[measure], expected[measure]), (row["target"], measure)
        for row in step.identity.to_dict("records"):
            data = plainly.data(original, [drawn(synthetic, row, seed)])
            (expected,) = plainly.identity(data, keys, out["missing_keys"])
            for measure in IDENTITY:
                assert plainly.same(row[measure], expected[measure]), measure


def drawn(synthetic, row, seed):
    """The synthetic records that a step kept."""
    side = synthetic[row["synthesis"] - 1]
    order = np.random.default_rng([seed, row["synthesis"] - 1, row["repeat"] - 1]).permutation(len(side))
    return [side[i] for i in order[: max(round(len(side) * row["share"] / 100), 1)]]


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))


@pytest.fixture(scope="module")
def table(found):
    return bands(step.rows for step in by_size(found, repeats=2))


@pytest.mark.slow
def test_the_whole_file_is_the_assessment(found, table):
    whole = table[table["share"] == 100].set_index(["target", "measure"])
    for target, risk in found.targets.items():
        for measure in MEASURES:
            figures = risk.figures(measure)
            row = whole.loc[(target, measure)]
            assert row["mean"] == pytest.approx(figures.mean(), abs=1e-9)
            # Two repeats of each synthesis, all alike.
            assert row["low"] == pytest.approx(np.quantile(np.repeat(figures, 2), BAND[0]), abs=1e-9)
            assert row["samples"] == 10


def test_the_whole_file_is_the_identity_of_the_keys(found):
    table = identity_bands(step.identity for step in by_size(found, ["marital"], repeats=1))
    mean = table.set_index(["measure", "share"])["mean"]
    for measure in IDENTITY:
        assert mean[measure, 100] == pytest.approx(found.identity[measure].mean(), abs=1e-9)
        assert (np.diff(mean[measure]) > 0).all()  # fewer released, fewer found
    assert (mean["UiOiS"] >= mean["repU"]).all()


@pytest.mark.slow
def test_the_band_holds_the_mean(table):
    assert (table["low"] <= table["mean"] + 1e-9).all()
    assert (table["mean"] <= table["high"] + 1e-9).all()
    assert (table["sd"] > 0).all()
    few = [250, 500, 750, 1000]  # it is there that the misleading figures move
    assert table["n_synthetic"].unique().tolist() == [*few, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]


def test_each_figure_behaves_as_is_said_of_it(found, table):
    mean = table.set_index(["measure", "target", "share"])["mean"].sort_index()
    assert set(READING) == set(MEASURES)
    for target in found.targets:
        for measure, said in READING.items():
            curve = mean[measure, target]
            if "misleadingly high" in said:
                assert curve[5] > 1.1 * curve[100], (target, measure)
            elif "hardly moves" in said:
                # Within a quarter, where the misleading ones more than double.
                assert curve.max() < 1.35 * curve.min(), (target, measure)
            else:
                assert curve[5] < curve[100], (target, measure)
        assert (np.diff(mean["DCAPd", target]) > 0).all()
        assert mean["TCAPs", target][5] > 2 * mean["TCAPs", target][100]
    over = mean[mean > 100].index.get_level_values("measure").unique()
    assert set(over) == {m for m, said in READING.items() if said.endswith("and may pass 100 %")}


def test_same_seed_same_figure_whatever_else_is_asked(found):
    def drawn(targets, seed):
        rows = pd.concat([step.rows for step in by_size(found, targets, (10,), 2, seed)])
        return rows[rows["target"] == "marital"].reset_index(drop=True)

    pd.testing.assert_frame_equal(drawn(["marital"], 1), drawn(["income", "marital"], 1))
    assert not drawn(["marital"], 1).equals(drawn(["marital"], 2))


def test_stopped_early_each_synthesis_has_had_its_turn(found):
    steps = by_size(found, ["marital"], repeats=3)
    rows = [next(steps).rows for _ in range(5)]
    assert pd.concat(rows)["synthesis"].unique().tolist() == [1, 2, 3, 4, 5]
    assert (bands(rows)["samples"] == 5).all()


def test_a_ratio_over_nothing_is_no_sample():
    original = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    other = pd.DataFrame({"k": ["c", "c"], "t": ["x", "y"]})
    table = bands(s.rows for s in by_size(assess(Study(original, [other]), Settings(keys=("k",))), shares=(100,)))
    row = table.set_index("measure").loc["TCAP"]
    assert row["samples"] == 0
    assert np.isnan(row["mean"])
    assert table.set_index("measure").loc["DiSCO", "samples"] == 10


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"targets": ["nothing"]}, "'nothing' is not among the targets"),
        ({"targets": []}, "at least one target"),
        ({"shares": (0, 50)}, "above 0 and up to 100"),
        ({"shares": (101,)}, "above 0 and up to 100"),
        ({"shares": ()}, "above 0 and up to 100"),
        ({"repeats": 0}, "at least one sample"),
    ],
)
def test_what_cannot_be_drawn_is_said_at_once(found, asked, said):
    with pytest.raises(DisclosureError, match=said):
        by_size(found, **asked)


def test_nothing_drawn_is_no_band():
    with pytest.raises(DisclosureError, match="No sample was drawn yet"):
        bands([])
