"""What lies beyond the paper's measures, over dictionaries and loops; shares no code with the core.

Records are dicts of texts, column -> text or None; None is missing. Slow on purpose.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations


def q_of(record, keys):
    return tuple(record[k] for k in keys)


def excluded(record, keys, target, out, limit_counts):
    """Whether an exclusion takes the record's cell in the table that `limit_counts` counts."""
    level = record[target]
    return (
        (level is not None and level in out["levels"])
        or (out["missing_target"] and level is None)
        or any(record[k] is None for k in out["missing_keys"] if k in keys)
        or any(k in keys and record[k] == key_level and level == tl for k, key_level, tl in out["pairs"])
        or (out["limit"] is not None and limit_counts[q_of(record, keys), level] > out["limit"])
    )


def cells_of(records, keys, target):
    return Counter((q_of(r, keys), r[target]) for r in records)


def disclosed(record, synthetic, keys, target):
    """Whether the synthetic records with these keys all have this person's target level, and there are some."""
    levels = {r[target] for r in synthetic if q_of(r, keys) == q_of(record, keys)}
    return levels == {record[target]}


def with_themselves(record, training, keys, target, *, members):
    """The training records by cell, the person's own among them: a non-member's is added."""
    d = cells_of(training, keys, target)
    return d if members else d + Counter([(q_of(record, keys), record[target])])


def correct(people, training, synthetic, keys, target, out, *, members):
    """Who of `people` DiSCO counts: a list of truths. Cells are limited by the training records and the person."""
    return [
        disclosed(r, synthetic, keys, target)
        and not excluded(r, keys, target, out, with_themselves(r, training, keys, target, members=members))
        for r in people
    ]


def shares(people, training, synthetic, keys, target, out, *, members):
    """What DCAP counts of each of `people`: the share of synthetic records with the keys that have the level."""
    s = cells_of(synthetic, keys, target)
    left = [r for r in synthetic if not excluded(r, keys, target, out, s)]
    found = []
    for r in people:
        same = [x for x in left if q_of(x, keys) == q_of(r, keys)]
        hits = sum(x[target] == r[target] for x in same)
        d = with_themselves(r, training, keys, target, members=members)
        counted = same and not excluded(r, keys, target, out, d)
        found.append(Fraction(hits, len(same)) if counted else Fraction(0))
    return found


def percent(values):
    return float(100 * Fraction(sum(values)) / len(values))


def replicated(people, training, synthetic, keys, missing_keys, *, members):
    """Who of `people` is unique among the training records and once in the synthetic data: a list of truths.

    A member is unique where no *other* training record has the keys, a non-member where none has them.
    """
    d, s = Counter(q_of(r, keys) for r in training), Counter(q_of(r, keys) for r in synthetic)
    return [
        d[q_of(r, keys)] == members
        and s[q_of(r, keys)] == 1
        and all(r[k] is not None for k in missing_keys if k in keys)
        for r in people
    ]


def matching(people, synthetic, keys):
    """How many of `people` have keys that occur in the synthetic data."""
    held = {q_of(r, keys) for r in synthetic}
    return sum(q_of(r, keys) in held for r in people)


def subsets(keys):
    return [c for n in range(1, len(keys) + 1) for c in combinations(keys, n)]


def tau_family(original, synthetic, keys, target, out, tau):
    """The pair (original, synthetic) in % of the original records: shares of at least tau, summed over the records."""
    found = []
    for source in (original, synthetic):
        counts = cells_of(source, keys, target)
        d = cells_of(original, keys, target)
        total = Fraction(0)
        for r in original:
            q, t = q_of(r, keys), r[target]
            everyone = sum(n for (other, _), n in counts.items() if other == q)
            if everyone and Fraction(counts[q, t], everyone) >= tau and not excluded(r, keys, target, out, d):
                total += Fraction(counts[q, t], everyone)
        found.append(float(100 * total / len(original)))
    return found


def together(original, syntheses, keys, target, out):
    """Shares in % of the original records that each, the pooled and any of the syntheses disclose or speak of."""
    d = cells_of(original, keys, target)
    named = [{} for _ in syntheses]
    for levels, side in zip(named, syntheses, strict=True):
        for x in side:
            levels.setdefault(q_of(x, keys), set()).add(x[target])
    found = Counter()
    for r in original:
        if excluded(r, keys, target, out, d):
            continue
        held = [levels.get(q_of(r, keys), set()) for levels in named]
        truth, pooled = {r[target]}, set().union(*held)
        found["every"] += all(levels == truth for levels in held)
        found["any"] += any(levels == truth for levels in held)
        found["pooled"] += pooled == truth
        found["any_claimed"] += any(len(levels) == 1 for levels in held)
        found["pooled_claimed"] += len(pooled) == 1
    names = ("every", "pooled", "any", "pooled_claimed", "any_claimed")
    return {name: float(Fraction(100 * found[name], len(original))) for name in names}


def together_by_keys(original, syntheses, keys, missing_keys):
    """Shares in % of the original records whose keys are unique there and in each, all or any of the syntheses."""
    d = Counter(q_of(r, keys) for r in original)
    s = [Counter(q_of(r, keys) for r in side) for side in syntheses]
    found = Counter()
    for r in original:
        q = q_of(r, keys)
        if d[q] == 1 and all(r[k] is not None for k in missing_keys if k in keys):
            counts = [side[q] for side in s]
            found["UiO"] += 1
            found["every"] += all(n == 1 for n in counts)
            found["pooled"] += sum(counts) == 1
            found["any"] += 1 in counts
    return {name: float(Fraction(100 * found[name], len(original))) for name in ("UiO", "every", "pooled", "any")}


def beyond_guess(original, syntheses, keys, target, out):
    """measures.md 10 of one target, claim by claim: the figures of those whom the exclusions leave.

    `out`: a dict of the five kinds of exclusion. Without a claim the gain is 0, and what has none is None.
    """
    n, m = len(original), len(syntheses)
    d = cells_of(original, keys, target)
    claims = []
    for j, synthetic in enumerate(syntheses):
        told = {}
        for r in synthetic:
            told.setdefault(q_of(r, keys), set()).add(r[target])
        for r in original:
            levels = told.get(q_of(r, keys), set())
            if len(levels) == 1 and not excluded(r, keys, target, out, d):
                claims.append((j, next(iter(levels)), r[target]))
    k, right = len(claims), sum(said == own for _, said, own in claims)
    whole = [
        t for t in {r[target] for r in original}
        if not ((t is None and out["missing_target"]) or (t is not None and t in out["levels"]))
    ]  # fmt: skip
    by_level = Counter(r[target] for r in original)
    most = max((by_level[t] for t in whole), default=0)
    common = {t for t in whole if by_level[t] == most}
    found = {
        "claims": k, "right": right, "common": common,
        "beyond": None if len(common) != 1 else Fraction(sum(s == o and s not in common for _, s, o in claims), n * m),
        "best": None, "best_share": None, "chance": None, "gain": Fraction(0), "kappa": None, "levels": {},
    }  # fmt: skip
    if k:
        true = Counter(own for *_, own in claims)
        expected = Fraction(0)
        for j in range(m):
            mine = [(said, own) for i, said, own in claims if i == j]
            # Every claim dealt to every person with a claim, one chance in so many.
            expected += sum(Fraction(1, len(mine)) for said, _ in mine for _, own in mine if said == own)
        found |= {
            "best": {t for t in true if true[t] == max(true.values())}, "best_share": Fraction(max(true.values()), k),
            "chance": expected / k, "gain": (right - expected) / (n * m),
            "kappa": None if expected == k else (right - expected) / (k - expected),
        }  # fmt: skip
    for t in {said for _, said, _ in claims}:
        mine = [own for _, said, own in claims if said == t]
        hits = sum(own == t for own in mine)
        if hits >= 3 * m:
            found["levels"][t] = (
                Fraction(len(mine), m), Fraction(hits, m), Fraction(hits, len(mine)), Fraction(by_level[t], n)
            )  # fmt: skip
    return found
