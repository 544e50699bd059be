"""What the claims are worth beside a guess: gain over chance by target, and the levels that no percentage shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disclosure_core.conclusions.guess import head, in_order, sentence, why_not_beyond
from disclosure_core.report import redaction
from disclosure_core.report.pieces import counts, heading, table
from disclosure_core.report.source import Block, Report
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.counting.claims import BeyondGuess

MOST_LEVELS = 3
"""Levels that a report lists of a target."""


def blocks(source: Report) -> list[Block]:
    """Return what the appendix holds; a shareable one nothing, for counts of claims by level would subtract."""
    if source.shareable:
        return []
    guesses = in_order(source.assessment)
    heads = [*head(guesses[0][1])]
    rows = [(name, *(fixed(v) for v in head(found).values())) for name, found in guesses]
    rare = [(name, r) for name, found in guesses for r in found.levels.head(MOST_LEVELS).to_dict("records")]
    claims, right = (counts(r[column] for _, r in rare) for column in ("claims", "right"))
    levels = [
        (name, str(r["level"]), *n, fixed(r["pct_right"]), fixed(r["pct_of_all"]))
        for (name, r), *n in zip(rare, claims, right, strict=True)
        if source.level_names
    ]
    tied = [
        f"{name}: {why_not_beyond(found.common, tuple(redaction.level(source, name, v) for v in found.common.labels))}"
        for name, found in guesses
        if not found.common.is_one
    ]
    found = [
        heading("Beside a guess"),
        table(
            "For the people with a claim: the share of claims that is right, the share right by the best single level for all "
            "of them, and by dealing the same claims at random (chance), in % of the claims, nothing excluded. Claims: % of "
            "the original records. Gain over chance: right claims less chance, in percentage points of the original records; κ is 1 where "
            "all are right and 0 at chance. Beyond: right claims of another than the commonest level, in % of the original "
            "records. These three are as set. Gain is no evidence of leaking: honest inference has it too.",
            ("Target", *heads),
            rows,
        ),
        Block(
            "list", items=tuple(f"{', '.join(names)}: {said}" for said, names in _sentences(source, guesses).items())
        ),
    ]
    if tied:
        found += [Block("text", f"Beyond, of {each}") for each in tied]
    if levels:
        found.append(
            table(
                f"Rare disclosures, which no percentage of all people shows: levels with three right claims or more, at most "
                f"{MOST_LEVELS} of a target, by how far the share right passes the level's share of all. People, means over the "
                "syntheses, nothing excluded.",
                ("Target", "Level", "Claims", "Right", "Right, %", "Of all, %"),
                levels,
                texts=2,
            )
        )
    return found


def _sentences(source: Report, guesses: Sequence[tuple[str, BeyondGuess]]) -> dict[str, list[str]]:
    """Return each sentence once, with the targets that it is true of."""
    said: dict[str, list[str]] = {}
    for name, found in guesses:
        best = redaction.level(source, name, found.best_level) if found.best_level else None
        said.setdefault(sentence(found, best), []).append(name)
    return said
