"""The ways in which one key may be released, and the levels at which an intruder may know it then."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Indices, Mask
from disclosure_core.comparison.ladders import bands
from disclosure_core.comparison.ways import Ways, named
from disclosure_core.data.coarsenings import Coarsening, bands_of, coarsening, coarsenings
from disclosure_core.data.hierarchies import Hierarchy
from disclosure_core.data.values import texts as texts_of
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.columns import renumbered, small_levels
from disclosure_core.protection.detail import retained_of
from disclosure_core.protection.steps import Band, Cap, MergeLevels, OnColumn, RoundTo
from disclosure_core.rounding import exact

if TYPE_CHECKING:
    from disclosure_core.comparison.aims import May
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One way in which a key may be released.

    Attributes
    ----------
    steps
        What is done to the key; empty: it stays as it is.
    level
        What it is then, by its number among the key's levels.
    chain
        The levels at which an intruder may know it then, finest first; the last is unknown.
    known
        For each of these, the level at which the intruder would know it as it came.
    share
        Which share of the column's detail stays, 0 to 1.
    """

    steps: tuple[OnColumn, ...]
    level: int
    chain: tuple[int, ...]
    known: tuple[int, ...]
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Every way in which one key may be released.

    Attributes
    ----------
    each
        As it is first; each one after those of which it is a coarser way.
    levels
        All levels of the key: those that an intruder may know of it as it is, those of each option, and unknown.
    coarser
        By option, the next coarser ones: to which the beam goes on.
    """

    each: tuple[Option, ...]
    levels: tuple[Coarsening, ...]
    coarser: tuple[tuple[int, ...], ...]


class _Maker:
    """Puts together the options of one key."""

    def __init__(
        self,
        column: Variable,
        own: Mask,
        known: Sequence[Coarsening],
        whole: Hierarchy | None,
        finest: int,
        special: Sequence[float],
        n_sides: int | None,
    ) -> None:
        self.column, self.own, self.known, self.whole, self.n_sides = column, own, known, whole, n_sides
        self.finest, self.special = finest, special
        self.levels = list(known[:-1])
        beyond = bool(getattr(column, "further", ()))  # beside people outside: values that these alone have
        self.unmatched = getattr(column, "unmatched", column.values) if beyond else column.values[:0]
        self.found: list[Option] = []

    @property
    def released(self) -> Mask:
        """Which levels a synthesis has, shape (n_levels,)."""
        return np.asarray(self.column.counts[1 : self.n_sides, : self.column.n_levels].any(axis=0))

    def acts(self, step: Cap | RoundTo | MergeLevels) -> bool:
        """Return whether a step changes a synthetic value: what is released is no safer where it does not."""
        column = self.column
        if isinstance(step, MergeLevels):
            return bool((small_levels(step, column) & self.released).any())
        return bool((renumbered(step, column, column.values, self.own) != column.values)[self.released].any())

    def writes(self, level: Coarsening) -> bool:
        """Return whether a level writes a synthetic value otherwise than it was."""
        levels = self.column.levels
        return any(level.labels[level.codes[i]] != levels[i] for i in np.flatnonzero(self.released).tolist())

    def coarsening(self, steps: Sequence[OnColumn]) -> Coarsening:
        """Return the key after its steps."""
        column, name = self.column, named(steps)
        if isinstance(steps[0], MergeLevels):
            small = small_levels(steps[0], column)
            texts = [steps[0].into if one else level for one, level in zip(small.tolist(), column.levels, strict=True)]
            made = coarsening(column, name, texts, self.own, texts_of(self.unmatched))
            if small.any():  # a level that people outside alone have is as small as can be
                made.codes[column.n_levels + 1 :] = made.codes[int(small.argmax())]
            return made
        values, further = column.values, self.unmatched
        none = np.zeros(further.size, dtype=bool)
        for step in steps:
            if isinstance(step, Cap | RoundTo):
                values = renumbered(step, column, values, self.own)
                further = renumbered(step, column, further, none) if further.size else further
        last = steps[-1]
        if isinstance(last, Band):
            name = f"{name}, bands of {last.level}"
            width = Fraction(last.level)
            texts, others = ([*self._banded(v.tolist(), width)] for v in (values, further))
        else:
            texts, others = ([*map(_text, each.tolist())] for each in (values, further))
        return coarsening(column, name, texts, self.own, others)

    def _banded(self, values: Sequence[Any], width: Fraction) -> Iterator[str]:
        own = self.own.tolist() if len(values) == self.own.size else [False] * len(values)
        for value, alone in zip(values, own, strict=True):
            yield "" if alone else bands_of([value], width)[0]

    def add(self, steps: Sequence[OnColumn], made: Coarsening) -> bool:
        """Take an option whose partition is new; return whether it changes a value."""
        alike = [i for i, option in enumerate(self.found) if _same(made.codes, self.levels[option.level].codes)]
        if alike:
            return alike != [0]
        same = next((i for i, level in enumerate(self.levels) if _same(level.codes, made.codes)), None)
        if same is None:
            same = len(self.levels)
            self.levels.append(made)
        chain, known = [], []
        if same < len(self.known) - 1:
            chain = known = [*range(max(same, self.finest), len(self.known) - 1)]
        else:
            for j in range(self.finest, len(self.known) - 1):
                level = same if j == 0 else self._after(steps, made, j)
                if not chain or not _same(self.levels[chain[-1]].codes, self.levels[level].codes):
                    chain.append(level)
                    known.append(j)
        self.found.append(Option(tuple(steps), same, tuple(chain), tuple(known), self._share(made)))
        return True

    def _after(self, steps: Sequence[OnColumn], made: Coarsening, j: int) -> int:
        """Return the level at which the released key is known, where it was known at level `j` as it came."""
        level = self.known[j]
        bands_alone = self.whole is not None and self.whole.kind == "bands" and not isinstance(steps[0], MergeLevels)
        if bands_alone and not isinstance(steps[-1], Band):
            assert self.whole is not None
            now = self.coarsening([*steps, Band(self.column.name, self.whole.steps[j - 1])])
        else:
            name = ", ".join(filter(None, (made.name, level.name)))
            now = Coarsening(name, *_joined(made, level))
        for i, other in enumerate(self.levels):
            if _same(other.codes, now.codes):
                return i
        self.levels.append(now)
        return len(self.levels) - 1

    def _share(self, made: Coarsening) -> float:
        n = self.column.n_levels + 1
        codes = np.append(
            made.codes[:n], np.full(self.column.n_codes - n, made.size)
        )  # of people outside nothing is lost
        return retained_of(self.column, codes.astype(np.int64), self.special)

    def options(self) -> Options:
        """Return them, with unknown as the last level."""
        last = len(self.levels)
        codes = [self.levels[option.level].codes for option in self.found]
        coarser = [[j for j, b in enumerate(codes) if j != i and _is_coarser(b, a)] for i, a in enumerate(codes)]
        next_ = tuple(tuple(j for j in each if not any(j in coarser[k] for k in each)) for each in coarser)
        unknown = len(self.known) - 1
        found = tuple(replace(o, chain=(*o.chain, last), known=(*o.known, unknown)) for o in self.found)
        return Options(found, (*self.levels, self.known[-1]), next_)


def options_of(
    study: AnyStudy,
    name: str,
    known: Sequence[Coarsening],
    whole: Hierarchy | None,
    may: May,
    n_sides: int | None = None,
    finest: int = 0,
) -> Options:
    """Return every way in which a key may be released.

    Parameters
    ----------
    study, name
        Where the key is.
    known, whole, finest
        The levels at which an intruder may know it as it came, of which hierarchy they are, and the finest allowed.
    may
        What may be done to it.
    n_sides
        As of `coarsenings`.
    """
    if name not in may.keys:
        chain = tuple(range(finest, len(known)))
        return Options((Option((), 0, chain, chain, 1.0),), tuple(known), ((),))
    column, ladder, ways = study.columns[name], may.coarsen.get(name), may.ways.get(name, Ways())
    own = np.array(study.is_missing_code(name), dtype=bool)
    own[list(column.missing_levels)] = True
    special = study.missing_codes.get(name, ())
    made = _Maker(column, own, known, whole, finest, special, n_sides)
    made.add((), known[0])
    steps: list[OnColumn] = []
    if ladder is not None:
        for step in bands(name, ladder):
            alone = Hierarchy.table(step.rows) if step.rows else Hierarchy.parsed(step.level, column)
            level = coarsenings(column, alone, own, n_sides)
            if (
                len(level) == 3
                and made.writes(level[1])
                and any(_same(level[1].codes, each.codes) for each in known[1:-1])
            ):
                made.add((step,), level[1])
                steps += [step] if alone.kind == "bands" else []
    changes = []
    for rounding in filter(made.acts, ways.rounded(name)):
        changes.append(made.add((rounding,), made.coarsening((rounding,))))
        steps.append(rounding)
    labels = tuple(label for label, alone in zip(column.levels, own.tolist(), strict=True) if alone)
    for merging in ways.merged(name):
        kept = replace(merging, keep=labels)
        if made.acts(kept):
            changes.append(made.add((kept,), made.coarsening((kept,))))
    for cap in filter(made.acts, ways.caps(name)):
        changes.append(made.add((cap,), made.coarsening((cap,))))
        for last in steps:
            made.add((cap, last), made.coarsening((cap, last)))
    if ways and not any(changes):
        raise DisclosureError(f"{', '.join(ways.texts)} changes no synthetic value of {name!r}; name other numbers.")
    if ladder is not None and len(made.found) == 1:
        raise DisclosureError(f"The levels named for {name!r} merge nothing, or everything; name others.")
    return made.options()


def _text(value: Any) -> str:
    """Return a number as a text that an equal number has, too."""
    return str(exact(value)) if math.isfinite(value) else str(value)


def _joined(a: Coarsening, b: Coarsening) -> tuple[Indices, tuple[str, ...]]:
    """Return the finest level of which both are finer: what is one level in either is one."""
    found = np.arange(a.codes.size)
    while True:
        now = found
        for codes in (a.codes, b.codes):
            least = np.full(int(codes.max()) + 1, now.size)
            np.minimum.at(least, codes, now)
            now = least[codes]
        if np.array_equal(now, found):
            break
        found = now
    firsts, codes = np.unique(found, return_inverse=True)
    return codes.astype(np.intp), tuple(b.labels[b.codes[first]] for first in firsts.tolist())


def _same(a: Indices, b: Indices) -> bool:
    """Return whether two levels merge the same."""
    return _is_coarser(a, b) and _is_coarser(b, a)


def _is_coarser(a: Indices, b: Indices) -> bool:
    """Return whether what is one level in `b` is one in `a`."""
    of = np.zeros(int(b.max()) + 1, dtype=np.intp)
    of[b] = a
    return np.array_equal(of[b], a)
