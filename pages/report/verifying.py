"""The second counter on the page: every figure counted again, and the report then says what it found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.export.verified import verify
from disclosure_core.review.verified import Verified, kept
from pages.shared import show
from pages.shared.running import begins, running

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from pages.shared.open_review import Session

_KEY = "report.verify"
_MOST = 5
"""Figures that differ that are shown."""


def counted_again(s: Session) -> None:
    """Have every figure counted again where it is asked for; show what was found while the review stays as it is."""
    found = kept(s.now)
    if found is None:
        stopped = "You stopped it before all were counted again."
        if not begins("Count every figure again", _KEY, ":material/rule:", at_once=False, stopped=stopped):
            return
        found = running("Counting again …", _KEY, lambda done, of: f"Table {done + 1} of {of}", partial(_all, s))
    st.caption(f"Counted again by a second counter that shares no code with the first: {found.line}.")
    for each in found.differ[:_MOST]:
        st.error(show.literal(each.sentence), icon=":material/error:")


def _all(s: Session, told: Progress) -> Verified:
    return verify(s.now, progress=told)
