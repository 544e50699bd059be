"""What a class shares on a server that was started for one: tasks that are open, who has an answer, and a vote.

It is in memory and gone with the server. No name is asked: a tab counts while it is connected. What it said is kept
while its review is, so that one that slept has it again. The teacher is whoever enters the code that the terminal
printed.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pages.server import configuration, visitors

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOICES = ("Common knowledge", "Leak", "Not sure")
"""What a vote asks of a column; nothing is proposed."""

WRONG, PER = 20, 60.0
"""Wrong codes after which a tab, or all of an address, are asked to wait, and the seconds in which they count."""


_NOTED = 1_000
"""Wrong codes that are noted at most."""


@dataclass(frozen=True)
class Ballot:
    """A vote that was closed, as it stood then.

    Attributes
    ----------
    column
        What was voted on.
    votes
        Votes by choice.
    """

    column: str
    votes: Mapping[str, int]

    @property
    def n(self) -> int:
        """All votes."""
        return sum(self.votes.values())


@dataclass
class Classroom:
    """One class; every method may be called from any visitor's thread.

    Attributes
    ----------
    opened
        Tasks 1 to this one are shown to the class; 0 before the first.
    released
        Tasks whose answers are shown.
    column
        The column that is voted on, or whose bars are shown; empty where the task is.
    voting
        Whether votes are taken.
    closed
        The votes that were closed, the last one last.
    """

    opened: int = 0
    released: frozenset[int] = frozenset()
    column: str = ""
    voting: bool = False
    closed: tuple[Ballot, ...] = ()
    _teachers: set[str] = field(default_factory=set)
    _projectors: set[str] = field(default_factory=set)
    _answered: dict[str, set[int]] = field(default_factory=dict)
    _votes: dict[str, str] = field(default_factory=dict)
    _wrong: list[tuple[float, str, str]] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def stage(self) -> tuple[object, ...]:
        """What decides which elements a page has: when it changes, pages are drawn anew."""
        return self.opened, self.released, self.column, self.voting, len(self.closed)

    def enter(self, who: str, code: str, address: str = "") -> str:
        """Make a tab the teacher's if the code is right; return "" then, else the sentence that says why not.

        The right code always does, whatever was entered before: nobody tries out a part of eight letters that counts.
        """
        with self._lock:
            now = time.monotonic()
            asked = configuration.teacher_code()
            given = code.strip().upper().replace("-", "").replace(" ", "")
            if asked and secrets.compare_digest(given.encode(), asked.replace("-", "").encode()):
                self._teachers.add(who)
                return ""
            lately = [each for each in self._wrong if each[0] > now - PER]
            self._wrong = [*lately[-_NOTED:], (now, who, address)]
            tabs, addresses = ([each[i] for each in self._wrong] for i in (1, 2))
            if tabs.count(who) > WRONG or (address and addresses.count(address) > WRONG):
                return "Too many wrong codes were entered here. Wait a minute, then enter the code from the terminal."
            return "This is not the code that the terminal printed. Enter that one."

    def is_teacher(self, who: str) -> bool:
        """Return whether a tab has entered the code."""
        return who in self._teachers

    def project(self, who: str) -> None:
        """Take a tab as the projector's, which counts for nobody."""
        with self._lock:
            self._projectors.add(who)

    def open_next(self, tasks: int) -> None:
        """Show the class the next of so many tasks."""
        with self._lock:
            self.opened = min(self.opened + 1, tasks)

    def close_last(self) -> None:
        """Take the last task and its answer off the class's pages; who has an answer is kept."""
        with self._lock:
            self.released -= {self.opened}
            self.opened = max(self.opened - 1, 0)

    def release(self) -> None:
        """Show the class the answers of the task that was opened last."""
        with self._lock:
            self.released |= {self.opened} if self.opened else frozenset()

    def open_vote(self, column: str) -> None:
        """Ask the class about a column, also once more; a vote that is open is closed first."""
        with self._lock:
            self.close_vote()
            self._votes = {}
            self.column, self.voting = column, True

    def close_vote(self) -> None:
        """Take no more votes, and keep the bars as they are; a vote that nobody gave one in leaves none."""
        with self._lock:
            if self.voting:
                ballot = Ballot(self.column, self._counted())
                self.closed = (*self.closed, ballot) if ballot.n else self.closed
                self.voting = False

    def end_vote(self) -> None:
        """Close a vote, and show the task in its place."""
        with self._lock:
            self.close_vote()
            self.column = ""

    def begin_anew(self) -> None:
        """Begin with another class: no task is open, and nothing is left of what this one said."""
        with self._lock:
            self.opened, self.released, self.column, self.voting, self.closed = 0, frozenset(), "", False, ()
            self._answered, self._votes = {}, {}

    def vote(self, who: str, choice: str) -> None:
        """Count a tab's vote, in the place of an earlier one; after the vote is closed it does not count."""
        with self._lock:
            if self.voting and choice in CHOICES and not self.is_teacher(who):
                self._votes[who] = choice

    def vote_of(self, who: str) -> str | None:
        """Return what a tab voted."""
        return self._votes.get(who)

    def answer(self, who: str, task: int, *, done: bool) -> None:
        """Note that a tab has an answer to an open task, or has none any more."""
        with self._lock:
            if 1 <= task <= self.opened:
                mine = self._answered.setdefault(who, set())
                (mine.add if done else mine.discard)(task)

    def has_answer(self, who: str, task: int) -> bool:
        """Return whether a tab said that it has an answer."""
        return task in self._answered.get(who, ())

    def n_students(self) -> int:
        """Return how many tabs are connected, the teacher's own and the projector left aside."""
        return len(visitors.all_connected() - self._teachers - self._projectors)

    def n_answered(self, task: int) -> int:
        """Return how many tabs that are connected have an answer to a task."""
        with self._lock:
            self._forget_gone()
            here = visitors.all_connected() - self._teachers
            return sum(task in tasks for who, tasks in self._answered.items() if who in here)

    def n_voted(self) -> int:
        """Return how many votes there are in a vote that is open, of tabs that are connected."""
        with self._lock:
            return sum(self._counted().values())

    def ballots(self) -> tuple[Ballot, ...]:
        """Return the votes on the column shown that were closed, the first first; none while it is voted on."""
        return () if self.voting else tuple(each for each in self.closed if each.column == self.column)

    def _counted(self) -> dict[str, int]:
        """Return the votes by choice, of tabs that are connected."""
        self._forget_gone()
        here = visitors.all_connected() - self._teachers
        counted = Counter(choice for who, choice in self._votes.items() if who in here)
        return {choice: counted[choice] for choice in CHOICES}

    def _forget_gone(self) -> None:
        """Drop what tabs said whose session is not kept any more."""
        kept = visitors.all_inside()
        self._answered = {who: tasks for who, tasks in self._answered.items() if who in kept}
        self._votes = {who: choice for who, choice in self._votes.items() if who in kept}
        self._teachers &= kept
        self._projectors &= kept


ROOM = Classroom()
"""The one of this server."""


def there_is_one() -> bool:
    """Return whether the server was started for a class."""
    return bool(configuration.teacher_code())
