"""How much is on each screen: buttons, fields and words that are in sight, and how tall a page is.

`python benchmarks/screens.py [FOLDER]`: a row a page and size of window, of this checkout or another. Counted is what a
person sees: elements that are drawn, inside the window, and of words those in the window as the page comes.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

PAGES = ("Data", "Keys", "Review", "Safeguards", "Compare", "Report", "Analyses")
SIZES = ((1440, 900), (1366, 768), (1024, 768))
COUNTED = """
() => {
  const all = root => [...root.querySelectorAll("*")].flatMap(e => e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e])
  const seen = e => {
    const r = e.getBoundingClientRect()
    return r.width > 1 && r.height > 1 && e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  }
  const here = r => r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth
  const every = all(document.body).filter(seen)
  const buttons = every.filter(e => e.matches("button, [role=button], a[href]"))
  const fields = every.filter(e => e.matches("input, textarea, select"))
  let words = 0
  for (const e of every) for (const node of e.childNodes) {
    if (node.nodeType !== 3 || e.matches("style, script, title, [data-testid=stIconMaterial]")) continue
    const range = document.createRange(); range.selectNodeContents(node)
    if (here(range.getBoundingClientRect())) words += (node.textContent.match(/[\\p{L}\\p{N}]+/gu) || []).length
  }
  const main = document.querySelector("[data-testid=stMain]")
  return {
    buttons: buttons.length, in_sight: buttons.filter(e => here(e.getBoundingClientRect())).length,
    fields: fields.length, words, tall: main.scrollHeight,
  }
}
"""


def counted() -> None:
    """Print a line a page and size, of the demonstration survey with its own holdout not brought."""
    print(f"{'page':<12}{'window':>10}{'buttons':>9}{'in sight':>10}{'fields':>8}{'words in sight':>16}{'px tall':>9}")
    with driving.serving("--demo") as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        for width, height in SIZES:
            tab = driving.Visitor(browser, address, width=width, height=height).open()
            for name in PAGES:
                tab.go(name).settle().page.wait_for_timeout(1000)
                found = tab.page.evaluate(COUNTED)
                print(
                    f"{name:<12}{f'{width}×{height}':>10}{found['buttons']:>9}{found['in_sight']:>10}"
                    f"{found['fields']:>8}{found['words']:>16}{found['tall']:>9}",
                    flush=True,
                )
            tab.close()
        browser.close()


if __name__ == "__main__":
    counted()
