"""*Delete and close*: ends a session at once, and with it all that its browser left, for whoever sits here next."""

from __future__ import annotations

import streamlit as st

from pages.server import forgetting, returning, streamlit_private, visitors
from pages.shared.session import closed, empty_mine

_KEY = "close"
_SAID = (
    "**Closed.** What was open here is forgotten, and so is what this browser left in tabs that were closed. Nobody "
    "can bring it back; files that were downloaded are where the browser put them."
)


def offer() -> None:
    """Offer to close and forget, in the status bar of every page; the bench has it in a menu, for want of room."""
    st.button(
        "Delete and close",
        key=_KEY,
        icon=":material/logout:",
        help="Your data, review and figures leave the server's memory at once, and a reload does not bring them back.",
        on_click=_close,
    )


def said() -> tuple[str, str] | None:
    """Return, once, what is to be said after a session was closed, and what the way in is called."""
    return (_SAID, "Start again") if closed() else None


def _close() -> None:
    held = empty_mine(_KEY)
    mine = visitors.me()
    if streamlit_private.running():
        streamlit_private.forget_uploads(mine)
        left = returning.forget(mine)
        streamlit_private.call_on_the_loop(lambda: forgetting.end([*left], held))
