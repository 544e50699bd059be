"""How close is close: DiSCO where a number near enough counts as right (measures.md 12).

Somebody who learns an income of 1,010 where it is 1,000 has learnt it. A key combination claims the middle of its
synthetic numbers where these lie within the tolerance of it; the claim is right where the person's number does, too.
Everything is compared in whole multiples of a power of ten, so that a number exactly at the tolerance counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Counts, Floats, Indices, Mask, Signed
from disclosure_core.counting.measures import over_syntheses, percent
from disclosure_core.counting.tolerance import LISTED, Tolerance
from disclosure_core.data.values import Kind, in_units, roomy
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.shown import with_units

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells, Counted
    from disclosure_core.counting.target_risk import TargetRisk
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy

    Units = Array
    """Whole numbers of a power of ten, of 64 bits or Python's own."""

FIGURES = ("DiS", "DiSCO", "Dorig")

NO_NUMBERS = "The original has no number in {name!r}."
LIMITED = NotEvaluated("Near misses are not evaluated with a denominator limit.", "Remove the limit.")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Numbers:
    """The levels of a numeric target in whole multiples of a power of ten.

    Attributes
    ----------
    is_number
        Shape (n_codes,): levels that are numbers; missing values, missing codes and infinite ones are not.
    units
        Shape (n_codes,): each number in multiples of 10^-`places`, rising; 0 for what is none.
    places
        Decimal places.
    """

    is_number: Mask
    units: Units
    places: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Said:
    """What the records with the same keys have, a row a cell.

    Attributes
    ----------
    low, high
        Shape (n,): codes of their smallest and largest number, where all are numbers; else −1.
    level
        Shape (n,): the code of the one level that all have and that is no number; else −1.
    """

    low: Signed
    high: Signed
    level: Signed

    def at(self, rows: Array) -> Said:
        """Return the same for these rows."""
        return Said(self.low[rows], self.high[rows], self.level[rows])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranges:
    """The counted original records of one target beside one synthesis, a row a cell or a kind of cell.

    Attributes
    ----------
    code, records
        Shape (n,): code of the target level, and original records counted.
    synthetic, original
        What the synthetic, and the original, records with the same keys have.
    """

    code: Signed
    records: Counts
    synthetic: Said
    original: Said


def ranges(counted: Counted, is_number: Mask) -> Ranges:
    """Return what is said of each cell that holds a counted original record.

    Parameters
    ----------
    is_number
        Shape (n_codes,): which codes of the target are numbers; these rise with their codes.
    """
    cells = counted.cells
    at = np.flatnonzero(counted.d)
    q = cells.q[at]
    return Ranges(
        cells.target[at],
        counted.d[at],
        numbers_by_keys(cells, cells.s, is_number).at(q),
        numbers_by_keys(cells, cells.d, is_number).at(q),
    )


def numbers_by_keys(cells: Cells, counts: Counts, is_number: Mask) -> Said:
    """Return, a row a key combination, what the records of `counts`, shape (n_cells,), have."""
    n_q, n_codes = cells.d_q.size, is_number.size
    held = np.flatnonzero(counts)
    q, target = cells.q[held].astype(np.int64), cells.target[held].astype(np.int64)
    number = is_number[target]
    low, high = np.full(n_q, n_codes), np.full(n_q, -1)
    np.minimum.at(low, q[number], target[number])
    np.maximum.at(high, q[number], target[number])
    others = np.bincount(q[~number], minlength=n_q)
    level = np.full(n_q, -1)
    level[q[~number]] = target[~number]
    level[(others > 1) | (high >= 0)] = -1
    mixed = others > 0
    low[mixed | (high < 0)] = -1
    high[mixed] = -1
    return Said(low, high, level)


def special_codes(study: AnyStudy, name: str) -> tuple[int, ...]:
    """Return the codes of the missing codes of a numeric column; none of another, whose levels are as they are."""
    if name not in study.missing_codes:
        return ()
    return tuple(np.flatnonzero(study.is_missing_code(name)).tolist())


def numbers_of(column: Variable, special: Iterable[int]) -> Numbers:
    """Return the numbers among the levels of a numeric column; `special` are the codes of its missing codes."""
    is_number = _numbers_among(column, special)
    units, places = in_units(column.values[is_number[: column.n_levels]])
    every = np.zeros(column.n_codes, dtype=units.dtype)
    every[is_number] = units
    return Numbers(is_number, every, places)


def _numbers_among(column: Variable, special: Iterable[int]) -> Mask:
    """Return, shape (n_codes,), the codes that are numbers."""
    is_number = np.zeros(column.n_codes, dtype=bool)
    values = column.values
    if values.dtype == object:
        is_number[: column.n_levels] = [abs(value) < float("inf") for value in values.tolist()]
    else:
        is_number[: column.n_levels] = np.isfinite(values)
    is_number[[*special, *column.missing]] = False
    return is_number


def with_further(numbers: Numbers, further: Array) -> tuple[Numbers, Numbers]:
    """Return numbers, and further ones that no level is, in multiples of one power of ten."""
    finite = np.array([abs(value) < float("inf") for value in further.tolist()], dtype=bool)
    units, places = in_units(further[finite])
    most = max(places, numbers.places)
    every = np.zeros(further.size, dtype=object)
    every[finite] = units.astype(object) * 10 ** (most - places)
    mine = numbers.units.astype(object) * 10 ** (most - numbers.places)
    both = roomy(np.concatenate([mine, every]))
    ends = numbers.units.size
    return Numbers(numbers.is_number, both[:ends], most), Numbers(finite, both[ends:], most)


def lacking(risk: TargetRisk) -> NotEvaluated | None:
    """Return why there are no near misses of a target; None where there are.

    A target that is no number, or is in groups, has no tolerance; with a denominator limit nothing is evaluated.
    """
    cells = risk.counted[0].cells
    column = cells.column
    if column.kind is not Kind.NUMBER:
        return NotEvaluated(
            f"Near misses need a numeric target without groups, and {risk.target!r} is none.",
            "Choose another target, or count this one without groups.",
        )
    if not (_numbers_among(column, risk.special) & (column.counts[0] > 0)).any():
        return NotEvaluated(NO_NUMBERS.format(name=risk.target), "Choose another target.")
    return LIMITED if risk.left_out.denominator_limit is not None else None


def near_misses(risk: TargetRisk, tolerances: Iterable[float | str | Decimal | Tolerance] = LISTED) -> pd.DataFrame:
    """Return DiS, DiSCO and Dorig where a number within each tolerance counts as right.

    Parameters
    ----------
    risk
        One numeric target of an assessment, without groups.
    tolerances
        "10%" of the number claimed, or 100 in the target's unit.

    Returns
    -------
    DataFrame
        A row a tolerance: tolerance, as text; DiS, DiSCO and Dorig, means over the syntheses in % of the original
        records; min, max and sd of DiSCO over the syntheses (sd NaN for one); guess, % of all original records for whom
        the best single guess is right, the same for everybody and with nothing excluded.

    Raises
    ------
    DisclosureError
        When a tolerance is not a number or below 0, or there is nothing to evaluate: `lacking` says why.

    Source
    ------
    measures.md 12; paper 001, section on continuous variables (its first approach).
    """
    asked = [Tolerance.of(each) for each in tolerances]
    why = lacking(risk)
    if why is not None:
        raise DisclosureError(f"{why.why} {why.needs}")
    column = risk.counted[0].cells.column
    numbers = numbers_of(column, risk.special)
    found = np.array([_figures(ranges(c, numbers.is_number), c.cells.n_original, numbers, asked) for c in risk.counted])
    over = over_syntheses(found[:, 1])
    mean = found.mean(axis=0)
    frame = pd.DataFrame(
        {
            "tolerance": [each.text for each in asked],
            **dict(zip(FIGURES, mean, strict=True)),
            "min": over["min"],
            "max": over["max"],
            "sd": over["sd"],
            "guess": [best_guess(column, numbers, each) for each in asked],
        }
    )
    units = dict.fromkeys((*FIGURES, "min", "max", "guess"), "% of the original records")
    return with_units(frame, {**units, "sd": "percentage points"})


def _figures(rows: Ranges, n: int, numbers: Numbers, asked: list[Tolerance]) -> Floats:
    """Return `FIGURES`, shape (3, n_tolerances), in % of n records."""
    claim, right = claims(rows.synthetic, numbers, rows.code, numbers.units[rows.code])
    own, _ = claims(rows.original, numbers, rows.code, numbers.units[rows.code])
    return np.array(
        [[percent(rows.records[which.holds(each)].sum(), n) for each in asked] for which in (claim, right, own)]
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distance:
    """How large a tolerance each row needs.

    Attributes
    ----------
    always
        Shape (n,): rows that hold at any tolerance: a level that is no number.
    rows
        Shape (n_near,): the rows that a tolerance can make hold.
    width, size
        Shape (n_near,): twice the tolerance that they need, and twice what a share is of, both in units.
    places
        Decimal places of a unit.
    """

    always: Mask
    rows: Indices
    width: Units
    size: Units
    places: int

    def holds(self, tolerance: Tolerance) -> Mask:
        """Return, shape (n,), which rows hold within a tolerance."""
        out = self.always.copy()
        out[self.rows] = _at_most(self.width, self.size, tolerance, self.places)
        return out


def claims(
    said_of: Said, numbers: Numbers, code: Array, value: Units, is_number: Mask | None = None
) -> tuple[Distance, Distance]:
    """Return which tolerance each row needs for a claim, and for a right claim.

    Parameters
    ----------
    said_of
        What is said of each row's keys.
    code, value
        Shape (n,): the code of each row's own level, and its number in units.
    is_number
        Shape (n,): whether the row's own level is a number; that of its code where not given.
    """
    is_number = numbers.is_number[code] if is_number is None else is_number
    claimed = np.flatnonzero(said_of.low >= 0)
    low, high = numbers.units[said_of.low[claimed]], numbers.units[said_of.high[claimed]]
    width, size = high - low, abs(low + high)
    near = is_number[claimed]
    off = np.maximum(width[near], abs(2 * value[claimed[near]] - low[near] - high[near]))
    a_level = said_of.level >= 0
    return (
        Distance(a_level, claimed, width, size, numbers.places),
        Distance(a_level & (said_of.level == code), claimed[near], off, size[near], numbers.places),
    )


def _at_most(width: Units, size: Units, tolerance: Tolerance, places: int) -> Any:
    """Return where `width` is twice the tolerance or less; `size` is twice the number claimed."""
    a, b = tolerance.amount.as_integer_ratio()
    if not tolerance.relative:
        return width <= _narrowed(2 * a * 10**places // b, width)
    width, size = _widened(width, b), _widened(size, a)
    return width * b <= size * a


def _narrowed(whole: int, units: Units) -> int:
    """Return a whole number that can be compared with units of 64 bits."""
    return whole if units.dtype == object else min(whole, np.iinfo(np.int64).max)


def _widened(units: Units, factor: int) -> Units:
    """Return units that can be multiplied by a factor: Python's own where 64 bits are too few."""
    largest = max(abs(int(units.max())), abs(int(units.min()))) if units.size else 0
    return units if largest * factor < 2**63 and factor < 2**63 else units.astype(object)


def best_guess(column: Variable, numbers: Numbers, tolerance: Tolerance) -> float:
    """Return, in % of all original records, for how many the best single guess is right within a tolerance.

    The guess is a number, or a level that is none, where more have that.
    """
    counts = column.counts[0]
    n = int(counts.sum())
    held = numbers.is_number[: counts.size] & (counts > 0)
    others = int(counts[~numbers.is_number[: counts.size]].max(initial=0))
    return percent(max(others, _most_within(numbers.units[held], counts[held], tolerance, numbers.places)), n)


def _most_within(units: Units, counts: Counts, tolerance: Tolerance, places: int) -> int:
    """Return the most records, of rising numbers with these counts, that lie within a tolerance of one number."""
    a, b = tolerance.amount.as_integer_ratio()
    if not tolerance.relative:
        return _in_windows(units, _added(units, 2 * a * 10**places // b), counts)
    if a > b:  # a large enough guess is within more than 100 % of everything
        return int(counts.sum())
    if a == b:
        return int(max(counts[units >= 0].sum(), counts[units <= 0].sum()))
    positive, negative = units > 0, units < 0
    sides = ((units[positive], counts[positive]), (-units[negative][::-1], counts[negative][::-1]))
    # c − ρc is the smallest number of a window and c + ρc its largest.
    found = [_in_windows(u, _widened(u, b + a) * (b + a) // (b - a), c) for u, c in sides]
    return max(*found, int(counts[units == 0].sum()))


def _added(units: Units, whole: int) -> Units:
    largest = abs(int(units.max(initial=0))) + whole
    return (units if largest < 2**62 else units.astype(object)) + whole


def _in_windows(units: Units, ends: Units, counts: Counts) -> int:
    """Return the most records in any window from a number of `units`, rising, to the end that belongs to it."""
    if not units.size:
        return 0
    upto = np.append(0, np.cumsum(counts))
    return int((upto[np.searchsorted(units, ends, side="right")] - upto[:-1]).max())
