"""Figures for print: exact sizes, embedded fonts, every name and number, the same as on screen."""

# Inside: letters and their widths, tags and frames of a PDF: what print rests on.

import io
import os
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from PIL import Image

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Review,
    Settings,
    assess,
    demo,
    identity_by_keys,
    search_subsets,
)
from disclosure_core.export.archive import archive
from disclosure_core.figures import (
    charts,
    dorig_disco,
    each_key,
    keys_added,
    number_of_keys,
    paper,
    screen,
)
from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
from disclosure_core.figures.frame import TYPES, stacked
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.letters import (
    FOLDER,
    PT,
    borrowed,
    joined,
    lacking,
    own_fonts,
    path_of,
    shortened,
    wide,
    wrapped,
)
from disclosure_core.figures.look import SLIDE_HEIGHT, WIDTHS, Look
from disclosure_core.figures.members_outside import OutsidePlot, OutsideRow
from disclosure_core.figures.palette import MARKS
from disclosure_core.figures.paper import draw
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.results import Tau
from tests.slow.test_figures_anywhere import faults

ROOT = Path(__file__).parents[2]
MARKUP = ["$x^2$", "a_b^c", "\\frac{1}{2}", "<b>bold</b>", "#set text(red)", "50 % & more", "été", "$", "x" * 60,
          "a name of sixty letters that goes on and on until it ends ok"]  # fmt: skip


@pytest.fixture(scope="module")
def demo_plot():
    return dorig_disco.describe(assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS)))


def plot_of(names):
    rows = [
        ArrowRow(n, 90 - i, 60 - i / 2, (59 - i / 2, 61 - i / 2), 9, 6, "1-way" * (i % 3 == 0))
        for i, n in enumerate(names)
    ]
    return ArrowPlot("Dorig", "DiSCO", 1234, 2, tuple(rows))


GROWTH = GrowthPlot(("age", "$sex$", "region"), (("UiO", (1.0, 5.0, 9.0)), ("repU", (0.5, 1.0, 2.0))), 1234)


def page_of(data):
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    return page


def letters(text):
    return re.sub(r"\s", "", text)


@pytest.mark.slow
@pytest.mark.parametrize("size", list(WIDTHS))
@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("n", [1, 10, 60])
def test_a_pdf_is_as_wide_as_it_says_and_whole(size, grey, n):
    names = [MARKUP[i % len(MARKUP)] + f" {i}" for i in range(n)]
    plot = plot_of(names)
    page = page_of(draw(plot, "pdf", Look(size=size, grey=grey, title="A title with $x$")))
    width, height = (float(side) * 25.4 / 72 for side in (page.mediabox.width, page.mediabox.height))
    assert width == pytest.approx(WIDTHS[size], abs=0.01)
    if size == "slide":
        assert height == pytest.approx(SLIDE_HEIGHT, abs=0.01)
    else:
        assert height <= 230
    text = letters(page.extract_text())
    shown = paper._fitted(plot, Look(size=size, title="A title with $x$"))
    assert len(shown.rows) == n or letters(shown.more) in text
    assert len(shown.rows) >= min(n, 10)
    for row in shown.rows:
        assert letters(row.target) in text
        assert f"{row.original:.1f}" in text
        assert f"{row.synthetic:.1f}" in text
    assert "Atitlewith$x$" in text
    assert "%of1,234originalrecords" in text
    for name in ("Dorig(original)", "DiSCO(synthetic)"):
        assert name in text
    fonts = [f.get_object() for f in page["/Resources"]["/Font"].values()]
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        assert "/FontFile2" in inner["/FontDescriptor"]
    assert not [x for x in page["/Resources"].get("/XObject", {}).values() if x.get_object()["/Subtype"] == "/Image"]


@pytest.mark.slow
@pytest.mark.parametrize("size", list(WIDTHS))
def test_nothing_is_clipped(size):
    """What is drawn keeps a margin of white all around, with sixty long names."""
    data = draw(
        plot_of([f"{'a name of fifty-five letters that goes on and on and on'} {i}" for i in range(60)]),
        "png",
        Look(size=size, dpi=100),
    )
    image = Image.open(io.BytesIO(data)).convert("L")
    left, top, right, bottom = image.point(lambda v: 255 if v < 250 else 0).getbbox()
    assert left >= 2
    assert top >= 2
    assert right <= image.width - 2
    assert bottom <= image.height - 2


def texts_on(sheet):
    """Return the words of a sheet with the boxes that their letters fill, px."""
    sheet.figure.set_dpi(300)  # that of a PNG: with fewer dots, letters are moved to whole ones
    sheet.figure.canvas.draw()
    return [(t.get_text(), t.get_window_extent()) for t in sheet.axes.texts if t.get_text().strip()]


@pytest.mark.parametrize("width", [60.0, 84.0, 174.0])
@pytest.mark.parametrize("of_repu", [(0.1, 2.8, 7.0), (2.8, 12.8, 97.0)])
def test_no_number_of_keys_added_runs_into_a_name_or_is_left_out(width, of_repu):
    lines = (("UiO", (0.0, 0.1, of_repu[1] + 5.3, 100.0)), ("repU", (0.0, *of_repu)))
    look = Look(width_mm=width)
    texts = texts_on(paper._drawn(GrowthPlot(("sex", "age", "employment_status", "region"), lines, 9), look))
    names = [box for text, box in texts if text in ("status", "+ employment_status", "+ employment_")]
    numbers = [(text, box) for text, box in texts if text in {f"{of_repu[1]:.1f}"}]
    assert numbers
    assert min(box.x0 for _, box in numbers) - max(box.x1 for box in names) > 300 / 25.4


def test_of_keys_added_that_are_all_shown_no_more_are_said_to_be():
    plot = GrowthPlot(("sex", "age"), (("UiO", (0.0, 1.0)), ("repU", (0.0, 1.0))), 9)
    assert [plot.first(n).more for n in (1, 2, 3)] == ["and 1 more", "", ""]


@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize("letters", [8, 60, 140])
def test_a_name_of_several_lines_stays_in_its_row(size, letters):
    names, two = ["a long name "[: letters % 12 or 12] * (letters // 12 + 1)] * 4, [False, True, False, True]
    type_ = TYPES[size]
    stack = stacked(names, ["", "without ‘No’", "without ‘No’", ""], two, type_, 0.6 * type_.pitch)
    half, top = type_.label * PT * 0.5, 0.0
    for lines, y, below, edge, second in zip(stack.lines, stack.y, stack.below, stack.edges, two, strict=True):
        away = (len(lines) - 1) * type_.lead / 2
        assert top <= y - away - half * (len(lines) > 1)
        assert y + away + half * (len(lines) > 1) <= edge
        assert below + type_.half / 2 <= edge or not second
        top = edge


@pytest.mark.slow
def test_pages_hold_every_target_once_on_one_axis():
    long = plot_of([f"target {i}" for i in range(90)])
    for size in WIDTHS:
        parts = paper.pages(long, Look(size=size))
        assert len(parts) > 1
        assert [row for part in parts for row in part.rows] == list(long.rows)
        assert {part.furthest for part in parts} == {long.furthest}
    (whole,) = paper.pages(plot_of(["a", "b"]), Look())
    assert whole == plot_of(["a", "b"])
    first = long.first(20)
    assert first.more == "and 70 more, DiSCO at most 50.0 %"  # the largest that is not shown
    assert first.more in first.sentence


@pytest.mark.parametrize("dpi", [300, 600])
def test_a_png_has_its_dots(demo_plot, dpi):
    image = Image.open(io.BytesIO(draw(demo_plot, "png", Look(size="column", dpi=dpi))))
    assert image.width == pytest.approx(85 / 25.4 * dpi, abs=1)


def test_an_svg_needs_no_font_and_says_what_it_is():
    """Every letter is an outline: nothing depends on the fonts of the machine that opens it."""
    svg = draw(plot_of(MARKUP), "svg", Look(title="उम्र 婚姻")).decode()
    drawn = [node for node in fromstring(svg).iter() if node.tag.endswith("}use")]
    assert len(drawn) > sum(len(letters(name)) for name in MARKUP)
    assert not re.search(r"<(\w+:)?text|font-family|font-face|<b>bold", svg)
    assert re.search(r'width="510\.\d+pt"', svg)
    assert "Dorig and DiSCO for 10 targets" in svg


SCRIPTS = {
    "Latin": "Größe, année, łódź", "Greek": "Οικογένεια", "Cyrillic": "семейное положение", "Devanagari": "क्षेत्र और उम्र",
    "Chinese": "婚姻状况", "Chinese (traditional)": "婚姻狀況", "Japanese": "配偶者の有無カナ", "Korean": "혼인 상태",
    "Arabic": "الحالة الاجتماعية", "Persian": "وضعیت می\u200cخواهم", "Hebrew": "מצב משפחתי", "Bengali": "বৈবাহিক অবস্থা",
    "Tamil": "திருமண நிலை", "Telugu": "వైవాహిక స్థితి", "Thai": "สถานภาพสมรส", "Amharic": "የጋብቻ ሁኔታ", "Georgian": "ოჯახური",
    "Armenian": "ամուսնական", "Khmer": "ស្ថានភាព", "Burmese": "အိမ်ထောင်ရေး", "Lao": "ສະຖານະພາບ", "Sinhala": "විවාහක",
    "Gujarati": "વૈવાહિક", "Punjabi": "ਵਿਆਹੁਤਾ", "Kannada": "ವೈವಾಹಿಕ", "Malayalam": "വൈവാഹിക", "Odia": "ବୈବାହିକ",
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS.values(), ids=list(SCRIPTS))
def test_a_script_is_printed_in_the_fonts_that_are_shipped(name):
    assert paper.legible(name) == name
    assert not borrowed(name)
    assert lacking([name]) == ""
    sheet = paper._drawn(plot_of([name, "age"]), Look(size="column"))
    (box,) = [box for text, box in texts_on(sheet) if text == name]
    assert box.width / sheet.figure.dpi * 25.4 == pytest.approx(wide(name, 7), rel=0.04, abs=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS.values(), ids=list(SCRIPTS))
def test_a_pdf_takes_every_script(name):
    page = page_of(draw(plot_of([name]), "pdf", Look(title=name)))
    assert not page.images
    if not joined(name):
        assert letters(page.extract_text()).count(letters(name)) == 2


def test_a_font_of_the_machine_stands_behind_the_programs_of_the_same_name():
    own = [family for family in own_fonts() if family != "DejaVu Sans"]
    assert {path_of(family).parent for family in own} == {FOLDER}


def test_a_script_without_a_font_is_named_and_a_joiner_is_drawn_where_it_joins():
    assert lacking(["ᏣᎳᎩ", "བོད", "age"]) == (
        "No font here has letters of Cherokee and Tibetan: their codes are printed instead."
    )
    words = " ".join(text for text, _ in texts_on(paper._drawn(plot_of(["ᏣᎳᎩ", "age"]), Look(size="column"))))
    assert "No font here has letters of Cherokee" in words
    assert "\\u13e3\\u13b3\\u13a9" in words
    assert paper.legible("a\u200cb") == "a\\u200cb"  # unseen between Latin letters: two names would look alike


NAMES = st.text(st.sampled_from("abcABC019_.- é婚क्षाम\u200dي"), min_size=1, max_size=60)


@given(name=NAMES, room=st.sampled_from([12.0, 29.0, 55.0]))
def test_lines_are_no_wider_than_their_room_and_hold_every_letter(name, room):
    lines = wrapped(name, room, 7)
    assert letters("".join(lines)) == letters(paper.legible(name))
    assert all(wide(line, 7) <= room or len(line) <= 3 for line in lines)


@given(
    words=st.lists(st.text("abcm", min_size=1, max_size=12), min_size=4, max_size=12),
    room=st.sampled_from([12.0, 29.0]),
)
def test_no_word_of_a_sentence_is_lost_where_a_line_ends(words, room):
    lines = wrapped(" ".join(words), room, 7)
    assert letters("".join(lines)) == "".join(words)
    assert all(wide(line, 7) <= room for line in lines)
    assert len(lines) == 1 or wide(" ".join(words), 7) > room


@pytest.mark.slow
@given(names=st.lists(NAMES, min_size=1, max_size=6, unique=True), end=st.text("ab", min_size=30, max_size=70))
def test_a_long_name_loses_its_middle_and_stays_apart_from_the_others(names, end):
    names = [*names, "a_column_with_a_rather_long_name_" * 5 + end, "a_column_with_a_rather_long_name_" * 5 + end + "b"]
    short = shortened(names, 29.0, 7, 3)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    for name, cut in short.items():
        begin, dots, rest = cut.partition("…")
        assert name == cut or (dots and name.startswith(begin) and name.endswith(rest))
        assert cut == name or len(wrapped(cut, 29.0, 7)) <= 3
    assert all("…" in short[name] for name in names[-2:])


@pytest.mark.slow
def test_what_lost_its_middle_stands_whole_beneath():
    name = "a question with all its words as some surveys have for a column " * 6
    sheet = paper._drawn(plot_of([name.strip(), "age"]), Look(size="column"))
    words = " ".join(text for text, _ in texts_on(sheet))
    assert words.count(name.strip()) == 1
    assert faults(sheet, over=0.15) == []


def read_off(sheet, shape, face=None):
    """Return where marks of a shape lie, in the numbers of the scale beneath them; from what is drawn alone."""
    ticks = {
        float(t.get_text().replace("\u2212", "-").replace(",", "")): t.get_position()[0]
        for t in sheet.axes.texts
        if re.fullmatch(r"[\d.,\u2212]+", t.get_text()) and t.get_ha() == "center"
    }
    (v0, x0), (v1, x1) = min(ticks.items()), max(ticks.items())
    marks = [
        (line.get_ydata()[0], line.get_xdata()[0])
        for line in sheet.axes.lines
        if line.get_marker() == shape and (face is None or line.get_markersize() == pytest.approx(face))
    ]
    return [v0 + (x - x0) / (x1 - x0) * (v1 - v0) for _, x in sorted(marks)]


def without(*targets):
    """Return the plot of the survey with a level of each target excluded, and what stood before."""
    every = {"abroad": ["No"], "marital": ["Single"]}
    before = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    out = Exclusions(target_levels={name: every[name] for name in targets})
    after = assess(demo.study(), replace(before.settings, exclusions=out), before.tables)
    return dorig_disco.describe(after, before=before)


def test_print_and_screen_show_the_same(demo_plot):
    figure = screen.dumbbells.arrows(demo_plot)
    shown = {t.name: list(t.x) for t in figure.data if t.mode == "markers"}
    sheet = paper._drawn(demo_plot, Look())
    assert read_off(sheet, "o") == pytest.approx(shown["Dorig (original)"], abs=1e-6)
    assert read_off(sheet, "D") == pytest.approx(shown["DiSCO (synthetic)"], abs=1e-6)
    words = [t.get_text() for t in sheet.axes.texts]
    names = [row.target for row in demo_plot.rows]
    assert [word for word in words if word in names] == names
    assert figure.layout.xaxis.title.text in words
    named = {t.get_text(): t.get_color() for t in sheet.axes.texts if t.get_text().endswith(")")}
    assert (named["Dorig (original)"], named["DiSCO (synthetic)"]) == (
        MARKS["original"].word,
        MARKS["synthetic"].word,
    )


def test_what_is_left_out_is_named_and_stands_beside_what_stood_before():
    plot = without("abroad", "marital")
    rows = {row.target: row for row in plot.rows}
    assert rows["abroad"].left_out == "without ‘No’"
    before = {
        r["target"]: r
        for r in assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS)).summary().to_dict("records")
    }
    assert rows["abroad"].before == (before["abroad"]["original"], before["abroad"]["synthetic"])
    assert rows["bmi"].before is None
    assert "Excluded: marital = Single; abroad = No." in plot.caption
    hollow = read_off(paper._drawn(plot, Look()), "D", 6 * 0.64)
    assert hollow == pytest.approx([before["marital"]["synthetic"], before["abroad"]["synthetic"]], abs=1e-6)
    assert "without ‘No’" in plot.sentence
    around = ArrowRow("t", 50.0, 48.0, (48.0,), 1, 1, "", before=(95.0, 5.0))
    for now, was, beneath in (
        ((6.0, 5.0), (95.0, 94.0), False),  # at its right
        ((95.0, 94.0), (6.0, 5.0), False),  # at its left
        ((90.0, 4.0), (95.0, 94.0), True),
        ((95.0, 5.0), (6.0, 4.0), True),
    ):
        row = ArrowRow("t", *now, now[1:], 1, 1, "", before=was)
        words = paper._drawn(ArrowPlot("Dorig", "DiSCO", 9, 1, (row,)), Look()).axes.texts
        lines = {t.get_position()[1] for t in words if t.get_text() in {f"{v:.1f}" for v in (*now, *was)}}
        assert len(lines) == 1 + beneath
    sheet = paper._drawn(ArrowPlot("Dorig", "DiSCO", 9, 1, (around,)), Look())
    at = {t.get_text(): t.get_position() for t in sheet.axes.texts}
    assert at["95.0"][1] == at["5.0"][1] > at["50.0"][1]  # beneath: what stood before goes around what stands now
    marks = {line.get_marker(): line.get_xdata()[0] for line in sorted(sheet.axes.lines, key=Line2D.get_markersize)}
    ends = (
        at["DiSCO (synthetic)"][0] + wide("DiSCO (synthetic)", TYPES["page"].label, "Semibold"),
        at["Dorig (original)"][0],
    )
    assert sum(ends) == pytest.approx(marks["D"] + marks["o"])  # names that would touch part between the marks


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["pdf", "svg", "png"])
def test_growth(format_):
    data = draw(GROWTH, format_, Look(size="column", grey=True))
    if format_ == "pdf":
        text = letters(page_of(data).extract_text())
        assert "+$sex$" in text
        assert "UiO" in text
    study = demo.study()
    plot = keys_added.describe(identity_by_keys(study, Settings(keys=demo.KEYS)), study.n_original)
    assert draw(plot, format_)


def test_a_pdf_is_tagged_in_english_with_its_words(demo_plot):
    """PDF/UA-1, which Typst checks: a document in English, titled, whose one figure has an alternative text."""
    reader = pypdf.PdfReader(io.BytesIO(draw(demo_plot, "pdf")))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert reader.metadata.title == demo_plot.title
    found, rest = [], [root["/StructTreeRoot"]]
    while rest:
        node = rest.pop()
        if isinstance(node, pypdf.generic.DictionaryObject):
            found += [node] if node.get("/S") == "/Figure" else []
            kids = node.get("/K", [])
            rest += [kid.get_object() for kid in (kids if isinstance(kids, list) else [kids])]
    assert [figure["/Alt"] for figure in found] == [demo_plot.sentence]


@pytest.mark.slow
def test_files_say_what_they_are_and_pages_come_apart():
    long = plot_of([f"target {i}" for i in range(90)])
    made = dict(paper.files("dorig-disco", long, "svg", Look(size="column", grey=True), whole=True))
    n = len(made)
    assert n > 1
    assert list(made) == [f"dorig-disco_{i}-of-{n}_85mm_grey.svg" for i in range(1, n + 1)]
    assert [name for name, _ in paper.files("steps", GROWTH, "png", Look(), "a/b <c>")] == [
        "steps_a-b-c_180mm_300dpi.png"
    ]
    packed = zipfile.ZipFile(io.BytesIO(archive(made.items())))
    assert {name: packed.read(name) for name in packed.namelist()} == made
    assert archive(made.items()) == archive(made.items())


@pytest.mark.slow
def test_the_same_figure_is_the_same_file(demo_plot):
    with ThreadPoolExecutor(4) as pool:
        files = list(pool.map(lambda _: draw(demo_plot, "pdf"), range(8)))
    assert len(set(files)) == 1


def test_fonts_are_not_opened_anew_for_each_thread_that_prints(demo_plot):
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("only Linux tells which files are open")

    def open_fonts() -> int:
        return sum(os.path.realpath(handle).endswith((".ttf", ".otf")) for handle in folder.iterdir())

    draw(demo_plot, "svg")
    before = open_fonts()
    for _ in range(4):
        with ThreadPoolExecutor(1) as visitor:
            visitor.submit(draw, demo_plot, "svg").result()
    assert open_fonts() == before > 0


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Look(size="poster"), "There is no size 'poster'; choose one of column, page, slide."),
        (lambda: Look(dpi=10), "Choose between 72 and 1200 dots an inch."),
        (lambda: draw(GROWTH, "gif"), "There is no format 'gif'; choose one of pdf, svg, png."),
    ],
)
def test_what_cannot_be_printed_is_a_sentence(make, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        make()


LONG_KEYS = GrowthPlot(
    tuple(f"a rather long name of key {i}" for i in range(9)),
    (("UiO", tuple(float(10 * i) for i in range(9))), ("repU", tuple(float(i) for i in range(9)))),
    1234,
)


def test_keys_stand_below_each_other_with_the_same_numbers():
    for plot in (GROWTH, LONG_KEYS):
        shown = {t.name: list(t.y) for t in screen.charts.growth(plot).data}
        sheet = paper._drawn(plot, Look(size="column"))
        assert read_off(sheet, "o") == pytest.approx(shown["UiO"], abs=1e-6)
        assert read_off(sheet, "D") == pytest.approx(shown["repU"], abs=1e-6)


# Letters that are no letters: each is shown as its code, or as it is where a font here has it; none stops the figure.
ODD = ["目標", "tab\there", "a\x00b", "a\x07b", "a\ufffeb", "a\ud800b", "a\ue000b", "a\u202eb", "a\nb", "\U0001f9ff"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("format_", ["pdf", "svg", "png"])
def test_any_letter_can_be_in_a_name(name, format_):
    data = draw(plot_of([name]), format_, Look(title=name))
    if format_ == "svg":
        fromstring(data)  # it is XML
    if name == "a\x07b" and format_ == "pdf":
        assert "a\\x07b" in page_of(data).extract_text()


def curves_of(n, steps=False, title="$x^2$ <b>a name of forty letters and more that goes on</b>"):
    at = (1.0, 2.0, 3.0)
    panels = [
        Panel(
            f"{title} {i}" if n > 1 else "",
            (
                Curve("UiO", "original", (1.0, 2.0 + i, 9.0)),
                Curve("repU", "synthetic", (0.5, 1.0, 2.0), (0.2, 0.6, 2.0), (0.9, 1.5, 2.0)),
            ),
        )
        for i in range(n)
    ]
    return CurvePlot("What", "keys", "% of 9 records", at, tuple(panels), "range", steps, (2.0, "here & $now$"))


@pytest.fixture(scope="module")
def searched():
    return search_subsets(demo.study(), Settings(keys=demo.KEYS, targets=("marital", "abroad"), groups=demo.GROUPS))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "n"), [*((size, n) for size in WIDTHS for n in (1, 7)), ("slide", 30)])
def test_curves_have_one_key_and_a_title_a_frame(size, n):
    text = letters(page_of(draw(curves_of(n), "pdf", Look(size=size, grey=True))).extract_text())
    for said in ("UiO", "repU:range", "here&$now$", "keys", "%of9records"):
        assert said in text
    assert text.count("UiO") == 1  # one legend for all frames
    shown = len(paper._fitted(curves_of(n), Look(size=size, grey=True)).panels)
    assert shown == (15 if n == 30 else n)
    if n > 1:
        assert text.count("$x^2$<b>aname") == shown


@pytest.mark.slow
def test_curves_in_print_and_on_screen_are_those_of_the_core(searched):
    from disclosure_core.figures import paper
    from disclosure_core.sensitivity import threshold

    found = assess(demo.study(), Settings(keys=demo.KEYS, targets=("marital", "abroad"), groups=demo.GROUPS))
    by_size = number_of_keys.describe(searched, found.n_original)
    review = Review.of(demo.KEYS, targets=("marital", "abroad"), groups=demo.GROUPS)
    opened = review.open(demo.original(), demo.syntheses())
    one, both = Tau.of(opened, target="marital", tau=0.8).figure(), Tau.of(opened).figure()
    assert [p.title for p in both.panels] == found.summary()["target"].tolist()[::-1]
    for plot, frames in (
        (by_size, [[searched.by_size(m)["mean"] for m in ("UiO", "repU")]]),
        (one, [[threshold.curve(found.targets["marital"])[side] for side in ("original", "synthetic")]]),
        (
            both,
            [
                [threshold.curve(found.targets[p.title])[side] for side in ("original", "synthetic")]
                for p in both.panels
            ],
        ),
    ):
        expected = [list(line) for frame in frames for line in frame]
        shown = [list(t.y) for t in screen.charts.curves(plot).data if t.mode != "none"]
        assert shown == expected
        drawn = paper._drawn(plot, Look()).axes.lines
        printed = [np.array(line.get_ydata()) for line in drawn if len(line.get_xdata()) > 2]
        assert len(printed) == len(expected)
        for line, values in zip(printed, expected, strict=True):  # a falling line has rising millimetres
            per = (line[-1] - line[0]) / (values[-1] - values[0])
            assert list(line - line[0]) == pytest.approx([per * (v - values[0]) for v in values], abs=1e-6)
    band = next(t for t in screen.charts.curves(by_size).data if t.mode == "none")
    table = searched.by_size("UiO")
    assert list(band.y) == [*table["max"], *table["min"][::-1]]
    assert "UiO from 0.00 to 25.06" in by_size.sentence
    assert "A line marks τ = 0.8." in one.sentence


def test_what_each_key_adds_is_the_same_in_print_and_on_screen(searched):
    for target, measure in ((None, "repU"), ("marital", "DiSCO")):
        plot = each_key.describe(searched, 5000, target)
        table = searched.each_key(measure, target)
        whole, without = screen.charts.bars(plot).data
        assert list(whole.x) == table["all"].tolist()
        assert list(without.x) == table["without"].tolist()
        boxes = [p for p in paper._drawn(plot, Look()).axes.patches if p.get_facecolor()[:3] != (1, 1, 1)]
        widths = [box.get_width() for box in boxes[1:]]  # the first is the key's
        per = max(widths) / max(without.x)
        assert widths == pytest.approx([per * v for v in without.x])
        assert [bar.label for bar in plot.bars] == [f"without {key}" for key in table["key"]]
        assert plot.bars[0].figure == f"{table['without'][0]:.2f} ({table['all'][0]:.2f})"


def test_an_arrow_is_drawn_on_screen_and_in_print_alike():
    """3 % of the largest figure, 50, is 1.5: nearer marks would be hidden by their arrow."""
    rows = [ArrowRow(f"t{gap}", 50.0 - gap, 50.0, (50.0,), 1, 1, "") for gap in (0.0, 1.4, 1.6, 1.9, 20.0)]
    plot = ArrowPlot("Dorig", "DiSCO", 100, 1, tuple(rows))
    assert plot.arrows == (False, False, True, True, True)
    ways = [note.y for note in screen.dumbbells.arrows(plot).layout.annotations if note.showarrow]
    assert ways == [2, 3, 4]
    heads = [patch for patch in paper._drawn(plot, Look()).axes.patches if isinstance(patch, Polygon)]
    assert len([head for head in heads if len(head.get_xy()) == 4]) == 3


def test_the_arrow_plot_at_a_threshold_is_the_table_of_the_core():
    from disclosure_core.sensitivity import threshold

    found = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    plot, table = dorig_disco.describe(found, tau=0.8), threshold.summary(found, 0.8).iloc[::-1]
    assert (plot.original, plot.synthetic) == ("pd ≥ 0.8", "ps ≥ 0.8")
    assert [r.target for r in plot.rows] == table["target"].tolist()
    assert [r.synthetic for r in plot.rows] == table["synthetic"].tolist()
    assert [r.original for r in plot.rows] == table["original"].tolist()
    assert [(r.low, r.high) for r in plot.rows] == list(zip(table["min"], table["max"], strict=True))
    last, whole = dorig_disco.describe(found, tau=1.0), dorig_disco.describe(found)
    assert [r.synthetic for r in last.rows] == pytest.approx([r.synthetic for r in whole.rows])


@pytest.mark.parametrize("steps", [False, True])
def test_in_greys_no_two_lines_or_ranges_differ_by_shade_alone(steps):
    """The key of a frame with a line and a range of every side says what tells them apart."""
    at = (1.0, 2.0, 3.0)
    curves = tuple(Curve(side, side, at, at, at) for side in MARKS if side != "before")
    plot = CurvePlot("Lines", "keys", "%", at, (Panel("", curves),), "range", steps=steps)
    entries = charts._key(plot, Look(grey=True))
    lines = [(dash, symbol) for _, _, dash, symbol in entries if dash]
    assert len(set(lines)) == len(lines) == len(curves)
    ranges = {name: hatch for name, _, dash, hatch in entries if not dash}
    together = [ranges[f"{side}: range"] for side in ("original", "synthetic", "second", "outside")]
    assert len(set(together)) == len(together)  # the sides that a figure draws ranges of
    assert all(hatch == "" for _, _, dash, hatch in charts._key(plot, Look()) if not dash)
    sheet = paper._drawn(plot, Look(grey=True))
    assert {area.get_hatch() or "" for area in sheet.axes.collections} == set(ranges.values())


def test_a_mark_is_filled_where_it_is_shown_and_own_answers_come_first():
    rows = (
        OutsideRow("first", 30.0, 20.0, 10.0, 5.0, 15.0, "", True, (4.0, 2.0, 6.0), True),
        OutsideRow("alone", 40.0, 30.0, 10.0, 5.0, 15.0, "", False, (3.0, 1.0, 5.0), False),
        OutsideRow("without", 20.0, 10.0, 10.0, 5.0, 15.0, "", True),
    )
    plot = OutsidePlot("DiSCO", 1_000, 500, rows, random=True, compared=40.0)
    sheet = paper._drawn(plot, Look())
    words = [text.get_text() for text in sheet.axes.texts]
    for row, conclusion in zip(
        rows, ("own answers shown: +4.0", "not shown: at most 5.0 points", "not evaluated"), strict=True
    ):
        assert row.conclusion == conclusion
        assert conclusion in words
    faces = {
        shape: [to_hex(line.get_markerfacecolor()) for line in sheet.axes.lines if line.get_marker() == shape]
        for shape in ("o", "D")
    }
    assert [face == "#ffffff" for face in faces["o"]] == [False, True, False]
    assert [face == "#ffffff" for face in faces["D"] if face != "#d55e00"] == [
        True
    ]  # the second M; all others are filled
    across = [line for line in sheet.axes.lines if list(line.get_xdata()) == [1.0, sheet.width - 1.0]]
    assert len(across) == 1  # beneath the row whose own answers are shown
    column = [text.get_text() for text in paper._drawn(plot, Look(size="column")).axes.texts]
    assert {row.conclusion for row in rows} <= set(column)


KEPT = r"""
import ctypes
from disclosure_core.figures.tagged_pdf import forget, tagged_pdf

class Told(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

ask = ctypes.CDLL(None).mallinfo2
ask.restype = Told
used = lambda: ask().uordblks
head = b'#let words = sys.inputs.at("words")\n#set document(title: "T")\n'
tagged_pdf(head + b"#words", "words", "x", timestamp=0)
forget()
before = used()
tagged_pdf(head + b"#words\n\n" * 2000, "words", "Zzyzx", timestamp=0)
kept = used() - before
forget()
print(kept, used() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted by a library of Linux")
def test_what_typst_keeps_of_a_document_is_forgotten():
    """It keeps what it worked out for the latest ten documents, texts and all: of a server, of those who left."""
    told = subprocess.run([sys.executable, "-c", KEPT], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    kept, left = map(int, told.split())
    assert kept > 5e6
    assert left < kept / 5  # what it keeps for any document is among it
