"""The levels of all sides of a column, each read once whatever the number of sides; and what a reading lets meet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Array, Floats, Ints, Mask
from disclosure_core.data.spellings.texts import ANSWERS, LONG, MISSING, RESIDUAL, is_foreign, kind_of
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

CLEAR, CONTRADICTS, OFTEN = 4.0, 0.1, 5
"""G² of an answer that sides spell differently; what may speak against a reading, of what speaks for it; and so many
records of an answer in a form are not there by chance."""

SAME, BY_CHANCE, MEETING = 0.7, 3.0, 0.5
"""Two sides follow one law where so many records lie alike; or G² of answer × side is at most so many answers, and so
many of the answers expected to meet do: of answers with a record or two, G² is small whatever they are."""

LEFT, COARSE, FINE = 0, 1, 2
"""Forms: what a reading leaves alone; and, of one that loses something, values that are coarse and fine."""

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
    def has_digits(self) -> Mask:
        """Whether each level holds a digit."""
        return np.fromiter((not t.isalpha() and bool(_DIGIT.search(t)) for t in self.texts), bool, self.n)

    @cached_property
    def is_foreign(self) -> Mask:
        """Whether each level holds a letter that is not ASCII, or what may stand for one."""
        return np.fromiter(map(is_foreign, self.texts), bool, self.n)

    @cached_property
    def kinds(self) -> Ints:
        """What each level is, as a place in `KINDS`."""
        some = zip(self.texts, self.has_digits.tolist(), strict=True)
        kinds = np.fromiter((KINDS.index(kind_of(t)) if digits else 0 for t, digits in some), np.int64, self.n)
        date, code = KINDS.index("date"), KINDS.index("code")
        may_be_code = np.array([t.isalnum() for t in self.texts], dtype=bool) & (kinds == date)
        if np.count_nonzero(kinds == code) > np.count_nonzero(may_be_code):  # DEC23 stands among DE58C and DE917
            kinds[may_be_code] = code
        return kinds

    def records_by_kind(self, records: Ints) -> Ints:
        """Return how many of these records have a value of each kind."""
        return np.bincount(self.kinds, weights=records, minlength=len(KINDS)).astype(np.int64)

    @cached_property
    def are_numbers(self) -> bool:
        """Whether all levels are numbers."""
        return bool((self.kinds == KINDS.index("number")).all())

    @cached_property
    def is_residual(self) -> Mask:
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

    def fold(self, name: Any, read: Callable[[str], tuple[str, str] | None], which: Mask | None = None) -> Fold:
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
    answers
        How many answers both sides have in two spellings or more.
    strength
        G² of form × side over the answers that both sides have in two spellings or more; 0 where they contradict it.
    is_clean
        Whether one side spells these in a single form.
    forms
        Shape (2, n_forms): the records of each side with each form, of these answers.
    """

    gain: tuple[float, float]
    records: int
    answers: int
    strength: float
    is_clean: bool
    forms: Ints

    @property
    def least(self) -> float:
        """The least strength that tells: many forms on both sides differ more by chance."""
        return CLEAN if self.is_clean else MIXED + 2.0 * max(int(np.count_nonzero(self.forms.any(axis=0))) - 2, 0)

    @property
    def apart(self) -> float:
        """By what the sides' shares of the form differ that tells them apart best."""
        return float(np.abs(_shares(self.forms)).max())


def g2(table: Array) -> float:
    """Return G² of a table."""
    table = table[:, table.any(axis=0)].astype(float)
    expected = table.sum(1, keepdims=True) * table.sum(0) / max(table.sum(), 1)
    with np.errstate(all="ignore"):
        return float(2 * np.where(table > 0, table * np.log(table / expected), 0).sum())


def say_nothing(values: Sequence[Any]) -> Mask:
    """Return which values are NA and the like, and no answers."""
    no_answers = MISSING - ANSWERS
    return np.array([isinstance(t, str) and t.strip().casefold() in no_answers for t in values], dtype=bool)


def wrote_otherwise(n: Ints, empty: Ints, answers: Ints) -> bool:
    """Whether two sides write NA for empty cells in other shares, and have as many of both in all.

    Parameters
    ----------
    n, empty, answers
        Of both sides, the records with NA, without a value, and with any, NA among them.
    """
    none = n + empty
    return g2(np.stack([n, empty])) >= MIXED and g2(np.stack([none, answers - n])) < CLEAR


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

    def by_key(side: int, which: Mask) -> Ints:
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
    n_forms = [int(np.count_nonzero(side)) for side in forms]
    answers, clean = int(np.count_nonzero(touched)), min(n_forms) <= 1
    strength = g2(forms)
    if answers == 1 and max(n_forms) > 1:  # 08 beside 8 may be another answer, which the other side has lost
        strength = 0.0
    elif clean:  # of two records that differ, one or the other is the first
        strength -= 2 * float(np.log(2)) * answers
    elif strength >= MIXED and _contradict(folds, records, touched, int(_shares(forms).argmax())):
        strength = 0.0
    return Weight((gain[0] / totals[0], gain[1] / totals[1]), max(gain), answers, strength, clean, forms)


def expected_to_meet(counts: Ints) -> tuple[float, float]:
    """Return -ln of the chance that no value meets, if records fell on the sides at random, and how many should."""
    totals, pooled = counts.sum(axis=1), counts.sum(axis=0)
    a, b = totals / totals.sum()
    often, n_values = np.unique(pooled[pooled > 1], return_counts=True)
    none = np.maximum(a ** often.astype(float) + b ** often.astype(float), 1e-300)
    return float(-(n_values * np.log(none)).sum()), float((n_values * (1 - none)).sum())


def follow_one_law(levels: Levels, i: int, spelling: Spelling) -> bool:
    """Whether both sides have about the same shares of each answer under a reading, or differ as chance has it."""
    folds = zip((spelling.original, spelling.synthetic), levels.sides(i), strict=True)
    n_keys = 1 + max(int(spelling.original[0].max()), int(spelling.synthetic[0].max()))
    table = np.stack([np.bincount(keys, weights=side, minlength=n_keys) for (keys, _), side in folds])
    table = table[:, table.any(axis=0)]
    alike = (table / np.maximum(table.sum(axis=1, keepdims=True), 1)).min(axis=0).sum()
    many_meet = (table > 0).all(axis=0).sum() >= MEETING * expected_to_meet(table)[1]
    return bool(alike >= SAME or (many_meet and g2(table) <= BY_CHANCE * table.shape[1]))


def means_something(levels: Levels, i: int, spelling: Spelling, form: int) -> bool:
    """Whether a side has some answers in both forms and others in one: "fully agree" and agree, but "neither" alone.

    A form that is mixed in by chance leaves few records of an answer without it: so many more must have none of it.
    """
    for (keys, forms), side in zip((spelling.original, spelling.synthetic), levels.sides(i), strict=True):
        n_keys = int(keys.max()) + 1
        with_it = np.bincount(keys, weights=side * (forms == form), minlength=n_keys)
        without = np.bincount(keys, weights=side * (forms != form), minlength=n_keys)
        if not ((with_it > 0) & (without > 0)).any():
            continue
        told = with_it + without
        each = -2 * told * np.log1p(-with_it.sum() / told.sum())
        none = np.exp(-each / 2)
        unlike = each[(with_it == 0) & (told > 0)].sum() - (none * each)[told > 0].sum()
        if unlike >= CLEAN + CLEAR * np.sqrt((none * (1 - none) * each**2).sum()):
            return True
    return False


def _shares(forms: Ints) -> Floats:
    """Return by what the original's share of each form is larger than the other side's."""
    first, second = forms / np.maximum(forms.sum(axis=1, keepdims=True), 1)
    return np.asarray(first - second)


def _contradict(folds: tuple[Fold, Fold], records: tuple[Ints, Ints], touched: Mask, form: int) -> bool:
    """Whether a form tells answers apart: a side has it more of some answers; or each side of other ones."""
    tables = []
    for (keys, forms), side in zip(folds, records, strict=True):
        here = touched[keys]
        others = here & (forms != form) & (side >= OFTEN)
        if np.unique(np.stack([keys, forms])[:, others], axis=1).shape[1] > len(np.unique(keys[others])):
            return True
        each = [
            np.bincount(keys[w], weights=side[w], minlength=len(touched))
            for w in (here & (forms == form), here & (forms != form))
        ]
        tables.append(np.stack(each))
    counts = np.stack(tables)[:, :, touched]
    if any(_differ_within(side) for side in counts):
        return True
    more = counts[0, 0] * counts[1, 1] - counts[0, 1] * counts[1, 0]
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum(axis=(0, 1))
    with np.errstate(all="ignore"):
        strength = 2 * np.where(counts > 0, counts * np.log(counts / expected), 0).sum(axis=(0, 1))
    clear = strength > CLEAR
    if np.count_nonzero(clear & (more > 0)) < min(2, int(counts[:, 0].any(axis=0).sum())):
        return True
    return bool(strength[clear & (more < 0)].sum() > CONTRADICTS * strength[clear & (more > 0)].sum())


def _differ_within(forms: Ints) -> bool:
    """Whether answers that a side often has in two forms have them in other shares: chance mixes all of them alike."""
    told = forms.sum(axis=0)
    rarer = forms.sum(axis=1).min() / max(told.sum(), 1)
    often = forms[:, (told * rarer >= OFTEN) & forms.all(axis=0)]
    return bool(g2(often) > CLEAN + 3 * max(often.shape[1] - 1, 0))


def only_on_one_side(levels: Levels, i: int) -> tuple[Ints, Ints]:
    """Return the records of each of two sides whose value the other side has not, by level."""
    original, synthetic = levels.sides(i)
    return np.where(synthetic > 0, 0, original), np.where(original > 0, 0, synthetic)


def heaviest(records: Ints, most: int) -> Ints:
    """Return the levels with most records, at most so many, and only such as have any."""
    order = np.argsort(-records, kind="stable")[:most]
    return order[records[order] > 0]
