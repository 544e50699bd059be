"""One version: in the package, the changelog, the citation; and what is declared is what is tried."""

import re
import tomllib
from pathlib import Path

from disclosure_core.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_one_and_dated_once_it_is_released():
    first = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {__version__}\n" in cited
    if first == "Unreleased":
        assert "date-released" not in cited
    else:
        version, date = first.split(" - ")
        assert version == __version__
        assert f"version: {__version__}\ndate-released: {date}\n" in cited
    assert f"version = {{{__version__}}}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "disclosure_core/version.py"


def test_the_python_versions_declared_are_those_that_are_tried():
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={declared[0]}"
    script = (ROOT / ".ci" / "versions").read_text(encoding="utf-8")
    oldest = re.search(r"^OLDEST=(.*)$", script, re.MULTILINE)[1]
    tried = re.search(r"^PYTHONS=\((.*)\)$", script, re.MULTILINE)[1]
    assert [oldest, *tried.split()] == declared
    assert ".ci/versions" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_need_has_a_lowest_version():
    loose = [need for need in PROJECT["project"]["dependencies"] if not re.fullmatch(r"[\w.-]+>=[\w.]+", need)]
    assert loose == []


def test_a_lock_file_is_not_kept():
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_what_is_installed_from_a_folder_is_this_distribution():
    places = [(ROOT / name).read_text(encoding="utf-8") for name in ("Containerfile", "docs/deploy.md")]
    named = [re.findall(r"--find-links \S+ (\S+)", text) for text in places]
    assert named == [[PROJECT["project"]["name"]]] * 2
