"""How a figure is printed is what was asked for: names, colours, targets, order, size, letters, formats, axes."""

import io
import re
import shutil
import subprocess
from dataclasses import replace

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from PIL import Image

from disclosure_core import DisclosureError, Exclusions, Scenario, start_demonstration
from disclosure_core.figures import paper
from disclosure_core.figures.look import FORMATS, WIDTHS, Look
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.results import catalogue

CHOICE = {
    "labels": {"abroad": "Has lived abroad", "income": "A monthly income"},
    "targets": ("marital", "abroad", "income"),
    "order": "targets",
}


@pytest.fixture(scope="module")
def opened():
    return start_demonstration()


@pytest.fixture(scope="module")
def plot(opened):
    return catalogue.figure(opened, "dorig-disco")


def words(plot, look):
    return [text.get_text() for text in paper.figure(plot, look).axes[0].texts]


@pytest.mark.parametrize(("order", "shown"), [
    ("targets", ["marital", "Has lived abroad", "A monthly income"]),
    ("name", ["A monthly income", "Has lived abroad", "marital"]),
    ("", ["Has lived abroad", "marital", "A monthly income"]),
])  # fmt: skip
def test_targets_are_chosen_ordered_and_called_as_asked(plot, order, shown):
    said = words(plot, Look(**{**CHOICE, "order": order}))
    assert [word for word in said if word in {*shown, "abroad", "income", "bmi"}] == shown


def test_names_are_called_so_wherever_they_stand(opened):
    """In "without age", "age: unknown", "marital = Single", "target marital" and "DiSCO of abroad", too."""
    columns = [*opened.study().columns]
    called = {name: f"{i}-{name[::-1]}" for i, name in enumerate(columns)}
    review = replace(
        opened.review,
        targets=("marital", "abroad"),
        searched=frozenset({"subsets", "strongest"}),
        scenarios=(Scenario("few", Exclusions(denominator_limit=2)),),
    )
    plots = [*catalogue.every(opened.with_review(review), of_targets=True)]
    assert {"each-key-disco", "all-but-one", "strongest-repu", "contributions", "scenarios", "steps", "threshold",
            "denominators", "risk-utility"} <= {name for name, *_ in plots}  # fmt: skip
    for name, target, plot in plots:
        left = [word for text in words(plot, Look(labels=called)) for word in re.split(r"[^\w-]+", text)]
        assert not {*columns} & {*left}, (name, target)
        assert not target or called[target] in left or name == "shared-keys", (name, target)


@pytest.mark.parametrize("width", [60, 85, 174])
def test_no_words_of_the_risk_utility_map_meet(opened, width):
    figure = paper.figure(catalogue.figure(opened, "risk-utility"), Look(width_mm=width))
    texts = [t for t in figure.axes[0].texts if t.get_text()]
    boxes = [text.get_window_extent(figure.canvas.get_renderer()) for text in texts]
    met = [
        (one.get_text(), other.get_text())
        for i, one in enumerate(texts)
        for j, other in enumerate(texts[:i])
        if boxes[i].shrunk(1, 0.7).overlaps(boxes[j].shrunk(1, 0.7))  # an extent holds the room above and below letters
    ]
    assert met == []
    said = " ".join(text.get_text() for text in texts)
    assert all(words in said for words in ("as a correct synthesis", "the original itself", "less disclosed"))


def test_flags_can_be_left_out(plot):
    assert "flag" in words(plot, Look())
    assert not {"flag", "2-way"} & {*words(plot, Look(flags=False))}


@pytest.mark.parametrize("width", [60, 85, 88, 114, 174, 180])
def test_any_width_is_exact(plot, width):
    for format_, unit in (("svg", 72), ("png", 300)):
        data = paper.draw(plot, format_, Look(width_mm=width))
        wide = (
            float(re.search(rb'width="([\d.]+)pt"', data)[1])
            if format_ == "svg"
            else Image.open(io.BytesIO(data)).width
        )
        assert wide == pytest.approx(width / 25.4 * unit, abs=1)


@pytest.mark.parametrize(("width", "name"), [(85, "column"), (180, "page")])
def test_a_width_has_its_name(plot, width, name):
    assert paper.draw(plot, "svg", Look(width_mm=width)) == paper.draw(plot, "svg", Look(name))


def test_a_height_of_ones_own(plot):
    data = paper.draw(plot, "svg", Look(width_mm=114, height_mm=60))
    assert float(re.search(rb'height="([\d.]+)pt"', data)[1]) == pytest.approx(60 / 25.4 * 72, abs=0.1)
    assert paper.file_name("a", "tiff", Look(width_mm=114, height_mm=60)) == "a_114x60mm_300dpi.tiff"
    # What does not fit is counted.
    assert any("more, DiSCO at most" in word for word in words(plot, Look(width_mm=114, height_mm=30)))
    # One row stands, whether it fits or not.
    assert plot.rows[0].target in words(plot.first(1), Look(width_mm=60, height_mm=20, title="A title"))


def test_colours_by_side(plot):
    svg = paper.draw(plot, "svg", Look(colours={"synthetic": "#AA3377"})).decode()
    assert "#aa3377" in svg
    assert "#d55e00" not in svg
    assert "#1f83c9" in svg


def test_letters_are_outlines_or_text(plot):
    assert ">marital<" not in paper.draw(plot, "svg").decode()
    assert ">marital<" in paper.draw(plot, "svg", Look(text="text")).decode()
    assert paper.draw(plot, "pdf", Look(text="outlines")) != paper.draw(plot, "pdf")


def test_another_font_is_measured_and_set(plot):
    look = Look(font="DejaVu Serif")
    fig = paper.figure(plot, look)
    assert {text.get_fontfamily()[0] for text in fig.axes[0].texts} == {"DejaVu Serif"}
    assert paper.draw(plot, "png", look) != paper.draw(plot, "png")
    assert paper.draw(plot, "pdf", look).startswith(b"%PDF")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_figure_is_the_same_file(plot, format_):
    data = paper.draw(plot, format_, Look(**CHOICE))
    assert data == paper.draw(plot, format_, Look(**CHOICE))
    assert data.startswith(
        {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG", "eps": b"%!PS-Adobe-3.0 EPSF", "tiff": b"II"}[format_]
    )


def test_tiff_has_its_dots():
    plot = CurvePlot("t", "x", "%", (0.0, 1.0), (Panel("", (Curve("a", "original", (1.0, 2.0)),)),))
    image = Image.open(io.BytesIO(paper.draw(plot, "tiff", Look("column", dpi=600))))
    assert image.info["dpi"] == (600, 600)
    assert image.width == pytest.approx(85 / 25.4 * 600, abs=1)


@pytest.mark.skipif(not shutil.which("gs"), reason="no Ghostscript is installed (Debian: ghostscript)")
def test_an_eps_is_drawn_by_others(plot, tmp_path):
    (tmp_path / "a.eps").write_bytes(paper.draw(plot, "eps", Look("column")))
    call = [
        "gs",
        "-q",
        "-dBATCH",
        "-dNOPAUSE",
        "-dSAFER",
        "-dEPSCrop",
        "-sDEVICE=pnggray",
        "-r72",
        "-sOutputFile=a.png",
        "a.eps",
    ]
    subprocess.run(call, cwd=tmp_path, check=True, capture_output=True)
    with Image.open(tmp_path / "a.png") as image:
        assert image.width == pytest.approx(85 / 25.4 * 72, abs=2)


def test_a_figure_is_drawn_on_axes_of_somebody_elses(opened, plot):
    fig = Figure(figsize=(10, 4))
    left, right = fig.subplots(1, 2)
    assert opened.plot(ax=left, name="dorig-disco", **CHOICE) is left
    opened.assessment().plot(ax=right)
    assert {"Has lived abroad", "marital"} <= {text.get_text() for text in left.texts}
    assert "abroad" in {text.get_text() for text in right.texts}
    assert left.get_xlim()[1] == pytest.approx(left.get_window_extent().width / fig.dpi * 25.4)
    new = opened.plot(ax="new", width_mm=114)
    assert isinstance(new, Figure)
    assert new.get_figwidth() * 25.4 == pytest.approx(114)
    new.savefig(io.BytesIO(), format="png")
    assert mpl.get_backend()  # nothing is shown and no window is asked for


@pytest.mark.parametrize(("asked", "said"), [
    ({"width_mm": 20}, "Choose a width between 60 and 420 mm."),
    ({"height_mm": 5}, "Choose a height between 20 and 420 mm."),
    ({"colours": {"synthetic": "red"}}, "'red' is no colour; write it as #RRGGBB, such as #1F83C9."),
    ({"colours": {"them": "#000000"}}, "Side 'them' is not of a figure"),
    ({"order": "size"}, "There is no order 'size'; choose name or targets."),
    ({"text": "curves"}, "Letters are outlines or text, not 'curves'."),
    ({"font": "Sauce Sans"}, "No font 'Sauce Sans' is installed here"),
    ({"width_mm": "88"}, "Give width_mm as a number of millimetres, not '88'."),
    ({"height_mm": True}, "Give height_mm as a number of millimetres, not True."),
    ({"dpi": "300"}, "Give dpi as a number, not '300'."),
    ({"flags": "no"}, "Give flags as True or False, not 'no'."),
    ({"title": 5}, "Give title as a text, not 5."),
    ({"labels": ["bmi"]}, "Give labels as a mapping, such as {'bmi': 'Body mass index'}, not ['bmi']."),
    ({"labels": {"bmi": 5}}, "The labels hold 5, which is no text; write '5'."),
    ({"colours": "red"}, "Give colours as a mapping, such as {'synthetic': '#AA3377'}, not 'red'."),
    ({"targets": ["abrod"]}, "Target 'abrod' is not in this figure. Did you mean 'abroad'?"),
])  # fmt: skip
def test_what_cannot_be_is_said(plot, asked, said):
    with pytest.raises(DisclosureError, match=re.escape(said)):
        paper.draw(plot, "svg", Look(**asked))


def test_what_a_screen_cannot_do_is_said(opened):
    with pytest.raises(DisclosureError, match="width_mm is of print: name a file, or ax"):
        opened.plot(width_mm=85)
    with pytest.raises(DisclosureError, match="to a file or to ax, not to both"):
        opened.plot("a.pdf", ax="new")
    for wrong in (5, "old", Figure(), [Figure().add_subplot()]):
        with pytest.raises(
            DisclosureError, match="Give ax as axes of matplotlib, such as plt.gca\\(\\), or 'new'; not"
        ):
            opened.plot(ax=wrong)


@pytest.mark.parametrize("width", [60, 85, 114, 180])
@pytest.mark.parametrize("grey", [False, True])
def test_no_number_crosses_the_zero_of_its_scale(plot, width, grey):
    for lowered in (1.0, 0.5, 0.1):
        rows = [replace(r, each=tuple(v * lowered for v in r.each), synthetic=r.synthetic * lowered) for r in plot.rows]
        fig = paper.figure(replace(plot, rows=tuple(rows)), Look(width_mm=width, grey=grey))
        axes, renderer = fig.axes[0], fig.canvas.get_renderer()
        to_mm = axes.transData.inverted()
        (zero,) = {
            line.get_xdata()[0] for line in axes.lines if line.get_color() == "#8C8C8C" and line.get_linewidth() == 0.6
        }
        numbers = [text for text in axes.texts if re.fullmatch(r"\d+\.\d", text.get_text())]
        assert len(numbers) == 2 * len(rows)
        for text in numbers:
            box = text.get_window_extent(renderer)
            left, right = (to_mm.transform((x, box.y0))[0] for x in (box.x0, box.x1))
            assert right < zero + 0.3 or left > zero - 0.3, (text.get_text(), left, right, zero)


@pytest.mark.parametrize("width", WIDTHS)
def test_lines_are_named_at_their_ends(width):
    curves = (
        Curve("UiO", "original", (1.0, 9.0)),
        Curve("repU", "synthetic", (0.5, 8.9)),
        Curve("UiOiS", "second", (0.2, 8.8)),
    )
    fig = paper.figure(CurvePlot("t", "x", "%", (0.0, 1.0), (Panel("", curves),)), Look(width))
    names = {
        text.get_text(): text.get_position()
        for text in fig.axes[0].texts
        if text.get_text() in ("UiO", "repU", "UiOiS")
    }
    assert len(names) == 3
    ends = max(x for line in fig.axes[0].lines for x in line.get_xdata())
    assert all(x > ends - 3 for x, _ in names.values())
    heights = sorted(y for _, y in names.values())
    assert min(b - a for a, b in zip(heights, heights[1:], strict=False)) > 2  # apart by a line
    assert names["UiO"][1] < names["repU"][1] < names["UiOiS"][1]  # in the order of the ends
