"""Take the pictures of the README and the documentation from the app as it is: `python docs/shots.py [FOLDER]`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Locator, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
PAGES = ("Data", "Keys", "Review", "Records", "Safeguards", "Baseline", "Compare", "Report", "Glossary")
SIZES = ((1440, False), (1440, True), (1024, False), (1024, True))
KEPT = ("data-1440-light", "keys-1440-light", "review-1440-light", "review-1024-dark")
"""The pictures that the project keeps; a FOLDER of one's own gets all of them, to look at."""

TOUR = (
    ("Data", "", "Columns", "Files read"),
    ("Keys", "", "Keys", "How many keys it takes"),
    ("Records", "", "Records", ""),
    ("Baseline", "Bring a holdout, Take the survey's own holdout", "", ""),
    ("Report", "", "Report", "Figures for print"),
)
"""The pictures of docs/tour.md: the page, buttons to press first, and the headings where the picture begins and before
which it ends; without a heading the edge of the page's first figure or table."""


def main(folder: Path) -> None:
    """Write one picture a page, size and theme, as tall as the page is; and those of the tour."""
    folder.mkdir(parents=True, exist_ok=True)
    with driving.serving("--demo") as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        for width, dark in SIZES:
            tab = driving.Visitor(browser, address, width=width, dark=dark).open()
            for name in PAGES:
                tab.go(name).page.mouse.move(width - 1, 1)  # else the page's own help may lie over it
                main_area = tab.page.get_by_test_id("stMain")
                height = main_area.evaluate("m => m.scrollHeight")
                tab.page.set_viewport_size({"width": width, "height": min(max(height, 900), 3000)})
                tab.settle().page.wait_for_timeout(700)
                picture = f"{name.lower()}-{width}-{'dark' if dark else 'light'}"
                if folder != PICTURES or picture in KEPT:
                    tab.page.screenshot(path=folder / f"{picture}.png")
                tab.page.set_viewport_size({"width": width, "height": 1000})
            tab.close()
        tour(browser, address, folder)
        browser.close()


def tour(browser: Browser, address: str, folder: Path) -> None:
    """Write the pictures of the tour: of each page the part that its step tells of."""
    tab = driving.Visitor(browser, address, width=1024).open()
    for name, button, first, below in TOUR:
        tab.go(name)
        for name_of_button in filter(None, button.split(", ")):
            tab.press(name_of_button)
        tab.page.set_viewport_size({"width": 1024, "height": 3000})
        tab.settle().page.wait_for_timeout(700)

        main_area = tab.page.get_by_test_id("stMain")
        column = box(tab.page.get_by_test_id("stMainBlockContainer"))
        figure = main_area.locator("[data-testid=stPlotlyChart], [data-testid=stDataFrame]").first
        headings = [main_area.get_by_role("heading", name=heading, exact=True) for heading in (first, below)]
        begin = box(headings[0])["y"] - 16 if first else box(figure)["y"]
        end = box(headings[1])["y"] - 16 if below else box(figure)["y"] + box(figure)["height"]
        clip: FloatRect = {"x": column["x"] + 8, "y": begin, "width": column["width"] - 16, "height": end - begin}
        tab.page.screenshot(path=folder / f"tour-{name.lower()}.png", clip=clip)
        tab.page.set_viewport_size({"width": 1024, "height": 1000})
    tab.close()


def box(of: Locator) -> FloatRect:
    """Return where something stands on the page."""
    found = of.bounding_box()
    if found is None:
        raise LookupError("what the picture is to show is not on the page")
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
