"""A workshop that goes on: people come, upload, toggle, reload, crash a file, and leave: `python benchmarks/soak.py`.

For so many minutes (30 by default) four people at a time do one of these after another, each with a level of their own
in their data. Then everybody has left, and what the server holds is compared with what it held after the first round:
studies, files and tables, open file handles, threads, children, memory; and its memory is searched for the levels of
those who left. Linux only. `--minutes 3` is what CI runs; exit status 1 where something stayed, or somebody was told
another's level. `--people 30 --attacked`: thirty at a time, and one more who sends what `attacks.py` lists, one after
the other; printed is how long a visitor waits who does nothing but move a limit, in quiet and among them.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.attacks import attacks  # noqa: E402
from benchmarks.workshop import Person, begin, csv, resident, toggle  # noqa: E402
from disclosure_core.data import demo  # noqa: E402
from disclosure_core.data.readers._parent import SPARES  # noqa: E402
from tests.server.serving import Running, Visitor, server  # noqa: E402

PEOPLE = 4
ROWS = 2_000

MORE = 0.05
"""The share of memory that may have been added at the end; twice as much of a short run, in which all is still warm."""

LONG = 20
"""Minutes."""

MARK = rb"Zzyzx-\d{4}-\d{6}-Q"
"""A level of one visitor's data."""


def marked(mark: str) -> tuple[bytes, bytes]:
    """Return an original and a synthesis in which a fifth of all records have a level of their own."""
    frames = [demo.original().head(ROWS), demo.syntheses()[0].head(ROWS)]
    for frame in frames:
        frame["region"] = frame["region"].astype(str).where(frame.index % 5 > 0, mark)
    return csv(frames[0]), csv(frames[1])


async def compares(port: int, mark: str) -> None:
    async with Visitor(port) as person:
        await begin(person, marked(mark))
        for _ in range(5):
            await toggle(person)
        for page in ("Keys", "Records", "Safeguards", "Analyses", "Compare", "Report", "Data"):
            await person.go(page)
        if set(re.findall(MARK, " ".join(person.words).encode())) - {mark.encode()}:
            raise RuntimeError("a page is of other data")


async def looks_at_the_demonstration(port: int, _mark: str) -> None:
    async with Person(port) as person:
        await begin(person, None)
        await toggle(person)


async def leaves_in_the_middle(port: int, mark: str) -> None:
    async with Visitor(port) as person:
        data = marked(mark)[0]
        url, _ = await person.place("cut.csv")
        line, _ = person.put_half(url, "cut.csv", data)
    line.close()


async def crashes_a_file(port: int, mark: str) -> None:
    async with Visitor(port) as person:
        files = {}
        damaged = (ROOT / "tests" / "core" / "files" / "damaged_1.sav").read_bytes()
        for kind, name, data in (("original", "damaged.sav", damaged), ("synthetic", "x.csv", marked(mark)[1])):
            url, state = await person.place(name)
            await asyncio.to_thread(person.put, url, name, data)
            state.uploaded_file_info[0].size = len(data)
            files[f"upload.{kind}"] = ("file_uploader_state_value", state)
        await person.run(**files)
        await person.run(**files, **{"upload.compare": ("trigger_value", True)})
        if not person.said("damaged"):
            raise RuntimeError("a damaged file was not told as such")


async def takes_the_report(port: int, mark: str) -> None:
    async with Visitor(port) as person:
        await begin(person, marked(mark))
        await person.go("Report")
        key = next(key for key in person.files if key == "report.get.report.html")
        report = await person.download(key)
        if b"original.csv" not in report or set(re.findall(MARK, report)) - {mark.encode()}:
            raise RuntimeError("the report is of other data")


async def reloads(port: int, mark: str) -> None:
    """Come back by naming the session that was left, as a tab does whose line was cut."""
    async with Person(port) as person:
        await begin(person, marked(mark))
        left = person.id
    async with Person(port) as again:
        again.id = left
        await again.go("Review")


ROUND = (compares, looks_at_the_demonstration, leaves_in_the_middle, crashes_a_file, takes_the_report, reloads)


def held(at: Running) -> dict[str, float]:
    """Return what the server's process has: memory in MB, file handles by kind, threads, children."""
    pid = at.process.pid
    handles = Counter(re.sub(r"[:\d\[\]]+.*", "", link) for link in _handles(pid))
    children = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since it was listed
            children += len((task / "children").read_text().split())
    studies, files, tables = at.held()
    return {
        "MB": round(resident(pid)), "handles": sum(handles.values()), "sockets": handles["socket"],
        "pipes": handles["pipe"],
        "threads": len(list(Path(f"/proc/{pid}/task").iterdir())), "children": children,
        "studies": studies, "files": files, "tables": tables,
    }  # fmt: skip


def _handles(pid: int) -> list[str]:
    found = []
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.append(str(fd.readlink()))
        except OSError:
            continue
    return found


def copies(pid: int, words: bytes) -> Counter[bytes]:
    """Return how often each match of a pattern stands in a process's writable memory."""
    found: Counter[bytes] = Counter()
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            if not rights.startswith("rw"):
                continue
            begin_, end = (int(part, 16) for part in place.split("-"))
            tail = b""
            for at in range(begin_, end, 1 << 24):
                try:
                    memory.seek(at)
                    piece = memory.read(min(1 << 24, end - at))
                except (OSError, ValueError, OverflowError):
                    break
                found.update(re.findall(words, tail + piece))
                tail = piece[-40:] if piece else b""
    return found


async def quiet(at: Running, patience: float = 60) -> None:
    """Wait until nobody's data are held."""
    end = time.monotonic() + patience
    while at.held()[1] and time.monotonic() < end:
        await asyncio.sleep(1)
    await asyncio.sleep(5)  # the next look collects what points at itself


async def attacked(port: int, until: float, choice: random.Random) -> None:
    """Send what `attacks.py` lists, in an order by chance, each from a process of its own."""
    while time.monotonic() < until:
        name = choice.choice([*attacks(smoke=False)])
        command = [sys.executable, str(ROOT / "benchmarks" / "neighbours.py"), "--neighbour", name, "--port", str(port)]
        other = await asyncio.create_subprocess_exec(*command)
        with suppress(TimeoutError):
            await asyncio.wait_for(other.wait(), 90)
        if other.returncode is None:
            other.kill()


async def waits(port: int, until: float) -> list[float]:
    """Return how long each change of a limit took one visitor, who makes one after another."""
    took: list[float] = []
    async with Person(port) as person:
        await begin(person, None)
        while time.monotonic() < until:
            took.append(await toggle(person))
            await asyncio.sleep(0.2)
    return took


async def soak(at: Running, minutes: float, seed: int, people: int = PEOPLE, *, attack: bool = False) -> int:
    number, failed = itertools.count(1), Counter[str]()
    done: Counter[str] = Counter()
    choice = random.Random(seed)

    async def one(visit) -> None:
        mark = f"Zzyzx-{seed:04d}-{next(number):06d}-Q"
        try:
            await visit(at.port, mark)
            done[visit.__name__] += 1
        except Exception as error:
            why = error.read() if isinstance(error, HTTPError) else ""  # what a person would read
            failed[f"{visit.__name__}: {type(error).__name__}: {error} {why!r}"[:300]] += 1

    async def person(until: float) -> None:
        while time.monotonic() < until:
            await one(choice.choice(ROUND))

    for visit in (*ROUND, *ROUND):  # what is loaded once is loaded, and so many at once have had their room
        await asyncio.gather(*(one(visit) for _ in range(people)))
    await quiet(at)
    alone = await waits(at.port, time.monotonic() + 15) if attack else []
    await quiet(at)
    before, begun = held(at), time.monotonic()
    print(f"after {sum(done.values())} visits: {before}", flush=True)
    marks = 0
    while (left := begun + 60 * minutes - time.monotonic()) > 0:
        until = time.monotonic() + min(left, 300)
        visits = [person(until) for _ in range(people)]
        if attack:
            waited, *_ = await asyncio.gather(waits(at.port, until), attacked(at.port, until, choice), *visits)
            for name, each in (("alone", alone), ("among them", waited)):
                print(f"a limit moved, {name}: {len(each)} times, median {statistics.median(each):.2f} s, "
                      f"longest {max(each):.2f} s", flush=True)  # fmt: skip
        else:
            await asyncio.gather(*visits)
        await quiet(at)
        marks = copies(at.process.pid, MARK)
        print(f"{(time.monotonic() - begun) / 60:.1f} min, {sum(done.values())} visits: {held(at)}; "
              f"{len(marks)} of {next(number)} levels in memory, {sum(marks.values())} copies", flush=True)  # fmt: skip
    after = held(at)
    print(f"visits: {dict(done)}; failed: {dict(failed)}")
    for each in (before, after):
        each["pipes"] -= 2 * each["children"]  # in and out of each
    stayed = [name for name in ("studies", "files", "tables", "sockets", "pipes") if after[name] > before[name]]
    # A child that was made ready for a file which then was not read waits for the next one, and holds nothing.
    stayed += ["children"] if after["children"] > SPARES else []
    stayed += ["threads"] if after["threads"] > before["threads"] + people else []
    more = after["MB"] / before["MB"] - 1
    print(f"memory: {before['MB']:.0f} MB after the first round, {after['MB']:.0f} MB at the end, {more:+.1%}")
    stayed += ["memory"] if more > (MORE if minutes >= LONG else 2 * MORE) else []
    if stayed or failed:
        print(f"stayed: {', '.join(stayed) or 'nothing'}")
    return 1 if stayed or failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=PEOPLE, help="visitors at a time")
    parser.add_argument("--attacked", action="store_true", help="one more sends what has stopped a server once")
    asked = parser.parse_args()
    os.environ.setdefault("DISCLOSURE_MAX_SECONDS", "20")
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as at:
        return asyncio.run(soak(at, asked.minutes, asked.seed, asked.people, attack=asked.attacked))


if __name__ == "__main__":
    sys.exit(main())
