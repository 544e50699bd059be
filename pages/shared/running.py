"""What takes long: how far it is, and a button that stops it. Leaving the page stops it, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from disclosure_core.errors import DisclosureError
from pages.shared.session import session, shown_by

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress

Found = TypeVar("Found")


def begins(label: str, key: str, icon: str, *, at_once: bool, stopped: str, before: str = "") -> bool:
    """Return whether a long step is to begin: unasked where it is quick and was not stopped, else when it is asked for.

    Parameters
    ----------
    label, key, icon
        Of the button that begins it; `running` has the same key.
    at_once
        Whether it is quick enough to begin unasked.
    stopped, before
        What stands above the button once it was stopped, and else.
    """
    was_stopped = session().stopped
    if at_once and key not in was_stopped:
        return True
    if shown_by(key):  # pressed: what begins now is not offered beside itself
        was_stopped.discard(key)
        return True
    if said := stopped if key in was_stopped else before:
        st.caption(said)
    st.button(label, key=key, icon=icon)
    return False


def running(label: str, key: str, said: Callable[[int, int], str], work: Callable[[Progress], Found]) -> Found:
    """Return what `work` finds; Stop, any other touch, and leaving the page end it at its next report.

    Parameters
    ----------
    label
        What is shown until the first report.
    key
        The key of the button Stop is `<key>.stop`; the session's `stopped` holds it once that was pressed.
    said
        Words for how much is done, of how much.
    work
        Called with what takes its reports.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, label)
        st.button("Stop", key=f"{key}.stop", icon=":material/stop:", on_click=session().stopped.add, args=(key,))

    def told(done: int, of: int) -> None:
        bar.progress(min(done / max(of, 1), 1.0), said(done, of))

    try:
        found = work(told)
    except DisclosureError:
        place.empty()
        raise
    place.empty()
    return found
