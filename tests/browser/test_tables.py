"""Our own tables sort by their heads, are found in by typing, copied, and handed out as files that no spreadsheet runs."""

import csv

import pandas as pd
import pytest

pytestmark = pytest.mark.slow

ODD = ["=cmd", "-1+1", "@sum", 'a "b", c']


def handed(tab, table) -> list[list[str]]:
    """Return the rows of the file that a table hands out."""
    if table.locator(".take").get_attribute("open") is None:
        table.locator(".take summary").click()
    with tab.page.expect_download() as file:
        table.get_by_role("button", name="Download CSV").click()
    table.locator(".take summary").press("Escape")
    assert file.value.suggested_filename.endswith("-confidential.csv")
    text = file.value.path().read_text(encoding="utf-8-sig")
    return list(csv.reader(text.splitlines(keepends=True)))


def names(table) -> list[str]:
    return table.locator("tbody tr:visible th").all_inner_texts()


def test_a_table_of_columns_is_sorted_searched_copied_and_downloaded(visit, address, tmp_path):
    frame = pd.DataFrame(
        {name: [str(v % (i + 2)) + "x" for v in range(60)] for i, name in enumerate([*ODD, *"efghijklm"])}
    )
    for name in ("o.csv", "s.csv"):
        frame.to_csv(tmp_path / name, index=False)
    tab = visit(address, permissions=["clipboard-read", "clipboard-write"])
    tab.upload("Original data", tmp_path / "o.csv").upload("Synthetic data", tmp_path / "s.csv").press(
        "Compare these files"
    )
    page = tab.go("Keys").page
    table = page.locator(".st-key-keys-roles")
    levels, all_names = table.locator("thead th.number"), names(table)
    assert all_names == list(frame.columns)
    for pressed, order in (("ascending", all_names), ("descending", all_names[::-1]), ("none", all_names)):
        levels.click()
        assert levels.get_attribute("aria-sort") == pressed
        assert names(table) == order
    levels.press("ArrowRight")  # heads are one stop of Tab
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert names(table) == all_names[::-1]
    table.get_by_label("Find a column").fill("=")
    assert names(table) == ["=cmd"]
    rows = handed(tab, table)
    assert rows[0][:3] == ["column", "holds", "levels"]
    assert [row[:3] for row in rows[1:]] == [["'=cmd", "category", "2"]]
    table.get_by_label("Find a column").fill("")
    assert [row[0] for row in handed(tab, table)[1:]] == [
        ("'" if name in ODD[:3] else "") + name for name in all_names[::-1]
    ]
    table.locator(".take summary").click()
    table.get_by_role("button", name="Copy").click()
    table.get_by_text("Copied: 13 rows, confidential.").wait_for()
    pasted = list(csv.reader(page.evaluate("navigator.clipboard.readText()").splitlines(), delimiter="\t"))
    assert pasted == handed(tab, table)
    assert table.locator(".take").get_attribute("open") is None


def test_targets_and_pairs_are_sorted_and_handed_out_as_they_stand(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review").look("marital")
    page = tab.page
    bench, card = page.locator(".bench"), page.locator(".card")
    gains = [row[0] for row in handed(tab, bench)[1:]]
    assert gains[:2] == ["marital", "education"]
    bench.locator("th.name", has_text="target").click()
    assert [row[0] for row in handed(tab, bench)[1:]] == sorted(gains)
    assert bench.locator("th.gain").get_attribute("aria-sort") == "none"
    bench.get_by_role("button", name="gain over chance").click()
    tab.settle()
    assert [row[0] for row in handed(tab, bench)[1:]] == gains
    records = card.locator(".pairs").first.locator("th.records")
    records.click()
    assert records.get_attribute("aria-sort") == "descending"
    rows = handed(tab, card)
    taken = [float(row[rows[0].index("records taken")]) for row in rows[1:]]
    assert taken == sorted(taken, reverse=True)
    before = card.locator(".pairs tbody th").all_inner_texts()
    card.get_by_role("checkbox", name="Exclude employment Student, Single").check()
    tab.settle()
    assert card.locator(".pairs tbody th").all_inner_texts() == before  # what a tick changes moves no row
    assert [row[rows[0].index("excluded")] for row in handed(tab, card)[1:]].count("yes") == 1
