"""Forgets the sessions that were left, in time and not only when somebody else comes.

Streamlit keeps a session that was left for `server.disconnectedSessionTTL` seconds, so that a short loss of the network
loses no work. When the time is over it may no longer be opened, but it is taken from memory only when the next session
is left: the last visitor's upload would stay for as long as nobody else comes and goes.

A visitor whose tab is open but was not touched for too long (`visitors.py`) is forgotten too, and gets a run of the
page that nobody asked for: it takes the figures off the screen and says so.

Streamlit would also search the whole memory for garbage after every run, which takes longer than the run, and as often
as anybody asks for one (`runner.postScriptGC` is off). It is searched here, four times a minute where there was a run:
most of what there is are the libraries, which never become garbage. They are set aside (`gc.freeze`) once they are
loaded, and what is set aside is searched again whenever a session is forgotten.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import TYPE_CHECKING

import pyarrow as pa
import streamlit as st

from pages.server import allowance, environment, sessions, streamlit_private, visitors
from pages.shared.session import empty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LOADING = 4
"""Looks after which the libraries are taken to be loaded."""

_AFTER = 4
"""Looks in which memory is tidied up after somebody has gone: threads and answers under way let go a little later."""

_SEARCHED = 15.0
"""Seconds between two searches for garbage where nobody has gone: all wait for it."""

_LEAVING: list[Callable[[], object]] = []
"""What gives the data of sessions that were forgotten, as long as something still holds on to them."""


_LOOKING: list[threading.Thread] = []
"""Who looks. It is in none of Streamlit's caches: a visitor may have those cleared."""

_LOCK = threading.Lock()


def forget_in_time() -> None:
    """Start to look for sessions whose time is over, once for the whole server."""
    if not sessions.running():
        return
    with _LOCK:
        if not any(thread.is_alive() for thread in _LOOKING):
            every = max(1.0, min(15.0, st.get_option("server.disconnectedSessionTTL") / 4))
            _LOOKING[:] = [threading.Thread(target=_look, args=(every,), name="forgetting", daemon=True)]
            _LOOKING[0].start()


def end(ids: Iterable[str], *held: Callable[[], object]) -> None:
    """Forget sessions that were left, now; and see at the next look that `held`, what another had, is gone as well."""
    _LEAVING.extend(held)
    _LEAVING.extend(empty(session) for session in map(sessions.end, ids) if session is not None)


def _look(every: float) -> None:
    leaving = _LEAVING
    tidying = runs = 0
    searched = max(1, round(_SEARCHED / every))

    def look() -> None:
        nonlocal tidying, runs
        leaving.extend(map(empty, sessions.expired()))
        for session in filter(None, map(sessions.open_session, visitors.put_out())):
            sessions.forget_uploads(session.id)
            leaving.append(empty(session))
            sessions.run_anew(session)  # takes the figures off the screen, and says why
        for who in sessions.uploaded():
            if sessions.is_gone(who):  # it arrived after its visitor had gone
                sessions.forget_uploads(who)
        gone = visitors.free(sessions.is_gone)
        for who in gone:
            allowance.forget(who)
        if gone or leaving:
            tidying = _AFTER
        if tidying or looks <= _LOADING:
            tidying = max(tidying - 1, 0)
            gc.unfreeze()
            gc.collect()  # a session and what it holds point at each other
            gc.freeze()
            _forget_texts()
            _give_back()
        elif runs != streamlit_private.TURNS.begun and not looks % searched:
            runs = streamlit_private.TURNS.begun
            gc.collect()
        # A long computation that nobody waits for any more holds its data until it ends.
        leaving[:] = [held for held in leaving if held() is not None]

    looks = 1
    time.sleep(every)
    while sessions.call_on_the_loop(look):
        time.sleep(every)
        looks += 1


def _forget_texts() -> None:
    """Forget the texts of figures and reports that were drawn: names of columns and levels are among them."""
    for name in ("letters", "tagged_pdf"):
        forget = getattr(sys.modules.get(f"disclosure_core.figures.{name}"), "forget", None)
        if forget is not None:  # it is not loaded where nobody has drawn anything, or just being loaded
            forget()


def _give_back() -> None:
    """Give freed memory back to the system, where it can be told to: less of what left is found in it."""
    pa.default_memory_pool().release_unused()
    environment.of_c("malloc_trim", 0)
