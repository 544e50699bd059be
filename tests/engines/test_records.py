"""Lists of single records that stay in DuckDB are those of the same data as files, a few rows at a time."""

# Inside: records at risk in an engine, and how many are fetched.

import threading
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    DuckDBStudy,
    Exclusions,
    MergeLevels,
    RemoveUniques,
    Settings,
    Study,
    assess,
    at_risk,
    demo,
    look_up,
    protect,
    replicated_uniques,
    start,
)
from disclosure_core.engines import duckdb_cells, duckdb_records, layout
from disclosure_core.protection.in_engine import protect_there
from disclosure_core.records.listing import listed_records
from disclosure_core.records.look_up import matching
from disclosure_core.records.of_any_study import at_risk_of, matching_in_engine, replicated_of
from tests.engines.test_duckdb import of_frames, sides, small
from tests.engines.test_engines import awkward

pytestmark = pytest.mark.filterwarnings("default")


def whole(found, *how):
    """A list read page by page, to its end."""
    n = duckdb_records.MOST_ROWS
    pages = [found.frame(*how, first, n) for first in range(0, max(len(found), 1), n)]
    return pd.concat([page.astype(object) for page in pages], ignore_index=True)


def alike(mine, theirs):
    pd.testing.assert_frame_equal(mine.astype(object), theirs.astype(object), check_dtype=False)


def same_lists(here, there, name, i=0):
    """Every list of one target and synthesis is the same, in every order."""
    ours, theirs = (
        at_risk(here.targets[name].counted[i]),
        at_risk_of(there.tables.study, there.targets[name].counted[i]),
    )
    assert len(ours) == len(theirs)
    alike(ours.frame(), whole(theirs))
    for column in ours.columns:
        for down in (False, True):
            alike(ours.ordered(column, descending=down).frame(), whole(theirs.ordered(column, descending=down)))
    twice = [each.ordered(ours.columns[0], descending=True).ordered(ours.columns[1]) for each in (ours, theirs)]
    alike(twice[0].frame(), whole(twice[1]))
    if len(ours):
        key = ours.columns[1]
        level = str(ours.frame(0, 1)[key].iloc[0])
        some = {here.keys.keys[0].name: level}
        alike(ours.where(some).frame(), whole(theirs.where(some)))
        alike(ours.ordered(key).where(some).frame(), whole(theirs.ordered(key).where(some)))
        for known in ({}, some):
            mine, their = (look_up(each.targets[name].counted[i].cells, known) for each in (here, there))
            pd.testing.assert_frame_equal(mine.levels, their.levels)
            rows = listed_records(here.tables.study, i, matching(here.keys, i, known))
            listed = matching_in_engine(there.tables, name, i, known)
            assert len(listed) == len(rows)
            of = whole(listed)
            names = [here.targets[name].counted[i].cells.column, *here.keys.keys]
            for column in (c.name for c in names if c.name not in dict(here.tables.study.columns) or c is here.tables.study.columns[c.name]):  # fmt: skip
                assert of[column].tolist() == rows[column].astype(object).tolist()
            assert of[of.columns[0]].tolist() == rows[rows.columns[0]].tolist()
    mine, their = replicated_uniques(here.tables, i), replicated_of(there.tables, i)
    assert len(mine) == len(their)
    pd.testing.assert_frame_equal(mine.by_target(), their.by_target())
    alike(mine.frame(name), whole(their, name))
    alike(mine.frame(), whole(their, None))


@pytest.mark.parametrize(("dense", "chunk"), [(True, 999), (False, 1_000_000)])
def test_the_demonstration_survey_has_the_same_lists(dense, chunk, tmp_path, monkeypatch):
    monkeypatch.setattr(duckdb_cells, "CHUNK", chunk)
    monkeypatch.setattr(duckdb_records, "MOST_ROWS", 333)
    if not dense:
        monkeypatch.setattr(duckdb_cells, "DENSE", 0)
    frames = [demo.original(), *demo.syntheses()[:2]]
    out = Exclusions({"abroad": ["No"]}, missing_keys={"region"}, denominator_limit=5)
    here, there = Study(frames[0], frames[1:]), of_frames(frames, tmp_path)
    for exclusions in (Exclusions(), out):
        asked = Settings(("sex", "age", "region"), ("abroad", "marital"), {"age": 20}, exclusions)
        ours, theirs = assess(here, asked), assess(there, asked)
        same_lists(ours, theirs, "abroad", 1)
        missing = exclusions.missing_keys
        alike(
            replicated_uniques(ours.tables, 1, missing).frame(), whole(replicated_of(theirs.tables, 1, missing), None)
        )


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), dense=st.booleans(), n=st.sampled_from([0, 2]), limit=st.sampled_from([None, 2]))
def test_any_tables_have_the_same_lists_as_files(tables, dense, n, limit, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    for i, each in enumerate(tables):
        pq.write_table(each, folder / f"{i}.parquet")
    here = Study(tables[0], tables[1:])
    asked = Settings(("k1", 'k"2'), ("x", "order"), {"x": n} if n else {}, Exclusions(denominator_limit=limit))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(duckdb_cells, "CHUNK", 2048)
        patched.setattr(duckdb_records, "MOST_ROWS", 7)
        if not dense:
            patched.setattr(duckdb_cells, "DENSE", 0)
            patched.setattr(layout, "_MOST", 30)  # keys are packed into several numbers
        there = DuckDBStudy.of_files(folder / "0.parquet", [folder / f"{i}.parquet" for i in range(1, len(tables))])
        try:
            ours = assess(here, asked)
        except DisclosureError:
            return
        theirs = assess(there, asked)
        for name in ("x", "order"):
            same_lists(ours, theirs, name, len(tables) - 2)


def test_a_folder_numbers_its_records_through_and_text_as_files_do(tmp_path):
    frame = awkward(5_000, 1)[["whole", "text", "mixed"]].assign(mixed=lambda f: f["mixed"].astype(str))
    other = awkward(900, 2)[["whole", "text", "mixed"]].assign(mixed=lambda f: f["mixed"].astype(str))
    asked = Settings(("whole", "text"), ("mixed",))
    for ending, write in (("parquet", pd.DataFrame.to_parquet), ("csv", pd.DataFrame.to_csv)):
        folder, single = tmp_path / ending, tmp_path / f"s.{ending}"
        folder.mkdir()
        for i, rows in enumerate(np.array_split(np.arange(len(frame)), 7)):
            write(frame.iloc[rows].reset_index(drop=True), folder / f"part{i}.{ending}", index=False)
        write(other, single, index=False)
        one = tmp_path / f"whole.{ending}"
        write(frame, one, index=False)
        here = start(one, [single]).study()
        same_lists(assess(here, asked), assess(DuckDBStudy.of_files(folder, [single]), asked), "mixed")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_many_records_are_numbered_as_their_files_are_written(ending, tmp_path):
    """Files are read in pieces, and where a text has about as many values as there are records, DuckDB turns a join."""
    n = 300_000
    frame = pd.DataFrame({"id": np.arange(n), "t": np.where(np.arange(n) % 1000, "x", "a\nb")})
    (tmp_path / "o").mkdir()
    for i, (first, last) in enumerate(((0, 7), (7, 180_000), (180_000, n))):
        part, path = frame.iloc[first:last], tmp_path / "o" / f"{i}.{ending}"
        if ending == "csv":
            part.to_csv(path, index=False)
        else:
            part.to_parquet(path, row_group_size=5_000)
    there = DuckDBStudy.of_files(tmp_path / "o", [tmp_path / "o"])
    found = assess(there, Settings(("id",), ("t",)))
    listed = at_risk_of(there, found.targets["t"].counted[0])
    for first in (0, 150_000, n - 50):
        page = listed.frame(first)
        assert page["record"].tolist() == list(range(first + 1, first + 51))
        assert page["id"].astype(str).astype(int).tolist() == list(range(first, first + 50))
    page = listed.ordered("record", descending=True).frame(0, 3)
    assert page["id"].astype(str).astype(int).tolist() == [n - 1, n - 2, n - 3]


def test_tables_of_a_database_are_numbered_as_they_stand_and_a_view_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(duckdb_records, "MOST_ROWS", 900)
    frames = [demo.original(), demo.syntheses()[0]]
    places = [tmp_path / f"side{i}.parquet" for i in range(2)]
    for frame, place in zip(frames, places, strict=True):
        plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
        frame.assign(row=np.arange(len(frame)), **plain).to_parquet(place)
    with duckdb.connect(tmp_path / "survey.db") as db:
        db.execute('create schema "Year_ly"')
        db.execute('create table "Year_ly".original as from read_parquet(?)', [str(places[0])])
        db.execute("create table synthetic as from read_parquet(?)", [str(places[1])])
        db.execute('delete from "Year_ly".original where row % 3 = 0')
        db.execute('create view seen as from "Year_ly".original')
    rest = frames[0][np.arange(len(frames[0])) % 3 > 0].reset_index(drop=True)
    asked = Settings(("sex", "age", "region"), ("marital",))
    there = DuckDBStudy.of_tables(tmp_path / "survey.db", "year_ly.Original", ["synthetic"])
    same_lists(assess(Study(rest, frames[1:]), asked), assess(there, asked), "marital")
    view = DuckDBStudy.of_tables(tmp_path / "survey.db", "seen", ["synthetic"])
    found = assess(view, asked)
    with pytest.raises(DisclosureError, match="The original: records of a view have no order to be listed in"):
        at_risk_of(view, found.targets["marital"].counted[0]).frame()


def test_safer_data_are_listed_as_files_are_but_for_records_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(duckdb_records, "MOST_ROWS", 900)
    frames, asked = [demo.original(), demo.syntheses()[0]], Settings(("sex", "age", "region"), ("abroad", "marital"))
    first = of_frames(frames, tmp_path)
    steps = [MergeLevels("region", 300)]
    here = assess(protect(frames[0], frames[1:], steps, asked).study, asked)
    same_lists(here, assess(protect_there(first, steps, asked).study, asked), "abroad")
    fewer = assess(protect_there(first, [RemoveUniques()], asked).study, asked)
    here = assess(protect(frames[0], frames[1:], [RemoveUniques()], asked).study, asked)
    theirs = at_risk_of(fewer.tables.study, fewer.targets["abroad"].counted[0])
    alike(at_risk(here.targets["abroad"].counted[0]).frame(0, 50), theirs.frame())
    with pytest.raises(DisclosureError, match="The synthetic data set: records of safer syntheses, which DuckDB makes"):
        matching_in_engine(fewer.tables, "abroad", 0, {}).frame()


def test_nobody_is_shown_where_it_is_not_allowed_and_a_list_is_never_handed_out_whole(tmp_path):
    there, asked = of_frames([demo.original(), demo.syntheses()[0]], tmp_path), Settings(("sex", "age"), ("abroad",))
    found = assess(there, asked)
    listed, counted = at_risk_of(there, found.targets["abroad"].counted[0]), found.targets["abroad"].counted[0]
    assert len(listed) > 50
    assert len(listed.frame()) == 50
    with pytest.raises(DisclosureError, match="An engine shows 50 records at a time; ask for fewer."):
        listed.frame(0, 51)
    assert listed.frame(len(listed)).empty
    there.connection.shows_records = False
    assert not there.lists_records
    for asking in (
        lambda: at_risk_of(there, counted),
        lambda: replicated_of(found.tables, 0),
        lambda: matching_in_engine(found.tables, "abroad", 0, {}),
        listed.frame,
    ):
        with pytest.raises(DisclosureError, match="single records of them are not shown; ask its operator to allow"):
            asking()
    # With safeguards or other missing codes it is the same data.
    assert not there.with_missing_codes({}).lists_records
    assert not protect_there(there, [MergeLevels("region", 300)], asked).study.lists_records


def test_data_that_change_between_two_pages_give_no_row(tmp_path, monkeypatch):
    path = small(tmp_path)
    there, asked = DuckDBStudy.of_files(path, [small(tmp_path, "s")]), Settings(keys=("k",))
    found = assess(there, asked)
    listed = at_risk_of(there, found.targets["t"].counted[0])
    assert listed.frame()["record"].tolist() == [1, 2, 3]
    before = path.read_bytes()
    for k, t in (([1, 2, 9], "abb"), ([1, 2], "ab"), ([1, 2, None], "abb"), ([1, 2, 2], "abc"), ([2, 2, 2], "bba")):
        pd.DataFrame({"k": k, "t": list(t)}).to_parquet(path)
        with pytest.raises(DisclosureError, match="The data changed while they were read, so nothing is reported"):
            listed.frame()
        with monkeypatch.context() as patched:  # also where the state of the file tells nothing
            patched.setattr(DuckDBStudy, "check", lambda _: None)
            with pytest.raises(DisclosureError, match=r"The data changed while they were read|could not answer"):
                listed.frame()
    path.write_bytes(before)
    with pytest.raises(DisclosureError, match="The data changed while they were read"):  # another file, by its time
        listed.frame()


def for_ever(asked):
    while True:
        asked()


def test_rows_that_nobody_waits_for_are_interrupted_and_the_next_page_comes(tmp_path):
    n = 3_000_000
    rng = np.random.default_rng(1)
    path = tmp_path / "o.parquet"
    pd.DataFrame({c: rng.integers(0, 50, n).astype(str) for c in "kt"}).to_parquet(path)
    wanted = threading.Event()
    wanted.set()

    def look():
        if not wanted.is_set():
            raise KeyboardInterrupt

    there = DuckDBStudy.of_files(path, [path], check=look)
    found = assess(there, Settings(keys=("k",)))
    keys, cells = found.tables.keys, found.targets["t"].counted[0].cells
    at = np.arange(cells.q.size)
    order = duckdb_records.InOrder((keys.levels[0][cells.q], cells.target), cells.d, np.zeros(at.size, dtype=np.int64))

    def page(start):
        return duckdb_records.records_in(there, keys, cells.column, 0, order, start, 50)

    threading.Timer(0.1, wanted.clear).start()
    with pytest.raises(KeyboardInterrupt):
        for_ever(lambda: page(n - 50))
    wanted.set()
    assert page(n - 50)[0].tolist() == list(range(n - 50, n))
    left = there.connection.ask("tables", lambda c: c.execute("select count(*) from duckdb_tables()").fetchall())
    assert left == [(0,)]


def test_nothing_of_a_list_is_kept_and_names_of_columns_are_no_sql(tmp_path):
    odd = ["record", "file_row_number", 'a"b; drop table t --', "r", "q0", "<b>x</b>"]
    rng = np.random.default_rng(3)
    frames = [
        pd.DataFrame({c: rng.choice(["'", '"', "<i>", "|", "*x*", "", None], 400) for c in odd}) for _ in range(2)
    ]
    asked = Settings(tuple(odd[:3]), tuple(odd[3:]))
    there = of_frames(frames, tmp_path)
    ours, theirs = assess(Study(frames[0], frames[1:]), asked), assess(there, asked)
    for name in odd[3:]:
        same_lists(ours, theirs, name)
    left = there.connection.ask("tables", lambda c: c.execute("select count(*) from duckdb_tables()").fetchall())
    assert left == [(0,)]
    assert replace(at_risk_of(there, theirs.targets["r"].counted[0]), descending=True).frame(0, 3) is not None
