"""Every further result, whatever it is: its channels agree, the second counter finds it again, and none is stale."""

# Inside: the parameters of a result as a page asks for them, and what evidence refuses.

import json
from dataclasses import replace
from functools import cache

import jsonschema
import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Holdout,
    NotEvaluated,
    Opened,
    Review,
    Scenario,
    Settings,
    demo,
    demonstration_holdout,
    open_review,
    start_demonstration,
)
from disclosure_core.export.evidence import check
from disclosure_core.report import blocks
from disclosure_core.results import RESULTS, TABLES, Anonymity, NearMisses, Population, Scenarios, Tau, named, schema
from disclosure_core.review.inputs import Inputs
from disclosure_core.review.parts import Analysis
from disclosure_core.review.results import Results
from docs import make_schema
from tests.cli.test_manual import SCHEMA
from tests.commands import condition, disclosure
from tests.core.test_verify import counted
from tests.reports import Look, appendix, assemble
from tests.saved import from_json, to_json
from tests.written import names_of_sheets, sheets, to_evidence

EACH = pytest.mark.parametrize("kind", RESULTS, ids=[kind.short for kind in RESULTS])


def people(seed, n=220):
    """Frames with numbers as target, missing values, and a code for no answer."""
    rng = np.random.default_rng(seed)
    income = rng.choice([-8, 900.5, 1000, 1010, 1200, 1500, 2500, 0], n)
    return pd.DataFrame({
        "age": rng.integers(20, 26, n), "sex": rng.choice(["f", "m"], n),
        "region": pd.Series(rng.choice(["n", "s", ""], n)).replace("", None), "job": rng.choice(["cook", "nurse"], n),
        "income": pd.Series(income).where(rng.random(n) > 0.1),
    })  # fmt: skip


def everything(size=5_000, **parts):
    review = Review.of(["sex", "age", "region"], missing_codes={"income": -8}, **parts)
    review = replace(review, reasons={"job": "known", "missing keys": "so", "income": "so"})
    opened = review.open(people(1), [people(2), people(3, 180)], holdout=people(5, 150), holdout_is_random=True)
    review = replace(opened.review, scenarios=(Scenario("few", Exclusions(denominator_limit=2)),))
    review = Population.with_asked(review, population=size)
    for kind in RESULTS:
        review = kind.with_in_report(review, True)
    return opened.with_review(review)


@pytest.fixture(scope="module")
def opened():
    out = Exclusions(target_levels={"job": ["cook"]}, missing_targets={"income"}, missing_keys={"region"})
    return everything(exclusions=out)


@EACH
def test_what_is_declared_is_what_there_is(opened, kind):
    found = kind.of(opened.printed)
    assert found is kind.of(opened.printed)
    frames = found.frames()
    assert frames.keys() <= {table.name for table in kind.tables}
    for table in kind.tables:
        if table.name in frames:
            frame = frames[table.name]
            assert list(frame.columns) == list(table.columns), table.name
            assert not frame.duplicated(list(table.ids)).any()
            assert {*table.ids, table.main} <= set(table.columns)
            assert all(table.column(str(n)).label for n in table.printed(frame).columns)
    first, *_ = found.sentences()
    assert first.endswith(".")
    assert kind.purpose.endswith(".")
    assert kind.question.endswith("?")
    assert kind.formula.endswith("."), "say how it is computed, with its source"
    plot = found.figure()
    assert plot is not None or kind.drawn is None
    assert plot is None or plot.sentence
    assert kind.title in found._repr_html_()
    assert json.loads(found.to_json())["tables"].keys() == frames.keys()
    assert found.to_excel()[:2] == b"PK"


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "table"), [(5_000, False), (370, False), (None, True)])
def test_the_second_counter_finds_every_figure(asked, table, tmp_path, opened):
    if table:
        frames = {"o": people(1), "s": people(2)}
        for name, frame in frames.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
        keys = ["sex", "age", "region"]
        counts = people(1).groupby(keys, dropna=False).size().reset_index(name="count")
        counts.assign(count=counts["count"] * np.arange(1, len(counts) + 1) % 5 + counts["count"]).to_csv(
            tmp_path / "p.csv", index=False
        )
        files = [str(tmp_path / f"{name}.csv") for name in "osp"]
        done = disclosure("assess", *files[:2], "--keys", ",".join(keys), "--missing-code", "income=-8",
                   "--population-table", files[2], "--verify", "--exclude-missing", "region", "--reason", "missing keys=x")  # fmt: skip
        assert done.exit_code == 0, done.output
        assert "0 differ" in done.stderr
        assert "0 differ; 4 not counted again" in done.stderr  # the lines of both files, and those inside quotes
        return
    asking = opened.with_review(Population.with_asked(opened.review, population=asked))
    document = json.loads(asking.to_json())
    own = {name: rows for name, rows in document["tables"].items() if name in TABLES}
    assert own.keys() == TABLES.keys()
    jsonschema.validate(document, SCHEMA)
    found = counted(asking, document | {"tables": own})
    assert found.differ == ()
    not_again = [
        what for what in found.not_counted if not any(TABLES[name][1].again is None and name in what for name in own)
    ]
    assert {what.split(", ")[-1] for what in not_again} <= {"low", "high", "R"}, not_again
    for name, rows in own.items():
        for column, each in TABLES[name][1].columns.items():
            if (
                TABLES[name][1].again is None
                or each.kind == "text"
                or column in (*TABLES[name][1].ids, "low", "high", "R")
            ):
                continue
            changed = json.loads(json.dumps(rows))
            figure = next((row for row in changed if isinstance(row[column], int | float)), None)
            if figure is None:
                continue
            figure[column] += 1e-6
            other = document | {"tables": own | {name: changed}}
            assert len(counted(asking, other).differ) == 1, (name, column)


def test_the_schema_of_the_tables_is_the_one_that_is_declared():
    text = make_schema.PLACE.read_text(encoding="utf-8")
    assert make_schema.made(text) == text, "run `python docs/make_schema.py`"
    described = SCHEMA["properties"]["tables"]["properties"]
    assert {name: described[name] for name in TABLES} == json.loads(json.dumps(schema()))


@pytest.mark.slow
@EACH
def test_json_workbook_and_report_hold_it_where_the_switch_is_on(opened, kind):
    tables = {t.name for t in kind.tables}
    off = opened.with_review(kind.with_in_report(opened.review, False))
    for of, there in ((opened, True), (off, False)):
        assert (tables <= set(names_of_sheets(of))) == there
        assert (tables <= set(json.loads(of.to_json())["tables"])) == there
        assert sorted(sheets(of)) == sorted(names_of_sheets(of))
        source = assemble(of, Look())
        said = " ".join(block.text for block in blocks(source))
        assert (kind.of(of.printed).sentences()[0] in said) == there
        assert any(block.text == kind.title for block in appendix(source)) == there
    shared = assemble(opened, Look(shareable=True, smallest=2))
    assert any(block.text == kind.title for block in appendix(shared)) == kind.shareable
    assert from_json(to_json(off.review)) == replace(off.review, source="tables", name=off.review.name)
    assert (kind.short in off.review.analyses) == (kind.usual or kind.short == "population")
    assert kind.with_in_report(off.review, True) == opened.review


@pytest.mark.slow
def test_one_that_is_not_evaluated_says_why_everywhere():
    opened = start_demonstration()
    opened = opened.with_review(opened.review.with_settings(Settings(keys=demo.KEYS, targets=("abroad",))))
    why = NearMisses.of(opened)
    assert isinstance(why, NotEvaluated)
    tables = json.loads(opened.to_json())["tables"]
    assert tables["near_misses"] == [{"not evaluated": why.why, "needs": why.needs}]
    assert any(f"not evaluated. {why.why}" in block.text for block in blocks(assemble(opened, Look())))
    (said,) = condition("near_misses>1")(opened)
    assert said == f"near_misses>1 is not evaluated: {why.why}"
    with pytest.raises(DisclosureError, match="Analysis 'few' is not known here"):
        opened.result("few")


CHANGES = {
    "nothing": (lambda o: o, False),
    "an exclusion": (lambda o: o.with_review(replace(o.review, exclusions=Exclusions(missing_targets={"household"}), reasons={"household": "x"})), True),
    "another intruder's keys": (lambda o: o.with_review(o.review.with_settings(Settings(keys=("sex", "age")))), True),
    "groups": (lambda o: o.with_review(replace(o.review, groups={**o.review.groups, "household": 3})), True),
    "a holdout": (lambda o: o.with_holdout(demonstration_holdout(), Holdout("demonstration")), True),
    "about the release": (lambda o: o.with_review(replace(o.review, about={"Title": "x"})), False),
    "a verdict's limits": (lambda o: o.with_review(replace(o.review, tau=0.5)), False),
}  # fmt: skip


def begun():
    opened = start_demonstration()
    review = Population.with_asked(opened.review, population=25_000)
    return opened.with_review(Scenarios.with_asked(review, paper=True))


@pytest.fixture(scope="module")
def begun_once():
    return begun()


@pytest.fixture(scope="module")
def anew():
    """Give a review that was changed before anything was made of it, the same one to every result."""
    return cache(lambda change: CHANGES[change][0](begun()))


@pytest.mark.slow
@EACH
@pytest.mark.parametrize("change", CHANGES)
def test_it_is_made_again_where_what_it_was_made_of_changed_and_nowhere_else(kind, change, begun_once, anew):
    make, again = CHANGES[change]
    opened = begun_once
    before, after = kind.of(opened), make(opened)
    now, fresh = kind.of(after), kind.of(anew(change))
    for name, frame in fresh.frames().items():
        pd.testing.assert_frame_equal(frame, now.frames()[name])
    assert fresh.sentences() == now.sentences()
    if kind is NearMisses:
        assert (now is not before) == again
    if change != "a holdout":  # which drops what was made against people outside
        assert kind.of(after.with_review(opened.review)) is before  # undo


@pytest.mark.slow
def test_nothing_that_a_result_was_made_of_is_kept_alive_by_it():
    import gc
    import weakref

    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    NearMisses.of(opened)
    partition = weakref.ref(opened.partition())
    opened = opened.with_holdout(None, None)
    gc.collect()
    assert partition() is None


def test_what_is_read_of_a_review_is_noted_in_its_order():
    inputs = Inputs(start_demonstration())
    assert inputs.settings.keys
    assert inputs.population is None
    assert [was() for _, was in inputs.read] == [inputs.opened.review.settings, None]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("near_misses.foo>1", "Figure 'foo' is not of 'near_misses'"),
        ("near_misses[income,10%,x]>1", "Row 'income,10%,x' is not of 'near_misses'"),
        ("near_misses[income,11%]>1", "Row 'income,11%' is not of 'near_misses'"),
        ("near_misses[nobody]>1", "Row 'nobody' is not of 'near_misses'"),
        ("near_misses(DiSCO)>1", "There is no near_misses("),
    ],
)  # fmt: skip
def test_a_condition_of_what_is_not_there_is_said(opened, written, said):
    with pytest.raises(DisclosureError, match=said.replace("(", r"\(")):
        condition(written)(opened)


@pytest.mark.parametrize(
    "written", ["near_misses[job]>1", "near_misses>=0", "near_misses[income,10%]>=0", "in_population.unique>1"]
)
def test_a_condition_without_an_answer_and_one_that_holds_are_said(opened, written):
    (said,) = condition(written)(opened)
    assert ("is not evaluated" in said) == ("job" in written or "unique" in written)


def test_a_condition_judges_a_result_that_the_report_does_not_have(opened):
    off = opened.with_review(NearMisses.with_in_report(opened.review, False))
    for written in ("near_misses>=0", "near_misses[income,10%]>=0", "near_misses.DiSCO[income,10%]>100"):
        assert condition(written)(off) == condition(written)(opened)


@pytest.mark.slow
def test_every_figure_can_stand_in_a_condition(opened):
    for name, (_, table) in TABLES.items():
        for column, each in table.columns.items():
            if each.kind != "text" and column not in table.ids:
                assert condition(f"{name}.{column}>=-1000")(opened)
        assert (
            condition(f"{name}>=-1000")(opened)[0][len(name) :]
            == (condition(f"{name}.{table.main}>=-1000")(opened)[0][len(f"{name}.{table.main}") :])
        )
    assert condition("near_misses[income,10%]>100")(opened) == []


@EACH
def test_parameters_are_read_from_review_command_and_python_alike(kind):
    assert named(kind.short) is kind
    with pytest.raises(DisclosureError, match="is no parameter of"):
        kind.asked_of(Review(), nonsense=1)
    for name, info in kind.asks.model_fields.items():
        assert info.title, name
        assert info.description, name


@pytest.mark.slow
def test_evidence_points_at_figures_as_they_are_asked_and_at_none_that_is_switched_off(opened):
    asked = opened.with_review(Anonymity.with_asked(opened.review, k=3))
    for of, n in ((opened, 2), (asked, 2), (opened.with_review(Anonymity.with_in_report(opened.review, False)), 0)):
        found = json.loads(to_evidence(of))
        check(of, found)
        figures = next(r for r in found["requirements"] if r["name"] == "Singling out")["figures"]
        assert sum("/tables/under_k/" in f["pointer"] for f in figures) == n


@pytest.mark.parametrize(
    ("analyses", "said"),
    [
        ({"few": Analysis(in_report=False)}, "Analysis 'few' is not known here"),
        ({"anonymity": Analysis(asked={"k": 1})}, "k of anonymity cannot be '1'"),
        ({"anonymity": Analysis(asked={"l": 3})}, "'l' is no parameter of anonymity"),
    ],
)
def test_a_saved_review_that_asks_for_what_is_not_known_is_not_opened(analyses, said):
    review = start_demonstration().review
    with pytest.raises(DisclosureError, match=said):
        open_review(from_json(to_json(replace(review, analyses=analyses))))
    known = replace(review, analyses={"anonymity": Analysis(asked={"k": 3})})
    assert open_review(from_json(to_json(known))).result("anonymity").under["k"].tolist() == [3] * 6


@EACH
def test_a_target_that_is_none_any_more_is_said(kind):
    if "target" not in kind.asks.model_fields:
        return
    opened = start_demonstration()
    review = Scenarios.with_asked(opened.review, paper=True)
    asked = opened.with_review(kind.with_in_report(kind.with_asked(review, target="household"), True))
    later = asked.with_review(replace(asked.review, targets=("marital", "income")))
    (table, *_) = kind.tables
    (row,) = json.loads(later.to_json())["tables"][table.name]
    assert row["not evaluated"].startswith("Target 'household' is not among those assessed")


def test_what_is_kept_for_everybody_does_not_hide_what_one_made():
    first = start_demonstration()
    for_all = Results()
    shared = Opened(first.review, first.data, results=for_all)
    Anonymity.of(shared)
    mine = Opened(first.review, first.data, results=Results(for_all))
    assert Anonymity.of(mine) is Anonymity.of(shared)
    other = mine.with_review(mine.review.with_settings(Settings(keys=("sex", "age"))))
    assert Anonymity.of(other) is Anonymity.of(other)


def test_the_left_ends_of_the_curves_are_capd_and_dcapd_only_where_nothing_is_excluded(opened):
    names = {p.title: [c.name for c in p.curves] for p in Tau.of(opened.printed).figure().panels}
    assert names["job"] == names["income"] == ["original, to Dorig", "synthetic, to DiSCO"]
    whole = opened.with_review(replace(opened.review, exclusions=Exclusions()))
    assert Tau.of(whole, target="job").figure().panels[0].curves[0].name == "original, CAPd to Dorig"
