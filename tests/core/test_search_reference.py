"""The reference answers that a program of its own gave: near misses of the survey, and small cases worked out by hand."""

# Inside: the formulas of searches are compared without a review.

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    Band,
    DisclosureError,
    Recode,
    RemoveReplicated,
    Settings,
    Study,
    assess,
    demo,
    partition,
    protect,
)
from disclosure_core.counting.count import count_keys
from disclosure_core.counting.tolerance import Tolerance
from disclosure_core.holdout import near_misses as outside
from disclosure_core.sensitivity.population import expected_right, with_size, with_table

PLACE = Path(__file__).parents[3] / "shared" / "tried" / "search" / "reference.json"
TRIED = json.loads(PLACE.read_text()) if PLACE.exists() else {}
pytestmark = pytest.mark.skipif(not TRIED, reason="the prototype's reference.json is not on this machine")


def tiny(part):
    """The small cases of a part, each with its name."""
    return [pytest.param(case, id=case["name"]) for case in TRIED.get("tiny", {}).get(part, [])]


def tolerance(row):
    """The tolerance of a row of the reference: relative ones are shares there."""
    if "relative" in row:
        return Tolerance(Decimal(str(row["relative"])), relative=True)
    return Tolerance(Decimal(str(row["absolute"])))


# ---- near misses of the survey ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("synthesis", range(1, 6))
def test_near_misses_of_each_synthesis(synthesis):
    reference = TRIED["near_misses"]
    side = demo.syntheses()[synthesis - 1]
    study = Study(demo.original(), [side], missing_codes={reference["target"]: reference["code"]})
    risk = assess(study, Settings(keys=reference["keys"], targets=[reference["target"]])).targets[reference["target"]]
    rows = [row for row in reference["curves"] if row["synthesis"] == synthesis]
    assert len(rows) == 9
    found = risk.near_misses([tolerance(row) for row in rows])
    for row, mine in zip(rows, found.itertuples(), strict=True):
        assert [mine.DiS, mine.DiSCO, mine.Dorig] == pytest.approx(
            [row[n] for n in ("DiS", "DiSCO", "Dorig")], abs=1e-9
        )
        assert [round(mine.DiS * 50), round(mine.DiSCO * 50)] == [row["n_DiS"], row["n_DiSCO"]]
    guesses = [row["best_single_guess"] for row in reference["best_single_guess"]]
    assert found["guess"].tolist() == pytest.approx(guesses, abs=1e-9)


def test_near_misses_of_people_outside():
    reference = TRIED["near_misses"]
    codes = {reference["target"]: [reference["code"]]}
    joined = partition(demo.original(), demo.holdout(), demo.syntheses()[:1], missing_codes=codes)
    rows = reference["outside"]
    settings = Settings(keys=reference["keys"], targets=[reference["target"]])
    found = outside.near_misses(joined, settings, reference["target"], [tolerance(row) for row in rows])
    expected = [100 * row["n_DiSCO"] / row["N"] for row in rows]
    assert found["non_members"].tolist() == pytest.approx(expected, abs=1e-9)


# ---- small cases -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", tiny("near_misses"))
def test_near_misses_of_small_tables(case):
    by_name = {each["name"]: each for each in TRIED["tiny"]["near_misses"]}
    sides = []
    for side in ("original", "synthetic"):
        rows = case[side] if not isinstance(case[side], str) else by_name[case[side]][side]
        frame = pd.DataFrame(rows, columns=["k", "t"])
        sides.append(frame.assign(t=[None if t is None else float(t) for t in frame["t"]]).astype({"t": "float64"}))
    original, synthetic = sides
    study = Study(
        original, [synthetic], missing_codes={"t": [float(c) for c in case["codes"]]} if case["codes"] else {}
    )
    risk = assess(study, Settings(keys=["k"], targets=["t"])).targets["t"]
    asked = [Tolerance(Decimal(amount), relative=kind == "relative") for kind, amount, *_ in case["expected"]]
    found = risk.near_misses(asked)[["DiS", "DiSCO", "Dorig"]] * len(original) / 100
    assert found.to_numpy() == pytest.approx(np.array([row[2:] for row in case["expected"]], dtype=float), abs=1e-9)


@pytest.mark.parametrize("case", tiny("population"))
def test_replicated_uniques_of_small_populations(case):
    frames = [
        pd.DataFrame({"q": list(Counter(case[side]).elements())}).assign(t="x") for side in ("original", "synthetic")
    ]
    study, settings = Study(frames[0], frames[1:]), Settings(keys=["q"], targets=["t"])
    if "N" in case:
        keys = count_keys(study, settings)
        if "error" in case:
            with pytest.raises(DisclosureError, match="The population cannot be smaller than the 2 records"):
                with_size(keys, case["N"])
            return
        found = with_size(keys, case["N"])
        assert expected_right(len(frames[0]), case["N"]) == pytest.approx(case["expected"]["factor"])
        assert found.right == pytest.approx(case["expected"]["expected_right"])
        return
    people = pd.DataFrame(case["population"].items(), columns=["q", "count"])
    if "error" in case:
        with pytest.raises(DisclosureError, match=case["error"]):
            with_table(study, frames, settings, people)
        with pytest.raises(DisclosureError) as hidden:
            with_table(study, frames, settings, people, named=False)
        assert case["error"] not in str(hidden.value)
        return
    found, expected = with_table(study, frames, settings, people), case["expected"]
    assert found.figures[["replicated", "unique"]].to_numpy().tolist() == [
        [expected["replicated_uniques"], expected["unique_in_population"]]
    ]
    share = expected["share_unique"]
    assert found.unique == pytest.approx(np.nan if share is None else share, nan_ok=True)
    assert found.right == pytest.approx(float(Fraction(expected["expected_right"])))


@pytest.mark.parametrize("case", tiny("loss"))
def test_detail_lost_of_small_columns(case):
    """The records removed are ones that are unique beside the column; the original keeps all of its own."""
    number = "width" in case
    values = [float(v) if number else v for v in case["values"]]
    original = pd.DataFrame({"x": values})
    codes = {"x": [float(c) for c in case["codes"]]} if case.get("codes") else {}
    if number:
        steps = [Band("x", case["width"])]
    else:
        steps = [
            Recode("x", into, tuple(level for level, to in case["map"].items() if to == into))
            for into in dict.fromkeys(case["map"].values())
        ]
    # `key` is no part of the case: it makes so many synthetic records replicated uniques, and nothing else of them.
    n, out = case["n_synthetic"], case["n_removed"]
    original = pd.concat([original] * n, ignore_index=True).assign(key=list(range(len(values) * n)))
    synthetic = pd.DataFrame({"x": [values[0]] * n, "key": [*range(out), *[-1] * (n - out)]})
    made = protect(original, [synthetic], [*steps, RemoveReplicated()], Settings(keys=["key"]), codes)
    assert made.n_removed == (out,)
    at = made.detail.columns.index("x")
    assert made.detail.figures[0, at] == pytest.approx(case["expected"])
