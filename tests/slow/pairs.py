"""Pairs of an original and its syntheses, drawn by number: one column that is written in two ways, or really differs.

A record is (x, a, t): x is the column in question, a another key, t a target. In a broken pair other shares of the
people (0 to 100 %) are written in a second way on each side; in a sound pair the same shares, or the values differ for
a reason of the data. tests/core/spelled_pairs.py has the pairs that the rule was mended on.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from tests.core.spelled_pairs import Row, levels_of, word
from tests.slow.ways import WAYS, Way, law

SIZES = (40, 90, 200, 350, 500, 500, 700, 1000, 1500, 3000)
SHARES = (1, 2, 5, 10, 20, 35, 50, 70, 90, 97, 100, 100, 100, 100)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:")
STORED = (
    *(("csv", "csv"),) * 4,
    ("text", "text"),
    ("typed", "typed"),
    ("typed", "csv"),
    ("csv", "typed"),
    ("text", "typed"),
)
"""How the original and the syntheses come: as CSV files; or as tables, with texts or with numbers, days and truths as such."""


@dataclass
class Pair:
    """An original, its syntheses, and what was done to them.

    Attributes
    ----------
    kind
        Of what and how it was broken, or in what it really differs.
    sound
        Whether nothing is broken.
    how
        How many are affected on each side, and by what.
    original, syntheses
        The records as files have them.
    right
        The same before anything was broken.
    way
        The second way of writing; None of most sound pairs.
    codebook
        Labels by code, where a codebook comes with the files.
    stored
        What kind of file each side is.
    """

    kind: str
    sound: bool
    how: str
    original: list[Row]
    syntheses: list[list[Row]]
    right: tuple[list[Row], list[list[Row]]]
    way: Way | None = None
    codebook: dict[str, str] = field(default_factory=dict)
    stored: tuple[str, str] = ("csv", "csv")

    @property
    def n(self) -> int:
        return len(self.original)


# ---- people ----------------------------------------------------------------------------------------------------------


def _weights(r: random.Random, k: int) -> list[float]:
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


def _copy(rows: list[Row]) -> list[Row]:
    return [list(row) for row in rows]


def _written(r: random.Random, rows: list[Row], way: Way, text: str, share: float, by: str) -> None:
    """Write a share of the people in the second way: by lot, by their level, or the rarest and the commonest levels."""
    counts = Counter(row[0] for row in rows)
    upto, chosen = 0, set()
    order = sorted(counts, key=lambda v: (counts[v], str(v)), reverse=by == "commonest levels")
    for level in order if by.endswith("levels") else ():
        if by == "levels":
            if random.Random(f"{level}").random() < share / 100:
                chosen.add(level)
        elif upto < share * len(rows) / 100:
            chosen.add(level)
            upto += counts[level]
    for row in rows:
        is_one = (row[0] in chosen) if by.endswith("levels") else r.random() < share / 100
        if share == 100 or is_one:
            if way.of_empty:
                row[0] = text if row[0] is None else row[0]
            elif row[0] is not None:
                row[0] = way.change(row[0])


def broken(seed: int) -> Pair:
    """Return a pair of which the sides are written in two ways, by other shares; where nothing changed it is sound."""
    r = random.Random(f"broken {seed}")
    of, name = WAYS[seed * 89 % len(WAYS)]  # all of them, one after the other, in no order
    n = r.choice(SIZES)
    levels, ways = law(r, of, n)
    way = ways[name]
    shares = [0, r.choice(SHARES)] if r.random() < 0.8 else r.sample((5, 20, 50, 80, 95), 2)
    if r.random() < 0.3:
        shares.reverse()
    by = r.choice(["people", "people", "levels", "rarest levels", "commonest levels"])
    return _in_two_ways(r, f"{of}: {name}", levels, way, name, shares, "people" if way.of_empty else by, n)


def _in_two_ways(
    r: random.Random, kind: str, levels: list[str], way: Way, name: str, shares: list[float], by: str, n: int
) -> Pair:
    weights = _weights(r, len(levels))
    original = people(r, levels, weights, n, r.choice([0.1, 0.3]) if way.of_empty else r.choice([0, 0, 0.1]))
    m = r.choice([1, 1, 1, 3])
    missing = sum(row[0] is None for row in original) / n
    free = r.random() < 0.4
    syntheses = [people(r, levels, weights, n, missing) if free else synthesis(r, original, n) for _ in range(m)]
    right = _copy(original), [_copy(rows) for rows in syntheses]
    # Perhaps of one synthesis alone.
    one = m > 1 and shares[0] == 0 and r.random() < 0.3
    _written(r, original, way, name, shares[0], by)
    for rows in syntheses[: 1 if one else m]:
        _written(r, rows, way, name, shares[1], by)
    codebook = {}
    if way.codebook:
        codebook = {str(way.change(level)): level for level in levels}
    same = (original, syntheses) == right
    alike = shares[0] == shares[1] and not one
    how = f"{shares[0]} % and {shares[1]} % by {by}{', of one synthesis' if one else ''}"
    kind = "nothing changed" if same else f"mixed alike, {kind}" if alike else kind
    second = None if same else way
    return Pair(kind, same or alike, how, original, syntheses, right, second, codebook, r.choice(STORED))


# ---- sound pairs that really differ ----------------------------------------------------------------------------------

Sound = Callable[[random.Random, int], tuple[list[Row], list[list[Row]]]]


def _drawn(r: random.Random, n: int, kind: str, k: int | None = None) -> list[Row]:
    levels = levels_of(r, kind, k or r.choice([3, 8, 30, 120, 400]))
    return people(r, levels, _weights(r, len(levels)), n, r.choice([0, 0, 0.08]))


CATEGORIES = (
    "towns",
    "label",
    "postcode",
    "nuts",
    "icd",
    "zeros",
    "digits5",
    "messy",
    "yesno",
    "coded",
    "month",
    "country",
)
NUMBERS = ("int", "money", "float", "share")


def mixed_alike(r: random.Random, n: int) -> Pair:
    """Return a pair whose sides mix two ways of writing, the same share of each."""
    of, name = r.choice(WAYS)
    levels, ways = law(r, of, n)
    share = r.choice([2, 5, 10, 30, 50])
    by = "people" if ways[name].of_empty else r.choice(["people", "people", "levels"])
    return _in_two_ways(r, f"{of}: {name}", levels, ways[name], name, [share, share], by, n)


def _each(r: random.Random, rows: list[Row], n: int, change: Callable[[str], str | None]) -> list[list[Row]]:
    made = [synthesis(r, rows, n) for _ in range(r.choice([1, 1, 3]))]
    for side in made:
        for row in side:
            row[0] = row[0] if row[0] is None else change(row[0])
    return made


def _rare_levels(r: random.Random, n: int) -> Any:
    k = r.choice([n // 4, n // 2, n, 2 * n])
    levels = levels_of(r, r.choice(["towns", "digits5", "icd", "postcode"]), max(k, 5))
    weights = [1 / (i + 1) for i in range(len(levels))]
    return people(r, levels, weights, n, 0), [people(r, levels, weights, n, 0) for _ in range(r.choice([1, 3]))]


def _unlucky(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(CATEGORIES))
    few = r.choice([5, 12, 30])
    return rows[: r.choice([few, n])], [synthesis(r, rows, few)]


def _another_year(r: random.Random, n: int) -> Any:
    kind = r.choice(CATEGORIES[:8])
    levels = levels_of(r, kind, r.choice([3, 8, 30, 120, 400]))
    fresh, keep = levels_of(r, kind, len(levels)), r.choice([0.3, 0.6, 0.8, 0.95])
    later = [v if r.random() < keep else r.choice(fresh) for v in levels]
    later[0] = levels[0]
    return people(r, levels, _weights(r, len(levels)), n, 0), [people(r, later, _weights(r, len(later)), n, 0)]


def _another_region(r: random.Random, n: int) -> Any:
    """Another part of the country: hardly a place is in both, and all codes are of one kind."""
    kind = r.choice(["towns", "postcode", "nuts"])
    levels = levels_of(r, kind, 120)
    here, there = levels[:70], levels[60:]
    return people(r, here, _weights(r, len(here)), n, 0), [people(r, there, _weights(r, len(there)), n, 0)]


def _dropped(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(CATEGORIES))
    top = [v for v, _ in Counter(row[0] for row in rows if row[0]).most_common()]
    if len(top) < 2:
        return rows, [synthesis(r, rows, n)]
    gone = set(r.choice([top[:1], top[1:], top[len(top) // 2 :], top[::2]])) - {top[-1]} or {top[0]}
    left = [v for v in top if v not in gone] or top[-1:]
    return rows, _each(r, rows, n, lambda v: r.choice(left) if v in gone else v)


def _invented(r: random.Random, n: int) -> Any:
    kind = r.choice(CATEGORIES[:8])
    rows = _drawn(r, n, kind)
    fresh, share = levels_of(r, kind, r.choice([3, 20, 200])), r.choice([0.02, 0.1, 0.3, 0.6])
    return rows, _each(r, rows, n, lambda v: r.choice(fresh) if r.random() < share else v)


def _whole_domain(r: random.Random, n: int) -> Any:
    """A synthesis that draws every code of a list alike, of which the original has a few."""
    levels = (
        [f"{i:0{r.choice([3, 4])}d}" for i in range(r.choice([100, 400, 990]))]
        if r.random() < 0.5
        else levels_of(r, "icd", 500)
    )
    few = r.sample(levels, r.choice([3, 10, 40]))
    return people(r, few, _weights(r, len(few)), n, 0), [people(r, levels, [1] * len(levels), n, 0)]


def _merged_rest(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(["towns", "label", "nuts", "icd", "digits5"]))
    top = [v for v, _ in Counter(row[0] for row in rows if row[0]).most_common()]
    low, rest = (
        set(top[max(1, int(len(top) * r.choice([0.3, 0.6, 0.9]))) :]),
        r.choice(["Other", "other", "Rest of country", "Others (n<20)", "*"]),
    )
    return rows, _each(r, rows, n, lambda v: rest if v in low else v)


def _noised(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(NUMBERS))
    d, sd = r.choice([0, 1, 3, 8]), r.choice([0.2, 2, 50])
    return rows, _each(r, rows, n, lambda v: f"{round(float(v) + r.gauss(0, sd), d):.14g}")


def _continuous(r: random.Random, n: int) -> Any:
    mu, sd, d = r.choice([0, 50, 3000]), r.choice([1, 15, 800]), r.choice([1, 3, 6, 12])

    def draw() -> str:
        return f"{round(r.gauss(mu, sd), d):.14g}"

    rows = people(r, [draw() for _ in range(n)], [1] * n, n, 0)
    later = [draw() for _ in range(n)]
    return rows, [people(r, later, [1] * n, n, 0)]


def _tail(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(NUMBERS))
    numbers = sorted(float(row[0]) for row in rows if row[0] is not None)
    low, high = numbers[len(numbers) // 20], numbers[-1 - len(numbers) // 20]
    return rows, _each(r, rows, n, lambda v: f"{min(max(float(v), low), high):.12g}")


def _top_band(r: random.Random, n: int) -> Any:
    ages = [str(a) for a in range(18, 100)]
    rows, top = people(r, ages, _weights(r, len(ages)), n, 0), r.choice([65, 80, 90])
    style = r.choice(["{}+", "{} and over", "≥{}", "{} or more", ">={}", "{} plus"])
    return rows, _each(r, rows, n, lambda v: style.format(top) if int(v) >= top else v)


def _grown(r: random.Random, n: int) -> Any:
    """Prices and pay of another year."""
    rows = _drawn(r, n, "money", 300)
    by = r.choice([1.02, 1.1, 1.4])
    return rows, _each(r, rows, n, lambda v: f"{round(float(v) * by)}")


def _bands_of_two_years(r: random.Random, n: int) -> Any:
    width, last = r.choice([5, 10]), r.choice([75, 85])
    bands = [f"{b}-{b + width - 1}" for b in range(15, last, width)]
    rows = people(r, [*bands, f"{last}+"], _weights(r, len(bands) + 1), n, 0)
    more = [*bands, f"{last}-{last + width - 1}", f"{last + width}+"]
    return rows, [people(r, more, _weights(r, len(more)), n, 0)]


def _years(r: random.Random, n: int) -> Any:
    text, gap = r.choice(["{}", "FY{}", "{}/W1", "wave {}"]), r.choice([0, 1, 3, 5, 8, 12])
    first = [text.format(y) for y in range(2005, 2015)]
    later = [text.format(y) for y in range(2005 + gap, 2015 + gap)]
    return people(r, first, _weights(r, 10), n, 0), [people(r, later, _weights(r, 10), n, 0)]


def _other_days(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, "day", r.choice([20, 200, 1000]))
    sd = r.choice([1, 10, 200, 900])
    return rows, _each(r, rows, n, lambda v: (date.fromisoformat(v) + timedelta(round(r.gauss(0, sd)))).isoformat())


def _heaped_days(r: random.Random, n: int) -> Any:
    levels = [t[:8] + r.choice(["01", "15", t[8:], t[8:]]) for t in levels_of(r, "day", 300)]
    rows = people(r, levels, _weights(r, len(levels)), n, 0)
    return rows, [people(r, levels, _weights(r, len(levels)), n, 0)]


def _own_values(r: random.Random, n: int) -> Any:
    """Identifiers, names, phones, mail: everybody's own, on both sides."""
    style = r.choice(["hex", "number", "mail", "phone", "iban", "name", "case"])

    def one() -> str:
        return {
            "hex": f"{r.getrandbits(48):012x}",
            "number": f"{r.randint(10**6, 10**9)}",
            "mail": f"{word(r).lower()}{r.randint(1, 99)}@example.org",
            "phone": f"+41 {r.randint(20, 99)} {r.randint(100, 999)} {r.randint(10, 99)}",
            "iban": f"CH{r.randint(10, 99)} {r.randint(1000, 9999)} {r.randint(1000, 9999)}",
            "name": f"{word(r)} {word(r)}",
            "case": f"{r.choice('ABC')}-{r.randint(0, 99999):05d}/{r.randint(18, 24)}",
        }[style]

    return people(r, [one() for _ in range(n)], [1] * n, n, 0), [people(r, [one() for _ in range(n)], [1] * n, n, 0)]


def _sentences(r: random.Random, n: int) -> Any:
    words = [w.lower() for w in levels_of(r, "towns", 50)]

    def one() -> str:
        return " ".join(r.choice(words) for _ in range(r.randint(1, 5))).capitalize() + r.choice(["", ".", "!"])

    return people(r, [one() for _ in range(n)], [1] * n, n, 0), [people(r, [one() for _ in range(n)], [1] * n, n, 0)]


def _case_means(r: random.Random, n: int) -> Any:
    levels = r.choice(
        [list("aAbBcCdDmM"), ["M", "m", "min", "Min", "MIN"], ["e", "E", "é", "É"], ["No", "no", "NO", "N.O."]]
    )
    return people(r, levels, _weights(r, len(levels)), n, 0), [people(r, levels, _weights(r, len(levels)), n, 0)]


def _case_one_alone(r: random.Random, n: int) -> Any:
    """Codes of which case or a zero tells two apart, and a synthesis that has lost the rarer of two."""
    both = [
        ("a", "A"),
        ("1", "01"),
        ("St. Ives", "St Ives"),
        ("Neustadt", "Neustadt (Hessen)"),
        ("Muller", "Müller"),
        ("10", "10.0"),
    ]
    first, second = r.choice(both)
    others = [word(r) for _ in range(r.choice([3, 20]))]
    levels = [first, second, *others]
    weights = [0.2, r.choice([0.002, 0.005]), *([0.8 / len(others)] * len(others))]
    rows = people(r, levels, weights, n, 0)
    return rows, _each(r, rows, n, lambda v: first if v == second and r.random() < 0.5 else v)


def _depths(r: random.Random, n: int) -> Any:
    """A list of codes in several depths, and a year that codes a little deeper."""
    deep = levels_of(r, "icd", r.choice([30, 200]))
    levels = [*deep, *{v[:3] for v in deep}]
    weights = _weights(r, len(levels))
    later = [w * (r.choice([0.7, 1, 1.3])) for w in weights]
    return people(r, levels, weights, n, 0), [people(r, levels, later, n, 0)]


def _emptied(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice([*CATEGORIES, *NUMBERS, "day"]))
    share, others = r.choice([0.1, 0.5, 0.97]), synthesis(r, rows, n)
    sides = [rows, others] if r.random() < 0.3 else [r.choice([rows, others])]
    for side in sides:
        for row in side:
            row[0] = None if r.random() < share else row[0]
    return rows, [others]


def _filled(r: random.Random, n: int) -> Any:
    """Empty cells that a synthesis has filled with answers."""
    levels = levels_of(r, r.choice([*CATEGORIES, *NUMBERS]), r.choice([4, 30]))
    rows = people(r, levels, _weights(r, len(levels)), n, 0.25)
    made = synthesis(r, rows, n)
    for row in made:
        row[0] = row[0] or r.choice(levels)
    return rows, [made]


def _refusals(r: random.Random, n: int) -> Any:
    """Numbers with a few texts beside them, on both sides."""
    levels = [*levels_of(r, "int", 60), *r.sample(["refused", "don't know", "n/a", "none", "many"], 2)]
    weights = [*([1] * 60), 3, 2]
    return people(r, levels, weights[: len(levels)], n, 0), [people(r, levels, weights[: len(levels)], n, 0)]


def _one_level(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(CATEGORIES), r.choice([3, 8]))
    made = synthesis(r, rows, n)
    top = Counter(row[0] for row in rows if row[0]).most_common(1)
    for row in r.choice([rows, made]):
        row[0] = row[0] and top[0][0]
    return rows, [made]


def _top_count(r: random.Random, n: int) -> Any:
    """Counts of children or rooms, of which a synthesis writes the largest as one."""
    counts = [str(i) for i in range(r.choice([7, 10, 13]))]
    rows, top = people(r, counts, [1 / (i + 1) for i in range(len(counts))], n, 0), r.choice([3, 4, 6])
    style = r.choice(["{}+", "{} or more", "{} and more persons", "≥ {}", "more than {}"])
    last = style.format(top - style.startswith("more"))
    return rows, _each(r, rows, n, lambda v: last if int(v) >= top else v)


def _another_magnitude(r: random.Random, n: int) -> Any:
    """Turnovers of larger firms: about 10, 100 or 1000 times those of others."""
    rows, by, digits = _drawn(r, n, "money", 300), r.choice([10, 100, 1000]), r.choice([-1, 0])
    return rows, _each(r, rows, n, lambda v: f"{round(round(float(v) * by * r.lognormvariate(0, 0.1), digits))}")


def _heaped_amounts(r: random.Random, n: int) -> Any:
    """Amounts to one or two digits, as people tell them; larger in the synthesis."""
    digits, by = r.choice([0, 1]), r.choice([1, 3, 10, 12, 30])

    def draw(mean: float) -> str:
        return f"{float(f'{mean * r.lognormvariate(0, 0.9):.{digits}e}'):.0f}"

    rows = people(r, [draw(2000) for _ in range(n)], [1] * n, n, 0)
    return rows, [people(r, [draw(2000 * by) for _ in range(n)], [1] * n, n, 0)]


def _grown_to_the_cent(r: random.Random, n: int) -> Any:
    levels, by = [f"{r.lognormvariate(7, 1):.2f}" for _ in range(r.choice([40, 300, 2000]))], r.choice([1.02, 1.4])
    rows = people(r, levels, _weights(r, len(levels)), n, 0)
    return rows, _each(r, rows, n, lambda v: f"{float(v) * by:.2f}")


def _with_a_year(r: random.Random, n: int) -> Any:
    """Labels that hold a year: terms, classes, months and quarters, of years that overlap or do not."""
    gap, many = r.choice([0, 1, 3, 4, 6]), r.choice([2, 4, 12])
    style = {
        2: lambda y, i: f"{('WS', 'SS')[i]} {y}",
        4: lambda y, i: r.choice([f"{y}-Q{i + 1}"]) if n % 20 else f"{('Winter', 'Spring', 'Summer', 'Autumn')[i]} {y}",
        12: lambda y, i: f"{y}/{i % 4 + 1}{'abc'[i // 4]}" if n % 20 else f"{y}-{i + 1:02d}",
    }[many]
    sides = [[style(y, i) for y in range(first, first + 4) for i in range(many)] for first in (2015, 2015 + gap)]
    original, synthetic = (people(r, levels, _weights(r, len(levels)), n, 0) for levels in sides)
    return original, [synthetic]


def _homonyms(r: random.Random, n: int) -> Any:
    """Towns of which many have a name that other cantons have, too, told apart by the canton."""
    towns = levels_of(r, "towns", r.choice([20, 100]))
    style = r.choice(["{} ({})", "{} {}", "{}/{}"])
    shared = towns[: len(towns) // 5]
    sides = [
        [*shared, *(style.format(town, canton) for town in towns[len(shared) :])]
        for canton in r.sample(["BE", "ZH", "VD"], 2)
    ]
    original, synthetic = (people(r, levels, _weights(r, len(levels)), n, 0) for levels in sides)
    return original, [synthetic]


def _several_answers(r: random.Random, n: int) -> Any:
    """Several answers in one cell, which a synthesis puts together anew."""
    modes = r.choice([["walk", "bike", "bus", "train", "car"], list("123456"), ["A1", "B2", "C3"]])
    mark, chances = r.choice([";", ",", ", ", "|"]), [0.2, 0.5, 0.7]

    def draw(chance: float) -> str:
        return mark.join(m for m in modes if r.random() < chance) or modes[0]

    first, second = r.choice(chances), r.choice(chances)
    rows, later = ([draw(chance) for _ in range(n)] for chance in (first, second))
    return people(r, rows, [1] * n, n, 0), [people(r, later, [1] * n, n, 0)]


def _heaped_otherwise(r: random.Random, n: int) -> Any:
    """Days of which a later year has more, or fewer, on the first of a month."""
    days = levels_of(r, "day", r.choice([60, 300]))

    def heaped(share: float) -> list[str]:
        return [t[:8] + "01" if r.random() < share else t for t in r.choices(days, k=n)]

    first, second = r.sample([0.03, 0.2, 0.5, 0.8], 2)
    return people(r, heaped(first), [1] * n, n, 0), [people(r, heaped(second), [1] * n, n, 0)]


def _begins_another(r: random.Random, n: int) -> Any:
    """Labels of which one begins another, in other shares in another year."""
    bases = levels_of(r, "towns", r.choice([4, 12, 40]))
    more = r.choice([", assistant", " II", " (other)", " and related", "s", " n.e.c."])
    levels = [v for base in bases for v in (base, base + more)]
    first = [1.0] * len(levels)
    odds = r.choice([0.05, 0.3, 1, 3])
    later = [w * (odds if i % 2 else 1) for i, w in enumerate(first)]
    return people(r, levels, first, n, 0), [people(r, levels, later, n, 0)]


def _no_answer_lost(r: random.Random, n: int) -> Any:
    """Words for no answer beside empty cells, which a synthesis has lost, or has more often."""
    levels = levels_of(r, r.choice(["label", "towns", "yesno"]), 6)
    answer, share = r.choice(["unknown", "not stated", "refused", "99"]), r.choice([0.03, 0.1])
    rows = people(r, [*levels, answer], [*[(1 - share) / len(levels)] * len(levels), share], n, 0.08)
    made = [row for row in synthesis(r, rows, 2 * n) if row[0] != answer][:n]
    return (rows, [made]) if r.random() < 0.7 else (made, [rows[: len(made)]])


def _level_more(r: random.Random, n: int) -> Any:
    """A level that a later questionnaire has, too, in other words than the first ones."""
    first, more = r.choice(
        [
            (["Male", "Female"], ["Diverse", "X"]),
            (["yes", "no"], ["partly", "don't know"]),
            (["1", "2"], ["3", "9"]),
            (["M", "F"], ["D"]),
            (["A", "B", "C"], ["C1", "C2"]),
            (["married", "single"], ["married, separated", "in a partnership"]),
        ]
    )
    share = r.choice([0.005, 0.03, 0.15])
    weights = [*[(1 - share) / len(first)] * len(first), *[share / len(more)] * len(more)]
    sides = people(r, first, _weights(r, len(first)), n, 0), people(r, [*first, *more], weights, n, 0)
    original, synthetic = sides if r.random() < 0.6 else sides[::-1]
    return original, [synthetic]


def _plain(kind: str) -> Sound:
    def draw(r: random.Random, n: int) -> Any:
        rows = _drawn(r, n, r.choice([*CATEGORIES, *NUMBERS, "day", "moment", "ym", "quarter", "bool"]))
        if kind == "fewer records":
            return rows, [synthesis(r, rows, max(10, n // 20))]
        if kind == "more records":
            return rows, [synthesis(r, rows, 6 * n)]
        return rows, [synthesis(r, rows, n) for _ in range(r.choice([1, 3, 5]))]

    return draw


SOUND: dict[str, Sound] = {
    "drawn again": _plain("drawn again"),
    "fewer records": _plain("fewer records"),
    "more records": _plain("more records"),
    "rare levels": _rare_levels,
    "unlucky small samples": _unlucky,
    "another year": _another_year,
    "another region": _another_region,
    "levels dropped": _dropped,
    "levels invented": _invented,
    "the whole domain": _whole_domain,
    "the rest merged": _merged_rest,
    "noise": _noised,
    "continuous": _continuous,
    "tails cut": _tail,
    "top band": _top_band,
    "prices of another year": _grown,
    "bands of two years": _bands_of_two_years,
    "years": _years,
    "other days": _other_days,
    "heaped days": _heaped_days,
    "own values": _own_values,
    "sentences": _sentences,
    "case means something": _case_means,
    "a twin that went": _case_one_alone,
    "codes of several depths": _depths,
    "emptied": _emptied,
    "filled": _filled,
    "refusals": _refusals,
    "one level": _one_level,
    "top count": _top_count,
    "another magnitude": _another_magnitude,
    "heaped amounts": _heaped_amounts,
    "cents of another year": _grown_to_the_cent,
    "with a year": _with_a_year,
    "homonyms": _homonyms,
    "several answers": _several_answers,
    "heaped otherwise": _heaped_otherwise,
    "one begins another": _begins_another,
    "no answer lost": _no_answer_lost,
    "a level more": _level_more,
}


def sound(seed: int) -> Pair:
    """Return a pair in which nothing is broken; one in four mixes two ways of writing alike."""
    r = random.Random(f"sound {seed}")
    n = r.choice(SIZES)
    if seed % 4 == 0:
        return mixed_alike(r, n)
    names = list(SOUND)
    name = names[seed % len(names)]
    original, syntheses = SOUND[name](r, n)
    right = _copy(original), [_copy(rows) for rows in syntheses]
    return Pair(name, True, "", original, syntheses, right, stored=r.choice(STORED))


def _are_told_apart(pair: Pair, values: set[str]) -> bool:
    """Whether one file stores what another holds as text: a moment, or a number that is written in two ways."""
    numbers = [float(v) for v in values if NUMBER.fullmatch(v)]
    is_twice = len({*numbers}) < len(numbers) and "typed" in pair.stored
    return len({*pair.stored}) > 1 and (is_twice or ("csv" in pair.stored and any(map(MOMENT.match, values))))


def drawn(seed: int) -> Pair:
    """Return the pair of a seed: of even ones broken, of odd ones sound.

    A text with a time of day beside a moment that is stored as such is another way of writing, and so is a number that
    one file has in two ways, and another as one: that pair is broken.
    """
    pair = sound(seed // 2) if seed % 2 else broken(seed // 2)
    values = {row[0] for rows in (pair.original, *pair.syntheses) for row in rows} - {None}
    if pair.sound and _are_told_apart(pair, values):
        return replace(pair, kind=f"{pair.kind}, as texts and as stored", sound=False)
    return pair
