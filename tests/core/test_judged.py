"""One judged figure on every way out (decisions/review.md): the same wherever it stands."""

import json
from dataclasses import replace
from io import BytesIO

import openpyxl
import pytest

from disclosure_core import Exclusions, Holdout, NotEvaluated, Pair, open_review, start_demonstration
from disclosure_core.holdout import baseline
from disclosure_core.results import catalogue
from tests import saved
from tests.commands import disclosure
from tests.reports import Look, answer, assemble, blocks
from tests.written import fixed, of_review

OUT = Exclusions(
    target_levels={"abroad": ("No",), "marital": ("Widowed",)},
    pairs={"marital": (Pair("age", "17", "Single"),)},
    missing_targets=frozenset({"income"}),
)
WHY = {"marital = Widowed": "seen by everybody"}
"""Of four exclusions one has a reason, and another one of the same target has none."""


def open_demonstration():
    targets = ("abroad", "marital", "income", "settlement")
    review = start_demonstration().review
    return open_review(replace(review, targets=targets, holdout=Holdout("demonstration")))


@pytest.fixture(scope="module")
def opened():
    found = open_demonstration()
    return found.with_review(replace(found.review, exclusions=OUT, reasons=WHY))


def cells_of(block, column):
    """The figures of one column, as printed, by the first cell of the row."""
    at = block.columns.index(column)
    return {row[0]: row[at] for row in block.rows}


def disco(found, exclusions):
    return {t: float(risk.figures("DiSCO").mean()) for t, risk in found.assessment(exclusions).targets.items()}


@pytest.mark.slow
def test_one_figure_stands_everywhere(opened):
    judged = disco(opened, Exclusions(target_levels={"marital": ("Widowed",)}))
    nothing, everything = disco(opened, Exclusions()), disco(opened, OUT)
    assert len({round(d["marital"], 2) for d in (judged, nothing, everything)}) == 3
    assert judged["abroad"] == nothing["abroad"] != everything["abroad"]

    said = list(blocks(assemble(opened, Look())))
    tables = [b for b in said if b.kind == "table"]
    (page1,) = [b for b in tables if b.columns[:1] == ("Measure and target",)]
    ones = {
        t.removeprefix("DiSCO of ").split(" · ")[0]: x for t, x in cells_of(page1, "members, %").items() if "DiSCO" in t
    }
    assert ones == {t: fixed(judged[t], 1) for t in ones}
    (attributes,) = [b for b in tables if b.columns[:3] == ("Target", "Dorig", "DiSCO")]
    assert cells_of(attributes, "DiSCO") == {t: fixed(x) for t, x in judged.items()}
    outside = [b for b in tables if b.text.startswith("DiSCO of each target")]
    assert len(outside) == 2  # in the report, and in its appendix
    for each in outside:
        members = {t: x for t, x in cells_of(each, "Members").items() if not t.startswith("repU")}
        assert members == {t: fixed(judged[t]) for t in members}
        assert len(members) > 1
    (three,) = [b for b in tables if "With all that is excluded" in b.columns and b.text.startswith("DiSCO in %")]
    (beside,) = [b for b in tables if "With what is excluded · DiSCO" in b.columns]
    for column, figures in (
        ("With nothing excluded", nothing),
        ("Judged", judged),
        ("With all that is excluded", everything),
    ):
        assert cells_of(three, column) == {t: fixed(figures[t]) for t in ("abroad", "income", "marital")}
    for column, figures in (("With nothing excluded", nothing), ("With what is excluded", judged)):
        assert cells_of(beside, f"{column} · DiSCO") == {t: fixed(x) for t, x in figures.items()}
    (effect,) = [b for b in tables if "DiSCO after" in b.columns]
    assert cells_of(effect, "DiSCO after") == {"marital": fixed(judged["marital"])}

    made = of_review(opened)
    means = made["attribute"].groupby("target")["DiSCO"].mean()
    assert means.to_dict() == pytest.approx(judged, abs=1e-12)
    assert dict(made["summary_all_excluded"][["target", "synthetic"]].to_numpy()) == pytest.approx(everything)
    members = made["holdout"].query("synthesis == 0 and measure == 'DiSCO'").set_index("target")["members"]
    assert members.to_dict() == pytest.approx(judged, abs=1e-9)
    for plot in (catalogue.figure(opened, "dorig-disco"), catalogue.figure(opened, "members-outside-disco")):
        assert not isinstance(plot, NotEvaluated)
    plain = json.loads(opened.to_json())
    assert {r["target"]: r["members"] for r in plain["answer"]["rows"] if r["measure"] == "DiSCO"} == pytest.approx(
        judged
    )
    assert plain["settings"]["exclusions"]["target_levels"] == {"marital": ["Widowed"]}
    assert len(plain["excluded_without_reason"]) == 3
    rows = list(openpyxl.load_workbook(BytesIO(opened.to_excel()))["answer"].iter_rows(values_only=True))
    assert {r[0].removeprefix("DiSCO of "): r[1] for r in rows[1:] if str(r[0]).startswith("DiSCO")} == pytest.approx(
        judged
    )


def test_the_command_line_prints_and_judges_the_same(opened, tmp_path):
    review = tmp_path / "review.json"
    review.write_text(saved.to_json(opened.review))
    judged = disco(opened, Exclusions(target_levels={"marital": ("Widowed",)}))["marital"]
    every = disco(opened, OUT)["marital"]
    above = [f"DiSCO[marital]>{(judged + every) / 2:.4f}"]
    done = disclosure("run", str(review), *(x for c in above for x in ("--fail-if", c)))
    assert done.exit_code == 1
    first, _, second = done.stdout.partition("With all that is excluded")
    assert f" {fixed(judged)} " in first
    assert f" {fixed(every)} " in second
    assert "3 exclusions have no reason" in done.stderr


@pytest.mark.slow
def test_with_a_reason_for_each_nothing_stands_beside(opened):
    whole = opened.with_review(replace(opened.review, reasons=WHY | {"marital": "a", "abroad": "b", "income": "c"}))
    assert whole.judged is whole
    assert whole.not_judged == ()
    assert "summary_all_excluded" not in of_review(whole)
    said = [b for b in blocks(assemble(whole, Look())) if b.kind == "table"]
    assert not [b for b in said if "With all that is excluded" in b.columns]


def under_other_exclusions(joined, asked, kept):
    return MADE(joined, replace(asked, exclusions=OUT), kept)


def with_another_gain(joined, asked, kept):
    found = MADE(joined, asked, kept)
    return replace(found, context=found.context.assign(gain=found.context["gain"] + 0.01))


MADE = baseline.attribute_baseline


@pytest.mark.parametrize(
    ("planted", "figure"),
    [(under_other_exclusions, "DiSCO of 'marital'"), (with_another_gain, "gain over chance of 'settlement'")],
)
def test_members_beside_people_outside_are_those_of_the_assessment(monkeypatch, planted, figure):
    """The one figure that is counted twice; the section on people outside had another set of exclusions once."""
    monkeypatch.setattr(baseline, "attribute_baseline", planted)
    found = open_demonstration()
    why = found.attribute_baseline()
    assert why.why == f"Members' {figure} beside the holdout is not that of the assessment."
    assert {r.judged.outside for r in answer(found).rows} == {None}
    assert of_review(found)["holdout"]["not evaluated"].tolist() == [why.why]
