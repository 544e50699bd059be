"""The Data page: nothing is lost by a slip, a saved review comes back with its files, and keys are suggested."""

from dataclasses import replace
from hashlib import sha256

import pytest

from disclosure_core import Holdout, KeySet, demo, open_review, start, start_demonstration
from disclosure_core.review.about import OFFICER
from disclosure_core.review.parts import SYNTHETIC, SourceFile
from tests.core.test_review_value import FILES, figures
from tests.saved import to_json

pytestmark = pytest.mark.slow

NAMES = ("original.csv", "one.csv")


def open_now(app):
    return app.session.now


def saved_review(source="files"):
    if source == "demonstration":
        review = start_demonstration().review
        return replace(review, intruders=(KeySet("an intruder", ("sex", "age")),), holdout=Holdout("demonstration"))
    opened = start(("original.csv", FILES["original.csv"]), {SYNTHETIC: [("one.csv", FILES["one.csv"])]})
    keys = tuple(opened.study().columns)[:2]
    holdout = Holdout("file", SourceFile("holdout.csv", sha256(FILES["holdout.csv"]).hexdigest()))
    return replace(opened.review, intruders=(KeySet("a neighbour", keys),), intruder="a neighbour", holdout=holdout)


def give(app, review, *files):
    return app.saved_review(to_json(review), *files)


def message(app):
    return app.text().replace("\\", "")


def test_other_data_over_a_review_ask_first_and_offer_to_save_it(app):
    app.demo()
    app.click("data.demo")  # nothing was decided yet: nothing is lost
    assert not any(button.key == "replace.open" for button in app.at.button)
    app.page("keys").keys(["sex", "age"]).page("data").click("data.demo")
    assert "ends that review" in app.text()
    assert any(hand.label == "Save the review" for hand in app.downloads())
    app.click("replace.keep")
    assert open_now(app).review.keys == ("sex", "age")
    app.click("data.demo").click("replace.open")
    assert open_now(app).review.keys == demo.KEYS


def test_the_officers_name_is_asked_once_and_no_saved_review_gets_another(app):
    app.demo()
    app.session.write("about", OFFICER, "A. B.")
    app.page("report")
    assert app.at.text_input(key="report.author").value == "A. B."
    text = to_json(app.session.review)
    app.page("data").upload(("a.csv", FILES["original.csv"]), ("b.csv", FILES["one.csv"])).click("replace.open")
    session = app.session
    assert session.review.about == {OFFICER: "A. B."}
    assert not session.unsaved
    session.write("about", OFFICER, "C. D.")
    app.saved_review(text).click("data.open_saved").click("replace.open")
    assert app.session.review.about == {OFFICER: "A. B."}  # as its file has it


def test_other_files_over_a_review_ask_first(app):
    files = [(name, FILES[name]) for name in NAMES]
    app.upload(*files)
    app.page("data").upload(files[0], ("two.csv", FILES["two.csv"]))
    assert open_now(app).review.name == "original.csv against one.csv"
    app.click("replace.open")
    assert open_now(app).review.name == "original.csv against two.csv"


def test_one_box_takes_a_saved_review_with_all_its_files_and_names_what_is_missing(app):
    review = saved_review()
    give(app, review, ("one.csv", FILES["one.csv"]), ("notes.txt", b"x"))
    assert app.at.button(key="data.open_saved").disabled
    assert "1 of 3 files are as it was made with" in message(app)
    missing = "Missing: original.csv (the original), holdout.csv (the holdout); not named in the review, and not used"
    assert f"{missing}: notes.txt." in message(app)
    # A file that was renamed is known by its content, and no other is taken for it by its name.
    names = {"original.csv": "one.csv", "one.csv": "renamed.csv", "holdout.csv": "holdout.csv"}
    give(app, review, *((now, FILES[name]) for name, now in names.items()))
    assert "3 of 3 files are as it was made with" in message(app)
    app.click("data.open_saved")
    assert open_now(app).review == review
    assert figures(open_now(app)) == figures(open_review(review, FILES))


def test_a_file_that_is_another_is_said_and_can_be_used_anyway(app):
    others = {"one.csv": FILES["two.csv"]}
    give(app, saved_review(), *((FILES | others).items()))
    assert "one.csv is not the file that this review was made with" in message(app)
    assert app.at.button(key="data.open_saved").label == "Use anyway"
    app.click("data.open_saved")
    assert any("one.csv is not the file" in difference for difference in open_now(app).differences)
    assert "one.csv is not the file" in message(app)
    # The review speaks of the file that it holds now.
    assert open_now(app).study().n_original > 0


@pytest.mark.parametrize(("names", "said"), [((), "No file ends"), (("a.json", "b.json"), "2 files end")])
def test_the_box_says_when_it_holds_no_one_review(app, names, said):
    app.open("data.saved").at.file_uploader(key="data.settings").set_value(
        [(name, b"{}", "") for name in (*names, "one.csv")]
    ).run()
    assert f"{said} in .json" in app.sound().text()
    assert not any(button.key == "data.open_saved" for button in app.at.button)


def test_a_saved_review_of_the_demonstration_needs_no_file(app):
    review = saved_review("demonstration")
    give(app, review).click("data.open_saved")
    assert open_now(app).review == review
    assert open_now(app).data.holdout is not None


def test_a_saved_review_of_the_demonstration_asks_for_a_holdout_of_ones_own(app):
    content = demo.holdout().iloc[:50].to_csv(index=False).encode()
    holdout = Holdout("file", SourceFile("people.csv", sha256(content).hexdigest()))
    review = replace(saved_review("demonstration"), holdout=holdout)
    assert give(app, review).at.button(key="data.open_saved").disabled
    give(app, review, ("people.csv", content)).click("data.open_saved")
    assert len(open_now(app).data.holdout.frame) == 50
    assert app.frame("sha256")[["file", "rows"]].to_numpy().tolist() == [["people.csv", 50]]


def test_files_read_lists_the_people_outside_last(app):
    files = [(name, FILES[name]) for name in ("original.csv", "one.csv", "holdout.csv")]
    give(app, saved_review(), *files).click("data.open_saved")
    assert app.frame("sha256")["file"].tolist() == [name for name, _ in files]


def test_suggested_keys_lead_to_the_figure_in_one_click(app):
    people, released = (
        frame.drop(columns="household").to_csv(index=False).encode() for frame in (demo.original(), demo.syntheses()[0])
    )
    app.upload(("people.csv", people), ("released.csv", released))
    assert "**age**: The age is commonly known; the column has" in app.text()
    app.click("data.keys")
    assert open_now(app).review.keys == ("sex", "age", "region", "employment")
    assert app.part("review.bench")["rows"]  # the figure of all targets
    assert app.open("review.targets").frame("synthetic")["target"].tolist()  # as a table


@pytest.mark.parametrize("name", ["v1", "average", "managed", "personality"])
def test_a_name_that_only_contains_a_word_suggests_nothing(name):
    import pandas as pd

    from disclosure_core import Study
    from disclosure_core.data.suggested_keys import suggest_keys

    frame = pd.DataFrame({name: ["a", "b"] * 5, "maritalStatus": ["m", "s"] * 5})
    assert [one.column for one in suggest_keys(Study(frame, [frame]))] == ["maritalStatus"]


def test_a_codebook_rules_all_files_until_one_does_without_it(app):
    app.upload(("o.csv", b"sex,t\n1,5\n2,6\n1,5\n"), ("s.csv", b"sex,t\n1,5\n2,6\n2,6\n"))
    book = b"column,value,label,missing\nsex,,Sex of the person,\nsex,1,Male,\nsex,2,Female,\n"
    assert app.at.button(key="data.use_codebook").disabled
    app.at.file_uploader(key="data.codebook").set_value(("c.csv", book, "")).run()
    app.click("data.use_codebook")
    assert open_now(app).study().columns["sex"].levels == ("Female", "Male")
    assert any("c\\.csv counts before what the files say" in e.label for e in app.at.expander)
    assert "Sex of the person" in [row["label"] for row in app.part("data.columns")["rows"]]
    app.click("data.no_codebook")
    assert open_now(app).study().columns["sex"].levels == ("1", "2")
    assert open_now(app).review.columns == start_now(app).review.columns
    app.at.file_uploader(key="data.codebook").set_value(("c.csv", b"a,b\n1,2\n", "")).run()
    app.click("data.use_codebook")
    assert "is no codebook" in app.text()


def test_a_codebook_that_came_with_the_data_is_offered_and_taken_when_asked(app):
    book = (
        b'{"fields": [{"name": "sex", "categories": [{"value": 1, "label": "Male"}, {"value": 2, "label": "Female"}]}]}'
    )
    data = b"sex,t\n1,5\n2,6\n1,5\n"
    app.upload(("o.csv", data), ("s.csv", data), ("datapackage.json", book))
    assert [r.name for r in open_now(app).readings()] == ["o.csv", "s.csv"]
    assert open_now(app).study().columns["sex"].levels == ("1", "2")
    app.click("data.came_with_0")
    assert open_now(app).study().columns["sex"].levels == ("Female", "Male")
    assert not any(b.key == "data.came_with_0" for b in app.at.button)


def start_now(app):
    """The same files, opened anew."""
    files = [(r.name, r.source.data) for r in open_now(app).readings()]
    return start(files[0], {SYNTHETIC: files[1:]})
