"""Has a file parsed, or made anew, in a process of its own, so that a damaged or hostile one harms nobody else.

One child a file, used once: what one visitor's file left in its memory is gone before another's comes. It is started
without threads or modules of this process (`subprocess`; multiprocessing would run a page's script again), speaks JSON
and Arrow over two pipes, and is killed when its time is over, when it takes too much memory, or when nobody waits for
it any more. A small file takes 70 to 90 ms where a spare has loaded its libraries, and a second where none has.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import logging
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from disclosure_core.data.readers import _failures, _wire
from disclosure_core.data.readers._places import Places
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.coded import CodedColumn
    from disclosure_core.data.readers._reading import Limits, Reading, ReadOptions

    Message = tuple[bytes, Any, list[Any]]

Answer = TypeVar("Answer")

_LOG = logging.getLogger(__name__)

AT_ONCE = 2
"""Children that parse at one time, in the whole process, and one more for a small file: the limit on memory is each
one's own."""

SPARES = 2
"""Children that may stand ready: more would only load their libraries at one another's cost."""

LEAST = 64
"""Megabytes that a file may take whatever the limit is: with none at all, not even a sentence could be sent."""

_BOOT = "import sys; sys.path[:] = {path!r}; from disclosure_core.data.readers import _child; _child.main()"
_STARTING = 60
"""Seconds in which a child must have loaded its libraries and taken the file."""

_LOOK = 0.1
"""Seconds between two looks at a child's time and memory, and between two calls of `waiting`."""

_BROKEN = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, StopIteration, pa.ArrowException)
"""What a message that is none raises."""

_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
_places = Places(AT_ONCE)
_spares: deque[_Child] = deque()
_lock = threading.Lock()


class _Child:
    """A process that loads the libraries and waits for one file."""

    def __init__(self) -> None:
        # Of the environment it gets what libraries are found by; an operator's secrets may stand there, too.
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
        self.process = subprocess.Popen(  # noqa: S603  # this very Python, and a text of our own
            [sys.executable, "-P", "-c", _BOOT.format(path=_path())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | environment if os.name == "nt" else environment,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def end(self, patience: float = 0) -> int:
        """Wait a little for the process to end, kill it if it does not, and return how it ended; nothing is left."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
        status = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        return status


def _path() -> list[str]:
    """Return where a child looks for modules: where this process does, but never in the folder it happens to run in."""
    home = str(Path(__file__).parents[3])
    places = [place for place in sys.path if Path(place).is_absolute()]
    return places if home in places else [home, *places]


def prepare(n: int) -> None:
    """Have `n` children, at most `SPARES`, load their libraries for files that will come soon; returns at once."""
    with _lock:
        ready = [child for child in _spares if child.process.poll() is None]
        for child in set(_spares).difference(ready):
            child.end()
        _spares.clear()
        _spares.extend(ready)
        with suppress(OSError):  # who needs one later will hear why there is none
            while len(_spares) < min(n, SPARES):
                _spares.append(_Child())


@atexit.register
def dismiss() -> None:
    """End the children that stand ready."""
    with _lock:
        while _spares:
            _spares.popleft().end()


def _waiting_child(name: str) -> _Child:
    """Return a child that waits for a file: a spare, or a new one."""
    with _lock:
        while _spares:
            child = _spares.popleft()
            if child.process.poll() is None:
                return child
            child.end()
    try:
        return _Child()
    except OSError:
        raise _failures.not_started(name) from None


def parse_in_child(
    source: bytes,
    name: str,
    options: ReadOptions,
    limits: Limits,
    waiting: Callable[[bool], object] | None = None,
) -> tuple[Reading, ...]:
    """Return what `parse` returns of a file, parsed by a child.

    Parameters
    ----------
    source
        The file's bytes.
    name, options, limits
        As for `parse`; `limits.seconds` begin when the child has taken the file.
    waiting
        Called some ten times a second with whether the file still waits for its turn; what it raises ends the child.
    """
    job = {"kind": "parse", "options": asdict(options)}
    return ask_child(job, (), source, name, limits, waiting, _Tables(name, limits))


def ask_child(
    job: dict[str, Any],
    buffers: Sequence[Any],
    source: bytes,
    name: str,
    limits: Limits,
    waiting: Callable[[bool], object] | None,
    handle: Callable[[bytes, Any, list[Any]], tuple[Answer] | None],
) -> Answer:
    """Return what `handle` makes of the messages with which a child answers a job.

    Parameters
    ----------
    job
        Its kind, and what that kind is told; JSON holds it. The kind "answer" names the module whose `answered` gives
        the one message, and whether it writes a file.
    buffers
        Bytes that the job speaks of, which go before the file's.
    source, name, limits, waiting
        As for `parse_in_child`.
    handle
        Called with each message as it comes; returns the answer, in a tuple, once it is whole. A message that does not
        fit may raise whatever it will.
    """
    views = [memoryview(b).cast("B") for b in buffers]
    job |= {"name": name, "size": len(source), "sizes": [v.nbytes for v in views]}
    job |= {"limits": asdict(limits), "room": _room(limits)}
    with _places.place(len(source) + sum(v.nbytes for v in views), waiting):
        with suppress(_EndedEarlyError):  # one that stood ready may have been ended since; another is asked once
            return _answer(_waiting_child(name), job, views, source, name, limits, waiting, handle)
        return _answer(_waiting_child(name), job, views, source, name, limits, waiting, handle)


def _room(limits: Limits) -> int:
    """Return the bytes of memory that a child may take for a file."""
    return max(LEAST, limits.memory) * 1_000_000


def _answer(
    child: _Child,
    job: dict[str, Any],
    views: Sequence[memoryview],
    source: bytes,
    name: str,
    limits: Limits,
    waiting: Callable[[bool], object] | None,
    handle: Callable[[bytes, Any, list[Any]], tuple[Answer] | None],
) -> Answer:
    """Return what `handle` makes of the messages of this child, and end it."""
    heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
    thread = threading.Thread(
        target=_talk,
        args=(child.process, job, views, source, _room(limits), heard),
        daemon=True,
    )
    thread.start()
    try:
        for message in _messages(child, heard, name, limits, waiting):
            try:
                answer = handle(*message)
            except _BROKEN as error:
                _LOG.warning("a process that reads files gave no proper answer: %s", type(error).__name__)
                raise _failures.no_answer(name) from None
            if answer is not None:
                return answer[0]
        raise _failures.no_answer(name)
    finally:
        child.end()
        thread.join()


class _EndedEarlyError(DisclosureError):
    """A child ended before it had taken its file."""


def _messages(
    child: _Child,
    heard: queue.SimpleQueue[Message],
    name: str,
    limits: Limits,
    waiting: Callable[[bool], object] | None,
) -> Iterator[Message]:
    """Give the messages of an answer as they come; see to time and memory while they do."""
    begun, end = False, time.monotonic() + _STARTING
    usual = 0
    while True:
        try:
            kind, content, buffers = heard.get(timeout=_LOOK)
        except queue.Empty:
            kind, content, buffers = b"", None, []
            resident = _resident(child.process.pid)
            if begun and resident is not None and resident > usual + _room(limits):
                raise _failures.too_much(name, limits) from None
        if waiting is not None:
            waiting(False)
        if time.monotonic() > end:
            raise _failures.too_slow(name, limits) if begun else _failures.not_started(name)
        if kind == b"b":
            begun, end = True, time.monotonic() + limits.seconds
            usual = _resident(child.process.pid) or 0
        elif kind in (b"t", b"c", b"d", b"f"):
            yield kind, content, buffers
        elif kind == b"e":
            raise DisclosureError(str(content))
        elif kind == b"m":
            raise _failures.too_much(name, limits)
        elif kind == b"u":
            _LOG.warning("a file could not be read: %s", content)
            raise _failures.unsound(name)
        elif kind == b"x":
            status = child.end(1)  # killed at once, every child would seem to have been killed
            if not begun:
                _LOG.warning("a process that reads files ended before it began, with status %d", status)
                raise _EndedEarlyError(str(_failures.not_started(name)))
            raise _failures.broken_off(name, status, limits)
        elif kind:
            raise _failures.no_answer(name)


class _Tables:
    """Puts the tables together as they come; refuses one whose texts would not fit once each record has its own."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name, self.limits, self.unfolded = name, limits, 0.0
        self.readings: list[Reading] = []
        self.head: tuple[Any, list[Any]] | None = None
        self.columns: list[CodedColumn] = []

    def __call__(self, kind: bytes, content: Any, buffers: list[Any]) -> tuple[tuple[Reading, ...]] | None:
        if kind in (b"t", b"d") and self.head is not None:
            self.readings.append(_wire.assembled(self.head, self.columns))
            self.head, self.columns = None, []
        if kind == b"t":
            self.head, self.unfolded = (content, buffers), 0.0
        elif kind == b"c":
            self.columns.append(_wire.column_of(content, buffers))
            self.unfolded += self.columns[-1].unfolded
            if self.unfolded > _room(self.limits):
                raise _failures.too_much(self.name, self.limits)
        elif kind == b"d" and self.readings:
            return (tuple(self.readings),)
        else:
            raise ValueError("no message of a table")
        return None


def _talk(
    process: subprocess.Popen[bytes],
    job: dict[str, Any],
    buffers: Sequence[memoryview],
    source: bytes,
    limit: int,
    heard: queue.SimpleQueue[Message],
) -> None:
    """Send the job and hear the answer, in a thread: a pipe that is full or empty makes nobody else wait."""
    requests, replies = process.stdin, process.stdout
    if requests is None or replies is None:
        raise ValueError("the child has no pipes")

    def exactly(n: int) -> Any:
        data = np.empty(n, dtype=np.uint8)  # a column is used where it arrived
        view = memoryview(data.data)
        while view:
            k = replies.readinto(view)  # type: ignore[attr-defined]
            if not k:
                raise EOFError
            view = view[k:]
        return data

    try:
        head = json.dumps(job).encode()
        pieces: list[Any] = [struct.pack("<I", len(head)) + head, *buffers, source]
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[requests.write(view) :]
        kind = b"b"
        while kind in (b"b", b"t", b"c"):
            kind = exactly(1).tobytes()
            (n,) = struct.unpack("<I", exactly(4))
            limit -= n
            content = json.loads(exactly(n).tobytes()) if limit >= 0 else {"sizes": []}
            sizes = [int(size) for size in content["sizes"]]
            limit -= sum(sizes)
            if limit < 0:
                heard.put((b"m" if kind in (b"t", b"c", b"f") else b"?", None, []))
                return
            heard.put((kind, content["said"], [exactly(size) for size in sizes]))
    except (EOFError, OSError):
        heard.put((b"x", None, []))
    except MemoryError:
        heard.put((b"m", None, []))
    except (ValueError, KeyError, TypeError, RecursionError):
        heard.put((b"?", None, []))


def _resident(pid: int) -> int | None:
    """Return the bytes of memory that a process holds; None where the system does not tell, or it has ended."""
    if sys.platform == "darwin":
        return _footprint_on_macos(pid)
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError, ValueError, IndexError):
        return None


def _footprint_on_macos(pid: int) -> int | None:
    """Ask for `ri_phys_footprint` of proc_pid_rusage, where no limit on memory holds. From the headers; not tried."""
    about = (ctypes.c_uint64 * 12)()  # rusage_info_v0: 16 bytes of an id, then numbers of which this is the 8th
    try:
        failed = _libproc().proc_pid_rusage(pid, 0, ctypes.byref(about))
    except (OSError, AttributeError):
        return None
    return None if failed else int(about[9])


@cache
def _libproc() -> ctypes.CDLL:
    return ctypes.CDLL("libproc.dylib")
