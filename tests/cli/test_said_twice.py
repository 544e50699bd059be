"""What a call says of one name is said once: of two the last counted, and an excluded level that is none counted not."""

from pathlib import Path

import pandas as pd
import pytest

from tests.commands import disclosure


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("o.csv", "s.csv"):
        pd.DataFrame({"age": list(range(12)) * 2, "sex": list("fm") * 12, "t": list("uvw") * 8}).to_csv(
            name, index=False
        )


ASSESS = ("assess", "o.csv", "s.csv", "--keys", "age,sex", "--targets", "t", "--quiet")
SAID = {
    "--assume": (ASSESS, "labelled={}", "'labelled'", "yes", "no"),
    "--at-best": (("strongest-intruder", *ASSESS[1:], "--hierarchy", "age=2,4"), "age={}", "'age'", "2", "4"),
    "--encoding": (ASSESS, "o.csv={}", "'o.csv'", "cp850", "utf-8"),
    "--figure-look": ((*ASSESS, "--figures", "f"), "label:t={}", "label:t", "a", "b"),
    "--group": (ASSESS, "age={}", "'age'", "5", "3"),
    "--header": (ASSESS, "{}", "all files", "yes", "no"),
    "--know": (("look-up", *ASSESS[1:5], "--target", "t"), "sex={}", "'sex'", "f", "m"),
    "--limit": (ASSESS, "DiSCO={}", "'DiSCO'", "20,3", "90,3"),
    "--reason": (ASSESS, "age={}", "'age'", "seen", "asked"),
    "--type": (ASSESS, "age={}", "'age'", "number", "category"),
}


@pytest.mark.parametrize("option", SAID)
def test_of_two_that_are_said_none_counts(option):
    call, form, of, *values = SAID[option]
    one, other = (form.format(value) for value in values)
    done = disclosure(*call, option, one, option, other)
    assert (done.exit_code, done.stdout, sorted(path.name for path in Path().iterdir())) == (2, "", ["o.csv", "s.csv"])
    assert done.stderr.endswith(f"Error: {option} says two things of {of}; give one of them.\n")
    if option != "--figure-look":
        assert disclosure(*call, option, one, option, one).exit_code == 0


@pytest.mark.parametrize("command", ["assess", "tau"])
@pytest.mark.parametrize(
    ("excluded", "said"),
    [
        (("--exclude", "t=x"), "Target level 'x' is not of 't'."),
        (("--exclude-pair", "sex,q,t,u"), "Key level 'q' is not of 'sex'."),
        (("--exclude-pair", "sex,f,t,x"), "Target level 'x' is not of 't'."),
    ],
)
@pytest.mark.parametrize("more", [("--quiet",), ("--quiet", "--save", "r.json"), ()])
def test_an_excluded_level_that_is_none_is_said_whatever_is_printed(command, excluded, said, more):
    """It has no reason, and so acts on no judged figure: a call that prints none did not look at it."""
    done = disclosure(command, *ASSESS[1:-1], *excluded, *more)
    assert (done.exit_code, done.stdout, Path("r.json").exists()) == (2, "", False)
    assert said in done.stderr
