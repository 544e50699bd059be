"""Claims removed as a step of the search: against every chain made by `protect` and counted over dictionaries."""

from dataclasses import replace
from itertools import combinations, product

import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Settings, Study
from disclosure_core.comparison.aims import Aim, May
from disclosure_core.comparison.least_safeguard import least_safeguard
from disclosure_core.data import demo
from disclosure_core.data.hierarchies import Hierarchy
from disclosure_core.holdout.baseline import attribute_baseline
from disclosure_core.protection.safeguards import protect
from disclosure_core.protection.steps import Band, BlankClaims, RemoveClaims, RemoveReplicated
from disclosure_core.review import least
from disclosure_core.review.opening import open_review, start_demonstration
from disclosure_core.review.parts import Holdout, Sought
from disclosure_core.review.saved import from_json, to_json
from disclosure_core.sensitivity.strongest_intruder import strongest_intruder, without_groups
from tests.reference.plainly import largest

KEYS, TARGETS = ("region", "sex"), ("job", "ill")
REGIONS = Hierarchy.table([("a", "ab"), ("b", "ab"), ("c", "c")])
PERSON = st.tuples(
    st.sampled_from("abc"), st.sampled_from("fm"), st.sampled_from(["x", "y", None]), st.sampled_from("uv")
)
TABLES = st.lists(PERSON, min_size=4, max_size=14)
COLUMNS = [*KEYS, *TARGETS]


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def subsets(names):
    return [some for n in range(len(names) + 1) for some in combinations(names, n)]


def known(name, value):
    """What an intruder may know of a released key, finest first, then nothing; a group stays one."""
    return [value, "c" if value == "c" else "ab", "*"] if name == "region" else [value, "*"]


def by_hand(original, synthetic, may, measure):
    """Return (detail lost, figure) of every chain."""
    coarser = [[], [Band("region", "2 groups", (("a", "ab"), ("b", "ab"), ("c", "c")))]] if may.coarsen else [[]]
    for region, out, claims, blanks in product(coarser, (0, 1), subsets(may.remove_claims), subsets(may.blank)):
        steps = [*region, *[RemoveReplicated()] * out, *map(RemoveClaims, claims), *map(BlankClaims, blanks)]
        try:
            made = protect(original, synthetic, steps, Settings(keys=KEYS))
        except DisclosureError as error:
            assert "no record left" in str(error)  # noqa: PT017
            continue
        removed = max(100 * n / len(s) for n, s in zip(made.n_removed, synthetic, strict=True))
        if removed > may.remove + 1e-9:
            continue
        sides = [
            [
                {k: None if pd.isna(v) else v for k, v in r.items()}
                for r in table.frame().astype(object).to_dict("records")
            ]
            for table in (made.original, *made.tables)
        ]
        figure = max(
            largest(
                product(range(3), range(2)), KEYS, known, sides[0], sides[1:], None if measure == "repU" else target
            )
            for target in TARGETS
        )
        yield round(float(made.detail.means.mean()), 7), round(figure, 7)


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(
    TABLES, st.lists(TABLES, min_size=1, max_size=2), st.sampled_from(["DiSCO", "repU"]), st.sampled_from([20, 80]),
    st.sampled_from([(), ("ill",), TARGETS]), st.sampled_from([("ill",), TARGETS]), st.booleans(),
)  # fmt: skip
def test_the_frontier_is_that_of_every_chain(original, synthetic, measure, share, blank, claims, coarse):
    original = [*original, ("a", "f", "x", "u"), ("b", "m", "y", "v"), ("c", "m", "y", "v")]
    may = May({"region": REGIONS} if coarse else {}, share, blank, {}, claims)
    sides = [frame(original), *map(frame, synthetic)]
    study, asked = Study(sides[0], sides[1:]), Settings(keys=KEYS, targets=TARGETS)
    aim = [Aim(measure, "", False, 10)]
    found = least_safeguard(study, asked, aim, may, {"region": REGIONS})
    best = []
    for lost, figure in sorted(by_hand(sides[0], sides[1:], may, measure)):
        if not best or figure < best[-1][1]:
            best.append((lost, figure))
    assert found.exhaustive
    assert [(p.detail_lost, p.figure) for p in found.points] == [pytest.approx(each, abs=1e-6) for each in best]
    beam = least_safeguard(study, asked, aim, may, {"region": REGIONS}, releases=1)
    assert not beam.exhaustive
    assert beam.points == found.points


SETTINGS = Settings(keys=["sex", "age", "region", "employment"], targets=["abroad"])
MAY = May({}, 90, (), {}, ("abroad",))


def test_removed_claims_leave_the_strongest_intruder_nothing():
    study = demo.study()
    found = least_safeguard(study, SETTINGS, ["DiSCO<1"], MAY)
    point = found.cheapest
    assert RemoveClaims("abroad") in point.steps
    assert "remove claims of abroad" in point.short
    assert "keys that no synthetic record has may be those whose records agreed" in point.seen_through
    made = protect(demo.original(), demo.syntheses(), point.steps, SETTINGS)
    again = strongest_intruder(made.study, SETTINGS, measures=["DiSCO"]).of("DiSCO", "abroad")
    assert point.figure == again["figure"] == 0  # that somebody gave no answer is a claim, too
    assert point.of == "DiSCO of abroad"
    assert point.detail_lost == pytest.approx(float(made.detail.means.mean()))
    assert point.removed == pytest.approx(max(100 * n / 5000 for n in made.n_removed))
    # Within a smaller share no claim is removed.
    less = least_safeguard(study, SETTINGS, ["DiSCO<1"], replace(MAY, remove=5))
    assert all(p.removed <= 5 for p in less.points)
    assert not any(isinstance(step, RemoveClaims) for p in less.points for step in p.steps)
    # Blanks cost less; but what is blank says Missing, and is right of those who gave no answer.
    both = least_safeguard(study, SETTINGS, ["DiSCO<1"], replace(MAY, blank=("abroad",)))
    blanked = next(p for p in both.points if BlankClaims("abroad") in p.steps)
    removed = next(p for p in both.points if RemoveClaims("abroad") in p.steps)
    assert blanked.detail_lost < removed.detail_lost
    assert blanked.figure > removed.figure == point.figure


def test_M_after_claims_are_removed_is_that_of_the_baseline():
    first = start_demonstration()
    review = replace(first.review, targets=("abroad", "marital"), holdout=Holdout("demonstration"))
    opened = open_review(review)
    may = May({}, 100, (), {}, ("abroad",))
    found = least_safeguard(opened.partition(), review.settings, ["M<=1"], may)
    point = next(p for p in found.points if RemoveClaims("abroad") in p.steps)
    assert point.of == "M of marital"  # of abroad nothing is claimed
    made = opened.with_review(review.with_steps(point.steps)).partition_after_safeguards()
    settings_ = without_groups(review.settings, set())[0]
    again = attribute_baseline(replace(made, random=True), settings_).same_keys.set_index("target")["points"]
    assert again["marital"] <= point.figure + 1e-9


def test_a_review_keeps_whose_claims_may_be_removed():
    first = start_demonstration()
    sought = Sought(("DiSCO<20",), {}, 90, (), None, {}, ("abroad", "income"))
    review = replace(first.review, targets=("abroad",), sought=sought)
    assert from_json(to_json(review)) == review
    assert sought.may.words == "at most 90 % of a synthesis removed, also claims of abroad, income"
    opened = first.with_review(review)
    assert least.may_now(opened).remove_claims == ("abroad",)  # income is not assessed
    assert least.n_releases(opened) == least.searched(opened).n_chains == 3
    # A claim of "abroad" is every replicated unique but of those who gave no answer.
