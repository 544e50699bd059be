"""What begins with the server, in its own thread: whose sessions are kept, and the libraries beside it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pages.server import configuration, preload, sessions, visitors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LEAST = 128
"""Sessions that are kept at least, of those that were left."""


@asynccontextmanager
async def around(_: object) -> AsyncIterator[None]:
    """Make the server ready before anybody comes."""
    sessions.begin(visitors.was_inside, max(2 * configuration.visitors(), LEAST))
    preload.begin()
    yield
