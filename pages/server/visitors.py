"""Who is inside: how many visitors at most, and until when without a touch.

What all sessions share here are their ids and the times of their last runs, and nothing of anybody's data. A place is
free again when its session is forgotten: some time after the tab was closed, or when it was not touched for too long.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import starmap
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.readers import READER
from pages.server import configuration, sessions, streamlit_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class _Place:
    """One visitor: whether inside, or why not until they begin anew; how many runs are under way; when one last was."""

    inside: bool = False
    why_out: str = ""
    runs: int = 0
    touched: float = field(default_factory=time.monotonic)


_PLACES: dict[str, _Place] = {}
_LOCK = threading.Lock()

_BRING = "Bring the files again, and load the settings you saved on the Report page: the figures will be the same."


def refused() -> tuple[str, str] | None:
    """Let this visitor in and return None, or return why not, and what the way in is called.

    Whoever was put out, or comes back to a server that does not know them any more, is told so until they begin anew:
    what a page that they left still asks is not a click on that.
    """
    mine = me()
    with _LOCK:
        new = mine not in _PLACES
        place = _PLACES.setdefault(mine, _Place())
        if new and _came_back(mine):
            place.why_out = _forgotten()
        full = not place.inside and sum(starmap(_takes_room, _PLACES.items())) >= configuration.visitors()
        place.inside, place.touched = not place.why_out and not full, time.monotonic()
    if place.why_out:
        return place.why_out, "Start again"
    if full:
        return (
            f"**The server is full.** It takes {configuration.visitors():,} visitors at once; a place is free some "
            "minutes after somebody has left. Try again then, or ask the operator."
        ), "Try again"
    return None


def _forgotten() -> str:
    return (
        "**The server has forgotten what was open here.** It was started again, or the connection to it was lost "
        f"for more than {_time_in_words(st.get_option('server.disconnectedSessionTTL') / 60)}"
        f"{', or a new class has begun' if configuration.teacher_code() else ''}; data are kept in its memory "
        f"only. {_BRING}"
    )


def turn_away(why: tuple[str, str]) -> None:
    """Show why this visitor is not inside, and the way in; nothing else."""
    words, way_in = why
    with st.container(border=True):
        st.markdown(words)
        if st.button(way_in, icon=":material/arrow_forward:", type="tertiary", key="visitors.in"):
            with _LOCK:
                _PLACES.setdefault(me(), _Place()).why_out = ""
            st.switch_page("data/page.py")


@contextmanager
def inside() -> Iterator[None]:
    """Mark this visitor as busy, however long the page computes, and as touched when it is done."""
    with _LOCK:
        place = _PLACES.setdefault(me(), _Place(inside=True))
        place.runs += 1
    reads = READER.set(me())
    try:
        yield
    finally:
        READER.reset(reads)
        with _LOCK:
            place.runs -= 1
            place.touched = time.monotonic()


def put_out() -> list[str]:
    """Put out who was idle for too long; return their sessions, whose data are the caller's to forget."""
    with _LOCK:
        since = time.monotonic() - 60 * configuration.idle_minutes()
        idle = {
            who: place for who, place in _PLACES.items() if place.inside and not place.runs and place.touched < since
        }
        waited = _time_in_words(configuration.idle_minutes())
        why = f"**Your data were forgotten**, since nothing was touched here for {waited}."
        for place in idle.values():
            place.inside, place.why_out = False, f"{why} {_BRING}"
        return list(idle)


def free(gone: Callable[[str], bool]) -> list[str]:
    """Give away the places of sessions that are gone; return these."""
    with _LOCK:
        left = [who for who in _PLACES if gone(who)]
        for who in left:
            del _PLACES[who]
        return left


def me() -> str:
    """Return the session of the visitor whose page runs now."""
    return streamlit_private.session_id()


def is_inside(who: str) -> bool:
    """Return whether a session has a place."""
    with _LOCK:
        place = _PLACES.get(who)
        return place is not None and place.inside


def was_inside(who: str) -> bool:
    """Return whether a session has a place, or had one until it was put out: only such a one has anything to lose."""
    with _LOCK:
        place = _PLACES.get(who)
        return place is not None and (place.inside or bool(place.why_out))


def all_inside() -> set[str]:
    """Return the sessions that have a place."""
    with _LOCK:
        return {who for who, place in _PLACES.items() if place.inside}


def all_connected() -> set[str]:
    """Return the sessions that have a place and a tab that is connected now: none that was closed, or sleeps."""
    return set(filter(sessions.is_connected, all_inside()))


def _takes_room(who: str, place: _Place) -> bool:
    """Return whether a place is taken from newcomers: in a class, where sessions are kept for long, by a tab there."""
    if not place.inside or not configuration.teacher_code():
        return place.inside
    return sessions.is_connected(who)


def _came_back(who: str) -> bool:
    """Return whether this tab names an earlier session, as it does when it connects again, and did not get it back."""
    told = st.context.headers.get("Sec-Websocket-Protocol", "").split(",")  # the protocol, a token, the session before
    return len(told) > 2 and told[2].strip() not in ("", who)


def _time_in_words(minutes: float) -> str:
    """Return a time as people say it."""
    hours, rest = divmod(minutes, 60)
    if hours and not rest:
        return f"{hours:g} hour{'s' * (hours != 1)}"
    return f"{minutes:g} minute{'s' * (minutes != 1)}"
