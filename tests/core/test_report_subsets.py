"""What a report says of the subsets of the keys: the worst ones named, and nothing small in a shareable version."""

import io
import re

import numpy as np
import pypdf
import pytest

from disclosure_core import Settings, assess, demo, search_subsets, start_demonstration
from disclosure_core.counting.subsets import Search
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.report import to_pdf, with_subsets
from tests.reports import blocks, report_of, to_html

KEYS = ("sex", "age", "region", "settlement", "education", "marital")
SETTINGS = Settings(keys=KEYS, targets=("abroad", "income"), groups=demo.GROUPS)


@pytest.fixture(scope="module")
def study():
    return demo.study()


@pytest.fixture(scope="module")
def found(study):
    return assess(study, SETTINGS)


@pytest.fixture(scope="module")
def searched(study):
    return search_subsets(study, SETTINGS)


def section(given):
    (one,) = given.sections
    return {kind: [b for b in (*one.blocks, *one.more) if b.kind == kind] for kind in ("text", "table", "figure")}


def test_the_worst_subsets_are_named_with_the_figures_of_the_core(study, found, searched):
    given = with_subsets(report_of(start_demonstration(), SETTINGS), searched)
    worst = section(given)["table"][0]
    assert worst.columns == ("Measure", "Worst subset", "There", "All keys")
    assert [row[0] for row in worst.rows] == ["repU, the keys alone", "DiSCO of abroad", "DiSCO of income"]
    for row, measure, target in zip(worst.rows, ("repU", "DiSCO", "DiSCO"), (None, "abroad", "income"), strict=True):
        expected = searched.worst(measure, target)
        assert len(expected.keys) < len(KEYS)
        assert row[1:] == (", ".join(expected.keys), f"{expected.figure:.2f}", f"{expected.all_keys:.2f}")
    each = section(given)["table"][1]
    order = searched.each_key("DiSCO", "abroad")
    assert [row[0] for row in each.rows] == order["key"].tolist()
    assert [row[3:] for row in each.rows] == [
        (f"{r['alone']:.2f}", f"{r['without']:.2f}") for r in order.to_dict("records")
    ]
    assert "63 of 63 subsets searched." in section(given)["text"][0].text


@pytest.mark.slow
def test_what_was_searched_is_no_longer_missing(study, found, searched):
    before = report_of(start_demonstration(), SETTINGS)
    html, then = to_html(before), to_html(with_subsets(before, searched))
    assert "Subsets of the keys: not evaluated" in html
    assert "Subsets of the keys: not evaluated" not in then
    assert "Membership: not evaluated" in then
    assert re.search(r"<h2 id=\"s\d+\">\d+ Subsets of the keys</h2>", then)
    (checklist,) = [b for b in blocks(with_subsets(before, searched)) if b.columns == ("Item", "What", "Where")]
    assert checklist.rows[6][2] == "Subsets of the keys"
    pages = pypdf.PdfReader(io.BytesIO(to_pdf(with_subsets(before, searched)))).pages
    assert "settlement" in "".join(page.extract_text() for page in pages)


def test_a_search_of_a_part_says_so(study, found):
    part = search_subsets(study, SETTINGS, Search(exhaustive=2, budget=20))
    assert not part.coverage.whole
    said = section(with_subsets(report_of(start_demonstration(), SETTINGS), part))["text"][0].text
    assert "A subset that was not searched may be worse." in said


@pytest.mark.parametrize("smallest", [10, 50])
def test_a_shareable_report_shows_rounded_counts_only(study, found, searched, smallest):
    given = report_of(start_demonstration(), SETTINGS, shareable=True, smallest=smallest)
    made = section(with_subsets(given, searched))
    n = found.n_original
    step = 100 * smallest / n
    cells = [cell for table in made["table"] for row in table.rows for cell in row]
    numbers = [cell for cell in cells if re.fullmatch(r"(≤ )?[\d.]+", cell)]
    numbers += re.findall(r"(?:repU is|DiSCO) ((?:≤ )?[\d.]*\d)", made["table"][1].text)
    assert len(numbers) == 2 * 3 + 4 * len(KEYS) + 2
    for cell in numbers:
        value = float(cell.removeprefix("≤ "))
        assert abs(value / step - round(value / step)) * step < 0.006, cell
        assert cell.startswith("≤") == (value < 1.5 * step)
    lines, bars = (block.plot for block in made["figure"])
    assert isinstance(lines, CurvePlot)
    assert isinstance(bars, BarPlot)
    values = [v for c in lines.panels[0].curves for v in (*c.values, *c.low, *c.high)]
    values += [v for bar in bars.bars for v in (bar.value, bar.whole)]
    records = np.array(values) * n / 100 / smallest
    assert np.allclose(records, np.round(records))


def test_which_subset_is_worst_tells_nothing_that_rounding_hides(study, found, searched):
    """With steps of two fifths of the data there are two figures, up to them and above: no order of subsets may show through."""
    given = report_of(start_demonstration(), SETTINGS, shareable=True, smallest=2000)
    rows = section(with_subsets(given, searched))["table"][0].rows
    for row, (measure, target) in zip(rows, (("repU", None), ("DiSCO", "abroad"), ("DiSCO", "income")), strict=True):
        frame = searched.of(target)
        above = frame[frame[measure] > 40]
        fewest = above[above["n_keys"] == above["n_keys"].min()]
        assert row[1] == (", ".join(min(fewest["keys"], key=sorted)) if len(above) else "few")
    assert {row[1] for row in rows} > {"few"}
