"""Figures that print anywhere: in every size and script no text meets another, and none leaves the sheet.

What is held is geometry: the boxes that the letters fill in the drawn canvas. Descriptions stand in for results, so that
there are as many targets, and as long names, as no survey here has.
"""

# Inside: the contrast of ink on a square, for every colour.

import math
import os
from dataclasses import replace
from itertools import cycle

import pytest

from disclosure_core.figures import paper, plot
from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.look import WIDTHS, Look
from disclosure_core.figures.members_outside import OutsidePlot, OutsideRow
from disclosure_core.figures.risk_utility import MapPlot, MapPoint
from disclosure_core.figures.sets_by_target import SetsPlot, SetsRow
from disclosure_core.figures.shapes import Bar, BarPlot, Curve, CurvePlot, Panel
from disclosure_core.figures.squares import ink_on, luminance, mixed
from disclosure_core.figures.table_usefulness import HeatPlot

SCRIPTS = {
    "Latin": "household_income before taxes and rent ",
    "Greek": "οικογενειακή_κατάσταση νοικοκυριού ",
    "Cyrillic": "семейное_положение домохозяйства ",
    "Devanagari": "वैवाहिक_स्थिति और परिवार की आय ",
    "Chinese": "婚姻状况和家庭年收入及居住地区的类型",
    "Arabic": "الحالة_الاجتماعية ودخل الأسرة السنوي ",
}
NUMBERS, LENGTHS = (3, 10, 26, 60), (3, 25, 60)


def names_of(n, length, script):
    """Return n names of so many letters, each another: they end in a number."""
    text = SCRIPTS[script] * 4
    return [text[: length - len(str(i))] + str(i) for i in range(n)]


def falling(n):
    return [97.0 * 0.93**i for i in range(n)]


def arrows(names):
    rows = [
        ArrowRow(name, v, v * (0.2 + 0.7 * (i % 3) / 2), (v * 0.15, v * 0.95), 9, 6, ("", "1-way", "1- and 2-way")[i % 3],
                 "without ‘No’" * (i % 4 == 1), (v, v * 0.99) if i % 4 == 1 else None)
        for i, (name, v) in enumerate(zip(names, falling(len(names)), strict=True))
    ]  # fmt: skip
    return ArrowPlot("Dorig", "DiSCO", 12_345, 2, tuple(rows), at_most=len(names) == 10)


def outside(names):
    rows = tuple(
        OutsideRow(name, v, v * 0.9, v * 0.1, v * 0.1 - 3, v * 0.1 + 3, "above", i % 2 == 0, (0.5, -1.0, 2.0), i < 2)
        for i, (name, v) in enumerate(zip(names, falling(len(names)), strict=True))
    )
    return OutsidePlot("DiSCO", 12_345, 1_250, rows, 20.0, 3.0, random=True, compared=40.0)


def bars(names):
    made = [Bar(name, 1_000 * v, 1_100 * v) for name, v in zip(names, falling(len(names)), strict=True)]
    return BarPlot("Bars", f"records of 12,345, target {names[0]}", tuple(made), "counted", "nothing excluded")


def growth(names):
    values = falling(len(names))[::-1]
    return GrowthPlot(tuple(names), (("UiO", tuple(values)), ("repU", tuple(v * 0.4 for v in values))), 12_345)


def curves(names, **more):
    at = tuple(float(x) for x in range(1, 9))
    panels = tuple(
        Panel(name, (
            Curve("original", "original", tuple(v / x for x in at)),
            Curve("synthetic", "synthetic", tuple(v / x / 2 for x in at), *((tuple(v / x * k for x in at)) for k in (0.4, 0.6))),
        ))
        for name, v in zip(names, falling(len(names)), strict=True)
    )  # fmt: skip
    return CurvePlot("Lines", "keys known", "% of 12,345 original records", at, panels, "range", **more)


def beyond(names):
    """Lines beyond 100 %, on a logarithmic axis."""
    made = curves(names, log=True)
    panels = tuple(
        Panel(p.title, (*p.curves, Curve("TCAPs", "second", tuple(150.0 + x for x in made.at)))) for p in made.panels
    )
    return CurvePlot(made.title, made.across, made.unit, made.at, panels, "range", steps=True, log=True)


def sets(names):
    points = []
    for i, name in enumerate(names):
        x, y = 1 + (i * 37 % 23) * 0.9, 5.0 + i * 53 % 29
        points.append(
            MapPoint(name, x, y, ((x - 0.3, y - 1), (x + 0.3, y + 1)), (points[0].x, points[0].y) if i % 4 == 3 else None,
                     (y - 2, y + 2) if i % 3 else None, y + 9 if i % 2 else None, i % 5 == 4)
        )  # fmt: skip
    return MapPlot("DiSCO", "% of 12,345 original records", 2, tuple(points), "Dorig")


def squares(names):
    n = len(names)
    values = tuple(tuple(math.nan if i + j == 3 else i * j * 7 % 131 / 10 for j in range(n)) for i in range(n))
    return HeatPlot("cart", tuple(names), values, 2)


def dots(names):
    rows = tuple(
        SetsRow(
            name,
            (v * 0.6, v * 0.5, v * 0.9),
            (True, i % 2 == 0, True),
            v,
            (v * 0.1, -1.0, v * 0.2),
            (True, True, False),
        )
        for i, (name, v) in enumerate(zip(names, falling(len(names)), strict=True))
    )
    return SetsPlot(("synthetic data", names[0], "GAN, 300 epochs"), 12_345, rows)


FIGURES = {
    "arrows": arrows, "outside": outside, "bars": bars, "growth": growth, "curves": curves, "beyond": beyond,
    "sets": sets, "squares": squares, "dots": dots,
}  # fmt: skip


HELD = ("arrows", "curves", "beyond", "squares")
"""The forms whose cases are held with every script: at one size each, which takes turns; with `FIGURES=all` at every size."""

SAMPLED = (
    ("growth", "Arabic", "column", 26, 60), ("growth", "Devanagari", "slide", 10, 60), ("growth", "Latin", "page", 60, 25),
    ("bars", "Devanagari", "column", 60, 60), ("bars", "Arabic", "page", 10, 60), ("bars", "Latin", "slide", 26, 25),
    ("outside", "Arabic", "column", 26, 60), ("outside", "Chinese", "page", 10, 60), ("outside", "Latin", "slide", 26, 25),
    ("dots", "Arabic", "column", 26, 60), ("dots", "Chinese", "page", 10, 60), ("dots", "Latin", "slide", 26, 25),
    ("sets", "Arabic", "column", 26, 60), ("sets", "Devanagari", "page", 10, 60), ("sets", "Latin", "slide", 26, 25),
)  # fmt: skip
"""Of the other forms, what is hardest: all their cases take minutes, and were seen to hold."""


def cases():
    """Give the cases: of forms held whole, numbers and lengths take turns, so that all of them meet."""
    for figure, script, size, n, length in SAMPLED:
        yield pytest.param(figure, script, size, n, length, id=f"{figure}-{script}-{size}-{n}x{length}")
    turns = cycle([(n, length) for length in LENGTHS for n in NUMBERS])
    for figure in HELD:
        for i, script in enumerate(SCRIPTS):
            for j, size in enumerate(WIDTHS):
                n, length = next(turns)
                if os.environ.get("FIGURES") != "all" and (HELD.index(figure) + i + j) % len(WIDTHS):
                    continue
                yield pytest.param(figure, script, size, n, length, id=f"{figure}-{script}-{size}-{n}x{length}")
        next(turns)  # 18 cases a form, 12 pairs: the next form begins with another


TITLE = "A title with more words than one column of a journal has room for, so that it takes several lines"


def faults(sheet, over=0.2):
    """Return the texts that meet by more than a part of their height or leave the sheet, by the boxes of their letters."""
    sheet.figure.set_dpi(300)  # with fewer dots, letters are moved to whole ones
    sheet.figure.draw_without_rendering()  # boxes are those of a drawn canvas, in a quarter of the time
    boxes = [(t.get_text(), t.get_window_extent()) for t in sheet.axes.texts if t.get_text().strip()]
    width, height = (side * 300 for side in sheet.figure.get_size_inches())
    away = [
        f"{text!r} leaves the sheet"
        for text, box in boxes
        if box.x0 < -0.5 or box.y0 < -0.5 or box.x1 > width + 0.5 or box.y1 > height + 0.5
    ]
    meeting = [
        f"{a!r} meets {b!r}"
        for i, (a, one) in enumerate(boxes)
        for b, other in boxes[i + 1 :]
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 0.7
        and min(one.y1, other.y1) - max(one.y0, other.y0) > over * min(one.height, other.height)
    ]
    return away + meeting


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "script", "size", "n", "length"), list(cases()))
def test_no_text_meets_another_or_leaves_the_sheet(figure, script, size, n, length):
    plot = FIGURES[figure](names_of(n, length, script))
    look = Look(size, grey=n == 10, title=TITLE * (n == 26))
    parts = paper.pages(plot, look)
    fitted = paper._fitted(plot, look)
    for part in [*{0: parts[0], len(parts) - 1: parts[-1]}.values(), *([] if fitted == parts[0] else [fitted])]:
        sheet = paper._drawn(part, look)
        assert sheet.fits
        assert faults(sheet, over=0.15) == []
        assert all(text.get_fontsize() >= 6 or size == "slide" for text in sheet.axes.texts)
    assert sum(part.n_parts for part in parts) == n  # no row, frame or name is lost


@pytest.mark.parametrize("width", [60, 85, 131, 145, 180, 420])
def test_words_about_a_figure_take_as_many_lines_as_they_need(width):
    """The key of bars, what an axis counts, the unit left of the words beneath the intervals, and its sign at the end."""
    names = names_of(3, 25, "Latin")
    made = replace(bars(names), what="one key, all others as at the worst combination", value="with the key so known",
                   whole="the worst combination")  # fmt: skip
    across = "at most so many records with the same keys"
    lines = replace(curves(names[:1], log=True), across=across)
    several = replace(curves(names, log=True), across=across)
    few = BarPlot("Bars", "% of 5", (Bar("a", 0.31, digits=2), Bar("b", 0.1, 0.0, digits=2)), "counted", "whole")
    for each in (made, few, lines, several, replace(outside(names), n_members=1_234_567, n_outside=345_678)):
        assert faults(paper._drawn(each, Look(width_mm=width))) == []


def test_of_two_equal_figures_the_same_one_stands_left_as_where_they_differ():
    lines = (("UiO", (0.0, 0.1, 8.1)), ("repU", (0.0, 0.0, 2.8)))
    look = Look(width_mm=60)
    words = paper._drawn(GrowthPlot(("sex", "age", "region"), lines, 5_000), look).axes.texts
    values = [word for word in words if "." in word.get_text()]
    assert len(values) == 6
    for pair in (values[:2], values[2:4], values[4:]):
        left, right = sorted(pair, key=lambda word: word.get_position()[0])
        assert (left.get_color(), right.get_color()) == (look.mark("synthetic").word, look.mark("original").word)


def test_the_forms_are_all_that_the_catalogue_draws():
    """A new form of figure comes here, too."""
    drawn = {type(make(names_of(3, 3, "Latin"))) for make in FIGURES.values()}
    assert drawn == set(plot.Plot.__args__)


@pytest.mark.parametrize("grey", [False, True])
def test_a_figure_in_a_square_is_black_or_white_and_readable_on_it(grey):
    look = Look(grey=grey)
    inks = set()
    for k in range(101):
        fill = mixed(look, k / 100)
        inks.add(ink := ink_on(fill))
        light, dark = sorted((luminance(fill), luminance(ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, fill
    assert inks == {"#000000", "#FFFFFF"}


def test_each_square_has_its_figure_up_to_15_columns_and_the_key_says_what_is_darkest():
    for n, size in ((3, "page"), (15, "column"), (15, "page"), (15, "slide"), (16, "page")):
        plot = squares(names_of(n, 25, "Latin"))
        words = [t.get_text() for t in paper._drawn(plot, Look(size)).axes.texts]
        assert "10 and more" in words
        assert "no answer" in words
        written = [plot.written(i, j) for i, j in plot.squares]
        assert any(written) == (n <= 15)
        for text in {text for text in written if text}:
            assert words.count(text) >= written.count(text)


def test_a_set_is_named_at_its_mark_or_beside_the_frame_and_every_name_stands_once():
    few = names_of(2, 12, "Latin")
    for names in (few, names_of(40, 12, "Latin")):
        plot = sets(names)
        sheet = paper._drawn(plot, Look())
        labels = {f"{p.label} {p.figure}" for p in plot.points}
        placed = {t.get_text(): t.get_position()[0] for t in sheet.axes.texts if t.get_text() in labels}
        assert len(placed) == len(names)
        beside = len(set(placed.values())) == 1
        assert beside == (len(names) == 40)
    part = paper._drawn(sets(names).part(2, 4), Look())
    words = [t.get_text() for t in part.axes.texts]
    assert [w.rpartition(" ")[0] for w in words if w.rpartition(" ")[0] in names] == names[2:4]
    assert "Grey: 38 more, without their names" in words


def test_an_axis_says_what_it_is():
    """Beyond 100 %, with bounds, and where it is logarithmic; nothing of it where it is not so."""
    names = names_of(2, 3, "Latin")

    def words(plot):
        return " ".join(t.get_text() for t in paper._drawn(plot, Look()).axes.texts)

    assert "above 100 %: more people are counted than the records that 100 % stands for" in words(beyond(names))
    assert "keys known (logarithmic scale)" in words(beyond(names))
    assert "above 100 %" not in words(curves(names))
    assert "logarithmic" not in words(curves(names))
    bounds = "marks are at most: at or above the true figure"
    assert bounds in words(curves(names, at_most=True))
    assert bounds in words(arrows(names_of(10, 3, "Latin")))
    assert bounds not in words(arrows(names))
