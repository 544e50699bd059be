"""Every option of every command acts, or ends with a sentence: enumerated from the commands themselves.

A call is made without the option and with it. What is printed, the figures in the JSON and the files that are written
must differ; or the call is refused. What can show in none of these stands in `CANNOT_SHOW`, with the reason.
"""

# Inside: which options a command has no use for is declared there, and every call follows from it.

import json
import random
import re
from functools import cache

import click
import pandas as pd
import pytest

from disclosure_core.cli import acting
from tests.commands import disclosure, main

NOT_CALLED = {
    "app": "it starts a server, which tests/cli/test_app_command.py asks",
    "bundle": "it takes wheels from a network: tests/cli/test_bundle_command.py and tests/slow/test_bundle.py ask it",
}
"""Commands that are not called here, and why."""

CANNOT_SHOW = {
    "engine": "it counts elsewhere, and the figures are the same: tests/engines",
    "original_table": "of --engine", "synthetic_tables": "of --engine", "memory_limit": "of --engine",
    "spill_folder": "of --engine", ("usefulness", "keys"): "every command has them",
}  # fmt: skip
"""Options whose figures are those of the call without them, and why; without --engine these are refused."""

SHARED = ["--keys", "age,sex,region", "--targets", "ill,job,income"]
FILES = ["o.csv", "s1.csv", "s2.csv", *SHARED]
MEMBERS = ["--holdout", "h.csv", "--population", "5000", "--assume", "same-population=yes",
           "--assume", "membership-is-news=yes"]  # fmt: skip
OF_COMMAND = {
    "compare": ["o.csv", "--set", "first", "s1.csv", "--set", "second", "s2.csv", *SHARED],
    "look-up": [*FILES[:5], "--target", "ill", "--know", "sex=?"],
    "scenarios": [*FILES, "--paper"],
    "near-misses": [*FILES[:5], "--targets", "income,pay", "--holdout", "h.csv"],
    "membership": [*FILES[:3], "--keys", "age,sex,region,ill,job", *MEMBERS],
    "key-subsets": [*FILES[:3], "--keys", "age,sex,region,ill,job", "--targets", "income"],
    "population": [*FILES[:3], "--keys", "age,sex,region", "--population", "5000"],
    "strongest-intruder": [*FILES, *MEMBERS],
    "protect": [*FILES[:5], "--step", "merge=job,40,Other", "--step", "remove-replicated", "--step", "blank=ill",
                "--output", "out"],
    "run": ["review.json", "--data", "."],
    "verify": ["review.json", "--data", "."],
    "split": ["o.csv", "--output", "out", "--keys", "age,region"],
    "demo": ["--output", "out"],
    "doctor": [],
    "completion": ["bash"],
}  # fmt: skip
"""A call of each command; of the others the files, and targets where they move something."""

VALUES = {
    "keys": "age,sex", "targets": "ill,job", "group": "age=3", "one_way": "1,10", "two_way": "0,10", "exclude": "ill=none",
    "exclude_missing": "sex", "exclude_pair": "region,N,ill,none", "denominator_limit": "2", "reasons": "ill=known",
    "delimiter": "tab", "decimal": ".", "encoding": "utf-16", "sheet": "Data", "missing_text": "sex=?",
    "types": "region=number", "missing_code": "age=-8", "codebook": "codes.csv", "mend": "region=case",
    "holdout": "h2.csv", "holdout_is": "random-part", "split": "80", "seed": "7", "population": "4000",
    "population_table": "population.csv", "population_source": "the register", "motive": "profit",
    "assume": "labelled=no", "limits": "DiSCO=1,1", "limit_owner": "The office", "limit_reason": "Our rule",
    "release": "s2.csv", "saved": "older.json", "data": "changed", "answers": "answers.toml", "scenarios": "paper",
    "search": "subsets", "report": "r.html", "appendix": "a.html", "title": "Another title", "date": "2001-02-03",
    "author": "A. N. Officer", "shareable": "3", "workbook": "w.xlsx", "figures": "figures", "figure_width": "85", "figure_look": "height=60",
    "exhibits": "exhibits", "as_json": "more.json", "evidence": "e.json", "script": "again.py", "save": "saved.json",
    "fail_if": "DiSCO>0", "measure": "DCAP", "k": "9", "at": "0.5", "only": "job", "target": "income", "tolerances": "25%",
    "know": "region=N", "synthesis": "2", "at_most": "1", "at_best": "sex=unknown", "nodes": "3", "tau": "0.5",
    "hierarchies": "age=10,20", "budget": "3", "repeats": "2", "draw_seed": "9", "named": ("third", "s2.csv"),
    "samples": "40%", "coarsened": "group=age,2", "steps": "group=age,3", "aims": "repU<=1", "coarsen": "age:10,20",
    "may_remove": "30", "may_remove_claims": "ill", "may_blank": "ill", "seconds": "0", "output": "elsewhere",
    "adopt": "safer", "template": "t.toml", "stated": "others.json", "share": "60",
}  # fmt: skip
"""A value of each option that takes one, with which it acts on the small files where anything does."""

REPORT = ["--report", "r.html"]
BESIDE = {
    "exclude": ["--reason", "ill=known"], "exclude_missing": ["--reason", "missing keys=known"],
    "exclude_pair": ["--reason", "ill=known"], "denominator_limit": ["--reason", "denominators=rule"],
    "reasons": ["--exclude", "ill=none"], "missing_code": ["--group", "age=3"], "types": [],
    "codebook": ["--group", "age=3"], "decimal": ["--group", "age=3"], "holdout_is": ["--holdout", "h.csv"], "seed": ["--split", "80"],
    "population_source": ["--population", "4000"], "limit_owner": ["--limit", "DiSCO=1,1"],
    "limit_reason": ["--limit", "DiSCO=1,1"], "title": REPORT, "date": REPORT, "author": REPORT, "answers": REPORT,
    "shareable": REPORT, "dorig": [*REPORT, "--shareable", "3"], "level_names": [*REPORT, "--shareable", "3"], "figure_width": ["--figures", "figures"], "figure_look": ["--figures", "figures"],
    "grey": ["--figures", "figures"], "other_data": ["--data", "changed"], "every": ["--budget", "3"],
    "may_remove": ["--aim", "repU<=1", "--may-blank", "ill"], "seconds": ["--aim", "repU<=1", "--may", "age:10,20"],
    "may_remove_claims": ["--aim", "DiSCO[ill]<=1", "--may-remove", "60"], "aims": ["--may", "age:10,20"],
    "may_blank": ["--aim", "DiSCO[ill]<=1", "--may", "age:10,20"], "coarsen": ["--aim", "repU<=1", "--may-remove", "30"],
    "adopt": ["--save", "saved.json"], "population_table": REPORT,
}  # fmt: skip
"""What stands in both calls, without which an option has nothing to act on."""

INPUTS = ["o.csv", "s1.csv", "s2.csv", "h.csv", "h2.csv", "population.csv", "codes.csv", "answers.toml", "review.json",
          "figures.json", "others.json", "older.json", "changed", "fractions"]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return people_in(tmp_path_factory.mktemp("options"))


def people_in(found):
    """Write small files of people, with what a saved review and its figures are, and return their folder."""
    rng = random.Random(5)

    def people(n):
        rows = []
        for _ in range(n):
            age, sex = rng.choice([-8, *(n + 0.5 for n in range(20, 32))]), rng.choice(["f", "m", "m", "?", ""])
            ill = rng.choices(["none", "flu", "cold"], [6, 2, 1 + (age > 27)])[0]
            job = rng.choice(["cook", "nurse", "NA", "baker", ""])
            region = rng.choice(["N", "n", "S", "E"])
            rows.append((age, sex, region, ill, job, rng.choice([1000.5, 1010.5, 1100.5]), rng.choice([1.5, 9, 20])))
        return pd.DataFrame(rows, columns=["age", "sex", "region", "ill", "job", "income", "pay"])

    original = people(160)
    original.to_csv(found / "o.csv", index=False)
    for i in (1, 2):
        pd.concat([original.sample(90, random_state=i), people(60)]).to_csv(found / f"s{i}.csv", index=False)
    people(80).to_csv(found / "h.csv", index=False)
    pd.concat([people(40), original.head(30)]).to_csv(found / "h2.csv", index=False)
    keys = original[["age", "sex", "region"]].drop_duplicates()
    keys.assign(count=300).to_csv(found / "population.csv", index=False)
    codes = {"column": ["age", "job"], "value": ["-8", "cook"], "label": ["No answer", "chef"], "missing": ["yes", ""]}
    pd.DataFrame(codes).to_csv(found / "codes.csv", index=False)
    (found / "answers.toml").write_text('officer = "A. N. Officer"\n', encoding="utf-8")
    files = [str(found / name) for name in ("o.csv", "s1.csv", "s2.csv")]
    saved = ["--save", str(found / "review.json"), "--json", str(found / "figures.json")]
    older = ["--exclude", "ill=none", "--reason", "ill=known", "--save", str(found / "older.json")]
    for more in (saved, older):
        done = disclosure("assess", *files, *SHARED, *more, "--quiet")
        assert done.exit_code == 0, done.stderr
    (found / "changed").mkdir()
    for name in ("o.csv", "s1.csv"):
        (found / "changed" / name).write_bytes((found / name).read_bytes())
    people(150).to_csv(found / "changed" / "s2.csv", index=False)
    (found / "fractions").mkdir()
    for name in INPUTS[:6]:
        text = (found / name).read_text(encoding="utf-8").replace(".5,", ".125,")
        (found / "fractions" / name).write_text(text.replace("\n-8.0,", "\n10.125,"), encoding="utf-8")
    stated = json.loads((found / "figures.json").read_text(encoding="utf-8"))
    stated["tables"]["identity"][0]["repU"] += 1
    (found / "others.json").write_text(json.dumps(stated), encoding="utf-8")
    return found


def call_of(name):
    of_targets = acting.TARGETS not in acting.IDLE.get(name, ())
    return [name, *OF_COMMAND.get(name, FILES if of_targets else FILES[:5])]


def every_option():
    for name, command in main.commands.items():
        for option in command.params if name not in NOT_CALLED else ():
            if isinstance(option, click.Option) and not {option.name, (name, option.name)} & CANNOT_SHOW.keys():
                for spelt in (option.opts[-1], *option.secondary_opts):
                    yield pytest.param(name, option, spelt, id=f"{name} {spelt}")


def call(args, place, quiet):
    """Return status, what was printed and written, and the sentences said; of progress only where quiet is asked."""
    done = disclosure(*args)
    assert done.exit_code in (0, 1, 2), (args, done.exception)
    files = {}
    for path in sorted(place.rglob("*")):
        if path.is_file() and path.relative_to(place).parts[0] not in INPUTS:
            files[str(path.relative_to(place))] = figures(path)
            path.unlink()
    said = done.stderr.splitlines()
    if not quiet:
        said = [line for line in said if not re.match(r"Read|Wrote|Counting|Making|Searching", line)]
    return done.exit_code, done.stdout, files, said


@cache
def without(args, place, quiet):
    """Return the same of a call without an option, which many options of a command share."""
    return call(args, place, quiet)


ECHOES = ("settings", "excluded_without_reason", "assumptions", "mends", "released", "files")
"""Parts of a JSON of figures that repeat what was asked."""


def figures(path):
    """Return what a file says: of a JSON of figures not what only repeats the call."""
    data = path.read_bytes()
    if path.name != "here.json":
        return data
    return {name: part for name, part in json.loads(data).items() if name not in ECHOES}


def put(args, spelt, values):
    """Return a call with an option, in the place of what it said of it; None: without it."""
    args = list(args)
    while spelt in args:
        i = args.index(spelt)
        del args[i : i + 2]
    return [*args, *([] if values is None else [spelt, *values])]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(main.commands.keys() - NOT_CALLED))
def test_the_call_without_more_is_in_order(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert call(call_of(name), folder, False)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option", "spelt"), list(every_option()))
def test_an_option_acts_or_is_refused(name, option, spelt, folder, monkeypatch):
    if option.name == "decimal":  # of numbers that a mark alone makes numbers
        folder = folder / "fractions"
    monkeypatch.chdir(folder)
    base = call_of(name)
    if name != "protect" and option.name != "as_json" and any(p.name == "as_json" for p in main.commands[name].params):
        base += ["--json", "here.json"]
    beside = BESIDE.get(option.name, [])
    known = {text for p in main.commands[name].params for text in p.opts}
    if all(word in known for word in beside if word.startswith("--")):
        for at, nxt in zip(beside[::2], beside[1::2], strict=True):
            base = [*base, at, nxt] if at in ("--may", "--aim", "--reason") else put(base, at, [nxt])
    if (name, option.name) == ("look-up", "group"):
        base += ["--know", "age=25.5"]
    if (name, option.name) == ("scenarios", "paper"):
        base.remove("--paper")
    value = VALUES.get(option.name, ())
    values = [value] if isinstance(value, str) else list(value)
    if option.is_flag or option.count:
        given = [*base, spelt]
    elif option.multiple and name != "protect":
        given = [*base, spelt, *values]
    else:
        given = put(base, spelt, values)
    done = call(given, folder, option.name == "quiet")
    if done[0] == 2:
        assert re.search(r"Error: .+[.?]$", done[3][-1]), done[3]
        return
    before = without(tuple(base), folder, option.name == "quiet")
    assert before[0] != 2 or option.name == "other_data", before[3]
    assert done != before, f"{spelt} does nothing in {given}: let it act, or name it in IDLE (cli/acting.py)"
