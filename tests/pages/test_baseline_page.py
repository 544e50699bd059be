"""The Baseline page: what it shows is what the core computes; what cannot be computed is said."""

import pytest

from disclosure_core import Settings, assess, demo
from disclosure_core.anonymity import profile
from disclosure_core.baseline import attribute_baseline, identity_baseline
from disclosure_core.decision import Limits
from disclosure_core.gate import Gate
from disclosure_core.holdout import partition, split
from disclosure_core.membership import membership
from disclosure_core.readers import read
from disclosure_core.sizes import MEASURES
from disclosure_core.together import attributes_together, identity_together

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def joined():
    return partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)


def view(app, name):
    app.at.radio(key="baseline.view").set_value(name).run()
    return app.sound()


def test_without_a_holdout_nothing_is_substituted(app):
    app.demo().page("baseline")
    assert "**Not evaluated.** There is no holdout" in app.text()
    view(app, "Replicated uniques")
    assert "**Not evaluated.** There is no holdout" in app.text()
    view(app, "Membership")
    assert "**Not evaluated.** The questions on the adversary are not answered" in app.text()
    assert not app.at.metric


def test_the_surveys_holdout_in_one_click(app, joined):
    app.demo().page("baseline").click("baseline.demo")
    expected = attribute_baseline(joined, SETTINGS).summary("DiSCO").iloc[::-1]
    shown = app.frame("non_members")
    for name in ("target", "members", "non_members", "difference", "low", "high", "R"):
        assert shown[name].tolist() == expected[name].tolist()
    assert set(shown["decision"]) == {"not evaluated"}
    # Members' figures are those of the Risk page.
    risk = assess(demo.study(), SETTINGS).summary().set_index("target")["synthetic"]
    assert shown.set_index("target")["members"].to_dict() == pytest.approx(risk.to_dict())
    app.at.radio(key="baseline.measure").set_value("DCAP").run()
    expected = attribute_baseline(joined, SETTINGS).summary("DCAP").iloc[::-1]
    assert app.sound().frame("non_members")["difference"].tolist() == expected["difference"].tolist()


def test_both_conditions_decide_and_whose_they_are(app, joined):
    app.demo().page("baseline").click("baseline.demo")
    app.set("number_input", "baseline.absolute", 20.0).set("number_input", "baseline.relative", 3.0)
    expected = attribute_baseline(joined, SETTINGS).summary("DiSCO", Limits(20, 3)).iloc[::-1]
    assert app.frame("decision")["decision"].tolist() == expected["decision"].tolist()
    assert {"high", "acceptable"} == set(expected["decision"])
    assert "4 of 13 panellists agreed" in app.text()
    assert app.at.text_input(key="baseline.origin").value == "set by you"


def test_replicated_uniques_beside_outsiders(app, joined):
    app.demo().page("baseline").click("baseline.demo")
    view(app, "Replicated uniques")
    row = identity_baseline(joined, SETTINGS).summary().iloc[0]
    assert app.metrics()["repU of members"] == f"{row['members']:.2f} %"
    assert app.metrics()["Non-members"] == f"{row['non_members']:.2f} %"


def test_membership_asks_first_and_refuses_with_a_reason(app):
    app.demo().page("baseline").click("baseline.demo")
    view(app, "Membership").set("selectbox", "gate.same_population", "No")
    assert "would not pick targets from the population" in app.text()
    app.set("selectbox", "gate.same_population", "Yes").set("selectbox", "gate.news", "No")
    assert "membership is no disclosure here" in app.text()
    app.set("selectbox", "gate.news", "Yes")
    assert "Without the size of the population" in app.text()


def test_membership_for_every_subset_of_the_keys(app, joined):
    app.demo().page("baseline").click("baseline.demo")
    view(app, "Membership").set("selectbox", "gate.same_population", "Yes").set("selectbox", "gate.news", "Yes")
    app.set("number_input", "gate.size", 1_000_000).click("baseline.search")
    gate = Gate(population_size=1_000_000, same_population=True, news=True)
    expected = membership(joined, SETTINGS, gate)
    shown, rows = app.frame("worst_F_rel"), expected.summary()
    for name in ("beta", "F_naive", "F", "F_rel", "worst_F", "worst_F_rel", "mean_of_worst"):
        assert shown[name].tolist() == rows[name].tolist()
    assert f"F_rel **{expected.decisive()['worst_F_rel']:.3f}** for the worst subset" in app.text()
    assert "15 of 15 subsets searched" in app.text().replace("\\", "")
    # What was found stays while nothing it depends on changes.
    app.page("risk").page("baseline")
    assert app.frame("worst_F_rel") is not None
    app.set("number_input", "gate.size", 2_000_000)
    assert not [d for d in app.at.dataframe if "worst_F_rel" in d.value.columns]


def test_fewer_records_are_drawn_and_the_same_seed_is_the_same_figure(app):
    app.demo().page("baseline")
    view(app, "Fewer records")
    assert "Nothing is drawn yet" in app.text()
    app.set("number_input", "baseline.repeats", 1).click("baseline.draw")
    first = app.frame("samples")
    whole = assess(demo.study(), SETTINGS).targets["abroad"]
    last = first[(first["share"] == 100) & (first["measure"] == "DiSCO")].iloc[0]
    assert last["mean"] == pytest.approx(whole.figures("DiSCO").mean())
    app.click("baseline.draw")
    assert app.frame("samples").equals(first)
    app.set("number_input", "baseline.draw_seed", 2)
    assert "Nothing is drawn yet" in app.text()


def test_released_together(app):
    app.demo().page("baseline")
    view(app, "Released together")
    result = assess(demo.study(), SETTINGS)
    expected = attributes_together(result).iloc[::-1]
    assert app.frame("pooled")["any"].tolist() == expected["any"].tolist()
    assert app.metrics()["In any"] == f"{identity_together(result)['any']:.2f} %"


def test_anonymity_and_the_population(app):
    app.demo().page("baseline")
    view(app, "Anonymity")
    expected = profile(demo.study(), SETTINGS)
    assert app.frame("smallest")["records"].tolist() == expected.under(5)["records"].tolist()
    assert "its size is not given" in app.text()
    view(app, "Membership").set("number_input", "gate.size", 1_000_000)
    view(app, "Anonymity")
    assert "They need not be unique in the population" in app.text()


def csv(frame):
    return frame.to_csv(index=False).encode()


def test_a_holdout_of_ones_own_and_one_that_does_not_fit(app):
    original, synthetic = demo.original().head(900), demo.syntheses()[0].head(900)
    app.upload(("a.csv", csv(original)), ("b.csv", csv(synthetic)))
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("baseline")
    app.at.file_uploader(key="baseline.holdout").set_value(("h.csv", b"sex\nf\n", "")).run()
    app.click("baseline.use")
    assert (
        "not in the training data, the holdout and the synthetic data alike" in app.text() or "left out" in app.text()
    )
    app.at.file_uploader(key="baseline.holdout").set_value(("h.csv", csv(demo.holdout()), "")).run()
    app.click("baseline.use")
    assert "**900** members, **1,250** non-members" in app.text()
    # Other data: the holdout goes with them.
    app.page("data").demo().page("baseline")
    assert "There is no holdout" in app.text()


def test_the_split_hands_out_both_parts(app):
    original, synthetic = demo.original().head(500), demo.syntheses()[0].head(500)
    app.upload(("a.csv", csv(original)), ("b.csv", csv(synthetic)))
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("baseline")
    app.set("number_input", "baseline.share", 75).set("number_input", "baseline.seed", 7)
    labels = [b.label for b in app.at.get("download_button")]
    assert labels == ["The training part", "The holdout part"]
    made = split(read(csv(original), "a.csv")[0].frame, 0.75, 7)
    assert (len(made.training), len(made.holdout)) == (375, 125)


def test_every_figure_of_this_page_can_be_printed(app):
    app.demo().page("report")
    before = set(app.at.selectbox(key="report.figure").options)
    assert "Who shares keys with how many" in before
    app.page("baseline").click("baseline.demo")
    view(app, "Membership").set("selectbox", "gate.same_population", "Yes").set("selectbox", "gate.news", "Yes")
    app.set("number_input", "gate.size", 1_000_000).click("baseline.search")
    view(app, "Fewer records").set("number_input", "baseline.repeats", 1).click("baseline.draw")
    app.page("report")
    more = set(app.at.selectbox(key="report.figure").options) - before
    assert more == {
        "Members and non-members, DiSCO", "Members and non-members, DCAP", "Membership by number of keys",
        *(f"Fewer records, {m} of abroad" for m in MEASURES),
    }  # fmt: skip
    for name in ("Members and non-members, DCAP", "Membership by number of keys", "Fewer records, TCAP of abroad"):
        app.set("selectbox", "report.figure", name)
