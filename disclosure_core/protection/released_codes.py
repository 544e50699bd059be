"""The codes of a column as it is released, beside those of the original as it came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from disclosure_core.arrays import Array, Counts, Ints, Mask
from disclosure_core.data.column import Column, Variable, smallest, with_records
from disclosure_core.data.study import Kind, Study


def as_released(study: Study, after: Study, name: str, kept: Sequence[Ints], groups: int) -> Column:
    """Return a column in so many groups, the original as it came, the safer syntheses in its codes."""
    old, new = study.columns[name], after.columns[name]
    base = with_records(study.grouped(name, groups)[0])
    tables = []
    sides = zip(
        (old.original, *(side[rows] for side, rows in zip(old.synthetic, kept, strict=True))), new.sides, strict=True
    )
    for was, now in sides:
        at, n = np.unique(now.astype(np.int64) * old.n_codes + was, return_counts=True)
        tables.append(np.stack([*np.divmod(at, old.n_codes), n]))
    now, was, n = np.concatenate(tables, axis=1)
    target, n_codes = released_codes(old, new, code_after(old, base), ~study.is_missing_code(name), now, was, n)
    return recast(base, [target[side] for side in new.synthetic], n_codes)


def released_codes(
    old: Variable, new: Variable, of_code: Counts, is_number: Mask, now: Counts, was: Counts, n: Counts
) -> tuple[Counts, int]:
    """Return what each code of a safer column is in the tables of the column as it came, and how many codes these have.

    Parameters
    ----------
    old, new
        The column as it came, and after the safeguards.
    of_code
        Shape (old.n_codes,): the code of each old code in the tables, of which missing is the last one.
    is_number
        Shape (old.n_levels,): which levels are no missing code.
    now, was, n
        Shape (k,): how many records of the original and the safer syntheses have which new and which old code.

    Returns
    -------
    tuple
        Shape (new.n_codes,): −1 where no record has a level; levels of their own follow missing.
    """
    missing = int(of_code[old.n_levels])
    if new.kind is Kind.NUMBER:
        return of_code[_of_number(old, new, is_number)], missing + 1
    target = np.full(new.n_codes, -1, dtype=np.int64)
    target[new.n_levels] = missing  # also of what was blanked
    n_codes = missing + 1
    for level in np.unique(now[now != new.n_levels]).tolist():
        held = now == level
        of_level = was[held]
        if np.unique(of_level).size == 1:
            target[level] = of_code[of_level[0]]
        elif old.kind is Kind.NUMBER:
            target[level] = of_code[_median(of_level, n[held])]
        else:
            target[level] = n_codes
            n_codes += 1
    return target, n_codes


def code_after(old: Column, base: Column) -> Ints:
    """Return, shape (old.n_codes,), the code in `base` of each code of the same column before it was changed."""
    found = np.zeros(old.n_codes, dtype=np.int64)
    found[-1] = base.n_codes - 1
    for was, now in zip(old.sides, base.sides, strict=True):
        found[was] = now
    return found


def _of_number(old: Variable, new: Variable, is_number: Mask) -> Ints:
    """Return, shape (new.n_codes,), the old code nearest to each new number; a missing code is no number to be near."""
    plain = np.flatnonzero(is_number)
    numbers, wanted = old.values[plain], new.values
    found = np.full(new.n_codes, old.n_levels, dtype=np.int64)
    if numbers.size:
        above = np.clip(np.searchsorted(numbers, wanted), 0, numbers.size - 1)
        below = np.clip(above - 1, 0, None)
        nearer = np.abs(wanted - numbers[below]) < np.abs(numbers[above] - wanted)
        found[:-1] = plain[np.where(nearer, below, above)]
    same = np.searchsorted(old.values, wanted)
    there = (same < old.n_levels) & (old.values[np.minimum(same, old.n_levels - 1)] == wanted)
    found[:-1][there] = same[there]
    return found


def _median(codes: Ints, n: Ints) -> int:
    """Return the lower median of rising numbers' codes, each standing `n` times."""
    order = np.argsort(codes, kind="stable")
    upto = np.cumsum(n[order])
    return int(codes[order][np.searchsorted(upto, (upto[-1] + 1) // 2)])


def recast(base: Column, synthetic: Sequence[Ints], n_codes: int) -> Column:
    """Return `base` with other syntheses, and levels up to `n_codes` of which the original has none."""
    more = n_codes - base.n_codes
    order = missing_last(base, n_codes)
    values = (
        np.array([*base.levels, *(f"merged {i}" for i in range(1, more + 1))], dtype=object) if more else base.values
    )
    sides = tuple(order[side] for side in synthetic)
    return Column(base.name, base.kind, values, base.ordered, order[base.original], sides)


def missing_last(base: Column, n_codes: int) -> Array:
    """Return, shape (n_codes,), new codes: missing, the last one of `base`, moves behind the levels that follow it."""
    order = np.r_[np.arange(base.n_levels), n_codes - 1, np.arange(base.n_levels, n_codes - 1)]
    return order.astype(smallest(n_codes))
