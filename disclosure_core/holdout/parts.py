"""What a difference between members and people outside is made of, and what people with the same keys tell.

A difference is no leak. Members may be disclosed correctly more often because their keys occur more often in the
synthetic data, because more of those found face a claim, or because more claims are right: three parts, which compare
different people. Whether their own answers are in the synthetic data is told by people who share all keys, and so every
claim, with somebody of the other side (measures.md 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from disclosure_core.arrays import Counts, Floats, Mask, Signed
from disclosure_core.holdout.intervals import CONFIDENCE, Z, difference_interval

DRAWS = 4_000
"""Draws behind the interval of a part."""

PERMUTATIONS = 999
"""How often membership is drawn anew within the key cells, where the normal interval does not hold."""

SMALL_WEIGHT = 5.0
"""Below this sum of Mantel and Haenszel's weights the permutation decides."""

ENOUGH = 10
"""People outside, in key cells whose people differ, below which the comparison is not evaluated."""

_SEED = 20_260


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Side:
    """People of one side, a row a cell of keys and answer.

    Attributes
    ----------
    n
        People, excluded ones included.
    people
        Shape (n_cells,): how many stand in each cell.
    steps
        Shape (k, n_cells), from 0 to 1: of the people of a cell, the mean over the syntheses of each step, such as
        found, claimed, right. Each step lies within the one before.
    """

    n: int
    people: Counts
    steps: Floats

    @property
    def shares(self) -> Floats:
        """Shape (k,): the share of all people that reaches each step."""
        return np.asarray(self.steps @ self.people / self.n)

    def size(self, k: int) -> float:
        """Return how many people the share that reaches step `k` is worth: n at least."""
        p, y = float(self.shares[k]), self.steps[k]
        variance = float((self.people * (y - p) ** 2).sum()) / max(self.n - 1, 1) / self.n
        return float(self.n) if variance <= 1e-15 or p <= 0 or p >= 1 else max(p * (1 - p) / variance, float(self.n))

    def ratio(self, k: int) -> float:
        """Return, of those who reach step `k` − 1, the share that reaches `k`, a ratio of sums; 0 where nobody does."""
        shares = self.shares
        return float(shares[k] / shares[k - 1]) if shares[k - 1] > 0 else 0.0

    def ratio_size(self, k: int) -> float:
        """Return how many people that ratio is worth; at most 5 for each who ever reaches step `k` − 1."""
        x, y, f, r = self.steps[k - 1], self.steps[k], float(self.shares[k - 1]), self.ratio(k)
        if f == 0:
            return 0.0
        variance = float((self.people * (y - r * x) ** 2).sum()) / max(self.n - 1, 1) / self.n / f**2
        if variance <= 1e-15 or r <= 0 or r >= 1:
            return float(x @ self.people)
        return min(max(r * (1 - r) / variance, 1.0), 5.0 * float(self.people[x > 0].sum()))

    def rates(self) -> Floats:
        """Return, shape (k,), the first share, and each later step's ratio to the one before."""
        return np.array([self.shares[0], *(self.ratio(k) for k in range(1, len(self.steps)))])

    def sizes(self) -> Floats:
        """Return, shape (k,), how many people each of `rates` is worth."""
        return np.array([self.size(0), *(self.ratio_size(k) for k in range(1, len(self.steps)))])


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a difference.

    Attributes
    ----------
    points, low, high
        percentage points of all people, with the 95 % interval by Jeffreys draws.
    sign
        1 where the score interval of its own rate lies above 0, −1 below, 0 where it holds 0.
    """

    points: float
    low: float
    high: float
    sign: int


def parts(members: Side, outside: Side) -> tuple[Part, ...] | None:
    """Return the parts of the difference in the last step: one a step, which add up to it exactly.

    Returns
    -------
    tuple of Part, or None
        None where nobody of a side reaches the step before the last: then there is no rate to compare.

    Source
    ------
    measures.md 10; two rates and three: Kitagawa (1955), J. Am. Stat. Assoc. 50, 1168-1194.
    """
    if not (members.shares[-2] > 0 and outside.shares[-2] > 0):
        return None
    m, o = members.rates(), outside.rates()
    points = split_up(m[:, None], o[:, None])[:, 0]
    rng = np.random.default_rng(_SEED)
    drawn = [
        rng.beta(p[:, None] * n[:, None] + 0.5, (1 - p[:, None]) * n[:, None] + 0.5, (len(p), DRAWS))
        for p, n in ((m, members.sizes()), (o, outside.sizes()))
    ]
    low, high = np.quantile(split_up(*drawn), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=1)
    low, high = np.minimum(low, points), np.maximum(high, points)  # a rate of 0 or 1 lies at the end of what is drawn
    signs = _signs(m, members.sizes(), o, outside.sizes())
    return tuple(
        Part(100 * float(p), 100 * float(a), 100 * float(b), int(s))
        for p, a, b, s in zip(points, low, high, signs, strict=True)
    )


def _signs(m: Floats, m_sizes: Floats, o: Floats, o_sizes: Floats) -> Floats:
    low, high = difference_interval(m, m_sizes, o, o_sizes)
    return np.where(low > 0, 1, np.where(high < 0, -1, 0))


def sign_of_first(members: Side, outside: Side) -> int:
    """Return 1 where the score interval of the first step's difference lies above 0, −1 where below; else 0."""
    return int(
        _signs(members.shares[:1], np.array([members.size(0)]), outside.shares[:1], np.array([outside.size(0)]))[0]
    )


def split_up(m: Floats, o: Floats) -> Floats:
    """Return, shape (k, n), the parts of the difference of the products of rates `m` and `o`, of that shape."""
    i, j = m[0], o[0]
    last_m, last_o = m[-1], o[-1]
    if len(m) == 2:
        return np.stack([(i - j) * (last_m + last_o) / 2, (last_m - last_o) * (i + j) / 2])
    u, v = m[1], o[1]
    accuracy = (last_m + last_o) / 2
    return np.stack(
        [
            (i - j) * (u + v) / 2 * accuracy,
            (u - v) * (i + j) / 2 * accuracy,
            (last_m - last_o) * (i * u + j * v) / 2,
        ]
    )


@dataclass(frozen=True, slots=True)
class SameKeys:
    """Members beside people outside who share all keys with them.

    Attributes
    ----------
    points, se, low, high
        M, percentage points of the members compared, its standard error and 95 % interval; None without a shared cell.
    p
        One-sided probability of such an M, or a larger one, where membership was dealt by lot; None as above.
    members, unique
        % of the members compared, and of the members with unique keys compared (None: no member has).
    outside, informative
        People outside in these cells, and those in cells whose people differ.
    """

    points: float | None
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    members: float
    unique: float | None
    outside: int
    informative: int

    @property
    def evaluated(self) -> bool:
        """Whether enough people outside share members' keys for M to say anything."""
        return self.points is not None and self.informative >= ENOUGH


def same_keys(q: Signed, d: Counts, h: Counts, right: Floats) -> SameKeys:
    """Return how much more often members are disclosed correctly than people outside with the same keys.

    Parameters
    ----------
    q
        Shape (n_cells,): the key combination of each cell.
    d, h
        Shape (n_cells,): members and people outside in each cell.
    right
        Shape (n_cells,), from 0 to 1: mean over the syntheses of *right*; 0 of who is excluded, alike for both sides.

    Source
    ------
    measures.md 10: Mantel and Haenszel's weights (1959), with the variance of permuting membership within the cells.
    """
    n_q = int(q.max(initial=-1)) + 1
    d_q, h_q = (np.bincount(q, weights=side, minlength=n_q) for side in (d, h))
    both, n = (d_q > 0) & (h_q > 0), d_q + h_q
    unique = d_q == 1
    reach = 100 * float(d_q[both].sum()) / max(float(d_q.sum()), 1.0)
    reach_unique = 100 * float((unique & both).sum()) / float(unique.sum()) if unique.any() else None
    if not both.any():
        return SameKeys(None, None, None, None, None, reach, reach_unique, 0, 0)
    size = np.where(n > 0, n, 1)
    mean = np.bincount(q, weights=(d + h) * right, minlength=n_q) / size
    squares = np.bincount(q, weights=(d + h) * (right - mean[q]) ** 2, minlength=n_q)
    least, most = np.full(n_q, np.inf), np.full(n_q, -np.inf)
    there = (d + h) > 0
    np.minimum.at(least, q[there], right[there])
    np.maximum.at(most, q[there], right[there])
    differ = both & (most > least)
    weight = (d_q * h_q / size)[both]
    W = float(weight.sum())
    excess = np.bincount(q, weights=d * (right - mean[q]), minlength=n_q)
    M = float(excess[both].sum()) / W
    variance = squares[both] / np.maximum(n[both] - 1, 1)
    se = float(np.sqrt((weight * variance).sum())) / W
    if W < SMALL_WEIGHT:
        chance = _by_permutation(q, d, h, right, differ, float(excess[both].sum()))
    elif se > 0:
        chance = 1 - NormalDist().cdf(M / se)
    else:
        chance = 1.0
    return SameKeys(
        100 * M,
        100 * se,
        100 * (M - Z * se),
        100 * (M + Z * se),
        chance,
        reach,
        reach_unique,
        int(h_q[both].sum()),
        int(h_q[differ].sum()),
    )


def _by_permutation(q: Signed, d: Counts, h: Counts, right: Floats, differ: Mask, observed: float) -> float:
    """Return the share of deals of membership within the key cells with such an excess or a larger one.

    Cells are dealt in an order of their own numbers, so that neither the order of records nor that of levels moves it.
    """
    rng = np.random.default_rng(_SEED)
    sums = np.zeros(PERMUTATIONS)
    cells = []
    for cell in np.flatnonzero(differ):
        at = np.flatnonzero(q == cell)
        at = at[np.lexsort(((d + h)[at], right[at]))]
        cells.append((int(d[at].sum()), (d + h)[at].tolist(), right[at].tolist()))
    for members, n, of_right in sorted(cells):
        people, y = np.array(n), np.array(of_right)
        dealt = rng.multivariate_hypergeometric(people, members, size=PERMUTATIONS)
        sums += dealt @ y - members * float(people @ y) / float(people.sum())
    return float(1 + (sums >= observed - 1e-12).sum()) / (PERMUTATIONS + 1)


def holm(p: Sequence[float | None]) -> list[bool]:
    """Return which of several one-sided probabilities stay below 2.5 % when all are judged together.

    None: not evaluated, and not among those judged.

    Source
    ------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    """
    judged = sorted((value, i) for i, value in enumerate(p) if value is not None)
    shown = [False] * len(p)
    for rank, (value, i) in enumerate(judged):
        if value > (1 - CONFIDENCE) / 2 / (len(judged) - rank):
            break
        shown[i] = True
    return shown
