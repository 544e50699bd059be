"""Safeguards do what they say, on the syntheses only, and no more than that."""

# Inside: which levels a step leaves as they are.

import io
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Coarsen,
    DisclosureError,
    Exclusions,
    MergeLevels,
    Pair,
    Recode,
    RemoveClaims,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Settings,
    Study,
    assess,
    demo,
    protect,
    read,
    restrict_to_study,
)
from disclosure_core.data.writers import safer
from disclosure_core.protection.columns import own_levels
from disclosure_core.protection.safeguards import undeclared_codes
from tests.core.test_every_figure import COLUMNS, cases, frame

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.mark.slow
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
            with pytest.raises(DisclosureError, match="There would be no record left of a synthesis"):
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
        (MergeLevels("town", 3), "town", ["a", "a", "Other", "Other", None, "a"], 2),  # a has 3: no fewer
        (MergeLevels("town", 2, "small"), "town", ["a", "a", "small", "small", None, "a"], 2),
        (Breaks("pay", (0, 15.0)), "pay", ["-8", "[0,15)", "[0,15)", ">=15", ">=15", None], 4),
        (Breaks("n", (2,)), "n", ["-8", "<2", ">=2", ">=2", ">=2", ">=2"], 5),
        (Band("n", "5"), "n", ["-8", "[0,5)", "[0,5)", "[5,10)", "[5,10)", "[5,10)"], 5),
        (Band("pay", "0.1"), "pay", ["-8", "[0,0.1)", "[14.9,15)", "[15,15.1)", "[250,250.1)", None], 4),
        (Recode("town", "a or b", ("a", "b")), "town", ["a or b", "a or b", "a or b", "c", None, "a or b"], 4),
        (Recode("town", "none", ("Missing", "c")), "town", ["a", "a", "b", "none", "none", "a"], 2),
        (Recode("town", "b", ("c", "b")), "town", ["a", "a", "b", "b", None, "a"], 1),
        (Band("town", "North", (("a", "N"), ("b", "N"), ("c", "S"))), "town", ["N", "N", "N", "S", None, "N"], 5),
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
    there = sum(int(frame_[column].notna().sum()) for frame_ in (NUMBERS, NUMBERS.head(5)))
    assert made.done[0].share == pytest.approx(sum(made.done[0].changed) / there)
    old, new = (
        np.array([*c.labels, None], dtype=object)
        for c in (Study(NUMBERS, [NUMBERS], CODES).columns[column], made.study.columns[column])
    )
    was, now = (
        labels[side.synthetic[0]].tolist()
        for labels, side in (
            (old, Study(NUMBERS, [NUMBERS, NUMBERS.head(5)], CODES).columns[column]),
            (new, made.study.columns[column]),
        )
    )
    pairs = Counter((a, b) for a, b in zip(was, now, strict=True) if a != b)
    assert len(made.done[0].examples) == min(3, len(pairs))
    assert set(made.done[0].examples) <= set(pairs)
    assert bool(made.done[0].doubt) == (made.done[0].share > 0.9)
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


@pytest.mark.slow
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
        (Cap("pay"), "Give the lowest or the highest value of 'pay' that is kept."),
        (Cap("pay", 3, 2), "The lowest value of 'pay' that is kept must be below the highest."),
        *(
            (Cap("pay", *ends), "The ends of 'pay' are finite numbers")
            for ends in ((float("inf"),), (None, float("nan")), (-float("inf"), 3))
        ),
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


def test_a_text_missing_a_blank_one_and_empty_cells_are_three_levels_with_a_name_each():
    job = pd.DataFrame({"job": ["Missing", " ", None, "cook", "cook"]})
    for named, expected in (
        ("Missing", ["x", " ", None, "cook", "cook"]),
        ("Missing (empty)", ["Missing", " ", "x", "cook", "cook"]),
        ("(blank)", ["Missing", "x", None, "cook", "cook"]),
    ):
        seen = protect(job, [job], [Recode("job", "x", (named,))], Settings()).synthetic[0]["job"]
        assert [None if pd.isna(v) else v for v in seen] == expected
    out = Exclusions(target_levels={"job": ["(blank)"]}, pairs={"job": [Pair("k", "(blank)", "cook")]})
    both = job.assign(k=job["job"])
    found, gone = restrict_to_study(Study(both, [both]), Settings(keys=["k"], exclusions=out))
    assert (dict(found.exclusions.target_levels), gone) == ({"job": (" ",)}, ())
    assert found.exclusions.pairs_of("job") == (Pair("k", " ", "cook"),)


def test_a_step_that_changes_the_original_alone_is_no_safeguard():
    original, synthetic = pd.DataFrame({"age": [1, 2, 30, 40]}), pd.DataFrame({"age": [1, 2, 3, 4]})
    for step, refused in ((Cap("age", None, 20), True), (Cap("age", None, 3), False), (Cap("age", None, 50), False)):
        done = protect(original, [synthetic], [step], Settings()).done[0]
        assert done.original_alone == refused
    with pytest.raises(DisclosureError, match="This changes no synthetic value, so it is no safeguard: Set values of"):
        protect(original, [synthetic], [Cap("age", None, 20)], Settings()).done[0].check()


@pytest.mark.parametrize(
    ("values", "to", "expected"),
    [
        ([0.3, 0.30000000000000004, 0.25, 0.35, 0.15, 7.05], 0.1, [0.3, 0.3, 0.3, 0.4, 0.2, 7.1]),
        ([1.005, 2.675, -0.004], 0.01, [1.01, 2.68, 0.0]),
        ([2**53 + 1, 2**62 + 5, 7], 10, [9007199254740990, 4611686018427387910, 10]),
        (pd.array([5, None, 15], dtype="Int64"), 10, [10, None, 20]),
        (np.array([1.15, 0.1], dtype="float32"), 0.1, [np.float32(1.2), np.float32(0.1)]),
        ([1e300, 12.5], 5, [1e300, 15.0]),
        ([1, 2, 3], 0.4, [1.2, 2.0, 3.2]),
        ([-15, -5, 25], 10, [-20, -10, 30]),
        ([float("inf"), 1.26, float("nan")], 0.1, [float("inf"), 1.3, None]),
    ],
)
def test_rounding_is_by_decimals(values, to, expected):
    frame = pd.DataFrame({"x": values})
    seen = protect(frame, [frame], [RoundTo("x", to)], Settings()).synthetic[0]["x"]
    assert [None if pd.isna(v) else v for v in seen] == expected
    assert [str(v) for v in seen.dropna().to_numpy()] == [str(v) for v in expected if v is not None]


@given(
    st.lists(st.decimals(-1000, 1000, places=3, allow_nan=False), min_size=1, max_size=30),
    st.sampled_from([0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 3, 10, 0.7]),
)
def test_any_decimal_is_rounded_to_an_exact_multiple(values, to):
    frame = pd.DataFrame({"x": [float(v) for v in values]})
    seen = protect(frame, [frame], [RoundTo("x", to)], Settings()).synthetic[0]["x"].tolist()
    step = Fraction(repr(float(to)))
    assert seen == [float(round(Fraction(v) / step) * step) for v in values]


def test_large_whole_numbers_are_capped_exactly():
    frame = pd.DataFrame({"x": [2**60 + 1, 2**60 + 3, 5]})
    made = protect(frame, [frame], [Cap("x", low=10)], Settings()).synthetic[0]["x"]
    assert made.tolist() == [2**60 + 1, 2**60 + 3, 10]


def test_what_was_changed_is_told_cell_by_cell():
    keyed = NUMBERS.assign(id=range(6))
    steps = [RemoveReplicated(), Cap("n", high=8), MergeLevels("town", 2)]
    other = keyed.assign(id=[0, 9, 2, 9, 9, 9])
    made = protect(keyed, [other], steps, Settings(keys=("id",)), CODES)
    (change,) = made.changes
    assert (change.n, change.rows.tolist()) == (6, [1, 3, 4, 5])
    assert change.columns["n"].touched.tolist() == [False, False, False, True]
    assert change.columns["town"].touched.tolist() == [False, True, False, False]
    assert change.columns["town"].values.tolist()[:2] == ["a", "Other"]
    assert set(change.columns) == {"n", "town"}


def test_numbers_that_look_like_codes_are_asked_about():
    n = 30
    frame = pd.DataFrame(
        {"pay": [-8.0] * 6 + [*range(n - 6)], "age": [99] * 6 + [20 + i % 40 for i in range(n - 6)], "q": ["-9"] * 2 + ["1", "2"] * 14}
    )  # fmt: skip
    study = Study(frame, [frame])
    for step in (Cap("pay", 0), RoundTo("pay", 5), Coarsen("pay", 3)):
        assert [c.value for c in undeclared_codes(study, step)] == ["-8"]
        assert undeclared_codes(Study(frame, [frame], {"pay": (-8,)}), step) == ()
    assert [c.value for c in undeclared_codes(study, RoundTo("age", 5))] == ["99"]
    assert [c.value for c in undeclared_codes(study, MergeLevels("q", 5))] == ["-9"]
    assert undeclared_codes(study, MergeLevels("q", 5, keep=("-9",))) == ()
    assert undeclared_codes(study, RemoveReplicated()) == ()
    made = protect(frame, [frame], [MergeLevels("q", 15, keep=("-9",))], Settings())
    assert sorted(set(made.synthetic[0]["q"])) == ["-9", "Other"]


def test_declared_missing_values_that_the_original_does_not_hold_are_left():
    original = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6]})
    synthetic = pd.DataFrame({"x": [-8.0, 2, 3, 4, 5, 12]})
    for step in (RoundTo("x", 10), Cap("x", low=0, high=4), Coarsen("x", 2)):
        made = protect(original, [synthetic], [step], Settings(), declared={"x": [-8.0]})
        assert not made.changes[0].columns["x"].touched[0]
        assert made.changes[0].columns["x"].touched[-1] or isinstance(step, Cap)
        if not isinstance(step, Coarsen):
            assert made.synthetic[0]["x"].tolist()[0] == -8


def test_a_label_is_in_the_files_and_moves_no_figure():
    frames = [demo.original(), *demo.syntheses()[:2]]
    steps = (RemoveReplicated(), AddLabel(), Cap("income", high=4000))
    made, without = (
        protect(frames[0], frames[1:], [s for s in steps if keep or not isinstance(s, AddLabel)], SETTINGS, demo.MISSING_CODES)
        for keep in (True, False)
    )  # fmt: skip
    assert assess(made.study, SETTINGS).summary().equals(assess(without.study, SETTINGS).summary())
    assert "label" not in made.study.columns
    assert made.n_removed == without.n_removed
    file = safer(None, made.synthetic[0], made.changes[0])
    table = pd.read_parquet(io.BytesIO(file.data))
    assert table["label"].unique().tolist() == ["SYNTHETIC"]
    assert list(table.columns) == [*frames[0].columns, "label"]
    log = made.log(["one", "two"], SETTINGS)
    assert "2. Add a column 'label' to the files that says 'SYNTHETIC' in every record." in log
    assert "   one: 0 records removed, 0 values changed, the column 'label' added" in log
    # Assessed again, it is a column that the original does not have.
    study = Study(frames[0], [table])
    assert any("'label'" in note.text for note in study.notes)
    assert "label" not in study.columns


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (AddLabel("N"), "There is a column 'N' already; give the label another one."),
        (AddLabel("says so"), "A column called 'says so' does not fit into every file"),
        (AddLabel("é"), "does not fit into every file"),
        (AddLabel(text=""), "A label is a text of 1 to 60 letters on one line, such as SYNTHETIC."),
        (AddLabel(text="a\nb"), "on one line"),
        (AddLabel(text="=1+1"), "A spreadsheet would compute '=1\\+1'"),
    ],
)
def test_a_label_that_no_file_could_hold_is_a_sentence(step, said):
    with pytest.raises(DisclosureError, match=said):
        protect(NUMBERS, [NUMBERS], [step], Settings(), CODES)
    with pytest.raises(DisclosureError, match="There is a column 'Label' already"):
        protect(NUMBERS, [NUMBERS], [AddLabel(), AddLabel("Label")], Settings(), CODES)


WHOLE = ["int64", "int8", "uint8"]
ANY = ["Int64", "Int8", "UInt64", "float64", "Float64"]


ENDS = [(2, 4), (1.5, 4.5), (None, -7), (None, -0.5), (300, None), (-300, 300), (1e30, None), (None, -1e30)]


@pytest.mark.parametrize(("dtype", "last"), [*((d, 5) for d in (*WHOLE, *ANY)), *((d, None) for d in ANY)])
def test_an_end_need_not_fit_the_type_of_its_column(dtype, last):
    """What a person types, over every type that a file may bring: each value is the nearest that is kept."""
    frame = pd.DataFrame({"k": list("abc"), "n": pd.array([1, 3, last], dtype=dtype)})
    for low, high in ENDS:
        made = protect(frame, [frame], [Cap("n", low, high)], Settings(), {}).synthetic[0]["n"]
        expected = [min(max(v, -np.inf if low is None else low), np.inf if high is None else high) for v in (1, 3, 5)]
        assert [None if pd.isna(v) else v for v in made] == [*expected[:2], None if last is None else expected[2]]
        if all(float(v).is_integer() and abs(v) < 2**63 for v in expected) and "loat" not in dtype:
            assert pd.api.types.is_integer_dtype(made.dtype), (low, high)


@pytest.mark.parametrize("step", [Cap("n", 1, 3), RoundTo("n", 150)])
def test_a_column_without_a_value_keeps_its_type(step):
    frame = pd.DataFrame({"k": list("ab"), "n": pd.array([1, 3], dtype="UInt8")})
    empty = frame.assign(n=pd.array([None, None], dtype="UInt8"))
    assert protect(frame, [empty], [step], Settings(), {}).synthetic[0]["n"].dtype == "UInt8"


@pytest.mark.parametrize("dtype", ["int8", "uint8", "Int8"])
def test_a_multiple_need_not_fit_the_type_of_its_column(dtype):
    frame = pd.DataFrame({"k": list("abc"), "n": pd.array([1, 100, 127], dtype=dtype)})
    made = protect(frame, [frame], [RoundTo("n", 150)], Settings(), {}).synthetic[0]["n"]
    assert made.tolist() == [0, 150, 150]


STORED = {
    "floats": lambda values: pd.array(values, dtype="float64"),
    "floats of 32 bits": lambda values: pd.array(values, dtype="float32"),
    "decimals": lambda values: [Decimal(str(v)) for v in values],
    "Arrow's decimals": lambda values: pd.array([Decimal(str(v)) for v in values], dtype=ARROWS),
    "categories": lambda values: pd.Categorical(values),
}
ARROWS = pd.ArrowDtype(pa.decimal128(20, 4))


@pytest.mark.parametrize("kept", ["missing_codes", "declared"])
@given(st.data())
def test_a_code_for_no_answer_stays_however_a_file_stores_it(kept, data):
    """99.9 of Stata's floats and of a database's decimals is no 99.9 of Python's: it was rounded and capped once."""
    numbers = st.lists(st.sampled_from([0.1, 1.1, 2.5, 7.7, 99.9]), min_size=3, max_size=12)
    sides = [[99.9, *data.draw(numbers)] for _ in range(2)]
    stores = [STORED[data.draw(st.sampled_from(sorted(STORED)))] for _ in sides]
    original, synthetic = (pd.DataFrame({"n": store(side)}) for store, side in zip(stores, sides, strict=True))
    step, rule = data.draw(
        st.sampled_from([(Cap("n", high=2.2), lambda v: min(v, 2.2)), (RoundTo("n", 2), lambda v: 2.0 * round(v / 2))])
    )
    made = protect(original, [synthetic], [step], Settings(), **{kept: {"n": (99.9,)}})
    column = made.study.columns["n"]
    read = [float(column.label(c)) for c in column.synthetic[0].tolist()]
    assert read == [v if v == 99.9 else rule(v) for v in sides[1]]
    for cells in made.changes[0].columns.values():
        assert not any(touched for touched, v in zip(cells.touched, sides[1], strict=True) if v == 99.9)


@pytest.mark.parametrize("stored", sorted(STORED))
def test_codes_of_one_column_stay_known_when_records_are_removed(stored):
    """A column of decimals is no numeric type of pandas, and lost its codes: they then fell into an interval."""
    values = [-8.0, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]
    frame = pd.DataFrame({"k": list("aabbccdd"), "n": STORED[stored](values)})
    lone = pd.concat([frame, frame.tail(1).assign(k="e")], ignore_index=True)
    original = pd.concat([frame, frame.head(1).assign(k="e")], ignore_index=True)
    for step in (RemoveUniques(), MergeLevels("k", 2), Cap("n", high=7)):
        study = protect(original, [lone], [step], Settings(keys=("k",)), {"n": ("-8",)}).study
        assert study.missing_codes == {"n": (-8.0,)}
        assert study.grouped("n", 3)[0].labels[0] == "-8"


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".sav", ".dta", ".parquet", ".csv"])
def test_as_many_groups_as_values_leave_numbers_as_they_are(ending, tmp_path):
    """Capped values became codes 101 with the label 1, or texts: the file that was handed out said something else."""
    values = [0.1, 3.0, 12.75, 99.9, 100.0, 0.1]
    frame = pd.DataFrame({"n": values, "k": list("aabbcc")})
    path = str(tmp_path / f"people{ending}")
    {
        ".sav": lambda: pyreadstat.write_sav(frame, path),
        ".dta": lambda: frame.to_stata(path, write_index=False),
        ".parquet": lambda: frame.to_parquet(path),
        ".csv": lambda: frame.to_csv(path, index=False),
    }[ending]()
    data = Path(path).read_bytes()
    reading = read(data, path)[0]
    made = protect(frame, [reading.table.frame()], [Cap("n", low=1), Coarsen("n", 9)], Settings(), {"n": ("99.9",)})
    file = safer(reading, made.synthetic[0], made.changes[0])
    assert read(file.data, f"again{ending}")[0].table.frame()["n"].tolist() == [max(v, 1.0) for v in values]
    assert made.study.missing_codes == {"n": (99.9,)}


@pytest.mark.slow
@given(cases())
def test_blanks_follow_the_synthetic_data_alone(case):
    """Every record of keys whose records all have one level is blank, right or wrong; nothing else is touched."""
    original, synthetic, (settings, *_) = case
    keys = [name for name in COLUMNS if name in settings.keys]
    target = next(name for name in COLUMNS if name not in keys)
    frames = [frame(side) for side in synthetic]
    made = protect(frame(original), frames, [BlankClaims(target)], Settings(keys=settings.keys))
    other = protect(frame(original[::-1][:1] * 3), frames, [BlankClaims(target)], Settings(keys=settings.keys))
    for i, side in enumerate(synthetic):
        of = {}
        for r in side:
            of.setdefault(tuple(r[k] for k in keys), set()).add(r[target])
        wanted = [None if len(of[tuple(r[k] for k in keys)]) == 1 else r[target] for r in side]
        for done in (made, other):  # whoever is in the original
            now = done.synthetic[i]
            values = now[target].astype(object).where(now[target].notna(), None).tolist()
            assert [v is None for v in values] == [v is None for v in wanted]
            pd.testing.assert_frame_equal(now.drop(columns=target), frames[i].drop(columns=target), check_dtype=False)
        before = sum(r[target] is not None for r in side)
        after = sum(v is not None for v in wanted)
        assert made.done[0].changed[i] == before - after
        at = made.detail.columns.index(target)
        assert made.detail.figures[i, at] == pytest.approx(100 * (1 - (after / before if before else 1)))


@pytest.mark.slow
@given(cases())
def test_claims_are_removed_right_or_wrong(case):
    """No record is left of keys whose records all had one level of the target; every other one is as it was."""
    original, synthetic, (settings, *_) = case
    keys = [name for name in COLUMNS if name in settings.keys]
    target = next(name for name in COLUMNS if name not in keys)
    frames, wanted = [frame(side) for side in synthetic], []
    for side in synthetic:
        of = {}
        for r in side:
            of.setdefault(tuple(r[k] for k in keys), set()).add(r[target])
        agreed = {q for q, levels in of.items() if len(levels) == 1}
        wanted.append([i for i, r in enumerate(side) if tuple(r[k] for k in keys) not in agreed])
    asked = Settings(keys=settings.keys)
    if not all(wanted):
        with pytest.raises(DisclosureError, match="There would be no record left of a synthesis"):
            protect(frame(original), frames, [RemoveClaims(target)], asked)
        return
    made = protect(frame(original), frames, [RemoveClaims(target)], asked)
    assert [change.rows.tolist() for change in made.changes] == wanted
    assert (
        made.done[0].removed == made.n_removed == tuple(len(s) - len(w) for s, w in zip(synthetic, wanted, strict=True))
    )
    for i, rows in enumerate(wanted):
        pd.testing.assert_frame_equal(
            made.synthetic[i], frames[i].iloc[rows].reset_index(drop=True), check_dtype=False, check_categorical=False
        )
        assert made.detail.figures[i].tolist() == pytest.approx([100 * (1 - len(rows) / len(frames[i]))] * len(COLUMNS))
    # Nothing but Missing is claimed any more, whoever knows fewer of the keys.
    for size in range(len(keys) + 1):
        for known in combinations(keys, size):
            for table in made.synthetic:
                for _, levels in (
                    table.groupby(list(known), dropna=False, observed=True)[target] if known else [(0, table[target])]
                ):
                    assert levels.isna().all() or levels.nunique(dropna=False) > 1


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Breaks("n", ()), "as rising numbers"),
        (Breaks("n", (5, 5)), "as rising numbers"),
        (Breaks("n", (5, 2)), "as rising numbers"),
        (Breaks("n", (1, 1.0000000000000002)), "are written alike"),
        (Breaks("town", (5,)), "is not numeric; merge its levels instead"),
        (Breaks("none", (5,)), "none"),
        (Recode("n", "x", ("1", "2")), "is numeric; put it into groups instead"),
        (Recode("town", "x", ()), "that become one, and what it is called"),
        (Recode("town", " ", ("a",)), "that become one, and what it is called"),
        (Recode("town", "x", ("a", "z")), "'z'"),
        (Recode("town", "c", ("a", "b")), "is a level of 'town' already"),
        (Band("n", "5,10"), "Name one level for"),
        (Band("n", "month"), "number above 0"),
        (Band("n", "-5"), "number above 0"),
        (Band("n", "0"), "number above 0"),
        (Band("town", "0"), "whole number above 0"),
        (Band("town", "x", (("a", "N"),)), "no row for the level"),
        (BlankClaims("town"), "is a key, and keys make no claim; name a target"),
        (BlankClaims("none"), "none"),
        (RemoveClaims("town"), "is a key, and keys make no claim; name a target"),
        (RemoveClaims("none"), "none"),
    ],
)
def test_a_step_by_hand_that_does_not_fit_is_one_sentence(step, message):
    with pytest.raises(DisclosureError, match=message):
        protect(NUMBERS, [NUMBERS], [step], Settings(keys=("town",)), CODES)


def test_a_log_names_the_steps_that_each_set_of_keys_judged():
    people = pd.DataFrame({"a": list("xxyyz"), "b": list("ppqqr"), "t": list("mnmnm")})
    steps = [RemoveReplicated(), BlankClaims("t"), RemoveReplicated()]
    made = protect(people, [people, people[:4]], steps, Settings(keys=("a",)))
    one, other = Settings(keys=("a",)), Settings(keys=("a", "b"))
    lines = made.log(["1", "2"], [one, other, other]).splitlines()
    assert [line for line in lines if line.startswith("Keys")] == [
        "Keys of step 1: a. Groups: none.", "Keys of steps 2, 3: a, b. Groups: none.",
    ]  # fmt: skip
    assert [line for line in made.log(["1", "2"], one).splitlines() if line.startswith("Keys")] == [
        "Keys: a. Groups: none."
    ]


def test_a_declared_number_stays_a_level_of_its_own():
    people = pd.DataFrame({"n": [-9, 1, 2, 3], "c": list("wxyz")})
    study = Study(people, [people])
    own = {name: own_levels(study, study.columns[name], (-9.0,)).tolist() for name in ("n", "c")}
    assert own == {"n": [True, False, False, False], "c": [False] * 4}
