"""The levels of all sides of a column, each read once whatever the number of sides; and what a reading lets meet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from disclosure_core.data.spellings.texts import LONG, RESIDUAL, kind_of
from disclosure_core.data.suggested_codes import is_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_DIGIT = re.compile(r"\d")

KINDS = ("word", "number", "date", "code", "band")
"""What a level may be."""

RECORDS = 4
"""The fewest records that a reading must let meet."""

CLEAN, MIXED = 10.0, 30.0
"""The least G², where one side has a single form of these answers, and where both mix."""

LEFT, COARSE, FINE = 0, 1, 2
"""Forms: what a reading leaves alone; and, of one that loses something, values that are coarse and fine."""

Ints = npt.NDArray[np.int64]
Fold = tuple[Ints, Ints]
"""By level, its key and its form under a reading."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A reading that may let two sides meet.

    Attributes
    ----------
    kinds
        The mends that do what it does.
    read
        From a text to its key and form; None where it leaves a text alone.
    original, synthetic
        Each side's levels under it.
    lossy
        Whether values that differ become one.
    name
        What it is called among those of its kinds.
    """

    kinds: tuple[str, ...]
    read: Callable[[str], tuple[str, str] | None]
    original: Fold
    synthetic: Fold
    lossy: bool = False
    name: Any = ""


@dataclass(eq=False, repr=False)
class Levels:
    """The levels of all sides.

    Attributes
    ----------
    texts
        The distinct values.
    counts
        Shape (1 + m, n): the records of each side with each; the original first.
    missing
        Shape (1 + m,): records without a value.
    noted
        What was found of all levels once, by a name.
    """

    texts: Sequence[str]
    counts: Ints
    missing: Ints
    noted: dict[Any, Any] = field(default_factory=dict)
    _keys: dict[str, int] = field(default_factory=dict)
    _forms: dict[str, int] = field(default_factory=lambda: {"left": LEFT, "coarse": COARSE, "fine": FINE})
    _folds: dict[Any, Fold] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Give each level's own text a number as a key."""
        for text in self.texts:
            self._keys.setdefault(text, len(self._keys))

    @property
    def n(self) -> int:
        """How many levels there are."""
        return len(self.texts)

    @cached_property
    def lengths(self) -> Ints:
        """The letters of each level."""
        return np.fromiter(map(len, self.texts), np.int64, self.n)

    @cached_property
    def has_digits(self) -> npt.NDArray[np.bool_]:
        """Whether each level holds a digit."""
        return np.fromiter((not t.isalpha() and bool(_DIGIT.search(t)) for t in self.texts), bool, self.n)

    @cached_property
    def is_foreign(self) -> npt.NDArray[np.bool_]:
        """Whether each level holds a letter that is not ASCII, or what may stand for one."""
        return np.fromiter((not t.isascii() or "&" in t for t in self.texts), bool, self.n)

    @cached_property
    def kinds(self) -> Ints:
        """What each level is, as a place in `KINDS`."""
        some = zip(self.texts, self.has_digits.tolist(), strict=True)
        return np.fromiter((KINDS.index(kind_of(t)) if digits else 0 for t, digits in some), np.int64, self.n)

    def records_by_kind(self, records: Ints) -> Ints:
        """Return how many of these records have a value of each kind."""
        return np.bincount(self.kinds, weights=records, minlength=len(KINDS)).astype(np.int64)

    @cached_property
    def is_residual(self) -> npt.NDArray[np.bool_]:
        """Whether each level is what is left, or no answer: other, unknown, 99."""
        plain = (t.strip().casefold() for t in self.texts)
        return np.fromiter((t in RESIDUAL or (len(t) <= LONG and is_code(t)) for t in plain), bool, self.n)

    def key(self, text: str) -> int:
        """Return the number of a key."""
        return self._keys.setdefault(text, len(self._keys))

    def form(self, text: str) -> int:
        """Return the number of a form."""
        return self._forms.setdefault(text, len(self._forms))

    def form_of_pairs(self, forms: Ints, more: Ints) -> Ints:
        """Return forms told apart by a number beside each."""
        numbers, places = np.unique(more, return_inverse=True)
        codes, inverse = np.unique(forms * len(numbers) + places.ravel(), return_inverse=True)
        pairs = zip((codes // len(numbers)).tolist(), numbers[codes % len(numbers)].tolist(), strict=True)
        return np.array([self.form(f"{form} {number}") for form, number in pairs], dtype=np.int64)[inverse.ravel()]

    def fold(
        self, name: Any, read: Callable[[str], tuple[str, str] | None], which: npt.NDArray[np.bool_] | None = None
    ) -> Fold:
        """Return every level's key and form under a reading of that name, which is applied once, or to some levels."""
        if name not in self._folds:
            keys, forms = np.arange(self.n), np.zeros(self.n, dtype=np.int64)
            for i in range(self.n) if which is None else np.flatnonzero(which).tolist():
                if (found := read(self.texts[i])) is not None:
                    keys[i], forms[i] = self.key(found[0]), self.form(found[1])
            self._folds[name] = keys, forms
        return self._folds[name]

    def sides(self, i: int) -> tuple[Ints, Ints]:
        """Return the records of the original, and of synthesis `i`, from 1, with each level."""
        return self.counts[0], self.counts[i]

    def applied(self, spelling: Spelling, i: int) -> Levels:
        """Return the original and synthesis `i` as they are under a reading."""
        texts = list(self._keys)
        counts = np.stack(
            [
                np.bincount(keys, weights=records, minlength=len(texts))
                for (keys, _), records in zip((spelling.original, spelling.synthetic), self.sides(i), strict=True)
            ]
        ).astype(np.int64)
        kept = np.flatnonzero(counts.any(axis=0))
        return Levels([texts[k] for k in kept], counts[:, kept], self.missing[[0, i]])


@dataclass(frozen=True, slots=True)
class Weight:
    """What a reading does to two sides.

    Attributes
    ----------
    gain
        Of each side, the share of its records that meet with it and do not without.
    records
        The most records that it lets one side meet.
    strength
        G² of form × side over the answers that both sides have in two spellings or more.
    is_clean
        Whether one side spells these in a single form.
    forms
        Shape (2, n_forms): the records of each side with each form, of these answers.
    """

    gain: tuple[float, float]
    records: int
    strength: float
    is_clean: bool
    forms: Ints


def g2(table: npt.NDArray[Any]) -> float:
    """Return G² of a table."""
    table = table[:, table.any(axis=0)].astype(float)
    expected = table.sum(1, keepdims=True) * table.sum(0) / max(table.sum(), 1)
    with np.errstate(all="ignore"):
        return float(2 * np.where(table > 0, table * np.log(table / expected), 0).sum())


def stand_for_empty(n: int, empty: tuple[int, int], totals: tuple[int, int] | None = None) -> bool:
    """Whether a side writes something where the other leaves cells empty.

    Parameters
    ----------
    n
        The records of a side with a text or code that may stand for an empty cell, and that the other side has not.
    empty
        The records without a value, of that side and of the other.
    totals
        All records of both, where it may be an answer of its own: a synthesis that lost it leaves no more cells empty.
    """
    if min(n, empty[1]) < RECORDS or g2(np.array([[n, empty[0]], [0, empty[1]]])) < CLEAN:
        return False
    if totals is None:
        return True
    emptier = np.array([[empty[0], totals[0] - empty[0]], [empty[1], totals[1] - empty[1]]])
    return empty[1] * totals[0] > empty[0] * totals[1] and g2(emptier) >= CLEAN


def weigh(levels: Levels, i: int, spelling: Spelling) -> Weight:
    """Return what a reading lets the original and synthesis `i` meet, and how their spellings differ."""
    folds, records = (spelling.original, spelling.synthetic), levels.sides(i)
    n_keys = 1 + max(int(keys.max()) for keys, _ in folds) if levels.n else 1
    here = [side > 0 for side in records]
    alike = folds[0][0] == folds[1][0]

    def by_key(side: int, which: npt.NDArray[np.bool_]) -> Ints:
        return np.bincount(folds[side][0][which], minlength=n_keys)

    n = [by_key(side, here[side]) for side in (0, 1)]
    touched = (n[0] > 0) & (n[1] > 0) & (n[0] + n[1] - by_key(0, here[0] & here[1] & alike) > 1)
    if spelling.lossy:
        has = [[by_key(side, here[side] & (folds[side][1] == form)) > 0 for form in (COARSE, FINE)] for side in (0, 1)]
        touched &= (has[0][0] & has[1][1]) | (has[1][0] & has[0][1])
    gain, forms = [0, 0], np.zeros((2, 1 + max(int(f.max(initial=0)) for _, f in folds)), dtype=np.int64)
    for side, other in ((0, 1), (1, 0)):
        keys, form = folds[side]
        mine = here[side] & touched[keys]
        forms[side] = np.bincount(form[mine], weights=records[side][mine], minlength=forms.shape[1])
        gained = mine & ~(here[other] & alike)
        if spelling.lossy:  # the other side has another form of it
            other_has = [np.zeros_like(touched), *has[other]]
            gained &= ((form == COARSE) & other_has[FINE][keys]) | ((form == FINE) & other_has[COARSE][keys])
        gain[side] = int(records[side][gained].sum())
    totals = [max(int(side.sum()), 1) for side in records]
    clean = min(int(np.count_nonzero(side)) for side in forms) <= 1
    return Weight((gain[0] / totals[0], gain[1] / totals[1]), max(gain), g2(forms), clean, forms)


def only_on_one_side(levels: Levels, i: int) -> tuple[Ints, Ints]:
    """Return the records of each of two sides whose value the other side has not, by level."""
    original, synthetic = levels.sides(i)
    return np.where(synthetic > 0, 0, original), np.where(original > 0, 0, synthetic)


def heaviest(records: Ints, most: int) -> Ints:
    """Return the levels with most records, at most so many, and only such as have any."""
    order = np.argsort(-records, kind="stable")[:most]
    return order[records[order] > 0]
