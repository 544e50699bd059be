"""docs/command-line.md is true: every command and option is in it, and every example runs; the JSON is as its schema says."""

# Inside: the manual lists what the command line reads: kinds of steps, forms of conditions.

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import numpy as np
import pandas as pd
import pytest

from disclosure_core import __version__
from disclosure_core.cli import steps
from disclosure_core.cli.conditions import FORMS
from disclosure_core.export.as_json import VERSION
from disclosure_core.protection.steps import STEPS
from disclosure_core.results import RESULTS
from tests.commands import condition, disclosure, main
from tests.written import rows

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "command-line.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "figures.schema.json").read_text(encoding="utf-8"))
SECTIONS = dict(re.findall(r"^## `disclosure ([\w-]+)`\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
SHARED = PAGE[: PAGE.index("## `disclosure")]
EXAMPLES = [line for block in re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_every_command_has_its_place():
    assert SECTIONS.keys() == main.commands.keys()


@pytest.mark.parametrize("name", main.commands)
def test_every_option_is_described_and_every_described_one_is_there(name):
    known = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", SHARED + SECTIONS[name]))
    options = [p for p in main.commands[name].params if isinstance(p, click.Option)]
    spelt = {text for option in options for text in (*option.opts, *option.secondary_opts)}
    assert spelt <= known
    own = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", SECTIONS[name]))
    assert own <= spelt
    assert main.commands[name].get_short_help_str(100).endswith(".")


def test_every_option_of_the_shared_part_is_one_of_some_command():
    spelt = {text for command in main.commands.values() for option in command.params for text in
             (*option.opts, *option.secondary_opts)}  # fmt: skip
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", SHARED)) - spelt <= {"--version", "--help"}


@pytest.mark.slow
def test_every_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = set()
    for line in EXAMPLES:
        words = shlex.split(line)
        if words[0] == "cd":
            monkeypatch.chdir(words[1])
            continue
        if ">" in words:
            words = words[: words.index(">")]
        assert words[0] == "disclosure"
        done = disclosure(*words[1:])
        assert done.exit_code == 0, (line, done.stderr)
        ran.add(words[1])
    without = main.commands.keys() - {"app", "bundle"} - ran
    assert not without, f"docs/command-line.md has no example in a block of ```bash: {without}"
    for name in ("figures.json", "begun.json", "again.py", "tables.xlsx", "share.html", "safer/log.txt"):
        assert Path(name).is_file(), name
    written = json.loads(Path("figures.json").read_text(encoding="utf-8"))
    jsonschema.validate(written, SCHEMA)
    assert (written["schema_version"], written["disclosure"]) == (VERSION, __version__)
    assert {row["sd"] for row in written["tables"]["summary"]} == {"NaN"}  # of one synthesis


@pytest.mark.slow
def test_the_schema_describes_what_every_command_writes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    pd.DataFrame({"k": ["a"] * 5, "t": ["x"] * 5, "n": range(5)}).to_csv("o.csv", index=False)
    pd.DataFrame({"k": ["b"] * 5, "t": ["x"] * 5, "n": range(5)}).to_csv("s.csv", index=False)
    for name, more in {
        "assess": (), "key-subsets": (), "membership": (), **{kind.short: () for kind in RESULTS},
        "release-size": ("--repeats", "1"), "population": ("--population", "9"), "scenarios": ("--paper",),
        "strongest-intruder": (), "look-up": ("--target", "t", "--know", "k=b"),
    }.items():  # fmt: skip
        done = disclosure(name, "o.csv", "s.csv", "--keys", "k", *more, "--json", "-", "--quiet")
        unanswered = name in ("membership", "combined-release")  # nobody outside, one synthesis
        assert (done.exit_code, "No answer: " in done.stderr) == (int(unanswered), unanswered), done.stderr
        jsonschema.validate(json.loads(done.stdout), SCHEMA)
    sets = ["--set", "a", "s.csv", "--set", "b", "s.csv"]
    done = disclosure("compare", "o.csv", *sets, "--keys", "k", "--json", "-", "--quiet")
    assert done.exit_code == 0, done.stderr
    jsonschema.validate(json.loads(done.stdout), SCHEMA)
    done = disclosure("assess", "o.csv", "s.csv", "--keys", "k", "--targets", "t", "--json", "-", "--quiet")
    (caps,) = json.loads(done.stdout)["tables"]["caps"]
    assert caps["TCAP"] == "NaN"  # no record's keys are met: there is nothing to divide by


def test_what_has_no_answer_is_told_from_what_is_not_there():
    frame = pd.DataFrame({"x": [1.5, np.nan, np.inf, -np.inf], "t": ["a", None, "NaN", ""], "n": [1, 2, 3, 4]})
    frame["c"] = pd.Categorical(["p", None, "p", "q"])
    assert rows(frame) == [
        {"x": 1.5, "t": "a", "n": 1, "c": "p"},
        {"x": "NaN", "t": None, "n": 2, "c": None},
        {"x": "Infinity", "t": "NaN", "n": 3, "c": "p"},
        {"x": "-Infinity", "t": "", "n": 4, "c": "q"},
    ]
    assert rows(pd.DataFrame({"x": [0.1 + 0.2]}))[0]["x"] == 0.1 + 0.2


def test_the_conditions_of_the_page_are_those_there_are():
    table = PAGE.split("<!-- conditions -->")[1]
    assert tuple(re.findall(r"^\| `(.*?)` \| (.*?) \|$", table.split("###")[0], re.MULTILINE)) == FORMS
    for written, _ in FORMS:
        condition(f"{written}>1")


def test_the_safeguards_of_the_page_are_those_there_are():
    table = PAGE.split("<!-- steps -->")[1]
    assert tuple(re.findall(r"^\| `(.*?)` \| (.*?) \|$", table.split("\nA number")[0], re.MULTILINE)) == steps.FORMS
    assert {type(steps.step(written)) for written, _ in steps.FORMS} == set(STEPS.values())


@pytest.mark.slow
def test_python_m_is_the_command():
    done = subprocess.run([sys.executable, "-m", "disclosure_core", "--version"], capture_output=True, text=True,
                          cwd=Path(__file__).parents[2], check=True)  # fmt: skip
    assert done.stdout.strip() == __version__


@pytest.mark.parametrize("name", main.commands)
def test_what_has_no_heading_stands_last_in_the_help(name):
    said = disclosure(name, "--help").output
    headings = re.findall(r"^(\w[\w ,]*):$", said, re.MULTILINE)
    assert headings[-1] == "Options"
    assert headings.count("Options") == 1


def test_help_lists_every_command_once_in_five_groups():
    text = disclosure("--help").output
    headings = re.findall(r"^([A-Z][a-z ]+):$", text, re.MULTILINE)
    assert headings == ["Options", "Assess", "Look closer", "Safer files", "Keep and repeat", "Install"]
    assert re.findall(r"^  ([a-z][a-z-]+)  ", text, re.MULTILINE) == list(main.commands)
