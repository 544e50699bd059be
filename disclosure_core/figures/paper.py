"""Figures for print: PDF, SVG, PNG, EPS and TIFF at exact sizes, from the descriptions that the screen has.

Matplotlib draws them in a thread of its own, as it keeps fonts open for each thread that ever drew: several people may
print at once, and wait for one another. Text from the data is never read as mathematics or markup. An SVG has its
letters as outlines, so that it looks alike without the fonts.
"""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import matplotlib as mpl

from disclosure_core.errors import DisclosureError
from disclosure_core.figures import charts, dots, dumbbells, maps, squares
from disclosure_core.figures.chosen import chosen
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.letters import FAMILY, PT, families, joined, legible, set_in
from disclosure_core.figures.look import FORMATS, USUAL, Look
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.figures.risk_utility import MapPlot
from disclosure_core.figures.sets_by_target import SetsPlot
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.figures.sheet import MM, Sheet
from disclosure_core.figures.sheet import onto as drawn_onto
from disclosure_core.figures.table_usefulness import HeatPlot
from disclosure_core.figures.tagged_pdf import tagged_pdf

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from disclosure_core.figures.plot import Plot

__all__ = [
    "FORMATS",
    "USUAL",
    "draw",
    "families",
    "figure",
    "file_name",
    "files",
    "for_typst",
    "height",
    "legible",
    "onto",
    "pages",
]

_DRAWS = "draws figures"
_ONE = ThreadPoolExecutor(1, thread_name_prefix=_DRAWS)
Given = ParamSpec("Given")
Made = TypeVar("Made")


def _in_one_thread(work: Callable[Given, Made]) -> Callable[Given, Made]:
    """Have `work` done by the one thread that draws."""

    @wraps(work)
    def done(*given: Given.args, **named: Given.kwargs) -> Made:
        if threading.current_thread().name.startswith(_DRAWS):
            return work(*given, **named)
        return _ONE.submit(work, *given, **named).result()

    return done


def draw(plot: Plot, format_: str = "pdf", look: Look | None = None) -> bytes:
    """Return a figure as a file.

    Parameters
    ----------
    plot
        What it shows.
    format_
        "pdf", "svg", "png", "eps" or "tiff".
    look
        How it is printed.

    Raises
    ------
    DisclosureError
        When there is no such format, target or font.
    """
    plot, look = chosen(plot, look or Look())
    return _drawn_as(plot, format_, look)


def _drawn_as(plot: Plot, format_: str, look: Look) -> bytes:
    if format_ not in FORMATS:
        raise DisclosureError(f"There is no format {format_!r}; choose one of {', '.join(FORMATS)}.")
    plot = _fitted(plot, look)
    return _tagged(plot, look) if format_ == "pdf" else _saved(plot, look, format_, outlines=look.text != "text")


@_in_one_thread
def _saved(plot: Plot, look: Look, format_: str, *, outlines: bool = True) -> bytes:
    """Return a figure that fits as SVG or PNG; the letters of an SVG are outlines, or text."""
    with set_in(look.font):
        return _written(plot, look, format_, outlines=outlines)


def _written(plot: Plot, look: Look, format_: str, *, outlines: bool) -> bytes:
    sheet, sink = _drawn(plot, look), io.BytesIO()
    # No date, so that the same figure is the same file; what is told of it may stand in XML.
    metadata: dict[str, Any] = {"Title": legible(plot.sentence)}
    if format_ == "png":
        sheet.figure.savefig(sink, format=format_, dpi=look.dpi, metadata=metadata)
        return sink.getvalue()
    if format_ == "tiff":
        sheet.figure.savefig(sink, format=format_, dpi=look.dpi, pil_kwargs={"compression": "tiff_lzw"})
        return sink.getvalue()
    if format_ == "eps":
        with mpl.rc_context({"ps.fonttype": 42}):
            sheet.figure.savefig(sink, format=format_, metadata={"Creator": "disclosure"})
        return _DATED.sub(b"", sink.getvalue())
    outlines = outlines or bool(look.font) or any(joined(text.get_text()) for text in sheet.axes.texts)
    with mpl.rc_context({"svg.fonttype": "path" if outlines else "none", "svg.hashsalt": "disclosure"}):
        sheet.figure.savefig(sink, format=format_, metadata=metadata | {"Date": None})
    # The semibold is a weight of its family, as everybody but matplotlib calls it.
    return sink.getvalue().replace(*_SEMIBOLD)


def for_typst(plot: Plot, look: Look) -> bytes:
    """Return a figure as SVG for Typst, which has the fonts: its letters are text, so that they are text in the PDF.

    Typst joins letters within an SVG, but does not find its way back to them, which PDF/UA asks for: a figure with a
    script whose letters join is in outlines here, too. Its words are in its alternative text.
    """
    return _saved(_fitted(plot, look), look, "svg", outlines=look.text == "outlines")


_PAGE = """
#let data = json(bytes(sys.inputs.at("figure")))
#set document(title: data.title, description: data.alt)
#set text(lang: "en")
#set page(width: data.width * 1mm, height: data.height * 1mm, margin: 0mm)
#image(bytes(data.image), format: "svg", width: data.width * 1mm, alt: data.alt)
"""


def _tagged(plot: Plot, look: Look) -> bytes:
    """Return a figure as a tagged PDF (PDF/UA-1): one figure with its alternative text, in English, on its own page."""
    svg = for_typst(plot, look)
    alt = legible(plot.sentence)
    image = svg.decode()
    given = {"title": legible(look.title or plot.title), "alt": alt, "image": image, "width": look.width}
    text = json.dumps(given | {"height": height(svg)}, ensure_ascii=False)
    return tagged_pdf(_PAGE.encode(), "figure", text, timestamp=0)


def height(svg: bytes) -> float:
    """Return how tall a figure is, mm."""
    return float(_HEIGHT.search(svg)[1]) * PT  # type: ignore[index]  # every SVG of ours has one


_HEIGHT = re.compile(rb'<svg [^>]*height="([\d.]+)pt"')
_DATED = re.compile(rb"%%CreationDate:[^\n]*\n")
_SEMIBOLD = f"font-family: '{FAMILY} Semibold', ".encode(), b"font-weight: 600; font-family: "

_NO_FILE = re.compile(r"[^\w.-]+")
"""Letters that a name of a file does not have everywhere."""


def file_name(name: str, format_: str = "pdf", look: Look | None = None, target: str | None = None) -> str:
    """Return what a figure is saved as: "dorig-disco_180mm_grey.pdf", "steps_marital_85mm.svg".

    Parameters
    ----------
    name
        As in the catalogue.
    format_, look
        As of `draw`.
    target
        Of a figure of one target: which.
    """
    look = look or Look()
    dots = [f"{look.dpi}dpi"] if format_ in ("png", "tiff") else []
    whose = [] if target is None else [_NO_FILE.sub("-", target)[:60].strip("-.") or "target"]
    return "_".join([name, *whose, look.measures, *(["grey"] if look.grey else []), *dots]) + f".{format_}"


def files(
    name: str,
    plot: Plot,
    format_: str = "pdf",
    look: Look | None = None,
    target: str | None = None,
    *,
    whole: bool = True,
    parts: tuple[Plot, ...] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Give a figure as a file a page.

    Parameters
    ----------
    name, target
        As of `file_name`.
    plot, format_, look
        As of `draw`.
    whole
        Whether every target is to be seen; else one page holds those that fit, and a sentence on the rest.
    parts
        What `pages` returned for it, where that is known already.

    Raises
    ------
    DisclosureError
        As `draw`.
    """
    look = look or Look()
    if parts is None:
        parts = pages(plot, look) if whole else (chosen(plot, look)[0],)
    for i, part in enumerate(parts, 1):
        of = f"_{i}-of-{len(parts)}" if len(parts) > 1 else ""
        yield file_name(f"{name}{of}", format_, look, target), _drawn_as(part, format_, look.after_choice)


def figure(plot: Plot, look: Look | None = None) -> Figure:
    """Return a figure of matplotlib's at its exact size, for whoever finishes it himself."""
    plot, look = chosen(plot, look or Look())
    return _drawn(_fitted(plot, look), look).figure


def onto(plot: Plot, axes: Axes, look: Look | None = None) -> Axes:
    """Draw a figure on somebody else's axes, as large as these are, and return them.

    Raises
    ------
    DisclosureError
        As `draw`; or when the axes are too small.
    """
    box = axes.get_window_extent()
    dots = axes.get_figure(root=True).dpi  # type: ignore[union-attr]  # they lie in a figure
    plot, look = chosen(plot, replace(look or Look(), width_mm=box.width / dots / MM, height_mm=box.height / dots / MM))
    plot = _fitted(plot, look)
    with drawn_onto(axes):
        _drawn(plot, look)
    return axes


def _drawn(plot: Plot, look: Look) -> Sheet:
    with set_in(look.font):
        return _sheet(plot, look)


def _sheet(plot: Plot, look: Look) -> Sheet:
    match plot:
        case ArrowPlot():
            return dumbbells.arrows(plot, look)
        case OutsidePlot():
            return dumbbells.outside(plot, look)
        case GrowthPlot():
            return charts.growth(plot, look)
        case CurvePlot():
            return charts.curves(plot, look)
        case BarPlot():
            return charts.bars(plot, look)
        case MapPlot():
            return maps.risk_map(plot, look)
        case SetsPlot():
            return dots.sets(plot, look)
        case HeatPlot():
            return squares.heat(plot, look)


TOP = 20
"""So many rows or frames at most are shown where not all fit on a page."""


@_in_one_thread
def _fitted(plot: Plot, look: Look) -> Plot:
    """Return the figure, or its first rows with a sentence on the rest, so that it fits on a page."""
    if plot.n_parts <= 1 or _drawn(plot, look).fits:
        return plot
    most = min(TOP, plot.n_parts - 1)
    if _drawn(plot.first(most), look).fits:
        return plot.first(most)
    return plot.first(_last_that_fits(1, most, lambda n: _drawn(plot.first(n), look).fits))


def _last_that_fits(fits: int, fails: int, fit: Callable[[int], bool]) -> int:
    """Return the largest number from `fits` to below `fails` that fits; the first of them is taken to."""
    while fails - fits > 1:
        middle = (fits + fails) // 2
        fits, fails = (middle, fails) if fit(middle) else (fits, middle)
    return fits


@_in_one_thread
def pages(plot: Plot, look: Look | None = None) -> tuple[Plot, ...]:
    """Return a figure in as few parts as fit a page each, all on one axis; one that fits is its own part."""
    plot, look = chosen(plot, look or Look())
    if plot.n_parts <= 1 or _drawn(plot, look).fits:
        return (plot,)
    parts: list[Plot] = []
    start = 0
    while start < plot.n_parts:
        at = start
        stop = _last_that_fits(at + 1, plot.n_parts + 1, lambda n, at=at: _drawn(plot.part(at, n), look).fits)  # type: ignore[misc]
        parts.append(plot.part(start, stop))
        start = stop
    return tuple(parts)
