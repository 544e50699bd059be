"""What a shareable report must not tell, what R would show, and what a report stands."""

# Inside: which sections a report has.

import io
import re

import numpy as np
import pandas as pd
import pypdf
import pytest

from disclosure_core import (
    Exclusions,
    Limit,
    Limits,
    Pair,
    Review,
    Settings,
    ThreatModel,
    assess,
    attribute_baseline,
    demo,
    identity_baseline,
    membership,
    partition,
    start_demonstration,
    start_tables,
)
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.report import Block, Section, members, outside, to_pdf
from disclosure_core.report.source import HOLDOUT, MEMBERSHIP, SUBSETS
from tests.reports import blocks, named, report_of, to_html
from tests.written import fixed, score

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study():
    return demo.study()


@pytest.fixture(scope="module")
def found(study):
    out = Exclusions(
        target_levels={"abroad": ["No"], "marital": ["Single", "Widowed"]},
        pairs={"education": [Pair("age", "16", "Primary")]},
        missing_keys={"employment"},
    )
    return assess(study, Settings(keys=demo.KEYS, exclusions=out))


def text_of(pdf):
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages).split())


def squeezed(text):
    return re.sub(r"[\s\u00ad\-]", "", text)


def tables(given, first):
    return [b for b in blocks(given) if b.kind == "table" and b.columns[: len(first)] == first]


@pytest.mark.parametrize("smallest", [3, 10, 50])
def test_every_share_is_that_of_a_rounded_count(study, found, smallest):
    n = found.n_original
    given = report_of(start_demonstration(), found.settings, shareable=True, smallest=smallest)
    step = 100 * smallest / (n // smallest * smallest)
    (identity,), (summary,) = tables(given, ("", "UiO")), tables(given, ("Target", "CAPd"))
    numbers = [cell for row in identity.rows for cell in row[1:]] + [c for row in summary.rows for c in row[1:3]]
    assert len(numbers) == 4 + 2 * len(found.targets)
    for cell in numbers:
        number = float(cell.removeprefix("≤ "))
        assert abs(number / step - round(number / step)) * step < 0.006, cell  # two digits are printed
        assert cell.startswith("≤") == (number < 1.5 * step)
    for row in summary.rows:  # rounded up, by less than the limit
        true = found.targets[row[0]].figures("DiSCO").mean()
        assert -0.006 < float(row[2].removeprefix("≤ ")) - true < step + 0.006 or row[2].startswith("≤")


@pytest.mark.parametrize("smallest", [10, 50])
def test_no_mark_gives_a_count_away(study, found, smallest):
    given = report_of(start_demonstration(), found.settings, shareable=True, smallest=smallest)
    plots = [b.plot for b in blocks(given) if b.kind == "figure"]
    values = [v for p in plots if isinstance(p, GrowthPlot) for _, line in p.lines for v in line]
    values += [v for p in plots if isinstance(p, ArrowPlot) for r in p.rows for v in (r.original, r.synthetic, *r.each)]
    assert len(values) >= 2 * len(found.targets) + 8
    records = np.array(values) * found.n_original / 100 / smallest
    assert np.allclose(records, np.round(records))


def test_a_shareable_report_names_no_level_when_told(study, found):
    given = report_of(start_demonstration(), found.settings, shareable=True, level_names=False)
    pdf, html = text_of(to_pdf(given)), to_html(given)
    for level in ("Widowed", "Primary", "Single", "Student", "income: -8"):
        assert level not in pdf
        assert level not in html
    assert "abroad: a level." in pdf


def test_a_note_tells_no_small_count():
    frame = pd.DataFrame({"k": list("ab") * 50, "t": [-8, *range(99)]})
    opened = Review.of(["k"], missing_codes={"t": -8}).open(frame.assign(more=1), [frame])
    said = [
        " ".join(i for b in blocks(report_of(opened, Settings(keys=("k",)), **how)) for i in b.items)
        for how in ({}, {"shareable": True}, {"shareable": True, "level_names": False})
    ]
    assert "Only 1 original record has the missing code -8" in said[0]
    assert "missing code -8" not in said[1]
    assert "-8" not in said[2]
    assert all("The original has 'more', which not every file has" in each for each in said)  # columns alone


def test_each_exclusion_has_its_reason_and_effect(study, found):
    reasons = {"marital = Single": "the young are", "education": "school age", "missing keys": "refused"}
    said = [i for b in blocks(report_of(start_demonstration(), found.settings, reasons=reasons)) for i in b.items]
    assert any(
        re.fullmatch(r"marital: level Single\. Reason: the young are\. Alone, it takes DiSCO from .*", i) for i in said
    )
    assert not any(i.startswith("marital: level Widowed") for i in said)  # without a reason it is not excluded here
    assert any(
        i.startswith("education: age 16 with Primary. Reason: school age. Alone, it takes DiSCO from") for i in said
    )
    assert "Missing values of employment, for every target. Reason: refused." in said


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most"), [(10, 5), (30, 7), (60, 8)])
def test_many_long_names_are_all_there_in_few_pages(n, most):
    """Page 1, and four pages for ten targets, six for thirty; the appendix is a file of its own."""
    rng = np.random.default_rng(0)
    names = [f"a name of fifty-five letters that goes on and on and on {i}" for i in range(n)]
    frame = pd.DataFrame({"k": rng.integers(0, 9, 200)} | {name: rng.integers(0, 3, 200).astype(str) for name in names})
    given = report_of(start_tables(frame, [frame]), Settings(keys=("k",)))
    report, appendix = (pypdf.PdfReader(io.BytesIO(to_pdf(given, of_appendix=part))).pages for part in (False, True))
    assert len(report) <= most
    pages = [*report, *appendix]
    said = squeezed(" ".join(page.extract_text() for page in pages))
    for name in names:
        assert said.count(squeezed(name)) >= 3  # figure, table, appendix
    for page in pages:  # nothing is drawn below the foot
        assert len(page.extract_text()) > 200


@pytest.mark.parametrize("name", ["目標", "a\x00b", "a\x07b", "a\ufffeb", "a\ue000b", "a\nb", "\U0001f9ff", "هدف"])
def test_any_letter_can_be_in_a_report(name):
    frame = pd.DataFrame({"k": list("ab") * 20, name: [name, "x"] * 20})
    opened = named(start_tables(frame, [frame]), (name, "ab" * 32), ("s.csv", "cd" * 32))
    given = report_of(opened, Settings(keys=("k",)), title=name)
    assert to_pdf(given).startswith(b"%PDF")
    assert "\x00" not in to_html(given)


def test_a_section_of_another_room_stands_in_the_report(study, found):
    more = Section("Holdout baseline", (Block("text", "Members 5.53 %, others 1.90 %."),), covers=frozenset({9}))
    given = report_of(start_demonstration(), found.settings).with_section(more, HOLDOUT, MEMBERSHIP, SUBSETS)
    said = text_of(to_pdf(given))
    assert "Holdout baseline Members 5.53 %, others 1.90 %." in said
    (checklist,) = tables(given, ("Item",))
    assert ("9", "Attributes, against people not in the data", "Holdout baseline") in checklist.rows
    assert ("8", "Membership", "not evaluated") in checklist.rows
    assert "Not evaluated" not in said


def test_a_holdout_and_membership_in_both_versions():
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)
    settings = Settings(keys=demo.KEYS)
    attributes, identity = attribute_baseline(joined, settings), identity_baseline(joined, settings)
    asked = membership(joined, settings, ThreatModel(population_size=1_000_000, same_population=True, news=True))
    for shareable in (False, True):
        given = report_of(start_demonstration(), settings, shareable=shareable)
        limits = Limits(disco=Limit(20, 3, "our board"))
        part = outside.section(given, attributes, identity, limits)
        said = [item for b in part.blocks for item in b.items]
        rows = attributes.summary("DiSCO", limits.disco).iloc[::-1]
        if shareable:
            (table,) = [b for b in part.blocks if b.kind == "table"]
            names = sorted(rows["target"])
            assert [row[0] for row in table.rows] == names
            assert table.columns == ("Target", "Members", "Non-members")
            for row, name in zip(table.rows, names, strict=False):
                assert row[1].startswith("≤") or float(row[1]) * 50 % 10 == pytest.approx(0, abs=1e-6), name
            assert part.more == ()
            assert not any("Newcombe" in item or "our board" in item for item in said)
            assert part.covers == {9}
        else:
            (short,) = [b for b in part.blocks if b.kind == "table"]
            assert [row[:4] for row in short.rows[:-1]] == [
                (r["target"], f"{r['members']:.2f}", f"{r['non_members']:.2f}", f"{r['difference']:+.2f}")
                for r in rows.to_dict("records")
            ]
            assert [row[-1] for row in short.rows] == [*rows["result"], "none"]
            disco, beside, dcap, uniques, each = [b for b in part.more if b.kind == "table"]
            context = attributes.context.set_index("target")
            assert {row[0]: row[2] for row in beside.rows} == {t: fixed(x) for t, x in context["gain_outside"].items()}
            assert [row[0] for row in disco.rows] == rows["target"].tolist()
            assert [row[1] for row in disco.rows] == [f"{x:.2f}" for x in rows["members"]]
            assert [row[3] for row in disco.rows] == [f"{x:+.2f}" for x in rows["difference"]]
            assert [row[5] for row in disco.rows] == [f"{x:.2f}" for x in rows["sd"]]
            assert [row[-1] for row in disco.rows] == rows["result"].tolist()
            assert {row[-1] for row in dcap.rows} == {"not evaluated"}
            assert uniques.columns[-1] == "R"  # a screening figure has no result
            first = attributes.figures.query("measure == 'DiSCO' and synthesis == 2").iloc[0]
            row = next(r for r in each.rows if r[0] == f"DiSCO of {first['target']}")
            assert row[2] == f"{first['members']:.2f} / {first['non_members']:.2f}"
            assert any("our board" in item for item in said)
            assert any("The office set no limit of DCAP" in item for item in said)
            assert any("Newcombe" in item for item in said)
            assert part.covers == {9}  # what limits are set the checklist says itself
        if not shareable:  # a shareable one has no membership
            made = members.section(asked, Limit(relative=0.2))
            scores = next(b for b in made.blocks if b.columns[:1] == ("β",)).rows
            summary = asked.summary()
            assert [float(row[1]) for row in scores] == pytest.approx(summary["F_naive"].tolist(), abs=0.006)
            assert [float(row[6]) for row in scores] == pytest.approx(summary["worst_F_rel"].tolist(), abs=0.02)
            assert [row[6] for row in scores] == [score(x, 3) for x in summary["worst_F_rel"]]
            every = asked.all_keys((float(asked.decisive()["beta"]),))
            table = next(b for b in made.more if b.columns[1:3] == ("Precision", "Recall"))
            assert [row[1] for row in table.rows[:5]] == [score(x, 3) for x in every["precision"][:5]]
            assert [row[0] for row in table.rows] == [
                *(f"Synthesis {i}" for i in range(1, 6)),
                "Any of them",
                "Mean",
                "SD",
            ]
            assert table.rows[-1][2] == score(every["recall"][:5].std(), 3)
