"""Claims beside a guess (measures.md 10): the demonstration's printed table, the oracle, and claim by claim."""

# Inside: claims are judged beside a guess for counts that no data have.

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings

from disclosure_core import (
    Exclusions,
    Holdout,
    Settings,
    Study,
    assess,
    demo,
    demonstration_holdout,
    start_demonstration,
)
from disclosure_core.conclusions import guess
from disclosure_core.counting.claims import LEVELS
from tests.core.test_every_figure import COLUMNS, TARGETS, cases, exclusions_of, frame
from tests.reference import plainly
from tests.reports import Look, assemble, blocks
from tests.written import fixed, of_review

# DiSCO, beyond, claims right, best guess, chance, gain, κ. The page prints 0.02 under κ of condition, and by its own
# formula it is 0.0253, in the sums, in the mean over the syntheses, and from its printed shares.
PRINTED = """
marital    27.57 7.33 68.98 59.52 46.26 9.08 0.42
education  14.78 9.01 49.12 34.75 26.31 6.86 0.31
settlement 15.92 8.35 52.26 41.41 34.74 5.34 0.27
household  11.07 3.88 41.37 43.64 30.57 2.89 0.16
wellbeing  6.11  3.28 26.69 32.86 23.29 0.78 0.04
abroad     43.25 0.40 83.52 87.22 82.62 0.47 0.05
condition  17.67 0.61 54.92 66.34 53.75 0.38 0.03
"""
NAMES = ("DiSCO", "beyond", "claims right", "best guess", "chance", "gain", "kappa")

ORACLE = json.loads((Path(__file__).parents[1] / "reference" / "oracle.json").read_text())["scenarios"]
MINE = {"above-best-guess", "below-best-guess", "common-level-tied", "no-claims"}


def of(risk):
    b = risk.beyond_guess
    return (risk.figures("DiSCO").mean(), b.beyond, b.claims_right, b.best_guess, b.chance, b.gain, b.kappa)


def test_the_printed_table_of_the_demonstration_survey():
    found = assess(demo.study(), Settings(keys=demo.KEYS)).targets
    rows = [line.split() for line in PRINTED.strip().splitlines()]
    for name, *printed in rows:
        shown = [fixed(value) for value in of(found[name])]
        assert dict(zip(NAMES, shown, strict=True)) == dict(zip(NAMES, printed, strict=True)), name


def read(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False).replace("", None)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["name"])
def test_the_oracle(case):
    """Shares of claims are those of the people counted there: nothing is excluded in 29 of 30."""
    out = Exclusions(target_levels={"answer": case["excluded_levels"]} if case["excluded_levels"] else {})
    study = Study(read(case["original"]), [read(text) for text in case["syntheses"]])
    risk = assess(study, Settings(keys=tuple(case["keys"]), targets=("answer",), exclusions=out)).targets["answer"]
    b, expected = risk.beyond_guess, case["figures"]["commonest"]
    c = b.counted
    same = lambda found, share: (found != found) if share is None else abs(found / 100 - share) < 1e-9  # noqa: E731
    assert c.n_claims.sum() == expected["claims"]
    assert same(c.right_pct, expected["claims_right"])
    assert same(c.best_pct, expected["best_guess_among_claims"])
    assert same(c.chance_pct, expected["chance_among_claims"])
    assert same(c.gain, expected["gain"] or 0.0)  # without a claim nothing was gained (measures.md 11.2)
    assert same(100 * c.kappa, expected["kappa"])
    if expected["best_guess"] is not None:
        assert b.column.label(c.best_code) == (expected["best_guess"] or "Missing")
        assert c.against_best / c.n_claims.sum() == pytest.approx(
            expected["claims_right"] - expected["best_guess_among_claims"], abs=1e-9
        )
    ties = {level or "Missing" for level in expected["commonest_ties"]}
    if case["excluded_levels"]:  # the oracle keeps "No"; by section 10 the commonest that is counted takes its place
        assert b.common.labels == ("Yes",)
        assert b.beyond == 0
        assert same(c.beyond(b.column.code_of("No")), expected["beyond"])
    else:
        assert set(b.common.labels) == ties
        assert (b.beyond != b.beyond) if len(ties) > 1 else same(b.beyond, expected["beyond"])
        assert same(c.beyond(b.column.code_of(expected["commonest"] or "Missing")), expected["beyond"])
    said = {str(guess.standing(c))} | ({"common-level-tied"} if len(b.common.codes) > 1 else set())
    assert MINE & said == MINE & set(case["allowed"])


def test_the_oracle_holds_every_sentence():
    assert {name for case in ORACLE for name in case["allowed"]} >= MINE
    assert len(ORACLE) == 30


@pytest.mark.slow
@given(cases())
@settings(max_examples=150)
def test_claim_by_claim(case):
    """Missing values, exclusions of every kind, ties, several syntheses, no claim."""
    original, syntheses, (asked, out, *_) = case
    found = assess(Study(frame(original), [frame(side) for side in syntheses]), asked)
    data = plainly.data(original, syntheses)
    for name in TARGETS:
        target = plainly.target(data, [k for k in COLUMNS if k in asked.keys], name, exclusions_of(out, name))
        b = found.targets[name].beyond_guess
        label = lambda level: data.label(name, level)  # noqa: B023, E731
        for claims, people in ((b.counted, target.d_left), (b.every, target.d)):
            expected = target.guess(people, data.n[0])
            shown = {
                "best_guess": claims.best_pct,
                "chance": claims.chance_pct,
                "gain": claims.gain,
                "kappa": claims.kappa,
            }
            assert shown == pytest.approx({m: expected[m] for m in shown}, abs=1e-9, nan_ok=True)
            own, right = Counter(), 0
            for says in target.says:
                for (q, t), n in people.items():
                    own[t] += n * (q in says)
                    right += n * (q in says and says[q] == t)
            most = max(own.values(), default=0)
            assert (claims.n_claims.sum(), claims.right.sum()) == (sum(own.values()), right)
            if sum(own.values()):
                assert b.column.label(claims.best_code) in {label(t) for t, n in own.items() if n == most}
                assert (guess.standing(claims) == "above-best-guess") == (right > most)
            else:
                assert guess.standing(claims) == "no-claims"
        assert set(b.common.labels) == set(map(label, plainly.commonest(target)))
        assert b.beyond == pytest.approx(target.beside_a_guess()["beyond"], abs=1e-9, nan_ok=True)
        expected = target.rare_levels()
        assert list(b.levels.columns) == list(LEVELS)
        assert b.levels["excess"].is_monotonic_decreasing
        listed = b.levels.set_index("level").to_dict("index")
        assert listed.keys() == expected.keys()
        for level, row in expected.items():
            assert {column: listed[level][column] for column in row} == pytest.approx(row, abs=1e-9)


SAID = """k,t
1,a
2,a
3,b
4,b
5,b
"""


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ("aabbb", "the claim is right for 100.0 %; naming “b” for all of them is right less often, for 60.0 %."),
        ("bbaab", "naming “b” for all of them is right more often (60.0 %) than the claims (20.0 %)."),
        ("babbb", "the claim is right for 80.0 %"),
        ("bbbbb", "the claims and naming “b” for all of them are right equally often (60.0 %)."),
    ],
)
def test_better_is_said_only_where_it_is(claims, said):
    rows = list(csv.DictReader(io.StringIO(SAID)))
    synthetic = [row | {"t": t} for row, t in zip(rows, claims, strict=True)]
    study = Study(pd.DataFrame(rows), [pd.DataFrame(synthetic)])
    (b,) = (r.beyond_guess for r in assess(study, Settings(keys=("k",))).targets.values())
    assert said in guess.sentence(b)


def test_without_a_claim_nothing_was_gained_and_shares_of_claims_are_not_given():
    rows = list(csv.DictReader(io.StringIO(SAID)))
    study = Study(pd.DataFrame(rows), [pd.DataFrame([{"k": "6", "t": "a"}])])
    (b,) = (r.beyond_guess for r in assess(study, Settings(keys=("k",))).targets.values())
    assert guess.sentence(b) == "There is no claim about anybody: nothing is disclosed at this threshold."
    assert all(v != v for v in (b.kappa, b.claims_right, b.best_guess, b.chance))
    assert b.gain == 0
    assert (b.best_level, b.beyond, len(b.levels)) == ("", 0, 0)


def test_why_beyond_is_not_given():
    rows = pd.DataFrame([{"k": "1", "t": t} for t in "aabb"])
    settings_ = Settings(keys=("k",))
    tied = assess(Study(rows, [rows]), settings_).targets["t"].beyond_guess
    assert guess.why_not_beyond(tied.common) == "Not given: a and b are equally common."
    for levels, listed in (("abc", "a, b and c"), ("abcde", "a, b and 3 more")):
        of = pd.DataFrame([{"k": "1", "t": t} for t in levels])
        common = assess(Study(of, [of]), settings_).targets["t"].beyond_guess.common
        assert guess.why_not_beyond(common) == f"Not given: {listed} are equally common."
    out = Exclusions(target_levels={"t": ["a", "b"]})
    none = assess(Study(rows, [rows]), Settings(keys=("k",), exclusions=out)).targets["t"].beyond_guess
    assert guess.why_not_beyond(none.common) == "Not given: every level is excluded."
    one = assess(Study(rows, [rows]), Settings(keys=("k",), exclusions=Exclusions(target_levels={"t": ["a"]})))
    common = one.targets["t"].beyond_guess.common
    assert (common.labels, guess.why_not_beyond(common)) == (("b",), "")


OUTSIDE = {
    "marital": (7.05, 0.34), "education": (5.74, 0.26), "settlement": (0.99, 0.05), "household": (1.68, 0.09),
    "wellbeing": (-0.09, -0.01), "abroad": (0.39, 0.04), "condition": (0.02, 0.00),
}  # fmt: skip
"""Gain over chance and κ of people outside (measures.md 10)."""


@pytest.mark.slow
def test_people_outside_have_a_gain_too():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    context = opened.attribute_baseline().context.set_index("target")
    for target, (gain, kappa) in OUTSIDE.items():
        assert context.loc[target, "gain_outside"] == pytest.approx(gain, abs=0.00501)
        assert context.loc[target, "kappa_outside"] == pytest.approx(kappa, abs=0.00501)
    for target, risk in opened.assessment().targets.items():
        assert context.loc[target, "gain"] == pytest.approx(risk.beyond_guess.gain, abs=1e-9)
        assert context.loc[target, "kappa"] == pytest.approx(risk.beyond_guess.kappa, abs=1e-9)
    told = of_review(opened)["holdout_difference"].query("measure == 'DiSCO'").set_index("target")
    assert told["gain_outside"].to_dict() == context["gain_outside"].to_dict()
    (table,) = [b for b in blocks(assemble(opened, Look())) if b.columns[:2] == ("Target", "Gain, members")]
    assert {row[0]: row[1:] for row in table.rows}["marital"] == ("9.08", "7.05", "0.42", "0.34")
