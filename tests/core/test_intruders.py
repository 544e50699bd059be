"""Several intruders in one review: what belongs to one of them waits while another is looked at, and nothing is lost."""

from dataclasses import replace

import pytest

from disclosure_core import DisclosureError, Exclusions, Pair, Settings, Study
from disclosure_core.counting.assessment import identity_by_keys
from disclosure_core.data import demo
from disclosure_core.review import intruders, saved
from disclosure_core.review.opening import start_demonstration
from disclosure_core.review.value import KeySet, Review, Verdict

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
