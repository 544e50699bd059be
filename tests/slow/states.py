"""The states in which every sentence is looked for: reviews as somebody could have them, each odd in its own way."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pandas as pd

from disclosure_core import (
    Cap,
    Chain,
    Coarsen,
    Exclusions,
    Holdout,
    Limit,
    Limits,
    MergeLevels,
    RemoveReplicated,
    RoundTo,
    Settings,
    Thresholds,
    read_holdout,
    start,
    start_demonstration,
)
from disclosure_core.review.about import ABOUT
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.scenarios import paper_scenarios
from tests.core.test_missing_levels import file, people
from tests.having import csv
from tests.slow.test_report_read_back import ANSWERED, OUTSIDE, STATES, opened_in


def odd():
    """Files about which there is much to say: codes, texts for nothing, identifiers, copies, levels on one side."""
    frame = pd.DataFrame({
        "sex": ["f", "m"] * 60, "age": [*range(20, 50)] * 4, "work": ["yes", "no", "NA"] * 40,
        "number": [f"P{i:03}" for i in range(120)], "income": [-8] * 12 + [*range(1000, 1108)], "born": ["03/04/2020"] * 120,
    })  # fmt: skip
    other = frame.assign(work=frame["work"].str.upper() + " ", age=frame["age"][::-1].to_numpy(), more=1)
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(other)), ("t.csv", csv(other))]})
    return opened.with_review(
        opened.review.with_settings(Settings(keys=("sex", "age", "number"), groups={"age": 4, "income": 119}))
    )


def alike():
    """A synthesis that is the original, with few people: all is disclosed, and nothing is flagged."""
    frame = pd.DataFrame({"k": [f"k{i}" for i in range(30)], "j": ["x"] * 30, "t": ["a", "b", "b"] * 10})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame))]})
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",))))


def strangers():
    """A synthesis that shares no key with the original: nothing is disclosed."""
    frame = pd.DataFrame({"k": [f"k{i}" for i in range(30)], "t": ["a", "b", "b"] * 10})
    other = frame.assign(k=[f"m{i}" for i in range(30)])
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(other))]})
    out = Exclusions(target_levels={"t": ["a"]}, missing_keys={"k"}, denominator_limit=1)
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",), exclusions=out)))


def safer():
    steps = (
        RemoveReplicated(),
        Cap("income", 0, 9000),
        RoundTo("bmi", 5),
        MergeLevels("region", 400),
        Coarsen("income", 5),
    )
    opened = opened_in(STATES["left out without"])
    review = replace(opened.review, chains=(Chain("tried", steps),), chain="tried", searched=frozenset({"comparison"}))
    opened = opened.with_review(review)
    return opened.with_review(replace(review, scenarios=paper_scenarios(opened.assessment()), tau=0.8))


def mended():
    """What was mended and answered, and what was read otherwise; a key of too many levels; few people outside."""
    opened = odd()
    columns = replace(opened.review.columns, mends={"work": ("space", "case")}, missing_texts={"work": ("NA",)})
    no = {"all-synthetic": "no", "one-row-one-person": "no", "labelled": "no"}
    return opened.with_review(replace(opened.review, columns=columns, assumptions=no, targets=("work",), groups={}))


def fewer_members():
    """What is left out for a reason leaves more to read off of people outside than of people in the data."""
    out = Exclusions(target_levels={"marital": ["Widowed"]})
    state = {"holdout": OUTSIDE, "targets": ("marital",), "exclusions": out, "reasons": {"marital": "it is known"}}
    return opened_in(state)


def split():
    """The original in two, with few people outside."""
    opened = start_demonstration()
    return opened.with_review(replace(opened.review, holdout=Holdout("split", None, 95, 1), targets=("marital",)))


def census():
    """A population that the release tells nothing new of."""
    state = {
        "holdout": OUTSIDE,
        "threat_model": replace(ANSWERED, population_size=6300, training_alone=True, random_sample=False),
    }
    return opened_in(
        {**state, "limits": Limits(Limit(10, 2)), "searched": frozenset({"membership"}), "targets": ("abroad",)}
    )


def everything_fits():
    """All is within the limits, answered and stated, so that nothing is open."""
    yes = {q.name: "yes" for q in QUESTIONS}
    model = replace(ANSWERED, random_sample=None)
    return opened_in(
        {**STATES["all within"], "threat_model": model, "assumptions": yes, "about": dict.fromkeys(ABOUT, "so")}
    )


def numbers():
    """Numbers alone, two syntheses of which the first is flagged and lacks a value, few people outside, all of it open."""
    n = 120
    frame = pd.DataFrame({
        "k": [i % 12 for i in range(n)], "j": [i % 2 for i in range(n)], "t": [9 + (i % 12 == 1) + 91 * (i % 12 == 2) for i in range(n)],
        "u": [-8, *([1, 2, 3] * n)][:n], "w": [0] * 80 + [*range(1, 41)],
    })  # fmt: skip
    one, two = frame[frame["t"] != 10], frame.assign(t=[(9, 100)[i // 12 % 2] for i in range(n)])
    outside = frame.iloc[24:36].drop(columns="u").replace({"t": {100: 9}})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(one)), ("z.csv", csv(two))]})
    opened = opened.with_holdout(*read_holdout("h.csv", csv(outside)))
    review = opened.review.with_settings(
        Settings(keys=("k", "j"), groups={"w": 8}, thresholds=Thresholds((1, 20), (1, 20)))
    )
    limits = Limits(Limit(1, 0.1), Limit(0.6), Limit(relative=0.2))
    columns = replace(review.columns, missing_codes={"u": ("-8",)})
    return opened.with_review(replace(review, columns=columns, limits=limits))


def other_columns():
    """Safeguards that were tried while a column was a number, which now it is not; the file in two."""
    opened = odd()
    columns = replace(opened.review.columns, types={"income": "category"})
    review = replace(opened.review, chains=(Chain("tried", (Cap("income", 0, 9000),)),), chain="tried", groups={})
    return opened.with_review(replace(review, columns=columns, holdout=Holdout("split", None, 90, 1)))


def labelled():
    """SPSS files with labels of columns and values that are no answer, two sets, and a holdout that is in the original."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, seed in (("o", 1), ("s", 2), ("t", 3)):
            data = bytearray(file(Path(folder), f"{name}.sav", people(seed, 600), "sav").read_bytes())
            data[92:109] = b"01 Jan 2500:00:00"  # when it was written: its fingerprint is to be the same each time
            files[name] = bytes(data)
    opened = start(("o.sav", files["o"]), {name: [(f"{name}.sav", files[name])] for name in "st"})
    opened = opened.with_holdout(*read_holdout("h.sav", files["o"]))
    review = opened.review.with_settings(Settings(keys=("q1", "job"), exclusions=Exclusions(denominator_limit=3)))
    reasons = {"denominators": "as synthpop has it"}
    return opened.with_review(replace(review, searched=frozenset({"comparison"}), reasons=reasons))


USED = ("as it comes", "a holdout and no limits", "left out for reasons", "left out without", "everything left out", "membership refused",
        "all searched", "two key sets", "a verdict against the figure", "safeguards taken", "in an engine")  # fmt: skip
REVIEWS = {name: (lambda state=STATES[name]: opened_in(state)) for name in USED}
REVIEWS |= {
    f.__name__: f
    for f in (odd, alike, strangers, safer, mended, split, census, numbers, everything_fits, fewer_members, labelled)
}
