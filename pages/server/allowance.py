"""How many bytes of files visitors may have on the server: one of them, and all together.

Counted are the files that the server holds and those on their way, as long as they say they are; a file for which there
is no room is refused before its first byte is read. Of what all may have together a tenth is kept for those who have
little: whoever brings much leaves it free, so that the next visitor can still work.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st

from pages.server import configuration, inner, visitors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Scope

_MB = 1_000_000
_KEPT = 10
"""One part in so many is kept for those who have little."""

# Touched by the server's own thread only, but for the reading of a few numbers.
_UNDER_WAY: dict[str, int] = {}
_REFUSED: dict[str, str] = {}


def session_of(scope: Scope) -> str | None:
    """Return the session that a request wants to send a file to; None where it wants something else."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return None
    found = re.search(r"/_stcore/+upload_file/+([^/]+)/", scope["path"])
    return found[1] if found else None


def room(who: str) -> int:
    """Return the bytes of a file that this visitor may still send."""
    held = inner.uploaded()
    mine = held.get(who, 0) + _UNDER_WAY.get(who, 0)
    together = sum(held.values()) + sum(_UNDER_WAY.values())
    most, all_most = configuration.uploads() * _MB, configuration.all_uploads() * _MB
    kept = min(most, all_most // _KEPT)
    free = all_most - together
    # With little, all that is free; with much, all but what is kept.
    return max(0, min(most - mine, max(free - kept, min(free, kept - mine))))


@contextmanager
def sending(who: str, size: int) -> Iterator[str]:
    """Count a file of `size` bytes as on its way, or give the sentence that says why it may not come."""
    left = room(who)
    if size > left:
        _REFUSED[who] = why = (
            f"A file of {_megabytes(size)} MB was refused: there is room for {_megabytes(left)} MB more. "
            "Take away files that you do not need any more, or ask the operator."
        )
        yield why
        session = inner.open_session(who)
        if session is not None:
            inner.run_again(session)  # the page says it
        return
    _UNDER_WAY[who] = _UNDER_WAY.get(who, 0) + size
    try:
        yield ""
    finally:
        _UNDER_WAY[who] -= size
        if not _UNDER_WAY[who]:
            del _UNDER_WAY[who]


def said() -> None:
    """Tell this visitor how much they may still bring, and what was refused since the page was last drawn."""
    who = visitors.me()
    refused = _REFUSED.pop(who, "")
    if refused:
        st.error(refused, icon=":material/error:")
    left, most = room(who), configuration.uploads() * _MB
    told = f"There is room for {_megabytes(left)} MB of files; you may have {_megabytes(most)} MB here at a time."
    if left < most // 5:
        st.warning(f"{told} Take away what you do not need any more.", icon=":material/info:")
    else:
        st.caption(told)


def forget(who: str) -> None:
    """Forget what was said of a visitor who has gone."""
    _REFUSED.pop(who, None)


def _megabytes(size: int) -> str:
    return f"{size / _MB:,.1f}" if size < 10 * _MB else f"{size // _MB:,}"
