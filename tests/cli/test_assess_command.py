"""`disclosure assess` as a pipeline runs it: a process, its files, its exit status."""

# Inside: figures' files are named and drawn for figures that no review has.

import json
import os
import re
import subprocess
import sys
import zipfile
from contextlib import chdir
from pathlib import Path

import openpyxl
import pandas as pd
import pypdf
import pytest

from disclosure_core import Exclusions, Review, Settings, Study, assess, demo, start_demonstration
from disclosure_core.cli import figure_files
from disclosure_core.figures.shapes import Bar, BarPlot
from tests.commands import disclosure
from tests.saved import to_json

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = tmp_path_factory.mktemp("office")
    demo.original().to_csv(folder / "people.csv", index=False)
    for i, frame in enumerate(demo.syntheses()[:2], 1):
        frame.to_parquet(folder / f"release {i}.parquet")
    saved = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(denominator_limit=2))
    (folder / "settings.json").write_text(saved.to_json())
    (folder / "broken.json").write_text("{")
    (folder / "data.json").write_text('[{"sex": "f"}]')
    (folder / "data.csv").write_text("other,columns\n1,2\n")
    return folder


COMMAND = (sys.executable, "-c", "from disclosure_core.cli.commands import main; main()", "assess")


def run(office, *arguments):
    """Return what the command says in this process: a process of its own loads its libraries anew, for seconds."""
    with chdir(office):
        done = disclosure("assess", *arguments)
    assert isinstance(done.exception, SystemExit | None), done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def in_a_process(office, *arguments):
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([*COMMAND, *arguments], cwd=office, env=where, capture_output=True, text=True, check=False)


FILES = ("people.csv", "release 1.parquet", "release 2.parquet")
KEYS = (
    "--keys",
    "sex, age,region,employment",
    "--group",
    "income=20",
    "--group",
    "bmi=10",
    "--missing-code",
    "income=-8",
)
UNGROUPED = KEYS[:2]
"""A shareable report takes no groups."""


@pytest.fixture(scope="module")
def found():
    study = Study(demo.original(), demo.syntheses()[:2], missing_codes=demo.MISSING_CODES)
    return assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS))


@pytest.mark.slow
def test_everything_at_once(office, found):
    done = in_a_process(
        office,
        *FILES,
        *KEYS,
        "--report",
        "out/r.pdf",
        "--json",
        "out/f.json",
        "--workbook",
        "out/t.xlsx",
    )
    assert done.returncode == 0, done.stderr
    assert "Reading people.csv" in done.stderr
    top = found.summary().iloc[-1]
    line = next(row for row in done.stdout.splitlines() if row.split()[:1] == ["abroad"])
    assert line.split()[1:5] == [f"{top[c]:.2f}" for c in ("original", "synthetic", "min", "max")]
    written = json.loads((office / "out" / "f.json").read_text())
    assert [f["records"] for f in written["files"]] == [5000] * 3
    assert written["settings"]["groups"] == {"bmi": 10, "income": 20}
    summary = {
        r["target"]: r["synthetic"] for r in written["tables"]["summary"] if r["comparison"] == "DiSCO against Dorig"
    }
    assert summary == pytest.approx(found.summary().set_index("target")["synthetic"].to_dict(), abs=1e-12)  # 15 digits
    assert 4 <= len(pypdf.PdfReader(office / "out" / "r.pdf").pages) <= 12
    assert "summary" in openpyxl.load_workbook(office / "out" / "t.xlsx").sheetnames
    assert {path.name for path in (office / "out").iterdir()} == {"r.pdf", "f.json", "t.xlsx"}


@pytest.mark.slow
def test_every_figure_is_printed(office):
    """Two syntheses of one set and no holdout: neither members beside people outside nor sets side by side."""
    done = run(office, *FILES, *KEYS, "--figures", "printed", "--quiet")
    assert done.returncode == 0, done.stderr
    names = (
        "dorig-disco",
        "dorig-disdio",
        "capd-dcapd",
        "keys-added",
        "all-but-one",
        "threshold-all",
        "near-misses-all",
        "shared-keys",
        "usefulness",
    )
    assert {path.name for path in (office / "printed").iterdir()} == {
        f"{name}_180mm{ending}" for name in names for ending in (".pdf", ".svg", "_300dpi.png")
    }
    for path in (office / "printed").iterdir():
        start = {".pdf": b"%PDF-", ".svg": b"<?xml", ".png": b"\x89PNG"}[path.suffix]
        assert path.read_bytes().startswith(start), path.name


@pytest.mark.slow
def test_a_figure_of_several_pages_is_a_file_a_page_and_a_note_says_so():
    bars = BarPlot("Many", "records", tuple(Bar(f"bar {i}", i) for i in range(90)), "counted")
    asked, notes = {"figure_width": "85", "grey": True}, []
    plots = [("bars", None, bars), ("few", "a target", bars.part(0, 2))]
    names = [name for name, _ in figure_files.files(plots, asked, start_demonstration(), notes.append)]
    (note,) = notes
    n = int(re.fullmatch(r"Note: Many takes (\d+) pages, each a file: bars_1-of-\d+ and so on.", note)[1])
    assert n > 1
    assert names == [
        *(f"bars_{i + 1}-of-{n}_85mm_grey{end}" for end in (".pdf", ".svg", "_300dpi.png") for i in range(n)),
        *(f"few_a-target_85mm_grey{end}" for end in (".pdf", ".svg", "_300dpi.png")),
    ]


@pytest.mark.slow
def test_the_exhibits_of_the_papers_in_one_zip(office):
    done = run(office, *FILES, *KEYS, "--targets", "income,bmi", "--exhibits", "papers.zip", "--quiet")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(office / "papers.zip") as packed:
        names = packed.namelist()
        assert "Raab 2024, Table 2" in openpyxl.load_workbook(packed.open("papers-tables.xlsx")).sheetnames
    written = [Path(name).suffix for name in names]
    assert (written.count(".xlsx"), written.count(".tex"), written.count(".md"), len(names)) == (1, 12, 12, 25 + 5 * 3)
    assert "raab-et-al-2026-figure-2-measures-by-size_180mm.pdf" in names


@pytest.mark.slow
def test_where_every_column_is_a_key_identity_alone_is_measured(tmp_path):
    """What speaks of targets is refused, and keys that do not meet are not evaluated."""
    frame = demo.original()[["sex", "age"]].head(300)
    other = demo.syntheses()[0][["sex", "age"]].head(300)
    for name, table in (("o", frame), ("s", other), ("coded", other.assign(sex=other["sex"].astype(str).str.upper()))):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    asked = ("o.csv", "s.csv", "--keys", "sex,age")
    done = run(tmp_path, *asked, "--json", "j.json", "--workbook", "w.xlsx")
    assert done.returncode == 0, done.stderr
    assert "Every column is a key, so identity alone is measured" in done.stderr
    with_target = [table.assign(t=["a", "b"] * 150) for table in (frame, other)]
    right = assess(Study(with_target[0], with_target[1:]), Settings(keys=("sex", "age"))).identity.reset_index()
    assert json.loads((tmp_path / "j.json").read_text())["tables"]["identity"] == right.to_dict("records")
    rows = list(openpyxl.load_workbook(tmp_path / "w.xlsx")["identity"].iter_rows(values_only=True))
    assert rows[-1] == pytest.approx(tuple(right.iloc[0]), rel=1e-15)  # a workbook holds 16 digits
    for words in (("--fail-if", "DiSCO>5"), ("--report", "r.pdf"), ("--limit", "DiSCO=1,2"), ("--holdout", "s.csv")):
        refused = run(tmp_path, *asked, *words)
        assert refused.returncode == 2
        assert (
            f"{words[0]} needs a target, a column that is not a key: name fewer keys, or remove it." in refused.stderr
        )
    with_gap = frame.assign(age=frame["age"].where(frame.index > 0))
    with_gap.to_csv(tmp_path / "gap.csv", index=False)
    beside = run(tmp_path, "gap.csv", "s.csv", "--keys", "sex,age", "--exclude-missing", "age", "--json", "j.json")
    assert "1 exclusion has no reason" in beside.stderr
    tables = json.loads((tmp_path / "j.json").read_text())["tables"]
    assert tables["identity"] != tables["identity_all_excluded"]
    unmet = run(tmp_path, "o.csv", "coded.csv", "--keys", "sex,age", "--fail-if", "repU>5", "--json", "j.json")
    assert unmet.returncode == 1
    assert "repU>5 is not evaluated" in unmet.stderr
    assert json.loads((tmp_path / "j.json").read_text())["tables"]["identity"][0]["not evaluated"]
    unmet = run(tmp_path, "o.csv", "coded.csv", "--keys", "sex,age", "--quiet")
    assert unmet.returncode == 0  # nothing was to be judged
    assert "No figure is evaluated. The values of 'sex' do not meet" in unmet.stderr
    unmet = run(tmp_path, "o.csv", "coded.csv", "--keys", "sex", "--targets", "age", "--quiet", "--verify")
    assert unmet.returncode == 1  # it was to be counted again, and was not
    assert "No figure is evaluated. The values of 'sex' do not meet" in unmet.stderr
    assert "--verify counted no figure again." in unmet.stderr


def test_json_alone_for_machines(office):
    done = in_a_process(office, *FILES[:2], *KEYS, "--targets", "bmi,income", "--json", "-", "--quiet")
    assert json.loads(done.stdout)["keys"] == list(demo.KEYS)
    assert done.stderr == ""


@pytest.mark.slow
def test_saved_settings_are_read_and_overridden(office):
    done = run(
        office,
        *FILES[:2],
        "--settings",
        "settings.json",
        "--reason",
        "denominators=the rule of the office",
        "--missing-code",
        "income=-8",
        "--targets",
        "bmi",
        "--json",
        "-",
        "--quiet",
    )
    settings = json.loads(done.stdout)["settings"]
    assert settings["exclusions"]["denominator_limit"] == 2
    assert settings["targets"] == ["bmi"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "status", "said"),
    [
        ("DiSCO>10", 1, "DiSCO>10 holds for abroad: "),
        ("DiSCO > 99", 0, ""),
        ("repU>=6", 1, "repU>=6 holds for the keys: "),
        ("max_denom<0", 0, ""),
        ("DiSCO[marital]>10", 1, "DiSCO[marital]>10 holds for marital: "),
        ("DiSCO[bmi] > 10 %", 0, ""),
        ("gain[marital]>5", 1, "gain[marital]>5 holds for marital: "),
        ("gain[abroad]>5", 0, ""),
        ("kappa[marital]>0.2", 1, "kappa[marital]>0.2 holds for marital: "),
        ("kappa[abroad]>0.2", 0, ""),
        ("beyond[marital]>3", 1, "beyond[marital]>3 holds for marital: "),
        ("beyond[marital]>99", 0, ""),
    ],
)
def test_a_pipeline_can_stop(office, condition, status, said, monkeypatch):
    monkeypatch.chdir(office)
    done = disclosure("assess", *FILES[:2], *KEYS, "--quiet", "--fail-if", condition)
    assert done.exit_code == status
    assert said in done.stderr


WRONG = [
    ("gone.csv people.csv --keys sex", "'gone.csv' does not exist"),
    ("people.csv", "Give the original and at least one synthetic file"),
    ("--set a people.csv", "Give the original and at least one synthetic file"),
    ("people.csv people.csv", "Choose at least one key: a column that an intruder could know."),
    ("people.csv people.csv --keys sexx",
     "Key 'sexx' is not in both the original and the synthetic data. Did you mean 'sex'?"),
    ("people.csv data.csv --keys sex", "have no column name in common"),
    ("data.json people.csv --keys sex", "data.json is JSON, a format that is not read; save the data"),
    *((f"people.csv people.csv --keys sex {more}", said) for more, said in [
        ("--header maybe", "--header is yes or no, not 'maybe'"),
        ("--encoding x.csv=cp850", "'x.csv' is not among the files"),
        ("--group bmi", "--group 'bmi' has no value; write it as COLUMN=VALUE."),
        ("--group bmi=x",
         "'x' is no way to group 'bmi': write how many groups, such as 20, or the breaks where groups begin"),
        ("--group bmi=30,25", "Give the breaks of 'bmi' as rising numbers, such as 18, 30, 65."),
        ("--missing-code bmi=-5", "The missing code -5 does not occur in 'bmi'"),
        ("--settings broken.json", "This is not a saved review: it is not valid JSON."),
        ("--fail-if risk", "The condition 'risk' cannot be read"),
        ("--fail-if DCR>1", "There is no measure 'DCR'; choose one of Dorig"),
        ("--report r.docx", "A report is a .pdf or an .html file; r.docx is neither."),
        ("--json people.csv/x.json", "people.csv is a file, and holds no other"),
        ("--report r.html --shareable 10 --json f.json",
         "--json writes exact figures, which are not to be shared; write them in a call without --shareable."),
        ("--report r.html --shareable 10 --figures out", "--figures writes exact figures"),
        ("--shareable 10", "add --report or --workbook."),
        ("--figure-width 85", "--figure-width does nothing without --figures or --exhibits; add it"),
        ("--report r.html --shareable 9999", "needs at least 19998 original records; choose a smaller count"),
        ("--fail-if DiSCO>1.2.3", "cannot be read; write it as"),
        ("--fail-if DiSCO[agee]>1", "Did you mean 'age'?"),
        ("--fail-if repU[age]>1", "repU belongs to the keys"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "said"), WRONG)
def test_a_wrong_call_is_one_sentence(office, call, said, monkeypatch):
    monkeypatch.chdir(office)
    done = disclosure("assess", *call.split(), *(["--quiet"] if len(call.split()) > 2 else []))
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit)
    (sentence,) = [
        line
        for line in done.stderr.splitlines()
        if not line.startswith(("Reading", "Making", "Note", "Warning", "Counting"))
    ]
    assert sentence.startswith("Error: ")
    assert said in sentence


@pytest.mark.slow
def test_a_wrong_call_ends_the_process_with_2(office):
    done = in_a_process(office, "gone.csv", "people.csv", "--keys", "sex")
    assert done.returncode == 2
    assert done.stderr == "Error: Invalid value for 'ORIGINAL': File 'gone.csv' does not exist.\n"


@pytest.mark.slow
def test_a_figure_without_an_answer_is_no_pass(office):
    pd.DataFrame({"k": ["a"] * 5, "t": ["x"] * 5}).to_csv(office / "here.csv", index=False)
    pd.DataFrame({"k": ["b"] * 5, "t": ["x"] * 5}).to_csv(office / "there.csv", index=False)
    done = run(office, "here.csv", "there.csv", "--keys", "k", "--quiet", "--fail-if", "TCAP>5")
    assert done.returncode == 1
    assert done.stderr == "TCAP>5 is not evaluated for t: there is no answer\n"


@pytest.mark.parametrize(
    ("condition", "status", "said"),
    [
        ("DiSCO>0.1", 0, ""),  # the mean of three times 0.1 is 0.10000000000000002 to a computer
        ("DiSCO>=0.1", 1, "DiSCO>=0.1 holds for t: 0.10\n"),
        ("DiSCO<0.1", 0, ""),
        ("DiSCO<=0.1", 1, "DiSCO<=0.1 holds for t: 0.10\n"),
        ("DiSCO>0.0999", 1, "DiSCO>0.0999 holds for t: 0.10\n"),
        ("DiSCO<0.1004", 1, "DiSCO<0.1004 holds for t: 0.10\n"),
        ("DiSDiO>0.09999", 1, "DiSDiO>0.09999 holds for t: 0.10\n"),
    ],
)
def test_equality_with_a_threshold_is_no_excess(tmp_path, monkeypatch, condition, status, said):
    """One of 1,000 people is met by each of three syntheses: 0.1 %."""
    monkeypatch.chdir(tmp_path)
    people = pd.DataFrame({"k": [f"k{i}" for i in range(1000)], "t": ["x"] * 1000})
    people.to_csv("people.csv", index=False)
    for i in range(3):
        people[i : i + 1].to_csv(f"s{i}.csv", index=False)
    call = ["assess", "people.csv", "s0.csv", "s1.csv", "s2.csv", "--keys", "k", "--quiet", "--fail-if", condition]
    done = disclosure(*call)
    assert (done.exit_code, done.stderr) == (status, said)


def test_a_figure_above_its_threshold_is_not_printed_as_the_threshold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"k": range(30_000), "t": ["x"] * 30_000}).to_csv("people.csv", index=False)
    pd.DataFrame({"k": range(3001), "t": ["x"] * 3001}).to_csv("s.csv", index=False)
    done = disclosure("assess", "people.csv", "s.csv", "--keys", "k", "--quiet", "--fail-if", "DiSCO>10")
    assert done.stderr == "DiSCO>10 holds for t: 10.003\n"


@pytest.mark.slow
def test_the_keys_are_named_in_the_order_given(office):
    done = run(office, *FILES, "--keys", "region,sex,age", "--targets", "abroad")
    assert done.returncode == 0
    assert "; keys: region, sex, age\n" in done.stdout


@pytest.mark.slow
def test_a_terminal_obeys_no_name(office):
    frame = pd.DataFrame({"a,b": ["x", "y"] * 5, "\x1b[31mred": ["p", "q"] * 5})
    frame.to_parquet(office / "odd.parquet")
    done = run(office, "odd.parquet", "odd.parquet", "--keys", '"a,b"')
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "\\x1b[31mred" in done.stdout
    assert "keys: a,b\n" in done.stdout


@pytest.mark.slow
def test_a_report_to_share(office):
    done = run(
        office, *FILES[:2], *UNGROUPED, "--report", "share.html", "--shareable", "20", "--no-level-names",
        "--title", "For <all>", "--author", "A. O.", "--date", "2026-11-20", "--quiet",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    html = (office / "share.html").read_text(encoding="utf-8")
    for part in ("For &lt;all&gt;", "Shareable version · A. O. · 2026-11-20", "a multiple of 20 records"):
        assert part in html
    assert "Widowed" not in html


@pytest.mark.slow
def test_words_that_name_a_level_of_a_few_are_warned_of_before_they_are_shared(office):
    people = demo.original()
    rare = int((people["marital"] == "Widowed").sum())
    people.to_csv(office / "not_widowed.csv", index=False)
    (office / "reasons.json").write_text(to_json(Review(reasons={"sex": "a widowed person is known"})))
    call = ("not_widowed.csv", FILES[1], *UNGROUPED, "--settings", "reasons.json", "--title", "The widowed")
    named = "the title, the name of the file of Original, the reason for sex"
    whole = [f"Warning: These texts name a level that few people have, and would be printed: {named}."]
    for written, told in (
        (("--report", "share.html", "--shareable", str(rare)), whole),
        (("--workbook", "share.xlsx", "--shareable", str(rare)), whole),
        (("--report", "share.html", "--shareable", str(rare - 1)), []),
        (("--report", "internal.html"), []),
    ):
        done = run(office, *call, *written)
        assert done.returncode == 0, done.stderr
        assert [line for line in done.stderr.splitlines() if "would be printed" in line] == told


@pytest.mark.slow
def test_a_saved_review_remembers_the_limits_of_reports_to_share(office):
    share = ("--report", "share.html", "--shareable")
    done = run(office, *FILES[:2], *UNGROUPED, *share, "20", "--save", "r.json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert json.loads((office / "r.json").read_text())["shared"][0]["smallest"] == 20
    again = (*FILES[:2], "--settings", "r.json")
    assert "was made of this review" not in run(office, *again, *share, "20").stderr
    assert "was made of this review" not in run(office, *again, "--report", "internal.html").stderr
    assert "Warning: The tables printed here are exact" in run(office, *again, *share, "20").stderr
    done = run(office, *again, *share, "25", "--save", "later.json", "--quiet")
    assert "The tables printed here are exact" not in done.stderr
    assert "Warning: A shareable report was made of this review with another smallest count (20)." in done.stderr
    later = json.loads((office / "later.json").read_text())["shared"]
    assert [each["smallest"] for each in later] == [20, 25]


@pytest.mark.slow
def test_a_saved_review_remembers_what_reports_to_share_were_made_of(office):
    """Another exclusion, or another synthesis, of the same original; the warning comes in a quiet call, too."""
    share = ("--report", "share.html", "--shareable", "20", "--quiet")
    assert run(office, *FILES[:2], *UNGROUPED, *share, "--save", "of.json").returncode == 0
    out = ("--exclude", "abroad=No", "--reason", "abroad=known")
    told = "A shareable report was made of the same original with"
    for files, more, what in (
        (FILES[:2], (), ""), (FILES[:2], out, "other exclusions"), ((FILES[0], FILES[2]), (), "other syntheses"),
        ((FILES[0], FILES[2]), out, "other exclusions and other syntheses"),
    ):  # fmt: skip
        done = run(office, *files, "--settings", "of.json", *more, *share)
        assert done.returncode == 0, done.stderr
        assert (f"{told} {what}." in done.stderr) is bool(what), done.stderr
        assert (told in done.stderr) is bool(what)


@pytest.mark.slow
def test_tables_to_share_are_those_of_the_report(office):
    done = run(
        office, *FILES[:2], *UNGROUPED, "--workbook", "share.xlsx", "--report", "same.html", "--appendix", "more.html",
        "--shareable", "20", "--quiet",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    html = "".join((office / name).read_text(encoding="utf-8") for name in ("same.html", "more.html"))
    assert "Definitions" in html
    book = openpyxl.load_workbook(office / "share.xlsx")
    assert "Attributes" in book.sheetnames
    assert "one_way" not in book.sheetnames
    texts = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell]
    assert len(texts) > 100
    for text in texts:
        assert text.removeprefix("'").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in html


@pytest.mark.slow
def test_an_option_that_takes_one_value_is_given_once(office):
    """The last of two was taken, and the first file was never written."""
    done = run(office, *FILES[:2], *KEYS, "--report", "a.html", "--report=b.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--report is given twice and takes one value; give it once." in done.stderr
    assert not (office / "a.html").exists()
    assert not (office / "b.html").exists()
    more = run(office, *FILES[:2], *KEYS, "--group", "age=3", "--quiet")
    assert more.returncode == 0, more.stderr


def test_figures_look_as_asked(office):
    look = [f"--figure-look={text}" for text in ("label:income=Monthly income", "targets=income", "format=tiff,svg", "height=40",
                                                 "text=text", "colour:synthetic=#AA3377", "flags=no")]  # fmt: skip
    done = run(
        office,
        *FILES,
        *KEYS,
        "--targets",
        "income,bmi",
        "--figures",
        "drawn",
        "--figure-width",
        "114",
        *look,
        "--quiet",
    )
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (office / "drawn").iterdir()}
    assert {"dorig-disco_114x40mm_300dpi.tiff", "dorig-disco_114x40mm.svg"} <= names
    assert {name.rpartition(".")[2] for name in names} == {"tiff", "svg"}
    svg = (office / "drawn" / "dorig-disco_114x40mm.svg").read_text(encoding="utf-8")
    assert ">Monthly income<" in svg
    assert ">bmi<" not in svg
    assert "#aa3377" in svg


@pytest.mark.parametrize(("look", "said"), [
    ("colour=#AA3377", "is not read: write WHAT=VALUE"),
    ("format=gif", "There is no format 'gif' of figures; choose among pdf, svg, png, eps, tiff."),
    ("height=tall", "height=tall is no number"),
    ("flags=maybe", "neither yes nor no"),
    ("targets=incom", "Target 'incom' is not in these figures. Did you mean 'income'?"),
    ("label:incom=Monthly income", "label:incom does nothing: these figures have no such name; correct it"),
])  # fmt: skip
def test_a_look_that_cannot_be_is_said(office, look, said):
    done = run(office, *FILES, *KEYS, "--targets", "income,bmi", "--figures", "none", "--figure-look", look, "--quiet")
    assert done.returncode == 2
    assert said in done.stderr
