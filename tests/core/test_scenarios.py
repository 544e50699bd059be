"""Scenarios side by side, and a review in one file."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Exclusions, Pair, Settings, assess
from disclosure_core.data import demo
from disclosure_core.review.project import Project
from disclosure_core.review.scenarios import (
    MOST,
    Scenario,
    all_flagged,
    assessed,
    flagged_levels,
    flagged_pairs,
    paper_scenarios,
    side_by_side,
    with_scenario,
)  # fmt: skip
from tests.core.test_settings import plain
from tests.projects import project_file, settings_file

STUDY = demo.study()
BASE = assess(STUDY, Settings(keys=demo.KEYS, groups=demo.GROUPS))


def test_the_five_columns_of_the_paper():
    five = paper_scenarios(BASE)
    table = side_by_side(assessed(STUDY, BASE, five))
    assert [name for name, _ in table.columns[1::2]] == [s.name for s in five]
    for scenario in five:
        fresh = assess(STUDY, Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=scenario.exclusions)).summary()
        rows = fresh.set_index("target").loc[table["target", ""]]
        assert table[scenario.name, "Dorig"].tolist() == rows["original"].tolist()
        assert table[scenario.name, "DiSCO"].tolist() == rows["synthetic"].tolist()
    # Each column but the last takes more than the one before; the order of rows is that of the first.
    values = table.iloc[:, 2::2].to_numpy()
    assert (values[:, 1:4] <= values[:, :3]).all()
    assert (values[:, 4] <= values[:, 0]).all()
    assert table["target", ""].tolist() == BASE.summary()["target"].tolist()[::-1]
    # What is flagged is what is out: nothing else in column two.
    flagged = {name for name, risk in BASE.targets.items() if risk.flags[0]}
    assert set(flagged_levels(BASE)) == flagged
    changed = {t for t, a, b in zip(table["target", ""], values[:, 0], values[:, 1], strict=True) if a != b}
    assert changed == flagged


def test_everything_flagged_is_left_out_and_nothing_kept_is_lost():
    first = Exclusions(target_levels={"marital": ["Single"]}, denominator_limit=3)
    held = assess(STUDY, replace(BASE.settings, exclusions=first))
    out = all_flagged(held)
    assert out.denominator_limit == 3
    assert "Single" in out.levels_of("marital")
    for name, levels in flagged_levels(held).items():
        assert set(levels) <= set(out.levels_of(name))
    for name, pairs in flagged_pairs(held).items():
        assert set(pairs) <= set(out.pairs_of(name))
    assert flagged_pairs(BASE)
    after = assess(STUDY, replace(BASE.settings, exclusions=all_flagged(BASE)))
    for name, pairs in flagged_pairs(after).items():  # a pair that is out never comes back
        assert not set(pairs) & set(out.pairs_of(name))
    assert all_flagged(BASE, levels=False).target_levels == ()
    assert all_flagged(BASE, pairs=False).pairs == ()


def test_names_are_kept_apart():
    one = with_scenario((), Scenario(" first ", Exclusions()))
    assert one[0].name == "first"
    two = with_scenario(one, Scenario("second", Exclusions(denominator_limit=1)))
    renamed = with_scenario(two, Scenario("other", two[0].exclusions), instead="first")
    assert [s.name for s in renamed] == ["other", "second"]
    many = tuple(Scenario(str(i), Exclusions()) for i in range(MOST))
    for wrong, sentence in (
        (lambda: with_scenario(two, Scenario("second", Exclusions())), "There is a scenario 'second' already"),
        (lambda: with_scenario(two, Scenario("second", Exclusions()), instead="first"), "There is a scenario 'second'"),
        (lambda: Scenario("  ", Exclusions()), "Give the scenario a name of 1 to 60 letters"),
        (lambda: Scenario("x" * 61, Exclusions()), "Give the scenario a name of 1 to 60 letters"),
        (
            lambda: with_scenario(many, Scenario("new", Exclusions())),
            "There are 50 scenarios already; delete one first",
        ),
        (lambda: side_by_side(()), "There is no scenario yet"),
    ):
        with pytest.raises(DisclosureError, match=sentence):
            wrong()


WHOLE = Project(
    Settings(keys=("sex", "age"), groups={"income": 20}),
    (
        Scenario("none", Exclusions()),
        Scenario("$x$ <b>", Exclusions(target_levels={"marital": ["Single"]}, pairs={"t": [Pair("a", "1", "2")]})),
    ),
    {"marital = Single": "everybody\nknows"},
    {"Decision to be taken": "release"},
    {"x.csv": "12", "y.csv": "34"},
    {"income": ("-8",)},
)


def test_a_project_comes_back_whole_and_is_a_settings_file_too():
    text = project_file(WHOLE)
    assert Project.from_json(text) == WHOLE
    assert Settings.from_json(text) == WHOLE.settings
    old = settings_file(WHOLE.settings, {"x.csv": "12"})
    assert Project.from_json(old) == Project(WHOLE.settings, files={"x.csv": "12"})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"project": 2}, "saved by a newer version; update this program"),
        ({"schema": 99}, "written by a newer version; update this program"),
        ({"project": True}, "damaged: its version is no number"),
        ({"project": 0}, "damaged: its version is no number"),
        ({"scenarios": [{"name": "a"}]}, "is damaged"),
        ({"scenarios": [{"name": 3, "exclusions": {}}]}, "is damaged"),
        ({"scenarios": "x"}, "is damaged"),
        ({"reasons": {"a": 3}}, "is damaged"),
        ({"files": []}, "is damaged"),
        ({"missing_codes": {"a": [1]}}, "is damaged"),
        ({"scenarios": [json.loads(project_file(WHOLE))["scenarios"][0]] * 2}, "There is a scenario 'none' already"),
    ],
)
def test_what_is_no_project_is_a_sentence(change, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        Project.from_json(json.dumps(json.loads(project_file(WHOLE)) | change))


@given(st.text() | plain.map(json.dumps))
def test_anything_else_is_a_sentence(text):
    with pytest.raises(DisclosureError, match="file|saved review"):
        Project.from_json(text)


@given(st.data())
def test_a_damaged_project_is_a_sentence_or_sound(data):
    whole = json.loads(project_file(WHOLE))
    part = whole
    while isinstance(part, dict | list) and part:
        places = list(part) if isinstance(part, dict) else list(range(len(part)))
        place = data.draw(st.sampled_from(places))
        if not isinstance(part[place], dict | list) or data.draw(st.booleans()):
            part[place] = data.draw(plain)
            break
        part = part[place]
    try:
        found = Project.from_json(json.dumps(whole))
    except DisclosureError:
        return
    assert Project.from_json(project_file(found)) == found
