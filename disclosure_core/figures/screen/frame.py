"""What figures on screen share: texts as plotly shows them, marks, axes, columns beside them, legend and margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import plotly.graph_objects as go

from disclosure_core.data.naming import cut
from disclosure_core.figures.palette import QUIET
from disclosure_core.rounding import visible

ROW = 36
"""Height of a row, px."""

LONGEST = 34
"""Longer names are cut on the axis; hover shows them whole."""

_WHOLE = {"separatethousands": True, "exponentformat": "none"}
"""Numbers on axes stand in full, 20,000: neither 20000 nor 20k."""

TYPE = 12
"""Size of the words in a figure, px."""


def text(raw: str) -> str:
    """Return text from the data so that plotly shows it letter by letter."""
    return visible(raw).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short_names(names: Iterable[str], longest: int = LONGEST) -> list[str]:
    """Return names as a figure has room for them, as plotly shows them letter by letter; no two read alike."""
    names = list(names)
    short = cut(names, longest)
    return [text(short[name]) for name in names]


def one_frame(
    traces: list[dict[str, Any]], across: dict[str, Any], up: dict[str, Any], ink: str, height: int, **more: Any
) -> go.Figure:
    """Return a figure of one frame, made in one go and unchecked: plotly's checks take longer than all the rest.

    `tests/core/test_catalogue.py` has plotly check every figure of the catalogue.
    """
    fixed = {"zeroline": False, "fixedrange": True, "automargin": True} | _WHOLE
    axes = {"xaxis": inked(fixed | across, ink), "yaxis": inked(fixed | up, ink)}
    return go.Figure({"data": traces, "layout": _layout(ink, height) | axes | more}, _validate=False)


def spans(ends: Iterable[tuple[float, float]], y: Iterable[float], **line: Any) -> dict[str, Any]:
    """Return a trace of lines, from one end to the other at each height, of which nothing is said."""
    return {
        "type": "scatter",
        "x": [v for a, b in ends for v in (a, b, None)],
        "y": [v for at in y for v in (at, at, None)],
        "mode": "lines",
        "hoverinfo": "skip",
        "line": line,
    }


def marks(
    x: Sequence[float | None],
    y: Sequence[float],
    symbol: str | list[str],
    colour: str,
    size: float,
    edge: float,
    **more: Any,
) -> dict[str, Any]:
    """Return a trace of marks with an edge of their colour, `edge` px wide."""
    marker = {"symbol": symbol, "size": size, "color": colour, "line": {"width": edge, "color": colour}}
    return {"type": "scatter", "x": x, "y": y, "mode": "markers", "marker": marker} | more


def words(x: float, y: float, said: str, across: str = "center", up: str = "middle", **more: Any) -> dict[str, Any]:
    """Return words at a place, which is that end of them, or their middle."""
    return {"x": x, "y": y, "text": said, "showarrow": False, "xanchor": across, "yanchor": up} | more


def rule(ends: dict[str, Any], colour: str, dash: str = "dash", **more: Any) -> dict[str, Any]:
    """Return a straight line from (x0, y0) to (x1, y1)."""
    return {"type": "line", "line": {"color": colour, "dash": dash}} | ends | more


def interval(
    values: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str, **more: Any
) -> dict[str, Any]:
    """Return error bars of marks."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [end - value for value, end in zip(values, high, strict=True)],
        "arrayminus": [value - end for value, end in zip(values, low, strict=True)],
        "color": colour,
    } | more


def rows_axis(names: Sequence[str], top: float = -0.5, **more: Any) -> dict[str, Any]:
    """Return an upright axis with a row a name, the first on top, where it begins."""
    n = len(names)
    axis = {"tickvals": list(range(n)), "ticktext": list(names), "range": [n - 0.5, top], "showgrid": False}
    return axis | {"title": None} | more


HOVER = {"hovertemplate": "%{hovertext}<extra></extra>"}
"""Says of a mark what its `hovertext` is, and nothing else."""

STEADY = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
"""A click on one mark makes no other pale."""


def arrow(start: tuple[float, float], end: tuple[float, float], **more: Any) -> dict[str, Any]:
    """Return an arrow from one place of the frame to another."""
    return {
        "ax": start[0],
        "ay": start[1],
        "axref": "x",
        "ayref": "y",
        "x": end[0],
        "y": end[1],
        "xref": "x",
        "yref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowwidth": 1.4,
        "arrowcolor": QUIET,
        **more,
    }


def inked(axis: dict[str, Any], ink: str) -> dict[str, Any]:
    """Return an axis with its words in the colour `ink`."""
    colour = {"font": {"color": ink}} if ink else {}
    title = {"title": {"text": axis.get("title")} | colour}
    return axis | title | ({"tickfont": {"color": ink}} if ink else {})


_GLYPHS = {
    "diamond": "◆",
    "triangle-up": "▲",
    "square": "■",
    "circle": "●",
    "triangle-down": "▼",
    "pentagon": "⬟",
    "star": "★",
    "hexagon": "⬢",
    "upright": "┃",
    "line": "━",
}


def keyed(words: str, shape: str, colour: str) -> str:
    """Return words as the name of a mark: that in its colour, the words in the ink of the page, which all can read."""
    return f'<span style="color:{colour}">{_GLYPHS[shape]}</span> <b>{words}</b>'


def points_axis(
    ends: tuple[float, float], domain: tuple[float, float], ink: str, *, short: bool = False
) -> dict[str, Any]:
    """Return an axis of percentage points beside the first one, with a line at 0; `short` where two stand together."""
    low, high = ends
    room = 0.06 * (high - low or 1.0)
    axis = {
        "title": "points" if short else "percentage points",
        "range": [low - room, high + room],
        "domain": domain,
        "zeroline": True,
        "zerolinecolor": QUIET,
        "fixedrange": True,
        "automargin": True,
        "nticks": 5,
    }
    return inked(axis, ink)


def forest(
    name: str, axis: str, spans: list[Any], shown: list[bool], symbol: str, colour: str, hovering: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return figures with their intervals: those that are shown filled, the others hollow and grey."""
    traces = []
    for filled in (True, False):
        some = [i for i, span in enumerate(spans) if span is not None and shown[i] is filled]
        if not some:
            continue
        ink, x = colour if filled else QUIET, [spans[i][0] for i in some]
        low, high = ([spans[i][end] for i in some] for end in (1, 2))
        more: dict[str, Any] = {"name": name if filled else f"{name}, not shown", "xaxis": axis, **HOVER}
        more["error_x"] = interval(x, low, high, ink, width=0, thickness=2)
        more["hovertext"] = [hovering["hovertext"][i] for i in some]
        traces.append(marks(x, some, symbol if filled else f"{symbol}-open", ink, 9, 2, **more))
    return traces


def note(x: float, y: float, said: str, across: str, side: str) -> dict[str, Any]:
    """Return words at a row."""
    return words(x, y, said, side, xref=across, yref="y")


def head(x: float, said: str, beneath: str) -> dict[str, Any]:
    """Return the head of a column, above the rows."""
    return words(x, 1, f"<b>{said}</b><br>{beneath}", "left", "bottom", xref="paper", yref="paper", align="left")


def laid_out(figure: go.Figure, ink: str, height: int) -> go.Figure:
    """Lay out a figure that has its axes already, one or several."""
    words = {"tickfont": {"color": ink}, "title": {"font": {"color": ink}}} if ink else {}
    axes = {axis: words | _WHOLE for axis in figure.layout if axis.startswith(("xaxis", "yaxis"))}
    return figure.update_layout(_layout(ink, height) | axes)


def _layout(ink: str, height: int) -> dict[str, Any]:
    legend = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.0,
        "yref": "container",
        "yanchor": "top",
        "title": None,
    }
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 10, "r": 20, "t": 40, "b": 40},
        "hovermode": "closest",
        "dragmode": False,
        "clickmode": "event+select",
    }
    return layout | (
        {"font": {"color": ink}, "legend": legend | {"font": {"color": ink}}} if ink else {"legend": legend}
    )
