"""The one error a user can cause: a sentence that says what to change."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class DisclosureError(Exception):
    """What was asked cannot be done; the message is one sentence that says what to change.

    The message never holds values of records, only names and levels that the user gave.
    """


def not_found(what: str, name: str, where: str, available: Iterable[str]) -> DisclosureError:
    """Return the error for a name that is not there, with the nearest name that is.

    Parameters
    ----------
    what
        What was looked for: "Key", "Target level" …
    name
        The name as the user gave it.
    where
        Where it was looked for: "in the data", "of 'income'" …
    available
        The names that would have been found.
    """
    names = [str(n) for n in available]
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        hint = f"Did you mean {near[0]!r}?"
    elif len(names) <= 12:
        hint = "Choose one of " + ", ".join(repr(n) for n in names) + "." if names else "There is none to choose."
    else:
        hint = f"Choose one of the {len(names)} there are."
    return DisclosureError(f"{what} {str(name)!r} is not {where}. {hint}")
