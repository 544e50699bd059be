"""Hierarchies of a column: as it is, then coarser and coarser, then unknown (measures.md 13).

An intruder may know an age in five-year bands and a region exactly. Each level is a function of the one before.
"""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from disclosure_core.data.outsiders import UNMATCHED
from disclosure_core.data.readers._encoding import as_utf8, encoding_of
from disclosure_core.data.values import Kind
from disclosure_core.data.values import texts as _texts
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import StudyOf

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
_DAY = re.compile(r"(-?\d{4,})-(\d\d)-\d\d")


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
                    f"A band of {_plain(wide)} holds no whole bands of {_plain(narrow)}; choose a multiple of it."
                )
        return cls("bands", tuple(map(_plain, _some(numbers))))

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
        if not isinstance(plain, dict) or not plain.keys() <= {"kind", "steps", "rows"}:
            raise ValueError("a hierarchy has kind, steps and rows")
        make = {"bands": cls.bands, "calendar": cls.calendar, "prefixes": cls.prefixes}.get(str(plain.get("kind")))
        steps, rows = plain.get("steps", ()), plain.get("rows", ())
        try:
            if plain.get("kind") == "table" and all(isinstance(cell, str) for row in rows for cell in row):
                return cls.table(rows)
            if make is not None and not rows and all(isinstance(step, str) for step in steps):
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


@dataclass(frozen=True, eq=False, repr=False)
class Coarsening:
    """One level of a hierarchy.

    Attributes
    ----------
    name
        As it is said: "bands of 5", "month", "first 2 characters", "3 groups".
    codes
        Shape (n_codes,): for each code of the column, missing last, its code here.
    labels
        Of each code here.
    """

    name: str
    codes: npt.NDArray[np.intp]
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many codes there are here."""
        return len(self.labels)


def coarsenings(
    column: Variable,
    hierarchy: Hierarchy | None = None,
    special: npt.NDArray[np.bool_] | None = None,
    n_sides: int | None = None,
) -> tuple[Coarsening, ...]:
    """Return the levels of a column, from as it is to unknown.

    Parameters
    ----------
    column
        Its levels.
    hierarchy
        None: nothing between the two ends.
    special
        Shape (n_levels,): the missing codes, which stay levels of their own until unknown, as Missing does.
    n_sides
        So many sides, the original first, hold the levels that a table must have; all of them by default.

    Raises
    ------
    DisclosureError
        When the hierarchy does not fit the column: a table lacks a level, gives it two parents, or is not nested.

    Source
    ------
    measures.md 13.
    """
    own = np.zeros(column.n_levels, dtype=bool) if special is None else special.copy()
    own[list(column.missing_levels)] = True
    finest = Coarsening(AS_IT_IS, np.arange(column.n_codes), column.labels)
    last = Coarsening(UNKNOWN, np.zeros(column.n_codes, dtype=np.intp), (UNKNOWN,))
    if hierarchy is None:
        return finest, last
    steps: list[tuple[str, list[str]]]
    alone = getattr(column, "further", [])
    written = _texts(np.array(alone, dtype=object))
    further: list[list[str]]
    if hierarchy.kind == "bands":
        steps = [(f"bands of {width}", _banded(column, Fraction(width), own)) for width in hierarchy.steps]
        further = [bands_of(alone, Fraction(width)) for width in hierarchy.steps]
    elif hierarchy.kind == "calendar":
        steps = [(level, _dated(column, level)) for level in hierarchy.steps]
        further = [dates_of(written, level) for level in hierarchy.steps]
    elif hierarchy.kind == "prefixes":
        steps = [(_characters(int(n)), [text[: int(n)] for text in column.levels]) for n in hierarchy.steps]
        further = [[text[: int(n)] for text in written] for n in hierarchy.steps]
    else:
        steps, top, further = _from_table(column, hierarchy.rows, own, column.counts[:n_sides].sum(axis=0), written)
        last = Coarsening(UNKNOWN, last.codes, (top,))
    for others in further:  # a value of another type, or what an earlier safeguard left unmatched, has no coarser level
        others[:] = [UNMATCHED if text == UNMATCHED else other for text, other in zip(written, others, strict=True)]
    coarser = [
        coarsening(column, name, known, own, others) for (name, known), others in zip(steps, further, strict=True)
    ]
    return finest, *coarser, last


def of_keys(
    study: StudyOf[Any], columns: Sequence[Variable], hierarchies: dict[str, Hierarchy], n_sides: int
) -> tuple[tuple[Coarsening, ...], ...]:
    """Return the levels of each key; a table must have what the first `n_sides` of original and syntheses hold."""
    found = []
    for column in columns:
        hierarchy = hierarchies.get(column.name)
        special = study.is_missing_code(column.name) if hierarchy is not None else None
        found.append(coarsenings(column, hierarchy, special, n_sides))
    return tuple(found)


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


def coarsening(
    column: Variable, name: str, texts: Sequence[str], own: npt.NDArray[np.bool_], further: Sequence[str]
) -> Coarsening:
    """Return a level from each value's text there; what is `own` never meets a text that is spelt alike.

    `further` are those of the values that the holdout alone has (`JointStudy.with_unmatched`), or `UNMATCHED`.
    """
    code_of: dict[tuple[bool, str], int] = {}
    pairs = [(bool(o), label if o else text) for o, label, text in zip(own, column.levels, texts, strict=True)]
    every = (
        *pairs,
        *((True, label) for label in column.labels[column.n_levels :][:2]),
        *((t == UNMATCHED, t) for t in further),
    )
    codes = [code_of.setdefault(pair, len(code_of)) for pair in every]
    return Coarsening(name, np.array(codes, dtype=np.intp), tuple(text for _, text in code_of))


def _banded(column: Variable, width: Fraction, own: npt.NDArray[np.bool_]) -> list[str]:
    if column.kind is not Kind.NUMBER:
        raise DisclosureError(f"{column.name!r} is not numeric and has no bands; give it a table or prefix:1.")
    texts = []
    for value, alone in zip(column.values.tolist(), own.tolist(), strict=True):
        if alone:
            texts.append("")
            continue
        if isinstance(value, float) and not math.isfinite(value):
            raise DisclosureError(f"{column.name!r} has infinite values, which no band holds; make them missing.")
        texts += bands_of([value], width)
    return texts


def bands_of(values: Iterable[Any], width: Fraction) -> list[str]:
    """Return the band of each number; an infinite one is in none."""
    texts = []
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            texts.append(UNMATCHED)
            continue
        start = exact(value) // width * width
        texts.append(f"[{_plain(start)},{_plain(start + width)})")
    return texts


def _dated(column: Variable, level: str) -> list[str]:
    if column.kind is not Kind.DATE:
        raise DisclosureError(f"{column.name!r} holds no dates and has no {level}; give it bands, a table or prefix:1.")
    return dates_of(column.levels, level)


def dates_of(texts: Iterable[str], level: str) -> list[str]:
    """Return the month, quarter, year or decade of each date."""
    known = []
    for text in texts:
        found = _DAY.match(text)
        year, month = (int(found[1]), int(found[2])) if found else (0, 0)
        known.append(
            {
                "month": f"{year}-{month:02d}",
                "quarter": f"{year} Q{(month + 2) // 3}",
                "year": f"{year}",
                "decade": f"{year // 10 * 10}s",
            }[level]
        )
    return known


def _from_table(
    column: Variable, rows: Sequence[Sequence[str]], own: npt.NDArray[np.bool_], counts: npt.NDArray[np.int64],
    further: Sequence[str] = (),
) -> tuple[list[tuple[str, list[str]]], str, list[list[str]]]:  # fmt: skip
    """Return the levels of a table below its last single value, that value, and at each level the `further` values.

    "unknown" where it has no last single value. A further value that it lacks is unmatched at every level.
    """
    of_number = column.kind is Kind.NUMBER
    parents: dict[object, Sequence[str]] = {}
    at = {value_of(level) if of_number else level: i for i, level in enumerate(column.levels)}
    others = [value_of(text) if of_number else text for text in further]
    wanted = {*at, *others}
    for row in rows:
        key = value_of(row[0]) if of_number else row[0]
        if key in wanted and (before := parents.setdefault(key, row))[1:] != row[1:]:
            a, b = next((a, b) for a, b in zip(before[1:], row[1:], strict=True) if a != b)
            raise _two_parents(column.name, row[0], a, b)
    lacking = [column.levels[i] for key, i in at.items() if key not in parents and counts[i] and not own[i]]
    if lacking:
        more = f" and for {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
        raise DisclosureError(
            f"The table of {column.name!r} has no row for the level {lacking[0]!r}{more}; add what is missing."
        )
    used = [parents.get(key) for key, _ in sorted(at.items(), key=lambda pair: pair[1])]
    in_table = [row for row, mine in zip(used, own.tolist(), strict=True) if row is not None and not mine]
    rows_alone = [parents.get(key) for key in others]
    apart = bool(
        counts[: column.n_levels][own].any() or counts[column.n_levels]
    )  # what stays a level of its own until unknown
    for i in range(2, len(rows[0])):
        above: dict[str, str] = {}
        for row in (*in_table, *filter(None, rows_alone)):
            if (other := above.setdefault(row[i - 1], row[i])) != row[i]:
                raise _two_parents(column.name, row[i - 1], other, row[i])
    steps: list[tuple[str, list[str]]] = []
    alone: list[list[str]] = []
    n_before = len({row[0] for row in in_table})
    for i in range(1, len(rows[0])):
        n = len({row[i] for row in in_table})
        if n <= 1 and not apart:
            return steps, in_table[0][i] if in_table else UNKNOWN, alone
        if n < n_before:  # a column that merges nothing is no coarser level
            texts = [
                column.levels[j] if row is None else row[i] for j, row in enumerate(used)
            ]  # what the holdout alone has stays as it is
            steps.append((f"{n:,} group{'s' if n > 1 else ''}", texts))
            alone.append([UNMATCHED if row is None else row[i] for row in rows_alone])
        n_before = n
    return steps, UNKNOWN, alone


def _two_parents(name: str, level: str, a: str, b: str) -> DisclosureError:
    return DisclosureError(f"The table of {name!r} gives the level {level!r} two parents, {a!r} and {b!r}; keep one.")


def value_of(text: str) -> object:
    """Return a number that a text holds, or the text."""
    return Fraction(text) if _NUMBER.fullmatch(text) else text


def _width(width: float | str) -> Fraction:
    text = width.strip() if isinstance(width, str) else _plain(exact(width)) if math.isfinite(width) else ""
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


def _plain(number: Fraction) -> str:
    """Return a fraction as its decimal: 1/10 is 0.1."""
    text = f"{_ROOM.divide(Decimal(number.numerator), Decimal(number.denominator)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _characters(n: int) -> str:
    return f"first {n} characters" if n > 1 else "first character"
