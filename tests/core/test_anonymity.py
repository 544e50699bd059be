"""Class sizes and diversity against the plain counter, and the estimate for the population by simulation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from disclosure_core import DisclosureError, NotEvaluated, Settings, Study, count
from disclosure_core.sensitivity.anonymity import PopulationUnique, diversity, profile
from tests.core.test_every_figure import KEYS, TARGETS, cases, frame
from tests.reference import plainly
from tests.reference.plainly import released


@given(cases())
def test_against_the_plain_counter(case):
    original, synthetic, (settings, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    keys = [name for name in KEYS if name in settings.keys]
    found, levels = profile(study, settings), diversity(count(study, settings))
    data = plainly.data(original, synthetic)
    assert found.keys == tuple(keys)
    check(found.sizes, ["file", "size"], released.classes(data, keys))
    for k in (2, 4):
        check(found.under(k), ["file"], released.under(data, keys, k))
    for name in TARGETS:
        target = plainly.target(data, keys, name)
        expected = {
            (file, n): row for file in range(data.m + 1) for n, row in released.levels_in_classes(target, file).items()
        }
        check(levels[levels["target"] == name], ["file", "levels"], expected)


def check(rows, ids, expected):
    """The same rows in the same order, with the same figures."""
    assert list(rows[ids].itertuples(index=False, name=None)) == list(expected)
    for row, figures in zip(rows.to_dict("records"), expected.values(), strict=True):
        assert {name: row[name] for name in figures} == pytest.approx(figures)


@pytest.mark.parametrize("k", [1, 0, -3, 2.5])
def test_k_is_a_number_of_records(k):
    with pytest.raises(DisclosureError, match="k is a number of records"):
        profile(SMALL, Settings(keys=("k",))).under(k)


# ---- the population --------------------------------------------------------------------------------------------------

SMALL = Study(pd.DataFrame({"k": ["a", "b", "b"]}), [pd.DataFrame({"k": ["a"]})])


def test_the_estimate_is_the_share_of_correct_links():
    """Samples of a population we know: of the people who match a sample-unique record, how many are that person?"""
    rng = np.random.default_rng(6)
    population = pd.DataFrame({"a": rng.zipf(1.5, 20_000).clip(max=500), "b": rng.integers(0, 8, 20_000)})
    size_of = population.groupby(["a", "b"]).size()
    true, estimated = [], []
    for _ in range(20):
        sample = population.sample(2000, random_state=rng)
        found = profile(Study(sample, [sample]), Settings(keys=("a", "b"))).population(20_000)
        counts = sample.groupby(["a", "b"]).size()
        alone = counts[counts == 1].index
        assert found.sample_unique == len(alone)
        true.append(len(alone) / size_of[alone].sum())
        estimated.append(found.correct)
    off = np.array(estimated) - np.array(true)
    assert abs(off.mean()) < 4 * off.std(ddof=1) / np.sqrt(len(off))
    # A sample unique counted as a population unique would be far off.
    assert 0.05 < np.mean(true) < 0.6


def test_without_a_population_it_is_not_evaluated():
    found = profile(SMALL, Settings(keys=("k",))).population(None)
    assert isinstance(found, NotEvaluated)
    assert "need not be unique in the population" in found.why


def test_a_population_holds_its_sample():
    with pytest.raises(DisclosureError, match="cannot be smaller than the 3 records"):
        profile(SMALL, Settings(keys=("k",))).population(2)


@pytest.mark.parametrize(
    ("size", "correct", "words"),
    [
        # one class of one, one of two: π / (π + 2 (1 − π))
        (3, 1.0, "The original is the whole population, so each of them is unique there too."),
        (30, 0.1 / 1.9, "about 5.3 % are the person in it"),
    ],
)
def test_in_words(size, correct, words):
    found = profile(SMALL, Settings(keys=("k",))).population(size)
    assert found.correct == pytest.approx(correct)
    assert str(found).startswith("1 of 3 records is unique in the original, which holds ")
    assert words in str(found)


def test_in_words_where_nobody_is_unique():
    text = str(PopulationUnique(10, 1000, 0, 0.0))
    assert text == "0 of 10 records are unique in the original, which holds 1.00 % of 1,000 people."


@pytest.mark.parametrize(
    ("n", "population", "correct", "parts"),
    [
        (1000, 60_000_000, 0.00002, ("holds 0.002 % of 60,000,000 people", "about 0.002 % are")),  # not 0.00 %
        (99_999, 100_000, 0.996, ("holds 99.999 % of 100,000 people", "about 99.6 % are")),  # not 100 %, nor 1e+02 %
    ],
)
def test_a_share_is_not_written_as_none_or_all(n, population, correct, parts):
    text = str(PopulationUnique(n, population, 5, correct))
    assert [part for part in parts if part not in text] == []
