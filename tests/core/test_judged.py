"""One judged figure on every way out (decisions/review.md): the same wherever it stands, else not evaluated."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import jsonschema
import openpyxl
import pytest
from click.testing import CliRunner

from disclosure_core.cli.commands import main
from disclosure_core.conclusions.reconciliation import Found, equal, faults
from disclosure_core.counting.settings import Exclusions, Pair
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.export.as_json import to_json
from disclosure_core.export.tables import of_review
from disclosure_core.export.workbook import workbook
from disclosure_core.report.answer import answer
from disclosure_core.report.assembled import assemble
from disclosure_core.report.source import Look
from disclosure_core.results import catalogue
from disclosure_core.review import opened as rooms
from disclosure_core.review import reconciled, saved
from disclosure_core.review.opening import open_review, start_demonstration
from disclosure_core.review.parts import Holdout
from disclosure_core.rounding import fixed
from tests.reports import blocks

SCHEMA = Path(__file__).parents[2] / "docs" / "figures.schema.json"
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
    plain = json.loads(to_json(opened))
    assert {r["target"]: r["members"] for r in plain["answer"]["rows"] if r["measure"] == "DiSCO"} == pytest.approx(
        judged
    )
    assert plain["settings"]["exclusions"]["target_levels"] == {"marital": ["Widowed"]}
    assert len(plain["excluded_without_reason"]) == 3
    rows = list(openpyxl.load_workbook(BytesIO(workbook(opened)))["answer"].iter_rows(values_only=True))
    assert {r[0].removeprefix("DiSCO of "): r[1] for r in rows[1:] if str(r[0]).startswith("DiSCO")} == pytest.approx(
        judged
    )


def test_the_command_line_prints_and_judges_the_same(opened, tmp_path):
    review = tmp_path / "review.json"
    review.write_text(saved.to_json(opened.review))
    judged = disco(opened, Exclusions(target_levels={"marital": ("Widowed",)}))["marital"]
    every = disco(opened, OUT)["marital"]
    above = [f"DiSCO[marital]>{(judged + every) / 2:.4f}"]
    done = CliRunner().invoke(main, ["run", str(review), *(x for c in above for x in ("--fail-if", c))])
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


def planted(monkeypatch, path):
    """Let one of the paths give another figure of marital than all others."""

    def moved(make):
        def made(*arguments):
            for each in make(*arguments):
                yield each._replace(value=each.value + 0.01) if (each.target, each.path) == ("marital", path) else each

        return made

    for name in ("_of_targets", "_before", "of_baseline"):
        monkeypatch.setattr(reconciled, name, moved(getattr(reconciled, name)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "its cells", "its exclusions added up", "the members beside the holdout", "its claims that are right",
        "its parts added up", "its interval",
    ],
)  # fmt: skip
def test_a_planted_fault_is_seen_and_said(monkeypatch, path):
    planted(monkeypatch, path)
    found = open_demonstration()
    (why,) = found.judged.unreconciled().values()
    assert "“marital” is " in why
    assert path in why
    rows = {(r.measure, r.target): r for r in answer(found).rows}
    assert {str(r.outcome) for (_, t), r in rows.items() if t == "marital"} == {"not evaluated"}
    assert {r.why for (_, t), r in rows.items() if t == "marital"} == {why}
    said = list(blocks(assemble(found, Look())))
    (attributes,) = [b for b in said if b.columns[:3] == ("Target", "Dorig", "DiSCO")]
    assert "marital" not in cells_of(attributes, "DiSCO")
    assert [i for b in said for i in b.items if i == f"Not evaluated. {why}"]
    plain = json.loads(to_json(found))
    assert plain["not_evaluated"] == {"marital": why}
    assert None in {row["members"] for row in plain["answer"]["rows"]}
    jsonschema.validate(plain, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert "marital" not in set(of_review(found)["attribute"]["target"])
    with pytest.raises(DisclosureError, match="marital"):
        catalogue.figure(found, "steps", "marital")


@pytest.mark.slow
def test_the_exit_says_so(monkeypatch, tmp_path):
    planted(monkeypatch, "its cells")
    review = tmp_path / "review.json"
    review.write_text(saved.to_json(open_demonstration().review))
    done = CliRunner().invoke(main, ["run", str(review)])
    assert done.exit_code == 1
    assert "none of its figures is evaluated" in done.stderr
    assert "marital" not in done.stdout.partition("Attributes")[2].partition("Verdicts")[0]


def test_a_baseline_under_other_exclusions_is_seen(monkeypatch):
    """The fault that there was: the section on people outside under another set of exclusions than the assessment."""
    found = open_demonstration()
    other = found.with_review(replace(found.review, exclusions=OUT)).attribute_baseline()
    monkeypatch.setattr(rooms.Opened, "attribute_baseline", lambda *_: other)
    assert set(found.unreconciled()) == {"abroad", "income", "marital"}


def test_equal_means_equal():
    nan = float("nan")
    assert equal(nan, nan)
    assert not equal(nan, 0.0)
    assert equal(0.1 + 0.2, 0.3)
    assert not equal(1.0, 1.001)
    assert faults([Found("t", "DiSCO", "a", 1), Found("t", "DCAP", "b", 2), Found("u", "DiSCO", "b", 2)]) == {}
    (said,) = faults([Found("t", "DiSCO", "a", 1.0), Found("t", "DiSCO", "b", 1.00001)]).values()
    assert said == "DiSCO of “t” is 1.000000 by a and 1.000010 by b: none of its figures is evaluated."
    (said,) = faults([Found("t", "DiSCO", "a", 0.5), Found("t", "DiSCO", "b", 0.500000002)]).values()
    assert "is 0.500000000 by a and 0.500000002 by b" in said
