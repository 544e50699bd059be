"""Options drawn at random, beside others, on every command: each moves what comes out, or ends with a sentence.

Commands, options and what they take are read off the commands and the models: every choice of a choice, ends of a range,
every kind of mend and type by every column, every question that can be answered. Beside the option stand others, drawn as
well. A call is made without the option and with it, as in tests/cli/test_every_option.py, which has one value of each.

`python -m tests.slow.options 0 200` tries the seeds from 0 to 199; exit status 1 where an option did nothing, and was
neither refused nor named in a note.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

from disclosure_core.data.suggestions import TYPES
from disclosure_core.holdout.threat_model import GATE
from disclosure_core.review.assumptions import QUESTIONS
from tests.cli.test_every_option import BESIDE, CANNOT_SHOW, NOT_CALLED, VALUES, call, call_of, people_in, put
from tests.commands import main

COLUMNS = ("age", "sex", "region", "ill", "job", "income", "pay")
NUMBERS = ("age", "income", "pay")

ANSWERS = "how a column is read leaves the questions as they are, unless one of them is of it"
BY_DESIGN = {
    "quiet": "what it leaves out is not printed here: --json stands alone",
    "date": "the day of the report, which may be the one that is given",
    **dict.fromkeys(("delimiter", "decimal", "encoding", "header", "sheet"), "it says what is found out without it"),
    ("strongest-intruder", "motive"): "it weighs F_rel, which is 0 where nothing tells people outside from members",
    "no_missing_code": "of a column that is not grouped a code is a level either way",
    **{
        ("answers", name): ANSWERS
        for name in ("types", "mend", "missing_text", "missing_code", "no_missing_code", "really_different")
    },
}
"""What may change nothing, by option, or by command and option, and why."""


USUAL = {"measure": "DiSCO"}
"""What an option says where nobody gives it."""


def levels(rng: random.Random, column: str) -> str:
    return str(rng.choice({
        "age": ("-8", "20.5", "27.5"), "sex": ("f", "m", "?"), "region": ("N", "n", "S"), "ill": ("none", "flu", "cold"),
        "job": ("cook", "nurse", "NA", "baker"), "income": ("1000.5", "1100.5"), "pay": ("1.5", "9.0", "20.0"),
    }[column]))  # fmt: skip


def is_read_as(column: str) -> str:
    """Return what a column is without --type."""
    return "number" if column in NUMBERS else "category"


def kinds_of_mends() -> list[str]:
    (option,) = (each for each in main.commands["assess"].params if each.name == "mend")
    return re.findall(r"[a-z]+", option.help.partition(":")[2].partition(";")[0])


def safeguard(rng: random.Random) -> str:
    """Return a safeguard as `--step` and `--coarsened` take it."""
    target, number = rng.choice(COLUMNS[3:]), rng.choice(NUMBERS)
    return rng.choice((
        "remove-replicated", "remove-uniques", f"remove-claims={target}", f"blank={target}", f"merge={target},40,Other",
        f"group={number},{rng.choice((2, 3))}", f"cap={number},,{rng.choice((5, 25, 1005))}", f"cap={number},5,",
        f"round={number},{rng.choice((3, 5, 100))}", f"breaks={number},5,24,1005", "recode=ill,sick,flu,cold",
        "recode=job,none,Missing", "band=age,5", "band=region,prefix:1", "band=pay,2.5", "label=made,SYNTHETIC",
    ))  # fmt: skip


def drawn_value(rng: random.Random, option: click.Option) -> list[str]:
    """Return a value of an option, drawn from what it takes."""
    name, kind = option.name, option.type
    column, target = rng.choice(COLUMNS), rng.choice(("ill", "job", "income"))
    made = {
        "keys": lambda: ",".join(rng.sample(COLUMNS[:4], rng.randint(1, 3))),
        "targets": lambda: ",".join(rng.sample(COLUMNS[3:], rng.randint(1, 3))),
        "group": lambda: f"{rng.choice(NUMBERS)}={rng.choice((2, 3, 5, '0,22,25', 'at 24'))}",
        "one_way": lambda: f"{rng.choice((0, 1, 5))},{rng.choice((0, 10, 50))}",  # no people but these are told apart
        "two_way": lambda: f"{rng.choice((0, 1))},{rng.choice((0, 10, 50))}",
        "exclude": lambda: f"{target}={levels(rng, target)}",
        "exclude_missing": lambda: column,
        "exclude_pair": lambda: f"{(key := rng.choice(COLUMNS[:3]))},{levels(rng, key)},{target},{levels(rng, target)}",
        "reasons": lambda: f"{rng.choice((*COLUMNS, 'missing keys', 'denominators'))}=known",
        "missing_text": lambda: f"{(c := rng.choice(('sex', 'job', 'region', 'ill')))}={levels(rng, c)}",
        "types": lambda: f"{column}={rng.choice([each for each in TYPES if each != is_read_as(column)])}",
        "missing_code": lambda: f"{(c := rng.choice(NUMBERS))}={levels(rng, c)}",
        "no_missing_code": lambda: "age=-8",
        "mend": lambda: f"{column}={rng.choice(kinds_of_mends())}",
        "really_different": lambda: column,
        "assume": lambda: f"{rng.choice((*(q.name for q in QUESTIONS), *GATE))}={rng.choice(('yes', 'no'))}",
        "limits": lambda: rng.choice(("DiSCO=1,1", "DiSCO=20,3", "DCAP=5,2", "F_rel=0.2")),
        "release": lambda: rng.choice(("1", "2", "s2.csv")),
        "header": lambda: rng.choice(("yes", "no")),
        "delimiter": lambda: rng.choice(("comma", "semicolon", "tab", "bar", "space")),
        "encoding": lambda: rng.choice(("utf-8", "cp1252", "utf-16", "s1.csv=latin-1")),
        "target": lambda: target,
        "only": lambda: target,
        "may_blank": lambda: target,
        "may_remove_claims": lambda: target,
        "at": lambda: rng.choice(("0", "0.5", "0.25", "0.99", "1")),
        "tolerance": lambda: rng.choice(("0", "0.5%", "10%", "7", "100", "300%")),
        "know": lambda: f"{(key := rng.choice(COLUMNS[:3]))}={levels(rng, key)}",
        "hierarchies": lambda: rng.choice(("age=10,20", "age=3", "sex=1", "region=1", "age=0.5,5,100", "ill=1")),
        "at_best": lambda: f"{rng.choice(COLUMNS[:4])}={rng.choice(('unknown', '10', 'as it is'))}",
        "samples": lambda: rng.choice(("40%", "10%,7", "5%", "99%,0")),
        "coarsened": lambda: safeguard(rng),
        "steps": lambda: safeguard(rng),
        "aims": lambda: f"{rng.choice(('repU', 'DiSCO', 'DiSCO[ill]', 'gain', 'beyond(DiSCO)', 'M', 'DCAPd'))}"
        f"{rng.choice(('<', '<='))}{rng.choice((0, 1, 5, 30))}",
        "coarsen": lambda: rng.choice((
            "age:10,20", "age:3", "age:top:28,30", "age:bottom:22", "age:round:5", "job:merge:20,50", "region:merge:30",
        )),
        "figure_look": lambda: rng.choice((
            "height=60", "height=190", "flags=no", "order=name", f"targets={target}", f"label:{target}=Other",
            "colour:synthetic=#AA3377", "text=text", "format=png", "format=svg,png", "font=Liberation Serif", "dpi=72",
        )),
        "fail_if": lambda: rng.choice(("DiSCO>0", "repU>1", "identity.UiO>2", "max(DCAP)>10", "limits", "copies>0")),
    }  # fmt: skip
    if name in made:
        return [made[name]()]
    if isinstance(kind, click.Choice):
        return [str(rng.choice([each for each in kind.choices if each != USUAL.get(name)]))]
    if isinstance(kind, click.IntRange | click.FloatRange):
        whole = isinstance(kind, click.IntRange)
        low, high = kind.min if kind.min is not None else 0, kind.max if kind.max is not None else 10**6
        near = [low + kind.min_open, min(low + 3, high), min(40, high), high - kind.max_open]
        return [f"{rng.choice(near)}" if whole else f"{float(rng.choice(near))}"]
    value = VALUES.get(name, ())
    return [value] if isinstance(value, str) else list(value)


def with_option(rng: random.Random, args: list[str], option: click.Option, name: str) -> list[str]:
    """Return a call with one more option."""
    if option.is_flag or option.count:
        return [*args, rng.choice((*option.opts[-1:], *option.secondary_opts))]
    values = drawn_value(rng, option)
    return (
        [*args, option.opts[-1], *values]
        if option.multiple and name != "protect"
        else put(args, option.opts[-1], values)
    )


def tried(seed: int, folder: Path) -> tuple[str, str]:
    """Return how a seed ended, and its call: "acts", "refused", "noted", "by design" or "NOTHING"."""
    rng = random.Random(seed)
    name = rng.choice(sorted(main.commands.keys() - NOT_CALLED))
    options = [
        each for each in main.commands[name].params
        if isinstance(each, click.Option) and not {each.name, (name, each.name)} & CANNOT_SHOW.keys() and each.name != "as_json"
    ]  # fmt: skip
    if not options:
        return "without options", name
    option = rng.choice(options)
    base = call_of(name)
    if name != "protect" and any(each.name == "as_json" for each in main.commands[name].params):
        base += ["--json", "here.json"]
    known = {text for each in main.commands[name].params for text in each.opts}
    beside = BESIDE.get(option.name, [])
    if all(word in known for word in beside if word.startswith("--")):
        base += beside
    for other in rng.sample(options, min(rng.randint(0, 3), len(options))):
        if other.name not in (option.name, "seconds", "exhibits", "verify"):
            more = with_option(rng, base, other, name)
            if call(more, folder, False)[0] != 2:  # what is refused is no place to try another
                base = more
    given = with_option(rng, base, option, name)
    done = call(given, folder, option.name == "quiet")
    words = " ".join(given)
    if done[0] == 2:
        return ("refused" if re.search(r"Error: .+[.?]$", done[3][-1]) else f"NO SENTENCE {done[3]}"), words
    before = call(base, folder, option.name == "quiet")
    if done != before:
        return "acts", words
    if any(re.search(rf"(Note|Warning): .*{option.opts[0]}\b", line) for line in done[3]):
        return "noted", words
    return (
        "by design" if {option.name, (name, option.name)} & BY_DESIGN.keys() else f"NOTHING by {option.opts[-1]}"
    ), words


def main_(first: int, last: int) -> int:
    """Try the seeds, print what did nothing, and how the others ended."""
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = people_in(Path(place))
        os.chdir(folder)
        for seed in range(first, last):
            end, words = tried(seed, folder)
            ends[end if end[0].islower() else "did nothing"] += 1
            if not end[0].islower():
                print(f"seed {seed}: {end} in: disclosure {words}", flush=True)
    print(dict(ends))
    return ends["did nothing"]


if __name__ == "__main__":
    sys.exit(bool(main_(int(sys.argv[1]), int(sys.argv[2]))))
