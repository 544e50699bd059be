"""A column's label, and what its file declares to be no answer, stand wherever a person meets the column first."""

# Inside: the names of the workbook's sheets without writing one.

import io
import json
import struct
from dataclasses import replace
from types import SimpleNamespace

import openpyxl
import pandas as pd
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Exclusions, KeySet, Settings, assess, read, start
from disclosure_core.data.naming import LONGEST, Introduced, cut, named
from disclosure_core.figures.screen.frame import short_names
from disclosure_core.report import page1_table
from tests.commands import disclosure
from tests.core.test_missing_levels import file, people
from tests.fuzz.stata_sas import sas_file, special
from tests.fuzz.structures import Odd
from tests.reports import Look, assemble, blocks, to_html
from tests.written import names_of_sheets, of_review

TOLD = {"job": "Refused, Don't know", "pay": "-8"}
LABELS = {"q1": "Age group of the person", "job": "Employment", "pay": "Monthly income, net"}


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("", "age"),
        ("  ", "age"),
        ("AGE", "age"),
        ("Age in\nyears", "age · Age in years"),
        ("x" * LONGEST, f"age · {'x' * LONGEST}"),
        ("x" * (LONGEST + 1), f"age · {'x' * (LONGEST - 1)}…"),
    ],
)
def test_a_name_stands_first_and_alone_where_the_label_says_nothing_more(label, said):
    assert named("age", {"age": label}) == said
    assert named("age", {"other": label}) == "age"


def written(tmp_path, kind, n=600):
    return [file(tmp_path, f"{name}.{kind}", people(i, n), kind) for name, i in (("o", 1), ("s", 2), ("h", 3))]


def opened(tmp_path, kind="sav", targets=None, n=600):
    original, synthetic, _ = written(tmp_path, kind, n)
    found = start((original.name, original), {"s": [(synthetic.name, synthetic)]})
    keys = KeySet("an intruder", ("q1", "job"))
    return found.with_review(replace(found.review, intruders=(keys,), targets=targets))


def tables_of(source):
    return {block.text: block for block in blocks(source) if block.kind == "table"}


AS_DESCRIBED = "Keys and targets, as the files describe them."


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_every_face_tells_labels_and_what_counts_as_missing(tmp_path, kind):
    missing = TOLD if kind == "sav" else {"job": TOLD["job"]}
    rows = [("q1", "key"), ("job", "key"), ("pay", "target")]
    expected = [(name, role, LABELS[name], missing.get(name, "")) for name, role in rows]
    found = opened(tmp_path, kind)
    assert list(of_review(found)["columns"].itertuples(index=False, name=None)) == expected
    assert [tuple(row.values()) for row in json.loads(found.to_json())["tables"]["columns"]] == expected
    sheets = openpyxl.load_workbook(io.BytesIO(found.to_excel()))
    assert [tuple(v or "" for v in row) for row in sheets["columns"].iter_rows(min_row=2, values_only=True)] == expected
    assert set(names_of_sheets(found)) == set(sheets.sheetnames) - {"about"}
    source = assemble(found, Look())
    table = tables_of(source)[AS_DESCRIBED]
    assert [(*row[:3], row[3].replace("–", "")) for row in table.rows] == expected
    notes = " ".join(item for block in blocks(source) if block.kind == "note" for item in block.items)
    described = "; ".join(f"{name} · {LABELS[name]}" for name, _ in rows)
    assert f"As the files describe them: {described}." in notes
    # A target that is left out is not introduced, nor is what has neither label nor such levels.
    alone = opened(tmp_path, kind, targets=("town",))
    assert [row[0] for row in tables_of(assemble(alone, Look()))[AS_DESCRIBED].rows] == ["q1", "job"]

    run = disclosure("assess", *map(str, written(tmp_path, kind)[:2]), "--keys", "q1,job")
    assert run.exit_code == 0
    for name, role in rows:
        more = f"; counts as missing: {missing[name]}" if name in missing else ""
        assert f"\n{name} · {LABELS[name]} ({role}){more}\n" in run.output


def test_page_1_has_room_for_eight_labels_and_counts_the_rest():
    columns = [Introduced(f"c{i}", "key", "x" * 90, ()) for i in range(10)]
    source = SimpleNamespace(shareable=False, stopped=None, printed=SimpleNamespace(introduced=lambda: columns))
    (said,) = page1_table.described(source, [f"c{i}" for i in range(10)])
    assert said.count(" · ") == 8
    assert said.endswith("…; 2 more in the next section.")
    (said,) = page1_table.described(source, ["c3", "c3", "other"])
    assert said == f"As the files describe them: c3 · {'x' * 39}…."


def test_a_file_without_labels_is_told_nothing_of():
    frame = pd.DataFrame({"k": list("aab"), "t": list("xyz")})
    from disclosure_core import start_tables

    found = start_tables(frame, [frame])
    found = found.with_review(replace(found.review, intruders=(KeySet("an intruder", ("k",)),)))
    assert "columns" not in of_review(found)
    assert AS_DESCRIBED not in tables_of(assemble(found, Look()))


@pytest.mark.slow
@pytest.mark.parametrize("level_names", [True, False])
def test_a_label_that_names_a_level_of_few_people_is_in_no_shareable_report(tmp_path, level_names):
    """As levels are: one that few people have is not named, and none where no level is to be."""
    frames = [people(i, 600) for i in (1, 2)]
    for frame in frames:
        frame["town"] = ["zeta" if i < 3 else town for i, town in enumerate(frame["town"])]
        frame.loc[frame["job"] == 9, "job"] = 8.0
        frame.loc[:2, "job"] = 9.0
    labels = {**LABELS, "town": "Town, Zeta among them"}
    paths = []
    for name, frame in zip("os", frames, strict=True):
        path = tmp_path / f"{name}.sav"
        pyreadstat.write_sav(
            frame, str(path), column_labels=labels, missing_ranges={"job": [8, 9]},
            variable_value_labels={"job": {1: "works", 2: "no work", 8: "Refused", 9: "Don't know"}},
        )  # fmt: skip
        paths.append((path.name, path))
    found = start(paths[0], {"s": [paths[1]]})
    found = found.with_review(replace(found.review, intruders=(KeySet("an intruder", ("q1", "job")),)))
    source = assemble(found, Look(shareable=True, level_names=level_names))
    table = tables_of(source)[AS_DESCRIBED]
    text = to_html(source).replace("&#39;", "'")
    assert "Zeta" not in text
    assert "Don't know" not in text
    assert ("Refused" in text) is level_names
    assert ("Monthly income" in text) is level_names
    if level_names:
        assert [row[0] for row in table.rows] == ["q1", "job", "pay"]
        assert "Refused" in table.rows[1][3]
    internal = assemble(found, Look())
    assert {"town": "Town, Zeta among them"}.items() <= {
        r[0]: r[2] for r in tables_of(internal)[AS_DESCRIBED].rows
    }.items()


@pytest.mark.slow
def test_special_missing_values_of_SAS_count_as_missing_on_every_face(tmp_path):
    """SAS has .A and .B where a number would stand: each a level of its own, and no answer."""
    letters = {8.0: ("", "a"), 9.0: ("", "b")}
    frames, files = [people(i, 100)[["q1", "job", "town"]] for i in (0, 1)], []
    for name, frame in zip("os", frames, strict=True):
        frame["town"] = (frame["town"] == "a").astype(float)
        cells = [
            [special(letters.get(v)) if v in letters or v != v else struct.pack("<d", v) for v in frame[column]]
            for column in frame
        ]
        path = tmp_path / f"{name}.sas7bdat"
        path.write_bytes(sas_file(Odd(None, 0), list(frame.columns), ["number"] * 3, cells, 100))
        files.append((path.name, path))
    found = start(files[0], {"s": [files[1]]})
    found = found.with_review(replace(found.review, intruders=(KeySet("an intruder", ("q1", "job")),)))
    original, synthetic = frames
    absent = ~original["job"].isin([1, 2])
    study = found.study()
    job = study.columns["job"]
    assert [job.label(code) for code in job.missing] == ["Missing", "-1000002", "-1000001"]
    assert study.overview().set_index("column").loc["job"]["missing_original"] == pytest.approx(100 * absent.mean())
    told = of_review(found)["columns"].set_index("column").loc["job"].tolist()
    assert told == ["key", "", "-1000002, -1000001"]
    assert tables_of(assemble(found, Look()))[AS_DESCRIBED].rows == (("job", "key", "-1000002, -1000001"),)
    # As a target: whoever has no answer is excluded, by dictionaries.
    claims = {}
    for q, town, j in zip(synthetic["q1"], synthetic["town"], synthetic["job"].fillna(-1), strict=True):
        claims.setdefault((q, town), set()).add(j)
    rows = zip(original["q1"], original["town"], original["job"].fillna(-1), absent, strict=True)
    right = [claims.get((q, town)) == {j} for q, town, j, gone in rows if not gone]
    out = Exclusions(missing_targets={"job"})
    risk = assess(study, Settings(keys=("q1", "town"), targets=("job",), exclusions=out)).targets["job"]
    assert risk.attribute["DiSCO"].tolist() == pytest.approx([100 * sum(right) / 100])
    assert risk.exclusions[0].loc["original", "missing target"] == absent.sum()


@pytest.mark.parametrize("version", [5, 8])
def test_special_missing_values_of_a_SAS_transport_file_are_levels_too(tmp_path, version):
    """pyreadstat reads them as empty cells: .A and ._ were one with cells that are empty."""
    frame = pd.DataFrame({
        "JOB": [1.0, 123456.0, None, 654321.0, 2.0, 1.0], "TOWN": list("abAbab"), "N": [1.5, 2.5, 3.5, 4.5, 5.5, None],
    })  # fmt: skip
    path = tmp_path / "x.xpt"
    pyreadstat.write_xport(frame, str(path), column_labels=["Employment", "Town", "N"], file_format_version=version)
    data = path.read_bytes()
    for written_, letter in ((b"\x45\x1e\x24", b"A\0\0"), (b"\x45\x9f\xbf\x10", b"_\0\0\0")):
        assert data.count(written_) == 1
        data = data.replace(written_, letter)
    (reading,) = read(data, "x.xpt")
    job = reading.frame["JOB"]
    assert job.isna().tolist() == [False, False, True, False, False, False]
    assert job.dropna().tolist() == [1, -1000001, -1000000, 2, 1]
    assert reading.missing_codes == {"JOB": (-1000001.0, -1000000.0)}
    assert reading.notes[0] == "'JOB' has .A, shown as -1000001 and taken as a missing code."
    assert reading.frame["N"].isna().sum() == 1
    assert reading.frame["TOWN"].tolist() == list("abAbab")


@pytest.mark.hypothesis
@given(st.lists(st.text("abq_", min_size=1, max_size=40), min_size=1, max_size=12, unique=True), st.integers(6, 24))
def test_no_two_names_read_alike_once_they_are_cut(names, longest):
    short = cut(names, longest)
    assert list(short) == names
    assert len({*short.values()}) == len(names)
    assert all(one == name or len(one) == longest for name, one in short.items())


def test_names_that_differ_in_their_middle_are_told_apart_in_a_figure():
    names = [f"question_{i}_about_something_else" for i in range(10, 30)]
    assert sorted(cut(names, 18).values())[0] == "question_10_about…"
    assert len({*short_names(names, 18)}) == len(names)
