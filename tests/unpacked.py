"""All that is in a file that leaves the program, unpacked as deep as it goes: what an attacker can look through."""

from __future__ import annotations

import base64
import io
import re
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pypdf

if TYPE_CHECKING:
    from collections.abc import Iterator


def pieces(data: bytes) -> Iterator[bytes]:
    """Yield every text, name, stream, part and value of a PDF, zip, workbook, PNG, Parquet or text file."""
    if data.startswith(b"%PDF"):
        yield from _of_pdf(data)
    elif data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            yield parts.comment
            for part in parts.infolist():
                yield from (part.filename.encode(), part.comment, part.extra)
                yield from pieces(parts.read(part))
    elif data.startswith(b"\x89PNG"):
        yield from _of_png(data)
    elif data.startswith(b"PAR1"):
        table = pq.read_table(io.BytesIO(data))
        yield from (str(table.schema).encode(), repr(table.schema.metadata).encode(), repr(table.to_pydict()).encode())
    else:
        yield re.sub(rb"base64,[A-Za-z0-9+/=]+", b"", data)
        for inner in re.findall(rb"base64,([A-Za-z0-9+/=]+)", data):
            yield from pieces(base64.b64decode(inner))


def _of_png(data: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + size]
        at += size + 12
        if kind != b"IDAT":  # the picture itself
            yield chunk
        for start in range(len(chunk) if kind in (b"zTXt", b"iTXt", b"iCCP") else 0):
            try:
                yield zlib.decompress(chunk[start:])
            except zlib.error:
                continue


def _of_pdf(data: bytes) -> Iterator[bytes]:
    """Yield what is in a PDF, and what a reader of its pages sees."""
    reader, seen = pypdf.PdfReader(io.BytesIO(data)), set()
    yield "\n".join(page.extract_text() for page in reader.pages).encode()
    waiting = [reader.trailer]
    while waiting:
        item = waiting.pop()
        if isinstance(item, pypdf.generic.IndirectObject):
            if item.idnum not in seen:
                seen.add(item.idnum)
                waiting.append(item.get_object())
            continue
        if isinstance(item, pypdf.generic.StreamObject):
            yield item.get_data()
        if isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, str | bytes):
            yield item.encode() if isinstance(item, str) else item
