"""A real Spark cluster: the same figures, and one sentence where it is killed in the middle of a question."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest


def test_a_cluster_says_the_same_and_its_end_is_a_sentence():
    missing = "no pyspark" if not find_spec("pyspark") else "no Java" if not which("java") else ""
    if missing:
        assert os.environ.get("CI") != "true", f"{missing}, which .ci/run installs"
        pytest.skip(f"{missing}: Spark cannot be started")
    script = Path(__file__).with_name("on_cluster.py")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == [
        "equal",
        "The engine could not answer about something long; see that it runs and holds these tables.",
    ]
