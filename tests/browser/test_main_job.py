"""The main job in a real browser: two files in, the plot out, a flag reviewed."""

import re
from itertools import product

import pytest

from disclosure_core import Settings, Study, assess, demo
from tests.browser import driving


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The demonstration survey as an office would have it: CSV files."""
    folder = tmp_path_factory.mktemp("office")
    demo.original().to_csv(folder / "census.csv", index=False)
    for i, frame in enumerate(demo.syntheses()[:2], start=1):
        frame.to_csv(folder / f"release_{i}.csv", index=False)
    return folder


def shown_figure(tab):
    """Return (target label, original, synthetic) of each row of the plot, from what plotly has drawn."""
    return tab.page.evaluate(
        """() => {
            const plot = document.querySelector('.js-plotly-plot');
            const by = (word) => plot.data.find((t) => t.name && t.name.includes(word));
            const ticks = plot.layout.yaxis.ticktext;
            return ticks.map((t, i) => [t, by('(original)').x[i], by('(synthetic)').x[i]]);
        }"""
    )


def test_two_files_in_and_the_plot_out(visit, address, files):
    tab = visit(address)
    tab.upload("Original data", files / "census.csv")
    tab.upload("Synthetic data", files / "release_1.csv", files / "release_2.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="What was read").wait_for()
    assert tab.metric("Original") == "5,000"
    assert tab.metric("Syntheses") == "2"

    tab.go("Keys").choose("Keys", "sex", "age", "region", "employment")
    tab.go("Risk")
    study = Study(demo.original(), demo.syntheses()[:2])
    expected = assess(study, Settings(keys=demo.KEYS))
    assert tab.metric("UiO") == f"{expected.identity['UiO'].mean():.2f} %"
    assert tab.metric("repU") == f"{expected.identity['repU'].mean():.2f} %"
    summary = expected.summary().iloc[::-1]
    rows = shown_figure(tab)
    assert [r[0].split(" · ")[0] for r in rows] == summary["target"].tolist()
    assert [r[1] for r in rows] == summary["original"].tolist()
    assert [r[2] for r in rows] == summary["synthetic"].tolist()


def test_a_click_on_a_mark_opens_its_target_in_review(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Risk")
    mark = tab.page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").last.locator(".points path").nth(1)
    box = mark.bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.get_by_role("heading", level=1, name="Review").wait_for()
    tab.settle()
    assert tab.page.get_by_role("combobox", name=re.compile("Target")).input_value() == "marital"
    # Going back shows the plot again and does not bounce.
    tab.go("Risk")
    assert tab.page.get_by_role("heading", level=1).inner_text() == "Risk"


def test_a_click_on_a_row_opens_its_target_in_review(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Risk")
    grid = tab.page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    tab.page.mouse.click(box["x"] + 16, box["y"] + 35 * 3.5)  # the tick box of the third row
    tab.page.get_by_role("heading", level=1, name="Review").wait_for()
    tab.settle()
    assert tab.page.get_by_role("combobox", name=re.compile("Target")).input_value() == "condition"


def test_pairs_chosen_in_quick_succession_are_all_left_out(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    assert "5 of 5 syntheses" in tab.page.get_by_text("2-way in").inner_text()
    # Three pairs, by keyboard, without waiting for the figures between them.
    box = tab.page.get_by_role("combobox", name="Pairs left out")
    box.focus()
    box.press("ArrowDown")
    tab.page.get_by_role("option", name="1: employment Employed → No").wait_for()
    for _ in range(3):
        box.press("ArrowDown")  # the first option, over which the arrow starts, is "Select all"
        box.press("Enter")
    box.press("Escape")  # an open list hides the rest of the page from assistive technology, and from get_by_role
    tab.page.get_by_role("heading", name="Records taken by each exclusion").wait_for()
    tab.go("Risk")
    tab.page.get_by_text("left out: 3 key-target pairs of abroad").wait_for()
    # The picker shows what is left out, and takes a pair back.
    tab.go("Review")
    tab.page.get_by_role("button", name="Remove 1: employment Employed → No").first.click()
    tab.settle().go("Risk")
    tab.page.get_by_text("left out: 2 key-target pairs of abroad").wait_for()


def test_a_pair_ticked_in_the_table_is_left_out_and_taken_back(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    grid = tab.page.get_by_test_id("stDataFrame").first

    def tick(row):
        grid.scroll_into_view_if_needed()
        box = grid.bounding_box()
        tab.page.mouse.click(box["x"] + 16, box["y"] + 35 * (row + 0.5))
        tab.settle()

    chip = tab.page.get_by_role("button", name="Remove 1: employment Employed → No")
    tick(1)
    chip.first.wait_for()
    tick(2)
    tab.page.get_by_role("button", name="Remove 2: sex Female → No").first.wait_for()
    tick(1)
    chip.first.wait_for(state="detached")
    # What is taken back elsewhere is no longer ticked here: the same tick leaves it out again.
    tab.press("Undo")
    chip.first.wait_for()
    tick(1)
    chip.first.wait_for(state="detached")
    tab.go("Risk").page.get_by_text("left out: 1 key-target pair of abroad").wait_for()


def test_a_fresh_server_asked_for_a_page_first_runs_the_app(visit):
    with driving.serving() as fresh:
        tab = visit(fresh, "/risk")
        assert tab.page.get_by_role("heading", level=1).inner_text() == "Risk"
        tab.page.get_by_text("There are no data yet").wait_for()
        assert tab.rooms()[:4] == ["Data", "Keys", "Risk", "Review"]
        assert tab.page.title() == "Disclosure"  # what app.py says; the page alone would be called after its file
        tab.close()


def test_two_people_never_share_a_figure(visit, address, files):
    one = visit(address).press("Open the demonstration survey")
    two = visit(address)
    two.upload("Original data", files / "census.csv").upload("Synthetic data", files / "release_1.csv")
    two.press("Compare these files")
    two.page.get_by_role("heading", name="What was read").wait_for()
    two.go("Keys").choose("Keys", "sex", "age")
    one.go("Risk")
    two.go("Risk")
    assert one.metric("UiO") != two.metric("UiO")
    assert "release" not in one.page.content()
    assert "demonstration" not in two.page.get_by_test_id("stMain").inner_text()
    # A third who comes now starts with nothing.
    three = visit(address, "/risk")
    three.page.get_by_text("There are no data yet").wait_for()


@pytest.mark.parametrize(("text", "widths"), [("100%", (1024, 1440)), ("200%", (1440,)), ("larger type", (1024,))])
def test_no_page_scrolls_sideways(visit, address, text, widths):
    tab = visit(address).press("Open the demonstration survey")
    if text == "larger type":
        tab.page.get_by_text("Larger type").click()
        tab.settle()
    else:
        tab.page.add_style_tag(content=f"html {{ font-size: {text} }}")
    for name, width in product(tab.rooms(), widths):
        tab.page.set_viewport_size({"width": width, "height": 1000})
        tab.go(name)
        wide, seen = tab.page.get_by_test_id("stMain").evaluate("m => [m.scrollWidth, m.clientWidth]")
        assert wide <= seen, (name, width)
        cut = tab.page.evaluate(
            """() => [...document.querySelectorAll('h1, h2, h3, p, button, label, [data-testid=stMetricValue] *')].filter(
                (e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'
            ).map((e) => e.innerText)"""
        )
        assert cut == [], (name, width)


SD2011 = driving.ROOT.parent / "shared" / "reference" / "sd2011"


@pytest.mark.skipif(not SD2011.is_dir(), reason="the SD2011 reference is not part of the project")
def test_the_vignette_on_screen(visit, address):
    tab = visit(address)
    tab.upload("Original data", SD2011 / "original.csv").upload("Synthetic data", SD2011 / "synthetic_s1.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="What was read").wait_for()
    tab.choose("Numeric columns with missing codes", "income")
    tab.choose("Values of income", "-8")
    tab.go("Keys").choose("Keys", "sex", "age", "region", "placesize")
    tab.choose("Numeric columns to group", "income")
    assert tab.page.get_by_label("Groups of income").input_value() == "20"
    tab.go("Risk")
    assert (tab.metric("UiO"), tab.metric("repU")) == ("48.38 %", "14.86 %")
    assert [(label, round(synthetic, 2)) for label, _, synthetic in shown_figure(tab)] == [
        ("workab · 1- and 2-way", 52.10), ("marital · 2-way", 35.18), ("ls", 13.78), ("depress", 9.54), ("income", 6.14)
    ]  # fmt: skip
    tab.go("Review")
    tab.page.get_by_text("NO carries 2,482 of 2,605 disclosive records (95.28 %). 88.64 % of all").wait_for()
    tab.page.get_by_text("26 pairs of a key level and a target level").wait_for()
    tab.page.get_by_text("Limit denominators").click()
    tab.settle()
    # The vignette shows its limited figures with income as it is.
    tab.go("Keys").page.get_by_role("button", name=re.compile("Clear all")).last.click()
    tab.settle().go("Risk")
    assert [round(synthetic, 2) for _, _, synthetic in shown_figure(tab)] == [20.48, 15.40, 9.84, 7.02, 3.36]
