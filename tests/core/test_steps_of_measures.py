"""The step of each measure: one original record is added to random tables, and the largest change is counted."""

# Inside: the least step of each measure stands in the registry.

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, assess
from disclosure_core.counting.registry import BY_NAME, IDENTITY, OF_TARGET, SHAREABLE, WHOLE_CELLS


def sums(original, synthetic, asked):
    """Return of each measure the sum that it is a share of."""
    found = assess(Study(original, [synthetic]), asked)
    (risk,) = found.targets.values()
    shares = {m: float(risk.figures(m)[0]) for m in OF_TARGET} | found.identity.iloc[0].to_dict()
    of = {m: len(synthetic) if BY_NAME[m].of == "synthetic records" else len(original) for m in shares}
    return {m: shares[m] * of[m] / 100 for m in shares if BY_NAME[m].step is not None}


def table(rng, n, keys):
    return pd.DataFrame(
        {"k": rng.choice(keys, n), "l": rng.choice(["p", "q"], n), "t": rng.choice(["x", "y", None], n)}
    )


def largest_changes(n_tables, seed=0):
    """Return the largest change of each sum by one original record that is added, a new combination of keys among them."""
    rng, most = np.random.default_rng(seed), defaultdict(float)
    out = Exclusions(
        target_levels={"t": ["x"]}, missing_keys={"k"}, missing_targets={"t"}, pairs={"t": [Pair("k", "a", "y")]}
    )
    for i in range(n_tables):
        original, synthetic = (table(rng, rng.integers(4, 12), list("aab") + [None] * (i % 2)) for _ in range(2))
        synthetic = pd.concat(
            [synthetic, pd.DataFrame([["a", "p", "x"], ["c", "p", "y"], ["b", "p", None]], columns=[*"klt"])]
        )
        original = pd.concat([original, pd.DataFrame([["a", "p", "x"], *[["c", "p", "y"]] * 3], columns=[*"klt"])])
        new = pd.concat([original, table(rng, 1, list("abcd"))])
        asked = Settings(keys=("k", "l"), exclusions=out if i % 3 == 0 else Exclusions())
        before, after = (
            sums(frame.reset_index(drop=True), synthetic.reset_index(drop=True), asked) for frame in (original, new)
        )
        for name, was in before.items():
            most[name] = max(most[name], abs(after[name] - was))
    return most


@pytest.mark.parametrize("n_tables", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_sum_moves_by_more_than_its_step(n_tables):
    most = largest_changes(n_tables)
    assert {*most} == {*OF_TARGET, *IDENTITY} - {name for name, m in BY_NAME.items() if m.step is None}
    for name, change in most.items():
        step = BY_NAME[name].step
        assert change <= step + 1e-6, name
        if step:  # and it is not taken for larger than it is
            assert change > (1.5 if name in WHOLE_CELLS else 0.5), name


def test_a_whole_cell_falls_by_one_record():
    """14 people share their keys and their answer; the fifteenth has another."""
    people = pd.DataFrame({"k": ["a"] * 14, "l": "p", "t": "x"})
    other = pd.concat([people, pd.DataFrame({"k": ["a"], "l": "p", "t": "y"})], ignore_index=True)
    before, after = (sums(f, people, Settings(keys=("k", "l"))) for f in (people, other))
    moved = {name: round(before[name] - after[name], 6) for name in before}
    assert {name: moved[name] for name in WHOLE_CELLS} == dict.fromkeys(WHOLE_CELLS, 14)
    assert all(abs(moved[name]) <= 1 for name in SHAREABLE)


def test_a_denominator_limit_moves_disco_by_a_whole_cell():
    """Why a shareable report is refused where one is set."""
    people = pd.DataFrame({"k": ["a"] * 8, "l": "p", "t": "x"})
    other = pd.concat([people, people.iloc[:1]], ignore_index=True)
    asked = Settings(keys=("k", "l"), exclusions=Exclusions(denominator_limit=8))
    assert [round(sums(f, people, asked)["DiSCO"]) for f in (people, other)] == [8, 0]
