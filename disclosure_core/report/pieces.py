"""Pieces that several sections share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from disclosure_core.report.source import Block
from disclosure_core.report.words import OF
from disclosure_core.rounding import fixed

MOST_NAMES = 12
"""Names that a sentence lists; more are counted."""


def heading(text: str, *, contents: bool = False) -> Block:
    """Return the heading of a section, with the contents of what follows before it where wanted."""
    return Block("heading", text, contents=contents)


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    texts: int = 1,
    *,
    result: bool = False,
    **more: Any,
) -> Block:
    """Return a table whose first `texts` columns are text and whose others are figures, but for a last one of results."""
    last = len(columns) - result
    figures = frozenset(range(texts, last))
    more |= {"result": last} if result else {}
    return Block("table", caption, columns=tuple(columns), rows=tuple(map(tuple, rows)), figures=figures, **more)


def texts(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Block:
    """Return a table that holds no figure."""
    return table(caption, columns, rows, len(columns))


def names_in(names: Iterable[str]) -> str:
    """Return names as a list in a sentence; many only as their number."""
    names = list(names)
    listed = ", ".join(f"“{name}”" if "," in name else name for name in names[:MOST_NAMES])
    return listed if len(names) <= MOST_NAMES else f"{len(names)} columns, each a row of the section on attributes"


def counts(values: Iterable[float]) -> list[str]:
    """Return a column of counts, or of means of them: with a decimal only where one of them is not whole."""
    values = list(values)
    return [fixed(v, 0 if all(float(v).is_integer() for v in values) else 1) for v in values]


def span(low: str, high: str) -> str:
    """Return two written ends of a range; one alone where they are the same."""
    return low if low == high else f"{low} to {high}"


def numerators_of(*measures: str) -> str:
    """Return the numerators of measures, for a caption that has said of what."""
    return "; ".join(OF[m] for m in measures) + "."
