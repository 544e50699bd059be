"""The report: complete, accessible, the same figures in both forms, and no markup from the data."""

# Inside: ranges, names and counts in words, for numbers that no review has.

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import takewhile

import numpy as np
import pandas as pd
import pypdf
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    Limit,
    Limits,
    Pair,
    Scenario,
    Settings,
    Verdict,
    demo,
    demonstration_holdout,
    open_review,
    read_holdout,
    start_demonstration,
    start_tables,
)
from disclosure_core.figures import membership_keys, paper
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.report import Block, analyses, content, render, tables_of, to_pdf
from disclosure_core.report.page1 import FEWEST_ROWS, MOST_ROWS
from disclosure_core.report.pieces import counts, span
from disclosure_core.review.about import ABOUT, OFFICER
from disclosure_core.review.verdicts import judged
from tests.reports import Look, Report, assemble, blocks, named, report_of, still_open, to_html, ungrouped

MARKUP = [
    "#panic(1)", "$x^2$", "*bold*", "_it_", "<script>alert(1)</script>", "<b>b</b>", "\\section{x}", "#import \"x\"", "@ref",
    "`raw`", "[content]", "= heading", "// comment", "</table>", "\"quoted\"", "&amp;", "€", "#{sys}", "\\u{41}", "${7*7}",
]  # fmt: skip


@pytest.fixture(scope="module")
def given():
    out = Exclusions(
        target_levels={"abroad": ["No"]}, pairs={"marital": [Pair("age", "17", "Single")]}, missing_targets={"bmi"}
    )
    asked = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=out)
    files = [("people.csv", "ab" * 32), *((f"release_{i}.csv", "cd" * 32) for i in range(1, 6))]
    reasons = {"sex": "seen by everybody", "abroad": "nine in ten say so", "marital": "children", "bmi": "nobody asked"}
    about = {"Generator, version, seed": "synthpop 1.9-3, CART, seed 7", OFFICER: "A. Officer"}
    return report_of(
        named(start_demonstration(), *files), asked, reasons=reasons, review={"about": about},
        title="Release of the survey", date="20 November 2026",
    )  # fmt: skip


def again(given, **look):
    """Return the same report looking otherwise; a shareable one without groups, which it does not take."""
    opened = ungrouped(given.opened) if look.get("shareable") else given.opened
    return replace(given, opened=opened, look=replace(given.look, **look))


@pytest.fixture(scope="module")
def pdf(given):
    return pypdf.PdfReader(io.BytesIO(to_pdf(given)))


@pytest.fixture(scope="module")
def appendix(given):
    return pypdf.PdfReader(io.BytesIO(to_pdf(given, of_appendix=True)))


def text_of(*pdfs):
    return " ".join(" ".join(page.extract_text() for pdf in pdfs for page in pdf.pages).split())


def cells(found):
    return [c for b in found for row in b.rows for c in row]


@pytest.mark.slow
def test_it_is_as_long_as_a_panel_reads():
    """Ten targets, five syntheses, people outside, limits and verdicts: page 1 with the sign-off, and four pages."""
    opened = limited_demonstration()
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(to_pdf(assemble(opened, Look())))).pages]
    assert len(pages) <= 5
    assert "Date and signature" in pages[0]
    assert not any("Date and signature" in page for page in pages[1:])


def limited_demonstration():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    for target, verdict in (("household", "leak"), ("marital", "needs a safeguard"), ("abroad", "common knowledge")):
        opened = opened.with_review(judged(opened, [target], verdict, "The register has it.", "2026-11-23"))
    limits = Limits(*(Limit(20, 5, "the office") for _ in range(2)), Limit(None, 0.2, "the office"))
    return opened.with_review(replace(opened.review, limits=limits))


@pytest.mark.slow
def test_it_is_accessible(pdf):
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert pdf.metadata.title == "Release of the survey"
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert "Dorig and DiSCO for 10 targets" in str(every_alt(root["/StructTreeRoot"]))


@pytest.mark.slow
def test_every_row_of_a_table_has_a_head(pdf):
    rows = [
        row for body in elements(pdf.trailer["/Root"]["/StructTreeRoot"], "/TBody") for row in elements(body, "/TR")
    ]
    assert len(rows) > 30
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


@pytest.mark.slow
def test_the_axis_of_page_1_is_there_where_nothing_can_be_learnt():
    """Everybody has one key and each column both answers: nothing can be learnt of as many targets as page 1 has room for."""
    people = pd.DataFrame({"k": ["a"] * 60} | {f"t{i}": ["x", "y"] * 30 for i in range(MOST_ROWS)})
    opened = start_tables(people, {"one": [people]})
    opened = opened.with_holdout(*read_holdout("h.csv", people.to_csv(index=False).encode()))
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("k",))))
    (page1,) = [b for b in blocks(assemble(opened, Look())) if b.marks]
    assert {v for m in page1.marks if m for v in (m.original, m.members, m.outside)} == {0.0}
    assert page1.scale == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "limit"), [(4, None), (6, 2), (7, None), (13, 31), (31, 30), (61, 99), (100, None)])
def test_the_axis_of_page_1_reaches_every_mark_in_at_most_six_steps(share, limit):
    known, others = [("a", "x")] * (2 * share), [("b", "x"), ("b", "y")] * (100 - share)
    people = pd.DataFrame([*known, *others], columns=["k", "t"])
    opened = start_tables(people, {"one": [people]})
    opened = opened.with_holdout(*read_holdout("h.csv", people.to_csv(index=False).encode()))
    limits = Limits() if limit is None else Limits(disco=Limit(limit, 1))
    opened = opened.with_review(replace(opened.review.with_settings(Settings(keys=("k",))), limits=limits))
    (page1,) = [b for b in blocks(assemble(opened, Look())) if b.marks]
    marks = [
        v for m in page1.marks if m for v in (m.original, m.members, m.outside, m.before, m.limit) if v is not None
    ]
    largest = round(max(marks), 9)  # a share of people outside is 7.000000000000001
    assert largest == max(share, limit or 0)
    end, step = page1.scale
    assert end - step < largest <= end
    assert end / step in range(1, 7)
    assert all(largest > 6 * finer for finer in (1, 2, 5, 10) if finer < step)


@pytest.mark.slow
def test_lines_of_one_row_of_page_1_stand_nearer_than_those_of_two():
    """Names of many words fill several lines, and no row goes on over a page."""
    names = [f"first{i} second word after word of a name that goes on and on to the last{i}" for i in range(MOST_ROWS)]
    people = pd.DataFrame({"k": ["a", "b"] * 60} | {name: ["x", "y", "x"] * 40 for name in names})
    opened = start_tables(people, {"one": [people]})
    limits = Limits(disco=Limit(20, 5))
    opened = opened.with_review(replace(opened.review.with_settings(Settings(keys=("k",))), limits=limits))
    pages = pypdf.PdfReader(io.BytesIO(to_pdf(assemble(opened, Look())))).pages
    whole = 0
    for page in pages[:1]:
        lines: list[tuple[float, str]] = []
        page.extract_text(
            visitor_text=lambda text, _, at, *__, lines=lines: lines.append((at[5], text)) if text.strip() else None
        )
        lines = [*takewhile(lambda line: "Open points" not in line[1], lines)]
        begun = [k for k, (_, text) in enumerate(lines) if re.match(r"DiSCO of first\d+ ", text)]
        for k in begun:
            end = next(n for n in range(k, len(lines)) if re.search(r"last\d+$", lines[n][1]))
            inside = lines[k][0] - lines[k + 1][0]
            assert inside * (end - k) == pytest.approx(lines[k][0] - lines[end][0])
            if end + 1 in begun:
                assert lines[end][0] - lines[end + 1][0] > inside
            whole += 1
    assert FEWEST_ROWS <= whole < MOST_ROWS  # fewer than where names are short: the sign-off stands on the page


@pytest.mark.slow
@pytest.mark.parametrize(("n", "length"), [(1, 9), (10, 9), (26, 60), (60, 30)])
def test_page_1_is_one_page_with_open_points_and_sign_off_on_it(n, length):
    """Rows of concern come first; what has no room is counted, and the annex has it."""
    rng = np.random.default_rng(1)
    names = [f"t{i}_{'about_the_household ' * 4}"[:length] for i in range(n)]
    people = pd.DataFrame({"k": rng.choice([*"abcdefgh"], 300)} | {name: rng.choice(["x", "y"], 300) for name in names})
    people[names[0]] = people["k"].map(str.upper)
    opened = start_tables(people, {"one": [people, people[:200]]})
    whose = opened.first_set, opened.review.intruder
    verdicts = tuple(Verdict(*whose, name, "leak", "It is in no other file.") for name in names[:14])
    review = replace(
        opened.review.with_settings(Settings(keys=("k",))), limits=Limits(disco=Limit(20, 5)), verdicts=verdicts
    )  # fmt: skip
    given = assemble(opened.with_review(review), Look())
    first, second, *_ = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(to_pdf(given))).pages)
    for text in ("Disclosure by target", "Sign-off", "Decision (release, change, refuse)"):
        assert text in first
    assert re.search(r"^\d Open points$", first, re.MULTILINE)
    assert "\\xa0" not in first
    assert "Decision (release" not in second
    assert "Data assessed" in second or "All open points" in second
    shown = sum(line.startswith(("DiSCO of ", "DCAP of ")) for line in first.splitlines())
    assert min(n, FEWEST_ROWS) <= shown <= MOST_ROWS
    assert ("Not shown here: " in first) == (n > shown)
    assert "DiSCO of t0" in first
    assert still_open(given.opened)


@pytest.mark.slow
def test_where_all_is_answered_the_annex_names_what_the_figures_leave_open():
    rng = np.random.default_rng(1)
    names = [f"t{i}" for i in range(30)]
    original, one, two = (
        pd.DataFrame({"k": rng.choice([*"abcdefgh"], 300)} | {name: rng.choice(["x", "y"], 300) for name in names})
        for _ in range(3)
    )
    opened = start_tables(original, {"one": [one, two]})
    opened = opened.with_review(
        replace(
            opened.review.with_settings(Settings(keys=("k",))),
            limits=Limits(disco=Limit(20, 5, "the office", "a rule")),
            reasons={"k": "seen every day"},
            assumptions=dict.fromkeys(("all-synthetic", "one-row-one-person", "labelled"), "yes"),
            about=dict.fromkeys(ABOUT, "Not asked of this release"),
            released={"one": (1,)},
            scope=dict.fromkeys(("DCAP", "people-outside", "membership"), False),
        )
    )
    opened = opened.with_review(judged(opened, names, "acceptable"))
    assert not still_open(opened)
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(to_pdf(assemble(opened, Look())))).pages]
    assert "Nothing: every question is answered" in pages[0]
    assert "All open points" not in " ".join(pages)
    assert re.search(r"^3 What the figures leave open$", pages[1], re.MULTILINE)


@pytest.mark.slow
def test_only_a_result_stands_in_a_frame():
    def drawn(name):
        data = pd.DataFrame({"k": ["a", "b", "c"] * 40, name: ["x", "y"] * 60})
        pdf = to_pdf(report_of(start_tables(data, [data]), Settings(keys=("k",)), title="T"))
        steps = [op for page in pypdf.PdfReader(io.BytesIO(pdf)).pages for _, op in page.get_contents().operations]
        return [steps.count(op) for op in (b"f", b"f*", b"S")]

    assert drawn("above sea") == drawn("under sea")


@pytest.mark.parametrize(
    "part",
    [
        "people.csv", "release_5.csv", "abababababababab", "20 November 2026", "A. Officer", "seen by everybody",
        "no reason was given", "income in 20 groups", "income: -8", "abroad: level No. Reason: nine in ten say so",
        "age 17 with Single", "bmi: missing values", "Holdout baseline: not evaluated", "Membership: not evaluated",
        "synthpop 1.9-3, CART, seed 7", "not stated", "Subsets of the keys: not evaluated", "All records were used", "Sign-off", "Lower is safer", "Internal version",
    ],
)  # fmt: skip
def test_it_says_what_a_panel_asks(pdf, part):
    assert part in text_of(pdf)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["The steps of an intruder", "Release of the survey: appendix", "Internal version"])
def test_its_appendix_says_what_a_statistician_asks(appendix, part):
    assert part in text_of(appendix)


@pytest.mark.slow
def test_most_is_learnt_of_the_first_target_and_each_step_tells_how_many(given):
    (attributes,) = [b for b in blocks(given) if b.columns[:3] == ("Target", "Dorig", "DiSCO")]
    largest = [float(row[2]) for row in attributes.rows]
    assert largest == sorted(largest, reverse=True)
    (steps,) = [b for b in blocks(given) if b.columns[:2] == ("Target", "iS")]
    for name, *cells_of_row in steps.rows:
        figures = [given.assessment.targets[name].figures(m).mean() for m in ("iS", "DiS", "DiSCO", "DiSDiO")]
        assert cells_of_row == [f"{v:.2f} ({round(50 * v):,})" for v in figures]  # of 5,000


@pytest.mark.slow
def test_both_forms_say_the_same(given, pdf, appendix):
    class Text(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found = []

        def handle_data(self, data):
            self.found.append(data)

    parser = Text()
    parser.feed(to_html(given))
    said = " ".join(" ".join(parser.found).split())
    squeezed = re.sub(r"[\s\-\u00ad]", "", text_of(pdf, appendix))
    for block in blocks(given):
        for piece in (block.text, *block.items, *(c for row in block.rows for c in row)):
            assert " ".join(piece.split()) in said
            # Typst breaks lines, and words with a hyphen.
            assert re.sub(r"[\s\-\u00ad]", "", piece) in squeezed or len(piece) > 60


@pytest.mark.slow
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
    opened = start_tables(data, [data.iloc[::-1]] * (len(MARKUP) - 1))
    opened = named(opened, *((name, "ab" * 32) for name in MARKUP))
    asked = Settings(keys=("#key",), exclusions=Exclusions(target_levels={"$t$": [MARKUP[6]]}))
    reasons, review = {"#key": MARKUP[7], "$t$": MARKUP[4]}, {"about": {OFFICER: MARKUP[4]}}
    return report_of(opened, asked, reasons=reasons, review=review, title=MARKUP[0], date=MARKUP[2])


@pytest.mark.slow
def test_markup_in_names_is_text_in_the_pdf(hostile):
    squeezed = re.sub(r"\s", "", text_of(pypdf.PdfReader(io.BytesIO(to_pdf(hostile)))))
    for name in MARKUP:
        assert re.sub(r"\s", "", name) in squeezed, name


@pytest.mark.slow
def test_markup_in_names_is_text_in_the_html(hostile):
    html = to_html(hostile)
    assert "<script>" not in html
    assert "<b>b</b>" not in html
    assert html.count("</table>") == sum(b.kind == "table" for b in blocks(hostile))


@pytest.mark.slow
def test_a_shareable_report_shows_no_small_count(given):
    shareable = again(given, shareable=True, smallest=25)
    shown = cells(blocks(shareable))
    assert any(c.startswith("≤ 0.50") for c in shown)  # 25 of 5,000
    bracketed = [n.replace(",", "") for cell in shown for n in re.findall(r"\((?:≤ )?([\d,]+)\)", cell)]
    assert len(bracketed) == 15
    assert all(int(n) % 25 == 0 and int(n) > 0 for n in bracketed)
    assert "Shareable version" in " ".join(i for b in blocks(shareable) for i in b.items)


@pytest.mark.slow
def test_cells_are_listed_for_the_office_only(given):
    risk = given.assessment.targets["marital"]
    chosen = again(given, cells=True)
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
    assert "The cells behind the figures" in text_of(pypdf.PdfReader(io.BytesIO(to_pdf(chosen, of_appendix=True))))
    for other in (given, again(given, cells=True, shareable=True)):
        assert "The cells behind the figures" not in [b.text for b in blocks(other)]


@pytest.mark.slow
def test_level_names_can_be_left_out(given):
    anonymous = again(given, shareable=True, level_names=False)
    said = " ".join([*cells(blocks(anonymous)), *(i for b in blocks(anonymous) for i in b.items)])
    assert "Student" not in said
    assert "a level" in said
    assert "level 1" not in said


def test_scenarios_stand_side_by_side(given):
    scenario = Scenario("Denominators of 1", Exclusions(denominator_limit=1))
    limited = given.opened.assessment(scenario.exclusions)
    table = scenarios_of(given, scenario)[0]
    heads = ("With nothing excluded", "Denominators of 1", "With what is excluded")
    assert table.columns == ("Target", *(f"{head} · {m}" for head in heads for m in ("Dorig", "DiSCO")))
    row = next(r for r in table.rows if r[0] == "marital")
    risk = limited.targets["marital"]
    assert row[3:5] == (f"{risk.figures('Dorig').mean():.2f}", f"{risk.figures('DiSCO').mean():.2f}")


def test_flags_are_listed_by_target_with_lift_and_without_what_is_excluded():
    marital = Pair("age", "16", "Single")
    out = Exclusions(target_levels={"abroad": ["No"]}, pairs={"marital": [marital]})
    reasons = {"abroad = No": "x", "age = 16, marital = Single": "x"}
    opened = start_demonstration()
    for excluded in (Exclusions(), out):
        review = replace(opened.review, exclusions=excluded, reasons=reasons)
        found = blocks(assemble(opened.with_review(review), Look()))
        table, *_ = [b for b in found if b.kind == "table" and b.text.startswith("2-way")]
        targets = [row[0] for row in table.rows]
        assert max(map(targets.count, targets)) <= 3
        assert len(set(targets)) > 1
        assert all(float(row[7]) >= 1.05 for row in table.rows)
        named = {(row[1], row[2]) for row in table.rows if row[0] == "marital"}
        assert (("age 16", "Single") in named) == (excluded == Exclusions())
        assert not [row for row in table.rows if row[0] == "abroad" and row[2] == "No" and excluded != Exclusions()]


@pytest.mark.slow
def test_its_tables_are_all_that_it_prints_of_figures(given):
    found = tables_of(given)
    printed = [b for b in takewhile(lambda b: b.text != "Definitions", blocks(given)) if b.kind == "table"]
    assert [f.columns.tolist() for f in found.values()] == [list(b.columns) for b in printed]
    assert [[*map(tuple, f.to_numpy())] for f in found.values()] == [[*b.rows] for b in printed]
    assert {"Identity", "Flags", "Flags 2"} <= found.keys()


@pytest.mark.slow
def test_columns_of_figures_are_set_as_figures():
    out = {"exclusions": Exclusions(target_levels={"abroad": ["No"]}), "reasons": {"abroad": "x"}}
    review = replace(start_demonstration().review, holdout=Holdout("demonstration"), **out)
    printed = [b for b in blocks(assemble(open_review(review), Look(cells=True))) if b.kind == "table"]
    for b in printed:
        for i, (head, *cells_below) in enumerate(zip(b.columns, *b.rows, strict=True)):
            if all(re.fullmatch(r"−?\d[\d,]*(\.\d+)?", c) for c in cells_below) and head not in demo.original():
                assert i in b.figures, (b.text, head)
    (page1,) = [b for b in printed if b.marks]
    assert page1.figures == {*range(1, page1.result)}


@pytest.mark.slow
def test_identity_and_exclusions_stand_as_they_were_found(given):
    found = given.assessment
    identity = [row for b in blocks(given) if b.columns[:2] == ("", "UiO") for row in b.rows]
    assert [row[0] for row in identity] == [
        "Mean",
        "SD",
        "Smallest",
        "Largest",
        *(f"Synthesis {i}" for i in range(1, 6)),
    ]
    values = [
        getattr(found.identity, name)().tolist() for name in ("mean", "std", "min", "max")
    ] + found.identity.to_numpy().tolist()
    assert [row[1:] for row in identity] == [tuple(f"{v:.2f}" for v in row) for row in values]
    (table,) = [b for b in blocks(given) if b.columns[:2] == ("Target", "DiSCO before")]
    assert [row[0] for row in table.rows] == ["marital", "abroad", "bmi"]
    for row in table.rows:
        taken = sum(frame.loc["DiSCO"] for frame in found.targets[row[0]].exclusions) / 5
        shown = [float(cell.replace(",", "")) for cell in row[3:]]
        assert shown == pytest.approx(taken.tolist(), abs=0.051)
        assert sum(shown[:-1]) > 0


@pytest.mark.slow
def test_an_internal_report_names_levels_whatever_is_asked(given):
    """Whether levels are named is a question of a shareable report alone."""
    named, asked = (list(map(said, blocks(again(given, level_names=names)))) for names in (True, False))
    assert named == asked
    assert "Student" in " ".join(asked)


def said(block):
    return " ".join([block.text, *block.items, *(c for row in block.rows for c in row)])


def scenarios_of(given, *scenarios):
    """The tables that the appendix has of scenarios: of the targets, and last of what each excludes."""
    opened = given.opened.with_review(replace(given.review, scenarios=scenarios))
    found = content.appendix(analyses.with_analyses(Report(opened), opened))
    at = next(i for i, b in enumerate(found) if b.text == "Scenarios side by side")
    end = next(i for i, b in enumerate(found) if i > at and b.kind != "table")
    return found[at + 1 : end]


def test_a_scenario_stands_once_with_the_levels_it_excludes(given):
    """Scenarios with the exclusions of ours take their column; no table of one scenario is left over."""
    same = Scenario("As judged", given.assessment.left_out)
    others = [Scenario(f"At most {i}", Exclusions(denominator_limit=i)) for i in (2, 3, 4, 5)]
    *tables, keys = scenarios_of(given, Scenario("None", Exclusions()), same, *others)
    assert [[name.split(" · ")[0] for name in t.columns[1::2]] for t in tables] == [
        ["None", "As judged", "At most 2"], ["At most 3", "At most 4", "At most 5"],
    ]  # fmt: skip
    excluded = {row[0]: row[1] for row in keys.rows}
    assert "“No” of abroad" in excluded["As judged"]
    assert "age “17” with “Single” of marital" in excluded["As judged"]
    assert excluded["None"] == "nothing"


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ({"missing_targets": {"income", "bmi"}}, "missing bmi and income"),
        ({"missing_targets": set(demo.targets())}, "missing values of every target"),
        ({"missing_keys": {"age"}}, "missing age (key)"),
        ({"missing_keys": set(demo.KEYS)}, "missing values of every key"),
        ({"target_levels": {"abroad": ["No"]}}, "“No” of abroad"),
        ({"denominator_limit": 9}, "cells of more than 9 records"),
    ],
)
def test_what_a_scenario_excludes_is_said(given, out, said):
    *_, keys = scenarios_of(given, Scenario("Another", Exclusions(**out)))
    assert ("Another", said) in [row[:2] for row in keys.rows]


def test_a_scenario_may_be_called_as_what_stands_beside_it(given):
    *_, keys = scenarios_of(given, Scenario("With nothing excluded", Exclusions(denominator_limit=2)))
    assert [row[:2] for row in keys.rows][:2] == [
        ("With nothing excluded now", "nothing"), ("With nothing excluded", "cells of more than 2 records"),
    ]  # fmt: skip


def test_a_figure_taller_than_a_page_goes_on_in_a_second_and_no_row_is_lost(given, monkeypatch):
    """Each part has room on a page with its caption, and says which part it is."""
    names = tuple(f"key number {i} of many" for i in range(90))
    plot = GrowthPlot(names, (("UiO", tuple(range(90))), ("repU", tuple(x / 2 for x in range(90)))), 1_000)
    block = Block("figure", "As keys are added.", plot=plot)
    low = Block("figure", "Of few keys.", plot=plot.part(0, 3))
    monkeypatch.setattr(render, "appendix", lambda _: (low, block))
    whole, *parts = render._blocks(given, None, of_appendix=True)
    assert (whole.text, len(parts) > 1) == ("Of few keys.", True)
    assert [part.text for part in parts] == [
        f"As keys are added. Part {i} of {len(parts)}, on one axis." for i in range(1, len(parts) + 1)
    ]
    assert [name for part in parts for name in part.plot.steps] == list(names)
    assert not any(part.plot.more for part in parts)
    for part in parts:
        svg = render._image(part, typst=True)
        assert paper.height(svg) * render._width(part, svg) / 100 * 174 / 85 <= 240 + 0.1  # A4 with margins and caption


@pytest.mark.parametrize(
    ("values", "written"),
    [([51.0, 7.0], ["51", "7"]), ([51.2, 7.0], ["51.2", "7.0"]), ([1234.0], ["1,234"]), ([], [])],
)
def test_a_count_has_a_decimal_only_where_it_is_a_mean_that_is_not_whole(values, written):
    assert counts(values) == written


def test_a_column_is_as_wide_as_its_longest_text_between_two_ends():
    rows = (("a name of some length", "1.00", "x" * 90), ("b", "22.00", ""))
    assert render._widths(Block("table", columns=("Target", "DiSCO", "Why"), rows=rows)) == [25, 10, 40]
    heads = ("Target", "of a head of 24 letters.")  # is bold: a letter more for each eight
    assert render._widths(Block("table", columns=heads, rows=(("t", "1"),))) == [10, 29]


def test_a_range_of_one_value_is_that_value():
    assert (span("16.84", "16.84"), span("16.84", "17.00")) == ("16.84", "16.84 to 17.00")


def test_a_small_score_is_told_with_two_significant_digits():
    frame = pd.DataFrame({"n_keys": [1, 2], "mean": [0.0004, 0.0018], "min": [0.0, 0.001], "max": [0.001, 0.002]})
    assert "F from 0.00040 to 0.0018" in membership_keys.describe(frame, "F").sentence
