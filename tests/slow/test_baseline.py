"""Whether 95 % intervals hold the truth 95 times of 100."""

import numpy as np

from disclosure_core import Settings, attribute_baseline, partition
from disclosure_core.holdout.baseline import MEASURES
from tests.core.test_baseline import people


def test_the_interval_holds_the_truth_as_often_as_it_says():
    """Draws in which members and non-members are alike, so that the true difference is 0."""
    rng = np.random.default_rng(7)
    synthetic = people(rng, 2000)
    inside = dict.fromkeys(MEASURES, 0)
    draws = 200
    for _ in range(draws):
        of = partition(people(rng, 600), people(rng, 300), [synthetic])
        figures = attribute_baseline(of, Settings(keys=("k1", "k2", "k3"), targets=("t",))).figures
        for measure in MEASURES:
            row = figures[(figures["measure"] == measure) & (figures["synthesis"] == 1)].iloc[0]
            inside[measure] += row["low"] <= 0 <= row["high"]
    for measure in MEASURES:
        assert abs(inside[measure] / draws - 0.95) < 4 * np.sqrt(0.95 * 0.05 / draws), (measure, inside)
