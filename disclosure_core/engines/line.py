"""A connection to an engine, asked by one thread at a time: the others wait with Python's own lock in nobody's hand.

A connection has one turn, which a thread takes before the engine is touched. Whoever is not wanted any more is
interrupted within its turn.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable

    from ibis.backends import BaseBackend

Answer = TypeVar("Answer")

_LOOK = 0.05
"""Seconds between two looks at whether an answer is still wanted."""


class Line:
    """A way to ask one connection, whoever else asks it.

    Parameters
    ----------
    backend
        The Ibis connection.
    check
        Called several times a second in the thread that asks, while it waits; what it raises ends the wait, interrupts
        the engine (DuckDB, Spark) and passes on. None where every answer is wanted.
    """

    def __init__(self, backend: BaseBackend, check: Callable[[], object] | None = None) -> None:
        self._backend: Any = backend
        self._check = check
        self._turn: threading.Lock = vars(backend).setdefault("_turn_of_disclosure", threading.Lock())

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return what `question` returns, which has the connection for itself; it must not ask again."""
        while not self._turn.acquire(timeout=_LOOK if self._check else -1):
            self._check and self._check()
        try:
            return question() if self._check is None else self._watched(question, self._check)
        finally:
            self._turn.release()

    def _watched(self, question: Callable[[], Answer], check: Callable[[], object]) -> Answer:
        """Return what `question` returns, asked beside this thread, which looks whether it is still wanted."""
        name = f"disclosure-{uuid4().hex}"
        with ThreadPoolExecutor(1, initializer=self._begin, initargs=(name,)) as beside:
            answer = beside.submit(question)
            try:
                while not wait([answer], _LOOK).done:
                    check()
            except BaseException:
                while not wait([answer], _LOOK).done:  # it may be between two statements
                    self._interrupt(name)
                raise
            return answer.result()

    def _begin(self, name: str) -> None:
        if self._backend.name == "pyspark":
            self._backend._session.sparkContext.setJobGroup(name, name, interruptOnCancel=True)  # noqa: SLF001

    def _interrupt(self, name: str) -> None:
        if self._backend.name == "duckdb":
            self._backend.con.interrupt()
        elif self._backend.name == "pyspark":
            self._backend._session.sparkContext.cancelJobGroup(name)  # noqa: SLF001
