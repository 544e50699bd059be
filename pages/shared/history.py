"""The past and the future of a review: changes that can be taken back, and made again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from disclosure_core.review import intruders
from disclosure_core.review.changes import (
    BENCH,
    adopting_back,
    changes_columns,
    changes_roles,
    columns_back,
    name_of,
    roles_back,
    stamps_back,
    with_bounds_of,
    with_reason_of,
)

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

REMEMBERED = 50
"""How many changes can be taken back."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that can be taken back, or made again.

    Attributes
    ----------
    name
        What it is called.
    review
        The review to go to.
    roles, columns, reason
        What of that review counts beside the bench: roles, how columns are read, or nothing but the reason for a
        column.
    """

    name: str
    review: Review
    roles: bool = False
    columns: bool = False
    reason: str = ""


@dataclass
class History:
    """The changes of one review that can be taken back, and those that were, the last one last in both.

    Attributes
    ----------
    past, future
        The changes.
    """

    past: list[Change] = field(default_factory=list)
    future: list[Change] = field(default_factory=list)

    def note(self, before: Review, now: Review, reason: str = "") -> None:
        """Note what was changed, if it can be taken back: on the bench, of roles, of columns, the reason for one.

        What is decided elsewhere never goes unseen.
        """
        name = name_of(before, now)
        columns = changes_columns(before, now)
        if not name and reason and before.reasons.get(reason) != now.reasons.get(reason):
            change = Change(f"changed the reason for {reason}", before, reason=reason)
        elif name:
            change = Change(name, before, columns or changes_roles(before, now), columns)
        else:
            return
        self.past = [*self.past[1 - REMEMBERED :], change]
        self.future.clear()

    @property
    def undo_name(self) -> str:
        """What the last change is called; empty where there is none to take back."""
        return self.past[-1].name if self.past else ""

    @property
    def redo_name(self) -> str:
        """What the change is called that was taken back last; empty where there is none."""
        return self.future[-1].name if self.future else ""

    def back(self, now: Review) -> Change | None:
        """Return the last change, which then can be made again; None where there is none."""
        return _moved(self.past, self.future, now)

    def forth(self, now: Review) -> Change | None:
        """Return the change that was taken back last, which then can be taken back; None where there is none."""
        return _moved(self.future, self.past, now)


def _moved(these: list[Change], others: list[Change], now: Review) -> Change | None:
    """Move the last of these changes to the others, from where it leads to the review of now."""
    if not these:
        return None
    change = these.pop()
    others.append(replace(change, review=now))
    return change


def gone_to(opened: Opened, change: Change) -> tuple[Opened, tuple[str, ...]]:
    """Take the bench's part of another review, its roles and columns where these were changed; all else stays.

    Returns
    -------
    tuple
        What follows from it, and sentences on what does not fit it any more.
    """
    before, review = opened.review, change.review
    if change.reason:
        return opened.with_review(with_reason_of(before, review, change.reason)), ()
    stamps, to = stamps_back(before, review), adopting_back(before, review)
    with_sets = {part: getattr(to, part) for part in ("synthesis_set", "chains", "chain", "released")}
    taken_back = {part: getattr(review, part) for part in BENCH}
    now = with_bounds_of(before, review)
    if change.roles:
        now = roles_back(now, review)
    if change.columns:
        now = columns_back(now, review)
    review = replace(now, **taken_back, **with_sets, reason_stamps=stamps)
    known = {intruder.name for intruder in review.intruders}
    review = replace(review, verdicts=tuple(v for v in review.verdicts if v.intruder in known))
    asking = opened.with_review(review)
    review, dropped = intruders.restricted(review, asking.study())
    return asking.with_review(review).as_searched(opened), dropped
