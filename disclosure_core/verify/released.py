"""Syntheses released together, and who shares keys with how many, counted a second time over dictionaries.

As `counter.py`, this file imports nothing of the program but that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, log, nan, prod
from typing import TYPE_CHECKING, Any

from disclosure_core.verify.counter import has_missing_key, mean, pct

if TYPE_CHECKING:
    from disclosure_core.verify.counter import Row, Target
    from disclosure_core.verify.levels import Data


def together_by_keys(data: Data, keys: Sequence[str], without: Iterable[str], syntheses: Sequence[int]) -> Row:
    """Return repU of one synthesis (mean, smallest, largest), in each, of all in one file, and in any of them."""
    drop, n = has_missing_key(data, keys, without), data.n[0]
    d = data.by(keys, 0)
    alone = {q for q, records in d.items() if records == 1 and not drop(q)}
    each = [data.by(keys, i) for i in syntheses]
    hit = [{q for q in alone if s[q] == 1} for s in each]
    shares = [pct(len(found), n) for found in hit]
    return {
        "UiO": pct(len(alone), n),
        "alone": mean(shares),
        "alone_min": min(shares),
        "alone_max": max(shares),
        "every": pct(len(set.intersection(*hit)), n),
        "any": pct(len(set.union(*hit)), n),
        "pooled": pct(sum(sum(s[q] for s in each) == 1 for q in alone), n),
    }


def together(target: Target, syntheses: Sequence[int]) -> Row:
    """Return DiSCO of one synthesis, and of several together; and what is claimed, right or wrong."""
    says, n = [target.says[i - 1] for i in syntheses], target.data.n[0]
    levels: dict[Any, set[Any]] = {}
    for i in syntheses:
        for q, t in target.s[i - 1]:
            levels.setdefault(q, set()).add(t)
    found: Counter[str] = Counter()
    for (q, t), records in target.d_left.items():
        right = [claims.get(q, _NOTHING) == t for claims in says]
        one_level = len(levels.get(q, ())) == 1
        for what, is_so in (
            ("every", all(right)),
            ("any", any(right)),
            ("pooled", one_level and t in levels[q]),
            ("any_claimed", any(q in claims for claims in says)),
            ("pooled_claimed", one_level),
        ):
            found[what] += records * is_so
    rows = [target.of_synthesis(i)[0] for i in syntheses]
    alone = [row["DiSCO"] for row in rows]
    shares = {what: pct(found[what], n) for what in ("every", "any", "pooled", "any_claimed", "pooled_claimed")}
    return shares | {
        "Dorig": mean([row["Dorig"] for row in rows]),
        "alone": mean(alone),
        "alone_min": min(alone),
        "alone_max": max(alone),
        "alone_claimed": mean([row["DiS"] for row in rows]),
    }


_NOTHING = object()
"""What a synthesis claims that says nothing: no level, and missing is one."""


def under(data: Data, keys: Sequence[str], k: int) -> dict[tuple[Any, ...], Row]:
    """Return by (file,) the smallest class of the keys, and what stands in classes of fewer than k records."""
    found: dict[tuple[Any, ...], Row] = {}
    for i in range(data.m + 1):
        sizes = list(data.by(keys, i).values())
        small = [size for size in sizes if size < k]
        found[i,] = {
            "smallest": min(sizes),
            "classes": len(small),
            "records": sum(small),
            "share": pct(sum(small), data.n[i]),
        }
    return found


def classes(data: Data, keys: Sequence[str]) -> dict[tuple[Any, ...], Row]:
    """Return by (file, size) the classes of so many records, their records, and the share up to it."""
    found: dict[tuple[Any, ...], Row] = {}
    for i in range(data.m + 1):
        sizes, upto = Counter(data.by(keys, i).values()), 0
        for size in sorted(sizes):
            upto += size * sizes[size]
            found[i, size] = {"classes": sizes[size], "records": size * sizes[size], "upto": pct(upto, data.n[i])}
    return found


def levels_in_classes(target: Target, file: int = 0) -> dict[int, Row]:
    """Return by number of target levels a file's classes that hold so many, their records, the share up to it."""
    classes: dict[Any, set[Any]] = {}
    sizes: Counter[Any] = Counter()
    for (q, t), records in (target.s[file - 1] if file else target.d).items():
        classes.setdefault(q, set()).add(t)
        sizes[q] += records
    found: dict[int, Row] = {}
    upto = 0
    for n in sorted({len(levels) for levels in classes.values()}):
        those = [q for q, levels in classes.items() if len(levels) == n]
        records = sum(sizes[q] for q in those)
        upto += records
        found[n] = {"classes": len(those), "records": records, "upto": pct(upto, target.data.n[file])}
    return found


def copies(data: Data, columns: Sequence[str]) -> dict[tuple[Any, ...], Row]:
    """Return by (synthesis,) the records that equal an original record in these columns, and what chance gives (17)."""
    original = data.by(columns, 0)
    shares = [{level: n / data.n[0] for (level,), n in data.by([name], 0).items()} for name in columns]
    twins = pct(sum(n for n in original.values() if n > 1), data.n[0])
    found: dict[tuple[Any, ...], Row] = {}
    for i in range(1, data.m + 1):
        records = data.by(columns, i)
        n = sum(times for record, times in records.items() if original[record])
        chance = (prod(of.get(level, 0) for of, level in zip(shares, r, strict=True)) for r in records)
        found[i,] = {
            "records": data.n[i],
            "copies": n,
            "share": pct(n, data.n[i]),
            "expected": 100 * fsum(chance),
            "twins": twins,
        }
    return found


def identifiers(data: Data, columns: Iterable[str]) -> dict[tuple[Any, ...], Row]:
    """Return by (column, synthesis) how many values the original has, and how many of them the synthesis holds (17)."""
    found: dict[tuple[Any, ...], Row] = {}
    for name in columns:
        sides = [{t for (t,) in data.by([name], side)} - {None} for side in range(data.m + 1)]
        for i, there in enumerate(sides[1:], 1):
            n = len(sides[0] & there)
            found[name, i] = {"values": len(sides[0]), "released": n, "share": pct(n, len(sides[0]))}
    return found


def by_size(data: Data, keys: Sequence[str], without: Iterable[str], people: int) -> dict[tuple[Any, ...], Row]:
    """Return by (synthesis,) the replicated uniques, and the matches with the right person to be expected (14).

    Of the population only the number of people is known.
    """
    share = data.n[0] / people
    right = 1.0 if share == 1 else share / (1 - share) * log(1 / share)
    return {
        (i,): {"replicated": len(hit), "unique": nan, "right": right * len(hit)}
        for i, hit in _replicated(data, keys, without).items()
    }


def by_people(
    data: Data, keys: Sequence[str], without: Iterable[str], population: Data, counts: Sequence[int]
) -> dict[tuple[Any, ...], Row]:
    """Return the same where the population was counted by the keys: a row of its last table has so many people."""
    assert population.outside is not None
    people: Counter[Any] = Counter()
    for q, n in zip(zip(*(population.columns[k][population.outside] for k in keys), strict=True), counts, strict=True):
        people[q] += n
    return {
        (i,): {
            "replicated": len(hit),
            "unique": sum(people[q] == 1 for q in hit),
            "right": fsum(1 / people[q] for q in hit),
        }
        for i, hit in _replicated(data, keys, without).items()
    }


def _replicated(data: Data, keys: Sequence[str], without: Iterable[str]) -> dict[int, list[Any]]:
    drop, d = has_missing_key(data, keys, without), data.by(keys, 0)
    alone = [q for q, n in d.items() if n == 1 and not drop(q)]
    return {i: [q for q in alone if s[q] == 1] for i, s in ((i, data.by(keys, i)) for i in range(1, data.m + 1))}
