"""Reads whatever file it is given, and does with it what the pages do; in a process that a file may end.

`Worker` asks such a process and starts another where one ended; `main` is that process. What the pages would do in a
process of their own for each file is done here in one for thousands: a file takes milliseconds, not tenths of seconds.
"""

import json
import os
import select
import struct
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
MEMORY = 1_500_000_000
"""Bytes that a file of a few kilobytes may take at most, all libraries included."""

SECONDS = 20
"""Seconds of the processor that it may take, however busy the machine: ten times what the slowest takes."""


@dataclass(frozen=True)
class Told:
    """What became of a file.

    Attributes
    ----------
    kind
        "read"; "sentence" where it was refused; "fault" for any other error; "ended" for the process; "slow".
    stage
        "parse", or "after" where its tables were read and the rest was under way.
    said
        The sentence; or type and place of the fault.
    frame
        Where asked for: by column, the texts of its values; None for a missing one.
    """

    kind: str
    stage: str = "parse"
    said: str = ""
    frame: dict[str, list[str | None]] | None = None


def processor(pid: int) -> float:
    """Return the seconds of the processor that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def _ready(self) -> "subprocess.Popen[bytes]":
        if self.process is None or self.process.poll() is not None:
            self.close()
            command = [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from tests.fuzz.worker import main; main()"]  # fmt: skip
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)  # fmt: skip
            self._line(120)
        return self.process

    def ask(self, name: str, data: bytes) -> Told:
        """Return what becomes of a file."""
        process = self._ready()
        head = json.dumps({"name": name, "size": len(data)}).encode()
        stage = "parse"
        try:
            process.stdin.write(struct.pack("<I", len(head)) + head)
            view = memoryview(data)
            while view:
                view = view[process.stdin.write(view) :]
            begun = processor(process.pid)
            while True:
                line = self._line(begun + SECONDS - processor(process.pid))
                if line is None:
                    process.kill()
                    return Told("slow", stage)
                told = Told(**json.loads(line))
                if told.kind != "stage":
                    return told
                stage = told.stage
        except (BrokenPipeError, EOFError):
            return Told("ended", stage, f"status {process.wait()}")

    def _line(self, seconds: float) -> bytes | None:
        """Return the next line of the process; None where it takes more of the processor, or ten times that of the clock."""
        said = b""
        ends, most = time.monotonic() + 10 * seconds, processor(self.process.pid) + seconds
        while not said.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], 0.2)[0]:
                if time.monotonic() > ends or processor(self.process.pid) > most:
                    return None
                continue
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                raise EOFError
            said += piece
        return said.splitlines()[-1]  # the stage may come in one piece with the answer

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                pipe.close()
            self.process = None


def main() -> None:
    """Answer until stdin ends."""
    import resource

    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    from disclosure_core import DisclosureError
    from tests.reading import read_in_process

    parse_here()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def say(**told: object) -> None:
        replies.write(json.dumps(told).encode() + b"\n")

    say(kind="stage", stage="begun")
    while head := sys.stdin.buffer.read(4):
        job = json.loads(sys.stdin.buffer.read(struct.unpack("<I", head)[0]))
        data = sys.stdin.buffer.read(job["size"])
        stage = "parse"
        try:
            frame = texts(read_in_process(data, job["name"], None, limits())[0].frame)
            stage = "after"
            say(kind="stage", stage=stage)
            work_with(job["name"], data)
            say(kind="read", stage=stage, frame=frame)
        except DisclosureError as error:
            say(kind="sentence", stage=stage, said=str(error))
        except BaseException as error:
            import traceback

            places = [f"{Path(p.filename).name}:{p.lineno}" for p in traceback.extract_tb(error.__traceback__)]
            say(kind="fault", stage=stage, said=f"{type(error).__name__}: {error}"[:300] + " at " + " ".join(places[-6:]))  # fmt: skip


def parse_here() -> None:
    """Have every file parsed in this process."""
    from disclosure_core.review import opening
    from tests.reading import read_in_process

    opening.read = lambda given, name, options=None, limits=None, waiting=None: read_in_process(given, name, options, limits)  # fmt: skip
    opening.prepare = lambda *names, limits=None: None


def limits():
    """What a file may take here at most."""
    from tests.reading import Limits

    return Limits(megabytes=50, memory=500, rows=100_000, columns=300, tables=20, seconds=SECONDS)


def texts(frame):
    """Return a frame's values as texts, a column each; a whole number without its point."""

    def text(value):
        if value is None or (str(value) in ("nan", "NaT", "<NA>") and not isinstance(value, str)):
            return None
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return str(int(value))
        return str(value)

    return {str(c): [text(v) for v in frame.iloc[:, i].tolist()] for i, c in enumerate(frame.columns)}


def work_with(name: str, data: bytes) -> None:
    """Do with a file what the pages, the report and the downloads do, as its own synthesis; hold the figures to what must be."""
    from disclosure_core import Settings
    from disclosure_core.export import scripts
    from disclosure_core.report import assembled
    from disclosure_core.review import opening
    from tests.reports import Look
    from tests.saved import from_json, to_json

    found = opening.start((name, data), {"synthetic": [("other " + name, data)]}, limits=limits())
    names = list(found.study().columns)
    found.study().overview()
    if len(names) < 2:
        return
    settings = Settings(keys=names[:2], targets=names[2:5] or None) if len(names) > 2 else Settings(keys=names[:1])
    found = found.with_review(found.review.with_settings(settings))
    result = found.assessment()
    for risk in result.targets.values():
        # The original as its own synthesis gives everything away.
        a, i = risk.attribute.iloc[0], risk.identity.iloc[0]
        assert a["iS"] == 100, a
        assert a["DiSCO"] == a["DiS"] == a["DiSDiO"] == a["Dorig"] == a["Dsyn"], a
        assert i["repU"] == i["UiOiS"] == i["UiO"] == i["UiS"], i
    found.remarks()
    assert from_json(to_json(found.review)) == found.review
    json.loads(found.to_json())
    if zlib.crc32(data) % 4:
        return  # what follows takes longer than all that went before
    found.to_excel()
    compile(scripts.python(found), "script", "exec")
    scripts.r_of(found)
    assembled.report(found, "html", Look(date="2026-01-01")).decode()
