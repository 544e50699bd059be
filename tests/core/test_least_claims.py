"""Claims removed, columns coarsened, values blanked: against every chain made by `protect` and counted over dictionaries."""

# Inside: what is searched, and how far, before any release is made.

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Aim,
    Band,
    BlankClaims,
    Hierarchy,
    Holdout,
    May,
    RemoveClaims,
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
    strongest_intruder,
)
from disclosure_core.review import least
from disclosure_core.sensitivity.strongest_intruder import without_groups
from tests.reference.chains import costs, records, unbeaten
from tests.reference.plainly import largest
from tests.saved import from_json, to_json

KEYS, TARGETS = ("region", "sex", "age"), ("job", "ill")
AGES = Hierarchy.bands(2, 4)
REGIONS = Hierarchy.table([("a", "ab"), ("b", "ab"), ("c", "c")])
PERSON = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from("fm"),
    st.integers(0, 7),
    st.sampled_from(["x", "y", None]),
    st.sampled_from("uv"),
)
TABLES = st.lists(PERSON, min_size=4, max_size=14)
COLUMNS = [*KEYS, *TARGETS]


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def subsets(names):
    return [some for n in range(len(names) + 1) for some in combinations(names, n)]


def known(name, value):
    """What an intruder may know of a released key, finest first, then nothing; a group or a band stays one."""
    if name == "age":
        low, _, high = str(value).strip("[)").partition(",")
        released = int(high) - int(low) if high else 0
        return [value, *(value if w <= released else ("band", int(low) // w) for w in (2, 4)), "*"]
    return [value, "c" if value == "c" else "ab", "*"] if name == "region" else [value, "*"]


def chains(may):
    """Every chain that may be taken, by hand."""
    regions = [[], [Band("region", "2 groups", (("a", "ab"), ("b", "ab"), ("c", "c")))]]
    ages = [[], [Band("age", "2")], [Band("age", "4")]]
    coarser = product(regions[: 1 + ("region" in may.coarsen)], ages if "age" in may.coarsen else ages[:1])
    for (region, age), out, claims, blanks in product(coarser, (0, 1), subsets(may.remove_claims), subsets(may.blank)):
        yield [*region, *age, *[RemoveReplicated()] * out, *map(RemoveClaims, claims), *map(BlankClaims, blanks)]


def star(original, target):
    """Return the commonest level in a tuple; none where it is not one alone."""
    most = Counter(r[target] for r in original).most_common(2)
    return (most[0][0],) if len(most) < 2 or most[0][1] > most[1][1] else ()


def figure_of(measure):
    """The largest figure over all that an intruder may know of what is released."""

    def of(made, _):
        plain, *kept = records(made)
        of_target = (
            {None: ()} if measure == "repU" else {t: star(plain, t) if measure == "beyond" else () for t in TARGETS}
        )
        nodes = [*product(range(3), range(2), range(4))]
        return max(
            largest(nodes, KEYS, known, plain, kept, target, levels)
            for target, levels in of_target.items() if levels or measure != "beyond"
        )  # fmt: skip

    return of


TWO_COST_THE_SAME = [
    [("b", "f", 0, "y", "v"), ("c", "f", 0, None, "v"), ("a", "m", 0, "y", "v"), ("a", "f", 0, "x", "u")],
    [
        ("b", "f", 0, "x", "u"), ("b", "f", 0, "y", "u"), ("b", "m", 0, "y", "v"), ("a", "f", 0, "x", "v"), ("a", "m", 0, "x", "u"),
        ("a", "f", 0, "y", "u"), ("b", "f", 0, "y", "u"), ("c", "m", 0, "y", "v"), ("a", "f", 0, "y", "v"), ("a", "m", 0, "y", "u"),
        ("b", "f", 0, "y", "v"), ("a", "f", 0, None, "u"),
    ],
]  # fmt: skip
"""Claims of job removed, or replicated uniques: a beam named the one, and a whole search the other."""


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(
    TABLES, st.lists(TABLES, min_size=1, max_size=2), st.sampled_from(["DiSCO", "beyond", "repU"]), st.sampled_from([20, 80]),
    st.sampled_from([(), ("ill",), TARGETS]), st.sampled_from([(), ("ill",), TARGETS]),
    st.sampled_from([(), ("region",), ("age",), ("region", "age")]),
)  # fmt: skip
@example(TWO_COST_THE_SAME[0], TWO_COST_THE_SAME[1:], "repU", 80, (), TARGETS, ("region",))
def test_the_frontier_is_that_of_every_chain(original, synthetic, measure, share, blank, claims, coarse):
    original = [*original, ("a", "f", 0, "x", "u"), ("b", "m", 0, "y", "v"), ("c", "m", 0, "y", "v")]
    levels = {"region": REGIONS, "age": AGES}
    may = May({name: levels[name] for name in coarse}, share, blank, {}, claims)
    sides = [frame(original), *map(frame, synthetic)]
    study, asked = Study(sides[0], sides[1:]), Settings(keys=KEYS, targets=TARGETS)
    aim = [Aim(measure, "", False, 10)]
    assume(measure != "beyond" or any(star([dict(zip(COLUMNS, r, strict=True)) for r in original], t) for t in TARGETS))
    found = least_safeguard(study, asked, aim, may, levels)
    best = unbeaten(costs(chains(may), sides[0], sides[1:], KEYS, may, figure_of(measure)))
    assert found.exhaustive
    assert [(p.detail_lost, p.figure) for p in found.points] == [pytest.approx(each, abs=1e-6) for each in best]
    beam = least_safeguard(study, asked, aim, may, levels, releases=1)
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
    made = opened.with_review(review.with_steps(point.steps)).as_adopted().partition()
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
