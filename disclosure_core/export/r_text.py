"""Values, names and comments as R reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def literal(value: object) -> str:
    """Return a literal that R reads as this value."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return f"{value:.15g}"
    escaped = []
    for letter in str(value):
        if letter in '"\\':
            escaped.append("\\" + letter)
        elif letter.isprintable():
            escaped.append(letter)
        else:  # R takes neither a NUL nor half a pair
            escaped.append(f"\\U{0xFFFD if letter == chr(0) or 0xD800 <= ord(letter) < 0xE000 else ord(letter):08x}")
    return '"' + "".join(escaped) + '"'


def vector(values: Iterable[object]) -> str:
    """Return a vector of values."""
    return "c(" + ", ".join(literal(v) for v in values) + ")"


def named_list(by_name: Mapping[str, Iterable[object]]) -> str:
    """Return a list of vectors by name."""
    return "list(" + ", ".join(f"{_name(n)} = {vector(values)}" for n, values in by_name.items()) + ")"


def _name(raw: str) -> str:
    """Return a name that R takes on the left of `=`."""
    return "`" + "".join(f"\\U{ord(c):08x}" if c in "`\\" or not c.isprintable() else c for c in raw) + "`"


def comment(raw: str) -> str:
    """Return text for a comment: on one line."""
    return "".join(c if c.isprintable() else " " for c in raw)
