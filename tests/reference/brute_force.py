"""measures.md over dictionaries and loops, a line a sentence of it; shares no code with the core.

Records are tuples of texts; None is missing. Slow on purpose.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

NAN = float("nan")
KINDS = ("target level", "missing target", "missing key", "pair", "denominator")


def pct(part, whole):
    return float(100 * Fraction(part) / Fraction(whole)) if whole else NAN


def assess(original, synthetic, keys, target, out, limits):
    """Return every figure for one target and one synthesis.

    `original`, `synthetic`: lists of dicts, column -> text or None. `out`: a dict of the five kinds of exclusion.
    `limits`: the thresholds, one_way and two_way.
    """
    q_of = lambda record: tuple(record[k] for k in keys)  # noqa: E731
    d = Counter((q_of(r), r[target]) for r in original)
    s = Counter((q_of(r), r[target]) for r in synthetic)
    d_q, s_q = Counter(map(q_of, original)), Counter(map(q_of, synthetic))
    n_d, n_s = len(original), len(synthetic)
    cells = set(d) | set(s)
    pd = {c: Fraction(d[c], d_q[c[0]]) if d_q[c[0]] else Fraction(0) for c in cells}
    ps = {c: Fraction(s[c], s_q[c[0]]) if s_q[c[0]] else Fraction(0) for c in cells}
    disclosing = {q for q, t in cells if ps[q, t] == 1}

    def kind(cell, counts):
        q, t = cell
        if t is not None and t in out["levels"]:
            return 0
        if out["missing_target"] and t is None:
            return 1
        if any(q[i] is None for i, k in enumerate(keys) if k in out["missing_keys"]):
            return 2
        if any(q[keys.index(k)] == level and t == tl for k, level, tl in out["pairs"]):
            return 3
        if out["limit"] is not None and counts[cell] > out["limit"]:
            return 4
        return None

    tables = {
        "original": (d, lambda c: True),
        "synthetic": (s, lambda c: True),
        "Dorig": (d, lambda c: pd[c] == 1),
        "Dsyn": (s, lambda c: ps[c] == 1),
        "iS": (d, lambda c: s_q[c[0]] > 0),
        "DiS": (d, lambda c: c[0] in disclosing),
        "DiSCO": (d, lambda c: ps[c] == 1),
        "DiSDiO": (d, lambda c: ps[c] == 1 and pd[c] == 1),
    }
    exclusions = {}
    for name, (counts, counted) in tables.items():
        row = dict.fromkeys((*KINDS, "remaining"), 0)
        for cell in cells:
            if counted(cell):
                why = kind(cell, counts)
                row["remaining" if why is None else KINDS[why]] += counts[cell]
        exclusions[name] = row
    left = {name: row["remaining"] for name, row in exclusions.items()}

    d1 = {c: d[c] if kind(c, d) is None else 0 for c in cells}
    s1 = {c: s[c] if kind(c, s) is None else 0 for c in cells}
    d1_q, s1_q = Counter(), Counter()
    for (q, t), n in d1.items():
        d1_q[q] += n
    for (q, t), n in s1.items():
        s1_q[q] += n
    pd1 = {c: Fraction(d1[c], d1_q[c[0]]) if d1_q[c[0]] else 0 for c in cells}
    ps1 = {c: Fraction(s1[c], s1_q[c[0]]) if s1_q[c[0]] else 0 for c in cells}

    disco = {c: d1[c] for c in cells if ps[c] == 1 and d1[c]}
    dcap = sum(ps1[c] * d1[c] for c in cells)
    n_b = sum(n for q, n in s_q.items() if d_q[q])
    n_bp = sum(n for q, n in d_q.items() if q in disclosing)
    levels = Counter(r[target] for r in original)
    found = sum(disco.values())
    return {
        "identity": identity(d1_q, s1_q, s_q, n_d, n_s),
        "attribute": {
            **{m: pct(left[m], n_s if m == "Dsyn" else n_d) for m in ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO")},
            "max_denom": max(disco.values(), default=0),
            "mean_denom": sum(disco.values()) / len(disco) if disco else NAN,
            "max_claim": max((s[c] for c in disco), default=0),
            "mean_claim": float(Fraction(sum(n * s[c] for c, n in disco.items()), found)) if disco else NAN,
        },
        "caps": {
            "baseCAPd": float(100 * sum(Fraction(n, n_d) ** 2 for n in levels.values())),
            "CAPd": pct(sum(pd1[c] * d1[c] for c in cells), n_d),
            "CAPs": pct(sum(ps1[c] * s1[c] for c in cells), n_s),
            "DCAPd": pct(dcap, n_d),
            "DCAPs": pct(dcap, n_s),
            "DCAPb": pct(dcap, n_b),
            "TCAPs": pct(found, n_s),
            "TCAPb": pct(found, n_b),
            "TCAP": pct(found, n_bp),
            "TCAPi": pct(found, sum(n for q, n in d1_q.items() if s1_q[q] > 0)),
        },
        "one_way": one_way(disco, d1, limits["one_way"]),
        "two_way": two_way(disco, original, keys, target, limits["two_way"]),
        "exclusions": exclusions,
    }


def identity(d_q, s_q, full_s_q, n_d, n_s):
    alone = [q for q, n in d_q.items() if n == 1]
    return {
        "UiO": pct(len(alone), n_d),
        "UiS": pct(sum(n == 1 for n in s_q.values()), n_s),
        "UiOiS": pct(sum(full_s_q[q] > 0 for q in alone), n_d),
        "repU": pct(sum(s_q[q] == 1 for q in alone), n_d),
    }


def headline_identity(original, synthetic, keys, missing_keys):
    """The identity measures of the keys alone, moved by missing keys only."""
    q_of = lambda record: tuple(record[k] for k in keys)  # noqa: E731
    keep = lambda record: all(record[k] is not None for k in missing_keys if k in keys)  # noqa: E731
    d_q = Counter(q_of(r) for r in original if keep(r))
    s_q = Counter(q_of(r) for r in synthetic if keep(r))
    return identity(d_q, s_q, Counter(map(q_of, synthetic)), len(original), len(synthetic))


def one_way(disco, d1, limits):
    """Every level that passes both thresholds: {level: (records in d', share, disclosive, its disclosive, share)}."""
    fewest, share = limits
    by_level, total = Counter(), sum(disco.values())
    for (_, t), n in disco.items():
        by_level[t] += n
    everyone = sum(d1.values())
    found = {}
    for t, n in by_level.items():
        if n > fewest and 100 * n > share * total:
            here = sum(m for (_, u), m in d1.items() if u == t)
            found[t] = (here, pct(here, everyone), total, n, pct(n, total))
    return found


def two_way(disco, original, keys, target, limits):
    """Every pair over both thresholds: {(target level, key, key level): (npairs, both, with the key level, share)}."""
    fewest, share = limits
    pairs = Counter()
    for (q, t), n in disco.items():
        if n > fewest:
            for k, level in zip(keys, q, strict=True):
                pairs[t, k, level] += n
    found = {}
    for (t, k, level), n in pairs.items():
        with_level = [r for r in original if r[k] == level]
        both = sum(r[target] == t for r in with_level)
        if 100 * both > share * len(with_level):
            found[t, k, level] = (n, both, len(with_level), pct(both, len(with_level)))
    return found


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9
