"""Data counted by an engine give the figures that the same data give when counted here."""

# Inside: what an engine returns is counted: never records.

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import ibis
import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Hierarchy,
    Pair,
    Settings,
    Study,
    TableStudy,
    Thresholds,
    assess,
    demo,
    identity_by_keys,
    look_up,
    strongest_intruder,
)
from disclosure_core.counting.count import count_keys
from disclosure_core.data.column import with_records
from disclosure_core.engines import study as engine_study
from disclosure_core.records.look_up import matching
from disclosure_core.records.of_any_study import at_risk_of, replicated_of
from disclosure_core.sensitivity import anonymity, contributions, release_size, threshold
from tests.core.test_reference import DEMO, ask, table

pytestmark = pytest.mark.filterwarnings("default")  # engines warn of what they call in pandas; that is theirs

TOLERANCE = 1e-9
DEMO_FRAMES = (demo.original(), demo.syntheses())


def written(frame: pd.DataFrame, folder: Path, name: str) -> Path:
    """Save a frame as plain Parquet: engines know no categories."""
    path = folder / f"{name}.parquet"
    plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
    frame.assign(**plain).to_parquet(path)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="session")
def duckdb():
    return ibis.duckdb.connect()


@pytest.fixture(scope="session")
def spark():
    missing = "no pyspark" if not find_spec("pyspark") else "no Java" if not which("java") else ""
    if missing:
        assert os.environ.get("CI") != "true", f"{missing}, which .ci/run installs"
        pytest.skip(f"{missing}: Spark cannot be started")
    from pyspark.sql import SparkSession

    options = {
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than counting a few thousand records
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield ibis.pyspark.connect(session)
    session.stop()


@cache
def there(connection, folder, files, missing_codes=()):
    """A study of files of the reference, in an engine."""
    tables = [connection.read_parquet(written(table(f), folder, Path(f).stem)) for f in files]
    return TableStudy(tables[0], tables[1:], missing_codes=dict(missing_codes))


def of_case(connection, folder, case):
    codes = tuple((name, tuple(values)) for name, values in case.get("cont_na", {}).items())
    return there(connection, folder, (case["original"], *case["synthetic"]), codes)


def of_frames(connection, folder, frames, **options):
    tables = [connection.read_parquet(written(f, folder, f"f{i}_{id(f)}")) for i, f in enumerate(frames)]
    return TableStudy(tables[0], tables[1:], **options)


def same(here, other):
    """Every figure of two assessments."""
    np.testing.assert_allclose(here.identity, other.identity, atol=TOLERANCE)
    pd.testing.assert_frame_equal(here.summary(), other.summary(), atol=TOLERANCE, rtol=0)
    assert list(here.targets) == list(other.targets)
    for name, risk in here.targets.items():
        found = other.targets[name]
        for part in ("identity", "attribute", "caps"):
            pd.testing.assert_frame_equal(getattr(risk, part), getattr(found, part), atol=TOLERANCE, rtol=0)
        assert by_level(risk.beyond_guess) == by_level(found.beyond_guess)
        assert risk.one_way == found.one_way
        for i, pairs in enumerate(risk.two_way):
            pd.testing.assert_frame_equal(pairs, found.two_way[i], atol=TOLERANCE, rtol=0)
            pd.testing.assert_frame_equal(risk.exclusions[i], found.exclusions[i])


def by_level(found):
    """What is claimed, by level: an engine may keep the levels in another order."""
    counts = [getattr(c, part) for c in (found.counted, found.every) for part in ("said", "true", "right")]
    table = np.vstack([*counts, found.in_original]).T.tolist()
    return dict(zip(found.column.labels, table, strict=True)), set(found.common.labels)


@pytest.mark.parametrize("case", DEMO, ids=lambda c: c["name"])
def test_duckdb_agrees_on_the_demonstration_survey(case, duckdb, folder):
    study, settings = ask(case)
    same(assess(study, settings), assess(of_case(duckdb, folder, case), settings))


@pytest.mark.parametrize("case", DEMO, ids=lambda c: c["name"])
def test_spark_agrees_on_the_demonstration_survey(case, spark, folder):
    study, settings = ask(case)
    same(assess(study, settings), assess(of_case(spark, folder, case), settings))


def awkward(n, seed):
    rng = np.random.default_rng(seed)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 5, n), "D")
    return pd.DataFrame(
        {
            "whole": rng.integers(-2, 6, n),
            "float": rng.choice([0.1 + 0.2, 0.3, 1e15, -0.0, 0.0, np.nan], n),
            "text": rng.choice(["a", "A", "é", "", "Missing", None], n),
            "yes": rng.choice([True, False], n),
            "day": days,
            "mixed": rng.integers(0, 4, n),
            "income": np.where(rng.random(n) < 0.1, -8, rng.normal(0, 10, n).round(1)),
        }
    )


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_values_are_the_same_levels_wherever_they_are_counted(engine, request, folder):
    original, synthetic = awkward(400, 1), awkward(300, 2)
    original["day"] = original["day"].dt.date
    synthetic["day"] = synthetic["day"].dt.date
    synthetic["whole"] = synthetic["whole"].astype(float)
    synthetic["mixed"] = synthetic["mixed"].astype(str)
    other = of_frames(request.getfixturevalue(engine), folder, [original, synthetic], missing_codes={"income": [-8]})
    here = Study(original, [synthetic], missing_codes={"income": [-8]})
    settings = Settings(keys=("whole", "text", "day"), groups={"income": 4})
    ours, theirs = assess(here, settings), assess(other, settings)
    same(ours, theirs)
    for name, column in here.columns.items():
        assert other.columns[name].labels == column.labels
        np.testing.assert_array_equal(other.columns[name].counts, column.counts)
    pd.testing.assert_frame_equal(other.overview(), here.overview())
    grown = identity_by_keys(here, settings), identity_by_keys(other, settings)
    pd.testing.assert_frame_equal(*grown, atol=TOLERANCE)
    said = {n.text for n in ours.notes}
    assert said <= {n.text for n in theirs.notes}


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_near_misses_are_the_same_wherever_they_are_counted(engine, request, folder):
    frames = [
        awkward(400, 1)[["whole", "yes", "mixed", "income"]],
        awkward(300, 2)[["whole", "yes", "mixed", "income"]],
    ]
    frames = [f.assign(income=f["income"].mask(f.index % 7 == 0)) for f in frames]
    other = of_frames(request.getfixturevalue(engine), folder, frames, missing_codes={"income": [-8]})
    here = Study(frames[0], frames[1:], missing_codes={"income": [-8]})
    out = Exclusions(missing_targets={"income"}, target_levels={"income": [here.columns["income"].labels[3]]})
    for exclusions in (Exclusions(), out):
        settings = Settings(keys=("whole", "yes", "mixed"), targets=("income",), exclusions=exclusions)
        ours, theirs = (
            assess(study, settings).targets["income"].near_misses(["0%", "50%", 5, 20, 40]) for study in (here, other)
        )
        pd.testing.assert_frame_equal(ours, theirs, atol=TOLERANCE, rtol=0)
        assert ours["DiSCO"].iloc[-1] > ours["DiSCO"].iloc[0]


STORED = {
    # column: its texts, Spark's types of it in the original and in the synthesis, and the levels
    "float": (["1.1", "0.3", "-7.25", None], "FLOAT", "DOUBLE", ["-7.25", "0.3", "1.1"]),
    "decimal": (["1.1", "0.3", "-7.25", None], "DECIMAL(12, 3)", "FLOAT", ["-7.25", "0.3", "1.1"]),
    "long": (["9007199254740993", "9007199254740992", "7", "8"], "DECIMAL(20, 0)", "BIGINT",
             ["7", "8", "9007199254740992", "9007199254740993"]),
    "yes": (["TRUE", "FALSE", None, "TRUE"], "BOOLEAN", "STRING", ["False", "True"]),
    "day": (["2020-01-31", "1999-12-01", "1900-01-01", None], "DATE", "TIMESTAMP_NTZ",
            ["1900-01-01", "1999-12-01", "2020-01-31"]),
    "moment": (["2020-01-31T12:00:00+01:00", "2020-07-01T00:00:00Z", "2020-07-01T00:00:00.25Z", None], "TIMESTAMP", "TIMESTAMP",
               ["2020-01-31T11:00:00", "2020-07-01T00:00:00", "2020-07-01T00:00:00.250000"]),
}  # fmt: skip


def test_spark_tells_the_same_levels_however_they_are_stored(spark):
    sides = []
    for side in (1, 2):
        rows = []
        for i in range(4):
            cells = [
                f"CAST({'NULL' if v[0][i] is None else repr(v[0][i])} AS {v[side]}) AS `{c}`" for c, v in STORED.items()
            ]
            rows.append(f"SELECT {i} AS id, 0 AS y, {', '.join(cells)}")
        sides.append(spark.sql(" UNION ALL ".join(rows)))
    study = TableStudy(sides[0], sides[1:])
    for name, (texts, _, _, levels) in STORED.items():
        column = study.columns[name]
        assert list(column.levels) == levels
        np.testing.assert_array_equal(column.counts[0], column.counts[1])
        assert column.counts[0, -1] == texts.count(None)
    found = assess(study, Settings(keys=("id", *STORED), targets=("y",)))
    assert found.identity["repU"].tolist() == [100]
    assert not [n for n in found.notes if n.warning]


def test_keys_that_do_not_fit_one_integer(duckdb, folder):
    rng = np.random.default_rng(5)
    keys = [f"k{i}" for i in range(6)]
    data = pd.DataFrame({k: rng.permutation(2000) for k in keys} | {"t": rng.integers(0, 3, 2000)})
    other = data.sample(frac=0.5, random_state=1)
    settings = Settings(keys=keys, exclusions=Exclusions(pairs={"t": [Pair("k5", "7", "1")]}))
    same(assess(Study(data, [other]), settings), assess(of_frames(duckdb, folder, [data, other]), settings))


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_many_values_are_grouped_by_the_engine_by_exact_quantiles(engine, request, folder, monkeypatch):
    rng = np.random.default_rng(3)
    frames = [pd.DataFrame({"x": rng.normal(size=n).round(2), "k": rng.integers(0, 9, n)}) for n in (4000, 3000)]
    frames[0].loc[::50, "x"] = np.nan
    ours = assess(Study(frames[0], frames[1:]), Settings(keys=("k",), groups={"x": 5}))
    monkeypatch.setattr(engine_study, "MOST_VALUES", 100)
    study = of_frames(request.getfixturevalue(engine), folder, frames)
    assert study.columns["x"].is_wide
    with pytest.raises(DisclosureError, match="'x' has more than 100 distinct values; group it or remove it."):
        assess(study, Settings(keys=("k",)))
    found = assess(study, Settings(keys=("k",), groups={"x": 5}))
    assert [n.text for n in found.notes] == [
        "'x': 5 intervals by exact quantiles of more than 100 values, as they are stored."
    ]
    assert study.grouped("x", 5)[0].labels == here_labels(ours, "x")
    same(ours, found)
    own = Settings(keys=("k",), groups={"x": (-9, -0.5, 0, 1.25)})
    same(assess(Study(frames[0], frames[1:]), own), assess(study, own))
    with pytest.raises(DisclosureError, match="too many to look for missing codes"):
        of_frames(request.getfixturevalue(engine), folder, frames, missing_codes={"x": [-8]})


def here_labels(found, name):
    return found.tables.study.grouped(name, 5)[0].labels


@pytest.mark.parametrize(("n", "wide"), [(100, False), (101, True)])
def test_as_many_values_are_fetched_as_a_column_may_have(n, wide, duckdb, folder, monkeypatch):
    monkeypatch.setattr(engine_study, "MOST_VALUES", 100)
    frame = pd.DataFrame({"x": np.arange(n)})
    assert of_frames(duckdb, folder, [frame, frame]).columns["x"].is_wide == wide


def test_what_comes_back_depends_on_the_cells_and_not_on_the_records(duckdb, folder):
    frames = [table("demo/original.csv"), table("demo/synthetic_1.csv")]
    settings = Settings(keys=("sex", "age", "region"), targets=("condition", "income"))
    rows = {}
    for times in (1, 2, 8):
        study = of_frames(duckdb, folder, [pd.concat([f] * times) for f in frames])
        found = assess(study, replace(settings, thresholds=Thresholds(two_way=(4 * times, 80))))
        _ = found.identity, found.summary()
        assert study.n_original == 5000 * times
        rows[times] = study.returned
    assert rows[1] == rows[2] == rows[8]
    cells = assess(Study(frames[0], frames[1:]), settings).tables.targets
    fetched = {name: n for what, n in rows[1] for name in cells if what == f"the cells of {name!r}"}
    # A row a side and cell that holds a record.
    assert fetched == {name: int((c.d > 0).sum() + (c.s > 0).sum()) for name, (c,) in cells.items()}


def test_a_changed_exclusion_reads_no_record(duckdb, folder, tmp_path):
    frames = [table("demo/original.csv"), table("demo/synthetic_1.csv")]
    study = of_frames(duckdb, tmp_path, frames)
    settings = Settings(keys=("sex", "age"), targets=("condition", "marital"))
    before = assess(study, settings)
    for file in tmp_path.glob("*.parquet"):
        file.unlink()
    changed = replace(settings, exclusions=Exclusions(denominator_limit=3, target_levels={"marital": ["Single"]}))
    after = assess(study, changed, before.tables, before)
    same(assess(Study(frames[0], frames[1:]), changed), after)
    with pytest.raises(
        DisclosureError, match="The engine could not answer about the values of 'abroad'; see that it runs"
    ):
        assess(study, replace(settings, targets=("abroad",)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t, s: (t, s), "Give the syntheses as a list, even if there is only one."),
        (lambda t, s: (t, []), "There is no synthetic table to compare with; bring at least one."),
        (lambda t, s: (t, [pd.DataFrame({"k": [1]})]), "The synthetic data set is not an Ibis table"),
        (lambda t, s: (t, [s.filter(s.k > 99)]), "The synthetic data set has no records"),
        (lambda t, s: (t.rename(b="k"), [s]), "The tables have no column name in common"),
        (lambda t, s: (t, [ibis.duckdb.connect().read_parquet(PATHS[0])]), "The tables are of different connections"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(change, sentence, duckdb, folder):
    PATHS[:] = [written(pd.DataFrame({"k": [1, 2]}), folder, "tiny")]
    tables = duckdb.read_parquet(PATHS[0]), duckdb.read_parquet(PATHS[0])
    with pytest.raises(DisclosureError, match=sentence):
        TableStudy(*change(*tables))


PATHS = []


def test_levels_and_pairs_that_are_not_there_are_sentences(duckdb, folder):
    study = there(duckdb, folder, ("demo/original.csv", "demo/synthetic_1.csv"))
    for out, sentence in (
        (Exclusions(target_levels={"marital": ["Singel"]}), "Target level 'Singel' is not of 'marital'. Did you mean"),
        (Exclusions(pairs={"marital": [Pair("age", "19", "Single")]}), "names 'age', which is not a key"),
    ):
        with pytest.raises(DisclosureError, match=sentence):
            assess(study, Settings(keys=("sex",), targets=("marital",), exclusions=out))
    assert not isinstance(study, Study)
    assert not hasattr(study.columns["sex"], "original")
    with pytest.raises(DisclosureError, match="The records of 'sex' stay in the engine"):
        with_records(study.columns["sex"])
    ours = count_keys(Study(*demo_pair()), Settings(keys=("sex", "region")))
    theirs = count_keys(study, Settings(keys=("sex", "region")))
    assert sorted(zip(ours.d_q, ours.s_q[0], strict=True)) == sorted(zip(theirs.d_q, theirs.s_q[0], strict=True))


def demo_pair():
    return table("demo/original.csv"), [table("demo/synthetic_1.csv")]


def test_the_core_loads_no_engine():
    code = (
        "import sys, disclosure_core.counting.assessment; assert not {'ibis', 'duckdb', 'pyspark'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_needs_records_says_so_and_what_does_not_is_the_same(duckdb, folder):
    case = next(c for c in DEMO if c["name"] == "demo/denom_lim_5_excluded")
    here, settings = ask(case)
    ours, theirs = assess(here, settings), assess(of_case(duckdb, folder, case), settings)
    risk = theirs.targets["marital"]
    assert not theirs.tables.study.lists_records
    for asked in (
        lambda: at_risk_of(theirs.tables.study, risk.counted[0]),
        lambda: matching(theirs.tables.keys, 0, {}),
        lambda: replicated_of(theirs.tables, 0),
    ):
        with pytest.raises(DisclosureError, match="needs single records, and these data stay in their engine"):
            asked()
    mine = ours.targets["marital"]
    pd.testing.assert_frame_equal(contributions.by_level(risk), contributions.by_level(mine), atol=TOLERANCE)
    known = {"sex": here.columns["sex"].levels[0]}
    one, other = (look_up(r.counted[0].cells, known) for r in (risk, mine))
    assert (one.n_original, one.n_synthetic, one.answer) == (other.n_original, other.n_synthetic, other.answer)
    sizes = [next(release_size.by_size(of, shares=(100,), repeats=1)).rows for of in (ours, theirs)]
    pd.testing.assert_frame_equal(*sizes, atol=TOLERANCE, rtol=0)
    pd.testing.assert_frame_equal(threshold.curve(risk), threshold.curve(ours.targets["marital"]), atol=TOLERANCE)
    for of in ("original", "synthetic"):
        mine = contributions.by_size(ours.targets["marital"], of)
        pd.testing.assert_frame_equal(contributions.by_size(risk, of), mine, atol=TOLERANCE)


EXCLUDED = {
    "nothing": Exclusions(),
    "a level": Exclusions({"abroad": ["No"]}),
    "missing targets": Exclusions(missing_targets={"income"}),
    "missing keys": Exclusions(missing_keys={"region"}),
    "a pair": Exclusions(pairs={"abroad": [Pair("sex", "Female", "Yes")]}),
    "denominators": Exclusions(denominator_limit=5),
}


@pytest.mark.parametrize("exclusions", EXCLUDED.values(), ids=EXCLUDED)
@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_classes_of_the_keys_are_those_of_files(engine, exclusions, request, folder):
    frames = [
        f[["sex", "age", "region", "abroad", "income"]].assign(region=f["region"].mask(f.index % 7 == i))
        for i, f in enumerate((DEMO_FRAMES[0], *DEMO_FRAMES[1][:2]))
    ]
    settings = Settings(("sex", "age", "region"), ("abroad", "income"), {"income": 5}, exclusions)
    other = of_frames(request.getfixturevalue(engine), folder, frames, missing_codes={"income": -8})
    here = Study(frames[0], frames[1:], missing_codes={"income": -8})
    ours, theirs = assess(here, settings), assess(other, settings)
    mine, found = (anonymity.profile(a.tables.study, settings, a.keys) for a in (ours, theirs))
    pd.testing.assert_frame_equal(mine.sizes, found.sizes, rtol=0, atol=TOLERANCE)
    assert mine.n_records == found.n_records
    assert len(found.under(5)) == 3
    of_files, of_engine = (anonymity.diversity(a.tables) for a in (ours, theirs))
    pd.testing.assert_frame_equal(of_files, of_engine, rtol=0, atol=TOLERANCE)


HIERARCHIES = {"age": Hierarchy.bands(5, 10), "region": Hierarchy.prefixes(1)}


@pytest.mark.parametrize("tau", [None, 0.7])
@pytest.mark.parametrize("exclusions", [Exclusions(), Exclusions({"abroad": ["No"]}, missing_keys={"age"})])
def test_the_strongest_intruder_of_an_engine_is_that_of_files(duckdb, folder, exclusions, tau):
    frames = (DEMO_FRAMES[0], *DEMO_FRAMES[1][:2])
    study, codes = Study(frames[0], frames[1:], missing_codes={"income": -8}), {"income": -8}
    settings = Settings(("sex", "age", "region"), ("income", "abroad"), {"income": 5}, exclusions)
    there = strongest_intruder(of_frames(duckdb, folder, frames, missing_codes=codes), settings, HIERARCHIES, tau=tau)
    here = strongest_intruder(study, settings, HIERARCHIES, tau=tau)
    by_luck = ["chosen", "other"]  # halves are drawn of people in another order
    pd.testing.assert_frame_equal(
        here.worst.drop(columns=by_luck), there.worst.drop(columns=by_luck), atol=TOLERANCE, rtol=0
    )
    pd.testing.assert_frame_equal(here.adds, there.adds, atol=TOLERANCE, rtol=0)
    # Which nodes bounds pass over depends on the halves as well.
    assert (here.coverage.n_nodes, here.coverage.exhaustive) == (there.coverage.n_nodes, there.coverage.exhaustive)
    assert (there.worst["other"] <= there.worst["figure"] + TOLERANCE).all()


def test_the_strongest_intruder_asks_an_engine_once_a_target(duckdb, folder):
    study = of_frames(duckdb, folder, (DEMO_FRAMES[0], *DEMO_FRAMES[1][:1]))
    strongest_intruder(study, Settings(("sex", "age", "region"), ("abroad", "marital")), {"age": Hierarchy.bands(5)})
    asked = [what for what, _ in study.returned if what.startswith("the cells")]
    assert sorted(asked) == ["the cells of 'abroad'", "the cells of 'marital'"]
