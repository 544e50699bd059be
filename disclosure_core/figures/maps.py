"""The risk-utility map and the squares of usefulness in print, on a sheet in millimetres."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.frame import TYPES
from disclosure_core.figures.sheet import (
    GRID,
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
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.risk_utility import MapPlot
    from disclosure_core.figures.table_usefulness import HeatPlot


def _titled(look: Look, lines: list[str], height: float) -> tuple[Sheet, float]:
    """Return a sheet with its title and the lines beneath it, and where the rest begins."""
    type_ = TYPES[look.size]
    titles = wrapped(look.title, look.width - 2 * type_.side, type_.title, "Semibold") if look.title else []
    top = type_.side + len(titles) * type_.title * 1.14 * PT + (2 if titles else 0)
    sheet = Sheet(look.width, look.height or top + len(lines) * type_.tick * 1.3 * PT + height)
    sheet.fits = sheet.height <= TALLEST
    for i, line in enumerate(titles):
        sheet.text(type_.side, type_.side + (i + 0.82) * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold")
    for line in lines:
        top += type_.tick * 1.3 * PT
        sheet.text(type_.side, top, line, type_.tick, SOFT)
    return sheet, top


def risk_map(plot: MapPlot, look: Look) -> Sheet:
    """Draw a mark a set, numbered, and a small one a synthesis; the names stand beneath."""
    type_ = TYPES[look.size]
    width = look.width - 2 * type_.side
    up = wrapped(plot.y_unit, width, type_.tick)
    names = [line for i, p in enumerate(plot.points, 1) for line in wrapped(f"{i}  {p.label}", width, type_.tick)]
    across = wrapped(plot.x_unit, width, type_.tick)
    beneath = (len(names) + len(across)) * type_.tick * 1.3 * PT + type_.tick * PT * 2.4 + type_.side
    frame = 0.5 * look.width
    sheet, top = _titled(look, up, 2 + frame + beneath)
    if look.height is not None:
        frame = max(look.height - top - 2 - beneath, 20.0)
    ys = [v for p in plot.points for v in (p.low, p.high, *(y for _, y in p.each), *p.rings)]
    xs = [v for p in plot.points for v in (p.x, *(x for x, _ in p.each))]
    low, (high, step_up) = min([0.0, *ys]), round_end(max([1.0, *ys]), 6)
    left = type_.side + max(wide(number(v), type_.tick) for v in (low, high)) + 1.5
    end, step = round_end(max([1.0, *xs]), 6)
    right = look.width - type_.side - wide(number(end), type_.tick)
    scale = Scale(left, (right - left) / end, 0.0, end, step)
    y0, y1 = top + 2 + type_.half, top + 2 + frame
    scale.draw(sheet, y0, y1, type_.tick, "")

    def at(value: float) -> float:
        return y1 - (value - low) / (high - low) * (y1 - y0)

    k = int(low // step_up) + (low % step_up > 0)
    while k * step_up <= high + 1e-9:
        y = at(k * step_up)
        sheet.line((left, right), (y, y), GRID if k else ZERO, 0.5, z=0)
        sheet.text(
            left - 1,
            y + type_.tick * PT * 0.33,
            number(k * step_up, 0 if step_up >= 1 else 1),
            type_.tick,
            SOFT,
            side="right",
        )
        k += 1
    one, other = look.mark("original"), look.mark("synthetic")
    for ring in {(p.x, y) for p in plot.points for y in p.rings}:
        sheet.mark(scale.at(ring[0]), at(ring[1]), "o", type_.mark * 0.85, "white", one.colour, type_.line, z=2)
    for p in plot.points:
        if p.began is not None and p.began != (p.x, p.y):
            sheet.line((scale.at(p.began[0]), scale.at(p.x)), (at(p.began[1]), at(p.y)), ROD, type_.line, z=2)
        for x, y in p.each:
            sheet.mark(scale.at(x), at(y), "o", type_.mark * 0.35, other.colour, "white", 0.2, z=3)
    for i, p in enumerate(plot.points, 1):
        came = p.began is None
        if p.interval is not None:
            sheet.line((scale.at(p.x), scale.at(p.x)), (at(p.low), at(p.high)), other.colour, type_.line, z=3)
        sheet.mark(
            scale.at(p.x), at(p.y), "D" if came else "s", type_.mark * 0.85, other.colour if came else "white",
            "white" if came else other.colour, type_.line,
        )  # fmt: skip
        sheet.text(scale.at(p.x) + type_.half + 0.4, at(p.y) - type_.half * 0.6, str(i), type_.value, INK, "Semibold")
    y = y1 + type_.tick * PT * 1.4
    for i, line in enumerate([*across, *names]):
        y += type_.tick * 1.3 * PT
        sheet.text(left if i < len(across) else type_.side, y, line, type_.tick, SOFT if i < len(across) else INK)
    return sheet


def heat(plot: HeatPlot, look: Look) -> Sheet:
    """Draw squares, the darker the poorer, with their figures where these have room; columns have the rows' numbers."""
    type_, n = TYPES[look.size], len(plot.columns)
    size = type_.tick
    names = [wrapped(f"{i}  {name}", 0.36 * look.width, size) for i, name in enumerate(plot.columns, 1)]
    left = type_.side + max(wide(line, size) for lines in names for line in lines) + 1.5
    lines = wrapped(
        "S_pMSE of each table of two columns, of each column alone on the diagonal", look.width - 2 * type_.side, size
    )
    side = (look.width - type_.side - left) / n
    tall = [max(side if look.height is None else 0.0, len(rows) * size * 1.2 * PT) for rows in names]
    sheet, top = _titled(look, lines, sum(tall) + size * PT * 2.2 + type_.side)
    if look.height is not None:
        row = (look.height - top - size * PT * 2.2 - type_.side) / n
        tall = [row] * n
        side = min(side, 1.6 * row)
    y = top + size * PT * 2
    for j in range(n):
        if side > wide(str(n), size) or j % 2 == 0:
            sheet.text(left + (j + 0.5) * side, y - 0.8, str(j + 1), size, SOFT, side="center")
    for i, rows in enumerate(names):
        middle = y + tall[i] / 2
        first = middle - (len(rows) - 1) * size * 0.6 * PT + size * PT * 0.33
        for k, line in enumerate(rows):
            sheet.text(type_.side, first + k * size * 1.2 * PT, line, size, INK)
        for j in range(n):
            sheet.box(left + j * side, y, side, tall[i], _mixed(look, plot.shade(i, j)), "white", 0.4)
            written = plot.written(i, j)
            if written and wide(written, type_.note) < side:
                x = left + (j + 0.5) * side
                sheet.text(x, middle + type_.note * PT * 0.33, written, type_.note, INK, side="center")
        y += tall[i]
    return sheet


def _mixed(look: Look, shade: float) -> str:
    """Return the synthetic data's colour, 60 % of it at the darkest, on white."""
    colour = "#6E6E6E" if look.grey else look.mark("synthetic").colour
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (part - 255) * 0.6 * shade):02X}" for part in parts)
