"""Whether the first row of a table holds the names of its columns, or a record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._reading import NO_NAMES
from disclosure_core.data.readers._types import NUMBER

_CELLS = 50_000
"""Cells that are looked at; rows are 20 at least, and 1,000 at most."""

_DATED = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")


def rows_to_look_at(width: int) -> int:
    """Return how many rows below the first are looked at."""
    return max(20, min(1_000, _CELLS // max(width, 1)))


def plain_names(width: int) -> list[str]:
    """Return the names of columns that have none, as R gives them: V1, V2 and so on."""
    return [f"V{i}" for i in range(1, width + 1)]


def unnamed_note(width: int) -> str:
    """Return what is said of a table that was said to have no row of names."""
    return f"It has no row of names, as was said: its columns are called V1 to V{width:,}."


def looks_like_record(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is like the others and unlike names, told by the texts of its cells and of theirs.

    A name above numbers or dates that is none itself is a name. A text that stands below itself again and again, and a
    number above numbers, are values; whole numbers in steps, such as years, may be either.
    """
    rows = [row for row in rows if list(row) != list(first)]  # names once more are names
    if len(rows) < 2:
        return False
    if all(len(row) == len(first) + 1 and row[-1] for row in rows):  # row names without a name stand before
        rows = [row[1:] for row in rows]
    values = names = 0
    numbers = list[str]()
    for i, title in enumerate(map(str.strip, first)):
        below = [row[i].strip() for row in rows if i < len(row)]
        below = [text for text in below if not tidying.NO_ANSWER.fullmatch(text)]
        if not below or tidying.NO_ANSWER.fullmatch(title):
            continue
        of = next((kind for kind in (re.compile(NUMBER), _DATED) if all(map(kind.fullmatch, below))), None)
        if of is not None and not of.fullmatch(title):
            return False
        if of is not None:
            numbers.append(title)
        elif title in below:
            values += 1
        elif 2 * len(set(below)) <= len(below):
            names += 1
    if not _in_steps(numbers):
        values += len(numbers)
    return values > names and (values > 1 or len(first) == 1)


def _in_steps(numbers: Sequence[str]) -> bool:
    """Whether all are whole numbers in equal steps, or years: names that a table of years or of numbers has."""
    if not all(re.fullmatch(r"\d{1,9}", number) for number in numbers):
        return False
    whole = list(map(int, numbers))
    return all(1800 <= n <= 2200 for n in whole) or len({b - a for a, b in pairwise(whole)}) == 1


def record_question(first: Sequence[str]) -> str:
    """Return what is asked of a first row that looks like a record."""
    few = ", ".join(repr(text[:30]) for text in first[:4]) + (" …" if len(first) > 4 else "")
    return (
        f"The first row ({few}) was read as the names of the columns and looks like a record: if the file has no row "
        f"of names, {NO_NAMES}"
    )


OR_NO_NAMES = "; or choose “Row of names: none” (--header no), if its first row is a record"
"""What ends an error about names where the first row looks like a record."""
