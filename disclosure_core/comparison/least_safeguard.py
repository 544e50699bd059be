"""The least safeguard: the chain of steps that reaches an aim and loses least, judged by the strongest intruder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.comparison.aims import SAME_KEYS, Aim, May, check, not_assessed
from disclosure_core.comparison.frontier import SEEN_THROUGH, LeastSafeguard, Point, frontier
from disclosure_core.comparison.ladders import combined, groups_of
from disclosure_core.comparison.options import options_of
from disclosure_core.comparison.released import Disclosed, Release, Releases, Removed, Worst, is_next, removals
from disclosure_core.counting.count import count
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.target_nodes import TargetNodes, of_targets
from disclosure_core.data.coarsenings import of_keys
from disclosure_core.data.hierarchies import UNKNOWN, Hierarchy
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.baseline import FEW_SHARE_KEYS
from disclosure_core.holdout.partition import Partition
from disclosure_core.protection.steps import BlankClaims, RemoveClaims, RemoveReplicated, Step
from disclosure_core.sensitivity.bounds import Bounds
from disclosure_core.sensitivity.node_search import Objective, Space
from disclosure_core.sensitivity.strongest_intruder import evaluated_targets, objectives_of, without_groups

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.study import AnyStudy

BEAM = 20
"""Releases that the beam keeps."""
_EVERY = 0.2
"""Seconds between two reports of progress within one release."""
RELEASES = 5_000
"""Releases up to which every one is looked at."""

_OF_M = (
    "M counts as 0 where too few people outside have members' keys to evaluate it. It is the largest of many "
    "combinations, and partly luck."
)


def least_safeguard(
    data: AnyStudy | Partition,
    settings: Settings,
    aims: Sequence[Aim | str],
    may: May,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    bounds: Bounds | None = None,
    *,
    tau: float | None = None,
    releases: int = RELEASES,
    seconds: float | None = None,
    resumed: LeastSafeguard | None = None,
    progress: Progress | None = None,
) -> LeastSafeguard:
    """Return the frontier of the chains that may be taken: coarsen, then remove, then blank.

    Each chain is judged by the strongest intruder at the released data: over all keys and levels that `bounds` allow
    and that are not finer than what is released.

    Parameters
    ----------
    data
        Original and syntheses as they came, which may be in DuckDB; for an aim of M with people outside.
    settings
        Keys, targets, groups and exclusions, as for an assessment.
    aims
        What no intruder shall exceed; several hold together.
    may
        What may be touched.
    hierarchies, bounds, tau
        What the intruder may know, as of `strongest_intruder`; the levels of `may` are added.
    releases
        Up to so many combinations of coarsening and removal every one is looked at; beyond it a beam of width 20.
    seconds
        When to end, with what was looked at until then; at least the data as they came.
    resumed
        An earlier result for the same question, whose chains are not counted again.
    progress
        Called with releases done and in all, first with 0 when all that was asked is checked, and often within one;
        what it raises ends the search, and nothing is kept.

    Raises
    ------
    DisclosureError
        As `assess`; when an aim, a column or a bound does not fit.

    Source
    ------
    measures.md 15; of M, 10.

    Examples
    --------
    >>> from disclosure_core import Settings
    >>> from disclosure_core.data import demo
    >>> settings = Settings(keys=["sex", "age", "region", "employment"], targets=["abroad"])
    >>> found = least_safeguard(demo.study(), settings, ["DiSCO<40"], May({"age": Hierarchy.bands(5, 10)}))
    >>> found.cheapest.words
    "Write 'age' in bands of 5."
    """
    search = _Search(
        data,
        settings,
        tuple(Aim.parsed(a) if isinstance(a, str) else a for a in aims),
        may,
        dict(hierarchies or {}),
        bounds or Bounds(),
        tau,
    )
    return search.run(releases, seconds, resumed, progress)


class _Search:
    def __init__(
        self,
        data: AnyStudy | Partition,
        settings: Settings,
        aims: tuple[Aim, ...],
        may: May,
        hierarchies: dict[str, Hierarchy],
        bounds: Bounds,
        tau: float | None,
    ) -> None:
        self.aims, self.may = aims, may
        check(settings, aims, may)
        groups = dict(settings.groups)
        known = {name: h for name, h in hierarchies.items() if name in settings.keys}
        every = known | {name: combined(name, hierarchy, known.get(name)) for name, hierarchy in may.coarsen.items()}
        touched = {*every, *may.keys}
        whole = data.joint.finished if isinstance(data, Partition) else data
        self.study: AnyStudy = data.joint.with_unmatched(touched) if isinstance(data, Partition) else data
        self.n_syntheses = m = whole.n_syntheses
        settings, notes = without_groups(settings, touched)
        tables = count(self.study, settings)
        keys = tables.keys
        levels = of_keys(self.study, keys.keys, every, 1 + m)
        self.names = tuple(key.name for key in keys.keys)
        self.as_it_came = [tuple(level.name for level in each) for each in levels]
        space = Space.of(self.names, levels, bounds)
        if space.n > bounds.budget:
            raise DisclosureError(
                f"The intruder may know {space.n:,} combinations of keys and levels, more than the "
                f"{bounds.budget:,} that are looked at; let the intruder know fewer keys or levels."
            )
        self.options = [
            options_of(self.study, name, each, every.get(name), may, 1 + m, first)
            for name, each, first in zip(self.names, levels, space.finest, strict=True)
        ]
        self.space = replace(space, levels=tuple(of.levels for of in self.options))
        nodes = KeyNodes(keys, self.space.levels, m)
        targets = of_targets(tables, settings, nodes, tau)
        for name in (*may.blank, *may.remove_claims, *(aim.target for aim in aims if aim.target)):
            if name not in targets:
                raise not_assessed(name, targets)
        self.objectives, more = _objectives(aims, data, targets, nodes)
        tried = {RemoveReplicated: may.remove, RemoveClaims: may.remove_claims, BlankClaims: may.blank}
        self.notes = (*notes, *more, *(said for kind, said in SEEN_THROUGH.items() if tried[kind]))
        judged = [
            [
                groups_of(self.study, key.name, groups)
                if i == 0 and key.name in touched
                else level.codes[: key.n_codes]
                for i, level in enumerate(each)
            ]
            for key, each in zip(keys.keys, self.space.levels, strict=True)
        ]
        self.releases = Releases(
            self.options,
            space.at_most,
            nodes,
            targets,
            self.objectives,
            settings.exclusions.missing_keys,
            judged,
            may.blank,
            may.remove,
        )
        self.columns = tuple(whole.columns)

    def run(
        self, most: int, seconds: float | None, resumed: LeastSafeguard | None, progress: Progress | None
    ) -> LeastSafeguard:
        """Look at releases, and return the frontier."""
        looked = dict(resumed.looked) if resumed is not None else {}
        ladders = [range(len(of.each)) for of in self.options]
        removed = removals(self.may)
        n = prod(map(len, ladders)) * len(removed)
        end = None if seconds is None else monotonic() + seconds
        done, out_of_time = 0, False
        fresh: list[Release] = []
        last = -np.inf

        def tell(*, now: bool = True) -> None:
            nonlocal last
            if progress is not None and (now or monotonic() - last >= _EVERY):
                progress(min(done, n), n)
                last = monotonic()

        tell()
        self.releases.told = lambda: tell(now=False)

        def look(release: Release) -> bool:
            nonlocal done, out_of_time
            if release not in looked:
                if fresh and end is not None and monotonic() > end:
                    out_of_time = True
                    return False
                looked[release] = self.releases.disclosed(release)
                fresh.append(release)
                if not done:
                    self._evaluated(looked[release])
            done += 1
            tell()
            return True

        if n <= most:
            every = sorted(
                (Release(node, *out) for node in product(*ladders) for out in removed),
                key=_place,
            )
            exhaustive = all(map(look, every))
        else:
            self._beam(removed, looked, look)
            exhaustive = False
        in_order = sorted(looked, key=_place)  # so that of equal chains a beam names the one that a whole search does
        points = [point for release in in_order for point in self._points(release, looked[release])]
        notes = self.notes if resumed is None else resumed.notes
        return LeastSafeguard(
            self.aims, self.may, frontier(points), n, len(looked), exhaustive, notes, looked, out_of_time
        )

    def _evaluated(self, came: Disclosed) -> None:
        """Note which M cannot be evaluated of the data as they came."""
        lacking = [o for o in self.objectives if o.measure == SAME_KEYS and o not in self.releases.evaluated]
        if len(lacking) == len(self.objectives) and came.worst:
            raise DisclosureError(f"The aim has no figure here. {FEW_SHARE_KEYS}")
        if lacking:
            names = ", ".join(o.target for o in lacking)
            self.notes = (*self.notes, f"M is not evaluated for {names}: too few people outside have members' keys.")

    def _beam(
        self,
        removed: Sequence[Removed],
        looked: Mapping[Release, Disclosed],
        look: Callable[[Release], bool],
    ) -> None:
        """Look at the releases one step from the 20 best of the last ones: first those on the frontier."""
        waiting = [Release(tuple(0 for _ in self.options))]
        seen = set(waiting)
        while waiting:
            if not all(map(look, waiting)):
                return
            points = {release: self._points(release, looked[release]) for release in waiting}
            of_layer = frontier([point for each in points.values() for point in each])
            best = sorted(waiting, key=lambda release: self._rank(points[release], of_layer))
            fresh: dict[Release, None] = {}
            for release in best[:BEAM]:
                chosen, out = release.options, (release.replicated, release.claims)
                for k, of in enumerate(self.options):
                    for i in of.coarser[chosen[k]]:
                        fresh[release._replace(options=(*chosen[:k], i, *chosen[k + 1 :]))] = None
                fresh |= {Release(chosen, *more): None for more in removed if is_next(out, more)}
            waiting = [release for release in fresh if release not in seen]
            seen.update(waiting)

    @staticmethod
    def _rank(points: Sequence[Point], best: Sequence[Point]) -> tuple[bool, float, float]:
        """Return where a release stands among others: on their frontier, then by its figure before any blank."""
        if not points:
            return True, np.inf, np.inf
        return not any(point in best for point in points), points[0].figure, points[0].detail_lost

    def _points(self, release: Release, found: Disclosed) -> list[Point]:
        """Return the chains of a release: nothing blanked, then the worst target, the two worst, and so on.

        What is blanked beside these costs more and lowers no larger figure, so that no other set is on the frontier.
        """
        removed = 100 * (1 - min(found.kept))
        if not found.worst:
            return []
        now = dict(found.worst)
        order = sorted(
            found.blanked,
            key=lambda name: -max((self._part(o, now[o].figure) for o in found.blanked[name]), default=0.0),
        )
        points, blanked = [], []
        for name in (None, *order):
            if name is not None:
                blanked.append(name)
                now |= found.blanked[name]
            points.append(self._point(release, found, now, blanked, removed))
        return points

    def _part(self, objective: Objective, figure: float) -> float:
        """Return a figure as the frontier has it: itself, or of several aims the largest % of its limits."""
        if len(self.aims) == 1:
            return figure
        return max(100 * figure / aim.limit for aim in self.aims if aim.bounds(objective))

    def _point(
        self, release: Release, found: Disclosed, now: Mapping[Objective, Worst], blanked: Sequence[str], removed: float
    ) -> Point:
        worst = max(self.objectives, key=lambda o: self._part(o, now[o].figure))
        kept = np.array(found.kept)[:, None]
        left = np.ones((len(found.kept), len(self.columns)))
        chosen = [of.each[i] for of, i in zip(self.options, release.options, strict=True)]
        for name, option in zip(self.names, chosen, strict=True):
            left[:, self.columns.index(name)] *= option.share
        for name in blanked:
            left[:, self.columns.index(name)] *= found.values_kept[name]
        lost = 100 * (1 - kept * left)
        by_column = lost.mean(axis=0)
        steps: list[Step] = [step for option in chosen for step in option.steps]
        steps += [RemoveReplicated()] * release.replicated
        steps += [RemoveClaims(name) for name in self.columns if name in release.claims]
        steps += [BlankClaims(name) for name in self.columns if name in blanked]
        reached = all(aim.reached(now[o].figure) for aim in self.aims for o in self.objectives if aim.bounds(o))
        node = now[worst].node
        known = tuple(
            (name, UNKNOWN if (i := option.known[option.chain.index(level)]) == len(levels) - 1 else levels[i])
            for name, levels, option, level in zip(self.names, self.as_it_came, chosen, node, strict=True)
        )
        of = f"{worst.measure} of {worst.target}" if worst.target else worst.measure
        return Point(
            tuple(steps),
            self._part(worst, now[worst].figure),
            of,
            self.space.words(node),
            reached,
            float(by_column.mean()),
            float(by_column.max()),
            self.columns[int(by_column.argmax())] if by_column.max() > 0 else "",
            removed,
            known,
        )


def _place(release: Release) -> tuple[int, Release]:
    """Return where a release stands among all: the finest first."""
    return sum(release.options), release


def _objectives(
    aims: Sequence[Aim], data: AnyStudy | Partition, targets: Mapping[str, TargetNodes], nodes: KeyNodes
) -> tuple[list[Objective], list[str]]:
    """Return what the aims bound, and what is to be said of it."""
    measures = list(dict.fromkeys(aim.measure for aim in aims))
    others = [measure for measure in measures if measure != SAME_KEYS]
    found, notes = objectives_of(others, targets, nodes) if others else ([], [])
    if SAME_KEYS in measures:
        need_random(data)
        if any(target.needs_cells for target in targets.values()):
            raise DisclosureError("M is not searched with a denominator limit or τ; state another aim.")
        evaluated, why = evaluated_targets(targets)
        found += [Objective(SAME_KEYS, name) for name in evaluated]
        notes = list(dict.fromkeys((*notes, *why, _OF_M)))
    found = [o for o in found if any(aim.bounds(o) for aim in aims)]
    if not found:
        raise DisclosureError(f"The aim has no figure here. {' '.join(notes)}".strip())
    return found, notes


def need_random(data: AnyStudy | Partition) -> None:
    """Make sure that M can be evaluated.

    Raises
    ------
    DisclosureError
        When nobody is outside the data by lot.
    """
    if not isinstance(data, Partition) or data.by_lot is not None:
        raise DisclosureError(
            "M compares people with the same keys inside and outside the data: bring a holdout that is a random "
            "part of the original, or state another aim."
        )
