"""What a person waits for, in a real Chromium: `python benchmarks/browser.py`.

Printed are the seconds from starting the server to the first page, beside those of a Streamlit page that holds nothing
but a title, in turn; the milliseconds from a click on the Review page to the new figure of all targets, with the
demonstration survey and with a million records on each side that were uploaded as Parquet; what the server holds of
the visitor who brought these, once it rests; and the clicks and the seconds of work from two CSV files of 50,000
records to the first figure of all targets. `--smoke` takes 20,000 records throughout; `--records` other numbers for the
million; `--bench` the demonstration survey's clicks alone.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Locator, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.run import NINE, made  # noqa: E402
from benchmarks.workshop import resident  # noqa: E402
from tests.browser import driving  # noqa: E402

LOOK = """(part) => {
    const drawn = () => [...document.querySelectorAll('.st-key-pane-targets *, .st-key-pane-target *')]
        .map((e) => e.shadowRoot?.querySelector(part)).find(Boolean)?.innerHTML;
    const before = drawn();
    let clicked = null;
    window.waited = null;
    const now = () => { clicked ??= performance.now(); };
    for (const act of ['pointerdown', 'keydown']) addEventListener(act, now, {once: true, capture: true});
    const look = () => {
        if (clicked !== null && drawn() !== before) window.waited = performance.now() - clicked;
        else requestAnimationFrame(look);
    };
    look();
}"""
"""Notes the milliseconds from the next click or key to the frame in which a part of a table of ours is another."""

FIGURES, CARD = ".bench tbody", ".card h2"
"""The figures of all targets; whose card is open."""


BARE = "import streamlit as st\n\nst.title('A title')\n"


def first_page(browser: object, folder: Path, script: Path, *arguments: str) -> tuple[float, float]:
    """Return the seconds until the server answers, and until the first page stands still."""
    start = time.perf_counter()
    with driving.serving(*arguments, cwd=folder, script=script) as address:
        answers = time.perf_counter() - start
        driving.Visitor(browser, address).open().close()
        return answers, time.perf_counter() - start


def server_at(address: str) -> int:
    """Return the id of the process that serves an address; 0 where the system does not tell."""
    words = f"--server.port\0{address.rpartition(':')[2]}\0".encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a process that has ended since it was listed
            if words in path.read_bytes():
                return int(path.parent.name)
    return 0


def held(pid: int) -> float:
    """Return the server's memory in MB once nothing more is given back for three seconds."""
    least, since = resident(pid), time.monotonic()
    while time.monotonic() < since + 3:
        time.sleep(0.2)
        if (now := resident(pid)) < least - 1:
            least, since = now, time.monotonic()
    return least


def waited(tab: driving.Visitor, what: Locator, look: str = FIGURES, key: str = "") -> float:
    """Return the milliseconds from a click, or a key, to the new figure."""
    what.scroll_into_view_if_needed()
    tab.settle().page.evaluate(LOOK, look)
    what.press(key) if key else what.click()
    tab.page.wait_for_function("() => window.waited !== null", polling=20)
    took = tab.page.evaluate("window.waited")
    tab.settle()
    return took


def look_at(tab: driving.Visitor, target: str) -> None:
    """Choose a target on the bench."""
    tab.look(target)


def pairs(tab: driving.Visitor, times: int) -> dict[str, list[float]]:
    """Return what it took to exclude flagged pairs, and to open a row, ms.

    The lower pairs lie within none above them. Each has its reason already: people outside are then compared again.
    """
    ticks = tab.page.locator(".card table.pairs tbody input[type=checkbox]")
    reasons, n = tab.page.locator(".card table.pairs tbody input[type=text]"), ticks.count()
    for i in range(n - 1, n - 1 - times, -1):
        ticks.nth(i).click()
        tab.settle()
        reasons.nth(i).fill("known")
        reasons.nth(i).press("Enter")
        tab.settle()
        ticks.nth(i).click()
    took = {"a pair of the target": [waited(tab, ticks.nth(i)) for i in range(n - 1, n - 1 - times, -1)]}
    names = [name for name, _, _ in tab.rows()]
    took["opening a row"] = [waited(tab, tab.row(name), CARD) for name in [*names[1:], names[0]]]
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
    level = page.get_by_role("combobox", name="Exclude another level")
    for _ in range(times):
        level.press_sequentially(page.locator("#others option").first.get_attribute("value"))
        took["a level of the target"].append(waited(tab, level, key="Enter"))
    return took


def say(what: str, found: dict[str, list[float]]) -> None:
    """Print the medians of what each kind of toggle took."""
    for kind, took in found.items():
        middle = statistics.median(took)
        print(f"{what}, {kind}: {middle:.0f} ms (median of {len(took)}; longest {max(took):.0f})", flush=True)


def from_files(browser: Browser, folder: Path, n: int) -> None:
    """Print the clicks, and the seconds that the machine works, from two CSV files to the figure of all targets."""
    files = {side: folder / f"{side}.csv" for side in ("Original data", "Synthetic data")}
    for seed, path in enumerate(files.values(), 1):
        made(n, NINE, seed).to_csv(path, index=False)
    with driving.serving(cwd=folder) as address:
        tab = driving.Visitor(browser, address).open()
        page, clicks, worked = tab.page, 0, 0.0
        for side, path in files.items():
            uploader = page.get_by_test_id("stFileUploader").filter(has_text=side)
            with page.expect_file_chooser() as asked:
                uploader.get_by_test_id("stBaseButton-secondary").click()
            clicks += 2  # the button here, and the file in the dialog of the machine
            start = time.perf_counter()
            asked.value.set_files(path)
            uploader.get_by_test_id("stFileChip").wait_for()
            worked += time.perf_counter() - start
            tab.settle()
        drawn = page.locator(".bench tbody tr").first
        for button, comes in (
            ("Compare these files", page.get_by_role("button", name="Use these keys and see the risk")),
            ("Use these keys and see the risk", drawn),
        ):
            clicks += 1
            start = time.perf_counter()
            page.get_by_role("button", name=button).click()
            comes.wait_for()
            worked += time.perf_counter() - start
        what = f"{n:,} records a side, from CSV files to the first figure of all targets"
        print(f"{what}: {clicks} clicks, {worked:.2f} s of work", flush=True)
        tab.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--first-page", action="store_true", help="nothing but the first pages")
    parser.add_argument("--bench", action="store_true", help="nothing but clicks on the demonstration survey")
    parser.add_argument("--records", type=float, default=1e6, help="records on each side")
    asked = parser.parse_args()
    n, times = (20_000, 1) if asked.smoke else (int(asked.records), 5)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = driving.launch(playwright)
        with driving.serving("--demo", cwd=folder) as address:
            tab = driving.Visitor(browser, address).open().go("Compare")
            tab.page.locator("label").filter(has_text="People outside").first.click()
            tab.settle().press("Bring a holdout").press("Take the survey's own holdout").go("Review")
            look_at(tab, "marital")  # 10 flagged pairs
            say("demonstration survey", pairs(tab, times))
            look_at(tab, "wellbeing")  # 7 levels, and each moves DiSCO
            say("demonstration survey", toggles(tab, times))
            tab.close()
        if asked.bench:
            return
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
            pid = server_at(address)
            empty = held(pid)
            tab.upload("Original data", files[0]).upload("Synthetic data", files[1])
            start = time.perf_counter()
            tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
            print(f"{n:,} records a side, from Compare to what was read: {time.perf_counter() - start:.2f} s")
            size = sum(path.stat().st_size for path in files) / 1e6
            print(f"{n:,} records a side, held once read: {held(pid) - empty:.0f} MB more (files of {size:.0f} MB)")
            tab.go("Keys").keys(*list(NINE)[:4])
            start = time.perf_counter()
            tab.go("Review")
            print(f"{n:,} records a side, the Review page: {time.perf_counter() - start:.2f} s")
            say(f"{n:,} records a side", toggles(tab, times))
            print(f"{n:,} records a side, held by the server after these: {held(pid) - empty:.0f} MB more")
            tab.close()
        from_files(browser, folder, min(n, 50_000))
        browser.close()


if __name__ == "__main__":
    main()
