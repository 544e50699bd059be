"""Nothing is lost by a slip: before other data take the place of a review, it is asked, and the review can be saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review.demonstration import start_demonstration
from pages.shared import downloads, show

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def at_stake(s: Session) -> bool:
    """Return whether other data would end a review that one click does not bring back."""
    if s.opened is None:
        return False
    return s.review.source != "demonstration" or s.review != start_demonstration().review


def open_instead(s: Session, what: str, open_it: Callable[[], None]) -> None:
    """Open something, by `open_it`, which one press of a button asked for; where a review is at stake, ask first."""
    if at_stake(s):
        _ask(s, what, open_it)
    else:
        open_it()
        st.rerun()


@st.dialog("Another review is open", icon=":material/warning:")
def _ask(s: Session, what: str, open_it: Callable[[], None]) -> None:
    st.markdown(
        f"**{show.literal(s.source)}** is under review. Opening {show.literal(what)} ends that review: its keys, "
        "exclusions and reasons are gone, unless you save it."
    )
    downloads.review(s, "Save the review", f"report.get.{downloads.REVIEW}", primary=True)
    st.caption("The file names columns and levels of the data, and holds no record: keep it with the original.")
    with st.container(horizontal=True):
        if st.button("Keep this review", key="replace.keep"):
            st.rerun()

        def end_it() -> None:
            with s.telling():
                open_it()

        if st.button("End it and open the other", key="replace.open", on_click=end_it):
            st.rerun()
