"""Bars, growth and lines in print, on a sheet in millimetres."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

from disclosure_core.figures.frame import Frame, Type, type_of
from disclosure_core.figures.letters import PT, wide, wrapped
from disclosure_core.figures.sheet import GRID, INK, SOFT, TALLEST, ZERO, Scale, Sheet, digits_of, number, round_end

if TYPE_CHECKING:
    from disclosure_core.figures.keys_added import GrowthPlot
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.palette import Mark
    from disclosure_core.figures.shapes import BarPlot, Curve, CurvePlot

LEAST = 9.0
"""Height of a frame of lines on a slide at least, mm."""

_DASHES = {
    "solid": "-",
    "dash": (0, (4, 1.8)),
    "dot": (0, (1, 1.5)),
    "dashdot": (0, (4, 1.4, 1, 1.4)),
    "long": (0, (8, 2)),
    "dashdotdot": (0, (4, 1.4, 1, 1.4, 1, 1.4)),
    "short": (0, (2, 1.2)),
}
_SHAPES = {
    "circle-open": "o",
    "diamond": "D",
    "line-ns": "|",
    "square-open": "s",
    "triangle-up": "^",
    "square": "s",
    "circle": "o",
}


def bars(plot: BarPlot, look: Look) -> Sheet:
    """Draw bars from top to bottom, upright ones too: labels find room, and a distribution reads as well."""
    type_ = type_of(look)

    def framed(heads: int) -> Frame:
        none, no = [""] * len(plot.bars), [False] * len(plot.bars)
        names = [bar.label for bar in plot.bars]
        return Frame(look, names, none, no, plot.more, plot.unit, heads, what=plot.what)

    frame = framed(1)
    beside, h = max(frame.left, type_.side + wide(plot.what, type_.tick) + 3), type_.label * PT * 0.62
    words = [plot.value, plot.whole] if plot.whole else []
    key = _in_lines(words, frame.right - beside, 2.2 * h, type_.value)
    if above := len(key) > 1:
        beside, key = type_.side, _in_lines(words, frame.right - type_.side, 2.2 * h, type_.value)
        frame = framed(1 + len(key))
    largest = max([bar.value for bar in plot.bars] + [bar.whole or 0 for bar in plot.bars] + [plot.reach, 1e-9])
    end, step = round_end(largest)
    ends = [max(bar.value, bar.whole or 0) for bar in plot.bars]
    figures = [bar.figure for bar in plot.bars]
    room = frame.right - frame.left - 1.5
    # The scale ends where the longest bar with its number does.
    per = min((room - wide(w, type_.value) - type_.gap) / max(e, 1e-12) for e, w in zip(ends, figures, strict=True))
    per = min(per, (room - wide(number(end, digits_of(step)), type_.tick) / 2 - wide(" %", type_.tick)) / end)
    scale = Scale(frame.left + 1.5, per, 0.0, end, step)
    sheet = frame.sheet()
    scale.draw(sheet, frame.top, frame.bottom, type_.tick, " %" if plot.unit.startswith("%") else "")
    frame.under(sheet, scale.x)
    for i, line in enumerate(reversed(key), above):
        x, y = beside, frame.head - i * type_.label * 1.12 * PT
        for label in line:
            filled = label == plot.value
            face, edge = _fill(look) if filled else "white", look.mark("synthetic" if filled else plot.side).colour
            sheet.box(x, y - h, 1.6 * h, h, face, edge, 0.8)
            sheet.text(x + 2.2 * h, y, label, type_.value, SOFT)
            x += 2.2 * h + wide(label, type_.value) + 3
    for bar, dy, place, text in zip(plot.bars, frame.stack.y, ends, figures, strict=True):
        y, h = frame.top + dy, frame.pitch * 0.5
        if bar.whole is not None:
            tall = h * 1.45
            sheet.box(scale.x, y - tall / 2, per * bar.whole, tall, "white", look.mark(plot.side).colour, 0.8, z=2)
        face, width = ("white", 1.1) if bar.side == "original" else (_fill(look), 0.6)
        sheet.box(scale.x, y - h / 2, per * bar.value, h, face, look.mark(bar.side).colour, width, z=3)
        sheet.value(scale.at(place) + type_.gap, y, text, type_.value, INK)
    if plot.limit:
        edges = [0.0, *frame.stack.edges]
        whole, part = divmod(plot.limit[0], 1)
        lower = edges[min(int(whole) + 1, len(edges) - 1)]
        y = frame.top + edges[int(whole)] + part * (lower - edges[int(whole)])
        sheet.line((frame.left, frame.right), (y, y), INK, 0.7, z=4, linestyle=(0, (3, 2)))
        sheet.text(frame.right, y - 0.6, plot.limit[1], type_.note, SOFT, side="right")
    return sheet


def _in_lines(words: list[str], room: float, sample: float, size: float) -> list[list[str]]:
    """Return the words of a key in lines, each with a sample before it; none where there are none."""
    lines: list[list[str]] = []
    x = 0.0
    for each in words:
        x += sample + wide(each, size)
        if lines and x <= room:
            lines[-1].append(each)
        else:
            lines.append([each])
            x = sample + wide(each, size)
        x += 3
    return lines


def _fill(look: Look) -> str:
    return "#9A9A9A" if look.grey else look.mark("synthetic").colour


_RING = "circle-open"


def _mark(sheet: Sheet, mark: Mark, place: tuple[float, float], size: float, width: float) -> None:
    """Draw a mark of that size and edge, in points: a ring is white within."""
    face, edge = ("white", mark.colour) if mark.symbol == _RING else (mark.colour, "white")
    sheet.mark(*place, _SHAPES[mark.symbol], size, face, edge, width)


def growth(plot: GrowthPlot, look: Look) -> Sheet:
    """Draw UiO and repU from top to bottom as the keys are added, with their numbers."""
    type_ = type_of(look)
    names = plot.named
    frame = Frame(look, names, [""] * len(names), [False] * len(names), plot.more, plot.unit_words, what="keys known")
    end, step = round_end(plot.furthest)
    need = type_.half + type_.gap + wide(number(plot.furthest), type_.value)
    room = frame.right - frame.left
    away, apart = type_.half + type_.gap, 0.0
    lines = plot.lines[::-1]  # repU, never the larger, stands left where both are equal
    pairs = [sorted(((name, values[i]) for name, values in lines), key=lambda p: p[1]) for i in range(len(names))]
    for _ in range(4):  # again, with room for numbers that would run into a name and have none on the other side
        scale = Scale(frame.left + 2 + type_.half + apart, (room - 2 - type_.half - need - apart) / end, 0.0, end, step)
        lack = [frame.left + type_.gap - scale.at(a) + away + wide(number(a), type_.value) for (_, a), _ in pairs]
        free = [scale.at(b) - scale.at(a) >= 2 * away + wide(number(a), type_.value) for (_, a), (_, b) in pairs]
        told = [after or number(a) == number(b) for after, ((_, a), (_, b)) in zip(free, pairs, strict=True)]
        apart += max([0.0, *(mm for mm, either in zip(lack, told, strict=True) if not either)])
    sheet = frame.sheet()
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    frame.under(sheet, scale.x)
    y = [frame.top + dy for dy in frame.stack.y]
    for name, values in plot.lines:
        mark = look.mark("original" if name == "UiO" else "synthetic")
        x = [scale.at(v) for v in values]
        sheet.line(x, y, mark.colour, type_.line * 1.3, z=3, linestyle=_DASHES[mark.dash])
        size, width = (0.95, 1.55) if mark.symbol == _RING else (0.8, 0.5)
        for at, row in zip(x, y, strict=True):
            _mark(sheet, mark, (at, row), type_.mark * size, type_.line * width)
    for (a, b), row, mm, right in zip(pairs, y, lack, free, strict=True):
        for (name, value), after in ((a, mm > 0.05), (b, True)):
            if (name, value) == a and mm > 0.05 and not right:
                continue  # the same number stands beside the other mark
            word = look.mark("original" if name == "UiO" else "synthetic").word
            place = scale.at(value) + (away if after else -away)
            sheet.value(place, row, number(value), type_.value, word, side="left" if after else "right", z=3.5)
    left = max(frame.left, type_.side + wide("keys known", type_.tick) + 3)
    for name, _ in plot.lines:
        mark = look.mark("original" if name == "UiO" else "synthetic")
        sheet.line((left, left + 6), (frame.head - 1,) * 2, mark.colour, type_.line * 1.3, linestyle=_DASHES[mark.dash])
        sheet.text(left + 7, frame.head, name, type_.label, mark.word, "Semibold")
        left += 10 + wide(name, type_.label, "Semibold")
    return sheet


def curves(plot: CurvePlot, look: Look) -> Sheet:
    """Draw lines with their ranges; several frames stand side by side, with one scale and one key."""
    type_, n = type_of(look), len(plot.panels)
    beside = 1 if n == 1 else min(n, {"column": 2, "page": 4}.get(look.size, 5))
    rows = -(-n // beside)
    width, left_edge = look.width - 2 * type_.side, type_.side
    titles = wrapped(look.title, width, type_.title, "Semibold") if look.title else []
    size, tick = type_.label, type_.tick
    if n > 5 and look.height is not None:
        size, tick = type_.note, 0.8 * type_.tick
    tall = max(plot.highest - plot.lowest, 1e-9)
    end, step = round_end(plot.highest, 5 if n == 1 else 4) if plot.highest > 0 else (0.0, 1.0)
    start = plot.lowest
    digits = max(0, -int(log10(step) // 1)) if step < 1 else 0
    axis = max(wide(number(v, digits), tick) for v in (start, end, end - step)) + 1.5
    gap = 3.0
    ends = _named_at_their_ends(plot, look, type_) if n == 1 else []
    aside = max((wide(name, type_.value, "Semibold") for name in ends), default=0.0)
    each = (width - axis - gap * (beside - 1) - 2 - (aside + 1.5 if ends else 0)) / beside
    heads = [wrapped(panel.title, each, size, "Semibold") for panel in plot.panels] if n > 1 else [[]]
    head = max(map(len, heads)) * size * 1.25 * PT + (1 if n > 1 else 0)
    units = wrapped(plot.unit_words, width, tick)
    entries = [entry for entry in _key(plot, look) if entry[0] not in ends]
    key = _flowed(entries, width, type_.value)
    top = type_.side + len(titles) * type_.title * 1.14 * PT + (2 if titles else 0)
    top += len(key) * type_.value * 1.4 * PT + len(units) * tick * 1.25 * PT + 1.6 + tick * PT
    across = wrapped(plot.across_words, width - axis, tick)
    foot = tick * PT * (3.15 + 1.25 * (len(across) - 1)) + type_.side
    frame = 0.42 * look.width if n == 1 else 0.62 * each
    if look.height is not None:
        frame = max((look.height - top - foot) / rows - head - (2.5 if n > 1 else 0), 6.0)
    height = look.height or top + rows * (head + frame + (2.5 if n > 1 else 0)) + foot
    if plot.highest > 0:  # as many lines as their numbers have room for
        end, step = round_end(plot.highest, max(1, min(5 if n == 1 else 4, int(frame / (tick * PT * 1.7)))))
    sheet = Sheet(look.width, height)
    sheet.fits = frame >= LEAST if look.height is not None else height <= TALLEST
    y = type_.side
    for line in titles:
        sheet.text(left_edge, y + 0.82 * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold")
        y += type_.title * 1.14 * PT
    y += 2 if titles else 0
    for line_ in key:
        x = left_edge
        y += type_.value * 1.4 * PT
        for entry, length in line_:
            _sample(sheet, entry, x, y, type_.value)
            sheet.text(x + 8, y, entry[0], type_.value, SOFT)
            x += length
    y += 0.8
    for unit in units:
        y += tick * 1.25 * PT
        sheet.text(left_edge, y, unit, tick, SOFT)
    places = [log10(a) if plot.log else a for a in plot.at]
    first, last = places[0], places[-1]
    reach = (last - first) or 1.0
    for i, panel in enumerate(plot.panels):
        x0 = left_edge + axis + (i % beside) * (each + gap)
        y1 = top + (i // beside + 1) * (head + frame + (2.5 if n > 1 else 0))
        y0 = y1 - frame
        inset = type_.half if plot.steps else 0.0
        xs = [x0 + inset + (each - 2 * inset) * (p - first) / reach for p in places]
        low, high = min(start, start - 0.02 * tall), max(end, plot.highest)

        def at(value: float, y1: float = y1, low: float = low, high: float = high) -> float:
            return y1 - (value - low) / (high - low) * frame

        if n > 1:
            for j, line in enumerate(reversed(heads[i])):
                sheet.text(x0, y0 - 1 - j * size * 1.25 * PT, line, size, INK, "Semibold")
        k = int(start // step)
        while k * step <= high + 1e-9:
            v = k * step
            if v >= low - 1e-9:
                sheet.line((x0, x0 + each), (at(v), at(v)), GRID if k else ZERO, 0.5 if k else 0.6, z=0)
                if i % beside == 0:
                    sheet.text(x0 - 1, at(v) + tick * PT * 0.33, number(v, digits), tick, SOFT, side="right")
            k += 1
        if i + beside >= n:
            _ticks(sheet, plot, places, (x0, each, inset), y1, tick)
            if i % beside == 0 or n == 1:
                for j, line in enumerate(across):
                    sheet.text(x0, y1 + tick * PT * (2.8 + 1.25 * j), line, tick, SOFT)
        for curve in panel.curves:
            mark = look.mark(curve.side)
            if curve.low:
                low_high = [at(v) for v in curve.low], [at(v) for v in curve.high]
                sheet.area(xs, *low_high, _shade(curve, look), look.hatch(curve.side))
            ys = [at(v) for v in curve.values]
            dash = _DASHES[_dash(plot, curve, look)]
            sheet.line(xs, ys, mark.colour, type_.line * (1.4 if n == 1 else 1.1), z=3, linestyle=dash)
            if plot.steps:
                of_mark = type_.mark * (0.8 if n == 1 else 0.55)
                for place in zip(xs, ys, strict=True):
                    _mark(sheet, mark, place, of_mark, type_.line * 0.6)
        if ends:
            lasts = [at(curve.values[-1]) for curve in panel.curves]
            for curve, y_end in zip(panel.curves, _apart(lasts, type_.value * PT * 1.1, y0, y1), strict=True):
                word = look.mark(curve.side).word
                sheet.text(
                    xs[-1] + inset + 1.5, y_end + type_.value * PT * 0.33, curve.name, type_.value, word, "Semibold"
                )
        if plot.limit:
            p = log10(plot.limit[0]) if plot.log else plot.limit[0]
            x = x0 + inset + (each - 2 * inset) * (p - first) / reach
            sheet.line((x, x), (y0, y1), INK, 0.7, z=2, linestyle=_DASHES["dot"])
    if plot.more:
        sheet.text(look.width - type_.side, height - type_.side - 0.5, plot.more, tick, INK, "It", side="right")
    return sheet


def _named_at_their_ends(plot: CurvePlot, look: Look, type_: Type) -> list[str]:
    """Return the names of lines, where they have room at the lines' ends; else they stand in the key."""
    names = [curve.name for curve in plot.panels[0].curves]
    return names if all(wide(name, type_.value, "Semibold") <= 0.3 * look.width for name in names) else []


def _apart(places: list[float], least: float, top: float, bottom: float) -> list[float]:
    """Return places so far from each other, in their order, near where they were and between two ends."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    found = [max(min(places[i], bottom), top) for i in order]
    for k in range(1, len(found)):
        found[k] = max(found[k], found[k - 1] + least)
    if found and found[-1] > bottom:
        found[-1] = bottom
        for k in range(len(found) - 2, -1, -1):
            found[k] = min(found[k], found[k + 1] - least)
    return [found[order.index(i)] for i in range(len(places))]


def _dash(plot: CurvePlot, curve: Curve, look: Look) -> str:
    """Return how a line is broken: as it is described; in greys, where no marks tell lines apart, as its side is."""
    if look.grey and not plot.steps:
        return look.dash(curve.side)
    return curve.dash or look.mark(curve.side).dash


def _shade(curve: Curve, look: Look) -> str:
    if look.grey:
        return "#DADADA" if curve.side == "original" else "#F2F2F2"
    if pale := look.pale(curve.side):
        return pale
    return {"original": "#C9DFF1", "synthetic": "#F7D9C3", "second": "#C8E6DE"}.get(curve.side, "#DDDDDD")


def _ticks(
    sheet: Sheet, plot: CurvePlot, places: list[float], at: tuple[float, float, float], y: float, size: float
) -> None:
    """Write numbers beneath a frame, none on another."""
    x0, each, inset = at
    first, last = places[0], places[-1]
    reach = (last - first) or 1.0
    if plot.ticks:
        values = list(plot.ticks)
    elif plot.log:
        values = [step * 10.0**power for power in range(9) for step in (1, 2, 5)]
    else:
        _, step = round_end(plot.at[-1] - plot.at[0] or 1.0, 5)
        values = [k * step for k in range(int(plot.at[0] // step), int(plot.at[-1] // step) + 2)]
    end = -1e9
    for v in values:
        if not plot.at[0] - 1e-9 <= v <= plot.at[-1] + 1e-9:
            continue
        p = log10(v) if plot.log else v
        x = x0 + inset + (each - 2 * inset) * (p - first) / reach
        text = f"{v:,.10g}"
        half = wide(text, size) / 2
        inside = min(max(x, x0 + half), x0 + each - half) if plot.n_parts > 1 else x  # clear of the next frame's
        if inside - half > end:
            sheet.line((x, x), (y, y + 0.8), ZERO, 0.5)
            sheet.text(inside, y + size * PT * 1.35, text, size, SOFT, side="center")
            end = inside + half + 1.2


Entry = tuple[str, str, str, str]
"""Of the key: its words, the colour, the dash or "" for an area, and the symbol of marks or pattern of an area."""


def _key(plot: CurvePlot, look: Look) -> list[Entry]:
    entries: list[Entry] = []
    for curve in plot.panels[0].curves:
        mark = look.mark(curve.side)
        entries.append((curve.name, mark.colour, _dash(plot, curve, look), mark.symbol if plot.steps else ""))
        if curve.low:
            entries.append((f"{curve.name}: {plot.band}", _shade(curve, look), "", look.hatch(curve.side)))
    if plot.limit:
        entries.append((plot.limit[1], INK, "dot", ""))
    return entries


def _flowed(entries: list[Entry], room: float, size: float) -> list[list[tuple[Entry, float]]]:
    """Return the key in lines, each entry with the room it takes."""
    lines: list[list[tuple[Entry, float]]] = [[]]
    x = 0.0
    for entry in entries:
        text, colour, dash, symbol = entry
        for i, part in enumerate(wrapped(text, room - 8, size)):
            length = 8 + wide(part, size) + 4
            if (x + length - 4 > room or i) and lines[-1]:
                lines.append([])
                x = 0.0
            lines[-1].append(((part, colour if i == 0 else "", dash, symbol), length))
            x += length
    return lines


def _sample(sheet: Sheet, entry: Entry, x: float, y: float, size: float) -> None:
    """Draw what stands before an entry of the key."""
    _, colour, dash, symbol = entry
    middle = y - size * PT * 0.3
    if not colour:
        return
    if not dash:
        sheet.box(x, middle - 1.1, 6.5, 2.2, colour, "none", 0, hatch=symbol)
        return
    sheet.line((x, x + 6.5), (middle, middle), colour, 1.1, linestyle=_DASHES[dash])
    if symbol:
        ring = symbol == "circle-open"
        sheet.mark(x + 3.25, middle, _SHAPES[symbol], size * 0.6, "white" if ring else colour, colour, 0.9)
