"""What the checks flag, before exclusions and with what is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.checks import by_level
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import redaction
from disclosure_core.report.pieces import counts, heading, names_in, table
from disclosure_core.report.source import Block
from disclosure_core.rounding import beside, fixed

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.report.source import Report

MOST_PAIRS = 5
"""Pairs that a report lists; its appendix lists all."""


def blocks(source: Report, before: Assessment) -> list[Block]:
    """Return the section."""
    if source.shareable:
        return _flags_named(source, before)
    one, two = [], _pairs(source, before)
    for name, risk in before.targets.items():
        for raised in by_level(risk.one_way).values():
            c = next(iter(raised.values()))
            one.append((name, redaction.level(source, name, c.level), f"{len(raised)} of {len(risk.one_way)}",
                        f"{c.n_disclosive_level:,}", fixed(c.pct_disclosive), fixed(c.pct_of_all)))  # fmt: skip
    found = _what_a_flag_is()
    if one:
        found.append(
            table("1-way: the level that carries the disclosure (first synthesis that flags it); its records, their share "
                   "of all disclosive records, and the level's share of all original records.",
                   ("Target", "Level", "Syntheses", "Records", "% of disclosive", "% of original"), one, texts=3))  # fmt: skip
    if two:
        found.append(_table_of(two[:MOST_PAIRS], len(two)))
    return [*found, *_still(source, bool(one or two))]


def more(source: Report, before: Assessment) -> list[Block]:
    """Return all pairs, where the report lists some of them; a shareable one lists what it may name."""
    two = [] if source.shareable else _pairs(source, before)
    return [heading("Flags"), _table_of(two, len(two))] if len(two) > MOST_PAIRS else []


def _pairs(source: Report, before: Assessment) -> list[tuple[str, ...]]:
    """Return a row a pair that the 2-way check flags, those with most records first."""
    two = [
        (name, len(risk.counted), p, found)
        for name, risk in before.targets.items()
        for p, found in risk.pairs_listed.items()
    ]
    two.sort(key=lambda pair: -pair[-1].records)
    return [
        (
            name, f"{p.key} {redaction.level(source, p.key, p.key_level)}", redaction.level(source, name, p.target_level),
            f"{found.syntheses} of {m}", records, fixed(found.pct), fixed(found.pct_of_all), beside(found.lift, 1),
        )
        for (name, m, p, found), records in zip(two, counts(found.records for *_, found in two), strict=True)
    ]  # fmt: skip


def _table_of(rows: list[tuple[str, ...]], of: int) -> Block:
    some = f" The {len(rows)} with most records, of {of}; all are in the appendix." if len(rows) < of else ""
    return table(
        "2-way: pairs of a key level and a target level, with the syntheses that flag it; the disclosive records that "
        "excluding it takes, mean over the syntheses; the share of the key level's original records that have the target "
        f"level; that share of all; and the lift, their ratio: the two belong together only where it is above 1.{some}",
        ("Target", "Key level", "Target level", "Syntheses", "Records", "Share %", "Of all %", "Lift"),
        rows,
        texts=3,
    )


def _flags_named(source: Report, before: Assessment) -> list[Block]:
    """Name what a shareable report may name of what the checks flag: no count, for levels and totals would subtract."""
    one, two = [], []
    for name in sorted(before.targets, key=str.casefold):
        risk = before.targets[name]
        one += sorted((name, redaction.level(source, name, v)) for v in redaction.one_way(source, risk))
        named = (
            (*redaction.pair(source, name, p, risk.counted[0].cells), p.key) for p in redaction.two_way(source, risk)
        )
        two += sorted({(name, f"{key} {of_key}", of_target) for of_key, of_target, key in named})
    found, limits = _what_a_flag_is(), source.assessment.settings.thresholds
    if one:
        found.append(
            table(f"1-way: levels that carry more than {limits.one_way[1]:g} % of the disclosive records of their target.",
                   ("Target", "Level"), one, texts=2))  # fmt: skip
    if two:
        found.append(
            table(f"2-way: pairs of a key level and a target level, which more than {limits.two_way[1]:g} % of the key level's "
                   "original records have.", ("Target", "Key level", "Target level"), two, texts=3))  # fmt: skip
    return [*found, *_still(source, bool(one or two))]


def _what_a_flag_is() -> list[Block]:
    return [
        heading("Flags"),
        Block("text", "A flag says that part of an apparent disclosure may be common knowledge: an answer that nearly everybody "
              "gives (1-way), or a key level that tells the answer by itself (2-way). It is a question, not a verdict."),
    ]  # fmt: skip


def _still(source: Report, any_raised: bool) -> list[Block]:
    """Say that no flag was raised, or for what they still are after exclusions."""
    if not any_raised:
        return [Block("text", "No 1-way or 2-way flag was raised; that is not a pass.")]
    if source.assessment.left_out == Exclusions():
        return []
    still = raising(source, source.assessment)
    so = f"still raise a flag for {names_in(still)}" if still else "raise no 1-way or 2-way flag"
    return [Block("text", f"This is what the checks found before exclusions. After them, they {so}.")]


def raising(source: Report, found: Assessment) -> list[str]:
    """Return the targets that raise a flag, in the order of the summary."""
    rows = redaction.summary(source, found)
    return rows.loc[rows["flag"] != "", "target"].tolist()
