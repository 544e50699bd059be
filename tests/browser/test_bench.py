"""The bench in a window: cause and effect stay on one screen, nothing else moves, rows and keys do what they say."""

from io import BytesIO

import pytest
from PIL import Image

from benchmarks.run import ADULT, made

pytestmark = pytest.mark.slow

SIZES = pytest.mark.parametrize(
    "size", [pytest.param((1440, 900), id="1440x900"), pytest.param((1024, 768), id="1024x768")]
)

DRAWN = """() => {
    const shadow = [...document.querySelectorAll('.st-key-pane-targets *')].find((e) => e.shadowRoot).shadowRoot;
    const rows = [...shadow.querySelectorAll('.bench tbody tr')];
    const box = (e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; };
    return { rows: rows.map((r) => [r.querySelector('button').dataset.t, r.querySelector('.fig .sr').textContent]),
        boxes: rows.map(box), axis: shadow.querySelector('.axis').innerHTML };
}"""


def bench(visit, address, size):
    tab = visit(address, width=size[0], height=size[1]).press("Open the demonstration survey")
    return tab.go("Review").look("abroad")


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


@SIZES
def test_what_a_tick_changes_is_in_sight_and_nothing_else_moves(visit, address, size):
    tab = bench(visit, address, size)
    page, role = tab.page, tab.page.get_by_role
    page.locator(".card summary[data-p=fold]").click()  # 29 pairs without lift
    for switch in (role("switch", name="Exclude No"), role("checkbox", name="Exclude sex Female, No")):
        switch.scroll_into_view_if_needed()
        before, at = page.evaluate(DRAWN), switch.bounding_box()
        switch.click()
        tab.settle()
        after = page.evaluate(DRAWN)
        assert (after["boxes"], after["axis"]) == (before["boxes"], before["axis"])
        assert abs(switch.bounding_box()["y"] - at["y"]) < 1  # a pane is scrolled by whole points
        moved = [a[0] for a, b in zip(after["rows"], before["rows"], strict=True) if a != b]
        assert moved == ["abroad"]
        assert in_sight(tab, tab.row("abroad"))
        assert in_sight(tab, switch)
        assert scrolls(tab) == 0
        assert page.locator(".st-key-status-bar").bounding_box()["height"] < 45  # one line
        tab.press("Undo")


def test_no_row_shows_above_the_heads_and_their_line_stays(visit, address):
    tab = bench(visit, address, (1366, 600))
    pane = tab.page.locator(".st-key-pane-targets")
    heads = pane.locator("thead th").first

    def strips():
        """Return the pane's ground above the heads, and the line below them."""
        box, edge = pane.bounding_box(), heads.bounding_box()
        at, below = box["y"] + 2, edge["y"] + edge["height"]
        areas = ((at, edge["y"] - at), (below - 2, 2))
        clips = [{"x": box["x"] + 12, "y": y, "width": box["width"] - 40, "height": h} for y, h in areas]
        return [len(Image.open(BytesIO(tab.page.screenshot(clip=c))).convert("L").getcolors()) for c in clips]

    pane.evaluate("e => e.scrollTop = 0")
    line = strips()[1]
    for place in (61, 83, 105):
        pane.evaluate("(e, to) => e.scrollTop = to", place)
        tab.page.wait_for_timeout(200)
        assert strips() == [1, line]


def test_the_card_stays_where_it_is_when_a_reason_takes_the_last_flag(visit, address):
    """“no 1-way or 2-way flag now” has its line beforehand."""
    tab = bench(visit, address, (1366, 768)).look("condition")
    head = tab.page.locator(".card h2")
    before = head.bounding_box()["y"]
    tab.page.locator(".card tr:has(.flag:not(:empty)) input[role=switch]").first.check()
    tab.settle()
    reason = tab.page.locator(".card tr.on td.why input").first
    reason.fill("Most are well")
    reason.press("Enter")
    tab.page.locator(".st-key-pane-target").get_by_text("flag now").wait_for()
    tab.settle()
    assert abs(head.bounding_box()["y"] - before) < 1


def test_eight_ticks_60_ms_apart_are_all_held(visit, address):
    tab = bench(visit, address, (1440, 900)).look("marital")
    ticks = tab.page.locator(".card table.pairs tbody input[type=checkbox]")
    boxes = [ticks.nth(i).bounding_box() for i in range(8)]
    for box in boxes:
        tab.page.mouse.click(box["x"] + 8, box["y"] + 8)
        tab.page.wait_for_timeout(60)
    tab.settle()
    tab.page.get_by_text("8 pairs excluded").wait_for()
    assert [ticks.nth(i).is_checked() for i in range(9)] == [True] * 8 + [False]
    tab.page.reload()
    tab.page.get_by_text("8 pairs excluded").wait_for()
    tab.complaints.clear()  # Streamlit looks for the server below the page's path first, and is told 404
    assert [ticks.nth(i).is_checked() for i in range(9)] == [True] * 8 + [False]


def test_arrows_open_rows_letters_stay_text_and_alt_n_leads_on(visit, address):
    tab = bench(visit, address, (1440, 900))
    page, role = tab.page, tab.page.get_by_role

    def card(target):
        role("heading", name=target, exact=True).wait_for()
        tab.settle()

    names = [name for name, _, _ in tab.rows()]
    tab.row("abroad").focus()
    page.keyboard.press("ArrowUp")
    card(names[names.index("abroad") - 1])
    page.keyboard.press("ArrowDown")
    card("abroad")
    role("switch", name="Exclude No").click()
    reason = role("combobox", name="Reason: abroad No")
    reason.click()
    page.keyboard.type("Nobody Moves, nm")
    page.keyboard.press("Control+z")
    page.keyboard.type("NM")
    assert reason.input_value().endswith("NM")
    page.keyboard.press("Enter")
    page.get_by_text("43.3 → 0.4 %").wait_for()
    tab.settle()
    role("button", name="Common knowledge").focus()
    page.keyboard.press("Space")
    page.get_by_text("1 of 10 judged").wait_for()
    card("condition")
    page.keyboard.press("Alt+z")
    page.get_by_text("0 of 10 judged").wait_for()
    tab.settle()
    page.keyboard.press("Alt+n")
    card("depression")


FOCUS = """() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute('aria-label'); }"""


def test_a_level_without_a_row_is_typed_and_asks_for_its_reason_and_one_that_is_none_is_refused(visit, address):
    tab = bench(visit, address, (1366, 768)).look("wellbeing")
    field = tab.page.get_by_role("combobox", name="Exclude another level")
    level = tab.page.locator("#others option").first.get_attribute("value")
    field.press_sequentially("nobody's")
    field.press("Enter")
    assert field.evaluate("e => e.validationMessage") == "Choose a level from the list."
    field.press("Control+a")
    field.press_sequentially(level)
    field.press("Enter")
    tab.settle()
    assert tab.page.get_by_role("switch", name=f"Exclude {level}").is_checked()
    assert tab.page.evaluate(FOCUS) == f"Reason: wellbeing {level}"
    assert tab.page.locator("#others option", has_text=level).count() == 0
    assert field.input_value() == ""


def test_who_goes_on_from_a_level_that_was_chosen_is_not_called_back(visit, address):
    tab = bench(visit, address, (1366, 768)).look("wellbeing")
    field = tab.page.get_by_role("combobox", name="Exclude another level")
    level = tab.page.locator("#others option").first.get_attribute("value")
    field.press_sequentially("nobody's")
    field.press("Tab")
    assert tab.page.evaluate(FOCUS) != "Exclude another level", "a field that is wrong holds nobody"
    field.fill("")
    field.press_sequentially(level)
    field.press("Enter")
    field.press_sequentially("Mix")  # before the server has answered
    tab.settle()
    assert tab.page.get_by_role("switch", name=f"Exclude {level}").is_checked()
    assert (tab.page.evaluate(FOCUS), field.input_value()) == ("Exclude another level", "Mix")


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
    tab.go("Keys").keys(*keys).go("Review")
    last = tab.rows()[-1][0]
    if len(tab.rows()) > 12:
        tab.page.get_by_role("searchbox", name="Find a target").fill(last)
        tab.page.keyboard.press("Enter")
        tab.page.get_by_role("heading", name=last, exact=True).wait_for()
        assert tab.page.locator(".bench tbody tr:visible").count() == 1
        tab.page.get_by_role("searchbox", name="Find a target").fill("")
    tab.look(last)
    for (width, height), text, most in (((1440, 900), 100, 0), ((1024, 768), 100, 0), ((1440, 900), 200, 0)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.add_style_tag(content=f"html {{ font-size: {text}% }}")
        tab.settle()
        assert scrolls(tab) <= most, (width, text)
        assert tab.page.get_by_test_id("stMain").evaluate("m => m.scrollWidth - m.clientWidth") == 0, (width, text)
        assert text == 200 or in_sight(tab, tab.row(last))


def test_a_verdict_that_waits_to_be_confirmed_hides_no_button_and_tick_all_leaves_what_is_judged(visit, address):
    tab = visit(address, width=1440, height=900).press("Open the demonstration survey").go("Review").look("marital")
    page = tab.page
    buttons = page.locator(".verdict button[data-v]")
    for target in ("marital", "education"):
        tab.look(target)
        page.locator(".verdict button[data-v=acceptable]").click()
        tab.settle()
    tab.look("marital").page.get_by_role("checkbox", name="Exclude employment Student, Single").check()
    page.get_by_label("Reason: employment Student, marital Single").fill("students are single")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Confirm at 23.62 %").wait_for()
    tab.settle()
    assert all(in_sight(tab, buttons.nth(i)) for i in range(4))
    assert in_sight(tab, page.get_by_role("button", name="Take it back"))
    assert page.locator(".verdict .line").first.bounding_box()["height"] < 40  # one line
    page.get_by_role("checkbox", name="Tick all targets without a verdict").check()
    tab.settle()
    ticked = page.locator(".bench tbody tr:has(input:checked) button").evaluate_all("all => all.map(b => b.dataset.t)")
    assert len(ticked) == 9  # of ten: marital waits again
    assert "education" not in ticked
    page.get_by_role("checkbox", name="Tick all targets without a verdict").uncheck()
    tab.settle()
    assert page.locator(".bench tbody input:checked").count() == 0


def test_bars_are_drawn_anew_where_their_column_alone_gets_another_width(visit, address):
    """As where the styles come after the first drawing: a number stood for the bar, and stayed."""
    tab = visit(address, width=1440, height=900).press("Open the demonstration survey").go("Review").look("marital")
    bars = tab.page.locator(".card table.pairs td.lift svg")
    bars.first.wait_for()
    assert bars.count() == 10
    head = tab.page.locator(".card table.pairs th.lift")
    head.evaluate("e => { e.style.width = '45px' }")
    bars.first.wait_for(state="detached")
    head.evaluate("e => { e.style.width = '' }")
    bars.nth(9).wait_for()
