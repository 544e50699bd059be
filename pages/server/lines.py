"""What a browser's line may take before it has asked for anything, and that each answer leaves as it is written.

A line that is opened, and sends half a request and no more, would be kept for ever; a message of up to 200 MB would be
taken, as many as the server sends. The server around the app is uvicorn, started by `streamlit run` with a
configuration of its own: it is changed there, before the first line is taken up. No class of it is changed.
"""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn

from pages.server import bounds, frames

if TYPE_CHECKING:
    import asyncio

    from starlette.types import ASGIApp, Receive, Scope, Send

_LOG = logging.getLogger(__name__)

HEADS = 256
"""Lines at most that may be in the midst of a request's head; beyond it the one that began first is closed."""

HEAD = 10.0
"""Seconds for the head of a request to arrive."""

_PART = 4
"""One part in so many of the files that this process may open is taken up at once as lines. asyncio would take up all
that wait, 2,048, before it looks at one of them: where fewer files may be open, none could be, a module that is
imported among them."""


class Lines:
    """ASGI middleware that bounds the lines of the server around it; requests are let through.

    Parameters
    ----------
    app
        What is inside.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Bound the lines of a server that begins, or let a request through."""
        if scope["type"] == "lifespan":
            found = getattr(getattr(receive, "__self__", None), "config", None)
            if isinstance(found, uvicorn.Config):
                bound(found)
            else:
                _LOG.error("lines are not bounded: the server around the app is not the uvicorn that is known here")
        await self.app(scope, receive, send)


def bound(server: uvicorn.Config) -> None:
    """Bound what the lines of a server may send; it listens later."""
    server.ws_max_size = bounds.MESSAGE
    server.backlog = min(server.backlog, max(1, bounds.open_more_files() // _PART))
    server.http_protocol_class = _with_bounded_heads(server.http_protocol_class)
    server.ws_protocol_class = frames.bounded(server.ws_protocol_class)


def _with_bounded_heads(usual: Any) -> type[Any]:
    """Return uvicorn's protocol of a line with an end to requests whose head does not arrive."""
    waiting: dict[Any, asyncio.TimerHandle] = {}  # the line that began first stands first

    def done(line: Any) -> None:
        timer = waiting.pop(line, None)
        if timer is not None:
            timer.cancel()

    def end(line: Any) -> None:
        done(line)
        line.transport.close()

    class Bounded(usual):  # type: ignore[misc]
        def connection_made(self, transport: Any) -> None:
            _send_at_once(transport)
            super().connection_made(transport)
            self._look()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            done(self)
            super().connection_lost(exc)

        def _look(self) -> None:
            # A WebSocket is no such line any more, and is none of the connections.
            answered = self.cycle is None or self.cycle.response_complete
            if not answered or self not in self.connections or self.transport.is_closing():
                done(self)
            elif self not in waiting:
                waiting[self] = self.loop.call_later(HEAD, end, self)
                if len(waiting) > HEADS:
                    end(next(iter(waiting)))

    return Bounded


def _send_at_once(transport: asyncio.BaseTransport) -> None:
    """Let small packets not wait for the other side (Nagle), or each answer after a line's first takes 40 ms on Linux.

    asyncio sees to it only where a socket names its protocol, and the one that Streamlit binds does not.
    """
    line = transport.get_extra_info("socket")
    with suppress(OSError, AttributeError, NotImplementedError):  # another loop, which does it by itself
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
