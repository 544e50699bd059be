"""A connection to an engine, asked by one thread at a time: the others wait with Python's own lock in nobody's hand.

A connection has one turn, which a thread takes before the engine is touched. Tables that safeguards bring there are
dropped in somebody's turn, never by a finalizer, which runs in any thread. Whoever is not wanted any more is
interrupted within its turn.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import ibis

if TYPE_CHECKING:
    import pyarrow as pa
    from ibis.backends import BaseBackend
    from ibis.expr import types as ir

Answer = TypeVar("Answer")

_LOOK = 0.05
"""Seconds between two looks at whether an answer is still wanted."""


class _Turn:
    """What all who ask one connection share: whose turn it is, and the tables that the next one drops."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.left: deque[str] = deque()


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
        self._turn: _Turn = vars(backend).setdefault("_turn_of_disclosure", _Turn())

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return what `question` returns, which has the connection for itself; it must not ask again."""
        while not self._turn.lock.acquire(timeout=_LOOK if self._check else -1):
            self._check and self._check()
        try:
            while self._turn.left:
                self._backend.drop_table(self._turn.left.popleft(), database=("temp", "main"), force=True)
            return question() if self._check is None else self._watched(question, self._check)
        finally:
            self._turn.lock.release()

    def bring(self, table: pa.Table, owner: object) -> ir.Table:
        """Return a table in Python's memory as one of the engine, for as long as `owner` lives; within a question."""
        if self._backend.name != "duckdb":
            return ibis.memtable(table)
        name = ibis.util.gen_name("disclosure_brought")
        made: ir.Table = self._backend.create_table(name, schema=ibis.schema(table.schema), temp=True)
        weakref.finalize(owner, self._turn.left.append, name).atexit = False
        self._backend.con.register(f"{name}_here", table)
        try:
            self._backend.con.execute(f'insert into temp.main."{name}" select * from "{name}_here"')  # noqa: S608
        finally:
            self._backend.con.unregister(f"{name}_here")
        return made

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
