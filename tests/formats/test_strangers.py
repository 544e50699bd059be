"""Sixty files that other programs wrote than the readers' libraries, each beside a clean twin: every value is the same.

DuckDB writes Parquet and text, PSPP writes SPSS, R's `foreign` writes Stata and its base R data, and a sheet is put
together by hand as spreadsheet programs write it. Keys are the record's number and the column that is tried: repU = 100
says that each value stands on its own record.
"""

import csv
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from disclosure_core import read
from disclosure_core.data.rewriters import Change, rewrite_in_process
from disclosure_core.data.writers import ending_of
from tests.commands import disclosure

N = 12
IDS = range(1, N + 1)


def twin(folder, values):
    """Write the clean twin: the record's number, the value as text, a target."""
    path = folder / "twin.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "x", "t"])
        writer.writerows([i, v, "ab"[i % 2]] for i, v in zip(IDS, values, strict=True))
    return path


def same(folder, file, values):
    """Fail unless a file holds these values of x, record by record."""
    out = folder / "o.json"
    call = ["assess", str(twin(folder, values)), str(file), "--keys", "id,x", "--targets", "t", "--json", str(out)]
    done = disclosure(*call)
    assert done.exit_code == 0, done.output
    identity = json.loads(out.read_text(encoding="utf-8"))["tables"]["identity"][0]
    assert identity["repU"] == 100, done.output


# ---- DuckDB: 11 types as Parquet in turn of five compressions, six ways of text ----------------------------------------

TYPES = {
    "TINYINT": [i - 6 for i in IDS], "UBIGINT": [2**63 + i for i in IDS], "HUGEINT": [i * 1000 for i in IDS],
    "DECIMAL(9,2)": [f"{i}.{i:02}" for i in IDS], "FLOAT": [i / 8 for i in IDS], "DOUBLE": [i / 10 for i in IDS],
    "BOOLEAN": ["true" if i % 2 else "false" for i in IDS], "DATE": [f"2024-02-{i:02}" for i in IDS],
    "TIMESTAMP": [f"2024-02-{i:02} 10:0{i % 6}:00" for i in IDS], "TIME": [f"0{i % 9}:30:{i:02}" for i in IDS],
    "VARCHAR": [None if i == 4 else f"Größe {i}, “so”" for i in IDS],
}  # fmt: skip
PACKED = ("snappy", "zstd", "gzip", "brotli", "lz4_raw")


@pytest.mark.parametrize(("kind", "values"), TYPES.items(), ids=TYPES)
@pytest.mark.parametrize("nulls", [False, True])
def test_parquet_of_duckdb(tmp_path, kind, values, nulls):
    values = [None if nulls and i % 5 == 0 else v for i, v in zip(IDS, values, strict=True)]
    packed = PACKED[list(TYPES).index(kind) % len(PACKED)]
    with duckdb.connect() as link:
        link.execute(f"create table a (id integer, x {kind}, t varchar)")
        link.executemany(
            "insert into a values (?, ?, ?)", [(i, v, "ab"[i % 2]) for i, v in zip(IDS, values, strict=True)]
        )
        link.execute(f"copy a to '{tmp_path}/a.parquet' (format parquet, compression {packed}, row_group_size 5)")
    same(tmp_path, tmp_path / "a.parquet", values)


ODD_TEXTS = [
    None
    if i == 4
    else ["plain", "with, comma", 'with "quotes"', "with; semicolon", "Ünïcode", "  spaces  "][i % 6] + str(i)
    for i in IDS
]


@pytest.mark.parametrize(
    ("ending", "how"),
    [
        ("csv", "delim ','"),
        ("csv", "delim ';'"),
        ("csv", "delim '\\t'"),
        ("csv", "delim '|'"),
        ("csv", "force_quote *"),
        ("csv.gz", "compression gzip"),
    ],
)
def test_text_of_duckdb(tmp_path, ending, how):
    with duckdb.connect() as link:
        link.execute("create table a (id integer, x varchar, t varchar)")
        link.executemany(
            "insert into a values (?, ?, ?)", [(i, v, "ab"[i % 2]) for i, v in zip(IDS, ODD_TEXTS, strict=True)]
        )
        how = how.replace("\\t", "\t")
        link.execute(f"copy a to '{tmp_path}/a.{ending}' (format csv, header, {how})")
    same(tmp_path, tmp_path / f"a.{ending}", ODD_TEXTS)


# ---- PSPP: how SPSS shows a number changes nothing of it, but days, moments and times of day ---------------------------

SHOWN = {
    "F8.2": ("id + 0.25", [i + 0.25 for i in IDS]), "F1.0": ("id", list(IDS)), "COMMA12.2": ("id * 1000.5", [i * 1000.5 for i in IDS]),
    "DOT12.2": ("id * 1000.5", [i * 1000.5 for i in IDS]), "DOLLAR12.2": ("id / 4", [i / 4 for i in IDS]), "E12.3": ("id * 1000000", [i * 1000000 for i in IDS]),
    "PCT8.1": ("id / 2", [i / 2 for i in IDS]), "N4": ("id", list(IDS)), "DATE11": ("DATE.DMY(id,2,2024)", [f"2024-02-{i:02}" for i in IDS]),
    "ADATE10": ("DATE.DMY(id,2,1924)", [f"1924-02-{i:02}" for i in IDS]), "EDATE10": ("DATE.DMY(1,id,2024)", [f"2024-{i:02}-01" for i in IDS]),
    "SDATE10": ("DATE.DMY(id,12,1999)", [f"1999-12-{i:02}" for i in IDS]), "JDATE7": ("DATE.DMY(id,1,2020)", [f"2020-01-{i:02}" for i in IDS]),
    "DATETIME20": ("DATE.DMY(id,1,2020) + TIME.HMS(7,0,id)", [f"2020-01-{i:02} 07:00:{i:02}" for i in IDS]),
    "TIME8": ("TIME.HMS(id,30,0)", [f"{i:02}:30:00" for i in IDS]),
}  # fmt: skip


@pytest.mark.skipif(shutil.which("pspp") is None, reason="there is no PSPP on this machine")
@pytest.mark.parametrize(("shown", "case"), SHOWN.items(), ids=SHOWN)
def test_spss_of_pspp(tmp_path, shown, case):
    formula, values = case
    packed = ("", " /ZCOMPRESSED", " /UNCOMPRESSED")[list(SHOWN).index(shown) % 3]
    data = "\n".join(f"{i} {'ab'[i % 2]}" for i in IDS)
    (tmp_path / "a.sps").write_text(
        f"DATA LIST LIST /id (F4) t (A1).\nBEGIN DATA\n{data}\nEND DATA.\nCOMPUTE x = {formula}.\nFORMATS x ({shown}).\n"
        f"IF (id = 4) x = $SYSMIS.\nEXECUTE.\nSAVE OUTFILE='a.sav'{packed}.\n",
        encoding="utf-8",
    )
    subprocess.run(["pspp", "-b", "a.sps"], cwd=tmp_path, check=True, capture_output=True)
    same(tmp_path, tmp_path / "a.sav", [None if i == 4 else v for i, v in zip(IDS, values, strict=True)])


# ---- R: Stata of `foreign`, and R's own files in four packings ---------------------------------------------------------


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R on this machine")
@pytest.mark.parametrize(
    ("file", "code", "values"),
    [
        *((f"v{v}.dta", f'foreign::write.dta(a, "v{v}.dta", version = {v}L)', None) for v in (6, 7, 8, 10)),
        *((f"{how}.rds", f'saveRDS(a, "{how}.rds", compress = {way})', None) for how, way in
          (("plain", "FALSE"), ("gzip", '"gzip"'), ("bzip2", '"bzip2"'), ("xz", '"xz"'))),
        ("old.rds", 'saveRDS(a, "old.rds", version = 2)', None),
        ("text.RData", 'save(a, file = "text.RData", ascii = TRUE)', None),
    ],
)  # fmt: skip
def test_files_of_r(tmp_path, file, code, values):
    values = [None if i == 4 else i / 8 for i in IDS]
    numbers = ", ".join("NA" if v is None else str(v) for v in values)
    made = f"a <- data.frame(id = 1:{N}, x = c({numbers}), t = rep(c('b', 'a'), {N // 2}), stringsAsFactors = FALSE); {code}"
    subprocess.run(["Rscript", "-e", made], cwd=tmp_path, check=True, capture_output=True)
    same(tmp_path, tmp_path / file, values)


# ---- sheets by hand, as programs write them ----------------------------------------------------------------------------

SHEET = (
    '<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{rows}</sheetData></worksheet>"
)
PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships">{properties}<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/styles.xml": '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills '
    'count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/>'
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
}  # fmt: skip
CELLS = {
    "numbers": ("<c r='B{r}'><v>{v}</v></c>", [i / 4 for i in IDS], ""),
    "numbers as Excel writes them": ("<c r='B{r}'><v>{v}</v></c>", ["1.1000000000000001", *[f"{i}" for i in range(2, N + 1)]], ""),
    "exponents": ("<c r='B{r}'><v>{v}</v></c>", [f"{i}E-3" for i in IDS], ""),
    "inline text": ("<c r='B{r}' t='inlineStr'><is><t>{v}</t></is></c>", [f"text {i}" for i in IDS], ""),
    "rich inline text": ("<c r='B{r}' t='inlineStr'><is><r><t xml:space='preserve'>rich </t></r><r><t>{v}</t></r></is></c>", [f"rich {i}" for i in IDS], ""),
    "truths": ("<c r='B{r}' t='b'><v>{v}</v></c>", ["true" if i % 2 else "false" for i in IDS], ""),
    "results of formulas": ("<c r='B{r}'><f>A{r}*2</f><v>{v}</v></c>", [2 * i for i in IDS], ""),
    "texts of formulas": ("<c r='B{r}' t='str'><f>\"x\"</f><v>{v}</v></c>", [f"so {i}" for i in IDS], ""),
    "days": ("<c r='B{r}' s='1'><v>{v}</v></c>", [f"2024-02-{i:02}" for i in IDS], ""),
    "days since 1904": ("<c r='B{r}' s='1'><v>{v}</v></c>", [f"2024-02-{i:02}" for i in IDS], "<workbookPr date1904='1'/>"),
    "days as ISO texts": ("<c r='B{r}' t='d' s='1'><v>{v}T00:00:00</v></c>", [f"2024-02-{i:02}" for i in IDS], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CELLS)
def test_a_sheet_by_hand(tmp_path, name):
    cell, values, properties = CELLS[name]
    stored = [str(v) for v in values]
    if name == "days":
        stored = [str(45322 + i) for i in range(1, N + 1)]  # 2024-02-01 is 45323
    elif name == "days since 1904":
        stored = [str(45322 + i - 1462) for i in range(1, N + 1)]
    elif name == "truths":
        stored = ["1" if v == "true" else "0" for v in values]
    elif name == "rich inline text":
        stored = [v.removeprefix("rich ") for v in values]
    head = "".join(
        f"<c r='{c}1' t='inlineStr'><is><t>{n}</t></is></c>" for c, n in (("A", "id"), ("B", "x"), ("C", "t"))
    )
    rows = f"<row r='1'>{head}</row>"
    for i, v in zip(IDS, stored, strict=True):
        t = f"<c r='C{i + 1}' t='inlineStr'><is><t>{'ab'[i % 2]}</t></is></c>"
        rows += f"<row r='{i + 1}'><c r='A{i + 1}'><v>{i}</v></c>{cell.format(r=i + 1, v=v)}{t}</row>"
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as book:
        for part, text in PARTS.items():
            book.writestr(part, text.replace("{properties}", properties))
        book.writestr("xl/worksheets/sheet1.xml", SHEET.format(rows=rows))
    if name == "numbers as Excel writes them":
        values = ["1.1", *values[1:]]
    same(tmp_path, tmp_path / "a.xlsx", values)


# ---- the files of tests/fidelity/make_strangers.py: a safer one has the records that stay, value by value ----------------

MADE = [p for p in sorted((Path(__file__).parents[1] / "fidelity/more").iterdir()) if re.match("libreoffice|gnumeric|gretl|readstata13|pspp|by_hand", p.name)]  # fmt: skip


@pytest.mark.parametrize("path", MADE, ids=lambda p: p.name)
def test_a_safer_file_of_another_programs_file(path):
    came = read(path, path.name)[0]
    safer = rewrite_in_process(came, Change(20, np.delete(np.arange(20), 3)))
    assert ending_of(came) == (".xlsx" if safer is None else safer.ending)  # as the page names what it will make
    if path.suffix == ".xls":
        assert safer is None  # written anew from its values
        return
    again = read(safer.data, f"safer{safer.ending}")[0]
    was, now = ([[pd.isna(v) or str(v) for v in row] for row in f.to_numpy(object)] for f in (came.frame, again.frame))
    assert now == was[:3] + was[4:]
    assert list(again.frame.columns) == list(came.frame.columns)
