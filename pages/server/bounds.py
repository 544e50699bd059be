"""What one line to the server may send, so that whoever sends more slows down nobody but themselves.

A browser sends a message of some kilobytes a click. Messages are bounded in size (`lines.py`), in number a
second, and in how many files they ask a place for: each place costs the server's one thread, and an answer.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pages.server import allowance, messages

if TYPE_CHECKING:
    from starlette.types import Message, Receive

MESSAGE = 1_000_000
"""Bytes of a message at most; a longer one ends its line."""

NAMES = 1_000
"""Files at most for which one message may ask a place."""

_AT_ONCE, _A_SECOND = 40, 20.0
"""Messages that may come at once, and each second; who sends more waits."""

_A_NAME = 0.001
"""Seconds that whoever asks for the place of a file waits for each."""

_FEW_PARTS, _A_PART = 3_000, 0.0001
"""Parts of a message for which nobody waits, and the seconds that whoever sends more waits for each."""

_END: Message = {"type": "websocket.disconnect", "code": 1009}
"""What the server is told of a line that sends what no browser does; it then closes it."""

_FILES = 65_536
"""Files and lines that the server opens at most, where the system lets it."""


class Heard:
    """The messages of one line, in time with what a person sends.

    Parameters
    ----------
    uploads
        Whether files may come in; where not, nobody is told a place for one.
    """

    def __init__(self, *, uploads: bool) -> None:
        self._uploads = uploads
        self._left, self._at = float(_AT_ONCE), time.monotonic()

    def bounded(self, receive: Receive) -> Receive:
        """Return what hands on the messages that `receive` gives, but for those that ask for what there is not."""

        async def receiving() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                await self._wait()
                data = message.get("bytes") or b""
                held = messages.held(data)
                if held.long or held.parts > messages.PARTS:
                    return _END
                if not held.used:
                    continue
                if held.parts > _FEW_PARTS:
                    await asyncio.sleep((held.parts - _FEW_PARTS) * _A_PART)
                if not held.places:
                    return message
                asked = messages.places_asked(data)
                names = len(asked.file_names)
                if max(len(asked.session_id), len(asked.request_id)) > messages.NAME:
                    return _END
                if not names:
                    return message
                if not self._uploads:
                    continue
                if names > NAMES:
                    allowance.refuse(asked.session_id, f"You chose {names:,} files at once; choose at most {NAMES:,}.")
                else:
                    await asyncio.sleep(names * _A_NAME)
                    return message

        return receiving

    async def _wait(self) -> None:
        now = time.monotonic()
        self._left, self._at = min(_AT_ONCE, self._left + (now - self._at) * _A_SECOND) - 1, now
        if self._left < 0:
            await asyncio.sleep(-self._left / _A_SECOND)


def open_more_files() -> int:
    """Let this process open as many files and lines as the system lets it, and say how many these are.

    A shell's usual 1,024 are soon used up.
    """
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit; macOS a lower one than it says
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if most == resource.RLIM_INFINITY else min(most, _FILES)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            return wanted
        return now if now != resource.RLIM_INFINITY else _FILES
    return _FILES
