"""A report's blocks as PDF, typeset by Typst, and as one HTML file without anything from elsewhere."""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING, Any

from disclosure_core.demo import assets
from disclosure_core.figures.describe import ArrowPlot
from disclosure_core.figures.paper import Look, borrowed, draw, legible
from disclosure_core.report.content import blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from disclosure_core.report.given import Block, ReportInput


def to_pdf(given: ReportInput) -> bytes:
    """Return the report as a tagged PDF (PDF/UA-1), A4.

    Notes
    -----
    Made in memory, without internet; the fonts are Typst's own and matplotlib's, embedded. Those of the machine are
    looked for only where a text has letters that these do not have; letters that no font has are written as their code.
    """
    from pathlib import Path

    import matplotlib as mpl
    import typst

    found = {
        "title": given.title,
        "author": given.author,
        "date": given.date,
        "kind": "Shareable version" if given.shareable else "Internal version",
        "blocks": [_plain(block) for block in blocks(given)],
    }
    text = json.dumps(_legible(found), ensure_ascii=False)
    made: bytes = typst.compile(  # type: ignore[call-overload]  # its stub ties the fonts' type to the input's
        (assets() / "report" / "report.typ").read_bytes(),
        sys_inputs={"report": text},
        font_paths=[Path(mpl.get_data_path()) / "fonts" / "ttf"],
        ignore_system_fonts=not borrowed(text),
        pdf_standards="ua-1",
        timestamp=0,  # the date on the report is the one given; the same report is the same file
    )
    return made


def _legible(value: Any) -> Any:
    """Return plain data with every text so that it can be set; figures are XML already, and stay."""
    if isinstance(value, str):
        return legible(value)
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
        "widths": _widths(block),
    }
    if block.plot is not None:
        plain |= {"image": _image(block).decode(), "alt": block.plot.sentence}
        plain["width"] = 100 if isinstance(block.plot, ArrowPlot) else 60
    return plain


def _image(block: Block) -> bytes:
    """Return a figure as SVG: rows of targets over the whole width, lines over keys smaller."""
    return draw(block.plot, "svg", Look(size="page" if isinstance(block.plot, ArrowPlot) else "column"))


def _widths(block: Block) -> list[int]:
    """Return how wide a table's columns are to each other: by their longest text, neither very narrow nor very wide."""
    cells = zip(block.columns, *block.rows, strict=True)
    return [min(max(10, *(len(text) + 2 for text in column)), 40) for column in cells]


_STYLE = """
body{font:16px/1.5 Georgia,'Times New Roman',serif;color:#1c2733;max-width:50rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.9rem;margin-bottom:.2rem}h2{font-size:1.25rem;margin:2rem 0 .6rem}
table{border-collapse:collapse;width:100%;font-size:.85rem;margin:.8rem 0}
caption{text-align:left;color:#444;padding-bottom:.3rem}th{border-bottom:2px solid #333;text-align:left}
th,td{padding:.25rem .4rem;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
tr:nth-child(even) td{background:#f4f6f8}figure{margin:1rem 0}img{max-width:100%}
figcaption,.by{color:#444;font-size:.85rem}.line{border-bottom:1px solid #999;height:2rem}
"""


def to_html(given: ReportInput) -> str:
    """Return the report as one HTML file: style and figures inside, no script, nothing fetched."""
    kind = "Shareable version" if given.shareable else "Internal version"
    by = " · ".join(part for part in (kind, given.author, given.date) if part)
    body = "\n".join(_html(block) for block in blocks(given))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{_e(given.title)}</title><style>{_STYLE}</style></head>\n"
        f'<body><main><h1>{_e(given.title)}</h1><p class="by">{_e(by)}</p>\n{body}\n</main></body></html>\n'
    )


def _html(block: Block) -> str:
    match block.kind:
        case "heading":
            return f"<h2>{_e(block.text)}</h2>"
        case "text":
            return f"<p>{_e(block.text)}</p>"
        case "list":
            return "<ul>" + "".join(f"<li>{_e(item)}</li>" for item in block.items) + "</ul>"
        case "signoff":
            return "".join(f'<p>{_e(item)}</p><div class="line"></div>' for item in block.items)
        case "figure":
            # Verdana has the same widths, for machines without DejaVu Sans.
            drawn = _image(block).replace(b"font-family: 'DejaVu Sans'", b"font-family: 'DejaVu Sans', Verdana")
            image = base64.b64encode(drawn).decode()
            return (
                f'<figure><img alt="{_e(block.plot.sentence)}" src="data:image/svg+xml;base64,{image}">'
                f"<figcaption>{_e(block.text)}</figcaption></figure>"
            )
        case _:
            head = _row("th", block.columns, block.figures)
            rows = "".join(_row("td", row, block.figures) for row in block.rows)
            return f"<table><caption>{_e(block.text)}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _row(tag: str, cells: Iterable[str], figures: frozenset[int]) -> str:
    scope = " scope=col" if tag == "th" else ""
    made = "".join(
        f"<{tag}{scope}{' class=n' if i in figures else ''}>{_e(cell)}</{tag}>" for i, cell in enumerate(cells)
    )
    return f"<tr>{made}</tr>"


def _e(text: str) -> str:
    """Return text for HTML; letters that are no characters there as their code."""
    plain = "".join(c if c.isprintable() or c in "\t\n" else c.encode("unicode_escape").decode() for c in text)
    return html.escape(plain, quote=True)
