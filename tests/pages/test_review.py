"""The Review page: steps, scenarios, reasons, one synthesis, undo; what it shows is what the core computes."""

# Inside: acts on the bench and the card in another order than a page sends them.

import csv
from dataclasses import replace
from datetime import date

import pytest

from disclosure_core import Columns, Exclusions, Pair, Review, Settings, assess, demo, start_demonstration
from disclosure_core.figures import fewer_records
from disclosure_core.results import FewerRecords
from disclosure_core.results.scenarios import figures_of, side_by_side
from disclosure_core.review.parts import SourceFile
from disclosure_core.review.reasons import names, used
from disclosure_core.review.scenarios import all_flagged, assessed, paper_scenarios
from pages.review import bench, card, verdict
from pages.shared.open_review import Session
from tests.pages.conftest import as_shown
from tests.reports import still_open
from tests.saved import to_json
from tests.written import fixed

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def opened_review():
    session = Session(start_demonstration())
    session.look_at("abroad")
    return session


@pytest.fixture(scope="module")
def base():
    return assess(demo.study(), SETTINGS)


NO = "abroad = No"


def table(app):
    return app.frame("after").set_index("measure")


def review(app):
    return app.session.review


@pytest.mark.slow
def test_one_synthesis_alone(app, base):
    app.demo().page("review").tab("review.view", "Figures")
    risk = base.targets["abroad"]
    assert table(app).loc["DiSCO", "before"] == as_shown(risk.figures("DiSCO").mean())
    each = app.frame("synthesis")
    assert each["DiSCO"].tolist() == as_shown(risk.figures("DiSCO").tolist())
    assert "**Each synthesis**" in app.text()
    app.act("review.card", {"target": "abroad", "synthesis": 2}).tab("review.view", "Figures")
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
    # Under the printed figure, too.
    opened = start_demonstration()
    for limit in (1, None):
        exclusions = Exclusions(denominator_limit=limit)
        asked = replace(opened.review, exclusions=exclusions, reasons={"denominators": "as synthpop has it"})
        limited = opened.with_review(asked)
        drawn = FewerRecords.of(limited, target="abroad", repeats=1).bands.attribute
        assert fewer_records.describe(drawn, "abroad", "TCAPi", limit).caption == (said if limit else "")
        assert fewer_records.describe(drawn, "abroad", "TCAP", limit).caption == ""


@pytest.mark.slow
def test_the_figure_of_the_card_is_a_preview_until_there_is_a_reason_and_then_says_how_it_moved(app, base):
    def said():
        return app.part("review.card")["bar"]

    def nested(risk):
        return [as_shown(risk.figures(name).mean(), 3) for name in ("iS", "DiS", "DiSCO")]

    app.demo().page("review")
    before = base.targets["abroad"]
    assert [share for _, share, _ in said()["steps"][1:]] == nested(before)
    assert (said()["figure"].replace("\xa0", " "), said()["moved"], said()["preview"]) == ("43.3 %", "", None)
    app.exclude(NO)
    left_out = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(target_levels={"abroad": ("No",)}))
    after = assess(demo.study(), left_out).targets["abroad"]
    now = fixed(after.figures("DiSCO").mean(), 1)
    assert said()["preview"] == [as_shown(after.figures("DiSCO").mean(), 3), f"Preview {now}\xa0%"]
    assert [share for _, share, _ in said()["steps"][1:]] == nested(before)
    assert f"Preview, with all that is excluded: {now} %; judged is 43.3 %" in app.text()
    app.reason(NO, "everybody knows")
    assert (said()["moved"], said()["preview"], said()["waits"]) == (f"43.3 → {now}\xa0%", None, "")
    assert [share for _, share, _ in said()["steps"][1:]] == nested(after)
    records = fixed(after.figures("DiSCO").mean() * 50, 0)
    assert said()["steps"][-1][2] == records
    assert app.part("review.card")["guess"]["better"] == "3.7 points worse than one guess, before exclusions"


@pytest.mark.slow
def test_undo_says_what_it_undoes_and_redo_makes_it_again(app):
    app.demo().page("review")
    assert app.at.button(key="review.undo").disabled
    app.exclude(NO).set("number_input", "review.limit", 1)
    assert app.at.button(key="review.undo").label == "Undo: limited denominators to 1"
    app.click("review.undo")
    assert app.at.number_input(key="review.limit").value is None
    assert app.excludable()[NO]["on"]
    assert "Taken back: limited denominators to 1." in app.text().replace("\\", "")
    assert app.at.button(key="review.undo").label == "Undo: excluded “No” of abroad"
    app.click("review.undo")
    assert not app.excludable()[NO]["on"]
    assert app.at.button(key="review.undo").disabled
    app.click("review.redo").click("review.redo")
    assert app.at.number_input(key="review.limit").value == 1
    assert app.at.button(key="review.redo").disabled
    # A new change ends what could be made again.
    app.click("review.undo").exclude("abroad missing")
    assert app.at.button(key="review.redo").disabled


@pytest.mark.slow
def test_undo_takes_keys_columns_and_the_bench_back_in_turn(app):
    app.demo().page("review").exclude(NO)
    codes = review(app).columns.missing_codes
    app.page("keys").change(("region", "target"), ("employment", "target")).page("data").codes(income="")
    assert review(app).columns.missing_codes == {}
    app.page("review").click("review.undo")
    assert (review(app).keys, review(app).columns.missing_codes) == (("sex", "age"), codes)
    app.click("review.undo")
    assert review(app).keys == ("sex", "age", "employment")
    app.click("review.undo").click("review.undo")
    assert review(app).keys == demo.KEYS
    assert review(app).exclusions == Exclusions()
    assert review(app).columns.missing_codes == codes
    app.click("review.redo").click("review.redo").click("review.redo").click("review.redo")
    assert review(app).keys == ("sex", "age")
    assert review(app).exclusions.levels_of("abroad") == ("No",)
    assert review(app).columns.missing_codes == {}


def test_a_key_that_goes_names_the_exclusions_that_go_with_it_and_undo_brings_both_back(app):
    app.demo("marital").page("keys")
    s = app.session
    pair = Pair("age", "16", "Single")
    s.update(exclusions=Exclusions(pairs={"marital": [pair]}, missing_keys={"age"}))
    app.change(("age", "left out"))
    assert "“Single” of 'marital' with 'age' “16”, missing values of the key 'age'" in app.text().replace("\\", "")
    assert review(app).exclusions == Exclusions()
    assert app.roles("left out") == ["age"]
    app.click("review.undo")
    assert review(app).exclusions.pairs_of("marital") == (pair,)
    assert review(app).exclusions.missing_keys == {"age"}
    assert review(app).keys == demo.KEYS
    assert review(app).targets is None


@pytest.mark.slow
def test_everything_flagged_is_listed_first_and_then_left_out(app, base):
    app.demo().page("review")
    assert "will be excluded in addition" not in app.text()
    app.open("review.everything")
    assert "level No, 55 key-target pairs" in app.text()
    app.click("review.flagged")
    assert app.excludable()[NO]["on"]
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
    assert f"{len(flagged)} excluded (with reasons)" in app.text()


@pytest.mark.slow
def test_a_reason_given_before_is_reused_in_one_click(app):
    app.demo().page("review").exclude("abroad missing")
    app.reason("abroad missing", "no answer is known").open("review.everything")
    app.at.pills(key="review.flagged.reuse").set_value("no answer is known").run()
    assert app.at.text_input(key="review.flagged.why").value == "no answer is known"
    app.exclude(NO)
    assert app.part("review.card")["used"] == ["no answer is known"]  # the field of each reason offers them
    app.reason(NO, "no answer is known")
    assert review(app).reasons["abroad = No"] == "no answer is known"
    assert app.excludable()[NO]["reason"] == "no answer is known"
    assert used(review(app)) == ("no answer is known",)


@pytest.mark.slow
def test_a_reason_is_kept_with_its_exclusion(app):
    app.demo().page("review").exclude(NO)
    app.reason("abroad = No", "nearly everybody stays").page("keys").page("review")
    assert app.excludable()[NO]["reason"] == "nearly everybody stays"
    # Undo takes the exclusion back, not what was written of it.
    app.click("review.undo").exclude(NO)
    assert app.excludable()[NO]["reason"] == "nearly everybody stays"


@pytest.mark.slow
def test_a_reason_is_confirmed_where_its_exclusion_takes_others_and_undo_does_not_mix_it_up(app):
    app.demo().page("review").exclude(NO).reason("abroad = No", "nearly all stay")
    # Undo takes the exclusion back and leaves text and stamp: the reason was never without one.
    stamps = review(app).reason_stamps
    assert [s.name for s in stamps] == ["abroad = No"]
    app.click("review.undo").click("review.redo")
    assert review(app).reason_stamps == stamps
    app.page("keys").keys([*demo.KEYS, "marital"]).page("review")
    app.look("abroad")
    asks = app.session.now.reasons_to_confirm()["abroad = No"]
    assert f"Reason {asks}." in app.text().replace("\\", "")
    assert "1 excluded (with reasons, 1 to confirm)" in app.text()
    app.act("review.card", {"target": "abroad", "confirm": NO})
    assert "to confirm" not in app.text()
    assert app.at.button(key="review.undo").help.startswith("Undo: confirmed the reason for ab")
    app.click("review.undo")
    assert "1 excluded (with reasons, 1 to confirm)" in app.text()
    app.click("review.redo")
    assert "to confirm" not in app.text()
    # The keys of before: what was confirmed for more keys is to be confirmed for fewer.
    app.page("keys").keys(list(demo.KEYS)).page("report")
    assert "1 excluded (with reasons, 1 to confirm)" in app.text()
    # It is answered where it is listed.
    assert any(each.name == "abroad = No" for each in still_open(app.session.now))
    assert app.hands()["report.reason.0"].head["label"] == "Confirm abroad = No"
    app.click("report.reason.0")
    assert "to confirm" not in app.text()
    assert not any(each.name == "abroad = No" for each in still_open(app.session.now))


def test_pairs_of_a_level_that_is_excluded_are_grey_and_named_by_it(app):
    app.demo().page("review")
    assert "55 pairs flagged" in app.text()
    app.exclude(NO)
    pairs = app.part("review.card")["pairs"]
    assert len(pairs["rows"]) + len(pairs["alike"]) == 55
    assert {row["records"] for row in [*pairs["rows"], *pairs["alike"]]} == {"in No"}
    assert pairs["fold"].endswith("without lift (1.0 or less): all say No")


def test_what_is_flagged_now_is_said_apart_from_what_was(app):
    app.demo().page("review")
    pair = app.part("review.card")["pairs"]["rows"][0]["exclusion"]
    assert app.excludable()[NO]["flagged"]
    assert app.excludable()[pair]["flagged"]
    app.exclude(pair)
    assert not app.excludable()[pair]["flagged"]
    assert app.part("review.card")["pairs"]["rows"][1]["flagged"]
    app.exclude(NO)
    assert not app.excludable()[NO]["flagged"]
    assert "After exclusions, no 1-way flag" in app.text()


@pytest.mark.slow
def test_only_so_many_pairs_are_listed_and_a_ticked_one_always(app, monkeypatch):
    monkeypatch.setattr(card, "PAIRS", 3)
    app.demo()
    app.session.pairs_shown = 6
    app.page("review")

    def listed():
        return app.part("review.card")["pairs"]["rows"]

    assert len(listed()) == 6
    app.act("review.card", {"target": "abroad", "more": True})
    assert len(listed()) == 6 + 12
    last = listed()[-1]
    app.exclude(last["exclusion"])
    assert listed()[-1]["records"] == last["records"]  # the evidence stays
    assert listed()[-1]["points"] == f"−{last['points']}"
    app.session.pairs_shown = 6
    app.page("keys").page("review")
    assert [row["on"] for row in listed()] == [False] * 6 + [True]


@pytest.mark.slow
def test_any_pair_can_be_left_out(app):
    app.demo().page("review").open("review.add")
    app.set("selectbox", "review.pair.key", "region").open("review.add")
    app.set("selectbox", "review.pair.region", "Carrow").open("review.add")
    app.set("selectbox", "review.pair.of.abroad", "Yes").open("review.add").click("review.pair.add")
    assert review(app).exclusions.pairs_of("abroad") == (Pair("region", "Carrow", "Yes"),)
    assert app.excludable()["region = Carrow, abroad = Yes"]["on"]


def test_a_level_that_is_not_flagged_gets_a_switch_of_its_own(app):
    app.demo().page("review")
    assert {"level": "Yes", "label": "Yes"} in app.part("review.card")["one_way"]["others"]
    app.leave_out("Yes")
    assert review(app).exclusions.levels_of("abroad") == ("Yes",)
    assert app.part("review.card")["one_way"]["others"] == []
    app.exclude("abroad = Yes", on=False)
    assert review(app).exclusions == Exclusions()


@pytest.mark.slow
def test_verdicts_are_given_with_reasons_and_lead_to_the_next_without_one(app):
    app.demo().page("review")
    order = [row["target"] for row in app.part("review.bench")["rows"]]
    assert "0 of 10 judged" in app.text()
    # The program proposes none, before an exclusion or after it.
    for _ in range(2):
        assert app.part("review.verdict")["given"] == ""
        app.exclude(NO)
    # What is left out without a reason takes nothing from the figure that is judged.
    assert "A verdict judges 43.25 %: 1 exclusion has no reason" in app.text().replace("\\", "")
    app.reason(NO, "everybody stays")
    assert "A verdict judges" not in app.text()
    app.act("review.verdict", {"officer": "B. Officer"}).judge("common knowledge", "few go abroad")
    given = review(app).verdict_on("abroad", "synthetic data")
    assert (given.verdict, given.reason, given.stamp.who) == ("common knowledge", "few go abroad", "B. Officer")
    assert date.fromisoformat(given.stamp.when) <= date.today()
    assert "1 of 10 judged" in app.text()
    assert "abroad: common knowledge." in app.text().replace("\\", "")
    second = order[order.index("abroad") + 1]
    assert app.looked_at() == second
    app.judge("leak").click("review.undo")
    assert review(app).verdict_on(second, "synthetic data") is None
    while not app.at.button(key="review.next").disabled:
        app.judge("acceptable")
    assert "9 of 10 judged" in app.text()
    app.look(next(row["target"] for row in app.part("review.bench")["rows"] if not row["kind"])).judge("acceptable")
    assert "10 of 10 judged" in app.text()
    assert "No other target waits for a verdict." in app.text().replace("\\", "")
    # One that is changed stays where it is.
    app.look("abroad").judge("leak", "few go abroad")
    assert app.looked_at() == "abroad"
    app.act("review.verdict", {"targets": ["abroad"], "back": True})
    assert review(app).verdict_on("abroad", "synthetic data") is None
    assert "9 of 10 judged" in app.page("report").text()


@pytest.mark.slow
def test_a_key_that_is_added_reopens_every_verdict_and_confirming_gives_it_again(app):
    """The issue's example: ten verdicts, then a key; the badge stayed complete."""
    app.demo().page("review")
    every = [row.target for row in app.session.now.queue().rows]
    for name in every:
        app.look(name).judge("acceptable")
    app.act("review.verdict", {"targets": [every[-1]], "why": "because"})
    assert "10 of 10 judged" in app.text()
    last, was = every[-1], review(app).verdict_on(every[-1], "synthetic data").stamp.shown
    key = next(name for name in every if name != last)
    app.page("keys").keys([*demo.KEYS, key]).page("review")
    app.look(last)
    assert "0 of 9 judged, 9 to confirm" in app.text()
    now = app.session.now.queue().row(last)
    asks = f"acceptable, given at {was}, now {fixed(now.synthetic)} %: confirm".replace("\xa0", " ")
    assert asks in app.text().replace("\\", "")
    assert app.part("review.verdict")["reason"] == "because"
    app.act("review.verdict", {"targets": [last], "confirm": True})
    assert "1 of 9 judged, 8 to confirm" in app.text()
    assert app.at.button(key="review.undo").label == f"Undo: confirmed the verdict on {last}"
    app.click("review.undo")
    assert "0 of 9 judged, 9 to confirm" in app.text()
    app.click("review.redo")
    assert review(app).verdict_on(last, "synthetic data").reason == "because"
    # Content is compared, not history: what was judged comes back, and the nine others stand again.
    app.page("keys").keys(list(demo.KEYS)).page("review")
    assert "9 of 10 judged, 1 to confirm" in app.text()


@pytest.mark.slow
def test_what_everybody_has_disclosed_and_nobody_could_guess_is_not_passed(app):
    """No flag, no proposal, nothing green: a diagnosis of 200 kinds that the synthetic data disclose of 99.9 %."""
    people = [(f"k{i}", f"d{i % 200}") for i in range(1000)]
    synthetic = [*people[:-1], ("k999", "d0")]
    files = ["k,diagnosis\n" + "\n".join(",".join(row) for row in rows) for rows in (people, synthetic)]
    app.upload(("o.csv", files[0].encode()), ("s.csv", files[1].encode()))
    app.page("keys").keys(["k"]).page("review")
    assert app.part("review.card")["bar"]["figure"] == "99.9\xa0%"
    said = app.text().replace("\\", "") + "".join(b.label for b in app.at.button)
    assert "0 of 1 judged" in said
    assert "no 1-way or 2-way flag" in said
    for reassuring in (":material/check:", "nothing is flagged", "not flagged", "Mark"):
        assert reassuring not in said
    assert not [m for m in app.at.markdown if ":green" in m.value]
    assert app.part("review.verdict")["given"] == ""
    app.judge("leak")
    assert "1 of 1 judged" in app.text()


def test_one_verdict_on_several_rows_is_one_step(app):
    app.demo().page("review")
    names = [row["target"] for row in app.part("review.bench")["rows"][:4]]
    app.act("review.bench", {"tick": names[:3], "on": True}, {"tick": names[2:], "on": True})
    app.act("review.bench", {"tick": [names[3], "abroad"], "on": True}, {"tick": ["abroad"], "on": False})
    assert app.part("review.verdict")["heading"] == "Your verdict on 4 ticked targets"
    app.judge("acceptable", "all are known")
    assert {(v.target, v.verdict, v.reason) for v in review(app).verdicts} == {
        (name, "acceptable", "all are known") for name in names
    }
    assert app.part("review.bench")["ticked"] == []
    assert "4 of 10 judged" in app.text()
    assert app.at.button(key="review.undo").label.startswith("Undo: verdict on 4 targets")
    app.click("review.undo")
    assert review(app).verdicts == ()


def test_verdicts_on_several_are_confirmed_together_where_that_may_be(app):
    app.demo().page("review")
    names = [row["target"] for row in app.part("review.bench")["rows"][:3]]
    for name, given in zip(names, ("acceptable", "acceptable", "leak"), strict=True):
        app.look(name).judge(given)
    app.page("keys").keys(list(demo.KEYS[:3])).page("review")
    app.act("review.bench", {"tick": names, "on": True})
    confirm = app.part("review.verdict")["confirm"]
    assert confirm == {"words": "Confirm 2 as they are", "targets": names[:2]}
    app.act("review.verdict", {"targets": confirm["targets"], "confirm": True})
    waits = {row["target"]: row["waits"] for row in app.part("review.bench")["rows"]}
    assert [waits[name] for name in names] == [False, False, True]


@pytest.mark.parametrize(
    ("part", "act"),
    [
        *(("review.bench", act) for act in (
            {"open": "nothing"}, {"open": 7}, {"tick": ["nothing", 7, None], "on": True}, {"tick": "abroad", "on": True},
            {"measure": "κ"}, {"measure": "At τ"}, {"order": "by luck"}, {"on": True}, {},
        )),
        *(("review.card", {"target": "abroad", **act}) for act in (
            {"level": "Perhaps", "on": True}, {"level": ["No"], "on": True}, {"level": "No", "on": "yes"}, {"missing": 1},
            {"pairs": [["sex", "Female"], "x", None, ["sex", "Female", 7], ["sex", "Neither", "No"]], "on": True},
            {"pairs": [["marital", "Single", "No"], ["sex", "Female", "Perhaps"]], "on": True}, {"pairs": {}, "on": True},
            {"why": "nothing", "text": "known"}, {"why": "marital missing", "text": "of another target"},
            {"why": "abroad = No", "text": "of what is not excluded"}, {"why": "abroad missing", "text": 7},
            {"confirm": "nothing"}, {"confirm": True}, {"synthesis": 5}, {"synthesis": -1}, {"synthesis": True},
            {"records": {"nothing": "No"}}, {"records": {"abroad": "Perhaps"}}, {"records": {"sex": ["Female"]}},
            {"records": 7},
        )),
        ("review.card", {"target": "nothing", "missing": True}), ("review.card", {"target": ["abroad"], "missing": True}),
        ("review.card", {"missing": True}),
        *(("review.verdict", act) for act in (
            {"targets": ["abroad"], "verdict": "fine", "reason": ""}, {"targets": ["abroad"], "verdict": "leak"},
            {"targets": ["nothing", 7], "verdict": "leak", "reason": ""}, {"targets": "abroad", "verdict": "leak", "reason": ""},
            {"targets": [], "confirm": True}, {"targets": ["abroad"], "confirm": True}, {"targets": ["abroad"], "why": "x"},
            {"officer": 7}, {"verdict": "leak", "reason": ""},
        )),
    ],
)  # fmt: skip
def test_what_a_page_could_not_do_a_message_cannot_do_either(opened_review, part, act):
    session = opened_review
    before, looked = session.review, (session.target, session.measure, session.order, session.synthesis)
    acting = {"review.bench": bench.act, "review.card": card.act, "review.verdict": verdict.act}
    acting[part](session, act)
    assert session.review == before
    assert (session.target, session.measure, session.order, session.synthesis) == looked
    assert (session.ticked, session.to_records, session.narrowed) == (set(), False, {})


@pytest.mark.slow
def test_intruders_are_switched_in_the_strip_and_verdicts_are_theirs(app):
    app.demo().page("keys").click("keys.add").keys(["sex", "age"])
    assert app.at.radio(key="keys.intruder").options == ["an intruder", "another intruder"]
    app.page("review").judge("leak")
    assert "1 of" in app.text()
    app.set("selectbox", "status_bar.intruder", "an intruder")
    assert "0 of 10 judged" in app.text()
    assert [v.intruder for v in review(app).verdicts] == ["another intruder"]
    assert review(app).keys == tuple(demo.KEYS)


@pytest.mark.slow
def test_the_five_scenarios_of_the_paper_in_one_click(app, base):
    app.demo().page("review").tab("review.view", "Scenarios").click("review.five")
    expected = side_by_side(figures_of(assessed(demo.study(), base, paper_scenarios(base))))
    shown = app.frame(("Nothing excluded", "DiSCO"))
    assert shown["", "target"].tolist() == expected["target"].tolist()
    assert app.headings(("Nothing excluded", "DiSCO"))["_pos:1"] == "target"
    assert shown.iloc[:, 1:].to_numpy().tolist() == as_shown(expected.iloc[:, 1:].to_numpy().tolist())
    # Once more: nothing doubles.
    app.click("review.five")
    assert len(app.at.selectbox(key="review.which").options) == 5


@pytest.mark.slow
def test_scenarios_are_named_copied_renamed_used_and_deleted(app):
    app.demo().page("review").exclude(NO).tab("review.view", "Scenarios")
    app.set("text_input", "review.scenario", "census").click("review.keep")
    app.click("review.copy").set("text_input", "review.rename", "office").click("review.rename_it")
    assert app.at.selectbox(key="review.which").options == ["office", "census (copy)"]
    app.set("text_input", "review.scenario", "office").click("review.keep")
    assert "There is a scenario 'office' already" in app.text().replace("\\", "")
    app.exclude(NO, on=False).click("review.use")
    assert app.excludable()[NO]["on"]
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
    app.page("keys").keys(["sex"]).page("report")
    use_saved(app, to_json(saved))
    for sentence in ("saved with other data", "These files have no column 'wealth'; left out: key."):
        assert sentence in app.text().replace("\\", "")


@pytest.mark.slow
def test_levels_that_are_gone_from_a_scenario_do_not_break_the_page(app):
    app.demo().page("review").tab("review.view", "Scenarios").click("review.five")
    app.page("keys").keys(["sex", "abroad"]).page("review").tab("review.view", "Scenarios")
    assert app.frame(("Nothing excluded", "DiSCO")) is not None


def test_what_is_copied_of_the_pairs_is_what_they_show(app):
    app.demo("marital").page("review")
    first = app.part("review.card")["pairs"]["rows"][0]["exclusion"]
    pairs = app.exclude(first).reason(first, "told by all").part("review.card")["pairs"]
    rows, (head, *lines) = [*pairs["rows"], *pairs["alike"]], csv.reader(pairs["lines"]["csv"])
    copied = [dict(zip(head, line, strict=True)) for line in lines]
    assert [[each["key"], each["level"], each["answer"]] for each in copied] == [row["id"] for row in rows]
    shown = {
        "people with the level": lambda row: row["people"],
        "% with the answer": lambda row: row["pct"][0],
        "% of all": lambda row: row["base"][0],
        "lift": lambda row: row["lift"],
        "DiSCO, points": lambda row: row["points"].replace("−", "-"),
    }
    for name, of in shown.items():
        assert [float(each[name]) for each in copied] == [float(str(of(row)).replace(",", "")) for row in rows], name
    assert [each["excluded"] for each in copied] == ["yes" if row["on"] else "" for row in rows]
    assert [each["reason"] for each in copied] == ["told by all", *[""] * (len(rows) - 1)]


def test_nobody_writes_more_than_anybody_reads(app):
    """A megabyte a reason, twenty a second: each run wrote all of it as text some times, and others waited."""
    app.demo().page("review")
    target = app.looked_at()
    app.act("review.card", {"target": target, "missing": True})
    long = "x" * 400_000
    app.act("review.verdict", {"officer": long})
    assert app.session.review.about["Officer"] == long
    before = app.session.review
    app.act("review.card", {"target": target, "why": f"{target} missing", "text": long})
    assert "All that you write has at most 500,000 letters" in app.text()
    app.act("review.verdict", {"targets": [target], "verdict": "common knowledge", "reason": long})
    assert app.session.review == before
    app.act("review.verdict", {"officer": "A. B."})  # less may always be written
    app.act("review.card", {"target": target, "why": f"{target} missing", "text": long})
    assert app.session.review.reasons[f"{target} missing"] == long
