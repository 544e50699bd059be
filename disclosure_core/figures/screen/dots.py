"""Sets by target on screen: a colour and shape a set, named above the first row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data.naming import cut
from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, of_set
from disclosure_core.figures.screen.frame import keyed, one_frame, points_axis, short_names, spans, text
from disclosure_core.figures.sets_by_target import heads
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.sets_by_target import SetsPlot, SetsRow

LETTER = 1 / 80
"""Width of a letter, in widths of the panel that names stand above: some 560 px."""


def sets(plot: SetsPlot, ink: str = "") -> go.Figure:
    """Return DiSCO of each set and Dorig, and beside it what lies above people outside."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    traces: list[dict[str, Any]] = [
        spans(((min(row.values), max(row.values)) for row in rows), y, color=QUIET, width=1.5),
        {
            "type": "scatter",
            "x": [row.original for row in rows],
            "y": y,
            "mode": "markers",
            "name": "Dorig",
            "marker": {
                "symbol": "line-ns-open",
                "size": 16,
                "color": ORIGINAL,
                "line": {"width": 3, "color": ORIGINAL},
            },
            "hovertemplate": "Dorig %{x:.2f} %<extra></extra>",
        },
    ]
    for i, name in enumerate(plot.sets):
        hover = [_hover(plot, row, i) for row in rows]
        traces.append(_marks(i, name, [r.values[i] for r in rows], [r.told[i] for r in rows], hover, "x"))
        if plot.outside:
            above = [row.above[i] for row in rows]
            traces.append(_marks(i, name, above, [r.above_told[i] for r in rows], hover, "x2"))
    reach = 1.05 * plot.furthest
    words = [*cut(plot.sets, 22).values(), "Dorig"]
    marks = [(of_set(i)[1], MARKS[of_set(i)[0]].colour) for i in range(len(plot.sets))] + [("upright", ORIGINAL)]
    first = rows[0]
    widths = [(len(word) + 3) * LETTER * reach for word in words]
    placed = heads([*first.values, first.original], widths, 0.0, reach)
    notes = [
        {
            "x": middle,
            "y": -0.6 - 0.45 * line,
            "xref": "x",
            "yref": "y",
            "text": keyed(text(word), *mark),
            "showarrow": False,
        }
        for word, (middle, line), mark in zip(words, placed, marks, strict=True)
    ]
    lines = 1 + max(line for _, line in placed)
    right = 0.64 if plot.outside else 1.0
    across = {"title": plot.unit, "range": [-0.03 * reach, reach], "domain": [0, right], "showgrid": True}
    up = {
        "tickvals": y,
        "ticktext": short_names(row.target for row in rows),
        "range": [len(rows) - 0.5, -0.45 - 0.45 * lines],
        "showgrid": False,
        "title": None,
    }
    axes = {}
    if plot.outside:
        axes["xaxis2"] = points_axis(plot.differences, (0.72, 1.0), ink)
        notes.append(
            {
                "x": 0.72,
                "y": -0.6,
                "xref": "paper",
                "yref": "y",
                "text": "<b>above people outside</b>",
                "showarrow": False,
                "xanchor": "left",
            }
        )
    return one_frame(
        traces, across, up, ink, 110 + 30 * len(rows) + 14 * lines, annotations=notes, showlegend=False, **axes
    )


def _marks(i: int, name: str, x: list[float], told: list[bool], hover: list[str], axis: str) -> dict[str, Any]:
    """Return the marks of one set; hollow where it is not told apart from the first."""
    side, shape, _ = of_set(i)
    colour = MARKS[side].colour
    return {
        "type": "scatter",
        "x": x,
        "y": list(range(len(x))),
        "xaxis": axis,
        "mode": "markers",
        "name": text(name),
        "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": [shape if clear else f"{shape}-open" for clear in told],
            "size": 10,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
    }


def _hover(plot: SetsPlot, row: SetsRow, i: int) -> str:
    lines = [f"<b>{text(plot.sets[i])}</b>, {text(row.target)}", f"DiSCO {fixed(row.values[i])} %"]
    if row.above:
        lines.append(f"above people outside {fixed(row.above[i], sign=True)} points")
    if not row.told[i]:
        lines.append(f"not told apart from {text(plot.sets[0])}")
    return "<br>".join(lines)
