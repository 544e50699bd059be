"""What changes with what is released: each synthesis; on page 1, several syntheses together.

For an internal report alone: the counts of neighbouring tables subtract. A shareable one has a sentence of rounded counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.report.pieces import heading, table
from disclosure_core.results import Together
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.report.source import Block, Report

MOST_SYNTHESES = 8
"""Syntheses that stand beside each other in one table; the workbook has all."""


# ---- page 1 and the annex --------------------------------------------------------------------------------------------


def in_short(source: Report) -> list[tuple[str, str]]:
    """Return the line of page 1 on several syntheses released together; nothing where one is."""
    if source.stopped:
        return []
    found = Together.of(source.printed)
    if isinstance(found, NotEvaluated) or not (found.stated or Together.in_report(source.opened.review)):
        return []
    said = "; ".join(filter(None, (found.of_keys, found.of_most)))
    return [("Released together" if found.stated else "If all are released", f"{found.which}: {said}")]


# ---- the appendix ----------------------------------------------------------------------------------------------------


def blocks(source: Report) -> list[Block]:
    """Return what the appendix holds of it; a shareable one nothing."""
    if source.shareable:
        return []
    return _by_synthesis(source)


def _by_synthesis(source: Report) -> list[Block]:
    """Return mean, SD and each synthesis of DiSCO by target, and of repU (R2 of the consensus); nothing of one synthesis."""
    found, m = source.assessment, len(source.assessment.n_synthetic)
    if m < 2:
        return []
    numbers = range(min(m, MOST_SYNTHESES))
    repU, summary = found.identity["repU"], found.summary().iloc[::-1]
    rows = [("repU, the keys alone", fixed(repU.mean()), fixed(repU.std()), *(fixed(repU.iloc[i]) for i in numbers))]
    for r in summary.to_dict("records"):
        each = found.targets[str(r["target"])].figures("DiSCO")
        rows.append((str(r["target"]), fixed(r["synthetic"]), fixed(r["sd"]), *(fixed(each[i]) for i in numbers)))
    more = f" The first {MOST_SYNTHESES} of {m} syntheses; the workbook has all." if m > MOST_SYNTHESES else ""
    caption = (
        "repU, and DiSCO of each target: mean and standard deviation over the syntheses, and each synthesis, % of the "
        f"original records.{more}"
    )
    return [heading("Each synthesis"), table(caption, ("Figure", "Mean", "SD", *(str(i + 1) for i in numbers)), rows)]
