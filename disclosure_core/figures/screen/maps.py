"""The risk-utility map and the squares of usefulness on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC, of_set
from disclosure_core.figures.screen.frame import (
    HOVER,
    STEADY,
    arrow,
    interval,
    keyed,
    marks,
    one_frame,
    rows_axis,
    rule,
    short_names,
    text,
    words,
)
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.risk_utility import MapPlot
    from disclosure_core.figures.table_usefulness import HeatPlot


def risk_map(plot: MapPlot, ink: str = "") -> go.Figure:
    """Return the risk-utility map: a colour and shape a set, named at its mark, beside the line of the original."""
    points = plot.points
    ends = [y for p in points for y in (p.low, p.high, *(y for _, y in p.each), *plot.rings(p))]
    widest = max([1.0, *(x for p in points for x in (p.x, *(x for x, _ in p.each)))])
    lowest, highest = min([0.0, *ends]), max([1.0, plot.line or 0.0, *ends])
    room = 0.08 * (highest - lowest)
    top = max(highest + room, (plot.line or lowest) + 2 * room)  # what a correct synthesis is stands above that line
    reach = (0.0, 1.15 * widest), (lowest - room * (lowest < 0), top)
    sides = _sides_of_names(plot, *reach)
    traces: list[dict[str, Any]] = []
    names = short_names((p.label for p in points), 24)
    for i, p in enumerate(points):
        side, shape, _ = of_set(i)
        colour, shape = MARKS[side].colour, "x" if p.reference else shape
        traces += [
            {
                "type": "scatter",
                "x": [x for x, _ in p.each],
                "y": [y for _, y in p.each],
                "mode": "markers",
                "name": f"each synthesis of {text(p.label)}",
                "hoverinfo": "skip",
                "customdata": [[p.label] for _ in p.each],
                "marker": {"symbol": "circle", "size": 6, "color": colour, "opacity": 0.5},
                "selected": {"marker": {"opacity": 0.5}},
                "unselected": {"marker": {"opacity": 0.5}},
            },
            marks([p.x], [p.y], shape if p.told or p.reference else f"{shape}-open", colour, 14, 2.5, **HOVER)
            | {
                "mode": "markers+text",
                "name": text(p.label),
                "text": [f"<b>{names[i]} {p.figure}</b>"],
                "cliponaxis": False,
                "textposition": [sides[p]],
                "customdata": [[p.label]],
                "hovertext": [f"<b>{text(p.label)}</b><br>S_pMSE {fixed(p.x)}<br>{text(plot.risk)} {p.words}"],
                "error_y": interval([p.y], [p.low], [p.high], colour, width=4, thickness=1.4)
                | {"visible": p.interval is not None},
                **STEADY,
            },
        ]
    notes = [
        arrow(p.began, (p.x, p.y), standoff=10, startstandoff=10)
        for p in points
        if p.began is not None and p.began != (p.x, p.y)
    ]
    rings = [(p, y) for p in points for y in plot.rings(p)]
    if rings:
        alike = f"original, seen alike: {text(plot.measure or '')}"
        more: dict[str, Any] = {
            "name": f"{plot.measure} (original)",
            "customdata": [[p.label] for p, _ in rings],
            "hovertext": [f"<b>{text(p.label)}</b><br>{alike} {fixed(y)}" for p, y in rings],
        }
        x, y = [p.x for p, _ in rings], [y for _, y in rings]
        traces.append(marks(x, y, "circle-open", ORIGINAL, 11, 2.5, **more, **HOVER, **STEADY))
    shapes: list[dict[str, Any]] = []
    if plot.corner is not None:
        corner = {"x0": 0, "x1": plot.corner[0], "y0": reach[1][0], "y1": plot.corner[1]}
        green = {"fillcolor": MARKS["second"].colour, "opacity": 0.09, "line": {"width": 0}}
        shapes.append({"type": "rect", **corner, **green, "layer": "below"})
        notes.append(words(0, reach[1][0], f"<b>{plot.corner_words}</b>", "left", "bottom"))
    foot = 0.0 if plot.corner is None else 0.08  # above the corner's words
    shapes.append(_line({"x0": 1, "x1": 1, "xref": "x", "y0": foot, "y1": 1, "yref": "y domain"}, QUIET, "dot"))
    notes.append(words(1, reach[1][1], "1: as a correct synthesis", "left", "top"))
    if plot.line is not None:
        shapes.append(
            _line({"x0": 0, "x1": 1, "xref": "x domain", "y0": plot.line, "y1": plot.line}, ORIGINAL, "solid")
        )
        said = keyed(f"the original itself ({text(plot.measure or '')}): {fixed(plot.line, 1)}", "line", ORIGINAL)
        notes.append(words(reach[0][1], plot.line, said, "right", "bottom"))
    across = {"title": plot.x_unit, "range": list(reach[0]), "rangemode": "tozero"}
    up = {"title": text(plot.y_unit), "range": list(reach[1])}
    return one_frame(traces, across, up, ink, 360, annotations=notes, shapes=shapes, showlegend=False)


def _line(ends: dict[str, Any], colour: str, dash: str) -> dict[str, Any]:
    return rule(ends, colour, layer="below", line={"color": colour, "dash": dash, "width": 1.5})


def heat(plot: HeatPlot, ink: str = "") -> go.Figure:
    """Return squares, a column by a column, each table once, the darker the poorer, with their scale."""
    n = len(plot.columns)
    names = short_names(plot.columns, 18)
    at = list(range(n))
    hover = [
        f"<b>{text(a if i == j else f'{a} by {b}')}</b><br>S_pMSE {fixed(plot.values[i][j])}"
        for i, j in plot.squares
        for a, b in [(plot.columns[i], plot.columns[j])]
    ]
    red, green, blue = (int(SYNTHETIC[k : k + 2], 16) for k in (1, 3, 5))
    shades = [[0, f"rgba({red},{green},{blue},0)"], [1, f"rgba({red},{green},{blue},0.6)"]]
    colour = {"color": ink} if ink else {}
    scale = {
        "orientation": "h",
        "x": 1,
        "xanchor": "right",
        "y": 0.97,
        "yanchor": "top",
        "len": 0.4,
        "thickness": 12,
        "title": {"text": "S_pMSE; 1: as a correct synthesis", "side": "top", "font": colour},
        "tickvals": [0, 0.5, 1],
        "ticktext": ["0", f"{plot.most / 2:.0f}", f"≥ {plot.most:.0f}"],
        "tickfont": colour,
    }
    trace = {
        "type": "heatmap",
        "x": at,
        "y": at,
        "z": [[plot.shade(i, j) if j <= i else None for j in at] for i in at],
        "zmin": 0,
        "zmax": 1,
        "colorscale": shades,
        "colorbar": scale,
        "xgap": 1,
        "ygap": 1,
        "hoverinfo": "skip",
        "hoverongaps": False,
        "texttemplate": "%{text}",
        "text": [[plot.written(i, j) if j <= i else "" for j in at] for i in at],
        "textfont": colour,
    }
    # Squares cannot be chosen in plotly: an unseen mark in the middle of each takes the click, and says its figure.
    more: dict[str, Any] = {"name": "tables", "hovertext": hover, "showlegend": False, **HOVER, **STEADY}
    more["customdata"] = [[plot.columns[i], plot.columns[j]] for i, j in plot.squares]
    x, y = [j for _, j in plot.squares], [i for i, _ in plot.squares]
    clicks = marks(x, y, "square", "rgba(0,0,0,0)", 22, 0, **more)
    up = rows_axis(names)
    across = up | {"range": [-0.5, n - 0.5], "side": "bottom", "tickangle": -45 if n > 6 else 0}
    return one_frame([trace, clicks], across, up, ink, min(160 + 26 * n, 900), hoverdistance=60)


def _sides_of_names(plot: MapPlot, across: tuple[float, float], up: tuple[float, float]) -> dict[Any, str]:
    """Return on which side of each mark its name stands, so that names lie on no mark and on no other name.

    `across` and `up` are where the axes begin and end. Places are measured in shares of the frame, which is at
    least 440 by 250 px; a letter takes 7.5 by 16.
    """
    points: tuple[Any, ...] = plot.points
    letter, line = 7.5 / 440, 16 / 250

    def place(x: float, y: float) -> tuple[float, float]:
        return (x - across[0]) / (across[1] - across[0]), (y - up[0]) / (up[1] - up[0])

    def around(at: tuple[float, float], w: float, h: float) -> tuple[float, float, float, float]:
        return at[0] - w, at[1] - h, at[0] + w, at[1] + h

    at = {p: place(p.x, p.y) for p in points}
    taken = [around(each, 0.02, 0.035) for each in at.values()]
    taken += [around(place(*each), 0.008, 0.014) for p in points for each in p.each]
    taken += [around(place(p.x, v), 0.02, 0.035) for p in points for v in plot.rings(p)]
    for p in points:
        if p.began is not None:  # the arrow from where it began
            (xa, ya), (xb, yb) = place(*p.began), at[p]
            taken += [around((xa + (xb - xa) * k / 40, ya + (yb - ya) * k / 40), 0.008, 0.014) for k in range(41)]
    one = place(1, 0)[0]
    taken += [(1.0, -1.0, 3.0, 2.0), (-2.0, -1.0, 0.0, 2.0), (one, 1 - line, one + 25 * letter, 1.0)]
    if plot.line is not None:
        y = place(0, plot.line)[1]
        taken.append((1 - 36 * letter, y, 1.0, y + line))
    if plot.corner is not None:
        taken.append((0.0, 0.0, len(plot.corner_words) * letter, line))
    found: dict[Any, str] = {}
    for p, (x, y) in at.items():
        length, height = letter * (min(len(p.label), 24) + 5), line
        boxes = {
            f"{up} {side}": (
                x + 0.02 if side == "right" else x - 0.02 - length,
                y + 0.035 if up == "top" else y - 0.035 - height,
                x + 0.02 + length if side == "right" else x - 0.02,
                y + 0.035 + height if up == "top" else y - 0.035,
            )
            for up in ("top", "bottom")
            for side in ("right", "left")
        }
        found[p] = min(boxes, key=lambda side: sum(_overlap(boxes[side], other) for other in taken))
        taken.append(boxes[found[p]])
    return found


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Return the area that two boxes (left, bottom, right, top) share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    upwards = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(upwards, 0.0)
