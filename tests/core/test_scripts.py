"""Scripts that repeat an assessment: the Python one is run and compared, the R one is parsed by R where there is one."""

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from disclosure_core import (
    Chain,
    Columns,
    Exclusions,
    Holdout,
    Pair,
    RemoveReplicated,
    Settings,
    Study,
    Thresholds,
    assess,
    demo,
    read,
    start,
    start_demonstration,
)
from disclosure_core.data import suggestions
from disclosure_core.export import scripts
from disclosure_core.export.tables import tables
from tests.written import of_review

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


def opened_in(folder, original, *syntheses, **asked):
    """A review of files in a folder, asking for what is named."""
    opened = start((original, folder / original), {"synthetic data": [(name, folder / name) for name in syntheses]})
    settings = asked.pop("settings", Settings())
    return opened.with_review(replace(opened.review, **asked).with_settings(settings))


def printed(opened):
    return "".join(f"{name}\n{table.to_string()}\n" for name, table in of_review(opened).items())


@pytest.mark.slow
def test_the_python_script_gives_the_same_figures(tmp_path):
    demo.original().to_parquet(tmp_path / 'it\'s "mine".parquet')
    for i, frame in enumerate(demo.syntheses()[:2]):
        frame.to_parquet(tmp_path / f"s{i}.parquet")
    opened = opened_in(
        tmp_path, 'it\'s "mine".parquet', "s0.parquet", "s1.parquet",
        settings=everything(), columns=Columns(missing_codes={"income": ("-8",)}),
    )  # fmt: skip
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)
    study = Study(demo.original(), demo.syntheses()[:2], missing_codes=demo.MISSING_CODES)
    assert assess(study, everything()).summary().equals(opened.assessment().summary())


@pytest.mark.slow
def test_the_python_script_of_the_demonstration_survey_needs_no_file(tmp_path):
    opened = start_demonstration()
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_python_script_repeats_every_figure_of_random_settings(tmp_path, seed, monkeypatch, capsys):
    """Of the demonstration survey: the script, run as it stands, beside the assessment that the page shows."""
    rng = np.random.default_rng(seed)
    monkeypatch.chdir(tmp_path)
    names = [f"it's {i}.csv" for i in range(int(rng.integers(2, 4)))]
    for name, frame in zip(names, (demo.original(), *demo.syntheses()), strict=False):
        frame.iloc[: int(rng.integers(300, 900))].to_csv(name, index=False)
    columns = Columns(
        missing_texts={"education": ("Primary",)} if rng.random() < 0.5 else {},
        types={"age": "category"} if rng.random() < 0.5 else {},
        missing_codes={"income": ("-8",)},
    )
    opened = opened_in(tmp_path, *names, columns=columns)
    study = opened.study()
    keys = tuple(rng.permutation(["sex", "age", "region", "education", "marital"])[: rng.integers(1, 5)])
    targets = ("abroad", "income", "wellbeing", "bmi")

    def some(name):
        return str(rng.choice(study.columns[name].labels))

    out = Exclusions(
        target_levels={t: [some(t), some(t)] for t in targets[:3:2] if rng.random() < 0.6},
        missing_targets={t for t in targets if rng.random() < 0.5},
        missing_keys={k for k in keys if rng.random() < 0.5},
        pairs={"abroad": [Pair(k, some(k), some("abroad")) for k in keys]},
        denominator_limit=int(rng.integers(1, 9)) if rng.random() < 0.5 else None,
    )
    groups = {"income": int(rng.integers(2, 30)), "bmi": 5}
    groups |= {"age": 8} if "age" in keys and not columns.types else {}
    out = out if "age" not in groups else replace(out, pairs={})
    asked = Settings(keys, targets, groups, out, Thresholds((3, 50), (1, 60.5)))
    why = dict.fromkeys((*targets, "missing keys", "denominators"), "known")
    opened = opened.with_review(replace(opened.review.with_settings(asked), reasons=why))
    names_there: dict = {}
    exec(scripts.python(opened), names_there)
    assert "UiO" in capsys.readouterr().out
    ours, theirs = of_review(opened), names_there["figures"]
    assert list(ours) == list(theirs)
    ours |= tables(assess(study, asked))
    for name, frame in ours.items():
        pd.testing.assert_frame_equal(frame, theirs[name], check_exact=True)


@pytest.mark.parametrize("levels", [("x", "y"), ("b", "a", "c")])
def test_of_several_levels_the_first_is_left_out_as_r_does(levels):
    """The report sets the same beside ours: the first in the order in which settings keep them."""
    frame = pd.DataFrame({"k": list("pqr") * 6, "t": list("xyabcz") * 3})
    study = Study(frame, [frame])
    asked = Settings(keys=("k",), exclusions=Exclusions(target_levels={"t": levels}))
    script = scripts.r(study, asked, scripts.Files("o.csv", ("s.csv",)))
    (line,) = [line.strip() for line in script.splitlines() if "not.targetlev" in line]
    assert line.startswith(f'not.targetlev = "{min(levels)}"')
    assert "# t: R excludes one target level only, the first named" in script


@pytest.mark.parametrize(
    ("original", "synthetic", "left_out", "warned"),
    [
        (False, True, True, True),
        (True, True, True, False),
        (True, False, True, False),
        (False, False, True, False),
        (False, True, False, False),
    ],
)
def test_a_warning_stands_where_only_the_synthetic_data_miss_values(original, synthetic, left_out, warned):
    whole, gaps = (
        pd.DataFrame({"k": list("aab"), "t": list("xyx")}),
        pd.DataFrame({"k": list("aab"), "t": ["x", None, "x"]}),
    )
    study = Study(gaps if original else whole, [gaps if synthetic else whole])
    asked = Settings(keys=("k",), exclusions=Exclusions(missing_targets={"t"} if left_out else set()))
    script = scripts.r(study, asked, scripts.Files("o.csv", ("s.csv",)))
    assert ("# t: missing in the synthetic data only; R leaves those in (fault 9)." in script) == warned


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY)
def test_any_file_name_is_quoted(tmp_path, name):
    (tmp_path / name).write_text("k,t\na,x\n", encoding="utf-8")
    opened = opened_in(tmp_path, name, name, settings=Settings(keys=("k",)))
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)


@pytest.mark.parametrize("name", ["2026", 'a"""\nprint(1)\n"""', 'it\'s """', 'ends in \\"', "\\x", "é\ud800", *NASTY])
def test_the_python_script_tells_the_reviews_name_as_text(name):
    opened = start_demonstration()
    script = ast.parse(scripts.python(opened.with_review(replace(opened.review, name=name))))
    said = f"Repeats a review of synthetic data: {name}. Needs the package `disclosure`.\n"
    assert ast.get_docstring(script, clean=False).startswith(said)
    assert len(script.body) == len(ast.parse(scripts.python(opened)).body)


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
        'lapply(c("s1.csv", "s2.csv"), read_all)',
        "compare.synorig = FALSE",
    ):
        assert part in script
    grouped = scripts.r(
        demo.study(), Settings(keys=("sex",), targets=("income",), groups={"income": 20}), scripts.Files("o", ("s",))
    )
    assert "cont.na = list(`income` = c(-8))" in grouped


def test_the_r_script_names_what_it_needs_and_what_r_refuses():
    frame = pd.DataFrame({"k": ["a", "c", "c"], "target": [1, 20, 100], "t": ["x", "y", "z"]})
    script = scripts.r(Study(frame, [frame]), Settings(keys=("k",)), scripts.Files("o.csv", ("s 2.parquet",)))
    assert "# R's TCAP is called TCAPi here" in script
    assert "2.parquet: R reads it with the package arrow" in script
    assert 'short <- c("k", "column_1", "column_2")' in script  # R refuses `target`, and uses `t` itself


@pytest.mark.slow
def test_a_file_of_several_syntheses_is_read_once(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for i, frame in enumerate(demo.syntheses()[:2]):
            archive.writestr(f"s{i}.csv", frame.to_csv(index=False))
    demo.original().to_csv(tmp_path / "o.csv", index=False)
    opened = opened_in(tmp_path, "o.csv", "all.zip", settings=Settings(keys=("sex", "age"), targets=("marital",)))
    assert opened.study().n_syntheses == 2
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)
    assert 'lapply(c("all.zip"), read_all)' in scripts.r_of(opened)


@pytest.mark.slow
def test_what_was_decided_of_columns_is_in_the_script(tmp_path):
    frame = pd.DataFrame({"k": ["1", "2", "none"] * 9, "t": ["x", "n/a", "y"] * 9})
    frame.to_csv(tmp_path / "o.csv", index=False)
    columns = Columns(missing_texts={"k": ("none",), "t": ("n/a",)}, types={"k": "category"})
    opened = opened_in(tmp_path, "o.csv", "o.csv", settings=Settings(keys=("k",)), columns=columns)
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)
    decided = suggestions.retype(suggestions.apply_missing_texts(frame, columns.missing_texts), columns.types)
    found = assess(Study(decided, [decided]), Settings(keys=("k",)))
    assert found.summary().equals(opened.assessment().summary())
    assert 'empty <- list(`k` = c("none"), `column_1` = c("n/a"))' in scripts.r_of(opened)


@pytest.mark.slow
def test_what_was_mended_is_in_the_script(tmp_path):
    original = pd.DataFrame({"k": ["Yes", "No"] * 9, "s": ["Male", "Female", "Male"] * 6})
    synthetic = pd.DataFrame({"k": ["yes ", "no "] * 9, "s": [1.0, 2.0, 1.0] * 6})
    original.to_csv(tmp_path / "o.csv", index=False)
    labels = {"s": {1.0: "Male", 2.0: "Female"}}
    pyreadstat.write_sav(synthetic, tmp_path / "s.sav", variable_value_labels=labels)
    columns = Columns(mends={"k": ("space", "case"), "s": ("labels",)})
    opened = opened_in(tmp_path, "o.csv", "s.sav", settings=Settings(keys=("k",)), columns=columns)
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)
    found = opened.assessment().summary()
    assert found["synthetic"].tolist() == found["original"].tolist()
    assert "# k: mended before it was compared (space, case); do the same first." in scripts.r_of(opened)


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


@pytest.mark.slow
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


@pytest.mark.parametrize("names", [["one.csv"], ["two.csv", "one.csv"], ["two.csv", "one.csv", "three.csv"]])
def test_the_r_script_reads_every_synthesis_in_its_order(tmp_path, names):
    frame = pd.DataFrame({"k": ["a", "b"] * 10, "t": ["x", "y"] * 10})
    for name in ("o.csv", *names):
        frame.to_csv(tmp_path / name, index=False)
    script = scripts.r_of(opened_in(tmp_path, "o.csv", *names, settings=Settings(keys=("k",))))
    listed = ", ".join(f'"{name}"' for name in names)
    assert f"lapply(c({listed}), read_all)" in script


@pytest.mark.slow
def test_the_r_script_says_what_it_does_not_repeat(tmp_path):
    demo.original().to_csv(tmp_path / "o.csv", index=False)
    demo.syntheses()[0].to_csv(tmp_path / "s.csv", index=False)
    settings = Settings(keys=("sex", "age"), targets=("abroad",))
    plain = scripts.r_of(opened_in(tmp_path, "o.csv", "s.csv", settings=settings))
    assert "WARNING" not in plain
    assert "not repeated" not in plain
    asked = {
        "holdout": Holdout("split", share=80, seed=7),
        "chains": (Chain("tried\nonce", (RemoveReplicated(),)),),
        "chain": "tried\nonce",
        "tau": 0.8,
    }
    opened = opened_in(tmp_path, "o.csv", "s.csv", settings=settings)
    said = scripts.r_of(opened.with_review(replace(opened.review, **asked)))
    head = said[: said.index("library(synthpop)")]
    assert all(line.startswith("# ") for line in head.splitlines())
    for part in (
        "WARNING: 80 % of the original stood as the original (seed 7)",
        "disclosure split ORIGINAL --share 80 --seed 7",
        "no figures of them, nor differences, nor membership",
        r"The safeguards 'tried\nonce' are not repeated",
        "The threshold τ = 0.8 is not repeated",
    ):
        assert part in head
    several = start_demonstration()
    assert "# The figures are of 'synthetic data', one of 3 sets of syntheses. The others" in scripts.r_of(several)


@pytest.mark.parametrize("kind", ["year", "month", "date"])
def test_the_r_script_warns_of_dates_that_are_cut(tmp_path, kind):
    """A date that is none to R stops the script; one that was cut would be compared whole, unsaid."""
    days = pd.date_range("1990-01-01", periods=20, freq="40D").strftime("%Y-%m-%d")
    for name in ("o.csv", "s.csv"):
        pd.DataFrame({"k": ["a", "b"] * 10, "born": days}).to_csv(tmp_path / name, index=False)
    opened = opened_in(tmp_path, "o.csv", "s.csv", settings=Settings(keys=("k",)))
    review = replace(opened.review, columns=replace(opened.review.columns, types={"born": kind}))
    said = scripts.r_of(opened.with_review(review))
    assert (f"# WARNING: 'born' is cut to the {kind}, which R does not repeat" in said) == (kind != "date")


PLAIN = pd.DataFrame({"k": list("aabb") * 5, "n": [1, 2, 3, 4] * 5, "t": list("xyxy") * 5})
"""Of which R's figures are ours: nothing is said of it but how R calls two measures."""


@pytest.mark.parametrize(
    ("original", "syntheses", "asked", "said"),
    [
        (PLAIN, [PLAIN], {}, []),
        (PLAIN, [PLAIN, PLAIN], {}, ["fault 17"]),
        (PLAIN, [PLAIN.iloc[:16]], {"groups": {"n": 2}}, []),
        (PLAIN, [PLAIN, PLAIN.iloc[:16]], {"groups": {"n": 2}}, ["fault 32", "fault 17"]),
        (PLAIN, [PLAIN, PLAIN.iloc[:16]], {}, ["fault 17"]),
        # A number that is absent from a synthesis: R compares other cells, unless it groups or has a row of missing values.
        (PLAIN, [PLAIN.replace({"n": {4: 3}})], {}, ["# n: not grouped, and a value is absent from a synthesis."]),
        (PLAIN, [PLAIN.replace({"n": {4: 3}})], {"groups": {"n": 2}}, []),
        (PLAIN, [PLAIN, PLAIN.replace({"n": {4: 5}})], {}, ["fault 1)", "fault 17"]),
        (PLAIN.replace({"n": {4: 3}}), [PLAIN], {}, []),
        (PLAIN.replace({"n": {4: 3}}), [PLAIN, PLAIN.replace({"n": {4: 3}})], {}, ["fault 17"]),
        (PLAIN.replace({"n": {1: None}}), [PLAIN.replace({"n": {4: 3}})], {}, []),
        (PLAIN, [PLAIN.replace({"t": {"y": "x"}})], {}, []),
        (PLAIN, [PLAIN], {"exclusions": Exclusions(target_levels={"t": ["x"]})}, ["fault 5"]),
        (PLAIN, [PLAIN], {"exclusions": Exclusions(target_levels={"t": ["x", "y"]})}, ["fault 24", "fault 5"]),
        (PLAIN, [PLAIN], {"exclusions": Exclusions(missing_keys={"k"})}, ["fault 5"]),
        (PLAIN, [PLAIN], {"keys": ("k", "n"), "exclusions": Exclusions(missing_keys={"k"})}, ["fault 10", "fault 5"]),
        (PLAIN, [PLAIN], {"groups": {"n": 2}, "exclusions": Exclusions(target_levels={"t": ["x"]})}, ["fault 5"]),
        (PLAIN, [PLAIN], {"groups": {"n": 2}, "exclusions": Exclusions(target_levels={"n": ["[1,2)"]})},
         ["an interval is excluded by name", "fault 5"]),
        (PLAIN, [PLAIN], {"keys": ("k", "n"), "groups": {"n": 2}, "exclusions": Exclusions(pairs={"t": [Pair("n", "[1,2)", "x")]})},
         ["an interval is excluded by name", "fault 5"]),
        (PLAIN, [PLAIN], {"keys": ("k", "n"), "groups": {"n": 2}, "exclusions": Exclusions(pairs={"t": [Pair("k", "a", "x")]})},
         ["fault 5"]),
        (PLAIN.replace("a", "a|b"), [PLAIN], {}, ["faults 11, 33"]),
        (PLAIN.replace("x", "Missing"), [PLAIN], {}, ["fault 11)"]),
    ],
)  # fmt: skip
def test_each_warning_stands_where_r_errs_and_nowhere_else(original, syntheses, asked, said):
    study = Study(original, syntheses)
    script = scripts.r(study, Settings(**{"keys": ("k",)} | asked), scripts.Files("o.csv", ("s.csv",)))
    found = script[: script.index("library(synthpop)")].splitlines()[2:-1]
    found = [line for line in found if "then other ones" not in line]
    assert len(found) == len(said), found
    for line, part in zip(found, said, strict=True):
        assert part in line


def test_each_kind_of_column_is_told_apart():
    """What R turns into text in one way each: days, moments, whole numbers, others, groups, and true and false."""
    day = pd.Series(pd.to_datetime(["2024-01-31", "2024-02-01", "2025-03-01", "2024-01-31"]))
    frame = pd.DataFrame({"d": day, "m": day + pd.Timedelta("90min"), "w": [1, 2, 3, 1], "x": [0.5, 1, 2, 0.5],
                          "g": [1.5, 2, 3, 4], "b": ["TRUE", "false", "TRUE", "false"], "yn": ["no", "yes"] * 2})  # fmt: skip
    asked = Settings(keys=("d", "m"), groups={"g": 2})
    script = scripts.r(Study(frame, [frame]), asked, scripts.Files("o.csv", ("s.csv",)))
    found = dict(re.findall(r"^(\w+) <- (c\(.*\))$", script, re.MULTILINE))
    assert found["dates"] == 'c("d", "m")'
    assert found["days"] == 'c("d")'
    assert found["numbers"] == 'c("w", "x", "g")'
    assert found["whole"] == 'c("w")'
    assert found["grouped"] == 'c("g")'
    assert found["logicals"] == 'c("b")'
    assert found["of_keys"] == 'c("d", "m")'
    assert found["of_targets"] == 'c("w", "x", "b", "yn")'


def test_what_is_missing_is_left_out_by_the_name_that_r_has_for_it():
    frame = pd.DataFrame({"k": ["Alm", None, "Zug"] * 6, "t": ["x", "y", None] * 6})
    out = Exclusions(
        target_levels={"t": ["Missing"]},
        pairs={"t": [Pair("k", "Missing", "x"), Pair("k", "Alm", "Missing"), Pair("k", "Zug", "y")]},
    )
    script = scripts.r(Study(frame, [frame]), Settings(keys=("k",), exclusions=out), scripts.Files("o.csv", ("s.csv",)))
    lines = {line.strip().strip(",") for line in script.splitlines()}
    assert 'not.targetlev = "Missing"' in lines
    assert 'exclude.keylevs = c("Alm", "Missing", "Zug")' in lines
    assert 'exclude.targetlevs = c("Missing", "x", "y")' in lines


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R on this machine")
def test_r_reads_any_text_as_it_is(tmp_path):
    """But for what no R holds, a NUL and half a pair, in whose place the sign for it stands."""
    texts = [
        'a"b',
        "c\\d",
        "\x01",
        "\x7f",
        "\u0085",
        "\ud7ff",
        "\ue000",
        "\uf8ff",
        "\U000e0001",
        "\U0001f600",
        "-",
        "é",
        "\0",
        "\ud800",
        "\udfff",
    ]
    (tmp_path / "t.R").write_text(f"for (x in {scripts.vector(texts)}) cat(utf8ToInt(x), '\\n')", encoding="utf-8")
    command = ["Rscript", "--vanilla", "-e", 'Sys.setlocale("LC_CTYPE", "C.UTF-8"); source("t.R", encoding = "UTF-8")']
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    read_back = [[int(n) for n in line.split()] for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert read_back == [*([ord(c) for c in text] for text in texts[:-3]), *[[0xFFFD]] * 3]
