"""How close is close: the reference table, the plain counter, both ends, and people outside."""

# Inside: units of a number, and the parameters a page offers.

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Holdout,
    NotEvaluated,
    Review,
    Settings,
    Study,
    assess,
    demo,
    demonstration_holdout,
    partition,
    start_demonstration,
)
from disclosure_core.counting.near_misses import lacking
from disclosure_core.counting.tolerance import LISTED, STEPS, Tolerance
from disclosure_core.data.values import in_units
from disclosure_core.holdout import near_misses as outside
from disclosure_core.report import blocks
from disclosure_core.results import NearMisses
from disclosure_core.results.near_misses import numeric_targets
from disclosure_core.review.inputs import Inputs
from tests.core.test_reference import needs_shared, table
from tests.reference import plainly
from tests.reference.plainly import near
from tests.reports import Look, appendix, assemble, ungrouped
from tests.written import fixed

REFERENCE = {
    "0%": (31.48, 4.90, 51.38),
    "5%": (32.84, 5.54, 52.94),
    "10%": (33.96, 7.06, 54.98),
    "25%": (38.86, 13.18, 62.22),
    "50%": (44.94, 23.44, 70.10),
    "50": (33.00, 5.60, 53.10),
    "100": (34.24, 7.26, 54.84),
    "500": (42.16, 18.64, 65.68),
}
"""measures.md 12: SD2011, keys sex, age, region, placesize, target income with code -8, synthesis s1."""


@needs_shared
def test_the_reference_table():
    study = Study(table("sd2011/original.csv"), [table("sd2011/synthetic_s1.csv")], missing_codes={"income": -8})
    found = assess(study, Settings(keys=("sex", "age", "region", "placesize"), targets=("income",)))
    rows = found.targets["income"].near_misses(REFERENCE).set_index("tolerance")
    for tolerance, figures in REFERENCE.items():
        assert rows.loc[tolerance, ["DiS", "DiSCO", "Dorig"]].tolist() == pytest.approx(figures, abs=1e-9), tolerance


def of_demonstration(target="income", m=1):
    study = Study(demo.original(), demo.syntheses()[:m], missing_codes=demo.MISSING_CODES)
    return assess(study, Settings(keys=demo.KEYS, targets=(target,))).targets[target]


def test_the_demonstration_beside_the_best_single_guess():
    row = of_demonstration().near_misses(["50%"]).iloc[0]
    assert row[["DiSCO", "guess"]].tolist() == pytest.approx([23.70, 53.92], abs=1e-9)


@pytest.mark.parametrize(
    ("numbers", "tolerance", "guess"),
    [
        ([-2, -1, 0, 3], "100%", 75), ([-3, 0, 1, 2], "100%", 75),  # as far as 0 on one side, and 0 itself
        ([0, 0, -1, 5], "10%", 50), ([-10, -11, -9, 0], "10%", 75), ([-1, 0, 2, 900], "101%", 100),
    ],
)  # fmt: skip
def test_the_best_single_guess_on_either_side_of_zero(numbers, tolerance, guess):
    people = pd.DataFrame({"k": list("aaaa"), "t": numbers})
    assert one(people, people).near_misses([tolerance])["guess"].tolist() == [guess]


def test_the_curve_goes_to_half_of_the_number_and_the_table_lists_five():
    assert (len(STEPS), STEPS[0].words, STEPS[-1].words) == (51, "±0 %", "±50 %")
    assert [each.words for each in LISTED] == ["±0 %", "±5 %", "±10 %", "±25 %", "±50 %"]


VALUES = [*range(-3, 12), -8, 0.5, 1.5, 2.25, -0.75, 100, 110, 90]
KEYS = ("a", "b")


def people(most=12):
    value = st.one_of(st.none(), st.sampled_from(VALUES), st.sampled_from([0, 1, 2, -8]))
    record = st.fixed_dictionaries({"a": st.sampled_from("xy"), "b": st.sampled_from("pqr"), "t": value})
    return st.lists(record, min_size=1, max_size=most)


def frame(records):
    return pd.DataFrame(records, columns=[*KEYS, "t"]).astype({"t": "float64"})


tolerances = st.lists(
    st.tuples(st.sampled_from(["0", "0.05", "0.1", "0.25", "0.5", "1", "1.5", "3", "10"]), st.booleans()),
    min_size=1, max_size=4,
)  # fmt: skip


@pytest.mark.slow
@examples(max_examples=60)
@given(people(), st.lists(people(), min_size=1, max_size=2), people(), tolerances)
def test_against_the_plain_counter(original, synthetic, others, asked):
    original = [*original, {"a": "x", "b": "p", "t": -8}, {"a": "y", "b": "q", "t": 2}]
    asked_for = [Tolerance(Decimal(text), relative) for text, relative in asked]
    amounts = [(Fraction(text).as_integer_ratio(), relative) for text, relative in asked]
    study = Study(frame(original), [frame(side) for side in synthetic], missing_codes={"t": -8})
    data = plainly.data(original, synthetic, others)
    out = Exclusions(missing_targets={"t"}, target_levels={"t": ["2"]})
    for exclusions, here in ((Exclusions(), {}), (out, {"missing_target": True, "levels": ["2"]})):
        settings = Settings(keys=KEYS, targets=("t",), exclusions=exclusions)
        rows = assess(study, settings).targets["t"].near_misses(asked_for)
        target = plainly.target(data, KEYS, "t", plainly.NOTHING | here)
        for row, amount in zip(rows.itertuples(), amounts, strict=True):
            expected = near.near_misses(target, [-8], *amount)
            columns = ("DiS", "DiSCO", "Dorig", "guess")
            assert [getattr(row, c) for c in columns] == pytest.approx([expected[c] for c in columns], abs=1e-9), amount
    # People outside, whose numbers may be in no other file.
    joined = partition(frame(original), frame(others), [frame(s) for s in synthetic], missing_codes={"t": [-8]})
    if isinstance(joined, NotEvaluated):
        return
    rows = outside.near_misses(joined, Settings(keys=KEYS, targets=("t",)), "t", asked_for)
    target = plainly.target(data, KEYS, "t")
    for row, amount in zip(rows.itertuples(), amounts, strict=True):
        expected = near.beside_outside(target, [-8], *amount)
        assert (row.members, row.non_members) == pytest.approx((expected["members"], expected["non_members"]), abs=1e-9)


@given(people(), st.lists(people(), min_size=1, max_size=2), st.booleans())
def test_no_tolerance_is_disco_and_none_of_the_three_ever_falls(original, synthetic, relative):
    original = [*original, {"a": "x", "b": "p", "t": 1}]
    risk = assess(Study(frame(original), [frame(s) for s in synthetic]), Settings(keys=KEYS, targets=("t",))).targets[
        "t"
    ]
    steps = STEPS if relative else [Tolerance(Decimal(n) / 4) for n in range(60)]
    rows = risk.near_misses(steps)
    for name in ("DiS", "DiSCO", "Dorig"):
        assert rows[name].iloc[0] == pytest.approx(risk.figures(name).mean(), abs=1e-9)
        assert (np.diff(rows[name]) >= -1e-9).all()
    assert (np.diff(rows["guess"]) >= -1e-9).all()
    assert rows["guess"].iloc[0] == pytest.approx(risk.guess.pct, abs=1e-9)
    assert (rows["DiSCO"] <= rows["DiS"] + 1e-9).all()


@pytest.mark.parametrize("sizes", ["float32", "float64", "text", "decimal", "large", "tiny"])
def test_a_number_exactly_at_the_tolerance_counts_however_it_is_stored(sizes):
    # 1.1 and 1.3 have the middle 1.2: within 0.1 of both, which no binary fraction says.
    values = np.array(["1.1", "1.3", "1.2", "1.31"], dtype=object)
    scale = {"large": Decimal(10) ** 25, "tiny": Decimal(10) ** -13}.get(sizes, Decimal(1))
    of = {
        "float32": lambda v: np.float32(v),
        "float64": float,
        "text": str,
        "decimal": Decimal,
        "large": lambda v: int(Decimal(v) * scale),
        "tiny": lambda v: float(Decimal(v) * scale),
    }[sizes]
    held = [of(v) for v in values]
    if sizes == "text":
        held = [float(v) for v in held]
    original = pd.DataFrame({"k": ["a"] * 4, "t": pd.Series(held, dtype=None if sizes != "large" else object)})
    synthetic = original.iloc[:2]
    risk = assess(Study(original, [synthetic]), Settings(keys=("k",), targets=("t",))).targets["t"]
    rows = risk.near_misses([Tolerance(scale * Decimal(t)) for t in ("0.1", "0.0999", "0.11")])
    assert rows["DiS"].tolist() == [100, 0, 100]
    assert rows["DiSCO"].tolist() == [75, 0, 100]
    assert rows["guess"].tolist() == [75, 75, 100]


@given(st.lists(st.one_of(st.integers(-(10**20), 10**20), st.decimals(-999, 999, places=3)), max_size=8))
def test_units_are_the_numbers_themselves(values):
    plain = sorted({Decimal(v) for v in values})
    units, places = in_units(np.array([*plain, None], dtype=object)[:-1])
    assert [Decimal(int(u)).scaleb(-places) for u in units] == plain
    floats = np.array(sorted({float(v) for v in values if abs(v) < 1000}))
    units, places = in_units(floats)
    assert [float(Decimal(int(u)).scaleb(-places)) for u in units] == floats.tolist()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (-1, "is below 0"), ("-5%", "is below 0"), ("abc", "is not a number"), ("", "is not a number"),
        ("10%%", "is not a number"), ("1,5", "is not a number"), (float("nan"), "no amount to compare numbers with"),
        ("inf", "no amount to compare numbers with"), ("1e999999999", "no amount to compare numbers with"),
        (None, "is not a number"),
    ],
)  # fmt: skip
def test_what_is_no_tolerance_is_said(wrong, said):
    with pytest.raises(DisclosureError, match=said):
        of_demonstration().near_misses([wrong])


def test_how_a_tolerance_is_written():
    for text in ("10%", "0.5%", "100", "0.25", "0%", "0"):
        assert Tolerance.of(text).text == text
    assert Tolerance.of(" ±10 % ") == Tolerance.of("10%")
    assert [Tolerance.of(each).words for each in ("12.5%", 1000, 0.1)] == ["±12.5 %", "±1,000", "±0.1"]


def one(original, synthetic, **settings):
    return assess(Study(original, [synthetic]), Settings(keys=("k",), **settings)).targets["t"]


def test_what_has_no_near_misses():
    numbers = pd.DataFrame({"k": list("aabb"), "t": [1, 2, 3, 4]})
    texts = numbers.assign(t=list("wxyz"))
    missing = numbers.assign(t=np.nan)
    for risk, said in (
        (one(texts, texts), "need a numeric target without groups"),
        (one(numbers, numbers, groups={"t": 3}), "need a numeric target without groups"),
        (one(missing, numbers), "The original has no number in 't'"),
        (one(numbers, numbers, exclusions=Exclusions(denominator_limit=3)), "not evaluated with a denominator limit"),
    ):
        assert said in lacking(risk).why
        with pytest.raises(DisclosureError, match=said):
            risk.near_misses()
    limited = Settings(keys=("k",), exclusions=Exclusions(denominator_limit=3))
    assert "denominator limit" in outside.near_misses(partition(numbers, numbers, [numbers]), limited, "t").why
    # Everything excluded is no error, and nothing is counted.
    none = one(numbers, numbers, exclusions=Exclusions(target_levels={"t": ["1", "2", "3", "4"]}))
    assert (none.near_misses()[["DiS", "DiSCO", "Dorig"]] == 0).all(axis=None)


def test_an_infinite_number_is_a_level_of_its_own():
    original = pd.DataFrame({"k": list("aab"), "t": [np.inf, 1.0, 5.0]})
    synthetic = pd.DataFrame({"k": list("ab"), "t": [np.inf, 6.0]})
    rows = one(original, synthetic).near_misses(["0%", 1])
    assert rows["DiSCO"].round(2).tolist() == [33.33, 66.67]
    assert rows["DiS"].tolist() == [100, 100]


def test_a_review_gives_both_and_keeps_them():
    opened = start_demonstration()
    assert numeric_targets(Inputs(opened)) == ("household", "depression")  # income and bmi are in groups
    found = NearMisses.of(opened, target="household")
    assert isinstance(found.outside["household"], NotEvaluated)
    assert NearMisses.of(opened, target="household") is found
    outside = opened.with_holdout(demonstration_holdout(), Holdout("demonstration"))
    beside = NearMisses.of(outside, target="household")
    members = beside.outside["household"]["members"].tolist()
    assert members == pytest.approx(beside.figures["household"]["DiSCO"].tolist(), abs=1e-9)
    assert isinstance(NearMisses.of(opened, target="income"), NotEvaluated)
    limited = opened.with_review(replace(opened.review, exclusions=Exclusions(denominator_limit=3)))
    assert NearMisses.of(limited, target="household").why.startswith("Near misses are not evaluated")
    with pytest.raises(DisclosureError, match="not among those assessed"):
        NearMisses.of(opened, target="nobody")


@pytest.mark.parametrize(("m", "band"), [(1, ""), (2, "smallest to largest synthesis")])
def test_the_curve_has_a_band_where_there_are_several_syntheses(m, band):
    opened = Review.of(demo.KEYS).open(demo.original(), demo.syntheses()[:m])
    plot = NearMisses.of(opened, target="household").figure()
    has = {curve.name: bool(curve.low) for curve in plot.panels[0].curves}
    assert (plot.band, has.pop("synthetic"), any(has.values())) == (band, m > 1, False)


def test_members_of_other_figures_than_the_assessment_are_not_shown(monkeypatch):
    def off(*asked):
        found = made(*asked)
        return found.assign(members=found["members"] + 0.01)

    made = outside.near_misses
    monkeypatch.setattr(outside, "near_misses", off)
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    found = NearMisses.of(opened, target="household").outside["household"]
    assert found.why == "Members' DiSCO of 'household' beside the holdout is not that of the assessment."


@pytest.mark.slow
def test_an_internal_appendix_has_near_misses_and_a_shareable_one_none():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    source = assemble(opened, Look())
    made = [block for block in appendix(source) if block.columns[:2] == ("Target", "±")]
    rows = [row for block in made for row in block.rows]
    assert [row[:2] for row in rows] == [
        (name, f"{n} %") for _ in range(2) for name in ("household", "depression") for n in (0, 5, 10, 25, 50)
    ]
    found = NearMisses.of(opened.printed)
    last, other = found.figures["depression"].iloc[-1], found.outside["depression"].iloc[-1]
    assert rows[9][2:] == tuple(map(fixed, last[["DiS", "DiSCO", "min", "max", "Dorig", "guess"]]))
    difference, low, high = (fixed(other[name], sign=True) for name in ("difference", "low", "high"))
    assert rows[19][2:] == (fixed(other["members"]), fixed(other["non_members"]), f"{difference} ({low} to {high})")
    assert not any(block.text == "Near misses of numbers" for block in blocks(source))
    shared = appendix(assemble(ungrouped(opened), Look(shareable=True)))
    assert not any("Near misses" in block.text or "±" in block.columns for block in shared)


def test_the_annex_of_a_report_has_one_sentence_and_a_row_a_target():
    found = NearMisses.of(start_demonstration())
    said, rows = found.in_annex()
    assert said == found.sentences()[:1]
    (frame,) = rows.values()
    assert len(frame) == len(found.figures) > 1
    assert set(frame["tolerance"]) == {"10%"}
    assert frame["DiSCO"].is_monotonic_decreasing
    assert said[0].startswith(
        f"Within ±10\N{NO-BREAK SPACE}%, the synthetic data make a claim about {frame['target'].iloc[0]} "
    )
