"""R's objects as rdata gives them: kinds, attributes, texts and what lists hold. What they mean is told elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def kind_of(node: Any) -> str:
    """Return R's type of an object: "REAL", "STR", "VEC" …; references are followed."""
    return str(node.info.type.name)


def attributes(node: Any) -> dict[str, Any]:
    """Return an object's attributes by name."""
    return dict(pairs(node.attributes)) if node.attributes is not None else {}


def pairs(node: Any) -> Iterator[tuple[str, Any]]:
    """Give names and values of R's pairlist."""
    while node is not None and kind_of(node) == "LIST":
        tag = node.tag
        while tag is not None and kind_of(tag) == "REF":
            tag = tag.referenced_object
        if tag is not None:
            yield text(tag.value), node.value[0]
        node = node.value[1]


def text(node: Any, encoding: str | None = None) -> Any:
    """Return one of R's texts; None for NA."""
    raw = node.value
    if raw is None:
        return None
    if node.info.gp & 4:  # marked as Latin 1
        return raw.decode("cp1252", "replace")
    if node.info.gp & (8 | 64):  # UTF-8, ASCII
        return raw.decode("utf-8", "replace")
    for guess in (encoding, "utf-8"):
        try:
            return raw.decode(guess or "utf-8")
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("cp1252", "replace")


def texts(node: Any, encoding: str | None = None) -> list[Any]:
    """Return R's character vector as a list; None for NA."""
    if node is None or kind_of(node) != "STR":
        return []
    decoded: dict[tuple[Any, int], Any] = {}
    values = []
    for element in node.value:
        key = (element.value, element.info.gp)
        if key not in decoded:
            decoded[key] = text(element, encoding)
        values.append(decoded[key])
    return values


def classes(node: Any) -> list[str]:
    """Return an object's classes."""
    return texts(attributes(node).get("class"))


def named(node: Any) -> list[tuple[str, Any]]:
    """Return what a list or an image holds, by name; an unnamed list's by number."""
    if kind_of(node) == "LIST":
        return list(pairs(node))
    if kind_of(node) != "VEC":
        return []
    names = texts(attributes(node).get("names"))
    return [(names[i] if i < len(names) and names[i] else str(i + 1), element) for i, element in enumerate(node.value)]
