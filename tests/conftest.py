"""Hypothesis: the same few examples on every run; more in `.ci/run`, most for whoever looks for a fault.

`many` is of `.ci/run`, `files` too where each example is a file that a process reads; `deep` never gives the same twice.
"""

import gc

import pytest
from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=15, suppress_health_check=slow)
settings.register_profile("many", derandomize=True, deadline=None, max_examples=30, suppress_health_check=slow)
settings.register_profile("files", derandomize=True, deadline=None, max_examples=50, suppress_health_check=slow)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=slow)
settings.load_profile("quick")

QUICK = frozenset(
    f"test_{name}.py"
    for name in (
        "every_figure", "anonymity", "bad_input", "checklist", "coded", "combined_release", "decision", "detail", "edges",
        "key_subsets", "queue", "reference", "rounding", "settings", "study", "subsets", "threshold",
    )
)  # fmt: skip
"""What `pytest -q -m quick` runs while you work: the formulas, R's answers, the judgements."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests, and those that are slow all together."""
    for item in items:
        if item.path.name in QUICK:
            item.add_marker("quick")
        if item.path.parent.name == "slow":
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Leave out of each search for garbage what stays: modules and tests, a million objects; a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
