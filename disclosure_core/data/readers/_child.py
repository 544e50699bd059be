"""Runs in a process of its own: one file in, its tables or what is made of it out, and the process ends.

What parses SPSS, Stata, SAS, Excel and Parquet is C, C++ and Rust; a damaged file may end it by a signal, or take all
memory. Here it takes nobody along. The process holds nothing but a pipe in and a pipe out, knows one visitor's file
only, and leaves nothing on the disk, not even when it breaks off.

What only some systems have (`resource`, `fcntl`, prctl, a job object) is used where it is there; nothing depends on it.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    Message = tuple[bytes, Any, Iterable[Any]]

_LIBRARIES = (
    "pandas",
    "pyarrow.parquet",
    "pyarrow.feather",
    "disclosure_core.data.readers._wire",
    "disclosure_core.data.readers._archives",
    "disclosure_core.data.readers._arrow",
    "disclosure_core.data.readers._sheets",
    "disclosure_core.data.readers._text",
)
"""What every file needs, or takes no time."""

_OF_SOME = (
    "python_calamine",
    "disclosure_core.data.readers._statistical",
    "disclosure_core.data.readers._r",
    "pyreadstat",
    "rdata",
)
"""What single formats need: a fifth of a second, which only a spare has to give."""

_PR_SET_DUMPABLE = 4


def main() -> None:
    """Load the libraries, wait for a job on stdin, answer on stdout, and end."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)  # what a library prints must not stand between the messages
    os.close(null)
    _load()
    _shut()
    source = sys.stdin.buffer
    head = source.read(4)
    if len(head) < 4:
        os._exit(0)  # whoever started this needs it no more
    job = json.loads(source.read(struct.unpack("<I", head)[0]))
    *buffers, data = [source.read(size) for size in (*job["sizes"], job["size"])]
    if len(data) < job["size"]:
        os._exit(0)
    _lifeline()
    _bound(job["room"], job["limits"]["seconds"], writes=job.get("writes", False))
    _answer(replies, data, buffers, job)
    os._exit(0)


def _load() -> None:
    def load(name: str) -> None:
        with suppress(ImportError):  # what is missing is missed when a file needs it
            import_module(name)

    for name in _LIBRARIES:
        load(name)
    if arrow := sys.modules.get("pyarrow"):
        arrow.set_cpu_count(min(2, arrow.cpu_count()))  # a thread's stack counts as memory
        arrow.set_io_thread_count(1)
    for name in _OF_SOME:
        if sys.platform != "win32" and select.select([0], [], [], 0)[0]:
            break  # the file has come
        load(name)


def _answer(replies: BinaryIO, data: bytes, buffers: list[bytes], job: dict[str, Any]) -> None:
    """Send the answer to a job, or one sentence, or what kind of thing went wrong where; never a value."""
    from disclosure_core.errors import DisclosureError

    def send(kind: bytes, content: Any, buffers: Iterable[Any] = ()) -> None:
        views = [memoryview(b).cast("B") for b in buffers]
        head = json.dumps({"said": content, "sizes": [v.nbytes for v in views]}).encode()
        for part in (memoryview(kind + struct.pack("<I", len(head)) + head), *views):
            sent = 0
            while sent < part.nbytes:
                sent += replies.write(part[sent:])

    try:
        send(b"b", None)
        for message in _JOBS[job["kind"]](data, buffers, job):
            send(*message)
    except DisclosureError as error:
        if _is_out_of_memory(error):
            send(b"m", None)
        else:
            send(b"e", str(error))
    except MemoryError:
        send(b"m", None)
    except Exception as error:  # the parser of a hostile file may fail in any way
        if _is_out_of_memory(error):
            send(b"m", None)
        else:
            place = traceback.extract_tb(error.__traceback__)[-1]
            send(b"u", f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}")


def _parsed(data: bytes, _: list[bytes], job: dict[str, Any]) -> Iterator[Message]:
    """Give the messages of a file's tables: a table begins, then its columns; at last, that these were all."""
    from disclosure_core.data.readers import Limits, ReadOptions, parse

    for reading in parse(data, job["name"], ReadOptions(**job["options"]), Limits(**job["limits"])):
        from disclosure_core.data.readers import _wire  # loaded with the other libraries

        kind = b"t"
        for content, buffers in _wire.messages(reading):
            yield kind, content, buffers
            kind = b"c"
    yield b"d", None, ()


def _answered(data: bytes, buffers: list[bytes], job: dict[str, Any]) -> Iterator[Message]:
    """Give the one message of whoever asked, by what its own module answers."""
    yield b"f", *import_module(job["module"]).answered(data, buffers, job)


_JOBS: dict[str, Callable[[bytes, list[bytes], dict[str, Any]], Iterator[Message]]] = {
    "parse": _parsed,
    "answer": _answered,
}
"""By kind, what a job is answered with."""


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether an error arose from a MemoryError: Arrow's is an ArrowException too, and is taken for damage."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, MemoryError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def _shut() -> None:
    """Let nothing of what comes be written to a disk, by a core dump either, and nobody look in.

    The limit on files is a soft one yet: `_bound` makes it a hard one, once the job is known.
    """
    sys.dont_write_bytecode = True
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory is short, this goes before the server
    with suppress(ImportError):
        import resource

        for resource_limit, hard in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, None)):
            with suppress(OSError, ValueError):
                resource.setrlimit(resource_limit, (0, resource.getrlimit(resource_limit)[1] if hard is None else hard))
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # RLIMIT_CORE does not hold where cores are piped to a program
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if sys.platform == "win32":
        with suppress(OSError, AttributeError):  # no window, and no report with a dump
            ctypes.windll.kernel32.SetErrorMode(0x0001 | 0x0002 | 0x8000)


def _lifeline() -> None:
    """End when the server does, or closes its end of stdin: at once where a signal tells, else when Python may run."""
    try:
        import fcntl
    except ImportError:
        signals = False
    else:
        signals = sys.platform == "linux"
    if signals:
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)  # SIGIO ends whoever minds it not
        if select.select([0], [], [], 0)[0]:  # it was closed before
            os._exit(0)
    else:
        threading.Thread(target=_await_the_end, daemon=True).start()


def _await_the_end() -> None:
    os.read(0, 1)
    os._exit(0)


def _bound(memory: int, seconds: int, *, writes: bool) -> None:
    """Bound what is taken from now on: `memory` bytes, and processor time in case that nobody is left to look at it.

    No file may be written. Where the job `writes` one, a library may need a path: then the limit can be lifted, up to
    `memory`, and is for as long as that library writes into a file that is memory (`rewriters/_memory.py`).
    """
    if sys.platform == "win32":
        with suppress(OSError, AttributeError):
            _bound_on_windows(memory)
    with suppress(ImportError):
        import resource

        used = next(
            (int(line.split()[1]) * 1024 for line in _lines("/proc/self/status") if line.startswith("VmData")), 0
        )
        cpu = seconds * (os.cpu_count() or 1) + 1
        for resource_limit, limit in (
            (resource.RLIMIT_DATA, used + memory),
            (resource.RLIMIT_CPU, cpu),
            (resource.RLIMIT_FSIZE, memory if writes else 0),
        ):
            with suppress(OSError, ValueError):
                hard = resource.getrlimit(resource_limit)[1]
                bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
                resource.setrlimit(resource_limit, (0 if resource_limit == resource.RLIMIT_FSIZE else bound, bound))


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def _bound_on_windows(memory: int) -> None:
    """Put this process into a job object with a limit on its memory. Written from the documentation; not tried."""
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))

    class Extended(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", ctypes.c_uint32),
            ("sets", ctypes.c_size_t * 2),
            ("processes", ctypes.c_uint32),
            ("affinity", ctypes.c_size_t),
            ("classes", ctypes.c_uint32 * 2),
            ("counters", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("others", ctypes.c_size_t * 3),
        )

    limits = Extended(flags=0x100 | 0x400, process_memory=memory + 400_000_000)  # the libraries; ends without a dialog
    kernel.SetInformationJobObject(job, 9, ctypes.byref(limits), ctypes.sizeof(limits))
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
