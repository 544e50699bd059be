"""Forgets the sessions that were left, in time and not only when somebody else comes.

Streamlit keeps a session that was left for `server.disconnectedSessionTTL` seconds, so that a short loss of the network
loses no work. When the time is over it may no longer be opened, but it is taken from memory only when the next session
is left: the last visitor's upload would stay for as long as nobody else comes and goes.

A visitor whose tab is open but was not touched for too long (`visitors.py`) is forgotten too, and gets a run of the
page that nobody asked for: it takes the figures off the screen and says so.

Streamlit also searches the whole memory for garbage after every run, which takes longer than the run: most of what is
searched are the libraries, which never become garbage. They are set aside (`gc.freeze`) once they are loaded, and what
is set aside is searched again whenever a session is forgotten.
"""

from __future__ import annotations

import gc
import threading
import time
from typing import TYPE_CHECKING, cast

import streamlit as st
from streamlit.runtime import Runtime

from pages.parts import visitors
from pages.parts.session import empty

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

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
    # There is no public way to ask for this; tests/server fails when it stops working.
    manager = runtime._session_mgr  # noqa: SLF001
    cache = manager._session_storage._cache  # type: ignore[attr-defined]  # noqa: SLF001
    loop = runtime._get_async_objs().eventloop  # noqa: SLF001
    uploads = cast("MemoryUploadedFileManager", runtime.uploaded_file_mgr)
    leaving: list[Callable[[], object]] = []

    def look() -> None:
        for _, left in cache.expire():
            left.session.shutdown()  # its uploads go with it
            leaving.append(empty(left.session))
        for info in filter(None, map(manager.get_active_session_info, visitors.put_out())):
            uploads.remove_session_files(info.session.id)
            leaving.append(empty(info.session))
            info.session.request_rerun(None)  # takes the figures off the screen, and says why
        for who in list(uploads.file_storage):
            if manager.get_session_info(who) is None:  # it arrived after its visitor had gone
                uploads.remove_session_files(who)
        if visitors.free(lambda who: manager.get_session_info(who) is None) or leaving or looks <= _LOADING:
            gc.unfreeze()
            gc.collect()  # a session and what it holds point at each other
            gc.freeze()
        # A long computation that nobody waits for any more holds its data until it ends.
        leaving[:] = [held for held in leaving if held() is not None]

    looks = 0
    while not loop.is_closed():
        time.sleep(every)
        looks += 1
        loop.call_soon_threadsafe(look)
