"""What a review's report, workbook and JSON hold of the least safeguard: the frontier by the judged exclusions."""

# Inside: a point of the search is taken as the page Safeguards does.

import io
import json
from dataclasses import replace

import jsonschema
import openpyxl
import pytest

from disclosure_core import Exclusions, Hierarchy, Sought, least_safeguard, start_demonstration
from disclosure_core.report import blocks
from disclosure_core.results import catalogue
from disclosure_core.review import least
from tests.cli.test_manual import SCHEMA
from tests.core.test_report_strongest import texts
from tests.reports import Look, appendix, assemble
from tests.written import fixed, names_of_sheets, sheets


@pytest.fixture(scope="module")
def opened():
    """A search of two targets, and an exclusion without a reason, which acts on no judged figure."""
    first = start_demonstration()
    sought = Sought(("DiSCO<20",), {"age": Hierarchy.bands(5, 10)}, 10, ("abroad",))
    review = replace(
        first.review, targets=("abroad", "marital"), sought=sought, searched=frozenset({"least"}),
        exclusions=Exclusions(target_levels={"abroad": ["No"]}), reasons={},
    )  # fmt: skip
    return first.with_review(review)


@pytest.fixture(scope="module")
def judged(opened):
    """The frontier without any exclusion, counted beside the review."""
    settings = replace(opened.review.settings, exclusions=Exclusions())
    return least_safeguard(opened.study(), settings, ["DiSCO<20"], opened.review.sought.may)


@pytest.mark.slow
def test_all_that_leaves_the_page_is_by_the_judged_exclusions(opened, judged):
    assert opened.finished_least().points[0].figure != judged.points[0].figure  # on the page the exclusion acts
    shown = [(p.short, fixed(p.figure), fixed(p.detail_lost), fixed(p.removed)) for p in judged.points]
    (table,) = [b for b in appendix(assemble(opened, Look())) if b.kind == "table" and "Each chain discloses" in b.text]
    assert [(row[0], row[3], row[4], row[5]) for row in table.rows] == shown
    assert table.rows[0][1] == f"{judged.points[0].of}; {judged.points[0].knows}"
    assert [row[2] == "yes" for row in table.rows] == [p.reached for p in judged.points]
    figures = json.loads(opened.to_json())
    jsonschema.validate(figures, SCHEMA)
    assert [row["figure"] for row in figures["tables"]["least_safeguard"]] == [p.figure for p in judged.points]
    assert {judged.asked, judged.sentence, judged.promise} <= set(figures["notes"])
    made = openpyxl.load_workbook(io.BytesIO(opened.to_excel()))
    rows = list(made["least_safeguard"].iter_rows(values_only=True))
    assert [row[-1] for row in rows[-len(judged.points) :]] == [p.words for p in judged.points]
    about = {row[:2]: row[2] for row in made["about"].iter_rows(values_only=True)}
    assert about["least safeguard", "what was sought"] == judged.asked
    assert about["sheet", "least_safeguard"].startswith("Chains of safeguards")
    assert names_of_sheets(opened) == list(sheets(opened))
    plot = catalogue.figure(opened, "least-safeguard")
    assert plot.panels[0].curves[0].values == tuple(p.figure for p in judged.points)


def test_the_section_says_what_was_asked_and_which_chain_was_taken(opened, judged):
    taken = opened.with_review(least.with_point(opened.review, judged.points[1]))
    found = texts(appendix(assemble(taken, Look())))
    assert f"{judged.points[1].short} (variant 'variant 1')" in found
    assert judged.asked in found
    assert judged.asked == (
        "Aim: DiSCO of no target at or above 20 %. May be touched: age (5,10); at most 10 % of a synthesis removed; claims "
        "of abroad blanked."
    )


def test_the_sentence_names_the_column_that_loses_most_where_one_does(judged):
    assert {bool(point.column) for point in judged.points} == {False, True}
    for point in judged.points:
        most = f"; most in {point.column!r}, {fixed(point.largest, 1)} %" if point.column else ""
        said = replace(judged, points=(point,)).sentence
        assert said.endswith(f"; detail lost: {fixed(point.detail_lost, 1)} %{most}.")


def test_where_nothing_was_searched_there_is_no_section(opened):
    none = opened.with_review(replace(opened.review, searched=frozenset()))
    assert "The least safeguard" not in texts(appendix(assemble(none, Look())))
    assert "least_safeguard" not in names_of_sheets(none)
    assert catalogue.figure(none, "least-safeguard").why == "The least safeguard was not searched for."
    every = assemble(opened, Look(shareable=True))
    assert "least safeguard" not in " ".join(texts((*blocks(every), *appendix(every)))).lower()


def test_where_nothing_of_it_may_be_touched_any_more_it_is_said(opened):
    other = replace(opened.review, targets=("marital",), sought=replace(opened.review.sought, coarsen={}, remove=0))
    gone = opened.with_review(other)
    why = "Nothing may be touched; name a column to coarsen, a target to blank or a share."
    assert f"Not evaluated: {why}" in texts(appendix(assemble(gone, Look())))
    assert json.loads(gone.to_json())["tables"]["least_safeguard"][0]["not evaluated"] == why
