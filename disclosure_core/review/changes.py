"""What a change of a review is called, for undo: "excluded “No” of abroad"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.review.parts import ReasonStamp
    from disclosure_core.review.value import Review

_NAMES = {
    "thresholds": "the thresholds of the checks",
    "tau": "the threshold τ",
    "scenarios": "the scenarios",
    "hierarchies": "the hierarchies",
}
_MOST = 3
"""So many names are listed before the rest is counted."""

WORDS = frozenset({"reasons", "reason_stamps", "about", "assumptions", "answered"})
"""Parts that are texts of the officer's own, which undo leaves as they are; a stamp goes with its text."""


BENCH = ("exclusions", "verdicts", "sets", *_NAMES)
"""Parts that are decided on the bench: undo there takes these back, and nothing else. Sets change by adopting alone."""

ROLES = frozenset({"intruders", "targets", "groups"})
"""Parts that say what each column is: a key, a target or neither, and in which groups; undo takes them back as well."""

COLUMNS = ("types", "mends", "missing_texts", "missing_codes", "numbers")
"""Parts of the review's columns that say how values are read; undo takes them back, and what changed with them."""

_WITH_SETS = frozenset({"synthesis_set", "chain", "chains", "released"})
"""Parts that change with the sets where safeguards are adopted, or given up."""


def name_of(before: Review, after: Review) -> str:
    """Return what a change is called that can be taken back, on the bench or of roles; empty where it is none.

    What adds an intruder or brings a codebook is none, and neither is a change of `WORDS` alone.
    """
    if changes_columns(before, after):
        return _columns(before, after)
    if changes_roles(before, after):
        return _roles(before, after)
    bounded = with_bounds_of(before, after)
    parts = [] if bounded == before else ["changed what the strongest intruder may know"]
    # A search is asked for again where its question changed: that is no change of its own.
    changed = {f.name for f in fields(before) if getattr(bounded, f.name) != getattr(after, f.name)} - {"searched"}
    if "sets" in changed:
        return _sets(before, after) if changed <= {*BENCH, *WORDS, *_WITH_SETS} else ""
    if not changed <= {*BENCH, *WORDS}:
        return ""
    if "exclusions" in changed:
        parts.append(_exclusions(before.exclusions, after.exclusions))
    if "verdicts" in changed:
        parts.append(_verdicts(before, after))
    if "reason_stamps" in changed and "reasons" not in changed:
        named = {s.name for s in {*before.reason_stamps} ^ {*after.reason_stamps}}
        parts.append(f"confirmed the reason for {_listed(sorted(named))}")
    return " and ".join([*parts, *(f"changed {name}" for part, name in _NAMES.items() if part in changed)])


def with_bounds_of(review: Review, other: Review) -> Review:
    """Return the review with the bounds that intruders of the same name have in another."""
    bounds = {k.name: k.bounds for k in other.intruders}
    return replace(review, intruders=tuple(replace(k, bounds=bounds.get(k.name, k.bounds)) for k in review.intruders))


def changes_roles(before: Review, after: Review) -> bool:
    """Return whether a change is of keys, targets or groups, and of what goes with them, and can be taken back."""
    names = [k.name for k in before.intruders]
    if names != [k.name for k in after.intruders] or _of_roles(before) == _of_roles(after):
        return False
    changed = {f.name for f in fields(before) if getattr(before, f.name) != getattr(after, f.name)}
    return changed <= {*ROLES, *BENCH, *WORDS, "searched"} - {"sets"}


def changes_columns(before: Review, after: Review) -> bool:
    """Return whether a change is of how columns are read, and of what goes with that, and can be taken back."""
    names = [k.name for k in before.intruders]
    if names != [k.name for k in after.intruders] or before.columns.codebook != after.columns.codebook:
        return False
    changed = {f.name for f in fields(before) if getattr(before, f.name) != getattr(after, f.name)}
    of_columns = {"columns", "really_different"}
    return bool(changed & of_columns) and changed <= {*ROLES, *BENCH, *WORDS, *of_columns, "searched"} - {"sets"}


def columns_back(now: Review, to: Review) -> Review:
    """Return `now` with columns read as in `to`; a codebook stays as it is now."""
    columns = replace(now.columns, **{part: getattr(to.columns, part) for part in COLUMNS})
    return replace(now, columns=columns, really_different=to.really_different)


def _columns(before: Review, after: Review) -> str:
    """Return what a change of columns is called: "read age as category", "mended job"."""
    was, now = before.columns, after.columns

    def changed(part: str) -> list[str]:
        old, new = getattr(was, part), getattr(now, part)
        return [name for name in {**old, **new} if old.get(name) != new.get(name)]

    no_answer = dict.fromkeys(name for part in ("missing_texts", "missing_codes", "numbers") for name in changed(part))
    mended = changed("mends")
    back = all(len(now.mends.get(name, ())) < len(was.mends.get(name, ())) for name in mended)
    differ = sorted(
        {c for names in before.really_different.values() for c in names}
        ^ {c for names in after.really_different.values() for c in names}
    )
    parts = [
        *(f"read {name} as {now.types.get(name, 'in the file')}" for name in changed("types")),
        *([f"{'took back the mend of' if back else 'mended'} {_listed(mended)}"] if mended else []),
        *([f"changed what is no answer in {_listed(no_answer)}"] if no_answer else []),
        *([f"changed whether {_listed(differ)} really differ{'s' * (len(differ) == 1)}"] if differ else []),
    ]
    return " and ".join(parts) or "changed how columns are read"


def roles_back(now: Review, to: Review) -> Review:
    """Return `now` with the keys, targets and groups of `to`; the intruders are those of now."""
    of = {k.name: k for k in to.intruders}
    intruders = tuple(
        replace(k, keys=of[k.name].keys, groups=of[k.name].groups, others_levels=of[k.name].others_levels)
        if k.name in of
        else k
        for k in now.intruders
    )
    return replace(now, intruders=intruders, targets=to.targets, groups=to.groups)


def _of_roles(review: Review) -> tuple[object, ...]:
    return [(k.keys, k.groups) for k in review.intruders], review.targets, review.groups


def _roles(before: Review, after: Review) -> str:
    """Return what a change of roles is called: "removed the key age"."""
    removed, added = ([k for k in one.keys if k not in other.keys] for one, other in ((before, after), (after, before)))
    parts = [
        f"{did} the key{'s' * (len(names) > 1)} {_listed(names)}"
        for did, names in (("removed", removed), ("added", added))
        if names
    ]
    if not parts and before.keys != after.keys:
        parts.append("changed the order of the keys")
    if not parts and before.targets != after.targets:
        was, now = (None if r.targets is None else {*r.targets} for r in (before, after))
        gone = () if was is None or now is None else sorted(was - now)
        new = () if was is None or now is None else sorted(now - was)
        parts.append(
            f"left {_listed(gone)} out"
            if gone and not new
            else f"counted {_listed(new)} as a target again"
            if new and not gone
            else "changed the targets"
        )
    if not parts:
        parts.append("changed the groups")
    others = (f"changed {name}" for part, name in _NAMES.items() if getattr(before, part) != getattr(after, part))
    return " and ".join([*parts, *others])


def stamps_back(now: Review, to: Review) -> tuple[ReasonStamp, ...]:
    """Return the stamps of reasons when `now` is taken back to `to`: those of a text written since stay with it."""
    rewritten = {name for name, text in now.reasons.items() if to.reasons.get(name, "") != text}
    rewritten |= to.reasons.keys() - now.reasons.keys()
    return (
        *(s for s in to.reason_stamps if s.name not in rewritten),
        *(s for s in now.reason_stamps if s.name in rewritten),
    )


def with_reason_of(now: Review, to: Review, name: str) -> Review:
    """Return `now` with the reason that `to` has for a column, and with its stamp."""
    reasons = {**now.reasons, name: to.reasons.get(name, "")}
    if name not in to.reasons:
        del reasons[name]
    stamps = (*(s for s in now.reason_stamps if s.name != name), *(s for s in to.reason_stamps if s.name == name))
    return replace(now, reasons=reasons, reason_stamps=stamps)


def adopting_back(now: Review, to: Review) -> Review:
    """Return `to` speaking of a set that is among its own, with the safeguards that go with it; others stay as now."""
    if now.sets == to.sets:
        return replace(to, synthesis_set=now.synthesis_set, chains=now.chains, chain=now.chain, released=now.released)
    before, names = {s.name for s in now.sets}, {c.name for c in now.chains}
    adopted = {s.origin.chain for s in to.sets if s.origin is not None and s.name not in before}
    here = tuple(c for c in now.chains if c.name not in adopted)
    chains = (*here, *(c for c in to.chains if c.name not in names))
    return replace(to, chains=chains, chain=to.chain if to.chain in {c.name for c in chains} else "")


def _sets(before: Review, after: Review) -> str:
    """Return what adopting, or giving up, is called: "adopted 'coarser'"."""
    was, now = ({s.name for s in review.sets if s.origin is not None} for review in (before, after))
    new, gone = sorted(now - was), sorted(was - now)
    if len(new) == 1 and not gone:
        return f"adopted {new[0]!r}"
    return f"gave up {gone[0]!r}" if len(gone) == 1 and not new else ""


def _verdicts(before: Review, after: Review) -> str:
    """Return what a change of verdicts is called: "verdict on abroad"."""
    new = [v for v in after.verdicts if v not in before.verdicts]
    gone = {(v.synthesis_set, v.intruder, v.target): v for v in before.verdicts if v not in after.verdicts}
    if not new:
        names = [v.target for v in gone.values()]
        return f"took the verdict on {names[0]} back" if len(names) == 1 else "changed verdicts"
    name = new[0].target if len(new) == 1 else f"{len(new)} targets"
    old = [gone.get((v.synthesis_set, v.intruder, v.target)) for v in new]
    pairs = [(v, o) for v, o in zip(new, old, strict=True) if o is not None and o.verdict == v.verdict]
    if len(pairs) < len(new):
        return f"verdict on {name}"
    if all(v.reason == o.reason for v, o in pairs):
        return f"confirmed the verdict on {name}"
    return f"gave {'another' if any(o.reason for _, o in pairs) else 'a'} reason for the verdict on {name}"


def _exclusions(before: Exclusions, after: Exclusions) -> str:
    was, now = _parts(before), _parts(after)
    added, removed = [name for name in now if name not in was], [name for name in was if name not in now]
    if before.denominator_limit != after.denominator_limit and not added and not removed:
        limit = after.denominator_limit
        return "removed the denominator limit" if limit is None else f"limited denominators to {limit:,}"
    if added and not removed:
        return f"excluded {_listed(added)}"
    if removed and not added:
        return f"counted {_listed(removed)} again"
    return "changed the exclusions"


def _parts(exclusions: Exclusions) -> list[str]:
    """Return each exclusion but the denominator limit in words."""
    return [
        *(f"“{level}” of {target}" for target, levels in exclusions.target_levels for level in levels),
        *(f"missing values of {name}" for name in sorted(exclusions.missing_targets)),
        *(f"missing values of the key {name}" for name in sorted(exclusions.missing_keys)),
        *(
            f"“{p.target_level}” of {target} with {p.key} “{p.key_level}”"
            for target, ps in exclusions.pairs
            for p in ps
        ),
    ]


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more:,} more" if more > 0 else "")
