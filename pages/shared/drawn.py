"""Which widgets a browser has: one that was not drawn when its part of a page was drawn last starts anew there."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pages.server.streamlit_private import STOPPED, is_overtaken

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "page"


@dataclass
class Drawn:
    """What one visitor's browser has of widgets that are tied to a value.

    Attributes
    ----------
    times, whole
        By part of a page, how often it was begun, and which of these came to its end: one that a click cut short draws
        what was there.
    last
        By key of a widget, the part that it is in, and when it was drawn.
    within
        The part that is being drawn.
    """

    times: dict[str, int] = field(default_factory=dict)
    whole: dict[str, int] = field(default_factory=dict)
    last: dict[str, tuple[str, int]] = field(default_factory=dict)
    within: str = PAGE

    @contextmanager
    def drawing(self, part: str = PAGE) -> Iterator[None]:
        """Draw a part of the page."""
        n = self.times[part] = self.whole.get(part, 0) + 1
        outer, self.within = self.within, part
        try:
            yield
        except STOPPED:  # by st.stop, or by another run that has begun
            if not is_overtaken():
                self.whole[part] = n
            raise
        else:
            self.whole[part] = n
        finally:
            self.within = outer

    def draw(self) -> int:
        """Return the number of the drawing of this part; of one that was cut short the next has the same."""
        return self.times.get(self.within, 0)

    def came_whole(self, n: int) -> bool:
        """Return whether a drawing of this part came to its end, so that a browser hears what it was told."""
        return self.whole.get(self.within, 0) >= n

    def is_new(self, key: str) -> bool:
        """Note that a widget is drawn; return whether it was not when its part was drawn last."""
        part, n = self.within, self.times.get(self.within, 0)
        before, self.last[key] = self.last.get(key), (part, n)
        return before is None or before[0] != part or before[1] < n - 1
