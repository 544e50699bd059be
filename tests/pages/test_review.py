"""The Review page: steps, scenarios, reasons, one synthesis, undo; what it shows is what the core computes."""

import json
from dataclasses import replace
from datetime import date

import pytest

from disclosure_core import Exclusions, Pair, Settings, assess
from disclosure_core.data import demo
from disclosure_core.figures import fewer_records
from disclosure_core.report.assembled import assemble
from disclosure_core.report.source import Look
from disclosure_core.review.opening import start_demonstration
from disclosure_core.review.parts import Columns, SourceFile
from disclosure_core.review.reasons import names, used
from disclosure_core.review.saved import to_json
from disclosure_core.review.scenarios import all_flagged, assessed, paper_scenarios, side_by_side
from disclosure_core.review.value import VERSION, Review
from disclosure_core.review.verdicts import judged
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.release_size import by_size
from tests.pages.conftest import as_shown
from tests.reports import to_html

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def base():
    return assess(demo.study(), SETTINGS)


NO = "review.out.abroad = No"


def table(app):
    return app.frame("after").set_index("measure")


def review(app):
    return app.at.session_state["session"].review


@pytest.mark.slow
def test_one_synthesis_alone(app, base):
    app.demo().page("review").tab("review.view", "Figures")
    risk = base.targets["abroad"]
    assert table(app).loc["DiSCO", "before"] == as_shown(risk.figures("DiSCO").mean())
    each = app.frame("synthesis")
    assert each["DiSCO"].tolist() == as_shown(risk.figures("DiSCO").tolist())
    app.set("selectbox", "review.synthesis.True", "Synthesis 3").tab("review.view", "Figures")
    assert table(app).loc["DiSCO", "before"] == as_shown(risk.figures("DiSCO")[2])
    assert table(app).loc["repU", "before"] == as_shown(risk.identity["repU"].iloc[2])


@pytest.mark.slow
def test_every_measure_is_listed_before_and_after(app, base):
    app.demo().page("review").set("number_input", "review.limit", 1)
    app.set("text_input", "review.why.denominators", "as synthpop has it")  # without a reason it moves a preview alone
    app.tab("review.view", "Figures").open("review.every")
    rows = app.frame("unit").set_index("measure")
    limited = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(denominator_limit=1)))  # fmt: skip
    for name in ("DCAPs", "TCAPi", "max_claim", "iS"):
        assert rows.loc[name, "before"] == as_shown(base.targets["abroad"].figures(name).mean())
        assert rows.loc[name, "after"] == as_shown(limited.targets["abroad"].figures(name).mean())
    assert len(rows) == 4 + 10 + 10
    said = "With the denominator limit of 1, TCAPi may pass 100 %: its base can lack people whom DiSCO counts."
    assert said in app.text()
    app.set("number_input", "review.limit", None)
    assert "TCAPi may pass" not in app.text()
    # In the report beside R's TCAP, and under the printed figure.
    opened = start_demonstration()
    for limit in (1, None):
        exclusions = Exclusions(denominator_limit=limit)
        asked = replace(opened.review, exclusions=exclusions, reasons={"denominators": "as synthpop has it"})
        limited = opened.with_review(asked)
        assert (said in to_html(assemble(limited, Look())).replace("\xa0", " ")) is (limit == 1)
        limited.draws("abroad", 1).extend(by_size(limited.assessment(), ["abroad"], repeats=1, seed=1))
        drawn = limited.finished_draws("abroad").attribute
        assert fewer_records.describe(drawn, "abroad", "TCAPi", limit).caption == (said if limit else "")
        assert fewer_records.describe(drawn, "abroad", "TCAP", limit).caption == ""


@pytest.mark.slow
def test_the_large_figures_say_how_they_moved_and_of_how_many_records(app, base):
    app.demo().page("review")
    assert [(m.label, m.delta) for m in app.at.metric] == [("DiSCO", "unchanged"), ("Dorig", "unchanged")]
    app.set("toggle", NO, True)
    left_out = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(target_levels={"abroad": ("No",)}))
    after = assess(demo.study(), left_out).targets["abroad"]
    counted = 5000 - (demo.original()["abroad"] == "No").sum()
    figures = {name: fixed(after.figures(name).mean()) for name in ("DiSCO", "Dorig")}
    said = f"Preview, with all that is excluded: DiSCO {figures['DiSCO']} %; Dorig {figures['Dorig']} %"
    assert said in app.text()
    assert [(m.label, m.delta) for m in app.at.metric] == [("DiSCO", "unchanged"), ("Dorig", "unchanged")]
    app.set("text_input", "review.why.abroad = No", "everybody knows")
    assert "Preview, with" not in app.text()
    for metric in app.at.metric:
        before, now = base.targets["abroad"].figures(metric.label), after.figures(metric.label)
        assert metric.value == f"{fixed(now.mean())} %"
        assert metric.delta == f"{fixed(now.mean() - before.mean(), sign=True)} points"
        assert (metric.proto.color, metric.proto.direction) == (metric.proto.GRAY, metric.proto.DOWN)
        of_counted = f"{fixed(now.mean() * 50, 0)} records; {fixed(now.mean() * 5000 / counted)} % of the {fixed(counted, 0)} counted"
        assert of_counted in app.text()


@pytest.mark.slow
def test_undo_says_what_it_undoes_and_redo_makes_it_again(app):
    app.demo().page("review")
    assert app.at.button(key="review.undo").disabled
    app.set("toggle", NO, True).set("number_input", "review.limit", 1)
    assert app.at.button(key="review.undo").label == "Undo: limited denominators to 1"
    app.click("review.undo")
    assert app.at.number_input(key="review.limit").value is None
    assert app.at.toggle(key=NO).value
    assert "Taken back: limited denominators to 1." in app.text().replace("\\", "")
    assert app.at.button(key="review.undo").label == "Undo: excluded “No” of abroad"
    app.click("review.undo")
    assert not app.at.toggle(key=NO).value
    assert app.at.button(key="review.undo").disabled
    app.click("review.redo").click("review.redo")
    assert app.at.number_input(key="review.limit").value == 1
    assert not [b for b in app.at.button if b.key == "review.redo"]
    # A new change ends what could be made again.
    app.click("review.undo").set("toggle", "review.out.abroad missing", True)
    assert not [b for b in app.at.button if b.key == "review.redo"]


@pytest.mark.slow
def test_undo_never_touches_keys_or_columns(app):
    app.demo().page("review").set("toggle", NO, True)
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("review")
    app.click("review.undo")
    assert review(app).keys == ("sex", "age")
    assert review(app).exclusions == Exclusions()
    app.click("review.redo")
    assert review(app).keys == ("sex", "age")
    assert review(app).exclusions.levels_of("abroad") == ("No",)


@pytest.mark.slow
def test_everything_flagged_is_listed_first_and_then_left_out(app, base):
    app.demo().page("review")
    assert "will be excluded in addition" not in app.text()
    app.open("review.everything")
    assert "level No, 55 key-target pairs" in app.text()
    app.click("review.flagged")
    assert app.at.toggle(key=NO).value
    app.open("review.everything").set("radio", "review.flagged_of", "All targets")
    app.open("review.everything").click("review.flagged")
    assert review(app).exclusions == all_flagged(base)


@pytest.mark.slow
def test_everything_flagged_is_left_out_with_one_reason(app, base):
    app.demo().page("review").open("review.everything").set("text_input", "review.flagged.why", "anyone would say so")
    app.open("review.everything").click("review.flagged")
    flagged = names(all_flagged(base).of("abroad"))
    assert {name: review(app).reasons[name] for name in flagged} == dict.fromkeys(flagged, "anyone would say so")
    assert {stamp.name for stamp in review(app).reason_stamps} == set(flagged)
    assert f"{len(flagged)} excluded, with reasons" in app.text()


@pytest.mark.slow
def test_a_reason_given_before_is_reused_in_one_click(app):
    app.demo().page("review").set("toggle", "review.out.abroad missing", True)
    app.set("text_input", "review.why.abroad missing", "no answer is known").open("review.everything")
    app.at.pills(key="review.flagged.reuse").set_value("no answer is known").run()
    assert app.at.text_input(key="review.flagged.why").value == "no answer is known"
    app.set("toggle", NO, True)
    app.at.pills(key="review.reuse.abroad = No").set_value("no answer is known").run()
    assert review(app).reasons["abroad = No"] == "no answer is known"
    assert app.at.text_input(key="review.why.abroad = No").value == "no answer is known"
    assert used(review(app)) == ("no answer is known",)


@pytest.mark.slow
def test_a_reason_is_kept_with_its_exclusion(app):
    app.demo().page("review").set("toggle", NO, True)
    app.set("text_input", "review.why.abroad = No", "nearly everybody stays").page("keys").page("review")
    assert app.at.text_input(key="review.why.abroad = No").value == "nearly everybody stays"
    # Undo takes the exclusion back, not what was written of it.
    app.click("review.undo").set("toggle", NO, True)
    assert app.at.text_input(key="review.why.abroad = No").value == "nearly everybody stays"


@pytest.mark.slow
def test_a_reason_is_confirmed_where_its_exclusion_takes_others_and_undo_does_not_mix_it_up(app):
    app.demo().page("review").set("toggle", NO, True).set("text_input", "review.why.abroad = No", "nearly all stay")
    # Undo takes the exclusion back and leaves text and stamp: the reason was never without one.
    stamps = review(app).reason_stamps
    assert [s.name for s in stamps] == ["abroad = No"]
    app.click("review.undo").click("review.redo")
    assert review(app).reason_stamps == stamps
    app.page("keys").set("multiselect", "keys.keys", [*demo.KEYS, "marital"]).page("review")
    app.set("selectbox", "review.target", "abroad")
    asks = app.at.session_state["session"].now.reasons_to_confirm()["abroad = No"]
    assert f"Reason {asks}." in app.text().replace("\\", "")
    assert "1 excluded, with reasons, 1 to confirm" in app.text()
    app.click("review.fits.abroad = No")
    assert "to confirm" not in app.text()
    assert app.at.button(key="review.undo").help.startswith("confirmed the reason for ab")
    app.click("review.undo")
    assert "1 excluded, with reasons, 1 to confirm" in app.text()
    app.click("review.redo")
    assert "to confirm" not in app.text()
    # The keys of before: what was confirmed for more keys is to be confirmed for fewer.
    app.page("keys").set("multiselect", "keys.keys", list(demo.KEYS)).page("report")
    assert "1 excluded, with reasons, 1 to confirm" in app.text()


def test_pairs_of_a_level_that_is_left_out_are_not_asked_about_again(app):
    app.demo().page("review")
    assert "55 pairs flagged" in app.text()
    app.set("toggle", NO, True)
    assert "55 of them name a level that is excluded already" in app.text()
    assert not app.at.checkbox


def test_a_flag_mark_stands_only_beside_what_is_flagged_now(app):
    app.demo().page("review")
    pair = app.at.checkbox[0].key
    assert app.at.toggle(key=NO).label.startswith("⚑ ")
    assert app.at.checkbox(key=pair).label.startswith("⚑ ")
    app.set("checkbox", pair, True)
    assert not app.at.checkbox(key=pair).label.startswith("⚑ ")
    assert app.at.checkbox[1].label.startswith("⚑ ")
    app.set("toggle", NO, True)
    assert not app.at.toggle(key=NO).label.startswith("⚑ ")
    assert "After exclusions, no 1-way flag" in app.text()


@pytest.mark.slow
def test_only_the_pairs_in_view_are_drawn_and_a_ticked_one_always(app):
    app.demo().page("review")
    first = len(app.at.checkbox)
    app.click("review.more_pairs")
    assert len(app.at.checkbox) == first + 12
    last = app.at.checkbox[-1].key
    assert " records, " in app.at.checkbox(key=last).label
    app.set("checkbox", last, True).page("keys").page("review")
    assert "records" not in app.at.checkbox(key=last).label  # of those, none is counted any more
    app.set("selectbox", "review.target", "marital").set("selectbox", "review.target", "abroad")
    assert app.at.checkbox(key=last).value
    assert len(app.at.checkbox) == first + 1
    assert app.at.text_input(key=last.replace("review.out.", "review.why."))


@pytest.mark.slow
def test_any_pair_can_be_left_out(app):
    app.demo().page("review").open("review.add_pair")
    app.set("selectbox", "review.pair.key", "region").open("review.add_pair")
    app.set("selectbox", "review.pair.region", "Carrow").open("review.add_pair")
    app.set("selectbox", "review.pair.of.abroad", "Yes").open("review.add_pair").click("review.pair.add")
    assert review(app).exclusions.pairs_of("abroad") == (Pair("region", "Carrow", "Yes"),)
    assert app.at.checkbox(key="review.out.region = Carrow, abroad = Yes").value


def test_a_level_that_is_not_flagged_gets_a_switch_of_its_own(app):
    app.demo().page("review").set("selectbox", "review.level", "Yes")
    assert review(app).exclusions.levels_of("abroad") == ("Yes",)
    app.set("toggle", "review.out.abroad = Yes", False)
    assert review(app).exclusions == Exclusions()


@pytest.mark.slow
def test_verdicts_are_given_with_reasons_and_lead_to_the_next_without_one(app):
    app.demo().page("review")
    order = list(app.at.selectbox(key="review.target").options)
    assert "0 of 10 judged" in app.text()
    # The program proposes none, before an exclusion or after it.
    for _ in range(2):
        assert app.at.radio(key="review.verdict").value is None
        assert not [b for b in app.at.button if "acceptable" in b.label or "common knowledge" in b.label]
        app.set("toggle", NO, True)
    # What is left out without a reason takes nothing from the figure that is judged.
    assert "A verdict judges 43.25 %: 1 exclusion has no reason" in app.text().replace("\\", "")
    app.set("text_input", "review.why.abroad = No", "everybody stays")
    assert "A verdict judges" not in app.text()
    app.set("text_input", "review.officer.verdict", "B. Officer").set("radio", "review.verdict", "common knowledge")
    app.set("text_input", "review.verdict.why", "few go abroad")
    given = review(app).verdict_on("abroad", "synthetic data")
    assert (given.verdict, given.reason, given.stamp.who) == ("common knowledge", "few go abroad", "B. Officer")
    assert date.fromisoformat(given.stamp.when) <= date.today()
    assert "1 of 10 judged" in app.text()
    at = [option.split(" · ")[0] for option in order].index("abroad")
    app.click("review.next")
    second = order[at + 1].split(" · ")[0]
    assert app.at.selectbox(key="review.target").value == second
    app.set("radio", "review.verdict", "leak").click("review.undo")
    assert review(app).verdict_on(second, "synthetic data") is None
    for _ in range(9):
        app.set("radio", "review.verdict", "acceptable")
        if not app.at.button(key="review.next").disabled:
            app.click("review.next")
    assert app.at.button(key="review.next").disabled
    app.set("selectbox", "review.target", "abroad").click("review.unmark")
    assert review(app).verdict_on("abroad", "synthetic data") is None
    assert "9 of 10 judged" in app.page("report").text()


@pytest.mark.slow
def test_a_key_that_is_added_reopens_every_verdict_and_confirming_gives_it_again(app):
    """The issue's example: ten verdicts, then a key; the badge stayed complete."""
    app.demo().page("review")
    every = [row.target for row in app.at.session_state["session"].now.queue().rows]
    for name in every:
        app.set("selectbox", "review.target", name).set("radio", "review.verdict", "acceptable")
    app.set("text_input", "review.verdict.why", "because")
    assert "10 of 10 judged" in app.text()
    last, was = every[-1], review(app).verdict_on(every[-1], "synthetic data").stamp.shown
    key = next(name for name in every if name != last)
    app.page("keys").set("multiselect", "keys.keys", [*demo.KEYS, key]).page("review")
    app.set("selectbox", "review.target", last)
    assert "0 of 9 judged, 9 to confirm" in app.text()
    now = app.at.session_state["session"].now.queue().row(last)
    asks = f"acceptable, given at {was}, now {fixed(now.synthetic)} %: confirm".replace("\xa0", " ")
    assert asks in app.text().replace("\\", "")
    assert app.at.text_input(key="review.verdict.why").value == "because"
    app.click("review.confirm")
    assert "1 of 9 judged, 8 to confirm" in app.text()
    assert app.at.button(key="review.undo").label == f"Undo: confirmed the verdict on {last}"
    app.click("review.undo")
    assert "0 of 9 judged, 9 to confirm" in app.text()
    app.click("review.redo")
    assert review(app).verdict_on(last, "synthetic data").reason == "because"
    # Content is compared, not history: what was judged comes back, and the nine others stand again.
    app.page("keys").set("multiselect", "keys.keys", list(demo.KEYS)).page("review")
    assert "9 of 10 judged, 1 to confirm" in app.text()


@pytest.mark.slow
def test_what_everybody_has_disclosed_and_nobody_could_guess_is_not_passed(app):
    """No flag, no proposal, nothing green: a diagnosis of 200 kinds that the synthetic data disclose of 99.9 %."""
    people = [(f"k{i}", f"d{i % 200}") for i in range(1000)]
    synthetic = [*people[:-1], ("k999", "d0")]
    files = ["k,diagnosis\n" + "\n".join(",".join(row) for row in rows) for rows in (people, synthetic)]
    app.upload(("o.csv", files[0].encode()), ("s.csv", files[1].encode()))
    app.page("keys").set("multiselect", "keys.keys", ["k"]).page("review")
    assert app.metrics()["DiSCO"] == "99.90 %"
    said = app.text().replace("\\", "") + "".join(b.label for b in app.at.button)
    assert "0 of 1 judged" in said
    assert "no 1-way or 2-way flag" in said
    for reassuring in (":material/check:", "nothing is flagged", "not flagged", "Mark"):
        assert reassuring not in said
    assert not [m for m in app.at.markdown if ":green" in m.value]
    assert app.at.radio(key="review.verdict").value is None
    app.set("radio", "review.verdict", "leak")
    assert "1 of 1 judged" in app.text()


def test_one_verdict_on_several_rows_is_one_step(app):
    app.demo().page("review").open("review.targets")
    assert "Tick rows" in app.text()
    # AppTest cannot tick rows of a table: the same call, on the first four.
    s = app.at.session_state["session"]
    names = [row.target for row in s.now.queue().rows[:4]]
    s.change(judged(s.now, names, "acceptable", "all are known"))
    app.at.run()
    assert "4 of 10 judged" in app.text()
    assert app.at.button(key="review.undo").label.startswith("Undo: verdict on 4 targets")
    app.click("review.undo")
    assert review(app).verdicts == ()


@pytest.mark.slow
def test_intruders_are_switched_in_the_strip_and_verdicts_are_theirs(app):
    app.demo().page("keys").click("keys.add").set("multiselect", "keys.keys", ["sex", "age"]).page("review")
    app.set("radio", "review.verdict", "leak")
    assert "1 of" in app.text()
    app.set("selectbox", "status_bar.intruder", "an intruder")
    assert "0 of 10 judged" in app.text()
    assert [v.intruder for v in review(app).verdicts] == ["another intruder"]
    assert review(app).keys == tuple(demo.KEYS)


@pytest.mark.slow
def test_the_five_scenarios_of_the_paper_in_one_click(app, base):
    app.demo().page("review").tab("review.view", "Scenarios").click("review.five")
    expected = side_by_side(assessed(demo.study(), base, paper_scenarios(base)))
    shown = app.frame(("Nothing excluded", "DiSCO"))
    assert shown["", "target"].tolist() == expected["target", ""].tolist()
    assert app.headings(("Nothing excluded", "DiSCO"))["_pos:1"] == "target"
    assert shown.iloc[:, 1:].to_numpy().tolist() == as_shown(expected.iloc[:, 1:].to_numpy().tolist())
    # Once more: nothing doubles.
    app.click("review.five")
    assert len(app.at.selectbox(key="review.which").options) == 5


@pytest.mark.slow
def test_scenarios_are_named_copied_renamed_used_and_deleted(app):
    app.demo().page("review").set("toggle", NO, True).tab("review.view", "Scenarios")
    app.set("text_input", "review.scenario", "census").click("review.keep")
    app.click("review.copy").set("text_input", "review.rename", "office").click("review.rename_it")
    assert app.at.selectbox(key="review.which").options == ["office", "census (copy)"]
    app.set("text_input", "review.scenario", "office").click("review.keep")
    assert "There is a scenario 'office' already" in app.text().replace("\\", "")
    app.set("toggle", NO, False).click("review.use")
    assert app.at.toggle(key=NO).value
    app.click("review.delete")
    assert app.at.selectbox(key="review.which").options == ["census (copy)"]
    # They are in the workbook and among the figures.
    app.page("report")
    assert "scenarios" in app.at.selectbox(key="report.table").options
    assert "Scenarios" in app.at.selectbox(key="report.figure").options


def use_saved(app, text):
    app.at.file_uploader(key="report.settings").set_value(("review.json", text.encode(), "")).run()
    return app.click("report.use")


@pytest.mark.slow
def test_a_review_is_saved_and_loaded_again(app, base):
    saved = Review(
        original=SourceFile("x.csv", "1"), columns=Columns(missing_codes={"income": ("-8",)}),
        scenarios=paper_scenarios(base), reasons={"abroad": "known"}, about={"Decision to be taken": "release"},
    ).with_settings(SETTINGS)  # fmt: skip
    app.demo().page("report")
    use_saved(app, to_json(saved))
    assert "The saved review is in use" in app.text()
    app.page("review").tab("review.view", "Scenarios")
    assert len(app.at.selectbox(key="review.which").options) == 5
    app.page("report")
    assert app.at.text_input(key="report.about.Decision to be taken").value == "release"


@pytest.mark.slow
def test_a_review_of_other_data_says_what_differs(app):
    saved = Review(original=SourceFile("x.csv", "1")).with_settings(Settings(keys=("sex", "wealth")))
    app.upload(("a.csv", b"sex,t\nf,x\nm,y\n"), ("b.csv", b"sex,t\nf,x\nm,y\n"))
    app.page("keys").set("multiselect", "keys.keys", ["sex"]).page("report")
    use_saved(app, to_json(saved))
    for sentence in ("saved with other data", "These data have no 'wealth'", "Key 'wealth' is not there any more"):
        assert sentence in app.text().replace("\\", "")


@pytest.mark.slow
def test_a_review_of_another_version_is_refused(app):
    plain = json.loads(to_json(Review())) | {"review": VERSION + 1}
    app.demo().page("report")
    use_saved(app, json.dumps(plain))
    assert "saved by another version" in app.text()


@pytest.mark.slow
def test_levels_that_are_gone_from_a_scenario_do_not_break_the_page(app):
    app.demo().page("review").tab("review.view", "Scenarios").click("review.five")
    app.page("keys").set("multiselect", "keys.keys", ["sex", "abroad"]).page("review").tab("review.view", "Scenarios")
    assert app.frame(("Nothing excluded", "DiSCO")) is not None
