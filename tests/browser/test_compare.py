"""Compare in a browser: from the three sets on the map, by a click, to one set's review; by a click into one table."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driving import PATIENCE

AT = """([label, trace]) => {
    const plot = document.querySelector('.js-plotly-plot');
    const found = plot._fullData.find((t) => t.name === trace);
    const i = found.customdata.findIndex((d) => d.join('|') === label);
    const box = plot.getBoundingClientRect(), {xaxis: x, yaxis: y} = plot._fullLayout;
    return [box.x + x._offset + x.d2p(found.x[i]), box.y + y._offset + y.d2p(found.y[i])];
}"""


def compare(visit, address):
    """Open the demonstration survey, wait until it is open, and go to Compare."""
    tab = visit(address, width=1440, height=900).press("Open the demonstration survey")
    return tab.go("Compare")


def click(tab, label, trace):
    """Click on what stands for `label` in a figure."""
    plot = tab.page.locator(".js-plotly-plot").first
    plot.evaluate("plot => plot.scrollIntoView({block: 'center'})")
    tab.settle()
    at = tab.page.evaluate(AT, [label, trace])
    tab.point(at, plot.locator(".hoverlayer .hovertext").first)  # plotly clicks on what it hovers over
    tab.page.mouse.click(*at)
    return tab.settle()


@pytest.mark.slow
def test_from_three_sets_to_the_review_of_one(visit, address):
    tab = compare(visit, address)
    names = tab.page.locator(".js-plotly-plot .textpoint text")
    names.first.wait_for()
    assert set(names.all_text_contents()) == {"synthetic data 43.3", "overfitted 48.2", "coarse 41.6"}
    tab.page.get_by_text("discloses less than").first.wait_for()
    click(tab, "coarse", "coarse")
    tab.page.get_by_text("mean S_pMSE 4.80, 3 syntheses").wait_for()
    tab.press("Review this set")
    tab.page.get_by_role("heading", level=1, name="Review").wait_for()
    bar = tab.settle().page.locator(".st-key-status-bar")
    assert "coarse" in bar.get_by_role("combobox", name="Synthesis set on all pages").input_value()
    drawn = tab.look("abroad").page.get_by_role("img", name=re.compile(r"^DiSCO 41\.6 %"))
    assert drawn.count() == 1


@pytest.mark.slow
def test_a_click_on_a_square_looks_into_its_table(visit, address):
    tab = compare(visit, address)
    tab.page.get_by_text("Usefulness", exact=True).click()
    tab.settle()
    for pair in ("region|income", "sex|sex"):
        first, second = pair.split("|")
        click(tab, pair, "tables")
        for name, value in (("Column", first), ("By", "(this column alone)" if first == second else second)):
            expect(tab.page.get_by_role("combobox", name=name)).to_have_value(value, timeout=PATIENCE)
