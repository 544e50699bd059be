"""How a figure is printed: how large, of what, called what, and in which colours and letters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.figures.palette import MARKS, Mark, Side

WIDTHS = {"column": 85.0, "page": 180.0, "slide": 254.0}
"""Widths, mm: one column, two columns, and a slide of 16:9."""

FORMATS = ("pdf", "svg", "png", "eps", "tiff")

USUAL = FORMATS[:3]
"""Those that are written where nobody asks for others."""

BETWEEN = 130.0
"""Millimetres from which on a figure has the type of two columns."""

NARROWEST, WIDEST = 60.0, 420.0
"""Millimetres."""

ORDERS = ("", "name", "targets")

SLIDE_HEIGHT = 254.0 * 9 / 16

_KINDS: tuple[tuple[str, Any, str], ...] = (
    ("grey", bool, "True or False"),
    ("flags", bool, "True or False"),
    ("title", str, "a text"),
    ("font", str, "a text"),
    ("dpi", Real, "a number"),
    ("width_mm", Real | None, "a number of millimetres"),
    ("height_mm", Real | None, "a number of millimetres"),
    ("labels", Mapping, "a mapping, such as {'bmi': 'Body mass index'}"),
    ("colours", Mapping, "a mapping, such as {'synthetic': '#AA3377'}"),
)
"""By attribute, what it has to be, and how that is called."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure is printed.

    Attributes
    ----------
    size
        "column" (85 mm), "page" (180 mm) or "slide" (254 × 142.9 mm); a width of your own decides it.
    grey
        In greys; what colour tells apart, shape, fill, dash or pattern do.
    title
        A title above, or none.
    dpi
        Dots an inch, of a PNG or TIFF.
    width_mm, height_mm
        Another width, such as 88, 114 or 174, and another height than what is shown needs.
    labels
        What targets, keys, lines and sets are called, by their names.
    colours
        "#RRGGBB" by side: original, synthetic, outside, before, second, third, fourth.
    targets
        Which targets are shown, of a figure of several; all where it is empty.
    order
        "name" by what they are called, "targets" as `targets` names them; else the largest first.
    flags
        Whether a column says which checks flag a target.
    font
        A family that is installed here; Source Sans 3 where it is empty.
    text
        Whether letters of SVG and PDF are "outlines" or "text"; by default outlines in SVG, text in PDF.

    Raises
    ------
    DisclosureError
        When there is no such size, side, order or form of text, the width is not between 60 and 420 mm, the height not
        between 20 and 420, a colour is no #RRGGBB, the dots are not between 72 and 1200, or one is no number, text,
        mapping, or True or False, where such a one is meant.
    """

    size: str = "page"
    grey: bool = False
    title: str = ""
    dpi: int = 300
    width_mm: float | None = None
    height_mm: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    targets: Sequence[str] = ()
    order: str = ""
    flags: bool = True
    font: str = ""
    text: Literal["", "outlines", "text"] = ""

    def __post_init__(self) -> None:
        for name, of, such in _KINDS:
            if not isinstance(given := getattr(self, name), of) or (isinstance(given, bool) and of is not bool):
                raise DisclosureError(f"Give {name} as {such}, not {given!r}.")
        for name, of_names in (("labels", self.labels), ("colours", self.colours)):
            if wrong := [text for text in (*of_names, *of_names.values()) if not isinstance(text, str)]:
                raise DisclosureError(f"The {name} hold {wrong[0]!r}, which is no text; write {str(wrong[0])!r}.")
        if self.size not in WIDTHS:
            raise DisclosureError(f"There is no size {self.size!r}; choose one of {', '.join(WIDTHS)}.")
        if not 72 <= self.dpi <= 1200:
            raise DisclosureError("Choose between 72 and 1200 dots an inch.")
        if self.width_mm is not None:
            if not NARROWEST <= self.width_mm <= WIDEST:
                raise DisclosureError(f"Choose a width between {NARROWEST:g} and {WIDEST:g} mm.")
            object.__setattr__(self, "size", "column" if self.width_mm < BETWEEN else "page")
        if self.height_mm is not None and not 20 <= self.height_mm <= WIDEST:
            raise DisclosureError(f"Choose a height between 20 and {WIDEST:g} mm.")
        for side, colour in self.colours.items():
            if side not in MARKS:
                raise not_found("Side", side, "of a figure", MARKS)
            if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
                raise DisclosureError(f"{colour!r} is no colour; write it as #RRGGBB, such as #1F83C9.")
        if self.order not in ORDERS:
            raise DisclosureError(f"There is no order {self.order!r}; choose name or targets.")
        if self.text not in ("", "outlines", "text"):
            raise DisclosureError(f"Letters are outlines or text, not {self.text!r}.")
        if isinstance(self.targets, str):
            object.__setattr__(self, "targets", (self.targets,))

    @property
    def width(self) -> float:
        """Millimetres."""
        return self.width_mm or WIDTHS[self.size]

    @property
    def height(self) -> float | None:
        """Millimetres, of a slide or as asked; None where a figure is as tall as what it shows."""
        return self.height_mm or (SLIDE_HEIGHT if self.size == "slide" else None)

    @property
    def measures(self) -> str:
        """What a file's name says of its measures: "slide", "85mm", "114x60mm"."""
        if self.size == "slide" and self.height_mm is None:
            return "slide"
        return f"{self.width:g}{f'x{self.height_mm:g}' if self.height_mm else ''}mm"

    @property
    def after_choice(self) -> Look:
        """The same for a figure whose targets are chosen and called already."""
        return replace(self, labels={}, targets=(), order="", flags=True)

    def mark(self, side: Side) -> Mark:
        """Return how one side is drawn; in greys its colour is black, and its symbol tells it apart."""
        mark = MARKS[side]
        if colour := self.colours.get(side):
            mark = replace(mark, colour=colour, word=colour)
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
        return "#C9C9C9" if self.grey else self.pale("synthetic") or "#F4C9A8"

    def pale(self, side: Side) -> str:
        """Return the chosen colour of a side mixed with white, for areas; empty where none is chosen."""
        colour = self.colours.get(side)
        if not colour:
            return ""
        parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
        return "#" + "".join(f"{round(part + (255 - part) * 0.7):02X}" for part in parts)


_GREY_DASHES: dict[Side, str] = {"second": "dashdot", "third": "long", "fourth": "dashdotdot", "before": "short"}
"""Of sides whose lines are broken as another's is, and whose colour alone tells them apart."""

_HATCHES: dict[Side, str] = {"original": "", "synthetic": "/////", "outside": "xxxxx", "second": "\\" * 5}
"""Of sides, the pattern of the range about their line."""
