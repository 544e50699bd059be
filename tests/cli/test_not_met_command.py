"""Commands with values that do not meet: status 1 with a sentence, also where they are quiet, and files that say why."""

import json

import pytest

from tests.commands import disclosure
from tests.core.test_not_met import CODES, KEYS, MEETS, ORIGINAL


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    at = tmp_path_factory.mktemp("not_met")
    for name, frame in (("original", ORIGINAL), ("meets", MEETS), ("codes", CODES)):
        frame.to_csv(at / f"{name}.csv", index=False)
    return at


@pytest.fixture
def cli():
    return lambda *args: disclosure(*args)


WHY = "The values of 'sex' do not meet"
ASKED = ("--keys", ",".join(KEYS), "--quiet")


def test_assess_writes_what_was_asked_for_and_ends_with_1(cli, files, tmp_path):
    written = {name: tmp_path / name for name in ("j.json", "r.html", "w.xlsx", "e.json", "s.json", "a.py")}
    options = [text for pair in zip(("--json", "--report", "--workbook", "--evidence", "--save", "--script"),
                                    map(str, written.values()), strict=True) for text in pair]  # fmt: skip
    result = cli("assess", files / "original.csv", files / "codes.csv", *ASKED, "--fail-if", "DiSCO>20", *options)
    assert result.exit_code == 1
    assert WHY in result.stderr
    assert "DiSCO>20 is not evaluated: " in result.stderr
    assert not result.stdout
    assert all(path.stat().st_size for path in written.values())
    assert WHY in json.loads(written["j.json"].read_text(encoding="utf-8"))["not_evaluated"]["job"]
    again = cli("run", written["s.json"], "--data", files, "--quiet", "--fail-if", "repU>99")
    assert again.exit_code == 1
    assert "repU>99 is not evaluated: " in again.stderr
    assert cli("verify", written["s.json"], "--data", files).exit_code == 1
    # Answered, the figures are there, and the saved review keeps the answer.
    kept = tmp_path / "kept.json"
    answered = cli("assess", files / "original.csv", files / "codes.csv", *ASKED, "--really-different", "sex",
                   "--fail-if", "DiSCO>20", "--save", kept)  # fmt: skip
    assert answered.exit_code == 0
    assert cli("run", kept, "--data", files, "--quiet", "--fail-if", "DiSCO>20").exit_code == 0


@pytest.mark.parametrize(
    "command",
    ["tau", "key-subsets", "strongest-intruder", "release-size", "combined-release", "anonymity",
     ("near-misses", "--target", "age"), ("look-up", "--target", "job"), "membership",
     ("protect", "--aim", "DiSCO<50", "--may", "age:5,10", "--output", "out")],
    ids=lambda c: c if isinstance(c, str) else c[0],
)  # fmt: skip
def test_no_command_gives_a_figure(cli, files, tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *more = (command,) if isinstance(command, str) else command
    keys = ("--keys", "sex,region", "--quiet") if name == "near-misses" else ASKED
    asked = () if name == "protect" else ("--json", "-")
    result = cli(name, files / "original.csv", files / "codes.csv", files / "codes.csv", *keys, *more, *asked)
    assert "do not meet" in result.stderr + result.stdout
    assert result.exit_code == 1
    if asked:
        tables = json.loads(result.stdout)["tables"]
        assert list(tables) == ["not_evaluated"]
        assert WHY in tables["not_evaluated"][0]["not evaluated"]
    assert not (tmp_path / "out").exists()


def test_compare_leaves_that_set_out_and_says_so(cli, files, tmp_path):
    held = tmp_path / "j.json"
    sets = [text for name in ("meets", "codes") for text in ("--set", name, str(files / f"{name}.csv"))]
    result = cli("compare", files / "original.csv", *sets, "--keys", ",".join(KEYS), "--json", held)
    assert f"'codes' is not evaluated. {WHY}" in result.stderr
    assert "discloses less" not in result.stderr
    tables = json.loads(held.read_text(encoding="utf-8"))["tables"]
    assert not tables["sets_differences"]


def test_a_column_that_is_not_there_is_refused(cli, files):
    result = cli("assess", files / "original.csv", files / "codes.csv", *ASKED, "--really-different", "sexe")
    assert result.exit_code == 2
    assert "The column of --really-different, 'sexe' is not in the data. Did you mean 'sex'?" in result.stderr
