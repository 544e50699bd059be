"""Figures for print: PDF, SVG and PNG at exact sizes, from the same descriptions as on screen; no browser needed.

Matplotlib draws them, without its global state: several people may print at once. Text from the data is never read as
mathematics or markup, and long names are broken into lines, never cut.
"""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from disclosure_core.errors import DisclosureError
from disclosure_core.figures.describe import ArrowPlot, BarPlot, CurvePlot, GrowthPlot, Plot, QuadrantPlot

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
_OTHERS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Source Han Sans",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "Microsoft YaHei", "SimHei", "Yu Gothic", "Meiryo", "Malgun Gothic",
    "PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS", "Noto Sans Devanagari",
    "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai", "Noto Sans Ethiopic", "Nirmala UI", "Leelawadee UI",
)  # fmt: skip
"""Fonts of this machine that lend letters which DejaVu Sans, matplotlib's own, does not have."""


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


def draw(plot: Plot, format_: str = "pdf", look: Look | None = None) -> bytes:
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
    figure = _drawn(plot, look)
    # What is drawn is text, never mathematics; what is told of it may stand in XML.
    told = legible(plot.sentence)
    for text in figure.findobj(match=lambda artist: hasattr(artist, "set_parse_math")):
        text.set_parse_math(False)  # type: ignore[attr-defined]
    sink = io.BytesIO()
    # No date, so that the same figure is the same file.
    metadata: dict[str, Any] = {"Title": told} | ({"CreationDate": None} if format_ == "pdf" else {})
    if format_ == "svg":
        metadata["Date"] = None
    figure.savefig(sink, format=format_, dpi=look.dpi, metadata=metadata)
    return sink.getvalue()


def _drawn(plot: Plot, look: Look) -> Figure:
    match plot:
        case ArrowPlot():
            return _arrows(plot, look)
        case GrowthPlot():
            return _growth(plot, look)
        case CurvePlot():
            return _curves(plot, look)
        case QuadrantPlot():
            return _quadrants(plot, look)
        case BarPlot():
            return _bars(plot, look)


@cache
def families() -> tuple[str, ...]:
    """Return the fonts that figures are set in: matplotlib's own, then those of this machine that help out."""
    here = set(font_manager.get_font_names())
    return (_FONT, *(name for name in _OTHERS if name in here))


@cache
def _letters_of(family: str) -> frozenset[int]:
    """Return the code points that a font has."""
    path = font_manager.findfont(font_manager.FontProperties(family=family))
    return frozenset(font_manager.get_font(path).get_charmap())


def borrowed(text: str) -> bool:
    """Return whether a letter of `text` is not in matplotlib's own font."""
    return any(ord(c) not in _letters_of(_FONT) for c in text)


def legible(text: str) -> str:
    r"""Return text that can be drawn: control letters, and letters that no font here has, as their code (\u76ee)."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c
        if c.isprintable() and any(ord(c) in _letters_of(family) for family in families())
        else c.encode("unicode_escape").decode()
        for c in text
    )


def _wrapped(text: str, letters: int) -> str:
    return "\n".join(textwrap.wrap(legible(text), letters) or [""])


def _stacked(labels: list[str], line: float) -> tuple[list[float], float]:
    """Return where rows as tall as their labels stand, and how tall all are together; millimetres from the top."""
    y, top = [], 0.0
    for label in labels:
        height = max(line * (1 + label.count("\n")), line * 1.1) + 0.8
        y.append(top + height / 2)
        top += height
    return y, top


def _arrows(plot: ArrowPlot, look: Look) -> Figure:
    size, letters = _letters(look, len(plot.rows))
    labels = [_wrapped(row.label, letters) for row in plot.rows]
    line = _line(size)
    y, top = _stacked(labels, line)
    figure, axes = _page(look, top + _around(look) * line, size)
    original, synthetic = look.colours
    if plot.n_syntheses > 1:
        axes.hlines(
            y, [r.low for r in plot.rows], [r.high for r in plot.rows], colors="#B0B0B0" if look.grey else "#F2BE9B",
            linewidth=size * 0.75, label="smallest to largest synthesis", zorder=1,
        )  # fmt: skip
        each = [(x, at) for at, row in zip(y, plot.rows, strict=True) for x in row.each]
        axes.plot(
            *zip(*each, strict=True), linestyle="none", marker="|", markersize=size * 0.7, markeredgewidth=0.6,
            color="#555555" if look.grey else synthetic, label="each synthesis", zorder=1,
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
    """Keys from left to right where their names find room, else from top to bottom."""
    size, letters = _letters(look, len(plot.steps))
    steps = [name if i == 0 else f"+ {name}" for i, name in enumerate(plot.steps)]
    wide = int(0.85 * WIDTHS[look.size] / len(steps) / _letter(size))
    narrow = [textwrap.wrap(legible(step), max(wide, 1), break_long_words=False) for step in steps]
    across = all(len(lines) <= 3 and all(len(text) <= wide for text in lines) for lines in narrow)
    line = _line(size)
    labels = ["\n".join(lines) for lines in narrow] if across else [_wrapped(step, letters) for step in steps]
    y, top = _stacked(labels, line)
    height = WIDTHS[look.size] * 0.4 + 10 * line if across else top + _around(look) * line
    figure, axes = _page(look, height, size)
    at = list(range(len(steps))) if across else y
    for (name, values), colour, marker, dash in zip(plot.lines, look.colours, "oD", ("-", "--"), strict=True):
        axes.plot(
            *((at, values) if across else (values, at)), dash, color=colour, marker=marker,
            markerfacecolor="white" if marker == "o" else colour, linewidth=1.1, markersize=size * 0.62, label=name,
            clip_on=False,
        )  # fmt: skip
    if across:
        axes.set_xticks(at, labels)
        axes.set_xlim(-0.3, len(steps) - 0.7)
        axes.set_ylim(bottom=-0.04 * axes.get_ylim()[1])  # a mark at 0 is whole, and off the labels
        axes.set_title(plot.unit, loc="left", fontsize=size, fontfamily=families(), pad=line * 72 / 25.4 * 0.6)
    else:
        axes.set_yticks(at, labels)
        axes.set_ylim(top, 0)
        axes.set_xlim(left=0)
    axes.grid(axis="y", color="#E3E3E3", linewidth=0.5)
    return _finished(figure, axes, "" if across else plot.unit, look, size)


def _bars(plot: BarPlot, look: Look) -> Figure:
    """Bars from top to bottom, upright ones too: labels find room, and a distribution reads as well."""
    size, letters = _letters(look, len(plot.bars))
    labels = [_wrapped(bar.label, letters) for bar in plot.bars]
    line = _line(size)
    y, top = _stacked(labels, line * 1.3)
    figure, axes = _page(look, top + _around(look) * line, size)
    original, synthetic = look.colours
    if plot.whole:
        axes.barh(
            y, [bar.whole or 0 for bar in plot.bars], height=line * 1.15, facecolor="white", edgecolor=original,
            linewidth=0.9, label=plot.whole,
        )  # fmt: skip
    axes.barh(
        y, [bar.value for bar in plot.bars], height=line * 0.75, facecolor="#BBBBBB" if look.grey else synthetic,
        edgecolor=synthetic, linewidth=0.6, label=plot.value if plot.whole else None,
    )  # fmt: skip
    largest = max([bar.value for bar in plot.bars] + [bar.whole or 0 for bar in plot.bars] + [1e-9])
    for at, bar in zip(y, plot.bars, strict=True):
        axes.text(
            max(bar.value, bar.whole or 0) + 0.012 * largest, at, bar.figure, va="center", fontsize=size * 0.9,
            fontfamily=families(),
        )  # fmt: skip
    if plot.limit:
        place, said = plot.limit
        edges = [0.0, *((a + b) / 2 for a, b in pairwise(y)), top]
        whole, part = divmod(place, 1)
        height = edges[int(whole)] + part * (edges[min(int(whole) + 1, len(y))] - edges[int(whole)])
        axes.axhline(height, color="#777777", linestyle="--", linewidth=0.8, label=legible(said))
    axes.set_yticks(y, labels)
    axes.set_ylim(top, 0)
    axes.set_xlim(0, (1.3 if plot.whole else 1.15) * largest)
    return _finished(figure, axes, plot.unit, look, size)


def _quadrants(plot: QuadrantPlot, look: Look) -> Figure:
    """Draw a mark a target, numbered: the names stand beneath, where they find room."""
    size, letters = _letters(look, 8)
    line = _line(size)
    names = [_wrapped(f"{i}  {p.label}", 2 * letters) for i, p in enumerate(plot.points, 1)]
    listed = sum(1 + name.count("\n") for name in names) * line
    height = WIDTHS[look.size] * 0.55 + _around(look) * line + listed
    figure, axes = _page(look, height, size)
    original, synthetic = look.colours
    looks = {
        "high": ("D", synthetic, synthetic),
        "acceptable": ("o", "white", original),
        "not evaluated": ("s", "white", "#777777"),
    }
    for decision, (marker, face, edge) in looks.items():
        some = [(i, p) for i, p in enumerate(plot.points, 1) if p.decision == decision]
        if not some:
            continue
        x, y = [p.x for _, p in some], [p.y for _, p in some]
        axes.vlines(x, [p.low for _, p in some], [p.high for _, p in some], colors=edge, linewidth=0.8)
        axes.plot(
            x,
            y,
            marker=marker,
            markerfacecolor=face,
            markeredgecolor=edge,
            linestyle="none",
            markersize=size * 0.62,
            label=decision,
        )
        for i, p in some:
            axes.annotate(
                str(i),
                (p.x, p.y),
                xytext=(size * 0.5, size * 0.3),
                textcoords="offset points",
                fontsize=size * 0.9,
                fontfamily=families(),
            )
    axes.axhline(0, color="#999999", linewidth=0.6)
    if plot.absolute is not None:
        axes.axvline(plot.absolute, color="#777777", linestyle="--", linewidth=0.8)
    if plot.relative is not None:
        axes.axhline(plot.relative, color="#777777", linestyle="--", linewidth=0.8)
    axes.set_xlim(left=min(0.0, *(p.x for p in plot.points)) if plot.points else 0)
    axes.set_title(plot.y_unit, loc="left", fontsize=size, fontfamily=families(), pad=line * 72 / 25.4 * 0.6)
    return _finished(figure, axes, "\n".join([legible(plot.x_unit), *names]), look, size)


def _curves(plot: CurvePlot, look: Look) -> Figure:
    """Lines with their ranges; several frames stand side by side, with one scale and one legend."""
    n = len(plot.panels)
    beside = 1 if n == 1 else min(n, {"column": 2, "page": 4}.get(look.size, max(4, round((1.8 * n) ** 0.5))))
    rows = -(-n // beside)
    width = WIDTHS[look.size] / beside
    size, _ = _letters(look, rows)
    while True:  # a slide gets no taller: its type gets smaller
        line = _line(size)
        titles = [_wrapped(panel.title, max(int(0.85 * width / _letter(size)), 1)) for panel in plot.panels]
        tallest = max(1 + title.count("\n") for title in titles)
        if look.size != "slide" or size <= 3 or (rows * (tallest + 5) + 8) * line < SLIDE_HEIGHT:
            break
        size -= 0.5
    height = 0.4 * width + 10 * line if n == 1 else rows * (0.5 * width + (tallest + 3) * line) + 10 * line
    figure = _paper(look, height, size)
    frames = figure.subplots(rows, beside, sharex=True, sharey=True, squeeze=False).flatten()
    for unused in frames[n:]:
        unused.set_axis_off()
    for i, (axes, panel) in enumerate(zip(frames, plot.panels, strict=False)):
        _tidy(axes, size)
        for curve in panel.curves:
            colour = look.colours[curve.side == "synthetic"]
            dash, marker = ("-", "o") if curve.side == "original" else ("--", "D")
            if curve.low:
                axes.fill_between(
                    plot.at, curve.low, curve.high, color=colour, alpha=0.18, linewidth=0,
                    label=None if i else f"{curve.name}: {plot.band}",
                )  # fmt: skip
            axes.plot(
                plot.at, curve.values, dash, color=colour, marker=marker if plot.steps else "", linewidth=1.1,
                markerfacecolor="white" if marker == "o" else colour, markersize=size * 0.62,
                label="_" * bool(i) + curve.name, clip_on=False,
            )  # fmt: skip
        if plot.limit:
            said = None if i else legible(plot.limit[1])
            axes.axvline(plot.limit[0], color="#777777", linestyle=":", linewidth=0.9, label=said)
        if n > 1:
            axes.set_title(titles[i], loc="left", fontsize=size, fontfamily=families())
        axes.grid(axis="y", color="#E3E3E3", linewidth=0.5)
        # A frame above an empty place has no neighbour below to carry its numbers.
        axes.tick_params(labelbottom=i + beside >= n)
    if plot.log:
        frames[0].set_xscale("log")
        frames[0].xaxis.set_major_formatter("{x:g}")
    elif plot.ticks:
        frames[0].set_xticks(plot.ticks)
    tall = max(plot.top - plot.bottom, 1e-9)
    frames[0].set_ylim(plot.bottom - 0.04 * tall, plot.bottom + 1.05 * tall)
    if n > 1:
        figure.supylabel(plot.unit, fontsize=size, fontfamily=families())
    else:
        frames[0].set_title(
            plot.unit, loc="left", fontsize=size, fontfamily=families(), pad=line * 72 / 25.4 * 0.6
        )  # fmt: skip
    for axes in frames[max(n - beside, 0) : n]:
        axes.set_xlabel(plot.across, fontsize=size, fontfamily=families())
    return _finished(figure, None, "", look, size)


def _around(look: Look) -> float:
    """Return how many lines the axis and the legend beneath it take."""
    return 10.8 if look.size == "column" else 7.6


def _line(size: float) -> float:
    """Return how far lines of type are apart, mm."""
    return size * 1.25 * 25.4 / 72


def _letter(size: float) -> float:
    """Return how wide a letter is, mm: a little more than the mean one."""
    return 0.62 * size * 25.4 / 72


def _letters(look: Look, rows: int) -> tuple[float, int]:
    """Return the type size, points, and how many letters of a label stand on a line: two fifths of the width."""
    size = {"column": 6.5, "page": 8.0, "slide": 12.0}[look.size]
    if look.size == "slide":
        size = min(size, (SLIDE_HEIGHT - 25) / max(rows, 1) / 25.4 * 72 / 1.6)
    return size, int(0.4 * WIDTHS[look.size] / _letter(size))


def _page(look: Look, height: float, size: float) -> tuple[Figure, Axes]:
    """Return a page with one frame."""
    figure = _paper(look, height, size)
    axes = figure.add_subplot()
    _tidy(axes, size)
    return figure, axes


def _paper(look: Look, height: float, size: float) -> Figure:
    """Return a page of the look's width, `height` mm and the title's lines tall; a slide is as tall as slides are."""
    title = _title(look, size)
    height += (1 + title.count("\n")) * _line(size * 1.2) + 1 if title else 0
    height = SLIDE_HEIGHT if look.size == "slide" else height
    figure = Figure(
        figsize=(WIDTHS[look.size] * MM, height * MM), layout=ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.06)
    )
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(
            title, fontsize=size * 1.2, fontfamily=families(), fontweight="bold", x=0.01, ha="left", linespacing=1.15
        )
    return figure


def _tidy(axes: Axes, size: float) -> None:
    """Give a frame small type and a base line only."""
    axes.tick_params(labelsize=size, length=0, labelfontfamily=families(), pad=3)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#999999")


def _title(look: Look, size: float) -> str:
    """Return the title in lines that fit the page; bold letters are wider."""
    return _wrapped(look.title, int(0.96 * WIDTHS[look.size] / _letter(size * 1.2) / 1.12)) if look.title else ""


def _finished(figure: Figure, axes: Axes | None, xlabel: str, look: Look, size: float) -> Figure:
    if axes is not None:
        axes.set_xlabel(xlabel, fontsize=size, fontfamily=families())
    figure.legend(
        loc="outside lower left", ncols=1 if look.size == "column" else 3, frameon=False, borderpad=0.4,
        handletextpad=0.5, prop={"family": families(), "size": size * 0.95},
    )  # fmt: skip
    return figure
