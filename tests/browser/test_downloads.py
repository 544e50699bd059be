"""What leaves the page, opened and checked."""

import io
import json

import openpyxl
import pypdf
import pytest

from disclosure_core import Settings, demo


def fetched(tab, label) -> bytes:
    button = tab.page.get_by_role("button", name=label, exact=False).first
    with tab.page.expect_download() as waiting:
        button.click()
    return waiting.value.path().read_bytes()


@pytest.fixture
def tab(visit, address):
    return visit(address).press("Open the demonstration survey").go("Report")


def test_the_report(tab):
    pdf = pypdf.PdfReader(io.BytesIO(fetched(tab, "Report as PDF")))
    assert 4 <= len(pdf.pages) <= 12
    text = " ".join(page.extract_text() for page in pdf.pages)
    assert "the demonstration survey" in text
    assert "43.25" in text
    assert b"<h2>Attributes</h2>" in fetched(tab, "Report as HTML")


def test_a_figure(tab):
    (page,) = pypdf.PdfReader(io.BytesIO(fetched(tab, "Download the figure"))).pages
    assert float(page.mediabox.width) * 25.4 / 72 == pytest.approx(180, abs=0.01)
    assert "abroad" in page.extract_text()


def test_tables_settings_and_scripts(tab):
    book = openpyxl.load_workbook(io.BytesIO(fetched(tab, "All tables as one Excel workbook")))
    assert book.sheetnames[:2] == ["summary", "identity"]
    assert fetched(tab, "As CSV").startswith(b"\xef\xbb\xbf")
    settings = json.loads(fetched(tab, "Settings"))
    assert Settings.from_json(json.dumps(settings)).keys == tuple(sorted(demo.KEYS))
    assert b"from disclosure_core import" in fetched(tab, "Python script")
    assert b"library(synthpop)" in fetched(tab, "R script")
