"""People outside in DuckDB are seen through safeguards as those of files: every figure to 1e-9, every sentence."""

# Inside: people outside after safeguards, there and here.

from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Chain,
    Coarsen,
    Exclusions,
    Hierarchy,
    MergeLevels,
    NotEvaluated,
    Pair,
    Recode,
    RemoveClaims,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Settings,
    attribute_baseline,
    demo,
    identity_baseline,
    partition,
    read_holdout,
    restrict_to_study,
    start,
    start_engine,
    strongest_intruder,
)
from disclosure_core.data.values import Kind
from disclosure_core.engines import study as engine_study
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.holdout.partition import Partition, outside_groups
from disclosure_core.protection.in_engine import protect_there
from disclosure_core.protection.seen_there import seen_there
from disclosure_core.protection.seen_through import through_safeguards
from disclosure_core.sensitivity.strongest_intruder import OF_COUNTS
from tests.core.test_verify import people
from tests.engines.test_engines import TOLERANCE, written
from tests.engines.test_safer import CELLS, CHAINS, CODES, ENGINES, KEYS, STEPS, answer, beside, sides

pytestmark = pytest.mark.filterwarnings("default")

ASKED = Settings(("sex", "age", "region"), ("marital", "income", "abroad", "education"), {"income": 4, "age": 5})
OUT = Exclusions(
    target_levels={"abroad": ["No"]}, missing_targets={"income"}, missing_keys={"region"}, denominator_limit=9,
    pairs={"marital": [Pair("sex", "Female", "Single")]},
)  # fmt: skip


def alike(ours, theirs, asked):
    """Both have the same figures of people outside, and say the same of them."""
    assert isinstance(theirs, NotEvaluated) is isinstance(ours, NotEvaluated)
    if isinstance(ours, NotEvaluated):
        assert (theirs.why, theirs.needs) == (ours.why, ours.needs)
        return
    assert (theirs.n_training, theirs.n_holdout) == (ours.n_training, ours.n_holdout)
    assert theirs.joint.unusable == ours.joint.unusable
    assert theirs.exact_matches == pytest.approx(ours.exact_matches)
    mine, other = (
        answer(lambda p=p: (attribute_baseline(p, restrict_to_study(p.joint, asked)[0]), identity_baseline(p, asked)))
        for p in (replace(ours, random=True), replace(theirs, random=True))
    )
    if isinstance(mine, str):
        assert other == mine
        return
    for a, b in zip(mine, other, strict=True):
        pd.testing.assert_frame_equal(b.figures, a.figures, rtol=0, atol=TOLERANCE)
    pd.testing.assert_frame_equal(other[0].same_keys, mine[0].same_keys, rtol=0, atol=TOLERANCE)


def there_of(study, chain, judged, place):
    made = protect_there(study, chain, judged)
    joined = Partition(seen_there(beside(study, place)(made.first), made))
    return joined.refusal or joined


def odd(frame):
    """People outside with answers that nobody in the data gives: a new region, ages and incomes between and beyond."""
    frame = frame.copy()
    frame.loc[frame.index % 9 == 0, "region"] = "Elsewhere on Earth"
    frame.loc[frame.index % 7 == 0, "region"] = None
    frame["age"] = frame["age"] + (frame.index % 40 == 0) * 90
    frame["income"] = frame["income"] + (frame.index % 5 == 0) * 0.25
    return frame


@pytest.mark.parametrize(("study", "strange"), [(ENGINES[0], False), (ENGINES[0], True), (ENGINES[1], True)])
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_the_figures_are_those_of_files(chain, study, strange, tmp_path):
    frames, holdout = sides(), demo.holdout()
    outside = holdout.assign(**{c: holdout[c].astype(str).where(holdout[c].notna()) for c in holdout.select_dtypes("category")})  # fmt: skip
    outside = odd(outside) if strange else outside
    places = [written(frame, tmp_path, f"side{i}") for i, frame in enumerate([*frames, outside])]
    ours, _ = through_safeguards(frames[0], outside, frames[1:], chain, KEYS, CODES)
    theirs = there_of(study(places[0], places[1:3], CODES), chain, KEYS, places[3])
    alike(ours, theirs, ASKED)
    alike(ours, theirs, replace(ASKED, exclusions=OUT))
    if ours.joint.columns["income"].kind is Kind.NUMBER:
        asked = Settings(("sex", "region"), ("income",))
        mine, other = (near_misses(replace(p, random=True), asked, "income") for p in (ours, theirs))
        pd.testing.assert_frame_equal(other, mine, rtol=0, atol=TOLERANCE)


PEOPLE = {"c": st.sampled_from(["a", "b", "z", "y", None]), "x": st.sampled_from([-8, 1, 2, 3, 4, 5, 9, 40, 90, None]),
          "code": st.sampled_from(["u", "v", "w"])}  # fmt: skip


ALL_ALIKE = [{"c": "a", "x": 1, "code": "u"}] * 3


@example(tables=[ALL_ALIKE] * 2, people=ALL_ALIKE[:1], chain=[RemoveClaims("x")], blank=False, engine=ENGINES[0])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    tables=st.lists(st.lists(st.fixed_dictionaries(CELLS), min_size=3, max_size=25), min_size=2, max_size=3),
    people=st.lists(st.fixed_dictionaries(PEOPLE), min_size=1, max_size=70),
    chain=STEPS, blank=st.booleans(), engine=st.sampled_from(ENGINES),
)  # fmt: skip
def test_any_chain_has_the_figures_of_files(tables, people, chain, blank, engine, tmp_path_factory):
    types = {"c": pd.StringDtype("pyarrow"), "x": "Int64", "code": pd.StringDtype("pyarrow")}
    frames = [pd.DataFrame(rows).astype(types) for rows in (*tables, people)]
    codes = {"x": [-8]} if (frames[0]["x"] == -8).any() else {}
    judged = Settings(keys=("c", "code"))
    chain = (*chain, BlankClaims("x")) if blank else tuple(chain)
    folder = tmp_path_factory.mktemp("any")
    for i, frame in enumerate(frames):
        pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), folder / f"{i}.parquet")
    last = len(frames) - 1
    study = engine(folder / "0.parquet", [folder / f"{i}.parquet" for i in range(1, last)], codes)
    ours, theirs = (
        answer(lambda: through_safeguards(frames[0], frames[-1], frames[1:-1], chain, judged, codes)[0]),
        answer(lambda: there_of(study, chain, judged, folder / f"{last}.parquet")),
    )
    if isinstance(ours, str):
        assert theirs == ours
    else:
        alike(ours, theirs, judged)


STEPS_OF_ONE = [
    Cap("n", 1, 5), RoundTo("n", 2), Coarsen("n", 2), MergeLevels("c", 3), Breaks("n", (2, 20)), Band("n", "5"),
    Recode("c", "b", ("a", "b")), BlankClaims("t"), RemoveClaims("t"), RemoveUniques(), AddLabel("note"),
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("step", STEPS_OF_ONE, ids=lambda step: type(step).__name__)
def test_an_odd_cell_stays_odd_behind_a_safeguard(step, engine, tmp_path):
    training = pd.DataFrame({"n": [1, 2, 3, 4, 9, 9] * 3, "c": list("aaaabc") * 3, "t": list("xy") * 9})
    holdout = pd.DataFrame({"n": ["1", "unknown", "30"], "c": ["a", "new", "c"], "t": list("xyx")})
    for name, frame in (("o", training), ("h", holdout)):
        frame.to_parquet(tmp_path / f"{name}.parquet")
    judged = Settings(keys=("c",))
    ours, _ = through_safeguards(training, holdout, [training], [step], judged)
    study = engine(tmp_path / "o.parquet", [tmp_path / "o.parquet"])
    theirs = there_of(study, [step], judged, tmp_path / "h.parquet")
    for name in "nct":
        mine, other = ours.joint.columns[name], theirs.joint.columns[name]
        counted = [
            {level: tuple(n) for level, n in zip(c.labels, c.counts.T.tolist(), strict=True) if any(n)}
            for c in (mine, other)
        ]
        assert counted[0] == counted[1]
    alike(ours, theirs, Settings(keys=("c",), targets=("n", "t")))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_number_of_too_many_values_to_be_fetched_is_there_after_records_went(engine, tmp_path, monkeypatch):
    frames = [people(i, 300) for i in range(3)]
    for i, frame in enumerate(frames):
        frame.assign(pay=frame.index * 1.5).to_parquet(tmp_path / f"{i}.parquet")
    asked = Settings(("sex", "age"), ("pay", "job"), {"pay": 4})
    study = engine(tmp_path / "0.parquet", [tmp_path / "1.parquet"])
    ours = there_of(study, [RemoveReplicated()], KEYS_OF, tmp_path / "2.parquet")
    monkeypatch.setattr(engine_study, "MOST_VALUES", 100)
    wide = engine(tmp_path / "0.parquet", [tmp_path / "1.parquet"])
    theirs = there_of(wide, [RemoveReplicated()], KEYS_OF, tmp_path / "2.parquet")
    assert theirs.joint.columns["pay"].is_wide
    mine, other = (attribute_baseline(p, asked).figures for p in (ours, theirs))
    pd.testing.assert_frame_equal(other, mine, rtol=0, atol=TOLERANCE)


KEYS_OF = Settings(keys=("sex", "age"))


@pytest.mark.parametrize(("ending", "engine"), [("parquet", ENGINES[0]), ("csv", ENGINES[0]), ("parquet", ENGINES[1])])
def test_a_review_sees_people_outside_after_safeguards(ending, engine, tmp_path):
    """Compared, adopted, and counted again by the second counter."""
    frames = [people(1), people(2), people(3, 180), people(5, 150)]
    places = [tmp_path / f"t{i}.{ending}" for i in range(4)]
    for frame, place in zip(frames, places, strict=True):
        frame.to_parquet(place) if ending == "parquet" else frame.to_csv(place, index=False)
    steps = (
        Cap("age", 21, 24),
        RoundTo("income", 500),
        MergeLevels("region", 80),
        RemoveReplicated(),
        BlankClaims("job"),
    )
    study = engine(places[0], places[1:3], {"income": [-8]})
    there = start_engine(study, "data", beside(study, places[3]), random=True)
    asked = replace(
        there.review.with_settings(Settings(("sex", "age", "region"), None, {"income": 3})),
        chains=(Chain("all", steps),),
        chain="all",
    )
    there = there.with_review(asked)
    here = start(places[0], places[1:3])
    here = here.with_review(replace(here.review, intruders=asked.intruders, groups=asked.groups, chains=asked.chains,
                                    chain="all", columns=asked.columns))  # fmt: skip
    reading, source = read_holdout(places[3].name, places[3])
    here = here.with_holdout(reading, replace(source, random=True))
    pd.testing.assert_frame_equal(there.comparison().table(), here.comparison().table(), rtol=0, atol=TOLERANCE)
    adopted = [each.adopt("safer") for each in (here, there)]
    mine, other = (each.attribute_baseline().figures for each in adopted)
    pd.testing.assert_frame_equal(other, mine, rtol=0, atol=TOLERANCE)
    pd.testing.assert_frame_equal(
        adopted[1].identity_baseline().figures, adopted[0].identity_baseline().figures, rtol=0, atol=TOLERANCE
    )
    found = adopted[1].verify()
    assert found.differ == ()
    of_files = adopted[0].verify()
    # Files have receipts, fingerprints and whole records beside; tables that stay in an engine have none of these.
    mine, other = (
        {name: n for name, n in each.not_counted.items() if not name.startswith(("files", "notes"))}
        for each in (of_files, found)
    )
    assert mine == other
    # Five figures on whole records a synthesis; how many records two files have.
    assert of_files.n == found.n + 5 * 2 + 2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_set_that_has_a_label_alone_is_counted_again(engine, tmp_path):
    for i, frame in enumerate([people(1), people(2), people(5, 150)]):
        frame.to_parquet(tmp_path / f"{i}.parquet")
    study = engine(tmp_path / "0.parquet", [tmp_path / "1.parquet"])
    opened = start_engine(study, "data", beside(study, tmp_path / "2.parquet"), random=True)
    asked = opened.review.with_settings(KEYS_OF).with_steps((AddLabel("note"),))
    found = opened.with_review(asked).adopt("labelled").verify()
    assert found.differ == ()
    assert found.n > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_values_that_no_other_file_has_are_known_less_exactly_as_of_files(engine, tmp_path, monkeypatch):
    """At every level of a hierarchy, and in groups, also of too many numbers to be fetched."""
    days = pd.date_range("1950-01-01", periods=90, freq="97D").date
    training = pd.DataFrame({"d": days, "c": [f"{'ABC'[i % 3]}{i}" for i in range(90)], "n": [i * 1.5 for i in range(90)],
                             "t": ["x" if i % 3 else "y" for i in range(90)]})  # fmt: skip
    outside = training[10:80].assign(d=days[12:82], c=[f"{'ABCD'[i % 4]}x" for i in range(70)])
    outside["n"] += (outside.index % 5) * 0.25 - (outside.index % 9 == 0) * 300
    for name, frame in (("o", training), ("h", outside)):
        frame.to_parquet(tmp_path / f"{name}.parquet")
    asked = Settings(("d", "c", "n"), ("t",), {"n": 4})
    rows = (*((f"{a}{i}", a) for i in range(90) for a in "ABC"), ("Ax", "A"), ("Bx", "B"))
    known = [
        {"d": Hierarchy.calendar("month", "decade"), "c": Hierarchy.prefixes(1), "n": Hierarchy.bands(20)},
        {"d": Hierarchy.calendar("year"), "c": Hierarchy.table(rows)},
    ]
    ours = partition(training, outside, [training], random=True)
    study = engine(tmp_path / "o.parquet", [tmp_path / "o.parquet"])
    theirs = Partition(beside(study, tmp_path / "h.parquet")(study), random=True)
    assert set(theirs.joint.unlike) == set(ours.joint.unlike)
    for hierarchies in known:
        mine, other = (strongest_intruder(p, asked, hierarchies, measures=["DiSCO", "repU"]) for p in (ours, theirs))
        columns = ["figure", "outside", "knows"]
        pd.testing.assert_frame_equal(other.worst[columns], mine.worst[columns], rtol=0, atol=TOLERANCE)
        assert set(mine.notes) == set(other.notes) - {OF_COUNTS}
        assert mine.worst["outside"][0] > 0
    of_groups = Settings(("n",), ("t",), {"n": 4})
    expected, notes = attribute_baseline(ours, of_groups).figures, outside_groups(ours, {"n": 4})
    assert "7 of 70 records have a value outside all of its groups" in notes[0].text
    assert outside_groups(ours, {"n": (1, 2)}) == ()  # the first and the last are open: everybody is in one
    monkeypatch.setattr(engine_study, "MOST_VALUES", 20)
    wide = engine(tmp_path / "o.parquet", [tmp_path / "o.parquet"])
    theirs = [theirs, Partition(beside(wide, tmp_path / "h.parquet")(wide), random=True)]
    assert theirs[1].joint.columns["n"].is_wide
    for each in theirs:
        assert outside_groups(each, {"n": 4}) == notes
        pd.testing.assert_frame_equal(attribute_baseline(each, of_groups).figures, expected, rtol=0, atol=TOLERANCE)
