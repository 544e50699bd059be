"""The plain counter (`disclosure_core/verify`) on records: dicts of texts or numbers by column, None is missing.

It is the oracle of every test that counts again, and shares no code with what it tests: tables are made here, and what is
excluded goes to it as the test drew it.
"""

# Inside: the second counter is the tests' oracle, asked by this module alone.

from copy import copy
from functools import cache

import pyarrow as pa

from disclosure_core.verify import counter, levels, near, outside, released, useful
from disclosure_core.verify.levels import Data

__all__ = ["Data", "counter", "levels", "near", "outside", "released", "useful"]

LIMITS = {"one_way": (50, 90), "two_way": (4, 80)}
NOTHING = {"levels": (), "missing_target": False, "missing_keys": (), "pairs": (), "limit": None}


def data(original, synthetic, people=None, codes=None):
    """What the counter reads of records; `people` are those outside."""
    sides = [table(records, list(original[0])) for records in (original, *synthetic)]
    return Data(sides, None if people is None else table(people, list(original[0])), {}, codes or {}, {})


def table(records, names):
    columns = {name: [r[name] for r in records] for name in names}
    numbers = {name for name in names if any(isinstance(v, int | float) for v in columns[name])}
    return pa.table({name: pa.array(columns[name], pa.float64() if name in numbers else pa.string()) for name in names})


def target(of, keys, name, out=NOTHING, limits=LIMITS):
    """A target under exclusions as tests draw them: a missing level of a pair is None."""
    pairs = [(k, *(of.label(c, None) if v is None else v for c, v in ((k, a), (name, b)))) for k, a, b in out["pairs"]]
    return counter.Target(of, list(keys), name, {**out, **limits, "pairs": [p for p in pairs if p[0] in keys]})


def measures(of_target, i):
    """The attribute measures and the CAP family of a synthesis."""
    attribute, caps, _ = of_target.of_synthesis(i)
    return attribute | caps


def right(of_target):
    """By synthesis, from 1: right claims about members and about people outside, % of them."""
    rows = outside.beside_outside(of_target)[0]
    return [(rows["DiSCO", i]["members"], rows["DiSCO", i]["non_members"]) for i in range(1, of_target.data.m + 1)]


def commonest(of_target):
    """The commonest levels of the original, of those that are not excluded."""
    missing = of_target.asked["missing_target"]
    of = {t: n for t, n in of_target.data.by_level(of_target.name).items() if t not in of_target.levels}
    of = {t: n for t, n in of.items() if not (missing and t is None)}
    return {t for t, n in of.items() if n == max(of.values())}


def identity(of, keys, missing_keys=()):
    """The identity measures of the keys by synthesis, from 1."""
    return list(counter.identity(of, list(keys), missing_keys).values())


def largest(nodes, keys, known, original, synthetic, of=None, levels=()):
    """Return the largest figure over some nodes, %: repU, or DiSCO of a target without some of its levels.

    `known` gives what is known of a value of a key at every level, finest first.
    """
    records, best = [original, *synthetic], 0.0
    as_text = [[{name: _text(v) for name, v in r.items()} for r in side] for side in records]
    whole = data(as_text[0], as_text[1:])
    at = cache(lambda name, level: [[_text(known(name, r[name])[level]) for r in side] for side in records])
    for node in nodes:
        found = copy(whole)
        found.columns = whole.columns | {name: at(name, level) for name, level in zip(keys, node, strict=True)}
        if of is None:
            figures = [row["repU"] for row in identity(found, keys)]
        else:
            told = target(found, keys, of, NOTHING | {"levels": levels}).disclosed
            figures = [counter.pct(sum(cells.values()), found.n[0]) for cells in told]
        best = max(best, counter.mean(figures))
    return best


def _text(value):
    return None if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)


def same(a, b):
    return (a != a and b != b) or abs(a - b) <= 1e-9
