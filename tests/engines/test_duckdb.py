"""Data that DuckDB reads where they are give the figures that files give, and nothing is said of what changed."""

# Inside: which queries are asked, of what size, and how counts in DuckDB are cut.

import datetime as dt
import gc
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal

import duckdb
import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    DuckDBStudy,
    Exclusions,
    NotEvaluated,
    Pair,
    Settings,
    Study,
    TableStudy,
    ThreatModel,
    assess,
    attribute_baseline,
    count,
    demo,
    identity_baseline,
    identity_by_keys,
    membership,
    partition,
    search_subsets,
    start,
    strongest_intruder,
    usefulness,
)
from disclosure_core.counting.halves import drawn, halved, shared
from disclosure_core.engines import duckdb_cells, duckdb_matches, layout
from disclosure_core.engines import study as engine_study
from disclosure_core.engines.duckdb_connection import Connection
from disclosure_core.engines.duckdb_study import outside_files
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.holdout.partition import Partition
from disclosure_core.protection.table_cells import cells_of
from disclosure_core.sensitivity import anonymity, contributions, release_size
from disclosure_core.sensitivity.combined_release import combined_attributes, combined_identity
from tests.core.test_reference import DEMO, ask, table
from tests.engines.test_engines import HIERARCHIES, TOLERANCE, awkward, same, written

pytestmark = pytest.mark.filterwarnings("default")


def of_frames(frames, folder, **options):
    places = [written(frame, folder, f"side{i}") for i, frame in enumerate(frames)]
    return DuckDBStudy.of_files(places[0], places[1:], **options)


@pytest.mark.parametrize("case", DEMO, ids=lambda c: c["name"])
def test_the_demonstration_survey_has_the_same_figures(case, tmp_path):
    study, asked = ask(case)
    frames = [table(f) for f in (case["original"], *case["synthetic"])]
    there = of_frames(frames, tmp_path, missing_codes=case.get("cont_na", {}))
    same(assess(study, asked), assess(there, asked))


@pytest.mark.parametrize("dense", [True, False])
def test_values_are_the_same_levels(dense, tmp_path, monkeypatch):
    if not dense:
        monkeypatch.setattr(duckdb_cells, "DENSE", 0)
    frames = [awkward(400, 1), awkward(300, 2), awkward(200, 3)]
    frames[0]["day"] = frames[0]["day"].dt.date
    frames[1]["whole"] = frames[1]["whole"].astype(float)
    frames[1]["mixed"] = frames[1]["mixed"].astype(str)
    frames[2]["float"] = frames[2]["float"].astype("float32")
    there, here = (
        of_frames(frames, tmp_path, missing_codes={"income": [-8]}),
        Study(frames[0], frames[1:], {"income": [-8]}),
    )
    asked = Settings(keys=("whole", "text", "day"), groups={"income": 4})
    ours, theirs = assess(here, asked), assess(there, asked)
    same(ours, theirs)
    for name, column in here.columns.items():
        assert there.columns[name].labels == column.labels
        np.testing.assert_array_equal(there.columns[name].counts, column.counts)
    pd.testing.assert_frame_equal(there.overview(), here.overview())
    pd.testing.assert_frame_equal(identity_by_keys(here, asked), identity_by_keys(there, asked), atol=TOLERANCE)
    assert {n.text for n in ours.notes} <= {n.text for n in theirs.notes}


VALUES = {
    "int": (pa.int16(), [-3, 0, 1, 2, 900, None]),
    "unsigned": (pa.uint64(), [0, 1, 2**63 + 1, None]),
    "run": (pa.int32(), [4, 5, 6]),
    "float": (pa.float64(), [0.1 + 0.2, 0.3, -0.0, 0.0, 1e300, float("nan"), None]),
    "float32": (pa.float32(), [0.1, 0.3, 1.0, float("nan"), None]),
    "decimal": (pa.decimal128(8, 2), [Decimal("0.10"), Decimal("0.30"), Decimal("-7.00"), None]),
    "bool": (pa.bool_(), [True, False, None]),
    "text": (pa.string(), ["", "a", "A", "é", "it's", '"', "0.3", "TRUE", "false", "Missing", " a", None]),
    "day": (pa.date32(), [dt.date(2020, 1, 31), dt.date(1900, 1, 1), None]),
    "moment": (pa.timestamp("us"), [dt.datetime(2020, 1, 31), dt.datetime(2020, 1, 31, 12, 0, 0, 5), None]),
    "zoned": (pa.timestamp("us", "UTC"), [dt.datetime(2020, 7, 1, tzinfo=dt.UTC), None]),
    "nothing": (pa.string(), [None]),
}
MEET = [("int", "float"), ("int", "text"), ("run", "int"), ("float", "float32"), ("float", "decimal"), ("bool", "text"),
        ("day", "moment"), ("int", "unsigned"), ("text", "nothing")]  # fmt: skip


@st.composite
def sides(draw):
    """An original and one or two syntheses of the columns k1, k2, x and "order", stored alike or not."""
    columns = {}
    n_sides = draw(st.integers(2, 3))
    sizes = [draw(st.integers(1, 40)) for _ in range(n_sides)]
    for name in ("k1", 'k"2', "x", "order"):
        pair = draw(st.sampled_from([(kind, kind) for kind in VALUES] + MEET))
        columns[name] = []
        for i, n in enumerate(sizes):
            kind, values = VALUES[pair[min(i, 1)]]
            rows = draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
            columns[name].append(pa.array(rows, kind))
    return [pa.table({name: arrays[i] for name, arrays in columns.items()}) for i in range(n_sides)]


def answer(study, asked):
    """The assessment, or the sentence in its place."""
    try:
        return assess(study, asked)
    except DisclosureError as error:
        return str(error)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    tables=sides(),
    dense=st.booleans(),
    n=st.sampled_from([0, 2, 3, (2,), (-1, 0.5, 9)]),
    limit=st.sampled_from([None, 2]),
)
def test_any_tables_have_the_same_figures_as_files(tables, dense, n, limit, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    for i, each in enumerate(tables):
        pq.write_table(each, folder / f"{i}.parquet")
    here = Study(tables[0], tables[1:])
    with pytest.MonkeyPatch.context() as patched:
        if not dense:
            patched.setattr(duckdb_cells, "DENSE", 0)
            patched.setattr(layout, "_MOST", 30)  # keys are packed into several numbers
            patched.setattr(layout, "_LOOKED_UP", 0)
        there = DuckDBStudy.of_files(folder / "0.parquet", [folder / f"{i}.parquet" for i in range(1, len(tables))])
        level, key_level = here.columns["x"].labels[0], here.columns["k1"].labels[-1]
        out = Exclusions(
            {"x": [level]},
            {"order"},
            {"k1"},
            {"order": [Pair("k1", key_level, here.columns["order"].labels[0])]},
            limit,
        )
        for exclusions in (Exclusions(), out):
            asked = Settings(keys=("k1", 'k"2'), groups={"x": n} if n else {}, exclusions=exclusions)
            ours, theirs = (answer(study, asked) for study in (here, there))
            if isinstance(ours, str):
                assert theirs == ours
            else:
                same(ours, theirs)
    assert {name: c.labels for name, c in here.columns.items()} == {name: c.labels for name, c in there.columns.items()}


def test_keys_that_do_not_fit_one_whole_number(tmp_path):
    rng = np.random.default_rng(5)
    keys = [f"k{i}" for i in range(6)]
    data = pd.DataFrame({k: rng.permutation(2000) * 3 for k in keys} | {"t": rng.integers(0, 3, 2000)})
    other = data.sample(frac=0.5, random_state=1)
    asked = Settings(keys=keys, exclusions=Exclusions(pairs={"t": [Pair("k5", "9", "1")]}))
    same(assess(Study(data, [other]), asked), assess(of_frames([data, other], tmp_path), asked))


def test_a_number_of_very_many_values_is_grouped_by_exact_quantiles(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    frames = [pd.DataFrame({"x": rng.normal(size=n).round(6), "k": rng.integers(0, 9, n)}) for n in (4001, 3000)]
    frames[0].loc[::7, "x"] = np.nan
    monkeypatch.setattr(engine_study, "MOST_VALUES", 100)
    there, here = of_frames(frames, tmp_path), Study(frames[0], frames[1:])
    with pytest.raises(DisclosureError, match="'x' has more than 100 distinct values; group it or remove it."):
        assess(there, Settings(keys=("k",)))
    with pytest.raises(
        DisclosureError, match="'x' has more than 100 distinct values, too many to look for missing codes"
    ):
        there.with_missing_codes({"x": -8})
    asked = Settings(keys=("k",), groups={"x": 7})
    found = assess(there, asked)
    same(assess(here, asked), found)
    assert [n.text for n in found.notes] == [
        "'x': 7 intervals by exact quantiles of more than 100 values, as they are stored."
    ]
    assert there.grouped("x", 7)[0].labels == here.grouped("x", 7)[0].labels
    own = replace(asked, groups={"x": (-9, -0.5, 0, 1.25)})
    same(assess(here, own), assess(there, own))
    assert there.grouped("x", own.group("x"))[1] == here.grouped("x", own.group("x"))[1]


def test_a_changed_exclusion_asks_nothing(tmp_path):
    frames = [table("demo/original.csv"), table("demo/synthetic_1.csv")]
    there, asked = of_frames(frames, tmp_path), Settings(keys=("sex", "age"), targets=("condition", "marital"))
    before = assess(there, asked)
    for file in tmp_path.glob("*.parquet"):
        file.unlink()
    changed = replace(asked, exclusions=Exclusions(denominator_limit=3, target_levels={"marital": ["Single"]}))
    same(assess(Study(frames[0], frames[1:]), changed), assess(there, changed, before.tables, before))


def small(folder, name="o", **more):
    path = folder / f"{name}.parquet"
    pd.DataFrame({"k": [1, 2, 2], "t": ["a", "b", "b"], **more}).to_parquet(path)
    return path


@pytest.mark.parametrize("how", ["another value", "one record more", "another file", "gone"])
def test_data_that_change_between_two_questions_give_no_figure(how, tmp_path):
    path, asked = small(tmp_path), Settings(keys=("k",))
    there = DuckDBStudy.of_files(path, [small(tmp_path, "s")])
    _ = there.columns["k"], there.columns["t"]
    if how == "gone":
        path.unlink()
    else:
        frame = pd.DataFrame(
            {"k": [1, 2, 9], "t": ["a", "b", "b"]} if how == "another value" else {"k": [1, 2, 2, 2], "t": list("abbb")}
        )
        target = tmp_path / "new.parquet"
        frame.to_parquet(target)
        if how == "another file":
            target.replace(path)
        else:
            path.write_bytes(target.read_bytes())
    with pytest.raises(DisclosureError, match=r"The data changed while they were read|The engine could not answer"):
        assess(there, asked)


def test_a_changed_value_is_noticed_without_the_files_state(tmp_path, monkeypatch):
    path = small(tmp_path)
    there = DuckDBStudy.of_files(path, [small(tmp_path, "s")])
    _ = there.columns["k"], there.columns["t"]
    monkeypatch.setattr(DuckDBStudy, "check", lambda _: None)
    for k, t in (([1, 2, 9], "abb"), ([1, 2, 2], "abc"), ([1, 1, 2], "abb"), ([1, 2], "ab"), ([1, 2, None], "abb")):
        pd.DataFrame({"k": k, "t": list(t)}).to_parquet(path)
        with pytest.raises(DisclosureError, match=r"The data changed while they were read|could not answer"):
            assess(there, Settings(keys=("k",)))


def test_names_that_differ_by_capitals_alone_are_refused(tmp_path):
    pd.DataFrame({"sex": [1], "Sex": [2], "t": [3]}).to_parquet(tmp_path / "o.parquet")
    (tmp_path / "o.csv").write_text("sex,Sex,t\n1,2,3\n")
    for ending in ("parquet", "csv"):
        with pytest.raises(
            DisclosureError, match="The original has columns whose names differ by capitals alone, 'sex' and 'Sex'"
        ):
            DuckDBStudy.of_files(tmp_path / f"o.{ending}", [tmp_path / f"o.{ending}"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("name", ["rowid", "ROWID", "_rowid_", "filename", "file_row_number", "row_number", "select"])
def test_a_column_may_be_called_as_what_duckdb_calls_its_own(name, ending, tmp_path):
    frame = pd.DataFrame({name: list("aabbcc"), "k": [1, 1, 2, 2, 3, 4], "t": list("xxyzxy")})
    sides = [frame, frame.iloc[::-1].assign(k=[1, 2, 2, 3, 3, 4])]
    for side, of in zip("os", sides, strict=True):
        of.to_csv(tmp_path / f"{side}.csv", index=False) if ending == "csv" else of.to_parquet(
            tmp_path / f"{side}.parquet"
        )
    there = DuckDBStudy.of_files(tmp_path / f"o.{ending}", [tmp_path / f"s.{ending}"])
    for keys in ((name, "k"), ("k",)):
        settings = Settings(keys=keys)
        found, here = assess(there, settings), assess(Study(sides[0], [sides[1]]), settings)
        pd.testing.assert_frame_equal(found.summary(), here.summary(), check_dtype=False)
        pd.testing.assert_frame_equal(found.identity, here.identity, check_dtype=False)


def test_a_folder_is_listed_once_and_a_name_is_no_pattern(tmp_path):
    folder = tmp_path / "o[1]"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    decoy = tmp_path / "o1"
    decoy.mkdir()
    small(folder, "a*"), small(folder, "ab"), small(decoy, "a*", more=[1, 1, 1])
    there = DuckDBStudy.of_files(folder, [folder / "ab.parquet"])
    assert (there.n_original, there.n_synthetic) == (6, (3,))
    small(folder, "later")
    found = assess(there, Settings(keys=("k",)))
    assert found.n_original == 6
    assert DuckDBStudy.of_files(str(tmp_path / "o[[]1]" / "*.parquet"), [folder]).n_original == 9
    pd.DataFrame({"k": ["1"], "t": ["a"]}).to_parquet(folder / "odd.parquet")
    with pytest.raises(DisclosureError, match=r"odd.parquet has other columns, or other types, than a\*.parquet"):
        DuckDBStudy.of_files(folder, [folder])


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], "There is no file at .*; name a file, a folder"),
        (["a.parquet", "b.csv"], "holds both Parquet and text files; name those of one kind."),
        (["a.xlsx"], "a.xlsx is neither Parquet nor CSV, which alone are read where they are."),
        (["bad.parquet"], "A file is not Parquet, or is broken; see that it was written to its end."),
    ],
)
def test_what_cannot_be_read_in_place_is_a_sentence(names, sentence, tmp_path):
    for name in names:
        (tmp_path / name).write_text("k,t\n1,2\n")
    with pytest.raises(DisclosureError, match=sentence):
        DuckDBStudy.of_files(tmp_path, [tmp_path])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('sex,"line\nbreak"\nf,1\nm,2\n', "has a line break in the name of a column, which an engine does not read"),
        ("age, sex\n1, f\n2, m\n", "has a blank after every delimiter, which an engine takes for a part"),
    ],
)
def test_what_an_engine_reads_otherwise_than_files_is_a_sentence(text, sentence, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(DisclosureError, match=sentence):
        DuckDBStudy.of_files(tmp_path / "a.csv", [tmp_path / "a.csv"])


@pytest.mark.parametrize(("n", "called"), [(1, "The synthetic data set"), (2, "Synthesis 2")])
def test_an_error_about_a_file_says_which_it_is(n, called, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("k,t\n1,a\n2,b\n")
    bad.write_text("k,K\n1,a\n2,b\n")
    with pytest.raises(DisclosureError, match=f"^{called} has columns whose names differ by capitals"):
        DuckDBStudy.of_files(good, [*[good] * (n - 1), bad])


def counted_for_ever(study):
    while True:
        study.latest = None  # what was counted last would not be asked for again
        assess(study, Settings(keys=("k",)))


def test_a_question_that_nobody_waits_for_is_interrupted(tmp_path):
    n = 3_000_000
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({c: rng.integers(0, 50, n).astype(str) for c in ("k", "t", "u")})
    path = tmp_path / "o.parquet"
    frame.to_parquet(path)
    wanted = threading.Event()
    wanted.set()

    def look():
        if not wanted.is_set():
            raise KeyboardInterrupt

    there = DuckDBStudy.of_files(path, [path], check=look)
    there.prepare(("k", "t", "u"))
    threading.Timer(0.2, wanted.clear).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        counted_for_ever(there)
    assert time.perf_counter() - began < 5
    wanted.set()
    assert assess(there, Settings(keys=("k",))).n_original == n  # and goes on


def test_a_question_that_fails_ends_those_beside_it():
    long = "select sum(a.range * b.range) from range(200_000) a, range(200_000) b"  # a minute, if nobody stops it
    began = time.perf_counter()
    with pytest.raises(DisclosureError, match="the first"):
        Connection().ask_each(
            ["the first", "the other"], [lambda c: c.execute("from nowhere"), lambda c: c.execute(long).fetchall()]
        )
    assert time.perf_counter() - began < 10


def test_many_threads_ask_one_study(tmp_path):
    frames = [table("demo/original.csv"), table("demo/synthetic_1.csv")]
    there, here = of_frames(frames, tmp_path), Study(frames[0], frames[1:])
    keys = [("sex", "age"), ("age", "region"), ("region", "employment"), ("sex", "region")]
    expected = {k: assess(here, Settings(keys=k, targets=("marital",))).summary() for k in keys}
    with ThreadPoolExecutor(8) as threads:
        found = list(
            threads.map(lambda k: (k, assess(there, Settings(keys=k, targets=("marital",))).summary()), keys * 6)
        )
    for k, summary in found:
        pd.testing.assert_frame_equal(summary, expected[k], atol=TOLERANCE, rtol=0)


def test_what_does_not_fit_is_a_sentence_and_spill_is_swept(tmp_path):
    rng = np.random.default_rng(1)
    n = 2_000_000
    frame = pd.DataFrame({c: rng.integers(0, 2**40, n) for c in ("k", "t")})
    path, spill = tmp_path / "o.parquet", tmp_path / "spill"
    frame.to_parquet(path)
    spill.mkdir()
    left = spill / f"disclosure-spill-{2**22 - 1}-x"  # of a process that is no more
    left.mkdir()
    other, link = spill / "mine", spill / f"disclosure-spill-{2**22 - 2}-x"  # what cannot be removed stays
    other.mkdir()
    (other / "file").touch()
    link.symlink_to(other)
    with pytest.raises(DisclosureError, match=r"DuckDB has no room for this question: give it more memory"):
        assess(DuckDBStudy.of_files(path, [path], memory_limit="20MB"), Settings(keys=("k",), groups={"t": 5}))
    there = DuckDBStudy.of_files(path, [path], memory_limit="200MB", spill=spill)
    assert not left.exists()
    assert len(list(spill.glob("disclosure-spill-*"))) == 2
    assert there.grouped("t", 5)[0].n_levels == 5
    del there
    gc.collect()
    assert {*spill.iterdir()} == {other, link}
    assert [*other.iterdir()] == [other / "file"]
    with pytest.raises(DisclosureError, match="Nothing can be written to .*; name another folder to spill to."):
        DuckDBStudy.of_files(path, [path], spill=tmp_path / "none")
    with pytest.raises(DisclosureError, match="A memory limit is a size such as 4GB, not 'much'."):
        DuckDBStudy.of_files(path, [path], memory_limit="much")


KILLED = """
import os, signal, sys
from disclosure_core.engines.duckdb_connection import Connection

there = Connection("100MB", sys.argv[1])
there.ask("much", lambda cursor: cursor.execute("create table t as select range as x, random() as y from range(20000000)"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_spill_of_a_killed_process_is_swept(tmp_path):
    found = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, capture_output=True, text=True)
    assert found.returncode == -9, found.stderr
    left = [path for folder in tmp_path.iterdir() for path in folder.iterdir()]
    assert sum(path.stat().st_size for path in left) > 0
    there = DuckDBStudy.of_files(small(tmp_path), [small(tmp_path, "s")], spill=tmp_path)
    assert not any(path.exists() for path in left)
    assert there.n_original == 3


def test_an_engine_that_loses_its_files_says_so_and_goes_on(tmp_path):
    n = 400_000
    frame = pd.DataFrame({"k": np.arange(n) % 50, "t": np.arange(n) % 7})
    path, other = tmp_path / "o.parquet", small(tmp_path, "s")
    frame.to_parquet(path)
    there = DuckDBStudy.of_files(path, [other])
    there.prepare(("k", "t"))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])  # in place, as one that is being written
    for _ in range(2):
        with pytest.raises(DisclosureError, match=r"The data changed while they were read"):
            assess(there, Settings(keys=("k",)))
    path.unlink()
    with pytest.raises(DisclosureError, match=r"The data changed while they were read"):
        assess(there, Settings(keys=("k",)))
    frame.to_parquet(path)
    assert assess(DuckDBStudy.of_files(path, [other]), Settings(keys=("k",))).n_original == n


def test_a_database_that_breaks_while_it_is_read_is_a_sentence_without_its_place(tmp_path):
    place = tmp_path / "survey.db"
    with duckdb.connect(place) as db:
        db.execute("create table o as select range % 50 as k, (random() * 1e12)::bigint as t from range(900000)")
        db.execute("create table s as select range % 50 as k, range as t from range(100)")
    there = DuckDBStudy.of_tables(place, "o", ["s"], private=True)
    _ = there.columns["k"]
    os.truncate(place, 500_000)
    for _ in range(2):
        with pytest.raises(DisclosureError, match=r"The engine could not answer about the values of 't'") as caught:
            assess(there, Settings(keys=("k",), groups={"t": 5}))
        assert caught.value.__cause__ is None
        assert str(place) not in str(caught.value)
    other = DuckDBStudy.of_files(small(tmp_path), [small(tmp_path, "s")])
    assert assess(other, Settings(keys=("k",))).n_original == 3


def test_a_changed_file_is_noticed_where_cells_are_kept(tmp_path):
    path = small(tmp_path)
    there, asked = DuckDBStudy.of_files(path, [small(tmp_path, "s")]), Settings(keys=("k",))
    first = assess(there, asked)
    assert assess(there, asked).tables is first.tables  # nothing is counted again
    assert assess(there.with_missing_codes({"k": [2]}), asked).tables is not first.tables
    pd.DataFrame({"k": [1, 1, 2], "t": list("abb")}).to_parquet(path)
    with pytest.raises(DisclosureError, match="The data changed while they were read"):
        assess(there, asked)


def test_cells_beyond_all_measure_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "MOST_CELLS", 5)
    monkeypatch.setattr(duckdb_cells, "DENSE", 0)
    frame = pd.DataFrame({"k": range(6), "t": range(6)})
    table = ibis.duckdb.connect().read_parquet(written(frame, tmp_path, "table"))
    for there in (of_frames([frame, frame], tmp_path), TableStudy(table, [table])):
        with pytest.raises(
            DisclosureError, match="These keys make more than 5 cells with 't'; choose fewer keys, or group one."
        ):
            assess(there, Settings(keys=("k",)))


TEXT = {
    "plain": "k,t,x\n1,a,1.5\n2,b,2\n2,,\n1,a,1.50\n",
    "semicolons": "k;t;x\n1;a;1,5\n2;b;2,25\n2;;\n",
    "quoted": 'k,t,x\n1,"a,b",1\n2,"say ""x""",2\n2,"",3\n',
    "apostrophes": "'k','t, of all','x, of all'\n'1','a','1'\n'2','b, c','2'\n'2','','3'\n",
    "padded": "k,t,x\n01,TRUE,2020-01-31\n02,false,2020-02-01\n03,true,2020-02-01\n",
    "tabs": "k\tt\tx\n1\ta\t-8\n2\tb\t1e3\n",
}


@pytest.mark.parametrize("text", TEXT.values(), ids=TEXT)
def test_text_is_typed_as_files_are(text, tmp_path):
    path, other = tmp_path / "o.csv", tmp_path / "s.csv"
    path.write_text(text)
    other.write_text("\n".join(text.splitlines()[:3]) + "\n")
    here, there = start(path, [other]).study(), DuckDBStudy.of_files(path, [other])
    assert {n: (c.labels, c.kind) for n, c in here.columns.items()} == {
        n: (c.labels, c.kind) for n, c in there.columns.items()
    }
    asked = Settings(keys=("k",))
    same(assess(here, asked), assess(there, asked))


def test_tables_of_a_database_are_read(tmp_path):
    frames = [awkward(300, 1), awkward(200, 2)]
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(frames)]
    with duckdb.connect(tmp_path / "survey.db") as db:
        db.execute("create schema yearly")
        db.execute("create table yearly.original as from read_parquet(?)", [str(places[0])])
        db.execute("create table synthetic as from read_parquet(?)", [str(places[1])])
    there = DuckDBStudy.of_tables(tmp_path / "survey.db", "yearly.original", ["synthetic"])
    asked = Settings(keys=("whole", "text"), groups={"income": 4})
    same(assess(Study(frames[0], frames[1:]), asked), assess(there, asked))
    with pytest.raises(DisclosureError, match="The engine could not answer about the tables"):
        DuckDBStudy.of_tables(tmp_path / "survey.db", "nothing", ["synthetic"])


@pytest.mark.parametrize("tau", [None, 0.7])
def test_the_strongest_intruder_is_that_of_files(tau, tmp_path):
    frames, codes = (demo.original(), *demo.syntheses()[:2]), {"income": -8}
    asked = Settings(("sex", "age", "region"), ("income", "abroad"), {"income": 5}, Exclusions({"abroad": ["No"]}))
    here = strongest_intruder(Study(frames[0], frames[1:], codes), asked, HIERARCHIES, tau=tau)
    there = strongest_intruder(of_frames(frames, tmp_path, missing_codes=codes), asked, HIERARCHIES, tau=tau)
    by_luck = ["chosen", "other"]  # halves are drawn of people in another order
    pd.testing.assert_frame_equal(
        here.worst.drop(columns=by_luck), there.worst.drop(columns=by_luck), atol=TOLERANCE, rtol=0
    )
    assert (there.worst["other"] <= there.worst["figure"] + TOLERANCE).all()


def test_what_cells_tell_is_that_of_files(tmp_path):
    frames = (demo.original(), *demo.syntheses()[:2])
    asked = Settings(("sex", "age", "region"), ("abroad", "marital"), exclusions=Exclusions({"abroad": ["No"]}))
    here, there = Study(frames[0], frames[1:]), of_frames(frames, tmp_path)
    for attributes in (True, False):
        ours, theirs = (search_subsets(study, asked, attributes=attributes) for study in (here, there))
        pd.testing.assert_frame_equal(ours.identity, theirs.identity, atol=TOLERANCE, rtol=0)
        pd.testing.assert_frame_equal(ours.attribute, theirs.attribute, atol=TOLERANCE, rtol=0)
    for study in (here, there):
        assert anonymity.profile(study, asked).sizes.equals(anonymity.profile(here, asked).sizes)
    theirs, ours = (anonymity.diversity(count(study, asked)) for study in (there, here))
    assert theirs.equals(ours)


def test_releases_are_those_of_files(tmp_path):
    frames = (demo.original(), *demo.syntheses()[:3])
    asked = Settings(("sex", "age", "region"), ("abroad", "marital"), exclusions=Exclusions({"abroad": ["No"]}))
    here, there = assess(Study(frames[0], frames[1:]), asked), assess(of_frames(frames, tmp_path), asked)
    for syntheses in ((), (1, 3)):
        ours, theirs = (combined_attributes(found, syntheses) for found in (here, there))
        pd.testing.assert_frame_equal(ours, theirs, atol=TOLERANCE, rtol=0)
        assert combined_identity(there, syntheses) == pytest.approx(combined_identity(here, syntheses), abs=TOLERANCE)
    for target in ("abroad", "marital"):
        of = [contributions.by_level(found.targets[target]) for found in (here, there)]
        pd.testing.assert_frame_equal(*(f.sort_values(["column", "level"], ignore_index=True) for f in of))
    draws = [list(release_size.by_size(found, shares=(5, 40, 100), repeats=8)) for found in (here, there)]
    again = list(release_size.by_size(there, shares=(5, 40, 100), repeats=8))
    for one, other in zip(draws[1], again, strict=True):
        pd.testing.assert_frame_equal(one.rows, other.rows)  # the seed decides
    ours, theirs = (release_size.over_draws(steps) for steps in draws)
    for mine, other in ((ours.attribute, theirs.attribute), (ours.identity, theirs.identity)):
        whole = mine["share"] == 100
        pd.testing.assert_frame_equal(mine[whole], other[whole], atol=TOLERANCE, rtol=0)
        # The draws are others: their means differ by no more than such means do.
        error = np.sqrt((mine["sd"] ** 2 + other["sd"] ** 2) / mine["samples"].clip(lower=1))
        assert (np.abs(mine["mean"] - other["mean"]) <= 5 * error + TOLERANCE).all()
        assert mine["sd"][~whole].gt(0).any()


@pytest.mark.parametrize("few", [True, False])
def test_the_usefulness_of_all_tables_is_that_of_files(few, tmp_path, monkeypatch):
    if few:  # one pass a pair, and cells that are grouped in DuckDB
        monkeypatch.setattr(duckdb_cells, "IN_ONE_PASS", 300)
        monkeypatch.setattr(duckdb_cells, "DENSE", 60)
    frames = (demo.original(), *demo.syntheses()[:2])
    here, there = (
        Study(frames[0], frames[1:], {"income": [-8]}),
        of_frames(frames, tmp_path, missing_codes={"income": [-8]}),
    )
    told = []
    ours, theirs = usefulness(here), usefulness(there, progress=lambda *n: told.append(n))
    pd.testing.assert_frame_equal(ours.tables, theirs.tables, atol=TOLERANCE, rtol=0)
    assert told[-1] == (len(ours.tables) // 2,) * 2
    for synthesis in (0, 2):
        for columns in (("sex", "income"), ("age",)):
            one, other = (cells_of(study, *columns, synthesis=synthesis) for study in (here, there))
            rows = [column for column in ("first", "second") if column in one]
            pd.testing.assert_frame_equal(*(f.sort_values(rows, ignore_index=True) for f in (one, other)))


def test_pairs_of_changed_data_are_not_reported(tmp_path, monkeypatch):
    path = small(tmp_path)
    there = DuckDBStudy.of_files(path, [small(tmp_path, "s")])
    _ = there.columns["k"], there.columns["t"]
    monkeypatch.setattr(DuckDBStudy, "check", lambda _: None)
    pd.DataFrame({"k": [1, 1, 2], "t": list("abb")}).to_parquet(path)
    with pytest.raises(DisclosureError, match="The data changed while they were read"):
        usefulness(there)


def test_a_part_drawn_of_cells_is_one_drawn_of_records():
    """Every part of three cells of 2, 1 and 1 records is as frequent as among orders of the four records."""
    rng = np.random.default_rng(1)
    found = [tuple(drawn(np.array([2, 0, 1, 1]), 2, rng).tolist()) for _ in range(6000)]
    expected = {(2, 0, 0, 0): 1, (1, 0, 1, 0): 2, (1, 0, 0, 1): 2, (0, 0, 1, 1): 1}  # of 6 pairs
    assert set(found) == set(expected)
    for part, n in expected.items():
        assert found.count(part) / 6000 == pytest.approx(n / 6, abs=0.03)
    with pytest.raises(DisclosureError, match=r"Random parts are drawn of fewer than 1,000,000,000 records"):
        drawn(np.array([10**9, 1]), 2, rng)


def test_a_half_of_cells_is_one_of_people():
    """Every half of two combinations of two people, each of levels of their own, is as frequent as among people."""
    rng, of_q, q, n = np.random.default_rng(1), np.array([3, 1]), np.array([0, 1, 0]), np.array([1, 1, 2])
    found = Counter()
    for _ in range(6000):
        part = drawn(of_q, 2, rng)
        cells = shared(part, q, n, rng)
        assert np.bincount(q, cells, 2).tolist() == part.tolist()
        found[tuple(cells.tolist())] += 1
    expected = {(1, 1, 0): 1, (1, 0, 1): 2, (0, 1, 1): 2, (0, 0, 2): 1}  # of the six pairs of four people
    assert set(found) == set(expected)
    for cells, ways in expected.items():
        assert found[cells] / 6000 == pytest.approx(ways / 6, abs=0.03)
    halves = halved(np.zeros(0, dtype=np.int32), of_q, rng, 5)
    assert (halves.n, halves.n_half.tolist()) == (4, [2] * 5)
    assert halves.by_combination(np.float64).sum(axis=0).tolist() == [2] * 5


def test_membership_is_that_of_files(tmp_path):
    answers = ThreatModel("people", 100_000, same_population=True, news=True, random_sample=True)
    tables = [
        pa.Table.from_pandas(f, preserve_index=False) for f in (demo.original(), *demo.syntheses()[:2], demo.holdout())
    ]
    here, there = joined_both(tables, tmp_path)
    asked = Settings(keys=("sex", "age", "region"))
    ours, theirs = (membership(each, asked, answers) for each in (here, there))
    pd.testing.assert_frame_equal(ours.rates, theirs.rates, atol=TOLERANCE, rtol=0)
    pd.testing.assert_frame_equal(ours.summary(), theirs.summary(), atol=TOLERANCE, rtol=0)
    assert str(ours.coverage) == str(theirs.coverage)
    # Halves are drawn of other people: their two parts are the whole, and the worst of one is not far off.
    worst = theirs.honest_worst()
    assert worst.picked == pytest.approx(ours.honest_worst().picked, abs=0.05)


def baselines(joined, asked):
    """What is said of people outside, or the sentence in its place."""
    if isinstance(joined, NotEvaluated):
        return joined.why
    try:
        return [joined.exact_matches, *(f(joined, asked) for f in (attribute_baseline, identity_baseline))]
    except DisclosureError as error:
        return str(error)


def same_outside(ours, theirs):
    if isinstance(ours, str):
        assert theirs == ours
        return
    assert ours[0] == theirs[0]
    for mine, other in zip(ours[1:], theirs[1:], strict=True):
        for name in ("figures", "context", "parts", "same_keys"):
            if hasattr(mine, name):
                pd.testing.assert_frame_equal(getattr(mine, name), getattr(other, name), rtol=0, atol=TOLERANCE)


def joined_both(tables, folder, codes=None):
    """Files and DuckDB: the last table read against the others."""
    for i, each in enumerate(tables):
        pq.write_table(each, folder / f"{i}.parquet")
    here = partition(tables[0], tables[-1], tables[1:-1], codes, random=True)
    study = DuckDBStudy.of_files(
        folder / "0.parquet", [folder / f"{i}.parquet" for i in range(1, len(tables) - 1)], codes
    )
    there = Partition(outside_files(study, folder / f"{len(tables) - 1}.parquet")(study), random=True)
    return here, there.refusal or there


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    tables=sides(), dense=st.booleans(), n=st.sampled_from([0, 2, 3, (2,), (-1, 0.5, 9)]), limit=st.sampled_from([None, 2]),
    first=st.booleans(), most=st.sampled_from([5, 2**27]),
)  # fmt: skip
def test_any_people_outside_have_the_same_figures_as_from_files(tables, dense, n, limit, first, most, tmp_path_factory):
    if len(tables) < 3:
        tables = [*tables, tables[0]]
    with pytest.MonkeyPatch.context() as patched:
        if not dense:
            patched.setattr(duckdb_cells, "DENSE", 0)
            patched.setattr(layout, "_MOST", 30)
            patched.setattr(duckdb_matches, "GROUPED_AT_ONCE", 7)
        patched.setattr(duckdb_matches, "SORTED_AT_ONCE", most)
        here, there = joined_both(tables, tmp_path_factory.mktemp("any"))
        asked = Settings(
            keys=("k1", 'k"2'), groups={"x": n} if n else {}, exclusions=Exclusions(denominator_limit=limit)
        )
        if first and isinstance(there, Partition):  # the study is counted before: people outside alone are counted then
            answer(there.joint.finished, asked)
        same_outside(baselines(here, asked), baselines(there, asked))
    if isinstance(here, Partition):
        assert here.joint.unusable.keys() == there.joint.unusable.keys()


@given(
    inside=st.lists(st.integers(0, 12), min_size=1, max_size=60), outside=st.lists(st.integers(0, 12), min_size=1),
    at_once=st.integers(1, 70),
)  # fmt: skip
def test_records_that_meet_are_counted_by_sorting_as_by_a_dictionary(inside, outside, at_once):
    d, h = Counter(inside), Counter(outside)
    found = duckdb_matches.counted_matches(
        *(np.sort(np.array(side, dtype=np.uint64)) for side in (inside, outside)), at_once
    )
    assert found.tolist() == [
        sum(n for x, n in h.items() if x in d), sum(n for n in d.values() if n > 1),
        sum(n for x, n in h.items() if n > 1 and x in d), sum(d[x] != h[x] for x in d | h), len(d | h),
        len(inside), len(outside),
    ]  # fmt: skip


def test_people_outside_with_odd_values_are_read_as_from_files(tmp_path):
    original, synthesis, holdout = demo.original(), demo.syntheses()[0], demo.holdout()
    holdout["age"] += 7  # beyond all that the study has
    holdout["income"] += 0.5  # numbers that nobody else has
    holdout["marital"] = holdout["marital"].astype(str).where(holdout.index % 20 > 0, "Widowed again")
    holdout["abroad"] = "?"
    tables = [
        pa.Table.from_pandas(f, preserve_index=False) for f in (original, synthesis, holdout.drop(columns="region"))
    ]
    here, there = joined_both(tables, tmp_path, {"income": [-8]})
    asked = Settings(keys=("sex", "age"), targets=("marital", "income"), groups={"age": 5, "income": 8})
    same_outside(baselines(here, asked), baselines(there, asked))
    assert here.joint.unusable.keys() == there.joint.unusable.keys() == {"region", "abroad"}
    said = [note.text for note in there.notes]
    assert any("1,250 of 1,250 records have a value that no other file has (such as “?”)" in text for text in said)
    assert not any(" row " in text for text in said)  # the rows of an engine have no number
    plain = Settings(keys=("sex", "age", "employment"), targets=("income",))
    ours, theirs = (near_misses(each, plain, "income") for each in (here, there))
    pd.testing.assert_frame_equal(ours, theirs, rtol=0, atol=TOLERANCE)
    assert ours["non_members"].gt(0).any()


def test_of_people_outside_beside_what_was_counted_they_alone_are_read(tmp_path, monkeypatch):
    tables = [
        pa.Table.from_pandas(f, preserve_index=False) for f in (demo.original(), demo.syntheses()[0], demo.holdout())
    ]
    here, there = joined_both(tables, tmp_path, {"income": [-8]})
    asked = Settings(keys=("sex", "age", "region"), targets=("abroad", "income"), groups={"income": 5, "age": 8})
    study, sides = there.joint.finished, []
    read = duckdb_cells.Coder.coded
    assess(study, asked)
    monkeypatch.setattr(
        duckdb_cells.Coder,
        "coded",
        lambda self, cursor, relation, i, *a, **k: sides.append(i) or read(self, cursor, relation, i, *a, **k),
    )
    same_outside(baselines(here, asked), baselines(there, asked))
    assert set(sides) == {2}


def test_people_outside_beside_a_number_of_very_many_values(tmp_path, monkeypatch):
    monkeypatch.setattr(engine_study, "MOST_VALUES", 50)
    rng = np.random.default_rng(3)
    tables = [
        pa.table({"k": rng.integers(0, 4, n), "x": rng.normal(size=n), "y": rng.integers(0, 3, n)})
        for n in (400, 300, 200)
    ]
    here, there = joined_both(tables, tmp_path)
    assert there.exact_matches == here.exact_matches == (0.0, 0.0)
    for groups in (4, (-0.5, 0, 1.25), (0,)):
        asked = Settings(keys=("k",), targets=("y", "x"), groups={"x": groups})
        same_outside(baselines(here, asked), baselines(there, asked))


def test_a_holdout_that_is_one_of_the_files_is_refused(tmp_path):
    written(demo.original(), tmp_path, "o")
    place = written(demo.syntheses()[0], tmp_path, "s")
    study = DuckDBStudy.of_files(written(demo.original(), tmp_path, "o"), [place])
    with pytest.raises(DisclosureError, match="The holdout is the file s.* itself"):
        outside_files(study, place)


@pytest.mark.parametrize("private", [False, True])
def test_an_engine_that_is_full_says_who_can_help_and_goes_on(private, tmp_path):
    """Of a source that an operator named, a visitor can neither give it memory nor another disk."""
    tight = Connection("40MB", private=private)
    with pytest.raises(DisclosureError, match="DuckDB has no room for this question") as caught:
        tight.ask("much", lambda c: c.execute("create table t as select range as x, random() as y from range(9000000)"))
    assert ("ask the operator of this source" in str(caught.value)) == private
    assert ("--memory-limit" in str(caught.value)) != private
    assert tight.ask("one", lambda c: c.execute("select 1").fetchall()) == [(1,)]

    def full(_):
        raise duckdb.IOException(f"Could not write to {tmp_path}: No space left on device")

    with pytest.raises(DisclosureError, match="The disk .*is full") as caught:
        tight.ask("much", full)
    assert ("ask the operator of this source to make room" in str(caught.value)) == private
    assert (caught.value.__cause__ is None) == private
