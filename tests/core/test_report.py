"""The report: complete, accessible, the same figures in both forms, and no markup from the data."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import takewhile

import pandas as pd
import pypdf
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, assess
from disclosure_core.data import demo
from disclosure_core.holdout.decision import Limit, Limits
from disclosure_core.report import FileRead, ReportInput, blocks, tables_of, to_html, to_pdf
from disclosure_core.report.assembled import Look, report_input
from disclosure_core.report.page1 import MOST_ROWS
from disclosure_core.report.pieces import names_in
from disclosure_core.review.opening import open_review, read_holdout, start_demonstration, start_tables
from disclosure_core.review.value import Holdout

MARKUP = [
    "#panic(1)", "$x^2$", "*bold*", "_it_", "<script>alert(1)</script>", "<b>b</b>", "\\section{x}", "#import \"x\"", "@ref",
    "`raw`", "[content]", "= heading", "// comment", "</table>", "\"quoted\"", "&amp;", "€", "#{sys}", "\\u{41}", "${7*7}",
]  # fmt: skip


@pytest.fixture(scope="module")
def given():
    study = demo.study()
    out = Exclusions(
        target_levels={"abroad": ["No"]}, pairs={"marital": [Pair("age", "17", "Single")]}, missing_targets={"bmi"}
    )
    found = assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=out))
    files = [FileRead("Original", "people.csv", 5000, "ab" * 32)]
    files += [FileRead(f"Synthesis {i}", f"release_{i}.csv", 5000, "cd" * 32) for i in range(1, 6)]
    reasons = {"sex": "seen by everybody", "abroad": "nine in ten say so"}
    about = {"Generator, version, seed": "synthpop 1.9-3, CART, seed 7"}
    return ReportInput(study, found, files, "Release of the survey", "A. Officer", "20 November 2026", reasons, about)


@pytest.fixture(scope="module")
def pdf(given):
    return pypdf.PdfReader(io.BytesIO(to_pdf(given)))


def text_of(pdf):
    return " ".join(" ".join(page.extract_text() for page in pdf.pages).split())


def cells(found):
    return [c for b in found for row in b.rows for c in row]


def test_it_is_as_long_as_a_panel_reads(pdf):
    assert 4 <= len(pdf.pages) <= 12


def test_it_is_accessible(pdf):
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert pdf.metadata.title == "Release of the survey"
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert "Dorig and DiSCO for 10 targets" in str(every_alt(root["/StructTreeRoot"]))


def test_every_row_of_a_table_has_a_head(pdf):
    rows = [
        row for body in elements(pdf.trailer["/Root"]["/StructTreeRoot"], "/TBody") for row in elements(body, "/TR")
    ]
    assert len(rows) > 50
    for row in rows:
        first, *others = elements(row, "/TH"), *elements(row, "/TD")
        assert [{"/O": "/Table", "/Scope": "/Row"} in cell["/A"] for cell in first] == [True]
        assert not any("/Headers" in part for cell in (*first, *others) for part in cell["/A"])  # scopes say it
    heads = [
        cell for head in elements(pdf.trailer["/Root"]["/StructTreeRoot"], "/THead") for cell in elements(head, "/TH")
    ]
    assert all(any(part.get("/Scope") == "/Column" for part in cell["/A"]) for cell in heads)
    assert pdf.pdf_header == "%PDF-1.7"


def elements(node, kind):
    """Return the elements of one kind below another, in the order of reading."""
    kids = node.get("/K", [])
    below = [kid.get_object() for kid in (kids if isinstance(kids, list) else [kids])]
    below = [kid for kid in below if isinstance(kid, pypdf.generic.DictionaryObject)]
    return [e for kid in below for e in ([kid] if kid.get("/S") == kind else elements(kid, kind))]


def every_alt(node, depth=0):
    node = node.get_object()
    found = [node["/Alt"]] if "/Alt" in node else []
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        if depth < 40 and isinstance(kid.get_object(), pypdf.generic.DictionaryObject):
            found += every_alt(kid, depth + 1)
    return found


def test_the_axis_of_page_1_is_there_where_nothing_can_be_learnt():
    """Everybody has one key and each column both answers: nothing can be learnt of as many targets as page 1 has room for."""
    people = pd.DataFrame({"k": ["a"] * 60} | {f"t{i}": ["x", "y"] * 30 for i in range(MOST_ROWS)})
    opened = start_tables(people, {"one": [people]})
    opened = opened.with_holdout(*read_holdout("h.csv", people.to_csv(index=False).encode()))
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("k",))))
    (page1,) = [b for b in blocks(report_input(opened, Look())) if b.marks]
    assert {v for m in page1.marks if m for v in (m.original, m.members, m.outside)} == {0.0}
    assert page1.scale == (1, 1)


def test_lines_of_one_row_of_page_1_stand_nearer_than_those_of_two():
    """Names of many words fill several lines, and no row goes on over a page."""
    names = [f"first{i} second word after word of a name that goes on and on to the last{i}" for i in range(MOST_ROWS)]
    people = pd.DataFrame({"k": ["a", "b"] * 60} | {name: ["x", "y", "x"] * 40 for name in names})
    opened = start_tables(people, {"one": [people]})
    limits = Limits(disco=Limit(20, 5))
    opened = opened.with_review(replace(opened.review.with_settings(Settings(keys=("k",))), limits=limits))
    pages = pypdf.PdfReader(io.BytesIO(to_pdf(report_input(opened, Look())))).pages
    whole = 0
    for page in pages[:2]:
        lines: list[tuple[float, str]] = []
        page.extract_text(
            visitor_text=lambda text, _, at, *__, lines=lines: lines.append((at[5], text)) if text.strip() else None
        )
        lines = [*takewhile(lambda line: "Open points" not in line[1], lines)]
        begun = [k for k, (_, text) in enumerate(lines) if re.search(r"^DiSCO of first\d+ second $", text)]
        for k in begun:
            end = next(n for n in range(k, len(lines)) if re.search(r"last\d+$", lines[n][1]))
            inside = lines[k][0] - lines[k + 1][0]
            assert inside * (end - k) == pytest.approx(lines[k][0] - lines[end][0])
            if end + 1 in begun:
                assert lines[end][0] - lines[end + 1][0] > inside
            whole += 1
    assert whole == MOST_ROWS


def test_only_a_result_stands_in_a_frame():
    def drawn(name):
        data = pd.DataFrame({"k": ["a", "b", "c"] * 40, name: ["x", "y"] * 60})
        study = Study(data, [data])
        pdf = to_pdf(ReportInput(study, assess(study, Settings(keys=("k",))), [], "T"))
        steps = [op for page in pypdf.PdfReader(io.BytesIO(pdf)).pages for _, op in page.get_contents().operations]
        return [steps.count(op) for op in (b"f", b"f*", b"S")]

    assert drawn("above sea") == drawn("under sea")


@pytest.mark.parametrize(
    "part",
    [
        "people.csv", "release_5.csv", "abababababababab", "20 November 2026", "A. Officer", "seen by everybody",
        "no reason was given", "income in 20 groups", "income: -8", "abroad: level No. Reason: nine in ten say so",
        "age 17 with Single", "bmi: missing values", "Holdout baseline: not evaluated", "Membership: not evaluated",
        "synthpop 1.9-3, CART, seed 7", "not stated", "Subsets of the keys: not evaluated", "All records were used", "Sign-off", "Lower is safer", "With nothing excluded", "Judged", "TCAP in R", "Internal version",
    ],
)  # fmt: skip
def test_it_says_what_a_panel_asks(pdf, part):
    assert part in text_of(pdf)


def test_the_figures_are_those_of_the_assessment(given, pdf):
    text = text_of(pdf)
    for row in given.assessment.summary().to_dict("records"):
        assert f"{row['original']:.2f}" in text
        assert f"{row['synthetic']:.2f}" in text
    for name, value in given.assessment.identity.mean().items():
        assert f"{value:.2f}" in text, name


def test_most_is_learnt_of_the_first_target_and_each_step_tells_how_many(given):
    (attributes,) = [b for b in blocks(given) if b.columns[:3] == ("Target", "Dorig", "DiSCO")]
    largest = [float(row[2]) for row in attributes.rows]
    assert largest == sorted(largest, reverse=True)
    (steps,) = [b for b in blocks(given) if b.columns[:1] == ("Target",) and "(" in b.rows[0][1]]
    for name, *cells_of_row in steps.rows:
        figures = [given.assessment.targets[name].figures(m).mean() for m in ("iS", "DiS", "DiSCO", "DiSDiO")]
        assert cells_of_row == [f"{v:.2f} ({round(50 * v):,})" for v in figures]  # of 5,000


def test_flags_that_stay_are_named_and_one_page_is_no_part(given):
    summary = given.assessment.summary().iloc[::-1]
    still = summary.loc[summary["flag"] != "", "target"].tolist()
    assert 0 < len(still) < len(summary)
    said = [b.text for b in blocks(given)]
    assert any(text.endswith(f"they still raise a flag for {names_in(still)}.") for text in said)
    assert not any("Part 1 of 1" in text for text in said)


def test_both_forms_say_the_same(given, pdf):
    class Text(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found = []

        def handle_data(self, data):
            self.found.append(data)

    parser = Text()
    parser.feed(to_html(given))
    said = " ".join(" ".join(parser.found).split())
    squeezed = re.sub(r"[\s\-\u00ad]", "", text_of(pdf))
    for block in blocks(given):
        for piece in (block.text, *block.items, *(c for row in block.rows for c in row)):
            assert " ".join(piece.split()) in said
            # Typst breaks lines, and words with a hyphen.
            assert re.sub(r"[\s\-\u00ad]", "", piece) in squeezed or len(piece) > 60


def test_the_html_fetches_and_runs_nothing(given):
    html = to_html(given)
    assert "default-src 'none'" in html
    assert not re.findall(r"(?:src|href)=\"(?!data:|#)", html)
    assert "<script" not in html


@pytest.fixture(scope="module")
def hostile():
    rows = 400
    data = pd.DataFrame({"#key": [MARKUP[i % 5] for i in range(rows)], "$t$": [MARKUP[5 + (i % 13 == 0)] for i in range(rows)]}
                        | {name: [name if i % 9 else "x" for i in range(rows)] for name in MARKUP})  # fmt: skip
    study = Study(data, [data.iloc[::-1]])
    keys = ("#key",)
    out = Exclusions(target_levels={"$t$": [MARKUP[6]]})
    found = assess(study, Settings(keys=keys, exclusions=out))
    files = [FileRead("Original", m, 400, "") for m in MARKUP]
    return ReportInput(study, found, files, MARKUP[0], MARKUP[4], MARKUP[2], {"#key": MARKUP[7], "$t$": MARKUP[4]})


def test_markup_in_names_is_text_in_the_pdf(hostile):
    squeezed = re.sub(r"\s", "", text_of(pypdf.PdfReader(io.BytesIO(to_pdf(hostile)))))
    for name in MARKUP:
        assert re.sub(r"\s", "", name) in squeezed, name


def test_markup_in_names_is_text_in_the_html(hostile):
    html = to_html(hostile)
    assert "<script>" not in html
    assert "<b>b</b>" not in html
    assert html.count("</table>") == sum(b.kind == "table" for b in blocks(hostile))


def test_a_shareable_report_shows_no_small_count(given):
    shareable = ReportInput(given.study, given.assessment, given.files, shareable=True, smallest=25)
    shown = cells(blocks(shareable))
    assert any(c.startswith("≤ 0.50") for c in shown)  # 25 of 5,000
    bracketed = [n.replace(",", "") for cell in shown for n in re.findall(r"\((?:≤ )?([\d,]+)\)", cell)]
    assert len(bracketed) == 20
    assert all(int(n) % 25 == 0 and int(n) > 0 for n in bracketed)
    assert "Shareable version" in " ".join(i for b in blocks(shareable) for i in b.items)


@pytest.mark.slow
def test_cells_are_listed_for_the_office_only(given):
    risk = given.assessment.targets["marital"]
    chosen = ReportInput(given.study, given.assessment, given.files, cells=True)
    (table,) = [b for b in blocks(chosen) if b.columns[:2] == ("Keys", "marital")]
    cells = risk.counted[0].cells
    held = cells.disclosive_synthetic & (risk.counted[0].d > 0)
    assert int(table.rows[0][2]) == risk.counted[0].d[held].max()
    original = demo.original()
    for row in table.rows:
        for record in (int(r) for r in row[4].removesuffix(" …").split(", ")):
            person = original.iloc[record - 1]
            assert ", ".join(str(person[k]) for k in demo.KEYS) == row[0]
            assert person["marital"] == row[1]
    assert "The cells behind the figures" in text_of(pypdf.PdfReader(io.BytesIO(to_pdf(chosen))))
    for other in (given, ReportInput(given.study, given.assessment, given.files, cells=True, shareable=True)):
        assert "The cells behind the figures" not in [b.text for b in blocks(other)]


def test_level_names_can_be_left_out(given):
    anonymous = ReportInput(given.study, given.assessment, given.files, level_names=False)
    said = " ".join([*cells(blocks(anonymous)), *(i for b in blocks(anonymous) for i in b.items)])
    assert "Student" not in said
    assert "a level" in said
    assert "level 1" not in said


def test_scenarios_stand_side_by_side(given):
    limited = assess(
        given.study, Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(denominator_limit=1))
    )
    more = ReportInput(given.study, given.assessment, given.files, scenarios=[("Denominators of 1", limited)])
    (table,) = [b for b in blocks(more) if b.columns[:1] == ("Target",) and "With nothing excluded" in b.columns]
    assert table.columns == ("Target", "With nothing excluded", "Denominators of 1", "Judged")
    row = next(r for r in table.rows if r[0] == "marital")
    risk = limited.targets["marital"]
    assert row[2] == f"{risk.figures('Dorig').mean():.2f} / {risk.figures('DiSCO').mean():.2f}"


def test_nothing_left_out_is_said():
    data = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    study = Study(data, [data])
    plain = ReportInput(study, assess(study, Settings(keys=("k",))), [])
    text = text_of(pypdf.PdfReader(io.BytesIO(to_pdf(plain))))
    assert "Nothing was excluded from the figures." in text
    assert "No 1-way or 2-way flag was raised; that is not a pass." in text


def test_what_was_flagged_stays_on_record_when_it_is_left_out():
    study = demo.study()
    out = Exclusions(target_levels={"abroad": ["No"]})
    asked = Settings(keys=demo.KEYS, targets=("abroad", "bmi"), groups=demo.GROUPS, exclusions=out)
    given = ReportInput(study, assess(study, asked), [])
    said = " ".join(
        [*cells(blocks(given)), *(i for b in blocks(given) for i in b.items), *(b.text for b in blocks(given))]
    )
    assert (
        "Flagged before exclusions, perhaps common knowledge: abroad. After exclusions, no 1-way or 2-way flag; that is not a pass."
        in said
    )
    assert "After them, they raise no 1-way or 2-way flag." in said
    check = assess(study, replace(asked, exclusions=Exclusions())).targets["abroad"].one_way[0]
    (table,) = [b for b in blocks(given) if b.kind == "table" and b.text.startswith("1-way")]
    assert table.rows[0][:2] == ("abroad", "No")
    assert f"{check.n_disclosive_level:,}" in table.rows[0][3]


def test_its_tables_are_all_that_it_prints_of_figures(given):
    found = tables_of(given)
    printed = [b for b in takewhile(lambda b: b.text != "Definitions", blocks(given)) if b.kind == "table"]
    assert [f.columns.tolist() for f in found.values()] == [list(b.columns) for b in printed]
    assert [[*map(tuple, f.to_numpy())] for f in found.values()] == [[*b.rows] for b in printed]
    assert {"Identity", "Flags", "Flags 2"} <= found.keys()


def test_columns_of_figures_are_set_as_figures():
    out = {"exclusions": Exclusions(target_levels={"abroad": ["No"]}), "reasons": {"abroad": "x"}}
    review = replace(start_demonstration().review, holdout=Holdout("demonstration"), **out)
    printed = [b for b in blocks(report_input(open_review(review), Look(cells=True))) if b.kind == "table"]
    for b in printed:
        for i, (head, *cells_below) in enumerate(zip(b.columns, *b.rows, strict=True)):
            if all(re.fullmatch(r"−?\d[\d,]*(\.\d+)?", c) for c in cells_below) and head not in demo.original():
                assert i in b.figures, (b.text, head)
    (page1,) = [b for b in printed if b.marks]
    assert page1.figures == {*range(1, page1.result)}


def test_identity_and_exclusions_stand_as_they_were_found(given):
    found = given.assessment
    (identity,) = [b for b in blocks(given) if b.columns[:2] == ("", "UiO")]
    assert [row[0] for row in identity.rows] == [*(f"Synthesis {i}" for i in range(1, 6)), "Mean"]
    values = [*found.identity.to_numpy().tolist(), found.identity.mean().tolist()]
    assert [row[1:] for row in identity.rows] == [tuple(f"{v:.2f}" for v in row) for row in values]
    (table,) = [b for b in blocks(given) if b.columns[:2] == ("Target", "DiSCO before")]
    assert [row[0] for row in table.rows] == ["marital", "abroad", "bmi"]
    for row in table.rows:
        taken = sum(frame.loc["DiSCO"] for frame in found.targets[row[0]].exclusions) / 5
        shown = [float(cell.replace(",", "")) for cell in row[3:]]
        assert shown == pytest.approx(taken.tolist(), abs=0.051)
        assert sum(shown[:-1]) > 0
