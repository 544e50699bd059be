"""Bars, quadrants and lines: screen and print show the same numbers, whole, whatever the names are."""

import io
import re

import pypdf
import pytest

from disclosure_core import Exclusions, Settings, assess, demo
from disclosure_core.anonymity import profile
from disclosure_core.figures import describe, screen
from disclosure_core.figures.describe import Bar, BarPlot, Curve, CurvePlot, Panel, Point, QuadrantPlot
from disclosure_core.figures.paper import WIDTHS, Look, draw
from disclosure_core.scenarios import assessed, of_the_paper
from tests.core.test_paper import MARKUP

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(target_levels={"abroad": ["No"]}))


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), SETTINGS)


def letters(text):
    return re.sub(r"\s", "", text)


BARS = BarPlot(
    "What", "records", tuple(Bar(name, i + 0.5, 2.0 * i + 1, about=("c", name)) for i, name in enumerate(MARKUP)),
    "counted", "whole", limit=(2.5, "limit of 4"),
)  # fmt: skip
QUADRANTS = QuadrantPlot(
    "DiSCO",
    tuple(Point(n, 5.0 * i, i - 2.0, i - 3.0, i - 1.5, ["high", "acceptable", "not evaluated"][i % 3]) for i, n in enumerate(MARKUP)),
    20, 3,
)  # fmt: skip
CURVES = (Curve("a_b", "synthetic", (1, 5, -3), (0, 4, -4), (2, 6, 4)), Curve("<b>", "original", (2, 1, 0)))
LINES = CurvePlot("What", "keys known", "$x$ %", (1, 2, 30), (Panel("", CURVES),), "band", log=True)


@pytest.mark.parametrize("plot", [BARS, QUADRANTS, LINES], ids=["bars", "quadrants", "lines"])
@pytest.mark.parametrize(("size", "grey"), [("column", False), ("page", True), ("slide", False)])
def test_print_is_whole_vector_and_as_wide_as_it_says(plot, size, grey):
    data = draw(plot, "pdf", Look(size=size, grey=grey, title="A title with $x$"))
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert float(page.mediabox.width) * 25.4 / 72 == pytest.approx(WIDTHS[size], abs=0.01)
    assert not page.images
    text = letters(page.extract_text())
    names = {BARS: [b.label for b in BARS.bars], QUADRANTS: [p.label for p in QUADRANTS.points], LINES: ["a_b", "<b>"]}
    for name in names[plot]:
        assert letters(name) in text
    if plot is BARS:
        for bar in plot.bars:
            assert letters(bar.figure) in text


@pytest.mark.parametrize("draw", [screen.bars, screen.quadrants, screen.curves], ids=["bars", "quadrants", "lines"])
def test_a_figure_for_a_projector_shows_the_same_and_larger(draw):
    plot = {screen.bars: BARS, screen.quadrants: QUADRANTS, screen.curves: LINES}[draw]
    usual, larger = draw(plot), screen.enlarged(draw(plot), 2)
    assert larger.layout.height == 2 * usual.layout.height
    assert larger.layout.font.size == 24
    for one, other in zip(usual.data, larger.data, strict=True):
        assert (one.x, one.y, one.name, one.hovertext) == (other.x, other.y, other.name, other.hovertext)
        assert one.type != "bar" or other.width == one.width  # a share of the row
        if one.type == "scatter" and one.marker.size:
            assert other.marker.size == 2 * one.marker.size
        if one.marker.line.width:
            assert other.marker.line.width == 2 * one.marker.line.width
    assert {note.font.size for note in larger.layout.annotations} <= {24}


def test_bars_on_screen_are_the_description(found):
    plot = describe.steps(found.targets["abroad"])
    drawn = screen.bars(plot)
    by = {trace.name: list(trace.x) for trace in drawn.data}
    assert by["still counted"] == [bar.value for bar in plot.bars]
    assert by["nothing left out"] == [bar.whole for bar in plot.bars]
    tables = found.targets["abroad"].exclusions
    assert plot.bars[3].value == sum(t.loc["DiSCO", "remaining"] for t in tables) / len(tables)
    assert plot.bars[3].whole == sum(t.loc["DiSCO"].sum() for t in tables) / len(tables)
    assert plot.bars[0].whole == 5000


@pytest.mark.parametrize(("limit", "at"), [(1, 1), (2, 2), (3, 2 + 1 / 3), (5, 3), (10, 4), (11, 4.95), (99, 4.95)])
def test_a_limit_stands_between_what_it_counts_and_what_it_cuts_off(found, limit, at):
    plot = describe.sizes(found.targets["marital"], "original", limit)
    assert plot.limit == (pytest.approx(at), f"limit of {limit}")
    assert describe.sizes(found.targets["marital"], "synthetic", limit).limit is None


def test_names_beside_marks_lie_on_no_other_name():
    crowd = tuple(Point(f"target {i}", 10.0, 1.0, 0.5, 1.5, "high") for i in range(4))
    sides = screen._beside(QuadrantPlot("DiSCO", (*crowd, Point("far", 20, 0, 0, 2, "high")), 20, 3))
    assert len({sides[p] for p in crowd}) == 4  # four names about one place: each on a side of its own
    far = tuple(Point(f"target {i}", 30.0 * i, 5.0 * i, 5.0 * i, 5.0 * i, "high") for i in range(3))
    assert list(screen._beside(QuadrantPlot("DiSCO", far, 20, 3)).values())[:2] == ["top right", "top right"]


def test_the_other_figures_are_what_was_computed(found):
    base = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    five = assessed(demo.study(), base, of_the_paper(base))
    bars = describe.scenarios(five, "marital").bars
    assert [bar.value for bar in bars] == [a.targets["marital"].figures("DiSCO").mean() for _, a in five]
    classes = describe.classes(profile(demo.study(), SETTINGS))
    original, synthetic = (curve.values for curve in classes.panels[0].curves)
    assert original[0] == pytest.approx(base.identity["UiO"].iloc[0])
    assert synthetic[0] == pytest.approx(base.identity["UiS"].mean())
    assert (original[-1], synthetic[-1]) == (pytest.approx(100), pytest.approx(100))
    drawn = screen.curves(classes)
    assert [list(t.y) for t in drawn.data if t.mode != "none"] == [list(original), list(synthetic)]
    assert drawn.layout.xaxis.type == "log"
    steps = {at: CurvePlot("", "", "", at, LINES.panels, steps=True) for at in ((1, 2, 3), (5, 10, 30))}
    assert [plot.ticks for plot in steps.values()] == [(1, 2, 3), ()]  # uneven steps would stand on each other
    assert [screen.curves(plot).layout.xaxis.tickvals for plot in steps.values()] == [(1, 2, 3), None]
    assert screen.curves(LINES).layout.yaxis.range[0] < -4  # what is worse than a guess is not cut off
    quadrants = screen.quadrants(QUADRANTS)
    shown = {text: (x, y) for t in quadrants.data for text, x, y in zip(t.text, t.x, t.y, strict=True)}
    assert sorted(shown.values()) == sorted((p.x, p.y) for p in QUADRANTS.points)
