"""What a file is called, and how one is written: whole or not at all, so that what stood there stays until then."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

from disclosure_core.errors import DisclosureError


def place(path: str | Path, content: bytes | str) -> Path:
    """Write a file and return where; the folder is there.

    Text is written as UTF-8; letters of a file's name that are none stand as their code, which JSON and Python read
    back.
    """
    path = Path(path)
    with writing(path) as file:
        file.write(encoded(content) if isinstance(content, str) else content)
    return path


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which comes to stand at a place once it is whole; the folder is there.

    A full disk or an end in between leave what was there. Of a link, the file that it leads to is written. What is no
    file takes the bytes as they are, and so does a stream of this program such as `/dev/stdout`, wherever it leads.
    """
    try:
        number = stream(path)
        if number is not None:
            sys.stdout.flush()
            with os.fdopen(os.dup(number), "wb") as file:
                yield file
        elif path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
        else:
            with _instead(path.resolve()) as file:
                yield file
    except OSError as error:
        raise DisclosureError(f"{path} cannot be written ({error.strerror}); choose another place.") from None


def stream(path: Path) -> int | None:
    """Return the number of the stream of this program that a place names, such as `/dev/stdout`; None for a file."""
    for _ in range(_LINKS):
        folder = os.path.realpath(path.parent)
        if re.fullmatch(rf"/dev/fd|/proc/(self|{os.getpid()})/fd", folder) and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


_LINKS = 10
"""Links one after the other that lead to a stream, at most."""


def encoded(text: str) -> bytes:
    """Return text as UTF-8; a letter of a file's name that is none stands as its code."""
    return text.encode("utf-8", "backslashreplace")


def called(path: Path) -> str:
    r"""Return a file's name as text; a letter that is none, where it is not UTF-8, stands as its code: \udce9."""
    return encoded(path.name).decode()


def within(folder: Path, name: str) -> Path:
    """Return the file in a folder that is called so, whether it is there or not."""
    place = folder / Path(name).name
    if "\\udc" in name and not place.exists() and folder.is_dir():
        return next((path for path in folder.iterdir() if called(path) == name), place)
    return place


@contextmanager
def _instead(place: Path) -> Iterator[IO[bytes]]:
    """Give a file that takes the place of what is there once it is whole."""
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, half = _unnamed_file(place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            half = half or _named(file, place.parent)
        half.chmod(stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~_umask())
        half.replace(place)
    finally:
        if half is not None:
            with suppress(OSError):
                half.unlink(missing_ok=True)


_OPEN_FILES = Path("/proc/self/fd")


def _unnamed_file(folder: Path) -> tuple[int, Path | None]:
    """Return a new file and its name; none where the system gives a file without one, which no kill leaves behind."""
    if hasattr(os, "O_TMPFILE") and _OPEN_FILES.is_dir():
        with suppress(OSError):  # not every file system has them
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600), None
    handle, name = tempfile.mkstemp(prefix=".disclosure-", suffix=".part", dir=folder)
    return handle, Path(name)


def _named(file: IO[bytes], folder: Path) -> Path:
    """Give a file without a name one, for the moment until it is put in its place."""
    half = folder / f".disclosure-{uuid4().hex[:8]}.part"
    os.link(_OPEN_FILES / str(file.fileno()), half, src_dir_fd=file.fileno())  # given, the link is followed
    return half


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
