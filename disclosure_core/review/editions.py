"""What this version counts otherwise than the one that saved a review: said when the review is opened again.

A saved review names the edition of the rules that its figures were made by. Each edition here says what it corrected;
a verdict whose figure moved by it is open, and the reader learns from what to what, and why.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import changed
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.partition import outside_groups
from disclosure_core.review.value import EDITION

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Verdict
    from disclosure_core.review.verdicts import Given

_AT_TAU = (
    "claims at least so sure are counted by the shares of all records, and exclusions act on the records counted "
    "(at τ = 1 this is DiSCO)"
)
_OTHERWISE = "this version reads or compares some values more exactly (see the changelog)"
_OUTSIDE = (
    "a value of people outside the data that no other file has is first generalised, by bands, months, prefixes and "
    "safeguards, as every other value is; a number outside all groups matches nobody"
)


def corrected(opened: Opened) -> Opened:
    """Return a review of an earlier edition as one of this, with a sentence for each figure that a correction moved.

    A review that was saved by this edition comes back as it is.

    Raises
    ------
    DisclosureError
        As `Opened.verdicts`.
    """
    review = opened.review
    if review.edition == EDITION:
        return opened
    messages: list[str] = []
    kept: list[Verdict] = []
    for name in opened.set_names:
        by_outside = _moved_outside(opened, name)
        for given in opened.verdicts(name):
            moved = _moved(given)
            if moved:
                messages.append(moved)
            elif given.stands and by_outside & {*opened.review.keys_of(given.verdict.intruder), given.verdict.target}:
                messages.append(f"{_which(given)}: figures of people outside may have moved, because {_OUTSIDE}.")
                given = replace(given, verdict=replace(given.verdict, stamp=None))
            kept.append(given.verdict)
    others = tuple(v for v in review.verdicts if v.synthesis_set not in opened.set_names)
    new = replace(review, edition=EDITION, verdicts=(*kept, *others))
    return opened.with_review(new).with_differences(tuple(messages))


def _moved(given: Given) -> str:
    """Return what is said of a verdict whose figure a correction moved; empty where none did."""
    was, now = given.verdict.stamp, given.now
    if was is None:
        return ""
    if given.why:
        return f"{_which(given)} was given at {was.shown}, and the figure is not evaluated now. {given.why}"
    if now is None or changed(was, now) != ("figure",):
        return ""
    why = _AT_TAU if was.tau is not None and was.excluded else _OTHERWISE
    return f"{_which(given)} was given at {was.shown} ({was.named}), which is {now.shown} now, because {why}."


def _which(given: Given) -> str:
    v = given.verdict
    return f"The verdict on {v.target!r} ({v.intruder}, {v.synthesis_set or 'the synthetic data'})"


def _moved_outside(opened: Opened, name: str) -> set[str]:
    """Return the columns of a set by which a figure of people outside may have moved.

    They are known less exactly, by groups, a hierarchy or a safeguard, and people outside have values of their own.
    """
    found = opened.partition(name) if opened.data.has_holdout else None
    if found is None or isinstance(found, NotEvaluated):
        return set()
    changed_by = {step.column for origin in opened.review.ancestry(name)[1] for step in origin.steps
                  if hasattr(step, "column")}  # fmt: skip
    own = {*found.own_values}
    beyond = {note.column for note in outside_groups(found, dict(opened.review.settings.groups)) if note.column}
    return own & {*opened.review.hierarchies, *changed_by} | beyond
