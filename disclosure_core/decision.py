"""What a figure means against thresholds that an office sets, and what stands where there is no figure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """A figure that cannot be computed from what there is; shown as such, never as 0, blank or a pass.

    Attributes
    ----------
    why
        One sentence: what is in the way.
    needs
        One sentence: what would be needed.
    """

    why: str
    needs: str


class Decision(StrEnum):
    """What the two conditions say of one figure."""

    ACCEPTABLE = "acceptable"
    HIGH = "high"
    NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True, slots=True)
class Precedent:
    """A threshold that has been used somewhere, and what it is worth."""

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
"""Thresholds on record and their standing; none is a default here (consensus.md 1 and 3.2)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The two thresholds of the decision, in the unit of the figures (% and % points, or shares), and whose they are.

    Raises
    ------
    DisclosureError
        When a threshold is not a number.
    """

    absolute: float | None = None
    relative: float | None = None
    origin: str = "set by you"

    def __post_init__(self) -> None:
        for value in (self.absolute, self.relative):
            if value is not None and not np.isfinite(value):
                raise DisclosureError("A threshold must be a number; leave it empty to decide nothing.")


def decide(absolute: float | NotEvaluated | None, relative: float | NotEvaluated | None, limits: Limits) -> Decision:
    """Return whether a figure is high: above the absolute *and* above the relative threshold.

    Parameters
    ----------
    absolute
        The figure of the members.
    relative
        Members less non-members.
    limits
        Thresholds in the same units; a figure equal to its threshold is acceptable.

    Returns
    -------
    Decision
        Not evaluated where a figure or a threshold is not there; that is no pass.

    Source
    ------
    consensus.md 3.2 (R10).
    """
    figures = (absolute, relative, limits.absolute, limits.relative)
    numbers = [x for x in figures if isinstance(x, (int, float)) and not np.isnan(x)]
    if len(numbers) < len(figures):
        return Decision.NOT_EVALUATED
    a, r, over_a, over_r = numbers
    return Decision.HIGH if a > over_a and r > over_r else Decision.ACCEPTABLE


def overall(decisions: Iterable[Decision]) -> Decision:
    """Return the verdict on several figures: one high is high, and what was not evaluated is no pass."""
    found = set(decisions)
    if Decision.HIGH in found:
        return Decision.HIGH
    return Decision.ACCEPTABLE if found == {Decision.ACCEPTABLE} else Decision.NOT_EVALUATED
