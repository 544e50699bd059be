"""A report as HTML, 390 pixels wide, light and dark: its own fonts, nothing beside the screen, no result broken in two; and printed.

Printed from the browser, page 1 ends with the sign-off, as the PDF's.
"""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pypdf
import pytest

from disclosure_core import Settings, start_tables
from tests.reports import Look, report, ungrouped
from tests.slow.test_report_read_back import STATES, opened_in

pytestmark = pytest.mark.slow

BROKEN = """() => [...document.querySelectorAll('.above, .not')].filter(
  e => e.getClientRects().length > 1 || e.offsetHeight > 1.8 * parseFloat(getComputedStyle(e).lineHeight)
).map(e => e.textContent)"""
BESIDE = (
    """() => [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"""
)
WORDS = """() => {
  const broken = [];
  for (const cell of document.querySelectorAll('thead th, td.n, .above, .not')) {
    for (const node of cell.childNodes) if (node.nodeType === 3) for (const word of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (!word[0].includes('-') && new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_on_a_phone(browser, tmp_path, scheme):
    opened = ungrouped(opened_in(STATES["limits"] | {"targets": ("abroad", "marital")}))
    look = Look(title="Доклад Ωμέγα हिन्दी")
    for each in (look, replace(look, appendix=True), replace(look, shareable=True)):
        path = tmp_path / "report.html"
        path.write_bytes(report(opened, "html", each))
        context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        page = context.new_page()
        asked = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        page.evaluate("() => document.fonts.ready")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert page.evaluate(BESIDE) == []
        loaded = page.evaluate(
            "() => [...document.fonts].filter(f => f.status === 'loaded').map(f => f.family + f.weight)"
        )
        assert {"Source Sans 3", "Noto Sans Devanagari"} <= {face.strip('"')[:-3].strip('"') for face in loaded}
        assert page.evaluate(BROKEN) == []
        assert page.evaluate(WORDS) == []
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        context.close()


@pytest.mark.parametrize(("n", "letters"), [(30, "target"), (60, "a_variable_with_a_name_of_forty_letters")])
def test_printed_from_the_browser_page_1_has_the_sign_off(browser, tmp_path, n, letters):
    random = np.random.default_rng(3)
    region = random.choice(list("abcdef"), 200)
    own = {f"{letters}_{i}": np.where(random.random(200) < 0.6, region, "x") for i in range(n)}
    original = pd.DataFrame({"region": region, "sex": random.choice(["f", "m"], 200)} | own)
    opened = start_tables(original, [original.sample(200, replace=True, random_state=1).reset_index(drop=True)])
    path = tmp_path / "report.html"
    path.write_bytes(report(opened.with_review(opened.review.with_settings(Settings(keys=("region", "sex")))), "html"))
    context = browser.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("() => document.fonts.ready")
    pages = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert ["Date and signature" in page.extract_text() for page in pages] == [True, *[False] * (len(pages) - 1)]
    context.close()
