"""Pieces that several sections share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.report.source import Block
from disclosure_core.report.words import OF
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_NAMES = 12
"""Names that a sentence lists; more are counted."""


def heading(text: str, *, contents: bool = False) -> Block:
    """Return the heading of a section, with the contents of what follows before it where wanted."""
    return Block("heading", text, contents=contents)


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> Block:
    """Return a table whose first `texts` columns are text and whose others are figures."""
    return Block(
        "table",
        caption,
        columns=tuple(columns),
        rows=tuple(tuple(row) for row in rows),
        figures=frozenset(range(texts, len(columns))),
    )


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


def of(*measures: str) -> str:
    """Return the numerators of measures, for a caption that has said of what."""
    return "; ".join(OF[m] for m in measures) + "."
