"""In which encoding a text file is, by its bytes, and its text as UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from disclosure_core.data.readers._sav import ENCODING, MACHINE, extensions, order_of
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.coded import CodedTable

SAMPLE = 65_536
"""Bytes of a text file that are looked at to tell its encoding and delimiter."""

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_PIECE = 1 << 20
"""Bytes that are decoded at a time."""

_LINES = 100_000
"""Lines with letters beyond ASCII that are looked at to tell how many of them are UTF-8."""


_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""With which a text that is Unicode may begin."""

_UNTOLD = {0, 2, 3}
"""What a file of SPSS holds for its encoding where it says no more than ASCII."""


def _marked(data: bytes) -> str | None:
    """Return the encoding that a text's first bytes tell."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def declares_encoding(data: bytes, ending: str) -> bool:
    """Whether a file of this ending says itself how its texts are encoded, or its format does.

    Source
    ------
    For SPSS as `_sav`. Stata, "Format of dta files": 118 and newer are UTF-8. SAS's own files have the encoding at byte
    70 of their header.
    """
    if ending in (".csv", ".tsv", ".tab", ".txt"):
        return _marked(data) is not None
    if ending in (".sav", ".zsav"):
        told = extensions(data)
        code = int.from_bytes(told.get(MACHINE, b"")[28:32], order_of(data))
        return ENCODING in told or code not in _UNTOLD
    if ending == ".sas7bdat":
        return data[70:71] != b"\0"
    if ending == ".dta":
        return re.match(rb"<stata_dta><header><release>1(1[89]|2\d)", data) is not None
    return ending not in (".por", ".xpt")


def encoding_of(data: bytes) -> str:
    """Return the encoding of a text file: by its mark, else UTF-8 where it is valid, else Windows-1252."""
    if marked := _marked(data):
        return marked
    head = data[:SAMPLE]
    if b"\x00" in head and len(data) % 2 == 0:  # UTF-16 without its mark: every other byte of plain letters is zero
        for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[start::2].count(0) > 0.7 * len(head[start::2]) and not head[1 - start :: 2].count(0):
                return encoding
    return "utf-8" if _first_not_utf8(data) is None else "cp1252"


def _pieces(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Give bytes piece by piece, each with whether it is the last."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE], at + _PIECE >= len(data)


def _first_not_utf8(data: bytes) -> int | None:
    """Return where bytes stop to be UTF-8; in pieces, since a whole copy of the text is not needed."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    for piece, last in _pieces(data):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, last)
        except UnicodeDecodeError as error:
            return done - held + error.start
        done += len(piece)
    return None


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return a text as UTF-8 without the marks it may begin with: its own bytes where it is UTF-8 already."""
    try:
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
            body = data
            wrong = _first_not_utf8(data) is not None or (encoding.startswith("a") and not data.isascii())
        else:
            wrong = False
            with suppress(UnicodeError):
                b"a".decode(encoding)  # what decodes to no text is no encoding
            decoder, written = codecs.getincrementaldecoder(encoding)(), io.BytesIO()
            for piece, last in _pieces(data):
                written.write(decoder.decode(piece, last).encode())
            body = written.getvalue()
    except (ValueError, LookupError):  # not its bytes, or no such encoding; a name with a NUL is a ValueError, too
        wrong, body = True, b""
    if wrong:
        raise DisclosureError(f"{name} cannot be read as {encoding!r}; choose another encoding.")
    marks = 0
    while body.startswith(codecs.BOM_UTF8, marks):  # a program may have put a second before its predecessor's
        marks += len(codecs.BOM_UTF8)
    return body[marks:] if marks else body


def encoding_notes(data: bytes, encoding: str, name: str) -> list[str]:
    """Return what is to be said where the encoding was guessed."""
    if encoding != "cp1252":
        return []
    beyond = wrong = at = 0
    while beyond < _LINES and (found := _BEYOND_ASCII.search(data, at)):
        ends = data.find(b"\n", found.start())
        ends = len(data) if ends < 0 else ends
        beyond += 1
        # What stands before it in its line is ASCII.
        wrong += _first_not_utf8(data[found.start() : ends]) is not None
        at = ends + 1
    if wrong <= beyond / 2:
        line = data.count(b"\n", 0, _first_not_utf8(data)) + 1
        raise DisclosureError(
            f"Line {line} of {name} is not UTF-8, as the other lines are; save the file in one encoding, or choose one."
        )
    sample = data[:1_000_000].decode("cp1252", "replace")
    odd = re.search("[a-zA-Z][³¹¿]|[³¹¿][a-zA-Z]", sample)
    if not odd:
        return [western()]
    before = re.split(r"\W", sample[max(0, odd.start() - 30) : odd.start()])[-1]
    after = re.split(r"\W", sample[odd.end() : odd.end() + 30], maxsplit=1)[0]
    return [western(f": {before + odd.group() + after!r} looks like cp1250, Central European")]


def western(hint: str = ", unless letters look wrong") -> str:
    """Return what is said of texts that are not UTF-8 and whose encoding nothing tells."""
    return f"The file is not UTF-8 and is read as cp1252, Western European{hint}; the encoding can be chosen."


LOST = "\ufffd"
"""What stands in a text for a letter that could not be read."""


def lost_letters(table: CodedTable) -> list[str]:
    """Return what is said of names and texts that hold letters which were not understood, whoever read them."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    columns: list[tuple[str, pd.Series[Any]]] = []
    for name, column in table.held():
        values = column.values
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.cat.categories.to_series()
        if values.dtype == object:
            values = values[values.map(lambda value: isinstance(value, str))].astype("str")
        if isinstance(values.dtype, pd.StringDtype):
            columns.append((str(name), values))
    held = (pa.array(values.array, pa.large_string()) for _, values in columns)
    chunks = [chunk for array in held for chunk in (array.chunks if isinstance(array, pa.ChunkedArray) else [array])]
    every = pa.chunked_array(chunks, pa.large_string())  # all at once: of thousands of columns most have none
    notes = []
    for name, values in columns if pc.any(pc.match_substring(every, LOST)).as_py() else ():
        found = values[values.str.contains(LOST, regex=False, na=False)]
        if len(found):
            notes.append(
                f"{name!r} has letters that could not be read, shown as {LOST}, in {len(found):,} "
                f"value{'s' * (len(found) > 1)} such as {str(found.iloc[0])[:40]!r}: different texts may have become "
                "one; choose the encoding, or save the file in another format."
            )
    named = [repr(name) for name in map(str, table.columns) if LOST in name]
    if named:
        notes.append(f"Names of columns hold letters that could not be read, shown as {LOST}: {', '.join(named[:4])}.")
    return notes
