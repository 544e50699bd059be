"""Faults of the ground the server stands on: full and read-only disks, no fonts, slow work that nobody waits for."""

import asyncio
import io
import signal

import numpy as np
import openpyxl
import pandas as pd
import pytest
from pypdf import PdfReader
from streamlit.proto.Common_pb2 import StringArray

from benchmarks.workshop import begin, csv, toggle
from tests.server.serving import (
    PRESSED,
    Reader,
    Running,
    Visitor,
    await_,
    embedded_fonts,
    marked,
    run,
    server,
    unshared,
)

READ_ONLY = """
cut -d' ' -f2 /proc/self/mounts | grep -v '^/dev' | while read -r at; do mount -o remount,bind,ro "$at" 2>/dev/null || true; done
for at in "$TMPDIR" "$HOME" /tmp /var/tmp .; do if touch "$at/x" 2>/dev/null; then exit 9; fi; done
"""
"""Nothing can be written anywhere; /dev/shm, which is memory, stays as it is."""

FULL = """
for at in /tmp /var/tmp; do mount --bind "$at" "$at"; mount -o remount,bind,ro "$at"; done
mount -t tmpfs -o size=64k tmpfs "$TMPDIR"
mount --bind "$TMPDIR" "$HOME"
cd "$HOME"
cat /dev/zero > fill 2>/dev/null || true
for at in . "$TMPDIR" /tmp /var/tmp; do if echo x 2>/dev/null > "$at/x"; then exit 9; fi; done
"""
"""Home, the temporary and the working folder lie on a full disk, and there is no other."""

NO_FONTS = """
for at in /usr/share/fonts /usr/local/share/fonts /usr/share/texmf /usr/X11R6 "$HOME/.fonts" "$HOME/.local/share/fonts"
do [ ! -d "$at" ] || mount -t tmpfs tmpfs "$at"; done
if fc-list 2>/dev/null | grep -q .; then exit 9; fi
"""
"""The system has no font."""


@pytest.mark.parametrize("ground", [READ_ONLY, FULL, NO_FONTS], ids=["read-only", "full", "no fonts"])
def test_the_main_job_and_its_downloads(tmp_path, ground):
    got: dict[str, bytes] = {}

    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, marked(20_000))  # above the megabyte where uploads would go to a temporary file
            assert at.nameless() == []
            await person.go("Report")
            for key in sorted(person.files):
                if key in {
                    "report.get.report.html",
                    "report.get.report.pdf",
                    "report.get.figure",
                    "report.get.tables.xlsx",
                }:
                    got[key] = await person.download(key)

    with server(tmp_path, *unshared("m", ground)) as at:
        run(visit(at))
        assert "Traceback" not in at.log()
    assert len(got) == 4, got.keys()
    for key, data in got.items():
        if data.startswith(b"%PDF"):
            pdf = PdfReader(io.BytesIO(data))
            assert "income" in "".join(page.extract_text() for page in pdf.pages), key
            every, come = embedded_fonts(pdf)
            assert every
            assert every == come, key
    book = openpyxl.load_workbook(io.BytesIO(next(d for k, d in got.items() if "xlsx" in k)))
    assert "summary" in book.sheetnames


@pytest.mark.parametrize(
    ("keys", "page", "asked"), [(11, "Keys", "keys.search_targets"), (8, "Analyses", "analyses.open.number-of-keys")]
)
def test_a_computation_that_nobody_waits_for_ends(tmp_path, keys, page, asked):
    names = [f"key {i}" for i in range(keys)]
    rng = np.random.default_rng(1)
    files = [csv(pd.DataFrame({n: rng.integers(0, 9, 600_000) for n in [*names, "target"]})) for _ in range(2)]

    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.upload(*files)
            await person.go("Keys")
            await person.run(**person.keys(*names))
            await person.go(page)
            await person.begin_run(**{asked: ("trigger_value", True)})
            assert 0 < person.progress < 30, "there is a long way to go"
            assert at.held() == [1, 2, 2]
        await asyncio.to_thread(at.rests)
        await asyncio.to_thread(await_, lambda: at.held() == [0, 0, 0])

    with server(tmp_path) as at:
        run(visit(at))


CLOCK = """
import time
true, ahead = time.time, iter([3.2e8, -3.2e8, 0.0])
def jump(*_):
    now = next(ahead)
    time.time = lambda: true() + now
signal.signal(signal.SIGUSR2, jump)
"""
"""At each signal the clock on the wall jumps: ten years ahead, ten years back, and to what it was."""


def test_the_clock_jumps(tmp_path):
    """Who is inside stays, who comes is let in and may upload, who leaves is forgotten in time."""

    async def visits(at: Running) -> None:
        async with Reader(at.port) as person:
            await begin(person, marked())
            person.limit, person.tiles = 0, {}
            await toggle(person)
            before = dict(person.tiles)
            assert before
            for _ in range(3):
                at.process.send_signal(signal.SIGUSR2)
                async with Visitor(at.port) as other:
                    await begin(other, marked())
                    assert at.held() == [2, 4, 4]
                await asyncio.to_thread(await_, lambda: at.held() == [1, 2, 2])
                person.limit, person.tiles = 0, {}
                await toggle(person)
                assert person.tiles == before
                await asyncio.sleep(3)  # some looks at who is idle
                await person.go("Review")
                assert not person.said("Your data were forgotten")

    with server(tmp_path, prelude=CLOCK, DISCLOSURE_MAX_IDLE_MINUTES="5") as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])
        assert "Traceback" not in at.log()


WRITING = """
import os
look = os.fstat
def looking(fd):
    found, at = look(fd), os.readlink(f"/proc/self/fd/{fd}")
    if at.endswith("/synthetic.csv") and os.path.exists(os.environ["HOME"] + "/writing"):
        with open(at, "ab") as file:
            file.write(b"one more row\\n")
    return found
os.fstat = looking
"""
"""Somebody writes to the file whenever it was looked at, as long as there is a sign of it."""


def test_a_file_of_the_servers_folder_that_is_written_to_while_it_is_read(tmp_path):
    """It is a sentence, and never half of one state and half of another."""
    folder = tmp_path / "data"
    folder.mkdir()
    original, synthetic = marked(40_000)
    (folder / "original.csv").write_bytes(original)
    (folder / "synthetic.csv").write_bytes(synthetic)
    writing = tmp_path / "home" / "writing"

    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.run(**{"upload.where": ("string_value", "In the server's folder")})
            chosen = {
                "upload.folder_original": ("string_value", "original.csv"),
                "upload.folder_synthetic": ("string_array_value", StringArray(data=["synthetic.csv"])),
            }
            await person.run(**chosen)
            await person.run(**{"upload.compare": ("trigger_value", True)})
            assert person.said("synthetic\\.csv was changed while it was read; try again"), person.words
            writing.unlink()
            (folder / "synthetic.csv").write_bytes(synthetic)
            await person.run(**{"upload.compare": ("trigger_value", True)})
            assert person.said("original\\.csv against synthetic\\.csv"), person.words
            (folder / "synthetic.csv").unlink()
            await person.run(**{"upload.compare": ("trigger_value", True)})
            assert person.said("original\\.csv against synthetic\\.csv")  # what was read stays

    with server(tmp_path, prelude=WRITING, DISCLOSURE_FOLDER=str(folder)) as at:
        writing.touch()
        run(visit(at))


NO_THREAD = """
from streamlit.runtime.scriptrunner import ScriptRunner
begin, refused = ScriptRunner.start, []
def start(self):
    if refused:
        raise RuntimeError(refused.pop())
    begin(self)
ScriptRunner.start = start
signal.signal(signal.SIGUSR2, lambda *_: refused.append("can't start new thread"))
"""


def test_what_was_asked_of_a_run_that_got_no_thread_is_done_by_the_next(tmp_path):
    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.run()
            at.process.send_signal(signal.SIGUSR2)
            await person.ask(**{"data.demo": PRESSED})
            await asyncio.to_thread(await_, lambda: "a run did not begin: RuntimeError at" in at.log())
            await person.run()
            assert person.said("4 keys")

    with server(tmp_path, prelude=NO_THREAD) as at:
        run(visit(at))
