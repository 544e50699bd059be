"""The search for the node that discloses most: exhaustive within a budget, else by a beam; and how much of it is luck.

Nodes are looked at finest first. What bounds say cannot win, on all people or on any half of them, is not counted.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb, prod
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from disclosure_core.arrays import Floats, Indices
from disclosure_core.data.hierarchies import AS_IT_IS
from disclosure_core.errors import not_found

if TYPE_CHECKING:
    from disclosure_core.counting.nodes import Node
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.coarsenings import Coarsening
    from disclosure_core.sensitivity.bounds import Bounds
    from disclosure_core.sensitivity.node_figures import Figures, Halved


_EVERY = 0.1
"""Seconds between two reports of progress."""
_NEAR = 1e-9
_SHARED = 16
"""Nodes that cells taken anew must serve."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the allowed combinations of keys and levels were looked at.

    Attributes
    ----------
    n_nodes
        Combinations that the bounds allow.
    n_counted
        Those that were counted.
    exhaustive
        Whether every other one is proved to disclose no more.
    """

    n_nodes: int
    n_counted: int
    exhaustive: bool

    @property
    def of_those(self) -> str:
        """What a figure is the largest of, after its name; empty where it is the largest there is."""
        return "" if self.exhaustive else f" of those that were searched ({self.n_counted:,} of {self.n_nodes:,})"

    def __str__(self) -> str:
        if not self.exhaustive:
            return (
                f"{self.n_counted:,} of {self.n_nodes:,} combinations of keys and levels were looked at: the largest "
                "found, not the largest there is"
            )
        rest = self.n_nodes - self.n_counted
        proved = f"; a bound shows that the other {rest:,} cannot be larger" if rest else ""
        return f"all {self.n_nodes:,} combinations of keys and levels: {self.n_counted:,} counted{proved}"


class Objective(NamedTuple):
    """What is to be as large as possible: a measure, and its target or none."""

    measure: str
    target: str = ""


class Winner(NamedTuple):
    """The node with the largest figure: on all people, and what the halves show of luck.

    `chosen` and `other` are figures of the node that one half chose, on that half and on the other; means over both
    halves and all halvings.
    """

    objective: Objective
    node: Node
    figure: float
    chosen: float
    other: float


@dataclass(frozen=True, eq=False, repr=False)
class Space:
    """The nodes that the bounds allow.

    Attributes
    ----------
    names, levels
        Of the keys.
    finest
        The finest level allowed of each key.
    at_most
        Keys that may be known at once.
    bounds
        As given.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Coarsening, ...], ...]
    finest: Node
    at_most: int
    bounds: Bounds

    @classmethod
    def of(cls, names: Sequence[str], levels: Sequence[Sequence[Coarsening]], bounds: Bounds) -> Space:
        """Return the nodes that `bounds` allow."""
        for name in bounds.at_best:
            if name not in names:
                raise not_found("The bounded key", name, "among the keys", names)
        finest = tuple(
            _level(name, each, bounds.at_best[name]) if name in bounds.at_best else 0
            for name, each in zip(names, levels, strict=True)
        )
        at_most = len(names) if bounds.at_most is None else min(bounds.at_most, len(names))
        return cls(tuple(names), tuple(map(tuple, levels)), finest, at_most, bounds)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """How many levels of each key are allowed at which it is known."""
        return tuple(len(each) - 1 - first for each, first in zip(self.levels, self.finest, strict=True))

    @property
    def n(self) -> int:
        """How many nodes there are."""
        by_size = [1] + [0] * self.at_most
        for n in self.known:
            for size in range(self.at_most, 0, -1):
                by_size[size] += n * by_size[size - 1]
        return sum(by_size)

    @cached_property
    def coarsest(self) -> Node:
        """The node at which no key is known."""
        return tuple(len(each) - 1 for each in self.levels)

    @cached_property
    def by_size(self) -> tuple[int, ...]:
        """The keys, those of most levels first."""
        return tuple(sorted(range(len(self.names)), key=lambda k: -self.levels[k][self.finest[k]].size))

    def shared(self, node: Node) -> list[Node]:
        """Return nodes that are finer than a node and than others near it, finer first: from these it is counted.

        Each has one more of the largest keys as at the node, all others at their finest.
        """
        found, here, left = [], list(self.finest), prod(n + 1 for n in self.known)
        if any(self.finest):
            found.append(self.finest)
        for k in self.by_size:
            left //= self.known[k] + 1
            if left < _SHARED:
                break
            if here[k] != node[k]:
                here[k] = node[k]
                found.append(tuple(here))
        return found

    def nodes(self) -> list[Node]:
        """Return every node, finest first."""
        found = [node for size in range(self.at_most + 1) for node in self._of_size(size)]
        return sorted(found, key=lambda node: (sum(node), node))

    def starts(self, known_sets: Sequence[Collection[str]] = ()) -> list[Node]:
        """Return where a beam starts: as many keys as allowed, each at its finest level; within half of the budget.

        Sets of keys that are worth a look come before most, where the bounds allow them.
        """
        known = [k for k, n in enumerate(self.known) if n]
        size = min(self.at_most, len(known))
        if comb(len(known), size) > self.bounds.budget // 2:
            rng = np.random.default_rng(1)
            drawn = {tuple(sorted(rng.permutation(known)[:size].tolist())) for _ in range(self.bounds.budget // 2)}
            subsets = sorted(drawn)
        else:
            subsets = list(combinations(known, size))
        named = [tuple(k for k, name in enumerate(self.names) if name in each) for each in known_sets]
        nodes = (
            tuple(self.finest[k] if k in s else self.coarsest[k] for k in range(len(self.names)))
            for s in (*subsets[:1], *named, *subsets[1:])
        )
        return [node for node in dict.fromkeys(nodes) if self.allows(node)]

    def allows(self, node: Node) -> bool:
        """Return whether the bounds allow a node."""
        known = sum(level < last for level, last in zip(node, self.coarsest, strict=True))
        return known <= self.at_most and all(
            first <= level <= last for first, level, last in zip(self.finest, node, self.coarsest, strict=True)
        )

    def beside(self, node: Node) -> Iterator[Node]:
        """Give the allowed nodes that differ by one level of one key."""
        for k, level in enumerate(node):
            for step in (-1, 1):
                other = (*node[:k], level + step, *node[k + 1 :])
                if self.allows(other):
                    yield other

    def words(self, node: Node) -> str:
        """Return what is known at a node: "sex, age (bands of 5)"."""
        known = []
        for name, each, level in zip(self.names, self.levels, node, strict=True):
            step = each[level].name
            if level < len(each) - 1:
                known.append(name if step == AS_IT_IS else f"{name} ({step})")
        return ", ".join(known) or "nothing"

    def _of_size(self, size: int) -> Iterator[Node]:
        for subset in combinations(range(len(self.names)), size):
            if not prod(self.known[k] for k in subset):
                continue
            ranges = [
                range(self.finest[k], self.coarsest[k]) if k in subset else (self.coarsest[k],)
                for k in range(len(self.names))
            ]
            yield from product(*ranges)


def _level(name: str, levels: Sequence[Coarsening], text: str) -> int:
    """Return which level of a key somebody means."""
    for i, level in enumerate(levels):
        if text == level.name or text in level.name.split():
            return i
    raise not_found("The level", text, f"a level of {name!r}", [level.name for level in levels])


class Search:
    """What is known so far: figures of nodes, bounds on those not counted, and the best on each half."""

    def __init__(self, space: Space, figures: Figures, progress: Progress | None) -> None:
        self.space, self.figures, self.progress = space, figures, progress
        n = len(figures.objectives)
        self.values: list[dict[Node, float]] = [{} for _ in range(n)]
        self.on_halves: list[dict[Node, Halved]] = [{} for _ in range(n)]
        self.caps: dict[Node, Floats] = {}
        self.best = np.full(n, -np.inf)
        self.best_on_half = np.full((n, 2, figures.n_halvings), -np.inf)
        self.counted: set[Node] = set()
        self._told = monotonic()

    @property
    def needed(self) -> Floats:
        """Shape (n_objectives,): what a node must be able to reach to win on all people, or on one half."""
        return np.minimum(self.best, self.best_on_half.min(axis=(1, 2))) - _NEAR

    def every(self) -> Coverage:
        """Look at every node."""
        nodes, order = self.space.nodes(), self.space.by_size
        nodes.sort(key=lambda node: [node[k] for k in order])  # finer first, and nodes that share cells together
        for done, node in enumerate(nodes, start=1):
            finer = [(*node[:k], level - 1, *node[k + 1 :]) for k, level in enumerate(node) if level]
            inherited = np.full(len(self.values), np.inf)
            for caps in (self.caps[other] for other in finer if other in self.caps):
                inherited = np.minimum(inherited, caps)
            wanted = np.flatnonzero(inherited >= self.needed)
            if wanted.size:
                self.figures.stand_on(self.space.shared(node))
            self._look_at(node, wanted, inherited)
            self._tell(done, len(nodes))
        self._halves(self.figures.flushed())
        self.figures.stand_on(())
        return Coverage(len(nodes), len(self.counted), True)

    def beam(self, known_sets: Sequence[Collection[str]] = ()) -> Coverage:
        """Look at the neighbours of the best nodes of each figure until none of them is new, or the budget is used."""
        all_of_them, budget = np.arange(len(self.values)), self.space.bounds.budget
        unbounded = np.full(len(self.values), np.inf)
        expanded: set[Node] = set()
        waiting = self.space.starts(known_sets)
        while waiting:
            for node in waiting[: budget - len(self.counted)]:
                self._look_at(node, all_of_them, unbounded)
                self._tell(len(self.counted), budget)
            kept = {node for values in self.values for node in _largest(values, self.space.bounds.beam)}
            fresh = sorted(kept - expanded)
            expanded |= kept
            neighbours = {other for node in fresh for other in self.space.beside(node)} - self.counted
            waiting = sorted(neighbours, key=lambda node: (sum(node), node)) if len(self.counted) < budget else []
        self._halves(self.figures.flushed())
        return Coverage(self.space.n, len(self.counted), False)

    def _look_at(self, node: Node, wanted: Indices, caps: Floats) -> None:
        self.caps[node] = caps
        if not wanted.size:
            return
        self.counted.add(node)
        found = self.figures.count(node, wanted.tolist(), self.needed)
        for i, value, cap in found:
            self.values[i][node] = value
            self.best[i] = max(self.best[i], value)
            caps[i] = min(caps[i], cap)
        self._halves(self.figures.flushed_if_full())

    def _halves(self, found: Sequence[tuple[int, Node, Halved]]) -> None:
        for i, node, halved in found:
            self.on_halves[i][node] = halved
            np.maximum(self.best_on_half[i], halved, out=self.best_on_half[i])

    def _tell(self, done: int, of: int) -> None:
        if self.progress is not None and (monotonic() - self._told >= _EVERY or done == of):
            self.progress(done, of)
            self._told = monotonic()

    def winner(self, i: int) -> Winner:
        """Return the node with the largest figure, among equals the coarsest, and what the halves show."""
        values = self.values[i]
        node = _coarsest({n: v for n, v in values.items() if v >= self.best[i] - _NEAR})
        halves = self.on_halves[i]
        nodes = sorted(halves, key=lambda n: (-sum(n), n))
        both = np.stack([halves[n] for n in nodes])  # shape (n_nodes, 2, R)
        at = (both >= both.max(axis=0) - _NEAR).argmax(axis=0)  # the coarsest of equals stands first
        r = np.arange(both.shape[2])
        chosen = both[at, np.array([[0], [1]]), r]
        other = both[at, np.array([[1], [0]]), r]
        scale = self.figures.scale(i)
        of_halves = self.figures.scale_of_halves(i)
        return Winner(
            self.figures.objectives[i],
            node,
            values[node] * scale,
            float(chosen.sum(axis=0).mean()) * of_halves,
            float(other.sum(axis=0).mean()) * of_halves,
        )


def search(
    space: Space,
    figures: Figures,
    progress: Progress | None = None,
    known_sets: Callable[[], Sequence[Collection[str]]] = tuple,
) -> tuple[list[Winner], Coverage, Callable[[int, Node], float]]:
    """Return the winner of each objective, how much was looked at, and what gives the figure of any node.

    What `progress` raises ends it. A figure that was counted is not counted again. A beam begins with the sets of keys
    that `known_sets` gives.
    """
    found = Search(space, figures, progress)
    coverage = found.every() if space.n <= space.bounds.budget else found.beam(known_sets())

    def figure(i: int, node: Node) -> float:
        value = found.values[i].get(node)
        return figures.figure(i, node) if value is None else value * figures.scale(i)

    return [found.winner(i) for i in range(len(figures.objectives))], coverage, figure


def _largest(values: Mapping[Node, float], n: int) -> list[Node]:
    return sorted(values, key=lambda node: (-values[node], -sum(node), node))[:n]


def _coarsest(nodes: Mapping[Node, float]) -> Node:
    return min(nodes, key=lambda node: (-sum(node), node))
