"""What printed figures of several rows share: sizes of type, names broken into lines, and the sheet around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from disclosure_core.figures.letters import PT, lacking, lead, shortened, wide, wrapped
from disclosure_core.figures.look import WIDTHS, Look
from disclosure_core.figures.sheet import HAIR, INK, SOFT, TALLEST, Sheet


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes for one width: points for type and marks, millimetres for distances.

    Attributes
    ----------
    label, value, tick, note
        Type of names, numbers at the marks, numbers of scales, and what stands beneath: 6 points at least.
    title
        Type of the title.
    mark, line
        Marks, and lines.
    pitch
        From row to row, mm.
    names
        The widest that names may be, mm; they are broken into lines.
    side
        Outer margin, mm.
    intervals
        Whether there is room for the intervals as bars.
    leading
        From line to line of a name, in sizes of its type.
    """

    label: float
    value: float
    tick: float
    note: float
    title: float
    mark: float
    line: float
    pitch: float
    names: float
    side: float
    intervals: bool
    leading: float = 1.17

    @property
    def half(self) -> float:
        """Half a mark, mm."""
        return self.mark * PT / 2 * 1.15

    @property
    def gap(self) -> float:
        """From a mark to its number, mm."""
        return 0.63 * self.label * PT

    @property
    def lead(self) -> float:
        """From line to line of a name, mm."""
        return self.label * self.leading * PT


TYPES = {
    "column": Type(7, 6.5, 6.2, 6, 8.4, 4.6, 0.75, 4.5, 29, 1.0, intervals=False),
    "page": Type(8.5, 8, 7.5, 7, 10.2, 6, 0.9, 5.8, 55, 1.0, intervals=True),
    "slide": Type(15, 14, 12.5, 11, 20, 10.2, 1.5, 9.2, 96, 12, intervals=True),
}


def type_of(look: Look) -> Type:
    """Return the sizes for a look; in a width of its own names have as large a part of it."""
    type_ = TYPES[look.size]
    return replace(type_, names=type_.names * look.width / WIDTHS[look.size])


CLOSEST = 0.72
"""Rows of a slide are no closer than this, in pitches of its type: names and numbers would meet."""

MOST_LINES = 4
"""Lines that a name takes at most; a longer one loses its middle, and stands whole beneath the figure."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Names broken into lines, and where each row lies.

    Attributes
    ----------
    lines
        By row: text, and whether it is quiet.
    beside
        By row: quiet words on the line of the name.
    y, below
        By row: its middle, and the middle of the line beneath it that shows what stood before, mm below the head.
    edges
        Where rows end, mm below the head.
    width
        Of the widest name, mm.
    """

    lines: tuple[tuple[tuple[str, bool], ...], ...]
    beside: tuple[str, ...]
    y: tuple[float, ...]
    below: tuple[float, ...]
    edges: tuple[float, ...]
    width: float

    @property
    def tall(self) -> bool:
        """Whether a name takes several lines, so that rows are parted by lines."""
        return any(len(lines) > 1 for lines in self.lines)


def stacked(names: Sequence[str], quiet: Sequence[str], two: Sequence[bool], type_: Type, pitch: float) -> Stack:
    """Return where rows lie; those in `two` have a second line of marks."""
    room, found, beside = type_.names, [], []
    for name, words in zip(names, quiet, strict=True):
        lines = [(line, False) for line in wrapped(name, room, type_.label)]
        one = len(lines) == 1 and wide(f"{lines[0][0]}   ", type_.label) + wide(words, type_.value) <= room
        beside.append(words if one else "")
        if words and not one:
            lines += [(line, True) for line in wrapped(words, room, type_.value)]
        found.append(tuple(lines))
    y, below, edges, top = [], [], [], 0.0
    beneath = max(0.75 * pitch, 1.25 * type_.value * PT)
    for rows, second in zip(found, two, strict=True):
        lines_tall = (len(rows) - 1) * type_.lead + (pitch if len(rows) == 1 else max(pitch, 1.2 * type_.lead))
        y.append(top + lines_tall / 2)
        below.append(y[-1] + beneath)
        top = y[-1] + max(lines_tall / 2, beneath + 0.5 * pitch if second else 0)
        edges.append(top)
    width = max(
        max(wide(text, type_.value if soft else type_.label) for text, soft in lines)
        + (wide("   ", type_.label) + wide(words, type_.value) if words else 0)
        for lines, words in zip(found, beside, strict=True)
    )
    return Stack(tuple(found), tuple(beside), tuple(y), tuple(below), tuple(edges), width)


class Frame:
    """A sheet with title, names, a head and notes beneath, and what lies between them left to fill."""

    def __init__(
        self,
        look: Look,
        names: Sequence[str],
        quiet: Sequence[str],
        two: Sequence[bool],
        more: str,
        unit: str,
        heads: int = 1,
        what: str = "target",
        beside: float = 0.0,
        under: float = 1.0,
    ) -> None:
        """`beside`: share of the sheet that names leave to what stands at their right; `under`: that a unit may."""
        self.look, self.more = look, more
        most = (1 - beside) * look.width
        type_ = type_of(look)
        self.type = replace(type_, names=min(type_.names, most), leading=lead(names, type_.leading))
        type_, width = self.type, look.width
        self.titles = wrapped(look.title, width - 2 * type_.side, type_.title, "Semibold") if look.title else []
        self.what = what
        self.units = wrapped(unit, min(width - 2 * type_.side, under * width), type_.tick)
        self.top = type_.side + len(self.titles) * type_.title * 1.14 * PT + (2 if self.titles else 0)
        self.top += type_.label * PT * (0.43 + 1.12 * heads)
        short = shortened(names, type_.names, type_.label, MOST_LINES)
        whole = [f"{cut}: {name}" for name, cut in short.items() if cut != name]
        notes = [*whole, *([unprinted] if (unprinted := lacking([*names, look.title])) else [])]
        self.notes = [line for note in notes for line in wrapped(note, width - 2 * type_.side, type_.note)]
        names = [short[name] for name in names]
        self.tail = type_.tick * PT * (1.7 + 1.25 * len(self.units)) + type_.side
        self.tail += type_.note * PT * 1.3 * len(self.notes) + (1 if self.notes else 0)
        lines = sum(1.75 if second else 1 for second in two) + bool(more)
        pitch = type_.pitch
        if look.height is not None:
            pitch = min((look.height - self.top - self.tail) / max(lines, 1), 2 * type_.pitch)
        self.stack = stacked(names, quiet, two, type_, pitch)
        if look.height is not None:  # names of several lines leave less for the rows
            room = look.height - self.top - self.tail - (pitch if more else 0)
            while self.stack.edges[-1] > room + 1e-6 and pitch > CLOSEST * type_.pitch:
                pitch *= 0.95
                self.stack = stacked(names, quiet, two, type_, pitch)
        self.pitch = pitch
        self.bottom = self.top + self.stack.edges[-1] + (pitch if more else 0)
        self.height = self.bottom + self.tail

    @property
    def left(self) -> float:
        """Where what is not a name begins, mm."""
        return self.type.side + self.stack.width + 1.5

    @property
    def right(self) -> float:
        """The right margin, mm."""
        return self.look.width - self.type.side

    @property
    def head(self) -> float:
        """Where the letters of the head stand, mm."""
        return self.top - self.type.label * PT * 0.35

    def sheet(self) -> Sheet:
        """Return the sheet with title, names and lines between the rows."""
        type_, stack = self.type, self.stack
        sheet = Sheet(self.look.width, self.look.height or self.height)
        tallest = TALLEST if self.look.height is None else self.look.height
        sheet.fits = self.height <= tallest + 0.01 and self.pitch >= CLOSEST * type_.pitch * 0.95
        for i, line in enumerate(self.titles):
            sheet.text(
                type_.side, type_.side + (i + 0.82) * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold"
            )
        sheet.text(type_.side, self.head, self.what, type_.tick, SOFT)
        for lines, words, dy in zip(stack.lines, stack.beside, stack.y, strict=True):
            first = self.top + dy - (len(lines) - 1) * type_.lead / 2 + type_.label * PT * 0.33
            for i, (line, soft) in enumerate(lines):
                size = type_.value if soft else type_.label
                sheet.text(type_.side, first + i * type_.lead, line, size, SOFT if soft else INK)
            if words:
                x = type_.side + wide(f"{lines[0][0]}   ", type_.label)
                sheet.text(x, first, words, type_.value, SOFT)
        if stack.tall:
            for edge in stack.edges[: None if self.more else -1]:
                sheet.line((type_.side, self.right), (self.top + edge, self.top + edge), HAIR, 0.5, z=-1)
        if self.more:
            y = self.bottom - self.pitch / 2
            sheet.value(type_.side, y, self.more, type_.label, INK, "It")  # a name's room may be too narrow for it
        y = self.bottom + type_.tick * PT * (1.7 + 1.25 * len(self.units)) + 1
        for i, line in enumerate(self.notes, 1):
            sheet.text(type_.side, y + i * type_.note * PT * 1.3, line, type_.note, SOFT)
        return sheet

    def under(self, sheet: Sheet, x: float) -> None:
        """Write what the scale counts beneath it, from x if it fits there, else from the left margin."""
        size = self.type.tick
        start = x if len(self.units) == 1 and x + wide(self.units[0], size) <= self.right else self.type.side
        if len(self.units) == 1 and start != x:
            start = self.right - wide(self.units[0], size)
        for i, line in enumerate(self.units):
            sheet.text(start, self.bottom + size * PT * (2.45 + 1.25 * i), line, size, SOFT)
