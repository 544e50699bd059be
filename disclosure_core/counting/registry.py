"""The registry of measures: each is said once, in `entries`, and lists of measures elsewhere are views of this one.

Heads and units of tables, what `--fail-if` and `--aim` take, what is searched for, and the words of pages and reports
follow from an entry. `tests/core/test_registry.py` finds a list that is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from disclosure_core.counting.entries import MEASURES as MEASURES
from disclosure_core.counting.entries import ORIGINAL, WHOLE_CELL

if TYPE_CHECKING:
    from disclosure_core.counting.measure import Family, Measure

BY_NAME = {m.name: m for m in MEASURES}


def of_family(family: Family) -> tuple[Measure, ...]:
    """Return the measures of a family."""
    return tuple(m for m in MEASURES if m.family == family)


def names(chosen: Callable[[Measure], object]) -> tuple[str, ...]:
    """Return the names of the measures that are `chosen`, in the order of the registry."""
    return tuple(m.name for m in MEASURES if chosen(m))


ATTRIBUTE = names(lambda m: m.family == "attribute")
CAPS = names(lambda m: m.family == "caps")
OF_TARGET = (*ATTRIBUTE, *CAPS)
"""What is read from the cells of a target and one synthesis."""

CLAIMS = names(lambda m: m.family == "claims")
"""What `Assessment.summary` says of the claims that DiSCO counts, beside a guess for the same people."""

IDENTITY = names(lambda m: m.family == "identity")
MEMBERSHIP = names(lambda m: m.family == "membership")
STEPS = names(lambda m: m.family == "attribute" and m.of == ORIGINAL and not m.is_reference)
"""What is left of the original records after each step of an intruder."""

OF_ORIGINAL = names(lambda m: m.is_reference)
"""Measures that rest on the original alone."""

IN_RECORDS = names(lambda m: m.family == "attribute" and not m.unit.startswith("%"))
"""Measures of a target in records; all others are %."""

UNITS = {m.name: m.unit for m in MEASURES}
"""Of what the figures are; those of the CAP family are % of what measures.md 5 says."""

SHAREABLE = names(lambda m: m.step is not None and m.step <= 1)
"""What a shareable report may show in ranges of counts: one record moves it from one range to the next at most."""

WHOLE_CELLS = names(lambda m: m.step == WHOLE_CELL)
"""What one may show only where the office asks for it: it can tell nobody from one person."""

COMPARED = {m.compared: (m.original, m.name) for m in MEASURES if m.compared}
"""Name of a comparison: the original's measure and the synthetic data's (measures.md 8)."""

OUTSIDE = {m.compared: m.name for m in MEASURES if m.outside and m.compared}
"""Name of what members and people outside are compared on, and the measure of a target that it is."""
