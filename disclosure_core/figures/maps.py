"""The risk-utility map in print: every set named at its mark, or beside the frame where names would meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.figures.frame import Type, type_of
from disclosure_core.figures.letters import PT, Weight, lacking, lead, shortened, wide, wrapped
from disclosure_core.figures.palette import of_set
from disclosure_core.figures.sheet import GRID, INK, ROD, SOFT, TALLEST, ZERO, Scale, Sheet, number, round_end

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.risk_utility import MapPlot, MapPoint

    Box = tuple[float, float, float, float]
    """Left, top, right and bottom, mm."""

LINES = 3
"""Lines of a name at most; a longer one loses its middle, and stands whole beneath."""

AWAY = 5.0
"""From the frame to the names beside it, mm: room for the lines that lead to them."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where numbers lie: the scale across, and the ends of that upwards, mm and in its unit."""

    scale: Scale
    top: float
    bottom: float
    right: float
    low: float
    high: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point lies, mm."""
        return self.scale.at(x), self.bottom - (y - self.low) / (self.high - self.low) * (self.bottom - self.top)


def risk_map(plot: MapPlot, look: Look) -> Sheet:
    """Draw a mark a set, a small one a synthesis; names stand at the marks, or beside the frame with leading lines."""
    type_, width = type_of(look), look.width - 2 * type_of(look).side
    size = type_.tick
    named = [plot.points[i] for i in plot.names_of]
    apart = lead((p.label for p in named), 1.2) * size * PT
    short = shortened([p.label for p in named], min(type_.names, 0.34 * look.width), size, LINES)
    labels = [wrapped(short[p.label], min(type_.names, 0.34 * look.width), size) for p in named]
    labels = [[*lines[:-1], f"{lines[-1]} {p.figure}"] for lines, p in zip(labels, named, strict=True)]
    notes = [f"{cut}: {name}" for name, cut in short.items() if cut != name]
    notes += [text for text in (plot.more, lacking([*(p.label for p in plot.points), look.title])) if text]
    explained = _explained(plot, look)
    kept = [line for note in notes for line in wrapped(note, width, type_.note)]
    beneath = kept + [line for each in explained for line in wrapped(each.beneath, width, type_.note)]
    titles = wrapped(look.title, width, type_.title, "Semibold") if look.title else []
    up, across = wrapped(plot.y_unit, width, size), wrapped(plot.x_unit, width, size)
    top = type_.side + len(titles) * type_.title * 1.14 * PT + (2 if titles else 0)
    y0 = top + len(up) * size * 1.35 * PT + 2 + type_.half
    foot = _foot(type_, len(across), len(beneath))  # as if all that is explained had no room in the frame
    tall = 0.5 * look.width if look.height is None else max(look.height - y0 - foot, 20.0)
    sizes = [(max(wide(line, size, "Semibold") for line in lines), len(lines) * apart) for lines in labels]
    frame = _framed(plot, look, y0, y0 + tall, 0.0)
    places, boxes = _placed(plot, explained, named, sizes, frame, type_.half)
    fits = True
    if boxes is None:
        needed = sum(h for _, h in sizes) + 0.4 * apart * len(sizes)
        if look.height is None:
            tall = max(tall, needed)
        fits = needed <= tall + 0.01
        aside = max(w for w, _ in sizes) + AWAY
        frame = _framed(plot, look, y0, y0 + tall, aside)
        places, _ = _placed(plot, explained, [], [], frame, type_.half)
    beneath = kept + [
        line
        for each, place in zip(explained, places, strict=True)
        if place is None
        for line in wrapped(each.beneath, width, type_.note)
    ]
    foot = _foot(type_, len(across), len(beneath))
    height = y0 + tall + foot
    sheet = Sheet(look.width, look.height or height)
    sheet.fits = fits and height <= (look.height or TALLEST) + 0.01
    for i, line in enumerate(titles):
        sheet.text(type_.side, type_.side + (i + 0.82) * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold")
    y = top
    for line in up:
        y += size * 1.35 * PT
        sheet.text(type_.side, y, line, size, SOFT)
    _axes(sheet, frame, size)
    _behind(sheet, plot, look, frame)
    for each, place in zip(explained, places, strict=True):
        if place is not None:
            sheet.text(place[0], place[1] + 0.8 * each.tall, each.words, size, each.colour, each.weight)
    if boxes is None:
        boxes = _names_at_the_right(sheet, named, sizes, frame, type_.half)
    _marks(sheet, plot, look, frame)
    for i, lines, (x, box_top, *_) in zip(plot.names_of, labels, boxes, strict=True):
        for k, line in enumerate(lines):
            sheet.text(x, box_top + (k + 0.78) * apart, line, size, look.mark(of_set(i)[0]).word, "Semibold")
    y = frame.bottom + size * PT * 1.4
    for line in across:
        y += size * 1.3 * PT
        start = max(min(frame.scale.x, look.width - type_.side - wide(line, size)), type_.side)
        sheet.text(start, y, line, size, SOFT)
    y += 1
    for line in beneath:
        y += type_.note * 1.3 * PT
        sheet.text(type_.side, y, line, type_.note, SOFT)
    return sheet


def _framed(plot: MapPlot, look: Look, top: float, bottom: float, aside: float) -> _Frame:
    """Return the frame, with `aside` mm on its right for names."""
    type_ = type_of(look)
    ys = [v for p in plot.points for v in (p.low, p.high, *(y for _, y in p.each), *plot.rings(p))]
    xs = [v for p in plot.points for v in (p.x, *(x for x, _ in p.each))]
    low, (high, _) = min([0.0, *ys]), round_end(max([1.0, plot.line or 0.0, *ys]), 6)
    left = type_.side + max(wide(number(v, digits), type_.tick) for v in (low, high) for digits in (0, 1)) + 2
    end, step = round_end(max([1.0, *xs]), 6)
    right = look.width - type_.side - max(aside, wide(number(end), type_.tick), type_.half)
    return _Frame(Scale(left, (right - left) / end, 0.0, end, step), top, bottom, right, low, high)


def _axes(sheet: Sheet, frame: _Frame, size: float) -> None:
    frame.scale.draw(sheet, frame.top, frame.bottom, size, "")
    left = frame.scale.x
    _, step = round_end(frame.high, min(6, max(1, int((frame.bottom - frame.top) / (size * PT * 1.7)))))
    k = int(frame.low // step) + (frame.low % step > 0)
    while k * step <= frame.high + 1e-9:
        _, y = frame.at(0, k * step)
        sheet.line((left, frame.right), (y, y), GRID if k else ZERO, 0.5, z=0)
        text = number(k * step, 0 if step >= 1 else 1)
        middle = size * PT * 0.33 if y < frame.bottom - 0.01 else 0.0  # in the corner it stands above the other axis' 0
        sheet.text(left - 1, y + middle, text, size, SOFT, side="right")
        k += 1


def _behind(sheet: Sheet, plot: MapPlot, look: Look, frame: _Frame) -> None:
    """Draw the better corner, where a correct synthesis stands, and what the original itself would disclose."""
    left = frame.scale.x
    if plot.corner is not None:
        x, y = frame.at(*plot.corner)
        sheet.box(left, y, x - left, frame.bottom - y, "#F2F2F2" if look.grey else "#EAF4F1", "none", 0, z=-1)
    one = frame.scale.at(1)
    sheet.line((one, one), (frame.top, frame.bottom), ROD, 0.6, z=0.4, linestyle=(0, (1, 2)))
    if plot.line is not None:
        _, y = frame.at(0, plot.line)
        sheet.line((left, frame.right), (y, y), look.mark("original").colour, 1.1, z=1)


def _foot(type_: Type, n_across: int, n_beneath: int) -> float:
    """Return how tall is what stands below the frame, by its lines."""
    notes = n_beneath * type_.note * 1.3 * PT + 1 if n_beneath else 0
    return type_.tick * PT * (1.7 + 1.3 * n_across) + type_.side + notes


@dataclass(frozen=True, slots=True)
class _Explained:
    """Words on what lies behind the marks: within the frame where they have room, else beneath it."""

    what: str
    words: str
    beneath: str
    colour: str
    weight: Weight
    wide: float
    tall: float

    def places(self, plot: MapPlot, frame: _Frame) -> list[Box]:
        """Return where they can stand, the best first."""
        w, h, left, one = self.wide, self.tall, frame.scale.x + 1, frame.scale.at(1)
        if self.what == "corner":
            x, y = frame.at(*plot.corner) if plot.corner else (left, frame.bottom)
            fits = x - left >= w and frame.bottom - y >= h + 0.6
            return [(left, frame.bottom - h - 0.6, left + w, frame.bottom - 0.6)] if fits else []
        if self.what == "one":
            tops = (frame.top + 0.3, frame.bottom - h - 0.6)
            corners = [(x, top) for top in tops for x in (one + 0.8, one - 0.8 - w)]
        else:
            _, y = frame.at(0, plot.line or 0.0)
            corners = [(x, top) for top in (y - h - 0.3, y + 0.5) for x in (frame.right - w, left)]
        boxes = [(x, top, x + w, top + h) for x, top in corners]
        return [box for box in boxes if _inside(box, frame)]


def _explained(plot: MapPlot, look: Look) -> list[_Explained]:
    size, mark = type_of(look).tick, look.mark("original")
    found: list[tuple[str, str, str, str, Weight]] = []
    if plot.line is not None:
        words = f"the original itself ({plot.measure}): {number(plot.line)}"
        found.append(("line", words, f"Line: {words}", mark.word, "Semibold"))
    found.append(("one", "1: as a correct synthesis", "Dotted, at 1: as a correct synthesis", SOFT, "Regular"))
    if plot.corner is not None:
        colour = look.mark("second").word
        found.append(("corner", plot.corner_words, f"Shaded: {plot.corner_words}", colour, "Semibold"))
    return [_Explained(*each, wide(each[1], size, each[4]), size * PT * 1.15) for each in found]


def _marks(sheet: Sheet, plot: MapPlot, look: Look, frame: _Frame) -> None:
    type_ = type_of(look)
    for x, y in {(p.x, y) for p in plot.points for y in plot.rings(p)}:
        sheet.mark(*frame.at(x, y), "o", type_.mark * 0.85, "white", look.mark("original").colour, type_.line, z=2)
    for i, p in enumerate(plot.points):
        side, _, shape = of_set(i)
        ink = look.mark(side).colour if i in plot.names_of else ROD
        here = frame.at(p.x, p.y)
        if p.began is not None and p.began != (p.x, p.y):
            began = frame.at(*p.began)
            sheet.line((began[0], here[0]), (began[1], here[1]), ROD, type_.line, z=2)
        for each in p.each:
            sheet.mark(*frame.at(*each), "o", type_.mark * 0.35, ink, "white", 0.2, z=3)
        if p.interval is not None:
            ends = [frame.at(p.x, end)[1] for end in p.interval]
            sheet.line((here[0], here[0]), ends, ink, type_.line, z=3)
        size = type_.mark * (1.0 if shape == "^" else 0.8)
        face = ink if p.told or p.reference else "white"
        sheet.mark(*here, "X" if p.reference else shape, size, face, ink, type_.line * 0.9)


def _placed(
    plot: MapPlot,
    explained: list[_Explained],
    named: list[MapPoint],
    sizes: list[tuple[float, float]],
    frame: _Frame,
    half: float,
) -> tuple[list[Box | None], list[Box] | None]:
    """Return where what is explained stands, and each name at its mark, clear of all marks and of one another.

    Names come first; no names where one has no room.
    """
    taken = _occupied(plot, frame, half)
    one, boxes = frame.scale.at(1), _at_marks(named, sizes, frame, half, taken)
    taken += boxes or []
    dotted = (one - 0.2, frame.top, one + 0.2, frame.bottom)
    lines = [] if plot.line is None else [frame.at(0, plot.line)[1]]
    level = [(frame.scale.x, y - 0.2, frame.right, y + 0.2) for y in lines]
    places: list[Box | None] = []
    for each in explained:
        clear = [*taken, *([] if each.what == "line" else level), *([] if each.what == "one" else [dotted])]
        free = (box for box in each.places(plot, frame) if not any(_meet(box, other) for other in clear))
        if (place := next(free, None)) is not None:
            taken.append(place)
        places.append(place)
    return places, boxes


def _occupied(plot: MapPlot, frame: _Frame, half: float) -> list[Box]:
    """Return where the marks lie, and the lines that join them."""
    taken = [_around(*frame.at(p.x, y), half) for p in plot.points for y in (p.y, *plot.rings(p))]
    taken += [_around(*frame.at(*each), 0.45 * half) for p in plot.points for each in p.each]
    for p in plot.points:
        if p.interval is not None:
            x, _ = frame.at(p.x, p.y)
            taken.append((x - 0.3, frame.at(p.x, p.high)[1], x + 0.3, frame.at(p.x, p.low)[1]))
        if p.began is not None:  # the line that joins a set to where it began
            (xa, ya), (xb, yb) = frame.at(*p.began), frame.at(p.x, p.y)
            taken += [_around(xa + (xb - xa) * k / 40, ya + (yb - ya) * k / 40, 0.3) for k in range(41)]
    return taken


def _around(x: float, y: float, r: float) -> Box:
    return x - r, y - r, x + r, y + r


def _at_marks(
    named: list[MapPoint], sizes: list[tuple[float, float]], frame: _Frame, half: float, marks: list[Box]
) -> list[Box] | None:
    """Return where each name stands at its mark, clear of all marks and of the other names; None where one cannot."""
    taken = list(marks)
    found: list[Box] = []
    for p, (w, h) in zip(named, sizes, strict=True):
        x, y = frame.at(p.x, p.y)
        d = half + 0.6
        places = [
            (x + d, y - h / 2),
            (x - d - w, y - h / 2),
            (x + d * 0.6, y - d - h),
            (x + d * 0.6, y + d),
            (x - d * 0.6 - w, y - d - h),
            (x - d * 0.6 - w, y + d),
            (x - w / 2, y - d - h),
            (x - w / 2, y + d),
        ]
        boxes = [(a, b, a + w, b + h) for a, b in places]
        free = next((box for box in boxes if _inside(box, frame) and not any(_meet(box, t) for t in taken)), None)
        if free is None:
            return None
        found.append(free)
        taken.append(free)
    return found


def _inside(box: Box, frame: _Frame) -> bool:
    return box[0] > frame.scale.x + 0.5 and box[2] <= frame.right and box[1] > frame.top and box[3] < frame.bottom - 0.5


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _names_at_the_right(
    sheet: Sheet, named: list[MapPoint], sizes: list[tuple[float, float]], frame: _Frame, half: float
) -> list[Box]:
    """Return names in a column right of the frame, in the order of their marks' heights, and draw what leads there."""
    order = sorted(range(len(named)), key=lambda i: frame.at(named[i].x, named[i].y)[1])
    room = frame.bottom - frame.top
    gap = max((room - sum(h for _, h in sizes)) / len(sizes), 0.0)
    gap = min(gap, 0.8)
    tops = _spread(
        [frame.at(named[i].x, named[i].y)[1] - sizes[i][1] / 2 for i in order],
        [sizes[i][1] + gap for i in order],
        frame.top,
        frame.bottom,
    )
    boxes: dict[int, Box] = {}
    left = frame.right + AWAY
    for i, top in zip(order, tops, strict=True):
        w, h = sizes[i]
        boxes[i] = (left, top, left + w, top + h)
        x, y = frame.at(named[i].x, named[i].y)
        middle = top + h / 2
        sheet.line((x + half, frame.right, left - 0.6), (y, y, middle), ROD, 0.4, z=1)
    return [boxes[i] for i in range(len(named))]


def _spread(wanted: list[float], tall: list[float], top: float, bottom: float) -> list[float]:
    """Return tops as near to those wanted as can be, one after the other, within the frame that has room for all."""
    found: list[float] = []
    free = top
    for want, high in zip(wanted, tall, strict=True):
        found.append(max(want, free))
        free = found[-1] + high
    end = bottom
    for i in range(len(found) - 1, -1, -1):
        found[i] = min(found[i], end - tall[i])
        end = found[i]
    return found
