"""Each page in each of its states, with the figures that the core computes."""

import json
import re

import pytest

from disclosure_core import Exclusions, Pair, Settings, assess
from disclosure_core.data import demo
from disclosure_core.rounding import fixed
from tests.pages import conftest
from tests.pages.conftest import as_shown

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)
FEMALE_NO = Pair("sex", "Female", "No")


@pytest.fixture(scope="module")
def expected():
    return assess(demo.study(), SETTINGS)


@pytest.mark.parametrize("page", ["keys", "review", "report"])
def test_without_data_a_page_says_what_to_do(app, page):
    app.page(page)
    assert "There are no data yet" in app.text()


@pytest.mark.parametrize("page", ["review", "report"])
def test_without_keys_a_page_says_what_to_do(app, page):
    app.demo().page("keys").set("multiselect", "keys.keys", []).page(page)
    assert "No keys are chosen yet" in app.text()


@pytest.mark.parametrize("page", ["review", "report", "safeguards", "baseline", "compare", "records"])
def test_without_targets_a_page_says_what_to_do(app, page):
    app.demo().page("keys").set("toggle", "keys.all", False).set("multiselect", "keys.targets", []).page(page)
    assert "No targets are chosen yet" in app.text()


def test_the_first_page_opens_with_nothing_and_says_so(app):
    assert "First time here?" in app.text()
    assert not app.at.metric


def test_the_demonstration_survey_opens_in_one_click(app):
    app.demo()
    assert app.opened() == (
        "**the demonstration survey** · 5,000 original records · 5 syntheses of 5,000 · 14 columns in every file"
    )
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
    app.page("review").open("review.targets")
    assert sorted(app.frame("synthetic")["target"]) == ["income", "marital"]
    # A target that becomes a key stops being a target.
    app.page("keys").set("multiselect", "keys.keys", ["sex", "marital"]).page("review")
    assert app.open("review.targets").frame("synthetic")["target"].tolist() == ["income"]


def test_groups_are_previewed(app):
    app.demo().page("keys")
    assert [h.value for h in app.at.subheader if h.value in ("bmi", "income")] == ["income", "bmi"]  # as they are asked
    app.set("multiselect", "keys.grouped", ["bmi"]).set("number_input", "keys.groups.bmi", 4)
    preview = app.frame("level")
    assert len(preview) == 5  # four intervals and missing
    assert preview["original"].sum() == 5000
    app.set("multiselect", "keys.grouped", ["household"])
    assert app.at.number_input(key="keys.groups.household").value == 20  # as many as the paper's examples ask for
    preview = app.frame("level")
    assert preview["original"].sum() == 5000
    assert (preview["original"] + preview["synthetic"] > 0).all()


@pytest.mark.parametrize("page", ["keys", "records", "baseline"])
def test_no_table_writes_a_number_as_the_browser_of_some_country_would(app, page):
    """3.000 records in German beside 3,000 in a sentence would be read as three."""
    tables = app.demo().page(page).at.dataframe
    formats = [form for d in tables for form in re.findall(r'"format": ?"([^"]*)"', d.proto.columns)]
    assert formats
    assert all(re.fullmatch(r"%\+?\.\d+f|%d", form) for form in formats), formats


def test_keys_show_the_identity_figures_of_the_core(app, expected):
    app.demo().page("keys")
    identity = expected.identity.mean()
    assert app.metrics() == {name: f"{fixed(identity[name])} %" for name in ("UiO", "UiS", "UiOiS", "repU")}
    ends = {
        name: (fixed(each.min()), fixed(each.max())) for name, each in expected.identity[list(app.metrics())].items()
    }
    assert {m.label: m.delta for m in app.at.metric} == {
        name: f"{low} to {high}" if low != high else "" for name, (low, high) in ends.items()
    }
    assert {low == high for low, high in ends.values()} == {True, False}


@pytest.mark.parametrize("measure", ["DiSCO", "DiSDiO", "DCAP"])
def test_all_targets_are_shown_as_the_core_says(app, expected, measure):
    app.demo().page("review").set("radio", "review.measure", measure).open("review.targets")
    summary, shown = expected.summary(measure).sort_values("gain", ascending=False), app.frame("synthetic")
    assert shown["target"].tolist() == summary["target"].tolist()
    for column in ("original", "synthetic", "gain", "kappa", "beyond", "claims_right", "best_guess", "chance"):
        assert shown[column].tolist() == pytest.approx(as_shown(summary[column].tolist()), nan_ok=True)
    flags = shown.set_index("target")
    assert flags.loc["abroad", ["one_way", "two_way"]].tolist() == ["“No”", "55 pairs"]
    assert [bool(a) for a in flags["one_way"]] == [n > 0 for n in summary["one_way"]]


def test_review_opens_on_the_target_with_most_to_learn_beyond_chance(app, expected):
    app.demo(None).page("review")
    gains = expected.summary().set_index("target")["gain"]
    assert app.at.selectbox(key="review.target").value == gains.idxmax() == "marital"


def test_another_order_is_chosen_and_kept(app, expected):
    """A view: it moves no figure, leads the same selectbox, and stays when something is left out."""
    app.demo().page("review").set("selectbox", "review.order", "figure").open("review.targets")
    largest = expected.summary()["target"].tolist()[::-1]
    assert app.frame("synthetic")["target"].tolist() == largest
    assert [word.split(" · ")[0] for word in app.at.selectbox(key="review.target").options] == largest
    app.set("toggle", "review.out.abroad = No", True).page("keys").page("review").open("review.targets")
    assert app.frame("synthetic")["target"].tolist() == largest
    app.set("selectbox", "review.order", "data")
    assert app.frame("synthetic")["target"].tolist() == list(expected.targets)
    app.set("selectbox", "review.order", "beyond")
    beyond = expected.summary().set_index("target")["beyond"]
    assert app.frame("synthetic")["target"].tolist() == beyond.sort_values(ascending=False).index.tolist()


def assessed(**exclusions):
    return assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(**exclusions)))


def test_one_click_leaves_out_what_the_1_way_check_found(app):
    app.demo().page("review").set("toggle", "review.out.abroad = No", True)
    assert "1 excluded, 1 without reason" in app.text()
    app.set("text_input", "review.why.abroad = No", "nearly all stay").tab("review.view", "Figures")
    left_out = assessed(target_levels={"abroad": ("No",)}).targets["abroad"]
    table = app.frame("after").set_index("measure")
    assert table.loc["DiSCO", "after"] == as_shown(left_out.figures("DiSCO").mean())
    assert table.loc["DiSCO", "before"] > table.loc["DiSCO", "after"]
    assert app.metrics()["DiSCO"] == f"{fixed(left_out.figures('DiSCO').mean())} %"
    taken = app.frame("remaining").set_index("measure")
    assert taken.loc["DiSCO", "target level"] > 0
    assert taken.loc["DiSCO"].sum() == pytest.approx(table.loc["DiSCO", "before"] * 50, abs=0.25)
    assert "1 excluded, with reasons" in app.page("report").text()


@pytest.mark.parametrize(
    ("kind", "key", "value", "name", "exclusions"),
    [
        ("toggle", "review.out.abroad missing", True, "abroad missing", {"missing_targets": {"abroad"}}),
        ("number_input", "review.limit", 3, "denominators", {"denominator_limit": 3}),
        ("toggle", "review.out.abroad = No", True, "abroad = No", {"target_levels": {"abroad": ("No",)}}),
        ("checkbox", "review.out.sex = Female, abroad = No", True, "sex = Female, abroad = No",
         {"pairs": {"abroad": (FEMALE_NO,)}}),
    ],
)  # fmt: skip
def test_each_exclusion_moves_the_figures_as_the_core_says(app, kind, key, value, name, exclusions):
    app.demo().page("review").set(kind, key, value).set("text_input", f"review.why.{name}", "it is known")
    app.tab("review.view", "Figures")
    after = assessed(**exclusions)
    table = app.frame("after").set_index("measure")["after"]
    for name in ("Dorig", "DiSCO", "DCAPd"):
        assert table[name] == as_shown(after.targets["abroad"].figures(name).mean())
    # A switch survives a change of page.
    app.page("keys").page("review")
    assert getattr(app.at, kind)(key=key).value == value


def test_missing_values_of_a_key_that_has_some_are_excluded_and_no_other_key_is_offered(app):
    keys = ("sex", "age", "education", "marital")
    app.demo().page("keys").set("multiselect", "keys.keys", list(keys)).page("review")
    app.set("selectbox", "review.target", "abroad")
    assert app.at.multiselect(key="review.missing_keys").options == ["education", "marital"]
    before = app.metrics()["DiSCO"]
    app.set("multiselect", "review.missing_keys", ["education"])
    app.set("text_input", "review.why.missing keys", "it is known")
    out = Exclusions(missing_keys={"education"})
    after = assess(demo.study(), Settings(keys=keys, groups=demo.GROUPS, exclusions=out)).targets["abroad"]
    assert app.metrics()["DiSCO"] == f"{fixed(after.figures('DiSCO').mean())} %" != before
    app.page("keys").page("review")
    assert app.at.multiselect(key="review.missing_keys").value == ["education"]


def test_no_missing_value_of_a_key_can_be_excluded_where_none_has_any(app):
    app.demo().page("review")
    assert "review.missing_keys" not in [field.key for field in app.at.multiselect]
    assert "No key has missing values." in [caption.value for caption in app.at.caption]


def test_there_is_no_limit_until_one_is_set_and_it_goes_again(app):
    app.demo().page("review")
    assert app.at.number_input(key="review.limit").value is None
    app.set("number_input", "review.limit", 3)
    assert app.at.session_state["session"].settings.exclusions.denominator_limit == 3
    app.set("number_input", "review.limit", None)
    assert app.at.session_state["session"].settings.exclusions.denominator_limit is None


def test_thresholds_move_the_flags(app):
    app.demo().page("review").open("review.flags").set("number_input", "review.one_way.0", 4000)
    asked = [n.key for n in app.at.number_input if "_way" in n.key]
    assert asked == [f"review.{check}.{at}" for check in ("one_way", "two_way") for at in (0, 1)]
    assert "No 1-way flag: no level has more than 4,000 records" in app.text()
    app.open("review.flags").click("review.defaults")
    assert "disclosive records (99.2" in app.text()


def test_changing_keys_drops_what_no_longer_fits_and_says_so(app):
    app.demo().page("keys").set("multiselect", "keys.keys", ["sex", "education"]).page("review")
    app.set("multiselect", "review.missing_keys", ["education"])
    app.page("keys").set("multiselect", "keys.keys", ["sex", "marital"]).page("review")
    assert app.at.session_state["session"].settings.exclusions.missing_keys == frozenset()
    assert app.at.multiselect(key="review.missing_keys").value == []


def test_larger_type_makes_words_and_figures_larger_by_as_much(app):
    def height() -> float:
        return json.loads(app.at.get("plotly_chart")[0].proto.spec)["layout"]["height"]

    def words() -> list[str]:
        return re.findall(r"html \{ font-size: (\d+)%", " ".join(part.proto.body for part in app.at.get("html")))

    app.demo().page("compare")
    before = height()
    assert not words()
    app.set("toggle", "larger", True)
    (percent,) = words()
    assert int(percent) > 100
    assert height() == pytest.approx(before * int(percent) / 100)
    app.set("toggle", "larger", False)
    assert (height(), words()) == (before, [])


def test_opening_other_data_forgets_the_old_settings(app):
    app.demo().page("review").set("toggle", "review.out.abroad = No", True).page("data").demo().click(
        "replace.open"
    ).page("review").set("selectbox", "review.target", "abroad")
    assert app.at.toggle(key="review.out.abroad = No").value is False


def test_a_script_that_draws_nothing_is_noticed(monkeypatch, tmp_path):
    """As `app.py` would be: it runs without an error in AppTest, and would let every test of absence pass."""
    assert conftest.App().at.title[0].value == "Data"
    (tmp_path / "app.py").write_text("import streamlit as st\n\napp = st.App('pages/navigation.py')\n")
    monkeypatch.setattr(conftest, "APP", tmp_path / "app.py")
    with pytest.raises(AssertionError, match="nothing was drawn"):
        conftest.App()


def test_review_has_its_title_before_there_are_keys(app):
    assert [t.value for t in app.page("review").at.title] == ["Review"]
    app.page("data").demo().page("keys").set("multiselect", "keys.keys", [])
    assert [t.value for t in app.page("review").at.title] == ["Review"]
    app.page("keys").set("multiselect", "keys.keys", ["sex"])
    assert [t.value for t in app.page("review").at.title] == ["Review"]
