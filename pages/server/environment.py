"""What the libraries below are kept from: temporary files on the disk, and memory that is not given back.

Starlette, below Streamlit, writes an upload to a temporary file as soon as it has a megabyte. Such a file has no name
and is gone with the server, but its records stay on the disk; and where the disk is full, the upload fails.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from starlette.formparsers import MultiPartParser

from pages.server import heard, streamlit_private

_ARENA_MAX = -8
"""What glibc's `mallopt` calls the number of its arenas."""

_ARENAS = 2

_SHARED = Path("/dev/shm")  # noqa: S108  # memory that looks like a folder, on Linux


@cache
def prepare() -> None:
    """Let no upload be written to a file, however large, and no other temporary file to a disk.

    Once for the whole server, and before the first visitor: `app.py` calls it when it is imported.

    What is left of files are lists of fonts: matplotlib wants a folder that can be written, and home need not be one.
    """
    MultiPartParser.spool_max_size = 0  # no limit
    # Arrow's own allocator keeps what is freed, where nothing gives it back (`forgetting.py`).
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # Of eight arenas a processor, each keeps pages for a few bytes in use, and what those who left had in them.
    if "MALLOC_ARENA_MAX" not in os.environ:
        of_c("mallopt", _ARENA_MAX, _ARENAS)
    if _SHARED.is_dir() and os.access(_SHARED, os.W_OK):
        tempfile.tempdir = str(_SHARED)
    streamlit_private.keep_where_to_upload()
    streamlit_private.take_changes_whole()
    streamlit_private.keep_the_page_chosen()
    streamlit_private.take_turns()
    streamlit_private.send_whole_answers()
    heard.refer_to_what_is_there()


def of_c(function: str, *given: int) -> None:
    """Call a function of the system's C library, where it has such a one."""
    with suppress(OSError, AttributeError, TypeError):
        getattr(ctypes.CDLL(None), function)(*given)
