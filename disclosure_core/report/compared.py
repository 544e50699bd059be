"""What a report says of sets of syntheses and of safeguards side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from disclosure_core.comparison.candidates import DETAIL, LARGEST, MOST_DETAIL, USEFUL, Candidate, Risk
from disclosure_core.comparison.intervals import BASIS
from disclosure_core.comparison.overview import merging_rewarded
from disclosure_core.comparison.tables import against_the_first
from disclosure_core.figures import risk_utility
from disclosure_core.protection.detail import FAILINGS
from disclosure_core.protection.usefulness import GOOD, POOR
from disclosure_core.report import redaction
from disclosure_core.report.pieces import table
from disclosure_core.report.source import Block, Report, Section
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.comparison.comparison import Comparison

TITLE = "Sets and safeguards side by side"


def compared(source: Report, found: Comparison) -> Section:
    """Return the part on sets side by side.

    A shareable report leaves out usefulness, map, differences and intervals: they follow from the counts as they are, and
    would give back what rounding hides.
    """
    found = redaction.comparison(source, found)
    worst = _worst(source, found)
    safer = any(each.safer for each in found.candidates)
    of_use = {} if source.shareable else {**_USE, **(_DETAIL_LOST if safer else {})}
    head = ("Set", "repU %", f"{worst.label} %", *of_use)
    rows = tuple(_row(source, each, worst, of_use.values()) for each in found.candidates)
    rows += tuple((name, *["not evaluated"] * (len(head) - 1)) for name in found.not_evaluated)
    what, lower = "Disclosure of each set of syntheses", "Lower is safer"
    useful = (
        f"{what}, beside its usefulness. S_pMSE compares each table of two columns with the original's: 1 is what a "
        f"correct synthesis gives on average; the authors of synthpop read below {GOOD:.0f} as good and above {POOR:.0f} as "
        "poor, a rule of thumb of theirs. After safeguards, usefulness is measured against the original as it is."
    )
    shared = (
        f"{what}. Its usefulness is in the internal version only, because it follows from the exact counts; so is each "
        "set after safeguards, because little may lie between it and the same set without them."
    )
    without = found.candidates[0].usefulness.without
    useful += f" {without}" if without else ""
    if safer:
        if merging_rewarded(found):
            useful += " S_pMSE alone rewards merging levels and removing records: detail lost stands beside it."
        useful += f" {FAILINGS}"
    of_original = () if source.shareable else tuple(Block("text", said) for said in found.references)
    blocks = [
        Block("text", shared if source.shareable else useful),
        *of_original,
        *([Block("text", _not_met(found))] if found.not_evaluated else []),
        table(
            f"Each set as it came{', and after safeguards' if safer else ''}; means over its syntheses. "
            + (f"{lower}." if source.shareable else f"{lower}, and for S_pMSE more useful."),
            head,
            rows,
        ),
    ]
    more: tuple[Block, ...] = ()
    if not source.shareable:
        plot = risk_utility.describe(found)
        more = (Block("figure", plot.caption, plot=plot), Block("list", items=(*against_the_first(found), BASIS)))
    return Section(TITLE, tuple(blocks), more=more)


def _not_met(found: Comparison) -> str:
    listed = ", ".join(f"“{name}”" for name in found.not_evaluated)
    return f"Values do not meet, so nothing is evaluated of {listed}: no set is safer for that."


_USE = {"Mean S_pMSE": USEFUL, "Largest S_pMSE": LARGEST}
_DETAIL_LOST = {"Mean detail lost %": DETAIL, "Largest detail lost %": MOST_DETAIL}
"""Columns on usefulness; detail is lost by safeguards alone."""


def _worst(source: Report, found: Comparison) -> Risk:
    """Return the risk that is shown: of the target that discloses most, where shareable by rounded figures and name."""
    if not source.shareable or not found.targets:
        return found.risks[0]

    def shown(target: str) -> float:
        means = ((float(each.figures["DiSCO", target].mean()), each.n_original) for each in found.candidates)
        return max(redaction.drawn_share(source, mean, n) for mean, n in means)

    return Risk("DiSCO", max(sorted(found.targets, key=str.casefold), key=shown))


def _row(source: Report, each: Candidate, worst: Risk, useful: Iterable[str]) -> tuple[str, ...]:
    figures = [each.figures["repU", ""], each.figures[worst.measure, worst.target]]
    shares = [redaction.share(source, float(values.mean()), each.n_original) for values in figures]
    return (each.name, *shares, *(fixed(float(each.figures[name, ""].mean())) for name in useful))
