"""How a figure is printed: its width, in colours or greys, with or without a title."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError
from disclosure_core.figures.palette import MARKS, Mark

if TYPE_CHECKING:
    from disclosure_core.figures.palette import Side

WIDTHS = {"column": 85.0, "page": 180.0, "slide": 254.0}
"""Widths, mm: one column, two columns, and a slide of 16:9."""

SLIDE_HEIGHT = 254.0 * 9 / 16


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure is printed.

    Attributes
    ----------
    size
        "column" (85 mm), "page" (180 mm) or "slide" (254 × 142.9 mm).
    grey
        In greys; what colour tells apart, shape, fill, dash or pattern do.
    title
        A title above, or none.
    dpi
        Dots an inch, of a PNG.

    Raises
    ------
    DisclosureError
        When there is no such size, or the dots are not between 72 and 1200.
    """

    size: str = "page"
    grey: bool = False
    title: str = ""
    dpi: int = 300

    def __post_init__(self) -> None:
        if self.size not in WIDTHS:
            raise DisclosureError(f"There is no size {self.size!r}; choose one of {', '.join(WIDTHS)}.")
        if not 72 <= self.dpi <= 1200:
            raise DisclosureError("Choose between 72 and 1200 dots an inch.")

    @property
    def width(self) -> float:
        """Millimetres."""
        return WIDTHS[self.size]

    @property
    def height(self) -> float | None:
        """Millimetres, of a slide; None where a figure is as tall as what it shows."""
        return SLIDE_HEIGHT if self.size == "slide" else None

    def mark(self, side: Side) -> Mark:
        """Return how one side is drawn; in greys its colour is black, and its symbol tells it apart."""
        mark = MARKS[side]
        return replace(mark, colour="#111111", word="#111111") if self.grey else mark

    def dash(self, side: Side) -> str:
        """Return how the line of one side is broken; in greys the lines of all sides are told apart by it."""
        return _GREY_DASHES.get(side, MARKS[side].dash) if self.grey else MARKS[side].dash

    def hatch(self, side: Side) -> str:
        """Return the pattern of a range about the line of one side; none in colours."""
        return _HATCHES.get(side, "....") if self.grey else ""

    @property
    def band(self) -> str:
        """The range over the syntheses, behind the synthetic data's mark."""
        return "#C9C9C9" if self.grey else "#F4C9A8"

    @property
    def colours(self) -> tuple[str, str]:
        """Of the original's mark and of the synthetic data's."""
        return self.mark("original").colour, self.mark("synthetic").colour


_GREY_DASHES: dict[Side, str] = {"second": "dashdot", "third": "long", "fourth": "dashdotdot", "before": "short"}
"""Of sides whose lines are broken as another's is, and whose colour alone tells them apart."""

_HATCHES: dict[Side, str] = {"original": "", "synthetic": "/////", "outside": "xxxxx", "second": "\\" * 5}
"""Of sides, the pattern of the range about their line."""
