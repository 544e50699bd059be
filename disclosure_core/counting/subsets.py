"""Which subsets of the keys are searched, and what is read from a figure that every subset has.

Records are counted once, for all keys; a subset only merges their combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.counting.measures import over_syntheses
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.nodes import KeyNodes, Merged

Subset = tuple[int, ...]
Progress = Callable[[int, int], None]

_EVERY = 0.1
"""Seconds between two reports of progress; with many records a subset takes longer."""


@dataclass(frozen=True, slots=True)
class Search:
    """How far to search.

    Attributes
    ----------
    exhaustive
        Up to so many keys every subset is searched.
    budget
        Beyond, about so many subsets: all keys, each key alone and all but one always, then the same number of each
        size, smaller sizes whole first.
    seed
        Of the subsets drawn beyond `exhaustive`.

    Raises
    ------
    DisclosureError
        When a number is not a whole number above 0.
    """

    exhaustive: int = 12
    budget: int = 4095
    seed: int = 1

    def __post_init__(self) -> None:
        if not all(isinstance(n, int) and n > 0 for n in (self.exhaustive, self.budget)):
            raise DisclosureError("Say with a whole number above 0 how many subsets of the keys to search.")

    @classmethod
    def up_to(cls, n: int) -> Search:
        """Return the search of every subset where there are no more than `n`, else of about `n`.

        Raises
        ------
        DisclosureError
            When it is not a whole number above 0.
        """
        return cls(max((n + 1).bit_length() - 1, 1) if isinstance(n, int) else 1, n)


@dataclass(frozen=True, eq=False, repr=False)
class Coverage:
    """Which subsets of the keys were searched, of how many.

    Attributes
    ----------
    by_size
        A row a number of keys: n_keys, n_searched, n_subsets.
    """

    by_size: pd.DataFrame

    @property
    def n_searched(self) -> int:
        """Subsets searched."""
        return int(self.by_size["n_searched"].sum())

    @property
    def n_subsets(self) -> int:
        """Subsets there are, 2^k − 1."""
        return int(self.by_size["n_subsets"].sum())

    @property
    def whole(self) -> bool:
        """Whether every subset was searched."""
        return self.n_searched == self.n_subsets

    @property
    def of_those(self) -> str:
        """What a figure is the largest of, after its name; empty where every subset was searched."""
        return "" if self.whole else f" of those that were searched ({self.n_searched:,} of {self.n_subsets:,})"

    def __str__(self) -> str:
        return f"{self.n_searched:,} of {self.n_subsets:,} subsets searched"

    def with_more(self, other: Coverage) -> Coverage:
        """Return the coverage of two searches that have no subset in common."""
        return Coverage(self.by_size.assign(n_searched=self.by_size["n_searched"] + other.by_size["n_searched"]))


def named_subsets(names: Sequence[str], named: Collection[Collection[str]]) -> tuple[tuple[Subset, ...], Coverage]:
    """Return some subsets of `names`, each named, as `plan` does."""
    chosen = {tuple(i for i, name in enumerate(names) if name in each) for each in named}
    k = len(names)
    sizes = [
        {"n_keys": n, "n_searched": sum(len(each) == n for each in chosen), "n_subsets": comb(k, n)}
        for n in range(1, k + 1)
    ]
    return tuple(sorted(chosen)), Coverage(pd.DataFrame(sizes))


def plan(names: Sequence[str], search: Search | None = None) -> tuple[tuple[Subset, ...], Coverage]:
    """Return the subsets of `names` to search, as rising positions, and the coverage.

    What is drawn depends on the names, not on the order they stand in.

    Source
    ------
    consensus.md 2.5: no method for many keys is agreed, so the coverage is part of the result.
    """
    search = search or Search()
    k = len(names)
    by_name = sorted(range(k), key=lambda i: names[i])
    subsets: list[Subset] = []
    sizes: list[dict[str, int]] = []
    for size in sorted(range(1, k + 1), key=lambda n: comb(k, n)):
        of = comb(k, size)
        share = max((search.budget - len(subsets)) // (k - len(sizes)), 1)
        if k <= search.exhaustive or size in (1, k - 1, k) or of <= share:
            drawn = list(combinations(range(k), size))
        else:
            drawn = [tuple(sorted(by_name[i] for i in c)) for c in _drawn(k, size, share, search.seed)]
        sizes.append({"n_keys": size, "n_searched": len(drawn), "n_subsets": of})
        subsets += drawn
    return tuple(sorted(subsets)), Coverage(pd.DataFrame(sizes).sort_values("n_keys", ignore_index=True))


def _drawn(k: int, size: int, n: int, seed: int) -> list[Subset]:
    """Return `n` different subsets of `size` out of `k`, where there are more than `n`."""
    rng = np.random.default_rng([seed, size])
    subsets: dict[Subset, None] = {}
    while len(subsets) < n:
        draws = np.sort(rng.random((n, k)).argsort(axis=1)[:, :size], axis=1)
        subsets |= dict.fromkeys(map(tuple, draws.tolist()))
    return list(subsets)[:n]


def at_subsets(
    nodes: KeyNodes, subsets: Sequence[Subset], progress: Progress | None = None
) -> Iterator[tuple[Subset, Merged]]:
    """Yield each subset, and the node at which its keys are known as they are and the others not at all.

    Parameters
    ----------
    nodes
        As `KeyNodes.of_subsets` returns them.
    subsets
        Rising positions. What two in turn share is merged once, and they come in an order that makes this much.
    progress
        Called with subsets done and in all; what it raises ends the search.
    """
    told = monotonic()
    by_node = {tuple(int(k not in subset) for k in range(len(nodes.levels))): subset for subset in subsets}
    for done, node in enumerate(sorted(by_node, key=nodes.path_of), start=1):
        yield by_node[node], nodes.merged(node)
        if progress is not None and (monotonic() - told >= _EVERY or done == len(subsets)):
            progress(done, len(subsets))
            told = monotonic()


@dataclass(frozen=True, slots=True)
class Worst:
    """The subset of the keys with the largest figure, beside all keys.

    Attributes
    ----------
    keys
        Its keys, in the order of the data; of equal figures the fewest keys.
    figure, all_keys
        The figure of that subset, and of all keys.
    """

    keys: tuple[str, ...]
    figure: float
    all_keys: float


def worst_of(rows: pd.DataFrame, measure: str) -> Worst:
    """Return the row with the largest `measure`; of equal ones the fewest keys, then the first names."""
    best = rows[measure].max()
    ties = rows[np.isclose(rows[measure], best, rtol=0, atol=1e-12)]
    keys = min(ties["keys"], key=lambda names: (len(names), sorted(names)))
    return Worst(keys, float(best), float(rows[measure].to_numpy()[rows["n_keys"].argmax()]))


def curve(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return mean, sd, min and max of `measure` over the subsets of each number of keys."""
    by_size = rows.groupby("n_keys")[measure]
    return pd.DataFrame([{"n_keys": n, "n_searched": len(x)} | over_syntheses(x) for n, x in by_size])
