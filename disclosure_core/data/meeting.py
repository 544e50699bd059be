"""Does a column of an original meet the same column of a synthesis? From distinct values and their records alone.

The rule is told in docs/files.md. A reading gives a value its answer (a key) and its spelling (a form). It counts only
if it lets values meet that do not, and the two sides spell those answers in different proportions (G² of form × side):
chance, or a file that mixes spellings, does the first and not the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Ints
from disclosure_core.data.spellings import stored
from disclosure_core.data.spellings.candidates import candidates, is_coarse
from disclosure_core.data.spellings.levels import (
    KINDS,
    RECORDS,
    Levels,
    expected_to_meet,
    follow_one_law,
    means_something,
    only_on_one_side,
    say_nothing,
    stand_for_empty,
    weigh,
    wrote_otherwise,
)
from disclosure_core.data.spellings.shapes import (
    CODE,
    NEARLY_ALL,
    are_a_series,
    are_in_words,
    are_of_other_years,
    are_written_alike,
    have_one_precision,
)
from disclosure_core.data.spellings.texts import stands_for_empty
from disclosure_core.data.values import Kind, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from disclosure_core.data.column import Variable
    from disclosure_core.data.spellings.levels import Spelling, Weight

NOBODY, NEARLY = 14.0, 0.05
"""-ln of the chance that no value meets; and the share of the levels expected to meet that do, at most."""

ALIEN, ALIENS, HARDLY = 0.03, 12, 0.002
"""Values of a kind that the other side has not: their share and records; and the other's share of it."""

EXPECTED = 40
"""Levels that must be expected to meet, where some do."""

OWN = 0.9
"""An identifier: so many records have a level of their own."""

SEVERAL = 0.3
"""Identifiers of households repeat, but both sides have many."""

OPPOSED = 0.65
"""Sides that both have X and X n.e.c. tell them apart, unless their shares with the affix differ by so much."""

TRIFLE = 0.02
"""A reading that loses something must let a larger share of what does not meet on a side meet."""

ONE_FOR_ONE = 0.5
"""One number among words stands for one that the other side has alone, at least so often; else it is an answer."""

LETTERS = 3
"""Words of so many letters are codes: A beside C1, XXL beside 3XL."""

OPEN = 2
"""Bands that stand among numbers for their ends, or numbers among bands; more of them are another precision."""

IN_A_ROW = 3
"""Readings that are tried one after the other."""

CAP = 20_000
"""Distinct values that readings look at, of the original and of the syntheses, those with most records first."""


class Finding(StrEnum):
    """What is found of two sides."""

    MEETS = "meets"
    STOPS = "does not meet"
    SMOOTHED = "smoothed"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is found of two sides, with the kinds of values that are corrected."""

    finding: Finding
    kinds: tuple[str, ...] = ()
    against: tuple[str, str] | None = None


def levels_of(column: Variable) -> Levels:
    """Return the levels of a column, of which readings look at those with most records."""
    counts = column.counts[:, :-1]
    kept = np.arange(counts.shape[1])
    if len(kept) > CAP:
        ties = pd.util.hash_array(column.values.astype(object)) if column.values.dtype == object else kept * 2654435761
        halves = [counts[0], counts[1:].sum(axis=0)]
        tops = [np.lexsort((ties % 2**32, -half))[:CAP] for half in halves]
        kept = np.unique(np.concatenate([top[half[top] > 0] for top, half in zip(tops, halves, strict=True)]))
    return Levels(texts(column.values[kept]), counts[:, kept], column.counts[:, -1])


def judge(levels: Levels, i: int, counts: Ints, labels: Mapping[str, str], *, numeric: bool) -> Verdict:
    """Say whether the original and synthesis `i` meet.

    Parameters
    ----------
    levels
        The levels of all sides, as far as readings look at them.
    i
        Which synthesis, from 1.
    counts
        Shape (2, n): the records of both sides by value, all values, missing left out.
    labels
        As `candidates`.
    numeric
        Whether all values are stored numbers.
    """
    totals = counts.sum(axis=1)
    if not totals.all():
        return Verdict(Finding.MEETS)
    found = _corrections(levels, i, labels, numeric=numeric)
    if found:
        kinds = tuple(dict.fromkeys(kind for spelling in found for kind in spelling.kinds))
        return Verdict(Finding.STOPS, kinds)
    if not numeric and _text_for_empty(levels, i):
        return Verdict(Finding.STOPS, kinds=("missing",))
    return _uncorrected(levels, i, counts, numeric=numeric)


def _corrections(levels: Levels, i: int, labels: Mapping[str, str], *, numeric: bool) -> list[Spelling]:
    """Return the readings that let most records meet, one after the other."""
    found: list[Spelling] = []
    for _ in range(IN_A_ROW):
        if max(int(records.sum()) for records in only_on_one_side(levels, i)) < RECORDS:
            break
        best = _best(levels, i, labels, numeric=numeric)
        if best is None:
            break
        found.append(best)
        levels, i = levels.applied(best, i), 1
        numeric = False
    return found


def _best(levels: Levels, i: int, labels: Mapping[str, str], *, numeric: bool) -> Spelling | None:
    best, most = None, 0.0
    met = _shares_met(levels, i)
    for spelling in candidates(levels, i, labels, numeric=numeric):
        gained = acceptable(levels, i, spelling)
        if gained is not None and (best is None or gained > most + 1e-3):
            best, most = spelling, gained
            if gained + met > 2 - 1e-9:
                break
    return best


def _shares_met(levels: Levels, i: int) -> float:
    sides = levels.sides(i)
    return sum(
        1 - only.sum() / max(side.sum(), 1) for only, side in zip(only_on_one_side(levels, i), sides, strict=True)
    )


def acceptable(levels: Levels, i: int, spelling: Spelling) -> float | None:
    """Return the shares of both sides that a reading lets meet, added; None where the evidence does not suffice."""
    weight = weigh(levels, i, spelling)
    if weight.records < RECORDS or weight.strength < weight.least:
        return None
    if "affix" in spelling.kinds and not weight.is_clean and weight.apart < OPPOSED:
        return None
    if "affix" in spelling.kinds and means_something(levels, i, spelling, levels.form("with")):
        return None
    if "affix" in spelling.kinds and weight.answers < min(2, _with_affix(levels, i, spelling)):
        return None
    if spelling.lossy and (not is_coarse(weight.forms) or _is_trifle(levels, i, weight)):
        return None
    if spelling.kinds == ("start",) and levels.are_numbers and not follow_one_law(levels, i, spelling):
        return None  # other amounts, no coarser codes
    if spelling.kinds == ("units",):
        only, sides = only_on_one_side(levels, i), levels.sides(i)
        met = [1 - o.sum() / max(s.sum(), 1) + g for o, s, g in zip(only, sides, weight.gain, strict=True)]
        if min(met) < 0.5:
            return None
    return sum(weight.gain)


def _with_affix(levels: Levels, i: int, spelling: Spelling) -> int:
    """Return how many values that do not meet an affix is taken off: B25 alone says nothing beside B22.3."""
    alone = np.maximum(*only_on_one_side(levels, i)) > 0
    return int(np.count_nonzero(alone & (spelling.original[1] == levels.form("with"))))


def _is_trifle(levels: Levels, i: int, weight: Weight) -> bool:
    """Whether hardly any of the records that do not meet would meet then: chance brings codes together, too."""
    each = zip(weight.gain, levels.sides(i), only_on_one_side(levels, i), strict=True)
    return all(gain * side.sum() <= TRIFLE * alone.sum() for gain, side, alone in each)


def _text_for_empty(levels: Levels, i: int) -> bool:
    """Whether one side has a text, or words for "no answer", in the place of empty cells."""
    missing = int(levels.missing[0]), int(levels.missing[i])
    if max(missing) < RECORDS:
        return False
    spelled = say_nothing(levels.texts)
    words = np.array([stands_for_empty(t) for t in levels.texts], dtype=bool)
    only = only_on_one_side(levels, i)
    totals = [int(side.sum()) + none for side, none in zip(levels.sides(i), missing, strict=True)]
    for a, b in ((0, 1), (1, 0)):
        empty = missing[a], missing[b]
        if stand_for_empty(int(only[a][spelled].sum()), empty):
            return True
        if stand_for_empty(int(only[a][words].sum()), empty, (totals[a], totals[b])):
            return True
    return False


def _uncorrected(levels: Levels, i: int, counts: Ints, *, numeric: bool) -> Verdict:
    """Say whether sides meet that no reading brings together."""
    totals = counts.sum(axis=1)
    both = (counts > 0).all(axis=0)
    n_met = int(both.sum())
    evidence, expected = expected_to_meet(counts)
    few = n_met <= NEARLY * expected
    if numeric:
        return _numbers_or_days(counts, days=False)
    shares = [float(side[both].sum()) / total for side, total in zip(counts, totals, strict=True)]
    n_levels = (counts > 0).sum(axis=1)
    is_own = bool((n_levels >= OWN * totals).all())
    nobody, hardly = n_met == 0 and evidence >= NOBODY, expected >= EXPECTED and few and max(shares) < NEARLY
    usual = _usual(levels, i) if nobody or hardly or n_met == 0 or _might_be_alien(levels, i) else None
    if usual is not None:
        nobody = nobody or (hardly and "word" not in usual)  # by chance codes are alike, and words are not
        if usual == ("date", "date") and have_one_precision(levels, i):
            if (alien := _alien(levels, i)) is not None:
                return Verdict(Finding.STOPS, against=alien)
            return Verdict(Finding.SMOOTHED if n_met == 0 else Finding.MEETS)
        numbers = usual == ("number", "number") and not any(CODE.match(t) for t in levels.texts)
        is_series = "band" not in usual and are_a_series(levels)
        if nobody and (numbers or is_series or are_of_other_years(levels, i)):
            return _numbers_or_days(counts, days=False)  # as where both files store numbers
        if (
            nobody
            and (n_levels >= SEVERAL * totals).all()
            and (are_written_alike(levels, i) or are_in_words(levels, i))
        ):
            return Verdict(Finding.IDENTIFIER)
        if nobody:
            return Verdict(Finding.STOPS, against=usual)
        if (alien := _alien(levels, i)) is not None:
            return Verdict(Finding.STOPS, against=alien)
    return Verdict(Finding.IDENTIFIER if is_own and n_met <= NEARLY * n_levels.min() else Finding.MEETS)


def _numbers_or_days(counts: Ints, *, days: bool) -> Verdict:
    """Say whether stored numbers, or days, meet that no reading brings together: never more than a note."""
    n_met = int((counts > 0).all(axis=0).sum())
    evidence, expected = expected_to_meet(counts)
    smoothed = n_met == 0 or (not days and evidence > NOBODY and n_met <= NEARLY * expected)
    return Verdict(Finding.SMOOTHED if smoothed else Finding.MEETS)


def _worth_reading(column: Variable, counts: Ints) -> bool:
    """Whether another reading may bring values together, as far as stored numbers and dates tell without it."""
    sides = counts[0], counts[1]
    if column.kind is Kind.NUMBER:
        tests = (stored.factors, stored.fewest_digits, stored.may_hold_days, stored.tenfold)
        return any(test(column.values, sides) for test in tests)
    return column.kind is not Kind.DATE or stored.may_be_coarse(column.values, sides)


def _usual(levels: Levels, i: int) -> tuple[str, str]:
    """Return the kind of value that most records of each side have."""
    first, second = (KINDS[int(levels.records_by_kind(side).argmax())] for side in levels.sides(i))
    return first, second


def _might_be_alien(levels: Levels, i: int) -> bool:
    """Whether enough records of a side have no value of the other to be of another kind."""
    sides = levels.sides(i)
    return any(o.sum() >= max(ALIENS, ALIEN * s.sum()) for o, s in zip(only_on_one_side(levels, i), sides, strict=True))


def _alien(levels: Levels, i: int) -> tuple[str, str] | None:
    """Return the kind that one side has and the other has not, as of the original and of the synthesis."""
    sides, only = levels.sides(i), only_on_one_side(levels, i)
    for mine, other, alone, turned in ((sides[0], sides[1], only[0], False), (sides[1], sides[0], only[1], True)):
        by_kind = levels.records_by_kind(other)
        main = KINDS[int(by_kind.argmax())]
        if by_kind.max() < NEARLY_ALL * other.sum() or _is_one_of(other, mine):
            continue
        are_letters = not any(len(levels.texts[k].strip()) > LETTERS for k in np.flatnonzero(other).tolist())
        for kind in ("number", "date", "word", "code", "band"):
            is_band, is_number = "band" in (kind, main), "number" in (kind, main)
            if (kind == "code" and main == "word" and are_letters) or (is_band and not is_number):
                continue
            which = ~levels.is_residual & (levels.kinds == KINDS.index(kind)) & (alone > 0)
            n = int(alone[which].sum())
            if n < max(ALIENS, ALIEN * mine.sum()) or by_kind[KINDS.index(kind)] > HARDLY * other.sum():
                continue
            if is_band and np.count_nonzero(which) <= OPEN:  # "under 18" and "65+" beside ages
                continue
            has_another = only[not turned].max(initial=0) >= ONE_FOR_ONE * alone[which].sum()
            if np.count_nonzero(which) > 1 or (kind == "number" and main in ("word", "date") and has_another):
                return (main, kind) if turned else (kind, main)
    return None


def _is_one_of(records: Ints, others: Ints) -> bool:
    """Whether a side has a single level that the other has, too: it says nothing of how other answers are written."""
    return bool(np.count_nonzero(records) == 1 and others[records > 0].all())


def _codes_for_empty(column: Variable, counts: Ints, empty: Sequence[int], missing_codes: Collection[float]) -> bool:
    """Whether numbers of one side of which nobody told what they are stand for the other's empty cells."""
    unsaid = ~np.isin(column.values, list(missing_codes))
    return len(stored.codes_for_empty(column.values[unsaid], tuple(counts[:, unsaid]), empty)) > 0


def judge_all(
    column: Variable, labels: Mapping[str, str], missing_codes: Collection[float], *, numeric: bool
) -> Sequence[Verdict]:
    """Say of each synthesis whether it meets the original; a level is read once, however many syntheses there are.

    Of `missing_codes` somebody has said what they are: they are answers of their own, and no empty cells.
    """
    levels: Levels | None = None
    verdicts = []
    is_text = column.kind is Kind.CATEGORY and column.counts[:, -1].max() >= RECORDS
    nothing = say_nothing(column.values.tolist() if is_text else [])
    for i in range(1, len(column.counts)):
        counts = column.counts[[0, i], :-1]
        met = (counts > 0).all(axis=0)
        if nothing.any() and wrote_otherwise(
            counts[:, nothing].sum(axis=1), column.counts[[0, i], -1], counts.sum(axis=1)
        ):
            verdicts.append(Verdict(Finding.STOPS, kinds=("missing",)))
            continue
        # Fewer records than these have no value of the other side: there is nothing to correct, and nothing alien.
        if (counts[:, ~met].sum(axis=1) < RECORDS).all():
            verdicts.append(Verdict(Finding.MEETS))
            continue
        empty = column.counts[[0, i], -1].tolist()
        if numeric and _codes_for_empty(column, counts, empty, missing_codes):
            verdicts.append(Verdict(Finding.STOPS, kinds=("missing",)))
            continue
        if not _worth_reading(column, counts):
            verdicts.append(_numbers_or_days(counts, days=not numeric))
            continue
        levels = levels or levels_of(column)
        verdicts.append(judge(levels, i, counts, labels, numeric=numeric))
    return verdicts
