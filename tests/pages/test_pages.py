"""Each page in each of its states, with the figures that the core computes."""

# Inside: what stands around all that a page draws.

import json
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from disclosure_core import Exclusions, Pair, Settings, assess, demo
from pages.shared import tables
from tests.pages import conftest
from tests.pages.conftest import as_shown
from tests.written import fixed

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
    app.demo().page("keys").keys([]).page(page)
    assert "No keys are chosen yet" in app.text()


@pytest.mark.parametrize("page", ["review", "report", "safeguards", "analyses", "compare", "records"])
def test_without_targets_a_page_says_what_to_do(app, page):
    app.demo().page("keys").targets([]).page(page)
    assert "No targets are chosen yet" in app.text()


def test_the_first_page_opens_with_nothing_and_says_so(app):
    assert "First time here?" in app.text()
    assert not app.at.metric


def test_the_demonstration_survey_opens_in_one_click(app):
    app.demo()
    assert app.opened() == (
        "**the demonstration survey** · 5,000 original records · 5 syntheses of 5,000 · 14 columns in every file"
    )
    rows = app.part("data.columns")["rows"]
    assert [row["name"] for row in rows][:3] == ["sex", "age", "region"]
    assert [row["name"] for row in rows if row["cells"]["codes"].get("value")] == ["income"]
    assert app.column("income")["codes"]["value"] == "-8"


def test_missing_codes_change_the_groups(app):
    app.demo().page("keys")
    with_code = app.frame("level")
    app.page("data").codes(income="").page("keys")
    income = [d.value for d in app.at.dataframe if "level" in d.value.columns][1]
    assert "-8" not in income["level"].tolist()
    assert with_code is not income


def test_a_missing_code_that_is_not_there_is_a_sentence(app):
    app.demo().codes(income="−8, -99")
    assert "The missing code \\-99 does not occur in 'income'" in app.text()
    assert app.column("income")["codes"]["value"] == "-8"


def test_keys_and_targets(app):
    app.demo().page("keys")
    assert app.roles() == list(demo.KEYS)
    growth = app.frame("repU")
    assert growth["key"].tolist() == list(demo.KEYS)
    assert growth["UiO"].is_monotonic_increasing
    app.targets(["marital", "income"])
    app.page("review").open("review.targets")
    assert sorted(app.frame("synthetic")["target"]) == ["income", "marital"]
    # A target that becomes a key stops being a target.
    app.page("keys").keys(["sex", "marital"]).page("review")
    assert app.open("review.targets").frame("synthetic")["target"].tolist() == ["income"]


def test_groups_are_previewed(app):
    app.demo().page("keys")
    assert [h.value for h in app.at.subheader if h.value in ("bmi", "income")] == ["income", "bmi"]  # as they are asked
    app.groups(income="").groups(bmi=4)
    preview = app.frame("level")
    assert len(preview) == 5  # four intervals and missing
    assert preview["original"].sum() == 5000
    app.groups(bmi="", household=20)
    assert [app.cell(name, "groups")["value"] for name in ("bmi", "household")] == ["", "20 groups"]
    preview = app.frame("level")
    assert preview["original"].sum() == 5000
    assert (preview["original"] + preview["synthetic"] > 0).all()


@pytest.mark.parametrize("page", ["keys", "records", "analyses"])
def test_no_table_writes_a_number_as_the_browser_of_some_country_would(app, page):
    """3.000 records in German beside 3,000 in a sentence would be read as three."""
    app.demo()
    app.session.analysis = "combined-release"
    tables = app.page(page).at.dataframe
    formats = [form for d in tables for form in re.findall(r'"format": ?"([^"]*)"', d.proto.columns)]
    assert formats
    assert all(re.fullmatch(r"%\+?\.\d+f|%d", form) for form in formats), formats


def test_keys_show_the_identity_figures_of_the_core(app, expected):
    app.demo().page("keys")
    identity = expected.identity.mean()
    assert app.metrics() == {name: f"{fixed(identity[name])} %" for name in ("UiO", "repU")}
    assert len(app.at.header) == 3, "what the keys count, without which they count less, and which of them matter"
    low, high = (fixed(figure) for figure in (expected.identity["repU"].min(), expected.identity["repU"].max()))
    said = app.text().replace("\\", "")
    assert "**About 1 in 4** of the people are alone with these keys: 1,253 of 5,000." in said
    assert f"match exactly one synthetic record: mean 352 of 5,000; syntheses {low} to {high} %." in said
    assert "Without age, repU falls from 7.03 to 0.00 %" in said
    every = next(d.value for d in app.at.dataframe if "UiS" in d.value.columns and "synthesis" in d.value.columns)
    assert every["UiOiS"].tolist() == as_shown(expected.identity["UiOiS"].tolist())


@pytest.mark.parametrize("measure", ["DiSCO", "DiSDiO", "DCAP"])
def test_all_targets_are_shown_as_the_core_says(app, expected, measure):
    app.demo().page("review").act("review.bench", {"measure": measure}).open("review.targets")
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
    assert app.looked_at() == gains.idxmax() == "marital"


def test_another_order_is_chosen_and_kept(app, expected):
    """A view: it moves no figure, orders the rows, and stays when something is left out."""
    app.demo().page("review").act("review.bench", {"order": "figure"}).open("review.targets")
    largest = expected.summary()["target"].tolist()[::-1]
    assert app.frame("synthetic")["target"].tolist() == largest
    assert [row["target"] for row in app.part("review.bench")["rows"]] == largest
    app.exclude("abroad = No").page("keys").page("review").open("review.targets")
    assert app.frame("synthetic")["target"].tolist() == largest
    app.act("review.bench", {"order": "data"}).open("review.targets")
    assert app.frame("synthetic")["target"].tolist() == list(expected.targets)
    app.act("review.bench", {"order": "beyond"}).open("review.targets")
    beyond = expected.summary().set_index("target")["beyond"]
    assert app.frame("synthetic")["target"].tolist() == beyond.sort_values(ascending=False).index.tolist()


def assessed(**exclusions):
    return assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(**exclusions)))


def test_one_click_leaves_out_what_the_1_way_check_found(app):
    app.demo().page("review").exclude("abroad = No")
    assert "1 excluded (1 without reason)" in app.text()
    app.reason("abroad = No", "nearly all stay").tab("review.view", "Figures")
    left_out = assessed(target_levels={"abroad": ("No",)}).targets["abroad"]
    table = app.frame("after").set_index("measure")
    assert table.loc["DiSCO", "after"] == as_shown(left_out.figures("DiSCO").mean())
    assert table.loc["DiSCO", "before"] > table.loc["DiSCO", "after"]
    assert app.part("review.card")["bar"]["figure"] == f"{fixed(left_out.figures('DiSCO').mean(), 1)}\xa0%"
    taken = app.frame("remaining").set_index("measure")
    assert taken.loc["DiSCO", "target level"] > 0
    assert taken.loc["DiSCO"].sum() == pytest.approx(table.loc["DiSCO", "before"] * 50, abs=0.25)
    assert "1 excluded (with reasons)" in app.page("report").text()


@pytest.mark.parametrize(
    ("name", "exclusions"),
    [
        ("abroad missing", {"missing_targets": {"abroad"}}),
        ("denominators", {"denominator_limit": 3}),
        ("abroad = No", {"target_levels": {"abroad": ("No",)}}),
        ("sex = Female, abroad = No", {"pairs": {"abroad": (FEMALE_NO,)}}),
    ],
)
def test_each_exclusion_moves_the_figures_as_the_core_says(app, name, exclusions):
    app.demo().page("review")
    if name == "denominators":
        app.set("number_input", "review.limit", 3)
        app.set("text_input", "review.why.denominators", "it is known")
    else:
        app.exclude(name).reason(name, "it is known")
    app.tab("review.view", "Figures")
    after = assessed(**exclusions)
    table = app.frame("after").set_index("measure")["after"]
    for measure in ("Dorig", "DiSCO", "DCAPd"):
        assert table[measure] == as_shown(after.targets["abroad"].figures(measure).mean())
    # A switch survives a change of page.
    app.page("keys").page("review")
    if name == "denominators":
        assert app.at.number_input(key="review.limit").value == 3
    else:
        assert app.excludable()[name]["on"]


def test_missing_values_of_a_key_that_has_some_are_excluded_and_no_other_key_is_offered(app):
    keys = ("sex", "age", "education", "marital")
    app.demo().page("keys").keys(list(keys)).page("review")
    app.look("abroad")
    assert app.at.multiselect(key="review.missing_keys").options == ["education", "marital"]
    before = app.part("review.card")["bar"]["figure"]
    app.set("multiselect", "review.missing_keys", ["education"])
    app.set("text_input", "review.why.missing keys", "it is known")
    out = Exclusions(missing_keys={"education"})
    after = assess(demo.study(), Settings(keys=keys, groups=demo.GROUPS, exclusions=out)).targets["abroad"]
    assert app.part("review.card")["bar"]["figure"] == f"{fixed(after.figures('DiSCO').mean(), 1)}\xa0%" != before
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
    assert app.session.settings.exclusions.denominator_limit == 3
    app.set("number_input", "review.limit", None)
    assert app.session.settings.exclusions.denominator_limit is None


def test_thresholds_move_the_flags(app):
    app.demo().page("review").open("review.flags").set("number_input", "review.one_way.0", 4000)
    asked = [n.key for n in app.at.number_input if "_way" in n.key]
    assert asked == [f"review.{check}.{at}" for check in ("one_way", "two_way") for at in (0, 1)]
    assert "No 1-way flag: no level has more than 4,000 records" in app.text()
    app.open("review.flags").click("review.defaults")
    assert "disclosive records (99.2" in app.text()


def test_changing_keys_drops_what_no_longer_fits_and_says_so(app):
    app.demo().page("keys").keys(["sex", "education"]).page("review")
    app.set("multiselect", "review.missing_keys", ["education"])
    app.page("keys").keys(["sex", "marital"]).page("review")
    assert app.session.settings.exclusions.missing_keys == frozenset()
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
    app.demo().page("review").exclude("abroad = No").page("data").demo().click("replace.open").page("review").look(
        "abroad"
    )
    assert app.excludable()["abroad = No"]["on"] is False


def test_a_script_that_draws_nothing_is_noticed(monkeypatch, tmp_path):
    """As `app.py` would be: it runs without an error in AppTest, and would let every test of absence pass."""
    assert conftest.App().at.title[0].value == "Data"
    (tmp_path / "app.py").write_text("import streamlit as st\n\napp = st.App('pages/navigation.py')\n")
    monkeypatch.setattr(conftest, "APP", tmp_path / "app.py")
    with pytest.raises(AssertionError, match="nothing was drawn"):
        conftest.App()


def test_review_has_its_title_before_there_are_keys(app):
    assert [t.value for t in app.page("review").at.title] == ["Review"]
    app.page("data").demo().page("keys").keys([])
    assert [t.value for t in app.page("review").at.title] == ["Review"]
    app.page("keys").keys(["sex"])
    assert [t.value for t in app.page("review").at.title] == ["Review"]


def test_of_a_table_with_more_rows_than_have_room_a_part_of_the_next_is_seen(monkeypatch):
    told = []
    monkeypatch.setattr("streamlit.dataframe", lambda *_, height, **more: told.append(height))
    for n in (3, 8, 9, 90):
        tables.table(pd.DataFrame({"a": range(n)}), "rows", rows=8)
    heads, row = 35, 35
    assert told[:2] == ["content"] * 2
    assert heads + 8 * row < told[2] == told[3] < heads + 9 * row


def test_what_nobody_expected_is_logged_by_its_kind_and_place_alone(caplog):
    def script():
        from pages.shared import show

        with show.explained():
            raise KeyError("Zzyzx")

    app = AppTest.from_function(script).run()
    assert "went wrong on our side" in app.error[0].value
    assert "unexpected KeyError at " in caplog.text
    assert "Zzyzx" not in caplog.text
