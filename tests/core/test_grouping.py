"""Intervals against those of the plain counter, and at every size."""

# Inside: values are cut into groups without a study of them.

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study, assess
from disclosure_core.data.grouping import group_values, own_intervals
from tests.reference.plainly import levels

whole, tenths = st.integers(-50, 50), st.integers(-500, 500).map(lambda x: x / 10)
small = st.floats(-1e6, 1e6).map(lambda x: round(x, 3) + 0.0)
beyond = st.integers(2**53 - 5, 2**53 + 5)
"""Whole numbers of which floats hold only every other."""


@given(
    st.one_of(*(st.lists(kind, min_size=1, max_size=80) for kind in (whole, tenths, small, beyond))),
    st.lists(st.one_of(whole, tenths), max_size=10),
    st.integers(2, 50),
    st.integers(0, 2),
)
def test_each_value_falls_on_the_side_of_each_break_that_fractions_say(records, others, n, n_codes):
    """`others` are values of a holdout, which sets no break and may fall on one."""
    pool = (
        records + others if all(isinstance(r, int) for r in records + others) else [float(r) for r in records + others]
    )
    records = pool[: len(records)]  # beside a float a whole number is one, and beyond 2⁵³ perhaps another
    values = np.unique(np.array(pool))
    counts = np.array([sum(r == v for r in records) for v in values.tolist()])
    grouping = group_values(values, counts, n, n_codes)
    numbers = {levels.plain(each): each for each in map(levels.number, values.tolist())}
    codes = {Decimal(10**30 + i) for i in range(n_codes)}
    expected = levels.grouped(numbers, dict(zip(numbers, counts.tolist(), strict=True)), n, codes)
    if grouping is None:
        assert not expected
        return
    last = len(grouping.labels) - 1
    for (text, value), group in zip(numbers.items(), grouping.group.tolist(), strict=True):
        if text in expected:
            assert grouping.labels[group] == expected[text], value
        else:
            assert group == (0 if value < grouping.breaks[0] else last), value
    assert set(expected.values()) <= set(grouping.labels)
    assert len(set(grouping.labels)) == len(grouping.labels)


FINITE = st.one_of(
    st.integers(-20, 20), st.sampled_from([0.1, 0.3, 1e-7, 2.5, -2.5, 1e20, 2**60]), st.floats(-30, 30, width=32)
)


@given(
    values=st.lists(st.one_of(FINITE, st.sampled_from([math.inf, -math.inf])), min_size=1),
    further=st.lists(FINITE, min_size=1), breaks=st.lists(FINITE, min_size=1, max_size=4),
)  # fmt: skip
def test_own_breaks_cut_any_number_where_it_is_written(values, further, breaks):
    """The interval of a number is told by the breaks alone: as many begin at or below it, in exact decimals."""
    at = sorted({float(f"{float(b):.15g}") for b in breaks})
    found = own_intervals(np.array(sorted(set(map(float, values)))), at)
    written = [Fraction(f"{b:.15g}") for b in at]
    for each, group in (values, found.group), (further, found.within(np.array(sorted(set(map(float, further)))))):
        assert group.tolist() == [
            sum(b <= v if math.isinf(v) else b <= Fraction(repr(v)) for b in written)
            for v in sorted(set(map(float, each)))
        ]
    assert len(set(found.labels)) == len(at) + 1


def test_own_breaks_say_what_is_empty_and_where_nothing_is_told_apart():
    of = study([-8.0] * 10 + [16.0, 17.0, 30.0, 16.0], codes={"income": [-8]})
    column, notes = of.grouped("income", (0, 18))
    assert column.labels == ("-8", "<0", "[0,18)", ">=18", "Missing")
    assert column.counts[0].tolist() == [10, 0, 3, 1, 0]
    assert [note.text for note in notes] == ["'income': no record is in <0; the breaks stay as they are."]
    assert not notes[0].warning
    (note,) = of.grouped("income", (40, 50))[1]
    assert note.warning
    assert note.text == (
        "'income': all records are in one group, because every break is outside the data; give other breaks."
    )
    assert of.grouped("income", (17,))[1] == ()


@pytest.mark.slow
@pytest.mark.parametrize("n", [14, 18, 20, 25, 40, 50])
def test_a_value_that_is_exactly_a_quantile_opens_its_interval_at_every_size(n):
    """With `(N - 1) * (i / n)` in floating point, 2 to 3 % of these sizes put one value an interval too low."""
    for size in range(n + 1, 900):
        values = np.arange(size)
        grouping = group_values(values, np.ones(size, dtype=int), n)
        # With the values 0 … N − 1 the i-th break is (N − 1)·i / n itself, and x lies in interval floor(x·n / (N − 1)).
        assert grouping.group.tolist() == [min(x * n // (size - 1), n - 1) for x in range(size)], size


def test_intervals_that_the_original_leaves_empty_count():
    """The original's values lie in one interval; three are made, so that equal widths are not called for."""
    frames = pd.DataFrame({"income": [1.0] * 4}), pd.DataFrame({"income": [float(x) for x in range(1, 11)]})
    column, notes = Study(frames[0], [frames[1]]).grouped("income", 3)
    assert column.labels == ("[1,1.3333333)", "[1.3333333,5.6666667)", "[5.6666667,10]", "Missing")
    assert column.counts[0].tolist() == [4, 0, 0, 0]
    assert notes == ()


@pytest.mark.parametrize("n", [5, 6, 10_000])
def test_as_many_groups_as_values_leave_every_value_a_level_called_by_itself(n):
    income = [-8.0] * 10 + [1.0, 2.0, 2.5, 17.0, 17.0, 30.0]
    column, notes = study(income, codes={"income": [-8]}).grouped("income", n)
    assert column.labels == ("-8", "1", "2", "2.5", "17", "30", "Missing")
    assert (
        notes[0].text == f"'income' has 5 different values, no more than the {n:,} groups asked for: each is a level."
    )
    assert "[" in "".join(study(income, codes={"income": [-8]}).grouped("income", 4)[0].labels)


@pytest.mark.parametrize("start", [0, 2**53, 10**19, 10**30, Decimal("0.1"), Decimal("1000000000000000000000.1")])
def test_values_that_no_float_holds_are_grouped_exactly(start):
    """Neighbours that are one float fall on both sides of a break, and labels keep them apart."""
    values = np.array([start + i for i in range(9)], dtype=object)
    grouping = group_values(values, np.ones(9, dtype=int), 4)
    assert grouping.group.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 3]
    assert grouping.labels[1].startswith(f"[{int(start) + 2}")
    assert len(set(grouping.labels)) == 4


def test_one_or_two_values_are_levels_and_no_intervals_of_equal_width():
    assert study([3, 7] * 5).grouped("income", 2)[0].labels == ("3", "7", "Missing")
    assert study([3] * 10).grouped("income", 4)[0].labels == ("3", "Missing")


@pytest.mark.parametrize(
    ("values", "counts", "n", "labels", "equal_width"),
    [
        ([1, 2, 3, 4], [1, 1, 1, 1], 2, ("[1,2.5)", "[2.5,4]"), True),  # two groups are fewer than three
        ([1, 2, 3, 4, 5, 6], [1] * 6, 3, ("[1,2.6666667)", "[2.6666667,4.3333333)", "[4.3333333,6]"), False),
        ([0, 1, 2, 3, 4, 5], [95, 1, 1, 1, 1, 1], 4, ("[0,1.25)", "[1.25,2.5)", "[2.5,3.75)", "[3.75,5]"), True),
        ([0, 1e9, 2e9, 3e9], [1] * 4, 3, ("[0,1000000000)", "[1000000000,2000000000)", "[2000000000,3000000000]"), False),
        ([1e-7, 2e-7, 3e-7, 4e-7], [1] * 4, 3, ("[0.0000001,0.0000002)", "[0.0000002,0.0000003)", "[0.0000003,0.0000004]"), False),
    ],
)  # fmt: skip
def test_labels(values, counts, n, labels, equal_width):
    values = np.array(values, dtype=float)
    grouping = group_values(values, np.array(counts), n)
    assert grouping.labels == labels
    assert grouping.equal_width is equal_width


def test_breaks_that_eight_digits_do_not_tell_apart_get_more():
    values = np.array([1.0, 1.000000001, 1.000000002, 1.000000003])
    grouping = group_values(values, np.ones(4, dtype=int), 3)
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
    column, notes = study([0.0] * 96 + [1.0, 2.0, 5.0, 10.0]).grouped("income", 4)
    assert "4 intervals of equal width are used" in notes[0].text
    assert column.labels == ("[0,2.5)", "[2.5,5)", "[5,7.5)", "[7.5,10]", "Missing")


def test_equal_widths_name_the_file_that_alone_has_an_end():
    """One odd number in one file moves all intervals: nobody should have to look for it."""
    incomes = [0.0] * 96 + [1.0, 2.0, 5.0, 10.0]
    (note,) = study(incomes, [*incomes[:-1], 900.0]).grouped("income", 4)[1]
    assert note.text.endswith(
        "equal width are used. They are made from all files: the largest, 900, is in the synthetic data set alone."
    )
    (note,) = study([-3.0, *incomes[1:]], incomes).grouped("income", 4)[1]
    assert note.text.endswith("made from all files: the smallest, -3, is in the original alone.")
    assert study(incomes).grouped("income", 4)[1][0].text.endswith("equal width are used.")


def test_fewer_groups_than_asked_is_said():
    _, notes = study([1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0]).grouped("income", 4)
    assert "4 groups asked for, 3 made" in notes[0].text


def test_a_column_that_is_not_numeric_is_left_alone_and_said():
    data = study([1.0, 2.0])
    column, notes = data.grouped("sex", 5)
    assert column is data.columns["sex"]
    assert notes[0].text == "'sex' is not numeric, so it was not grouped."
    assert assess(data, Settings(keys=("income",), groups={"sex": 5})).notes == notes


def test_infinite_values_are_a_sentence():
    with pytest.raises(DisclosureError, match="infinite values cannot be grouped"):
        study([1.0, 2.0, 3.0, float("inf")]).grouped("income", 3)
    exact = pd.DataFrame({"k": [Decimal("0.12345678901234567890") + i for i in range(9)], "t": list("xyz") * 3})
    infinite = exact.assign(k=[*map(float, range(8)), np.inf])
    with pytest.raises(DisclosureError, match="infinite values cannot be grouped"):
        assess(Study(exact, [infinite]), Settings(keys=("k",), groups={"k": 3}))


def test_all_missing_stays_missing():
    column, _ = study([None, None]).grouped("income", 3)
    assert column.labels[-1] == "Missing"


@given(st.data())
def test_a_missing_code_is_told_from_numbers_that_floats_do_not_tell_it_from(data):
    """numpy makes floats of 0 and 2^64 − 1 together: 2^64 − 2 was then a missing code, too."""
    last = data.draw(st.sampled_from([2**53, 2**63, 2**64 - 2]))
    values = [0, 1, 2, 3, last, last + 1]
    frame = pd.DataFrame({"n": np.array(values, dtype=np.uint64)})
    codes = data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True))
    column, _ = Study(frame, [frame], {"n": list(map(str, codes))}).grouped("n", 2)
    alone = {label for label in column.labels if not label.startswith("[") and label != "Missing"}
    assert alone == set(map(str, codes))
    assert {values[i] for i, c in enumerate(column.original.tolist()) if column.label(c) in alone} == set(codes)
