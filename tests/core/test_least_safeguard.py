"""The least safeguard: equal to a count over dictionaries, stopped at each stage, resumed, and an aim that nobody can reach."""

# Inside: a search that is ended and goes on, as the page Safeguards has it.

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Aim,
    Band,
    BlankClaims,
    Bounds,
    DisclosureError,
    Hierarchy,
    Holdout,
    May,
    RemoveReplicated,
    Settings,
    Sought,
    Study,
    attribute_baseline,
    demo,
    least_safeguard,
    open_review,
    protect,
    start_demonstration,
)
from disclosure_core.comparison import least_safeguard as searching
from disclosure_core.review import least
from disclosure_core.sensitivity.strongest_intruder import without_groups
from tests.reference.chains import costs, records, unbeaten
from tests.reference.plainly import largest
from tests.saved import from_json, to_json

AGE, REGION = Hierarchy.bands(2, 4), Hierarchy.table([("a", "ab"), ("b", "ab"), ("c", "c")])
KEYS = ("age", "region", "sex")
PERSON = st.tuples(
    st.integers(0, 7), st.sampled_from("abc"), st.sampled_from("fm"), st.sampled_from("xyz"), st.sampled_from("uv")
)
TABLES = st.lists(PERSON, min_size=3, max_size=14)


def frame(rows):
    return pd.DataFrame(rows, columns=[*KEYS, "job", "ill"])


def looks(name, value):
    """Return a value at every level that somebody may know, in words, finest first; the last is nothing."""
    if name == "age":
        return [str(value), *(f"[{value // w * w},{value // w * w + w})" for w in (2, 4)), "*"]
    if name == "region":
        return [value, "ab" if value in "ab" else value, "*"]
    return [value, "*"]


def star(original, target):
    """Return the commonest level; None where it is not one alone."""
    most = Counter(r[target] for r in original).most_common(2)
    return most[0][0] if len(most) < 2 or most[0][1] > most[1][1] else None


def largest_not_finer(original, synthetic, release, target, measure):
    """Return the largest figure over all nodes not finer than a release; synthetic may have None."""
    commonest = star(original, target) if target else None
    nodes = product(range(release["age"], 4), range(release["region"], 3), range(2))
    of = None if measure == "repU" else target
    return largest(nodes, KEYS, looks, original, synthetic, of, (commonest,) if measure == "beyond" else ())


def chains():
    """Every chain that may be taken, by hand."""
    ages = [[], [Band("age", "2")], [Band("age", "4")]]
    regions = [[], [Band("region", "2 groups", (("a", "ab"), ("b", "ab"), ("c", "c")))]]
    for age, region, out in product(ages, regions, (False, True)):
        for blanks in (b for n in range(3) for b in combinations(("job", "ill"), n)):
            yield [*age, *region, *[RemoveReplicated()] * out, *map(BlankClaims, blanks)]


def figure_of(original, synthetic, measure):
    """The largest figure over all that an intruder may know, at most as exactly as it is released."""

    def of(made, steps):
        bands = {step.column: step.level for step in steps if isinstance(step, Band)}
        release = {"age": ["", "2", "4"].index(bands.get("age", "")), "region": int("region" in bands)}
        plain, *kept = records(made)
        taken = [range(len(original)), *(change.rows.tolist() for change in made.changes)]
        for side, rows, of_side in zip((original, *synthetic), taken, (plain, *kept), strict=True):
            for record, r in zip(of_side, rows, strict=True):
                record |= dict(zip(KEYS, side[r], strict=False))  # as they came: `looks` says how they are known
        targets = ("job", "ill") if measure != "repU" else ("",)
        targets = [t for t in targets if measure != "beyond" or star(plain, t)]
        return max(largest_not_finer(plain, kept, release, t, measure) for t in targets)

    return of


@pytest.mark.slow
@settings(
    max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(
    TABLES,
    st.lists(TABLES, min_size=1, max_size=2),
    st.sampled_from(["DiSCO", "beyond", "repU"]),
    st.sampled_from([5, 60]),
)
def test_the_frontier_is_that_of_every_chain_counted_over_dictionaries(original, synthetic, measure, share):
    regions = {"abc"[i] for i in range(3)}
    original = [*original, *((i, r, "f", "x", "u") for i, r in enumerate(sorted(regions)))]
    people = [dict(zip((*KEYS, "job", "ill"), r, strict=True)) for r in original]
    assume(measure != "beyond" or star(people, "job") or star(people, "ill"))
    may = May({"age": AGE, "region": REGION}, share, ("job", "ill"))
    study = Study(frame(original), [frame(side) for side in synthetic])
    found = least_safeguard(study, Settings(keys=KEYS, targets=("job", "ill")), [Aim(measure, "", False, 10)], may)
    sides = [frame(original), *map(frame, synthetic)]
    every = costs(chains(), sides[0], sides[1:], KEYS, may, figure_of(original, synthetic, measure))
    assert found.exhaustive
    assert [(p.detail_lost, p.figure) for p in found.points] == [
        pytest.approx(each, abs=1e-6) for each in unbeaten(every)
    ]
    # Each point's chain, made by `protect`, costs what the point says.
    for point in found.points:
        made = protect(frame(original), [frame(s) for s in synthetic], point.steps, Settings(keys=KEYS))
        assert float(made.detail.means.mean()) == pytest.approx(point.detail_lost)
    reached = [lost for lost, figure in every if figure <= 10]
    assert (found.cheapest is None) == (not reached)
    if reached:
        assert found.cheapest.detail_lost == pytest.approx(min(reached), abs=1e-6)


SETTINGS = Settings(keys=["sex", "age", "region", "employment"], targets=["abroad", "income"])
MAY = May({"age": Hierarchy.bands(5, 10, 20)}, 10, ("abroad", "income"))


@pytest.mark.slow
def test_a_search_ends_where_progress_raises_and_goes_on_where_time_ran_out():
    study = demo.study()
    whole = least_safeguard(study, SETTINGS, ["DiSCO<20"], MAY)
    for stage in range(9):
        told = []

        def stop(done, of, at=stage, told=told):
            told.append((done, of))
            if done == at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            least_safeguard(study, SETTINGS, ["DiSCO<20"], MAY, progress=stop)
        assert list(dict.fromkeys(told)) == [(done, 8) for done in range(stage + 1)]
    part = least_safeguard(study, SETTINGS, ["DiSCO<20"], MAY, seconds=0)
    assert (part.n_counted, part.n_chains, part.exhaustive) == (1, 8, False)
    assert "another release may be" in part.promise
    went_on = least_safeguard(study, SETTINGS, ["DiSCO<20"], MAY, resumed=part)
    assert (went_on.points, went_on.promise) == (whole.points, whole.promise)
    beam = least_safeguard(study, SETTINGS, ["DiSCO<20"], MAY, releases=7)
    assert not beam.exhaustive
    assert beam.points == whole.points


@pytest.mark.slow
def test_a_search_ends_in_the_middle_of_a_release():
    with patch.object(searching, "_EVERY", 0):  # told at each node
        told = []
        least_safeguard(demo.study(), SETTINGS, ["DiSCO<20"], MAY, progress=lambda *at: told.append(at))
        within = told.count((3, 8))
        assert within > 10
        heard = []

        def stop(*at):
            heard.append(at)
            if heard.count((3, 8)) == within // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            least_safeguard(demo.study(), SETTINGS, ["DiSCO<20"], MAY, progress=stop)
    assert heard == told[: len(heard)]


def test_an_aim_nobody_can_reach_is_said_with_the_nearest_point():
    may = May({"age": Hierarchy.bands(5)})
    found = least_safeguard(demo.study(), SETTINGS, ["DiSCO[abroad]<1"], may)
    assert found.cheapest is None
    assert found.nearest.steps == (Band("age", "5"),)
    assert found.sentence.startswith("No chain reaches the aim. The nearest: Write 'age' in bands of 5.")
    assert found.promise == "All 2 releases were looked at: no other chain of these steps reaches the aim."
    both = least_safeguard(demo.study(), SETTINGS, ["DiSCO[abroad]<=40", "repU<=50"], may)
    assert both.cheapest.steps == (Band("age", "5"),)
    assert both.cheapest.figure <= 100 < both.points[0].figure


@pytest.mark.parametrize(
    ("aims", "may", "message"),
    [
        ([], MAY, "State an aim, such as"),
        (["DiSCO"], MAY, "cannot be read; write a measure"),
        (["DiSCO>5"], MAY, "cannot be read; write a measure"),
        (["repU<101"], MAY, "The limit of the aim 'repU<101' is not from 0 to 100"),
        ([Aim("DiSCO", "", False, float("nan"))], MAY, "is not from 0 to 100"),
        (["DiSCO<-1"], MAY, "cannot be read; write a measure"),
        (["UiO<5"], MAY, "No aim bounds 'UiO'"),
        (["repU[income]<5"], MAY, "repU belongs to the keys"),
        (["DiSCO[nobody]<5"], MAY, "'nobody' is no target that is assessed"),
        (["DiSCO<5", "repU<0"], MAY, "none has the limit 0; search for that one alone"),
        (["DiSCO<5"], May({"income": Hierarchy.bands(5)}), "is no key: writing it less exactly"),
        (["DiSCO<5"], May({"sex": Hierarchy.bands(5)}), "is not numeric and has no bands"),
        (["DiSCO<5"], May({}, 0, ("nobody",)), "'nobody' is no target that is assessed"),
        (["DiSCO<5"], May({}, 5, remove_claims=("nobody",)), "'nobody' is no target that is assessed"),
        (["DiSCO<5"], May({}, 5, remove_claims=("age",)), "is a key, and keys make no claim; name a target"),
        (["DiSCO<5"], May({}, 0, ("age",)), "is a key, and keys make no claim; name a target"),
    ],
)
def test_what_does_not_fit_is_one_sentence(aims, may, message):
    with pytest.raises(DisclosureError, match=message):
        least_safeguard(demo.study(), SETTINGS, aims, may)


def test_what_may_be_touched_is_checked():
    with pytest.raises(DisclosureError, match="from 0 to 100 %"):
        May({}, 101)
    with pytest.raises(DisclosureError, match="Nothing may be touched; name a column"):
        May()
    with pytest.raises(DisclosureError, match="Say what share of the records may be removed, above 0 %"):
        May({}, 0, ("abroad",), remove_claims=("abroad",))
    with pytest.raises(DisclosureError, match="do not nest with those that the intruder may know"):
        least_safeguard(demo.study(), SETTINGS, ["DiSCO<5"], MAY, {"age": Hierarchy.bands(3)})
    with pytest.raises(DisclosureError, match="let the intruder know fewer keys or levels"):
        least_safeguard(demo.study(), SETTINGS, ["DiSCO<5"], MAY, bounds=Bounds(budget=9))
    tied = pd.DataFrame({"k": [1, 2, 3, 4], "t": list("xxyy")})
    with pytest.raises(DisclosureError, match="Nothing is left to search for"):
        least_safeguard(Study(tied, [tied]), Settings(keys=["k"], targets=["t"]), ["beyond<5"], May({"k": AGE}))
    more = tied.assign(u=list("vvvw"))
    asked = Settings(keys=["k"], targets=["t", "u"])
    with pytest.raises(DisclosureError, match="The aim has no figure here. Beyond the commonest answer is not given"):
        least_safeguard(Study(more, [more]), asked, ["beyond[t]<5"], May({"k": AGE}))


@pytest.mark.slow
def test_M_of_the_data_as_they_came_is_that_of_the_baseline():
    first = start_demonstration()
    review = replace(first.review, targets=("abroad", "marital"), holdout=Holdout("demonstration"))
    opened = open_review(review)
    found = least_safeguard(
        opened.partition(), review.settings, ["M<=1"], May({"age": Hierarchy.bands(5, 10)}, 10, ("marital",)),
    )  # fmt: skip
    came = found.points[0]
    assert came.steps == ()
    assert came.of == "M of marital"
    settings = without_groups(review.settings, {"age": Hierarchy.bands(5)})[0]
    at_keys = attribute_baseline(opened.partition(), settings).same_keys.set_index("target")["points"]
    assert came.knows == "sex, age, region, employment"
    assert came.figure == pytest.approx(at_keys["marital"])
    # The chain made by hand, its people inside and outside counted again: at the keys as released M is no larger.
    for point in found.points[1:3]:
        made = opened.with_review(review.with_steps(point.steps)).partition_after_safeguards()
        again = attribute_baseline(replace(made, random=True), settings).same_keys.set_index("target")["points"]
        assert again[point.of.removeprefix("M of ")] <= point.figure + 1e-9
    assert any("partly luck" in note for note in found.notes)


def test_M_asks_for_people_outside_who_are_there_by_lot():
    may = May({"age": Hierarchy.bands(5)})
    with pytest.raises(DisclosureError, match="bring a holdout that is a random part of the original"):
        least_safeguard(demo.study(), SETTINGS, ["M<=1"], may)
    first = start_demonstration()
    opened = open_review(replace(first.review, holdout=Holdout("demonstration")))
    with pytest.raises(DisclosureError, match="not searched with a denominator limit or τ"):
        least_safeguard(opened.partition(), SETTINGS, ["M<=1"], may, tau=0.5)
    with pytest.raises(DisclosureError, match="M needs people outside the data"):
        first.least_safeguard(["M<=1"], may)


@pytest.mark.slow
def test_a_review_keeps_what_is_sought_and_goes_on_where_time_ended():
    first = start_demonstration()
    sought = Sought(("DiSCO<20",), {"age": Hierarchy.bands(5, 10)}, 10, ("abroad",), 0)
    review = replace(first.review, targets=("abroad", "income"), sought=sought)
    assert from_json(to_json(review)) == review
    opened = first.with_review(review)
    assert opened.finished_least() is None
    part = least.searched(opened)
    assert (part.n_counted, part.out_of_time) == (1, True)
    assert opened.least_safeguard() is part
    counted = []
    for _ in range(10):
        found = least.searched(opened, further=True)
        counted.append(found.n_counted)
        if not found.out_of_time:
            break
    assert counted == [2, 3, 4, 5, 6]
    whole = least_safeguard(opened.study(), review.settings, ["DiSCO<20"], sought.may)
    assert (found.points, found.exhaustive) == (whole.points, True)
    # Adopted, the search is still of the data as they came, and says what was chosen.
    taken = opened.with_review(least.with_point(review, found.points[2]))
    adopted = taken.adopt("bands")
    assert adopted.finished_least() is found
    assert least.is_kept(adopted)
    assert least.chosen(adopted.review, found) == {2: "adopted as 'bands'"}
    assert least.chosen(taken.review, found) == {2: "variant 'variant 1'"}
    assert least.with_point(taken.review, found.points[2]) == taken.review  # a second click makes no second variant


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"aims": ("DiSCO",)}, "cannot be read; write a measure"),
        ({"aims": ("",)}, "The aim '' cannot be read"),
        ({"aims": ("repU<101",)}, "is not from 0 to 100"),
        ({"remove": float("nan")}, "from 0 to 100 %"),
        ({"aims": ("UiO<5",)}, "No aim bounds 'UiO'"),
        ({"remove": 101}, "from 0 to 100 %"),
        ({"remove": -1}, "from 0 to 100 %"),
        ({"seconds": -1}, "after 0 seconds or more"),
        ({"seconds": float("nan")}, "after 0 seconds or more"),
    ],
)
def test_what_cannot_be_sought_is_one_sentence(parts, message):
    with pytest.raises(DisclosureError, match=message):
        Sought(**parts)
