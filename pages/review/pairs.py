"""The pairs of the 2-way check in the card of a target: a row each, which can be excluded, and what is said of all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disclosure_core import Exclusions, Pair, TargetRisk
from disclosure_core.export.tables import to_lines
from disclosure_core.rounding import beside_limit, percent, plain, quantity, rounded, visible
from pages.review.bench import mark, mean, mean_records, short
from pages.shared import show
from pages.shared.looked_at import PAIRS
from pages.shared.tables import number_of

if TYPE_CHECKING:
    from disclosure_core.counting.checks import ListedPair


def shows(
    full: TargetRisk, now: TargetRisk, out: Exclusions, reason: Callable[[str], dict[str, str]], most: int
) -> dict[str, Any]:
    """Return the rows of the pairs: largest lift first, those without lift apart, and what is said of all."""
    target, chosen = full.target, out.pairs_of(full.target)
    flagged, still = full.pairs_listed_beside(now), now.pairs_listed
    levels = set(out.levels_of(target))
    others = {pair: None for pair in chosen if pair not in flagged}
    n = full.counted[0].cells.n_original
    taken = _records_taken(full, chosen, flagged)
    in_order = sorted(flagged, key=lambda pair: -flagged[pair].lift)
    lifted = [pair for pair in in_order if _has_lift(flagged[pair])]
    alike = [pair for pair in in_order if not _has_lift(flagged[pair])]

    def row(pair: Pair) -> dict[str, Any]:
        name = f"{pair.key} = {pair.key_level}, {target} = {pair.target_level}"
        on, one = pair in chosen, flagged.get(pair)
        records = taken[pair] if on else one.records if one else 0.0
        covered = "" if on or records or one is None else _covered(pair, levels, chosen, full)
        made: dict[str, Any] = {
            "id": [pair.key, pair.key_level, pair.target_level],
            "key": visible(pair.key),
            "level": visible(show.level(pair.key_level)),
            "answer": visible(show.level(pair.target_level)),
            "on": on,
            "flagged": pair in still,
            "records": f"in {covered}" if covered else mean_records(records),
            "covered": bool(covered),
            "points": ("−" if on and records else "") + short(100 * records / n),
            "exclusion": name,
            **reason(name),
        }
        if one is not None:
            made |= {
                "people": f"{one.n_key_level:,}",
                "pct": mark(one.pct),
                "base": mark(one.pct_of_all),
                "lift": beside_limit(one.lift, 1, 1),
            }
        return made

    answers = list(dict.fromkeys(visible(show.level(pair.target_level)) for pair in alike))
    same = (
        f"all say {answers[0]}"
        if len(answers) == 1
        else f"they say {', '.join(answers[:3])}" + " …" * (len(answers) > 3)
    )
    shown = [pair for i, pair in enumerate(lifted) if i < most or pair in chosen]
    shown_alike = [pair for i, pair in enumerate(alike) if i < most or pair in chosen]
    hidden = len(lifted) - len(shown) + len(alike) - len(shown_alike)
    excluded = sum(pair in chosen for pair in alike)
    rows, same_share = [*map(row, shown), *map(row, others)], list(map(row, shown_alike))
    return {
        "rows": rows,
        "alike": same_share,
        "lines": _lines([*rows, *same_share]),
        "fold": f"{quantity(len(alike), 'pair')} without lift (1.0 or less): {same}"
        + (f"; {excluded} excluded" if excluded else "")
        if alike
        else "",
        "head": _head(len(flagged), len(still)),
        "none": "" if flagged else _no_pair(now),
        "more": f"Show {min(hidden, 4 * PAIRS):,} of {quantity(hidden, 'more pair')}" if hidden else "",
        "sum": _sum(full, now, len(chosen)),
        "several": len(full.counted) > 1,
    }


def _lines(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what of the pairs can be copied and downloaded: a line for each row, in their order."""
    columns: dict[str, list[Any]] = {
        "key": [row["id"][0] for row in rows],
        "level": [row["id"][1] for row in rows],
        "answer": [row["id"][2] for row in rows],
        "people with the level": [number_of(row.get("people", "")) for row in rows],
        "% with the answer": [row["pct"][0] if "pct" in row else None for row in rows],
        "% of all": [row["base"][0] if "base" in row else None for row in rows],
        "lift": [number_of(row.get("lift", "")) for row in rows],
        "records taken": [number_of(row["records"]) for row in rows],
        "DiSCO, points": [number_of(row["points"]) for row in rows],
        "excluded": ["yes" if row["on"] else "" for row in rows],
        "reason": [row["reason"] for row in rows],
    }
    return {"file": "pairs-confidential.csv", **to_lines(columns)}


def _has_lift(pair: ListedPair) -> bool:
    """Return whether the key level makes the answer more frequent, as one decimal shows it."""
    return rounded(pair.lift, 1) > 1


def _records_taken(full: TargetRisk, chosen: Sequence[Pair], flagged: Mapping[Pair, ListedPair]) -> dict[Pair, float]:
    """Return how many disclosive records each excluded pair takes alone, mean over the syntheses."""
    target, alone = full.target, full.pairs_listed
    rest = [pair for pair in chosen if pair not in flagged]
    found = {pair: alone[pair].records for pair in chosen if pair in flagged}
    for pair in rest:
        counts = [int(c.d[c.disclosed].sum()) for c in full.counted]
        left = [c.cells.counted(Exclusions(pairs={target: (pair,)})) for c in full.counted]
        found[pair] = sum(a - int(b.d[b.disclosed].sum()) for a, b in zip(counts, left, strict=True)) / len(left)
    return found


def _covered(pair: Pair, levels: Collection[str], chosen: Sequence[Pair], full: TargetRisk) -> str:
    """Return by what exclusion a pair takes no record any more."""
    if pair.target_level in levels:
        return visible(show.level(pair.target_level))
    by = next((other.key_level for other in chosen if pair in full.covered_by(other)), None)
    return "what is excluded" if by is None else visible(show.level(by))


def _head(flagged: int, still: int) -> str:
    if not flagged:
        return "no 2-way flag"
    now = "" if still == flagged else f"; {f'{still:,}' if still else 'none'} after exclusions"
    return f"{quantity(flagged, 'pair')} flagged (2-way){now}"


def _no_pair(risk: TargetRisk) -> str:
    """Say what the 2-way check would flag, where it flags nothing."""
    fewest, share = map(plain, risk.thresholds.two_way)
    records = "record" if fewest == "1" else "records"
    return (
        f"No pair is flagged (rule: more than {fewest} {records} in a cell, and more than {percent(share)} of people "
        "with that key level)."
    )


def _sum(full: TargetRisk, now: TargetRisk, n: int) -> str:
    if not n:
        return ""
    was, is_now = mean(full, "DiSCO"), mean(now, "DiSCO")
    moved = percent(short(was)) if was == is_now else f"{short(was)} → {percent(short(is_now))}"
    return f"{quantity(n, 'pair')} excluded; with all that is excluded: DiSCO {moved}"
