"""The files of Streamlit's front end, sent in one go.

A browser asks for some eighty of them before it draws the first page. Streamlit sends each through a pool of threads,
a piece at a time, which takes milliseconds a file, more while anything else is imported; from the event loop it takes
a fraction of one. Their names hold a hash of what is in them, so a browser that has one never asks for it again. One
script of ours is written into the page before them: what it tells is told before they open a line.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER = Path(streamlit.__file__).parent / "static" / "static"
KINDS = {".css": b"text/css; charset=utf-8", ".js": b"text/javascript; charset=utf-8", ".woff2": b"font/woff2"}
"""What is sent here; the system's own table, which may be asked for others, can be wrong for these on Windows."""

FOR_EVER = b"public, immutable, max-age=31536000"
"""As Streamlit says of the same files."""

_TAB = (Path(__file__).parents[2] / "assets" / "tab.js").read_bytes()
_TAB_NAME = f"tab.{sha256(_TAB).hexdigest()[:8]}.js"
_FIRST = b'<script type="module"'
TAG = f'<script type="module" src="./static/{_TAB_NAME}"></script>\n    '.encode()
"""Stands before the first of Streamlit's scripts in the page."""

_PARTIAL = {b"range", b"if-none-match", b"if-modified-since", b"if-range"}


class Frontend:
    """ASGI middleware that answers for the front end's own scripts, styles and fonts; the rest is let through.

    Parameters
    ----------
    app
        What is inside.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file of the front end, or let a request through, that for the page itself as one for all of it."""
        plain = (
            scope["type"] == "http" and scope["method"] == "GET" and _PARTIAL.isdisjoint(h for h, _ in scope["headers"])
        )
        name = scope["path"].rpartition("/static/")[2] if plain else ""
        if scope["type"] == "http" and any(h == b"accept" and b"text/html" in value for h, value in scope["headers"]):
            kept = [(h, value) for h, value in scope["headers"] if h not in _PARTIAL | {b"accept-encoding"}]
            await self.app({**scope, "headers": kept}, receive, _with_tab(send))
            return
        if name not in _names():
            await self.app(scope, receive, send)
            return
        body = _content(name)
        told = [(b"content-type", KINDS[Path(name).suffix]), (b"content-length", str(len(body)).encode())]
        told.append((b"cache-control", FOR_EVER))
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": body})


def _with_tab(send: Send) -> Send:
    """Return what sends an answer on, with our script where it is the page itself."""
    begun: list[Message] = []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun.append(message)
            return
        if begun:
            start, body = begun.pop(), message.get("body", b"")
            with_tag = body.replace(_FIRST, TAG + _FIRST, 1)
            if with_tag != body:
                kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
                start = {**start, "headers": [*kept, (b"content-length", str(len(with_tag)).encode())]}
                message = {**message, "body": with_tag}
            await send(start)
        await send(message)

    return sending


@cache
def _names() -> frozenset[str]:
    """Return the paths, below the folder, of what is sent here."""
    return frozenset({p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.suffix in KINDS} | {_TAB_NAME})


@cache
def _content(name: str) -> bytes:
    return _TAB if name == _TAB_NAME else (FOLDER / name).read_bytes()
