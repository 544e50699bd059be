"""Safeguards that DuckDB applies give the figures, the log and the tables that the same safeguards give of files."""

# Inside: tables are written there, by DuckDB and by others.

import gc
import os
import uuid
from dataclasses import replace

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
    AddLabel,
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Coarsen,
    DisclosureError,
    DuckDBStudy,
    MergeLevels,
    Recode,
    RemoveClaims,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Settings,
    Study,
    TableStudy,
    assess,
    demo,
    protect,
    restrict_to_study,
    start,
    start_engine,
)
from disclosure_core.engines import duckdb_cells, layout
from disclosure_core.engines import study as engine_study
from disclosure_core.engines.duckdb_study import outside_files
from disclosure_core.engines.table_study import outside_table
from disclosure_core.protection.in_engine import protect_there
from disclosure_core.protection.usefulness import usefulness_after
from disclosure_core.protection.usefulness_there import usefulness_there
from disclosure_core.protection.written import written as write
from tests.engines.test_engines import TOLERANCE, same, written

pytestmark = pytest.mark.filterwarnings("default")

KEYS = Settings(keys=("sex", "age", "region"))
CODES = {"income": [-8]}
CHAINS = {
    "merge": (MergeLevels("region", 300, "Elsewhere"),),
    "merge all but one": (MergeLevels("education", 2000, "Other", keep=("Degree",)),),
    "band": (Band("age", "10"), Band("region", "prefix:2")),
    "band by a table": (Band("sex", "one", (("Female", "anybody"), ("Male", "anybody"))),),
    "cap": (Cap("age", 20, 70), Cap("income", None, 2000.5)),
    "round": (RoundTo("age", 5), RoundTo("income", 0.3)),
    "groups": (Coarsen("income", 5), Coarsen("age", 4)),
    "breaks": (Breaks("age", (18, 30, 65)),),
    "recode": (Recode("region", "North", ("Aldermoor", "Carrow")),),
    "recode empty cells": (
        Recode("marital", "Other", ("Missing", "Married")),
        Recode("education", "None", ("Missing",)),
    ),
    "removed": (RemoveReplicated(),),
    "uniques": (RemoveUniques(),),
    "claims removed": (RemoveClaims("marital"), RemoveClaims("income"), BlankClaims("abroad")),
    "label": (AddLabel("note", "it's SYNTHETIC"),),
    "removed, then grouped by what is left": (RemoveUniques(), Coarsen("income", 6), RemoveReplicated()),
    "all": (
        *(MergeLevels("region", 300, "Elsewhere"), Band("age", "5"), Cap("income", 100, 3000), RoundTo("income", 50)),
        *(RemoveReplicated(), BlankClaims("marital"), BlankClaims("income"), AddLabel("note")),
    ),
}


def sides(n=2):
    frames = [demo.original(), *demo.syntheses()[:n]]
    return [f.assign(**{c: f[c].astype(str).where(f[c].notna()) for c in f.select_dtypes("category")}) for f in frames]


def both(frames, chain, folder, judged=KEYS, codes=CODES, study=DuckDBStudy.of_files):
    places = [written(frame, folder, f"side{i}") for i, frame in enumerate(frames)]
    here = protect(frames[0], frames[1:], chain, judged, codes)
    return here, protect_there(study(places[0], places[1:], codes), chain, judged)


def beside(study, place):
    """People outside, read where the study's tables are."""
    if isinstance(study, DuckDBStudy):
        return outside_files(study, place)
    return outside_table(study, study.relations[0].table.get_backend().read_parquet(place))


def by_ibis(original, synthetic, codes=None):
    """The same files in an engine that Ibis speaks to."""
    engine = ibis.duckdb.connect()
    return TableStudy(engine.read_parquet(original), [engine.read_parquet(place) for place in synthetic], codes)


ENGINES = [DuckDBStudy.of_files, by_ibis]


def alike(here, there, asked, judged=KEYS):
    """Both say the same of what was done, and have the same figures."""
    names = ["a", "b"][: here.study.n_syntheses]
    assert there.log(names, judged) == here.log(names, judged)
    for mine, other in zip(here.done, there.done, strict=True):
        assert other.share == pytest.approx(mine.share)
        assert sorted(other.examples) == sorted(mine.examples) or len(mine.examples) == 3
    assert there.n_removed == here.n_removed
    np.testing.assert_allclose(there.detail.figures, here.detail.figures, atol=TOLERANCE)
    assert there.study.missing_codes == here.study.missing_codes
    same(assess(here.study, restrict_to_study(here.study, asked)[0]), assess(there.study, asked))
    for name, column in here.study.columns.items():
        other = there.study.columns[name]
        counted = [
            {level: tuple(n) for level, n in zip(c.labels, c.counts.T.tolist(), strict=True) if any(n)}
            for c in (column, other)
        ]
        assert counted[0] == counted[1], name


def as_useful(study, here, there):
    """Both say the same of what the safer tables are still good for."""
    ours, theirs = usefulness_after(study, here), usefulness_there(there)
    assert (ours.columns, ours.identifiers) == (theirs.columns, theirs.identifiers)
    pd.testing.assert_frame_equal(theirs.tables, ours.tables, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("how", ["dense", "sparse", "another engine"])
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_the_figures_are_those_of_files(chain, how, tmp_path, monkeypatch):
    if how == "sparse":
        monkeypatch.setattr(duckdb_cells, "DENSE", 0)
        monkeypatch.setattr(layout, "_MOST", 50)  # keys are packed into several numbers
    frames = sides()
    here, there = both(frames, chain, tmp_path, study=by_ibis if how == "another engine" else DuckDBStudy.of_files)
    alike(here, there, Settings(("sex", "age", "region"), ("marital", "income", "abroad"), {"income": 4}))
    made = write(there, tmp_path / "out")
    for table, frame, place in zip(here.tables, here.synthetic, made.values(), strict=True):
        assert len(table) == pq.read_metadata(place).num_rows
        read = pd.read_parquet(place)
        labels = [step for step in chain if isinstance(step, AddLabel)]
        assert list(read.columns) == [*frames[1].columns, *(step.column for step in labels)]
        assert all((read[step.column] == step.text).all() for step in labels)
        rows = [sorted(repr(tuple(map(_plain, row))) for row in f[list(frame.columns)].itertuples(index=False))
                for f in (read, frame)]  # fmt: skip
        assert rows[0] == rows[1]
    again = Study(here.original, [pd.read_parquet(p)[list(frames[1].columns)] for p in made.values()], here.study.missing_codes)  # fmt: skip
    asked = restrict_to_study(again, KEYS)[0]
    same(assess(here.study, asked), assess(again, asked))
    as_useful(Study(frames[0], frames[1:], CODES), here, there)
    assert not list((tmp_path / "out").glob("*.part"))


def _plain(value):
    """A number as a float, whatever holds it; what is missing as None."""
    if pd.isna(value):
        return None
    return float(value) if isinstance(value, int | float | np.number) else str(value)


STEPS = st.lists(
    st.one_of(
        st.builds(MergeLevels, st.just("c"), st.integers(2, 9)),
        st.builds(Cap, st.just("x"), st.just(2.0), st.sampled_from([8.0, 8.5])),
        st.builds(RoundTo, st.just("x"), st.sampled_from([2.0, 5.0, 0.5])),
        st.builds(Coarsen, st.just("x"), st.integers(2, 4)),
        st.sampled_from([RemoveUniques(), RemoveReplicated(), RemoveClaims("x"), Band("x", "5"), Breaks("x", (0, 3))]),
    ),
    max_size=4,
)
CELLS = {"c": st.sampled_from(["a", "b", "c", "d", None]), "x": st.sampled_from([-8, 1, 2, 3, 5, 8, 13, 40, None]),
         "code": st.sampled_from(["u", "v"])}  # fmt: skip


def answer(make):
    """What is made, or the sentence in its place."""
    try:
        return make()
    except DisclosureError as error:
        return str(error)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    tables=st.lists(st.lists(st.fixed_dictionaries(CELLS), min_size=3, max_size=25), min_size=2, max_size=3),
    chain=STEPS, blank=st.booleans(), study=st.sampled_from(ENGINES),
)  # fmt: skip
def test_any_chain_has_the_figures_of_files(tables, chain, blank, study, tmp_path_factory):
    types = {"c": pd.StringDtype("pyarrow"), "x": "Int64", "code": pd.StringDtype("pyarrow")}
    frames = [pd.DataFrame(rows).astype(types) for rows in tables]
    codes = {"x": [-8]} if (frames[0]["x"] == -8).any() else {}
    judged = Settings(keys=("c", "code"))
    chain = (*chain, BlankClaims("x")) if blank else tuple(chain)
    folder = tmp_path_factory.mktemp("any")
    for i, frame in enumerate(frames):
        pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), folder / f"{i}.parquet")
    there = study(folder / "0.parquet", [folder / f"{i}.parquet" for i in range(1, len(frames))], codes)
    ours, theirs = (
        answer(lambda: protect(frames[0], frames[1:], chain, judged, codes)),
        answer(lambda: protect_there(there, chain, judged)),
    )
    if isinstance(ours, str):
        assert theirs == ours
    else:
        alike(ours, theirs, judged, judged)
        as_useful(Study(frames[0], frames[1:], codes), ours, theirs)


@pytest.mark.parametrize("study", ENGINES)
@pytest.mark.parametrize("kind", ["int8", "uint64", "float32", "decimal", "bool", "date"])
def test_types_stay_where_they_can(kind, study, tmp_path):
    made = {
        "int8": (pa.array([1, 5, 120, None], pa.int8()), [Cap("x", 2, 100)], pa.int8()),
        "uint64": (pa.array([1, 2**63 + 5, 7, None], pa.uint64()), [Cap("x", 3)], pa.uint64()),
        "float32": (pa.array([0.1, 1.26, 7, None], pa.float32()), [RoundTo("x", 0.5)], pa.float32()),
        "decimal": (pa.array([1, 5, 7, None], pa.decimal128(8, 2)), [Cap("x", 2)], pa.float64()),
        "bool": (pa.array([True, True, False, None]), [MergeLevels("x", 2)], pa.string()),
        "date": (pa.array([0, 40, 80, None], pa.date32()), [Band("x", "year")], pa.string()),
    }
    values, chain, expected = made[kind]
    table = pa.table({"x": values, "k": [1, 1, 2, 2], "order": ["a", "b", "b", "a"]})
    for name in ("o", "s"):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    there = protect_there(study(tmp_path / "o.parquet", [tmp_path / "s.parquet"]), chain, Settings(("k",)))
    (place,) = write(there, tmp_path / "out").values()
    read = pq.read_table(place)
    assert read.schema.field("x").type in (expected, pa.large_string() if expected == pa.string() else expected)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    here = protect(frame, [frame], chain, Settings(("k",)))
    assert here.done[0].changed == there.done[0].changed
    again = study(tmp_path / "o.parquet", [place])
    assert again.n_synthetic == (4,)
    assert read.column("order").to_pylist().count("a") == 2


def test_text_comes_back_as_text(tmp_path):
    text = 'k;x;t\n1;1,5;"a;b"\n2;20;b\n2;30;\n1;40;"c ""d"""\n'
    for name in ("o", "s"):
        (tmp_path / f"{name}.csv").write_text(text)
    chain = (Cap("x", None, 25), AddLabel("note"))
    there = protect_there(DuckDBStudy.of_files(tmp_path / "o.csv", [tmp_path / "s.csv"]), chain, Settings(("k",)))
    (place,) = write(there, tmp_path / "out").values()
    assert place.name == "safer_s.csv"
    rows = sorted(place.read_text().splitlines())
    assert rows == sorted(['k;x;t;note', '1;1,5;"a;b";SYNTHETIC', "2;20;b;SYNTHETIC", "2;25;;SYNTHETIC",
                           '1;25;"c ""d""";SYNTHETIC'])  # fmt: skip


def test_what_cannot_be_done_is_a_sentence(tmp_path, monkeypatch):
    frames = sides(1)
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(frames)]
    study = DuckDBStudy.of_files(places[0], places[1:], CODES)
    for chain, said in (
        ((BlankClaims("marital"), RemoveReplicated()), "In an engine this comes before values are blanked; move it."),
        ((BlankClaims("age"),), "'age' is a key, and keys make no claim; name a target."),
        ((MergeLevels("age", 5),), "'age' is numeric; put it into groups instead."),
        ((Coarsen("sex", 5),), "'sex' is not numeric; merge its small levels instead."),
        ((AddLabel("sex"),), "There is a column 'sex' already; give the label another one."),
    ):
        with pytest.raises(DisclosureError, match=said):
            protect_there(study, chain, KEYS)
    made = protect_there(study, (Cap("age", 20),), KEYS)
    with pytest.raises(DisclosureError, match="cannot be written"):
        write(made, places[0] / "within")
    monkeypatch.setattr("disclosure_core.protection.written._name_of", lambda *_: places[1].name)
    with pytest.raises(DisclosureError, match="is one of the tables themselves; choose another folder"):
        write(made, tmp_path)
    monkeypatch.setattr(engine_study, "MOST_VALUES", 3)
    wide = DuckDBStudy.of_files(places[0], places[1:])
    with pytest.raises(DisclosureError, match="which no safeguard makes coarser here; round it in the data first."):
        protect_there(wide, (Coarsen("income", 5),), Settings(("sex",)))


def test_changed_data_leave_no_safer_table(tmp_path):
    frames = sides(1)
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(frames)]
    made = protect_there(DuckDBStudy.of_files(places[0], places[1:], CODES), (RemoveReplicated(),), KEYS)
    frames[1].head(900).to_parquet(places[1])
    with pytest.raises(DisclosureError, match="The data changed while they were read, so nothing is reported"):
        write(made, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(sides(1))]
    made = protect_there(DuckDBStudy.of_files(places[0], places[1:], CODES), (Cap("age", 20),), KEYS)
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr("disclosure_core.engines.spill.uuid4", lambda: uuid.UUID(int=1))
    half = out / f".disclosure-half-{os.getpid()}-00000000.part"
    half.symlink_to("/dev/full")  # which takes no byte
    with pytest.raises(DisclosureError, match="The disk is full: make room there, or name a folder on another"):
        write(made, out)
    assert list(out.iterdir()) == []
    assert len(write(made, out)) == 1  # and goes on


def test_tables_of_a_chain_go_when_nobody_reads_them(tmp_path):
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(sides(1))]
    study = DuckDBStudy.of_files(places[0], places[1:], CODES)

    def tables():
        return study.connection.ask(
            "tables", lambda c: c.execute("select count(*) from duckdb_tables()").fetchall()[0][0]
        )

    made = protect_there(study, (RemoveReplicated(), BlankClaims("marital")), KEYS)
    assert assess(made.study, KEYS).n_original == study.n_original
    assert tables() > 0
    del made
    gc.collect()
    assert tables() == 0


def test_a_column_may_be_called_as_what_is_kept(tmp_path):
    names = {"k": "code", "t": "raw", "u": "q0", "v": "t0"}
    frame = pd.DataFrame({"k": ["a", "b", None] * 40, "t": range(120), "u": [1.5, 2.5] * 60, "v": ["x"] * 120})
    frame = frame.rename(columns=names)
    asked, chain = Settings(("code", "q0")), (RemoveUniques(), Band("raw", "5"))
    other = frame.sample(frac=0.5, random_state=2)
    here, there = both([frame, other], chain, tmp_path, asked, {})
    alike(here, there, asked, asked)
    (place,) = write(there, tmp_path / "out").values()
    assert sorted(duckdb.sql(f"select raw from '{place}'").fetchall()) == sorted(
        (str(v),) for v in here.synthetic[0]["raw"]
    )


def test_a_number_is_spelt_in_one_way_in_delimited_text(tmp_path):
    """Rounding writes 1000 beside a 1000.0 that it left alone: two texts of one number would be read as text."""
    for name, income in (("o", [900.5, 1000.0, 1200.5]), ("s", [1000.0, 900.5, 1000.0])):
        pd.DataFrame({"sex": ["f", "m", "f"], "income": income}).to_csv(tmp_path / f"{name}.csv", index=False)
    study = DuckDBStudy.of_files(tmp_path / "o.csv", [tmp_path / "s.csv"])
    safer = protect_there(study, [RoundTo("income", 500)], Settings(keys=("sex",)))
    (place,) = write(safer, tmp_path / "out").values()
    assert set(pd.read_csv(place, dtype=str)["income"]) == {"1000.0"}
    for name, income in (("o", "900,5 1000 7"), ("s", "1000 900,5 1000")):
        (tmp_path / f"{name}.csv").write_text("sex;income\n" + "".join(f"f;{x}\n" for x in income.split()))
    study = DuckDBStudy.of_files(tmp_path / "o.csv", [tmp_path / "s.csv"])
    safer = protect_there(study, [RoundTo("income", 200.3)], Settings(keys=("sex",)))
    (place,) = write(safer, tmp_path / "out").values()
    assert set(pd.read_csv(place, sep=";", dtype=str)["income"]) == {"1001,5", "801,2"}


def test_a_review_adopts_what_stays_there(tmp_path):
    frames = sides(2)
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate(frames)]
    opened = {
        "here": start(places[0], places[1:]),
        "there": start_engine(DuckDBStudy.of_files(places[0], places[1:]), "data"),
    }
    found = {}
    for name, each in opened.items():
        review = replace(each.review.with_settings(Settings(KEYS.keys, ("marital", "abroad"))), columns=replace(
            each.review.columns, missing_codes={"income": ("-8",)})).with_steps(CHAINS["all"][:5])  # fmt: skip
        taken = each.with_review(review)
        adopted = taken.adopt("safer")
        found[name] = [
            taken.after_safeguards().summary(), adopted.assessment().summary(), adopted.safeguarded().detail.means.tolist()
        ]  # fmt: skip
        found[f"{name} set"] = adopted.set_names
    pd.testing.assert_frame_equal(found["here"][0], found["there"][0], atol=TOLERANCE)
    pd.testing.assert_frame_equal(found["here"][1], found["there"][1], atol=TOLERANCE)
    assert found["here"][2] == pytest.approx(found["there"][2])
    assert found["here set"] == found["there set"]
    there = opened["there"].with_review(opened["there"].review.with_settings(KEYS).with_steps((RemoveReplicated(),)))
    here = opened["here"].with_review(opened["here"].review.with_settings(KEYS).with_steps((RemoveReplicated(),)))
    for mine, other in ((here, there), (here.adopt("safer"), there.adopt("safer"))):
        pd.testing.assert_frame_equal(mine.comparison().table(), other.comparison().table(), atol=TOLERANCE)
    compared = there.adopt("safer").comparison()
    assert compared.names == ("synthetic data", "safer")
    assert compared.left_out == ()
    with pytest.raises(DisclosureError, match="which writes their safer tables: `disclosure protect` has it do so."):
        opened["there"].with_review(opened["there"].review.with_steps(CHAINS["cap"])).protected()
