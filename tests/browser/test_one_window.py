"""Each page in one window: the status bar at one place, and what a person changes in sight of what that moves."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_bench import in_sight, scrolls

SIZES = ((1440, 900), (1366, 640), (1024, 640))
"""The last two are what a laptop of 1366 × 768 and a window of 1024 × 768 leave of the page."""

TABLE, FIGURE = "[data-testid=stDataFrame]", ".js-plotly-plot"
PAGES = {
    "Data": ('[class*="st-key-data-assumed"]', f"{TABLE}"),
    "Keys": (".st-key-keys-keys", "[data-testid=stMetric]"),
    "Records": (".st-key-review-target", TABLE),
    "Safeguards": (".st-key-safe-add", f".st-key-pane-page-safeguards-1 {TABLE}"),
    "Baseline": (".st-key-baseline-measure", FIGURE),
    "Compare": (".st-key-compare-risk", FIGURE),
    "Report": (".st-key-report-title", TABLE),
}
"""By page, what is changed there and what that moves."""

pytestmark = pytest.mark.slow


def begins_in_sight(tab, locator) -> bool:
    """Return whether 150 points of something, from its top, stand in the window: a table scrolls inside."""
    box = locator.bounding_box()
    assert box is not None
    return box["y"] > 0 and box["y"] + min(box["height"], 150) <= tab.page.viewport_size["height"]


@pytest.fixture(scope="module")
def demo(visit_all, address):
    tab = visit_all(address, width=1440, height=900).press("Open the demonstration survey")
    tab.go("Safeguards").press("Try it")
    return tab.go("Baseline").press("Bring a holdout").press("Take the survey's own holdout")


@pytest.mark.parametrize("size", SIZES, ids=["x".join(map(str, size)) for size in SIZES])
def test_what_is_changed_stands_in_one_window_with_what_it_moves(demo, size):
    tab, bars = demo, set()
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name, (control, moved) in PAGES.items():
        tab.go(name)
        assert scrolls(tab) <= 1, name
        assert in_sight(tab, tab.page.locator(control).first), name
        assert begins_in_sight(tab, tab.page.locator(moved).first), name
        assert tab.page.get_by_role("heading", level=1).all_inner_texts() == [name]
        box = tab.page.locator(".st-key-status-bar").bounding_box()
        bars.add((round(box["y"]), round(box["height"])))
        for what in ("Undo", "Save (not saved)", "Menu"):  # a safeguard is tried, and a holdout brought
            assert in_sight(tab, tab.page.get_by_role("button", name=what, exact=True)), (name, what)
    tab.go("Review")
    box = tab.page.locator(".st-key-status-bar").bounding_box()
    bars.add((round(box["y"]), round(box["height"])))
    assert len({y for y, _ in bars}) == 1, bars
    assert max(height for _, height in bars) < 45, bars


@pytest.mark.parametrize("size", [(1366, 640), (1024, 640)])
def test_five_pairs_of_a_flagged_target_are_in_sight(demo, size):
    tab = demo
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.go("Review").choose_one("Target", "marital")
    pairs = tab.page.locator(".st-key-pane-target [data-testid=stCheckbox]").filter(has_text="→")
    seen = [in_sight(tab, pairs.nth(i)) for i in range(pairs.count())]
    assert sum(seen) >= 5, seen


def test_a_tablet_has_two_columns_and_a_phone_keeps_the_figure_in_sight(demo):
    tab = demo
    tab.page.set_viewport_size({"width": 820, "height": 1180})
    tab.go("Review").choose_one("Target", "marital")
    panes = {n: tab.page.locator(f".st-key-pane-{n}").bounding_box() for n in ("targets", "target", "effect")}
    assert panes["targets"]["x"] == panes["effect"]["x"] < panes["target"]["x"]
    assert panes["targets"]["y"] < panes["effect"]["y"]
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.settle()
    switch = tab.page.get_by_text("age 53").first
    switch.scroll_into_view_if_needed()
    disco = tab.page.get_by_test_id("stMetric").filter(has_text="DiSCO")
    assert in_sight(tab, disco)
    assert in_sight(tab, switch)
    switch.click()
    tab.settle()
    assert in_sight(tab, disco)
    preview = tab.page.locator(".st-key-review-preview")  # no reason is given yet
    expect(preview).to_contain_text("Preview, with all that is excluded: DiSCO 26.77 %")
    assert in_sight(tab, preview)
    tab.page.set_viewport_size({"width": 1440, "height": 900})
    tab.settle().press("Undo")


def test_cards_that_wrap_stand_above_their_words(demo):
    tab = demo
    tab.page.set_viewport_size({"width": 820, "height": 1180})
    tab.go("Keys")
    cards = [each.bounding_box() for each in tab.page.get_by_test_id("stMetric").all()]
    assert len({card["y"] for card in cards}) > 1  # they do wrap
    words = tab.page.get_by_text("unique in the original: 1,253 records").bounding_box()
    assert max(card["y"] + card["height"] for card in cards) <= words["y"]
    tab.page.set_viewport_size({"width": 1440, "height": 900})


def test_tabs_and_verdicts_stand_in_one_line_on_a_laptop(demo):
    tab = demo
    tab.page.set_viewport_size({"width": 1366, "height": 640})
    tab.go("Review")
    for which in (".st-key-pane-effect [role=tab]", ".st-key-pane-verdict [role=radiogroup] label"):
        places = [one.bounding_box()["y"] for one in tab.page.locator(which).all()]
        assert len(places) > 3, which
        assert max(places) - min(places) < 2, (which, places)


def test_the_menu_of_a_phone_closes_when_a_page_is_chosen(visit, address):
    phone = {"is_mobile": True, "has_touch": True, "user_agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile"}
    tab = visit(address, width=390, height=844, **phone)
    tab.page.get_by_test_id("stExpandSidebarButton").click()
    tab.page.get_by_test_id("stSidebarNavLink").filter(has_text="Glossary").click()
    tab.page.get_by_role("heading", level=1, name="Glossary", exact=True).wait_for()
    tab.settle().page.wait_for_function(
        "document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 0"
    )
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_tab_of_the_effect_stands_behind_an_arrow(demo):
    tab = demo
    for width in (1440, 1024):
        tab.page.set_viewport_size({"width": width, "height": 900})
        tab.go("Review")
        tabs = tab.page.locator(".st-key-pane-effect [role=tab]")
        pane = tab.page.locator(".st-key-pane-effect").bounding_box()
        for i in range(tabs.count()):
            box = tabs.nth(i).bounding_box()
            assert pane["x"] <= box["x"] <= pane["x"] + pane["width"] - box["width"], (width, i)


@pytest.mark.slow
def test_the_status_bar_stays_one_line_with_all_that_it_can_say(visit, address):
    """An exclusion without a reason, unanswered questions, and a review that is not saved."""
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.get_by_test_id("stCheckbox").locator("label").first.click()
    tab.settle()
    for width, height in (*SIZES, (1280, 720), (1536, 864)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.settle()
        assert tab.page.locator(".st-key-status-bar").bounding_box()["height"] < 45, width
        assert in_sight(tab, tab.page.get_by_role("button", name="Menu", exact=True)), width


@pytest.mark.slow
def test_at_200_percent_the_page_scrolls_and_no_pane_is_a_hand_high(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.set_viewport_size({"width": 683, "height": 384})
    tab.settle()
    for pane in ("targets", "target", "effect"):
        assert tab.page.locator(f".st-key-pane-{pane}").bounding_box()["height"] > 300, pane
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight > e.clientHeight")


@pytest.mark.slow
def test_what_is_chosen_is_seen_where_the_system_decides_the_colours(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.emulate_media(forced_colors="active")
    outline = "e => getComputedStyle(e).outlineStyle"
    measures = tab.page.get_by_role("radiogroup", name="Measure").locator("label:has(input)")
    assert [label.evaluate(outline) for label in measures.all()] == ["solid", "none", "none"]
    tick = tab.page.get_by_test_id("stCheckbox").locator("label").first
    assert tick.evaluate(outline) == "none"
    tick.click()
    tab.settle()
    assert tab.page.get_by_test_id("stCheckbox").locator("label").first.evaluate(outline) == "solid"
    lines = [tab_.evaluate("e => getComputedStyle(e).borderBottomStyle") for tab_ in tab.page.get_by_role("tab").all()]
    assert lines == ["solid", *["none"] * (len(lines) - 1)]


@pytest.mark.slow
def test_no_name_that_is_read_aloud_holds_a_mark_of_markdown(visit, address):
    tab = visit(address).press("Open the demonstration survey")
    for page in PAGES | {"Review": None}:
        tab.go(page)
        said = tab.page.get_by_test_id("stMain").aria_snapshot()
        assert not re.search(r"\*\*|:material|:gray|:red\[", said), page


UNDER = """() => [...document.querySelectorAll('.js-plotly-plot')].map((plot) => {
    const legend = plot.querySelector('.legend .bg');
    const top = plot.getBoundingClientRect().top + plot._fullLayout._size.t;
    return legend ? legend.getBoundingClientRect().bottom - top : null;
}).filter((under) => under !== null)"""
"""By figure with a legend, how far that reaches into the figure, px."""


def test_no_legend_covers_the_first_row_of_its_figure(demo):
    tab = demo
    for width in (1024, 1366, 1440, 1920):  # eight names, in four lines, two lines and one
        tab.page.set_viewport_size({"width": width, "height": 900})
        for name in ("Keys", "Baseline", "Compare"):
            tab.go(name)
            tab.page.locator(".js-plotly-plot .legend .bg").first.wait_for(state="attached")
            tab.settle()
            under = tab.page.evaluate(UNDER)
            assert under, (name, width)
            assert max(under) <= 0, (name, width, under)
    tab.page.set_viewport_size({"width": 1440, "height": 900})
