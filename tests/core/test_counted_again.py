"""Figures counted again from `measures.md` alone, in dictionaries: nothing of the package counts here.

Flags, what people would guess, the papers' scenarios, τ, smaller releases (given the draws) and contributions, with
exclusions and for several key sets.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import Exclusions, KeySet, Pair, Thresholds, start_tables
from disclosure_core.review.scenarios import assessed, paper_scenarios
from disclosure_core.sensitivity import contributions, release_size, threshold

pytestmark = pytest.mark.slow

SETS = {"a": ("k1", "k2"), "b": ("k3",), "c": ("k2", "k3", "k1")}
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

    def ps(self, cell):
        return self.s[cell] / self.s_q[cell[:-1]] if self.s[cell] else 0.0

    def pd(self, cell):
        return self.d[cell] / self.d_q[cell[:-1]]

    def disco(self):
        """Return the cells that DiSCO counts, with their original records."""
        return {cell: n for cell, n in self.d1.items() if self.ps(cell) == 1}

    def dcap(self):
        """Return Σ ps·d of what is left."""
        return sum(n * self.s1[c] / self.s1_q[c[:-1]] for c, n in self.d1.items() if c in self.s1)

    def measures(self):
        told = sum(self.disco().values())
        known = sum(n for q, n in self.s_q.items() if q in self.d_q)
        certain = {c[:-1] for c, n in self.s.items() if n == self.s_q[c[:-1]]}
        certain = sum(n for q, n in self.d_q.items() if q in certain)
        met = sum(n for q, n in self.d1_q.items() if q in self.s1_q)
        caps = sum(n * n / self.s1_q[c[:-1]] for c, n in self.s1.items())
        return {
            "DiSCO": over(told, self.n_d), "DCAPd": over(self.dcap(), self.n_d), "DCAPs": over(self.dcap(), self.n_s),
            "DCAPb": over(self.dcap(), known), "TCAPs": over(told, self.n_s), "TCAPb": over(told, known),
            "TCAP": over(told, certain), "TCAPi": over(told, met), "CAPs": over(caps, self.n_s),
        }  # fmt: skip

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


def over(n, of):
    return 100 * n / of if of else float("nan")


def review(original, syntheses, out):
    frames = [pd.DataFrame(side).replace("Missing", None) for side in (original, *syntheses)]
    opened = start_tables(frames[0], frames[1:])
    base = replace(
        opened.review, intruders=tuple(KeySet(name, keys) for name, keys in SETS.items()), intruder="a",
        targets=("t", "u"), thresholds=LIMITS, exclusions=asked(out),
    )  # fmt: skip
    return opened.with_review(base)


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


ROUGH = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def each(original, syntheses, out):
    """Yield the review for each key set, and for each of its targets the tables counted here."""
    opened = review(original, syntheses, out)
    for name, keys in SETS.items():
        of = opened.of_intruder(name)
        acts = acting(out, keys)
        yield of.assessment(), keys, {t: [Counts(original, s, keys, t, acts) for s in syntheses] for t in ("t", "u")}


@ROUGH
@given(tables(), left_out())
def test_flags_and_what_people_would_guess(data, out):
    if not there(*data, out):
        return
    for found, keys, tables_ in each(*data, out):
        for target, mine in tables_.items():
            risk = found.targets[target]
            for here, check, pairs in zip(mine, risk.one_way, risk.two_way, strict=True):
                theirs = {c.level: c for c in ((check, *check.also) if check else ())}
                wanted = here.one_way()
                assert set(theirs) == set(wanted)
                for level, (left, every, n, of_all, most) in wanted.items():
                    c = theirs[level]
                    assert (c.n_level, c.n_disclosive, c.n_disclosive_level, c.n_of_all) == (left, every, n, of_all)
                    assert c.guessable == most
                    assert c.pct_disclosive == pytest.approx(100 * n / every)
                    assert c.pct_of_all == pytest.approx(100 * of_all / here.n_d)
                rows = {
                    (r["key"], r["key_level"], r["target_level"]): (r["npairs"], r["n_both"], r["n_key_level"])
                    for r in pairs.to_dict("records")
                }
                assert rows == here.two_way(), (keys, target)


@ROUGH
@given(tables(), left_out())
def test_the_threshold_and_what_the_claims_rest_on(data, out):
    if not there(*data, out):
        return
    taus = (0, 0.25, 0.5, 0.6, 2 / 3, 0.9, 1)
    for found, keys, tables_ in each(*data, out):
        for target, mine in tables_.items():
            risk = found.targets[target]
            of_original, of_synthetic = threshold.figures(risk, taus)
            for i, here in enumerate(mine):
                for j, tau in enumerate(taus):
                    mean = sum(n * here.pd(c) for c, n in here.d1.items() if here.pd(c) >= tau)
                    assert of_original[i, j] == pytest.approx(100 * mean / here.n_d), (tau, keys)
                    mean = sum(n * here.ps(c) for c, n in here.d1.items() if here.ps(c) >= tau)
                    assert of_synthetic[i, j] == pytest.approx(100 * mean / here.n_d), (tau, keys)
            assert of_synthetic[:, -1] == pytest.approx(risk.figures("DiSCO"))  # under every exclusion
            assert of_original[:, -1] == pytest.approx(risk.figures("Dorig"))
            for side in ("original", "synthetic"):
                sizes = Counter()
                for here in mine:
                    for cell, n in here.disco().items():
                        held = here.d[cell] if side == "original" else here.s[cell]
                        sizes[next(k for k, low in reversed(list(enumerate((1, 2, 3, 6, 11)))) if held >= low)] += n
                rows = contributions.by_size(risk, side)["records"].tolist()
                assert rows == pytest.approx([sizes[k] / len(mine) for k in range(5)])
            levels, counted = Counter(), Counter()
            for here in mine:
                for table, into in ((here.disco(), levels), (here.d1, counted)):
                    for cell, n in table.items():
                        for name, level in zip((*keys, target), cell, strict=True):
                            into[name, level] += n
            every = sum(n for (name, _), n in levels.items() if name == target)
            rows = {
                (r.column, r.level): (r.records, r.pct, r.pct_of_level)
                for r in contributions.by_level(risk).itertuples()
            }
            assert set(rows) == set(levels)
            for at, n in levels.items():
                assert rows[at] == pytest.approx((n / len(mine), 100 * n / every, 100 * n / counted[at]))


@ROUGH
@given(tables())
def test_the_papers_scenarios(data):
    original, syntheses = data
    nothing = {"levels": set(), "targets": set(), "keys": set(), "pairs": set(), "limit": None}
    opened = review(original, syntheses, nothing)
    for name, keys in SETS.items():
        found = opened.of_intruder(name).assessment()
        flagged = {
            (t, level)
            for t in ("t", "u")
            for s in syntheses
            for level in Counts(original, s, keys, t, nothing).one_way()
        }
        levels = nothing | {"levels": flagged}
        missing = levels | {"targets": {"t", "u"}, "keys": set(keys)}
        wanted = (nothing, levels, missing, missing | {"limit": 1}, nothing | {"limit": 1})
        theirs = assessed(opened.study(), found, paper_scenarios(found))
        for out, (_, scenario) in zip(wanted, theirs, strict=True):
            for target in ("t", "u"):
                mine = [Counts(original, s, keys, target, out) for s in syntheses]
                shares = [here.measures()["DiSCO"] for here in mine]
                assert scenario.targets[target].figures("DiSCO").tolist() == pytest.approx(shares)
                told = sum(n for cell, n in mine[0].d1.items() if mine[0].pd(cell) == 1)
                assert scenario.targets[target].figures("Dorig").tolist() == pytest.approx(
                    [over(told, len(original))] * 2
                )


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables(), left_out())
def test_smaller_releases_given_the_draws(data, out):
    original, syntheses = data
    if not there(*data, out):
        return
    for found, keys, _ in each(*data, out):
        acts = acting(out, keys)
        for step in release_size.by_size(found, shares=(20, 55, 100), repeats=2, seed=3):
            for row in step.rows.to_dict("records"):
                side = syntheses[row["synthesis"] - 1]
                drawn = np.random.default_rng([3, row["synthesis"] - 1, row["repeat"] - 1]).permutation(len(side))
                part = [side[i] for i in drawn[: row["n_synthetic"]]]
                here = Counts(original, part, keys, row["target"], acts)
                for name, value in here.measures().items():
                    assert row[name] == pytest.approx(value, nan_ok=True), (name, keys, acts)
            for row in step.identity.to_dict("records"):
                side = syntheses[row["synthesis"] - 1]
                drawn = np.random.default_rng([3, row["synthesis"] - 1, row["repeat"] - 1]).permutation(len(side))
                q = [Counter(tuple(r[k] for k in keys) for r in people) for people in
                     (original, [side[i] for i in drawn[: row["n_synthetic"]]])]  # fmt: skip
                counted = [
                    c
                    for c in q[0]
                    if q[0][c] == 1
                    and not any(k in acts["keys"] and v == "Missing" for k, v in zip(keys, c, strict=True))
                ]
                met = sum(q[1][c] > 0 for c in counted), sum(q[1][c] == 1 for c in counted)
                assert (row["UiOiS"], row["repU"]) == pytest.approx([100 * n / len(original) for n in met])
