"""Figures held against the limits of an office: each measure has its own, with whose they are and why."""

from __future__ import annotations

from collections.abc import (
    Iterable,
    Mapping,
)
from dataclasses import dataclass, field, fields
from enum import StrEnum
from numbers import Real
from typing import Literal

import numpy as np

from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.rounding import above, plain

Measure = Literal["DiSCO", "DCAP", "F_rel"]

LIMITED: tuple[Measure, ...] = ("DiSCO", "DCAP", "F_rel")
"""The measures that have limits. repU has none: it is a screening figure (consensus.md 4.2, R4)."""


class Outcome(StrEnum):
    """Where a figure stands against the limits; computed. A verdict is the officer's own word."""

    WITHIN = "within"
    ABOVE = "above"
    NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True, slots=True)
class Precedent:
    """A limit that has been used somewhere, and what it is worth.

    Attributes
    ----------
    measure
        What it was used for; AUROC is not measured here.
    absolute, relative
        The limits, in the unit of the measure.
    standing
        What it is worth in a few words.
    text
        Where it is from, a sentence.
    """

    measure: str
    absolute: float | None
    relative: float | None
    standing: str
    text: str


PRECEDENTS = (
    Precedent(
        "F_rel", None, 0.2, "panel undecided", "Literature precedent; 4 of 13 panellists agreed, 7 were neutral (R7)."
    ),
    Precedent(
        "AUROC",
        0.6,
        0.15,
        "appendix only",
        "In the authors' report for AUROC alone; neither value was put to the final vote (S12, S13).",
    ),
    Precedent("DiSCO", None, None, "set by you", "No precedent: the office sets it for its own context."),
    Precedent("DCAP", None, None, "set by you", "No precedent: the office sets it for its own context."),
)
"""Limits on record and their standing; none is a default here (consensus.md 1 and 3.2)."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the five things that move a limit.

    Attributes
    ----------
    name
        What it is called in a saved review.
    question
        What the office is asked.
    moves
        Which way it moves the limit.
    """

    name: str
    question: str
    moves: str


CONTEXT = (
    Dimension("sensitivity", "How sensitive are these data?", "the more, the stricter"),
    Dimension("harm", "What harm could come to the people in them?", "the more, the stricter"),
    Dimension("notice", "What consent or notice was given?", "the fuller, the more permissive"),
    Dimension("benefit", "What do people or society gain by the release?", "the more, the more permissive"),
    Dimension("order", "Does a court or a regulator set the value?", "then theirs replaces it"),
)
"""Source: consensus.md 1, on the policy for thresholds."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of one measure, whose they are, and why.

    Attributes
    ----------
    absolute
        Of the figure of the members; of DiSCO and DCAP in % of the members. F_rel has none.
    relative
        Of members less people outside, percentage points; of F_rel itself, which is relative to guessing, from 0 to 1.
    owner
        Who set them.
    reason
        Why these values.
    context
        By the name of a dimension of `CONTEXT`, what the office says of it.
    as_written
        Whether the office said that a % below 1 is meant as it stands (0.6 % and not 60 %).

    Raises
    ------
    DisclosureError
        When a limit is not a number, or there is no such dimension.

    Examples
    --------
    >>> Limit(absolute=20, relative=10, owner="the release panel").owner
    'the release panel'
    """

    absolute: float | None = None
    relative: float | None = None
    owner: str = ""
    reason: str = ""
    context: Mapping[str, str] = field(default_factory=dict)
    as_written: bool = False

    def __post_init__(self) -> None:
        for name in ("absolute", "relative"):
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if value is not None and not (number and np.isfinite(value)):
                raise DisclosureError("A limit must be a number; leave it empty to decide nothing.")
            object.__setattr__(self, name, None if value is None else float(value))  # 20 and 20.0 are one text in JSON
        known = {d.name for d in CONTEXT}
        unknown = next((name for name in self.context if name not in known), None)
        if unknown is not None:
            raise DisclosureError(f"There is no dimension {unknown!r} of context; choose one of {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class Limits:
    """The office's limits by measure; no measure borrows those of another.

    Attributes
    ----------
    disco, dcap
        Both conditions, % of members and percentage points.
    membership
        F_rel alone, from 0 to 1.

    Raises
    ------
    DisclosureError
        When a limit is beyond what its measure can be, so that nothing could be above it.

    Examples
    --------
    >>> Limits(disco=Limit(absolute=0.6)).questions()
    {'DiSCO': 'The limits of DiSCO are in %: is 0.6 % or 60 % meant?'}
    """

    disco: Limit = field(default_factory=Limit)
    dcap: Limit = field(default_factory=Limit)
    membership: Limit = field(default_factory=Limit)

    def __post_init__(self) -> None:
        for measure in ("DiSCO", "DCAP"):
            limit = self.of(measure)
            for value, unit in ((limit.absolute, "%"), (limit.relative, "percentage points")):
                if value is not None and not 0 <= value <= 100:
                    raise DisclosureError(f"A limit of {measure} is from 0 to 100 {unit}; {plain(value)} is none.")
        if self.membership.absolute is not None:
            raise DisclosureError("Membership has one limit, of F_rel; leave the absolute one empty.")
        f_rel = self.membership.relative
        if f_rel is not None and not 0 <= f_rel <= 1:
            raise DisclosureError(f"A limit of F_rel is from 0 to 1, as the precedent 0.2; {plain(f_rel)} is none.")

    def of(self, measure: str) -> Limit:
        """Return the limits of one measure of `LIMITED`.

        Raises
        ------
        DisclosureError
            When the measure has none.
        """
        if measure not in LIMITED:
            raise DisclosureError(f"{measure} has no limits; choose one of {', '.join(LIMITED)}.")
        found: Limit = getattr(self, PARTS[measure])
        return found

    def questions(self) -> dict[str, str]:
        """Return, by measure, what has to be asked of its limits: a share in a field of %."""
        found = {}
        for measure in ("DiSCO", "DCAP"):
            limit = self.of(measure)
            small = [v for v in (limit.absolute, limit.relative) if v is not None and 0 < v < 1]
            if small and not limit.as_written:
                listed = " and ".join(f"{plain(v)} % or {plain(100 * v)} %" for v in small)
                found[measure] = f"The limits of {measure} are in %: is {listed} meant?"
        return found


PARTS: dict[str, str] = dict(zip(LIMITED, (f.name for f in fields(Limits)), strict=True))
"""By measure, the part of `Limits` that is its limits."""


def with_limit(limits: Limits, measure: str, limit: Limit) -> Limits:
    """Return the limits with other ones of one measure."""
    parts = {name: getattr(limits, name) for name in PARTS.values()}
    return Limits(**parts | {PARTS[measure]: limit})


BOTH = "a result is above only where the difference from people outside the data exceeds the second limit, too"
"""What is said beside a mark at the first limit alone (`decide`)."""


def decide(absolute: float | NotEvaluated | None, relative: float | NotEvaluated | None, limit: Limit) -> Outcome:
    """Return whether a figure is above its limits: above the absolute *and* above the relative one.

    Parameters
    ----------
    absolute
        The figure of the members.
    relative
        Members less non-members.
    limit
        In the same units; a figure equal to its limit, to 12 significant digits, is within.

    Returns
    -------
    Outcome
        Not evaluated where a figure or a limit is not there; that is no pass.

    Source
    ------
    consensus.md 3.2 (R10).
    """
    figures = (absolute, relative, limit.absolute, limit.relative)
    numbers = [x for x in figures if isinstance(x, (int, float)) and not np.isnan(x)]
    if len(numbers) < len(figures):
        return Outcome.NOT_EVALUATED
    a, r, over_a, over_r = numbers
    return Outcome.ABOVE if above(a, over_a) and above(r, over_r) else Outcome.WITHIN


def decide_membership(f_rel: float | NotEvaluated | None, limit: Limit, *, complete: bool = True) -> Outcome:
    """Return whether F_rel is above its limit.

    Not `complete`: of a search that stopped early. The largest is at least so much, which proves no "within".

    Source
    ------
    consensus.md 2.4: F_rel is relative to guessing already, and has one condition.
    """
    if not isinstance(f_rel, (int, float)) or np.isnan(f_rel) or limit.relative is None:
        return Outcome.NOT_EVALUATED
    if above(f_rel, limit.relative):
        return Outcome.ABOVE
    return Outcome.WITHIN if complete else Outcome.NOT_EVALUATED


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """Return where all figures stand together: one above is above, and what was not evaluated is not a pass."""
    every = set(outcomes)
    if Outcome.ABOVE in every:
        return Outcome.ABOVE
    return Outcome.WITHIN if every == {Outcome.WITHIN} else Outcome.NOT_EVALUATED
