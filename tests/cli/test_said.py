"""The command line says everything that the page says, on stderr and in the JSON; and mends as the page does."""

import json
import re
from html import unescape

import pandas as pd
import pytest

from disclosure_core import Columns, Review, Settings, Study, assess, demo
from tests.commands import disclosure
from tests.saved import to_json


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = tmp_path_factory.mktemp("said")
    frame = pd.DataFrame(
        {
            "sex": ["f", "m"] * 60,
            "age": [*range(20, 50)] * 4,
            "work": ["yes", "no", "NA"] * 40,
            "number": [f"P{i:03}" for i in range(120)],
            "income": [-8] * 12 + [*range(1000, 1108)],
        }
    )
    frame.to_csv(folder / "o.csv", index=False)
    frame.assign(work=frame["work"].str.upper() + " ", age=frame["age"][::-1].to_numpy()).to_csv(
        folder / "s.csv", index=False
    )
    demo.original().to_csv(folder / "demo.csv", index=False)
    for i, synthesis in enumerate(demo.syntheses()[:2], 1):
        synthesis.to_csv(folder / f"demo_{i}.csv", index=False)
    return folder


def run(office, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(office)
        done = disclosure("assess", *arguments, "--json", "out.json")
    assert done.exit_code == 0, done.stderr
    return done.stderr, json.loads((office / "out.json").read_text())


@pytest.mark.slow
def test_everything_is_said_on_both_ways_out(office):
    said, found = run(office, "o.csv", "s.csv", "--keys", "sex,number", "--group", "income=119")
    for warning in (
        "'work': the values of the original and of the synthetic data do not meet",
        "The synthetic data repeats 'sex', 'number', 'income' of the original record by record",
        "'number' has 120 levels in 120 records and looks like an identifier",
        "'number' has 120 levels in 120 records: as a key it singles out nearly everybody",
    ):
        assert f"Warning: {warning}" in said
        assert any(text.startswith(warning) for text in found["warnings"])
    for note in (
        "'work' holds 'NA' in 40 records: does it stand for an empty cell?",
        "'income' holds -8 in 12 original records",
        "'work': 3 levels only in the original: “",
        "'income' has 109 different values, no more than the 119 groups asked for",
    ):
        assert f"Note: {note}" in said
        assert any(text.startswith(note) for text in found["notes"])
        assert not any(text.startswith(note) for text in found["warnings"])
    assert "To mend it: --mend work=space,case" in said
    assert len(set(found["notes"])) == len(found["notes"])
    assert all(isinstance(text, str) for text in found["notes"])
    lines = [line for line in said.splitlines() if line.startswith(("Note", "Warning"))]
    assert len(lines) == len(found["notes"])
    shares = {row["column"]: row["original"] for row in found["agreement"]}
    assert shares["work"] == [0]
    assert shares["sex"] == [100]


@pytest.mark.parametrize("mends", [["work=space,case"], ["work=case", "work=space"]])
def test_a_mend_mends_and_is_said(office, mends):
    options = [part for mend in mends for part in ("--mend", mend)]
    said, found = run(office, "o.csv", "s.csv", "--keys", "sex,age", *options)
    assert "do not meet" not in said
    assert "Note: 'work' was mended on all sides before it was compared: space, case." in said
    assert found["mends"] == {"work": ["space", "case"]}
    original, synthetic = pd.read_csv(office / "o.csv", keep_default_na=False), pd.read_csv(
        office / "s.csv", keep_default_na=False
    )  # fmt: skip
    synthetic["work"] = synthetic["work"].str.strip().map({"YES": "yes", "NO": "no", "NA": "NA"})
    expected = assess(Study(original, [synthetic]), Settings(keys=("sex", "age"))).summary()
    figures = {r["target"]: r["synthetic"] for r in found["tables"]["summary"] if r["comparison"].startswith("DiSCO")}
    assert figures == pytest.approx(expected.set_index("target")["synthetic"].to_dict())


def test_a_saved_review_brings_mends_answers_and_missing_codes(office):
    saved = Review(
        columns=Columns(missing_codes={"income": ("-8",)}, mends={"work": ("case",)}), assumptions={"labelled": "no"}
    ).with_settings(Settings(keys=("sex", "age"), groups={"income": 5}))
    (office / "review.json").write_text(to_json(saved))
    said, found = run(
        office, "o.csv", "s.csv", "--settings", "review.json", "--mend", "work=space", "--assume", "all-synthetic=yes"
    )
    assert found["mends"] == {"work": ["space", "case"]}
    assert found["assumptions"] == {"all-synthetic": "yes", "labelled": "no"}
    assert "Warning: Nothing in the file says that it is synthetic" in said
    assert "holds -8" not in said


@pytest.mark.slow
def test_the_report_says_it_too(office):
    run(office, "o.csv", "s.csv", "--keys", "sex,age", "--report", "r.html", "--assume", "one-row-one-person=no")
    html = unescape((office / "r.html").read_text())
    assert "A row is not a person" in html
    assert "'work': the values of the original and of the synthetic data do not meet. " in html
    assert "Is every column of the synthetic data synthetic, in every record?" in html
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(office)
        call = ["assess", "o.csv", "s.csv", "--keys", "sex,age", "--report", "r.html", "--shareable", "10"]
        assert disclosure(*call).exit_code == 0
    html = re.sub(r"data:[\w/+;,=.-]*", "", unescape((office / "r.html").read_text()))  # base64 may hold YES
    assert "“work”: not evaluated; its values do not meet." in html
    assert "Likely cause" not in html
    assert "YES" not in html


@pytest.mark.slow
def test_nothing_is_warned_of_on_the_demonstration_survey(office):
    said, found = run(office, "demo.csv", "demo_1.csv", "demo_2.csv", "--keys", "sex,age,region,employment")
    assert "Warning" not in said
    assert found["warnings"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--mend", "work"), "--mend 'work' has no value; write it as COLUMN=KIND."),
        (("--mend", "work=spaces"), "Mend 'spaces' is not one that there is"),
        (("--mend", "wrk=space"), "Mend 'wrk' is not a column of the data. Did you mean 'work'?"),
        (("--assume", "labelled=maybe"), "The answer to 'labelled' is yes or no, not 'maybe'."),
        (("--assume", "labeled=yes"), "Assumption 'labeled' is not one that is asked about. Did you mean 'labelled'?"),
    ],
)
def test_a_wrong_option_is_one_sentence(office, arguments, said, monkeypatch):
    monkeypatch.chdir(office)
    done = disclosure("assess", "o.csv", "s.csv", "--keys", "sex", "--quiet", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
