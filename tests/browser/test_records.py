"""From a figure to the people behind it, and away with safer files: in a real browser."""

import io
import zipfile

import pandas as pd
import pytest

from disclosure_core import Settings, Study, assess, at_risk, demo
from disclosure_core.sensitivity.contributions import by_level

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.mark.slow
def test_a_click_on_a_bar_opens_the_records_of_that_level(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review").look("abroad")
    found = assess(demo.study(), SETTINGS)
    top = by_level(found.targets["abroad"], 2).iloc[1]
    tab.page.get_by_role("radio", name="Where").or_(tab.page.get_by_role("button", name="Where")).click()
    chart = tab.page.locator(".st-key-pane-target .js-plotly-plot").filter(has_text="=").first
    chart.wait_for()
    chart.scroll_into_view_if_needed()
    tab.settle()
    bar = chart.locator(".barlayer .point path").nth(1)
    box = bar.bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.get_by_role("heading", level=1, name="Records").wait_for()
    tab.settle()
    assert tab.page.get_by_role("combobox", name=top["column"]).input_value() == top["level"]
    listed = at_risk(found.targets["abroad"].counted[0])
    n = len(listed.where({top["column"]: top["level"]}))
    tab.page.get_by_text(f"{n:,} of {len(listed):,} records at risk").wait_for()


@pytest.mark.slow
def test_safer_files_leave_in_the_format_they_came_in(visit, address, tmp_path):
    original, synthetic = demo.original(), demo.syntheses()[0]
    original.to_csv(tmp_path / "census.csv", index=False, sep=";")
    synthetic.to_csv(tmp_path / "release.csv", index=False, sep=";")
    tab = visit(address)
    tab.upload("Original data", tmp_path / "census.csv").upload("Synthetic data", tmp_path / "release.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    tab.go("Keys")
    tab.keys("sex", "age", "region")
    tab.go("Safeguards").page.get_by_role("radio", name="Remove records").click()
    tab.settle().press("Try it")
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("button", name="The safer syntheses and the log").click()
    with zipfile.ZipFile(io.BytesIO(saved.value.path().read_bytes())) as archive:
        assert archive.namelist() == ["safer_release.csv", "log.txt"]
        text = archive.read("safer_release.csv").decode()
        log = archive.read("log.txt").decode()
    safer = pd.read_csv(io.StringIO(text), sep=";")
    settings = Settings(keys=("sex", "age", "region"))
    before = assess(Study(original, [synthetic]), settings).identity.loc[1, "repU"]
    after = assess(Study(original, [safer]), settings).identity.loc[1, "repU"]
    assert before > 0
    assert after == 0
    assert len(safer) == len(synthetic) - round(before * 50)
    assert f"safer_release.csv: 5,000 records before, {len(safer):,} after" in log
