"""`--settings` and `--answers` on the command line: parts of a review, what they leave as it is, and who answers what."""

import json

import pandas as pd
import pyreadstat
import pytest

from disclosure_core import Settings, demo
from tests.commands import disclosure
from tests.saved import from_json

ASKED = ("people.csv", "release.csv", "--keys", "sex,age", "--targets", "marital")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("settings")
    demo.original().head(300).to_csv(found / "people.csv", index=False)
    for i in (0, 1):
        demo.syntheses()[i].head(300).to_csv(found / f"release{i or ''}.csv", index=False)
    demo.holdout().head(100).to_csv(found / "outside.csv", index=False)
    return found


@pytest.fixture
def office(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


def run(*arguments, status=0):
    done = disclosure(*arguments)
    assert done.exit_code == status, done.stderr
    return done.stderr


def asked_with(office, text, name="part.json", *more):
    (office / name).write_text(text, encoding="utf-8")
    said = run("assess", "people.csv", "release.csv", "--settings", name, *more, "--save", "r.json")
    return from_json((office / "r.json").read_text(encoding="utf-8")), said


def test_a_part_is_enough_and_options_override_it(office):
    part = {"review": 3, "limits": {"disco": {"absolute": 20, "relative": 3, "owner": "panel"}}, "tau": 0.8,
            "targets": ["marital"], "exclusions": {"denominator_limit": 9}}  # fmt: skip
    found, _ = asked_with(office, json.dumps(part), "part.json", "--keys", "sex,age")
    assert (found.tau, found.limits.disco.absolute, found.targets) == (0.8, 20, ("marital",))
    assert found.exclusions.denominator_limit == 9
    found, _ = asked_with(
        office, json.dumps(part), "part.json", "--keys", "sex", "--limit", "DiSCO=30,4", "--targets", "abroad"
    )
    assert (found.limits.disco.absolute, found.limits.disco.owner, found.targets) == (30, "panel", ("abroad",))


def test_a_part_may_be_toml(office):
    text = 'review = 3\ntargets = ["marital"]\n[groups]\nincome = 5\n[[intruders]]\nname = "a neighbour"\nkeys = ["sex", "age"]\n'
    found, _ = asked_with(office, text, "part.toml")
    assert (found.keys, found.intruder, dict(found.groups)) == (("sex", "age"), "a neighbour", {"income": 5})


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"treshold": {}}, "a part 'treshold' that is not known here (did you mean 'thresholds'?)"),
        ({"exclusions": {"target_level": {}}}, "a part 'target_level' that is not known here (did you mean 'target_levels'?)"),
        ({"analyses": {"near-miss": {}}}, "Did you mean 'near-misses'?"),
        ({"tau": "0.8"}, "damaged at 'tau'"),
        ({"limits": {"disco": {"absolute": 120}}}, "A limit of DiSCO is from 0 to 100"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_named(office, part, said):
    (office / "part.json").write_text(json.dumps({"review": 3} | part), encoding="utf-8")
    assert said in run("assess", *ASKED, "--settings", "part.json", status=2)


@pytest.mark.parametrize(
    "part",
    [
        {"released": {"nosuch": [1]}}, {"really_different": {"": ["nosuch"]}}, {"reasons": {"nosuch": "why"}},
        {"about": {"nosuch": "x"}}, {"columns": {"missing_codes": {"nosuch": ["-8"]}}},
        {"hierarchies": {"nosuch": {"kind": "bands", "steps": ["5"], "rows": []}}},
        {"intruders": [{"name": "an intruder", "keys": ["sex"], "bounds": {"at_best": {"nosuch": "5"}}}]},
        {"verdicts": [{"synthesis_set": "synthetic data", "intruder": "an intruder", "target": "nosuch", "verdict": "leak"}]},
    ],
    ids=str,
)  # fmt: skip
def test_what_names_nothing_in_the_data_is_said(office, part):
    _, said = asked_with(
        office, json.dumps({"review": 3} | part), "part.json", "--keys", "sex,age", "--targets", "marital"
    )
    assert "Note: 'nosuch' in" in said
    assert "is nothing that these data have, and does nothing" in said
    part = {"reasons": {"sex": "seen", "marital = single": "known", "denominators": "few"}, "about": {"Note": "x"}}
    _, said = asked_with(
        office, json.dumps({"review": 3} | part), "part.json", "--keys", "sex,age", "--targets", "marital"
    )
    assert "does nothing" not in said


def test_a_synthesis_that_is_not_there_is_said(office):
    part = {"review": 3, "released": {"synthetic data": [9]}}
    _, said = asked_with(office, json.dumps(part), "part.json", "--keys", "sex,age", "--targets", "marital")
    assert "Note: 'synthetic data' has 1 synthesis, and released names another" in said


def test_settings_leave_what_files_declare(office):
    """They say nothing of columns: a column that is read by its labels in all files stays mended so."""
    frame = pd.DataFrame({"k": ["a", "b", "c"] * 4, "x": [1.0, 2, 1] * 4})
    labels = {"x": {1: "no", 2: "yes"}}
    pyreadstat.write_sav(frame, "o.sav", variable_value_labels=labels)
    pyreadstat.write_sav(frame.assign(x=[1.0, 3, 4] * 4), "s.sav", variable_value_labels=labels)
    call = ("assess", "o.sav", "s.sav", "--keys", "k", "--save", "r.json")
    run(*call, "--quiet")
    alone = from_json((office / "r.json").read_text(encoding="utf-8"))
    (office / "settings.json").write_text(Settings(keys=("k",)).to_json(), encoding="utf-8")
    run("assess", "o.sav", "s.sav", "--settings", "settings.json", "--save", "r.json", "--quiet")
    again = from_json((office / "r.json").read_text(encoding="utf-8"))
    assert alone.columns.mends == {"x": ("labels",)}
    assert again.columns == alone.columns


def test_what_a_review_had_of_data_is_asked_for_again(office):
    run("assess", *ASKED, "--holdout", "outside.csv", "--save", "older.json", "--quiet")
    said = run("assess", *ASKED[:2], "--settings", "older.json")
    assert "That review had people outside; name them by --holdout" in said
    assert "That review had people" not in run(
        "assess", *ASKED[:2], "--settings", "older.json", "--holdout", "outside.csv"
    )


def test_the_set_that_a_review_speaks_of_is_taken_up(office):
    sets = ("people.csv", "--set", "one", "release.csv", "--set", "two", "release1.csv")
    (office / "part.json").write_text(json.dumps({"review": 3, "synthesis_set": "two"}), encoding="utf-8")
    run("assess", *sets, *ASKED[2:], "--settings", "part.json", "--save", "r.json", "--quiet")
    assert from_json((office / "r.json").read_text(encoding="utf-8")).synthesis_set == "two"


@pytest.mark.parametrize(
    ("answers", "option", "said"),
    [
        ('[limits.disco]\nowner = "panel"', ("--limit", "DiSCO=20,3", "--limit-owner", "us"), "'owner' is answered in part.toml and by --limit-owner"),
        ("[limits.disco]\nabsolute = 5", ("--limit", "DiSCO=20,3"), "'absolute' is answered in part.toml and by --limit"),
        ('[reasons]\n"a=b" = "seen"', ("--reason", "a=b=seen"), "'a=b' is answered in part.toml and by --reason"),
    ],
)  # fmt: skip
def test_what_a_file_and_an_option_answer_is_refused(office, answers, option, said):
    for name in ("people", "release"):
        pd.read_csv(f"{name}.csv").assign(**{"a=b": "x"}).to_csv(f"{name}_more.csv", index=False)
    (office / "part.toml").write_text(f"review = 3\n{answers}\n", encoding="utf-8")
    call = ("assess", "people_more.csv", "release_more.csv", "--keys", "sex,a=b", "--targets", "marital")
    assert said in run(*call, *option, "--answers", "part.toml", "--quiet", status=2)


def test_a_limit_in_the_answers_judges(office):
    """The office's limits are a file of their own; a value that may be a share is asked about, as of --limit."""
    call = ("assess", *ASKED, "--holdout", "outside.csv", "--answers", "part.toml", "--quiet", "--fail-if", "limits")
    for more, status, said in (
        ("absolute = 20", 1, "not evaluated"), ("absolute = 100\nrelative = 100", 0, ""),
        ("absolute = 0.5", 2, "is 0.5 % or 50 % meant?"), ("absolute = 0.5\nas_written = true", 1, "not evaluated"),
    ):  # fmt: skip
        (office / "part.toml").write_text(f"review = 3\n[limits.disco]\n{more}\n", encoding="utf-8")
        assert said in run(*call, status=status)
