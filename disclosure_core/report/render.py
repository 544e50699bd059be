"""A report's blocks as PDF, typeset by Typst, and as one HTML file without anything from elsewhere."""

from __future__ import annotations

import base64
import datetime as dt
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from disclosure_core.data.demo import assets
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.report.content import appendix, blocks
from disclosure_core.report.page1 import FEWEST_ROWS, MOST_ROWS, signed
from disclosure_core.report.row_heads import with_row_heads
from disclosure_core.rounding import kept_together, printable

if TYPE_CHECKING:
    from jinja2 import Template

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.look import Look
    from disclosure_core.report.source import Block, Report


_WIDE = (ArrowPlot, OutsidePlot)
"""Figures with a row a target, over the whole width; the others are smaller."""


def to_pdf(source: Report, progress: Progress | None = None, *, of_appendix: bool = False) -> bytes:
    """Return the report, or its appendix, as a tagged PDF (PDF/UA-1), A4; `progress` hears of its figures as `assembled.report` says.

    Notes
    -----
    Made in memory, without internet; the fonts are the program's own, Typst's and matplotlib's, embedded. Those of the
    machine are looked for only where a text has letters that these do not have; letters that no font has are written as
    their code. The date in the metadata is the report's, so that the same report is the same file.
    """
    said = _blocks(source, progress, of_appendix=of_appendix)
    return with_row_heads(_typeset(source, said, _images(said, progress, typst=True), of_appendix=of_appendix))


def _room_of_page_1(source: Report, progress: Progress | None) -> tuple[int, bool]:
    """Return how many rows page 1 has room for, so that it is one page with the sign-off on it, and whether it is brief.

    Open points go to the annex before a target does.
    """
    from pypdf import PdfReader

    def fits(most: int, *, brief: bool = True) -> bool:
        if progress is not None:
            progress(0, 0)
        said = signed(source, most, brief=brief)
        made = _typeset(source, said, [b""] * len(said))
        return len(PdfReader(io.BytesIO(made)).pages) == 1

    if fits(MOST_ROWS, brief=False):
        return MOST_ROWS, False
    if fits(MOST_ROWS):
        return MOST_ROWS, True
    least, most = FEWEST_ROWS, MOST_ROWS
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if fits(middle) else (least, middle)
    return least, True


def first_page(source: Report, said: Sequence[Block] | None = None) -> bytes:
    """Return page 1 as PNG, as it will be printed; of a shareable report, what `said` holds of it."""
    from disclosure_core.figures.tagged_pdf import picture

    if said is None:
        most, brief = _room_of_page_1(source, None)
        said = signed(source, most, brief=brief)
    page, text, _ = _document(source, said, [b""] * len(said))
    return picture(page, "report", text)


def _typeset(source: Report, said: Sequence[Block], images: Sequence[bytes], *, of_appendix: bool = False) -> bytes:
    """Return blocks as a PDF."""
    from disclosure_core.figures.tagged_pdf import tagged_pdf

    page, text, day = _document(source, said, images, of_appendix=of_appendix)
    return tagged_pdf(page, "report", text, timestamp=0 if day is None else int(day.timestamp()))


def _document(
    source: Report, said: Sequence[Block], images: Sequence[bytes], *, of_appendix: bool = False
) -> tuple[bytes, str, dt.datetime | None]:
    """Return a report's page in Typst, the texts that it sets, and its day."""
    day = _day(source.look.date)
    report = {
        "title": title(source, of_appendix=of_appendix),
        "author": source.author,
        "date": source.look.date,
        "day": None if day is None else [day.year, day.month, day.day],
        "kind": kind(source),
        "blocks": [
            _plain(block) | ({"image": image.decode(), "width": _width(block, image)} if image else {})
            for block, image in zip(said, images, strict=True)
        ],
    }
    text = json.dumps(_legible(report), ensure_ascii=False)
    return (assets() / "report" / "report.typ").read_bytes(), text, day


def _blocks(source: Report, progress: Progress | None, *, of_appendix: bool) -> tuple[Block, ...]:
    """Return the blocks of a report, or of its appendix; a figure that is taller than a page in parts, on one axis."""
    from disclosure_core.figures.paper import pages

    plain = of_appendix or source.shareable
    most, brief = (MOST_ROWS, False) if plain else _room_of_page_1(source, progress)
    found: list[Block] = []
    for block in appendix(source) if of_appendix else blocks(source, most, brief=brief):
        parts = (None,) if block.plot is None else pages(block.plot, _look(block))
        for i, part in enumerate(parts, 1):
            which = f" Part {i} of {len(parts)}, on one axis." if len(parts) > 1 else ""
            found.append(replace(block, text=block.text + which, plot=part) if which else block)
    return tuple(found)


def title(source: Report, *, of_appendix: bool = False) -> str:
    """Return what stands above a report, or above its appendix."""
    return f"{source.title}: appendix" if of_appendix else source.title


def kind(source: Report) -> str:
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
        return kept_together(legible(value.replace("\N{NO-BREAK SPACE}%", " %")))  # ours; another is a letter of a name
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
        plain |= {"alt": block.plot.sentence}
    return plain


_SMALL, _TALLEST = 60, 240
"""How wide a figure of one column stands, % of the text; and how tall with its caption beneath, mm."""


def _width(block: Block, image: bytes) -> float:
    """Return how wide a figure stands, % of the text: a tall one no wider than a page has room for."""
    if isinstance(block.plot, _WIDE):
        return 100
    from disclosure_core.figures.paper import height

    return min(_SMALL, 100 * _look(block).width / _TEXT * _TALLEST / height(image))


_TEXT = 174
"""Width of the text, mm: of A4 with the template's margins."""


def _images(said: Sequence[Block], progress: Progress | None, *, typst: bool) -> list[bytes]:
    """Return the figure of each block as SVG for Typst or for a browser, nothing where it has none."""
    images: list[bytes] = []
    n = sum(block.plot is not None for block in said)
    for block in said:
        if progress is not None and block.plot is not None:
            progress(sum(map(bool, images)), n)
        images.append(b"" if block.plot is None else _image(block, typst=typst))
    if progress is not None:
        progress(n, n)
    return images


def _image(block: Block, *, typst: bool) -> bytes:
    """Return a figure as SVG."""
    from disclosure_core.figures.paper import draw, for_typst

    return for_typst(block.plot, _look(block)) if typst else draw(block.plot, "svg", _look(block))


def _look(block: Block) -> Look:
    """Return how a figure is drawn: rows of targets over the whole width, lines over keys in one column."""
    from disclosure_core.figures.look import Look

    return Look(size="page" if isinstance(block.plot, _WIDE) else "column")


def _widths(block: Block) -> list[int]:
    """Return how wide a table's columns are to each other, by their longest text; 0 for one as wide as what it holds.

    Heads are bold, and wider by a tenth; names stand first, and break worst.
    """
    cells = zip((head + " " * (len(head) // 8) for head in block.columns), *block.rows, strict=True)
    return [
        0 if i == block.exact else min(max(10, *(len(text) + (2 if i else 4) for text in column)), 40)
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


def to_html(source: Report, progress: Progress | None = None, *, of_appendix: bool = False) -> str:
    """Return the report, or its appendix, as one HTML file: style, fonts and figures inside, no script, nothing fetched; told as `to_pdf`."""
    from disclosure_core.report.fonts import faces

    plain: list[dict[str, Any]] = []
    headings: list[dict[str, Any]] = []
    said = _blocks(source, progress, of_appendix=of_appendix)
    for block, image in zip(said, _images(said, progress, typst=False), strict=True):
        b = _plain(block)
        b["items_"] = b.pop("items")  # a dictionary has a method of that name
        if block.kind == "heading":
            b["number"] = len(headings) + 1
            headings.append(b)
        if image:
            b["image64"] = base64.b64encode(image).decode()
        plain.append(b)
    by = " · ".join(part for part in (kind(source), source.author, source.look.date) if part)
    above = title(source, of_appendix=of_appendix)
    return _template().render(
        title=above, by=by, blocks=plain, headings=headings, faces=faces([above, by, *_texts(plain)])
    )


def _texts(value: Any) -> Iterator[str]:
    """Give every text in plain data but the images, as the page prints it."""
    if isinstance(value, str):
        yield _printable(value)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name != "image64":
                yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
