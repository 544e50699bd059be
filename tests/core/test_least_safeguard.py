"""The least safeguard: stopped at each stage, resumed, and an aim that nobody can reach; its frontier is in test_least_claims."""

# Inside: a search that is ended and goes on, as the page Safeguards has it.

from dataclasses import replace
from unittest.mock import patch

import pandas as pd
import pytest

from disclosure_core import (
    Aim,
    Band,
    Bounds,
    DisclosureError,
    Hierarchy,
    Holdout,
    May,
    Settings,
    Sought,
    Study,
    attribute_baseline,
    demo,
    least_safeguard,
    open_review,
    start_demonstration,
)
from disclosure_core.comparison import least_safeguard as searching
from disclosure_core.review import least
from disclosure_core.sensitivity.strongest_intruder import without_groups
from tests.saved import from_json, to_json

AGE = Hierarchy.bands(2, 4)


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
        made = opened.with_review(review.with_steps(point.steps)).as_adopted().partition()
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
