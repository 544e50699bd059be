"""The evidence file: each figure is where its pointer says, and it is complete only where nothing is open."""

# Inside: what regulators ask, each with its standing, without the file.

import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
from referencing import Registry, Resource

from disclosure_core import DisclosureError, KeySet, Limit, Limits, start_tables
from disclosure_core.export.verified import verify
from disclosure_core.report import content
from disclosure_core.report.regulators import ASKED, NOT_COVERED, requirements
from disclosure_core.review import about as of_release
from disclosure_core.review.assumptions import QUESTIONS
from tests.reports import Look, answer, assemble, ungrouped
from tests.slow.test_report_read_back import ANSWERED, STATES, WIDE, opened_in
from tests.written import fixed, to_evidence

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA, FIGURES = (json.loads((DOCS / f"{n}.schema.json").read_text(encoding="utf-8")) for n in ("evidence", "figures"))
VALIDATOR = jsonschema.Draft202012Validator(
    SCHEMA, registry=Registry().with_resource("figures.schema.json", Resource.from_contents(FIGURES))
)
FRAME = pd.DataFrame({"k": list("aabbc") * 4, "t": list("xyxyz") * 4})


def small(**more):
    opened = start_tables(FRAME, [FRAME[::-1]])
    return opened.with_review(replace(opened.review, intruders=(KeySet("an intruder", ("k",)),), **more))


def found(document, pointer):
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def standings(opened):
    return {r.name: r.standing for r in requirements(opened)}


@pytest.mark.parametrize(
    "state",
    [pytest.param(name, marks=[pytest.mark.slow] * (name != "membership refused")) for name in STATES],
)
def test_each_pointer_finds_its_figure_and_the_schema_holds(state):
    opened = opened_in(STATES[state])
    document = json.loads(to_evidence(opened))
    VALIDATOR.validate(document)
    assert [r["name"] for r in document["requirements"]] == list(ASKED)
    for r in document["requirements"]:
        for figure in r["figures"]:
            assert found(document, figure["pointer"]) == figure["value"]
        assert r["figures"] or r["stated"] or r["open"] or r["not_covered"], r["name"]
        assert (r["standing"] == "open") is bool(r["open"])
    assert document["complete"] is (not document["open"])


@pytest.mark.slow
def test_the_largest_is_named_and_what_is_searched_is_there():
    opened = opened_in(STATES["all searched"])
    document = json.loads(to_evidence(opened))
    by_name = {r["name"]: {f["measure"]: f for f in r["figures"]} for r in document["requirements"]}
    rows = [r for r in document["figures"]["answer"]["rows"] if r["measure"] == "DiSCO"]
    assert by_name["Inference"]["largest DiSCO"]["value"] == max(r["members"] for r in rows)
    assert by_name["R9"]["largest difference in DiSCO"]["value"] == max(r["difference"] for r in rows)
    worst = max(row["DiSCO"] for row in document["figures"]["tables"]["subsets_attribute"])
    assert by_name["R1"]["DiSCO"]["value"] == worst
    assert by_name["R6"]["F_rel"]["value"] == document["figures"]["answer"]["membership"]["F_rel"]


@pytest.mark.slow
def test_a_search_that_stopped_early_leaves_its_requirements_open():
    asked = {"limits": WIDE, "intruders": (KeySet("an intruder", ("sex", "age", "employment", "region")),)}
    whole = opened_in(STATES["all searched"] | asked)
    known = tuple(replace(keys, bounds=replace(keys.bounds, subsets=3)) for keys in whole.review.intruders)
    cut = whole.with_review(replace(whole.review, intruders=known))
    for opened, standing in ((whole, "answered"), (cut, "open")):
        assert opened.membership().complete is (opened is whole)
        assert standings(opened)["R6"] == standing
        said = [each for r in requirements(opened) if r.name == "R1" for each in r.open]
        assert any("subsets searched" in each for each in said) is (opened is cut)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["all searched", "as it comes"])
def test_the_appendix_has_each_requirement_and_the_sections_it_names_are_there(state):
    opened = opened_in(STATES[state])
    source = assemble(opened, Look())
    appendix = content.appendix(source)
    headings = {b.text for b in (*content.blocks(source), *appendix) if b.kind == "heading"}
    table = next(b for b in appendix if b.columns[:1] == ("Requirement",))
    asked = requirements(opened)
    assert [row[0] for row in table.rows] == list(ASKED)
    assert [row[2] for row in table.rows] == [r.standing for r in asked]
    assert {where for r in asked if r.standing != "open" for where in r.where} <= headings
    printed = {row[0]: row[3] for row in table.rows}
    assert f"repU: {fixed(answer(opened).screening.members)} % of original records" in printed["Singling out"]
    shared = content.appendix(assemble(ungrouped(opened), Look(shareable=True)))
    (table,) = [b for b in shared if b.columns[:1] == ("Requirement",)]
    assert table.columns == ("Requirement", "What it asks")  # no figure, and so nothing to protect


def test_what_nobody_answered_is_open_and_what_was_refused_is_not():
    open_ = standings(small())
    assert {open_[name] for name in ("Inference", "R1", "R5", "R6", "R7", "R8", "R9", "R10", "R11")} == {"open"}
    assert open_["R2"] == "not covered"  # of one synthesis nothing can be said of its generator
    refused = standings(opened_in(STATES["membership refused"]))
    assert (refused["R5"], refused["R6"], refused["R7"]) == ("answered", "not covered", "not covered")
    said = {of_release.GROUP_HARM: "none seen", of_release.PRIVACY_BUDGET: "none"}
    limits = Limits(Limit(10, 2, "our board", "as ever"), Limit(10, 2, "our board", "as ever"))
    stated = standings(small(about=said, limits=limits))
    assert (stated["R8"], stated["R11"]) == ("answered", "answered")
    assert stated["R10"] == "open"  # a difference needs people outside


def test_complete_is_refused_while_one_is_open():
    opened = small()
    document = json.loads(to_evidence(opened))
    assert document["complete"] is False
    assert not verify(opened, json.dumps(document)).differ
    lie = document | {"complete": True}
    assert not VALIDATOR.is_valid(lie)
    with pytest.raises(DisclosureError, match="says that it is complete, yet this is open: "):
        verify(opened, json.dumps(lie))
    closed = [r | {"open": [], "standing": "answered"} for r in document["requirements"]]
    hidden = lie | {"open": [], "requirements": closed}
    assert VALIDATOR.is_valid(hidden)  # nothing in the file tells it; the review itself does
    with pytest.raises(DisclosureError, match="yet this is open: Singling out: In the population: "):
        verify(opened, json.dumps(hidden))


@pytest.mark.slow
def test_complete_is_true_where_nothing_is_open():
    owner = ("our board", "as ever")
    state = {
        **STATES["all searched"], "targets": ("abroad",), "assumptions": {q.name: "yes" for q in QUESTIONS},
        "about": dict.fromkeys(of_release.ABOUT, "so"), "released": {"synthetic data": (2,)},
        "threat_model": replace(ANSWERED, training_alone=True),
        "limits": Limits(Limit(99, 99, *owner), Limit(99, 99, *owner), Limit(relative=0.9, owner="our board", reason="so")),
        "intruders": (KeySet("an intruder", ("sex", "age", "employment"), "a neighbour"),), "given": ("abroad", "acceptable"),
    }  # fmt: skip
    opened = opened_in(state)
    document = json.loads(to_evidence(opened))
    assert document["open"] == []
    assert document["complete"] is True
    VALIDATOR.validate(document)
    assert not verify(opened, json.dumps(document)).differ
    unsearched = opened.with_review(replace(opened.review, searched=frozenset({"membership"})))
    assert json.loads(to_evidence(unsearched))["open"] == ["R1: Subsets of the keys were not searched."]


def test_a_figure_that_is_not_where_it_points_is_named():
    opened = small()
    document = json.loads(to_evidence(opened))
    figure = next(f for r in document["requirements"] for f in r["figures"])
    figure["value"] += 1
    with pytest.raises(DisclosureError, match=f"for {figure['measure']}, and {figure['pointer']} does not"):
        verify(opened, json.dumps(document))
    figure["pointer"] = "/figures/tables/identity/99/repU"
    with pytest.raises(DisclosureError, match="identity/99/repU does not"):
        verify(opened, json.dumps(document))
    for broken in ([3], [{"figures": 3}], 7, [{"figures": [{}], "open": []}]):
        with pytest.raises(DisclosureError, match="This is no file of evidence; give one that --evidence wrote."):
            verify(opened, json.dumps(document | {"requirements": broken}))


def test_a_figure_of_evidence_is_counted_again():
    opened = small()
    document = json.loads(to_evidence(opened))
    document["figures"]["tables"]["identity"][0]["UiO"] += 1
    assert [d.figure for d in verify(opened, json.dumps(document)).differ] == ["UiO of identity (1)"]
    assert json.loads(to_evidence(opened))["counted_again"] is None
    line = opened.verify().line
    assert json.loads(to_evidence(opened))["counted_again"] == line


def test_the_manual_has_the_same_requirements():
    text = (DOCS / "regulators.md").read_text(encoding="utf-8")
    table, _, rest = text.partition("<!-- requirements -->")[2].partition("<!-- not covered -->")
    asked = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", table, re.MULTILINE)
    assert asked[1:] == [(name, asks) for name, (_, asks) in ASKED.items()]
    assert tuple(re.findall(r"^\| (.+?) \| (.+?) \|$", rest, re.MULTILINE)[1:]) == NOT_COVERED
