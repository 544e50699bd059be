"""Every figure of measures.md counted a second time, over dictionaries: to be read by an auditor in ten minutes.

This file imports nothing of the program; `levels.py` reads the tables for it, and `outside.py` counts people outside.
Numbers in brackets are sections of measures.md. `q` is a tuple of key levels, `t` a target level, (q, t) a cell; `d`,
`s` are the records of each cell in the original and in one synthesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, nan, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from disclosure_core.verify.levels import Data

    Cell = tuple[tuple[str | None, ...], str | None]
    Row = dict[str, float]
    Named = dict[tuple[Any, ...], Row]

EXCLUDED = ("target level", "missing target", "missing key", "pair", "denominator")
"""The five kinds of exclusion (6); a cell that none takes is "remaining"."""


def pct(part: float, whole: float) -> float:
    """Return a share in %; NaN of nothing."""
    return 100 * part / whole if whole else nan


def mean(values: Sequence[float]) -> float:
    """Return the mean over the syntheses (8)."""
    return fsum(values) / len(values)


def spread(values: Sequence[float]) -> Row:
    """Return smallest, largest and standard deviation over the syntheses (8); no deviation of one."""
    m, n = mean(values), len(values)
    sd = sqrt(fsum((v - m) ** 2 for v in values) / (n - 1)) if n > 1 else nan
    return {"min": min(values), "max": max(values), "sd": sd}


def over_t(cells: Mapping[Cell, float]) -> Counter[tuple[str | None, ...]]:
    """Return d[q] of d[t,q]: its sums over t (1)."""
    found: Counter[tuple[str | None, ...]] = Counter()
    for (q, _), n in cells.items():
        found[q] += n  # type: ignore[assignment]  # a share is summed as a count is
    return found


def of_keys(d: Mapping[Any, int], s: Mapping[Any, int], there: Mapping[Any, int], n_d: int, n_s: int) -> Row:
    """Return the identity measures (3) of records counted by keys; `there` are all synthetic ones."""
    alone = [q for q, n in d.items() if n == 1]
    return {
        "UiO": pct(len(alone), n_d),
        "UiS": pct(sum(n == 1 for n in s.values()), n_s),
        "UiOiS": pct(sum(there.get(q, 0) > 0 for q in alone), n_d),
        "repU": pct(sum(s.get(q, 0) == 1 for q in alone), n_d),
    }


def has_missing_key(data: Data, keys: Sequence[str], without: Iterable[str]) -> Callable[[tuple[Any, ...]], bool]:
    """Return what says whether a missing key excludes q (6, kind 3)."""
    asked = [(i, data.absent[k]) for i, k in enumerate(keys) if k in set(without)]
    return lambda q: any(q[i] in levels for i, levels in asked)


def _by_pair(cells: Mapping[Cell, int]) -> Counter[tuple[int, Any, Any]]:
    """Return the records with each pair of a level of key number k and a target level."""
    found: Counter[tuple[int, Any, Any]] = Counter()
    for (q, t), n in cells.items():
        for k, level in enumerate(q):
            found[k, level, t] += n
    return found


def identity(data: Data, keys: Sequence[str], without: Iterable[str] = ()) -> Named:
    """Return the headline identity measures by (synthesis,): those of the keys, moved by missing keys alone (3, 6)."""
    drop = has_missing_key(data, keys, without)
    d = data.by(keys, 0)
    found = {}
    for i in range(1, data.m + 1):
        s = data.by(keys, i)
        kept_d, kept_s = ({q: n for q, n in side.items() if not drop(q)} for side in (d, s))
        found[i,] = of_keys(kept_d, kept_s, s, data.n[0], data.n[i])
    return found


class Target:
    """One target for one set of keys and exclusions.

    `asked`: levels, pairs (key, key level, target level), missing_target, missing_keys, limit; one_way and two_way, the
    thresholds of the checks.
    """

    def __init__(self, data: Data, keys: Sequence[str], name: str, asked: Mapping[str, Any]) -> None:
        self.data, self.keys, self.name, self.asked = data, list(keys), name, asked
        self.d = data.cells(keys, name, 0)
        self.s = [data.cells(keys, name, i) for i in range(1, data.m + 1)]
        self.missing_key = has_missing_key(data, keys, asked["missing_keys"])
        self.levels = {data.level(name, level) for level in asked["levels"]}
        self.pairs = {(keys.index(k), data.level(k, v), data.level(name, t)) for k, v, t in asked["pairs"] if k in keys}
        self.d_left, self.s_left = self.left(self.d), [self.left(s) for s in self.s]
        self.says = [self._claims(s) for s in self.s]
        self.disclosed = [
            {c: n for c, n in self.d_left.items() if c[0] in says and says[c[0]] == c[1]} for says in self.says
        ]

    def why(self, cell: Cell, records: int) -> str:
        """Return which exclusion takes a cell of so many records (6), in the order of EXCLUDED, or that it remains."""
        q, t = cell
        if t in self.levels:
            return EXCLUDED[0]
        if self.asked["missing_target"] and t in self.data.absent[self.name]:
            return EXCLUDED[1]
        if self.missing_key(q):
            return EXCLUDED[2]
        if any(q[i] == level and t == target for i, level, target in self.pairs):
            return EXCLUDED[3]
        limit = self.asked["limit"]
        return EXCLUDED[4] if limit is not None and records > limit else "remaining"

    def left(self, cells: Mapping[Cell, int]) -> dict[Cell, int]:
        """Return the cells that no exclusion takes."""
        return {c: n for c, n in cells.items() if self.why(c, n) == "remaining"}

    def of_synthesis(self, i: int) -> tuple[Row, Row, dict[str, Row]]:
        """Return the attribute measures (4), the CAP family (5), and by measure the records of each exclusion (6)."""
        d, s, n_d, n_s = self.d, self.s[i - 1], self.data.n[0], self.data.n[i]
        d_q, s_q = over_t(d), over_t(s)
        says = self.says[i - 1]
        sure = {(q, t) for (q, t), n in d.items() if n == d_q[q]}  # pd = 1
        tables: dict[str, tuple[Mapping[Cell, int], Callable[[Cell], bool]]] = {
            "original": (d, lambda _: True),
            "synthetic": (s, lambda _: True),
            "Dorig": (d, lambda c: c in sure),
            "Dsyn": (s, lambda c: c[0] in says),
            "iS": (d, lambda c: s_q[c[0]] > 0),
            "DiS": (d, lambda c: c[0] in says),
            "DiSCO": (d, lambda c: c[0] in says and says[c[0]] == c[1]),
            "DiSDiO": (d, lambda c: c in sure and c[0] in says and says[c[0]] == c[1]),
        }
        taken = {}
        for measure, (cells, counts) in tables.items():
            by_why = Counter(dict.fromkeys((*EXCLUDED, "remaining"), 0))
            for c, n in cells.items():
                if counts(c):
                    by_why[self.why(c, n)] += n
            taken[measure] = {kind: float(n) for kind, n in by_why.items()}
        of = {measure: row["remaining"] for measure, row in taken.items()}
        attribute = {m: pct(of[m], n_s if m == "Dsyn" else n_d) for m in list(tables)[2:]}

        d1, s1, found = self.d_left, self.s_left[i - 1], self.disclosed[i - 1]
        d1_q, s1_q = over_t(d1), over_t(s1)
        claims = [s[c] for c in found]
        attribute |= {
            "max_denom": max(found.values(), default=0),
            "mean_denom": mean(list(found.values())) if found else nan,
            "max_claim": max(claims, default=0),
            "mean_claim": sum(s[c] * n for c, n in found.items()) / of["DiSCO"] if found else nan,
        }
        levels: Counter[str | None] = Counter()
        for (_, t), n in d.items():
            levels[t] += n
        dcap = fsum(s1.get(c, 0) / s1_q[c[0]] * n for c, n in d1.items() if s1_q[c[0]])
        n_b = sum(n for q, n in s_q.items() if d_q[q])
        n_bp = sum(n for q, n in d_q.items() if q in says)
        caps = {
            "baseCAPd": 100 * fsum((n / n_d) ** 2 for n in levels.values()),
            "CAPd": pct(fsum(n / d1_q[q] * n for (q, _), n in d1.items()), n_d),
            "CAPs": pct(fsum(n / s1_q[q] * n for (q, _), n in s1.items()), n_s),
        }
        caps |= {name: pct(dcap, n) for name, n in (("DCAPd", n_d), ("DCAPs", n_s), ("DCAPb", n_b))}
        caps |= {name: pct(of["DiSCO"], n) for name, n in (("TCAPs", n_s), ("TCAPb", n_b), ("TCAP", n_bp))}
        caps["TCAPi"] = pct(of["DiSCO"], sum(n for q, n in d1_q.items() if s1_q[q] > 0))
        return attribute, caps, taken

    @staticmethod
    def _claims(s: Mapping[Cell, int]) -> dict[Any, str | None]:
        """Return D(q): the level that a synthesis claims of q, that of all its records with these keys (ps = 1)."""
        s_q = over_t(s)
        return {q: t for (q, t), n in s.items() if n == s_q[q]}

    def at_least(self, i: int, tau: float) -> tuple[float, float]:
        """Return right claims that are at least so sure, of the original and of a synthesis (5, the threshold τ)."""
        found = []
        for cells in (self.d, self.s[i - 1]):
            of_q = over_t(cells)
            sure = {c: n / of_q[c[0]] for c, n in cells.items() if n / of_q[c[0]] >= tau}
            total = fsum(share * self.d_left.get(c, 0) for c, share in sure.items())
            found.append(pct(total, self.data.n[0]))
        return found[0], found[1]

    def one_way(self, i: int) -> dict[Any, Row]:
        """Return by level what the 1-way check flags (7)."""
        fewest, share = self.asked["one_way"]
        found, left = self.disclosed[i - 1], self.d_left
        total, everyone = sum(found.values()), sum(left.values())
        rows = {}
        for t in {t for _, t in found}:
            n = sum(m for (_, u), m in found.items() if u == t)
            if n > fewest and 100 * n > share * total:
                here, of_all = (sum(m for (_, u), m in cells.items() if u == t) for cells in (left, self.d))
                rows[self.data.label(self.name, t)] = {
                    "n_level": here,
                    "pct_level": pct(here, everyone),
                    "n_disclosive": total,
                    "n_disclosive_level": n,
                    "pct_disclosive": pct(n, total),
                    "n_of_all": of_all,
                    "pct_of_all": pct(of_all, self.data.n[0]),
                }
        return rows

    def two_way(self, i: int) -> dict[tuple[str, str, str], Row]:
        """Return by (target level, key, key level) what the 2-way check flags (7), and what excluding it takes."""
        fewest, share = self.asked["two_way"]
        npairs = _by_pair({c: n for c, n in self.disclosed[i - 1].items() if n > fewest})
        of_pair, takes = _by_pair(self.d), [_by_pair(found) for found in self.disclosed]
        of_level: Counter[tuple[int, Any]] = Counter()
        for (k, level, _), n in of_pair.items():
            of_level[k, level] += n
        rows = {}
        of_t = self.data.by_level(self.name)
        for (k, level, t), n in npairs.items():
            both, with_level = of_pair[k, level, t], of_level[k, level]
            if 100 * both > share * with_level:
                names = self.data.label(self.name, t), self.keys[k], self.data.label(self.keys[k], level)
                rows[names] = {
                    "npairs": n,
                    "n_both": both,
                    "n_key_level": with_level,
                    "pct": pct(both, with_level),
                    "excluding_takes": mean([each[k, level, t] for each in takes]),
                    "pct_of_all": pct(of_t[t], self.data.n[0]),
                    "lift": both * self.data.n[0] / (with_level * of_t[t]),
                }
        return rows

    def guess(self, people: Mapping[Cell, int], n: int) -> Row:
        """Return what claims about `n` people are worth beside a guess (10), and by level what they say."""
        k = right = expected = flat = 0.0
        true: Counter[Any] = Counter()
        said_all: Counter[Any] = Counter()
        right_all: Counter[Any] = Counter()
        for says in self.says:
            said: Counter[Any] = Counter()
            own: Counter[Any] = Counter()
            for (q, t), records in people.items():
                if q in says:
                    said[says[q]] += records
                    own[t] += records
                    right_all[t] += records * (says[q] == t)
            claims = sum(said.values())
            k += claims
            products = sum(said[t] * own[t] for t in said)
            expected += products / claims if claims else 0
            flat += products == claims**2
            true.update(own)
            said_all.update(said)
        right, m = sum(right_all.values()), self.data.m
        found = {
            "gain": pct(right - expected, n * m),
            "kappa": nan if flat == m else (right - expected) / (k - expected),
            "claims_right": pct(right, k),
            "chance": pct(expected, k),
            "best_guess": pct(max(true.values(), default=0), k),
        }
        self.by_level = {t: (said_all[t] / m, right_all[t] / m) for t in said_all if right_all[t] >= 3 * m}
        self.right_by_level = right_all
        return found

    def beside_a_guess(self) -> Row:
        """Return the figures of 10: gain, κ and beyond as set, the shares of claims with nothing excluded."""
        n = self.data.n[0]
        set_ = self.guess(self.d_left, n)
        right, missing = self.right_by_level, self.data.absent[self.name] if self.asked["missing_target"] else set()
        levels = {t: m for t, m in self.data.by_level(self.name).items() if t not in {*self.levels, *missing}}
        common = [t for t, m in levels.items() if m == max(levels.values())]
        beyond = pct(sum(m for t, m in right.items() if t not in common), n * self.data.m) if len(common) == 1 else nan
        every = self.guess(self.d, n)
        return every | {"gain": set_["gain"], "kappa": set_["kappa"], "beyond": beyond}

    def rare_levels(self) -> dict[str, Row]:
        """Return the levels with three right claims or more (10), nothing excluded; after `beside_a_guess`."""
        in_original, rows = self.data.by_level(self.name), {}
        for t, (said, right) in self.by_level.items():
            share, of_all = pct(right, said), pct(in_original[t], self.data.n[0])
            rows[self.data.label(self.name, t)] = {
                "claims": said,
                "right": right,
                "pct_right": share,
                "pct_of_all": of_all,
                "excess": share - of_all,
            }
        return rows
