"""How a text names a column and says something of it: NAME=VALUE, and lists with commas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable

Name = TypeVar("Name", bound="Hashable")

_QUOTED = r'"((?:[^"]|"")*)"'
_PART = re.compile(rf"(?:\A|,)\s*(?:{_QUOTED}\s*(?=,|\Z)|([^,]*))")


def listed(text: str) -> list[str]:
    """Return the parts of a list with commas; what stands in double quotes stands as it is, with commas and blanks."""
    return [part[2].strip() if part[1] is None else part[1].replace('""', '"') for part in _PART.finditer(text)]


def names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas."""
    return tuple(filter(None, listed(text)))


def cuts(text: str, mark: str = "=") -> list[tuple[str, str]]:
    """Return each name and value that NAME=VALUE can be, the longest name first; a name may stand in double quotes.

    Examples
    --------
    >>> cuts("a=b=c")
    [('a=b', 'c'), ('a', 'b=c')]
    >>> cuts('"a"=b=c')[-1]
    ('a', 'b=c')
    """
    found = [(text[:i], text[i + 1 :]) for i in reversed(range(len(text))) if text[i] == mark]
    if quoted := re.match(_QUOTED + mark, text):
        found.append((quoted[1].replace('""', '"'), text[quoted.end() :]))
    return [(name, value) for name, value in found if name and value]


def named(text: str, known: Collection[str]) -> tuple[str, str] | None:
    """Return the name and value of NAME=VALUE: the longest name that is known, else the shortest; None without any."""
    found = cuts(text)
    return next((cut for cut in found if cut[0] in known), found[-1] if found else None)


def pair(
    text: str, option: str, form: str = "COLUMN=VALUE", columns: Collection[str] | None = None, mark: str = "="
) -> tuple[str, str]:
    """Return name and value of NAME=VALUE: of the names that fit, the longest that is a column."""
    found = cuts(text, mark)
    if not found:
        raise DisclosureError(f"{option} {text!r} has no value; write it as {form}.")
    return next((cut for cut in found if cut[0] in (columns or ())), found[0])


def pairs(
    texts: Iterable[str], option: str, form: str = "COLUMN=VALUE", columns: Collection[str] | None = None
) -> dict[str, str]:
    """Return the value by name of each NAME=VALUE; none of two that a name is given counts."""
    return once((pair(text, option, form, columns) for text in texts), option)


def once(said: Iterable[tuple[Name, str]], option: str, called: Callable[[Name], str] = repr) -> dict[Name, str]:
    """Return by name the value that an option gives; two values for one name are refused, `called` as it says."""
    found: dict[Name, str] = {}
    for name, value in said:
        if found.setdefault(name, value) != value:
            raise DisclosureError(f"{option} says two things of {called(name)}; give one of them.")
    return found
