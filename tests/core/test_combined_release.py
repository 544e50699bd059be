"""Several syntheses released together, against the plain counter."""

import pandas as pd
import pytest
from hypothesis import given

from disclosure_core import Settings, Study, assess
from disclosure_core.sensitivity.combined_release import ONE_SYNTHESIS, combined_attributes, combined_identity
from tests.core.test_every_figure import KEYS, cases, exclusions_of, frame
from tests.reference import plainly
from tests.reference.plainly import released


@given(cases())
def test_against_the_plain_counter(case):
    original, synthetic, (settings, out, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    targets, by_keys = combined_attributes(found), combined_identity(found)
    if len(synthetic) == 1:
        assert targets is ONE_SYNTHESIS
        assert by_keys is ONE_SYNTHESIS
        return
    keys = [name for name in KEYS if name in settings.keys]
    assert targets["any"].is_monotonic_increasing
    data, syntheses = plainly.data(original, synthetic), range(1, len(synthetic) + 1)
    for row in targets.to_dict("records"):
        target = plainly.target(data, keys, row["target"], exclusions_of(out, row["target"]))
        expected = released.together(target, syntheses)
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-9)
        assert row["every"] <= row["pooled"] <= row["any"]
        assert row["any"] >= row["alone_max"] - 1e-9
        assert row["pooled"] <= row["pooled_claimed"] <= row["any_claimed"]
    assert by_keys == pytest.approx(released.together_by_keys(data, keys, out["missing_keys"], syntheses), abs=1e-9)
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
