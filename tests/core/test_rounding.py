"""How numbers are written and held against thresholds: tables of cases, and fractions."""

# Inside: numbers as they are written and compared are what is tested.

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Settings, Study, Thresholds, assess
from disclosure_core.rounding import above, beside_limit, compare, difference, exceeds, plain, printable, quantity
from tests.written import fixed, percent, rounded, score

shares = st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)).filter(lambda p: p[0] <= p[1])


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 2, "0.13"),  # Python's own rounding, half to even, says 0.12
        (2.675, 2, "2.68"),  # held as 2.67499999999999982236431605997495353221893310546875
        (100 * 107 / 4000, 2, "2.68"),
        (-0.125, 2, "−0.13"),
        (-0.004, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (0.5, 0, "1"),
        (2.5, 0, "3"),
        (1234567.005, 2, "1,234,567.01"),
        (1_234_567, 0, "1,234,567"),
        (np.int64(12), 2, "12.00"),
        (float("nan"), 2, "–"),
        (1e300, 0, f"{10**300:,}"),
    ],
)
def test_a_figure_is_written_half_away_from_zero(value, digits, text):
    assert fixed(value, digits) == text
    assert math.isnan(value) or rounded(value, digits) == float(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize(("value", "text"), [(0.125, "+0.13"), (-0.125, "−0.13"), (-0.001, "0.00"), (0.001, "0.00")])
def test_a_signed_zero_has_no_sign(value, text):
    assert fixed(value, sign=True) == text


@given(shares)
def test_a_share_of_counts_is_rounded_as_the_fraction_is(share):
    part, whole = share
    exact = Fraction(100 * part, whole)
    expected = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert fixed(100 * part / whole) == fixed(100 * (part / whole)) == f"{expected:f}"


@pytest.mark.parametrize(
    ("value", "text"),
    [(90.5, "90.5"), (2000, "2,000"), (90.0, "90"), (0.1, "0.1"), (1e-7, "0.0000001"), (10**20, f"{10**20:,}")],
)
def test_what_somebody_set_keeps_every_digit(value, text):
    assert plain(value) == text


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [(10.004, 10, "10.004"), (10, 10, "10.00"), (9.99999, 10, "9.99999"), (43.252, 10, "43.25")],
)
def test_a_figure_that_passed_its_limit_does_not_look_like_it(value, limit, text):
    assert beside_limit(value, limit) == text


def test_equality_is_no_excess():
    assert not above(100 * (0.8 - 0.7), 10)
    assert not above((0.1 + 0.1 + 0.1) / 3, 0.1)
    assert compare(100 * (0.8 - 0.7), 10) == 0
    assert above(10.00000001, 10)
    assert not above(float("nan"), 0)
    assert difference([0.8, 1 / 3, 0.1 + 0.2], [0.7, 1 / 3, 0.3]).tolist() == [0.1, 0, 0]


@given(st.lists(shares, min_size=1, max_size=20), st.decimals(0, 100, places=5))
def test_counts_exceed_a_share_as_fractions_do(found, percent):
    part, whole = (np.array(side) for side in zip(*found, strict=True))
    expected = [Fraction(100 * p, w) > Fraction(str(percent)) for p, w in found]
    assert exceeds(part, whole, float(percent)).tolist() == expected


def test_shares_that_no_float_holds_are_compared_exactly():
    counts = np.array([333, 334, 10**15 + 1]), np.array([1000, 1000, 3 * 10**15])
    assert exceeds(*counts, 33.3).tolist() == [False, True, True]
    assert exceeds(*counts, 33.33333333333337).tolist() == [False, True, False]


def test_a_check_is_not_raised_by_a_share_that_equals_its_threshold():
    """32.3 % of 1,000 are 323; as a product of floats they are fewer, and the flag went up."""
    assert 32.3 * 1000 < 100 * 323  # else the case tests nothing
    n = 1000
    frame = pd.DataFrame({"k": range(n), "t": ["a"] * 323 + [f"b{i}" for i in range(n - 323)]})
    study = Study(frame, [frame])
    for share, flagged in ((32.3, False), (32.29, True)):
        risk = assess(study, Settings(keys=("k",), thresholds=Thresholds(one_way=(50, share)))).targets["t"]
        assert (risk.one_way[0] is not None) is flagged


@pytest.mark.parametrize("percent", [5e-324, 1e-300, 99.99999999999999, 33.3333333333333])
def test_a_share_of_many_digits_is_compared_exactly_also_with_counts_of_nothing(percent):
    part, whole = np.array([0, 1, 3]), np.array([0, 3, 3])
    exact_share = Fraction(repr(percent)) / 100
    expected = [p > w * exact_share for p, w in zip(part.tolist(), whole.tolist(), strict=True)]
    assert exceeds(part, whole, percent).tolist() == expected
    assert exceeds(part[:1], whole[:1], percent).tolist() == [False]


def test_a_share_stands_as_it_is_and_what_is_no_letter_as_its_code():
    """The report printed "now 15.92\\xa0%"."""
    assert printable(f"now {percent('15.92')}: confirm") == "now 15.92\N{NO-BREAK SPACE}%: confirm"
    assert printable("a\N{NO-BREAK SPACE}b\x1b[1m\n\t", "\n") == "a\\xa0b\\x1b[1m\n\\t"


@pytest.mark.parametrize(
    ("value", "least", "text"),
    [(0.0018, 2, "0.0018"), (0.25, 2, "0.25"), (0.25, 3, "0.250"), (0.000013, 3, "0.000013"), (-0.00042, 3, "−0.00042"),
     (0.0, 3, "0.000"), (1.0, 2, "1.00"), (0.0099999, 2, "0.0100"), (1e-30, 2, "0.000000000")],
)  # fmt: skip
def test_a_score_shows_two_digits_however_small(value, least, text):
    assert score(value, least) == text


@pytest.mark.parametrize(
    ("asked", "text"),
    [((1, "record"), "1 record"), ((0, "record"), "0 records"), ((1204, "synthesis", "syntheses"), "1,204 syntheses")],
)
def test_one_is_not_many(asked, text):
    assert quantity(*asked) == text
