"""Subsets of the keys and the threshold, on their pages, with the figures that the core computes."""

# Inside: a search of a session is stopped between two steps.

import pandas as pd
import pytest

from disclosure_core import Exclusions, Settings, Study, assess, demo, search_subsets, start_demonstration
from disclosure_core.conclusions.guess import in_order
from disclosure_core.sensitivity import threshold
from pages.shared import open_review, searching
from tests.pages.conftest import as_shown
from tests.written import fixed

pytestmark = pytest.mark.slow

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def searched():
    return search_subsets(demo.study(), SETTINGS)


@pytest.fixture(scope="module")
def expected():
    return assess(demo.study(), SETTINGS)


def test_subsets_are_searched_when_asked_and_kept(app, searched):
    app.demo().page("keys")
    assert not any("alone" in d.value.columns for d in app.at.dataframe)
    app.click("keys.search_targets")
    table = app.frame("alone")
    assert table.to_dict() == as_shown(searched.each_key("repU").to_dict())
    assert "No subset discloses more than all 4 keys: repU is 7.03 %. 15 of 15 subsets searched." in app.text().replace(
        "\\", ""
    )
    app.set("selectbox", "keys.given_away", "DiSCO of marital")
    assert app.frame("alone").to_dict() == as_shown(searched.each_key("DiSCO", "marital").to_dict())
    subsets = app.frame("DiSCO")
    assert len(subsets) == 15
    assert subsets["DiSCO"].tolist() == as_shown(sorted(searched.of("marital")["DiSCO"], reverse=True))
    # It is still there after another page, and after a threshold of the checks, on which it does not rest.
    app.page("review").open("review.flags").set("number_input", "review.one_way.0", 4000).page("keys")
    assert len(app.frame("alone")) == 4


def test_the_worst_subset_is_named(app):
    keys = ("sex", "age", "region", "settlement", "education", "marital")
    settings = Settings(keys=keys, targets=("abroad",), groups=demo.GROUPS)
    worst = search_subsets(demo.study(), settings).worst("repU")
    assert len(worst.keys) < len(keys)
    app.demo().page("keys").targets(["abroad"])
    app.keys(list(keys)).page("keys").click("keys.search_targets")
    names = ", ".join(worst.keys)
    said = f"The worst subset is {names}: repU is {worst.figure:.2f} %, against {worst.all_keys:.2f} % with all 6 keys."
    assert said in app.text().replace("\\", "")


def test_of_subsets_that_disclose_nothing_none_is_the_worst():
    rows = pd.DataFrame({"a": list("xxyy"), "b": list("uvuv"), "t": list("pqpq")})
    found = search_subsets(Study(rows, [rows.assign(t=list("pqqp"))]), Settings(keys=("a",), targets=("t",)))
    assert searching.worst_said(found, "DiSCO", "t") == "No subset discloses anything: DiSCO of t is 0."


def test_a_search_is_of_what_is_asked_now(app):
    app.demo().page("keys").click("keys.search_targets").page("review").exclude("abroad = No").page("keys")
    assert not any("alone" in d.value.columns for d in app.at.dataframe)
    app.click("keys.search_targets").set("selectbox", "keys.given_away", "DiSCO of abroad")
    out = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(target_levels={"abroad": ("No",)}))
    assert app.frame("alone").to_dict() == as_shown(
        search_subsets(demo.study(), out).each_key("DiSCO", "abroad").to_dict()
    )


@pytest.mark.parametrize("change", ["other data", "a missing code"])
def test_a_search_dies_with_the_data(app, change):
    app.demo().page("keys").click("keys.search_targets").page("data")
    if change == "other data":
        app.demo().click("replace.open")
    else:
        app.codes(income="")
    app.page("keys")
    assert not any("alone" in d.value.columns for d in app.at.dataframe)


def test_the_keys_alone_are_searched_at_once(app, searched):
    app.demo().question("number-of-keys")
    table = app.frame("n_searched")
    for measure, end in (("UiO", ""), ("repU", "_repU")):
        rows = searched.by_size(measure)
        for what in ("mean", "min", "max"):
            assert table[what + end].tolist() == as_shown(rows[what].tolist())
    assert table["n_keys"].tolist() == [1, 2, 3, 4]


def test_many_keys_are_searched_when_asked(app):
    keys = list(demo.study().columns)[:9]
    app.demo().page("keys").keys(keys).question("number-of-keys")
    assert not any("n_searched" in d.value.columns for d in app.at.dataframe)
    app.click("keys.search")
    assert app.frame("n_searched")["n_searched"].sum() == 511
    assert "511 of 511 subsets searched." in app.text()


def test_a_threshold_moves_figures_and_says_that_they_are_not_disco(app, expected):
    app.demo().page("review").tab("review.view", "τ")
    assert app.at.toggle(key="review.less").value is False
    assert "not DiSCO" not in app.text()
    app.set("toggle", "review.less", True).set("slider", "review.tau", 0.3)
    assert "Figures at τ = 0.3 are **not DiSCO**" in app.text()
    assert "every claim that is at least 30 % sure." in app.text()
    app.act("review.bench", {"measure": "At τ"}).open("review.targets")
    order = [name for name, _ in in_order(expected)]
    summary = threshold.summary(expected, 0.3).set_index("target").loc[order]
    shown = app.frame("one_way")
    assert shown["target"].tolist() == order
    assert shown["synthetic"].tolist() == as_shown(summary["synthetic"].tolist())
    # It stays while other pages are looked at, and goes when it is switched off.
    app.page("keys").page("review").tab("review.view", "τ")
    assert app.at.slider(key="review.tau").value == 0.3
    app.set("toggle", "review.less", False).open("review.targets")
    assert app.frame("one_way")["synthetic"].tolist() == as_shown(
        expected.summary().set_index("target").loc[order, "synthetic"].tolist()
    )


def test_the_ends_are_said_to_be_the_published_measures(app):
    app.demo().page("review").tab("review.view", "τ").set("toggle", "review.less", True)
    app.set("slider", "review.tau", 1.0)
    assert "At τ = 1 the figures are Dorig and DiSCO, as published" in app.text()
    app.set("slider", "review.tau", 0.0)
    assert "At τ = 0 the figures are CAPd and DCAPd, as published" in app.text()
    app.set("number_input", "review.limit", 1).set("text_input", "review.why.denominators", "as synthpop has it")
    assert "At τ = 0 the figures are CAPd and DCAPd only where nothing is excluded" in app.text()
    app.set("slider", "review.tau", 1.0)
    assert "At τ = 1 the figures are Dorig and DiSCO, as published" in app.text()


def test_the_curve_of_the_target(app, expected):
    app.demo().page("review").tab("review.view", "τ")
    first = expected.summary()["target"].iloc[-1]
    whole = threshold.curve(expected.targets[first]).set_index("tau")["synthetic"]
    assert f"from {fixed(whole[0.0])} to {fixed(whole[1.0])}" in app.drawn()["review.tau.curve"]
    app.page("analyses").click("analyses.open.tau")
    row = app.frame("τ = 1").set_index("target").loc[first]
    assert [row[f"τ = {tau}"] for tau in ("0.5", "0.8")] == as_shown([whole[tau] for tau in (0.5, 0.8)])


def test_what_was_searched_can_be_printed_and_is_reported(app):
    app.demo().page("report")
    first = app.at.selectbox(key="report.figure").options
    assert "How sure a claim must be" in first
    assert not {"Which keys matter, repU", "How many keys it takes"} & set(first)
    app.page("keys").click("keys.search_targets").page("review").tab("review.view", "τ").set(
        "toggle", "review.less", True
    )
    app.page("report")
    new = set(app.at.selectbox(key="report.figure").options) - set(first)
    assert new == {
        "Which keys matter, repU", "Which keys matter, DiSCO", "How many keys it takes", "Disclosure by claims at least τ sure"
    }  # fmt: skip
    for name in (*new, "How sure a claim must be", "How sure a claim must be, every target"):
        app.set("selectbox", "report.figure", name)


def test_a_search_that_is_stopped_leaves_nothing():
    s = open_review.Session(start_demonstration())
    s.ask(SETTINGS)

    def stop(done: int, of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        s.now.subsets(stop)
    assert s.now.finished_subsets() is None
    found = s.now.subsets()
    assert s.now.finished_subsets() is None  # until the review says that it was made
    s.update(searched=frozenset({"subsets"}))
    assert s.now.finished_subsets() is found
    assert s.now.finished_subsets(attributes=False) is found  # it holds what a search of the keys alone would
    assert s.now.subsets(attributes=False) is found
