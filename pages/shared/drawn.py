"""Which widgets a browser has: one that was not drawn when its part of a page was drawn last starts anew there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from pages.server.streamlit_private import STOPPED, is_overtaken

PAGE = "page"


@dataclass
class _Drawing:
    """One drawing of a part: its number, the keys of its widgets so far, and the parts that were drawn within it."""

    part: str
    n: int
    keys: set[str] = field(default_factory=set)
    within: list[_Drawing] = field(default_factory=list)


_NOW: ContextVar[_Drawing | None] = ContextVar("drawing", default=None)
"""What this run draws: another run of the same visitor may begin while it ends."""


@dataclass
class Drawn:
    """What one visitor's browser has of widgets that are tied to a value.

    Attributes
    ----------
    whole
        By part of a page, the number of the drawing that came to its end last: one that a click cut short leaves what
        was there, and the next has its number.
    there
        By part of a page, the keys of the widgets that this drawing had.
    """

    whole: dict[str, int] = field(default_factory=dict)
    there: dict[str, set[str]] = field(default_factory=dict)

    @contextmanager
    def drawing(self, part: str = PAGE) -> Iterator[None]:
        """Draw a part of the page."""
        outer, now = _NOW.get(), _Drawing(part, self.whole.get(part, 0) + 1)
        before = _NOW.set(now)
        try:
            yield
        except STOPPED:  # by st.stop, or by another run that has begun
            self._ended(now, outer)
            raise
        else:
            self._ended(now, outer)
        finally:
            _NOW.reset(before)

    def _ended(self, now: _Drawing, outer: _Drawing | None) -> None:
        """Keep what a drawing had, once that around it came to its end, too; the browser has no other part then."""
        if outer is not None:
            outer.within.append(now)
        elif not is_overtaken():
            if now.part == PAGE:
                self.there.clear()
            for each in (now, *now.within):
                self.whole[each.part], self.there[each.part] = each.n, each.keys

    def draw(self) -> int:
        """Return the number of the drawing of this part; of one that was cut short the next has the same."""
        now = _NOW.get()
        return 0 if now is None else now.n

    def came_whole(self, n: int) -> bool:
        """Return whether a drawing of this part came to its end, so that a browser hears what it was told."""
        now = _NOW.get()
        return now is None or self.whole.get(now.part, 0) >= n

    def is_new(self, key: str) -> bool:
        """Note that a widget is drawn; return whether it was not when its part was drawn last."""
        now = _NOW.get()
        if now is None:
            return True
        now.keys.add(key)
        return key not in self.there.get(now.part, ())
