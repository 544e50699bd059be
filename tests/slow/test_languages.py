"""Names and levels of the world: ten scripts, right to left, emoji, combining marks, 200 letters, through all that is made.

Each column and level stands as it is on every page, in report, workbook, JSON, saved review and scripts; the Python script
gives the same figures, and R reads its own. How figures draw them: `test_figures_anywhere.py`.
"""

import io
import json
import re
import shutil
import subprocess
from dataclasses import replace

import openpyxl
import pandas as pd
import pypdf
import pytest

from disclosure_core import Exclusions, Settings, open_review, start
from disclosure_core.export import scripts
from disclosure_core.figures.paper import draw
from disclosure_core.report import to_pdf
from disclosure_core.results.catalogue import every
from tests.core.test_scripts import printed, ran
from tests.pages.conftest import App
from tests.reports import Look, assemble, blocks, to_html, ungrouped
from tests.saved import from_json
from tests.saved import to_json as to_saved
from tests.slow.test_snapshots import shown, told

WORDS = {
    "Latin": ("Familienstand & Größe", "ledig", "verheiratet"), "Greek": ("Οικογένεια", "άγαμος", "έγγαμη"),
    "Cyrillic": ("Семейное положение", "холост", "замужем"), "Arabic": ("الحالة الاجتماعية", "أعزب", "متزوج"),
    "Hebrew": ("מצב משפחתי", "רווק", "נשוי"), "Devanagari": ("वैवाहिक स्थिति", "अविवाहित", "विवाहित"),
    "Thai": ("สถานภาพสมรส", "โสด", "สมรส"), "Chinese": ("婚姻状况", "未婚", "已婚"), "Korean": ("혼인 상태", "미혼", "기혼"),
    "Armenian": ("Ընտանեկան վիճակ", "ամուրի", "ամուսնացած"), "emoji": ("household 👨‍👩‍👧", "🙂", "🏳️‍🌈"),
    "combining": ("A\u0308lter\u0301", "Zoe\u0308", "Zoë"), "long": ("x" * 199 + "é", "n" * 200, "m" * 199 + "n"),
    "both ways": ("العمر (age)", "٢٠–٢٩ years", "\u200f30+"),
}  # fmt: skip
"""By script: a column's name and two levels; what is composed and what is not are two levels."""

NAMES = [name for name, *_ in WORDS.values()]
KEYS = (NAMES[3], NAMES[7])
TARGETS = tuple(name for name in NAMES if name not in KEYS)


def rows(step):
    """Return 120 people whose levels go together in many ways."""
    return pd.DataFrame({name: [levels[(i // step + i * (j + step)) % 7 % 2] for i in range(120)]
                         for j, (name, *levels) in enumerate(WORDS.values())})  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    for name, step in (("original 原.csv", 1), ("합성.csv", 2)):
        rows(step).to_csv(folder / name, index=False)
    return folder


@pytest.fixture(scope="module")
def opened(files):
    first = start(("original 原.csv", files / "original 原.csv"), {"σύνολο": [("합성.csv", files / "합성.csv")]})
    out = Exclusions(target_levels={NAMES[4]: [WORDS["Hebrew"][1]]}, missing_keys=set())
    review = first.review.with_settings(Settings(keys=KEYS, targets=TARGETS, exclusions=out))
    return first.with_review(replace(review, name="учёт", reasons={NAMES[4]: "ידוע לכל"}))


def in_words(text):
    """A text without what Markdown and justification add to it."""
    return re.sub(r"\\(.)", r"\1", text).replace("\u2060", "").replace("\xa0", " ")


def there(names, text, but=()):
    assert [name for name in names if name not in text and name not in but] == []


@pytest.mark.parametrize(
    "page", ["data", "keys", "review", "records", "safeguards", "analyses", "compare", "report", "workshop", "glossary"]
)
def test_every_page_has_them_as_they_are(opened, page):
    app = App()
    app.hold(opened)
    text = in_words("\n".join(map(str, shown(app.page(page)))))
    if page in ("data", "review"):
        there(NAMES, text, but=("x" * 199 + "é",))
        assert "xxx…" in text or "x" * 199 in text
    if page == "review":
        assert WORDS["Hebrew"][1] in text


@pytest.mark.parametrize("look", [Look(cells=True), Look(shareable=True, smallest=5)], ids=["internal", "shareable"])
def test_the_report_has_them_and_is_a_whole_document(opened, look):
    source = assemble(ungrouped(opened) if look.shareable else opened, look)
    text = in_words("\n".join(line for block in blocks(source) for line in told(block)))
    there(TARGETS, text)
    page = to_html(source)
    assert page.count("</html>") == 2  # the report and its appendix
    # A joiner that no letter needs is written as its code: two names would look alike.
    there(
        [name.replace("\u200d", r"\u200d") for name in TARGETS if "&" not in name],
        re.sub(r"&#x2060;|\u2060|<wbr>", "", page),
        but=("x" * 199 + "é",),
    )
    assert "Familienstand &amp; Größe" in page
    assert len(pypdf.PdfReader(io.BytesIO(to_pdf(source))).pages) >= 2


def test_figures_are_drawn(opened):
    for _, _, plot in every(opened, of_targets=False):
        assert draw(plot).startswith(b"%PDF")


def test_workbook_json_and_saved_review_hold_every_letter(opened, files):
    book = openpyxl.load_workbook(io.BytesIO(opened.to_excel()))
    cells = {
        str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None
    }
    assert set(TARGETS) <= cells
    assert WORDS["Hebrew"][1] in " ".join(cells)
    figures = json.loads(opened.to_json())
    there(NAMES, json.dumps(figures, ensure_ascii=False))
    again = open_review(from_json(to_saved(opened.review)), {name.name: name.read_bytes() for name in files.iterdir()})
    assert again.assessment().summary().to_csv() == opened.assessment().summary().to_csv()
    assert again.review.name == "учёт"


def test_the_python_script_gives_the_same_figures_and_r_reads_its_own(opened, files, tmp_path):
    for file in files.iterdir():
        shutil.copy(file, tmp_path)
    assert ran(tmp_path, scripts.python(opened)) == printed(opened)
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed here")
    (tmp_path / "again.R").write_text(scripts.r_of(opened), encoding="utf-8")
    check = 'Sys.setlocale("LC_CTYPE", "C.UTF-8"); invisible(parse("again.R", encoding = "UTF-8"))'
    subprocess.run(["Rscript", "-e", check], cwd=tmp_path, check=True, capture_output=True)
