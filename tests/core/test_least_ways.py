"""Top and bottom codes, rounding and merging as steps of the search: against every chain counted over dictionaries."""

# Inside: which chains there are, before any release is made.

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Aim,
    Band,
    BlankClaims,
    Cap,
    DisclosureError,
    Hierarchy,
    Holdout,
    May,
    MergeLevels,
    RemoveReplicated,
    RoundTo,
    Settings,
    Sought,
    Study,
    Ways,
    attribute_baseline,
    demo,
    least_safeguard,
    open_review,
    protect,
    start_demonstration,
    strongest_intruder,
)
from disclosure_core.comparison.frontier import frontier
from disclosure_core.comparison.ladders import combined
from disclosure_core.comparison.released import is_next
from disclosure_core.review.least import ways as ways_of
from disclosure_core.sensitivity.strongest_intruder import without_groups
from tests.reference.chains import costs, records, unbeaten
from tests.reference.plainly import largest
from tests.saved import from_json, to_json

KNOWN = {"age": Hierarchy.bands(2, 4)}
COLUMNS = ["age", "region", "sex", "ill"]
PERSON = st.tuples(
    st.sampled_from([0, 1, 2, 3, 5, 6, 7, 9.5, -8, None]), st.sampled_from(["a", "b", "c", None]), st.sampled_from("fm"),
    st.sampled_from("xyz"),
)  # fmt: skip
TABLES = st.lists(PERSON, min_size=4, max_size=12)
WAYS = st.builds(
    Ways,
    top=st.lists(st.sampled_from([3.0, 5.0, 6.5]), max_size=2, unique=True).map(tuple),
    bottom=st.sampled_from([(), (1.5,), (2.0,), (4.0,)]),
    round=st.sampled_from([(), (2.0,), (5.0,), (2.0, 3.0)]),
)
CODES = {"age": (-8,)}


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS).astype({"age": "float64"})


def known(name, value):
    """What an intruder may know of a released key, finest first, then nothing."""
    if name == "age" and value not in (None, -8) and not isinstance(value, str):
        return [value, *(("band", value // width * width) for width in (2, 4)), "*"]
    return [value, value, value, "*"] if name == "age" else [value, "*"]


def of_age(ways, coarse):
    """Every chain of steps of age that the ways allow, by hand."""
    ends = [
        (low, high) for low in (None, *ways.bottom) for high in (None, *ways.top) if None in (low, high) or low < high
    ]
    last = [None, *(RoundTo("age", width) for width in ways.round), *([Band("age", "4")] if coarse else [])]
    for (low, high), then in product(ends, last):
        yield [*([Cap("age", low, high)] if (low, high) != (None, None) else []), *([then] if then else [])]


def chains(ways, merge, may):
    """Every chain that may be taken, by hand."""
    merges = [[], *([MergeLevels("region", n)] for n in merge)]
    for age, region, out, blank in product(of_age(ways, "age" in may.coarsen), merges, (False, True), (False, True)):
        yield [*age, *region, *[RemoveReplicated()] * out, *[BlankClaims("ill")] * blank]


def figure_of(measure):
    """The largest figure over all that an intruder may know of what is released."""

    def of(made, _):
        plain, *kept = records(made)
        nodes = product(range(4), range(2), range(2))
        return largest(nodes, COLUMNS[:3], known, plain, kept, None if measure == "repU" else "ill")

    return of


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(
    TABLES, st.lists(TABLES, min_size=1, max_size=2), WAYS, st.sampled_from([(), (2,), (2, 4)]), st.booleans(),
    st.sampled_from(["DiSCO", "repU"]), st.sampled_from([5, 60]),
)  # fmt: skip
def test_the_frontier_is_that_of_every_chain(original, synthetic, ways, merge, coarse, measure, share):
    original = [*original, (0, "a", "f", "x"), (7, "b", "m", "y")]
    sides = [frame(original), *(frame(side) for side in synthetic)]
    codes = CODES if (sides[0]["age"] == -8).any() else {}
    may = May(
        {"age": Hierarchy.bands(4)} if coarse else {}, share, ("ill",), {"age": ways, "region": Ways(merge=merge)}
    )
    study = Study(sides[0], sides[1:], codes)
    try:
        found = least_safeguard(
            study, Settings(keys=COLUMNS[:3], targets=("ill",)), [Aim(measure, "", False, 10)], may, KNOWN
        )
    except DisclosureError as error:
        assert "changes no synthetic value" in str(error)  # noqa: PT017
        return
    every = chains(ways, merge, may)
    best = unbeaten(costs(every, sides[0], sides[1:], COLUMNS[:3], may, figure_of(measure), codes or None))
    assert found.exhaustive
    assert [(p.detail_lost, p.figure) for p in found.points] == [pytest.approx(each, abs=1e-6) for each in best]


def test_a_loss_below_one_per_cent_names_its_column():
    people = pd.DataFrame({"k": list("a" * 149 + "b" * 149 + "cd"), "t": list("xy" * 149 + "xy")})
    found = least_safeguard(
        Study(people, [people]),
        Settings(keys=["k"], targets=["t"]),
        ["DiSCO<=0"],
        May({}, 0, (), {"k": Ways(merge=(2,))}),
    )
    came, merged = found.points
    assert (came.largest, came.column, merged.column) == (0, "", "k")
    assert 0 < merged.largest < 1


def test_only_points_that_none_beats_stay():
    people = pd.DataFrame({"k": list("aaabbbccd"), "t": list("xxxxxxyyz")})
    may = May({}, 0, (), {"k": Ways(merge=(2, 3, 4))})
    came, *others = least_safeguard(
        Study(people, [people]), Settings(keys=["k"], targets=["t"]), ["DiSCO<1"], may
    ).points
    worse = [replace(came, detail_lost=came.detail_lost + 1, figure=came.figure + more) for more in (0, 1)]
    longer = replace(came, steps=(RoundTo("k", 2),))
    assert frontier([*others, longer, *worse, came]) == (came, *others)


def test_a_removal_is_next_to_one_that_removes_one_kind_less():
    every = [(out, claims) for out in (False, True) for claims in ((), ("a",), ("b",), ("a", "b"))]
    for before, after in product(every, every):
        kinds = [{*claims, *(("unique",) if out else ())} for out, claims in (before, after)]
        assert is_next(before, after) == (kinds[0] < kinds[1] and len(kinds[1] - kinds[0]) == 1)


def test_ways_that_suit_a_number_are_ends_of_its_spread_and_widths():
    opened = start_demonstration()
    low, some, more, high = np.quantile(demo.original()["age"], [0.01, 0.05, 0.95, 0.99], method="closest_observation")
    assert low == demo.original()["age"].min()  # which codes nothing
    assert ways_of(opened, "age") == (f"top:{high}", f"top:{more}", f"bottom:{some}", "round:2", "round:5")
    grouped = opened.with_review(replace(opened.review, groups={"age": 5}))
    assert ways_of(grouped, "age") == ways_of(opened, "sex") == ()


CALENDAR = Hierarchy.calendar("month", "quarter")
CODES_OF = Hierarchy.table([("a", "ab"), ("b", "ab"), ("c", "c")])


@pytest.mark.parametrize(
    ("released", "known", "both"),
    [
        (Hierarchy.bands(10), Hierarchy.bands(5), Hierarchy.bands(5, 10)),
        (Hierarchy.calendar("year"), CALENDAR, Hierarchy.calendar("month", "quarter", "year")),
        (Hierarchy.prefixes(1), Hierarchy.prefixes(3), Hierarchy.prefixes(3, 1)),
        (CODES_OF, CODES_OF, CODES_OF),
        (CALENDAR, Hierarchy.prefixes(3), None), (CALENDAR, CODES_OF, None), (CALENDAR, Hierarchy.bands(5), None),
        (Hierarchy.bands(5), Hierarchy.prefixes(3), None), (Hierarchy.prefixes(3), CODES_OF, None),
        (Hierarchy.bands(5), Hierarchy.bands(3), None),
    ],
)  # fmt: skip
def test_levels_released_and_levels_known_are_one_hierarchy_or_do_not_nest(released, known, both):
    assert combined("k", released, None) == released
    if both is not None:
        assert combined("k", released, known) == both
        return
    with pytest.raises(DisclosureError, match="The levels of 'k' that may be released do not nest"):
        combined("k", released, known)


SETTINGS = Settings(keys=["sex", "age", "region", "employment"], targets=["abroad"])
AGES = {"age": Hierarchy.bands(5, 10)}
MAY = May({}, 0, (), {"age": Ways(top=(80, 65), bottom=(25,), round=(2, 5)), "employment": Ways(merge=(300, 800))})


@pytest.mark.slow
def test_each_point_is_what_the_strongest_intruder_finds_in_the_released_data():
    study = demo.study()
    found = least_safeguard(study, SETTINGS, ["DiSCO<1"], MAY, AGES)
    kinds = {type(step) for point in found.points for step in point.steps}
    assert {Cap, RoundTo, MergeLevels} == kinds
    assert len(found.points) >= 5
    for point in found.points:
        made = protect(demo.original(), demo.syntheses(), point.steps, SETTINGS)
        again = strongest_intruder(made.study, SETTINGS, AGES, measures=["DiSCO"]).of("DiSCO", "abroad")
        assert point.figure == pytest.approx(again["figure"]), point.words
        assert point.detail_lost == pytest.approx(float(made.detail.means.mean()))
    beam = least_safeguard(study, SETTINGS, ["DiSCO<1"], MAY, AGES, releases=3)
    assert not beam.exhaustive
    assert beam.points == found.points


def test_a_merged_level_joins_the_groups_that_hold_its_parts():
    people = pd.DataFrame({"k": list("aaabbbccd"), "t": list("xxxxxxyyz")})
    table = Hierarchy.table([("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")])
    asked = Settings(keys=["k"], targets=["t"])
    found = least_safeguard(
        Study(people, [people]), asked, ["DiSCO<1"], May({}, 0, (), {"k": Ways(merge=(2, 3, 4))}), {"k": table}
    )
    # As it came 9 of 9; c and d merged (fewer than 3) 6 of 9; with all of them merged nothing is left to tell apart.
    assert [(round(p.figure, 2), p.short) for p in found.points] == [
        (100, "As it came."), (66.67, "k: levels of fewer than 3 merged"), (0, "k: levels of fewer than 4 merged"),
    ]  # fmt: skip


@pytest.mark.slow
def test_M_with_people_outside_whose_numbers_no_file_has():
    first = start_demonstration()
    review = replace(first.review, targets=("abroad", "marital"), holdout=Holdout("demonstration"))
    opened = open_review(review)
    may = May({}, 0, (), {"age": Ways(top=(70,), round=(5,)), "employment": Ways(merge=(500,))})
    found = least_safeguard(opened.partition(), review.settings, ["M<=1"], may)
    settings_ = without_groups(review.settings, {"age"})[0]
    assert len(found.points) > 1
    for point in found.points:
        made = opened.with_review(review.with_steps(point.steps)).as_adopted().partition()
        again = attribute_baseline(replace(made, random=True), settings_).same_keys.set_index("target")["points"]
        at_keys = again[point.of.removeprefix("M of ")]
        assert at_keys <= point.figure + 1e-9
        if point.knows.count(",") == 3:  # all four keys, as they are released
            assert at_keys == pytest.approx(point.figure)


def test_a_review_keeps_the_ways():
    sought = Sought(("DiSCO<20",), {}, 0, (), None, {"age": Ways().with_("top:80,70").with_("round:5")})
    review = replace(start_demonstration().review, targets=("abroad",), sought=sought)
    assert from_json(to_json(review)) == review
    assert sought.may.words == "age (top:80,70; round:5)"


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ({"age": Ways(top=(500,))}, "top:500 changes no synthetic value of 'age'"),
        ({"region": Ways(top=(5,))}, "'region' is not numeric; merge its small levels instead"),
        ({"region": Ways(round=(5,))}, "'region' is not numeric"),
        ({"age": Ways(merge=(5,))}, "'age' is numeric; put it into groups instead"),
        ({"income": Ways(top=(5,))}, "'income' is no key"),
        ({"nosuch": Ways(top=(5,))}, "'nosuch' is no key"),
    ],
)
def test_a_way_that_does_not_fit_is_one_sentence(ways, said):
    with pytest.raises(DisclosureError, match=said):
        least_safeguard(demo.study(), SETTINGS, ["DiSCO<5"], May({}, 0, (), ways))
    first = start_demonstration()
    opened = first.with_review(replace(first.review, targets=("abroad",)))
    with pytest.raises(DisclosureError, match=said):
        opened.least_safeguard(["DiSCO<5"], May({}, 0, (), ways))


def test_groups_of_a_key_and_other_numbers_do_not_go_together():
    grouped = replace(SETTINGS, groups={"age": 5})
    with pytest.raises(DisclosureError, match="'age' is judged in groups"):
        least_safeguard(demo.study(), grouped, ["DiSCO<5"], May({}, 0, (), {"age": Ways(top=(80,))}))


@pytest.mark.parametrize(
    "text",
    ["", "top", "top:", "top:x", "top:nan", "top:inf", "top:80,", "middle:5", "round:5 10", "merge:two", ":5"],
)
def test_what_is_no_way_is_said(text):
    with pytest.raises(DisclosureError, match="is no way to change a key; write top:90"):
        Ways().with_(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("round:0", "a number above 0"), ("round:-5", "a number above 0"), ("merge:1", "fewer than 2 records"),
        ("merge:2.5", "a whole number"), ("merge:-3", "fewer than 2 records"),
    ],
)  # fmt: skip
def test_a_number_that_does_not_fit_is_said(text, said):
    with pytest.raises(DisclosureError, match=said):
        Ways().with_(text)


def test_a_bottom_code_above_the_top_code_is_no_chain():
    ways = Ways(top=(5,), bottom=(2, 7))
    assert [(c.low, c.high) for c in ways.caps("x")] == [(None, 5), (2, None), (2, 5), (7, None)]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_code_that_is_not_finite_is_said(number):
    with pytest.raises(DisclosureError, match=r"A top is a finite number\."):
        Ways(top=(number,))
