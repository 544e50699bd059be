"""The Report page: what it asks is what the files hold; settings come back."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from disclosure_core import Exclusions, Settings
from disclosure_core.data import demo
from disclosure_core.report import assembled, exhibits
from disclosure_core.report.answer import answer
from disclosure_core.report.completeness import still_open
from disclosure_core.report.source import Look
from disclosure_core.review.about import not_stated
from disclosure_core.review.saved import to_json
from pages.shared import handing
from tests.pages.conftest import App

pytestmark = pytest.mark.slow


def test_without_data_it_says_what_to_do(app):
    app.page("report")
    assert "There are no data yet" in app.text()


def test_it_offers_every_file(app):
    app.demo().page("report")
    labels = [b.label for b in app.downloads()]
    assert labels == [
        "Report as PDF", "Report as HTML", "Appendix as PDF", "Download the figure", "All figures as one zip", "All exhibits as one zip", "The papers' tables as an Excel workbook", "All tables as one Excel workbook", "Evidence file for regulators", "As CSV", "As LaTeX", "As Markdown", "As Parquet",
        "The review, to go on later", "Python script", "R script",
    ]  # fmt: skip


def test_what_takes_long_to_make_can_be_stopped(app, monkeypatch):
    """Of 5 syntheses of 5,000 records and 10 targets: just as many as are made at once, and one too many."""
    long, make = [], handing.make
    monkeypatch.setattr(handing, "make", lambda key, *a: (long.append(key), make(key, *a))[1])
    zipped = {"report.get.figures.zip", "report.get.papers-exhibits.zip"}
    app.demo().page("report")
    assert set(long) == zipped
    long.clear()
    monkeypatch.setattr("pages.report.outputs.AT_ONCE", 25_000 * 10)
    app.at.run()
    assert set(long) == zipped
    monkeypatch.setattr("pages.report.outputs.AT_ONCE", 25_000 * 10 - 1)
    app.at.run()
    assert set(long) - zipped == {
        f"report.get.{n}" for n in ("report.pdf", "report.html", "appendix.pdf", "tables.xlsx")
    }
    assert app.fetch("report.html").startswith(b"<!doctype html>")
    assert not [b.key for b in app.at.button if (b.key or "").endswith(".stop")]


def test_reasons_are_asked_for_what_needs_one(app):
    app.demo().page("review").open("review.everything").click("review.flagged").set("number_input", "review.limit", 4)
    app.page("report")
    asked = [t.label for t in app.at.text_input if t.placeholder == "Why?"]
    assert asked == [
        "sex",
        "age",
        "region",
        "employment",
        "abroad: exclusions without a reason of their own",
        "denominators",
    ]
    app.set("text_input", "report.why.sex", "seen by everybody").page("review").page("report")
    assert app.at.text_input(key="report.why.sex").value == "seen by everybody"


def test_saved_settings_come_back(app):
    saved = Settings(keys=("sex", "age"), exclusions=Exclusions(denominator_limit=4))
    app.demo().page("report")
    app.at.file_uploader(key="report.settings").set_value(("settings.json", saved.to_json().encode(), "")).run()
    app.click("report.use")
    assert "The saved review is in use" in app.text()
    app.page("keys")
    assert app.at.multiselect(key="keys.keys").value == ["age", "sex"]  # settings of before had no order of keys
    app.page("review")
    assert app.at.number_input(key="review.limit").value == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not valid JSON"),
        ('{"schema": 99}', "written by a newer version"),
        ("\x00\xff", "it is not valid JSON"),
        (Settings(keys=("height", "sex")).to_json(), "Key 'height' is not there any more and was dropped"),
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
    saved = to_json(s.review).encode()

    def load(*files) -> str:
        app.page("data").upload(*files).click("replace.open").page(page)
        if page == "data":
            app.open("data.saved")
        app.at.file_uploader(key=f"{page}.settings").set_value(("settings.json", saved, "")).run()
        return app.click(f"{page}.use").text()

    said = load(*csv)
    assert "The saved review is in use" in said
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
    assert "The saved review is in use" not in app.text()
    assert app.page("keys").at.multiselect(key="keys.keys").value == list(demo.KEYS)


@pytest.mark.slow
def test_an_exhibit_of_the_papers_can_be_looked_at(app):
    app.demo().page("report")
    for exhibit, charts in (("repU and UiOiS by size", 1), ("Raab 2024, Table 2", 0)):
        app.set("selectbox", "report.exhibit", exhibit)
        opened = app.at.session_state["session"].now
        assert len(app.at.get("plotly_chart")) == charts
        table = exhibits.table(opened, exhibit)
        shown = [
            [name if isinstance(name, str) else " · ".join(filter(None, name)) for name in frame.value.columns]
            for frame in app.at.dataframe
        ]
        assert list(table.columns) in shown


def test_the_preview_is_what_the_shareable_report_prints(app):
    app.demo().page("report").set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 50)
    look = Look(shareable=True, smallest=50)
    opened = app.at.session_state["session"].now
    shown = app.text().replace("\\", "")
    html = unescape(assembled.report(opened, "html", look).decode()).replace("\xa0", " ")
    for sentence in (text for block in assembled.preview(opened, look) for text in block.items):
        assert sentence in shown
        assert sentence in html
    printed = assembled.tables(opened, look)["Attributes"]
    previewed = next(frame.value for frame in app.at.dataframe if list(frame.value.columns) == list(printed.columns))
    assert previewed.to_numpy().tolist() == printed.to_numpy().tolist()


def test_what_is_missing_is_listed_until_it_is_stated(app):
    app.demo().page("report")
    s = app.at.session_state["session"]
    found, asked = answer(s.now), not_stated({}, 5, holdout=False)
    assert f"What is missing or open: {len(found.open) + 1}" in app.text()
    assert f"**about the release**: {len(asked)} questions are not answered." in app.text()
    for label in asked:
        app.set("text_input", f"report.about.{label}", "a year ago")
    assert f"What is missing or open: {len(found.open)}" in app.text()
    assert "about the release" not in app.text()


def test_beside_a_shareable_report_nothing_exact_is_offered(app):
    app.demo().page("report").set("text_input", "report.why.sex", "Widowed or not")
    app.set("radio", "report.kind", "Shareable")
    labels = [b.label for b in app.downloads()]
    assert labels == [
        "Report as PDF",
        "Report as HTML",
        "Appendix as PDF",
        "Its tables as an Excel workbook",
        "The review, to go on later",
    ]
    said = app.text()
    assert "Do not share two versions" in said
    assert "name a level that few people have" not in said
    app.set("number_input", "report.smallest", 900)
    assert "name a level that few people have, and would be printed: the reason for sex." in app.text().replace(
        "\\", ""
    )
    app.set("radio", "report.kind", "Internal")
    assert "Python script" in [b.label for b in app.downloads()]


def test_too_few_records_to_share_are_a_sentence(app):
    few = demo.original().head(15)
    app.upload(("few.csv", few.to_csv(index=False).encode()), ("synthetic.csv", few.to_csv(index=False).encode()))
    app.page("keys").set("multiselect", "keys.keys", ["sex"]).page("report").set("radio", "report.kind", "Shareable")
    assert "needs at least 20 original records" in app.text()


def test_the_preview_says_what_the_report_will_and_what_is_missing(app):
    app.demo().page("review")
    session = app.at.session_state["session"]
    session.ask(
        replace(session.settings, exclusions=Exclusions(target_levels={"abroad": ["No"], "marital": ["Single"]}))
    )
    app.page("report")
    found = answer(session.now)
    said = app.text().replace("\\", "")
    assert found.headline in [h.value for h in app.at.header]
    assert all(sentence in said for sentence in found.sentences)
    assert "2 exclusions have no reason and are counted in here: abroad = No and marital = Single." in said
    shown = app.frame("outside")
    assert shown["figure"].tolist() == found.table()["figure"].tolist()
    assert set(shown["result"]) == {"not evaluated"}
    app.set("text_input", "report.why.abroad", "nine in ten say so")
    assert "1 exclusion has no reason and is counted in here: marital = Single." in app.text().replace("\\", "")
    app.set("number_input", "report.F_rel.relative", 0.2)
    assert app.at.session_state["session"].review.limits.membership.relative == 0.2


def test_the_names_of_files_say_which_version_they_are(app, monkeypatch):
    """Internal and shareable lay side by side as report.pdf and report (1).pdf."""
    named = []
    for kind in ("offer", "make"):
        drawn = getattr(handing, kind)
        monkeypatch.setattr(
            handing, kind, lambda key, look, name, *a, of=drawn: (named.append(name), of(key, look, name, *a))[1]
        )
    app.demo().page("report")
    exact = [n for n in named if not n.endswith((".json", ".py", ".R"))]
    assert exact
    assert all(n.rpartition(".")[0].endswith("-internal") for n in exact), exact
    named.clear()
    app.set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 12)
    assert {"report-shareable-12.pdf", "report-shareable-12.html", "report-shareable-12.xlsx"} <= set(named)
    assert "report-internal.pdf" not in named[-6:]


def test_a_switch_lists_what_is_open_until_it_is_answered(app):
    app.demo().page("report")
    assert "still open" not in app.text()
    app.set("toggle", "report.complete", True)
    session = app.at.session_state["session"]

    def listed():
        (n,) = re.findall(r"\*\*(\d+) still open\*\*", app.text())
        said = [line[2:] for m in app.at.markdown if m.value.startswith("- ") for line in m.value.split("\n")]
        every = {each.what for each in still_open(session.now)}
        assert int(n) == len(every)
        assert every <= {line.replace("\\", "") for line in said}
        return every

    before = listed()
    app.set("multiselect", "report.released", [app.at.multiselect(key="report.released").options[1]])
    assert session.review.released == {"synthetic data": (2,)}
    closed = before - listed()
    assert closed
    assert all("released" in line for line in closed)
    app.set("multiselect", "report.released", [])
    assert listed() == before
    app.set("toggle", "report.complete", False)
    assert "still open" not in app.text()


def test_a_shareable_report_with_another_limit_is_warned_of_also_after_the_review_was_saved(app):
    app.demo().page("report").set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 20)
    assert "was made of this review" not in app.text()
    app.set("number_input", "report.smallest", 30)
    assert "was made of this review" not in app.text(), "none was made"
    app.fetch("report.xlsx")
    assert "was made of this review" not in app.text(), "the same again tells nothing more"
    app.set("number_input", "report.smallest", 20)
    assert "with another smallest count (30)" in show_plain(app.text())
    app.fetch("report.html")
    app.set("number_input", "report.smallest", 25)
    assert "with another smallest count (20, 30)" in show_plain(app.text())
    kept = app.fetch("review-confidential.json")
    assert json.loads(kept)["shared"] == [20, 30]
    later = App().demo().page("data").saved_review(kept).click("data.use").page("report")
    later.set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 20)
    assert "with another smallest count (30)" in show_plain(later.text())


def show_plain(markdown):
    return markdown.replace("\\", "")


def test_every_figure_is_counted_again_when_asked_until_the_review_changes(app, pressing_stop):
    rows = [("Female", 30, "No"), ("Female", 30, "No"), ("Male", 30, "No"), ("Male", 41, "Yes"), ("Male", 52, "Yes")]
    text = "sex,age,abroad\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    app.upload(("o.csv", text.encode()), ("s.csv", text.replace("52", "41").encode()))
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("report")
    said = "Counted again by a second counter that shares no code with the first: "
    assert said not in app.text()
    with pressing_stop("report.verify", 2) as told:
        app.click("report.verify")
    assert len(set(told)) == 3
    app.page("report")
    assert "You stopped it before all were counted again." in app.text()
    assert said not in app.text()
    app.click("report.verify")
    expected = app.at.session_state["session"].now.verify().line
    assert "0 differ" in expected
    assert f"{said}{expected}." in app.text()
    # The report has it, too; and a change of the review takes it away.
    printed = assembled.report(app.at.session_state["session"].now, "html", Look(title="t", date="2026-01-01")).decode()
    assert f"{said}{expected}" in printed
    app.page("review").set("number_input", "review.limit", 1).page("report")
    assert said not in app.text()
