"""Command lines with options in any order and combination: a status that is documented, and one sentence where it is 2."""

import contextlib
import re

import click
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.commands import disclosure, main
from tests.fuzz.test_reviews import OTHER, TABLE

WORDS = ["sex", "sex,\nage", '"sex\n"', "round=income\n,5", "undefined", "age", "work", "income", "sex,age", "age,sex", "", ",", '"sex,age"', "sex,sex", "none", "income=2", "income=0", "income=-8", "work=x", "sex,f,work,x", "age=1e9", "=", "a=b=c", "50,90", "4,80", "-1,101", "nan,inf", "x" * 300, "é", "-", "--", "\x00", "yes", "work=space", "all-synthetic=yes", "labelled=maybe", "DiSCO>1", "max(repU)<=99", "DiSCO[work]>0", "F_rel>0", "limits", "DiSCO>", "difference(DiSCO)>nan", "__import__('os')", "comma", ";", "klingon", "utf-8"]  # fmt: skip
NUMBERS = ["0", "1", "2", "5", "-1", "80", "99.9", "100", "1e3", "nan", "inf", "2147483648", "x"]
SLOW = {"report", "figures"}
"""What takes seconds to write, or takes wheels from a network (`bundle`), has tests of its own."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("lines")
    (found / "original.csv").write_bytes(TABLE)
    (found / "synthetic.csv").write_bytes(OTHER)
    (found / "damaged.csv").write_bytes(b"a,a\n1,2\n")
    begun = disclosure("assess", str(found / "original.csv"), str(found / "synthetic.csv"), "--keys", "sex,age", "--save", str(found / "review.json"), "--quiet")  # fmt: skip
    assert begun.exit_code == 0, begun.stderr
    return found


def value(draw, option, folder):
    """Return a value for an option, most of the time one that it takes."""
    if isinstance(option.type, click.Choice) and draw(st.integers(0, 5)):
        return str(draw(st.sampled_from(list(option.type.choices))))
    if isinstance(option.type, click.Path):
        name = draw(st.sampled_from(["original.csv", "synthetic.csv", "review.json", "damaged.csv", "none.csv", "new.json", "new.csv", "new", "", "."]))  # fmt: skip
        return str(folder / name)
    if isinstance(option.type, (click.IntRange, click.FloatRange, click.types.IntParamType, click.types.FloatParamType)):  # fmt: skip
        return draw(st.sampled_from(NUMBERS))
    return draw(st.sampled_from(WORDS))


@given(st.data())
def test_any_command_line(folder, data):
    draw = data.draw
    name = draw(st.sampled_from([n for n in main.commands if n not in ("app", "demo", "completion", "bundle")]))
    command = main.commands[name]
    words = [str(folder / f) for f in draw(st.lists(st.sampled_from(["original.csv", "synthetic.csv", "synthetic.csv", "review.json", "damaged.csv", "none.csv"]), max_size=3))]  # fmt: skip
    parts = [[word] for word in words]
    options = [p for p in command.params if isinstance(p, click.Option) and p.name not in SLOW]
    if draw(st.booleans()):
        parts.append(["--keys", "sex,age"])
    for option in draw(st.lists(st.sampled_from(options), max_size=6)) if options else []:
        spelt = draw(st.sampled_from([*option.opts, *option.secondary_opts]))
        parts.append([spelt] if option.is_flag or option.count else [spelt, value(draw, option, folder)])
    line = [word for part in draw(st.permutations(parts)) for word in part]
    note(f"{name} {line}")
    with contextlib.chdir(folder):
        done = disclosure(name, *line)
    assert isinstance(done.exception, (SystemExit, type(None))), repr(done.exception)
    assert done.exit_code in (0, 1, 2), (done.exit_code, done.stderr)
    assert "Traceback" not in done.output
    if done.exit_code == 2:
        said = [text for text in done.stderr.splitlines() if text.startswith("Error:")]
        assert len(said) == 1, done.stderr
        assert re.fullmatch(r"Error: [^\n]{8,}[.?]", said[0]), said
