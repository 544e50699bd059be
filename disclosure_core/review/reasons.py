"""Which exclusions have a reason: only these move a figure that a limit judges; and whether the reason still fits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.conclusions.standing import asks, fits
from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.review.parts import ReasonStamp

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

OF_ALL = ("missing keys", "denominators")
"""Exclusions that act on every target, as a reason names them: `Exclusions.names_of_all`."""


def reason_of(reasons: Mapping[str, str], *names: str) -> str:
    """Return the reason under the first of `names` that has one; empty where none has."""
    return next((reasons[n].strip() for n in names if reasons.get(n, "").strip()), "")


def with_reason(out: Exclusions, reasons: Mapping[str, str]) -> Exclusions:
    """Return the exclusions that have a reason: of their own, or that of their target."""

    def kept(target: str, name: str) -> bool:
        return bool(reason_of(reasons, name, target))

    return replace(
        out,
        target_levels={t: [v for v in levels if kept(t, f"{t} = {v}")] for t, levels in out.target_levels},
        missing_targets=frozenset(t for t in out.missing_targets if kept(t, f"{t} missing")),
        missing_keys=out.missing_keys if reason_of(reasons, "missing keys") else frozenset(),
        pairs={
            t: [p for p in pairs if kept(t, f"{p.key} = {p.key_level}, {t} = {p.target_level}")]
            for t, pairs in out.pairs
        },
        denominator_limit=out.denominator_limit if reason_of(reasons, "denominators") else None,
    )


def idle(asked: Settings, columns: Sequence[str]) -> str | None:
    """Return which exclusion or grouping is of a column that is neither key nor target; None where there is none."""
    moving = set(names(asked.left_out))
    if lost := [name for name in names(asked.exclusions) if name not in moving]:
        return (
            f"The exclusion {lost[0]!r} moves no figure: its column is not among the targets; name it as a target, or "
            "remove the exclusion."
        )
    used = {*asked.keys, *(columns if asked.targets is None else asked.targets)}
    if groups := [name for name, _ in asked.groups if name in columns and name not in used]:
        return (
            f"Grouping {groups[0]!r} moves no figure: it is neither key nor target; name it as one, or do not group it."
        )
    return None


def names(out: Exclusions) -> tuple[str, ...]:
    """Return what each exclusion is called, those of every target first."""
    return (*out.names_of_all, *(name for target in _targets(out) for name in out.names_of(target)))


def is_excluded(out: Exclusions, name: str) -> bool:
    """Return whether something is excluded under the name of a reason: an exclusion, or a target with one."""
    return name in {*names(out), *_targets(out)}


def without_reason(out: Exclusions, reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the exclusions are called that have no reason."""
    kept = set(names(with_reason(out, reasons)))
    return tuple(name for name in names(out) if name not in kept)


def left_out(out: Exclusions, reasons: Mapping[str, str], target: str) -> tuple[tuple[str, str], ...]:
    """Return what is excluded from one target's figures, each with its reason."""
    own = ((name, reason_of(reasons, name, target)) for name in out.names_of(target))
    return (*((name, reason_of(reasons, name)) for name in out.names_of_all), *own)


def exclusions_alone(out: Exclusions, target: str) -> dict[str, Exclusions]:
    """Return each exclusion of one target alone, by its name."""
    alone = [
        *(Exclusions(target_levels={target: (level,)}) for level in out.levels_of(target)),
        *([Exclusions(missing_targets=frozenset({target}))] if target in out.missing_targets else []),
        *(Exclusions(pairs={target: (pair,)}) for pair in out.pairs_of(target)),
    ]
    return dict(zip(out.names_of(target), alone, strict=True))


def records_taken(found: Assessment, name: str) -> float | None:
    """Return how many disclosive records the exclusion of a name takes alone, mean over the syntheses.

    Parameters
    ----------
    found
        With what is excluded.
    name
        Of an exclusion; of a target, for all its exclusions; "missing keys" or "denominators", of all targets.

    Returns
    -------
    float or None
        None where nothing of this name is excluded.
    """
    out = found.left_out
    acts: dict[str, Exclusions] = {}
    for target in found.targets:
        own = exclusions_alone(out, target)
        if own and name == target:
            acts[target] = replace(out.of(target), missing_keys=frozenset(), denominator_limit=None)
        elif name in own:
            acts[target] = own[name]
    if name in out.names_of_all:
        all_of = {
            "missing keys": Exclusions(missing_keys=out.missing_keys),
            "denominators": Exclusions(denominator_limit=out.denominator_limit),
        }
        acts = dict.fromkeys(found.targets, all_of[name])
    if not acts:
        return None
    counts = []
    for target, alone in acts.items():
        for one in found.targets[target].counted:
            at = one.cells.disclosive_synthetic
            counts.append(int(one.cells.d[at].sum()) - int(one.cells.counted(alone).d[at].sum()))
    return float(np.sum(counts) / len(found.n_synthetic))


def written(opened: Opened, name: str, text: str) -> Review:
    """Return the review with a reason, given for what the exclusion takes now, of every intruder."""
    review = replace(opened.review, reasons={**opened.review.reasons, name: text})
    return confirmed(opened.with_review(review), name) if text.strip() else _with_stamps(review, {name}, ())


def written_for(opened: Opened, names: Iterable[str], text: str) -> Review:
    """Return the review with one reason for several exclusions, each given for what it takes now."""
    for name in names:
        opened = opened.with_review(written(opened, name, text))
    return opened.review


def used(review: Review) -> tuple[str, ...]:
    """Return the last three reasons given for exclusions before, each once, the last first."""
    keys = {key for intruder in review.intruders for key in intruder.keys}
    texts = (text.strip() for name, text in reversed([*review.reasons.items()]) if name not in keys)
    return tuple(dict.fromkeys(filter(None, texts)))[:3]


def confirmed(opened: Opened, name: str) -> Review:
    """Return the review with a reason given again as it is, for what the exclusion takes now."""
    of = opened.first_set
    now = ((k.name, _taken_of(opened, k.name, of, name)) for k in opened.review.intruders)
    stamps = [ReasonStamp(of, intruder, name, records) for intruder, records in now if records is not None]
    return _with_stamps(opened.review, {name}, stamps, of)


def to_confirm(opened: Opened, synthesis_set: str = "", intruder: str = "") -> dict[str, str]:
    """Return, by name, what is to be said of each reason that was given for another number of records."""
    review = opened.review
    of, whom = synthesis_set or opened.first_set, intruder or review.intruder
    found = {}
    for stamp in review.reason_stamps:
        if (stamp.synthesis_set, stamp.intruder) == (of, whom) and review.reasons.get(stamp.name, "").strip():
            now = _taken_of(opened, whom, of, stamp.name)
            if now is not None and not fits(stamp.records, now):
                found[stamp.name] = asks(stamp.records, now)
    return found


def kept_to_confirm(opened: Opened, synthesis_set: str | None = None) -> dict[str, str]:
    """Return the same for the intruder that figures speak of; it is kept while what it was made of stays."""
    name, review = synthesis_set or opened.first_set, opened.review
    return opened.once(
        "reasons",
        opened.set_key(name),
        name,
        review.columns,
        review.settings.to_json(),
        repr(review.reason_stamps),
        dict(review.reasons),
        dict(review.really_different),
        make=lambda: to_confirm(opened, name),
    )


def reasons_printed(opened: Opened, synthesis_set: str = "", intruder: str = "") -> dict[str, str]:
    """Return the reasons as a record of the office prints them: what is to be confirmed stands with each."""
    waiting = to_confirm(opened, synthesis_set, intruder)
    reasons = opened.review.reasons
    return {name: f"{text.strip()} ({waiting[name]})" if name in waiting else text for name, text in reasons.items()}


def _taken_of(opened: Opened, intruder: str, synthesis_set: str, name: str) -> float | None:
    asked = opened.of_intruder(intruder, synthesis_set=synthesis_set)
    return records_taken(asked.assessment(None, synthesis_set), name) if asked.can_learn(synthesis_set) else None


def _with_stamps(
    review: Review, names: Collection[str], stamps: Iterable[ReasonStamp], synthesis_set: str = ""
) -> Review:
    """Return the review with other stamps of some reasons, of one set or of all."""
    others = (
        s for s in review.reason_stamps if s.name not in names or (synthesis_set and s.synthesis_set != synthesis_set)
    )
    return replace(review, reason_stamps=(*others, *stamps))


def _targets(out: Exclusions) -> Iterable[str]:
    found = {t for t, levels in out.target_levels if levels} | set(out.missing_targets)
    return sorted(found | {t for t, pairs in out.pairs if pairs})
