"""`disclosure answers` and `--answers`: a file that somebody fills in, on the way from data to a signed report."""

import json
import re

import pytest

from disclosure_core import demo
from tests.commands import disclosure

ASKED = ("people.csv", "release.csv", "--keys", "sex,age", "--targets", "marital,abroad")


@pytest.fixture
def office(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo.original().head(400).to_csv("people.csv", index=False)
    demo.syntheses()[0].head(400).to_csv("release.csv", index=False)
    return tmp_path


def run(*arguments):
    return disclosure(*arguments)


def filled(office, **instead):
    """Write a template, with a verdict and more by lines that begin so."""
    assert run("answers", *ASKED, "--template", "answers.toml").exit_code == 0
    text = (office / "answers.toml").read_text(encoding="utf-8")
    for begin, line in instead.items():
        text, n = re.subn(rf'^"?{begin}"? = ""', f'"{begin}" = "{line}"', text, flags=re.MULTILINE)
        assert n == 1, begin
    (office / "answers.toml").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_what_is_filled_in_is_saved_reported_and_repeated(office):
    filled(office, labelled="yes", Note="second round", sex="everybody sees it")
    text = (office / "answers.toml").read_text(encoding="utf-8")
    text = text.replace(
        '"marital" = { verdict = "", reason = ""', '"marital" = { verdict = "leak", reason = "a register"'
    )
    (office / "answers.toml").write_text(text, encoding="utf-8")
    done = run(
        "assess", *ASKED, "--answers", "answers.toml", "--author", "R. Novak", "--report", "r.html", "--save", "r.json",
        "--quiet",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    html = (office / "r.html").read_text(encoding="utf-8")
    for said in ("second round", "everybody sees it", "Leak. a register"):
        assert said in html
    saved = json.loads((office / "r.json").read_text(encoding="utf-8"))
    (verdict,) = saved["verdicts"]
    assert verdict["stamp"]["who"] == "R. Novak"
    again = run("answers", "r.json", "--data", ".")
    assert '"marital" = { verdict = "leak", reason = "a register"' in again.output
    (office / "again.toml").write_text(again.output, encoding="utf-8")
    done = run("run", "r.json", "--data", ".", "--answers", "again.toml", "--save", "s.json", "--quiet")
    assert done.exit_code == 0, done.output
    assert json.loads((office / "s.json").read_text(encoding="utf-8"))["verdicts"] == saved["verdicts"]


@pytest.mark.parametrize(
    ("answered", "option", "said"),
    [
        ({"labelled": "yes"}, ("--assume", "labelled=no"), "'labelled' is answered in answers.toml and by --assume"),
        ({"random_sample": "yes"}, ("--assume", "random-sample=yes"), "'random_sample' is answered in answers.toml"),
        ({"motive": "profit"}, ("--motive", "nobody"), "'motive' is answered in answers.toml and by --motive"),
        (
            {"source": "x"}, ("--population", "9000", "--population-source", "y"),
            "'source' is answered in answers.toml and by --population-source",
        ),
        ({"sex": "seen"}, ("--reason", "sex=heard"), "'sex' is answered in answers.toml and by --reason"),
        ({"Officer": "B"}, ("--author", "A"), "'Officer' is answered in answers.toml and by --author"),
        ({"Title": "B"}, ("--title", "A"), "'Title' is answered in answers.toml and by --title"),
        ({}, ("--release-file", "1"), "'released' is answered in answers.toml and by --release-file"),
    ],
)  # fmt: skip
def test_what_is_answered_twice_is_refused(office, answered, option, said):
    filled(office, **answered)
    path = office / "answers.toml"
    text = path.read_text(encoding="utf-8")
    if option[0] == "--release-file":
        text = text.replace('"synthetic data" = []', '"synthetic data" = [1]')
    path.write_text(text, encoding="utf-8")
    extra = ("--report", "r.html") if option[0] in ("--author", "--title") else ()
    done = run("assess", *ASKED, *option, *extra, "--answers", "answers.toml", "--quiet")
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize("name", ["answers.json", "answers"])
def test_a_template_is_read_again_whatever_its_ending(office, name):
    assert run("answers", *ASKED, "--template", name).exit_code == 0
    assert run("answers", *ASKED, "--template", name).exit_code == 0  # nobody has answered yet
    empty = (office / name).read_text(encoding="utf-8")
    (office / name).write_text(f"{empty}# Ann asks the panel on Friday\n", encoding="utf-8")
    assert run("answers", *ASKED, "--template", name).exit_code == 2
    assert (office / name).read_text(encoding="utf-8").endswith("on Friday\n")
    (office / name).write_text(empty, encoding="utf-8")
    text = (office / name).read_text(encoding="utf-8").replace('"sex" = ""', '"sex" = "seen"')
    (office / name).write_text(text, encoding="utf-8")
    done = run("assess", *ASKED, "--answers", name, "--save", "review.toml", "--quiet")
    assert done.exit_code == 0, done.stderr
    done = run("run", "review.toml", "--data", ".", "--save", "again.json", "--quiet")
    assert done.exit_code == 0, done.stderr
    assert json.loads((office / "again.json").read_text(encoding="utf-8"))["reasons"] == {"sex": "seen"}


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("verdicts = 3", "[verdicts] holds a table of verdicts for each intruder; write it as one"),
        ("intruders = 3", "[intruders] holds a reason for each intruder; write it as one"),
        ("about.Officer = [{x = 1}]", "This file is damaged at 'about.Officer'"),
        ("limits = [{x = 1}]", "This file is damaged at 'limits"),
    ],
)
def test_a_part_of_another_shape_is_one_sentence(office, part, said):
    (office / "a.toml").write_text(f"review = 3\n{part}\n", encoding="utf-8")
    done = run("assess", *ASKED, "--answers", "a.toml", "--quiet")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr
