"""What is asked of a release: by default what the office set limits of; it may say otherwise, which is an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.errors import not_found
from disclosure_core.holdout.threat_model import ThreatModel

if TYPE_CHECKING:
    from disclosure_core.review.value import Review

OUTSIDE, LIMITS, DCAP, MEMBERSHIP = "people-outside", "limits", "DCAP", "membership"
SCOPE = {
    OUTSIDE: "People outside the data",
    LIMITS: "Limits of DiSCO",
    DCAP: "DCAP, beside people outside",
    MEMBERSHIP: "Membership",
}
"""What may be asked of a release or not, and what it is called in a report."""

NOT_ASKED = "Not asked of this release"
"""The answer, as it is printed; a question about the release has it as its text."""


def checked(scope: Mapping[str, bool]) -> None:
    """Raise where something is named that nobody can ask."""
    for name in scope:
        if name not in SCOPE:
            raise not_found("What is asked,", name, "of a release", SCOPE)


def is_asked(review: Review, name: str) -> bool:
    """Return whether something is asked of this release: as the office said, or as its limits and searches say."""
    said = review.scope.get(name)
    if said is not None:
        return said
    if name == DCAP:
        return _has_limit(review, "DCAP")
    if name == MEMBERSHIP:
        return _has_limit(review, "F_rel") or "membership" in review.searched or review.threat_model != ThreatModel()
    return True


def with_scope(review: Review, name: str, asked: bool | None) -> Review:
    """Return the review in which something is asked of the release, or not; None: as limits and searches say."""
    others = {each: said for each, said in review.scope.items() if each != name}
    return replace(review, scope=others if asked is None else {**others, name: asked})


def not_asked(review: Review) -> tuple[str, ...]:
    """Return what somebody answered is not asked of this release, as a report names it."""
    return tuple(words for name, words in SCOPE.items() if review.scope.get(name) is False)


def _has_limit(review: Review, measure: str) -> bool:
    limit = review.limits.of(measure)
    return limit.absolute is not None or limit.relative is not None
