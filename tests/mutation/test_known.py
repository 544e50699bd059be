"""Mutations that the tests once did not notice: each is tried on a copy of the tree, where the tests named must fail."""

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import count
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KNOWN = tomllib.loads((Path(__file__).parent / "known.toml").read_text(encoding="utf-8"))["mutation"]
PARTS = (
    "disclosure_core",
    "pages",
    "assets",
    "docs",
    "tests",
    "app.py",
    "pages/navigation.py",
    "pyproject.toml",
    "README.md",
)
moment = count(1_000_000_000)
"""When a file was changed, in whole seconds: Python compiles one again where that differs."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of all that the tests need."""
    folder = tmp_path_factory.mktemp("tree")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "pictures"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def outcome(tree: Path, tests: list[str]) -> tuple[int, str]:
    """Return pytest's status and what it said: 0 where all passed, 1 where a test failed, more where none was run."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-m",
        "slow or not slow",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    done = subprocess.run(command, cwd=tree, env=os.environ, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    at = next(moment)
    os.utime(path, (at, at))


def test_nothing_fails_before_anything_is_mutated(tree):
    status, said = outcome(tree, sorted({test for m in KNOWN for test in m["tests"]}))
    assert status == 0, said


@pytest.mark.parametrize("mutation", KNOWN, ids=[f"{Path(m['file']).stem}: {m['wrong']}" for m in KNOWN])
def test_a_known_mutation_is_noticed(tree, mutation):
    path = tree / mutation["file"]
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() == mutation["line"]]
    assert len(places) == 1, (
        f"{mutation['file']} has this line {len(places)} times: say in known.toml what became of it"
    )
    lines[places[0]] = lines[places[0]].replace(mutation["line"], mutation["becomes"])
    write(path, "\n".join(lines))
    try:
        status, said = outcome(tree, mutation["tests"])
    finally:
        write(path, text)
    assert status == 1, f"With it, {mutation['wrong']}, and no test fails:\n{said}"
