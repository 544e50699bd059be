"""The risk-utility map and the squares of usefulness on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.palette import ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.screen.frame import cut, one_frame, text
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.risk_utility import MapPlot
    from disclosure_core.figures.table_usefulness import HeatPlot


def risk_map(plot: MapPlot, ink: str = "") -> go.Figure:
    """Return the risk-utility map: a mark a synthesis, a large one a set, safeguards joined to where they began."""
    points = plot.points
    ends = [y for p in points for y in (p.low, p.high, *(y for _, y in p.each), *p.rings)]
    widest = max([1.0, *(x for p in points for x in (p.x, *(x for x, _ in p.each)))])
    lowest, highest = min([0.0, *ends]), max([1.0, *ends])
    room = 0.08 * (highest - lowest)
    reach = (0.0, 1.15 * widest), (lowest - room * (lowest < 0), highest + room)
    sides = _beside(plot, *reach)
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "x": [x for p in points for x, _ in p.each], "y": [y for p in points for _, y in p.each],
            "mode": "markers", "name": "each synthesis", "hoverinfo": "skip",
            "customdata": [[p.label] for p in points for _ in p.each],
            "marker": {"symbol": "circle", "size": 6, "color": SYNTHETIC, "opacity": 0.55},
            "selected": {"marker": {"opacity": 0.55}}, "unselected": {"marker": {"opacity": 0.55}},
        }
    ]  # fmt: skip
    for name, symbol, some in (
        ("a set as it came", "diamond", [p for p in points if p.began is None and not p.reference]),
        ("after safeguards", "square-open", [p for p in points if p.began is not None]),
        ("the original itself", "x", [p for p in points if p.reference]),
    ):
        if some:
            traces.append({
                "type": "scatter", "x": [p.x for p in some], "y": [p.y for p in some], "mode": "markers+text",
                "name": name, "text": [text(cut(p.label, 24)) for p in some], "cliponaxis": False,
                "textposition": [sides[p] for p in some], "customdata": [[p.label] for p in some],
                "hovertext": [
                    f"<b>{text(p.label)}</b><br>S_pMSE {fixed(p.x)}<br>{text(plot.risk)} {p.words}" for p in some
                ],
                "error_y": {
                    "type": "data", "symmetric": False, "array": [p.high - p.y for p in some],
                    "arrayminus": [p.y - p.low for p in some], "width": 4, "thickness": 1.4, "color": SYNTHETIC,
                    "visible": any(p.interval for p in some),
                },
                "hovertemplate": "%{hovertext}<extra></extra>",
                "marker": {
                    "symbol": symbol, "color": SYNTHETIC, "size": 14, "line": {"width": 2.5, "color": SYNTHETIC},
                },
                "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
            })  # fmt: skip
    ways = [
        {
            "x": p.x, "y": p.y, "ax": p.began[0], "ay": p.began[1], "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowwidth": 1.4, "arrowcolor": QUIET, "standoff": 10,
            "startstandoff": 10, "text": "",
        }
        for p in points
        if p.began is not None and p.began != (p.x, p.y)
    ]  # fmt: skip
    if plot.measure is not None:
        traces.append({
            "type": "scatter", "x": [p.x for p in points for _ in p.rings], "y": [y for p in points for y in p.rings],
            "mode": "markers", "name": f"{plot.measure} (original)",
            "customdata": [[p.label] for p in points for _ in p.rings],
            "hovertext": [
                f"<b>{text(p.label)}</b><br>original, seen alike: {text(plot.measure)} {fixed(y)}"
                for p in points for y in p.rings
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": {
                "symbol": "circle-open", "color": ORIGINAL, "size": 11, "line": {"width": 2.5, "color": ORIGINAL},
            },
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    across = {"title": plot.x_unit, "range": list(reach[0]), "rangemode": "tozero"}
    up = {"title": text(plot.y_unit), "range": list(reach[1])}
    return one_frame(traces, across, up, ink, 460, annotations=ways)


def heat(plot: HeatPlot, ink: str = "") -> go.Figure:
    """Return squares, a column by a column, the darker the poorer."""
    n = len(plot.columns)
    names = [text(cut(name, 18)) for name in plot.columns]
    at = list(range(n))
    hover = [
        [
            f"<b>{text(a if i == j else f'{a} by {b}')}</b><br>S_pMSE {fixed(plot.values[i][j])}"
            for j, b in enumerate(plot.columns)
        ]
        for i, a in enumerate(plot.columns)
    ]
    red, green, blue = (int(SYNTHETIC[k : k + 2], 16) for k in (1, 3, 5))
    shades = [[0, f"rgba({red},{green},{blue},0)"], [1, f"rgba({red},{green},{blue},0.6)"]]
    trace = {
        "type": "heatmap", "x": at, "y": at, "z": [[plot.shade(i, j) for j in at] for i in at], "zmin": 0, "zmax": 1,
        "colorscale": shades, "showscale": False, "xgap": 1, "ygap": 1, "hoverinfo": "skip", "texttemplate": "%{text}",
        "text": [[plot.written(i, j) for j in at] for i in at], "textfont": {"color": ink} if ink else {},
    }  # fmt: skip
    # Squares cannot be chosen in plotly: an unseen mark in the middle of each takes the click, and says its figure.
    clicks = {
        "type": "scatter", "x": at * n, "y": [i for i in at for _ in at], "mode": "markers", "name": "tables",
        "customdata": [[a, b] for a in plot.columns for b in plot.columns],
        "hovertext": [told for row in hover for told in row], "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
        "marker": {"symbol": "square", "size": 22, "color": "rgba(0,0,0,0)", "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
    }  # fmt: skip
    axis = {"tickvals": at, "ticktext": names, "showgrid": False, "title": None, "range": [-0.5, n - 0.5]}
    across = axis | {"side": "bottom", "tickangle": -45 if n > 6 else 0}
    height = min(160 + 26 * n, 900)
    return one_frame([trace, clicks], across, axis | {"range": [n - 0.5, -0.5]}, ink, height, hoverdistance=60)


def _beside(plot: MapPlot, across: tuple[float, float], up: tuple[float, float]) -> dict[Any, str]:
    """Return on which side of each mark its name stands, so that names lie on no mark and on no other name.

    `across` and `up` are where the axes begin and end. Places are measured in shares of the frame, which is some 900 by
    380 px; a letter takes 7 by 16.
    """
    points: tuple[Any, ...] = plot.points

    def place(x: float, y: float) -> tuple[float, float]:
        return (x - across[0]) / (across[1] - across[0]), (y - up[0]) / (up[1] - up[0])

    at = {p: place(p.x, p.y) for p in points}
    taken = [(x - 0.01, y - 0.025, x + 0.01, y + 0.025) for x, y in at.values()]
    taken += [(x - 0.004, y - 0.01, x + 0.004, y + 0.01) for p in points for x, y in (place(*each) for each in p.each)]
    taken += [(x - 0.01, y - 0.025, x + 0.01, y + 0.025) for p in points for x, y in (place(p.x, v) for v in p.rings)]
    found: dict[Any, str] = {}
    for p, (x, y) in at.items():
        length, height = 7 / 900 * min(len(p.label), 24), 16 / 380
        boxes = {
            f"{up} {side}": (
                x + 0.012 if side == "right" else x - 0.012 - length,
                y + 0.028 if up == "top" else y - 0.028 - height,
                x + 0.012 + length if side == "right" else x - 0.012,
                y + 0.028 + height if up == "top" else y - 0.028,
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
