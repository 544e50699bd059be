"""Figures for the screen, in plotly; colours and layout only, never a number of their own.

Text from the data passes `text`: plotly reads a little HTML in every label.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from disclosure_core.figures.describe import ArrowPlot, BarPlot, CurvePlot, GrowthPlot, QuadrantPlot

if TYPE_CHECKING:
    from disclosure_core.figures.describe import ArrowRow, Bar, Curve, Plot, Point

ORIGINAL = "#1F83C9"
SYNTHETIC = "#D55E00"
"""Blue and vermilion after Okabe and Ito: apart for every kind of colour vision, 3:1 on light and on dark."""

QUIET = "#8A8F98"
ROW = 36
"""Height of a row, px."""

FRAMES = 3
"""Frames side by side."""

LONGEST = 34
"""Longer names are cut on the axis; hover shows them whole."""


_TYPE = 12
"""Size of the words in a figure, px."""


def enlarged(figure: go.Figure, by: float) -> go.Figure:
    """Return `figure` with its words, marks, lines and height `by` times as large: for a projector."""
    size, margin = _TYPE * by, figure.layout.margin
    figure.update_layout(
        height=figure.layout.height * by, font_size=size, legend_font_size=size, hoverlabel_font_size=size,
        margin={side: margin[side] * by for side in "lrtb"},
    )  # fmt: skip
    figure.update_xaxes(tickfont_size=size, title_font_size=size)
    figure.update_yaxes(tickfont_size=size, title_font_size=size)
    figure.update_annotations(font_size=size)
    for drawn, name in [
        *((trace.marker, "size") for trace in figure.select_traces({"type": "scatter"})),
        *((trace.marker.line, "width") for trace in figure.data),
        *((trace.line, "width") for trace in figure.select_traces({"type": "scatter"})),
        *((note, name) for note in figure.layout.annotations for name in ("arrowwidth", "standoff", "startstandoff")),
    ]:
        if drawn[name]:
            drawn[name] *= by
    return figure


def text(raw: str) -> str:
    """Return text from the data so that plotly shows it letter by letter."""
    return raw.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def draw(plot: Plot, ink: str = "", height: int | None = None) -> go.Figure:
    """Return the figure that a description stands for, its words in the colour `ink`, that of the theme by default.

    `height`, px, is that of a figure of lines in one frame; all others are as tall as what they show.
    """
    match plot:
        case ArrowPlot():
            return arrows(plot, ink)
        case GrowthPlot():
            return growth(plot, ink)
        case BarPlot():
            return bars(plot, ink)
        case QuadrantPlot():
            return quadrants(plot, ink)
        case CurvePlot():
            return curves(plot, ink, height)


def arrows(plot: ArrowPlot, ink: str = "") -> go.Figure:
    """Return the Dorig-against-DiSCO plot: two marks a target, an arrow from original to synthetic."""
    rows = plot.rows
    y = list(range(len(rows)))
    traces: list[dict[str, Any]] = []
    if plot.n_syntheses > 1:
        xs: list[float | None] = [x for row in rows for x in (row.low, row.high, None)]
        ys: list[float | None] = [x for i in y for x in (i, i, None)]
        traces.append({
            "type": "scatter", "x": xs, "y": ys, "mode": "lines", "name": "smallest to largest synthesis",
            "hoverinfo": "skip", "line": {"color": SYNTHETIC, "width": 9}, "opacity": 0.35,
        })  # fmt: skip
        each = [(x, i) for i, row in enumerate(rows) for x in row.each]
        traces.append({
            "type": "scatter", "x": [x for x, _ in each], "y": [i for _, i in each], "mode": "markers",
            "name": "each synthesis", "hoverinfo": "skip",
            "marker": {"symbol": "line-ns", "size": 9, "line": {"width": 1.2, "color": SYNTHETIC}},
        })  # fmt: skip
    marks = (
        (plot.original, [r.original for r in rows], "circle-open", ORIGINAL),
        (plot.synthetic, [r.synthetic for r in rows], "diamond", SYNTHETIC),
    )
    hover = [_hover(plot, row) for row in rows]
    names = [[row.target] for row in rows]
    for name, x, symbol, colour in marks:
        side = "original" if name == plot.original else "synthetic"
        traces.append({
            "type": "scatter", "x": x, "y": y, "mode": "markers", "name": f"{name} ({side})", "customdata": names,
            "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": {"symbol": symbol, "color": colour, "size": 11, "line": {"width": 2.5, "color": colour}},
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    largest = max([1.0, *(max(r.original, r.high) for r in rows)])
    ways = [
        {
            "x": row.synthetic, "y": i, "ax": row.original, "ay": i, "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 1.4,
            "arrowcolor": QUIET, "standoff": 9, "startstandoff": 8, "text": "",
        }
        for i, row in enumerate(rows)
        if abs(row.original - row.synthetic) > 0.03 * largest
    ]  # fmt: skip
    across = {"title": plot.unit, "range": [-0.02 * largest, min(1.06 * largest, 103)], "side": "bottom"}
    up = {
        "tickvals": y, "ticktext": [text(_short(row)) for row in rows], "range": [len(rows) - 0.5, -0.5],
        "showgrid": True, "title": None,
    }  # fmt: skip
    return _drawn(traces, across, up, ink, 130 + ROW * len(rows), annotations=ways)


def growth(plot: GrowthPlot, ink: str = "") -> go.Figure:
    """Return the lines of UiO and repU over the keys added."""
    steps = [text(name if i == 0 else f"+ {name}") for i, name in enumerate(plot.steps)]
    x = list(range(len(steps)))
    looks = {"UiO": (ORIGINAL, "circle-open", "solid"), "repU": (SYNTHETIC, "diamond", "dash")}
    traces = []
    for name, values in plot.lines:
        colour, symbol, dash = looks[name]
        traces.append({
            "type": "scatter", "x": x, "y": list(values), "mode": "lines+markers", "name": name,
            "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.5, "color": colour}},
            "hovertext": [f"{step}: {name} {v:.2f} %" for step, v in zip(steps, values, strict=True)],
            "hovertemplate": "%{hovertext}<extra></extra>",
        })  # fmt: skip
    top = max([1.0, *(v for _, values in plot.lines for v in values)])
    across = {"tickvals": x, "ticktext": steps, "range": [-0.3, len(x) - 0.7]}
    return _drawn(traces, across, {"title": plot.unit, "range": [-0.05 * top, 1.1 * top]}, ink, 320)


def bars(plot: BarPlot, ink: str = "") -> go.Figure:
    """Return bars, filled for what is counted, outlined for what they are compared with."""
    at = list(range(len(plot.bars)))
    labels = [text(_cut(bar.label, 2 * LONGEST)) for bar in plot.bars]
    traces = []
    series: list[tuple[Any, ...]]
    series = [(plot.value, [bar.value for bar in plot.bars], SYNTHETIC, {"color": SYNTHETIC, "width": 1.5}, 0.5)]
    if plot.whole:
        whole = [bar.whole for bar in plot.bars]
        series.insert(0, (plot.whole, whole, "rgba(0,0,0,0)", {"color": ORIGINAL, "width": 2}, 0.78))
    told = [_told(plot, bar) for bar in plot.bars]
    about = [list(bar.about) if bar.about else None for bar in plot.bars]
    for name, values, fill, line, width in series:
        traces.append({
            "type": "bar", "x": at if plot.upright else values, "y": values if plot.upright else at, "width": width,
            "name": text(name), "orientation": "v" if plot.upright else "h", "marker": {"color": fill, "line": line},
            "customdata": about, "hovertext": told, "hovertemplate": "%{hovertext}<extra></extra>",
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    largest = max([bar.value for bar in plot.bars] + [bar.whole or 0 for bar in plot.bars] + [1e-9])
    ends = [max(bar.value, bar.whole or 0) for bar in plot.bars]
    notes: list[dict[str, Any]] = [
        {
            "x": i if plot.upright else end, "y": end if plot.upright else i, "text": bar.figure, "showarrow": False,
            "xanchor": "center" if plot.upright else "left", "yanchor": "bottom" if plot.upright else "middle",
            "xshift": 0 if plot.upright else 5,
        }
        for i, (bar, end) in enumerate(zip(plot.bars, ends, strict=True))
    ]  # fmt: skip
    numbers: dict[str, Any] = {"title": plot.unit, "range": [0, (1.25 if plot.whole else 1.14) * largest]}
    names: dict[str, Any] = {"tickvals": at, "ticktext": labels, "showgrid": False}
    if plot.upright:
        across, up = names | {"range": [-0.6, len(at) - 0.4]}, numbers
    else:
        across, up = numbers, names | {"range": [len(at) - 0.4, -0.6]}
    shapes = []
    if plot.limit:
        place, said = plot.limit[0] - 0.5, text(plot.limit[1])
        line = {"color": QUIET, "dash": "dash"}
        shapes.append({"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain", "line": line})
        notes.append({"x": place, "y": 1, "yref": "y domain", "yanchor": "bottom", "text": said, "showarrow": False})
    height = 280 if plot.upright else 120 + ROW * len(at)
    return _drawn(
        traces,
        across,
        up,
        ink,
        height,
        annotations=notes,
        shapes=shapes,
        barmode="overlay",
        showlegend=bool(plot.whole),
    )


def quadrants(plot: QuadrantPlot, ink: str = "") -> go.Figure:
    """Return absolute against relative vulnerability, with intervals, and the thresholds as lines."""
    points = plot.points
    looks = {
        "high": (SYNTHETIC, "diamond"),
        "acceptable": (ORIGINAL, "circle-open"),
        "not evaluated": (QUIET, "square-open"),
    }
    figure = go.Figure()
    sides = _beside(plot)
    for decision, (colour, symbol) in looks.items():
        some = [p for p in points if p.decision == decision]
        if not some:
            continue
        figure.add_scatter(
            x=[p.x for p in some], y=[p.y for p in some], mode="markers+text", name=decision,
            text=[text(_cut(p.label, 24)) for p in some], textposition=[sides[p] for p in some], cliponaxis=False,
            marker={"color": colour, "symbol": symbol, "size": 11, "line": {"width": 2.5, "color": colour}},
            error_y={
                "type": "data", "symmetric": False, "array": [p.high - p.y for p in some],
                "arrayminus": [p.y - p.low for p in some], "color": colour, "thickness": 1.2, "width": 3,
            },
            hovertext=[
                f"<b>{text(p.label)}</b><br>members {p.x:.2f} %<br>difference {p.y:+.2f} points<br>"
                f"95 % interval {p.low:+.2f} to {p.high:+.2f}<br>{p.decision}" for p in some
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    lowest = min([0.0, *(p.low for p in points), plot.relative or 0])
    highest = max([1.0, *(p.high for p in points), plot.relative or 0])
    room = 0.12 * (highest - lowest)
    widest = max([1.0, *(p.x for p in points), plot.absolute or 0])
    axis = {"fixedrange": True, "automargin": True}
    figure.update_xaxes(title=plot.x_unit, range=[-0.06 * widest, 1.1 * widest], zeroline=False, **axis)
    figure.update_yaxes(title=plot.y_unit, range=[lowest - room, highest + room], zeroline=True, **axis)
    if plot.absolute is not None:
        figure.add_vline(x=plot.absolute, line={"color": QUIET, "dash": "dash"})
    if plot.relative is not None:
        figure.add_hline(y=plot.relative, line={"color": QUIET, "dash": "dash"})
    return _laid_out(figure, ink, 460)


def _beside(plot: QuadrantPlot) -> dict[Point, str]:
    """Return on which side of each mark its name stands, so that names lie on no mark and on no other name.

    Places are measured in shares of the frame, which is some 900 by 380 px; a letter takes 7 by 16.
    """
    points = plot.points
    wide = max([1.0, *(p.x for p in points)])
    ends = [0.0, *(v for p in points for v in (p.low, p.high))]
    tall = max(ends) - min(ends) or 1.0
    at = {p: (p.x / wide, p.y / tall) for p in points}
    taken = [(x - 0.01, y - 0.025, x + 0.01, y + 0.025) for x, y in at.values()]
    found: dict[Point, str] = {}
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


def curves(plot: CurvePlot, ink: str = "", height: int | None = None) -> go.Figure:
    """Return lines with their ranges, in one frame of that height, or in several of the same scale."""
    n = len(plot.panels)
    columns = min(n, FRAMES)
    rows = -(-n // columns)
    titles = [text(_cut(panel.title)) for panel in plot.panels] if n > 1 else None
    height = (height or 340) if n == 1 else 130 + 200 * rows
    figure = make_subplots(
        rows, columns, subplot_titles=titles, shared_xaxes="all", shared_yaxes="all",
        horizontal_spacing=0.03, vertical_spacing=min(60 / (height - 130), 0.9 / rows),
    )  # fmt: skip
    for i, panel in enumerate(plot.panels):
        place = {"row": i // columns + 1, "col": i % columns + 1}
        if i + columns >= n:  # the lowest of its column
            figure.update_xaxes(title=plot.across, showticklabels=True, **place)
        for curve in panel.curves:
            _curve(figure, plot, panel.title, curve, place, legend=i == 0)
    if plot.limit:
        line = {"color": QUIET, "dash": "dash"}
        said = {"annotation_text": text(plot.limit[1]), "annotation_position": "top"} if n == 1 else {}
        figure.add_vline(x=plot.limit[0], line=line, row="all", col="all", **said)
    first, last = (log10(at) if plot.log else at for at in (plot.at[0], plot.at[-1]))
    beside = 0.03 * (last - first or 1.0)
    figure.update_xaxes(range=[first - beside, last + beside], fixedrange=True, zeroline=False)
    if plot.log:
        ticks = [step * 10**power for power in range(9) for step in (1, 2, 5)]
        figure.update_xaxes(type="log", tickvals=[tick for tick in ticks if plot.at[0] <= tick <= plot.at[-1]])
    elif plot.ticks:
        figure.update_xaxes(tickvals=list(plot.ticks))
    tall = max(plot.top, 1.0) - plot.bottom
    figure.update_yaxes(range=[plot.bottom - 0.05 * tall, plot.bottom + 1.1 * tall], zeroline=False, fixedrange=True)
    figure.update_yaxes(title=plot.unit, automargin=True, row=rows // 2 + 1, col=1)
    drawn = _laid_out(figure, ink, height)
    alone = n == len(plot.panels[0].curves) == 1 and not plot.limit
    drawn.update_layout(
        margin={"b": 50, "t": 80 if n > 1 else 12 if alone else 40}, showlegend=not alone,
        legend={"y": 1 + 34 / (height - 130)} if n > 1 else {},
    )  # fmt: skip
    return drawn


def _curve(
    figure: go.Figure, plot: CurvePlot, title: str, curve: Curve, place: dict[str, int], *, legend: bool
) -> None:
    """Add one line and its range; each is named once in the legend."""
    colour, symbol, dash = {
        "original": (ORIGINAL, "circle-open", "solid"), "synthetic": (SYNTHETIC, "diamond", "dash"),
    }[curve.side]  # fmt: skip
    x = list(plot.at)
    if curve.low:
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*curve.high, *curve.low[::-1]], mode="none", fill="toself", fillcolor=colour,
            opacity=0.2, name=f"{curve.name}: {plot.band}", hoverinfo="skip", showlegend=legend, **place,
        )  # fmt: skip
    spread = zip(curve.low, curve.high, strict=True) if curve.low else ((v, v) for v in curve.values)
    head = f"<b>{text(title)}</b><br>" if title else ""
    figure.add_scatter(
        x=x, y=list(curve.values), mode="lines+markers" if plot.steps else "lines", name=curve.name,
        line={"color": colour, "width": 2, "dash": dash}, showlegend=legend,
        marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.5, "color": colour}},
        hovertext=[
            f"{head}{plot.across} {at:g}<br>{curve.name}: {v:.2f}" + (f" ({a:.2f} to {b:.2f})" if curve.low else "")
            for at, v, (a, b) in zip(x, curve.values, spread, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>", **place,
    )  # fmt: skip


def _told(plot: BarPlot, bar: Bar) -> str:
    lines = [f"<b>{text(bar.label)}</b>", f"{text(plot.value)}: {bar.value:,.2f}"]
    if bar.whole is not None:
        lines.append(f"{text(plot.whole)}: {bar.whole:,.2f}")
    return "<br>".join([*lines, text(bar.told)] if bar.told else lines)


def _cut(name: str, longest: int = LONGEST) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _drawn(
    traces: list[dict[str, Any]], across: dict[str, Any], up: dict[str, Any], ink: str, height: int, **more: Any
) -> go.Figure:
    """Return a figure of one frame, made in one go: each later change has plotly check all of it again."""
    fixed = {"zeroline": False, "fixedrange": True, "automargin": True}
    axes = {"xaxis": _inked(fixed | across, ink), "yaxis": _inked(fixed | up, ink)}
    return go.Figure({"data": traces, "layout": _layout(ink, height) | axes | more})


def _inked(axis: dict[str, Any], ink: str) -> dict[str, Any]:
    """Return an axis with its words in the colour `ink`."""
    title = {"title": {"text": axis.get("title"), "font": {"color": ink}}}
    return axis | title | {"tickfont": {"color": ink}} if ink else axis


def _laid_out(figure: go.Figure, ink: str, height: int) -> go.Figure:
    """Lay out a figure that has its axes already, one or several."""
    words = {"tickfont": {"color": ink}, "title": {"font": {"color": ink}}} if ink else {}
    axes = {axis: words for axis in figure.layout if axis.startswith(("xaxis", "yaxis"))}
    return figure.update_layout(_layout(ink, height) | axes)


def _layout(ink: str, height: int) -> dict[str, Any]:
    legend = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom", "title": None}
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


def _short(row: ArrowRow) -> str:
    name = _cut(row.target)
    return f"{name} · {row.flag}" if row.flag else name


def _hover(plot: ArrowPlot, row: ArrowRow) -> str:
    lines = [
        f"<b>{text(row.target)}</b>",
        f"{plot.original} {row.original:.2f} % ({row.n_original:,.0f} records)",
        f"{plot.synthetic} {row.synthetic:.2f} % ({row.n_synthetic:,.0f} records)",
    ]
    if plot.n_syntheses > 1:
        lines.append(f"{plot.n_syntheses} syntheses: {row.low:.2f} to {row.high:.2f} %")
    if row.flag:
        lines.append(f"{row.flag} check raised")
    return "<br>".join(lines)
