"""Scripts that repeat an assessment: the Python one is run and compared, the R one is parsed by R where there is one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, assess, demo, scripts

ROOT = Path(__file__).parents[2]
NASTY = ['quote".csv', "back\\slash.csv", "new\nline.csv", "$x$.csv", "é.csv", "`tick`.csv", "'one'.csv"]


def everything():
    return Settings(
        keys=("sex", "age", "education", "employment"),
        targets=("abroad", "bmi"),
        groups={"bmi": 5},
        exclusions=Exclusions(
            target_levels={"abroad": ["No"]},
            missing_targets={"abroad"},
            missing_keys={"education"},
            pairs={"abroad": [Pair("employment", "Student", "Yes")]},
            denominator_limit=3,
        ),
    )


def test_the_python_script_gives_the_same_figures(tmp_path):
    demo.original().to_parquet(tmp_path / 'it\'s "mine".parquet')
    for i, frame in enumerate(demo.syntheses()[:2]):
        frame.to_parquet(tmp_path / f"s{i}.parquet")
    study = Study(demo.original(), demo.syntheses()[:2], missing_codes=demo.MISSING_CODES)
    script = scripts.python(study, everything(), scripts.Files('it\'s "mine".parquet', ("s0.parquet", "s1.parquet")))
    (tmp_path / "again.py").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "again.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = assess(study, everything())
    assert done.stdout == found.identity.to_string() + "\n" + found.summary().to_string() + "\n"


@pytest.mark.parametrize("name", NASTY)
def test_any_file_name_is_quoted(name):
    data = pd.DataFrame({"k": ["a"], "t": ["x"]})
    study = Study(data, [data])
    script = scripts.python(study, Settings(keys=("k",)), scripts.Files(name, (name,)))
    names = {}
    exec(script.split("def table")[0].replace("from disclosure_core.readers import read", ""), names)
    assert names["ORIGINAL"] == name
    assert names["SYNTHETIC"] == [name]


def test_the_r_script_names_every_option():
    script = scripts.r(demo.study(), everything(), scripts.Files("o.csv", ("s1.csv", "s2.csv")))
    for part in (
        'keys = c("sex", "age", "education", "employment")',
        'target = "abroad"',
        "usetargetNA = FALSE",
        "usekeysNA = c(TRUE, TRUE, FALSE, TRUE)",
        'not.targetlev = "No"',
        'exclude.keys = c("employment")',
        'exclude.keylevs = c("Student")',
        'exclude.targetlevs = c("Yes")',
        "denom_lim = 3",
        "exclude_ov_denom_lim = TRUE",
        "ngroups_target = 5",
        "thresh_2way = c(4, 80)",
        'syntheses <- lapply(c("s1.csv", "s2.csv"), read)',
    ):
        assert part in script
    grouped = scripts.r(
        demo.study(), Settings(keys=("sex",), targets=("income",), groups={"income": 20}), scripts.Files("o", ("s",))
    )
    assert "cont.na = list(`income` = c(-8))" in grouped


def test_the_r_script_says_where_r_errs():
    frame = pd.DataFrame({"k": ["a|b", "c", "c"], "target": [1, 20, 100], "t": ["x", "y", "z"]})
    study = Study(frame, [frame.assign(target=[1, 20, 20])])
    asked = Settings(keys=("k",), exclusions=Exclusions(target_levels={"t": ["x", "y"]}))
    script = scripts.r(study, asked, scripts.Files("o", ("s",)))
    for part in (
        "# target: not grouped, and a value is absent from a synthesis.",
        "# t: R leaves out one target level only",
        "# k: levels that hold '|' break R's key combinations.",
        "# target: R rewrites or refuses such column names",
        "# R's TCAP is called TCAPi here.",
    ):
        assert part in script


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R on this machine")
@pytest.mark.parametrize("name", NASTY)
def test_r_can_parse_it(tmp_path, name):
    data = pd.DataFrame({name: ['a"b', "c\\d"], "t\n2": ["x`", "é"], "n": [1, 2]})
    study = Study(data, [data], missing_codes={"n": [1]})
    asked = Settings(
        keys=(name, "n"),
        exclusions=Exclusions(target_levels={"t\n2": ["x`"]}, pairs={"t\n2": [Pair(name, 'a"b', "é")]}),
    )
    (tmp_path / "again.R").write_text(scripts.r(study, asked, scripts.Files(name, (name,))), encoding="utf-8")
    check = 'Sys.setlocale("LC_CTYPE", "C.UTF-8"); invisible(parse("again.R", encoding = "UTF-8"))'
    subprocess.run(["Rscript", "-e", check], cwd=tmp_path, check=True, capture_output=True)
