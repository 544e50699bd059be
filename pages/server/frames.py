"""How many frames a line may send: a browser puts a message in one.

A message is counted when it is whole (`bounds.py`). A frame that ends none, an empty one, a ping and a pong are no
message; a megabyte a second of them takes the server's one thread. They are counted here, a small piece of what arrived
at a time, and of whoever sends more the rest waits unread.
"""

from __future__ import annotations

import select
import time
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

AT_ONCE, A_SECOND = 40, 20.0
"""Frames that may come at once, and each second."""

PIECE = 1_024
"""Bytes that are taken apart at a time: 170 of the smallest frames."""

_OFTEN = 20
"""Whoever has fewer left sends much: of a line that is closed then, the rest is dropped."""

_LOOK = 0.2
"""Seconds between two looks at whether it is: each gives the interpreter away."""


def bounded(usual: type[Any] | None) -> type[Any] | None:
    """Return uvicorn's protocol of a WebSocket with a bound on frames; another protocol as it is."""
    if usual is None or not issubclass(usual, WebSocketsSansIOProtocol):
        return usual

    class Bounded(usual):  # type: ignore[misc, valid-type]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._rest = bytearray()
            self._left, self._at = float(AT_ONCE), time.monotonic()
            self._waits: Any = None
            self._looked = 0.0
            events = self.conn.events_received

            def counted() -> list[Any]:
                found: list[Any] = events()
                self._left -= len(found)
                return found

            self.conn.events_received = counted

        def data_received(self, data: bytes) -> None:
            self._rest += data
            self._take()

        def connection_lost(self, exc: Exception | None) -> None:
            self._rest.clear()
            if self._waits is not None:
                self._waits.cancel()
            super().connection_lost(exc)

        async def receive(self) -> Any:
            message = await super().receive()
            if self._rest:
                self.transport.pause_reading()
                self.loop.call_soon(self._take)
            return message

        def _take(self) -> None:
            """Take apart what has arrived, as long as there are frames left and the last message was taken."""
            if self._waits is not None:
                return
            now = time.monotonic()
            self._left, self._at = min(AT_ONCE, self._left + (now - self._at) * A_SECOND), now
            while self._rest and not self.read_paused and not self.transport.is_closing():
                if self._left < 0:
                    self.transport.pause_reading()
                    self._waits = self.loop.call_later(-self._left / A_SECOND, self._go_on)
                    return
                piece = bytes(self._rest[:PIECE])
                del self._rest[:PIECE]
                super().data_received(piece)
            if not self._rest and not self.read_paused:
                self.transport.resume_reading()
            elif self._rest and self._left < _OFTEN and now - self._looked > _LOOK:
                self._looked = now
                if _is_left(self.transport):
                    self._rest.clear()
                    self.transport.abort()

        def _go_on(self) -> None:
            self._waits = None
            if _is_left(self.transport):
                self.transport.abort()
            else:
                self._take()

    return Bounded


def _is_left(transport: Any) -> bool:
    """Return whether the other side has closed a line of which not all was read, where the system tells."""
    line = transport.get_extra_info("socket")
    if not hasattr(select, "POLLRDHUP") or line.fileno() < 0:
        return False
    looks = select.poll()
    looks.register(line.fileno(), select.POLLRDHUP)
    return bool(looks.poll(0))
