"""The people of a pair, and what a synthesis makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.core.spelled_pairs import Row


def uneven(r: random.Random, k: int) -> list[float]:
    """Return how often each of so many levels is told: alike, or few of them mostly."""
    steep = r.choice([0, 0.5, 1, 1.6])
    found = [1 / (i + 1) ** steep for i in range(k)]
    r.shuffle(found)
    return found


def people(r: random.Random, levels: list[str], weights: list[float], n: int, missing: float) -> list[Row]:
    """Return people whose target hangs on x and a, mostly."""
    rows: list[Row] = []
    for x in r.choices(levels, weights, k=n):
        a = r.randint(0, 9)
        tells = sum(map(ord, x)) * 31 % 97 + a // 3
        rows.append([None if r.random() < missing else x, a, (tells if r.random() < 0.75 else r.randint(0, 99)) % 4])
    return rows


def synthesis(r: random.Random, rows: list[Row], n: int) -> list[Row]:
    """Return records drawn anew from people: whole, or x and the target by themselves now and then."""
    made = [list(r.choice(rows)) for _ in range(n)]
    for row in made:
        if r.random() < 0.3:
            row[0] = r.choice(rows)[0]
        if r.random() < 0.3:
            row[2] = r.choice(rows)[2]
    return made


def each(r: random.Random, rows: list[Row], n: int, change: Callable[[str], str | None]) -> list[list[Row]]:
    """Return syntheses of which every value is changed."""
    made = [synthesis(r, rows, n) for _ in range(r.choice([1, 1, 3]))]
    for side in made:
        for row in side:
            row[0] = row[0] if row[0] is None else change(row[0])
    return made
