"""The risk-utility map in print: every set named at its mark, or beside the frame where names would meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.figures.frame import TYPES
from disclosure_core.figures.letters import PT, lacking, lead, shortened, wide, wrapped
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
    type_, width = TYPES[look.size], look.width - 2 * TYPES[look.size].side
    size = type_.tick
    named = [plot.points[i] for i in plot.names_of]
    apart = lead((p.label for p in named), 1.2) * size * PT
    short = shortened([p.label for p in named], min(type_.names, 0.34 * look.width), size, LINES)
    labels = [wrapped(short[p.label], min(type_.names, 0.34 * look.width), size) for p in named]
    notes = [f"{cut}: {name}" for name, cut in short.items() if cut != name]
    notes += [text for text in (plot.more, lacking([*(p.label for p in plot.points), look.title])) if text]
    beneath = [line for note in notes for line in wrapped(note, width, type_.note)]
    titles = wrapped(look.title, width, type_.title, "Semibold") if look.title else []
    up, across = wrapped(plot.y_unit, width, size), wrapped(plot.x_unit, width, size)
    key = _key(plot, width, size)
    top = type_.side + len(titles) * type_.title * 1.14 * PT + (2 if titles else 0)
    y0 = top + (len(up) + len(key)) * size * 1.35 * PT + 2 + type_.half
    foot = size * PT * (1.7 + 1.3 * len(across)) + type_.side
    foot += len(beneath) * type_.note * 1.3 * PT + (1 if beneath else 0)
    tall = 0.5 * look.width if look.height is None else max(look.height - y0 - foot, 20.0)
    sizes = [(max((wide(line, size) for line in lines), default=0.0), len(lines) * apart) for lines in labels]
    frame = _framed(plot, look, y0, y0 + tall, 0.0)
    boxes = _at_marks(plot, named, sizes, frame, type_.half)
    fits = True
    if boxes is None:
        needed = sum(h for _, h in sizes) + 0.4 * apart * len(sizes)
        if look.height is None:
            tall = max(tall, needed)
        fits = needed <= tall + 0.01
        aside = max(w for w, _ in sizes) + AWAY
        frame = _framed(plot, look, y0, y0 + tall, aside)
    height = y0 + tall + foot
    sheet = Sheet(look.width, look.height or height)
    sheet.fits = fits and height <= (look.height or TALLEST) + 0.01
    for i, line in enumerate(titles):
        sheet.text(type_.side, type_.side + (i + 0.82) * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold")
    y = top
    for entries in key:
        y += size * 1.35 * PT
        for mark, words, x in entries:
            _mark(sheet, look, mark, type_.side + x + 1.5, y - size * PT * 0.3, 0.8)
            sheet.text(type_.side + x + 4, y, words, size, SOFT)
    for line in up:
        y += size * 1.35 * PT
        sheet.text(type_.side, y, line, size, SOFT)
    _axes(sheet, frame, size)
    if boxes is None:
        boxes = _beside(sheet, named, sizes, frame, type_.half)
    _marks(sheet, plot, look, frame)
    for lines, (x, box_top, *_) in zip(labels, boxes, strict=True):
        for k, line in enumerate(lines):
            sheet.text(x, box_top + (k + 0.78) * apart, line, size, INK)
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
    type_ = TYPES[look.size]
    ys = [v for p in plot.points for v in (p.low, p.high, *(y for _, y in p.each), *p.rings)]
    xs = [v for p in plot.points for v in (p.x, *(x for x, _ in p.each))]
    low, (high, _) = min([0.0, *ys]), round_end(max([1.0, *ys]), 6)
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


def _of(plot: MapPlot, i: int) -> str:
    """Return what the mark of a point is: "set", "safer" or "original"."""
    p = plot.points[i]
    return "original" if p.reference else "set" if p.began is None else "safer"


def _mark(sheet: Sheet, look: Look, kind: str, x: float, y: float, times: float = 1.0, colour: str = "") -> None:
    """Draw one mark: of a set, of one after safeguards, of the original itself, of a ring, or of a synthesis."""
    type_, one, other = TYPES[look.size], look.mark("original").colour, colour or look.mark("synthetic").colour
    size = type_.mark * 0.85 * times
    if kind == "ring":
        sheet.mark(x, y, "o", size, "white", one, type_.line, z=2)
    elif kind == "each":
        sheet.mark(x, y, "o", type_.mark * 0.35, other, "white", 0.2, z=3)
    elif kind == "safer":
        sheet.mark(x, y, "s", size, "white", other, type_.line)
    else:
        sheet.mark(x, y, "X" if kind == "original" else "D", size, other, "white", type_.line)


def _marks(sheet: Sheet, plot: MapPlot, look: Look, frame: _Frame) -> None:
    type_, colour = TYPES[look.size], look.mark("synthetic").colour
    for x, y in {(p.x, y) for p in plot.points for y in p.rings}:
        _mark(sheet, look, "ring", *frame.at(x, y))
    for i, p in enumerate(plot.points):
        ink = colour if i in plot.names_of else ROD
        here = frame.at(p.x, p.y)
        if p.began is not None and p.began != (p.x, p.y):
            began = frame.at(*p.began)
            sheet.line((began[0], here[0]), (began[1], here[1]), ROD, type_.line, z=2)
        for each in p.each:
            _mark(sheet, look, "each", *frame.at(*each), colour=ink)
        if p.interval is not None:
            ends = [frame.at(p.x, end)[1] for end in p.interval]
            sheet.line((here[0], here[0]), ends, ink, type_.line, z=3)
        _mark(sheet, look, _of(plot, i), *here, colour=ink)


def _key(plot: MapPlot, room: float, size: float) -> list[list[tuple[str, str, float]]]:
    """Return what each mark means, in lines: the mark, its words, and where it begins, mm."""
    kinds = {_of(plot, i) for i in range(len(plot.points))}
    entries = [("set", "a set, mean of its syntheses")] if "set" in kinds else []
    entries += [("safer", "after safeguards")] if "safer" in kinds else []
    entries += [("original", "the original itself")] if "original" in kinds else []
    entries += [("each", "each synthesis")] if any(p.each for p in plot.points) else []
    rings = plot.measure is not None and any(p.rings for p in plot.points)
    entries += [("ring", f"{plot.measure} of the original")] if rings else []
    lines: list[list[tuple[str, str, float]]] = []
    x = room
    for mark, words in entries:
        long = 4 + wide(words, size)
        if x + long > room:
            lines.append([])
            x = 0.0
        lines[-1].append((mark, words, x))
        x += long + 4
    return lines


def _at_marks(
    plot: MapPlot, named: list[MapPoint], sizes: list[tuple[float, float]], frame: _Frame, half: float
) -> list[Box] | None:
    """Return where each name stands at its mark, clear of all marks and of the other names; None where one cannot."""

    def around(x: float, y: float, r: float) -> Box:
        return x - r, y - r, x + r, y + r

    taken = [around(*frame.at(p.x, y), half) for p in plot.points for y in (p.y, *p.rings)]
    taken += [around(*frame.at(*each), 0.45 * half) for p in plot.points for each in p.each]
    for p in plot.points:
        if p.interval is not None:
            x, _ = frame.at(p.x, p.y)
            taken.append((x - 0.3, frame.at(p.x, p.high)[1], x + 0.3, frame.at(p.x, p.low)[1]))
        if p.began is not None:  # the line that joins a set to where it began
            (xa, ya), (xb, yb) = frame.at(*p.began), frame.at(p.x, p.y)
            taken += [around(xa + (xb - xa) * k / 40, ya + (yb - ya) * k / 40, 0.3) for k in range(41)]
    found: list[Box] = []
    for p, (w, h) in zip(named, sizes, strict=True):
        x, y = frame.at(p.x, p.y)
        d = half + 0.6
        places = [
            (x + d, y - h / 2), (x - d - w, y - h / 2), (x + d * 0.6, y - d - h), (x + d * 0.6, y + d),
            (x - d * 0.6 - w, y - d - h), (x - d * 0.6 - w, y + d), (x - w / 2, y - d - h), (x - w / 2, y + d),
        ]  # fmt: skip
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


def _beside(
    sheet: Sheet, named: list[MapPoint], sizes: list[tuple[float, float]], frame: _Frame, half: float
) -> list[Box]:
    """Return names in a column right of the frame, in the order of their marks' heights, and draw what leads there."""
    order = sorted(range(len(named)), key=lambda i: frame.at(named[i].x, named[i].y)[1])
    room = frame.bottom - frame.top
    gap = max((room - sum(h for _, h in sizes)) / len(sizes), 0.0)
    gap = min(gap, 0.8)
    tops = _spread([frame.at(named[i].x, named[i].y)[1] - sizes[i][1] / 2 for i in order],
                   [sizes[i][1] + gap for i in order], frame.top, frame.bottom)  # fmt: skip
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
