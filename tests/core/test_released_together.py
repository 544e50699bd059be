"""Which syntheses are released together, and that every figure of it that leaves was counted by somebody else."""

# Inside: the review's part that searches together, and items of the checklist without a report.

from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import DisclosureError, NotEvaluated, Settings, start_demonstration, start_tables
from disclosure_core.report import releases
from disclosure_core.report.checklist import items
from disclosure_core.results import Together
from disclosure_core.review.combined import ONE_RELEASED, released_together
from disclosure_core.sensitivity.combined_release import ONE_SYNTHESIS, combined_attributes, combined_identity
from tests.core.test_verify import INTERVALS, everything
from tests.reports import Report, answer
from tests.written import about, names_of_sheets, of_review, sheets

ON_RELEASES = [
    "tau_curves",
    "under_k",
    "classes",
    "diversity",
    "combined_identity",
    "combined_attributes",
    "copies",
    "identifiers",
]


def released(*numbers):
    opened = start_demonstration()
    return opened.with_review(replace(opened.review, released={opened.first_set: numbers}))


@pytest.mark.parametrize(
    ("numbers", "together", "stated"),
    [
        ((), (1, 2, 3, 4, 5), False),
        ((2, 4), (2, 4), True),
        ((1, 5), (1, 5), True),
        ((3,), (3,), True),
        ((2, 9), (2,), True),
        ((9,), (1, 2, 3, 4, 5), False),
        ((2, 4, 9), (2, 4), True),
    ],
)
def test_those_stated_are_released_together_or_all(numbers, together, stated):
    opened = released(*numbers)
    assert released_together(opened) == together
    assert answer(opened).released == (together if stated else ())
    found = Together.of(opened)
    if len(together) == 1:
        assert found is ONE_RELEASED
        return
    assert not isinstance(found, NotEvaluated)
    assert found.stated is stated
    alone = opened.assessment().identity["repU"].loc[list(together)]
    assert [found.identity[n] for n in ("alone", "alone_min", "alone_max")] == [alone.mean(), alone.min(), alone.max()]


@pytest.mark.parametrize(
    ("numbers", "of_page_1"),
    [((), "If all are released"), ((9,), "If all are released"), ((2, 4), "Released together")],
)
def test_nothing_that_leaves_says_that_a_synthesis_is_released_that_there_is_not(numbers, of_page_1):
    opened = released(*numbers)
    source = Report(opened)
    assert [label for label, _ in releases.in_short(source)] == [of_page_1]
    sheet = about(opened, ())
    said = sheet.loc[sheet["what"] == "synthesis that is released", "is"]
    assert list(said) == [f"Synthesis {n}" for n in numbers if n < 6]
    assert (items(source)[2] == "not stated") == (not source.answer.released)


def test_two_of_five_are_what_a_study_of_these_two_has():
    """Numbers are not grouped, for the breaks of groups are those of all files together."""
    original, *synthetic = start_demonstration().frames()
    asked = Settings(keys=("sex", "age", "region"), targets=("abroad", "marital", "education"))
    of_five, of_two = (
        opened.with_review(opened.review.with_settings(asked)).assessment()
        for opened in (start_tables(original, synthetic), start_tables(original, [synthetic[1], synthetic[3]]))
    )
    assert combined_identity(of_five, (4, 2, 2)) == pytest.approx(combined_identity(of_two))
    pd.testing.assert_frame_equal(combined_attributes(of_five, (2, 4)), combined_attributes(of_two))
    assert combined_identity(of_five, (4,)) is ONE_SYNTHESIS
    with pytest.raises(DisclosureError, match="There are syntheses 1 to 5"):
        combined_attributes(of_five, (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [(), (1, 3), (2,)])
def test_they_are_counted_again_by_the_second_counter(numbers):
    opened = everything()
    opened = opened.with_review(replace(opened.review, released={opened.first_set: numbers}))
    found = opened.verify()
    assert found.differ == ()
    assert all(what.endswith((*INTERVALS, "_low", "_high")) for what in found.not_counted), found.not_counted
    shown = [name for name in ON_RELEASES if name in of_review(opened)]
    assert shown == [name for name in ON_RELEASES if len(numbers) != 1 or not name.startswith("combined")]
    assert names_of_sheets(opened) == list(sheets(opened))
