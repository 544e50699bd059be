"""How much is on each screen: buttons, fields and words that are in sight, and how tall a page is.

`python benchmarks/screens.py [FOLDER]`: a row a page and size of window, of this checkout or another. Counted is what a
person sees as the page comes: what is drawn inside the window and inside its pane; a figure is a word.
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
  const above = e => e.parentElement || (e.getRootNode().host ?? null)
  const drawn = e => {
    const r = e.getBoundingClientRect()
    return r.width > 1 && r.height > 1 && e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  }
  const here = (e, r) => {  // inside the window, and inside every pane that scrolls
    let top = Math.max(r.top, 0), bottom = Math.min(r.bottom, innerHeight)
    let left = Math.max(r.left, 0), right = Math.min(r.right, innerWidth)
    for (let up = above(e); up; up = above(up)) {
      if (getComputedStyle(up).overflowY === "visible") continue
      const pane = up.getBoundingClientRect()
      top = Math.max(top, pane.top); bottom = Math.min(bottom, pane.bottom)
      left = Math.max(left, pane.left); right = Math.min(right, pane.right)
    }
    return bottom - top > 2 && right - left > 2
  }
  const every = all(document.body).filter(drawn)
  const fields = every.filter(e => e.matches("input, textarea, select"))
  const arrow = e => e.closest("[data-baseweb=select], [data-testid=stSelectbox], [data-testid=stMultiSelect]")
  const buttons = every.filter(e => e.matches("button, [role=button], a[href]") && !arrow(e))  // that is the field
  const icon = e => getComputedStyle(e).fontFamily.includes("Material")
  const texts = []
  for (const e of every) for (const node of e.childNodes) {
    if (node.nodeType !== 3 || !node.textContent.trim() || e.matches("style, script, title") || icon(e)) continue
    const range = document.createRange(); range.selectNodeContents(node)
    if (here(e, range.getBoundingClientRect())) texts.push(node.textContent.trim())
  }
  const words = texts.join(" ").split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word))
  const main = document.querySelector("[data-testid=stMain]")
  const seen = buttons.filter(e => here(e, e.getBoundingClientRect()))
  return {
    buttons: buttons.length, in_sight: seen.length, fields: fields.length, words: words.length, tall: main.scrollHeight,
    names: seen.map(e => (e.getAttribute("aria-label") || e.textContent).trim()), texts,
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
