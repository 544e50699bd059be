"""What people do with a browser besides the main job: other formats, the back button, a reload, a second tab."""

import gzip
import re
import zipfile
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest
import rdata
import xlwt

from disclosure_core import demo, read
from disclosure_core.data.readers import EXTENSIONS

IRIS = Path(__file__).parents[1] / "core" / "files" / "iris.sas7bdat"


def in_every_format(folder: Path) -> list[Path]:
    """Write one small table as a file of each format that can be read, but SAS's own, which nothing writes."""
    frame = pd.DataFrame({"SEX": ["f", "m", "f"] * 20, "AGE": [float(i % 7) for i in range(60)]})
    at = {ending: folder / f"release{ending}" for ending in EXTENSIONS if ending != ".sas7bdat"}
    text = frame.to_csv(index=False)
    for ending in (".csv", ".txt"):
        at[ending].write_text(text)
    for ending in (".tsv", ".tab"):
        at[ending].write_text(frame.to_csv(index=False, sep="\t"))
    at[".gz"] = at[".gz"].with_name("release.csv.gz")
    at[".gz"].write_bytes(gzip.compress(text.encode()))
    with zipfile.ZipFile(at[".zip"], "w") as archive:
        archive.writestr("inside.csv", text)
    frame.to_parquet(at[".parquet"])
    frame.to_feather(at[".feather"])
    frame.to_feather(at[".arrow"])
    frame.to_excel(at[".xlsx"], index=False)
    frame.to_excel(at[".ods"], index=False)
    book = xlwt.Workbook()
    sheet = book.add_sheet("people")
    for column, name in enumerate(frame):
        for row, value in enumerate([name, *frame[name]]):
            sheet.write(row, column, value)
    book.save(str(at[".xls"]))
    pyreadstat.write_sav(frame, at[".sav"])
    pyreadstat.write_sav(frame, at[".zsav"], compress=True)
    pyreadstat.write_por(frame, at[".por"])
    pyreadstat.write_dta(frame, at[".dta"])
    pyreadstat.write_xport(frame, at[".xpt"])
    frame = frame.astype({"SEX": "category"})
    rdata.write_rds(at[".rds"], frame)
    for ending in (".rdata", ".rda"):
        rdata.write_rda(at[ending], {"people": frame})
    return list(at.values())


@pytest.mark.slow
def test_every_format_by_upload(visit, address, tmp_path):
    files = in_every_format(tmp_path)
    tab = visit(address).upload("Original data", tmp_path / "release.csv").upload("Synthetic data", *files)
    tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
    n = len(EXTENSIONS) - 1
    assert f"· 60 original records · {n} syntheses of 60 · 2 columns" in tab.opened()
    assert len(files) == n
    frame = read(IRIS, IRIS.name)[0].frame
    frame.to_csv(tmp_path / "iris.csv", index=False)
    tab = visit(address).upload("Original data", IRIS).upload("Synthetic data", tmp_path / "iris.csv")
    tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
    assert f"· 150 original records · 1 synthesis of 150 · {frame.shape[1]} columns" in tab.opened()


@pytest.mark.slow
def test_back_reload_and_a_second_tab(visit, address, tmp_path):
    demo.original().to_parquet(tmp_path / "people.parquet")
    demo.syntheses()[0].to_parquet(tmp_path / "release 1.parquet")
    demo.syntheses()[1].to_parquet(tmp_path / "release 2.parquet")
    tab = visit(address).upload("Original data", tmp_path / "people.parquet")
    tab.upload("Synthetic data", *sorted(tmp_path.glob("release*"))).press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    assert "· 5,000 original records · 2 syntheses" in tab.opened()

    # Back and forward go through the pages, and the data stay.
    tab.go("Keys").page.go_back()
    tab.page.get_by_role("heading", level=1, name="Data", exact=True).wait_for()
    tab.settle()
    assert "· 2 syntheses" in tab.opened()
    tab.page.go_forward()
    tab.page.get_by_role("heading", level=1, name="Keys", exact=True).wait_for()
    tab.settle()
    tab.page.get_by_text("Choose at least one key").wait_for()

    # A second tab of the same person starts with nothing, and takes nothing away.
    second = tab.context.new_page()
    second.goto(f"{address}/")
    second.get_by_role("heading", level=1, name="Data", exact=True).wait_for()
    second.get_by_role("button", name="Open the demonstration survey").wait_for()
    assert second.get_by_role("heading", name="Files read").count() == 0
    second.close()
    tab.go("Data")
    assert "· 5,000 original records" in tab.opened()

    # A reload brings the review back: to this browser; tests/server/test_returning.py has two.
    tab.go("Keys").page.reload()
    tab.page.get_by_text("Choose at least one key").wait_for()
    tab.settle()
    tab.complaints.clear()  # Streamlit looks for the server below the page's path first, and is told 404


FOLLOWING = {"Data": "Keys", "Keys": "Review", "Records": "Safeguards", "Compare": "Report", "Analyses": "Report"}
"""By page that ends with the way to the next one, which that is."""


@pytest.mark.slow
def test_a_page_leads_to_the_next_which_begins_at_its_top(visit, address):
    tab = visit(address, height=700).press("Open the demonstration survey")
    main = tab.page.get_by_test_id("stMain")
    for here, name in {**FOLLOWING, "Workshop": "Glossary"}.items():
        if tab.page.get_by_role("heading", level=1, name=here, exact=True).count() == 0:
            tab.go(here)
        following = tab.page.get_by_role("link", name=re.compile("^(arrow_forward ?)?Next: "))
        following.scroll_into_view_if_needed()
        following.click()
        tab.page.get_by_role("heading", level=1, name=name, exact=True).wait_for()
        tab.settle()
        assert main.evaluate("m => m.scrollTop") == 0, name
    for name in ("Review", "Safeguards", "Report", "Glossary"):  # the navigation leads on
        assert tab.go(name).page.get_by_text(re.compile("^Next: ")).count() == 0, name
