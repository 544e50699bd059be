"""The strongest intruder of a review: its hierarchies and bounds, and beside it people outside the data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.counting.settings import Settings, Thresholds
from disclosure_core.counting.subsets import Search as SubsetsTo
from disclosure_core.data.coarsenings import Coarsening, coarsenings
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.membership import membership, population_share
from disclosure_core.review import intruders
from disclosure_core.sensitivity.bounds import Bounds
from disclosure_core.sensitivity.node_search import Space
from disclosure_core.sensitivity.strongest_intruder import MEASURES, strongest_intruder, unlike_everywhere

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder

KIND = "strongest"
"""Under which its result is kept."""
_ALONE = "strongest_alone"


def searched(opened: Opened, progress: Progress | None = None) -> StrongestIntruder:
    """Return the strongest intruder within the review's bounds; what `progress` raises ends it.

    Raises
    ------
    DisclosureError
        As `strongest_intruder`.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from disclosure_core.data.hierarchies import Hierarchy
    >>> from disclosure_core.review.intruders import with_bounds
    >>> from disclosure_core.review.opening import start_demonstration
    >>> from disclosure_core.sensitivity.node_search import Bounds
    >>> opened = start_demonstration()
    >>> review = replace(opened.review, targets=("abroad",), hierarchies={"age": Hierarchy.bands(5, 10)})
    >>> bounded = with_bounds(review, Bounds(at_most=3, at_best={"age": "bands of 5"}))
    >>> found = opened.with_review(bounded).strongest_intruder()
    >>> found.of("DiSCO", "abroad")["knows"]
    'sex, age (bands of 5), region'
    """
    ready = opened.kept(_ALONE, *_inputs(opened))
    return opened.once(KIND, *_inputs(opened), make=lambda: _search(opened, progress) if ready is None else ready)


def finished(opened: Opened, progress: Progress | None = None) -> StrongestIntruder | None:
    """Return it where the review says that it was searched, made where it is not there; else None."""
    return searched(opened, progress) if KIND in opened.review.searched else None


def levels(opened: Opened, key: str) -> tuple[Coarsening, ...]:
    """Return the levels at which an intruder may know a key, from as it is to unknown."""
    review, study = opened.review, opened.study()
    hierarchy = review.hierarchies.get(key)
    if hierarchy is None:
        return coarsenings(study.grouped(key, review.grouping.get(key, 0))[0])
    return coarsenings(study.column(key), hierarchy, study.is_missing_code(key))


def levels_in_words(opened: Opened, key: str) -> str:
    """Return the levels of a key, each with how many values of it original or synthetic data hold."""
    study, found = opened.study(), levels(opened, key)
    column = (
        study.columns[key]
        if key in opened.review.hierarchies
        else study.grouped(key, opened.review.grouping.get(key, 0))[0]
    )
    there = column.counts.sum(axis=0) > 0
    known = ", ".join(f"{level.name} ({np.unique(level.codes[: there.size][there]).size:,})" for level in found[:-1])
    return f"{known}, unknown"


def space(opened: Opened) -> Space:
    """Return the combinations of keys and levels that the review's bounds allow; nothing is counted."""
    keys = opened.study().in_data_order(opened.review.keys)
    return Space.of(keys, [levels(opened, key) for key in keys], _bounds(opened.review))


def checked(opened: Opened, key: str, hierarchy: Hierarchy | None) -> Review:
    """Return the review with another hierarchy of a key, or with none; a bound that it no longer has is dropped."""
    review = opened.review
    kept = {name: h for name, h in review.hierarchies.items() if name != key}
    asked = replace(review, hierarchies=kept if hierarchy is None else {**kept, key: hierarchy})
    names = {level.name for level in levels(opened.with_review(asked), key)}
    intruders = []
    for known in asked.intruders:
        at_best = {name: at for name, at in known.bounds.at_best.items() if name != key or at in names}
        intruders.append(replace(known, bounds=replace(known.bounds, at_best=at_best)))
    return replace(asked, intruders=tuple(intruders))


def is_kept(opened: Opened) -> bool:
    """Return whether it is there for what is asked now."""
    return not opened.stopped() and opened.kept(KIND, *_inputs(opened)) is not None


def _inputs(opened: Opened) -> tuple[Any, ...]:
    review = opened.review
    settings = replace(opened.met(review.settings), thresholds=Thresholds()).to_json()
    hierarchies = {name: repr(h) for name, h in review.hierarchies.items() if name in review.keys}
    return (
        *(opened.set_key(), review.columns, settings, repr(sorted(hierarchies.items())), repr(review.bounds)),
        *(review.tau, repr(review.threat_model)),
    )


def of_keys_alone(opened: Opened, progress: Progress | None = None) -> StrongestIntruder:
    """Return the strongest intruder who knows each key as it is or not at all, without bounds; kept apart.

    No review asks for it: a search over subsets that stops early has the subsets that this one finds.
    """
    review = opened.review
    bounds = Bounds(subsets=review.bounds.subsets)
    alone = opened.with_review(intruders.with_bounds(replace(review, hierarchies={}, tau=None), bounds))
    found: StrongestIntruder = alone.once(_ALONE, *_inputs(alone), make=lambda: _search(alone, progress))
    return found


def known(opened: Opened) -> StrongestIntruder | None:
    """Return it where it was made for what is asked now, or the review says that it was; else None."""
    if is_kept(opened) or KIND in opened.review.searched:
        return searched(opened)
    return None


def _search(opened: Opened, progress: Progress | None) -> StrongestIntruder:
    review, study = opened.review, opened.study()
    settings = opened.met(review.settings)
    keys, bounds = set(review.keys), _bounds(review)
    hierarchies = {name: h for name, h in review.hierarchies.items() if name in keys}
    joined = opened.partition()
    why = joined.why if isinstance(joined, NotEvaluated) and opened.data.has_holdout else ""
    outside = None if isinstance(joined, NotEvaluated) else joined
    if outside is not None:
        wanted = keys | set(opened.assessment().targets)
        joint = outside.joint
        less = [
            name
            for name in hierarchies
            if name in joint.unlike and not unlike_everywhere(joint, {name: hierarchies[name]})
        ]
        lacking = [name for name in study.columns if name in wanted and name not in (*joint.columns, *less)]
        if lacking:
            why = f"the holdout cannot serve for {lacking[0]!r}"
            outside = None
    share = population_share(outside, review.threat_model) if outside is not None else None
    measures = MEASURES if share is not None else MEASURES[:4]
    beta, also = review.threat_model.beta or 1.0, []
    if share is not None and space(opened).n > bounds.budget:  # a beam begins where membership is easiest
        asked = Settings(keys=review.keys, groups=review.grouping)
        told = None if progress is None else lambda *_: progress(0, bounds.budget)
        members = membership(joined, asked, review.threat_model, search=SubsetsTo.up_to(bounds.subsets), progress=told)
        also = [] if isinstance(members, NotEvaluated) else [members.worst(beta)[MEAN].keys]
    found = strongest_intruder(
        outside or study,
        settings,
        hierarchies,
        bounds,
        measures=measures,
        tau=review.tau,
        prevalence=share,
        beta=beta,
        also=also,
        progress=progress,
    )
    return replace(found, notes=(*found.notes, f"People outside: not evaluated; {why}.")) if why else found


def _bounds(review: Review) -> Bounds:
    """Return the bounds of the keys that the intruder knows; those of others wait."""
    return replace(review.bounds, at_best={k: v for k, v in review.bounds.at_best.items() if k in review.keys})
