"""Take the pictures of the README and the documentation from the app as it is: `python docs/shots.py [FOLDER]`."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
PAGES = ("Data", "Keys", "Risk", "Review", "Records", "Baseline", "Report", "Glossary")
SIZES = ((1440, False), (1440, True), (1024, False), (1024, True))
KEPT = ("data-1440-light", "keys-1440-light", "risk-1440-light", "risk-1024-dark", "review-1440-light")
"""The pictures that the project keeps; a FOLDER of one's own gets all of them, to look at."""


def main(folder: Path) -> None:
    """Write one picture a page, size and theme, as tall as the page is."""
    folder.mkdir(parents=True, exist_ok=True)
    with driving.serving("--demo") as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        for width, dark in SIZES:
            tab = driving.Visitor(browser, address, width=width, dark=dark).open()
            for name in PAGES:
                tab.go(name)
                main_area = tab.page.get_by_test_id("stMain")
                height = main_area.evaluate("m => m.scrollHeight")
                tab.page.set_viewport_size({"width": width, "height": min(max(height, 900), 3000)})
                tab.settle().page.wait_for_timeout(700)
                picture = f"{name.lower()}-{width}-{'dark' if dark else 'light'}"
                if folder != PICTURES or picture in KEPT:
                    tab.page.screenshot(path=folder / f"{picture}.png")
                tab.page.set_viewport_size({"width": width, "height": 1000})
            tab.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
