"""A report's blocks as PDF, typeset by Typst, and as one HTML file without anything from elsewhere."""

from __future__ import annotations

import base64
import datetime as dt
import json
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from disclosure_core.data.demo import assets
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.report.content import blocks
from disclosure_core.report.row_heads import with_row_heads
from disclosure_core.rounding import kept_together, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.report.source import Block, ReportInput


_WIDE = (ArrowPlot, OutsidePlot)
"""Figures with a row a target, over the whole width; the others are smaller."""


def to_pdf(source: ReportInput, progress: Progress | None = None) -> bytes:
    """Return the report as a tagged PDF (PDF/UA-1), A4; `progress` hears of its figures as `assembled.report` says.

    Notes
    -----
    Made in memory, without internet; the fonts are the program's own, Typst's and matplotlib's, embedded. Those of the
    machine are looked for only where a text has letters that these do not have; letters that no font has are written as
    their code. The date in the metadata is the report's, so that the same report is the same file.
    """
    from pathlib import Path

    import matplotlib as mpl
    import typst

    from disclosure_core.figures.paper import borrowed

    day = _day(source.date)
    said = blocks(source)
    report = {
        "title": source.title,
        "author": source.author,
        "date": source.date,
        "day": None if day is None else [day.year, day.month, day.day],
        "kind": kind(source),
        "blocks": [
            _plain(block) | ({"image": image.decode()} if image else {})
            for block, image in zip(said, _images(said, progress), strict=True)
        ],
    }
    text = json.dumps(_legible(report), ensure_ascii=False)
    made: bytes = typst.compile(  # type: ignore[call-overload]  # its stub ties the fonts' type to the input's
        (assets() / "report" / "report.typ").read_bytes(),
        sys_inputs={"report": text},
        font_paths=[assets() / "fonts", Path(mpl.get_data_path()) / "fonts" / "ttf"],
        ignore_system_fonts=not borrowed(text),
        pdf_standards="ua-1",
        timestamp=0 if day is None else int(day.timestamp()),
    )
    return with_row_heads(made)


def kind(source: ReportInput) -> str:
    """Return which version a report is, in its own words."""
    return "Shareable version" if source.shareable else "Internal version: holds small counts"


def _day(date: str) -> dt.datetime | None:
    """Return the day on the report; None where its date is no date as computers write them."""
    try:
        return dt.datetime.fromisoformat(date).replace(tzinfo=dt.UTC)
    except ValueError:
        return None


def _legible(value: Any) -> Any:
    """Return plain data with every text so that it can be set; figures are XML already, and stay."""
    from disclosure_core.figures.paper import legible

    if isinstance(value, str):
        return kept_together(legible(value))
    if isinstance(value, list):
        return [_legible(v) for v in value]
    if isinstance(value, dict):
        return {k: v if k == "image" else _legible(v) for k, v in value.items()}
    return value


def _plain(block: Block) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "kind": block.kind,
        "text": block.text,
        "items": list(block.items),
        "columns": list(block.columns),
        "rows": [list(row) for row in block.rows],
        "figures": sorted(block.figures),
        "marks": [None if m is None else asdict(m) for m in block.marks],
        "scale": list(block.scale),
        "result": block.result,
        "exact": block.exact,
        "contents": block.contents,
        "widths": _widths(block) if block.kind == "table" else [],
    }
    if block.plot is not None:
        plain |= {"alt": block.plot.sentence, "width": 100 if isinstance(block.plot, _WIDE) else 60}
    return plain


def _images(said: Sequence[Block], progress: Progress | None) -> list[bytes]:
    """Return the figure of each block as SVG, nothing where it has none."""
    images: list[bytes] = []
    n = sum(block.plot is not None for block in said)
    for block in said:
        if progress is not None and block.plot is not None:
            progress(sum(map(bool, images)), n)
        images.append(b"" if block.plot is None else _image(block))
    if progress is not None:
        progress(n, n)
    return images


def _image(block: Block) -> bytes:
    """Return a figure as SVG: rows of targets over the whole width, lines over keys smaller."""
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.paper import draw

    return draw(block.plot, "svg", Look(size="page" if isinstance(block.plot, _WIDE) else "column"))


def _widths(block: Block) -> list[int]:
    """Return how wide a table's columns are to each other, by their longest text; 0 for one as wide as what it holds."""
    cells = zip(block.columns, *block.rows, strict=True)
    return [
        0 if i == block.exact else min(max(10, *(len(text) + 2 for text in column)), 40)
        for i, column in enumerate(cells)
    ]


@cache
def _template() -> Template:
    """Return the page's template; all text is escaped, and letters that are no characters there stand as their code."""
    from jinja2 import Environment, StrictUndefined

    source = (assets() / "report" / "report.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined, finalize=_printable).from_string(source)


def _printable(value: Any) -> Any:
    if type(value) is not str:
        return value
    return kept_together(value if value.isprintable() else printable(value, "\t\n"))


def to_html(source: ReportInput, progress: Progress | None = None) -> str:
    """Return the report as one HTML file: style and figures inside, no script, nothing fetched; told as `to_pdf`."""
    plain: list[dict[str, Any]] = []
    headings: list[dict[str, Any]] = []
    said = blocks(source)
    for block, image in zip(said, _images(said, progress), strict=True):
        b = _plain(block)
        b["items_"] = b.pop("items")  # a dictionary has a method of that name
        if block.kind == "heading":
            b["number"] = len(headings) + 1
            headings.append(b)
        if image:
            # Verdana has the same widths, for machines without DejaVu Sans.
            drawn = image.replace(b"font-family: 'DejaVu Sans'", b"font-family: 'DejaVu Sans', Verdana")
            b["image64"] = base64.b64encode(drawn).decode()
        plain.append(b)
    by = " · ".join(part for part in (kind(source), source.author, source.date) if part)
    return _template().render(title=source.title, by=by, blocks=plain, headings=headings)
