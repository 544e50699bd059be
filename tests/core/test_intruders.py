"""Several intruders in one review: what belongs to one of them waits while another is looked at, and nothing is lost."""

# Inside: key sets of a review are changed as the page Keys changes them.

from dataclasses import replace

import pytest

from disclosure_core import (
    Bounds,
    DisclosureError,
    Exclusions,
    KeySet,
    Pair,
    Review,
    Settings,
    Study,
    Verdict,
    demo,
    identity_by_keys,
    start_demonstration,
)
from disclosure_core.review import intruders
from tests import saved

NEIGHBOUR = Review(
    intruders=(
        KeySet("a neighbour", ("region", "age", "sex"), "next door"),
        KeySet("a colleague", ("sex", "education")),
    ),
    intruder="a neighbour",
    targets=("education", "income", "region"),
    exclusions=Exclusions(
        missing_keys={"region", "sex"},
        pairs={"income": (Pair("region", "north", "low"), Pair("sex", "Female", "low"))},
    ),
    verdicts=(
        Verdict("synthetic data", "a neighbour", "income", "leak"),
        Verdict("synthetic data", "a colleague", "income", "acceptable"),
    ),
)


def test_a_key_is_no_target_while_its_intruder_is_looked_at():
    assert NEIGHBOUR.settings.targets == ("education", "income")
    assert intruders.chosen(NEIGHBOUR, "a colleague").settings.targets == ("income", "region")


def test_what_is_left_out_with_anothers_key_waits():
    colleague = intruders.chosen(NEIGHBOUR, "a colleague")
    assert colleague.settings.exclusions.missing_keys == {"sex"}
    assert colleague.settings.exclusions.pairs_of("income") == (Pair("sex", "Female", "low"),)
    # Settings that change and come back carry what waits.
    changed = colleague.with_settings(replace(colleague.settings, groups={"income": 5}))
    assert intruders.chosen(changed, "a neighbour") == replace(NEIGHBOUR, groups={"income": 5})


def test_an_exclusion_of_a_key_that_nobody_knows_does_not_wait():
    alone = replace(NEIGHBOUR, intruders=NEIGHBOUR.intruders[:1], verdicts=())
    left = intruders.with_keys(alone, ("age", "sex"))
    assert left.settings.exclusions.missing_keys == {"region", "sex"}  # for `restrict_to_study` to drop, and to say


def test_keys_move_and_keep_their_order():
    moved = intruders.moved(NEIGHBOUR, "sex", -1)
    assert moved.keys == ("region", "sex", "age")
    assert intruders.moved(moved, "sex", -5).keys == ("sex", "region", "age")
    assert saved.from_json(saved.to_json(moved)) == moved
    assert moved.with_settings(replace(moved.settings, keys=("age", "sex", "work"), targets=None)).keys == (
        "sex", "age", "work"
    )  # fmt: skip


def test_add_copy_rename_and_remove():
    copied = intruders.copied(NEIGHBOUR, "somebody online")
    assert copied.intruder == "somebody online"
    assert copied.keys == NEIGHBOUR.keys
    assert [v.intruder for v in copied.verdicts] == ["a neighbour", "a colleague", "somebody online"]
    renamed = intruders.renamed(copied, "a journalist")
    assert [v.intruder for v in renamed.verdicts] == ["a neighbour", "a colleague", "a journalist"]
    for name in ("a journalist", "the press", "a blog"):
        assert intruders.renamed(renamed, name).intruder == name
    gone = intruders.removed(renamed)
    assert (gone.intruder, len(gone.intruders), gone.verdicts) == ("a colleague", 2, NEIGHBOUR.verdicts)
    assert intruders.free_name(gone, "a colleague") == "a colleague 2"
    assert intruders.added(gone, "a register", ["sex"]).keys == ("sex",)


@pytest.mark.parametrize("change", [intruders.added, intruders.copied, intruders.renamed])
@pytest.mark.parametrize("name", ["", "a colleague"])
def test_a_name_is_neither_empty_nor_taken(change, name):
    with pytest.raises(DisclosureError, match="name"):
        change(NEIGHBOUR, name)


def test_the_last_one_stays():
    with pytest.raises(DisclosureError, match="add another"):
        intruders.removed(Review())


def test_what_each_key_adds_follows_the_order_chosen():
    opened = start_demonstration()
    order = ("employment", "sex", "region", "age")
    growth = opened.with_review(intruders.with_keys(opened.review, order)).growth()
    assert growth["key"].tolist() == list(order)
    study = demo.study()
    for n in range(1, 5):
        alone = identity_by_keys(study, Settings(keys=order[:n])).iloc[-1]
        assert growth.iloc[n - 1][["UiO", "UiS", "UiOiS", "repU"]].tolist() == pytest.approx(alone[1:].tolist())


def test_an_order_must_hold_the_keys():
    study = Study(demo.original(), demo.syntheses()[:1])
    with pytest.raises(DisclosureError, match="each of them once"):
        identity_by_keys(study, Settings(keys=("sex", "age")), ("sex",))


KNOWING_AGE = Review(
    intruders=(KeySet("a neighbour", ("sex", "age")), KeySet("an employer", ("sex", "age", "region"))),
    intruder="a neighbour",
    groups={"income": 20},
)


def test_groups_of_a_key_are_one_intruders_own():
    opened = start_demonstration()
    exactly = {name: opened.with_review(KNOWING_AGE).of_intruder(name).assessment().identity["UiO"].mean()
               for name in ("a neighbour", "an employer")}  # fmt: skip
    grouped = KNOWING_AGE.with_settings(replace(KNOWING_AGE.settings, groups={"income": 20, "age": 5}))
    assert grouped.settings.groups == (("age", 5), ("income", 20))
    again = saved.from_json(saved.to_json(grouped))
    assert again == grouped
    of = {name: opened.with_review(again).of_intruder(name).assessment().identity["UiO"].mean() for name in exactly}
    assert of["an employer"] == exactly["an employer"]
    assert of["a neighbour"] < exactly["a neighbour"]
    employer = intruders.chosen(again, "an employer")
    assert employer.settings.groups == (("income", 20),)
    # Removed for the one, it stays with the other.
    both = employer.with_settings(replace(employer.settings, groups={"age": 3, "income": 20}))
    neighbour = intruders.chosen(both, "a neighbour")
    exact = neighbour.with_settings(replace(neighbour.settings, groups={"income": 20}))
    assert exact.settings.groups == (("income", 20),)
    assert intruders.chosen(exact, "an employer").settings.groups == (("age", 3), ("income", 20))


def test_groups_of_a_target_change_for_no_one_who_knows_it_as_a_key():
    review = replace(KNOWING_AGE, groups={"age": 4, "region": 2})
    neighbour = review.with_settings(replace(review.settings, groups={"age": 4}))  # region is a target here
    assert neighbour.groups == {"age": 4}
    assert dict(intruders.chosen(neighbour, "an employer").settings.groups) == {"age": 4, "region": 2}


def test_with_one_intruder_groups_stay_with_the_column():
    alone = replace(KNOWING_AGE, intruders=KNOWING_AGE.intruders[:1])
    grouped = alone.with_settings(replace(alone.settings, groups={"age": 5}))
    assert (grouped.groups, grouped.knows.groups) == ({"age": 5}, {})
    assert intruders.added(grouped, "an employer", ["age"]).settings.groups == (("age", 5),)


def test_groups_that_cannot_be_are_refused_of_every_intruder():
    with pytest.raises(DisclosureError, match="group"):
        replace(KNOWING_AGE, intruders=(KNOWING_AGE.intruders[0], KeySet("an employer", ("age",), groups={"age": 1})))


def test_a_pair_in_one_intruders_groups_waits_while_another_is_looked_at():
    opened = start_demonstration()
    study = opened.study()
    grouped = KNOWING_AGE.with_settings(replace(KNOWING_AGE.settings, groups={"age": 5}))
    level = study.grouped("age", 5)[0].labels[0]
    pair = Pair("age", level, study.columns["abroad"].labels[0])
    excluded = grouped.with_settings(
        replace(grouped.settings, exclusions=grouped.settings.exclusions.with_pairs("abroad", {pair}))
    )
    employer, dropped = intruders.restricted(intruders.chosen(excluded, "an employer"), study)
    assert dropped == ()
    assert employer.settings.exclusions.pairs_of("abroad") == ()
    assert employer.exclusions.pairs_of("abroad") == (pair,)
    assert opened.with_review(employer).assessment().targets.keys() >= {"abroad"}
    back, dropped = intruders.restricted(intruders.chosen(employer, "a neighbour"), study)
    assert (dropped, back.settings.exclusions.pairs_of("abroad")) == ((), (pair,))
    # With the same groups it acts for both.
    same = employer.with_settings(replace(employer.settings, groups={"age": 5}))
    assert same.settings.exclusions.pairs_of("abroad") == (pair,)


def test_bounds_are_one_intruders_own():
    bounded = intruders.with_bounds(KNOWING_AGE, Bounds(at_most=1, at_best={"age": "5"}))
    assert intruders.chosen(bounded, "an employer").bounds == Bounds()
    assert saved.from_json(saved.to_json(bounded)).bounds == Bounds(at_most=1, at_best={"age": "5"})
