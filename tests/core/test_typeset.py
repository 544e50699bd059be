"""A table as LaTeX and Markdown has the figures of the workbook, and any text is printed as it is."""

import io
import re
import shutil
import subprocess
from decimal import Decimal

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core.data.typeset import Column, to_latex, to_markdown
from disclosure_core.data.workbook import to_excel
from disclosure_core.report.columns import columns
from disclosure_core.rounding import fixed

PDFLATEX = shutil.which("pdflatex")
needs_tex = pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex is installed")
HOSTILE = ["100 %", "a_b & c", "$x^2$", "#1 {x} ~ \\input{y}", "κ < β", "−8", "a | b", "<b>", '"x"', "\x1b[1m", ""]
FRAME = pd.DataFrame({
    "target": HOSTILE, "Nothing excluded · Dorig": [12.345] * 11, "Nothing excluded · DiSCO": [-1.5] * 10 + [float("nan")],
    "F": [0.0018, 0.25, *[0.5] * 9], "n_level": range(11),
})  # fmt: skip


def rows_of(latex):
    body = latex.decode().partition("\\midrule\n")[2].partition("\n\\bottomrule")[0]
    return [line.removesuffix(" \\\\").split(" & ") for line in body.splitlines()]


def test_units_groups_and_digits_stand_in_latex():
    text = to_latex(FRAME, columns("", FRAME.columns), "Caption, 5 %")
    assert rb"\multicolumn{2}{c}{Nothing excluded}" in text
    assert rb"\cmidrule(lr){2-3}" in text
    assert rb"\% of original records" in text
    assert rb"S[table-format=-1.2]" in text
    assert rb"\caption{Caption, 5 \%}" in text
    rows = rows_of(text)
    assert [row[-4:] for row in rows[:1]] == [["12.35", "-1.50", "0.0018", "0"]]  # F with two significant digits
    assert rows[-1][2] == "{--}"


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=8), st.integers(0, 4))
def test_a_figure_is_the_same_in_latex_markdown_and_workbook(values, digits):
    frame, described = pd.DataFrame({"t": ["x"] * len(values), "v": values}), {"v": Column("V", "%", digits)}
    as_read = [fixed(v, digits).replace(",", "").replace("−", "-") for v in values]
    assert [row[1] for row in rows_of(to_latex(frame, described))] == as_read
    lines = to_markdown(frame, described).decode().splitlines()
    assert lines[0] == "| t | V, % |"
    assert [line.split(" | ")[1].removesuffix(" |") for line in lines[2:]] == as_read
    sheet = openpyxl.load_workbook(io.BytesIO(to_excel({"a": frame}, {"a": described})))["a"]
    assert sheet["B1"].value == "V, %"
    assert [cell.value for cell in sheet["B"][1:]] == pytest.approx(values, rel=1e-15)  # Excel keeps 16 digits
    assert {len(cell.number_format.partition(".")[2]) for cell in sheet["B"][1:]} == {digits}


@given(st.lists(st.floats(1e-7, 1), min_size=1, max_size=6))
def test_two_significant_digits_of_the_smallest_are_shown(values):
    text = to_latex(pd.DataFrame({"t": ["x"] * len(values), "F": values}), columns(""))
    for value, (_, shown) in zip(values, rows_of(text), strict=True):
        assert abs(Decimal(shown) - Decimal(value)) <= Decimal(value) / 20 + Decimal("5e-10")


def test_markdown_has_no_markup_of_the_data():
    rows = [re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in to_markdown(FRAME, {}).decode().splitlines()]
    assert {len(row) for row in rows} == {len(FRAME.columns)}
    assert rows[2 + HOSTILE.index("<b>")][0] == r"\<b\>"


def test_a_workbook_prints_its_heads_and_names_whole_words():
    book = openpyxl.load_workbook(io.BytesIO(to_excel({"levels of targets and of all their keys": FRAME}, title="Of")))
    assert book.sheetnames == ["levels of targets and of all"]
    assert (book.properties.title, book.properties.creator[:10]) == ("Of", "disclosure")
    (sheet,) = book.worksheets
    assert sheet.print_title_rows == "$1:$1"
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToHeight) == ("landscape", 0)


@needs_tex
@pytest.mark.slow
def test_latex_compiles(tmp_path):
    tables = [
        to_latex(FRAME, columns("", FRAME.columns), "100 % of κ"),
        to_latex(FRAME.iloc[:0], {}),
        to_latex(FRAME, {}),
    ]
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{booktabs,siunitx}"
    body = "\n".join(table.decode() for table in tables)
    (tmp_path / "t.tex").write_text(f"{head}\\begin{{document}}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    call = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
