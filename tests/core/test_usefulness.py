"""Usefulness: R's 591 tables, a count over dictionaries, safeguards, engines, and what has no answer."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    BlankClaims,
    Cap,
    Coarsen,
    DisclosureError,
    MergeLevels,
    NotEvaluated,
    RemoveReplicated,
    Review,
    RoundTo,
    Settings,
    Study,
    demo,
    protect,
    start_demonstration,
    usefulness,
)
from disclosure_core.figures import screen, table_usefulness
from disclosure_core.figures.table_usefulness import WRITTEN, HeatPlot
from disclosure_core.protection.table_cells import cells_of
from disclosure_core.protection.usefulness import MEASURES, ONE_CELL, usefulness_after
from tests.core.test_reference import HERE, SHARED, TOLERANCE, needs_shared, table
from tests.reference import plainly

OURS = json.loads((HERE / "demo_utility.json").read_text())


def compare_with_r(part):
    files = [part["synthetic"]] if isinstance(part["synthetic"], str) else part["synthetic"]
    codes = {name: (code,) for name, code in part["missing_codes"].items()}
    study = Study(
        table(part["original"])[part["columns"]], [table(f)[part["columns"]] for f in files], missing_codes=codes
    )
    found = usefulness(study)
    ours = found.tables.set_index(["first", "second", "synthesis"])
    for answer in part["tables"]:
        first, _, second = answer["vars"].partition(" x ")
        row = ours.loc[(first, second, answer.get("synthesis", 1))]
        assert row["cells"] - 1 == answer["df"], answer
        for measure in MEASURES:
            assert math.isclose(row[measure], answer[measure], rel_tol=TOLERANCE, abs_tol=TOLERANCE), (measure, answer)
    assert len(ours) == len(part["tables"])
    return len(ours)


def test_every_table_of_the_survey_is_as_in_r():
    assert [compare_with_r(part) for part in OURS.values()] == [525, 21]


@needs_shared
def test_sd2011_is_as_in_r():
    everything = json.loads((SHARED / "utility.json").read_text())
    assert compare_with_r(everything["sd2011"]) == 45


# ---- against dictionaries: shares no code with the core ----


def by_hand(original, synthetic):
    """The plain counter's measures of one table, records as tuples."""
    sides = [[dict(zip("xy", record, strict=False)) for record in side] for side in (original, synthetic)]
    found = plainly.useful.table(plainly.data(sides[0], sides[1:]), list(sides[0][0]))
    return {name: found[name] for name in ("cells", *MEASURES)}


level = st.sampled_from(["a", "b", "Missing", "", "1", None])
record = st.tuples(level, level, level)
files = st.tuples(st.lists(record, min_size=1, max_size=30), st.lists(st.lists(record, min_size=1, max_size=30), min_size=1, max_size=3))  # fmt: skip


@pytest.mark.slow
@given(files)
def test_against_a_count_over_dictionaries(data):
    original, syntheses = data
    columns = ["x", "y", "z"]
    frames = [pd.DataFrame(rows, columns=columns, dtype="str") for rows in (original, *syntheses)]
    found = usefulness(Study(frames[0], frames[1:])).tables
    assert len(found) == 6 * len(syntheses)
    for row in found.to_dict("records"):
        at = [columns.index(name) for name in (row["first"], row["second"]) if name]
        cut = [[tuple(r[i] for i in at) for r in rows] for rows in (original, syntheses[row["synthesis"] - 1])]
        for name, expected in by_hand(*cut).items():
            assert row[name] == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), (name, row)


@pytest.mark.slow
@given(files)
def test_what_must_hold_of_any_data(data):
    original, syntheses = data
    frames = [pd.DataFrame(rows, columns=["x", "y", "z"], dtype="str") for rows in (original, *syntheses)]
    found = usefulness(Study(frames[0], [*frames[1:], frames[0]]))
    same = found.tables[found.tables["synthesis"] == len(frames)]
    assert (same[["pMSE", "MabsDD", "JSD"]].abs().to_numpy() < 1e-12).all()  # the original itself
    assert ((found.tables["JSD"] > -1e-12) & (found.tables["JSD"] <= 1 + 1e-12)).all()
    assert (found.tables["pMSE"] >= 0).all()
    assert (found.tables["MabsDD"] <= 2 + 1e-12).all()
    two = found.tables[found.tables["second"] != ""].set_index(["first", "second", "synthesis"])
    one = found.tables[found.tables["second"] == ""].set_index(["first", "synthesis"])
    for (first, _, i), row in two.iterrows():  # what is told apart by one column is told apart by two
        assert row["JSD"] >= one.loc[(first, i), "JSD"] - 1e-12
        assert row["MabsDD"] >= one.loc[(first, i), "MabsDD"] - 1e-12


def test_a_table_of_one_cell_is_not_evaluated():
    frame = pd.DataFrame({"land": ["here"] * 4, "sex": ["f", "m", "f", "m"]})
    found = usefulness(Study(frame, [frame]))
    assert found.of("land") is ONE_CELL
    assert found.of("sex", "land") == 0
    assert isinstance(usefulness(Study(frame[["land"]], [frame[["land"]]])).of("land"), NotEvaluated)
    alone = usefulness(Study(frame[["land"]], [frame[["land"]]]))
    assert math.isnan(alone.mean)
    assert alone.overall().loc[1, ["tables", "not_evaluated"]].tolist() == [0, 1]


@pytest.mark.parametrize("after", [False, True])
def test_an_identifier_is_in_no_table_and_the_mean_is_that_of_the_others(after):
    frame = pd.DataFrame({"k": ["a", "b", "b", "c"] * 10, "t": ["x", "y"] * 20})
    other = frame.iloc[::-1].reset_index(drop=True).assign(k=["a"] * 40)
    numbers = frame.assign(no=range(1000, 1040)), other.assign(no=range(40))
    numbered = Study(numbers[0], [numbers[1]])

    def measured(original, synthetic):
        study = Study(original, [synthetic])
        if not after:
            return usefulness(study)
        return usefulness_after(study, protect(original, [synthetic], [MergeLevels("k", 2)], Settings()))

    found, plain = measured(*numbers), measured(frame, other)
    assert found.tables.equals(plain.tables)
    assert found.mean == plain.mean
    assert (found.identifiers, plain.identifiers) == (("no",), ())
    assert (found.without, plain.without) == ("In no table: 'no', which is nearly unique.", "")
    assert "no" in usefulness(numbered, named=["no", "t"]).columns
    assert usefulness(numbered, named=["no", "t"]).without == ""


def test_a_date_of_birth_is_in_no_table_and_called_no_identifier():
    """It is a key: everywhere else the data are told to cut it to years."""
    born = pd.DataFrame({"born": pd.date_range("1960-01-01", periods=40, freq="91D"), "t": list("ab") * 20})
    assert usefulness(Study(born, [born])).without == "In no table: 'born', which is nearly unique."
    assert "without “born”, which is nearly unique" in Review.of(["t"]).open(born, [born]).copies().sentence


def test_the_map_of_one_synthesis_is_no_mean():
    one, two = (HeatPlot("x", ("a",), ((1.0,),), n).caption for n in (1, 2))
    assert "on the diagonal; 1 is" in one
    assert "on the diagonal, mean over the syntheses; 1 is" in two


def test_of_says_what_is_not_there():
    found = usefulness(demo.study(), named=["sex", "age"])
    assert found.columns == ("sex", "age")
    assert found.of("age", "sex") == found.of("sex", "age")
    rows = found.tables.set_index(["first", "second", "synthesis"])["S_pMSE"].sort_index()
    assert [found.of("age", "sex", synthesis=i) for i in range(1, 6)] == rows.loc[("sex", "age")].tolist()
    assert found.of("sex") == pytest.approx(rows.loc[("sex", "")].mean())
    with pytest.raises(DisclosureError, match="There is no table of 'sex' by 'income'"):
        found.of("sex", "income")
    with pytest.raises(DisclosureError, match="no measure"):
        found.of("sex", measure="risk")
    with pytest.raises(DisclosureError, match="Did you mean 'sex'"):
        usefulness(demo.study(), named=["sexx"])


def test_progress_ends_it():
    class StopError(Exception):
        pass

    seen = []

    def progress(done, total):
        seen.append((done, total))
        if done >= 50:
            raise StopError

    with pytest.raises(StopError):
        usefulness(demo.study(), progress=progress)
    assert seen == [(0, 105), (50, 105)]


def test_many_levels_are_counted_alike():
    """Beyond a multiple of the records, cells are ranked and not held in an array of all that could be."""
    rng = np.random.default_rng(1)
    wide = lambda n: pd.DataFrame({c: rng.integers(0, 400, n).astype(str) for c in "ab"})  # noqa: E731
    original, synthetic = wide(300), wide(200)
    row = usefulness(Study(original, [synthetic])).tables.iloc[-1]
    expected = by_hand(*(list(f.itertuples(index=False, name=None)) for f in (original, synthetic)))
    assert {n: row[n] for n in expected} == pytest.approx(expected)


# ---- safeguards ----


def protected(*steps):
    judged = Settings(keys=demo.KEYS, groups=demo.GROUPS)
    return protect(demo.original(), demo.syntheses(), steps, judged, demo.MISSING_CODES)


@pytest.mark.slow
def test_safeguards_that_do_nothing_change_nothing():
    study = demo.study()
    pd.testing.assert_frame_equal(usefulness_after(study, protected()).tables, usefulness(study).tables)
    cap = protected(Cap("bmi", high=10_000))
    pd.testing.assert_frame_equal(usefulness_after(study, cap).tables, usefulness(study).tables)


@pytest.mark.slow
def test_records_taken_out_are_missed_as_anyone_would_count_them():
    done = protected(RemoveReplicated())
    found = usefulness_after(demo.study(), done)
    plain = [c for c in demo.original() if c not in ("age", "household", "income", "depression", "bmi")]
    again = usefulness(Study(demo.original()[plain], [f[plain] for f in done.synthetic]))
    for first, second in (("sex", ""), ("region", "employment"), ("wellbeing", "abroad")):
        assert found.of(first, second) == pytest.approx(again.of(first, second))
    assert found.mean > usefulness(demo.study()).mean  # the rarest people are missing


@pytest.mark.slow
def test_what_is_made_coarser_costs():
    study = demo.study()
    before = usefulness(study)
    merged = usefulness_after(study, protected(MergeLevels("condition", 200)))
    assert merged.of("condition") > before.of("condition")
    assert merged.of("sex") == before.of("sex")
    coarse = [usefulness_after(study, protected(Coarsen("income", n))).of("income") for n in (20, 5, 2)]
    assert coarse[0] < coarse[1] * 1.5
    assert coarse[2] > 20 * coarse[0]
    rounded = [usefulness_after(study, protected(RoundTo("income", to))).of("income") for to in (10, 100, 2000)]
    assert rounded[0] == before.of("income")
    assert rounded[1] < rounded[2]


@given(
    st.integers(2, 3).flatmap(
        lambda fewer: st.tuples(
            st.just(fewer),
            *[st.lists(st.tuples(st.sampled_from(["nurse", "monk", "clown", None]), st.sampled_from(["f", "m", None])), min_size=4, max_size=12)] * 2,
        )
    )
)  # fmt: skip
def test_merged_levels_beside_another_column(case):
    """The smallest tables in which a new level and a missing value could be taken for one another."""
    fewer, *sides = case
    jobs = [*(("nurse", "f"),) * fewer, *(("nurse", "m"),) * fewer, ("monk", "f"), ("clown", "m")]  # two to merge
    records = [[*jobs, *side] for side in sides]
    rare = {job for job in ("monk", "clown") if sum(j == job for j, _ in records[0]) < fewer}
    frames = [pd.DataFrame(side, columns=["job", "sex"], dtype="str") for side in records]
    if len(rare) < 2:
        return
    done = protect(frames[0], [frames[1]], [MergeLevels("job", fewer)], Settings())
    found = usefulness_after(Study(frames[0], [frames[1]]), done).tables.set_index(["first", "second"])
    released = [("Other" if job in rare else job, sex) for job, sex in records[1]]
    for columns, at in ((("job", ""), (0,)), (("sex", ""), (1,)), (("job", "sex"), (0, 1))):
        cut = [[tuple(r[i] for i in at) for r in side] for side in (records[0], released)]
        expected = by_hand(*cut)
        assert {n: found.loc[columns, n] for n in expected} == pytest.approx(expected, nan_ok=True)


def test_a_group_stands_at_the_lower_median_of_what_it_holds():
    """Coarsened numbers are compared where most of their group lies: the original's own groups, one number each."""
    original = pd.DataFrame({"age": [1, 2, 2, 2, 9, 9, 9, 10]})
    done = protect(original, [original], [Coarsen("age", 2)], Settings())
    found = usefulness_after(Study(original, [original]), done).tables.iloc[0]
    expected = by_hand([(x,) for x in original["age"]], [(x,) for x in [2] * 4 + [9] * 4])
    assert {n: found[n] for n in expected} == pytest.approx(expected)


@pytest.mark.parametrize(("to", "nearest"), [(4, [1, 3, 9, 9]), (5, [1, 6, 6, 9]), (7, [1, 1, 6, 6])])
def test_a_rounded_number_stands_at_the_nearest_that_there_was(to, nearest):
    """Rounded to 4, 3 becomes 4, which is nearer to 3 than to 6; of two as near the higher counts."""
    ages, n = [1, 3, 6, 9], [1, 2, 3, 4]
    frame = pd.DataFrame({"age": np.repeat(ages, n)})
    done = protect(frame, [frame], [RoundTo("age", to)], Settings())
    found = usefulness_after(Study(frame, [frame]), done).tables.iloc[0]
    expected = by_hand(*([(int(x),) for x in np.repeat(values, n)] for values in (ages, nearest)))
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_the_missing_code_is_no_number_to_be_near():
    original = pd.DataFrame({"income": [-8.0, -8, 1, 2, 3, 4, 5, 6, 7, 8]})
    synthetic = pd.DataFrame({"income": [-8.0, 1, 1, 3, 4, 5, 6, 7, 8, 8]})
    codes = {"income": (-8,)}
    done = protect(original, [synthetic], [RoundTo("income", 4.0)], Settings(), codes)
    found = usefulness_after(Study(original, [synthetic], codes), done)
    assert found.tables.iloc[0]["cells"] == usefulness(Study(original, [synthetic], codes)).tables.iloc[0]["cells"]


def test_what_is_blanked_is_missing_and_not_the_level_that_it_was():
    """Where all blanked values were of one level, they counted as that level: as if nothing had been done."""
    ill = ["yes", "no", "no", "no", None]
    original = pd.DataFrame({"k": ["a", "a", "b", "b", "c"], "ill": ill})
    synthetic = pd.DataFrame({"k": ["a", "a", "b", "b", "c"], "ill": ["yes", "yes", "no", "yes", "no"]})
    done = protect(original, [synthetic], [BlankClaims("ill")], Settings(keys=("k",)))
    found = usefulness_after(Study(original, [synthetic]), done).tables.set_index(["first", "second"]).loc["ill", ""]
    expected = by_hand([(x,) for x in ill], [(x,) for x in (None, None, "no", "yes", None)])
    assert {name: found[name] for name in expected} == pytest.approx(expected)


# ---- one table ----


def test_one_table_cell_by_cell():
    study = demo.study()
    cells = cells_of(study, "region", "income", 2)
    assert cells["records_original"].sum() == study.n_original
    for side, n in (("original", study.n_original), ("synthetic", study.n_synthetic[1])):
        assert cells[side].tolist() == pytest.approx((100 * cells[f"records_{side}"] / n).tolist())
    assert cells["records_synthetic"].sum() == study.n_synthetic[1]
    assert cells["difference"].abs().is_monotonic_decreasing
    assert len(cells) == usefulness(study).tables.set_index(["first", "second", "synthesis"]).loc[("region", "income", 2), "cells"]  # fmt: skip
    assert cells_of(study, "sex")["records_synthetic"].sum() == sum(study.n_synthetic)
    with pytest.raises(DisclosureError, match="no synthesis 6"):
        cells_of(study, "sex", "", 6)


def test_the_triangle_has_each_table_once_the_poorest_column_first():
    found = start_demonstration().usefulness("coarse")
    plot = table_usefulness.describe(found, "coarse")
    matrix = found.matrix()
    means = matrix.mean(axis=1)
    assert list(plot.columns) == means.sort_values(ascending=False, kind="stable").index.tolist()
    n = len(plot.columns)
    assert len(plot.squares) == n * (n + 1) // 2
    for i, j in plot.squares:
        assert plot.values[i][j] == matrix.loc[plot.columns[i], plot.columns[j]]
    heat, clicks = screen.draw(plot).data
    assert [[value is not None for value in row] for row in heat.z] == [[j <= i for j in range(n)] for i in range(n)]
    assert list(map(tuple, clicks.customdata)) == [(plot.columns[i], plot.columns[j]) for i, j in plot.squares]
    assert heat.colorbar.ticktext[-1] == "≥ 10"
    larger = screen.enlarged(screen.draw(plot), 2).data[0]  # the larger text of a projector
    assert larger.colorbar.tickfont.size == larger.textfont.size == 24


def test_a_column_with_infinite_values_is_in_no_table_and_stops_none():
    """No group of numbers holds them; few values stay levels, and an infinite one is a level among them."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"job": rng.choice(list("abc"), 60), "x": rng.normal(size=60), "few": rng.integers(0, 3, 60)})
    frame = frame.astype({"few": float})
    frame.loc[:2, ["x", "few"]] = np.inf
    found = usefulness(Study(frame, [frame.assign(x=frame["x"].replace(np.inf, 1.0))]))
    assert found.columns == ("job", "few")
    assert found.without == "In no table: 'x', which holds infinite values."
    compared = Review.of(["job"]).open(frame, {"a": [frame], "b": [frame[:50]]}).comparison()
    assert compared.candidates[0].usefulness.infinite == ("x",)


@pytest.mark.parametrize(("more", "written"), [(0, "9.9"), (1, "")])
def test_a_figure_stands_in_each_square_as_long_as_there_is_room(more, written):
    names = tuple(map(str, range(WRITTEN + more)))
    plot = HeatPlot("demo", names, tuple((9.9,) * len(names) for _ in names), 1)
    assert plot.written(1, 0) == written
