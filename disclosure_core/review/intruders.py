"""Several intruders in one review: named key sets that are added, copied, renamed, removed and chosen.

A neighbour, a colleague and somebody with a register know different things (docs/choosing-keys.md); every figure is of
one of them. What is excluded with a key waits while an intruder is looked at who does not know it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.review import parts
from disclosure_core.review.parts import KeySet

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.review.value import Review
    from disclosure_core.sensitivity.bounds import Bounds


def of_name(review: Review, name: str) -> KeySet:
    """Return the key set of an intruder."""
    names = [k.name for k in review.intruders]
    if name not in names:
        raise not_found("Intruder", name, "one of those in the review", names)
    return review.intruders[names.index(name)]


def chosen(review: Review, name: str) -> Review:
    """Return the review with its figures of another intruder."""
    return replace(review, intruder=of_name(review, name).name)


def with_keys(review: Review, keys: Iterable[str]) -> Review:
    """Return the review with the present intruder's keys in this order."""
    keys = tuple(keys)
    return _changed(review, replace(of_name(review, review.intruder), keys=keys))


def moved(review: Review, key: str, by: int) -> Review:
    """Return the review with one key of the present intruder `by` places later, or earlier where it is negative."""
    keys = [k for k in review.keys if k != key]
    if len(keys) == len(review.keys):
        raise not_found("Key", key, "one that this intruder knows", review.keys)
    keys.insert(max(0, review.keys.index(key) + by), key)
    return with_keys(review, keys)


def with_reason(review: Review, reason: str) -> Review:
    """Return the review with another reason for the present intruder."""
    return _changed(review, replace(of_name(review, review.intruder), reason=reason))


def added(review: Review, name: str, keys: Iterable[str] = ()) -> Review:
    """Return the review with one more intruder, who is the present one."""
    _usable(review, name)
    return replace(review, intruders=(*review.intruders, KeySet(name, tuple(keys))), intruder=name)


def copied(review: Review, name: str) -> Review:
    """Return the review with a copy of the present intruder under another name, with verdicts; the copy is present."""
    _usable(review, name)
    new = replace(of_name(review, review.intruder), name=name)
    verdicts = tuple(replace(v, intruder=name) for v in review.verdicts if v.intruder == review.intruder)
    stamps = tuple(replace(s, intruder=name) for s in review.reason_stamps if s.intruder == review.intruder)
    return replace(
        review,
        intruders=(*review.intruders, new),
        intruder=name,
        verdicts=(*review.verdicts, *verdicts),
        reason_stamps=(*review.reason_stamps, *stamps),
    )


def renamed(review: Review, name: str) -> Review:
    """Return the review with another name for the present intruder; verdicts go with it."""
    if name == review.intruder:
        return review
    _usable(review, name)
    old = review.intruder
    return replace(
        review,
        intruders=tuple(replace(k, name=name) if k.name == old else k for k in review.intruders),
        intruder=name,
        verdicts=tuple(replace(v, intruder=name) if v.intruder == old else v for v in review.verdicts),
        reason_stamps=tuple(replace(s, intruder=name) if s.intruder == old else s for s in review.reason_stamps),
    )


def removed(review: Review) -> Review:
    """Return the review without the present intruder and its verdicts; the one before it is present then."""
    if len(review.intruders) == 1:
        raise DisclosureError("A review needs an intruder: add another before this one goes.")
    names = [k.name for k in review.intruders]
    at = names.index(review.intruder)
    rest = (*review.intruders[:at], *review.intruders[at + 1 :])
    return replace(
        review,
        intruders=rest,
        intruder=rest[max(0, at - 1)].name,
        verdicts=tuple(v for v in review.verdicts if v.intruder != review.intruder),
        reason_stamps=tuple(s for s in review.reason_stamps if s.intruder != review.intruder),
    )


def with_bounds(review: Review, bounds: Bounds) -> Review:
    """Return the review with other bounds on what the strongest intruder with the present keys may know."""
    return _changed(review, replace(review.knows, bounds=bounds))


def restricted(review: Review, study: AnyStudy) -> tuple[Review, tuple[str, ...]]:
    """Return the review without what `study` does not have, and a sentence for each thing dropped.

    A pair whose key level only another intruder's groups have is not dropped: it waits for that intruder.
    """
    mine, waiting = review.knows, dict(review.knows.others_levels)
    others = [k for k in review.intruders if k.name != mine.name]
    for key in mine.keys:
        n = review.grouping.get(key, 0)
        if key not in study.columns or all(
            key not in k.keys or k.grouping(review.groups).get(key, 0) == n for k in others
        ):
            continue
        labels = set(study.grouped(key, n)[0].labels)
        named = {p.key_level for _, pairs in review.settings.exclusions.pairs for p in pairs if p.key == key}
        if strange := named - labels:
            waiting[key] = tuple(sorted({*waiting.get(key, ()), *strange}))
    if waiting != mine.others_levels:
        review = _changed(review, replace(mine, others_levels=waiting))
    settings, dropped = restrict_to_study(study, review.settings)
    return (review if settings == review.settings else review.with_settings(settings)), dropped


def free_name(review: Review, wanted: str) -> str:
    """Return `wanted`, with a number where it is taken."""
    return parts.free_name(wanted, {k.name for k in review.intruders})


def _changed(review: Review, new: KeySet) -> Review:
    return replace(review, intruders=tuple(new if k.name == new.name else k for k in review.intruders))


def _usable(review: Review, name: str) -> None:
    if not name.strip():
        raise DisclosureError("Give the intruder a name, such as: a neighbour.")
    if name in {k.name for k in review.intruders}:
        raise DisclosureError(f"There is an intruder called {name!r} already; give this one another name.")
