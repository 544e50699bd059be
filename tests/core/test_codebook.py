"""A codebook decides for all files alike: labels, missing codes and what columns hold."""

import io
import json
from dataclasses import replace

import pandas as pd
import pyreadstat
import pytest
from click.testing import CliRunner

from disclosure_core import DisclosureError, Settings
from disclosure_core.cli.commands import main
from disclosure_core.data.codebook import Codebook, read_codebook
from disclosure_core.data.readers import Limits
from disclosure_core.review.codebooks import with_codebook, without_codebook
from disclosure_core.review.opening import open_review, read_holdout, start
from disclosure_core.review.saved import from_json, to_json

ORIGINAL = pd.DataFrame({"sex": [1, 2, 1, 2, 1, 2], "job": [1, 2, 9, 1, 2, 1], "pay": [10, 20, -8, 30, -8, 50]})
SYNTHETIC = ORIGINAL.assign(pay=[10, -8, 20, 30, 50, 50])
TABLE = b"""column,value,label,missing
sex,,Sex of the person,
sex,1,Male,
sex,2,Female,
job,1,Nurse,no
job,2,Cook,
job,9,Refused,yes
pay,-8,No answer,yes
other,1,Of no column here,
"""
DDI = b"""<?xml version="1.0"?><codeBook xmlns="ddi:codebook:2_5"><dataDscr>
<var name="sex"><labl>Sex of
  the person</labl><catgry><catValu>1</catValu><labl>Male</labl></catgry><catgry><catValu>2</catValu><labl>Female</labl></catgry></var>
<var name="job"><catgry><catValu>1</catValu><labl>Nurse</labl></catgry><catgry><catValu>2</catValu><labl>Cook</labl></catgry>
<catgry missing="Y"><catValu>9</catValu><labl>Refused</labl></catgry></var>
<var name="pay"><catgry missing="Y"><catValu>-8</catValu><labl>No answer</labl></catgry></var>
<var name="other"><catgry><catValu>1</catValu><labl>Of no column here</labl></catgry></var></dataDscr></codeBook>"""
PACKAGE = json.dumps({
    "$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "name": "survey", "resources": [{
        "name": "people", "path": "people.csv", "schema": {"primaryKey": ["id"], "missingValues": [""], "fields": [
            {"name": "id", "type": "integer"},
            {"name": "sex", "title": "Sex of the person", "type": "integer",
             "categories": [{"value": 1, "label": "Male"}, {"value": 2, "label": "Female"}]},
            {"name": "job", "type": "integer", "missingValues": ["", {"value": "9", "label": "Refused"}],
             "categories": [{"value": 1, "label": "Nurse"}, {"value": 2, "label": "Cook"}]},
            {"name": "pay", "type": "number", "missingValues": ["", {"value": "-8", "label": "No answer"}]},
            {"name": "other", "type": "integer", "categories": [{"value": 1, "label": "Of no column here"}]},
        ]}}]}).encode()  # fmt: skip
SCHEMA = json.dumps(json.loads(PACKAGE)["resources"][0]["schema"]).encode()
WHOLE = Codebook(
    "x",
    {"sex": {"1": "Male", "2": "Female"}, "job": {"1": "Nurse", "2": "Cook", "9": "Refused"}, "pay": {"-8": "No answer"},
     "other": {"1": "Of no column here"}},
    {"job": ("9",), "pay": ("-8",)},
    {"sex": "Sex of the person"},
)  # fmt: skip


def csv(frame):
    return frame.to_csv(index=False).encode()


def spss(folder):
    """The dictionary of an SPSS file, whose data are of nobody."""
    frame = pd.DataFrame({"sex": [1.0, 2], "job": [1.0, 9], "pay": [1.0, -8], "other": [1.0, 1]})
    pyreadstat.write_sav(
        frame, folder / "c.sav", column_labels=["Sex of the person", "", "", ""],
        variable_value_labels={name: {float(c): t for c, t in of.items()} for name, of in WHOLE.labels.items()},
        missing_ranges={"job": [9], "pay": [-8]},
    )  # fmt: skip
    return (folder / "c.sav").read_bytes()


def opened(original=ORIGINAL, synthetic=SYNTHETIC):
    return start(("o.csv", csv(original)), {"s": [("s.csv", csv(synthetic))]})


def levels(found, name):
    return [found.study().columns[name].label(int(c)) for c in found.study().columns[name].original]


@pytest.mark.parametrize("limits", [None, Limits(memory=500)], ids=["one's own", "a stranger's"])
@pytest.mark.parametrize(
    ("name", "content"),
    [("c.csv", TABLE), ("c.xml", DDI), ("c.sav", None), ("datapackage.json", PACKAGE), ("schema.json", SCHEMA)],
)
def test_it_is_read_from_a_table_from_ddi_from_a_package_and_from_a_dictionary(name, content, limits, tmp_path):
    found = read_codebook(content or spss(tmp_path), name, limits)
    assert found.name == name
    assert {n: dict(of) for n, of in found.labels.items()} == WHOLE.labels
    assert dict(found.missing) == WHOLE.missing
    assert dict(found.called) == WHOLE.called


def test_all_files_are_shown_by_its_labels_and_what_is_no_answer_counts_as_missing():
    before = opened()
    review = with_codebook(before, WHOLE)
    found = before.with_review(review)
    assert levels(found, "sex") == ["Male", "Female"] * 3
    assert levels(found, "job") == ["Nurse", "Cook", "Refused", "Nurse", "Cook", "Nurse"]
    job = found.study().columns["job"]
    assert [job.label(c) for c in job.missing_levels] == ["Refused"]
    assert found.study().missing_codes == {"pay": (-8.0,)}
    assert found.labels() == {"sex": "Sex of the person"}
    assert found.remarks().agreed.mismatches == ()
    said = [note.text for note in found.remarks().every]
    assert any(
        "The codebook x counts before what the files say: it labels 'sex', 'job', 'pay'" in text for text in said
    )
    # the figures are those of the codes
    asked = Settings(keys=("sex",), targets=("job", "pay"))
    a, b = (o.with_review(o.review.with_settings(asked)).assessment().summary() for o in (before, found))
    assert a["synthetic"].tolist() == b["synthetic"].tolist()
    again = before.with_review(replace(review, columns=without_codebook(review.columns)))
    assert levels(again, "sex") == ["1", "2"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("side", ["original", "synthetic", "holdout"])
def test_one_file_with_labels_and_others_with_codes_meet(side, tmp_path):
    """An SPSS file calls the codes in other words: the codebook's are said in all."""
    frames = {"original": ORIGINAL, "synthetic": SYNTHETIC, "holdout": ORIGINAL.iloc[::-1]}
    files = {name: (f"{name}.csv", csv(frame)) for name, frame in frames.items()}
    pyreadstat.write_sav(
        frames[side].astype(float), tmp_path / "x.sav", variable_value_labels={"sex": {1.0: "man", 2.0: "woman"}}
    )
    files[side] = ("x.sav", (tmp_path / "x.sav").read_bytes())
    before = start(files["original"], {"s": [files["synthetic"]]})
    found = before.with_review(with_codebook(before, WHOLE))
    reading, source = read_holdout(*files["holdout"], beside=found.review)
    found = found.with_holdout(reading, source)
    found = found.with_review(found.review.with_settings(Settings(keys=("sex",), targets=("job",))))
    assert levels(found, "sex") == ["Male", "Female"] * 3
    assert sorted(found.study().columns["sex"].levels) == ["Female", "Male"]
    sex = found.partition().joint.columns["sex"]
    assert {t: sex.counts[:, sex.code_of(t)].tolist() for t in ("Male", "Female")} == {
        "Male": [3] * 3,
        "Female": [3] * 3,
    }


def test_a_level_that_it_does_not_list_is_said():
    before = opened(ORIGINAL.assign(sex=[1, 2, 1, 2, 1, 7]))
    found = before.with_review(with_codebook(before, WHOLE))
    said = [note for note in found.remarks().every if "does not list" in note.text]
    assert [note.text for note in said] == ["'sex' holds '7', which the codebook does not list."]
    assert said[0].warning


def test_labels_of_a_few_values_alone_leave_a_number_a_number():
    before = opened(ORIGINAL.assign(pay=range(6)), SYNTHETIC.assign(pay=range(6)))
    found = before.with_review(with_codebook(before, WHOLE))
    assert "pay" not in found.review.columns.mends
    assert found.study().columns["pay"].levels == tuple("012345")


def test_it_is_saved_with_the_review_and_needs_no_file_again():
    before = opened()
    review = with_codebook(before, WHOLE)
    again = open_review(from_json(to_json(review)), {"o.csv": csv(ORIGINAL), "s.csv": csv(SYNTHETIC)})
    assert again.review == review
    assert levels(again, "sex") == ["Male", "Female"] * 3


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("c.csv", b"a,b\n1,2\n", "c.csv is no codebook: give a table with the columns column, value and label"),
        ("c.csv", b"column,value,label\nsex,1,Male\nsex,1,Man\n", "two labels for '1' of 'sex': 'Male' and 'Man'"),
        ("c.xml", b"<a><b></a>", "c.xml is not sound XML"),
        ("c.xml", b"<a></a>", "is no codebook"),
        ("c.xml", b"<!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(b"<!ENTITY %c '%s'>" % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)) + b"]><l>&j;</l>", "c.xml is not sound XML"),
        ("c.xml", b"\xff\xfe\x00", "c.xml is not sound XML"),
        ("c.sav", b"$FL2", "c.sav"),
        ("c.json", b'{"fields": [', "c.json is not sound JSON"),
        ("c.json", b"[" * 200_000, "c.json is not sound JSON"),
        ("c.json", b"\xff", "c.json is not sound JSON"),
        ("c.json", b'{"keys": ["sex"]}', "c.json is no codebook"),
        ("c.json", b'{"resources": 3, "fields": [1, {"name": {}, "categories": 5, "missingValues": {"a": []}}]}', "no codebook"),
        ("c.json", b'{"fields": [{"name": "sex", "missingValues": ["1", [], {"value": {}}], "categories": "ab"}]}', None),
        ("c.csv", b"column,value,label\nnobody,1,Male\n", "knows none of the columns"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("limits", [None, Limits(memory=500)], ids=["one's own", "a stranger's"])
def test_what_is_none_is_a_sentence(name, content, said, limits):
    if said is None:
        assert dict(read_codebook(content, name, limits).missing) == {"sex": ("1",)}
        return
    with pytest.raises(DisclosureError, match=said.replace("(", r"\(")):
        with_codebook(opened(), read_codebook(content, name, limits))


def test_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (("o.csv", csv(ORIGINAL)), ("s.csv", csv(SYNTHETIC)), ("c.csv", TABLE)):
        (tmp_path / name).write_bytes(content)
    call = [
        "assess",
        "o.csv",
        "s.csv",
        "--keys",
        "sex",
        "--targets",
        "job",
        "--codebook",
        "c.csv",
        "--json",
        "-",
        "--save",
        "r.json",
    ]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.stderr
    figures = json.loads(done.stdout)
    assert any("The codebook c.csv counts" in note for note in figures["notes"])
    assert figures["mends"] == {"sex": ["labels"], "job": ["labels"]} or "labels" in figures["mends"]["sex"]
    saved = json.loads((tmp_path / "r.json").read_text())
    assert saved["columns"]["codebook"]["labels"]["sex"] == {"1": "Male", "2": "Female"}


def test_codes_for_no_answer_of_a_whole_schema_are_those_of_each_field():
    document = {"missingValues": ["", "-8", "9"], "fields": [{"name": "pay"}, {"name": "job", "missingValues": []}]}
    found = read_codebook(json.dumps(document).encode(), "schema.json")
    assert dict(found.missing) == {"pay": ("-8", "9")}
    review = with_codebook(opened(), found)
    assert review.columns.missing_codes["pay"] == ("-8",)  # what the data do not hold is none of its codes


def test_excel_has_codes_as_numbers():
    sink = io.BytesIO()
    pd.DataFrame({"Variable": ["sex", "sex"], "Code": [1, 2], "Label": ["Male", "Female"]}).to_excel(sink, index=False)
    assert read_codebook(sink.getvalue(), "c.xlsx").labels == {"sex": {"1": "Male", "2": "Female"}}


def test_two_codes_of_one_label_stay_two_levels():
    before = opened()
    found = before.with_review(
        with_codebook(before, Codebook("x", {"job": {"1": "Nurse", "2": "Nurse", "9": "Refused"}}, {"job": ("2",)}))
    )
    job = found.study().columns["job"]
    assert sorted(job.levels) == ["Nurse (1)", "Nurse (2)", "Refused"]
    assert [job.label(c) for c in job.missing_levels] == ["Nurse (2)"]
    assert not any("does not list" in note.text for note in found.remarks().every)


def test_a_label_that_is_another_code_is_refused():
    with pytest.raises(DisclosureError, match="x calls a code of 'sex' by another of its codes, '2'"):
        with_codebook(opened(), Codebook("x", {"sex": {"1": "2", "2": "1"}}))
