"""What the dictionary of an SPSS file, .sav or .zsav, holds that its library does not tell.

Source
------
PSPP Developers Guide, "System File Format".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

LONG_NAMES, ATTRIBUTES_OF_FILE, ATTRIBUTES, ENCODING, MACHINE = 13, 17, 18, 20, 3
"""Subtypes of what is told beyond columns, labels and notes."""


def order_of(data: bytes) -> Literal["little", "big"]:
    """Return in which order a file writes the bytes of a number."""
    return "little" if data[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else "big"


def _whole(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], order_of(data), signed=True)


def _records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Give kind, place and size of each record of the dictionary, as far as it can be followed."""
    at = 176
    while at + 8 <= len(data) and (kind := _whole(data, at)) in (2, 3, 4, 6, 7):
        if kind == 2:
            label = (_whole(data, at + 32) + 3) // 4 * 4 + 4 if _whole(data, at + 8) else 0
            size = 32 + max(label, 0) + 8 * abs(_whole(data, at + 12))
        elif kind == 3:
            n, size = _whole(data, at + 4), 8
            while n > 0 and at + size + 8 < len(data):
                n, size = n - 1, size + 8 + (data[at + size + 8] + 8) // 8 * 8
        elif kind == 7:
            size = 16 + max(0, _whole(data, at + 8) * _whole(data, at + 12))
        else:
            size = 8 + (4 if kind == 4 else 80) * max(0, _whole(data, at + 4))
        yield kind, at, size
        at += size


def extensions(data: bytes) -> dict[int, bytes]:
    """Return what is told beyond columns, labels and notes, by its subtype."""
    return {_whole(data, at + 4): data[at + 16 : at + size] for kind, at, size in _records(data) if kind == 7}


def weighted_by(data: bytes) -> tuple[int, str] | None:
    """Return the variable that weights a file: its place in the dictionary, from 1, and its name.

    None where there is none, or where the dictionary cannot be followed.
    """
    place, names = _whole(data, 76), _variables(data)
    return (place, names[place - 1]) if 0 < place <= len(names) else None


def weighted(data: bytes, name: str) -> bytes:
    """Return a file weighted by its variable `name`: the place of it goes into the header."""
    names = _variables(data)
    place = names.index(name) + 1 if name in names else 0
    return data[:76] + place.to_bytes(4, order_of(data)) + data[80:]


def _variables(data: bytes) -> list[str]:
    """Return the names of the variables in the order of the dictionary, where a long text has several records."""
    long = (pair.partition(b"=") for pair in extensions(data).get(LONG_NAMES, b"").split(b"\t"))
    names = {short: name for short, _, name in long}
    shorts = (data[at + 24 : at + 32].rstrip() for kind, at, _ in _records(data) if kind == 2)
    return [names.get(short, short).decode("utf-8", "replace") for short in shorts]
