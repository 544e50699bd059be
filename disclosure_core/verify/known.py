"""What somebody knows less exactly (13, 15), and what safeguards cost (15), counted a second time.

Like `counter.py` it imports nothing of the program but what reads the tables. A hierarchy comes as it was asked for:
its kind, and its widths, calendar levels, numbers of characters or rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from decimal import Decimal
from fractions import Fraction
from math import fsum, log
from statistics import median
from typing import TYPE_CHECKING

from disclosure_core.verify.counter import Target, identity, mean, over_t, pct

if TYPE_CHECKING:
    from disclosure_core.verify.counter import Cell
    from disclosure_core.verify.levels import Data

    Row = dict[str, float]
    Side = list[str | None]


def coarser(
    kind: str, steps: Sequence[str], rows: Sequence[Sequence[str]], level: str, there: Collection[str]
) -> Callable[[str], str]:
    """Return what makes of a value what is known at a level, as it is named; `there` are the values that occur."""
    if kind == "bands":
        width = Fraction(next(step for step in steps if level == f"bands of {step}"))
        return lambda text: f"from {Fraction(text) // width * width}"
    if kind == "calendar":
        return lambda text: _dated(text, level)
    if kind == "prefixes":
        n = int(next(step for step in steps if level in (f"first {step} characters", "first character")))
        return lambda text: text[:n]
    find = _row_of(rows, there)
    i = dict(_of_table(rows, there))[level]
    return lambda text: f"\0{text}" if (row := find(text)) is None else row[i]  # in no row: it meets nobody


def levels(
    kind: str, steps: Sequence[str], rows: Sequence[Sequence[str]], there: Collection[str], apart: bool
) -> list[str]:
    """Return the names of the levels between as it is and unknown, finest first.

    `apart`: whether some values stay levels of their own until unknown. Of a table the last single value is unknown
    where none does.
    """
    if kind == "bands":
        return [f"bands of {step}" for step in steps]
    if kind == "prefixes":
        return [f"first {step} characters" if step != "1" else "first character" for step in steps]
    if kind == "calendar":
        return list(steps)
    return [name for name, _ in _of_table(rows, there) if apart or name != "1 group"]


def _of_table(rows: Sequence[Sequence[str]], there: Collection[str]) -> list[tuple[str, int]]:
    """Return the levels of a table, and the column of each; one that merges nothing of what occurs is no level."""
    find = _row_of(rows, there)
    mine = [row for text in there if (row := find(text)) is not None]
    sizes = [len({row[i] for row in mine}) for i in range(len(rows[0]))]
    return [(f"{n:,} group{'s' * (n != 1)}", i) for i, n in enumerate(sizes) if i and n < sizes[i - 1]]


def _row_of(rows: Sequence[Sequence[str]], there: Collection[str]) -> Callable[[str], Sequence[str] | None]:
    """Return what finds the row of a value: by its text, or by its number where all that occur are numbers."""
    by_text = {row[0]: row for row in rows}
    numbers = all(_is_number(text) for text in there)
    by_number = {Fraction(row[0]): row for row in rows if _is_number(row[0])} if numbers else {}

    def find(text: str) -> Sequence[str] | None:
        if text in by_text:
            return by_text[text]
        return by_number.get(Fraction(text)) if numbers and _is_number(text) else None

    return find


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except ArithmeticError:
        return False


def _dated(text: str, level: str) -> str:
    year, month = int(text[:4]), int(text[5:7])
    return {"month": f"{year} {month}", "quarter": f"{year} {(month - 1) // 3}", "year": f"{year}"}.get(
        level, f"{year // 10}"
    )


def at(data: Data, how: Mapping[str, Callable[[str], str]], alone: Mapping[str, Collection[str | None]]) -> Data:
    """Return the data with some columns known less exactly; what is `alone` there stays a level of its own."""
    found = copy(data)
    found.columns = dict(data.columns)
    for name, make in how.items():
        stays = alone[name]
        found.columns[name] = [[t if t in stays else f"≈{make(str(t))}" for t in side] for side in data.columns[name]]
    return found


def alike(one: Sequence[Side], other: Sequence[Side]) -> bool:
    """Return whether two ways to write a column tell the same records apart."""
    pairs = {pair for a, b in zip(one, other, strict=True) for pair in zip(a, b, strict=True)}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def joined(one: Sequence[Side], other: Sequence[Side]) -> list[Side]:
    """Return what both ways to write a column tell apart: values that either has as one are one."""
    pairs = {pair for a, b in zip(one, other, strict=True) for pair in zip(a, b, strict=True)}
    name = {a: f"{i}" for i, a in enumerate(dict.fromkeys(a for a, _ in sorted(pairs, key=repr)))}
    changed = True
    while changed:
        least: dict[str | None, str] = {}
        for a, b in pairs:
            least[b] = min(least.get(b, name[a]), name[a])
        changed = any(name[a] != least[b] for a, b in pairs)
        for a, b in pairs:
            name[a] = min(name[a], least[b])
    return [[name[a] for a in side] for side in one]


def of_target(target: Target) -> Row:
    """Return DiS and DiSCO at what is known (4), means over the syntheses."""
    of = [target.of_synthesis(i)[0] for i in range(1, target.data.m + 1)]
    return {m: mean([row[m] for row in of]) for m in ("DiS", "DiSCO")}


def commonest(target: Target) -> list[str | None]:
    """Return the commonest levels that no exclusion takes (10)."""
    absent = target.data.absent[target.name] if target.asked["missing_target"] else set()
    left = {t: n for t, n in target.data.by_level(target.name).items() if t not in {*target.levels, *absent}}
    return [t for t, n in left.items() if n == max(left.values())]


def outside(target: Target) -> dict[Cell, int]:
    """Return the people outside the data that no exclusion takes; a limit counts each with the members like them."""
    assert target.data.outside is not None
    cells = target.data.cells(target.keys, target.name, target.data.outside)
    return {c: n for c, n in cells.items() if target.why(c, target.d[c] + 1) == "remaining"}


def right(
    target: Target, people: Mapping[Cell, int], n: int, tau: float, without: Collection[str | None] = ()
) -> float:
    """Return right claims that are at least so sure, of people, % of n, without those on some levels (5, 10)."""
    found = []
    for s in target.s:
        of_q = over_t(s)
        sure = ((c, m / of_q[c[0]]) for c, m in s.items() if m / of_q[c[0]] >= tau and c[1] not in without)
        found.append(pct(fsum(share * people.get(c, 0) for c, share in sure), n))
    return mean(found)


def by_keys(data: Data, keys: Sequence[str], without: Iterable[str]) -> Row:
    """Return UiO, repU (3) and iS (4), nothing of it excluded, at what is known; means over the syntheses."""
    rows, d_q = list(identity(data, keys, without).values()), data.by(keys, 0)
    found = [sum(d_q[q] for q in data.by(keys, i) if q in d_q) for i in range(1, data.m + 1)]
    return {m: mean([row[m] for row in rows]) for m in ("UiO", "repU")} | {"iS": pct(mean(found), data.n[0])}


def lost(
    before: Side, after: Side, kept: float, values_kept: float, numbers: Callable[[str | None], bool] | None
) -> float:
    """Return the detail lost of one column (15): of the original as it came and seen through the safeguards.

    `numbers` says which levels of a column of numbers are numbers; None: a column of categories.
    """
    if numbers is None:
        whole = _entropy(before)
        return 100 * (1 - kept * values_kept * (_entropy(after) / whole if whole else 1))
    bands: dict[str | None, list[float]] = {}
    for was, now in zip(before, after, strict=True):
        if numbers(was):
            bands.setdefault(now, []).append(float(str(was)))
    whole = _around([v for values in bands.values() for v in values])
    left = 1 - fsum(map(_around, bands.values())) / whole if whole else 1
    return 100 * (1 - kept * values_kept * left)


def _entropy(side: Side) -> float:
    shares = [n / len(side) for n in Counter(side).values()]
    return -fsum(p * log(p) for p in shares)


def _around(values: Sequence[float]) -> float:
    middle = median(values) if values else 0
    return fsum(abs(v - middle) for v in values)
