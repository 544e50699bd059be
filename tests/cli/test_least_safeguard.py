"""`disclosure protect --aim`: the cheapest chain is written, the frontier printed; what does not fit is one sentence."""

import json
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

from disclosure_core import Band, BlankClaims, Ways
from tests.cli.test_manual import SCHEMA
from tests.commands import disclosure
from tests.saved import from_json

_WIDTHS = ("0", "-5", "x", "nan", "inf")


@pytest.fixture
def survey(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ages = list(range(20)) * 3
    Path("one.csv").write_text("x;a\ny;a\n")
    Path("short.csv").write_text("x;a\nz;a\n")
    pd.DataFrame({"age": ages, "b:c": list("xy") * 30, "t": list("uvuu") * 15}).to_csv("o.csv", index=False)
    pd.DataFrame({"age": ages, "b:c": list("xy") * 30, "t": list("uvuv") * 15}).to_csv("s.csv", index=False)


def call(*more, aim=("--aim", "DiSCO<5"), output="out"):
    asked = ["protect", "o.csv", "s.csv", "--keys", "age,b:c", "--targets", "t", "--output", output]
    return disclosure(*asked, *aim, *more)


def test_the_cheapest_chain_is_written_and_the_frontier_printed(survey, tmp_path):
    done = call("--may", "age:2,4", "--may-blank", "t", "--save", "r.json")
    assert done.exit_code == 0, done.stderr
    assert "The frontier: each chain discloses less" in done.stdout
    assert "no other chain of these steps reaches the aim with less" in done.stderr
    taken = from_json((tmp_path / "r.json").read_text()).steps
    assert taken[-1] == BlankClaims("t") or taken == (Band("age", "2"),)
    written = pd.read_csv("out/safer_s.csv")
    assert ("[" in str(written["age"].iloc[0])) == any(isinstance(step, Band) for step in taken)
    shown = call("--may", "age:2,4", "--may-blank", "t", "--json", "-", output="other")
    figures = json.loads(shown.stdout)
    jsonschema.validate(figures, SCHEMA)
    rows = figures["tables"]["least_safeguard"]
    assert [row["figure"] for row in rows] == sorted((row["figure"] for row in rows), reverse=True)
    assert [row["detail_lost"] for row in rows] == sorted(row["detail_lost"] for row in rows)
    # The files of both calls are the same.
    assert (tmp_path / "other" / "safer_s.csv").read_bytes() == (tmp_path / "out" / "safer_s.csv").read_bytes()


def test_an_aim_nobody_can_reach_writes_nothing(survey, tmp_path):
    done = call("--may", "age:2", aim=("--aim", "DiSCO<0"))
    assert done.exit_code == 1
    assert "No chain reaches the aim. The nearest: " in done.stderr
    assert not (tmp_path / "out").exists()
    done = call("--may", "age:2", aim=("--aim", "DiSCO<=100"))
    assert (done.exit_code, (tmp_path / "out").exists()) == (0, False)
    assert "reached by the data as they came" in done.stderr


def test_an_aim_that_the_data_reach_is_saved_and_its_conditions_are_judged(survey, tmp_path):
    asked = ("--may", "age:2", "--save", "r.json", "--adopt", "safer", "--fail-if", "DiSCO>5")
    done = call(*asked, aim=("--aim", "DiSCO<=100"))
    assert (done.exit_code, (tmp_path / "out").exists()) == (1, False)
    assert "DiSCO>5 holds for t: " in done.stderr
    assert "Wrote r.json" in done.stderr
    assert "--adopt safer makes no set" in done.stderr
    saved = from_json((tmp_path / "r.json").read_text())
    assert (saved.sought.aims, saved.steps, len(saved.sets)) == (("DiSCO<=100",), (), 1)


def test_a_target_of_which_every_level_is_excluded_reaches_no_aim(survey, tmp_path):
    emptied = ("--exclude", "t=u", "--exclude", "t=v", "--reason", "t=known", "--may", "age:2")
    done = call(*emptied, aim=("--aim", "DiSCO[t]<5"))
    assert (done.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert "t is not searched: every level of it is excluded." in done.stderr
    keys = call(*emptied, "--json", "-", aim=("--aim", "DiSCO<5", "--aim", "repU<=1"))
    assert {row["of"] for row in json.loads(keys.stdout)["tables"]["least_safeguard"]} == {"repU"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--aim", "DiSCO", "--may", "age:2"), "cannot be read; write a measure"),
        (("--aim", "UiO<5", "--may", "age:2"), "No aim bounds 'UiO'"),
        (("--aim", "limits", "--may", "age:2"), "The review sets no limit of DiSCO"),
        (("--aim", "DiSCO<5"), "Nothing may be touched"),
        (("--aim", "DiSCO<5", "--may", "age"), "has no value; write it as age:5,10"),
        (("--aim", "DiSCO<5", "--may", "age:"), "has no value; write it as age:5,10"),
        (("--aim", "DiSCO<5", "--may", "height:5"), "The column of --may"),
        (("--aim", "DiSCO<5", "--may", "age:2", "--may", "age:4"), "--may names 'age' twice"),
        (("--aim", "DiSCO<5", "--may", "age:none.csv"), "cannot be read ("),
        (("--aim", "DiSCO<5", "--may", "age:3,5"), "multiple"),
        (("--aim", "DiSCO<5", "--may", "t:prefix:1"), "is no key: writing it less exactly"),
        (("--aim", "DiSCO<5", "--may-remove", "101"), "101"),
        *((("--aim", "DiSCO<5", "--may", f"age:{width}"), f"a number above 0, not '{width}'") for width in _WIDTHS),
        (("--aim", "DiSCO<5", "--may", ""), "has no value; write it as age:5,10"),
        (("--aim", "DiSCO<5", "--may", "b:c:short.csv"), "has no row for the level 'y'"),
        (("--aim", "DiSCO<5", "--may-remove", "nan"), "from 0 to 100 %"),
        (("--aim", "DiSCO<5", "--may", "age:2", "--seconds", "nan"), "ends after 0 seconds or more"),
        (("--aim", "DiSCO<5", "--may-blank", ""), "is no target that is assessed; name one of t"),
        (("--aim", "DiSCO<5", "--may-blank", "nosuch"), "'nosuch' is no target that is assessed; name one of t"),
        (("--aim", "DiSCO[age]<5", "--may", "age:2"), "'age' is no target that is assessed; name one of t"),
        (("--aim", "", "--may", "age:2"), "The aim '' cannot be read"),
        (("--aim", "nan", "--may", "age:2"), "The aim 'nan' cannot be read"),
        (("--aim", "DiSCO<nan", "--may", "age:2"), "cannot be read; write a measure"),
        (("--aim", "repU<101", "--may", "age:2"), "The limit of the aim 'repU<101' is not from 0 to 100"),
        (("--aim", "gain<=100.5", "--may", "age:2"), "is not from 0 to 100"),
        (("--aim", "DiSCO<5", "--may", "age:top:x"), "'top:x' is no way to change a key; write top:90"),
        (("--aim", "DiSCO<5", "--may", "age:top:"), "'top:' is no way to change a key"),
        (("--aim", "DiSCO<5", "--may", "age:top:99"), "top:99 changes no synthetic value of 'age'; name other numbers"),
        (("--aim", "DiSCO<5", "--may", "age:round:0"), "to multiples of a number above 0"),
        (("--aim", "DiSCO<5", "--may", "b:c:merge:1"), "fewer than 2 records have, or more"),
        (("--aim", "DiSCO<5", "--may", "b:c:top:5"), "'b:c' is not numeric"),
        (("--aim", "DiSCO<5", "--may", "age:merge:5"), "'age' is numeric; put it into groups instead"),
        (("--aim", "DiSCO<5", "--may", "t:top:5"), "is no key: writing it less exactly"),
        (("--aim", "DiSCO<5", "--may", "b:c:one.csv"), "merge nothing, or everything; name others"),
        (("--aim", "M<=1", "--may", "age:2"), "M needs people outside the data"),
        (("--aim", "DiSCO<5", "--aim", "M[t]<=1", "--may-blank", "t"), "M needs people outside the data"),
        (("--aim", "DiSCO<5", "--may-blank", "age"), "is a key, and keys make no claim; name a target"),
        (("--aim", "DiSCO<5", "--may", "age:2", "--seconds", "-1"), "-1"),
        (("--aim", "DiSCO<5", "--may", "age:2", "--step", "round=age,5"), "--aim searches the steps that --step names"),
        (("--may", "age:2"), "--may belongs to the search"),
        (("--may-remove", "5"), "--may-remove belongs to the search"),
        (("--aim", "DiSCO<5", "--may-remove-claims", "t"), "Say what share of the records may be removed, above 0 %"),
        (("--aim", "DiSCO<5", "--may-remove", "5", "--may-remove-claims", "x"), "'x' is no target that is assessed"),
        (("--may-remove-claims", "t"), "--may-remove-claims belongs to the search"),
        (("--may-blank", "t"), "--may-blank belongs to the search"),
        (("--seconds", "5"), "--seconds belongs to the search"),
        (("--json", "-"), "--json belongs to the search"),
    ],
)
def test_what_does_not_fit_is_one_sentence(survey, tmp_path, more, message):
    done = call(*more, aim=())
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert "Searching" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_caps_rounding_and_merging_are_steps_of_the_search(survey, tmp_path):
    ways = ("--may", "age:top:15,10", "--may", "age:bottom:3", "--may", "age:round:2", "--may", "b:c:merge:31")
    done = call(*ways, "--save", "r.json", "--json", "f.json", aim=("--aim", "repU<=100", "--aim", "DiSCO<=100"))
    assert done.exit_code == 0, done.stderr
    done = call(*ways, "--save", "r.json", "--json", "f.json", aim=("--aim", "DiSCO<40"))
    assert "looked at" in done.stderr
    saved = json.loads((tmp_path / "f.json").read_text())["tables"]["least_safeguard"]
    # 3 tops × 2 bottoms × 2 widths of age, merged or not.
    assert "All 24 releases" in done.stderr
    assert len(saved) > 1
    if done.exit_code == 0:
        review = from_json((tmp_path / "r.json").read_text())
        assert review.sought.ways == {"age": Ways((15, 10), (3,), (2,)), "b:c": Ways(merge=(31,))}
        again = disclosure("run", "r.json", "--data", ".")
        assert again.exit_code == 0, again.stderr
        assert "Least safeguard. Aim: DiSCO of no target at or above 40 %." in again.stdout


def test_a_key_with_a_colon_in_its_name_is_found(survey):
    done = call("--may", "b:c:merge:31", aim=("--aim", "DiSCO<=100"))
    assert done.exit_code == 0, done.stderr


@pytest.mark.slow
def test_run_searches_again_and_prints_the_frontier(survey, tmp_path):
    first = call("--may", "age:2,4", "--may-blank", "t", "--save", "r.json")
    again = disclosure("run", "r.json", "--data", ".", "--json", "again.json", "--report", "r.html")
    assert again.exit_code == 0, again.stderr
    frontier = first.stdout[first.stdout.index("The frontier") :].splitlines()
    frontier = frontier[: 1 + next(i for i, line in enumerate(frontier[1:]) if not line[:1].isspace())]
    assert "\n".join(frontier) in again.stdout
    assert "Least safeguard. Aim: DiSCO of no target at or above 5 %." in again.stdout
    rows = json.loads((tmp_path / "again.json").read_text())["tables"]["least_safeguard"]
    assert len(rows) == len(frontier) - 2
    none = disclosure("assess", "o.csv", "s.csv", "--keys", "age", "--targets", "t")
    assert "east safeguard" not in none.stdout


def test_of_an_adopted_set_the_search_begins_there_and_is_not_kept(survey, tmp_path):
    adopted = call("--step", "band=age,2", "--adopt", "bands", "--save", "r.json", aim=())
    assert adopted.exit_code == 0, adopted.stderr
    asked = ["protect", "r.json", "--data", ".", "--aim", "DiSCO<5", "--may-blank", "t", "--output", "more"]
    done = disclosure(*asked, "--save", "more.json", "--json", "f.json")
    assert done.exit_code == 0, done.stderr
    first = json.loads((tmp_path / "f.json").read_text())["tables"]["least_safeguard"][0]
    assert (first["chain"], first["detail_lost"]) == ("As it came.", 0)
    assert "The search begins with the adopted set 'bands'" in done.stderr
    saved = from_json((tmp_path / "more.json").read_text())
    assert "least" not in saved.searched
    assert saved.steps == (BlankClaims("t"),)
    written = pd.read_csv("more/safer_s.csv")
    assert written["t"].isna().all()
    assert written["age"].str.startswith("[").all()
