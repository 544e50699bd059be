"""What may stand in the log: what kind of error it was, and where. Never an error's message, which may hold a value.

A library's error names what it could not convert, or the column that it did not find; a traceback repeats it. Whatever
is logged in this process goes through here, Streamlit's and the server's own loggers too. A line that repeats is
written once, and a minute later how often it came; a line has a length, and there are so many a second: whoever can
cause a line could fill the disk with it.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_LOG = logging.getLogger(__name__)

_DIFFERENT = 50
"""So many lines are counted at a time; of others each is written, as many as there may be."""

_AT_ONCE, _A_SECOND = 200, 1.0
"""Lines that are written at once, and each second; of more it is written how many there were. Whoever asks for a
debugger's lines gets all."""

_LONGEST = 1_000
"""Letters of a line at most."""

_UNWRITTEN = -1
"""A level below every handler's: a record of it is written nowhere, whichever logger and handler there are."""


def kind_and_place(error: BaseException) -> str:
    """Return the type of an error, and the file and line where it was raised; nothing of what it says."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "?"
    return f"{type(error).__name__} at {where}"


def keep_quiet() -> None:
    """Let nothing in this process write an error's message: neither loggers, nor warnings, nor what nobody caught."""
    logging.setLogRecordFactory(Records())
    warnings.showwarning = _warned
    sys.excepthook = _uncaught
    sys.unraisablehook = lambda fault: _tell(fault.exc_value)
    threading.excepthook = lambda fault: _tell(fault.exc_value)


@dataclass
class _Counted:
    """A line that repeats: how often it came since it was written, and until when it is not written again."""

    record: logging.LogRecord
    due: float
    times: int = 0


class Records:
    """Makes the records of the log: cleaned, and below every handler's level where they are not to be written.

    Parameters
    ----------
    every
        Seconds for which a line is not written again.
    """

    def __init__(self, every: float = 60.0) -> None:
        self._every = every
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, int, str], _Counted] = {}
        self._left, self._at, self._dropped = float(_AT_ONCE), time.monotonic(), 0
        self._waits = False

    def __call__(self, name: str | None, level: int | None, *given: Any, **named: Any) -> logging.LogRecord:
        """Return a record of the log."""
        if name is None or level is None:  # the empty one that logging fills with another process's
            return logging.LogRecord(name, level, *given, **named)  # type: ignore[arg-type]
        made = _record(name, level, *given, **named)
        if not self._is_written(made):
            made.levelno = _UNWRITTEN
        return made

    def _is_written(self, record: logging.LogRecord) -> bool:
        """Return whether a record is to be written now, and count it where it is not."""
        said = (record.name, record.levelno, _without_numbers(record))
        with self._lock:
            now = time.monotonic()
            if said in self._seen:
                self._seen[said].times += 1
                return False
            self._left, self._at = min(_AT_ONCE, self._left + (now - self._at) * _A_SECOND), now
            if record.levelno > logging.DEBUG:
                if self._left < 1:
                    self._dropped += 1
                    self._wait()
                    return False
                self._left -= 1
            if len(self._seen) < _DIFFERENT:
                self._seen[said] = _Counted(record, now + self._every)
                self._wait()
        return True

    def _wait(self) -> None:
        """Let one thread look again, however many lines there are."""
        if not self._waits:
            self._waits = True
            timer = threading.Timer(self._every, self._look)
            timer.daemon = True
            timer.start()

    def _look(self) -> None:
        with self._lock:
            now = time.monotonic()
            due = [said for said, each in self._seen.items() if each.due <= now]
            over = [self._seen.pop(said) for said in due]
            dropped, self._dropped, self._waits = self._dropped, 0, False
            if self._seen:
                self._wait()
        for each in over:
            if each.times:
                each.record.msg, each.record.args = "%s (%d times more)", (each.record.getMessage(), each.times)
                logging.getLogger(each.record.name).handle(each.record)
        if dropped:
            said = "%d lines more were not written: %d a second are"
            _LOG.handle(
                logging.LogRecord(__name__, logging.WARNING, __file__, 0, said, (dropped, int(_A_SECOND)), None)
            )


def _without_numbers(record: logging.LogRecord) -> str:
    """Return what a record says; of a library's, lengths and ports make no other line."""
    said = record.getMessage()
    return said if record.name.startswith(("pages.", "disclosure_core.")) else re.sub(r"\d+", "0", said)


def _record(
    name: str, level: int, path: str, line: int, said: object, args: Any, error: Any, *more: Any, **rest: Any
) -> logging.LogRecord:
    """Make a record of the log: with an error, its kind and place in the place of traceback and arguments."""
    if name == "asyncio":  # it writes out the task or the future, and with it what went wrong there
        said, args = str(said).partition("\n")[0], ()
    elif isinstance(said, BaseException):
        said = type(said).__name__
    if error and error[1] is not None:
        said, args, error = f"{said}: {kind_and_place(error[1])}".replace("%", "%%"), (), None
    elif isinstance(args, tuple):
        args = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in args)
    made = logging.LogRecord(name, level, path, line, said, args, None, *more, **rest)
    try:
        text = made.getMessage()
    except Exception:  # the arguments do not fit, and logging would write them out
        made.msg, made.args = said if isinstance(said, str) else type(said).__name__, ()
    else:
        if len(text) > _LONGEST:
            made.msg, made.args = f"{text[:_LONGEST]} … ({len(text):,} letters)", ()
    return made


def _warned(
    message: Warning | str,  # noqa: ARG001  # may hold a column's name
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    _LOG.warning("%s at %s:%s", category.__name__, filename, lineno)


def _tell(error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit):
        _LOG.error("unexpected %s", kind_and_place(error))


def _uncaught(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        _tell(error)
