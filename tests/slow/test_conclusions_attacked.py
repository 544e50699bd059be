"""Two hundred studies of known truth go through report, page, JSON and command line: what stands there may be said.

The oracle (`tests/reference/attacked.py`) counts by loops which sentences a study carries; every channel's text is then
searched for all of them, with their numbers. More by hand: `ATTACKED=5000 pytest -m slow` and this file.
"""

import csv
import io
import json
import os
import re
from dataclasses import replace

import pytest
import streamlit as st

from disclosure_core import Limit, Limits, Motive, NotEvaluated, Settings, ThreatModel, read_holdout, start
from disclosure_core.conclusions.difference import Saying, sentences
from disclosure_core.review.about import ABOUT
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.verdicts import judged
from tests.commands import disclosure
from tests.pages.conftest import App
from tests.reference.attacked import COLUMNS, KEYS, KINDS, RENAMED, TARGET, drawn, truth
from tests.reports import Look, assemble, blocks, evaluated
from tests.slow.test_snapshots import shown, told

MANY = int(os.environ.get("ATTACKED", "200"))
BLOCK = 10

SAID = {
    Saying.MORE: "percentage points more than for people outside",
    Saying.FEWER: "percentage points fewer than for people outside",
    Saying.NO_DIFFERENCE_SHOWN: "No difference from people outside is shown",
    Saying.KEYS_MORE_OFTEN: "keys occur in the synthetic data more often",
    Saying.RIGHT_MORE_OFTEN: "Claims about members are right more often",
    Saying.RIGHT_LESS_OFTEN: "Claims about members are right less often",
    Saying.NO_PARTS: "The parts of the difference are not evaluated",
    Saying.OWN_ANSWER: "percentage points more often",
    Saying.NOT_SHOWN: "own answers are in the synthetic data is not shown",
    Saying.NOT_EVALUATED: "whether answers leaked was not evaluated",
    Saying.OTHER_PEOPLE: "the difference may be one of populations",
}
"""What each conclusion is known by, wherever it stands."""

NEVER = re.compile(
    r"\b(no leak|nothing leaked|not leaked|is what leaked|did not leak|no risk|without risk|harmless"
    r"|(?:is|are|be|now) (?:safe|protected|anonymous))\b"
)
"""What no figure carries."""


def text_of(rows, columns):
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return made.getvalue().encode()


def files(study):
    """Return the files of a study by name: original, syntheses, and the holdout where there is one."""
    names = COLUMNS if study.renamed is None else (*COLUMNS, RENAMED)
    made = {"o.csv": text_of(study.original, names)}
    for i, rows in enumerate(study.syntheses):
        made[f"s{i}.csv"] = text_of(rows, (*COLUMNS, "pay") if i == study.renamed else names)
    return made | ({} if study.holdout is None else {"h.csv": text_of(study.holdout, names)})


def opened_of(study, number):
    """Return the review: with limits for every third study, untouched or with everything answered for the others."""
    made = files(study)
    synthetic = [(name, data) for name, data in made.items() if name.startswith("s")]
    opened = start(("o.csv", made["o.csv"]), {"synthetic data": synthetic})
    if study.holdout is not None:
        opened = opened.with_holdout(*read_holdout("h.csv", made["h.csv"]))
    review = opened.review.with_settings(Settings(keys=KEYS))
    if study.holdout is not None:
        review = replace(review, holdout=replace(review.holdout, random=study.random))
    if number % 3 == 1:
        review = replace(review, limits=limits_of(number))
    if number % 3 == 2:
        review = replace(
            review, limits=limits_of(number), assumptions={q.name: "yes" for q in QUESTIONS},
            about=dict.fromkeys(ABOUT, "said"), searched=frozenset({"membership"}),
            threat_model=ThreatModel("adults", 1_000_000, "register", True, True, None, Motive.RECOGNITION),
        )  # fmt: skip
        opened = opened.with_review(review)
        review = judged(opened, [TARGET], "acceptable", "so")
    return opened.with_review(review)


def limits_of(number):
    return Limits(Limit(5 * (number % 5), number % 7, "our board", "as ever"))


def plain(lines):
    """Return text without the marks of Markdown, with one kind of apostrophe, minus and space."""
    text = re.sub(r"\\(.)", r"\1", "\n".join(lines))
    return text.replace("’", "'").replace("−", "-").replace("\xa0", " ").replace("**", "")


def stands(text):
    """Return which conclusions a text has."""
    return {saying.value for saying, words in SAID.items() if words.replace("’", "'") in text}


def numbers_fit(text, true):
    """Fail where a number in a conclusion is not the oracle's."""

    def same(shown, exact):
        return abs(float(shown) - 100 * exact) <= 0.05 + 1e-9

    ends = r"\((-?[\d.]+) to (-?[\d.]+)\)"
    for points, low, high in re.findall(rf"([\d.]+) percentage points more than for people outside {ends}", text):
        assert any(all(map(same, (points, low, high), exact)) for exact in true.differences)
    for share, points, low, high in re.findall(
        rf"same keys \((\d+) % of members\), members are disclosed correctly ([\d.]+) percentage points more often {ends}",
        text,
    ):
        assert abs(float(share) - 100 * true.compared) <= 0.5 + 1e-9
        assert same(points, true.m)
        assert same(low, true.m_interval[0])
        assert same(high, true.m_interval[1])
    for points, share in re.findall(
        r"is not shown: at most ([\d.]+) percentage points among the (\d+) % of members compared", text
    ):
        assert abs(float(share) - 100 * true.compared) <= 0.5 + 1e-9
        assert true.maybe or same(points, max(true.m_interval[1], 0.0))


def outcome(study, true, limits):
    """Return where DiSCO stands against limits, by R10: above both, or not; nobody says without people outside."""
    if study.holdout is None or true is None:
        return "not evaluated"
    over = 100 * true.members > limits.absolute + 1e-9
    return "above" if over and 100 * (true.members - true.outside) > limits.relative + 1e-9 else "within"


def called(study, folder):
    """Return what the command line prints of the files."""
    for name, data in files(study).items():
        (folder / name).write_bytes(data)
    outside = []
    if study.holdout is not None:
        words = {True: ["--holdout-is", "random-part"], False: ["--holdout-is", "other-people"], None: []}
        outside = ["--holdout", str(folder / "h.csv"), *words[study.random]]
    syntheses = [str(folder / f"s{i}.csv") for i in range(len(study.syntheses))]
    done = disclosure("assess", str(folder / "o.csv"), *syntheses, "--keys", ",".join(KEYS), *outside)
    assert done.exit_code == 0, done.stderr
    return plain((done.stdout + done.stderr).splitlines())


def people_outside(app):
    return app.page("compare").set("radio", "compare.view", "People outside")


def attacked(number, folder):
    """Send one study through everything."""
    study = drawn(number)
    true, opened = truth(study), opened_of(study, number)
    has = not isinstance(evaluated(opened.attribute_baseline), NotEvaluated)
    assert has == true.evaluated, (number, "whether there is a baseline")
    either = true.disco | true.dcap | true.maybe
    if has:
        for measure, allowed in (("DiSCO", true.disco), ("DCAP", true.dcap)):
            said = {s.saying.value for s in sentences(opened.attribute_baseline(), TARGET, measure)}
            assert said - true.maybe == allowed, (number, study.kind, measure)
    report = plain(line for block in blocks(assemble(opened, Look(cells=True))) for line in told(block))
    st.cache_data.clear()
    app = App()
    app.hold(opened)
    channels = {
        "report": report,
        "review": plain(shown(app.page("review"))),
        "compare": plain(shown(people_outside(app))),
        "command line": called(study, folder),
    }
    figures = json.loads(opened.to_json())
    channels["JSON"] = plain(str(figures).splitlines())
    for name, text in channels.items():
        where = (number, study.kind, name)
        assert stands(text) <= either, where
        assert not (found := NEVER.search(text.lower())), (*where, found)
        assert ("would guess" not in text) or true.commonest > 0.5, where
        if has:
            numbers_fit(text, true)
        assert ("Were these people synthesised as well" in text) <= true.doubted, where
        if study.renamed is not None and name in ("report", "command line"):
            assert RENAMED in text, where
    if has:
        assert true.disco - true.maybe <= stands(report) | stands(channels["compare"])
        assert true.doubted == ("Were these people synthesised as well" in report)
    by_target = report.partition("\nMeasure and target | ")[2].splitlines()
    row = next(line for line in by_target if re.match(rf"DiSCO of {TARGET}\b", line))
    limits = opened.review.limits.disco
    if number % 3 == 0:
        assert "Measured, not judged" in report
        assert not re.search(r"\b(above|within)\b", row), (number, row)
        assert "0 | verdicts recorded" in report
    else:
        assert "Measured, not judged" not in report
        assert outcome(study, true if has else None, limits) in row.split(" | ")[-1], (number, row)


@pytest.mark.parametrize("block", range(0, MANY, BLOCK))
def test_no_channel_says_more_than_a_study_of_known_truth_carries(block, tmp_path):
    for number in range(block, min(block + BLOCK, MANY)):
        attacked(number, tmp_path)


def test_what_may_be_said_happens_often_enough_to_be_tried():
    studies = [drawn(number) for number in range(200)]
    said = [saying for study in studies for saying in truth(study).disco]
    assert {study.kind for study in studies} == set(KINDS)
    for saying in set(Saying) - {Saying.FEWER, Saying.RIGHT_LESS_OFTEN}:
        assert said.count(saying.value) >= 5, saying
