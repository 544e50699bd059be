"""Figures for the screen, in plotly; colours and layout only, never a number of their own.

Text from the data passes `text`: plotly reads a little HTML in every label.
"""

from __future__ import annotations

from math import log10
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from disclosure_core.data.naming import named
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.members_outside import PARTS, OutsidePlot
from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.queue import GAIN, QueuePlot, gain_of, under_name
from disclosure_core.figures.risk_utility import MapPlot
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.figures.table_usefulness import HeatPlot
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.figures.catalogue import Plot
    from disclosure_core.figures.dorig_disco import ArrowRow
    from disclosure_core.figures.shapes import Bar, Curve
    from disclosure_core.review.queue import QueueRow

ROW = 36
"""Height of a row, px."""

FRAMES = 3
"""Frames side by side."""

LONGEST = 34
"""Longer names are cut on the axis; hover shows them whole."""


_WHOLE = {"separatethousands": True, "exponentformat": "none"}
"""Numbers on axes stand in full, 20,000: neither 20000 nor 20k."""

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


def draw(plot: Plot | QueuePlot, ink: str = "", height: int | None = None, *, narrow: bool = False) -> go.Figure:
    """Return the figure that a description stands for, its words in the colour `ink`, that of the theme by default.

    `height`, px, is that of a figure of lines in one frame; all others are as tall as what they show.
    """
    match plot:
        case ArrowPlot():
            return arrows(plot, ink)
        case GrowthPlot():
            return growth(plot, ink)
        case BarPlot():
            return bars(plot, ink, narrow=narrow)
        case OutsidePlot():
            return outside(plot, ink)
        case CurvePlot():
            return curves(plot, ink, height)
        case MapPlot():
            return risk_map(plot, ink)
        case HeatPlot():
            return heat(plot, ink)
        case QueuePlot():
            return queue(plot, ink, height)


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
    ways = [
        {
            "x": row.synthetic, "y": i, "ax": row.original, "ay": i, "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 1.4,
            "arrowcolor": QUIET, "standoff": 9, "startstandoff": 8, "text": "",
        }
        for i, (row, arrow) in enumerate(zip(rows, plot.arrows, strict=True))
        if arrow
    ]  # fmt: skip
    across = {"title": plot.unit, "range": [-0.02 * plot.largest, min(1.06 * plot.largest, 103)], "side": "bottom"}
    up = {
        "tickvals": y, "ticktext": [text(_short(row)) for row in rows], "range": [len(rows) - 0.5, -0.5],
        "showgrid": True, "title": None,
    }  # fmt: skip
    return _drawn(traces, across, up, ink, 130 + ROW * len(rows), annotations=ways)


LINE, TALLEST, FILLED = 44, 60, 440
"""Height of a row of the queue, px: a line of words above its marks; few rows are taller, to fill a small window."""

_WORDS_AT, _MARKS_AT = -0.24, 0.2
"""Where words and marks stand in a row of the queue, in rows from its middle, downwards."""

_GAIN_BELOW = 0.2
"""How far the mark of the gain over chance stands beneath those of the measures, in rows."""

_TICK = 0.1
"""Half the height of a synthesis' mark in a row of the queue, in rows."""


def queue(plot: QueuePlot, ink: str = "", height: int | None = None) -> go.Figure:
    """Return the queue: a row a target, words above its marks; an unseen bar takes a click anywhere in a row."""
    q, rows = plot.queue, plot.queue.rows
    start, end = q.start - 0.02 * q.end, 1.02 * q.end
    y = [i + _MARKS_AT for i in range(len(rows))]
    names = [[row.target] for row in rows]
    quiet: dict[str, Any] = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    traces: list[dict[str, Any]] = [{
        "type": "bar", "orientation": "h", "base": start, "x": [end - start] * len(rows), "y": list(range(len(rows))),
        "width": 1, "marker": {"color": "rgba(0,0,0,0)", "line": {"width": 0}}, "customdata": names,
        "hoverinfo": "none", "name": "rows", "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }]  # fmt: skip
    # Each trace costs a browser some milliseconds, twice: many marks are one line, and the rows' lines are the axis'.
    ways = [(row.original, row.synthetic) for row in rows]
    traces.append(quiet | _lines(ways, y, "from original to synthetic", {"color": QUIET, "width": 1.4}))
    if q.n_syntheses > 1:
        spread = [(min(row.each), max(row.each)) for row in rows]
        line = {"color": SYNTHETIC, "width": 8}
        traces.append(quiet | _lines(spread, y, "smallest to largest synthesis", line) | {"opacity": 0.35})
        ticks = [(x, at) for row, at in zip(rows, y, strict=True) for x in row.each]
        traces.append(quiet | {
            "x": [x for tick, _ in ticks for x in (tick, tick, None)],
            "y": [at for _, middle in ticks for at in (middle - _TICK, middle + _TICK, None)],
            "mode": "lines", "name": "each synthesis", "line": {"width": 1.1, "color": SYNTHETIC},
        })  # fmt: skip
    if was := [(row, at) for row, at in zip(rows, y, strict=True) if row.moved]:
        dotted = {"color": SYNTHETIC, "width": 1.3, "dash": "dot"}
        ends = [(row.synthetic_before, row.synthetic) for row, _ in was]
        traces.append(quiet | _lines(ends, [at for _, at in was], "what moved", dotted))
        colours = [colour for _ in was for colour in (ORIGINAL, SYNTHETIC)]
        traces.append(quiet | {
            "x": [x for row, _ in was for x in (row.original_before, row.synthetic_before)],
            "y": [at for _, at in was for _ in range(2)], "mode": "markers", "name": "before", "opacity": 0.6,
            "marker": {
                "symbol": ["circle-open", "diamond-open"] * len(was), "size": 9, "color": colours,
                "line": {"width": 1.2, "color": colours},
            },
        })  # fmt: skip
    hover = [_of_row(plot, row) for row in rows]
    gains = [(row, at) for row, at in zip(rows, y, strict=True) if row.beyond.gain == row.beyond.gain]
    traces.append({
        "type": "scatter", "x": [max(row.beyond.gain, q.start) for row, _ in gains], "mode": "markers", "name": GAIN,
        "y": [at + _GAIN_BELOW for _, at in gains], "customdata": [[row.target] for row, _ in gains],
        "hovertext": [_of_row(plot, row) for row, _ in gains], "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {"symbol": "square", "size": 5, "color": QUIET}, "showlegend": False,
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
    })  # fmt: skip
    for name, side, symbol, colour, xs in (
        (q.original, "original", "circle-open", ORIGINAL, [row.original for row in rows]),
        (q.synthetic, "synthetic", "diamond", SYNTHETIC, [row.synthetic for row in rows]),
    ):
        traces.append({
            "type": "scatter", "x": xs, "y": y, "mode": "markers", "name": f"{name} ({side})", "customdata": names,
            "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>", "showlegend": False,
            "marker": {"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.2, "color": colour}},
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    n = len(rows)
    traces.append(quiet | {
        "x": [start] * n + [end] * n, "y": [i + _WORDS_AT for i in range(n)] * 2, "mode": "text", "name": "words",
        "text": [_words(row) for row in rows] + [f"<b>{fixed(row.synthetic)}</b>" for row in rows],
        "textposition": ["middle right"] * n + ["middle left"] * n, "cliponaxis": False,
        "textfont": {"size": _TYPE} | ({"color": ink} if ink else {}),
    })  # fmt: skip
    tall = min(max(LINE, FILLED / max(n, 1)), TALLEST)
    chosen = next((i for i, row in enumerate(rows) if row.target == plot.target), None)
    shapes: list[dict[str, Any]] = []
    if chosen is not None:
        box = {"type": "rect", "xref": "x domain", "y0": chosen - 0.5, "y1": chosen + 0.5, "layer": "below"}
        shapes.append(box | {"x0": 0, "x1": 1, "fillcolor": "rgba(31,131,201,0.14)", "line": {"width": 0}})
        shapes.append(box | {"x0": 0, "x1": 0.008, "fillcolor": ORIGINAL, "line": {"width": 0}})
    across = {"range": [start, end], "side": "top", "showgrid": True, "automargin": False}
    up = {
        "range": [len(rows) - 0.5, -0.5], "showticklabels": False, "tickvals": y, "showgrid": True,
        "gridcolor": "rgba(138,143,152,0.4)", "automargin": False,
    }  # fmt: skip
    return _drawn(
        traces, across, up, ink, height or round(40 + tall * n), shapes=shapes, barmode="overlay", bargap=0,
        showlegend=False, uirevision="same", margin={"l": 4, "r": 4, "t": 26, "b": 4},
    )  # fmt: skip


def _lines(ends: list[tuple[float, float]], y: list[float], name: str, line: dict[str, Any]) -> dict[str, Any]:
    """Return lines between two numbers of a row each, as one trace."""
    return {
        "x": [x for pair in ends for x in (*pair, None)], "y": [x for at in y for x in (at, at, None)], "mode": "lines",
        "name": name, "line": line,
    }  # fmt: skip


def _words(row: QueueRow) -> str:
    """Return what stands above a row's marks: flag or verdict, the name, and what it is about."""
    mark = "▲ " if row.above else ""
    mark += ("✓ " if row.judged else "? ") if row.given else "⚑ " if row.flagged else ""
    name = _cut(row.target, 24)
    under = _beside_name(under_name(row), max(30, 46 - len(name)), figure_last=row.worst is not None)
    more = f"<span style='font-size:0.85em'>  {text(under)}</span>" if under else ""
    return f" {mark}<b>{text(name)}</b>{more}"


def _beside_name(said: str, longest: int, *, figure_last: bool) -> str:
    """Return what stands beside a name, cut to its room; another intruder's figure at its end is never cut."""
    if len(said) <= longest or not figure_last:
        return _cut(said, longest)
    words, _, last = said.rpartition(" · ")
    whose, _, figure = last.rpartition(": ")
    last = f"{_cut(whose, longest - len(figure) - 2 - (8 if words else 0))}: {figure}"
    return " · ".join(part for part in (_cut(words, longest - len(last) - 3), last) if part)


def _of_row(plot: QueuePlot, row: QueueRow) -> str:
    q = plot.queue
    was = f" (before {fixed(row.original_before)} %)", f" (before {fixed(row.synthetic_before)} %)"
    lines = [
        f"<b>{text(row.target)}</b>{text(named(row.target, plot.labels).removeprefix(row.target))}",
        f"{q.original} {fixed(row.original)} %{was[0] if row.moved else ''}",
        f"{q.synthetic} {fixed(row.synthetic)} %{was[1] if row.moved else ''}",
    ]
    if q.n_syntheses > 1:
        lines.append(f"{q.n_syntheses} syntheses: {fixed(min(row.each))} to {fixed(max(row.each))} %")
    lines.append(
        f"{gain_of(row)} points; κ {fixed(row.beyond.kappa)}; beyond the commonest {fixed(row.beyond.beyond)} %"
    )
    if under := under_name(row):
        lines.append(text(under))
    return "<br>".join(lines)


def growth(plot: GrowthPlot, ink: str = "") -> go.Figure:
    """Return the lines of UiO and repU over the keys added."""
    steps = [text(name if i == 0 else f"+ {name}") for i, name in enumerate(plot.steps)]
    x = list(range(len(steps)))
    looks = {"UiO": MARKS["original"], "repU": MARKS["synthetic"]}
    traces = []
    for name, values in plot.lines:
        colour, symbol, dash = looks[name].colour, looks[name].symbol, looks[name].dash
        traces.append({
            "type": "scatter", "x": x, "y": list(values), "mode": "lines+markers", "name": name,
            "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.5, "color": colour}},
            "hovertext": [f"{step}: {name} {fixed(v)} %" for step, v in zip(steps, values, strict=True)],
            "hovertemplate": "%{hovertext}<extra></extra>",
        })  # fmt: skip
    top = max([1.0, *(v for _, values in plot.lines for v in values)])
    across = {"tickvals": x, "ticktext": steps, "range": [-0.3, len(x) - 0.7]}
    return _drawn(traces, across, {"title": plot.unit, "range": [-0.05 * top, 1.1 * top]}, ink, 320)


def bars(plot: BarPlot, ink: str = "", *, narrow: bool = False) -> go.Figure:
    """Return bars, filled for what is counted, outlined for what they are compared with.

    In a narrow place the names of lying bars stand above them.
    """
    narrow = narrow and not plot.upright
    at = list(range(len(plot.bars)))
    labels = [text(_cut(bar.label, 2 * LONGEST)) for bar in plot.bars]
    traces = []
    series: list[tuple[Any, ...]]
    edges = [MARKS[bar.side].colour for bar in plot.bars]
    fills = ["rgba(0,0,0,0)" if bar.side == "original" else MARKS[bar.side].colour for bar in plot.bars]
    series = [(plot.value, [bar.value for bar in plot.bars], fills, {"color": edges, "width": 1.5}, 0.5)]
    if plot.whole:
        whole = [bar.whole for bar in plot.bars]
        series.insert(0, (plot.whole, whole, "rgba(0,0,0,0)", {"color": MARKS[plot.side].colour, "width": 2}, 0.78))
    hover = [_hover_of_bar(plot, bar) for bar in plot.bars]
    about = [list(bar.about) if bar.about else None for bar in plot.bars]
    for name, values, fill, line, width in series:
        traces.append({
            "type": "bar", "x": at if plot.upright else values, "y": values if plot.upright else at, "width": width,
            "name": text(name), "orientation": "v" if plot.upright else "h", "marker": {"color": fill, "line": line},
            "customdata": about, "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>",
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
    if narrow:
        notes += [
            {"xref": "x domain", "x": 0, "y": i - 0.36, "text": label, "showarrow": False, "xanchor": "left",
             "yanchor": "middle"}
            for i, label in enumerate(labels)
        ]  # fmt: skip
        for trace in traces:
            trace["width"] = 0.3 if trace["width"] == 0.5 else 0.44
            trace["offset"] = -0.05 if trace["width"] == 0.3 else -0.12
        for note, i in zip(notes, at, strict=False):
            note["y"] = i + 0.1
    unit = plot.unit.partition(", target ")[0] if narrow else plot.unit  # the target stands beside a narrow place
    numbers: dict[str, Any] = {
        "title": unit.replace(" in the original", "").replace(" that ", "<br>that ") if narrow else unit,
        "range": [0, (1.25 if plot.whole else 1.14) * largest * (1.2 if narrow else 1)],
    }
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
    if narrow:
        up |= {"showticklabels": False, "range": [len(at) - 0.5, -0.62]}
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
        **({"margin": {"l": 4, "r": 10, "t": 40 if plot.whole else 4, "b": 40}} if narrow else {}),
    )


def outside(plot: OutsidePlot, ink: str = "") -> go.Figure:
    """Return members against people outside, and beside them the differences with their intervals."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    names = [text(_cut(row.target)) for row in rows]
    hover = [
        f"<b>{text(r.target)}</b><br>members {fixed(r.members)} %<br>people outside {fixed(r.outside)} %<br>"
        f"difference {fixed(r.difference, sign=True)} points<br>95 % interval {fixed(r.low, sign=True)} to "
        f"{fixed(r.high, sign=True)}<br>{r.decision}"
        for r in rows
    ]
    hovering = {"hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>", "cliponaxis": False}
    rods_x = [v for r in rows for v in (r.outside, r.members, None)]
    rods_y = [v for at in y for v in (at, at, None)]
    others, members = MARKS["outside"], MARKS["synthetic"]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "x": rods_x, "y": rods_y, "mode": "lines", "hoverinfo": "skip", "showlegend": False,
            "line": {"color": QUIET, "width": 1.5},
        },
        {
            "type": "scatter", "x": [r.outside for r in rows], "y": y, "mode": "markers", "name": "people outside",
            "marker": {"symbol": "line-ns-open", "size": 18, "color": others.colour, "line": {"width": 3}}, **hovering,
        },
        {
            "type": "scatter", "x": [r.members for r in rows], "y": y, "mode": "markers", "name": "members",
            "marker": {"symbol": members.symbol, "size": 11, "color": members.colour}, **hovering,
        },
    ]  # fmt: skip
    strong = ink or QUIET
    for shown, name in ((True, "difference"), (False, "difference: the interval holds 0")):
        some = [(at, r, h) for at, r, h in zip(y, rows, hover, strict=True) if r.shown is shown]
        if some:
            traces.append({
                "type": "scatter", "x": [r.difference for _, r, _ in some], "y": [at for at, _, _ in some],
                "xaxis": "x2", "mode": "markers", "name": name,
                "marker": {
                    "symbol": "circle" if shown else "circle-open", "size": 9, "color": strong if shown else QUIET,
                    "line": {"width": 2},
                },
                "error_x": {
                    "type": "data", "symmetric": False, "array": [r.high - r.difference for _, r, _ in some],
                    "arrayminus": [r.difference - r.low for _, r, _ in some], "width": 0, "thickness": 2,
                    "color": strong if shown else QUIET,
                },
                "hovertext": [h for *_, h in some], "hovertemplate": "%{hovertext}<extra></extra>",
            })  # fmt: skip
    for part, side in PARTS.items():
        made = [(at, segment) for at, r in zip(y, rows, strict=True) for segment in r.segments if segment[0] == part]
        if made:
            traces.append({
                "type": "bar", "orientation": "h", "base": [a for _, (_, a, _) in made],
                "x": [b - a for _, (_, a, b) in made],
                "y": [at - 0.28 for at, _ in made], "width": 0.13, "xaxis": "x2", "name": part,
                "marker": {"color": MARKS[side].colour}, "hovertemplate": f"{part}: %{{x:+.2f}} points<extra></extra>",
            })  # fmt: skip
    same = [(at, r.same) for at, r in zip(y, rows, strict=True) if r.same is not None]
    if same:
        traces.append({
            "type": "scatter", "x": [m for _, (m, _, _) in same], "y": [at + 0.28 for at, _ in same], "xaxis": "x2",
            "mode": "markers", "name": "same keys (M)",
            "marker": {"symbol": "diamond-open", "size": 8, "color": SYNTHETIC, "line": {"width": 1.5}},
            "error_x": {
                "type": "data", "symmetric": False, "array": [b - m for _, (m, _, b) in same],
                "arrayminus": [m - a for _, (m, a, _) in same], "width": 0, "thickness": 1.5, "color": SYNTHETIC,
            },
            "hovertemplate": "same keys: %{x:+.2f} points<extra></extra>",
        })  # fmt: skip
    low, high = plot.differences
    room = 0.06 * (high - low or 1.0)
    across = {"title": plot.unit, "range": [-0.02 * plot.furthest, 1.06 * plot.furthest], "domain": [0, 0.62]}
    up = {
        "tickvals": y, "ticktext": names, "range": [len(rows) - 0.5, -0.5], "showgrid": True, "title": None,
    }  # fmt: skip
    beside = {
        "title": "difference, percentage points", "range": [low - room, high + room], "domain": [0.68, 1],
        "zeroline": True, "fixedrange": True, "automargin": True,
    }  # fmt: skip
    dashed = {"color": QUIET, "dash": "dash"}
    limits = ((plot.absolute, "x"), (plot.relative, "x2"))
    shapes = [
        {"type": "line", "x0": at, "x1": at, "xref": axis, "y0": 0, "y1": 1, "yref": "y domain", "line": dashed}
        for at, axis in limits
        if at is not None
    ]
    return _drawn(
        traces, across, up, ink, 140 + ROW * len(rows), xaxis2=_inked(beside, ink), shapes=shapes, barmode="overlay"
    )


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
        ("a set as it came", "diamond", [p for p in points if p.began is None]),
        ("after safeguards", "square-open", [p for p in points if p.began is not None]),
    ):
        if some:
            traces.append({
                "type": "scatter", "x": [p.x for p in some], "y": [p.y for p in some], "mode": "markers+text",
                "name": name, "text": [text(_cut(p.label, 24)) for p in some], "cliponaxis": False,
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
    return _drawn(traces, across, up, ink, 460, annotations=ways)


def heat(plot: HeatPlot, ink: str = "") -> go.Figure:
    """Return squares, a column by a column, the darker the poorer."""
    n = len(plot.columns)
    names = [text(_cut(name, 18)) for name in plot.columns]
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
    return _drawn([trace, clicks], across, axis | {"range": [n - 0.5, -0.5]}, ink, height, hoverdistance=60)


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
    tall = max(plot.highest, 1.0) - plot.lowest
    figure.update_yaxes(range=[plot.lowest - 0.05 * tall, plot.lowest + 1.1 * tall], zeroline=False, fixedrange=True)
    # An axis' title turned upright has the height of the figure, which cuts what is longer.
    unit = "<br>".join(text(line) for line in wrap(plot.unit, (height - 70) // 6))
    figure.update_yaxes(title=unit, automargin=True, row=rows // 2 + 1, col=1)
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
    mark = MARKS[curve.side]
    colour, symbol, dash = mark.colour, mark.symbol, curve.dash or mark.dash
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
            f"{head}{plot.across} {at:g}<br>{curve.name}: {fixed(v)}"
            + (f" ({fixed(a)} to {fixed(b)})" if curve.low else "")
            for at, v, (a, b) in zip(x, curve.values, spread, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>", **place,
    )  # fmt: skip


def _hover_of_bar(plot: BarPlot, bar: Bar) -> str:
    lines = [f"<b>{text(bar.label)}</b>", f"{text(plot.value)}: {fixed(bar.value)}"]
    if bar.whole is not None:
        lines.append(f"{text(plot.whole)}: {fixed(bar.whole)}")
    return "<br>".join([*lines, text(bar.told)] if bar.told else lines)


def _cut(name: str, longest: int = LONGEST) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _drawn(
    traces: list[dict[str, Any]], across: dict[str, Any], up: dict[str, Any], ink: str, height: int, **more: Any
) -> go.Figure:
    """Return a figure of one frame, made in one go and unchecked: plotly's checks take longer than all the rest.

    `tests/core/test_catalogue.py` has plotly check every figure of the catalogue.
    """
    fixed = {"zeroline": False, "fixedrange": True, "automargin": True} | _WHOLE
    axes = {"xaxis": _inked(fixed | across, ink), "yaxis": _inked(fixed | up, ink)}
    return go.Figure({"data": traces, "layout": _layout(ink, height) | axes | more}, _validate=False)


def _inked(axis: dict[str, Any], ink: str) -> dict[str, Any]:
    """Return an axis with its words in the colour `ink`."""
    colour = {"font": {"color": ink}} if ink else {}
    title = {"title": {"text": axis.get("title")} | colour}
    return axis | title | ({"tickfont": {"color": ink}} if ink else {})


def _laid_out(figure: go.Figure, ink: str, height: int) -> go.Figure:
    """Lay out a figure that has its axes already, one or several."""
    words = {"tickfont": {"color": ink}, "title": {"font": {"color": ink}}} if ink else {}
    axes = {axis: words | _WHOLE for axis in figure.layout if axis.startswith(("xaxis", "yaxis"))}
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
        f"{plot.original} {fixed(row.original)} % ({fixed(row.n_original, 0)} records)",
        f"{plot.synthetic} {fixed(row.synthetic)} % ({fixed(row.n_synthetic, 0)} records)",
    ]
    if plot.n_syntheses > 1:
        lines.append(f"{plot.n_syntheses} syntheses: {fixed(row.low)} to {fixed(row.high)} %")
    if row.flag:
        lines.append(f"{row.flag} check raised")
    return "<br>".join(lines)
