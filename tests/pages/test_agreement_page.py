"""The Data and Review pages: a column whose sides do not meet is warned of, mended in one click, and taken back."""

import json

import pytest

from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.saved import to_json

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
    assert "'work': the values of the original and of the synthetic data do not meet" in warned(spelt)
    assert "In no synthesis: 'no' (33.33 % of the original records), 'yes' (33.33 %)." in warned(spelt)
    assert "Only in the synthetic data: 'NO', 'Yes'." in warned(spelt)  # the original's are named once
    shares = spelt.frame("original_min").set_index("column")["original_min"]
    assert shares["work"] == 33.33
    assert shares["sex"] == shares["age"] == 100
    spelt.click("data.mend.work")
    assert "do not meet" not in warned(spelt)
    assert "Mended: work (capitals as in the original)" in spelt.text().replace("\\", "")
    assert spelt.frame("original_min")["original_min"].tolist() == [100] * 3
    spelt.click("data.unmend.work")
    assert "'work': the values" in warned(spelt)
    assert not [b for b in spelt.at.button if b.key == "data.unmend.work"]


def test_review_warns_of_the_keys_and_the_target_only(spelt):
    spelt.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("review")
    assert "'work': the values" in warned(spelt)
    spelt.page("data").click("data.mend.work").page("review")
    assert "'work': the values" not in warned(spelt)
    spelt.page("data").click("data.unmend.work").page("keys").set("multiselect", "keys.keys", ["age", "work"])
    spelt.page("review")
    assert "'work': the values" in warned(spelt)
    spelt.page("keys").set("multiselect", "keys.keys", ["age"]).page("review").set("selectbox", "review.target", "sex")
    assert "'work': the values" not in warned(spelt)


def test_it_is_silent_on_the_demonstration_survey(app):
    app.demo()
    assert "do not meet" not in warned(app)
    assert not [b for b in app.at.button if str(b.key).startswith("data.mend.")]
    app.page("review")
    assert "do not meet" not in warned(app)


def test_a_question_is_asked_and_what_follows_is_said(app):
    app.demo()
    first = QUESTIONS[0]
    assert [app.at.radio(key=f"data.assumed.{q.name}").value for q in QUESTIONS] == ["not answered"] * 3
    app.set("radio", f"data.assumed.{first.name}", "no")
    assert first.if_no in warned(app)
    # Kept when other pages were seen, and taken back.
    app.page("review").page("data")
    assert app.at.radio(key=f"data.assumed.{first.name}").value == "no"
    app.set("radio", f"data.assumed.{first.name}", "not answered")
    assert first.if_no not in warned(app)
    assert app.at.session_state["session"].review.assumptions == {}


def test_mends_and_answers_come_back_with_a_saved_review(spelt):
    spelt.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("data").click("data.mend.work")
    spelt.set("radio", "data.assumed.labelled", "yes")
    s = spelt.at.session_state["session"]
    figures = s.assessment().summary()
    saved = to_json(s.review)
    assert json.loads(saved)["columns"]["mends"] == {"work": ["case"]}
    spelt.upload(ORIGINAL, SPELT)  # asked first: a review is open
    assert spelt.at.session_state["session"].review.columns.mends == {"work": ("case",)}
    spelt.click("replace.open")
    assert spelt.at.session_state["session"].review.columns.mends == {}
    spelt.saved_review(saved)
    spelt.click("data.use")
    again = spelt.at.session_state["session"]
    assert again.review.columns.mends == {"work": ("case",)}
    assert again.review.assumptions == {"labelled": "yes"}
    assert again.assessment().summary().equals(figures)
    assert "do not meet" not in warned(spelt)
