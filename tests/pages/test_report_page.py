"""The Report page: what it asks is what the files hold; settings come back."""

# Inside: making a file is slowed or counted; what is asked of a release.

import io
import json
import re
import zipfile
from dataclasses import replace
from html import unescape

import pytest

from disclosure_core import Exclusions, Review, Settings, demo
from disclosure_core.cli import figure_files
from disclosure_core.report import assembled, exhibits
from disclosure_core.results import catalogue
from disclosure_core.review.about import not_stated
from disclosure_core.review.saved import VERSION
from disclosure_core.review.verdicts import confirmable, judged
from pages.shared import handing
from tests.pages.conftest import App
from tests.reports import Look, answer, still_open
from tests.saved import to_json

pytestmark = pytest.mark.slow


def test_without_data_it_says_what_to_do(app):
    app.page("report")
    assert "There are no data yet" in app.text()


def test_it_offers_every_file(app):
    app.demo().page("report")
    labels = [b.label for b in app.downloads()]
    assert labels == [
        "Report as PDF", "Report as HTML", "Appendix as PDF", "All tables as one Excel workbook", "Evidence file for regulators", "As CSV", "As LaTeX", "As Markdown", "As Parquet", "Download the figure", "All figures as one zip", "All exhibits as one zip", "The papers' tables as an Excel workbook",
        "The review, to go on later", "Python script", "R script",
    ]  # fmt: skip
    assert app.at.radio(key="report.kind").proto.label_visibility.value == 2  # its heading stands beside it


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


CHOSEN = {
    "text_area": {"labels": "abroad=Has lived abroad\n sex = Sex "}, "multiselect": {"targets": ["marital", "abroad"]},
    "selectbox": {"order": "as the targets were chosen", "text": "text"}, "number_input": {"height": 70.0},
    "toggle": {"flags": False}, "color_picker": {"colour.synthetic": "#aa3377"},
}  # fmt: skip
AS_TOLD = (
    "label:abroad=Has lived abroad", "label:sex=Sex", "targets=marital,abroad", "order=targets", "text=text", "height=70",
    "flags=no", "colour:synthetic=#AA3377", "format=svg",
)  # fmt: skip


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_figures_look_as_chosen_every_one_of_them_as_by_the_command_line(app):
    app.demo().page("report").set("selectbox", "report.size", "114 mm wide").set("selectbox", "report.format", "SVG")
    app.set("selectbox", "report.targets", "All, on as many pages as it takes").set("toggle", "report.each", False)
    for kind, of in CHOSEN.items():
        for what, value in of.items():
            app.set(kind, f"report.look.{what}", value)
    opened = app.session.now
    options = {"figure_width": "114", "grey": False, "figure_look": AS_TOLD}
    wanted = dict(figure_files.files(catalogue.every(opened), options, opened, print))
    found = unzipped(app.fetch("figures.zip"))
    assert found == wanted
    assert b"Has lived abroad" in found["dorig-disco_114x70mm.svg"]
    exhibited = dict(exhibits.files(opened, figure_files.formats(options), figure_files.look(options)))
    assert {n: d for n, d in unzipped(app.fetch("papers-exhibits.zip")).items() if n.endswith(".svg")} == {
        name: data for name, data in exhibited.items() if name.endswith(".svg")
    }
    assert app.fetch("figure").startswith(b"<?xml")


def test_a_width_of_ones_own_and_words_that_are_not_read(app):
    app.demo().page("report").set("selectbox", "report.size", "Another width").set("selectbox", "report.format", "EPS")
    app.set("number_input", "report.look.width", 97.5)
    made = app.fetch("figure")
    assert made.startswith(b"%!PS-Adobe")
    assert re.search(rb"%%HiResBoundingBox: [\d.]+ [\d.]+ (276\.37|276\.38)", made)  # 97.5 mm
    app.set("text_area", "report.look.labels", "abroad: Has lived abroad")
    assert "is no label: write a line for each, such as abroad=Has lived abroad" in app.text().replace("\\", "")
    app.set("text_area", "report.look.labels", "").set("text_input", "report.look.font", "No Such Family")
    app.set("selectbox", "report.targets", "All, on as many pages as it takes")
    assert "No Such Family" not in app.text()  # the page stands, and says it when the figure is made


def test_reasons_are_asked_for_what_needs_one(app):
    app.demo().page("review").open("review.everything").click("review.flagged").set("number_input", "review.limit", 4)
    app.page("report")
    asked = [t.label.replace("\\", "") for t in app.at.text_input if t.key.startswith("report.why.")]
    assert asked == [
        "abroad: exclusions without a reason of their own",
        "denominators",
        "sex",
        "age",
        "region",
        "employment",
    ]
    app.set("text_input", "report.why.sex", "seen by everybody").page("review").page("report")
    assert app.at.text_input(key="report.why.sex").value == "seen by everybody"


def test_an_exclusion_with_a_reason_of_its_own_is_asked_for_no_other(app):
    app.demo("abroad").page("review").exclude("abroad = No").reason("abroad = No", "Hardly anybody goes").page("report")
    assert "report.why.abroad" not in [field.key for field in app.at.text_input]
    assert "Each exclusion has a reason of its own." in app.text()


def test_what_is_open_leads_to_where_it_is_answered(app):
    app.demo().page("report")
    links = {link.proto.page.rpartition("/")[2] for link in app.at.get("page_link")}
    assert {"review", "compare"} <= links


def test_saved_settings_come_back(app):
    saved = Settings(keys=("sex", "age"), exclusions=Exclusions(denominator_limit=4))
    app.demo().page("report")
    app.at.file_uploader(key="report.settings").set_value(("settings.json", saved.to_json().encode(), "")).run()
    app.click("report.use")
    assert "The saved review is in use" in app.text()
    app.page("keys")
    assert app.roles() == ["age", "sex"]  # settings of before had no order of keys
    app.page("review")
    assert app.at.number_input(key="review.limit").value == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not valid JSON"),
        ('{"schema": 99}', "written by a newer version"),
        ('{"schema": 1, "keys": ["sex"], "colour": 1}', "The part 'colour' is not of a settings file."),
        ("\x00\xff", "it is not valid JSON"),
        (Settings(keys=("height", "sex")).to_json(), "These data have no 'height'."),
        (
            Settings(keys=("height",), targets=("weight",)).to_json(),
            "belong to other data: none of their keys is here; nothing was changed",
        ),
        (json.dumps(json.loads(to_json(Review())) | {"review": VERSION + 1}), "saved by another version"),
    ],
)
def test_settings_that_do_not_fit_are_told(app, text, said):
    app.demo().page("report")
    app.at.file_uploader(key="report.settings").set_value(("settings.json", text.encode(), "")).run()
    app.click("report.use")
    assert said in app.text().replace("\\", "")
    in_use = "These data have no" in said
    assert ("The saved review is in use" in app.text()) == in_use
    assert in_use or app.page("keys").roles() == list(demo.KEYS)


@pytest.mark.parametrize("page", ["data", "report"])
def test_a_saved_review_comes_back_before_any_key_is_chosen(app, page):
    csv = [
        (f"{name}.csv", frame.to_csv(index=False).encode())
        for name, frame in (("census", demo.original()), ("release", demo.syntheses()[0]))
    ]
    app.upload(*csv).page("keys").keys(["sex", "age"]).page("report")
    app.set("text_input", "report.author", "A. Officer")
    s = app.session
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


@pytest.mark.slow
def test_an_exhibit_of_the_papers_can_be_looked_at(app):
    app.demo().page("report")
    for exhibit, charts in (("repU and UiOiS by size", 1), ("Raab 2024, Table 2", 0)):
        app.set("selectbox", "report.exhibit", exhibit)
        opened = app.session.now
        assert len(app.at.get("plotly_chart")) == charts
        table = exhibits.table(opened, exhibit)
        shown = [
            [name if isinstance(name, str) else " · ".join(filter(None, name)) for name in frame.value.columns]
            for frame in app.at.dataframe
        ]
        assert list(table.columns) in shown


def ungrouped(app):
    """Begin the demonstration without groups, which a shareable report does not take."""
    return app.demo().page("keys").groups(income="", bmi="")


def test_a_shareable_report_of_groups_is_refused_with_what_to_do(app):
    app.demo().page("report").set("radio", "report.kind", "Shareable")
    (error,) = app.at.error
    assert "no levels may follow from the data" in error.value
    assert "Take groups off, or cut numbers at breaks of your own" in error.value


def test_dorig_is_in_a_shareable_report_where_the_toggle_asks_for_it(app):
    ungrouped(app).page("report").set("radio", "report.kind", "Shareable")
    assert "can tell nobody from one person" not in app.fetch("report.html").decode()
    app.set("toggle", "report.dorig", True)
    assert "can tell nobody from one person" in app.fetch("report.html").decode()


def test_the_preview_is_what_the_shareable_report_prints(app):
    ungrouped(app).page("report").set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 50)
    look = Look(shareable=True, smallest=50)
    opened = app.session.now
    shown = app.text().replace("\\", "")
    html = unescape(assembled.report(opened, "html", look).decode()).replace("\xa0", " ")
    for sentence in (text for block in assembled.preview(opened, look) for text in block.items):
        assert sentence in shown
        assert sentence in html
    printed = assembled.tables(opened, look)["Attributes"]
    previewed = next(frame.value for frame in app.at.dataframe if list(frame.value.columns) == list(printed.columns))
    assert previewed.to_numpy().tolist() == printed.to_numpy().tolist()


def test_each_question_about_the_release_is_open_until_it_is_stated(app):
    app.demo().page("report")
    s = app.session
    asked = not_stated({}, 5, holdout=False)
    before = len(still_open(s.now))
    assert f"**{before} open**" in app.text()
    for i, label in enumerate(asked[:2], 1):
        app.set("text_input", f"report.about.{label}", "a year ago")
        assert f"**{before - i} open**" in app.text()
    app.click("report.about_not_asked")  # one act, for all the others
    assert f"**{before - len(asked)} open**" in app.text()
    assert {s.review.about[label] for label in asked[2:]} == {"Not asked of this release"}
    assert s.review.about[asked[0]] == "a year ago"


def test_the_same_number_is_open_on_the_page_in_the_bar_and_in_the_report(app):
    app.demo().page("report")
    s = app.session

    def same():
        n = len(still_open(s.now))
        (bar,) = re.findall(r"^\d+ open$", app.text(), re.MULTILINE)
        (page,) = re.findall(r"(\d+) open\*\*\] What stays", app.text())
        html = assembled.report(s.now, "html", Look()).decode()
        assert (bar, page) == (f"{n} open", str(n))
        assert f"Sign-off · {n} open points" in unescape(html)
        return n

    first = same()
    app.set("radio", "report.assume.labelled", "yes")
    assert s.review.assumptions == {"labelled": "yes"}
    app.set("button_group", "report.scope.limits", "Not asked")
    app.set("button_group", "report.scope.people-outside", "Not asked")
    assert same() == first - 3
    app.set("button_group", "report.scope.membership", "Asked")
    assert same() == first - 3 + 8  # seven questions, and the limit of F_rel
    assert [e.label for e in app.at.expander if "F_rel" in e.label]
    app.set("button_group", "report.scope.membership", "Not asked")
    assert same() == first - 3
    assert "Not asked of this release" in unescape(assembled.report(s.now, "html", Look()).decode())
    app.set("button_group", "report.scope.limits", None)  # what was said is taken back
    assert same() == first - 2


def test_lower_figures_are_confirmed_in_one_act_and_a_leak_by_itself(app):
    app.demo().page("review")
    s = app.session
    s.change(judged(s.now, ["abroad", "bmi"], "acceptable"))
    s.change(judged(s.now, ["marital"], "leak"))
    app.page("keys")
    s.update(intruders=(replace(s.review.intruders[0], keys=("sex", "age")),))
    app.page("report")
    waiting = set(s.now.queue().to_confirm)
    together = {g.verdict.target for g in confirmable(s.now)}
    assert together
    assert "marital" in waiting - together
    assert sum(name.startswith("report.confirm.") for name in app.hands()) == len(waiting - together)
    app.click("report.confirm")
    assert set(s.now.queue().to_confirm) == waiting - together
    for _ in waiting - together:
        app.click("report.confirm.0")
    assert s.now.queue().to_confirm == ()


def test_beside_a_shareable_report_nothing_exact_is_offered(app):
    ungrouped(app).page("report").set("text_input", "report.why.sex", "Widowed or not")
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
    app.page("keys").keys(["sex"]).page("report").set("radio", "report.kind", "Shareable")
    assert "needs at least 20 original records" in app.text()


def test_the_preview_says_what_the_report_will_and_what_is_missing(app):
    app.demo().page("review")
    session = app.session
    session.ask(
        replace(session.settings, exclusions=Exclusions(target_levels={"abroad": ["No"], "marital": ["Single"]}))
    )
    app.page("report")
    found = answer(session.now)
    said = app.text().replace("\\", "")
    assert found.headline in [h.value for h in app.at.subheader]
    assert all(sentence in said for sentence in found.sentences)
    for name in ("abroad = No", "marital = Single"):
        assert f"No reason is given for excluding {name}: it is in no judged figure." in said
    shown = app.frame("outside")
    assert shown["figure"].tolist() == found.table()["figure"].tolist()
    assert set(shown["result"]) == {"not evaluated"}
    app.set("text_input", "report.why.abroad", "nine in ten say so")
    said = app.text().replace("\\", "")
    assert "excluding marital = Single" in said
    assert "excluding abroad = No" not in said
    app.set("button_group", "report.scope.membership", "Asked").set("number_input", "report.F_rel.relative", 0.2)
    assert app.session.review.limits.membership.relative == 0.2


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
    app.page("keys").groups(income="", bmi="").page("report")  # it takes no groups that follow from the data
    app.set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 12)
    assert {"report-shareable-12.pdf", "report-shareable-12.html", "report-shareable-12.xlsx"} <= set(named)
    assert "report-internal.pdf" not in named[-6:]


def test_which_synthesis_is_released_is_answered_and_taken_back(app):
    app.demo().page("report")
    session = app.session
    before = set(still_open(session.now))
    app.set("multiselect", "report.released", [app.at.multiselect(key="report.released").options[1]])
    assert session.review.released == {"synthetic data": (2,)}
    closed = before - set(still_open(session.now))
    assert closed
    assert all("released" in each.what for each in closed)
    app.set("multiselect", "report.released", [])
    assert set(still_open(session.now)) == before


def test_a_shareable_report_with_another_limit_is_warned_of_also_after_the_review_was_saved(app):
    ungrouped(app).page("report").set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 20)
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
    assert [each["smallest"] for each in json.loads(kept)["shared"]] == [20, 30]
    later = App().demo().page("data").saved_review(kept).click("data.use").page("report")
    later.set("radio", "report.kind", "Shareable").set("number_input", "report.smallest", 20)
    assert "with another smallest count (30)" in show_plain(later.text())


def test_a_shareable_report_of_other_exclusions_or_files_of_the_same_original_is_warned_of():
    """Also after a new upload: by the fingerprints of the files, while the visit lasts."""
    rows = [("f", 30, "No"), ("f", 31, "No"), ("m", 30, "No"), ("m", 41, "Yes"), ("m", 52, "Yes")] * 10
    text = "sex,age,abroad\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    app = App()
    for other, warned in ((text, False), (text.replace("52", "41"), True)):
        app.page("data").upload(("o.csv", text.encode()), ("s.csv", other.encode()))
        if warned:
            app.click("replace.open")
        app.page("keys").keys(["sex", "age"]).page("report")
        app.set("radio", "report.kind", "Shareable")
        assert ("of the same original with other syntheses" in show_plain(app.text())) == warned
        app.fetch("report.xlsx")
        assert ("of the same original with" in show_plain(app.text())) == warned


def show_plain(markdown):
    return markdown.replace("\\", "")


def test_every_figure_is_counted_again_when_asked_until_the_review_changes(app, pressing_stop):
    rows = [("Female", 30, "No"), ("Female", 30, "No"), ("Male", 30, "No"), ("Male", 41, "Yes"), ("Male", 52, "Yes")]
    text = "sex,age,abroad\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    app.upload(("o.csv", text.encode()), ("s.csv", text.replace("52", "41").encode()))
    app.page("keys").keys(["sex", "age"]).page("report")
    said = "Counted again by a second counter that shares no code with the first: "
    assert said not in app.text()
    with pressing_stop("report.verify", 2) as told:
        app.click("report.verify")
    assert len(set(told)) == 3
    app.page("report")
    assert "You stopped it before all were counted again." in app.text()
    assert said not in app.text()
    app.click("report.verify")
    expected = app.session.now.verify().line
    assert "0 differ" in expected
    assert f"{said}{expected}." in app.text()
    # The report has it, too; and a change of the review takes it away.
    printed = assembled.report(app.session.now, "html", Look(title="t", date="2026-01-01")).decode()
    assert f"{said}{expected}" in printed
    app.page("review").set("number_input", "review.limit", 1).page("report")
    assert said not in app.text()
