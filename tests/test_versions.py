"""One version: in the package, the changelog, the citation; and what is declared is what is tried."""

# Inside: the packages that the core asks for.

import re
import tomllib
from pathlib import Path

from disclosure_core import __version__
from disclosure_core.errors import NEEDED

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
    assert PROJECT["project"]["dynamic"] == ["readme", "version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "disclosure_core/version.py"


def test_the_python_versions_declared_are_those_that_are_tried():
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={declared[0]}"
    script = (ROOT / ".ci" / "versions").read_text(encoding="utf-8")
    oldest = re.search(r"^OLDEST=(.*)$", script, re.MULTILINE)[1]
    tried = re.search(r"^PYTHONS=\((.*)\)$", script, re.MULTILINE)[1]
    assert [oldest, *tried.split()] == declared
    assert ".ci/versions" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


EXTRAS = PROJECT["project"]["optional-dependencies"]


def test_every_need_has_a_lowest_version():
    needs = [need for name in ("files", "report", "app", "test") for need in EXTRAS[name]]
    loose = [
        need
        for need in (*PROJECT["project"]["dependencies"], *needs)
        if not re.fullmatch(r"[\w.-]+>=[\w.]+|disclosure-core\[.*\]", need)
    ]
    assert loose == []


def test_what_is_missing_names_the_extra_that_brings_it():
    brought = {
        (re.match(r"[\w-]+", need)[0].removeprefix("python-").replace("-", "_").lower(), extra)
        for extra in ("files", "report", "app", "bundle", "duckdb", "ibis", "spark")
        for need in EXTRAS[extra]
        if not need.startswith("disclosure-core")
    }
    named = {(package.removeprefix("python_").lower(), extra) for package, (_, extra) in NEEDED.items()}
    other = {"markdown_it_py": "markdown_it", "ibis_framework": "ibis", "cyclonedx_python_lib": "cyclonedx"}
    assert {(other.get(package, package), extra) for package, extra in brought} == named


def test_each_extra_is_tried_alone():
    text = (ROOT / ".ci" / "extras.py").read_text(encoding="utf-8")
    tried = set(re.findall(r'^    "(\w*)": \[', text[text.index("WORKS = ") :], re.MULTILINE))
    assert tried == {"", *EXTRAS} - {"all", "bundle", "engines", "spark", "signin", "test", "docs", "dev"}
    assert "disclosure-core[all,ibis]" in EXTRAS["test"]  # the whole suite
    assert ".ci/extras.py" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_lock_file_is_not_kept():
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_what_is_installed_from_a_folder_is_this_distribution():
    places = [(ROOT / name).read_text(encoding="utf-8") for name in ("Containerfile", "docs/deploy.md")]
    assert [re.findall(r"--no-deps (disclosure\S*)", text) for text in places] == [[PROJECT["project"]["name"]]] * 2
