"""Figures for print: exact sizes, embedded fonts, every name and number, the same as on screen."""

import io
import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree.ElementTree import fromstring

import pypdf
import pytest
from PIL import Image

from disclosure_core import DisclosureError, Settings, assess, demo
from disclosure_core.assessment import identity_by_keys
from disclosure_core.figures import describe, screen
from disclosure_core.figures.describe import ArrowPlot, ArrowRow, Curve, CurvePlot, GrowthPlot, Panel
from disclosure_core.figures.paper import SLIDE_HEIGHT, WIDTHS, Look, draw
from disclosure_core.keysearch import search_subsets

MARKUP = ["$x^2$", "a_b^c", "\\frac{1}{2}", "<b>bold</b>", "#set text(red)", "50 % & more", "été", "$", "x" * 60,
          "a name of sixty letters that goes on and on until it ends ok"]  # fmt: skip


@pytest.fixture(scope="module")
def demo_plot():
    return describe.arrows(assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS)))


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
    text = letters(page.extract_text())
    for row in plot.rows:
        assert letters(row.label) in text
    assert "Atitlewith$x$" in text
    assert "%of1,234originalrecords" in text
    for name in ("Dorig(original)", "DiSCO(synthetic)", "smallesttolargestsynthesis"):
        assert name in text
    fonts = [f.get_object() for f in page["/Resources"]["/Font"].values()]
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        assert "/FontFile2" in inner["/FontDescriptor"]
    assert not [x for x in page["/Resources"].get("/XObject", {}).values() if x.get_object()["/Subtype"] == "/Image"]


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


@pytest.mark.parametrize("size", list(WIDTHS))
def test_title_legend_and_axes_do_not_overlap(demo_plot, size):
    from disclosure_core.figures import paper

    figure = paper._arrows(demo_plot, Look(size=size, title="What the synthetic data give away"))
    figure.canvas.draw()
    title, legend = figure._suptitle.get_window_extent(), figure.legends[0].get_window_extent()
    axes = figure.axes[0].get_tightbbox()
    assert title.y0 >= axes.y1 - 1
    assert legend.y1 <= axes.y0 + 1


@pytest.mark.parametrize("dpi", [300, 600])
def test_a_png_has_its_dots(demo_plot, dpi):
    image = Image.open(io.BytesIO(draw(demo_plot, "png", Look(size="column", dpi=dpi))))
    assert image.width == pytest.approx(85 / 25.4 * dpi, abs=1)


def test_an_svg_keeps_its_text(demo_plot):
    svg = draw(demo_plot, "svg", Look()).decode()
    for row in demo_plot.rows:
        assert row.label in svg
    assert re.search(r'width="510\.\d+pt"', svg)
    hostile = draw(plot_of(MARKUP), "svg").decode()
    assert "<b>bold" not in hostile
    assert "&lt;b&gt;bold" in hostile


def test_print_and_screen_show_the_same(demo_plot):
    figure = screen.arrows(demo_plot)
    shown = {t.name: list(t.x) for t in figure.data if t.mode == "markers"}
    from disclosure_core.figures import paper

    axes = paper._arrows(demo_plot, Look()).axes[0]
    printed = {line.get_label(): list(line.get_xdata()) for line in axes.lines}
    assert printed == shown
    labels = [t.get_text().replace("\n", " ") for t in axes.get_yticklabels()]
    assert labels == list(figure.layout.yaxis.ticktext)
    assert axes.get_xlabel() == figure.layout.xaxis.title.text
    top_down = axes.get_ylim()
    assert top_down[0] > top_down[1]


@pytest.mark.parametrize("format_", ["pdf", "svg", "png"])
def test_growth(format_):
    data = draw(GROWTH, format_, Look(size="column", grey=True))
    if format_ == "pdf":
        text = letters(page_of(data).extract_text())
        assert "+$sex$" in text
        assert "UiO" in text
    study = demo.study()
    plot = describe.growth(identity_by_keys(study, Settings(keys=demo.KEYS)), study.n_original)
    assert draw(plot, format_)


def test_the_same_figure_is_the_same_file(demo_plot):
    with ThreadPoolExecutor(4) as pool:
        files = list(pool.map(lambda _: draw(demo_plot, "pdf"), range(8)))
    assert len(set(files)) == 1


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
LONG_TITLE = "A title with more words than one column of a journal has room for, so that it takes several lines"


@pytest.mark.parametrize("size", list(WIDTHS))
@pytest.mark.parametrize("plot", [plot_of(["short"]), GROWTH, LONG_KEYS], ids=["one row", "few keys", "many keys"])
def test_neither_titles_nor_keys_are_clipped(size, plot):
    image = Image.open(io.BytesIO(draw(plot, "png", Look(size=size, dpi=100, title=LONG_TITLE)))).convert("L")
    left, top, right, bottom = image.point(lambda v: 255 if v < 250 else 0).getbbox()
    assert min(left, top) >= 2
    assert right <= image.width - 2
    assert bottom <= image.height - 2


def test_many_keys_stand_below_each_other_with_the_same_numbers():
    from disclosure_core.figures import paper

    for plot, across in ((GROWTH, True), (LONG_KEYS, False)):
        axes = paper._growth(plot, Look(size="column")).axes[0]
        shown = {t.name: list(t.y) for t in screen.growth(plot).data}
        printed = {line.get_label(): list(line.get_ydata() if across else line.get_xdata()) for line in axes.lines}
        assert printed == shown


# Letters that are no letters: each is shown as its code, or as it is where a font here has it; none stops the figure.
ODD = ["目標", "tab\there", "a\x00b", "a\x07b", "a\ufffeb", "a\ud800b", "a\ue000b", "a\u202eb", "a\nb", "\U0001f9ff"]


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


@pytest.mark.parametrize(("size", "n"), [*((size, n) for size in WIDTHS for n in (1, 7)), ("slide", 30)])
def test_curves_are_whole(size, n):
    image = Image.open(io.BytesIO(draw(curves_of(n), "png", Look(size=size, dpi=100, title="A title")))).convert("L")
    left, top, right, bottom = image.point(lambda v: 255 if v < 250 else 0).getbbox()
    assert min(left, top) >= 2
    assert right <= image.width - 2
    assert bottom <= image.height - 2
    text = letters(page_of(draw(curves_of(n), "pdf", Look(size=size, grey=True))).extract_text())
    for said in ("UiO", "repU:range", "here&$now$", "keys", "%of9records"):
        assert said in text
    assert text.count("UiO") == 1  # one legend for all frames
    if n > 1:
        assert text.count("$x^2$<b>aname") == n


@pytest.mark.parametrize("size", list(WIDTHS))
@pytest.mark.parametrize("n", [1, 7])
def test_nothing_of_curves_lies_on_the_legend(size, n):
    from disclosure_core.figures import paper

    figure = paper._curves(curves_of(n), Look(size=size, title="A title"))
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    assert all(legend.y1 <= axes.get_tightbbox().y0 + 1 for axes in figure.axes[:n])


def test_curves_in_print_and_on_screen_are_those_of_the_core(searched):
    from disclosure_core import tau
    from disclosure_core.figures import paper

    found = assess(demo.study(), Settings(keys=demo.KEYS, targets=("marital", "abroad"), groups=demo.GROUPS))
    by_size = describe.by_number_of_keys(searched, found.n_original)
    one, both = describe.taus(found, "marital", 0.8), describe.taus(found)
    assert [p.title for p in both.panels] == found.summary()["target"].tolist()[::-1]
    for plot, frames in (
        (by_size, [[searched.by_size(m)["mean"] for m in ("UiO", "repU")]]),
        (one, [[tau.curve(found.targets["marital"])[side] for side in ("original", "synthetic")]]),
        (both, [[tau.curve(found.targets[p.title])[side] for side in ("original", "synthetic")] for p in both.panels]),
    ):
        expected = [list(line) for frame in frames for line in frame]
        shown = [list(t.y) for t in screen.curves(plot).data if t.mode != "none"]
        drawn = paper._curves(plot, Look()).axes
        printed = [list(line.get_ydata()) for axes in drawn for line in axes.lines if len(line.get_xdata()) > 2]
        assert shown == printed == expected
    band = next(t for t in screen.curves(by_size).data if t.mode == "none")
    table = searched.by_size("UiO")
    assert list(band.y) == [*table["max"], *table["min"][::-1]]
    assert "UiO from 0.00 to 25.06" in by_size.sentence
    assert "A line marks τ = 0.8." in one.sentence


def test_what_each_key_adds_is_the_same_in_print_and_on_screen(searched):
    from disclosure_core.figures import paper

    for target, measure in ((None, "repU"), ("marital", "DiSCO")):
        plot = describe.each_key(searched, 5000, target)
        table = searched.each_key(measure, target)
        whole, without = screen.bars(plot).data
        assert list(whole.x) == table["all"].tolist()
        assert list(without.x) == table["without"].tolist()
        printed = paper._bars(plot, Look()).axes[0].containers
        assert [[bar.get_width() for bar in bars] for bars in printed] == [list(whole.x), list(without.x)]
        assert [bar.label for bar in plot.bars] == [f"without {key}" for key in table["key"]]
        assert plot.bars[0].figure == f"{table['without'][0]:.2f} ({table['all'][0]:.2f})"


def test_the_arrow_plot_at_a_threshold_is_the_table_of_the_core():
    from disclosure_core import tau

    found = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    plot, table = describe.arrows(found, tau=0.8), tau.summary(found, 0.8).iloc[::-1]
    assert (plot.original, plot.synthetic) == ("pd ≥ 0.8", "ps ≥ 0.8")
    assert [r.target for r in plot.rows] == table["target"].tolist()
    assert [r.synthetic for r in plot.rows] == table["synthetic"].tolist()
    assert [r.original for r in plot.rows] == table["original"].tolist()
    assert [(r.low, r.high) for r in plot.rows] == list(zip(table["min"], table["max"], strict=True))
    last, whole = describe.arrows(found, tau=1.0), describe.arrows(found)
    assert [r.synthetic for r in last.rows] == pytest.approx([r.synthetic for r in whole.rows])
