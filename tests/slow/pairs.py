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
from typing import TYPE_CHECKING, Any

from tests.core.spelled_pairs import Row, levels_of, word
from tests.slow.differing import DIFFERING, DO_NOT_MEET
from tests.slow.offices import WAYS, law
from tests.slow.people import each, people, synthesis, uneven

if TYPE_CHECKING:
    from tests.slow.ways import Way

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
    weights = uneven(r, len(levels))
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
    return people(r, levels, uneven(r, len(levels)), n, r.choice([0, 0, 0.08]))


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
    return people(r, levels, uneven(r, len(levels)), n, 0), [people(r, later, uneven(r, len(later)), n, 0)]


def _another_region(r: random.Random, n: int) -> Any:
    """Another part of the country: hardly a place is in both, and all codes are of one kind."""
    kind = r.choice(["towns", "postcode", "nuts"])
    levels = levels_of(r, kind, 120)
    here, there = levels[:70], levels[60:]
    return people(r, here, uneven(r, len(here)), n, 0), [people(r, there, uneven(r, len(there)), n, 0)]


def _dropped(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(CATEGORIES))
    top = [v for v, _ in Counter(row[0] for row in rows if row[0]).most_common()]
    if len(top) < 2:
        return rows, [synthesis(r, rows, n)]
    gone = set(r.choice([top[:1], top[1:], top[len(top) // 2 :], top[::2]])) - {top[-1]} or {top[0]}
    left = [v for v in top if v not in gone] or top[-1:]
    return rows, each(r, rows, n, lambda v: r.choice(left) if v in gone else v)


def _invented(r: random.Random, n: int) -> Any:
    kind = r.choice(CATEGORIES[:8])
    rows = _drawn(r, n, kind)
    fresh, share = levels_of(r, kind, r.choice([3, 20, 200])), r.choice([0.02, 0.1, 0.3, 0.6])
    return rows, each(r, rows, n, lambda v: r.choice(fresh) if r.random() < share else v)


def _whole_domain(r: random.Random, n: int) -> Any:
    """A synthesis that draws every code of a list alike, of which the original has a few."""
    levels = (
        [f"{i:0{r.choice([3, 4])}d}" for i in range(r.choice([100, 400, 990]))]
        if r.random() < 0.5
        else levels_of(r, "icd", 500)
    )
    few = r.sample(levels, r.choice([3, 10, 40]))
    return people(r, few, uneven(r, len(few)), n, 0), [people(r, levels, [1] * len(levels), n, 0)]


def _merged_rest(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(["towns", "label", "nuts", "icd", "digits5"]))
    top = [v for v, _ in Counter(row[0] for row in rows if row[0]).most_common()]
    low, rest = (
        set(top[max(1, int(len(top) * r.choice([0.3, 0.6, 0.9]))) :]),
        r.choice(["Other", "other", "Rest of country", "Others (n<20)", "*"]),
    )
    return rows, each(r, rows, n, lambda v: rest if v in low else v)


def _noised(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, r.choice(NUMBERS))
    d, sd = r.choice([0, 1, 3, 8]), r.choice([0.2, 2, 50])
    return rows, each(r, rows, n, lambda v: f"{round(float(v) + r.gauss(0, sd), d):.14g}")


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
    return rows, each(r, rows, n, lambda v: f"{min(max(float(v), low), high):.12g}")


def _top_band(r: random.Random, n: int) -> Any:
    ages = [str(a) for a in range(18, 100)]
    rows, top = people(r, ages, uneven(r, len(ages)), n, 0), r.choice([65, 80, 90])
    style = r.choice(["{}+", "{} and over", "≥{}", "{} or more", ">={}", "{} plus"])
    return rows, each(r, rows, n, lambda v: style.format(top) if int(v) >= top else v)


def _grown(r: random.Random, n: int) -> Any:
    """Prices and pay of another year."""
    rows = _drawn(r, n, "money", 300)
    by = r.choice([1.02, 1.1, 1.4])
    return rows, each(r, rows, n, lambda v: f"{round(float(v) * by)}")


def _bands_of_two_years(r: random.Random, n: int) -> Any:
    width, last = r.choice([5, 10]), r.choice([75, 85])
    bands = [f"{b}-{b + width - 1}" for b in range(15, last, width)]
    rows = people(r, [*bands, f"{last}+"], uneven(r, len(bands) + 1), n, 0)
    more = [*bands, f"{last}-{last + width - 1}", f"{last + width}+"]
    return rows, [people(r, more, uneven(r, len(more)), n, 0)]


def _years(r: random.Random, n: int) -> Any:
    text, gap = r.choice(["{}", "FY{}", "{}/W1", "wave {}"]), r.choice([0, 1, 3, 5, 8, 12])
    first = [text.format(y) for y in range(2005, 2015)]
    later = [text.format(y) for y in range(2005 + gap, 2015 + gap)]
    return people(r, first, uneven(r, 10), n, 0), [people(r, later, uneven(r, 10), n, 0)]


def _other_days(r: random.Random, n: int) -> Any:
    rows = _drawn(r, n, "day", r.choice([20, 200, 1000]))
    sd = r.choice([1, 10, 200, 900])
    return rows, each(r, rows, n, lambda v: (date.fromisoformat(v) + timedelta(round(r.gauss(0, sd)))).isoformat())


def _heaped_days(r: random.Random, n: int) -> Any:
    levels = [t[:8] + r.choice(["01", "15", t[8:], t[8:]]) for t in levels_of(r, "day", 300)]
    rows = people(r, levels, uneven(r, len(levels)), n, 0)
    return rows, [people(r, levels, uneven(r, len(levels)), n, 0)]


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
    return people(r, levels, uneven(r, len(levels)), n, 0), [people(r, levels, uneven(r, len(levels)), n, 0)]


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
    return rows, each(r, rows, n, lambda v: first if v == second and r.random() < 0.5 else v)


def _depths(r: random.Random, n: int) -> Any:
    """A list of codes in several depths, and a year that codes a little deeper."""
    deep = levels_of(r, "icd", r.choice([30, 200]))
    levels = [*deep, *{v[:3] for v in deep}]
    weights = uneven(r, len(levels))
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
    rows = people(r, levels, uneven(r, len(levels)), n, 0.25)
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
    return rows, each(r, rows, n, lambda v: last if int(v) >= top else v)


def _another_magnitude(r: random.Random, n: int) -> Any:
    """Turnovers of larger firms: about 10, 100 or 1000 times those of others."""
    rows, by, digits = _drawn(r, n, "money", 300), r.choice([10, 100, 1000]), r.choice([-1, 0])
    return rows, each(r, rows, n, lambda v: f"{round(round(float(v) * by * r.lognormvariate(0, 0.1), digits))}")


def _heaped_amounts(r: random.Random, n: int) -> Any:
    """Amounts to one or two digits, as people tell them; larger in the synthesis."""
    digits, by = r.choice([0, 1]), r.choice([1, 3, 10, 12, 30])

    def draw(mean: float) -> str:
        return f"{float(f'{mean * r.lognormvariate(0, 0.9):.{digits}e}'):.0f}"

    rows = people(r, [draw(2000) for _ in range(n)], [1] * n, n, 0)
    return rows, [people(r, [draw(2000 * by) for _ in range(n)], [1] * n, n, 0)]


def _grown_to_the_cent(r: random.Random, n: int) -> Any:
    levels, by = [f"{r.lognormvariate(7, 1):.2f}" for _ in range(r.choice([40, 300, 2000]))], r.choice([1.02, 1.4])
    rows = people(r, levels, uneven(r, len(levels)), n, 0)
    return rows, each(r, rows, n, lambda v: f"{float(v) * by:.2f}")


def _with_a_year(r: random.Random, n: int) -> Any:
    """Labels that hold a year: terms, classes, months and quarters, of years that overlap or do not."""
    gap, many = r.choice([0, 1, 3, 4, 6]), r.choice([2, 4, 12])
    style = {
        2: lambda y, i: f"{('WS', 'SS')[i]} {y}",
        4: lambda y, i: r.choice([f"{y}-Q{i + 1}"]) if n % 20 else f"{('Winter', 'Spring', 'Summer', 'Autumn')[i]} {y}",
        12: lambda y, i: f"{y}/{i % 4 + 1}{'abc'[i // 4]}" if n % 20 else f"{y}-{i + 1:02d}",
    }[many]
    sides = [[style(y, i) for y in range(first, first + 4) for i in range(many)] for first in (2015, 2015 + gap)]
    original, synthetic = (people(r, levels, uneven(r, len(levels)), n, 0) for levels in sides)
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
    original, synthetic = (people(r, levels, uneven(r, len(levels)), n, 0) for levels in sides)
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
    answer, share = r.choice(["unknown", "not stated", "refused", "99", "..", ":", "x", "0"]), r.choice([0.03, 0.1])
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
    sides = people(r, first, uneven(r, len(first)), n, 0), people(r, [*first, *more], weights, n, 0)
    original, synthetic = sides if r.random() < 0.6 else sides[::-1]
    return original, [synthetic]


ALIKE = {
    "grades": ("A+ A A- B+ B B- C+ C C-", "AAA AA+ AA AA- A+ A A- BBB", "A+ A- B+ B- AB+ AB- 0+ 0-"),
    "doses": ("5mg 10mg 20mg 50mg 1g 2g 5g 5ml 10ml 10 20",),
    "accents tell apart": ("René Rene Müller Muller Mueller Léa Lea Anna Zoë Zoe Peter Noël Noel Ana",),
    "signs tell apart": (
        "1/1 1/2 2/1 2/2 11 12 21 22",
        "C C# C++ R F# F",
        "1-2 12 1-3 13 1.3",
        "1/2 1/4 3/4 1/12 5/12 11/12",
    ),
    "stages": ("T1 T1a T1b T2 T2a T3 T4 Tis TX pT1 pT2 cT1",),
    "names that are months": ("April May June Augusta Julia Mai Jan Janina Mara Mar Juli Julie Dec Sep 1 5",),
    "below zero and above": ("-5 -4 -3 -2 -1 0 1 2 3 4 5", "-2 -1 0 1 2"),
    "codes of two cases": (" ".join(f"{a}{b}{i}" for a in "aAbB" for b in "aAbB" for i in (1, 2)),),
}
"""Levels that nearly look alike, and are others."""


def _alike(name: str) -> Sound:
    """Draw levels that nearly look alike, in other shares in another year."""

    def draw(r: random.Random, n: int) -> Any:
        levels = r.choice(ALIKE[name]).split()
        r.shuffle(levels)
        levels = levels[: r.choice([5, 8, 20])]
        first = uneven(r, len(levels))
        later = [w * r.choice([0.1, 0.5, 1, 2, 5]) for w in first]
        return people(r, levels, first, n, 0), [people(r, levels, later, n, 0)]

    return draw


REGIONS = (
    "AG AL AN AO AR AP AT AV BA BT BL BN BG BI BO BZ BS BR CA CL CB CE CT CZ CH CO CS CR KR CN EN FM FE FI FG FC FR GE "
    "GO GR IM IS LT LE LC LI LO LU MC MN MS MT ME MI MO MB NA NO NU OR PD PA PR PV PG PU PE PC PI PT PN PZ PO RA RC RE RI",
    "ZH BE LU UR SZ OW NW GL ZG FR SO BS BL SH AR AI SG GR AG TG TI VD VS NE GE JU",
)


def _letters_of_regions(r: random.Random, n: int) -> Any:
    """Provinces, cantons: MO and ME are no weekdays."""
    levels = r.choice(REGIONS).split()
    r.shuffle(levels)
    half, shared = len(levels) // 2, r.choice([8, len(levels) // 3])
    here, there = levels[: half + shared // 2], levels[half - shared // 2 :]
    return people(r, here, uneven(r, len(here)), n, 0), [people(r, there, uneven(r, len(there)), n, 0)]


def _letters_lost(r: random.Random, n: int) -> Any:
    """Codes of one letter, F and N among them, of which a synthesis has lost one or two."""
    levels = r.sample(r.choice(["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "SMDWFTNYPX", "fmtnyjosx"]), r.choice([4, 6, 8]))
    left = levels[: -r.choice([1, 2])]
    rows = people(r, levels, uneven(r, len(levels)), n, 0)
    return rows, each(r, rows, n, lambda v: v if v in left else r.choice(left))


def _two_countries(r: random.Random, n: int) -> Any:
    """Postcodes of two countries, one with zeros before, in other shares."""
    levels = [*(f"{r.randint(1000, 99999):05d}" for _ in range(60)), *(str(r.randint(1010, 9992)) for _ in range(40))]
    first, odds = uneven(r, 100), r.choice([0.1, 0.5, 2, 10])
    later = [w * (odds if i >= 60 else 1) for i, w in enumerate(first)]
    return people(r, levels, first, n, 0), [people(r, levels, later, n, 0)]


def _numbers_of_depths(r: random.Random, n: int) -> Any:
    """Occupations and trades in four, three and two digits, as people told them, in other shares."""
    deep = [
        f"{r.randint(1, 9)}{r.randint(1, 4)}{r.choice(['', '.'])}{r.randint(1, 4)}{r.randint(0, 9)}" for _ in range(60)
    ]
    levels = [*dict.fromkeys(v[:-k] if k else v for k in (0, 1, 2) for v in deep)]
    first = uneven(r, len(levels))
    later = [w * r.choice([0.5, 1, 2]) for w in first]
    return people(r, levels, first, n, 0), [people(r, levels, later, n, 0)]


def _sizes_more(r: random.Random, n: int) -> Any:
    first, more = ["XS", "S", "M", "L", "XL", "XXL"], r.choice([["3XL", "4XL"], ["one size"], ["34/30", "36/32"]])
    share = r.choice([0.01, 0.05, 0.2])
    weights = [*[(1 - share) / 6] * 6, *[share / len(more)] * len(more)]
    return people(r, first, uneven(r, 6), n, 0), [people(r, [*first, *more], weights, n, 0)]


def _ends_another(r: random.Random, n: int) -> Any:
    bases, more = (
        levels_of(r, "towns", r.choice([4, 12, 40])),
        r.choice(["Upper ", "Neu-", "St. ", "assistant ", "ex-"]),
    )
    odds = r.choice([0.05, 0.3, 1, 3])
    levels = [v for base in bases for v in (base, more + base)]
    later = people(r, levels, [odds if i % 2 else 1.0 for i in range(len(levels))], n, 0)
    return people(r, levels, [1.0] * len(levels), n, 0), [later]


def _first_of_january(r: random.Random, n: int) -> Any:
    """Days of birth, of which some are known to the year alone."""
    days = levels_of(r, "day", r.choice([100, 300]))
    sides = [
        [t[:4] + "-01-01" if r.random() < share else t for t in r.choices(days, k=n)]
        for share in r.sample([0.03, 0.3, 0.6, 0.8], 2)
    ]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _ends_of_months(r: random.Random, n: int) -> Any:
    """Days of a bank, of which a later year books more, or fewer, on the last of a month."""
    days = [date.fromisoformat(t) for t in levels_of(r, "day", r.choice([60, 300]))]
    last = {d: (d.replace(day=1) + timedelta(31)).replace(day=1) - timedelta(1) for d in days}
    sides = [
        [(last[d] if r.random() < share else d).isoformat() for d in r.choices(days, k=n)]
        for share in r.sample([0.03, 0.2, 0.5, 0.8], 2)
    ]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _told_times(r: random.Random, n: int) -> Any:
    """Times of day, or moments, which another year's people tell to the quarter of an hour, or to the hour."""
    head, steps = r.choice(["", "2021-03-04 "]), r.choice([(1, 15), (5, 30), (15, 60), (1, 5)])
    sides = []
    for share in r.sample([0.05, 0.3, 0.6], 2):
        minutes = [r.randrange(0, 1440, steps[r.random() < share]) for _ in range(n)]
        sides.append([f"{head}{m // 60:02d}:{m % 60:02d}{':00' * bool(head)}" for m in minutes])
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _numbers_of_a_year(r: random.Random, n: int) -> Any:
    """Files numbered anew each year, everybody's own: 2023-00017, then 2024-00017."""
    style = r.choice(["{}-{:05d}", "{}/{}", "F{}{:04d}"])
    sides = [[style.format(y, i) for i in r.sample(range(1, 4 * n), n)] for y in (2023, r.choice([2023, 2024, 2030]))]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _weeks_of_two_years(r: random.Random, n: int) -> Any:
    style, gap = r.choice(["{}-W{:02d}", "{}W{:02d}", "KW {1}/{0}"]), r.choice([0, 1])
    sides = [[style.format(y, w) for w in range(1, 53)] for y in (2022, 2022 + gap)]
    return people(r, sides[0], uneven(r, 52), n, 0), [people(r, sides[1], uneven(r, 52), n, 0)]


def _one_group_each(r: random.Random, n: int) -> Any:
    """A hospital's men beside a clinic's women, and a few of the others, or none."""
    first, second = r.choice([("Male", "Female"), ("yes", "no"), ("1", "2"), ("ZH", "BE"), ("A", "B")])
    few = r.choice([0.005, 0.02])
    return people(r, [first, second], [1, few], n, 0), [people(r, [first, second], [few, 1], n, 0)]


def _doubts(r: random.Random, n: int) -> Any:
    """Answers that are sure or not, of which a later year has more doubts: a ? behind, or a star."""
    sure, mark = (
        levels_of(r, r.choice(["label", "icd", "towns"]), r.choice([5, 20])),
        r.choice(["?", " ?", "*", " (?)"]),
    )
    levels = [v for t in sure for v in (t, t + mark)]
    sides = [
        people(r, levels, [odds if i % 2 else 1.0 for i in range(len(levels))], n, 0)
        for odds in r.sample([0.02, 0.1, 0.5, 1], 2)
    ]
    return sides[0], [sides[1]]


def _other_ends(r: random.Random, n: int) -> Any:
    """Bands of age of two tables, alike but for the ends: under 15 and 75 and over, under 20 and 65 and over."""
    style = r.choice([("under {}", "{} and over"), ("<{}", "{}+"), ("0-{}", "{}-120")])
    sides = []
    for low, high in ((15, 75), (r.choice([15, 25]), r.choice([65, 85]))):
        levels = [style[0].format(low), *(f"{b}-{b + 9}" for b in range(low, high, 10)), style[1].format(high)]
        sides.append(people(r, levels, uneven(r, len(levels)), n, 0))
    return sides[0], [sides[1]]


def _codes_recoded_in_part(r: random.Random, n: int) -> Any:
    """Codes of a list that was renewed: some parted, some joined, the others as they were."""
    old = levels_of(r, r.choice(["icd", "nuts", "digits5", "zeros"]), r.choice([20, 100]))
    new = []
    for v in old:
        luck = r.random()
        new += [v + "1", v + "2"] if luck < 0.1 else [v[:-1] + "0"] if luck < 0.2 else [v]
    return people(r, old, uneven(r, len(old)), n, 0), [people(r, new, uneven(r, len(new)), n, 0)]


def _others_in_size(r: random.Random, n: int) -> Any:
    """Numbers of other people: pay to tens or hundreds of a month and of a year, children's heights, larger firms."""
    heap, (first, later) = r.choice(
        [
            (r.choice([10, 100, 500]), ((3000, 0.5), (3000 * r.choice([10, 12]), 0.5))),
            (1, r.choice([((170, 0.05), (120, 0.12)), ((40, 0.2), (300, 0.3)), ((75, 0.15), (7, 0.3))])),
        ]
    )
    sides = [
        [f"{max(round(mean * r.lognormvariate(0, sd) / heap), 1) * heap}" for _ in range(n)]
        for mean, sd in (first, later)
    ]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


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
    **{name: _alike(name) for name in ALIKE},
    "letters of regions": _letters_of_regions,
    "letters lost": _letters_lost,
    "postcodes of two countries": _two_countries,
    "numbers of several depths": _numbers_of_depths,
    "sizes": _sizes_more,
    "one ends another": _ends_another,
    "the first of January": _first_of_january,
    "others in size": _others_in_size,
    "the last of months": _ends_of_months,
    "told times": _told_times,
    "numbers of a year": _numbers_of_a_year,
    "weeks of two years": _weeks_of_two_years,
    "one group each": _one_group_each,
    "doubts": _doubts,
    "other ends": _other_ends,
    "a list renewed": _codes_recoded_in_part,
    **DIFFERING,
}


def sound(seed: int) -> Pair:
    """Return a pair in which nothing is broken; one in four mixes two ways of writing alike."""
    r = random.Random(f"sound {seed}")
    n = r.choice(SIZES)
    if seed % 4 == 0:
        return mixed_alike(r, n)
    names = list(SOUND)
    name = names[(seed - seed // 4 - 1) % len(names)]  # each in turn: of 64 names, one in four was never drawn
    original, syntheses = SOUND[name](r, n)
    right = _copy(original), [_copy(rows) for rows in syntheses]
    return Pair(name, name not in DO_NOT_MEET, "", original, syntheses, right, stored=r.choice(STORED))


def _are_told_apart(pair: Pair, values: set[str]) -> bool:
    """Whether one file stores what another holds as text: a moment, or a number written in two ways, or as 5.50."""
    texts = [v for v in values if NUMBER.fullmatch(v)]
    plain = {v: f"{float(v):.15g}" for v in texts}
    is_twice = len({*plain.values()}) < len(texts) and "typed" in pair.stored
    all_numbers = {*pair.stored} == {"text", "typed"} and len(texts) == len(values)
    is_padded = all_numbers and any(v != plain[v] and not re.match(r"[+-]?0\d", v) for v in texts)
    is_moment = "csv" in pair.stored and any(map(MOMENT.match, values))
    return len({*pair.stored}) > 1 and (is_twice or is_padded or is_moment)


def drawn(seed: int) -> Pair:
    """Return the pair of a seed: of even ones broken, of odd ones sound.

    A text with a time of day beside a moment that is stored as such is another way of writing, and so is a number that
    one file has in two ways, or as 5.50, and another as one: that pair is broken.
    """
    pair = sound(seed // 2) if seed % 2 else broken(seed // 2)
    values = {row[0] for rows in (pair.original, *pair.syntheses) for row in rows} - {None}
    if pair.sound and _are_told_apart(pair, values):
        return replace(pair, kind=f"{pair.kind}, as texts and as stored", sound=False)
    return pair
