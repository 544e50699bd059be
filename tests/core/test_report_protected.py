"""What a shareable report must not tell, what R would show, and what a report stands."""

import io
import re

import numpy as np
import pandas as pd
import pypdf
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, assess, demo
from disclosure_core.baseline import attribute_baseline, identity_baseline
from disclosure_core.decision import Limits
from disclosure_core.figures.describe import ArrowPlot, GrowthPlot
from disclosure_core.gate import Gate
from disclosure_core.holdout import partition
from disclosure_core.membership import membership
from disclosure_core.report import Block, FileRead, ReportInput, Section, beyond, blocks, to_html, to_pdf
from disclosure_core.report.reconcile import misaligned


@pytest.fixture(scope="module")
def study():
    return demo.study()


@pytest.fixture(scope="module")
def found(study):
    out = Exclusions(
        target_levels={"abroad": ["No"], "marital": ["Single", "Widowed"]},
        pairs={"education": [Pair("age", "16", "Primary")]},
        missing_keys={"education"},
    )
    return assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=out))


def text_of(pdf):
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages).split())


def squeezed(text):
    return re.sub(r"[\s\u00ad\-]", "", text)


def tables(given, first):
    return [b for b in blocks(given) if b.kind == "table" and b.columns[: len(first)] == first]


@pytest.mark.parametrize("smallest", [3, 10, 50])
def test_every_share_is_that_of_a_rounded_count(study, found, smallest):
    n = found.n_original
    given = ReportInput(study, found, [], shareable=True, smallest=smallest)
    step = 100 * smallest / n
    (identity,), (summary,) = tables(given, ("", "UiO")), tables(given, ("Target", "Dorig"))
    for row in (*identity.rows, *summary.rows):
        for cell in row[1:-1] if len(row) == 5 and "to" in row[3] else row[1:]:
            for part in cell.split(" to "):
                number = float(part.removeprefix("< ")) if re.fullmatch(r"(< )?[\d.]+", part) else 0.0
                assert abs(number / step - round(number / step)) * step < 0.006, cell  # two digits are printed
                assert part.startswith("<") or number == 0 or number > step - 0.006


@pytest.mark.parametrize("smallest", [10, 50])
def test_no_mark_gives_a_count_away(study, found, smallest):
    given = ReportInput(study, found, [], shareable=True, smallest=smallest)
    plots = [b.plot for b in blocks(given) if b.kind == "figure"]
    values = [v for p in plots if isinstance(p, GrowthPlot) for _, line in p.lines for v in line]
    values += [v for p in plots if isinstance(p, ArrowPlot) for r in p.rows for v in (r.original, r.synthetic, *r.each)]
    assert len(values) > 50
    records = np.array(values) * found.n_original / 100 / smallest
    assert np.allclose(records, np.round(records))


def test_a_shareable_report_names_no_level_when_told(study, found):
    given = ReportInput(study, found, [], shareable=True, level_names=False)
    pdf, html = text_of(to_pdf(given)), to_html(given)
    for level in ("Widowed", "Primary", "Single", "Student", "income: -8"):
        assert level not in pdf
        assert level not in html
    assert "abroad: level 1." in pdf


def test_a_note_tells_no_small_count():
    frame = pd.DataFrame({"k": list("ab") * 50, "t": [-8, *range(99)]})
    study = Study(frame, [frame], missing_codes={"t": [-8]})
    said = [
        " ".join(
            i for b in blocks(ReportInput(study, assess(study, Settings(keys=("k",))), [], **how)) for i in b.items
        )
        for how in ({}, {"shareable": True}, {"shareable": True, "level_names": False})
    ]
    assert "The missing code -8 occurs only 1 times" in said[0]
    assert "occurs only" not in said[1]
    assert "-8" not in said[2]


def r_by_position(original, synthetic, keys, target):
    """Return DiSCO as R does: rows by number on one side, by text on the other, and then by position."""
    q = [" | ".join(map(str, row)) for row in original[keys].to_numpy()]
    p = [" | ".join(map(str, row)) for row in synthetic[keys].to_numpy()]
    columns = sorted(set(q) | set(p))
    numbers = sorted(original[target].unique())
    texts = sorted(map(str, numbers))
    d, s = np.zeros((len(numbers), len(columns))), np.zeros((len(texts), len(columns)))
    for key, value in zip(q, original[target], strict=True):
        d[numbers.index(value), columns.index(key)] += 1
    for key, value in zip(p, synthetic[target], strict=True):
        s[texts.index(str(value)), columns.index(key)] += 1
    told = (s > 0) & (s == s.sum(axis=0))
    return 100 * d[told].sum() / len(original)


@pytest.mark.parametrize("seed", range(5))
def test_rows_that_do_not_meet_are_shown_both_ways(seed):
    rng = np.random.default_rng(seed)
    original = pd.DataFrame({"a": rng.choice(list("xyz"), 300), "b": rng.integers(0, 20, 300)})
    original["hours"] = np.array([0, 5, 40, 100, 2174])[(original["b"] + (rng.random(300) < 0.1)) % 5]
    synthetic = original.sample(200, random_state=seed, ignore_index=True)
    synthetic = synthetic[synthetic["hours"] != 100]
    found = assess(Study(original, [synthetic]), Settings(keys=("a", "b"), targets=("hours",)))
    theirs = misaligned(found, "hours")
    assert theirs == pytest.approx(r_by_position(original, synthetic, ["a", "b"], "hours"), abs=1e-9)
    given = ReportInput(Study(original, [synthetic]), found, [])
    (table,) = tables(given, ("Deviation",))
    ours = found.targets["hours"].figures("DiSCO").mean()
    assert any(row[1:] == ("DiSCO of hours", f"{theirs:.2f}", f"{ours:.2f}") for row in table.rows)
    assert misaligned(assess(Study(original, [original]), Settings(keys=("a", "b"))), "hours") is None


@pytest.mark.parametrize(
    ("deviation", "figure"),
    [
        ("multi.disclosure prints the first synthesis as the mean", "repU"),
        ("A target's exclusions move its identity figures", "repU of abroad"),
        ("R leaves out one target level, the first", "DiSCO of marital"),
        ("multi.disclosure counts the pairs of all syntheses as 1", "2-way pairs of marital"),
    ],
)
def test_deviations_stand_with_both_figures(study, found, deviation, figure):
    out = Exclusions(target_levels={"abroad": ["No"], "marital": ["Single", "Widowed"]})
    if figure.startswith("2-way"):
        out = Exclusions()
    given = ReportInput(study, assess(study, Settings(keys=demo.KEYS, exclusions=out)), [])
    (table,) = tables(given, ("Deviation",))
    (row,) = [r for r in table.rows if r[:2] == (deviation, figure)]
    assert row[2] != row[3]


def test_each_exclusion_has_its_reason_and_effect(study, found):
    reasons = {"marital = Single": "the young are", "education": "school age", "missing keys": "refused"}
    said = [i for b in blocks(ReportInput(study, found, [], reasons=reasons)) for i in b.items]
    assert any(
        re.fullmatch(r"marital: level Single\. Reason: the young are\. Alone, it takes DiSCO from .*", i) for i in said
    )
    assert any(i.startswith("marital: level Widowed. No reason was given.") for i in said)
    assert any(
        i.startswith("education: age 16 with Primary. Reason: school age. Alone, it takes DiSCO from") for i in said
    )
    assert "Missing values of education, for every target. Reason: refused." in said


def test_sixty_long_names_are_all_there():
    rng = np.random.default_rng(0)
    names = [f"a name of fifty-five letters that goes on and on and on {i}" for i in range(60)]
    frame = pd.DataFrame({"k": rng.integers(0, 9, 200)} | {n: rng.integers(0, 3, 200).astype(str) for n in names})
    study = Study(frame, [frame])
    pdf = to_pdf(ReportInput(study, assess(study, Settings(keys=("k",))), []))
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert 4 <= len(pages) <= 12
    said = squeezed(" ".join(page.extract_text() for page in pages))
    for name in names:
        assert said.count(squeezed(name)) >= 3  # figure, table, appendix
    for page in pages:  # nothing is drawn below the foot
        assert len(page.extract_text()) > 200


@pytest.mark.parametrize("name", ["目標", "a\x00b", "a\x07b", "a\ufffeb", "a\ue000b", "a\nb", "\U0001f9ff", "هدف"])
def test_any_letter_can_be_in_a_report(name):
    frame = pd.DataFrame({"k": list("ab") * 20, name: [name, "x"] * 20})
    study = Study(frame, [frame])
    given = ReportInput(study, assess(study, Settings(keys=("k",))), [FileRead("Original", name, 40)], title=name)
    assert to_pdf(given).startswith(b"%PDF")
    assert "\x00" not in to_html(given)


def test_a_section_of_another_room_stands_in_the_report(study, found):
    more = Section("Holdout baseline", (Block("text", "Members 5.53 %, others 1.90 %."),), covers=frozenset({9}))
    given = ReportInput(study, found, [], sections=(more,), not_evaluated=(), notes=("Rows are households.",))
    said = text_of(to_pdf(given))
    assert "Holdout baseline Members 5.53 %, others 1.90 %." in said
    assert "Rows are households." in said
    (checklist,) = tables(given, ("Item",))
    assert ("9", "Attributes, against people not in the data", "Holdout baseline") in checklist.rows
    assert ("8", "Membership", "not evaluated") in checklist.rows
    assert "Not evaluated" not in said


def test_many_scenarios_and_other_targets_stand_side_by_side(study, found):
    other = assess(study, Settings(keys=demo.KEYS, targets=("income",)))
    scenarios = [(f"Scenario {i}", other) for i in range(6)]
    made = [b for b in blocks(ReportInput(study, found, [], scenarios=scenarios)) if "Dorig / DiSCO" in b.text]
    assert [len(b.columns) for b in made] == [6, 4]
    row = next(r for r in made[0].rows if r[0] == "abroad")
    assert row[2] == "not a target"


def test_a_holdout_and_membership_in_both_versions():
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)
    settings = Settings(keys=demo.KEYS)
    study = demo.study()
    found = assess(study, settings)
    attributes, identity = attribute_baseline(joined, settings), identity_baseline(joined, settings)
    asked = membership(joined, settings, Gate(population_size=1_000_000, same_population=True, news=True))
    for shareable in (False, True):
        given = ReportInput(study, found, [], shareable=shareable)
        part = beyond.holdout(given, attributes, identity, Limits(20, 3, "our board"))
        table, points = part.blocks
        rows = attributes.summary("DiSCO", Limits(20, 3)).iloc[::-1]
        assert [row[0] for row in table.rows] == [*rows["target"], "repU, the keys alone"]
        if shareable:
            assert table.columns == ("Target", "Members", "Non-members")
            for row, members in zip(table.rows, rows["members"], strict=False):
                assert row[1].startswith("<") or float(row[1]) * 50 % 10 == pytest.approx(0, abs=1e-6), members
            assert not any("Newcombe" in item for item in points.items)
        else:
            assert [row[1] for row in table.rows[:-1]] == [f"{x:.2f}" for x in rows["members"]]
            assert [row[3] for row in table.rows[:-1]] == [f"{x:+.2f}" for x in rows["difference"]]
            assert [row[-1] for row in table.rows[:-1]] == rows["decision"].tolist()
        assert part.covers == {9, 12}
        assert any("our board" in item for item in points.items)
        scores = beyond.membership(given, asked).blocks[1].rows
        summary = asked.summary()
        assert [row[5] for row in scores] == [f"{x:.2f}" for x in summary["worst_F_rel"]]
        assert [row[1] for row in scores] == [f"{x:.2f}" for x in summary["F_naive"]]
    few = ReportInput(study, found, [], shareable=True, smallest=50)
    assert {row[5] for row in beyond.membership(few, asked).blocks[1].rows} == {"withheld"}
