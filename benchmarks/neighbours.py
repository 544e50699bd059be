"""Whether a second visitor waits for the first: `python benchmarks/neighbours.py`.

One visitor moves the limit on denominators on the page Review, again and again; meanwhile another, in a process of
their own, sends what has stopped a server once. Printed are the first one's median and longest wait beside those of a
quiet run, how long a newcomer then waits for the first page, and for two small files to be read and compared, the
longest answer to whether the server is well, the server's memory, threads and log, and the machine's load. What is
sent on the line itself stands in `attacks.py`. Loopback only, and every loop has an end. `--smoke` is short; exit
status 1 where a wait was too long: the longest more than twice the quiet one and half a second, with `--smoke` more
than 20 seconds, since other work may go on beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.attacks import attacks, health  # noqa: E402
from benchmarks.workshop import PATIENCE, READY, Person, begin, resident, toggle  # noqa: E402
from pages.server.bounds import open_more_files  # noqa: E402
from pages.server.preload import QUIET  # noqa: E402
from tests.server.serving import Running, Visitor, server  # noqa: E402

EVERY = 0.2
"""Seconds between an answer and the next click of the visitor who is watched."""

PATIENT = 45.0
"""Seconds for which a neighbour goes on at most."""

SMALL = b"a,b\n1,2\n3,4\n" * 50


def texts(smoke: bool) -> dict[str, bytes]:
    """Return the text files that took a server long once, by what is odd in them."""
    part = 10 if smoke else 1
    return {
        "one line, not UTF-8": b"a,b\n" + b"\xe9" * (40_000 // part) + b",1\n",
        "lines above the header": b"#a\n" * (200_000 // part) + b"a,b\n1,2\n3,4\n",
        "24 MB of short rows": b"a,b\n" + b"12,34\n" * (4_000_000 // part),
        "12 MB, not UTF-8": b"a\n" + b"\xe9\xe9\n" * (4_000_000 // part),
    }


async def brings(port: int, data: bytes) -> None:
    async with Visitor(port) as person:
        person.patience = PATIENT
        with suppress(TimeoutError):
            await person.upload(data, SMALL)


async def names(port: int, number: int, times: int) -> None:
    """Ask for the places of so many files without a name."""
    for _ in range(times):
        with suppress(ConnectionClosed, OSError):
            async with Person(port) as person:
                message = BackMsg()
                message.file_urls_request.session_id = person.id
                message.file_urls_request.file_names.extend([""] * number)
                await person.line.send(message.SerializeToString())
                await asyncio.sleep(2)


async def reserves(port: int, seconds: float) -> None:
    """Say that much will come, and send nothing."""
    async with AsyncExitStack() as lines:
        for _ in range(14):
            person = await lines.enter_async_context(Visitor(port))
            for i in range(2):
                url, _ = await person.place(f"{i}.csv")
                lines.enter_context(person.head_of_put(url, "Content-Type: text/csv", "Content-Length: 240000000"))
        await asyncio.sleep(seconds)


async def half_asks(port: int, number: int, seconds: float) -> None:
    """Open lines, and send half of a request's first line."""
    with ExitStack() as lines, suppress(OSError):
        for _ in range(number):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            line.sendall(b"GET / HT")
        await asyncio.sleep(seconds)


async def opens_a_review(port: int, data: bytes) -> None:
    """Bring a saved review, and touch the page a few times, which reads it again."""
    async with Visitor(port) as person:
        person.patience = PATIENT
        await person.run(**{"data.saved": ("bool_value", True)})
        url, state = await person.place("review.json")
        await asyncio.to_thread(person.put, url, "review.json", data)
        state.uploaded_file_info[0].size = len(data)
        given = {"data.saved": ("bool_value", True), "data.settings": ("file_uploader_state_value", state)}
        with suppress(TimeoutError):
            for _ in range(3):
                await person.run(**given)


def neighbours(smoke: bool) -> dict[str, object]:
    """Return by name what another visitor does, given the port."""
    seconds = 5.0 if smoke else 15.0
    found: dict[str, object] = {
        f"a. {name}": lambda port, data=data: brings(port, data) for name, data in texts(smoke).items()
    }
    review = b"[" + b"{}," * ((9_000_000 // 3) // (10 if smoke else 1)) + b"{}]"
    return found | {
        "b. 300,000 names": lambda port: names(port, 300_000, 2 if smoke else 5),
        "b. 1,000,000 names": lambda port: names(port, 1_500_000, 2 if smoke else 5),  # 3 MB
        "c. room, and no byte": lambda port: reserves(port, seconds),
        "d. 1,500 half lines": lambda port: half_asks(port, 1_500, seconds),
        "e. a saved review of 9 MB": lambda port: opens_a_review(port, review),
        **attacks(smoke),
    }


async def watched(person: Person, seconds: float, neighbour: subprocess.Popen[bytes] | None) -> list[float]:
    """Return how long each click of the first visitor took, for so many seconds or as long as the other goes on."""
    took: list[float] = []
    begun = time.monotonic()
    while (now := time.monotonic() - begun) < seconds or (neighbour and neighbour.poll() is None and now < 2 * PATIENT):
        took.append(await toggle(person))
        await asyncio.sleep(EVERY)
    return took


async def newcomer(port: int) -> tuple[float, float]:
    begun = time.monotonic()
    async with Visitor(port) as person:
        came = time.monotonic()
        await person.upload(SMALL, SMALL)
        return came - begun, time.monotonic() - came


async def measure(at: Running, chosen: list[str], smoke: bool) -> int:
    status, port, pid, log = 0, at.port, at.process.pid, at.folder / "log"
    print(
        f"{'':26} {'clicks':>6} {'median':>7} {'longest':>8} {'at most':>8} {'newcomer':>9} {'files':>6} "
        f"{'health':>7} {'MB':>6} {'threads':>8} {'log MB':>7} {'load':>5}"
    )
    async with Person(port) as person:
        await begin(person, None)
        await watched(person, 3, None)
        quiet = await watched(person, 5 if smoke else 20, None)
        most = 20 if smoke else 2 * max(quiet) + 0.5
        print(f"{'nobody else':26} {len(quiet):6} {statistics.median(quiet):7.2f} {max(quiet):8.2f} {'':9} {'':8} "
              f"{(await newcomer(port))[1]:6.2f} {'':7} {resident(pid):6.0f} {threads(pid):8} {'':7} "
              f"{os.getloadavg()[0]:5.1f}", flush=True)  # fmt: skip
        for name in chosen:
            command = [sys.executable, __file__, "--neighbour", name, "--port", str(port), *["--smoke"] * smoke]
            with subprocess.Popen(command) as other:
                comes = asyncio.create_task(late(port))
                lives = asyncio.create_task(health_of(port))
                took = await watched(person, 5, other)
                came = await comes
                lives.cancel()
                answers = LONGEST.pop("health", 0.0)
                if other.poll() is None:
                    other.kill()
            print(
                f"{name:26} {len(took):6} {statistics.median(took):7.2f} {max(took):8.2f} {most:8.2f} {came[0]:9.2f} "
                f"{came[1]:6.2f} {answers:7.2f} {resident(pid):6.0f} {threads(pid):8} {log.stat().st_size / 1e6:7.2f} "
                f"{os.getloadavg()[0]:5.1f}{'' if max(took) <= most else '  TOO LONG'}",
                flush=True,
            )
            status |= max(took) > most
            await watched(person, 3, None)  # what it left behind comes to rest
    return int(status)


LONGEST: dict[str, float] = {}


async def health_of(port: int) -> None:
    """Note the longest answer to whether the server is well."""
    while True:
        begun = time.monotonic()
        with suppress(OSError):
            await asyncio.to_thread(health, port)
        LONGEST["health"] = max(LONGEST.get("health", 0.0), time.monotonic() - begun)
        await asyncio.sleep(0.2)


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir())) if Path(f"/proc/{pid}/task").exists() else 0


async def late(port: int) -> tuple[float, float]:
    await asyncio.sleep(3)
    return await newcomer(port)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="smaller files, fewer clicks")
    parser.add_argument("--only", default="", help="neighbours whose name begins so: a., or a.,f.")
    parser.add_argument("--neighbour", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    known = neighbours(asked.smoke)
    if asked.neighbour:
        open_more_files()
        does = known[asked.neighbour](asked.port)  # type: ignore[operator]
        if asyncio.iscoroutine(does):
            asyncio.run(asyncio.wait_for(does, 2 * PATIENT))
        return 0
    chosen = [name for name in known if name.startswith(tuple(asked.only.split(",")))]
    # As an operator has it: what is the same for all is made, and who left is forgotten four times a minute, not each
    # second as in tests; more visitors than usual, since those who left count until then.
    told = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "120", "DISCLOSURE_MAX_VISITORS": "1000"}
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), prelude=f"preload.QUIET = {QUIET}", **told) as at,
    ):
        time.sleep(2 * READY)
        return asyncio.run(measure(at, chosen, asked.smoke))


if __name__ == "__main__":
    sys.exit(main())
