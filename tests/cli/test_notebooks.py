"""The notebooks of the documentation run from top to bottom; what a result shows of itself is small, and no record."""

# Inside: the notebooks get the demonstration's files as `disclosure demo` writes them.

import dataclasses
import importlib
import json
import pkgutil
import re
from pathlib import Path

import jsonschema
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import disclosure_core
from disclosure_core import (
    DisclosureError,
    Review,
    Settings,
    Study,
    ThreatModel,
    assess,
    attribute_baseline,
    demo,
    identity_baseline,
    membership,
    partition,
    start_tables,
)
from disclosure_core.export.demonstration import files

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "figures.schema.json").read_text(encoding="utf-8"))
KEYS = ("person", "sex")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["author", "officer"])
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "officer":
        for file, data in files().items():
            (tmp_path / "survey").mkdir(exist_ok=True)
            (tmp_path / "survey" / file).write_bytes(data)
    cells = json.loads((DOCS / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict = {}
    for cell in code:
        exec(cell, names)
    if name == "officer":
        assert sum(len(cell.splitlines()) for cell in code) - code[0].count("\n\n") - 1 <= 12
        assert Path("report.pdf").read_bytes().startswith(b"%PDF")
        assert Path("worst.pdf").read_bytes().startswith(b"%PDF")
    else:
        assert Path("figure.pdf").read_bytes().startswith(b"%PDF")
        assert names["without_no"].summary().iloc[-1]["target"] == "marital"
    jsonschema.validate(json.loads(Path("figures.json").read_text(encoding="utf-8")), SCHEMA)


@pytest.fixture(scope="module")
def people():
    """Names that are nobody's else, so that one in a repr is a record that got out."""
    frame = pd.DataFrame(
        {
            "person": [f"Zq{i:03}x" for i in range(60)],
            "sex": ["f", "m"] * 30,
            "<b>job</b>": [f"Yk{i % 20:02}w" for i in range(60)],
            "pay": [7_770_000 + i for i in range(60)],
        }
    )
    return frame, frame.sample(frac=1, random_state=1).reset_index(drop=True), frame.assign(person="Zq999x")


def results(people):
    original, synthetic, outside = people
    study = Study(original, [synthetic, synthetic[:50]])
    assessment = assess(study, Settings(keys=KEYS))
    of = partition(original, outside, [synthetic])
    threat = ThreatModel(population_size=9_000, same_population=True, news=True)
    opened = start_tables(original, [synthetic])
    opened = opened.with_review(opened.review.with_settings(Settings(keys=KEYS)))
    return [
        study, assessment, of, attribute_baseline(of, assessment.settings), identity_baseline(of, assessment.settings),
        membership(of, assessment.settings, threat), opened, opened.subsets(),
    ]  # fmt: skip


@pytest.mark.slow
def test_what_is_shown_is_small_and_no_record(people):
    for result in results(people):
        texts = [repr(result), str(result)]
        if hasattr(result, "_repr_html_"):
            texts.append(result._repr_html_())
        for text in texts:
            assert not re.search(r"Zq\d|Yk\d|777\d\d\d\d", text), type(result)
            assert len(text) < 4000
        assert repr(result).count("\n") <= 2
        if hasattr(result, "_repr_html_"):
            assert "<b>job" not in result._repr_html_()
    assessment = results(people)[1]
    assert repr(assessment).startswith("Assessment: 60 original records, 2 syntheses; keys: person, sex\n")
    assert "&lt;b&gt;job" in assessment._repr_html_()


def test_no_result_that_holds_data_writes_them_down_by_itself():
    """The text that dataclass makes of a frame or an array holds values of records."""
    holds = re.compile(
        r"DataFrame|Series|NDArray|Array|\b(Counts|Codes|Floats|Rows|Mask|Reading|Column|Cells|Tables)\b"
    )
    found = []
    for room in pkgutil.walk_packages(disclosure_core.__path__, "disclosure_core."):
        if "__main__" in room.name:
            continue
        for name, kind in vars(importlib.import_module(room.name)).items():
            if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == room.name:
                fields = [str(f.type) for f in dataclasses.fields(kind) if f.repr]
                if any(holds.search(field) for field in fields):
                    found += [f"{room.name}.{name}"] if kind.__dataclass_params__.repr else []
    assert found == []


@pytest.mark.slow
def test_everything_a_result_leaves(people, tmp_path):
    for result in results(people):
        if not hasattr(result, "to_json") or not hasattr(result, "to_excel"):
            continue
        text = result.to_json()
        jsonschema.validate(json.loads(text), SCHEMA)
        assert result.to_json(tmp_path / "x.json").read_text(encoding="utf-8") == text
        assert result.to_excel(tmp_path / "x.xlsx").read_bytes()[:2] == b"PK"
        assert type(result.plot()).__name__ == "Figure"
        assert result.plot(tmp_path / "x.svg", size="slide", title="A").read_bytes()[:5] == b"<?xml"
        with pytest.raises(DisclosureError, match=r"x.gif is none of them"):
            result.plot(tmp_path / "x.gif")


@pytest.mark.slow
def test_a_review_there_and_back(tmp_path):
    for name, data in files().items():
        (tmp_path / name).write_bytes(data)
    review = Review.load(tmp_path / "review.json")
    assert Review.load(review.save(tmp_path / "again.json")) == review
    opened = review.open(str(tmp_path))
    assert opened.report(tmp_path / "r.html", title="Of the survey").read_text(encoding="utf-8").count("Of the survey")
    with pytest.raises(DisclosureError, match=r"r.docx is neither"):
        opened.report(tmp_path / "r.docx")


class Stream:
    """Somebody's table: nothing is known of it but Arrow's C interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("kind", ["polars", "arrow", "stream"])
def test_other_frames_are_taken(kind):
    """Polars frames, and anything with Arrow's C interface, give the figures of the pandas frames they came from."""
    frames = [demo.original(), *demo.syntheses()[:2]]
    turned = {
        "polars": pl.from_pandas,
        "arrow": pa.Table.from_pandas,
        "stream": lambda frame: Stream(pa.Table.from_pandas(frame)),
    }[kind]
    others = [turned(frame) for frame in frames]
    settings = Settings(keys=demo.KEYS, groups=demo.GROUPS)
    codes = {name: list(values) for name, values in demo.MISSING_CODES.items()}
    expected = assess(Study(frames[0], frames[1:], codes), settings)
    for study in (
        Study(others[0], others[1:], codes),
        start_tables(others[0], others[1:]).study().with_missing_codes(codes),
    ):
        found = assess(study, settings)
        pd.testing.assert_frame_equal(found.summary(), expected.summary())
        pd.testing.assert_frame_equal(found.identity, expected.identity)
        assert repr(study).startswith("Study: 5,000 original records, 2 syntheses of 5,000\n14 columns: sex (category)")
    with pytest.raises(DisclosureError, match="Give the syntheses as a list"):
        Study(others[0], others[1])
