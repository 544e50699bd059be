"""What the checks flag, before exclusions and with what is."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from disclosure_core.counting.checks import by_level
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import redaction
from disclosure_core.report.pieces import counts, heading, names_in, table
from disclosure_core.report.source import Block, Report
from disclosure_core.rounding import beside_limit, compare, fixed

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.target_risk import TargetRisk

WITHOUT_LIFT = 1.05
"""A lift below it reads as 1.0: the key level does not tell the answer, nearly everybody gives it."""

MOST_PAIRS = 3
"""Pairs of a target that a report lists; its appendix lists all."""


def blocks(source: Report, before: Assessment) -> list[Block]:
    """Return the section."""
    if source.shareable:
        return [*_what_a_flag_is(), Block("text", SHARED)]
    one, two = [], _pairs(source, before, left=True)
    out = dict(source.assessment.left_out.target_levels)
    for name, risk in _in_order(before):
        for raised in by_level(risk.one_way).values():
            c = next(iter(raised.values()))
            if c.level in out.get(name, ()):
                continue
            one.append(
                (
                    name,
                    redaction.level(source, name, c.level),
                    f"{len(raised)} of {len(risk.one_way)}",
                    f"{c.n_disclosive_level:,}",
                    fixed(c.pct_disclosive),
                    fixed(c.pct_of_all),
                )
            )
    found = _what_a_flag_is()
    if one:
        found.append(
            table(
                "1-way: the level that carries the disclosure (first synthesis that flags it); its records, their share "
                "of all disclosive records, and the level's share of all original records.",
                ("Target", "Level", "Syntheses", "Records", "% of disclosive", "% of original"),
                one,
                texts=3,
            )
        )
    if two:
        every = len(_pairs(source, before))
        some = [row for of_target in _by_target(two) for row in of_target[:MOST_PAIRS]]
        found.append(_table_of(some, every))
    any_raised = any(risk.n_pairs or any(risk.one_way) for risk in before.targets.values())
    return [*found, *_still(source, any_raised)]


def more(source: Report, before: Assessment) -> list[Block]:
    """Return all pairs, where the report lists some of them; a shareable one lists what it may name."""
    two = [] if source.shareable else _pairs(source, before)
    listed = [] if source.shareable else _by_target(_pairs(source, before, left=True))
    whole = len(two) == sum(len(rows[:MOST_PAIRS]) for rows in listed)
    return [] if whole else [heading("Flags"), _table_of(two, len(two))]


def _in_order(before: Assessment) -> list[tuple[str, TargetRisk]]:
    """Return the targets, that with the largest DiSCO first."""
    return [(name, before.targets[name]) for name in before.summary()["target"].tolist()[::-1]]


def _by_target(rows: list[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    return [list(of) for _, of in groupby(rows, key=lambda row: row[0])]


def _pairs(source: Report, before: Assessment, *, left: bool = False) -> list[tuple[str, ...]]:
    """Return a row a pair that the 2-way check flags, by target, those with most records first.

    `left` is without pairs that are excluded, by themselves or by their level, and without those of no lift.
    """
    out = source.assessment.left_out
    levels, pairs = dict(out.target_levels), dict(out.pairs)
    two = []
    for name, risk in _in_order(before):
        of_target = [
            (name, len(risk.counted), p, found)
            for p, found in risk.pairs_listed.items()
            if not left
            or (
                compare(found.lift, WITHOUT_LIFT) >= 0
                and p.target_level not in levels.get(name, ())
                and p not in pairs.get(name, ())
            )
        ]
        two += sorted(of_target, key=lambda pair: -pair[-1].records)
    return [
        (
            name,
            f"{p.key} {redaction.level(source, p.key, p.key_level)}",
            redaction.level(source, name, p.target_level),
            f"{found.syntheses} of {m}",
            records,
            fixed(found.pct),
            fixed(found.pct_of_all),
            beside_limit(found.lift, 1),
        )
        for (name, m, p, found), records in zip(two, counts(found.records for *_, found in two), strict=True)
    ]


def _table_of(rows: list[tuple[str, ...]], of: int) -> Block:
    some = (
        f" Up to {MOST_PAIRS} a target with lift, without what is excluded; all {of} are in the appendix."
        if len(rows) < of
        else ""
    )
    return table(
        "2-way: pairs of a key level and a target level, with the syntheses that flag it; the disclosive records that "
        "excluding it takes, mean over the syntheses; the share of the key level's original records that have the target "
        f"level; that share of all; and the lift, their ratio: the two belong together only where it is above 1.{some}",
        ("Target", "Key level", "Target level", "Syntheses", "Records", "Share %", "Of all %", "Lift"),
        rows,
        texts=3,
    )


NO_FLAG = "No 1-way or 2-way flag was raised; that is not a pass."

SHARED = "What the checks flag stands in the internal version: a flag follows from counts that are not shown here."


def _what_a_flag_is() -> list[Block]:
    return [
        heading("Flags"),
        Block(
            "text",
            "A flag says that part of an apparent disclosure may be common knowledge: an answer that nearly everybody "
            "gives (1-way), or a key level that tells the answer by itself (2-way). It is a question, not a verdict.",
        ),
    ]


def _still(source: Report, any_raised: bool) -> list[Block]:
    """Say that no flag was raised, or for what they still are after exclusions."""
    if not any_raised:
        return [Block("text", NO_FLAG)]
    if source.assessment.left_out == Exclusions():
        return []
    still = raising(source.assessment)
    so = f"still raise a flag for {names_in(still)}" if still else "raise no 1-way or 2-way flag"
    return [Block("text", f"This is what the checks found before exclusions. After them, they {so}.")]


def raising(found: Assessment) -> list[str]:
    """Return the targets that raise a flag, in the order of the summary."""
    rows = found.summary().iloc[::-1]
    return rows.loc[rows["flag"] != "", "target"].tolist()
