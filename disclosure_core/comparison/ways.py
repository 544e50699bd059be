"""Ways to change a key besides the levels of a hierarchy: top and bottom codes, rounding, small levels merged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from typing import Self

from disclosure_core.errors import DisclosureError
from disclosure_core.protection.steps import Cap, MergeLevels, RoundTo, Step

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
WAYS = {
    "top": "top code, a number: values above it become it",
    "bottom": "bottom code, a number: values below it become it",
    "round": "rounded to multiples of a number",
    "merge": "the levels that fewer original records than a number have become one, Other",
}
"""Each way by its name, and what it does."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways to change one key; of each name one number at most acts in a chain.

    Attributes
    ----------
    top, bottom, round, merge
        Numbers, as of `WAYS`; a top and a bottom code may act together.

    Raises
    ------
    DisclosureError
        When a number is not finite, a width is not above 0, or a merging is of fewer than 2 records.

    Examples
    --------
    >>> Ways(top=(90.0,), round=(5.0,)).texts
    ('top:90', 'round:5')
    """

    top: tuple[float, ...] = ()
    bottom: tuple[float, ...] = ()
    round: tuple[float, ...] = ()
    merge: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name, numbers in self._all():
            if not all(isfinite(number) for number in numbers):
                raise DisclosureError(f"A {name} is a finite number.")
        if any(width <= 0 for width in self.round):
            raise DisclosureError("Numbers are rounded to multiples of a number above 0.")
        if any(not isinstance(fewer, int) or fewer < 2 for fewer in self.merge):
            raise DisclosureError("Merge levels that fewer than 2 records have, or more: a whole number.")

    def _all(self) -> list[tuple[str, tuple[float, ...]]]:
        return [("top", self.top), ("bottom", self.bottom), ("round", self.round), ("merge", self.merge)]

    def with_(self, text: str) -> Self:
        """Return these ways and what somebody wrote: "top:90,80", "round:5", "merge:20,50".

        Raises
        ------
        DisclosureError
            When it cannot be read.

        Examples
        --------
        >>> Ways().with_("top:90,80").with_("round:5")
        Ways(top=(90.0, 80.0), bottom=(), round=(5.0,), merge=())
        """
        name, _, numbers = (part.strip() for part in text.partition(":"))
        parts = [part.strip() for part in numbers.split(",")]
        if name not in WAYS or not all(_NUMBER.fullmatch(part) for part in parts):
            raise DisclosureError(
                f"{text!r} is no way to change a key; write top:90, bottom:18, round:5 or merge:20, with commas "
                "between several numbers."
            )
        whole = name == "merge" and all(part.isdigit() for part in parts)
        found = [*map(int, parts)] if whole else [*map(float, parts)]
        return replace(self, **{name: tuple(dict.fromkeys((*getattr(self, name), *found)))})

    @property
    def texts(self) -> tuple[str, ...]:
        """What `with_` reads, each name once."""
        return tuple(
            f"{name}:{','.join(f'{number:.15g}' for number in numbers)}" for name, numbers in self._all() if numbers
        )

    @property
    def each(self) -> tuple[str, ...]:
        """What `with_` reads, each number once."""
        return tuple(f"{name}:{number:.15g}" for name, numbers in self._all() for number in numbers)

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return any(numbers for _, numbers in self._all())

    def caps(self, column: str) -> list[Cap]:
        """Return each top and bottom code, and each pair of them whose bottom is below its top; the mildest first."""
        ends = product((None, *sorted(self.bottom)), (None, *sorted(self.top, reverse=True)))
        return [
            Cap(column, low, high)
            for low, high in ends
            if (low, high) != (None, None) and (low is None or high is None or low < high)
        ]

    def rounded(self, column: str) -> list[RoundTo]:
        """Return each rounding, the finest first."""
        return [RoundTo(column, width) for width in sorted(self.round)]

    def merged(self, column: str) -> list[MergeLevels]:
        """Return each merging, that of the smallest levels first."""
        return [MergeLevels(column, fewer) for fewer in sorted(self.merge)]


def named(steps: Sequence[Step]) -> str:
    """Return what steps make of a key, in few words: "top code 80, multiples of 5"; empty of levels alone."""
    parts = []
    for step in steps:
        if isinstance(step, Cap):
            ends = (("bottom", step.low), ("top", step.high))
            parts += [f"{word} code {end:.15g}" for word, end in ends if end is not None]
        elif isinstance(step, RoundTo):
            parts.append(f"multiples of {step.to:.15g}")
        elif isinstance(step, MergeLevels):
            parts.append(f"levels of fewer than {step.fewer:,} merged")
    return ", ".join(parts)
