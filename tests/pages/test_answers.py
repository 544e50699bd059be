"""The box of what the data make one ask, and the table on Data: what is sent is looked at before it is done."""

# Inside: the box and the table of columns are held against what is open of the review.

import pytest

from disclosure_core import start_demonstration
from disclosure_core.review import questions
from pages.data import answers, columns

ORIGINAL = "sex,age,job,income\n" + "f,20,nurse,-8\nm,30,NA,900\nf,41,cook,1500\nm,30,nurse,1200\n" * 15
SYNTHETIC = "sex,age,job,income\n" + "m,30,NURSE,1200\nf,20,NURSE,-8\nm,30,NA,900\nf,41,cook,1500\n" * 15


@pytest.fixture
def brought(app):
    return app.upload(("o.csv", ORIGINAL.encode()), ("s.csv", SYNTHETIC.encode()))


def test_the_box_asks_what_is_not_answered(brought):
    asked = questions.unanswered(brought.session.now)
    assert set(brought.box()) == {each.name for each in asked}
    assert len(brought.box()) == len(asked) == 6
    assert f"- **data ({len(asked)})**" in brought.text().replace("\\", "")


def test_mend_all_takes_what_is_dashed_and_nothing_else(brought):
    before = brought.session.review
    dashed = {name for name, each in brought.box().items() if any(o["dashed"] for o in each["options"])}
    assert (before.columns.mends, before.columns.missing_texts, before.columns.missing_codes) == ({}, {}, {})
    rest = set(brought.box()) - dashed
    assert {"unmet: job", "text: job = NA", "code: income = -8"} <= dashed
    brought.act("data.answers", {"do": "mend all"})
    review = brought.session.review
    assert dict(review.columns.missing_texts) == {"job": ("NA",)}
    assert dict(review.columns.missing_codes) == {"income": ("-8",)}
    assert list(review.columns.mends) == ["job"]
    assert review.assumptions == {}
    assert set(brought.box()) == rest
    assert brought.part("data.answers")["n_dashed"] == 0


@pytest.mark.parametrize(
    "act",
    [
        {}, {"do": "answer"}, {"do": "answer", "name": "unmet: age", "value": "mend"},
        {"do": "answer", "name": "unmet: job", "value": "yes"}, {"do": "answer", "name": ["labelled"], "value": "yes"},
        {"do": "answer", "name": "labelled", "value": "maybe"}, {"do": "back", "name": "mend: job"}, {"do": "back", "name": None},
    ],
)  # fmt: skip
def test_what_is_not_asked_cannot_be_answered(brought, act):
    before = brought.session.review
    brought.act("data.answers", act)
    assert brought.session.review == before


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ({"do": "codes", "column": "job", "value": "-8"}, "holds no numbers"),
        ({"do": "codes", "column": "age", "value": "-99"}, "does not occur"),
        ({"do": "codes", "column": "age", "value": "-9" * 2000}, "at most 2,000 letters"),
        ({"do": "holds", "column": "age", "value": "poem"}, "poem"),
        ({"do": "holds", "column": "salary", "value": "number"}, "salary"),
        ({"do": "role", "column": "age", "value": "key"}, ""),
    ],
)
def test_what_the_table_sends_is_not_trusted(brought, act, sentence):
    before = brought.session.review
    brought.act("data.columns", act)
    assert brought.session.review == before
    assert sentence in brought.text().replace("\\", "")


def test_codes_are_read_with_commas_blanks_and_a_true_minus():
    assert columns.codes_of(" −8, -9;99  99 ") == ("-8", "-9", "99")


def test_the_table_holds_the_figures_of_the_overview_and_of_the_agreement():
    opened = start_demonstration()
    overview = opened.study().overview().set_index("column")
    agreed = opened.remarks().agreed.table().set_index("column")
    for row in columns.shown(opened)["rows"]:
        cells, of = row["cells"], overview.loc[row["name"]]
        assert cells["levels"]["pair"] == [f"{of['levels_original']:,}", f"{of['levels_synthetic']:,}"]
        assert cells["share"]["sort"] == of["largest_original"]
        assert (cells["missing"] or {"sort": 0})["sort"] == of["missing_original"]
        assert (cells["only"] or {"sort": 0})["sort"] == 100 - agreed.loc[row["name"], "original_min"]
    assert [each["name"] for each in answers.shown(opened)["entries"]] == [q.name for q in questions.unanswered(opened)]
