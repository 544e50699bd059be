"""The workshop's slides, from a file: nothing is cut, the presenter's view leads, and paper has no lone line."""

# Inside: the slides' text is compared with what they were made of.

import io
import itertools
import re

import pypdf
import pytest
from playwright.sync_api import expect

from pages.workshop import sheets

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    for name, data in sheets.papers().items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("size", [(1366, 768), (1024, 768), (1920, 1080)])
def test_no_slide_is_cut(browser, papers, size):
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    complaints = []
    page.on("console", lambda told: complaints.append(told.text))
    page.on("pageerror", lambda told: complaints.append(str(told)))
    page.goto((papers / "slides.html").as_uri())
    for i, slide in enumerate(sheets.slides()):
        seen = page.locator("section.at")
        assert seen.locator("footer").inner_text() == f"{i + 1} / {len(sheets.slides())}"
        assert seen.evaluate("s => s.scrollHeight <= s.clientHeight && s.scrollWidth <= s.clientWidth"), (i, slide)
        assert not seen.locator(".say").is_visible()  # notes are the presenter's
        for _ in range(steps(seen)):
            page.keyboard.press("ArrowRight")
    assert complaints == []
    page.close()


def steps(slide) -> int:
    """Return how often → leads on from a slide: once, and once for each row of a figure."""
    return slide.evaluate("s => (s.querySelector('[data-cuts]')?.dataset.cuts.split(' ').length ?? 1)")


def test_a_figure_comes_row_by_row_and_is_whole_without_the_script(browser, papers):
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto((papers / "slides.html").as_uri())
    at = next(i for i, slide in enumerate(sheets.slides()) if slide.figure == "members-outside-disco")
    while page.locator("section.at footer").inner_text() != f"{at + 1} / {len(sheets.slides())}":
        page.keyboard.press("ArrowRight")
    seen, covered = page.locator("section.at"), []
    for _ in range(steps(seen) - 1):
        covered.append(seen.locator(".cover").bounding_box()["height"] / seen.locator("img").bounding_box()["height"])
        page.keyboard.press("ArrowRight")
    assert len(covered) == 10  # a row a target
    gaps = [round(a - b, 3) for a, b in itertools.pairwise(covered)]
    assert max(gaps) - min(gaps) < 0.003
    assert 0.06 < covered[-1] < 0.09  # the last row is as high as each
    assert not seen.locator(".cover").is_visible()
    page.keyboard.press("ArrowLeft")
    assert seen.locator(".cover").is_visible()
    page.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((papers / "slides.html").as_uri())
    assert [c.is_visible() for c in page.locator(".cover").all()] == [False] * len(sheets.FIGURES)
    context.close()


def test_the_presenter_leads_and_has_the_notes(browser, papers):
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto((papers / "slides.html").as_uri())
    with page.context.expect_page() as opened:
        page.keyboard.press("p")
    presenter = opened.value
    presenter.get_by_role("button", name="Start the clock").click()
    presenter.get_by_role("button", name="Pause").wait_for()
    assert presenter.locator("#plan tr.now").inner_text().startswith("0–5")
    for _ in range(3):
        presenter.keyboard.press("ArrowRight")
    expect(page.locator("section").nth(3)).to_have_class(re.compile(r"\bat\b"))
    said = sheets.slides()[3].say
    assert said
    assert presenter.locator("#notes").inner_text().strip() == said
    page.keyboard.press("ArrowLeft")
    presenter.get_by_text("3 of ").wait_for()
    page.context.close()


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_papers_break_where_they_should(browser, papers, size):
    pages = {}
    for name in ("student-sheet", "by-hand-worksheet"):
        page = browser.new_page()
        page.goto((papers / f"{name}.html").as_uri())
        pages[name] = pypdf.PdfReader(io.BytesIO(page.pdf(format=size))).pages
        page.close()
    assert len(pages["by-hand-worksheet"]) == 1
    assert len(pages["student-sheet"]) == 2
    assert len(pages["student-sheet"][1].extract_text().splitlines()) > 10
