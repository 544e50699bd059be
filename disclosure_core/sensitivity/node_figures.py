"""The figures of nodes that a search compares: counts over the syntheses, a cap on coarser nodes, and both halves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Array, Floats, Mask
from disclosure_core.counting.halves import halved
from disclosure_core.holdout.fscores import f_closed, f_naive, relative_gain

if TYPE_CHECKING:
    from disclosure_core.counting.nodes import KeyNodes, Merged, Node
    from disclosure_core.counting.target_nodes import Learnt, TargetNodes
    from disclosure_core.sensitivity.node_search import Objective

Halved: TypeAlias = Floats
"""Shape (2, R): a figure on one half of the people and on the other, in each of R halvings."""

HALVINGS = 20
"""Random halvings of the people (measures.md 13)."""

_BATCH = 16_000_000
"""Bytes of cells that wait to be summed by halves together."""
_FEW = 16
_EXACT_IN_32 = 2**24


_MERGES = 0.6
"""Cells are taken anew at a node where the combinations are at most so large a part of those before."""
_SMALL = 2**17


class Ground:
    """The cells that a search counts from: the finest, or as they are at a node, for it and all that is coarser.

    Attributes
    ----------
    nodes, targets
        Key combinations, and the cells of each target.
    node
        Where they are taken; None: the finest.
    went
        By target, "" for the keys: where each of the finest cells is here, the last where it is not counted.
    """

    def __init__(self, nodes: KeyNodes, targets: Mapping[str, TargetNodes], node: Node | None = None) -> None:
        self.nodes, self.targets, self.node = nodes, dict(targets), node
        self.went: dict[str, npt.NDArray[np.int32]] = {}

    def finest(self, name: str, row: Floats) -> Floats:
        """Return a figure of each cell here for each of the finest."""
        return row if self.node is None else np.append(row, row.dtype.type(0))[self.went[name]]

    def coarsened(self, node: Node) -> Ground | None:
        """Return the cells as they are at a node; None where these are hardly fewer."""
        at = self.nodes.merged(node)
        there = np.bincount(at.q, minlength=at.n) > 0
        if there.sum() > _MERGES * at.q.size:
            return None
        nodes, went = self.nodes.coarsened(node)
        made = Ground(nodes, {}, node)
        made.went[""] = (went if self.node is None else went[self.went[""]]).astype(np.int32)
        for name, target in self.targets.items():
            made.targets[name], kept, cell = target.coarsened(nodes, node, went)
            last = made.targets[name].members.n.size
            now = np.full(target.members.n.size + 1, last, dtype=np.int32)
            now[kept] = cell
            made.went[name] = now[:-1] if self.node is None else now[self.went[name]]
        return made


class Figures:
    """Counts figures of nodes.

    Parameters
    ----------
    nodes, targets
        The finest cells.
    objectives
        What is counted.
    missing_keys
        Keys whose missing values are not counted.
    prevalence, beta
        Of F_rel.
    half
        Shape (R, N_d): who is in the one half of each halving; `HALVINGS` at random by default.
    """

    def __init__(
        self,
        nodes: KeyNodes,
        targets: Mapping[str, TargetNodes],
        objectives: Sequence[Objective],
        missing_keys: frozenset[str] = frozenset(),
        prevalence: float | None = None,
        beta: float = 1.0,
        half: Mask | None = None,
    ) -> None:
        self.nodes, self.targets, self.objectives = nodes, targets, list(objectives)
        self.missing_keys, self.prevalence, self.beta = missing_keys, prevalence, beta
        keys = nodes.keys
        self.n, self.m = keys.n_original, nodes.m
        self._kind = np.float32 if self.n * self.m < _EXACT_IN_32 else np.float64
        rng = np.random.default_rng(1)
        members = halved(keys.original, keys.d_q, rng, HALVINGS, half)
        self.n_halvings, self._n_half = len(members.n_half), members.n_half
        measures = {objective.measure for objective in objectives}
        self._of_keys = members.by_combination(self._kind) if measures & {"repU", "F_rel"} else None
        self._outside = None
        if "F_rel" in measures:
            outside = halved(keys.synthetic[nodes.m], keys.s_q[nodes.m], rng, self.n_halvings)
            self._outside = outside.by_combination(self._kind)
            self._n_outside, self._n_half_outside = outside.n, outside.n_half
        self._of_target = {}
        for name in dict.fromkeys(o.target for o in objectives if o.target):
            people = targets[name].members
            self._of_target[name] = members.by_cell(people.q, people.t, people.n, targets[name].column, self._kind)
        self._stands = [Ground(nodes, {name: targets[name] for name in self._of_target})]
        self._whole = any(targets[name].needs_cells for name in self._of_target)
        self._rows: dict[tuple[str, np.dtype[Any]], list[tuple[int, Node, Floats, float]]] = {}
        self._waiting = 0, 0
        """Rows that wait to be summed by halves, and their bytes."""
        self._done: list[tuple[int, Node, Halved]] = []
        self._passed: set[Node] = set()

    def stand_on(self, chain: Sequence[Node]) -> None:
        """Take the finest cells as they are at each node of a chain, finer first, for it and all that is coarser.

        A node that hardly merges them is passed over. An empty chain stands on the finest cells again.
        """
        self._stood = [*chain]
        if self._whole:
            return
        n = 1
        while n < len(self._stands) and self._stands[n].node in self._stood:
            n += 1
        del self._stands[n:]
        last = self._stands[-1].node
        for node in self._stood[0 if last is None else self._stood.index(last) + 1 :]:
            if node in self._passed:
                continue
            found = self._stands[-1].coarsened(node)
            if found is None:
                self._passed.add(node)
                continue
            self._stands.append(found)

    def count(self, node: Node, wanted: Sequence[int], needed: Floats) -> list[tuple[int, float, float]]:
        """Return, for each wanted objective, its number, its count at the node, and a cap on all coarser nodes.

        `needed`, shape (n_objectives,), is what a half must be able to reach for its figures to matter.
        """
        ground = self._stands[-1]
        at = ground.nodes.merged(node)
        learnt: dict[str, Learnt] = {}
        found = []
        for i in wanted:
            measure, name = self.objectives[i]
            if measure == "F_rel":
                value, halved = self._membership(at, ground)
                self._done.append((i, node, halved))
                found.append((i, value, np.inf))
                continue
            if measure == "repU":
                uniques = ground.nodes.uniques(at, ground.nodes.missing(self.missing_keys, node))
                value, cap = uniques.n, uniques.cap
                upper, row = value, uniques.row
            else:
                if name not in learnt:
                    learnt[name] = ground.targets[name].learnt(at, gain=self._needs_gain(wanted, name))
                of = learnt[name]
                value, cap = of.of(measure)
                upper, row = of.right if measure == "gain" else value, partial(of.row, measure)
            found.append((i, value, cap))
            if upper >= needed[i]:
                # Sums of whole numbers are exact in 32 bits; shares, of a gain or of τ, are not.
                fractions = measure == "gain" or (name and self.targets[name].tau is not None)
                waits = ground.finest(name, row().astype(np.float64 if fractions else self._kind))
                self._rows.setdefault((name, waits.dtype), []).append((i, node, waits, value))
                self._waiting = self._waiting[0] + 1, self._waiting[1] + waits.nbytes
        return found

    def _needs_gain(self, wanted: Sequence[int], name: str) -> bool:
        return any(self.objectives[i] == ("gain", name) for i in wanted)

    def flushed_if_full(self) -> list[tuple[int, Node, Halved]]:
        """Return what the halves show of the nodes that waited, where these are many."""
        n_rows, n_bytes = self._waiting
        if n_bytes < _BATCH and n_rows < _FEW * len(self.objectives):
            return []
        return self.flushed()

    def flushed(self) -> list[tuple[int, Node, Halved]]:
        """Return what the halves show of all nodes that waited."""
        found, self._done = self._done, []
        for (name, _), rows in self._rows.items():
            people = self._of_target[name] if name else self._of_keys
            assert people is not None
            ones = _product(np.stack([row for _, _, row, _ in rows]), people)
            for (i, node, _, value), one in zip(rows, ones.astype(float), strict=True):
                found.append((i, node, np.stack([one, value - one])))
        self._rows, self._waiting = {}, (0, 0)
        return found

    def _membership(self, at: Merged, ground: Ground) -> tuple[float, Halved]:
        """Return F_rel at a node, mean over the syntheses, and on both halves."""
        nodes = ground.nodes
        assert nodes.outside is not None
        assert self._of_keys is not None
        assert self._outside is not None
        found = nodes.found(at)
        members = found @ nodes.keys.d_q
        outside = found @ nodes.outside
        value = self._f_rel(members / self.n, outside / self._n_outside)
        at_node = np.stack([ground.finest("", row) for row in found.astype(self._kind)])
        a, b = _product(at_node, self._of_keys), _product(at_node, self._outside)
        one = self._f_rel(a / self._n_half, b / self._n_half_outside)
        rest = np.maximum(self.n - self._n_half, 1), np.maximum(self._n_outside - self._n_half_outside, 1)
        other = self._f_rel((members[:, None] - a) / rest[0], (outside[:, None] - b) / rest[1])
        return float(value), np.stack([one, other])

    def _f_rel(self, a: Floats, b: Floats) -> Floats:
        assert self.prevalence is not None
        naive = f_naive(self.prevalence, self.beta)
        return relative_gain(f_closed(a, b, self.prevalence, self.beta), naive).mean(axis=0)

    def scale(self, i: int) -> float:
        """Return what makes a figure of a count: % of the original records, mean over the syntheses."""
        return 1.0 if self.objectives[i].measure == "F_rel" else 100 / (self.n * self.m)

    def scale_of_halves(self, i: int) -> float:
        """Return what makes a figure of the counts of both halves together."""
        return 0.5 if self.objectives[i].measure == "F_rel" else self.scale(i)

    def figure(self, i: int, node: Node) -> float:
        """Return one objective's figure at a node."""
        ((_, value, _),) = self.count(node, [i], np.full(len(self.objectives), np.inf))
        self._done = []
        return value * self.scale(i)

    def figure_outside(self, i: int, node: Node) -> float:
        """Return the same figure of the people outside the data; NaN where there are none, or for the keys alone."""
        measure, name = self.objectives[i]
        if not name or (people := self.targets[name].outside) is None:
            return float("nan")
        target = self.targets[name]
        value, _ = target.learnt(self.nodes.merged(node), people).of(measure)
        return 100 * value / float(people.n.sum() * self.m)

    def around(self, i: int, node: Node) -> dict[str, float]:
        """Return UiO and iS at a node, and DiS of the objective's target; % of the original records."""
        at = self.nodes.merged(node)
        missing = self.nodes.missing(self.missing_keys, node)
        name = self.objectives[i].target
        claims = self.targets[name].learnt(at).claims if name else (float("nan"),)
        return {
            "DiS": 100 * float(np.mean(claims)) / self.n,
            "iS": 100 * float((self.nodes.found(at) @ self.nodes.keys.d_q).mean()) / self.n,
            "UiO": 100 * np.count_nonzero(self.nodes.profiles(at, missing)[0].unique) / self.n,
        }


def _product(rows: Array, people: Array) -> Array:
    """Return the product of two arrays in pieces, each so small that a library takes one core for it."""
    n, step = rows.shape[1], max(_SMALL // (rows.shape[0] * people.shape[1]), 1)
    whole = n - n % step
    at = (
        rows[:, :whole].reshape(rows.shape[0], -1, step).swapaxes(0, 1),
        people[:whole].reshape(-1, step, people.shape[1]),
    )
    return np.matmul(*at).sum(axis=0) + rows[:, whole:] @ people[whole:]
