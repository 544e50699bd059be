"""What changes the meaning of figures is asked above the button that goes on, and again until it is answered."""

# Inside: the page's box is held against what is open of the review.

import pandas as pd
import pytest

from disclosure_core import demo
from disclosure_core.protection.steps import RoundTo
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.questions import unanswered
from tests.saved import from_json, to_json

pytestmark = pytest.mark.slow

SAME = "The synthetic data and the original are the same, record by record"
IGNORED = "has 'extra', which not every file has: ignored."


@pytest.fixture
def files() -> list[tuple[str, bytes]]:
    """An original with a column of its own, a number that looks like a code and a text that looks empty; and a copy."""
    sex, job = ["f", "m"] * 30, ["cook", "NA", "baker"] * 20
    frame = pd.DataFrame({"sex": sex, "job": job, "income": [*[-8] * 6, *[*range(20, 47)] * 2]})
    return [
        ("people.csv", frame.assign(extra=range(60)).to_csv(index=False).encode()),
        ("copy.csv", frame.to_csv(index=False).encode()),
    ]


def asked(app) -> list[str]:
    """Return what is not answered, by its kind."""
    return [question.kind for question in unanswered(app.session.now)]


def said(app) -> str:
    return app.text().replace("\\", "")


def test_every_question_comes_again_until_it_is_answered_and_the_answers_are_saved(app, files):
    app.upload(*files).page("keys").keys(["sex"])
    assert asked(app) == ["warning"] * 2 + ["code", "text"] + ["assumption"] * 3
    for page in ("keys", "report"):
        text = said(app.page(page))
        assert all(words in text for words in (SAME, IGNORED, "'income' holds -8 in 6", "'job' holds 'NA'"))
        assert ("Not answered yet" in text) == (page == "keys")
        assert "- **data (7)**" in text
    text = said(app.page("review"))  # what may be wrong with the files stands beside its figures, the rest in the bar
    assert [w.value.replace("\\", "") for w in app.at.warning if SAME in w.value.replace("\\", "")]
    assert "- **data (7)**" in text

    app.page("data")
    for name, each in app.box().items():
        if [o["value"] for o in each["options"]] == ["keep"]:
            app.answer(name, "keep")
    assert asked(app) == ["code", "text"] + ["assumption"] * 3
    assert SAME in said(app)  # answered is not unsaid
    app.answer("code: income = -8", "keep").answer("text: job = NA", "keep")
    assert list(app.box()) == [question.name for question in QUESTIONS]
    for question in QUESTIONS:
        app.answer(question.name, "yes")
    assert app.box() == {}
    assert asked(app) == []
    for page in ("keys", "review", "report"):
        app.page(page)
        assert "- **data" not in said(app)
        assert "Not answered yet" not in said(app)

    session = app.session
    again = from_json(to_json(session.review))
    assert unanswered(session.now.with_review(again)) == ()
    # Other data are asked of again.
    app.page("data").upload(files[0], ("other.csv", files[1][1].replace(b"cook", b"chef"))).click("replace.open")
    assert "warning" in asked(app)


def test_a_code_or_text_that_is_taken_as_missing_is_answered(app, files):
    app.upload(*files).act("data.answers", {"do": "mend all"})
    assert {"code", "text"}.isdisjoint(asked(app))


@pytest.mark.parametrize("answer", ["code", "no_code"])
def test_a_column_with_such_a_number_is_grouped_after_the_answer(app, files, answer):
    app.upload(*files).page("keys").keys(["sex"]).groups(income=20)
    session = app.session
    assert dict(session.review.groups) == {}
    assert "'income' holds -8 in 6 original records" in said(app)
    app.click(f"keys.{answer}.income.-8")
    assert list(dict(session.review.groups)) == ["income"]
    assert dict(session.review.columns.missing_codes) == ({"income": ("-8",)} if answer == "code" else {})
    assert "code" not in asked(app)
    again = from_json(to_json(session.review))
    assert again.columns.numbers == session.review.columns.numbers


def test_an_answer_saved_before_numbers_stood_with_their_column_is_known(app, files):
    session = app.upload(*files).session
    old = to_json(session.review).replace('"answered": []', '"answered": ["code: income = -8"]')
    assert from_json(old).columns.numbers == {"income": ("-8",)}


def test_a_warning_of_a_column_that_is_not_counted_changes_no_figure(app):
    table = demo.original()[["sex", "age"]].head(60).assign(id=[f"P{i}" for i in range(60)])
    made = demo.syntheses()[0][["sex", "age"]].head(
        60
    )  # rows of its own: whole records of the original are another warning
    other = made.assign(id=[f"Q{i}" for i in range(60)])
    app.upload(*[(name, t.to_csv(index=False).encode()) for name, t in (("o.csv", table), ("s.csv", other))])
    assert asked(app)[0] == "warning"
    app.answer(next(iter(app.box())), "leave out")
    assert "warning" not in asked(app)


def test_an_answer_on_one_column_leaves_the_others_asked_of(app):
    """Two numbers of the record; who leaves out one has said nothing of the other."""
    n, cards = 60, [f"C{i:03}" for i in range(120)]
    tables = [
        pd.DataFrame({"sex": ["f", "m"] * 30, "id": [f"{side}{i}" for i in range(n)], "card": cards[at : at + n]})
        for at, side in ((0, "P"), (30, "Q"))
    ]
    app.upload(*((f"{i}.csv", each.to_csv(index=False).encode()) for i, each in enumerate(tables)))
    of_id, of_card = [next(name for name in app.box() if f"'{column}'" in name) for column in ("id", "card")]
    app.answer(of_id, "leave out")
    assert of_id not in app.box()
    assert of_card in app.box()
    assert [*app.box("decided")] == ["out: id"]
    app.answer(of_card, "leave out")
    assert app.session.review.targets == ("sex",)
    app.take_back("out: card")
    assert of_card in app.box()
    app.page("keys")
    assert app.cell("card", "role")["hint"] == "left out"
    app.page("data").answer(of_card, "keep").page("keys")
    assert app.cell("card", "role")["hint"] == ""  # what was answered is not suggested again
    assert app.cell("id", "role")["value"] == "left out"


def test_a_date_of_birth_is_a_key_that_is_cut_and_no_identifier(app):
    n, days = 60, pd.date_range("1950-01-01", periods=120, freq="97D").strftime("%Y-%m-%d")
    tables = [
        pd.DataFrame({"sex": ["f", "m"] * 30, "id": [f"{side}{i}" for i in range(n)], "born": days[at : at + n]})
        for at, side in ((0, "P"), (30, "Q"))
    ]
    app.upload(*((f"{i}.csv", each.to_csv(index=False).encode()) for i, each in enumerate(tables)))
    of_born = next(name for name in app.box() if "'born'" in name)
    assert "is a key" in of_born
    assert "identifier" not in of_born
    assert [option["value"] for option in app.box()[of_born]["options"]] == ["year", "keep"]
    assert not any(option["dashed"] for option in app.box()[of_born]["options"])
    assert app.page("keys").cell("born", "role")["hint"] == "key"
    assert app.cell("id", "role")["hint"] == "left out"  # a number of the record still is none
    app.page("data").answer(of_born, "year")
    assert app.session.review.columns.types == {"born": "year"}
    assert not any("'born'" in name for name in app.box())
    assert app.page("keys").cell("born", "role")["hint"] == "key"


def test_what_was_kept_of_the_files_is_not_asked_of_a_set_that_is_adopted(app):
    frame = pd.DataFrame({"sex": ["f", "m"] * 30, "age": range(20, 80), "id": [f"P{i}" for i in range(60)]})
    other = frame.assign(age=range(31, 91), id=[f"Q{i}" for i in range(60)])
    app.upload(*((f"{i}.csv", each.to_csv(index=False).encode()) for i, each in enumerate((frame, other))))
    for name in [name for name in app.box() if name.startswith("synthetic data: ")]:
        app.answer(name, "keep")
    assert "warning" not in asked(app)
    app.page("keys").keys(["sex"])
    session = app.session
    session.change(session.review.with_steps((RoundTo("age", 10.0),)))
    session.change(session.now.adopt("rounded").review)
    assert app.page("data").session.now.first_set == "rounded"
    assert [q.text for q in unanswered(session.now) if q.kind == "warning"] == []


def test_all_that_is_mended_at_once_is_what_is_dashed(app):
    """“none” is as likely an answer as an empty cell: it is asked, and nothing suggested."""
    frame = pd.DataFrame({"sex": ["f", "m"] * 30, "ill": [*["none"] * 50, *["flu"] * 10], "job": ["NA", "clerk"] * 30})
    app.upload(*((f"{i}.csv", each.to_csv(index=False).encode()) for i, each in enumerate((frame, frame[::-1]))))
    dashed = {name: any(o["dashed"] for o in each["options"]) for name, each in app.box().items() if "text: " in name}
    assert dashed == {"text: ill = none": False, "text: job = NA": True}
    app.act("data.answers", {"do": "mend all"})
    assert app.session.review.columns.missing_texts == {"job": ("NA",)}
    assert "text: ill = none" in app.box()


def test_a_code_that_a_group_waits_for_is_asked_once_on_the_page(app, files):
    app.upload(*files).page("keys").keys(["sex"])
    app.groups(income=20)
    assert said(app).count("'income' holds -8 in 6 original records") == 2  # with its buttons, and in the status bar
    assert "Not grouped yet: income. Say first what is a missing code." in said(app)
    app.click("keys.code.income.-8")
    assert "Not grouped yet" not in said(app)


def test_a_column_that_does_not_meet_is_warned_of_once(app):
    """Not of its types, too, which are the same fact."""
    frame = pd.DataFrame({"sex": ["f", "m"] * 30, "age": [*range(20, 50)] * 2})
    coded = frame.assign(sex=frame["sex"].map({"f": 1, "m": 2}))
    app.upload(*((f"{i}.csv", each.to_csv(index=False).encode()) for i, each in enumerate((frame, coded))))
    assert len([each for each in app.box().values() if "'sex': the values" in each["detail"]]) == 1
    assert not [w for w in app.at.warning if "all are read as text" in w.value]
    assert asked(app)[:2] == ["unmet", "warning"]
    assert "'sex' holds text in the original" in said(app)


def test_files_without_a_row_of_names_are_read_again_in_one_click(app):
    lines = b"".join(b"%d,%s,%s\n" % (20 + i % 9, b"fm"[i % 2 :][:1], b"AB"[i % 3 % 2 :][:1]) for i in range(60))
    app.upload(("people.csv", lines), ("release.csv", lines[:-7]))
    assert "looks like a record" in said(app)
    app.click("data.no_names")
    assert "looks like a record" not in said(app)
    assert list(app.session.study.columns) == ["V1", "V2", "V3"]
    assert "· 60 original records" in app.opened()
