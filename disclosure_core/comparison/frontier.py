"""The frontier of a search for the least safeguard: what its chains disclose, against what is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.comparison.aims import NAMES, SAME_KEYS, Aim, May
from disclosure_core.comparison.ways import named
from disclosure_core.counting.registry import BY_NAME
from disclosure_core.protection.steps import (
    Band,
    BlankClaims,
    Cap,
    MergeLevels,
    RemoveClaims,
    RemoveReplicated,
    RoundTo,
)
from disclosure_core.rounding import fixed, visible
from disclosure_core.shown import Shown

if TYPE_CHECKING:
    from disclosure_core.comparison.released import Disclosed, Release
    from disclosure_core.protection.steps import Step

AS_IT_CAME = "As it came."

SEEN_THROUGH: dict[type, str] = {
    RemoveReplicated: "Removal acts on exactly these keys: without one of them others stay unique.",
    RemoveClaims: "Removal of claims leaves gaps: keys that no synthetic record has may be those whose records agreed.",
    BlankClaims: "A blank shows that all synthetic records with the same keys agreed.",
}
"""What an attacker sees of a step, by its kind."""


@dataclass(frozen=True, slots=True)
class Point:
    """One chain: what is disclosed to the strongest intruder, and what is lost.

    Attributes
    ----------
    steps
        In the one order: coarsen, remove, blank.
    figure
        What the aim bounds: the largest figure (%, points); of several aims the largest % of its limit.
    of, knows
        Whose figure that is, and what the strongest intruder knows there.
    reached
        Whether every aim is reached.
    detail_lost
        Mean over all columns and the syntheses, %.
    largest, column
        The column that lost most, %, and its name; empty where nothing is lost.
    removed
        % of the records of the synthesis that lost most.
    levels
        Each key, and the level at which the strongest intruder would know it as it came.
    """

    steps: tuple[Step, ...]
    figure: float
    of: str
    knows: str
    reached: bool
    detail_lost: float
    largest: float
    column: str
    removed: float
    levels: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """The chain in words."""
        return " ".join(step.sentence for step in self.steps) or AS_IT_CAME

    @property
    def short(self) -> str:
        """The chain in a few words: "age in bands of 5; remove replicated uniques; blank abroad, income"."""
        parts = []
        for step in self.steps:
            if isinstance(step, Band):
                bands = not step.rows and step.level[:1].isdigit()
                parts.append(f"{step.column} in bands of {step.level}" if bands else f"{step.column}: {step.level}")
            elif isinstance(step, Cap | RoundTo | MergeLevels):
                parts.append(f"{step.column}: {named([step])}")
            elif isinstance(step, RemoveReplicated):
                parts.append("remove replicated uniques")
        for kind, done in ((RemoveClaims, "remove claims of"), (BlankClaims, "blank")):
            names = [step.column for step in self.steps if isinstance(step, kind)]
            parts += [f"{done} {', '.join(names)}"] * bool(names)
        return "; ".join(parts) or AS_IT_CAME

    @property
    def seen_through(self) -> str:
        """What an attacker sees of its steps; empty where nothing is to be said."""
        kinds = {type(step) for step in self.steps}
        return " ".join(said for kind, said in SEEN_THROUGH.items() if kind in kinds)


@dataclass(frozen=True, eq=False, repr=False)
class LeastSafeguard(Shown):
    """The frontier: of all chains looked at, those that none beats in both figure and detail lost.

    Attributes
    ----------
    aims, may
        As given.
    points
        The frontier, detail lost rising.
    n_chains, n_counted
        Chains that may be touched allow, by coarsening and removal, and those that were looked at.
    exhaustive
        Whether that is every one.
    notes
        What is to be said beside the figures.
    looked
        What was looked at, to go on from.
    out_of_time
        Whether time ended the search, so that it can go on.
    """

    aims: tuple[Aim, ...]
    may: May
    points: tuple[Point, ...]
    n_chains: int
    n_counted: int
    exhaustive: bool
    notes: tuple[str, ...]
    looked: Mapping[Release, Disclosed] = field(default_factory=dict)
    out_of_time: bool = False

    @property
    def complete(self) -> bool:
        """Whether every release was looked at; else a cheaper chain may be among those that were not."""
        return self.exhaustive

    @property
    def cheapest(self) -> Point | None:
        """The point that reaches the aim and loses least; None where none reaches it."""
        return next((point for point in self.points if point.reached), None)

    @property
    def nearest(self) -> Point:
        """The cheapest, or where none reaches the aim the one with the smallest figure."""
        return self.cheapest or self.points[-1]

    @property
    def asked(self) -> str:
        """The aim and what may be touched, in words."""
        return f"Aim: {'; '.join(aim.words for aim in self.aims)}. May be touched: {self.may.words}."

    @property
    def promise(self) -> str:
        """How far was searched, and what follows."""
        if self.exhaustive:
            last = "reaches the aim with less" if self.cheapest else "reaches the aim"
            every = "The one release was" if self.n_chains == 1 else f"All {self.n_chains:,} releases were"
            return f"{every} looked at: no other chain of these steps {last}."
        return (
            f"{self.n_counted:,} of {self.n_chains:,} releases were looked at: nothing shown is beaten by anything "
            "looked at, but another release may be."
        )

    @property
    def sentence(self) -> str:
        """The answer in words."""
        point, looked_at = self.nearest, "" if self.exhaustive else " that was looked at"
        start = f"No chain{looked_at} reaches the aim. The nearest"
        if point.reached:
            start = "The cheapest chain that reaches the aim" + (", of those that were looked at" * bool(looked_at))
        most = f"; most in {point.column!r}, {fixed(point.largest, 1)} %" if point.column else ""
        return (
            f"{start}: {point.words} {point.of}: {fixed(point.figure)}; detail lost: {fixed(point.detail_lost, 1)} %"
            f"{most}."
        )

    @property
    def unit(self) -> str:
        """What the figure of a chain counts."""
        if len(self.aims) > 1:
            return "largest figure, in % of its limit"
        aim = self.aims[0]
        counts = BY_NAME[aim.measure].unit
        of = f" of {aim.target}" if aim.target else "" if aim.measure == "repU" else ", worst target"
        name = "M, same keys" if aim.measure == SAME_KEYS else NAMES[aim.measure]
        return f"{name}{of}, {counts}"

    def __repr__(self) -> str:
        """Return three lines: the aim, the promise, the answer; never data."""
        said = (f"Least safeguard for {', '.join(map(str, self.aims))}", self.promise, self.sentence)
        return "\n".join(map(visible, said))

    def _small_table(self) -> pd.DataFrame:
        return self.tables()["least_safeguard"].head(12)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frontier: a row a point, as JSON and the command line hold it."""
        rows = [
            {
                "figure": p.figure,
                "detail_lost": p.detail_lost,
                "largest_loss": p.largest,
                "most_in": p.column,
                "removed": p.removed,
                "reached": p.reached,
                "of": p.of,
                "knows": p.knows,
                "chain": p.words,
            }
            for p in self.points
        ]
        return {"least_safeguard": pd.DataFrame(rows)}


def frontier(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points that none beats in both figure and detail lost, detail lost rising; of equals the shortest."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda p: (round(p.detail_lost, 9), round(p.figure, 9), len(p.steps))):
        if not kept or round(point.figure, 9) < round(kept[-1].figure, 9):
            kept.append(point)
    return tuple(kept)
