"""Tables that leave: the figures as they are, and nothing that runs."""

# Inside: the files that a report names, before it is one.

import csv
import io
import re
from dataclasses import replace

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    Chain,
    DisclosureError,
    Exclusions,
    Holdout,
    Limit,
    Limits,
    RemoveReplicated,
    Settings,
    Study,
    ThreatModel,
    Thresholds,
    Verdict,
    assess,
    demo,
    open_review,
    start_demonstration,
)
from disclosure_core.data import workbook as written
from disclosure_core.export.tables import names as names_of
from disclosure_core.export.tables import tables, to_csv, to_excel, to_lines, to_parquet
from disclosure_core.report.source import files_read, holdout_read
from disclosure_core.results import FewerRecords
from tests.reports import answer
from tests.written import about, names_of_sheets, sheets, visible

ANSWERED = ThreatModel("adults", 1_000_000, "register", same_population=True, news=True, random_sample=True)
HOSTILE = ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\")", "http://x", "-8", "+5.5",
           "＝1+1", "  =1", "\n=1"]  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), Settings(keys=demo.KEYS, exclusions=Exclusions(denominator_limit=5)))


def test_the_tables_hold_every_figure(found):
    every = tables(found)
    assert list(every) == ["summary", "identity", "attribute", "caps", "levels", "one_way", "two_way", "exclusions"]
    assert len(every["summary"]) == 3 * 10
    attribute = every["attribute"].set_index(["target", "synthesis"])
    assert attribute.loc[("abroad", 3), "DiSCO"] == found.targets["abroad"].attribute.loc[3, "DiSCO"]
    assert len(every["exclusions"]) == 10 * 5 * 8
    rare = every["levels"].query("target == 'condition'")
    assert (rare["level"].iloc[0], round(rare["excess"].iloc[0], 2)) == ("Diabetes", 3.13)
    assert len(every["two_way"]) == sum(len(f) for r in found.targets.values() for f in r.two_way)


@pytest.mark.slow
def test_there_and_back(found):
    for frame in tables(found).values():
        pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(to_parquet(frame))), frame)
        again = pd.read_csv(io.BytesIO(to_csv(frame)), keep_default_na=False, na_values=[""])
        again = again.assign(flag=again["flag"].astype("str").fillna("")) if "flag" in again else again
        pd.testing.assert_frame_equal(again, frame, check_dtype=False, rtol=1e-12)
    book = pd.read_excel(io.BytesIO(to_excel(tables(found))), sheet_name=None, engine="calamine")
    assert list(book) == list(tables(found))
    assert book["identity"]["UiO"].tolist() == found.identity["UiO"].tolist()


def test_a_cell_that_looks_like_a_formula_does_not_run():
    frame = pd.DataFrame({"=level": HOSTILE, "n": [-1.5] * len(HOSTILE)})
    sheet = openpyxl.load_workbook(io.BytesIO(to_excel({"levels": frame})))["levels"]
    assert [c.value for c in sheet["A"]] == ["=level", *("\n".join(map(visible, h.split("\n"))) for h in HOSTILE)]
    assert {c.data_type for c in sheet["A"]} == {"s"}
    assert not [c for c in sheet["A"] if c.hyperlink]
    assert {c.data_type for c in sheet["B"][1:]} == {"n"}
    lines = pd.read_csv(io.BytesIO(to_csv(frame)), dtype=str)
    assert lines.columns.tolist() == ["'=level", "n"]
    for before, after in zip(HOSTILE, lines["'=level"], strict=True):
        runs = before not in ("http://x", "-8", "+5.5")
        assert after == ("'" + before if runs else before)
    assert lines["n"].tolist() == ["-1.5"] * len(HOSTILE)


@pytest.mark.parametrize("before", ["", " ", "\u00a0", "\ufeff", "\u200b", "\x00", "\x0b", "\u202e ", "\u3000"])
def test_nothing_that_nobody_sees_hides_a_formula(before):
    for sign in "=+-@＝＋－＠﹦﹢﹣﹫":
        text = f"{before}{sign}cmd|' /C calc'!A0"
        (cell,) = csv.reader(
            io.StringIO(to_csv(pd.DataFrame({"a": [text]})).decode("utf-8-sig").split("\r\n")[0].split("\n", 1)[1])
        )
        assert cell[0].startswith("'"), sign
        lines = [line for of in to_lines({text: [text]}).values() for line in of]
        assert all(line.lstrip('"').startswith("'") or visible(before) != before for line in lines), sign


def test_no_text_of_a_workbook_turns_what_stands_beside_it_and_data_stay_as_they_are():
    frame = pd.DataFrame({"a\u202eb": ["57\u202e.0 %", "two\nlines", "a\u200bb"]})
    for raw, shown in (
        (False, ["a\\u202eb", "57\\u202e.0 %", "two\nlines", "a\\u200bb"]),
        (True, [*frame, *frame["a\u202eb"]]),
    ):
        sheet = openpyxl.load_workbook(io.BytesIO(written.to_excel({"s": frame}, raw=raw)))["s"]
        assert [c.value for c in sheet["A"]] == shown


@pytest.mark.parametrize("names", [["a" * 40, "a" * 41, "A" * 40], ["x/y", "x:y", "x y"], ["", "'"]])
def test_any_name_makes_a_sheet(names):
    frame = pd.DataFrame({"a": [1]})
    assert len(openpyxl.load_workbook(io.BytesIO(to_excel(dict.fromkeys(names, frame)))).sheetnames) == len(names)


def test_levels_of_the_data_travel_as_text():
    data = pd.DataFrame({"k": ["=1+1"] * 60, "t": ["=cmd|' /C calc'!A0"] * 60})
    found = assess(Study(data, [data]), Settings(keys=("k",)))
    text = to_csv(tables(found)["one_way"]).decode()
    assert "'=cmd" in text


def test_what_a_sheet_cannot_hold_is_said():
    with pytest.raises(DisclosureError, match="The table 'records' has more rows than a sheet of Excel"):
        to_excel({"records": pd.DataFrame({"a": range(1_048_576)})})


def test_truth_stays_truth():
    sheet = openpyxl.load_workbook(io.BytesIO(to_excel({"s": pd.DataFrame({"a": [True, False]})})))["s"]
    assert [c.value for c in sheet["A"][1:]] == [True, False]


CELLS = st.one_of(
    st.none(), st.sampled_from(["=1+1", "-8", "+x", "@a", "\ta", 'a "b"', "a,b", "a\nb", ""]), st.text(max_size=4)
)


@given(rows=st.lists(st.tuples(CELLS, st.floats(allow_nan=True, allow_infinity=False), CELLS), min_size=1, max_size=5))
def test_lines_of_a_table_are_those_of_its_file_and_what_is_pasted_is_guarded_too(rows):
    heads, seen = ["=a", "b", "c\td"], [[visible(v) if isinstance(v, str) else v for v in row] for row in rows]
    lines = to_lines({name: [row[i] for row in rows] for i, name in enumerate(heads)})
    frame = pd.DataFrame(seen, columns=[visible(name) for name in heads])  # what stands in the table
    frame = frame.astype({name: object for name in frame.columns if name != "b"})
    assert len(lines["csv"]) == len(lines["tsv"]) == len(rows) + 1
    of_file = list(csv.reader(io.StringIO(to_csv(frame).decode("utf-8-sig"), newline="")))
    assert [[*csv.reader(io.StringIO(line, newline=""))] for line in lines["csv"]] == [[row] for row in of_file]
    pasted = [[*csv.reader(io.StringIO(line, newline=""), delimiter="\t")] for line in lines["tsv"]]
    assert pasted == [[row] for row in of_file]
    for row in of_file:
        assert not any(re.match(r"\s*[=+@]|\s*-(?!\d+(\.\d+)?(e[+-]?\d+)?$)", cell) for cell in row)


def test_csv_has_the_digits_that_mean_something():
    frame = pd.DataFrame({"a": [3.3600000000000003, 0.1 + 0.2, 1e-7, 12345678.9, float("nan")]})
    assert to_csv(frame).decode("utf-8-sig").split() == ['"a"', "3.36", "0.3", "1e-07", "12345678.9", '""']


def test_the_first_sheet_says_what_is_excluded_and_what_is_said_of_the_release():
    opened = start_demonstration()

    def said(part, **changes):
        sheet = about(opened.with_review(replace(opened.review, **changes)), ())
        return sheet.loc[sheet["part"] == part, ["what", "is"]].to_numpy().tolist()

    out = Exclusions(target_levels={"abroad": ["No"], "marital": ["Single"]})
    assert said("excluded") == [["nothing", ""]]
    assert sorted(said("excluded", exclusions=out, reasons={"abroad": "known"})) == [
        ["abroad = No", "known"], ["marital = Single", "no reason was given; not in the judged figures"],
    ]  # fmt: skip
    assert [what for what, _ in said("limits")] == ["DiSCO", "DCAP", "F_rel"]
    assert said("release", about={"Note": " the first ", "Purpose": " "}) == [["Note", "the first"]]


@pytest.mark.slow
def test_the_workbook_stands_alone():
    review = replace(
        start_demonstration().review,
        holdout=Holdout("demonstration"),
        exclusions=Exclusions(target_levels={"abroad": ["No"]}),
        reasons={"abroad": "nine in ten say so", "sex": "seen by everybody"},
        limits=Limits(disco=Limit(10, 2, "our board")),
        verdicts=(Verdict("synthetic data", "an intruder", "marital", "leak", "it is"),),
    )
    opened = open_review(review)
    book = openpyxl.load_workbook(io.BytesIO(opened.to_excel()))
    assert book.sheetnames == ["about", *sheets(opened)]
    assert names_of_sheets(opened) == list(sheets(opened))
    assert book.sheetnames[1] == "answer"
    about = {(row[0], row[1]): row[2] for row in book["about"].iter_rows(min_row=2, values_only=True)}
    files = [row[1:3] for row in book["about"].iter_rows(min_row=2, values_only=True) if row[0] == "file"]
    read = [*files_read(opened), holdout_read(opened)]
    assert [what for what, _ in files] == [f.role for f in read]
    assert all(is_.startswith(f"{f.name}, {f.rows:,} records, ") for (_, is_), f in zip(files, read, strict=True))
    assert about["excluded", "abroad = No"] == "nine in ten say so"
    assert about["key of an intruder", "sex"] == "seen by everybody"
    assert "more than 10 % of members" in about["limits", "DiSCO"]
    assert "our board" in about["limits", "DiSCO"]
    assert about["limits", "DCAP"].startswith("The office set no limit of DCAP")
    assert about["target", "income"] == "20 groups asked for"
    assert about["check", "1-way"] == "above 50 records and 90 % of the disclosive records"
    assert about["check", "2-way"] == "above 4 records in a cell and 80 % of the key level's records"
    assert "over original records" in about["measure, %", "DiSCO"]
    for sheet in book.worksheets:
        assert sheet.auto_filter.ref, sheet.title
        assert sheet.title == "about" or ("sheet", sheet.title) in about
    heads = {sheet.title: [c.value for c in sheet[1]] for sheet in book.worksheets}
    assert "DiSCO, % of original records" in heads["attribute"]
    assert "UiS, % of synthetic records" in heads["identity"]
    assert "people outside, % of them" in heads["holdout"]
    largest = opened.assessment().summary()["target"].tolist()[::-1]
    targets = [c.value for c in book["attribute"]["A"][1:]]
    assert list(dict.fromkeys(targets)) == largest
    at = heads["attribute"].index("DiSCO, % of original records")
    written = [row[at] for row in book["attribute"].iter_rows(min_row=2, values_only=True)]
    assert written == [v for name in largest for v in opened.assessment().targets[name].attribute["DiSCO"]]
    told = dict(zip([c.value for c in book["verdicts"][1]], [c.value for c in book["verdicts"][2]], strict=True))
    assert [*told.values()][:6] == ["synthetic data", "an intruder", "marital", "leak", "it is", "to confirm"]
    assert told["now_at"] == pytest.approx(opened.queue().row("marital").synthetic)
    assert told["given_at"] is None
    results = [row[heads["answer"].index("result")] for row in book["answer"].iter_rows(min_row=2, values_only=True)]
    judged = answer(opened)
    assert results == [*(str(row.outcome) for row in judged.rows), str(judged.membership.outcome)]


@pytest.mark.parametrize(
    ("asked", "more"),
    [
        ({}, []),
        ({"holdout": Holdout("demonstration")}, ["holdout", "holdout_difference", "holdout_identity"]),
        ({"searched": frozenset({"membership"})}, ["membership", "membership_all_keys"]),
        ({"searched": frozenset({"subsets"})}, ["subsets_identity", "subsets_attribute"]),
        ({"searched": frozenset({"strongest"})}, ["strongest", "strongest_levels"]),
        ({"searched": frozenset({"least"})}, ["least_safeguard"]),
        ({"chains": (Chain("c", (RemoveReplicated(),)),), "chain": "c"}, ["protected_identity", "protected_summary"]),
        ({"searched": frozenset({"comparison"})}, ["sets", "sets_map", "sets_differences", "usefulness"]),
    ],
)
def test_a_review_has_the_tables_of_what_it_asks_for(found, asked, more):
    assert names_of(replace(start_demonstration().review, **asked)) == [*tables(found), *more]


@pytest.mark.parametrize("answered", [ThreatModel(), ANSWERED])
def test_what_was_searched_has_its_sheets_whether_it_is_evaluated_or_not(answered):
    """A sheet that a page offers is there: with the figures, or with why there are none."""
    asked = replace(
        start_demonstration().review, targets=("abroad",), holdout=Holdout("demonstration"), threat_model=answered,
        searched=frozenset({"membership"}),
    )  # fmt: skip
    opened = open_review(asked)
    every = sheets(opened)
    assert names_of_sheets(opened) == list(every)
    for name in ("membership", "membership_all_keys"):
        assert ("not evaluated" in every[name]) == (answered == ThreatModel())
        assert len(every[name])


def test_every_level_that_the_1_way_check_flags_has_its_row():
    """Below 50 % two levels may pass; whoever counts the records of the table must find both."""
    frame = pd.DataFrame({"k": [1, 2, 3, 4, 5], "t": ["a", "a", "b", "b", "c"]})
    low = Settings(keys=("k",), thresholds=Thresholds(one_way=(1, 30)))
    listed = tables(assess(Study(frame, [frame, frame]), low))["one_way"]
    shown = listed.sort_values(["synthesis", "level"])[["synthesis", "level", "n_disclosive_level"]]
    assert shown.to_numpy().tolist() == [[i, level, 2] for i in (1, 2) for level in ("a", "b")]


@pytest.mark.slow
def test_drawn_sizes_of_one_target_bring_those_of_the_keys():
    opened = start_demonstration()
    review = FewerRecords.with_asked(opened.review, target="abroad", repeats=1)
    assert "release_size" not in sheets(opened.with_review(review))
    found = sheets(opened.with_review(FewerRecords.with_in_report(review, True)))
    whole = found["release_size_identity"].query("share == 100").set_index("measure")["mean"]
    assert whole["repU"] == pytest.approx(opened.assessment().identity["repU"].mean())
    assert set(found["release_size"]["target"]) == {"abroad"}


@pytest.mark.parametrize("letter", ["x", "\N{GRINNING FACE}"])
def test_a_text_longer_than_a_cell_of_excel_says_that_it_was_cut(letter):
    whole = letter * 40_000
    n = len(whole.encode("utf-16-le")) // 2
    frame = pd.DataFrame({"level": [whole, "short"], "pct": [1.5, 2.5]})
    book = openpyxl.load_workbook(io.BytesIO(to_excel({"History": frame})))
    assert book.sheetnames == ["History (2)"]
    sheet = book["History (2)"]
    cut = sheet["A2"].value
    assert cut.endswith(f"{letter} … (cut: {n:,} letters)")
    assert 32_760 <= len(cut.encode("utf-16-le")) // 2 <= 32_767
    assert [sheet["B2"].value, sheet["A3"].value] == [1.5, "short"]
    with pytest.raises(DisclosureError, match="A cell has more letters than a cell of Excel; take CSV or Parquet"):
        written.to_excel({"s": frame}, raw=True)


def test_a_table_wider_than_a_sheet_of_excel_is_refused():
    wide = pd.DataFrame([range(16_385)])
    with pytest.raises(DisclosureError, match="The table 'wide' has more columns than a sheet of Excel"):
        to_excel({"wide": wide})
