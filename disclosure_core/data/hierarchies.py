"""Hierarchies of a column: as it is, then coarser and coarser, then unknown (measures.md 13).

An intruder may know an age in five-year bands and a region exactly. Each level is a function of the one before.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from disclosure_core.data.readers._encoding import as_utf8, encoding_of
from disclosure_core.data.values import Kind
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import exact, in_full

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable

CALENDAR = ("month", "quarter", "year", "decade")
"""Levels of a date, finest first."""

AS_IT_IS, UNKNOWN = "as it is", "unknown"
"""Names of the first and the last level of every hierarchy."""

_LARGEST = 4_000_000
"""Bytes of a table."""
_MOST = 50
"""Levels of a hierarchy."""
_ROOM = Context(prec=400)
_NUMBER = re.compile(r"[+-]?\d{1,40}(\.\d{1,40})?")


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """How a column may be known less exactly; made by `bands`, `calendar`, `prefixes`, `table` or `parsed`.

    Attributes
    ----------
    kind
        "bands", "calendar", "prefixes" or "table".
    steps
        Widths of bands as written, levels of `CALENDAR`, or numbers of characters; finest first.
    rows
        Of a table: the level and its parents, finest first; all of one length.

    Examples
    --------
    >>> str(Hierarchy.bands(5, 10))
    '5,10'
    """

    kind: str
    steps: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def bands(cls, *widths: float | str) -> Self:
        """Return bands of numbers, aligned at 0, each width a multiple of the one before.

        Raises
        ------
        DisclosureError
            When a width is no number above 0, or no multiple of the next smaller one.

        Examples
        --------
        >>> Hierarchy.bands(5, 10).steps
        ('5', '10')
        """
        numbers = sorted({_width(width) for width in widths})
        for narrow, wide in pairwise(numbers):
            if (wide / narrow).denominator != 1:
                raise DisclosureError(
                    f"A band of {in_digits(wide)} holds no whole bands of {in_digits(narrow)}; choose a multiple of it."
                )
        return cls("bands", tuple(map(in_digits, _some(numbers))))

    @classmethod
    def calendar(cls, *levels: str) -> Self:
        """Return levels of dates: month, quarter, year, decade.

        Raises
        ------
        DisclosureError
            When a level is none of these.
        """
        for level in levels:
            if level not in CALENDAR:
                raise DisclosureError(f"A date is known to its {', '.join(CALENDAR)}, not to its {level!r}.")
        return cls("calendar", tuple(level for level in CALENDAR if level in _some(levels)))

    @classmethod
    def prefixes(cls, *lengths: int | str) -> Self:
        """Return the first characters of codes.

        Raises
        ------
        DisclosureError
            When a length is no whole number above 0.
        """
        for n in lengths:
            if not (isinstance(n, int) or (n.isascii() and n.isdecimal())) or int(n) < 1:
                raise DisclosureError(f"So many first characters are a whole number above 0, not {str(n)!r}.")
        return cls("prefixes", tuple(map(str, sorted({int(n) for n in _some(lengths)}, reverse=True))))

    @classmethod
    def table(cls, rows: Iterable[Iterable[object]]) -> Self:
        """Return a table: a row a level, with its parents, finest first.

        Raises
        ------
        DisclosureError
            When it has no row, no parents, or rows of different lengths.
        """
        texts = tuple(dict.fromkeys(tuple(str(cell) for cell in row) for row in rows))
        if not texts:
            raise DisclosureError("The table of a hierarchy has no rows; write a level and its parents in each.")
        for i, row in enumerate(texts, start=1):
            if len(row) != len(texts[0]):
                raise DisclosureError(
                    f"Row {i} of the table has {len(row)} columns and the first row {len(texts[0])}: the level "
                    f"{row[0]!r} needs as many parents as the others."
                )
        if not 2 <= len(texts[0]) <= _MOST:
            raise DisclosureError(f"The table of a hierarchy has 2 to {_MOST} columns: a level, then its parents.")
        return cls("table", rows=texts)

    @classmethod
    def read(cls, data: bytes, name: str) -> Self:
        """Return a table from a CSV file as ARX and sdcMicro write it: with ; or , or a tab between, no header.

        Raises
        ------
        DisclosureError
            As `table`, and when the file is too large or no text.
        """
        if len(data) > _LARGEST:
            raise DisclosureError(f"{name} is larger than {_LARGEST // 1_000_000} MB; no hierarchy is.")
        text = as_utf8(data, encoding_of(data), name).decode("utf-8").lstrip("\ufeff")
        head = text[:65_536]
        delimiter = max(";\t,", key=head.count)
        try:
            rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(c.strip() for c in row)]
        except csv.Error:
            raise DisclosureError(f"{name} is no CSV file; write a level and its parents in each row.") from None
        return cls.table(rows)

    @classmethod
    def parsed(cls, text: str, column: Variable) -> Self:
        """Return what somebody wrote for a column: "5,10,20", "month,year", "3,1" of a code, "prefix:3,1".

        Raises
        ------
        DisclosureError
            As the others, and when it does not fit the type of the column.
        """
        kind, colon, rest = text.partition(":")
        steps = [step.strip() for step in (rest if colon else text).split(",") if step.strip()]
        if not steps:
            raise DisclosureError(f"The hierarchy of {column.name!r} names no level; write 5,10 or month,year.")
        if colon and kind.strip() not in ("prefix", "bands"):
            raise DisclosureError(f"The hierarchy of {column.name!r} begins with {kind!r}; write prefix:3,1.")
        if kind.strip() == "prefix" and colon:
            return cls.prefixes(*steps)
        if column.kind is Kind.NUMBER:
            return cls.bands(*steps)
        return cls.calendar(*steps) if column.kind is Kind.DATE else cls.prefixes(*steps)

    def to_plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        return {"kind": self.kind, "steps": list(self.steps), "rows": [list(row) for row in self.rows]}

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Return what `to_plain` wrote.

        Raises
        ------
        ValueError
            When it is something else.
        """
        strange = [name for name in plain if name not in ("kind", "steps", "rows")] if isinstance(plain, dict) else [""]
        if strange:
            raise ValueError(f"a hierarchy has kind, steps and rows, and no {strange[0][:60]!r}")
        make = {"bands": cls.bands, "calendar": cls.calendar, "prefixes": cls.prefixes}.get(str(plain.get("kind")))
        steps, rows = plain.get("steps", ()), plain.get("rows", ())
        try:
            if plain.get("kind") == "table" and all(isinstance(cell, str) for row in rows for cell in row):
                return cls.table(rows)
            if make is not None and rows in ([], ()) and all(isinstance(step, str) for step in steps):
                return make(*steps)
        except DisclosureError as error:
            raise ValueError(str(error)) from error
        except TypeError as error:
            raise ValueError("a hierarchy is not complete") from error
        raise ValueError("a hierarchy is bands, calendar, prefixes or a table")

    def __str__(self) -> str:
        """Return it as `parsed` reads it; of a table, its size."""
        if self.kind == "table":
            return f"table of {len(self.rows):,} levels"
        return ("prefix:" if self.kind == "prefixes" else "") + ",".join(self.steps)


def suggested(column: Variable) -> Hierarchy | None:
    """Return a hierarchy that suits a column: bands of 5, 10 and 20, or months and years; None where none does."""
    if column.kind is Kind.DATE:
        return Hierarchy.calendar("month", "year")
    if column.kind is not Kind.NUMBER or not column.n_levels:
        return None
    values = [float(v) for v in column.values.tolist() if math.isfinite(float(v))]
    spread = max(values) - min(values) if values else 0.0
    if not 20 <= spread < math.inf:
        return None
    unit = 10 ** max(math.floor(math.log10(spread / 20)), 0)
    return Hierarchy.bands(5 * unit, 10 * unit, 20 * unit)


def regrouped(
    hierarchy: Hierarchy | None, levels: Sequence[str], members: Iterable[str], group: str, *, wider: bool = False
) -> Hierarchy | None:
    """Return the table of a hierarchy with some levels in one group; None where no level is in any group then.

    Parameters
    ----------
    hierarchy
        A table with groups, and groups of groups at most; anything else begins anew.
    levels
        All levels that the column has.
    members
        Of `levels`; with `wider`, of the groups, for a group of groups.
    group
        Its name; empty: each member stands alone again.

    Raises
    ------
    DisclosureError
        When a member is not there, or none is named.

    Examples
    --------
    >>> regrouped(None, ["north", "south", "sea"], ["north", "south"], "land").rows
    (('north', 'land'), ('south', 'land'), ('sea', 'sea'))
    """
    rows = hierarchy.rows if hierarchy is not None and hierarchy.kind == "table" and len(hierarchy.rows[0]) <= 3 else ()
    first = {level: level for level in levels} | {row[0]: row[1] for row in rows if row[0] in levels}
    second = {row[1]: row[-1] for row in rows}
    members, among = tuple(members), list(dict.fromkeys(first.values())) if wider else list(levels)
    if not members:
        raise DisclosureError("Choose the levels that stand together first.")
    for member in members:
        if member not in among:
            raise not_found("The level", member, "among those to be grouped", among)
    part = second if wider else first
    for member in members:
        part[member] = group.strip() or member
    found = [(level, above, second.get(above, above)) for level, above in first.items()]
    if all(len(set(part)) == len(found) for part in zip(*found, strict=True)):
        return None
    return Hierarchy.table(found if any(row[1] != row[2] for row in found) else [row[:2] for row in found])


def value_of(text: str) -> object:
    """Return a number that a text holds, or the text."""
    return Fraction(text) if _NUMBER.fullmatch(text) else text


def _width(width: float | str) -> Fraction:
    text = width.strip() if isinstance(width, str) else in_digits(exact(width)) if math.isfinite(width) else ""
    found = Fraction(text) if _NUMBER.fullmatch(text) else Fraction(0)
    if found <= 0:
        raise DisclosureError(f"The width of a band is a number above 0, not {str(width)!r}.")
    return found


def _some(steps: Sequence[Any]) -> Sequence[Any]:
    if not steps:
        raise DisclosureError("A hierarchy names at least one level; write 5,10 or month,year.")
    if len(steps) > _MOST:
        raise DisclosureError(f"A hierarchy has at most {_MOST} levels; name fewer.")
    return steps


def in_digits(number: Fraction) -> str:
    """Return a fraction as its decimal: 1/10 is 0.1."""
    return in_full(_ROOM.divide(Decimal(number.numerator), Decimal(number.denominator)))
