"""The R script in R, with a stand-in for synthpop that records what it is given: just what was asked, and the page's data.

synthpop itself is not among the packages that can be had here. R base is; `.ci/run` installs it for this folder.
"""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, Thresholds, demo, read
from disclosure_core.data import suggestions
from disclosure_core.export import scripts

pytestmark = pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R on this machine")

HERE = Path(__file__).parent
WHERE = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def rscript(folder, text, **where):
    (folder / "script.R").write_text(text, encoding="utf-8")
    command = ["Rscript", "--vanilla", "script.R"]
    return subprocess.run(command, cwd=folder, env=WHERE | where, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library of R in which synthpop is the stand-in."""
    folder = tmp_path_factory.mktemp("library")
    command = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", f"--library={folder}", str(HERE / "synthpop")]
    subprocess.run(command, check=True, capture_output=True, env=WHERE)
    return folder


def unhexed(found):
    """Return what the stand-in recorded, with its texts as texts."""
    if isinstance(found, str):
        return bytes.fromhex(found).decode()
    if isinstance(found, list):
        return [unhexed(v) for v in found]
    return {unhexed(k): unhexed(v) for k, v in found.items()} if isinstance(found, dict) else found


@pytest.fixture
def ran(library, tmp_path):
    def run(script):
        recorded = tmp_path / "recorded"
        recorded.unlink(missing_ok=True)
        done = rscript(tmp_path, script, R_LIBS=str(library), RECORDED=str(recorded))
        assert done.returncode == 0, done.stderr
        lines = [line.partition(" ") for line in recorded.read_text().splitlines()]
        assert {call for call, _, _ in lines} == {"disclosure"}
        return [unhexed(json.loads(arguments)) for _, _, arguments in lines]

    return run


def column_of(study, name, side, grouped):
    """Return the records of one file as R is to have them: numbers where R groups, else the page's level, or missing."""
    column = study.grouped(name, grouped)[0] if isinstance(grouped, tuple) else study.columns[name]
    codes = [column.original, *column.synthetic][side].tolist()
    if isinstance(grouped, int) and grouped:
        values = [float(v) for v in column.values.tolist()]
        return [None if c == column.n_levels else values[c] for c in codes]
    logical = {v.upper() for v in column.levels} <= {"TRUE", "FALSE"}
    levels = [v.upper() if logical else v for v in column.levels]
    return [None if c == column.n_levels else levels[c] for c in codes]


def in_r(asked, name):
    """Return into how many groups R is to put a column: none where it is cut at own breaks before."""
    return 0 if isinstance(asked.group(name), tuple) else asked.group(name)


def check(study, asked, calls):
    """Check that R was asked for just these settings, a call a target, and given the page's data."""
    keys = study.in_data_order(asked.keys)
    targets = study.in_data_order(asked.targets or [n for n in study.columns if n not in keys])
    columns = study.in_data_order((*keys, *targets))
    assert len(calls) == len(targets)
    out = asked.exclusions
    for call, target in zip(calls, targets, strict=True):
        sides = [call["data"], *(call["object"] if isinstance(call["object"], list) else [call["object"]])]
        assert len(sides) == 1 + study.n_syntheses
        short = dict(zip(columns, sides[0], strict=True))
        for i, side in enumerate(sides):
            assert list(side) == list(short.values())
            for name in columns:
                assert side[short[name]] == column_of(study, name, i, asked.group(name)), (name, i)

        def level(name, text):
            if text == study.columns[name].missing_label:
                return "Missing"
            return text.upper() if text.upper() in ("TRUE", "FALSE") else text

        pairs = out.pairs_of(target)
        codes = {short[n]: list(v) for n, v in study.missing_codes.items() if n in (*keys, target) and in_r(asked, n)}
        expected = {
            "keys": [short[k] for k in keys],
            "target": [short[target]],
            "ngroups_target": [in_r(asked, target)],
            "ngroups_keys": [in_r(asked, k) for k in keys],
            "usetargetNA": [target not in out.missing_targets],
            "usekeysNA": [k not in out.missing_keys for k in keys],
            "thresh_1way": list(asked.thresholds.one_way),
            "thresh_2way": list(asked.thresholds.two_way),
            "compare.synorig": [False],
            "print.flag": [False],
        }
        if codes:
            expected["cont.na"] = codes
        if out.levels_of(target):
            expected["not.targetlev"] = [level(target, out.levels_of(target)[0])]
        if pairs:
            expected["exclude.keys"] = [short[p.key] for p in pairs]
            expected["exclude.keylevs"] = [level(p.key, p.key_level) for p in pairs]
            expected["exclude.targetlevs"] = [level(target, p.target_level) for p in pairs]
        if out.denominator_limit is not None:
            expected |= {"denom_lim": [out.denominator_limit], "exclude_ov_denom_lim": [True]}
        assert {k: v for k, v in call.items() if k not in ("object", "data")} == expected


def opened(folder, names, codes=None, texts=None):
    """Return the study of these files as the page makes it, and what a script reads."""
    readings = [r for name in names for r in read(folder / name, name)]
    frames = [suggestions.apply_missing_texts(r.frame, texts or {}) for r in readings]
    return Study(frames[0], frames[1:], missing_codes=codes), scripts.Files(
        readings[0].name, tuple(r.name for r in readings[1:])
    )


ODD = {
    "sex": ["f", "m", None, "f", "m", "f"],
    'a "quoted" name': ["x y", 'say "no"', "back\\slash", "it's", "c(1)", 'q"); stop("in'],
    "whole": [16, 5, 100, -8, 2174, 100000],
    "half": [0.5, 1e20, -2.5, 1e-7, 0.1 + 0.2, 1234567.125],
    "both": [1, None, 1.0, 3, 16, 16],
    "long": [12345678901234567, 12345678901234568, 2, 3, 2, 3],
    "works": [True, False, None, True, True, False],
    "born": ["1990-01-31", None, "1980-02-01", "1970-03-01", "1970-03-01", "1980-02-01"],
    "zip": ["007", "7", "1.10", "1.1", "NA", "TRUE"],
}
ENDINGS = {
    "comma": lambda frame, path: frame.to_csv(path, index=False),
    "semicolon": lambda frame, path: frame.to_csv(path, index=False, sep=";"),
    "windows": lambda frame, path: frame.to_csv(path, index=False, encoding="cp1252"),
    "packed": lambda frame, path: frame.to_csv(path.with_name(path.name), index=False, compression="gzip"),
}


@pytest.mark.parametrize("form", list(ENDINGS))
def test_texts(ran, tmp_path, form):
    """Every kind of value in a delimited file, as key and as target, with exclusions of every kind."""
    original = pd.DataFrame(ODD).astype({"long": "int64"}).assign(**{"é ü": list("äöüäöü")})
    ending = "csv.gz" if form == "packed" else "csv"
    names = [f"it's {i}.{ending}" for i in range(3)]
    for name, seed in zip(names, range(3), strict=True):
        ENDINGS[form](original if seed == 0 else original.sample(6, replace=True, random_state=seed), tmp_path / name)
    study, files = opened(tmp_path, names, {"whole": [-8]}, {"zip": ["NA"]})
    odd = 'a "quoted" name'
    out = Exclusions(
        target_levels={"half": [study.columns["half"].levels[-1]], "works": [study.columns["works"].levels[-1]]},
        missing_targets={"works"},
        missing_keys={"sex"},
        pairs={
            "half": [Pair("both", "16", study.columns["half"].levels[0]), Pair(odd, 'q"); stop("in', "0.5")],
            "zip": [Pair("sex", study.columns["sex"].missing_label, "007")],
        },
        denominator_limit=3,
    )
    for asked in (
        Settings(keys=("sex", odd, "both"), exclusions=out, thresholds=Thresholds((5.5, 80), (0, 99.5))),
        Settings(keys=("whole", "half"), groups={"whole": 2}),
        Settings(keys=("works", "born", "long"), targets=("whole", "half"), groups={"whole": 3, "half": 2}),
        Settings(keys=("whole", "both"), targets=("half",), groups={"whole": (0, 2.5), "half": (0.5,), "both": (17,)}),
    ):
        check(study, asked, ran(scripts.r(study, asked, files, {"zip": ["NA"]})))


MAKE = """
original <- data.frame(
  sex = factor(c("f", "m", NA, "f"), levels = c("m", "f", "never used")), check.names = FALSE,
  `the size` = factor(c("small", "large", "small", NA), levels = c("small", "large"), ordered = TRUE),
  age = c(30L, NA, 100000L, 5L), income = c(-8, 100.5, NA, 1e20), job = c("cook", NA, "NA", "nurse"),
  works = c(TRUE, FALSE, NA, TRUE), born = as.Date(c("1990-01-31", "1980-02-01", NA, "1970-03-01")),
  stringsAsFactors = FALSE)
other <- original[c(2, 1, 4, 4), ]
third <- original[c(1, 1, 2, 3, 4), ]
saveRDS(original, "o.rds")
saveRDS(list(first = third, second = other), "list.rds")
saveRDS(structure(list(m = 2, syn = list(other, third), cont.na = list(income = -8)), class = "synds"), "synds2.rds")
saveRDS(structure(list(m = 1, syn = other, cont.na = list(income = -8)), class = "synds"), "synds1.rds")
number <- 17
save(number, other, third, file = "two.RData")
"""


@pytest.mark.parametrize("synthetic", ["o.rds", "synds1.rds", "synds2.rds", "list.rds", "two.RData"])
def test_files_of_r(ran, tmp_path, synthetic):
    assert rscript(tmp_path, MAKE).returncode == 0
    study, files = opened(tmp_path, ["o.rds", synthetic], {"income": [-8]})
    asked = Settings(keys=("sex", "age", "works"), exclusions=Exclusions(target_levels={"income": ["100.5"]}))
    for one in (
        asked,
        replace(asked, groups={"income": 2}, exclusions=Exclusions()),
        Settings(keys=("the size", "born")),
    ):
        check(study, one, ran(scripts.r(study, one, files)))


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("o.parquet", "arrow"),
        ("o.feather", "arrow"),
        ("o.sav", "haven"),
        ("o.dta", "haven"),
        ("o.xlsx", "readxl"),
        ("o.ods", "readODS"),
    ],
)
def test_what_r_cannot_read_says_which_package_it_needs(library, tmp_path, name, package):
    frame = pd.DataFrame({"k": ["a"], "t": ["x"]})
    (tmp_path / name).write_bytes(b"")
    script = scripts.r(Study(frame, [frame]), Settings(keys=("k",)), scripts.Files(name, ("s.csv",)))
    assert f"# {name}: R reads it with the package {package}; without it, save the file as CSV." in script
    done = rscript(tmp_path, script, R_LIBS=str(library), RECORDED=str(tmp_path / "recorded"))
    assert done.returncode == 1
    said = " ".join(done.stderr.split())
    if "needs the R package" not in said:
        asked = rscript(tmp_path, f'stopifnot(requireNamespace("{package}", quietly = TRUE))')
        if asked.returncode == 0:
            pytest.skip(f"R has {package} here, and reads the file")
    assert f"{name} needs the R package {package}: install it, or save the file as CSV." in said


def test_r_stops_rather_than_take_other_data(library, tmp_path):
    """A text that is no number to R, a column that is gone, other syntheses than were assessed: a sentence each."""
    frame = pd.DataFrame({"k": ["a", "b"], "t": [1.5, 2.5]})
    study = Study(frame, [frame])
    script = scripts.r(study, Settings(keys=("k",)), scripts.Files("o.csv", ("s.csv",)))
    for text, said in (
        ('k,t\na,"1,5"\n', "holds a text that is no number to R"),
        ("k,u\na,1\n", "not all columns were found"),
    ):
        frame.to_csv(tmp_path / "o.csv", index=False)
        (tmp_path / "s.csv").write_text(text)
        done = rscript(tmp_path, script, R_LIBS=str(library), RECORDED=str(tmp_path / "recorded"))
        assert done.returncode == 1
        assert said in " ".join(done.stderr.split())
    (tmp_path / "s.csv").write_text("k,t\na,1.5\n")
    script = scripts.r(Study(frame, [frame, frame]), Settings(keys=("k",)), scripts.Files("o.csv", ("s.csv",)))
    done = rscript(tmp_path, script, R_LIBS=str(library), RECORDED=str(tmp_path / "recorded"))
    assert "1 syntheses were read, and 2 were assessed." in " ".join(done.stderr.split())


def test_the_demonstration_survey(ran, tmp_path):
    for i, frame in enumerate((demo.original(), *demo.syntheses()[:2])):
        frame.to_csv(tmp_path / f"{i}.csv", index=False)
    study, files = opened(tmp_path, ["0.csv", "1.csv", "2.csv"], demo.MISSING_CODES)
    out = Exclusions(target_levels={"abroad": ["No"]}, pairs={"marital": [Pair("age", "16", "Single")]})
    asked = Settings(
        keys=demo.KEYS, targets=("abroad", "marital", "income", "wellbeing"), groups={"income": 20}, exclusions=out
    )
    check(study, asked, ran(scripts.r(study, asked, files)))


@pytest.mark.parametrize("seed", range(6))
def test_random_settings(ran, tmp_path, seed):
    rng = np.random.default_rng(seed)
    frames = []
    for i in range(int(rng.integers(2, 4))):
        n = int(rng.integers(5, 30))
        frame = pd.DataFrame({
            "a b": rng.choice(["x", "y z", "", "é'"], n), "n": rng.choice([1, 16, 200, -9], n),
            "t": rng.choice([0.25, 1e6, 33.0, np.nan], n), "target": rng.choice(["True", "False"], n), "d": rng.choice(["2020-01-01", "2021-12-31"], n),
        })  # fmt: skip
        frame.loc[0] = ["x", -9, 0.25, "True", "2020-01-01"]
        frame.to_csv(tmp_path / f"{i}.csv", index=False)
        frames.append(f"{i}.csv")
    study, files = opened(tmp_path, frames, {"n": [-9]})
    names = list(rng.permutation(list(study.columns)))
    keys = tuple(names[: rng.integers(1, 4)])
    targets = [n for n in names if n not in keys]

    def some(name):
        return str(rng.choice(study.columns[name].labels))

    groups = {"n": int(rng.integers(2, 4)) if rng.random() < 0.5 else (0, 16.5, 200)} if rng.random() < 0.5 else {}
    groups |= {"t": (0.25, 100_000)} if rng.random() < 0.5 else {}
    out = Exclusions(
        target_levels={t: [some(t)] for t in targets if rng.random() < 0.5 and t not in groups},
        missing_targets={t for t in targets if rng.random() < 0.5},
        missing_keys={k for k in keys if rng.random() < 0.5},
        pairs={t: [Pair(k, some(k), some(t)) for k in keys if k not in groups] for t in targets if t not in groups},
        denominator_limit=int(rng.integers(1, 9)) if rng.random() < 0.5 else None,
    )
    asked = Settings(keys=keys, groups=groups, exclusions=out)
    check(study, asked, ran(scripts.r(study, asked, files)))
