"""People outside, on Compare and on Baseline: what it shows is what the core computes; what cannot be computed is said."""

# Inside: a figure's sentence for those who hear it.

import pyreadstat
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    Settings,
    ThreatModel,
    assess,
    attribute_baseline,
    demo,
    identity_baseline,
    membership,
    partition,
    read,
    split,
)
from disclosure_core.conclusions import headline
from disclosure_core.figures import members_outside
from disclosure_core.holdout.differences import MEAN
from disclosure_core.sensitivity.release_size import MEASURES
from pages.shared.plots import read_aloud
from tests.having import csv
from tests.pages.conftest import as_shown
from tests.written import fixed

pytestmark = pytest.mark.slow

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def joined():
    return partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)


def people_outside(app):
    """Go to the view of Compare."""
    return app.page("compare").set("radio", "compare.view", "People outside")


QUESTIONS = {"Replicated uniques": "uniques-outside", "Membership": "membership", "Fewer records": "release-size"}


DRAWN = (
    *(f"Fewer records, {m}" for m in MEASURES), "DiSCO and TCAPs by the records released",
    "DiSCO, TCAP and DCAP by the records released", "repU and UiOiS by the records released",
)  # fmt: skip


def view(app, name):
    return app.question(QUESTIONS[name])


def test_without_a_holdout_nothing_is_substituted(app):
    app.demo().question("uniques-outside")
    assert "**Not evaluated.** There is no holdout" in app.text()
    view(app, "Membership")
    assert "**Not evaluated.** The questions about the intruder are not answered" in app.text()
    assert not app.at.metric
    people_outside(app)
    assert "**Not evaluated.** There is no holdout" in app.text()
    assert not app.drawn()


def test_the_surveys_holdout_in_one_click(app, joined):
    people_outside(app.demo()).click("baseline.bring").click("baseline.demo")
    session = app.session
    found = headline.of_people_outside(session.now.attribute_baseline())
    assert [each.value.replace("\\", "") for each in app.at.header] == [found.text]
    assert found.beneath in app.text().replace("\\", "")
    plot = members_outside.describe(session.now.attribute_baseline(), "DiSCO", Limit())
    assert app.drawn()["compare.outside.DiSCO"] == read_aloud(plot.sentence)
    expected = attribute_baseline(joined, SETTINGS).summary("DiSCO").iloc[::-1]
    shown = app.frame("non_members")
    for name in ("target", "members", "non_members", "difference", "low", "high", "R"):
        assert shown[name].tolist() == as_shown(expected[name].tolist())
    assert set(shown["result"]) == {"not evaluated"}
    # Members' figures are those of the Review page.
    risk = assess(demo.study(), SETTINGS).summary().set_index("target")["synthetic"]
    assert shown.set_index("target")["members"].to_dict() == as_shown(risk.to_dict())
    app.at.radio(key="compare.measure").set_value("DCAP").run()
    expected = attribute_baseline(joined, SETTINGS).summary("DCAP").iloc[::-1]
    assert app.sound().frame("non_members")["difference"].tolist() == as_shown(expected["difference"].tolist())


@pytest.mark.parametrize("ending", [".sav", ".dta", ".ods", ".feather", ".tsv"])
def test_a_file_of_any_format_is_offered_to_be_split(app, tmp_path, ending):
    frame = demo.original().head(40)[["sex", "age"]]
    path = tmp_path / f"people{ending}"
    write = {
        ".sav": lambda: pyreadstat.write_sav(frame, path),
        ".dta": lambda: pyreadstat.write_dta(frame, path),
        ".ods": lambda: frame.to_excel(path, index=False),
        ".feather": lambda: frame.to_feather(path),
        ".tsv": lambda: frame.to_csv(path, sep="\t", index=False),
    }
    write[ending]()
    app.upload((path.name, path.read_bytes()), (f"synthetic{ending}", path.read_bytes()))
    app.page("keys").keys(["sex"]).question("uniques-outside").click("baseline.bring")
    assert [b.label for b in app.downloads()] == ["The training part", "The holdout part"]


def test_each_measure_has_limits_of_its_own(app, joined):
    people_outside(app.demo()).click("baseline.bring").click("baseline.demo")
    app.set("number_input", "compare.DiSCO.absolute", 20.0).set("number_input", "compare.DiSCO.relative", 3.0)
    expected = attribute_baseline(joined, SETTINGS).summary("DiSCO", Limit(20, 3)).iloc[::-1]
    assert app.frame("result")["result"].tolist() == expected["result"].tolist()
    assert {"above", "within"} == set(expected["result"])
    found = attribute_baseline(joined, SETTINGS).figures
    each = found[(found["measure"] == "DiSCO") & (found["synthesis"] != MEAN)]
    assert app.frame("synthesis")["members"].tolist() == as_shown(each["members"].tolist())
    app.set("text_input", "compare.DiSCO.owner", "our board").set("text_input", "compare.DiSCO.harm", "stigma")
    limits = app.session.review.limits
    assert limits.disco == Limit(20, 3, "our board", "", {"harm": "stigma"})
    app.at.radio(key="compare.measure").set_value("DCAP").run()
    assert set(app.sound().frame("result")["result"]) == {"not evaluated"}  # DCAP has none yet


def test_a_share_in_a_field_of_percent_is_asked_about(app):
    people_outside(app.demo()).click("baseline.bring").click("baseline.demo")
    app.set("number_input", "compare.DiSCO.absolute", 0.6)
    assert "is 0.6 % or 60 % meant?" in app.text().replace("\\", "")
    app.at.checkbox(key="compare.DiSCO.as_written").check().run()
    assert "meant?" not in app.sound().text()
    app.set("number_input", "compare.DiSCO.absolute", 200.0)
    assert "from 0 to 100 %; 200 is none" in app.text().replace("\\", "")
    assert app.session.review.limits.disco.absolute == 0.6


def test_replicated_uniques_beside_outsiders(app, joined):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    view(app, "Replicated uniques")
    row = identity_baseline(joined, SETTINGS).summary().iloc[0]
    assert app.metrics()["repU of members"] == f"{row['members']:.2f} %"
    assert app.metrics()["People outside"] == f"{row['non_members']:.2f} %"


def test_membership_asks_first_and_refuses_with_a_reason(app):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    view(app, "Membership").set("selectbox", "threat_model.same_population", "No")
    assert "would not pick targets from the population" in app.text()
    app.set("selectbox", "threat_model.same_population", "Yes").set("selectbox", "threat_model.news", "No")
    assert "membership is no disclosure here" in app.text()
    app.set("selectbox", "threat_model.news", "Yes")
    assert "Without the size of the population" in app.text()


def test_membership_for_every_subset_of_the_keys(app, joined):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    view(app, "Membership").set("selectbox", "threat_model.same_population", "Yes").set(
        "selectbox", "threat_model.news", "Yes"
    )
    app.set("number_input", "threat_model.size", 1_000_000).click("baseline.search")
    threat_model = ThreatModel(population_size=1_000_000, same_population=True, news=True)
    expected = membership(joined, SETTINGS, threat_model)
    shown, rows = app.frame("worst_F_rel"), expected.summary()
    for name in ("beta", "F_naive", "F", "F_rel", "worst_F", "worst_F_rel", "mean_of_worst"):
        assert shown[name].tolist() == as_shown(rows[name].tolist(), 3)
    whole = f"{len(demo.original()) + len(demo.holdout()):,} records (the whole original: training data and holdout)"
    assert whole in app.text().replace("\\", "")
    assert f"F_rel {expected.decisive()['worst_F_rel']:.3f} for the worst subset" in app.text().replace("\\", "")
    assert "15 of 15 subsets searched" in app.text().replace("\\", "")
    assert "baseline.curve" in app.drawn()
    assert "4 of 13 panellists agreed" in app.text()
    app.click("baseline.F_rel.precedent")
    assert app.session.review.limits.membership.relative == 0.2
    # What was found stays while nothing it depends on changes.
    app.page("review").question("membership")
    assert app.frame("worst_F_rel") is not None
    app.set("number_input", "threat_model.size", 2_000_000)
    assert not [d for d in app.at.dataframe if "worst_F_rel" in d.value.columns]
    # So does what will be synthesised.
    app.set("selectbox", "threat_model.made_of", "The training data alone").click("baseline.search")
    assert f"{len(demo.original()):,} records (the training data alone)" in app.text().replace("\\", "")
    assert "whole original:" not in app.text()


def test_fewer_records_are_drawn_and_the_same_seed_is_the_same_figure(app):
    app.demo()
    view(app, "Fewer records").set("number_input", "analyses.release-size.repeats", 1)
    first = app.frame("10 % released").set_index("target")
    found = assess(demo.study(), SETTINGS)
    whole = {name: as_shown(risk.figures("DiSCO").mean()) for name, risk in found.targets.items()}
    assert first["100 % released"].to_dict() == whole
    of_keys = next(d.value for d in app.at.dataframe if "measure" in d.value).set_index("measure")
    identity = assess(demo.study(), SETTINGS).identity
    assert of_keys["100 % released"].to_dict() == {m: as_shown(identity[m].mean()) for m in ("UiOiS", "repU")}
    most = first.index[0]
    shown = f"DiSCO of {most} is {first.loc[most, '10 % released']:.2f} % where a tenth of a synthesis is released"
    assert shown in app.text().replace("\\", "").replace("\N{NO-BREAK SPACE}", " ")
    app.set("number_input", "analyses.release-size.draw_seed", 2)
    other = app.frame("10 % released").set_index("target")
    assert not other.equals(first)
    assert other["100 % released"].to_dict() == whole
    app.set("number_input", "analyses.release-size.draw_seed", 1)
    assert app.frame("10 % released").set_index("target").equals(first)


def test_identity_of_people_outside_is_of_the_exclusions_with_a_reason(app):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    s = app.session
    known = KeySet(s.review.intruder, ("sex", "age", "income"))
    s.update(intruders=(known,), exclusions=Exclusions(missing_keys=["income"]))
    view(app, "Replicated uniques")
    judged, all_of_them = (row(o.identity_baseline()) for o in (s.now.judged, s.now))
    assert judged != all_of_them
    assert app.metrics()["repU of members"] == f"{judged:.2f} %"
    assert "1 exclusion has no reason" in app.text()


def row(found):
    return found.summary().iloc[0]["members"]


def test_a_holdout_of_ones_own_and_one_that_does_not_fit(app):
    original, synthetic = demo.original().head(900), demo.syntheses()[0].head(900)
    app.upload(("a.csv", csv(original)), ("b.csv", csv(synthetic)))
    app.page("keys").keys(["sex", "age"]).question("uniques-outside")
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(("h.csv", b"sex\nf\n", "")).run()
    app.click("baseline.use")
    assert "The holdout has no column 'age'" in app.text()
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(
        ("h.csv", csv(demo.holdout()), "")
    ).run()
    app.click("baseline.use")
    assert "**900** members, **1,250** people outside" in app.text()
    # One odd cell is said with its row, and matches nobody.
    odd = demo.holdout().astype({"bmi": object})
    odd.loc[odd.index[0], "bmi"] = "unknown"
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(("h.csv", csv(odd), "")).run()
    app.click("baseline.use")
    assert "Column 'bmi' of the holdout holds text in 1 cell (row 2: “unknown”)" in app.text().replace("\\", "")
    # One that is in the training data is evaluated nowhere.
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(("h.csv", csv(original), "")).run()
    app.click("baseline.use")
    assert "**Not evaluated.** The holdout is the file a.csv itself." in app.text()
    part = csv(original.tail(700))
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(("h.csv", part, "")).run()
    app.click("baseline.use")
    assert "**Not evaluated.** 100.0 % of the holdout's records are in the training data" in app.text()
    # Removed, all is as if none had been brought, and a second click finds nothing to remove.
    app.click("baseline.remove")
    assert "No holdout yet" in app.text()
    assert "**Not evaluated.** There is no holdout" in view(app, "Replicated uniques").text()
    assert "baseline.remove" not in {button.key for button in app.at.button}
    app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(
        ("h.csv", csv(demo.holdout()), "")
    ).run()
    app.click("baseline.use")
    # Other data: the holdout goes with them.
    app.page("data").demo().click("replace.open").question("uniques-outside")
    assert "No holdout yet" in app.text()


def test_a_split_is_removed_and_the_original_is_whole(app):
    app.demo().question("uniques-outside")
    session = app.session
    for _ in range(2):
        session.update(holdout=Holdout("split", share=80, seed=3))
        view(app, "Replicated uniques")
        assert "**4,000** members, **1,000** people outside" in app.text()
        app.click("baseline.remove")
        assert "No holdout yet" in app.text()
        assert "members, **" not in app.text()
        assert session.study.n_original == 5000
    app.page("review")
    assert "5,000" in app.text()


def test_the_split_hands_out_both_parts(app):
    original, synthetic = demo.original().head(500), demo.syntheses()[0].head(500)
    app.upload(("a.csv", csv(original)), ("b.csv", csv(synthetic)))
    app.page("keys").keys(["sex", "age"]).question("uniques-outside")
    app.click("baseline.bring").set("number_input", "baseline.share", 75).set("number_input", "baseline.seed", 7)
    labels = [b.label for b in app.downloads()]
    assert labels == ["The training part", "The holdout part"]
    made = split(read(csv(original), "a.csv")[0].frame, 0.75, 7)
    assert (len(made.training), len(made.holdout)) == (375, 125)
    # Before anything is synthesised: of how many members people with the same keys will stand outside.
    inside, beyond = ([tuple(row) for row in part[["sex", "age"]].to_numpy()] for part in (made.training, made.holdout))
    alone = [keys for keys in inside if inside.count(keys) == 1]
    shares = [100 * sum(keys in beyond for keys in some) / len(some) for some in (inside, alone)]
    assert (
        f"{fixed(shares[0], 1)} % of the members ({fixed(shares[1], 1)} % of those with unique keys) will share"
        in app.text().replace("\\", "")
    )


def test_after_a_split_the_review_goes_on_with_the_training_part(app):
    original, synthetic = demo.original().head(500), demo.syntheses()[0].head(400)
    app.upload(("a.csv", csv(original)), ("b.csv", csv(synthetic)))
    app.page("keys").keys(["sex", "age"]).question("uniques-outside")
    app.click("baseline.bring").set("number_input", "baseline.share", 75).set("number_input", "baseline.seed", 7)
    assert app.at.button(key="replace.split").disabled
    app.at.file_uploader(key="baseline.of_training").set_value([("made.csv", csv(synthetic), "")]).run()
    app.click("replace.split")
    session = app.session
    assert not session.bringing_holdout
    assert session.unsaved
    assert (session.review.keys, session.review.holdout.kind) == (("sex", "age"), "split")
    assert (session.study.n_original, session.now.partition().n_holdout) == (375, 125)
    assert [r.name for r in session.readings] == ["a.csv", "made.csv"]
    assert "The review goes on with the training part" in app.text()


@pytest.mark.slow
def test_every_figure_of_this_page_can_be_printed(app):
    app.demo().page("report")
    before = set(app.at.selectbox(key="report.figure").options)
    assert "People who share their keys" in before
    view(app, "Replicated uniques").click("baseline.bring").click("baseline.demo")
    view(app, "Membership").set("selectbox", "threat_model.same_population", "Yes").set(
        "selectbox", "threat_model.news", "Yes"
    )
    app.set("number_input", "threat_model.size", 1_000_000).click("baseline.search")
    view(app, "Fewer records").set("number_input", "analyses.release-size.repeats", 1)
    assert set(app.page("report").at.selectbox(key="report.figure").options) - before == {
        "Members and people outside, DiSCO", "Members and people outside, DCAP", "Membership by number of keys",
        *DRAWN,
    }  # fmt: skip
    view(app, "Fewer records").set("toggle", "analyses.report.release-size", True)
    app.page("report")
    more = set(app.at.selectbox(key="report.figure").options) - before
    assert more == {
        "Members and people outside, DiSCO", "Members and people outside, DCAP", "Membership by number of keys",
        *DRAWN,
    }  # fmt: skip
    for name in ("Members and people outside, DCAP", "Membership by number of keys", "Fewer records, TCAP"):
        app.set("selectbox", "report.figure", name)


def test_a_holdout_brought_for_uniques_is_seen_on_compare(app):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    app.page("compare")
    assert app.at.radio(key="compare.view").value == "People outside"
    assert "own answers are in the synthetic data for 3 of 10 targets" in app.text()
    app.set("radio", "compare.view", "Methods").page("review").page("compare")
    assert app.at.radio(key="compare.view").value == "Methods"
    app.set("radio", "compare.view", "People outside").click("baseline.remove")
    assert app.at.radio(key="compare.view").value == "People outside"  # where another can be brought
    assert "No holdout yet" in app.text()
