"""The two dumbbell charts in print: original against synthetic, and members against people outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from disclosure_core.figures.members_outside import PARTS, OutsidePlot
from disclosure_core.figures.sheet import (
    HAIR,
    INK,
    PT,
    ROD,
    SOFT,
    TALLEST,
    ZERO,
    Scale,
    Sheet,
    number,
    round_end,
    wide,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.figures.look import Look

BEFORE = "before"
"""What stands between the hollow marks of what was shown with nothing excluded."""


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
        The widest that names may be, mm; they are broken into lines, never cut.
    side
        Outer margin, mm.
    intervals
        Whether there is room for the intervals as bars.
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
        return self.label * 1.17 * PT


TYPES = {
    "column": Type(7, 6.5, 6.2, 6, 8.4, 4.6, 0.75, 4.5, 29, 1.0, intervals=False),
    "page": Type(8.5, 8, 7.5, 7, 10.2, 6, 0.9, 5.8, 55, 1.0, intervals=True),
    "slide": Type(15, 14, 12.5, 11, 20, 10.2, 1.5, 9.2, 96, 12, intervals=True),
}


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
    for rows, second in zip(found, two, strict=True):
        lines_tall = (len(rows) - 1) * type_.lead + (pitch if len(rows) == 1 else max(pitch, 1.2 * type_.lead))
        y.append(top + lines_tall / 2)
        below.append(y[-1] + 0.75 * pitch)
        top = y[-1] + max(lines_tall / 2, 1.25 * pitch if second else 0)
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
        self, look: Look, names: Sequence[str], quiet: Sequence[str], two: Sequence[bool], more: str, unit: str,
        heads: int = 1, what: str = "target",
    ) -> None:  # fmt: skip
        self.look, self.type, self.more = look, TYPES[look.size], more
        type_, width = self.type, look.width
        self.titles = wrapped(look.title, width - 2 * type_.side, type_.title, "Semibold") if look.title else []
        self.what = what
        self.units = wrapped(unit, width - 2 * type_.side, type_.tick)
        self.top = type_.side + len(self.titles) * type_.title * 1.14 * PT + (2 if self.titles else 0)
        self.top += type_.label * PT * (0.43 + 1.12 * heads)
        self.tail = type_.tick * PT * (1.7 + 1.25 * len(self.units)) + type_.side
        lines = sum(1.75 if second else 1 for second in two) + bool(more)
        pitch = type_.pitch
        if look.height is not None:
            pitch = min((look.height - self.top - self.tail) / max(lines, 1), 2 * type_.pitch)
        self.stack = stacked(names, quiet, two, type_, pitch)
        if look.height is not None:  # names of several lines leave less for the rows
            room = look.height - self.top - self.tail - (pitch if more else 0)
            while self.stack.edges[-1] > room + 1e-6 and pitch > 0.6 * type_.pitch:
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
        sheet.fits = self.height <= tallest + 0.01 and self.pitch >= 0.6 * type_.pitch * 0.95
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
        return sheet

    def under(self, sheet: Sheet, x: float) -> None:
        """Write what the scale counts beneath it, from x if it fits there, else from the left margin."""
        size = self.type.tick
        start = x if len(self.units) == 1 and x + wide(self.units[0], size) <= self.right else self.type.side
        if len(self.units) == 1 and start != x:
            start = self.right - wide(self.units[0], size)
        for i, line in enumerate(self.units):
            sheet.text(start, self.bottom + size * PT * (2.45 + 1.25 * i), line, size, SOFT)


def _scale(left: float, right: float, least: float, furthest: float, end: float, step: float, need: float) -> Scale:
    """Return a scale from 0 to `end` between two places, with `need` mm for the numbers left and right of all marks."""
    per = (right - left - need) / end
    before = after = need
    for _ in range(6):
        before, after = max(need - per * least, 0.8), max(need - per * (end - furthest), 0.45 * need)
        per = (right - left - before - after) / end
    return Scale(left + before, per, 0.0, end, step)


def _words(
    sheet: Sheet, frame: Frame, scale: Scale, words: list[tuple[str, float, str]], right: float, y: float
) -> None:
    """Name the two sides above their marks in the first row, turned outwards where they would touch."""
    size, gap = frame.type.label, 1.6
    (a, va, ca), (b, vb, cb) = sorted(words, key=lambda w: w[1])
    wa, wb = wide(a, size, "Semibold"), wide(b, size, "Semibold")
    xa, xb = scale.at(va) - wa / 2, scale.at(vb) - wb / 2
    if xb - (xa + wa) < gap:
        middle = (scale.at(va) + scale.at(vb)) / 2
        xa, xb = min(xa, middle - gap / 2 - wa), max(xb, middle + gap / 2)
    xb = min(xb, right - wb)
    xa = max(min(xa, xb - gap - wa), frame.type.side + wide(frame.what, frame.type.tick) + gap)
    xb = max(xb, xa + wa + gap)
    sheet.text(xa, y, a, size, ca, "Semibold")
    sheet.text(xb, y, b, size, cb, "Semibold")


def arrows(plot: ArrowPlot, look: Look) -> Sheet:
    """Draw what the original would disclose (ring) and what the synthetic data do (diamond), a row a target."""
    type_ = TYPES[look.size]
    one, other = look.mark("original"), look.mark("synthetic")
    end, step = round_end(plot.furthest)
    digits = 1
    number_wide = max(
        wide(number(v, digits), type_.value, "Semibold")
        for row in plot.rows
        for v in (row.original, row.synthetic, *(row.before or ()))
    )
    need = type_.half + type_.gap + number_wide
    flags = [_short(row.flag) for row in plot.rows if row.flag]
    flag_wide = max([wide(f, type_.value) for f in flags] + [wide("flag", type_.tick)]) if flags else 0.0
    quiet = [row.left_out for row in plot.rows]

    def framed(two: Sequence[bool]) -> tuple[Frame, Scale]:
        frame = Frame(look, [row.target for row in plot.rows], quiet, two, plot.more, plot.unit)
        right = frame.right - flag_wide - (2.2 if flags else 0)
        pairs = [(row.original, row.synthetic, row.low, row.high, *(row.before or ())) for row in plot.rows]
        ends = min(min(p) for p in pairs), max(max(p) for p in pairs)
        return frame, _scale(frame.left, right, *ends, end, step, need)

    def apart(row: ArrowRow, scale: Scale) -> bool:
        """Whether what stood before finds room on the row itself."""
        if row.before is None:
            return True
        now, was = sorted((row.original, row.low, row.high)), sorted(row.before)
        return min(abs(scale.at(was[0]) - scale.at(now[-1])), abs(scale.at(now[0]) - scale.at(was[1]))) > 2 * need and (
            was[0] > now[-1] or was[1] < now[0]
        )

    frame, scale = framed([False] * len(plot.rows))
    two = [not apart(row, scale) for row in plot.rows]
    if any(two):
        frame, scale = framed(two)
    sheet = frame.sheet()
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    frame.under(sheet, scale.x)
    if flags:
        sheet.text(frame.right - flag_wide, frame.head, "flag", type_.tick, SOFT)
    for row, arrow, dy, below, second in zip(
        plot.rows, plot.arrows, frame.stack.y, frame.stack.below, two, strict=True
    ):
        y = frame.top + dy
        if row.before is not None:
            _before(sheet, scale, row.before, frame.top + below if second else y, type_, look)
        low, high = scale.at(row.low), scale.at(row.high)
        if plot.n_syntheses > 1 and high - low > 0.2:
            sheet.band(low, high, y, type_.mark * PT * 0.86, look.band)
        left = row.synthetic <= row.original
        x, x0 = scale.at(row.synthetic), scale.at(row.original)
        edge = max(x + type_.half, high) if left else min(x - type_.half, low)
        if arrow and (x0 - edge) * (1 if left else -1) > type_.half:
            sheet.arrow(x0, edge, y, type_.line, type_.mark * PT * 0.78)
        sheet.mark(x0, y, "o", type_.mark, "white", one.colour, type_.line * 1.55)
        sheet.mark(x, y, "D", type_.mark * 0.82, other.colour, "white", type_.line * 0.5, z=5)
        away = type_.half + type_.gap
        ends = [
            (row.synthetic, min(x - away, low - type_.gap) if left else max(x + away, high + type_.gap), left, True),
            (row.original, x0 + away if left else x0 - away, not left, False),
        ]
        if left and x0 <= high:  # the ring lies on the range, whose end the number has to clear
            ends[1] = (row.original, max(x0 + away, high + type_.gap), False, False)
        for value, place, goes_left, synthetic in ends:
            sheet.value(
                place, y, number(value, digits), type_.value, (other if synthetic else one).word,
                "Semibold" if synthetic else "Regular", "right" if goes_left else "left",
            )  # fmt: skip
        if row.flag:
            sheet.value(frame.right - flag_wide, y, _short(row.flag), type_.value)
    first = plot.rows[0]
    words = [
        (f"{plot.synthetic} (synthetic)", first.synthetic, other.word),
        (f"{plot.original} (original)", first.original, one.word),
    ]
    _words(sheet, frame, scale, words, frame.right - flag_wide - (1.6 if flags else 0), frame.head)
    return sheet


def _short(flag: str) -> str:
    return flag.replace("1- and 2-way", "1-, 2-way")


def _before(sheet: Sheet, scale: Scale, pair: tuple[float, float], y: float, type_: Type, look: Look) -> None:
    """Draw what stood before exclusions: smaller hollow marks on a dotted line."""
    was, now = pair
    thin, half = type_.line * 0.9, type_.half * 0.8
    left = now <= was
    xs = scale.at(now), scale.at(was)
    sheet.line(xs, (y, y), ROD, thin, z=0.9, linestyle=(0, (1, 1.8)))
    sheet.mark(xs[1], y, "o", type_.mark * 0.8, "white", look.mark("original").colour, thin * 0.75)
    sheet.mark(xs[0], y, "D", type_.mark * 0.64, "white", look.mark("synthetic").colour, thin * 0.75)
    away = half + type_.gap
    sheet.value(xs[1] + (away if left else -away), y, number(was), type_.value, SOFT, side="left" if left else "right")
    sheet.value(xs[0] - (away if left else -away), y, number(now), type_.value, SOFT, side="right" if left else "left")
    if abs(xs[0] - xs[1]) > wide(f" {BEFORE} ", type_.note, "It") + 3 * half:
        sheet.value(sum(xs) / 2, y, BEFORE, type_.note, SOFT, "It", "center")


def outside(plot: OutsidePlot, look: Look) -> Sheet:
    """Draw members (diamond) against people outside (upright bar); the difference with its interval at the right."""
    type_ = TYPES[look.size]
    members, others = look.mark("synthetic"), look.mark("outside")
    rows = plot.rows
    unit = plot.unit
    frame = Frame(
        look, [row.target for row in rows], [""] * len(rows), [False] * len(rows), plot.more, unit,
        heads=1 if type_.intervals else 2,
    )  # fmt: skip
    number_wide = max(wide(number(v), type_.value, "Semibold") for row in rows for v in (row.members, row.outside))
    need = type_.half + type_.gap + number_wide
    # From the right: the interval in words, the difference, and the intervals as bars where there is room.
    spans = [f"{number(row.low)} to {number(row.high)}" for row in rows]
    span_wide = max(wide(text, type_.value) for text in spans)
    x_span = frame.right
    x_difference = x_span - max(span_wide, wide("95 % interval", type_.tick) * type_.intervals) - 1.2 * type_.gap - 0.6
    difference_wide = max(wide(number(row.difference), type_.value, "Semibold") for row in rows)
    if type_.intervals:
        difference_wide = max(difference_wide, wide("difference", type_.label, "Semibold"))
    right = x_difference - difference_wide - 2.5 * type_.gap
    sheet = frame.sheet()
    forest = None
    if type_.intervals:
        low, high = plot.differences
        room = 0.04 * (high - low or 1.0)
        wide_ = look.width * 0.2
        _, step = round_end((high - low) or 1.0, 4)
        per = wide_ / (high - low + 2 * room)
        forest = Scale(right - wide_ - per * (low - room), per, low - room, high + room, step)
        forest.draw(sheet, frame.top, frame.bottom, type_.tick, "")
        label = "percentage points more among members"
        x = min(forest.at(low - room), frame.right - wide(label, type_.tick))
        sheet.text(x, frame.bottom + type_.tick * PT * 2.45, label, type_.tick, SOFT)
        right = right - wide_ - 2.2 * type_.gap
    end, step = round_end(plot.furthest, 6 if type_.intervals else 4)
    least = min(min(row.members, row.outside) for row in rows)
    furthest = max(max(row.members, row.outside) for row in rows)
    scale = _scale(frame.left, right, least, furthest, end, step, need)
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    if forest is None or scale.x + wide(frame.units[0], type_.tick) < forest.at(forest.start) - 1:
        frame.under(sheet, scale.x)
    else:
        sheet.text(type_.side, frame.bottom + type_.tick * PT * 2.45, unit, type_.tick, SOFT)
    dashed: dict[str, Any] = {"linestyle": (0, (3, 2))}
    if plot.absolute is not None:
        sheet.line((scale.at(plot.absolute),) * 2, (frame.top, frame.bottom), INK, 0.7, **dashed)
    if plot.relative is not None and forest is not None:
        sheet.line((forest.at(plot.relative),) * 2, (frame.top, frame.bottom), INK, 0.7, **dashed)
    first = frame.head - (0 if type_.intervals else type_.label * 1.12 * PT)
    sheet.text(
        x_difference if type_.intervals else x_span, first, "difference", type_.label, INK, "Semibold", side="right"
    )
    sheet.text(x_span, frame.head, "95 % interval", type_.tick, SOFT, side="right")
    for row, span, dy in zip(rows, spans, frame.stack.y, strict=True):
        y = frame.top + dy
        x, x0 = scale.at(row.members), scale.at(row.outside)
        sheet.line((x0, x), (y, y), ROD, type_.line, z=2)
        tall = type_.mark * PT * 0.8  # taller than the diamond, which so never hides it
        sheet.line((x0, x0), (y - tall, y + tall), others.word, type_.line * 1.7, z=4)
        sheet.mark(x, y, "D", type_.mark * 0.82, members.colour, "white", type_.line * 0.5, z=5)
        leads = row.members >= row.outside
        away = type_.half + type_.gap
        for value, place, colour, goes_right, weight in (
            (row.members, x, members.word, leads, "Semibold"),
            (row.outside, x0, others.word, not leads, "Regular"),
        ):
            sheet.value(
                place + (away if goes_right else -away), y, number(value), type_.value, colour, weight,  # type: ignore[arg-type]
                "left" if goes_right else "right",
            )  # fmt: skip
        ink = INK if row.shown else SOFT
        if forest is not None:
            ends = forest.at(row.low), forest.at(row.high)
            sheet.line(ends, (y, y), INK if row.shown else ZERO, type_.line * 1.5, z=2)
            sheet.mark(
                forest.at(row.difference), y, "o", type_.mark * 0.62, INK if row.shown else "white",
                INK if row.shown else "#6E6E6E", type_.line,
            )  # fmt: skip
            aside = type_.mark * PT * 0.75
            for part, begin, end_ in row.segments:
                x_begin, x_end = sorted((forest.at(begin), forest.at(end_)))
                sheet.band(x_begin, x_end, y - aside, type_.line * PT * 2, look.mark(PARTS[part]).colour)
            if row.same is not None:
                m, *of_m = (forest.at(x) for x in row.same)
                sheet.line((of_m[0], of_m[1]), (y + aside, y + aside), members.colour, type_.line, z=2)
                sheet.mark(m, y + aside, "D", type_.mark * 0.4, "white", members.colour, type_.line * 0.8)
        sheet.value(
            x_difference, y, number(row.difference), type_.value, ink, "Semibold" if row.shown else "Regular", "right"
        )
        sheet.value(x_span, y, span, type_.value, SOFT, side="right")
    top = rows[0]
    words = [("members", top.members, members.word), ("people outside", top.outside, others.word)]
    _words(sheet, frame, scale, words, right + (0 if type_.intervals else 2), frame.head)
    return sheet
