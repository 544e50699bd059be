"""*Delete and close*: ends a session at once, and with it all that its browser left, for whoever sits here next.

Where something is not saved, in this tab or in one that was closed, it asks first, and offers the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.server import forgetting, returning, sessions, visitors
from pages.shared import downloads, handing
from pages.shared.handing import Look
from pages.shared.session import closed, empty_mine, leave_if_closed, session, unsaved

if TYPE_CHECKING:
    from pages.shared.open_review import Session

_KEY, _SURE = "close", "close.sure"
_SAID = (
    "**Closed.** What was open here is forgotten, and so is what this browser left in tabs that were closed. Nobody "
    "can bring it back; files that were downloaded are where the browser put them."
)


def offer() -> None:
    """Offer to close and forget, in the status bar of every page; the bench has it in a menu, for want of room."""
    look = Look(
        "Delete and close",
        icon="logout",
        help="Your data, review and figures leave the server's memory at once, and a reload does not bring them back.",
    )
    if handing.act(_KEY, look, _nothing, anew=False):  # what was typed last is known: all callbacks were called before
        if _at_stake():
            _ask()
        else:
            _close()
            st.rerun()


def _nothing() -> None:
    """Do nothing: what follows from the click is drawn beside the button."""


def closing_notice() -> tuple[str, str] | None:
    """Return, once, what is to be said after a session was closed, and what the way in is called."""
    return (_SAID, "Start again") if closed() else None


def _at_stake() -> list[Session]:
    """Return what would be lost: each review of this visitor that is not saved."""
    if not sessions.running():
        return unsaved()
    left = map(sessions.left_session, returning.left(visitors.me()))
    return unsaved(session for session in left if session is not None)


@st.dialog("Not everything is saved", icon=":material/warning:")
def _ask() -> None:
    """Offer each review that is not saved as a file. Streamlit keeps what a dialog is called with: here nothing."""
    leave_if_closed()
    for each in _at_stake():
        handing.acknowledge(_save_key(each), each.is_on_file)
    lost = _at_stake()
    if lost:
        st.markdown(
            "Nobody can bring back what is deleted: keys, exclusions, reasons, verdicts, variants and adopted sets. "
            "Save the review first."
        )
    else:
        st.markdown(":material/check: Everything is saved.")
    for i, each in enumerate(lost):
        where = "" if each is session() else ", in a tab that was closed"
        name = f"review-confidential{f'-{i + 1}' if i else ''}.json"
        label = f"Save the review of {each.source}{where}"
        downloads.review(each, label, _save_key(each), primary=True, name=name)
    st.caption("The file names columns and levels of the data, and holds no record: keep it with the original.")
    with st.container(horizontal=True):
        if st.button("Go on working", key="close.keep"):
            st.rerun()
        label = "Delete without saving" if lost else "Delete and close now"
        if st.button(label, key=_SURE, icon=":material/delete_forever:", on_click=_close, args=(_SURE,)):
            st.rerun()


def _save_key(each: Session) -> str:
    """Return the key of the button that saves a review: the others keep theirs once it is saved."""
    return f"close.save.{'here' if each is session() else id(each)}"


def _close(button: str = "") -> None:
    held = empty_mine(button)
    mine = visitors.me()
    if sessions.running():
        sessions.forget_uploads(mine)
        left = returning.forget(mine)
        sessions.call_on_the_loop(lambda: forgetting.end([*left], held))
