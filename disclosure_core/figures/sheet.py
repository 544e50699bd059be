"""A sheet of paper measured in millimetres: type, lines and marks at exact places, for the printed figures.

Widths of texts are measured in the font that is printed, so that names, numbers and flags get the room that they need
and the scale gets the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font, LoadFlags
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

from disclosure_core.data.demo import assets
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    Weight = Literal["Regular", "Semibold", "It"]
    Side = Literal["left", "center", "right"]

# Set once for the process, when this room is first used: fonts embedded whole in PDF, text kept as text in SVG.
mpl.rcParams["pdf.fonttype"] = 42
mpl.rcParams["svg.fonttype"] = "none"
mpl.rcParams["svg.hashsalt"] = "disclosure"  # the same figure is the same file

MM = 1 / 25.4
"""Inches in a millimetre."""

TALLEST = 230.0
"""Millimetres: a page with its caption; what is taller is shown in part, or on several pages."""

PT = 25.4 / 72
"""Millimetres in a point."""

FONTS = {weight: assets() / "fonts" / f"SourceSans3-{weight}.ttf" for weight in ("Regular", "Semibold", "It")}
"""Source Sans 3 (SIL Open Font License): its digits are all as wide as each other."""

for _file in FONTS.values():
    font_manager.fontManager.addfont(_file)

FAMILY = "Source Sans 3"
_OWN = "DejaVu Sans"
_OTHERS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Source Han Sans",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "Microsoft YaHei", "SimHei", "Yu Gothic", "Meiryo", "Malgun Gothic",
    "PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS", "Noto Sans Devanagari",
    "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai", "Noto Sans Ethiopic", "Nirmala UI", "Leelawadee UI",
)  # fmt: skip
"""Fonts of this machine that lend letters which Source Sans 3 and DejaVu Sans, matplotlib's own, do not have."""

INK, SOFT, GRID, ZERO, ROD, HAIR = "#1A1A1A", "#595959", "#E4E4E4", "#8C8C8C", "#949494", "#EDEDED"
"""Words, quiet words, lines of a scale, its zero, rods between marks, lines between rows."""


@cache
def families() -> tuple[str, ...]:
    """Return the fonts that figures are set in: Source Sans 3, matplotlib's own, and what this machine lends."""
    here = set(font_manager.get_font_names())
    return (FAMILY, _OWN, *(name for name in _OTHERS if name in here))


@cache
def _letters_of(family: str) -> frozenset[int]:
    """Return the code points that a font has."""
    path = font_manager.findfont(font_manager.FontProperties(family=family))
    return frozenset(font_manager.get_font(path).get_charmap())


def borrowed(text: str) -> bool:
    """Return whether a letter of `text` is in neither Source Sans 3 nor matplotlib's own font."""
    return any(ord(c) not in _letters_of(FAMILY) and ord(c) not in _letters_of(_OWN) for c in text)


def legible(text: str) -> str:
    r"""Return text that can be drawn: control letters, and letters that no font here has, as their code (\u76ee)."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c
        if c.isprintable() and any(ord(c) in _letters_of(family) for family in families())
        else c.encode("unicode_escape").decode()
        for c in text
    )


def number(value: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return a figure as it is printed: rounded as everywhere."""
    return fixed(value, digits, sign=sign)


@cache
def _face(weight: str) -> FT2Font:
    return FT2Font(str(FONTS[weight]))


_ONE = Lock()


@lru_cache(maxsize=4096)
def wide(text: str, size: float, weight: Weight = "Regular") -> float:
    """Return how wide a line of text is, mm; a letter that the font lacks is taken for as wide as it is tall."""
    known = _letters_of(FAMILY)
    own = "".join(c for c in text if ord(c) in known)
    with _ONE:  # a face holds the text that it measures
        face = _face(weight)
        face.set_size(100, 72)
        face.set_text(own, 0.0, flags=LoadFlags.NO_HINTING)
        letters = face.get_width_height()[0] / 64 / 100
    return (letters + len(text) - len(own)) * size * PT


def wrapped(text: str, room: float, size: float, weight: Weight = "Regular") -> list[str]:
    """Return text in lines no wider than `room` mm; words that are too long are broken, nothing is cut."""
    words: list[str] = []
    for word in legible(text).replace("_", "_\u200b").replace("/", "/\u200b").replace("-", "-\u200b").split(" "):
        parts = word.split("\u200b")
        words += [*parts[:-1], parts[-1] + " "]
    lines, line = [], ""
    for word in words:
        while wide(word.rstrip(), size, weight) > room and len(word) > 1:  # a word wider than the column
            cut = max([1, *(i for i in range(1, len(word)) if wide(word[:i], size, weight) <= room)])
            if line:
                lines.append(line.rstrip())
                line = ""
            lines.append(word[:cut])
            word = word[cut:]
        if line and wide((line + word).rstrip(), size, weight) > room:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


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
        self.figure = Figure(figsize=(self.width * MM, self.height * MM), facecolor="white")
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, self.width), ylim=(self.height, 0))
        self.axes.axis("off")

    def _add(self, artist: Artist) -> None:
        """Add what is drawn in millimetres; the axes look at nothing of it, for their ends are those of the sheet."""
        self.axes.add_artist(artist)

    def text(
        self, x: float, y: float, text: str, size: float, colour: str = INK, weight: Weight = "Regular",
        side: Side = "left", **more: Any,
    ) -> None:  # fmt: skip
        """Write a line whose letters stand on y."""
        font = font_manager.FontProperties(
            family=[f"{FAMILY} Semibold" if weight == "Semibold" else FAMILY, *families()],
            style="italic" if weight == "It" else "normal", size=size,
        )  # fmt: skip
        self.axes.text(x, y, legible(text), color=colour, ha=side, va="baseline", zorder=6, fontproperties=font, **more)

    def value(
        self, x: float, y: float, text: str, size: float, colour: str = INK, weight: Weight = "Regular",
        side: Side = "left", z: float = 1,
    ) -> None:  # fmt: skip
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
        self, x: list[float] | tuple[float, ...], y: list[float] | tuple[float, ...], colour: str, width: float,
        z: float = 1, **more: Any,
    ) -> None:  # fmt: skip
        """Draw a line through places."""
        self._add(Line2D(x, y, color=colour, linewidth=width, zorder=z, solid_capstyle="butt", **more))

    def mark(
        self, x: float, y: float, shape: str, size: float, face: str, edge: str, width: float, z: float = 4
    ) -> None:
        """Draw a mark of `size` points."""
        self._add(Line2D(
            [x], [y], marker=shape, markersize=size, markerfacecolor=face, markeredgecolor=edge, markeredgewidth=width,
            linestyle="none", zorder=z, clip_on=False,
        ))  # fmt: skip

    def band(self, x0: float, x1: float, y: float, tall: float, colour: str) -> None:
        """Draw a bar with round corners behind the marks."""
        round_ = min(tall, x1 - x0) * 0.2
        self._add(
            FancyBboxPatch(
                (x0, y - tall / 2), x1 - x0, tall, boxstyle=f"round,pad=0,rounding_size={round_}", facecolor=colour,
                edgecolor="none", zorder=2,
            )
        )  # fmt: skip

    def area(self, x: list[float], low: list[float], high: list[float], colour: str) -> None:
        """Draw the area between two lines."""
        self.axes.fill_between(x, low, high, facecolor=colour, edgecolor="none", zorder=1)

    def box(self, x: float, y: float, w: float, h: float, face: str, edge: str, width: float, z: float = 2) -> None:
        """Draw a rectangle from its top left corner."""
        self._add(Rectangle((x, y), w, h, facecolor=face, edgecolor=edge, linewidth=width, zorder=z))

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
        """Draw light lines from top to bottom, numbers beneath, the unit at the last of them."""
        first, last = math.ceil(self.start / self.step - 1e-9), math.floor(self.end / self.step + 1e-9)
        digits = max(0, -math.floor(math.log10(self.step) + 1e-9))
        for i in range(first, last + 1):
            x = self.at(i * self.step)
            sheet.line((x, x), (top, bottom), GRID if i else ZERO, 0.5 if i else 0.6, z=0 if i else 0.5)
            label = number(i * self.step, digits)
            sheet.text(x, bottom + size * PT * 1.15, label, size, SOFT, side="center")
            if i == last and unit:
                # A blank at the beginning of a text is dropped in SVG: the unit stands a blank's width further.
                beside = x + wide(label, size) / 2 + wide("n n", size) - wide("nn", size)
                sheet.text(beside, bottom + size * PT * 1.15, unit.strip(), size, SOFT)
