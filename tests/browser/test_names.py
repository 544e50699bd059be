"""Names of every kind, in a real browser: letter by letter, and neither a link, an icon, an arrow nor a format."""

from pathlib import Path

import pandas as pd
import pytest

from tests.browser import driving
from tests.odd_names import NAMES
from tests.written import visible

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
TURNS = "\u202e"
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
        # What looks like a picture's name, ":30:", is drawn once the browser has fetched their list.
        seen = [as_read(text) for name in NAMES for text in ("begin", *[visible(name) or "nothing"] * 2)]
        page.wait_for_function(f"seen => ({READ})().every(([, text], i) => text || !seen[i])", arg=seen)
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


TOLD = """() => {
    const found = [], look = (root) => {
        for (const e of root.querySelectorAll('*')) {
            if (e.closest('[data-testid=stFileUploader]')) continue;
            for (const child of e.childNodes) if (child.nodeType === 3) found.push(child.data);
            for (const name of ['title', 'aria-label', 'aria-description', 'placeholder', 'alt', 'label'])
                if (e.getAttribute(name)) found.push(e.getAttribute(name));
            if (e.shadowRoot) look(e.shadowRoot);
        }
    };
    look(document);
    return found;
}"""
"""All that a page says, within our tables too: text, and what is read aloud or shown beside the pointer; but for what
Streamlit's own box calls a file that somebody has just chosen."""


@pytest.mark.slow
@pytest.mark.browser
def test_tables_of_ours_show_no_letter_that_turns_others(browser, tmp_path):
    names = {"sex": "fm", "age": "23456", "job": ("cook", "nurse", "cook")}
    people = pd.DataFrame(
        {f"{TURNS}{name}": [f"{TURNS}{v}" for v in levels] * (60 // len(levels)) for name, levels in names.items()}
    )
    files = [tmp_path / f"{TURNS}{name}.csv" for name in "os"]
    for file in files:
        people.to_csv(file, index=False)
    with driving.serving(cwd=tmp_path) as address:
        tab = driving.Visitor(browser, address).open()
        tab.upload("Original", files[0]).upload("Synthetic", files[1]).press("Compare")
        seen = 0
        for name in ("Data", "Keys", "Review", "Safeguards", "Report"):
            tab.go(name)
            if name == "Keys":
                for key in ("sex", "age"):
                    tab.page.get_by_role("radio", name=f"{visible(TURNS)}{key}: key").check()
                    tab.settle()
            said = tab.page.evaluate(TOLD)
            assert not [text for text in said if TURNS in text], name
            seen += sum(visible(TURNS) in text for text in said)
        assert seen > 20
        tab.close()
