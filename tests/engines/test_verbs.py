"""Each verb of an engine, of tables drawn at random, is what plain Python makes of the same rows."""

# Inside: the verbs of an engine, which no face has: all that is public is made of them.

import datetime as dt
from collections import Counter
from decimal import Decimal

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core.engines import duckdb_cells, duckdb_study, layout, table_study
from disclosure_core.engines import study as engine_study
from disclosure_core.engines.duckdb_study import DuckDBStudy
from disclosure_core.engines.engine import Became
from disclosure_core.engines.layout import Layout
from disclosure_core.engines.table_study import TableStudy
from disclosure_core.holdout.partition import Matches, whole_records

pytestmark = pytest.mark.filterwarnings("default")

LONG = "é" * 40_000
KINDS = {
    "whole": (pa.int64(), [-(2**62), -1, 0, 7, 2**62, None]),
    "unsigned": (pa.uint64(), [0, 2**63 + 1, None]),
    "float": (pa.float64(), [0.1 + 0.2, 0.3, -0.0, 0.0, 5e-324, float("inf"), float("nan"), None]),
    "decimal": (pa.decimal128(18, 4), [Decimal("0.1000"), Decimal("-7.0001"), Decimal("99999999999999.9999"), None]),
    "moment": (pa.timestamp("us", "UTC"), [dt.datetime(2020, 10, 25, h, tzinfo=dt.UTC) for h in (0, 1)] + [None]),
    "text": (pa.string(), ["", "a", "A", "it's", '"', LONG, LONG + "a", "\n", None]),
    "many": (pa.string(), [f"level {i}" for i in range(200)]),
    "nothing": (pa.string(), [None]),
}
ENGINES = ["duckdb", "streamed in few passes", "grouped there", "another engine"]


@st.composite
def sides(draw):
    """An original and a synthesis of three columns."""
    kinds = [draw(st.sampled_from(sorted(KINDS))) for _ in range(3)]
    tables = []
    for _ in range(2):
        n = draw(st.integers(1, 30))
        columns = [draw(st.lists(st.sampled_from(KINDS[kind][1]), min_size=n, max_size=n)) for kind in kinds]
        arrays = [pa.array(rows, KINDS[kind][0]) for rows, kind in zip(columns, kinds, strict=True)]
        tables.append(pa.table(arrays, names=["k", 'o"rder', "t"]))
    return tables


def opened(how, tables, folder):
    for i, table in enumerate(tables):
        pq.write_table(table, folder / f"{i}.parquet")
    if how != "another engine":
        return DuckDBStudy.of_files(folder / "0.parquet", [folder / "1.parquet"])
    engine = ibis.duckdb.connect()
    return TableStudy(*(lambda o, s: (o, [s]))(*(engine.read_parquet(folder / f"{i}.parquet") for i in range(2))))


def patched(how, context):
    if how == "grouped there":
        context.setattr(duckdb_cells, "DENSE", 0)
        context.setattr(layout, "_MOST", 8)  # codes of several keys are several numbers
        context.setattr(layout, "_LOOKED_UP", 0)
    if how == "streamed in few passes":
        context.setattr(duckdb_cells, "IN_ONE_PASS", 50)
        context.setattr(duckdb_cells, "CHUNK", 2048)


def plain(value):
    """A value as it is told from others: NaN is missing, −0.0 is 0.0, a number is the same however it is stored."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    return value + 0.0 if isinstance(value, float) else value


def rows_of(table):
    return [tuple(map(plain, row)) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def coded(study, side):
    """What each code of a column is on a side, by the values that stand there."""
    found = []
    for column in study.columns.values():
        raw = map(plain, column.sides[side].raw.to_pylist())
        codes = column.coded.sides[side].tolist()
        found.append(dict(zip(raw, codes, strict=False)) | {None: column.empty_code(side)})
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), how=st.sampled_from(ENGINES))
def test_grouped_is_how_many_records_have_each_combination(tables, how, tmp_path_factory):
    with pytest.MonkeyPatch.context() as context:
        patched(how, context)
        study = opened(how, tables, tmp_path_factory.mktemp("any"))
        k, o, t = (study.columns[name] for name in ("k", 'o"rder', "t"))
        layouts = [Layout([k, o], [t]), Layout([k, o, t]), Layout([t], [k, o])]
        found = list(study.engine.grouped(dict(enumerate(study.relations)), study.sizes, layouts))
        columns = [([0, 1], 2), ([0, 1, 2], None), ([2], 0), ([2], 1)]
        assert len(found) == len(columns)
        laid = [layouts[0], layouts[1], layouts[2], layouts[2]]
        for of_sides, keys_and_target, of in zip(found, columns, laid, strict=True):
            for side, (table, cells) in enumerate(zip(tables, of_sides, strict=True)):
                keys, target = keys_and_target
                codes = coded(study, side)
                counted = Counter()
                for row in rows_of(table):
                    at = [np.array([codes[j][row[j]]]) for j in keys]
                    counted[
                        (*(int(q[0]) for q in of.packed(at)), 0 if target is None else codes[target][row[target]])
                    ] += 1
                mine = Counter()
                for *q, level, n in zip(
                    *(p.tolist() for p in cells.packed), cells.t.tolist(), cells.n.tolist(), strict=True
                ):
                    mine[(*q, level)] += n
                assert mine == counted


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), how=st.sampled_from(ENGINES), data=st.data())
def test_records_are_left_out_blanked_and_told_by_their_keys(tables, how, data, tmp_path_factory):
    with pytest.MonkeyPatch.context() as context:
        patched(how, context)
        study = opened(how, tables, tmp_path_factory.mktemp("any"))
        keys = [study.columns["k"], study.columns['o"rder']]
        codes, rows = coded(study, 1), rows_of(tables[1])
        combinations = sorted({(codes[0][row[0]], codes[1][row[1]]) for row in rows})
        chosen = data.draw(st.lists(st.sampled_from(combinations), unique=True))
        levels = [np.array([pair[j] for pair in chosen], dtype=np.int64) for j in range(2)]
        marked = study.engine.marked(study.relations, keys, [levels])

        def there(relation):
            found = study.engine.rows(relation, list(study.columns), 10_000)
            counts = Counter()
            for *row, n in rows_of(found):
                counts[tuple(row)] += n  # NaN and NULL are two values there
            return +counts

        def is_marked(row):
            return (codes[0][row[0]], codes[1][row[1]]) in chosen

        assert there(marked.without(1)) == Counter(row for row in rows if not is_marked(row))
        assert there(marked.only(1)) == Counter(row for row in rows if is_marked(row))
        blank = [(*row[:2], None if is_marked(row) else row[2]) for row in rows]
        assert there(marked.blanked(1, "t")) == Counter(blank)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables=sides(), how=st.sampled_from(["duckdb", "another engine"]), stay=st.booleans(), data=st.data())
def test_values_are_recoded_and_written(tables, how, stay, data, tmp_path_factory):
    """What is known becomes a text; what is not stays as it is where it is a text, or is empty."""
    folder = tmp_path_factory.mktemp("any")
    study = opened(how, tables, folder)
    raw = study.columns["t"].sides[1].raw
    stay = stay and pa.types.is_string(raw.type)
    known = data.draw(st.lists(st.integers(0, max(len(raw) - 1, 0)), unique=True)) if len(raw) else []
    some = raw.take(pa.array(known, pa.int64()))
    if None in map(plain, some.to_pylist()):  # NaN: empty cells become what it becomes, as all that are missing
        some, known = (
            pa.concat_arrays([some, pa.nulls(1, some.type)]),
            [*known, known[[*map(plain, some.to_pylist())].index(None)]],
        )
    became = Became(some, pa.array([f"now {i}" for i in known], pa.string()), stay)
    now = {plain(value): f"now {i}" for value, i in zip(some.to_pylist(), known, strict=True)}
    names = list(study.columns)
    table = study.engine.recoded(study.relations[1], names, {"t": became})
    place = folder / "out.parquet"
    assert study.engine.write(table, {'a "label"': "it's"}, place) == len(tables[1])
    read = pq.read_table(place)
    assert read.column_names == [*names, 'a "label"']
    assert set(read.column('a "label"').to_pylist()) == {"it's"}
    rows = rows_of(tables[1])
    expected = Counter((*row[:2], now.get(row[2], row[2] if stay else None)) for row in rows)
    assert Counter(rows_of(read.select(names))) == expected


@pytest.mark.parametrize("how", ["duckdb", "another engine"])
def test_whole_records_meet_where_every_column_has_too_many_values_to_be_fetched(how, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_study, "MOST_VALUES", 3)
    inside, outside = [0.5, 1.5, 2.5, 3.5, 3.5, None], [3.5, 3.5, 0.5, 9.5, None]
    study = opened(how, [pa.table({"x": inside}), pa.table({"x": inside})], tmp_path)
    pq.write_table(pa.table({"x": outside}), tmp_path / "2.parquet")
    if how == "duckdb":
        joint = duckdb_study.outside_files(study, tmp_path / "2.parquet")(study)
    else:
        backend = study.relations[0].table.get_backend()
        joint = table_study.outside_table(study, backend.read_parquet(tmp_path / "2.parquet"))(study)
    assert study.columns["x"].is_wide
    assert whole_records(joint) == Matches(inside=4, twins=2, twins_inside=2, the_same=False)
