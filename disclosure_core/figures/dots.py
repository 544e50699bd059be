"""Sets by target in print: a colour and shape a set, named above the first row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disclosure_core.data.naming import cut
from disclosure_core.figures.frame import Frame, type_of
from disclosure_core.figures.letters import PT, wide
from disclosure_core.figures.palette import of_set
from disclosure_core.figures.sets_by_target import SetsPlot, heads
from disclosure_core.figures.sheet import INK, ROD, SOFT, Scale, Sheet, round_end

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look

NAMED = 22
"""Letters of a set's name above its mark; a longer one is cut, and stands whole in the table."""


def sets(plot: SetsPlot, look: Look) -> Sheet:
    """Draw DiSCO of each set and Dorig, and at the right, where there is room, what lies above people outside."""
    type_ = type_of(look)
    both = plot.outside and type_.intervals
    names = [row.target for row in plot.rows]
    words = [*cut(plot.sets, NAMED).values(), "Dorig"]
    widths = [wide(word, type_.tick, "Semibold") + 1.2 for word in words]
    first = plot.rows[0]
    places = [*first.values, first.original]

    def framed(lines: int) -> tuple[Frame, Scale, float]:
        frame = Frame(
            look,
            names,
            [""] * len(names),
            [False] * len(names),
            plot.more,
            plot.unit,
            heads=lines,
            beside=0.6 * type_.intervals,
        )
        right = frame.right - look.width * 0.27 * both
        end, step = round_end(plot.furthest, 6)
        unit = wide("0 %", type_.tick)  # half of the last number and what stands behind it
        per = (right - frame.left - type_.half - max(unit, type_.half)) / end
        return frame, Scale(frame.left + type_.half, per, 0.0, end, step), right

    frame, scale, right = framed(1)
    placed = heads([scale.at(v) for v in places], widths, frame.left, right)
    lines = 1 + max(line for _, line in placed)
    frame, scale, right = framed(lines)
    sheet = frame.sheet()
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    frame.under(sheet, scale.x)
    colours = [look.mark(of_set(i)[0]).word for i in range(len(plot.sets))] + [look.mark("original").word]
    apart = type_.label * PT * 1.12
    for word, (middle, line), colour in zip(words, placed, colours, strict=True):
        sheet.text(middle, frame.head - line * apart, word, type_.tick, colour, "Semibold", "center")
    tall = type_.mark * PT * 0.8
    for row, dy in zip(plot.rows, frame.stack.y, strict=True):
        y = frame.top + dy
        at = scale.at(row.original)
        sheet.line((at, at), (y - tall, y + tall), look.mark("original").colour, type_.line * 1.7, z=3)
        sheet.line((scale.at(min(row.values)), scale.at(max(row.values))), (y, y), ROD, type_.line, z=2)
        _dots(sheet, look, scale, row.values, row.told, y)
    if both:
        low, high = plot.differences
        end, step = round_end(max(high - low, 1.0), 4)
        per = (frame.right - right - 4 - 2 * type_.half) / end
        start = min(low, 0.0)
        above = Scale(right + 4 + type_.half - per * start, per, start, start + end, step)
        above.draw(sheet, frame.top, frame.bottom, type_.tick, "")
        sheet.text(above.at(start) - type_.half, frame.head, "above people outside", type_.label, INK, "Semibold")
        sheet.text(above.at(start), frame.bottom + type_.tick * PT * 2.45, "percentage points", type_.tick, SOFT)
        for row, dy in zip(plot.rows, frame.stack.y, strict=True):
            _dots(sheet, look, above, row.above, row.above_told, frame.top + dy)
    return sheet


def _dots(sheet: Sheet, look: Look, scale: Scale, values: Sequence[float], told: Sequence[bool], y: float) -> None:
    """Draw a mark a set; hollow where it is not told apart from the first."""
    type_ = type_of(look)
    for i, (value, clear) in enumerate(zip(values, told, strict=True)):
        side, _, shape = of_set(i)
        colour = look.mark(side).colour
        size = type_.mark * (0.9 if shape == "^" else 0.7)
        sheet.mark(
            scale.at(value), y, shape, size, colour if clear else "white", colour, type_.line * 0.9, z=4 + 0.01 * i
        )
