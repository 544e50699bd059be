"""Bad input by the dozen: each row a file, and the sentence that its user gets."""

import gzip
import io
import pickle
import struct
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from disclosure_core import DisclosureError, ReadOptions, Study
from tests.reading import Limits
from tests.reading import read_in_process as read

FILES = Path(__file__).parent / "files"
GOOD = b"sex,age\nf,1\nm,2\n"
FRAME = pd.DataFrame({"sex": ["f", "m"], "age": [1, 2]})


def parquet(table=None):
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pandas(FRAME) if table is None else table, sink)
    return sink.getvalue()


def footer_leads_nowhere():
    """An Arrow file whose footer says that its records begin beyond its end."""
    sink = io.BytesIO()
    table = pa.table({"a": [1]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    data = bytearray(sink.getvalue())
    data[-130] = 0xFF
    return bytes(data)


def excel(rows):
    sink = io.BytesIO()
    pd.DataFrame(rows).to_excel(sink, index=False, header=False)
    return sink.getvalue()


def zipped(*entries, lie=None):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    data = bytearray(sink.getvalue())
    if lie:  # claim another size in the central directory
        at = data.rfind(b"PK\x01\x02") + 24
        data[at : at + 4] = struct.pack("<I", lie)
    return bytes(data)


def spoilt(data, name, kept=0):
    """A zip in which what is packed of one entry is no packed data, but for the bytes kept at its begin."""
    entry = zipfile.ZipFile(io.BytesIO(data)).getinfo(name)
    at = entry.header_offset + 30 + len(name)
    end = at + entry.compress_size
    return data[: at + kept] + b"\xff" * (end - at - kept) + data[end:]


def packed(kind):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", kind) as archive:
        archive.writestr("a.csv", GOOD)
    return sink.getvalue()


def repeated(times):
    """An OpenDocument sheet in which a row and a cell stand so many times."""
    text = '<table:table-cell office:value-type="string"{}><text:p>{}</text:p></table:table-cell>'.format
    rows = "".join(
        f"<table:table-row{more}>{text('', 'a')}{text(more, 'b')}</table:table-row>"
        for more in ("", f' table:number-rows-repeated="{times}" table:number-columns-repeated="{times}"')
    )
    error = (
        '<table:table-row><table:table-cell office:value-type="string" calcext:value-type="error"/></table:table-row>'
    )
    names = " ".join(
        f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text", "calcext")
    )
    content = f'<office:document-content {names}><office:body><office:spreadsheet><table:table table:name="S">{rows}{error}</table:table></office:spreadsheet></office:body></office:document-content>'
    return zipped(("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content.encode()))


def locked_zip():
    data = bytearray(zipped(("a.csv", GOOD)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rfind(mark) + offset] |= 1
    return bytes(data)


def locked_excel():
    """An encrypted workbook is an OLE container; its directory names the encrypted package."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(2000)


def many_columns(n):
    return (",".join(f"c{i}" for i in range(n)) + "\n" + ",".join("1" * n) + "\n").encode()


NESTED = pa.table({"a": [1], "tags": [[1, 2]]})
STRUCT = pa.table({"a": [1], "who": [{"x": 1}]})
TWICE = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
SMALL = Limits(megabytes=1)
BOMB = bytes(3_000_000)

BAD = [
    # text
    ("empty.csv", b"", "is empty; choose a file with a header"),
    ("blank.csv", b"\n \n\n", "is empty; choose a file with a header"),
    ("bom.csv", b"\xef\xbb\xbf", "is empty; choose a file with a header"),
    ("comment.csv", b"# a\n\n", "has no records; choose a file with a header and at least one row"),
    ("header.csv", b"sex,age\n", "has no records; choose a file with a header and at least one row"),
    ("ragged.csv", b"a,b\n1,2\n1,2,3\n", "Row 3 of ragged.csv has 3 cells, the header 2; mend the row, or choose another delimiter"),
    ("short.csv", b"a,b,c\n1,2,3\n1,2\n", "Row 3 of short.csv has 2 cells, the header 3; mend the row"),
    ("twice.csv", b"age,age\n1,2\n", "has two columns called 'age'; rename one of them"),
    ("noname.csv", b"sex,,age\nf,1,2\n", "Column 2 of noname.csv has no name; give it one"),
    ("spaces.csv", b"sex,  ,age\nf,1,2\n", "Column 2 of spaces.csv has no name; give it one"),
    ("binary.csv", bytes(range(256)) * 4, "is not a text file"),
    ("nul.csv", b"a,b\n1,\x00\n", "is not a text file"),
    ("late_nul.csv", b"a,b\n" + b"1,2\n" * 50_000 + b"1,\x00\n", "is not a text file"),
    ("wide.csv", many_columns(20_000), "has 20,000 columns, more than the 5,000 allowed; remove some"),
    ("quote.csv", b'a,b\n"1,2\n', "Row 2 of quote.csv has a quote that is not closed"),
    ("swallows.csv", b'a,b\n1,"2\n3,4\n5,6\n7,8\n9"\n1,2\n', "Row 2 of swallows.csv has a cell of 5 lines, which are cut into 2 cells"),
    ("long.csv", b'a,b\n"1,' + b"x,y\n" * 40_000 + b'",2,3\n', "Row 2 of long.csv has a cell of more than 131,072 characters"),
    ("above.csv", b"#a,b,\n#\n" * 1_000 + b"a,b\n1,2\n", "above.csv has more than 300 lines above the names of its columns"),
    ("wrong.csv", "a,b\nü,1\n".encode("cp1252"), "cannot be read as 'utf-8'; choose another encoding", ReadOptions(encoding="utf-8")),
    ("nothing.csv", GOOD, "cannot be read as 'klingon'; choose another encoding", ReadOptions(encoding="klingon")),
    ("sign.csv", GOOD, "cannot be read with '§' as a delimiter; choose one sign of ASCII", ReadOptions(delimiter="§")),
    ("sep.csv", "sep=§\na§b\n1§2\n".encode(), "cannot be read with '§' as a delimiter; choose one sign of ASCII"),
    ("quotes.csv", GOOD, "as a quote; choose one sign of ASCII", ReadOptions(quote="''")),
    ("nul_quote.csv", GOOD, "as a quote; choose one sign of ASCII", ReadOptions(quote="\0")),
    ("both.csv", GOOD, "cannot be read with ';' as delimiter and as quote; choose another of them", ReadOptions(delimiter=";", quote=";")),
    ("nul_name.csv", GOOD, r"cannot be read as 'utf-8\\x00'; choose another encoding", ReadOptions(encoding="utf-8\0")),
    ("undefined.csv", GOOD, "cannot be read as 'undefined'; choose another encoding", ReadOptions(encoding="undefined")),
    # Parquet, Arrow
    ("cut.parquet", parquet()[:-20], "is not a sound Parquet file; save it again"),
    ("half.parquet", parquet()[: len(parquet()) // 2], "is not a sound Parquet file"),
    ("text.parquet", GOOD, "is not a sound Parquet file"),
    ("flipped.parquet", parquet()[:8] + b"\xff" * 40 + parquet()[48:], "is not a sound Parquet file"),
    ("lists.parquet", parquet(NESTED), "Column 'tags' of lists.parquet holds lists or records in its cells; remove it"),
    ("structs.parquet", parquet(STRUCT), "Column 'who' of structs.parquet holds lists or records"),
    ("twice.parquet", parquet(TWICE), "has two columns called 'a'; rename one of them"),
    ("none.parquet", parquet(pa.table({"a": pa.array([], pa.int64())})), "has no records"),
    ("nocolumn.parquet", parquet(pa.table({})), "has no records"),
    ("text.feather", GOOD, "is not a sound Arrow file"),
    ("footer.arrow", footer_leads_nowhere(), "is not a sound Arrow file"),
    ("cut.arrow", b"ARROW1\x00\x00" + bytes(50), "is not a sound Arrow file"),
    # spreadsheets
    ("text.xlsx", GOOD, "is not a sound Excel or OpenDocument file"),
    ("cut.xlsx", excel([["a"], [1]])[:500], "is not a sound Excel or OpenDocument file"),
    ("locked.xlsx", locked_excel(), "is locked with a password; save it without one"),
    ("zip.xlsx", zipped(("a.csv", GOOD)), "is not a sound Excel or OpenDocument file"),
    ("text.ods", GOOD, "is not a sound Excel or OpenDocument file"),
    ("text.xls", GOOD, "is not a sound Excel or OpenDocument file"),
    ("blank.xlsx", excel([]), "Sheet 'Sheet1' of blank.xlsx is empty"),
    ("header.xlsx", excel([["a", "b"]]), "has no records"),
    ("twice.xlsx", excel([["a", "a"], [1, 2]]), "has two columns called 'a'"),
    ("noname.xlsx", excel([["a", None], [1, 2]]), "Column 2 of noname.xlsx has no name"),
    ("spoilt.xlsx", spoilt(excel([["a"], [1]]), "xl/worksheets/sheet1.xml"), "is not a sound Excel or OpenDocument file"),
    ("panic.xls", (FILES / "parser_panics.xls").read_bytes(), "is not a sound Excel or OpenDocument file"),
    ("x_times.ods", repeated("x"), "is not a sound Excel or OpenDocument file"),
    ("very_many_times.ods", repeated("9" * 5000), "is not a sound Excel or OpenDocument file"),
    # statistical packages
    ("names.dta", (FILES / "parser_fails.dta").read_bytes(), "is not a sound Stata file"),
    ("kinds.xpt", (FILES / "parser_fails.xpt").read_bytes(), "is not a sound SAS transport file"),
    ("text.sav", GOOD, "is not a sound SPSS file"),
    ("text.zsav", b"$FL3" + bytes(100), "is not a sound SPSS file"),
    ("text.por", GOOD, "is not a sound SPSS portable file"),
    ("text.dta", GOOD, "is not a sound Stata file"),
    ("text.sas7bdat", GOOD, "is not a sound SAS file"),
    ("cut.sas7bdat", (FILES / "iris.sas7bdat").read_bytes()[:1000], "is not a sound SAS file"),
    ("twice.sas7bdat", (FILES / "iris.sas7bdat").read_bytes().replace(b"Petal_Width", b"Sepal_Width"), "has two columns called 'Sepal_Width'"),
    ("text.xpt", GOOD, "is not a sound SAS transport file"),
    # R
    ("text.rds", GOOD, "is not a sound R file"),
    ("cut.rds", (FILES / "frame.rds").read_bytes()[:200], "is not a sound R file"),
    ("flipped.rds", gzip.compress(b"X\n\x00\x00\x00\x03" + bytes(60)), "is not a sound R file|holds no data frame"),
    ("function.rds", (FILES / "function.rds").read_bytes(), "is not a sound R file|holds no data frame"),
    ("environment.rds", (FILES / "environment.rds").read_bytes(), "holds no data frame; save a data frame"),
    ("vector.rds", (FILES / "vector.rds").read_bytes(), "holds no data frame; save a data frame"),
    ("bomb.rds", gzip.compress(BOMB), "unpacks to more than is allowed; save the data as Parquet", None, SMALL),
    # archives
    ("text.gz", GOOD, "is not a sound gzip file"),
    ("cut.csv.gz", gzip.compress(GOOD)[:-9], "is not a sound gzip file"),
    ("bomb.csv.gz", gzip.compress(BOMB), "unpacks to more than is allowed; bring the files one by one", None, SMALL),
    ("text.zip", GOOD, "is not a sound zip file"),
    ("spoilt.zip", spoilt(packed(zipfile.ZIP_LZMA), "a.csv", kept=9), "is not a sound zip file"),
    ("nameless.zip", zipped(("a.csv", GOOD), ("~.csv", GOOD)).replace(b"~", b"\0"), "holds '', which is no data file"),
    ("nothing.zip", zipped(), "holds no file; put the data files into it"),
    ("bomb.zip", zipped(("a.csv", BOMB)), "unpacks to more than is allowed", None, SMALL),
    ("liar.zip", zipped(("a.csv", BOMB), lie=10), "unpacks to more than is allowed|is not a sound zip file", None, SMALL),
    ("out.zip", zipped(("../../etc/passwd.csv", GOOD)), "holds a file whose path leads out of it"),
    ("root.zip", zipped(("/etc/passwd.csv", GOOD)), "holds a file whose path leads out of it"),
    ("windows.zip", zipped(("..\\x.csv", GOOD)), "holds a file whose path leads out of it"),
    ("nested.zip", zipped(("inner.zip", zipped(("a.csv", GOOD)))), "holds 'inner.zip', which is no data file; remove it"),
    ("notes.zip", zipped(("a.csv", GOOD), ("notes.docx", b"x")), "holds 'notes.docx', which is no data file"),
    ("locked.zip", locked_zip(), "is locked with a password; pack it again without one"),
    ("many.zip", zipped(*[(f"{i}.csv", GOOD) for i in range(101)]), "holds 101 files, more than the 100 allowed"),
    ("inside.zip", zipped(("bad.csv", b"a,a\n1,2\n")), "has two columns called 'a'"),
    # formats that are not read
    ("model.pkl", pickle.dumps(FRAME), "is a pickle, which can run code when it is opened; save the data as Parquet"),
    ("letter.docx", GOOD, "is of a format that is not read here; bring one of .csv"),
    ("noending", GOOD, "is of a format that is not read here"),
    ("evil.csv.exe", GOOD, "is of a format that is not read here"),
    ("large.csv", GOOD * 100_000, "is larger than the 1 MB allowed; save it as Parquet, or ask the operator", None, SMALL),
]  # fmt: skip


@pytest.mark.parametrize("row", BAD, ids=[row[0] for row in BAD])
def test_bad_input_is_a_sentence(row):
    name, data, sentence, options, limits = (*row, None, None)[:5]
    with pytest.raises(DisclosureError, match=sentence) as told:
        read(data, name, options, limits)
    said = str(told.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert "Traceback" not in said


def test_nothing_in_a_file_was_run():
    assert not Path("/tmp/evaluated").exists()


ODD_BUT_FINE = [
    ("one column", b"age\n1\n2\n", {"age": [1, 2]}),
    ("infinite as text", b"age,k\ninf,1\n1,2\n", {"age": ["inf", "1"]}),
    ("integers past 2^63", b"id,k\n99999999999999999999,1\n1,2\n", {"id": ["99999999999999999999", "1"]}),
    ("mixed types", b"x,k\n1,1\nb,2\n", {"x": ["1", "b"]}),
    ("HTML in a name", b"<img onerror=x>,k\n1,2\n", {"<img onerror=x>": [1]}),
    ("Markdown in a name", b"[x](javascript:y),k\n1,2\n", {"[x](javascript:y)": [1]}),
    ("a formula as a name", b"=1+1,k\n1,2\n", {"=1+1": [1]}),
    ("emoji", "😀,k\n🎉,2\n".encode(), {"😀": ["🎉"]}),
    ("a long name", b"x" * 500 + b",k\n1,2\n", {"x" * 500: [1]}),
    ("a line break in a cell", b'a,k\n"x\ny",2\n', {"a": ["x\ny"]}),
    ("a quote in a cell", b'a,k\n"x ""y""",2\n', {"a": ['x "y"']}),
    ("spaces kept", b"a,k\n x ,2\n", {"a": [" x "]}),
    ("empty lines at the start", b"\n\na,k\nx,2\n", {"a": ["x"]}),
]


@pytest.mark.parametrize("row", ODD_BUT_FINE, ids=[row[0] for row in ODD_BUT_FINE])
def test_odd_input_is_read_as_it_is(row):
    _, data, expected = row
    (reading,) = read(data, "x.csv")
    for name, values in expected.items():
        assert reading.frame[name].tolist() == values
    Study(reading.frame, [reading.frame])
