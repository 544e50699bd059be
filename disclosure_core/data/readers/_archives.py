"""Compressed files, unpacked in memory and never beyond the limit."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from disclosure_core.data.readers._reading import Limits, damaged
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from typing import IO


BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, KeyError, NotImplementedError, OSError, RuntimeError, ValueError),
)
"""What `zipfile` and those who unpack for it raise of an archive that is damaged, locked, or lacks a part."""

PIECE = 1 << 20
"""Bytes that are unpacked at a time."""


def gunzip(data: bytes, name: str, limits: Limits) -> bytes:
    """Return the bytes of a gzip file."""
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            return _bounded(cast("IO[bytes]", packed), name, limits.megabytes * 1_000_000)
    except (OSError, EOFError, zlib.error):
        raise damaged(name, "gzip") from None


def unzip(data: bytes, name: str, limits: Limits, endings: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Give path and bytes of each data file in a zip, in the order of their names."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN:
        raise damaged(name, "zip") from None
    most = limits.megabytes * 1_000_000
    entries = [e for e in archive.infolist() if not e.filename.endswith("/") and not e.filename.startswith("__MACOSX/")]
    if not entries:
        raise DisclosureError(f"{name} holds no file; put the data files into it.")
    if len(entries) > limits.tables:
        raise DisclosureError(
            f"{name} holds {len(entries):,} files, more than the {limits.tables} allowed; bring fewer."
        )
    if sum(e.file_size for e in entries) > most:  # and no more is unpacked of an entry than it says: zipfile sees to it
        raise _bomb(name)
    for entry in sorted(entries, key=lambda e: e.filename):
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise DisclosureError(f"{name} holds a file whose path leads out of it; pack it again from one folder.")
        if path.suffix.lower() not in endings:
            book = ", and bring it as the codebook" if path.suffix.lower() in (".json", ".xml", ".sas7bcat") else ""
            raise DisclosureError(f"{name} holds {path.name!r}, which is no data file; remove it from the zip{book}.")
        if entry.flag_bits & 1:
            raise DisclosureError(f"{name} is locked with a password; pack it again without one.")
        try:
            with archive.open(entry) as packed:
                plain = _bounded(packed, name, most)
        except BROKEN:
            raise damaged(name, "zip") from None
        yield str(path), plain


def _bounded(packed: IO[bytes], name: str, limit: int) -> bytes:
    """Read to the end, but never more than the limit: what an archive says of its size may be a lie."""
    plain = at_most(packed, limit)
    if plain is None:
        raise _bomb(name)
    return plain


def at_most(packed: IO[bytes], limit: int) -> bytes | None:
    """Return all that a compressed file holds, or None where it is more than `most` bytes.

    In pieces: asked for all that is allowed, Python takes memory for all that is allowed.
    """
    plain = io.BytesIO()
    while piece := packed.read(PIECE):
        plain.write(piece)
        if plain.tell() > limit:
            return None
    return plain.getvalue()


def _bomb(name: str) -> DisclosureError:
    return DisclosureError(f"{name} unpacks to more than is allowed; bring the files one by one, or as Parquet.")
