"""What is learnt of a target where keys are known to some levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Floats, Indices, Ints, Mask
from disclosure_core.counting.answers import answers
from disclosure_core.counting.claims import common_level
from disclosure_core.counting.codes import distinct, summed
from disclosure_core.counting.exclusions import Exclusion, beyond, rules
from disclosure_core.counting.measures import shares
from disclosure_core.counting.nodes import SPARSE, KeyNodes, Levels, Merged, Node, Side

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells, Tables
    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.coarsenings import Coarsening


_MOST_IN_16 = 2**15 - 4


@dataclass(frozen=True, eq=False, repr=False)
class Learnt:
    """What is learnt of one target at a node, over the syntheses.

    Attributes
    ----------
    each
        Right claims, a synthesis each.
    right, beyond, gain
        Right claims of all syntheses; those of levels other than the commonest; right claims less the share of those
        with a claim who have the level that is claimed. With τ, probabilities.
    claims
        Claims, a synthesis each; only with the gain.
    cap
        Right claims that no coarser node can exceed.
    cap_beyond
        The same of levels other than the commonest.
    """

    each: tuple[float, ...]
    right: float
    beyond: float
    gain: float
    claims: tuple[float, ...]
    cap: float
    cap_beyond: float
    _rows: Callable[[str], Floats]

    def of(self, measure: str) -> tuple[float, float]:
        """Return DiSCO, beyond or gain as a number of claims, and what no coarser node can exceed."""
        if measure == "beyond":
            return self.beyond, self.cap_beyond
        return (self.gain if measure == "gain" else self.right), self.cap

    def row(self, measure: str) -> Floats:
        """Return it by finest cell of the people evaluated, shape (n_cells,): for one person there."""
        return self._rows(measure)


class TargetNodes:
    """The finest cells of one target: people of the original, or outside it, and the levels that each synthesis holds.

    Attributes
    ----------
    q, t, people
        Shape (n_cells,): key combination, level and number of each cell of the people evaluated.
    beyond
        Shape (n_cells,): whether the level is another than the commonest; None where that is not one.
    """

    def __init__(self, nodes: KeyNodes, cells: Sequence[Cells], out: Exclusions, tau: float | None = None) -> None:
        self.nodes, self.out = nodes, out
        self.tau = None if tau == 1 else tau
        first = cells[0]
        self.column, self.n_codes = first.column, first.column.n_codes
        common = common_level(first.counted(out))
        self.common = common
        self._level = np.int16 if 4 * self.n_codes < _MOST_IN_16 else np.int32
        self.put_sides([(c.q.astype(np.intp), c.target.astype(self._level), c.s) for c in cells[: nodes.m]])
        at = first.d > 0
        self.members = self._people(first.q[at], first.target[at], first.d[at], None)
        self.outside = None
        if len(cells) > nodes.m:
            last = cells[-1]
            at = last.s > 0
            self.outside = self._people(last.q[at], last.target[at], last.s[at], first)
        self.star = common.codes[0] if common.is_one else None

    def with_sides(self, nodes: KeyNodes, sides: Sequence[Side]) -> TargetNodes:
        """Return the same people beside other synthetic records: key combination, level and records of each cell."""
        other = copy(self)
        other.nodes = nodes
        other.put_sides(sides)
        return other

    def coarsened(self, nodes: KeyNodes, node: Node, went: Indices) -> tuple[TargetNodes, Indices, Indices]:
        """Return the same from the combinations at a node; the cells of members that count there, and where they went.

        Parameters
        ----------
        nodes, went
            As `KeyNodes.coarsened` returns them.
        """
        people = self.members
        kept = np.flatnonzero(people.counted)
        rules = people.acting_from(node, self.nodes.levels)
        masks = [excluded[kept] for _, _, excluded in rules]
        q, t = went[people.q[kept]], people.t[kept]
        codes = q * self.n_codes + t
        for mask in masks:
            codes = codes * 2 + mask
        n_q = nodes.keys.d_q.size
        cell, n = distinct(codes, n_q * self.n_codes << len(masks), SPARSE)
        one = np.empty(n, dtype=np.intp)
        one[cell] = np.arange(cell.size)
        q, t = q[one], t[one]
        by_key = tuple((key, of_pair, mask[one]) for (key, of_pair, _), mask in zip(rules, masks, strict=True))
        other = copy(self)
        other.nodes, other.outside = nodes, None
        of = np.bincount(cell, people.n[kept], n).astype(float)
        other.members = People(q, t, of, np.ones(n, dtype=bool), by_key, people.are_outside)
        sides: list[Side] = []
        for s_q, s_t, s in self.sides:
            present, sums = summed(went[s_q] * self.n_codes + s_t, s, n_q * self.n_codes, SPARSE)
            q, t = np.divmod(present, self.n_codes)
            sides.append((q, t.astype(self._level), sums))
        other.put_sides(sides)
        return other, kept, cell

    def put_sides(self, sides: Sequence[Side]) -> None:
        """Take synthetic records by cell."""
        there = [n > 0 for _, _, n in sides]
        self.sides = [(q[at], t[at], n[at]) for (q, t, n), at in zip(sides, there, strict=True)]
        self.synthetic = [(q, t) for q, t, _ in self.sides]

    @property
    def needs_cells(self) -> bool:
        """Whether every node is counted from the finest cells, and no gain: with a denominator limit or τ."""
        return self.tau is not None or self.out.denominator_limit is not None

    def _people(self, q: Any, t: Any, n: Any, others: Cells | None) -> People:
        """Return people by cell, with what the exclusions take of them."""
        own_rules = rules(self.out, self.column, self.nodes.keys.keys)
        counted = np.ones(q.size, dtype=bool)
        by_key: list[tuple[int, bool, Mask]] = []
        for rule in own_rules:
            excluded = rule.leaves_out(self.nodes.keys.levels, q, t)
            if rule.key is None:
                counted &= ~excluded
            elif excluded.any():
                by_key.append((rule.key, rule.kind is Exclusion.PAIR, excluded))
        return People(
            q.astype(np.intp), t.astype(self._level), n.astype(float), counted, tuple(by_key), others is not None
        )

    def learnt(self, at: Merged, people: People | None = None, *, gain: bool = True) -> Learnt:
        """Return what is learnt at a node of the members, or of other people."""
        people = people or self.members
        weights, loose = self._counted_at(at, people), people.loose
        if self.tau is not None:
            return self._at_least(at, people, weights, self.tau)
        q, t = at.q[people.q], people.t
        taken: list[tuple[Levels, Floats]] = []
        right = cap = np.zeros(self.n_codes)
        each, claims, more = [], [], 0.0
        if gain and self.needs_cells:
            gain, claims, more = False, [float("nan")] * len(self.synthetic), float("nan")
        for s_q, s_t in self.synthetic:
            said = answers(at.q[s_q], s_t, at.n)[q]
            # Of each level: people with several levels, found nowhere, with a wrong claim, with a right one.
            how = people.of_level + (np.minimum(said, 0) + (said == t))
            n = np.bincount(how, weights, 4 * self.n_codes).reshape(-1, 4)
            near = n if weights is loose else np.bincount(how, loose, 4 * self.n_codes).reshape(-1, 4)
            each.append(float(n[:, 3].sum()))
            right = right + n[:, 3]
            cap = cap + near[:, 1] + near[:, 3]  # found nowhere here, a person may be found at a coarser node
            true = np.zeros(self.n_codes + 2)  # no claim, -1 and -2, takes nothing
            if gain:
                claimed = n[:, 2] + n[:, 3]
                claims.append(float(claimed.sum()))
                if claims[-1]:
                    true[:-2] = claimed / claims[-1]
                    of_claim = np.bincount(said + 2, weights, self.n_codes + 2)[2:]
                    more += float((n[:, 3] - of_claim * true[:-2]).sum())
            taken.append((said, true))

        def row(measure: str) -> Floats:
            found = np.zeros(t.size)
            for said, true in taken:
                found += said == t
                if measure == "gain":
                    found -= true[said]
            if measure == "beyond":
                found *= t != self.star
            return found if weights is people.n else found * (weights > 0)

        every, most = float(right.sum()), float(cap.sum())
        beyond, most_beyond = (0.0, 0.0) if self.star is None else (every - right[self.star], most - cap[self.star])
        return Learnt(tuple(each), every, float(beyond), more, tuple(claims), most, float(most_beyond), row)

    def _counted_at(self, at: Merged, people: People) -> Floats:
        """Return, shape (n_cells,), the people whom the exclusions leave at a node, and its denominator limit."""
        counted, limit = people.counted_at(at.node, self.nodes.levels), self.out.denominator_limit
        if limit is None:
            return counted
        own, members = self._cells_at(at, people.q, people.t), self.members
        everybody = [own] if people is members else [own, self._cells_at(at, members.q, members.t)]
        cell, n = distinct(np.concatenate(everybody), at.n * self.n_codes)
        d = np.bincount(cell[-members.n.size :], members.n, n)
        return counted * ~beyond(d[cell[: own.size]] + people.are_outside, limit)

    def _cells_at(self, at: Merged, q: Indices, t: Levels) -> Ints:
        """Return, shape (n,), a code for the combination at a node and the level of each cell."""
        return at.q[q] * self.n_codes + t

    def _at_least(self, at: Merged, people: People, weights: Floats, tau: float) -> Learnt:
        """Return the same of claims that are so sure, each as its probability; no cap holds for them."""
        own, *of_sides = (self._cells_at(at, q, t) for q, t in [(people.q, people.t), *self.synthetic])
        cell, n_cells = distinct(np.concatenate([own, *of_sides]), at.n * self.n_codes)
        mine, *theirs = np.split(cell, np.cumsum([own.size, *map(len, of_sides)])[:-1])
        q, counted = at.q[people.q], weights > 0
        each, right = [], np.zeros(own.size)
        for (s_q, _, n), place in zip(self.sides, theirs, strict=True):
            share = shares(np.bincount(place, n, n_cells)[mine], np.bincount(at.q[s_q], n, at.n)[q])
            sure = np.where(share >= tau, share, 0.0)
            right += sure
            each.append(_dot(sure * counted, people.n))
        right *= counted
        rows = {"DiSCO": right, "beyond": right * (people.t != self.star)}
        every, beyond = (_dot(row, people.n) for row in rows.values())
        unknown, inf = float("nan"), float("inf")
        return Learnt(tuple(each), every, beyond, unknown, (unknown,) * len(each), inf, inf, rows.__getitem__)


@dataclass(frozen=True, eq=False, repr=False)
class People:
    """Some people by finest cell.

    Attributes
    ----------
    q, t, n
        Shape (n_cells,): key combination, level of the target, and people.
    counted
        Shape (n_cells,): whether the exclusions without a key leave the cell.
    by_key
        Number of a key, whether only this very key level is meant (a pair), and the cells that the exclusion takes.
    are_outside
        Whether they are people outside the data, who do not count themselves in d.
    """

    q: Indices
    t: Levels
    n: Floats
    counted: Mask
    by_key: tuple[tuple[int, bool, Mask], ...]
    are_outside: bool

    @cached_property
    def loose(self) -> Floats:
        """Shape (n_cells,): the people counted where no exclusion of a key acts."""
        return self.n if self.counted.all() else self.n * self.counted

    @cached_property
    def of_level(self) -> Levels:
        """Shape (n_cells,): four numbers a level, the third of them."""
        return self.t * 4 + 2

    def acting_from(self, node: Node, levels: Sequence[Sequence[Coarsening]]) -> list[tuple[int, bool, Mask]]:
        """Return the exclusions of a key that act at a node or at a coarser one."""
        return [
            rule
            for rule in self.by_key
            if (node[rule[0]] == 0 if rule[1] else node[rule[0]] < len(levels[rule[0]]) - 1)
        ]

    def counted_at(self, node: Node, levels: Sequence[Sequence[Coarsening]]) -> Floats:
        """Return, shape (n_cells,), the people counted at a node.

        A missing key acts while the key is known at all; a pair only where the key is known as it is.
        """
        counted = self.counted
        for _, _, excluded in self.acting_from(node, levels):
            counted = counted & ~excluded
        return self.n if counted.all() else self.n * counted


def of_targets(tables: Tables, settings: Settings, nodes: KeyNodes, tau: float | None) -> dict[str, TargetNodes]:
    """Return the finest cells of every target."""
    return {
        name: TargetNodes(nodes, cells, settings.exclusions.of(name), tau) for name, cells in tables.targets.items()
    }


def _dot(where: Floats, people: Floats) -> float:
    """Return the sum of the products."""
    return float(np.einsum("i,i->", where, people))
