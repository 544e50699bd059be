"""Searches of a review that stopped early: their largest figure is at least so much, and passes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.review import least

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


def unfinished(opened: Opened) -> dict[str, str]:
    """Return, by name, how far each search of the review went that did not look at everything."""
    asked, found = opened.review.searched, {}
    if "membership" in asked and (members := opened.finished_membership()) is not None and not members.complete:
        found["Membership"] = str(members.coverage)
    if "subsets" in asked and (subsets := opened.finished_subsets()) is not None and not subsets.complete:
        found["Subsets of the keys"] = str(subsets.coverage)
    if "strongest" in asked and (strongest := opened.finished_strongest()) is not None and not strongest.complete:
        found["The strongest intruder"] = str(strongest.coverage)
    sought = least.reported(opened)
    if sought is not None and not isinstance(sought, NotEvaluated) and not sought.complete:
        found["The least safeguard"] = sought.promise.rstrip(".")
    return found
