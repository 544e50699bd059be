"""Near misses of numbers, counted record by record over dictionaries, in fractions (measures.md 12)."""

from collections import Counter
from fractions import Fraction


def number(value, codes):
    """A record's number as a fraction; None where it has a level that is no number."""
    return None if value is None or value in codes else Fraction(str(value))


def claim(values, codes):
    """What records with the same keys say: ("number", low, high), ("level", value), or None."""
    numbers = [number(v, codes) for v in values]
    if not values:
        return None
    if all(n is not None for n in numbers):
        return "number", min(numbers), max(numbers)
    levels = {str(v) for v in values}
    return ("level", values[0]) if len(levels) == 1 else None


def allowed(amount, relative, centre):
    return amount * abs(centre) if relative else amount


def made(said, amount, relative):
    """Whether there is a claim."""
    if said is None or said[0] == "level":
        return said is not None
    _, low, high = said
    return high - low <= 2 * allowed(amount, relative, (low + high) / 2)


def right(said, value, codes, amount, relative):
    """Whether there is a claim, and it is right for a person with this value."""
    if not made(said, amount, relative):
        return False
    if said[0] == "level":
        return str(said[1]) == str(value)
    n, centre = number(value, codes), (said[1] + said[2]) / 2
    return n is not None and abs(n - centre) <= allowed(amount, relative, centre)


def by_keys(records, keys, target):
    held = {}
    for r in records:
        held.setdefault(tuple(r[k] for k in keys), []).append(r[target])
    return held


def near_misses(original, synthetic, keys, target, codes, amount, relative, excluded=lambda _: False):
    """DiS, DiSCO and Dorig in % of the original records."""
    says, own = ({q: claim(v, codes) for q, v in by_keys(side, keys, target).items()} for side in (synthetic, original))
    counts = [0, 0, 0]
    for r in original:
        if excluded(r):
            continue
        q = tuple(r[k] for k in keys)
        counts[0] += made(says.get(q), amount, relative)
        counts[1] += right(says.get(q), r[target], codes, amount, relative)
        counts[2] += made(own[q], amount, relative)
    return [100 * n / len(original) for n in counts]


def of_people(people, synthetic, keys, target, codes, amount, relative):
    """The share, in %, of any people for whom the claim is right."""
    says = by_keys(synthetic, keys, target)
    found = [
        right(claim(says.get(tuple(p[k] for k in keys), []), codes), p[target], codes, amount, relative) for p in people
    ]
    return 100 * sum(found) / len(people)


def best_guess(original, target, codes, amount, relative):
    """The share, in %, for whom the best single guess is right: among all centres of two values, and all levels."""
    values = [r[target] for r in original]
    numbers = [n for n in (number(v, codes) for v in values) if n is not None]
    levels = [str(v) for v in values if number(v, codes) is None]
    best = max((levels.count(level) for level in levels), default=0)
    held = Counter(numbers)
    furthest = max(map(abs, held), default=0)
    for v in held:
        # The best guess can be moved until a person stands at an end of what it allows.
        ends = [v - amount, v + amount] if not relative else [v]
        if relative:
            ends += [v / (1 + sign * amount) for sign in (1, -1) if 1 + sign * amount]
            ends += [sign * (abs(v) + furthest) * 10**6 for sign in (1, -1)]
        for c in ends:
            best = max(best, sum(k for n, k in held.items() if abs(n - c) <= allowed(amount, relative, c)))
    return 100 * best / len(original)
