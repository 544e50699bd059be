"""What leaves the page, opened and checked."""

import io
import re

import openpyxl
import pypdf
import pytest
from playwright.sync_api import expect

from disclosure_core import demo
from disclosure_core.figures.palette import MARKS
from tests.browser import driving
from tests.saved import from_json

pytestmark = pytest.mark.slow


def fetched(tab, label) -> bytes:
    button = tab.page.get_by_role("button").filter(has_text=label)  # a table's own buttons are named, but have no text
    with tab.page.expect_download() as waiting:
        button.click()
    return waiting.value.path().read_bytes()


@pytest.fixture(scope="module")
def tab(visit_all, address):
    return visit_all(address).press("Open the demonstration survey").go("Report")


def test_the_report(tab):
    pdf = pypdf.PdfReader(io.BytesIO(fetched(tab, "Report as PDF")))
    assert 4 <= len(pdf.pages) <= 12
    text = " ".join(page.extract_text() for page in pdf.pages)
    assert "the demonstration survey" in text
    assert "43.25" in text
    assert re.search(r'<h2 id="s(\d+)">\1 Attributes</h2>', fetched(tab, "Report as HTML").decode())


def test_a_figure(tab):
    tab.page.get_by_text("Figures for print", exact=True).click()
    (page,) = pypdf.PdfReader(io.BytesIO(fetched(tab.settle(), "Download the figure"))).pages
    assert float(page.mediabox.width) * 25.4 / 72 == pytest.approx(180, abs=0.01)
    assert "abroad" in page.extract_text()


def test_a_plot_on_screen_gives_its_own_file(tab):
    """The only button of a plot: an SVG by the plot's name, as it is on screen, made here; nothing is asked for."""
    tab.go("Keys")
    tab.page.locator(".modebar-btn").first.wait_for()
    plots = tab.page.locator(".js-plotly-plot").count()
    expect(tab.page.locator(".modebar-btn")).to_have_count(plots, timeout=driving.PATIENCE)
    button = tab.page.get_by_role("button", name="Download plot").first
    with tab.page.expect_download() as waiting:
        button.focus()
        button.press("Enter")
    assert waiting.value.suggested_filename == "identity-disclosure-with-all-keys-and-without-each-internal.svg"
    drawn = waiting.value.path().read_text()
    assert "without employment" in drawn
    assert MARKS["original"].colour in drawn or "rgb(31, 131, 201)" in drawn
    assert (tab.complaints, tab.elsewhere) == ([], [])
    tab.go("Report")


def test_tables_settings_and_scripts(tab):
    tab.page.get_by_text("Tables", exact=True).click()
    tab.settle()
    book = openpyxl.load_workbook(io.BytesIO(fetched(tab, "All tables as one Excel workbook")))
    assert book.sheetnames[:4] == ["about", "answer", "summary", "identity"]
    assert fetched(tab, "As CSV").startswith(b"\xef\xbb\xbf")
    review = from_json(fetched(tab, "The review").decode())
    assert review.keys == demo.KEYS
    assert b"open_review" in fetched(tab, "Python script")
    assert b"library(synthpop)" in fetched(tab, "R script")
