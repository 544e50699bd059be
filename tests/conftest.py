"""Hypothesis: the same few examples on every run; more in `.ci/run`, most for whoever looks for a fault.

`many` is of `.ci/run`, with a seed of its own: none of its examples is one of `quick`, which the suite has tried. `files`
is too, where each example is a file that a process reads; `deep` never gives the same twice.
"""

import gc
import os
import re
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Where no bytecode is kept, each process rewrites the asserts of all tests anew, and each that it starts compiles the app.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=15, suppress_health_check=slow)
settings.register_profile("many", deadline=None, max_examples=20, suppress_health_check=slow)
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


_ALL_SLOW = re.compile(r"^pytestmark = .*pytest\.mark\.slow", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file whose tests are all slow where none of these is asked for: its imports cost each worker seconds."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return True if _ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker begin elsewhere in a folder: it finds kept what the others rewrote, where all would rewrite the same."""
    report = yield
    if isinstance(collector, pytest.Dir) and hasattr(collector.config, "workerinput"):
        of = collector.config.workerinput
        files = [each for each in report.result if isinstance(each, pytest.File)]
        first = len(files) * int(of["workerid"].removeprefix("gw")) // of["workercount"]
        report.result = [each for each in report.result if each not in files] + files[first:] + files[:first]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the files of each folder into order, and mark the quick tests and those that are slow all together."""
    folders = list(dict.fromkeys(item.path.parent for item in items))
    items.sort(key=lambda item: (folders.index(item.path.parent), item.path))
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
