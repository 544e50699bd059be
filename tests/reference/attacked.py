"""Small studies of known truth, drawn by a number, and what may be said of each: loops over records, standard library alone.

Figures and rules are those of `oracle.json` (docs/measures.md 10), whose thirty studies `test_difference.py` holds; here
any number of them is drawn, with what happens to files: a cell that is something else, a column with another name, a
holdout that was synthesised too. Shares are between 0 and 1.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, replace

Z = 1.959963984540054
KEYS = ("area", "band")
TARGET = "answer"
COLUMNS = (*KEYS, TARGET)
RENAMED = "income"
"""A fourth column that some studies have, with another name in one synthesis: nothing can be said of it."""

ENOUGH_OUTSIDE = 10
"""People outside in cells of keys whose people differ, below which own answers are not evaluated."""

FEW_COMPARED = 5.0
"""Below that weight not the normal interval of M decides, but the permutation itself: either sentence is let stand."""


@dataclass(frozen=True)
class Study:
    """Files as rows of text, and what is true of them.

    Attributes
    ----------
    kind
        How it was made: a key of `KINDS`.
    original, holdout, syntheses
        Rows of `COLUMNS`, and of `RENAMED` where there is one; an empty text is a missing value. No holdout: None.
    random
        What the office says of the holdout: a random part, other people, or nothing.
    renamed
        The synthesis (from 0) in which `RENAMED` has another name; None: no file has that column.
    """

    kind: str
    original: list[tuple[str, ...]]
    holdout: list[tuple[str, ...]] | None
    syntheses: list[list[tuple[str, ...]]]
    random: bool | None = True
    renamed: int | None = None


# ---- how they are drawn ------------------------------------------------------------------------------------------------


def _one_of(rng, shares):
    return rng.choices(list(shares), list(shares.values()))[0]


LAWS = {
    "noise": lambda _: {"No": 0.85, "Yes": 0.15},
    "flat": lambda _: {"p": 0.4, "q": 0.3, "r": 0.2, "s": 0.1},
    "known": lambda k: {"uvw"[k[0] % 3]: 0.96, "vwu"[k[0] % 3]: 0.02, "wuv"[k[0] % 3]: 0.02},
    "linked": lambda k: {"pqr"[sum(k) % 3]: 0.6, "qrp"[sum(k) % 3]: 0.25, "rpq"[sum(k) % 3]: 0.15},
    "missing": lambda _: {"": 0.6, "yes": 0.25, "no": 0.15},
}
SIZES = {"few": (2, 3, 0.7), "some": (6, 8, 0.7), "many": (20, 20, 0.4), "unique": (80, 60, 0.0)}


class World:
    """A population whose law is known: keys, and the answers that people with these keys give."""

    def __init__(self, rng, law, size):
        self.rng, self.law, (self.a, self.b, self.skew) = rng, LAWS[law], SIZES[size]

    def keys(self):
        return tuple(
            self.rng.choices(range(n), [1 / (1 + i) ** self.skew for i in range(n)])[0] for n in (self.a, self.b)
        )

    def person(self, keys=None):
        k = self.keys() if keys is None else keys
        return (f"a{k[0]}", f"b{k[1]}", _one_of(self.rng, self.law(k)))

    def people(self, n):
        return [self.person() for _ in range(n)]


def _others(world, original, n):
    """An honest synthesis: other people of the population."""
    return world.people(n)


def _keys_copied(world, original, n):
    """Keys of people in the data, answers by the law: nobody's answer leaks."""
    return [world.person(tuple(int(v[1:]) for v in world.rng.choice(original)[:2])) for _ in range(n)]


def _margins(world, original, n):
    """Columns drawn one by one: honest, and blind to what goes together."""
    columns = list(zip(*original, strict=True))
    return [tuple(world.rng.choice(column) for column in columns) for _ in range(n)]


def _memorised(share):
    def made(world, original, n):
        kept = world.rng.sample(original, round(share * len(original)))
        return kept + world.people(n - len(kept))

    return made


def _drawn_again(world, original, n):
    return [world.rng.choice(original) for _ in range(n)]


MADE = {
    "pure noise": (("noise", "flat"), _others), "pure common knowledge": (("known",), _others),
    "keys copied": (("noise", "flat", "known", "linked", "missing"), _keys_copied),
    "one per cent memorised": (("flat", "linked"), _memorised(0.01)),
    "a tenth memorised": (("flat", "linked"), _memorised(0.1)),
    "honest margins": (("linked", "missing"), _margins), "drawn again": (("flat", "linked", "missing"), _drawn_again),
    "the original itself": (("flat", "known"), lambda world, original, n: list(original)),
}  # fmt: skip
"""By kind: laws, and how a synthesis is made from the people in the data."""

HAPPENS = ("a holdout that leaks", "one stray cell", "a column renamed", "no holdout", "other people", "nobody said")
"""What happens to the files of a study of any kind."""

KINDS = (*MADE, *HAPPENS)


def drawn(number):
    """Return study `number`: its kind goes through `KINDS`, the rest by the number."""
    rng = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    laws, make = MADE[kind if kind in MADE else rng.choice(list(MADE))]
    world = World(rng, rng.choice(laws), rng.choice(list(SIZES)))
    n, outside, m = rng.choice((60, 120, 240)), rng.choice((40, 90, 160)), rng.choice((1, 1, 2, 3))
    original, holdout = world.people(n), world.people(outside)
    study = Study(kind, original, holdout, [make(world, original, n) for _ in range(m)])
    if kind == "a holdout that leaks":
        if rng.random() < 0.5:
            inside = rng.sample(original, min(outside, n) // 2)
            return replace(study, holdout=inside + holdout[len(inside) :])
        return replace(study, syntheses=[_drawn_again(world, original + holdout, n) for _ in range(m)])
    if kind == "one stray cell":
        return _stray(rng, study)
    if kind == "a column renamed":
        wider = [[(*row, rng.choice("xy")) for row in rows] for rows in (original, holdout, *study.syntheses)]
        return Study(kind, wider[0], wider[1], wider[2:], renamed=rng.randrange(m))
    if kind == "no holdout":
        return replace(study, holdout=None, random=None)
    if kind == "other people":
        elsewhere = World(rng, rng.choice(list(LAWS)), "some")
        return replace(study, holdout=elsewhere.people(outside), random=False)
    return replace(study, random=None) if kind == "nobody said" else study


ODD = ("unknown", "", "Ä", "0", "-8", "1e9", "a0", "No", "ﬁ", "=1+1")


def _stray(rng, study):
    """Return the study with one cell of one file something else."""
    tables = [list(t) for t in (study.original, study.holdout, *study.syntheses)]
    table = rng.choice(tables)
    at, column = rng.randrange(len(table)), rng.randrange(3)
    row = list(table[at])
    row[column] = rng.choice(ODD)
    table[at] = tuple(row)
    return replace(study, original=tables[0], holdout=tables[1], syntheses=tables[2:])


# ---- what is true of them ---------------------------------------------------------------------------------------------


def _share(values):
    return sum(values) / len(values)


def _cov(xs, ys):
    a, b = _share(xs), _share(ys)
    return sum((x - a) * (y - b) for x, y in zip(xs, ys, strict=True)) / (len(xs) - 1)


def _wilson(p, n):
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _difference(p, n, q, k):
    (a, b), (c, d) = _wilson(p, n), _wilson(q, k)
    return p - q - math.sqrt((p - a) ** 2 + (d - q) ** 2), p - q + math.sqrt((b - p) ** 2 + (q - c) ** 2)


def _size(values):
    """How many people a share of means is worth."""
    p, n = _share(values), len(values)
    variance = _cov(values, values) / n
    return n if variance <= 1e-15 or p <= 0 or p >= 1 else max(p * (1 - p) / variance, n)


def _size_of_ratio(of, right):
    n, f, d = len(of), _share(of), _share(right)
    if f == 0:
        return 0.0
    r = d / f
    variance = sum((y - r * x) ** 2 for x, y in zip(of, right, strict=True)) / (n - 1) / n / f**2
    if variance <= 1e-15 or r <= 0 or r >= 1:
        return float(sum(of))
    return min(max(r * (1 - r) / variance, 1.0), 5.0 * sum(x > 0 for x in of))


def _people(rows, tables):
    """Return, a number a person, means over the syntheses: found, claimed, right, and the share with their answer."""
    sides = []
    for area, band, answer, *_ in rows:
        found = claimed = right = likely = 0
        for table in tables:
            cell = table.get((area, band))
            if cell:
                found += 1
                likely += cell[answer] / sum(cell.values())
                if len(cell) == 1:
                    claimed += 1
                    right += answer in cell
        sides.append([x / len(tables) for x in (found, claimed, right, likely)])
    return [list(column) for column in zip(*sides, strict=True)]


def _cells(rows):
    cells = {}
    for area, band, answer, *_ in rows:
        cells.setdefault((area, band), Counter())[answer] += 1
    return cells


def _parts(found, claimed, right):
    """Return what may be said of the parts, each given as members' and people outside's numbers."""
    if not all(_share(side) for side in (*found, *claimed)):
        return {"parts-not-evaluated"}
    low, high = _difference(
        _share(right[0]) / _share(claimed[0]), _size_of_ratio(claimed[0], right[0]),
        _share(right[1]) / _share(claimed[1]), _size_of_ratio(claimed[1], right[1]),
    )  # fmt: skip
    return {"right-more-often"} if low > 0 else {"right-less-often"} if high < 0 else set()


def _same_keys(study, members, outside):
    """Return M, its interval, the weight behind both, the share of members compared, and outsiders that tell anything."""
    groups = {}
    for i, (rows, right) in enumerate(((study.original, members), (study.holdout, outside))):
        for row, y in zip(rows, right, strict=True):
            groups.setdefault(row[:2], ([], []))[i].append(y)
    weight = total = variance = 0.0
    compared = telling = 0
    for a, b in groups.values():
        if a and b:
            d, h, n, mean = len(a), len(b), len(a) + len(b), _share(a + b)
            spread = sum((y - mean) ** 2 for y in a + b)
            weight += d * h / n
            total += sum(a) - d * mean
            variance += d * h / n * spread / (n - 1)
            compared += d
            telling += h * (spread > 1e-15)
    if not weight:
        return None, (None, None), 0.0, 0.0, 0
    m, half = total / weight, Z * math.sqrt(variance) / weight
    return m, (m - half, m + half), weight, compared / len(study.original), telling


@dataclass(frozen=True)
class Truth:
    """What may be said, and the figures in it.

    Attributes
    ----------
    disco, dcap
        Sentences that stand of the measure, by the names of `disclosure_core.conclusions.difference.Saying`.
    maybe
        Sentences of which either may stand: the figures do not decide by this rule.
    members, outside
        DiSCO, shares.
    differences
        Of DiSCO and of DCAP: the difference, and the ends of its interval.
    m, m_interval, compared
        Of people with the same keys; None where there are none.
    commonest
        The share of the answer that most people in the data have.
    evaluated
        Whether the people of the holdout are a baseline at all.
    doubted
        Whether it is to be asked if they were synthesised as well.
    """

    disco: frozenset[str]
    dcap: frozenset[str]
    maybe: frozenset[str]
    members: float
    outside: float | None
    differences: tuple[tuple[float, float, float], ...]
    m: float | None
    m_interval: tuple[float | None, float | None]
    compared: float
    commonest: float
    evaluated: bool = True
    doubted: bool = False


FEWEST_TO_REFUSE, BEYOND, MOST_STRANGE = 50, 0.05, 0.5
"""People outside from which a holdout may be refused; the share beyond twins from which it is doubted; the share of
records with a value that no other file has, beyond what is usual in the original, from which a column is of no use."""


def _strange(study):
    """Return the columns of the holdout that cannot be compared: most of one is empty, or stands in no other file."""
    found = set()
    if len(study.holdout) < FEWEST_TO_REFUSE:
        return found
    for at in range(3):
        original, outside = ([row[at] for row in rows] for rows in (study.original, study.holdout))
        known = {row[at] for rows in (study.original, *study.syntheses) for row in rows} | {""}
        usual = sum(n == 1 for value, n in Counter(original).items() if value) / len(original)
        empty = original.count("") / len(original)
        strangers = sum(value not in known for value in outside)
        if outside.count("") / len(outside) > MOST_STRANGE + empty or strangers / len(outside) > MOST_STRANGE + usual:
            found.add(at)
    return found


def _inside(study):
    """Return whether the holdout is refused, and doubted: its records stand in the original beyond twins and chance."""
    compared = [at for at in range(3) if at not in _strange(study)]
    original, holdout = ([tuple(r[i] for i in compared) for r in rows] for rows in (study.original, study.holdout))
    members, people = Counter(original), Counter(holdout)
    n, h = len(original), len(holdout)
    inside = sum(row in members for row in holdout) / h
    twins = sum(members[row] > 1 for row in original) / n
    twins_inside = sum(row in members and people[row] > 1 for row in holdout) / h
    most = max(twins, twins_inside)
    refused = h >= FEWEST_TO_REFUSE and _difference(inside, h, most, n)[0] > BEYOND
    return refused, not refused and inside > twins + BEYOND + 1e-12 and _difference(inside, h, twins, n)[0] > 0


def truth(study):
    """Return what may be said of a study's target."""
    tables = [_cells(rows) for rows in study.syntheses]
    members = _people(study.original, tables)
    commonest = max(Counter(row[2] for row in study.original).values()) / len(study.original)
    if study.holdout is None:
        nothing = frozenset()
        return Truth(
            nothing, nothing, nothing, _share(members[2]), None, (), None, (None, None), 0.0, commonest, evaluated=False
        )
    refused, doubted = _inside(study)
    refused = refused or bool(_strange(study))
    outside = _people(study.holdout, tables)
    found, claimed, right, likely = zip(members, outside, strict=True)
    of_disco, of_dcap, maybe = set(), set(), set()
    differences = []
    for of, values in ((of_disco, right), (of_dcap, likely)):
        low, high = _difference(_share(values[0]), _size(values[0]), _share(values[1]), _size(values[1]))
        differences.append((_share(values[0]) - _share(values[1]), low, high))
        of.add("members-more" if low > 0 else "members-fewer" if high < 0 else "no-difference-shown")
        if _difference(_share(found[0]), _size(found[0]), _share(found[1]), _size(found[1]))[0] > 0:
            of.add("keys-more-often")
    of_disco |= _parts(found, claimed, right)
    of_dcap |= _parts(found, found, likely)
    m, m_interval, weight, compared, telling = _same_keys(study, right[0], right[1])
    if m is None or telling < ENOUGH_OUTSIDE:
        of_disco.add("own-answer-not-evaluated")
    elif weight < FEW_COMPARED:
        maybe |= {"own-answer", "own-answer-not-shown"}
    else:
        of_disco.add("own-answer" if m_interval[0] > 0 else "own-answer-not-shown")
    if not study.random:
        of_disco = of_dcap = {"other-population"}
        maybe = set()
    if refused:
        of_disco = of_dcap = maybe = set()
    return Truth(
        frozenset(of_disco), frozenset(of_dcap), frozenset(maybe),
        _share(right[0]), _share(right[1]), tuple(differences), m, m_interval, compared, commonest, not refused, doubted,
    )  # fmt: skip
