"""An office's folder: reviews are saved there under a name, and none takes the place of what somebody else saved."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from disclosure_core.errors import DisclosureError
from disclosure_core.review.saved import LARGEST

if TYPE_CHECKING:
    from disclosure_core.review.value import Review

ENDING = ".json"
_LOCK = ".saving"
_WAITED = 3.0
"""Seconds for which a save waits for another of the same review."""

_TRIES = 1_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A review in the folder: the name of its file, and the SHA-256 of what was read or written there."""

    name: str
    sha256: str


def reviews(folder: Path) -> tuple[str, ...]:
    """Return the names of the files in the folder that may be saved reviews, the one saved last first.

    Raises
    ------
    DisclosureError
        When the folder cannot be read.
    """
    try:
        found = [p for p in folder.iterdir() if p.suffix.lower() == ENDING and p.is_file() and not p.is_symlink()]
        return tuple(p.name for p in sorted(found, key=lambda p: (-p.stat().st_mtime, p.name)))
    except OSError:
        raise DisclosureError(f"The folder {folder.name!r} cannot be read; open it again.") from None


def content(folder: Path, name: str) -> tuple[bytes, Stored]:
    """Return the bytes of a review in the folder, and what is to be told again when it is saved.

    Raises
    ------
    DisclosureError
        When there is no such file any more; no path leads out of the folder.
    """
    if name not in reviews(folder):
        raise DisclosureError(f"{name!r} is not in the folder any more; choose another review.")
    try:
        with (folder / name).open("rb") as file:
            data = file.read(4 * LARGEST + 1)
    except OSError:
        raise DisclosureError(f"{name!r} cannot be read; choose another review.") from None
    return data, Stored(name, sha256(data).hexdigest())


def file_name(review: Review) -> str:
    """Return what a review is called that was not saved yet."""
    of = review.original.name.partition(".")[0] if review.original is not None else review.name
    plain = re.sub(r"[^\w() -]", "_", of).strip(" _")[:60] or "review"
    return f"{plain}-review-confidential{ENDING}"


def save(folder: Path, data: bytes, name: str, before: Stored | None) -> tuple[Stored, str]:
    """Write a review into the folder; return where it is, and what is to be said where that is another file.

    What somebody else saved under the name since stays as it is: this review is then saved under another.

    Parameters
    ----------
    folder, data
        Where, and what.
    name
        Of a review that was not saved here yet; with a number where it is taken.
    before
        Where this review was read from, or saved last, here; None where it was not.

    Raises
    ------
    DisclosureError
        When nothing can be written there.
    """
    now = sha256(data).hexdigest()
    try:
        if before is None:
            return Stored(_new(folder, data, name), now), ""
        with _alone(folder, before.name) as alone:
            there = folder / before.name
            if alone and there.is_file() and sha256(there.read_bytes()).hexdigest() == before.sha256:
                _replace(there, data)
                return Stored(before.name, now), ""
        other = _new(folder, data, before.name)
    except OSError as error:
        raise DisclosureError(
            f"The review is not saved: the folder cannot be written to ({error.strerror or 'no reason given'}). "
            "Download it on the page Report."
        ) from None
    return Stored(other, now), (
        f"{before.name} was saved by somebody else since you opened it, or is gone. It stays as it is; your review is "
        f"saved as {other}. Agree on which of the two goes on."
    )


def _new(folder: Path, data: bytes, name: str) -> str:
    """Write a file that was not there, and return its name: with a number where that is taken."""
    stem = re.sub(r" \(\d+\)$", "", name.removesuffix(ENDING))
    for i in range(1, _TRIES):
        free = f"{stem}{f' ({i})' if i > 1 else ''}{ENDING}"
        try:
            with (folder / free).open("xb") as file:
                try:
                    _write(file, data)
                except OSError:
                    (folder / free).unlink()  # half of a review is none
                    raise
        except FileExistsError:
            continue
        return free
    raise DisclosureError(f"There are too many reviews called {name!r}; move some of them.")


def _replace(there: Path, data: bytes) -> None:
    """Put a file in the place of another, whole: who reads it meanwhile reads the one before."""
    part = there.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            _write(file, data)
        part.replace(there)
    finally:
        part.unlink(missing_ok=True)


def _write(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _alone(folder: Path, name: str) -> Iterator[bool]:
    """Hold a name for one save, on this machine and others; False where another holds it for long."""
    lock, until = folder / f".{name}{_LOCK}", time.monotonic() + _WAITED
    while True:
        try:
            lock.open("xb").close()
        except FileExistsError:
            if time.monotonic() > until:
                yield False
                return
            time.sleep(0.02)
        else:
            break
    try:
        yield True
    finally:
        lock.unlink(missing_ok=True)
