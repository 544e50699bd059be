"""Several syntheses released together, against counts over dictionaries."""

import pandas as pd
import pytest
from hypothesis import given

from disclosure_core import Settings, Study, assess
from disclosure_core.sensitivity.combined_release import ONE_SYNTHESIS, combined_attributes, combined_identity
from tests.core.test_against_brute_force import KEYS, cases, frame
from tests.core.test_baseline import exclusions_of
from tests.reference import brute_beyond as brute


@given(cases())
def test_against_a_count_over_dictionaries(case):
    original, synthetic, (settings, out, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    targets, by_keys = combined_attributes(found), combined_identity(found)
    if len(synthetic) == 1:
        assert targets is ONE_SYNTHESIS
        assert by_keys is ONE_SYNTHESIS
        return
    keys = [name for name in KEYS if name in settings.keys]
    assert targets["any"].is_monotonic_increasing
    for row in targets.to_dict("records"):
        expected = brute.together(original, synthetic, keys, row["target"], exclusions_of(out, row["target"]))
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-9)
        risk = found.targets[row["target"]]
        assert row["Dorig"] == pytest.approx(risk.figures("Dorig").mean())
        alone = risk.figures("DiSCO")
        assert [row["alone"], row["alone_min"], row["alone_max"]] == pytest.approx(
            [alone.mean(), alone.min(), alone.max()]
        )
        assert row["alone_claimed"] == pytest.approx(risk.figures("DiS").mean())
        assert row["every"] <= row["pooled"] <= row["any"]
        assert row["any"] >= row["alone_max"] - 1e-9
        assert row["pooled"] <= row["pooled_claimed"] <= row["any_claimed"]
    expected = brute.together_by_keys(original, synthetic, keys, out["missing_keys"])
    assert {name: by_keys[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    repU = found.identity["repU"]
    assert [by_keys["alone"], by_keys["alone_min"], by_keys["alone_max"]] == pytest.approx(
        [repU.mean(), repU.min(), repU.max()]
    )
    assert by_keys["pooled"] <= by_keys["any"] <= by_keys["UiO"]


def test_who_contradicts_and_who_is_silent():
    """a: both right; b: one right, one silent; c: one right, one wrong; d: both wrong alike; e: never named."""
    original = pd.DataFrame({"k": list("abcde"), "t": ["x"] * 5})
    one = pd.DataFrame({"k": list("abcd"), "t": ["x", "x", "x", "y"]})
    two = pd.DataFrame({"k": list("acd"), "t": ["x", "y", "y"]})
    found = assess(Study(original, [one, two]), Settings(keys=("k",)))
    row = combined_attributes(found).iloc[0]
    assert (row["every"], row["pooled"], row["any"]) == (20, 40, 60)
    assert (row["alone"], row["alone_min"], row["alone_max"]) == (40, 20, 60)
    assert (row["pooled_claimed"], row["any_claimed"], row["alone_claimed"]) == (60, 80, 70)
    assert combined_identity(found) == {
        "UiO": 100,
        "alone": 70,
        "alone_min": 60,
        "alone_max": 80,
        "every": 60,
        "pooled": 20,
        "any": 80,
    }
