"""What the officer says of the targets: the verdicts of the bench, in the officer's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.report.assumed import NO_REASON
from disclosure_core.report.pieces import heading, names_in
from disclosure_core.report.source import Block

if TYPE_CHECKING:
    from disclosure_core.report.source import ReportInput


def blocks(source: ReportInput) -> list[Block]:
    """Return the section; nothing of a report without a review, nor of a shareable one, where a verdict would tell of a figure."""
    if source.verdicts is None or source.shareable:
        return []
    several = len(source.key_sets) > 1
    found = [heading("What the officer says of the targets")]
    if source.verdicts:
        rows = [
            (v.target, *([v.intruder] if several else []), v.verdict, v.reason.strip() or NO_REASON)
            for v in source.verdicts
        ]
        columns = ("Target", *(["Who could look"] if several else []), "Verdict", "Reason")
        found.append(
            Block("table", "A verdict is the officer's own; no figure gives it.", columns=columns, rows=tuple(rows))
        )
    else:
        found.append(Block("text", "No verdict was given on any target."))
    if source.unreviewed:
        whom = f" for {source.key_set}" if several else ""
        found.append(Block("text", f"Flagged{whom} and without a verdict so far: {names_in(source.unreviewed)}."))
    return found
