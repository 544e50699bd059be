"""Making files comparable: types, levels, missing values, and the sentence said of each."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from disclosure_core import DisclosureError, Study
from disclosure_core.data.values import Kind


def labels(original, synthetic):
    """The column's labels and both sides' records as a person sees them."""
    study = Study(pd.DataFrame({"x": original}), [pd.DataFrame({"x": synthetic})])
    column = study.columns["x"]
    shown = [[column.labels[code] for code in side] for side in (column.original, *column.synthetic)]
    return column, shown, [n.text for n in study.notes]


COLUMNS = {
    "floats": pa.array([0.1, None, float("nan"), 0.1]),
    "whole numbers beyond a float's": pa.array([2**53 + 1, 2**53, None, 2**53]),
    "small": pa.array([3, 1, 1, 2], pa.int8()),
    "unsigned": pa.array([2**64 - 1, 1, None, 1], pa.uint64()),
    "texts": pa.array(["b", "a", None, "b"]),
    "large texts": pa.array(["b", "a", None, "b"], pa.large_string()),
    "yes or no": pa.array([True, None, False, True]),
    "decimals": pa.array([1, 2, None, 1], pa.decimal128(10, 2)),
    "days": pa.array([datetime.date(2020, 1, 31), None, datetime.date(2019, 1, 1), None]),
    "moments": pa.array([1, 2, None, 1], pa.timestamp("us")),
    "listed": pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1]), ["no", "yes", "never used"]),
    "in order": pa.DictionaryArray.from_arrays(pa.array([1, None, 2, 1]), ["low", "mid", "high"], ordered=True),
    "a dictionary that says a level twice": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), ["a", "b", "a"]),
    "a dictionary with null": pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 0]), pa.array(["a", None])),
    "nothing": pa.nulls(4),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_an_arrow_table_is_read_as_the_frame_it_makes(name):
    values, half = COLUMNS[name], COLUMNS[name][1:3]
    chunks = pa.chunked_array([values[:1], values[1:]])
    tables = pa.table({"x": chunks, "y": ["a", "a", "b", "b"]}), pa.table({"x": half, "y": ["a", "b"]})
    study = Study(tables[0], [tables[1]])
    x = study.columns["x"]
    frames = [pd.DataFrame({"x": pd.Series(side.to_pylist(), dtype=object), "y": "a"}) for side in (values, half)]
    expected = Study(frames[0], frames[1:]).columns["x"]
    shown = [[c.labels[code] for code in side] for c in (x, expected) for side in (c.original, *c.synthetic)]
    assert shown[:2] == shown[2:]
    assert x.kind is expected.kind
    listed = {"listed": ("no", "yes"), "in order": ("mid", "high")}
    assert x.levels == listed.get(name, expected.levels)
    assert x.is_ordered_category is (name == "in order")


def test_number_against_text_is_said_aloud():
    column, shown, notes = labels([17, 2.5], ["17", "x"])
    assert column.kind is Kind.CATEGORY
    assert shown == [["17", "2.5"], ["17", "x"]]
    assert notes[0] == (
        "Column 'x' holds numbers in the original; text in the synthetic data set (1 cell, first in row 3: “x”): all are "
        "read as text. Correct the cell, or say which text stands for an empty cell."
    )
    words = ["17", "young", "old"]
    assert labels([17, 2.5, 3], words)[2][0] == (
        "Column 'x' holds numbers in the original; text in the synthetic data set: all are read as text."
    )
    frames = [pd.DataFrame({"x": x}) for x in ([17, 2.5, 3], [1, 2, 3], ["1", "2", "?"], words)]
    assert Study(frames[0], frames[1:]).notes[0].text == (
        "Column 'x' holds numbers in the original, synthesis 1; text in synthesis 2 (1 cell, first in row 4: “?”), "
        "synthesis 3: all are read as text. Correct the cell, or say which text stands for an empty cell."
    )


def test_categories_keep_their_order_and_lose_unused_ones():
    order = ["low", "middle", "high", "never used"]
    original = pd.Categorical(["high", "low"], categories=order, ordered=True)
    column, shown, _ = labels(original, pd.Categorical(["middle", "new"], categories=["new", "middle"], ordered=True))
    assert column.levels == ("low", "high", "new", "middle")
    assert column.is_ordered_category
    assert shown == [["high", "low"], ["middle", "new"]]
    both, _, _ = labels(original, pd.Categorical(["middle"], categories=order, ordered=True))
    assert both.levels == ("low", "high", "middle")
    assert labels(["b", "a"], pd.Categorical(["c", "a"], categories=["c", "a"]))[0].levels == ("b", "a", "c")


def test_numbers_stand_in_their_order_and_texts_are_sorted():
    assert labels([10, 9, 100], [1, 2, 3])[0].levels == ("1", "2", "3", "9", "10", "100")
    assert labels(["b", "a"], ["c", "a"])[0].levels == ("a", "b", "c")


def test_what_one_side_lacks_is_said():
    _, _, notes = labels(["a", "b", None], ["b", "c", "d"])
    assert notes == [
        "'x': 1 level only in the original: “a”.",
        "'x': 2 levels only in the synthetic data: “c”, “d”.",
        "'x' has missing values in the original and none in the synthetic data.",
    ]


def test_columns_that_are_not_common_are_left_out_and_said():
    original = pd.DataFrame({"b": [1], "a": [1], "secret": [1]})
    study = Study(original, [pd.DataFrame({"a": [1], "b": [1], "extra": [1]}), pd.DataFrame({"b": [2], "a": [1]})])
    assert list(study.columns) == ["b", "a"]
    assert [n.text for n in study.notes if n.warning] == [
        "The original has 'secret', which not every file has: ignored.",
        "Synthesis 1 has 'extra', which not every file has: ignored.",
    ]
    assert (study.n_original, study.n_synthetic) == (1, (1, 1))


def test_files_that_have_the_same_columns_are_named_together_and_another_spelling_is_asked_about():
    one, other = pd.DataFrame({"a": [1], "Marital status": [1]}), pd.DataFrame({"a": [1], "marital_status": [1]})
    assert [n.text for n in Study(one, [one, one, other]).notes if n.warning][:3] == [
        "The original, synthesis 1 and synthesis 2 have 'Marital status', which not every file has: ignored.",
        "Synthesis 3 has 'marital_status', which not every file has: ignored.",
        "'Marital status' and 'marital_status' may be one column: give it one name in all files to have it measured.",
    ]
    both = one.assign(marital_status=[2])
    assert not any("may be one column" in n.text for n in Study(both, [other.assign(b=1), one]).notes)


FRAME = pd.DataFrame({"x": [1, 2]})


@pytest.mark.parametrize(
    ("original", "synthetic", "sentence"),
    [
        (FRAME, [], "There is no synthetic data set to compare with; bring at least one."),
        (FRAME, FRAME, "Give the syntheses as a list, even if there is only one."),
        (
            FRAME,
            [[1, 2]],
            "The synthetic data set is not a table; give a pandas or Polars frame, an Arrow table, or what has Arrow's C interface.",
        ),
        (FRAME, pa.table({"x": [1]}), "Give the syntheses as a list, even if there is only one."),
        (pa.table({"x": [[1], [2]]}), [FRAME], "'x' holds lists or other values that are no single answer"),
        (FRAME, [FRAME, FRAME.iloc[:0]], "Synthesis 2 has no records; bring a file with at least one row."),
        (FRAME.iloc[:0], [FRAME], "The original has no records; bring a file with at least one row."),
        (FRAME, [FRAME.rename(columns={"x": "y"})], "have no column name in common; give both files the same header."),
        (pd.concat([FRAME, FRAME], axis=1), [FRAME], "The original has two columns called 'x'; rename one of them."),
        (pd.DataFrame({1: [1], "1": [2]}), [FRAME], "The original has two columns called '1'; rename one of them."),
    ],
)
def test_data_that_cannot_be_compared_are_a_sentence(original, synthetic, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        Study(original, synthetic)


INCOME = pd.DataFrame({"income": [-8.0] * 12 + [-9.0, 100, 200], "job": ["cook"] * 15})


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        ({"income": [-7]}, "The missing code -7 does not occur in 'income' of the original"),
        ({"income": [-8, -7]}, "The missing code -7 does not occur in 'income' of the original"),
        ({"income": ["x"]}, "The missing code 'x' of 'income' is not a number; correct it."),
        ({"job": [-8]}, "Missing codes only matter for a numeric column, and 'job' is not one; take them away."),
        ({"incom": [-8]}, "Column 'incom' is not in both the original and the synthetic data. Did you mean 'income'?"),
    ],
)
def test_a_wrong_missing_code_is_a_sentence(codes, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        Study(INCOME, [INCOME], missing_codes=codes)


def test_a_rare_missing_code_is_a_warning():
    study = Study(INCOME, [INCOME], missing_codes={"income": ["-8", -9]})
    assert study.missing_codes == {"income": (-9.0, -8.0)}
    said = [n for n in study.notes if n.warning]
    assert [n.text for n in said] == ["Only 1 original record has the missing code -9 in 'income'; is it right?"]
    assert study.with_missing_codes({}).notes == ()


def test_codes_are_small_and_cannot_be_changed():
    study = Study(pd.DataFrame({"x": range(300)}), [pd.DataFrame({"x": range(300)})])
    assert study.columns["x"].original.dtype == np.uint16
    with pytest.raises(ValueError, match="read-only"):
        study.columns["x"].original[0] = 1


def test_the_frames_given_are_not_touched():
    original, synthetic = INCOME.copy(), INCOME.copy()
    Study(original, [synthetic])
    pd.testing.assert_frame_equal(original, INCOME)
    pd.testing.assert_frame_equal(synthetic, INCOME)


def test_the_overview():
    frame = pd.DataFrame({"job": ["cook", "cook", None, "nurse"]})
    row = Study(frame, [frame.head(2)]).overview().iloc[0]
    assert row.to_dict() == {
        "column": "job", "type": "category", "levels_original": 2, "levels_synthetic": 1, "missing_original": 25.0,
        "missing_synthetic": 0.0, "missing_levels": "", "largest": "cook", "largest_original": 50.0, "largest_synthetic": 100.0,
    }  # fmt: skip
