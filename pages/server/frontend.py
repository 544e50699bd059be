"""The files of Streamlit's front end, sent in one go.

A browser asks for some eighty of them before it draws the first page. Streamlit sends each through a pool of threads,
a piece at a time, which takes milliseconds a file, more while anything else is imported; from the event loop it takes
a fraction of one. Their names hold a hash of what is in them, so a browser that has one never asks for it again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

FOLDER = Path(streamlit.__file__).parent / "static" / "static"
KINDS = {".css": b"text/css; charset=utf-8", ".js": b"text/javascript; charset=utf-8", ".woff2": b"font/woff2"}
"""What is sent here; the system's own table, which may be asked for others, can be wrong for these on Windows."""

FOR_EVER = b"public, immutable, max-age=31536000"
"""As Streamlit says of the same files."""

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
        """Send a file of the front end, or let a request through."""
        plain = (
            scope["type"] == "http" and scope["method"] == "GET" and _PARTIAL.isdisjoint(h for h, _ in scope["headers"])
        )
        name = scope["path"].rpartition("/static/")[2] if plain else ""
        if name not in _names():
            await self.app(scope, receive, send)
            return
        body = _content(name)
        told = [(b"content-type", KINDS[Path(name).suffix]), (b"content-length", str(len(body)).encode())]
        told.append((b"cache-control", FOR_EVER))
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": body})


@cache
def _names() -> frozenset[str]:
    """Return the paths, below the folder, of what is sent here."""
    return frozenset(p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.suffix in KINDS)


@cache
def _content(name: str) -> bytes:
    return (FOLDER / name).read_bytes()
