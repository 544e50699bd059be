"""The threshold τ: the plain counter, the published ends, and a curve that never rises."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study, assess, demo
from disclosure_core.sensitivity import threshold
from tests.core.test_every_figure import KEYS, TARGETS, cases, exclusions_of, frame
from tests.reference import plainly

SHARES = [*(n / 60 for n in range(61)), 0.3, 1 / 7, 0.07]
"""Thresholds that small tables hit exactly."""


@given(cases(), st.lists(st.sampled_from(SHARES), min_size=1, max_size=3))
def test_against_the_plain_counter(case, taus):
    original, synthetic, (settings, out, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    keys = [name for name in KEYS if name in settings.keys]
    data = plainly.data(original, synthetic)
    for name in TARGETS:
        target = plainly.target(data, keys, name, exclusions_of(out, name))
        of_files = threshold.figures(found.targets[name], taus)
        for i in range(data.m):
            for j, x in enumerate(taus):
                assert [of_file[i, j] for of_file in of_files] == pytest.approx(target.at_least(i + 1, x), abs=1e-9), x


@given(cases())
def test_the_ends_are_the_published_measures_and_the_curve_never_rises(case):
    original, synthetic, (settings, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    for risk in found.targets.values():
        rows = threshold.curve(risk)
        first, last = rows.iloc[0], rows.iloc[-1]
        if risk.counted[0].everything:
            assert first["original"] == pytest.approx(risk.figures("CAPd").mean(), abs=1e-9)
            assert first["synthetic"] == pytest.approx(risk.figures("DCAPd").mean(), abs=1e-9)
        assert last["original"] == pytest.approx(risk.figures("Dorig").mean(), abs=1e-9)
        assert last["synthetic"] == pytest.approx(risk.figures("DiSCO").mean(), abs=1e-9)
        assert (np.diff(rows[["original", "synthetic", "min", "max"]], axis=0) <= 1e-9).all()


def test_all_targets_of_the_demonstration():
    found = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    for risk in found.targets.values():
        rows = threshold.curve(risk)
        assert rows["tau"].tolist() == list(threshold.TAUS)
        assert rows["sd"].notna().all()
        assert (rows["min"] <= rows["synthetic"]).all()
        assert (rows["synthetic"] <= rows["max"]).all()
    for x, measure in ((0, "DCAP"), (1, "DiSCO")):
        pd.testing.assert_frame_equal(threshold.summary(found, x), found.summary(measure), rtol=0, atol=1e-9)
    # The published figures differ, so that the threshold is seen to act between them.
    middle = threshold.summary(found, 0.5).set_index("target")["synthetic"]
    ends = [found.summary(m).set_index("target")["synthetic"][middle.index] for m in ("DCAP", "DiSCO")]
    assert ((ends[1] <= middle) & (middle <= ends[0])).all()
    assert middle.nunique() == len(middle)


@pytest.mark.parametrize("wrong", [-0.01, 1.01, float("nan")])
def test_a_threshold_is_a_probability(wrong):
    original = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    found = assess(Study(original, [original]), Settings(keys=("k",)))
    with pytest.raises(DisclosureError, match="choose a number from 0 to 1"):
        threshold.summary(found, wrong)
