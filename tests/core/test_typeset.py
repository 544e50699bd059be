"""A table as LaTeX and Markdown has the figures of the workbook, and any text is printed as it is."""

# Inside: letters of LaTeX, and columns of a table, one by one.

import io
import re
import shutil
import subprocess
from dataclasses import replace
from decimal import Decimal

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import start_demonstration
from disclosure_core.data.latex_letters import escaped, other_scripts
from disclosure_core.data.typeset import Column, to_latex, to_markdown, unfit
from disclosure_core.data.workbook import to_excel
from disclosure_core.export.workbook import HOLDS
from disclosure_core.report import exhibits
from disclosure_core.report.columns import columns
from tests.odd_names import NAMES
from tests.written import fixed, of_review

PDFLATEX = shutil.which("pdflatex")
KPSEWHICH = shutil.which("kpsewhich")
SIUNITX = bool(PDFLATEX) and subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True, check=False).stdout
NO_TEX = "no pdflatex with siunitx is installed (Debian: texlive-latex-base, texlive-science)"
needs_tex = pytest.mark.skipif(not PDFLATEX or not SIUNITX, reason=NO_TEX)
HOSTILE = ["100 %", "a_b & c", "$x^2$", "#1 {x} ~ \\input{y}", "κ < β", "−8", "a | b", "<b>", '"x"', "\x1b[1m", ""]
FRAME = pd.DataFrame({
    "target": HOSTILE, "Nothing excluded · Dorig": [12.345] * 11, "Nothing excluded · DiSCO": [-1.5] * 10 + [float("nan")],
    "F": [0.0018, 0.25, *[0.5] * 9], "n_level": range(11),
})  # fmt: skip


def rows_of(latex):
    bodies = re.findall(r"\\midrule\n(.*?)\n\\bottomrule", latex.decode(), re.DOTALL)
    return [line.removesuffix(" \\\\").split(" & ") for body in bodies for line in body.splitlines() if " & " in line]


def test_groups_and_digits_stand_in_latex_and_units_in_the_note():
    text = to_latex(FRAME, columns("", FRAME.columns), "Caption, 5 %", "N = 11.")
    assert rb"\multicolumn{2}{c}{\begin{tabular}[b]{@{}c@{}}Nothing \\ excluded\end{tabular}}" in text
    assert rb"\cmidrule(lr){2-3}" in text
    assert rb"S[table-format=-1.2]" in text
    assert rb"\caption{Caption, 5 \%}" in text
    assert rb"\label{tab:caption-5}" in text
    assert rb"N = 11. Dorig, DiSCO: \% of original records." in text
    assert text.count(rb"original records") == 1
    rows = rows_of(text)
    assert [row[-4:] for row in rows[:1]] == [["12.35", "-1.50", "0.0018", "0"]]  # F with two significant digits
    assert rows[-1][2] == "{--}"


@given(st.lists(st.text("aB1", min_size=1, max_size=12), min_size=1, max_size=12))
def test_a_label_is_words_of_the_caption_with_single_dashes(words):
    (label,) = re.findall(r"\\label\{tab:(.*)\}", to_latex(FRAME, {}, ", ".join(words)).decode())
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", label)
    assert "-".join(words).lower().startswith(label)
    assert min(len("-".join(words)), 39) <= len(label) <= 40


def test_a_table_that_fits_no_column_spans_both_and_one_that_fits_no_page_has_parts():
    def shape(n_columns, n_rows=3):
        frame = pd.DataFrame(
            {"target": [f"t{i}" for i in range(n_rows)]} | {f"measure{i}": 12.5 for i in range(n_columns)}
        )
        text = to_latex(frame, {}, "Caption").decode()
        return text.count("\\begin{table}"), text.count("\\begin{table*}")

    assert shape(3) == (1, 0)
    assert shape(6) == (0, 1)
    assert shape(14) == (0, 2)  # fourteen measures, seven a table
    assert shape(3, 60) == (2, 0)
    frame = pd.DataFrame({"target": [*"a" * 30, *"b" * 30], "x": [1.5] * 60})
    first, second = to_latex(frame, {}, "Caption").decode().split("\\end{table}\n")[:2]
    assert ("\na & " in first, "\nb & " in first, "\nb & " in second) == (True, False, True)  # a page ends with a group
    assert (first.count("\na & "), first.count("\n & ")) == (1, 29)
    assert "Caption (2~of~2)" in second


def test_a_name_that_is_too_wide_is_parted_behind_a_mark():
    frame = pd.DataFrame({"target": ["a_long_name_with_underscores_and_more_of_them"], "DiSCO": [1.5]})
    wide = to_latex(frame.assign(**{f"F{i}": [2.5] for i in range(9)}), {}, "A table").decode()
    assert re.findall(r"(.)\\allowbreak", wide) == ["_"]


def test_letters_are_printed_or_their_scripts_named():
    assert escaped("κ ≤ β → 5 % × 2, ő ấ ű") == r"$\kappa$ $\leq$ $\beta$ $\to$ 5~\% $\times$ 2, ő \'{\^{a}} ű".replace(
        "5~", "5 "
    )
    assert escaped("[a]*  b--c") == r"{[}a{]}* \ b-{}-c"
    text = to_latex(pd.DataFrame({"t": ["Москва", "東京", "Łódź"]}), {}).decode()
    assert "letters of Cjk, Cyrillic: compile with LuaLaTeX or XeLaTeX" in text
    assert "LuaLaTeX" not in to_latex(pd.DataFrame({"t": ["Łódź", "κ", "≤ 5"]}), {}).decode()


def test_what_is_not_evaluated_is_a_note():
    made = unfit("Members & others", "There is no holdout.")
    assert made["tex"] == b"\\par\\noindent\\emph{Members \\& others}: not evaluated. There is no holdout.\\par\n"
    assert made["md"] == b"**Members & others**: not evaluated. There is no holdout.\n"


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


PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{booktabs,siunitx}"
LMODERN = PREAMBLE + r"\usepackage{lmodern}"
CLASSES = ["", "twocolumn", "twocolumn,12pt"]


def compiled(folder, tables, options, preamble=PREAMBLE, program=PDFLATEX):
    """Compile tables, and return what LaTeX says of boxes that are too wide or too tall."""
    body = "\n\\clearpage\n".join(table.decode() for table in tables)
    text = f"\\documentclass[{options}]{{article}}{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "t.tex").write_text(text, encoding="utf-8")
    call = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex"]
    done = subprocess.run(call, cwd=folder, capture_output=True, check=False)
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    assert (folder / "t.pdf").read_bytes().startswith(b"%PDF")
    wide = [float(points) for points in re.findall(r"Overfull .hbox .([\d.]+)pt", said)]
    return [points for points in wide if points > 5], re.findall(r"Float too large.*", said)


@needs_tex
@pytest.mark.slow
@pytest.mark.parametrize("options", CLASSES)
def test_latex_compiles(tmp_path, options):
    names = [name for name in NAMES if not other_scripts([name])]
    assert len(names) > 100
    heads = [pd.DataFrame({name: [1.5] for name in names[i : i + 9]}) for i in range(0, len(names), 9)]
    frames = [FRAME, FRAME.iloc[:0], pd.DataFrame({"a": names, "b": 2.5}), *heads]
    tables = [
        *(to_latex(frame, columns("", frame.columns), "100 % of κ", "N = 5 → 6 ≤ 7.") for frame in frames),
        *(to_latex(frame, {}) for frame in frames),
    ]
    assert compiled(tmp_path, tables, options) == ([], [])


@needs_tex
@pytest.mark.slow
def test_every_letter_that_is_said_to_be_printed_compiles(tmp_path):
    letters = [chr(i) for i in range(32, 0x2FFF) if not other_scripts([chr(i)])]
    assert len(letters) > 500
    frame = pd.DataFrame({"letter": letters, "beside": [f"a{c}b" for c in letters], "n": 1.5})
    assert compiled(tmp_path, [to_latex(frame, {})], "")[0] == []


@pytest.fixture(scope="module")
def every_table():
    opened = start_demonstration()
    opened = opened.with_review(replace(opened.review, targets=("abroad", "marital", "income")))
    tables = [data for name, data in exhibits.files(opened, ()) if name.endswith(".tex")]
    assert len(tables) == len(exhibits.EXHIBITS)
    for name, frame in of_review(opened).items():
        tables.append(to_latex(frame, columns(name, map(str, frame.columns)), HOLDS.get(name, name)))
    assert len(tables) > 25
    return tables


@needs_tex
@pytest.mark.slow
@pytest.mark.parametrize("options", CLASSES)
def test_all_exhibits_and_all_tables_compile(tmp_path, every_table, options):
    assert compiled(tmp_path, every_table, options) == ([], [])


@needs_tex
@pytest.mark.slow
@pytest.mark.skipif(
    not (KPSEWHICH and subprocess.run([KPSEWHICH, "lmodern.sty"], capture_output=True, check=False).stdout),
    reason="no lmodern is installed (Debian: lmodern)",
)
def test_with_outlines_for_letters_they_fit_as_well(tmp_path, every_table):
    assert compiled(tmp_path, every_table, "twocolumn", LMODERN + r"\pdfobjcompresslevel=0") == ([], [])
    assert b"/Type1" in (tmp_path / "t.pdf").read_bytes()
    assert b"/Type3" not in (tmp_path / "t.pdf").read_bytes()
