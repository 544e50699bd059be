"""Whether the parts of a review fit: each name stands once, and what is named is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.settings import Settings
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import within
from disclosure_core.review import assumptions, scope

if TYPE_CHECKING:
    from disclosure_core.review.value import Review


def check(review: Review) -> None:
    """Say which part of a review does not fit the others."""
    scope.checked(review.scope)
    assumptions.checked(review.assumptions)
    for part, names in (
        ("set of syntheses", [s.name for s in review.sets]),
        ("intruder", [k.name for k in review.intruders]),
        ("chain of safeguards", [c.name for c in review.chains]),
        ("scenario", [s.name for s in review.scenarios]),
        ("sample", [s.name for s in review.samples]),
    ):
        twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
        if twice is not None:
            raise DisclosureError(f"There are two called {twice!r}; give each {part} a name of its own.")
    if review.intruder not in {k.name for k in review.intruders}:
        raise DisclosureError(f"There is no intruder {review.intruder!r}; name one of those in the review.")
    if review.chain and review.chain not in {c.name for c in review.chains}:
        raise DisclosureError(f"There is no chain of safeguards {review.chain!r}; name one of those in the review.")
    if review.synthesis_set and review.synthesis_set not in {s.name for s in review.sets}:
        raise DisclosureError(f"There is no set {review.synthesis_set!r}; name one of those in the review.")
    for i, each in enumerate(review.sets):
        if each.origin is not None and each.origin.synthesis_set not in {s.name for s in review.sets[:i]}:
            raise DisclosureError(
                f"The set {each.name!r} comes from {each.origin.synthesis_set!r}, which is not before it in the "
                "review; name one of those."
            )
    if not within(review, "tau"):
        raise DisclosureError("The threshold τ must be between 0 and 1.")
    for numbers in review.released.values():
        if any(n < 1 for n in numbers) or len(set(numbers)) < len(numbers):
            raise DisclosureError("The syntheses that are released are numbers from 1, each named once.")
    for known in review.intruders:
        _ = Settings(groups=known.grouping(review.groups))
