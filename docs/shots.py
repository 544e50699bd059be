"""Take the pictures of the README and the documentation from the app as it is: `python docs/shots.py [FOLDER]`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Locator, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
PAGES = ("Data", "Keys", "Review", "Records", "Safeguards", "Compare", "Report", "Analyses", "Glossary")
SIZES = ((1440, False), (1440, True), (1024, False), (1024, True))
KEPT = ("review-1440-light",)
"""The picture that the project keeps beside those of the tour; a FOLDER of one's own gets all, to look at."""

TOUR = (
    ("Data", "", 640),
    ("Keys", "", 772),
    ("Records", "", 680),
    ("Compare", "People outside, Bring a holdout, Take the survey's own holdout", 785),
    ("Report", "", 720),
)
"""Pictures of docs/tour.md: the page, what to press first, and the height of the window. Its panes are the picture."""


def main(folder: Path) -> None:
    """Write one picture a page, size and theme, as tall as the page is; and those of the tour."""
    folder.mkdir(parents=True, exist_ok=True)
    with driving.serving("--demo") as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        for width, dark in SIZES:
            pictures = {name: f"{name.lower()}-{width}-{'dark' if dark else 'light'}" for name in PAGES}
            if folder == PICTURES:
                pictures = {name: picture for name, picture in pictures.items() if picture in KEPT}
            if not pictures:
                continue
            tab = driving.Visitor(browser, address, width=width, dark=dark).open()
            for name, picture in pictures.items():
                tab.go(name).page.mouse.move(width - 1, 1)  # else the page's own help may lie over it
                main_area = tab.page.get_by_test_id("stMain")
                height = main_area.evaluate("m => m.scrollHeight")
                tab.page.set_viewport_size({"width": width, "height": min(max(height, 900), 3000)})
                tab.settle().page.wait_for_timeout(700)
                tab.page.screenshot(path=folder / f"{picture}.png")
                tab.page.set_viewport_size({"width": width, "height": 1000})
            tab.close()
        tour(browser, address, folder)
        browser.close()


def tour(browser: Browser, address: str, folder: Path) -> None:
    """Write the pictures of the tour: of each page the part that its step tells of."""
    tab = driving.Visitor(browser, address, width=1024).open()
    for name, button, height in TOUR:
        tab.go(name)
        for name_of_button in filter(None, button.split(", ")):
            if name_of_button == "People outside":  # a view
                tab.page.get_by_text(name_of_button, exact=True).click()
                tab.settle()
            else:
                tab.press(name_of_button)
        tab.page.set_viewport_size({"width": 1024, "height": height})
        tab.settle().page.mouse.move(1023, 1)  # else help may lie over it
        tab.page.wait_for_timeout(700)
        bar, column = (box(tab.page.locator(of)) for of in (".st-key-status-bar", "[data-testid=stMainBlockContainer]"))
        begin = bar["y"] + bar["height"] + 8
        clip: FloatRect = {"x": column["x"] + 8, "y": begin, "width": column["width"] - 16, "height": height - begin}
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
