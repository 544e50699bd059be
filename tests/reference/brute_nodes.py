"""The strongest intruder, over dictionaries and loops; shares no code with the core.

Records are dicts, column -> value. Slow on purpose.
"""

from __future__ import annotations

from collections import Counter


def seen(record, node, keys, known):
    """Return what is known of a record's keys at a node; `known` gives a value at every level, finest first."""
    return tuple(known(key, record[key])[level] for key, level in zip(keys, node, strict=True))


def largest(nodes, keys, known, original, synthetic, target=None, counts=lambda record: True):
    """Return the largest figure over some nodes, %: repU, or of a target DiSCO, of the people that `counts` takes."""
    best = 0.0
    for node in nodes:
        total = 0
        for side in synthetic:
            if target is None:
                mine, theirs = (Counter(seen(r, node, keys, known) for r in each) for each in (original, side))
                total += sum(n == 1 and theirs[q] == 1 for q, n in mine.items())
                continue
            says = {}
            for r in side:
                says.setdefault(seen(r, node, keys, known), set()).add(r[target])
            total += sum(counts(r) and says.get(seen(r, node, keys, known)) == {r[target]} for r in original)
        best = max(best, 100 * total / len(original) / len(synthetic))
    return best
