"""In an engine that Ibis speaks to, whatever counts suffice for is that of files: here DuckDB by Ibis, and Spark."""

# Inside: layouts and people outside in an engine that no command opens.

import json
from dataclasses import replace

import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Band,
    BlankClaims,
    DisclosureError,
    Exclusions,
    Hierarchy,
    May,
    MergeLevels,
    NotEvaluated,
    Pair,
    RemoveReplicated,
    RoundTo,
    Settings,
    Study,
    TableStudy,
    ThreatModel,
    assess,
    demo,
    membership,
    partition,
    protect,
    search_subsets,
    start_engine,
    usefulness,
)
from disclosure_core.engines import layout
from disclosure_core.engines.table_study import outside_table
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.holdout.partition import Partition
from disclosure_core.protection.in_engine import protect_there
from disclosure_core.protection.table_cells import cells_of
from disclosure_core.protection.written import written
from disclosure_core.sensitivity import combined_release, release_size
from tests.engines.test_duckdb import answer, baselines, same_outside, sides
from tests.engines.test_engines import TOLERANCE, same, spark  # noqa: F401 (a fixture)

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def duckdb():
    return ibis.duckdb.connect()


def tables_of(connection, tables, folder):
    found = []
    for i, each in enumerate(tables):
        pq.write_table(each, folder / f"{i}.parquet")
        found.append(connection.read_parquet(folder / f"{i}.parquet"))
    return found


def both(connection, tables, folder, codes=None):
    """Files and the engine: the last table read against the others."""
    here = partition(tables[0], tables[-1], tables[1:-1], codes, random=True)
    original, *synthetic, outside = tables_of(connection, tables, folder)
    study = TableStudy(original, synthetic, codes)
    there = Partition(outside_table(study, outside)(study), random=True)
    return here, there.refusal or there


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), packed=st.booleans(), n=st.sampled_from([0, 2, 3]), limit=st.sampled_from([None, 2]))
def test_any_tables_have_the_same_figures_as_files(tables, packed, n, limit, tmp_path_factory):
    there = TableStudy(
        *(lambda o, *s: (o, s))(*tables_of(ibis.duckdb.connect(), tables, tmp_path_factory.mktemp("any")))
    )
    here = Study(tables[0], tables[1:])
    out = Exclusions(
        {"x": [here.columns["x"].labels[0]]}, {"order"}, {"k1"},
        {"order": [Pair("k1", here.columns["k1"].labels[-1], here.columns["order"].labels[0])]}, limit,
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patched:
        if packed:
            patched.setattr(layout, "_MOST", 30)  # keys are packed into several numbers
            patched.setattr(layout, "_LOOKED_UP", 0)
        for exclusions in (Exclusions(), out):
            asked = Settings(keys=("k1", 'k"2'), groups={"x": n} if n else {}, exclusions=exclusions)
            ours, theirs = answer(here, asked), answer(there, asked)
            if isinstance(ours, str):
                assert theirs == ours
                continue
            same(ours, theirs)
        pd.testing.assert_frame_equal(usefulness(here).tables, usefulness(there).tables, atol=TOLERANCE, rtol=0)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), n=st.sampled_from([0, 2, 3]), limit=st.sampled_from([None, 2]), first=st.booleans())
def test_any_people_outside_have_the_same_figures_as_from_files(tables, n, limit, first, tmp_path_factory):
    if len(tables) < 3:
        tables = [*tables, tables[0]]
    here, there = both(ibis.duckdb.connect(), tables, tmp_path_factory.mktemp("any"))
    asked = Settings(keys=("k1", 'k"2'), groups={"x": n} if n else {}, exclusions=Exclusions(denominator_limit=limit))
    if first and isinstance(there, Partition):  # the study is counted before: people outside alone are counted then
        answer(there.joint.finished, asked)
    same_outside(baselines(here, asked), baselines(there, asked))
    if isinstance(here, Partition):
        assert here.joint.unusable.keys() == there.joint.unusable.keys()


def survey(rows=None):
    names = ["sex", "age", "region", "income", "abroad"]
    frames = (demo.original(), *demo.syntheses()[:2], demo.holdout())
    return [pa.Table.from_pandas(f[names].head(rows or len(f)), preserve_index=False) for f in frames]


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_what_counts_suffice_for_is_that_of_files(engine, request, tmp_path):
    tables, codes = survey(900 if engine == "spark" else None), {"income": [-8]}
    here, there = both(request.getfixturevalue(engine), tables, tmp_path, codes)
    ours, theirs = Study(tables[0], tables[1:3], codes), there.joint.finished
    asked = Settings(("sex", "age", "region"), ("income", "abroad"), {"income": 5, "age": 12})
    same(assess(ours, asked), assess(theirs, asked))
    same_outside(baselines(here, asked), baselines(there, asked))
    found = [near_misses(each, Settings(("sex", "age"), ("income",)), "income") for each in (here, there)]
    pd.testing.assert_frame_equal(*found, rtol=0, atol=TOLERANCE)
    answers = ThreatModel("people", 100_000, same_population=True, news=True, random_sample=True)
    rates = [membership(each, replace(asked, targets=None), answers).rates for each in (here, there)]
    pd.testing.assert_frame_equal(*rates, rtol=0, atol=TOLERANCE)
    found = [search_subsets(study, asked) for study in (ours, theirs)]
    for part in ("identity", "attribute"):
        pd.testing.assert_frame_equal(*(getattr(each, part) for each in found), rtol=0, atol=TOLERANCE)
    found = [combined_release.combined_attributes(assess(study, asked)) for study in (ours, theirs)]
    pd.testing.assert_frame_equal(*found, rtol=0, atol=TOLERANCE)
    named = ["sex", "income", "abroad"]
    found = [usefulness(study, named=named).tables for study in (ours, theirs)]
    pd.testing.assert_frame_equal(*found, rtol=0, atol=TOLERANCE)
    found = [cells_of(study, "sex", "abroad", synthesis=2) for study in (ours, theirs)]
    key = ["first", "second"]
    pd.testing.assert_frame_equal(*(f.sort_values(key, ignore_index=True) for f in found), rtol=0, atol=TOLERANCE)
    sizes = [
        next(release_size.by_size(assess(study, asked), repeats=1, shares=(100,))).rows for study in (ours, theirs)
    ]
    pd.testing.assert_frame_equal(*sizes, rtol=0, atol=TOLERANCE)


def test_a_review_of_another_engine_is_counted_again(duckdb, tmp_path):
    original, first, _, outside = tables_of(duckdb, survey(), tmp_path)
    study = TableStudy(original, [first], {"income": [-8]})
    opened = start_engine(study, "data", outside_table(study, outside), random=True)
    opened = opened.with_review(
        opened.review.with_settings(Settings(("sex", "age"), ("income", "abroad"), {"income": 5}))
    )
    document = opened.to_json()
    found = opened.verify()
    assert found.differ == ()
    assert found.n > 300
    found = opened.least_safeguard(["DiSCO<20"], May({"age": Hierarchy.bands(5, 10)}))
    assert found.points
    assert json.loads(document)["tables"]["holdout_identity"]


def test_spark_makes_and_writes_safer_tables(spark, tmp_path):  # noqa: F811 (a fixture)
    """Merged, banded, rounded, removed by an anti-join and blanked, as files are; written as a folder."""
    tables = survey(700)[:2]
    frames = [each.to_pandas() for each in tables]
    frames = [f.astype(dict.fromkeys(f.select_dtypes("category"), "str")) for f in frames]
    chain = (
        MergeLevels("region", 60, "Elsewhere"), Band("age", "5"), RoundTo("income", 50), RemoveReplicated(),
        BlankClaims("abroad"), AddLabel("note"),
    )  # fmt: skip
    judged, codes = Settings(("sex", "age", "region")), {"income": [-8]}
    original, synthetic = tables_of(spark, [pa.Table.from_pandas(f, preserve_index=False) for f in frames], tmp_path)
    here = protect(frames[0], frames[1:], chain, judged, codes)
    there = protect_there(TableStudy(original, [synthetic], codes), chain, judged)
    same(assess(here.study, judged), assess(there.study, judged))
    assert there.n_removed == here.n_removed
    assert there.n_removed[0] > 0
    (place,) = written(there, tmp_path / "out").values()
    read = pd.read_parquet(place)
    assert place.is_dir()
    rows = [
        sorted(
            repr(tuple("" if pd.isna(v) else str(v) for v in row))
            for row in f[list(here.synthetic[0].columns)].itertuples(index=False)
        )
        for f in (read, here.synthetic[0])
    ]
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda study, t: t, "a table of the study itself"),
        (lambda study, t: ibis.duckdb.connect().create_table("t", t.to_pyarrow()), "of another connection"),
        (lambda study, t: t.filter(t.sex == "nobody"), "The holdout has no records"),
    ],
)
def test_people_outside_that_cannot_be_are_a_sentence(change, sentence, duckdb, tmp_path):
    original, first, *_ = tables_of(duckdb, survey(50), tmp_path)
    study = TableStudy(original, [first])
    with pytest.raises(DisclosureError, match=sentence):
        outside_table(study, change(study, first))(study)


def test_a_holdout_of_other_types_is_told_apart_by_its_codes(duckdb, tmp_path):
    tables = survey(400)
    ages = tables[-1].column("age").cast(pa.float64())
    tables[-1] = tables[-1].set_column(tables[-1].column_names.index("age"), "age", ages)
    here, there = both(duckdb, tables, tmp_path)
    assert not isinstance(here, NotEvaluated)
    assert there.exact_matches == here.exact_matches
    assert there.exact_matches[0] > 0
