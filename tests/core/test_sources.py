"""What the operator named can be opened, and its address is never told."""

# Inside: an address is read before anything is opened.

import logging
import traceback
from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import DisclosureError, DuckDBStudy, Settings, Study, TableStudy, assess
from disclosure_core.engines.sources import Source, open_outside, open_sets, open_source, sources

SECRET = "hunter2"
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def files(tmp_path):
    frame = pd.DataFrame({"k": ["a", "b", "b"], "x": [1, 2, -8]})
    for name in ("original", "synthetic"):
        frame.to_parquet(tmp_path / f"{name}.parquet")
    return {"original": str(tmp_path / "original.parquet"), "synthetic": [str(tmp_path / "synthetic.parquet")]}


def test_named_files_and_tables_are_opened(files, tmp_path):
    import duckdb

    with duckdb.connect(tmp_path / "survey.db") as db:
        db.execute("create schema yearly")
        db.execute("create table yearly.original as from read_parquet(?)", [files["original"]])
        db.execute("create table synthetic as from read_parquet(?)", files["synthetic"])
    named = {
        "Files": {"url": "duckdb://", **files, "missing_codes": {"x": [-8]}},
        "Tables": {"url": f"duckdb://{tmp_path}/survey.db", "original": "yearly.original", "synthetic": ["synthetic"]},
    }
    found = sources(named)
    assert [source.name for source in found] == ["Files", "Tables"]
    for source in found:
        study = open_source(source)
        assert assess(study, Settings(keys=("k",))).targets["x"].attribute.loc[1, "DiSCO"] == pytest.approx(100 / 3)
    study = open_source(found[0])
    assert study.missing_codes == {"x": (-8,)}
    assert not study.lists_records  # not unless the operator says so
    assert open_source(replace(found[0], records=True)).lists_records


@pytest.mark.parametrize(
    "url",
    [
        f"postgres://clerk:{SECRET}@127.0.0.1:1/census",
        f"nothing://clerk:{SECRET}@127.0.0.1/census",
        f"duckdb:///no/such/{SECRET}/file.db",
        f"duckdb://?password={SECRET}",
        f"{SECRET} is no address",
    ],
)
def test_an_address_is_never_told(url, caplog, capfd, files):
    caplog.set_level(logging.DEBUG)
    entry = {"url": url, "original": f"{SECRET}.original", "synthetic": ["synthetic"]}
    (source,) = sources({"Census": entry})
    with pytest.raises(DisclosureError) as caught:
        open_source(source)
    sentence = "The data source 'Census' cannot be opened; ask its operator to look at it."
    assert str(caught.value) == sentence
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    told = "".join(traceback.format_exception(caught.value)) + repr(source) + str(source) + caplog.text
    assert SECRET not in told + "".join(capfd.readouterr())
    assert logging.root.manager.disable == 0


def test_a_later_failure_tells_nothing_either(files):
    (source,) = sources({"Files": {"url": "duckdb://", **files}})
    study = open_source(source)
    import pathlib

    pathlib.Path(files["original"]).unlink()
    with pytest.raises(DisclosureError, match="The data changed while they were read") as caught:
        assess(study, Settings(keys=("k",)))
    assert caught.value.__cause__ is None
    assert files["original"] not in "".join(traceback.format_exception(caught.value))  # with all that it came of


@pytest.mark.parametrize(
    ("entry", "part"),
    [
        (SECRET, "url and tables"),
        ({"original": "o", "synthetic": ["s"]}, "'url'"),
        ({"url": SECRET, "original": "", "synthetic": ["s"]}, "'original'"),
        ({"url": SECRET, "original": "o", "synthetic": SECRET}, "'synthetic'"),
        ({"url": SECRET, "original": "o", "synthetic": ["s"], "missing_codes": {"x": SECRET}}, "'missing_codes'"),
        ({"url": SECRET, "original": "o", "synthetic": ["s"], "holdout": [SECRET]}, "'holdout' as a file"),
        ({"url": SECRET, "original": "o", "synthetic": ["s"], "holdout_is_random": SECRET}, "as true or false"),
        ({"url": SECRET, "original": "o", "synthetic": ["s"], "records": SECRET}, "'records' as true or false"),
        ({"url": SECRET, "original": "o", "synthetic": {"a": SECRET}}, "'synthetic' by set"),
        ({"url": SECRET, "original": "o", "synthetic": {"a": ["s"], "b": []}}, "'synthetic' by set"),
    ],
)
def test_an_entry_that_is_not_complete_is_a_sentence(entry, part):
    with pytest.raises(DisclosureError, match=f"The data source 'Census'.* ask the operator to .*{part}") as caught:
        sources({"Census": entry})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("kind", ["files", "tables", "a file and tables", "another engine"])
def test_sets_of_syntheses_are_read_beside_one_original(kind, files, tmp_path):
    import duckdb

    frame = pd.DataFrame({"k": ["a", "a", "b", "b"], "x": [1, 2, 3, -8]})
    frame.to_parquet(tmp_path / "other.parquet")
    names = {"one": files["synthetic"], "two": [str(tmp_path / "other.parquet"), *files["synthetic"]]}
    entry = {"url": "duckdb://", "original": files["original"], "synthetic": names, "missing_codes": {"x": [-8]}}
    if kind != "files":
        with duckdb.connect(tmp_path / "survey.db") as db:
            for table, path in (("o", files["original"]), ("s", files["synthetic"][0]), ("t", names["two"][0])):
                db.execute(f"create table {table} as from read_parquet(?)", [path])
        entry |= {
            "url": f"duckdb://{tmp_path}/survey.db",
            "original": "o",
            "synthetic": {"one": ["s"], "two": ["t", "s"]},
        }
    if kind in ("a file and tables", "another engine"):  # what is not of this machine is read by Ibis
        sets = {"one": ["main.s"], "two": ["main.t", "main.s"]}
        place = f"file://{files['original']}" if kind == "another engine" else files["original"]
        entry |= {"original": place, "synthetic": sets}
    (source,) = sources({"Census": entry})
    studies = open_sets(source)
    assert isinstance(studies["one"], TableStudy if kind == "another engine" else DuckDBStudy)
    assert list(studies) == ["one", "two"]
    assert [study.n_synthetic for study in studies.values()] == [(3,), (4, 3)]
    assert {study.missing_codes["x"] for study in studies.values()} == {(-8,)}
    here = Study(pd.read_parquet(files["original"]), [frame, pd.read_parquet(files["synthetic"][0])])
    expected = assess(here, Settings(keys=("k",))).summary()
    pd.testing.assert_frame_equal(assess(studies["two"], Settings(keys=("k",))).summary(), expected)


@pytest.mark.parametrize("place", ["nowhere/secret-outside.parquet", "original"])
def test_people_outside_who_cannot_be_opened_are_a_sentence_without_their_place(files, place):
    (source,) = sources({"Files": {"url": "duckdb://", **files, "holdout": files.get(place, place)}})
    study = open_source(source)
    with pytest.raises(
        DisclosureError, match="The people outside of the data source 'Files' cannot be opened"
    ) as caught:
        open_outside(source, study)
    assert source.holdout not in "".join(traceback.format_exception(caught.value)) + repr(source)
    assert open_outside(replace(source, holdout=None), study) is None


@pytest.mark.parametrize("kind", ["tables", "a file and tables", "another engine"])
def test_people_outside_are_a_table_beside_the_others(kind, files, tmp_path):
    import duckdb

    with duckdb.connect(tmp_path / "survey.db") as db:
        for table, path in (("o", files["original"]), ("s", files["synthetic"][0])):
            db.execute(f"create table {table} as from read_parquet(?)", [path])
        db.execute("create table h as select * from s limit 2")
    named = {"url": f"duckdb://{tmp_path}/survey.db", "original": "o", "synthetic": ["s"], "holdout": "h"}
    if kind != "tables":
        named["original"] = f"file://{files['original']}" if kind == "another engine" else files["original"]
    (source,) = sources({"Census": named})
    study = open_source(source)
    assert isinstance(study, TableStudy if kind == "another engine" else DuckDBStudy)
    assert open_outside(source, study)(study).n_synthetic == (3, 2)
    with pytest.raises(DisclosureError, match="cannot be opened"):
        open_outside(replace(source, holdout="s"), study)


def test_a_source_shows_its_name_only():
    assert str(Source("Census", SECRET, SECRET, (SECRET,))) == "Source(name='Census')"
