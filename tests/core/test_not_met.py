"""What does not meet is not evaluated, on every face: no figure of it appears, and none passes.

One study with codes beside labels goes through page 1, report, tables, JSON, workbook, evidence, searches, comparison,
Python, the second counter and a saved review. Pages: `tests/pages/test_not_met_page.py`; command line:
`tests/cli/test_not_met_command.py`.
"""

# Inside: what a mend would do to a figure, before it is done.

import io
import json
import warnings
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import openpyxl
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Limit, Limits, May, NotEvaluated, Review, RoundTo, assess
from disclosure_core.errors import NothingEvaluatedError
from disclosure_core.export import scripts
from disclosure_core.export.verified import verify
from disclosure_core.holdout.decision import Outcome
from disclosure_core.results import FewerRecords
from disclosure_core.review import mended
from disclosure_core.review.about import OFFICER
from tests.commands import condition
from tests.reports import Look, answer, report
from tests.saved import from_json, to_json
from tests.written import names_of_sheets, to_evidence

DOCS = Path(__file__).parents[2] / "docs"

LABELS = np.array(["Male", "Female"])


def people(n, seed, *, labels=True, split=False):
    """Return people with a job that sex and age tell; sex as labels or as codes."""
    rng = np.random.default_rng(seed)
    sex, age = rng.integers(0, 2, n), rng.integers(20, 50, n)
    frame = pd.DataFrame({"sex": LABELS[sex] if labels else sex + 1, "age": age, "region": rng.choice(list("NSEW"), n)})
    return frame.assign(job=np.array(["nurse", "cook", "baker"])[(sex + age // 15 + rng.integers(0, 2, n)) % 3])


ORIGINAL, MEETS, CODES, OUTSIDE = people(600, 1), people(600, 2), people(600, 3, labels=False), people(300, 4)
KEYS = ["age", "sex", "region"]
ALL = ("DiSCO>99", "repU>99", "max(DiSCO)>99", "gain>99", "one_way>9", "worst(DiSCO)>99", "strongest(repU)>99",
       "difference(DiSCO)>99", "F_rel>1", "any(DiSCO)>99", "DiSCO[job]>99", "limits", "M>9", "copies.share>9")  # fmt: skip


def opened(keys=tuple(KEYS), synthetic=(CODES,), **more):
    return Review.of(keys, **more).open(ORIGINAL, list(synthetic))


def test_a_key_stops_every_condition_and_search():
    found = opened(synthetic=(CODES, CODES))
    assert set(found.not_met()) == {"job"}
    assert found.assessment.__self__ is found
    for make in (
        found.assessment, found.before, found.growth, found.queue, found.subsets, found.strongest_intruder,
        lambda: found.printed, lambda: found.least_safeguard(["DiSCO<50"], May(remove=10)), found.comparison,
        lambda: found.verify(), lambda: FewerRecords.of(found), lambda: found.with_review(found.review.with_steps((RoundTo("age", 5.0),))).after_safeguards(),
    ):  # fmt: skip
        with pytest.raises(NothingEvaluatedError, match=r"The values of 'sex' do not meet.*--really-different sex"):
            make()
    for kept in (found.attribute_baseline(), found.identity_baseline(), found.membership()):
        assert isinstance(kept, NotEvaluated)
    assert found.finished_membership() is None
    assert not any(map(found.is_kept, ("membership", "subsets", "strongest", "least")))
    for text in ALL:
        (line,) = condition(text)(found)
        assert line.startswith(f"{text} is not evaluated: The values of 'sex' do not meet")


def test_a_target_stops_its_own_figures_and_no_other():
    found, without = opened(("age", "region")), opened(("age", "region"), targets=("job",))
    assert set(found.not_met()) == {"sex"}
    assert found.stopped() is None
    assert list(found.assessment().targets) == ["job"]
    for name in ("attribute", "identity"):
        a, b = found.assessment(), without.assessment()
        assert (a.identity if name == "identity" else a.targets["job"].attribute).equals(
            b.identity if name == "identity" else b.targets["job"].attribute
        )
    assert condition("repU>99")(found) == condition("DiSCO[job]>99")(found) == []
    assert condition("attribute.DiSCO[job]>99")(found) == []
    for text in ("DiSCO>99", "DiSCO[sex]>99", "worst(DiSCO)>99", "attribute.DiSCO>99", "attribute.DiSCO[sex]>99"):
        assert [line for line in condition(text)(found) if "do not meet" in line]
    # A column that nobody asks for stops nothing, and is no warning.
    assert without.not_met() == {}
    assert not [n for n in without.remarks().agreement if n.warning]
    assert [n for n in found.remarks().agreement if n.warning]
    assert found.verify().differ == ()


@pytest.mark.parametrize("keys", [tuple(KEYS), ("age", "region")], ids=["a key", "a target"])
def test_no_face_gives_a_figure_of_it(keys):
    limits = Limits(Limit(90, 90, "the panel", "tried"), Limit(90, 90), Limit(relative=0.9))
    found = opened(keys)
    found = found.with_review(replace(found.review, limits=limits, searched=frozenset({"comparison"})))
    held_back = ["job"] if "sex" in keys else ["sex"]
    page1 = answer(found)
    rows = [row for row in page1.rows if row.target in held_back]
    assert rows
    assert all(row.outcome is Outcome.NOT_EVALUATED and not row.judged.evaluated and "sex" in row.why for row in rows)
    assert page1.outcome is Outcome.NOT_EVALUATED
    assert [what for what, _ in page1.notes if "job" in what or "sex" in what]
    # The report and its versions.
    for look in (Look(), Look(appendix=True), Look(shareable=True), Look(shareable=True, appendix=True)):
        text = report(found, "html", look).decode()
        assert "do not meet" in text or (look.appendix and "sex" not in keys)
        assert "not evaluated" in text.lower()
    assert report(found, "pdf").startswith(b"%PDF")
    # JSON, as its schema has it; workbook, evidence, scripts.
    plain = json.loads(found.to_json())
    jsonschema.validate(plain, json.loads((DOCS / "figures.schema.json").read_text(encoding="utf-8")))
    assert set(plain["not_evaluated"]) == set(held_back)
    assert "do not meet" in plain["not_evaluated"][held_back[0]]
    for name, table in plain["tables"].items():
        for row in table:
            figures = {c: v for c, v in row.items() if isinstance(v, float) and row.get("target") in held_back}
            assert not figures, (name, row)
    if "sex" in keys:
        assert all(v == "NaN" for row in plain["tables"]["identity"] for c, v in row.items() if c in ("UiS", "repU"))
        assert plain["answer"]["repU"]["members"] is None
        assert plain["answer"]["headline"] == "Nothing was evaluated"
    book = openpyxl.load_workbook(io.BytesIO(found.to_excel()))
    assert book["not_evaluated"]["A2"].value == held_back[0]
    assert set(names_of_sheets(found)) <= set(book.sheetnames)
    evidence = json.loads(to_evidence(found))
    assert evidence["complete"] is False
    assert "do not meet" in " ".join(evidence["open"])
    assert scripts.python(found)
    assert found._repr_html_()


def test_what_is_told_the_second_counter_does_not_pass():
    found = opened(("age", "region"))
    plain = json.loads(found.to_json())
    row = next(r for r in plain["answer"]["rows"] if r["target"] == "sex")
    row["members"] = 3.0
    assert verify(found, json.dumps(plain)).differ
    with pytest.raises(NothingEvaluatedError):
        verify(opened(), json.dumps(plain))


def test_the_answer_gives_the_figures_and_is_kept():
    found = opened()
    review = replace(found.review.with_differing("sex"), about={OFFICER: "A. Officer"})
    answered = found.with_review(review)
    assert answered.stopped() is None
    assert answered.assessment().identity["repU"].tolist() == [0.0]
    assert condition("repU>99")(answered) == []
    said = "'sex' do not meet. It was answered that they really differ (to be asked: A. Officer)"
    assert [n.text for n in answered.remarks().agreement if not n.warning and said in n.text]
    text = report(answered, "html").decode().replace("&#39;", "'").replace("&#x27;", "'")
    assert said in text
    assert json.loads(answered.to_json())["really_different"] == ["sex"]
    assert from_json(to_json(review)) == review
    assert found.with_review(review.with_differing("sex", differ=False)).stopped() is not None
    # A review saved before there was such an answer opens; an answer on one set is none on another.
    before = json.loads(to_json(found.review))
    del before["really_different"]
    assert from_json(json.dumps(before)) == found.review
    two = Review.of(KEYS).open(ORIGINAL, {"labels": [MEETS], "codes": [CODES], "others": [CODES]})
    two = two.with_review(two.review.with_differing("sex", "codes"))
    assert [name for name in two.set_names if two.stopped(name)] == ["others"]


def test_only_that_set_is_not_compared():
    two = Review.of(KEYS).open(ORIGINAL, {"labels": [MEETS], "codes": [CODES]})
    found = two.comparison()
    assert found.names == ("labels",)
    assert found.table()["codes"].isna().all()
    shown = report(two.with_review(replace(two.review, searched=frozenset({"comparison"}))), "html").decode()
    assert "Values do not meet, so nothing is evaluated of “codes”" in shown
    assert [
        said
        for said in found.not_evaluated.values()
        if "'codes' is not evaluated. The values of 'sex' do not meet" in said
    ]
    assert (
        two.assessment()
        .targets["job"]
        .attribute.equals(opened(synthetic=(MEETS,)).assessment().targets["job"].attribute)
    )
    codes = two.with_review(replace(two.review, synthesis_set="codes"))
    assert codes.stopped()
    assert codes.comparison().names == ("labels",)
    # Adopted safeguards never make it meet.
    rounded = codes.with_review(
        replace(codes.review, synthesis_set="labels").with_steps((RoundTo("age", 5.0),))
    ).adopt()
    assert rounded.stopped() is None
    assert set(rounded.comparison().names) == {"labels", rounded.first_set}


def test_another_intruder_who_does_not_know_it_is_evaluated():
    from disclosure_core import KeySet

    found = opened()
    others = (KeySet("an intruder", tuple(KEYS)), KeySet("a neighbour", ("age", "region")))
    found = found.with_review(replace(found.review, intruders=others))
    rows = {(row.intruder, row.target): row for row in answer(found).rows if row.measure == "DiSCO"}
    assert rows["an intruder", "job"].outcome is Outcome.NOT_EVALUATED
    neighbour = found.with_review(replace(found.review, intruder="a neighbour"))
    assert neighbour.stopped() is None
    assert neighbour.queue().rows
    assert neighbour.can_learn()
    assert not found.can_learn()
    assert report(neighbour, "html")


def test_python_gives_nan_with_the_reason_and_warns():
    with pytest.warns(UserWarning, match="The values of 'sex' do not meet"):
        found = assess(ORIGINAL, [CODES], keys=KEYS, holdout=OUTSIDE)
    assert np.isnan(found.identity[["UiS", "UiOiS", "repU"]].to_numpy()).all()
    whole = assess(ORIGINAL, [MEETS], keys=KEYS)
    assert found.identity["UiO"].tolist() == whole.identity["UiO"].tolist()
    risk = found.targets["job"]
    assert risk.figures("Dorig").tolist() == whole.targets["job"].figures("Dorig").tolist()
    assert np.isnan(risk.figures("DiSCO")).all()
    assert np.isnan(risk.figures("DCAPd")).all()
    assert "do not meet" in found.not_evaluated["job"]
    assert isinstance(found.baseline, NotEvaluated)
    assert isinstance(found.identity_baseline, NotEvaluated)
    assert found.summary()["flag"].tolist() == ["not evaluated"]
    assert "Not evaluated: The values of 'sex'" in repr(found)
    assert "not_evaluated" in json.loads(found.to_json())
    for way in (lambda: risk.counted, risk.near_misses):  # no cell, of which a figure could be made
        with pytest.raises(DisclosureError, match="'job' is not evaluated"):
            way()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answered = assess(ORIGINAL, [CODES], keys=KEYS, really_different=["sex"])
    assert answered.identity["repU"].tolist() == [0.0]
    assert answered.not_evaluated == {}


def test_what_a_mend_would_do_stands_beside_it():
    spelt = MEETS.assign(sex=MEETS["sex"].str.upper())
    found = opened(synthetic=(spelt,))
    (mismatch,) = found.unmet().values()
    assert mismatch.kinds == ("case",)
    table = mended.tried(found, mismatch).set_index("figure")
    right = opened(synthetic=(MEETS,)).assessment()
    assert table.loc["repU"].tolist() == [0.0, right.identity["repU"].iloc[0]]
    assert table.loc["DiSCO of job"].tolist() == [0.0, right.targets["job"].figures("DiSCO")[0]]
    assert table.loc[f"records that meet, {'original' if mismatch.of_original else 'synthetic'}"].tolist() == [
        0.0,
        100.0,
    ]
    columns = replace(found.review.columns, mends={"sex": ("case",)})
    repaired = found.with_review(replace(found.review, columns=columns))
    assert repaired.assessment().identity["repU"].tolist() == right.identity["repU"].tolist()


def test_the_agreement_is_computed_once(monkeypatch):
    from disclosure_core.data import agreement as agreeing

    calls = []
    real = agreeing.agreement
    monkeypatch.setattr(agreeing, "agreement", lambda *args: calls.append(1) or real(*args))
    found = opened(synthetic=(MEETS,))
    for limit in (None, 5, 9):
        out = replace(found.review.exclusions, denominator_limit=limit)
        now = found.with_review(replace(found.review, exclusions=out))
        now.assessment(), now.remarks(), now.queue()
    assert calls == [1]
