"""The face of the library: what a user writes at first, what is said where it is wrong, and examples that run."""

# Inside: what is kept of a comparison, which no figure shows.

import doctest
import importlib.util
import inspect
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import disclosure_core
from disclosure_core import (
    DisclosureError,
    Exclusions,
    Pair,
    Review,
    Scenario,
    Settings,
    Study,
    assess,
    count,
    open_review,
    start,
    start_tables,
)
from disclosure_core.review import side_by_side
from tests.having import people_outside

ROOT = Path(__file__).parents[2]
USER = ROOT / "tests" / "typing" / "user.py"


def people(seed=1, n=120):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], n),
            "age": random.integers(20, 60, n),
            "income": random.choice([-8, 100, 200, 300, 400, 500, 600], n),
            "job": random.choice(["nurse", "cook", "baker"], n),
        }
    )


def polars(frame):
    return pytest.importorskip("polars", reason="polars is optional").from_pandas(frame)


def pandas(frame):
    return frame


@pytest.mark.parametrize(
    "turned", [pandas, polars, pa.Table.from_pandas, "files"], ids=["pandas", "polars", "arrow", "files"]
)
def test_tables_give_the_figures_of_a_study(turned, tmp_path):
    frames = people(1), people(2)
    if turned == "files":
        tables = [tmp_path / "a.csv", str(tmp_path / "b.csv")]
        for frame, place in zip(frames, tables, strict=True):
            frame.to_csv(place, index=False)
    else:
        tables = [turned(frame) for frame in frames]
    asked = {"targets": np.array(["income", "job"]), "groups": {"income": 4}}
    study = Study(frames[0], [frames[1]], {"income": [-8]})
    expected = assess(study, Settings(pd.Index(["sex", "age"]), **asked))
    found = assess(tables[0], tables[1:], keys=pd.Index(["sex", "age"]), missing_codes={"income": -8}, **asked)
    pd.testing.assert_frame_equal(found.summary(), expected.summary())
    pd.testing.assert_frame_equal(found.identity, expected.identity)
    assert list(found.tables.study.missing_codes["income"]) == [-8]
    alone = Study(frames[0], [frames[1]], {"income": -8})
    assert alone.missing_codes == study.missing_codes


def test_a_holdout_gives_what_the_page_gives():
    from disclosure_core import Holdout

    original, synthetic, outside = people(1), people(2), people(3, 60)
    opened = start_tables(original, [synthetic])
    opened = opened.with_review(opened.review.with_settings(Settings(["sex", "age"])))
    opened = opened.with_holdout(people_outside(outside), Holdout("file"))
    found = assess(original, [synthetic], keys=["sex", "age"], holdout=outside)
    pd.testing.assert_frame_equal(found.baseline.summary(), opened.attribute_baseline().summary())
    pd.testing.assert_frame_equal(found.identity_baseline.summary(), opened.identity_baseline().summary())
    assert found.baseline.parts.empty  # nobody said that chance alone decided
    asked = {"keys": ["sex", "age"], "holdout": outside}
    assert len(assess(original, [synthetic], **asked, holdout_is_random=True).baseline.parts)
    told, alone = (
        json.loads(each.to_json())["tables"] for each in (found, assess(original, [synthetic], keys=["sex", "age"]))
    )
    of_review = json.loads(opened.to_json())["tables"]
    assert {name: told.pop(name) for name in ("holdout", "holdout_difference", "holdout_identity")} == {
        name: of_review[name] for name in ("holdout", "holdout_difference", "holdout_identity")
    }
    assert told == alone
    study = Study(original, [synthetic])
    with pytest.raises(DisclosureError, match="Give a Study and Settings and no more"):
        assess(study, Settings(["sex", "age"]), holdout=outside)
    for more, said in (
        ({"holdout_is_random": True}, "holdout_is_random does nothing without a holdout"),
        ({"before": found}, "tables and before belong to a Study and Settings"),
        ({"target": "job"}, "Argument 'target' is not of assess. Did you mean 'targets'?"),
        ({"exclusions": Exclusions(target_levels={"sex": ["f"]})}, "The exclusion 'sex = f' moves no figure"),
    ):
        with pytest.raises(DisclosureError, match=said):
            assess(original, [synthetic], keys=["sex", "age"], **more)


@pytest.mark.slow
def test_frames_to_a_report(tmp_path):
    user = loaded()
    text = user.report(people(1), people(2), tmp_path).read_text(encoding="utf-8")
    assert "Of frames" in text
    original, synthetic = people(1), people(2)
    assert len(user.frames_to_figures(original, synthetic)) == 2
    assert "people outside" in user.with_people_outside(original, synthetic, people(3, 60))
    assert len(user.settings_of_my_own(original, synthetic)) == 3
    for name, frame in (("a.csv", original), ("b.csv", synthetic)):
        frame.to_csv(tmp_path / name, index=False)
    assert all(place.stat().st_size for place in user.from_files(tmp_path))


def loaded():
    spec = importlib.util.spec_from_file_location("user", USER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_what_a_user_writes_passes_strict_mypy(tmp_path):
    pytest.importorskip("mypy", reason="mypy is of the extra dev")
    asked = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "--follow-imports=silent"]
    run = subprocess.run([*asked, str(USER)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from disclosure_core import assess, Settings\nassess(3, [], keys=3)\nSettings(keys=[1])\n")
    run = subprocess.run([*asked, str(wrong)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.stdout.count("error:") >= 2, run.stdout  # the types are known, and not all is Any


A, B = people(1), people(2)
MADE_ELSEWHERE = replace(Review(), source="demonstration")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda p: start(3, [p / "b.csv"]), "Name a file by its place"),
        (lambda p: start(("a.csv", 3), [p / "b.csv"]), "or give its name and its bytes"),
        (lambda p: start(p / "nowhere.csv", [p / "b.csv"]), "nowhere.csv"),
        (lambda p: start_tables(A, b"B"), "Give the syntheses as tables or places of files, several as a list"),
        (lambda p: open_review(3), "Give a review, or its file, and the folder that holds its data"),
        (lambda p: open_review(Review(), 3), "Give a review, or its file"),
        (lambda p: open_review(str(p / "x.json")), "There is no saved review at"),
        (lambda p: Review.load("missing"), "There is no saved review at 'missing'; name its file"),
        (lambda p: Review.load(p), "There is no saved review at"),
        (lambda p: Review().save(p / "no" / "x.json"), r"cannot be written \(No such file"),
        (lambda p: Study(A, [B], {"income": None}), "A missing code of 'income' is a number, such as -8"),
        (lambda p: Study(A, [B], {"income": [True]}), "A missing code of 'income' is a number"),
        (lambda p: Study(A, [B], [-8]), "Give the missing codes as a mapping from a column's name to its codes"),
        (lambda p: Study(A, [B], {"income": 0}), "The missing code 0 does not occur in 'income'"),
        (lambda p: assess(A, [B], keys="sexe"), "Did you mean 'sex'"),
        (lambda p: assess(A, [B], keys=3), "Give the keys as a list, even if there is only one"),
        (lambda p: assess(A, [B], keys=["sexe"]), "Did you mean 'sex'"),
        (lambda p: assess(A, 3, keys=["sex"]), "Give the syntheses as tables or places of files, several as a list"),
        (lambda p: assess(A, keys=["sex"]), "There is no synthetic data set"),
        (lambda p: assess(A, [p / "b.csv"], keys=["sex"]), "Give all data as files or all as tables"),
        (lambda p: assess(3, [B], keys=["sex"]), "is not a table"),
        (lambda p: count(A, Settings(["sex"])), "Give a Study to count, which a DataFrame is not"),
        (lambda p: assess(A, Settings(["sex"])), "Give a Study and Settings and no more"),
        (lambda p: assess(Study(A, [B]), Settings(["sex"]), keys=["sex"]), "Give a Study and Settings and no more"),
        (lambda p: MADE_ELSEWHERE.open(A, [B]), "This review was made with other data \\(demonstration\\)"),
        (lambda p: assess(A, [B], keys=["sex"]).plot(p / "x.pdf", siez="column"), "There is no 'siez' to choose here"),
        (lambda p: assess(A, [B], keys=["sex"]).to_json(p / "no" / "x.json"), r"cannot be written \(No such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(wrong, sentence, tmp_path):
    for name, frame in (("a.csv", A), ("b.csv", B)):
        frame.to_csv(tmp_path / name, index=False)
    with pytest.raises(DisclosureError, match=sentence):
        wrong(tmp_path)


def test_a_review_of_other_data_says_so():
    opened = replace(MADE_ELSEWHERE, name="elsewhere").open(A, [B], other_data=True)
    assert opened.differences == ("These data were handed over; whether the review was made with them is not known.",)
    assert opened.review.source == "tables"
    assert Review.of(["sex"]).open(A, [B]).differences == ()


def test_what_a_value_says_of_itself_is_short_and_no_data():
    out = Exclusions(target_levels={"job": ["nurse"]}, pairs={"job": [Pair("sex", "f", "cook")]}, denominator_limit=9)
    settings = Settings(["sex"], groups={"income": 4}, exclusions=out)
    found = assess(Study(A, [B]), settings)
    opened = Review.of(["sex"], exclusions=out).open(A, [B])
    values = [
        settings, out, found, found.targets["job"], opened, opened.review, Study(A, [B]), count(Study(A, [B]), settings),
        disclosure_core.compare(Study(A, [B]), Study(A, [A]), settings=settings),
    ]  # fmt: skip
    for value in values:
        assert 0 <= repr(value).count("\n") <= 2
        assert "object at 0x" not in repr(value), type(value)
        assert not any(level in repr(value) for level in ("nurse", "cook", "baker"))
    assert repr(out) == "Exclusions: target levels 1, pairs 1, cells of more than 9 records"


def test_frames_say_of_what_their_figures_are():
    found = assess(Study(A, [B]), Settings(["sex"]))
    risk = found.targets["job"]
    assert found.identity.attrs["units"]["UiS"] == "% of the synthetic records"
    assert risk.attribute.attrs["units"]["DiSCO"] == "% of the original records"
    for frame in (found.identity, risk.identity, risk.attribute, risk.caps, risk.excluded[0]):
        assert set(frame.attrs["units"]) == set(frame.columns)
    summary = found.summary()
    assert set(summary.columns) - set(summary.attrs["units"]) == {"target", "flag"}
    assert risk.excluded is risk.exclusions


def test_scenarios_of_one_name_are_not_taken_for_each_other():
    """What is kept of a comparison depends on what scenarios exclude, not on how they are shown."""
    opened = Review.of(["age"], targets=["job"]).open(A, [B])
    figures = []
    for level in ("nurse", "cook"):
        scenario = Scenario("without", Exclusions(target_levels={"job": [level]}))
        opened = opened.with_review(replace(opened.review, scenarios=(scenario,)))
        figures.append(side_by_side.decided_of(opened, opened.first_set).scenarios["without", "job"])
    assert figures[0] != figures[1]


@pytest.mark.slow
def test_nothing_depends_on_the_order_of_imports():
    code = """
import sys
import disclosure_core
assert not {"numpy", "disclosure_core.notebook"} & set(sys.modules), "`doctor` needs the package without its packages"
import pandas as pd
from disclosure_core.counting.assessment import assess
from disclosure_core.counting.settings import Settings
from disclosure_core.data.study import Study
frame = pd.DataFrame({"age": [1, 1, 2], "job": ["a", "b", "a"]})
found = assess(Study(frame, [frame]), Settings(("age",)))
print(repr(found)); found._repr_html_()
assert "disclosure_core.notebook" not in sys.modules, "what writes and draws is loaded when a method is called"
found.to_json()
from disclosure_core.review.value import Review
Review().save
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.startswith("Assessment: 3 original records, 1 synthesis; keys: age")


@pytest.mark.parametrize("name", disclosure_core.__all__)
def test_every_public_name_has_an_example_that_runs(name):
    value = getattr(disclosure_core, name)
    tests = doctest.DocTestFinder(recurse=False).find(
        value, name, globs=vars(disclosure_core) | {n: getattr(disclosure_core, n) for n in disclosure_core.__all__}
    )
    assert sum(len(test.examples) for test in tests), f"{name} has no example"
    assert inspect.getdoc(value)
    for test in tests:
        said = []
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
        assert not said, "".join(said)


def test_notebooks_use_nothing_private():
    import json
    import re

    for path in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        assert not re.search(r"(\.|import |\s)_[a-z]", code)
        for room, names in re.findall(r"from (disclosure_core[\w.]*) import (.+)", code):
            assert room in ("disclosure_core", "disclosure_core.data"), room
            if room == "disclosure_core":
                assert {n.strip() for n in names.split(",")} <= set(disclosure_core.__all__)


def test_one_stands_for_a_list_of_one():
    one, several = assess(A, B, keys="sex", targets="income"), assess(A, [B], keys=["sex"], targets=["income"])
    assert str(one) == str(several)
    assert list(one) == ["income"]
    assert len(one) == 1
    opened = Review.of("sex", targets="income").open(A, B)
    assert opened.assessment()["income"].figures("DiSCO").tolist() == one["income"].figures("DiSCO").tolist()
    with pytest.raises(DisclosureError, match="Target 'incom' is not of this assessment. Did you mean 'income'"):
        one["incom"]


def test_a_printed_assessment_fits_a_terminal():
    names = [f"{'a name that is much longer than any column ' * 2}{i}" for i in range(3)]
    frame = pd.DataFrame({"k": [1, 2, 2, 3]} | {name: [1, 2, 3, 4] for name in names})
    said = str(assess(frame, [frame, frame], keys="k"))
    assert max(map(len, said.splitlines())) <= 100
    assert said.count("a name that is muc…") == 3
    assert "DiSCO %" in said


def test_a_target_shows_and_draws_itself(tmp_path):
    risk = assess(A, B, keys="sex")["income"]
    assert "DiSCO %" in risk._repr_html_()
    assert json.loads(risk.to_json())["tables"]["attribute"][0]["DiSCO"] == risk.figures("DiSCO")[0]
    assert risk.plot().data
    assert risk.plot(tmp_path / "steps.svg", width_mm=88).read_bytes().startswith(b"<?xml")
