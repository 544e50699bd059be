"""Which synthesis is released: it is judged beside the mean; and what is still open before a report is made."""

# Inside: questions that are left out, and signed figures of page 1, in one function each.

import json
from dataclasses import replace
from itertools import product

import pytest

from disclosure_core import DisclosureError, Holdout, Limit, Limits, ThreatModel, open_review, start_demonstration
from disclosure_core.holdout.decision import Outcome, decide
from disclosure_core.report.page1 import signed
from disclosure_core.review.about import ABOUT
from disclosure_core.review.answers import template, with_answers
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.scope import NOT_ASKED, not_asked, with_scope
from tests.reports import Look, Report, answer, assemble, blocks, still_open
from tests.saved import from_json
from tests.saved import to_json as saved

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def opened():
    review = start_demonstration().review
    return open_review(replace(review, targets=("marital", "settlement"), holdout=Holdout("demonstration")))


def each_of(opened, target):
    rows = opened.attribute_baseline().figures.query("target == @target and measure == 'DiSCO' and synthesis > 0")
    return dict(zip(rows["synthesis"], zip(rows["members"], rows["difference"], strict=True), strict=True))


def judged(opened, released, limit):
    name = opened.first_set
    review = replace(opened.review, limits=Limits(disco=limit), released={name: released} if released else {})
    return next(r for r in answer(opened.with_review(review)).rows if (r.measure, r.target) == ("DiSCO", "marital"))


def test_above_if_either_is_above(opened):
    each = each_of(opened, "marital")
    mean = sum(m for m, _ in each.values()) / len(each)
    high = max(each, key=lambda i: each[i][0])
    limit = Limit((mean + each[high][0]) / 2, 0.0)
    for i, (members, difference) in each.items():
        row = judged(opened, (i,), limit)
        assert [(n, f.members, f.difference) for n, f in row.released] == [
            (i, pytest.approx(members), pytest.approx(difference))
        ]
        assert row.outcome is decide(members, difference, limit)
        assert row.by_release is (row.outcome is Outcome.ABOVE)
    assert judged(opened, (), limit).outcome is Outcome.WITHIN
    assert judged(opened, tuple(each), limit).outcome is Outcome.ABOVE
    low = min(each, key=lambda i: each[i][0])
    under = Limit((mean + each[low][0]) / 2, 0.0)
    assert judged(opened, (low,), under).outcome is Outcome.ABOVE  # the mean is above, the file is not
    assert not judged(opened, (low,), under).by_release


def test_it_is_said_wherever_the_answer_is(opened):
    one = opened.with_review(replace(opened.review, released={opened.first_set: (2,)}))
    said = list(blocks(assemble(one, Look())))
    facts = dict(next(b for b in said if b.kind == "facts").rows)
    file = assemble(one, Look()).files[2]
    assert facts["Released"] == f"{file.name} (Synthesis 2), {file.rows:,} records, fingerprint {file.sha256 or 'none'}"
    (table,) = [b for b in said if b.columns[:2] == ("Figure", "mean, %")]
    figures = {i for i, head in enumerate(table.columns) if head not in ("Figure", "its result")}
    assert table.figures == figures == {1, 2, 3, 4}
    members = each_of(one, "marital")[2][0]
    assert next(r for r in table.rows if r[0] == "DiSCO of marital")[3] == f"{members:.1f}"
    plain = json.loads(one.to_json())
    assert [f["role"] for f in plain["released"]] == ["Synthesis 2"]
    row = next(r for r in plain["answer"]["rows"] if (r["measure"], r["target"]) == ("DiSCO", "marital"))
    assert row["released"][0]["members"] == pytest.approx(members)
    shared = [i for b in blocks(assemble(one, Look(shareable=True))) for i in b.items]
    assert any(i.startswith("Released: ") for i in shared)
    assert from_json(saved(one.review)) == one.review
    assert not [e.what for e in still_open(one) if e.what.startswith("Nobody said which")]
    several = opened.with_review(replace(opened.review, released={opened.first_set: (1, 3)}))
    assert [what for about, what in answer(several).notes if about == "release"] == [
        "2 syntheses are released together; each is judged, their union is not."
    ]


@pytest.mark.parametrize("numbers", [(0,), (1, 1)])
def test_what_is_no_synthesis_is_refused(opened, numbers):
    with pytest.raises(DisclosureError, match="each named once"):
        replace(opened.review, released={"a": numbers})


def test_what_is_open_is_listed_until_it_is_answered(opened):
    """Each answer alone closes its own entries, in all combinations, and no other."""
    limit = Limit(50, 50, "board", "a rule")
    answers = {
        "Not answered: ": {"assumptions": {q.name: "yes" for q in QUESTIONS}},
        "No limit of DiSCO is set": {"limits": Limits(disco=limit)},
        "Nobody said which of the": {"released": {opened.first_set: (1,)}},
        "Not stated: ": {"about": dict.fromkeys(ABOUT, "said")},
        "No reason is given for": {"reasons": dict.fromkeys(opened.review.keys, "seen")},
    }
    for given in product([False, True], repeat=len(answers)):
        review = opened.review
        for change, answered in zip(answers.values(), given, strict=True):
            review = replace(review, **change) if answered else review
        found = still_open(opened.with_review(review))
        for start, answered in zip(answers, given, strict=True):
            assert any(start in each.what for each in found) is not answered, (start, found)
        assert any("no verdict on" in each.what and each.page == "review" for each in found)
    heads = [each.about for each in still_open(opened)]
    assert not {"membership"} & set(heads)


def test_dcap_and_membership_are_asked_where_the_office_set_a_limit_or_says_so(opened):
    def heads(**change):
        return [(each.about, each.name) for each in still_open(opened.with_review(replace(opened.review, **change)))]

    limits = Limits(dcap=Limit(absolute=50.0), membership=Limit(relative=0.2))
    alone = start_demonstration()
    assert any(each.about == "people outside" for each in still_open(alone))
    scoped = alone.with_review(with_scope(alone.review, "people-outside", False))
    assert not any(each.about == "people outside" for each in still_open(scoped))
    assert ("limits", "DCAP") not in heads()
    assert ("limits", "DCAP") in heads(limits=limits)
    assert ("limits", "DCAP") in heads(scope={"DCAP": True})
    assert [about for about, _ in heads(limits=limits)].count("membership") == len(ThreatModel().unanswered())
    assert [about for about, _ in heads(scope={"membership": True})].count("membership") == 7
    both = {"DCAP": False, "membership": False, "limits": False, "people-outside": False}
    left = heads(limits=limits, scope=both)
    assert not {"membership", "limits", "people outside"} & {about for about, _ in left}
    with pytest.raises(DisclosureError, match="'odd'"):
        replace(opened.review, scope={"odd": True})


def test_what_is_not_asked_is_printed_so_and_kept(opened):
    review = with_scope(with_scope(opened.review, "membership", False), "limits", False)
    assert not_asked(review) == ("Limits of DiSCO", "Membership")
    assert from_json(saved(review)).scope == review.scope
    source = Report(opened.with_review(review), Look())
    first = dict(next(b for b in signed(source) if b.kind == "facts").rows)
    assert first["Not asked of this release"] == "Limits of DiSCO; Membership"
    assert "Not asked of this release" not in dict(signed(Report(opened, Look()))[0].rows)
    answered = with_answers(opened, {"scope": {"membership": False, "DCAP": True}})
    assert answered.review.scope == {"membership": False, "DCAP": True}
    assert 'membership = "no"' in template(answered)
    about = dict.fromkeys(ABOUT, NOT_ASKED)
    assert not [
        e for e in still_open(opened.with_review(replace(opened.review, about=about))) if "Not stated" in e.what
    ]


def test_page_1_prints_the_number_of_the_list(opened):
    left = still_open(opened)
    *_, sign_off = signed(Report(opened, Look()))
    assert f"{len(left)} open points" in sign_off.text
