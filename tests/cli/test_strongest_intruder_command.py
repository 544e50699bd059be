"""`disclosure strongest-intruder`: what it prints, and every option wrong."""

import json

import pandas as pd
import pytest

from disclosure_core import Review, demo
from tests.commands import disclosure

KEYS = ["--keys", "sex,age,region,employment", "--target", "abroad"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo.original().to_csv("o.csv", index=False)
    demo.syntheses()[0].to_csv("s.csv", index=False)
    demo.holdout().to_csv("h.csv", index=False)
    return tmp_path


def run(*arguments):
    return disclosure("strongest-intruder", "o.csv", "s.csv", *arguments)


@pytest.mark.slow
def test_the_largest_figures_of_the_demonstration(folder):
    regions = sorted(set(demo.original()["region"].dropna()))
    (folder / "regions.csv").write_text("".join(f"{name};{i % 3};all\n" for i, name in enumerate(regions)))
    ways = ["--hierarchy", "age=5,10,20", "--hierarchy", "region=regions.csv"]
    outside = ["--holdout", "h.csv", "--population", "25000", "--assume", "same-population=yes"]
    outside += ["--assume", "membership-is-news=yes", "--assume", "training-alone=yes"]
    done = run(*KEYS, *ways, *outside, "--json", "-", "--quiet", "--save", "again.json")
    assert done.exit_code == 0, done.stderr
    written = json.loads(done.stdout)
    rows = {(row["measure"], row["target"]): row for row in written["tables"]["strongest"]}
    assert rows["DiSCO", "abroad"]["figure"] == pytest.approx(42.86)
    assert rows["DiSCO", "abroad"]["knows"] == "sex, age, region"
    assert rows["DiSCO", "abroad"]["outside"] == pytest.approx(42.4)
    assert rows["F_rel", ""]["figure"] == pytest.approx(0.023551949515438358)
    levels = pd.DataFrame(written["tables"]["strongest_levels"])
    of_age = levels[(levels["measure"] == "DiSCO") & (levels["key"] == "age")].set_index("level")["figure"]
    assert of_age.index.tolist() == ["as it is", "bands of 5", "bands of 10", "bands of 20", "unknown"]
    assert of_age.max() == of_age["as it is"] == pytest.approx(42.86)
    repeated = ["strongest-intruder", "again.json", "--data", ".", "--json", "-", "--quiet", "--save", "third.json"]
    again = disclosure(*repeated)
    assert again.exit_code == 0, again.stderr
    assert [json.loads((folder / f"{n}.json").read_text())["searched"] for n in ("again", "third")] == [
        ["strongest"]
    ] * 2
    assert json.loads(again.stdout)["tables"]["strongest"] == written["tables"]["strongest"]
    assert Review.load("again.json").hierarchies["region"].rows[0] == (regions[0], "0", "all")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--hierarchy", "age"], "has no value; write it as KEY=5,10 or KEY=FILE"),
        (["--hierarchy", "agee=5"], "The key of --hierarchy, 'agee' is not among the keys. Did you mean 'age'?"),
        (["--hierarchy", "abroad=1"], "is not among the keys"),
        (
            ["--hierarchy", "age=5", "--hierarchy", "age=10"],
            "--hierarchy names 'age' twice; write its levels with commas between",
        ),
        (["--hierarchy", "age=5,7"], "band of 7 holds no whole bands of 5"),
        (["--hierarchy", "age=0"], "above 0"),
        (["--hierarchy", "age=month"], "above 0, not 'month'"),
        (["--hierarchy", "region=absent.csv"], "absent.csv cannot be read"),
        (["--hierarchy", "region=h.csv"], "has no row for the level"),
        (["--at-best", "age=5"], "The level '5' is not a level of 'age'"),
        (["--at-best", "bmi=5"], "The key of --at-best, 'bmi' is not among the keys"),
        (["--at-most", "0"], "0 is not in the range x>=1"),
        (["--nodes", "none"], "'none' is not a valid integer"),
        (["--tau", "2"], "2.0 is not in the range"),
        (["--targets", "abroad"], "name the same; give one of them"),
        (["--target", "abraod"], "Did you mean 'abroad'?"),
    ],
)
def test_each_option_wrong(folder, arguments, said):
    done = run(*KEYS, *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "Searching" not in done.stderr
