"""A saved review, opened again, by command line and by script, has every figure that it had: whatever it holds."""

# Inside: the schema of a saved review.

import json
import os
import sys
from pathlib import Path
from subprocess import run

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import open_review
from disclosure_core.export.scripts import python
from disclosure_core.review.saved import schema
from tests.core.test_review_value import FILES, figures, reviews
from tests.pages.conftest import App
from tests.saved import from_json, to_json
from tests.written import of_review, rows

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(reviews())
def test_saved_and_opened_again_every_figure_is_the_same(review):
    text = to_json(review)
    again = from_json(text)
    assert again == review
    assert to_json(again) == text
    jsonschema.validate(json.loads(text), schema())
    now, then = (figures(open_review(r, FILES)) for r in (review, again))
    assert now == then


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_page_command_line_and_script_say_the_same(tmp_path_factory, review):
    """One saved file, opened on the page, by `disclosure run` and as the Python script that the page hands out."""
    folder = tmp_path_factory.mktemp("one")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "review.json").write_text(to_json(review), encoding="utf-8")
    app = App()
    needed = [review.original, *review.sets[0].files, *([review.holdout.file] if review.holdout else [])]
    names = {file.name for file in needed if file is not None}
    app.saved_review(to_json(review), *((name, FILES[name]) for name in names))
    app.click("data.open_saved")
    on_page = app.at.session_state["session"].now
    assert on_page.review == review
    found = figures(on_page)
    (folder / "again.py").write_text(python(on_page), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "disclosure_core",
        "run",
        "review.json",
        "--data",
        ".",
        "--json",
        "out.json",
        "--quiet",
    ]
    where = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    by_command, by_script = (
        run(words, cwd=folder, env=where, capture_output=True, text=True, check=False)
        for words in (command, [sys.executable, "again.py"])
    )
    if isinstance(found, str):  # a safeguard that cannot be made, in the same words everywhere
        assert found in by_command.stderr
        assert found in by_script.stderr
        return
    tables = of_review(on_page)
    assert {n: rows(t) for n, t in tables.items()} == json.loads((folder / "out.json").read_text("utf-8"))["tables"]
    assert by_script.stdout == "".join(f"{name}\n{table.to_string()}\n" for name, table in tables.items())


DRIVER = """
import json, sys
from pathlib import Path
from disclosure_core.cli import main
status = {}
for review in sorted(Path("reviews").glob("*.json")):
    try:
        main(["run", str(review), "--data", "data", "--json", f"out/{review.name}", "--quiet"])
    except SystemExit as end:
        status[review.name] = end.code
print(json.dumps(status))
"""


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))  # the first is the plainest
@given(st.lists(reviews(), min_size=4, max_size=4))
def test_command_line_and_script_repeat_it_in_another_process(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("run")
    for name in ("data", "reviews", "out"):
        (folder / name).mkdir()
    for name, content in FILES.items():
        (folder / "data" / name).write_bytes(content)
    expected = {}
    for i, review in enumerate(drawn):
        found = figures(open_review(review, FILES))
        if isinstance(found, dict):
            expected[f"{i}.json"] = found
            (folder / "reviews" / f"{i}.json").write_text(to_json(review), encoding="utf-8")
    assert expected
    done = run([sys.executable, "-c", DRIVER], cwd=folder, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout) == dict.fromkeys(expected, 0), done.stderr
    for name, tables in expected.items():
        out = json.loads((folder / "out" / name).read_text(encoding="utf-8"))["tables"]
        opened = open_review(from_json((folder / "reviews" / name).read_text(encoding="utf-8")), folder / "data")
        assert {n: rows(t) for n, t in of_review(opened).items()} == out
        assert figures(opened) == tables
