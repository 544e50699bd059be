"""The Review page: steps, scenarios, reasons, one synthesis, undo; what it shows is what the core computes."""

import json

import pytest

from disclosure_core import Exclusions, Settings, assess, demo
from disclosure_core.scenarios import Project, all_flagged, assessed, of_the_paper, side_by_side

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def base():
    return assess(demo.study(), SETTINGS)


def table(app):
    return app.frame("after").set_index("measure")


def test_one_synthesis_alone(app, base):
    app.demo().page("review")
    risk = base.targets["abroad"]
    assert table(app).loc["DiSCO", "before"] == risk.figures("DiSCO").mean()
    assert table(app).loc["DiSCO", "range"] == f"{risk.figures('DiSCO').min():.2f} to {risk.figures('DiSCO').max():.2f}"
    app.set("selectbox", "review.synthesis.True", "Synthesis 3")
    assert table(app).loc["DiSCO", "before"] == risk.figures("DiSCO")[2]
    assert table(app).loc["repU", "before"] == risk.identity["repU"].iloc[2]
    assert "in 5 of 5" not in app.text()


def test_both_denominators(app):
    app.demo().page("review").click("review.leave_out")
    after = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(
        target_levels={"abroad": ("No",)})))  # fmt: skip
    risk = after.targets["abroad"]
    left = sum(t.loc["original", "remaining"] for t in risk.exclusions) / 5
    found = sum(t.loc["DiSCO", "remaining"] for t in risk.exclusions) / 5
    assert table(app).loc["DiSCO", "after"] == pytest.approx(100 * found / 5000)
    assert table(app).loc["DiSCO", "counted"] == pytest.approx(100 * found / left)


def test_every_measure_is_listed_before_and_after(app, base):
    app.demo().page("review").set("toggle", "review.limited", True).open("review.every")
    rows = app.frame("unit").set_index("measure")
    limited = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(denominator_limit=1)))  # fmt: skip
    for name in ("DCAPs", "TCAPi", "max_claim", "iS"):
        assert rows.loc[name, "before"] == base.targets["abroad"].figures(name).mean()
        assert rows.loc[name, "after"] == limited.targets["abroad"].figures(name).mean()
    assert len(rows) == 4 + 10 + 10


def test_undo_and_redo(app):
    app.demo().page("review")
    assert app.at.button(key="review.undo").disabled
    app.click("review.leave_out").set("toggle", "review.limited", True)
    app.click("review.undo")
    assert not app.at.toggle(key="review.limited").value
    assert app.at.multiselect(key="review.levels").value == ["No"]
    app.click("review.undo")
    assert app.at.multiselect(key="review.levels").value == []
    assert app.at.button(key="review.undo").disabled
    app.click("review.redo").click("review.redo")
    assert app.at.toggle(key="review.limited").value
    assert app.at.button(key="review.redo").disabled
    # A new change ends what could be made again.
    app.click("review.undo").set("toggle", "review.missing", True)
    assert app.at.button(key="review.redo").disabled


def test_everything_flagged_is_listed_first_and_then_left_out(app, base):
    app.demo().page("review")
    assert "This will be left out" not in app.text()
    app.open("review.everything")
    assert "level No, 55 key-target pairs" in app.text()
    app.click("review.flagged")
    assert app.at.multiselect(key="review.levels").value == ["No"]
    app.at.radio(key="review.flagged_of").set_value("All targets").run()
    app.sound().click("review.flagged").page("report")
    text = app.at.download_button
    assert text is not None
    app.page("risk")
    every = all_flagged(base)
    for name, levels in every.target_levels:
        assert f"{len(levels)} level{'s' * (len(levels) > 1)} of {name}" in app.text()


def test_a_reason_is_kept_with_its_exclusion(app):
    app.demo().page("review").click("review.leave_out")
    app.set("text_input", "review.why.abroad = No", "nearly everybody stays").page("risk").page("review")
    assert app.at.text_input(key="review.why.abroad = No").value == "nearly everybody stays"
    assert "1 of 1 reasons given" in app.at.expander[-1].label or any("1 of 1" in e.label for e in app.at.expander)


def test_pairs_of_a_level_that_is_left_out_are_not_asked_about_again(app, base):
    app.demo().page("review")
    assert "pairs of a key level and a target level" in app.text()
    app.click("review.leave_out")
    n = len(
        set().union(
            *(map(tuple, f[["key", "key_level", "target_level"]].values) for f in base.targets["abroad"].two_way)
        )
    )
    assert f"All {n} pairs found name a level that is left out already" in app.text()
    assert not [d for d in app.at.dataframe if "npairs" in d.value.columns]


def test_the_reason_for_missing_values_is_theirs_alone(app):
    app.demo().page("review").click("review.leave_out").set("toggle", "review.missing", True)
    app.set("text_input", "review.why.abroad missing", "nobody answers that")
    kept = app.at.session_state["session"].reasons_given
    assert kept == {"abroad missing": "nobody answers that"}
    out = app.at.session_state["session"].settings.exclusions
    assert out.names_of("abroad") == ("abroad = No", "abroad missing")


def test_the_five_scenarios_of_the_paper_in_one_click(app, base):
    app.demo().page("review").click("review.five")
    expected = side_by_side(assessed(demo.study(), base, of_the_paper(base)))
    shown = app.frame("Nothing left out · DiSCO")
    assert shown["target"].tolist() == expected["target", ""].tolist()
    assert shown.iloc[:, 1:].to_numpy().tolist() == expected.iloc[:, 1:].to_numpy().tolist()
    # Once more: nothing doubles.
    app.click("review.five")
    assert len(app.at.selectbox(key="review.which").options) == 5


def test_scenarios_are_named_copied_renamed_used_and_deleted(app):
    app.demo().page("review").click("review.leave_out")
    app.set("text_input", "review.scenario", "census").click("review.keep")
    app.click("review.Copy").set("text_input", "review.rename", "office").click("review.Rename")
    assert app.at.selectbox(key="review.which").options == ["office", "census (copy)"]
    app.set("text_input", "review.scenario", "office").click("review.keep")
    assert "There is a scenario 'office' already" in app.text()
    app.set("multiselect", "review.levels", []).click("review.use")
    assert app.at.multiselect(key="review.levels").value == ["No"]
    app.click("review.Delete")
    assert app.at.selectbox(key="review.which").options == ["census (copy)"]
    # They are in the workbook and among the figures.
    app.page("report")
    assert "scenarios" in app.at.selectbox(key="report.table").options
    assert "Scenarios" in app.at.selectbox(key="report.figure").options


def project(app, text):
    app.at.file_uploader(key="report.settings").set_value(("project.json", text.encode(), "")).run()
    return app.click("report.use")


def test_a_review_is_saved_and_loaded_again(app, base):
    saved = Project(SETTINGS, of_the_paper(base), {"abroad": "known"}, {"Decision to be taken": "release"}, {"x.csv": "1"}, {"income": ("-8",)})  # fmt: skip
    app.demo().page("report")
    project(app, saved.to_json())
    assert "The saved settings are in use" in app.text()
    app.page("review")
    assert len(app.at.selectbox(key="review.which").options) == 5
    app.page("report")
    assert app.at.text_input(key="report.about.Decision to be taken").value == "release"


def test_a_review_of_other_data_says_what_differs(app):
    saved = Project(Settings(keys=("sex", "wealth")), files={"x.csv": "1"})
    app.upload(("a.csv", b"sex,t\nf,x\nm,y\n"), ("b.csv", b"sex,t\nf,x\nm,y\n"))
    app.page("keys").set("multiselect", "keys.keys", ["sex"]).page("report")
    project(app, saved.to_json())
    for sentence in ("saved with other data", "These data have no 'wealth'", "Key 'wealth' is not there any more"):
        assert sentence in app.text().replace("\\", "")


def test_a_newer_project_is_refused(app):
    plain = json.loads(Project(SETTINGS).to_json()) | {"project": 2}
    app.demo().page("report")
    project(app, json.dumps(plain))
    assert "saved by a newer version" in app.text()


def test_levels_that_are_gone_from_a_scenario_do_not_break_the_page(app):
    app.demo().page("review").click("review.five")
    app.page("keys").set("multiselect", "keys.keys", ["sex", "abroad"]).page("review")
    assert app.frame("Nothing left out · DiSCO") is not None
