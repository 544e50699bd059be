"""A real server in a process of its own, on ordinary ground or on ground that was made hostile."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.workshop import Person, csv, processor
from disclosure_core import demo
from tests.browser.driving import answered, free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 120
PRESSED = ("trigger_value", True)
PAGE = "v" * 20
"""What a page calls itself that has no script."""

MARK = "Zzyzx-Quixote-7391"
"""A level that occurs nowhere but in the upload."""

SERVER = """
import gc, os, signal, sys
def count(*_):
    gc.unfreeze()  # what is set aside is not listed; nothing is collected here that the app would keep
    names = [type(o).__name__ for o in gc.get_objects()]
    gc.freeze()
    told = " ".join(str(names.count(n)) for n in ("Study", "UploadedFileRec", "Reading"))
    from streamlit.runtime import Runtime
    told += f" {Runtime.instance()._session_mgr.num_active_sessions() if Runtime.exists() else 0}"
    os.write(int(sys.argv[-1]), told.encode() + b"\\n")
signal.signal(signal.SIGUSR1, count)
from pages.server import preload
preload.QUIET = 1e6  # the demonstration survey, made ready for everybody, would be counted with what visitors have
PRELUDE
from streamlit.web import cli
cli.main()
"""
"""The app's server, which counts on a signal what it holds of its visitors."""


def run(visit):
    """Run a coroutine in a thread of its own: Playwright keeps a loop running in the thread of the browser's tests."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, visit).result()


def await_(true, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.1)


class Running:
    def __init__(self, process, port, folder, told):
        self.process, self.port, self.folder, self.told = process, port, folder, told

    def held(self) -> list[int]:
        """Return how many studies, uploaded files and readings the server holds."""
        return self._counted()[:3]

    def tabs(self) -> int:
        """Return how many tabs the server knows to be open; of one that was closed it hears a little later."""
        return self._counted()[3]

    def _counted(self) -> list[int]:
        self.process.send_signal(signal.SIGUSR1)
        return [int(n) for n in self.told.readline().split()]

    def traces(self) -> list[str]:
        """Return the files below the server's home and temporary folder, and its log, that hold the mark."""
        found = []
        for path in self.folder.rglob("*"):
            with suppress(FileNotFoundError):  # it went since it was listed
                if path.is_file() and MARK.encode() in path.read_bytes():
                    found.append(str(path))
        return found

    def nameless(self) -> list[str]:
        """Return the files without a name that the server has open: temporary ones are of that kind."""
        open_ = []
        for fd in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # it was closed since it was listed
                open_.append(str(fd.readlink()))
        return [name for name in open_ if name.endswith("(deleted)") and not name.startswith("/memfd:")]

    def idle(self) -> bool:
        """Return whether at ten looks no thread of the server computes, or waits for a processor that others have."""
        for _ in range(10):
            for task in Path(f"/proc/{self.process.pid}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since it was listed
                    if (task / "stat").read_text().rsplit(")", 1)[1].split()[0] == "R":
                        return False
            time.sleep(0.05)
        return True

    def rests(self, most: float = 15) -> None:
        """Wait until the server computes nothing any more, for which it has so many seconds of the processor."""
        before = processor(self.process.pid)
        await_(self.idle)
        assert processor(self.process.pid) - before < most

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


@contextmanager
def server(folder: Path, *ground: str, port: int | None = None, prelude: str = "", **environment: str):
    """Run the app; `ground` is a command that prepares where it stands and then runs what follows it.

    `prelude` is Python that the server runs before it starts.
    """
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    port = port or free_port()
    read, write = os.pipe()
    command = [*ground, sys.executable, "-c", SERVER.replace("PRELUDE", prelude), "run", str(ROOT / "app.py"), "--server.port", str(port), "--", str(write)]  # fmt: skip
    usual = {"PYTHONPATH": str(ROOT), "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}
    config = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}
    with (folder / "log").open("ab") as log, os.fdopen(read) as told:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | usual | config | environment, stdout=log, stderr=log, pass_fds=[write]
        )
        os.close(write)

        try:
            answered(f"http://127.0.0.1:{port}", process)
            yield Running(process, port, folder, told)
        except BaseException:
            print((folder / "log").read_text(errors="replace"))
            raise
        finally:
            process.kill()  # asked to end, it would wait for an upload that hangs
            process.wait(timeout=PATIENCE)


def marked(rows: int = 500) -> tuple[bytes, bytes]:
    frames = [demo.original(), demo.syntheses()[0]]
    frames = [f.iloc[[i % len(f) for i in range(rows)]].reset_index(drop=True) for f in frames]
    for frame in frames:
        frame["region"] = frame["region"].astype(str).where(frame.index % 5 > 0, MARK)
    return csv(frames[0]), csv(frames[1])


class Visitor(Person):
    """A person who also reads the page, and downloads."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.words: list[str] = []
        self.progress, self.how_far = 0, ""
        self.hands: dict[str, dict] = {}
        self.files: dict[str, dict] = {}
        self.bodies: dict[str, bytes] = {}
        self.asked = 0
        self.runs = False

    async def settle(self) -> None:
        """Wait until no run is under way and none begins: after quick clicks the first to end is not the last's."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await asyncio.wait_for(self._hear(), 1)
                except TimeoutError:
                    if not self.runs:
                        return

    async def run(self, **changes: object) -> float:
        self.words = []
        return await super().run(**changes)

    async def _hear(self):
        got = await super()._hear()
        kind = got.WhichOneof("type")
        if kind in ("new_session", "script_finished"):
            self.runs = kind == "new_session"
        if kind == "delta" and got.delta.WhichOneof("type") == "new_element":
            element = got.delta.new_element
            which = element.WhichOneof("type")
            if which in ("markdown", "alert", "heading"):
                self.words.append(getattr(element, which).body)
            elif which == "progress":
                self.progress, self.how_far = element.progress.value, element.progress.text
            elif which == "bidi_component" and element.bidi_component.bytes:
                head, _, body = element.bidi_component.bytes.partition(b"\n")
                told = json.loads(head)
                key = told["key"]
                self.widgets[key], self.hands[key], self.bodies[key] = element.bidi_component.id, told, body
                if told["icon"] in ("download", "save"):
                    self.files[key] = told
        return got

    def told(self, key: str, got: list[int] | None = None, n: int = 0) -> tuple[str, str]:
        """Return what a browser says of a button of ours: that it was pressed, or which file it got."""
        self.asked += got is None
        said = {
            "page": PAGE,
            "of": self.hands[key]["of"],
            "n": n or self.asked,
            "open": got is None,
            "tries": self.asked,
        }
        return "json_value", json.dumps({"told": {**said, "inputs": 0, "got": got}})

    async def ask(self, **changes: object) -> None:
        pressed = {key: self.told(key) for key, value in changes.items() if key in self.hands and value == PRESSED}
        await super().ask(**{**changes, **pressed})

    async def question(self, short: str) -> None:
        """Look at a question of the page Analyses."""
        await self.go("Analyses")
        narrow = f"analyses.see.{short}"
        await self.run(**{narrow if narrow in self.widgets else f"analyses.open.{short}": PRESSED})

    def said(self, words: str) -> bool:
        return any(words in told for told in self.words)

    async def run_unasked(self) -> None:
        """Wait until a run that nobody asked for has ended."""
        async with asyncio.timeout(PATIENCE):
            while (await self._hear()).WhichOneof("type") != "script_finished":
                pass

    async def begin_run(self, how_far: str = "", **changes: object) -> None:
        """Ask for a run, and hear no more of it than its first progress, or than words of how far it is.

        What comes later is the next run's to hear: words that appear and go are missed by who looks now and then.
        """
        self.progress, self.how_far = 0, ""
        self.widgets = {key: shown for key, shown in self.widgets.items() if not key.endswith(".stop")}
        await self.ask(**changes)
        async with asyncio.timeout(PATIENCE):
            told = False
            while not (told and any(key.endswith(".stop") for key in self.widgets)):  # the button stands below the bar
                got = await self._hear()
                ended = got.WhichOneof("type") == "script_finished" and got.script_finished
                assert ended is False or ended == ForwardMsg.FINISHED_EARLY_FOR_RERUN, (
                    "it ended before it was told how far it is"
                )
                told = told or (how_far in self.how_far if how_far else self.progress > 0)

    async def made(self, *keys: str) -> dict[str, bytes]:
        """Press buttons that hand out files, all at once; return the files, as a browser takes them."""
        await self.run(**dict.fromkeys(keys, PRESSED))
        async with asyncio.timeout(PATIENCE):
            while not all("file" in self.hands[key] for key in keys):  # one that takes long comes in the run after
                await self._hear()
        return dict(zip(keys, await asyncio.gather(*(asyncio.to_thread(self.taken, key) for key in keys)), strict=True))

    def taken(self, key: str) -> bytes:
        """Return the file that a button of ours hands out, from the line or from its address."""
        told = self.hands[key]["file"]
        got = self.bodies[key]
        if told["address"]:
            with urllib.request.urlopen(self.fetching(told["address"]), timeout=PATIENCE) as answer:
                got = answer.read()
        assert (len(got), zlib.crc32(got)) == (told["size"], told["crc"])
        return got

    def fetching(self, address: str, page: str = "") -> urllib.request.Request:
        """Return the request of a file by an address of this visitor's own."""
        url = f"http://127.0.0.1:{self.port}/handed/{address}"
        return urllib.request.Request(url, headers={"X-Page": page or PAGE})

    async def download(self, key: str) -> bytes:
        """Press a button that hands out a file, take it, and acknowledge it."""
        (data,) = (await self.made(key)).values()
        told = self.hands[key]["file"]
        await self.run(**{key: self.told(key, [told["n"], told["crc"]], told["n"])})
        return data

    def head_of_put(self, url: str, *said: str) -> socket.socket:
        """Send the head of an upload, with what it says of the body; return the line, still open."""
        line = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        mine = (f"X-Xsrftoken: {self.token}", f"Cookie: _streamlit_xsrf={self.token}")
        line.sendall(
            "\r\n".join((f"PUT {url} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *mine, *said, "", "")).encode()
        )
        return line

    def refused(self, url: str, *said: str) -> int:
        """Send the head of an upload that is refused for its head alone; return the status."""
        with self.head_of_put(url, *said) as line, line.makefile("rb") as answer:
            return int(answer.readline().split()[1])

    def put_half(self, url: str, name: str, data: bytes) -> tuple[socket.socket, bytes]:
        """Send the head and the first half of an upload; return the line, still open, and the rest."""
        mark = "half-part"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'.encode()
        whole = head + data + f"\r\n--{mark}--\r\n".encode()
        kind = f"Content-Type: multipart/form-data; boundary={mark}"
        line = self.head_of_put(url, kind, f"Content-Length: {len(whole)}")
        line.sendall(whole[: len(whole) // 2])
        return line, whole[len(whole) // 2 :]


class Reader(Visitor):
    """A visitor who notes the figures in the tiles, and DiSCO of the card on Review to three decimals."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.tiles: dict[str, str] = {}

    async def _hear(self):
        got = await super()._hear()
        if got.WhichOneof("type") == "delta" and got.delta.new_element.WhichOneof("type") == "metric":
            self.tiles[got.delta.new_element.metric.label] = got.delta.new_element.metric.body
        if got.WhichOneof("type") == "delta" and got.delta.new_element.WhichOneof("type") == "bidi_component":
            shown = json.loads(got.delta.new_element.bidi_component.json or "{}").get("shows", {})
            if "bar" in shown:
                self.tiles["DiSCO"] = f"{shown['bar']['steps'][-1][1]:.3f} %"
        return got


def unshared(flags: str, script: str) -> list[str]:
    """Return the command that prepares namespaces by a script and runs in them what follows; skip where none are allowed."""
    needed = ("unshare", "ip") if "n" in flags else ("unshare", "mount")
    for rights in ("", "r"):
        begun = ["unshare", f"-{rights}{flags}", "sh", "-euc"]
        allowed = [*begun, "mount -t tmpfs tmpfs /mnt" if "m" in flags else "ip link set lo up"]
        if all(map(shutil.which, needed)) and not subprocess.run(allowed, capture_output=True, check=False).returncode:
            return [*begun, script + '\nexec "$@"', "sh"]
    reason = f"this machine allows no namespace for this test (unshare -{flags})"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def embedded_fonts(pdf) -> tuple[set[str], set[str]]:
    """Return the names of all fonts of a PDF that pypdf has read, and of those that come with it."""
    every, come = set(), set()
    for page in pdf.pages:
        for font in (f.get_object() for f in page["/Resources"].get_object().get("/Font", {}).values()):
            for made in (d.get_object() for d in font.get("/DescendantFonts", [font])):
                name = re.sub(r"^/?[A-Z]{6}\+", "", str(made["/BaseFont"]))
                every.add(name)
                described = made.get("/FontDescriptor")
                held = {} if described is None else described.get_object()
                if font.get("/Subtype") == "/Type3" or {"/FontFile", "/FontFile2", "/FontFile3"} & set(held):
                    come.add(name)
    return every, come
