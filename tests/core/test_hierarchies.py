"""Hierarchies of a column: what each level merges, and each bad one as one sentence."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Bounds, DisclosureError, Exclusions, Hierarchy, Pair, Settings, Study, strongest_intruder
from disclosure_core.data.coarsenings import coarsenings
from disclosure_core.data.hierarchies import regrouped, suggested

TINY = json.loads((Path(__file__).parents[1] / "reference" / "strongest_nodes.json").read_text())["tiny"]["hierarchies"]


def column_of(values, codes=()):
    frame = pd.DataFrame({"k": values})
    study = Study(frame, [frame], {"k": codes} if codes else None)
    return study.columns["k"], study.is_missing_code("k")


def merged(column, level):
    """The column's labels that a level holds together."""
    groups = {}
    for label, code in zip(column.labels, level.codes.tolist(), strict=True):
        groups.setdefault(code, []).append(label)
    return sorted(map(sorted, groups.values()))


@pytest.mark.parametrize("case", TINY, ids=lambda case: case["name"])
def test_the_small_cases(case):
    if "table" in case:
        column, _ = column_of(case["levels"])
        if "error" in case:
            with pytest.raises(DisclosureError, match=repr(case["error"])):
                coarsenings(column, Hierarchy.table(case["table"]))
            return
        found = coarsenings(column, Hierarchy.table(case["table"]))
        assert len(found) == case["expected"]["depth"]
        present = [i for i, label in enumerate(column.labels) if label != "Missing" or None in case["levels"]]
        for level, labels in zip(found, case["expected"]["levels"], strict=True):
            assert sorted({level.labels[level.codes[i]] for i in present}) == sorted(labels)
        return
    if "error" in case:
        with pytest.raises(DisclosureError, match=case["error"]):
            Hierarchy.bands(*case["widths"])
        return
    values = [None if v is None else float(v) for v in case["values"]]
    column, special = column_of(values, tuple(map(float, case.get("codes", ()))))
    _, level, _ = coarsenings(column, Hierarchy.bands(*case["widths"]), special)
    labels = dict(zip(column.labels, (level.labels[code] for code in level.codes.tolist()), strict=True))
    of_values = [labels["Missing" if v is None else f"{v:g}"] for v in values]
    starts = [text[1:].split(",")[0] if text.startswith("[") else text for text in of_values]
    expected = case["expected"].get("from") or [text.removeprefix("from ") for text in case["expected"]["labels"]]
    assert starts == expected


@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=1, max_size=30), st.booleans())
def test_each_level_is_a_function_of_the_one_before(values, missing):
    column, special = column_of([*values, None] if missing else values)
    levels = coarsenings(column, Hierarchy.bands("0.5", 5, 20, 1000), special)
    for fine, coarse in zip(levels, levels[1:], strict=False):
        assert len(set(zip(fine.codes.tolist(), coarse.codes.tolist(), strict=True))) == len(set(fine.codes.tolist()))
    assert levels[-1].size == 1
    for value, code in zip(column.values.tolist(), levels[2].codes.tolist(), strict=False):
        low, high = map(float, levels[2].labels[code][1:-1].split(","))
        assert low <= value < high
        assert high - low == 5


def test_dates_and_codes():
    dates = pd.to_datetime(["2019-12-31", "2020-01-01", "2020-03-31", "2020-04-01", None])
    column, _ = column_of(dates)
    _, month, quarter, year, decade, unknown = coarsenings(
        column, Hierarchy.calendar("decade", "month", "year", "quarter")
    )
    assert [level.name for level in (month, quarter, year, decade)] == ["month", "quarter", "year", "decade"]
    assert merged(column, quarter) == [["2019-12-31"], ["2020-01-01", "2020-03-31"], ["2020-04-01"], ["Missing"]]
    assert merged(column, decade) == [["2019-12-31"], ["2020-01-01", "2020-03-31", "2020-04-01"], ["Missing"]]
    assert unknown.size == 1
    column, _ = column_of(["A10", "A11", "B1", "B", None])
    _, two, one, _ = coarsenings(column, Hierarchy.parsed("1,2", column))
    assert merged(column, two) == [["A10", "A11"], ["B"], ["B1"], ["Missing"]]
    assert merged(column, one) == [["A10", "A11"], ["B", "B1"], ["Missing"]]


def test_a_table_as_others_write_it():
    column, _ = column_of(["a;b", "c", "d"])
    for text in ('"a;b";x;*\r\nc;x;*\r\nd;y;*\r\nnot there;z;*', "\ufeffa;b,x\nc,x\nd,y\n\n"):
        found = coarsenings(column, Hierarchy.read(text.encode(), "k.csv"))
        assert [level.size for level in found] == [4, 3, 1]
        assert merged(column, found[1]) == [["Missing"], ["a;b", "c"], ["d"]]
    numbers, _ = column_of([1.0, 2.0, 3.5])
    found = coarsenings(numbers, Hierarchy.read(b"1.0,low\n2,low\n3.50,high", "n.csv"))
    assert merged(numbers, found[1]) == [["1", "2"], ["3.5"], ["Missing"]]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Hierarchy.bands(), "at least one level"),
        (lambda: Hierarchy.bands(-5), "above 0, not '-5'"),
        (lambda: Hierarchy.bands("five"), "above 0, not 'five'"),
        (lambda: Hierarchy.bands("1e999999999"), "above 0"),
        (lambda: Hierarchy.bands(float("nan")), "above 0"),
        (lambda: Hierarchy.bands(5, 10, 15), "band of 15 holds no whole bands of 10"),
        (lambda: Hierarchy.calendar("week"), "A date is known to its month, quarter, year, decade, not to its 'week'"),
        (lambda: Hierarchy.prefixes(*range(1, 60)), "A hierarchy has at most 50 levels; name fewer"),
        (lambda: Hierarchy.prefixes(0), "not '0'"),
        (lambda: Hierarchy.prefixes("two"), "not 'two'"),
        (lambda: Hierarchy.table([]), "has no rows"),
        (lambda: Hierarchy.table([["a"]]), "2 to 50 columns"),
        (lambda: Hierarchy.table([["a", "x"], ["b"]]), "Row 2 of the table has 1 columns"),
        (lambda: Hierarchy.read(b"", "empty.csv"), "has no rows"),
        (lambda: Hierarchy.read(b"x" * 5_000_000, "large.csv"), "larger than 4 MB"),
        (lambda: Hierarchy.parsed("", column_of([1])[0]), "names no level"),
        (
            lambda: Hierarchy.parsed("width:5", column_of([1])[0]),
            "The hierarchy of 'k' begins with 'width'; write prefix:3,1",
        ),
        (
            lambda: Hierarchy.read(b'a,"' + b"x" * 200_000, "odd.csv"),
            "odd.csv is no CSV file; write a level and its parents",
        ),
        (lambda: coarsenings(column_of(["a"])[0], Hierarchy.bands(5)), "'k' is not numeric"),
        (lambda: coarsenings(column_of([1])[0], Hierarchy.calendar("month")), "'k' holds no dates"),
        (
            lambda: coarsenings(column_of([1, np.inf])[0], Hierarchy.bands(5)),
            "'k' has infinite values, which no band holds; make them missing",
        ),
    ],
)
def test_bad_hierarchies(make, said):
    with pytest.raises(DisclosureError, match=said) as error:
        make()
    assert "\n" not in str(error.value)


def test_what_is_suggested():
    assert suggested(column_of(range(16, 97))[0]) == Hierarchy.bands(5, 10, 20)
    assert suggested(column_of(range(0, 9000, 10))[0]) == Hierarchy.bands(500, 1000, 2000)
    assert suggested(column_of(["a", "b"])[0]) is suggested(column_of([1, 2, 3])[0]) is None
    assert suggested(column_of(pd.to_datetime(["2020-01-01"]))[0]) == Hierarchy.calendar("month", "year")


SMALL = pd.DataFrame({"age": [30, 31, 44, 44], "g": list("abab"), "t": list("xyxy")})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"hierarchies": {"t": Hierarchy.prefixes(1)}}, "'t', which is not a key"),
        ({"bounds": {"at_best": {"aeg": "5"}}}, "Did you mean 'age'?"),
        ({"bounds": {"at_best": {"age": "5"}}}, "The level '5' is not a level of 'age'"),
        ({"bounds": {"at_most": 0}}, "whole number above 0"),
        ({"bounds": {"budget": True}}, "whole number above 0"),
        ({"measures": ["UiO"]}, "'UiO' is no measure"),
        ({"measures": ["F_rel"]}, "Nothing is left to search for. F_rel is not evaluated: it needs people outside"),
        ({"tau": 1.5}, "from 0 to 1"),
        ({"settings": Settings(keys=["no"])}, "'no'"),
    ],
)
def test_bad_searches(asked, said):
    asked = {"settings": Settings(keys=["age", "g"]), **asked}
    bounds = asked.pop("bounds", {})
    with pytest.raises(DisclosureError, match=said):
        strongest_intruder(Study(SMALL, [SMALL]), bounds=Bounds(**bounds), **asked)


def test_bounds_are_kept():
    study = Study(SMALL, [SMALL])
    ages = {"age": Hierarchy.bands(5, 10)}
    found = strongest_intruder(study, Settings(keys=["age", "g"]), ages, Bounds(at_most=1, at_best={"age": "10"}))
    assert found.coverage.n_nodes == 3  # age in tens, g, nothing
    assert set(found.worst["knows"]) <= {"age (bands of 10)", "g", "nothing"}
    assert set(found.adds.loc[found.adds["key"] == "age", "level"]) == {"bands of 10", "unknown"}
    assert found.of("DiSCO", "t")["knows"] == "g"
    assert found.of("DiSCO", "t")["figure"] == 100
    never = strongest_intruder(study, Settings(keys=["age", "g"]), ages, Bounds(at_best={"g": "unknown"}))
    assert not any("g" in knows.split(", ") for knows in never.worst["knows"])


def test_a_hierarchy_takes_the_place_of_groups_and_says_so():
    study = Study(SMALL, [SMALL])
    settings = Settings(keys=["age", "g"], groups={"age": 2})
    found = strongest_intruder(study, settings, {"age": Hierarchy.bands(5)})
    assert "The groups of age give way to the hierarchy" in found.notes[0]
    assert found.of("repU")["figure"] == 100
    assert not any("excluded pair" in note for note in found.notes)
    two = [("age", "[30,37]", "x"), ("age", "(37,44]", "y")]
    for pairs, said in ((two[:1], "1 excluded pair of"), (two, "2 excluded pairs of")):
        out = Exclusions(pairs={"t": [Pair(*pair) for pair in pairs]})
        notes = strongest_intruder(study, replace(settings, exclusions=out), {"age": Hierarchy.bands(5)}).notes
        assert f"{said} these groups do not act here." in notes
    assert strongest_intruder(study, settings).of("repU")["figure"] == 100  # [30,37.5) and [37.5,44], with g


def test_a_beam_says_that_it_is_one_and_finds_the_largest_here():
    study = Study(SMALL, [SMALL])
    asked = (study, Settings(keys=["age", "g"]), {"age": Hierarchy.bands(5, 10)})
    beam = strongest_intruder(*asked, Bounds(budget=6, beam=2))
    whole = strongest_intruder(*asked)
    assert not beam.coverage.exhaustive
    assert beam.coverage.n_counted <= 6
    assert all(strongest_intruder(*asked, Bounds(budget=n, beam=2)).coverage.n_counted <= n for n in range(1, 6))
    assert "the largest found, not the largest there is" in str(beam.coverage)
    assert beam.worst["figure"].tolist() == whole.worst["figure"].tolist()


def test_progress_reaches_the_end_and_can_stop():
    told = []
    strongest_intruder(Study(SMALL, [SMALL]), Settings(keys=["age", "g"]), progress=lambda *at: told.append(at))
    assert told[-1] == (4, 4)

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strongest_intruder(Study(SMALL, [SMALL]), Settings(keys=["age", "g"]), progress=stop)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        {"kind": "other"},
        {"kind": "bands", "steps": [5]},
        {"kind": "bands", "steps": ["5", "7"]},
        {"kind": "table", "rows": [["a", 1]]},
        {"kind": "table", "rows": 3},
        {"kind": "bands", "steps": ["5"], "more": 1},
        {"kind": "calendar", "steps": "month"},
    ],
)
def test_a_damaged_hierarchy_of_a_saved_review(plain):
    with pytest.raises(ValueError, match="hierarchy|whole bands|known to its|rows"):
        Hierarchy.from_plain(plain)


@pytest.mark.parametrize("text", ["5,10", "month,year", "prefix:3,1"])
def test_what_is_written_is_read_again(text):
    column = column_of([1] if text == "5,10" else pd.to_datetime(["2020-01-01"]) if "month" in text else ["a"])[0]
    hierarchy = Hierarchy.parsed(text, column)
    assert str(hierarchy) == text
    assert Hierarchy.from_plain(json.loads(json.dumps(hierarchy.to_plain()))) == hierarchy


def test_levels_are_put_into_groups_and_groups_into_groups():
    levels = ["a", "b", "c", "d"]
    one = regrouped(None, levels, ["a", "b"], "ab")
    assert one.rows == (("a", "ab"), ("b", "ab"), ("c", "c"), ("d", "d"))
    two = regrouped(one, levels, ["ab", "c"], "abc", wider=True)
    assert two.rows[:3] == (("a", "ab", "abc"), ("b", "ab", "abc"), ("c", "c", "abc"))
    assert regrouped(two, levels, ["a"], "").rows[0] == ("a", "a", "a")
    assert regrouped(one, levels, ["a", "b"], " ") is None
    assert regrouped(Hierarchy.prefixes(1), levels, ["c", "d"], "last").rows[-1] == ("d", "last")
    with pytest.raises(DisclosureError, match="Choose the levels"):
        regrouped(one, levels, [], "ab")
    with pytest.raises(DisclosureError, match="'e' is not among those to be grouped"):
        regrouped(one, levels, ["e"], "ab")


def test_a_table_that_is_not_nested_above_a_single_value_is_refused():
    column = Study(pd.DataFrame({"k": list("abc")}), [pd.DataFrame({"k": list("abc")})]).columns["k"]
    with pytest.raises(DisclosureError, match="gives the level 'all' two parents, 'x' and 'y'"):
        coarsenings(column, Hierarchy.table([("a", "all", "x"), ("b", "all", "y"), ("c", "all", "y")]))
