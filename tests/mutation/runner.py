"""Runs tests in forks of a process that has the libraries loaded, and none of the project: `sampled.py` starts it.

It is run by the project's Python in a copy of the tree. A line of JSON comes in and one goes out: with `record`, which test
runs which line of which file, and how long each took, are written there; else what became of the tests.
"""

import contextlib
import importlib
import json
import os
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

LIBRARIES = ("pytest", "hypothesis", "numpy", "pandas", "pyarrow.parquet", "openpyxl", "plotly.graph_objects", "click.testing")  # fmt: skip
OPTIONS = ["-q", "-n", "0", "-m", "slow or not slow", "-p", "no:cacheprovider", "--assert=plain"]
"""What a failing assertion says is read by nobody, and to rewrite each takes longer than most tests."""


class Recorder:
    """Names each test to coverage while it runs, and keeps the seconds that it takes."""

    def __init__(self, coverage):
        self.coverage, self.seconds = coverage, {}

    def pytest_runtest_logstart(self, nodeid, location):
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration


class InProcess:
    """Has files parsed and made in the process of the tests, where coverage sees it and no child is started."""

    def pytest_collection_finish(self, session):
        for name in ("readers", "rewriters"):
            importlib.import_module(f"disclosure_core.data.{name}").needs_child = lambda name: False


def plugins(job):
    return [InProcess()] if job["in_process"] else []


def recorded(job):
    sys.path.append(job["coverage"])
    from coverage import Coverage

    coverage = Coverage(data_file=None, include=job["files"], config_file=False)
    recorder = Recorder(coverage)
    coverage.start()
    import pytest

    status = pytest.main([*OPTIONS, *job["tests"]], plugins=[recorder, *plugins(job)])
    coverage.stop()
    data = coverage.get_data()
    lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
    used = [n for n, m in list(sys.modules.items()) if "site-packages" in (getattr(m, "__file__", None) or "")]
    found = {"lines": lines, "seconds": recorder.seconds, "libraries": used}
    Path(job["record"]).write_text(json.dumps(found), encoding="utf-8")
    return status


def load(libraries):
    """Import what the tests of a room use of libraries, once for all mutants: what a test imports is there then."""
    for name in libraries:
        if not name.startswith(("coverage", "_pytest", "xdist", "execnet")):
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                importlib.import_module(name)


def run(job):
    """Return pytest's status, or None where time ran out."""
    if "libraries" in job:
        load(job["libraries"])
        return 0
    child = os.fork()
    if not child:
        os.setsid()
        out = os.open(job["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        status = 70
        try:
            if "record" in job:
                status = recorded(job)
            else:
                import pytest

                status = pytest.main([*OPTIONS, "-x", *job["tests"]], plugins=plugins(job))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(status))
    ends = time.monotonic() + job["seconds"]
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        status = None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it started ends with it
    if status is None:
        os.waitpid(child, 0)
        return None
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    for library in LIBRARIES:
        importlib.import_module(library)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
