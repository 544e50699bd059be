"""Forgets the sessions that were left, in time and not only when somebody else comes.

Streamlit keeps a session that was left for `server.disconnectedSessionTTL` seconds, so that a short loss of the network
loses no work. When the time is over it may no longer be opened, but it is taken from memory only when the next session
is left: the last visitor's upload would stay for as long as nobody else comes and goes.

Streamlit also searches the whole memory for garbage after every run, which takes longer than the run: most of what is
searched are the libraries, which never become garbage. They are set aside (`gc.freeze`) once they are loaded, and what
is set aside is searched again whenever a session is forgotten.
"""

from __future__ import annotations

import gc
import threading
import time

import streamlit as st
from streamlit.runtime import Runtime

_LOADING = 4
"""Looks after which the libraries are taken to be loaded."""


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
        if gone or looks <= _LOADING:
            gc.unfreeze()
            gc.collect()  # a session and what it holds point at each other
            gc.freeze()

    looks = 0
    while not loop.is_closed():
        time.sleep(every)
        looks += 1
        loop.call_soon_threadsafe(expire)
