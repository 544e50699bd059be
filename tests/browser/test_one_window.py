"""Each page in one window: the status bar at one place, and what a person changes in sight of what that moves."""

import re

import pytest

from tests.browser.test_bench import in_sight, scrolls

SIZES = ((1440, 900), (1366, 640), (1024, 640))
"""The last two are what a laptop of 1366 × 768 and a window of 1024 × 768 leave of the page."""

TABLE, FIGURE = "[data-testid=stDataFrame]", ".js-plotly-plot"
PAGES = {
    "Data": (".st-key-data-answers", ".st-key-data-columns"),
    "Keys": (".st-key-keys-roles thead", "[data-testid=stMetric]"),
    "Records": (".st-key-review-target", TABLE),
    "Safeguards": (".st-key-safe-group", FIGURE),
    "Compare": (".st-key-compare-measure", FIGURE),
    "Report": (".st-key-report-title", "[data-testid=stImage]"),
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
    tab.go("Safeguards").page.get_by_role("radio", name="Remove records").click()
    tab.settle().press("Try it")
    tab.go("Compare").page.get_by_text("People outside", exact=True).click()
    return tab.settle().press("Bring a holdout").press("Take the survey's own holdout")


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


def test_the_verdict_is_in_sight_with_six_pairs_of_a_flagged_target(demo):
    tab = demo
    tab.page.set_viewport_size({"width": 1366, "height": 768})
    tab.go("Review").look("marital")
    pairs = tab.page.locator(".card table.pairs tbody tr")
    assert pairs.count() == 10
    assert sum(in_sight(tab, pairs.nth(i)) for i in range(10)) >= 6
    for size in ((1366, 768), (1024, 768), (820, 1180), (390, 844)):
        tab.page.set_viewport_size({"width": size[0], "height": size[1]})
        tab.settle()
        buttons = tab.page.locator(".verdict button[data-v]")
        assert all(in_sight(tab, buttons.nth(i)) for i in range(4)), size
        assert in_sight(tab, tab.page.get_by_role("textbox", name="Reason for the verdict")), size
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    tab.page.set_viewport_size({"width": 1440, "height": 900})


def test_the_menu_of_a_phone_closes_when_a_page_is_chosen(visit, address):
    phone = {"is_mobile": True, "has_touch": True, "user_agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile"}
    tab = visit(address, width=390, height=844, **phone)
    tab.page.get_by_test_id("stExpandSidebarButton").click()
    tab.page.get_by_test_id("stSidebarNavLink").filter(has_text="Analyses").click()
    tab.page.get_by_role("heading", level=1, name="Analyses", exact=True).wait_for()
    tab.settle().page.wait_for_function(
        "document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 0"
    )
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_the_status_bar_stays_one_line_with_all_that_it_can_say(visit, address):
    """An exclusion without a reason, open questions, and a review that is not saved."""
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.get_by_role("switch").first.click()
    tab.settle()
    for width, height in (*SIZES, (1280, 720), (1536, 864)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.settle()
        assert tab.page.locator(".st-key-status-bar").bounding_box()["height"] < 45, width
        assert in_sight(tab, tab.page.get_by_role("button", name="Menu", exact=True)), width


CUT = """() => [...document.querySelectorAll('.st-key-status-bar :is(p, h1, [data-baseweb=select] div)')].filter((e) => {
    const box = e.getBoundingClientRect(), name = e.closest('.st-key-status-bar-name')?.getBoundingClientRect();
    const seen = box.width > 2 && box.height > 2 && (!name || box.top < name.bottom);
    return seen && e.scrollWidth > e.clientWidth + 1;
}).map((e) => e.innerText)"""
"""The words of the status bar that are in sight and cut at their end."""

BAR = """(of) => Object.fromEntries([...document.querySelectorAll(of)].map((e) => {
    const box = e.getBoundingClientRect(); return [e.className || e.innerText, [box.x, box.y]];
}))"""
"""Where each of them stands."""


@pytest.mark.slow
def test_no_word_of_the_status_bar_is_cut_at_any_width(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.get_by_role("switch").first.click()
    for page in ("Review", "Safeguards"):
        tab.page.set_viewport_size({"width": 1440, "height": 900})
        tab.settle().go(page)
        for width in (1920, 1536, 1440, 1366, 1280, 1180, 1024, 820, 390):
            tab.page.set_viewport_size({"width": width, "height": 768})
            tab.settle()
            assert tab.page.evaluate(CUT) == [], (page, width)
            said = tab.page.get_by_text("1 excluded").first.bounding_box()
            assert said["x"] + said["width"] <= width, (page, width)
        assert tab.page.locator(".st-key-status-bar").bounding_box()["height"] < 125, page  # three lines on a phone


@pytest.mark.slow
def test_what_is_said_after_an_act_moves_nothing(visit, address):
    tab = visit(address, width=1366, height=768).press("Open the demonstration survey").go("Review")
    tab.page.get_by_role("switch").first.click()
    tab.settle().go("Safeguards")
    of = "main button, [class*=st-key-pane-page-], .st-key-status-bar > [class*=st-key-review]"
    before = tab.page.evaluate(BAR, of)
    tab.page.get_by_role("button", name="Undo: excluded").click()
    toast = tab.settle().page.get_by_test_id("stToast")
    toast.get_by_text("Taken back: excluded").wait_for()
    bar, said = tab.page.locator(".st-key-status-bar").bounding_box(), toast.bounding_box()
    assert said["y"] > bar["y"] + bar["height"]
    after = tab.page.evaluate(BAR, of)
    hands = [one for one in before if "st-key" in one]
    assert len(hands) >= 4
    assert {one: after.get(one) for one in hands} == {one: before[one] for one in hands}


@pytest.mark.slow
def test_at_200_percent_the_page_scrolls_and_no_pane_is_a_hand_high(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.set_viewport_size({"width": 683, "height": 384})
    tab.settle()
    for pane in ("targets", "target"):
        assert tab.page.locator(f".st-key-pane-{pane}").bounding_box()["height"] > 300, pane
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight > e.clientHeight")


@pytest.mark.slow
def test_what_is_chosen_is_seen_where_the_system_decides_the_colours(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    tab.page.emulate_media(forced_colors="active")
    outline = "all => all.map(e => getComputedStyle(e).outlineStyle)"
    rows = tab.page.locator(".bench tbody tr")
    rows.first.wait_for()  # its script may come after the page has settled
    assert rows.evaluate_all(outline) == ["solid", *["none"] * 9]
    ticks = tab.page.locator(".card table.pairs tbody tr")
    ticks.first.get_by_role("checkbox").click()
    tab.settle()
    assert ticks.evaluate_all(outline) == ["solid", *["none"] * 9]


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
        tab.go("Compare")  # its names stand at their marks
        assert not tab.page.locator(".js-plotly-plot .legend").count()
        for name in ("Keys",):
            tab.go(name)
            tab.page.locator(".js-plotly-plot .legend .bg").first.wait_for(state="attached")
            tab.settle()
            under = tab.page.evaluate(UNDER)
            assert under, (name, width)
            assert max(under) <= 0, (name, width, under)
    tab.page.set_viewport_size({"width": 1440, "height": 900})
