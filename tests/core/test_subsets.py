"""Which subsets of the keys are searched: all while they are few, and what was left out is said."""

# Inside: cells of subsets are put together in one function.

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Study
from disclosure_core.counting import subsets as room
from disclosure_core.counting.count import combine
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.subsets import Search, at_subsets, plan


def names_of(k):
    return [f"k{i:02}" for i in range(k)]


@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_up_to_12_keys_every_subset_once(k):
    subsets, coverage = plan(names_of(k))
    expected = {c for n in range(1, k + 1) for c in combinations(range(k), n)}
    assert len(subsets) == len(expected) == coverage.n_searched == coverage.n_subsets
    assert set(subsets) == expected
    assert coverage.whole
    assert list(subsets) == sorted(subsets)


@pytest.mark.parametrize("k", range(3, 8))
def test_every_subset_is_searched_up_to_so_many_keys_as_are_asked_for(k):
    assert plan(names_of(k), Search(exhaustive=k, budget=1))[1].whole
    assert plan(names_of(k), Search(exhaustive=k - 1, budget=1))[1].whole == (
        k == 3
    )  # of three, sizes 1, 2 and 3 always are


@pytest.mark.parametrize(("k", "budget"), [(13, 4095), (16, 3000), (20, 4095), (40, 500), (14, 1)])
def test_beyond_that_by_size_within_the_budget(k, budget):
    subsets, coverage = plan(names_of(k), Search(budget=budget))
    by_size = coverage.by_size.set_index("n_keys")
    assert len(set(subsets)) == len(subsets) == coverage.n_searched
    found = pd.Series([len(s) for s in subsets]).value_counts().sort_index()
    assert found.tolist() == by_size["n_searched"].tolist()
    assert by_size["n_subsets"].sum() == 2**k - 1 == coverage.n_subsets
    for size in (1, k - 1, k):
        assert by_size.loc[size, "n_searched"] == by_size.loc[size, "n_subsets"]
    assert (by_size["n_searched"] >= 1).all()
    assert not coverage.whole
    # All keys, each alone and all but one are searched whatever the budget, and one at least of every size.
    assert coverage.n_searched <= max(budget, 2 * k + 1 + k)
    assert str(coverage) == f"{len(subsets):,} of {2**k - 1:,} subsets searched"


def test_small_subsets_are_whole_before_large_numbers_are_drawn():
    by_size = plan(names_of(16), Search(budget=4095))[1].by_size.set_index("n_keys")
    assert by_size.loc[[1, 2, 14, 15, 16], "n_searched"].tolist() == [16, 120, 120, 16, 1]
    assert by_size.loc[8, "n_searched"] < by_size.loc[8, "n_subsets"]


def test_a_seed_means_the_same_subsets_whatever_the_order_of_the_columns():
    names = names_of(14)
    search = Search(budget=500, seed=3)

    def by_name(order, search):
        return {frozenset(order[i] for i in s) for s in plan(order, search)[0]}

    assert by_name(names, search) == by_name(names[::-1], search)
    assert by_name(names, search) != by_name(names, Search(budget=500, seed=4))


@pytest.mark.parametrize("wrong", [{"exhaustive": 0}, {"budget": -1}, {"budget": 2.5}])
def test_a_search_is_a_whole_number(wrong):
    with pytest.raises(DisclosureError, match="whole number above 0"):
        Search(**wrong)


def test_a_node_tells_combinations_of_a_subset_apart():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({f"k{i}": rng.integers(0, 4, 60).astype(str) for i in range(4)})
    keys = combine(list(Study(frame, [frame]).columns.values()))
    subsets, _ = plan(["k0", "k1", "k2", "k3"])
    seen = []
    for subset, at in at_subsets(KeyNodes.of_subsets(keys, 1), subsets):
        texts = ["|".join(str(keys.levels[i][q]) for i in subset) for q in range(keys.d_q.size)]
        numbers = at.q.tolist()
        assert len(set(texts)) == len(set(numbers)) == len(set(zip(texts, numbers, strict=True)))
        assert 0 <= min(numbers) <= max(numbers) < at.n
        seen.append(subset)
    assert sorted(seen) == list(subsets)


def test_progress_is_told_now_and_then_and_at_the_end(monkeypatch):
    """Each telling may redraw a page: not after each of 255 subsets, and the last always."""
    clock = iter(np.arange(10_000) * room._EVERY / 10)
    monkeypatch.setattr(room, "monotonic", lambda: float(next(clock)))
    frame = pd.DataFrame({name: [0, 1, 1] for name in names_of(8)})
    keys = combine([Study(frame, [frame]).columns[name] for name in names_of(8)])
    told = []
    nodes = KeyNodes.of_subsets(keys, 1)
    n = len(list(at_subsets(nodes, plan(names_of(8))[0], lambda *at: told.append(at))))
    assert told[-1] == (n, n)
    assert n / 12 < len(told) < n / 8
