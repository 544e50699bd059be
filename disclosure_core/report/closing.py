"""What to bear in mind, definitions, and the place for the panel's decision."""

from __future__ import annotations

from disclosure_core.report.pieces import heading, texts
from disclosure_core.report.source import Block, Report
from disclosure_core.report.words import CAVEATS, DEFINITIONS, SOURCES


def bearing(source: Report) -> list[Block]:
    """Return what was not evaluated, and what to bear in mind."""
    lacking = (f"{what}: not evaluated. {why[:1].upper()}{why[1:].rstrip('.')}." for what, why in source.not_evaluated)
    return [heading("Limitations"), Block("list", items=(*lacking, *CAVEATS))]


def definitions() -> list[Block]:
    """Return every measure with numerator, denominator and source."""
    return [
        heading("Definitions"),
        texts(
            "Every measure is a percentage: numerator over denominator.",
            ("Measure", "Numerator", "Denominator", "Reads", "Source"),
            DEFINITIONS,
        ),
        Block("list", items=SOURCES),
    ]


def signoff(n_open: int = 0) -> Block:
    """Return the place for the panel's decision, which says how many points are open."""
    points = f"{n_open} open point{'s' * (n_open != 1)}" if n_open else ""
    return Block(
        "signoff",
        "Sign-off" + (f" · {points}: see Open points" if points else ""),
        items=("Decision (release, change, refuse)", "Conditions", "Name and office", "Date and signature"),
    )
