"""What a file is called, and how one is written: whole or not at all, so that what stood there stays until then."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from disclosure_core.errors import DisclosureError


def place(path: str | Path, content: bytes | str) -> Path:
    """Write a file and return where; the folder is there.

    A full disk or an end in between leave what was there. Of a link, the file that it leads to is written; what is no
    file, such as `/dev/stdout`, takes the bytes as they are. Text is written as UTF-8; letters of a file's name that
    are none stand as their code, which JSON and Python read back.

    Raises
    ------
    DisclosureError
        When it cannot be written there.
    """
    path = Path(path)
    data = encoded(content) if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _instead(path.resolve(), data)
    except OSError as error:
        raise DisclosureError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
    return path


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


def _instead(place: Path, data: bytes) -> None:
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(13, "Permission denied")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent)
    except PermissionError:
        if not place.exists():
            raise
        place.write_bytes(data)  # the folder takes no new file, and the file may be written
        return
    half = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        half.chmod(stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~_umask())
        half.replace(place)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
