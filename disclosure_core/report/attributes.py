"""Attributes: Dorig and DiSCO by target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.settings import Exclusions
from disclosure_core.figures import dorig_disco
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, of, table
from disclosure_core.report.source import Block

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.figures.dorig_disco import ArrowPlot
    from disclosure_core.report.source import ReportInput


def blocks(source: ReportInput, before: Assessment) -> list[Block]:
    """Return the section."""
    found = source.assessment
    anything = found.left_out != Exclusions()
    plot = redaction.arrows(source, dorig_disco.describe(found, before=before if anything else None))
    n = found.n_original
    several = [] if source.shareable else ["Range of DiSCO"]
    rows = [
        (
            r["target"],
            redaction.share(source, r["original"], n),
            redaction.share(source, r["synthetic"], n),
            *(f"{redaction.share(source, r['min'], n)} to {redaction.share(source, r['max'], n)}" for _ in several),
            r["flag"] or "none",
        )
        for r in redaction.summary(source, found).to_dict("records")
    ]
    return [
        heading("Attributes"),
        *_parts(source, plot),
        *not_reconciled(source),
        table(f"{of('Dorig', 'DiSCO')} In % of {redaction.size_with_article(source, n)} original records; means over the syntheses"
               f"{', and the range' if several else ''}.",
               ("Target", "Dorig", "DiSCO", *several, "Flags"), rows),
    ]  # fmt: skip


def not_reconciled(source: ReportInput) -> list[Block]:
    """Say of which targets nothing is evaluated because a figure differs by two paths; a shareable report names no figure."""
    if source.shareable:
        said = [f"“{name}”: not evaluated; its figures differ by two paths." for name in source.unreconciled]
    else:
        said = [f"Not evaluated. {why}" for why in source.unreconciled.values()]
    return [Block("list", items=tuple(said))] if said else []


def _parts(source: ReportInput, plot: ArrowPlot) -> list[Block]:
    """Return the figure, on as many pages as it needs."""
    from disclosure_core.figures.paper import pages

    said = plot.caption
    if source.shareable:
        said += f" Marks stand at multiples of {source.smallest} records, at or above the true figure."
    parts = pages(plot)
    figures = []
    for i, part in enumerate(parts, 1):
        which = f" Part {i} of {len(parts)}, on one axis." if len(parts) > 1 else ""
        figures.append(Block("figure", said + which, plot=part))
    return figures
