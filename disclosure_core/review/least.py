"""The least safeguard of a review: its aim, its keys, targets, exclusions, hierarchies and bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.comparison.aims import SAME_KEYS, Aim, May, not_assessed
from disclosure_core.comparison.aims import check as check_asked
from disclosure_core.comparison.ladders import combined, up_to
from disclosure_core.comparison.least_safeguard import least_safeguard, need_random
from disclosure_core.comparison.options import Options, options_of
from disclosure_core.comparison.released import removals
from disclosure_core.comparison.ways import Ways
from disclosure_core.counting.settings import Thresholds
from disclosure_core.data.coarsenings import coarsenings
from disclosure_core.data.hierarchies import Hierarchy, suggested
from disclosure_core.data.study import Kind
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.review.chains import free_name
from disclosure_core.review.parts import LIMITS, Chain

if TYPE_CHECKING:
    from disclosure_core.comparison.frontier import LeastSafeguard, Point
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

KIND = "least"
"""Under which its result is kept."""


def of_limits(review: Review) -> list[Aim]:
    """Return what the office's limits ask of every target."""
    limit = review.limits.disco.absolute
    if limit is None:
        raise DisclosureError("The review sets no limit of DiSCO for people in the data; state an aim: DiSCO<=10.")
    return [Aim("DiSCO", "", below=False, limit=limit)]


def searched(opened: Opened, progress: Progress | None = None, *, further: bool = False) -> LeastSafeguard:
    """Return what the review seeks, searched where it was not; what `progress` raises ends it, and nothing is kept.

    With `further` a search that time ended goes on for as long again.
    """
    opened = as_it_came(opened)
    before: LeastSafeguard | None = opened.kept(KIND, *_inputs(opened))
    if before is not None and not (further and before.out_of_time):
        return before
    sought = opened.review.sought
    found = of(opened, sought.aims, may_now(opened), sought.seconds, before, progress)
    if before is None:
        return opened.once(KIND, *_inputs(opened), make=lambda: found)
    opened.put(KIND, *_inputs(opened), result=found)
    return found


def finished(opened: Opened, progress: Progress | None = None) -> LeastSafeguard | None:
    """Return it where it was made for what is asked now, or the review says that it was; else None."""
    opened = as_it_came(opened)
    found: LeastSafeguard | None = opened.kept(KIND, *_inputs(opened))
    if found is None and KIND in opened.review.searched:
        found = searched(opened, progress)
    return found


def reported(opened: Opened, progress: Progress | None = None) -> LeastSafeguard | NotEvaluated | None:
    """Return what leaves the page of it: None where it was not searched, or why it cannot be for what is asked now."""
    if KIND not in opened.review.searched:
        return None
    try:
        return finished(opened, progress)
    except DisclosureError as error:
        return NotEvaluated(str(error), "")


def is_kept(opened: Opened) -> bool:
    """Return whether it is there for what is asked now."""
    opened = as_it_came(opened)
    return not opened.stopped() and opened.kept(KIND, *_inputs(opened)) is not None


def as_it_came(opened: Opened) -> Opened:
    """Return the review speaking of the set as it came: a search begins there, also after a chain of it was adopted."""
    base, origins = opened.review.ancestry(opened.first_set)
    return opened.with_review(replace(opened.review, synthesis_set=base, chain="")) if origins else opened


def may_now(opened: Opened) -> May:
    """Return what may be touched now: of what the review seeks, keys of this intruder and targets that are assessed."""
    sought, keys = opened.review.sought, opened.review.keys
    targets = opened.met(opened.review.settings).targets
    blank, claims = (
        tuple(name for name in names if name not in keys and (targets is None or name in targets))
        for names in (sought.blank, sought.remove_claims)
    )
    return May(
        {name: h for name, h in sought.coarsen.items() if name in keys},
        sought.remove,
        blank,
        {name: ways for name, ways in sought.ways.items() if name in keys},
        claims,
    )


def n_releases(opened: Opened) -> int:
    """Return how many combinations of coarsening and removal may be touched."""
    may = may_now(opened)
    return math.prod(len(each.each) for each in _options(as_it_came(opened), may)) * len(removals(may))


def _options(opened: Opened, may: May) -> list[Options]:
    """Return the ways in which each key that may be touched may be released."""
    study, found = opened.study(), []
    for name in may.keys:
        column, known = study.columns[name], opened.review.hierarchies.get(name)
        whole = combined(name, may.coarsen[name], known) if name in may.coarsen else known
        levels = coarsenings(column, whole, study.is_missing_code(name))
        found.append(options_of(study, name, levels, whole, may))
    return found


def ladder(opened: Opened, key: str) -> tuple[tuple[str, Hierarchy], ...]:
    """Return how coarse a key may be written: the name of each level, and the hierarchy up to it.

    Its levels are those at which an intruder may know it, or else those that suit the column; nothing where there are
    none, or they do not fit the column.
    """
    study = opened.study()
    column = study.columns[key]
    whole = opened.review.hierarchies.get(key) or suggested(column)
    if whole is None:
        return ()
    try:
        levels = coarsenings(column, whole, study.is_missing_code(key))[1:-1]
    except DisclosureError:
        return ()
    return tuple((level.name, up_to(whole, i)) for i, level in enumerate(levels, 1))


def ways(opened: Opened, key: str) -> tuple[str, ...]:
    """Return what suits a key besides its levels, as `Ways.with_` reads it; its quantiles, and parts of its spread.

    Nothing is offered of numbers in groups, which other numbers would change.
    """
    column = opened.study().columns[key]
    if column.kind is Kind.CATEGORY:
        released = column.counts[1:, : column.n_levels].any(axis=0)
        fewest = int(column.counts[0, : column.n_levels][released].min(initial=column.counts[0].sum()))
        shares = (max(math.ceil(opened.study().n_original * share), 2) for share in (0.01, 0.05))
        return tuple(f"merge:{fewer}" for fewer in dict.fromkeys(shares) if fewer > fewest)
    if column.kind is not Kind.NUMBER:
        return ()
    n = column.counts[0, : column.n_levels]
    there = (n > 0) & ~opened.study().is_missing_code(key)
    values, n = column.values[there].astype(float), n[there]
    values, n = values[np.isfinite(values)], n[np.isfinite(values)]
    if key in opened.review.grouping or not values.size or values.min() == values.max():
        return ()
    # Numbers rise with their codes; of two records as near to a share, the one with an even number.
    places = (np.rint((n.sum() - 1) * np.array(ends)) for ends in ((0.01, 0.05), (0.99, 0.95)))
    low, high = (values[np.searchsorted(np.cumsum(n), place, side="right")].tolist() for place in places)
    released = column.values[column.counts[1:, : column.n_levels].any(axis=0)].astype(float)
    spread = float(values.max()) - float(values.min())
    if not 0 < spread / 10 < math.inf:
        return ()  # numbers at the ends of what a double holds
    unit = 10.0 ** math.floor(math.log10(spread / 10))
    offered = Ways(
        tuple(dict.fromkeys(end for end in high if end < released.max(initial=-math.inf))),
        tuple(dict.fromkeys(end for end in low if end > released.min(initial=math.inf))),
        tuple(unit * width for width in (2, 5)),
    )
    return offered.each


def with_point(review: Review, point: Point) -> Review:
    """Return the review with the chain of a point as one more variant, which is taken; one that is there, is taken."""
    same = next((chain.name for chain in review.chains if chain.steps == point.steps), None)
    if same is not None:
        return replace(review, chain=same)
    name = free_name(review)
    return replace(review, chains=(*review.chains, Chain(name, point.steps)), chain=name)


def chosen(review: Review, found: LeastSafeguard) -> dict[int, str]:
    """Return which points of the frontier were chosen: by their place, as which variant, or adopted as which set."""
    names: dict[int, str] = {}
    for i, point in enumerate(found.points):
        if not point.steps:
            continue
        of_chains = [f"variant {chain.name!r}" for chain in review.chains if chain.steps == point.steps]
        adopted = [f"adopted as {s.name!r}" for s in review.sets if s.origin and s.origin.steps == point.steps]
        if adopted or of_chains:
            names[i] = "; ".join((*adopted, *of_chains))
    return names


def check(opened: Opened, aims: Sequence[Aim | str], may: May) -> list[Aim]:
    """Return the aims as they are read; nothing is counted that an assessment does not count."""
    asked = [each for aim in aims for each in (of_limits(opened.review) if aim == LIMITS else [_read(aim)])]
    settings, targets = opened.met(opened.review.settings), opened.assessment().targets
    check_asked(settings, asked, may)
    for name in (*may.blank, *may.remove_claims, *(aim.target for aim in asked if aim.target)):
        if name not in targets:
            raise not_assessed(name, targets)
    _options(opened, may)
    _outside(opened, asked)
    return asked


def _outside(opened: Opened, aims: Sequence[Aim]) -> Partition | None:
    """Return people inside and outside the data where an aim is M; else None."""
    if all(aim.measure != SAME_KEYS for aim in aims):
        return None
    found = opened.partition()
    if isinstance(found, NotEvaluated):
        raise DisclosureError(f"M needs people outside the data. {found.why} {found.needs}".strip())
    need_random(found)
    return found


def of(
    opened: Opened,
    aims: Sequence[Aim | str],
    may: May,
    seconds: float | None,
    resumed: LeastSafeguard | None,
    progress: Progress | None,
) -> LeastSafeguard:
    """Return the least safeguard of what is asked, from the data as they came."""
    review, study = opened.review, opened.study()
    asked = check(opened, aims, may)
    keys = set(review.keys)
    bounds = replace(review.bounds, at_best={k: v for k, v in review.bounds.at_best.items() if k in keys})
    hierarchies = {name: h for name, h in review.hierarchies.items() if name in keys}
    return least_safeguard(
        _outside(opened, asked) or study,
        opened.met(review.settings),
        asked,
        may,
        hierarchies,
        bounds,
        tau=review.tau,
        seconds=seconds,
        resumed=resumed,
        progress=progress,
    )


def least_of(
    opened: Opened,
    aims: Sequence[Aim | str] = (),
    may: May | None = None,
    *,
    seconds: float | None = None,
    resumed: LeastSafeguard | None = None,
    progress: Progress | None = None,
) -> LeastSafeguard:
    """Return the chains of safeguards that disclose least for what they lose, judged by the strongest intruder.

    Parameters
    ----------
    aims, may
        What no intruder shall exceed: "beyond(DiSCO)<5", "repU<=1"; and what may be touched. Without them, what the
        review seeks (`Review.sought`), which is kept and not searched again.
    seconds, resumed, progress
        As of `least_safeguard`.

    Raises
    ------
    DisclosureError
        As `least_safeguard`.
    """
    if may is None:
        return searched(opened, progress)
    return of(opened, aims, may, seconds, resumed, progress)


def _read(aim: Aim | str) -> Aim:
    return Aim.parsed(aim) if isinstance(aim, str) else aim


def _inputs(opened: Opened) -> tuple[Any, ...]:
    review = opened.review
    settings = replace(opened.met(review.settings), thresholds=Thresholds()).to_json()
    hierarchies = sorted((name, repr(h)) for name, h in review.hierarchies.items() if name in review.keys)
    limit = review.limits.disco.absolute if LIMITS in review.sought.aims else None
    return (
        *(opened.set_key(), review.columns, settings, repr(hierarchies), repr(review.bounds), review.tau),
        *(repr(review.sought), limit),
    )
