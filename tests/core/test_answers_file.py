"""A file of answers: what is written comes back, nothing is answered by silence, and no verdict outlives its figure."""

# Inside: a file of answers is filled in and read without a command, each fault on its own.

import json
import tomllib
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Exclusions, KeySet, Limit, Limits, Motive, ThreatModel, start_tables
from disclosure_core.review import saved
from disclosure_core.review.about import OFFICER
from disclosure_core.review.answers import nobody_answered, template, with_answers
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
    return saved.parts_of(text, "answers.toml")


def place(answers, target, intruder="a neighbour"):
    """The row of a verdict that can be given, in a file as it is written."""
    return answers["verdicts"][intruder][target]


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
    written = template(started.with_review(full))
    for form in (read(written), saved.parts_of(json.dumps(tomllib.loads(written)))):
        back = with_answers(started.with_review(bare), form, "2026-11-24").review
        assert back == full


def filled_in(opened):
    """A file of answers as a person sees it, by name."""
    return tomllib.loads(template(opened))


def given_by(opened, answers, when=""):
    return with_answers(opened, saved.parts_of(json.dumps(answers)), when)


def test_a_verdict_of_another_figure_is_refused_until_somebody_looks(opened):
    given_ = opened.with_review(judged(opened, ["t"], "leak", "seen", "2026-01-01"))
    filled = filled_in(given_)
    at = place(filled, "t")["at"]
    moved = given_.with_review(replace(given_.review, reasons={"t = z": "everybody knows"}))
    with pytest.raises(DisclosureError, match=rf"judged {at:g} %; it is .+ % now: look at it, and write at = "):
        given_by(moved, filled)
    # The template of the review as it is now keeps the figure that was judged: it confirms nothing by itself.
    assert place(filled_in(moved), "t")["at"] == at
    with pytest.raises(DisclosureError, match="look at it"):
        given_by(moved, filled_in(moved))
    unjudged = opened.with_review(replace(moved.review, verdicts=()))
    place(filled, "t")["at"] = place(filled_in(unjudged), "t")["at"]
    (confirmed,) = given_by(moved, filled, "2026-02-02").verdicts()
    assert confirmed.stands
    assert confirmed.verdict.stamp.when == "2026-02-02"


@pytest.mark.parametrize(
    ("reason", "when"), [("seen", "2026-01-01"), ("a rule", "2026-02-02"), ("too many", "2026-02-02")]
)
def test_a_verdict_that_was_given_before_keeps_its_date(opened, reason, when):
    given_ = opened.with_review(judged(opened, ["t"], "leak", "seen", "2026-01-01"))
    filled = filled_in(given_)
    place(filled, "t")["reason"] = reason
    (only,) = given_by(given_, filled, "2026-02-02").review.verdicts
    assert (only.verdict, only.reason, only.stamp.when) == ("leak", reason, when)


def test_a_verdict_is_that_of_its_intruder(opened):
    filled = filled_in(opened)
    filled["about"]["Officer"] = "R. Novak"
    place(filled, "u", "an “employer”").update(verdict="acceptable", reason="seen by all")
    after = given_by(opened, filled, "2026-11-24")
    (only,) = after.review.verdicts
    assert (only.intruder, only.target, only.verdict, only.reason) == (
        "an “employer”",
        "u",
        "acceptable",
        "seen by all",
    )
    assert (only.stamp.who, only.stamp.when) == ("R. Novak", "2026-11-24")
    assert after.review.intruder == opened.review.intruder


def test_a_limit_is_an_answer_too(opened):
    """Its value, and whose it is; what the file does not say of it stays."""
    after = with_answers(opened, read('review = 3\n[limits.disco]\nrelative = 2.5\nowner = "panel"\n')).review.limits
    assert (after.disco.absolute, after.disco.relative, after.disco.owner) == (20, 2.5, "panel")
    assert after.dcap == Limit()


def test_nobody_answered_a_template(opened, tmp_path):
    file = tmp_path / "answers.toml"
    nobody = template(opened).replace("they pay them", "")
    file.write_text(nobody, encoding="utf-8")
    assert nobody_answered(file, nobody)
    file.write_text(nobody.replace('labelled = ""', 'labelled = "no"'), encoding="utf-8")
    assert not nobody_answered(file, nobody)


@pytest.mark.parametrize(
    "text", ["{}# the panel meets on Friday\n", "review = 3\n# the panel meets on Friday\n", "# a note\n", "review = 3"]
)
def test_a_comment_in_a_file_of_answers_is_somebodys(opened, tmp_path, text):
    file, nobody = tmp_path / "answers.toml", template(opened).replace("they pay them", "")
    file.write_text(text.format(nobody), encoding="utf-8")
    assert nobody_answered(file, nobody) is ("#" not in text and "{" not in text)


BAD = {
    "[relase]": "names no version. Begin it with review = 3",
    "review = 3\nabout = 3": "damaged at 'about'",
    "review = 3\n[about]\nNote = 3": "damaged at 'about.Note': Input should be a valid string",
    'review = 3\n[assumptions]\nlabelled = "perhaps"': "perhaps",
    'review = 3\n[assumptions]\nlabeled = "yes"': "Did you mean 'labelled'?",
    'review = 3\n[threat_model]\nsame_population = "maybe"': "The answer to 'same_population' is yes or no, not 'maybe'.",
    'review = 3\n[threat_model]\nmotive = "greed"': "The motive 'greed' is not one of those asked for.",
    "review = 3\n[threat_model]\npopulation_size = 0": "whole number of people",
    "review = 3\n[threat_model]\npopulation_size = 1.5": "damaged at 'threat_model.population_size'",
    'review = 3\n[threat_model]\nmood = "x"': "a part 'mood' that is not known",
    "review = 3\nreleased = { one = [3] }": "a list of numbers from 1 to 2",
    "review = 3\nreleased = { one = 1 }": "a list of numbers from 1 to 2",
    "review = 3\nreleased = { one = [true] }": "a list of numbers from 1 to 2",
    'review = 3\n[limits.dcap]\nowner = "x"': "there are none; add --limit",
    'review = 3\n[limits.disco.context]\nmood = "x"': "There is no dimension 'mood' of context",
    'review = 3\n[reasons]\nweather = "x"': "What has a reason, 'weather' is not in .reasons.",
    'review = 3\n[intruders]\nnobody = "x"': "The intruder 'nobody' is not in .intruders.",
    'review = 3\n[verdicts.nobody.t]\nverdict = "leak"': "The intruder 'nobody' is not in .verdicts.",
    'review = 3\n[verdicts."a neighbour".k]\nverdict = "leak"': "The target 'k' is not in",
    'review = 3\n[verdicts."a neighbour".t]\nverdict = "leaked"': "Did you mean 'leak'?",
    'review = 3\n[verdicts."a neighbour".t]\nverdict = "leak"': "does not say which figure it judged",
    'review = 3\n[verdicts."a neighbour".t]\nreason = "known"': r"\[verdicts.a neighbour.t\] has a reason and no verdict; give one",
    'review = 3\n[verdicts."a neighbour".t]\nverdict = "leak"\nat = true': "does not say which figure it judged",
    'review = 3\n[verdicts."a neighbour".t]\nverdict = "leak"\nat = nan': "look at it",
    'review = 3\n[verdicts."a neighbour".t]\nverdict = "leak"\nsince = 3': "The answer 'since' is not in",
    'review = 3\n[verdicts]\n"a neighbour" = "leak"': "is a table",
    # What is none of its answers.
    "review = 3\n[relased]\none = [1]": "a part 'relased' that is not known here .did you mean 'released'",
    "review = 3\n[released]\ntwo = [1]": "The set of syntheses 'two' is not in .released.",
    'review = 3\n[released]\none = ["1"]': "a list of numbers from 1 to 2",
    'review = 3\n[about]\nNotes = "x"': "The answer 'Notes' is not in .about.. Did you mean 'Note'?",
    'review = 3\n[scope]\nlimits = "perhaps"': "The answer to 'limits' is yes or no, not 'perhaps'.",
    'review = 3\n[scope]\nlimit = "no"': "Did you mean 'limits'?",
    "review = 3\n[limits.disco]\nabsolut = 3": "a part 'absolut' that is not known here .did you mean 'absolute'",
    "review = 3\n[limits.disco]\nabsolute = 0.5": "Write as_written = true beside the first, or else the second",
    "review = 3\n[limits.disco]\nabsolute = 300": "A limit of DiSCO is from 0 to 100",
    'review = 3\n[limits.disco]\nabsolute = "20"': "damaged at 'limits.disco.absolute'",
    'review = 3\n[limits.DiSCO]\nowner = "x"': "a part 'DiSCO' that is not known here .did you mean 'disco'",
    "review = 3\ntau = 0.8": "'tau' says what is asked, and no answer: give it by --settings",
    "review = 3\n[[intruders]]\nname = 'a neighbour'\nkeys = ['k']": "The keys of an intruder are asked, and no answer",
    "review = 3\nverdicts = [3]": "A verdict in the answers is a table",
    "review = 3\nverdicts = [{ intruder = 'a neighbour', target = 't', verdict = 'leak', synthesis_set = 'x' }]": "of another set",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_answer_is_one_sentence(opened, text):
    with pytest.raises(DisclosureError, match=BAD[text]) as said:
        with_answers(opened, read(text))
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.toml", b"x = ", "a.toml cannot be read"), ("a.json", b"{", "not valid JSON"),
        ("a.json", b"[1]", "names no version"), ("a.toml", b"\xff\xfe\x00", "not text in UTF-8"),
        ("a.json", b"[" * 100_000, "not valid JSON"), ("a.toml", b"#" * (saved.LARGEST + 1), "larger than 10 MB"),
        ("a.toml", b"x = " + b"[" * 5_000, "nested too deeply"), ("a.toml", b"x = 1\nx = 2", "Cannot overwrite a value"),
        ("a.json", b'{"reasons": {"k": "a", "k": "b"}}', "gives 'k' twice in one place"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_one_sentence(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DisclosureError, match=said):
        saved.read(tmp_path / name)
    with pytest.raises(DisclosureError, match="cannot be read"):
        saved.read(tmp_path / "missing.toml")
