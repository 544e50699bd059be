"""How many bytes of files visitors may have on the server: one of them, and all together.

Counted are the files that the server holds, and of those on their way the bytes that have arrived: an announced length
costs nothing, and takes nobody's room. A file that says to be longer than the room there is, is refused before its
first byte is read; one that comes to exceed it, that stops on its way, or whose visitor has gone, then. Of what all
may have together a tenth is kept for those who have little: whoever brings much leaves it free, so that the next
visitor can still work.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.server import configuration, sessions, visitors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Message, Receive, Scope

_MB = 1_000_000
_KEPT = 10
"""One part in so many is kept for those who have little."""

STALLED = 30.0
"""Seconds without a byte after which a file is taken to come no more."""

_SLOWEST = 1_000
"""Bytes a second that a file must come with, on the whole."""

_LOOK = 2.0
"""Seconds between two looks at a file of which nothing comes."""

_GONE = "Its visitor has gone."

# Touched by the server's own thread only, but for the reading of a few numbers.
_UNDER_WAY: dict[str, int] = {}
_REFUSED: dict[str, str] = {}


def session_of(scope: Scope) -> str | None:
    """Return the session that a request wants to send a file to; None where it wants something else."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return None
    found = re.search(r"/_stcore/+upload_file/+([^/]+)/", scope["path"])
    return found[1] if found else None


def room(who: str) -> int:
    """Return the bytes of a file that this visitor may still send."""
    held = sessions.uploaded()
    mine = held.get(who, 0) + _UNDER_WAY.get(who, 0)
    together = sum(held.values()) + sum(_UNDER_WAY.values())
    most, all_most = configuration.uploads() * _MB, configuration.all_uploads() * _MB
    kept = min(most, all_most // _KEPT)
    free = all_most - together
    # With little, all that is free; with much, all but what is kept.
    return max(0, min(most - mine, max(free - kept, min(free, kept - mine))))


@dataclass
class Arriving:
    """A file on its way.

    Attributes
    ----------
    who
        The session that it is sent to.
    size
        The bytes that it says to have.
    arrived
        The bytes that are here.
    why_not
        Why it may not come, or not any more; empty while it may.
    """

    who: str
    size: int
    arrived: int = 0
    why_not: str = ""

    def counted(self, receive: Receive) -> Receive:
        """Return what hands the file on as it comes, until it may not come any more: then the line looks cut."""
        begun = last = time.monotonic()

        async def receiving() -> Message:
            nonlocal last
            while not self.why_not:
                try:
                    message = await asyncio.wait_for(receive(), _LOOK)
                except TimeoutError:
                    self._look(begun, last)
                    continue
                came = len(message.get("body", b""))
                if sessions.is_gone(self.who):
                    self.why_not = _GONE
                elif came > room(self.who):
                    self.why_not = _no_room(self.size, room(self.who))
                else:
                    last = time.monotonic() if came else last
                    self.arrived += came
                    _UNDER_WAY[self.who] = _UNDER_WAY.get(self.who, 0) + came
                    return message
            return {"type": "http.disconnect"}

        return receiving

    def _look(self, begun: float, last: float) -> None:
        """See whether a file of which nothing has come for a moment is still on its way."""
        now = time.monotonic()
        if sessions.is_gone(self.who):
            self.why_not = _GONE
        elif now - last > STALLED or (now - begun - STALLED) * _SLOWEST > self.arrived:
            self.why_not = (
                f"A file did not arrive: {self.arrived / _MB:,.1f} of {self.size / _MB:,.1f} MB came, and no more. "
                "Choose it again."
            )


@contextmanager
def sending(who: str, size: int) -> Iterator[Arriving]:
    """Count what arrives of a file of `size` bytes as on its way; the page says why where it may not come."""
    arriving = Arriving(who, size)
    left = room(who)
    if size > left:
        arriving.why_not = _no_room(size, left)
    try:
        yield arriving
    finally:
        if who in _UNDER_WAY:
            _UNDER_WAY[who] -= arriving.arrived
            if not _UNDER_WAY[who]:
                del _UNDER_WAY[who]
    if arriving.why_not:
        refuse(who, arriving.why_not)


def refuse(who: str, why: str) -> None:
    """Let the page of a visitor, where there is one, say why files did not come."""
    session = sessions.open_session(who)
    if session is not None:
        _REFUSED[who] = why
        sessions.run_again(session)


def _no_room(size: int, left: int) -> str:
    return (
        f"A file of {_megabytes(size)} MB was refused: there is room for {_megabytes(left)} MB more. "
        "Take away files that you do not need any more, or ask the operator."
    )


def say_left() -> None:
    """Tell this visitor how much they may still bring, and what was refused since the page was last drawn."""
    who = visitors.me()
    refused = _REFUSED.pop(who, "")
    if refused:
        st.error(refused, icon=":material/error:")
    left, most = room(who), configuration.uploads() * _MB
    told = f"There is room for {_megabytes(left)} MB of files; you may have {_megabytes(most)} MB here at a time."
    if left < most // 5:
        st.warning(f"{told} Take away what you do not need any more.", icon=":material/info:")
    else:
        st.caption(told)


def forget(who: str) -> None:
    """Forget what was said of a visitor who has gone."""
    _REFUSED.pop(who, None)


def _megabytes(size: int) -> str:
    return f"{size / _MB:,.1f}" if size < 10 * _MB else f"{size // _MB:,}"
