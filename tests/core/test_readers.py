"""Real files of each format, written by another library, or stored where no library writes it."""

# Inside: weights and letters of SPSS files in one function each.

import gzip
import hashlib
import io
import os
import re
import struct
import zipfile
from pathlib import Path, PurePosixPath

import numpy as np
import odf.opendocument
import odf.table
import odf.text
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
import xlsxwriter
import xlwt

from disclosure_core import DisclosureError, ReadOptions, Study
from disclosure_core import read as read_in_child
from disclosure_core.data.readers import EXTENSIONS, _sav, folder_file, folder_files
from disclosure_core.data.rewriters import Change
from disclosure_core.data.rewriters._statistical import spss
from disclosure_core.review.remarks import missing_texts
from tests.fuzz.stata_sas import sas_file, special
from tests.fuzz.structures import Odd
from tests.reading import Limits
from tests.reading import read_in_process as read

FILES = Path(__file__).parent / "files"

FRAME = pd.DataFrame(
    {
        "sex": ["f", "m", None, "é; \"x\""],
        "age": [30, 41, 52, 63],
        "income": [-8.0, 100.5, None, 1e6],
        "code": ["007", "1", "2", "3"],
        "answer": ["NA", "None", "nan", "."],
    }
)  # fmt: skip


def one(data, name, **options):
    (reading,) = read(data, name, ReadOptions(**options) if options else None)
    return reading


def same(found, expected=FRAME):
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_column_type=False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(("delimiter", "decimal"), [(",", "."), (";", ","), ("\t", "."), ("|", ","), (";", ".")])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_text(encoding, delimiter, decimal, ending):
    data = FRAME.to_csv(index=False, sep=delimiter, decimal=decimal, lineterminator=ending).encode(encoding)
    reading = one(data, "survey.csv")
    same(reading.frame)
    assert (reading.options.delimiter, reading.options.decimal) == (delimiter, decimal)
    assert reading.options.encoding == encoding
    assert reading.notes[-1] == "'code' has numbers that begin with 0, such as a postcode: kept as text."
    assert [n.partition(",")[0] for n in reading.notes[:-1]] == (
        ["The file is not UTF-8 and is read as cp1252"] if encoding == "cp1252" else []
    )
    same(one(gzip.compress(data), "survey.csv.gz").frame)


@pytest.mark.parametrize("name", ["", " ", "  ", "Unnamed: 0"])
def test_what_numbers_the_rows_is_said_to_have_no_name_where_it_is_blank(name):
    reading = one(f'"{name}","a","b"\n1,x,2\n2,y,3\n'.encode(), "s.csv")
    assert list(reading.frame) == ["a", "b"]
    called = f"is called {name!r}" if name.strip() else "has no name"
    assert [n for n in reading.notes if "only numbers" in n] == [
        f"The first column {called} and only numbers the rows: ignored."
    ]


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "2", ""], "Int64", [1, 2, None]),
        (["9007199254740993", "9007199254740992", ""], "Int64", [2**53 + 1, 2**53, None]),
        (["1", "+2"], "int64", [1, 2]),
        (["1.5", "2", "3e2", ".5"], "float64", [1.5, 2, 300, 0.5]),
        (["1", "NA"], "str", ["1", "NA"]),
        (["1,5", "2"], "str", ["1,5", "2"]),  # the delimiter is the comma: quoted
        (["nan", "inf"], "str", ["nan", "inf"]),
        (["00", "1"], "str", ["00", "1"]),
        (["12345678901234567890", "1"], "str", ["12345678901234567890", "1"]),
        (["9999999999999999999", "1"], "str", ["9999999999999999999", "1"]),  # 19 digits, beyond 64 bits
        (["999999999999999999", "1"], "int64", [999999999999999999, 1]),
        (["TRUE", "false"], "bool", [True, False]),
        (["2020-01-31", "1999-12-01"], "datetime64[s]", ["2020-01-31", "1999-12-01"]),
        (["2020-02-31", "1999-12-01"], "str", ["2020-02-31", "1999-12-01"]),
        (["0x1A", "1_000"], "str", ["0x1A", "1_000"]),
        (["", ""], "str", [None, None]),
        ([" 1", "2 "], "str", [" 1", "2 "]),
    ],
)
def test_the_type_of_a_text_column(cells, dtype, values):
    data = pd.DataFrame({"k": range(len(cells)), "x": cells}).to_csv(index=False).encode()
    found = one(data, "x.csv").frame["x"]
    assert str(found.dtype) == dtype
    expected = pd.to_datetime(pd.Series(values)) if "datetime" in dtype else pd.Series(values, dtype=dtype)
    pd.testing.assert_series_equal(found, expected, check_dtype=False, check_names=False)


def test_what_was_found_out_can_be_corrected():
    data = b"a;b\n1,5;x\n2,5;y\n"
    assert one(data, "x.csv").frame["a"].tolist() == [1.5, 2.5]
    assert one(data, "x.csv", decimal=".").frame["a"].tolist() == ["1,5", "2,5"]
    assert one("a,b\nü,1\n".encode("cp1252"), "x.csv", encoding="cp850").frame["a"].tolist() == ["³"]
    assert one(b"a,b\n'x,y',1\n", "x.csv", quote="'").frame["a"].tolist() == ["x,y"]


@pytest.mark.parametrize("name", ["survey.parquet", "survey.feather", "survey.arrow"])
def test_arrow_formats_keep_types_and_order(name):
    frame = FRAME.assign(size=pd.Categorical(["s", "l", "s", None], categories=["s", "l"], ordered=True))
    sink = io.BytesIO()
    if name.endswith("parquet"):
        frame.to_parquet(sink)
    else:
        pyarrow.feather.write_feather(pa.Table.from_pandas(frame), sink)
    found = one(sink.getvalue(), name).frame
    same(found, frame)
    assert found["size"].cat.ordered
    assert found["size"].cat.categories.tolist() == ["s", "l"]


def test_whole_numbers_beside_empty_cells_stay_whole():
    values = {"id": pa.array([2**53 + 1, None, 2**53]), "n": pa.array([1, 2, 3], pa.int8())}
    for write, ending in ((pyarrow.parquet.write_table, ".parquet"), (pyarrow.feather.write_feather, ".arrow")):
        sink = io.BytesIO()
        write(pa.table(values), sink)
        found = one(sink.getvalue(), "people" + ending).frame
        assert found["id"].tolist() == [2**53 + 1, pd.NA, 2**53]
        assert found["n"].dtype == "int8"


@pytest.mark.parametrize(("ending", "engine"), [(".xlsx", "openpyxl"), (".ods", "odf")])
def test_spreadsheets(ending, engine):
    sink = io.BytesIO()
    with pd.ExcelWriter(sink, engine=engine) as book:
        FRAME.to_excel(book, sheet_name="people", index=False)
        FRAME.head(2).to_excel(book, sheet_name="more", index=False)
    first = one(sink.getvalue(), "survey" + ending)
    same(first.frame)
    assert first.choices == ("people", "more")
    assert first.notes == ("2 sheets; 'people' was read.",)
    assert str(first.frame["age"].dtype).lower() == "int64"
    second = one(sink.getvalue(), "survey" + ending, sheet="more")
    assert len(second.frame) == 2
    with pytest.raises(DisclosureError, match="has no sheet 'x'; choose one of 'people', 'more'"):
        one(sink.getvalue(), "survey" + ending, sheet="x")


def test_old_excel():
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("people")
    for i, column in enumerate(FRAME):
        sheet.write(0, i, column)
        for j, value in enumerate(FRAME[column], 1):
            if not pd.isna(value):
                sheet.write(j, i, value)
    sink = io.BytesIO()
    book.save(sink)
    same(one(sink.getvalue(), "survey.xls").frame)


def test_an_old_excels_own_format_is_no_date_whatever_its_number():
    """Gnumeric numbers its own from 50 on, which are dates in Excels of East Asia."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("one")
    numbers = {"General": 1.5, "0.0": 2.5, "0.0000": 3.5}
    for i, (form, value) in enumerate(numbers.items()):
        sheet.write(0, i, form)
        for row in (1, 2):
            sheet.write(row, i, value * row, xlwt.easyxf(num_format_str=form))
    sink = io.BytesIO()
    book.save(sink)
    made = bytearray(sink.getvalue())
    asked = one(bytes(made), "x.xls").frame
    said = rb"\x1e\x04.\x00(?=\xa5\x00)|\xe0\x00\x14\x00..(?=\xa5\x00)"  # 165, the first that is not all cells'
    numbered = [m.end() for m in re.finditer(said, made, re.DOTALL)]
    assert len(numbered) == 3  # where it is said, and where it is used
    for at in numbered:
        made[at] = 50
    found = one(bytes(made), "x.xls").frame
    pd.testing.assert_frame_equal(found, asked)
    assert found["0.0"].tolist() == [2.5, 5.0]


def written(tmp_path, writer, name, frame, **more):
    path = tmp_path / name
    getattr(pyreadstat, writer)(frame, str(path), **more)
    return path.read_bytes()


LABELLED = pd.DataFrame({"wellbeing": [2.0, 1.0, 3.0, 9.0], "income": [-8.0, 100.0, 200.0, -9.0], "free": ["a", "b", "", "c"]})  # fmt: skip
LABELS = {
    "wellbeing": {1: "low", 2: "middle", 3: "high", 9: "refused"},
    "income": {-8: "not applicable", -9: "refused"},
}


@pytest.mark.parametrize(("name", "more"), [("s.sav", {}), ("s.zsav", {"compress": True})])
def test_spss(tmp_path, name, more):
    ranges = {"wellbeing": [9], "income": [{"lo": -9, "hi": -8}]}
    data = written(tmp_path, "write_sav", name, LABELLED, variable_value_labels=LABELS, missing_ranges=ranges, **more)
    reading = one(data, name)
    wellbeing = reading.frame["wellbeing"]
    assert wellbeing.tolist() == ["middle", "low", "high", "refused"]
    assert wellbeing.cat.categories.tolist() == ["low", "middle", "high", "refused"]
    assert wellbeing.cat.ordered
    assert reading.frame["income"].tolist() == [-8, 100, 200, -9]
    assert reading.missing_codes == {"income": (-9.0, -8.0)}
    assert reading.frame["free"].isna().tolist() == [False, False, True, False]
    assert reading.notes == (
        "'wellbeing' declares refused as missing: they count as missing, each as a level.",
        "'income' declares -9 (refused), -8 (not applicable) as missing: taken as missing codes.",
    )


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({-8: "not applicable"}, [-8, 100, 200, 300]),  # one of four values: a number still
        ({-8: "not applicable", 100: "little"}, ["not applicable", "little", "200", "300"]),
        ({7: "never used"}, [-8, 100, 200, 300]),
    ],
)
def test_a_column_is_its_labels_where_half_of_its_values_have_one(tmp_path, labels, expected):
    frame = pd.DataFrame({"k": ["a", "b", "c", "d"], "income": [-8.0, 100.0, 200.0, 300.0]})
    data = written(tmp_path, "write_sav", "s.sav", frame, variable_value_labels={"income": labels})
    assert one(data, "s.sav").frame["income"].tolist() == expected


def test_a_label_none_is_an_answer_and_no_missing_text(tmp_path):
    frame = pd.DataFrame({"children": [0.0, 1.0, 9.0, 0.0], "free": ["None", "a", "b", "NA"]})
    labels = {"children": {0: "None", 1: "One", 9: "Unknown"}}
    reading = one(written(tmp_path, "write_sav", "s.sav", frame, variable_value_labels=labels), "s.sav")
    assert reading.frame["children"].tolist() == ["None", "One", "Unknown", "None"]
    offered = [(t.column, t.text) for t in missing_texts([reading])]
    assert sorted(offered) == [("children", "Unknown"), ("free", "NA"), ("free", "None")]


@pytest.mark.parametrize(
    ("numbers", "whole"),
    [([1.0, 2.0**53], True), ([1.0, 2.0**53 + 2], False), ([1.0, 107.0], True), ([1.0, 1.5], False)],
)
def test_numbers_are_whole_where_each_is_held_exactly(tmp_path, numbers, whole):
    column = one(written(tmp_path, "write_sav", "s.sav", pd.DataFrame({"n": numbers})), "s.sav").frame["n"]
    assert pd.api.types.is_integer_dtype(column.dtype) == whole
    assert column.tolist() == numbers


def test_a_moment_of_spss_keeps_its_fraction(tmp_path):
    moments = pd.to_datetime(
        ["2020-01-01 10:00:00.123", "2020-01-01 10:00:00.456", "1899-12-31 23:59:59.999", None], format="ISO8601"
    )
    pyreadstat.write_sav(pd.DataFrame({"t": moments, "x": range(4)}), str(tmp_path / "a.sav"))
    frame = read(tmp_path / "a.sav", "a.sav")[0].frame
    assert frame["t"].tolist()[:3] == moments.tolist()[:3]
    assert frame["t"].isna().tolist() == [False, False, False, True]
    study = Study(pd.DataFrame({"t": moments}), [frame[["t"]]])
    assert study.columns["t"].counts.tolist() == [[1] * 4, [1] * 4]


@pytest.mark.parametrize(
    "names", [["w"], ["weight_of_a_person"], ["x", "a_text_of_300_letters", "weight_of_a_person"], ["x", "w"]]
)
def test_the_weight_of_spss_is_said_and_stays_with_a_safer_file(tmp_path, names):
    frame = pd.DataFrame({n: ["ab" * 150, "c"] if "text" in n else [1.5, 2] for n in names} | {"k": ["a", "b"]})
    labels = {n: f"the label of {n}" for n in names}
    pyreadstat.write_sav(
        frame, str(tmp_path / "a.sav"), column_labels=labels, missing_ranges={n: [9] for n in names if "text" not in n}
    )
    plain = (tmp_path / "a.sav").read_bytes()
    assert _sav.weighted_by(plain) is None
    weighted = _sav.weighted(plain, names[-1])
    assert _sav.weighted_by(weighted)[1] == names[-1]
    (tmp_path / "w.sav").write_bytes(weighted)
    notes = read(tmp_path / "w.sav", "w.sav")[0].notes
    assert f"The file is weighted by {names[-1]!r}: weights are not used, every record counts once." in notes
    change = Change(2, np.array([1]), {}, {})
    written = spss(weighted, PurePosixPath("w.sav"), 0, ReadOptions(), change)
    assert _sav.weighted_by(written.data)[1] == names[-1]
    assert not any("weighted" in note for note in written.notes)


@pytest.mark.parametrize("ending", ["xlsx", "ods", "xls"])
def test_hidden_rows_and_columns_are_said(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    values = [["k", "t"], ["a", 1], ["b", 2], ["c", 3]]
    if ending == "xlsx":
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for i, row in enumerate(values):
                sheet.write_row(i, 0, row)
            sheet.set_row(2, None, None, {"hidden": True})
            sheet.set_column(1, 1, None, None, {"hidden": True})
    elif ending == "xls":
        book = xlwt.Workbook()
        sheet = book.add_sheet("one")
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                sheet.write(i, j, value)
        sheet.row(2).hidden = True
        sheet.col(1).hidden = True
        book.save(str(path))
    else:
        document = odf.opendocument.OpenDocumentSpreadsheet()
        table = odf.table.Table(name="one")
        table.addElement(odf.table.TableColumn())
        table.addElement(odf.table.TableColumn(visibility="collapse"))
        for i, row in enumerate(values):
            line = odf.table.TableRow(**({"visibility": "filter"} if i == 2 else {}))
            for value in row:
                cell = odf.table.TableCell(
                    **({"valuetype": "float", "value": value} if isinstance(value, int) else {"valuetype": "string"})
                )
                cell.addElement(odf.text.P(text=str(value)))
                line.addElement(cell)
            table.addElement(line)
        document.spreadsheet.addElement(table)
        document.save(str(path))
    reading = read(path, path.name)[0]
    assert len(reading.frame) == 3
    assert (
        "1 row of the table is hidden in the sheet (row 3) and counted: delete them if they are no records."
        in reading.notes
    )
    assert "'t' is hidden in the sheet and read." in reading.notes


def test_spss_portable(tmp_path):
    data = written(tmp_path, "write_por", "s.por", LABELLED[["income"]].rename(columns=str.upper))
    assert one(data, "s.por").frame["INCOME"].tolist() == [-8, 100, 200, -9]


def test_stata(tmp_path):
    frame = pd.DataFrame({"income": [1.0, 2.0, "a", "z"], "size": [1, 2, 1, 2], "free": ["a", "", "b", "c"]})
    data = written(
        tmp_path, "write_dta", "s.dta", frame, missing_user_values={"income": ["a", "z"]},
        variable_value_labels={"size": {1: "small", 2: "large"}, "income": {"a": "refused"}},
    )  # fmt: skip
    reading = one(data, "s.dta")
    assert reading.frame["income"].tolist() == [1, 2, -1000001, -1000026]
    assert reading.missing_codes == {"income": (-1000026.0, -1000001.0)}
    assert reading.notes[0] == "'income' has .a (refused), shown as -1000001 and taken as a missing code."
    assert reading.frame["size"].tolist() == ["small", "large", "small", "large"]
    assert reading.frame["size"].cat.categories.tolist() == ["small", "large"]


@pytest.mark.parametrize(("size", "kind", "gone"), [("b", 251, 101), ("h", 252, 32_741), ("i", 253, 2_147_483_621)])
def test_an_empty_cell_below_an_extended_missing_value_of_stata_is_missing(size, kind, gone):
    """pyreadstat gives whatever number its memory holds."""
    head = bytes([115, 2, 1, 0]) + struct.pack("<HI", 1, 5) + bytes(81 + 18) + bytes([kind]) + b"x".ljust(33, b"\0")
    head += bytes(4) + b"%9.0g".ljust(49, b"\0") + bytes(33 + 81 + 5)
    reading = one(head + b"".join(struct.pack(f"<{size}", v) for v in (3, gone + 1, gone, 1, gone)), "s.dta")
    assert reading.frame["x"].isna().tolist() == [False, False, True, False, True]
    assert reading.frame["x"].dropna().tolist() == [3, -1000001, 1]


def test_a_day_that_is_an_extended_missing_value_of_stata_is_missing():
    gone = 2_147_483_621
    rows = [(18_262, 1), (gone + 1, gone + 1), (gone, gone), (18_263, 2)]
    head = bytes([115, 2, 1, 0]) + struct.pack("<HI", 2, 4) + bytes(81 + 18) + bytes([253, 253])
    head += b"day".ljust(33, b"\0") + b"x".ljust(33, b"\0") + bytes(6)
    head += b"%td".ljust(49, b"\0") + b"%9.0g".ljust(49, b"\0") + bytes(2 * (33 + 81) + 5)
    reading = one(head + b"".join(struct.pack("<ii", *row) for row in rows), "s.dta")
    first, *empty, last = reading.frame["day"]
    assert (first, last) == (pd.Timestamp("2009-12-31"), pd.Timestamp("2010-01-01"))
    assert pd.isna(empty).all()
    assert reading.frame["x"].isna().tolist() == [False, False, True, False]
    assert reading.missing_codes == {"x": (-1000001.0,)}
    assert reading.notes == (
        "'day' has days that are .a to .z: read as empty cells.",
        "'x' has .a, shown as -1000001 and taken as a missing code.",
    )


def test_sas_extended_missing_values_are_missing_codes_also_where_a_column_has_no_other_value():
    letters = [("", "a"), ("", "z"), ("", "_"), None]
    cells = [[special(letter) for letter in letters], [struct.pack("<d", 1.5), *map(special, letters[:2]), special(None)]]  # fmt: skip
    reading = one(sas_file(Odd(None, 0), ["only", "mixed"], ["number"] * 2, cells, 4), "s.sas7bdat")
    assert reading.frame["only"].dropna().tolist() == [-1000001, -1000026, -1000000]
    assert reading.frame["mixed"].dropna().tolist() == [1.5, -1000001, -1000026]
    assert reading.missing_codes == {"only": (-1000026.0, -1000001.0, -1000000.0), "mixed": (-1000026.0, -1000001.0)}
    assert reading.notes == (
        "'only' has .A, shown as -1000001 and taken as a missing code. The same holds for 'mixed'.",
        "'only' has .Z, shown as -1000026 and taken as a missing code. The same holds for 'mixed'.",
        "'only' has ._, shown as -1000000 and taken as a missing code.",
    )


def test_sas_transport(tmp_path):
    data = written(tmp_path, "write_xport", "s.xpt", LABELLED.rename(columns=str.upper))
    assert one(data, "s.xpt").frame["INCOME"].tolist() == [-8, 100, 200, -9]


def test_sas():
    reading = one((FILES / "iris.sas7bdat").read_bytes(), "iris.sas7bdat")
    assert reading.frame.shape == (150, 5)
    assert reading.frame.iloc[:, 0].tolist()[:2] == [5.1, 4.9]
    assert sorted(reading.frame.iloc[:, 4].unique()) == [
        "setosa",
        "versic",
        "virgin",
    ]  # as wide as the file stores them


R_FRAME = {
    "sex": ["f", "m", None, "f"], "size": ["small", "large", "small", None], "age": [30, None, 41, 52],
    "income": [-8, 100.5, None, 300], "job": ["cook", None, "NA", "nurse"], "works": [True, False, None, True],
}  # fmt: skip


def check_r(frame, order=(0, 1, 2, 3)):
    for name, values in R_FRAME.items():
        shown = [None if pd.isna(v) else v for v in frame[name]]
        assert shown == [values[i] for i in order], name
    assert frame["sex"].cat.categories.tolist() == ["m", "f", "never used"]
    assert not frame["sex"].cat.ordered
    assert frame["size"].cat.ordered
    born = ["1990-01-31", "1980-02-01", None, "1970-03-01"]
    assert [None if pd.isna(v) else v.strftime("%Y-%m-%d") for v in frame["born"]] == [born[i] for i in order]


@pytest.mark.parametrize("name", ["frame.rds", "frame_xz.rds", "one_frame.RData"])
def test_an_r_data_frame(name):
    check_r(one((FILES / name).read_bytes(), name).frame)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("list.rds", ["list.rds / first", "list.rds / second"]),
        ("two_frames.RData", ["two_frames.RData / original", "two_frames.RData / other"]),
        ("synds_m2.rds", ["synds_m2.rds / syn 1", "synds_m2.rds / syn 2"]),
        ("synds_without_codes.rds", ["synds_without_codes.rds / syn 1", "synds_without_codes.rds / syn 2"]),
    ],
)
def test_several_r_data_frames(name, names):
    first, second = read(FILES / name, name)
    assert [first.name, second.name] == names
    check_r(first.frame)
    check_r(second.frame, (1, 0, 3, 2))
    assert first.sha256 == second.sha256


@pytest.mark.parametrize("name", ["synds_m1.rds", "synds_m2.rds"])
def test_synthpop_brings_its_missing_codes(name):
    for reading in read(FILES / name, name):
        assert reading.missing_codes == {"income": (-8.0,)}


def zipped(**files):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
    return sink.getvalue()


@pytest.mark.parametrize("year", ["-3000", "1600", "9999", "20000"])
def test_a_moment_of_any_year_is_read_as_it_is(year):
    """In nanoseconds, which INT96 counts, it would be another; and Python's own dates end with 9999."""
    # Written by Arrow 26; Arrow 21 writes other moments for the first two.
    data = (FILES / "far_moments_int96.parquet").read_bytes()
    moments = np.array([f"{year}-06-01T12:00:00", "1970-01-01"], "datetime64[us]")
    assert one(data, "x.parquet").frame[year].to_numpy().tolist() == moments.tolist()


def test_a_zip_of_syntheses():
    text = FRAME.to_csv(index=False)
    readings = read(zipped(**{"s__b.csv": text, "s__a.csv": text}), "syntheses.zip")
    assert [r.name for r in readings] == ["syntheses.zip / a.csv", "syntheses.zip / b.csv"]
    for reading in readings:
        same(reading.frame)


def test_the_files_of_a_zip_are_bounded_together():
    text = b"k\n" + b"1\n" * 300_000  # 0.6 MB
    one_file, two = zipped(**{"a.csv": text}), zipped(**{"a.csv": text, "b.csv": text})
    assert len(read(one_file, "x.zip", limits=Limits(megabytes=1))[0].frame) == 300_000
    with pytest.raises(DisclosureError, match="x.zip unpacks to more than is allowed"):
        read(two, "x.zip", limits=Limits(megabytes=1))


def test_a_path_reads_as_its_bytes(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert one(path, "x.csv").sha256 == one(path.read_bytes(), "x.csv").sha256
    import hashlib

    assert one(path, "x.csv").sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_operators_folder(tmp_path):
    inside, outside = tmp_path / "data", tmp_path / "secret.csv"
    inside.mkdir()
    outside.write_text("a,b\n1,2\n")
    (inside / "ok.csv").write_text("a,b\n1,2\n")
    (inside / "notes.docx").write_text("x")
    (inside / "sub.csv").mkdir()
    (inside / "link.csv").symlink_to(outside)
    assert folder_files(inside) == ("ok.csv",)
    assert folder_file(inside, "ok.csv") == inside / "ok.csv"
    for name in ("../secret.csv", "link.csv", "sub.csv", str(outside), "", ".", "notes.docx"):
        with pytest.raises(DisclosureError, match="is not in the server's folder any more"):
            folder_file(inside, name)
    with pytest.raises(DisclosureError, match="cannot be read; ask the operator"):
        folder_files(tmp_path / "gone")


@pytest.mark.parametrize("change", ["longer", "shorter", "another"])
def test_a_file_that_changes_while_it_is_read_is_a_sentence(tmp_path, monkeypatch, change):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    looks = []

    def fstat(fd):
        if looks:  # it has been read, and is looked at again
            text = {"longer": "a,b\n1,2\n3,4\n", "shorter": "a,b\n1,", "another": "a,b\n3,4\n"}[change]
            path.write_text(text)
            os.utime(path, ns=(1, 1))
        looks.append(fd)
        return found(fd)

    found = os.fstat
    monkeypatch.setattr(os, "fstat", fstat)
    with pytest.raises(DisclosureError, match=r"^x\.csv was changed while it was read; try again when"):
        read(path, "x.csv")
    monkeypatch.setattr(os, "fstat", found)
    path.unlink()
    with pytest.raises(DisclosureError, match=r"^x\.csv could not be opened: it is not there any more"):
        read(path, "x.csv")


def test_limits():
    data = FRAME.to_csv(index=False).encode() * 1
    with pytest.raises(DisclosureError, match="larger than the 0 MB allowed; save it as Parquet, or ask the operator"):
        read(data, "x.csv", limits=Limits(megabytes=0))
    with pytest.raises(DisclosureError, match="needs about 0 MB of memory, more than is allowed"):
        read(data, "x.csv", limits=Limits(memory=0))
    sink = io.BytesIO()
    FRAME.to_parquet(sink)
    with pytest.raises(DisclosureError, match="has 5 columns, more than the 4 allowed; remove some"):
        read(data, "x.csv", limits=Limits(columns=4))
    n = len(FRAME)
    for name, given in (("x.csv", data), ("x.parquet", sink.getvalue())):
        said = f"{name} has {n} rows, more than the {n - 1} allowed; ask the operator for a higher limit"
        with pytest.raises(DisclosureError, match=said):
            read(given, name, limits=Limits(rows=n - 1))
        assert len(read(given, name, limits=Limits(rows=n))[0].frame) == n


def test_a_million_rows_keep_their_types():
    rng = np.random.default_rng(1)
    n = 200_000
    frame = pd.DataFrame(
        {"k": rng.integers(0, 99, n), "t": rng.choice(["a", "b"], n), "x": rng.normal(size=n).round(3)}
    )
    same(one(frame.to_csv(index=False).encode(), "big.csv").frame, frame)


def test_every_ending_has_a_test():
    text = Path(__file__).read_text().lower()
    assert [e for e in EXTENSIONS if f'{e}"' not in text] == []
    for ending in (".tsv", ".tab", ".txt"):
        assert one(b"a\tb\n1\tx\n", "x" + ending).frame["b"].tolist() == ["x"]
    check_r(one((FILES / "one_frame.RData").read_bytes(), "x.rda").frame)


def test_each_member_of_a_zip_has_its_own_fingerprint_and_the_zip_is_known_by_its():
    sink, members = io.BytesIO(), {"one.csv": b"a,b\n1,2\n", "two.csv": b"a,b\n1,3\n"}
    with zipfile.ZipFile(sink, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    readings = read(sink.getvalue(), "set.zip")
    assert [r.sha256 for r in readings] == [hashlib.sha256(data).hexdigest() for data in members.values()]
    assert {r.file_sha256 for r in readings} == {hashlib.sha256(sink.getvalue()).hexdigest()}
    (plain,) = read(members["one.csv"], "one.csv")
    assert plain.sha256 == plain.file_sha256 == readings[0].sha256


HOURS = [1.5, 25.5, 38.5, 14.5, 49.5, 8.0]


def test_times_beyond_a_day_keep_apart_and_meet_the_clock_of_a_text(tmp_path):
    frame = pd.DataFrame({"t": [h * 3600 for h in HOURS]})
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"), variable_format={"t": "TIME8"})
    pyreadstat.write_sav(frame % 86_400, str(tmp_path / "within.sav"), variable_format={"t": "TIME8"})
    beyond, within = (one((tmp_path / name).read_bytes(), name) for name in ("t.sav", "within.sav"))
    assert beyond.frame["t"].tolist() == [pd.Timedelta(hours=h) for h in HOURS]
    assert beyond.notes == ("'t' has 3 times beyond 24 hours: its times are read as durations.",)
    assert not within.notes
    clock = [f"{int(h):02d}:{int(h % 1 * 60):02d}:00" for h in HOURS]
    for other in (pd.DataFrame({"t": clock}), within.frame):
        levels = Study(beyond.frame, [other]).columns["t"].levels
        assert set(clock) <= set(levels)


def test_a_date_of_no_calendar_refuses_no_file(tmp_path):
    days = pd.DataFrame({"d": [12537500000.0, 587561126400.0]})
    pyreadstat.write_sav(days, str(tmp_path / "d.sav"), variable_format={"d": "DATE11"})
    reading = one((tmp_path / "d.sav").read_bytes(), "d.sav")
    assert reading.notes == ("'d' has a date outside the years 1 to 9999, in record 2: kept as it is.",)
    several = pd.concat([days, days.iloc[1:]])
    pyreadstat.write_sav(several, str(tmp_path / "e.sav"), variable_format={"d": "DATE11"})
    (note,) = one((tmp_path / "e.sav").read_bytes(), "e.sav").notes
    assert note == "'d' has 2 dates outside the years 1 to 9999, the first in record 2: kept as they are."
    sink = io.BytesIO()
    infinite = pa.array([18_262, 2**31 - 1, None], pa.int32()).cast(pa.date32())
    pa.parquet.write_table(pa.table({"x": infinite, "n": [1, 2, 3]}), sink)
    reading = one(sink.getvalue(), "x.parquet")
    assert (reading.frame["x"].nunique(), int(reading.frame["x"].isna().sum())) == (2, 1)
    assert "outside the years 1 to 9999, in record 2" in reading.notes[0]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_a_clock_is_shown_at_the_ends_of_the_calendar(zone):
    moments = pa.array([253_402_300_799, 253_402_318_799, -62_135_596_800, 0], pa.timestamp("s", zone))
    levels = Study(pa.table({"t": moments}), [pa.table({"t": moments})]).columns["t"].levels
    assert len(set(levels)) == 4
    assert any(level.startswith("9999-12-31T") for level in levels)


def test_texts_stored_as_differences_are_read_and_bounded():
    sink = io.BytesIO()
    jobs = pa.table({"job": ["clerk", "nurse", None] * 9})
    how = {"use_dictionary": False, "column_encoding": {"job": "DELTA_BYTE_ARRAY"}}
    pa.parquet.write_table(jobs, sink, **how)
    assert one(sink.getvalue(), "x.parquet").frame["job"].value_counts().to_dict() == {"clerk": 9, "nurse": 9}
    bomb = io.BytesIO()
    pa.parquet.write_table(pa.table({"job": ["a" * 1_000_000 + str(i) for i in range(200)]}), bomb, **how)
    with pytest.raises(DisclosureError, match=r"x\.parquet needs more than the 70 MB of memory allowed"):
        read_in_child(bomb.getvalue(), "x.parquet", None, Limits(memory=70))


RECORDS = b"34,f,Bern,yes\n41,m,Bern,no\n34,f,Oslo,yes\n29,m,Bern,no\n30,f,Oslo,yes\n"


def test_a_first_row_that_looks_like_a_record_is_asked_of():
    (question,) = one(RECORDS, "x.csv").warnings
    assert question.startswith("The first row ('34', 'f', 'Bern', 'yes') was read as the names")
    (of_five,) = one(RECORDS.replace(b"\n", b",a\n"), "x.csv").warnings
    assert of_five.startswith("The first row ('34', 'f', 'Bern', 'yes' …) was read")
    assert "looks like a record" in question
    assert "--header no" in question
    reading = one(RECORDS, "x.csv", header=False)
    assert list(reading.frame.columns) == ["V1", "V2", "V3", "V4"]
    assert (len(reading.frame), reading.warnings) == (5, ())
    assert "It has no row of names, as was said: its columns are called V1 to V4." in reading.notes
    assert not one(RECORDS, "x.csv", header=True).warnings
    with pytest.raises(DisclosureError, match="two columns called 'f'; rename one of them; or choose"):
        one(b"34,f,f\n41,m,m\n34,f,m\n30,m,f\n", "x.csv")


@pytest.mark.parametrize(
    "text",
    [
        "region,2019,2020,2021\nN,1,2,3\nS,4,5,6\nN,2,2,2\n",
        "0,1,2\n5,6,7\n5,6,8\n5,7,7\n",
        "sex,job\nf,nurse\nm,cook\nf,nurse\nm,cook\n",
        "id,job\nnumber of record,what they do\n1,cook\n2,nurse\n3,cook\n",
        "a,b\nx,y\na,b\nx,z\nx,y\n",
    ],
)
def test_names_that_are_names_are_not_asked_of(text):
    assert not one(text.encode(), "x.csv").warnings


def test_an_encoding_is_of_the_file_that_declares_none(tmp_path):
    pyreadstat.write_sav(pd.DataFrame({"town": ["Ålesund", "Bern"]}), str(tmp_path / "t.sav"))
    reading = one((tmp_path / "t.sav").read_bytes(), "t.sav", encoding="cp850")
    assert reading.frame["town"].tolist() == ["Ålesund", "Bern"]
    assert reading.notes == ("It says itself how its texts are encoded: cp850 is not used.",)
    assert one("town\nÅlesund\nx".encode("utf-8-sig"), "t.csv", encoding="cp850").frame["town"][0] == "Ålesund"
    assert one("town\nÅlesund\nx".encode("cp850"), "t.csv", encoding="cp850").frame["town"][0] == "Ålesund"


def test_letters_that_could_not_be_read_are_a_warning():
    (warning,) = one("town,n\n\ufffdlesund,1\nBern,2\n".encode(), "t.csv").warnings
    assert warning.startswith("'town' has letters that could not be read, shown as \ufffd, in 1 value")


@pytest.mark.parametrize(
    ("data", "records", "note"),
    [
        (b"id,job\r\n1,a\r\n2,b\r\n\x1a", 2, "The file ends with the sign Ctrl-Z of DOS: ignored."),
        (b"sex age job\nf 20 a\nm 21 b\nf 30 a\n", 3, "parted by blanks"),
    ],
)
def test_what_old_programs_put_into_a_text_is_said(data, records, note):
    reading = one(data, "x.txt")
    assert (len(reading.frame), note in reading.notes[0]) == (records, True)
