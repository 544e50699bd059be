"""Letters that were read in a wrong encoding, written out by other programs, or lost."""

from __future__ import annotations

import html
import re

_ESCAPED = re.compile(r"<U\+([\dA-F]{4})>|\\u([\da-f]{4})|\\x([\da-f]{2})")
_BY_BYTES = re.compile(r"(?:[%=][\dA-F]{2})+")
"""Bytes as URLs and mails write them: Z%C3%BCrich, Z=FCrich."""

_TAGGED = re.compile(r"<!\[CDATA\[(.*)\]\]>|<(\w+)>(.*)</\2>")
_BYTES = re.compile("b'(.*)'")
_LOST = re.compile("[^\\x00-\\x7f]+|[?_]+")
"""Letters that are not ASCII; and what programs write in the place of one, or of each of its bytes."""

_MARK = re.compile("[?_]|(?![^\\W\\d_])[^\\x00-\\x7f]")


def encoding(text: str) -> str:
    """Undo a wrong encoding, and write out what HTML, XML, R, JSON, URLs and Python escape."""
    plain = html.unescape(text) if "&" in text and ";" in text else text
    plain = found[1] if (found := _BYTES.fullmatch(plain)) else plain
    if "<" in plain and (found := _TAGGED.fullmatch(plain)):
        plain = found[1] or found[3] or ""
    plain = _ESCAPED.sub(lambda m: chr(int(m[m.lastindex or 0], 16)), plain)
    if "%" in plain or "=" in plain:
        plain = _BY_BYTES.sub(lambda m: _decoded(bytes.fromhex(re.sub("[%=]", "", m[0]))), plain)
    for _ in range(2):  # some are read twice
        try:
            plain = plain if plain.isascii() else plain.encode("cp1252").decode("utf-8")
        except UnicodeError:
            break
    return plain


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeError:
        return raw.decode("cp1252", "replace")


def dropped_letters(text: str) -> tuple[str, str] | None:
    """Leave out each letter that is not ASCII, and no sign: Zrich for Zürich, but 65 is not ≥65."""
    key = "".join(c for c in text if c.isascii() or not c.isalpha())
    return (key, "lost" if key == text else "whole") if sum(c.isalpha() for c in key) > 1 else None


def may_be_lost(text: str) -> bool:
    """Whether a text has what may stand for a letter: Z?rich, Z_rich, and Z”rich, which was read as another."""
    return bool(_MARK.search(text))


def lost_letters(text: str) -> tuple[str, str] | None:
    """Read each letter that is not ASCII as one that was lost."""
    key = _LOST.sub("\ufffd", text)
    if key == text == text.replace("\ufffd", "") or sum(c.isascii() and c.isalpha() for c in text) < 2:
        return None
    return key, "lost" if may_be_lost(text) else "whole"
