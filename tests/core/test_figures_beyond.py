"""Bars, quadrants and lines: screen and print show the same numbers, whole, whatever the names are."""

# Inside: how an axis writes a number.

import io
import re
from itertools import pairwise

import pypdf
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    Limit,
    Review,
    Settings,
    assess,
    attribute_baseline,
    demo,
    demonstration_holdout,
    partition,
    start_demonstration,
)
from disclosure_core.figures import (
    denominators,
    dorig_disco,
    members_outside,
    paper,
    safeguards,
    screen,
    steps,
)
from disclosure_core.figures.look import WIDTHS, Look
from disclosure_core.figures.paper import draw
from disclosure_core.figures.shapes import Bar, BarPlot, Curve, CurvePlot, Panel
from disclosure_core.figures.sheet import Scale, Sheet, number
from disclosure_core.results import Anonymity
from disclosure_core.review.scenarios import assessed, paper_scenarios
from tests.core.test_paper import MARKUP
from tests.written import fixed

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=Exclusions(target_levels={"abroad": ["No"]}))


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), SETTINGS)


@pytest.mark.slow
def test_a_row_tells_the_records_that_each_mark_stands_for(found):
    plot = dorig_disco.describe(found)
    shown = screen.draw(plot)
    hover = " ".join(str(t) for trace in shown.data for t in (trace.hovertext or trace.text or trace.customdata or ()))
    for row in plot.rows:
        for measure, n in (("Dorig", row.n_original), ("DiSCO", row.n_synthetic)):
            counted = [frame.loc[measure, "remaining"] for frame in found.targets[row.target].exclusions]
            assert n == pytest.approx(sum(counted) / 5)
            assert f"({fixed(n, 0)} records)" in hover, row.target


def letters(text):
    return re.sub(r"\s", "", text)


BARS = BarPlot(
    "What", "records", tuple(Bar(name, i + 0.5, 2.0 * i + 1, about=("c", name)) for i, name in enumerate(MARKUP)),
    "counted", "whole", limit=(2.5, "limit of 4"),
)  # fmt: skip
OUTSIDE = members_outside.OutsidePlot(
    "DiSCO", 5000, 1250,
    tuple(members_outside.OutsideRow(n, 5.0 * i, 4.0 * i + 2, i - 2.0, i - 3.0, i - 1.5, ["above", "within", "not evaluated"][i % 3], i % 2 == 0) for i, n in enumerate(MARKUP)),
    20, 3,
)  # fmt: skip
CURVES = (Curve("a_b", "synthetic", (1, 5, -3), (0, 4, -4), (2, 6, 4)), Curve("<b>", "original", (2, 1, 0)))
LINES = CurvePlot("What", "keys known", "$x$ %", (1, 2, 30), (Panel("", CURVES),), "band", log=True)


@pytest.mark.slow
@pytest.mark.parametrize("plot", [BARS, OUTSIDE, LINES], ids=["bars", "outside", "lines"])
@pytest.mark.parametrize(("size", "grey"), [("column", False), ("page", True), ("slide", False)])
def test_print_is_whole_vector_and_as_wide_as_it_says(plot, size, grey):
    data = draw(plot, "pdf", Look(size=size, grey=grey, title="A title with $x$"))
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert float(page.mediabox.width) * 25.4 / 72 == pytest.approx(WIDTHS[size], abs=0.01)
    assert not page.images
    text = letters(page.extract_text())
    names = {BARS: [b.label for b in BARS.bars], OUTSIDE: [r.target for r in OUTSIDE.rows], LINES: ["a_b", "<b>"]}
    for name in names[plot]:
        assert letters(name) in text
    if plot is BARS:
        for bar in plot.bars:
            assert letters(bar.figure) in text


@pytest.mark.parametrize(
    "draw", [screen.charts.bars, screen.dumbbells.outside, screen.charts.curves], ids=["bars", "outside", "lines"]
)
def test_a_figure_for_a_projector_shows_the_same_and_larger(draw):
    plot = {screen.charts.bars: BARS, screen.dumbbells.outside: OUTSIDE, screen.charts.curves: LINES}[draw]
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
    plot = steps.describe(found.targets["abroad"])
    drawn = screen.charts.bars(plot)
    by = {trace.name: list(trace.x) for trace in drawn.data}
    assert by["still counted"] == [bar.value for bar in plot.bars]
    assert by["nothing excluded"] == [bar.whole for bar in plot.bars]
    tables = found.targets["abroad"].exclusions
    assert plot.bars[3].value == sum(t.loc["DiSCO", "remaining"] for t in tables) / len(tables)
    assert plot.bars[3].whole == sum(t.loc["DiSCO"].sum() for t in tables) / len(tables)
    assert plot.bars[0].whole == 5000
    assert [Bar("a", v, w).figure for v, w in ((7.0, None), (99.5, 100.4))] == ["7", "99.5 (100)"]


@pytest.mark.parametrize(("limit", "at"), [(1, 1), (2, 2), (3, 2 + 1 / 3), (5, 3), (10, 4), (11, 4.95), (99, 4.95)])
def test_a_limit_stands_between_what_it_counts_and_what_it_cuts_off(found, limit, at):
    plot = denominators.describe(found.targets["marital"], "original", limit)
    assert plot.limit == (pytest.approx(at), f"limit of {limit}")
    assert denominators.describe(found.targets["marital"], "synthetic", limit).limit is None


@pytest.mark.slow
def test_the_other_figures_are_what_was_computed(found):
    base = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    five = assessed(demo.study(), base, paper_scenarios(base))
    opened = Review.of(demo.KEYS, groups=demo.GROUPS).open(demo.original(), demo.syntheses())
    bars = opened.result("scenarios", paper=True, target="marital").figure().bars
    assert [bar.value for bar in bars] == [a.targets["marital"].figures("DiSCO").mean() for _, a in five]
    classes = Anonymity.of(opened).figure()
    original, synthetic = (curve.values for curve in classes.panels[0].curves)
    assert original[0] == pytest.approx(base.identity["UiO"].iloc[0])
    assert synthetic[0] == pytest.approx(base.identity["UiS"].mean())
    assert (original[-1], synthetic[-1]) == (pytest.approx(100), pytest.approx(100))
    drawn = screen.charts.curves(classes)
    assert [list(t.y) for t in drawn.data if t.mode != "none"] == [list(original), list(synthetic)]
    assert drawn.layout.xaxis.type == "log"
    steps = {at: CurvePlot("", "", "", at, LINES.panels, steps=True) for at in ((1, 2, 3), (5, 10, 30))}
    assert [plot.ticks for plot in steps.values()] == [(1, 2, 3), ()]  # uneven steps would stand on each other
    assert [screen.charts.curves(plot).layout.xaxis.tickvals for plot in steps.values()] == [(1, 2, 3), None]
    assert screen.charts.curves(LINES).layout.yaxis.range[0] < -4  # what is worse than a guess is not cut off
    drawn = {trace.name: trace for trace in screen.dumbbells.outside(OUTSIDE).data if trace.name}
    assert list(drawn["members"].x) == [r.members for r in OUTSIDE.rows]
    assert list(drawn["people outside"].x) == [r.outside for r in OUTSIDE.rows]
    differences = [*drawn["difference"].x, *drawn["difference, not shown"].x]
    assert sorted(differences) == [r.difference for r in OUTSIDE.rows]
    shown = [r for r in OUTSIDE.rows if r.shown]
    assert list(drawn["difference"].x) == [r.difference for r in shown]
    ends = zip(drawn["difference"].error_x.array, drawn["difference"].error_x.arrayminus, strict=True)
    assert list(ends) == [(r.high - r.difference, r.difference - r.low) for r in shown]


def test_members_and_people_outside_are_those_of_the_baseline_on_screen_and_in_print():
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)
    compared = attribute_baseline(joined, SETTINGS)
    rows = compared.summary("DCAP").iloc[::-1]
    plot = members_outside.describe(compared, "DCAP", Limit())
    assert [r.members for r in plot.rows] == rows["members"].tolist()
    assert [r.outside for r in plot.rows] == rows["non_members"].tolist()
    assert [(r.low, r.high) for r in plot.rows] == list(zip(rows["low"], rows["high"], strict=True))
    words = [t.get_text() for t in paper._drawn(plot, Look()).axes.texts]
    for row in plot.rows:
        assert f"{number(row.low)} to {number(row.high)}" in words
        assert number(row.members) in words


def test_own_answers_come_first_and_are_filled_after_holm_on_screen_as_in_print():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    compared = opened.attribute_baseline()
    plot = members_outside.describe(compared, "DiSCO", Limit())
    same = compared.same_keys.set_index("target")
    own = same[same["leaked"]].sort_values("points", ascending=False)
    assert [row.target for row in plot.rows[: plot.own_first]] == own.index.tolist()
    rest = [row.members for row in plot.rows[plot.own_first :]]
    assert rest == sorted(rest, reverse=True)
    assert plot.compared == pytest.approx(40.24)
    traces = {trace.name: trace for trace in screen.dumbbells.outside(plot).data if trace.name}
    assert list(traces["own answers"].x) == own["points"].tolist()
    assert len(traces["own answers, not shown"].x) == len(same) - len(own)
    assert traces["own answers, not shown"].marker.symbol == "diamond-open"
    effect = compared.effect[compared.effect["measure"] == "DiSCO"].set_index("target")["shown"]
    assert [row.shown for row in plot.rows] == [effect[row.target] for row in plot.rows]
    assert len(traces["difference"].x) == effect.sum()
    on_screen = {
        note.text.replace("<b>", "").replace("</b>", "") for note in screen.dumbbells.outside(plot).layout.annotations
    }
    in_print = {text.get_text() for text in paper._drawn(plot, Look()).axes.texts}
    assert {row.conclusion for row in plot.rows} <= on_screen & in_print
    for row in plot.rows:
        assert row.conclusion in plot.sentence
    by_other = members_outside.describe(compared.not_by_lot(), "DiSCO", Limit())
    assert not by_other.random
    assert by_other.compared is None
    assert "taking part" not in by_other.caption + by_other.sentence


def test_an_upright_title_fits_a_low_figure_and_is_text():
    unit = "TCAPb, % of the synthetic records with known keys, target <b>x</b>"
    plot = CurvePlot("t", "across", unit, (1, 2, 3), (Panel("", CURVES),))
    lines = screen.charts.curves(plot, height=230).layout.yaxis.title.text.split("<br>")
    assert max(map(len, lines)) <= 34  # of which 8 are the letters that write < and > as text
    assert " ".join(lines) == unit.replace("<", "&lt;").replace(">", "&gt;")
    assert screen.charts.curves(plot, height=600).layout.yaxis.title.text.count("<br>") == 0


@pytest.mark.parametrize("per", [0.3, 0.04, 0.03, 0.02, 0.004])
def test_numbered_lines_are_as_far_apart_from_each_other(per):
    sheet = Sheet(400, 30)
    Scale(20, per, 0, 1_200, 200).draw(sheet, 5, 20, 6.2)
    words = sheet.axes.texts[:-1]  # but the unit
    numbers = [int(word.get_text().replace(",", "")) for word in words]
    assert numbers[0] == 0
    assert len({b - a for a, b in pairwise(numbers)}) <= 1
    edges = [(box.x0, box.x1) for box in (word.get_window_extent() for word in words)]
    dots = sheet.figure.dpi / 72 * 6.2  # the size of the type
    assert all(b0 - a1 > 0.4 * dots for (_, a1), (b0, _) in pairwise(edges))


@pytest.mark.parametrize(
    ("outside", "same", "behind"),
    [
        (None, None, ""),
        (3.0, None, ", people outside 3.00"),
        (3.0, (1.0, 0.5, 1.5), ", people outside 3.00, own answers shown (+1.00 points)"),
    ],
)
def test_a_target_after_safeguards_is_said_beside_people_outside(outside, same, behind):
    row = safeguards.EffectRow("t", 9.0, 5.0, 4.0, 6.0, 2.0, outside, same=same, own=True)
    assert safeguards._in_words(row) == f"t: from 9.00 to 5.00 (−4.00), Dorig 2.00{behind}"
