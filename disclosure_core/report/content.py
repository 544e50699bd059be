"""What a report says, as plain blocks in their order; no renderer decides about a figure. Each section is a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.counting.assessment import Assessment, assess
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
    regulators,
    releases,
    scope,
    steps,
    stopped,
    verdicts,
)
from disclosure_core.report.pieces import heading
from disclosure_core.report.shareable import need_shareable

if TYPE_CHECKING:
    from disclosure_core.report.source import Block, Report


def blocks(source: Report, most: int = page1.MOST_ROWS, *, brief: bool = False) -> tuple[Block, ...]:
    """Return the report's blocks, top to bottom: page 1 with its sign-off and so many rows at most, and a short annex.

    Source
    ------
    The order follows the checklist of the expert consensus (Patterns, 2025): the answer with its sign-off, then scope, intruder,
    keys, preparation, figures, diagnostics, thresholds, what was not evaluated.
    """
    need_shareable(source)
    if source.stopped:
        return stopped.blocks(source, most)
    before = _without_exclusions(source)
    return (
        *page1.blocks(source, most, brief=brief),
        *page1.beyond(source, most, brief=brief),
        *scope.blocks(source),
        *agreement.blocks(source),
        *assumptions.blocks(source),
        *(block for s in source.sections if s.blocks for block in (heading(s.heading), *s.blocks)),
        *attributes.blocks(source, before),
        *flags.blocks(source, before),
        *verdicts.blocks(source),
        *exclusions.blocks(source, before),
        *identity.blocks(source),
        *closing.bearing(source),
    )


def appendix(source: Report) -> tuple[Block, ...]:
    """Return the appendix's blocks: every figure that the report leaves out, definitions, requirements, the checklist."""
    need_shareable(source)
    if source.stopped:
        return (
            *stopped.appendix(source),
            *closing.definitions(),
            *regulators.blocks(source),
            *checklist.blocks(source),
        )
    first, *others = (
        *_more(source),
        *closing.definitions(),
        *regulators.blocks(source),
        *checklist.blocks(source),
    )
    return (replace(first, contents=True), *others)


def _more(source: Report) -> tuple[Block, ...]:
    before = _without_exclusions(source)
    return (
        *(block for s in source.sections if s.more for block in (heading(s.heading), *s.more)),
        *attributes.more(source, before),
        *beside_a_guess.blocks(source),
        *flags.more(source, before),
        *steps.blocks(source),
        *identity.more(source),
        *releases.blocks(source),
        *largest_cells.blocks(source),
    )


def shared_in_short(source: Report) -> tuple[Block, ...]:
    """Return page 1 of a shareable report, and its table of attributes: what a page shows before it is made."""
    need_shareable(source)
    if source.stopped:
        return tuple(block for block in stopped.in_short(source) if block.kind != "signoff")
    before = _without_exclusions(source)
    table = (block for block in attributes.blocks(source, before) if block.kind == "table")
    return (*(block for block in page1.blocks(source) if block.kind != "signoff"), *table)


def _without_exclusions(source: Report) -> Assessment:
    """Return the assessment with nothing excluded."""
    result = source.assessment
    return assess(source.study, replace(result.settings, exclusions=Exclusions()), result.tables, result)


def tables_of(source: Report) -> dict[str, pd.DataFrame]:
    """Return the tables of report and appendix as they are printed, texts in every cell, by heading: a shareable one protects them.

    What has no figures of the assessment (definitions, the checklist) is left out.
    """
    found: dict[str, pd.DataFrame] = {}
    under = ""
    for block in (*blocks(source), *(() if source.stopped else _more(source))):
        if block.kind == "heading":
            under = block.text
        elif block.kind == "table":
            name, n = under, 2
            while name in found:
                name, n = f"{under} {n}", n + 1
            found[name] = pd.DataFrame(list(block.rows), columns=list(block.columns), dtype="str")
    return found
