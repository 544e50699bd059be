"""A file of answers: what is written comes back, nothing is answered by silence, and no verdict outlives its figure."""

import json
import tomllib
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Exclusions
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.decision import Limit, Limits
from disclosure_core.holdout.threat_model import Motive, ThreatModel
from disclosure_core.review.answers import LARGEST, read_answers, template, with_answers
from disclosure_core.review.opening import start_tables
from disclosure_core.review.parts import KeySet
from disclosure_core.review.value import OFFICER
from disclosure_core.review.verdicts import judged

FRAME = pd.DataFrame({"k": list("aabbc") * 8, "j": list("xy") * 20, "t": list("xyxyz") * 8, "u": list("pq") * 20})


@pytest.fixture
def opened():
    started = start_tables(FRAME, {"one": [FRAME, FRAME.iloc[:30]]})
    sets = (KeySet("a neighbour", ("k",)), KeySet("an “employer”", ("k", "j"), "they pay them"))
    return started.with_review(
        replace(
            started.review, intruders=sets, intruder="a neighbour", limits=Limits(Limit(20, 3)),
            exclusions=Exclusions(target_levels={"t": ["z"]}),
        )
    )  # fmt: skip


def read(text):
    return tomllib.loads(text)


def test_an_empty_file_of_answers_changes_nothing(opened):
    assert with_answers(opened, read(template(opened))).review == opened.review


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12).filter(str.strip)


@given(
    st.dictionaries(st.sampled_from(["Note", "Decision to be taken", "Group harm and ethics"]), texts),
    st.dictionaries(st.sampled_from(["all-synthetic", "labelled"]), st.sampled_from(["yes", "no"])),
    st.dictionaries(st.sampled_from(["k", "j", "t = z"]), texts),
    st.sampled_from([*Motive, None]), st.integers(100, 10**9), st.sampled_from([True, False, None]), texts,
)  # fmt: skip
def test_what_is_answered_is_written_and_comes_back(about, assumptions, reasons, motive, size, news, who):
    started = start_tables(FRAME, {"one": [FRAME]})
    bare = replace(
        started.review, intruders=(KeySet("a", ("k", "j")),), intruder="a", exclusions=Exclusions({"t": ["z"]})
    )
    full = replace(
        bare, about={**about, OFFICER: who}, assumptions=assumptions, reasons=reasons, released={"one": (1,)},
        threat_model=ThreatModel("", size, who, news=news, motive=motive),
    )  # fmt: skip
    full = judged(started.with_review(full), ["t"], "leak", who, "2026-11-24")
    written = read(template(started.with_review(full)))
    for form in (written, json.loads(json.dumps(written))):
        back = with_answers(started.with_review(bare), form, "2026-11-24").review
        assert back == full


def test_a_verdict_of_another_figure_is_refused_until_somebody_looks(opened):
    given_ = opened.with_review(judged(opened, ["t"], "leak", "seen", "2026-01-01"))
    filled = read(template(given_))
    at = filled["verdicts"]["a neighbour"]["t"]["at"]
    moved = given_.with_review(replace(given_.review, reasons={"t = z": "everybody knows"}))
    with pytest.raises(DisclosureError, match=rf"judged {at:g} %; it is .+ % now: look at it, and write at = "):
        with_answers(moved, filled)
    # The template of the review as it is now keeps the figure that was judged: it confirms nothing by itself.
    assert read(template(moved))["verdicts"]["a neighbour"]["t"]["at"] == at
    with pytest.raises(DisclosureError, match="look at it"):
        with_answers(moved, read(template(moved)))
    filled["verdicts"]["a neighbour"]["t"]["at"] = read(
        template(opened.with_review(replace(moved.review, verdicts=())))
    )["verdicts"]["a neighbour"]["t"]["at"]
    (confirmed,) = with_answers(moved, filled, "2026-02-02").verdicts()
    assert confirmed.stands
    assert confirmed.verdict.stamp.when == "2026-02-02"


@pytest.mark.parametrize(
    ("reason", "when"), [("seen", "2026-01-01"), ("a rule", "2026-02-02"), ("too many", "2026-02-02")]
)
def test_a_verdict_that_was_given_before_keeps_its_date(opened, reason, when):
    given_ = opened.with_review(judged(opened, ["t"], "leak", "seen", "2026-01-01"))
    filled = read(template(given_))
    filled["verdicts"]["a neighbour"]["t"]["reason"] = reason
    (only,) = with_answers(given_, filled, "2026-02-02").review.verdicts
    assert (only.verdict, only.reason, only.stamp.when) == ("leak", reason, when)


def test_a_verdict_is_that_of_its_intruder(opened):
    filled = read(template(opened))
    filled["officer"] = "R. Novak"
    filled["verdicts"]["an “employer”"]["u"] |= {"verdict": "acceptable", "reason": "seen by all"}
    after = with_answers(opened, filled, "2026-11-24")
    (only,) = after.review.verdicts
    assert (only.intruder, only.target, only.verdict, only.reason) == (
        "an “employer”",
        "u",
        "acceptable",
        "seen by all",
    )
    assert (only.stamp.who, only.stamp.when) == ("R. Novak", "2026-11-24")
    assert after.review.intruder == opened.review.intruder


BAD = {
    "[relase]": "The part 'relase' is not of a file of answers. Did you mean 'release'?",
    "release = 3": r"\[release\] in a file of answers is a table",
    '[release]\n"Notes" = "x"': "The answer 'Notes' is not in .release.. Did you mean 'Note'?",
    "[release]\nNote = 3": "The answer to 'Note' in .release. is a text",
    '[assumptions]\nlabelled = "perhaps"': "perhaps",
    '[assumptions]\nlabeled = "yes"': "Did you mean 'labelled'?",
    '[membership]\nsame-population = "maybe"': "The answer to 'same-population' is yes or no, not 'maybe'.",
    '[membership]\nmotive = "greed"': "The motive 'greed' is not one of those asked for.",
    "[membership]\npopulation-size = 0": "whole number of people",
    "[membership]\npopulation-size = 1.5": "whole number of people",
    "released = [3]": "a list of numbers from 1 to 2",
    "released = 1": "a list of numbers from 1 to 2",
    "released = [true]": "a list of numbers from 1 to 2",
    '[limits.DCAP]\nowner = "x"': "there are none; add --limit",
    '[limits.DiSCO]\nmood = "x"': "The answer 'mood' is not in .limits.DiSCO.",
    '[reasons]\nweather = "x"': "What has a reason, 'weather' is not in .reasons.",
    '[intruders]\nnobody = "x"': "The intruder 'nobody' is not in .intruders.",
    '[verdicts.nobody.t]\nverdict = "leak"': "The intruder 'nobody' is not in .verdicts.",
    '[verdicts."a neighbour".k]\nverdict = "leak"': "The target 'k' is not in",
    '[verdicts."a neighbour".t]\nverdict = "leaked"': "Did you mean 'leak'?",
    '[verdicts."a neighbour".t]\nverdict = "leak"': "does not say which figure it judged",
    '[verdicts."a neighbour".t]\nverdict = "leak"\nat = true': "does not say which figure it judged",
    '[verdicts."a neighbour".t]\nverdict = "leak"\nat = nan': "look at it",
    '[verdicts]\n"a neighbour" = "leak"': "is a table",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_answer_is_one_sentence(opened, text):
    with pytest.raises(DisclosureError, match=BAD[text]) as said:
        with_answers(opened, read(text))
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.toml", b"x = ", "cannot be read as answers"), ("a.json", b"{", "cannot be read as answers"),
        ("a.json", b"[1]", "holds no answers by name"), ("a.toml", b"\xff\xfe\x00", "not text in UTF-8"),
        ("a.json", b"[" * 100_000, "nested too deeply"), ("a.toml", b"#" * (LARGEST + 1), "larger than 1 MB"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_one_sentence(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DisclosureError, match=said):
        read_answers(tmp_path / name)
    with pytest.raises(DisclosureError, match="cannot be read"):
        read_answers(tmp_path / "missing.toml")
