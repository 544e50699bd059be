"""Every act of the tables of columns, and of the box beside them, is one step of Undo, which gives the figures of before."""

from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import DisclosureError, Exclusions, Pair


@pytest.fixture
def opened(app):
    """Files with a code, texts that look empty, a column that does not meet and an identifier; two keys, exclusions."""
    frame = pd.DataFrame({
        "sex": ["f", "m"] * 60, "job": ["cook", "NA", "baker"] * 40, "work": ["Baker", "Cook", "Nurse", "Smith"] * 30,
        "income": [*[-8] * 12, *[*range(20, 47)] * 4], "id": [f"p{i:03}" for i in range(120)],
    })  # fmt: skip
    other = frame.sample(frac=1, random_state=1).assign(work=lambda rows: rows["work"].str.upper())
    app.upload(("people.csv", frame.to_csv(index=False).encode()), ("other.csv", other.to_csv(index=False).encode()))
    app.page("keys").keys(["sex", "income"])
    session = app.session
    pairs = {"job": [Pair("income", "20", "cook")]}
    session.ask(replace(session.settings, exclusions=Exclusions(target_levels={"job": ["baker"]}, pairs=pairs)))
    return app.page("keys")


ACTS = [
    ("keys", "keys.roles", {"do": "role", "column": "job", "value": "key"}, "added the key job"),
    ("keys", "keys.roles", {"do": "role", "column": "income", "value": "target"}, "removed the key income"),
    ("keys", "keys.roles", {"do": "role", "column": "job", "value": "left out"}, "changed the targets"),
    ("keys", "keys.roles", {"do": "suggested"}, ""),
    ("keys", "keys.roles", {"do": "because", "column": "sex", "value": "seen by all"}, "changed the reason for sex"),
    ("data", "data.columns", {"do": "holds", "column": "income", "value": "category"}, "read income as category"),
    ("data", "data.columns", {"do": "codes", "column": "income", "value": "-8"}, "changed what is no answer in income"),
    ("data", "data.answers", {"do": "answer", "name": "text: job = NA", "value": "missing"}, "no answer in job"),
    ("data", "data.answers", {"do": "answer", "name": "unmet: work", "value": "mend"}, "mended work"),
    ("data", "data.answers", {"do": "answer", "name": "unmet: work", "value": "differ"}, "whether work really differs"),
    ("data", "data.answers", {"do": "mend all"}, "mended work"),
]  # fmt: skip


def figures(session):
    """Return all that is counted, in a form that compares: of stopped targets, why."""
    now = session.now
    try:
        risk = now.assessment()
    except DisclosureError as error:  # a key that does not meet
        return str(error)
    return risk.identity.to_csv(), risk.summary().to_csv(), sorted(now.not_met())


def undone(app, name):
    session = app.session
    assert name in session.undo_name
    app.click("review.undo")
    return session


@pytest.mark.parametrize(
    ("page", "part", "act", "name"), ACTS, ids=[f"{a['do']} {a.get('value', '')}" for _, _, a, _ in ACTS]
)
def test_an_act_on_columns_is_one_step_back_and_one_forth(opened, page, part, act, name):
    session = opened.page(page).session
    if act["do"] == "suggested":
        opened.act("keys.roles", {"do": "role", "column": "sex", "value": "target"})
    before, was, steps = session.review, figures(session), len(session._history.past)
    opened.act(part, act)
    after, then = session.review, figures(session)
    assert after != before
    assert len(session._history.past) == steps + 1
    undone(opened, name)
    assert replace(session.review, answered=before.answered) == before
    assert figures(session) == was
    opened.click("review.redo")
    assert session.review == after
    assert figures(session) == then


def test_groups_that_wait_for_a_code_are_one_step_with_its_answer(opened):
    session = opened.session
    before, was = session.review, figures(session)
    opened.change(("income", "30, 40"), do="groups")
    assert session.review == before  # whether -8 is an answer is asked first
    opened.click("keys.code.income.-8")
    assert session.review.grouping == {"income": (30, 40)}
    undone(opened, "changed what is no answer in income")
    assert (session.review, figures(session)) == (before, was)


def test_a_step_of_the_bench_before_columns_were_read_otherwise_is_taken_back_after_these(opened):
    """In their order; a reason that was written meanwhile stays."""
    session = opened.session
    before = session.review
    session.ask(replace(session.settings, exclusions=Exclusions()))
    opened.page("data").act("data.columns", {"do": "codes", "column": "income", "value": "-8"})
    session.write("reasons", "job", "known")
    opened.page("data").click("review.undo").click("review.undo")
    assert session.review == replace(before, reasons={"job": "known"}, reason_stamps=session.review.reason_stamps)
