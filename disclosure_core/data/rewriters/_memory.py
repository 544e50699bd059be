"""A path for libraries that write to nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from disclosure_core.errors import DisclosureError

_HOLDS = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data)"


def bytes_written(write: Callable[[str], object]) -> bytes:
    """Return what a library writes to the path that it is given, and to nothing else; on Windows alone by the disk."""
    if hasattr(os, "memfd_create"):
        with memory_path() as path:
            write(path)
            return Path(path).read_bytes()
    return _through_a_process(write) if Path("/dev/fd").is_dir() else _in_folder(write)


def _through_a_process(write: Callable[[str], object]) -> bytes:
    """Return what is written into a pipe, as macOS has it: a thread could not read it while C holds Python's lock."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-S", "-c", _HOLDS]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:  # noqa: S603 (our own words)
        assert process.stdin is not None
        assert process.stdout is not None
        write(f"/dev/fd/{process.stdin.fileno()}")
        process.stdin.close()
        return process.stdout.read()


def _in_folder(write: Callable[[str], object]) -> bytes:
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table"
            path.write_bytes(b"0")
            write(str(path))
            return path.read_bytes()
    except OSError as error:
        raise DisclosureError(
            "This system lets no file of SPSS, SAS or R be made: it has no memory files, and its temporary folder "
            f"cannot be written ({error.strerror}); make room there, or bring the data as CSV or Parquet."
        ) from None


@contextmanager
def memory_path() -> Iterator[str]:
    """Give a path to memory, where the system has such files (Linux), to a library that writes to nothing else."""
    descriptor = os.memfd_create("table")
    try:
        with _may_write():
            yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)


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
