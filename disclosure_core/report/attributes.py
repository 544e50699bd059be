"""Attributes: Dorig and DiSCO by target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.conclusions.guess import head, in_order
from disclosure_core.counting.registry import of_family
from disclosure_core.counting.settings import Exclusions
from disclosure_core.figures import dorig_disco
from disclosure_core.report import outside, redaction
from disclosure_core.report.pieces import heading, numerators_of, span, table
from disclosure_core.report.source import Block, Report
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment


GUESSED = tuple(m.short for m in of_family("claims") if m.as_set)
"""What the table has of the figures beside a guess; the appendix has all of them."""


def blocks(source: Report, before: Assessment) -> list[Block]:
    """Return the section; its figure stands in the appendix where the one of people outside shows most of it."""
    found = source.assessment
    n = found.n_original
    several = len(found.n_synthetic) > 1 and not source.shareable
    guesses = {} if source.shareable else {name: head(guess) for name, guess in in_order(found)}
    guessed = GUESSED if guesses else ()
    rows = [
        (
            r["target"],
            redaction.share(source, r["original"], n),
            redaction.share(source, r["synthetic"], n),
            *([span(*(redaction.share(source, r[end], n) for end in ("min", "max")))] if several else []),
            *(fixed(guesses[r["target"]][name]) for name in guessed),
            *([] if source.shareable else [r["flag"] or "none"]),
        )
        for r in source.summary.to_dict("records")
    ]
    first = redaction.of_original(source)
    columns = (
        "Target",
        first,
        "DiSCO",
        *(["Range of DiSCO"] if several else []),
        *map(_capital, guessed),
        *([] if source.shareable else ["Flags"]),
    )
    caption = (
        f"{numerators_of(first, 'DiSCO')} In % of {redaction.size_with_article(source, n)} original records; means over the syntheses"
        f"{', and the range' if several else ''}."
    )
    if guessed:
        caption += (
            " Gain over chance: right claims less those of dealing the same claims at random, percentage points; κ is 1 where "
            "all claims are right and 0 at chance. Beyond: right claims of another than the commonest level, in %. Honest "
            "inference has a gain, too."
        )
    return [
        heading("Attributes"),
        *([] if _outside_is_drawn(source) else _parts(source, before)),
        *not_met(source),
        table(caption, columns, rows),
    ]


def _capital(name: str) -> str:
    return name[0].upper() + name[1:] if len(name) > 1 else name


def more(source: Report, before: Assessment) -> list[Block]:
    """Return the figure, where the report has one of people outside in its place."""
    return [heading("Attributes"), *_parts(source, before)] if _outside_is_drawn(source) else []


def _outside_is_drawn(source: Report) -> bool:
    return any(block.kind == "figure" for s in source.sections if s.heading == outside.HEADING for block in s.blocks)


def not_met(source: Report) -> list[Block]:
    """Say of which targets nothing is evaluated, and why."""
    said = [
        f"“{name}”: not evaluated; {redaction.NOT_MET}." if source.shareable else f"“{name}”: not evaluated. {why}"
        for name, why in source.opened.judged.not_met().items()
    ]
    return [Block("list", items=tuple(said))] if said else []


def _parts(source: Report, before: Assessment) -> list[Block]:
    """Return the figure, on as many pages as it needs."""
    from disclosure_core.figures.paper import pages

    found = source.assessment
    anything = found.left_out != Exclusions()
    plot = redaction.arrows(source, dorig_disco.describe(found, before=before if anything else None))
    said = plot.caption
    if source.shareable:
        said += f" Marks stand at multiples of {source.smallest} records, at or above the true figure."
    parts = pages(plot)
    figures = []
    for i, part in enumerate(parts, 1):
        which = f" Part {i} of {len(parts)}, on one axis." if len(parts) > 1 else ""
        figures.append(Block("figure", said + which, plot=part))
    return figures
