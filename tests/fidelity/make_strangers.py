"""Make files that other programs write, and what must hold of each: `more_strangers.json`.

    .venv/bin/python tests/fidelity/make_strangers.py

Needs LibreOffice, Gnumeric, gretl, PSPP, and R with readstata13. SAS' transport files, versions 5 and 8, are put
together here by their published layout. Every file holds the 20 records of `strangers.csv`; each of its columns is a
key beside the record's number, so that a value that stands elsewhere, or is another, is seen.
"""

import datetime as dt
import json
import os
import struct
import subprocess
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
MORE = HERE / "more"
N = 20
WORDS = ["Zürich", "naïve, café", 'say "so"', "Ελλάδα", "Москва", "日本", "مرحبا", "emoji 🙂", "a  b", "tail.", "a;b", "NaN", "none",
         "NULL", "x\u00a0y", "e\u0301 combined", "O'Hara", "=1+1", "-", "end"]  # fmt: skip
CODES = ["007", "1e5", "1.0", "0x1F", "12-3", "TRUE", "+5", "1,5", "00", "1_000", "5.", "½", "²", "١٢", "inf", "1E400", "0.10", "-0",
         "3/4", "2020-01-01x"]  # fmt: skip
LATIN = ["Zürich", "naïve, café", 'say "so"', "Besançon", *(f"word {i}" for i in range(5, 21))]
RECORDS = {
    "id": list(range(1, N + 1)),
    "whole": [i * i - 50 for i in range(1, N + 1)],
    "decimal": [round(i / 8 + 0.1, 3) for i in range(1, N + 1)],
    "word": WORDS,
    "code": CODES,
    "latin": LATIN,
    "day": [dt.date(2019, 12, 25) + dt.timedelta(i) for i in range(1, N + 1)],
    "gap": [None if i % 4 == 0 else i % 4 + 0.5 for i in range(1, N + 1)],
    "t": ["ab"[i % 2] for i in range(1, N + 1)],
}
NUMBERS = ("whole", "decimal", "gap")
CASES = []


def cases(program, file, columns, why="every value stands on its own record", twin="strangers.csv", **rest):
    for column in columns:
        name = column.upper() if "capitals" in twin else column
        keys, target = (["ID", name], "T") if "capitals" in twin else (["id", name], "t")
        CASES.append(
            {
                "name": f"{program}: {column}", "original": file, "synthetic": twin, "kind": "same", "keys": keys,
                "target": target, "column": name, "expect": {"repU": 100.0}, "why": why, "says": [], **rest,
            }
        )  # fmt: skip


def cell(value):
    """Return a cell as text: texts alone stand in quotation marks."""
    if isinstance(value, str):
        return '"{}"'.format(value.replace('"', '""'))
    return "" if value is None else str(value)


def twin(name, capitals=False):
    head = [column.upper() if capitals else column for column in RECORDS]
    rows = [map(cell, row) for row in zip(*RECORDS.values(), strict=True)]
    (MORE / name).write_text("".join(",".join(row) + "\n" for row in (head, *rows)), encoding="utf-8")


def run(*command, cwd, **settings):
    subprocess.run(
        command, cwd=cwd, check=True, capture_output=True, env=os.environ | {"HOME": str(cwd)} | settings, timeout=120
    )


def libreoffice(folder):
    """Texts in quotation marks stay texts: codes that look like numbers, too."""
    for ending in ("xlsx", "xls", "ods"):
        options = "CSV:44,34,76,1,,1033,true,true"
        run(
            *("soffice", "--headless", "--convert-to", ending, "--infilter=" + options),
            *("--outdir", str(folder), str(MORE / "strangers.csv")),
            cwd=folder,
        )
        file = f"libreoffice.{ending}"
        (folder / f"strangers.{ending}").replace(MORE / file)
        if ending == "ods":
            without_picture(MORE / file)
        cases(f"LibreOffice, .{ending}", file, [c for c in RECORDS if c not in ("id", "t")])


def without_picture(path):
    """Leave the picture of the sheet out, which is larger than the sheet."""
    with zipfile.ZipFile(path) as archive:
        parts = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(path, "w") as archive:
        for entry, data in parts:
            if not entry.filename.startswith("Thumbnails/"):
                archive.writestr(entry, data)


def gnumeric(folder):
    """It takes codes for numbers; its .ods is indented; in its .xls its own formats are numbered from 50 on."""
    kinds = {"xlsx": "xlsx2", "xls": "excel_biff8", "ods": "OpenCalc"}
    for ending, kind in kinds.items():
        file = f"gnumeric.{ending}"
        exporter = "Gnumeric_OpenCalc:odf" if kind == "OpenCalc" else f"Gnumeric_Excel:{kind}"
        run("ssconvert", "-T", exporter, str(MORE / "strangers.csv"), str(MORE / file), cwd=folder)
        cases(f"Gnumeric, .{ending}", file, [*NUMBERS, "latin", "day"])
    run(
        "ssconvert",
        "-T",
        "Gnumeric_Excel:excel_biff7",
        str(MORE / "strangers.csv"),
        str(MORE / "gnumeric_95.xls"),
        cwd=folder,
    )
    cases("Gnumeric, .xls of Excel 95", "gnumeric_95.xls", [*NUMBERS, "latin", "day"])


def gretl(folder):
    (folder / "g.inp").write_text(f'open "{MORE / "strangers.csv"}" --quiet\nstore "{MORE / "gretl.dta"}"\n')
    run("gretlcli", "-b", "g.inp", cwd=folder)
    cases("gretl, .dta", "gretl.dta", NUMBERS)


def stata(folder):
    """Stata 8, 10, 12, 13, 14 and, with more than 32,767 columns, 15."""
    r = f"""
library(readstata13)
d <- read.csv("{MORE / "strangers.csv"}", encoding = "UTF-8", stringsAsFactors = FALSE, na.strings = "",
              colClasses = c(code = "character", word = "character", latin = "character"))
d$day <- as.Date(d$day)
for (v in c(113, 114, 115, 117, 118, 119)) {{
  s <- if (v < 118) d[setdiff(names(d), c("word", "code"))] else d
  save.dta13(s, file.path("{MORE}", paste0("readstata13_", v, ".dta")), version = v, convert.dates = TRUE)
}}
"""
    (folder / "s.R").write_text(r, encoding="utf-8")
    run("Rscript", "--vanilla", "s.R", cwd=folder, LANG="C.UTF-8")
    for v in (113, 114, 115, 117, 118, 119):
        columns = [*NUMBERS, "latin", "day", *(["word", "code"] if v > 117 else [])]
        cases(f"R's readstata13, Stata's format {v}", f"readstata13_{v}.dta", columns)

    newer = (MORE / "readstata13_118.dta").read_bytes().replace(b"<release>118", b"<release>120", 1)
    (MORE / "stata_120.dta").write_bytes(newer)
    cases("Stata's format 120", "stata_120.dta", ["whole"], "Stata 18 writes it of columns in another frame", kind="refused",
          says=["format 120, which is not read; save it by saveold"])  # fmt: skip


def pspp(folder):
    syntax = f"""SET DECIMAL=DOT.
GET DATA /TYPE=TXT /FILE='{MORE / "strangers.csv"}' /ENCODING='UTF-8' /ARRANGEMENT=DELIMITED /DELIMITERS="," /QUALIFIER='"'
 /FIRSTCASE=2 /VARIABLES=id F8.0 whole F8.0 decimal F8.3 word A30 code A20 latin A20 day SDATE10 gap F8.1 t A1.
VARIABLE LABELS word 'A text, with "quotes"'.
VALUE LABELS whole -49 'least' 350 'most'.
SAVE OUTFILE='{MORE / "pspp.sav"}'.
SAVE OUTFILE='{MORE / "pspp.zsav"}' /ZCOMPRESSED.
EXPORT OUTFILE='{MORE / "pspp.por"}'.
"""
    (folder / "p.sps").write_text(syntax, encoding="utf-8")
    run("pspp", "-b", "p.sps", cwd=folder)
    for ending in ("sav", "zsav"):
        cases(f"PSPP, .{ending}", f"pspp.{ending}", [c for c in RECORDS if c not in ("id", "t")])
    cases("PSPP, .por", "pspp.por", [*NUMBERS, "day"], twin="strangers_capitals.csv")


# ---- SAS transport files, by hand ----------------------------------------------------------------------------------------


def ibm(value):
    """Return a number as SAS stores it: base 16, excess 64, 56 bits; None as its missing value, a full stop."""
    if value is None:
        return b"." + bytes(7)
    if value == 0:
        return bytes(8)
    sign, value, exponent = (0x80 if value < 0 else 0), abs(value), 64
    while value >= 1:
        value, exponent = value / 16, exponent + 1
    while value < 1 / 16:
        value, exponent = value * 16, exponent - 1
    return bytes([sign | exponent]) + int(value * 2**56).to_bytes(7, "big")


def transport(name, eighth):
    """Write a transport file of version 8 or 5. Source: SAS, "Record layout of a SAS version 5/6 / 8/9 data set"."""
    columns = {c: v for c, v in RECORDS.items() if c not in ("word", "code")}
    if eighth:
        columns = {{"decimal": "a_decimal_with_a_long_name"}.get(c, c): v for c, v in columns.items()}
    epoch = dt.date(1960, 1, 1)
    stamp, parts, place = b"26NOV26:00:00:00", [], 0

    def header(kind, numbers="0" * 30):
        return f"HEADER RECORD*******{kind:<8}HEADER RECORD!!!!!!!{numbers:<30}  ".encode()

    def padded(data):
        return data + b" " * (-len(data) % 80)

    names, fields = [], []
    for number, (column, values) in enumerate(columns.items(), 1):
        text = isinstance(values[0], str)
        if text:
            cells = [v.encode("latin-1") for v in values]
            width = max(map(len, cells))
            cells = [c.ljust(width) for c in cells]
        else:
            width = 8
            days = [(v - epoch).days if isinstance(v, dt.date) else v for v in values]
            cells = [ibm(v) for v in days]
        form = b"DATE    " if column == "day" else b" " * 8
        short = column.upper()[:8].encode().ljust(8)
        names.append(
            struct.pack(">hhhh8s40s8shhh2s8shhi", 2 if text else 1, 0, width, number, short, b" " * 40, form,
                        9 if column == "day" else 0, 0, 0, b"\0\0", b" " * 8, 0, 0, place)
            + (column.encode().ljust(32) + struct.pack(">h", 0) + bytes(18) if eighth else bytes(52))
        )  # fmt: skip
        fields.append(cells)
        place += width
    five = "" if eighth else "000000000000000001600000000140"
    parts += [header("LIBV8" if eighth else "LIBRARY"), b"SAS     SAS     SASLIB  9.4     LINUX   " + b" " * 24 + stamp, stamp.ljust(80)]  # fmt: skip
    parts.append(header("MEMBV8" if eighth else "MEMBER", five or "000000000000000001600000000140"))
    parts.append(header("DSCPTV8" if eighth else "DSCRPTR"))
    member = b"SAS     " + (b"PEOPLE".ljust(32) if eighth else b"PEOPLE  ") + b"SASDATA 9.4     LINUX   "
    parts += [member.ljust(64) + stamp, (stamp + b" " * 64)]
    parts.append(header("NAMSTV8" if eighth else "NAMESTR", f"000000{len(names):04}" + "0" * 20))
    parts.append(padded(b"".join(names)))
    parts.append(header("OBSV8" if eighth else "OBS", f"{N:>15}".ljust(30, "0") if eighth else "0" * 30))
    parts.append(padded(b"".join(map(b"".join, zip(*fields, strict=True)))))
    (MORE / name).write_bytes(b"".join(parts))
    return list(columns)


def sas():
    transport("by_hand_5.xpt", eighth=False)
    cases("SAS' layout of transport files, version 5", "by_hand_5.xpt", [*NUMBERS, "latin", "day"], twin="strangers_capitals.csv")  # fmt: skip
    columns = transport("by_hand_8.xpt", eighth=True)
    assert "a_decimal_with_a_long_name" in columns
    cases("SAS' layout of transport files, version 8", "by_hand_8.xpt", ["whole", "gap", "latin", "day"])


def main():
    twin("strangers.csv")
    twin("strangers_capitals.csv", capitals=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        libreoffice(folder)
        gnumeric(folder)
        gretl(folder)
        stata(folder)
        pspp(folder)
    sas()
    (HERE / "more_strangers.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(CASES)} cases")


if __name__ == "__main__":
    main()
