"""Sentences on the pages: each in a state in which it is true, and in one in which it must not appear."""

import json

import pandas as pd
import pytest

from disclosure_core import Settings, Thresholds, assess, demo
from tests.having import csv
from tests.written import fixed

pytestmark = pytest.mark.slow


def reviewed(app, original: pd.DataFrame, *synthetic: pd.DataFrame, keys=("k",), name="original.csv"):
    """Compare frames as files, with these keys, and open Review."""
    app.upload((name, csv(original)), *((f"s{i}.csv", csv(f)) for i, f in enumerate(synthetic, 1)))
    return app.page("keys").keys(list(keys)).page("review")


def people(*targets: str) -> pd.DataFrame:
    """A person a target, each with a key of their own: what is in the synthetic data gives everybody away."""
    return pd.DataFrame({"k": [f"k{i}" for i in range(len(targets))], "t": targets})


MOSTLY = people(*["yes"] * 180, *["no"] * 20)


def test_many_would_guess_what_most_have(app):
    reviewed(app, MOSTLY, MOSTLY).open("review.flags").set("number_input", "review.one_way.1", 80)
    assert "90.0 % of all have it: many would guess it" in app.plain()


def test_nobody_guesses_what_few_of_all_have_whatever_is_left_out(app):
    """After “yes” is excluded, “no” has 100 % of what is left, but 30 % of all."""
    frame = people(*["yes"] * 140, *["no"] * 60)
    reviewed(app, frame, frame).leave_out("yes")
    assert app.excludable()["t = no"]["words"].startswith("60 of 60 disclosive records")
    assert "30.0 % of all have it: for most people it would be a wrong guess" in app.plain()
    assert "many would guess" not in app.plain()


def test_what_half_have_is_a_wrong_guess_for_half(app):
    frame = people(*["yes"] * 100, *["no"] * 100)
    reviewed(app, frame, frame[frame["t"] == "yes"])
    assert "50.0 % of all have it: for half of the people it would be a wrong guess" in app.plain()
    assert "most people" not in app.plain()


def test_a_check_counts_the_syntheses_that_flag_this_level(app):
    """Of three syntheses two flag “yes” and one “no”: “in 3 of 3” would count another level."""
    frame = people(*["yes"] * 100, *["no"] * 100)
    only = {level: frame[frame["t"] == level] for level in ("yes", "no")}
    reviewed(app, frame, only["yes"], only["no"], only["yes"])
    said = {name: row["words"].replace("\xa0", " ") for name, row in app.excludable().items()}
    assert said["t = yes"].startswith("100 of 100 disclosive records (100.0 %) in synthesis 1, flagged in 2 of 3;")
    assert said["t = no"].startswith("100 of 100 disclosive records (100.0 %) in synthesis 2, flagged in 1 of 3;")
    assert "3 of 3" not in app.plain()


def test_a_flag_that_stays_is_told_with_what_is_counted_now(app):
    """Of 1,000 disclosive records “yes” has 950; 40 of the others are excluded, and one synthesis flags no more."""
    frame = people(*["yes"] * 950, *["no"] * 40, *["rather"] * 10)
    few = frame[frame["t"] != "yes"]
    reviewed(app, frame, frame, pd.concat([frame.iloc[:380], few]))
    app.open("review.flags").set("number_input", "review.one_way.1", 88)
    assert "950 of 1,000 disclosive records (95.0 %) in synthesis 1, flagged in 2 of 2" in app.plain()
    app.leave_out("no")
    assert "950 of 960 disclosive records (99.0 %) in synthesis 1, flagged in 2 of 2" in app.plain()
    assert "950 of 1,000" not in app.plain()


def test_the_spread_over_syntheses_is_of_numbers(app):
    """From one digit to three: read as words and not as numbers, 100 stands before 5."""
    frame = people(*["yes"] * 100)
    reviewed(app, frame, frame.head(5), frame)
    (row,) = app.part("review.bench")["rows"]
    assert row["range"] == [5, 100]
    assert (row["synthetic"], row["original"]) == ([52.5, "52.5"], [100, "100.0"])


@pytest.mark.parametrize(("n", "said"), [(40, True), (60, False)])
def test_below_the_thresholds_a_level_may_carry_everything(app, n, said):
    """40 of 40 disclosive records are one level's: nothing is flagged, but it would be untrue that no level carries it."""
    frame = people(*["yes"] * n)
    reviewed(app, frame, frame)
    assert ("No 1-way flag: no level has more than 50 records and more than 90 %" in app.plain()) is said
    assert (f"{n} of {n} disclosive records" in app.plain()) is not said
    assert "level carries the disclosure" not in app.plain()


def test_one_record_is_not_called_records(app):
    frame = people("yes")
    reviewed(app, frame, frame)
    for check in ("one_way", "two_way"):
        app.open("review.flags").set("number_input", f"review.{check}.0", 1)
    assert "no level has more than 1 record and more than 90 %" in app.plain()
    assert "No pair is flagged (rule: more than 1 record in a cell, and more than 80 % of people" in app.plain()


def test_the_2_way_check_and_everything_flagged_agree_after_a_limit(app):
    app.demo().page("review").open("review.everything")
    assert "55 pairs flagged" in app.plain()
    assert "55 key-target pairs" in app.plain()
    app.set("number_input", "review.limit", 4).open("review.everything")  # no cell of more than 4 records is left
    assert "55 pairs flagged (2-way); none after exclusions" in app.plain()
    assert "abroad**: level No" in app.plain()
    assert "55 key-target pairs" not in app.plain()
    app.exclude("abroad = No").open("review.everything")
    assert "After exclusions, no 1-way flag: no level has more than 50 records" in app.plain()
    assert not app.excludable()["abroad = No"]["flagged"]
    assert "(99.2 %) in synthesis 1, flagged in 5 of 5; 85.5 % of all have it" in app.plain()
    assert "Nothing of abroad is flagged after exclusions." in app.plain()


def test_pairs_that_are_no_longer_flagged_are_counted_apart(app):
    app.demo().page("review").set("number_input", "review.limit", 6)
    out = app.session.settings
    still = pd.concat(assess(demo.study(), out).targets["abroad"].two_way).drop_duplicates(["key", "key_level", "target_level"])  # fmt: skip
    assert 0 < len(still) < 55
    assert f"55 pairs flagged (2-way); {len(still)} after exclusions" in app.plain()


def test_no_record_at_risk_is_explained_by_what_is_so(app):
    frame, half = people(*["yes"] * 30), ["yes", "no"] * 15
    reviewed(app, people(*half), people(*half[::-1])).page("records")
    assert "DiSCO counts no record of this target." in app.plain()
    assert "exclusions" not in app.plain()
    reviewed(app.page("data"), frame, frame).leave_out("yes")
    app.reason("t = yes", "nearly everybody says so").page("records")
    assert "DiSCO counts no record of this target after exclusions: see the Review page." in app.plain()


def test_a_key_in_groups_singles_out_nobody(app):
    frame = pd.DataFrame({"age": [i / 7 for i in range(60)], "t": ["x", "y"] * 30})
    reviewed(app, frame, frame, keys=("age",)).page("keys")
    assert "as a key it singles out nearly everybody" in app.plain()
    app.groups(age=20).groups(age=5)
    assert "singles out" not in app.plain()


@pytest.mark.parametrize(("other", "same"), [([1, 2, 3], True), ([1, 2, 4], False)])
def test_all_sides_use_the_same_levels_only_where_they_do(app, other, same):
    original, synthetic = pd.DataFrame({"k": [1, 2, 3] * 20}), pd.DataFrame({"k": other * 20 + [1]})
    app.upload(("original.csv", csv(original)), ("s1.csv", csv(synthetic)))
    assert "Every file has the same columns, of the same types" in app.plain()
    assert ("levels that all sides use" in app.plain()) is same


def test_a_file_keeps_its_name_and_our_own_words_begin_a_sentence(app):
    app.page("data")
    app.demo().page("report")
    assert "**The demonstration survey**" in app.text()
    assert "**The demonstration survey**" in app.page("review").text()
    reviewed(app.page("data"), MOSTLY, MOSTLY).page("report")
    assert "**original.csv against s1.csv**" in app.plain()
    assert "Original.csv" not in app.plain()


def test_the_keys_stand_in_the_order_chosen_wherever_they_are_named(app):
    app.demo().page("keys").keys(["region", "sex", "age"])
    for page in ("records", "safeguards", "analyses", "report"):
        assert ":material/key: region · sex · age" in app.page(page).plain(), page


def test_where_all_records_are_excluded_nothing_is_a_share_of_none(app):
    people = pd.DataFrame({"k": ["a", "b"] * 60, "t": ["x"] * 120, "u": ["p", "q", "p"] * 40})
    reviewed(app, people, people.iloc[::-1]).page("review").look("t")
    app.exclude("t = x").reason("t = x", "there is no other answer")
    assert app.part("review.card")["bar"]["moved"].replace("\xa0", " ") == "100.0 → 0.0 %"
    assert "NaN" not in json.dumps([app.part(key) for key in app.parts()])


def test_thresholds_and_groups_are_shown_as_they_were_set(app):
    app.demo()
    s = app.session
    s.ask(Settings(keys=demo.KEYS, groups={"income": 2000}, thresholds=Thresholds((50, 90.5), (4, 80.25))))
    app.page("review").open("review.flags")
    assert app.at.number_input(key="review.one_way.1").value == 90.5
    assert app.at.number_input(key="review.two_way.1").value == 80.25
    assert app.page("keys").cell("income", "groups")["value"] == "2000 groups"
    assert app.session.settings.thresholds.one_way == (50, 90.5)


def test_headings_of_tables_show_no_escapes(app):
    app.demo().page("review").exclude("abroad = No").tab("review.view", "Scenarios")
    app.set("text_input", "review.scenario", "census (1.0)").click("review.keep")
    assert any(("census (1.0)", "DiSCO") in d.value.columns for d in app.at.dataframe)
    assert "census \\\\(" not in "".join(d.proto.columns for d in app.at.dataframe)


def test_what_nobody_needs_the_data_for_stands_beside_a_target(app):
    app.demo().page("review").tab("review.view", "Figures")
    guess = assess(demo.study(), Settings(keys=demo.KEYS)).targets["abroad"].guess
    assert (
        f"“No”, the commonest level of abroad, is right for {fixed(guess.pct)} % of all original records" in app.plain()
    )
    assert f"{fixed(guess.base_cap)} % (baseCAPd)" in app.plain()
    app.page("compare").set("radio", "compare.view", "People outside").click("baseline.bring").click("baseline.demo")
    row = app.frame("majority").set_index("target").loc["abroad"]
    assert (row["commonest"], fixed(row["majority"])) == ("No", fixed(guess.pct))


@pytest.mark.parametrize("numbered", [True, False])
def test_compare_says_which_columns_are_in_no_table(app, numbered):
    original = pd.DataFrame({"k": ["a", "b"] * 60, "t": ["x", "y", "x"] * 40, "no_1": range(5000, 5120)})
    synthetic = original.iloc[::-1].assign(no_1=range(120))
    kept = ["k", "t", "no_1"][: 2 + numbered]
    reviewed(app, original[kept], synthetic[kept]).page("compare")
    assert "Mean S_pMSE over 1 two-way table:" in app.plain()
    assert ("In no table: 'no_1', which is nearly unique." in app.plain()) is numbered
