"""What this version counts otherwise than the one that saved a review: said when the review is opened again.

A saved review names the edition of the rules that its figures were made by. Each edition here says what it corrected;
a verdict whose figure moved by it is open, and the reader learns from what to what, and why.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.conclusions.standing import changed
from disclosure_core.data.study import Kind, Study
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.holdout.partition import outside_groups
from disclosure_core.protection.steps import RemoveClaims, RoundTo
from disclosure_core.review.value import EDITION

if TYPE_CHECKING:
    from disclosure_core.data.column import Column
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Verdict
    from disclosure_core.review.value import Review
    from disclosure_core.review.verdicts import Given

_AT_TAU = (
    "claims at least so sure are counted by the shares of all records, and exclusions act on the records counted "
    "(at τ = 1 this is DiSCO)"
)
_OTHERWISE = "this version reads or compares some values more exactly (see the changelog)"
_STEPS = {
    RoundTo: "the safeguard that rounds takes halves away from zero, where it took them to the even multiple",
    RemoveClaims: "the safeguard that removes claims removes those of Missing, too",
}
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
    keys = {k.name: k.keys for k in review.intruders}
    for name in opened.set_names:
        by_outside, by_steps = _moved_outside(opened, name), _by_steps(opened, name)
        if by_steps:
            messages.append(
                f"The safer files of {name!r} are made anew and may not be those that were handed out before, because "
                f"{by_steps}."
            )
        asked = {*review.keys, *(review.targets or opened.study(name).columns)}
        if by_outside & asked and not opened.verdicts(name) and _has_limits(review):
            messages.append(
                f"What the limits say of {name or 'the synthetic data'} may have moved with the figures of people "
                f"outside, because {_OUTSIDE}."
            )
        for given in opened.verdicts(name):
            moved = _moved(given, by_steps)
            if moved:
                messages.append(moved)
            elif given.stands and by_outside & {*keys.get(given.verdict.intruder, ()), given.verdict.target}:
                messages.append(f"{_which(given)}: figures of people outside may have moved, because {_OUTSIDE}.")
                given = replace(given, verdict=replace(given.verdict, stamp=None))
            kept.append(given.verdict)
    others = tuple(v for v in review.verdicts if v.synthesis_set not in opened.set_names)
    new = replace(review, edition=EDITION, verdicts=(*kept, *others))
    return opened.with_review(new).with_differences(tuple(messages))


def _has_limits(review: Review) -> bool:
    """Whether the office set any limit."""
    limits = [review.limits.of(measure) for measure in LIMITED]
    return any(limit.absolute is not None or limit.relative is not None for limit in limits)


def _by_steps(opened: Opened, name: str) -> str:
    """Return what the safeguards adopted in a set do otherwise to its values now; empty where they do the same."""
    source, origins = opened.review.ancestry(name)
    study = opened.study(source)
    if not isinstance(study, Study):
        return ""
    steps = (step for origin in origins for step in origin.steps if isinstance(step, RoundTo | RemoveClaims))
    moved = {type(step) for step in steps if step.column in study.columns and _acts(step, study.columns[step.column])}
    return ", and ".join(said for kind, said in _STEPS.items() if kind in moved)


def _acts(step: RoundTo | RemoveClaims, column: Column) -> bool:
    """Whether a column has claims of Missing, or values half way above an even multiple."""
    if isinstance(step, RemoveClaims):
        return bool(column.counts[1:, -1].any())
    if column.kind is not Kind.NUMBER:
        return False
    near = np.abs(column.values.astype(float)) / step.to
    return bool((np.isclose(near % 1, 0.5) & (np.floor(near) % 2 == 0)).any())


def _moved(given: Given, by_steps: str) -> str:
    """Return what is said of a verdict whose figure a correction moved; empty where none did."""
    was, now = given.verdict.stamp, given.now
    if was is None:
        return ""
    if given.why:
        return f"{_which(given)} was given at {was.shown}, and the figure is not evaluated now. {given.why}"
    if now is None or changed(was, now) != ("figure",):
        return ""
    why = _AT_TAU if was.tau is not None and was.excluded else by_steps or _OTHERWISE
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
    changed_by = {
        step.column for origin in opened.review.ancestry(name)[1] for step in origin.steps if hasattr(step, "column")
    }
    own = {*found.own_values}
    beyond = {note.column for note in outside_groups(found, dict(opened.review.settings.groups)) if note.column}
    return own & {*opened.review.hierarchies, *changed_by} | beyond
