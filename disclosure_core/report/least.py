"""What an internal report says of the least safeguard, where that was searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import frontier
from disclosure_core.report.pieces import table
from disclosure_core.report.source import Block, Report, Section
from disclosure_core.review import least
from disclosure_core.rounding import NOTHING, fixed

if TYPE_CHECKING:
    from disclosure_core.comparison.frontier import LeastSafeguard
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened

_HEADING = "The least safeguard"


def with_least(source: Report, opened: Opened, told: Progress) -> Report:
    """Return what a report is made from, with the least safeguard.

    A shareable one has none: which chain is on the frontier is decided by exact counts.
    """
    found = None if source.shareable else least.reported(opened, told)
    if found is None:
        return source
    if isinstance(found, NotEvaluated):
        return source.with_section(Section(_HEADING, (), more=(Block("text", f"Not evaluated: {found.why}"),)))
    return source.with_section(_section(found, least.chosen(opened.review, found)))


def _section(found: LeastSafeguard, chosen: dict[int, str]) -> Section:
    rows = [
        (
            f"{point.short}{f' ({chosen[i]})' if i in chosen else ''}",
            f"{point.of}; {point.knows}",
            "yes" if point.reached else "no",
            fixed(point.figure),
            fixed(point.detail_lost),
            fixed(point.removed),
            f"{fixed(point.largest)} ({point.column})" if point.column else NOTHING,
        )
        for i, point in enumerate(found.points)
    ]
    caption = (
        f"Each chain discloses less than those above it, and loses more detail. Figure: {found.unit}, of the strongest "
        "intruder at the released data. Lost: % of detail, mean over all columns; most lost: of one column. Removed: % of "
        "the records of the synthesis that loses most."
    )
    heads = ("Chain", "Largest for", "Aim reached", "Figure", "Lost", "Removed", "Most lost")
    plot = frontier.describe(found)
    blocks = (
        Block("text", found.asked),
        Block("text", f"{found.sentence} {found.promise}"),
        table(caption, heads, rows, texts=3),
        *([Block("list", items=found.notes)] if found.notes else []),
        Block("figure", f"{plot.title}; {plot.unit}.", plot=plot),
    )
    return Section(_HEADING, (), more=blocks)
