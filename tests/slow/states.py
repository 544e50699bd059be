"""The states in which every sentence is looked for: reviews as somebody could have them, each odd in its own way."""

from dataclasses import replace

import ibis
import pandas as pd
import pyarrow as pa

from disclosure_core import Exclusions, Settings, Thresholds
from disclosure_core.data import demo
from disclosure_core.engines.table_study import MOST_LEVELS, TableStudy
from disclosure_core.holdout.decision import Limit, Limits
from disclosure_core.protection.safeguards import Cap, Coarsen, MergeLevels, RemoveReplicated, RoundTo
from disclosure_core.report.source import ABOUT
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.opening import read_holdout, start, start_demonstration, start_engine, start_tables
from disclosure_core.review.scenarios import paper_scenarios
from disclosure_core.review.value import Chain, Holdout
from disclosure_core.sensitivity import release_size
from tests.slow.test_report_read_back import ANSWERED, OUTSIDE, STATES, opened_in


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


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
    """A synthesis that is the original, with few people: all is given away, and nothing is flagged."""
    frame = pd.DataFrame({"k": [f"k{i}" for i in range(30)], "j": ["x"] * 30, "t": ["a", "b", "b"] * 10})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame))]})
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",))))


def strangers():
    """A synthesis that shares no key with the original: nothing is given away."""
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


def of_no_target():
    """All that is left out is of a column that is no target, so that no figure moves."""
    out = Exclusions(target_levels={"abroad": ["No"]}, missing_targets={"income"})
    return opened_in({"targets": ("marital",), "exclusions": out})


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


def to_be_searched():
    return opened_in({"holdout": OUTSIDE, "threat_model": ANSWERED, "targets": ("abroad",)})


def of_others():
    return opened_in(
        {"holdout": OUTSIDE, "threat_model": replace(ANSWERED, same_population=False), "targets": ("abroad",)}
    )


def of_nobody_knows_how_many():
    return opened_in(
        {"holdout": OUTSIDE, "threat_model": replace(ANSWERED, population_size=None), "targets": ("abroad",)}
    )


def one_each():
    """Two sets of one synthesis, side by side."""
    frames = [
        ("o.csv", csv(demo.original().head(400))),
        *((f"{i}.csv", csv(f.head(400))) for i, f in enumerate(demo.syntheses()[:2])),
    ]
    opened = start(frames[0], {"a": [frames[1]], "b": [frames[2]]})
    review = opened.review.with_settings(Settings(keys=("sex", "age", "region")))
    return opened.with_review(replace(review, searched=frozenset({"comparison"})))


def one_column():
    """Columns with one level, and intervals that many records share."""
    frame = pd.DataFrame({"k": ["a", "b"] * 30, "c": ["x"] * 60, "d": ["y"] * 60, "n": [0] * 40 + [*range(20)]})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame.iloc[::-1].head(50)))]})
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",), groups={"n": 20})))


def nothing_asked():
    opened = start_demonstration()
    return opened.with_review(replace(opened.review, intruders=(replace(opened.review.intruders[0], keys=()),)))


def everything_fits():
    """All is within the limits, answered and stated, so that nothing is open."""
    yes = {q.name: "yes" for q in QUESTIONS}
    model = replace(ANSWERED, random_sample=None)
    return opened_in(
        {**STATES["all within"], "threat_model": model, "assumptions": yes, "about": dict.fromkeys(ABOUT, "so")}
    )


def everybody():
    """The original and those outside are all the people there are."""
    return opened_in(
        {"holdout": OUTSIDE, "threat_model": replace(ANSWERED, population_size=6250), "targets": ("abroad",)}
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


def small_levels():
    """Of those numbers, what few records have is left out without a reason."""
    opened = numbers()
    out = Exclusions(target_levels={"u": ["-8"]}, denominator_limit=3)
    return opened.with_review(replace(opened.review, exclusions=out))


def other_columns():
    """Safeguards that were tried while a column was a number, which now it is not; the file in two."""
    opened = odd()
    columns = replace(opened.review.columns, types={"income": "category"})
    review = replace(opened.review, chains=(Chain("tried", (Cap("income", 0, 9000),)),), chain="tried", groups={})
    return opened.with_review(replace(review, columns=columns, holdout=Holdout("split", None, 90, 1)))


def far():
    """Tables that an engine holds, with a number of which it hands out no value."""
    n = MOST_LEVELS + 100
    frame = pd.DataFrame({"k": [f"k{i % 7}" for i in range(n)], "t": [f"t{i % 3}" for i in range(n)], "w": range(n)})
    tables = [ibis.memtable(pa.Table.from_pandas(f, preserve_index=False)) for f in (frame, frame.iloc[::-1])]
    opened = start_engine(TableStudy(tables[0], tables[1:]), "a table of ours")
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",), targets=("t",))))


def unlike_values():
    """Tables handed over, whose columns hold the same in other types, zones and spellings."""
    n = 60
    moments = pd.Series(pd.date_range("2020-01-01", periods=n, tz="Europe/Berlin"))
    frame = pd.DataFrame({
        "k": ["f", "m"] * 30, "x": range(n), "big": [2**60 + i for i in range(n)], "third": pd.Series([i / 3 for i in range(n)], dtype="float32"),
        "when": moments, "where": moments, "place": ["Z\u00fcrich", "Bern"] * 30, "work": [1, 2, 3] * 20, "height": [1.26 + i for i in range(n)],
    })  # fmt: skip
    other = frame.assign(
        x=[f"a{i}" for i in range(n)], big=frame["big"].astype(float), third=frame["third"].astype(float),
        when=moments.dt.tz_convert("UTC"), where=moments.dt.tz_localize(None), place=["Zu\u0308rich", "Bern"] * 30,
        work=["one", "two", "three"] * 20, height=[round(1.26 + i, 1) for i in range(n)],
    )  # fmt: skip
    opened = start_tables(frame, [other])
    return opened.with_review(opened.review.with_settings(Settings(keys=("k",))))


def by_size():
    """Smaller releases of all targets, as the papers draw them."""
    opened = numbers()
    opened = opened.with_review(replace(opened.review, tau=0.8))
    opened.sizes()
    opened.draws("t", 1).extend(release_size.by_size(opened.assessment(), ["t"], repeats=1))
    return opened


def flat():
    """Two sets in which every column has one level, so that no table has an answer."""
    frame = pd.DataFrame({"k": ["a"] * 30, "t": ["x"] * 30})
    opened = start(
        ("o.csv", csv(frame)), {"a": [("a.csv", csv(frame.head(20)))], "b": [("b.csv", csv(frame.head(25)))]}
    )
    review = opened.review.with_settings(Settings(keys=("k",)))
    return opened.with_review(replace(review, searched=frozenset({"comparison"})))


def many_keys():
    """More keys than have every subset searched."""
    names = [f"k{i}" for i in range(13)]
    frame = pd.DataFrame(
        {name: [(j >> i % 6) % 2 for j in range(60)] for i, name in enumerate(names)} | {"t": ["a", "b"] * 30}
    )
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame.iloc[::-1].head(50)))]})
    opened = opened.with_holdout(*read_holdout("h.csv", csv(frame.head(30))))
    review = opened.review.with_settings(Settings(keys=tuple(names)))
    return opened.with_review(replace(review, threat_model=ANSWERED))


REVIEWS = {name: (lambda state=state: opened_in(state)) for name, state in STATES.items()}
REVIEWS |= {
    f.__name__: f
    for f in (
        odd,
        alike,
        strangers,
        safer,
        mended,
        split,
        census,
        to_be_searched,
        of_others,
        of_nobody_knows_how_many,
        one_each,
        one_column,
        nothing_asked,
        everything_fits,
        everybody,
        numbers,
        small_levels,
        other_columns,
        far,
        many_keys,
        unlike_values,
        by_size,
        flat,
        fewer_members,
        of_no_target,
    )
}
