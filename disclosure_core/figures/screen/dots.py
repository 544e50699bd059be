"""Sets by target on screen: a colour and shape a set, named above the first row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data.naming import cut
from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, of_set
from disclosure_core.figures.screen.frame import (
    HOVER,
    keyed,
    marks,
    one_frame,
    points_axis,
    rows_axis,
    short_names,
    spans,
    text,
    words,
)
from disclosure_core.figures.sets_by_target import SetsPlot, SetsRow, heads
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go


_HOVER_OF_DORIG = {"hovertemplate": "Dorig %{x:.2f} %<extra></extra>"}

LETTER = 1 / 80
"""Width of a letter, in widths of the panel that names stand above: some 560 px."""


def sets(plot: SetsPlot, ink: str = "") -> go.Figure:
    """Return DiSCO of each set and Dorig, and beside it what lies above people outside."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    traces: list[dict[str, Any]] = [
        spans(((min(row.values), max(row.values)) for row in rows), y, color=QUIET, width=1.5),
        marks([row.original for row in rows], y, "line-ns-open", ORIGINAL, 16, 3, name="Dorig", **_HOVER_OF_DORIG),
    ]
    for i, name in enumerate(plot.sets):
        hover = [_hover(plot, row, i) for row in rows]
        traces.append(_marks(i, name, [r.values[i] for r in rows], [r.told[i] for r in rows], hover, "x"))
        if plot.outside:
            above = [row.above[i] for row in rows]
            traces.append(_marks(i, name, above, [r.above_told[i] for r in rows], hover, "x2"))
    reach = 1.05 * plot.furthest
    names = [*cut(plot.sets, 22).values(), "Dorig"]
    keys = [(of_set(i)[1], MARKS[of_set(i)[0]].colour) for i in range(len(plot.sets))] + [("upright", ORIGINAL)]
    first = rows[0]
    widths = [(len(name) + 3) * LETTER * reach for name in names]
    placed = heads([*first.values, first.original], widths, 0.0, reach)
    notes = [
        words(middle, -0.6 - 0.45 * line, keyed(text(name), *key), xref="x", yref="y")
        for name, (middle, line), key in zip(names, placed, keys, strict=True)
    ]
    lines = 1 + max(line for _, line in placed)
    right = 0.64 if plot.outside else 1.0
    across = {"title": plot.unit, "range": [-0.03 * reach, reach], "domain": [0, right], "showgrid": True}
    up = rows_axis(short_names(row.target for row in rows), -0.45 - 0.45 * lines)
    axes = {}
    if plot.outside:
        axes["xaxis2"] = points_axis(plot.differences, (0.72, 1.0), ink)
        notes.append(words(0.72, -0.6, "<b>above people outside</b>", "left", xref="paper", yref="y"))
    return one_frame(
        traces, across, up, ink, 110 + 30 * len(rows) + 14 * lines, annotations=notes, showlegend=False, **axes
    )


def _marks(i: int, name: str, x: list[float], told: list[bool], hover: list[str], axis: str) -> dict[str, Any]:
    """Return the marks of one set; hollow where it is not told apart from the first."""
    side, shape, _ = of_set(i)
    shapes, more = [shape if clear else f"{shape}-open" for clear in told], {"hovertext": hover, **HOVER}
    return marks(x, list(range(len(x))), shapes, MARKS[side].colour, 10, 2, name=text(name), xaxis=axis, **more)


def _hover(plot: SetsPlot, row: SetsRow, i: int) -> str:
    lines = [f"<b>{text(plot.sets[i])}</b>, {text(row.target)}", f"DiSCO {fixed(row.values[i])} %"]
    if row.above:
        lines.append(f"above people outside {fixed(row.above[i], sign=True)} points")
    if not row.told[i]:
        lines.append(f"not told apart from {text(plot.sets[0])}")
    return "<br>".join(lines)
