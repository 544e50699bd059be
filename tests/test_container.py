"""The Containerfile keeps what docs/deploy.md tells of it."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8").partition("## In a container")[2]


def steps() -> list[tuple[str, str]]:
    """Return the instructions in their order, lines that go on joined."""
    lines = [line for line in TEXT.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]
    return [(word, " ".join(rest.split())) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_base_must_be_given_and_none_is_made_up():
    assert steps()[:2] == [("ARG", "BASE"), ("FROM", "${BASE}")]
    assert not re.search(r"sha256:[0-9a-f]{6}", TEXT + DEPLOY)
    assert "--build-arg BASE=NAME@sha256:DIGEST" in DEPLOY


@pytest.mark.parametrize(
    ("base", "status"),
    [("python@sha256:" + "0" * 64, 0), ("python:3.13-slim@sha256:" + "0" * 64, 0), ("python:3.13-slim", 1), ("", 1)],
)
def test_a_base_without_a_digest_ends_the_build(base, status):
    assert steps()[2] == ("ARG", "BASE")  # a name from before FROM is not known after it
    word, check = steps()[3]
    assert word == "RUN"
    done = subprocess.run(["sh", "-c", check], env={"BASE": base}, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert ("by its digest" in done.stderr) == bool(status)


def test_every_package_is_held_against_its_hash_and_nothing_is_fetched():
    (install,) = (rest for word, rest in steps() if word == "RUN" and "pip install" in rest)
    first, own = re.findall(r"pip install ([^&]+)", install)
    assert "--no-index" in first
    assert first.split()[-3:] == ["--require-hashes", "-r", "/requirements.lock"]
    assert {"--no-index", "--no-deps"} < set(own.split())  # its own wheel has no hash in the lock, and brings nothing
    assert own.split()[-1] == "disclosure-core"
    assert "source=requirements.lock,target=/requirements.lock" in install
    assert not {"ADD", "COPY"} & {word for word, _ in steps()}
    assert "://" not in TEXT
    for line in ("--require-hashes -r requirements.lock", "--no-deps disclosure-core"):
        assert line in (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def test_it_runs_as_nobody_and_writes_nowhere():
    words = [word for word, _ in steps()]
    assert words.count("USER") == 1
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")
    user, group = dict(steps())["USER"].split(":")
    assert user.isdecimal()
    assert int(user) > 0
    assert group == user
    assert "VOLUME" not in words
    (run,) = re.findall(r"^podman run .*$", DEPLOY, re.MULTILINE)
    for option in (
        "--read-only",
        "--tmpfs /tmp",
        "--cap-drop all",
        "--security-opt no-new-privileges",
        "--publish 127.0.0.1:",
    ):
        assert option in run
