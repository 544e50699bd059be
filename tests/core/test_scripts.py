"""Scripts that repeat an assessment: the Python one is run and compared, the R one is parsed by R where there is one."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, assess, demo, meaning, scripts
from disclosure_core.readers import read

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


def ran(folder, script):
    """Return what a Python script prints."""
    (folder / "again.py").write_text(script, encoding="utf-8")
    command = [sys.executable, "again.py"]
    where = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=where, capture_output=True, text=True, check=True).stdout


def test_the_python_script_gives_the_same_figures(tmp_path):
    demo.original().to_parquet(tmp_path / 'it\'s "mine".parquet')
    for i, frame in enumerate(demo.syntheses()[:2]):
        frame.to_parquet(tmp_path / f"s{i}.parquet")
    study = Study(demo.original(), demo.syntheses()[:2], missing_codes=demo.MISSING_CODES)
    script = scripts.python(study, everything(), scripts.Files('it\'s "mine".parquet', ("s0.parquet", "s1.parquet")))
    done = ran(tmp_path, script)
    found = assess(study, everything())
    assert done == found.identity.to_string() + "\n" + found.summary().to_string() + "\n"


@pytest.mark.parametrize("name", NASTY)
def test_any_file_name_is_quoted(name):
    data = pd.DataFrame({"k": ["a"], "t": ["x"]})
    study = Study(data, [data])
    script = scripts.python(study, Settings(keys=("k",)), scripts.Files(name, (name,)))
    names = {}
    exec(script.split("def tables")[0].replace("from disclosure_core.readers import read", ""), names)
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
        'syntheses <- lapply(c("s1.csv", "s2.csv"), read_one)',
        "compare.synorig = FALSE",
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
        "# k: levels that hold '|' break R's key combinations",
        "# R's TCAP is called TCAPi here",
        "# o, s: save as CSV",
    ):
        assert part in script
    assert 'short <- c("k", "column_1", "column_2")' in script  # R refuses `target`, and uses `t` itself


def test_a_file_of_several_syntheses_is_read_once(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for i, frame in enumerate(demo.syntheses()[:2]):
            archive.writestr(f"s{i}.csv", frame.to_csv(index=False))
    demo.original().to_csv(tmp_path / "o.csv", index=False)
    readings = read(tmp_path / "all.zip", "all.zip")
    study = Study(read(tmp_path / "o.csv", "o.csv")[0].frame, [r.frame for r in readings])
    asked = Settings(keys=("sex", "age"), targets=("marital",))
    files = scripts.Files("o.csv", tuple(r.name for r in readings))
    done = ran(tmp_path, scripts.python(study, asked, files))
    assert done == assess(study, asked).identity.to_string() + "\n" + assess(study, asked).summary().to_string() + "\n"
    assert 'lapply(c("all.zip"), read_one)' in scripts.r(study, asked, files)


def test_what_was_decided_of_columns_is_in_the_script(tmp_path):
    frame = pd.DataFrame({"k": ["1", "2", "none"] * 9, "t": ["x", "n/a", "y"] * 9})
    frame.to_csv(tmp_path / "o.csv", index=False)
    texts, types = {"k": ["none"], "t": ["n/a"]}, {"k": "category"}
    decided = meaning.retype(meaning.apply_missing_texts(frame, texts), types)
    study = Study(decided, [decided])
    asked, files = Settings(keys=("k",)), scripts.Files("o.csv", ("o.csv",))
    done = ran(tmp_path, scripts.python(study, asked, files, texts, types))
    assert done == assess(study, asked).identity.to_string() + "\n" + assess(study, asked).summary().to_string() + "\n"
    assert 'empty <- list(`k` = c("none"), `column_1` = c("n/a"))' in scripts.r(study, asked, files, texts)


# Counts as R's program does where nothing of it errs: a stand-in, for synthpop itself is not at hand.
STAND_IN = """
disclosure <- function(object, data, keys, target, ...) {
  shown <- function(x) { x <- as.character(x); x[is.na(x)] <- "Missing"; x }
  one <- function(s) {
    kd <- do.call(paste, c(lapply(data[keys], shown), sep = " | "))
    ks <- do.call(paste, c(lapply(s[keys], shown), sep = " | "))
    td <- shown(data[[target]]); ts <- shown(s[[target]])
    d <- table(factor(td, unique(c(td, ts))), factor(kd, unique(c(kd, ks))))
    n <- table(factor(ts, unique(c(td, ts))), factor(ks, unique(c(kd, ks))))
    told <- sweep(n, 2, colSums(n), "==") & n > 0
    100 * c(sum(colSums(d) == 1), sum(colSums(d) == 1 & colSums(n) == 1), sum(d[told])) / nrow(data)
  }
  synthetic <- if (is.data.frame(object)) list(object) else object
  cat(format(do.call(rbind, lapply(synthetic, one)), digits = 15), "\n")
  list()
}
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R on this machine")
def test_the_r_script_hands_over_the_same_data(tmp_path):
    odd = {"sex": "target", "region": "a b | c", "wellbeing": "<é>$x", "household": "t"}
    frames = [frame.rename(columns=odd) for frame in (demo.original(), *demo.syntheses()[:2])]
    for i, frame in enumerate(frames):
        frame.to_csv(tmp_path / f"it's {i}.csv", index=False)
    frames = [read(tmp_path / f"it's {i}.csv", "x.csv")[0].frame for i in range(3)]
    study = Study(frames[0], frames[1:])
    asked = Settings(keys=("target", "age", "a b | c"))
    script = scripts.r(study, asked, scripts.Files("it's 0.csv", ("it's 1.csv", "it's 2.csv")))
    (tmp_path / "again.R").write_text(script.replace("library(synthpop)", STAND_IN), encoding="utf-8")
    where = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    command = ["Rscript", "--vanilla", "again.R"]
    done = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True, check=True)
    said = [[float(x) for x in line.split()] for line in done.stdout.splitlines() if line.strip()[:1].isdigit()]
    found = assess(study, asked)
    for got, risk in zip(said, found.targets.values(), strict=True):
        expected = [*found.identity["UiO"], *found.identity["repU"], *risk.figures("DiSCO")]
        assert got == pytest.approx(expected, abs=1e-9)


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
