"""What one visitor sends that has stopped a server once, on the line itself: `neighbours.py` runs it beside another."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import struct
import urllib.request
from base64 import b64encode
from contextlib import AsyncExitStack, ExitStack, suppress
from typing import TYPE_CHECKING

import pandas as pd
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from benchmarks.workshop import PATIENCE, Person
from tests.server.serving import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ENDED = (ConnectionClosed, OSError, TimeoutError)
"""What a sender hears whose line the server ends."""

MASK = b"\0\0\0\0"


async def deaf(port: int) -> Visitor:
    """Return a line that sends, and reads nothing of what the server says but to keep the line going."""
    person = Visitor(port)
    await person.__aenter__()
    person.reads = asyncio.create_task(_read(person))
    return person


async def _read(person: Visitor) -> None:
    with suppress(*ENDED):
        while True:
            await person.line.recv()


async def sends(
    port: int, lines: int, messages: Callable[[int, int], Iterable[BackMsg]], each: int, pause: float
) -> None:
    """Open lines, and send so many messages, or pairs of them, on each; close the lines."""
    open_ = [await deaf(port) for _ in range(lines)]

    async def one(i: int, person: Visitor) -> None:
        with suppress(*ENDED):
            for j in range(each):
                for message in messages(i, j):
                    await person.line.send(message.SerializeToString())
                await asyncio.sleep(pause)

    await asyncio.gather(*(one(i, person) for i, person in enumerate(open_)))
    for person in open_:
        person.reads.cancel()
        with suppress(*ENDED):
            await person.line.close()


def rerun(_: int = 0, __: int = 0) -> list[BackMsg]:
    message = BackMsg()
    message.rerun_script.query_string = ""
    return [message]


def cleared(_: int, __: int) -> list[BackMsg]:
    return [BackMsg(clear_cache=True), *rerun()]


def part(i: int, j: int, length: int = 900_000) -> list[BackMsg]:
    """Ask for the run of a part that is not there, by a long name."""
    (message,) = rerun()
    message.rerun_script.fragment_id = f"{i} {j} ".ljust(length, "x")
    return [message]


def empty_states(number: int = 450_000) -> list[BackMsg]:
    (message,) = rerun()
    for _ in range(number):
        message.rerun_script.widget_states.widgets.add()
    return [message]


def many_ids(number: int = 60_000) -> list[BackMsg]:
    (message,) = rerun()
    for i in range(number):
        message.rerun_script.widget_states.widgets.add(id=str(i))
    return [message]


def unknown(i: int, j: int) -> list[BackMsg]:
    """Ask for the run of a part that is not there, each time of another."""
    return part(i, j, 20)


def places(_: int, __: int) -> list[BackMsg]:
    """Ask where as many files may be put as one message may name."""
    message = BackMsg()
    message.file_urls_request.request_id = "a"
    message.file_urls_request.file_names.extend(["a.csv"] * 1_000)
    return [message]


def queried(length: int = 9_000) -> list[BackMsg]:
    (message,) = rerun()
    message.rerun_script.query_string = "&".join(f"a{i}=b" for i in range(length // 8))
    return [message]


async def nested(port: int, text: str, times: int) -> None:
    """Let every component of the page Report say what is deeply nested, or long."""
    async with Visitor(port) as person:
        await person.run(**{"data.demo": ("trigger_value", True)})
        await person.go("Report")
        person.patience = 20
        for _ in range(times):
            with suppress(RuntimeError, *ENDED):  # an error is shown to who sent it
                for key in list(person.hands)[:1]:
                    await person.run(**{key: ("json_value", text)})


def line(port: int, told: str = "", buffer: int = 0) -> socket.socket:
    """Open a WebSocket by hand, for bare frames; with a small `buffer` there is room for little that comes."""
    open_ = socket.socket()
    if buffer:
        open_.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    open_.settimeout(PATIENCE)
    open_.connect(("127.0.0.1", port))
    key = b64encode(os.urandom(16)).decode()
    head = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{told}"
    )
    open_.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += open_.recv(1000)
    return open_


def frame(kind: int, data: bytes = b"", *, last: bool = True) -> bytes:
    length = len(data)
    size = struct.pack("!B", 0x80 | length) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
    return bytes([0x80 * last | kind]) + size + MASK + data


def pours(port: int, lines: int, first: bytes, then: bytes, seconds: float) -> None:
    """Send bytes on each of some lines, as fast as they are taken, for so many seconds."""
    import threading
    import time

    end = time.monotonic() + seconds

    def one() -> None:
        with suppress(OSError), line(port) as open_:
            open_.settimeout(1)
            threading.Thread(target=_drain, args=(open_,), daemon=True).start()
            open_.sendall(first)
            while time.monotonic() < end:
                with suppress(TimeoutError):
                    open_.sendall(then)
                time.sleep(len(then) / 900_000)

    threads = [threading.Thread(target=one) for _ in range(lines)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _drain(open_: socket.socket) -> None:
    with suppress(OSError, ValueError):
        while True:
            with suppress(TimeoutError):
                if not open_.recv(1 << 16):
                    return


def mute(port: int, lines: int, each: int, seconds: float) -> None:
    """Ask for runs on lines of which no answer is ever read, and keep them open."""
    import time

    (message,) = rerun()
    asked = frame(2, message.SerializeToString())
    with ExitStack() as stack:
        open_ = [stack.enter_context(line(port, buffer=2_048)) for _ in range(lines)]
        for each_line in open_:
            each_line.settimeout(1)
            with suppress(OSError):
                each_line.sendall(asked * each)
        time.sleep(seconds)


def bomb(port: int, times: int) -> None:
    """Offer to compress, and send what would be 1,000 times as much where it is taken apart."""
    import zlib

    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(bytes(50_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH)
    for _ in range(times):
        with suppress(OSError), line(port, "Sec-WebSocket-Extensions: permessage-deflate\r\n") as open_:
            open_.sendall(bytes([0xC2, 0x80 | 126]) + struct.pack("!H", len(packed)) + MASK + packed)
            while open_.recv(1 << 16):
                pass


def knocks(port: int, path: str, head: str, times: int) -> None:
    """Ask for an address with more in the head, a line each."""
    for _ in range(times):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as open_:
            open_.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{head}\r\n".encode())
            while open_.recv(1 << 16):
                pass


def crumbs(number: int) -> bytes:
    """Return continuations of one byte each."""
    return frame(0, b"x", last=False) * number


def asks(port: int, cookie: bytes, times: int) -> None:
    """Ask for the page with a cookie."""
    for _ in range(times):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as open_:
            open_.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: " + cookie + b"\r\n\r\n")
            while open_.recv(1 << 16):
                pass


def workbook(rows: int = 1_000_000, columns: int = 16) -> bytes:
    """Return a small workbook that takes long to read: rows that are nearly empty, and so compress well."""
    import zipfile

    sink = io.BytesIO()
    pd.DataFrame({f"c{i}": [1] for i in range(columns)}).to_excel(sink, index=False)
    row = "<row>" + "<c><v>1</v></c>" * columns + "</row>"
    made = io.BytesIO()
    with zipfile.ZipFile(sink) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("sheet1.xml"):
                head, _, rest = data.decode().partition("</sheetData>")
                with new.open(name, "w") as sheet:
                    sheet.write(head.encode())
                    for _ in range(rows // 1000):
                        sheet.write((row * 1000).encode())
                    sheet.write(f"</sheetData>{rest}".encode())
            else:
                new.writestr(name, data)
    return made.getvalue()


async def brings(port: int, tabs: int, data: bytes, seconds: float) -> None:
    """Have the same workbook read in each of so many tabs."""

    async def one() -> None:
        async with Visitor(port) as person:
            files = {}
            for kind in ("original", "synthetic"):
                url, state = await person.place(f"{kind}.xlsx")
                await asyncio.to_thread(person.put, url, f"{kind}.xlsx", data)
                state.uploaded_file_info[0].size = len(data)
                files[f"upload.{kind}"] = ("file_uploader_state_value", state)
            person.patience = seconds
            with suppress(TimeoutError):
                await person.run(**files)
                await person.run(**files, **{"upload.compare": ("trigger_value", True)})

    await asyncio.gather(*(one() for _ in range(tabs)))


async def searches(port: int, tabs: int, button: str, seconds: float) -> None:
    """Begin the same long search in each of so many tabs."""
    from tests.server.test_stopped import TWELVE, choose

    async with AsyncExitStack() as open_:
        people = [await open_.enter_async_context(Visitor(port)) for _ in range(tabs)]

        async def one(person: Visitor) -> None:
            await person.run(**{"data.demo": ("trigger_value", True)})
            await choose(person, TWELVE)
            if button == "keys.strongest":
                await person.question("strongest-intruder")
            await person.ask(**{button: ("trigger_value", True)})
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while True:
                        await person.line.recv()

        await asyncio.gather(*map(one, people))


async def opens(port: int, people: int, page: str) -> None:
    """Open the demonstration survey, then a page, all at once."""
    together = asyncio.Barrier(people)

    async def one() -> None:
        async with Person(port) as person:
            await person.run(**{"data.demo": ("trigger_value", True)})
            await together.wait()
            await person.go(page)

    await asyncio.gather(*(one() for _ in range(people)))


async def visits(port: int, people: int, seconds: float) -> None:
    """Come, open the demonstration survey, and go, one after the other begins."""

    async def one(i: int) -> None:
        await asyncio.sleep(seconds * i / people)
        async with Person(port) as person:
            await person.run(**{"data.demo": ("trigger_value", True)})

    await asyncio.gather(*(one(i) for i in range(people)))


def health(port: int) -> None:
    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=PATIENCE).close()


def attacks(smoke: bool) -> dict[str, Callable[[int], object]]:
    """Return by name what another visitor sends, given the port; a coroutine, or what takes a thread."""
    few, seconds, tabs = (10 if smoke else 1), (5.0 if smoke else 15.0), (3 if smoke else 12)
    begun, ranges = frame(2, b"", last=False), f"Range: bytes={'0-0,' * 2_000}0-1\r\n"
    return {
        "f. 600 reruns, 10 lines": lambda port: sends(port, 10, rerun, 60 // few, 0.07),
        "f. 2,000 reruns, 10 lines": lambda port: sends(port, 10, rerun, 200 // few, 0.05),
        "f. 4,000 reruns, 10 lines": lambda port: sends(port, 10, rerun, 400 // few, 0.1),
        "g. cookie of 60 kB": lambda port: asks(port, b'a="' + b'\\"' * (30_000 // few) + b'"', 4),
        "h. empty frames": lambda port: pours(port, 1, begun, frame(0, last=False) * 3000, seconds),
        "h. frames of a byte": lambda port: pours(port, 1, begun, crumbs(3000), seconds),
        "h. frames of a byte, 10": lambda port: pours(port, 10, begun, crumbs(3000), seconds),
        "h. pings, 10 lines": lambda port: pours(port, 10, b"", frame(9) * 3000, seconds),
        "i. 450,000 empty states": lambda port: sends(port, 4, lambda *_: empty_states(450_000 // few), 8, 0),
        "i. 60,000 ids": lambda port: sends(port, 4, lambda *_: many_ids(60_000 // few), 10, 0),
        "j. cleared cache": lambda port: sends(port, 5, cleared, 20, 0),
        "k. long names of parts": lambda port: sends(port, 4, lambda i, j: part(i, j, 900_000 // few), 22, 0),
        "l. workbooks in four tabs": lambda port: brings(port, 4, workbook(1_000_000 // few), 2 * seconds),
        "m. handshakes": lambda port: [line(port).close() for _ in range(200 // few)],
        "n. 12 searches": lambda port: searches(port, tabs, "keys.strongest", 2 * seconds),
        "n. 12 searches of subsets": lambda port: searches(port, tabs, "keys.search_targets", 2 * seconds),
        "o. 30 open Report": lambda port: opens(port, 30 // few, "Report"),
        "o. 30 open Compare": lambda port: opens(port, 30 // few, "Compare"),
        "o. 66 visits": lambda port: visits(port, 66 // few, 12.0 / few),
        "p. parts not there": lambda port: sends(port, 10, unknown, 200 // few, 0.02),
        "p. 1,000 places, 40 times": lambda port: sends(port, 4, places, 40 // few, 0),
        "p. addresses of 9 kB": lambda port: sends(port, 4, lambda *_: queried(), 100 // few, 0.02),
        "q. JSON nested 400,000 deep": lambda port: nested(port, '{"told": ' + "[" * 400_000, 40 // few),
        "q. JSON of 300,000 numbers": lambda port: nested(port, f'{{"told": [{"1," * 300_000}1]}}', 40 // few),
        "q. JSON, keys of 900 kB": lambda port: nested(port, f'{{"told": {{"page": "{"a" * 900_000}"}}}}', 40 // few),
        "r. 3,000 cookies": lambda port: knocks(port, "/", f"Cookie: {'a=b; ' * 3_000}\r\n", 300 // few),
        "r. 1,500 lines of a head": lambda port: knocks(port, "/", "A: b\r\n" * 1_500, 300 // few),
        "r. ranges of a download": lambda port: knocks(port, "/handed/x", ranges, 300 // few),
        "r. ranges of the page": lambda port: knocks(port, "/", ranges, 300 // few),
        "s. compressed 1,000 times": lambda port: bomb(port, 200 // few),
        "s. 20 lines never read": lambda port: mute(port, 20, 40, seconds),
        "s. 100 lines never read": lambda port: mute(port, 100 // few, 200, seconds),
    }  # fmt: skip
