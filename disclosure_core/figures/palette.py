"""The colours and marks of the sides that figures compare: one place for screen, print and every other view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["original", "synthetic", "outside", "before", "second", "third", "fourth"]
"""Whose figure a mark is: the original's, the synthetic data's, that of people outside, or that before exclusions.

The last three are further measures of the synthetic data, where several stand in one frame.
"""

ORIGINAL = "#1F83C9"
SYNTHETIC = "#D55E00"
"""Blue and vermilion after Okabe and Ito: apart for every kind of colour vision, 3:1 on light and on dark."""

QUIET = "#8A8F98"
"""Grey that stands 3:1 on light and on dark: people outside, what stood before exclusions, lines of thresholds."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How one side is drawn.

    Attributes
    ----------
    colour
        On screen and in print.
    word
        The same for words in print, 4.5:1 on white.
    symbol
        "circle-open" (a ring), "diamond", "line-ns" (an upright bar), "square-open" and so on, as plotly calls them.
    dash
        "solid", "dash" or "dot": of a line.
    """

    colour: str
    word: str
    symbol: str
    dash: str


MARKS: dict[Side, Mark] = {
    "original": Mark(ORIGINAL, "#0B6CB0", "circle-open", "solid"),
    "synthetic": Mark(SYNTHETIC, "#B84F00", "diamond", "dash"),
    "outside": Mark(QUIET, "#444444", "line-ns", "dot"),
    "before": Mark(QUIET, "#595959", "square-open", "dot"),
    "second": Mark("#00866A", "#00755C", "triangle-up", "solid"),
    "third": Mark("#A65C95", "#8A4379", "square", "solid"),
    "fourth": Mark("#7A6A00", "#665800", "circle", "solid"),
}
"""By side. In greys the colours are gone, and symbol, fill and dash still tell the sides apart."""

_OF_SETS: tuple[Side, ...] = ("synthetic", "third", "second", "fourth")

_SHAPES = (
    ("diamond", "D"),
    ("triangle-up", "^"),
    ("square", "s"),
    ("circle", "o"),
    ("triangle-down", "v"),
    ("pentagon", "p"),
    ("star", "*"),
    ("hexagon", "h"),
)


def of_set(i: int) -> tuple[Side, str, str]:
    """Return how the set at a place is drawn: the side whose colour it has, its shape on screen, and that in print.

    Up to eight sets differ by shape, and so in greys; of four the colours differ, too.
    """
    return (_OF_SETS[i % len(_OF_SETS)], *_SHAPES[i % len(_SHAPES)])
