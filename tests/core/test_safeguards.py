"""Safeguards do what they say, on the syntheses only, and no more than that."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from disclosure_core import DisclosureError, Settings, Study, assess, demo
from disclosure_core.safeguards import Cap, Coarsen, MergeLevels, RemoveReplicated, RemoveUniques, RoundTo, protect
from tests.core.test_against_brute_force import COLUMNS, cases, frame

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@given(cases())
def test_removing_replicated_uniques_leaves_none(case):
    original, synthetic, (settings, *_) = case
    plain = Settings(keys=settings.keys)
    keys = [name for name in COLUMNS if name in settings.keys]
    frames = [frame(side) for side in synthetic]
    q = lambda records: [tuple(r[k] for k in keys) for r in records]  # noqa: E731
    mine = Counter(q(original))
    for step, met in ((RemoveReplicated(), lambda n: n == 1), (RemoveUniques(), lambda n: n > 0)):
        gone = [sum(met(mine[k]) for k, n in Counter(q(side)).items() if n == 1) for side in synthetic]
        if any(n == len(side) for n, side in zip(gone, synthetic, strict=True)):
            with pytest.raises(DisclosureError, match="Nothing would be left of a synthesis"):
                protect(frame(original), frames, [step], plain)
            continue
        made = protect(frame(original), frames, [step], plain)
        assert made.n_removed == made.done[0].removed == tuple(gone)
        identity = assess(made.study, plain).identity
        assert identity["repU"].tolist() == [0] * len(frames)
        if isinstance(step, RemoveUniques):
            assert all(not any(mine[k] for k, n in Counter(map(tuple, f[keys].itertuples(index=False))).items() if n == 1)
                       for f in (m.where(m.notna(), None) for m in made.synthetic))  # fmt: skip
        # What is left is a part of what was there, in its order, and nothing of it was changed.
        for before, after in zip(frames, made.synthetic, strict=True):
            rows = iter(before.itertuples(index=False, name=None))
            assert all(any(same(row, other) for other in rows) for row in after.itertuples(index=False, name=None))


def same(a, b):
    return all(x == y or (pd.isna(x) and pd.isna(y)) for x, y in zip(a, b, strict=True))


NUMBERS = pd.DataFrame(
    {
        "pay": [-8.0, 0.0, 14.9, 15.0, 250.0, None],
        "n": [-8, 1, 2, 7, 8, 9],
        "town": pd.Categorical(["a", "a", "b", "c", None, "a"], categories=["c", "b", "a"], ordered=True),
    }
)
CODES = {"pay": (-8,), "n": (-8,)}


@pytest.mark.parametrize(
    ("step", "column", "expected", "changed"),
    [
        (Cap("pay", 1, 100), "pay", [-8, 1, 14.9, 15, 100, None], 2),
        (Cap("pay", high=20), "pay", [-8, 0, 14.9, 15, 20, None], 1),
        (Cap("n", low=2, high=8), "n", [-8, 2, 2, 7, 8, 8], 2),
        (RoundTo("pay", 10), "pay", [-8, 0, 10, 20, 250, None], 2),
        (RoundTo("n", 5), "n", [-8, 0, 0, 5, 10, 10], 5),
        (RoundTo("n", 0.5), "n", [-8, 1, 2, 7, 8, 9], 0),
        (MergeLevels("town", 2), "town", ["a", "a", "Other", "Other", None, "a"], 2),
        (MergeLevels("town", 2, "small"), "town", ["a", "a", "small", "small", None, "a"], 2),
        (Coarsen("n", 2), "n", ["-8", "[1,7)", "[1,7)", "[7,9]", "[7,9]", "[7,9]"], 5),
    ],
)
def test_each_step(step, column, expected, changed):
    before = NUMBERS.copy(deep=True)
    made = protect(NUMBERS, [NUMBERS, NUMBERS.head(5)], [step], Settings(keys=("town",)), CODES)
    for frame_, n in zip(made.synthetic, (6, 5), strict=True):
        values = frame_[column].astype(object).where(frame_[column].notna(), None).tolist()
        assert values == expected[:n]
        pd.testing.assert_frame_equal(frame_.drop(columns=column), NUMBERS.drop(columns=column).head(n))
    assert made.done[0].changed[0] == changed
    assert made.done[0].removed == (0, 0)
    # The same rule stands on both sides of the measurement, and the original is as it was.
    seen = made.study.columns[column]
    assert (seen.original == seen.synthetic[0]).all()
    pd.testing.assert_frame_equal(NUMBERS, before)


def test_whole_numbers_stay_whole_and_codes_stay_codes():
    made = protect(NUMBERS, [NUMBERS], [RoundTo("n", 5), Cap("pay", 0, 50)], Settings(), CODES)
    assert made.synthetic[0]["n"].dtype == np.int64
    assert made.study.missing_codes == {"pay": (-8.0,), "n": (-8,)}


def test_order_of_merged_levels_is_kept():
    made = protect(NUMBERS, [NUMBERS], [MergeLevels("town", 2)], Settings(), CODES)
    assert made.study.columns["town"].levels == ("a", "Other")
    assert made.study.columns["town"].is_ordered_category


def test_a_chain_on_the_survey_and_its_log():
    steps = [RemoveReplicated(), MergeLevels("region", 400), Coarsen("age", 8), RemoveReplicated()]
    made = protect(demo.original(), demo.syntheses(), steps, SETTINGS, demo.MISSING_CODES)
    before = assess(demo.study(), SETTINGS)
    after = assess(made.study, Settings(keys=demo.KEYS, groups=demo.GROUPS))
    assert before.identity["repU"].mean() > 5
    assert after.identity["repU"].tolist() == [0] * 5
    assert after.targets["marital"].attribute["DiSCO"].mean() < before.targets["marital"].attribute["DiSCO"].mean()
    removed = tuple(map(sum, zip(*(d.removed for d in made.done), strict=True)))
    assert made.n_removed == removed
    assert all(d.removed == tuple(round(x * 50) for x in before.identity["repU"]) for d in made.done[:1])
    names = [f"synthetic_{i}.csv" for i in range(1, 6)]
    log = made.log(names, SETTINGS)
    assert "Keys: sex, age, region, employment. Groups: bmi in 10 groups, income in 20 groups." in log
    assert "2. Merge the levels of 'region' that fewer than 400 original records have: 'Other'." in log
    for name, frame_, n in zip(names, made.synthetic, removed, strict=True):
        assert f"{name}: 5,000 records before, {5000 - n:,} after" in log
        assert len(frame_) == 5000 - n
    # The study measures what is released.
    again = Study(demo.original().assign(**{c: seen(made.study.columns[c]) for c in ("region", "age")}), made.synthetic, demo.MISSING_CODES)  # fmt: skip
    assert assess(again, SETTINGS).summary().equals(assess(made.study, SETTINGS).summary())


def seen(column):
    return pd.Categorical.from_codes(
        column.original.astype(int), categories=list(column.levels), ordered=column.ordered
    )


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (Cap("pya", 1), "Column 'pya' is not in both .* Did you mean 'pay'?"),
        (Cap("town", 1), "'town' is not numeric; merge its small levels instead."),
        (Cap("pay"), "Give the lowest or the highest value of 'pay' that stays."),
        (Cap("pay", 3, 2), "The lowest value of 'pay' that stays must be below the highest."),
        (RoundTo("pay", 0), "Round 'pay' to multiples of a number above 0."),
        (RoundTo("pay", float("nan")), "Round 'pay' to multiples of a number above 0."),
        (Coarsen("pay", 1), "Ask for 2 or more groups of 'pay'."),
        (MergeLevels("pay", 5), "'pay' is numeric; put it into groups instead."),
        (MergeLevels("town", 1), "Merge levels that fewer than 2 records have, or more."),
        (MergeLevels("town", 2, "a"), "'a' is a level of 'town' already; give the merged level another name."),
        (RemoveReplicated(), "Choose at least one key"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(step, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        protect(NUMBERS, [NUMBERS], [step], Settings(), CODES)
