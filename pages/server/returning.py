"""A reload brings a session back: within its time, to the browser that had it, and to nobody else.

Streamlit keeps a session that was left for `server.disconnectedSessionTTL` seconds and gives it to a connection that
names it; after a reload the page does not know its name any more. The browser is known by a cookie that no script reads
and no other site's page sends; what it left is named for it. A name that is not this browser's own is struck out. A tab
says which it is, too (`assets/tab.js`): of what its browser left it gets what it had.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from pages.server import configuration, messages, sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.types import Message, Scope, Send

COOKIE = "disclosure_browser"
SAFE_COOKIE = f"__Host-{COOKIE}"
"""Where TLS is: no other host name can set one that begins so, and no page without TLS."""

FORGOTTEN = "forgotten"
"""No session is called so: the page sees by it that there was one."""

_MOST = 10_000
"""So many browsers are known at most; the one that was not seen for longest goes first."""

_LOOKS = 20
"""Messages of the server among which the first names the session."""

Headers = list[tuple[bytes, bytes]]


@dataclass
class _Browser:
    """The sessions of one cookie: those left, with time and tab, last one last; those open, with their connection."""

    left: dict[str, tuple[float, str]] = field(default_factory=dict)
    open: dict[str, Line] = field(default_factory=dict)
    had: bool = False


_BROWSERS: dict[str, _Browser] = {}
_EMPTY: dict[str, None] = {}
"""Sessions with nothing to return to, the last one last."""

_LOCK = threading.Lock()


def cookie(scope: Scope) -> str:
    """Return by what a browser is known; empty where it is not, or where the operator wants no session to return."""
    if not configuration.returning():
        return ""
    mine = [part.removeprefix(_name(scope) + b"=") for part in _parts(scope) if _is_named(part, _name(scope))]
    return mine[0].decode() if len(mine) == 1 and re.fullmatch(rb"[\w-]{43}", mine[0]) else ""


def with_sound_cookies(scope: Scope) -> Scope:
    """Return a request without cookies that no server set, and without ours where two come: who set which is not known.

    What is escaped in a cookie takes the libraries below the square of its length to read, and nothing here escapes.
    """
    known = cookie(scope)
    kept = [part for part in _parts(scope) if part and b"\\" not in part]
    kept = [part for part in kept if not any(_is_named(part, name.encode()) for name in (COOKIE, SAFE_COOKIE))]
    kept += [_name(scope) + b"=" + known.encode()] * bool(known)
    rest = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    return {**scope, "headers": [*rest, *[(b"cookie", b"; ".join(kept))] * bool(kept)]}


def of(cookies: Mapping[str, str]) -> str:
    """Return by what a browser is known, of the cookies that a page is told; empty where it is not."""
    return (cookies.get(SAFE_COOKIE) or cookies.get(COOKIE, "")) if configuration.returning() else ""


def _parts(scope: Scope) -> list[bytes]:
    return [part.strip() for name, value in scope["headers"] if name == b"cookie" for part in value.split(b";")]


def _is_named(part: bytes, name: bytes) -> bool:
    """Return whether a cookie is called so to the libraries below, which drop blanks that are none in ASCII, too."""
    return part.partition(b"=")[0].decode("latin-1").strip() == name.decode()


def _name(scope: Scope) -> bytes:
    """Return what our cookie is called on a line."""
    return (SAFE_COOKIE if _is_safe(scope) else COOKIE).encode()


def _is_safe(scope: Scope) -> bool:
    """Return whether a browser's line has TLS; behind a proxy that adds it, the line to here is plain."""
    told = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
    first = told[0].partition(b",")[0].strip().lower() if told else b""  # of several proxies, what the browser asked
    return scope["scheme"] in ("https", "wss") or first == b"https"


def with_cookie(scope: Scope, message: Message) -> Message:
    """Return an answer that gives a browser without a cookie one, where it is the page itself."""
    if message["type"] != "http.response.start" or not configuration.returning() or cookie(scope):
        return message
    headers: Headers = list(message.get("headers", ()))
    if not any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers):
        return message
    # Without Max-Age it goes with the browser.
    value = f"{_name(scope).decode()}={secrets.token_urlsafe(32)}"
    words = f"{value}; Path=/; HttpOnly; SameSite=Strict{'; Secure' * _is_safe(scope)}"
    return {**message, "headers": [*headers, (b"set-cookie", words.encode())]}


class Line:
    """One connection of a browser: which session it asks for, and which it got.

    Parameters
    ----------
    scope
        The connection, as it came.
    """

    def __init__(self, scope: Scope) -> None:
        self._cookie, self._session, self._looks, self.tab = cookie(scope), "", 0, ""
        self.scope = self._named(scope)

    def _named(self, scope: Scope) -> Scope:
        """Return the connection naming the session that is this browser's to have, if any, and no other."""
        told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"sec-websocket-protocol"]
        parts = [part.strip() for part in ",".join(told).split(",")]
        self.tab = next((part for part in parts if re.fullmatch(r"tab-\w{1,64}", part)), "")
        protocol, token, named, *_ = [*(part for part in parts if part != self.tab or not part), "", "", ""]
        if not protocol:
            return scope
        if not self._cookie:
            # Who is not known by a cookie is known by the name of the session, as ever where nothing is to return.
            resumed = named if not configuration.returning() else (FORGOTTEN if named else "")
        else:
            resumed = _asked_for(self._cookie, named, self.tab)
        parts = [protocol, token or "none", resumed] if resumed else [part for part in (protocol, token) if part]
        rest = [(name, value) for name, value in scope["headers"] if name != b"sec-websocket-protocol"]
        return {**scope, "headers": [*rest, (b"sec-websocket-protocol", ", ".join(parts).encode("latin-1"))]}

    def watched(self, send: Send) -> Send:
        """Return what sends the server's messages on, and notes the session that the first of them names."""

        async def sending(message: Message) -> None:
            if self._cookie and not self._session and message["type"] == "websocket.send" and self._looks < _LOOKS:
                self._looks += 1
                self._session = messages.session_named_in(message.get("bytes") or b"")
                if self._session:
                    _opened(self._cookie, self._session, self)
            await send(message)

        return sending

    def close(self) -> None:
        """Note that the connection is gone: its session is left, unless another connection has taken it over."""
        if self._session:
            _left(self._cookie, self._session, self)


def _asked_for(who: str, named: str, tab: str) -> str:
    """Return the session that a tab of a browser is to get, `FORGOTTEN`, or nothing for a new one."""
    with _LOCK:
        mine = _BROWSERS.get(who)
        if mine is None:
            return FORGOTTEN if named else ""
        _drop_old(mine)
        if named:
            return named if named in mine.left or named in mine.open else FORGOTTEN
        if mine.left:
            own = [name for name, (_, of) in mine.left.items() if tab and of == tab]
            return [*mine.left, *own][-1]
        return FORGOTTEN if mine.had and not mine.open else ""


def _opened(who: str, session: str, line: Line) -> None:
    with _LOCK:
        if session in _EMPTY:
            return
        mine = _BROWSERS.pop(who, None) or _Browser()
        _BROWSERS[who] = mine  # the last one seen stands last
        mine.left.pop(session, None)
        mine.open[session], mine.had = line, True
        for other in [key for key, browser in _BROWSERS.items() if not browser.open][: max(0, len(_BROWSERS) - _MOST)]:
            del _BROWSERS[other]


def _left(who: str, session: str, line: Line) -> None:
    with _LOCK:
        mine = _BROWSERS.get(who)
        if mine is not None and mine.open.get(session) is line:
            del mine.open[session]
            if sessions.is_gone(session):  # nothing of it was worth keeping
                mine.had = bool(mine.open or mine.left)
            else:
                mine.left[session] = (time.monotonic(), line.tab)


def _drop_old(mine: _Browser) -> None:
    since = time.monotonic() - st.get_option("server.disconnectedSessionTTL")
    mine.left = {session: (at, tab) for session, (at, tab) in mine.left.items() if at > since}


def left(session: str) -> Iterable[str]:
    """Return the sessions that the browser of this one left, and that it may still return to."""
    with _LOCK:
        mine = [browser for browser in _BROWSERS.values() if session in browser.open]
        for browser in mine:
            _drop_old(browser)
        return [name for browser in mine for name in browser.left]


def forget(session: str) -> Iterable[str]:
    """Let nothing return to the browser that has this session; return what it left, which is the caller's to end."""
    with _LOCK:
        gone: list[str] = []
        for mine in _BROWSERS.values():
            if session in mine.open:
                gone += mine.left
                mine.left, mine.had = {}, False
                del mine.open[session]  # and when its tab is closed, it is not left either
        return gone


def has_nothing(session: str) -> None:
    """Note that nothing of a session is worth returning to: it saw the way in only, and nothing was forgotten of it."""
    with _LOCK:
        _EMPTY[session] = None  # its first message may not have left yet
        for other in list(_EMPTY)[:-_MOST]:
            del _EMPTY[other]
        for mine in _BROWSERS.values():
            if mine.open.pop(session, None) is not None:
                mine.had = bool(mine.open or mine.left)
