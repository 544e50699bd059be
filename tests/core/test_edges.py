"""Edge cases work, or say why not."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Pair,
    Settings,
    Study,
    assess,
    count,
    identity_by_keys,
    restrict_to_study,
)


def test_a_sum_of_shares_is_rounded_once_a_cell():
    """49 × 1/49 is 1."""
    original, synthetic = pd.DataFrame({"k": ["a"] * 49, "t": ["x"] * 49}), ["x"] + ["y"] * 48
    found = assess(Study(original, [original.assign(t=synthetic)]), Settings(keys=("k",)))
    assert found.targets["t"].caps.loc[1, "DCAPd"] == 100 / 49


@pytest.mark.parametrize("name", ["target", "keys", "q", "Freq", "", "a | b", "$x$", "<b>", "nan", "x" * 500])
def test_any_column_name_will_do(name):
    data = pd.DataFrame({name: ["x", "y"], "key of it": ["a", "b"]})
    found = assess(Study(data, [data]), Settings(keys=("key of it",)))
    assert found.targets[name].attribute.loc[1, "DiSCO"] == 100


def test_keys_whose_levels_multiply_past_2_to_the_63():
    rng = np.random.default_rng(5)
    n, keys = 4000, [f"k{i}" for i in range(6)]
    data = pd.DataFrame({k: rng.permutation(n) for k in keys} | {"t": rng.integers(0, 3, n)})
    assert (n + 1.0) ** 6 > 2**63
    other = data.sample(frac=0.5, random_state=1).reset_index(drop=True)
    other.loc[: len(other) // 2, "k5"] = -1
    found = assess(Study(data, [other]), Settings(keys=keys))
    merged = data.merge(other, on=keys)
    assert found.identity.loc[1, "repU"] == 100 * len(merged) / n
    assert (
        found.targets["t"].attribute.loc[1, "DiSCO"] == 100 * (merged["t_x"] == merged["t_y"]).mean() * len(merged) / n
    )


def test_a_table_of_keys_by_target_is_never_made():
    rng = np.random.default_rng(6)
    n = 20_000
    data = pd.DataFrame({"k": rng.permutation(n), "t": rng.permutation(n)})
    study = Study(data, [data])
    tracemalloc.start()
    found = assess(study, Settings(keys=("k",)))
    assert found.targets["t"].attribute.loc[1, "DiSCO"] == 100
    _ = found.targets["t"].caps, found.targets["t"].two_way, found.targets["t"].exclusions
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6  # the table of 20,001 x 20,001 counts would take 3.2e9


DATA = pd.DataFrame({"sex": ["f", "m"], "age": [30, 40], "income": [1.0, 2.0], "job": ["cook", None]})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(), "Choose at least one key: a column that an intruder could know."),
        (Settings(keys=("agr",)), "Key 'agr' is not in both the original and the synthetic data. Did you mean 'age'?"),
        (Settings(keys=("sex",), targets=("jobs",)), "Target 'jobs' is not in both .* Did you mean 'job'?"),
        (Settings(keys=("sex",), targets=()), "Choose at least one target: a column that is not a key."),
        (Settings(keys=tuple(DATA)), "Choose at least one target: a column that is not a key."),
        (Settings(keys=("sex",), groups={"incom": 3}), "Grouped column 'incom' is not in both .* Did you mean 'income'?"),
        (Settings(keys=("sex",), exclusions=Exclusions(missing_targets={"jo"})), "Excluded column 'jo' is not in both"),
        (Settings(keys=("sex",), exclusions=Exclusions(target_levels={"jo": ["x"]})), "Excluded column 'jo' is not in"),
        (Settings(keys=("sex",), exclusions=Exclusions(missing_keys={"ag"})), "Excluded column 'ag' .* Did you mean 'age'?"),
        (Settings(keys=("sex",), exclusions=Exclusions(target_levels={"job": ["cok"]})),
         "Target level 'cok' is not of 'job'. Did you mean 'cook'?"),
        (Settings(keys=("sex",), exclusions=Exclusions(pairs={"job": [Pair("age", "30", "cook")]})),
         "The excluded pair names 'age', which is not a key; take the pair away."),
        (Settings(keys=("sex",), exclusions=Exclusions(pairs={"job": [Pair("sex", "x", "cook")]})),
         "Key level 'x' is not of 'sex'. Choose one of 'f', 'm', 'Missing'."),
    ],
)  # fmt: skip
def test_what_cannot_be_assessed_is_a_sentence(settings, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        assess(Study(DATA, [DATA]), settings)


def test_tables_of_another_study_are_not_used():
    settings = Settings(keys=("sex",), targets=("job",))
    one, other = Study(DATA, [DATA]), Study(DATA.head(1), [DATA.head(1)])
    assert assess(other, settings, count(one, settings)).n_original == 1
    named = replace(settings, exclusions=Exclusions(missing_targets={"nothing"}))
    with pytest.raises(DisclosureError, match="Excluded column 'nothing'"):
        assess(one, named, count(one, settings))


def test_there_is_no_other_comparison():
    with pytest.raises(DisclosureError, match="There is no comparison 'UiO'; choose one of DiSCO, DiSDiO, DCAP."):
        assess(Study(DATA, [DATA]), Settings(keys=("sex",))).summary("UiO")


def test_growth_ends_with_all_keys():
    study = Study(DATA, [DATA])
    growth = identity_by_keys(study, Settings(keys=("age", "sex")))
    assert growth["key"].tolist() == ["sex", "age"]
    whole = assess(study, Settings(keys=("age", "sex"))).identity.mean()
    assert growth.iloc[-1][whole.index].to_dict() == whole.to_dict()


def test_settings_are_fitted_to_other_data_and_what_goes_is_said():
    asked = Settings(
        keys=("sex", "region"),
        targets=("job", "wealth"),
        groups={"income": 3, "wealth": 4},
        exclusions=Exclusions(
            target_levels={"job": ["cook", "baker"], "wealth": ["1"]},
            missing_targets={"job", "wealth"},
            missing_keys={"sex", "region"},
            pairs={"job": [Pair("sex", "f", "cook"), Pair("region", "1", "cook"), Pair("sex", "q", "cook")]},
        ),
    )
    restricted, messages = restrict_to_study(Study(DATA, [DATA]), asked)
    assert restricted == Settings(
        keys=("sex",),
        targets=("job",),
        groups={"income": 3},
        exclusions=Exclusions(
            target_levels={"job": ["cook"]},
            missing_targets={"job"},
            missing_keys={"sex"},
            pairs={"job": [Pair("sex", "f", "cook")]},
        ),
    )
    assert messages == (
        "Key 'region' is not there any more and was dropped.",
        "Target 'wealth' is not there any more and was dropped.",
        "The excluded level of 'job' 'baker' is not there any more and was dropped.",
        "Not excluded any more, because they do not fit the keys and groups: “cook” of 'job' with 'region' “1”, “cook” of "
        "'job' with 'sex' “q”, missing values of the key 'region'.",
    )
    assess(Study(DATA, [DATA]), restricted)
    assert restrict_to_study(Study(DATA, [DATA]), restricted) == (restricted, ())


def test_combined_codes_stay_apart_beyond_64_bits():
    """Seven keys of 1,024 codes make 2 ** 70 combinations: two that differ by 16 in the first are one number modulo 2 ** 64."""
    levels = np.arange(1023)
    frame = pd.DataFrame({f"k{j}": [*levels, 0, 16] if j == 0 else [*levels, 5, 5] for j in range(7)})
    found = assess(Study(frame.assign(t="x"), [frame.assign(t="x")]), Settings(keys=tuple(frame.columns)))
    assert found.identity[["UiO", "UiS", "repU"]].to_numpy().tolist() == [[100, 100, 100]]
