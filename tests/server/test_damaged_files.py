"""Whatever one visitor's file does to the process that reads it, a second visitor goes on working, and gets right figures."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.workshop import begin, toggle
from disclosure_core import DisclosureError, read
from tests.server.serving import MARK, PATIENCE, ROOT, Reader, Running, Visitor, await_, marked, run, server

FILES = ROOT / "tests" / "core" / "files"

CHILD = """
import os, re, time
import disclosure_core.data.readers as readers
usual = readers.parse
def parse(data, name, options, limits):
    if name == "loop.sav": re.match("(a+)+$", "a" * 60 + "b")
    if name == "sleep.sav": time.sleep(600)
    while name == "slow.sas7bdat" and not os.path.exists(GO): time.sleep(0.1)
    if name == "abort.sav": os.abort()
    if name == "nothing.sav": os._exit(0)
    if name == "memory.sav":
        held = []
        while True: held.append(bytes(10_000_000))  # untouched: at once, however busy the machine
    if name == "garbage.sav":
        out = next(fd for fd in range(3, 9) if "pipe" in os.path.realpath(f"/proc/self/fd/{fd}"))
        while True: os.write(out, b"garbage" * 1000)
    return usual(data, name, options, limits)
readers.parse = parse
"""
"""In a child: files of these names end it in their way, one waits for a sign; any other is parsed as usual."""

HARM = {
    "damaged.sav": "damaged.sav is damaged: the process that read it broke off",
    "abort.sav": "abort.sav broke off the process that read it",
    "memory.sav": "memory.sav needs more than the 300 MB of memory allowed",
    "loop.sav": "loop.sav was not read within the 15 seconds allowed",
    "sleep.sav": "sleep.sav was not read within the 15 seconds allowed",
    "nothing.sav": "nothing.sav was not read: the process that read it gave no answer",
    "garbage.sav": "garbage.sav was not read: the process that read it gave no answer",
}


def hostile(folder: Path) -> dict[str, str]:
    """Return the environment of a server whose children misbehave by the names of files."""
    boot = (
        "import sys; sys.path[:] = {path!r}; exec(%r); from disclosure_core.data.readers import _child; _child.main()"
    )
    child = CHILD.replace("GO", repr(str(folder / "go")))
    quoted = boot.replace("%r", repr(child).replace("{", "{{").replace("}", "}}"))
    place = folder / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        f"from disclosure_core.data.readers import _parent\n_parent._BOOT = {quoted!r}\n"
    )
    return {
        "PYTHONPATH": f"{place}:{ROOT}",
        "DISCLOSURE_MAX_SECONDS": "15",
        "DISCLOSURE_MAX_MEMORY_MB": "300",
    }


def children(pid: int) -> set[int]:
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since it was listed
            found |= {int(n) for n in (task / "children").read_text().split()}
    return found


def parsing(pid: int) -> list[int]:
    """Return the children of a server that have taken a file: a spare has made no signal of its stdin yet."""
    found = []
    for child in children(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # a child that has ended since it was listed
            flags = next(line for line in Path(f"/proc/{child}/fdinfo/0").read_text().splitlines() if "flags" in line)
            if int(flags.split()[1], 8) & os.O_ASYNC:
                found.append(child)
    return found


async def offer(person: Visitor, name: str, data: bytes, synthetic: bytes) -> None:
    """Send an original of this name with a synthesis, and compare them."""
    files = await bring(person, name, data, synthetic)
    await person.run(**files, **{"upload.compare": ("trigger_value", True)})


async def bring(person: Visitor, name: str, data: bytes, synthetic: bytes) -> dict[str, tuple[str, object]]:
    """Send an original of this name with a synthesis; return what the uploaders hold."""
    files = {}
    for kind, each, content in (("original", name, data), ("synthetic", "synthetic.csv", synthetic)):
        url, state = await person.place(each)
        await asyncio.to_thread(person.put, url, each, content)
        state.uploaded_file_info[0].size = len(content)
        files[f"upload.{kind}"] = ("file_uploader_state_value", state)
    await person.run(**files)
    return files


def test_files_that_kill_the_child_disturb_no_second_visitor(tmp_path):
    damaged = (FILES / "damaged_1.sav").read_bytes()
    synthetic = marked()[1]
    meanwhile: Counter[str] = Counter()

    async def visits(at: Running) -> None:
        async with Reader(at.port) as second, Visitor(at.port) as first:
            await begin(second, marked())  # with data of their own, choosing keys, on the Review page
            before = set(second.words), dict(second.tiles)
            print(second.tiles, second.words)
            await first.run(**{"data.demo": ("trigger_value", True)})
            for name, sentence in HARM.items():
                asked = asyncio.create_task(offer(first, name, damaged, synthetic))
                while not asked.done():  # the second one goes on while the first one's file does its worst
                    before_it = parsing(at.process.pid)
                    await toggle(second)
                    meanwhile[name] += bool(before_it) and parsing(at.process.pid) == before_it
                    await asyncio.sleep(0.2)
                await asked
                told = " ".join(first.words).replace("\\", "")
                assert sentence in told, (name, [w for w in first.words if "sav" in w], len(first.words))
                assert "Nothing was taken" in told
                assert not parsing(at.process.pid)
                assert at.process.poll() is None
            # Who brought them goes on, too: nothing was lost, and a sound file is read.
            second.limit = 0
            await toggle(second)
            assert (set(second.words), second.tiles) == before
            sound = (FILES / "iris.sas7bdat").read_bytes()
            await offer(first, "iris.sas7bdat", sound, csv_of_iris())
            assert first.said("iris\\.sas7bdat against synthetic\\.csv")
            assert at.traces() == []
            assert at.nameless() == []

    with server(tmp_path, **hostile(tmp_path)) as at:
        run(visits(at))
        await_(
            lambda: at.held() == [2, 0, 12]
        )  # the demonstration survey stays, with its missing code and without, and the tables of public files
        assert len(children(at.process.pid)) <= 2  # spares, which have read nothing
        assert not parsing(at.process.pid)
        assert "Traceback" not in at.log()
        assert MARK not in at.log()
    assert meanwhile["loop.sav"] > 0  # begun and ended while the same child was at it
    assert meanwhile["sleep.sav"] > 0


def csv_of_iris() -> bytes:
    (reading,) = read(FILES / "iris.sas7bdat", "iris.sas7bdat")
    return reading.frame.to_csv(index=False).encode()


def test_a_visitor_who_leaves_or_a_server_that_is_killed_takes_the_child_along(tmp_path):
    synthetic = marked()[1]

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            asked = asyncio.create_task(offer(person, "sleep.sav", b"abc", synthetic))
            await asyncio.to_thread(await_, lambda: parsing(at.process.pid))
            asked.cancel()
        await asyncio.to_thread(await_, lambda: not parsing(at.process.pid))
        async with Visitor(at.port) as person:
            asked = asyncio.create_task(offer(person, "loop.sav", b"abc", synthetic))
            await asyncio.to_thread(await_, lambda: parsing(at.process.pid))
            asked.cancel()
            every = children(at.process.pid)
            assert set(parsing(at.process.pid)) <= every
            at.process.send_signal(signal.SIGKILL)
            await asyncio.to_thread(await_, lambda: not any(map(alive, every)))

    environment = hostile(tmp_path) | {"DISCLOSURE_MAX_SECONDS": "600"}
    with server(tmp_path, **environment) as at:
        run(visits(at))


def test_a_widget_touched_while_files_are_read_loses_nothing(tmp_path):
    """The run that reads ends there, and the next one, in which no button is pressed, reads anew."""
    sound = (FILES / "iris.sas7bdat").read_bytes()

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            files = await bring(person, "slow.sas7bdat", sound, csv_of_iris())
            pressed = asyncio.create_task(person.run(**files, **{"upload.compare": ("trigger_value", True)}))
            await asyncio.to_thread(await_, lambda: parsing(at.process.pid))
            first = set(parsing(at.process.pid))
            pressed.cancel()
            with suppress(asyncio.CancelledError):
                await pressed
            touched = asyncio.create_task(person.run(**files, larger=("bool_value", True)))
            await asyncio.to_thread(await_, lambda: set(parsing(at.process.pid)) - first)
            (tmp_path / "go").touch()
            await touched
            assert person.said("slow\\.sas7bdat against synthetic\\.csv")
            await person.run(**files, larger=("bool_value", False))  # and it is not read a third time
            assert not parsing(at.process.pid)
            assert person.said("slow\\.sas7bdat against synthetic\\.csv")

    with server(tmp_path, **hostile(tmp_path) | {"DISCLOSURE_MAX_SECONDS": "600"}) as at:
        run(visits(at))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


READS = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from disclosure_core.data.readers import {how} as read
try:
    read(Path({path!r}), "damaged.sav")
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="where a core goes is known on Linux only")
def test_a_child_that_breaks_off_leaves_no_core(tmp_path):
    """Parsed in the process itself, the same file leaves its memory on the disk: else this test would show nothing."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if pattern.startswith(("|", "/")) or hard == 0:
        pytest.skip(f"this machine writes no core into the folder (core_pattern {pattern}, limit {hard})")
    left = {}
    for how in ("read_in_process", "read"):
        folder = tmp_path / how
        folder.mkdir()
        code = READS.format(root=str(ROOT), how=how, path=str(FILES / "damaged_1.sav"))
        command = [
            "sh",
            "-c",
            'ulimit -c unlimited 2>/dev/null || ulimit -c "$(ulimit -H -c)"; exec "$@"',
            "sh",
            sys.executable,
            "-c",
            code,
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        left[how] = (done.returncode, done.stdout.strip(), sum(p.stat().st_size for p in folder.iterdir()) > 0)
    assert left["read_in_process"] == (-signal.SIGSEGV, "", True)
    assert left["read"] == (0, DisclosureError.__name__, False)
