"""Each page in each of its states, with the figures that the core computes."""

import pytest

from disclosure_core import Exclusions, Pair, Settings, assess, demo

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)
FEMALE_NO = Pair("sex", "Female", "No")


@pytest.fixture(scope="module")
def expected():
    return assess(demo.study(), SETTINGS)


@pytest.mark.parametrize("page", ["keys", "risk", "review"])
def test_without_data_a_page_says_what_to_do(app, page):
    app.page(page)
    assert "There are no data yet" in app.text()


@pytest.mark.parametrize("page", ["risk", "review"])
def test_without_keys_a_page_says_what_to_do(app, page):
    app.demo().page("keys").set("multiselect", "keys.keys", []).page(page)
    assert "No keys are chosen yet" in app.text()


def test_the_first_page_opens_with_nothing_and_says_so(app):
    assert "First time here?" in app.text()
    assert not app.at.metric


def test_the_demonstration_survey_opens_in_one_click(app):
    app.demo()
    assert app.metrics() == {
        "Original": "5,000", "Synthetic": "5,000", "Syntheses": "5", "Columns": "14"
    }  # fmt: skip
    columns = app.frame("levels_original")
    assert columns["column"].tolist()[:3] == ["sex", "age", "region"]
    assert app.at.multiselect(key="data.coded").value == ["income"]
    assert app.at.multiselect(key="data.codes.income").value == ["-8"]


def test_missing_codes_change_the_groups(app):
    app.demo().page("keys")
    with_code = app.frame("level")
    app.page("data").set("multiselect", "data.coded", []).page("keys")
    income = [d.value for d in app.at.dataframe if "level" in d.value.columns][1]
    assert "-8" not in income["level"].tolist()
    assert with_code is not income


def test_a_missing_code_that_is_not_there_is_a_sentence(app):
    app.demo().set("multiselect", "data.codes.income", ["-8", "-99"])
    assert "The missing code \\-99 does not occur in 'income'" in app.text()
    assert app.at.multiselect(key="data.codes.income").value == ["-8"]


def test_keys_and_targets(app):
    app.demo().page("keys")
    assert app.at.multiselect(key="keys.keys").value == list(demo.KEYS)
    growth = app.frame("repU")
    assert growth["key"].tolist() == list(demo.KEYS)
    assert growth["UiO"].is_monotonic_increasing
    app.set("toggle", "keys.all", False).set("multiselect", "keys.targets", ["marital", "income"])
    app.page("risk")
    assert sorted(app.frame("synthetic")["target"]) == ["income", "marital"]
    # A target that becomes a key stops being a target.
    app.page("keys").set("multiselect", "keys.keys", ["sex", "marital"]).page("risk")
    assert app.frame("synthetic")["target"].tolist() == ["income"]


def test_groups_are_previewed(app):
    app.demo().page("keys").set("number_input", "keys.groups.bmi", 4)
    preview = app.frame("level")
    assert len(preview) == 5  # four intervals and missing
    assert preview["original"].sum() == 5000


def test_risk_shows_the_figures_of_the_core(app, expected):
    app.demo().page("risk")
    identity = expected.identity.mean()
    assert app.metrics() == {name: f"{identity[name]:.2f} %" for name in ("UiO", "UiS", "UiOiS", "repU")}
    summary = expected.summary().iloc[::-1]
    shown = app.frame("synthetic")
    assert shown["target"].tolist() == summary["target"].tolist()
    assert shown["synthetic"].tolist() == summary["synthetic"].tolist()


@pytest.mark.parametrize("measure", ["DiSDiO", "DCAP"])
def test_the_measure_can_be_changed(app, expected, measure):
    app.demo().page("risk")
    app.at.radio(key="risk.measure").set_value(measure).run()
    assert app.sound().frame("synthetic")["synthetic"].tolist() == expected.summary(measure)["synthetic"].tolist()[::-1]


def test_review_opens_on_the_target_with_most_to_learn(app, expected):
    app.demo().page("review")
    assert app.at.selectbox(key="review.target").value == expected.summary()["target"].iloc[-1] == "abroad"
    assert "the level **No** carries" in app.text()


def test_one_click_leaves_out_what_the_1_way_check_found(app):
    app.demo().page("review").click("review.leave_out")
    assert app.at.multiselect(key="review.levels").value == ["No"]
    assert "With what is left out, no single level carries the disclosure" in app.text()
    left_out = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(
        target_levels={"abroad": ("No",)})))  # fmt: skip
    table = app.frame("after").set_index("measure")
    assert table.loc["DiSCO", "after"] == left_out.targets["abroad"].figures("DiSCO").mean()
    assert table.loc["DiSCO", "before"] > table.loc["DiSCO", "after"]
    taken = app.frame("remaining").set_index("measure")
    assert taken.loc["DiSCO", "target level"] > 0
    assert taken.loc["DiSCO"].sum() == pytest.approx(table.loc["DiSCO", "before"] * 50)
    app.page("risk")
    assert "left out: 1 level of abroad" in app.text()


@pytest.mark.parametrize(
    ("kind", "key", "value", "exclusions"),
    [
        ("toggle", "review.missing", True, {"missing_targets": {"abroad"}}),
        ("multiselect", "review.missing_keys", ["employment"], {"missing_keys": {"employment"}}),
        ("toggle", "review.limited", True, {"denominator_limit": 1}),
        ("multiselect", "review.levels", ["Yes"], {"target_levels": {"abroad": ("Yes",)}}),
        ("multiselect", "review.pairs.abroad", ["2: sex Female → No"], {"pairs": {"abroad": (FEMALE_NO,)}}),
    ],
)
def test_each_exclusion_moves_the_figures_as_the_core_says(app, kind, key, value, exclusions):
    app.demo().page("review").set(kind, key, value)
    after = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(**exclusions)))
    table = app.frame("after").set_index("measure")["after"]
    for name in ("Dorig", "DiSCO", "DCAPd"):
        assert table[name] == after.targets["abroad"].figures(name).mean()
    # A switch survives a change of page.
    app.page("risk").page("review")
    assert getattr(app.at, kind)(key=key).value == value


def test_the_limit_can_be_chosen(app):
    app.demo().page("review").set("toggle", "review.limited", True).set("number_input", "review.limit", 3)
    app.page("risk")
    assert "denominators over 3" in app.text()


def test_thresholds_move_the_flags(app):
    app.demo().page("review").set("number_input", "review.one_way.0", 4000)
    assert "No single level carries the disclosure" in app.text()
    app.click("review.defaults")
    assert "the level **No** carries" in app.text()


def test_changing_keys_drops_what_no_longer_fits_and_says_so(app):
    app.demo().page("review").set("multiselect", "review.missing_keys", ["employment"])
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("review")
    assert app.at.multiselect(key="review.missing_keys").value == []


def test_opening_other_data_forgets_the_old_settings(app):
    app.demo().page("review").click("review.leave_out").page("data").demo().page("review")
    assert app.at.multiselect(key="review.levels").value == []
