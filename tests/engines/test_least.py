"""The least safeguard of data in DuckDB is that of files: every chain of the frontier, its figures and its words."""

# Inside: which releases are offered, and how many, there and here.

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    DuckDBStudy,
    Exclusions,
    Hierarchy,
    May,
    Pair,
    Settings,
    Sought,
    Study,
    TableStudy,
    Ways,
    demo,
    least_safeguard,
    partition,
    start,
    start_engine,
    strongest_intruder,
)
from disclosure_core.engines.duckdb_study import outside_files
from disclosure_core.holdout.partition import Partition
from disclosure_core.review import least
from tests.core.test_least_ways import CODES, COLUMNS, KNOWN, TABLES, WAYS, frame
from tests.engines.test_engines import TOLERANCE, written
from tests.engines.test_safer import answer

pytestmark = pytest.mark.filterwarnings("default")


def alike(here, there):
    """Both found the same chains, and say the same of each."""
    if isinstance(here, str):
        assert there == here
        return
    assert (str(there), there.notes, list(there.looked)) == (str(here), here.notes, list(here.looked))
    assert len(there.points) == len(here.points)
    for a, b in zip(here.points, there.points, strict=True):
        assert (b.words, b.of, b.knows, b.reached, b.column, b.levels) == (
            a.words, a.of, a.knows, a.reached, a.column, a.levels
        )  # fmt: skip
        numbers = [(p.figure, p.detail_lost, p.largest, p.removed) for p in (a, b)]
        np.testing.assert_allclose(numbers[1], numbers[0], rtol=0, atol=TOLERANCE)


def in_duckdb(frames, folder, codes=None, outside=None):
    places = [folder / f"{i}.parquet" for i in range(len(frames) + (outside is not None))]
    for each, place in zip([*frames, *([] if outside is None else [outside])], places, strict=True):
        each.to_parquet(place)
    study = DuckDBStudy.of_files(places[0], places[1 : len(frames)], codes)
    return study if outside is None else Partition(outside_files(study, places[-1])(study), random=True)


EXCLUDED = [
    Exclusions(), Exclusions(target_levels={"ill": ["x"]}), Exclusions(missing_keys={"region", "age"}),
    Exclusions(denominator_limit=2), Exclusions(pairs={"ill": [Pair("sex", "f", "x")]}),
]  # fmt: skip


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    original=TABLES, synthetic=st.lists(TABLES, min_size=1, max_size=2), ways=WAYS,
    merge=st.sampled_from([(), (2,), (2, 4)]), coarse=st.booleans(),
    aims=st.sampled_from([["DiSCO<10"], ["repU<=5"], ["beyond<5"], ["DiSCO<=20", "repU<=10"]]),
    excluded=st.sampled_from(EXCLUDED), tau=st.sampled_from([None, 0.6]), grouped=st.booleans(),
)  # fmt: skip
def test_the_frontier_is_that_of_files(
    original, synthetic, ways, merge, coarse, aims, excluded, tau, grouped, tmp_path_factory
):
    sides = [frame([*original, (0, "a", "f", "x"), (7, "b", "m", "y")]), *map(frame, synthetic)]
    codes = CODES if (sides[0]["age"] == -8).any() else {}
    changed = {"region": Ways(merge=merge)} | ({} if grouped else {"age": ways})
    claims = ("ill",) if grouped else ()
    may = May({"age": Hierarchy.bands(4)} if coarse else {}, 60, ("ill",), changed, claims)
    groups = {"age": 2} if grouped else {}
    asked = Settings(keys=COLUMNS[:3], targets=("ill",), groups=groups, exclusions=excluded)
    there = in_duckdb(sides, tmp_path_factory.mktemp("least"), codes)
    found = [
        answer(lambda s=s: least_safeguard(s, asked, aims, may, KNOWN, tau=tau))
        for s in (Study(sides[0], sides[1:], codes), there)
    ]
    alike(*found)


def people(seed, n, beyond=0.0):
    """Members, or people outside, of whom some have ages that nobody in the data has."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 40, n).astype(float) + (rng.random(n) < beyond) * 0.5
    job = np.where(age < 30, rng.choice(list("xy"), n), rng.choice(list("yz"), n))
    return pd.DataFrame({"age": age, "sex": rng.choice(list("fm"), n), "job": job,
                         "town": pd.Series(rng.choice(["a", "b", "c", "-"], n)).replace("-", None)})  # fmt: skip


BANDS = {"age": Hierarchy.bands(2, 10)}
HELD = Settings(keys=("age", "sex", "town"), targets=("job",), groups={"age": 5})


def held(folder):
    members = people(1, 400)
    frames, outside = [members, members.sample(300, random_state=1), people(3, 350)], people(9, 300, 0.4)
    here = replace(partition(frames[0], outside, frames[1:]), random=True)
    return here, in_duckdb(frames, folder, outside=outside)


def test_of_people_with_the_same_keys_the_frontier_is_that_of_files(tmp_path):
    """M compares them; a number that people outside alone have meets others in a band, and beyond a top code."""
    here, there = held(tmp_path)
    ways = {"age": Ways(top=(35,), round=(5,)), "town": Ways(merge=(105,))}
    for groups, ways_now in (({}, ways), ({"age": 5}, {"town": ways["town"]})):
        may, asked = May(BANDS, 30, ("job",), ways_now, ()), replace(HELD, groups=groups)
        found = [least_safeguard(data, asked, ["M<=1"], may, BANDS) for data in (here, there)]
        alike(*found)
        assert len(found[0].points) > 1


def test_the_strongest_intruder_meets_people_outside_in_bands(tmp_path):
    here, there = held(tmp_path)
    assert there.joint.with_unmatched(["age"]).columns["age"].further
    found = [
        strongest_intruder(data, HELD, BANDS, measures=("DiSCO", "repU", "F_rel"), prevalence=0.1)
        for data in (here, there)
    ]
    columns = ["measure", "target", "figure", "all_keys", "outside", "knows"]
    pd.testing.assert_frame_equal(found[1].worst[columns], found[0].worst[columns], rtol=0, atol=TOLERANCE)
    pd.testing.assert_frame_equal(found[1].adds, found[0].adds, rtol=0, atol=TOLERANCE)
    assert found[0].worst["outside"].notna().any()


@pytest.mark.slow
def test_of_a_review_the_search_and_what_is_offered_are_those_of_files(tmp_path):
    frames = [demo.original(), *demo.syntheses()[:2]]
    plain = [f.assign(**{c: f[c].astype(str).where(f[c].notna()) for c in f.select_dtypes("category")}) for f in frames]
    places = [written(f, tmp_path, f"side{i}") for i, f in enumerate(plain)]
    opened = [start(places[0], places[1:]), start_engine(DuckDBStudy.of_files(places[0], places[1:]), "data")]
    asked = Settings(("sex", "age", "region"), ("abroad", "marital"))
    sought = Sought(
        ("DiSCO<30",), {"age": Hierarchy.bands(5, 10)}, 10, ("marital",), None, {"region": Ways(merge=(300,))}
    )
    found, offered = [], []
    for each in opened:
        mine = each.with_review(replace(each.review.with_settings(asked), sought=sought, searched=frozenset({"least"})))
        assert least.n_releases(mine) == 12
        found.append(mine.finished_least())
        offered.append([(least.ways(mine, key), least.ladder(mine, key)) for key in ("sex", "age", "region")])
    alike(*found)
    assert offered[0] == offered[1]
    point = next(p for p in found[1].points if p.steps)
    taken = mine.with_review(least.with_point(mine.review, point))
    assert taken.after_safeguards().summary()["synthetic"].max() < mine.assessment().summary()["synthetic"].max()
    again = taken.verify()
    assert again.differ == ()
    assert any(what.startswith("least_safeguard") for what in again.not_counted)


def test_of_another_engine_it_is_the_same(tmp_path):
    ibis = pytest.importorskip("ibis")
    frames = [people(1, 60), people(2, 60)]
    engine = ibis.duckdb.connect()
    there = TableStudy(engine.create_table("o", frames[0]), [engine.create_table("s", frames[1])])
    found = []
    for study in (Study(frames[0], frames[1:]), there):
        opened = start_engine(study, "data")
        asked = opened.with_review(opened.review.with_settings(Settings(("age", "sex"), ("job",))))
        found.append(asked.least_safeguard(["DiSCO<5"], May(BANDS)))
    alike(*found)
