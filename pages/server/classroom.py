"""What a class shares on a server that was started for one: tasks that are open, who has an answer, and a vote.

It is in memory and gone with the server. No name is asked: a tab counts while it has a place here, and what it said
goes with it. The teacher is whoever enters the code that the terminal printed.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from pages.server import configuration, visitors

CHOICES = ("Common knowledge", "Leak", "Not sure")
"""What a vote asks of a column; nothing is proposed."""

WRONG, PER = 20, 60.0
"""Wrong codes that all tabs together may enter in so many seconds."""


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
        The column that is voted on, or was last; empty before the first vote.
    voting
        Whether votes are taken.
    """

    opened: int = 0
    released: frozenset[int] = frozenset()
    column: str = ""
    voting: bool = False
    _teachers: set[str] = field(default_factory=set)
    _answered: dict[str, set[int]] = field(default_factory=dict)
    _votes: dict[str, str] = field(default_factory=dict)
    _wrong: list[float] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def stage(self) -> tuple[int, frozenset[int], str, bool]:
        """What decides which elements a page has: when it changes, pages are drawn anew."""
        return self.opened, self.released, self.column, self.voting

    def enter(self, who: str, code: str) -> str:
        """Make a tab the teacher's if the code is right; return "" then, else the sentence that says why not."""
        with self._lock:
            now = time.monotonic()
            self._wrong = [at for at in self._wrong if at > now - PER]
            if len(self._wrong) >= WRONG:
                return "Too many wrong codes were entered. Wait a minute, then enter the code from the terminal."
            asked = configuration.teacher_code()
            given = code.strip().upper().replace("-", "").replace(" ", "")
            if asked and secrets.compare_digest(given.encode(), asked.replace("-", "").encode()):
                self._teachers.add(who)
                return ""
            self._wrong.append(now)
            return "This is not the code that the terminal printed. Enter that one."

    def is_teacher(self, who: str) -> bool:
        """Return whether a tab has entered the code."""
        return who in self._teachers

    def open_next(self, tasks: int) -> None:
        """Show the class the next of so many tasks."""
        with self._lock:
            self.opened = min(self.opened + 1, tasks)

    def release(self) -> None:
        """Show the class the answers of the task that was opened last."""
        with self._lock:
            self.released |= {self.opened} if self.opened else frozenset()

    def open_vote(self, column: str) -> None:
        """Ask the class about a column; votes on another are gone."""
        with self._lock:
            if column != self.column:
                self._votes = {}
            self.column, self.voting = column, True

    def close_vote(self) -> None:
        """Take no more votes; the bars stay."""
        with self._lock:
            self.voting = False

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
        """Return how many tabs are here, the teacher's own left aside."""
        return len(visitors.all_inside() - self._teachers)

    def n_answered(self, task: int) -> int:
        """Return how many tabs that are here have an answer to a task."""
        with self._lock:
            self._forget_gone()
            return sum(task in tasks for who, tasks in self._answered.items() if who not in self._teachers)

    def votes(self) -> dict[str, int]:
        """Return the votes by choice, of tabs that are here."""
        with self._lock:
            self._forget_gone()
            counted = Counter(choice for who, choice in self._votes.items() if who not in self._teachers)
            return {choice: counted[choice] for choice in CHOICES}

    def _forget_gone(self) -> None:
        """Drop what tabs said that have no place here any more."""
        here = visitors.all_inside()
        self._answered = {who: tasks for who, tasks in self._answered.items() if who in here}
        self._votes = {who: choice for who, choice in self._votes.items() if who in here}
        self._teachers &= here


ROOM = Classroom()
"""The one of this server."""


def there_is_one() -> bool:
    """Return whether the server was started for a class."""
    return bool(configuration.teacher_code())
