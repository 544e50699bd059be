"""What a second counter found of a review's figures, for command line, Python and report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.review.saved import to_json
from disclosure_core.rounding import printable, quantity

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

_DIGITS = 12
_MOST = 200
"""Differences that are named."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that the second counter does not find, or that is in a file and not in what the review makes.

    Attributes
    ----------
    figure
        Its column, table and row.
    stated, counted
        As stated, and as counted or made again; None where only the other is there.
    again
        Whether a second counter counted it; else the program made it again.
    """

    figure: str
    stated: float | str | None
    counted: float | str | None
    again: bool = True

    @property
    def sentence(self) -> str:
        """The figure, and what both say of it."""
        a, b = (
            "not there" if v is None else v if isinstance(v, str) else f"{v:.{_DIGITS}g}"
            for v in (self.stated, self.counted)
        )
        how = "counted" if self.again else "made"
        return f"{printable(self.figure)}: stated {printable(a)}, {how} again {printable(b)}."


@dataclass(frozen=True, slots=True)
class Verified:
    """What a second counter found of a review's figures, and what of a file is not as the review makes it.

    Attributes
    ----------
    n
        Figures counted again.
    differ
        What differs: figures by the second counter, and any value of a file that was handed over.
    not_counted
        By what they are, how many figures are not counted again: the program alone makes them.
    compared
        Values of the file that was handed over, each held against what the review makes.
    """

    n: int
    differ: tuple[Difference, ...]
    not_counted: Mapping[str, int]
    compared: int = 0

    @property
    def line(self) -> str:
        """How many figures were counted again, how many differ, and how many were not counted again."""
        others = sum(self.not_counted.values())
        more = f"; {others:,} not counted again" if others else ""
        of_file = f"; {quantity(self.compared, 'value')} of the file compared" if self.compared else ""
        differ = quantity(len(self.differ), "differs", "differ")
        return f"{quantity(self.n, 'figure')}, {differ}{more}{of_file}"

    @property
    def sentences(self) -> list[str]:
        """What differs, a sentence each, and how many more there are; that nothing was counted, where nothing was."""
        if not self.n:
            return ["No figure was counted again."]
        rest = len(self.differ) - _MOST
        more = [f"{quantity(rest, 'more differs', 'more differ')}."] if rest > 0 else []
        return [each.sentence for each in self.differ[:_MOST]] + more

    def __repr__(self) -> str:
        """Return the line, and the first figure that differs."""
        return f"Verified: {self.line}" + "".join(f"\n{d.sentence}" for d in self.differ[:1])


def keep(opened: Opened, found: Verified) -> Verified:
    """Keep what was found of a review's figures, for as long as it asks the same of the same data; return it."""
    opened.once("verified", *_inputs(opened), make=lambda: found)
    return found


def kept(opened: Opened) -> Verified | None:
    """Return what was found of the figures of this review as it stands; None where nobody had them counted again."""
    found: Verified | None = opened.kept("verified", *_inputs(opened))
    return found


def _inputs(opened: Opened) -> tuple[str, str]:
    return opened.first_set, to_json(replace(opened.review, about={}))
