"""A real server and a real Chromium, for the tests and for the pictures of the documentation."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Locator, Page, Playwright, WebSocket

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 120_000
"""Milliseconds that a page may take; a machine under load needs many times what an idle one does."""

QUIET = """() => {
    const app = document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]');
    const busy = document.querySelector('[data-stale=true], [data-testid=stSkeleton]');
    const parts = [...document.querySelectorAll('[data-testid^=stBidiComponent]')].map(part => part.shadowRoot ?? part);
    const drawn = parts.every(part => part.childElementCount > 1);  // Streamlit's own, and what its script drew
    window.quietFor = app && !busy && drawn ? (window.quietFor || 0) + 1 : 0;
    return window.quietFor >= 3;
}"""
"""True once three looks in a row find no script running and nothing that is still to be drawn."""


def free_port() -> int:
    """Return a port of this machine that nobody listens on, and that the system gives to nobody else for a minute.

    A connection to it was just ended (TIME_WAIT): until that is forgotten, only who names the port gets it.
    """
    with socket.create_server(("127.0.0.1", 0)) as free, socket.create_connection(free.getsockname()) as line:
        ended, _ = free.accept()
        ended.close()  # whose side ends first waits
        assert line.recv(1) == b""
        return free.getsockname()[1]


def answered(address: str, server: subprocess.Popen[bytes]) -> bytes:
    """Return what a server says of its health, once it is there; one that has ended, or never comes, is an error."""
    until = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=10) as said:
                return said.read()
        except OSError:
            if server.poll() is not None:
                raise RuntimeError("the app has ended") from None
            if time.monotonic() > until:
                raise RuntimeError("the app did not start") from None
            time.sleep(0.1)


@contextmanager
def serving(*arguments: str, cwd: Path = ROOT, script: Path = ROOT / "app.py") -> Iterator[str]:
    """Run the app, or another script, on a free port of this machine; give its address."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    server = subprocess.Popen([*command, "--", *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        answered(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE / 1000)


def launch(playwright: Playwright, *flags: str) -> Browser:
    """Start Debian's Chromium without a window."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Give a browser to a test; without one it is skipped with a reason, or fails where CI is set: none is lost."""
    import pytest
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        reason = "there is no Chromium on this machine; install Debian's package chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        found = launch(playwright, *flags)
        yield found
        found.close()


class Runs:
    """What a tab has asked the server to run, and whether it was told the end of it; read off the wire.

    The page itself looks idle between a click and the first word of the run that it asks for, which a busy server
    may be slow to say.
    """

    UNANSWERED = 5.0
    """Seconds after which a request that no run answers counts as done: its part of the page is gone, say."""

    def __init__(self, page: Page) -> None:
        self._due = self._begun = False
        self._since = 0.0
        page.on("websocket", self._line)

    @property
    def done(self) -> bool:
        unanswered = not self._begun and time.monotonic() - self._since > self.UNANSWERED
        return not self._due or unanswered

    def _line(self, line: WebSocket) -> None:
        line.on("framesent", self._sent)
        line.on("framereceived", self._received)
        line.on("close", lambda _: self._now(due=False, begun=False))

    def _now(self, *, due: bool, begun: bool) -> None:
        self._due, self._begun, self._since = due, begun, time.monotonic()

    def _sent(self, frame: bytes | str) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
            self._now(due=True, begun=False)

    def _received(self, frame: bytes | str) -> None:
        if not isinstance(frame, bytes):
            return
        message = ForwardMsg.FromString(frame)
        if message.HasField("new_session"):
            self._now(due=True, begun=True)
        elif message.HasField("script_finished"):
            if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._now(due=True, begun=False)
            elif self._begun:
                self._now(due=False, begun=False)


MENU = ("Records", "Workshop", "Glossary")
"""Pages to which the menu leads."""


class Visitor:
    """One person with one tab; notes what the console and the network complain of."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        width: int = 1440,
        height: int = 1000,
        dark: bool = False,
        **context: object,
    ) -> None:
        self.address = address
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            accept_downloads=True,
            **context,
        )
        self._new_tab()

    def _new_tab(self) -> None:
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.runs = Runs(self.page)
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("request", lambda r: None if self._ours(r.url) else self.elsewhere.append(r.url))

    def another_tab(self) -> Visitor:
        """Return the same person in one more tab of the same browser, on the first page."""
        other = copy(self)
        other._new_tab()
        return other.open()

    def _ours(self, url: str) -> bool:
        here = self.address.partition("://")[2]
        places = [f"{scheme}://{here}" for scheme in ("http", "ws", "https", "wss")]
        return url.startswith((*places, "data:", "blob:"))

    def open(self, path: str = "/") -> Visitor:
        self.page.goto(self.address + path)
        self.page.get_by_role("heading", level=1).wait_for()
        self.settle()
        if path != "/":
            # Streamlit's front end looks for the server below the page's path first, and is told 404.
            self.complaints.clear()
        return self

    def settle(self) -> Visitor:
        """Wait until the script has run and nothing is being redrawn."""
        until = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < until:
            # The looks are taken by the page's own thread: the slower it is, the longer it is watched.
            self.page.evaluate("window.quietFor = 0")
            self.page.wait_for_function(QUIET, polling=60)
            if self.runs.done:
                return self
        raise TimeoutError("a run that this tab has asked for has not come to its end")

    def go(self, name: str) -> Visitor:
        """Go to a page as a person does: by the navigation, or by the menu."""
        if name in MENU:
            link = self.page.get_by_test_id("stPopoverBody").get_by_role("link", name=name)
            if not link.is_visible():  # it stays open where the page stays
                self.page.get_by_role("button", name="Menu").click()
            link.click()
        else:
            self.link(name).click()
        self.page.get_by_role("heading", level=1, name=name, exact=True).wait_for()
        return self.settle()

    def link(self, name: str) -> Locator:
        """Return the link of a page in the menu; on a narrow screen it may stand in the menu's own list."""
        return self.page.get_by_test_id("stTopNavLink").filter(has_text=re.compile(f"{name}$"))

    def rooms(self) -> list[str]:
        """Return the names of the pages: those of the navigation, and those to which others lead."""
        links = self.page.get_by_test_id("stTopNavLink").all_inner_texts()
        return [*(link.split("\n")[-1] for link in links), *MENU]

    def press(self, name: str) -> Visitor:
        self.page.get_by_role("button", name=name).click()
        return self.settle()

    def choose(self, label: str, *names: str) -> Visitor:
        """Pick values in a list by typing them."""
        box = self.page.get_by_role("combobox", name=re.compile(label))
        for name in names:
            box.click()
            box.fill(name)
            self.page.get_by_role("option", name=name, exact=True).first.click()
            self.settle()
        box.press("Escape")
        return self

    def role(self, column: str, role: str = "key") -> Locator:
        """Return the radio button of a column's role in the table of columns."""
        return self.page.get_by_role("radio", name=re.compile(f"^{re.escape(column)}: {role}"))

    def keys(self, *names: str) -> Visitor:
        """Make columns keys in the table of columns, as quickly as a hand can."""
        for name in names:
            self.role(name).check()
        return self.settle()

    def choose_one(self, label: str, begins: str) -> Visitor:
        """Pick the value that begins so, of a list that holds one."""
        box = self.page.get_by_role("combobox", name=label, exact=True)
        box.scroll_into_view_if_needed()
        box.click()
        box.fill(begins)
        self.page.get_by_role("option", name=re.compile(f"^{re.escape(begins)}( ·|$)")).first.click()
        return self.settle()

    def row(self, target: str) -> Locator:
        """Return the button that opens a target in the table of all of them."""
        return self.page.locator(f".bench button[data-t={json.dumps(target)}]")

    def look(self, target: str) -> Visitor:
        """Open the card of a target on Review."""
        self.row(target).click()
        self.page.locator(".card h2").filter(has_text=re.compile(f"^{re.escape(target)}")).wait_for()
        return self.settle()

    def rows(self) -> list[tuple[str, float, float]]:
        """Return (target, original, synthetic) of each row of the table of all targets, as its words say."""
        rows = self.page.locator(".bench tbody tr")
        rows.first.wait_for()  # its script may come after the page has settled
        words = rows.evaluate_all(
            "all => all.map(r => [r.querySelector('button').dataset.t, r.querySelector('td.fig .sr').textContent])"
        )
        figures = [(name, re.findall(r"^\w+ ([\d.]+)|, \w+ ([\d.]+)\s%", said)) for name, said in words]
        return [(name, float(found[1][1]), float(found[0][0])) for name, found in figures]

    def upload(self, label: str, *files: Path) -> Visitor:
        """Give files to an uploader, and wait until each has arrived."""
        box = self.page.get_by_test_id("stFileUploader").filter(has_text=label)
        box.locator("input[type=file]").set_input_files(list(files))
        box.get_by_test_id("stFileChip").nth(len(files) - 1).wait_for()
        return self.settle()

    def opened(self) -> str:
        """Return the line on what is open, as the Data page has it."""
        return self.page.locator(".st-key-data-open").inner_text()

    def metric(self, label: str) -> str:
        found = self.page.get_by_test_id("stMetric").filter(has=self.page.get_by_text(label, exact=True))
        return found.get_by_test_id("stMetricValue").inner_text()

    def point(self, at: Sequence[float], shown: Locator) -> None:
        """Move the mouse there until something shows: a figure that is about to be drawn hears no mouse."""
        end = time.monotonic() + PATIENCE / 1000
        while not shown.is_visible():
            if time.monotonic() > end:
                raise TimeoutError(f"nothing shows at {at}")
            self.page.mouse.move(at[0] + 1, at[1])
            self.page.mouse.move(*at)
            self.page.wait_for_timeout(100)

    def close(self) -> None:
        """Leave; what happens to the server afterwards is no complaint of this visitor."""
        self.context.close()
