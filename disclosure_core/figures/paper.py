"""Figures for print: PDF, SVG and PNG at exact sizes, from the same descriptions as on screen; no browser needed.

Matplotlib draws them, without its global state: several people may print at once. Text from the data is never read as
mathematics or markup, and long names are broken into lines, never cut.
"""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from disclosure_core.errors import DisclosureError
from disclosure_core.figures.describe import ArrowPlot, GrowthPlot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Set once for the process, when this room is first used: fonts embedded whole in PDF, text kept as text in SVG.
mpl.rcParams["pdf.fonttype"] = 42
mpl.rcParams["svg.fonttype"] = "none"

MM = 1 / 25.4
"""Inches in a millimetre."""

WIDTHS = {"column": 85.0, "page": 180.0, "slide": 254.0}
"""Widths, mm: one column, two columns, and a slide of 16:9."""

SLIDE_HEIGHT = 254.0 * 9 / 16
FORMATS = ("pdf", "svg", "png")
_FONT = "DejaVu Sans"


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure is printed.

    Attributes
    ----------
    size
        "column" (85 mm), "page" (180 mm) or "slide" (254 × 142.9 mm).
    grey
        In greys; marks stay apart by shape and fill.
    title
        A title above, or none.
    dpi
        Dots an inch, of a PNG.

    Raises
    ------
    DisclosureError
        When there is no such size, or the dots are not between 72 and 1200.
    """

    size: str = "page"
    grey: bool = False
    title: str = ""
    dpi: int = 300

    def __post_init__(self) -> None:
        if self.size not in WIDTHS:
            raise DisclosureError(f"There is no size {self.size!r}; choose one of {', '.join(WIDTHS)}.")
        if not 72 <= self.dpi <= 1200:
            raise DisclosureError("Choose between 72 and 1200 dots an inch.")

    @property
    def colours(self) -> tuple[str, str]:
        """Of the original's mark and of the synthetic data's."""
        return ("#000000", "#000000") if self.grey else ("#17648F", "#D55E00")


def draw(plot: ArrowPlot | GrowthPlot, format_: str = "pdf", look: Look | None = None) -> bytes:
    """Return a figure as a file.

    Parameters
    ----------
    plot
        What it shows.
    format_
        "pdf", "svg" or "png".
    look
        How it is printed.

    Raises
    ------
    DisclosureError
        When there is no such format.
    """
    if format_ not in FORMATS:
        raise DisclosureError(f"There is no format {format_!r}; choose one of {', '.join(FORMATS)}.")
    look = look or Look()
    figure = _arrows(plot, look) if isinstance(plot, ArrowPlot) else _growth(plot, look)
    for text in figure.findobj(match=lambda artist: hasattr(artist, "set_parse_math")):
        text.set_parse_math(False)  # type: ignore[attr-defined]
    sink = io.BytesIO()
    # No date, so that the same figure is the same file.
    metadata: dict[str, Any] = {"Title": plot.sentence} | ({"CreationDate": None} if format_ == "pdf" else {})
    if format_ == "svg":
        metadata["Date"] = None
    figure.savefig(sink, format=format_, dpi=look.dpi, metadata=metadata)
    return sink.getvalue()


def _arrows(plot: ArrowPlot, look: Look) -> Figure:
    size, letters = _letters(look, len(plot.rows))
    labels = ["\n".join(textwrap.wrap(row.label, letters) or [""]) for row in plot.rows]
    # Rows are as tall as their labels; y counts millimetres from the top.
    line = size * 1.25 * 25.4 / 72
    heights = [max(line * (1 + label.count("\n")), line * 1.1) + 0.8 for label in labels]
    y, top = [], 0.0
    for height in heights:
        y.append(top + height / 2)
        top += height
    around = 6 + 1.6 * (3 if look.size == "column" else 1) + (2 if look.title else 0)  # lines of axis, legend and title
    figure, axes = _page(look, top + around * line, size)
    original, synthetic = look.colours
    if plot.n_syntheses > 1:
        axes.hlines(
            y, [r.low for r in plot.rows], [r.high for r in plot.rows], colors="#B0B0B0" if look.grey else "#F2BE9B",
            linewidth=size * 0.75, label="smallest to largest synthesis", zorder=1,
        )  # fmt: skip
    largest = max([1.0, *(max(r.original, r.high) for r in plot.rows)])
    for at, row in zip(y, plot.rows, strict=True):
        if abs(row.original - row.synthetic) > 0.04 * largest:
            style = {
                "arrowstyle": "-|>",
                "color": "#777777",
                "lw": 0.7,
                "shrinkA": 2.5,
                "shrinkB": 3.0,
                "mutation_scale": 6,
            }
            axes.annotate("", xy=(row.synthetic, at), xytext=(row.original, at), arrowprops=style, zorder=2)
    marks: dict[str, Any] = {"linestyle": "none", "markersize": size * 0.62, "zorder": 3, "clip_on": False}
    axes.plot(
        [r.original for r in plot.rows], y, marker="o", markerfacecolor="white", markeredgecolor=original,
        markeredgewidth=1.1, label=f"{plot.original} (original)", **marks,
    )  # fmt: skip
    axes.plot(
        [r.synthetic for r in plot.rows], y, marker="D", color=synthetic, label=f"{plot.synthetic} (synthetic)", **marks
    )
    axes.set_yticks(y, labels)
    axes.set_ylim(top, 0)
    axes.set_xlim(-0.02 * largest, min(1.05 * largest, 102))
    axes.grid(axis="y", color="#E3E3E3", linewidth=0.5)
    return _finished(figure, axes, plot.unit, look, size)


def _growth(plot: GrowthPlot, look: Look) -> Figure:
    size, letters = _letters(look, 12)
    figure, axes = _page(look, WIDTHS[look.size] * 0.55, size)
    x = range(len(plot.steps))
    for (name, values), colour, marker, dash in zip(plot.lines, look.colours, "oD", ("-", "--"), strict=True):
        axes.plot(
            x, values, dash, color=colour, marker=marker, markerfacecolor="white" if marker == "o" else colour,
            linewidth=1.1, markersize=size * 0.62, label=name, clip_on=False,
        )  # fmt: skip
    steps = [name if i == 0 else f"+ {name}" for i, name in enumerate(plot.steps)]
    wide = max(6, int(letters * 2.2 / max(len(steps), 1)))
    axes.set_xticks(list(x), ["\n".join(textwrap.wrap(step, wide)) for step in steps])
    axes.set_xlim(-0.3, len(steps) - 0.7)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#E3E3E3", linewidth=0.5)
    return _finished(figure, axes, "", look, size, ylabel=plot.unit)


def _letters(look: Look, rows: int) -> tuple[float, int]:
    """Return the type size, points, and how many letters of a label stand on a line: two fifths of the width."""
    size = {"column": 6.5, "page": 8.0, "slide": 12.0}[look.size]
    if look.size == "slide":
        size = min(size, (SLIDE_HEIGHT - 25) / max(rows, 1) / 25.4 * 72 / 1.6)
    return size, int(0.4 * WIDTHS[look.size] / (0.62 * size * 25.4 / 72))


def _page(look: Look, height: float, size: float) -> tuple[Figure, Axes]:
    height = SLIDE_HEIGHT if look.size == "slide" else height
    figure = Figure(
        figsize=(WIDTHS[look.size] * MM, height * MM), layout=ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.06)
    )
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.tick_params(labelsize=size, length=0, labelfontfamily=_FONT, pad=3)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#999999")
    return figure, axes


def _finished(figure: Figure, axes: Axes, xlabel: str, look: Look, size: float, ylabel: str = "") -> Figure:
    axes.set_xlabel(xlabel, fontsize=size, fontfamily=_FONT)
    axes.set_ylabel(ylabel, fontsize=size, fontfamily=_FONT)
    if look.title:
        figure.suptitle(look.title, fontsize=size * 1.2, fontfamily=_FONT, fontweight="bold", x=0.01, ha="left")
    columns = 1 if look.size == "column" else 3
    figure.legend(
        loc="outside lower left", ncols=columns, frameon=False, borderpad=0.4, handletextpad=0.5,
        prop={"family": _FONT, "size": size * 0.95},
    )  # fmt: skip
    return figure
