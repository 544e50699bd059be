"""DiSCO and repU of key subsets: each as an assessment with those keys alone, and the panel's toy case."""

# Inside: the names of measures, and bounds as the page Keys sets them.

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Review, Settings, Study, demo, partition, search_subsets
from disclosure_core.counting.registry import IDENTITY
from disclosure_core.counting.subsets import Search
from disclosure_core.review.intruders import with_bounds
from tests.commands import condition
from tests.core.test_baseline import with_holdout
from tests.core.test_every_figure import KEYS, TARGETS, exclusions_of, frame
from tests.reference import plainly
from tests.written import fixed


@given(with_holdout(), st.booleans())
def test_against_the_plain_counter(case, use_holdout):
    training, synthetic, holdout, (settings, out, *_) = case
    sides = [frame(side) for side in synthetic]
    of = partition(frame(training), frame(holdout), sides) if use_holdout else Study(frame(training), sides)
    found = search_subsets(of, settings)
    keys = [name for name in KEYS if name in settings.keys]
    assert found.keys == tuple(keys)
    data = plainly.data(training, synthetic, holdout)
    rows = {row["keys"]: row for row in found.identity.to_dict("records")}
    assert set(rows) == {some for n in range(1, len(keys) + 1) for some in combinations(keys, n)}
    for subset, row in rows.items():
        each = plainly.identity(data, subset, out["missing_keys"])
        for measure in IDENTITY:
            assert row[measure] == pytest.approx(np.mean([e[measure] for e in each]), abs=1e-9)
        spread(row, [e["repU"] for e in each])
    for target in TARGETS:
        for row in found.of(target).to_dict("records"):
            members, others = zip(
                *plainly.right(plainly.target(data, row["keys"], target, exclusions_of(out, target))), strict=True
            )
            assert row["DiSCO"] == pytest.approx(np.mean(members), abs=1e-9)
            spread(row, members)
            assert ("non_members" in row) == use_holdout
            if use_holdout:
                assert row["non_members"] == pytest.approx(np.mean(others), abs=1e-9)
                assert row["difference"] == pytest.approx(np.mean(members) - np.mean(others), abs=1e-9)


def spread(row, each):
    assert [row["min"], row["max"]] == pytest.approx([min(each), max(each)], abs=1e-9)
    if len(each) == 1:
        assert np.isnan(row["sd"])
    else:
        assert row["sd"] == pytest.approx(np.std(each, ddof=1), abs=1e-9)


# The panel's Figure 1: who is 64, male, with a BMI of 40, takes a beta-blocker and diuretics, and had an infarction?
TOY = ("age", "sex", "bmi", "blocker", "diuretic", "mi")
TOY_A = [("64", "M", "40", "Y", "Y", "Y"), ("50", "M", "36", "Y", "Y", "Y"), ("64", "M", "50", "N", "N", "N")]
TOY_C = [*TOY_A[:2], ("64", "M", "50", "N", "N", "Y")]
OTHERS = [("55", "M", "42", "Y", "N", "N"), ("62", "M", "49", "Y", "Y", "N")]
TOYS = {
    # name: training, synthetic; repU, DiSCO with all keys; repU, DiSCO with age, sex and BMI alone
    "A": (TOY_A, [("64", "M", "40", "Y", "Y", "Y"), *OTHERS], (33.33, 33.33), (33.33, 33.33)),
    "B": (TOY_A, [("64", "M", "40", "Y", "N", "Y"), *OTHERS], (0, 0), (33.33, 33.33)),
    "C": (
        TOY_C,
        [("64", "M", "40", "Y", "Y", "Y"), ("55", "M", "42", "Y", "N", "N"), ("64", "M", "40", "Y", "N", "N")],
        (33.33, 33.33),
        (0, 0),
    ),
    "D": (TOY_C, [("64", "M", "40", "Y", "Y", "N"), *OTHERS], (33.33, 0), (33.33, 0)),
}


@pytest.mark.parametrize("name", TOYS)
def test_the_toy_case_of_the_panel(name):
    """consensus.md 3.5: fewer keys are worse in B, more keys in C, and D replicates a unique but tells nothing true."""
    original, synthetic, full, reduced = TOYS[name]
    study = Study(pd.DataFrame(original, columns=TOY), [pd.DataFrame(synthetic, columns=TOY)])
    found = search_subsets(study, Settings(keys=TOY[:5], targets=("mi",)))
    for keys, expected in ((TOY[:5], full), (TOY[:3], reduced)):
        repU = found.identity[found.identity["keys"].isin([keys])].iloc[0]["repU"]
        DiSCO = found.of("mi")[found.of("mi")["keys"].isin([keys])].iloc[0]["DiSCO"]
        assert (round(repU, 2), round(DiSCO, 2)) == expected
    worst = found.worst("DiSCO", "mi")
    assert round(worst.all_keys, 2) == full[1]
    assert worst.figure >= max(full[1], reduced[1]) - 0.005


def test_what_each_key_adds_and_what_remains_without_it():
    study = demo.study()
    settings = Settings(keys=demo.KEYS, targets=("marital",), groups=demo.GROUPS)
    found = search_subsets(study, settings)
    for measure, target in (("DiSCO", "marital"), ("repU", None), ("UiO", None)):
        table = found.each_key(measure, target)
        figure = dict(zip(found.of(target)["keys"], found.of(target)[measure], strict=True))
        assert set(table["key"]) == set(demo.KEYS)
        assert table["adds"].is_monotonic_decreasing
        for row in table.to_dict("records"):
            rest = tuple(k for k in found.keys if k != row["key"])
            assert (row["alone"], row["without"], row["all"]) == (
                figure[(row["key"],)],
                figure[rest],
                figure[found.keys],
            )
            assert row["adds"] == row["all"] - row["without"]
    # More keys never make fewer people unique.
    assert (found.each_key("UiO")["adds"] >= 0).all()
    assert (np.diff(found.by_size("UiO")["max"]) >= 0).all()


def test_by_size_is_over_the_subsets_of_that_size():
    found = search_subsets(demo.study(), Settings(keys=demo.KEYS, targets=("marital",)), attributes=False)
    assert found.attribute.empty
    table = found.by_size("repU").set_index("n_keys")
    assert table["n_searched"].tolist() == [4, 6, 4, 1]
    for size, row in table.iterrows():
        values = found.identity[found.identity["n_keys"] == size]["repU"]
        assert [row["mean"], row["min"], row["max"]] == pytest.approx([values.mean(), values.min(), values.max()])
    worst = found.worst("repU")
    assert worst.figure == found.identity["repU"].max()
    assert worst.all_keys == found.identity["repU"].iloc[-1]


def test_one_key_alone():
    original = pd.DataFrame({"k": ["a", "b", "b"], "t": ["x", "y", "z"]})
    found = search_subsets(Study(original, [original]), Settings(keys=("k",)))
    row = found.each_key("DiSCO", "t").iloc[0]
    assert (row["alone"], row["without"], row["adds"]) == (row["all"], 0, row["all"])
    assert row["all"] == pytest.approx(100 / 3)


def test_many_keys_state_the_coverage():
    rng = np.random.default_rng(2)
    names = [f"k{i:02}" for i in range(13)]
    original = pd.DataFrame(rng.integers(0, 3, (80, 13)), columns=names).assign(t=rng.integers(0, 2, 80))
    seen = []
    found = search_subsets(
        Study(original, [original.iloc[:60]]),
        Settings(keys=tuple(names)),
        Search(budget=300),
        progress=lambda *at: seen.append(at),
    )
    assert found.coverage.n_searched < found.coverage.n_subsets == 8191
    assert len(found.identity) == found.coverage.n_searched == seen[-1][0] == seen[-1][1]
    assert len(found.each_key("DiSCO", "t")) == 13


@pytest.mark.parametrize(
    ("measure", "target", "said"),
    [
        ("DiSCO", "u", "'u' was not among the targets"),
        ("repU", "t", "no 'repU' of t"),
        ("DiSCO", None, "no 'DiSCO' of the keys"),
        ("n_keys", None, "no 'n_keys' of the keys"),
    ],
)
def test_what_was_not_searched_is_said(measure, target, said):
    original = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    found = search_subsets(Study(original, [original]), Settings(keys=("k",)))
    with pytest.raises(DisclosureError, match=said):
        found.worst(measure, target)


def test_no_key_is_an_error():
    original = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    for attributes in (True, False):
        with pytest.raises(DisclosureError, match="Choose at least one key"):
            search_subsets(Study(original, [original]), Settings(), attributes=attributes)


FOURTEEN = [f"k{i:02}" for i in range(14)]


@pytest.fixture(scope="module")
def many():
    """Fourteen keys, of which no search looks at every subset unasked."""
    rng = np.random.default_rng(3)
    original = pd.DataFrame(rng.integers(0, 3, (120, 15)).astype(str), columns=[*FOURTEEN, "t"])
    synthetic = pd.DataFrame(rng.integers(0, 3, (120, 15)).astype(str), columns=[*FOURTEEN, "t"])
    synthetic.iloc[:40] = original.iloc[:40]
    return Review.of(FOURTEEN, targets=["t"]).open(original, [synthetic])


@pytest.mark.slow
def test_two_searches_that_stop_early_never_give_less_than_each_other(many):
    subsets, strongest = many.subsets(), many.strongest_intruder()
    assert (subsets.complete, strongest.complete) == (False, False)
    for measure, target in (("repU", ""), ("DiSCO", "t")):
        figure = strongest.of(measure, target)["figure"]
        assert subsets.worst(measure, target or None).figure == pytest.approx(figure)
    first = search_subsets(many.study(), many.review.settings)  # without the other search
    assert subsets.worst("DiSCO", "t").figure >= first.worst("DiSCO", "t").figure
    n = subsets.coverage.n_searched
    assert subsets.coverage.of_those == f" of those that were searched ({n:,} of 16,383)"
    every = search_subsets(many.study(), many.review.settings, Search.up_to(2**14 - 1))
    assert (every.complete, every.coverage.of_those) == (True, "")
    assert every.worst("DiSCO", "t").figure >= subsets.worst("DiSCO", "t").figure
    rows = subsets.attribute.merge(every.attribute, on=["target", "keys"])
    assert len(rows) == n
    assert rows["DiSCO_x"].tolist() == pytest.approx(rows["DiSCO_y"].tolist())


@pytest.mark.slow
def test_a_search_that_stopped_early_passes_no_condition(many):
    repU = many.subsets().worst("repU").figure
    above, beyond = f"worst(repU)>{repU + 1}", f"worst(repU)>{repU - 1}"
    (said,) = condition(above)(many)
    assert said.startswith(f"{above} is not evaluated for the keys: it is at least {fixed(repU)}; ")
    assert "holds for the keys: at least" in condition(beyond)(many)[0]
    assert condition(f"worst(repU)<{repU - 1}")(many) == []  # it is at least more
    assert "not evaluated" in condition(f"worst(repU)<{repU + 1}")(many)[0]
    assert condition("worst(UiO)>100")(many) == []  # fewer keys have no more uniques: that of all keys is exact
    largest = many.strongest_intruder().of("gain", "t")["figure"]
    assert "--nodes looks at more" in condition(f"strongest(gain)>{largest + 1}")(many)[0]
    known = many.review.knows
    whole = with_bounds(many.review, replace(known.bounds, subsets=2**14 - 1))
    found = many.with_review(whole)
    largest = found.subsets().worst("repU").figure
    assert condition(f"worst(repU)>{largest}")(found) == []
    asked = replace(many.review, searched=frozenset({"subsets"}))
    written = json.loads(many.with_review(asked).to_json())
    assert written["complete"] is False
    assert any(note.startswith("Subsets of the keys: ") for note in written["notes"])
