"""Forgets the sessions that were left, in time and not only when somebody else comes.

Streamlit keeps a session that was left for `server.disconnectedSessionTTL` seconds, so that a short loss of the network
loses no work. When the time is over it may no longer be opened, but it is taken from memory only when the next session
is left: the last visitor's upload would stay for as long as nobody else comes and goes.
"""

from __future__ import annotations

import gc
import threading
import time

import streamlit as st
from streamlit.runtime import Runtime


@st.cache_resource(show_spinner=False)
def forget_in_time() -> None:
    """Start to look for sessions whose time is over, once for the whole server."""
    # In Streamlit's own test of pages a stand-in takes the runtime's place.
    if Runtime.exists() and type(Runtime.instance()) is Runtime:
        every = max(1.0, min(15.0, st.get_option("server.disconnectedSessionTTL") / 4))
        threading.Thread(target=_look, args=(Runtime.instance(), every), name="forgetting", daemon=True).start()


def _look(runtime: Runtime, every: float) -> None:
    # There is no public way to ask for this; tests/test_threats.py fails when it stops working.
    cache = runtime._session_mgr._session_storage._cache  # type: ignore[attr-defined]  # noqa: SLF001
    loop = runtime._get_async_objs().eventloop  # noqa: SLF001

    def expire() -> None:
        gone = cache.expire()
        for _, left in gone:
            left.session.shutdown()  # its uploads go with it
        if gone:
            gc.collect()  # a session and what it holds point at each other

    while not loop.is_closed():
        time.sleep(every)
        loop.call_soon_threadsafe(expire)
