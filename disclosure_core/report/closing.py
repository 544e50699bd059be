"""What the report ends with: what to bear in mind, definitions, sign-off and the consensus' checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.report.pieces import heading
from disclosure_core.report.source import ABOUT, ADVERSARY, DECISION, POPULATION, RELEASED, Block
from disclosure_core.report.words import CAVEATS, CHECKLIST, DEFINITIONS, SOURCES

if TYPE_CHECKING:
    from disclosure_core.report.source import ReportInput


def bearing(source: ReportInput) -> list[Block]:
    """Return what was not evaluated, and what to bear in mind."""
    return [
        heading("What was not evaluated, and what to bear in mind"),
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


def checklist(source: ReportInput) -> list[Block]:
    """Return the consensus' checklist: where each item stands, or that it does not."""
    about = {label: bool(source.about.get(label, "").strip()) for label in ABOUT}
    missing = "not stated"
    assessed, asked = "What was assessed", "What an outsider is taken to know"
    where = {
        1: assessed,
        2: assessed if about[DECISION] and about[RELEASED] else missing,
        3: assessed if about[POPULATION] else missing,
        4: assessed if about[ADVERSARY] else missing,
        5: asked,
        6: asked,
        9: "Attributes; not against people outside the data",
        10: assessed,
        11: "Identity, Attributes, What was flagged",
        12: "Thresholds of the checks only; no limit of risk is set",
        13: "Page 1; the verdict is the panel's"
        if source.answer is not None
        else "for the panel: no verdict is computed",
        14: "Sign-off",
    }
    for section in source.sections:
        where |= dict.fromkeys(section.covers, section.heading)
    rows = [(str(i), what, where.get(i, "not evaluated")) for i, what in CHECKLIST]
    return [
        heading("Appendix: the checklist of the expert consensus"),
        Block("table", "The consensus' release checklist [3], in our words, and where this report answers it. An item that was "
              "not evaluated is no pass.", columns=("Item", "What", "Where"), rows=tuple(rows), figures=frozenset({0})),
    ]  # fmt: skip
