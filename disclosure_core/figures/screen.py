"""Figures for the screen, in plotly; colours and layout only, never a number of their own.

Text from the data passes `text`: plotly reads a little HTML in every label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

if TYPE_CHECKING:
    from disclosure_core.figures.describe import ArrowPlot, ArrowRow, GrowthPlot

ORIGINAL = "#1F83C9"
SYNTHETIC = "#D55E00"
"""Blue and vermilion after Okabe and Ito: apart for every kind of colour vision, 3:1 on light and on dark."""

QUIET = "#8A8F98"
ROW = 36
"""Height of a row, px."""

LONGEST = 34
"""Longer names are cut on the axis; hover shows them whole."""


def text(raw: str) -> str:
    """Return text from the data so that plotly shows it letter by letter."""
    return raw.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def arrows(plot: ArrowPlot) -> go.Figure:
    """Return the Dorig-against-DiSCO plot: two marks a target, an arrow from original to synthetic."""
    rows = plot.rows
    y = list(range(len(rows)))
    figure = go.Figure()
    if plot.n_syntheses > 1:
        xs: list[float | None] = [x for row in rows for x in (row.low, row.high, None)]
        ys: list[float | None] = [x for i in y for x in (i, i, None)]
        figure.add_scatter(
            x=xs, y=ys, mode="lines", name="smallest to largest synthesis", hoverinfo="skip",
            line={"color": SYNTHETIC, "width": 9}, opacity=0.35,
        )  # fmt: skip
    marks = (
        (plot.original, [r.original for r in rows], "circle-open", ORIGINAL),
        (plot.synthetic, [r.synthetic for r in rows], "diamond", SYNTHETIC),
    )
    hover = [_hover(plot, row) for row in rows]
    names = [[row.target] for row in rows]
    for name, x, symbol, colour in marks:
        side = "original" if name == plot.original else "synthetic"
        figure.add_scatter(
            x=x, y=y, mode="markers", name=f"{name} ({side})", customdata=names, hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
            marker={"symbol": symbol, "color": colour, "size": 11, "line": {"width": 2.5, "color": colour}},
            selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
        )  # fmt: skip
    largest = max([1.0, *(max(r.original, r.high) for r in rows)])
    # All at once: plotly checks every arrow again for each that is added.
    figure.layout.annotations = [
        {
            "x": row.synthetic, "y": i, "ax": row.original, "ay": i, "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 1.4,
            "arrowcolor": QUIET, "standoff": 9, "startstandoff": 8, "text": "",
        }
        for i, row in enumerate(rows)
        if abs(row.original - row.synthetic) > 0.03 * largest
    ]  # fmt: skip
    figure.update_yaxes(
        tickvals=y, ticktext=[text(_short(row)) for row in rows], range=[len(rows) - 0.5, -0.5], zeroline=False,
        showgrid=True, fixedrange=True, automargin=True, title=None,
    )  # fmt: skip
    figure.update_xaxes(
        title=plot.unit, range=[-0.02 * largest, min(1.06 * largest, 103)], zeroline=False, fixedrange=True,
        automargin=True, side="bottom",
    )  # fmt: skip
    return _laid_out(figure, height=130 + ROW * len(rows))


def growth(plot: GrowthPlot) -> go.Figure:
    """Return the lines of UiO and repU over the keys added."""
    steps = [text(name if i == 0 else f"+ {name}") for i, name in enumerate(plot.steps)]
    x = list(range(len(steps)))
    looks = {"UiO": (ORIGINAL, "circle-open", "solid"), "repU": (SYNTHETIC, "diamond", "dash")}
    figure = go.Figure()
    for name, values in plot.lines:
        colour, symbol, dash = looks[name]
        figure.add_scatter(
            x=x, y=list(values), mode="lines+markers", name=name, line={"color": colour, "width": 2, "dash": dash},
            marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.5, "color": colour}},
            hovertext=[f"{step}: {name} {v:.2f} %" for step, v in zip(steps, values, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    figure.update_xaxes(tickvals=x, ticktext=steps, range=[-0.3, len(x) - 0.7], fixedrange=True, automargin=True)
    top = max([1.0, *(v for _, values in plot.lines for v in values)])
    figure.update_yaxes(
        title=plot.unit, range=[-0.05 * top, 1.1 * top], zeroline=False, fixedrange=True, automargin=True
    )
    return _laid_out(figure, height=320)


def _laid_out(figure: go.Figure, height: int) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 20, "t": 40, "b": 40},
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom", "title": None},
        hovermode="closest",
        dragmode=False,
        clickmode="event+select",
    )
    return figure


def _short(row: ArrowRow) -> str:
    name = row.target if len(row.target) <= LONGEST else row.target[: LONGEST - 1] + "…"
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
