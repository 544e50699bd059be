"""What the officer says of the targets: the verdicts of the bench, at which figure, by whom, and whether they still fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import Standing
from disclosure_core.report.assumptions import NO_REASON
from disclosure_core.report.pieces import heading, names_in
from disclosure_core.report.source import Block, Report

if TYPE_CHECKING:
    from disclosure_core.review.verdicts import Given

HEADING = "Verdicts"
NOT_STATED = "not stated"


def blocks(source: Report) -> list[Block]:
    """Return the section; nothing without a verdict, which page 1 says, nor in a shareable report: it would tell of a figure."""
    if source.shareable or not source.verdicts:
        return []
    several = len(source.key_sets) > 1
    applying = [g for g in source.verdicts if g.standing is not Standing.NOT_APPLYING]
    found = [heading(HEADING)]
    if applying:
        columns = ("Target", *(["Intruder"] if several else []), "Verdict", "At", "By, on", "Reason")
        rows = tuple(_row(g, several=several) for g in applying)
        found.append(Block("table", "A verdict is the officer's own; no figure gives it.", columns=columns, rows=rows))
    confirm = [g for g in applying if not g.stands]
    if confirm:
        found.append(Block("text", "A verdict to confirm counts as open: what it judged has changed since."))
    gone = [g for g in source.verdicts if g.standing is Standing.NOT_APPLYING]
    if gone:
        named = [f"{g.verdict.target} ({g.verdict.intruder})" if several else g.verdict.target for g in gone]
        found.append(
            Block("text", f"Not applying, because they are no targets now: the verdicts on {names_in(named)}.")
        )
    unreviewed = [] if source.stopped else [row.target for row in source.opened.queue().rows if row.given is None]
    if unreviewed:
        whom = f" for {source.review.intruder}" if several else ""
        found.append(Block("text", f"Without a verdict{whom} so far: {names_in(unreviewed)}."))
    return found


def _row(given: Given, *, several: bool) -> tuple[str, ...]:
    v, stamp = given.verdict, given.verdict.stamp
    at = given.sentence or ((stamp.carried or f"{stamp.shown} ({stamp.named})") if stamp else "")
    by = ", ".join((stamp.who or NOT_STATED, stamp.when or NOT_STATED)) if stamp else NOT_STATED
    return (v.target, *([v.intruder] if several else []), v.verdict, at, by, v.reason.strip() or NO_REASON)
