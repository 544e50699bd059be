"""What a step does to one column: levels merged, numbers grouped, capped or rounded, on both sides alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Ints, Mask
from disclosure_core.data.joint_column import UNMATCHED, JointColumn
from disclosure_core.data.study import AnyStudy, Column, Kind, Study, StudyOf, V_co
from disclosure_core.data.values import same_number
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.regrouped import V, regrouped, texts_of_unmatched
from disclosure_core.protection.steps import Band, Breaks, Cap, Coarsen, MergeLevels, OnColumn, Recode, RoundTo

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JointStudy

Masks = list[Mask]


def applied(
    step: OnColumn,
    study: Study,
    frames: list[pd.DataFrame],
    declared: tuple[float, ...],
) -> tuple[list[pd.DataFrame], Masks]:
    """Return the frames after a step on one column, and the cells that it changed in each synthesis."""
    column = study.column(step.column)
    if not isinstance(step, Cap | RoundTo):
        recoded = relevelled(step, study, declared)
        if recoded is column:  # no more values than groups: each stays the number that it is
            return frames, [np.zeros(len(frame), dtype=bool) for frame in frames[1:]]
        new_frames, masks = _relabelled(frames, column, recoded)
        if not isinstance(step, Coarsen):
            return new_frames, masks
        # A declared missing value that the original does not hold has no level of its own; in the file it stays.
        stays = [_has_code(column, side, declared) for side in column.synthetic]
        return new_frames, [mask & ~unchanged for mask, unchanged in zip(masks, stays, strict=True)]
    _check_number(column)
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    special = (*study.missing_codes.get(step.column, ()), *declared)
    new_frames, changed_cells = [], []
    for frame, side in zip(frames, column.sides, strict=True):
        before = _plain(column_of(frame, step.column), column, side)
        after = _numbers(before, change, _has_code(column, side, special))
        changed = (after.notna() & (after != before)).fillna(False).to_numpy(dtype=bool)
        new_frames.append(_with(frame, step.column, after))
        changed_cells.append(changed)
    return new_frames, changed_cells[1:]


def relevelled(
    step: MergeLevels | Coarsen | Breaks | Recode | Band, study: StudyOf[V_co], declared: Iterable[float] = ()
) -> V_co:
    """Return a column after a step that makes other levels of it; the same where nothing changes."""
    column = study.column(step.column)
    if isinstance(step, MergeLevels):
        return _merged(column, step, small_levels(step, column))
    if isinstance(step, Breaks | Recode | Band):
        return regrouped(step, column, own_levels(study, column, declared))
    _check_number(column)
    if step.groups < 2:
        raise DisclosureError(f"Ask for 2 or more groups of {step.column!r}.")
    return study.grouped(step.column, step.groups)[0]


def _check_number(column: Variable) -> None:
    if column.kind is not Kind.NUMBER:
        raise DisclosureError(f"{column.name!r} is not numeric; merge its small levels instead.")


def applied_outside(
    step: OnColumn, joint: JointStudy, outside: pd.DataFrame, declared: tuple[float, ...]
) -> pd.DataFrame:
    """Return the holdout after a step on one column, by the rules that original and syntheses set."""
    if isinstance(step, Band | Coarsen | RoundTo):  # an end or a rest would let in whatever is unlike
        joint = joint.with_unlike([step.column])
    column = joint.columns.get(step.column)
    if column is None:  # nothing is evaluated with it
        return outside
    if isinstance(step, Breaks | Recode | Band):
        own = own_levels(joint, column, declared)
        after = regrouped(step, column, own)
        # A value that the holdout alone has falls into its interval, its month or its group.
        known = [*after.levels, None, UNMATCHED, *texts_of_unmatched(step, column, own)]
        places = _places(column, after)
        written = np.array(known, dtype=object)[places]
        return _with(outside, step.column, pd.Series(written, index=outside.index, dtype="str"))
    if isinstance(step, MergeLevels | Coarsen):
        if isinstance(step, MergeLevels):
            after = _merged(column, step, small_levels(step, joint.finished.column(step.column)))
        else:
            after = joint.grouped(step.column, step.groups)[0]
        if after is column:
            return outside
        levels = np.array([*after.levels, None, UNMATCHED], dtype=object)
        return _with(outside, step.column, pd.Series(levels[after.synthetic[-1]], index=outside.index, dtype="str"))
    side = column.synthetic[-1]
    known = [*column.values.tolist(), None, None, *column.unmatched.tolist()]
    places = _places(column, column)
    plain = pd.Series(pd.array([known[i] for i in places.tolist()]), index=outside.index)
    if not pd.api.types.is_numeric_dtype(plain.dtype):
        plain = pd.to_numeric(plain.astype(object)).astype("Float64")
    special = (*joint.missing_codes.get(step.column, ()), *declared)
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    numbers = _numbers(plain, change, _has_code(column, side, special))
    unmatched = (side == column.n_levels + 1) & (column.unmatched_codes < 0)
    return _with(
        outside, step.column, numbers.astype(object).mask(unmatched, UNMATCHED) if unmatched.any() else numbers
    )


def _places(column: JointColumn, after: JointColumn) -> Ints:
    """Return where each holdout record stands among the levels after a step, and then the values that it alone has."""
    alone = after.n_levels + 2 + column.unmatched_codes.astype(np.int64)
    return np.where(column.unmatched_codes >= 0, alone, after.synthetic[-1].astype(np.int64))


def own_levels(study: AnyStudy, column: Variable, declared: Iterable[float] = ()) -> Mask:
    """Return, shape (n_levels,), the missing codes, and the declared ones: they stay levels of their own."""
    own: Mask = np.array(study.is_missing_code(column.name), dtype=bool)
    if column.kind is Kind.NUMBER:
        own = own | _has_code(column, np.arange(column.n_levels), declared)
    return own


def blanked(frames: list[pd.DataFrame], column: Column, masks: Masks) -> list[pd.DataFrame]:
    """Return the frames with a column's values gone in the masked records of each synthesis; whole numbers stay so."""
    if column.kind is not Kind.NUMBER:
        sides = (np.where(mask, column.n_levels, side) for side, mask in zip(column.synthetic, masks, strict=True))
        new_frames, _ = _relabelled(frames, column, replace(column, synthetic=tuple(sides)))
        return new_frames
    new_frames = [frames[0]]
    for frame, side, mask in zip(frames[1:], column.synthetic, masks, strict=True):
        values = _plain(column_of(frame, column.name), column, side)
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iu":
            values = values.astype(cast("Any", "Int64" if values.dtype.kind == "i" else "UInt64"))
        new_frames.append(_with(frame, column.name, values.mask(mask)))
    return new_frames


def small_levels(step: MergeLevels, column: Variable) -> Mask:
    """Return, shape (n_levels,), which levels a step merges."""
    if column.kind is Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is numeric; put it into groups instead.")
    if step.fewer < 2:
        raise DisclosureError("Merge levels that fewer than 2 records have, or more.")
    small: Mask = column.counts[0, : column.n_levels] < step.fewer
    small &= ~np.isin(np.array(column.levels, dtype=object), step.keep)
    if step.into in column.levels and not small[column.levels.index(step.into)]:
        raise DisclosureError(
            f"{step.into!r} is a level of {step.column!r} already; give the merged level another name."
        )
    return small


def renumbered(step: Cap | RoundTo, column: Variable, values: Array, own: Mask) -> Array:
    """Return the numbers that numbers of a column become; those in `own` stay."""
    _check_number(column)
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    plain = pd.Series(values.astype(np.float64) if values.dtype == object else values)
    return _numbers(plain, change, own).to_numpy()


def _merged(column: V, step: MergeLevels, small: Mask) -> V:
    frequent = [level for level, is_small in zip(column.levels, small.tolist(), strict=True) if not is_small]
    values = np.array([*frequent, step.into] if small.any() else frequent, dtype=object)
    codes = np.full(column.n_codes, len(frequent) if small.any() else len(values) + 1, dtype=np.int64)
    codes[: column.n_levels] = np.where(small, len(frequent), np.cumsum(~small) - 1)
    codes[column.n_levels] = len(values)
    return cast("V", column.recoded(values, codes, ordered=column.ordered, kind=Kind.CATEGORY))


def _relabelled(frames: list[pd.DataFrame], was: Column, column: Column) -> tuple[list[pd.DataFrame], Masks]:
    """Return the frames with a column's values written as the levels of `column`, and the cells that read differently.

    `was` is the same column before.
    """
    levels = pd.Index(column.levels, dtype="str")
    old, new = (np.array([*c.levels, None], dtype=object) for c in (was, column))
    new_frames, changed_cells = [], []
    for frame, side, earlier in zip(frames, column.sides, was.sides, strict=True):
        codes = np.where(side == column.n_levels, -1, side.astype(np.int64))
        values = pd.Categorical.from_codes(codes, categories=levels, ordered=column.ordered)
        new_frames.append(_with(frame, column.name, pd.Series(values, index=frame.index)))
        changed_cells.append(new[side] != old[earlier])
    return new_frames, changed_cells[1:]


def _capped(step: Cap) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if step.low is None and step.high is None:
        raise DisclosureError(f"Give the lowest or the highest value of {step.column!r} that is kept.")
    if not all(isfinite(end) for end in (step.low, step.high) if end is not None):
        raise DisclosureError(f"The ends of {step.column!r} are finite numbers; correct the one that is none.")
    if step.low is not None and step.high is not None and step.low >= step.high:
        raise DisclosureError(f"The lowest value of {step.column!r} that is kept must be below the highest.")
    low, high = _whole(step.low), _whole(step.high)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        # Only what lies beyond an end is replaced: clip() would make floats of whole numbers, and merge large ones.
        capped = values if low is None else _replaced(values, values < low, low)
        return capped if high is None else _replaced(capped, capped > high, high)

    return change


def _whole(end: float | None) -> float | None:
    """Return a whole number of 64 bits as such, so that a column of whole numbers stays one."""
    return int(end) if end is not None and -(2.0**63) <= end < 2.0**63 and end == int(end) else end


def _replaced(values: pd.Series[Any], beyond: pd.Series[Any], end: float) -> pd.Series[Any]:
    """Return values with `end` in some places; whole numbers of other types than hold it become 64 bits, or floats."""
    beyond = beyond.fillna(False).astype(bool)
    if not beyond.any():
        return values
    if pd.api.types.is_integer_dtype(values.dtype):
        if isinstance(end, int):
            values = values.mask(beyond, 0)
            values = values.astype(_whole_type(values, values.dtype, end))
        else:
            values = pd.Series(values.to_numpy(dtype=float, na_value=np.nan), index=values.index, name=values.name)
    return values.mask(beyond, end)


def _rounded(step: RoundTo) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if not step.to > 0 or not np.isfinite(step.to):
        raise DisclosureError(f"Round {step.column!r} to multiples of a number above 0.")
    unit = Fraction(repr(float(step.to)))  # 0.1 is a tenth, not the binary number next to it

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        codes, distinct = pd.factorize(values, use_na_sentinel=True)
        numbers = _multiples(pd.Index(distinct).to_numpy(), unit)
        result = pd.Series(np.append(numbers, 0)[codes], index=values.index)
        return (
            result
            if (codes >= 0).all()
            else result.astype("Int64" if numbers.dtype.kind in "iu" else float).mask(codes < 0)
        )

    return change


def _multiples(values: Array, unit: Fraction) -> Array:
    """Return the multiples of `to` nearest to numbers, by their shortest decimals."""
    if values.dtype == np.float64 and max(unit.numerator, unit.denominator) < 2**53:
        with np.errstate(all="ignore"):
            near = values * unit.denominator / unit.numerator
            multiplier = np.rint(near)
            # Two whole numbers below 2^53 are held exactly, so their quotient is the float nearest to the multiple.
            multiples = multiplier * unit.numerator / unit.denominator
            is_exact = (np.abs(multiplier * unit.numerator) < 2**53) & (
                np.abs(np.abs(near - np.floor(near)) - 0.5) > 1e-6
            )
    else:
        multiples, is_exact = values.astype(object), np.zeros(len(values), dtype=bool)
    for i in np.flatnonzero(~is_exact):
        multiples[i] = _multiple(values[i], unit)
    multiples = multiples + 0 if multiples.dtype == np.float64 else multiples  # no -0.0
    if multiples.dtype != object:
        return multiples
    fits = all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in multiples)
    return multiples.astype(np.int64) if fits else np.array(multiples, dtype=object if _all_whole(multiples) else float)


def _all_whole(values: Array) -> bool:
    return all(isinstance(value, int) for value in values)


def _multiple(value: Any, unit: Fraction) -> float | int:
    """Return the multiple nearest to a number's shortest decimal, half away from zero; a whole number stays one."""
    if not np.isfinite(value):
        return float(value)
    steps = Fraction(str(value)) / unit
    exact = (int(abs(steps) + Fraction(1, 2)) if steps >= 0 else -int(abs(steps) + Fraction(1, 2))) * unit
    return int(exact) if isinstance(value, int | np.integer) and exact.denominator == 1 else float(exact)


def _has_code(column: Variable, side: Array, special: Iterable[float]) -> Mask:
    """Return, shape (n_records,), who has one of the numbers in `special`: by level, however a file stores them."""
    return np.isin(side, [code for value in special for code in same_number(column.values, value)])


def _plain(values: pd.Series[Any], column: Column, side: Array) -> pd.Series[Any]:
    """Return a numeric column to compute with: what numpy and pandas hold as it is, decimals as their levels."""
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iuf":
        return values
    if isinstance(values.array, pd.arrays.IntegerArray | pd.arrays.FloatingArray):
        return values
    levels = column.values.astype(np.float64) if column.values.dtype == object else column.values
    missing = side == column.n_levels
    plain: pd.Series[Any] = pd.Series(np.append(levels, levels[:1])[side], index=values.index)
    if missing.any() and levels.dtype.kind in "iu":
        plain = plain.astype("Int64" if levels.dtype.kind == "i" else "UInt64")
    return plain.mask(missing) if missing.any() else plain


def _numbers(plain: pd.Series[Any], change: Callable[[pd.Series[Any]], pd.Series[Any]], codes: Mask) -> pd.Series[Any]:
    """Return a numeric column changed but for its missing codes; whole numbers stay whole, in their type if it fits."""
    result = change(plain)
    result = result.where(~codes, plain) if codes.any() else result
    if pd.api.types.is_integer_dtype(plain.dtype) and (result.dropna() % 1 == 0).all():
        result = result.astype(_whole_type(result, plain.dtype))
    elif pd.api.types.is_float_dtype(plain.dtype):
        result = result.astype(plain.dtype)  # float32 stays float32
    return result


def _whole_type(values: pd.Series[Any], dtype: Any, *more: int) -> Any:
    """Return the type for whole numbers, and `more`: the one that was if it holds them, 64 bits, or what they have."""
    known = [*more, *values.dropna().agg(["min", "max"])] if values.notna().any() else [0]
    low, high = min(known), max(known)
    bounds = np.iinfo(getattr(dtype, "numpy_dtype", dtype))
    if bounds.min <= low and high <= bounds.max:
        return dtype
    if not (low >= -(2**63) and high < 2**63):
        return values.dtype
    return "Int64" if values.hasnans else "int64"


def column_of(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    """Return a column by its name as text, whatever the names are made of."""
    return frame.iloc[:, [str(c) for c in frame.columns].index(name)]


def _with(frame: pd.DataFrame, name: str, values: pd.Series[Any]) -> pd.DataFrame:
    """Return a frame with another column in the place of `name`; whatever the names are made of."""
    place = [str(c) for c in frame.columns].index(name)
    return pd.concat([frame.iloc[:, :place], values.rename(frame.columns[place]), frame.iloc[:, place + 1 :]], axis=1)
