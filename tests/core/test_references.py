"""The original itself beside the syntheses: what a sample, or the original coarsened, discloses, by the same rules."""

# Inside: draws of the original are counted, which no figure tells.

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from disclosure_core import (
    Chain,
    Coarsen,
    DisclosureError,
    Holdout,
    MergeLevels,
    Settings,
    Study,
    assess,
    demo,
    demonstration_holdout,
    open_review,
    start_demonstration,
)
from disclosure_core.comparison.candidates import DETAIL, USEFUL
from disclosure_core.comparison.sentences import OF_ORIGINAL, sentences
from disclosure_core.figures import risk_utility
from disclosure_core.review.parts import SYNTHETIC, Sample
from disclosure_core.review.references import DRAWS, drawn
from tests.saved import from_json, to_json

TENTH = Sample(10)
COARSER = Chain("coarser", (Coarsen("age", 5), MergeLevels("region", 500)), of_original=True)


@cache
def compared():
    whole = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    opened = whole.with_review(replace(whole.review, samples=(TENTH,), chains=(COARSER,)))
    return opened, opened.comparison()


@pytest.mark.slow
def test_a_sample_is_counted_as_its_records_are():
    """By dictionaries: each replicated unique of a sample is a person who is unique in the original."""
    opened, found = compared()
    sample = found[TENTH.name]
    original = demo.original()
    keys = [tuple(row) for row in original[list(demo.KEYS)].itertuples(index=False)]
    alone = {key for key, n in Counter(keys).items() if n == 1}
    samples = drawn(original, TENTH)
    assert [len(each) for each in samples] == [500] * DRAWS
    for frame, repu in zip(samples, sample.figures["repU", ""], strict=True):
        rows = [tuple(row) for row in frame[list(demo.KEYS)].itertuples(index=False)]
        once = {key for key, n in Counter(rows).items() if n == 1}
        assert repu == pytest.approx(100 * len(alone & once) / 5000)
        assert len(alone & once) == sum(row in alone for row in rows)
    alike = assess(Study(original, samples, demo.MISSING_CODES), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    for target, risk in alike.targets.items():
        assert (sample.figures["DiSCO", target] == risk.figures("DiSCO")).all()
    assert abs(sample.figures[USEFUL, ""].mean() - 0.9) < 0.05  # 1 − share: without replacement varies less
    assert np.isnan(sample.figures[DETAIL, ""]).all()
    assert sample.above["repU", ""].mean() == pytest.approx(sample.figures["repU", ""].mean())
    assert opened.is_compared()


@pytest.mark.slow
def test_the_original_coarsened_discloses_what_it_tells_of_itself():
    _, found = compared()
    own = found["original, coarser"]
    for target in own.targets:
        assert own.figures["DiSCO", target] == pytest.approx(own.figures["Dorig", target])
    assert own.figures["repU", ""] == pytest.approx(own.figures["UiO", ""])
    assert own.figures["UiO", ""].mean() == pytest.approx(found["coarser"].figures["UiO", ""].mean())
    assert own.figures[DETAIL, ""].mean() == pytest.approx(found["coarser"].figures[DETAIL, ""].mean())
    assert found.references[1].startswith("'original, coarser': the original itself after these safeguards")


def test_safeguards_that_do_not_fit_are_said_of_the_sets_and_of_the_original():
    opened = start_demonstration()
    chain = Chain("bad", (MergeLevels("age", 500),), of_original=True)
    review = replace(opened.review, chains=(chain,), targets=("abroad",))
    assert opened.with_review(review).comparison().left_out == (
        "'bad' cannot be done on 'synthetic data': 'age' is numeric; put it into groups instead.",
        "'bad' cannot be done on the original: 'age' is numeric; put it into groups instead.",
    )


def test_no_sentence_calls_a_sample_more_useful_and_the_map_marks_it():
    _, found = compared()
    said = " ".join(sentences(found, SYNTHETIC, TENTH.name))
    assert "more useful of the two" not in said
    assert "beside a sample it does not say which is more useful" in said
    assert "own answers are shown to be in '10 %" not in said
    assert OF_ORIGINAL in sentences(found, SYNTHETIC, "original, coarser")
    plot = risk_utility.describe(found)
    assert [p.label for p in plot.points if p.reference] == [TENTH.name, "original, coarser"]
    assert "A cross: the original itself" in plot.caption
    assert found.worst_target == "abroad"


@pytest.mark.slow
def test_a_sample_is_part_of_the_review():
    opened, found = compared()
    again = open_review(from_json(to_json(opened.review)))
    assert again.review == opened.review
    assert again.comparison().table().equals(found.table())
    other = opened.with_review(replace(opened.review, samples=(Sample(10, 2),)))
    assert not other.is_compared()
    name = "10 % sample of the original, seed 2"
    assert other.comparison()[name].figures["repU", ""].tolist() != found[TENTH.name].figures["repU", ""].tolist()


@pytest.mark.parametrize("share", [0, 100, -1, float("nan")])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(DisclosureError, match="A sample has a share above 0 and below 100 %"):
        Sample(share)


def test_a_sample_of_nobody_is_left_out_with_a_sentence():
    with pytest.raises(DisclosureError, match=r"of 5,000 records holds none; choose a larger share"):
        drawn(demo.original(), Sample(0.001))
    opened = start_demonstration()
    found = opened.with_review(replace(opened.review, samples=(Sample(0.001),))).comparison()
    assert "records holds none" in found.left_out[0]
