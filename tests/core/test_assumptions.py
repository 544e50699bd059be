"""What the measures assume: answered or not, kept, and said where it does not hold."""

from dataclasses import replace

import pytest

from disclosure_core import DisclosureError, start_demonstration
from disclosure_core.review.assumptions import QUESTIONS, checked, follows, table
from tests.reports import report_of, to_html, ungrouped


def test_what_is_not_answered_is_said_so():
    assert [answer for _, answer in table({})] == ["not answered"] * 3
    assert [answer for _, answer in table({"labelled": "no"})] == ["not answered", "not answered", "no"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_what_follows_is_said_only_where_the_answer_is_no(question):
    assert follows({question.name: "no"}) == (question.if_no,)
    assert follows({question.name: "yes"}) == follows({question.name: ""}) == ()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"all": "yes"}, "Assumption 'all' is not one that is asked about"),
        ({"labelled": "perhaps"}, "The answer to 'labelled' is yes or no, not 'perhaps'"),
    ],
)
def test_a_wrong_answer_is_a_sentence(answers, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        checked(answers)


@pytest.mark.slow
@pytest.mark.parametrize("shareable", [False, True])
def test_the_report_prints_answers_mends_and_agreement(shareable):
    opened = start_demonstration()
    columns = replace(opened.review.columns, mends={"sex": ("space",)})
    review = {"columns": columns, "assumptions": {"all-synthetic": "no", "labelled": "yes"}}
    opened = ungrouped(opened) if shareable else opened
    html = to_html(report_of(opened, opened.review.settings, review=review, shareable=shareable))
    for text in (
        "Is one row one person?", "not answered", QUESTIONS[0].if_no, "mended on all sides",
        *(["compared in 14 columns"] if not shareable else []),
    ):  # fmt: skip
        assert text in html
    assert QUESTIONS[2].if_no not in html
    assert ": not evaluated. " in html
