"""What an internal report says of the strongest intruder, where that was searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures import strongest as figure
from disclosure_core.report.pieces import table
from disclosure_core.report.source import Block, Report, Section
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder


def with_strongest(source: Report, opened: Opened, told: Progress) -> Report:
    """Return what a report is made from, with the strongest intruder.

    A shareable one has none: which combination is the largest is decided by exact counts, and neighbouring ones subtract.
    """
    found = None if source.shareable else opened.finished_strongest(told)
    return source if found is None else source.with_section(_section(found, source.assessment.n_original))


def in_short(source: Report) -> list[tuple[str, str]]:
    """Return the line of page 1: the largest DiSCO, who discloses it, and what it is with all keys as they are."""
    found = None if source.shareable or source.stopped else source.printed.finished_strongest()
    worst = None if found is None else _worst(found)
    if found is None or worst is None:
        return []
    of_those, at_least = found.coverage.of_those, "" if found.complete else "at least "
    return [
        (
            "Strongest intruder",
            f"largest {figure.called(found, 'DiSCO', worst['target'])}{of_those}, {at_least}{fixed(worst['figure'])} %, for somebody who knows {worst['knows']}; "
            f"with all keys as they are {fixed(worst['all_keys'])} %",
        )
    ]


def _worst(found: StrongestIntruder) -> dict[str, Any] | None:
    """Return the row of the target with the largest DiSCO; None where none was searched."""
    rows: list[Any] = found.worst[found.worst["measure"] == "DiSCO"].to_dict("records")
    return max(rows, key=lambda row: float(row["figure"])) if rows else None


def _section(found: StrongestIntruder, n_original: int) -> Section:
    beside = found.worst["outside"].notna().any()
    heads = ("Figure", "Known", "Largest", "All keys", *(("Outside",) if beside else ()), "Chosen half", "Other half")
    at_least = "" if found.complete else "at least "
    names = ("all_keys", *(("outside",) if beside else ()), "chosen", "other")
    rows = [
        (
            figure.NAMES[row["measure"]] + (f" of {row['target']}" if row["target"] else ""),
            str(row["knows"]),
            f"{at_least}{fixed(row['figure'])}",
            *(fixed(row[name]) for name in names),
        )
        for row in found.worst.to_dict("records")
    ]
    sure = "" if found.tau is None else f" DiSCO and beyond: claims at least {found.tau:g} sure."
    caption = (
        f"The keys, each known to some level, that disclose most{found.coverage.of_those}, in % of the {n_original:,} original records (gain: "
        f"percentage points; F_rel: at most 1).{sure} The intruder knows {found.bounds}. Searched: {found.coverage}. Halves: "
        "the combination chosen on one half of the people, on that half and on the other; means over 20 halvings."
    )
    of_keys = Block("list", items=tuple(f"{name}: {', '.join(levels)}." for name, levels in found.levels.items()))
    notes = [Block("list", items=found.notes)] if found.notes else []
    plots = []
    if worst := _worst(found):
        plot = figure.describe(found, n_original, "DiSCO", worst["target"])
        plots = [Block("figure", f"{plot.title}; {plot.unit}.", plot=plot)]
    blocks = (table(caption, heads, rows, texts=2), Block("text", "Levels of each key:"), of_keys, *notes, *plots)
    return Section("The strongest intruder", (), more=blocks)
