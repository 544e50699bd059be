"""What a value is: the same records meet, however each side was stored."""

# Inside: the rule for values of both sides is what is tested.

import datetime
import math
from decimal import Decimal
from itertools import product
from unittest.mock import patch

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study, TableStudy, assess
from disclosure_core.data import values as rule


def objects(values):
    return pd.Series(list(values), dtype=object)


def series(values, dtype):
    return pd.Series(list(values), dtype=dtype)


def arrow(values, kind):
    return pa.array(list(values), kind)


def dictionary(values, kind, index=None):
    made = pa.array(list(values), kind).dictionary_encode()
    return made.cast(pa.dictionary(index, made.type.value_type)) if index else made


def category(values):
    return objects(values).astype("category")


DECIMALS = ["1.1", "0.3", "-7.25", "100", "0", "12345.67", "0.001", "0.7"]
SHORT = ["1.1", "0.3", "-7.25", "100", "0", "0.01"]
SMALL = ["9.31548e-10", "9.32251e-10", "9.32806e-10"]
WHOLE = [3, 1, -2, 19, 0, 100]
LONG = [2**53, 2**53 + 1, 2**53 + 2, 10**17 + 1, 2**62 + 1, 7]
LONGER = [2**63, 2**63 + 1, 2**64 - 1, 5]
DIGITS = [Decimal("0.12345678901234567890"), Decimal("0.12345678901234567891"), Decimal("7"), Decimal("0.5")]
YES = [True, False, True, False, None]
DAYS = [
    datetime.date(2019, 12, 26),
    datetime.date(1900, 1, 1),
    datetime.date(9999, 12, 31),
    datetime.date(1066, 10, 14),
]
STAMPS = [datetime.datetime(2020, 1, 31, 10, 0, 0, ms * 1000) for ms in (0, 1, 250)] + [datetime.datetime(1999, 1, 1)]
BERLIN = pd.DatetimeIndex(["2020-01-31 00:00", "2020-07-01 00:00", "2020-12-31 00:00"], tz="Europe/Berlin")
TIMES = [datetime.time(10, 0), datetime.time(23, 59, 59), datetime.time(0, 0)]
SPANS = [datetime.timedelta(days=1, hours=2), datetime.timedelta(seconds=-1), datetime.timedelta(0)]
TEXTS = ["b", "a", None, "é", "b "]
QUARTERS = pd.PeriodIndex(["2024Q2", "2023Q4", "2024Q1"], freq="Q")
WEEKS = pd.PeriodIndex(["2024-01-01", "2023-12-25"], freq="W")
CUT = pd.cut([5, 15, 25], [0, 10, 20, 30])


def text(values):
    return series([None if v is None else str(v) for v in values], "str")


def floats(values):
    return [float(v) for v in values]


def exact(values):
    return [Decimal(v) for v in values]


SAME = {
    "decimals": (
        ("-7.25", "0", "0.001", "0.3", "0.7", "1.1", "100", "12345.67"),
        {
            "float64": series(floats(DECIMALS), "float64"),
            "float32": series(floats(DECIMALS), "float32"),
            "Float64": series(floats(DECIMALS), "Float64"),
            "Float32": series(floats(DECIMALS), "Float32"),
            "float of Arrow in pandas": series(floats(DECIMALS), pd.ArrowDtype(pa.float32())),
            "double of Arrow in pandas": series(floats(DECIMALS), pd.ArrowDtype(pa.float64())),
            "Python's floats": objects(floats(DECIMALS)),
            "numpy's narrow floats": objects(map(np.float32, DECIMALS)),
            "Python's decimals": objects(exact(DECIMALS)),
            "Python's, of all types": objects([Decimal("1.10"), 0.3, np.float32(-7.25), 100, 0, *exact(DECIMALS[5:])]),
            "sparse": pd.Series(pd.arrays.SparseArray(floats(DECIMALS))),
            "sparse and narrow": pd.Series(pd.arrays.SparseArray(np.array(floats(DECIMALS), "float32"))),
            "category": category(floats(DECIMALS)),
            "category of narrow floats": series(floats(DECIMALS), "float32").astype("category"),
            "float": arrow(floats(DECIMALS), pa.float32()),
            "double": arrow(floats(DECIMALS), pa.float64()),
            "decimal": arrow(exact(DECIMALS), pa.decimal128(12, 3)),
            "decimal with more zeros": arrow(exact(DECIMALS), pa.decimal128(38, 9)),
            "decimal, narrow": arrow(exact(DECIMALS), pa.decimal64(12, 3)),
            "decimal, wide": arrow(exact(DECIMALS), pa.decimal256(50, 20)),
            "decimal in pandas": series(exact(DECIMALS), pd.ArrowDtype(pa.decimal128(12, 3))),
            "dictionary": dictionary(floats(DECIMALS), pa.float32()),
            "runs": pa.compute.run_end_encode(arrow(floats(DECIMALS), pa.float64())),
        },
    ),
    "decimals far below one": (  # those of six digits are told of 32 bits by six, not by seven
        ("0.000000000931548", "0.000000000932251", "0.000000000932806"),
        {
            "float64": series(floats(SMALL), "float64"),
            "float32": series(floats(SMALL), "float32"),
            "decimal": arrow(exact(SMALL), pa.decimal128(20, 18)),
            "float": arrow(floats(SMALL), pa.float32()),
        },
    ),
    "halves beyond 10¹⁵": (
        ("1000000000000000", "2000000000000000"),
        {
            "float64": series([1e15 + 0.5, 2e15 + 0.25], "float64"),
            "Python's floats": objects([1e15 + 0.5, 2e15 + 0.25]),
            "double": arrow([1e15 + 0.5, 2e15 + 0.25], pa.float64()),
            "int64": series([10**15, 2 * 10**15], "int64"),
        },
    ),
    "short decimals": (
        ("-7.25", "0", "0.01", "0.3", "1.1", "100"),
        {
            "float16": series(floats(SHORT), "float16"),
            "half": arrow(np.array(floats(SHORT), "float16"), pa.float16()),
            "float32": series(floats(SHORT), "float32"),
            "decimal": arrow(exact(SHORT), pa.decimal128(5, 2)),
            "float64": series(floats(SHORT), "float64"),
        },
    ),
    "whole numbers": (
        ("-2", "0", "1", "3", "19", "100"),
        {
            **{kind: series(WHOLE, kind) for kind in ("int8", "int64", "Int16", "Int64", "float32", "Float64")},
            "Python's": objects(WHOLE),
            "floats of Python": objects(floats(WHOLE)),
            "category": series(WHOLE, "category"),
            "category of floats": category(floats(WHOLE)),
            "sparse": pd.Series(pd.arrays.SparseArray(WHOLE)),
            "in pandas": series(WHOLE, pd.ArrowDtype(pa.int32())),
            "dictionary": dictionary(WHOLE, pa.int64()),
            "dictionary of pandas": pd.Series(pd.arrays.ArrowExtensionArray(dictionary(WHOLE, pa.int16()))),
            "dictionary, unsigned": dictionary(WHOLE, pa.int64(), pa.uint32()),
            "decimal": arrow(WHOLE, pa.decimal128(20, 0)),
            "decimal of Python": objects(map(Decimal, WHOLE)),
            "int8 of Arrow": arrow(WHOLE, pa.int8()),
            "half": arrow(np.array(WHOLE, "float16"), pa.float16()),
        },
    ),
    "beyond a float": (
        tuple(map(str, sorted(LONG))),
        {
            **{kind: series(LONG, kind) for kind in ("int64", "Int64", "uint64", "UInt64", "category")},
            "Python's": objects(LONG),
            "decimals of Python": objects(map(Decimal, LONG)),
            "decimal": arrow(LONG, pa.decimal128(20, 0)),
            "decimal with digits": arrow(map(Decimal, LONG), pa.decimal128(30, 2)),
            "in pandas": series(LONG, pd.ArrowDtype(pa.uint64())),
            "dictionary": dictionary(LONG, pa.int64()),
            "unsigned": arrow(LONG, pa.uint64()),
        },
    ),
    "beyond 64 bits": (
        tuple(map(str, sorted(LONGER))),
        {
            "uint64": series(LONGER, "uint64"),
            "UInt64": pd.Series(pd.array(LONGER, "UInt64")),
            "Python's": objects(LONGER),
            "decimal": arrow(LONGER, pa.decimal128(20, 0)),
            "category": series(LONGER, "uint64").astype("category"),
        },
    ),
    "more digits than a float": (
        ("0.1234567890123456789", "0.12345678901234567891", "0.5", "7"),
        {
            "Python's": objects(DIGITS),
            "decimal": arrow(DIGITS, pa.decimal128(38, 20)),
            "decimal, wide": arrow(DIGITS, pa.decimal256(60, 30)),
            "category": category(DIGITS),
        },
    ),
    "yes or no": (
        ("False", "True"),
        {
            "Python's": objects(YES),
            "boolean": series(YES, "boolean"),
            "category": category(YES),
            "in pandas": series(YES, pd.ArrowDtype(pa.bool_())),
            "Arrow's": arrow(YES, pa.bool_()),
            "dictionary": dictionary(YES, pa.bool_()),
            "R's": text(["TRUE", "FALSE", "TRUE", "FALSE", None]),
            "of Python": text(YES),
            "small": arrow(["true", "false", "true", "false", None], pa.string()),
            "R's factor": category(["TRUE", "FALSE", "TRUE", "FALSE", None]),
            "mixed": objects([True, "FALSE", "true", False, None]),
        },
    ),
    "days": (
        ("1066-10-14", "1900-01-01", "2019-12-26", "9999-12-31"),
        {
            "Python's": objects(DAYS),
            "category": category(DAYS),
            "in pandas": series(DAYS, pd.ArrowDtype(pa.date32())),
            **{f"datetime64[{unit}]": pd.Series(np.array(DAYS, "M8[D]").astype(f"M8[{unit}]")) for unit in ("s", "ms", "us")},
            "date32": arrow(DAYS, pa.date32()),
            "date64": arrow(DAYS, pa.date64()),
            **{f"timestamp {unit}": arrow(DAYS, pa.date32()).cast(pa.timestamp(unit)) for unit in ("s", "ms", "us")},
            "periods": pd.Series(pd.PeriodIndex(map(str, DAYS), freq="D")),
            "midnights of Python": objects(datetime.datetime.combine(d, datetime.time()) for d in DAYS),
            "numpy's": objects(np.datetime64(str(d)) for d in DAYS),
            "dictionary": dictionary(DAYS, pa.date32()),
        },
    ),
    "moments": (
        ("1999-01-01T00:00:00", "2020-01-31T10:00:00", "2020-01-31T10:00:00.001000", "2020-01-31T10:00:00.250000"),
        {
            "Python's": objects(STAMPS),
            "pandas'": objects(map(pd.Timestamp, STAMPS)),
            "category": category(STAMPS),
            **{f"datetime64[{unit}]": pd.Series(np.array(STAMPS, f"M8[{unit}]")) for unit in ("ms", "us", "ns")},
            **{f"timestamp {unit}": arrow(STAMPS, pa.timestamp(unit)) for unit in ("ms", "us", "ns")},
            "in pandas": series(STAMPS, pd.ArrowDtype(pa.timestamp("ns"))),
            "periods": pd.Series(pd.PeriodIndex(STAMPS, freq="ms")),
        },
    ),
    "moments in a zone": (
        ("2020-01-31", "2020-07-01", "2020-12-31"),
        {
            "Berlin": pd.Series(BERLIN),
            "Berlin, seconds": pd.Series(BERLIN.as_unit("s")),
            "Berlin, Arrow's": pa.array(BERLIN.tz_convert("UTC").tz_localize(None)).cast(pa.timestamp("us", "Europe/Berlin")),
            "Berlin, Python's": objects(BERLIN.to_pydatetime()),
            "Berlin, a category": pd.Series(BERLIN).astype("category"),
        },
    ),
    "times of day": (
        ("00:00:00", "10:00:00", "23:59:59"),
        {
            "Python's": objects(TIMES),
            **{str(kind): arrow(TIMES, kind) for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))},
            "in pandas": series(TIMES, pd.ArrowDtype(pa.time64("us"))),
            "text": text(TIMES),
            "category": category(TIMES),
        },
    ),
    "durations": (
        ("-1 days +23:59:59", "0 days 00:00:00", "1 days 02:00:00"),
        {
            "Python's": objects(SPANS),
            **{f"m8[{unit}]": pd.Series(np.array(SPANS, f"m8[{unit}]")) for unit in ("s", "ms", "us", "ns")},
            **{f"duration {unit}": arrow(SPANS, pa.duration(unit)) for unit in ("s", "ms", "us", "ns")},
            "category": category(SPANS),
        },
    ),
    "quarters": (
        ("2023Q4", "2024Q1", "2024Q2"),
        {
            "periods": pd.Series(QUARTERS),
            "objects": objects(QUARTERS),
            "text": text(QUARTERS),
            "Arrow's": pa.array(pd.Series(QUARTERS)),
        },
    ),
    "weeks": (
        ("2023-12-25/2023-12-31", "2024-01-01/2024-01-07"),
        {"periods": pd.Series(WEEKS), "text": text(WEEKS), "Arrow's": pa.array(pd.Series(WEEKS))},
    ),
    "intervals": (
        ("(0, 10]", "(10, 20]", "(20, 30]"),
        {"cut": pd.Series(CUT), "intervals": pd.Series(pd.IntervalIndex(CUT)), "text": text(CUT), "objects": objects(CUT)},
    ),
    "texts": (
        ("a", "b", "b ", "é"),
        {
            "str": series(TEXTS, "str"),
            "objects": objects(TEXTS),
            "string[python]": series(TEXTS, pd.StringDtype("python")),
            "string[pyarrow]": series(TEXTS, pd.StringDtype("pyarrow")),
            "in pandas": series(TEXTS, pd.ArrowDtype(pa.string())),
            "large in pandas": series(TEXTS, pd.ArrowDtype(pa.large_string())),
            "string": arrow(TEXTS, pa.string()),
            "large": arrow(TEXTS, pa.large_string()),
            "views": arrow(TEXTS, pa.string_view()),
            "Polars' category": dictionary(TEXTS, pa.large_string(), pa.uint32()),
            "category": category(TEXTS),
        },
    ),
    "nothing": (
        (),
        {"null": pa.nulls(2), "None": objects([None, None]), "NaN": series([np.nan] * 2, "float64"),
         "text": series([None, None], "str"), "boolean": series([None, None], "boolean"),
         "dictionary of null": pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int8()), pa.array([None], pa.string()))},
    ),
}  # fmt: skip


def table(values):
    """A table of an identifier and `values`, as their storage asks for."""
    ids = range(len(values))
    if isinstance(values, pd.Series):
        return pd.DataFrame({"id": ids, "x": values})
    return pa.table({"id": list(ids), "x": pa.chunked_array([values[:1], values[1:]])})


@pytest.mark.parametrize("name", SAME)
def test_storage_changes_no_level(name):
    levels, stored = SAME[name]
    for one, other in product(stored, repeat=2):
        study = Study(table(stored[one]), [table(stored[other])])
        column = study.columns["x"]
        np.testing.assert_array_equal(column.original, column.synthetic[0], err_msg=f"{one} against {other}")
        # Categories stand in the order of their file; all else is sorted.
        assert sorted(column.levels) == sorted(levels), f"{one} against {other}"
        if not any(
            isinstance(
                stored[s].dtype if isinstance(stored[s], pd.Series) else stored[s].type,
                pd.CategoricalDtype | pa.DictionaryType | pd.ArrowDtype,
            )
            for s in (one, other)
        ):
            assert column.levels == levels, f"{one} against {other}"
        said = [n.text for n in study.notes if n.column == "x"]
        if one == "mixed":  # written in two ways in the original itself
            assert all("of the original are one level" in text for text in said), f"{one} against {other}"
        else:
            assert not said, f"{one} against {other}"


def test_records_meet_in_the_figures():
    for levels, stored in SAME.values():
        first, *others = [
            named.assign(y=0) if isinstance(named, pd.DataFrame) else named.append_column("y", [[0] * len(named)])
            for named in map(table, stored.values())
        ]
        found = assess(Study(first, others), Settings(keys=("id", "x"), targets=("y",)))
        assert (found.identity["repU"] == 100).all()


ENGINE = {
    "decimals": ("DOUBLE", "FLOAT", "DECIMAL(12, 3)", "DECIMAL(30, 9)"),
    "whole numbers": ("BIGINT", "TINYINT", "HUGEINT", "DOUBLE", "FLOAT", "DECIMAL(5, 0)", "DECIMAL(20, 3)"),
    "beyond a float": ("BIGINT", "UBIGINT", "HUGEINT", "DECIMAL(20, 0)"),
    "beyond 64 bits": ("UBIGINT", "HUGEINT", "DECIMAL(20, 0)"),
    "more digits than a float": ("DECIMAL(38, 20)", "DECIMAL(38, 25)"),
    "yes or no": ("BOOLEAN", "VARCHAR"),
    "days": ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"),
    "moments": ("TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS"),
    "times of day": ("TIME", "VARCHAR"),
    "quarters": ("VARCHAR", "ENUM ('2024Q1', '2023Q4', '2024Q2')"),
    "texts": ("VARCHAR",),
    "nothing": ("VARCHAR", "DOUBLE", "BOOLEAN", "DATE"),
}


@pytest.fixture(scope="module")
def duckdb():
    return ibis.duckdb.connect()


def in_duckdb(connection, name, kind, values):
    """A table of an identifier, `values` (texts) as `kind`, and a constant."""
    rows = ", ".join(f"({i}, {'NULL' if v is None else repr(v)}, 0)" for i, v in enumerate(values))
    connection.raw_sql(
        f"CREATE OR REPLACE TABLE {name} AS SELECT id, x::{kind} AS x, y FROM (VALUES {rows}) AS v(id, x, y)"
    )
    return connection.table(name)


WRITTEN = {
    "decimals": DECIMALS,
    "whole numbers": [str(v) for v in WHOLE],
    "beyond a float": [str(v) for v in LONG],
    "beyond 64 bits": [str(v) for v in LONGER],
    "more digits than a float": [f"{v:f}" for v in DIGITS],
    "yes or no": ["TRUE", "FALSE", "TRUE", "FALSE", None],
    "days": [str(v) for v in DAYS],
    "moments": [v.isoformat(" ") for v in STAMPS],
    "times of day": [str(v) for v in TIMES],
    "quarters": [str(v) for v in QUARTERS],
    "texts": TEXTS,
    "nothing": [None, None],
}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ENGINE)
def test_an_engine_tells_the_same_levels(name, duckdb):
    tables = [in_duckdb(duckdb, f"t{i}", kind, WRITTEN[name]) for i, kind in enumerate(ENGINE[name])]
    there = TableStudy(tables[0], tables[1:] or tables)
    column = there.columns["x"]
    here = Study(table(next(iter(SAME[name][1].values()))), [table(next(iter(SAME[name][1].values())))]).columns["x"]
    assert column.labels == here.labels
    assert column.kind is here.kind
    for counts in column.counts:
        np.testing.assert_array_equal(counts, here.counts[0])
    found = assess(there, Settings(keys=("id", "x"), targets=("y",)))
    assert (found.identity["repU"] == 100).all()
    assert not [n for n in found.notes if n.warning]
    if here.kind is rule.Kind.NUMBER:
        grouped = assess(there, Settings(keys=("id", "x"), targets=("y",), groups={"x": 2}))
        assert (grouped.identity["repU"] == 100).all()


@pytest.mark.filterwarnings("default")
def test_an_engine_tells_moments_by_instant(duckdb):
    tables = []
    for i, zone in enumerate(("UTC", "America/New_York")):
        duckdb.raw_sql(f"SET TimeZone = '{zone}'")
        tables.append(in_duckdb(duckdb, f"z{i}", "TIMESTAMPTZ", ["2020-01-31 12:00:00+01", "2020-01-31 12:00:00+00"]))
    column = TableStudy(tables[0], tables[1:]).columns["x"]
    assert column.labels == ("2020-01-31T11:00:00", "2020-01-31T12:00:00", "Missing")
    assert column.counts[:, :2].tolist() == [[1, 1], [1, 1]]
    naive = in_duckdb(duckdb, "naive", "TIMESTAMP", ["2020-01-31 11:00:00", "2020-01-31 12:00:00"])
    study = TableStudy(tables[0], [naive])
    assert study.columns["x"].counts[:, :2].tolist() == [[1, 1], [1, 1]]
    said = [n.text for n in assess(study, Settings(keys=("x",), targets=("y",))).notes if n.warning]
    assert said[0].startswith("'x' has a time zone (UTC) in one file and none in another")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("BLOB", "'x' holds bytes"),
        ("INTEGER[]", "'x' holds values that are no single answer"),
        ("INTERVAL", "no single"),
    ],
)
def test_what_an_engine_holds_that_is_no_answer_is_a_sentence(kind, sentence, duckdb):
    value = {"BLOB": "a", "INTEGER[]": "[1]", "INTERVAL": "1 day"}[kind]
    bad = in_duckdb(duckdb, "bad", kind, [value])
    with pytest.raises(DisclosureError, match=sentence):
        _ = TableStudy(bad, [bad]).columns["x"]


def labels(*sides):
    """The column's labels, each side's records as a person sees them, and what is said of it."""
    study = Study(table(sides[0]), [table(s) for s in sides[1:]])
    column = study.columns["x"]
    shown = [[column.labels[code] for code in side] for side in (column.original, *column.synthetic)]
    return column, shown, [n.text for n in study.notes if n.column == "x"]


DIGIT_BY_DIGIT = (
    "'x' holds numbers of more digits than a float can tell apart in one file and floats in another: they are compared "
    "digit by digit; store it alike in all files, as whole numbers, decimals or text."
)


@pytest.mark.parametrize(
    ("original", "synthetic", "shown", "said"),
    [
        # No level merges: 2^53 + 1 is no float.
        (series([2**53, 2**53 + 1], "int64"), series([2.0**53, 0.5], "float64"),
         [["9007199254740992", "9007199254740993"], ["9007199254740992", "0.5"]], DIGIT_BY_DIGIT),
        (series([2**53 + 1, None], "Int64"), series([2**53 + 2, None], "Float64"),
         [["9007199254740993", "Missing"], ["9007199254740994", "Missing"]], DIGIT_BY_DIGIT),
        (objects(DIGITS[:2]), series([float(DIGITS[0]), 7], "float64"),
         [["0.1234567890123456789", "0.12345678901234567891"], ["0.123456789012346", "7"]], DIGIT_BY_DIGIT),
        (objects([2**70, 1]), series([float("inf"), 1.5], "float64"),
         [["1180591620717411303424", "1"], ["inf", "1.5"]], DIGIT_BY_DIGIT),
        (series([1, 2], "int64"), series([1.0, 2.0], "float32"), [["1", "2"], ["1", "2"]], None),
        # Stata's floats, widened by what read them; but not where the long decimals are another file's own.
        (series([1.1, 0.5], "float32").astype("float64"), series([1.1, 7], "float64"), [["1.1", "0.5"], ["1.1", "7"]],
         "'x' holds floats of 32 bits in 64: read as the decimals they stand for, 1.1 for 1.10000002384186."),
        (series([1.100000023841858, 0.5], "float64"), arrow([1.1], pa.float32()), [["1.1", "0.5"], ["1.1"]],
         "'x' holds floats of 32 bits in 64: read as the decimals they stand for, 1.1 for 1.10000002384186."),
        (series([0.3330078125, 0.5], "float64"), arrow([Decimal("0.3330078125"), Decimal("0.1")], pa.decimal128(12, 10)),
         [["0.3330078125", "0.5"], ["0.3330078125", "0.1"]], None),
        (series([123456792, 2.0**40], "float64"), objects([123456792, 2**40]), [["123456792", str(2**40)]] * 2, None),
        (series([1e39, 0.5], "float64"), series([0.5], "float64"), [["1" + "0" * 39, "0.5"], ["0.5"]], None),
        # Floats hold sixteen digits below 2^53, and those are kept.
        (series([4111111111111111, 4111111111111112], "float64"), series([4111111111111112], "int64"),
         [["4111111111111111", "4111111111111112"], ["4111111111111112"]], None),
        (series([-1], "int64"), series([2**64 - 1], "uint64"), [["-1"], ["18446744073709551615"]], None),
        (series([1e22, 1e23, 1.5e300], "float64"), objects([10**22, 10**23]),
         [[str(10**22), str(10**23), "15" + "0" * 299], [str(10**22), str(10**23)]], DIGIT_BY_DIGIT),
        (series([16777216, 3.4028235e38, 1e-45, 1.1754944e-38], "float32"), objects([16777216]),
         [["16777216", "34028235" + "0" * 31, "0." + "0" * 44 + "1", "0." + "0" * 37 + "11754944"], ["16777216"]], None),
        (series([0.1 + 0.2, -0.0], "float64"), arrow([Decimal("0.30"), Decimal("0.00")], pa.decimal128(4, 2)),
         [["0.3", "0"], ["0.3", "0"]], None),
        (arrow([0.0, -0.0, 0.0], pa.float64()), arrow([-0.0], pa.float32()), [["0"] * 3, ["0"]], None),
        # One NA on one side.
        (objects([True, False, None]), text(["TRUE", "FALSE", "NA"]),
         [["True", "False", "Missing"], ["True", "False", "NA"]], "'x': 1 level only in the synthetic data: “NA”."),
        (text(["T", "F"]), objects([True, None]), [["True", "False"], ["True", "Missing"]], "'x': 1 level only in the original: “False”."),
        (text(["T", "F"]), text(["T", "F"]), [["T", "F"], ["T", "F"]], None),
        # T is true only where no file says anything else with it.
        (text(["T", "F"]), [text(["TRUE", "FALSE"]), text(["T", "x"])], [["T", "F"], ["True", "False"], ["T", "x"]],
         "'x': 1 level only in the original: “F”."),
        # Half a letter, which no file can hold.
        (objects(["\ud800", "a"]), objects(["a", "\ud800"]), [["\ud800", "a"], ["a", "\ud800"]], None),
        (text(["t", "f"]), text(["TRUE", "False"]), [["True", "False"], ["True", "False"]], None),
        (text(["TRUE", "true"]), text(["TRUE", "maybe"]), [["True", "True"], ["True", "maybe"]],
         "'x': 'TRUE' and 'true' of the original are one level, 'True'."),
        (text(["TRUE", "true", "maybe"]), text(["TRUE", "true", "x"]), [["TRUE", "true", "maybe"], ["TRUE", "true", "x"]],
         "'x': 1 level only in the original: “maybe”."),
        (text(["T", "x"]), objects([True, False]), [["T", "x"], ["True", "False"]], "'x': 2 levels only in the original: “T”, “x”."),
        (objects([True, 1, 1.0]), objects([1, True]), [["True", "1", "1"], ["1", "True"]], None),
        # One instant, two clocks; and the hour that comes twice in autumn.
        (pd.Series(BERLIN), pd.Series(BERLIN.tz_convert("UTC")), [["2020-01-31", "2020-07-01", "2020-12-31"]] * 2,
         "'x' is in the time zones Europe/Berlin and UTC: moments are the same instant, shown in Europe/Berlin."),
        (pd.Series(BERLIN.tz_convert("+05:30")), pd.Series(BERLIN), [["2020-01-31T04:30:00", "2020-07-01T03:30:00", "2020-12-31T04:30:00"]] * 2,
         "'x' is in the time zones UTC+05:30 and Europe/Berlin: moments are the same instant, shown in UTC+05:30."),
        (pd.Series(BERLIN), pd.Series(BERLIN.tz_localize(None)), [["2020-01-31", "2020-07-01", "2020-12-31"]] * 2,
         "'x' has a time zone (Europe/Berlin) in one file and none in another: moments are compared by what the clock shows there; "
         "if the other clock is another, give both files the same zone."),
        (pd.Series(pd.to_datetime(["2020-10-25 00:30", "2020-10-25 01:30"]).tz_localize("UTC").tz_convert("Europe/Berlin")),
         pd.Series(pd.to_datetime(["2020-10-25 01:30"]).tz_localize("UTC").tz_convert("Europe/Berlin")),
         [["2020-10-25T02:30:00+02:00", "2020-10-25T02:30:00+01:00"], ["2020-10-25T02:30:00+01:00"]], None),
        (pd.Series(np.array(["2020-01-01T00:00:00.000000001", "2020-01-01"], "M8[ns]")), objects([datetime.date(2020, 1, 1)]),
         [["2020-01-01T00:00:00.000000001", "2020-01-01T00:00:00"], ["2020-01-01T00:00:00"]], None),
        # Moments that nanoseconds of 64 bits do not reach.
        (arrow([-30_000_000_000_000], pa.timestamp("ms")), arrow([253402214400], pa.timestamp("s", "UTC")),
         [["1019-05-04T18:40:00"], ["9999-12-31T00:00:00"]], "'x' has a time zone (UTC) in one file and none in another: moments "
         "are compared by what the clock shows there; if the other clock is another, give both files the same zone."),
        # Values of several types in one column are what a person reads.
        (objects(["a", Decimal("1.10"), np.float32(1.1), datetime.date(2020, 1, 1), datetime.time(10)]),
         text(["a", "1.1", "2020-01-01", "10:00:00"]), [["a", "1.1", "1.1", "2020-01-01", "10:00:00"], ["a", "1.1", "2020-01-01", "10:00:00"]], None),
        (objects([datetime.timedelta(1), "x", datetime.datetime(2020, 1, 1, 10)]), text(["x"]),
         [["1 days 00:00:00", "x", "2020-01-01T10:00:00"], ["x"]], "'x': 2 levels only in the original: “1 days 00:00:00”, “2020-01-01T10:00:00”."),
    ],
)  # fmt: skip
def test_the_hard_ones(original, synthetic, shown, said):
    _, found, notes = labels(original, *(synthetic if isinstance(synthetic, list) else [synthetic]))
    assert found == shown
    assert (notes or [None])[0] == said


def test_categories_keep_their_order_whatever_they_hold():
    sizes = pd.Series(pd.Categorical(["low", "high"], ["low", "mid", "high"], ordered=True))
    column, _, _ = labels(sizes, text(["high", "low"]))
    assert (column.levels, column.is_ordered_category) == (("low", "high"), True)
    column, _, _ = labels(pd.Series(pd.Categorical([19, 2.5], [19, 2.5, 7])), series([2.5], "float32"))
    assert (column.levels, column.kind) == (("2.5", "19"), rule.Kind.NUMBER)
    for periods in (pd.Series(QUARTERS), series(SPANS, "timedelta64[s]"), arrow(TIMES, pa.time32("s"))):
        assert labels(periods, periods)[0].is_ordered_category


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (objects([b"a"]), "'x' holds bytes, which nobody can read as an answer; make them text first, or remove it."),
        (arrow([b"a"], pa.binary()), "'x' holds bytes"),
        (arrow([b"a"], pa.large_binary()), "'x' holds bytes"),
        (arrow([b"a"], pa.binary_view()), "'x' holds bytes"),
        (arrow([b"a"], pa.binary(1)), "'x' holds bytes"),
        (dictionary([b"a"], pa.binary()), "'x' holds bytes"),
        (category([b"a"]), "'x' holds bytes"),
        (objects([[1]]), "'x' holds lists or other values"),
        (objects([{"a": 1}]), "'x' holds lists or other values"),
        (objects([(1, 2)]), "'x' holds lists or other values"),
        (arrow([{"a": 1}], pa.struct({"a": pa.int8()})), "'x' holds lists or other values"),
        (arrow([(1, 2, 3)], pa.month_day_nano_interval()), "'x' holds lists or other values"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_a_sentence(values, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        Study(table(values), [table(values)])


def test_an_index_is_no_column_and_no_order():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=pd.Index([7, 7, 1], name="person"))
    study = Study(frame, [frame.reset_index().sample(frac=1, random_state=1)])
    assert study.columns["x"].original.tolist() == [0, 1, 2]
    assert [n.text for n in study.notes] == [
        "The synthetic data set has 'person', which not every file has: ignored.",
        "The original has 'person' as its index, which is no column: ignored.",
    ]
    two = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("income", "2020"), ("income", "2021")]))
    assert list(Study(two, [two]).columns) == ["income 2020", "income 2021"]


def test_a_missing_code_is_found_to_the_last_digit():
    ids = pa.table({"x": pa.array([2**53, 2**53 + 1] * 10)})
    assert Study(ids, [ids], missing_codes={"x": [str(2**53 + 1)]}).missing_codes == {"x": (2**53 + 1,)}
    money = pa.table({"x": pa.array([Decimal("-8.50"), Decimal("0.12345678901234567890")] * 10)})
    assert Study(money, [money], missing_codes={"x": [-8.5]}).missing_codes == {"x": (-8.5,)}
    with pytest.raises(DisclosureError, match="The missing code 0.1234567890123456 does not occur"):
        Study(money, [money], missing_codes={"x": ["0.1234567890123456"]})


@given(st.lists(st.one_of(st.none(), st.floats(width=32, allow_nan=False)), min_size=1))
def test_a_narrow_float_is_its_shortest_decimal(values):
    """Held against numpy's own shortest decimals, which share no code with ours."""
    narrow = series(values, "float32")
    told = objects(None if v is None else float(str(np.float32(v))) for v in values)
    shown = labels(narrow, told)[1]
    assert shown[0] == shown[1]


@given(st.lists(st.floats(width=16, allow_nan=False), min_size=1))
def test_a_float_of_two_bytes_too(values):
    shown = labels(series(values, "float16"), objects(float(str(np.float16(v))) for v in values))[1]
    assert shown[0] == shown[1]


@given(st.lists(st.integers(-(2**70), 2**70), min_size=1), st.lists(st.integers(-(2**70), 2**70), min_size=1))
def test_whole_numbers_are_told_apart_at_any_size(original, synthetic):
    column, shown, _ = labels(arrow(map(Decimal, original), pa.decimal128(38, 0)), objects(synthetic))
    assert shown == [[str(v) for v in side] for side in (original, synthetic)]
    assert [int(v) for v in column.levels] == sorted({*original, *synthetic})


@given(st.lists(st.one_of(st.none(), st.decimals(-(10**9), 10**9, places=4)), min_size=1, max_size=30), st.data())
def test_storage_never_changes_levels_or_counts(values, data):
    """Decimals of thirteen digits, which every storage that is drawn holds."""
    ways = {
        "objects": lambda: objects(values),
        "floats": lambda: series([None if v is None else float(v) for v in values], "float64"),
        "Float64": lambda: series([None if v is None else float(v) for v in values], "Float64"),
        "category": lambda: category(values),
        "decimal": lambda: arrow(values, pa.decimal128(20, 4)),
        "wide": lambda: arrow(values, pa.decimal256(60, 20)),
        "double": lambda: arrow([None if v is None else float(v) for v in values], pa.float64()),
        "dictionary": lambda: dictionary([None if v is None else float(v) for v in values], pa.float64()),
    }
    one, other = (data.draw(st.sampled_from(sorted(ways))) for _ in range(2))
    column, shown, _ = labels(ways[one](), ways[other]())
    expected = [
        "Missing"
        if v is None
        else format(v.normalize(), "f").replace("-0", "0")
        if not v
        else format(v.normalize(), "f")
        for v in values
    ]
    assert shown == [expected, expected]
    np.testing.assert_array_equal(column.counts[0], column.counts[1])
    known = [v for v in values if v is not None]
    assert column.n_levels == len(set(known))


@given(
    st.lists(
        st.one_of(st.none(), st.datetimes(datetime.datetime(1, 1, 2), datetime.datetime(9999, 12, 30))), min_size=1
    )
)
def test_moments_are_instants_in_any_unit_and_zone(values):
    stamps = arrow(values, pa.timestamp("us"))
    zoned = stamps.cast(pa.timestamp("us", "UTC")), stamps.cast(pa.timestamp("us", "Asia/Kathmandu"))
    for one, other in ((stamps, objects(values)), (stamps, series(values, "datetime64[us]")), zoned):
        column, shown, _ = labels(one, other)
        assert shown[0] == shown[1]
        assert column.n_levels == len({v for v in values if v is not None})
        assert (column.kind is rule.Kind.DATE) == (column.n_levels > 0)


@given(st.lists(st.integers(-(2**70), 2**70).map(float) | st.sampled_from([-0.0, math.inf, 1e15, 1e300]), min_size=1))
def test_whole_floats_are_the_decimals_that_they_stand_for_at_once(values):
    array = np.array(values)
    plain = rule.plain_floats(array)
    assert plain.tobytes() == rule._numbers._rounded(array).tobytes()
    assert plain.tolist() == values
    assert rule._levels._narrow_floats(array) is None


@pytest.mark.parametrize("hashed", [rule._coding.HASHED, 0])
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9), min_size=1), st.integers(0, 2**64 - 1), st.data()
)
def test_distinct_values_by_any_of_its_ways(hashed, values, mask, data):
    array = data.draw(
        st.sampled_from(
            [
                np.array(values),
                np.array(values).astype(np.int8),
                np.array(values).astype(np.uint64),
                np.array(values) / 7,
                np.array(values, dtype=float),
                np.array(values, dtype=np.float32),
                np.array([*values, np.inf, -np.inf]),
            ]
        )
    )
    missing = np.array([bool(mask >> (i % 64) & 1) for i in range(len(array))])
    for hidden in (None, missing):
        with patch.object(rule._coding, "HASHED", hashed):
            codes, uniques = rule.distinct(array, hidden)
        known = np.ones(len(array), dtype=bool) if hidden is None else ~hidden
        assert uniques.dtype == array.dtype
        assert (codes[~known] == -1).all()
        np.testing.assert_array_equal(uniques[codes[known]], array[known])
        assert len(set(uniques.tolist())) == len(uniques) == len(set(array[known].tolist()))
    np.testing.assert_array_equal(rule.rising(array), sorted(set(array.tolist())))
