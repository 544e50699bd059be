"""No two texts become one number unsaid, no value leaves its record, and nothing is decoded beyond the limit."""

import gzip
import io
import re
import tracemalloc
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, ReadOptions, Study, read
from tests.reading import Limits, read_in_process

LIKE_NUMBERS = st.text("0123456789.,+-eE", min_size=1, max_size=6)


def one(data, name, **options):
    (reading,) = read_in_process(data, name, ReadOptions(**options) if options else None)
    return reading


def csv_of(cells, delimiter=","):
    quoted = ['"' + c.replace('"', '""') + '"' for c in cells]
    return ("k" + delimiter + "x\n" + "".join(f"{i}{delimiter}{c}\n" for i, c in enumerate(quoted))).encode()


@given(st.lists(LIKE_NUMBERS, min_size=1, max_size=8), st.sampled_from([",", ";"]))
def test_no_two_texts_become_one_number(cells, delimiter):
    found = one(csv_of(cells, delimiter), "x.csv", delimiter=delimiter).frame["x"]
    assert found.notna().all()
    if pd.api.types.is_numeric_dtype(found.dtype):
        unsigned = {c.lstrip("-") if float(v) == 0 else c for c, v in zip(cells, found, strict=True)}
        assert found.nunique() == len(unsigned)
        for text, value in zip(cells, found, strict=True):
            assert float(text.replace(",", ".")) == value
    else:
        assert found.tolist() == cells


@pytest.mark.parametrize(
    ("cells", "kind", "said"),
    [
        (["1.1", "1.10"], "str", "has '1.1' and '1.10', one number written in two ways: kept as text"),
        (["3", "3.0"], "str", "one number written in two ways"),
        (["0E1", "0E2"], "str", "one number written in two ways"),
        (["+49170", "49170"], "str", "one number written in two ways"),
        (["0.123456789012345678", "0.123456789012345679"], "str", "one number written in two ways"),
        (["1.10", "2.50"], "float64", None),
        (["-0.0", "0.0"], "float64", None),
        (["-0", "0"], "int64", None),
        (["+1", "2"], "int64", None),
        (["0E1", "1E2"], "float64", None),
        (["9007199254740993", "9007199254740992"], "int64", None),
        (["$1.50", "$1.75"], "str", "has amounts of money, such as '$1.50'"),
        (["1.50 EUR", "-1,75 €"], "str", "has amounts of money"),
        (["12 %", "7%"], "str", "has percentages"),
        (["1,137", "950"], "str", "has numbers whose thousands are parted, such as '1,137'"),
        (["1 137,50", "950,00"], "str", "has numbers whose thousands are parted"),
        ([" 1", "2 "], "str", "has numbers with spaces around them"),
        (["03/04/2020", "2020-04-05"], "str", "has dates whose day and month cannot be told apart for certain"),
        (["03.04.1980", "23.04.1980"], "str", "has dates with the day first, such as '23.04.1980', not written as"),
        (["03/04/1980", "04/23/1980"], "str", "has dates with the month first, such as '04/23/1980', not written as"),
        (
            ["23/04/80", "04/23/80", "3/4/80"],
            "str",
            "cannot be told apart for certain, such as '3/4/80': kept as text.",
        ),
        (["2020-13-01", "2020-04-05"], "str", "looks like dates, but some are not in the calendar"),
        (["2020-01-01 24:61:00", "2020-01-01 10:00:00"], "str", "looks like moments, but some are not"),
        (["2020-01-01 10:00", "2020-01-01T10:00:01.5"], "datetime64[us]", None),
        (["2020-01-01T10:00:00Z", "2020-01-01 12:00:00+01:00"], "datetime64[us, UTC]", None),
        (["Monday", "€ sign", "12 % of all"], "str", None),
        (["1.137", "12.500", "1.100", "7.250", "9.999", "950"], "str", "has numbers whose thousands are parted"),
        (["1.137", "12.500", "1.100", "7.250", "9.999"], "str", "has three digits after the mark in every value"),
        (["1.400", "3.700"], "str", "such as '1.400', which may be thousands or fractions: kept as text; choose"),
        (["0.137", "12.500"], "float64", None),  # 0 is no thousand
        (["1.137", "2.5", "1.1", "7.25", "9.999", "950"], "float64", None),
        ([*(f"9.8125{i}" for i in range(9)), "1.137", "none"], "str", None),  # a point before five digits parts none
    ],
)
def test_what_a_text_column_becomes_and_what_is_said(cells, kind, said):
    reading = one(csv_of(cells), "x.csv")
    assert str(reading.frame["x"].dtype) == kind
    about = [note for note in reading.notes if note.startswith("'x'")]
    assert len(about) == (said is not None), reading.notes
    assert not said or said in about[0]
    if kind == "str":
        assert reading.frame["x"].tolist() == cells


def test_a_column_kept_as_text_can_be_read_as_numbers():
    from disclosure_core.data.suggestions import retype

    frame = one(csv_of(["1.5", "1.50", "2"]), "x.csv").frame
    assert retype(frame, {"x": "number"})["x"].tolist() == [1.5, 1.5, 2]


def test_missing_texts_taken_away_lose_no_digit():
    from disclosure_core.data.suggestions import apply_missing_texts

    frame = one(csv_of(["9007199254740993", "NA", "9007199254740992"]), "x.csv").frame
    assert apply_missing_texts(frame, {"x": ["NA"]})["x"].tolist() == [2**53 + 1, pd.NA, 2**53]


def test_decimal_commas_are_numbers_once_a_missing_text_is_taken_away():
    """As if its cells had been empty: by the marks of its own file, which may be others than those of the next."""
    from dataclasses import replace

    from disclosure_core import Columns, start

    files = {
        "o.csv": b"k;x\na;1,5\nb;NA\nc;-2\n",
        "s.csv": b"k,x\na,1.5\nb,NA\nc,-2\n",
        "t.csv": b'k,x\na,"1,5"\nb,NA\n',
    }
    commas = ReadOptions(decimal=",")
    for names, options in (
        (("o.csv", "s.csv"), ReadOptions()),
        (("o.csv", "t.csv"), commas),
        (("t.csv", "o.csv"), commas),
    ):
        first, *others = [(name, files[name]) for name in names]
        opened = start(first, {"a": others}, options)
        assert str(opened.study().columns["x"].kind) == "category"
        opened = opened.with_review(replace(opened.review, columns=Columns(missing_texts={"x": ("NA",)})))
        column = opened.study().columns["x"]
        assert str(column.kind) == "number"
        assert column.values.tolist()[-1] == 1.5
        assert column.counts[:, -1].tolist() == [1, 1]


@given(st.permutations(range(9)), st.sampled_from([None, "id", "x", "other"]), st.sampled_from(["parquet", "feather"]))
def test_a_stored_index_is_no_order_and_no_column_is_lost(order, name, kind):
    frame = pd.DataFrame({"id": range(9), "x": [str(i) for i in range(9)]}).iloc[list(order)]
    frame.index = pd.Index([i * 3 for i in order], name=name)
    sink = io.BytesIO()
    if kind == "parquet":
        frame.to_parquet(sink)
    else:
        pyarrow.feather.write_feather(pa.Table.from_pandas(frame), sink)
    reading = one(sink.getvalue(), f"a.{kind}")
    assert reading.frame["id"].tolist() == list(order)
    assert reading.frame["x"].tolist() == [str(i) for i in order]
    kept = {None: [], "id": ["id (index)"], "x": ["x (index)"], "other": ["other"]}[name]
    assert reading.frame.columns.tolist() == ["id", "x", *kept]
    assert [reading.frame[c].tolist() for c in kept] == [[i * 3 for i in order]] * len(kept)
    assert bool(reading.notes) == (name != "other")


@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4), st.sampled_from(["csv", "xlsx"]))
def test_empty_rows_are_left_out_at_the_end_and_counted_between(between, end, rows, kind):
    cells = [
        ["k", "x", "y"],
        ["1", "a", "b"],
        *([None] * 3 for _ in range(between)),
        *(["2", "", "b"] for _ in range(rows)),
    ]
    cells += [[None] * 3 for _ in range(end)]
    if kind == "csv":
        data = "\n".join(",".join(c or "" for c in row) for row in cells).encode()
    else:
        book = openpyxl.Workbook()
        for row in cells:
            book.active.append(row)
        sink = io.BytesIO()
        book.save(sink)
        data = sink.getvalue()
    reading = one(data, f"x.{kind}")
    assert len(reading.frame) == 1 + between + rows
    said = " ".join(reading.notes)
    assert bool(re.search(r"between the others", said)) == (between > 0)
    if kind == "csv":  # openpyxl writes no empty row at the end
        assert bool(re.search(r"at the end without a single value", said)) == (end > 0)


def peak_of(data, name):
    tracemalloc.start()
    try:
        one(data, name)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_small_archive_takes_little_memory():
    """`read(bound + 1)` takes the bound first: two gigabytes for two hundred bytes."""
    text = b"a,b\n1,2\n"
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("x.csv", text)
    for data, name in ((gzip.compress(text), "x.csv.gz"), (sink.getvalue(), "x.zip")):
        one(data, name)  # what is imported is not counted
        assert peak_of(data, name) < 20_000_000


LONG = "x" * 1_000_000


def parquet_bomb(*names):
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(10_000, np.int32)), pa.array([LONG]))
    table = pa.table({"x": column, "n": np.arange(10_000)}).select(names)
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink, store_schema=False)
    return sink.getvalue()


def arrow_bomb(opener):
    table = pa.table({"x": np.zeros(20_000_000)})
    sink = io.BytesIO()
    with opener(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as out:
        out.write_table(table)
    return sink.getvalue()


def repeated_arrow():
    column = pa.RunEndEncodedArray.from_arrays(pa.array([2**31 - 2], pa.int32()), pa.array(["x"]))
    sink = io.BytesIO()
    table = pa.table({"x": column})
    with pa.ipc.new_file(sink, table.schema) as out:
        out.write_table(table)
    return sink.getvalue()


def far_sheet(cell):
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4]):
        book.active.append(row)
    book.active[cell] = " "
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("runs.arrow", repeated_arrow, "runs.arrow has 2,147,483,646 rows, more than the 20,000,000 allowed"),
        ("far.xlsx", lambda: far_sheet("XFD1048576"), "Sheet 'Sheet' of far.xlsx reaches to cell XFD1048576, 17,179,869,184 cells"),
        ("wide.xlsx", lambda: far_sheet("XFD2000"), "reaches to cell XFD2000, 32,768,000 cells in all"),
        ("text.csv", lambda: b"a,b\n" + b"1,2\n" * 3_000_000, "text.csv needs about 42 MB of memory"),
    ],
)  # fmt: skip
def test_what_would_unpack_beyond_the_limit_is_refused_before_it_does(name, data, said):
    packed = data()
    before = pa.total_allocated_bytes()
    with pytest.raises(DisclosureError, match=re.escape(said)):
        read(packed, name, limits=Limits(memory=30))
    assert pa.total_allocated_bytes() - before < 20_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("first.parquet", lambda: parquet_bomb("x", "n")),
        ("bomb.parquet", lambda: parquet_bomb("n", "x")),
        ("bomb.feather", lambda: arrow_bomb(pa.ipc.new_file)),
        ("stream.arrow", lambda: arrow_bomb(pa.ipc.new_stream)),
    ],
)
def test_what_unpacks_beyond_the_limit_takes_a_child_with_it_or_is_not_unfolded(name, data):
    """A text of a megabyte that stands for 10 GB is read as one, and refused before every record has its own."""
    packed = data()
    before = pa.total_allocated_bytes()
    with pytest.raises(
        DisclosureError, match=f"^{re.escape(name)} needs more than the 80 MB of memory allowed; remove"
    ):
        read(packed, name, limits=Limits(memory=80))
    assert pa.total_allocated_bytes() - before < 20_000_000


def test_a_space_far_away_is_no_record_and_no_column():
    reading = one(far_sheet("H40"), "x.xlsx")
    assert reading.frame.shape == (2, 2)
    assert Study(reading.frame, [reading.frame]).columns["a"].levels == ("1", "3")


def test_lines_are_of_one_encoding():
    lines = ["k,x", *("1,Zürich" for _ in range(9))]
    data = "\n".join(lines).encode() + b"\n1,Z\xfcrich\n"
    with pytest.raises(DisclosureError, match="Line 11 of x.csv is not UTF-8, as the other lines are; save the file"):
        read(data, "x.csv")
    assert one(data, "x.csv", encoding="cp1252").frame["x"].tolist()[-1] == "Zürich"
    for head in ("ab", "abc", "abcd"):  # a letter of two bytes at the end of each piece that is looked at, and within
        assert set(one("\n".join([head, *["é"] * 400_000]).encode(), "x.csv").frame[head]) == {"é"}


def test_a_cell_may_be_long():
    assert one(b"k,x\n1," + b"y" * 500_000 + b"\n2,z\n", "x.csv").frame["x"].str.len().tolist() == [500_000, 1]


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("numbers", [[2**62, 1], [-(2**62), 1], [1], [-1, 0]])
def test_a_number_is_not_taken_for_the_size_of_what_is_packed(numbers, compression):
    """Only a packed part of an Arrow file begins with its size; elsewhere a large number stands there."""
    table, sink = pa.table({"k": ["a"] * len(numbers), "n": numbers}), io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=None if compression == "uncompressed" else compression)
    with pa.ipc.new_file(sink, table.schema, options=options) as file:
        file.write_table(table)
    assert one(sink.getvalue(), "a.arrow").frame["n"].tolist() == numbers
