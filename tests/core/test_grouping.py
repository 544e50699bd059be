"""Intervals against numpy's quantiles over the records themselves."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study, assess
from disclosure_core.grouping import group_values

numbers = st.lists(st.one_of(st.integers(-50, 50), st.floats(-1e6, 1e6).map(lambda x: round(x, 3))), min_size=1, max_size=60)  # fmt: skip


@given(numbers, st.integers(2, 25))
def test_quantiles_of_the_records(records, n):
    records = np.array(records, dtype=float)
    values, counts = np.unique(records, return_counts=True)
    grouping = group_values(values, counts, np.ones(values.size, dtype=bool), n)
    breaks = np.unique(np.quantile(records, np.arange(n + 1) / n))
    if grouping.equal_width:
        assert np.unique(np.clip(np.searchsorted(breaks, values, "right") - 1, 0, max(len(breaks) - 2, 0))).size < 3
        breaks = np.linspace(values[0], values[-1], n + 1)
    # A value within a rounding error of a break may stand on either side of it.
    near = np.isclose(values[:, None], breaks[None, :], rtol=1e-12, atol=1e-9).any(axis=1) & ~np.isin(values, breaks)
    expected = np.clip(np.searchsorted(np.unique(breaks), values, "right") - 1, 0, max(np.unique(breaks).size - 2, 0))
    assert (grouping.group[~near] == expected[~near]).all()
    assert grouping.group.min() >= 0
    assert grouping.group.max() < len(grouping.labels)
    assert (np.diff(grouping.group) >= 0).all()
    assert len(set(grouping.labels)) == len(grouping.labels)


@pytest.mark.parametrize(
    ("values", "counts", "n", "labels", "equal_width"),
    [
        ([1, 2, 3, 4], [1, 1, 1, 1], 2, ("[1,2.5)", "[2.5,4]"), True),  # two groups are fewer than three
        ([1, 2, 3, 4, 5, 6], [1] * 6, 3, ("[1,2.6666667)", "[2.6666667,4.3333333)", "[4.3333333,6]"), False),
        ([0, 1, 2], [80, 10, 10], 5, ("[0,0.4)", "[0.4,0.8)", "[0.8,1.2)", "[1.2,1.6)", "[1.6,2]"), True),
        ([7], [9], 4, ("[7,7]",), True),
        ([0, 1e9, 2e9, 3e9], [1] * 4, 3, ("[0,1000000000)", "[1000000000,2000000000)", "[2000000000,3000000000]"), False),
        ([1e-7, 2e-7, 3e-7], [1] * 3, 3, None, None),
    ],
)  # fmt: skip
def test_labels(values, counts, n, labels, equal_width):
    values = np.array(values, dtype=float)
    grouping = group_values(values, np.array(counts), np.ones(values.size, dtype=bool), n)
    assert not any("e" in label for label in grouping.labels)
    if labels:
        assert grouping.labels == labels
        assert grouping.equal_width is equal_width


def test_breaks_that_eight_digits_do_not_tell_apart_get_more():
    values = np.array([1.0, 1.000000001, 1.000000002, 1.000000003])
    grouping = group_values(values, np.ones(4, dtype=int), np.ones(4, dtype=bool), 3)
    assert grouping.labels == ("[1,1.000000001)", "[1.000000001,1.000000002)", "[1.000000002,1.000000003]")


def study(income, synthetic=None, codes=None):
    frame = pd.DataFrame({"sex": ["f", "m"] * (len(income) // 2), "income": income})
    other = frame if synthetic is None else frame.assign(income=synthetic)
    return Study(frame, [other], missing_codes=codes or {})


def test_missing_codes_and_missing_stay_apart():
    income = [-8.0] * 10 + [None] * 4 + list(range(100, 126))
    column, notes = study(income, codes={"income": [-8]}).grouped("income", 4)
    assert column.labels == ("-8", "[100,106)", "[106,112.5)", "[112.5,119)", "[119,125]", "Missing")
    assert column.counts[0].tolist() == [10, 6, 7, 6, 7, 4]
    assert notes == ()
    without, _ = study(income).grouped("income", 4)
    assert without.labels[0].startswith("[-8,")


def test_breaks_come_from_both_sides():
    low, high = [float(x) for x in range(10)], [float(x) for x in range(100, 110)]
    column, _ = study(low, high).grouped("income", 6)
    assert column.labels[1:4] == ("[3.1666667,6.3333333)", "[6.3333333,54.5)", "[54.5,102.66667)")
    assert column.counts.tolist() == [[4, 3, 3, 0, 0, 0, 0], [0, 0, 0, 3, 3, 4, 0]]


def test_few_levels_fall_back_to_equal_widths_and_say_so():
    column, notes = study([0.0] * 18 + [5.0, 10.0]).grouped("income", 5)
    assert "5 intervals of equal width are used" in notes[0].text
    assert column.labels == ("[0,2)", "[2,4)", "[4,6)", "[6,8)", "[8,10]", "Missing")


def test_fewer_groups_than_asked_is_said():
    _, notes = study([1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 5.0]).grouped("income", 6)
    assert "6 groups asked for, 4 made" in notes[0].text


def test_a_column_that_is_not_numeric_is_left_alone_and_said():
    data = study([1.0, 2.0])
    column, notes = data.grouped("sex", 5)
    assert column is data.columns["sex"]
    assert notes[0].text == "'sex' is not numeric, so it was not grouped."
    assert assess(data, Settings(keys=("income",), groups={"sex": 5})).notes == notes


def test_infinite_values_are_a_sentence():
    with pytest.raises(DisclosureError, match="infinite values cannot be grouped"):
        study([1.0, float("inf")]).grouped("income", 3)


def test_all_missing_stays_missing():
    column, _ = study([None, None]).grouped("income", 3)
    assert column.labels[-1] == "Missing"
