"""What the values of two sides look like that no reading brings together: codes of everybody's own, a series, years."""

from __future__ import annotations

import re
from os.path import commonprefix
from string import digits
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.data.spellings.levels import KINDS
from disclosure_core.data.spellings.texts import LONG

if TYPE_CHECKING:
    from disclosure_core.data.spellings.levels import Levels

_ALIKE, _FIRST = 0.25, 12
"""Codes are written alike where so many have a digit, or a letter, at each of their first letters."""

_SPOKEN = 0.5
"""The share of records with several words in what people said."""

NEARLY_ALL = 0.95
"""So many records of a side are of one kind, or hold a year."""

CODE = re.compile(r"0\d")
"""Numbers with a leading zero are codes."""

_IN_NUMBERS = digits + ".,"
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)?")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?:/\d\d)?(?![^\W_])")
"""A year within a text, or two as in 2019/20."""


def have_one_precision(levels: Levels, i: int) -> bool:
    """Whether the dates of both sides are written to one level, judged by the lengths of their texts."""
    lengths = [np.bincount(levels.lengths, weights=side, minlength=1).argmax() for side in levels.sides(i)]
    return bool(lengths[0] == lengths[1])


def are_written_alike(levels: Levels, i: int) -> bool:
    """Whether both sides hold codes with as many digits, and as many letters, at each place: no list beside another."""
    shares = []
    for side in levels.sides(i):
        if KINDS[int(levels.records_by_kind(side).argmax())] in ("word", "date"):
            return False
        here = np.flatnonzero(side)
        texts = [levels.texts[k][:_FIRST].ljust(_FIRST) for k in here.tolist()]
        is_digit, is_letter = (np.array([[test(c) for c in t] for t in texts]) for test in (str.isdigit, str.isalpha))
        shares.append(np.stack([np.average(each, axis=0, weights=side[here]) for each in (is_digit, is_letter)]))
    return bool(np.abs(shares[0] - shares[1]).max() <= _ALIKE)


def are_in_words(levels: Levels, i: int) -> bool:
    """Whether most records of both sides hold several words: names of people, or what they said."""
    several = np.array([" " in t.strip() and not any(map(str.isdigit, t)) for t in levels.texts], dtype=bool)
    return all(side[several].sum() > _SPOKEN * side.sum() for side in levels.sides(i))


def are_a_series(levels: Levels) -> bool:
    """Whether all levels are numbers between the same words: FY2014, wave 3, 1.68 %."""
    head = commonprefix(levels.texts).rstrip(_IN_NUMBERS)  # noqa: RUF071 (of letters)
    rests = [t[len(head) :] for t in levels.texts]
    tail = commonprefix([t[::-1] for t in rests]).rstrip(_IN_NUMBERS)  # noqa: RUF071
    numbers = [t[: len(t) - len(tail)] for t in rests]
    return all(_AMOUNT.fullmatch(t) and not CODE.match(t) for t in numbers)


def are_of_other_years(levels: Levels, i: int) -> bool:
    """Whether nearly all records of both sides hold a year, and around it what the other side has, too: Autumn 2019."""
    around = [_YEAR.sub("", t, count=1) if len(t) <= LONG else t for t in levels.texts]
    words = pd.factorize(np.array(around, dtype=object))[0]
    has_year = np.array([a != t for a, t in zip(around, levels.texts, strict=True)], dtype=bool)
    sides = levels.sides(i)
    first, second = (words[has_year & (side > 0)] for side in sides)
    shared = np.intersect1d(first, second)
    return all(side[has_year & np.isin(words, shared)].sum() >= NEARLY_ALL * side.sum() for side in sides)
