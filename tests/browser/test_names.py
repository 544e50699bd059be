"""Names and levels from the data are text everywhere: no markup of theirs runs, or is drawn as anything but itself."""

import pandas as pd
import pytest

from disclosure_core.data.naming import middle_cut

HOSTILE = {
    "<img src=x onerror=\"window.hit=1\">": ["<img src=x onerror=\"window.hit=1\">", "<b>bold</b>"],
    "[x](javascript:window.hit=1)": ["[x](javascript:window.hit=1)", ":red[red]"],
    "$x$": ["$x^2$", "`code`"],
    ":red[red]": ["**bold**", "# heading"],
    "<script>window.hit=1</script>": ["</script><script>window.hit=1</script>", "=1+1"],
}  # fmt: skip
KEY = "<b>key</b>"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    rows = 400
    frame = pd.DataFrame({name: [levels[i % 11 == 0] for i in range(rows)] for name, levels in HOSTILE.items()})
    frame.insert(0, KEY, [f"<i>{i % 4}</i>" for i in range(rows)])
    frame.insert(1, "size", [i % 3 for i in range(rows)])
    frame.to_csv(folder / "<b>original :red[x].csv", index=False)
    # Another order, and one level that only the synthetic data have.
    other = frame.iloc[::-1].copy()
    other.iloc[0, 2] = "<u>new</u>"
    other.to_csv(folder / "synthetic.csv", index=False)
    return folder


def sound(tab):
    assert tab.page.evaluate("window.hit === undefined")
    page = tab.page.get_by_test_id("stMain")
    for tag in (
        "b:has-text('key')",
        "b:has-text('bold')",
        "i:has-text('0')",
        "u",
        "img[src='x']",
        "a[href^='javascript']",
    ):
        assert page.locator(tag).count() == 0, tag
    # Streamlit draws :red[…] as a coloured span, and $…$ with KaTeX.
    assert page.locator(".katex").count() == 0
    assert page.locator("span.stMarkdownColoredText").count() == 0


def reviewed(visit, address, files):
    """Open the files, choose keys and go to the Review page; each page on the way is looked at."""
    tab = visit(address)
    tab.upload("Original data", files / "<b>original :red[x].csv").upload("Synthetic data", files / "synthetic.csv")
    tab.press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    sound(tab)
    tab.go("Keys").choose("Keys", KEY, "size")
    sound(tab)
    tab.go("Review")
    sound(tab)
    return tab


@pytest.mark.slow
def test_names_and_levels_are_text(visit, address, files):
    tab = reviewed(visit, address, files)
    drawn = tab.page.locator(".js-plotly-plot").first.locator(".textpoint text")
    drawn.first.wait_for()
    words = drawn.all_text_contents()
    for name in HOSTILE:
        assert any(middle_cut(name, 24) in said for said in words), name
    mark = tab.page.locator(".js-plotly-plot").first.locator(".scatterlayer .points path").last
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    label = tab.page.locator(".js-plotly-plot .hovertext").first
    tab.point((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), label)
    assert any(name in label.text_content() for name in HOSTILE)
    sound(tab)


@pytest.mark.slow
def test_each_target_is_text(visit, address, files):
    tab = reviewed(visit, address, files)
    target = tab.page.get_by_role("combobox", name="Target")
    for name in HOSTILE:
        shown = middle_cut(name, 32)
        target.click()
        target.fill(shown)
        tab.page.get_by_role("option").filter(has_text=f"{shown} · ").click()
        tab.settle()
        assert target.input_value().startswith(f"{shown} · ")
        sound(tab)
