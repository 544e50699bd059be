"""What generators that draw by seed share: what was held against what, what was wrong, and how both are told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NAMED = 8
"""What is wrong with a seed, of which so much is printed."""


@dataclass
class Held:
    """What was tried with a seed, how often, and what was wrong."""

    n: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def told(first: int, last: int, tried: Callable[[int], Held], words: Callable[[int], str] | None = None) -> Held:
    """Try the seeds, print what is wrong with each, after its words where it has some; return all of it."""
    every = Held()
    for seed in range(first, last):
        held = tried(seed)
        every.n += held.n
        every.wrong += held.wrong
        of_seed = [words(seed)] if words is not None and held.wrong else []
        more = [f"{len(held.wrong) - NAMED} more"] if len(held.wrong) > NAMED else []
        for each in (*of_seed, *held.wrong[:NAMED], *more):
            print(f"seed {seed}: {each}", flush=True)
    return every
