"""Make the odd files of `more/` and what must hold of each, `more.json`.

    .venv/bin/python tests/fidelity/make_more.py [PYTHON_WITH_POLARS]

Needs Rscript for R's files, and for Polars' Parquet another Python that has Polars (it is no dependency: the file is
kept as it is without). Each file holds the same 20 fictional records as `five.csv` (id from 1 to 20, x, t), written in
a way that a user's program writes.
"""

import datetime as dt
import decimal
import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import odf.opendocument
import odf.style
import odf.table
import odf.text
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pyreadstat
import xlwt

HERE = Path(__file__).parent
MORE = HERE / "more"
MORE.mkdir(exist_ok=True)
N = 20
ID = list(range(1, N + 1))
T = ["b" if i % 3 == 0 else "a" for i in ID]
FIVE = [i % 5 for i in ID]
DAYS = [dt.date(2019, 12, 25) + dt.timedelta(i) for i in ID]
CASES = []


def csv(name, x, sep=",", encoding="utf-8", end="\n", ids=ID, t=T):
    lines = [sep.join(["id", "x", "t"]), *(sep.join(map(str, row)) for row in zip(ids, x, t, strict=True))]
    (MORE / name).write_bytes((end.join(lines) + end).encode(encoding))
    return name


def raw(name, text, encoding="utf-8"):
    (MORE / name).write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return name


def rows(x=FIVE):
    return [f"{i},{v},{t}" for i, v, t in zip(ID, x, T, strict=True)]


def case(
    name, original, synthetic=None, kind="same", *, why, says=(), keys=("id", "x"), expect=None, shown=None, rest=None
):
    CASES.append(
        {
            "name": name, "original": original, "synthetic": synthetic or original, "kind": kind, "keys": list(keys), "target": "t", "column": "x",
            "expect": expect or {"repU": 100.0}, "why": why, "says": [says] if isinstance(says, str) else list(says),
            **({"shown": shown} if shown is not None else {}), **(rest or {}),
        }
    )  # fmt: skip


FIVE_CSV = "../files/five.csv"
DAYS_CSV = "../files/days.csv"


def texts():
    money = [f"€{1000 + 137 * i:,}.50" for i in ID]
    case("text: currency", csv("currency.csv", [f'"{v}"' for v in money]), kind="levels", rest={"levels": 20},
         why="amounts with a sign are text, said, none lost", says="'x' has amounts of money, such as '€1,137.50'")  # fmt: skip
    case("text: currency behind", csv("currency_behind.csv", [f"{100 + i},50 €" for i in ID], sep=";"), kind="levels",
         rest={"levels": 20}, why="as above, as a German sheet writes it", says="'x' has amounts of money")  # fmt: skip
    case("text: percent", csv("percent.csv", [f"{i} %" if i % 2 else f"{i}%" for i in ID]), kind="levels", rest={"levels": 20},
         why="12 % is text, said", says="'x' has percentages, such as '1 %'")  # fmt: skip
    dates = [f"{i:02d}/04/2020" if i % 2 else f"2020-04-{i:02d}" for i in ID]
    case("text: mixed date formats", csv("mixed_dates.csv", dates), kind="levels", rest={"levels": 20},
         why="a day is a text, and which number is the day is said: 13 can be no month", says="'x' has dates with the day first, such as '13")  # fmt: skip
    case("text: dates with points", csv("german_dates.csv", [f"{i}.4.2020" for i in ID]), kind="levels", rest={"levels": 20},
         why="as above", says="'x' has dates with the day first, such as '13")  # fmt: skip
    case("text: thousands parted by narrow spaces", csv("narrow.csv", [f"1\u202f{100 + i},50" for i in ID], sep=";"), kind="levels",
         rest={"levels": 20}, why="French amounts: text, said", says="'x' has numbers whose thousands are parted")  # fmt: skip
    case("text: thousands parted by points", csv("german.csv", [f"{900 + i}" if i < 10 else f"{i}.137" for i in ID], sep=";"),
         csv("german_plain.csv", [900 + i if i < 10 else i * 1000 + 137 for i in ID], sep=";"), kind="said",
         why="1.137 is not a little more than one", says="'x' has numbers whose thousands are parted, such as '10.137'")  # fmt: skip
    case("text: numbers with spaces", csv("spaces.csv", [f" {v}" for v in FIVE]), kind="levels", rest={"levels": 5},
         why="spaces are not taken away unsaid", says="'x' has numbers with spaces around them")  # fmt: skip
    case("text: one number in two spellings on one side", csv("spelt.csv", ["1.5" if i % 2 else "1.50" for i in ID]),
         csv("unspelt.csv", ["1.5" for i in ID]), kind="said", why="may be codes: kept apart, and said",
         says="'x' has '1.5' and '1.50', one number written in two ways: kept as text")  # fmt: skip
    case("text: minus zero beside zero", csv("minus_zero.csv", ["-0.0" if i % 2 else "0.0" for i in ID]), "../files/zero.csv",
         kind="levels", rest={"levels": 1}, why="rounding writes -0.0: no code, one number")  # fmt: skip
    case("text: two rows of names", raw("two_headers.csv", "id,x,t\nnumber,EUR,group\n" + "\n".join(rows()) + "\n"), FIVE_CSV, "said",
         why="units under the names make every column text", says="Row 2 looks like a second row of names .'number', 'EUR'")  # fmt: skip
    case("text: three rows of names", raw("qualtrics.csv", "id,x,t\nWho are you?,How much?,Which?\nQID1,QID2,QID3\n" + "\n".join(rows()) + "\n"),
         FIVE_CSV, "said", why="as Qualtrics writes them", says="Rows 2 to 3 look like more rows of names")  # fmt: skip
    case("text: a total at the bottom", raw("total.csv", "id,t,x\n" + "\n".join(f"{i},{t},{v}" for i, v, t in zip(ID, FIVE, T, strict=True)) + "\n,Total,40\n"),
         FIVE_CSV, "said", why="a sum is nobody", says="The last row says 'Total' in 't'")  # fmt: skip
    case("text: comments above", raw("comments.csv", "# exported 2020-01-01, by hand\n# second line\nid,x,t\n" + "\n".join(rows()) + "\n"), FIVE_CSV,
         why="comments are no names", says="Above the names of the columns stands '# exported 2020-01-01, by hand' and 1 more: ignored")  # fmt: skip
    case("text: a title above", raw("title.csv", "Survey of 2020\n\nid,x,t\n" + "\n".join(rows()) + "\n"), FIVE_CSV,
         why="a title is no name", says="Above the names of the columns stands 'Survey of 2020': ignored")  # fmt: skip
    case("text: a title above, as Excel saves it", raw("title_commas.csv", "Survey of 2020,,\n,,\nid,x,t\n" + "\n".join(rows()) + "\n"), FIVE_CSV,
         why="as above", says="Above the names of the columns stands 'Survey of 2020': ignored")  # fmt: skip
    case("text: a delimiter ends each row", raw("trailing.csv", "id,x,t\n" + ",\n".join(rows()) + ",\n"), FIVE_CSV,
         why="no column is meant", says="Every row ends with a delimiter")  # fmt: skip
    case("text: a delimiter ends each line", raw("trailing_all.csv", "id,x,t,\n" + ",\n".join(rows()) + ",\n"), FIVE_CSV,
         why="no column is meant", says="Column 4 without name or value was ignored")  # fmt: skip
    case("text: R's write.table", raw("write_table.csv", '"id","x","t"\n' + "\n".join(f'"{i}",{r}' for i, r in enumerate(rows(), 1)) + "\n"), FIVE_CSV,
         why="its header is one cell shorter", says="The first column has no name and only numbers the rows")  # fmt: skip
    order = [(7 * i) % 53 for i in ID]
    case("text: R's row names of some rows", raw("some_rows.csv", '"","id","x","t"\n' + "\n".join(f'"{i}",{r}' for i, r in zip(order, rows(), strict=True)) + "\n"),
         FIVE_CSV, why="the rows that were kept have the numbers they had", says="The first column has no name and only numbers the rows")  # fmt: skip
    case("text: pandas' index, saved twice", raw("unnamed.csv", "Unnamed: 0,id,x,t\n" + "\n".join(f"{i - 1},{r}" for i, r in enumerate(rows(), 1)) + "\n"),
         FIVE_CSV, why="pandas' name for a column without one", says="The first column is called 'Unnamed: 0' and only numbers the rows")  # fmt: skip
    case("text: row names that are texts", raw("text_names.csv", ",id,x,t\n" + "\n".join(f"P{i},{r}" for i, r in enumerate(rows())) + "\n"), FIVE_CSV,
         "refused", why="a column without a name that numbers nothing is not guessed", says="Column 1 of text_names.csv has no name")  # fmt: skip
    case("text: empty rows in between", raw("gaps.csv", "id,x,t\n" + "\n".join([*rows()[:10], ",,", *rows()[10:]]) + "\n"), FIVE_CSV, "said",
         why="may be people without an answer: counted, and said", says="1 row between the others holds no value: it is counted as a record")  # fmt: skip
    cities = ["Łódź" if i % 2 else "Kraków żółw" for i in ID]
    case("text: Central European letters", csv("cp1250.csv", cities, encoding="cp1250"), kind="said", why="£ódŸ must not pass for a place",
         says="is read as cp1252, Western European: .* looks like cp1250")  # fmt: skip
    umlauts = ["Besançon" if i % 2 else "Zürich" for i in ID]
    case(
        "text: UTF-16 without its mark",
        csv("utf16le.csv", umlauts, encoding="utf-16-le"),
        "../files/utf8.csv",
        why="one text",
    )
    case("text: UTF-16 of the other order", raw("utf16be.csv", b"\xfe\xff" + (MORE / "utf16le.csv").read_bytes().decode("utf-16-le").encode("utf-16-be")),
         "../files/utf8.csv", why="one text")  # fmt: skip
    case("text: Windows-1252", csv("cp1252.csv", umlauts, encoding="cp1252"), "../files/utf8.csv", why="one text, and the guess is said",
         says="is not UTF-8 and is read as cp1252, Western European, unless letters look wrong")  # fmt: skip
    quoted = ['"a ""b"", c"' if i % 2 else '"line\nbreak"' for i in ID]
    case("text: quotes, delimiters and line ends in cells", csv("quoted.csv", quoted), kind="levels", shown=['a "b", c', "line\nbreak"], rest={"levels": 2},
         why="what stands in quotes is one cell")  # fmt: skip
    case(
        "text: no byte of a text file is zero",
        raw("nul.csv", b"id,x,t\n1,\x00,a\n"),
        FIVE_CSV,
        "refused",
        why="a damaged file",
        says="is not a text file",
    )
    case("text: a cell too many", raw("ragged.csv", "id,x,t\n" + "\n".join(rows()) + ",9\n"), FIVE_CSV, "refused", why="a value without a column",
         says="Row 21 of ragged.csv has 4 cells, the header 3")  # fmt: skip
    moments = [dt.datetime(2020, 1, 1, 23, 59, 58) + dt.timedelta(seconds=i) for i in ID]
    csv("moments.csv", [m.isoformat(" ") for m in moments])
    pq.write_table(pa.table({"id": ID, "x": pa.array(moments, pa.timestamp("us")), "t": T}), MORE / "moments.parquet")
    case("text: moments against Parquet", "moments.csv", "moments.parquet", why="a moment in both")
    csv("moments_zone.csv", [(m + dt.timedelta(hours=1)).isoformat("T") + "+01:00" for m in moments])
    pq.write_table(
        pa.table({"id": ID, "x": pa.array(moments, pa.timestamp("us", "UTC")), "t": T}), MORE / "moments_utc.parquet"
    )

    case("text: moments in a zone against UTC", "moments_zone.csv", "moments_utc.parquet", why="the same instants")
    weeks = [f"2020-W{1 + i % 5:02d}" for i in ID]
    case(
        "text: weeks",
        csv("weeks.csv", weeks),
        kind="levels",
        rest={"levels": 5},
        shown=sorted(set(weeks)),
        why="a week is a level, no date",
    )
    quarters = [f"2020Q{1 + i % 4}" for i in ID]
    frame = pd.DataFrame({"id": ID, "x": pd.PeriodIndex(quarters, freq="Q"), "t": T})
    frame.to_parquet(MORE / "quarters.parquet")
    case("pandas: quarters against text", "quarters.parquet", csv("quarters.csv", quarters), why="2020Q1 is 2020Q1")
    (MORE / "five.csv.gz").write_bytes(gzip.compress((HERE / "files/five.csv").read_bytes(), mtime=0))
    case("text: gz", "five.csv.gz", FIVE_CSV, why="packed or not")
    with zipfile.ZipFile(MORE / "two.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.csv", "b.csv"):
            archive.writestr(zipfile.ZipInfo(name), (HERE / "files/five.csv").read_bytes())
    case(
        "zip: two tables are two syntheses",
        FIVE_CSV,
        "two.zip",
        why="said which",
        says="two.zip holds 2 tables, .*: 'a.csv', 'b.csv'",
    )


def book(name, lines, change=None, title="people"):
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = title
    for line in lines:
        sheet.append(line)
    if change:
        change(made, sheet)
    made.save(MORE / name)
    return name


def table(x=FIVE):
    return [["id", "x", "t"], *map(list, zip(ID, x, T, strict=True))]


def sheets():
    def old(made, sheet):
        made.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        for i, day in enumerate(DAYS, 2):
            sheet.cell(i, 2, day)

    case(
        "excel: dates counted from 1904",
        book("from_1904.xlsx", table(), old),
        DAYS_CSV,
        why="four years and a day are no matter of taste",
    )

    def merged(made, sheet):
        sheet.merge_cells("B1:C1")

    case("excel: merged names", book("merged_names.xlsx", table(), merged), FIVE_CSV, "refused", why="a column has lost its name",
         says="Column 3 of merged_names.xlsx has no name, for names are in merged cells")  # fmt: skip
    case("excel: two rows of names", book("two_headers.xlsx", [["id", "x", "t"], ["number", "EUR", "group"], *table()[1:]]), FIVE_CSV, "said",
         why="units under the names", says="Row 2 looks like a second row of names .'number', 'EUR', 'group'.: 'id', 'x' would be numbers")  # fmt: skip
    case("excel: a total at the bottom", book("total.xlsx", [*table(), [None, 40, "Total"]]), FIVE_CSV, "said", why="a sum is nobody",
         says="The last row says 'Total' in 't'")  # fmt: skip

    def hidden(made, sheet):
        other = made.create_sheet("lists", 0)
        other.append(["yes", "no"])
        other.sheet_state = "hidden"

    case("excel: the first sheet is hidden", book("hidden.xlsx", table(), hidden), FIVE_CSV, why="nobody sees it: the first that is shown",
         says="2 sheets; 'people' was read. 'lists' is hidden")  # fmt: skip
    lines = [
        [None, None, "Survey of 2020"],
        [],
        [None, None, "id", "x", "t"],
        *([None, None, *line] for line in table()[1:]),
    ]
    case("excel: a title, and the table begins further in", book("title.xlsx", lines), FIVE_CSV, why="the table is found",
         says=["Above the names of the columns stands 'Survey of 2020': ignored", "The table begins at cell C3"])  # fmt: skip

    def remarks(made, sheet):
        sheet["H5"] = "check this"
        sheet["A24"] = "Source: made up"

    case("excel: remarks around the table", book("remarks.xlsx", table(), remarks), FIVE_CSV, why="remarks are no values",
         says=["cells without a name above them .H5. were ignored", "Below the table, A24 says 'Source: made up'"])  # fmt: skip

    def formulas(made, sheet):
        for i in range(2, 5):
            sheet.cell(i, 2, "=1+1")

    case("excel: formulas that no spreadsheet has computed", book("formulas.xlsx", table(), formulas), FIVE_CSV, "said",
         why="a script wrote the formula and no result", says="'x' holds 3 formulas without a stored result .B2, B3, B4.: read as missing")  # fmt: skip

    def errors(made, sheet):
        for i, text in ((2, "#N/A"), (3, "#DIV/0!")):
            sheet.cell(i, 2, text).data_type = "e"

    case("excel: errors", book("errors.xlsx", table(), errors), FIVE_CSV, "said", why="missing, and said",
         says="'x' holds 2 cells with an error .B2 #N/A, B3 #DIV/0!.: read as missing")  # fmt: skip

    def money(made, sheet):
        for i in range(2, N + 2):
            sheet.cell(i, 2).number_format = "0%" if i % 2 else '#,##0.00 "€"'

    case("excel: percent and currency", book("formats.xlsx", table([v / 4 for v in FIVE]), money), csv("quarters_of_one.csv", [v / 4 for v in FIVE]),
         why="how a number is shown is not its value")  # fmt: skip
    times = [dt.time(i % 24, 30) for i in ID]
    case(
        "excel: times of day",
        book("times.xlsx", table(times)),
        csv("times.csv", [t.isoformat() for t in times]),
        "same_or_said",
        why="meet, or said",
    )
    case("excel: durations", book("durations.xlsx", table([dt.timedelta(hours=20 + i) for i in ID])), kind="levels", rest={"levels": 20},
         why="30 hours are not 6")  # fmt: skip
    case("excel: numbers stored as text", book("text_numbers.xlsx", table([str(v) if i < 10 else v for i, v in enumerate(FIVE)])), FIVE_CSV,
         "same_or_said", why="a green triangle in Excel", says="'x' holds numbers and texts, such as '1'")  # fmt: skip
    case("excel: pandas' index", book("index.xlsx", [[None, *table()[0]], *([i, *line] for i, line in enumerate(table()[1:]))]), FIVE_CSV,
         why="to_excel's default", says="The first column has no name and only numbers the rows")  # fmt: skip
    case("excel: identifiers of 16 digits", book("long_ids.xlsx", table([4_111_111_111_111_000 + i for i in ID])), kind="said",
         why="Excel keeps 15 digits", says="'x' has numbers of more than 15 digits")  # fmt: skip
    case(
        "excel: an empty column between",
        book("gap.xlsx", [[a, None, b, c] for a, b, c in table()]),
        FIVE_CSV,
        why="no column is meant",
        says="Column 2 without name or value was ignored",
    )  # fmt: skip if it is inside

    old_book = xlwt.Workbook()
    sheet = old_book.add_sheet("people")
    style = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for j, title in enumerate(("id", "x", "t")):
        sheet.write(0, j, title)
    for i, (n, day, t) in enumerate(zip(ID, DAYS, T, strict=True), 1):
        sheet.write(i, 0, n)
        sheet.write(i, 1, day, style)
        sheet.write(i, 2, t)
    old_book.save(str(MORE / "old.xls"))
    wrong_book = xlwt.Workbook()
    sheet = wrong_book.add_sheet("people")
    for i, line in enumerate(table()):
        for j, value in enumerate(line):
            sheet.write(i, j, value)
    sheet = wrong_book.get_sheet(0)
    sheet.row(21).set_cell_error(1, 0x2A)
    sheet.write(21, 0, 21)
    sheet.write(21, 2, "a")
    wrong_book.save(str(MORE / "errors.xls"))
    case(
        "excel: an error in an old workbook",
        "errors.xls",
        FIVE_CSV,
        "said",
        why="missing, and said",
        says="'x' holds a cell with an error .B22 #N/A.: read as missing",
    )
    case("excel: an old workbook with dates", "old.xls", DAYS_CSV, why="a date in both")

    def ods(name, cells):
        document = odf.opendocument.OpenDocumentSpreadsheet()
        page = odf.table.Table(name="people")
        for line in cells:
            row = odf.table.TableRow()
            for value in line:
                attributes, shown = value if isinstance(value, tuple) else ({"valuetype": "string"}, value)
                cell = odf.table.TableCell(**attributes)
                cell.addElement(odf.text.P(text=str(shown)))
                row.addElement(cell)
            page.addElement(row)
        document.spreadsheet.addElement(page)
        document.save(str(MORE / name))
        return name

    def lines_of(attributes):
        head = ["id", "x", "t"]
        return [
            head,
            *([({"valuetype": "float", "value": i}, i), a, t] for i, a, t in zip(ID, attributes, T, strict=True)),
        ]

    euro = [({"valuetype": "currency", "currency": "EUR", "value": v / 4}, f"{v / 4:.2f} €") for v in FIVE]
    case("ods: currency", ods("currency.ods", lines_of(euro)), "quarters_of_one.csv", why="a number in both")
    share = [({"valuetype": "percentage", "value": v / 4}, f"{25 * v} %") for v in FIVE]
    case("ods: percent", ods("percent.ods", lines_of(share)), "quarters_of_one.csv", why="a number in both")
    truth = [
        ({"valuetype": "boolean", "booleanvalue": "true" if i % 4 == 0 else "false"}, str(i % 4 == 0).upper())
        for i in ID
    ]
    case("ods: booleans", ods("boolean.ods", lines_of(truth)), "../files/bool_r.csv", why="TRUE is TRUE")
    dates = [({"valuetype": "date", "datevalue": d.isoformat()}, d.strftime("%d.%m.%y")) for d in DAYS]
    wrong = [
        ({"valuetype": "string", "stringvalue": "", "formula": "of:=1/0"}, "#DIV/0!") if i == 4 else cell
        for i, cell in zip(ID, euro, strict=True)
    ]
    ods("errors.ods", lines_of(wrong))
    again(MORE / "errors.ods", b'office:string-value=""', b'office:string-value="" calcext:value-type="error"')
    case(
        "ods: an error",
        "errors.ods",
        "quarters_of_one.csv",
        "said",
        why="missing, and said",
        says="'x' holds a cell with an error .B5.: read as missing",
    )
    both = [
        ({"valuetype": "float", "value": v, "numberrowsspanned": 3, "numbercolumnsspanned": 1}, v)
        if i == 4
        else ({"valuetype": "float", "value": v}, v)
        for i, v in zip(ID, FIVE, strict=True)
    ]
    case(
        "ods: merged cells",
        ods("merged.ods", lines_of(both)),
        FIVE_CSV,
        "said",
        why="two records have no value of their own",
        says="'x' has merged cells .B5:B7.",
    )
    stray = ods("stray.ods", [*lines_of(euro), [*([""] * 3), ({"valuetype": "string"}, " ")]])
    again(MORE / stray, b'<table:table-row><table:table-cell office:value-type="string"><text:p></text:p></table:table-cell>'
          b'<table:table-cell office:value-type="string"><text:p></text:p></table:table-cell>'
          b'<table:table-cell office:value-type="string"><text:p></text:p></table:table-cell>',
          b'<table:table-row table:number-rows-repeated="1048554"><table:table-cell/></table:table-row>'
          b'<table:table-row><table:table-cell table:number-columns-repeated="16383"/>')  # fmt: skip
    case("ods: one space in the last cell of the sheet", stray, FIVE_CSV, "refused", why="5 kB must not take the server down",
         says="reaches to cell XFD1048576, .* cells in all, more than can be read")  # fmt: skip
    case("ods: dates", ods("dates.ods", lines_of(dates)), DAYS_CSV, why="a date in both")
    clock = [({"valuetype": "time", "timevalue": f"PT{i % 24:02d}H30M00S"}, f"{i % 24}:30") for i in ID]
    case("ods: times", ods("times.ods", lines_of(clock)), kind="levels", rest={"levels": 20}, why="none lost")


def again(path, old, new):
    """Write an OpenDocument file once more with other XML."""
    with zipfile.ZipFile(path) as archive:
        parts = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in parts:
            if entry.filename == "content.xml":
                old = old if old in data else old.replace(b"<text:p></text:p>", b"<text:p/>")
                assert data.count(old) == 1, data
                data = data.replace(old, new)
            archive.writestr(entry, data)


def arrow(name, x, **more):
    kept = pa.table({"id": ID, "x": x, "t": T})
    if name.endswith(".parquet"):
        pq.write_table(kept, MORE / name, **more)
    else:
        pyarrow.feather.write_feather(kept, str(MORE / name), **more)
    return name


def arrows(polars):
    five = pa.array(FIVE)
    codes = pa.array([v % 5 for v in FIVE], pa.int8())
    for kind, values, other in (
        ("dates", pa.array(DAYS[:5]), csv("five_days.csv", [DAYS[v] for v in FIVE])),
        (
            "decimals",
            pa.array([decimal.Decimal(f"{v}.50") for v in range(5)]),
            csv("five_decimals.csv", [f"{v}.5" for v in FIVE]),
        ),
        ("floats", pa.array([v / 4 for v in range(5)]), "quarters_of_one.csv"),
        ("whole numbers", pa.array(range(5), pa.int16()), FIVE_CSV),
        (
            "long texts",
            pa.array([f"level {v}" for v in range(5)], pa.large_string()),
            csv("five_levels.csv", [f"level {v}" for v in FIVE]),
        ),
    ):
        name = f"dictionary_{kind.replace(' ', '_')}.feather"
        case(f"feather: a dictionary of {kind}", arrow(name, pa.DictionaryArray.from_arrays(codes, values)), other, "same_or_said",
             why="what a dictionary holds is what the records hold")  # fmt: skip
    twice = pa.DictionaryArray.from_arrays(pa.array([i % 4 for i in ID], pa.int8()), pa.array(["a", "b", "a", None]))
    case("feather: a dictionary that holds a value twice, and a missing one", arrow("dictionary_twice.feather", twice),
         csv("dictionary_twice.csv", [["a", "b", "a", ""][i % 4] for i in ID]), why="Arrow forbids neither", shown=["a", "b"])  # fmt: skip
    chunks = pa.chunked_array(
        [pa.array([f"l{v}" for v in part]).dictionary_encode() for part in (FIVE[:3], FIVE[3:9], FIVE[9:])]
    )
    case(
        "feather: pieces with dictionaries of their own",
        arrow("chunks.feather", chunks),
        csv("chunks.csv", [f"l{v}" for v in FIVE]),
        why="one column",
    )
    case("feather: compressed", arrow("zstd.feather", five, compression="zstd"), FIVE_CSV, why="packed or not")
    for name, opener in (("stream.arrow", pa.ipc.new_stream), ("file.arrow", pa.ipc.new_file)):
        kept = pa.table({"id": ID, "x": FIVE, "t": T})
        with opener(str(MORE / name), kept.schema) as sink:
            sink.write_table(kept)
        case(f"arrow: {name}", name, FIVE_CSV, why="a stream is a file without its end")
    far = [dt.datetime(9999, 12, 31) if i % 5 == 0 else dt.datetime(2020, 1, i) for i in ID]
    case("parquet: INT96 beyond the nanoseconds", arrow("int96.parquet", pa.array(far, pa.timestamp("us")), use_deprecated_int96_timestamps=True),
         csv("int96.csv", [v.date() for v in far]), why="Spark's and Impala's 9999-12-31 is no day of 1816")  # fmt: skip
    case("parquet: texts stored as bytes", arrow("bytes.parquet", pa.array([f"Zürich {v}".encode() for v in FIVE])),
         csv("bytes.csv", [f"Zürich {v}" for v in FIVE]), why="old Hive and Impala", says="'x' is stored as bytes: read as text")  # fmt: skip
    case("parquet: bytes that are no text", arrow("no_text.parquet", pa.array([bytes([255, v]) for v in FIVE])), FIVE_CSV, "refused", why="pictures, keys",
         says="Column 'x' of no_text.parquet holds bytes that are no text")  # fmt: skip
    case("parquet: lists in the cells", arrow("lists.parquet", pa.array([[v] for v in FIVE])), FIVE_CSV, "refused", why="no single answer",
         says="Column 'x' of lists.parquet holds lists or records")  # fmt: skip
    case("parquet: half floats", arrow("half.parquet", pa.array(np.array(FIVE, np.float16) / 10 + 1, pa.float16())),
         csv("half.csv", [f"{v / 10 + 1:.1f}" for v in FIVE]), why="1.1 is 1.1, in 16 bits too")  # fmt: skip
    lasting = [dt.timedelta(minutes=90 * v) for v in FIVE]
    case(
        "parquet: durations",
        arrow("durations.parquet", pa.array(lasting)),
        kind="levels",
        rest={"levels": 5},
        why="none lost",
    )
    case("parquet: a dictionary for 100 GB", bomb(), FIVE_CSV, "refused", why="small on disk, refused before it is unfolded",
         says="bomb.parquet needs more than the 8,000 MB of memory allowed; remove columns")  # fmt: skip

    frame = pd.DataFrame({"id": ID, "x": FIVE, "t": T})
    for kind, x, other in (
        ("Int64 with a gap", pd.array([None if i == 4 else 10**17 + i for i in ID], "Int64"), csv("int64_gap.csv", ["" if i == 4 else 10**17 + i for i in ID])),
        ("boolean with a gap", pd.array([None if i == 4 else i % 4 == 0 for i in ID], "boolean"), csv("boolean_gap.csv", ["" if i == 4 else str(i % 4 == 0).upper() for i in ID])),
        ("string", pd.array([None if i == 4 else f"v{i % 3}" for i in ID], "string"), csv("string_gap.csv", ["" if i == 4 else f"v{i % 3}" for i in ID])),
        ("Float32", pd.array([v / 10 + 1 for v in FIVE], "Float32"), "half.csv"),
        ("ordered category", pd.Categorical([["low", "mid", "high"][i % 3] for i in ID], ["low", "mid", "high"], ordered=True), csv("ordered.csv", [["low", "mid", "high"][i % 3] for i in ID])),
        ("interval", pd.cut(pd.Series(FIVE), [-1, 1, 3, 5]).astype("interval"), csv("interval.csv", [f'"{v}"' for v in pd.cut(pd.Series(FIVE), [-1, 1, 3, 5])])),
    ):  # fmt: skip
        name = f"pandas_{kind.split()[0].lower()}.parquet"
        frame.assign(x=x).to_parquet(MORE / name)
        more = {"shown": ["low", "mid", "high"]} if kind.startswith("ordered") else {}
        case(f"pandas: {kind}", name, other, why="pandas' own types are values like others", **more)
    frame.set_index(["id", "x"]).iloc[::-1].to_parquet(MORE / "multiindex.parquet")
    case("pandas: two columns are the index", "multiindex.parquet", FIVE_CSV, why="no column is lost")
    frame.assign(y=ID).set_index(pd.Index([f"p{i}" for i in ID], name="x")).to_parquet(MORE / "index_differs.parquet")
    case("pandas: index called like another column", "index_differs.parquet", FIVE_CSV, why="both are kept, and said",
         says="The index and a column are both called 'x': the index is read as 'x .index.'")  # fmt: skip
    frame.sort_values("x").to_parquet(MORE / "sorted.parquet")
    case(
        "pandas: a sorted frame",
        "sorted.parquet",
        FIVE_CSV,
        why="its row numbers are no order, and said",
        says="The index that pandas stored has no name: ignored",
    )
    if polars:
        code = (
            "import sys, datetime, polars as pl\n"
            "ids = list(range(1, 21)); t = ['b' if i % 3 == 0 else 'a' for i in ids]\n"
            "x = [None if i == 4 else ['low', 'mid', 'high'][i % 3] for i in ids]\n"
            "pl.DataFrame({'id': ids, 'x': pl.Series(x, dtype=pl.Categorical), 't': t}).write_parquet(sys.argv[1] + '/polars_category.parquet')\n"
            "pl.DataFrame({'id': pl.Series(ids, dtype=pl.UInt32), 'x': pl.Series(x, dtype=pl.Enum(['low', 'mid', 'high'])), 't': t}).write_parquet(sys.argv[1] + '/polars_enum.parquet')\n"
            "d = [datetime.date(2019, 12, 25) + datetime.timedelta(i) for i in ids]\n"
            "pl.DataFrame({'id': ids, 'x': d, 't': t}).write_parquet(sys.argv[1] + '/polars_dates.parquet')\n"
            "pl.DataFrame({'id': ids, 'x': [i % 5 for i in ids], 't': t}).write_ipc(sys.argv[1] + '/polars.arrow', compression='zstd')\n"
        )
        subprocess.run([polars, "-c", code, str(MORE)], check=True)
    levels = csv("polars.csv", ["" if i == 4 else ["low", "mid", "high"][i % 3] for i in ID])
    case("polars: a category", "polars_category.parquet", levels, why="another program's Parquet")
    case(
        "polars: an enumeration",
        "polars_enum.parquet",
        levels,
        why="another program's Parquet",
        shown=["low", "mid", "high"],
    )
    case("polars: dates", "polars_dates.parquet", DAYS_CSV, why="another program's Parquet")
    case("polars: Arrow", "polars.arrow", FIVE_CSV, why="another program's Arrow")


def bomb():
    """Write a million records whose one text, stored once, has a hundred thousand letters."""
    x = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, np.int32)), pa.array(["x" * 100_000]))
    zero = pa.array(np.zeros(1_000_000, np.int8))
    schema = pa.schema([("id", pa.int8()), ("x", pa.dictionary(pa.int32(), pa.string())), ("t", pa.int8())])
    pq.write_table(
        pa.table([zero, x, zero], schema=schema), MORE / "bomb.parquet", compression="zstd", store_schema=False
    )
    return "bomb.parquet"


def statistics():
    frame = pd.DataFrame({"id": ID, "x": FIVE, "t": T})
    labels = {"x": {v: f"level {v}" for v in range(5)}}
    pyreadstat.write_sav(frame, str(MORE / "labelled.sav"), variable_value_labels=labels)
    pyreadstat.write_dta(frame, str(MORE / "labelled.dta"), variable_value_labels=labels)
    case("spss against stata: labels", "labelled.sav", "labelled.dta", why="the same labels of the same values")
    case("spss: labels against text", "labelled.sav", "five_levels.csv", why="a label is the level")
    letters = [v if v < 3 else {3: "a", 4: "z"}[v] for v in FIVE]
    pyreadstat.write_dta(frame.assign(x=letters), str(MORE / "letters.dta"), missing_user_values={"x": ["a", "z"]},
                         variable_value_labels={"x": {"a": "refused", "z": "does not apply"}})  # fmt: skip
    case(
        "stata: .a and .z",
        "letters.dta",
        kind="said",
        why="two reasons for no answer stay two",
        says="'x' has .a .refused.",
        rest={"levels": 5},
    )
    case(
        "stata: .a and .z, levels",
        "letters.dta",
        kind="levels",
        rest={"levels": 5},
        why="none merges with another or with an empty cell",
    )
    days = pd.DataFrame({"id": ID, "x": DAYS, "t": T})
    pyreadstat.write_sav(days, str(MORE / "days.sav"))
    case("spss: dates", "days.sav", DAYS_CSV, why="a date in both")
    pyreadstat.write_dta(days, str(MORE / "days.dta"))
    case("stata: dates", "days.dta", DAYS_CSV, why="a date in both")
    pyreadstat.write_xport(days.rename(columns=str), str(MORE / "days.xpt"))
    case("sas transport: dates", "days.xpt", DAYS_CSV, why="a date in both")
    pyreadstat.write_por(frame.rename(columns={"id": "ID", "x": "X", "t": "T"}), str(MORE / "five.por"))
    raw("five_capitals.csv", (HERE / "files/five.csv").read_text().replace("id,x,t", "ID,X,T"))
    CASES.append({"name": "spss portable: whole numbers", "original": "five.por", "synthetic": "five_capitals.csv", "kind": "same", "keys": ["ID", "X"], "target": "T",
                  "column": "X", "expect": {"repU": 100.0}, "why": "a float that is whole is a whole number", "says": []})  # fmt: skip
    pyreadstat.write_sav(frame.assign(x=[f"v{v}   " for v in FIVE]), str(MORE / "padded.sav"))
    case(
        "spss: texts filled up with spaces",
        "padded.sav",
        csv("unpadded.csv", [f"v{v}" for v in FIVE]),
        "same_or_said",
        why="SPSS pads every text",
    )
    frame.assign(x=[f"v{v}" for v in FIVE]).to_stata(MORE / "pandas.dta", write_index=True)
    case(
        "stata: pandas' index",
        "pandas.dta",
        "unpadded.csv",
        why="to_stata's default writes a column called index: it stays",
    )
    iris = {"original": "../../core/files/iris.sas7bdat", "synthetic": "iris.csv", "kind": "same", "keys": ["Sepal_Length", "Petal_Width"], "target": "Petal_Length",
            "column": "Sepal_Length", "expect": {"UiO": 54.0, "UiOiS": 54.0}}  # fmt: skip
    CASES.append(
        {
            "name": "sas: iris against R's",
            **iris,
            "why": "another program's numbers; 81 of 150 are unique on both, as R's table() says",
            "says": [],
        }
    )


def main():
    polars = sys.argv[1] if len(sys.argv) > 1 else None
    texts()
    sheets()
    arrows(polars)
    statistics()
    subprocess.run(["Rscript", "--vanilla", str(HERE / "make_more.R"), str(MORE)], check=True)
    CASES.extend(json.loads((HERE / "more_r.json").read_text()))
    (HERE / "more.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=False) + "\n")
    print(
        len(CASES),
        "cases,",
        sum(p.stat().st_size for p in MORE.iterdir()) // 1000,
        "kB; the largest",
        max((p.stat().st_size, p.name) for p in MORE.iterdir()),
    )


if __name__ == "__main__":
    main()
