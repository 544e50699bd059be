"""The steps of an intruder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.registry import STEPS
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, table
from disclosure_core.report.source import Block, Report

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk

MOST_STEPS = 5
"""Targets whose steps are shown."""


def blocks(source: Report) -> list[Block]:
    """Return the section."""
    found, n, steps = source.assessment, source.assessment.n_original, redaction.shown(source, *STEPS)
    names = redaction.highest(source)[:MOST_STEPS]
    if source.shareable:
        names.sort(key=str.casefold)

    def row(name: str, risk: TargetRisk) -> tuple[str, ...]:
        figures = [float(risk.figures(m).mean()) for m in steps]
        return (
            name,
            *(
                f"{redaction.share(source, x, n)} ({redaction.count(source, round(x * n / 100, 6 if source.shareable else 0), n)})"
                for x in figures
            ),
        )

    keys = ", ".join(key.name for key in source.keys_in_order)
    both = "DiSDiO are those of DiSCO whose keys would disclose them in the original itself, too."
    return [
        heading("The steps of an intruder"),
        Block(
            "text",
            f"What somebody would do who knows a person's {keys}; and, for the targets with most to learn, how many of "
            f"{redaction.size_with_article(source, n)} people of the original are left after each step.",
        ),
        Block(
            "list",
            items=(
                "First, look for synthetic records with the same keys (iS: there are some).",
                "Second, see whether all of them have one target level (DiS: they do), and take it for the person's own.",
                "Third, be right about it (DiSCO). Nobody tells the intruder: among those of DiS the share that is right is TCAP.",
                *([both] if "DiSDiO" in steps else []),
            ),
        ),
        table(
            "% of the original records, and records in brackets; means over the syntheses, after exclusions; lower is safer.",
            ("Target", *steps),
            [row(name, found.targets[name]) for name in names],
        ),
    ]
