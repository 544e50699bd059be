"""Streamlit's sessions, seen from outside their runs: those with a tab, and those that were left.

A session that was left stands in a store of our own, so that one that is forgotten is gone at once. Streamlit's keeps
the last 128, so that whoever opens as many lines pushes out all others; and it takes one whose time is over from memory
only when the next one is left.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.session_manager import SessionInfo
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager


@dataclass
class Left:
    """Sessions that were left, as long as their browser may return: what Streamlit asks of a store of them.

    Attributes
    ----------
    worth
        Whether a session has anything to lose, by its id; any other is ended at once.
    most
        How many are kept at most; the one that was left first goes first.
    """

    worth: Callable[[str], bool]
    most: int
    _kept: dict[str, tuple[float, SessionInfo]] = field(default_factory=dict)

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a session whose time is not over."""
        since, found = self._kept.get(session_id, (0.0, None))
        return None if found is None or _is_over(since) else found

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session that is left now, or end it."""
        who = session_info.session.id
        self.delete(who)
        self._kept[who] = (time.monotonic(), session_info)
        for other in list(self._kept)[: -self.most] if self.worth(who) else [who]:
            self.end(other)

    def delete(self, session_id: str) -> None:
        """Keep a session no more, which goes on: its browser has returned."""
        _, found = self._kept.pop(session_id, (0.0, None))
        if found is not None:
            _draw_nothing_more(found.session)

    def list(self) -> Any:
        """Return all, as a list."""
        return [found for _, found in self._kept.values()]

    def end(self, who: str) -> AppSession | None:
        """End a session; return it, or None where there is none of that id."""
        _, found = self._kept.pop(who, (0.0, None))
        if found is None:
            return None
        found.session.shutdown()  # its uploads go with it
        return found.session

    def expired(self) -> Iterator[AppSession]:
        """End the sessions whose time is over; give them."""
        for who in [who for who, (since, _) in self._kept.items() if _is_over(since)]:
            session = self.end(who)
            if session is not None:
                yield session


def _draw_nothing_more(session: AppSession) -> None:
    """Drop what was drawn for a page that is gone, and what the run that drew it goes on to draw.

    A page that was loaded again is empty until it asks for a run. A part of another run broke it: it stayed white.
    """
    session._scriptrunner = None  # noqa: SLF001
    session._browser_queue.clear()  # noqa: SLF001


def _is_over(since: float) -> bool:
    return time.monotonic() - since > st.get_option("server.disconnectedSessionTTL")


@dataclass
class _Server:
    """The server that runs: its thread's loop, and the sessions that were left there."""

    loop: asyncio.AbstractEventLoop
    left: Left


_SERVER: list[_Server] = []


def begin(worth: Callable[[str], bool], most: int) -> None:
    """Take over, in the server's own thread and before anybody comes, what becomes of sessions that are left."""
    left = Left(worth, most)
    _manager()._session_storage = left  # noqa: SLF001
    _SERVER[:] = [_Server(asyncio.get_running_loop(), left)]


def call_on_the_loop(what: Callable[[], object]) -> bool:
    """Run something in the server's own thread, where sessions come and go; return whether there still is one."""
    if not _SERVER or _SERVER[0].loop.is_closed():
        return False
    _SERVER[0].loop.call_soon_threadsafe(what)
    return True


def running() -> bool:
    """Return whether a server runs; in Streamlit's own test of pages a stand-in takes its place."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime


def open_session(who: str) -> AppSession | None:
    """Return a session with a tab; None where there is none of that id."""
    found = _manager().get_active_session_info(who)
    return None if found is None else found.session


def is_connected(who: str) -> bool:
    """Return whether a session has a tab whose line is open; in a test of pages each has."""
    return not running() or Runtime.instance().is_active_session(who)


def left_session(who: str) -> AppSession | None:
    """Return a session that was left, and may be returned to; None where there is none of that id."""
    found = _SERVER[0].left.get(who) if _SERVER else None
    return None if found is None else found.session


def is_gone(who: str) -> bool:
    """Return whether the server does not know a session any more."""
    return not Runtime.instance().is_active_session(who) and left_session(who) is None


def end(who: str) -> AppSession | None:
    """Take a session that was left out of the server, ended; give it."""
    return _SERVER[0].left.end(who)


def expired() -> Iterator[AppSession]:
    """Take the sessions that were left too long ago out of the server, ended; give them."""
    return _SERVER[0].left.expired()


def run_anew(session: AppSession) -> None:
    """Run the first page of a session though nobody touched it, with none of what its widgets held."""
    session.request_rerun(None)


def run_again(session: AppSession) -> None:
    """Run the page that a session shows, as it is, though nobody touched it."""
    now = ClientState()
    now.CopyFrom(session._client_state)  # noqa: SLF001
    session.request_rerun(now)


def forget_fragments(session: AppSession) -> None:
    """Forget a session's fragments: Streamlit keeps their functions, and a dialog's knows the data.

    Its own thread goes on looking at the session that it served last until another comes.
    """
    session._fragment_storage.clear()  # noqa: SLF001


def forget_callbacks(state: Any, but: str = "") -> None:
    """Forget what the widgets of a session's state would call, which knows the data; but for the one of a key."""
    widgets = state._new_widget_state.widget_metadata  # noqa: SLF001
    for widget in [found for found in widgets if not but or not found.endswith(f"-{but}")]:
        del widgets[widget]


def uploaded() -> dict[str, int]:
    """Return the bytes of the uploads that the server holds, by session."""
    if not running():
        return {}
    held = cast("MemoryUploadedFileManager", Runtime.instance().uploaded_file_mgr).file_storage
    return {who: sum(len(file.data) for file in list(files.values())) for who, files in list(held.items())}


def forget_uploads(who: str) -> None:
    """Forget a session's uploads."""
    Runtime.instance().uploaded_file_mgr.remove_session_files(who)


def _manager() -> WebsocketSessionManager:
    return cast("WebsocketSessionManager", Runtime.instance()._session_mgr)  # noqa: SLF001
