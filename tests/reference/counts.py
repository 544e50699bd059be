"""Cells counted from `measures.md` alone, in dictionaries, and the tables and exclusions that are drawn for them.

Nothing of the package counts here: `tests/pages/test_sentences_counted_again.py` holds what pages say against it.
"""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from disclosure_core import Exclusions, Pair, Thresholds

LIMITS = Thresholds((2, 40), (1, 60))


@st.composite
def tables(draw):
    """Return an original and two syntheses of it as lists of records, a text or "Missing" each."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    levels = {"k1": ["a", "b", "Missing"], "k2": ["x", "y"], "k3": ["p", "q", "r", "Missing"],
              "t": ["yes", "no", "Missing"], "u": ["m", "n", "o"]}  # fmt: skip

    def frame(n):
        return [{name: str(rng.choice(each)) for name, each in levels.items()} for _ in range(n)]

    original = frame(draw(st.integers(12, 40)))
    for name in ("t", "u"):  # most have one level, so that flags are raised
        for record in original:
            if rng.random() < draw(st.sampled_from([0.2, 0.8])):
                record[name] = levels[name][0]
    copied = [original[i] | ({"u": "o"} if rng.random() < 0.1 else {}) for i in rng.integers(0, len(original), 20)]
    return original, [copied, frame(draw(st.integers(6, 30)))]


@st.composite
def left_out(draw):
    def some(of):
        return draw(st.lists(st.sampled_from(of), max_size=1))

    pair = some([("t", "k1", "a", "yes"), ("u", "k3", "q", "m"), ("t", "k2", "x", "no"), ("t", "k3", "Missing", "yes")])
    levels = some([("t", "yes"), ("u", "n"), ("t", "Missing")])
    return {
        "levels": set(levels), "targets": set(some(["t"])), "keys": set(some(["k1", "k3"])), "pairs": set(pair),
        "limit": draw(st.sampled_from([None, None, 1, 3])),
    }  # fmt: skip


def asked(out):
    return Exclusions(
        target_levels={t: [v] for t, v in out["levels"]}, missing_targets=out["targets"], missing_keys=out["keys"],
        pairs={t: [Pair(k, a, b)] for t, k, a, b in out["pairs"]}, denominator_limit=out["limit"],
    )  # fmt: skip


class Counts:
    """d and s of one target and synthesis, in full and as exclusions leave them."""

    def __init__(self, original, synthetic, keys, target, out):
        self.keys, self.target, self.out = keys, target, out
        self.n_d, self.n_s = len(original), len(synthetic)
        self.d, self.s = (Counter((*(r[k] for k in keys), r[target]) for r in side) for side in (original, synthetic))
        self.d_q, self.s_q = self.by_q(self.d), self.by_q(self.s)
        self.d1, self.s1 = ({cell: n for cell, n in table.items() if self.stays(cell, n)} for table in (self.d, self.s))
        self.d1_q, self.s1_q = self.by_q(self.d1), self.by_q(self.s1)

    @staticmethod
    def by_q(table):
        found = Counter()
        for (*q, _), n in table.items():
            found[tuple(q)] += n
        return found

    def stays(self, cell, n):
        (*q, t), out = cell, self.out
        if (self.target, t) in out["levels"] or (t == "Missing" and self.target in out["targets"]):
            return False
        known = dict(zip(self.keys, q, strict=True))
        if any(known.get(k) == "Missing" for k in out["keys"]):
            return False
        if any(self.target == target and known.get(k) == a and t == b for target, k, a, b in out["pairs"]):
            return False
        return out["limit"] is None or n <= out["limit"]

    def disco(self):
        """Return the cells that DiSCO counts, with their original records."""
        return {cell: n for cell, n in self.d1.items() if self.s[cell] and self.s[cell] == self.s_q[cell[:-1]]}

    def one_way(self):
        """Return the levels above both limits with what is said of each, most records first."""
        (fewest, percent), told = LIMITS.one_way, Counter()
        for cell, n in self.disco().items():
            told[cell[-1]] += n
        every, left, of_all = told.total(), Counter(), Counter()
        for cell, n in self.d1.items():
            left[cell[-1]] += n
        for cell, n in self.d.items():
            of_all[cell[-1]] += n
        return {
            t: (left[t], every, n, of_all[t], 2 * of_all[t] > self.n_d)
            for t, n in told.items()
            if n > fewest and 100 * n > percent * every
        }

    def two_way(self):
        fewest, percent = LIMITS.two_way
        found = Counter()
        for cell, n in self.disco().items():
            if n > fewest:
                for k, level in zip(self.keys, cell, strict=False):
                    found[k, level, cell[-1]] += n
        rows = {}
        for (k, level, t), n in found.items():
            at = self.keys.index(k)
            with_level = sum(m for cell, m in self.d.items() if cell[at] == level)
            both = sum(m for cell, m in self.d.items() if cell[at] == level and cell[-1] == t)
            if 100 * both > percent * with_level:
                rows[k, level, t] = (n, both, with_level)
        return rows


def acting(out, keys):
    """Return what is left out for somebody who knows these keys: the other keys' waits."""
    return out | {"keys": out["keys"] & set(keys), "pairs": {p for p in out["pairs"] if p[1] in keys}}


def there(original, syntheses, out):
    """Return whether all that is left out is a level that some file has."""
    has = {(name, r[name]) for side in (original, *syntheses) for r in side for name in r}
    named = (
        {(t, v) for t, v in out["levels"]}
        | {(k, a) for _, k, a, _ in out["pairs"]}
        | {(t, b) for t, _, _, b in out["pairs"]}
    )
    return named <= has
