"""A sheet of paper measured in millimetres: type, lines and marks at exact places, for the printed figures.

Widths of texts are measured in the font that is printed, so that names, numbers and flags get the room that they need
and the scale gets the rest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

from disclosure_core.figures.letters import PT, Weight, faces_of, legible, wide
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    Side = Literal["left", "center", "right"]

MM = 1 / 25.4
"""Inches in a millimetre."""

TALLEST = 230.0
"""Millimetres: a page with its caption; what is taller is shown in part, or on several pages."""

INK, SOFT, GRID, ZERO, ROD, HAIR = "#1A1A1A", "#595959", "#E4E4E4", "#8C8C8C", "#949494", "#EDEDED"
"""Words, quiet words, lines of a scale, its zero, rods between marks, lines between rows."""


def number(value: float, digits: int = 1) -> str:
    """Return a figure as it is printed: rounded as everywhere."""
    return fixed(value, digits)


def round_end(largest: float, most: int = 7) -> tuple[float, float]:
    """Return the round end of a scale that starts at 0, and its step of 1, 2 or 5 times a power of ten.

    There are at most so many steps.
    """
    for power in range(-6, 10):
        for base in (1, 2, 5):
            step = base * 10.0**power
            n = math.ceil(largest / step - 1e-9)
            if n <= most:
                return max(n, 1) * step, step
    raise ValueError(largest)


def digits_of(step: float) -> int:
    """Return the digits after the point of numbers so far apart."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


_ONTO: ContextVar[Axes | None] = ContextVar("onto", default=None)


@contextmanager
def onto(axes: Axes) -> Iterator[None]:
    """Draw the next sheet on these axes of somebody else's figure."""
    token = _ONTO.set(axes)
    try:
        yield
    finally:
        _ONTO.reset(token)


@dataclass
class Sheet:
    """A figure whose coordinates are millimetres from the top left corner.

    Attributes
    ----------
    width, height
        Millimetres.
    fits
        Whether all that is to be drawn stands on one page.
    """

    width: float
    height: float
    figure: Figure = field(init=False)
    axes: Axes = field(init=False)
    fits: bool = True

    def __post_init__(self) -> None:
        given = _ONTO.get()
        self.figure = Figure(figsize=(self.width * MM, self.height * MM), facecolor="white")
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1)) if given is None else given
        self.axes.set(xlim=(0, self.width), ylim=(self.height, 0))
        self.axes.axis("off")

    def _add(self, artist: Artist) -> None:
        """Add what is drawn in millimetres; the axes look at nothing of it, for their ends are those of the sheet."""
        self.axes.add_artist(artist)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = INK,
        weight: Weight = "Regular",
        side: Side = "left",
        **more: Any,
    ) -> None:
        """Write a line whose letters stand on y."""
        shown = legible(text)
        self.axes.text(
            x,
            y,
            shown,
            color=colour,
            ha=side,
            va="baseline",
            zorder=6,
            parse_math=False,
            fontproperties=faces_of(shown, weight, size),
            **more,
        )

    def value(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = INK,
        weight: Weight = "Regular",
        side: Side = "left",
        z: float = 1,
    ) -> None:
        """Write a number with its figures centred on y, on white so that no line beneath z runs through them."""
        w, tall = wide(text, size, weight), size * PT * 0.33
        left = {"left": x, "right": x - w, "center": x - w / 2}[side]
        self._add(
            Rectangle(
                (left - 0.25, y - tall * 1.25), w + 0.5, tall * 2.5, facecolor="white", edgecolor="none", zorder=z
            )
        )
        self.text(x, y + tall, text, size, colour, weight, side)

    def line(
        self,
        x: list[float] | tuple[float, ...],
        y: list[float] | tuple[float, ...],
        colour: str,
        width: float,
        z: float = 1,
        **more: Any,
    ) -> None:
        """Draw a line through places."""
        self._add(Line2D(x, y, color=colour, linewidth=width, zorder=z, solid_capstyle="butt", **more))

    def mark(
        self, x: float, y: float, shape: str, size: float, face: str, edge: str, width: float, z: float = 4
    ) -> None:
        """Draw a mark of `size` points."""
        self._add(
            Line2D(
                [x],
                [y],
                marker=shape,
                markersize=size,
                markerfacecolor=face,
                markeredgecolor=edge,
                markeredgewidth=width,
                linestyle="none",
                zorder=z,
                clip_on=False,
            )
        )

    def band(self, x0: float, x1: float, y: float, tall: float, colour: str) -> None:
        """Draw a bar with round corners behind the marks."""
        round_ = min(tall, x1 - x0) * 0.2
        self._add(
            FancyBboxPatch(
                (x0, y - tall / 2),
                x1 - x0,
                tall,
                boxstyle=f"round,pad=0,rounding_size={round_}",
                facecolor=colour,
                edgecolor="none",
                zorder=2,
            )
        )

    def area(self, x: list[float], low: list[float], high: list[float], colour: str, hatch: str = "") -> None:
        """Draw the area between two lines, with a pattern where one is given."""
        drawn = self.axes.fill_between(x, low, high, facecolor=colour, edgecolor=ROD if hatch else "none", zorder=1)
        drawn.set(linewidth=0, hatch=hatch or None, hatch_linewidth=0.5)

    def box(
        self, x: float, y: float, w: float, h: float, face: str, edge: str, width: float, z: float = 2, hatch: str = ""
    ) -> None:
        """Draw a rectangle from its top left corner, with a pattern where one is given."""
        drawn = Rectangle((x, y), w, h, facecolor=face, edgecolor=ROD if hatch else edge, linewidth=width, zorder=z)
        drawn.set(hatch=hatch or None, hatch_linewidth=0.5)
        self._add(drawn)

    def arrow(self, x0: float, x1: float, y: float, width: float, head: float) -> None:
        """Draw a rod from x0 to x1 with a slim head that ends at x1; too short a one is a rod alone."""
        way = math.copysign(1, x1 - x0)
        long = abs(x1 - x0) > 1.6 * head
        self.line((x0, x1 - way * head * 0.6 * long), (y, y), ROD, width, z=3)
        if long:
            tip = [(x1, y), (x1 - way * head, y - head * 0.4), (x1 - way * head, y + head * 0.4)]
            self._add(Polygon(tip, closed=True, facecolor=ROD, edgecolor="none", zorder=3))


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale from `start` to a round end, in millimetres from the left.

    Attributes
    ----------
    x, per
        Where 0 lies, mm, and how many mm a unit takes.
    start, end, step
        Its ends and the distance of its lines, in its unit.
    """

    x: float
    per: float
    start: float
    end: float
    step: float

    def at(self, value: float) -> float:
        """Return where a number lies, mm."""
        return self.x + self.per * value

    def draw(self, sheet: Sheet, top: float, bottom: float, size: float, unit: str = " %") -> None:
        """Draw light lines from top to bottom, numbers beneath, the unit at the last of them.

        Where numbers would meet, each second line has one, or each third.
        """
        first, last = math.ceil(self.start / self.step - 1e-9), math.floor(self.end / self.step + 1e-9)
        digits = digits_of(self.step)
        labels = {i: number(i * self.step, digits) for i in range(first, last + 1)}
        halves = {i: wide(label, size) / 2 for i, label in labels.items()}
        y, apart, end = bottom + size * PT * 1.15, 0.5 * size * PT, -math.inf

        def fit(every: int) -> bool:
            room = self.per * self.step * every - apart
            return all(halves[i] + halves[i + every] <= room for i in labels if i % every == 0 and i + every <= last)

        every = next(filter(fit, itertools.count(1)))
        for i, label in labels.items():
            x = self.at(i * self.step)
            sheet.line((x, x), (top, bottom), GRID if i else ZERO, 0.5 if i else 0.6, z=0 if i else 0.5)
            if i % every == 0:
                sheet.text(x, y, label, size, SOFT, side="center")
                end = x + halves[i]
        if unit and end > -math.inf:
            # A blank at the beginning of a text is dropped in SVG: the unit stands a blank's width further.
            sheet.text(end + wide("n n", size) - wide("nn", size), y, unit.strip(), size, SOFT)
