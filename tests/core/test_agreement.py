"""Do the two sides meet? Each kind of mend as a pair of tables, silence where nothing is wrong, and the mends' own rules."""

# Inside: mends of numbers are held against a plain rounding of their own; how a moment is written.

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Study, demo
from disclosure_core.cli.assess import assess
from disclosure_core.data.agreement import Agreement, agreement, declared_labels
from disclosure_core.data.mending import KINDS, WORDS, checked, mend, resolve
from disclosure_core.data.mends._numbers import _round, _rounded
from disclosure_core.data.spellings.dates import moment
from disclosure_core.review.remarks import remarks
from tests.core.spelled_pairs import ROMAN
from tests.reading import read_in_process as read

SD2011 = Path(__file__).parents[3] / "shared" / "reference" / "sd2011"
TIMES = 20


def mended(frames, mends, labels=None):
    """The tables, the original first, mended alike."""
    resolved = resolve(frames, mends, labels)
    return [mend(frame, resolved) for frame in frames]


def long(values, dtype=None):
    return pd.Series(list(values) * TIMES, dtype=dtype)


def pair(original, *synthetic, name="x"):
    return [pd.DataFrame({name: side}) for side in (original, *synthetic)]


def found(frames, labels=None) -> Agreement:
    return agreement(Study(frames[0], frames[1:]), frames, labels)


BERLIN = pd.Series(pd.date_range("2020-01-01 08:00", periods=60, freq="5h", tz="Europe/Berlin"))
DAYS = pd.Series(pd.date_range("2020-01-01", periods=60, freq="D"))
YEAR = pd.Series(pd.date_range("2020-01-01", periods=366, freq="D"))
TIMES_OF_DAY = pd.Series(pd.date_range("2020-01-01 00:10:05", periods=60, freq="7h13min17s"))
SEX = {"1": "Male", "2": "Female"}

# The kinds that help, the two sides, and a cause that the warning names.
PAIRS = {
    "a space behind": (("space",), long(["yes", "no"]), long(["yes ", "no "]), "spaces before"),
    "two spaces, and one that does not break": (("space",), long(["a b", "c d"]), long(["a  b", "c\u00a0d"]), "spaces"),
    "a byte order mark": (("space",), long(["a", "b"]), long(["\ufeffa", "b"]), "spaces"),
    "small letters": (("case",), long(["Yes", "No"]), long(["yes", "no"]), "capital"),
    "R's TRUE in a text column": (("case",), long(["TRUE", "FALSE"], "str"), long(["True", "False"], "str"), "capital"),
    "decomposed letters": (("letters",), long(["Z\u00fcrich", "B"]), long(["Zu\u0308rich", "B"]), "composed"),
    "full width": (("letters",), long(["ＡＢ", "c"]), long(["AB", "c"]), "width"),
    "T and F": (("labels",), long([True, False]), long(["T", "F"]), "labels"),
    "1 and 0": (("labels",), long([True, False]), long([1, 0]), "labels"),
    "declared labels": (("labels",), long(["Male", "Female"]), long([1.0, 2.0]), "labels"),
    "more digits": (("decimals",), long([1.5, 2.5, 3.5]), long([1.512, 2.488, 3.5]), "decimal"),
    "fewer digits": (("decimals",), long([1.512, 2.488, 3.5]), long([1.5, 2.5, 3.5]), "decimal"),
    "a decimal comma": (("decimals",), long([1.5, 2.25]), long(["1,5", "2,25"]), "decimal"),
    "commas in thousands": (("decimals",), long([12500, 3, 1250]), long(["12,500", "3", "1,250"]), "decimal"),
    "points in thousands": (("decimals",), long([12500.5, 3]), long(["12.500,5", "3"]), "decimal"),
    "blanks in thousands, and a comma": (("decimals",), long([12500.5, 1250.25, 3]), long(["12\u00a0500,5", "1 250,25", "3"]), "decimal"),
    "NA as text": (("missing",), long(["a", "b", None]), long(["a", "b", "NA"]), "empty cell"),
    "NA among numbers": (("missing",), long([1, 2, None]), long(["1", "2", "n/a"]), "empty cell"),
    "words for no answer": (("missing",), long(["a", "b", None]), long(["a", "b", "keine Angabe"]), "empty cell"),
    "a code for no answer": (("missing",), long([1, 2, 3, 5, None]), long([1, 2, 3, 5, -9]), "empty cell"),
    "a zone on one side": (("zone",), BERLIN, BERLIN.dt.tz_localize(None), "time zones"),
    "UTC without a word": (("zone",), BERLIN, BERLIN.dt.tz_convert("UTC").dt.tz_localize(None), "time zones"),
    "a zone in texts": (
        ("zone",), BERLIN.dt.strftime("%Y-%m-%dT%H:%M:%S%z"), BERLIN.dt.tz_convert("UTC").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "time zones",
    ),
    "yes and no": (("labels",), long([True, False]), long(["Yes", "no"]), "yes and no"),
    "on and off": (("labels",), long([True, False]), long(["on", "off"]), "yes and no"),
    "minus one as Access has it": (("labels",), long([True, False]), long([-1, 0]), "yes and no"),
    "as lists": (("punctuation",), long(["a b", "c d"]), long(["['a b']", "['c d']"]), "punctuation"),
    "letters of another alphabet": (("letters",), long(["Basel", "Bern"]), long(["B\u0430sel", "B\u0435rn"]), "look alike"),
    "moments to the minute": (("minute",), TIMES_OF_DAY, TIMES_OF_DAY.dt.floor("min"), "minute"),
    "moments to the hour": (("hour",), TIMES_OF_DAY, TIMES_OF_DAY.dt.floor("h"), "hours"),
    "WAHR and FALSCH": (("labels",), long([True, False]), long(["WAHR", "FALSCH"]), "yes and no"),
    "euros": (("decimals",), long([1137.5, 12]), long(["1.137,50 €", "12,00 €"]), "money"),
    "days without a zero": (("dates",), DAYS.dt.strftime("%Y-%m-%d"), DAYS.map(lambda d: f"{d.year}-{d.month}-{d.day}"), "dates"),
    "weekdays before days": (("dates",), DAYS, DAYS.dt.strftime("%a, %d %b %Y"), "dates"),
    "dashes for blanks": (("punctuation",), long(["AB 1", "C 23"]), long(["AB-1", "C-23"]), "punctuation"),
    "semicolons for commas": (("punctuation",), long(["Old cars, vans", "Milk and wine, tea"]), long(["Old cars; vans", "Milk and wine; tea"]), "punctuation"),
    "months as Eurostat has them": (("month",), DAYS.dt.strftime("%Y-%m"), DAYS.dt.strftime("%YM%m"), "month"),
    "bars for semicolons": (("punctuation",), long(["bus;car", "car;walk"]), long(["bus|car", "car|walk"]), "punctuation"),
    "the number of a question": (("affix",), long(["North", "East"]), long(["Q5: North", "Q5: East"]), "before"),
    "the same before parts": (("affix",), long(["North, 1", "North, 2"]), long(["Q5: North, 1", "Q5: North, 2"]), "before"),
    "a number and a blank before each": (("parts",), long(["North", "East"]), long(["1 North", "2 East"]), "code and label"),
    "titles behind codes": (("parts",), long(["E11.9", "I10"]), long(["E11.9 Diabetes", "I10 High blood pressure"]), "code and label"),
    "dollars": (("decimals",), long([1137.5, 12]), long(["$1,137.50", "$12"]), "money"),
    "percent": (("decimals",), long([12, 7.5]), long(["12 %", "7,5%"]), "percent"),
    "percent beside shares": (("decimals",), long([0.12, 0.075]), long(["12 %", "7.5%"]), "percent"),
    "days with points": (("dates",), DAYS, DAYS.dt.strftime("%d.%m.%Y"), "dates"),
    "months first": (("dates",), DAYS, DAYS.dt.strftime("%m/%d/%Y"), "dates"),
    "days of Excel on a Mac": (("dates",), DAYS, (DAYS - pd.Timestamp("1904-01-01")).dt.days, "numbers of days"),
    "days of SAS and Stata": (("dates",), DAYS, (DAYS - pd.Timestamp("1960-01-01")).dt.days, "numbers of days"),
    "minutes beside hours": (("units",), long([1.5, 0.25, 8.0]), long([90, 15, 480]), "minutes"),
    "hours to two digits beside minutes": (("units",), long([100, 17, 65]), long([1.67, 0.28, 1.08]), "minutes"),
    "grams beside kilos": (("units",), long([3.25, 4.1]), long([3250, 4100]), "another unit"),
    "Excel's days": (("dates",), DAYS, (DAYS - pd.Timestamp("1899-12-30")).dt.days, "numbers of days"),
    "R's days": (("dates",), DAYS, (DAYS - pd.Timestamp("1970-01-01")).dt.days, "numbers of days"),
    "ends of months": (("month",), YEAR, YEAR + pd.offsets.MonthEnd(0), "month"),
    "letters that R writes out": (("encoding",), long(["Zürich", "Bern"]), long(["Z<U+00FC>rich", "Bern"]), "encoding"),
    "letters as JSON has them": (("encoding",), long(["Zürich", "Bern"]), long(["Z\\u00fcrich", "Bern"]), "encoding"),
    "bytes of Python": (("encoding",), long(["Zürich", "Bern"]), long(["b'Z\\xc3\\xbcrich'", "b'Bern'"]), "encoding"),
    "letters lost": (("encoding",), long(["Zürich", "Bern"]), long(["Z?rich", "Bern"]), "encoding"),
    "bytes lost": (("encoding",), long(["Zürich", "Bern"]), long(["Z\ufffd\ufffdrich", "Bern"]), "encoding"),
    "a hyphen that breaks no line": (("letters",), long(["Bad-Au", "Bern"]), long(["Bad\u2011Au", "Bern"]), "look alike"),
    "a country behind its code": (("parts",), long(["AUT", "BEL"]), long(["AUT - Austria", "BEL - Belgium"]), "code"),
    "a code behind its country": (("parts",), long(["Austria", "Spain"]), long(["Austria (AUT)", "Spain (ESP)"]), "code"),
    "a number behind its label": (("parts",), long(["Good", "Fair"]), long(["Good, 1", "Fair, 2"]), "code"),
    "open groups": (("punctuation",), long(["<15", "15-64", "65+"]), long(["under 15", "15-64", "65 and over"]), "punctuation"),
    "answers joined by +": (("punctuation",), long(["bus;car", "car;walk"]), long(["bus+car", "car+walk"]), "punctuation"),
    "weeks of the year": (("week",), long(["2024-W05", "2024-W31"]), long(["KW 5/2024", "KW 31/2024"]), "week"),
    "trimestres": (("quarter",), long(["2024-Q1", "2024-Q2"]), long(["T1 2024", "T2 2024"]), "quarter"),
    "days in Chinese": (("dates",), DAYS, DAYS.map(lambda d: f"{d.year}年{d.month}月{d.day}日"), "dates"),
    "exponents behind a comma": (("decimals",), long([1200.0, 35.0]), long(["1,2E+03", "3,5E+01"]), "decimal"),
    "tak and nie": (("labels",), long([True, False]), long(["tak", "nie"]), "yes and no"),
    **{f"digits, {form}": (("dates",), DAYS, DAYS.dt.strftime(form), "numbers") for form in ("%Y%m%d", "%d%m%Y", "%m%d%Y", "%y%m%d")},
    "digits of months": (("month",), DAYS.dt.strftime("%Y-%m"), DAYS.dt.strftime("%Y%m"), "month"),
    "digits of moments": (("dates",), TIMES_OF_DAY, TIMES_OF_DAY.dt.strftime("%Y%m%d%H%M%S"), "numbers"),
    "two dots for empty": (("missing",), long(["a", "b", None]), long(["a", "b", ".."]), "empty"),
    "two at once": (("space", "case"), long(["Yes", "No"]), long([" yes", " no"]), "capital"),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "original", "synthetic", "cause"), PAIRS.values(), ids=PAIRS)
def test_a_mend_is_offered_and_mends(kinds, original, synthetic, cause):
    labels = {"x": SEX} if "Male" in original.tolist() else {}
    frames = pair(original, synthetic)
    said = found(frames, labels)
    if said.columns[0].original == said.columns[0].synthetic == (100.0,):
        pytest.skip("a study lets these meet by itself")
    (mismatch,) = said.mismatches
    assert mismatch.kinds == kinds
    assert mismatch.option == f"--mend x={','.join(kinds)}"
    (note,) = said.notes()
    assert note.warning
    assert note.column == "x"
    assert "'x'" in note.text
    assert cause in note.text
    assert mismatch.after - mismatch.before >= 5
    whole = mended(frames, {"x": kinds}, labels)
    after = found(whole, labels)
    assert not after.mismatches
    assert after.columns[0].original == after.columns[0].synthetic == (100.0,)
    # What is offered is what is got, and the records are as many.
    assert mismatch.after == pytest.approx(100)
    assert [len(f) for f in whole] == [len(f) for f in frames]
    # The same the other way round.
    assert [m.kinds for m in found(frames[::-1], labels).mismatches] == [kinds]


def test_the_table_has_the_least_and_the_most_of_several_syntheses():
    sides = [long("abcde"), long("abcxy"), long("abcde"), long("aaaaz")]
    (row,) = found(pair(*sides)).table().to_dict("records")
    original, *syntheses = ([*side] for side in sides)
    one_way, other = (
        [100 * sum(v in b for v in a) / len(a) for a, b in met]
        for met in ([(original, s) for s in syntheses], [(s, original) for s in syntheses])
    )
    ends = {"original_min": 20, "original_max": 100, "synthetic_min": 60, "synthetic_max": 100}
    assert [*ends.values()] == [min(one_way), max(one_way), min(other), max(other)]
    assert row == {"column": "x"} | ends


def test_a_missing_code_that_somebody_told_is_an_answer_and_no_empty_cell():
    original, synthetic = pair(long([1, 2, 3, 5, -9]), long([1, 2, 3, 5, None]))
    study = Study(original, [synthetic])
    assert [m.kinds for m in agreement(study).mismatches] == [("missing",)]
    (lost,) = agreement(study.with_missing_codes({"x": [-9]})).mismatches
    assert (lost.kinds, lost.lost, lost.stops) == ((), (("-9", 20.0),), False), "told, and nothing is stopped"
    assert [m.kinds for m in agreement(study.with_missing_codes({"x": [5]})).mismatches] == [("missing",)]


PAY = [f"{1000 + 7 * i}" for i in range(200)] * 3
LETTERS = "abcdefghijklmnopqrst"
ANNA = [f"Anna{a} Berg{b}" for a in LETTERS for b in LETTERS] * 2
OTTO = [f"Otto{a} Tal{b}" for a in LETTERS for b in LETTERS] * 2
ANSWERS = ["bus", "car", "bike", "bus, car", "bus, bike", "car, bike"]
REALLY_OTHERS = {
    "pay of another year, as texts and as numbers": (PAY, [int(text) + 3 for text in PAY]),
    "identifiers that repeat": (
        [f"A-{i:05d}/20" for i in range(300)] * 2,
        [f"C-{5 * i:05d}/21" for i in range(300)] * 2,
    ),
    "decimals of which some end in zero": (
        ["58.764", "43.742", "40.386"] * 100,
        [f"{x + i / 1000:.15g}" for x in (58.76, 43.74, 40.38) for i in range(100) if i not in (2, 4, 6)],
    ),
    "a word for no answer that a synthesis lost": (
        long(["a", "b", "c", "refused", None]),
        long(["a", "b", "c", "a", None]),
    ),
    "an open last group": (
        long([f"{age}" for age in range(60, 70)]),
        long([f"{age}" if age < 65 else "65 and over" for age in range(60, 70)]),
    ),
    "amounts with their unit": (long([f"{n} rooms" for n in range(1, 9)]), long([f"{n} rooms" for n in range(4, 12)])),
    "codes of a list that the original has three of": (
        ["0028"] * 1900 + ["0205"] * 700 + ["0263"] * 300,
        [f"{i:0{3 + i % 2}d}" for i in range(990)] * 3 + ["0028", "0205", "0263", "028"] * 3,
    ),
    "fiscal years of another time": (
        [f"FY{year}" for year in range(2005, 2015)] * 50,
        [f"FY{year}" for year in range(2017, 2027)] * 50,
    ),
    "waves of another time": ([f"wave {i}" for i in range(1, 7)] * 50, [f"wave {i}" for i in range(7, 16)] * 50),
    "names of people, who stand there twice": (ANNA, OTTO),
    "terms of another time": (
        [f"{term} {year}" for term in ("WS", "SS") for year in range(2015, 2019)] * 50,
        [f"{term} {year}" for term in ("WS", "SS") for year in range(2019, 2023)] * 50,
    ),
    "winters of another time": ([f"{y}/{y % 100 + 1} W" for y in (2012, 2013)] * 50, ["2015/16 W", "2016/17 W"] * 50),
    "several answers in one cell": (long(ANSWERS), long([*ANSWERS, *(f"{text}, train" for text in ANSWERS)])),
    "a code for no answer among words": (long([*"abcdefghi", "99"]), long("abcdefghi")),
    "codes that begin with letters of both": (long("ABC"), long(["A", "B", "C", "C1", "C2"])),
    "a synthesis of one code": (long(["30", "B40", "B14.6", "A19"]), long(["30"])),
    "an answer that means none, and was merged": (
        long(["None", "Primary", "Secondary", None]),
        long(["Rest", "Rest", "Secondary", None]),
    ),
    "marks with a minus": (long(["A", "A-", "B", "C-"]), long(["A", "B", "C-"])),
    "letters of provinces": (long(["MI", "LU", "SA", "BA", "TO"]), long(["ME", "MO", "SO", "BA", "TO"])),
    "women called May": (long(["May", "Mai", "Anna", "Eva"]), long(["May", "Anna", "Eva"])),
    "letters of which one went": (long("SFNP"), long("SNP")),
    "men and larger firms": (list(range(30, 50)) * 10, list(range(200, 400))),
    "amounts to one digit, ten times as large": (
        [n * 10**k for k in (1, 2) for n in range(1, 10)] * 10,
        [*[n * 100 for n in range(1, 10)] * 9, *[n * 1000 for n in range(1, 10)] * 11],
    ),
    "some of each left over": (
        [f"{town}{more}" for town in ANNA[:9] for more in ("", " n.e.c.")] * 10,
        [*ANNA[:9] * 19, *[f"{town} n.e.c." for town in ANNA[:3]] * 3],
    ),
    "codes of two cases, of which one went": (long(["aB", "ab", "bA"]), long(["aB", "bA"])),
    "days of which some end a month": (
        YEAR.tolist() * 3,
        [day + pd.offsets.MonthEnd(0) if i % 2 else day for i, day in enumerate(YEAR.tolist()[:360] * 3)],
    ),
    "answers in doubt": (
        long(["Zürich", "Bern", "Zürich?", "Bern?"]),
        [*["Zürich", "Bern"] * 60, *["Zürich?", "Bern?"] * 5],
    ),
    "towns in two countries": (
        [f"{t} ({c})" for t in ("Baden", "Laufen", "Bern") for c in ("CHE", "DEU")] * 9,
        [*["Baden", "Laufen"] * 9, *["Baden (CHE)", "Laufen (DEU)"] * 9],
    ),
    "districts with a number": (
        [*["Zürich"] * 2, *[f"{t}, {i}" for t in ("Zürich", "Bern") for i in (1, 2, 3)] * 9],
        [*["Zürich", "Bern"] * 40, *[f"{t}, {i}" for t in ("Zürich", "Bern") for i in (1, 2, 3)] * 9],
    ),
    "groups that end elsewhere": (long(["<15", "15-64", "65+"]), long(["under 20", "20-64", "67 and over", "15-64"])),
    "a sign within a code": (long(["1+1", "1+2", "12"]), long(["1+1", "12", "11"])),
    "two dots that a synthesis lost": (long(["a", "b", "..", None]), long(["a", "b", "a", None])),
    "NA, and fewer of it": (
        [*["a", "b"] * 40, *["NA"] * 20, *[None] * 20],
        [*["a", "b"] * 40, *["NA"] * 5, *[None] * 70],
    ),
    "one code with a zero, which a synthesis lost": (
        [*["8"] * 11, *["08"] * 30, *["11", "A15", "04"] * 20],
        [*["8"] * 70, *["11", "A15", "04"] * 20],
    ),
    "one code with a zero, which a synthesis lost, among others": (
        [*["8"] * 11, *["08"] * 30, *["2"] * 15, *["02"] * 5, *["11", "A15"] * 20],
        [*["8"] * 267, *["2"] * 12, *["02"] * 7, *["11", "A15"] * 20],
    ),
    "codes of another chapter, one of them a number": (
        [*["25"] * 7, *["11", "A15", "04"] * 90],
        [*["B22.3"] * 40, *["B38.5"] * 25, *["B25"] * 19, *["11", "A15", "04"] * 90],
    ),
    "larger amounts, of which a few begin alike": (
        [1000 + 37 * i % 8990 // 10 * 10 for i in range(500)],
        [10000 + 7310 * i % 89990 // 10 * 10 for i in range(500)],
    ),
    "a number, which a synthesis lost": (long([*"abcdefghi", "12"]), long("abcdefghi")),
    "codes of which some could be days": (
        [f"DE{i}{c}" for i in range(30, 60) for c in "ABF"] * 5,
        [*(f"DE{i}{c}" for i in range(30, 60) for c in "ABF"), *(f"DEC{i}" for i in range(10, 16))] * 5,
    ),
    "names that accents tell apart": (
        ["Zoë"] * 471
        + ["Zoe"] * 83
        + ["Müller"] * 242
        + ["Muller"] * 39
        + ["Noël"] * 53
        + ["Noel"] * 154
        + ["Lea"] * 34
        + ["Léa"] * 31,
        ["Zoë"] * 1058 + ["Zoe"] * 19 + ["Müller"] * 42 + ["Noël"] * 29 + ["Noel"] * 66 + ["Lea"] * 38 + ["Léa"] * 78,
    ),
    "codes of three cases": (
        ["bA2"] * 547 + ["ba2"] * 180 + ["AA1"] * 30 + ["aa1"] * 56 + ["ab1"] * 33 + ["AB1"] * 31,
        ["bA2"] * 39 + ["ba2"] * 684 + ["aa1"] * 219 + ["ab1"] * 3 + ["AB1"] * 18,
    ),
    "towns of another region, and one of both": (
        [f"{a}{b}" for a in LETTERS[:9] for b in ("ingen", "berg", "dorf", "wil", "au", "stein", "tal")] * 9 + ["Bern"],
        [f"{a}{b}" for a in LETTERS[9:18] for b in ("ingen", "berg", "dorf", "wil", "au", "stein", "tal")] * 9
        + ["Bern"],
    ),
    "short names that begin long ones": (
        [*(f"{t}{more}" for t in ("Kahau", "Röfel", "Inber", "Elka") for more in ("tal", "wil-Anbrü")), "Bern"] * 40,
        [
            *(f"{a}{b}" for a in ("Ka", "Rö", "In", "El", "Mar", "Ost") for b in ("hau", "fel", "ber", "ka", "sa")),
            "Bern",
        ]
        * 8,
    ),
    "towns in doubt whose letters are not ASCII": (
        [*["Röé", "Ésaä", "Éelü", "Bern"] * 30, *["Röé?"] * 2],
        [*["Röé", "Ésaä", "Éelü", "Bern"] * 20, *["Röé?", "Ésaä?", "Éelü?"] * 9],
    ),
    "none as 0, which a synthesis lost": (long(["no", "yes", "0"]), long(["no", "yes"])),
    "a scale of five and of seven points": (
        long(["disagree", "neither", "agree"]),
        long(["fully disagree", "disagree", "neither", "agree", "fully agree"]),
    ),
    "another top code": (long([*"12345", "≥5"]), long([*"12345678", "≥8"])),
    "rates of another year": (
        [f"{i * 7 % 40}.{i * 3 % 10}{1 + i % 9} %" for i in range(300)],
        [f"{50 + i * 7 % 40}.{i * 3 % 10}{1 + i % 9} %" for i in range(300)],
    ),
    "titles of which one was parted": (
        long(["Repair of boats", "Repair of cars", "Manufacture of paper", "Trade"]),
        long(["Repair of boats, of wood", "Repair of cars", "Manufacture of paper, for books", "Trade"]),
    ),
    "an answer that others begin with": (
        long([f"No; because of {t}" for t in ("age", "health", "work", "care", "law")]),
        long(["No; because of", *(f"No; because of {t}" for t in ("age", "health", "fear", "money", "time"))]),
    ),
    "towns of which one is another without a letter": (
        long(["Orque", "Sajo", "Väeck", "Chur", "Brügg"]),
        long(["Orqueé", "Sajoô", "Chur", "Brügg"]),
    ),
    "towns, and a few of their districts": (
        [*(f"{i}" for i in range(1200, 1260))] * 8,
        [*(f"{i}" for i in range(1200, 1260)), "12", "12", "120", "121", "122", "123", "124", "125"] * 8,
    ),
    "capitals that tell apart": (
        [*["aX"] * 190, *["AX"] * 10, *["bX"] * 10, *["BX"] * 40, *["cX"] * 9],
        [*["aX"] * 60, *["AX"] * 140, *["bX"] * 40, *["BX"] * 10, *["CX"] * 9],
    ),
}
NEARLY_ALIKE = {
    "one code for a word among words": (long([*"abcdefghi", "0"]), long([*"abcdefghi", "jot"])),
    "numbers of days among dates": (
        [f"2020-01-{d:02d}" for d in range(1, 29)] * 20,
        [f"2020-01-{d:02d}" if d > 4 else f"{2458848 + d}.5" for d in range(1, 29)] * 20,
    ),
    "codes with a zero in front": ([f"E{i:02d}" for i in range(1, 7)] * 50, [f"E{i:02d}" for i in range(7, 16)] * 50),
    "years between other words": (
        [f"FY{2005 + i}{'ab'[i % 2]}" for i in range(10)] * 50,
        [f"FY{2017 + i}{'ab'[i % 2]}" for i in range(10)] * 50,
    ),
    "years between words of two languages": (
        [f"Autumn {year}" for year in range(2015, 2019)] * 50,
        [f"Herbst {year}" for year in range(2019, 2023)] * 50,
    ),
    "numbers of four digits that are no years": (
        [f"Block {n}" for n in ("0105", "3005", "4005")] * 50,
        [f"Block {n}" for n in ("0106", "3006", "4006")] * 50,
    ),
    "NA for some of the empty cells": (
        [*["a", "b"] * 40, *["NA"] * 38, *[None] * 2],
        [*["a", "b"] * 40, *["NA"] * 2, *[None] * 38],
    ),
    "zeros lost of two": (
        [*["8"] * 11, *["08"] * 30, *["2"] * 15, *["02"] * 35, *["11", "A15"] * 20],
        [*["8"] * 90, *["08"] * 9, *["2"] * 52, *["11", "A15"] * 20],
    ),
    "a letter before two codes": (
        [*["25"] * 7, *["30"] * 9, *["11", "A15", "04"] * 90],
        [*["B22.3"] * 40, *["B30"] * 25, *["B25"] * 19, *["11", "A15", "04"] * 90],
    ),
    "a word behind each": (long(ANSWERS[:3]), long([*ANSWERS[:3], *(f"{text}, please" for text in ANSWERS[:3])])),
    "a number for a word among words": (long([*"abcdefghi", "12"]), long([*"abcdefghi", "jot"])),
    "codes beside words": (long(["Ada", "Bea", "Cleo"]), long(["Ada", "Bea", "Cleo", "C1", "C2"])),
    "groups among ages": (
        long(range(20, 60)),
        long([f"{age // 10 * 10}-{age // 10 * 10 + 9}" if age % 4 else f"{age}" for age in range(20, 60)]),
    ),
    "groups with other bounds": (
        [f"[{a},{a + 10})" for a in range(10, 90, 10)] * 20,
        [f"[{a},{a + 10})" for a in range(15, 95, 10)] * 20,
    ),
    "numbers for groups in part": (
        long([f"{a}-{a + 4}" for a in range(15, 60, 5)]),
        long([*(f"{a}-{a + 4}" for a in range(15, 60, 5)), *"123456789"]),
    ),
    "amounts of which some are in another unit": (
        [1000 + 37 * i % 8990 for i in range(80)] * 6,
        [(1000 + 37 * i % 8990) * (10 if i % 3 else 1) for i in range(80)] * 6,
    ),
    "points lost of some codes": (
        [f"{a:02d}.{a}{b}" for a in range(1, 10) for b in (1, 2, 3)] * 9,
        [f"{a:02d}.{a}{b}" if b < 3 else f"{a:02d}{a}{b}" for a in range(1, 10) for b in (1, 2, 3)] * 9,
    ),
    "days in a zone, of some": (
        [f"2020-01-{d:02d}" for d in range(1, 29)] * 20,
        [f"2020-01-{d:02d}" + " CET" * (d < 9) for d in range(1, 29)] * 20,
    ),
    "moments of which some have the month first": (
        [f"2020-01-{d:02d} 10:30:00" if d < 25 else f"1/{d}/2020 10:30:00 AM" for d in range(1, 29)] * 20,
        [f"2020-01-{d:02d} 10:30:00" if d < 15 else f"1/{d}/2020 10:30:00 AM" for d in range(1, 29)] * 20,
    ),
    "letters of DOS read as those of Windows, of some": (
        long(["Zürich", "Genève", "Chur", "Röhr", "Värö"]),
        long(["Zürich", "Genève", "Chur", "R”hr", "V„r”"]),
    ),
    "few names, of many people": (long(ANNA[:20]), long(OTTO[:20])),
    "names of one word": ([text[:5] + text[-1] for text in ANNA], [text[:5] + text[-1] for text in OTTO]),
    "one code that nobody else has": (long(["30", "B40", "B14.6", "A19"]), long(["x"])),
    "years and months as texts": ([f"{n}" for n in range(8, 98)] * 4, [f"{12 * n}" for n in range(8, 98)] * 4),
    "none in the place of empty cells": (long(["None", "Primary", "Secondary"]), long([None, "Primary", "Secondary"])),
}


@pytest.mark.parametrize(("original", "synthetic"), REALLY_OTHERS.values(), ids=REALLY_OTHERS)
def test_values_that_really_differ_stop_nothing(original, synthetic):
    assert not found(pair(pd.Series(original), pd.Series(synthetic))).unmet


@pytest.mark.parametrize(("original", "synthetic"), NEARLY_ALIKE.values(), ids=NEARLY_ALIKE)
def test_what_looks_much_like_that_stops(original, synthetic):
    assert found(pair(pd.Series(original), pd.Series(synthetic))).unmet


SIGNED = range(-9, 10)
CLOCK = [f"{h:02d}:15" for h in range(24)]
OFFERED = {
    "a dash for minus": (SIGNED, [f"{n}".replace("-", "–") for n in SIGNED], ("letters",)),
    "losses in brackets": (SIGNED, [f"({-n})" if n < 0 else f"{n}" for n in SIGNED], ("decimals",)),
    "losses with a minus behind": (SIGNED, [f"{-n}-" if n < 0 else f"{n}" for n in SIGNED], ("decimals",)),
    "groups in brackets": (["15-19", "20-24", "25-29"], ["[15, 19]", "[20, 24]", "[25, 29]"], ("punctuation",)),
    "several answers in brackets": (
        ["bus;car", "car", "bus"],
        ['["bus", "car"]', '["car"]', '["bus"]'],
        ("punctuation",),
    ),
    "tenths": ([f"{n}" for n in range(8, 98)], range(80, 980, 10), ("units",)),
    "times of day in halves": (
        CLOCK,
        [f"{(h - 1) % 12 + 1}:15 {'AM' if h < 12 else 'PM'}" for h in range(24)],
        ("dates",),
    ),
    "times of day as numbers": (CLOCK, [f"{100 * h + 15}" for h in range(24)], ("dates",)),
    "times of day by a clock": (CLOCK, [f"{h}.15 Uhr" for h in range(24)], ("dates",)),
    "days of the year": (
        [f"2024-02-{d:02d}" for d in range(1, 29)],
        [f"2024-{d + 31:03d}" for d in range(1, 29)],
        ("dates",),
    ),
    "days of the year as numbers": (
        [f"2024-02-{d:02d}" for d in range(1, 29)],
        [f"2024{d + 31:03d}" for d in range(1, 29)],
        ("dates",),
    ),
    "groups without their last": (["10-19", "20-29", "30-39"], ["[10,20)", "[20,30)", "[30,40)"], ("punctuation",)),
    "groups without their first": (["10-19", "20-29", "30-39"], ["(9,19]", "(19,29]", "(29,39]"], ("punctuation",)),
    "groups of money": (["500-999", "1000-1499"], ["€500 – €999", "€1,000 – €1,499"], ("punctuation",)),
    "an open end": (["65-84", "85+"], ["65 to 84", ">84"], ("punctuation",)),
    "letters lost": (["Zürich", "Genève", "Chur"], ["Zrich", "Genve", "Chur"], ("encoding",)),
    "letters read twice": (["Zürich", "Genève"], ["ZÃƒÂ¼rich", "GenÃƒÂ¨ve"], ("encoding",)),
    "days with two digits of a year": (
        [f"1943-01-{d:02d}" for d in range(1, 29)],
        [f"4301{d:02d}" for d in range(1, 29)],
        ("dates",),
    ),
    "days in Roman months": (
        [f"2024-{m:02d}-05" for m in range(1, 13)],
        [f"5.{name}.2024" for name in ROMAN[:12]],
        ("dates",),
    ),
    "seconds since midnight, of some": (
        CLOCK,
        [f"{h * 3600 + 900}" if h > 5 else f"{h:02d}:15" for h in range(24)],
        ("dates",),
    ),
    "letters as _": (["Zürich", "Genève", "Chur"], ["Z_rich", "Gen_ve", "Chur"], ("encoding",)),
    "& for and": (["Milk, eggs and wine", "Cars and ships"], ["Milk, eggs & wine", "Cars & ships"], ("punctuation",)),
    "a point that is raised": ([1.5, 2.25, 3], ["1·5", "2·25", "3"], ("decimals",)),
    "a title behind a comma": (
        ["12345", "53669", "20044"],
        ["12345, Baden", "53669, Laufen", "20044, Chur"],
        ("parts",),
    ),
    "the first digit alone": (
        [1000 * a + 7 * b for a in range(1, 9) for b in range(9)],
        [a for a in range(1, 9) for _ in range(9)],
        ("start",),
    ),
    "texts cut in part": (
        ["Agriculture", "Manufacture", "Transport of goods", "Trade"],
        ["Agricu", "Manufa", "Transp", "Agriculture", "Manufacture", "Transport of goods", "Trade"],
        ("start",),
    ),
    "texts cut with a mark": (
        ["Agriculture and fishing", "Manufacture of paper", "Transport of goods", "Trade"],
        ["Agriculture…", "Manufacture…", "Transport o…", "Trade"],
        ("start",),
    ),
}


@pytest.mark.parametrize(("original", "synthetic", "kinds"), OFFERED.values(), ids=OFFERED)
def test_what_is_offered_takes_no_sign_from_a_number(original, synthetic, kinds):
    (mismatch,) = found(pair(long(original), long(synthetic))).mismatches
    assert mismatch.stops
    assert mismatch.kinds == kinds


def test_values_of_both_sides_are_shown_so_that_they_differ():
    (note,) = found(pair(long(["yes", "no", "so"]), long(["yes ", "no ", "so"]))).notes()
    # The original's are named once, among those that no synthesis has.
    assert "In no synthesis: 'no' (33.33 % of the original records), 'yes' (33.33 %). " in note.text
    assert "Only in the synthetic data: 'no ', 'yes '." in note.text
    (note,) = found(pair(long(["Z\u00fcrich"]), long(["Zu\u0308rich"]))).notes()
    assert "In no synthesis: 'Z\\xfcrich' (100.00 % of the original records). " in note.text
    assert "Only in the synthetic data: 'Zu\\u0308rich'." in note.text
    (mismatch,) = found(pair(long("abcdef"), long([f"{t} " for t in "abcdef"]))).mismatches
    assert len(mismatch.values_original) == len(mismatch.values_synthetic) == 3
    for value in (*mismatch.values_original, *mismatch.values_synthetic, "%", "0.00"):
        assert value not in mismatch.text(values=False)


def test_one_synthesis_of_several_is_named():
    good = long(["yes", "no"])
    (note,) = found(pair(good, good, long(["yes ", "no "]))).notes()
    assert "(synthesis 2)" in note.text


@pytest.mark.parametrize("n_synthetic", [1, 3])
def test_the_shares_are_those_of_a_count_over_sets(n_synthetic):
    rng = np.random.default_rng(n_synthetic)
    sides = [rng.choice([*"abcdefg", None], 50, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.03, 0.02, 0.05]) for _ in range(4)]
    sides = sides[: 1 + n_synthetic]
    (each,) = found(pair(*sides)).columns
    there = [100 * np.mean([v in set(side) for v in sides[0]]) for side in sides[1:]]
    back = [100 * np.mean([v in set(sides[0]) for v in side]) for side in sides[1:]]
    assert each.original == pytest.approx(there)
    assert each.synthetic == pytest.approx(back)


values = st.lists(
    st.one_of(
        st.none(), st.sampled_from(["a", "A", " a", "a ", "NA", "1,5", "1.50", "\u00fc", "u\u0308", "ß", "SS", ""])
    ),
    min_size=1,
    max_size=30,
)
numbers = st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6), st.integers(-99, 99)), min_size=1, max_size=20)


@given(
    values,
    values,
    st.sets(st.sampled_from([k for k in KINDS if k not in ("labels", "affix", "parts")]), min_size=1),
)
def test_a_mend_twice_is_a_mend_once(left, right, kinds):
    frames = pair(pd.Series(left, dtype="object"), pd.Series(right, dtype="object"))
    mends = resolve(frames, {"x": kinds})
    for frame in frames:
        once = mend(frame, mends)
        pd.testing.assert_frame_equal(once, mend(once, mends), check_exact=True)


@given(numbers, numbers)
def test_rounding_twice_is_rounding_once(left, right):
    frames = pair(pd.Series(left, dtype="float64"), pd.Series(right, dtype="float64"))
    mends = resolve(frames, {"x": ["decimals"]})
    for frame in frames:
        once = mend(frame, mends)
        pd.testing.assert_frame_equal(once, mend(once, mends), check_exact=True)


@given(st.lists(st.floats(allow_nan=False), min_size=1), st.one_of(st.integers(0, 18), st.integers(0, 340)))
@example([9.165384520419623e-296], 311)
def test_rounding_is_that_of_the_decimal_as_written(numbers, digits):
    numbers = [*numbers, 2.675, 0.5, -1e-3, *(round(v, digits) for v in numbers if abs(v) < 1e9)]
    slow = [_round(v, digits) for v in numbers]
    assert _rounded(np.array(numbers), digits).tolist() == slow
    with localcontext(prec=700):
        for v, got in zip(numbers, slow, strict=True):
            if abs(v) != float("inf"):
                exact = Decimal(repr(v)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
                assert got == float(exact)


@pytest.mark.slow
@given(values, values, st.randoms())
def test_shares_are_shares_and_know_no_order(left, right, random):
    def shares(a, b):
        (each,) = found(pair(pd.Series(a, dtype="object"), pd.Series(b, dtype="object"))).columns
        return each.original[0], each.synthetic[0]

    there, back = shares(left, right)
    assert 0 <= there <= 100
    assert 0 <= back <= 100
    assert shares(right, left) == (back, there)
    assert shares(left, left) == (100, 100)
    shuffled = random.sample(left, len(left)), random.sample(right, len(right))
    assert shares(*shuffled) == (there, back)


def test_a_mend_does_to_a_holdout_what_it_did_to_the_others():
    frames = pair(pd.Series([1.25, 2.5]), pd.Series([1.3, 2.5]))
    held = mend(pd.DataFrame({"x": [7.77, None], "y": [1.111, 2.0]}), resolve(frames, {"x": ["decimals"]}))
    assert held["x"].tolist()[0] == 7.8
    assert held["x"].isna().tolist() == [False, True]
    assert held["y"].tolist() == [1.111, 2.0]
    # Half away from zero, on the decimal that is written: 2.675 is not 2.67.
    halves = mended(pair(pd.Series([2.675, -0.125, 0.005]), pd.Series([0.01, 0.02, 0.03])), {"x": ["decimals"]})
    assert halves[0]["x"].tolist() == [2.68, -0.13, 0.01]


def test_the_originals_spelling_and_order_are_kept():
    levels = pd.CategoricalDtype(["Low", "HIGH"], ordered=True)
    frames = pair(pd.Series(["Low", "HIGH", "Low"], dtype=levels), pd.Series(["low", "high", "LOW"]))
    first, second = mended(frames, {"x": ["case"]})
    assert first["x"].dtype == levels
    assert second["x"].tolist() == ["Low", "HIGH", "Low"]
    assert Study(first, [second]).columns["x"].levels == ("Low", "HIGH")


@pytest.mark.parametrize(
    ("mends", "sentence"),
    [
        ({"x": ["spaces"]}, "Mend 'spaces' is not one that there is"),
        ({"y": ["space"]}, "Mend 'y' is not a column of the data"),
        ({"x": ["labels"]}, "No file declares which label stands for which code of 'x'"),
    ],
)
def test_a_wrong_mend_is_a_sentence(mends, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        mended(pair(["a", "b"], [1, 2]), mends)


def test_kinds_stand_in_their_order_once():
    assert checked({"x": ["case", "space", "case"], "y": "zone", "z": []}) == {"x": ("space", "case"), "y": ("zone",)}
    (told,) = [p.help for p in assess.params if p.name == "mend"]
    assert f": {', '.join(KINDS)}; several" in told
    assert set(KINDS) == set(WORDS)


def test_labels_that_a_file_declares_are_enough(tmp_path):
    labels = {"sex": {1: "Male", 2: "Female"}}
    pyreadstat.write_sav(pd.DataFrame({"sex": [1.0, 2.0] * 30}), tmp_path / "o.sav", variable_value_labels=labels)
    pd.DataFrame({"sex": [2, 1, 1] * 20}).to_csv(tmp_path / "s.csv", index=False)
    readings = [*read(tmp_path / "o.sav", "o.sav"), *read(tmp_path / "s.csv", "s.csv")]
    declared = declared_labels(readings)
    assert declared == {"sex": SEX}
    frames = [r.frame for r in readings]
    (mismatch,) = found(frames, declared).mismatches
    assert mismatch.option == "--mend sex=labels"
    first, second = mended(frames, {"sex": ["labels"]}, declared)
    assert second["sex"].tolist()[:3] == ["Female", "Male", "Male"]
    assert not found([first, second], declared).mismatches


def test_what_is_not_certain_is_said_and_not_offered():
    (mismatch,) = found(pair(long(["Male", "Female"]), long([1, 2]))).mismatches
    assert mismatch.kinds == ()
    assert (
        "labels on one side and codes on the other; which label stands for which code is not known" in mismatch.text()
    )
    naive = pd.Series(pd.date_range("2020-01-01", periods=60, freq="7h"))
    (mismatch,) = found(pair(naive, naive + pd.Timedelta(hours=2))).mismatches
    assert mismatch.kinds == ()
    assert "the times differ by 2 hours throughout" in mismatch.text()


@pytest.mark.parametrize(("n", "told"), [(2, True), (3, False)])
def test_times_stand_apart_where_no_more_than_half_of_them_meet(n, told):
    # Noon to noon + 2(n - 1) hours, and two hours later: all but one of n meet.
    times = pd.Series(pd.date_range("2020-01-01 12:00", periods=n, freq="2h").tolist() * TIMES)
    causes = [m.cause for m in found(pair(times, times + pd.Timedelta(hours=2))).mismatches]
    said = "the times differ by 2 hours throughout: save both files in one time zone"
    assert (said in causes) == told


@pytest.mark.parametrize(("words", "told"), [(["eight", "nine"], True), (["nine"], False)])
def test_labels_among_codes_are_told_of_where_there_are_two(words, told):
    """One word may be what is left of others."""
    both = pair(long([*"12345678"], "str"), long([*"123456", *words], "str"))
    assert any("codes on the other" in m.cause for m in found(both).unmet) == told


def test_a_frequent_level_that_no_synthesis_has():
    original = pd.Series(["neg"] * 970 + ["pos"] * 20 + ["odd"] * 9 + ["one"])
    without = pd.Series(["neg"] * 1000)
    (mismatch,) = found(pair(original, without, without)).mismatches
    assert mismatch.lost == (("'pos'", 2.0),)
    assert "In no synthesis: 'pos' (2.00 % of the original records)." in mismatch.text()
    assert not found(pair(original, without, original)).mismatches  # one synthesis has it
    five = pd.Series(["neg"] * 900 + [f"p{i}" for i in range(5)] * 20)
    (mismatch,) = found(pair(five, without)).mismatches
    assert re.search(r"In no synthesis: .*'p2' \(2\.00 %\) and 2 more levels\.", mismatch.text())
    # Empty cells are a level of the measures, too.
    empty = original.where(original != "pos")
    assert [m.lost for m in found(pair(empty, without)).mismatches] == [(("an empty cell", 2.0),)]
    # By chance: two records of 100 that a hundred others lack.
    assert not found(pair(pd.Series(["a"] * 98 + ["b"] * 2), pd.Series(["a"] * 100))).mismatches
    # Numbers: of up to 50 distinct values.
    few, many = pd.Series([*range(50)] * 40), pd.Series([*range(51)] * 40)
    assert [m.column for m in found(pair(few, few[few > 3])).mismatches] == ["x"]
    assert not found(pair(many, many[many > 3])).mismatches
    texts = many.map("text {}".format)  # these are levels, however many
    assert [m.column for m in found(pair(texts, texts[many > 3])).mismatches] == ["x"]


def test_it_is_silent_on_the_demonstration_survey():
    frames = [demo.original(), *demo.syntheses()]
    assert not found(frames).mismatches
    assert not found([frames[0], demo.holdout()]).mismatches
    assert not [n for n in remarks(demo.study(), frames=frames).every if n.warning]


@pytest.mark.skipif(not SD2011.is_dir(), reason="SD2011 is not part of the project: ../shared/reference/sd2011")
@pytest.mark.parametrize(
    ("original", "synthetic"),
    [
        ("original", ["synthetic_s1"]),
        ("original", [f"synthetic_s5_{i}" for i in range(1, 6)]),
        ("original", [f"synthetic_s5cna_{i}" for i in range(1, 6)]),
        ("train", ["synthetic_train"]),
        ("train", ["control"]),
    ],
)
def test_it_is_silent_on_sd2011(original, synthetic):
    frames = [read(SD2011 / f"{name}.csv", f"{name}.csv")[0].frame for name in (original, *synthetic)]
    assert not found(frames).mismatches


def drawn(rng, n):
    """Return records of columns that invite a false alarm: codes, digits, times, small letters that mean something."""
    hours = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 24 * 60, n), unit="h")
    return pd.DataFrame(
        {
            "price": np.round(rng.lognormal(3, 1, n), 2),
            "measured": rng.normal(size=n),
            "tenths": np.round(rng.normal(20, 3, n), 1),
            "case": rng.choice(list("aAbBcCdD"), n),
            "word": rng.choice(["yes", "no", "NA", "none", None], n, p=[0.5, 0.3, 0.05, 0.05, 0.1]),
            "rare": rng.choice([f"level {i}" for i in range(90)], n),
            "hour": hours,
            "utc": [str(v) for v in hours.tz_localize("UTC")],
            "id": [f"{rng.integers(0, 10**9):x}" for _ in range(n)],
            "share": rng.random(n) < 0.02,
            "age": rng.integers(18, 66, n),
        }
    )


@pytest.mark.parametrize("seed", range(6))
def test_it_is_silent_on_good_syntheses(seed):
    rng = np.random.default_rng(seed)
    original = drawn(rng, 500 * (1 + seed % 3))
    own = [original.apply(lambda column: column.sample(500, replace=True, random_state=int(rng.integers(2**31)))
                          .to_numpy()) for _ in range(1 + seed % 2)]  # fmt: skip
    assert not found([original, *own]).mismatches
    assert not found([original, drawn(rng, 500)]).mismatches  # the same law, other records
    assert not found([original.head(40), drawn(rng, 40)]).mismatches  # few records, and two spellings on both sides


@pytest.mark.slow
def test_labels_are_shown_in_all_files_or_in_none(tmp_path):
    """Two of eleven values have a label; in the synthesis, which has those two alone, that is most of them."""
    from disclosure_core import start

    files = []
    for values in ([float(i % 11) for i in range(110)], [10.0 * (i % 2) for i in range(110)]):
        frame = pd.DataFrame({"id": [float(i % 7) for i in range(110)], "x": values})
        pyreadstat.write_sav(frame, tmp_path / "x.sav", variable_value_labels={"x": {0: "none", 10: "all"}})
        files.append((tmp_path / "x.sav").read_bytes())
    both = start(("o.sav", files[0]), {"s": [("s.sav", files[1])]})
    assert both.study().columns["x"].levels == ("none", *map(str, range(1, 10)), "all")
    said = [note.text for note in both.remarks().reading]
    assert "o.sav: 'x' has labels for 2 of its 11 values only: read as its values." in said
    assert sum("its labels are shown in all" in text for text in said) == 1
    alone = start(("o.sav", files[0]), {"s": [("s.sav", files[0])]})
    assert alone.review.columns.mends == {}
    assert alone.study().columns["x"].levels == tuple(map(str, range(11)))


@pytest.mark.parametrize(
    ("original", "synthetic"),
    [
        (range(11), np.linspace(0, 1, 137).round(3)),  # levels, and shares of one: times seven all would be levels
        (range(18, 91), range(18, 91)),
        ([0, 1], [0, 1]),
        (range(0, 5000, 5), range(1, 5000, 7)),
        ([1.5, 2.5], [91, 77, 13]),
    ],
)
def test_no_other_unit_is_seen_where_there_is_none(original, synthetic):
    frames = pair(long([*original]), long([*synthetic]))
    assert not any("units" in m.kinds for m in found(frames).mismatches)


def test_a_code_stays_and_people_outside_are_read_in_the_same_unit():
    frames = [pd.DataFrame({"x": x}) for x in ([1.5, 0.25, 8.0, -8] * 20, [90, 15, 480, -8] * 20, [15, 480, 33, -8])]
    mends = resolve(frames[:2], {"x": ("units",)})
    assert mend(frames[1], mends)["x"].tolist()[:4] == [1.5, 0.25, 8.0, -8]
    assert mend(frames[0], mends)["x"].tolist() == frames[0]["x"].tolist()
    few = mend(pd.DataFrame({"x": [15.0, 480, 90, -8, 33, 15, 15, 15, 15, 15]}), mends, strict=False)["x"].tolist()
    assert few[:5] == [0.25, 8.0, 1.5, -8, 0.55]
    text = pd.DataFrame({"x": ["a", "b"]})
    assert mend(text, mends, strict=False)["x"].tolist() == ["a", "b"]


def test_moments_that_are_written_alike_are_of_one_way():
    ends = [(" ", ""), ("T", ""), ("T", "Z")]
    ways = [{moment(f"2020-0{m}-12{of}0{m}:00:3{m}{end}", "dmy")[2] for m in (1, 2, 3)} for of, end in ends]
    assert [len(way) for way in ways] == [1, 1, 1]
    assert len(set.union(*ways)) == 3
