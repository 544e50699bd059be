"""What a column is at each level of its hierarchy: from as it is to unknown (measures.md 13)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Indices, Ints, Mask
from disclosure_core.data.hierarchies import AS_IT_IS, UNKNOWN, Hierarchy, in_digits, value_of
from disclosure_core.data.joint_column import UNMATCHED
from disclosure_core.data.values import Kind
from disclosure_core.data.values import texts as _texts
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import exact

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import StudyOf


_DAY = re.compile(r"(-?\d{4,})-(\d\d)-\d\d")


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
        Of each code here; none where they are not shown.
    """

    name: str
    codes: Indices
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many codes there are here."""
        return len(self.labels)


def known_or_not(column: Variable) -> tuple[Coarsening, Coarsening]:
    """Return a column as it is, and unknown, without labels: those of 200,000 numbers take as long as a search."""
    codes = np.arange(column.n_codes)
    return Coarsening(AS_IT_IS, codes, ()), Coarsening(UNKNOWN, np.zeros_like(codes), ())


def coarsenings(
    column: Variable,
    hierarchy: Hierarchy | None = None,
    special: Mask | None = None,
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


def coarsening(column: Variable, name: str, texts: Sequence[str], own: Mask, further: Sequence[str]) -> Coarsening:
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


def _banded(column: Variable, width: Fraction, own: Mask) -> list[str]:
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
        texts.append(f"[{in_digits(start)},{in_digits(start + width)})")
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
    column: Variable,
    rows: Sequence[Sequence[str]],
    own: Mask,
    counts: Ints,
    further: Sequence[str] = (),
) -> tuple[list[tuple[str, list[str]]], str, list[list[str]]]:
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


def _characters(n: int) -> str:
    return f"first {n} characters" if n > 1 else "first character"
