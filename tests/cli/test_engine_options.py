"""`--engine`: data that stay where they are give the figures of files, and no address is told."""

# Inside: the memory that files need is checked without such files.

import json
from contextlib import nullcontext

import pandas as pd
import pytest

from disclosure_core import DisclosureError, demo
from disclosure_core.cli import engine
from tests.commands import disclosure

pytestmark = pytest.mark.slow

ASKED = ["--keys", "sex,age,region", "--targets", "abroad,income", "--group", "income=5", "--missing-code", "income=-8",
         "--exclude", "abroad=No", "--reason", "abroad=known to all"]  # fmt: skip
DUCK = ["--engine", "duckdb"]
DATA = ["original", "s1.parquet", "s2.csv"]
FILES = ["o.parquet", "s1.parquet", "s2.csv"]
SECRET = "hunter2"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    original, syntheses = demo.original(), demo.syntheses()
    (tmp_path / "original").mkdir()
    for name, frame in (("o", original), ("s1", syntheses[0])):
        plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
        frame = frame.assign(**plain)
        frame.to_parquet(f"{name}.parquet")
        if name == "o":
            frame.iloc[:2000].to_parquet("original/a.parquet")
            frame.iloc[2000:].to_parquet("original/b.parquet")
    syntheses[1].to_csv("s2.csv", index=False)
    return tmp_path


def run(command, *arguments):
    return disclosure(command, *arguments)


def figures(done):
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_assess_gives_the_figures_of_files_and_run_repeats_them(folder):
    here = figures(run("assess", *FILES, *ASKED, "--json", "-", "--quiet"))
    spill = ["--memory-limit", "1GB", "--spill-folder", "."]
    there = figures(run("assess", *DUCK, *DATA, *ASKED, *spill, "--json", "-", "--quiet", "--save", "again.json"))
    assert here["tables"].keys() == there["tables"].keys()
    assert [name for name, rows in there["tables"].items() if rows != here["tables"][name]] == ["copies"]
    assert "not counted of data that stay in an engine" in there["tables"]["copies"][0]["not evaluated"]
    named = ["--original", "original", "--synthetic", "s1.parquet", "--synthetic", "s2.csv"]
    again = figures(run("run", "again.json", *DUCK, *named, "--json", "-", "--quiet"))
    assert again["tables"] == there["tables"]
    assert "no fingerprint is kept: it is not checked whether" in run("run", "again.json", *DUCK, *named).stderr
    for command in ("run", "tau"):
        without = run(command, "again.json")
        assert without.exit_code == 2
        assert "This review is of data in an engine: repeat it by `disclosure run` with --engine" in without.stderr
    assert str(folder) not in (folder / "again.json").read_text()


@pytest.mark.parametrize(
    "command",
    [
        ["anonymity"],
        ["tau", "--tau", "0.8"],
        ["key-subsets"],
        ["near-misses", "--target", "income"],
        ["combined-release"],
        ["look-up", "--target", "abroad", "--know", "sex=Female", "--synthesis", "2"],
    ],
    ids=lambda c: c[0],
)
def test_what_needs_counts_alone_is_that_of_files(command, folder):
    asked = [word for word in ASKED if word not in ("--group", "income=5")] if command[0] == "near-misses" else ASKED
    if command[0] in ("anonymity", "look-up"):  # they count every record, and refuse what would leave some out
        asked = asked[: asked.index("--exclude")]
    here, there = (
        figures(run(*command, *data, *asked, "--json", "-", "--quiet"))["tables"] for data in (FILES, [*DUCK, *DATA])
    )
    assert there == here


EXCLUDED = {
    "a level": ["--exclude", "abroad=No", "--reason", "abroad=known to all"],
    "missing targets": ["--exclude-missing", "income", "--reason", "missing income=no answer"],
    "missing keys": ["--exclude-missing", "region", "--reason", "missing keys=no answer"],
    "a pair": ["--exclude-pair", "age,16,abroad,No", "--reason", "abroad=pupils"],
    "denominators": ["--denominator-limit", "5", "--reason", "denominators=large cells"],
    "no reason": ["--exclude", "abroad=No"],
}


@pytest.mark.parametrize("excluded", EXCLUDED.values(), ids=EXCLUDED)
def test_classes_of_the_keys_and_the_report_are_there_with_every_exclusion(excluded, folder):
    asked = [
        "--keys",
        "sex,age,region",
        "--targets",
        "abroad,income",
        "--group",
        "income=5",
        *excluded,
        "--quiet",
        "--json",
        "-",
    ]
    for data in ("o", "s1"):  # keys of which some are missing
        frame = pd.read_parquet(f"{data}.parquet")
        frame.assign(region=frame["region"].mask(frame.index % 9 == 0)).to_parquet(f"{data}_less.parquet")
    files = ["o_less.parquet", "s1_less.parquet"]
    here = figures(run("assess", *files, *asked))["tables"]
    there = figures(run("assess", *DUCK, *files, *asked, "--appendix", "e.html"))["tables"]
    for name in ("under_k", "diversity", "summary"):
        assert there[name] == here[name]
    every = [word for word in asked if word not in excluded]  # anonymity counts every record
    assert {"under_k", "diversity"} <= figures(run("anonymity", *DUCK, *files, *every))["tables"].keys()
    assert "k-anonymity" in (folder / "e.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*DUCK, *DATA, "--holdout", "nowhere.csv"], "There is no file nowhere.csv; name people outside by a file"),
        (["o.parquet", "s1.parquet", "--holdout", "nowhere.csv"], "There is no file nowhere.csv; name people outside"),
        (["o.parquet", "s1.parquet", "--holdout", "original"], "original is a folder: name files, or add --engine duckdb"),
        ([*DUCK, "original"], "Say where the data are: --original and at least one --synthetic."),
        ([*DUCK, *DATA, "--original", "o.parquet"], "Name the data by --original and --synthetic, or without them"),
        (["original", "s1.parquet"], "original is a folder: name files, or add --engine duckdb, which reads it in place"),
        ([*FILES, "--memory-limit", "1GB"], "--memory-limit does nothing without --engine; add it"),
        ([*FILES, "--original", "o"], "--original does nothing without --engine; add it"),
        (["--engine", "spark://x", "--original", "a", "--synthetic", "b", "--memory-limit", "1GB"],
         "--memory-limit and --spill-folder are of --engine duckdb alone; remove them."),
        (["--engine", "environment", "--original", "a", "--synthetic", "b"],
         "DISCLOSURE_ENGINE is not set; set it to the address of the engine."),
        ([*DUCK, "again.json"], "A saved review is repeated by `disclosure run`; give data files here."),
        ([*DUCK, *DATA, "--mend", "sex=case"], "--mend needs the records here, and --engine leaves them where they are"),
        ([], "Give the original and at least one synthetic file"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_a_sentence(arguments, said, folder, monkeypatch):
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    (folder / "again.json").write_text('{"review": {}}')
    done = run("assess", *arguments, "--keys", "sex")
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_script_that_could_not_name_its_data_is_not_written(folder):
    done = run("assess", *DUCK, *DATA, *ASKED, "--script", "again.py")
    assert done.exit_code == 2
    assert "--script needs the records here" in done.stderr


def test_an_address_from_the_environment_is_never_told(folder, monkeypatch):
    monkeypatch.setenv(engine.VARIABLE, f"postgres://clerk:{SECRET}@127.0.0.1:1/census")
    done = run("assess", "--engine", "environment", "--original", "a", "--synthetic", "b", "--keys", "sex")
    assert done.exit_code == 2
    assert "The data source '--engine' cannot be opened" in done.stderr
    assert SECRET not in done.output + repr(done.exception)


def test_tables_of_a_database_are_counted_by_its_address(folder, monkeypatch):
    import duckdb

    with duckdb.connect("survey.db") as db:
        db.execute("create table o as from 'o.parquet'")
        db.execute("create table s as from 's1.parquet'")
    there = run("assess", "--engine", f"duckdb://{folder}/survey.db", "--original", "o", "--synthetic", "s", *ASKED,
                "--json", "-", "--quiet")  # fmt: skip
    here = figures(run("assess", "o.parquet", "s1.parquet", *ASKED, "--json", "-", "--quiet"))["tables"]
    there = figures(there)["tables"]
    assert {name for name, rows in there.items() if rows != here[name]} == {"copies"}  # which stay in their engine
    assert there.keys() == here.keys()


@pytest.mark.parametrize("data", [FILES, ["s2.csv", "s2.csv"]])
def test_files_larger_than_the_memory_are_offered_an_engine(data, folder, monkeypatch):
    monkeypatch.setattr(engine, "free_memory", lambda: 100_000)
    done = run("assess", *data, *ASKED)
    assert done.exit_code == 2
    assert "of memory are free: add --engine duckdb, which counts Parquet and CSV where they are." in done.stderr
    monkeypatch.setattr(engine, "free_memory", lambda: None)
    assert run("tau", *data, *ASKED, "--quiet").exit_code == 0


def test_a_file_that_fits_to_the_byte_is_read(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    pd.DataFrame({name: [i * i % 251 for i in range(100_000)] for name in "ab"}).to_parquet(path)
    needed = 100_000 * 2 * 7  # bytes a cell (docs/scale.md)
    for free, fits in ((needed, True), (needed - 1, False)):
        monkeypatch.setattr(engine, "free_memory", lambda free=free: free)
        with nullcontext() if fits else pytest.raises(DisclosureError, match="These files take about"):
            engine.check_memory([path])


def test_smaller_releases_are_drawn_of_cells(folder):
    here, there = (
        figures(run("release-size", *data, *ASKED, "--repeats", "3", "--json", "-", "--quiet"))["tables"]
        for data in (FILES, [*DUCK, *DATA])
    )
    for name, rows in here.items():
        assert [r for r in there[name] if r["share"] == 100] == [r for r in rows if r["share"] == 100]
        assert len(there[name]) == len(rows)


def test_membership_is_that_of_files(folder):
    demo.holdout().to_parquet("h.parquet")
    asked = ["--keys", "sex,age,region", "--holdout", "h.parquet", "--holdout-is", "random-part", "--population", "100000",
             *(word for name in ("same-population", "membership-is-news", "random-sample") for word in ("--assume", f"{name}=yes")),
             "--json", "-", "--quiet"]  # fmt: skip
    here, there = (figures(run("membership", *data, *asked))["tables"] for data in (FILES, [*DUCK, *DATA]))
    assert there.keys() == here.keys()
    halves = {"picked", "read", "honest", "worst_picked", "worst_read"}
    for name, rows in here.items():
        for mine, other in zip(rows, there[name], strict=True):
            assert {k: v for k, v in mine.items() if k not in halves} == {
                k: v for k, v in other.items() if k not in halves
            }


def test_sets_are_compared_where_they_are(folder):
    demo.other_sets()["overfitted"][0].to_csv("n.csv", index=False)
    sets = ["--set", "cart", "s1.parquet", "--set", "cart", "s2.csv", "--set", "other", "n.csv"]
    asked = [*ASKED[:8], "--json", "-", "--quiet"]
    here = figures(run("compare", "o.parquet", *sets, *asked))
    there = figures(run("compare", *DUCK, "original", *sets, *asked))
    assert here["tables"] == there["tables"]
    one = figures(run("assess", *DUCK, "original", *sets, *asked, "--save", "sets.json"))
    assert one["tables"]["summary"] == figures(run("assess", *DUCK, *DATA, *asked))["tables"]["summary"]
    again = run("run", "sets.json", *DUCK, "--original", "original", *sets, "--json", "-", "--quiet")
    assert figures(again)["tables"] == one["tables"]
    for more, said in (
        (["--sample", "10%"], "--sample and --coarsened need the records here; remove them, or --engine."),
        (["--synthetic", "s1.parquet"], "Name the data by --original and --synthetic, or without them"),
    ):
        done = run("compare", *DUCK, "original", *sets, *more, "--keys", "sex")
        assert (done.exit_code, said in done.stderr) == (2, True), done.output
    assert "names its sets itself; remove --set." in run("run", "sets.json", *sets).stderr
    warehouse = ["--engine", "spark://x", "--original", "o", *sets]
    assert "--set is read by --engine duckdb alone" in run("assess", *warehouse, "--keys", "sex").stderr


STEPS = ["--step", "merge=region,300,Elsewhere", "--step", "band=age,5", "--step", "cap=income,100,3000",
         "--step", "round=income,50", "--step", "remove-replicated", "--step", "label=note,SYNTHETIC"]  # fmt: skip


def test_duckdb_writes_the_safer_tables(folder):
    asked = ["--keys", "sex,age,region", "--targets", "abroad,marital", "--missing-code", "income=-8", *STEPS]
    here = run("protect", *FILES, *asked, "--output", "here")
    there = run("protect", *DUCK, *DATA, *asked, "--output", "there", "--adopt", "safer", "--save", "kept.json")
    assert (here.exit_code, there.exit_code) == (0, 0), there.output
    assert sorted(p.name for p in (folder / "there").iterdir()) == ["log.txt", "safer_s1.parquet", "safer_s2.csv"]
    assert (folder / "there" / "log.txt").read_text() == (folder / "here" / "log.txt").read_text()
    safer = [figures(run("assess", "o.parquet", f"{of}/safer_s1.parquet", f"{of}/safer_s2.csv", "--keys", "sex,region",
                         "--targets", "abroad,marital", "--json", "-", "--quiet"))["tables"] for of in ("here", "there")]  # fmt: skip
    assert safer[0] == safer[1]
    named = ["--original", "original", "--synthetic", "s1.parquet", "--synthetic", "s2.csv", "--json", "-", "--quiet"]
    kept = figures(run("run", "kept.json", *DUCK, *named))["tables"]
    of_files = figures(run("protect", *FILES, *asked, "--output", "x", "--adopt", "safer", "--save", "files.json") and
                       run("run", "files.json", "--data", ".", "--json", "-", "--quiet"))["tables"]  # fmt: skip
    assert kept["summary"] == of_files["summary"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--step", "remove-replicated", "--output", "s1.parquet/x"], "is a file, and holds no other"),
        (["--step", "blank=abroad", "--step", "remove-replicated"], "comes before values are blanked; move it."),
        ([], "No safeguard is taken in this review"),
    ],
)
def test_safeguards_that_cannot_be_done_there_are_a_sentence(more, said, folder):
    output = [] if "--output" in more else ["--output", "out"]
    done = run("protect", *DUCK, *DATA, "--keys", "sex,age", *output, *more)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_the_least_safeguard_is_that_of_files(folder):
    asked = ["--keys", "sex,age,region", "--targets", "abroad,marital", "--aim", "DiSCO<20", "--may", "age:5,10",
             "--may-remove", "5", "--may-blank", "marital"]  # fmt: skip
    here = run("protect", *FILES, *asked, "--json", "here.json", "--output", "here")
    there = run("protect", *DUCK, *DATA, *asked, "--json", "there.json", "--output", "there")
    assert (here.exit_code, there.exit_code) == (0, 0), there.output
    found = [json.loads((folder / f"{name}.json").read_text()) for name in ("here", "there")]
    assert found[0]["tables"] == found[1]["tables"]
    assert len(found[0]["tables"]["least_safeguard"]) > 1
    assert (folder / "there" / "log.txt").read_text() == (folder / "here" / "log.txt").read_text()


def test_people_outside_are_counted_where_they_are(folder):
    demo.holdout().to_parquet("h.parquet")
    outside = ["--holdout", "h.parquet", "--holdout-is", "random-part", "--limit", "DiSCO=10,2"]
    here = figures(run("assess", *FILES, *ASKED, *outside, "--json", "-", "--quiet"))
    there = figures(run("assess", *DUCK, *DATA, *ASKED, *outside, "--json", "-", "--quiet", "--save", "again.json"))
    of_holdout = {name for name in here["tables"] if name.startswith(("holdout", "near_misses"))}
    assert of_holdout
    assert [name for name in of_holdout if there["tables"].get(name) != here["tables"][name]] == []
    named = ["--original", "original", "--synthetic", "s1.parquet", "--synthetic", "s2.csv"]
    again = figures(run("run", "again.json", *DUCK, *named, "--holdout", "h.parquet", "--json", "-", "--quiet"))
    assert again["tables"] == there["tables"]
    without = run("run", "again.json", *DUCK, *named)
    assert without.exit_code == 2
    assert "name them again, by --holdout" in without.stderr
    report = run("assess", *DUCK, *DATA, *ASKED, *outside, "--report", "e.pdf", "--appendix", "e.html", "--quiet")
    assert report.exit_code in (0, 1), report.output
    of_files = run("assess", *FILES, *ASKED, *outside, "--appendix", "f.html", "--quiet")
    assert of_files.exit_code in (0, 1)
    mine, other = ((folder / f"{name}.html").read_text(encoding="utf-8") for name in "ef")
    for said in ("people outside the data", "with the same keys"):
        assert mine.count(said) == other.count(said) > 0


def test_people_outside_are_a_table_of_the_engine(folder):
    import duckdb

    demo.holdout().to_csv("people.csv", index=False)
    with duckdb.connect("survey.db") as db:
        for name, place in (("o", "o.parquet"), ("s", "s1.parquet"), ("h", "people.csv")):
            db.execute(f"create table {name} as from '{place}'")
    asked = ["--keys", "sex,age", "--targets", "marital", "--holdout-is", "random-part", "--quiet", "--json", "-"]
    here = figures(run("assess", "o.parquet", "s1.parquet", "--holdout", "people.csv", *asked))
    there = figures(run("assess", "--engine", f"duckdb://{folder}/survey.db", "--original", "o", "--synthetic", "s",
                        "--holdout", "h", *asked))  # fmt: skip
    assert any(name.startswith("holdout") for name in there["tables"])
    assert there["tables"].keys() == here["tables"].keys()
    for name in (name for name in here["tables"] if name.startswith("holdout")):
        assert there["tables"][name] == here["tables"][name]
