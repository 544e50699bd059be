"""The strongest intruder on the Keys page: hierarchies, bounds, the search and Stop, undo, and what is wrong."""

# Inside: every combination is told, so that Stop comes between two.

from dataclasses import replace

import pytest

from disclosure_core import Bounds, Hierarchy, Settings, demo, open_review, strongest_intruder
from disclosure_core.review import strongest
from disclosure_core.sensitivity import node_search
from tests import saved
from tests.pages.conftest import as_shown
from tests.reports import Look, assemble, blocks

pytestmark = pytest.mark.slow

KIND, KEY = "keys.hierarchy.kind.", "keys.hierarchy.key"


@pytest.fixture
def keys(app):
    """The Keys page with one target, so that a search is short."""
    app.demo().page("keys").targets(["abroad"])
    return app.question("strongest-intruder").set("selectbox", KEY, "age")


def test_search_within_bounds_and_take_it_back(keys):
    app = keys
    app.set("radio", f"{KIND}age.none", "Bands").set("text_input", "keys.hierarchy.Bands.age", "10, 5")
    assert app.session.review.hierarchies == {"age": Hierarchy.bands(5, 10)}
    assert "age | as it is" not in app.plain()
    ages = demo.study().columns["age"]
    assert not ages.counts[:, -1].any()
    n = [len({int(a) // width for a in ages.levels}) for width in (1, 5, 10)]
    assert app.frame("levels")["levels"][1] == f"as it is ({n[0]}), bands of 5 ({n[1]}), bands of 10 ({n[2]}), unknown"
    app.set("number_input", "keys.strongest.at_most", 3).set("selectbox", "keys.strongest.best.age", "bands of 5")
    assert "combinations of keys and levels: every one is looked at." in app.plain()
    app.click("keys.strongest").set("selectbox", "keys.strongest.measure", "DiSCO of abroad")
    settings = Settings(keys=demo.KEYS, targets=("abroad",), groups=demo.GROUPS)
    bounds = Bounds(at_most=3, at_best={"age": "bands of 5"})
    expected = strongest_intruder(demo.study(), settings, {"age": Hierarchy.bands(5, 10)}, bounds)
    worst = expected.of("DiSCO", "abroad")
    assert (
        f"The largest DiSCO of abroad is {worst['figure']:.2f} %, for somebody who knows {worst['knows']}."
        in app.plain()
    )
    assert f"and {worst['other']:.2f} % on the other half" in app.plain()
    table = app.frame("all_keys")
    assert table["figure"].tolist() == as_shown(expected.worst["figure"].tolist())
    review = app.session.review
    assert "strongest" in review.searched
    assert saved.from_json(saved.to_json(review)) == review
    # Taken back and made again on another page; the search is of what is asked now.
    app.set("number_input", "keys.strongest.at_most", 2)
    assert "The largest DiSCO of abroad" not in app.plain()
    assert app.session.review.searched == frozenset()
    app.page("review").click("review.undo")
    assert app.session.review.bounds == bounds
    assert app.session.review.searched == {"strongest"}  # its question is asked again, and was answered
    app.click("review.redo")
    assert app.session.review.bounds == replace(bounds, at_most=2)
    app.page("analyses").set("number_input", "keys.strongest.at_most", 3)
    assert "The largest DiSCO of abroad" in app.plain()


def test_a_search_is_in_the_report_where_the_saved_review_says_so(keys):
    """Without a reason an exclusion changes nothing that is printed, but what is asked: the search is to be made again."""
    app = keys
    app.click("keys.strongest")

    def both():
        opened = app.session.now
        again = open_review(saved.from_json(saved.to_json(opened.review)), {})
        return [
            "Strongest intruder" in str([b.rows for b in blocks(assemble(o, Look(cells=True)))])
            for o in (opened, again)
        ]

    assert both() == [True, True]
    app.page("review").exclude("abroad = No")
    assert both() == [False, False]
    app.click("review.undo")
    assert both() == [True, True]


@pytest.mark.parametrize("stage", [0, 3, -1])
def test_stop_at_each_stage_keeps_nothing(keys, pressing_stop, monkeypatch, stage):
    monkeypatch.setattr(node_search, "_EVERY", 0)  # each combination is told
    app = keys
    n = strongest.space(app.session.now).n
    before = app.session.review
    with pressing_stop("keys.strongest", range(n)[stage]) as told:
        app.click("keys.strongest")
    assert told == [(done, n) for done in range(1, range(n)[stage] + 2)]
    app.page("analyses")
    assert "The search was stopped; nothing of it is kept." in app.plain()
    assert app.session.review == before
    assert app.session.now.finished_strongest() is None
    assert not strongest.is_kept(app.session.now)
    app.click("keys.strongest").set("selectbox", "keys.strongest.measure", "DiSCO of abroad")
    assert "The largest DiSCO of abroad" in app.plain()


@pytest.mark.slow
def test_suggested_levels_are_one_click(keys):
    keys.click("keys.hierarchy.suggested")
    assert keys.session.review.hierarchies == {"age": Hierarchy.bands(5, 10, 20)}
    assert not [b for b in keys.at.button if b.key == "keys.hierarchy.suggested"]


@pytest.mark.slow
def test_levels_are_put_together_and_taken_apart(keys):
    app = keys.set("selectbox", KEY, "region").set("radio", f"{KIND}region.none", "Groups of levels")
    levels = list(demo.study().columns["region"].levels)
    app.set("multiselect", "keys.hierarchy.members.region", levels[:2])
    app.set("text_input", "keys.hierarchy.group.region", "the *first* two").click("keys.hierarchy.together")
    rows = app.session.review.hierarchies["region"].rows
    assert rows[:3] == ((levels[0], "the *first* two"), (levels[1], "the *first* two"), (levels[2], levels[2]))
    app.set("toggle", "keys.hierarchy.wider.region", True)
    app.set("multiselect", "keys.hierarchy.members.region", ["the *first* two", levels[2]])
    app.set("text_input", "keys.hierarchy.group.region", "three").click("keys.hierarchy.together")
    assert app.session.review.hierarchies["region"].rows[2] == (levels[2], levels[2], "three")
    app.set("toggle", "keys.hierarchy.wider.region", False).set(
        "multiselect", "keys.hierarchy.members.region", levels[:3]
    )
    app.set("text_input", "keys.hierarchy.group.region", "").click("keys.hierarchy.together")
    assert "region" not in app.session.review.hierarchies


WRONG = {
    "a level missing": ("{0};a;all\n", "has no row for the level '{1}'"),
    "two parents": ("{0};a\n{0};b\n", "gives the level '{0}' two parents, 'a' and 'b'"),
    "not nested": ("{every}", "gives the level 'a' two parents"),
    "of one column": ("{0}\n", "has 2 to 50 columns"),
    "of unequal rows": ("{0};a\n{1};a;b\n", "Row 2 of the table has 3 columns"),
    "empty": ("", "has no rows"),
}


def test_a_bad_table_is_one_sentence_with_the_level(keys):
    levels = list(demo.study().columns["region"].levels)
    every = "".join(f"{level};a;{'x' if i else 'y'}\n" for i, level in enumerate(levels))
    app = keys.set("selectbox", KEY, "region").set("radio", f"{KIND}region.none", "A table")
    for what, (text, said) in WRONG.items():
        content = text.format(*levels, every=every).encode()
        app.at.file_uploader(key="keys.hierarchy.file.region").set_value((f"{what}.csv", content, "text/csv")).run()
        app.click("keys.hierarchy.use")
        assert said.format(*levels) in app.plain(), what
        assert "region" not in app.session.review.hierarchies


@pytest.mark.slow
def test_a_bad_width_is_one_sentence_and_the_levels_before_stay(keys):
    keys.click("keys.hierarchy.suggested")
    for text, said in {
        "5, 7": "A band of 7 holds no whole bands of 5",
        "0": "The width of a band is a number above 0, not '0'",
        "wide": "The width of a band is a number above 0, not 'wide'",
    }.items():
        keys.set("text_input", "keys.hierarchy.Bands.age", text)
        assert said in keys.plain()
        assert keys.session.review.hierarchies == {"age": Hierarchy.bands(5, 10, 20)}
    keys.set("text_input", "keys.hierarchy.Bands.age", "")
    assert keys.session.review.hierarchies == {}


@pytest.mark.slow
def test_a_bound_that_a_new_hierarchy_lacks_is_dropped(keys):
    keys.click("keys.hierarchy.suggested").set("selectbox", "keys.strongest.best.age", "bands of 20")
    assert keys.session.review.bounds.at_best == {"age": "bands of 20"}
    keys.set("text_input", "keys.hierarchy.Bands.age", "5")
    assert keys.session.review.bounds.at_best == {}
