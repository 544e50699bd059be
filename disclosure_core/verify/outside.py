"""People outside the data beside members, and membership, counted a second time (measures.md 10; consensus 2.4).

Names as in `counter.py`; `h` are the records of people outside in each cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, nan, sqrt
from typing import TYPE_CHECKING, Any

from disclosure_core.verify.counter import has_missing_key, mean, over_t, pct

if TYPE_CHECKING:
    from disclosure_core.verify.counter import Cell, Named, Row, Target
    from disclosure_core.verify.levels import Data

Z = 1.959963984540054
"""Standard errors on either side of a 95 % interval."""


def outside_by_keys(data: Data, keys: Sequence[str], without: Iterable[str] = ()) -> Named:
    """Return repU of members, of people outside, and the difference, by (synthesis,); 0 is the mean (consensus 4.2)."""
    assert data.outside is not None
    drop = has_missing_key(data, keys, without)
    d, h = data.by(keys, 0), data.by(keys, data.outside)
    found = {}
    for i in range(1, data.m + 1):
        once = {q for q, n in data.by(keys, i).items() if n == 1 and not drop(q)}
        members = pct(sum(d[q] == 1 for q in once), data.n[0])
        found[i,] = {"members": members, "non_members": pct(sum(h[q] for q in once if not d[q]), data.n[data.outside])}
    found[0,] = {name: mean([row[name] for row in found.values()]) for name in ("members", "non_members")}
    for row in found.values():
        m, o = row["members"], row["non_members"]
        row |= {"difference": m - o, "R": (m - o) / (100 - o) if o < 100 else nan}
    return found


def beside_outside(target: Target) -> tuple[Named, Named]:
    """Return by (measure, synthesis) both sides and their difference; and by (measure,) its parts, and M."""
    data, outside = target.data, target.data.outside
    assert outside is not None
    h, limit = data.cells(target.keys, target.name, outside), target.asked["limit"]
    members = target.d_left
    people = {c: n for c, n in h.items() if target.why(c, target.d[c] + 1) == "remaining"}
    steps: dict[str, defaultdict[Cell, list[float]]] = {m: defaultdict(lambda: [0.0] * 3) for m in ("DiSCO", "DCAP")}
    rows: Named = {}
    for i in range(1, data.m + 1):
        says, s_q, s1 = target.says[i - 1], over_t(target.s[i - 1]), target.s_left[i - 1]
        s1_q = over_t(s1)
        score: dict[str, dict[Cell, float]] = {"DiSCO": {}, "DCAP": {}}
        for c in {**target.d, **h}:
            q, t = c
            score["DiSCO"][c] = float(q in says and says[q] == t)
            score["DCAP"][c] = s1.get(c, 0) / s1_q[q] if s1_q[q] else 0.0
            reached = float(s_q[q] > 0), float(q in says)
            for measure, of in score.items():
                for k, step in enumerate((*reached, of[c])):
                    steps[measure][c][k] += step / data.m
        for measure, of in score.items():
            rows[measure, i] = _sides(data, of, members, people)
    for measure in steps:
        rows[measure, 0] = _sides(data, {c: v[2] for c, v in steps[measure].items()}, members, people)
    wide: Named = {}
    for measure, of_steps in steps.items():
        used = (0, 1, 2) if measure == "DiSCO" else (0, 2)
        sums = [
            [fsum(of_steps[c][k] * n for c, n in side.items()) / size for k in used]
            for side, size in ((members, data.n[0]), (people, data.n[outside]))
        ]
        wide[measure,] = dict(rows[measure, 0]) | _parts(*sums)
    for side, cells, n in (("", members, data.n[0]), ("_outside", people, data.n[outside])):
        found = target.guess(cells, n)
        wide["DiSCO",] |= {f"gain{side}": found["gain"], f"kappa{side}": found["kappa"]}
    right = {c: v[2] for c, v in steps["DiSCO"].items()}
    pooled = {c for c in right if target.why(c, target.d[c] + h[c] if limit is not None else 0) == "remaining"}
    wide["DiSCO",] |= _same_keys(target.d, h, {c: v if c in pooled else 0.0 for c, v in right.items()})
    return rows, wide


def _sides(data: Data, score: Mapping[Cell, float], members: Mapping[Cell, int], people: Mapping[Cell, int]) -> Row:
    assert data.outside is not None
    d = pct(fsum(score[c] * n for c, n in members.items()), data.n[0])
    o = pct(fsum(score[c] * n for c, n in people.items()), data.n[data.outside])
    return {"members": d, "non_members": o, "difference": d - o, "R": (d - o) / (100 - o) if o < 100 else nan}


def _parts(m: Sequence[float], o: Sequence[float]) -> Row:
    """Return the parts of a difference (10) from the shares of all people that reach each step."""
    if not (m[-2] > 0 and o[-2] > 0):
        return dict.fromkeys(("keys_found", "claim_made", "claim_right"), nan)
    (i, *more_m), (j, *more_o) = (([x[0], *(x[k] / x[k - 1] for k in range(1, len(x)))]) for x in (m, o))
    a, b = more_m[-1], more_o[-1]
    if len(more_m) == 1:
        return {"keys_found": 100 * (i - j) * (a + b) / 2, "claim_right": 100 * (a - b) * (i + j) / 2}
    u, v = more_m[0], more_o[0]
    return {
        "keys_found": 100 * (i - j) * (u + v) / 2 * (a + b) / 2,
        "claim_made": 100 * (u - v) * (i + j) / 2 * (a + b) / 2,
        "claim_right": 100 * (a - b) * (i * u + j * v) / 2,
    }


def _same_keys(d: Mapping[Cell, int], h: Mapping[Cell, int], y: Mapping[Cell, float]) -> Row:
    """Return M and its reach (10); `y` is the mean over the syntheses of *right*, 0 of who is excluded."""
    d_q, h_q = over_t(d), over_t(h)
    both = {q for q, n in d_q.items() if n and h_q[q]}
    of_q: defaultdict[Any, list[Cell]] = defaultdict(list)
    for c in y:
        of_q[c[0]].append(c)
    weight = excess = variance = 0.0
    informative = 0
    for q in both:
        n = d_q[q] + h_q[q]
        people = [(y[c], d.get(c, 0), h.get(c, 0)) for c in of_q[q]]
        ybar = fsum(v * (a + b) for v, a, b in people) / n
        s2 = fsum((a + b) * (v - ybar) ** 2 for v, a, b in people) / max(n - 1, 1)
        weight += d_q[q] * h_q[q] / n
        excess += fsum(a * v for v, a, _ in people) - d_q[q] * ybar
        variance += d_q[q] * h_q[q] / n * s2
        informative += h_q[q] * (len({v for v, *_ in people}) > 1)
    unique = [q for q, n in d_q.items() if n == 1]
    found: Row = {
        "compared": pct(sum(d_q[q] for q in both), sum(d_q.values())),
        "compared_unique": pct(sum(q in both for q in unique), len(unique)),
        "informative": informative,
    }
    if informative < 10:
        return found | dict.fromkeys(("M", "M_low", "M_high"), nan)
    M, se = 100 * excess / weight, 100 * sqrt(variance) / weight
    return found | {"M": M, "M_low": M - Z * se, "M_high": M + Z * se}


def matches(data: Data, keys: Sequence[str], prevalence: float, beta: float, syntheses: Sequence[int]) -> Row:
    """Return what "these keys occur in one of these syntheses, so a member" finds, and how often it is right (2.4)."""
    assert data.outside is not None

    def f(precision: float, recall: float) -> float:
        low = beta**2 * precision + recall
        return (1 + beta**2) * precision * recall / low if low else 0.0

    there = {q for i in syntheses for q in data.by(keys, i)}
    n, h = (sum(n for q, n in data.by(keys, side).items() if q in there) for side in (0, data.outside))
    a, b = n / data.n[0], h / data.n[data.outside]
    matched = prevalence * a + (1 - prevalence) * b
    precision = prevalence * a / matched if matched else 0.0
    naive, F = f(prevalence, 1.0), f(precision, a)
    found = {"n_match_training": n, "n_match_holdout": h, "a": a, "b": b, "advantage": a - b, "precision": precision}
    found |= {"recall": a, "F_naive": naive, "F": F}
    return found | {"F_rel": (F - naive) / (1 - naive) if naive < 1 else nan}


def membership(data: Data, keys: Sequence[str], prevalence: float, beta: float, syntheses: Sequence[int] = ()) -> Row:
    """Return F, F_naive and F_rel of "these keys occur, so a member", means over syntheses: all, or these (2.4)."""
    each = [matches(data, keys, prevalence, beta, [i]) for i in syntheses or range(1, data.m + 1)]
    return {figure: mean([row[figure] for row in each]) for figure in ("F_naive", "F", "F_rel")}
