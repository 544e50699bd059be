"""What a second counter found of a review's figures, for command line, Python and report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.review.saved import to_json
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.review.opened import Opened

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that the second counter does not find.

    Attributes
    ----------
    figure
        Its column, table and row.
    stated, counted
        As stated, and as counted again; None where only the other is there.
    """

    figure: str
    stated: float | None
    counted: float | None

    @property
    def sentence(self) -> str:
        """The figure, and what both counters say of it."""
        a, b = ("not there" if v is None else f"{v:.{_DIGITS}g}" for v in (self.stated, self.counted))
        return f"{printable(self.figure)}: stated {a}, counted again {b}."


@dataclass(frozen=True, slots=True)
class Verified:
    """What a second counter found of a review's figures.

    Attributes
    ----------
    n
        Figures counted again.
    differ
        Those of them that differ.
    not_counted
        By what they are, how many figures of the same document are not counted again.
    """

    n: int
    differ: tuple[Difference, ...]
    not_counted: Mapping[str, int]

    @property
    def line(self) -> str:
        """How many figures were counted again, how many differ, and how many were not counted again."""
        others = sum(self.not_counted.values())
        more = f"; {others:,} not counted again" if others else ""
        return f"{self.n:,} figure{'s' * (self.n != 1)}, {len(self.differ):,} differ{more}"

    def __repr__(self) -> str:
        """Return the line, and the first figure that differs."""
        return f"Verified: {self.line}" + "".join(f"\n{d.sentence}" for d in self.differ[:1])


def keep(opened: Opened, found: Verified) -> Verified:
    """Keep what was found of a review's figures, for as long as it asks the same of the same data; return it."""
    opened.once("verified", *_asked(opened), make=lambda: found)
    return found


def kept(opened: Opened) -> Verified | None:
    """Return what was found of the figures of this review as it stands; None where nobody had them counted again."""
    found: Verified | None = opened.kept("verified", *_asked(opened))
    return found


def _asked(opened: Opened) -> tuple[str, str]:
    return opened.first_set, to_json(replace(opened.review, about={}))
