"""The Data and Review pages: a column whose sides do not meet is warned of, mended in one click, and taken back."""

import json

import pytest

from disclosure_core.review.assumptions import QUESTIONS
from tests.saved import to_json

pytestmark = pytest.mark.slow

ROWS = [f"{'fm'[i % 2]},{20 + i % 30},{['yes', 'no', 'perhaps'][i % 3]}" for i in range(90)]
ORIGINAL = ("people.csv", "\n".join(["sex,age,work", *ROWS]).encode())
SPELT = ("release.csv", "\n".join(["sex,age,work", *ROWS]).replace("yes", "Yes").replace("no", "NO").encode())


@pytest.fixture
def spelt(app):
    return app.upload(ORIGINAL, SPELT)


def warned(app) -> str:
    return "\n".join(w.value.replace("\\", "") for w in app.at.warning)


def test_a_mend_in_one_click_and_back(spelt):
    said = spelt.box()["unmet: work"]["detail"]
    assert "'work': the values of the original and of the synthetic data do not meet" in said
    assert "In no synthesis: 'no' (33.33 % of the original records), 'yes' (33.33 %)." in said
    assert "Only in the synthetic data: 'NO', 'Yes'." in said  # the original's are named once
    assert spelt.column("work")["only"]["pair"][0] == "66.67"
    assert spelt.column("sex")["only"] is None
    spelt.answer("unmet: work", "mend")
    assert "unmet: work" not in spelt.box()
    assert spelt.box("decided")["mend: work"]["question"] == "Mended: work (capitals as in the original)"
    assert spelt.column("work")["only"] is None
    spelt.take_back("mend: work")
    assert "unmet: work" in spelt.box()
    assert "mend: work" not in spelt.box("decided")


def test_review_warns_of_the_keys_and_the_target_only(spelt):
    spelt.page("keys").keys(["sex", "age"]).page("review")
    assert "'work': the values" in warned(spelt)
    spelt.page("data").answer("unmet: work", "mend").page("review")
    assert "'work': the values" not in warned(spelt)
    spelt.page("data").take_back("mend: work").page("keys").keys(["age", "work"])
    spelt.page("review")
    assert "'work': the values" in warned(spelt)
    spelt.page("keys").keys(["age"]).page("review").look("sex")
    assert "'work': the values" not in warned(spelt)


def test_it_is_silent_on_the_demonstration_survey(app):
    app.demo()
    assert not [name for name in (*app.box(), *app.box("notes")) if name.startswith("unmet")]
    app.page("review")
    assert "do not meet" not in warned(app)


def test_a_question_is_asked_and_what_follows_is_said(app):
    app.demo()
    first = QUESTIONS[0]
    assert list(app.box()) == [q.name for q in QUESTIONS]
    app.answer(first.name, "no")
    assert app.box("decided")[f"assumed: {first.name}"]["detail"] == first.if_no
    # Kept when other pages were seen, and taken back.
    app.page("review").page("data")
    assert app.box("decided")[f"assumed: {first.name}"]["warns"]
    app.take_back(f"assumed: {first.name}")
    assert app.box("decided") == {}
    assert app.session.review.assumptions == {}


def test_mends_and_answers_come_back_with_a_saved_review(spelt):
    spelt.page("keys").keys(["sex", "age"]).page("data").answer("unmet: work", "mend")
    spelt.answer("labelled", "yes")
    s = spelt.session
    figures = s.now.assessment().summary()
    saved = to_json(s.review)
    assert json.loads(saved)["columns"]["mends"] == {"work": ["case"]}
    spelt.upload(ORIGINAL, SPELT)  # asked first: a review is open
    assert spelt.session.review.columns.mends == {"work": ("case",)}
    spelt.click("replace.open")
    assert spelt.session.review.columns.mends == {}
    spelt.saved_review(saved)
    spelt.click("data.use")
    again = spelt.session
    assert again.review.columns.mends == {"work": ("case",)}
    assert again.review.assumptions == {"labelled": "yes"}
    assert again.now.assessment().summary().equals(figures)
    assert "do not meet" not in warned(spelt)
