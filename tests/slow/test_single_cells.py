"""One cell of one file is something odd: each figure is then that of a plain reading, or a note names column and file.

Plain is: a cell is its text, an empty one is missing, and what is written as a number is that number. Files go the way of
an upload, and the plain counter counts the texts of a plain reading.
"""

import random
import re
from dataclasses import replace
from decimal import Decimal

import pytest

from disclosure_core import NotEvaluated, Settings, read_holdout, start
from disclosure_core.holdout.differences import MEAN
from tests.reference import plainly
from tests.reports import evaluated
from tests.slow.test_conclusions_attacked import text_of

COLUMNS = ("sex", "age", "pay", "job", "day")
ODD = (
    "unknown", "", " ", "NA", "-8", "1e9", "0", "00", "20.0", "2O", "1,5", "٣", "−5", "f ", "F", "Ä", "A\u0308", "ﬁ", "=1+1", "nan",
    "2024-01-02", "03/04/2024", "true", "9" * 25, "x" * 300, "a\nb", 'a"b', "\u200bf", "None", "#N/A", "1.50", "+7", "inf",
)  # fmt: skip
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def person(rng):
    return (
        rng.choice("fm"), str(rng.randrange(20, 32)), f"{rng.randrange(6) / 2:g}", rng.choice(("cook", "nurse", "smith")),
        f"2024-01-{rng.randrange(1, 9):02}",
    )  # fmt: skip


def plain(cell):
    """A cell as a plain reader has it: None, the canonical text of a number, or its text."""
    if not cell:
        return None
    return str(Decimal(cell).normalize()) if NUMBER.fullmatch(cell) and len(cell) < 30 else cell


def records(rows):
    return [dict(zip(COLUMNS, map(plain, row), strict=True)) for row in rows]


@pytest.mark.parametrize("block", range(0, 240, 20))
def test_an_odd_cell_moves_a_figure_as_a_plain_reading_does_or_is_named(block):
    explained = sum(odd_cell(number) for number in range(block, block + 20))
    assert explained < 20  # else nothing was compared


def drawn(number):
    """Return the keys, clean tables (original, holdout, syntheses), the same with one odd cell, and where it is."""
    rng = random.Random(number)
    original = [person(rng) for _ in range(90)]
    clean = [original, [person(rng) for _ in range(70)]]
    clean += [
        [rng.choice(original) if rng.random() < 0.5 else person(rng) for _ in range(90)]
        for _ in range(rng.choice((1, 1, 2)))
    ]
    which, row, column = rng.randrange(len(clean)), rng.randrange(70), rng.randrange(5)
    changed = list(clean[which][row])
    changed[column] = rng.choice(ODD)
    odd = list(clean)
    odd[which] = [*clean[which][:row], tuple(changed), *clean[which][row + 1 :]]
    file = ("original", "holdout", "synthe", "synthe")[which]
    return tuple(rng.sample(COLUMNS, 2)), clean, odd, (COLUMNS[column], file, changed[column])


def opened_of(tables, settings):
    synthetic = [(f"s{i}.csv", text_of(rows, COLUMNS)) for i, rows in enumerate(tables[2:])]
    opened = start(("o.csv", text_of(tables[0], COLUMNS)), {"synthetic data": synthetic})
    opened = opened.with_holdout(*read_holdout("h.csv", text_of(tables[1], COLUMNS)))
    review = opened.review.with_settings(settings)
    return opened.with_review(replace(review, holdout=replace(review.holdout, random=True)))


def naming(opened, name, file):
    """Return the notes that name a column and a file."""
    notes = [n.text for n in (*opened.study().notes, *opened.partition().notes, *opened.assessment().notes)]
    notes += [note for reading in opened.readings() for note in reading.notes]
    return [text for text in notes if f"'{name}'" in text and file in text.lower()]


def odd_cell(number):
    """Try one study; return whether a figure differs from the plain reading, and is explained."""
    keys, _, tables, (name, file, cell) = drawn(number)
    opened = opened_of(tables, Settings(keys=keys))
    named, differ = naming(opened, name, file), []
    result, read = opened.assessment(), [records(rows) for rows in tables]
    data = plainly.data(read[0], read[2:], read[1])
    for i, exact in enumerate(plainly.identity(data, keys)):
        shown = result.identity.iloc[i]
        differ += [(m, exact[m], shown[m]) for m in ("UiO", "UiOiS", "repU") if not same(shown[m], exact[m])]
    baseline = evaluated(opened.attribute_baseline)
    for target, risk in result.targets.items():
        of_target = plainly.target(data, keys, target)
        exact = [plainly.measures(of_target, i) for i in range(1, data.m + 1)]
        for measure in ("Dorig", "DiSCO", "DiSDiO", "DCAPd"):
            values, shown = [found[measure] for found in exact], risk.figures(measure).tolist()
            differ += [(target, measure, x, y) for x, y in zip(values, shown, strict=True) if not same(y, x)]
        outside = [others for _, others in plainly.right(of_target)]
        if isinstance(baseline, NotEvaluated):
            differ.append((target, baseline.why))
            continue
        rows = baseline.figures
        shown = rows[(rows["target"] == target) & (rows["measure"] == "DiSCO") & (rows["synthesis"] == MEAN)]
        if shown.empty or not same(float(shown["non_members"].iloc[0]), sum(outside) / len(outside)):
            differ.append((target, "outside", outside, shown["non_members"].tolist()))
    assert not differ or named, (number, name, file, cell, differ, opened.study().notes)
    return bool(differ)


@pytest.mark.parametrize("block", range(0, 120, 20))
def test_an_odd_cell_of_a_grouped_column_moves_few_records_or_is_named(block):
    """Intervals may move with a number; a column that is no number any more has none, and that is much."""
    for number in range(block, block + 20):
        _, clean, tables, (name, file, cell) = drawn(number)
        settings = Settings(keys=("sex", "age"), groups={"age": 3, "pay": 2})
        was, now = (opened_of(each, settings) for each in (clean, tables))
        before, after = (
            {t: float(risk.figures("Dorig").mean()) for t, risk in each.assessment().targets.items()}
            for each in (was, now)
        )
        moved = max(abs(after[t] - before[t]) for t in after)
        assert moved <= 100 * 6 / 90 or naming(now, name, file), (number, name, file, cell, before, after)


def same(x, y):
    return abs(float(x) - float(y)) < 1e-9
