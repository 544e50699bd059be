"""Verdicts as if they had been given on the figures of now."""

from dataclasses import replace

from disclosure_core.review.verdicts import stamp


def stamped(opened, *verdicts):
    """Return the review of `opened` with these verdicts, each with the stamp it gets there."""
    with_stamps = tuple(replace(v, stamp=stamp(opened, v.target, v.intruder, v.synthesis_set)) for v in verdicts)
    return opened.with_review(replace(opened.review, verdicts=with_stamps))
