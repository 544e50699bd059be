"""The main job in a real browser: two files in, the plot out, a flag reviewed."""

import re
from itertools import product

import pytest

from disclosure_core import Settings, Study, assess
from disclosure_core.data import demo
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
    """Return (target, original, synthetic) of each row of the queue, from what plotly has drawn."""
    return tab.page.evaluate(
        """() => {
            const plot = document.querySelector('.st-key-pane-targets .js-plotly-plot');
            const by = (word) => plot.data.find((t) => t.name && t.name.includes(word));
            return by('rows').customdata.map((t, i) => [t[0], by('(original)').x[i], by('(synthetic)').x[i]]);
        }"""
    )


@pytest.mark.slow
def test_two_files_in_and_the_plot_out(visit, address, files):
    tab = visit(address)
    tab.upload("Original data", files / "census.csv")
    tab.upload("Synthetic data", files / "release_1.csv", files / "release_2.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    assert "· 5,000 original records · 2 syntheses of 5,000 ·" in tab.opened()

    tab.go("Keys").choose("Keys", "sex", "age", "region", "employment")
    study = Study(demo.original(), demo.syntheses()[:2])
    expected = assess(study, Settings(keys=demo.KEYS))
    assert tab.metric("UiO") == f"{expected.identity['UiO'].mean():.2f} %"
    assert tab.metric("repU") == f"{expected.identity['repU'].mean():.2f} %"
    tab.go("Review")
    summary = expected.summary().sort_values("gain", ascending=False)
    rows = shown_figure(tab)
    assert [r[0] for r in rows] == summary["target"].tolist()
    assert [r[1] for r in rows] == summary["original"].tolist()
    assert [r[2] for r in rows] == summary["synthetic"].tolist()


@pytest.mark.slow
def test_a_fresh_server_asked_for_a_page_first_runs_the_app(visit):
    with driving.serving() as fresh:
        tab = visit(fresh, "/keys")
        assert tab.page.get_by_role("heading", level=1).inner_text() == "Keys"
        tab.page.get_by_text("There are no data yet").wait_for()
        assert tab.rooms()[:4] == ["Data", "Keys", "Review", "Records"]
        assert tab.page.title() == "Disclosure"  # what app.py says; the page alone would be called after its file
        tab.close()


@pytest.mark.slow
def test_two_people_never_share_a_figure(visit, address, files):
    one = visit(address).press("Open the demonstration survey")
    two = visit(address)
    two.upload("Original data", files / "census.csv").upload("Synthetic data", files / "release_1.csv")
    two.press("Compare these files")
    two.page.get_by_role("heading", name="Files read").wait_for()
    two.go("Keys").choose("Keys", "sex", "age")
    one.go("Keys")
    assert one.metric("UiO") != two.metric("UiO")
    assert "release" not in one.page.content()
    assert "demonstration" not in two.page.get_by_test_id("stMain").inner_text()
    # A third who comes now starts with nothing.
    three = visit(address, "/keys")
    three.page.get_by_text("There are no data yet").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(("text", "widths"), [("100%", (1024, 1440)), ("200%", (1440,)), ("larger type", (1024,))])
def test_no_page_scrolls_sideways(visit, address, text, widths):
    tab = visit(address).press("Open the demonstration survey")
    if text == "larger type":
        tab.press("Menu").page.get_by_text("Larger text").click()
        tab.settle().page.keyboard.press("Escape")
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


@pytest.mark.slow
@pytest.mark.skipif(not SD2011.is_dir(), reason="the SD2011 reference is not part of the project")
def test_the_vignette_on_screen(visit, address):
    tab = visit(address)
    tab.upload("Original data", SD2011 / "original.csv").upload("Synthetic data", SD2011 / "synthetic_s1.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    tab.choose("Numeric columns with missing codes", "income")
    tab.choose("Values of income", "-8")
    tab.go("Keys").choose("Keys", "sex", "age", "region", "placesize")
    tab.choose("Numeric columns to group", "income")
    assert tab.page.get_by_label("Groups of income").input_value() == "20"
    assert (tab.metric("UiO"), tab.metric("repU")) == ("48.38 %", "14.86 %")
    tab.go("Review")
    assert sorted(((label, round(synthetic, 2)) for label, _, synthetic in shown_figure(tab)), key=lambda r: -r[1]) == [
        ("workab", 52.10), ("marital", 35.18), ("ls", 13.78), ("depress", 9.54), ("income", 6.14)
    ]  # fmt: skip
    tab.choose_one("Target", "workab")
    tab.page.get_by_text("carries 2,482 of 2,605 disclosive records (95.28 %). 88.64 % of all").wait_for()
    tab.page.get_by_text("26 pairs flagged").wait_for()
    limit = tab.page.get_by_role("spinbutton", name="Denominator limit")
    limit.fill("1")
    limit.press("Enter")
    tab.settle()
    why = tab.page.get_by_label("Reason: denominators")  # without it the figure is a preview
    why.fill("as in the vignette")
    why.press("Enter")
    tab.settle()
    # The vignette shows its limited figures with income as it is.
    tab.go("Keys").page.get_by_role("button", name=re.compile("Clear all")).last.click()
    tab.settle().go("Review")
    limited = sorted((round(synthetic, 2) for _, _, synthetic in shown_figure(tab)), reverse=True)
    assert limited == [20.48, 15.40, 9.84, 7.02, 3.36]
