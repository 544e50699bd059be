"""A review as the text that is saved, the review that a text says, and one carried over to other data."""

# Inside: the text of a review without a file, and what page Data does with it.

from disclosure_core.review.migrate import carry_over
from disclosure_core.review.saved import LARGEST, from_json, to_json

__all__ = ["LARGEST", "carry_over", "from_json", "to_json"]
