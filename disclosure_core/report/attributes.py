"""Attributes: Dorig and DiSCO by target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.figures import dorig_disco
from disclosure_core.report import shown
from disclosure_core.report.given import Block
from disclosure_core.report.pieces import heading, of, table

if TYPE_CHECKING:
    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.report.given import ReportInput

LINES = 46
"""Lines of labels that a figure on one page has room for; a longer one is continued."""


def blocks(given: ReportInput) -> list[Block]:
    """Return the section."""
    found = given.assessment
    plot = shown.arrows(given, dorig_disco.describe(found))
    n = found.n_original
    several = [] if given.shareable else ["Range of DiSCO"]
    rows = [
        (
            r["target"],
            shown.share(given, r["original"], n),
            shown.share(given, r["synthetic"], n),
            *(f"{shown.share(given, r['min'], n)} to {shown.share(given, r['max'], n)}" for _ in several),
            r["flag"] or "none",
        )
        for r in shown.summary(given, found).to_dict("records")
    ]
    return [
        heading("Attributes"),
        *_parts(given, plot),
        table(f"{of('Dorig', 'DiSCO')} In % of {shown.the(given, n)} original records; means over the syntheses"
               f"{', and the range' if several else ''}.",
               ("Target", "Dorig", "DiSCO", *several, "Flags"), rows),
    ]  # fmt: skip


def _parts(given: ReportInput, plot: ArrowPlot) -> list[Block]:
    """Return the figure, on as many pages as it needs."""
    parts: list[list[ArrowRow]] = [[]]
    lines = 0
    for row in plot.rows:
        lines += 1 + len(row.label) // 36
        if lines > LINES:
            parts.append([])
            lines = 1 + len(row.label) // 36
        parts[-1].append(row)
    said = (
        f"{plot.original} (ring) and {plot.synthetic} (diamond) by target, {plot.unit}; lower is safer. "
        f"{of(plot.original, plot.synthetic)} The arrow shows what synthesis took away."
    )
    if given.shareable:
        said += f" Marks stand at multiples of {given.smallest} records, at or above the true figure."
    figures = []
    for i, rows in enumerate(parts, 1):
        which = f" Part {i} of {len(parts)}, with an axis of its own." if len(parts) > 1 else ""
        figures.append(Block("figure", said + which, plot=replace(plot, rows=tuple(rows))))
    return figures
