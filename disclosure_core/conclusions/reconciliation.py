"""Figures that reach two places by two paths: equal in both, or not evaluated and said why (decisions/review.md)."""

from __future__ import annotations

from math import isclose, isnan
from typing import TYPE_CHECKING, NamedTuple

from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 1e-9
"""How far two paths to one figure may be apart, in its unit: what sums in another order leave."""


class Found(NamedTuple):
    """One figure by one path.

    Attributes
    ----------
    target
        Whose figure it is.
    what
        What it is called: "DiSCO", "DiSCO with nothing excluded" …
    path
        By what it was had, as a sentence names it: "the cells", "the holdout's members" …
    value
        % or percentage points; NaN where the path has no answer.
    """

    target: str
    what: str
    path: str
    value: float


def equal(a: float, b: float) -> bool:
    """Return whether two paths give one figure; without an answer is equal to without an answer."""
    return (isnan(a) and isnan(b)) or isclose(a, b, rel_tol=NEAR, abs_tol=NEAR)


def faults(found: Iterable[Found]) -> dict[str, str]:
    """Return, by target, a sentence on the first figure whose paths differ; nothing of targets whose paths agree."""
    first: dict[tuple[str, str], Found] = {}
    said: dict[str, str] = {}
    for each in found:
        known = first.setdefault((each.target, each.what), each)
        if not equal(known.value, each.value):
            said.setdefault(each.target, _sentence(known, each))
    return said


def _sentence(a: Found, b: Found) -> str:
    digits = next((d for d in (2, 6) if fixed(a.value, d) != fixed(b.value, d)), 9)
    one, other = fixed(a.value, digits), fixed(b.value, digits)
    return f"{a.what} of “{a.target}” is {one} by {a.path} and {other} by {b.path}: none of its figures is evaluated."
