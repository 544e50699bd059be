"""The table of columns on Keys: what it shows, and that what a browser sends is looked at before it is done."""

# Inside: a column's role and groups are changed as the table of columns changes them.

import csv

import numpy as np
import pandas as pd
import pytest

from disclosure_core import assess, demo, start_demonstration
from disclosure_core.data.grouping import read_groups, written
from disclosure_core.review.roles import ROLES, role_of, with_role
from pages.keys.roles import shown, suggested
from tests.odd_names import NAMES
from tests.saved import from_json, to_json


def test_each_column_has_one_role_and_a_target_that_is_left_out_comes_back():
    review, columns = start_demonstration().review, list(demo.original().columns)
    for name in columns:
        for role in (*ROLES, "target"):
            changed = with_role(review, name, role, columns)
            assert role_of(changed, name) == role
            assert {n: role_of(changed, n) for n in columns if n != name} == {
                n: role_of(review, n) for n in columns if n != name
            }
    out = with_role(review, "abroad", "left out", columns)
    assert "abroad" not in out.settings.targets
    assert with_role(out, "abroad", "target", columns) == review  # every other column is a target again
    assert with_role(with_role(out, "sex", "left out", columns), "sex", "key", columns).keys == (
        "age",
        "region",
        "employment",
        "sex",
    )


def test_the_table_shows_roles_groups_and_what_is_suggested():
    table = shown(start_demonstration())
    rows = {row["name"]: row for row in table["rows"]}
    assert list(rows) == list(demo.original().columns)
    assert [name for name, row in rows.items() if row["mark"] == "strong"] == list(demo.KEYS)
    assert rows["income"]["cells"]["groups"]["value"] == "20 groups"
    assert rows["sex"]["cells"]["groups"] is None
    assert rows["abroad"]["cells"]["because"] is None
    assert table["offer"] is None  # all that is suggested is taken


def test_suggestions_are_offered_and_taken_together(app):
    app.demo().page("keys").keys([])
    assert [app.cell(name, "role")["hint"] for name in demo.KEYS] == ["key"] * 4
    assert app.part("keys.roles")["offer"]["n"] == 4
    app.act("keys.roles", {"do": "suggested"})
    assert app.roles() == list(demo.KEYS)
    assert app.part("keys.roles")["offer"] is None


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ({"do": "role", "column": "salary", "value": "key"}, "salary"),
        ({"do": "role", "column": "abroad", "value": "owner"}, "owner"),
        ({"do": "role", "column": ["abroad"], "value": "key"}, "Column"),
        ({"do": "role", "column": "abroad", "value": 7}, "Column"),
        ({"do": "groups", "column": "sex", "value": "5"}, "holds no numbers"),
        ({"do": "groups", "column": "age", "value": "1"}, "Ask for 2 to 10,000 groups of 'age'"),
        ({"do": "groups", "column": "age", "value": "many"}, "'many' is no way to group 'age'"),
        ({"do": "groups", "column": "age", "value": "65, 18"}, "Give the breaks of 'age' as rising numbers"),
        ({"do": "groups", "column": "age", "value": "18, 18"}, "Give the breaks of 'age' as rising numbers"),
        ({"do": "groups", "column": "age", "value": "18, nan"}, "Give the breaks of 'age' as rising numbers"),
        ({"do": "groups", "column": "age", "value": "0, 1e999"}, "Give the breaks of 'age' as rising numbers"),
        ({"do": "groups", "column": "sex", "value": "18, 65"}, "'sex' holds no numbers"),
        ({"do": "because", "column": "sex", "value": "x" * 3000}, "at most 2,000 letters"),
        ({"do": "delete", "column": "sex", "value": ""}, ""),
        ({}, ""),
    ],
)
def test_what_a_browser_sends_is_not_trusted(app, act, sentence):
    app.demo().page("keys")
    before = app.session.review
    app.act("keys.roles", act)
    assert app.session.review == before
    assert sentence in app.text().replace("\\", "")


def test_a_reason_for_a_key_stands_in_the_review_as_the_report_has_it(app):
    app.demo().page("keys").change(("sex", "seen by everybody"), do="because")
    assert app.session.review.reasons["sex"] == "seen by everybody"
    assert app.cell("sex", "because")["value"] == "seen by everybody"
    assert app.page("report").at.text_input(key="report.why.sex").value == "seen by everybody"


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0), (" every value ", 0), ("20", 20), ("20 groups", 20), ("5 equal groups", 5), ("0, 18, 65", (0, 18, 65)),
        ("at 18", (18,)), ("18,", (18,)), ("Cut at \N{MINUS SIGN}1; 0.5", (-1, 0.5)),
    ],
)  # fmt: skip
def test_groups_are_read_as_they_are_written(text, n):
    assert read_groups("age", text) == n
    assert read_groups("age", written(n)) == n


def test_own_breaks_are_typed_in_the_row_of_a_key_and_come_back_the_same(app):
    """On the page, in words, undone, saved and reopened, and as the core has them: the same figures."""
    app.demo().page("keys")
    session = app.session
    first = session.now.assessment().identity
    app.change(("age", "0, 18, 65"), do="groups")
    assert app.cell("age", "groups") == {
        "value": "at 0, 18, 65", "note": "under 0, 0 to under 18, 18 to under 65, 65 and over"
    }  # fmt: skip
    assert "age: under 0, 0 to under 18, 18 to under 65, 65 and over." in app.text().replace("\\", "")
    found = session.now.assessment()
    assert [set(key.levels) for key in found.keys.keys if key.name == "age"] == [{"<0", "[0,18)", "[18,65)", ">=65"}]
    cut = [pd.DataFrame(frame).assign(age=pd.cut(frame.age, [-np.inf, 0, 18, 65, np.inf], right=False).astype(str))
           for frame in (demo.original(), *demo.syntheses())]  # fmt: skip
    by_hand = assess(cut[0], cut[1:], keys=list(demo.KEYS), targets=["marital"])
    assert found.identity.to_numpy().tolist() == by_hand.identity.to_numpy().tolist()
    again = from_json(to_json(session.review))
    assert again == session.review
    assert start_demonstration().with_review(again).assessment().identity.equals(found.identity)
    assert app.at.button(key="review.undo").label == "Undo: changed the groups"
    app.click("review.undo")
    assert session.review.grouping == dict(demo.GROUPS)
    assert session.now.assessment().identity.equals(first)


def test_what_is_copied_of_the_table_is_what_it_shows(app):
    app.demo().page("keys").change(("age", "18, 65"), do="groups")
    lines = app.part("keys.roles")["lines"]
    head, *rows = csv.reader(lines["csv"])
    assert head == ["column", "holds", "levels", "role", "groups", "known because (printed in the report)"]
    assert rows[1] == ["age", "number", "81", "key", "at 18, 65", ""]
    assert [row[0] for row in rows] == [row["name"] for row in app.part("keys.roles")["rows"]]
    head, *rows = csv.reader(app.page("data").part("data.columns")["lines"]["csv"])
    assert head[2:6] == ["levels, original", "levels, synthetic", "missing, %, original", "missing, %, synthetic"]
    income = dict(zip(head, next(row for row in rows if row[0] == "income"), strict=True))
    assert (income["levels, original"], income["levels, synthetic"], income["no answer"]) == ("636.0", "630.0", "-8")


def test_odd_names_are_shown_as_text_and_told_apart():
    from pages.shared.column_table import rows

    names = list(dict.fromkeys(NAMES))
    found = rows(names, dict.fromkeys(names, ":smile: <b>"), {name: {} for name in names}, {})
    assert [row["name"] for row in found] == names
    assert all(row["shown"].strip() for row in found)


def test_where_every_column_is_a_key_the_page_asks_for_a_target_where_it_is_in_sight(app):
    text = "sex,age\n" + "".join(f"{'mf'[i % 2]},{20 + i % 40}\n" for i in range(60))
    app.upload(("o.csv", text.encode()), ("s.csv", text.encode())).page("keys").keys(["sex", "age"])
    said = "Choose at least one target: a column that an intruder must not learn."
    assert [info.value for info in app.at.info] == [said]
    assert not app.at.error


def test_an_identifier_of_the_codebook_that_the_data_lack_is_suggested_nothing():
    found = suggested(demo.study(), {}, ["person_number", "employment"])
    assert found["employment"] == ("left out", "The codebook calls it an identifier.")
    assert "person_number" not in found
