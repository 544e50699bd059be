"""Large files that a page asked for, by an address that is that page's own, and is gone once it was used.

A small file comes over the visitor's own line (`pages/shared/handing.py`). A large one would keep that line busy for
seconds, so it is fetched: from an address that nobody can guess, told over that line alone, which answers once, and
only to the page that asked: it names itself in a header, as a page of another origin cannot, and its browser shows the
cookie it had. What is kept here is where a file is, and no file: the session that had it made keeps it, and takes it
along.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pages.server import returning

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_PIECE = 1 << 18
"""Bytes that are sent at a time."""


class File:
    """The bytes of a file, and who may fetch them.

    Parameters
    ----------
    data
        The bytes.
    page
        What the page that asked calls itself.
    cookie
        By what its browser is known; empty where it is not.
    """

    def __init__(self, data: bytes, page: str, cookie: str) -> None:
        self.data, self.page, self.cookie = data, page, cookie


_FILES: WeakValueDictionary[str, File] = WeakValueDictionary()


def address(file: File) -> str:
    """Return where a file can be fetched, once, as long as somebody holds it."""
    made = secrets.token_urlsafe(32)
    _FILES[made] = file
    return made


def withdraw(told: str) -> None:
    """Let an address answer no more."""
    _FILES.pop(told, None)


class Handed:
    """ASGI middleware that answers for these addresses; the rest is let through.

    Parameters
    ----------
    app
        What is inside.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file to the page that asked for it, or let a request through."""
        asked = re.fullmatch(r".*/handed/([\w-]*)", scope["path"]) if scope["type"] == "http" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        file = _take(scope, asked[1])
        body = b"There is nothing here." if file is None else file.data
        told = [
            (b"content-type", b"text/plain; charset=utf-8" if file is None else b"application/octet-stream"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 404 if file is None else 200, "headers": told})
        for at in range(0, len(body), _PIECE):
            await send({"type": "http.response.body", "body": body[at : at + _PIECE], "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def _take(scope: Scope, told: str) -> File | None:
    """Return the file of an address, which it then is no more; None for whoever may not have it."""
    file = _FILES.get(told)
    page = dict(scope["headers"]).get(b"x-page", b"").decode("latin-1")
    if file is None or scope["method"] != "GET" or not secrets.compare_digest(page.encode(), file.page.encode()):
        return None
    if not secrets.compare_digest(returning.cookie(scope).encode(), file.cookie.encode()):
        return None
    return _FILES.pop(told, None)
