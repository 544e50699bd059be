"""What a release discloses to the strongest intruder, and what it loses: counted from the finest cells.

A release is what is done to each key, and which records are removed. What is released coarser, no intruder
knows finer: each way of releasing a key has the levels at which it may be known then (`Option.chain`). Without a
removal a node is counted once for all releases; a removal changes the synthetic cells, and the nodes are counted again.
Where claims are blanked or removed nothing but Missing is claimed any more, at no node: only where somebody's value is
missing are the nodes counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from disclosure_core.arrays import Floats, Indices, Mask
from disclosure_core.comparison.aims import SAME_KEYS, May
from disclosure_core.counting.answers import answers
from disclosure_core.holdout.parts import ENOUGH
from disclosure_core.rounding import compare

if TYPE_CHECKING:
    from disclosure_core.comparison.options import Options
    from disclosure_core.counting.nodes import KeyNodes, Merged, Node
    from disclosure_core.counting.target_nodes import Learnt, TargetNodes
    from disclosure_core.sensitivity.node_search import Objective

_NEAR = 1e-9


Removed: TypeAlias = tuple[bool, tuple[str, ...]]
"""Whether the replicated uniques are removed, and the targets whose claims are."""


class Release(NamedTuple):
    """The option of each key; whether the replicated uniques at these keys are removed, and whose claims there."""

    options: tuple[int, ...]
    replicated: bool = False
    claims: tuple[str, ...] = ()

    @property
    def removes(self) -> bool:
        """Whether it removes records."""
        return self.replicated or bool(self.claims)


def removals(may: May) -> list[Removed]:
    """Return what may be removed: nothing first.

    A replicated unique is a claim of each target: removing these claims removes it.
    """
    found: list[Removed] = [(False, ())]
    for size in range(len(may.remove_claims) + 1):
        for claims in combinations(may.remove_claims, size):
            found += [(out, claims) for out in (False, True) if bool(claims) != out]
    return found if may.remove else found[:1]


def is_next(before: Removed, after: Removed) -> bool:
    """Return whether a removal removes what another does, and one kind more."""
    more = (after[0] - before[0]) + len(after[1]) - len(before[1])
    return more == 1 and after[0] >= before[0] and {*before[1]} <= {*after[1]}


class Worst(NamedTuple):
    """The largest figure within a release, and the node where it stands; among equals the finest."""

    figure: float
    node: Node


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What a release discloses.

    Attributes
    ----------
    kept
        For each synthesis, the share of its records that stay.
    worst
        For each objective, its largest figure.
    blanked
        By target, for each objective of it, the same after its claims are blanked.
    values_kept
        By target, for each synthesis, the share of its values that are not blanked.
    """

    kept: tuple[float, ...]
    worst: Mapping[Objective, Worst]
    blanked: Mapping[str, Mapping[Objective, Worst]]
    values_kept: Mapping[str, tuple[float, ...]]


class Releases:
    """Counts releases.

    Parameters
    ----------
    options
        Of each key.
    at_most
        Keys that the intruder may know at once.
    nodes, targets, missing_keys
        The finest cells, as of `Figures`.
    objectives
        What is looked for.
    judged
        For each key, by level, shape (n_codes,): the codes on which a removal and a blank judge it; at the first level
        these are the groups of the settings.
    blank
        Targets that may be blanked.
    most
        At most so many % of the records of a synthesis may be removed.
    """

    def __init__(
        self,
        options: Sequence[Options],
        at_most: int,
        nodes: KeyNodes,
        targets: Mapping[str, TargetNodes],
        objectives: Sequence[Objective],
        missing_keys: frozenset[str],
        judged: Sequence[Sequence[Indices]],
        blank: Sequence[str],
        most: float,
    ) -> None:
        self.options, self.at_most = tuple(options), at_most
        self.nodes, self.targets, self.objectives = nodes, targets, tuple(objectives)
        self.missing_keys, self.judged, self.blank, self.most = missing_keys, judged, tuple(blank), most
        self.told: Callable[[], None] = lambda: None
        """Called at every node of a release, which may take long; what it raises ends it, and nothing is kept."""
        self.evaluated: set[Objective] = set()
        """Those of M that were evaluated at some node."""
        self._once: dict[Node, dict[Objective, tuple[float, float]]] = {}
        self._every: dict[tuple[int, ...], list[Node]] = {}
        self._judged_at: tuple[Node, Indices] | None = None

    def disclosed(self, release: Release) -> Disclosed:
        """Return what one release discloses to the strongest intruder."""
        keys, m = self.nodes.keys, self.nodes.m
        chosen = [of.each[i] for of, i in zip(self.options, release.options, strict=True)]
        first, chains = tuple(option.level for option in chosen), tuple(option.chain for option in chosen)
        combination = self._combination(first)
        size = int(combination.max(initial=-1)) + 1
        d = np.bincount(combination, keys.d_q, size)
        nothing = np.zeros(keys.d_q.size, dtype=bool)
        gone = [nothing] * m
        nodes, targets = self.nodes, self.targets
        if release.replicated:
            gone = [
                ((d == 1) & (np.bincount(combination, s_q, size) == 1))[combination] & (s_q > 0) for s_q in keys.s_q[:m]
            ]
        for name in release.claims:
            of = _agreed(self.targets[name], combination, size, missing=True)
            gone = [out | agreed[combination] for out, agreed in zip(gone, of, strict=True)]
        kept = tuple(
            1 - float(side[out].sum()) / float(side.sum()) for side, out in zip(keys.s_q[:m], gone, strict=True)
        )
        if min(kept) == 0 or (release.removes and compare(100 * (1 - min(kept)), self.most) > 0):
            return Disclosed(kept, {}, {}, {})
        if release.removes:
            left = tuple(np.where(out, 0, side) for side, out in zip(keys.s_q, gone, strict=False))
            nodes = self.nodes.with_synthetic(left)
            targets = {name: _changed(target, nodes, gone) for name, target in self.targets.items()}
        nobody = Worst(0.0, tuple(c[i] for c, i in zip(chains, self._places(tuple(map(len, chains)))[0], strict=True)))
        blanked, values_kept = {}, {}
        for name in self.blank:
            if name in release.claims:  # none is left to blank
                continue
            other, values_kept[name] = _blanked(targets[name], combination, size)
            mine = [objective for objective in self.objectives if objective.target == name]
            if self._nothing_left(first, other):
                blanked[name] = dict.fromkeys(mine, nobody)
            else:
                blanked[name] = self._largest(chains, nodes, {name: other}, mine, once=False)
        silent = {name for name in release.claims if self._nothing_left(first, targets[name])}
        worst = {objective: nobody for objective in self.objectives if objective.target in silent}
        left_over = [objective for objective in self.objectives if objective not in worst]
        worst |= self._largest(chains, nodes, targets, left_over, once=not release.removes)
        return Disclosed(kept, worst, blanked, values_kept)

    def _nothing_left(self, node: Node, target: TargetNodes) -> bool:
        """Return whether blanks leave no right claim at any node.

        What is not blanked has several levels at the release, and so at each coarser node; Missing is all that is left
        to claim, and nobody evaluated has it. With τ a claim may be one of several levels; and where a key is judged in
        groups that are coarser than the release, a finer node may claim.
        """
        people = target.members
        if target.tau is not None or (people.n * people.counted)[people.t == target.column.n_levels].any():
            return False
        return all(
            np.array_equal(levels[level], of_key[level].codes)
            for levels, of_key, level in zip(self.judged, self.nodes.levels, node, strict=True)
        )

    def _combination(self, node: Node) -> Indices:
        """Return, shape (n_q,), the key combination on which a removal judges each finest one."""
        if self._judged_at is None or self._judged_at[0] != node:
            self._judged_at = node, self._numbered(node)
        return self._judged_at[1]

    def _numbered(self, node: Node) -> Indices:
        at = [levels[level] for levels, level in zip(self.judged, node, strict=True)]
        found = np.zeros(self.nodes.keys.d_q.size, dtype=np.int64)
        for codes, finest in zip(at, self.nodes.keys.levels, strict=True):
            found = np.unique(found * (int(codes.max()) + 1) + codes[finest], return_inverse=True)[1]
        return found.astype(np.intp)

    def _largest(
        self,
        chains: Sequence[tuple[int, ...]],
        nodes: KeyNodes,
        targets: Mapping[str, TargetNodes],
        objectives: Sequence[Objective],
        *,
        once: bool,
    ) -> dict[Objective, Worst]:
        """Return the largest figure of each objective over the nodes that a release leaves, `chains` of each key."""
        best = {objective: Worst(-np.inf, tuple(chain[0] for chain in chains)) for objective in objectives}
        caps: dict[Node, dict[Objective, float]] = {}
        scale = 100 / (nodes.keys.n_original * nodes.m)
        for at in self._places(tuple(map(len, chains))):
            self.told()
            node = tuple(chain[i] for chain, i in zip(chains, at, strict=True))
            finer = [caps[other] for other in _finer(at) if other in caps]
            cap = {o: min((c[o] for c in finer), default=np.inf) for o in objectives}
            caps[at] = cap
            wanted = [o for o in objectives if cap[o] > best[o].figure / scale + _NEAR]
            counts = self._counted(node, nodes, targets, wanted, once=once)
            for objective, (value, most) in counts.items():
                cap[objective] = min(cap[objective], most)
                if value * scale > best[objective].figure + _NEAR:
                    best[objective] = Worst(value * scale, node)
        return best

    def _places(self, sizes: tuple[int, ...]) -> list[Node]:
        """Return, finest first, the place in each chain of every node that knows no more keys than allowed."""
        if sizes not in self._every:
            found = [
                at
                for size in range(self.at_most + 1)
                for known in combinations(range(len(sizes)), size)
                for at in product(*(range(n - 1) if k in known else (n - 1,) for k, n in enumerate(sizes)))
            ]
            self._every[sizes] = sorted(found, key=lambda at: (sum(at), at))
        return self._every[sizes]

    def _counted(
        self,
        node: Node,
        nodes: KeyNodes,
        targets: Mapping[str, TargetNodes],
        wanted: Sequence[Objective],
        *,
        once: bool,
    ) -> dict[Objective, tuple[float, float]]:
        """Return, for each objective, its count at a node and what no coarser node can exceed."""
        known = self._once.setdefault(node, {}) if once else {}
        lacking = [objective for objective in wanted if objective not in known]
        if lacking:
            at = nodes.merged(node)
            for name in dict.fromkeys(objective.target for objective in lacking):
                mine = [objective for objective in lacking if objective.target == name]
                if not name:
                    uniques = nodes.uniques(at, nodes.missing(self.missing_keys, node))
                    known[mine[0]] = uniques.n, uniques.cap
                    continue
                target = targets[name]
                learnt = target.learnt(at, gain=any(o.measure == "gain" for o in mine))
                for objective in mine:
                    if objective.measure == SAME_KEYS:
                        known[objective] = self._same_keys(objective, target, at, learnt)
                    else:
                        known[objective] = learnt.of(objective.measure)
        return {objective: known[objective] for objective in wanted}

    def _same_keys(self, objective: Objective, target: TargetNodes, at: Merged, learnt: Learnt) -> tuple[float, float]:
        """Return M at a node as a count of right claims of all members, and no cap; 0 where it is not evaluated.

        Source
        ------
        measures.md 10, as `holdout.parts.same_keys`.
        """
        outside = target.outside
        assert outside is not None
        of_outside = target.learnt(at, outside, gain=False)
        d, right_d, squares_d = _sums(at, target.members.q, target.members.n, learnt.row("DiSCO") / self.nodes.m)
        h, right_h, squares_h = _sums(at, outside.q, outside.n, of_outside.row("DiSCO") / self.nodes.m)
        both = (d > 0) & (h > 0)
        d, h, right = d[both], h[both], right_d[both]
        n = d + h
        mean = (right + right_h[both]) / n
        differ = (squares_d + squares_h)[both] - n * mean**2 > _NEAR
        if h[differ].sum() < ENOUGH:
            return 0.0, np.inf
        self.evaluated.add(objective)
        points = float((right - d * mean).sum()) / float((d * h / n).sum())
        return points * self.nodes.keys.n_original * self.nodes.m, np.inf


def _finer(at: Node) -> list[Node]:
    return [(*at[:k], i - 1, *at[k + 1 :]) for k, i in enumerate(at) if i]


def _sums(at: Merged, q: Indices, n: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Return, by combination at a node, people, their right claims, and the squares of these."""
    where = at.q[q]
    people, found, squares = (np.asarray(np.bincount(where, w, at.n), float) for w in (n, n * right, n * right**2))
    return people, found, squares


def _changed(target: TargetNodes, nodes: KeyNodes, gone: Sequence[Mask]) -> TargetNodes:
    """Return a target without the synthetic records of some key combinations."""
    sides = [(q, t, n * ~out[q]) for (q, t, n), out in zip(target.sides, gone, strict=True)]
    return target.with_sides(nodes, sides)


def _agreed(target: TargetNodes, combination: Indices, size: int, *, missing: bool) -> list[Mask]:
    """Return for each synthesis, shape (size,), the combinations whose records all have one level.

    `missing` says whether Missing is such a level, as for `protection.stepped.claims`.
    """
    found = [answers(combination[q], t, size) for q, t, _ in target.sides]
    return [(answer >= 0) & (missing | (answer != target.column.n_levels)) for answer in found]


def _blanked(target: TargetNodes, combination: Indices, size: int) -> tuple[TargetNodes, tuple[float, ...]]:
    """Return a target with the claims of each synthesis blanked, and the share of the values that stay."""
    missing = target.column.n_levels
    sides, shares = [], []
    for (q, t, n), agreed in zip(target.sides, _agreed(target, combination, size, missing=False), strict=True):
        claim = agreed[combination[q]]
        values = float(n[t != missing].sum())
        shares.append(1 - float(n[claim].sum()) / values if values else 1.0)
        sides.append((q, np.where(claim, missing, t).astype(t.dtype), n))
    return target.with_sides(target.nodes, sides), tuple(shares)
