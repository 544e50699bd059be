"""What a report says, as plain blocks in their order; no renderer decides about a figure. Each section is a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.counting.assessment import assess
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import (
    agreement,
    assumptions,
    attributes,
    beside_a_guess,
    checklist,
    closing,
    exclusions,
    flags,
    identity,
    largest_cells,
    page1,
    reconcile,
    redaction,
    scope,
    side_by_side,
    steps,
    verdicts,
)
from disclosure_core.report.pieces import heading

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.report.source import Block, ReportInput


def blocks(source: ReportInput) -> tuple[Block, ...]:
    """Return the report's blocks, top to bottom.

    Source
    ------
    The order follows the checklist of the expert consensus (Patterns, 2025): the answer with its sign-off, then scope, adversary,
    keys, preparation, figures, diagnostics, thresholds, what was not evaluated.
    """
    redaction.need_enough(source)
    before = _before(source)
    return (
        *page1.blocks(source, before),
        *closing.signoff(),
        *scope.blocks(source),
        *agreement.blocks(source),
        *assumptions.blocks(source),
        *(block for s in source.sections for block in (heading(s.heading), *s.blocks)),
        *source.refused,
        *attributes.blocks(source, before),
        *beside_a_guess.blocks(source),
        *flags.blocks(source, before),
        *verdicts.blocks(source),
        *exclusions.blocks(source, before),
        *side_by_side.blocks(source),
        *steps.blocks(source),
        *identity.blocks(source),
        *largest_cells.blocks(source),
        *closing.bearing(source),
        *closing.definitions(),
        *reconcile.blocks(source),
        *checklist.blocks(source),
    )


def shared_in_short(source: ReportInput) -> tuple[Block, ...]:
    """Return page 1 of a shareable report, and its table of attributes: what a page shows before it is made.

    Raises
    ------
    DisclosureError
        When the original holds too few records for a shareable report.
    """
    redaction.need_enough(source)
    before = _before(source)
    table = (block for block in attributes.blocks(source, before) if block.kind == "table")
    return (*page1.blocks(source, before), *table)


def _before(source: ReportInput) -> Assessment:
    """Return the assessment with nothing excluded."""
    result = source.assessment
    return assess(source.study, replace(result.settings, exclusions=Exclusions()), result.tables, result)


def tables_of(source: ReportInput) -> dict[str, pd.DataFrame]:
    """Return the report's own tables as they are printed, texts in every cell, by heading: a shareable one protects them.

    What has no figures of the assessment (definitions, the checklist) is left out.
    """
    found: dict[str, pd.DataFrame] = {}
    under = ""
    for block in blocks(source):
        if block.kind == "heading":
            under = block.text
        elif block.kind == "table" and under != "Definitions" and not under.startswith("Appendix"):
            name, n = under, 2
            while name in found:
                name, n = f"{under} {n}", n + 1
            found[name] = pd.DataFrame(list(block.rows), columns=list(block.columns), dtype="str")
    return found
