"""The squares of usefulness in print: the darker the poorer, with a colour key and their figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from disclosure_core.figures.frame import MOST_LINES, type_of
from disclosure_core.figures.letters import PT, lacking, shortened, wide, wrapped
from disclosure_core.figures.sheet import INK, SOFT, TALLEST, ZERO, Sheet, number

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.table_usefulness import HeatPlot

LARGEST = 0.1
"""Side of a square at most, in widths of the sheet."""

_WORDS = (
    "S_pMSE of each table of two columns, of each column alone on the diagonal; 1 is what a correct synthesis gives on "
    "average"
)
_STEPS = 24
"""Steps of the colour key."""


def heat(plot: HeatPlot, look: Look) -> Sheet:
    """Draw squares, the darker the poorer, with their figures; columns have the numbers of the rows."""
    type_, n, rows = type_of(look), len(plot.columns), plot.drawn
    size, lead, width = type_.tick, type_.tick * 1.2 * PT, look.width - 2 * type_.side
    # As much for a square as its figure needs, the rest for the names.
    need = max((wide(plot.written(i, j), type_.note) for i, j in plot.squares), default=0.0) + 0.7
    counted = wide(f"{n}  ", size)
    room = max(min(0.36 * look.width, width - n * need - 1.5) - counted, 9.0)
    short = shortened([plot.columns[i] for i in rows], room, size, MOST_LINES)
    names = [wrapped(short[plot.columns[i]], room, size) for i in rows]
    left = type_.side + counted + max(wide(line, size) for lines in names for line in lines) + 1.5
    side = min((look.width - type_.side - left) / n, LARGEST * look.width)
    least = [max(len(lines) * lead, type_.note * PT * 1.15 if n <= 15 else 0.0) for lines in names]
    titles = wrapped(look.title, width, type_.title, "Semibold") if look.title else []
    words = wrapped(_WORDS, width, size)
    whole = [f"{cut}: {name}" for name, cut in short.items() if cut != name]
    whole += [text] if (text := lacking([*short, look.title])) else []
    notes = [line for note in whole for line in wrapped(note, width, type_.note)]
    notes += [plot.more] if plot.more else []
    top = type_.side + len(titles) * type_.title * 1.14 * PT + (2 if titles else 0) + len(words) * size * 1.3 * PT
    y = top + 1.2 + _key_height(size) + size * PT * 1.9
    foot = len(notes) * type_.note * 1.3 * PT + (1 if notes else 0) + type_.side
    tall = _filled(least, (look.height or TALLEST) - y - foot, side)
    if look.height is None:
        tall = [max(side, each) for each in least]
    height = y + sum(tall) + foot
    sheet = Sheet(look.width, look.height or height)
    sheet.fits = height <= (look.height or TALLEST) + 0.01
    for i, line in enumerate(titles):
        sheet.text(type_.side, type_.side + (i + 0.82) * type_.title * 1.14 * PT, line, type_.title, INK, "Semibold")
    for i, line in enumerate(reversed(words)):
        sheet.text(type_.side, top - i * size * 1.3 * PT, line, size, SOFT)
    _key(sheet, plot, look, top + 1.2)
    widest = wide(str(n), size) + 0.3
    every = next((step for step in (1, 2, 5) if step * side >= widest), 10)
    for j in range(n):
        if j % every == every - 1 or j == 0:
            sheet.text(left + (j + 0.5) * side, y - 0.8, str(j + 1), size, SOFT, side="center")
    for i, lines, deep in zip(rows, names, tall, strict=True):
        middle = y + deep / 2
        first = middle - (len(lines) - 1) * lead / 2 + size * PT * 0.33
        sheet.text(type_.side + wide(str(n), size), first, str(i + 1), size, SOFT, side="right")
        for k, line in enumerate(lines):
            sheet.text(type_.side + counted, first + k * lead, line, size, INK)
        for j in range(i + 1):
            x = left + j * side
            if math.isnan(plot.values[i][j]):
                _no_answer(sheet, x, y, side, deep)
                continue
            fill = mixed(look, plot.shade(i, j))
            sheet.box(x, y, side, deep, fill, "white", 0.4)
            if written := plot.written(i, j):
                low = middle + type_.note * PT * 0.33
                sheet.text(x + side / 2, low, written, type_.note, ink_on(fill), side="center")
        y += deep
    for i, line in enumerate(notes, 1):
        sheet.text(type_.side, y + 1 + (i - 0.2) * type_.note * 1.3 * PT, line, type_.note, SOFT)
    return sheet


def _filled(least: list[float], room: float, most: float) -> list[float]:
    """Return heights of rows that fill `room`, none lower than it has to be, and none of the others above `most`."""
    low, high = 0.0, most
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(max(each, middle) for each in least) <= room else (low, middle)
    return [max(each, low) for each in least]


def _key_height(size: float) -> float:
    return 2.4 + size * PT * 1.3


def _key(sheet: Sheet, plot: HeatPlot, look: Look, y: float) -> None:
    """Draw what the colours mean: a strip from 0 to the figure from which on a square is darkest."""
    type_ = type_of(look)
    size, long, x = type_.tick, 0.32 * look.width, type_.side
    step = long / _STEPS
    for k in range(_STEPS):
        sheet.box(x + k * step, y, step, 2.4, mixed(look, (k + 0.5) / _STEPS), "none", 0)
    sheet.box(x, y, long, 2.4, "none", ZERO, 0.4, z=3)
    low = y + 2.4 + size * PT * 1.05
    sheet.text(x, low, "0", size, SOFT)
    sheet.text(x + long / 2, low, number(plot.most / 2, 0), size, SOFT, side="center")
    last = f"{number(plot.most, 0)} and more"
    sheet.text(x + long - wide(number(plot.most, 0), size) / 2, low, last, size, SOFT)
    if any(math.isnan(v) for row in plot.values for v in row):
        beside = x + long - wide(number(plot.most, 0), size) / 2 + wide(last, size) + 4
        _no_answer(sheet, beside, low - 2.4, 4, 2.4)
        sheet.text(beside + 5, low, "no answer", size, SOFT)


def _no_answer(sheet: Sheet, x: float, y: float, w: float, h: float) -> None:
    """Draw a square without an answer: crossed, so that it is not taken for a good one."""
    sheet.box(x + 0.15, y + 0.15, w - 0.3, h - 0.3, "white", ZERO, 0.3)
    sheet.line((x + 0.15, x + w - 0.15), (y + h - 0.15, y + 0.15), ZERO, 0.4, z=3)


def mixed(look: Look, shade: float) -> str:
    """Return the colour of a square: white at 0, the synthetic data's colour, or a dark grey, at 1."""
    colour = "#4D4D4D" if look.grey else look.mark("synthetic").word
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (part - 255) * shade):02X}" for part in parts)


def ink_on(fill: str) -> str:
    """Return black or white, whichever is easier to read on a colour: 4.5:1 at least."""
    light = luminance(fill)
    return "#000000" if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else "#FFFFFF"


def luminance(colour: str) -> float:
    """Return how light a colour is, 0 to 1.

    Source
    ------
    WCAG 2.2, relative luminance.
    """
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
