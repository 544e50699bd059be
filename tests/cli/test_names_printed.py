"""Names that ring, turn what stands beside them or colour a terminal: no command prints one as it is, nor a notebook."""

import re
import tomllib

import pandas as pd
import pytest

from disclosure_core import Settings, Study, assess, start
from disclosure_core.results import RESULTS
from tests.commands import disclosure, main
from tests.saved import to_json

ODD = "\u202e\x07\x9b31m\x1b]0;title\x07\u200b\u2028"
"""Turns letters, rings, is red, names the terminal's window, is seen by nobody, and ends a line."""

RAW = re.compile("[\u202e\x07\x9b\x1b\u200b\u2028]")


def odd(name):
    return f"{ODD}{name}"


FILES = [f"{odd(name)}.csv" for name in "osuh"]
ORIGINAL, FIRST, SECOND, OUTSIDE = FILES
ASKED = ["--keys", f"{odd('sex')},{odd('age')}", "--group", f"{odd('age')}=4"]
DATA = [ORIGINAL, FIRST, *ASKED]
TOLD = ["--exclude", f"{odd('ill')}={odd('no')}", "--reason", f"{odd('ill')}={odd('known')}", "--title", odd("title"), "--author",
        odd("officer"), "--limit", "DiSCO=1,1", "--limit-owner", odd("office"), "--limit-reason", odd("rule"), "--open"]  # fmt: skip
MEMBERS = [
    "--holdout",
    OUTSIDE,
    "--population",
    "9000",
    "--assume",
    "same-population=yes",
    "--assume",
    "membership-is-news=yes",
]
CALLS = {
    "assess": [*DATA, *TOLD, *MEMBERS, "--search", "strongest", "--verify", "--fail-if", f"DiSCO[{odd('ill')}]>0", "--save", odd("saved")],
    "compare": [ORIGINAL, "--set", odd("one"), FIRST, "--set", odd("two"), SECOND, *ASKED],
    "look-up": [*DATA, "--target", odd("ill"), "--know", f"{odd('sex')}={odd('f')}"],
    "protect": [*DATA, "--step", f"merge={odd('work')},50,{odd('rare')}", "--output", odd("out")],
    "split": [ORIGINAL, "--output", odd("parts"), "--keys", odd("sex")], "demo": ["--output", odd("demo")],
    "run": ["r.json", "--data", "."], "verify": ["r.json", "--data", "."], "membership": [*DATA, *MEMBERS],
    "scenarios": [*DATA, "--paper"], "population": [*DATA, "--population", "9000"], "usefulness": [ORIGINAL, FIRST], "near-misses": [*DATA, "--targets", odd("income")],
}  # fmt: skip
"""A call of each command; of the others the data."""

NOT_CALLED = {"app", "bundle", "doctor", "completion"}
"""They read no data."""

WRONG = (
    ["assess", ORIGINAL, FIRST, "--keys", odd("nowhere")], ["assess", odd("no file"), FIRST], ["assess", *DATA, "--save", ORIGINAL],
    ["assess", *DATA, odd("--option")], [odd("command")], ["assess", *DATA, "--fail-if", odd("DiSCO")], ["assess", *DATA, "--json", f"{ORIGINAL}/{odd('x')}"],
    ["look-up", *DATA, "--target", odd("nowhere")], ["protect", *DATA, "--step", odd("cap"), "--output", "x"], ["assess", *DATA, "--exclude", f"{odd('ill')}={odd('never')}"],
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place, n = tmp_path_factory.mktemp("names"), 120
    frame = people(n)
    for name, part in zip(FILES, (frame, frame.iloc[::-1].head(100), frame.head(90), frame.tail(60)), strict=True):
        part.to_csv(place / name, index=False)
    opened = start((ORIGINAL, place / ORIGINAL), {odd("one"): [(FIRST, place / FIRST)]})
    review = opened.review.with_settings(Settings(keys=(odd("sex"),)))
    (place / "r.json").write_text(to_json(review), encoding="utf-8")
    return place


def people(n):
    return pd.DataFrame({
        odd("sex"): [odd("f"), odd("m")] * (n // 2), odd("age"): [*range(20, 50)] * (n // 30),
        odd("work"): [odd("cook"), odd("nurse"), odd("cook")] * (n // 3), odd("ill"): ([odd("no")] * 9 + [odd("yes")]) * (n // 10),
        odd("income"): [1000 + (i * 37) % 90 for i in range(n)],
    })  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(main.commands.keys() - NOT_CALLED))
def test_no_command_prints_such_a_letter(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    done = disclosure(command, *CALLS.get(command, DATA))
    assert done.exit_code in (0, 1), (done.stderr, done.exception)
    assert not RAW.search(done.stdout + done.stderr)
    if command == "answers":
        assert odd("sex") in tomllib.loads(done.stdout)["reasons"]  # and it comes back as it is


@pytest.mark.parametrize("call", WRONG, ids=[f"{i}" for i in range(len(WRONG))])
def test_no_error_prints_such_a_letter(call, folder, monkeypatch):
    monkeypatch.chdir(folder)
    done = disclosure(*call)
    assert done.exit_code == 2, (done.stderr, done.exception)
    assert not RAW.search(done.stdout + done.stderr)


def test_no_notebook_shows_such_a_letter(folder):
    frame = people(120)
    study, asked = Study(frame, [frame]), Settings(keys=(odd("sex"),), targets=(odd("ill"),))
    found = assess(study, asked)
    opened = start((ORIGINAL, folder / ORIGINAL), {odd("one"): [(FIRST, folder / FIRST)]})
    opened = opened.with_review(opened.review.with_settings(asked))
    further = [kind.of(opened.printed) for kind in RESULTS if kind.short in ("anonymity", "usefulness", "near-misses")]
    shown = [study, found, *found.targets.values(), opened, opened.review, *further]
    for each in shown:
        html = each._repr_html_() if hasattr(each, "_repr_html_") else ""
        assert not RAW.search(html + repr(each)), type(each)
    assert "u2028ill" in found._repr_html_()
