"""User-missing values of SPSS, Stata and SAS count as missing wherever missing counts, each as a level of its own."""

# Inside: keys alone are counted, which no face does.

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from disclosure_core import (
    Exclusions,
    KeySet,
    MergeLevels,
    Settings,
    Study,
    assess,
    open_review,
    partition,
    read_holdout,
    start,
)
from disclosure_core.counting.count import count_keys
from disclosure_core.data.suggested_keys import suggest_keys
from tests.saved import from_json, to_json

pytestmark = pytest.mark.slow

JOBS = {1: "works", 2: "no work", 8: "Refused", 9: "Don't know"}


def people(seed, n=120):
    rng = np.random.default_rng(seed)
    job = rng.choice([1.0, 2.0, 8.0, 9.0, np.nan], n, p=[0.4, 0.3, 0.1, 0.1, 0.1])
    pay = rng.choice([100.0, 200.0, 300.0, 400.0, 500.0, -8.0, np.nan], n)
    return pd.DataFrame(
        {"q1": rng.integers(1, 4, n).astype(float), "job": job, "pay": pay, "town": rng.choice(list("ab"), n)}
    )


def file(tmp_path, name, frame, kind):
    path = tmp_path / name
    labels = {"q1": "Age group of the person", "job": "Employment", "pay": "Monthly income, net"}
    if kind == "sav":
        pyreadstat.write_sav(
            frame, str(path), column_labels=labels, variable_value_labels={"job": JOBS},
            missing_ranges={"job": [8, 9], "pay": [-8]},
        )  # fmt: skip
    else:  # Stata says it with letters
        told = {8.0: "a", 9.0: "b"}
        letters = frame.assign(job=pd.Series([told.get(v, v) for v in frame["job"].tolist()], dtype=object))
        named = {1: "works", 2: "no work", "a": "Refused", "b": "Don't know"}
        pyreadstat.write_dta(
            letters, str(path), column_labels=labels, variable_value_labels={"job": named},
            missing_user_values={"job": ["a", "b"]},
        )  # fmt: skip
    return path


@pytest.fixture(params=["sav", "dta"])
def opened(tmp_path, request):
    frames = [people(i) for i in (1, 2)]
    paths = [file(tmp_path, f"{name}.{request.param}", f, request.param) for name, f in zip("ab", frames, strict=True)]
    found = start((paths[0].name, paths[0]), {"synthetic": [(paths[1].name, paths[1])]})
    review = replace(found.review, intruders=(KeySet("an intruder", ("q1", "job")),))
    return found.with_review(review), frames, request.param


def cells(frame, kind):
    """Return each record as keys (q1, job) and target town, with what is missing of job."""
    said = [JOBS.get(j, "Missing") for j in frame["job"]]
    return list(zip(frame["q1"], said, frame["town"], [j not in (1, 2) for j in frame["job"]], strict=True))


def test_declared_missing_values_count_as_missing_and_stay_levels(opened):
    review, (original, synthetic), kind = opened
    study = review.study()
    job = study.columns["job"]
    assert [job.label(code) for code in job.missing] == ["Missing", "Refused", "Don't know"]
    row = study.overview().set_index("column").loc["job"]
    assert row["missing_original"] == pytest.approx(100 * (~original["job"].isin([1, 2])).mean())
    assert row["missing_synthetic"] == pytest.approx(100 * (~synthetic["job"].isin([1, 2])).mean())
    assert row["missing_levels"] == "Refused, Don't know"
    assert row["levels_original"] == 2
    if kind == "sav":
        pay = study.overview().set_index("column").loc["pay"]
        assert pay["missing_original"] == pytest.approx(100 * (original["pay"].isna() | (original["pay"] == -8)).mean())
    # As a key: everybody without an answer is left out; by dictionaries.
    d, s = cells(original, kind), cells(synthetic, kind)
    told = {}
    for q, job_, town, _ in s:
        told.setdefault((q, job_), set()).add(town)
    right = sum(told.get((q, j)) == {town} for q, j, town, absent in d if not absent)
    out = Exclusions(missing_keys={"job"})
    risk = assess(study, Settings(keys=("q1", "job"), targets=("town",), exclusions=out))
    assert risk.targets["town"].attribute["DiSCO"].tolist() == pytest.approx([100 * right / len(d)])
    assert risk.identity["UiO"].tolist() == pytest.approx(
        [100 * sum(n == 1 for (_, _, a), n in Counter((q, j, a) for q, j, _, a in d).items() if not a) / len(d)]
    )
    # As a target.
    told = {}
    for q, job_, town, _ in s:
        told.setdefault((q, town), set()).add(job_)
    right = [told.get((q, town)) == {j} for q, j, town, absent in d if not absent]
    settings = Settings(keys=("q1", "town"), targets=("job",), exclusions=Exclusions(missing_targets={"job"}))
    assert assess(study, settings).targets["job"].attribute["DiSCO"].tolist() == pytest.approx(
        [100 * sum(right) / len(d)]
    )
    assert assess(study, settings).targets["job"].exclusions[0].loc["original", "missing target"] == sum(
        absent for *_, absent in d
    )


def test_a_code_that_is_an_answer_for_the_office_is_one(opened):
    review, _, kind = opened
    if kind == "dta":
        pytest.skip("no code is declared in it")
    assert review.study().missing_codes == {"pay": (-8.0,)}
    taken = review.with_review(replace(review.review, columns=replace(review.review.columns, missing_codes={})))
    assert taken.study().columns["pay"].missing_levels == ()
    grouped, _ = review.study().grouped("pay", 2)
    assert [grouped.label(code) for code in grouped.missing] == ["Missing", "-8"]
    assert review.study().with_missing_codes({}).grouped("pay", 2)[0].missing_levels == ()  # -8 is in an interval


def test_saved_and_opened_again_it_is_the_same(opened, tmp_path):
    review, _, _ = opened
    again = open_review(from_json(to_json(review.review)), tmp_path)
    for name, column in review.study().columns.items():
        assert again.study().columns[name].missing_levels == column.missing_levels
    pd.testing.assert_frame_equal(again.study().overview(), review.study().overview())


def test_safeguards_and_a_holdout_keep_what_is_missing(opened):
    review, _, _ = opened
    merged = review.with_review(review.review.with_steps((MergeLevels("town", 1000),)))
    assert merged.protected().study.columns["job"].missing == review.study().columns["job"].missing
    study, frames = review.study(), review.frames()
    of = partition(frames[0], frames[1].iloc[:30], frames[1:], finished=study)
    assert of.joint.columns["job"].missing == study.columns["job"].missing


def test_a_merged_level_that_holds_answers_is_not_missing():
    frame = pd.DataFrame({"k": [*"aaaa", "Refused", "b", "c"], "t": list("xyxyxyx")})
    study = Study(frame, [frame], missing_levels={"k": ["Refused", "not there"]})
    column = study.columns["k"]
    codes = np.array([1, 0, 1, 1, 2])  # Refused, b and c become other
    recoded = column.recoded(np.array(["a", "other"], dtype=object), codes, ordered=False, kind=column.kind)
    assert column.missing_levels
    assert recoded.missing_levels == ()
    keys = count_keys(study, Settings(keys=("k",)))
    assert keys.missing(frozenset({"k"})).sum() == 1


def test_variable_labels_are_read_and_suggest_keys(opened):
    review, _, _ = opened
    assert review.labels()["q1"] == "Age group of the person"
    assert "q1" not in [key.column for key in suggest_keys(review.study())]
    named = suggest_keys(review.study(), review.labels())
    assert {"q1", "job"} <= {key.column for key in named}


@pytest.mark.parametrize("saved", [False, True])
def test_a_holdout_is_shown_by_labels_where_the_other_files_are(tmp_path, saved):
    """Whether a file is read by its labels depends on its values: one more value in the holdout decided it."""

    def sav(name, values, labels):
        frame = pd.DataFrame({"k": [float(i % 2) for i in range(len(values))], "x": values})
        pyreadstat.write_sav(frame, tmp_path / name, variable_value_labels={"x": labels})
        return name, tmp_path / name

    def outside(opened, given):
        found = opened.with_holdout(*read_holdout(*given, beside=opened.review))
        return open_review(from_json(to_json(found.review)), tmp_path) if saved else found

    def levels(opened):
        column = opened.partition().joint.columns["x"]
        return [column.label(code) for code in column.synthetic[-1].tolist()]

    twice = {1: "yes", 2: "no", 3: "other", 4: "other"}
    whole = sav("o.sav", [1.0, 2.0, 3.0, 4.0] * 10, twice), {"s": [sav("s.sav", [1.0, 2.0, 3.0, 4.0] * 10, twice)]}
    by_labels = start(*whole)
    plain = levels(outside(by_labels, sav("h.sav", [1.0, 2.0, 1.0, 2.0], {1: "yes", 2: "no"})))
    assert plain == ["yes", "no", "yes", "no"]
    odd = levels(outside(by_labels, sav("h.sav", [1.0, 2.0, 1.0, 7.0, 8.0, 9.0], {1: "yes", 2: "no"})))
    assert odd == ["yes", "no", "yes", *["(in no other file)"] * 3]
    few = {1: "yes", 2: "no"}
    tens = [float(i % 10) for i in range(40)]
    by_codes = start(sav("o.sav", tens, few), {"s": [sav("s.sav", tens, few)]})
    assert levels(outside(by_codes, sav("h.sav", [1.0, 2.0, 5.0], few))) == ["1", "2", "5"]
    assert levels(outside(by_codes, sav("h.sav", [1.0, 2.0, 5.0, 6.0, 7.0], few))) == ["1", "2", "5", "6", "7"]
    same = {1: "yes", 2: "yes"}
    assert levels(outside(by_codes, sav("h.sav", [1.0, 2.0, 5.0], same))) == ["1", "2", "5"]
