"""What a browser's message holds, looked at before anything decodes it: its kind, its parts, the length of its names.

A message of a megabyte can hold half a million parts of two bytes. Decoded, each is an object, and Streamlit works
through them one by one, in the server's one thread and once more in the run.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = 20_000
"""Parts of a message at most; each widget of a page is three."""

NAME, QUERY = 500, 10_000
"""Bytes at most of what names a part of a page, a page or a question; and of an address after its question mark."""

USED = {
    "stop_script",
    "rerun_script",
    "file_urls_request",
    "app_heartbeat",
    "backend_operation_request.deferred_file",
    "backend_operation_request.dataframe_chunk",
}
"""What a page here may say. It does not clear what is kept for all, nor ask for what only Streamlit's own menu does."""

_NAMES = {"fragment_id", "request_id", "session_id", "page_name", "page_script_hash"}
_BACKEND = "backend_operation_request"
_VARINT, _FIXED_64, _LENGTH, _BEGIN, _END, _FIXED_32 = range(6)


@dataclass(frozen=True)
class Held:
    """What a message holds.

    Attributes
    ----------
    used
        Whether it is of a kind that a page here sends.
    parts
        How many parts there are; where there are too many, one more than `PARTS`.
    long
        Whether a name in it is longer than any that this server gave.
    places
        Whether it asks where to put files: these are not counted here.
    """

    used: bool
    parts: int
    long: bool
    places: bool


class _Count:
    """The parts that were met."""

    def __init__(self) -> None:
        self.parts, self.long = 0, False

    def fields(self, data: bytes, at: int, end: int, descriptor: object, path: str = "") -> Iterator[str]:
        """Give the names of the fields of a message, and of those in it where it is not names of files."""
        known = descriptor.fields_by_number  # type: ignore[attr-defined]
        while at < end and self.parts <= PARTS:
            self.parts += 1
            tag, at = _number(data, at)
            field, kind, begin = known.get(tag >> 3), tag & 7, at
            if kind == _LENGTH:
                length, begin = _number(data, at)
                at = begin + length
            elif kind == _VARINT:
                _, at = _number(data, at)
            elif kind in (_FIXED_64, _FIXED_32):
                at += 8 if kind == _FIXED_64 else 4
            elif kind not in (_BEGIN, _END):
                return
            if field is None:
                continue
            yield f"{path}{field.name}"
            if kind != _LENGTH:
                continue
            if field.message_type is not None:
                if field.name != "file_urls_request" or path:
                    yield from self.fields(data, begin, min(at, end), field.message_type, f"{path}{field.name}.")
            elif field.name in _NAMES or field.name == "query_string":
                self.long |= at - begin > (QUERY if field.name == "query_string" else NAME)


def held(data: bytes) -> Held:
    """Return what a message holds; of one that is none, Streamlit finds that out."""
    count, top, operations = _Count(), set(), set()
    try:
        for name in count.fields(data, 0, len(data), BackMsg.DESCRIPTOR):
            first, _, rest = name.partition(".")
            top.add(first)
            if first == _BACKEND and rest and "." not in rest and rest not in _NAMES:
                operations.add(f"{_BACKEND}.{rest}")
    except IndexError:  # it was cut
        pass
    used = (top - {_BACKEND} | operations) <= USED
    return Held(used, count.parts, count.long, places="file_urls_request" in top)


def places_asked(message: bytes) -> Any:
    """Return the session, as it says, and the files for which a browser's message asks where to put them."""
    told = BackMsg()
    with suppress(DecodeError):  # Streamlit closes the line
        told.ParseFromString(message)
    return told.file_urls_request


def session_named_in(message: bytes) -> str:
    """Return the session that a message to a browser names, as its first one does; empty where it names none."""
    told = ForwardMsg()
    told.ParseFromString(message)
    return told.new_session.initialize.session_id if told.WhichOneof("type") == "new_session" else ""


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of the message, and where it ends."""
    found = shift = 0
    while True:
        byte = data[at]
        at += 1
        found |= (byte & 0x7F) << shift
        if byte < 0x80 or shift > 63:
            return found, at
        shift += 7
