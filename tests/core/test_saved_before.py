"""What an earlier version saved opens; where a figure that it judged is another now, the verdict is open.

The files in `files/saved_before` were written by commit d296bc7, by its command line and its `to_json`.
"""

# Inside: parts of files of older versions are read and put together one by one.

import contextlib
import io
import json
from pathlib import Path

import pytest

from disclosure_core import Review, Settings, open_review, start_demonstration
from disclosure_core.conclusions.standing import Standing
from disclosure_core.review.saved import parts_of, settings_of, with_parts
from tests.saved import from_json, to_json

BEFORE = Path(__file__).parent / "files" / "saved_before"


def opened(name):
    return open_review(BEFORE / f"{name}.json", BEFORE)


@pytest.mark.parametrize("name", ["tau", "codes", "round"])
def test_a_verdict_whose_figure_is_another_now_is_open(name):
    """As where the data are others: with what was decided, and its reason."""
    (given,) = opened(name).verdicts()
    assert given.standing is Standing.CONFIRM
    assert given.verdict.reason == "looked at"


def test_a_verdict_whose_figure_is_the_same_stands():
    found = open_review(BEFORE / "demonstration.json")
    assert found.differences == ()
    (given,) = found.verdicts()
    assert given.stands
    assert from_json(to_json(found.review)) == found.review


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


def test_settings_are_a_part_of_a_review():
    text = (BEFORE / "settings.json").read_text()
    review = Review.load(BEFORE / "settings.json")
    assert review.settings == Settings.from_json(text) == settings_of(text)
    assert review == with_parts(Review(), parts_of(text))
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


def test_settings_open():
    settings = Settings.from_json((BEFORE / "settings.json").read_text())
    assert set(settings.keys) == set(start_demonstration().review.keys)
