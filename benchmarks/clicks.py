"""Whoever types and clicks fast loses nothing: `python benchmarks/clicks.py OUT.jsonl [KIND …] [--tries 3] [--load]`.

A person types, waits 0 to 700 ms, and clicks by raw mouse where the thing stands, held down for 0, 90 or 200 ms. Each
try says whether the file came, whether it holds what was typed, whether Save ever said that all is saved before the
file was here or though it is not, and how long it took. `--load`: four others toggle meanwhile. `sizes` measures files
of 0.2 to 20 MB over the visitor's own line and by an address. tests/browser/test_fast_clicks.py runs a short version.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator

DELAYS = (0, 20, 50, 100, 200, 400, 700)
PRESSES = (0, 90, 200)
WATCH = """
window.said = []; window.gone = [];
const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () { window.gone.push(performance.now()); return click.call(this) };
setInterval(() => { const b = document.querySelector('.st-key-status_bar-save button'); if (!b) return;
  const open = b.classList.contains('open') || b.getAttribute('aria-busy') === 'true', last = window.said.at(-1);
  if (!last || last[1] !== open) window.said.push([performance.now(), open]) }, 8);
"""
"""Notes when Save says that all is saved, and when a file is handed to the browser."""


class Hands:
    """One person at a browser, who looks at nothing but the clock."""

    def __init__(self, browser: Browser, address: str, *, height: int = 1500) -> None:
        self.tab = driving.Visitor(browser, address, width=1366, height=height)
        self.page = self.tab.page
        self.page.add_init_script(WATCH)
        self.got: list = []
        self.page.on("download", lambda file: self.got.append(file))
        self.n = 0
        self.tab.open().press("Open the demonstration survey")

    def type(self, field: Locator, text: str, then: str = "") -> None:
        field.click()
        field.fill("")
        field.press_sequentially(text, delay=8)
        if then:
            self.page.keyboard.press(then)

    def click(self, what: Locator, press: int) -> None:
        """Click where it stands now; nobody waits until it stands still."""
        box = what.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        if press:
            time.sleep(press / 1000)
        self.page.mouse.up()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button").filter(has_text=name).first

    def save(self) -> Locator:
        return self.page.locator(".st-key-status_bar-save button")

    def until(self, true, seconds: float = 20) -> bool:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(20)
        return True

    def saved(self) -> bool:
        return self.page.evaluate("window.said.at(-1)?.[1] === false")

    def clear(self) -> float:
        self.got.clear()
        return self.page.evaluate(
            "(window.gone.length = 0, window.said.splice(0, window.said.length - 1), performance.now())"
        )


def try_save(hands: Hands, delay: int, press: int, then: str = "") -> dict:
    """Type the officer's name, wait, and save: by click, after Enter or Tab, twice, or typing on."""
    hands.n += 1
    name = f"Officer {hands.n:04d}"
    field, other = (hands.page.get_by_label(label, exact=True) for label in ("Officer", "Title"))
    hands.type(field, name, then if then in ("Enter", "Tab") else "")
    since = hands.clear()
    time.sleep(delay / 1000)
    hands.click(hands.save(), press)
    if then == "twice":
        hands.click(hands.save(), 0)
    if then == "type on":
        other.click()
        hands.page.keyboard.type("x", delay=8)
    came = hands.until(lambda: hands.got)
    marked = then == "type on" and hands.saved()
    hands.until(hands.saved, 0 if then == "type on" else 6)
    told, gone = hands.page.evaluate("[window.said, window.gone]")
    early = any(not open_ and at > since and (not gone or at < gone[0]) for at, open_ in told)
    if then == "type on":
        hands.page.keyboard.press("Tab")
    hands.tab.settle()
    held = [json.loads(file.path().read_bytes())["about"].values() for file in hands.got]
    return {
        "lost": not came, "stale": not all(name in each for each in held), "false": early or marked,
        "unsaid": came and then != "type on" and not hands.saved(),
        "s": (gone[0] - since) / 1000 - delay / 1000 if gone else None, "files": len(hands.got),
    }  # fmt: skip


def try_report(hands: Hands, delay: int, press: int, form: str = "HTML") -> dict:
    """Type the officer's name, wait, and take the report, which prints it."""
    hands.n += 1
    name = f"Officer {hands.n:04d}"
    hands.type(hands.page.get_by_label("Officer", exact=True), name)
    since = hands.clear()
    time.sleep(delay / 1000)
    hands.click(hands.button(f"Report as {form}"), press)
    came = hands.until(lambda: hands.got, 60)
    gone = hands.page.evaluate("window.gone")
    text = ""
    if came:
        data = hands.got[0].path().read_bytes()
        text = (
            data.decode()
            if form == "HTML"
            else " ".join(p.extract_text() for p in pypdf.PdfReader(io.BytesIO(data)).pages)
        )
    hands.tab.settle()
    return {"lost": not came, "stale": came and name not in text, "false": False, "unsaid": False,
            "s": (gone[0] - since) / 1000 - delay / 1000 if gone else None, "files": len(hands.got)}  # fmt: skip


def try_adopt(hands: Hands, delay: int, press: int, _: str = "") -> dict:
    """Type the name of the new set, wait, and adopt; then take it back."""
    hands.n += 1
    name = f"set {hands.n:04d}"
    hands.type(hands.page.get_by_label("Adopt, with the name", exact=True), name)
    start = time.monotonic()
    time.sleep(delay / 1000)
    hands.click(hands.button("Adopt as a set"), press)
    gone = hands.button("Adopt as a set")  # what is adopted is tried no more
    done = hands.until(lambda: gone.count() == 0, 40)
    hands.tab.settle()
    fields = hands.page.evaluate("[...document.querySelectorAll('input')].map(field => field.value).join()")
    right = done and name in fields + hands.page.locator("body").inner_text()  # the status bar names the set
    took = time.monotonic() - start - delay / 1000
    hands.tab.settle()
    if done:
        hands.page.get_by_role("button", name="Undo").first.click()
        hands.tab.settle()
    return {"lost": not done, "stale": done and not right, "false": False, "unsaid": False, "s": took, "files": 0}


def try_verdict(hands: Hands, delay: int, press: int, _: str = "") -> dict:
    """Type who judges, wait, and give a verdict; the review that is saved then holds both."""
    hands.n += 1
    name = f"judge {hands.n:04d}"
    field = hands.page.get_by_label("Your name, recorded with verdicts")
    hands.type(field, name)
    start = time.monotonic()
    time.sleep(delay / 1000)
    hands.click(hands.page.locator(".verdict button[data-v=acceptable]"), press)
    judged, back = hands.page.get_by_text("1 of 10 judged"), hands.button("Undo: verdict")
    done = hands.until(lambda: judged.count() > 0)
    took = time.monotonic() - start - delay / 1000
    hands.tab.settle()
    hands.clear()
    hands.click(hands.save(), press)
    came = hands.until(lambda: hands.got)
    held = hands.got[0].path().read_text() if came else ""
    if done:
        hands.click(back, press)
        taken = hands.until(lambda: judged.count() == 0)
        hands.tab.settle()
        done = done and taken
    return {
        "lost": not done or not came,
        "stale": came and name not in held,
        "false": False,
        "unsaid": False,
        "s": took,
        "files": 0,
    }


def try_close(hands: Hands, delay: int, press: int, _: str = "") -> dict:
    """Save, type, wait, and close: it must ask."""
    hands.n += 1
    hands.clear()
    hands.click(hands.save(), 0)
    hands.until(lambda: hands.got)
    hands.tab.settle()
    hands.type(hands.page.get_by_label("Officer", exact=True), f"Officer {hands.n:04d}")
    start = time.monotonic()
    time.sleep(delay / 1000)
    hands.click(hands.button("Menu"), press)
    close = hands.button("Delete and close")
    close.wait_for()
    hands.click(close, press)
    asked = hands.page.get_by_text("Nobody can bring back what is deleted")
    closed = hands.page.get_by_text("What was open here is forgotten")
    hands.until(lambda: asked.count() or closed.count())
    took, warned = time.monotonic() - start - delay / 1000, asked.count() > 0
    silent = closed.count() > 0
    if warned:
        hands.tab.settle()
        hands.page.get_by_role("button", name="Go on working").click()
        hands.tab.settle()
    return {"lost": not warned and not silent, "stale": silent, "false": silent, "unsaid": False, "s": took, "files": 0}


KINDS = {
    "save": ("Report", try_save, ""),
    "save, Enter": ("Report", try_save, "Enter"),
    "save, Tab": ("Report", try_save, "Tab"),
    "save twice": ("Report", try_save, "twice"),
    "save, type on": ("Report", try_save, "type on"),
    "report HTML": ("Report", try_report, "HTML"),
    "report PDF": ("Report", try_report, "PDF"),
    "adopt": ("Safeguards", try_adopt, ""),
    "verdict": ("Review", try_verdict, ""),
    "close": ("Report", try_close, ""),
}
"""By what is tried: its page, how, and how else."""


def tried(hands: Hands, kind: str, tries: int, delays=DELAYS) -> Iterator[dict]:
    page, way, how = KINDS[kind]
    hands.tab.go(page)
    if kind == "adopt" and not hands.button("Adopt as a set").count():
        hands.page.get_by_role("radio", name="Remove records").click()
        hands.tab.settle()
        hands.page.locator(".st-key-safe-add button").click()
        hands.tab.settle()
    for i in range(tries):
        for j, delay in enumerate(delays):
            press = PRESSES[(i + j) % len(PRESSES)]
            try:
                yield {"kind": kind, "delay": delay, "press": press, **way(hands, delay, press, how)}
            except Exception as error:  # what broke is a line of the result, too
                yield {"kind": kind, "delay": delay, "press": press, "broke": str(error)[:300]}


class Others:
    """Four others who toggle, over lines of their own."""

    def __init__(self, port: int) -> None:
        self.port, self.on, self.runs = port, True, []
        threading.Thread(target=lambda: asyncio.run(self.all()), daemon=True).start()

    async def all(self) -> None:
        from benchmarks.workshop import Person, begin, toggle

        async def one() -> None:
            async with Person(self.port) as person:
                await begin(person, None)
                while self.on:
                    self.runs.append(await toggle(person))
                    await asyncio.sleep(0.5)

        await asyncio.gather(*(one() for _ in range(4)))


def sizes(browser: Browser) -> None:
    """Print seconds from the click to the file, by its size, over the line and by an address."""
    from tests.server.serving import server

    for large in (10**12, 0):
        for size in (200_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000):
            prelude = (
                f"from pages.shared import handing\nhanding.LARGE = {large}\nimport random\n"
                f"from pages.report import outputs\nmade = random.Random(1).randbytes({size} // 2).hex()\n"
                "outputs.to_evidence = lambda _: made\n"
            )
            with tempfile.TemporaryDirectory() as folder, server(Path(folder), prelude=prelude) as at:
                hands, took = Hands(browser, f"http://127.0.0.1:{at.port}"), []
                hands.tab.go("Report").page.get_by_text("Tables", exact=True).click()
                hands.tab.settle()
                for _ in range(3):
                    hands.clear()
                    start = time.monotonic()
                    hands.button("Evidence file").click()
                    came = hands.until(lambda h=hands: h.got, 120)
                    took.append(time.monotonic() - start if came else None)
                    assert not came or hands.got[0].path().stat().st_size == size
                    hands.tab.settle()
                print("line" if large else "address", size, [t and round(t, 1) for t in took], flush=True)
                hands.tab.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("kinds", nargs="*", default=[*KINDS])
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--load", action="store_true")
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = driving.launch(playwright)
        if given.kinds == ["sizes"]:
            sizes(browser)
            return
        found = defaultdict(list)
        with driving.serving() as address, given.out.open("a") as out:
            others = Others(int(address.rpartition(":")[2])) if given.load else None
            for kind in given.kinds:
                hands = Hands(browser, address)
                for each in tried(hands, kind, given.tries):
                    out.write(json.dumps({**each, "load": given.load}) + "\n")
                    out.flush()
                    found[kind].append(each)
                hands.tab.close()
                done = [e for e in found[kind] if "broke" not in e]
                times = sorted(e["s"] for e in done if e["s"] is not None) or [0.0]
                sums = {name: sum(bool(e[name]) for e in done) for name in ("lost", "stale", "false", "unsaid")}
                print(
                    kind, len(done), "broke", len(found[kind]) - len(done), sums,
                    "two files", sum(e["files"] > 1 for e in done),
                    "median", round(statistics.median(times), 1), "worst", round(times[-1], 1), flush=True,
                )  # fmt: skip
            if others:
                others.on = False
                print(
                    "others",
                    len(others.runs),
                    "runs, median",
                    round(statistics.median(others.runs), 2),
                    "worst",
                    round(max(others.runs), 2),
                )


if __name__ == "__main__":
    main()
