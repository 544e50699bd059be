"""Whether a verdict, or the reason for an exclusion, still fits what it was given for (decisions/review.md).

Content is compared, never history: a figure that moves and comes back finds its verdict valid again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from disclosure_core.data.grouping import Groups  # noqa: TC001 (pydantic reads it)
from disclosure_core.rounding import compare, fixed, listed, percent

AT_TAU = "τ"
"""The measure of a stamp that was given on claims at least as sure as its τ."""


class Standing(StrEnum):
    """Whether a verdict fits what it judged."""

    STANDS = "stands"
    CONFIRM = "to confirm"
    NOT_APPLYING = "does not apply"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a verdict judged, and who gave it when.

    Attributes
    ----------
    keys
        What the intruder knew; their order says nothing.
    groups
        How the keys and the target are cut, by numeric column.
    excluded
        What was excluded from the target's figures; the order says nothing.
    data
        Fingerprints of original and syntheses; empty where the data have none.
    measure
        What the figure is called: "DiSCO", "DCAPd" …, or `AT_TAU`.
    figure
        Mean over the syntheses, % of the original records, every digit of it.
    tau
        How sure a claim had to be; None for a published measure.
    when, who
        ISO date, and the officer's name; empty where not stated. They are no part of what was judged.
    given_at
        The figure at which it was given, where adopted safeguards carried it to `figure`; None where they did not.
    """

    keys: tuple[str, ...]
    groups: Mapping[str, Groups] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    measure: str = "DiSCO"
    figure: float = 0.0
    tau: float | None = None
    when: str = ""
    who: str = ""
    given_at: float | None = None

    @property
    def named(self) -> str:
        """What the figure is called."""
        return self.measure if self.tau is None else f"ps ≥ {self.tau:g}"

    @property
    def shown(self) -> str:
        """The figure as people read it: "1.87 %"."""
        return percent(fixed(self.figure))

    @property
    def carried(self) -> str:
        """Both figures of a verdict that was carried: "given at 27.57 %, carried to 11.12 %"; empty for another."""
        if self.given_at is None:
            return ""
        return f"given at {percent(fixed(self.given_at))}, carried to {self.shown} by adopted safeguards"


def changed(given: Stamp, now: Stamp) -> tuple[str, ...]:
    """Return which parts of what was judged are other ones now, in words; none where the verdict stands."""
    parts = {
        "data": given.data != now.data,
        "keys": set(given.keys) != set(now.keys),
        "groups": dict(given.groups) != dict(now.groups),
        "exclusions": set(given.excluded) != set(now.excluded),
        "measure": (given.measure, given.tau) != (now.measure, now.tau),
        "figure": compare(given.figure, now.figure) != 0,
    }
    return tuple(name for name, differs in parts.items() if differs)


def standing(given: Stamp | None, now: Stamp | None, why: str = "") -> Standing:
    """Return whether a verdict stands.

    Parameters
    ----------
    given
        What it judged; None where nobody knows.
    now
        The same as it is now; None where its target is a key now, or no target any more, or is not evaluated.
    why
        Why it is not evaluated.
    """
    if now is None and why:
        return Standing.CONFIRM
    if now is None:
        return Standing.NOT_APPLYING
    return Standing.CONFIRM if given is None or changed(given, now) else Standing.STANDS


def sentence(given: Stamp | None, now: Stamp | None, why: str = "") -> str:
    """Return what is to be said of a verdict that does not stand: "given at 1.87 %, now 3.96 %: confirm"."""
    found = standing(given, now)
    if now is None and why:
        return f"given {f'at {given.shown}' if given else 'without a figure'}, now not evaluated: {why}"
    if now is None:
        return "does not apply: it is no target of this intruder now"
    if given is None:
        return f"given without a figure, now {now.shown}: confirm"
    if found is Standing.STANDS:
        return ""
    other = changed(given, now)
    if "measure" in other:
        return f"given at {given.shown} ({given.named}), now {now.shown} ({now.named}): confirm"
    if given.shown != now.shown:
        return f"given at {given.shown}, now {now.shown}: confirm"
    if other == ("figure",):
        return f"given at {given.shown}, the figure moved by less than it shows: confirm"
    return f"given at {given.shown} for other {listed([part for part in other if part != 'figure'])}: confirm"


def progress(n: int, judged: int, to_confirm: int) -> str:
    """Return how far a review is: "3 of 10 judged, 2 to confirm". Every target asks for a verdict, flagged or not."""
    return f"{judged} of {n} judged" + (f", {to_confirm} to confirm" if to_confirm else "")


def fits(given: float | None, now: float) -> bool:
    """Return whether the reason for an exclusion still fits: it takes as many records as when it was given.

    Parameters
    ----------
    given, now
        Disclosive records that the exclusion takes, mean over the syntheses; `given` is None where it was not counted.
    """
    return given is None or compare(given, now) == 0


def asks(given: float, now: float) -> str:
    """Return what is to be said of a reason that does not fit.

    "given when it excluded 120 records, now 253: confirm"
    """
    digits = next((d for d in (0, 1) if fixed(given, d) != fixed(now, d)), 2)
    records = "record" if fixed(given, digits) == "1" else "records"
    return f"given when it excluded {fixed(given, digits)} {records}, now {fixed(now, digits)}: confirm"
