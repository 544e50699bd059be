"""An office's folder: data files and reviews in lists, Save writes there, and nothing is written unasked."""

import pytest

from disclosure_core import demo
from disclosure_core.review import office
from tests import saved
from tests.pages.conftest import App

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCLOSURE_FOLDER", str(tmp_path))
    monkeypatch.setenv("DISCLOSURE_SAVE_REVIEWS", "yes")
    (tmp_path / "people.csv").write_bytes(demo.original().head(300).to_csv(index=False).encode())
    (tmp_path / "made.csv").write_bytes(demo.syntheses()[0].head(300).to_csv(index=False).encode())
    return tmp_path


def begun() -> App:
    app = App()
    assert app.at.radio(key="upload.where").options[0].startswith("In the folder")
    app.set("selectbox", "upload.folder_original", "people.csv")
    return app.set("multiselect", "upload.folder_synthetic", ["made.csv"]).click("upload.compare")


def names(folder) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def keys(app, *named: str) -> App:
    return app.page("keys").keys(list(named))


SAVED = "people-review-confidential.json"


def test_save_writes_into_the_folder_and_nothing_else_does(folder):
    app = keys(begun(), "sex", "age")
    assert names(folder) == ["made.csv", "people.csv"]
    assert "(not saved)" in app.hands()["status_bar.save"].label
    app.click("status_bar.save")
    assert names(folder) == ["made.csv", SAVED, "people.csv"]
    assert (folder / SAVED).read_text() == saved.to_json(app.session.review)
    assert "(not saved)" not in app.hands()["status_bar.save"].label
    keys(app, "sex", "age", "region")  # a change is written where it is asked, and not before
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age")
    app.click("status_bar.save")
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age", "region")
    assert len(names(folder)) == 3


def test_said_once_a_saved_review_is_kept_up_to_date(folder):
    app = keys(begun(), "sex")
    app.set("toggle", "status_bar.keep", True)
    assert names(folder) == ["made.csv", "people.csv"]  # it was not saved yet
    app.click("status_bar.save")
    keys(app, "sex", "age")
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age")
    assert not app.session.unsaved
    app.set("toggle", "status_bar.keep", False)
    keys(app, "sex")
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age")


def reopened() -> App:
    app = App()
    app.open("data.saved").set("selectbox", "data.folder_review", SAVED)
    return app.click("data.open_saved")


def test_of_two_officers_the_second_is_told_and_neither_is_lost(folder):
    keys(begun(), "sex").click("status_bar.save")
    one, two = reopened(), reopened()
    assert one.session.review.keys == ("sex",)
    assert not one.session.unsaved
    keys(one, "sex", "age").click("status_bar.save")
    keys(two, "sex", "region").click("status_bar.save")
    assert f"{SAVED} was saved by somebody else" in two.text().replace("\\", "")
    other = "people-review-confidential (2).json"
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age")
    assert saved.from_json((folder / other).read_text()).keys == ("sex", "region")
    keys(two, "region").click("status_bar.save")  # and goes on there
    assert saved.from_json((folder / other).read_text()).keys == ("region",)
    assert len(names(folder)) == 4


def test_a_review_whose_files_are_not_in_the_folder_asks_for_them(folder):
    keys(begun(), "sex").click("status_bar.save")
    content = (folder / "made.csv").read_bytes()
    (folder / "made.csv").unlink()
    app = App()
    app.open("data.saved").set("selectbox", "data.folder_review", SAVED)
    assert "Missing: made.csv (synthetic data)." in app.text().replace("\\", "")
    app.at.file_uploader(key="data.folder_more").set_value([("made.csv", content, "")]).run()
    app.click("data.open_saved")
    assert app.session.review.keys == ("sex",)


def test_what_is_no_review_is_a_sentence(folder):
    (folder / "other.json").write_text("{}")
    app = App()
    app.open("data.saved").set("selectbox", "data.folder_review", "other.json")
    assert "This is not a saved review" in app.at.error[0].value


def test_a_folder_that_is_gone_leaves_the_review_open(folder, monkeypatch):
    app = keys(begun(), "sex")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    app.click("status_bar.save")
    assert "Download it on the page Report" in app.text()
    assert app.session.unsaved
    assert app.session.review.keys == ("sex",)


def test_without_an_office_s_folder_save_is_a_file_for_the_browser(folder, monkeypatch):
    monkeypatch.delenv("DISCLOSURE_SAVE_REVIEWS")
    assert office.reviews(folder) == ()
    app = App()
    app.at.radio(key="upload.where").set_value("In the server's folder").run()
    app.set("selectbox", "upload.folder_original", "people.csv")
    app.set("multiselect", "upload.folder_synthetic", ["made.csv"]).click("upload.compare")
    assert app.fetch("status_bar.save").startswith(b"{")
    assert names(folder) == ["made.csv", "people.csv"]


def test_last_years_review_is_used_on_next_years_files(folder):
    keys(begun(), "sex", "age").click("status_bar.save")
    for name in ("people.csv", "made.csv"):
        text = (folder / name).read_text().replace("age,", "years,", 1)
        (folder / name).rename(folder / f"old_{name}")
        (folder / name.replace(".", "_2027.")).write_text(text)
    app = App()
    app.set("selectbox", "upload.folder_original", "people_2027.csv")
    app.set("multiselect", "upload.folder_synthetic", ["made_2027.csv"]).click("upload.compare")
    app.open("data.saved").set("selectbox", "data.folder_review", SAVED).click("data.use")
    assert app.session.review.keys == ("sex",)
    assert app.session.review.original.name == "people_2027.csv"
    assert "These files have no column 'age'; left out: key." in app.text().replace("\\", "")
    app.click("status_bar.save")  # under a name of its own: last year's stays
    assert saved.from_json((folder / SAVED).read_text()).keys == ("sex", "age")
    assert "people_2027-review-confidential.json" in names(folder)


def test_a_folder_that_is_gone_breaks_no_page(folder, monkeypatch):
    app = begun()
    monkeypatch.setenv("DISCLOSURE_FOLDER", str(folder / "gone"))
    app.page("data")
