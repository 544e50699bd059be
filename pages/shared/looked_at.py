"""What is looked at of a review: it moves no figure, and nothing that is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

AT_TAU = "At τ"
PAIRS = 50
"""Pairs of a target that are listed before more are asked for."""


@dataclass(repr=False, kw_only=True)
class LookedAt:
    """What is looked at.

    Attributes
    ----------
    target, looked
        The target looked at, and how often another was chosen: a figure tells a click on the same row again by it.
    measure
        The comparison that all targets are shown by: one of `COMPARED`, or `AT_TAU` for that at the review's τ.
    order
        In which order all targets stand on Review: one of `ORDERS`. It moves no figure and nothing printed.
    ticked
        The targets that are ticked for one verdict on several.
    pairs_shown
        How many of its pairs of the 2-way check are drawn.
    synthesis
        The synthesis looked at alone, counted from 0; None for the mean over all.
    narrowed
        The level, by column, to which the list of records is narrowed.
    to_records
        Whether these were asked for, on the page that is open.
    unmasked
        Whether the officer asked to see values of records.
    rows
        Of data in an engine, the rows of a list that the page Records shows, and what they are of; None elsewhere.
    table
        The two columns whose table is looked into on the page Compare, the second empty for one alone; None for the
        worst.
    analysis
        The further question that is looked at; empty for the list of all.
    compare_view
        What is looked at on the page Compare, likewise.
    seeks_least
        Whether the page Safeguards shows the search for the least one, in place of the effect.
    """

    target: str | None = None
    looked: int = 0
    measure: str = "DiSCO"
    order: str = "gain"
    ticked: set[str] = field(default_factory=set)
    pairs_shown: int = PAIRS
    synthesis: int | None = None
    narrowed: dict[str, str] = field(default_factory=dict)
    to_records: bool = False
    unmasked: bool = False
    rows: tuple[tuple[object, ...], pd.DataFrame] | None = None
    table: tuple[str, str] | None = None
    analysis: str = ""
    compare_view: str = ""
    seeks_least: bool = False

    def look_at(self, target: str | None) -> None:
        """Look at another target."""
        if target != self.target:
            self.pairs_shown = PAIRS
        self.target = target
        self.looked += 1
