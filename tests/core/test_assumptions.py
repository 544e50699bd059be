"""What the measures assume: answered or not, kept, and said where it does not hold."""

import pytest

from disclosure_core import DisclosureError, Settings, assess
from disclosure_core.data import demo
from disclosure_core.report import FileRead, ReportInput, to_html
from disclosure_core.review.assumptions import QUESTIONS, checked, follows, table
from disclosure_core.review.remarks import remarks


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


@pytest.mark.parametrize("shareable", [False, True])
def test_the_report_prints_answers_mends_and_agreement(shareable):
    study = demo.study()
    found = assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS))
    given = ReportInput(
        study, found, [FileRead("Original", "o.csv", 5000)], shareable=shareable, remarks=remarks(study),
        mends={"sex": ("space",)}, assumptions={"all-synthetic": "no", "labelled": "yes"},
    )  # fmt: skip
    html = to_html(given)
    for text in (
        "Is one row one person?", "not answered", QUESTIONS[0].if_no, "mended on all sides", "compared in 14 columns",
    ):  # fmt: skip
        assert text in html
    assert QUESTIONS[2].if_no not in html
    assert ": not evaluated;" in to_html(ReportInput(study, found, []))
