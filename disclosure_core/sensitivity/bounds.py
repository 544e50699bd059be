"""What an intruder may know, and how far a search goes: the bounds that are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import parameter, within
from disclosure_core.rounding import printable

MOST_SUBSETS = 2**20 - 1
"""Subsets of 20 keys: of more, figures take more memory than a desktop has."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the intruder may know, and how far to search.

    Attributes
    ----------
    at_most
        Keys known at once, to any level; None: all of them.
    at_best
        By key, the finest level at which it may be known: "5" for bands of 5, "month", "unknown".
    budget
        Up to so many nodes every one is looked at; beyond it a beam looks at no more than these.
    beam
        Nodes that a beam keeps for each figure.
    subsets
        Where subsets of the keys are searched: every one up to so many; beyond it about so many.

    Raises
    ------
    DisclosureError
        When a number is not a whole number above 0, or there are more subsets than `MOST_SUBSETS`.

    Examples
    --------
    >>> str(Bounds(at_most=2, at_best={"age": "5"}))
    'at most 2 keys; age at best 5'
    """

    at_most: int | None = parameter(
        None,
        ge=1,
        title="Keys known at once, at most",
        description="The intruder knows at most N of the keys.",
        json_schema_extra={"metavar": "N"},
    )
    at_best: Mapping[str, str] = field(default_factory=dict)
    budget: int = parameter(
        5_000,
        ge=1,
        title="Combinations looked at, at most",
        description="Up to N combinations every one is looked at; beyond it a beam looks at no more than N.",
        json_schema_extra={"metavar": "N"},
    )
    beam: int = parameter(20, ge=1)
    subsets: int = parameter(
        4_095,
        ge=1,
        le=MOST_SUBSETS,
        description="Search every subset where there are no more than N, else about N of them.",
        json_schema_extra={"metavar": "N"},
    )

    def __post_init__(self) -> None:
        counts = (1 if self.at_most is None else self.at_most, self.budget, self.beam, self.subsets)
        whole = all(isinstance(n, int) and not isinstance(n, bool) for n in counts)
        if whole and self.subsets > MOST_SUBSETS:
            raise DisclosureError(f"Search {MOST_SUBSETS:,} subsets of the keys at most, which is all of 20 keys.")
        if not whole or not within(self, "at_most", "budget", "beam", "subsets"):
            raise DisclosureError(
                "Say with a whole number above 0 how many keys, nodes, kept nodes or subsets there may be."
            )

    def __str__(self) -> str:
        known = "all keys" if self.at_most is None else f"at most {self.at_most} key{'s' if self.at_most > 1 else ''}"
        at_best = [f"{printable(key)} at best {printable(level)}" for key, level in self.at_best.items()]
        return "; ".join([known, *at_best])
