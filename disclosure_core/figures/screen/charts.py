"""Bars, growth and lines on screen."""

from __future__ import annotations

from math import log10
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from plotly.subplots import make_subplots

from disclosure_core.figures.palette import MARKS, QUIET
from disclosure_core.figures.screen.frame import (
    HOVER,
    LONGEST,
    ROW,
    STEADY,
    laid_out,
    marks,
    one_frame,
    rule,
    short_names,
    text,
    words,
)
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.keys_added import GrowthPlot
    from disclosure_core.figures.shapes import Bar, BarPlot, Curve, CurvePlot


FRAMES = 3
"""Frames side by side."""

UPRIGHT = 280
"""Height of a figure of upright bars, px."""


def growth(plot: GrowthPlot, ink: str = "") -> go.Figure:
    """Return the lines of UiO and repU over the keys added."""
    steps = [text(name) for name in plot.named]
    x = list(range(len(steps)))
    looks = {"UiO": MARKS["original"], "repU": MARKS["synthetic"]}
    traces = []
    for name, values in plot.lines:
        mark = looks[name]
        more = {
            "mode": "lines+markers",
            "name": name,
            "line": {"color": mark.colour, "width": 2, "dash": mark.dash},
            "hovertext": [f"{step}: {name} {fixed(v)} %" for step, v in zip(steps, values, strict=True)],
        }
        traces.append(marks(x, list(values), mark.symbol, mark.colour, 10, 2.5, **more, **HOVER))
    top = max([1.0, *(v for _, values in plot.lines for v in values)])
    across = {"tickvals": x, "ticktext": steps, "range": [-0.3, len(x) - 0.7]}
    return one_frame(traces, across, {"title": plot.unit_words, "range": [-0.05 * top, 1.1 * top]}, ink, 320)


def bars(plot: BarPlot, ink: str = "", *, narrow: bool = False) -> go.Figure:
    """Return bars, filled for what is counted, outlined for what they are compared with.

    In a narrow place the names of lying bars stand above them.
    """
    narrow = narrow and not plot.upright
    at = list(range(len(plot.bars)))
    labels = short_names((bar.label for bar in plot.bars), 2 * LONGEST)
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
        traces.append(
            {
                "type": "bar",
                "x": at if plot.upright else values,
                "y": values if plot.upright else at,
                "width": width,
                "name": text(name),
                "orientation": "v" if plot.upright else "h",
                "marker": {"color": fill, "line": line},
                "customdata": about,
                "hovertext": hover,
                **HOVER,
                **STEADY,
            }
        )
    largest = max([bar.value for bar in plot.bars] + [bar.whole or 0 for bar in plot.bars]) or 1.0
    ends = [max(bar.value, bar.whole or 0) for bar in plot.bars]
    notes = [
        words(i, end, bar.figure, "center", "bottom", xshift=0)
        if plot.upright
        else words(end, i, bar.figure, "left", xshift=5)
        for i, (bar, end) in enumerate(zip(plot.bars, ends, strict=True))
    ]
    if narrow:
        notes += [words(0, i - 0.36, label, "left", xref="x domain") for i, label in enumerate(labels)]
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
        across, up = names | {"range": [-0.6, len(at) - 0.4]}, numbers | {"title": _turned(plot.unit, UPRIGHT)}
    else:
        across, up = numbers, names | {"range": [len(at) - 0.4, -0.6]}
    shapes = []
    if plot.limit:
        place, said = plot.limit[0] - 0.5, text(plot.limit[1])
        shapes.append(rule({"x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain"}, QUIET))
        notes.append(words(place, 1, said, "auto", "bottom", yref="y domain"))
    if narrow:
        up |= {"showticklabels": False, "range": [len(at) - 0.5, -0.62]}
    height = UPRIGHT if plot.upright else 120 + ROW * len(at)
    return one_frame(
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


def _turned(unit: str, height: int) -> str:
    """Return the title of an upright axis in lines: turned, it has the height of the figure, which cuts it."""
    return "<br>".join(text(line) for line in wrap(unit, (height - 70) // 6))


def curves(plot: CurvePlot, ink: str = "", height: int | None = None) -> go.Figure:
    """Return lines with their ranges, in one frame of that height, or in several of the same scale."""
    n = len(plot.panels)
    columns = min(n, FRAMES)
    rows = -(-n // columns)
    titles = short_names(panel.title for panel in plot.panels) if n > 1 else None
    height = (height or 340) if n == 1 else 130 + 200 * rows
    figure = make_subplots(
        rows,
        columns,
        subplot_titles=titles,
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.03,
        vertical_spacing=min(60 / (height - 130), 0.9 / rows),
    )
    for i, panel in enumerate(plot.panels):
        place = {"row": i // columns + 1, "col": i % columns + 1}
        if i + columns >= n:  # the lowest of its column
            figure.update_xaxes(title=plot.across_words if columns == 1 else None, showticklabels=True, **place)
        banded = [curve for curve in panel.curves if curve.low]
        for curve in panel.curves:
            band = plot.band if banded == [curve] else f"{curve.name}: {plot.band}"
            _curve(figure, plot, panel.title, curve, place, band, legend=i == 0)
    if columns > 1:  # one title for all frames: on a phone several would overlap
        figure.add_annotation(
            text=text(plot.across_words),
            x=0.5,
            y=0,
            xref="paper",
            yref="paper",
            xanchor="center",
            yanchor="top",
            yshift=-24,
            showarrow=False,
        )
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
    figure.update_yaxes(title=_turned(plot.unit_words, height), automargin=True, row=rows // 2 + 1, col=1)
    drawn = laid_out(figure, ink, height)
    alone = n == len(plot.panels[0].curves) == 1 and not plot.limit
    named = sum(trace.showlegend for trace in drawn.data)
    titles_and_names = 54 + 19 * named  # on a phone the legend names one in a line
    drawn.update_layout(margin={"b": 50, "t": titles_and_names if n > 1 else 12 if alone else 40}, showlegend=not alone)
    return drawn


def _curve(
    figure: go.Figure, plot: CurvePlot, title: str, curve: Curve, place: dict[str, int], band: str, *, legend: bool
) -> None:
    """Add one line and its range, called `band`; each is named once in the legend."""
    mark = MARKS[curve.side]
    colour, symbol, dash = mark.colour, mark.symbol, curve.dash or mark.dash
    x = list(plot.at)
    if curve.low:
        figure.add_scatter(
            x=[*x, *x[::-1]],
            y=[*curve.high, *curve.low[::-1]],
            mode="none",
            fill="toself",
            fillcolor=colour,
            opacity=0.2,
            name=band,
            hoverinfo="skip",
            showlegend=legend,
            **place,
        )
    spread = zip(curve.low, curve.high, strict=True) if curve.low else ((v, v) for v in curve.values)
    head = f"<b>{text(title)}</b><br>" if title else ""
    figure.add_scatter(
        x=x,
        y=list(curve.values),
        mode="lines+markers" if plot.steps else "lines",
        name=curve.name,
        line={"color": colour, "width": 2, "dash": dash},
        showlegend=legend,
        cliponaxis=False,
        marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.5, "color": colour}},
        hovertext=[
            f"{head}{plot.across} {at:g}<br>{curve.name}: {fixed(v)}"
            + (f" ({fixed(a)} to {fixed(b)})" if curve.low else "")
            for at, v, (a, b) in zip(x, curve.values, spread, strict=True)
        ],
        **HOVER,
        **place,
    )


def _hover_of_bar(plot: BarPlot, bar: Bar) -> str:
    lines = [f"<b>{text(bar.label)}</b>", f"{text(plot.value)}: {fixed(bar.value)}"]
    if bar.whole is not None:
        lines.append(f"{text(plot.whole)}: {fixed(bar.whole)}")
    return "<br>".join([*lines, text(bar.told)] if bar.told else lines)
