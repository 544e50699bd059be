"""The bench in a window: cause and effect stay on one screen, nothing else moves, rows and keys do what they say."""

import pytest
from playwright.sync_api import expect

from benchmarks.run import ADULT, made
from disclosure_core.rounding import fixed

pytestmark = pytest.mark.slow

SIZES = pytest.mark.parametrize(
    "size", [pytest.param((1440, 900), marks=pytest.mark.slow, id="1440x900"), pytest.param((1024, 768), id="1024x768")]
)
PLOT = ".st-key-pane-targets .js-plotly-plot"

DRAWN = """() => {
    const plot = [...document.querySelectorAll('.st-key-pane-targets .js-plotly-plot')].at(-1);
    const by = (word) => plot.data.find((t) => t.name && t.name.includes(word));
    const box = plot.getBoundingClientRect();
    return {
        rows: by('rows').customdata.map((t, i) => [t[0], by('(original)').x[i], by('(synthetic)').x[i]]),
        axis: [...plot.layout.xaxis.range, ...plot.layout.yaxis.range], box: [box.x, box.y, box.width, box.height],
    };
}"""


def bench(visit, address, size):
    tab = visit(address, width=size[0], height=size[1]).press("Open the demonstration survey")
    return tab.go("Review").choose_one("Target", "abroad")


def in_sight(tab, locator) -> bool:
    """Return whether the whole of something stands in the window, and in the pane that holds it."""
    return locator.evaluate(
        """e => { let b = e.getBoundingClientRect(), ok = b.height > 0;
        for (let p = e.parentElement; p; p = p.parentElement) {
            const o = getComputedStyle(p).overflowY;
            if (o === 'auto' || o === 'scroll' || p === document.body) {
                const r = p === document.body ? {top: 0, bottom: innerHeight} : p.getBoundingClientRect();
                ok = ok && b.top >= r.top - 1 && b.bottom <= r.bottom + 1;
            }
        } return ok; }"""
    )


def scrolls(tab) -> int:
    return tab.page.get_by_test_id("stMain").evaluate("m => m.scrollHeight - m.clientHeight")


def row_in_sight(tab, target) -> bool:
    words = tab.page.locator(f"{PLOT} .textpoint text").filter(has_text=target).first
    return in_sight(tab, words)


@SIZES
def test_switch_row_and_figure_are_in_sight_before_and_after_and_nothing_else_moves(visit, address, size):
    tab = bench(visit, address, size)
    page = tab.page
    disco = page.get_by_test_id("stMetric").filter(has_text="DiSCO")
    switches = {
        "a level": page.get_by_text("Exclude No"),
        "missing values": page.get_by_text("Exclude missing values", exact=True),
        "a pair": page.get_by_text("sex Female → No"),
        "denominators": page.get_by_role("spinbutton", name="Denominator limit"),
    }
    assert page.get_by_role("combobox", name="Exclude missing values of keys").count() == 0
    assert page.get_by_text("No key has missing values").count() == 1
    for kind, switch in switches.items():
        switch.first.scroll_into_view_if_needed()
        before, was = page.evaluate(DRAWN), disco.inner_text()
        for what in (in_sight(tab, switch.first), row_in_sight(tab, "abroad"), in_sight(tab, disco)):
            assert what, kind
        if kind == "denominators":
            switch.fill("1")
            switch.press("Enter")
        else:
            switch.first.click()
        tab.settle()
        after = page.evaluate(DRAWN)
        assert after["axis"] == before["axis"], kind
        assert after["box"] == before["box"], kind
        assert [r[0] for r in after["rows"]] == [r[0] for r in before["rows"]], kind
        moved = [a[0] for a, b in zip(after["rows"], before["rows"], strict=True) if a != b]
        if kind in ("a level", "missing values", "a pair"):
            assert moved in (["abroad"], []), kind
            assert (moved == ["abroad"]) == (disco.inner_text() != was), kind
        assert row_in_sight(tab, "abroad"), kind
        assert in_sight(tab, disco), kind
        assert f"{fixed(next(r[2] for r in after['rows'] if r[0] == 'abroad'))} %" in disco.inner_text()
        assert scrolls(tab) == 0 if size[0] == 1440 else scrolls(tab) <= 120
        assert page.locator(".st-key-status-bar").bounding_box()["height"] < 45, kind  # one line
        tab.press("Undo")
        assert page.locator(".st-key-status-bar").bounding_box()["height"] < 45, kind


@pytest.mark.slow
def test_a_click_anywhere_in_a_row_chooses_it_again_and_again(visit, address):
    tab = bench(visit, address, (1440, 900))
    box = tab.page.locator(PLOT).last.bounding_box()
    target = tab.page.get_by_role("combobox", name="Target")
    rows = [r[0] for r in tab.page.evaluate(DRAWN)["rows"]]
    height = (box["height"] - 30) / len(rows)

    def click(i):
        tab.page.mouse.click(box["x"] + 0.93 * box["width"], box["y"] + 26 + (i + 0.6) * height)
        tab.settle()
        return target.input_value().split(" · ")[0]

    assert click(3) == rows[3]
    assert click(3) == rows[3]
    tab.press("Next")
    assert target.input_value().startswith(rows[4])
    assert click(3) == rows[3]


@pytest.mark.slow
def test_keys_lead_on_and_a_reason_takes_all_of_them_as_text(visit, address):
    tab = bench(visit, address, (1440, 900))
    page, target = tab.page, tab.page.get_by_role("combobox", name="Target")
    page.get_by_text("Exclude No").first.click()
    tab.settle()
    reason = page.get_by_role("textbox", name="Reason: abroad No")
    expect(reason).to_be_focused()
    page.keyboard.type("Nobody Moves, nm")
    page.keyboard.press("Control+z")
    page.keyboard.type("NM")
    assert reason.input_value().endswith("NM")
    assert target.input_value().startswith("abroad · 43.25")  # neither led on nor taken back
    page.keyboard.press("Enter")
    tab.settle()
    page.wait_for_timeout(1500)  # the list of targets was told long ago which is chosen, in the words of then
    for figure in ("43.25", "0.40"):
        page.get_by_text("Exclude No").first.click()
        tab.settle()
        assert target.input_value().startswith(f"abroad · {figure}")
    page.locator(".st-key-pane-verdict input[type=radio]").nth(1).focus()
    page.keyboard.press("Space")
    page.get_by_text("1 of 10 judged").wait_for()
    tab.settle()  # a key that is pressed while the page is redrawn presses nothing
    page.keyboard.press("Alt+n")
    tab.settle()
    assert target.input_value().startswith("condition")  # the next of the queue, by gain over chance
    page.keyboard.press("Alt+z")
    page.get_by_text("0 of 10 judged").wait_for()
    tab.settle()
    page.locator("label", has_text="Exclude").first.click()  # a switch has the focus now
    tab.settle()
    assert page.evaluate("document.activeElement.tagName") == "INPUT"
    page.keyboard.press("n")
    tab.settle()
    assert target.input_value().startswith("condition")
    page.keyboard.press("Alt+n")
    tab.settle()
    assert target.input_value().startswith("depression")


def test_closing_from_the_menu_leaves_nothing_on_the_screen_or_the_server(visit, address):
    tab = bench(visit, address, (1024, 768))
    tab.press("Menu")
    tab.page.get_by_role("button", name="Delete and close").click()
    tab.page.get_by_text("What was open here is forgotten").wait_for()
    tab.settle()
    assert tab.page.locator(".st-key-pane-targets").count() == 0
    assert "abroad" not in tab.page.content()
    tab.page.reload()
    tab.page.get_by_text("There are no data yet").wait_for()
    tab.complaints.clear()  # Streamlit looks for the server below the page's path first, and is told 404


@pytest.mark.slow
@pytest.mark.parametrize("case", ["like Adult", "60 targets"])
def test_the_bench_holds_other_data_too(visit, address, tmp_path, case):
    keys = ["age", "workclass", "education", "sex"]
    levels = ADULT if case == "like Adult" else dict.fromkeys(keys, 4) | {f"column number {i}": 3 for i in range(60)}
    for seed, name in enumerate(("original", "synthetic"), 1):
        made(48_842 if case == "like Adult" else 800, levels, seed).to_parquet(tmp_path / f"{name}.parquet")
    tab = visit(address, width=1440, height=900)
    tab.upload("Original data", tmp_path / "original.parquet").upload("Synthetic data", tmp_path / "synthetic.parquet")
    tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
    tab.go("Keys").choose("Keys", *keys).go("Review")
    last = tab.page.evaluate(DRAWN)["rows"][-1][0]
    target = tab.page.get_by_role("combobox", name="Target")
    target.click()
    target.fill(last)
    tab.page.get_by_role("option", name=f"{last} ·").click()
    tab.settle()
    for (width, height), text, most in (((1440, 900), 100, 0), ((1024, 768), 100, 120), ((1440, 900), 200, 0)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.add_style_tag(content=f"html {{ font-size: {text}% }}")
        tab.settle()
        assert scrolls(tab) <= most, (width, text)
        assert tab.page.get_by_test_id("stMain").evaluate("m => m.scrollWidth - m.clientWidth") == 0, (width, text)
        assert text == 200 or in_sight(tab, tab.page.locator(f"{PLOT} .textpoint text").filter(has_text=last).first)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "lines"), [((1425, 900), 1), ((1351, 768), 2), ((1009, 768), 2)])
def test_the_verdicts_and_who_gives_them_are_in_sight_beside_a_scroll_bar(visit, address, size, lines):
    """The tests' browser hides scroll bars, which a person's has: 15 points of the window."""
    tab = bench(visit, address, size)
    choices = tab.page.locator(".st-key-pane-verdict [role=radiogroup] > *")
    tops = choices.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().top))")
    assert len(tops) == 4
    assert len(set(tops)) <= lines
    assert all(in_sight(tab, choices.nth(i)) for i in range(4))
    assert in_sight(tab, tab.page.get_by_role("textbox", name="Your name"))
    choices.first.locator("input").focus()
    tab.page.keyboard.press("Space")
    tab.settle()
    assert in_sight(tab, tab.page.get_by_role("textbox", name="Reason for the verdict"))
    assert in_sight(tab, tab.page.get_by_role("button", name="Take it back"))
