"""A codebook decides for all files alike: labels, missing codes and what columns hold."""

import io
import json
import random
import re
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from disclosure_core import DisclosureError, Settings, open_review, read_holdout, start
from disclosure_core.data.codebook import Codebook, read_codebook
from disclosure_core.review.codebooks import with_codebook, without_codebook
from tests.commands import disclosure
from tests.fuzz.stata_sas import Odd, catalogue, sas_file, special
from tests.having import csv
from tests.reading import Limits
from tests.saved import from_json, to_json

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


NONE = [
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
]  # fmt: skip
OF_STRANGERS = [(*NONE[i], Limits(memory=500)) for i in (1, 4, 6, 8, 12)]
"""One of each kind that a child reads, the bomb and the deep one among them: what it says comes back alike."""


@pytest.mark.parametrize(("name", "content", "said", "limits"), [*((*each, None) for each in NONE), *OF_STRANGERS])
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
    done = disclosure(*call)
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


# ---- SAS: labels by format ----

FORMATS = {
    "SEXF": {1.0: "Male", 2.0: "Female", "A": "Refused", "_": "Blank"},
    "$REGION": {"N": "Nörth", "S": "South"},
    "INCOMEINCLASSES": {-8.0: "No job", "Z": "Not asked"},
}


def sas(sexes, regions, incomes, formats=None):
    """A SAS file of three columns; a letter is a special missing value."""

    def numbers(values):
        return [special(("", v.lower())) if isinstance(v, str) else struct.pack("<d", v) for v in values]

    cells = [numbers(sexes), [r.encode().ljust(8) for r in regions], numbers(incomes)]
    of = {"sex": "SEXF", "region": "$REGION", "income": "INCOMEINCLASSES"} if formats is None else formats
    return sas_file(Odd(None, 0), ["sex", "region", "income"], ["number", "text", "number"], cells, len(sexes), of)


PEOPLE = ([1.0, 2.0, "A", 2.0, "_", 1.0], list("NSNSNS"), [100.0, -8.0, "Z", 250.0, 300.0, 100.0])


def test_a_sas_catalogue_labels_the_columns_that_have_its_formats_and_special_missing_values_keep_their_labels():
    files = ("o.sas7bdat", sas(*PEOPLE)), {"s": [("s.sas7bdat", sas(*PEOPLE, formats={}))]}
    before = start(*files)
    assert before.readings()[0].formats == {"sex": "SEXF", "region": "$REGION", "income": "INCOMEINCLASSES"}
    found = before.with_review(
        with_codebook(before, read_codebook(catalogue(FORMATS), "f.sas7bcat", Limits(memory=500)))
    )
    assert levels(found, "sex") == ["Male", "Female", "Refused", "Female", "Blank", "Male"]
    assert levels(found, "region") == ["Nörth", "South"] * 3
    sex, income = found.study().columns["sex"], found.study().columns["income"]
    assert {sex.label(c) for c in sex.missing_levels} == {"Refused", "Blank"}
    assert {income.label(c) for c in income.missing_levels} == {"-1000026"}  # -8 is an answer, as its file says
    (said,) = [note.text for note in found.remarks().every if "counts before" in note.text]
    assert said.endswith("codes that are no answer: 'sex', 'income' ('income' -1000026 Not asked).")
    again = open_review(
        from_json(to_json(found.review)), {"o.sas7bdat": files[0][1], "s.sas7bdat": files[1]["s"][0][1]}
    )
    assert levels(again, "sex") == levels(found, "sex")
    assert without_codebook(found.review.columns) == before.review.columns


def of_others(name):
    """Return a file that another program wrote (tests/core/files/README.md)."""
    return (Path(__file__).parent / "files" / name).read_bytes()


def test_a_catalogue_and_data_that_sas_wrote():
    data, book = of_others("hadley.sas7bdat"), read_codebook(of_others("formats.sas7bcat"), "formats.sas7bcat")
    before = start(("o.sas7bdat", data), {"s": [("s.sas7bdat", data)]})
    assert set(levels(before, "workshop")) == {"1", "2"}
    found = before.with_review(with_codebook(before, book))
    assert levels(found, "workshop")[:4] == ["R", "SAS", "R", "SAS"]
    assert set(levels(found, "gender")) == {"Female", "Male", "Missing"}


def test_special_missing_values_that_sas_wrote_are_no_answers_and_are_told_by_their_labels():
    data, book = of_others("tagged-na.sas7bdat"), read_codebook(of_others("tagged-na.sas7bcat"), "tagged-na.sas7bcat")
    before = start(("o.sas7bdat", data), {"s": [("s.sas7bdat", data)]})
    found = before.with_review(with_codebook(before, book))
    x = found.study().columns["x"]
    assert sorted(x.label(int(code)) for code in x.missing_levels) == ["-1000001", "-1000008", "-1000026"]
    said = " ".join(note.text for note in found.remarks().every)
    assert "-1000001 Apple" in said
    assert "-1000026 Zebra" in said


def test_text_files_beside_a_sas_file_write_special_missing_values_as_letters():
    synthetic = b"sex,region,income\n1,N,100\n.A,S,-8\nA,N,.Z\n2,S,250\n"
    before = start(("o.sas7bdat", sas(*PEOPLE)), {"s": [("s.csv", synthetic)]})
    found = before.with_review(with_codebook(before, read_codebook(catalogue(FORMATS), "f.sas7bcat")))
    sex = found.study().columns["sex"]
    assert [sex.label(int(c)) for c in sex.synthetic[0]] == ["Male", "Refused", "Refused", "Female"]
    assert {sex.label(c) for c in sex.missing_levels} == {"Refused", "Blank"}


def test_a_catalogue_of_other_formats_is_a_sentence():
    book, of_csv = read_codebook(catalogue(FORMATS), "f.sas7bcat"), opened()
    data, text = sas(*PEOPLE, formats={"sex": "OTHERF"}), b"sex,region,income\n1,N,100\n2,S,-8\n"
    others = start(("o.sas7bdat", data), {"s": [("s.csv", text)]})
    with pytest.raises(DisclosureError, match=r"labels the formats SEXF, \$REGION, INCOME.*no file here says"):
        with_codebook(others, book)
    with pytest.raises(DisclosureError, match=r"bring the original as \.sas7bdat or \.xpt"):
        with_codebook(of_csv, book)
    with pytest.raises(DisclosureError, match="is no codebook"):
        read_codebook(catalogue({}), "f.sas7bcat")


def test_a_catalogue_among_the_data_is_told_where_it_belongs():
    with pytest.raises(DisclosureError, match="f.sas7bcat is a catalogue of SAS formats, .* give it as the codebook"):
        start(("f.sas7bcat", catalogue(FORMATS)), {"s": [("s.csv", b"a,b\n1,2\n")]})


def test_xport_names_formats_without_their_width(tmp_path):
    frame = pd.DataFrame({"SEX": [1.0, 2.0, 1.0], "PAY": [1.5, 2.5, 3.5]})
    pyreadstat.write_xport(frame, tmp_path / "o.xpt", variable_format={"SEX": "SEXF8.", "PAY": "BEST12.2"})
    data = (tmp_path / "o.xpt").read_bytes()
    before = start(("o.xpt", data), {"s": [("s.csv", b"SEX,PAY\n1,1.5\n2,2.5\n1,3.5\n")]})
    assert before.readings()[0].formats == {"SEX": "SEXF", "PAY": "BEST"}
    found = before.with_review(with_codebook(before, read_codebook(catalogue(FORMATS), "f.sas7bcat")))
    assert levels(found, "SEX") == ["Male", "Female", "Male"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_catalogue_is_a_sentence_or_read(seed):
    draw, data = random.Random(seed), bytearray(catalogue(FORMATS))
    for _ in range(20):
        data[draw.randrange(1024 + 856, len(data))] = draw.randrange(256)
    data = data[: draw.randrange(1, len(data))] if seed % 3 == 0 else data
    said = ""
    try:
        assert read_codebook(bytes(data), "f.sas7bcat", Limits(memory=500, seconds=20)).formats
    except DisclosureError as error:
        said = str(error)
    assert not said or said.startswith("f.sas7bcat")


# ---- what columns are, and identifiers: SDV and Frictionless ----

MIXED = pd.DataFrame({
    "id": [11, 12, 13, 14, 15, 15], "mail": list("abcdef"), "age": ["1", "2", "x", "4", "5", "6"], "region": [1, 2, 1, 2, 1, 2],
    "day": ["03/01/2020", "14/02/2020"] * 3, "pay": ["1.5", "NA", "3", "4", "5", "6"], "ok": [True, False] * 3,
})  # fmt: skip
SDV = {"primary_key": "id", "columns": {
    "id": {"sdtype": "id"}, "mail": {"sdtype": "email"}, "age": {"sdtype": "numerical"}, "region": {"sdtype": "categorical"},
    "day": {"sdtype": "datetime", "datetime_format": "%d/%m/%Y"}, "pay": {"sdtype": "categorical", "pii": False}, "ok": {"sdtype": "boolean"},
}}  # fmt: skip
FRICTIONLESS = {"primaryKey": "id", "missingValues": ["", "NA"], "fields": [
    {"name": "id", "type": "integer"}, {"name": "age", "type": "integer"}, {"name": "region", "type": "string"},
    {"name": "day", "type": "date", "format": "%d/%m/%Y"}, {"name": "pay", "type": "number"}, {"name": "ok", "type": "boolean"},
]}  # fmt: skip


@pytest.mark.parametrize("limits", [None, Limits(memory=500)], ids=["one's own", "a stranger's"])
@pytest.mark.parametrize(
    "document",
    [
        SDV,
        {"METADATA_SPEC_VERSION": "SINGLE_TABLE_V1", "column_relationships": [], **SDV},
        {"METADATA_SPEC_VERSION": "V1", "relationships": [], "tables": {"people": SDV}},
    ],
    ids=["SDMetrics", "SINGLE_TABLE_V1", "V1"],
)
def test_metadata_of_sdv(document, limits):
    found = read_codebook(json.dumps(document).encode(), "metadata.json", limits)
    assert found == Codebook(
        "metadata.json", types={"age": "number", "region": "category", "day": "date", "pay": "category"},
        dates={"day": "%d/%m/%Y"}, identifiers=("id",), personal=("mail",),
    )  # fmt: skip


def test_metadata_and_a_data_package_that_their_own_programs_wrote():
    data = of_others("people.csv")
    before = start(("people.csv", data), {"s": [("s.csv", data)]})

    def taken(name: str):
        found = before.with_review(with_codebook(before, read_codebook(of_others(name), name)))
        return found, {name: str(column.kind) for name, column in found.study().columns.items()}

    found, kinds = taken("sdv_2_0_metadata.json")
    assert kinds == {
        "id": "category", "born": "date", "sex": "category", "region": "category", "pay": "number", "works": "category"
    }  # fmt: skip
    assert found.review.columns.codebook.identifiers == ("id",)
    found, kinds = taken("frictionless_5_datapackage.json")
    assert kinds["region"] == kinds["pay"] == "number"
    assert found.labels() == {"region": "Where they live"}
    assert found.review.columns.missing_codes == {"region": ("-9",)}
    assert found.review.columns.codebook.identifiers == ("id",)


@pytest.mark.parametrize("document", [SDV, FRICTIONLESS], ids=["SDV", "Frictionless"])
def test_columns_are_what_it_says_where_every_file_fits_and_what_does_not_is_named(document):
    before = opened(MIXED, MIXED)
    found = before.with_review(with_codebook(before, read_codebook(json.dumps(document).encode(), "m.json")))
    kinds = {name: str(column.kind) for name, column in found.study().columns.items()}
    pay = "category" if document is SDV else "number"
    assert kinds == {
        "id": "number",
        "mail": "category",
        "age": "category",
        "region": "category",
        "day": "date",
        "pay": pay,
        "ok": "category",
    }
    assert levels(found, "day") == ["2020-01-03", "2020-02-14"] * 3
    assert levels(found, "pay")[1] == ("NA" if document is SDV else "Missing")
    said = " ".join(note.text for note in found.remarks().every)
    assert "The codebook calls 'age' a number; it is read as a category" in said
    assert said.count("it is read as a") == 1
    assert "calls 'id' an identifier; 1 of its values stands in several records of the original" in said
    assert "calls 'id' an identifier: it should not be released, and is no key" in said
    assert ("calls 'mail' personal data" in said) is (document is SDV)
    assert without_codebook(found.review.columns) == before.review.columns
    again = open_review(from_json(to_json(found.review)), {"o.csv": csv(MIXED), "s.csv": csv(MIXED)})
    assert levels(again, "day") == levels(found, "day")


def test_one_file_that_does_not_fit_leaves_the_column_as_it_is_in_all():
    before = opened(MIXED, MIXED.assign(day=["2020", "soon"] * 3))
    found = before.with_review(with_codebook(before, read_codebook(json.dumps(SDV).encode(), "m.json")))
    assert "day" not in found.review.columns.types
    assert levels(found, "day") == MIXED["day"].tolist()
    assert any("calls 'day' a date; it is read as a category" in note.text for note in found.remarks().every)


def test_what_somebody_said_of_a_column_counts_before_what_the_codebook_calls_it():
    before = opened(MIXED, MIXED)
    columns = replace(before.review.columns, types={"day": "category"}, missing_codes={"region": ("2",)})
    before = before.with_review(replace(before.review, columns=columns, groups={"id": 2}))
    document = {"columns": {**SDV["columns"], "id": {"sdtype": "categorical"}}}
    found = before.with_review(with_codebook(before, read_codebook(json.dumps(document).encode(), "m.json")))
    assert found.review.columns.types == {"day": "category"}
    assert found.study().columns["region"].kind == found.study().columns["id"].kind == "number"
    assert found.study().missing_codes == {"region": (2.0,)}


def test_a_holdout_is_read_as_the_codebook_says_too():
    before = opened(MIXED, MIXED)
    found = before.with_review(with_codebook(before, read_codebook(json.dumps(SDV).encode(), "m.json")))
    reading, source = read_holdout("h.csv", csv(MIXED.iloc[::-1]), beside=found.review)
    found = found.with_holdout(reading, source)
    found = found.with_review(found.review.with_settings(Settings(keys=("region",), targets=("day",))))
    day = found.partition().joint.columns["day"]
    assert sorted(day.levels) == ["2020-01-03", "2020-02-14"]
    for level in day.levels:
        assert day.counts[:, day.code_of(level)].tolist() == [3, 3, 3]


def test_a_codebook_in_a_zip_is_told_where_it_belongs():
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("o.csv", csv(MIXED))
        archive.writestr("datapackage.json", json.dumps(FRICTIONLESS))
    with pytest.raises(DisclosureError, match="no data file; remove it from the zip, and bring it as the codebook"):
        start(("o.csv", csv(MIXED)), {"s": [("s.zip", sink.getvalue())]})


def test_ddi_says_which_values_are_invalid_without_a_category_too():
    book = read_codebook(
        b"""<codeBook xmlns="ddi:codebook:2_5"><dataDscr><var name="pay"><labl>Pay</labl><invalrng><item VALUE="-8"/>
        <item VALUE="-9"/><range min="-7" max="-1"/></invalrng><catgry><catValu>-9</catValu><labl>Refused</labl></catgry>
        </var></dataDscr></codeBook>""",
        "d.xml",
    )
    assert book == Codebook("d.xml", {"pay": {"-9": "Refused"}}, {"pay": ("-8", "-9")}, {"pay": "Pay"})


def test_a_package_that_names_its_schema_is_told_to_bring_that():
    document = {"resources": [{"name": "o", "path": "o.csv", "schema": "o.schema.json"}]}
    said = "datapackage.json says that its columns are described in 'o.schema.json'; bring that file."
    with pytest.raises(DisclosureError, match=re.escape(said)):
        read_codebook(json.dumps(document).encode(), "datapackage.json")


def test_csvw_is_told_what_to_bring_instead():
    document = {"@context": "http://www.w3.org/ns/csvw", "url": "o.csv", "tableSchema": {"columns": [{"name": "sex"}]}}
    with pytest.raises(DisclosureError, match="c.json is CSVW, which is not read: bring a Frictionless table schema"):
        read_codebook(json.dumps(document).encode(), "c.json")


def test_what_lies_beside_the_data_is_named_and_not_taken(tmp_path):
    for name, content in (
        ("o.csv", csv(MIXED)),
        ("s.csv", csv(MIXED)),
        ("metadata.json", json.dumps(SDV).encode()),
        ("f.sas7bcat", b"x"),
    ):
        (tmp_path / name).write_bytes(content)
    call = ["assess", str(tmp_path / "o.csv"), str(tmp_path / "s.csv"), "--keys", "region", "--targets", "ok"]
    done = disclosure(*call)
    assert done.exit_code == 0, done.stderr
    assert "metadata.json lies beside the data and may say what they hold; --codebook takes it." in done.stderr
    assert "f.sas7bcat" not in done.stderr  # these files have no formats
    taken = disclosure(*call, "--codebook", str(tmp_path / "metadata.json"))
    assert taken.exit_code == 0, taken.stderr
    assert "lies beside" not in taken.stderr
