"""How much a person may write in a review: each run writes the whole as text, and others wait meanwhile."""

from __future__ import annotations

from disclosure_core import DisclosureError, Review
from disclosure_core.holdout.decision import LIMITED

MOST_LETTERS = 500_000
"""Letters of all that a person writes in a review."""


def need_readable(before: Review, review: Review) -> None:
    """Make sure that a person has not written more than anybody reads; a review that came with more may lose some."""
    if MOST_LETTERS < _letters(review) > _letters(before):
        raise DisclosureError(f"All that you write has at most {MOST_LETTERS:,} letters; shorten the text.")


def _letters(review: Review) -> int:
    """Return how many letters the names, reasons and answers of a review have."""
    limits = [review.limits.of(measure) for measure in LIMITED]
    texts = (
        *review.reasons.values(),
        *review.about.values(),
        *(each.reason for each in review.verdicts),
        *(text for each in review.intruders for text in (each.name, each.reason)),
        *(each.name for each in review.scenarios),
        *(each.name for each in review.chains),
        *(each.name for each in review.sets),
        *(text for each in limits for text in (each.owner, each.reason)),
        review.threat_model.population,
        review.threat_model.source,
    )
    return sum(map(len, texts))
