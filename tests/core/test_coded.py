"""A table held as codes gives back what it was made of, to the last bit, and takes less room."""

# Inside: how a table is held as codes and sent from a child is no promise to users.

import datetime as dt
import json
import random
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from disclosure_core import DisclosureError, Review, Study, demo, start_demonstration, start_tables
from disclosure_core.data.coded import CodedColumn, CodedTable, coded
from disclosure_core.data.readers import _wire
from disclosure_core.data.readers._reading import held_bytes
from tests.reading import read_in_process

COLUMNS = {
    "texts": pd.Series(["b", None, "a", "b", "", " a"]),
    "texts of Python": pd.Series(["b", None, "a", np.nan, "b"], dtype=object),
    "floats": pd.Series([0.0, -0.0, np.nan, 1.5, np.inf, 1e-300]),
    "short floats": pd.Series([0.1, np.nan, -0.0], dtype="float32"),
    "whole numbers": pd.Series([2**62, -5, 2**62, 0]),
    "large numbers": pd.Series([2**64 - 1, 0, 2**63], dtype="uint64"),
    "whole numbers with gaps": pd.Series([3, None, 1], dtype="Int64"),
    "floats with gaps": pd.Series([3.5, None, -0.0], dtype="Float64"),
    "yes and no": pd.Series([True, False]),
    "yes and no with gaps": pd.Series([True, None], dtype="boolean"),
    "moments": pd.Series(pd.to_datetime(["2020-01-01", None, "1999-12-31T23:59:59.5"], format="ISO8601")),
    "moments in a zone": pd.Series(pd.to_datetime(["2020-10-25T00:30Z", None, "2020-10-25T01:30Z"])).dt.tz_convert("Europe/Rome"),
    "spans": pd.Series(pd.to_timedelta(["1D", None])),
    "categories": pd.Series(pd.Categorical(["b", None, "a"], categories=["z", "b", "a"], ordered=True)),
    "categories of numbers": pd.Series(pd.Categorical([2, 1, None], categories=[3, 2, 1])),
    "mixed": pd.Series([1, True, 1.0, "1", None, dt.date(2020, 1, 1), Decimal("1.10")], dtype=object),
    "days": pd.Series([dt.date(2020, 1, 1), None], dtype=object),
    "periods": pd.Series(pd.period_range("2020", periods=2, freq="M")),
    "Arrow's": pd.Series(["a", None], dtype=pd.ArrowDtype(pa.string())),
    "all missing": pd.Series([None, None], dtype="str"),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("times", [1, 40], ids=["few", "many"])
def test_a_column_comes_back_to_the_last_bit_and_is_counted_as_it_was(name, times):
    values = pd.concat([COLUMNS[name]] * times, ignore_index=True)
    column, back = coded(values), CodedTable.of(values.to_frame("x"))["x"]
    pd.testing.assert_series_equal(back, values.rename("x"), check_exact=True)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind == "f":
        assert back.to_numpy().tobytes() == values.to_numpy().tobytes()  # -0.0 is not 0.0
    assert len(column) == len(values) == column.records.sum()
    some = np.array([len(values) - 1, 0])
    pd.testing.assert_series_equal(column.at(some), values.iloc[some].reset_index(drop=True))
    frame, other = values.to_frame("x"), values[::-1].reset_index(drop=True).to_frame("x")
    plain, held = Study(frame, [other]), Study(CodedTable.of(frame), [CodedTable.of(other)])
    for a, b in ((plain.columns["x"], held.columns["x"]),):
        assert (a.kind, a.ordered, a.levels) == (b.kind, b.ordered, b.levels)
        assert a.original.tolist() == b.original.tolist()
        assert a.synthetic[0].tolist() == b.synthetic[0].tolist()
    assert plain.notes == held.notes


def test_many_records_of_few_values_take_a_byte_each():
    n = 100_000
    at = np.arange(n) % 7
    frame = pd.DataFrame({"text": np.array(list("abcdefg"))[at], "number": at * 1.5, "whole": at, "own": np.arange(n)})
    table = CodedTable.of(frame)
    bytes_each = {name: (c.values.nbytes + (0 if c.codes is None else c.codes.nbytes)) / n for name, c in table.held()}
    assert max(bytes_each[name] for name in ("text", "number", "whole")) < 1.01
    assert bytes_each["own"] == 8  # a number of its own in each record: codes would take more
    pd.testing.assert_frame_equal(table.frame(), frame)
    other = table.assign(text=frame["number"])
    pd.testing.assert_frame_equal(other.frame(), frame.assign(text=frame["number"]))


def test_names_an_index_and_a_change_to_the_frame():
    frame = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", None]}, index=pd.Index([5, 3], name="row"))
    frame.columns.name = "columns"
    table = CodedTable.of(frame)
    pd.testing.assert_frame_equal(table.frame(), frame)
    asked = table.frame()
    asked.iloc[0, 0] = 9  # nobody's but his who asked
    pd.testing.assert_frame_equal(table.frame(), frame)
    assert "x" not in repr(table)


@pytest.mark.parametrize("form", ["dictionary", "plain", "in pieces"])
def test_texts_of_parquet_are_texts_however_they_lie_there(tmp_path, form):
    texts = pa.array([["b", "a", None, "ü", ""][i % 5] for i in range(1000)])
    table = pa.table({"text": texts, "category": texts.dictionary_encode(), "own": [f"n{i}" for i in range(1000)]})
    path = tmp_path / "x.parquet"
    pa.parquet.write_table(
        table, path, use_dictionary=form != "plain", row_group_size=300 if form == "in pieces" else None
    )
    (reading,) = read_in_process(path, path.name)
    assert reading.frame["text"].dtype == "str"
    assert reading.frame["category"].dtype == "category"
    assert reading.frame["text"].tolist()[:2] == ["b", "a"]
    for name in table.column_names:
        assert [None if pd.isna(v) else v for v in reading.frame[name]] == table[name].to_pylist()
    assert reading.table.column("own").codes is None


def test_a_table_in_chunks_with_dictionaries_of_their_own_is_read_as_one():
    chunks = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    table = pa.table({"age": [30, 30, 41, 41], "job": pa.chunked_array(chunks)})
    opened = Review.of(["age"]).open(table, [table.slice(1)])
    assert [list(map(str, frame["job"])) for frame in opened.frames()] == [["b", "a", "c", "a"], ["a", "c", "a"]]
    with pytest.raises(DisclosureError, match="The original has no records"):
        Review.of(["age"]).open(table.slice(0, 0), [table])


def test_reviews_of_one_set_of_frames_hold_no_texts_of_every_record():
    opened = start_tables(demo.original(), {"synthetic": demo.syntheses()})
    pd.testing.assert_frame_equal(opened.frames()[0], demo.original())
    assert all(
        column.codes is not None or column.values.dtype != "str"
        for reading in start_demonstration().readings()
        for _, column in reading.table.held()
    )


@pytest.mark.parametrize(
    ("data", "at_most"), [(b"sex,age\n" + b"f,30\nm,41\n" * 9000, 0.05), (random.Random(1).randbytes(90_000), 1.0)]
)
def test_a_file_is_held_packed_where_that_saves_and_comes_back_as_it_was(data, at_most):
    file = held_bytes(data)
    assert len(file.held) <= at_most * len(data)
    assert file.data == data


@pytest.mark.parametrize("harm", ["one column less", "one column more", "one record less"])
def test_what_comes_from_a_child_is_what_was_announced_or_nothing(harm):
    (reading,) = read_in_process(b"a,b\n1,x\n2,y\n", "a.csv")
    head, *columns = _wire.messages(reading)
    columns = [_wire.column_of(json.loads(json.dumps(said)), [np.frombuffer(b, np.uint8) for b in buffers]) for said, buffers in columns]  # fmt: skip
    assert _wire.assembled(head, columns).frame.equals(reading.frame)
    shorter = CodedColumn(pd.Series([1]))
    wrong = {
        "one column less": columns[:1],
        "one column more": [*columns, columns[0]],
        "one record less": [columns[0], shorter],
    }
    with pytest.raises(ValueError, match="announced"):
        _wire.assembled(head, wrong[harm])
