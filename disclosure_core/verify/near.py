"""Near misses of numbers counted a second time, in fractions (measures.md 12).

As `counter.py`, which it counts with, this file imports nothing of the program.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import nan
from typing import TYPE_CHECKING, Any

from disclosure_core.verify.counter import mean, pct, spread

if TYPE_CHECKING:
    from disclosure_core.verify.counter import Cell, Row, Target

    Said = tuple[Fraction, Fraction] | str | None
    """The smallest and largest number that records with the same keys have, the one level they have, or neither."""

_NO_LEVEL = object()


@cache
def _fraction(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except ValueError:  # an infinite number
        return None


def near_misses(target: Target, codes: Collection[float], amount: tuple[int, int], relative: bool) -> Row:
    """Return DiS, DiSCO and Dorig within a tolerance, means over the syntheses, and the best single guess."""
    near, n = _Near(codes, Fraction(*amount), relative), target.data.n[0]
    own = near.said(target.d)
    dis, disco = [], []
    for s in target.s:
        said = near.said(s)
        dis.append(pct(sum(m for (q, _), m in target.d_left.items() if near.made(said.get(q, _NO_LEVEL))), n))
        disco.append(pct(sum(m for (q, t), m in target.d_left.items() if near.right(said.get(q, _NO_LEVEL), t)), n))
    return {
        "DiS": mean(dis),
        "DiSCO": mean(disco),
        **spread(disco),
        "Dorig": pct(sum(m for (q, _), m in target.d_left.items() if near.made(own[q])), n),
        "guess": pct(near.best(target.data.by_level(target.name)), n),
    }


def beside_outside(target: Target, codes: Collection[float], amount: tuple[int, int], relative: bool) -> Row:
    """Return right claims about members and about people outside, means over the syntheses, and the difference."""
    data = target.data
    assert data.outside is not None
    near = _Near(codes, Fraction(*amount), relative)
    h = data.cells(target.keys, target.name, data.outside)
    people = {c: m for c, m in h.items() if target.why(c, 1) == "remaining"}
    shares: list[list[float]] = [[], []]
    for s in target.s:
        said = near.said(s)
        for found, side, n in zip(shares, (target.d_left, people), (data.n[0], data.n[data.outside]), strict=True):
            found.append(pct(sum(m for (q, t), m in side.items() if near.right(said.get(q, _NO_LEVEL), t)), n))
    members, others = map(mean, shares)
    gain = (members - others) / (100 - others) if others < 100 else nan
    return {"members": members, "non_members": others, "difference": members - others, "R": gain}


class _Near:
    """What is near within one tolerance, of a target with these missing codes."""

    def __init__(self, codes: Collection[float], amount: Fraction, relative: bool) -> None:
        self.codes = {Fraction(str(code)) for code in codes}
        self.amount, self.relative = amount, relative

    def number(self, t: str | None) -> Fraction | None:
        """Return a level's number; None where it is none: missing, or a code for no answer."""
        found = None if t is None else _fraction(t)
        return None if found in self.codes else found

    def said(self, cells: Mapping[Cell, int]) -> dict[Any, Any]:
        """Return by keys what their records say."""
        levels: dict[Any, set[str | None]] = {}
        for q, t in cells:
            levels.setdefault(q, set()).add(t)
        return {q: self._of(ts) for q, ts in levels.items()}

    def _of(self, levels: set[str | None]) -> Any:
        numbers = [self.number(t) for t in levels]
        known = [v for v in numbers if v is not None]
        if len(known) == len(levels):
            return min(known), max(known)
        return ("level", next(iter(levels))) if len(levels) == 1 else _NO_LEVEL

    def within(self, centre: Fraction) -> Fraction:
        """Return how far from a number claimed another may be."""
        return self.amount * abs(centre) if self.relative else self.amount

    def made(self, said: Any) -> bool:
        """Return whether there is a claim."""
        if said is _NO_LEVEL or said[0] == "level":
            return said is not _NO_LEVEL
        low, high = said
        return bool(high - low <= 2 * self.within((low + high) / 2))

    def right(self, said: Any, t: str | None) -> bool:
        """Return whether there is a claim, and it is right for somebody with this level."""
        if not self.made(said):
            return False
        if said[0] == "level":
            return bool(said[1] == t)
        v, centre = self.number(t), sum(said) / 2
        return v is not None and bool(abs(v - centre) <= self.within(centre))

    def best(self, levels: Mapping[str | None, int]) -> int:
        """Return for how many the best single guess is right: a number, or a level that is none."""
        numbers: Counter[Fraction] = Counter()
        others = [0]
        for t, n in levels.items():
            v = self.number(t)
            if v is None:
                others.append(n)
            else:
                numbers[v] += n
        return max(*others, self._most(sorted(numbers), numbers)) if numbers else max(others)

    def _most(self, values: Sequence[Fraction], of: Mapping[Fraction, int]) -> int:
        a = self.amount
        if not self.relative:
            return _window(values, of, lambda v: v + 2 * a)
        if a > 1:
            return sum(of.values())
        if a == 1:
            return max(sum(of[v] for v in values if sign * v >= 0) for sign in (1, -1))
        # What lies within ρ of c lies from c − ρc to c + ρc, so from v to v (1 + ρ) / (1 − ρ).
        found = [of.get(Fraction(0), 0)]
        for sign in (1, -1):
            side = {sign * v: of[v] for v in values if sign * v > 0}
            found.append(_window(sorted(side), side, lambda v: v * (1 + a) / (1 - a)))
        return max(found)


def _window(values: Sequence[Fraction], of: Mapping[Fraction, int], end: Any) -> int:
    upto = [0, *accumulate(of[v] for v in values)]
    return max((upto[bisect_right(values, end(v))] - upto[bisect_left(values, v)] for v in values), default=0)
