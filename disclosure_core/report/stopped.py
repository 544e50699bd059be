"""The report where values do not meet, so that no figure is evaluated: page 1 says so, and why, and what is open."""

from __future__ import annotations

from disclosure_core.report import agreement, closing, page1, scope, verdicts
from disclosure_core.report.assumptions import intruders
from disclosure_core.report.pieces import heading
from disclosure_core.report.source import Block, Report


def blocks(source: Report, most: int) -> tuple[Block, ...]:
    """Return the report: page 1, what was assessed, who could look, and what does not meet."""
    first = in_short(source) if source.shareable else page1.signed(source, most)
    return (
        *first,
        *scope.blocks(source),
        *agreement.blocks(source),
        heading("Assumed knowledge of an intruder"),
        intruders(source),
        *verdicts.blocks(source),
        *closing.bearing(source),
    )


def in_short(source: Report) -> tuple[Block, ...]:
    """Return page 1 of a shareable report."""
    return (heading("In short"), Block("list", items=_sentences(source)), closing.signoff())


def appendix(source: Report) -> tuple[Block, ...]:
    """Return what the appendix begins with: there is no figure in it, and why."""
    return (heading("Figures", contents=True), Block("list", items=_sentences(source)))


def _sentences(source: Report) -> tuple[str, ...]:
    assert source.stopped is not None
    needs = "What mends them stands in the internal version." if source.shareable else source.stopped.needs
    return ("No figure was evaluated. That is not a pass.", source.stopped.why, needs)
