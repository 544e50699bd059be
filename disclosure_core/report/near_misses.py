"""How close is close: near misses of numeric targets, for the appendix of an internal report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.near_misses import FIGURES, LISTED, STEPS
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import near_misses as figure
from disclosure_core.report.pieces import table
from disclosure_core.report.source import Block, Section
from disclosure_core.review.near_misses import NearMisses, near_misses, numeric_targets
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.counting.near_misses import Tolerance
    from disclosure_core.report.source import Report
    from disclosure_core.review.opened import Opened


def with_near_misses(source: Report, opened: Opened) -> Report:
    """Return what a report is made from, with near misses of its numeric targets.

    A shareable one has none: its counts by tolerance would subtract.
    """
    names = () if source.shareable else numeric_targets(opened)
    return source.with_section(_section(opened, names)) if names else source


def _section(opened: Opened, names: Sequence[str]) -> Section:
    assessment = opened.assessment()
    found, several = _of(opened, names, LISTED), len(assessment.n_synthetic) > 1
    beside = any(not isinstance(each.outside, NotEvaluated) for each in found)
    caption = (
        f"Numbers within a tolerance, in % of {assessment.n_original:,} original records"
        f"{'; means over the syntheses' if several else ''}. A tolerance is ± % of the number claimed. Claims (DiS): all "
        "synthetic records with the same keys have numbers within it of their middle. DiSCO: the claim is right. Best "
        "guess: one number, or level, for everybody, nothing excluded."
    )
    if beside:
        caption += (
            " People outside: right claims, in % of the holdout records; the difference in percentage points, with its "
            "95 % interval."
        )
    heads = ("Target", "±", *FIGURES, "Best guess", *(("Outside", "Difference") if beside else ()))
    rows = [row for each in found for row in _rows(each, beside=beside)]
    plot = figure.describe(_of(opened, names, STEPS), assessment.n_original, several=several)
    more = (
        table(caption, heads, rows, texts=2),
        Block("figure", f"{plot.title}, {plot.unit}; at tolerance 0 these are Dorig and DiSCO.", plot=plot),
    )
    return Section("Near misses of numbers", (), more=more)


def _of(opened: Opened, names: Sequence[str], tolerances: Sequence[Tolerance]) -> list[NearMisses]:
    found = (near_misses(opened, name, tolerances) for name in names)
    return [each for each in found if not isinstance(each, NotEvaluated)]


def _rows(each: NearMisses, *, beside: bool) -> list[tuple[str, ...]]:
    rows = []
    for i, row in enumerate(each.figures.to_dict("records")):
        cells = [each.target, str(row["tolerance"]).replace("%", " %")]
        cells += [fixed(row[name]) for name in (*FIGURES, "guess")]
        if beside and isinstance(each.outside, NotEvaluated):
            cells += ["not evaluated"] * 2
        elif beside and not isinstance(each.outside, NotEvaluated):
            other = each.outside.iloc[i]
            low, high = (fixed(other[end], sign=True) for end in ("low", "high"))
            cells += [fixed(other["non_members"]), f"{fixed(other['difference'], sign=True)} ({low} to {high})"]
        rows.append(tuple(cells))
    return rows
