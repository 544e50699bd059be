"""Further sound pairs: columns of which original and synthesis really differ, though they nearly look as one written in two ways."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from tests.core.spelled_pairs import Row, levels_of, word
from tests.slow.people import each, people, synthesis, uneven

Sound = Callable[[random.Random, int], tuple[list[Row], list[list[Row]]]]


def _of(r: random.Random, n: int, here: list[str], there: list[str], first: Any = None, later: Any = None) -> Any:
    """Return people of some levels beside people of others."""
    sides = (
        people(r, here, first or uneven(r, len(here)), n, 0),
        people(r, there, later or uneven(r, len(there)), n, 0),
    )
    return (sides[0], [sides[1]]) if r.random() < 0.6 else (sides[1], [sides[0]])


def _a_word_more(r: random.Random, n: int) -> Any:
    """Words and 0, a code or sign beside them, which one side has and the other has lost."""
    levels = levels_of(r, r.choice(["label", "towns", "yesno"]), r.choice([2, 3, 6, 12]))
    more = r.choice(["0", "0", "0", "0 %", "A1", "4+", "§ 3", "24h", "-", "/", "1/2", "3rd"])
    return _one_more(r, n, levels, more)


def _a_number_more(r: random.Random, n: int) -> Any:
    """The same with a number: a code without its label, or an answer that one side has lost."""
    levels = levels_of(r, r.choice(["label", "towns", "yesno"]), r.choice([2, 3, 6, 12]))
    return _one_more(r, n, levels, r.choice(["1", "2", "3", "7", "50", "100", "2020", "1.5"]))


def _one_more(r: random.Random, n: int, levels: list[str], more: str) -> Any:
    share = r.choice([0.02, 0.06, 0.15])
    w = [*[(1 - share) / len(levels)] * len(levels), share]
    return _of(r, n, [*levels, more], levels, w, [1.0] * len(levels))


def _other_topcode(r: random.Random, n: int) -> Any:
    """Ages with their last ones together: from 80 on one side and from 85, 90 or 95 on the other."""
    low, high = r.choice([(80, 85), (85, 90), (80, 95), (65, 75)])
    style = r.choice(["{}+", "{} and over", "≥{}", "{} plus"])
    return _of(
        r,
        n,
        [*map(str, range(18, low)), style.format(low)],
        [*map(str, range(18, high)), style.format(high)],
    )


def _ranges_moved(r: random.Random, n: int) -> Any:
    """Bands of other bounds: 15-19 beside 16-20, [10,20) beside [15,25)."""
    style = r.choice(["{}-{}", "[{},{})", "{} to {}", "{}–{}"])
    width, by = r.choice([(5, 1), (10, 5), (5, 2)])
    sides = [
        [style.format(b, b + width - ("," not in style)) for b in range(a, a + 12 * width, width)]
        for a in (10, 10 + by)
    ]
    return _of(r, n, *sides)


def _two_widths(r: random.Random, n: int) -> Any:
    """Bands of two widths on both sides, in other shares."""
    bands = [*(f"{b}-{b + 4}" for b in range(15, 75, 5)), *(f"{b}-{b + 9}" for b in range(15, 75, 10))]
    odds = r.choice([0.2, 0.5, 2, 5])
    return _of(r, n, bands, bands, [1.0] * 18, [1.0] * 12 + [odds] * 6)


def _halves_of_days(r: random.Random, n: int) -> Any:
    """Times of mornings beside times of evenings, some with AM and PM."""
    style = r.choice(["{:02d}:{:02d}", "{}:{:02d}", "{:02d}{:02d}"])
    twelve = r.random() < 0.4
    sides = []
    for low, high in ((5, 15), (11, 23)):
        times = [(r.randint(low, high), r.choice([0, 15, 30, 45])) for _ in range(n)]
        sides.append(
            [
                f"{(h - 1) % 12 + 1}:{m:02d} {'AM' if h < 12 else 'PM'}" if twelve else style.format(h, m)
                for h, m in times
            ]
        )
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _numbers_within_years(r: random.Random, n: int) -> Any:
    """Files numbered within years, which repeat: 2021-014 is no day of the year; more of one year on one side."""
    style = r.choice(["{}-{:03d}", "{}/{:03d}", "{}{:03d}"])
    most = r.choice([40, 200, 366])
    levels = [style.format(y, i) for y in (2019, 2020, 2021) for i in range(1, most + 1)]
    w = [r.choice([0.2, 1, 3]) for _ in range(3)]
    return _of(r, n, levels, levels, [1.0] * len(levels), [w[i // most] for i in range(len(levels))])


def _other_seasons(r: random.Random, n: int) -> Any:
    """Days of winter beside days of summer, or of two years; some written as days of the year on both sides."""
    gap = r.choice([60, 180, 366, 800])
    first = date(2021, 1, 1)
    form = r.choice(["%Y-%m-%d", "%d.%m.%Y", "%Y-%j"])
    sides = [[(first + timedelta(start + r.randrange(120))).strftime(form) for _ in range(n)] for start in (0, gap)]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _points(r: random.Random, n: int) -> Any:
    """Answers on a scale of five and of seven points, as words or with a number before each."""
    words = ["disagree", "rather disagree", "neither", "rather agree", "agree"]
    more = ["fully disagree", *words, "fully agree"]
    if r.random() < 0.5:
        return _of(r, n, words, more)
    return _of(r, n, [f"{i} {w}" for i, w in enumerate(words, 2)], [f"{i} {w}" for i, w in enumerate(more, 1)])


def _units_in_cells(r: random.Random, n: int) -> Any:
    """Amounts with a unit in each cell, two units or two currencies on both sides, in other shares."""
    units = r.choice([["EUR", "USD"], ["kg", "g"], ["h", "min"], ["CHF", "EUR"], ["m²", "ha"], ["%", "‰"]])
    levels = [f"{i * r.choice([1, 5])} {u}" for u in units for i in range(1, 41)]
    odds = r.choice([0.1, 0.5, 3])
    return _of(r, n, levels, levels, [1.0] * 80, [1.0] * 40 + [odds] * 40)


def _reasons(r: random.Random, n: int) -> Any:
    """Words or codes for several reasons of no answer, of which a side has lost one, or has one more."""
    reasons = r.choice(
        [
            [".a", ".b", ".c"],
            ["-9", "-8", "-7"],
            ["refused", "don't know", "not asked"],
            ["97", "98", "99"],
            ["k. A.", "weiß nicht"],
        ]
    )
    levels = levels_of(r, r.choice(["label", "int", "towns"]), 20)
    share = r.choice([0.01, 0.04])
    w = [*[1.0] * len(levels), *[share * len(levels)] * len(reasons)]
    empty = r.choice([0, 0.08])  # on both sides: a reason in their place is another way to write them
    lost = people(r, [*levels, *reasons[:-1]], w[:-1], n, empty)
    whole = people(r, [*levels, *reasons], w, n, empty)
    return (whole, [lost]) if r.random() < 0.5 else (lost, [whole])


def _masked(r: random.Random, n: int) -> Any:
    """Small counts that are masked on one side: <5, *, 1-4, c."""
    mask = r.choice(["<5", "*", "1-4", "c", "(x)", "[low]", "<=4"])
    levels = [str(i) for i in range(r.choice([12, 40]))]
    rows = people(r, levels, [1 / (i + 1) for i in range(len(levels))], n, 0)
    return rows, each(r, rows, n, lambda v: mask if 0 < int(v) < 5 else v)


def _small_shares(r: random.Random, n: int) -> Any:
    """Rates in percent, of rare things on one side and of common ones on the other; shares of one nowhere."""
    d = r.choice([1, 2])
    sides = [[f"{r.uniform(0, top):.{d}f}" for _ in range(n)] for top in (r.choice([1, 2]), r.choice([30, 100]))]
    mark = r.choice(["", "", "%", " %"])
    sides = [[v + mark for v in side] for side in sides]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _rounded_by_people(r: random.Random, n: int) -> Any:
    """Amounts of which another year's people round more: to 10, 100, 500."""
    steps = r.choice([(1, 10), (10, 100), (50, 500), (5, 10)])

    def told(step: int) -> str:
        return str(max(1, round(r.lognormvariate(7, 0.5) / step)) * step)

    sides = [[told(steps[r.random() < share]) for _ in range(n)] for share in r.sample([0.05, 0.4, 0.8], 2)]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _lengths_of_texts(r: random.Random, n: int) -> Any:
    """Short names beside long ones: towns of one part of a country, none longer than eight letters there."""
    towns = levels_of(r, "towns", 400)
    limit = r.choice([6, 8, 10])
    short, long = [t for t in towns if len(t) <= limit], [t for t in towns if len(t) > limit]
    shared = [*short[:20], *long[:3]]
    return _of(r, n, [*short, *long[:2]], [*long, *shared])


def _titles_lengthened(r: random.Random, n: int) -> Any:
    """Titles of a list whose renewal parts some of them: "Repair of boats" into "Repair of boats, of wood"."""
    old = [f"{r.choice(['Manufacture', 'Repair', 'Sale'])} of {word(r).lower()}" for _ in range(r.choice([15, 60]))]
    old = [*dict.fromkeys(old)]
    new = []
    for v in old:
        new += [f"{v}, of {word(r).lower()}", f"{v}, of {word(r).lower()}"] if r.random() < 0.15 else [v]
    return _of(r, n, old, new)


def _codes_of_two_lengths(r: random.Random, n: int) -> Any:
    """Codes of districts beside codes of towns, with and without a zero at first, on both sides in other shares."""
    width = r.choice([4, 5])
    towns = [*dict.fromkeys(f"{r.randint(100, 10**width - 1):0{width}d}" for _ in range(80))]
    districts = [*dict.fromkeys(str(int(t[: width - 1])) for t in towns)]
    odds = r.choice([0.1, 0.5, 2, 5])
    levels = [*dict.fromkeys([*towns, *districts])]
    later = [odds if len(v) < width else 1.0 for v in levels]
    return _of(r, n, levels, levels, [1.0] * len(levels), later)


def _ordinals_lost(r: random.Random, n: int) -> Any:
    """Births, classes, floors: fewer of the higher ones, which one side has lost; other floors on the other."""
    levels = r.choice(
        [
            ["1st", "2nd", "3rd", "4th", "5th"],
            ["first", "second", "third", "fourth"],
            ["I", "II", "III", "IV", "V"],
            ["ground", "1st", "2nd", "3rd", "4th"],
            ["Q1", "Q2", "Q3", "Q4"],
        ]
    )
    left = levels[: -r.choice([1, 2])]
    return _of(r, n, levels, left)


def _names_of_two_tongues(r: random.Random, n: int) -> Any:
    """Places with names in two tongues on both sides: Biel/Bienne, Sion and Sitten are several levels of a list."""
    towns = levels_of(r, "towns", 40)
    levels = [f"{t}/{word(r)}" if i % 4 == 0 else t for i, t in enumerate(towns)]
    odds = [r.choice([0.2, 1, 3]) for _ in levels]
    return _of(r, n, levels, levels, [1.0] * len(levels), odds)


def _rankings(r: random.Random, n: int) -> Any:
    """A code of yes and no with another beside it: 0/1 on one side, 0/1/2 or 1/2 on the other, as numbers."""
    first, later = r.choice(
        [(["0", "1"], ["0", "1", "2"]), (["1", "2"], ["1", "2", "3"]), (["0", "1"], ["0", "1", "-1"])]
    )
    return _of(r, n, first, later)


def _two_scales_of_icd(r: random.Random, n: int) -> Any:
    """Diseases with and without a further digit, as hospitals code them; some with a dagger or a star that means something."""
    base = levels_of(r, "icd", 60)
    mark = r.choice(["†", "*", "!", "G"])  # "-" means nothing: ways.py has it as another way
    levels = [v for b in base for v in (b, b + mark)]
    odds = r.choice([0.05, 0.5, 2])
    return _of(r, n, levels, levels, [1.0] * 120, [1.0 if i % 2 == 0 else odds for i in range(120)])


def _fiscal_and_calendar(r: random.Random, n: int) -> Any:
    """Years and school years of two periods on both sides: 2019 is not 2019/20."""
    levels = [*(str(y) for y in range(2015, 2022)), *(f"{y}/{(y + 1) % 100:02d}" for y in range(2015, 2022))]
    odds = r.choice([0.05, 0.4, 3])
    return _of(r, n, levels, levels, [1.0] * 14, [1.0] * 7 + [odds] * 7)


def _zeros_of_counts(r: random.Random, n: int) -> Any:
    """Counts with an excess of zeros, or none of them: 0, and "none" as an answer of those who were not asked."""
    levels = ["0", "1", "2", "3", "4", r.choice(["none", "many", "inapplicable"])]
    return _of(r, n, levels, levels[: r.choice([4, 5])])


def _spoken_twice(r: random.Random, n: int) -> Any:
    """Occupations in people's own words, with capitals and points as they like, drawn anew on each side."""
    words = [word(r).lower() for _ in range(60)]

    def one() -> str:
        text = " ".join(r.choice(words) for _ in range(r.choice([1, 1, 2])))
        return r.choice([str.lower, str.title, str.upper, str.capitalize])(text) + r.choice(["", "", ".", " "])

    return people(r, [one() for _ in range(n)], [1] * n, n, 0), [people(r, [one() for _ in range(n)], [1] * n, n, 0)]


def _amounts_of_two_years(r: random.Random, n: int) -> Any:
    """Prices of a menu in cents and francs that end in .50, .90, .95, dearer on one side."""
    ends, by = r.choice([["50"], ["90", "95"], ["00", "50"]]), r.choice([1, 2, 4])
    sides = [[f"{r.randint(2, 30) * k}.{r.choice(ends)}" for _ in range(n)] for k in (1, by)]
    return people(r, sides[0], [1] * n, n, 0), [people(r, sides[1], [1] * n, n, 0)]


def _first_letters(r: random.Random, n: int) -> Any:
    """Grades of one letter beside grades with a sign, in other shares: A beside A-, B beside B+."""
    levels = [g + s for g in "ABCD" for s in ("", "+", "-")]
    return _of(r, n, levels, levels, uneven(r, 12), uneven(r, 12))


def _one_begins_all(r: random.Random, n: int) -> Any:
    """Labels of which all begin alike, and differ behind the place where others are cut; other levels on the other side."""
    head = r.choice(["Persons living in households with ", "Employed in the sector of ", "No; because of "])
    levels = [head + word(r).lower() for _ in range(30)]
    return _of(r, n, levels[:20], [*levels[10:], head.strip()])


def _outliers_gone(r: random.Random, n: int) -> Any:
    rows = people(r, [f"{r.lognormvariate(3, 1):.1f}" for _ in range(n)], [1] * n, n, 0)
    top = sorted(float(row[0]) for row in rows)[-max(1, n // 50)]
    made = synthesis(r, rows, n)
    for row in made:
        row[0] = f"{min(float(row[0]), top):.1f}"
    return rows, [made]


DIFFERING: dict[str, Sound] = {
    "a word more": _a_word_more,
    "a number more": _a_number_more,
    "another top code": _other_topcode,
    "ranges moved": _ranges_moved,
    "bands of two widths": _two_widths,
    "halves of days": _halves_of_days,
    "numbers within years": _numbers_within_years,
    "other seasons": _other_seasons,
    "points of a scale": _points,
    "units in cells": _units_in_cells,
    "reasons for no answer": _reasons,
    "masked": _masked,
    "small shares": _small_shares,
    "rounded by people": _rounded_by_people,
    "lengths of texts": _lengths_of_texts,
    "titles lengthened": _titles_lengthened,
    "codes of two lengths": _codes_of_two_lengths,
    "ordinals lost": _ordinals_lost,
    "names of two tongues": _names_of_two_tongues,
    "a code more": _rankings,
    "marks that mean something": _two_scales_of_icd,
    "fiscal and calendar years": _fiscal_and_calendar,
    "zeros of counts": _zeros_of_counts,
    "own words": _spoken_twice,
    "a menu's prices": _amounts_of_two_years,
    "grades with signs": _first_letters,
    "one begins all": _one_begins_all,
    "outliers gone": _outliers_gone,
}
"""Sound pairs, by a name."""

DO_NOT_MEET = ("ranges moved",)
"""These are no sound pairs: no answer of one side is one of the other, and every figure is wrong. They must be stopped."""
