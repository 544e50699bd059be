"""What a person waits for, in a real Chromium: `python benchmarks/browser.py`.

Printed are the seconds from starting the server to the first page, beside those of a Streamlit page that holds nothing
but a title, in turn; and the milliseconds from a click on the Review page
to the new figure of all targets, with a million records on each side that were uploaded as Parquet. `--smoke` takes
20,000 records; `--records` other numbers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Locator, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.run import NINE, made  # noqa: E402
from tests.browser import driving  # noqa: E402

LOOK = """() => {
    const ofAll = (plot) => plot.data && plot.data.some((t) => t.name === 'Dorig (original)');
    const drawn = () => JSON.stringify(
        [...document.querySelectorAll('.js-plotly-plot')].filter(ofAll).map((plot) => plot.data.map((t) => t.x)));
    const before = drawn();
    let clicked = null;
    window.waited = null;
    addEventListener('pointerdown', () => { clicked = performance.now(); }, {once: true, capture: true});
    const look = () => {
        if (clicked !== null && drawn() !== before) window.waited = performance.now() - clicked;
        else requestAnimationFrame(look);
    };
    look();
}"""
"""Notes the milliseconds from the next click to the frame in which the figure of all targets is another."""


BARE = "import streamlit as st\n\nst.title('A title')\n"


def first_page(browser: object, folder: Path, script: Path, *arguments: str) -> tuple[float, float]:
    """Return the seconds until the server answers, and until the first page stands still."""
    start = time.perf_counter()
    with driving.serving(*arguments, cwd=folder, script=script) as address:
        answers = time.perf_counter() - start
        driving.Visitor(browser, address).open().close()
        return answers, time.perf_counter() - start


def waited(tab: driving.Visitor, what: Locator) -> float:
    """Return the milliseconds from a click to the new figure."""
    what.scroll_into_view_if_needed()
    tab.settle().page.evaluate(LOOK)
    what.click()
    tab.page.wait_for_function("() => window.waited !== null", polling=20)
    took = tab.page.evaluate("window.waited")
    tab.settle()
    return took


def toggles(tab: driving.Visitor, times: int) -> dict[str, list[float]]:
    """Return what each kind of toggle on the Review page took, ms; each asks for figures not computed before."""
    page = tab.page
    took: dict[str, list[float]] = {"a limit on denominators, all targets": [], "a level of the target": []}
    limit = page.get_by_test_id("stNumberInput").filter(has_text="Denominator limit")
    more = limit.get_by_test_id("stNumberInputStepUp")
    limit.get_by_role("spinbutton").fill("1")  # an empty field has no next number
    page.keyboard.press("Enter")
    for _ in range(times):
        took["a limit on denominators, all targets"].append(waited(tab, more))
    for _ in range(times):
        page.get_by_role("combobox", name="Leave out another level").click()
        option = page.get_by_role("option").first
        option.wait_for()
        took["a level of the target"].append(waited(tab, option))
        page.keyboard.press("Escape")
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--first-page", action="store_true", help="nothing but the first pages")
    parser.add_argument("--records", type=float, default=1e6, help="records on each side")
    asked = parser.parse_args()
    n, times = (20_000, 1) if asked.smoke else (int(asked.records), 5)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = driving.launch(playwright)
        bare = folder / "bare.py"
        bare.write_text(BARE)
        app = ROOT / "app.py"
        pages = {"a bare page": (bare,), "the first page": (app,), "the demonstration survey": (app, "--demo")}
        starts: dict[str, list[tuple[float, float]]] = {what: [] for what in pages}
        for _ in range(1 if asked.smoke else 3):
            for what, page in pages.items():
                starts[what].append(first_page(browser, folder, *page))
        least = min(drawn for _, drawn in starts["a bare page"])
        for what, took in starts.items():
            answers, drawn = min(took, key=lambda each: each[1])
            print(
                f"from the start to {what}: {drawn:.2f} s, {drawn / least:.2f} × the bare page; the server answers "
                f"after {answers:.2f} s",
                flush=True,
            )
        if asked.first_page:
            return
        files = [folder / "original.parquet", folder / "synthetic.parquet"]
        for seed, path in enumerate(files, 1):
            made(n, NINE, seed).to_parquet(path)
        with driving.serving(cwd=folder) as address:
            tab = driving.Visitor(browser, address).open()
            tab.upload("Original data", files[0]).upload("Synthetic data", files[1])
            start = time.perf_counter()
            tab.press("Compare these files").page.get_by_role("heading", name="What was read").wait_for()
            print(f"{n:,} records a side, from Compare to what was read: {time.perf_counter() - start:.2f} s")
            tab.go("Keys").choose("Keys", *list(NINE)[:4])
            start = time.perf_counter()
            tab.go("Review")
            print(f"{n:,} records a side, the Review page: {time.perf_counter() - start:.2f} s")
            for what, took in toggles(tab, times).items():
                middle = statistics.median(took)
                print(f"{n:,} records a side, {what}: {middle:.0f} ms (median of {len(took)}; longest {max(took):.0f})")
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
