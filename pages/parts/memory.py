"""Keeps in memory what the libraries below would put into temporary files.

Starlette, below Streamlit, writes an upload to a temporary file as soon as it has a megabyte. Such a file has no name
and is gone with the server, but its records stay on the disk; and where the disk is full, the upload fails.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from starlette.formparsers import MultiPartParser

_SHARED = Path("/dev/shm")  # noqa: S108  # memory that looks like a folder, on Linux


def keep_files_in_memory() -> None:
    """Let no upload be written to a file, however large, and no other temporary file to a disk where it can be helped.

    What is left are lists of fonts: matplotlib wants a folder that can be written, and home need not be one.
    """
    MultiPartParser.spool_max_size = 0  # no limit
    if _SHARED.is_dir() and os.access(_SHARED, os.W_OK):
        tempfile.tempdir = str(_SHARED)
