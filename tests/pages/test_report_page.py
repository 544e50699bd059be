"""The Report page: what it asks is what the files hold; settings come back."""

import pytest

from disclosure_core import Exclusions, Settings, demo
from disclosure_core.scenarios import Project


def test_without_data_it_says_what_to_do(app):
    app.page("report")
    assert "There are no data yet" in app.text()


def test_it_offers_every_file(app):
    app.demo().page("report")
    labels = [b.label for b in app.at.get("download_button")]
    assert labels == [
        "Report as PDF", "Report as HTML", "Download the figure", "All tables as one Excel workbook", "As CSV", "As Parquet",
        "Settings and scenarios", "Python script", "R script",
    ]  # fmt: skip


def test_reasons_are_asked_for_what_needs_one(app):
    app.demo().page("review").click("review.leave_out").set("toggle", "review.limited", True).page("report")
    asked = [t.label for t in app.at.text_input if t.placeholder == "Why?"]
    assert asked == [
        "sex",
        "age",
        "region",
        "employment",
        "abroad: what is left out without a reason of its own",
        "denominators",
    ]
    app.set("text_input", "report.why.sex", "seen by everybody").page("risk").page("report")
    assert app.at.text_input(key="report.why.sex").value == "seen by everybody"


def test_saved_settings_come_back(app):
    saved = Settings(keys=("sex", "age"), exclusions=Exclusions(denominator_limit=4))
    app.demo().page("report")
    app.at.file_uploader(key="report.settings").set_value(("settings.json", saved.to_json().encode(), "")).run()
    app.click("report.use")
    assert "The saved settings are in use" in app.text()
    app.page("keys")
    assert app.at.multiselect(key="keys.keys").value == ["sex", "age"]
    app.page("review")
    assert app.at.number_input(key="review.limit").value == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not valid JSON"),
        ('{"schema": 99}', "written by a newer version"),
        ("\x00\xff", "it is not valid JSON"),
        (Settings(keys=("height", "sex")).to_json(), "Key 'height' is not there any more and was left out"),
        (Settings(keys=("height",)).to_json(), "belong to other data: none of their keys is here; nothing was changed"),
    ],
)
def test_settings_that_do_not_fit_are_told(app, text, said):
    app.demo().page("report")
    app.at.file_uploader(key="report.settings").set_value(("settings.json", text.encode(), "")).run()
    app.click("report.use")
    assert said in app.text().replace("\\", "")
    assert demo.KEYS


@pytest.mark.parametrize("page", ["data", "report"])
def test_a_saved_review_comes_back_before_any_key_is_chosen(app, page):
    csv = [
        (f"{name}.csv", frame.to_csv(index=False).encode())
        for name, frame in (("census", demo.original()), ("release", demo.syntheses()[0]))
    ]
    app.upload(*csv).page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("report")
    app.set("text_input", "report.author", "A. Officer")
    s = app.at.session_state["session"]
    prints = {r.name: r.sha256 for r in s.readings}
    saved = Project(s.settings, about=s.about, files=prints).to_json().encode()

    def load(*files) -> str:
        app.page("data").upload(*files).page(page)
        app.at.file_uploader(key=f"{page}.settings").set_value(("settings.json", saved, "")).run()
        return app.click(f"{page}.use").text()

    said = load(*csv)
    assert "The saved settings are in use" in said
    assert "files swapped" not in said
    assert "other data" not in said
    app.page("report")
    assert app.at.text_input(key="report.author").value == "A. Officer"
    assert "were the files swapped?" in load(*reversed(csv))
    assert "This was saved with other data" in load(
        csv[0], ("next.csv", demo.syntheses()[1].to_csv(index=False).encode())
    )


def test_settings_of_other_data_change_nothing(app):
    app.demo().page("report")
    saved = Settings(keys=("height",), targets=("weight",)).to_json().encode()
    app.at.file_uploader(key="report.settings").set_value(("settings.json", saved, "")).run()
    app.click("report.use")
    assert "The saved settings are in use" not in app.text()
    assert app.page("keys").at.multiselect(key="keys.keys").value == list(demo.KEYS)
