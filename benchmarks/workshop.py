"""A workshop on one server: N people, each with data of their own, toggling: `python benchmarks/workshop.py`.

First a class that arrives together: all open the demonstration survey, then each page, at the same moment; printed are
the times from the click to the end of the run, and one person's alone. Then each person is a session over WebSocket, as
a browser's: half open the demonstration survey, half upload 5,000 rows; then each moves an exclusion (the limit on
denominators) on the Review page every few seconds. Printed are failures, the time from a toggle to the end of its run,
and the server's memory per person after the first. Loopback only. `--smoke` is short.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import websockets
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from disclosure_core.data import demo  # noqa: E402

PATIENCE = 120
READY = 12
"""Seconds that a server has been up before a class comes: it has made by then what is the same for all."""


BROWSER = "b" * 20
"""By which a server knows the page of a browser that acts in a table."""


class Person:
    """One session: sends what a browser sends, and notes the widgets that the server shows.

    Attributes
    ----------
    patience
        Seconds that a run may take.
    """

    patience = PATIENCE

    def __init__(self, port: int) -> None:
        self.port = port
        self.widgets: dict[str, str] = {}
        self.pages: dict[str, str] = {}
        self.page = self.begun = ""
        self.id = ""
        self.limit = 0
        self.tables: dict[str, dict] = {}
        self.waiting: dict[str, list[dict]] = {}
        self.acted = 0

    async def __aenter__(self) -> Person:
        self.line = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            subprotocols=["streamlit"],
            max_size=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
        )
        await self.run()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.line.close()

    async def ask(self, **changes: object) -> None:
        """Ask for a run with a widget changed."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        for key, (kind, value) in changes.items():
            state = message.rerun_script.widget_states.widgets.add(id=self.widgets[key])
            if isinstance(value, Message):
                getattr(state, kind).CopyFrom(value)
            else:
                setattr(state, kind, value)
        await self.line.send(message.SerializeToString())

    async def run(self, **changes: object) -> float:
        """Ask for a run with a widget changed; return the seconds until it has ended."""
        start = time.perf_counter()
        await self.ask(**changes)
        await self._ended()
        return time.perf_counter() - start

    async def _ended(self) -> None:
        """Wait until a run has ended."""
        async with asyncio.timeout(self.patience):
            while True:
                got = await self._hear()
                if got.WhichOneof("type") == "script_finished":
                    # A run that st.rerun() ends, or that another one overtakes, is followed by the next.
                    if got.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                        return
                    if got.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                        raise RuntimeError("the script does not compile")

    async def _hear(self) -> ForwardMsg:
        got = ForwardMsg()
        got.ParseFromString(await self.line.recv())
        kind = got.WhichOneof("type")
        if kind == "new_session":
            self.page = self.begun = got.new_session.page_script_hash
            self.id = got.new_session.initialize.session_id or self.id
        elif kind == "navigation":
            pages = sorted(
                got.navigation.app_pages, key=lambda page: not page.is_hidden
            )  # of one name, that which is seen
            self.pages = {page.page_name: page.page_script_hash for page in pages}
        elif kind == "delta" and got.delta.WhichOneof("type") == "add_block":
            if "-" in (folded := got.delta.add_block.expandable.id):
                self.widgets[folded.split("-", 2)[-1]] = folded
        elif kind == "delta" and got.delta.WhichOneof("type") == "new_element":
            element = got.delta.new_element
            which = element.WhichOneof("type")
            if which == "exception" or (which == "alert" and "our side" in element.alert.body):
                raise RuntimeError("the page shows an error")
            shown = getattr(element, which)
            if which == "bidi_component" and not shown.bytes:  # a table of ours
                told = json.loads(shown.json)
                self.widgets[told["key"]], self.tables[told["key"]] = shown.id, told
            elif "-" in getattr(shown, "id", ""):
                self.widgets[shown.id.split("-", 2)[-1]] = shown.id
        return got

    def acts(self, key: str, *acts: dict) -> tuple[str, str]:
        """Return what a browser says of a table of ours: these acts, after all that were not heard yet."""
        table = self.tables[key]
        heard = table["heard"]["n"] if table["heard"]["page"] == BROWSER else 0
        for act in acts:
            self.acted += 1
            self.waiting.setdefault(key, []).append({"n": self.acted, **act})
        self.waiting[key] = [act for act in self.waiting[key] if act["n"] > heard]
        return "json_value", json.dumps({"told": {"page": BROWSER, "of": table["of"], "acts": self.waiting[key]}})

    def keys(self, *names: str) -> dict[str, tuple[str, str]]:
        """Return the acts on the page Keys after which these are the keys."""
        rows = self.tables["keys.roles"]["shows"]["rows"]
        roles = {row["name"]: row["cells"]["role"]["value"] for row in rows}
        roles |= {act["column"]: act["value"] for act in self.waiting.get("keys.roles", ())}
        wanted = {name: "target" for name, role in roles.items() if role == "key" and name not in names}
        wanted |= {name: "key" for name in names if roles[name] != "key"}
        acts = [{"do": "role", "column": name, "value": role} for name, role in wanted.items()]
        return {"keys.roles": self.acts("keys.roles", *acts)}

    async def go(self, name: str, to: str = "") -> float:
        """Open a page, or one that leads `to` another; return the seconds until it is there."""
        start = time.perf_counter()
        self.page, self.begun, asked = self.pages[name], "", self.pages[to or name]
        await self.run()
        while self.begun != asked:  # what has ended was a run before
            await self._ended()
        return time.perf_counter() - start

    async def place(self, name: str) -> tuple[str, FileUploaderState]:
        """Ask where a file may be put; return the address, and the uploader's state once it is there."""
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.id
        await self.line.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while (got := await self._hear()).WhichOneof("type") != "file_urls_response":
                pass
        (urls,) = got.file_urls_response.file_urls
        state = FileUploaderState()
        state.uploaded_file_info.add(file_id=urls.file_id, name=name, file_urls=urls)
        return urls.upload_url, state

    async def upload(self, original: bytes, synthetic: bytes, compare: str = "upload.compare") -> None:
        """Send two files as the uploader does, and compare them."""
        files = {}
        for kind, data in (("original", original), ("synthetic", synthetic)):
            url, state = await self.place(f"{kind}.csv")
            await asyncio.to_thread(self.put, url, f"{kind}.csv", data)
            state.uploaded_file_info[0].size = len(data)
            files[f"upload.{kind}"] = ("file_uploader_state_value", state)
        await self.run(**files)
        await self.run(**files, **{compare: ("trigger_value", True)})

    def put(self, url: str, name: str, data: bytes, token: str | None = None) -> None:
        """Put a file where the server said."""
        token = self.token if token is None else token
        mark = "workshop-part"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{url}", method="PUT")
        request.add_header("Content-Type", f"multipart/form-data; boundary={mark}")
        request.add_header("X-Xsrftoken", token)
        request.add_header("Cookie", f"_streamlit_xsrf={token}")
        request.data = head.encode() + data + f"\r\n--{mark}--\r\n".encode()
        urllib.request.urlopen(request, timeout=PATIENCE).close()

    @property
    def token(self) -> str:
        if not hasattr(self, "_token"):
            answer = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_stcore/health", timeout=PATIENCE)
            cookies = answer.headers.get_all("Set-Cookie") or [""]
            found = [c.split(";")[0].split("=", 1)[1] for c in cookies if c.startswith("_streamlit_xsrf=")]
            self._token = found[0].strip('"') if found else ""
        return self._token


def csv(frame: object) -> bytes:
    buffer = io.BytesIO()
    frame.to_csv(buffer, index=False)
    return buffer.getvalue()


async def begin(person: Person, uploads: tuple[bytes, bytes] | None) -> None:
    """Bring data, choose keys where there are none, and open the Review page."""
    if uploads is None:
        await person.run(**{"data.demo": ("trigger_value", True)})
    else:
        await person.upload(*uploads)
        await person.go("Keys")
        await person.run(**person.keys(*demo.KEYS))
    await person.go("Review")
    await toggle(person)


async def toggle(person: Person) -> float:
    """Ask for figures that this session has not computed before; return the seconds until they are there."""
    person.limit += 1
    return await person.run(**{"review.limit": ("double_value", float(person.limit))})


async def toggling(person: Person, seconds: float, every: float, took: list[float]) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        took.append(await toggle(person))
        await asyncio.sleep(max(0.0, every - took[-1]))


def resident(pid: int) -> float:
    """Return the server's memory, MB; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0


def processor(pid: int) -> float:
    """Return the seconds of processor that the server has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


PAGES = ("Keys", "Review", "Records", "Analyses", "Compare", "Report")
"""What a class opens together."""


async def stampede(port: int, people: int) -> int:
    """Open each page of the demonstration survey alone, then with all at once; print how long each took."""
    async with Person(port) as person:
        await person.run(**{"data.demo": ("trigger_value", True)})
        for page in PAGES:
            await person.go(page)
    alone: dict[str, float] = {}
    async with Person(port) as person:
        await person.run(**{"data.demo": ("trigger_value", True)})
        for page in PAGES:
            alone[page] = await person.go(page)
    together = asyncio.Barrier(people)
    took: dict[str, list[float]] = {page: [] for page in PAGES}

    async def one() -> None:
        async with Person(port) as person:
            await person.run(**{"data.demo": ("trigger_value", True)})
            for page in PAGES:
                await together.wait()
                took[page].append(await person.go(page))

    await asyncio.gather(*(one() for _ in range(people)))
    print(f"{people} people open the demonstration survey, and each page, at the same moment; seconds")
    for page, seconds in took.items():
        seconds.sort()
        late = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
        print(f"  {page}: alone {alone[page]:.2f}, median {statistics.median(seconds):.2f}, 95th percentile {late:.2f}")
    return 0


async def workshop(port: int, pid: int, people: int, seconds: float, every: float) -> int:
    files = csv(demo.original()), csv(demo.syntheses()[0])
    took: list[float] = []
    failed: list[str] = []
    first_in = asyncio.Event()
    ready = asyncio.Barrier(people)
    gate = asyncio.Semaphore(4)  # people do not open their files in the same instant
    memory: dict[str, float] = {}

    async def one(i: int) -> None:
        try:
            if i:
                await first_in.wait()
            async with Person(port) as person:
                async with gate:
                    await begin(person, files if i % 2 else None)
                if not i:
                    memory["first"] = resident(pid)
                    first_in.set()
                await ready.wait()
                memory.setdefault("busy", processor(pid))
                await asyncio.sleep(every * i / people)
                await toggling(person, seconds, every, took)
                memory["all"] = max(memory.get("all", 0), resident(pid))
        except Exception as error:
            failed.append(f"{type(error).__name__}: {error}")
            first_in.set()
            await ready.abort()

    await asyncio.gather(*(one(i) for i in range(people)))
    for line in sorted(set(failed)):
        print(f"  failed: {line}")
    took.sort()
    if took:
        at = took[min(len(took) - 1, int(0.95 * len(took)))]
        print(f"{people} people, {seconds:.0f} s, a toggle every {every:.0f} s each: {len(took)} toggles")
        used = (processor(pid) - memory["busy"]) / len(took)
        print(f"  processor {used:.3f} s a toggle, whatever else the machine does")
        print(f"  failures {len(failed)}; median {statistics.median(took):.2f} s, 95th percentile {at:.2f} s")
    if people > 1 and "all" in memory:
        each = (memory["all"] - memory["first"]) / (people - 1)
        print(f"  memory {memory['first']:.0f} MB with one, {memory['all']:.0f} MB with all: {each:.1f} MB a person")
    return 1 if failed or not took else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--smoke", action="store_true", help="three people, ten seconds")
    asked = parser.parse_args()
    people, seconds = (3, 10.0) if asked.smoke else (asked.people, asked.seconds)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            for _ in range(10 * PATIENCE):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            time.sleep(READY)
            return asyncio.run(stampede(port, people)) + asyncio.run(
                workshop(port, server.pid, people, seconds, asked.every)
            )
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
