"""Who may come in, and what every answer says of itself: looked at before anything of the page is loaded.

Names are compared because the network cannot be trusted to: a page elsewhere may have its own name point to this
machine (DNS rebinding) and is then, for the browser, of the same origin as this server. What it cannot do is send a
name that is on the list. docs/threats.md lists the claims; docs/deploy.md explains each relaxation of the policy below.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit
from starlette.requests import ClientDisconnect

from pages.server import allowance, bounds, returning, visitors
from pages.server.logs import kind_and_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOG = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; script-src 'self' {inline}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy, without the hashes of the scripts that are written into Streamlit's own page."""

OPEN = ("bidi-components", "health", "host-config", "stream", "upload_file")
"""What of Streamlit's own addresses answers: the page needs no other, and metrics and agents are nobody's business."""

HEAD = 32_000
"""Bytes of a request's head at most, the address with it."""

_OTHER_SITE = ("cross-site", "same-site")  # of the same site is also http://localhost of any other port
_STANDS: list[str] = []


def stands() -> bool:
    """Return whether this process serves through this guard; it does not where the page's script was started alone."""
    return bool(_STANDS)


@cache
def headers() -> dict[bytes, bytes]:
    """Return what every answer says."""
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    inline = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in inline)
    said = {
        "content-security-policy": POLICY.format(inline=hashes),
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        "x-robots-tag": "noindex, nofollow",
    }
    return {name.encode(): value.encode() for name, value in said.items()}


class RequestGuard:
    """ASGI middleware around the whole server, for HTTP and WebSocket.

    Parameters
    ----------
    app
        What is inside.
    hosts
        Names, in small letters, under which the operator serves the app, beside this machine's own.
    uploads
        Whether files may come in.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), *, uploads: bool = True) -> None:
        self.app, self.hosts, self.uploads = app, frozenset(hosts), uploads
        _STANDS.append("stands")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(returning.with_cookie(scope, _dressed(message, scope["path"])))

        refused = self._refused(scope)
        if refused is not None:
            await _refuse(scope, receive, answer, *refused)
            return
        scope = returning.with_sound_cookies(_as_its_origin_has_it(scope))
        try:
            session = allowance.session_of(scope)
            if scope["type"] == "websocket":
                line = returning.Line(scope)
                try:
                    heard = bounds.Heard(uploads=self.uploads)
                    await self.app(line.scope, heard.bounded(receive), line.watched(answer))
                finally:
                    line.close()
            elif session is None:
                await self.app(scope, receive, answer)
            else:
                await self._upload(scope, receive, answer, session)
        except ClientDisconnect:
            pass  # a tab closed in mid-upload: what had arrived goes with the connection
        except Exception as error:
            _LOG.error("unexpected %s", kind_and_place(error))  # a message may hold values
            if scope["type"] == "http" and not begun:
                await _refuse(scope, receive, answer, 500, "Something went wrong on our side.")

    async def _upload(self, scope: Scope, receive: Receive, send: Send, session: str) -> None:
        """Let a file in where there is room for it."""
        if not visitors.is_inside(session):  # whoever is not signed in, or found the server full, has an open line too
            await _refuse(scope, receive, send, 400, "There is no such visitor.")
            return
        length = _only(scope, b"content-length") or ""
        if not length.isdecimal() or not length.isascii():
            await _refuse(scope, receive, send, 411, "Say how long the file is.")
            return
        with allowance.sending(session, int(length)) as arriving:

            async def answering(message: Message) -> None:
                if not arriving.why_not:
                    await send(message)

            if not arriving.why_not:
                try:
                    await self.app(scope, arriving.counted(receive), answering)
                except ClientDisconnect:
                    if not arriving.why_not:
                        raise
            if arriving.why_not:
                await _refuse(scope, receive, send, 413, arriving.why_not)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and reason where a request may not come in."""
        if len(scope["raw_path"]) + len(scope["query_string"]) + _length(scope) > HEAD:
            return 431, "This request says more than any browser does."
        host = _only(scope, b"host")
        name = _name(host or "")
        if name is None or not (name in self.hosts or is_loopback(name)):
            return 421, "This server does not serve under this name. Its operator can add it to DISCLOSURE_HOSTS."
        if not self._same_origin(scope, host or ""):
            return 403, "Pages of another origin may not ask this server for anything."
        closed = re.search(r"/_stcore(?:/+([^/]*)|$)", scope["path"])
        if closed and closed[1] not in OPEN:
            return 404, "There is nothing here."
        if closed and closed[1] == "upload_file" and not self.uploads:
            return 403, "This server shows the demonstration survey; nobody can bring files."
        return None

    def _same_origin(self, scope: Scope, host: str) -> bool:
        """Return whether a request comes from this server's own page, from an address line, or from no browser."""
        if any(name == b"origin" for name, _ in scope["headers"]):
            origin = _only(scope, b"origin") or ""
            scheme, _, rest = origin.partition("://")
            schemes = ("https",) if scope["scheme"] in ("https", "wss") else ("http", "https")  # a proxy may add TLS
            return scheme in schemes and _with_port(rest, scheme) == _with_port(host, scheme)
        if _only(scope, b"sec-fetch-site") in _OTHER_SITE:  # such as <script src>, which names no origin
            return _only(scope, b"sec-fetch-mode") == "navigate" and _only(scope, b"sec-fetch-dest") == "document"
        return True


def is_loopback(name: str) -> bool:
    """Return whether a host's name is this machine's own: localhost, 127.x.x.x or ::1."""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str | None:
    """Return the name in a Host header, in small letters and without its port; None where it is malformed."""
    if not re.fullmatch(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?", host):
        return None
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".") or None
    except ValueError:
        return None


def _with_port(host: str, scheme: str) -> str:
    """Return host and port in small letters, the scheme's usual port where none is named."""
    bare = re.fullmatch(r"(.*?)(?::(\d+))?", host, re.DOTALL) if not host.endswith("]") else None
    name, port = (bare[1], bare[2]) if bare else (host, None)
    return f"{name.lower()}:{port or {'http': '80', 'https': '443'}[scheme]}"


def _as_its_origin_has_it(scope: Scope) -> Scope:
    """Return a line's request with the host as its origin spells it, which was found to be the same.

    Streamlit compares letters: of an origin that it does not know it would ask a host on the internet whose this
    machine's address is, and wait for the answer.
    """
    origin = _only(scope, b"origin")
    if scope["type"] != "websocket" or origin is None:
        return scope
    rest = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "headers": [*rest, (b"host", origin.partition("://")[2].encode("latin-1"))]}


def _length(scope: Scope) -> int:
    return sum(len(name) + len(value) + 4 for name, value in scope["headers"])


def _only(scope: Scope, name: bytes) -> str | None:
    """Return a header that stands there once; None where it does not."""
    found = [value for key, value in scope["headers"] if key == name]
    return found[0].decode("latin-1") if len(found) == 1 else None


def _dressed(message: Message, path: str) -> Message:
    """Return an answer with what every answer says, and with no word that lets another origin read it."""
    if message["type"] not in ("http.response.start", "websocket.http.response.start"):
        return message
    ours = headers()
    kept = [
        (name, value)
        for name, value in message.get("headers", ())
        if name.lower() not in ours and not name.lower().startswith(b"access-control-")
    ]
    if "/media/" in path and not path.startswith("/static/"):  # a report: not for the browser's disk
        kept = [(name, value) for name, value in kept if name.lower() != b"cache-control"]
        kept.append((b"cache-control", b"no-store"))
    return {**message, "headers": [*kept, *ours.items()]}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted: HTTP 403
        return
    body = why.encode()
    told = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*told, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
