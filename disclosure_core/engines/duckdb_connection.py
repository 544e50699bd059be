"""A DuckDB of one's own: questions on cursors of their own, stopped when nobody waits for them any more."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from disclosure_core.engines.spill import spill_folder
from disclosure_core.errors import DisclosureError

Cursor = duckdb.DuckDBPyConnection
Answer = TypeVar("Answer")

_LOOK = 0.05
"""Seconds between two looks at whether an answer is still wanted."""

NO_ROOM = (
    "DuckDB has no room for this question: give it more memory (--memory-limit) or another folder to spill to "
    "(--spill-folder)."
)
FULL = "The disk is full: make room there, or name a folder on another (--spill-folder, --output)."
NO_ROOM_THERE = (
    "DuckDB has no room for this question: choose fewer keys, or ask the operator of this source to give it more "
    "memory (memory_limit) or another folder to spill to (temp_directory)."
)
FULL_THERE = (
    "The disk that DuckDB spills to is full: choose fewer keys, or ask the operator of this source to make room."
)
GONE = "The engine could not answer about {}; see that its files or tables are still there, and whole."


def quoted(name: str) -> str:
    """Return the name of a column or table as SQL reads it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL reads it."""
    return "'" + text.replace("'", "''") + "'"


class Connection:
    """An in-memory DuckDB for one study, which many threads may ask: each question has a cursor of its own.

    One connection shared by threads hangs or answers wrongly; cursors of one do neither. Codes of values are plain
    tables here: no other cursor sees temporary ones. Nothing of Python's memory is scanned by name, nothing is loaded
    from elsewhere, and nothing is written unless a spill folder is named.

    Parameters
    ----------
    memory_limit
        What DuckDB may hold, as "4GB"; DuckDB's own rule (80 % of the memory) where None.
    spill
        A folder on whose disk DuckDB may put what does not fit; None: it may write nothing.
    check
        Called several times a second in the thread that asks, while it waits; what it raises ends the wait, interrupts
        the question and passes on. None where every answer is wanted.
    private
        Whether errors keep silent about what DuckDB said, which may name places.
    shows_records
        Whether single records may be shown, a few at a time.
    """

    def __init__(
        self,
        memory_limit: str | None = None,
        spill: str | Path | None = None,
        check: Callable[[], object] | None = None,
        *,
        private: bool = False,
        shows_records: bool = True,
    ) -> None:
        self._check, self._private, self.shows_records = check, private, shows_records
        self.left: deque[str] = deque()
        """Tables that nobody needs any more: the next question drops them, as a finalizer may run in any thread."""
        config: dict[str, Any] = {
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "temp_directory": "" if spill is None else str(spill_folder(spill, self)),
        }
        if memory_limit is not None:
            config["memory_limit"] = memory_limit
        try:
            self._connection = duckdb.connect(config=config)
        except duckdb.Error:
            raise DisclosureError(f"A memory limit is a size such as 4GB, not {memory_limit!r}.") from None
        self._connection.execute("set preserve_insertion_order = false")
        self._connection.execute("set timezone = 'UTC'")

    def __repr__(self) -> str:
        """Return what it is; never data."""
        return "Connection to a DuckDB in this process"

    def ask(self, what: str, question: Callable[[Cursor], Answer]) -> Answer:
        """Return what `question` returns, which is handed a cursor; `what` it is about is told where it fails."""
        return self.ask_each([what], [question])[0]

    def ask_each(
        self, what: Sequence[str], questions: Sequence[Callable[[Cursor], Answer]], at_once: int = 2
    ) -> list[Answer]:
        """Return what each of `questions` returns, `at_once` of them at a time, each with a cursor of its own."""
        running: set[Cursor] = set()
        lock, stopped = threading.Lock(), threading.Event()

        def answer(question: Callable[[Cursor], Answer]) -> Answer:
            cursor = self._connection.cursor()
            with lock:
                running.add(cursor)
            try:
                _go_on(stopped)
                while self.left:
                    with suppress(IndexError):  # another thread took it
                        forget(cursor, self.left.popleft())
                return question(cursor)
            except BaseException:
                stopped.set()
                raise
            finally:
                with lock:
                    running.discard(cursor)
                cursor.close()

        with ThreadPoolExecutor(max(1, min(at_once, len(questions)))) as threads:
            answers = [threads.submit(answer, question) for question in questions]
            try:
                while (waited := wait(answers, _LOOK)).not_done and not stopped.is_set():
                    self._check and self._check()
                if waited.not_done:  # one failed: the others are of no use
                    _stop(running, lock, stopped, answers)
            except BaseException:
                _stop(running, lock, stopped, answers)
                raise
        failures = [(name, e) for name, a in zip(what, answers, strict=True) if (e := a.exception()) is not None]
        if not failures:
            return [a.result() for a in answers]
        name, failure = next(pair for pair in failures if not isinstance(pair[1], _StoppedError))
        if not isinstance(failure, duckdb.Error | OSError):
            raise failure
        # Outside of any `except`, so that a private error does not carry DuckDB's as its context.
        raise DisclosureError(_sentence(failure, name, named=self._private)) from (None if self._private else failure)


def forget(cursor: Cursor, name: str) -> None:
    """Take away what `Kept` keeps under a name."""
    cursor.execute(f"drop view if exists {name}")
    cursor.execute(f"drop table if exists {name}_rows")


class _StoppedError(Exception):
    """A question that was not begun, since another one ended all."""


def _go_on(stopped: threading.Event) -> None:
    if stopped.is_set():
        raise _StoppedError


def _stop(running: set[Cursor], lock: threading.Lock, stopped: threading.Event, answers: Sequence[Any]) -> None:
    """Interrupt every question until none is left: one may be between two statements."""
    stopped.set()
    while wait(answers, _LOOK / 5).not_done:
        with lock:
            for cursor in running:
                cursor.interrupt()


def _sentence(failure: Exception, what: str, *, named: bool) -> str:
    """Return what failed, and what to do: of a source that an operator `named`, it is for them to do."""
    said = str(failure)
    out_of_memory = isinstance(failure, duckdb.OutOfMemoryException)
    if "No space left" in said and not out_of_memory:
        return FULL_THERE if named else FULL
    if out_of_memory or "Out of Memory" in said:  # a streamed answer fails as an OSError
        return NO_ROOM_THERE if named else NO_ROOM
    return GONE.format(what)
