"""The settings of a review used on other files: what fits is there, what does not is named, and nothing else happens."""

# Inside: what a split hands out as files, without the page.

from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import (
    AddLabel,
    Chain,
    Columns,
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    MergeLevels,
    Pair,
    RemoveReplicated,
    Scenario,
    Verdict,
    read_holdout,
    start,
    start_demonstration,
)
from disclosure_core.review import outside
from disclosure_core.review.forms import Version
from disclosure_core.review.opening import start_split
from disclosure_core.review.other_files import with_settings_of
from disclosure_core.review.parts import Origin, ReasonStamp, SourceFile, SynthesisSet
from tests.saved import to_json


def table(**other) -> pd.DataFrame:
    columns = {
        "sex": ["f", "m"] * 30,
        "age": [20 + i % 12 for i in range(60)],
        "job": ["nurse", "cook", "baker"] * 20,
        "abroad": ["No", "No", "No", "Yes"] * 15,
        "income": [1_000 + 37 * i for i in range(59)] + [-8],
    } | other
    return pd.DataFrame({name: values for name, values in columns.items() if values is not None})


def opened(frame: pd.DataFrame, name: str = "a.csv", sets=None):
    content = frame.to_csv(index=False).encode()
    return start((name, content), sets or [(f"syn_{name}", content)])


def reviewed():
    """A review in which every part says something."""
    first = opened(table())
    return replace(
        first.review,
        intruders=(KeySet("a neighbour", ("sex", "age"), "sees them", {"age": 4}), KeySet("boss", ("age", "job"))),
        intruder="a neighbour",
        groups={"income": 5},
        columns=Columns(missing_codes={"income": ("-8",)}, types={"age": "number"}),
        exclusions=Exclusions(
            target_levels={"abroad": ("No",)}, missing_targets=frozenset({"income"}),
            pairs={"job": (Pair("sex", "f", "nurse"),)},
        ),
        reasons={"abroad = No": "everybody says so", "sex": "seen"},
        verdicts=(Verdict("synthetic data", "a neighbour", "abroad", "common knowledge", "as said"),),
        chains=(Chain("merged", (MergeLevels("job", 3),)), Chain("removed", (RemoveReplicated(), AddLabel()))),
        scenarios=(Scenario("all", Exclusions(target_levels={"abroad": ("No",)})),),
        about={"officer": "A. B."},
        holdout=Holdout("file", SourceFile("h.csv", "0" * 64)),
        really_different={"": ("job",)},
        shared=(Version(10),),
    )  # fmt: skip


KEPT = (
    "intruders",
    "intruder",
    "targets",
    "groups",
    "exclusions",
    "reasons",
    "verdicts",
    "chains",
    "scenarios",
    "about",
)


def test_files_with_the_same_columns_take_every_setting_and_what_was_of_the_others_alone_is_said():
    was, new = reviewed(), opened(table(age=[25 + i % 12 for i in range(60)]), "b.csv")
    used = with_settings_of(was, new)
    for part in KEPT:
        assert getattr(used.review, part) == getattr(was, part), part
    assert used.review.columns.missing_codes == {"income": ("-8",)}
    assert used.review.original == new.review.original
    assert used.review.name == new.review.name
    assert (used.review.holdout, used.review.shared, used.review.really_different) == (None, (), {})
    assert [sentence.split(".")[0].split(":")[0] for sentence in used.differences] == [
        "People outside are not taken over", "That values really differ was said of the other files"
    ]  # fmt: skip
    assert used.assessment().identity["UiO"].tolist()  # and figures come of it
    (given,) = used.verdicts()
    assert not given.stands  # another figure: nobody has judged it


GONE = {
    "sex": ["key", "exclusion"],
    "age": ["key", "groups", "type"],
    "job": ["key", "safeguard", "exclusion"],
    "abroad": ["verdict", "exclusion in a scenario", "exclusion"],
    "income": ["missing codes", "groups", "exclusion"],
}


@pytest.mark.parametrize("column", GONE)
def test_of_a_column_that_is_gone_everything_is_named_and_the_rest_stays(column):
    used = with_settings_of(reviewed(), opened(table(**{column: None}), "b.csv"))
    (said,) = [d for d in used.differences if repr(column) in d]
    head, _, parts = said.partition("; left out: ")
    assert head == f"These files have no column {column!r}"
    assert sorted(parts.rstrip(".").split(", ")) == sorted(GONE[column])
    text = to_json(replace(used.review, name="", original=None, sets=(), reasons={}))
    assert f'"{column}"' not in text  # nothing of it is left
    assert used.assessment().identity["UiO"].tolist()


def test_levels_that_are_gone_are_named():
    frame = table(abroad=["Never", "Ever"] * 30, sex=["x", "y"] * 30)
    used = with_settings_of(reviewed(), opened(frame, "b.csv"))
    assert "No such level or pair in these files; not excluded: abroad = No, sex = f, job = nurse." in used.differences
    assert used.review.exclusions.names() == ("income missing",)


def test_what_a_column_does_not_bear_is_said_with_why():
    frame = table(income=["low", "high"] * 30, age=["young", "old"] * 30)
    used = with_settings_of(reviewed(), opened(frame, "b.csv"))
    for what in ("Left out for 'income': missing codes.", "Left out for 'age': type."):
        (said,) = [d for d in used.differences if d.startswith(what)]
        assert len(said) > len(what) + 20  # and why
    assert used.assessment().identity["UiO"].tolist()


def test_codes_that_the_new_files_declare_stay():
    new = opened(table(), "b.csv")
    declared = new.with_review(replace(new.review, columns=Columns(missing_codes={"age": ("31",)})))
    used = with_settings_of(reviewed(), declared)
    assert used.review.columns.missing_codes == {"age": ("31",), "income": ("-8",)}


def test_one_set_stands_for_one_set_and_several_are_named():
    content = table().to_csv(index=False).encode()
    renamed = opened(table(), "b.csv", {"next year": [("s.csv", content)]})
    assert [v.synthesis_set for v in with_settings_of(reviewed(), renamed).review.verdicts] == ["next year"]
    two = opened(table(), "b.csv", {"next year": [("s.csv", content), ("t.csv", content)]})
    for numbers, there in (((1, 2), True), ((1, 3), False)):
        used = with_settings_of(replace(reviewed(), released={"synthetic data": numbers}), two)
        assert used.review.released == ({"next year": numbers} if there else {})
        told = "'next year' has 2 syntheses: which of them are released is asked again."
        assert (told in used.differences) != there
    several = opened(table(), "b.csv", {"cart": [("s.csv", content)], "norm": [("t.csv", content)]})
    used = with_settings_of(reviewed(), several)
    assert used.review.verdicts == ()
    assert "These files have no set 'synthetic data': its verdicts are left out." in used.differences


def test_without_any_key_nothing_is_taken():
    with pytest.raises(DisclosureError, match="do not fit; open the files without them"):
        with_settings_of(reviewed(), opened(table(sex=None, age=None), "b.csv"))


def test_a_split_goes_on_as_if_both_parts_had_been_brought():
    whole = opened(table())
    asked = replace(reviewed(), holdout=None, shared=(), really_different={}, verdicts=())
    whole = whole.with_review(replace(asked, name=whole.review.name, original=whole.review.original))
    parts = outside.as_files(whole.data.original, 75.0, 7)
    training, held = (parts[outside.file_name(whole.data.original, which, 75.0, 7)] for which in outside.PARTS)
    went_on = start_split(whole, 75.0, 7, [("made.csv", training)])
    assert went_on.differences == ()
    assert went_on.review.keys == asked.keys
    assert went_on.review.exclusions == asked.exclusions
    both = start(("training.csv", training), [("made.csv", training)])
    both = both.with_holdout(*read_holdout("held.csv", held, beside=both.review))
    both = both.with_review(replace(went_on.review, original=both.review.original, holdout=both.review.holdout))
    for ours, theirs in ((went_on, both),):
        assert ours.study().n_original == theirs.study().n_original == 45
        assert ours.assessment().summary().equals(theirs.assessment().summary())
        assert ours.partition().n_holdout == theirs.partition().n_holdout == 15
    again = start_split(went_on, 75.0, 7, [("made.csv", training)])  # of the whole, not of its part
    assert again.study().n_original == 45
    with pytest.raises(DisclosureError, match="read from a file can be split"):
        start_split(start_demonstration(), 75.0, 7, [("made.csv", training)])


def test_safeguards_that_the_new_files_do_not_bear_are_left_out_and_said():
    new = opened(table(**{AddLabel().column: ["x", "y"] * 30}), "b.csv")
    used = with_settings_of(reviewed(), new)
    assert [chain.name for chain in used.review.chains] == ["merged"]
    said = [sentence for sentence in used.differences if sentence.startswith("The safeguards 'removed' are left out. ")]
    assert len(said) == 1


def test_an_adopted_set_that_the_new_files_do_not_bear_goes_with_what_came_from_it_and_was_said_of_it():
    asked = reviewed()
    first = SynthesisSet("first", (), Origin("synthetic data", "labelled", (AddLabel(),)))
    then = SynthesisSet("then", (), Origin("first", "merged", (MergeLevels("job", 3),)))
    stamps = tuple(ReasonStamp(name, "a neighbour", "abroad = No", 3.0) for name in ("synthetic data", "first", "then"))
    released = {"first": (1,), "synthetic data": (1,)}
    asked = replace(
        asked, sets=(*asked.sets, first, then), synthesis_set="then", reason_stamps=stamps, released=released
    )
    used = with_settings_of(asked, opened(table(**{AddLabel().column: ["x", "y"] * 30}), "b.csv"))
    assert [s.name for s in used.review.sets] == ["synthetic data"]
    assert used.first_set == "synthetic data"
    assert used.review.reason_stamps == stamps[:1]
    assert used.review.released == {"synthetic data": (1,)}
    assert any(said.startswith("The adopted set 'first', 'then' is left out. ") for said in used.differences)
