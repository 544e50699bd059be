"""The card of the chosen target: its figure, whether it could be guessed, and levels and pairs that can be excluded.

`shows` is all that `assets/parts/card.js` is told; `act` does what a person did there, if it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

from disclosure_core import Exclusions, Pair, TargetRisk
from disclosure_core.conclusions import guess
from disclosure_core.counting.checks import OneWayCheck, by_level
from disclosure_core.review import reasons
from disclosure_core.rounding import compare, fixed, percent, plain, quantity, rounded, visible
from pages.review import pairs
from pages.review.bench import mark, mean, mean_records, short
from pages.shared import show
from pages.shared.looked_at import PAIRS

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from pages.shared.open_review import Session

MEAN = "mean"
"""What is chosen where all syntheses are looked at as their mean."""


def act(s: Session, asked: dict[str, Any]) -> None:
    """Do what a person did in the card of a target: exclude, give or confirm a reason, look at one synthesis."""
    target = asked.get("target")
    found = s.now.assessment()
    if not isinstance(target, str) or target not in found.targets:
        return
    cells = found.targets[target].counted[0].cells
    out = s.settings.exclusions
    match asked:
        case {"pairs": list(listed), "on": bool(on)}:
            keys = {column.name: column for column in cells.keys.keys}
            some = [pair for pair in map(_pair, listed) if pair is not None and _is_there(pair, keys, cells.column)]
            if some:
                others = [pair for pair in out.pairs_of(target) if pair not in some]
                change(s, out.with_pairs(target, [*others, *some] if on else others))
        case {"level": str(level), "on": bool(on)} if level in cells.column.labels:
            rest = [each for each in out.levels_of(target) if each != level]
            change(s, out.with_levels(target, [*rest, level] if on else rest))
        case {"level": str(level), "on": True}:
            s.messages += (f"{level!r} is no level of {target!r}: choose one from the list.",)
        case {"missing": bool(on)}:
            change(s, out.with_missing_target(target, on))
        case {"why": str(name), "text": str(text)} if name in out.names_of(target):
            s.write("reasons", name, text)
        case {"confirm": str(name)} if name in s.now.reasons_to_confirm():
            s.change(reasons.confirmed(s.now, name))
        case {"synthesis": int(i)} if type(i) is int and 0 <= i < len(found.n_synthetic):
            s.synthesis = i
        case {"synthesis": "mean"}:
            s.synthesis = None
        case {"more": True}:
            s.pairs_shown += 4 * PAIRS
        case {"records": dict(levels)}:
            known = {column.name: column for column in (*cells.keys.keys, cells.column)}
            if all(name in known and level in known[name].labels for name, level in levels.items()):
                s.narrowed, s.to_records = dict(levels), True


def change(s: Session, out: Exclusions) -> None:
    """Exclude something else; what cannot be excluded is said."""
    with s.telling():
        s.ask(replace(s.settings, exclusions=out))


def _pair(said: object) -> Pair | None:
    return Pair(*said) if isinstance(said, list) and [*map(type, said)] == [str, str, str] else None


def _is_there(pair: Pair, keys: Mapping[str, Variable], column: Variable) -> bool:
    return pair.key in keys and pair.key_level in keys[pair.key].labels and pair.target_level in column.labels


def shows(s: Session, target: str, full: TargetRisk, judged: TargetRisk, now: TargetRisk) -> dict[str, Any]:
    """Return all that the card shows of one target, worded and rounded.

    Parameters
    ----------
    target
        Its name.
    full, judged, now
        With nothing excluded; with what is excluded for a reason; with all that is excluded.
    """
    m, out = len(full.counted), s.settings.exclusions
    if s.synthesis is not None and s.synthesis >= m:
        s.synthesis = None
    alone = full if s.synthesis is None else full.only(s.synthesis)
    of_judged, of_now = (each if s.synthesis is None else each.only(s.synthesis) for each in (judged, now))
    asks = s.now.reasons_to_confirm()

    def reason(name: str) -> dict[str, str]:
        waits = asks.get(name, "")
        return {"reason": s.review.reasons.get(name, ""), "asks": f"Reason {visible(waits)}." if waits else ""}

    levels = _levels(full, now, out.levels_of(target), reason)
    return {
        "target": target,
        "title": visible(s.named(target)),
        "syntheses": []
        if m == 1
        else [[MEAN, f"mean of {m} syntheses"], *([i, f"synthesis {i + 1}"] for i in range(m))],
        "synthesis": MEAN if s.synthesis is None else s.synthesis,
        "lists": s.now.study().lists_records,
        "bar": bar(alone, of_judged, of_now),
        "guess": guessed(full, excluded=now.left_out != Exclusions()),
        "one_way": {
            "rows": levels,
            "head": _levels_head(levels),
            "none": "" if any(each["flagged"] for each in levels) else _none_flagged(now),
            **_further_levels(full, levels),
        },
        "missing": _missing(s, target, full, reason),
        "pairs": pairs.shows(full, now, out, reason, s.pairs_shown),
        "used": list(reasons.used(s.review)),
    }


def bar(full: TargetRisk, judged: TargetRisk, now: TargetRisk) -> dict[str, Any]:
    """Return the people of the original, nested: keys found, one answer only, right; and what an exclusion takes."""
    n = judged.counted[0].cells.n_original
    steps = [("people", 100.0), *((words, mean(judged, name)) for words, name in STEPS)]
    was, is_now, preview = (mean(each, "DiSCO") for each in (full, judged, now))
    also = mean(judged, "DiSDiO")
    said = "; ".join(f"{words} {mean_records(share * n / 100)}" for words, share in steps)
    figure = percent(short(is_now))
    return {
        "n": n,
        "steps": [[words, rounded(share, 3), mean_records(share * n / 100)] for words, share in steps],
        "also": [rounded(also, 3), f"{mean_records(also * n / 100)} by the original, too"],
        "preview": None if preview == is_now else [rounded(preview, 3), f"Preview {percent(short(preview))}"],
        "figure": figure,
        "moved": "" if was == is_now else f"{short(was)} → {figure}",
        "waits": _waits(preview, is_now),
        "words": f"DiSCO {figure}. {said}; {mean_records(also * n / 100)} of them disclosed by the original, too.",
    }


STEPS = (("keys found", "iS"), ("one answer only", "DiS"), ("right", "DiSCO"))


def _waits(preview: float, judged: float) -> str:
    if preview == judged:
        return ""
    return (
        f"Preview, with all that is excluded: {percent(short(preview))}; "
        f"judged is {percent(short(judged))}, until each exclusion has a reason."
    )


def guessed(full: TargetRisk, *, excluded: bool) -> dict[str, Any]:
    """Return what the claims are worth beside a guess for the same people, nothing excluded."""
    found = full.beyond_guess
    marks = {"right": found.claims_right, "best": found.best_guess, "chance": found.chance}
    if any(map(isnan, marks.values())):
        return {"words": guess.sentence(found), "marks": None, "better": ""}
    points = found.claims_right - found.best_guess
    worth = {
        guess.Standing.ABOVE: f"{short(points)} points better than one guess",
        guess.Standing.BELOW: f"{short(-points)} points worse than one guess",
    }.get(guess.standing(found.every), "no better than one guess")
    level = visible(show.level(found.best_level))
    return {
        "words": visible(guess.sentence(found)),
        "better": f"{worth}, before exclusions" if excluded else worth,
        "claims": f"of {mean_records(found.every.claims)} claims, %",
        "marks": {
            "chance": [*mark(marks["chance"]), f"chance {short(marks['chance'])}"],
            "best": [*mark(marks["best"]), f"everybody “{level}” {short(marks['best'])}"],
            "right": [*mark(marks["right"]), f"claims right {short(marks['right'])}"],
        },
    }


def _levels(
    full: TargetRisk, now: TargetRisk, out: Collection[str], reason: Callable[[str], dict[str, str]]
) -> list[dict[str, Any]]:
    """Return a row a level of the target: those that the 1-way check finds, and those excluded."""
    still = by_level(now.one_way)
    checks = by_level(full.one_way) | still
    return [
        {
            "level": level,
            "label": f"Exclude {visible(show.level(level))}",
            "on": level in out,
            "flagged": level in still,
            "words": _flagged(checks[level], len(full.one_way)) if level in checks else "",
            "exclusion": f"{full.target} = {level}",
            **reason(f"{full.target} = {level}"),
        }
        for level in (*checks, *(each for each in out if each not in checks))
    ]


OTHERS = 200
"""Levels without a row that are listed; of a target with more, the others can be typed."""


def _further_levels(full: TargetRisk, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the levels that have no row, each as it is shown and as it is called, and whether there are more."""
    known = {row["level"] for row in rows}
    rest = [level for level in full.counted[0].cells.column.levels if level not in known]
    listed = [{"level": level, "label": visible(show.level(level))} for level in rest[:OTHERS]]
    return {"others": listed, "cut": len(rest) > OTHERS}


def _flagged(checks: Mapping[int, OneWayCheck], m: int) -> str:
    """Return what a level carries in the first synthesis that flags it, how many do, and who would guess it."""
    first, check = next(iter(checks.items()))
    where = f" in synthesis {first}, flagged in {len(checks)} of {m}" if m > 1 else ""
    half = compare(check.pct_of_all, 50) == 0
    wrong = f"for {'half of the' if half else 'most'} people it would be a wrong guess"
    return (
        f"{check.n_disclosive_level:,} of {check.n_disclosive:,} disclosive records "
        f"({percent(fixed(check.pct_disclosive, 1))}){where}; {percent(fixed(check.pct_of_all, 1))} of all have it: "
        f"{'many would guess it' if check.guessable else wrong}"
    )


def _levels_head(levels: Sequence[Mapping[str, Any]]) -> str:
    n = sum(each["flagged"] for each in levels)
    return f"{quantity(n, 'level') if n else 'none'} flagged (1-way)"


def _none_flagged(risk: TargetRisk) -> str:
    """Say that the 1-way check flags no level, and what it would flag."""
    fewest, share = map(plain, risk.thresholds.one_way)
    so = "After exclusions, no" if risk.left_out != Exclusions() else "No"
    records = "record" if fewest == "1" else "records"
    return (
        f"{so} 1-way flag: no level has more than {fewest} {records} and more than {percent(share)} of those that "
        "DiSCO counts."
    )


def _missing(
    s: Session, target: str, full: TargetRisk, reason: Callable[[str], dict[str, str]]
) -> dict[str, Any] | None:
    """Return the row of the target's missing values; None where it has none, and none are excluded."""
    column, out = full.counted[0].cells.column, s.settings.exclusions
    on = target in out.missing_targets
    if not on and not column.has_missing:
        return None
    of_data = s.now.study().columns[target]
    declared = ", ".join(visible(of_data.label(code)) for code in of_data.missing_levels)
    words = f"with {declared}" if declared else ""
    return {
        "label": "Exclude missing values",
        "on": on,
        "words": words,
        "exclusion": f"{target} missing",
        **reason(f"{target} missing"),
    }
