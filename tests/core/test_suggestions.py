"""Suggestions with their reasons, and what the user decides applied."""

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Study
from disclosure_core.data import suggestions
from disclosure_core.data.suggested_codes import says_no_answer
from disclosure_core.data.suggested_keys import suggest_keys


def study(**columns):
    frame = pd.DataFrame(columns)
    return Study(frame, [frame.sample(frac=1, random_state=1)])


@pytest.mark.parametrize(("levels", "suggested"), [(1, False), (2, True), (150, True), (151, False)])
def test_a_key_is_suggested_that_has_two_to_150_levels(levels, suggested):
    found = suggest_keys(study(age=[i % levels for i in range(302)], t=["a", "b"] * 151))
    assert [key.column for key in found] == ["age"] * suggested


def test_of_columns_that_are_all_commonly_known_one_is_left_as_the_target():
    columns = {"sex": list("mf") * 30, "age": [20 + i % 40 for i in range(60)], "region": list("abcdef") * 10}
    assert [key.column for key in suggest_keys(study(**columns))] == ["sex", "age"]
    assert suggest_keys(study(sex=columns["sex"])) == ()


@pytest.mark.parametrize(("label", "known"), [("Sex of the teacher", True), ("Distance to the school", False)])
def test_a_label_says_the_same_in_capitals(label, known):
    data = study(q1=list("mf") * 30, t=list("abcdef") * 10)
    found = [[key.column for key in suggest_keys(data, {"q1": as_})] for as_ in (label, label.upper(), label.title())]
    assert found == [["q1"] * known] * 3


def test_texts_that_may_be_missing():
    frame = pd.DataFrame(
        {"x": ["1", "NA", "NA", "3"], "y": ["a", " . ", "None", None], "z": [1, 2, 3, 4], "w": list("abcd")}
    )
    found = [(m.column, m.text, m.count) for m in suggestions.suggest_missing_texts(frame)]
    assert found == [("x", "NA", 2), ("y", " . ", 1), ("y", "None", 1)]


def test_missing_texts_applied():
    frame = pd.DataFrame({"x": ["1", "NA", "2.5"], "y": ["NA", "a", "b"], "c": pd.Categorical(["NA", "a", "a"])})
    found = suggestions.apply_missing_texts(frame, {"x": ["NA"], "c": ["NA"], "not there": ["NA"]})
    assert found["x"].tolist()[0::2] == [1.0, 2.5]
    assert found["x"].isna().tolist() == [False, True, False]
    assert found["y"].tolist() == ["NA", "a", "b"]  # only the columns named
    assert found["c"].isna().tolist() == [True, False, False]
    assert frame["x"].tolist() == ["1", "NA", "2.5"]  # the frame given is not touched


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([-8] * 10 + list(range(0, 90, 3)), [("-8", 10, "negative, as only such codes are")]),
        ([-9] * 6 + [-8] * 10 + list(range(30)), [("-9", 6, "negative, as only such codes are"), ("-8", 10, "negative, as only such codes are")]),
        ([999] * 12 + list(range(16, 97)), [("999", 12, "903 above the next value")]),
        ([98] * 7 + [99] * 7 + list(range(10)) * 2, [("98", 7, "89 above the next value"), ("99", 7, "90 above the next value")]),
        ([-8] * 10 + list(range(-30, 30)), []),  # negative numbers are answers here
        ([99] * 8 + list(range(20, 99)), []),  # 99 is an age like any other
        ([-8] * 4 + list(range(30)), []),  # too rare
        ([1, 2, 3, 4, 5, 9] * 10, []),  # a scale that ends in 9 after a small gap
        ([0, 1] * 20, []),
        ([999998] * 2 + list(range(0, 4000, 50)), [("999998", 2, "996048 above the next value")]),  # any length
        ([9999, *list(range(0, 4000, 50))], []),  # one of them may be an income
        ([99.9] * 3 + [x / 10 for x in range(180, 400)], [("99.9", 3, "60 above the next value")]),
        ([66] * 5 + [77] * 5 + [88] * 5 + list(range(11)), [(c, 5, f"{int(c) - 10} above the next value") for c in ("66", "77", "88")]),
        ([66] * 8 + list(range(11)), []),  # six alone is no code
        ([-999] * 5 + list(range(-30, 30)), [("-999", 5, "969 below the next value")]),
        ([999] * 5 + [60] * 5 + list(range(30)), [("999", 5, "939 above the next value")]),  # 60 is an answer
        ([1999] * 30 + list(range(1900, 1960)), []),  # a year
        (list(range(1, 99)), []),  # the number of a household
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 5, []),  # a scale
        ([0] * 50 + [1] * 30 + [2] * 20 + [3] * 9 + [4] * 6 + [7] * 5, []),  # a count
        ([-9] * 10 + [-8] * 5, []),  # nothing would be left
        (list(range(-2, 3)) * 6, []),  # a scale about 0
        ([-5, -2, -1, 0, 1, 2, 5] * 6, []),
        ([-99] * 6 + list(range(-9, 10)) * 6, [("-99", 6, "90 below the next value")]),
        (list(range(-7, 20)) * 5, []),  # degrees
        ([-1] * 6 + [0, 1] * 20, [("-1", 6, "negative, as only such codes are")]),
        ([-2, -1] * 6 + [1, 2] * 20, [(c, 6, "negative, as only such codes are") for c in ("-2", "-1")]),
    ],
)  # fmt: skip
def test_likely_missing_codes(values, expected):
    found = suggestions.suggest_missing_codes(study(x=values, t=["a"] * len(values)))
    assert [(c.value, c.count, c.reason) for c in found] == expected


SAYS = ["[999998] Do not know", "Don’t know (98)", "Refused", "keine Angabe", "weiß nicht", "NSP", "refus de répondre", "No sabe/No contesta",
        "Não sabe", "ei osaa sanoa", "Δεν γνωρίζω/Δεν απαντώ", "затрудняюсь ответить", "無回答", "Odmítl", "N/A", "Missing", "99. DK"]  # fmt: skip
NOT = ["None", "Never", "97 or older", "Missing teeth", "Non salaried", "No children", "Keine", "9 or more", "nie", "Refuse collection", "Nevis", ""]  # fmt: skip


@pytest.mark.parametrize("label", [*SAYS, *NOT])
def test_labels_that_say_that_there_is_no_answer(label):
    assert says_no_answer(label) == (label in SAYS)


def test_a_code_is_suggested_by_its_label_and_asked_of_before_it_is_grouped():
    """A value in the middle, and a single record, that a file calls "Refused"; what was answered is not asked again."""
    pay = study(pay=[1, 2, 3, 40, 50, 60, 70, 80, 90] * 5 + [45], t=["a"] * 46)
    assert suggestions.suggest_missing_codes(pay) == ()
    labelled = pay.with_answers({"pay": {"45": "Refused", "60": "sixty"}}, {})
    (code,) = suggestions.suggest_missing_codes(labelled)
    assert (code.value, code.count, code.reason) == ("45", 1, "its label is “Refused”")
    notes = labelled.grouped("pay", 4)[1]
    assert next((n.warning, n.text) for n in notes) == (True, code.grouped)
    assert "'pay' is grouped with 45 as a number like any other; it stands in 1 original record" in code.grouped
    for known in (labelled.with_missing_codes({"pay": 45}), pay.with_answers(labelled.code_labels, {"pay": ["45"]})):
        assert not any("like any other" in note.text for note in known.grouped("pay", 4)[1])


@pytest.mark.slow
def test_codes_that_files_declare():
    from disclosure_core import read
    from tests.core.test_readers import FILES

    readings = [*read(FILES / "frame.rds", "frame.rds"), *read(FILES / "synds_m2.rds", "synds_m2.rds")]
    assert suggestions.declared_codes(readings) == {"income": (-8.0,)}
    without = pd.DataFrame({"income": [1.0, 2.0]})
    (reading,) = read(without.to_csv(index=False).encode(), "x.csv")
    assert suggestions.declared_codes([reading, *readings]) == {}


def test_the_demonstration_survey_has_one():
    from disclosure_core import demo

    assert [
        (c.column, c.value, c.count) for c in suggestions.suggest_missing_codes(demo.study().with_missing_codes({}))
    ] == [("income", "-8", 385)]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([1, 2], "number: every value is a whole number"),
        ([1.5, None], "number: every value is a number"),
        ([True, False], "category: every value is true or false"),
        (pd.to_datetime(["2020-01-31"]), "date: every value is a day of the calendar"),
        (["1", "2", "NA", "2"], "category: 1 of 4 values are no numbers, such as 'NA'"),
        (
            ["007", "1"],
            "category: numbers that begin with 0, have more digits than can be kept, or are written in two ways, are text",
        ),
        (["1", "2", "2.5", "2"], "category: the file holds its numbers as text"),
        (
            ["1.5", "1.50"],
            "category: numbers that begin with 0, have more digits than can be kept, or are written in two ways, are text",
        ),
        (
            ["1234567890123456789", "1"],
            "category: numbers that begin with 0, have more digits than can be kept, or are written in two ways, are text",
        ),
        (["a", "b", "1"], "category: its values are text"),
        ([None, None], "category: every cell is empty"),
        (pd.Categorical(["a"], categories=["a"], ordered=True), "category: the file lists its levels, in an order"),
        (pd.Categorical(["a"]), "category: the file lists its levels"),
    ],
)
def test_the_reason_for_a_type(values, why):
    assert suggestions.type_reasons(pd.DataFrame({"x": values})) == {"x": why}


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, 2.5, None], "category", ["1", "2.5", None]),
        (["1", "2.5", None], "number", [1, 2.5, None]),
        (pd.Categorical(["2", "1"]), "number", [2, 1]),
        (["2020-01-31", "2021-12-01"], "month", ["2020-01", "2021-12"]),
        (["2020-01-31", None], "year", ["2020", None]),
        (["2020", "2021-05", "2020/01/31", "2020.01.31", "20200131"], "year", ["2020", "2021", "2020", "2020", "2020"]),
        ([2020.0, None], "year", ["2020", None]),
        (pd.to_datetime(["2020-01-31"]), "category", ["2020-01-31 00:00:00"]),
    ],
)
def test_types_overridden(values, kind, expected):
    frame = pd.DataFrame({"x": values})
    found = suggestions.retype(frame, {"x": kind, "not there": "number"})["x"]
    assert [None if pd.isna(v) else v for v in found] == expected


def test_levels_that_have_an_order_have_none_as_a_category():
    ordered = pd.Series(pd.Categorical(["low", "high"], ["low", "high"], ordered=True))
    found = suggestions.retype(pd.DataFrame({"x": ordered}), {"x": "category"})["x"]
    assert not found.cat.ordered
    assert found.tolist() == ["low", "high"]


@pytest.mark.parametrize(
    ("values", "kind", "sentence"),
    [
        (["1", "b"], "number", "Not every value of 'x' is a number; leave it as it is, or treat the others as missing"),
        (["x", "y"], "date", "Not every value of 'x' is a date"),
        ([2000.0, 1000.5], "month", "Not every value of 'x' is a date"),
        (["2020-01-31", "1000.5"], "year", "Not every value of 'x' is a date"),
        (["03/04/2020", "05/06/2020"], "date", "Not every value of 'x' is a date"),  # whose day is the month elsewhere
        (["31/01/2020", "01/31/2020"], "date", "Not every value of 'x' is a date"),
        (["1,137", "950"], "number", "Not every value of 'x' is a number"),  # thousands, or a fraction
        (["00,5", "1.000,5"], "number", "Not every value of 'x' is a number"),
        (["1"], "colour", "Type 'colour' is not one that a column can have"),
    ],
)
def test_types_that_do_not_fit_are_a_sentence(values, kind, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        suggestions.retype(pd.DataFrame({"x": values}), {"x": kind})


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        (["31.01.2020", "1.2.2020"], "date", ["2020-01-31", "2020-02-01"]),
        (["01/31/2020", "02/01/2020"], "month", ["2020-01", "2020-02"]),
        (["31-01-1969", "01-02-2020"], "year", ["1969", "2020"]),
        (["7.769,75", "950,00", "-3", "1 000"], "number", [7769.75, 950.0, -3.0, 1000.0]),
        (["1,137.5", "950"], "number", [1137.5, 950.0]),
    ],
)
def test_texts_that_can_be_read_in_one_way_only_are_dates_and_numbers(values, kind, expected):
    found = suggestions.retype(pd.DataFrame({"x": [*values, None]}), {"x": kind})["x"]
    assert [str(v)[:10] if kind == "date" else v for v in found[:-1]] == expected
    assert found.isna().tolist() == [False] * len(values) + [True]


def test_dates_and_amounts_that_are_read_as_text_are_no_identifiers():
    n = 60
    days = (pd.Timestamp("1950-01-01") + pd.to_timedelta(np.arange(n) * 97, "D")).strftime("%d.%m.%Y")
    frame = pd.DataFrame({"born": days, "wage": [f"{i}.{i * 7 % 1000:03d},50" for i in range(1, n + 1)]})
    frame["id"] = [f"a{i}" for i in range(n)]
    warned = {note.column: note.text for note in suggestions.warnings(Study(frame, [frame.sample(frac=1)]))}
    assert "'born' has 60 days in 60 records" in warned["born"]
    assert "'wage' has 60 levels in 60 records, amounts that are read as text: read it as numbers." in warned["wage"]


def test_warnings():
    rng = np.random.default_rng(0)
    n = 50
    original = pd.DataFrame(
        {
            "id": range(n),
            "name": [f"n{i}" for i in range(n)],
            "sex": rng.choice(["f", "m"], n),
            "bmi": rng.normal(size=n),
        }
    )
    copied = original.assign(id=rng.permutation(n), name=rng.permutation(original["name"]), bmi=rng.normal(size=n))
    fresh = copied.assign(sex=original["sex"].to_numpy()[::-1])
    said = [note.text for note in suggestions.warnings(Study(original, [fresh, copied, fresh, original]))]
    assert said == [
        "Synthesis 2 repeats 'sex' of the original record by record: the measures assume that every value is synthetic.",
        "Synthesis 4 and the original are the same, record by record: was a file given twice?",
        "Syntheses 1 and 3 are the same: was a file given twice?",
        "'id' has 50 levels in 50 records and looks like an identifier: it should not be released, and is no key.",
        "'name' has 50 levels in 50 records and looks like an identifier: it should not be released, and is no key. "
        "50 of the original's 50 values stand in a synthesis.",
    ]


def test_values_that_meet_by_chance_are_not_said_to_be_released():
    rng = np.random.default_rng(3)
    n = 1500

    def frame(seed):
        born = pd.Timestamp("1930-01-01") + pd.to_timedelta(np.random.default_rng(seed).integers(0, 27_000, n), "D")
        seen = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.random.default_rng(seed).integers(0, 10**8, n), "s")
        return pd.DataFrame({"born": born, "text": born.strftime("%d.%m.%Y"), "seen": seen, "nr": range(n)})

    original, other = frame(1), frame(2)
    warned = {note.column: note.text for note in suggestions.warnings(Study(original, [other]))}
    assert {*warned} == {"born", "text", "seen", "nr"}  # and none says that the number of a record is repeated
    assert not [text for text in warned.values() if "stand" in text]
    real = rng.permutation(n) < 300
    kept = other.where(pd.Series(~real), original).assign(nr=rng.permutation(n))
    warned = {note.column: note.text for note in suggestions.warnings(Study(original, [kept]))}
    assert all("of the original's" in warned[name] for name in ("born", "text", "seen"))


def test_a_key_that_singles_everybody_out_is_warned_of():
    data = study(bmi=[i / 7 for i in range(30)], sex=["f", "m"] * 15)
    assert [n.column for n in suggestions.key_warnings(data, ["bmi", "sex"])] == ["bmi"]
    assert [n.column for n in suggestions.key_warnings(data, ["bmi", "sex"], {"bmi": 30})] == [
        "bmi"
    ]  # each value a level
    assert suggestions.key_warnings(data, ["bmi", "sex"], {"bmi": 5}) == ()
    original = pd.DataFrame({"bmi": [i / 7 for i in range(30)]})
    (note,) = suggestions.key_warnings(Study(original, [original.assign(bmi=1.0)]), ["bmi"])
    assert "'bmi' has 30 levels in 30 records" in note.text  # however few a synthesis has


def test_the_demonstration_survey_warns_of_nothing():
    from disclosure_core import demo

    assert suggestions.warnings(demo.study()) == ()
