"""Whose run begins next: a few at a time, and first of those who ask least.

A run that Streamlit begins is a thread. A line may ask for twenty a second, and of most nothing is seen, since the
next one overtakes them; hundreds of threads then share the one interpreter, and whoever asks for one run waits for all.
Here a run waits for its turn before it becomes a thread, and what is asked meanwhile is added to it
(`streamlit_private.py`), so that nothing that was changed is lost. A turn ends with its run, after a moment of the
processor, or where it waits: what computes for long keeps nobody from beginning, and gives way wherever it could be
stopped, to who begins and to others that take long.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

AT_ONCE = 3
"""Runs that may be in their first moment."""

MOMENT = 0.5
"""Seconds of the processor after which a run that goes on gives its turn away."""

WAITED, CLOCK, SHARE, BUSY = 0.15, 1.0, 0.05, 0.5
"""Seconds of the processor, of all runs' together, and of the clock, in which a run that does not get this share of
them waits for what another makes, or for a file, and gives its turn away. Where the server neither had the processor
nor stood in line for it for as large a part of the clock as the last, none that has a turn computes: one that looks
every moment whether its file is read may have all that is used. Where other programs have the processor, the clock
alone would let runs begin of which none goes on."""

LONG = 1.0
"""Seconds of the processor after which a run takes long, and gives way."""

_PIECE, _PAUSE, _IN_TURN, _STUCK = 0.1, 0.1, 2.0, 0.5
"""Seconds for which a long run goes on before it gives way; to who begins at most; to other long ones at most; and to
one of them that does not come to where it could be stopped."""

PROCESSORS = os.cpu_count() or 1

_SHORT_FIRST = 60.0
"""Seconds that a run goes later for each second of the processor that its visitor's runs, or runs of its kind, took of
late: who changes something on a page does not wait for thirty that open one."""

_ALIKE = 0.06
"""Seconds of the processor below which runs are alike: ten lines whose runs are overtaken, and take a third of what a
click does, would all go before it."""

EACH = 3
"""Runs of one visitor that may be under way: all but the last were overtaken, and end where they next draw."""

_UNKNOWN = 0.2
"""Seconds of the processor that the first run of a visitor is taken to need."""

_MEMORY = 5.0
"""Seconds in which what a visitor asked for counts less and less."""

_USUAL = 40.0
"""What counts of a person who clicks five times a second."""

_LATER = 0.3
"""Seconds for which whoever asks for more gives way, for each."""

_KNOWN = 1_000
"""Visitors whose questions are remembered at most; the one that asked first goes first."""


@dataclass(eq=False)
class Run:
    """A run that waits for its turn, or has it.

    Attributes
    ----------
    who
        The session it is of.
    begin
        Lets it become a thread.
    kind
        What it is, as far as that tells how long it takes: the page, and whether it is opened or was there.
    due
        Whose is the smallest goes first, of runs that are taken to need as long.
    since
        When it began; None while it waits.
    used
        The seconds of the processor that it has used, when it was last asked.
    went_on
        When it last gave way.
    thread
        The thread that it became; None before.
    seen
        The clock, the processor that all runs had used, its own, and for how long all had stood in line for it, where
        it was last looked at whether it waits.
    waits
        Whether it did then.
    asked
        Held while its thread is asked.
    """

    who: str
    begin: Callable[[], object]
    kind: str = ""
    due: float = 0.0
    since: float | None = None
    used: float = 0.0
    went_on: float = 0.0
    thread: int | None = None
    seen: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    waits: bool = False
    asked: threading.Lock = field(default_factory=threading.Lock)

    def has_thread(self) -> None:
        """Note that it has become this thread."""
        self.thread = threading.get_ident()

    def ends(self) -> None:
        """Note what it has used; its thread is asked no more, since the clock of one that ended is anybody's."""
        with self.asked:
            self.thread, self.used = None, time.thread_time()

    def has_used(self) -> float:
        """Return the seconds of the processor that it has used, as far as the system tells."""
        with self.asked:
            if self.thread is not None and hasattr(time, "pthread_getcpuclockid"):
                self.used = time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        return self.used

    def is_new(self, moment: float) -> bool:
        """Return whether it has not had its moment, and got its share of the processor of late, as far as is known."""
        now, spent, used = time.monotonic(), time.process_time(), self.has_used()
        clock, all_spent, own, stood = self.seen
        if spent - all_spent > WAITED or now - clock > CLOCK:
            stands = _stood_in_line()
            wanted = spent - all_spent + max(0.0, stands - stood)  # a thread that ended takes its own with it
            self.waits = used - own <= SHARE * (spent - all_spent) or wanted < BUSY * (now - clock)
            self.seen = (now, spent, used, stands)
        return used < moment and not self.waits


def _stood_in_line() -> float:
    """Return for how many seconds this process's threads were ready and others had the processor, where Linux tells."""
    return (
        sum(int(told.split()[1]) for told in map(_schedstat, Path("/proc/self/task").glob("*/schedstat")) if told) / 1e9
    )


def _schedstat(of_thread: Path) -> str:
    with suppress(OSError):  # it has ended
        return of_thread.read_text(encoding="ascii")
    return ""


@dataclass
class Turns:
    """The turns of all visitors; every method may be called from any thread.

    Attributes
    ----------
    moment
        Seconds of the processor after which a run that goes on gives its turn away.
    begun
        How many runs have begun.
    """

    moment: float = MOMENT
    begun: int = 0
    _waiting: list[Run] = field(default_factory=list)
    _under_way: list[Run] = field(default_factory=list)
    _asked: dict[str, tuple[float, float]] = field(default_factory=dict)
    _takes: dict[str, float] = field(default_factory=dict)
    _kinds: dict[str, float] = field(default_factory=dict)
    _go_on: list[Run] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, who: str) -> None:
        """Note that a visitor asks for a run, whether it is added to one that waits or not."""
        with self._lock:
            now = time.monotonic()
            self._asked[who] = (self._weight(who, now) + 1, now)
            for other in list(self._asked)[: max(0, len(self._asked) - _KNOWN)]:
                del self._asked[other]

    def ask(self, run: Run) -> bool:
        """Begin a run, or let it wait for its turn; return whether any waits, so that somebody looks again."""
        with self._lock:
            now = time.monotonic()
            run.due = now + _LATER * max(0.0, self._weight(run.who, now) - _USUAL)
            self._waiting.append(run)
        return self.look()

    def end(self, run: Run) -> None:
        """Note that a run has ended, or waits no more; the next one begins."""
        with self._lock:
            for some in (self._waiting, self._under_way):
                if run in some:
                    some.remove(run)
            for known, each in ((self._takes, run.who), *[(self._kinds, run.kind)] * bool(run.kind)):
                known[each] = (known.pop(each, run.used) + run.used) / 2
                for other in list(known)[: max(0, len(known) - _KNOWN)]:
                    del known[other]
            if run in self._go_on:
                self._go_on.remove(run)
        self.look()

    def give_way(self, run: Run, used: float, wanted: Callable[[], bool]) -> None:
        """Let a run that takes long wait a moment for others, but for one that is `wanted` to end."""
        run.used, now = used, time.monotonic()
        if used < LONG or now - run.went_on < _PIECE:
            return
        with self._lock:
            if run in self._go_on:
                self._go_on.remove(run)
        while self.new() and time.monotonic() < now + _PAUSE and not wanted():
            time.sleep(0.01)
        while not self._may_go_on(run) and time.monotonic() < now + _IN_TURN and not wanted():
            time.sleep(0.02)
        run.went_on = time.monotonic()

    def _may_go_on(self, run: Run) -> bool:
        """Let as many long runs go on as there are processors, those aside that could not be stopped for a while."""
        with self._lock:
            now = time.monotonic()
            self._go_on = [other for other in self._go_on if other.went_on > now - _STUCK]
            free = len(self._go_on) < PROCESSORS
            if free:
                self._go_on.append(run)
                run.went_on = now
            return free

    def look(self) -> bool:
        """Begin the runs whose turn it is; return whether any waits."""
        while (run := self._next()) is not None:
            run.begin()
        return bool(self._waiting)

    def new(self) -> int:
        """Return how many runs are in their first moment."""
        return sum(run.is_new(self.moment) for run in list(self._under_way))

    def _next(self) -> Run | None:
        with self._lock:
            if self.new() >= AT_ONCE:
                return None
            mine: dict[str, int] = {}
            for run in self._under_way:
                mine[run.who] = mine.get(run.who, 0) + 1
            free = [run for run in self._waiting if mine.get(run.who, 0) < EACH]
            if not free:
                return None
            run = min(free, key=lambda each: each.due + _SHORT_FIRST * self._takes_of(each))
            self._waiting.remove(run)
            run.since, self.begun = time.monotonic(), self.begun + 1
            run.seen = (run.since, time.process_time(), run.used, _stood_in_line())
            self._under_way.append(run)
            return run

    def _takes_of(self, run: Run) -> float:
        """Return the seconds of the processor that a run is taken to need, a moment at most."""
        return min(max(self._takes.get(run.who, _UNKNOWN), self._kinds.get(run.kind, 0.0), _ALIKE), MOMENT)

    def _weight(self, who: str, now: float) -> float:
        """Return how much a visitor asked for lately, what is longer ago counting less."""
        asked, at = self._asked.pop(who, (0.0, now))
        left = float(asked * 0.5 ** ((now - at) / _MEMORY))
        self._asked[who] = (left, now)  # who asked last stands last
        return left
