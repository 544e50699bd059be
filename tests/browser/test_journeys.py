"""What people do with a browser besides the main job: other formats, the back button, a reload, a second tab."""

import re

from disclosure_core import demo


def test_other_formats_back_reload_and_a_second_tab(visit, address, tmp_path):
    demo.original().to_parquet(tmp_path / "people.parquet")
    demo.syntheses()[0].to_csv(tmp_path / "release.tsv.gz", sep="\t", index=False)
    demo.syntheses()[1].to_stata(tmp_path / "release.dta", write_index=False)
    tab = visit(address).upload("Original data", tmp_path / "people.parquet")
    tab.upload("Synthetic data", tmp_path / "release.tsv.gz", tmp_path / "release.dta").press("Compare these files")
    tab.page.get_by_role("heading", name="What was read").wait_for()
    assert (tab.metric("Original"), tab.metric("Syntheses")) == ("5,000", "2")

    # Back and forward go through the pages, and the data stay.
    tab.go("Keys").page.go_back()
    tab.page.get_by_role("heading", level=1, name="Data", exact=True).wait_for()
    tab.settle()
    assert tab.metric("Syntheses") == "2"
    tab.page.go_forward()
    tab.page.get_by_role("heading", level=1, name="Keys", exact=True).wait_for()
    tab.settle()
    tab.page.get_by_text("Choose at least one key").wait_for()

    # A second tab of the same person starts with nothing, and takes nothing away.
    second = tab.context.new_page()
    second.goto(f"{address}/")
    second.get_by_role("heading", level=1, name="Data", exact=True).wait_for()
    second.get_by_role("button", name="Open the demonstration survey").wait_for()
    assert second.get_by_role("heading", name="What was read").count() == 0
    second.close()
    tab.go("Data")
    assert tab.metric("Original") == "5,000"

    # A reload is a new beginning, and says what to do; what was uploaded is not shown to whoever reloads.
    tab.go("Risk").page.reload()
    tab.page.get_by_text(re.compile("There are no data yet")).wait_for()
    tab.settle()
    tab.complaints.clear()  # Streamlit looks for the server below the page's path first, and is told 404
