"""What an earlier version saved opens; where a figure that it judged was corrected since, that is said, and it is open.

The files in `files/saved_before` were written by commit d296bc7, by its command line and its `to_json`; a file of
answers was filled in by hand (`answers_filled.toml`), and saved with the review (`answered.json`).
"""

# Inside: parts of files of older versions are read and put together one by one.

import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from disclosure_core import Limit, Limits, Review, Settings, ThreatModel, open_review, start_demonstration
from disclosure_core.conclusions.standing import Standing
from disclosure_core.review.answers import with_answers
from disclosure_core.review.editions import corrected
from disclosure_core.review.saved import as_parts, parts_of, read, settings_of, with_parts
from disclosure_core.review.value import EDITION
from tests.saved import carry_over, from_json, to_json

BEFORE = Path(__file__).parent / "files" / "saved_before"


def opened(name):
    return open_review(BEFORE / f"{name}.json", BEFORE)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tau", ("0.00 % (ps ≥ 1)", "33.33 % now", "τ = 1 this is DiSCO")),
        ("codes", ("was given at 0.00 %", "'sex' do not meet")),
        ("out", ("figures of people outside may have moved",)),
    ],
)
def test_a_corrected_figure_is_named_and_its_verdict_is_open(name, said):
    found = opened(name)
    (sentence,) = [text for text in found.differences if text.startswith("The verdict on")]
    sentence = sentence.replace("\u00a0", " ")
    assert all(part in sentence for part in said)
    (given,) = found.verdicts()
    assert given.standing is Standing.CONFIRM
    assert given.verdict.reason == "looked at"
    assert found.review.edition == EDITION


@pytest.mark.parametrize("name", ["tau", "codes", "out"])
def test_it_is_said_once(name):
    """What is saved now has been told; the verdict stays open."""
    found = opened(name)
    again = open_review(from_json(to_json(found.review)), BEFORE)
    assert not [text for text in again.differences if text.startswith("The verdict on")]
    assert [g.standing for g in again.verdicts()] == [Standing.CONFIRM]


@pytest.mark.parametrize("name", ["tau", "codes", "out"])
def test_taken_up_on_open_data_it_is_said_too(name):
    now = opened(name)
    carried, _ = carry_over(Review.load(BEFORE / f"{name}.json"), now)
    found = corrected(now.with_review(carried)).differences[len(now.differences) :]
    assert len(found) == 1


def test_a_safeguard_that_does_otherwise_now_is_named():
    """Rounding took halves to the even multiple, and claims of Missing stayed: files and figure are others now."""
    files, verdict = opened("round").differences
    assert files.startswith("The safer files of 'safe' are made anew and may not be those that were handed out before")
    assert "takes halves away from zero" in files
    assert "removes those of Missing" in files
    assert "which is" in verdict
    assert "takes halves away from zero" in verdict
    assert open_review(from_json(to_json(opened("round").review)), BEFORE).differences == ()


def test_limits_without_a_verdict_are_named_too():
    before = Review.load(BEFORE / "out.json")
    unjudged = replace(before, verdicts=(), limits=Limits(disco=Limit(5.0, 1.0)))
    (sentence,) = open_review(unjudged, BEFORE).differences
    assert sentence.startswith("What the limits say of safe may have moved")
    assert open_review(replace(before, verdicts=()), BEFORE).differences == ()


def test_what_no_correction_touched_stands_without_a_word():
    found = open_review(BEFORE / "demonstration.json")
    assert found.differences == ()
    (given,) = found.verdicts()
    assert given.stands
    assert from_json(to_json(found.review)) == found.review


def test_a_review_of_this_edition_is_left_as_it_is():
    found = open_review(BEFORE / "demonstration.json")
    assert corrected(found) is found


REVIEWS = ("answered", "codes", "demonstration", "out", "round", "sets", "strongest", "tau")


@pytest.mark.parametrize("name", REVIEWS)
def test_a_saved_review_holds_what_it_held(name):
    """Each part of it, and saved again it is stable; what is new since then is as usual."""
    before = json.loads((BEFORE / f"{name}.json").read_text(encoding="utf-8"))
    review = Review.load(BEFORE / f"{name}.json")
    text = to_json(review)
    assert to_json(from_json(text)) == text
    now = json.loads(text)

    def holds(was, part):
        if isinstance(was, dict):
            return all(name in part and holds(each, part[name]) for name, each in was.items())
        if isinstance(was, list):
            return len(was) == len(part) and all(map(holds, was, part))
        return part == was

    assert holds(before, now)
    assert review.edition == 1


def test_a_file_of_answers_says_what_was_saved_of_it():
    """In TOML and in JSON: what d296bc7 made of it, this version does."""
    saved, plain = Review.load(BEFORE / "answered.json"), open_review(BEFORE / "answered.json", BEFORE)
    bare = plain.with_review(
        replace(plain.review, about={}, released={}, assumptions={}, reasons={}, verdicts=(), threat_model=ThreatModel(),
                intruders=tuple(replace(k, reason="") for k in saved.intruders),
                limits=replace(saved.limits, disco=replace(saved.limits.disco, owner="", context={})))
    )  # fmt: skip
    for name in ("answers_filled.toml", "answers_filled.json"):
        found = with_answers(bare, read(BEFORE / name), "2026-11-28").review
        assert as_parts(found) == as_parts(saved) | {"edition": EDITION, "original": as_parts(found)["original"],
                                                     "sets": as_parts(found)["sets"]}  # fmt: skip


def test_settings_are_a_part_of_a_review():
    text = (BEFORE / "settings.json").read_text()
    review = Review.load(BEFORE / "settings.json")
    assert review.settings == Settings.from_json(text) == settings_of(text)
    assert review == with_parts(Review(), parts_of(text))
    assert review.edition == EDITION
    now = start_demonstration().review
    assert with_parts(now, parts_of(text)).columns == now.columns  # of which settings say nothing


def test_a_script_runs(monkeypatch):
    """Its review stands in it; the names that it imports are there."""
    monkeypatch.chdir(BEFORE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile((BEFORE / "script.txt").read_text(encoding="utf-8"), "script", "exec"), {})
    assert "summary" in printed.getvalue()
    assert "DiSCO against Dorig" in printed.getvalue()


def test_settings_and_answers_open():
    settings = Settings.from_json((BEFORE / "settings.json").read_text())
    assert set(settings.keys) == set(start_demonstration().review.keys)
    answers = read(BEFORE / "answers.toml")
    found = with_answers(start_demonstration(), answers)
    assert replace(found.review, about={}) == replace(start_demonstration().review, about={})
