"""Replicated uniques in the population: a count over dictionaries, an estimate by its definition, and what is wrong."""

# Inside: a report with a table of the population, without the rest of it.

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    NotEvaluated,
    Settings,
    Study,
    assess,
    demo,
    open_review,
    start,
    start_demonstration,
)
from disclosure_core.report.analyses import with_analyses
from disclosure_core.review.population import in_population, with_population
from disclosure_core.review.reading import read_population
from disclosure_core.sensitivity.population import WITH_SIZE, WITH_TABLE, expected_right, with_size, with_table
from tests.commands import main
from tests.reports import Look, Report
from tests.saved import from_json, to_json

KEYS = ("a", "b")


def people(most=14):
    record = st.fixed_dictionaries({"a": st.sampled_from(["x", "y", None]), "b": st.sampled_from([1, 2, 3, 4, 5])})
    return st.lists(record, min_size=1, max_size=most)


def frame(records):
    return pd.DataFrame(records, columns=["a", "b"]).assign(t="z")


def table(counts):
    return pd.DataFrame([(*q, "north", n) for q, n in counts.items()], columns=["a", "b", "province", "Count"])


@given(people(), st.lists(people(), min_size=1, max_size=2), people(), people(), st.booleans())
def test_against_a_count_over_dictionaries(original, synthetic, others, strangers, without):
    """Others have the same levels, strangers a level that no file has."""
    strangers = [{**r, "a": "elsewhere"} for r in strangers]
    N = Counter((r["a"], r["b"]) for r in [*original, *others, *strangers])
    out = Exclusions(missing_keys={"a"} if without else ())
    settings = Settings(keys=KEYS, targets=("t",), exclusions=out)
    frames = [frame(original), *(frame(side) for side in synthetic)]
    study = Study(frames[0], frames[1:])
    found = with_table(study, frames, settings, table(N))
    d = Counter((r["a"], r["b"]) for r in original)
    for row, side in zip(found.figures.to_dict("records"), synthetic, strict=True):
        s = Counter((r["a"], r["b"]) for r in side)
        both = [q for q in d if d[q] == s[q] == 1 and not (without and q[0] is None)]
        assert row["replicated"] == len(both)
        assert row["unique"] == sum(N[q] == 1 for q in both)
        assert row["right"] == pytest.approx(sum(1 / N[q] for q in both))
    assert found.population_size == sum(N.values())
    result = assess(study, settings)
    assert found.replicated == pytest.approx(result.identity["repU"].mean() * len(original) / 100)
    size = len(original) + 7
    assert with_size(result.keys, size, out.missing_keys).right == pytest.approx(
        found.replicated * expected_right(len(original), size)
    )


@pytest.mark.parametrize(("n", "N"), [(1, 2), (100, 1000), (999, 1000), (10, 25), (5000, 25000)])
def test_the_estimate_is_the_mean_of_one_over_the_people_with_these_keys(n, N):
    """Benedetti and Franconi: for a sample frequency of 1 the population's is geometric with π."""
    pi, k = n / N, np.arange(1, 400_000)
    assert expected_right(n, N) == pytest.approx(float((pi * (1 - pi) ** (k - 1.0) / k).sum()), rel=1e-9)


def test_a_whole_population_and_a_large_one():
    assert expected_right(1000, 1000) == 1
    assert expected_right(10**9 - 1, 10**9) == pytest.approx(1, abs=1e-8)
    assert 0 < expected_right(1, 10**15) < 1e-12


FRAME = pd.DataFrame({"a": list("xxyz"), "b": [1, 2, 1, 1], "t": list("pqrs")})
WHOLE = pd.DataFrame({"a": list("xxyz"), "b": [1, 2, 1, 1], "count": [3, 1, 2, 5]})


def of(population, keys=KEYS, **settings):
    return with_table(
        Study(FRAME, [FRAME]), [FRAME, FRAME], Settings(keys=keys, targets=("t",), **settings), population
    )


def test_what_it_says():
    found = of(WHOLE)
    assert str(found) == (
        "Of 4 replicated uniques, 2.0 (50.8 %) can be expected to lead to the right person. 25.0 % are unique in the "
        "population."
    )
    assert found.assumed == WITH_TABLE
    assert "in a population of 11: 1 synthesis" in repr(found)
    estimated = with_size(assess(Study(FRAME, [FRAME]), Settings(keys=KEYS)).keys, 40)
    assert str(estimated) == "Of 4 replicated uniques, about 1.0 (25.6 %) can be expected to lead to the right person."
    assert estimated.assumed == WITH_SIZE
    none = with_table(Study(FRAME, [FRAME.assign(b=9)]), [FRAME, FRAME.assign(b=9)], Settings(keys=KEYS), WHOLE)
    assert str(none) == "There is no replicated unique."


def test_columns_that_are_no_keys_are_summed_over_and_keys_are_grouped():
    assert of(WHOLE, keys=("a",)).figures["right"].tolist() == [pytest.approx(1 / 2 + 1 / 5)]
    several = pd.concat([WHOLE.assign(province="n"), WHOLE.assign(province="s")])
    assert of(several).population_size == 22
    ages = pd.DataFrame({"age": [20, 31, 33, 47, 52, 60], "t": list("abcdef")})
    population = pd.DataFrame({"age": range(16, 100), "n": 2})
    study, settings = Study(ages, [ages]), Settings(keys=("age",), targets=("t",), groups={"age": 4})
    found = with_table(study, [ages, ages], settings, population)
    column, _ = study.grouped("age", 4)
    starts = [float(level.strip("[]").split(",")[0]) for level in column.levels]
    # Who is beyond the data's ends is in no interval, as everywhere (measures.md 2.3).
    ends = [*starts, ages["age"].max() + 1]
    there = [sum(2 for a in range(16, 100) if low <= a < high) for low, high in zip(ends, ends[1:], strict=False)]
    alone = [n for n, d in zip(there, column.counts[0], strict=False) if d == 1]
    assert alone
    assert found.right == pytest.approx(sum(1 / n for n in alone))


@pytest.mark.parametrize(
    ("population", "said"),
    [
        (WHOLE.drop(columns="a"), "column 'a' is not there"),
        (WHOLE.drop(columns="count"), "has no column of counts; call it “count”"),
        (WHOLE.assign(n=1), "needs one column of counts"),
        (WHOLE.assign(count=[3, 1, 2, 4.5]), "are whole numbers of 0 or more"),
        (WHOLE.assign(count=[3, 1, 2, -5]), "are whole numbers of 0 or more"),
        (WHOLE.assign(count=[3, 1, 2, None]), "are whole numbers of 0 or more"),
        (WHOLE.assign(count=[3, 1, 2, np.inf]), "are whole numbers of 0 or more"),
        (WHOLE.assign(count=["3", "1", "2", "five"]), "are whole numbers of 0 or more"),
        (WHOLE.assign(count=2.0**60), "counts more people than there are"),
        (WHOLE.assign(count=[1, 1, 1, 0]), "holds 3 people, fewer than the 4 records of the original"),
        (WHOLE.iloc[:3], r"in 1 key combination \(first: a = z, b = 1; 1 in the original, 0 in the table\)"),
        (WHOLE.iloc[:2].assign(count=9), "in 2 key combinations"),
        (WHOLE.iloc[:0], "The population table has no records"),
    ],
)
def test_a_wrong_table_is_one_sentence(population, said):
    with pytest.raises(DisclosureError, match=said) as error:
        of(population)
    assert str(error.value).count(".") <= 3


def test_an_error_that_may_leave_the_office_names_no_combination():
    with pytest.raises(DisclosureError, match="in 1 key combination; correct") as error:
        with_table(Study(FRAME, [FRAME]), [FRAME, FRAME], Settings(keys=KEYS), WHOLE.iloc[:3], named=False)
    assert "z" not in str(error.value).split()


def test_a_population_smaller_than_the_data_is_one_sentence():
    keys = assess(Study(FRAME, [FRAME]), Settings(keys=KEYS)).keys
    with pytest.raises(DisclosureError, match="The population cannot be smaller than the 4 records of the original"):
        with_size(keys, 3)


@pytest.fixture
def files(tmp_path):
    FRAME.to_csv(tmp_path / "o.csv", index=False)
    FRAME.to_csv(tmp_path / "s.csv", index=False)
    WHOLE.to_csv(tmp_path / "p.csv", index=False)
    return tmp_path


def test_a_review_keeps_its_table_and_reads_it_again(files):
    opened = start(("o.csv", files / "o.csv"), [("s.csv", files / "s.csv")])
    opened = opened.with_review(opened.review.with_settings(Settings(keys=KEYS)))
    assert isinstance(in_population(opened), NotEvaluated)
    opened = with_population(opened, *read_population("p.csv", files / "p.csv", beside=opened.review))
    found = in_population(opened)
    assert found.from_table
    again = open_review(from_json(to_json(opened.review)), files)
    assert str(in_population(again)) == str(found)
    # Other keys, another figure; another table, another; none, none.
    fewer = opened.with_review(opened.review.with_settings(Settings(keys=("a",))))
    assert in_population(fewer).right == pytest.approx(1 / 2 + 1 / 5)
    WHOLE.assign(count=9).to_csv(files / "p.csv", index=False)
    other = with_population(opened, *read_population("p.csv", files / "p.csv", beside=opened.review))
    assert other.review.population_table.name == "p.csv"
    assert in_population(other).right == pytest.approx(4 / 9)
    with pytest.raises(DisclosureError, match=r"p\.csv"):
        open_review(from_json(to_json(opened.review)), files)
    assert isinstance(in_population(with_population(other, None, None)), NotEvaluated)
    with pytest.raises(DisclosureError, match="has no column of counts"):
        with_population(opened, *read_population("o.csv", files / "o.csv", beside=opened.review))


def test_the_command_line(files):
    run = CliRunner().invoke
    call = ["population", str(files / "o.csv"), str(files / "s.csv"), "--keys", "a,b"]
    done = run(main, [*call, "--population-table", str(files / "p.csv"), "--json", "-"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["tables"]["in_population"] == [
        {"synthesis": 1, "replicated": 4, "unique": 1, "right": pytest.approx(1 / 3 + 1 + 1 / 2 + 1 / 5)}
    ]
    assert WITH_TABLE in found["notes"]
    done = run(main, [*call, "--population", "40", "--quiet", "--json", "-"])
    assert json.loads(done.stdout)["tables"]["in_population"][0]["unique"] == "NaN"
    done = run(main, [*call, "--population", "3"])
    assert done.exit_code == 2
    assert "The population cannot be smaller than the 4 records" in done.stderr
    WHOLE.iloc[:2].to_csv(files / "p.csv", index=False)
    done = run(main, [*call, "--population-table", str(files / "p.csv")])
    assert done.exit_code == 2
    assert "in 2 key combinations" in done.stderr


def test_the_demonstration_with_its_population_alone():
    opened = start_demonstration()
    assert isinstance(in_population(opened), NotEvaluated)
    keys = opened.assessment().keys
    assert with_size(keys, 25_000).right == pytest.approx(351.6 * 0.25 * np.log(5), abs=1e-9)
    assert tuple(key.name for key in keys.keys) == demo.KEYS


def test_an_internal_report_says_it_with_what_is_assumed_and_a_shareable_one_does_not(files):
    opened = start(("o.csv", files / "o.csv"), [("s.csv", files / "s.csv")])
    opened = opened.with_review(opened.review.with_settings(Settings(keys=KEYS)))
    known = with_population(opened, *read_population("p.csv", files / "p.csv", beside=opened.review))

    def said(of, **look):
        source = with_analyses(Report(of, Look(**look)), of)
        return [b.text for s in source.sections for b in s.blocks if "lead to the right person" in b.text]

    assert said(opened) == []
    (text,) = said(known)
    assert text.endswith(f" {in_population(known)} Population table: p.csv. {WITH_TABLE}")
    assert not said(known, shareable=True, smallest=2)
    WHOLE.iloc[:3].assign(count=9).to_csv(files / "p.csv", index=False)
    wrong = opened.with_data(
        opened.review, replace(opened.data, population=read_population("p.csv", files / "p.csv")[0])
    )
    texts = [block.text for s in with_analyses(Report(wrong, Look()), wrong).sections for block in s.blocks]
    assert any("population: not evaluated. The population table has fewer people" in text for text in texts)
