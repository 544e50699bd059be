"""A path for libraries that write to nothing else."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def memory_path() -> Iterator[str]:
    """Give a path for a library that writes to nothing else: memory where the system has such files, not the disk."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("table")
        try:
            with _may_write():
                yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "table")


@contextmanager
def _may_write() -> Iterator[None]:
    """Lift a limit of no byte a file for a while: Linux counts what is memory as a file, too.

    The processes in which files are made anew have that limit (`readers/_child.py`), so that nothing of a file gets
    onto the disk, whatever a library does with it.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if soft == 0 != hard:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    try:
        yield
    finally:
        if soft == 0 != hard:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
