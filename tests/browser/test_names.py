"""Names of every kind, in a real browser: letter by letter, and neither a link, an icon, an arrow nor a format."""

from pathlib import Path

import pytest

from disclosure_core.rounding import visible
from tests.browser import driving
from tests.odd_names import NAMES

PAGE = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from pages.shared.show import literal
from tests.odd_names import NAMES
for i, name in enumerate(NAMES):
    for kind, text in (("within", f"begin {{literal(name)}}: end"), ("alone", literal(name) or "nothing")):
        with st.container(key=f"{{kind}}{{i}}"):
            st.markdown(text)
    with st.container(key=f"label{{i}}"):
        st.button(literal(name) or "nothing", key=i)
"""
READ = """() => [...document.querySelectorAll('[class*=st-key-within], [class*=st-key-alone], [class*=st-key-label]')].map(
    (e) => {
        const shown = e.querySelector('[data-testid=stMarkdownContainer]');
        const made = shown.querySelectorAll('a, svg, img, em, strong, code, del, span, h1, ul, ol, blockquote, hr, sub, pre');
        return [[...e.classList].find((c) => c.startsWith('st-key')), shown.textContent, made.length];
    })"""


@pytest.mark.slow
@pytest.mark.browser
def test_markdown_shows_a_name_letter_by_letter(browser, tmp_path):
    script = tmp_path / "names.py"
    script.write_text(PAGE.format(root=str(Path(__file__).parents[2])), encoding="utf-8")
    with driving.serving(cwd=tmp_path, script=script) as address:
        page = browser.new_page()
        page.goto(address)
        page.locator(f".st-key-label{len(NAMES) - 1} button p").wait_for()
        found = {key: (text, made) for key, text, made in page.evaluate(READ)}
        page.close()
    assert len(found) == 3 * len(NAMES)
    for i, name in enumerate(NAMES):
        shown = visible(name)
        for kind, text in (
            ("within", f"begin {shown}: end"),
            ("alone", shown or "nothing"),
            ("label", shown or "nothing"),
        ):
            got, made = found[f"st-key-{kind}{i}"]
            assert (as_read(got), made) == (as_read(text), 0), (kind, name)


def as_read(text):
    """Return a text without what nobody sees of ours, and blanks as blanks."""
    return text.replace("\u2060", "").replace("\u00a0", " ").strip()


@pytest.mark.slow
@pytest.mark.browser
def test_no_table_offers_a_file_of_its_own(browser, tmp_path):
    with driving.serving("--demo", cwd=tmp_path) as address:
        tab = driving.Visitor(browser, address).open().go("Records")
        tab.page.get_by_test_id("stDataFrame").first.hover()
        toolbar = tab.page.get_by_test_id("stElementToolbar").first
        toolbar.get_by_label("Search").wait_for()
        hidden = toolbar.get_by_label("Download as CSV")  # Streamlit's, which writes formulas as they are
        assert (hidden.count(), hidden.is_visible()) == (1, False)
        tab.close()
