"""Whose file is read next, where several wait: of whoever has read least lately, a small one in a place of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

READER: ContextVar[str] = ContextVar("reader", default="")
"""Who reads, where several do: a server names its visitors."""

SMALL = 256_000
"""Bytes of a small file."""

_LOOK = 0.1
"""Seconds after which who waits is asked whether they still do."""

_FORGET = 300.0
"""Seconds in which half of what somebody has read counts no more."""

_KNOWN = 1_000


@dataclass(eq=False)
class _Turn:
    who: str
    small: bool
    since: float = 0.0


@dataclass
class Places:
    """The places in which files are read.

    Attributes
    ----------
    places
        How many files are read at a time; one more where it is small.
    """

    places: int
    _waiting: list[_Turn] = field(default_factory=list)
    _reading: list[_Turn] = field(default_factory=list)
    _read: dict[str, tuple[float, float]] = field(default_factory=dict)
    _free: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def place(self, size: int, waiting: Callable[[bool], object] | None) -> Iterator[None]:
        """Wait until a file of so many bytes may be read; `waiting` is called meanwhile, and may end it."""
        turn = _Turn(READER.get(), size <= SMALL)
        self._waiting.append(turn)
        try:
            while not self._begun(turn):
                if waiting is not None:
                    waiting(True)
            yield
        finally:
            with self._free:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                if turn in self._reading:
                    self._reading.remove(turn)
                    now = time.monotonic()
                    self._read[turn.who] = (self._seconds(turn.who, now) + now - turn.since, now)
                    for other in list(self._read)[: max(0, len(self._read) - _KNOWN)]:
                        del self._read[other]
                self._free.notify_all()

    def busy(self) -> int:
        """Return how many files are read now."""
        return len(self._reading)

    def _begun(self, turn: _Turn) -> bool:
        """Take a place if it is this one's turn; else wait a moment."""
        with self._free:
            if self._next() is not turn:
                self._free.wait(_LOOK)
            if self._next() is not turn:
                return False
            turn.since = time.monotonic()
            self._waiting.remove(turn)
            self._reading.append(turn)
            self._free.notify_all()
            return True

    def _next(self) -> _Turn | None:
        """Return whose turn it is, of those for whom there is a place."""
        large = sum(not turn.small for turn in self._reading)
        free = [
            turn for turn in self._waiting if len(self._reading) <= self.places and (turn.small or large < self.places)
        ]
        now = time.monotonic()
        return min(free, key=lambda turn: self._seconds(turn.who, now), default=None)

    def _seconds(self, who: str, now: float) -> float:
        """Return for how long somebody has read lately, what they read now with it."""
        read, at = self._read.get(who, (0.0, now))
        return read * 0.5 ** ((now - at) / _FORGET) + sum(now - turn.since for turn in self._reading if turn.who == who)
