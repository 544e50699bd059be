"""What an intruder learns at one node: each key known to one of its levels. Counted from the finest cells.

Records are counted once. At a node the finest cells only change their number; no record is read again. A bound says
what no coarser node can exceed (`Node.cap`).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.claims import common_level
from disclosure_core.counting.codes import distinct, summed
from disclosure_core.counting.exclusions import Exclusion, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from disclosure_core.counting.cells import Cells, KeyTable, Tables
    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.hierarchies import Coarsening

Node = tuple[int, ...]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

Levels = npt.NDArray[np.signedinteger[Any]]
"""Codes of a target, in 16 bits where four times as many fit."""

Side = tuple[Indices, Levels, npt.NDArray[np.int64]]

_SPARSE = 16
"""A node's numbers are an array of their whole range where that is no longer than this many times the finest cells."""
_MOST = 2**62
_MOST_IN_16 = 2**15 - 4
_KEPT = 200_000
"""Combinations up to which the codes of every level are kept."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The finest key combinations at one node.

    Attributes
    ----------
    node
        The level of each key.
    q
        Shape (n_q,): for each finest combination its number here.
    n
        Numbers there are, some of them of no combination.
    """

    node: Node
    q: Indices
    n: int


class KeyNodes:
    """Key combinations, and what the keys alone give away at a node.

    Parameters
    ----------
    keys
        The finest combinations; the sides after the first `m` syntheses are people outside the data.
    levels
        Of each key, finest first.
    m
        Syntheses.
    """

    def __init__(self, keys: KeyTable, levels: Sequence[Sequence[Coarsening]], m: int) -> None:
        self.keys, self.levels, self.m = keys, tuple(tuple(each) for each in levels), m
        self.outside = keys.s_q[m] if len(keys.s_q) > m else None
        self._at = [codes.astype(np.intp) for codes in keys.levels]
        self.counts = [side.astype(float) for side in (keys.d_q, *keys.s_q[:m])]
        self._known: dict[tuple[int, int], Indices] = {}
        self._order = sorted(range(len(self.levels)), key=lambda k: -self.levels[k][0].size)
        self._begun: list[tuple[int, Indices | None, int]] = []
        """The last node key by key: its level, the combinations of the keys so far, and their range."""
        self._finest: tuple[KeyNodes, Indices] | None = None

    def with_synthetic(self, s_q: Sequence[npt.NDArray[np.int64]]) -> KeyNodes:
        """Return the same with other numbers of synthetic records by combination; they merge alike."""
        other = copy(self)
        other.keys = replace(self.keys, s_q=tuple(s_q))
        other.counts = [self.counts[0], *(side.astype(float) for side in s_q[: self.m])]
        return other

    def merged(self, node: Node) -> Merged:
        """Return the combinations at a node, numbered by the levels' codes, or ranked where these leave large gaps."""
        n_q, done = self.keys.d_q.size, 0
        for k, (at, *_) in zip(self._order, self._begun, strict=False):
            if node[k] != at:
                break
            done += 1
        del self._begun[done:]  # a search goes from node to node: most keys are known as they were
        q, size = self._begun[-1][1:] if done else (None, 1)
        for k in self._order[done:]:
            level = self.levels[k][node[k]]
            if level.size > 1:
                if size > _MOST // level.size and q is not None:
                    q, size = distinct(q, size)
                q = self._codes(k, node[k]) if q is None else q * level.size + self._codes(k, node[k])
                size *= level.size
            self._begun.append((node[k], q, size))
        if q is None:
            return Merged(node, np.zeros(n_q, dtype=np.intp), 1)
        if size > _SPARSE * n_q:
            q, size = distinct(q, size)
        return Merged(node, q, size)

    def _codes(self, k: int, level: int) -> Indices:
        """Return, shape (n_q,), the codes of a key at a level; kept where they are few."""
        found = self._known.get((k, level))
        if found is None:
            found = self.levels[k][level].codes[self._at[k]]
            if found.size <= _KEPT:
                self._known[k, level] = found
        return found

    def coarsened(self, node: Node) -> tuple[KeyNodes, Indices]:
        """Return the same from the combinations at a node, for it and all that is coarser; and where each one went."""
        at = self.merged(node)
        q, n = distinct(at.q, at.n, _SPARSE)
        one = np.empty(n, dtype=np.intp)
        one[q] = np.arange(q.size)  # of the combinations that go to each, any one
        levels = []
        for each, level in zip(self.levels, node, strict=True):
            now = each[level]
            coarser = [np.zeros(now.size, dtype=np.intp) for _ in each[level:]]
            for found, step in zip(coarser, each[level:], strict=True):
                found[now.codes] = step.codes
            steps = zip(coarser, each[level:], strict=True)
            levels.append((*each[:level], *(replace(step, codes=codes) for codes, step in steps)))
        keys = replace(
            self.keys,
            levels=tuple(
                self._codes(k, level)[one].astype(was.dtype)
                for k, (level, was) in enumerate(zip(node, self.keys.levels, strict=True))
            ),
            d_q=np.bincount(q, self.keys.d_q, n).astype(np.int64),
            s_q=tuple(np.bincount(q, side, n).astype(np.int64) for side in self.keys.s_q),
        )  # fmt: skip
        other = KeyNodes(keys, levels, self.m)
        whole, here = self._finest or (self, np.arange(q.size))
        other._finest = whole, here[one]
        return other, q

    def uniques(self, at: Merged, missing: Mask | None = None) -> Uniques:
        """Return the replicated uniques at a node.

        Parameters
        ----------
        at
            The node.
        missing
            Shape (n_q,): the combinations that are not counted.
        """
        d_q, *s_q = (side if missing is None else side * ~missing for side in self.counts)
        d = np.bincount(at.q, d_q, at.n)
        in_original = d == 1
        n_unique = int(in_original.sum())
        replicated, cap = [], 0
        for side in s_q:
            one = np.bincount(at.q, side, at.n) == 1
            cap += min(n_unique, int(one.sum()))
            replicated.append(one & in_original)
        return Uniques(float(sum(mask.sum() for mask in replicated)), float(cap), replicated, at.q, d_q > 0)

    def unique(self, at: Merged, missing: Mask | None = None) -> int:
        """Return how many original records are unique at a node."""
        d_q = self.keys.d_q if missing is None else self.keys.d_q * ~missing
        return int((np.bincount(at.q, d_q, at.n) == 1).sum())

    def found(self, at: Merged) -> npt.NDArray[np.bool_]:
        """Return, shape (m, n_q), whether the combination at the node occurs in each synthesis."""
        return np.stack([(np.bincount(at.q, side, at.n) > 0)[at.q] for side in self.keys.s_q[: self.m]])

    def missing(self, names: Iterable[str], node: Node) -> Mask | None:
        """Return the combinations in which a key of `names`, known at the node, is missing; None where none is."""
        known = frozenset(
            key.name for key, levels, level in zip(self.keys.keys, self.levels, node, strict=True)
            if level < len(levels) - 1
        )  # fmt: skip
        names = frozenset(names) & known
        if not names or self._finest is None:
            return self.keys.missing(names) if names else None
        whole, first = self._finest  # Missing stays a level of its own until unknown
        return whole.keys.missing(names)[first]


@dataclass(frozen=True, eq=False, repr=False)
class Uniques:
    """Replicated uniques at a node, over the syntheses.

    Attributes
    ----------
    n
        How many there are.
    cap
        What no coarser node can exceed.
    """

    n: float
    cap: float
    _replicated: Sequence[Mask]
    _q: Indices
    _there: Mask

    def row(self) -> Floats:
        """Return, shape (n_q,), in how many syntheses the one original record there is a replicated unique."""
        found = np.zeros(self._q.size)
        for mask in self._replicated:
            found += mask[self._q] & self._there
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Learnt:
    """What is learnt of one target at a node, over the syntheses.

    Attributes
    ----------
    right, beyond, gain
        Right claims; those of levels other than the commonest; right claims less the share of those with a claim who
        have the level that is claimed. With τ, probabilities.
    claims
        Claims, a synthesis each; only with the gain.
    cap
        Right claims that no coarser node can exceed.
    cap_beyond
        The same of levels other than the commonest.
    """

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
        self._codes = np.concatenate([c.codes for c in cells[: nodes.m]]) if self.needs_cells else first.codes[:0]
        self.put_sides([(c.q.astype(np.intp), c.target.astype(self._level), c.s) for c in cells[: nodes.m]])
        at = first.d > 0
        self.members = self._people(first.q[at], first.target[at], first.d[at], None)
        self.outside = None
        if len(cells) > nodes.m:
            last = cells[-1]
            at = last.s > 0
            self.outside = self._people(last.q[at], last.target[at], last.s[at], first)
        self.d_codes, self.d = first.codes[first.d > 0], first.d[first.d > 0]
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
        cell, n = distinct(codes, n_q * self.n_codes << len(masks), _SPARSE)
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
            present, sums = summed(went[s_q] * self.n_codes + s_t, s, n_q * self.n_codes, _SPARSE)
            q, t = np.divmod(present, self.n_codes)
            sides.append((q, t.astype(self._level), sums))
        other.put_sides(sides)
        return other, kept, cell

    def put_sides(self, sides: Sequence[Side]) -> None:
        """Take synthetic records by cell."""
        there = [n > 0 for _, _, n in sides]
        self.sides = [(q[at], t[at], n[at]) for (q, t, n), at in zip(sides, there, strict=True)]
        self.synthetic = [(q, t) for q, t, _ in self.sides]
        self._union: tuple[Indices, Indices] | None = None
        self._whole: tuple[npt.NDArray[np.int64], ...] = ()
        if self.needs_cells:
            codes = [q * self.n_codes + t for q, t in self.synthetic]
            union = np.unique(np.concatenate([self._codes, *codes]))
            self._union = np.divmod(union, self.n_codes)
            self._whole = tuple(
                np.bincount(np.searchsorted(union, code), n, union.size).astype(np.int64)
                for code, (_, _, n) in zip(codes, self.sides, strict=True)
            )

    @property
    def needs_cells(self) -> bool:
        """Whether a node needs the records of every cell: with a denominator limit or τ."""
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
        weights, loose = people.counted_at(at.node, self.nodes.levels), people.loose
        if self.needs_cells:
            return self._learnt_slowly(at, people, weights, loose)
        q, t = at.q[people.q], people.t
        taken: list[tuple[Levels, Floats]] = []
        right = cap = np.zeros(self.n_codes)
        claims, more = [], 0.0
        for s_q, s_t in self.synthetic:
            said = self.said(at, s_q, s_t)[q]
            # Of each level: people with several levels, found nowhere, with a wrong claim, with a right one.
            how = people.of_level + (np.minimum(said, 0) + (said == t))
            n = np.bincount(how, weights, 4 * self.n_codes).reshape(-1, 4)
            near = n if weights is loose else np.bincount(how, loose, 4 * self.n_codes).reshape(-1, 4)
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
        return Learnt(every, float(beyond), more, tuple(claims), most, float(most_beyond), row)

    def said(self, at: Merged, s_q: Indices, s_t: Levels) -> Levels:
        """Return, shape (n,), the level that all synthetic records there have; −1: no record, −2: several levels."""
        q = at.q[s_q]
        said = np.full(at.n, -1, dtype=s_t.dtype)
        said[q] = s_t
        said[q[np.flatnonzero(said[q] != s_t)]] = -2
        return said

    def _learnt_slowly(self, at: Merged, people: People, weights: Floats, loose: Floats) -> Learnt:
        """Return the same with a denominator limit or τ, which need the records of every cell at the node."""
        assert self._union is not None
        limit, tau = self.out.denominator_limit, 1.0 if self.tau is None else self.tau
        u_q, u_t = self._union
        codes = np.concatenate([at.q[u_q] * self.n_codes + u_t, at.q[people.q] * self.n_codes + people.t])
        cell, n_cells = distinct(codes, at.n * self.n_codes)
        of_union, mine = cell[: u_q.size], cell[u_q.size :]
        allowed = np.ones(people.q.size, dtype=bool)
        if limit is not None:
            d_q, d_t = np.divmod(self.d_codes, self.n_codes)
            of_members = pd.Series(self.d, index=at.q[d_q] * self.n_codes + d_t).groupby(level=0).sum()
            own = at.q[people.q] * self.n_codes + people.t
            d = of_members.reindex(own, fill_value=0).to_numpy()
            allowed = d + people.are_outside <= limit
        right = np.zeros(people.q.size)
        claims, cap, cap_beyond = [], 0.0, 0.0
        other = None if self.star is None else people.t != self.star
        for whole in self._whole:
            s, s_q = np.bincount(of_union, whole, n_cells), np.bincount(at.q[u_q], whole, at.n)
            share = _share(s[mine], s_q[at.q[people.q]])
            sure = share >= tau
            right += np.where(sure, share, 0.0) * allowed
            near = sure | (s_q[at.q[people.q]] == 0)
            cap += float(loose[near].sum())
            if other is not None:
                cap_beyond += float(loose[near & other].sum())
            claims.append(float("nan"))
        if self.tau is not None:
            cap = cap_beyond = float("inf")
        right *= weights > 0
        rows = {"DiSCO": right, "beyond": right * (people.t != self.star)}
        n, beyond = (_dot(row, people.n) for row in rows.values())
        return Learnt(n, beyond, float("nan"), tuple(claims), cap, cap_beyond, rows.__getitem__)


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


def _share(part: Any, whole: Any) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)
