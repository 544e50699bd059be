"""Figures for the screen, in plotly; colours and layout only, never a number of their own.

Text from the data passes `frame.text`: plotly reads a little HTML in every label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.figures.risk_utility import MapPlot
from disclosure_core.figures.safeguards import EffectPlot
from disclosure_core.figures.screen import charts, dots, dumbbells, maps, safeguards
from disclosure_core.figures.screen.frame import TYPE
from disclosure_core.figures.sets_by_target import SetsPlot
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.figures.table_usefulness import HeatPlot

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.plot import Plot


def draw(plot: Plot | EffectPlot, ink: str = "", height: int | None = None, *, narrow: bool = False) -> go.Figure:
    """Return the figure that a description stands for, its words in the colour `ink`, that of the theme by default.

    `height`, px, is that of a figure of lines in one frame; all others are as tall as what they show.
    """
    match plot:
        case ArrowPlot():
            return dumbbells.arrows(plot, ink)
        case GrowthPlot():
            return charts.growth(plot, ink)
        case BarPlot():
            return charts.bars(plot, ink, narrow=narrow)
        case OutsidePlot():
            return dumbbells.outside(plot, ink)
        case EffectPlot():
            return safeguards.effect(plot, ink)
        case CurvePlot():
            return charts.curves(plot, ink, height)
        case MapPlot():
            return maps.risk_map(plot, ink)
        case SetsPlot():
            return dots.sets(plot, ink)
        case HeatPlot():
            return maps.heat(plot, ink)


def enlarged(figure: go.Figure, by: float) -> go.Figure:
    """Return `figure` with its words, marks, lines and height `by` times as large: for a projector."""
    size, margin = TYPE * by, figure.layout.margin
    figure.update_layout(
        height=figure.layout.height * by,
        font_size=size,
        legend_font_size=size,
        hoverlabel_font_size=size,
        margin={side: margin[side] * by for side in "lrtb"},
    )
    figure.update_xaxes(tickfont_size=size, title_font_size=size)
    figure.update_yaxes(tickfont_size=size, title_font_size=size)
    figure.update_annotations(font_size=size)
    for trace in figure.select_traces({"type": "heatmap"}):
        trace.update(textfont_size=size, colorbar={"tickfont": {"size": size}, "title": {"font": {"size": size}}})
    for drawn, name in [
        *((trace.marker, "size") for trace in figure.select_traces({"type": "scatter"})),
        *((trace.marker.line, "width") for trace in figure.data if trace.type != "heatmap"),
        *((trace.line, "width") for trace in figure.select_traces({"type": "scatter"})),
        *((note, name) for note in figure.layout.annotations for name in ("arrowwidth", "standoff", "startstandoff")),
    ]:
        if drawn[name]:
            drawn[name] *= by
    return figure
