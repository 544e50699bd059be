"""Whole records and real identifiers of the original in a synthesis: counted, and warned of above chance alone."""

# Inside: copies of records are counted in one function, on tables that no study takes.

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, NotEvaluated, Review, Study, start_demonstration, start_engine
from disclosure_core.counting.copies import copies
from tests.commands import condition
from tests.reports import Look, report

SHARED = Path(__file__).parents[3] / "shared" / "reference" / "sd2011"


def people(seed, n=300, income=True):
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(18, 90, n),
        "sex": rng.choice(["f", "m"], n),
        "town": rng.choice(list("abcdefgh"), n),
    }
    more = {"income": rng.normal(2000, 500, n).round(2), "job": rng.choice(["x", "y", None], n)} if income else {}
    return pd.DataFrame(columns | more)


@pytest.mark.parametrize("seed", range(6))
def test_counts_are_those_of_dictionaries(seed):
    original, *others = (people(i, 40 + i, income=False) for i in range(3 * seed, 3 * seed + 3))
    original["job"] = others[0]["job"] = others[1]["job"] = pd.Series(["x", None] * 30)
    others[0] = pd.concat([others[0], original[:7], original[:2]], ignore_index=True)
    frames = [original, *others]
    found = copies(Study(original, others))
    rows = [[tuple("" if v != v or v is None else v for v in r) for r in f.itertuples(index=False)] for f in frames]
    shares = [pd.Series([r[k] for r in rows[0]]).value_counts(normalize=True) for k in range(4)]
    for i, mine in enumerate(rows[1:]):
        row = found.records.iloc[i]
        assert row["copies"] == sum(r in set(rows[0]) for r in mine)
        expected = sum(np.prod([s.get(v, 0) for s, v in zip(shares, r, strict=True)]) for r in set(mine))
        assert row["expected"] == pytest.approx(100 * expected)
        assert row["share"] == pytest.approx(100 * row["copies"] / len(mine))
    assert found.twins == sum(rows[0].count(r) > 1 for r in rows[0])


def said(original, *syntheses):
    return [note.text for note in copies(Study(original, list(syntheses))).notes()]


def test_it_is_warned_of_clearly_above_chance_alone():
    original, other = people(1), people(2)
    assert said(original, original.sample(frac=1, random_state=1)) == [
        "All 300 records of the synthetic data are those of the original, in another order: was a file given twice?"
    ]
    part = pd.concat([other[:-60], original[:60]])
    assert said(original, other, part) == [
        "60 of the 300 records of synthesis 2 equal an original record in all 5 columns. No original record equals "
        "another. Were original records released?"
    ]
    assert said(original, original) == []  # record by record, which is another warning
    few = ["sex", "town"]
    assert said(original[few], other[few], part[few]) == []
    shuffled = original[few].sample(frac=1, random_state=1)
    assert len(said(original[few], shuffled)) == 1
    assert said(original[["sex"]], shuffled[["sex"]]) == []
    assert said(original, pd.concat([other[:-1], original[:1]])) == []


def test_a_copy_with_new_serial_numbers_is_one():
    original = people(1).assign(id=range(1, 301))
    shuffled = original.sample(frac=1, random_state=1)
    for new in (range(1, 301), range(9_001, 9_301), [f"s{i}" for i in range(300)], None):
        found = copies(Study(original, [shuffled.assign(id=new)]))
        assert found.records["share"].tolist() == [100]
        assert found.left_out == ("id",)
        assert "in 5 columns (without “id”, which is nearly unique)" in found.sentence
        assert "in another order, without “id”" in found.notes()[0].text
    part = pd.concat([people(2)[:-60], original[:60]]).assign(id=range(300))
    assert said(original, part)[0].startswith("60 of the 300 records of the synthetic data equal an original record in")
    assert said(original, people(2).assign(id=range(1, 301))) == []
    # Few columns beside it: nothing is said of a sound release, and a copy that has its number too is seen.
    few = ["id", "sex", "town"]
    assert said(original[few], people(2).assign(id=range(1, 301))[few]) == []
    kept = pd.concat([people(2)[:-60].assign(id=range(1_001, 1_241)), original[:60]])
    assert "in all 3 columns" in said(original[few], kept[few])[0]
    # A column that is an identifier in the original alone is compared, and so is all where nothing else is left.
    assert copies(Study(original, [shuffled.assign(id=[1, 2, 3] * 100)])).left_out == ()
    assert copies(Study(original[["id"]], [shuffled[["id"]]])).records["share"].tolist() == [100]


def test_the_second_counter_leaves_them_out_too():
    original = people(1, 60).assign(id=range(60))
    opened = Review.of(["sex"]).open(original, [original.sample(frac=1, random_state=1).assign(id=range(100, 160))])
    assert opened.copies().left_out == ("id",)
    assert opened.verify().differ == ()
    assert condition("copies>99")(opened) == ["copies>99 holds for all columns: 100.00"]


def test_the_demonstration_survey_is_sound():
    opened = start_demonstration()
    assert opened.copies().notes() == ()
    rng = np.random.default_rng(3)
    study = opened.study()
    frames = [opened.tables()[0].frame(), opened.tables()[1].frame()]
    for n in (400, 5_000):
        for k in (3, 4, 5, 8):
            names = list(rng.choice(list(study.columns), k, replace=False))
            assert said(*(frame[names][:n] for frame in frames)) == [], names


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not beside the project")
@pytest.mark.parametrize("original", ["original.csv", "train.csv"])
def test_good_syntheses_of_few_columns_are_not_warned_of(original):
    rng = np.random.default_rng(4)
    frames = [
        pd.read_csv(SHARED / n) for n in (original, f"synthetic_{'train' if 'train' in original else 's5_1'}.csv")
    ]
    common = [c for c in frames[0].columns if c in frames[1]]
    for n in (400, 1_500, 5_000):
        for k in (2, 3, 4, 5, 6, 7, len(common)):
            for _ in range(6):
                names = list(rng.choice(common, min(k, len(common)), replace=False))
                assert said(*(frame[names][:n] for frame in frames)) == [], names


def test_real_values_of_identifiers():
    n = 60
    original = pd.DataFrame({"mail": [f"p{i}@x" for i in range(n)], "id": range(n), "sex": ["f", "m"] * 30})
    release = original.assign(mail=[f"p{i}@x" if i < 12 else f"q{i}@x" for i in range(n)], sex=["m", "f"] * 30)
    found = Review.of(["sex"]).open(original, [release])
    assert found.copies().identifiers.to_dict("records") == [
        {"column": "mail", "synthesis": 1, "values": n, "released": 12, "share": 20.0},
        {"column": "id", "synthesis": 1, "values": n, "released": n, "share": 100.0},
    ]
    warned = {note.column: note.text for note in found.remarks().data if note.column}
    assert warned["mail"].endswith("12 of the original's 60 values stand in the synthetic data.")
    assert warned["id"].endswith("and is no key.")  # a running number: any release has the same


def test_conditions():
    original = people(1)
    opened = Review.of(["sex"]).open(original, [pd.concat([people(2)[:-30], original[:30]])])
    assert condition("copies>9")(opened) == ["copies>9 holds for all columns: 10.00"]
    assert condition("copies>10")(opened) == []
    assert condition("identifiers>0")(opened) == []
    with pytest.raises(DisclosureError, match="copies belongs to all columns, not to a target"):
        condition("copies[sex]>1")


def test_a_shareable_report_prints_none_of_it():
    frame = people(1, 600)
    opened = Review.of(["sex"]).open(frame, [pd.concat([people(2, 540), frame[:60]])])
    printed = report(opened, "html", Look()).decode().replace("\u00a0", " ").replace("\u202f", " ")
    assert (
        "Whole records: 60 of the 600 synthetic records (10.00 %) equal an original record in all 5 columns" in printed
    )
    assert "equal an original record in all" not in report(opened, "html", Look(shareable=True)).decode()


def test_records_in_an_engine_are_not_evaluated(tmp_path):
    pytest.importorskip("duckdb")
    from disclosure_core import DuckDBStudy

    places = [tmp_path / f"{i}.parquet" for i in range(2)]
    for i, place in enumerate(places):
        people(i).to_parquet(place)
    there = start_engine(DuckDBStudy.of_files(places[0], places[1:]), "data")
    opened = there.with_review(replace(there.review, intruders=Review.of(["sex"]).intruders))
    assert isinstance(opened.copies(), NotEvaluated)
    assert condition("copies>0")(opened)[0].startswith("copies>0 is not evaluated: Whole records are not counted of")
    assert json.loads(opened.to_json())["tables"]["copies"][0].keys() == {"not evaluated", "needs"}
    assert opened.verify().differ == ()
