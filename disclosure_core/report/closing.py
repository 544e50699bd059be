"""What the report ends with: what to bear in mind, definitions, sign-off and the consensus' checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.report.pieces import heading
from disclosure_core.report.source import Block
from disclosure_core.report.words import CAVEATS, DEFINITIONS, SOURCES

if TYPE_CHECKING:
    from disclosure_core.report.source import ReportInput


def bearing(source: ReportInput) -> list[Block]:
    """Return what was not evaluated, and what to bear in mind."""
    return [
        heading("Limitations"),
        Block("list", items=(
            *(f"{what}: not evaluated; {why.rstrip('.')}." for what, why in source.not_evaluated),
            *CAVEATS,
        )),
    ]  # fmt: skip


def definitions() -> list[Block]:
    """Return every measure with numerator, denominator and source."""
    return [
        heading("Definitions"),
        Block("table", "Every measure is a percentage: numerator over denominator.",
              columns=("Measure", "Numerator", "Denominator", "Reads", "Source"), rows=DEFINITIONS),
        Block("list", items=SOURCES),
    ]  # fmt: skip


def signoff() -> list[Block]:
    """Return the place for the panel's decision."""
    return [
        heading("Sign-off"),
        Block(
            "signoff",
            items=("Decision (release, change, refuse)", "Conditions", "Name and office", "Date and signature"),
        ),
    ]
